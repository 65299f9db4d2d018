// SPDX-License-Identifier: Apache-2.0
//
// Runs: the figures that they report against a count of every worm that this test keeps, the four
// ways in which a run can end, and that referee, trace and digest see the same run.

#include "unit.h"

#include <annelid/network.h>
#include <annelid/run.h>
#include <annelid/workload.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct anl_scenario parse(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "inline", "", &scenario, &error))
        fail_msg("line %u: %s", (unsigned)error.line, error.text);
    return scenario;
}

static const char *const busy =
    "network: {topology: torus, k: 4, n: 2}\n"
    "switch: {num_vcs: 2, depth: 4}\n"
    "traffic: {process: bernoulli, pattern: uniform, load: 0.25, length: [1, 4, 9]}\n"
    "run: {seed: 3, cycles: 600, warmup_cycles: 100}\n";

// Moves are decided from the root down and recorded from the lowest link up.
static const char *const busy_tree =
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, depth: 4, routing: up_down_fixed, arbiter: farthest, credits: bypass}\n"
    "traffic: {process: bernoulli, pattern: uniform, load: 0.25, length: [1, 4, 9]}\n"
    "run: {seed: 3, cycles: 600, warmup_cycles: 100}\n";

// ---------------------------------------------------------------- the same run, counted by hand

enum { WINDOW = 70, MOST_WINDOWS = 100, MOST_LINKS = 1000 };

struct count {
    uint64_t latency[100000];
    size_t measured;
    uint64_t cycles, created, ejected, flits;
    struct anl_window windows[MOST_WINDOWS];
    uint64_t links[MOST_LINKS];  // flits in the measured cycles
};

static int ascending(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void count_by_hand(const struct anl_scenario *scenario, struct count *count)
{
    const struct anl_shape shape = anl_shape_of(&scenario->network);
    struct anl_engine *net;
    struct anl_traffic *traffic;
    assert_int_equal(anl_engine_create(&scenario->network, &net), ANL_OK);
    assert_int_equal(anl_traffic_create(anl_scenario_workload(scenario), &traffic), ANL_OK);
    anl_engine_reset(net, scenario->run.seed);
    anl_engine_record(net, true);

    uint64_t worms = 0, delivered = 0;
    for (uint64_t t = 0; worms > delivered || !anl_traffic_done(traffic); t++) {
        const bool in_window = t >= scenario->run.warmup_cycles && t < scenario->run.cycles;
        size_t n;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, t, &n);
        for (size_t i = 0; i < n; i++) {
            anl_engine_enqueue(net, new_worms[i].source, new_worms[i].destination,
                               new_worms[i].length, NULL);
            if (in_window) count->created += new_worms[i].length;
            count->windows[t / WINDOW].created_flits += new_worms[i].length;
        }
        worms += n;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &n);
        count->flits += n;
        for (size_t i = 0; i < n; i++) {
            const uint32_t link = flits[i].link;
            count->links[link] += in_window;
            if (link >= shape.switches * shape.ports) continue;
            const struct anl_end end =
                anl_link_end(&scenario->network, link / shape.ports, link % shape.ports);
            count->ejected += in_window && end.is_terminal;
            count->windows[t / WINDOW].ejected_flits += end.is_terminal;
        }
        const struct anl_worm *done = anl_engine_delivered(net, &n);
        anl_traffic_delivered(traffic, done, n);
        for (size_t i = 0; i < n; i++) {
            count->windows[done[i].created / WINDOW].worms++;
            count->windows[done[i].created / WINDOW].latency += t - done[i].created + 1;
        }
        for (size_t i = 0; i < n; i++)
            if (done[i].created >= scenario->run.warmup_cycles)
                count->latency[count->measured++] = t - done[i].created + 1;
        delivered += n;
        count->cycles = t + 1;
    }
    qsort(count->latency, count->measured, sizeof *count->latency, ascending);
    anl_engine_destroy(net);
    anl_traffic_destroy(traffic);
}

static uint64_t nearest_rank(const struct count *count, double fraction)
{
    const double exact = fraction * (double)count->measured;
    size_t rank = (size_t)exact;
    if ((double)rank < exact) rank++;
    return count->latency[rank ? rank - 1 : 0];
}

static void what_else_is_counted_agrees(const struct count *count,
                                        const struct anl_windows *windows,
                                        const struct anl_latencies *latencies,
                                        const uint64_t *links)
{
    uint64_t measured = 0;
    assert_int_equal(windows->count, (count->cycles + WINDOW - 1) / WINDOW);
    for (size_t i = 0; i < windows->count; i++)
        assert_memory_equal(&windows->at[i], &count->windows[i], sizeof windows->at[i]);
    for (size_t i = 0; i < latencies->size; i++)
        for (uint64_t j = 0; j < latencies->count[i]; j++)
            assert_int_equal(count->latency[measured++], i);
    assert_int_equal(measured, count->measured);
    for (size_t i = 0; i < MOST_LINKS; i++)  // the count is added to what was there
        assert_int_equal(links[i], count->links[i] + 7);
}

static void figures_agree(const char *text)
{
    struct anl_scenario scenario = parse(text);
    struct count *count = calloc(1, sizeof *count);
    struct anl_run_result result;
    struct anl_windows windows = {.cycles = WINDOW};
    struct anl_latencies latencies;
    uint64_t links[MOST_LINKS];
    const struct anl_run_options options = {.digest = true,
                                            .referee = true,
                                            .windows = &windows,
                                            .latencies = &latencies,
                                            .link_flits = links};

    for (size_t i = 0; i < MOST_LINKS; i++)
        links[i] = 7;
    count_by_hand(&scenario, count);
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_COMPLETE);
    assert_int_equal(result.violation.rule, ANL_RULE_NONE);
    assert_int_equal(result.cycles, count->cycles);
    assert_int_equal(result.totals.flit_hops, count->flits);
    assert_int_equal(result.measured, count->measured);
    assert_true(count->measured > 300);
    double sum = 0;
    for (size_t i = 0; i < count->measured; i++)
        sum += (double)count->latency[i];
    assert_true(fabs(result.latency_mean - sum / (double)count->measured) < 1e-9);
    assert_int_equal(result.latency_min, count->latency[0]);
    assert_int_equal(result.latency_p50, nearest_rank(count, 0.50));
    assert_int_equal(result.latency_p95, nearest_rank(count, 0.95));
    assert_int_equal(result.latency_p99, nearest_rank(count, 0.99));
    assert_int_equal(result.latency_max, count->latency[count->measured - 1]);
    assert_true(fabs(result.offered_load - (double)count->created / 500 / 16) < 1e-12);
    assert_true(fabs(result.accepted_load - (double)count->ejected / 500 / 16) < 1e-12);
    what_else_is_counted_agrees(count, &windows, &latencies, links);
    free(windows.at);
    free(latencies.count);
    free(count);
    anl_scenario_free(&scenario);
}

static void figures_agree_with_a_count_by_hand(void **state)
{
    (void)state;
    figures_agree(busy);
    figures_agree(busy_tree);
}

// ---------------------------------------------------------------- saturation, counted by hand

// What docs/run.md says of the backlog ("Saturated"), from the flits of each cycle. A load window
// has `width` cycles; those from `first` on and before `count` are looked at.
static void expect_backlog(const struct anl_window *cycle, uint64_t width, uint64_t first,
                           uint64_t count, const struct anl_backlog *backlog)
{
    const uint64_t half = first + (count - first) / 2, quarter = half + (count - half) / 2;
    double level = 0, created = 0, left = 0, most = -INFINITY, sum = 0;
    for (uint64_t t = 0; t < count * width; t++) {
        const uint64_t window = t / width;
        const double more = (double)cycle[t].created_flits - (double)cycle[t].ejected_flits;
        level += more;
        if (window >= half) created += (double)cycle[t].created_flits;
        if (window >= half) left += more;
        if (t % width != width - 1 || window < half) continue;
        if (window < quarter) most = fmax(most, level);
        if (window >= quarter) sum += level;
    }
    assert_true(fabs(backlog->left_behind - (created > 0 ? left / created : 0)) < 1e-9);
    assert_int_equal(backlog->grows,
                     left > 0.01 * created && sum / (double)(count - quarter) > most);
}

// Returns whether the backlog grew.
static bool check_saturation(uint64_t cycles, uint64_t warmup, uint64_t width, double load,
                             uint64_t seed)
{
    struct anl_scenario scenario = parse(busy);
    struct anl_windows windows = {.cycles = 1};
    struct anl_run_result result;
    struct anl_error error;
    const struct anl_run_options options = {.windows = &windows};
    scenario.run.cycles = cycles;
    scenario.run.warmup_cycles = warmup;
    scenario.run.seed = seed;
    scenario.traffic.load = load;
    if (anl_run(&scenario, &options, &result, &error)) fail_msg("%s", error.text);
    const uint64_t least = warmup > cycles / 10 ? warmup : cycles / 10;
    const uint64_t first = (least + width - 1) / width, count = cycles / width;
    assert_int_equal(result.saturation_known, count >= first + 8);
    if (result.saturation_known) expect_backlog(windows.at, width, first, count, &result.backlog);
    free(windows.at);
    anl_scenario_free(&scenario);
    return result.backlog.grows;
}

static void saturation_is_that_of_the_measured_cycles(void **state)
{
    (void)state;
    uint32_t grown = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        grown += check_saturation(150, 0, 1, 0.6, seed);
        grown += check_saturation(1000, 100, 5, 0.6, seed);
    }
    assert_true(grown > 5 && grown < 75);
    assert_true(check_saturation(1999, 250, 9, 0.95, 1));
    assert_false(check_saturation(1999, 250, 9, 0.1, 1));
    check_saturation(20, 12, 1, 0.5, 1);
    check_saturation(20, 13, 1, 0.5, 1);
}

// ---------------------------------------------------------------- cycles in which nothing happens

enum { EVERY = 30 };

static bool look_in_time(void *user, const struct anl_engine *net)
{
    uint64_t *looks = user;
    assert_int_equal(anl_engine_cycle(net), ++*looks * EVERY);
    return true;
}

// Returns the processor time of all threads, in seconds.
static double seconds_used(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct anl_run_result run_with(const struct anl_scenario *scenario, bool record,
                                      struct anl_windows *windows)
{
    uint64_t looks = 0;
    struct anl_run_result result;
    const struct anl_run_options options = {.record = record,
                                            .windows = windows,
                                            .progress_cycles = EVERY,
                                            .progress = look_in_time,
                                            .user = &looks};
    const double begin = seconds_used();
    assert_int_equal(anl_run(scenario, &options, &result, NULL), ANL_OK);
    const double used = seconds_used() - begin;
    assert_int_equal(looks, result.cycles / EVERY);
    assert_true(result.cpu_seconds > 0 && result.cpu_seconds < used + 1e-6);
    result.cpu_seconds = 0;
    return result;
}

static bool count_flits(void *user, const struct anl_engine *engine)
{
    size_t count;
    anl_engine_flits(engine, &count);
    *(uint64_t *)user += count;
    return true;
}

static void flits_are_recorded_if_asked_for(void **state)
{
    (void)state;
    struct anl_scenario scenario = parse("network: {topology: mesh, k: 3, n: 2}\n"
                                         "traffic: {load: 0.2, length: 3}\nrun: {cycles: 200}\n");
    for (int record = 0; record < 2; record++) {
        uint64_t flits = 0;
        struct anl_run_result result;
        const struct anl_run_options options = {
            .record = record == 1, .progress_cycles = 1, .progress = count_flits, .user = &flits};
        assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
        assert_true(result.totals.flit_hops > 0);
        assert_int_equal(flits, record ? result.totals.flit_hops : 0);
    }
    anl_scenario_free(&scenario);
}

// Idle cycles are stepped one by one only if the user is shown every cycle.
static void skipped_cycles_change_nothing(void **state)
{
    (void)state;
    static const char *const traffic[] = {
        "traffic: {load: 0.003, length: 3}\nrun: {cycles: 9000, warmup_cycles: 1234}",
        "traffic: {load: 0.002, length: 3}\nrun: {cycles: 700, warmup_cycles: 600}",
        "traffic: {load: 0, length: 3}\nrun: {cycles: 700}",
        "traffic: {process: bursty, load: 0.001, burst_cycles: 40, length: 3}\nrun: {cycles: 9000}",
        ("traffic: {process: batch, delays: 10, delay_cycles: 90, worms_per_terminal: 1}\n"
         "run: {max_cycles: 500}"),
        "traffic: {process: request_reply, worms_per_terminal: 3, length: 2}\nrun: {seed: 1}",
    };
    enum { KINDS = sizeof traffic / sizeof *traffic, SEEDS = 20 };
    for (size_t i = 0; i < KINDS * SEEDS; i++) {
        char text[300];
        struct anl_windows skipped = {.cycles = 100}, shown = {.cycles = 100};
        snprintf(text, sizeof text, "network: {topology: mesh, k: 3, n: 2}\n%s\n",
                 traffic[i % KINDS]);
        struct anl_scenario scenario = parse(text);
        scenario.run.seed = i / KINDS;
        const struct anl_run_result quick = run_with(&scenario, false, &skipped);
        const struct anl_run_result slow = run_with(&scenario, true, &shown);
        assert_memory_equal(&quick, &slow, sizeof quick);
        assert_int_equal(skipped.count, shown.count);
        assert_memory_equal(skipped.at, shown.at, shown.count * sizeof *shown.at);
        free(skipped.at);
        free(shown.at);
        anl_scenario_free(&scenario);
    }
}

// ---------------------------------------------------------------- how runs end

static bool stop_at_200(void *user, const struct anl_engine *net)
{
    (void)user;
    return anl_engine_cycle(net) < 200;
}

static void runs_end_in_four_ways(void **state)
{
    (void)state;
    struct anl_run_options options = {.referee = true};
    struct anl_run_result result;
    struct anl_scenario scenario = parse(busy);

    scenario.run.max_cycles = 300;
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_MAX_CYCLES);
    assert_int_equal(result.cycles, 300);
    assert_int_equal(result.violation.rule, ANL_RULE_NONE);

    options.progress = stop_at_200;
    options.progress_cycles = 50;
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_STOPPED);
    assert_int_equal(result.cycles, 200);
    anl_scenario_free(&scenario);

    scenario = parse(
        "network: {topology: unidirectional_torus, k: 4, n: 1, unsafe: true}\n"
        "switch: {routing: dimension_order, depth: 2}\n"
        "traffic: {process: batch, pattern: complement, worms_per_terminal: 8, length: 32}\n");
    options = (struct anl_run_options){.referee = true};
    assert_int_equal(anl_run(&scenario, &options, &result, NULL), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_STALLED);
    assert_int_equal(result.violation.rule, ANL_RULE_NONE);
    assert_int_equal(result.totals.moved, 0);
    assert_true(result.totals.in_network > 0);
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- digest, trace, order

static void digest_is_that_of_the_trace(const char *text)
{
    struct anl_scenario scenario = parse(text);
    char path[] = "/tmp/annelid-test-run-XXXXXX";
    struct anl_run_result plain, shuffled;
    struct anl_run_options options = {.digest = true};
    struct anl_trace_reader *reader;
    struct anl_record record = {0};

    close(mkstemp(path));
    assert_int_equal(
        anl_trace_create(path, ANL_TRACE_BINARY, 3, scenario.text, &options.trace, NULL), ANL_OK);
    assert_int_equal(anl_run(&scenario, &options, &plain, NULL), ANL_OK);
    assert_int_equal(anl_trace_finish(options.trace, plain.cycles, NULL), ANL_OK);

    assert_int_equal(anl_trace_open(path, &reader, NULL), ANL_OK);
    while (record.kind != ANL_RECORD_END || record.cycle == 0)
        assert_int_equal(anl_trace_next(reader, &record, NULL), ANL_OK);
    assert_true(record.digest == plain.digest);
    assert_int_equal(record.flits, plain.totals.flit_hops);
    anl_trace_close(reader);
    unlink(path);

    options.trace = NULL;
    for (uint64_t order = 1; order <= 3; order++) {
        options.shuffle = order;
        assert_int_equal(anl_run(&scenario, &options, &shuffled, NULL), ANL_OK);
        assert_true(shuffled.digest == plain.digest);
    }
    options.shuffle = 0;
    scenario.run.seed++;
    assert_int_equal(anl_run(&scenario, &options, &shuffled, NULL), ANL_OK);
    assert_true(shuffled.digest != plain.digest);
    anl_scenario_free(&scenario);
}

static void digest_is_that_of_the_trace_in_any_order(void **state)
{
    (void)state;
    digest_is_that_of_the_trace(busy);
    digest_is_that_of_the_trace(busy_tree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_agree_with_a_count_by_hand),
        cmocka_unit_test(saturation_is_that_of_the_measured_cycles),
        cmocka_unit_test(flits_are_recorded_if_asked_for),
        cmocka_unit_test(skipped_cycles_change_nothing),
        cmocka_unit_test(runs_end_in_four_ways),
        cmocka_unit_test(digest_is_that_of_the_trace_in_any_order),
    };
    return cmocka_run_group_tests_name("run", tests, NULL, NULL);
}
