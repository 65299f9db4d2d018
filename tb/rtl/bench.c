// SPDX-License-Identifier: Apache-2.0

#include "bench.h"

#include "clock.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <svdpi.h>

#include <cmocka.h>

svBit bench_runs(const char *name);
void bench_drive(const char *name, int index, const svBitVecVal *parameters, svBitVecVal *in);
void bench_check(const char *name, int index, const svBitVecVal *parameters, const svBitVecVal *in,
                 const svBitVecVal *out);
void bench_failed(const char *name, const char *file, int line);

enum { BENCH_WORDS = 64, BENCH_FIELDS = 1024, BENCH_MOODS = 8 };

struct bits {
    uint32_t words[BENCH_WORDS];
    unsigned next;
};

struct field {
    const char *name;
    uint64_t seen, expected;
    bool differs;
};

// A DPI call has no pointer of the user, so the running test is a static variable.
static struct {
    const struct bench_module *module;
    void *states[BENCH_INSTANCES];
    bool directed, in_reset;
    uint64_t seed, random, cycle, checks;
    unsigned moods[BENCH_MOODS];
    struct field fields[BENCH_FIELDS];
    unsigned num_fields, differences, failures;
} run;

void put(struct bits *bits, unsigned width, uint64_t value)
{
    assert_true(width <= 64 && bits->next + width <= BENCH_WORDS * 32);
    for (value &= ones(width); width > 0;) {
        const unsigned offset = bits->next % 32, part = width < 32 - offset ? width : 32 - offset;
        bits->words[bits->next / 32] |= (uint32_t)(value << offset);
        value >>= part;
        bits->next += part;
        width -= part;
    }
}

void put_one(struct bits *bits, unsigned width, unsigned members, unsigned one, uint64_t value)
{
    for (unsigned member = 0; member < members; member++)
        put(bits, width, member == one ? value : 0);
}

static uint64_t next_field(struct bits *bits, unsigned width)
{
    uint64_t value = 0;
    for (unsigned got = 0; got < width;) {
        const unsigned offset = bits->next % 32, left = width - got;
        const unsigned part = left < 32 - offset ? left : 32 - offset;
        value |= (bits->words[bits->next / 32] >> offset & ones(part)) << got;
        bits->next += part;
        got += part;
    }
    return value;
}

static uint64_t log_field(const char *name, uint64_t seen, uint64_t expected)
{
    const struct field field = {name, seen, expected, seen != expected};
    if (run.num_fields < BENCH_FIELDS) run.fields[run.num_fields++] = field;
    run.differences += field.differs;
    return seen;
}

uint64_t take(struct bits *bits, const char *name, unsigned width)
{
    const uint64_t value = next_field(bits, width);
    return log_field(name, value, value);
}

uint64_t ignore(struct bits *bits, const char *name, unsigned width)
{
    return take(bits, name, width);
}

uint64_t expect(struct bits *bits, const char *name, unsigned width, uint64_t expected)
{
    return log_field(name, next_field(bits, width), expected);
}

void expect_if(bool meaningful, struct bits *bits, const char *name, unsigned width,
               uint64_t expected)
{
    if (meaningful)
        expect(bits, name, width, expected);
    else
        ignore(bits, name, width);
}

void require(const char *name, uint64_t seen, uint64_t expected)
{
    log_field(name, seen, expected);
}

uint64_t random_bits(unsigned width)
{
    run.random += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = run.random;
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return (z ^ z >> 31) & ones(width);
}

unsigned members_below(unsigned count, uint64_t members)
{
    unsigned below = 0;
    for (unsigned i = 0; i < count; i++)
        below += members >> i & 1;
    return below;
}

uint64_t random_below(uint64_t bound) { return random_bits(32) * bound >> 32; }

bool chance(unsigned percent) { return random_below(100) < percent; }

unsigned mood(unsigned number) { return run.moods[number % BENCH_MOODS]; }

uint64_t bench_cycle(void) { return run.cycle; }

bool bench_in_reset(void) { return run.in_reset; }

bool bench_directed(void) { return run.directed; }

static void change_moods(void)
{
    static const unsigned levels[] = {0, 10, 30, 50, 70, 90, 100, 100};
    for (unsigned i = 0; i < BENCH_MOODS; i++)
        if (chance(2) || run.cycle == 0) run.moods[i] = levels[random_below(8)];
}

static const int *parameters_of(const svBitVecVal *parameters)
{
    return (const int *)(const void *)parameters;
}

static void report(int index, const int *p)
{
    const char *names = run.module->parameters;
    print_error("%s instance %d (%s = %d ", run.module->name, index, names, p[0]);
    for (unsigned i = 1; i < BENCH_PARAMETERS && (names = strchr(names, ',')); i++, names++)
        print_error("%d ", p[i]);
    print_error("), ANL_SEED=%" PRIu64 "%s, cycle %" PRIu64 ":\n ", run.seed,
                run.directed ? ", directed" : "", run.cycle);
    for (unsigned i = 0; i < run.num_fields; i++) {
        const struct field *field = &run.fields[i];
        print_error(" %s=%" PRIx64, field->name, field->seen);
        if (field->differs) print_error(" (EXPECTED %" PRIx64 ")", field->expected);
    }
    print_error("\n");
}

static void reset_state(int index, const int *p)
{
    assert_true(index >= 0 && index < BENCH_INSTANCES);
    if (!run.states[index]) run.states[index] = malloc(run.module->state_bytes + 1);
    assert_non_null(run.states[index]);
    memset(run.states[index], 0, run.module->state_bytes);
    if (run.module->reset) run.module->reset(run.states[index], p);
}

// Whether this program tests the module.
svBit bench_runs(const char *name) { return run.module && strcmp(name, run.module->name) == 0; }

void bench_drive(const char *name, int index, const svBitVecVal *parameters, svBitVecVal *in)
{
    struct bits bits = {.next = 0};
    const int *p = parameters_of(parameters);

    if (bench_runs(name)) {
        if (run.in_reset) reset_state(index, p);
        (run.directed ? run.module->directed : run.module->drive)(run.states[index], p, &bits);
    }
    memcpy(in, bits.words, sizeof bits.words);
}

void bench_check(const char *name, int index, const svBitVecVal *parameters, const svBitVecVal *in,
                 const svBitVecVal *out)
{
    struct bits in_bits = {.next = 0}, out_bits = {.next = 0};

    if (!bench_runs(name)) return;
    memcpy(in_bits.words, in, sizeof in_bits.words);
    memcpy(out_bits.words, out, sizeof out_bits.words);
    run.num_fields = 0;
    run.differences = 0;
    run.module->check(run.states[index], parameters_of(parameters), &in_bits, &out_bits);
    run.checks++;
    if (run.differences && run.failures++ == 0) report(index, parameters_of(parameters));
}

void bench_failed(const char *name, const char *file, int line)
{
    if (run.failures++ == 0)
        print_error("assertion %s at %s:%d, ANL_SEED=%" PRIu64 "%s, cycle %" PRIu64 "\n", name,
                    file, line, run.seed, run.directed ? ", directed" : "", run.cycle);
}

void anl_clock_stopped(const char *file, int line) { bench_failed("that stops", file, line); }

// In `make test`, one seed is enough, and a few cycles behind the second reset.
static bool is_sample(void)
{
    const char *sample = getenv("BENCH_SAMPLE");
    return sample && *sample;
}

static void run_cycles(struct anl_clock *clock, unsigned reset, uint32_t cycles)
{
    run.in_reset = true;
    anl_clock_reset(clock, true);
    for (unsigned i = 0; i < reset; i++)
        anl_clock_cycle(clock);
    run.in_reset = false;
    anl_clock_reset(clock, false);
    for (run.cycle = 0; run.cycle < cycles && !run.failures; run.cycle++) {
        change_moods();
        anl_clock_cycle(clock);
    }
}

static void run_seed(uint64_t seed, bool directed)
{
    run.seed = run.random = seed;
    run.directed = directed;
    run.cycle = run.checks = 0;
    run.failures = 0;
    change_moods();
    struct anl_clock *clock = anl_clock_create();
    run_cycles(clock, 2, run.module->cycles);
    // The second run shows that one cycle of reset undoes the first.
    run_cycles(clock, 1, run.module->cycles / (is_sample() ? 8 : 1));
    anl_clock_destroy(clock);
    for (unsigned i = 0; i < BENCH_INSTANCES; i++) {
        free(run.states[i]);
        run.states[i] = NULL;
    }
    assert_int_equal(run.failures, 0);
    assert_true(run.checks > 0);
}

static uint64_t seed_of(uint64_t number)
{
    const char *seed = getenv("ANL_SEED");
    return seed ? strtoull(seed, NULL, 10) : number;
}

static void random_1(void **state) { (void)state, run_seed(seed_of(1), false); }

static void random_2(void **state)
{
    (void)state;
    if (is_sample()) skip();
    run_seed(seed_of(2), false);
}

static void directed(void **state) { (void)state, run_seed(seed_of(3), true); }

int bench_main(const struct bench_module *module)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_1),
        cmocka_unit_test(random_2),
        cmocka_unit_test(directed),
    };

    run.module = module;
    if (module->directed) return cmocka_run_group_tests_name(module->name, tests, NULL, NULL);
    const struct CMUnitTest random_only[] = {tests[0], tests[1]};
    return cmocka_run_group_tests_name(module->name, random_only, NULL, NULL);
}
