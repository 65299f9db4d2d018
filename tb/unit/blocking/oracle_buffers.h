// SPDX-License-Identifier: Apache-2.0
//
// The state of the oracle of the blocking analysis (oracle.h): every flit is an object in the list
// of its buffer.

#ifndef ANNELID_BLOCKING_ORACLE_BUFFERS_H
#define ANNELID_BLOCKING_ORACLE_BUFFERS_H

#include "unit.h"

#include <annelid/blocking.h>
#include <annelid/network.h>
#include <string.h>

enum {
    MAX_SWITCHES = 125,
    MAX_LINKS = MAX_SWITCHES * 8,
    MAX_BUFFERS = (MAX_LINKS + MAX_SWITCHES) * ANL_MAX_VCS,
    MAX_LENGTH = 30,
    MAX_WORMS = 1000,
    MAX_LANE_DEPTH = 8,
    MAX_RUNS = MAX_LANE_DEPTH + 1,  // one more for an owner with no flits in the lane
    MAX_WANTED = 7 * ANL_MAX_VCS,   // lanes of all ports
};

#define ENDLESS UINT32_MAX
#define NEVER UINT64_MAX

struct flit {
    uint32_t worm, index;
    uint32_t buffer;      // ANL_NOTHING: the terminal has taken it
    struct flit *behind;  // next flit in the same buffer
    uint64_t since;       // first cycle in which it is in the buffer
    bool moves;           // in this cycle
    uint32_t to;          // buffer that it moves to
};

// Lanes that a flit may enter, ascending.
struct want {
    uint32_t lanes[MAX_WANTED], count;
};

struct buffer {
    struct flit *front, *back;
    uint32_t node, port;   // its switch and input port; ANL_NOTHING: ejection link, or no link
    uint32_t owner, feed;  // of a lane: worm or ANL_NOTHING; feeding buffer, if owned
    struct flit *was_front;
    const struct flit *comes;                       // flit that crosses to this lane in this cycle
    uint64_t left;                                  // last cycle in which a flit left the lane
    struct anl_buffer is;                           // what the blocking analysis must answer
    struct want want;                               // lanes that the front flit wants
    uint32_t waits_for[MAX_WANTED], num_waits_for;  // ascending by lane of the set
    uint32_t leave;                                 // number of flits that can ever leave
};

struct worm {
    struct flit flits[MAX_LENGTH];
    struct anl_life life;    // without delays
    uint64_t delayed;        // cycles in which it had a root blocker
    struct anl_stall ended;  // stall that ended in this cycle; worm ANL_NOTHING: none
    bool had_sender;         // it has or had a sender of its source
    bool gone;               // delivered before this cycle
    bool has_head;           // its head is in a lane or at the front of a source
    bool stuck, was_stuck;   // in this cycle, in the previous one
    uint64_t head_moved;     // last cycle in which its head crossed a link
    uint32_t buffers;        // number of buffers that hold its flits or that it owns
};

struct oracle {
    struct anl_config c;
    uint32_t switches, ports, terminals, links, buffers, num_worms;
    uint64_t cycle;
    struct buffer buffer[MAX_BUFFERS];
    struct worm worm[MAX_WORMS];
    uint32_t delays[MAX_WORMS][MAX_WORMS];  // [W][W']: cycles in which W' delayed W
    uint32_t crossed[MAX_BUFFERS];          // [line] buffer whose flit crosses now
    uint32_t heads[MAX_LINKS];              // heads that have crossed the link
    struct anl_blocking_totals totals;
    uint64_t deadlocked;
    uint32_t circle[MAX_WORMS];  // the deadlock as it closed
    size_t circle_length;
};

// ---------------------------------------------------------------- buffers and flits

static bool is_source(const struct oracle *j, uint32_t p) { return p >= j->links * j->c.num_vcs; }

static bool is_ejection(const struct oracle *j, uint32_t p)
{
    return !is_source(j, p) && j->buffer[p].is.terminal != ANL_NOTHING;
}

static uint32_t length_of(const struct oracle *j, uint32_t worm)
{
    return j->worm[worm].life.worm.length;
}

// Returns whether a head may take the lane only if it is empty: an adaptive lane of a link between
// switches.
static bool is_atomic(const struct oracle *j, uint32_t lane)
{
    const struct buffer *buffer = &j->buffer[lane];
    if (j->c.atomic != ANL_ATOMIC_ADAPTIVE || buffer->is.terminal != ANL_NOTHING) return false;
    return buffer->is.link < j->switches * j->ports &&
           !(anl_escape_lanes(&j->c) >> buffer->is.vc & 1);
}

static uint32_t need(const struct oracle *j, uint32_t lane, const struct flit *flit)
{
    if (flit->index > 0) return 1;
    if (is_atomic(j, lane)) return j->c.depth;
    return j->c.flow_control != ANL_WORMHOLE ? length_of(j, flit->worm) : 1;
}

static uint32_t flits_of(const struct oracle *j, uint32_t p, uint32_t worm)
{
    uint32_t count = 0;
    for (const struct flit *f = j->buffer[p].front; f; f = f->behind)
        count += f->worm == worm;
    return count;
}

static uint32_t flits_in(const struct oracle *j, uint32_t p)
{
    uint32_t count = 0;
    for (const struct flit *f = j->buffer[p].front; f; f = f->behind)
        count++;
    return count;
}

static bool is_wide(const struct oracle *j) { return j->c.link == ANL_WIDE; }

// Returns the line by which a flit enters a lane: the lane's own, or that of the whole link.
static uint32_t line_of(const struct oracle *j, uint32_t lane)
{
    return is_wide(j) ? lane : lane / j->c.num_vcs;
}

// ---------------------------------------------------------------- senders of a source

static uint32_t num_senders(const struct oracle *j) { return is_wide(j) ? j->c.num_vcs : 1; }

static uint32_t sender_at(const struct oracle *j, uint32_t terminal, uint32_t sender)
{
    return j->links * j->c.num_vcs + sender * j->terminals + terminal;
}

// Returns the first worm of the source at whose front its head is, is not `before` or later, and
// for which holds() is true; ANL_NOTHING.
static uint32_t earlier_head(const struct oracle *j, uint32_t p, uint32_t before,
                             bool (*holds)(const struct oracle *j, const struct flit *head))
{
    uint32_t first = ANL_NOTHING;
    for (uint32_t i = 0; is_source(j, p) && i < num_senders(j); i++) {
        const struct flit *front = j->buffer[sender_at(j, j->buffer[p].is.terminal, i)].front;
        if (!front || front->index > 0 || front->worm >= before || !holds(j, front)) continue;
        if (first == ANL_NOTHING || front->worm < first) first = front->worm;
    }
    return first;
}

static bool stays(const struct oracle *j, const struct flit *head)
{
    (void)j;
    return !head->moves;
}

static uint32_t credits(const struct oracle *j, uint32_t p) { return j->c.depth - flits_in(j, p); }

// Returns whether a credit that comes back from a lane counts for the flit in the same cycle. If
// credits are bypassed it does on up links of a fat-tree and injection links; if links are wide it
// does on all of them, but not for heads.
static bool is_chained(const struct oracle *j, uint32_t p, const struct flit *flit)
{
    const uint32_t link = p / j->c.num_vcs;
    if (j->c.credits != ANL_BYPASS) return false;
    if (is_wide(j)) return flit->index > 0;
    return link >= j->switches * j->ports || link % j->ports >= 4;
}

static bool has_stages(const struct oracle *j) { return j->c.stages == 2; }

// Returns whether a flit is in the first of two stages: it came to its switch in the cycle before.
static bool is_in_first_stage(const struct oracle *j, const struct flit *flit)
{
    return has_stages(j) && j->buffer[flit->buffer].node != ANL_NOTHING && flit->since == j->cycle;
}

// Returns whether the credit of a flit that left a lane is on its way to a switch of two stages.
static bool is_credit_under_way(const struct oracle *j, uint32_t p)
{
    return has_stages(j) && p / j->c.num_vcs < j->switches * j->ports && j->cycle > 0 &&
           j->buffer[p].left == j->cycle - 1;
}

// Returns whether a head has to wait until the tail of its worm is in its lane and, with two
// stages, was there in the cycle before.
static bool waits_for_tail(const struct oracle *j, uint32_t p, const struct flit *head)
{
    if (head->index > 0 || is_source(j, p) || j->c.flow_control != ANL_STORE_AND_FORWARD)
        return false;
    const struct flit *tail = &j->worm[head->worm].flits[length_of(j, head->worm) - 1];
    return tail->buffer != p || is_in_first_stage(j, tail);
}

// Returns the credits that count for the flit in this cycle. It must be known already which flits
// move in it; a terminal takes what is in its lanes.
static uint32_t credits_now(const struct oracle *j, uint32_t p, const struct flit *flit)
{
    const bool comes_back = j->buffer[p].front && (j->buffer[p].front->moves || is_ejection(j, p));
    return credits(j, p) + (is_chained(j, p, flit) && comes_back) - is_credit_under_way(j, p);
}

static void append(struct oracle *j, uint32_t p, struct flit *flit)
{
    struct buffer *buffer = &j->buffer[p];
    flit->buffer = p;
    flit->since = j->cycle;
    flit->behind = NULL;
    if (buffer->front) buffer->back->behind = flit;
    if (!buffer->front) buffer->front = flit;
    buffer->back = flit;
}

static void buffer_lanes(struct oracle *j, uint32_t link, struct anl_end end)
{
    for (uint32_t v = 0; v < j->c.num_vcs; v++) {
        struct buffer *buffer = &j->buffer[link * j->c.num_vcs + v];
        buffer->is = (struct anl_buffer){.link = link, .vc = v, .terminal = ANL_NOTHING};
        buffer->node = buffer->port = buffer->owner = ANL_NOTHING;
        buffer->left = NEVER;
        if (end.exists && end.is_terminal) buffer->is.terminal = end.node;
        if (end.exists && !end.is_terminal) buffer->node = end.node, buffer->port = end.port;
    }
}

static void place_terminal(struct oracle *j, uint32_t terminal)
{
    const uint32_t out = anl_ejection_link(&j->c, terminal);
    const struct anl_end inject = {.exists = true, .node = out / j->ports, .port = out % j->ports};
    buffer_lanes(j, j->switches * j->ports + terminal, inject);
    for (uint32_t i = 0; i < num_senders(j); i++) {
        struct buffer *sender = &j->buffer[sender_at(j, terminal, i)];
        sender->is = (struct anl_buffer){.link = ANL_NOTHING, .vc = i, .terminal = terminal};
        sender->node = sender->port = sender->owner = ANL_NOTHING;
    }
}

static void oracle_reset(struct oracle *j, const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    memset(j, 0, sizeof *j);
    j->c = *config;
    j->switches = shape.switches, j->ports = shape.ports, j->links = shape.links;
    j->terminals = shape.terminals;
    j->buffers = shape.links * config->num_vcs + shape.terminals * num_senders(j);
    j->deadlocked = NEVER;
    assert_true(j->terminals <= MAX_SWITCHES && j->links <= MAX_LINKS);
    assert_true(j->c.depth <= MAX_LANE_DEPTH);
    for (uint32_t s = 0; s < j->switches; s++)
        for (uint32_t o = 0; o < j->ports; o++)
            buffer_lanes(j, s * j->ports + o, anl_link_end(config, s, o));
    for (uint32_t t = 0; t < j->terminals; t++)
        place_terminal(j, t);
}

static void oracle_worm(struct oracle *j, const struct anl_worm *worm)
{
    assert_true(j->num_worms < MAX_WORMS && worm->length <= MAX_LENGTH);
    assert_int_equal(worm->id, j->num_worms);
    struct worm *w = &j->worm[j->num_worms++];
    w->life = (struct anl_life){.worm = *worm, .injected = NEVER, .delivered = NEVER};
    w->life.stall.worm = w->life.longest.worm = w->ended.worm = ANL_NOTHING;
    w->head_moved = NEVER;
    for (uint32_t i = 0; i < worm->length; i++) {
        w->flits[i] = (struct flit){.worm = worm->id, .index = i};
        w->flits[i].buffer = sender_at(j, worm->source, 0);  // behind others, no sender yet
    }
    j->totals.worms++;
}

// Gives the free senders of each source to the worms that wait for them, before flits move.
static void oracle_take_senders(struct oracle *j)
{
    for (uint32_t id = 0; id < j->num_worms; id++) {
        struct worm *w = &j->worm[id];
        uint32_t sender = 0;
        while (sender < num_senders(j) &&
               j->buffer[sender_at(j, w->life.worm.source, sender)].front)
            sender++;
        if (w->had_sender || sender == num_senders(j)) continue;
        w->had_sender = true;
        for (uint32_t i = 0; i < w->life.worm.length; i++)
            append(j, sender_at(j, w->life.worm.source, sender), &w->flits[i]);
    }
}

// ---------------------------------------------------------------- what is wanted

// Returns the first link that flits of a buffer may cross: that of port 0 of its switch, or the one
// link of a source.
static uint32_t first_link(const struct oracle *j, uint32_t p)
{
    const struct buffer *buffer = &j->buffer[p];
    if (is_source(j, p)) return j->switches * j->ports + buffer->is.terminal;
    return buffer->node * j->ports;
}

// Returns the lane that a worm whose head has left buffer p is bound to there, or ANL_NOTHING.
static uint32_t bound_lane(const struct oracle *j, uint32_t p, uint32_t worm)
{
    const uint32_t first = first_link(j, p), count = is_source(j, p) ? 1 : j->ports;
    for (uint32_t x = first * j->c.num_vcs; x < (first + count) * j->c.num_vcs; x++)
        if (j->buffer[x].owner == worm && j->buffer[x].feed == p) return x;
    return ANL_NOTHING;
}

static void want_lanes(const struct oracle *j, struct want *want, uint32_t link, uint32_t vcs)
{
    for (uint32_t v = 0; v < j->c.num_vcs; v++)
        if (vcs >> v & 1) want->lanes[want->count++] = link * j->c.num_vcs + v;
}

// The lanes of the port that the path names, or of all ports that are equally near: which of these
// the switch chose, flits do not show.
static void want_route(const struct oracle *j, struct want *want, uint32_t p,
                       const struct anl_worm *worm)
{
    const uint32_t node = j->buffer[p].node;
    const struct anl_input_lane at = {node, j->buffer[p].port, j->buffer[p].is.vc};
    const struct anl_route route = anl_route_at(&j->c, at, worm->destination);
    const bool several = j->c.topology == ANL_FAT_TREE && (route.ports & (route.ports - 1)) != 0;
    for (uint32_t port = 0; port < j->ports; port++) {
        const uint32_t level = several ? anl_tree_place(&j->c, node).level : 1;
        const bool other = port == 4 + (~worm->path >> (level - 1) & 1);
        if (several && j->c.routing == ANL_UP_DOWN_FIXED && other) continue;
        want_lanes(j, want, node * j->ports + port, route.vcs[port]);
    }
}

static struct want wanted(const struct oracle *j, uint32_t p, const struct flit *flit)
{
    struct want want = {.count = 0};
    if (is_ejection(j, p)) return want;
    if (flit->index > 0) {
        const uint32_t lane = bound_lane(j, p, flit->worm);
        assert_true(lane != ANL_NOTHING);
        want.lanes[want.count++] = lane;
    } else if (is_source(j, p)) {
        want_lanes(j, &want, first_link(j, p), UINT32_MAX);
    } else {
        want_route(j, &want, p, &j->worm[flit->worm].life.worm);
    }
    return want;
}

#endif
