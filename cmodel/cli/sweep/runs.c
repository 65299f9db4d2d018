// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 96 };

// --- one run ---

// Writes the key of a run in the journal.
static void make_key(char key[KEY_BYTES], const char *kind, size_t variant, uint64_t load,
                     uint64_t seed)
{
    char text[SWEEP_LOAD_BYTES];
    sweep_load_text(load, text);
    snprintf(key, KEY_BYTES, "%s:%zu:%s:%" PRIu64, kind, variant, text, seed);
}

// Returns the row of a run, which the caller frees with free(); NULL if there is no memory.
static char *make_row(const struct sweep_runs *runs, size_t variant, const struct sweep_run *run)
{
    char *row = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&row, &bytes);
    if (!stream) return NULL;
    for (size_t i = 0; i < runs->variants->num_keys; i++) {
        csv_write(stream, runs->variants->list[variant].values[i]);
        fputc(',', stream);
    }
    sweep_columns_write(stream, run);
    if (fclose(stream) == 0) return row;
    free(row);
    return NULL;
}

static enum anl_status make_run(struct sweep_runs *runs, size_t variant,
                                const struct sweep_job *job, const char *key,
                                struct pool_worker *worker, struct anl_error *error)
{
    struct sweep_run run;
    enum anl_status status = sweep_measure(job, worker, &run, error);
    if (status) return status;
    char *row = job->brief ? strdup(sweep_state_name(run.state)) : make_row(runs, variant, &run);
    status =
        row ? sweep_journal_add(runs->journal, key, row, error) : cli_fail(ANL_ERR_MEMORY, error);
    free(row);
    return status;
}

enum anl_status sweep_runs_row(struct sweep_runs *runs, size_t variant, uint64_t load,
                               uint64_t seed, struct pool_worker *worker, const char **row,
                               struct anl_error *error)
{
    const struct sweep_job job = {.variant = &runs->variants->list[variant].scenario,
                                  .load = sweep_load_number(load),
                                  .seed = seed,
                                  .digest = runs->digest};
    char key[KEY_BYTES];
    make_key(key, "run", variant, load, seed);
    *row = sweep_journal_find(runs->journal, key);
    if (*row) return ANL_OK;
    const enum anl_status status = make_run(runs, variant, &job, key, worker, error);
    if (!status) *row = sweep_journal_find(runs->journal, key);
    return status || *row ? status : cli_fail(ANL_ERR_MEMORY, error);
}

enum anl_status sweep_runs_state(struct sweep_runs *runs, size_t variant, uint64_t load,
                                 uint64_t seed, unsigned times, enum sweep_state *state,
                                 struct anl_error *error)
{
    const struct sweep_job job = {.variant = &runs->variants->list[variant].scenario,
                                  .load = sweep_load_number(load),
                                  .seed = seed,
                                  .brief = times};
    char key[KEY_BYTES], kind[16];
    snprintf(kind, sizeof kind, "brief%u", times);
    make_key(key, kind, variant, load, seed);
    const char *name = sweep_journal_find(runs->journal, key);
    if (!name) {
        const enum anl_status status = make_run(runs, variant, &job, key, NULL, error);
        if (status) return status;
        name = sweep_journal_find(runs->journal, key);
    }
    if (!name) return cli_fail(ANL_ERR_MEMORY, error);
    if (sweep_state_read(name, state)) return ANL_OK;
    return anl_fail(error, ANL_ERR_FORMAT, "", 0, "the journal knows no state '%s'", name);
}

// --- all runs ---

struct task {
    size_t variant;
    uint64_t load, seed;
    const char *row;
};

// All runs, in the order of the file.
struct all {
    struct sweep_runs *runs;
    struct task *tasks;
    double *weight;
    size_t count;
};

static enum anl_status run_task(void *user, size_t number, struct pool_worker *worker,
                                struct anl_error *error)
{
    const struct all *all = user;
    struct task *task = &all->tasks[number];
    return sweep_runs_row(all->runs, task->variant, task->load, task->seed, worker, &task->row,
                          error);
}

// Returns how long a run may take beside the others; 0 if the journal has it.
static double weight_of(struct sweep_runs *runs, const struct task *task)
{
    const struct sweep_variant *variant = &runs->variants->list[task->variant];
    char key[KEY_BYTES];
    make_key(key, "run", task->variant, task->load, task->seed);
    if (sweep_journal_find(runs->journal, key)) return 0;
    if (!variant->open) return 1;
    return (double)variant->scenario.run.cycles * (0.05 + sweep_load_number(task->load));
}

static size_t count_runs(const struct sweep_runs *runs)
{
    size_t count = 0;
    for (size_t i = 0; i < runs->variants->count; i++)
        count += runs->variants->list[i].loads.count * runs->seeds->count;
    return count;
}

static enum anl_status begin(struct sweep_runs *runs, struct all *all, struct anl_error *error)
{
    const size_t count = count_runs(runs);
    *all = (struct all){.runs = runs};
    all->tasks = calloc(count, sizeof *all->tasks);
    all->weight = calloc(count, sizeof *all->weight);
    if (!all->tasks || !all->weight) return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t variant = 0; variant < runs->variants->count; variant++) {
        const struct sweep_list *loads = &runs->variants->list[variant].loads;
        for (size_t i = 0; i < loads->count * runs->seeds->count; i++) {
            const uint64_t load = loads->values[i / runs->seeds->count];
            const uint64_t seed = runs->seeds->values[i % runs->seeds->count];
            all->tasks[all->count] = (struct task){variant, load, seed, NULL};
            all->weight[all->count] = weight_of(runs, &all->tasks[all->count]);
            all->count++;
        }
    }
    return ANL_OK;
}

static void end(struct all *all)
{
    free(all->tasks);
    free(all->weight);
}

static void write_rows(const struct all *all, FILE *file)
{
    const struct sweep_variants *variants = all->runs->variants;
    for (size_t i = 0; i < variants->num_keys; i++) {
        csv_write(file, variants->keys[i].name);
        fputc(',', file);
    }
    sweep_columns_write_header(file, all->runs->digest);
    fputs("\r\n", file);
    for (size_t i = 0; i < all->count; i++)
        fprintf(file, "%s\r\n", all->tasks[i].row);
}

static enum anl_status write_file(const struct all *all, const char *path, const char *input,
                                  struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, input, &output, error);
    if (status) return status;
    write_rows(all, output.file);
    return anl_output_finish(&output, error);
}

enum anl_status sweep_runs_write(struct sweep_runs *runs, unsigned workers, const char *path,
                                 const char *input, struct anl_error *error)
{
    struct all all;
    enum anl_status status = begin(runs, &all, error);
    const struct pool_work work = {.what = "sweeping",
                                   .unit = "runs",
                                   .tasks = all.count,
                                   .workers = workers,
                                   .weight = all.weight,
                                   .run = run_task,
                                   .user = &all};
    if (!status) status = pool_run(&work, error);
    if (!status) status = write_file(&all, path, input, error);
    end(&all);
    return status;
}
