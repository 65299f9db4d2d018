// SPDX-License-Identifier: Apache-2.0

#include "sweep.h"

#include <annelid/predict.h>
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum {
    MOST_HIGHS = 64,  // more than a load has digits
    CONFIRM_TIMES = 4
};

// Bounds of the saturation load of a variant with a seed.
struct bounds {
    uint64_t low, high;  // high is above load 1 while no upper bound is known
    bool unreached, stalled;
    uint64_t runs;  // that were needed
};

// Where a search begins: at this load, with steps of this part of the load, which double.
struct start {
    uint64_t load;
    double step;
};

struct search {
    struct sweep_runs *runs;
    double tolerance;
    struct start *starts;   // [variants]
    struct bounds *bounds;  // [variants * seeds]
    bool only_first;        // the first seed of each variant is searched, else the other ones
};

static bool is_found(const struct search *search, struct bounds bounds)
{
    const double length = (double)(bounds.high - bounds.low);
    return bounds.high - bounds.low <= 1 || length <= search->tolerance * (double)bounds.high;
}

// Returns the fraction of a bisection that is done.
static double progress_of(const struct search *search, struct bounds bounds)
{
    if (is_found(search, bounds)) return 1;
    const double high = fmin((double)bounds.high, 2 * (double)SWEEP_LOAD_1);
    const double left = log2((high - (double)bounds.low) / (search->tolerance * high));
    return 1 - left / (1 + log2(1 / search->tolerance));
}

// Returns the load to try next, from the start in growing steps until there are two bounds. Then
// the interval between them is halved.
static uint64_t next_load(struct bounds bounds, struct start *start)
{
    const double by = 1 + start->step;
    if (bounds.low > 0 && bounds.high <= SWEEP_LOAD_1)
        return bounds.low + (bounds.high - bounds.low) / 2;
    if (bounds.low == 0 && bounds.high > SWEEP_LOAD_1) return start->load;
    start->step = fmin(1, 2 * start->step);
    if (bounds.low == 0) return (uint64_t)((double)bounds.high / by);
    return (uint64_t)fmin((double)bounds.low * by, (double)SWEEP_LOAD_1);
}

// The search of one task, and the loads that seemed to be beyond saturation, each below the one
// before.
struct descent {
    struct bounds bounds;
    struct start start;
    uint64_t highs[MOST_HIGHS];
    size_t count;
};

static void go_below(struct descent *descent, uint64_t load)
{
    assert(descent->count < MOST_HIGHS);
    descent->highs[descent->count++] = load;
    descent->bounds.high = load;
}

// Is called when the last of these loads was a false alarm: the search goes on between it and the
// one before.
static void go_back_above(struct descent *descent)
{
    descent->bounds.low = descent->highs[--descent->count];
    descent->bounds.high = descent->count ? descent->highs[descent->count - 1] : UINT64_MAX;
}

// Returns the run that the search of a task asks for next. A backlog also grows by chance, so a
// longer run must confirm the upper bound in the end: otherwise one false alarm would spoil the
// whole search.
static struct sweep_task next_run(const struct search *search, size_t task, struct descent *descent)
{
    const struct sweep_list *seeds = search->runs->seeds;
    const bool confirms = is_found(search, descent->bounds);
    const uint64_t load =
        confirms ? descent->bounds.high : next_load(descent->bounds, &descent->start);
    return (struct sweep_task){task / seeds->count, load, seeds->values[task % seeds->count],
                               confirms ? CONFIRM_TIMES : 1};
}

// Goes on with what a run was found to be. Returns whether the search is over.
static bool learn(struct descent *descent, const struct sweep_task *run, bool beyond)
{
    const bool confirms = run->brief > 1;
    if (confirms && !beyond)
        go_back_above(descent);
    else if (beyond && !confirms)
        go_below(descent, run->load);
    else if (!beyond)
        descent->bounds.low = run->load;
    descent->bounds.unreached = descent->bounds.low == SWEEP_LOAD_1;
    return (confirms && beyond) || descent->bounds.unreached;
}

// --- runs that are asked for together ---
//
// A search asks for one run after the other, and so leaves most slots of a batch empty. So it asks
// for the two runs as well of which the next one will be asked for, whatever is found now. This
// pays where the searches of all seeds of a variant, which are under way together, share a batch; a
// run to confirm an upper bound is too long to be made in vain. The answers that no search needs
// are kept in the journal, and nothing else depends on them.

// Returns true if all runs that the searches of a variant may ask for together fit a batch.
static bool foresees(const struct search *search, const struct sweep_task *run)
{
    const size_t runs = SWEEP_AT_ONCE * (search->runs->seeds->count - 1);
    const double load = sweep_load_number(run->load) * (double)runs;
    return run->brief == 1 && !search->only_first && !sweep_team() && runs <= POOL_SLOTS &&
           pool_shares(search->runs->engine, &search->runs->variants->list[run->variant].scenario,
                       runs, load);
}

// Fills runs[SWEEP_AT_ONCE] with a run and those that may be asked for next. Returns how many.
static size_t foresee(const struct search *search, size_t task, const struct descent *descent,
                      const struct sweep_task *run, struct sweep_task *runs)
{
    size_t count = 1;
    runs[0] = *run;
    for (int beyond = 0; beyond < 2 && foresees(search, run); beyond++) {
        struct descent after = *descent;
        if (learn(&after, run, beyond)) continue;
        runs[count] = next_run(search, task, &after);
        count += runs[count].brief == 1 && !sweep_runs_known(search->runs, &runs[count]);
    }
    return count;
}

static enum anl_status take_step(const struct search *search, size_t task, struct descent *descent,
                                 struct pool_worker *worker, bool *done, struct anl_error *error)
{
    struct sweep_task runs[SWEEP_AT_ONCE];
    const struct sweep_task run = next_run(search, task, descent);
    const size_t count = foresee(search, task, descent, &run, runs);
    const char *state;
    const enum anl_status status =
        sweep_runs_find(search->runs, runs, count, worker, &state, error);
    if (status) return status;
    const bool stalled = strcmp(state, sweep_state_name(SWEEP_STALLED)) == 0;
    descent->bounds.runs++;
    descent->bounds.stalled |= stalled;
    *done = learn(descent, &run, stalled || strcmp(state, sweep_state_name(SWEEP_SATURATED)) == 0);
    return ANL_OK;
}

// Returns the task with this number in a pool: the first seed of each variant, or all other seeds.
static size_t task_of(const struct search *search, size_t number)
{
    const size_t seeds = search->runs->seeds->count;
    if (search->only_first) return number * seeds;
    return number / (seeds - 1) * seeds + 1 + number % (seeds - 1);
}

static enum anl_status bisect(void *user, size_t number, struct pool_worker *worker,
                              struct anl_error *error)
{
    const struct search *search = user;
    const size_t task = task_of(search, number);
    struct descent descent = {.bounds = {.high = UINT64_MAX},
                              .start = search->starts[task / search->runs->seeds->count]};
    enum anl_status status = ANL_OK;
    for (bool done = false; !status && !done;) {
        status = take_step(search, task, &descent, worker, &done, error);
        pool_progress(worker, progress_of(search, descent.bounds));
    }
    search->bounds[task] = descent.bounds;
    return status;
}

// --- starts ---
//
// The first seed of a variant starts at the predicted saturation load, the other seeds at the one
// that the first seed found. Where nothing is predicted, the first one starts far below.

enum { STEPS = 4 };  // a first step is so many tolerances

static struct start start_at(const struct search *search, double load)
{
    const double nearest = fmax(1, fmin(load * (double)SWEEP_LOAD_1, (double)SWEEP_LOAD_1));
    return (struct start){(uint64_t)nearest, fmin(1, STEPS * search->tolerance)};
}

static enum anl_status predict(struct search *search, struct anl_error *error)
{
    const struct sweep_variants *variants = search->runs->variants;
    for (size_t i = 0; i < variants->count; i++) {
        struct anl_predictor predictor;
        const enum anl_status status =
            anl_predictor_create(&variants->list[i].scenario, &predictor, NULL);
        if (status == ANL_ERR_MEMORY) return cli_fail(status, error);
        search->starts[i] =
            status ? (struct start){SWEEP_LOAD_1 / 16, 1} : start_at(search, predictor.saturation);
        anl_predictor_free(&predictor);
    }
    return ANL_OK;
}

static void start_from_first(struct search *search)
{
    for (size_t i = 0; i < search->runs->variants->count; i++) {
        const struct bounds *first = &search->bounds[i * search->runs->seeds->count];
        const double low = sweep_load_number(first->low);
        const double high = first->unreached ? low : sweep_load_number(first->high);
        search->starts[i] = start_at(search, (low + high) / 2);
    }
}

static enum anl_status find(struct search *search, bool only_first, unsigned workers,
                            struct anl_error *error)
{
    const size_t variants = search->runs->variants->count, seeds = search->runs->seeds->count;
    const struct pool_work work = {.what = "searching",
                                   .unit = "saturation loads",
                                   .tasks = variants * (only_first ? 1 : seeds - 1),
                                   .workers = workers,
                                   .remote = sweep_remote(workers),
                                   .run = bisect,
                                   .user = search,
                                   .at_the_end = "draining",
                                   .engine = search->runs->engine};
    search->only_first = only_first;
    return work.tasks ? pool_run(&work, error) : ANL_OK;
}

// --- means ---

// Returns the mean over the seeds. values is room for one value a seed.
static struct sweep_saturation mean_of(const struct bounds *bounds, size_t count, double *values)
{
    struct sweep_saturation result = {.seeds = count};
    double lengths = 0;
    for (size_t i = 0; i < count; i++) {
        const double low = sweep_load_number(bounds[i].low);
        const double high = bounds[i].unreached ? low : sweep_load_number(bounds[i].high);
        values[i] = (low + high) / 2;
        lengths += high - low;
        result.unreached += bounds[i].unreached;
        result.stalled += bounds[i].stalled;
        result.runs += bounds[i].runs;
    }
    const struct sample mean = sample_of(values, count);
    result.load = mean.mean;
    result.half_width = result.unreached ? NAN : mean.half_width + lengths / (double)count / 2;
    return result;
}

enum anl_status sweep_saturation_find(struct sweep_runs *runs, double tolerance, unsigned workers,
                                      struct sweep_saturation *saturation, struct anl_error *error)
{
    const size_t seeds = runs->seeds->count, variants = runs->variants->count;
    struct search search = {.runs = runs, .tolerance = tolerance};
    search.bounds = calloc(variants * seeds, sizeof *search.bounds);
    search.starts = calloc(variants, sizeof *search.starts);
    double *values = calloc(seeds, sizeof *values);
    const bool memory = search.bounds && search.starts && values;
    enum anl_status status = memory ? predict(&search, error) : cli_fail(ANL_ERR_MEMORY, error);
    if (!status) status = find(&search, true, workers, error);
    if (!status) start_from_first(&search);
    if (!status) status = find(&search, false, workers, error);
    for (size_t i = 0; !status && i < runs->variants->count; i++)
        saturation[i] = mean_of(&search.bounds[i * seeds], seeds, values);
    free(search.bounds);
    free(search.starts);
    free(values);
    return status;
}

// --- the file ---
//
// The file names the CSV file beside it by its hash, so that saturation loads are never shown with
// the rows of another sweep.

enum { HASH_BYTES = 17 };

struct row {
    struct sweep_saturation found;
    double tolerance;
    uint64_t cycles;
    const char *rows_hash;  // "": there is no CSV file
    const char *program, *command;
};

static const struct sweep_column columns[] = {
    {"saturation", SWEEP_LOAD, offsetof(struct row, found.load)},
    {"half_width", SWEEP_REAL, offsetof(struct row, found.half_width)},
    {"seeds", SWEEP_INTEGER, offsetof(struct row, found.seeds)},
    {"unreached", SWEEP_INTEGER, offsetof(struct row, found.unreached)},
    {"stalled", SWEEP_INTEGER, offsetof(struct row, found.stalled)},
    {"tolerance", SWEEP_REAL, offsetof(struct row, tolerance)},
    {"cycles", SWEEP_INTEGER, offsetof(struct row, cycles)},
    {"rows_xxh3", SWEEP_TEXT, offsetof(struct row, rows_hash)},
    {"program", SWEEP_TEXT, offsetof(struct row, program)},
    {"command", SWEEP_TEXT, offsetof(struct row, command)},
};
enum { NUM_COLUMNS = sizeof columns / sizeof *columns };

char *sweep_saturation_path(const char *csv)
{
    const size_t stem = strlen(csv) - (cli_ends_in(csv, ".csv") ? strlen(".csv") : 0);
    char *path = NULL;
    return asprintf(&path, "%.*s.saturation.csv", (int)stem, csv) < 0 ? NULL : path;
}

static void write_hash(const struct sweep_points *rows, char text[HASH_BYTES])
{
    *text = '\0';
    if (rows) snprintf(text, HASH_BYTES, "%016" PRIx64, rows->hash);
}

// --- writing ---

enum anl_status sweep_saturation_write(const char *path, const struct sweep_variants *variants,
                                       const struct sweep_search *search, struct anl_error *error)
{
    struct anl_output output;
    char hash[HASH_BYTES];
    const enum anl_status status = anl_output_open(path, &output, error);
    if (status) return status;
    write_hash(search->rows, hash);
    sweep_variants_write_head(output.file, variants, search->given);
    sweep_variants_write(output.file, variants, NULL);
    sweep_columns_write_names(output.file, columns, NUM_COLUMNS);
    for (size_t i = 0; i < variants->count; i++) {
        const struct sweep_variant *variant = &variants->list[i];
        const struct row row = {
            search->found[i], search->tolerance, variant->scenario.run.cycles, hash,
            search->program,  search->command};
        fputs("\r\n", output.file);
        sweep_variants_write(output.file, variants, variant);
        sweep_columns_write(output.file, columns, NUM_COLUMNS, &row);
    }
    fputs("\r\n", output.file);
    return anl_output_finish(&output, error);
}

// --- reading ---

struct reading {
    struct csv csv;
    const struct sweep_points *rows;
    struct sweep_saturation_record *record;
    struct anl_error *error;
};

static enum anl_status refuse(const struct reading *reading, const char *what)
{
    return anl_fail(reading->error, ANL_ERR_FORMAT, reading->csv.file, reading->csv.record_line,
                    "%s: not what a sweep found", what);
}

// Reads the header, whose keys must be those of the rows.
static enum anl_status read_header(struct reading *reading)
{
    const struct sweep_points *rows = reading->rows;
    char *const *names = reading->csv.fields;
    enum anl_status status;
    if (!csv_next(&reading->csv, &status, reading->error))
        return status ? status : refuse(reading, "the file is empty");
    reading->record->foreign = true;
    if (reading->csv.num_fields != rows->num_keys + NUM_COLUMNS) return ANL_OK;
    for (size_t i = 0; i < rows->num_keys; i++)
        if (strcmp(*names++, rows->keys[i]) != 0) return ANL_OK;
    reading->record->foreign = false;
    for (size_t i = 0; i < NUM_COLUMNS; i++)
        if (strcmp(names[i], columns[i].name) != 0) return refuse(reading, "unknown columns");
    return ANL_OK;
}

static enum anl_status read_row(struct reading *reading)
{
    const struct sweep_points *rows = reading->rows;
    struct sweep_saturation_record *record = reading->record;
    char *const *cells = reading->csv.fields, hash[HASH_BYTES];
    struct row row;
    if (reading->csv.num_fields != rows->num_keys + NUM_COLUMNS)
        return refuse(reading, "a row of another length");
    if (sweep_columns_read(cells + rows->num_keys, columns, NUM_COLUMNS, &row) < NUM_COLUMNS ||
        isnan(row.found.load) || row.found.unreached > row.found.seeds ||
        row.found.stalled > row.found.seeds)
        return refuse(reading, "a number is wrong");
    write_hash(rows, hash);
    record->foreign |= strcmp(row.rows_hash, hash) != 0;
    // What belongs to no curve of the rows is kept behind those of the curves.
    record->found[sweep_points_curve(rows, cells)] = row.found;
    if (record->command) return ANL_OK;
    record->program = strdup(row.program);
    record->command = strdup(row.command);
    return record->program && record->command ? ANL_OK : cli_fail(ANL_ERR_MEMORY, reading->error);
}

static enum anl_status read_all(struct reading *reading)
{
    struct sweep_saturation_record *record = reading->record;
    enum anl_status status = read_header(reading);
    record->found = calloc(reading->rows->num_curves + 1, sizeof *record->found);
    if (!status && !record->found) status = cli_fail(ANL_ERR_MEMORY, reading->error);
    while (!status && !record->foreign && csv_next(&reading->csv, &status, reading->error))
        status = read_row(reading);
    return status;
}

enum anl_status sweep_saturation_read(const char *csv, const struct sweep_points *rows,
                                      struct sweep_saturation_record *record,
                                      struct anl_error *error)
{
    struct reading reading = {.rows = rows, .record = record, .error = error};
    char *path = sweep_saturation_path(csv), *text = NULL;
    *record = (struct sweep_saturation_record){0};
    reading.csv = (struct csv){.file = path ? path : csv, .line = 1};
    enum anl_status status = path ? ANL_OK : cli_fail(ANL_ERR_MEMORY, error);
    if (!status && access(path, F_OK) == 0) {
        status = csv_text(path, &text, error);
        reading.csv.at = text;
        if (!status) status = read_all(&reading);
    }
    free(text);
    free(path);
    if (!status && !record->foreign) return ANL_OK;
    const bool foreign = !status;
    sweep_saturation_record_free(record);
    record->foreign = foreign;
    return status;
}

void sweep_saturation_record_free(struct sweep_saturation_record *record)
{
    free(record->found);
    free(record->program);
    free(record->command);
    *record = (struct sweep_saturation_record){0};
}
