// SPDX-License-Identifier: Apache-2.0

#include "files.h"
#include "figure.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <stdio.h>

struct files {
    const char *directory;
    const struct plan *plan;
    const struct results *results;
};

static enum anl_status open_file(const struct files *files, const char *name,
                                 struct anl_output *output, struct anl_error *error)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", files->directory, name);
    return anl_output_open(path, NULL, output, error);
}

static void write_runs(const struct files *files, FILE *out)
{
    fputs("series,N,seed,time,cycles,worms,length,c,d,mean_c,load_factor,lower_cycles,"
          "theorem_2_cycles,R,phase_cycles,missed,window_cycles,meet_twice\n",
          out);
    for (size_t i = 0; i < files->results->count; i++) {
        const struct result *result = &files->results->of[i];
        const struct outcome *o = &result->outcome;
        fprintf(out, "%s,%u,%u,%.0f,%" PRIu64 ",%" PRIu64 ",%u,%u,%u,%.4f,%.4f,%" PRIu64 ",",
                result->series->name, 1u << 2 * result->n, result->run + 1, o->time, o->cycles,
                o->worms, o->length, o->congestion, o->dilation, o->mean_congestion, o->load_factor,
                o->lower);
        if (o->upper != UINT64_MAX) fprintf(out, "%" PRIu64, o->upper);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.0f,", o->delays, o->phase_cycles,
                o->missed, o->window_cycles);
        const bool looked = o->upper != UINT64_MAX && result->run < result->series->runs;
        fputs(!looked ? "\n" : o->twice ? "1\n" : "0\n", out);
    }
}

static void write_table(const struct files *files, FILE *out)
{
    fputs("group,quantity,series,N,paper,runs,ours,standard_error,deviation_percent,z,all_runs,"
          "ours_all,z_all,verdict\n",
          out);
    for (size_t i = 0; i < files->plan->num_cells; i++) {
        const struct cell *cell = &files->plan->cells[i];
        const struct cell_verdict j = check_cell(files->results, cell);
        if (j.verdict == VERDICT_NONE) continue;
        fprintf(out, "%s,%s,%s,%u,%g,%zu,%.4f,%.4f,%.2f,%.3f,%zu,%.4f,%.3f,%s\n", cell->group,
                cell->quantity == QUANTITY_TIME ? "time" : "load", cell->series->name,
                1u << 2 * cell->n, cell->paper, j.ours.count, j.ours.mean, j.ours.error,
                j.deviation, j.z, j.all.count, j.all.mean, j.z_all, verdict_name(j.verdict));
    }
}

static void write_claims(const struct files *files, FILE *out)
{
    static const char *const kinds[] = {"gain",     "straight", "power",  "slowdown",
                                        "crowding", "outside",  "missed", "twice"};
    fputs("kind,first,second,N,least,most,value,error,low,high,factor,verdict,sentence\n", out);
    for (size_t i = 0; i < files->plan->num_claims; i++) {
        const struct claim *claim = &files->plan->claims[i];
        const struct claim_verdict j = check_claim(files->plan, files->results, claim);
        if (j.verdict == VERDICT_NONE) continue;
        fprintf(out, "%s,%s,%s,%u,%g,%g,%.6g,%.3g,%.4g,%.4g,%.4g,%s,\"%s\"\n", kinds[claim->kind],
                claim->first, claim->second, claim->n ? 1u << 2 * claim->n : 0, claim->least,
                claim->most, j.value, j.error, j.low, j.high, j.factor, verdict_name(j.verdict),
                claim->sentence);
    }
}

// Mean, deviation and errors of every series at every N.
static void write_series(const struct files *files, FILE *out)
{
    fputs("series,N,runs,mean_time,deviation,standard_error,least,most,mean_c,mean_load_factor,"
          "mean_slowdown\n",
          out);
    for (size_t i = 0; i < files->plan->num_series; i++) {
        const struct series *series = &files->plan->series[i];
        for (uint32_t n = series->least; n <= series->most; n++) {
            const struct results *results = files->results;
            const struct sample t = results_sample(results, series, n, MEASURE_TIME, true);
            if (!t.count) continue;
            fprintf(out, "%s,%u,%zu,%.4f,%.4f,%.4f,%.0f,%.0f,%.4f,%.4f,", series->name, 1u << 2 * n,
                    t.count, t.mean, t.deviation, t.error, t.least, t.most,
                    results_sample(results, series, n, MEASURE_CONGESTION, true).mean,
                    results_sample(results, series, n, MEASURE_LOAD, true).mean);
            if (series->kind == SERIES_WINDOW || series->kind == SERIES_STREAM)
                fprintf(out, "%.4f",
                        results_sample(results, series, n, MEASURE_SLOWDOWN, true).mean);
            fputc('\n', out);
        }
    }
}

static enum anl_status write_figures(const struct files *files, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (uint32_t figure = 1; figure <= 99 && !status; figure++)
        if (figure_exists(files->plan, figure))
            status = figure_write(files->directory, files->plan, files->results, figure, error);
    return status;
}

enum anl_status files_write(const char *directory, const struct plan *plan,
                            const struct results *results, struct anl_error *error)
{
    static const struct {
        const char *name;
        void (*write)(const struct files *files, FILE *out);
    } tables[] = {{"runs.csv", write_runs},
                  {"series.csv", write_series},
                  {"table1.csv", write_table},
                  {"claims.csv", write_claims}};
    const struct files files = {directory, plan, results};
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && !status; i++) {
        struct anl_output output;
        status = open_file(&files, tables[i].name, &output, error);
        if (status) break;
        tables[i].write(&files, output.file);
        status = anl_output_finish(&output, error);
    }
    return status ? status : write_figures(&files, error);
}
