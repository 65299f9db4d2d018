// SPDX-License-Identifier: Apache-2.0

#include "lockstep.h"

#include "bits.h"
#include "clock.h"
#include "compare.h"

#include <annelid/bufferless.h>
#include <annelid/bufferless_referee.h>
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void snakes_parameters(int n, int f, int k, int flit_w, int name_w, int step_w,
                       const svBitVecVal *map, const svBitVecVal *births);
void snakes_drive(svBit reset, svBit *go, svBit *round_valid, int *supersteps,
                  svBitVecVal *start_valid, svBitVecVal *start, svBitVecVal *src_valid,
                  svBitVecVal *src_flit);
void snakes_see(int step, svBit round_ready, const svBitVecVal *start_ready,
                const svBitVecVal *src_ready, const svBitVecVal *valid, const svBitVecVal *flit,
                const svBitVecVal *latch, const svBitVecVal *fault, svBit overflow,
                const svBitVecVal *ej_valid, const svBitVecVal *ej_flit);
int snakes_fault(void);
void bench_failed(const char *name, const char *file, int line);

enum { PORTS = ANL_BUFFERLESS_PORTS, LINKS = ANL_BUFFERLESS_LINKS, NONE = 7 };

// The worms of a source: the one that is sent and the one whose start is shown.
struct source {
    uint32_t sent, shown, last;
    uint32_t index;  // of the flit that is shown
};

// A DPI call has no pointer of the user, so the run is a static variable.
static struct {
    unsigned n, flit_w, name_w, step_w;
    unsigned coord_w;  // bits of a row or column in a label
    struct layout layout;
    const struct lockstep_options *options;
    struct lockstep_result result;
    struct snakes snakes;
    struct destinations destinations;
    uint32_t *of;            // [worms] supernode to which each goes
    uint32_t *next;          // [worms] of the same source, or NO_WORM
    uint32_t *names;         // [worms]
    uint32_t room;           // of these arrays
    struct source *sources;  // [nodes]
    struct anl_bufferless_referee *referee;
    struct anl_digest *digest;
    struct comparison comparison;
    struct round round;  // the next one
    bool pending;        // there is one
    uint64_t due;        // the last step of the round before, or 0
    uint32_t swaps;      // slots that trains exchange in the supersteps that go on
    bool started, over;
} run;

static unsigned side(void) { return run.n * run.layout.side; }

static unsigned nodes(void) { return side() * side(); }

static unsigned link_w(void) { return run.flit_w + 2; }

// --- the layout of the RTL ---

static uint8_t way_of(const svBitVecVal *table, unsigned entry)
{
    const uint64_t way = bits_get(table, 3 * entry, 3);
    return way == NONE ? ANL_NO_WAY : (uint8_t)way;
}

static _Noreturn void die(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

// Holds the births of the RTL against the tables of the model.
static void inspect_births(const svBitVecVal *births)
{
    struct anl_error error = {0};
    uint8_t *tables = malloc((size_t)run.layout.cells * PORTS);
    if (!tables || births_tables(&run.layout, tables, &error)) die(error.text);
    for (uint32_t i = 0; i < run.layout.cells * PORTS; i++)
        if (way_of(births, i) != tables[i]) die("the births of the RTL are not those of the model");
    free(tables);
}

void snakes_parameters(int n, int f, int k, int flit_w, int name_w, int step_w,
                       const svBitVecVal *map, const svBitVecVal *births)
{
    struct anl_error error = {0};
    assert(flit_w + 2 <= 64);
    run.n = (unsigned)n;
    run.flit_w = (unsigned)flit_w;
    run.name_w = (unsigned)name_w;
    run.step_w = (unsigned)step_w;
    if (run.layout.map) return;  // another clock
    if (layout_create((uint32_t)f, (uint32_t)k, &run.layout, &error)) die(error.text);
    for (uint32_t i = 0; i < run.layout.cells * LINKS; i++)
        run.layout.map[i] = way_of(map, i);
    if (layout_inspect(&run.layout, &error)) {
        fprintf(stderr, "the map of the RTL: %s\n", error.text);
        exit(2);
    }
    inspect_births(births);
    while (1u << run.coord_w < side())
        run.coord_w++;
}

int snakes_fault(void)
{
    const char *number = getenv("SNAKES_FAULT");
    return number ? atoi(number) : 0;
}

const struct layout *lockstep_layout(uint32_t *n)
{
    if (!run.layout.map) anl_clock_destroy(anl_clock_create());
    *n = run.n;
    return &run.layout;
}

// --- bits ---

static unsigned head_fields(void) { return 2 * run.coord_w + run.name_w; }

// The bits of a flit: {head, tail, data}. Above the fields of a head is the number of the flit
// (docs/link.md), and above that, in other flits, a hash of it.
static uint64_t bits_of(uint32_t worm, uint32_t index)
{
    const struct anl_worm *record = anl_bufferless_worm(run.snakes.machine, worm);
    const uint32_t to = record->destination, number = anl_mix32(index << 24 | (worm & 0xffffff));
    const uint64_t ones = (UINT64_C(1) << run.flit_w) - 1;
    uint64_t bits = number | (uint64_t)anl_mix32(number) << 32;
    if (index == 0)
        bits = bits << head_fields() | (uint64_t)run.names[worm] << 2 * run.coord_w |
               (to / side()) << run.coord_w | to % side();
    return (bits & ones) | (uint64_t)(index + 1u == record->length) << run.flit_w |
           (uint64_t)(index == 0) << (run.flit_w + 1);
}

static bool is_flit(uint32_t worm, uint32_t index, uint64_t bits)
{
    return worm < run.result.worms && index < run.layout.k && bits_of(worm, index) == bits;
}

// --- reports ---

void bench_failed(const char *name, const char *file, int line)
{
    if (!run.sources || run.result.assertion[0]) return;
    snprintf(run.result.assertion, sizeof run.result.assertion, "%s at %s:%d", name, file, line);
}

void anl_clock_stopped(const char *file, int line) { bench_failed("that stops", file, line); }

static void fail(const char *what)
{
    if (!run.result.failed) run.result.failed = what;
}

// --- rounds ---

static void make_room(void)
{
    const uint32_t needs = (uint32_t)run.result.worms + MOST_ROLES;
    if (needs <= run.room) return;
    run.room = 2 * needs;
    run.of = realloc(run.of, run.room * sizeof *run.of);
    run.next = realloc(run.next, run.room * sizeof *run.next);
    run.names = realloc(run.names, run.room * sizeof *run.names);
    if (!run.of || !run.next || !run.names) die("no memory");
    run.destinations.of = run.of;
}

// Gives a worm to the model, to the referee, and to its source.
static void cast(const struct role *role, uint32_t name)
{
    uint32_t worm;
    const uint32_t to = snakes_node(&run.snakes, role->to_supernode, role->to_cell);
    if (role->loads ? snakes_load(&run.snakes, role->supernode, role->side, role->slot, to, &worm)
                    : snakes_bear(&run.snakes, role->supernode, role->cell, to, &worm))
        die("a worm cannot be");
    const struct anl_worm *record = anl_bufferless_worm(run.snakes.machine, worm);
    if (record->created >= (UINT64_C(1) << run.step_w) - 1) die("a start has too many bits");
    if (anl_bufferless_referee_worm(run.referee, record)) die("no memory");
    anl_digest_worm(run.digest, record);
    run.of[worm] = role->to_supernode;
    run.names[worm] = name;
    run.next[worm] = NO_WORM;
    struct source *source = &run.sources[record->source];
    if (source->last != NO_WORM) run.next[source->last] = worm;
    source->last = worm;
    if (source->shown == NO_WORM) source->shown = worm;
    if (source->sent == NO_WORM) source->sent = worm;
    run.result.worms = worm + 1u;
}

// Begins the next round behind the step that was made.
static void begin_round(void)
{
    make_room();
    snakes_begin(&run.snakes, run.round.supersteps);
    for (uint32_t i = 0; i < run.round.count; i++)
        cast(&run.round.roles[i], i);
    run.due = run.snakes.begun + snakes_round_steps(&run.layout, run.round.supersteps);
    run.result.rounds++;
    run.result.supersteps += run.round.supersteps;
    run.pending = run.options->next(run.options->user, &run.round);
}

// At the end of a round all its worms are consumed, and the two sides agree on overflows.
static void end_round(bool overflow)
{
    if (!anl_bufferless_idle(run.snakes.machine)) fail("a worm is not consumed in its round");
    if (run.snakes.disagreed) fail("command processors of the model disagree");
    if (run.snakes.overflowed) fail("a supernode of the model has too few gaps");
    if (overflow) fail("a supernode of the RTL has too few gaps");
}

// --- the referee on the RTL ---

static void let_referee_see(const struct sight *sight)
{
    struct anl_flit *standing = malloc(nodes() * PORTS * sizeof *standing);
    if (!standing) die("no memory");
    struct anl_flit *consumed = standing + nodes() * LINKS;
    const size_t stand = compare_standing(&run.comparison, sight, standing);
    const size_t leave = compare_leaving(&run.comparison, sight, consumed);
    run.result.flits += stand + leave;
    if (!anl_bufferless_referee_step(run.referee, run.comparison.step, standing, stand, consumed,
                                     leave)) {
        run.result.violation = *anl_bufferless_referee_violation(run.referee);
        run.over = true;
    }
    free(standing);
}

static void look_at_faults(const struct sight *sight)
{
    for (unsigned node = 0; node < nodes() && !run.over; node++)
        if (bits_get(sight->fault, node, 1)) {
            compare_differ(&run.comparison, node, ANL_TERMINAL_PORT, "fault");
            run.over = true;
        }
}

// --- the cycles of a run ---

static void take(struct source *source, bool start, bool flit)
{
    if (start && source->shown != NO_WORM) source->shown = run.next[source->shown];
    if (!flit || source->sent == NO_WORM || ++source->index < run.layout.k) return;
    source->sent = run.next[source->sent];
    source->index = 0;
}

// Returns whether the next round is shown in the cycle of a step: if it does not wait, all the
// time.
static bool shows_round(uint64_t step)
{
    return run.pending && (run.round.wait == 0 || step >= run.due + run.round.wait);
}

void snakes_drive(svBit reset, svBit *go, svBit *round_valid, int *supersteps,
                  svBitVecVal *start_valid, svBitVecVal *start, svBitVecVal *src_valid,
                  svBitVecVal *src_flit)
{
    bits_clear(start_valid, nodes());
    bits_clear(start, nodes() * run.step_w);
    bits_clear(src_valid, nodes());
    bits_clear(src_flit, nodes() * link_w());
    *go = !reset;
    *round_valid = 0;
    *supersteps = 0;
    if (reset || !run.sources) return;
    const uint64_t step = run.started ? anl_bufferless_steps(run.snakes.machine) + 1 : 0;
    *round_valid = shows_round(step);
    *supersteps = (int)run.round.supersteps;
    for (unsigned node = 0; node < nodes(); node++) {
        const struct source *source = &run.sources[node];
        if (source->shown != NO_WORM) {
            bits_put(start_valid, node, 1, 1);
            bits_put(start, node * run.step_w, run.step_w,
                     anl_bufferless_worm(run.snakes.machine, source->shown)->created);
        }
        if (source->sent != NO_WORM) {
            bits_put(src_valid, node, 1, 1);
            bits_put(src_flit, node * link_w(), link_w(), bits_of(source->sent, source->index));
        }
    }
}

// Counts the slots that trains exchange: what the command processors decide stays until they
// forget.
static void count_exchanges(void)
{
    uint32_t swaps = 0;
    for (uint32_t i = 0; i < run.n * run.n; i++)
        for (uint32_t slot = 0; slot < run.layout.slots; slot++)
            swaps += run.snakes.supernodes[i].commands[PROCESSOR_TOP].swaps[slot];
    if (swaps > run.swaps) run.result.exchanges += swaps - run.swaps;
    run.swaps = swaps;
}

static void step_model(const struct sight *sight)
{
    size_t count;
    snakes_step(&run.snakes);
    count_exchanges();
    const struct anl_flit *flits = anl_bufferless_flits(run.snakes.machine, &count);
    anl_digest_flits(run.digest, run.comparison.step, flits, count);
    if (!run.options->rules) compare_consumed(&run.comparison, run.snakes.machine, sight);
    run.over |= run.comparison.differs;
}

void snakes_see(int step, svBit round_ready, const svBitVecVal *start_ready,
                const svBitVecVal *src_ready, const svBitVecVal *valid, const svBitVecVal *flit,
                const svBitVecVal *latch, const svBitVecVal *fault, svBit overflow,
                const svBitVecVal *ej_valid, const svBitVecVal *ej_flit)
{
    enum { AFTER = 3 };  // steps behind the last round
    const struct sight sight = {valid, flit, latch, fault, ej_valid, ej_flit};
    if (run.over || !run.sources) return;
    const uint64_t now = run.started ? anl_bufferless_steps(run.snakes.machine) + 1 : 0;
    run.comparison.step = run.result.steps = now;
    const bool begins = shows_round(now) && now >= run.due;
    if (!run.options->rules) {
        compare_number(&run.comparison, 0, ANL_TERMINAL_PORT, "number of the step", now,
                       (uint64_t)step);
        compare_number(&run.comparison, 0, ANL_TERMINAL_PORT, "ready for a round", now >= run.due,
                       round_ready);
        compare_registers(&run.comparison, run.snakes.machine, &sight);
        run.over = run.comparison.differs;
    }
    for (unsigned node = 0; node < nodes(); node++)
        take(&run.sources[node], bits_get(start_ready, node, 1), bits_get(src_ready, node, 1));
    if (run.started && !run.over) {
        let_referee_see(&sight);
        if (run.options->rules) look_at_faults(&sight);
        step_model(&sight);
        if (now == run.due) end_round(overflow);
    }
    run.started = true;
    if (begins && !run.over) begin_round();
    if (!run.pending && now >= run.due + AFTER) run.over = true;
}

// --- a run ---

static void prepare(const struct lockstep_options *options)
{
    struct anl_error error = {0};
    uint32_t n;
    lockstep_layout(&n);
    run.options = options;
    run.result = (struct lockstep_result){0};
    run.of = run.next = run.names = NULL;
    run.room = 0;
    run.due = 0;
    run.swaps = 0;
    run.started = run.over = false;
    if (snakes_create(&run.layout, n, greedy, &run.destinations, &run.snakes, &error))
        die(error.text);
    if (anl_bufferless_referee_create(side(), &run.referee) || anl_digest_create(&run.digest))
        die("no memory");
    anl_bufferless_referee_any_path(run.referee);
    anl_bufferless_record(run.snakes.machine, true);
    run.comparison =
        (struct comparison){.side = side(),
                            .flit_w = run.flit_w,
                            .head_fields = head_fields(),
                            .bits = bits_of,
                            .is_flit = is_flit,
                            .last = calloc(nodes() * PORTS, sizeof *run.comparison.last)};
    run.sources = malloc(nodes() * sizeof *run.sources);
    if (!run.comparison.last || !run.sources) die("no memory");
    for (unsigned node = 0; node < nodes(); node++)
        run.sources[node] = (struct source){NO_WORM, NO_WORM, NO_WORM, 0};
    run.pending = options->next(options->user, &run.round);
}

static void finish(void)
{
    run.result.differs = run.comparison.differs;
    memcpy(run.result.text, run.comparison.text, sizeof run.result.text);
    run.result.digest = anl_digest_value(run.digest);
    const bool cut = run.result.differs || run.result.violation.rule;
    if (!cut && !anl_bufferless_referee_end(run.referee))
        run.result.violation = *anl_bufferless_referee_violation(run.referee);
    anl_bufferless_referee_destroy(run.referee);
    anl_digest_destroy(run.digest);
    snakes_free(&run.snakes);
    free(run.comparison.last);
    free(run.sources);
    free(run.of);
    free(run.next);
    free(run.names);
    run.sources = NULL;
}

struct lockstep_result lockstep_run(const struct lockstep_options *options)
{
    prepare(options);
    struct anl_clock *clock = anl_clock_create();
    anl_clock_reset(clock, true);
    for (unsigned i = 0; i < 2; i++)
        anl_clock_cycle(clock);
    anl_clock_reset(clock, false);
    while (!run.over)
        anl_clock_cycle(clock);
    finish();
    anl_clock_destroy(clock);
    return run.result;
}
