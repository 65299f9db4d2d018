// SPDX-License-Identifier: Apache-2.0

#include "figure.h"

#include <annelid/base.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void write_script(const struct figure *figure, const char *tsv, FILE *out)
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
                "%s'%s' using 1:%zu:%zu:xtic(sprintf('%%s (%%s)', strcol(1), strcol(2))) "
                "with yerrorlines title '%s' lw 1.5 pt %zu ps 0.7",
                i ? ", \\\n  " : "", tsv, 2 * i + 3, 2 * i + 4, figure->lines[i]->label, i + 4);
    fputc('\n', out);
}

// What gnuplot draws from a script in directory, into out; false if it failed. No shell between, so
// the directory may have any name.
static bool draw(const char *directory, char *script, FILE *out)
{
    char *arguments[] = {"gnuplot", script, NULL};
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status;
    if (posix_spawn_file_actions_init(&actions)) return false;
    const bool started = !posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO) &&
                         !posix_spawn_file_actions_addchdir_np(&actions, directory) &&
                         !posix_spawnp(&process, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (!started || waitpid(process, &status, 0) != process) return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 && lseek(fileno(out), 0, SEEK_END) > 0;
}

static void name_file(const char *directory, const struct figure *figure, const char *ending,
                      char *path)
{
    snprintf(path, PATH_BYTES, "%s/figure%u.%s", directory, figure->number, ending);
}

static enum anl_status write_svg(const char *directory, const struct figure *figure,
                                 struct anl_error *error)
{
    char svg[PATH_BYTES], script[32];
    struct anl_output output;
    name_file(directory, figure, "svg", svg);
    snprintf(script, sizeof script, "figure%u.gnuplot", figure->number);
    enum anl_status status = anl_output_open(svg, NULL, &output, error);
    if (status) return status;
    if (draw(directory, script, output.file)) return anl_output_finish(&output, error);
    anl_output_abandon(&output);
    return anl_fail(error, ANL_ERR_IO, svg, 0,
                    "gnuplot cannot draw it (Debian package gnuplot-nox)");
}

static enum anl_status write_texts(const char *directory, const struct figure *figure,
                                   struct anl_error *error)
{
    char tsv[32], path[PATH_BYTES];
    snprintf(tsv, sizeof tsv, "figure%u.tsv", figure->number);
    static const char *const endings[] = {"csv", "tsv", "gnuplot"};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < 3 && !status; i++) {
        struct anl_output output;
        name_file(directory, figure, endings[i], path);
        status = anl_output_open(path, NULL, &output, error);
        if (status) return status;
        if (i == 0) write_csv(figure, output.file);
        if (i == 1) write_tsv(figure, output.file);
        if (i == 2) write_script(figure, tsv, output.file);
        status = anl_output_finish(&output, error);
    }
    return status;
}

enum anl_status figure_write(const char *directory, const struct plan *plan,
                             const struct results *results, uint32_t number,
                             struct anl_error *error)
{
    const struct figure figure = gather(plan, results, number);
    const enum anl_status status = write_texts(directory, &figure, error);
    return status ? status : write_svg(directory, &figure, error);
}
