// SPDX-License-Identifier: Apache-2.0
//
// Sliding diagonals: every register of the model beside the oracle in every step, rules that the
// oracle does not know, how long things take, batches, clean-up, and what is refused.

#include "oracle.h"

#include <stdio.h>

static struct anl_diagonals_config config_of(uint32_t n, uint32_t d, uint32_t length, uint32_t a,
                                             uint32_t b, uint32_t c, bool is_short)
{
    struct anl_diagonals_config config = {.n = n, .d = d, .length = length, .a = a, .b = b, .c = c};
    if (is_short)
        anl_diagonals_short_rounds(&config);
    else
        anl_diagonals_paper_rounds(&config);
    return config;
}

static struct anl_diagonals *create(const struct anl_diagonals_config *config)
{
    struct anl_diagonals *machine;
    struct anl_error error = {0};
    if (anl_diagonals_create(config, &machine, &error)) fail_msg("%s", error.text);
    return machine;
}

// Makes one worm from each node to a random one, in batches by coordinates.
static struct anl_diagonals_worm *random_function(const struct anl_diagonals_config *config,
                                                  uint32_t batches, uint64_t seed)
{
    const uint32_t nodes = power(config->n, config->d);
    struct anl_diagonals_worm *worms = calloc(nodes, sizeof *worms);
    struct anl_rng rng = anl_rng_seed(seed, nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        worms[node].source = node;
        worms[node].destination = anl_rng_below(&rng, nodes);
        for (uint32_t dim = 0; dim < config->d; dim++)
            worms[node].batch += node / power(config->n, dim) % config->n;
        worms[node].batch %= batches;
    }
    return worms;
}

// --- the model beside the oracle ---

static void expect_same_registers(const struct anl_diagonals *machine, const struct oracle *oracle,
                                  struct anl_diagonals_register *registers)
{
    anl_diagonals_registers(machine, registers);
    for (uint32_t link = 0; link < oracle->links; link++) {
        const struct oracle_flit flit = oracle->now[link];
        const bool valid = flit.worm != NOBODY;
        if (registers[link].valid == valid &&
            (!valid ||
             (registers[link].worm == (uint32_t)flit.worm && registers[link].index == flit.index)))
            continue;
        fail_msg("before step %llu, register %u: model %d worm %u flit %u, oracle worm %d flit %u",
                 (unsigned long long)oracle->step, link, registers[link].valid,
                 registers[link].worm, registers[link].index, flit.worm, flit.index);
    }
}

static void expect_same_results(const struct anl_diagonals_worm *worms, const struct oracle *oracle)
{
    for (size_t i = 0; i < oracle->count; i++) {
        assert_int_equal(worms[i].node, oracle->worms[i].node);
        assert_int_equal(worms[i].cycle, oracle->worms[i].cycle);
        const bool home = worms[i].node == worms[i].destination;
        if (!home) assert_int_not_equal(worms[i].state, ANL_DIAGONALS_DELIVERED);
    }
}

// The recorded moves take the registers before a step to those behind it, and every flit that is
// not in both at one place has moved.
static void expect_moves(const struct anl_diagonals *machine, uint32_t links,
                         struct anl_diagonals_register *shadow,
                         const struct anl_diagonals_register *registers)
{
    size_t count;
    const struct anl_diagonals_move *moves = anl_diagonals_moves(machine, &count);
    for (size_t i = 0; i < count; i++) {
        if (moves[i].from == ANL_DIAGONALS_OUTSIDE) continue;
        assert_true(shadow[moves[i].from].valid);
        assert_int_equal(shadow[moves[i].from].worm, moves[i].worm);
        assert_int_equal(shadow[moves[i].from].index, moves[i].index);
        shadow[moves[i].from] = (struct anl_diagonals_register){0};
    }
    for (size_t i = 0; i < count; i++) {
        if (moves[i].to == ANL_DIAGONALS_OUTSIDE) continue;
        assert_false(shadow[moves[i].to].valid);
        shadow[moves[i].to] = (struct anl_diagonals_register){moves[i].worm, moves[i].index, true};
    }
    for (uint32_t link = 0; link < links; link++) {
        assert_int_equal(shadow[link].valid, registers[link].valid);
        assert_int_equal(shadow[link].worm, registers[link].worm);
        assert_int_equal(shadow[link].index, registers[link].index);
    }
}

// Returns how many worms of a random function failed.
static uint32_t run_beside_oracle(const struct anl_diagonals_config *config, uint32_t batches,
                                  uint64_t seed)
{
    struct anl_diagonals *machine = create(config);
    struct anl_diagonals_worm *worms = random_function(config, batches, seed);
    struct anl_diagonals_worm *others = random_function(config, batches, seed);
    const uint32_t nodes = power(config->n, config->d);
    struct oracle oracle = oracle_make(config, others, nodes);
    struct anl_diagonals_register *registers = malloc(oracle.links * sizeof *registers);
    struct anl_diagonals_register *shadow = calloc(oracle.links, sizeof *shadow);

    assert_int_equal(anl_diagonals_record(machine, true), ANL_OK);
    assert_int_equal(anl_diagonals_load(machine, worms, nodes, NULL), ANL_OK);
    while (!anl_diagonals_done(machine)) {
        anl_diagonals_step(machine);
        oracle_step(&oracle);
        expect_same_registers(machine, &oracle, registers);
        expect_moves(machine, oracle.links, shadow, registers);
    }
    assert_false(anl_diagonals_fault(machine).happened);
    assert_int_equal(anl_diagonals_next(machine), anl_diagonals_cycles(config, batches));
    expect_same_results(worms, &oracle);
    const struct anl_diagonals_totals totals = anl_diagonals_totals(machine);
    assert_int_equal(totals.consumed, (uint64_t)nodes * config->length);
    assert_int_equal(totals.moves, oracle.moves);

    anl_diagonals_destroy(machine);
    oracle_free(&oracle);
    free(registers);
    free(shadow);
    free(worms);
    free(others);
    return nodes - totals.states[ANL_DIAGONALS_DELIVERED];
}

// Parameters with which every kind of failure happens: full rows, full reservoirs, and worms that
// stray and are left; b = 1, where whole queues come to stand in one step; row blocks that do not
// divide the torus.
static void every_register_is_that_of_the_oracle(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, d, length, a, b, c;
        bool is_short;
        uint32_t batches;
    } cases[] = {
        {8, 2, 1, 2, 1, 2, false, 2}, {16, 2, 1, 2, 1, 4, false, 2}, {16, 2, 2, 2, 1, 2, true, 4},
        {16, 2, 2, 1, 2, 4, true, 4}, {24, 2, 3, 2, 1, 3, false, 6}, {32, 2, 4, 2, 1, 4, false, 8},
        {40, 2, 4, 1, 1, 4, true, 5}, {32, 2, 2, 2, 2, 8, false, 8}, {8, 3, 1, 2, 1, 2, false, 4},
        {8, 3, 2, 1, 1, 2, false, 4}, {8, 4, 1, 2, 1, 2, true, 4}};
    uint32_t failed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (i % unit_share() != 0) continue;
        const struct anl_diagonals_config config =
            config_of(cases[i].n, cases[i].d, cases[i].length, cases[i].a, cases[i].b, cases[i].c,
                      cases[i].is_short);
        failed += run_beside_oracle(&config, cases[i].batches, 100 + i);
    }
    assert_int_not_equal(failed, 0);
}

// --- rules that hold for any machine whose worms do not come apart ---

static uint32_t end_of(const struct anl_diagonals_config *config, uint32_t link)
{
    return link / (2 * config->d);
}

static uint32_t begin_of(const struct anl_diagonals_config *config, uint32_t link)
{
    const uint32_t stride = power(config->n, link / 2 % config->d);
    const uint32_t node = end_of(config, link), here = node / stride % config->n;
    const uint32_t back = (here + (link & 1 ? 1 : config->n - 1)) % config->n;
    return node + (back - here) * stride;
}

// Every worm stands in links that follow each other; from step to step all of its flits go one link
// on, or all stand.
static void worms_are_whole_in_every_step(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(16, 2, 4, 1, 1, 2, true);
    enum { NODES = 256, LINKS = NODES * 4, FLITS = NODES * 4, NOWHERE = LINKS };
    struct anl_diagonals *machine = create(&config);
    struct anl_diagonals_worm *worms = random_function(&config, 4, 7);
    static struct anl_diagonals_register registers[LINKS];
    static uint32_t before[FLITS], after[FLITS];
    memset(before, 0xff, sizeof before);
    assert_int_equal(anl_diagonals_load(machine, worms, NODES, NULL), ANL_OK);
    while (!anl_diagonals_done(machine)) {
        anl_diagonals_step(machine);
        anl_diagonals_registers(machine, registers);
        memset(after, 0xff, sizeof after);
        for (uint32_t link = 0; link < LINKS; link++)
            if (registers[link].valid)
                after[registers[link].worm * 4 + registers[link].index] = link;
        for (uint32_t flit = 0; flit < FLITS; flit++) {
            if (after[flit] >= NOWHERE) continue;
            if (flit % 4 > 0 && after[flit - 1] < NOWHERE)
                assert_int_equal(end_of(&config, after[flit]), begin_of(&config, after[flit - 1]));
            if (before[flit] < NOWHERE && before[flit] != after[flit])
                assert_int_equal(end_of(&config, before[flit]), begin_of(&config, after[flit]));
            if (flit % 4 > 0 && before[flit] < NOWHERE && after[flit - 1] < NOWHERE)
                assert_int_equal(before[flit] == after[flit], before[flit - 1] == after[flit - 1]);
        }
        memcpy(before, after, sizeof before);
    }
    anl_diagonals_destroy(machine);
    free(worms);
}

// --- a lone worm, step by step ---

static void a_lone_worm_goes_as_the_page_says(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(8, 2, 1, 2, 1, 2, false);
    struct anl_diagonals_worm worm = {.source = 0 * 8 + 3, .destination = 6 * 8 + 5};
    struct anl_diagonals *machine = create(&config);
    struct anl_diagonals_register registers[64 * 4];
    // Registers in which it stands behind each step, as node and direction.
    static const char *const expected[] = {
        "2-x",  "1-x",  "2+x",  "2+x",  "2+x",
        "2+x",  "2+x",  "2+x",  "2+x",  // distribution: slot (2, 0)
        "3+x",  "4+x",  "12+y", "20+y", "28+y",
        "36+y", "44+y", "52+y", "60+y"};  // 1a: block 4, 5
    assert_int_equal(anl_diagonals_load(machine, &worm, 1, NULL), ANL_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char seen[20] = "";
        anl_diagonals_step(machine);
        anl_diagonals_registers(machine, registers);
        for (uint32_t link = 0; link < 64 * 4; link++)
            if (registers[link].valid)
                snprintf(seen, sizeof seen, "%u%c%c", link / 4, link & 1 ? '-' : '+',
                         link & 2 ? 'y' : 'x');
        assert_string_equal(seen, expected[i]);
    }
    while (!anl_diagonals_done(machine))
        anl_diagonals_step(machine);
    assert_int_equal(worm.state, ANL_DIAGONALS_DELIVERED);
    assert_int_equal(worm.node, worm.destination);
    anl_diagonals_destroy(machine);
}

// --- how long things take ---

// With F = 2 c the first round comes to the column of every worm; with F = 2 c - 1 it would miss
// those that begin 2 c - 1 columns before theirs.
static void a_lone_worm_takes_its_column_in_the_first_round(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(8, 2, 1, 2, 2, 2, true);
    struct anl_diagonals *machine = create(&config);
    for (uint32_t pair = 0; pair < 64 * 64; pair++) {
        struct anl_diagonals_worm worm = {.source = pair / 64, .destination = pair % 64};
        assert_int_equal(anl_diagonals_load(machine, &worm, 1, NULL), ANL_OK);
        while (!anl_diagonals_done(machine))
            anl_diagonals_step(machine);
        assert_int_equal(worm.state, ANL_DIAGONALS_DELIVERED);
        assert_int_equal(worm.rounds, 1);
    }
    anl_diagonals_destroy(machine);
}

static void stages_and_runs_take_what_the_formulas_say(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, d, length, a, b, c;
        bool is_short;
        uint32_t batches, cycles;
    } cases[] = {{64, 2, 1, 4, 1, 8, false, 4, 2168},     {64, 2, 2, 4, 2, 16, false, 16, 38336},
                 {256, 2, 1, 4, 1, 16, true, 4, 6296},    {256, 2, 2, 4, 1, 16, true, 8, 14688},
                 {64, 3, 1, 4, 1, 16, false, 16, 40673},  {64, 3, 1, 4, 1, 8, false, 16, 15329},
                 {64, 3, 2, 4, 1, 16, false, 64, 298306}, {64, 2, 1, 4, 1, 8, false, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct anl_diagonals_config config =
            config_of(cases[i].n, cases[i].d, cases[i].length, cases[i].a, cases[i].b, cases[i].c,
                      cases[i].is_short);
        assert_int_equal(anl_diagonals_check(&config, NULL), ANL_OK);
        assert_int_equal(anl_diagonals_cycles(&config, cases[i].batches), cases[i].cycles);
    }
}

// --- whole runs ---

static void all_worms_arrive_also_those_that_fail_first(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(32, 2, 2, 2, 1, 4, false);
    struct anl_diagonals *machine = create(&config);
    struct anl_diagonals_worm *worms = random_function(&config, 4, 3);
    struct anl_diagonals_run run;
    assert_int_equal(anl_diagonals_route(machine, worms, 1024, &run, NULL), ANL_OK);
    const uint32_t *states = run.totals.states;
    assert_int_equal(run.batches, 4);
    assert_int_equal(run.cycles, anl_diagonals_cycles(&config, 4));
    assert_int_not_equal(states[ANL_DIAGONALS_RESERVOIR_FULL], 0);
    assert_int_not_equal(states[ANL_DIAGONALS_LEFT], 0);
    assert_int_equal(states[ANL_DIAGONALS_DELIVERED] + states[ANL_DIAGONALS_RESERVOIR_FULL] +
                         states[ANL_DIAGONALS_LEFT],
                     1024);
    // One pass cleans up, with at most as many batches as worms failed.
    const uint64_t batch = anl_diagonals_cycles(&config, 1);
    assert_int_equal(run.passes, 1);
    assert_between(run.clean_cycles, batch, batch * (1024 - states[ANL_DIAGONALS_DELIVERED]));
    assert_int_equal(run.clean_cycles % batch, 0);
    for (uint32_t node = 0; node < 1024; node++) {
        assert_int_equal(worms[node].state, ANL_DIAGONALS_DELIVERED);
        assert_int_equal(worms[node].node, worms[node].destination);
        assert_int_equal(worms[node].source, node);
    }
    anl_diagonals_destroy(machine);
    free(worms);
}

static void a_row_with_too_many_worms_is_full(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(8, 2, 1, 2, 1, 2, false);
    struct anl_diagonals *machine = create(&config);
    struct anl_diagonals_worm worms[8];
    for (uint32_t i = 0; i < 8; i++)
        worms[i] = (struct anl_diagonals_worm){.source = i, .destination = 63 - i};
    struct anl_diagonals_run run;
    assert_int_equal(anl_diagonals_route(machine, worms, 8, &run, NULL), ANL_OK);
    assert_int_equal(run.totals.states[ANL_DIAGONALS_ROW_FULL], 4);  // a row has four slots
    assert_int_equal(run.passes, 1);
    anl_diagonals_destroy(machine);
}

// Any number of worms at any nodes, as in the second half of Valiant's trick.
static void batches_keep_sources_apart_and_rows_light(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(16, 2, 4, 2, 1, 2, false);
    enum { COUNT = 600 };
    static struct anl_diagonals_worm worms[COUNT];
    struct anl_rng rng = anl_rng_seed(5, 256);
    for (size_t i = 0; i < COUNT; i++)
        worms[i] = (struct anl_diagonals_worm){.source = anl_rng_below(&rng, 256),
                                               .destination = anl_rng_below(&rng, 256)};
    uint32_t batches;
    assert_int_equal(anl_diagonals_batch(&config, worms, COUNT, &batches), ANL_OK);
    assert_true(batches >= COUNT / 16 / 2);
    for (size_t i = 0; i < COUNT; i++) {
        uint32_t in_row = 0;
        assert_true(worms[i].batch < batches);
        for (size_t j = 0; j < COUNT; j++)
            in_row +=
                worms[j].batch == worms[i].batch && worms[j].source / 16 == worms[i].source / 16;
        assert_between(in_row, 1, 2);
    }
    struct anl_diagonals *machine = create(&config);
    struct anl_diagonals_run run;
    assert_int_equal(anl_diagonals_route(machine, worms, COUNT, &run, NULL), ANL_OK);
    assert_int_equal(run.batches, batches);
    worms[0].source = 256;
    assert_int_equal(anl_diagonals_batch(&config, worms, COUNT, &batches), ANL_ERR_ARGUMENT);
    anl_diagonals_destroy(machine);
}

// With three dimensions only every sixth slot of a row may be used at the start.
static void batches_of_more_dimensions_begin_light(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, length, in_a_row;
    } cases[] = {{16, 2, 1}, {32, 1, 2}, {64, 1, 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct anl_diagonals_config config =
            config_of(cases[i].n, 3, cases[i].length, 2, 1, 2, true);
        struct anl_diagonals_worm worms[64] = {{0}};
        uint32_t batches, first = 0;
        for (uint32_t w = 0; w < config.n; w++)
            worms[w].source = w;
        assert_int_equal(anl_diagonals_batch(&config, worms, config.n, &batches), ANL_OK);
        for (uint32_t w = 0; w < config.n; w++)
            first += worms[w].batch == 0;
        assert_int_equal(first, cases[i].in_a_row);
    }
}

// Where all nodes have as many worms the batches follow from the coordinates.
static void an_even_load_is_batched_by_coordinates(void **state)
{
    (void)state;
    static const struct {
        uint32_t n, d, length, each, usual;
    } cases[] = {
        {16, 2, 2, 1, 4}, {16, 2, 1, 3, 2}, {16, 3, 1, 1, 16}, {32, 3, 1, 2, 16}, {8, 3, 1, 1, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct anl_diagonals_config config =
            config_of(cases[i].n, cases[i].d, cases[i].length, 2, 1, 2, true);
        const uint32_t nodes = power(config.n, config.d), count = nodes * cases[i].each;
        struct anl_diagonals_worm *worms = calloc(count, sizeof *worms);
        uint32_t batches;
        for (uint32_t w = 0; w < count; w++)
            worms[w].source = w % nodes;
        assert_int_equal(anl_diagonals_usual_batches(&config), cases[i].usual);
        assert_int_equal(anl_diagonals_batch_load(&config, worms, count, &batches), ANL_OK);
        assert_int_equal(batches, cases[i].usual * cases[i].each);
        for (uint32_t w = 0; w < count; w++) {
            uint32_t sum = 0;
            for (uint32_t dim = 0; dim < config.d; dim++)
                sum += w % nodes / power(config.n, dim) % config.n;
            assert_int_equal(worms[w].batch, w / nodes * cases[i].usual + sum % cases[i].usual);
        }
        free(worms);
    }
}

static void another_load_is_batched_in_the_order_of_its_nodes(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(8, 2, 1, 2, 1, 2, true);
    enum { NODES = 64 };
    struct anl_diagonals_worm worms[NODES] = {{0}}, others[NODES];
    uint32_t batches, expected;
    for (uint32_t w = 0; w < NODES; w++)
        worms[w].source = w == 9 ? 10 : w;  // one node has two, and one has none
    memcpy(others, worms, sizeof others);
    assert_int_equal(anl_diagonals_batch_load(&config, worms, NODES, &batches), ANL_OK);
    assert_int_equal(anl_diagonals_batch(&config, others, NODES, &expected), ANL_OK);
    assert_int_equal(batches, expected);
    assert_memory_equal(worms, others, sizeof worms);
    assert_int_equal(anl_diagonals_batch_load(&config, worms, NODES - 1, &batches), ANL_OK);
    worms[0].source = NODES;
    assert_int_equal(anl_diagonals_batch_load(&config, worms, NODES, &batches), ANL_ERR_ARGUMENT);
}

// --- what is refused ---

static void every_condition_is_explained(void **state)
{
    (void)state;
    const struct anl_diagonals_config good = config_of(16, 2, 1, 2, 1, 4, false);
    const struct {
        struct anl_diagonals_config config;
        const char *says;
    } cases[] = {
        {config_of(16, 1, 1, 2, 1, 4, false), "2 to 8 dimensions"},
        {config_of(16, 9, 1, 2, 1, 4, false), "2 to 8 dimensions"},
        {config_of(1, 2, 1, 1, 1, 1, false), "n >= 2"},
        {config_of(4097, 2, 1, 1, 1, 1, false), "at most 2^24 nodes"},
        {config_of(16, 2, 0, 2, 1, 4, false), "1 to 4096 flits"},
        {config_of(16, 2, 1, 0, 1, 4, false), "a and b from 1"},
        {config_of(16, 2, 1, 1, 17, 4, false), "a and b from 1 to n"},
        {config_of(16, 2, 3, 2, 1, 4, false), "a b L to divide n"},
        {config_of(16, 2, 1, 2, 1, 5, false), "c >= 2 to divide n"},
        {config_of(16, 2, 8, 2, 1, 4, false), "c L <= n"},
        {{16, 2, 1, 2, 1, 4, 0, 8, 18}, "1 to 2^20 rounds"},
        {{16, 2, 1, 2, 1, 4, 4, 7, 18}, "2 c <= F"},
        {{16, 2, 1, 2, 1, 4, 4, 17, 40}, "F <= n"},
        {{16, 2, 1, 2, 1, 4, 4, 8, 17}, "Z >= 2 F + 2 L"},
        {{16, 2, 2, 2, 1, 4, 4, 8, 20}, "F + 2 c L + L"},
    };
    assert_int_equal(anl_diagonals_check(&good, NULL), ANL_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct anl_error error = {0};
        struct anl_diagonals *machine;
        assert_int_equal(anl_diagonals_create(&cases[i].config, &machine, &error),
                         ANL_ERR_ARGUMENT);
        assert_null(machine);
        if (!strstr(error.text, cases[i].says)) fail_msg("%zu: %s", i, error.text);
    }
}

static void worms_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const struct anl_diagonals_config config = config_of(16, 2, 4, 2, 1, 2, false);
    const struct anl_diagonals_worm good = {.source = 16, .destination = 20};
    struct anl_diagonals_worm worms[2];
    struct anl_diagonals *machine = create(&config);
    struct anl_error error;
    static const struct {
        uint32_t source, destination, batch;
        enum anl_status status;
    } others[] = {{256, 0, 0, ANL_ERR_ARGUMENT},
                  {0, 256, 0, ANL_ERR_ARGUMENT},
                  {19, 0, 0, ANL_ERR_ARGUMENT},
                  {29, 0, 0, ANL_ERR_ARGUMENT},
                  {16, 0, 0, ANL_ERR_ARGUMENT},
                  {20, 0, 0, ANL_OK},
                  {28, 0, 0, ANL_OK},
                  {19, 0, 1, ANL_OK},
                  {15, 0, 0, ANL_OK},
                  {0, 0, 1u << 24, ANL_ERR_ARGUMENT}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        worms[0] = good;
        worms[1] = (struct anl_diagonals_worm){.source = others[i].source,
                                               .destination = others[i].destination,
                                               .batch = others[i].batch};
        assert_int_equal(anl_diagonals_load(machine, worms, 2, &error), others[i].status);
        assert_int_equal(anl_diagonals_done(machine), others[i].status != ANL_OK);
        if (others[i].source == 19 && others[i].batch == 0)
            assert_string_equal(error.text, "batch 0, nodes 16 to 31: expected sources of a row at "
                                            "least 4 nodes apart");
    }
    assert_int_equal(anl_diagonals_load(machine, worms, 0, &error), ANL_OK);
    assert_true(anl_diagonals_done(machine));
    anl_diagonals_destroy(machine);
    anl_diagonals_destroy(NULL);
}

static void states_have_names(void **state)
{
    (void)state;
    assert_string_equal(anl_diagonals_state_name(ANL_DIAGONALS_WAITING), "waiting");
    assert_string_equal(anl_diagonals_state_name(ANL_DIAGONALS_LEFT), "left");
    assert_string_equal(anl_diagonals_state_name(ANL_DIAGONALS_STATES), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_register_is_that_of_the_oracle),
        cmocka_unit_test(worms_are_whole_in_every_step),
        cmocka_unit_test(a_lone_worm_goes_as_the_page_says),
        cmocka_unit_test(a_lone_worm_takes_its_column_in_the_first_round),
        cmocka_unit_test(stages_and_runs_take_what_the_formulas_say),
        cmocka_unit_test(all_worms_arrive_also_those_that_fail_first),
        cmocka_unit_test(a_row_with_too_many_worms_is_full),
        cmocka_unit_test(batches_keep_sources_apart_and_rows_light),
        cmocka_unit_test(batches_of_more_dimensions_begin_light),
        cmocka_unit_test(an_even_load_is_batched_by_coordinates),
        cmocka_unit_test(another_load_is_batched_in_the_order_of_its_nodes),
        cmocka_unit_test(every_condition_is_explained),
        cmocka_unit_test(worms_that_cannot_be_are_refused),
        cmocka_unit_test(states_have_names),
    };
    return cmocka_run_group_tests_name("diagonals", tests, NULL, NULL);
}
