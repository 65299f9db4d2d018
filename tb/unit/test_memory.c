// SPDX-License-Identifier: Apache-2.0
//
// Memory runs out, at every place at which it can: whoever asks is told ANL_ERR_MEMORY, nothing is
// lost, and with memory it works. The linker lets every allocation of the library come by here
// (--wrap), where those of no bytes return NULL, as they may, and malloc() returns no zeros.

#include "unit_traffic.h"

#include <annelid/net.h>
#include <annelid/random.h>
#include <annelid/referee.h>
#include <annelid/run.h>
#include <annelid/topology.h>
#include <stdio.h>
#include <stdlib.h>

static size_t granted = SIZE_MAX;  // allocations that still succeed
static size_t live;                // that are not freed

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *memory);

static bool grant(void)
{
    if (granted == 0) return false;
    if (granted != SIZE_MAX) granted--;
    return true;
}

static void *noted(void *memory)
{
    live += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    void *memory = size && grant() ? noted(__real_malloc(size)) : NULL;
    return memory ? memset(memory, 0xff, size) : NULL;
}

void *__wrap_calloc(size_t count, size_t size)
{
    return count && size && grant() ? noted(__real_calloc(count, size)) : NULL;
}

void *__wrap_realloc(void *old, size_t size)
{
    if (!grant()) return NULL;
    void *memory = __real_realloc(old, size);
    live += !old && memory;
    return memory;
}

void __wrap_free(void *memory)
{
    live -= memory != NULL;
    __real_free(memory);
}

// Calls action with 0, 1, 2, … allocations granted until that is enough; returns how many it takes.
static size_t starve(enum anl_status (*action)(const void *), const void *what)
{
    const size_t before = live;
    for (size_t enough = 0;; enough++) {
        granted = enough;
        const enum anl_status status = action(what);
        granted = SIZE_MAX;
        if (live != before)
            fail_msg("of %zu allocations %zd are not freed", enough, (ssize_t)(live - before));
        if (status == ANL_OK) return enough;
        if (status != ANL_ERR_MEMORY)
            fail_msg("after %zu allocations: %s", enough, anl_status_text(status));
    }
}

// --- networks ---

static const struct anl_config tree = {.topology = ANL_FAT_TREE,
                                       .k = 4,
                                       .n = 2,
                                       .num_vcs = 2,
                                       .routing = ANL_UP_DOWN_RANDOM,
                                       .space = ANL_CHAINED};

static struct anl_config network(uint32_t i, enum anl_scan scan, enum anl_admission admission)
{
    struct anl_config config = i < UNIT_NUM_NETWORKS ? unit_networks[i] : tree;
    config.depth = 4;
    config.flit_width_bits = 64;
    config.scan = scan;
    config.admission = admission;
    return config;
}

static enum anl_status make_net(const void *config)
{
    struct anl_net *net = (struct anl_net *)&net;
    const enum anl_status status = anl_net_create(config, &net);
    assert_true((net == NULL) == (status != ANL_OK));
    anl_net_destroy(net);
    return status;
}

static enum anl_status make_referee(const void *config)
{
    struct anl_referee *referee = (struct anl_referee *)&referee;
    const enum anl_status status = anl_referee_create(config, &referee);
    assert_true((referee == NULL) == (status != ANL_OK));
    anl_referee_destroy(referee);
    return status;
}

static void networks_and_referees_are_made_whole_or_not_at_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i <= UNIT_NUM_NETWORKS; i++)
        for (int admission = ANL_WORMHOLE; admission <= ANL_STORE_AND_FORWARD; admission++) {
            const struct anl_config config =
                network(i, (enum anl_scan)((int)i % 5), (enum anl_admission)admission);
            assert_true(starve(make_net, &config) > 10);
            assert_true(starve(make_referee, &config) > 3);
        }
}

enum { MANY_WORMS = 5000 };

// An offer that fails leaves the net as it was: the same offer is made again.
static void offers_fail_and_are_made_again(void **state)
{
    (void)state;
    const struct anl_config config = network(UNIT_NUM_NETWORKS, ANL_OLDEST, ANL_WORMHOLE);
    const uint32_t terminals = anl_shape_of(&config).terminals;
    size_t failed = 0;
    struct anl_net *net;
    assert_int_equal(anl_net_create(&config, &net), ANL_OK);
    for (uint32_t i = 0; i < MANY_WORMS; i++) {
        uint32_t id = UINT32_MAX;
        const size_t before = live;
        for (granted = 0; anl_net_offer(net, i % terminals, i * 7 % terminals, 2, &id); failed++) {
            assert_int_equal(id, UINT32_MAX);
            assert_int_equal(anl_net_totals(net).offered, i);
            assert_int_equal(live, before);
            granted = failed % 3;
        }
        granted = SIZE_MAX;
        assert_int_equal(id, i);
        const struct anl_worm *worm = anl_net_worm(net, i / 2);
        assert_true(worm && worm->id == i / 2 && worm->destination == i / 2 * 7 % terminals);
    }
    assert_true(failed >= 6);
    while (anl_net_totals(net).delivered < MANY_WORMS && anl_net_cycle(net) < 100 * MANY_WORMS)
        anl_net_step(net);
    assert_int_equal(anl_net_totals(net).delivered, MANY_WORMS);
    anl_net_destroy(net);
}

// Worms that were delivered before the table grew take no place in it: once all are delivered there
// is room for as many as it holds.
static void a_table_that_grew_has_room(void **state)
{
    (void)state;
    enum { EARLY = 100, QUEUED = 1100, MORE = 2000 };
    static const uint32_t offers[] = {EARLY, QUEUED, MORE};
    const struct anl_config config = network(1, ANL_ROTATING, ANL_WORMHOLE);
    struct anl_net *net;
    uint64_t offered = 0;
    assert_int_equal(anl_net_create(&config, &net), ANL_OK);
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++) {
        const size_t before = live;
        granted = offers[i] == QUEUED ? SIZE_MAX : 0;
        for (uint32_t w = 0; w < offers[i]; w++, offered++)
            assert_int_equal(anl_net_offer(net, w % 2, 1, 1, NULL), ANL_OK);
        granted = SIZE_MAX;
        assert_int_equal(live, before);
        for (uint32_t cycle = 0; cycle < 5000 && !anl_net_idle(net); cycle++)
            anl_net_step(net);
        assert_int_equal(anl_net_totals(net).delivered, offered);
    }
    anl_net_destroy(net);
}

static void an_order_that_finds_no_memory_changes_nothing(void **state)
{
    (void)state;
    const struct anl_config config = network(2, ANL_ROTATING, ANL_WORMHOLE);
    struct anl_net *net;
    assert_int_equal(anl_net_create(&config, &net), ANL_OK);
    granted = 0;
    assert_int_equal(anl_net_shuffle(net, 0), ANL_OK);
    assert_int_equal(anl_net_shuffle(net, 1), ANL_ERR_MEMORY);
    granted = SIZE_MAX;
    assert_int_equal(anl_net_offer(net, 0, 24, 3, NULL), ANL_OK);
    for (uint32_t i = 0; i < 100 && !anl_net_idle(net); i++)
        anl_net_step(net);
    assert_int_equal(anl_net_totals(net).delivered, 1);
    anl_net_destroy(net);
}

// --- traffic, runs ---

static const char *const runs[] = {
    "network: {topology: torus, k: 4, n: 2}\nswitch: {num_vcs: 2, depth: 4}\n"
    "traffic: {process: bernoulli, load: 0.3, length: [1, 4, 9]}\n"
    "run: {cycles: 200, warmup_cycles: 20}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, depth: 4, routing: up_down_random, scan: farthest, space: chained}\n"
    "traffic: {process: bursty, load: 0.2, length: 3}\nrun: {cycles: 200}\n",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 1, depth: 8, admission: "
    "cut_through}\n"
    "traffic: {process: batch, pattern: permutation, worms_per_terminal: 30, length: 5, delays: "
    "9}\n",
    "network: {topology: hypercube, n: 4}\nswitch: {num_vcs: 2, depth: 4}\n"
    "traffic: {process: request_reply, worms_per_terminal: 9, window: 2, length: 1}\n",
    "network: {topology: mesh, k: 32, n: 1}\nswitch: {num_vcs: 8, depth: 2}\n"
    "traffic: {process: batch, pattern: complement, worms_per_terminal: 40, length: 9}\n",
};

static enum anl_status make_traffic(const void *scenario)
{
    struct anl_traffic *traffic = (struct anl_traffic *)&traffic;
    const enum anl_status status = anl_traffic_create(scenario, &traffic);
    assert_true((traffic == NULL) == (status != ANL_OK));
    anl_traffic_destroy(traffic);
    return status;
}

static enum anl_status run_all(const void *scenario)
{
    struct anl_windows windows = {.cycles = 3};
    struct anl_latencies latencies = {0};
    struct anl_run_options options = {.digest = true, .windows = &windows, .latencies = &latencies};
    struct anl_run_result result;
    struct anl_error error = {0};
    options.referee = true;
    const enum anl_status status = anl_run(scenario, &options, &result, &error);
    assert_true((*error.text == '\0') == (status == ANL_OK));
    if (!status) assert_true(result.end == ANL_RUN_COMPLETE && !result.violation.rule);
    free(windows.at);
    free(latencies.count);
    return status;
}

static void nothing_to_replay_needs_no_memory(void **state)
{
    (void)state;
    struct anl_scenario scenario = {.network = network(2, ANL_ROTATING, ANL_WORMHOLE)};
    scenario.traffic.process = ANL_REPLAY;
    assert_true(starve(make_traffic, &scenario) >= 4);
}

static void traffic_and_runs_end_with_an_error(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct anl_scenario scenario = scenario_of(runs[i]);
        const size_t of_traffic = starve(make_traffic, &scenario);
        assert_true(of_traffic >= 4);
        assert_true(starve(run_all, &scenario) > 25 + of_traffic);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(networks_and_referees_are_made_whole_or_not_at_all),
        cmocka_unit_test(offers_fail_and_are_made_again),
        cmocka_unit_test(a_table_that_grew_has_room),
        cmocka_unit_test(an_order_that_finds_no_memory_changes_nothing),
        cmocka_unit_test(nothing_to_replay_needs_no_memory),
        cmocka_unit_test(traffic_and_runs_end_with_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
