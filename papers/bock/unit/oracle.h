// SPDX-License-Identifier: Apache-2.0
//
// A second, slow model of sliding diagonals, for tests. It is written from papers/bock/diagonals.md
// as a network of nodes: each node looks at its registers, and a flit behind a head knows only the
// latch of its register, which says where the head went. It shares no code with the model.

#ifndef ANL_UNIT_DIAGONALS_ORACLE_H
#define ANL_UNIT_DIAGONALS_ORACLE_H

#include "unit.h"

#include <annelid/diagonals.h>
#include <string.h>

// Ways beside registers; a register without a flit.
enum { GONE = -1, HERE = -2, NOT_ASKED = -3, NOBODY = -1 };

struct oracle_flit {
    int worm;
    uint32_t index;
};

struct oracle {
    struct anl_diagonals_config config;
    uint32_t nodes, links;
    uint64_t step, moves;            // moves: flits that went to a register
    struct oracle_flit *now, *next;  // [links]
    int *latches;                    // [links] way of the head that was here last
    int *ways;                       // [links] of this step
    int *taken;                      // [nodes * d] batch whose worm took it in a stage, + 1
    struct anl_diagonals_worm *worms;
    size_t count;
};

static uint32_t power(uint32_t n, uint32_t d) { return d == 0 ? 1 : n * power(n, d - 1); }

static uint32_t at(const struct oracle *oracle, uint32_t node, uint32_t dim)
{
    return node / power(oracle->config.n, dim) % oracle->config.n;
}

// Returns the register at the end of the link that leaves a node in a direction.
static int link_from(const struct oracle *oracle, uint32_t node, uint32_t dim, bool minus)
{
    const uint32_t n = oracle->config.n, here = at(oracle, node, dim);
    const uint32_t there = (here + (minus ? n - 1 : 1)) % n;
    const uint32_t to = node + (there - here) * power(n, dim);
    return (int)(to * 2 * oracle->config.d + 2 * dim + minus);
}

static bool slot_at(const struct oracle *oracle, uint32_t x, uint32_t y)
{
    const struct anl_diagonals_config *config = &oracle->config;
    for (uint32_t g = y % config->a; g * config->b * config->length < config->n; g += config->a)
        if ((x + y) % config->n == g * config->b * config->length) return true;
    return false;
}

// When a step is, for one batch.
struct oracle_time {
    uint32_t stage, phase, u, round;  // phase 0 .. 4, 5 is the delivery
};

static bool oracle_when(const struct oracle *oracle, uint32_t batch, struct oracle_time *time)
{
    const struct anl_diagonals_config *config = &oracle->config;
    const uint64_t stage = anl_diagonals_stage_cycles(config), around = config->n + config->length;
    const uint64_t begin = batch * (config->d == 2 ? stage + around : 2 * stage);
    if (oracle->step < begin) return false;
    uint64_t left = oracle->step - begin;
    *time = (struct oracle_time){.stage = (uint32_t)(left / stage)};
    left %= stage;
    time->u = (uint32_t)left;
    if (time->stage + 1 == config->d) time->phase = 5;
    if (time->stage + 1 >= config->d) return time->stage + 1 == config->d && left < around;
    for (time->phase = 0; time->phase < 3 && left >= around; time->phase++)
        left -= around;
    time->u = (uint32_t)left;
    if (time->phase < 3 || left < config->c + 2 * config->length) return true;
    left -= config->c + 2 * config->length;
    time->phase = 4;
    time->u = (uint32_t)(left % config->round_cycles);
    time->round = (uint32_t)(left / config->round_cycles);
    return true;
}

static int way_of(struct oracle *oracle, int link);

static bool stands(struct oracle *oracle, int link)
{
    return oracle->now[link].worm != NOBODY && way_of(oracle, link) == HERE;
}

struct oracle_head {
    uint32_t node, x_dim, x, y, to_x, to_y;
    bool on_x, on_y, minus;  // neither: it is in another dimension
    struct oracle_time time;
    int worm;
};

static int go(const struct oracle *oracle, const struct oracle_head *head, char axis, bool minus)
{
    return link_from(oracle, head->node, head->x_dim + (axis == 'y'), minus);
}

static bool head_comes_up(const struct oracle *oracle, const struct oracle_head *head)
{
    const uint32_t link = head->node * 2 * oracle->config.d + 2 * (head->x_dim + 1);
    return oracle->now[link].worm != NOBODY && oracle->now[link].index == 0;
}

static int distribute(struct oracle *oracle, const struct oracle_head *head)
{
    const uint32_t n = oracle->config.n;
    if (!head->minus)
        return slot_at(oracle, head->x, head->y) ? HERE : go(oracle, head, 'x', false);
    int *taken = &oracle->taken[head->node * oracle->config.d + head->x_dim];
    const int batch = (int)oracle->worms[head->worm].batch;
    if (slot_at(oracle, (head->x + oracle->config.length) % n, head->y) && *taken != batch + 1) {
        *taken = batch + 1;
        return go(oracle, head, 'x', false);
    }
    return head->time.u < n ? go(oracle, head, 'x', true) : GONE;
}

static int climb(struct oracle *oracle, const struct oracle_head *head)
{
    const uint32_t height = oracle->config.c * oracle->config.length, n = oracle->config.n;
    const uint32_t first = head->y / height * height;
    const uint32_t last = first + height > n ? n - 1 : first + height - 1;
    if (head->y < last) return go(oracle, head, 'y', false);
    const int down = go(oracle, head, 'y', true);
    const bool no_room = last - first < oracle->config.length || stands(oracle, down);
    return no_room ? GONE : down;
}

static int settle(struct oracle *oracle, const struct oracle_head *head)
{
    const struct anl_diagonals_config *config = &oracle->config;
    const uint32_t u = head->time.u, f = config->forward, l = config->length;
    if (head->on_y && !head->minus) return climb(oracle, head);
    if (head->on_y) {
        const uint32_t height = config->c * l, first = head->y / height * height;
        const uint32_t rows = first + height > config->n ? config->n - first : height;
        const int down = go(oracle, head, 'y', true);
        return head->y - first == (rows - 1) % l || stands(oracle, down) ? HERE : down;
    }
    if (u >= 2 * f + 2 * l) return HERE;
    if (u >= 2 * f + l) return go(oracle, head, 'x', false);
    if (u >= f) return go(oracle, head, 'x', true);
    if (head->x == head->to_x && !head_comes_up(oracle, head)) {
        const int way = climb(oracle, head);
        if (way != GONE) return way;
    }
    return go(oracle, head, 'x', false);
}

static int way_of_head(struct oracle *oracle, const struct oracle_head *head)
{
    const struct anl_diagonals_config *config = &oracle->config;
    const uint32_t u = head->time.u;
    if (head->time.phase == 5) {
        if (!head->on_y) return GONE;
        return head->y == head->to_y ? GONE : go(oracle, head, 'y', true);
    }
    if (!head->on_x && !head->on_y) return GONE;
    switch (head->time.phase) {
    case 0:
        return distribute(oracle, head);
    case 1:
    case 2:
        if (head->on_y) return go(oracle, head, 'y', false);
        if (u < config->n && !head_comes_up(oracle, head) &&
            (head->time.phase == 2 || head->x / config->c == head->to_x / config->c))
            return go(oracle, head, 'y', false);
        return go(oracle, head, 'x', false);
    case 3:
        return go(oracle, head, 'x', u < config->c + config->length);
    default:
        return settle(oracle, head);
    }
}

static int find_way(struct oracle *oracle, int link)
{
    const struct oracle_flit flit = oracle->now[link];
    const uint32_t d = oracle->config.d, dim = (uint32_t)link / 2 % d;
    if (flit.index > 0) {
        const int ahead = oracle->latches[link];
        const bool waits = ahead >= 0 && oracle->now[ahead].worm == flit.worm &&
                           oracle->now[ahead].index + 1 == flit.index && stands(oracle, ahead);
        return waits ? HERE : ahead;
    }
    const struct anl_diagonals_worm *worm = &oracle->worms[flit.worm];
    struct oracle_head head = {.node = (uint32_t)link / (2 * d), .worm = flit.worm};
    assert_true(oracle_when(oracle, worm->batch, &head.time));
    head.x_dim = head.time.phase == 5 ? d - 2 : head.time.stage;
    head.x = at(oracle, head.node, head.x_dim);
    head.y = at(oracle, head.node, head.x_dim + 1);
    head.to_x = at(oracle, worm->destination, head.x_dim);
    head.to_y = at(oracle, worm->destination, head.x_dim + 1);
    head.on_x = dim == head.x_dim;
    head.on_y = dim == head.x_dim + 1;
    head.minus = link & 1;
    return way_of_head(oracle, &head);
}

// Returns where the flit in a register goes in this step.
static int way_of(struct oracle *oracle, int link)
{
    if (oracle->ways[link] == NOT_ASKED) oracle->ways[link] = find_way(oracle, link);
    return oracle->ways[link];
}

// Puts a flit into a register, in which there must be none.
static void put(struct oracle *oracle, int link, struct oracle_flit flit)
{
    assert_int_equal(oracle->next[link].worm, NOBODY);
    oracle->next[link] = flit;
}

static void leave(struct oracle *oracle, int link)
{
    const struct oracle_flit flit = oracle->now[link];
    struct anl_diagonals_worm *worm = &oracle->worms[flit.worm];
    if (flit.index == 0) worm->node = (uint32_t)link / (2 * oracle->config.d);
    if (flit.index + 1 == oracle->config.length) worm->cycle = oracle->step;
}

static void inject(struct oracle *oracle)
{
    struct oracle_time time;
    for (size_t i = 0; i < oracle->count; i++) {
        if (!oracle_when(oracle, oracle->worms[i].batch, &time)) continue;
        if (time.stage > 0 || time.phase > 0 || time.u >= oracle->config.length) continue;
        const int link = link_from(oracle, oracle->worms[i].source, 0, true);
        put(oracle, link, (struct oracle_flit){(int)i, time.u});
        oracle->moves++;
    }
}

static void oracle_step(struct oracle *oracle)
{
    int *ways = oracle->ways;
    for (uint32_t link = 0; link < oracle->links; link++) {
        oracle->next[link].worm = NOBODY;
        ways[link] = NOT_ASKED;
    }
    inject(oracle);
    for (uint32_t link = 0; link < oracle->links; link++)
        if (oracle->now[link].worm != NOBODY) way_of(oracle, (int)link);
    for (uint32_t link = 0; link < oracle->links; link++) {
        const struct oracle_flit flit = oracle->now[link];
        if (flit.worm == NOBODY) continue;
        if (ways[link] != HERE && flit.index == 0) oracle->latches[link] = ways[link];
        oracle->moves += ways[link] >= 0;
        if (ways[link] == GONE)
            leave(oracle, (int)link);
        else
            put(oracle, ways[link] == HERE ? (int)link : ways[link], flit);
    }
    struct oracle_flit *now = oracle->now;
    oracle->now = oracle->next;
    oracle->next = now;
    oracle->step++;
}

static struct oracle oracle_make(const struct anl_diagonals_config *config,
                                 struct anl_diagonals_worm *worms, size_t count)
{
    const uint32_t nodes = power(config->n, config->d), links = nodes * 2 * config->d;
    struct oracle oracle = {*config, nodes, links, .worms = worms, .count = count};
    oracle.now = malloc(links * sizeof *oracle.now);
    oracle.next = malloc(links * sizeof *oracle.next);
    oracle.latches = calloc(links, sizeof *oracle.latches);
    oracle.ways = malloc(links * sizeof *oracle.ways);
    oracle.taken = calloc((size_t)nodes * config->d, sizeof *oracle.taken);
    for (uint32_t link = 0; link < links; link++)
        oracle.now[link] = oracle.next[link] = (struct oracle_flit){NOBODY, 0};
    return oracle;
}

static void oracle_free(struct oracle *oracle)
{
    free(oracle->now);
    free(oracle->next);
    free(oracle->latches);
    free(oracle->ways);
    free(oracle->taken);
}

#endif
