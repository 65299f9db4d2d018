// SPDX-License-Identifier: Apache-2.0
//
// A rim drives what the links of the whole network carry, in every cycle and every bit, if it is
// driven as the terminals of the whole network drive it. Each broken rule of a terminal is refused
// by its name.

#include "parts.h"

#include <annelid/rim.h>
#include <string.h>

enum { MOST_TERMINALS = 128, CYCLES = 300, ROOM = 1 << 14, MOST_PORTS = 16, MOST_ROUTES = 1 << 12 };

// The whole network, and the rim of another one.
struct both {
    struct anl_scenario scenario;
    struct anl_network *network;
    struct anl_engine *whole;
    struct anl_rim *rim;
    struct anl_shape shape;
    uint32_t lines, vcs;
    // What the terminals of the whole network drive in a cycle, and the credits of the next one.
    struct anl_rim_line injected[MOST_TERMINALS * ANL_MAX_VCS];
    uint32_t credits[MOST_TERMINALS], next_credits[MOST_TERMINALS];
    uint32_t sender[MOST_TERMINALS * ANL_MAX_VCS];  // credits that terminals have, by the rim
    // Routes of their own that worms have.
    struct anl_rng rng;
    uint8_t routes[MOST_ROUTES][MOST_PORTS];
    uint32_t num_routes, own_routes;
};

static bool fits(const struct anl_config *config)
{
    const bool passes = config->credits == ANL_BYPASS && config->link == ANL_WIDE;
    return !passes && !config->reply_queue && anl_shape_of(config).terminals <= MOST_TERMINALS;
}

static bool draw_fitting(struct anl_rng *rng, const char *network, struct anl_scenario *scenario)
{
    for (int tries = 0; tries < 8; tries++) {
        *scenario = draw_scenario(rng, network);
        if (scenario->network.credits == ANL_REGISTERED)
            scenario->network.stages = 1 + anl_rng_below(rng, 2);
        if (fits(&scenario->network)) return true;
        anl_scenario_free(scenario);
    }
    return false;
}

static void make_both(struct both *both, struct anl_scenario scenario)
{
    struct anl_error error = {0};
    memset(both, 0, sizeof *both);
    both->scenario = scenario;
    both->shape = anl_shape_of(&scenario.network);
    both->vcs = scenario.network.num_vcs;
    assert_int_equal(anl_network_create(&scenario.network, &both->network), ANL_OK);
    assert_int_equal(anl_engine_create_on(both->network, &both->whole), ANL_OK);
    anl_engine_record(both->whole, true);
    anl_engine_reset(both->whole, scenario.run.seed);
    if (anl_rim_create(&both->scenario, &both->rim, &error)) fail_msg("%s", error.text);
    both->lines = anl_rim_lines(both->rim);
    assert_int_equal(anl_rim_terminals(both->rim), both->shape.terminals);
    assert_int_equal(anl_rim_config(both->rim)->num_vcs, both->vcs);
    for (uint32_t i = 0; i < both->shape.terminals * both->vcs; i++)
        both->sender[i] = scenario.network.depth;
}

// Nothing of the time before a reset is left.
static void reset_both(struct both *both)
{
    anl_engine_reset(both->whole, both->scenario.run.seed);
    anl_rim_reset(both->rim);
    memset(both->credits, 0, sizeof both->credits);
    for (uint32_t i = 0; i < both->shape.terminals * both->vcs; i++)
        both->sender[i] = both->scenario.network.depth;
}

static void destroy_both(struct both *both)
{
    anl_rim_destroy(both->rim);
    anl_engine_destroy(both->whole);
    anl_network_destroy(both->network);
    anl_scenario_free(&both->scenario);
}

// Returns the wires of a flit of the whole network.
static struct anl_rim_line line_of(const struct both *both, const struct anl_flit *flit)
{
    const struct anl_config *config = &both->scenario.network;
    const uint32_t at = config->flit_width_bits;
    struct anl_rim_line line = {.valid = true, .vc = flit->vc};
    anl_flit_data(config, anl_engine_worm(both->whole, flit->worm), flit->index, flit->link,
                  line.flit);
    line.flit[at / 32] |= (uint32_t)flit->tail << at % 32;
    line.flit[(at + 1) / 32] |= (uint32_t)flit->head << (at + 1) % 32;
    return line;
}

// Says what crosses the ejection links of the whole network in the cycle that it has run, and notes
// what its terminals drive.
static void see_flits(struct both *both, struct anl_rim_line *expected)
{
    size_t count;
    const struct anl_flit *flits = anl_engine_flits(both->whole, &count);
    const uint32_t first = both->shape.switches * both->shape.ports;
    memset(expected, 0, (size_t)both->shape.terminals * both->lines * sizeof *expected);
    memset(both->injected, 0, sizeof both->injected);
    memset(both->next_credits, 0, sizeof both->next_credits);
    for (size_t i = 0; i < count; i++) {
        const uint32_t place = both->lines > 1 ? flits[i].vc : 0;
        const struct anl_end end = anl_end_of(&both->scenario.network, flits[i].link);
        if (flits[i].link >= first) {
            const uint32_t terminal = flits[i].link - first;
            both->injected[terminal * both->lines + place] = line_of(both, &flits[i]);
            both->sender[terminal * both->vcs + flits[i].vc]--;
        } else if (end.is_terminal) {
            expected[end.node * both->lines + place] = line_of(both, &flits[i]);
            both->next_credits[end.node] |= 1u << flits[i].vc;
        }
    }
}

static void compare_flits(const struct both *both)
{
    static struct anl_rim_line expected[MOST_TERMINALS * ANL_MAX_VCS];
    see_flits((struct both *)both, expected);
    for (uint32_t i = 0; i < both->shape.terminals * both->lines; i++)
        if (memcmp(anl_rim_flit(both->rim, i), &expected[i], sizeof *expected))
            fail_msg("cycle %u, line %u of\n%s", (unsigned)anl_engine_cycle(both->whole), i,
                     both->scenario.text);
}

// At the start of a cycle the states of both are the same, and a sender has the credits that the
// rim has given.
static void compare_states(const struct both *both)
{
    static struct anl_lane_state lanes[2][ROOM];
    static struct anl_port_state ports[2][ROOM];
    static struct anl_terminal_lane_state ends[2][ROOM];
    static uint32_t random[2][ROOM];
    const uint32_t num_ports = both->shape.switches * both->shape.ports;
    const struct anl_engine *const engines[] = {both->whole, anl_rim_engine(both->rim)};
    assert_true(num_ports * both->vcs <= ROOM);
    for (int e = 0; e < 2; e++) {
        struct anl_state state = {
            .lanes = lanes[e], .ports = ports[e], .random = random[e], .terminal_lanes = ends[e]};
        anl_engine_state(engines[e], &state);
    }
    assert_memory_equal(lanes[0], lanes[1], num_ports * both->vcs * sizeof *lanes[0]);
    assert_memory_equal(ports[0], ports[1], num_ports * sizeof *ports[0]);
    assert_memory_equal(random[0], random[1], both->shape.switches * sizeof *random[0]);
    for (uint32_t i = 0; i < both->shape.terminals * both->vcs; i++)
        assert_int_equal(ends[0][i].credit, both->sender[i]);
}

// Has a worm go where turns that routes have lead it, if these end at a terminal.
static void draw_route(struct both *both, struct anl_worm *worm)
{
    const struct anl_graph *graph = both->scenario.network.graph;
    const uint32_t all = graph->switches * graph->ports;
    struct anl_worm drawn = *worm;
    uint8_t *const route = both->routes[both->num_routes++ % MOST_ROUTES];
    uint32_t in = graph->homes[worm->source];
    assert_true(graph->longest_route <= MOST_PORTS);
    for (; in < all && drawn.route_length < graph->longest_route; drawn.route_length++) {
        uint32_t turns = graph->turns[in];
        for (uint32_t drop = anl_rng_below(&both->rng, 4); drop > 0 && turns & (turns - 1); drop--)
            turns &= turns - 1;
        const uint32_t port = (uint32_t)__builtin_ctz(turns);
        route[drawn.route_length] = (uint8_t)port;
        in = graph->ends[in / graph->ports * graph->ports + port];
    }
    drawn.destination = in - all;
    drawn.route = route;
    if (in >= all && !anl_own_route_check(&both->scenario.network, &drawn, NULL)) *worm = drawn;
}

static void enqueue(struct both *both, struct anl_traffic *traffic, uint64_t cycle)
{
    size_t count;
    const struct anl_new_worm *worms = anl_traffic_cycle(traffic, cycle, &count);
    for (size_t i = 0; i < count; i++) {
        struct anl_worm worm = {.source = worms[i].source,
                                .destination = worms[i].destination,
                                .length = worms[i].length,
                                .class_ = worms[i].class_,
                                .role = worms[i].role};
        if (both->scenario.network.routing == ANL_SOURCE && worm.role == ANL_PLAIN)
            draw_route(both, &worm);
        both->own_routes += worm.route != NULL;
        assert_int_equal(anl_engine_enqueue_worm(both->whole, &worm, NULL), ANL_OK);
    }
}

// The credits of a chained link are there at the start of the cycle, others at its end.
static void take_credits(struct both *both, enum anl_credit_return credits)
{
    if (both->scenario.network.credits != credits) return;
    for (uint32_t i = 0; i < both->shape.terminals * both->vcs; i++)
        both->sender[i] += anl_rim_credits(both->rim, i / both->vcs) >> i % both->vcs & 1;
}

static void run_cycle(struct both *both)
{
    struct anl_error error = {0};
    anl_engine_step(both->whole);
    take_credits(both, ANL_BYPASS);
    compare_flits(both);
    take_credits(both, ANL_REGISTERED);
    const struct anl_rim_drive drive = {both->injected, both->credits};
    if (anl_rim_cycle(both->rim, &drive, &error))
        fail_msg("%s\n%s", error.text, both->scenario.text);
    memcpy(both->credits, both->next_credits, sizeof both->credits);
}

static uint64_t run_both(struct both *both)
{
    struct anl_traffic *traffic;
    assert_int_equal(anl_traffic_create(anl_scenario_workload(&both->scenario), &traffic), ANL_OK);
    for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
        size_t count;
        enqueue(both, traffic, cycle);
        compare_states(both);
        run_cycle(both);
        const struct anl_worm *delivered = anl_engine_delivered(both->whole, &count);
        anl_traffic_delivered(traffic, delivered, count);
    }
    anl_traffic_destroy(traffic);
    return anl_engine_totals(both->whole).delivered;
}

// Rings and a mesh in which there are several routes of wired turns to a terminal.
static const char *const with_lists[] = {
    "network: {topology: graph, unsafe: true}\n"
    "graph: {switches: [a, b, c, d, e, f], terminals: [a, b, c, d, e, f],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, f], [f, a]]}\n"
    "switch: {routing: source, num_vcs: %u",
    "network: {topology: graph, unsafe: true}\n"
    "graph: {switches: [a, b, c, d, e, f], terminals: [f, b, c, d, d, a],\n"
    "  links: [[a, b], [b, c], [d, e], [e, f], [a, d], [b, e], [c, f]]}\n"
    "switch: {routing: source, link_cycles: 2, num_vcs: %u",
};
enum { WITH_LISTS = sizeof with_lists / sizeof *with_lists };

static uint32_t num_networks(void) { return num_part_networks() + WITH_LISTS; }
static const char *network_text(uint32_t n)
{
    return n < num_part_networks() ? part_network(n) : with_lists[n - num_part_networks()];
}

static void it_drives_what_the_whole_network_does(void **state)
{
    static struct both both;
    struct anl_rng rng = anl_rng_seed(37, 0);
    (void)state;
    uint32_t run = 0, with_stages = 0, with_cycles = 0, chained = 0, with_routes = 0;
    for (uint32_t n = 0; n < num_networks(); n++) {
        struct anl_scenario scenario;
        if (!draw_fitting(&rng, network_text(n), &scenario)) continue;
        make_both(&both, scenario);
        assert_true(run_both(&both) > 0);
        reset_both(&both);  // while it is full
        assert_true(run_both(&both) > 0);
        run++;
        with_stages += anl_stages(&scenario.network) > 1;
        with_cycles += anl_link_cycles(&scenario.network) > 1;
        chained += scenario.network.credits == ANL_BYPASS;
        with_routes += both.own_routes > 0;
        destroy_both(&both);
    }
    assert_true(run >= 30 && with_stages >= 10 && with_cycles >= 5 && chained >= 4 && with_routes);
}

// ---------------------------------------------------------------- what is refused

#define LISTS                                                                                      \
    "network: {topology: graph}\n"                                                                 \
    "graph: {switches: [a, b, c], terminals: [a, b, c], links: [[a, b], [b, c]]}\n"                \
    "switch: {routing: source, num_vcs: 2, depth: 2, flit_width_bits: 16}\n"
#define PAIR "network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 2, depth: 2, "

// The flits that terminal 0 drives, cycle by cycle: a letter is head (h), body (b), tail (t) or a
// worm of one flit (o), a digit its lane; "c1" is a credit of lane 1.
struct misuse {
    const char *network, *flits;
    uint32_t data;  // of heads
    const char *said;
};

static const struct misuse misuses[] = {
    {PAIR "flit_width_bits: 16}\n", "o2", 1, "link T0.inject, lane 2: bad_link"},
    {PAIR "flit_width_bits: 16}\n", "o0 b0", 1, "bad_marks"},
    {PAIR "flit_width_bits: 16}\n", "h0 h0", 1, "lane_shared"},
    {PAIR "flit_width_bits: 16}\n", "h0", 3, "label of a terminal"},
    {PAIR "flit_width_bits: 16}\n", "c1", 1, "link 0(0).T, lane 1: early_credit"},
    {PAIR "flit_width_bits: 16}\n", "c4", 1, "lane 4: bad_link"},
    {PAIR "flit_width_bits: 16, link: wide}\n", "o1", 1, "a lane of this line"},
    {PAIR "flit_width_bits: 16, length_in_head: true}\n", "h0 b0", 1 | 2 << 2, "another length"},
    {PAIR "flit_width_bits: 16, length_in_head: true}\n", "h0 t0", 1 | 3 << 2, "another length"},
    {PAIR "flit_width_bits: 16, length_in_head: true}\n", "h0", 1, "a length that"},
    {PAIR "flit_width_bits: 32, arbiter: farthest}\n", "h0", 2 | 1 << 2, "expected the distance"},
    // By way of switch 2 it is three links to terminal 1, so the first head is taken.
    {PAIR "flit_width_bits: 32, arbiter: farthest, routing: valiant}\n", "h0 h0",
     1 | 3 << 2 | 2 << 18, "lane_shared"},
    {PAIR "flit_width_bits: 32, arbiter: farthest, routing: valiant}\n", "h0", 1 | 1 << 2 | 2 << 18,
     "expected the distance"},
    // With two stages a flit is granted in cycle 1 and at the terminal in cycle 2.
    {PAIR "flit_width_bits: 16, stages: 2}\n", "o0 c0", 0,
     "cycle 1, link 0(0).T, lane 0: early_cr"},
    // The list of a worm from a to b: port 0 leads to b, from where 0 leads back, 1 to c, 2 to b's
    // terminal; a's is port 1.
    {LISTS, "h0", 1 | 1 << 2, "expected a list of output ports that leads"},
    {LISTS, "h0", 0 | 0 << 2 | 0 << 4 | 1 << 6, "each turn"},
    {LISTS, "h0", 1 | 0 << 2 | 1 << 4 | 1 << 6, "expected a list of output ports that leads"},
    {LISTS, "h0", 1 | 0 << 2 | 3 << 4, "expected a list of output ports that leads"},
};

// Returns the message of the first cycle that is refused; "": none is.
static const char *refusal(struct anl_rim *rim, const struct misuse *misuse, char *text)
{
    static struct anl_rim_line injected[8];
    struct anl_error error = {0};
    const uint32_t width = anl_rim_config(rim)->flit_width_bits;
    for (const char *at = misuse->flits; *at; at += at[2] ? 3 : 2) {
        uint32_t credits[4] = {0};
        memset(injected, 0, sizeof injected);
        const uint64_t head = *at == 'h' || *at == 'o', tail = *at == 't' || *at == 'o';
        const uint64_t flit = misuse->data * head | tail << width | head << (width + 1);
        if (*at == 'c')
            credits[0] = 1u << (at[1] - '0');
        else
            injected[0] = (struct anl_rim_line){
                true, (uint8_t)(at[1] - '0'), {(uint32_t)flit, (uint32_t)(flit >> 32)}};
        const struct anl_rim_drive drive = {injected, credits};
        if (anl_rim_cycle(rim, &drive, &error)) break;
    }
    return strcpy(text, error.text);
}

static void misuse_is_refused(void **state)
{
    char text[512];
    (void)state;
    for (size_t i = 0; i < sizeof misuses / sizeof *misuses; i++) {
        struct anl_scenario scenario = scenario_of(misuses[i].network);
        struct anl_rim *rim;
        assert_int_equal(anl_rim_create(&scenario, &rim, NULL), ANL_OK);
        for (int again = 0; again < 2; again++) {  // and so again behind a reset
            refusal(rim, &misuses[i], text);
            if (!strstr(text, misuses[i].said))
                fail_msg("%zu: found \"%s\", expected \"%s\"", i, text, misuses[i].said);
            anl_rim_reset(rim);
        }
        anl_rim_destroy(rim);
        anl_scenario_free(&scenario);
    }
}

// A sender that has spent its credits sends on.
static void a_flit_without_credit_is_refused(void **state)
{
    const struct misuse flood = {PAIR "flit_width_bits: 16}\n",
                                 "h0 b0 b0 b0 b0 b0 b0 b0 b0 b0 b0 b0", 2, ""};
    struct anl_scenario scenario = scenario_of(flood.network);
    struct anl_rim *rim;
    char text[512];
    (void)state;
    assert_int_equal(anl_rim_create(&scenario, &rim, NULL), ANL_OK);
    refusal(rim, &flood, text);
    // The terminal gives no credits back: lanes of two flits at three switches and one terminal.
    assert_non_null(strstr(text, "cycle 8, link T0.inject, lane 0: no_credit"));
    anl_rim_destroy(rim);
    anl_scenario_free(&scenario);
}

static void networks_without_a_rim_are_refused(void **state)
{
    static const char *const refused[][2] = {
        {"network: {topology: mesh, k: 3, n: 2}\nswitch: {link: wide, credits: bypass}\n",
         "within a cycle"},
        {"network: {topology: butterfly, k: 2, n: 3}\nswitch: {when_blocked: drop}\n",
         "another kind"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct anl_scenario scenario = scenario_of(refused[i][0]);
        struct anl_rim *rim;
        struct anl_error error = {0};
        assert_int_equal(anl_rim_create(&scenario, &rim, &error), ANL_ERR_ARGUMENT);
        assert_null(rim);
        if (!strstr(error.text, refused[i][1])) fail_msg("%zu: %s", i, error.text);
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_drives_what_the_whole_network_does),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(a_flit_without_credit_is_refused),
        cmocka_unit_test(networks_without_a_rim_are_refused),
    };
    return cmocka_run_group_tests_name("rim", tests, NULL, NULL);
}
