// SPDX-License-Identifier: Apache-2.0
//
// Many runs side by side: each is the same as anl_run() makes it alone, whatever runs beside it,
// whichever slot it has and however it ends.

#include "unit.h"

#include <annelid/batch.h>
#include <annelid/network.h>
#include <annelid/run.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const networks[] = {
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 4, depth: 4}\n",
    "network: {topology: torus, k: 5, n: 2}\nswitch: {num_vcs: 2, depth: 3, arbiter: age}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, routing: up_down_fixed, arbiter: farthest}\n",
    "network: {topology: butterfly, k: 2, n: 3}\nswitch: {num_vcs: 1, arbiter: random}\n",
    "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
    "switch: {routing: dimension_order, depth: 2}\n",  // on which runs stall
};

// Traffic of the n-th run, and how long it lasts.
static const char *const traffics[] = {
    "traffic: {load: 0.%02u, length: [1, 4, 9]}\nrun: {cycles: 300, seed: %u}\n",
    "traffic: {load: 0.%02u, length: 8, pattern: complement}\nrun: {cycles: 500, seed: %u, "
    "warmup_cycles: 50}\n",
    "traffic: {load: 0.%02u, length: 3, process: bursty}\nrun: {cycles: 200, seed: %u}\n",
    "traffic: {process: batch, worms_per_terminal: %u, length: [2, 32]}\nrun: {seed: %u}\n",
    "traffic: {process: request_reply, worms_per_terminal: %u, length: 2, reply_length: 5}\n"
    "run: {seed: %u}\n",
    "traffic: {load: 0.%02u}\nrun: {cycles: 150, seed: %u, max_cycles: 151}\n",
    "traffic: {load: 0.00%02u}\nrun: {cycles: 4000, seed: %u}\n",
};
enum {
    NETWORKS = sizeof networks / sizeof *networks,
    TRAFFICS = sizeof traffics / sizeof *traffics,
    RUNS = 80
};

struct one {
    struct anl_run_job job;  // the first member
    struct anl_scenario scenario;
    struct anl_run_options options;
    struct anl_windows windows;
    struct anl_latencies latencies;
    unsigned ended;
    uint64_t stop_at;  // progress() stops the run there; 0: it does not
};

static bool go_on(void *user, const struct anl_engine *engine)
{
    const struct one *one = user;
    return anl_engine_cycle(engine) != one->stop_at;
}

static void prepare(struct one *one, const char *network, unsigned number)
{
    char text[512];
    struct anl_error error;
    int length = snprintf(text, sizeof text, "%s", network);
    char *rest = text + length;
    const size_t room = sizeof text - (size_t)length;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(rest, room, traffics[number % TRAFFICS], 3 + number % 37, 1 + number / 5);
#pragma GCC diagnostic pop
    if (anl_scenario_parse(text, strlen(text), "inline", "", &one->scenario, &error))
        fail_msg("%s: line %u: %s", text, (unsigned)error.line, error.text);
    one->stop_at = number % 11 == 10 ? 70 + number : 0;
    one->windows.cycles = 40;
    one->options = (struct anl_run_options){
        .windows = &one->windows,
        .latencies = &one->latencies,
        .digest = number % 3 == 0,
        .referee = number % 4 == 0,
        .progress_cycles = 1 + number % 2,
        .progress = go_on,
        .user = one,
    };
    one->job = (struct anl_run_job){.scenario = &one->scenario, .options = &one->options};
}

static void forget(struct one *one)
{
    free(one->windows.at);
    free(one->latencies.count);
    anl_scenario_free(&one->scenario);
}

// --- a queue that does not always have a run ---

struct queue {
    struct one *list;
    size_t next, count;
    unsigned asked;
};

static struct anl_run_job *next(void *user, struct anl_run_left left)
{
    struct queue *queue = user;
    assert_true(left.longest <= left.total && left.total <= 64 * 4000);
    if (queue->asked++ % 5 == 4 || queue->next == queue->count) return NULL;
    return &queue->list[queue->next++].job;
}

static void ended(void *user, struct anl_run_job *job)
{
    (void)user;
    ((struct one *)job)->ended++;
}

// --- the same as alone ---

static void expect_equal(const struct one *many, const struct one *alone, unsigned number)
{
    const struct anl_run_result *a = &many->job.result, *b = &alone->job.result;
    char x[ANL_RUN_LINE_BYTES], y[ANL_RUN_LINE_BYTES];
    assert_int_equal(many->ended, 1);
    assert_int_equal(many->job.status, alone->job.status);
    for (enum anl_run_line line = 0; line < ANL_RUN_LINES; line++) {
        *x = *y = '\0';
        if (line == ANL_LINE_SPEED) continue;
        assert_int_equal(anl_run_line(a, line, x, sizeof x), anl_run_line(b, line, y, sizeof y));
        if (strcmp(x, y) != 0) fail_msg("run %u: %s, alone %s", number, x, y);
    }
    assert_int_equal(a->cycles, b->cycles);
    assert_int_equal(a->digest, b->digest);
    assert_int_equal(a->totals.flit_hops, b->totals.flit_hops);
    assert_int_equal(many->windows.count, alone->windows.count);
    assert_memory_equal(many->windows.at, alone->windows.at,
                        alone->windows.count * sizeof *alone->windows.at);
    assert_int_equal(many->latencies.size, alone->latencies.size);
    if (alone->latencies.size)
        assert_memory_equal(many->latencies.count, alone->latencies.count,
                            alone->latencies.size * sizeof *alone->latencies.count);
}

static void each_run_is_as_it_is_alone(void **state)
{
    (void)state;
    static struct one many[RUNS], alone[RUNS];
    unsigned ends[ANL_RUN_FAULT + 1] = {0};
    for (size_t n = 0; n < NETWORKS; n++) {
        memset(many, 0, sizeof many);
        memset(alone, 0, sizeof alone);
        for (unsigned i = 0; i < RUNS; i++) {
            prepare(&many[i], networks[n], i);
            prepare(&alone[i], networks[n], i);
            assert_true(anl_run_many_can(&many[i].scenario, &many[i].options));
            struct anl_run_job *job = &alone[i].job;
            job->status = anl_run(job->scenario, job->options, &job->result, &job->error);
            ends[job->result.end]++;
        }
        struct queue queue = {.list = many, .count = RUNS};
        const struct anl_run_queue from = {&queue, next, ended};
        assert_int_equal(anl_run_many(&many[0].scenario.network, n % 2 ? 16 : 0, &from), ANL_OK);
        for (unsigned i = 0; i < RUNS; i++) {
            expect_equal(&many[i], &alone[i], i);
            forget(&many[i]);
            forget(&alone[i]);
        }
    }
    assert_true(ends[ANL_RUN_COMPLETE] && ends[ANL_RUN_MAX_CYCLES]);
    assert_true(ends[ANL_RUN_STALLED] && ends[ANL_RUN_STOPPED]);
}

// --- what is left of those under way ---

struct lone {
    struct anl_run_job *job;
    uint64_t asked;
};

// Gives one run, and is asked again beside it and in each cycle behind.
static struct anl_run_job *next_lone(void *user, struct anl_run_left left)
{
    struct lone *lone = user;
    const uint64_t cycles = anl_run_cycles(lone->job), behind = lone->asked - 1;
    const uint64_t expected = lone->asked == 0 || behind >= cycles ? 0 : cycles - behind;
    assert_int_equal(left.longest, expected);
    assert_int_equal(left.total, expected);
    return lone->asked++ == 0 ? lone->job : NULL;
}

// The same of a run whose end is not known.
static struct anl_run_job *next_closed(void *user, struct anl_run_left left)
{
    struct lone *lone = user;
    assert_int_equal(left.longest, 0);
    const bool under_way = lone->asked > 0 && ((struct one *)lone->job)->ended == 0;
    assert_int_equal(left.total, under_way ? anl_run_cycles(lone->job) : 0);
    return lone->asked++ == 0 ? lone->job : NULL;
}

static void what_is_left_of_runs_is_told(void **state)
{
    (void)state;
    static struct one one;
    prepare(&one, networks[0], 0);
    struct lone lone = {.job = &one.job};
    const struct anl_run_queue from = {&lone, next_lone, ended};
    assert_int_equal(anl_run_cycles(&one.job), 300);
    assert_int_equal(anl_run_many(&one.scenario.network, 16, &from), ANL_OK);
    assert_true(lone.asked > 300);
    forget(&one);

    prepare(&one, networks[0], 3);  // 6 worms a terminal, of at most 32 flits
    one.ended = 0;
    lone = (struct lone){.job = &one.job};
    const struct anl_run_queue closed = {&lone, next_closed, ended};
    one.scenario.traffic.delays = 4;
    one.scenario.traffic.delay_cycles = 10;
    assert_int_equal(anl_run_cycles(&one.job), 6 * 32 + 3 * 10);
    assert_int_equal(anl_run_many(&one.scenario.network, 16, &closed), ANL_OK);
    assert_true(lone.asked > 6 * 32);
    one.scenario.traffic.process = ANL_REQUEST_REPLY;
    assert_int_equal(anl_run_cycles(&one.job), 0);
    forget(&one);
}

// --- what cannot be one of many ---

static void what_no_batch_makes_is_told(void **state)
{
    (void)state;
    static struct one one;
    const struct anl_run_options shuffled = {.shuffle = 1};
    prepare(&one, networks[0], 0);
    assert_true(anl_run_many_can(&one.scenario, &one.options));
    assert_false(anl_run_many_can(&one.scenario, &shuffled));
    one.scenario.traffic.lengths[1] = ANL_BATCH_LONGEST_WORM + 1;
    assert_false(anl_run_many_can(&one.scenario, &one.options));
    one.scenario.traffic.lengths[1] = ANL_BATCH_LONGEST_WORM;
    assert_true(anl_run_many_can(&one.scenario, &one.options));
    one.scenario.network.link = ANL_WIDE;
    assert_false(anl_run_many_can(&one.scenario, &one.options));
    struct queue queue = {.list = &one, .count = 1};
    const struct anl_run_queue from = {&queue, next, ended};
    assert_int_equal(anl_run_many(&one.scenario.network, 0, &from), ANL_ERR_ARGUMENT);
    assert_int_equal(queue.asked, 0);
    forget(&one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_is_as_it_is_alone),
        cmocka_unit_test(what_is_left_of_runs_is_told),
        cmocka_unit_test(what_no_batch_makes_is_told),
    };
    return cmocka_run_group_tests_name("run_many", tests, NULL, NULL);
}
