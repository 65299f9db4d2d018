// SPDX-License-Identifier: Apache-2.0
//
// All that can happen: from a configuration of a tiny network, the search goes through every order
// in which its flits can move, one legal move after the other, whoever arbitrates and whichever
// free lane a head takes. No more worms are created, and a flit that crosses an ejection link is
// gone. (A cycle of the network is a set of such moves in any order: they are on different links,
// and none takes what another one needs.)
//
// If `eager`, flits that are not heads may move first, which leaves far fewer configurations and
// the same answer: such a flit enters a lane that belongs to its worm, and only makes room behind
// it.

#ifndef ANNELID_BLOCKING_SCHEDULES_H
#define ANNELID_BLOCKING_SCHEDULES_H

#include "oracle.h"

enum {
    TINY_LANES = 24,
    TINY_DEPTH = 3,
    TINY_WORMS = 10,
    MAX_CONFIGURATIONS = 10000,
    HASH_SIZE = 1 << 15,
};

// All members are bytes, so that equal configurations compare equal.
struct configuration {
    uint8_t flits[TINY_LANES][TINY_DEPTH];  // front first; 0: none, else 1 + worm * 8 + index
    uint8_t owner[TINY_LANES];              // 0: nobody, else 1 + worm
    uint8_t feed[TINY_LANES];               // buffer; of a source its sender 0
    uint8_t sent[TINY_WORMS];               // flits that have left the source
};

struct schedules {
    const struct oracle *j;
    bool eager;
    bool can_move[TINY_WORMS];  // its head crosses a link in some schedule
    bool complete;              // false: there are too many configurations
    uint32_t count;
    struct configuration found[MAX_CONFIGURATIONS];
    uint32_t hash[HASH_SIZE];  // 1 + index in found
};

// Worms move up at the senders of a source, so it is one feeding buffer.
static uint8_t feed_code(const struct oracle *j, uint32_t p)
{
    return (uint8_t)(is_source(j, p) ? sender_at(j, j->buffer[p].is.terminal, 0) : p);
}

static void take_configuration(const struct oracle *j, struct configuration *c)
{
    memset(c, 0, sizeof *c);
    assert_true(j->links * j->c.num_vcs <= TINY_LANES && j->c.depth <= TINY_DEPTH);
    assert_true(j->num_worms <= TINY_WORMS);
    for (uint32_t p = 0; p < j->links * j->c.num_vcs; p++) {
        uint32_t i = 0;
        for (const struct flit *f = j->buffer[p].front; f && !is_ejection(j, p); f = f->behind)
            c->flits[p][i++] = (uint8_t)(1 + f->worm * 8 + f->index);
        if (j->buffer[p].owner == ANL_NOTHING) continue;
        c->owner[p] = (uint8_t)(1 + j->buffer[p].owner);
        c->feed[p] = feed_code(j, j->buffer[p].feed);
    }
    for (uint32_t w = 0; w < j->num_worms; w++)
        for (uint32_t i = 0; i < length_of(j, w); i++)
            c->sent[w] = (uint8_t)(c->sent[w] + (j->worm[w].flits[i].buffer == ANL_NOTHING ||
                                                 !is_source(j, j->worm[w].flits[i].buffer)));
}

// Returns the first worm of a source with a flit that has not left it, beginning with worm `from`;
// the number of worms if there is none.
static uint32_t unsent(const struct schedules *s, const struct configuration *c, uint32_t terminal,
                       uint32_t from)
{
    while (from < s->j->num_worms && (s->j->worm[from].life.worm.source != terminal ||
                                      c->sent[from] == length_of(s->j, from)))
        from++;
    return from;
}

// Returns the code of the front flit as in struct configuration; 0: the buffer is empty. The
// senders of a source have its first worms, in the order of its queue, and a head stays while an
// earlier one does.
static uint32_t front_of(const struct schedules *s, const struct configuration *c, uint32_t p)
{
    if (!is_source(s->j, p)) return c->flits[p][0];
    const uint32_t terminal = s->j->buffer[p].is.terminal, sender = s->j->buffer[p].is.vc;
    uint32_t w = unsent(s, c, terminal, 0);
    for (uint32_t i = 0; i < sender && w < s->j->num_worms; i++) {
        if (c->sent[w] == 0) return 0;
        w = unsent(s, c, terminal, w + 1);
    }
    return w == s->j->num_worms ? 0 : 1 + w * 8 + c->sent[w];
}

static uint32_t room(const struct schedules *s, const struct configuration *c, uint32_t lane)
{
    uint32_t used = 0;
    while (used < s->j->c.depth && c->flits[lane][used] > 0)
        used++;
    return s->j->c.depth - used;
}

static bool tail_is_here(const struct schedules *s, const struct configuration *c, uint32_t p,
                         uint32_t worm)
{
    for (uint32_t i = 0; i < s->j->c.depth; i++)
        if (c->flits[p][i] == 1 + worm * 8 + length_of(s->j, worm) - 1) return true;
    return false;
}

static bool may_enter(const struct schedules *s, const struct configuration *c, uint32_t p,
                      uint32_t lane)
{
    const uint32_t flit = front_of(s, c, p) - 1, worm = flit / 8;
    if (flit % 8 > 0)
        return c->owner[lane] == 1 + worm && c->feed[lane] == feed_code(s->j, p) &&
               room(s, c, lane) > 0;
    const bool whole = s->j->c.flow_control != ANL_WORMHOLE;
    const bool wait = s->j->c.flow_control == ANL_STORE_AND_FORWARD && !is_source(s->j, p) &&
                      !tail_is_here(s, c, p, worm);
    return c->owner[lane] == 0 && room(s, c, lane) >= (whole ? length_of(s->j, worm) : 1) && !wait;
}

static void enter_lane(const struct schedules *s, struct configuration *c, uint32_t p,
                       uint32_t lane)
{
    const uint32_t code = front_of(s, c, p), worm = (code - 1) / 8, index = (code - 1) % 8;
    const uint32_t free = room(s, c, lane);
    if (is_source(s->j, p)) c->sent[worm]++;
    if (!is_source(s->j, p)) {
        memmove(c->flits[p], c->flits[p] + 1, TINY_DEPTH - 1);
        c->flits[p][TINY_DEPTH - 1] = 0;
    }
    if (!is_ejection(s->j, lane)) c->flits[lane][s->j->c.depth - free] = (uint8_t)code;
    if (index == 0) c->owner[lane] = (uint8_t)(1 + worm), c->feed[lane] = feed_code(s->j, p);
    if (index + 1 == length_of(s->j, worm)) c->owner[lane] = c->feed[lane] = 0;
}

static void add(struct schedules *s, const struct configuration *c)
{
    const uint8_t *bytes = (const uint8_t *)c;
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof *c; i++)
        h = (h ^ bytes[i]) * 0x100000001B3;
    uint32_t slot = (uint32_t)(h ^ h >> 29) % HASH_SIZE;
    for (; s->hash[slot] > 0; slot = (slot + 1) % HASH_SIZE)
        if (memcmp(&s->found[s->hash[slot] - 1], c, sizeof *c) == 0) return;
    if (s->count == MAX_CONFIGURATIONS) {
        s->complete = false;
        return;
    }
    s->found[s->count++] = *c;
    s->hash[slot] = s->count;
}

// Moves the front flit of a buffer to each lane that it may enter now. Returns false if there is
// none.
static bool try_buffer(struct schedules *s, const struct configuration *c, uint32_t p)
{
    const struct oracle *j = s->j;
    const uint32_t code = front_of(s, c, p), worm = (code - 1) / 8;
    uint32_t link = first_link(j, p), last = is_source(j, p) ? link : link + j->ports - 1;
    bool any = false;
    if (code == 0) return false;
    uint32_t vcs = (1U << j->c.num_vcs) - 1;
    if ((code - 1) % 8 == 0 && !is_source(j, p)) {
        const struct anl_input_lane at = {j->buffer[p].node, 0, 0};
        const struct anl_way way =
            anl_first_way(anl_route_at(&j->c, at, j->worm[worm].life.worm.destination));
        link = last = link + way.port;
        vcs = way.vcs;
    }
    for (uint32_t lane = link * j->c.num_vcs; lane < (last + 1) * j->c.num_vcs; lane++) {
        if ((vcs >> lane % j->c.num_vcs & 1) == 0 || !may_enter(s, c, p, lane)) continue;
        struct configuration next = *c;
        enter_lane(s, &next, p, lane);
        add(s, &next);
        any = true;
        if ((code - 1) % 8 == 0) s->can_move[worm] = true;
    }
    return any;
}

static void expand(struct schedules *s, const struct configuration *c)
{
    const uint32_t buffers = s->j->buffers;
    for (uint32_t p = 0; p < buffers && s->eager; p++)
        if (front_of(s, c, p) > 0 && (front_of(s, c, p) - 1) % 8 > 0 && try_buffer(s, c, p)) return;
    for (uint32_t p = 0; p < buffers; p++)
        try_buffer(s, c, p);
}

static void search(struct schedules *s, const struct oracle *j, bool eager)
{
    struct configuration c;
    memset(s->hash, 0, sizeof s->hash);
    memset(s->can_move, 0, sizeof s->can_move);
    s->j = j;
    s->eager = eager;
    s->complete = true;
    s->count = 0;
    take_configuration(j, &c);
    add(s, &c);
    for (uint32_t i = 0; i < s->count && s->complete; i++) {
        c = s->found[i];
        expand(s, &c);
    }
}

#endif
