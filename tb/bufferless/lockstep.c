// SPDX-License-Identifier: Apache-2.0

#include "lockstep.h"

#include "clock.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
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

// What the RTL shows in a cycle.
struct sight {
    const svBitVecVal *valid, *flit, *latch, *fault, *ej_valid, *ej_flit;
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
    struct anl_flit last[MOST_NODES * PORTS];  // of each link; its step is in seen
    uint64_t seen[MOST_NODES * PORTS];
    uint64_t step;  // that the sources and the model are in
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

static uint64_t field(const svBitVecVal *words, unsigned lsb, unsigned width)
{
    uint64_t value = 0;
    for (unsigned got = 0; got < width;) {
        const unsigned offset = (lsb + got) % 32, left = width - got;
        const unsigned part = left < 32 - offset ? left : 32 - offset;
        const uint64_t bits = words[(lsb + got) / 32] >> offset;
        value |= (bits & ((UINT64_C(1) << part) - 1)) << got;
        got += part;
    }
    return value;
}

static void put(svBitVecVal *words, unsigned lsb, unsigned width, uint64_t value)
{
    for (unsigned done = 0; done < width;) {
        const unsigned offset = (lsb + done) % 32, left = width - done;
        const unsigned part = left < 32 - offset ? left : 32 - offset;
        const uint64_t bits = value >> done & ((UINT64_C(1) << part) - 1);
        words[(lsb + done) / 32] |= (svBitVecVal)(bits << offset);
        done += part;
    }
}

static void clear(svBitVecVal *words, unsigned width)
{
    memset(words, 0, (width + 31) / 32 * sizeof *words);
}

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

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    const size_t used = strlen(run.result.text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run.result.text + used, sizeof run.result.text - used, format, arguments);
    va_end(arguments);
}

// Ends the run with a difference at a port of a node.
static void differ(unsigned node, unsigned port, const char *what)
{
    run.over = run.result.differs = true;
    run.result.step = run.step;
    say("step %" PRIu64 " at (%u,%u).%c: %s", run.step, node / run.side, node % run.side,
        "EWSNT"[port], what);
}

// Notes the first assertion of the RTL that fails. The run goes on up to the difference, if there
// is one.
void bench_failed(const char *name, const char *file, int line)
{
    if (!run.model || run.result.assertion[0]) return;
    snprintf(run.result.assertion, sizeof run.result.assertion, "%s at %s:%d", name, file, line);
}

void anl_clock_stopped(const char *file, int line) { bench_failed("that stops", file, line); }

// --- the model beside the RTL ---

// Returns the bits of what the model has on a link, and whether it has anything there.
static bool expected_on(const struct anl_bufferless_register *link, uint64_t *bits)
{
    *bits = link->valid ? run.bits[link->worm][link->index] : 0;
    return link->valid;
}

static void compare_flit(unsigned node, unsigned port, const char *what, bool expected,
                         uint64_t expected_bits, bool seen, uint64_t seen_bits)
{
    if (run.over || (expected == seen && (!seen || expected_bits == seen_bits))) return;
    differ(node, port, what);
    if (expected) say("\n  expected  %0*" PRIx64, (int)(link_w() + 3) / 4, expected_bits);
    if (!expected) say("\n  expected  no flit");
    if (seen) say("\n  seen      %0*" PRIx64, (int)(link_w() + 3) / 4, seen_bits);
    if (!seen) say("\n  seen      no flit");
}

static void compare_number(unsigned node, unsigned port, const char *what, uint64_t expected,
                           uint64_t seen)
{
    if (run.over || expected == seen) return;
    differ(node, port, what);
    say("\n  expected  %" PRIu64 "\n  seen      %" PRIu64, expected, seen);
}

// The node from which a link comes to an input port; the port by which it leaves is port ^ 1.
static unsigned sender(unsigned node, unsigned port)
{
    const unsigned n = run.side;
    switch (port) {
    case ANL_EAST:
        return node + 1;
    case ANL_WEST:
        return node - 1;
    case ANL_SOUTH:
        return node + n;
    default:
        return node - n;
    }
}

// Returns whether a node has a neighbour on a side.
static bool has_neighbour(unsigned node, unsigned port)
{
    const unsigned n = run.side, row = node / n, column = node % n;
    const bool has[] = {column + 1 < n, column > 0, row + 1 < n, row > 0};
    return has[port];
}

// Compares all registers, those of links by the node that has sent.
static void compare_registers(const struct sight *sight)
{
    struct anl_bufferless_register links[MOST_NODES * LINKS];
    uint8_t latches[MOST_NODES * PORTS], faults[MOST_NODES];
    struct anl_bufferless_state state = {links, latches, faults};
    anl_bufferless_state(run.model, &state);
    for (unsigned node = 0; node < nodes(); node++) {
        for (unsigned port = 0; port < LINKS; port++) {
            if (!has_neighbour(node, port)) continue;
            const unsigned at = sender(node, port) * LINKS + (port ^ 1);  // its other end
            uint64_t bits;
            const bool expected = expected_on(&links[at], &bits);
            compare_flit(node, port, "link register", expected, bits, field(sight->valid, at, 1),
                         field(sight->flit, at * link_w(), link_w()));
        }
        for (unsigned port = 0; port < PORTS; port++) {
            const unsigned latch = node * PORTS + port;
            compare_number(node, port, "latch",
                           latches[latch] == ANL_NO_WAY ? 0 : 1u << latches[latch],
                           field(sight->latch, latch * PORTS, PORTS));
        }
        compare_number(node, ANL_TERMINAL_PORT, "fault", faults[node],
                       field(sight->fault, node, 1));
    }
}

// Compares what the terminals consume with the flits of the model's step, which has been run.
static void compare_consumed(const struct sight *sight)
{
    size_t count;
    const struct anl_flit *flits = anl_bufferless_flits(run.model, &count);
    for (unsigned node = 0; node < nodes(); node++) {
        uint64_t bits = 0;
        bool expected = false;
        for (size_t i = 0; i < count; i++)
            if (flits[i].link == node * PORTS + ANL_TERMINAL_PORT) {
                expected = true;
                bits = run.bits[flits[i].worm][flits[i].index];
            }
        compare_flit(node, ANL_TERMINAL_PORT, "consumed", expected, bits,
                     field(sight->ej_valid, node, 1),
                     field(sight->ej_flit, node * link_w(), link_w()));
    }
}

// --- the referee on the RTL ---

// Returns whether the bits are those of a flit, which may not exist.
static bool is_flit(uint32_t worm, uint32_t index, uint64_t bits)
{
    return worm < run.cast->count && index < run.cast->worms[worm].length &&
           run.bits[worm][index] == bits;
}

// Finds out which flit the bits on a link are: the one that follows the last one there, or the one
// that the bits name (docs/link.md). If it is none, its worm is UINT32_MAX.
static struct anl_flit identify(uint32_t link, uint64_t bits)
{
    struct anl_flit flit = {.link = link,
                            .worm = UINT32_MAX,
                            .head = bits >> (run.flit_w + 1) & 1,
                            .tail = bits >> run.flit_w & 1};
    const struct anl_flit *last = &run.last[link];
    const unsigned fields = flit.head ? anl_head_bits(&run.config) : 0;
    const uint32_t number = anl_unmix32((uint32_t)(bits >> fields));
    if (run.seen[link] && run.seen[link] + 1 == run.step &&
        is_flit(last->worm, last->index + 1u, bits)) {
        flit.worm = last->worm;
        flit.index = (uint16_t)(last->index + 1);
    } else if (is_flit(number & 0xffffff, number >> 24, bits)) {
        flit.worm = number & 0xffffff;
        flit.index = (uint16_t)(number >> 24);
    }
    run.last[link] = flit;
    run.seen[link] = run.step;
    return flit;
}

// Returns how many flits stand in the link registers.
static size_t look_at_links(const struct sight *sight, struct anl_flit *flits)
{
    size_t count = 0;
    for (unsigned node = 0; node < nodes(); node++)
        for (unsigned port = 0; port < LINKS; port++) {
            const unsigned at = node * LINKS + port;
            if (!field(sight->valid, at, 1)) continue;
            const unsigned link = sender(node, port) * PORTS + (port ^ 1);
            flits[count++] = identify(link, field(sight->flit, at * link_w(), link_w()));
        }
    return count;
}

static size_t look_at_terminals(const struct sight *sight, struct anl_flit *flits)
{
    size_t count = 0;
    for (unsigned node = 0; node < nodes(); node++)
        if (field(sight->ej_valid, node, 1))
            flits[count++] = identify(node * PORTS + ANL_TERMINAL_PORT,
                                      field(sight->ej_flit, node * link_w(), link_w()));
    return count;
}

static void let_referee_see(const struct sight *sight)
{
    struct anl_flit standing[MOST_NODES * LINKS], consumed[MOST_NODES];
    const size_t stand = look_at_links(sight, standing);
    const size_t leave = look_at_terminals(sight, consumed);
    run.result.flits += stand + leave;
    if (anl_bufferless_referee_step(run.referee, run.step, standing, stand, consumed, leave))
        return;
    if (!run.result.violation.rule)
        run.result.violation = *anl_bufferless_referee_violation(run.referee);
    if (run.options->rules) run.over = true;
}

static void look_at_faults(const struct sight *sight)
{
    if (run.result.fault_step) return;
    for (unsigned node = 0; node < nodes(); node++)
        run.result.fault_nodes |= field(sight->fault, node, 1) << node;
    if (run.result.fault_nodes) run.result.fault_step = run.step;
    if (run.result.fault_nodes && run.options->rules && !run.over)
        differ((unsigned)__builtin_ctzll(run.result.fault_nodes), ANL_TERMINAL_PORT, "fault");
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
    clear(start_valid, nodes());
    clear(start, nodes() * run.step_w);
    clear(src_valid, nodes());
    clear(src_flit, nodes() * link_w());
    *go = !reset && run.waited >= run.options->wait;
    if (reset) return;
    for (unsigned node = 0; node < nodes(); node++) {
        const struct source *source = &run.sources[node];
        if (source->shown < source->end) {
            const struct anl_worm *worm = &run.cast->worms[run.order[source->shown]];
            put(start_valid, node, 1, 1);
            put(start, node * run.step_w, run.step_w, worm->created);
        }
        if (source->sent < source->end) {
            put(src_valid, node, 1, 1);
            put(src_flit, node * link_w(), link_w(),
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
    if (!run.options->rules) compare_consumed(sight);
}

void bufferless_see(int step, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                    const svBitVecVal *valid, const svBitVecVal *flit, const svBitVecVal *latch,
                    const svBitVecVal *fault, const svBitVecVal *ej_valid,
                    const svBitVecVal *ej_flit)
{
    const struct sight sight = {valid, flit, latch, fault, ej_valid, ej_flit};
    const bool waits = run.waited <= run.options->wait;  // the step is still 0
    if (run.over) return;
    run.step = waits ? 0 : anl_bufferless_steps(run.model) + 1;
    run.result.cycles++;
    if (!run.options->rules) {
        compare_number(0, ANL_TERMINAL_PORT, "number of the step", run.step, (uint64_t)step);
        compare_registers(&sight);
    }
    for (unsigned node = 0; node < nodes(); node++)
        take(&run.sources[node], field(start_ready, node, 1), field(src_ready, node, 1));
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

static void offer(void)
{
    for (uint32_t id = 0; id < run.cast->count; id++) {
        const struct anl_worm *worm = &run.cast->worms[id];
        if (!fits(worm) || anl_bufferless_offer(run.model, worm, NULL) ||
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
    memset(run.seen, 0, sizeof run.seen);
    run.waited = 0;
    run.over = false;
    offer();
    sort_by_source();
}

static void finish(void)
{
    run.result.fault = anl_bufferless_fault(run.model);
    run.result.digest = anl_digest_value(run.digest);
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
