// SPDX-License-Identifier: Apache-2.0

#include "lockstep.h"

#include "bits.h"
#include "clock.h"
#include "compare.h"

#include <annelid/bufferless_referee.h>
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <svdpi.h>

void bufferless_parameters(int k, int flit_w, int step_w);
void bufferless_drive(svBit reset, svBit *run, svBitVecVal *start_valid, svBitVecVal *start,
                      svBitVecVal *src_valid, svBitVecVal *src_flit);
void bufferless_see(int step, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                    const svBitVecVal *valid, const svBitVecVal *flit, const svBitVecVal *latch,
                    const svBitVecVal *fault, const svBitVecVal *ej_valid,
                    const svBitVecVal *ej_flit);
void bench_failed(const char *name, const char *file, int line);

enum {
    PORTS = ANL_BUFFERLESS_PORTS,
    LINKS = ANL_BUFFERLESS_LINKS,
    MOST_LENGTH = 255,  // index bits that a flit's data hold
};

// The worms of a source: which one is sent and which start is shown, as positions in `order`.
struct source {
    uint32_t first, end;  // its worms
    uint32_t sent, shown;
    uint32_t index;  // of the flit that is shown
};

// A DPI call has no pointer of the user, so the run is a static variable.
static struct {
    unsigned side, flit_w, step_w;
    const struct lockstep_options *options;
    const struct cast *cast;
    struct lockstep_result result;
    struct anl_config config;           // for the data of flits
    uint64_t (*bits)[MOST_LENGTH + 1];  // of each flit of each worm: {head, tail, data}
    uint32_t *order;                    // worms by source
    struct source sources[MOST_NODES];
    struct anl_bufferless *model;
    struct anl_bufferless_referee *referee;
    struct anl_digest *digest;
    struct compare_last last[MOST_NODES * PORTS];  // of each link
    struct comparison comparison;  // its step is the one that the sources and the model are in
    uint32_t waited;
    bool over;
} run;

static unsigned nodes(void) { return run.side * run.side; }

static unsigned link_w(void) { return run.flit_w + 2; }

void bufferless_parameters(int k, int flit_w, int step_w)
{
    assert(k <= MOST_SIDE && flit_w + 2 <= 64);
    run.side = (unsigned)k;
    run.flit_w = (unsigned)flit_w;
    run.step_w = (unsigned)step_w;
}

// --- bits ---

static uint64_t bits_of(uint32_t worm, uint32_t index) { return run.bits[worm][index]; }

static void make_bits(uint32_t worm)
{
    const struct anl_worm *record = &run.cast->worms[worm];
    uint32_t words[ANL_FLIT_WORDS];
    for (uint32_t index = 0; index < record->length; index++) {
        anl_flit_data(&run.config, record, (uint16_t)index, 0, words);
        uint64_t bits = words[0];
        if (run.flit_w > 32) bits |= (uint64_t)words[1] << 32;
        bits |= (uint64_t)(index + 1 == record->length) << run.flit_w;
        bits |= (uint64_t)(index == 0) << (run.flit_w + 1);
        run.bits[worm][index] = bits;
    }
}

// --- reports ---

// Notes the first assertion of the RTL that fails. The run goes on up to the difference, if there
// is one.
void bench_failed(const char *name, const char *file, int line)
{
    if (!run.model || run.result.assertion[0]) return;
    snprintf(run.result.assertion, sizeof run.result.assertion, "%s at %s:%d", name, file, line);
}

void anl_clock_stopped(const char *file, int line) { bench_failed("that stops", file, line); }

// --- the referee on the RTL ---

// Returns whether the bits are those of a flit, which may not exist.
static bool is_flit(uint32_t worm, uint32_t index, uint64_t bits)
{
    return worm < run.cast->count && index < run.cast->worms[worm].length &&
           run.bits[worm][index] == bits;
}

static void let_referee_see(const struct sight *sight)
{
    struct anl_flit standing[MOST_NODES * LINKS], consumed[MOST_NODES];
    const size_t stand = compare_standing(&run.comparison, sight, standing);
    const size_t leave = compare_leaving(&run.comparison, sight, consumed);
    run.result.flits += stand + leave;
    if (anl_bufferless_referee_step(run.referee, run.comparison.step, standing, stand, consumed,
                                    leave))
        return;
    if (!run.result.violation.rule)
        run.result.violation = *anl_bufferless_referee_violation(run.referee);
    if (run.options->rules) run.over = true;
}

static void look_at_faults(const struct sight *sight)
{
    if (run.result.fault_step) return;
    for (unsigned node = 0; node < nodes(); node++)
        run.result.fault_nodes |= bits_get(sight->fault, node, 1) << node;
    if (run.result.fault_nodes) run.result.fault_step = run.comparison.step;
    if (run.result.fault_nodes && run.options->rules && !run.over)
        compare_differ(&run.comparison, (unsigned)__builtin_ctzll(run.result.fault_nodes),
                       ANL_TERMINAL_PORT, "fault");
}

// --- the cycles of a run ---

static void take(struct source *source, bool start, bool flit)
{
    source->shown += start && source->shown < source->end;
    if (!flit || source->sent == source->end) return;
    if (++source->index < run.cast->worms[run.order[source->sent]].length) return;
    source->sent++;
    source->index = 0;
}

void bufferless_drive(svBit reset, svBit *go, svBitVecVal *start_valid, svBitVecVal *start,
                      svBitVecVal *src_valid, svBitVecVal *src_flit)
{
    bits_clear(start_valid, nodes());
    bits_clear(start, nodes() * run.step_w);
    bits_clear(src_valid, nodes());
    bits_clear(src_flit, nodes() * link_w());
    *go = !reset && run.waited >= run.options->wait;
    if (reset) return;
    for (unsigned node = 0; node < nodes(); node++) {
        const struct source *source = &run.sources[node];
        if (source->shown < source->end) {
            const struct anl_worm *worm = &run.cast->worms[run.order[source->shown]];
            bits_put(start_valid, node, 1, 1);
            bits_put(start, node * run.step_w, run.step_w, worm->created);
        }
        if (source->sent < source->end) {
            bits_put(src_valid, node, 1, 1);
            bits_put(src_flit, node * link_w(), link_w(),
                     run.bits[run.order[source->sent]][source->index]);
        }
    }
}

static void step_model(const struct sight *sight)
{
    size_t count;
    anl_bufferless_step(run.model);
    for (uint32_t id = 0; id < run.cast->count; id++)
        if (run.cast->worms[id].created == anl_bufferless_steps(run.model))
            anl_digest_worm(run.digest, &run.cast->worms[id]);
    const struct anl_flit *flits = anl_bufferless_flits(run.model, &count);
    anl_digest_flits(run.digest, anl_bufferless_steps(run.model), flits, count);
    if (!run.options->rules) compare_consumed(&run.comparison, run.model, sight);
    run.over |= run.comparison.differs;
}

void bufferless_see(int step, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                    const svBitVecVal *valid, const svBitVecVal *flit, const svBitVecVal *latch,
                    const svBitVecVal *fault, const svBitVecVal *ej_valid,
                    const svBitVecVal *ej_flit)
{
    const struct sight sight = {valid, flit, latch, fault, ej_valid, ej_flit};
    const bool waits = run.waited <= run.options->wait;  // the step is still 0
    if (run.over) return;
    run.comparison.step = waits ? 0 : anl_bufferless_steps(run.model) + 1;
    run.result.cycles++;
    if (!run.options->rules) {
        compare_number(&run.comparison, 0, ANL_TERMINAL_PORT, "number of the step",
                       run.comparison.step, (uint64_t)step);
        compare_registers(&run.comparison, run.model, &sight);
        run.over = run.comparison.differs;
    }
    for (unsigned node = 0; node < nodes(); node++)
        take(&run.sources[node], bits_get(start_ready, node, 1), bits_get(src_ready, node, 1));
    run.waited += waits;
    if (waits || run.over) return;
    let_referee_see(&sight);
    look_at_faults(&sight);
    step_model(&sight);
}

// --- a run ---

static bool fits(const struct anl_worm *worm)
{
    return worm->length <= MOST_LENGTH && worm->created < (1u << run.step_w) - 1;
}

static void enqueue(void)
{
    for (uint32_t id = 0; id < run.cast->count; id++) {
        const struct anl_worm *worm = &run.cast->worms[id];
        if (!fits(worm) || anl_bufferless_enqueue(run.model, worm, NULL) ||
            anl_bufferless_referee_worm(run.referee, worm)) {
            fprintf(stderr,
                    "worm %" PRIu32 " cannot be: expected 1 to %d flits, another destination than "
                    "its source, and a start from 1 to %u, behind the worms before it there\n",
                    id, MOST_LENGTH, (1u << run.step_w) - 2);
            exit(2);
        }
        make_bits(id);
    }
}

// Fills the worms of each source into run.order.
static void sort_by_source(void)
{
    uint32_t next = 0;
    for (unsigned node = 0; node < nodes(); node++) {
        struct source *source = &run.sources[node];
        source->first = next;
        for (uint32_t id = 0; id < run.cast->count; id++)
            if (run.cast->worms[id].source == node) run.order[next++] = id;
        source->end = next;
        source->sent = source->shown = source->first;
        source->index = 0;
    }
}

static void prepare(const struct cast *cast, const struct lockstep_options *options)
{
    run.cast = cast;
    run.options = options;
    run.result = (struct lockstep_result){0};
    run.config = (struct anl_config){.topology = ANL_MESH,
                                     .k = run.side,
                                     .n = 2,
                                     .num_vcs = 1,
                                     .depth = 1,
                                     .flit_width_bits = run.flit_w};
    run.bits = calloc(cast->count + 1, sizeof *run.bits);
    run.order = calloc(cast->count + 1, sizeof *run.order);
    if (!run.bits || !run.order || anl_bufferless_create(run.side, &run.model) ||
        anl_bufferless_referee_create(run.side, &run.referee) || anl_digest_create(&run.digest))
        abort();
    anl_bufferless_record(run.model, true);
    memset(run.last, 0, sizeof run.last);
    run.waited = 0;
    run.over = false;
    run.comparison = (struct comparison){.side = run.side,
                                         .flit_w = run.flit_w,
                                         .head_fields = anl_head_bits(&run.config),
                                         .bits = bits_of,
                                         .is_flit = is_flit,
                                         .last = run.last};
    enqueue();
    sort_by_source();
}

static void finish(void)
{
    run.result.fault = anl_bufferless_fault(run.model);
    run.result.digest = anl_digest_value(run.digest);
    run.result.differs = run.comparison.differs;
    run.result.step = run.comparison.step;
    memcpy(run.result.text, run.comparison.text, sizeof run.result.text);
    const bool cut = run.result.differs || run.result.violation.rule;
    if (!cut && !anl_bufferless_referee_end(run.referee))
        run.result.violation = *anl_bufferless_referee_violation(run.referee);
    anl_bufferless_destroy(run.model);
    anl_bufferless_referee_destroy(run.referee);
    anl_digest_destroy(run.digest);
    free(run.bits);
    free(run.order);
    run.model = NULL;
}

uint32_t lockstep_side(void)
{
    anl_clock_destroy(anl_clock_create());
    return run.side;
}

struct lockstep_result lockstep_run(const struct cast *cast, const struct lockstep_options *options)
{
    enum { AFTER = 3 };  // steps behind the last flit
    prepare(cast, options);
    struct anl_clock *clock = anl_clock_create();
    anl_clock_reset(clock, true);
    for (unsigned i = 0; i < 2; i++)
        anl_clock_cycle(clock);
    anl_clock_reset(clock, false);
    for (unsigned rest = 0; rest < AFTER && !run.over; anl_clock_cycle(clock))
        rest = anl_bufferless_idle(run.model) ? rest + 1 : 0;
    finish();
    anl_clock_destroy(clock);
    return run.result;
}
