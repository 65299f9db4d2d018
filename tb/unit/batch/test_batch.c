// SPDX-License-Identifier: Apache-2.0
//
// Each run of a batch is the run of an engine of its own: same flits, same deliveries, same totals,
// in the same cycles. The scenarios are those of the standard suite that a batch can run, with
// seeds in shuffled slots; runs end in different cycles, and others take their slots.

#include "unit_batch.h"
#include "unit_traffic.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 32, SAMPLE_SEEDS = 3, MOST_SCENARIOS = 200, NAME = 64 };

static const uint32_t all_slots[] = {16, 32, 64};

// ---------------------------------------------------------------- the standard suite

// Reads the names of the suite, without those that have settings.
static size_t read_suite(char names[MOST_SCENARIOS][NAME])
{
    size_t count = 0;
    char line[256];
    FILE *list = fopen("sim/suites/standard.suite", "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list) && count < MOST_SCENARIOS)
        if (*line != '#' && !strchr(line, '=') && sscanf(line, "%63s", names[count]) == 1) count++;
    fclose(list);
    return count;
}

// How much is compared: the number of seeds, and which of all_slots.
struct part {
    uint32_t seeds;
    size_t first_size, last_size;
};

static uint16_t longest_worm(const struct anl_scenario *scenario)
{
    uint16_t longest = 0;
    for (uint32_t i = 0; i < scenario->traffic.num_lengths; i++)
        if (scenario->traffic.lengths[i] > longest) longest = scenario->traffic.lengths[i];
    for (size_t i = 0; i < scenario->num_messages; i++)
        if (scenario->messages[i].length > longest) longest = scenario->messages[i].length;
    if (scenario->traffic.reply_length > longest) longest = scenario->traffic.reply_length;
    return longest;
}

// Compares a batch of the scenario with engines; one of too many slots for this machine has 16.
static void compare(const struct anl_network *network, const struct anl_scenario *scenario,
                    const char *name, struct part part)
{
    struct outcome alone[SEEDS], together[SEEDS];
    const uint32_t seeds = part.seeds;
    for (uint32_t i = 0; i < seeds; i++)
        alone[i] = play_alone(network, scenario, 1 + i);
    for (size_t s = part.first_size; s <= part.last_size; s++) {
        struct anl_batch *batch;
        if (anl_batch_create(network, all_slots[s], &batch))
            assert_int_equal(anl_batch_create(network, 16, &batch), ANL_OK);
        play_together(batch,
                      &(struct batched_runs){scenario, 1, seeds, 7 * (uint32_t)s + 3, together});
        anl_batch_destroy(batch);
        for (uint32_t i = 0; i < seeds; i++)
            if (!same_outcome(&alone[i], &together[i]))
                fail_msg("%s seed %u with %u slots: digest %016jx in %ju cycles, not %016jx in %ju",
                         name, 1 + i, all_slots[s], (uintmax_t)together[i].digest,
                         (uintmax_t)together[i].cycles, (uintmax_t)alone[i].digest,
                         (uintmax_t)alone[i].cycles);
    }
}

static bool compare_scenario(const char *name, struct part part)
{
    char path[2 * NAME];
    struct anl_scenario scenario;
    struct anl_network *network;
    struct anl_error error;
    snprintf(path, sizeof path, "sim/scenarios/%s.yaml", name);
    if (anl_scenario_load(path, &scenario, &error)) fail_msg("%s", error.text);
    const bool can =
        anl_batch_can(&scenario.network) && longest_worm(&scenario) <= ANL_BATCH_LONGEST_WORM;
    if (can) {
        assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
        compare(network, &scenario, name, part);
        anl_network_destroy(network);
    }
    anl_scenario_free(&scenario);
    return can;
}

static void every_scenario_of_the_standard_list(void **state)
{
    static char names[MOST_SCENARIOS][NAME];
    const size_t count = read_suite(names);
    const uint32_t share = unit_share();
    uint32_t can = 0;
    (void)state;
    for (size_t i = 0; i < count; i += share) {
        const size_t size = i / share % 3;
        const struct part sample = {SAMPLE_SEEDS, size, size}, all = {SEEDS, 0, 2};
        can += compare_scenario(names[i], share == 1 ? all : sample);
    }
    print_message("%u of %zu scenarios\n", can, count);
    assert_true(can > 50 / share);
}

// The limits of bytes: lanes of 64 flits that fill, the longest worms, more links than a byte
// counts, stamps whose upper byte is at least 64. Then the networks whose loops know the number of
// lanes. What all links move adds up to more than a byte only in a run that is alone in its batch.
enum { MANY_LINKS = 1 };
static const char *const limits[] = {
    "network: {topology: mesh, k: 8, n: 1}\nswitch: {num_vcs: 2, depth: 64}\n"
    "traffic: {pattern: many_to_one, load: 0.5, length: 255}\nrun: {cycles: 3000}\n",
    "network: {topology: mesh, k: 10, n: 2}\nswitch: {num_vcs: 8, depth: 2}\n"
    "traffic: {pattern: uniform, load: 0.6, length: [1, 8]}\nrun: {cycles: 300}\n",
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 3, depth: 64, arbiter: farthest, "
    "flow_control: store_and_forward, routing: up_down_greedy}\n"
    "traffic: {process: batch, pattern: complement, worms_per_terminal: 9, length: 64}\n",
    "network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 2, depth: 2, arbiter: age}\n"
    "traffic: {pattern: many_to_one, load: 0.4, length: 2}\nrun: {cycles: 16600}\n",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 1}\n"
    "traffic: {load: 0.4, length: [1, 8]}\nrun: {cycles: 300}\n",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 2}\n"
    "traffic: {load: 0.6, length: [1, 8]}\nrun: {cycles: 300}\n",
    "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 4}\n"
    "traffic: {load: 0.6, length: [1, 8]}\nrun: {cycles: 300}\n",
};

static void lanes_and_worms_as_long_as_bytes_allow(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct anl_network *network;
        struct anl_scenario scenario = scenario_of(limits[i]);
        assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
        const struct part all = {i == MANY_LINKS ? 1 : 2, 0, 2}, one = {all.seeds, i % 3, i % 3};
        compare(network, &scenario, limits[i], unit_slow_sample() ? one : all);
        anl_network_destroy(network);
        anl_scenario_free(&scenario);
    }
}

static void what_a_batch_does_not_do_is_refused(void **state)
{
    struct anl_network *network;
    struct anl_batch *batch;
    struct anl_scenario scenario = scenario_of(limits[0]);
    (void)state;
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_int_equal(anl_batch_create(network, 17, &batch), ANL_ERR_ARGUMENT);
    assert_null(batch);
    assert_int_equal(anl_batch_slots_for(network, 1), 16);
    assert_int_equal(anl_batch_slots_for(network, 16), 16);
    assert_true(anl_batch_slots_for(network, 64) >= anl_batch_slots_for(network, 17));
    assert_int_equal(anl_batch_slots_for(network, 1000), anl_batch_slots_for(network, 0));
    assert_int_equal(anl_batch_create(network, 16, &batch), ANL_OK);
    assert_int_equal(anl_batch_slots(batch), 16);
    struct anl_engine *run = anl_batch_run(batch, 3);
    assert_int_equal(anl_engine_enqueue(run, 0, 1, 256, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(run, 0, 8, 255, NULL), ANL_ERR_ARGUMENT);
    assert_int_equal(anl_engine_enqueue(run, 0, 1, 255, NULL), ANL_OK);
    anl_batch_destroy(batch);
    anl_network_destroy(network);
    scenario.network.link = ANL_WIDE;
    assert_false(anl_batch_can(&scenario.network));
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_int_equal(anl_batch_create(network, 16, &batch), ANL_ERR_ARGUMENT);
    anl_network_destroy(network);
    anl_scenario_free(&scenario);
}

// Returns whether this machine has a batch with so many slots.
static bool has_slots(const struct anl_network *network, uint32_t slots)
{
    struct anl_batch *batch;
    const bool made = anl_batch_create(network, slots, &batch) == ANL_OK;
    if (made) assert_int_equal(anl_batch_slots(batch), slots);
    anl_batch_destroy(batch);
    return made;
}

static void the_processor_decides_which_slots_there_are(void **state)
{
    struct anl_network *network;
    struct anl_scenario scenario = scenario_of(limits[0]);
    (void)state;
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_true(has_slots(network, 16));
#if defined __x86_64__
    assert_int_equal(has_slots(network, 32), __builtin_cpu_supports("avx2") != 0);
    assert_int_equal(has_slots(network, 64), __builtin_cpu_supports("avx512bw") != 0);
#endif
    anl_network_destroy(network);
    anl_scenario_free(&scenario);
}

static void a_slot_that_is_reset_has_no_worms(void **state)
{
    uint32_t id;
    struct anl_network *network;
    struct anl_batch *batch;
    struct anl_scenario scenario = scenario_of(limits[0]);
    (void)state;
    assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
    assert_int_equal(anl_batch_create(network, 16, &batch), ANL_OK);
    struct anl_engine *run = anl_batch_run(batch, 5);
    assert_int_equal(anl_engine_enqueue(run, 0, 1, 2, &id), ANL_OK);
    assert_non_null(anl_engine_worm(run, id));
    anl_engine_reset(run, 1);
    assert_null(anl_engine_worm(run, id));
    anl_batch_destroy(batch);
    anl_network_destroy(network);
    anl_scenario_free(&scenario);
}

// --- heads alone ---

enum { TELLERS = 4 };  // an engine that records all flits, one that records heads, two slots

// Returns the number of flits that are no heads; the heads must be those of the first list.
static size_t compare_heads(const struct anl_engine *all, const struct anl_engine *some)
{
    size_t count, expected, bodies = 0, at = 0;
    const struct anl_flit *flits = anl_engine_flits(some, &count);
    const struct anl_flit *others = anl_engine_flits(all, &expected);
    for (size_t i = 0; i < expected; i++) {
        if (!others[i].head) continue;
        for (; at < count && !flits[at].head; at++)
            bodies++;
        assert_true(at < count);
        assert_int_equal(flits[at].link, others[i].link);
        assert_int_equal(flits[at].worm, others[i].worm);
        assert_int_equal(flits[at].vc, others[i].vc);
        assert_int_equal(flits[at++].tail, others[i].tail);
    }
    for (; at < count; at++, bodies++)
        assert_false(flits[at].head);
    return bodies;
}

static void heads_are_recorded_alone_where_nothing_else_is_read(void **state)
{
    static const char *const networks[] = {
        "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 2}\n"
        "traffic: {load: 0.5, length: [1, 8]}\nrun: {cycles: 300}\n",
        "network: {topology: fat_tree, n: 2}\nswitch: {routing: up_down_random, arbiter: random}\n"
        "traffic: {load: 0.3, length: [1, 8]}\nrun: {cycles: 300}\n",
    };
    (void)state;
    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++) {
        struct anl_network *network;
        struct anl_batch *batch;
        struct anl_scenario scenario = scenario_of(networks[n]);
        struct anl_engine *tellers[TELLERS];
        struct playing playing[TELLERS];
        assert_int_equal(anl_network_create(&scenario.network, &network), ANL_OK);
        assert_int_equal(anl_batch_create(network, 16, &batch), ANL_OK);
        for (uint32_t i = 0; i < TELLERS; i++) {
            tellers[i] = anl_batch_run(batch, i);
            if (i < 2) assert_int_equal(anl_engine_create_on(network, &tellers[i]), ANL_OK);
            play_begin(&playing[i], tellers[i], &scenario, 5);
        }
        anl_engine_record_heads(tellers[1], true);
        anl_engine_record_heads(tellers[2], true);
        bool over = false;
        for (uint32_t cycle = 0; !over; cycle++) {
            if (cycle % 64 == 0) anl_engine_record_heads(tellers[3], cycle % 128 == 0);
            for (uint32_t i = 0; i < TELLERS; i++)
                play_worms(&playing[i]);
            anl_engine_step(tellers[0]);
            anl_engine_step(tellers[1]);
            anl_batch_step(batch);
            assert_int_equal(compare_heads(tellers[0], tellers[1]), 0);
            const size_t bodies = compare_heads(tellers[0], tellers[2]);
            if (cycle % 128 < 64) assert_int_equal(bodies, 0);
            compare_heads(tellers[0], tellers[3]);
            for (uint32_t i = 0; i < TELLERS; i++)
                over = play_look(&playing[i]);
        }
        for (uint32_t i = 0; i < TELLERS; i++)
            play_end(&playing[i]);
        anl_engine_destroy(tellers[0]);
        anl_engine_destroy(tellers[1]);
        anl_batch_destroy(batch);
        anl_network_destroy(network);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_of_the_standard_list),
        cmocka_unit_test(lanes_and_worms_as_long_as_bytes_allow),
        cmocka_unit_test(what_a_batch_does_not_do_is_refused),
        cmocka_unit_test(the_processor_decides_which_slots_there_are),
        cmocka_unit_test(a_slot_that_is_reset_has_no_worms),
        cmocka_unit_test(heads_are_recorded_alone_where_nothing_else_is_read),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
