// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_BYTES = 96 };

// --- one run ---

static void make_key(char key[KEY_BYTES], const struct sweep_task *task)
{
    char text[SWEEP_LOAD_BYTES], kind[16] = "run";
    sweep_load_text(task->load, text);
    if (task->brief) snprintf(kind, sizeof kind, "brief%u", task->brief);
    snprintf(key, KEY_BYTES, "%s:%zu:%s:%" PRIu64, kind, task->variant, text, task->seed);
}

// Returns the row of a run, which the caller frees with free(); NULL if there is no memory.
static char *make_row(const struct sweep_runs *runs, size_t variant, const struct sweep_run *run)
{
    char *row = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&row, &bytes);
    if (!stream) return NULL;
    sweep_variants_write(stream, runs->variants, &runs->variants->list[variant]);
    sweep_run_write(stream, run);
    if (fclose(stream) == 0) return row;
    free(row);
    return NULL;
}

static const struct sweep_team *the_team;

void sweep_set_team(const struct sweep_team *team) { the_team = team; }

const struct sweep_team *sweep_team(void) { return the_team; }

unsigned sweep_remote(unsigned workers)
{
    const unsigned others = the_team ? the_team->ranks - 1 : 0;
    return others < workers ? others : workers - 1;
}

enum anl_status sweep_runs_measure(const struct sweep_runs *runs, const struct sweep_task *tasks,
                                   size_t count, struct pool_worker *worker, struct sweep_run *made,
                                   struct anl_error *error)
{
    struct sweep_job jobs[SWEEP_AT_ONCE];
    for (size_t i = 0; i < count; i++)
        jobs[i] = (struct sweep_job){.variant = &runs->variants->list[tasks[i].variant].scenario,
                                     .load = sweep_load_number(tasks[i].load),
                                     .seed = tasks[i].seed,
                                     .digest = runs->digest && !tasks[i].brief,
                                     .brief = tasks[i].brief};
    return sweep_measure(jobs, count, worker, made, error);
}

static enum anl_status measure(const struct sweep_runs *runs, const struct sweep_task *tasks,
                               size_t count, struct pool_worker *worker, struct sweep_run *made,
                               struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    if (!the_team) return sweep_runs_measure(runs, tasks, count, worker, made, error);
    for (size_t i = 0; i < count && !status; i++)
        status = the_team->measure(runs, &tasks[i], worker, &made[i], error);
    return status;
}

const char *sweep_runs_known(const struct sweep_runs *runs, const struct sweep_task *task)
{
    char key[KEY_BYTES];
    make_key(key, task);
    return sweep_journal_find(runs->journal, key);
}

static enum anl_status keep(const struct sweep_runs *runs, const struct sweep_task *task,
                            const struct sweep_run *run, struct anl_error *error)
{
    char key[KEY_BYTES];
    make_key(key, task);
    char *text =
        task->brief ? strdup(sweep_state_name(run->state)) : make_row(runs, task->variant, run);
    const enum anl_status status =
        text ? sweep_journal_add(runs->journal, key, text, error) : cli_fail(ANL_ERR_MEMORY, error);
    free(text);
    return status;
}

enum anl_status sweep_runs_find(struct sweep_runs *runs, const struct sweep_task *tasks,
                                size_t count, struct pool_worker *worker, const char **text,
                                struct anl_error *error)
{
    struct sweep_run made[SWEEP_AT_ONCE];
    *text = sweep_runs_known(runs, tasks);
    if (*text) return ANL_OK;
    enum anl_status status = measure(runs, tasks, count, worker, made, error);
    for (size_t i = 0; i < count && !status; i++)
        if (made[i].cycles > 0) status = keep(runs, &tasks[i], &made[i], error);
    *text = sweep_runs_known(runs, tasks);
    return status;
}

// --- all runs ---

// All runs, in the order of the file.
struct all {
    struct sweep_runs *runs;
    struct sweep_task *tasks;
    const char **rows;  // [count]
    size_t count;
};

static enum anl_status run_task(void *user, size_t number, struct pool_worker *worker,
                                struct anl_error *error)
{
    const struct all *all = user;
    return sweep_runs_find(all->runs, &all->tasks[number], 1, worker, &all->rows[number], error);
}

// Returns how long a run may take beside the others; 0 if the journal has it.
static double weight_of(const void *user, size_t number)
{
    const struct all *all = user;
    const struct sweep_task *task = &all->tasks[number];
    const struct sweep_variant *variant = &all->runs->variants->list[task->variant];
    if (sweep_runs_known(all->runs, task)) return 0;
    if (!variant->open) return 1;
    return (double)variant->scenario.run.cycles * (0.05 + sweep_load_number(task->load));
}

static enum anl_status begin(struct all *all, struct anl_error *error)
{
    const struct sweep_variants *variants = all->runs->variants;
    const struct sweep_list *seeds = all->runs->seeds;
    size_t size = 0;
    for (size_t i = 0; i < variants->count; i++)
        size += variants->list[i].loads.count * seeds->count;
    all->tasks = calloc(size, sizeof *all->tasks);
    all->rows = calloc(size, sizeof *all->rows);
    if (!all->tasks || !all->rows) return cli_fail(ANL_ERR_MEMORY, error);
    for (size_t variant = 0; variant < variants->count; variant++) {
        const struct sweep_list *loads = &variants->list[variant].loads;
        for (size_t i = 0; i < loads->count * seeds->count; i++)
            all->tasks[all->count++] = (struct sweep_task){variant, loads->values[i / seeds->count],
                                                           seeds->values[i % seeds->count], 0};
    }
    return ANL_OK;
}

static enum anl_status write_file(const struct all *all, const char *path, struct anl_error *error)
{
    struct anl_output output;
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    sweep_variants_write_head(output.file, all->runs->variants, all->runs->given);
    sweep_variants_write(output.file, all->runs->variants, NULL);
    sweep_run_write_names(output.file, all->runs->digest);
    fputs("\r\n", output.file);
    for (size_t i = 0; i < all->count; i++)
        fprintf(output.file, "%s\r\n", all->rows[i]);
    return anl_output_finish(&output, error);
}

enum anl_status sweep_runs_write(struct sweep_runs *runs, unsigned workers, const char *path,
                                 struct anl_error *error)
{
    struct all all = {.runs = runs};
    enum anl_status status = begin(&all, error);
    const struct pool_work work = {.what = "sweeping",
                                   .unit = "runs",
                                   .tasks = all.count,
                                   .workers = workers,
                                   .remote = sweep_remote(workers),
                                   .weight = weight_of,
                                   .run = run_task,
                                   .user = &all,
                                   .at_the_end = "draining",
                                   .engine = runs->engine};
    if (!status) status = pool_run(&work, error);
    if (!status) status = write_file(&all, path, error);
    free(all.tasks);
    free(all.rows);
    return status;
}
