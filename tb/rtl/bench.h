// SPDX-License-Identifier: Apache-2.0
//
// Benches of single RTL modules: the C side of bench.svh.
//
// A test gives a struct bench_module and calls bench_main(). In every cycle, for every instance of
// the module, drive() puts the inputs, then check() takes inputs and outputs in the same order,
// compares what it sees with what the rules say, and moves its own state on by one cycle.
// The first difference is printed with parameters, seed, cycle, all inputs and all outputs.
// ANL_SEED=n in the environment runs that seed alone.

#ifndef ANL_TB_BENCH_H
#define ANL_TB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A vector of bits, read or written field by field from bit 0 upwards.
struct bits;

void put(struct bits *bits, unsigned width, uint64_t value);
// The next field, at most 64 bits; name is for messages.
uint64_t take(struct bits *bits, const char *name, unsigned width);
// The same, and compares: a difference fails the test.
uint64_t expect(struct bits *bits, const char *name, unsigned width, uint64_t expected);
// Compares a value that the test worked out from several outputs.
void require(const char *name, uint64_t seen, uint64_t expected);
// As take(), with every value allowed: the rule says nothing about this field now.
uint64_t ignore(struct bits *bits, const char *name, unsigned width);

// Random numbers of the running test.
uint64_t random_bits(unsigned width);
uint64_t random_below(uint64_t bound);
// True with probability percent / 100.
bool chance(unsigned percent);
// Changes every 50 cycles or so, 0 .. 100: a percentage to drive with, often 0 or 100, so that
// things fill up, run dry and run at full rate.
unsigned mood(unsigned number);

// Cycles since reset; during reset 0.
uint64_t bench_cycle(void);
bool bench_in_reset(void);
bool bench_directed(void);

static inline unsigned index_width(unsigned count)
{
    unsigned width = 1;
    while (count > (1u << width))
        width++;
    return width;
}

// Bits of a counter 0 .. max.
static inline unsigned count_width(unsigned max)
{
    unsigned width = 1;
    while (max >= (1u << width))
        width++;
    return width;
}

static inline uint64_t ones(unsigned width)
{
    return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

enum { BENCH_PARAMETERS = 16, BENCH_INSTANCES = 64 };

struct bench_module {
    const char *name;
    const char *parameters;  // their names, for messages
    size_t state_bytes;      // of one instance
    uint32_t cycles;         // per test
    // p: the parameters. reset() sees a state of zero bytes.
    void (*reset)(void *state, const int *p);
    void (*drive)(void *state, const int *p, struct bits *in);
    void (*check)(void *state, const int *p, struct bits *in, struct bits *out);
    void (*directed)(void *state, const int *p, struct bits *in);  // a second way to drive, or NULL
};

int bench_main(const struct bench_module *module);

#endif
