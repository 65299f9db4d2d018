// SPDX-License-Identifier: Apache-2.0
//
// What programs share: tasks over threads, runs that they make, and CSV with remarks. Tables, child
// processes and the CSV of sweeps are seen through the commands (tb/unit/cli).

#include "unit.h"

#include "common/common.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- tasks ---

enum { TASKS = 500 };

struct pad {
    int done[TASKS];
    size_t fails;  // this task and every seventh after it; SIZE_MAX: none
};

static enum anl_status do_task(void *user, size_t task, struct pool_worker *worker,
                               struct anl_error *error)
{
    struct pad *pad = user;
    pad->done[task]++;
    pool_progress(worker, 0.5);
    if (task >= pad->fails && (task - pad->fails) % 7 == 0)
        return anl_fail(error, ANL_ERR_FORMAT, "", 0, "task %zu", task);
    return ANL_OK;
}

static enum anl_status do_tasks(struct pad *pad, unsigned workers, struct anl_error *error)
{
    const struct pool_work work = {
        .what = "", .unit = "", .tasks = TASKS, .workers = workers, .run = do_task, .user = pad};
    return pool_run(&work, error);
}

static void every_task_is_done_once(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers *= 2) {
        struct pad pad = {.fails = SIZE_MAX};
        struct anl_error error = {0};
        assert_int_equal(do_tasks(&pad, workers, &error), ANL_OK);
        for (int i = 0; i < TASKS; i++)
            assert_int_equal(pad.done[i], 1);
    }
}

static void the_first_error_ends_the_tasks(void **state)
{
    (void)state;
    for (unsigned workers = 1; workers <= 8; workers *= 2) {
        struct pad pad = {.fails = 7};
        struct anl_error error = {0};
        assert_int_equal(do_tasks(&pad, workers, &error), ANL_ERR_FORMAT);
        assert_string_equal(error.text, "task 7");
        if (workers == 1) assert_int_equal(pad.done[8], 0);
    }
}

// --- runs ---

enum { RUNS = 40, TOGETHER = 4 };

// Runs that tasks hand in together, a few that no batch can make among them.
struct runs {
    struct anl_scenario *scenarios;  // [RUNS]
    struct anl_run_job *jobs;        // [RUNS]
    size_t together;                 // runs that a task hands in
    size_t needed;                   // of these
};

static const struct anl_run_options no_options;

static enum anl_status make_together(void *user, size_t task, struct pool_worker *worker,
                                     struct anl_error *error)
{
    struct runs *runs = user;
    (void)error;
    pool_make_runs(worker, &runs->jobs[task * runs->together], runs->together, runs->needed);
    return ANL_OK;
}

// So many tasks hand in their runs.
static void hand_in(struct runs *runs, size_t tasks, unsigned workers, enum pool_engine engine)
{
    const struct pool_work work = {.what = "",
                                   .unit = "",
                                   .tasks = tasks,
                                   .workers = workers,
                                   .run = make_together,
                                   .user = runs,
                                   .engine = engine};
    assert_int_equal(pool_run(&work, NULL), ANL_OK);
}

static void read_scenario(const char *text, double load, uint64_t seed,
                          struct anl_scenario *scenario)
{
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "test", NULL, scenario, &error))
        fail_msg("%s", error.text);
    scenario->traffic.load = load;
    scenario->run.seed = seed;
}

static const char mesh[] = "network: {topology: mesh, k: 4, n: 2}\ntraffic: {load: 0.3}\n"
                           "run: {cycles: 300, max_cycles: 600}\n";
static const char turns[] = "network: {topology: mesh, k: 3, n: 2}\n"
                            "switch: {routing: west_first}\ntraffic: {load: 0.3}\n"
                            "run: {cycles: 300, max_cycles: 600}\n";

static void runs_that_are_given_together_are_those_that_were_asked_for(void **state)
{
    (void)state;
    struct anl_scenario scenarios[RUNS];
    struct anl_run_job jobs[RUNS];
    struct runs runs = {scenarios, jobs, TOGETHER, TOGETHER};
    for (unsigned i = 0; i < RUNS; i++)
        read_scenario(i % 5 == 2 ? turns : mesh, 0.01 * (i + 1), 1 + i, &scenarios[i]);
    for (unsigned workers = 1; workers <= 2; workers++) {
        for (unsigned i = 0; i < RUNS; i++)
            jobs[i] = (struct anl_run_job){.scenario = &scenarios[i], .options = &no_options};
        hand_in(&runs, RUNS / TOGETHER, workers, POOL_BATCH);
        for (unsigned i = 0; i < RUNS; i++) {
            struct anl_run_result alone;
            assert_int_equal(anl_run(&scenarios[i], &no_options, &alone, NULL), ANL_OK);
            assert_int_equal(jobs[i].status, ANL_OK);
            alone.cpu_seconds = jobs[i].result.cpu_seconds;
            assert_memory_equal(&jobs[i].result.totals, &alone.totals, sizeof alone.totals);
            assert_int_equal(jobs[i].result.cycles, alone.cycles);
            assert_true(jobs[i].result.latency_mean == alone.latency_mean);
        }
    }
    for (unsigned i = 0; i < RUNS; i++)
        anl_scenario_free(&scenarios[i]);
}

// Two tasks need a run each and hand in three spare ones, which are too few for a batch.
static void spare_runs_are_left_out_where_they_would_be_made_alone(void **state)
{
    (void)state;
    struct anl_scenario scenario;
    struct anl_run_job jobs[2 * TOGETHER];
    struct runs runs = {&scenario, jobs, TOGETHER, 1};
    read_scenario(mesh, 0.9, 1, &scenario);
    for (int engine = POOL_SCALAR; engine <= POOL_BATCH; engine++) {
        for (unsigned i = 0; i < 2 * TOGETHER; i++)
            jobs[i] = (struct anl_run_job){.scenario = &scenario, .options = &no_options};
        hand_in(&runs, 2, 1, (enum pool_engine)engine);
        for (unsigned i = 0; i < 2 * TOGETHER; i++)
            assert_int_equal(jobs[i].result.cycles > 0, i % TOGETHER == 0 || engine == POOL_BATCH);
    }
    anl_scenario_free(&scenario);
}

static void runs_share_a_batch_where_that_pays(void **state)
{
    (void)state;
    struct anl_scenario small, large, alone;
    read_scenario(mesh, 0.3, 1, &small);
    read_scenario(turns, 0.3, 1, &alone);
    read_scenario("network: {topology: mesh, k: 32, n: 2}\nswitch: {num_vcs: 4}\n", 0.3, 1, &large);
    assert_true(pool_shares(POOL_AUTO, &small, 8, 2.4));
    assert_false(pool_shares(POOL_AUTO, &small, 7, 2.4));
    assert_false(pool_shares(POOL_AUTO, &small, 8, 2.39));
    assert_false(pool_shares(POOL_AUTO, &large, 32, 9));
    assert_false(pool_shares(POOL_AUTO, &alone, 32, 9));
    assert_true(pool_shares(POOL_BATCH, &large, 1, 0));
    assert_false(pool_shares(POOL_BATCH, &alone, 32, 9));
    assert_false(pool_shares(POOL_SCALAR, &small, 32, 9));
    anl_scenario_free(&small);
    anl_scenario_free(&large);
    anl_scenario_free(&alone);
}

// Two tasks hand in runs, 8 each: the lower limit of what pays. A run that is made beside others
// has no processor time of its own.
static void runs_that_pay_are_made_side_by_side(void **state)
{
    (void)state;
    enum { EACH = 8, TASKS_OF_RUNS = 2 };
    static const struct {
        const char *text;
        double load;
        bool pays;
    } rows[] = {
        {mesh, 0.3, true},
        {mesh, 0.01, false},
        {"network: {topology: mesh, k: 4, n: 2}\n"
         "traffic: {process: batch, worms_per_terminal: 3, length: 8}\n",
         0.01, true},
        {"network: {topology: mesh, k: 4, n: 2}\n"
         "traffic: {process: batch, worms_per_terminal: 3, length: 8, delays: 2, delay_cycles: "
         "1000}\n",
         0.9, false},
        {"network: {topology: mesh, k: 4, n: 2}\n"
         "traffic: {process: batch, worms_per_terminal: 1, length: 7}\n",
         0.9, false},
        {"network: {topology: mesh, k: 4, n: 2}\n"
         "traffic: {process: request_reply, worms_per_terminal: 3, length: 8}\n",
         0.9, false},
        {turns, 0.9, false},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct anl_scenario scenario;
        struct anl_run_job jobs[EACH * TASKS_OF_RUNS];
        struct runs runs = {&scenario, jobs, EACH, EACH};
        read_scenario(rows[row].text, rows[row].load, 1, &scenario);
        for (unsigned i = 0; i < EACH * TASKS_OF_RUNS; i++)
            jobs[i] = (struct anl_run_job){.scenario = &scenario, .options = &no_options};
        hand_in(&runs, TASKS_OF_RUNS, 1, POOL_AUTO);
        for (unsigned i = 0; i < EACH * TASKS_OF_RUNS; i++) {
            assert_int_equal(jobs[i].result.end, ANL_RUN_COMPLETE);
            assert_int_equal(jobs[i].result.cpu_seconds == 0, rows[row].pays);
        }
        anl_scenario_free(&scenario);
    }
}

// A task hands in runs that pay and spare ones, of another network, that do not: these are left out
// as soon as the others are over.
static void spare_runs_are_not_waited_for(void **state)
{
    (void)state;
    enum { EACH = 11, NEEDED = 8, TASKS_OF_RUNS = 2 };
    struct anl_scenario needed, spare;
    struct anl_run_job jobs[EACH * TASKS_OF_RUNS];
    struct runs runs = {&needed, jobs, EACH, NEEDED};
    read_scenario(mesh, 0.3, 1, &needed);
    read_scenario("network: {topology: mesh, k: 3, n: 2}\nrun: {cycles: 300}\n", 0.3, 1, &spare);
    for (unsigned i = 0; i < EACH * TASKS_OF_RUNS; i++)
        jobs[i] = (struct anl_run_job){.scenario = i % EACH < NEEDED ? &needed : &spare,
                                       .options = &no_options};
    hand_in(&runs, TASKS_OF_RUNS, 1, POOL_AUTO);
    for (unsigned i = 0; i < EACH * TASKS_OF_RUNS; i++)
        assert_int_equal(jobs[i].result.cycles > 0, i % EACH < NEEDED);
    anl_scenario_free(&needed);
    anl_scenario_free(&spare);
}

// --- CSV ---

static void remarks_empty_lines_and_blanks_are_skipped(void **state)
{
    (void)state;
    char text[] = "# remark, with \"\n\r\na,\"b, \"\"c\"\"\",#d\r\n\n# end";
    struct csv csv = {.file = "f", .at = text, .line = 1};
    struct anl_error error = {0};
    enum anl_status status;
    assert_true(csv_next(&csv, &status, &error));
    assert_int_equal(csv.num_fields, 3);
    assert_int_equal(csv.record_line, 3);
    assert_string_equal(csv.fields[1], "b, \"c\"");
    assert_string_equal(csv.fields[2], "#d");
    assert_false(csv_next(&csv, &status, &error));
    assert_int_equal(status, ANL_OK);

    char with_cr[] = "# remark, \"\r\r# another\ra,b\rc\r";
    csv = (struct csv){.file = "f", .at = with_cr, .line = 1};
    assert_true(csv_next(&csv, &status, &error) && csv.num_fields == 2 && csv.record_line == 4);
    assert_true(csv_next(&csv, &status, &error) && strcmp(csv.fields[0], "c") == 0);
    assert_false(csv_next(&csv, &status, &error));

    char blanks[] = "  # remark\n \t\n a ,\"  b \" , c d\t\n \n";
    csv = (struct csv){.file = "f", .at = blanks, .line = 1};
    assert_true(csv_next(&csv, &status, &error) && csv.num_fields == 3 && csv.record_line == 3);
    assert_string_equal(csv.fields[0], "a");
    assert_string_equal(csv.fields[1], "  b ");
    assert_string_equal(csv.fields[2], "c d");
    assert_false(csv_next(&csv, &status, &error));
    assert_int_equal(status, ANL_OK);
}

// What a reader would skip or cut is written in quotes.
static void fields_are_read_as_they_were_written(void **state)
{
    (void)state;
    static const char *const fields[] = {"#x", " y", "z\t", "a b", "", "\"", "1,2"};
    enum { NUM = sizeof fields / sizeof *fields };
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    for (size_t i = 0; i < NUM; i++) {
        if (i) fputc(',', stream);
        csv_write(stream, fields[i]);
    }
    fclose(stream);
    struct csv csv = {.file = "f", .at = text, .line = 1};
    enum anl_status status;
    assert_true(csv_next(&csv, &status, NULL));
    assert_int_equal(csv.num_fields, NUM);
    for (size_t i = 0; i < NUM; i++)
        assert_string_equal(csv.fields[i], fields[i]);
    free(text);
}

static void remarks_are_read_as_they_were_written(void **state)
{
    (void)state;
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    csv_remark(stream, "one\ntwo\r\n# three\n");
    fputs("a,b\r\n# none\r\n", stream);
    fclose(stream);
    assert_string_equal(text, "# one\r\n# two\r\n# # three\r\na,b\r\n# none\r\n");
    char *remarks = csv_remarks_of(text);
    assert_string_equal(remarks, "one\ntwo\n# three\n");
    free(remarks);
    free(text);
}

int main(void)
{
    // Threads that wait for each other for ever fail the test.
    alarm(60);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),
        cmocka_unit_test(the_first_error_ends_the_tasks),
        cmocka_unit_test(runs_that_are_given_together_are_those_that_were_asked_for),
        cmocka_unit_test(spare_runs_are_left_out_where_they_would_be_made_alone),
        cmocka_unit_test(runs_share_a_batch_where_that_pays),
        cmocka_unit_test(runs_that_pay_are_made_side_by_side),
        cmocka_unit_test(spare_runs_are_not_waited_for),
        cmocka_unit_test(remarks_empty_lines_and_blanks_are_skipped),
        cmocka_unit_test(fields_are_read_as_they_were_written),
        cmocka_unit_test(remarks_are_read_as_they_were_written),
    };
    return cmocka_run_group_tests_name("common", tests, NULL, NULL);
}
