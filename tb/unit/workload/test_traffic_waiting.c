// SPDX-License-Identifier: Apache-2.0
//
// Traffic: messages that wait for others, in random graphs with random deliveries, against the rule
// of docs/scenario.md, which this test evaluates for every message in every cycle. In every other
// trial now and then another generator goes on from the state of the one before
// (docs/checkpoint.md).

#include <annelid/base.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit_traffic.h"

enum { MOST = 60, CYCLES = 400, NOT_YET = -1 };

struct trial {
    struct anl_scenario scenario;
    struct anl_message messages[MOST];
    struct anl_after after[MOST][4];
    uint32_t count;
    int64_t created[MOST], delivered[MOST];  // cycles, or NOT_YET
    uint32_t of_worm[MOST];                  // message of each worm
    uint32_t worms;
};

// Draws messages; each waits for some of lower rank, and ranks are a permutation, so that what a
// message waits for may stand before or behind it.
static void draw(struct trial *trial, struct anl_rng *rng)
{
    uint32_t rank[MOST];
    trial->count = 1 + anl_rng_below(rng, MOST);
    for (uint32_t m = 0; m < trial->count; m++) {
        const uint32_t other = anl_rng_below(rng, m + 1);
        rank[m] = rank[other];
        rank[other] = m;
    }
    uint64_t cycle = 0;
    for (uint32_t m = 0; m < trial->count; m++) {
        cycle += anl_rng_below(rng, 3) ? 0 : anl_rng_below(rng, 5);
        trial->messages[m] = (struct anl_message){.cycle = cycle, .source = m % 4, .length = 1};
        trial->created[m] = trial->delivered[m] = NOT_YET;
        struct anl_message *message = &trial->messages[m];
        message->after = trial->after[m];
        for (uint32_t i = anl_rng_below(rng, 5); i > 0; i--) {
            const uint32_t other = anl_rng_below(rng, trial->count);
            if (rank[other] >= rank[m]) continue;
            trial->after[m][message->num_after++] =
                (struct anl_after){other, 1 + anl_rng_below(rng, anl_rng_below(rng, 2) ? 2 : 30)};
        }
    }
}

// Returns true if the message is to be created in the cycle, by the rule.
static bool is_due(const struct trial *trial, uint32_t m, int64_t cycle)
{
    const struct anl_message *message = &trial->messages[m];
    int64_t due = (int64_t)message->cycle;
    for (uint32_t i = 0; i < message->num_after; i++) {
        const int64_t delivered = trial->delivered[message->after[i].worm];
        if (delivered == NOT_YET) return false;
        if (delivered + message->after[i].cycles > due) due = delivered + message->after[i].cycles;
    }
    return due == cycle;
}

// Checks what a worm says that it has waited for.
static void check_dependencies(const struct trial *trial, const struct anl_new_worm *new_worm,
                               uint32_t m)
{
    const struct anl_message *message = &trial->messages[m];
    const struct anl_dependencies *waited = new_worm->dependencies;
    assert_int_equal(waited ? waited->count : 0, message->num_after);
    if (!waited) return;
    assert_int_equal(waited->earliest, message->cycle);
    for (uint32_t i = 0; i < waited->count; i++) {
        assert_true(waited->after[i].worm < trial->worms);
        assert_int_equal(trial->of_worm[waited->after[i].worm], message->after[i].worm);
        assert_int_equal(waited->after[i].cycles, message->after[i].cycles);
    }
}

static void check_cycle(struct trial *trial, struct anl_traffic *traffic, int64_t cycle)
{
    size_t count, seen = 0;
    const uint64_t next = anl_traffic_next(traffic);
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, (uint64_t)cycle, &count);
    for (uint32_t m = 0; m < trial->count; m++) {
        if (!is_due(trial, m, cycle)) continue;
        assert_true(seen < count && (uint64_t)cycle >= next);
        assert_int_equal(new_worms[seen].source, trial->messages[m].source);
        check_dependencies(trial, &new_worms[seen++], m);
        trial->created[m] = cycle;
        trial->of_worm[trial->worms++] = m;
    }
    assert_int_equal(seen, count);
}

// Delivers some of the worms that are under way.
static void deliver(struct trial *trial, struct anl_traffic *traffic, struct anl_rng *rng,
                    int64_t cycle)
{
    for (uint32_t w = 0; w < trial->worms; w++) {
        const uint32_t m = trial->of_worm[w];
        if (trial->delivered[m] != NOT_YET || anl_rng_below(rng, 4)) continue;
        trial->delivered[m] = cycle;
        anl_traffic_delivered(traffic, &(struct anl_worm){.id = w}, 1);
    }
}

static bool something_waits(const struct trial *trial, int64_t cycle)
{
    for (uint32_t m = 0; m < trial->count; m++)
        for (int64_t later = cycle + 1; later < cycle + 600; later++)
            if (is_due(trial, m, later)) return true;
    return false;
}

// Checks that each worm has what it has waited for again.
static void check_ties(const struct trial *trial, const struct anl_traffic *traffic)
{
    for (uint32_t w = 0; w < trial->worms; w++) {
        struct anl_worm worm = {.id = w};
        assert_true(anl_traffic_tie(traffic, &worm));
        const struct anl_new_worm again = {.dependencies = worm.dependencies};
        check_dependencies(trial, &again, trial->of_worm[w]);
    }
    assert_false(anl_traffic_tie(traffic, &(struct anl_worm){.id = trial->worms}));
}

static void messages_come_when_they_are_due(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed += unit_step(3)) {
        struct anl_rng rng = anl_rng_seed(seed, 0);
        struct trial *trial = calloc(1, sizeof *trial);
        assert_non_null(trial);
        trial->scenario = scenario_of("network: {topology: mesh, k: 2, n: 2}\n"
                                      "traffic: {process: replay, messages: none}\n");
        draw(trial, &rng);
        trial->scenario.messages = trial->messages;
        trial->scenario.num_messages = trial->count;
        struct anl_traffic *traffic = traffic_of(&trial->scenario);
        for (int64_t cycle = 0; cycle < CYCLES; cycle++) {
            check_cycle(trial, traffic, cycle);
            deliver(trial, traffic, &rng, cycle);
            if (seed % 2 && anl_rng_below(&rng, 8) == 0) {
                traffic = packed_again(traffic, &trial->scenario);
                check_ties(trial, traffic);
            }
            if (cycle % 16 == 0)
                assert_int_equal(anl_traffic_done(traffic), !something_waits(trial, cycle));
        }
        anl_traffic_destroy(traffic);
        trial->scenario.messages = NULL;
        anl_scenario_free(&trial->scenario);
        free(trial);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(messages_come_when_they_are_due)};
    return cmocka_run_group_tests_name("traffic_waiting", tests, NULL, NULL);
}
