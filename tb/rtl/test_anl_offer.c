// SPDX-License-Identifier: Apache-2.0
//
// The offer of a class: docs/switch.md, rule 3, "Arbitration policies", "The favoured lane" and
// "Message classes".

#include "bench.h"
#include "oracle/scan.h"

static void reset(void *state, const int *p) { oracle_arbiter_reset(state, p[1], (unsigned)p[0]); }

static void drive(void *state, const int *p, struct bits *in)
{
    const unsigned lanes = (unsigned)p[0];
    const uint64_t origin = random_bits(16);
    uint64_t held = 0, eligible = 0;
    (void)state;
    for (unsigned v = 0; v < lanes; v++) {
        held |= (uint64_t)chance(mood(v % 4)) << v;
        eligible |= (uint64_t)chance(mood(4 + v % 2)) << v;
    }
    put(in, 8, random_bits(8));
    put(in, lanes, held);
    put(in, lanes, held & eligible);
    for (unsigned v = 0; v < lanes; v++)
        put(in, 16, origin + random_below(8));
    put(in, 1, p[2] != 0 || chance(mood(6)));
    put(in, 1, chance(mood(7)));
}

// Returns the lane that the class can offer before it is known which lanes are eligible.
static int lane_at_once(const struct oracle_arbiter *a, uint64_t held)
{
    return a->size == 1 ? 0 : oracle_lane_that_asks(a->size, held, a->ptr);
}

static int lane_offered(const struct oracle_arbiter *a, uint64_t held, uint64_t eligible,
                        uint8_t random, const uint16_t *ranks)
{
    if (a->policy != REGISTERED_PRIORITY) return oracle_arbiter_first(a, eligible, random, ranks);
    const int asks = oracle_lane_that_asks(a->size, held, a->ptr);
    return onehot(asks) & eligible ? asks : ORACLE_NONE;
}

static void move(struct oracle_arbiter *a, uint64_t held, uint64_t eligible, int granted)
{
    if (a->policy == REGISTERED_PRIORITY)
        a->ptr = oracle_next_favoured(a->size, held, eligible, a->ptr, granted != ORACLE_NONE);
    else if (granted != ORACLE_NONE)
        oracle_arbiter_serve(a, (unsigned)granted);
}

static void check(void *state, const int *p, struct bits *in, struct bits *out)
{
    struct oracle_arbiter *arbiter = state;
    const unsigned lanes = (unsigned)p[0];
    uint16_t ranks[ORACLE_CANDIDATES];
    const uint8_t random = (uint8_t)take(in, "random", 8);
    const uint64_t held = take(in, "held", lanes), eligible = take(in, "eligible", lanes);
    for (unsigned v = 0; v < lanes; v++)
        ranks[v] = (uint16_t)take(in, "rank", 16);
    const bool chosen = take(in, "chosen", 1), accept = take(in, "accept", 1);

    const int lane = lane_offered(arbiter, held, eligible, random, ranks);
    const int sel = !chosen ? ORACLE_NONE : p[2] != 0 ? lane_at_once(arbiter, held) : lane;
    expect(out, "any", 1, lane != ORACLE_NONE);
    expect(out, "sel", lanes, onehot(sel));
    expect_if(sel != ORACLE_NONE, out, "way", index_width(lanes), (unsigned)sel);
    expect(out, "ptr", index_width(lanes), arbiter->ptr);
    move(arbiter, held, eligible, chosen && accept ? lane : ORACLE_NONE);
}

static const struct bench_module module = {
    .name = "anl_offer",
    .parameters = "NumVcs, Arbiter, AtOnce",
    .state_bytes = sizeof(struct oracle_arbiter),
    .cycles = 20000,
    .reset = reset,
    .drive = drive,
    .check = check,
};

int main(void) { return bench_main(&module); }
