// SPDX-License-Identifier: Apache-2.0
//
// Each run of a batch is the run of an engine of its own: same flits, same deliveries, same totals,
// in the same cycles. The scenarios are those of the standard list that a batch can run, with seeds
// in shuffled seats; runs end in different cycles, and others take their seats.

#include "unit_batch.h"

#include <stdio.h>
#include <string.h>

enum { SEEDS = 32, SAMPLE_SEEDS = 3, MOST_SCENARIOS = 200, NAME = 64 };

static const uint32_t all_seats[] = {16, 32, 64};

// ---------------------------------------------------------------- the standard list

// Reads the names of a list of runs.
static size_t read_list(char names[MOST_SCENARIOS][NAME])
{
    size_t count = 0;
    char line[256];
    FILE *list = fopen("sim/regress/standard.list", "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list) && count < MOST_SCENARIOS)
        if (*line != '#' && sscanf(line, "%63s", names[count]) == 1) count++;
    fclose(list);
    return count;
}

// How much is compared: the number of seeds, and which of all_seats.
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

// Compares a batch of the scenario with engines; one of too many seats for this machine has 16.
static void compare(const struct anl_network *network, const struct anl_scenario *scenario,
                    const char *name, struct part part)
{
    struct outcome alone[SEEDS], together[SEEDS];
    const uint32_t seeds = part.seeds;
    for (uint32_t i = 0; i < seeds; i++)
        alone[i] = play_alone(network, scenario, 1 + i);
    for (size_t s = part.first_size; s <= part.last_size; s++) {
        struct anl_batch *batch;
        if (anl_batch_create(network, all_seats[s], &batch))
            assert_int_equal(anl_batch_create(network, 16, &batch), ANL_OK);
        play_together(batch, &(struct seating){scenario, 1, seeds, 7 * (uint32_t)s + 3, together});
        anl_batch_destroy(batch);
        for (uint32_t i = 0; i < seeds; i++)
            if (!same_outcome(&alone[i], &together[i]))
                fail_msg("%s seed %u with %u seats: digest %016jx in %ju cycles, not %016jx in %ju",
                         name, 1 + i, all_seats[s], (uintmax_t)together[i].digest,
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
    const size_t count = read_list(names);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_scenario_of_the_standard_list),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
