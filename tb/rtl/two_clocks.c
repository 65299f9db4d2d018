// SPDX-License-Identifier: Apache-2.0

#include "two_clocks.h"

// A pair lasts LEAST .. LEAST + MORE - 1 steps. The shortest period is SHORTEST units, the longest
// 16 times as long.
enum { LEAST = 500, MORE = 4000, SHORTEST = 10000, FOREVER = 1 << 30 };

static uint64_t pairs;

uint64_t clocks_pairs(void) { return pairs; }

static uint64_t draw_period(void)
{
    return ((uint64_t)SHORTEST + random_below(SHORTEST)) << random_below(4);
}

static void begin_reset(struct two_clocks *clocks)
{
    for (int side = SIDE_A; side < CLOCK_SIDES; side++) {
        clocks->reset[side] = true;
        clocks->seen[side] = false;
        clocks->stays[side] = 1 + (unsigned)random_below(chance(50) ? 2 : 40);
    }
}

void clocks_reset(struct two_clocks *clocks) { begin_reset(clocks); }

// One pair in eight has equal periods, and one in eight periods that are nearly equal.
static void draw_pair(struct two_clocks *clocks)
{
    const uint64_t now =
        clocks->next[SIDE_A] < clocks->next[SIDE_B] ? clocks->next[SIDE_A] : clocks->next[SIDE_B];
    const uint64_t kind = random_below(8);
    clocks->period[SIDE_A] = draw_period();
    clocks->period[SIDE_B] = kind > 1 ? draw_period() : clocks->period[SIDE_A] + kind;
    for (int side = SIDE_A; side < CLOCK_SIDES; side++)
        clocks->next[side] =
            now + (kind == 0 && chance(50) ? 0 : random_below(clocks->period[side]));
    clocks->left = LEAST + (unsigned)random_below(MORE);
    pairs++;
}

void clocks_fix(struct two_clocks *clocks, unsigned hundredths)
{
    if (clocks->left > FOREVER / 2) return;
    draw_pair(clocks);
    clocks->period[SIDE_A] = SHORTEST;
    clocks->period[SIDE_B] = (uint64_t)SHORTEST * hundredths / 100;
    clocks->left = FOREVER;
}

// Of two edges that are due at once, either comes first, or both come together.
static void choose_edges(struct two_clocks *clocks)
{
    const uint64_t due[] = {clocks->next[SIDE_A], clocks->next[SIDE_B]};
    const bool both = due[SIDE_A] == due[SIDE_B];
    const uint64_t first = random_below(3);
    for (int side = SIDE_A; side < CLOCK_SIDES; side++) {
        clocks->tick[side] = both ? first != (uint64_t)side : due[side] < due[1 - side];
        if (clocks->tick[side]) clocks->next[side] += clocks->period[side];
    }
}

bool clocks_drive(struct two_clocks *clocks, struct bits *in)
{
    bool resets = false;
    if (clocks->left == 0) {
        resets = clocks->period[SIDE_A] && chance(50);
        draw_pair(clocks);
        if (resets) begin_reset(clocks);
    }
    clocks->left--;
    choose_edges(clocks);
    for (int side = SIDE_A; side < CLOCK_SIDES; side++)
        put(in, 1, clocks->tick[side]);
    for (int side = SIDE_A; side < CLOCK_SIDES; side++)
        put(in, 1, clocks->reset[side]);
    return resets;
}

void clocks_take(const struct two_clocks *clocks, struct bits *in)
{
    (void)clocks;
    take(in, "a_tick", 1), take(in, "b_tick", 1);
    take(in, "a_rst", 1), take(in, "b_rst", 1);
}

bool clocks_tick(const struct two_clocks *clocks, enum clock_side side)
{
    return clocks->tick[side] && !clocks->reset[side];
}

// A reset lasts until both clocks have had an edge in it, and then for further edges of its own.
void clocks_step(struct two_clocks *clocks)
{
    const bool both = clocks->seen[SIDE_A] && clocks->seen[SIDE_B];
    for (int side = SIDE_A; side < CLOCK_SIDES; side++) {
        if (!clocks->tick[side]) continue;
        if (!clocks->reset[side])
            clocks->edges[side]++;
        else if (both && --clocks->stays[side] == 0)
            clocks->reset[side] = false;
    }
    for (int side = SIDE_A; side < CLOCK_SIDES; side++)
        clocks->seen[side] |= clocks->tick[side];
}

enum clock_seen clocks_seen(uint64_t edges, unsigned sync_stages)
{
    return edges < sync_stages ? SEEN_NOT : edges == sync_stages ? SEEN_EITHER : SEEN_SURELY;
}

void require_seen(const char *name, enum clock_seen may, bool seen)
{
    require(name, seen, may == SEEN_EITHER ? seen : may == SEEN_SURELY);
}
