// SPDX-License-Identifier: Apache-2.0
//
// Packed state (docs/checkpoint.md): a network that is stopped in a random cycle, packed, and
// unpacked into other engines with another cut does the rest of the run as if it had never been
// stopped. What is packed does not depend on the cut. Bytes that make no sense are refused.

#include "parts.h"

enum { PACK_TRIALS = 2000, FEW_TERMINALS = 7 };

// ---------------------------------------------------------------- state

static uint32_t items_of(const struct parts *parts, enum anl_item item)
{
    const struct anl_shape *shape = &parts->network->shape;
    return item == ANL_ITEM_SWITCH ? shape->switches : shape->terminals;
}

// Returns the part that has an item.
static struct anl_engine *owner_of(const struct parts *parts, enum anl_item item, uint32_t number)
{
    struct anl_engine *owner = NULL;
    for (uint32_t p = 0; p < parts->count; p++) {
        if (!anl_engine_has(parts->engines[p], item, number)) continue;
        assert_null(owner);
        owner = parts->engines[p];
    }
    assert_non_null(owner);
    return owner;
}

static void pack_items(const struct parts *parts, struct anl_pack *pack)
{
    for (enum anl_item item = 0; item < ANL_ITEMS; item++)
        for (uint32_t n = 0; n < items_of(parts, item) && !pack->failed; n++)
            assert_int_equal(anl_engine_pack(owner_of(parts, item, n), item, n, pack), ANL_OK);
}

// Packs terminals in pieces, as several processes might.
static void pack_traffic(struct anl_traffic *traffic, uint32_t terminals, struct anl_pack *pack)
{
    anl_traffic_pack(traffic, pack);
    for (uint32_t t = 0; t < terminals; t += FEW_TERMINALS)
        anl_traffic_pack_terminals(
            traffic, t, terminals - t < FEW_TERMINALS ? terminals - t : FEW_TERMINALS, pack);
}

static struct anl_pack packed(const struct parts *parts, const struct play *play)
{
    struct anl_pack pack = {0};
    pack_traffic(play->traffic, parts->network->shape.terminals, &pack);
    pack_items(parts, &pack);
    assert_false(pack.failed);
    return pack;
}

static struct anl_pack reader_of(const struct anl_pack *pack)
{
    return (struct anl_pack){.from = pack->bytes, .count = pack->count};
}

static bool tie(void *user, struct anl_worm *worm) { return anl_traffic_tie(user, worm); }

// Unpacks into other parts and new traffic. Returns false if the bytes are refused.
static bool unpack(struct parts *parts, struct play *play, const struct anl_scenario *scenario,
                   const struct anl_pack *from, uint64_t cycle,
                   const struct anl_engine_totals *totals)
{
    struct anl_pack pack = reader_of(from);
    bool fits = true;
    anl_traffic_destroy(play->traffic);
    play->traffic = traffic_of(scenario);
    for (uint32_t p = 0; p < parts->count; p++)
        anl_engine_resume(parts->engines[p], scenario->run.seed, cycle, totals, p == 0);
    pack_traffic(play->traffic, parts->network->shape.terminals, &pack);
    pack_items(parts, &pack);
    for (uint32_t p = 0; p < parts->count; p++)
        fits &= !pack.failed && !anl_engine_resumed(parts->engines[p], tie, play->traffic);
    return fits && pack.count == 0;
}

// ---------------------------------------------------------------- trials

// Every other network has switches of two stages, if its credits are registered.
static struct anl_scenario draw(struct anl_rng *rng, uint32_t trial)
{
    struct anl_scenario scenario = draw_scenario(rng, part_network(trial));
    if (scenario.network.credits == ANL_REGISTERED)
        scenario.network.stages = 1 + trial / num_part_networks() % 2;
    return scenario;
}

static struct parts draw_some(struct anl_rng *rng, const struct anl_scenario *scenario)
{
    const bool whole = anl_rng_below(rng, 3) == 0 || anl_stages(&scenario->network) > 1;
    return whole ? make_parts(scenario, 1, NULL) : draw_parts_of(rng, scenario);
}

// Packs the state again, by other parts, and compares the bytes.
static void expect_same_bytes(const struct parts *parts, const struct play *play,
                              const struct anl_pack *expected, uint32_t trial)
{
    struct anl_pack again = packed(parts, play);
    if (again.count != expected->count || memcmp(again.bytes, expected->bytes, again.count) != 0)
        fail_msg("trial %u: what was unpacked is packed as other bytes", trial);
    anl_pack_free(&again);
}

// A part that goes on knows a worm once for all lanes through which it flows; else some would never
// be forgotten.
static void expect_all_forgotten(const struct parts *parts, uint32_t trial)
{
    const struct anl_engine_totals totals = totals_of(parts);
    if (totals.in_network + totals.queued > 0) return;
    for (uint32_t p = 0; p < parts->count; p++)
        for (size_t i = 0; i <= parts->engines[p]->worms_mask; i++)
            if (parts->engines[p]->worms[i].live)
                fail_msg("trial %u: part %u of %u knows a worm that is delivered", trial, p,
                         parts->count);
}

static void try_network(uint32_t trial)
{
    struct anl_rng rng = anl_rng_seed(41, trial);
    struct anl_scenario scenario = draw(&rng, trial);
    const struct outcome whole = run_whole(&scenario);
    struct parts before = draw_some(&rng, &scenario), after = draw_some(&rng, &scenario);
    struct play play = begin_play(&scenario);

    play_to(&before, &play, anl_rng_below(&rng, (uint32_t)whole.cycles));
    const uint64_t cycle = anl_engine_cycle(before.engines[0]);
    struct anl_pack pack = packed(&before, &play);
    const struct anl_engine_totals totals = totals_of(&before);
    if (!unpack(&after, &play, &scenario, &pack, cycle, &totals))
        fail_msg("trial %u: refused\n%s", trial, scenario.text);
    expect_same_bytes(&after, &play, &pack, trial);
    play_to(&after, &play, UINT64_MAX);
    expect_all_forgotten(&after, trial);
    const struct outcome outcome = end_play(&after, &play);
    if (!is_same(&whole, &outcome))
        fail_msg(
            "trial %u, stopped after %llu of %llu cycles, %u and %u parts: the rest is another "
            "one\n%s",
            trial, (unsigned long long)cycle, (unsigned long long)whole.cycles, before.count,
            after.count, scenario.text);
    anl_pack_free(&pack);
    destroy_parts(&before);
    destroy_parts(&after);
    anl_scenario_free(&scenario);
}

static void packed_networks_go_on(void **state)
{
    (void)state;
    const uint32_t trials = unit_trials(PACK_TRIALS);
    for (uint32_t trial = 0; trial < trials; trial++)
        try_network(trial);
}

// ---------------------------------------------------------------- many worms

// A worm that is older than all others, and as many ids behind them as the tables of worms of a new
// engine have not, is still known.
static void old_worms_are_known(void **state)
{
    struct anl_scenario scenario =
        scenario_of("network: {topology: mesh, k: 3, n: 1}\nswitch: {depth: 1}\n"
                    "traffic: {process: batch, worms_per_terminal: 1, pattern: complement}\n");
    struct parts before = make_parts(&scenario, 1, NULL), after = make_parts(&scenario, 1, NULL);
    struct play play = begin_play(&scenario);
    (void)state;
    const struct anl_worm old = {.source = 0, .destination = 2, .length = 30000};
    assert_int_equal(anl_engine_enqueue_worm(before.engines[0], &old, NULL), ANL_OK);
    for (uint32_t i = 0; i < 5000; i++) {
        const struct anl_worm worm = {.source = 1, .destination = 0, .length = 1};
        assert_int_equal(anl_engine_enqueue_worm(before.engines[0], &worm, NULL), ANL_OK);
        step_parts(&before);
    }
    struct anl_pack pack = packed(&before, &play);
    const struct anl_engine_totals totals = totals_of(&before);
    assert_true(unpack(&after, &play, &scenario, &pack, 5000, &totals));
    assert_non_null(anl_engine_worm(after.engines[0], 0));
    for (uint32_t i = 0; i < 5000; i++) {
        step_parts(&before);
        step_parts(&after);
    }
    struct anl_pack later = packed(&before, &play);
    expect_same_bytes(&after, &play, &later, 0);
    anl_pack_free(&pack);
    anl_pack_free(&later);
    end_play(&after, &play);
    destroy_parts(&before);
    destroy_parts(&after);
    anl_scenario_free(&scenario);
}

// ---------------------------------------------------------------- bytes that make no sense

// Unpacks bytes of which one is another one. They are refused, or give some network that can be
// stepped: nothing is read or written outside of the state.
static void strange_bytes_do_no_harm(void **state)
{
    struct anl_rng rng = anl_rng_seed(43, 0);
    uint32_t refused = 0;
    (void)state;
    for (uint32_t trial = 0; trial < unit_trials(400); trial++) {
        struct anl_scenario scenario = draw(&rng, trial);
        struct parts parts = draw_some(&rng, &scenario);
        struct play play = begin_play(&scenario);
        play_to(&parts, &play, 60);
        struct anl_pack pack = packed(&parts, &play);
        const struct anl_engine_totals totals = totals_of(&parts);
        pack.bytes[anl_rng_below(&rng, (uint32_t)pack.count)] ^= (uint8_t)(1u << trial % 8);
        refused += !unpack(&parts, &play, &scenario, &pack, 60, &totals);
        anl_pack_free(&pack);
        end_play(&parts, &play);
        destroy_parts(&parts);
        anl_scenario_free(&scenario);
    }
    assert_true(refused > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_networks_go_on),
        cmocka_unit_test(old_worms_are_known),
        cmocka_unit_test(strange_bytes_do_no_harm),
    };
    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
