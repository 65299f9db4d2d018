// SPDX-License-Identifier: Apache-2.0
//
// A command processor against the page of the paper (papers/roberts_symvonis/README.md, "A round"):
// when the review has ended, all is decided at once from the worms that were seen: which of them
// leave, which slots the trains exchange, and which gaps are for worms that come. Between
// supersteps, and where no slots pass, any heads pass and must not count.

#include "bench.h"

#include <stdlib.h>
#include <string.h>

enum { N, TOP, NAME_W, DST_W, LINK_W, SLOT_W, SIDE, K, SLOTS, PERIOD };
enum { PORTS = 5, TIMES = 17, MOST_SLOTS = 16, EAST = 0, WEST, SOUTH, NORTH, DIRECTIONS };
enum { REVIEW, BALANCE, EXTRACTION, CYCLES = 4 };

struct worm {
    bool here;
    int to_row, to_column;  // supernode
    unsigned name;
    bool leaves;
    int direction;
};

struct state {
    int rest;      // cycles before the next superstep
    int cycle, a;  // of the superstep
    int row, column;
    struct worm worms[2][MOST_SLOTS];
    unsigned names[2 * MOST_SLOTS];
    unsigned fill[2];  // percent of the slots of each train
    bool swaps[MOST_SLOTS];
    int gaps[2], found;
    bool overflow;
};

// --- what the page says ---

static void choose(struct state *s, const int *p, int direction)
{
    struct worm *best = NULL;
    int longest = 0;
    for (int i = 0; i < 2 * p[SLOTS]; i++) {
        struct worm *worm = &s->worms[i / p[SLOTS]][i % p[SLOTS]];
        const int dx = worm->to_column - s->column, dy = worm->to_row - s->row;
        const int goes = dx > 0   ? EAST
                         : dx < 0 ? WEST
                         : dy > 0 ? SOUTH
                         : dy < 0 ? NORTH
                                  : DIRECTIONS;
        const int distance = abs(dx) + abs(dy);
        if (!worm->here || goes != direction) continue;
        if (best && (distance < longest || (distance == longest && worm->name > best->name)))
            continue;
        best = worm;
        longest = distance;
    }
    if (!best) return;
    best->leaves = true;
    best->direction = direction;
}

static bool is_gap(const struct state *s, int train, int slot)
{
    return !s->worms[train][slot].here || s->worms[train][slot].leaves;
}

static int count_gaps(const struct state *s, const int *p, int train)
{
    int count = 0;
    for (int slot = 0; slot < p[SLOTS]; slot++)
        count += is_gap(s, train, slot);
    return count;
}

static void decide(struct state *s, const int *p)
{
    for (int direction = 0; direction < DIRECTIONS; direction++)
        choose(s, p, direction);
    for (int slot = 0; slot < p[SLOTS]; slot++)
        for (int train = 0; train < 2 && !s->swaps[slot]; train++) {
            const bool few = count_gaps(s, p, train) < 2;
            if (!few || is_gap(s, train, slot) || !is_gap(s, 1 - train, slot)) continue;
            const struct worm worm = s->worms[train][slot];
            s->worms[train][slot] = s->worms[1 - train][slot];
            s->worms[1 - train][slot] = worm;
            s->swaps[slot] = true;
        }
    for (int slot = 0; slot < p[SLOTS]; slot++)
        if (is_gap(s, p[TOP], slot) && s->found < 2) s->gaps[s->found++] = slot;
}

// --- the superstep ---

static void begin(struct state *s, const int *p)
{
    const bool overflow = s->overflow;
    *s = (struct state){.a = -1, .overflow = overflow};
    s->row = (int)random_below((uint64_t)p[N]);
    s->column = (int)random_below((uint64_t)p[N]);
    for (int train = 0; train < 2; train++)
        s->fill[train] = (unsigned)random_below(120);
    for (unsigned i = 0; i < 2u * (unsigned)p[SLOTS]; i++) {
        const unsigned other = (unsigned)random_below(i + 1);
        s->names[i] = s->names[other];
        s->names[other] = i;
    }
}

// Returns the place of the heads of slots in this cycle: -1 before, 0 first, 1 centre, 2 second, or
// 3: nowhere. *slot receives the slot.
static int place_of(const struct state *s, const int *p, int *slot)
{
    for (int place = -1; place <= 2; place++) {
        const int steps = s->a - place;
        if (s->rest > 0 || steps < 0 || steps % p[K] != 0 || steps / p[K] >= p[SLOTS]) continue;
        *slot = steps / p[K];
        return place;
    }
    return 3;
}

// The train that passes in the cell of the processor.
static int train_at(const int *p, int place) { return place == 0 ? p[TOP] : 1 - p[TOP]; }

static void put_head(const struct state *s, const int *p, struct bits *in, bool here,
                     uint64_t fields)
{
    const int port = here ? (int)random_below(PORTS) : PORTS;
    (void)s;
    put(in, PORTS, here ? 1u << port : 0);
    for (int i = 0; i < PORTS; i++)
        put(in, (unsigned)p[LINK_W],
            i == port ? fields | 3u << (p[LINK_W] - 2) : random_bits((unsigned)p[LINK_W]));
}

static void drive(void *place_, const int *p, struct bits *in)
{
    struct state *s = place_;
    const unsigned coord_w = (unsigned)p[DST_W] / 2, place_w = index_width((unsigned)p[N]);
    if (s->rest == 0 && s->cycle == 0 && s->a <= -1) begin(s, p);
    int slot = 0;
    const int place = place_of(s, p, &slot);
    uint64_t times = 0;
    if (s->rest == 0) times |= 1u << (2 + s->cycle);
    if (place < 3) times |= 1u << (7 + place);
    put(in, place_w, (uint64_t)s->column);
    put(in, place_w, (uint64_t)s->row);
    put(in, TIMES, times);
    put(in, (unsigned)p[SLOT_W],
        (uint64_t)(place < 0 ? slot - 1 : slot) & ones((unsigned)p[SLOT_W]));
    const bool passes = place == 0 || place == 2;
    if (!passes || s->cycle != REVIEW) {
        put_head(s, p, in, chance(50), random_bits((unsigned)(p[DST_W] + p[NAME_W])));
        return;
    }
    const int train = train_at(p, place);
    struct worm *worm = &s->worms[train][slot];
    *worm = (struct worm){.here = chance(s->fill[train] > 100 ? 100 : s->fill[train]),
                          .to_row = (int)random_below((uint64_t)p[N]),
                          .to_column = (int)random_below((uint64_t)p[N]),
                          .name = s->names[train * p[SLOTS] + slot]};
    const uint64_t row =
        (uint64_t)worm->to_row * (unsigned)p[SIDE] + random_below((uint64_t)p[SIDE]);
    const uint64_t column =
        (uint64_t)worm->to_column * (unsigned)p[SIDE] + random_below((uint64_t)p[SIDE]);
    put_head(s, p, in, worm->here, (uint64_t)worm->name << p[DST_W] | row << coord_w | column);
}

// Returns whether the head that passes leaves by the entry at the west, or at the east.
static bool leaves(const struct state *s, const int *p, int place, int slot, bool west)
{
    const int direction = p[TOP] ? (west ? WEST : NORTH) : (west ? SOUTH : EAST);
    if (s->rest > 0 || s->cycle != EXTRACTION || (place != 0 && place != 2)) return false;
    const struct worm *worm = &s->worms[train_at(p, place)][slot];
    return worm->here && worm->leaves && worm->direction == direction;
}

static void advance(struct state *s, const int *p)
{
    if (s->rest > 0) {
        s->rest--;
        return;
    }
    if (s->cycle == EXTRACTION && s->a == -1) s->overflow |= s->found < 2;
    if (++s->a < p[PERIOD] - 1) return;
    s->a = -1;
    s->cycle = (s->cycle + 1) % CYCLES;
    if (s->cycle == BALANCE) decide(s, p);
    if (s->cycle == REVIEW) s->rest = (int)random_below(20);
}

static void check(void *place_, const int *p, struct bits *in, struct bits *out)
{
    struct state *s = place_;
    int slot = 0;
    const int place = place_of(s, p, &slot);
    const unsigned slot_w = (unsigned)p[SLOT_W];
    (void)in;
    expect(out, "exchange", 1, s->rest == 0 && s->cycle == BALANCE && place == 1 && s->swaps[slot]);
    expect(out, "west", 1, leaves(s, p, place, slot, true));
    expect(out, "east", 1, leaves(s, p, place, slot, false));
    for (int i = 0; i < 2; i++) {
        if (s->rest == 0 && s->cycle >= EXTRACTION && i < s->found)
            expect(out, "gap", slot_w, (uint64_t)s->gaps[i]);
        else
            ignore(out, "gap", slot_w);
    }
    expect(out, "overflow", 1, s->overflow);
    advance(s, p);
}

static void reset(void *place, const int *p)
{
    (void)p;
    ((struct state *)place)->a = -1;
}

static const struct bench_module module = {
    .name = "anl_command",
    .parameters = "N, Top, NameW, DstW, LinkW, SlotW, Side, K, Slots, Period",
    .state_bytes = sizeof(struct state),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
