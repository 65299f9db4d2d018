// SPDX-License-Identifier: Apache-2.0

#include "film.h"

#include <inttypes.h>
#include <math.h>

static void write_runs(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("worms,n,d,L,a,b,c,R,F,Z,seed,batches,steps,ratio,worms_in_all,failed,strayed,rounds,"
          "reservoir,row,clean_up_passes,clean_up_steps,moves,distance,alpha,beta\n",
          out);
    for (size_t i = 0; i < results->count; i++)
        for (uint32_t seed = 0; seed < results->of[i].seeds; seed++) {
            const struct study *study = results->of[i].study;
            const struct anl_diagonals_config *config = &study->config;
            const struct run *run = &results->of[i].runs[seed];
            const double d_log_n = config->d * log2(config->n);
            const struct result one = {study, 1, results->of[i].runs + seed};
            fprintf(out,
                    "%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32
                    ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
                    study->traffic_name, config->n, config->d, config->length, config->a, config->b,
                    config->c, config->rounds, config->forward, config->round_cycles);
            fprintf(out,
                    ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%.4f,%" PRIu32 ",%" PRIu32 ",%" PRIu32
                    ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64
                    ",%" PRIu64 ",%.4f,%.4f\n",
                    seed + 1, run->batches, run->cycles, result_ratio(&one), run->worms,
                    run->failed, run->strayed, run->rounds, run->reservoir, run->row, run->passes,
                    run->clean_cycles, run->moves, run->distance, config->c / d_log_n,
                    config->n / (config->length * d_log_n * d_log_n));
        }
}

static void write_claims(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("kind,L,value,least,most,verdict\n", out);
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        double value;
        const enum verdict verdict = check_claim(results, claim, &value);
        fprintf(out, "%s,%" PRIu32 ",%.6g,%g,%g,%s\n", claim->name, claim->length, value,
                claim->range.least, claim->range.most, verdict_name(verdict));
    }
}

// --- the figure: steps / (L + d) n over the side of the torus, d = 2 ---

static bool is_in_figure(const struct study *study)
{
    const struct anl_diagonals_config *config = &study->config;
    const uint32_t length = config->length;
    return study->traffic == TRAFFIC_FUNCTION && config->d == 2 &&
           (length == 1 || length == 2 || length == 4) && config->a == 4 && config->b == 1 &&
           config->c == 16;
}

static bool has_figure(const struct results *results)
{
    for (size_t i = 0; i < results->count; i++)
        if (is_in_figure(results->of[i].study)) return true;
    return false;
}

static void write_curve(const struct results *results, uint32_t length, bool is_short, FILE *out)
{
    fprintf(out, "$l%" PRIu32 "_%d << end\n", length, is_short);
    for (size_t i = 0; i < results->count; i++) {
        const struct anl_diagonals_config *config = &results->of[i].study->config;
        const bool forward_is_short = config->forward == 2 * config->c && config->rounds == 8;
        if (is_in_figure(results->of[i].study) && config->length == length &&
            forward_is_short == is_short)
            fprintf(out, "%" PRIu32 " %.6g\n", config->n, result_ratio(&results->of[i]));
    }
    fputs("end\n", out);
}

static void write_figure(const void *user, FILE *out)
{
    for (uint32_t length = 1; length <= 4; length *= 2)
        for (int is_short = 0; is_short <= 1; is_short++)
            write_curve(user, length, is_short, out);
    fputs("set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n"
          "set title 'Random functions on a torus, d = 2, a = 4, b = 1, c = 16'\n"
          "set grid\nset key right top\nset xlabel 'side n of the torus'\n"
          "set ylabel 'steps / (L + d) n'\nset logscale xy 2\nplot NaN notitle",
          out);
    for (uint32_t length = 1; length <= 4; length *= 2)
        for (int is_short = 0; is_short <= 1; is_short++)
            fprintf(out,
                    ", $l%" PRIu32 "_%d using 1:2 with linespoints pt 7 ps 0.5 %s title 'L = "
                    "%" PRIu32 ", %s rounds'",
                    length, is_short, is_short ? "dt 2" : "dt 1", length,
                    is_short ? "short" : "long");
    fputs("\n", out);
}

// --- the figure of Observation 3.5: failures over c ---

// Writes how many worms of a torus failed, of those that went, for each c; none is not drawn.
static void write_failures(const struct results *results, uint32_t n, FILE *out)
{
    fprintf(out, "$n%" PRIu32 " << end\n", n);
    for (size_t i = 0; i < results->count; i++) {
        const struct study *study = results->of[i].study;
        const struct anl_diagonals_config *config = &study->config;
        const struct run sum = result_sum(&results->of[i]);
        if (study->traffic == TRAFFIC_FUNCTION && config->n == n && config->d == 2 &&
            config->length == 1 && config->a == 4 && config->b == 1 &&
            config->rounds == config->c && config->forward == 2 * config->c && sum.failed > 0)
            fprintf(out, "%" PRIu32 " %.6g\n", config->c, (double)sum.failed / sum.worms);
    }
    fputs("end\n", out);
}

// With a = 4, a worm for each four columns of a block is expected on a diagonal. The line falls as
// Chernoff's bound for c of them does: e^(3/4) / 4 for each column.
static void write_columns(const void *user, FILE *out)
{
    write_failures(user, 60, out);
    write_failures(user, 64, out);
    fputs("set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n"
          "set title 'Random functions on a torus, d = 2, L = 1, a = 4, b = 1, long rounds'\n"
          "set grid\nset key right top\nset xlabel 'columns c of a block'\n"
          "set ylabel 'failed worms, of all'\nset logscale y\nset format y '10^{%T}'\n"
          "set xrange [1:13]\nset yrange [1e-6:1]\n"
          "plot $n60 using 1:2 with linespoints pt 7 ps 0.5 title 'n = 60', "
          "$n64 using 1:2 with linespoints pt 5 ps 0.5 title 'n = 64', "
          "0.25 * (exp(0.75) / 4) ** x with lines dt 2 title 'e^{3/4} / 4 for each column'\n",
          out);
}

// Writes a drawing of the film.
static enum anl_status write_film(const char *directory, const char *name,
                                  enum anl_status (*write)(FILE *out, struct anl_error *error),
                                  struct anl_error *error)
{
    char path[4096];
    struct anl_output output;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    status = write(output.file, error);
    if (!status) status = anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}

enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error)
{
    enum anl_status status = paper_write(directory, "runs.csv", write_runs, results, error);
    if (!status) status = paper_write(directory, "claims.csv", write_claims, results, error);
    if (!status && has_figure(results))
        status = paper_draw(directory, "ratio", write_figure, results, error);
    if (!status && has_figure(results))
        status = paper_draw(directory, "columns", write_columns, results, error);
    if (!status) status = write_film(directory, "phases.svg", film_strip, error);
    if (!status) status = write_film(directory, "phases.html", film_page, error);
    return status;
}
