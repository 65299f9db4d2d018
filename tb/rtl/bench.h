// SPDX-License-Identifier: Apache-2.0
//
// Benches of single RTL modules: the C side of bench.svh.
//
// A test fills in a struct bench_module and calls bench_main(). In every cycle, and for every
// instance of the module, drive() puts the inputs. Then check() takes the inputs and the outputs in
// the order of the bench cell, compares what it sees with what the rules say, and advances its own
// state by one cycle. The first difference is printed with parameters, seed, cycle, all inputs and
// all outputs. ANL_SEED=n in the environment runs only seed n.

#ifndef ANL_TB_BENCH_H
#define ANL_TB_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A vector of bits, read or written field by field from bit 0 upwards.
struct bits;

void put(struct bits *bits, unsigned width, uint64_t value);
// Puts a field of each of several members: value for one of them, 0 for the others.
void put_one(struct bits *bits, unsigned width, unsigned members, unsigned one, uint64_t value);
// Returns the next field, of at most 64 bits; name is for messages.
uint64_t take(struct bits *bits, const char *name, unsigned width);
// The same as take(), and the test fails if the field differs from expected. Returns the field.
uint64_t expect(struct bits *bits, const char *name, unsigned width, uint64_t expected);
// Fails the test if seen, a value worked out from several outputs, differs from expected.
void require(const char *name, uint64_t seen, uint64_t expected);
// The same as take(); the rules say nothing about this field in this cycle, so any value passes.
uint64_t ignore(struct bits *bits, const char *name, unsigned width);
// Expects the field if it means something; else ignores it.
void expect_if(bool meaningful, struct bits *bits, const char *name, unsigned width,
               uint64_t expected);

// Random numbers of the running test.
uint64_t random_bits(unsigned width);
uint64_t random_below(uint64_t bound);
// Returns true with probability percent / 100.
bool chance(unsigned percent);
// A percentage, 0 .. 100, to drive inputs with; there are several, by number. Each changes about
// every 50 cycles and is often 0 or 100, so that lanes fill up, run dry and run at full rate.
unsigned mood(unsigned number);

// Cycles since reset; 0 during reset.
uint64_t bench_cycle(void);
bool bench_in_reset(void);
bool bench_directed(void);

// Returns how many places below count are members; bit i of members says that place i is one.
unsigned members_below(unsigned count, uint64_t members);

static inline unsigned index_width(unsigned count)
{
    unsigned width = 1;
    while (count > (1u << width))
        width++;
    return width;
}

// Bits of a counter that counts 0 .. max.
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

enum { BENCH_PARAMETERS = 16, BENCH_INSTANCES = 128 };

struct bench_module {
    const char *name;
    const char *parameters;  // their names, in messages, with commas between them
    size_t state_bytes;      // bytes of the state of one instance
    uint32_t cycles;         // cycles of a test
    // p has the values of the parameters. reset() gets a state of zero bytes.
    void (*reset)(void *state, const int *p);
    void (*drive)(void *state, const int *p, struct bits *in);
    void (*check)(void *state, const int *p, struct bits *in, struct bits *out);
    void (*directed)(void *state, const int *p, struct bits *in);  // a second drive(), or NULL
};

int bench_main(const struct bench_module *module);

#endif
