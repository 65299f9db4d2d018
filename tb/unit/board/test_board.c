// SPDX-License-Identifier: Apache-2.0
//
// Boards: the worms of the process generator, and signatures, against a slow version of
// docs/board.md. Every flit is an array of bits that is made before the run and looked up when it
// arrives.

#include "unit_traffic.h"

#include <annelid/board.h>
#include <annelid/network.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_BITS = 600 };

// --- the rules, bit by bit ---

static uint32_t shifted(uint32_t x, int by)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i++)
        if (i - by >= 0 && i - by < 32 && x >> (i - by) & 1) result += UINT32_C(1) << i;
    return result;
}

static uint32_t slow_step(uint32_t r)
{
    r ^= shifted(r, 13);
    r ^= shifted(r, -17);
    return r ^ shifted(r, 5);
}

static uint32_t slow_seed(uint64_t seed, uint64_t number)
{
    uint64_t z = seed;
    for (uint64_t i = 0; i <= number; i++)
        z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    z = z ^ (z >> 31);
    return z >> 32 ? (uint32_t)(z >> 32) : 1;
}

struct slow_flit {
    uint8_t data[MOST_BITS];
    bool head, tail;
};

struct slow_worm {
    uint32_t source, destination, length;
    struct slow_flit *flits;
};

struct slow_board {
    const struct anl_scenario *scenario;
    uint32_t terminals, num_worms;
    struct slow_worm *worms;
};

static uint32_t bits_for(uint32_t k)
{
    uint32_t bits = 1;
    while (UINT32_C(1) << bits < k)
        bits++;
    return bits;
}

static void put_field(struct slow_flit *flit, uint32_t *at, uint32_t bits, uint32_t value)
{
    for (uint32_t i = 0; i < bits; i++)
        flit->data[(*at)++] = value >> i & 1;
}

static struct slow_flit slow_flit(const struct anl_config *config, uint32_t r)
{
    struct slow_flit flit = {.head = false};
    for (uint32_t i = 0; i < config->flit_width_bits; i++)
        flit.data[i] = r >> (i % 32) & 1;
    return flit;
}

static struct slow_worm slow_worm(const struct anl_scenario *scenario, uint32_t source, uint32_t *r)
{
    const struct anl_config *config = &scenario->network;
    struct slow_worm worm = {.source = source, .length = 1};
    uint32_t at = 0, stride = 1;
    worm.length += (*r >> 24) * scenario->traffic.lengths[0] / 256;
    worm.flits = calloc(worm.length, sizeof *worm.flits);
    assert_non_null(worm.flits);
    worm.flits[0] = slow_flit(config, *r);
    for (uint32_t d = 0; d < config->n; d++, stride *= config->k) {
        const uint32_t digit = (*r >> 8 * d) % 256 * config->k / 256;
        put_field(&worm.flits[0], &at, bits_for(config->k), digit);
        worm.destination += digit * stride;
    }
    if (config->flow_control != ANL_WORMHOLE || config->length_in_head)
        put_field(&worm.flits[0], &at, 7, worm.length);
    for (uint32_t i = 0; i < worm.length; i++, *r = slow_step(*r))
        if (i > 0) worm.flits[i] = slow_flit(config, *r);
    worm.flits[0].head = worm.flits[worm.length - 1].tail = true;
    return worm;
}

static struct slow_board slow_board(const struct anl_scenario *scenario)
{
    struct slow_board board = {.scenario = scenario, .terminals = 1};
    for (uint32_t d = 0; d < scenario->network.n; d++)
        board.terminals *= scenario->network.k;
    const uint32_t each = scenario->traffic.worms_per_terminal;
    board.num_worms = board.terminals * each;
    board.worms = calloc(board.num_worms, sizeof *board.worms);
    assert_non_null(board.worms);
    for (uint32_t t = 0; t < board.terminals; t++) {
        uint32_t r = slow_seed(scenario->run.seed, board.terminals + t);
        for (uint32_t i = 0; i < each; i++)
            board.worms[t * each + i] = slow_worm(scenario, t, &r);
    }
    return board;
}

static void free_board(struct slow_board *board)
{
    for (uint32_t i = 0; i < board->num_worms; i++)
        free(board->worms[i].flits);
    free(board->worms);
}

static uint32_t slow_word(const struct anl_config *config, const struct slow_flit *flit,
                          uint32_t lane, uint64_t cycle)
{
    uint8_t all[MOST_BITS] = {0};
    uint32_t at = config->flit_width_bits, word = 0;
    memcpy(all, flit->data, at);
    all[at++] = flit->tail;
    all[at++] = flit->head;
    for (uint32_t i = 0; i < bits_for(config->num_vcs); i++)
        all[at++] = lane >> i & 1;
    for (uint32_t i = 0; i < at; i++)
        word ^= (uint32_t)all[i] << i % 32;
    for (uint32_t i = 0; i < 32; i++)
        word ^= (uint32_t)(cycle >> i & 1) << (i + 16) % 32;
    return word;
}

// --- a run ---

// A change of one of the flits that arrive, or none.
struct harm {
    uint64_t number;  // of the flit, in the order of arrival
    int bit;          // data bit that is inverted; -1: none
    bool late;        // it arrives a cycle later
    bool lane;        // it comes on the other lane
    bool lost;
};
static const struct harm no_harm = {.number = UINT64_MAX, .bit = -1};

struct slow_result {
    uint32_t signature;
    uint64_t flits, arrived;
};

static uint32_t harmed_word(const struct anl_config *config, const struct slow_flit *from,
                            const struct anl_flit *at, uint64_t cycle, const struct harm *harm)
{
    struct slow_flit flit = *from;
    if (harm && harm->bit >= 0) flit.data[harm->bit] ^= 1;
    return slow_word(config, &flit, harm && harm->lane ? at->vc ^ 1u : at->vc,
                     cycle + (harm && harm->late));
}

static void take_worms(struct anl_engine *net, const struct slow_board *board)
{
    for (uint32_t i = 0; i < board->num_worms; i++)
        assert_int_equal(anl_engine_enqueue(net, board->worms[i].source,
                                            board->worms[i].destination,
                                            (uint16_t)board->worms[i].length, NULL),
                         ANL_OK);
}

static struct slow_result slow_run(const struct slow_board *board, struct harm harm)
{
    const struct anl_scenario *scenario = board->scenario;
    const uint32_t ports = anl_shape_of(&scenario->network).ports;
    uint32_t *signatures = calloc(board->terminals, sizeof *signatures);
    struct slow_result result = {0};
    struct anl_engine *net;
    assert_non_null(signatures);
    assert_int_equal(anl_engine_create(&scenario->network, &net), ANL_OK);
    anl_engine_reset(net, scenario->run.seed);
    anl_engine_record(net, true);
    take_worms(net, board);
    for (uint64_t cycle = 0; cycle < scenario->run.cycles; cycle++) {
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        for (size_t i = 0; i < count; i++) {
            const uint32_t t = flits[i].link / ports;
            if (flits[i].link % ports != ports - 1 || t >= board->terminals) continue;
            const struct slow_worm *worm = &board->worms[flits[i].worm];
            const bool here = result.flits == harm.number;
            result.flits++;
            if (here && harm.lost) continue;
            const uint32_t word = harmed_word(&scenario->network, &worm->flits[flits[i].index],
                                              &flits[i], cycle, here ? &harm : NULL);
            signatures[t] = slow_step(signatures[t] ^ word);
        }
    }
    for (uint32_t t = 0; t < board->terminals; t++)
        result.signature = slow_step(result.signature ^ signatures[t]);
    const uint32_t taken = (uint32_t)result.flits - (harm.lost ? 1 : 0);
    result.signature = slow_step(result.signature ^ taken);
    result.arrived = anl_engine_totals(net).delivered;
    anl_engine_destroy(net);
    free(signatures);
    return result;
}

// --- tests ---

static const char *const boards[] = {
    "network: {topology: mesh, k: 2, n: 2}\nswitch: {depth: 2}\n"
    "traffic: {process: generator, worms_per_terminal: 30, length: 8}\n"
    "run: {cycles: 1000}\n",
    "network: {topology: mesh, k: 1, n: 1}\nswitch: {depth: 2, flit_width_bits: 8}\n"
    "traffic: {process: generator, worms_per_terminal: 3, length: 1}\nrun: {cycles: 3}\n",
    "network: {topology: torus, k: 3, n: 2}\n"
    "switch: {num_vcs: 3, depth: 3, flit_width_bits: 62, arbiter: random}\n"
    "traffic: {process: generator, worms_per_terminal: 25, length: 7}\n"
    "run: {seed: 99, cycles: 150}\n",
    "network: {topology: hypercube, n: 3}\nswitch: {depth: 8, flow_control: cut_through, num_vcs: "
    "2}\n"
    "traffic: {process: generator, worms_per_terminal: 9, length: 8}\n"
    "run: {seed: 18446744073709551615, cycles: 600}\n",
    "network: {topology: unidirectional_torus, k: 5, n: 1}\n"
    "switch: {num_vcs: 8, depth: 6, flow_control: store_and_forward, flit_width_bits: 512, "
    "arbiter: "
    "fixed}\n"
    "traffic: {process: generator, worms_per_terminal: 12, length: 5}\nrun: {cycles: 400}\n",
    "network: {topology: mesh, k: 4, n: 3}\nswitch: {num_vcs: 5, depth: 2, flit_width_bits: 29}\n"
    "traffic: {process: generator, worms_per_terminal: 4, length: 256}\nrun: {cycles: 3000}\n",
    "network: {topology: torus, k: 3, n: 1}\n"
    "switch: {num_vcs: 2, depth: 2, length_in_head: true, flit_width_bits: 13}\n"
    "traffic: {process: generator, worms_per_terminal: 9, length: 127}\nrun: {cycles: 1500}\n",
    "network: {topology: mesh, k: 256, n: 1}\nswitch: {depth: 2}\n"
    "traffic: {process: generator, worms_per_terminal: 2, length: 3}\nrun: {cycles: 700}\n",
};
enum { NUM_BOARDS = sizeof boards / sizeof *boards };

static void worms_are_those_of_the_sources(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_BOARDS; i++) {
        struct anl_scenario s = scenario_of(boards[i]);
        struct slow_board board = slow_board(&s);
        struct anl_traffic *traffic = traffic_of(&s);
        size_t count;
        const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, 0, &count);
        assert_int_equal(count, board.num_worms);
        for (uint32_t w = 0; w < board.num_worms; w++) {
            assert_int_equal(new_worms[w].source, board.worms[w].source);
            assert_int_equal(new_worms[w].destination, board.worms[w].destination);
            assert_int_equal(new_worms[w].length, board.worms[w].length);
        }
        assert_true(anl_traffic_done(traffic));
        anl_traffic_destroy(traffic);
        free_board(&board);
        anl_scenario_free(&s);
    }
}

static struct anl_board_result board_run(const struct anl_scenario *scenario)
{
    const struct anl_board_options options = {0};
    struct anl_board_result result;
    struct anl_error error = {0};
    if (anl_board_run(scenario, &options, &result, &error)) fail_msg("%s", error.text);
    assert_false(result.stopped);
    return result;
}

static void signatures_are_those_of_the_page(void **state)
{
    (void)state;
    for (int i = 0; i < NUM_BOARDS; i++) {
        struct anl_scenario s = scenario_of(boards[i]);
        struct slow_board board = slow_board(&s);
        const struct slow_result slow = slow_run(&board, no_harm);
        const struct anl_board_result result = board_run(&s);
        if (result.signature != slow.signature)
            fail_msg("%08" PRIx32 ", expected %08" PRIx32 " of\n%s", result.signature,
                     slow.signature, boards[i]);
        assert_int_equal(result.flits, slow.flits);
        assert_int_equal(result.arrived, slow.arrived);
        assert_int_equal(result.worms, board.num_worms);
        assert_true(slow.flits > 0);
        free_board(&board);
        anl_scenario_free(&s);
    }
}

static void must_differ(const struct slow_board *board, uint32_t signature, struct harm harm)
{
    if (slow_run(board, harm).signature == signature)
        fail_msg("flit %" PRIu64 ": bit %d, late %d, lane %d, lost %d does not show", harm.number,
                 harm.bit, harm.late, harm.lane, harm.lost);
}

// A change of any bit of any flit, of its lane or of its cycle, and the loss of a flit must show.
static void whatever_is_wrong_shows(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of(boards[3]);
    struct slow_board board = slow_board(&s);
    const uint32_t signature = board_run(&s).signature;
    const uint64_t flits = slow_run(&board, no_harm).flits;
    for (uint64_t i = 0; i < flits; i += 7) {
        must_differ(&board, signature, (struct harm){.number = i, .bit = (int)(i % 32)});
        must_differ(&board, signature, (struct harm){.number = i, .bit = -1, .late = true});
        must_differ(&board, signature, (struct harm){.number = i, .bit = -1, .lane = true});
        must_differ(&board, signature, (struct harm){.number = i, .bit = -1, .lost = true});
    }
    free_board(&board);
    anl_scenario_free(&s);
}

// The words that the library signs contain every bit of a flit, and the cycle.
static void words_hold_every_bit(void **state)
{
    (void)state;
    struct anl_config config = unit_networks[3];
    config.depth = 2;
    config.flit_width_bits = 77;
    struct anl_flit flit = {.vc = 2, .head = true};
    uint32_t data[ANL_FLIT_WORDS] = {0x12345678, 0x9abcdef0, 0x1bcd};
    const uint32_t word = anl_board_word(&config, &flit, data, 1000);
    for (uint32_t i = 0; i < 77; i++) {
        data[i / 32] ^= UINT32_C(1) << i % 32;
        assert_int_equal(anl_board_word(&config, &flit, data, 1000), word ^ UINT32_C(1) << i % 32);
        data[i / 32] ^= UINT32_C(1) << i % 32;
    }
    assert_int_not_equal(anl_board_word(&config, &flit, data, 1001), word);
    struct anl_flit other = flit;
    other.tail = true;
    assert_int_equal(anl_board_word(&config, &other, data, 1000), word ^ UINT32_C(1) << 77 % 32);
    other = (struct anl_flit){.vc = 2};
    assert_int_equal(anl_board_word(&config, &other, data, 1000), word ^ UINT32_C(1) << 78 % 32);
    other = (struct anl_flit){.vc = 1, .head = true};
    assert_int_equal(anl_board_word(&config, &other, data, 1000), word ^ UINT32_C(3) << 79 % 32);
    assert_int_equal(anl_board_sign(0x87654321, 0x12345678), slow_step(0x87654321 ^ 0x12345678));
}

static bool end_run(void *user, const struct anl_engine *net)
{
    (void)net;
    return --*(int *)user > 0;
}

static void runs_can_be_stopped(void **state)
{
    (void)state;
    struct anl_scenario s = scenario_of(boards[0]);
    struct anl_board_result result;
    int looks = 3;
    const struct anl_board_options options = {
        .progress_cycles = 10, .progress = end_run, .user = &looks};
    assert_int_equal(anl_board_run(&s, &options, &result, NULL), ANL_OK);
    assert_true(result.stopped);
    assert_int_equal(looks, 0);
    anl_scenario_free(&s);
}

static void other_runs_are_refused(void **state)
{
    (void)state;
    const struct anl_board_options options = {0};
    struct anl_board_result result;
    struct anl_error error = {0};
    struct anl_scenario s = scenario_of("network: {topology: mesh, k: 2, n: 2}\n");
    assert_int_equal(anl_board_run(&s, &options, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "process is bernoulli, a board expects process generator"));
    anl_scenario_free(&s);
    s = scenario_of(boards[0]);
    s.run.cycles = UINT64_C(2147483648);
    assert_int_equal(anl_board_run(&s, &options, &result, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "cycles is 2147483648, a board counts to 2147483647"));
    anl_scenario_free(&s);
}

// --- scenarios ---

#define MESH "network: {topology: mesh, k: 4, n: 2}\n"
#define BOARD "traffic: {process: generator"

static const struct {
    const char *text;
    uint64_t line;
    const char *message;
} refused[] = {
    {"network: {topology: fat_tree, n: 2}\n" BOARD "}\n", 1, "another topology than fat_tree"},
    {"network: {topology: mesh,\n  k: 2, n: 4}\n" BOARD "}\n", 2,
     "n is 4, process generator expects at most 3"},
    {"network: {topology: mesh, n: 1,\n  k: 257}\n" BOARD "}\n", 2,
     "k is 257, process generator expects at most 256"},
    {MESH "switch: {arbiter: age}\n" BOARD "}\n", 2, "arbiter is age, process generator expects"},
    {MESH "switch: {arbiter: farthest, flit_width_bits: 64}\n" BOARD "}\n", 2,
     "arbiter is farthest"},
    {MESH BOARD ",\n  length: [3, 4]}\n", 3, "expects one length, found 2"},
    {MESH BOARD ",\n  length: 257}\n", 3, "length is 257, process generator expects at most 256"},
    {MESH BOARD ",\n  pattern: uniform}\n", 3, "pattern is for"},
    {MESH BOARD ",\n  load: 0.5}\n", 3, "load is for bernoulli, bursty; process is generator"},
    {MESH BOARD ",\n  delays: 5}\n", 3, "delays is for batch; process is generator"},
    {MESH BOARD ",\n  hotspot_fraction: 0.5}\n", 3, "hotspot_fraction is for"},
    {MESH BOARD "}\nrun: {\n  warmup_cycles: 5}\n", 4, "warmup_cycles is for"},
    {MESH BOARD "}\nrun: {max_cycles: 99,\n  cycles: 100}\n", 4, "expected at most max_cycles, 99"},
    {MESH "switch: {depth: 4, flow_control: cut_through}\n" BOARD ",\n  length: 5}\n", 4,
     "length is 5, flow_control cut_through expects at most depth, 4"},
    {MESH "switch: {length_in_head: true}\n" BOARD ",\n  length: 128}\n", 4,
     "length is 128, length_in_head true expects at most 127"},
    {MESH BOARD ",\n  window: 4}\n", 3, "window is for request_reply; process is generator"},
};

static void refusals_say_where_and_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct anl_scenario s;
        struct anl_error error = {0};
        const char *text = refused[i].text;
        if (!anl_scenario_parse(text, strlen(text), "test", NULL, &s, &error))
            fail_msg("taken:\n%s", text);
        if (error.line != refused[i].line || !strstr(error.text, refused[i].message))
            fail_msg("line %" PRIu64 ": %s\n%s", error.line, error.text, text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worms_are_those_of_the_sources),
        cmocka_unit_test(signatures_are_those_of_the_page),
        cmocka_unit_test(whatever_is_wrong_shows),
        cmocka_unit_test(words_hold_every_bit),
        cmocka_unit_test(runs_can_be_stopped),
        cmocka_unit_test(other_runs_are_refused),
        cmocka_unit_test(refusals_say_where_and_why),
    };
    return cmocka_run_group_tests_name("board", tests, NULL, NULL);
}
