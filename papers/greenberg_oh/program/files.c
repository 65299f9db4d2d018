// SPDX-License-Identifier: Apache-2.0

#include "greenberg_oh.h"

#include <inttypes.h>

// --- tables ---

static void write_runs(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("series,N,seed,time,cycles,worms,length,c,d,mean_c,load_factor,lower_cycles,"
          "theorem_2_cycles,R,phase_cycles,missed,window_cycles,meet_twice\n",
          out);
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->of[i];
        const struct outcome *o = &result->outcome;
        fprintf(out, "%s,%u,%u,%.0f,%" PRIu64 ",%.0f,%u,%.0f,%u,%.4f,%.4f,%" PRIu64 ",",
                result->series->name, 1u << 2 * result->n, result->run + 1, o->time, o->cycles,
                o->worms, o->length, o->congestion, o->dilation, o->mean_congestion, o->load_factor,
                o->lower);
        if (o->upper != UINT64_MAX) fprintf(out, "%" PRIu64, o->upper);
        fprintf(out, ",%.0f,%.0f,%.0f,%.0f,", o->delays, o->phase_cycles, o->missed,
                o->window_cycles);
        const bool looked = o->upper != UINT64_MAX && result->run < result->series->runs;
        fprintf(out, looked ? "%.0f\n" : "\n", o->twice);
    }
}

static void write_table(const void *user, FILE *out)
{
    static const char *const quantities[] = {"time", "load", "congestion"};
    const struct results *results = user;
    fputs("group,quantity,series,N,paper,runs,ours,standard_error,deviation_percent,z,all_runs,"
          "ours_all,z_all,verdict\n",
          out);
    for (size_t i = 0; i < results->plan->num_cells; i++) {
        const struct cell *cell = &results->plan->cells[i];
        const struct cell_verdict j = check_cell(results, cell);
        if (j.verdict == VERDICT_NONE) continue;
        fprintf(out, "%s,%s,%s,%u,%g,%zu,%.4f,%.4f,%.2f,%.3f,%zu,%.4f,%.3f,%s\n", cell->group,
                quantities[cell->quantity], cell->series->name, 1u << 2 * cell->n, cell->paper,
                j.ours.count, j.ours.mean, j.ours.error, j.deviation, j.z, j.all.count, j.all.mean,
                j.z_all, verdict_name(j.verdict));
    }
}

static void write_claims(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("kind,first,second,N,least,most,value,error,low,high,factor,verdict,sentence\n", out);
    for (size_t i = 0; i < results->plan->num_claims; i++) {
        const struct claim *claim = &results->plan->claims[i];
        const struct claim_verdict j = check_claim(results, claim);
        if (j.verdict == VERDICT_NONE) continue;
        fprintf(out, "%s,%s,%s,%u,%g,%g,%.6g,%.3g,%.4g,%.4g,%.4g,%s,\"%s\"\n",
                claim_kinds[claim->kind], claim->first, claim->second,
                claim->n ? 1u << 2 * claim->n : 0, claim->range.least, claim->range.most, j.value,
                j.error, j.low, j.high, j.factor, verdict_name(j.verdict), claim->sentence);
    }
}

// Writes mean, deviation and errors of every series at every N.
static void write_series(const void *user, FILE *out)
{
    const struct results *results = user;
    fputs("series,N,runs,mean_time,deviation,standard_error,least,most,mean_c,mean_load_factor,"
          "mean_slowdown\n",
          out);
    for (size_t i = 0; i < results->plan->num_series; i++) {
        const struct series *series = &results->plan->series[i];
        for (uint32_t n = series->least; n <= series->most; n++) {
            const struct sample t = results_sample(results, series, n, MEASURE_TIME, true);
            if (!t.count) continue;
            fprintf(out, "%s,%u,%zu,%.4f,%.4f,%.4f,%.0f,%.0f,%.4f,%.4f,", series->name, 1u << 2 * n,
                    t.count, t.mean, t.deviation, t.error, t.least, t.most,
                    results_mean(results, series, n, MEASURE_CONGESTION),
                    results_mean(results, series, n, MEASURE_LOAD));
            if (series->kind >= SERIES_WINDOW)
                fprintf(out, "%.4f", results_mean(results, series, n, MEASURE_SLOWDOWN));
            fputc('\n', out);
        }
    }
}

// --- figures ---

enum { FIRST_N = 2, LAST_N = 6 };

struct figure {
    const struct results *results;
    uint32_t number;
};

// Returns the line of the figure behind a line, or the first one behind NULL; NULL if there is
// none.
static const struct line *next_line(const struct figure *figure, const struct line *line)
{
    const struct plan *plan = figure->results->plan;
    for (line = line ? line + 1 : plan->lines; line < plan->lines + plan->num_lines; line++)
        if (line->figure == figure->number) return line;
    return NULL;
}

static struct sample time_of(const struct figure *figure, const struct line *line, uint32_t n)
{
    return results_sample(figure->results, line->series, n, MEASURE_TIME, false);
}

static void write_csv(const void *user, FILE *out)
{
    const struct figure *figure = user;
    fputs("series,label,N,runs,mean_time,deviation,standard_error\n", out);
    for (const struct line *line = NULL; (line = next_line(figure, line));)
        for (uint32_t n = FIRST_N; n <= LAST_N; n++) {
            const struct sample time = time_of(figure, line, n);
            if (time.count)
                fprintf(out, "%s,%s,%u,%zu,%.4f,%.4f,%.4f\n", line->series->name, line->label,
                        1u << 2 * n, time.count, time.mean, time.deviation, time.error);
        }
}

// Returns the load factor of the first line that has runs at N = 4^n, since the algorithm SPLIT
// counts its flits as worms; 0 if none has.
static double load_of(const struct figure *figure, uint32_t n)
{
    for (const struct line *line = NULL; (line = next_line(figure, line));)
        if (time_of(figure, line, n).count)
            return results_sample(figure->results, line->series, n, MEASURE_LOAD, false).mean;
    return 0;
}

// Writes one row per N with mean and deviation of each line; ? where there are no runs.
static void write_tsv(const void *user, FILE *out)
{
    const struct figure *figure = user;
    fputs("# N\tload factor", out);
    for (const struct line *line = NULL; (line = next_line(figure, line));)
        fprintf(out, "\t%s\tdeviation", line->label);
    fputc('\n', out);
    for (uint32_t n = FIRST_N; n <= LAST_N; n++) {
        const double load = load_of(figure, n);
        if (load == 0) continue;
        fprintf(out, "%u\t%.2f", 1u << 2 * n, load);
        for (const struct line *line = NULL; (line = next_line(figure, line));) {
            const struct sample time = time_of(figure, line, n);
            fprintf(out, time.count ? "\t%.2f\t%.2f" : "\t?\t?", time.mean, time.deviation);
        }
        fputc('\n', out);
    }
}

static void write_script(const void *user, FILE *out)
{
    const struct figure *figure = user;
    fprintf(out,
            "set terminal svg size 720,480 font 'sans-serif,13' background 'white'\n"
            "set title 'Greenberg and Oh (1993), Figure %u: random instances, L = 32'\n"
            "set linetype 5 linecolor rgb '#d55e00'\nset linetype 6 linecolor rgb '#000000'\n"
            "set datafile separator '\\t'\nset datafile missing '?'\n"
            "set logscale x 4\nset logscale y 10\nset grid\nset key left top\n"
            "set xlabel 'N (load factor)'\nset ylabel 'time, flit-steps'\nset xrange "
            "[10:8000]\nset yrange [80:*]\n"
            "plot ",
            figure->number);
    size_t i = 0;
    for (const struct line *line = NULL; (line = next_line(figure, line)); i++)
        fprintf(out,
                "%s'figure%u.tsv' using 1:%zu:%zu:xtic(sprintf('%%s (%%s)', strcol(1), strcol(2))) "
                "with yerrorlines title '%s' lw 1.5 pt %zu ps 0.7",
                i ? ", \\\n  " : "", figure->number, 2 * i + 3, 2 * i + 4, line->label, i + 4);
    fputc('\n', out);
}

static enum anl_status write_figure(const char *directory, const struct figure *figure,
                                    struct anl_error *error)
{
    char csv[16], tsv[16], name[16];
    snprintf(csv, sizeof csv, "figure%u.csv", figure->number);
    snprintf(tsv, sizeof tsv, "figure%u.tsv", figure->number);
    snprintf(name, sizeof name, "figure%u", figure->number);
    enum anl_status status = paper_write(directory, csv, write_csv, figure, error);
    if (!status) status = paper_write(directory, tsv, write_tsv, figure, error);
    return status ? status : paper_draw(directory, name, write_script, figure, error);
}

// --- all ---

enum anl_status files_write(const char *directory, const struct results *results,
                            struct anl_error *error)
{
    static const struct {
        const char *name;
        void (*write)(const void *user, FILE *out);
    } tables[] = {{"runs.csv", write_runs},
                  {"series.csv", write_series},
                  {"table1.csv", write_table},
                  {"claims.csv", write_claims}};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++)
        status = paper_write(directory, tables[i].name, tables[i].write, results, error);
    for (uint32_t number = 1; number <= 99 && !status; number++) {
        const struct figure figure = {results, number};
        if (next_line(&figure, NULL)) status = write_figure(directory, &figure, error);
    }
    return status;
}
