// SPDX-License-Identifier: Apache-2.0

#include "oracle/wide.h"

#include <string.h>

// ---------------------------------------------------------------- heads at one output port

// Returns the lanes that a head can take, of those that are left.
static uint64_t lanes_for(const struct oracle_heads *heads, unsigned head, uint64_t left)
{
    uint64_t lanes = 0;
    for (unsigned w = 0; w < heads->num_vcs; w++)
        if (heads->can[w] >> head & 1) lanes |= onehot((int)w);
    return lanes & left;
}

// As long as a head that waits has a lane that is left, the scan chooses one of these heads.
int oracle_grant_heads(const struct oracle_heads *heads, uint64_t *take)
{
    uint64_t waiting = heads->ask, left = first_of(heads->num_vcs);
    int first = ORACLE_NONE;
    for (unsigned w = 0; w < heads->num_vcs; w++)
        take[w] = 0;
    for (;;) {
        uint64_t candidates = 0;
        for (unsigned c = 0; c < heads->size; c++)
            if (waiting >> c & 1 && lanes_for(heads, c, left)) candidates |= onehot((int)c);
        const int head = oracle_scan_first(heads->size, candidates, &heads->scan);
        if (head == ORACLE_NONE) return first;
        const int lane =
            oracle_lane_taken(heads->num_vcs, lanes_for(heads, (unsigned)head, left), heads->empty);
        take[lane] = onehot(head);
        waiting &= ~onehot(head);
        left &= ~onehot(lane);
        if (first == ORACLE_NONE) first = head;
    }
}

unsigned oracle_wide_pointer(int scan, unsigned size, unsigned ptr, int first)
{
    return scan == ROUND_ROBIN && first != ORACLE_NONE ? ((unsigned)first + 1) % size : ptr;
}

// ---------------------------------------------------------------- a switch

static void grant_at(const struct oracle_switch *s, unsigned o, uint8_t random,
                     struct oracle_wide *d)
{
    const unsigned num_vcs = s->shape.num_vcs, size = s->shape.num_ports * num_vcs;
    uint64_t can[ORACLE_LANES] = {0}, take[ORACLE_LANES], ask = 0;
    uint16_t ranks[ORACLE_CANDIDATES] = {0};
    for (unsigned c = 0; c < size; c++) {
        const unsigned p = c / num_vcs, v = c % num_vcs;
        const struct oracle_in_lane *lane = &s->in[p][v];
        if (lane->count == 0 || !lane->flit[0].head || d->goes[p][v]) continue;
        const struct oracle_route front = oracle_front(s, p, v);
        const uint64_t lanes = oracle_admitting(s, p, v, &front, o);
        if (lanes) ask |= onehot((int)c);
        for (unsigned w = 0; w < num_vcs; w++)
            if (lanes >> w & 1) can[w] |= onehot((int)c);
        ranks[c] = lane->flit[0].rank;
    }
    const uint64_t empty = oracle_empty(s->out[o], num_vcs, s->shape.depth, false);
    const struct oracle_scan scan = {s->shape.arbiter, s->grants[o].ptr, random, ranks, NULL};
    const struct oracle_heads heads = {size, num_vcs, ask, can, empty, scan};
    d->first[o] = oracle_grant_heads(&heads, take);
    for (unsigned w = 0; w < num_vcs; w++) {
        const int c = oracle_cyclic_first(size, take[w], 0);
        if (c == ORACLE_NONE) continue;
        d->goes[(unsigned)c / num_vcs][(unsigned)c % num_vcs] = true;
        d->port[(unsigned)c / num_vcs][(unsigned)c % num_vcs] = o;
        d->vc[(unsigned)c / num_vcs][(unsigned)c % num_vcs] = w;
    }
}

void oracle_wide_decide(const struct oracle_switch *s, uint8_t random, struct oracle_wide *d)
{
    memset(d, 0, sizeof *d);
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        grant_at(s, o, random, d);
}

bool oracle_wide_follow(const struct oracle_switch *s, struct oracle_wide *d)
{
    bool changes = false;
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        for (unsigned v = 0; v < s->shape.num_vcs; v++) {
            const struct oracle_in_lane *lane = &s->in[p][v];
            if (lane->count == 0 || lane->flit[0].head || d->goes[p][v]) continue;
            const struct oracle_route front = oracle_front(s, p, v);
            if (!oracle_admitting(s, p, v, &front, lane->port)) continue;
            d->goes[p][v] = true;
            d->port[p][v] = lane->port;
            d->vc[p][v] = lane->vc;
            changes = true;
        }
    return changes;
}

static void show_going(const struct oracle_switch *s, const struct oracle_wide *d,
                       struct oracle_links *links)
{
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        links->valid[p] = links->credit[p] = 0;
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        for (unsigned v = 0; v < s->shape.num_vcs; v++) {
            if (!d->goes[p][v]) continue;
            links->valid[d->port[p][v]] |= onehot((int)d->vc[p][v]);
            links->flit[d->port[p][v]][d->vc[p][v]] = s->in[p][v].flit[0];
            links->credit[p] |= onehot((int)v);
        }
}

void oracle_wide_show(const struct oracle_switch *s, const struct oracle_wide *d,
                      struct oracle_links *links)
{
    if (s->shape.stages > 1)
        *links = s->registered;
    else
        show_going(s, d, links);
}

void oracle_wide_move(struct oracle_switch *s, const struct oracle_wide *d)
{
    const unsigned size = s->shape.num_ports * s->shape.num_vcs;
    oracle_step_random(s);
    if (s->shape.stages > 1) show_going(s, d, &s->registered);
    for (unsigned p = 0; p < s->shape.num_ports; p++)
        for (unsigned v = 0; v < s->shape.num_vcs; v++) {
            if (!d->goes[p][v]) continue;
            const struct oracle_flit flit = s->in[p][v].flit[0];
            oracle_pop(&s->in[p][v], d->port[p][v], d->vc[p][v]);
            oracle_spend(&s->out[d->port[p][v]][d->vc[p][v]], &flit, p, v);
        }
    for (unsigned o = 0; o < s->shape.num_ports; o++)
        s->grants[o].ptr =
            oracle_wide_pointer(s->shape.arbiter, size, s->grants[o].ptr, d->first[o]);
}
