// SPDX-License-Identifier: Apache-2.0
//
// Random networks with random traffic for the tests of the blocking analysis. A trial runs the
// golden model with the oracle (oracle.h) beside it, which must have the model's registers in every
// cycle. In place of the model it may run an idler, a switch that keeps the rules of lanes and
// credits but arbitrates at random.

#ifndef ANNELID_BLOCKING_TRIAL_H
#define ANNELID_BLOCKING_TRIAL_H

#include "oracle.h"
#include "unit_draw.h"

#include <annelid/base.h>
#include <annelid/engine.h>

enum kind {
    MESH,
    TORUS,
    UNSAFE_TORUS,
    ONE_WAY,
    UNSAFE_ONE_WAY,
    CUBE,
    FAT_TREE,
    LARGE,     // mesh or torus that admits whole worms
    ADAPTIVE,  // heads select
    LOOSE,     // with escape lanes, but none is atomic
    KINDS
};
enum pattern { UNIFORM, TORNADO, HOTSPOT, PATTERNS };

struct trial {
    uint32_t number;  // seed
    struct anl_config config;
    struct anl_engine *net;  // NULL: an idler
    struct oracle *oracle;
    struct anl_rng rng;
    enum pattern pattern;
    uint32_t least, most;  // flits of a worm
    bool extremes;         // only least or most, no length between
    double chance;         // probability of a worm at a terminal in a cycle
    uint64_t period;       // cycles between bursts of a worm at every terminal; 0: no bursts
};

static inline bool may_deadlock(enum kind kind)
{
    return kind == UNSAFE_TORUS || kind == UNSAFE_ONE_WAY || kind == LOOSE;
}

static bool is_unsafe(enum kind kind) { return kind == UNSAFE_TORUS || kind == UNSAFE_ONE_WAY; }

static void print_trial(const struct trial *trial)
{
    const struct anl_config *c = &trial->config;
    print_message("trial %u (%s): %s k %u n %u %s, %u lanes of %u, %s, %s, stages %u, arbiter %s, "
                  "%s, worms of "
                  "%u to %u, pattern %d, chance %f\n",
                  trial->number, trial->net ? "model" : "idler", anl_topology_name(c->topology),
                  c->k, c->n, anl_routing_name(c->routing), c->num_vcs, c->depth,
                  anl_link_kind_name(c->link), anl_credit_return_name(c->credits), anl_stages(c),
                  anl_arbiter_name(c->arbiter), anl_flow_control_name(c->flow_control),
                  trial->least, trial->most, (int)trial->pattern, trial->chance);
}

// Fails unless what was seen of a buffer, worm or link is what was expected.
static void same(const struct trial *trial, const char *what, uint64_t which, uint64_t expected,
                 uint64_t seen)
{
    if (expected == seen) return;
    print_trial(trial);
    fail_msg("cycle %llu: %s of %llu: expected %lld, seen %lld",
             (unsigned long long)trial->oracle->cycle, what, (unsigned long long)which,
             (long long)expected, (long long)seen);
}

// ---------------------------------------------------------------- sampling

static void draw_tree(struct anl_rng *rng, struct anl_config *c)
{
    c->k = 4;
    c->n = unit_draw(rng, 1, 3);
    c->routing = (enum anl_routing)unit_draw(rng, ANL_UP_DOWN_FIXED, ANL_UP_DOWN_GREEDY);
    c->credits = (enum anl_credit_return)unit_draw(rng, ANL_REGISTERED, ANL_BYPASS);
}

static void draw_adaptive(struct anl_rng *rng, enum kind kind, struct anl_config *c)
{
    static const uint32_t most_k[] = {9, 6, 3};
    c->routing = kind == LOOSE ? ANL_ADAPTIVE
                               : (enum anl_routing)unit_draw(rng, ANL_WEST_FIRST, ANL_ADAPTIVE);
    if (c->routing == ANL_ADAPTIVE)
        c->topology = (enum anl_topology)unit_draw(rng, ANL_MESH, ANL_UNIDIRECTIONAL_TORUS);
    const bool any_n = c->routing == ANL_ADAPTIVE || c->routing == ANL_NEGATIVE_FIRST;
    c->n = any_n && kind == ADAPTIVE ? unit_draw(rng, 1, 3) : 2;
    c->k = unit_draw(rng, kind == LOOSE ? 4 : 2, most_k[c->n - 1]);
    c->select = (enum anl_select)unit_draw(rng, ANL_MOST_CREDITS, ANL_STRAIGHT_FIRST);
    if (c->routing == ANL_ADAPTIVE && kind == ADAPTIVE) c->atomic = ANL_ATOMIC_ADAPTIVE;
}

static void draw_network(struct anl_rng *rng, enum kind kind, struct anl_config *c)
{
    static const enum anl_topology topology[KINDS] = {ANL_MESH,
                                                      ANL_TORUS,
                                                      ANL_TORUS,
                                                      ANL_UNIDIRECTIONAL_TORUS,
                                                      ANL_UNIDIRECTIONAL_TORUS,
                                                      ANL_HYPERCUBE,
                                                      ANL_FAT_TREE,
                                                      ANL_MESH,
                                                      ANL_MESH,
                                                      ANL_MESH};
    static const uint32_t least_k[KINDS] = {2, 2, 5, 2, 3, 2};  // from this k on a circle can close
    c->topology = topology[kind];
    if (kind == FAT_TREE) {
        draw_tree(rng, c);
        return;
    }
    if (kind == ADAPTIVE || kind == LOOSE) {
        draw_adaptive(rng, kind, c);
        return;
    }
    c->routing = kind == CUBE ? ANL_E_CUBE : ANL_DIMENSION_ORDER;
    if (kind == TORUS || kind == ONE_WAY) c->routing = ANL_DATELINE;
    if (kind == LARGE) {
        c->topology = unit_draw(rng, 0, 1) ? ANL_MESH : ANL_TORUS;
        c->routing = c->topology == ANL_MESH ? ANL_DIMENSION_ORDER : ANL_DATELINE;
        c->n = 2, c->k = unit_draw(rng, 7, 8);
        return;
    }
    c->n = unit_draw(rng, 1, is_unsafe(kind) ? 2 : 3);
    c->k = kind == CUBE
               ? 2
               : unit_draw(rng, least_k[kind], c->n == 3 && unit_draw(rng, 0, 9) > 0 ? 3 : 5);
}

static struct anl_config draw_config(struct anl_rng *rng, enum kind kind)
{
    struct anl_config c = {.flit_width_bits = 64};
    draw_network(rng, kind, &c);
    const bool large = (c.n == 3 && c.k > 3) || kind == LARGE;
    uint32_t fewest = c.routing == ANL_DATELINE ? 2 : 1;
    if (c.routing == ANL_ADAPTIVE) fewest = c.topology == ANL_MESH ? 2 : 3;
    c.num_vcs = unit_draw(rng, fewest,
                          unit_draw(rng, fewest,
                                    large           ? 2
                                    : kind == LOOSE ? fewest
                                                    : ANL_MAX_VCS));
    if (is_unsafe(kind) && unit_draw(rng, 0, 1)) c.num_vcs = 1;
    c.depth = unit_draw(rng, 1, unit_draw(rng, 1, MAX_LANE_DEPTH));
    c.arbiter = (enum anl_arbiter)unit_draw(rng, ANL_FIXED, ANL_LAST_ARBITER);
    c.flow_control = (enum anl_flow_control)unit_draw(
        rng, kind == LARGE ? ANL_CUT_THROUGH : ANL_WORMHOLE, ANL_STORE_AND_FORWARD);
    if (kind == LARGE) c.depth = MAX_LANE_DEPTH;
    if (kind == LOOSE) c.flow_control = ANL_WORMHOLE;
    if (is_unsafe(kind) && unit_draw(rng, 0, 4) > 0) c.flow_control = ANL_WORMHOLE;
    return c;
}

static void draw_traffic(struct trial *trial, bool heavy)
{
    struct anl_rng *rng = &trial->rng;
    const bool whole = trial->config.flow_control != ANL_WORMHOLE;
    trial->most = unit_draw(rng, 1, whole ? trial->config.depth : MAX_LENGTH);
    trial->least = unit_draw(rng, 0, 1) ? trial->most : unit_draw(rng, 1, trial->most);
    if (heavy && !whole) trial->most = MAX_LENGTH, trial->least = unit_draw(rng, 1, 30);
    trial->extremes = unit_draw(rng, 0, 1);
    trial->pattern = (enum pattern)unit_draw(rng, UNIFORM, heavy ? TORNADO : HOTSPOT);
    if (heavy && unit_draw(rng, 0, 3) > 0)
        trial->pattern = TORNADO, trial->period = unit_draw(rng, 10, 100);
    const uint32_t percent = heavy ? unit_draw(rng, 80, 200) : unit_draw(rng, 2, 120);
    trial->chance = percent / 50.0 / (trial->least + trial->most);
}

// The destination is at most half way round, so that all worms go the same way.
static uint32_t tornado(const struct anl_config *c, uint32_t terminal)
{
    const uint32_t ahead = c->topology == ANL_UNIDIRECTIONAL_TORUS ? c->k - 1 : c->k / 2;
    uint32_t to = 0, weight = 1;
    for (uint32_t d = 0; d < c->n; d++, weight *= c->k)
        to += (anl_coordinate(c, terminal, d) + ahead) % c->k * weight;
    return to;
}

static uint32_t draw_destination(struct trial *trial, uint32_t terminal)
{
    const uint32_t last = trial->oracle->terminals - 1;
    if (trial->pattern == TORNADO) return tornado(&trial->config, terminal);
    if (trial->pattern == HOTSPOT && unit_draw(&trial->rng, 0, 3) == 0) return last / 2;
    return unit_draw(&trial->rng, 0, last);
}

static uint32_t draw_length(struct trial *trial)
{
    if (trial->extremes) return unit_draw(&trial->rng, 0, 1) ? trial->least : trial->most;
    return unit_draw(&trial->rng, trial->least, trial->most);
}

// ---------------------------------------------------------------- running

static void create(struct trial *trial, uint32_t source, uint32_t destination, uint32_t length)
{
    struct anl_worm worm = {.id = trial->oracle->num_worms,
                            .source = source,
                            .destination = destination,
                            .length = (uint16_t)length,
                            .created = trial->oracle->cycle};
    if (trial->net)
        assert_int_equal(anl_engine_enqueue(trial->net, source, destination, worm.length, NULL),
                         ANL_OK);
    if (trial->config.routing == ANL_UP_DOWN_FIXED)
        worm.path = trial->net ? anl_engine_worm(trial->net, worm.id)->path
                               : unit_draw(&trial->rng, 0, (1U << (trial->config.n - 1)) - 1);
    oracle_worm(trial->oracle, &worm);
}

static void create_worms(struct trial *trial)
{
    const bool burst = trial->period > 0 && trial->oracle->cycle % trial->period == 0;
    for (uint32_t t = 0; t < trial->oracle->terminals; t++) {
        const bool one = anl_rng_unit(&trial->rng) < trial->chance || burst;
        if (trial->oracle->num_worms == MAX_WORMS || !one) continue;
        const uint32_t to = draw_destination(trial, t);
        create(trial, t, to, draw_length(trial));
    }
}

static void start(struct trial *trial, struct oracle *oracle, bool idler)
{
    trial->oracle = oracle;
    oracle_reset(oracle, &trial->config);
    if (idler) return;
    assert_int_equal(anl_engine_create(&trial->config, &trial->net), ANL_OK);
    anl_engine_record(trial->net, true);
    anl_engine_reset(trial->net, trial->number);
}

// Makes the links of two in five networks wide, and half of those chained that close no circle.
static void widen(struct anl_config *c, uint32_t number, enum kind kind)
{
    if (kind == ADAPTIVE || kind == LOOSE || number / KINDS % 5 % 2 == 0) return;
    if (!anl_arbiter_has(c->arbiter, ANL_ARBITER_WIDE)) return;
    const bool rings = c->topology == ANL_TORUS || c->topology == ANL_UNIDIRECTIONAL_TORUS;
    c->link = ANL_WIDE;
    c->credits = number / KINDS % 5 == 3 && !rings ? ANL_BYPASS : ANL_REGISTERED;
}

// Gives three in seven networks switches of two stages, if their links are not chained.
static void give_stages(struct anl_config *c, uint32_t number)
{
    if (c->credits == ANL_REGISTERED) c->stages = 1 + number % 7 % 2;
}

static void draw_trial(struct trial *trial, struct oracle *oracle, uint32_t number, enum kind kind,
                       bool idler)
{
    *trial = (struct trial){.number = number, .rng = anl_rng_seed(5, number)};
    trial->config = draw_config(&trial->rng, kind);
    widen(&trial->config, number, kind);
    give_stages(&trial->config, number / KINDS);
    draw_traffic(trial, is_unsafe(kind));
    start(trial, oracle, idler);
}

// ---------------------------------------------------------------- small rings

enum { RING_DEPTH = 3, RING_LENGTH = 6, FEW_WORMS = 8, FEW_CYCLES = 4 };

static void draw_ring(struct trial *trial, struct oracle *oracle, uint32_t number)
{
    struct anl_rng *rng = &trial->rng;
    *trial = (struct trial){.number = number, .rng = anl_rng_seed(6, number), .extremes = false};
    trial->config =
        (struct anl_config){.topology = ANL_UNIDIRECTIONAL_TORUS,
                            .k = unit_draw(rng, 3, 4),
                            .n = 1,
                            .num_vcs = unit_draw(rng, 0, 3) == 0 ? 2 : 1,
                            .depth = unit_draw(rng, 1, RING_DEPTH),
                            .flit_width_bits = 64,
                            .routing = ANL_DIMENSION_ORDER,
                            .arbiter = (enum anl_arbiter)unit_draw(rng, ANL_FIXED, ANL_AGE)};
    if (number % 3 == 1) trial->config.link = ANL_WIDE;
    give_stages(&trial->config, number);
    const bool whole = unit_draw(rng, 0, 3) == 0;
    if (whole)
        trial->config.flow_control =
            (enum anl_flow_control)unit_draw(rng, ANL_CUT_THROUGH, ANL_STORE_AND_FORWARD);
    trial->least = 1;
    trial->most = whole ? trial->config.depth : RING_LENGTH;
    start(trial, oracle, unit_draw(rng, 0, 3) == 0);
}

static void create_few(struct trial *trial, uint32_t most)
{
    struct oracle *j = trial->oracle;
    for (uint32_t t = 0; t < j->terminals; t++) {
        if (j->num_worms == most || unit_draw(&trial->rng, 0, 2) == 0) continue;
        trial->pattern = unit_draw(&trial->rng, 0, 3) > 0 ? TORNADO : UNIFORM;
        const uint32_t length = draw_length(trial);
        create(trial, t, draw_destination(trial, t), length);
    }
}

// Cut-through lanes of two flits on wide links: six worms of two flits hold each other in a ring of
// three, two of one flit stand behind them in the injection lanes of source 0, and at its senders
// are a worm that is longer than what can ever enter these lanes, and behind it one that is not.
// Returns the number of the last one.
static inline uint32_t short_behind_long(struct trial *trial, struct oracle *oracle)
{
    static const uint32_t sources[] = {0, 0, 1, 1, 2, 2, 0, 0, 0, 0},
                          lengths[] = {2, 2, 2, 2, 2, 2, 1, 1, 2, 1};
    enum { WORMS = sizeof lengths / sizeof *lengths };
    *trial = (struct trial){.config = {.topology = ANL_UNIDIRECTIONAL_TORUS,
                                       .k = 3,
                                       .n = 1,
                                       .num_vcs = 2,
                                       .depth = 2,
                                       .flit_width_bits = 64,
                                       .link = ANL_WIDE,
                                       .flow_control = ANL_CUT_THROUGH}};
    start(trial, oracle, false);
    for (uint32_t w = 0; w < WORMS; w++)
        create(trial, sources[w], (sources[w] + 2) % 3, lengths[w]);
    return WORMS - 1;
}

// ---------------------------------------------------------------- the model's registers
//
// A switch of two stages is ahead of its links: what crosses one of them in this cycle was granted
// in the cycle before, and the registers show that. (The flit itself is in a register behind them.)

// Returns the flit that such a switch has granted a lane and that crosses to it now; NULL: none.
static const struct flit *granted(const struct oracle *j, uint32_t lane)
{
    return has_stages(j) && lane / j->c.num_vcs < j->switches * j->ports ? j->buffer[lane].comes
                                                                         : NULL;
}

// Returns the buffer from which flits come to a lane that is owned, as the switch has it;
// ANL_NOTHING: it is not owned.
static uint32_t feed_of(const struct oracle *j, uint32_t lane)
{
    const struct flit *flit = granted(j, lane);
    if (!flit) return j->buffer[lane].owner == ANL_NOTHING ? ANL_NOTHING : j->buffer[lane].feed;
    return flit->index + 1 < length_of(j, flit->worm) ? flit->buffer : ANL_NOTHING;
}

static void same_input(const struct trial *trial, uint32_t p, const struct anl_lane_state *lane)
{
    const struct oracle *j = trial->oracle;
    const struct flit *front = j->buffer[p].front;
    uint32_t to = ANL_NOTHING;
    for (uint32_t i = 0; i < j->ports * j->c.num_vcs; i++) {
        const uint32_t x = first_link(j, p) * j->c.num_vcs + i;
        if (feed_of(j, x) == p) to = x;
    }
    const bool bound = to != ANL_NOTHING;
    same(trial, "count", p, flits_in(j, p) - (has_stages(j) && front && front->moves), lane->count);
    same(trial, "bound", p, bound, lane->bound);
    same(trial, "bound_port", p, bound ? j->buffer[to].is.link % j->ports : 0, lane->bound_port);
    same(trial, "bound_vc", p, bound ? j->buffer[to].is.vc : 0, lane->bound_vc);
}

static void same_output(const struct trial *trial, uint32_t p, const struct anl_lane_state *lane)
{
    const struct oracle *j = trial->oracle;
    const uint32_t feed = feed_of(j, p);
    const bool owned = feed != ANL_NOTHING;
    same(trial, "credit", p, credits(j, p) - (granted(j, p) != NULL), lane->credit);
    same(trial, "owned", p, owned, lane->owned);
    same(trial, "owner_port", p, owned ? j->buffer[feed].port : 0, lane->owner_port);
    same(trial, "owner_vc", p, owned ? j->buffer[feed].is.vc : 0, lane->owner_vc);
}

static void same_terminal_lane(const struct trial *trial, uint32_t t, uint32_t v,
                               const struct anl_terminal_lane_state *lane)
{
    const struct oracle *j = trial->oracle;
    const uint32_t out = anl_ejection_link(&j->c, t) * j->c.num_vcs + v;
    const uint32_t in = (j->switches * j->ports + t) * j->c.num_vcs + v;
    same(trial, "ejection count", out, flits_in(j, out), lane->count);
    same(trial, "injection credit", in, credits(j, in), lane->credit);
    same(trial, "injection bound", in, j->buffer[in].owner != ANL_NOTHING, lane->bound);
}

// Returns the registers at the start of a cycle.
static const struct anl_state *see_state(const struct trial *trial)
{
    static struct anl_lane_state lanes[MAX_SWITCHES * 7 * ANL_MAX_VCS];
    static struct anl_port_state ports[MAX_SWITCHES * 7];
    static struct anl_terminal_lane_state terminal_lanes[MAX_SWITCHES * ANL_MAX_VCS];
    static uint32_t random[MAX_SWITCHES];
    static struct anl_state state = {
        .lanes = lanes, .ports = ports, .random = random, .terminal_lanes = terminal_lanes};
    if (!trial->net) return NULL;
    anl_engine_state(trial->net, &state);
    return &state;
}

static void same_state(const struct trial *trial, const struct anl_state *state)
{
    const struct oracle *j = trial->oracle;
    const uint32_t vcs = j->c.num_vcs;
    const struct anl_lane_state *lanes = state->lanes;
    for (uint32_t p = 0; p < j->links * vcs; p++) {
        const struct buffer *buffer = &j->buffer[p];
        if (buffer->node != ANL_NOTHING)
            same_input(trial, p,
                       &lanes[(buffer->node * j->ports + buffer->port) * vcs + buffer->is.vc]);
        if (p < j->switches * j->ports * vcs) same_output(trial, p, &lanes[p]);
    }
    for (uint32_t t = 0; t < j->terminals; t++)
        for (uint32_t v = 0; v < vcs; v++)
            same_terminal_lane(trial, t, v, &state->terminal_lanes[t * vcs + v]);
}

// ---------------------------------------------------------------- an idler

// Draws a lane that the front flit of a buffer can enter, or returns ANL_NOTHING. leaves has the
// lanes whose front already leaves in this cycle; with credit bypass that is one more credit.
static uint32_t draw_lane(struct trial *trial, uint32_t p, const bool *leaves)
{
    const struct oracle *j = trial->oracle;
    const struct flit *front = j->buffer[p].front;
    const struct want want = wanted(j, p, front);
    uint32_t lanes[MAX_WANTED], count = 0;
    if (is_in_first_stage(j, front) || waits_for_tail(j, p, front)) return ANL_NOTHING;
    for (uint32_t i = 0; i < want.count; i++) {
        const uint32_t lane = want.lanes[i];
        const uint32_t room = credits(j, lane) - is_credit_under_way(j, lane) +
                              (is_chained(j, lane, front) && leaves[lane]);
        if (is_open(j, lane, front) && room >= need(j, lane, front)) lanes[count++] = lane;
    }
    return count == 0 ? ANL_NOTHING : lanes[unit_draw(&trial->rng, 0, count - 1)];
}

// Returns whether an earlier worm of the same source does not begin, as far as is drawn.
static bool is_out_of_order(const struct oracle *j, uint32_t p, const bool *leaves)
{
    const struct buffer *buffer = &j->buffer[p];
    for (uint32_t i = 0; is_source(j, p) && buffer->front->index == 0 && i < num_senders(j); i++) {
        const uint32_t at = sender_at(j, buffer->is.terminal, i);
        const struct flit *front = j->buffer[at].front;
        if (front && front->index == 0 && front->worm < buffer->front->worm && !leaves[at])
            return true;
    }
    return false;
}

// Flits that can move do so or not, at most one on a line; if links are shared also at most one
// from an input port.
static const struct anl_flit *idle(struct trial *trial, size_t *count)
{
    static struct anl_flit flits[MAX_BUFFERS];
    static bool crossed[MAX_BUFFERS], left[MAX_LINKS], leaves[MAX_BUFFERS];
    const struct oracle *j = trial->oracle;
    const uint32_t first = unit_draw(&trial->rng, 0, j->buffers - 1);
    memset(crossed, 0, sizeof crossed);
    memset(left, 0, sizeof left);
    memset(leaves, 0, sizeof leaves);
    for (uint32_t p = 0; p < j->links * j->c.num_vcs; p++)
        leaves[p] = is_wide(j) && is_ejection(j, p) && j->buffer[p].front;
    for (uint32_t i = 0; i < j->buffers; i++) {
        const uint32_t p = (first + i) % j->buffers, from = j->buffer[p].is.link;
        const struct flit *front = j->buffer[p].front;
        if (!front || is_ejection(j, p) || (!is_source(j, p) && left[from])) continue;
        const uint32_t lane = draw_lane(trial, p, leaves), line = line_of(j, lane);
        if (lane == ANL_NOTHING || crossed[line] || unit_draw(&trial->rng, 0, 3) == 0) continue;
        if (is_out_of_order(j, p, leaves)) continue;
        crossed[line] = leaves[p] = true;
        if (!is_source(j, p) && !is_wide(j)) left[from] = true;
        flits[line] = (struct anl_flit){.link = lane / j->c.num_vcs,
                                        .worm = front->worm,
                                        .index = (uint16_t)front->index,
                                        .vc = (uint8_t)(lane % j->c.num_vcs),
                                        .head = front->index == 0,
                                        .tail = front->index + 1 == length_of(j, front->worm)};
    }
    *count = 0;
    for (uint32_t l = 0; l < j->buffers; l++)
        if (crossed[l]) flits[(*count)++] = flits[l];
    return flits;
}

static const struct anl_flit *step(struct trial *trial, size_t *count)
{
    if (!trial->net) return idle(trial, count);
    anl_engine_step(trial->net);
    return anl_engine_flits(trial->net, count);
}

// Runs one cycle of network and oracle; oracle_advance() ends it.
static const struct anl_flit *cycle(struct trial *trial, size_t *count)
{
    oracle_take_senders(trial->oracle);
    const struct anl_state *state = see_state(trial);
    const struct anl_flit *flits = step(trial, count);
    oracle_cycle(trial->oracle, flits, *count);
    if (state) same_state(trial, state);
    return flits;
}

#endif
