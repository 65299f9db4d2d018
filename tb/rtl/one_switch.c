// SPDX-License-Identifier: Apache-2.0

#include "one_switch.h"

#include "bench.h"

#include <string.h>

enum { DEEPEST = 16, LONGEST = 6, LANES = SWITCH_PORTS * LINK_LANES };

struct entry {
    uint64_t data;
    bool head, tail;
    unsigned port;  // by which its worm leaves
};

// An input lane: what is in it, the worm that enters it, and the worm that leaves it.
struct lane {
    struct entry at[DEEPEST];
    unsigned count, owed;      // owed: credits of flits that have left
    unsigned left, index, id;  // flits still to come of the worm that enters, the next one of them
    unsigned port;
    bool bound;
    unsigned out;  // output lane of the worm that leaves
};

// An output lane.
struct drain {
    bool open;
    unsigned lent;  // flits whose credits are not back
};

// What a link offers until it crosses.
struct offer {
    bool there;
    unsigned lane, vc;  // lane: of an output link, from which it comes
    struct link_wires wires;
};

struct maker {
    struct switch_story *story;
    struct lane lanes[LANES];
    struct drain drains[LANES];
    struct offer offers[SWITCH_LINKS];
    unsigned next_id, now;
    bool busy;
};

static bool has_credits(const struct maker *m)
{
    return m->story->size.style == LINK_CREDIT || m->story->size.style == LINK_PULSE;
}

static bool has_ready(const struct maker *m)
{
    return m->story->size.style == LINK_READY || m->story->size.style == LINK_READY_LANES;
}

static bool was_stopped(const struct maker *m, unsigned link, unsigned vc)
{
    return m->story->size.style == LINK_STOP_GO && m->now &&
           m->story->wires[m->now - 1][link].back >> vc & 1;
}

static uint64_t data_of(const struct switch_size *size, unsigned id, unsigned index, unsigned port)
{
    const unsigned width = index_width(size->ports);
    return ((uint64_t)(id << 4 | index) << width | (index ? index & ones(width) : port)) & ones(32);
}

// --- what comes ---

static bool may_come(const struct maker *m, unsigned p, unsigned v, const struct lane *lane)
{
    const struct switch_size *size = &m->story->size;
    const unsigned used = has_credits(m) ? lane->count + lane->owed : lane->count;
    return used < size->depth && (lane->left || m->busy) && !was_stopped(m, size->ports + p, v);
}

static struct link_wires next_flit(struct maker *m, unsigned v, struct lane *lane)
{
    struct link_wires wires = {.valid = true, .vc = v};
    if (!lane->left) {
        lane->left = 1 + (unsigned)random_below(LONGEST);
        lane->index = 0;
        lane->id = m->next_id++;
        lane->port = (unsigned)random_below(m->story->size.ports);
        wires.length = lane->left;
    }
    wires.head = lane->index == 0;
    wires.tail = lane->left == 1;
    wires.flit = data_of(&m->story->size, lane->id, lane->index, lane->port);
    return wires;
}

static void choose_input(struct maker *m, unsigned p)
{
    const struct switch_size *size = &m->story->size;
    struct offer *offer = &m->offers[size->ports + p];
    const unsigned first = (unsigned)random_below(size->num_vcs);
    if (offer->there || !(chance(80) || !m->busy)) return;
    for (unsigned i = 0; i < size->num_vcs && !offer->there; i++) {
        const unsigned v = (first + i) % size->num_vcs;
        struct lane *lane = &m->lanes[p * size->num_vcs + v];
        if (!may_come(m, p, v, lane)) continue;
        *offer = (struct offer){true, 0, v, next_flit(m, v, lane)};
    }
}

// --- what goes ---

static bool is_offered(const struct maker *m, unsigned lane)
{
    for (unsigned o = 0; o < m->story->size.ports; o++)
        if (m->offers[o].there && m->offers[o].lane == lane) return true;
    return false;
}

static bool may_go(const struct maker *m, unsigned o, unsigned v)
{
    const struct switch_size *size = &m->story->size;
    const struct drain *drain = &m->drains[o * size->num_vcs + v];
    return !(has_credits(m) && drain->lent == size->depth) && !was_stopped(m, o, v);
}

static bool find_way(const struct maker *m, unsigned o, const struct lane *lane, unsigned *v)
{
    const unsigned num_vcs = m->story->size.num_vcs;
    if (lane->bound) {
        *v = lane->out % num_vcs;
        return lane->out / num_vcs == o && may_go(m, o, *v);
    }
    const unsigned first = (unsigned)random_below(num_vcs);
    for (unsigned i = 0; lane->at[0].port == o && i < num_vcs; i++) {
        *v = (first + i) % num_vcs;
        if (!m->drains[o * num_vcs + *v].open && may_go(m, o, *v)) return true;
    }
    return false;
}

static void choose_output(struct maker *m, unsigned o)
{
    const struct switch_size *size = &m->story->size;
    const unsigned lanes = size->ports * size->num_vcs, first = (unsigned)random_below(lanes);
    struct offer *offer = &m->offers[o];
    if (offer->there || !(chance(75) || !m->busy)) return;
    for (unsigned i = 0; i < lanes && !offer->there; i++) {
        const unsigned l = (first + i) % lanes;
        const struct lane *lane = &m->lanes[l];
        unsigned v;
        if (!lane->count || is_offered(m, l) || !find_way(m, o, lane, &v)) continue;
        const struct entry *front = &lane->at[0];
        const struct link_wires wires = {
            .valid = true, .vc = v, .flit = front->data, .head = front->head, .tail = front->tail};
        *offer = (struct offer){true, l, v, wires};
    }
}

// --- the wires back ---

static uint64_t back_of(const struct maker *m, unsigned link, bool crosses)
{
    const struct switch_size *size = &m->story->size;
    uint64_t back = 0;
    for (unsigned v = 0; v < size->num_vcs; v++)
        back |= (uint64_t)(m->busy && chance(30)) << v;
    if (!has_ready(m)) return back;
    const struct offer *offer = &m->offers[link];
    if (size->style == LINK_READY) return offer->there ? crosses : back & 1;
    if (offer->there) back = (back & ~(UINT64_C(1) << offer->vc)) | (uint64_t)crosses << offer->vc;
    return back;
}

// Gives credits back of those that are due, lane by lane. Returns the wires.
static uint64_t give(const struct maker *m, unsigned link, const unsigned *due, bool *given)
{
    const struct switch_size *size = &m->story->size;
    const unsigned first = (unsigned)random_below(size->num_vcs);
    uint64_t back = 0;
    for (unsigned i = 0; i < size->num_vcs; i++) {
        const unsigned v = (first + i) % size->num_vcs;
        given[v] = due[v] && (chance(70) || !m->busy) && !(size->style == LINK_PULSE && back);
        if (!given[v]) continue;
        back |= size->style == LINK_PULSE ? UINT64_C(1) << index_width(size->num_vcs) | v
                                          : UINT64_C(1) << v;
    }
    (void)link;
    return back;
}

// --- one cycle ---

static void take_out(struct maker *m, unsigned o)
{
    const struct offer *offer = &m->offers[o];
    struct lane *lane = &m->lanes[offer->lane];
    const unsigned out = o * m->story->size.num_vcs + offer->vc;
    lane->bound = !lane->at[0].tail;
    lane->out = out;
    m->drains[out].open = lane->bound;
    memmove(lane->at, lane->at + 1, --lane->count * sizeof *lane->at);
    lane->owed++;
}

static void put_in(struct maker *m, unsigned p)
{
    const struct switch_size *size = &m->story->size;
    const struct offer *offer = &m->offers[size->ports + p];
    struct lane *lane = &m->lanes[p * size->num_vcs + offer->vc];
    lane->at[lane->count++] =
        (struct entry){offer->wires.flit, offer->wires.head, offer->wires.tail, lane->port};
    lane->left--;
    lane->index++;
}

static void give_credits(struct maker *m)
{
    const struct switch_size *size = &m->story->size;
    for (unsigned link = 0; link < 2 * size->ports; link++) {
        unsigned due[LINK_LANES];
        bool given[LINK_LANES];
        const bool out = link < size->ports;
        const unsigned first = (out ? link : link - size->ports) * size->num_vcs;
        for (unsigned v = 0; v < size->num_vcs; v++)
            due[v] = out ? m->drains[first + v].lent : m->lanes[first + v].owed;
        m->story->wires[m->now][link].back = give(m, link, due, given);
        for (unsigned v = 0; v < size->num_vcs; v++)
            *(out ? &m->drains[first + v].lent : &m->lanes[first + v].owed) -= given[v];
    }
}

// Outputs first: what comes in this cycle cannot go in it. A lane is full also while its front
// goes.
static void one_cycle(struct maker *m)
{
    const struct switch_size *size = &m->story->size;
    bool crosses[SWITCH_LINKS] = {0};
    for (unsigned o = 0; o < size->ports; o++)
        choose_output(m, o);
    for (unsigned p = 0; p < size->ports; p++)
        choose_input(m, p);
    for (unsigned link = 0; link < 2 * size->ports; link++) {
        struct link_wires *wires = &m->story->wires[m->now][link];
        crosses[link] = m->offers[link].there && (!has_ready(m) || chance(60));
        *wires = m->offers[link].there ? m->offers[link].wires : (struct link_wires){0};
        if (!has_credits(m)) wires->back = back_of(m, link, crosses[link]);
    }
    for (unsigned o = 0; o < size->ports; o++)
        if (crosses[o]) take_out(m, o);
    for (unsigned p = 0; p < size->ports; p++)
        if (crosses[size->ports + p]) put_in(m, p);
    if (has_credits(m)) give_credits(m);
    for (unsigned o = 0; o < size->ports; o++)
        if (crosses[o]) m->drains[o * size->num_vcs + m->offers[o].vc].lent++;
    for (unsigned link = 0; link < 2 * size->ports; link++)
        if (crosses[link]) m->offers[link].there = false;
    m->now++;
}

static bool is_over(const struct maker *m)
{
    const struct switch_size *size = &m->story->size;
    for (unsigned i = 0; i < size->ports * size->num_vcs; i++)
        if (m->lanes[i].count || m->lanes[i].left ||
            (has_credits(m) && (m->lanes[i].owed || m->drains[i].lent)))
            return false;
    return true;
}

void switch_story_write(struct switch_story *story, struct switch_size size, unsigned busy,
                        unsigned quiet)
{
    struct maker m = {.story = story, .next_id = 1};
    story->size = size;
    memset(story->wires, 0, sizeof story->wires);
    while (m.now + quiet + 1 < SWITCH_CYCLES && (m.now < busy || !is_over(&m))) {
        m.busy = m.now < busy;
        one_cycle(&m);
    }
    story->cycles = m.now + quiet;
    story->quiet = quiet;
}
