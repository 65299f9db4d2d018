// SPDX-License-Identifier: Apache-2.0
//
// docs/switch.md, "Terminals", "Message classes", "Requests and replies" and, of "Wide links",
// injection and ejection.

#include "oracle/network.h"

// ---------------------------------------------------------------- injection

// Returns the lane of the injection link that the next flit of a class could go to, or ORACLE_NONE.
// The lanes of the source are counted from 0 within the class.
static int lane_of_class(const struct oracle_network *net, const struct oracle_terminal *t,
                         unsigned class_)
{
    const struct oracle_source *source = &t->class_[class_];
    const unsigned num_vcs = net->config.num_vcs, first = class_ * num_vcs;
    if (source->first == ORACLE_NO_WORM) return ORACLE_NONE;
    const uint32_t length = net->worms[source->first].length;
    const struct oracle_want want = {.set = first_of(num_vcs),
                                     .need = oracle_need((int)net->config.flow_control, length),
                                     .at_once = true};
    const int lane = oracle_injection_lane(&t->injection[first], num_vcs, net->config.depth,
                                           source->sent > 0 ? NULL : &want, source->lane);
    return lane == ORACLE_NONE ? ORACLE_NONE : (int)first + lane;
}

// Returns the lane of the injection link that a flit crosses in this cycle, or ORACLE_NONE.
static int lane_of_flit(const struct oracle_network *net, const struct oracle_terminal *t)
{
    int lanes[ORACLE_LANES];
    uint64_t candidates = 0;
    for (unsigned c = 0; c < net->classes; c++) {
        lanes[c] = lane_of_class(net, t, c);
        if (lanes[c] != ORACLE_NONE) candidates |= onehot((int)c);
    }
    const int class_ = oracle_class_first(net->classes, candidates, &t->favour);
    return class_ == ORACLE_NONE ? ORACLE_NONE : lanes[class_];
}

// Worms of the queue take idle lanes as long as the one at the front has such a lane; the others
// follow if their lane has a credit. A credit that comes back counts for these alone.
static void decide_wide(const struct oracle_network *net, const struct oracle_terminal *t,
                        struct oracle_terminal_cycle *done)
{
    const unsigned num_vcs = net->vcs, depth = net->config.depth;
    struct oracle_want want = {.set = 0, .at_once = false};
    for (unsigned v = 0; v < num_vcs; v++) {
        done->begins[v] = ORACLE_NO_WORM;
        if (t->sending[v].worm == ORACLE_NO_WORM)
            want.set |= onehot((int)v);
        else
            done->sends |= oracle_bound(t->injection, v, true);
    }
    for (uint32_t id = t->class_[0].first; id != ORACLE_NO_WORM; id = net->behind[id]) {
        want.need = oracle_need((int)net->config.flow_control, net->worms[id].length);
        const int lane = oracle_injection_lane(t->injection, num_vcs, depth, &want, ORACLE_NONE);
        if (lane == ORACLE_NONE) return;
        done->begins[lane] = id;
        done->sends |= onehot(lane);
        want.set &= ~onehot(lane);
    }
}

static struct oracle_flit flit_of(const struct oracle_network *net, uint32_t id, uint32_t index)
{
    const struct anl_worm *worm = &net->worms[id];
    struct oracle_flit flit = {.head = index == 0,
                               .tail = index + 1 == worm->length,
                               .length = worm->length,
                               .data = (uint64_t)id << 16 | index};
    if (net->config.arbiter == ANL_AGE) flit.rank = (uint16_t)worm->created;
    if (net->config.arbiter == ANL_FARTHEST) flit.rank = (uint16_t)oracle_distance(net, worm);
    return flit;
}

uint32_t oracle_worm(const struct oracle_flit *flit) { return (uint32_t)(flit->data >> 16); }

uint32_t oracle_index(const struct oracle_flit *flit) { return (uint32_t)flit->data & 0xffff; }

static struct oracle_flit inject_shared(struct oracle_network *net, struct oracle_terminal *t,
                                        unsigned vc)
{
    struct oracle_source *source = &t->class_[vc / net->config.num_vcs];
    const uint32_t id = source->first;
    const struct oracle_flit flit = flit_of(net, id, source->sent++);
    oracle_class_moved(net->classes, net->weights, &t->favour);
    source->lane = flit.tail ? ORACLE_NONE : (int)(vc % net->config.num_vcs);
    if (!flit.tail) return flit;
    source->first = net->behind[id];
    source->sent = 0;
    if (net->worms[id].role == ANL_REPLY) t->reservations--;
    return flit;
}

static struct oracle_flit inject_wide(struct oracle_network *net, struct oracle_terminal *t,
                                      unsigned vc, uint32_t begins)
{
    struct oracle_sending *sending = &t->sending[vc];
    if (begins != ORACLE_NO_WORM) {
        *sending = (struct oracle_sending){.worm = begins};
        t->class_[0].first = net->behind[t->class_[0].first];
    }
    const struct oracle_flit flit = flit_of(net, sending->worm, sending->sent++);
    if (flit.tail) sending->worm = ORACLE_NO_WORM;
    return flit;
}

void oracle_inject(struct oracle_network *net, uint32_t terminal,
                   const struct oracle_terminal_cycle *done, struct oracle_flit *flits)
{
    struct oracle_terminal *t = &net->terminal[terminal];
    for (unsigned v = 0; v < net->vcs; v++) {
        if (!(done->sends >> v & 1)) continue;
        flits[v] = net->config.link == ANL_WIDE ? inject_wide(net, t, v, done->begins[v])
                                                : inject_shared(net, t, v);
        oracle_spend(&t->injection[v], &flits[v], 0, 0);
    }
}

// ---------------------------------------------------------------- ejection

int oracle_shown(const struct oracle_network *net, const struct oracle_terminal *t, unsigned class_)
{
    const unsigned num_vcs = net->config.num_vcs, first = class_ * num_vcs;
    const int lane = oracle_lane_shown(&t->ejection[first], num_vcs, t->class_[class_].shown);
    return lane == ORACLE_NONE ? ORACLE_NONE : (int)first + lane;
}

static bool shows_tail_of_request(const struct oracle_network *net,
                                  const struct oracle_in_lane *lane)
{
    const struct anl_worm *worm = &net->worms[oracle_worm(&lane->flit[0])];
    return lane->flit[0].tail && worm->role == ANL_REQUEST;
}

// They have a reservation for a request only if one is free at the start of the cycle, the lowest
// class first.
uint64_t oracle_takers(const struct oracle_network *net, const struct oracle_terminal *t)
{
    const uint32_t all = net->config.reply_queue;
    uint64_t classes = 0;
    uint32_t reservations = t->reservations;
    for (unsigned c = 0; c < net->classes; c++) {
        const int v = oracle_shown(net, t, c);
        if (v == ORACLE_NONE) continue;
        if (all && shows_tail_of_request(net, &t->ejection[v])) {
            if (reservations == all) continue;
            reservations++;
        }
        classes |= onehot((int)c);
    }
    return classes;
}

static uint64_t lanes_that_hold(const struct oracle_network *net, const struct oracle_terminal *t)
{
    uint64_t lanes = 0;
    for (unsigned v = 0; v < net->vcs; v++)
        if (t->ejection[v].count > 0) lanes |= onehot((int)v);
    return lanes;
}

void oracle_decide_terminal(const struct oracle_network *net, uint32_t terminal,
                            struct oracle_terminal_cycle *done)
{
    const struct oracle_terminal *t = &net->terminal[terminal];
    *done = (struct oracle_terminal_cycle){0};
    if (net->config.link == ANL_WIDE) {
        decide_wide(net, t, done);
        done->takes = lanes_that_hold(net, t);
        return;
    }
    done->sends = onehot(lane_of_flit(net, t));
    const uint64_t classes = oracle_takers(net, t);
    for (unsigned c = 0; c < net->classes; c++)
        if (classes >> c & 1) done->takes |= onehot(oracle_shown(net, t, c));
}

// A sink that does not take what it shows goes on showing it.
static void remember_shown(const struct oracle_network *net, struct oracle_terminal *t,
                           uint64_t takes)
{
    for (unsigned c = 0; c < net->classes; c++) {
        const int v = oracle_shown(net, t, c);
        const bool refuses = v != ORACLE_NONE && !(takes >> v & 1);
        t->class_[c].shown = refuses ? v - (int)(c * net->config.num_vcs) : ORACLE_NONE;
    }
}

void oracle_drain(struct oracle_network *net, uint32_t terminal,
                  const struct oracle_terminal_cycle *done)
{
    struct oracle_terminal *t = &net->terminal[terminal];
    const struct oracle_side *home = &net->home[terminal];
    if (net->config.link == ANL_SHARED) remember_shown(net, t, done->takes);
    for (unsigned v = 0; v < net->vcs; v++) {
        if (!(done->takes >> v & 1)) continue;
        if (net->config.reply_queue && shows_tail_of_request(net, &t->ejection[v]))
            t->reservations++;
        oracle_pop(&t->ejection[v], 0, 0);
        net->at[home->node].out[home->port][v].credits++;
    }
}
