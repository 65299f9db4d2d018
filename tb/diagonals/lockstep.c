// SPDX-License-Identifier: Apache-2.0

#include "lockstep.h"

#include "bits.h"
#include "clock.h"

#include <annelid/diagonals_referee.h>
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

void diagonals_parameters(int n, int length, int a, int b, int c, int brief, int flit_w,
                          int step_w);
void diagonals_drive(svBit reset, svBit *go, svBitVecVal *start_valid, svBitVecVal *start,
                     svBitVecVal *src_valid, svBitVecVal *src_flit);
void diagonals_see(int step, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                   const svBitVecVal *valid, const svBitVecVal *flit, const svBitVecVal *latch,
                   const svBitVecVal *taken, const svBitVecVal *fault, svBit failed,
                   const svBitVecVal *exit_valid, const svBitVecVal *exit_flit);
void bench_failed(const char *name, const char *file, int line);

enum { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS, WAYS = 5, MOST_REGISTERS = MOST_NODES * LINKS };
enum { TAG_LSB = 8, MOST_LENGTH = 1 << TAG_LSB };  // below the tag: index, or destination

// The worms of a source: which one is sent and which start is shown, as positions in run.order.
struct source {
    uint32_t end;  // behind its last worm
    uint32_t sent, shown;
    uint32_t index;  // of the flit that is shown
};

// What the RTL shows in a step.
struct sight {
    const svBitVecVal *valid, *flit, *latch, *taken, *fault, *exit_valid, *exit_flit;
    bool failed;
};

// A DPI call has no pointer of the user, so the run is a static variable.
static struct {
    struct anl_diagonals_config config;
    unsigned flit_w, step_w, label_w;
    uint32_t nodes, registers;
    uint64_t stage, period;  // steps of a stage, of a batch
    struct anl_diagonals *machine;
    struct anl_diagonals_worm *worms;
    uint32_t count;
    uint32_t *order;   // worms by source, those of a source by batch
    uint32_t *places;  // [count * length] register of each flit, while the latches are found
    struct source sources[MOST_NODES];
    struct anl_diagonals_register now[MOST_REGISTERS], next[MOST_REGISTERS];  // of the model
    // What must stand in the RTL beside them, found from the moves of the model alone.
    unsigned latches[MOST_REGISTERS];
    bool taken[MOST_NODES], failed;
    struct anl_diagonals_referee *referee;
    struct lockstep_result result;
    bool rules, over;
} run;

void diagonals_parameters(int n, int length, int a, int b, int c, int brief, int flit_w, int step_w)
{
    assert(n <= MOST_SIDE && length <= MOST_LENGTH && flit_w + 2 <= 64);
    run.config = (struct anl_diagonals_config){.n = (uint32_t)n,
                                               .d = 2,
                                               .length = (uint32_t)length,
                                               .a = (uint32_t)a,
                                               .b = (uint32_t)b,
                                               .c = (uint32_t)c};
    if (brief)
        anl_diagonals_short_rounds(&run.config);
    else
        anl_diagonals_paper_rounds(&run.config);
    run.flit_w = (unsigned)flit_w;
    run.step_w = (unsigned)step_w;
    run.nodes = run.config.n * run.config.n;
    run.registers = LINKS * run.nodes;
    for (run.label_w = 1; 1u << run.label_w < run.config.n;)
        run.label_w++;
    run.stage = anl_diagonals_stage_cycles(&run.config);
    run.period = run.stage + anl_diagonals_delivery_cycles(&run.config);
}

static unsigned link_w(void) { return run.flit_w + 2; }

// Returns the bits of a flit: head, tail, and the data, which in a head have the destination.
static uint64_t bits_of(uint32_t worm, uint32_t index)
{
    const uint32_t to = run.worms[worm].destination, n = run.config.n;
    const uint64_t low = index ? index : to / n << run.label_w | to % n;
    return low | (uint64_t)worm << TAG_LSB |
           (uint64_t)(index + 1 == run.config.length) << run.flit_w |
           (uint64_t)(index == 0) << (run.flit_w + 1);
}

// --- reports ---

// Notes the first assertion of the RTL that fails. The run goes on up to the difference, if there
// is one.
void bench_failed(const char *name, const char *file, int line)
{
    if (!run.machine || run.result.assertion[0]) return;
    snprintf(run.result.assertion, sizeof run.result.assertion, "%s at %s:%d", name, file, line);
}

void anl_clock_stopped(const char *file, int line) { bench_failed("that stops", file, line); }

const char *lockstep_place(uint32_t reg)
{
    static const char *const names[] = {"+x", "-x", "+y", "-y"};
    static char text[40];
    const uint32_t node = reg / LINKS;
    if (reg >= run.registers) return "the terminal";
    snprintf(text, sizeof text, "(%" PRIu32 ",%" PRIu32 ") %s", node % run.config.n,
             node / run.config.n, names[reg % LINKS]);
    return text;
}

static void differ(uint32_t reg, const char *field, uint64_t expected, uint64_t got)
{
    if (expected == got || run.over || run.rules) return;
    run.over = run.result.differs = true;
    run.result.step = run.result.cycles - 2;  // as the model counts
    snprintf(run.result.text, sizeof run.result.text,
             "step %" PRIu64 " at %s: %s, expected %" PRIx64 ", got %" PRIx64, run.result.step,
             lockstep_place(reg), field, expected, got);
}

// --- what is compared ---

static void compare_register(const struct sight *sight, uint32_t reg)
{
    const struct anl_diagonals_register *model = &run.now[reg];
    const uint64_t valid = bits_get(sight->valid, reg, 1);
    const uint64_t flit = bits_get(sight->flit, reg * link_w(), link_w());
    differ(reg, "valid", model->valid, valid);
    if (model->valid) differ(reg, "flit", bits_of(model->worm, model->index), flit);
    differ(reg, "latch", run.latches[reg], bits_get(sight->latch, reg * WAYS, WAYS));
    run.result.digest = anl_mix(run.result.digest ^ (valid ? flit : 0));
}

static void compare_registers(const struct sight *sight)
{
    for (uint32_t reg = 0; reg < run.registers; reg++)
        compare_register(sight, reg);
    for (uint32_t node = 0; node < run.nodes; node++) {
        differ(node * LINKS + X_MINUS, "taken", run.taken[node], bits_get(sight->taken, node, 1));
        differ(node * LINKS, "fault", 0, bits_get(sight->fault, node, 1));
    }
    differ(0, "failed", run.failed, sight->failed);
}

// Compares what leaves the RTL with what was in the model before its step and is not there behind.
static void compare_exits(const struct sight *sight)
{
    const uint32_t length = run.config.length;
    for (uint32_t reg = 0; reg < run.registers; reg++) {
        const struct anl_diagonals_register *was = &run.now[reg];
        const bool left = was->valid && run.places[was->worm * length + was->index] == UINT32_MAX;
        differ(reg, "exit", left, bits_get(sight->exit_valid, reg, 1));
        if (left)
            differ(reg, "flit that leaves", bits_of(was->worm, was->index),
                   bits_get(sight->exit_flit, reg * link_w(), link_w()));
        run.result.flits += left;
        run.failed |= left && reg % LINKS != Y_MINUS;
    }
}

// --- the state that follows from the moves of the model ---

static void find_places(void)
{
    const uint32_t length = run.config.length;
    for (uint32_t i = 0; i < run.count * length; i++)
        run.places[i] = UINT32_MAX;
    for (uint32_t reg = 0; reg < run.registers; reg++)
        if (run.next[reg].valid)
            run.places[run.next[reg].worm * length + run.next[reg].index] = reg;
}

static unsigned latch_behind(uint32_t reg, uint32_t place)
{
    if (!run.now[reg].valid || (place != reg && run.now[reg].index + 1 == run.config.length))
        return 0;
    if (place == reg) return run.latches[reg];
    return 1u << (place == UINT32_MAX ? WAYS - 1 : place % LINKS);
}

// A head that turns from -x to +x while slots are given takes its turn node.
static void note_taken(uint32_t reg, uint32_t place, uint64_t step)
{
    const bool turned = run.now[reg].valid && run.now[reg].index == 0 && reg % LINKS == X_MINUS &&
                        place != UINT32_MAX && place % LINKS == X_PLUS;
    if (step < run.config.n + run.config.length && turned) run.taken[reg / LINKS] = true;
    if (step >= run.stage) run.taken[reg / LINKS] = false;
}

static void follow_moves(void)
{
    const uint64_t step = (anl_diagonals_next(run.machine) - 1) % run.period;
    for (uint32_t reg = 0; reg < run.registers; reg++) {
        const struct anl_diagonals_register *was = &run.now[reg];
        const uint32_t place =
            was->valid ? run.places[was->worm * run.config.length + was->index] : UINT32_MAX;
        run.latches[reg] = latch_behind(reg, place);
        note_taken(reg, place, step);
        const struct anl_diagonals_register *is = &run.next[reg];
        run.result.flits +=
            is->valid && (!was->valid || is->worm != was->worm || is->index != was->index);
    }
}

// --- the referee on the RTL ---

// Finds out which flit the bits in a register are; if they are none, its worm is UINT32_MAX.
static struct anl_flit identify(uint32_t reg, uint64_t bits)
{
    const bool head = bits >> (run.flit_w + 1) & 1;
    const uint64_t data = bits & ((UINT64_C(1) << run.flit_w) - 1);
    const uint64_t worm = data >> TAG_LSB;
    const uint32_t index = head ? 0 : data & (MOST_LENGTH - 1);
    const bool is_one =
        worm < run.count && index < run.config.length && bits_of((uint32_t)worm, index) == bits;
    return (struct anl_flit){.link = reg,
                             .worm = is_one ? (uint32_t)worm : UINT32_MAX,
                             .index = (uint16_t)index,
                             .head = head,
                             .tail = bits >> run.flit_w & 1};
}

static size_t identify_all(const svBitVecVal *valid, const svBitVecVal *flit,
                           struct anl_flit *flits)
{
    size_t count = 0;
    for (uint32_t reg = 0; reg < run.registers; reg++)
        if (bits_get(valid, reg, 1))
            flits[count++] = identify(reg, bits_get(flit, reg * link_w(), link_w()));
    return count;
}

static void judge(const struct sight *sight)
{
    static struct anl_flit standing[MOST_REGISTERS], leaving[MOST_REGISTERS];
    const size_t num_standing = identify_all(sight->valid, sight->flit, standing);
    const size_t num_leaving = identify_all(sight->exit_valid, sight->exit_flit, leaving);
    if (anl_diagonals_referee_step(run.referee, run.result.cycles - 2, standing, num_standing,
                                   leaving, num_leaving))
        return;
    run.result.violation = *anl_diagonals_referee_violation(run.referee);
    run.over |= run.rules;
}

// --- the cycles of a run ---

static void take(struct source *source, bool start, bool flit)
{
    source->shown += start && source->shown < source->end;
    if (!flit || source->sent == source->end) return;
    if (++source->index < run.config.length) return;
    source->sent++;
    source->index = 0;
}

// The first batch begins in step 1 of the RTL.
static uint64_t start_of(uint32_t worm) { return 1 + run.worms[worm].batch * run.period; }

void diagonals_drive(svBit reset, svBit *go, svBitVecVal *start_valid, svBitVecVal *start,
                     svBitVecVal *src_valid, svBitVecVal *src_flit)
{
    bits_clear(start_valid, run.nodes);
    bits_clear(start, run.nodes * run.step_w);
    bits_clear(src_valid, run.nodes);
    bits_clear(src_flit, run.nodes * link_w());
    *go = !reset;
    if (reset) return;
    for (unsigned node = 0; node < run.nodes; node++) {
        const struct source *source = &run.sources[node];
        if (source->shown < source->end) {
            bits_put(start_valid, node, 1, 1);
            bits_put(start, node * run.step_w, run.step_w, start_of(run.order[source->shown]));
        }
        if (source->sent < source->end) {
            bits_put(src_valid, node, 1, 1);
            bits_put(src_flit, node * link_w(), link_w(),
                     bits_of(run.order[source->sent], source->index));
        }
    }
}

void diagonals_see(int step, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                   const svBitVecVal *valid, const svBitVecVal *flit, const svBitVecVal *latch,
                   const svBitVecVal *taken, const svBitVecVal *fault, svBit failed,
                   const svBitVecVal *exit_valid, const svBitVecVal *exit_flit)
{
    const struct sight sight = {valid, flit, latch, taken, fault, exit_valid, exit_flit, failed};
    if (run.over) return;
    for (unsigned node = 0; node < run.nodes; node++)
        take(&run.sources[node], bits_get(start_ready, node, 1), bits_get(src_ready, node, 1));
    if (run.result.cycles++ == 0) return;  // step 0 of the RTL, in which the first starts are taken
    differ(0, "number of the step", run.result.cycles - 1, (uint64_t)step);
    judge(&sight);
    compare_registers(&sight);
    anl_diagonals_step(run.machine);
    anl_diagonals_registers(run.machine, run.next);
    find_places();
    compare_exits(&sight);
    follow_moves();
    memcpy(run.now, run.next, sizeof run.now);
    run.over |= anl_diagonals_done(run.machine);
}

// --- a run ---

static int by_source(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    const struct anl_diagonals_worm *worms = run.worms;
    if (worms[a].source != worms[b].source) return worms[a].source < worms[b].source ? -1 : 1;
    return worms[a].batch < worms[b].batch ? -1 : worms[a].batch > worms[b].batch;
}

static void sort_by_source(void)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < run.count; i++)
        run.order[i] = i;
    qsort(run.order, run.count, sizeof *run.order, by_source);
    for (uint32_t node = 0; node < run.nodes; node++) {
        struct source *source = &run.sources[node];
        source->sent = source->shown = next;
        while (next < run.count && run.worms[run.order[next]].source == node)
            next++;
        source->end = next;
        source->index = 0;
    }
}

static _Noreturn void refuse(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(2);
}

static void make_referee(void)
{
    const struct anl_diagonals_config *config = &run.config;
    const struct anl_diagonals_torus torus = {
        config->n, config->d,      config->length,  config->a,           config->b,
        config->c, config->rounds, config->forward, config->round_cycles};
    if (anl_diagonals_referee_create(&torus, &run.referee)) abort();
    for (uint32_t i = 0; i < run.count; i++) {
        const struct anl_worm worm = {.source = run.worms[i].source,
                                      .destination = run.worms[i].destination,
                                      .created = start_of(i) - 1,
                                      .length = (uint16_t)config->length};
        if (anl_diagonals_referee_worm(run.referee, &worm)) abort();
    }
}

static void prepare(struct anl_diagonals *machine, struct anl_diagonals_worm *worms, uint32_t count)
{
    run.machine = machine;
    run.worms = worms;
    run.count = count;
    run.order = calloc(count + 1, sizeof *run.order);
    run.places = calloc((size_t)count * run.config.length + 1, sizeof *run.places);
    struct anl_error error;
    if (!run.order || !run.places) abort();
    if (anl_diagonals_load(machine, worms, count, &error)) refuse(error.text);
    sort_by_source();
    make_referee();
    memset(run.now, 0, sizeof run.now);
    memset(run.latches, 0, sizeof run.latches);
    memset(run.taken, 0, sizeof run.taken);
    run.failed = run.over = false;
    run.result = (struct lockstep_result){0};
    for (uint32_t i = 0; i < count; i++)
        if (start_of(i) >= (UINT64_C(1) << run.step_w) - 1) refuse("expected an earlier batch");
}

// A run that was cut off says nothing of its end. The fates that the referee saw must be those of
// the model.
static void finish_referee(void)
{
    const struct anl_diagonals_totals totals = anl_diagonals_totals(run.machine);
    uint64_t delivered, failed;
    if (!run.result.differs && !run.result.violation.rule) {
        anl_diagonals_referee_end(run.referee);
        run.result.violation = *anl_diagonals_referee_violation(run.referee);
        anl_diagonals_referee_count(run.referee, &delivered, &failed);
        differ(0, "worms delivered", totals.states[ANL_DIAGONALS_DELIVERED], delivered);
    }
    anl_diagonals_referee_destroy(run.referee);
}

struct anl_diagonals_config lockstep_config(void)
{
    anl_clock_destroy(anl_clock_create());
    return run.config;
}

struct lockstep_result lockstep_run(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                    uint32_t count, bool rules)
{
    prepare(machine, worms, count);
    run.rules = rules;
    struct anl_clock *clock = anl_clock_create();
    anl_clock_reset(clock, true);
    for (unsigned i = 0; i < 2; i++)
        anl_clock_cycle(clock);
    anl_clock_reset(clock, false);
    while (!run.over)
        anl_clock_cycle(clock);
    anl_clock_destroy(clock);
    finish_referee();
    free(run.order);
    free(run.places);
    run.machine = NULL;
    return run.result;
}
