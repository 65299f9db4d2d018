// SPDX-License-Identifier: Apache-2.0

#include "figure.h"
#include "common/common.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_N = 2, LAST_N = 6, MAX_LINES = 16, PATH_BYTES = 4096 };

struct figure {
    uint32_t number;
    size_t num_lines;
    const struct line *lines[MAX_LINES];
    struct sample times[MAX_LINES][LAST_N + 1];  // count 0: not run
    double load[LAST_N + 1];  // of the first line; SPLIT counts its flits as worms
};

bool figure_exists(const struct plan *plan, uint32_t figure)
{
    for (size_t i = 0; i < plan->num_lines; i++)
        if (plan->lines[i].figure == figure) return true;
    return false;
}

static struct figure gather(const struct plan *plan, const struct results *results, uint32_t number)
{
    struct figure figure = {.number = number};
    for (size_t i = 0; i < plan->num_lines && figure.num_lines < MAX_LINES; i++) {
        const struct line *line = &plan->lines[i];
        if (line->figure != number) continue;
        for (uint32_t n = FIRST_N; n <= LAST_N; n++) {
            struct sample *time = &figure.times[figure.num_lines][n];
            *time = results_sample(results, line->series, n, MEASURE_TIME, false);
            if (time->count && figure.load[n] == 0)
                figure.load[n] = results_sample(results, line->series, n, MEASURE_LOAD, false).mean;
        }
        figure.lines[figure.num_lines++] = line;
    }
    return figure;
}

// --- tables ---

static void write_csv(const struct figure *figure, FILE *out)
{
    fputs("series,label,N,runs,mean_time,deviation,standard_error\n", out);
    for (size_t i = 0; i < figure->num_lines; i++)
        for (uint32_t n = FIRST_N; n <= LAST_N; n++) {
            const struct sample *time = &figure->times[i][n];
            if (time->count)
                fprintf(out, "%s,%s,%u,%zu,%.4f,%.4f,%.4f\n", figure->lines[i]->series->name,
                        figure->lines[i]->label, 1u << 2 * n, time->count, time->mean,
                        time->deviation, time->error);
        }
}

// One row per N, mean and deviation of each line; ? where there is nothing.
static void write_tsv(const struct figure *figure, FILE *out)
{
    fputs("# N\tload factor", out);
    for (size_t i = 0; i < figure->num_lines; i++)
        fprintf(out, "\t%s\tdeviation", figure->lines[i]->label);
    fputc('\n', out);
    for (uint32_t n = FIRST_N; n <= LAST_N; n++) {
        if (figure->load[n] == 0) continue;
        fprintf(out, "%u\t%.2f", 1u << 2 * n, figure->load[n]);
        for (size_t i = 0; i < figure->num_lines; i++) {
            const struct sample *time = &figure->times[i][n];
            if (time->count)
                fprintf(out, "\t%.2f\t%.2f", time->mean, time->deviation);
            else
                fputs("\t?\t?", out);
        }
        fputc('\n', out);
    }
}

// --- drawing ---

static void write_script(const struct figure *figure, FILE *out)
{
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
    for (size_t i = 0; i < figure->num_lines; i++)
        fprintf(out,
                "%s'figure%u.tsv' using 1:%zu:%zu:xtic(sprintf('%%s (%%s)', strcol(1), strcol(2))) "
                "with yerrorlines title '%s' lw 1.5 pt %zu ps 0.7",
                i ? ", \\\n  " : "", figure->number, 2 * i + 3, 2 * i + 4, figure->lines[i]->label,
                i + 4);
    fputc('\n', out);
}

// Its data lie in the same directory.
static enum anl_status draw(const struct figure *figure, const char *directory, const char *path,
                            FILE *out, struct anl_error *error)
{
    struct gnuplot drawing = {.directory = directory, .path = path};
    char *script = NULL, *svg = NULL;
    FILE *memory = open_memstream(&script, &drawing.bytes);
    if (memory) write_script(figure, memory);
    enum anl_status status = ANL_OK;
    if (!memory || fclose(memory) != 0)
        status = anl_fail(error, ANL_ERR_MEMORY, path, 0, "no memory for the script");
    drawing.script = script;
    if (!status) status = gnuplot_draw(&drawing, &svg, error);
    if (!status) fprintf(out, "%s\n\n", svg);  // as gnuplot ends it
    free(script);
    free(svg);
    return status;
}

static enum anl_status write_file(const struct figure *figure, const char *directory,
                                  const char *ending, struct anl_error *error)
{
    char path[PATH_BYTES];
    struct anl_output output;
    snprintf(path, sizeof path, "%s/figure%u.%s", directory, figure->number, ending);
    enum anl_status status = anl_output_open(path, NULL, &output, error);
    if (status) return status;
    if (strcmp(ending, "csv") == 0) write_csv(figure, output.file);
    if (strcmp(ending, "tsv") == 0) write_tsv(figure, output.file);
    if (strcmp(ending, "gnuplot") == 0) write_script(figure, output.file);
    if (strcmp(ending, "svg") == 0) status = draw(figure, directory, path, output.file, error);
    if (!status) status = anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return status;
}

enum anl_status figure_write(const char *directory, const struct plan *plan,
                             const struct results *results, uint32_t number,
                             struct anl_error *error)
{
    static const char *const endings[] = {"csv", "tsv", "gnuplot", "svg"};
    const struct figure figure = gather(plan, results, number);
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sizeof endings / sizeof *endings && !status; i++)
        status = write_file(&figure, directory, endings[i], error);
    return status;
}
