// SPDX-License-Identifier: Apache-2.0

#include "lockstep.h"

#include "bits.h"
#include "clock.h"

#include <annelid/discard.h>
#include <annelid/discarding_referee.h>
#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

void discard_parameters(int levels, int passes, int num_vcs, int injections, int multiplexed,
                        int flit_w, int step_w);
void discard_drive(svBit reset, svBit *run, svBitVecVal *start_valid, svBitVecVal *start,
                   svBitVecVal *src_valid, svBitVecVal *src_flit);
void discard_see(int step, int lane, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                 const svBitVecVal *late, const svBitVecVal *valid, const svBitVecVal *flit,
                 const svBitVecVal *busy, const svBitVecVal *owner, const svBitVecVal *crosses,
                 const svBitVecVal *crossing, const svBitVecVal *discards, const svBitVecVal *nodes,
                 const svBitVecVal *ej_valid, const svBitVecVal *ej_flit);
void bench_failed(const char *name, const char *file, int line);

enum {
    OWNER_W = 8,
    MOST_LANES = 2 * 4 * 16 * 2 * ANL_MAX_VCS,  // of the links of two passes of four levels
    MOST_INPUTS = 2 * ANL_MAX_VCS + 2,
    MOST_NODES = 2 * 4 * 16,
    MOST_SOURCES = 16 * MOST_INPUTS,
};

// The worms of a source: which one is sent and which start is shown, as positions in `order`.
struct source {
    uint32_t end;  // behind its last worm
    uint32_t sent, shown;
    uint32_t index;  // of the flit that is shown
};

// What the RTL shows in a cycle.
struct sight {
    const svBitVecVal *valid, *flit, *busy, *owner, *crosses, *crossing, *discards, *nodes;
    const svBitVecVal *ej_valid, *ej_flit;
};

// A DPI call has no pointer of the user, so the run is a static variable.
static struct {
    struct lockstep_shape shape;
    uint32_t columns, depth, lanes;  // levels of nodes; lanes of all links
    unsigned flit_w, step_w;
    const struct lockstep_options *options;
    const struct cast *cast;
    struct lockstep_result result;
    struct anl_config config;       // for the data of flits
    uint64_t (*bits)[MOST_LENGTH];  // of each flit of each worm: {head, tail, data}
    uint32_t *order;                // worms by source
    struct source sources[MOST_SOURCES];
    struct anl_discard *model;
    struct anl_discard_state now[MOST_LANES], next[MOST_LANES];  // at start and end of the step
    bool discards[MOST_NODES * MOST_INPUTS];                     // heads of this step
    struct anl_discard_referee *referee;
    struct anl_flit crossed[MOST_LANES];  // flits of the RTL, the last one of each lane
    uint64_t crossed_bits[MOST_LANES];    // their bits,
    uint64_t seen[MOST_LANES];            // and the steps in which they crossed
    uint64_t step;
    uint32_t vc;      // that owns this cycle, if multiplexed
    uint32_t waited;  // cycles
    bool goes;        // the step counts in this cycle
    bool moves;       // something is in the network in this step
    bool over;
} run;

static unsigned link_w(void) { return run.flit_w + 2; }

static uint32_t wires(void) { return run.shape.multiplexed ? 1 : run.shape.num_vcs; }

static uint32_t inputs(uint32_t level)
{
    return level ? 2 * run.shape.num_vcs : run.shape.injections;
}

static uint32_t most_inputs(void) { return inputs(0) > inputs(1) ? inputs(0) : inputs(1); }

void discard_parameters(int levels, int passes, int num_vcs, int injections, int multiplexed,
                        int flit_w, int step_w)
{
    run.shape = (struct lockstep_shape){(uint32_t)levels,     (uint32_t)passes, (uint32_t)num_vcs,
                                        (uint32_t)injections, multiplexed,      (1u << step_w) - 2};
    run.columns = 1u << levels;
    run.depth = (uint32_t)(passes * levels);
    run.lanes = run.depth * run.columns * 2 * run.shape.num_vcs;
    run.flit_w = (unsigned)flit_w;
    run.step_w = (unsigned)step_w;
    assert(run.lanes <= MOST_LANES && most_inputs() <= MOST_INPUTS && flit_w + 2 <= 64);
}

static struct anl_config data_config(void)
{
    return (struct anl_config){.topology = ANL_BUTTERFLY,
                               .routing = ANL_DESTINATION_TAG,
                               .k = 2,
                               .n = run.shape.levels + 1,
                               .passes = run.shape.passes,
                               .num_vcs = 1,
                               .depth = 1,
                               .flit_width_bits = run.flit_w};
}

static void make_bits(uint32_t id)
{
    const struct anl_worm *worm = &run.cast->worms[id];
    struct anl_worm labelled = *worm;
    uint32_t words[ANL_FLIT_WORDS];
    labelled.destination = 2 * worm->destination + (id & 1);  // one of the terminals of the column
    for (uint32_t index = 0; index < worm->length; index++) {
        anl_flit_data(&run.config, &labelled, (uint16_t)index, 0, words);
        uint64_t bits = words[0];
        if (run.flit_w > 32) bits |= (uint64_t)words[1] << 32;
        bits |= (uint64_t)(index + 1 == worm->length) << run.flit_w;
        bits |= (uint64_t)(index == 0) << (run.flit_w + 1);
        run.bits[id][index] = bits;
    }
}

// --- reports ---

void lockstep_place(char *text, size_t size, uint32_t link, uint32_t vc)
{
    snprintf(text, size, "(%u,%u).%u lane %u", link / 2 % run.columns, link / 2 / run.columns,
             link % 2, vc);
}

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void say(const char *format, ...)
{
    const size_t used = strlen(run.result.text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run.result.text + used, sizeof run.result.text - used, format, arguments);
    va_end(arguments);
}

// Ends the run with a difference in a lane of a link.
static void differ(uint32_t lane, const char *what)
{
    char place[50];
    run.over = run.result.differs = true;
    lockstep_place(place, sizeof place, lane / run.shape.num_vcs, lane % run.shape.num_vcs);
    say("step %" PRIu64 " at %s: %s", run.step, place, what);
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

static void compare_number(uint32_t lane, const char *what, uint64_t expected, uint64_t seen)
{
    if (run.over || expected == seen) return;
    differ(lane, what);
    say("\n  expected  %" PRIu64 "\n  seen      %" PRIu64, expected, seen);
}

static void compare_flit(uint32_t lane, const char *what, const struct anl_discard_state *expected,
                         bool seen, uint64_t bits)
{
    const uint64_t wanted = expected->valid ? run.bits[expected->worm][expected->index] : 0;
    if (run.over || (expected->valid == seen && (!seen || wanted == bits))) return;
    differ(lane, what);
    say("\n  expected  ");
    say(expected->valid ? "%0*" PRIx64 : "no flit", (int)(link_w() + 3) / 4, wanted);
    say("\n  seen      ");
    say(seen ? "%0*" PRIx64 : "no flit", (int)(link_w() + 3) / 4, bits);
}

static uint32_t node_of(uint32_t lane) { return lane / run.shape.num_vcs / 2; }

static uint32_t level_of(uint32_t lane) { return node_of(lane) / run.columns; }

static uint32_t column_of(uint32_t lane) { return node_of(lane) % run.columns; }

static uint32_t link_of(uint32_t lane) { return lane / run.shape.num_vcs % 2; }

// Returns the input lane of a node in which a lane of a link ends: node * most_inputs() + input. It
// lies behind all nodes if the link is one of the last level; then the column is that of an output.
static uint32_t end_of(uint32_t lane)
{
    const uint32_t at = run.shape.levels - 1 - level_of(lane) % run.shape.levels;
    const uint32_t from = column_of(lane) >> at & 1, input = from * run.shape.num_vcs;
    const uint32_t column = (column_of(lane) & ~(1u << at)) | link_of(lane) << at;
    return ((level_of(lane) + 1) * run.columns + column) * most_inputs() + input +
           lane % run.shape.num_vcs;
}

static bool is_last(uint32_t lane) { return level_of(lane) + 1 == run.depth; }

static uint32_t expected_owner(uint32_t lane)
{
    const struct anl_discard_state *state = &run.now[lane];
    return state->owner == ANL_DISCARD_SOURCE ? run.cast->lanes[state->worm] : state->owner;
}

static void compare_registers(const struct sight *sight)
{
    for (uint32_t lane = 0; lane < run.lanes; lane++) {
        const bool busy = run.now[lane].owner != ANL_DISCARD_NO_OWNER;
        compare_number(lane, "busy", busy, bits_get(sight->busy, lane, 1));
        if (busy)
            compare_number(lane, "owner", expected_owner(lane),
                           bits_get(sight->owner, lane * OWNER_W, OWNER_W));
        if (is_last(lane)) continue;
        const uint32_t end = end_of(lane);
        compare_flit(lane, "link register", &run.now[lane], bits_get(sight->valid, end, 1),
                     bits_get(sight->flit, end * link_w(), link_w()));
    }
}

// Returns where the flit of a lane is among those that cross, or UINT32_MAX if it has another
// cycle.
static uint32_t wire_of(uint32_t lane)
{
    if (!run.shape.multiplexed) return lane;
    return lane % run.shape.num_vcs == run.vc ? lane / run.shape.num_vcs : UINT32_MAX;
}

// Returns where an output takes the flit of a wire of the last level.
static uint32_t output_of(uint32_t lane, uint32_t wire)
{
    const uint32_t end = end_of(lane), column = end / most_inputs() % run.columns;
    const uint32_t input = end % most_inputs() / run.shape.num_vcs;
    return (column * 2 + input) * wires() + wire % wires();
}

static void compare_crossing(const struct sight *sight)
{
    for (uint32_t lane = 0; lane < run.lanes; lane++) {
        const uint32_t wire = wire_of(lane);
        if (wire == UINT32_MAX) continue;
        compare_flit(lane, "flit", &run.next[lane], bits_get(sight->crosses, wire, 1),
                     bits_get(sight->crossing, wire * link_w(), link_w()));
        if (!is_last(lane)) continue;
        const uint32_t output = output_of(lane, wire);
        compare_flit(lane, "output", &run.next[lane], bits_get(sight->ej_valid, output, 1),
                     bits_get(sight->ej_flit, output * link_w(), link_w()));
    }
}

static void compare_discards(const struct sight *sight)
{
    for (uint32_t node = 0; node < run.depth * run.columns; node++) {
        bool any = false;
        const uint32_t first_lane = node * 2 * run.shape.num_vcs;
        for (uint32_t input = 0; input < most_inputs(); input++) {
            const uint32_t at = node * most_inputs() + input;
            any |= run.discards[at];
            compare_number(first_lane, "discarded", run.discards[at],
                           bits_get(sight->discards, at, 1));
        }
        compare_number(first_lane, "discard of the node", any, bits_get(sight->nodes, node, 1));
    }
}

// Notes in which input lanes the heads stood that the model has discarded in this step.
static void find_discards(void)
{
    size_t count;
    const uint32_t *ids = anl_discard_discarded(run.model, &count);
    memset(run.discards, 0, sizeof run.discards);
    for (size_t i = 0; i < count; i++)
        if (anl_discard_outcome(run.model, ids[i]).level == 0)
            run.discards[run.cast->worms[ids[i]].source * most_inputs() + run.cast->lanes[ids[i]]] =
                true;
    for (uint32_t lane = 0; lane < run.lanes; lane++) {
        const struct anl_discard_state *state = &run.now[lane];
        if (!state->valid || state->index || is_last(lane)) continue;
        const struct anl_discard_outcome outcome = anl_discard_outcome(run.model, state->worm);
        if (outcome.fate == ANL_DISCARD_DISCARDED && outcome.step == run.step)
            run.discards[end_of(lane)] = true;
    }
}

// --- the referee on the RTL ---

static bool is_flit(uint32_t worm, uint32_t index, uint64_t bits)
{
    return worm < run.cast->count && index < run.cast->worms[worm].length &&
           run.bits[worm][index] == bits;
}

// Finds out which flit the bits in a lane are: the one that follows the last one there, or the one
// that the bits name (docs/link.md). If it is none, its worm is UINT32_MAX.
static struct anl_flit identify(uint32_t lane, uint64_t bits)
{
    const struct anl_flit *last = &run.crossed[lane];
    struct anl_flit flit = {.link = lane / run.shape.num_vcs,
                            .vc = (uint8_t)(lane % run.shape.num_vcs),
                            .worm = UINT32_MAX,
                            .head = bits >> (run.flit_w + 1) & 1,
                            .tail = bits >> run.flit_w & 1};
    const unsigned fields = flit.head ? anl_head_bits(&run.config) : 0;
    const uint32_t number = anl_unmix32((uint32_t)(bits >> fields));
    if (run.seen[lane] && run.seen[lane] + 1 == run.step &&
        is_flit(last->worm, last->index + 1u, bits)) {
        flit.worm = last->worm;
        flit.index = (uint16_t)(last->index + 1);
    } else if (is_flit(number & 0xffffff, number >> 24, bits)) {
        flit.worm = number & 0xffffff;
        flit.index = (uint16_t)(number >> 24);
    }
    return flit;
}

static void look_at_links(const struct sight *sight)
{
    for (uint32_t lane = 0; lane < run.lanes; lane++) {
        const uint32_t wire = wire_of(lane);
        if (wire == UINT32_MAX || !bits_get(sight->crosses, wire, 1)) continue;
        run.crossed_bits[lane] = bits_get(sight->crossing, wire * link_w(), link_w());
        run.crossed[lane] = identify(lane, run.crossed_bits[lane]);
        run.seen[lane] = run.step;
    }
}

// Hands all flits of a step to the referee, and hashes them: step, lane and bits.
static void end_step(void)
{
    struct anl_flit flits[MOST_LANES];
    size_t count = 0;
    for (uint32_t lane = 0; lane < run.lanes; lane++)
        if (run.seen[lane] == run.step) {
            flits[count++] = run.crossed[lane];
            run.result.digest = anl_mix(run.result.digest ^ (run.step << 32 | lane));
            run.result.digest = anl_mix(run.result.digest ^ run.crossed_bits[lane]);
        }
    run.result.flits += count;
    if (anl_discard_referee_step(run.referee, run.step, flits, count)) return;
    run.result.violation = *anl_discard_referee_violation(run.referee);
    if (run.options->rules) run.over = true;
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

static uint32_t num_sources(void) { return run.columns * run.shape.injections; }

void discard_drive(svBit reset, svBit *goes, svBitVecVal *start_valid, svBitVecVal *start,
                   svBitVecVal *src_valid, svBitVecVal *src_flit)
{
    bits_clear(start_valid, num_sources());
    bits_clear(start, num_sources() * run.step_w);
    bits_clear(src_valid, num_sources());
    bits_clear(src_flit, num_sources() * link_w());
    // Multiplexed sources begin in the cycle before step 1, and hold their starts only in the
    // second cycle behind a reset.
    run.goes = !reset && run.waited >= run.options->wait + run.shape.multiplexed;
    *goes = run.goes;
    if (reset) return;
    for (uint32_t s = 0; s < num_sources(); s++) {
        const struct source *source = &run.sources[s];
        if (source->shown < source->end) {
            bits_put(start_valid, s, 1, 1);
            bits_put(start, s * run.step_w, run.step_w,
                     run.cast->worms[run.order[source->shown]].created);
        }
        if (source->sent < source->end) {
            bits_put(src_valid, s, 1, 1);
            bits_put(src_flit, s * link_w(), link_w(),
                     run.bits[run.order[source->sent]][source->index]);
        }
    }
}

static void begin_step(void)
{
    memcpy(run.now, run.next, sizeof run.now);
    run.moves = !anl_discard_idle(run.model);
    run.result.steps += run.moves;
    anl_discard_step(run.model);
    anl_discard_state(run.model, run.next);
    find_discards();
}

// Goes to the next cycle, and to the next step behind the last cycle of one.
static void advance(void)
{
    const bool last = !run.shape.multiplexed || run.vc + 1 == run.shape.num_vcs;
    run.vc = last ? 0 : run.vc + 1;
    if (last && run.step) end_step();
    if (last && run.goes) run.step++;
    run.waited++;
}

void discard_see(int step, int lane, const svBitVecVal *start_ready, const svBitVecVal *src_ready,
                 const svBitVecVal *late, const svBitVecVal *valid, const svBitVecVal *flit,
                 const svBitVecVal *busy, const svBitVecVal *owner, const svBitVecVal *crosses,
                 const svBitVecVal *crossing, const svBitVecVal *discards, const svBitVecVal *nodes,
                 const svBitVecVal *ej_valid, const svBitVecVal *ej_flit)
{
    const struct sight sight = {valid,    flit,     busy,  owner,    crosses,
                                crossing, discards, nodes, ej_valid, ej_flit};
    if (run.over) return;
    if (run.step && run.vc == 0) begin_step();
    run.result.cycles += run.step && run.moves;
    for (uint32_t s = 0; s < num_sources(); s++) {
        take(&run.sources[s], bits_get(start_ready, s, 1), bits_get(src_ready, s, 1));
        compare_number(0, "late", 0, bits_get(late, s, 1));
    }
    look_at_links(&sight);
    if (!run.options->rules) {
        compare_number(0, "number of the step", run.step, (uint64_t)step);
        compare_number(0, "number of the lane", run.vc, (uint64_t)lane);
        compare_registers(&sight);
        compare_crossing(&sight);
        compare_discards(&sight);
    }
    advance();
}

// --- a run ---

bool lockstep_find_lane(const struct cast *cast, const struct anl_worm *worm, uint32_t *lane)
{
    bool taken[MOST_INPUTS] = {false};
    for (uint32_t id = 0; id < cast->count; id++) {
        const struct anl_worm *other = &cast->worms[id];
        if (other->source == worm->source && other->created + other->length > worm->created)
            taken[cast->lanes[id]] = true;
    }
    for (*lane = 0; *lane < run.shape.injections; ++*lane)
        if (!taken[*lane]) return true;
    return false;
}

static bool fits(const struct anl_worm *worm)
{
    return worm->length <= MOST_LENGTH && worm->created <= run.shape.last_start;
}

static void enqueue(void)
{
    for (uint32_t id = 0; id < run.cast->count; id++) {
        const struct anl_worm *worm = &run.cast->worms[id];
        const struct anl_discard_worm new_worm = {worm->created, worm->source, worm->path,
                                                  worm->destination, worm->length};
        if (!fits(worm) || anl_discard_enqueue(run.model, &new_worm, NULL) ||
            anl_discard_referee_worm(run.referee, worm)) {
            fprintf(stderr,
                    "worm %" PRIu32 " cannot be: expected 1 to %d flits, columns below %u, and a "
                    "start from 1 to %u, none before that of the worm before it\n",
                    id, MOST_LENGTH, run.columns, run.shape.last_start);
            exit(2);
        }
        make_bits(id);
    }
}

// Fills the worms of each source into run.order.
static void sort_by_source(void)
{
    uint32_t next = 0;
    for (uint32_t s = 0; s < num_sources(); s++) {
        struct source *source = &run.sources[s];
        *source = (struct source){.sent = next, .shown = next};
        for (uint32_t id = 0; id < run.cast->count; id++)
            if (run.cast->worms[id].source * run.shape.injections + run.cast->lanes[id] == s)
                run.order[next++] = id;
        source->end = next;
    }
}

static void prepare(const struct cast *cast, const struct lockstep_options *options)
{
    const struct anl_discard_shape shape = {run.shape.levels, run.shape.passes, run.shape.num_vcs};
    run.cast = cast;
    run.options = options;
    run.result = (struct lockstep_result){0};
    run.config = data_config();
    run.bits = calloc(cast->count + 1, sizeof *run.bits);
    run.order = calloc(cast->count + 1, sizeof *run.order);
    if (!run.bits || !run.order || anl_discard_create(&shape, &run.model) ||
        anl_discard_referee_create(shape.levels, shape.passes, shape.num_vcs, &run.referee))
        abort();
    anl_discard_state(run.model, run.next);
    memcpy(run.now, run.next, sizeof run.now);
    memset(run.discards, 0, sizeof run.discards);
    memset(run.seen, 0, sizeof run.seen);
    run.step = run.vc = run.waited = 0;
    run.over = false;
    enqueue();
    sort_by_source();
}

static void finish(void)
{
    const bool cut = run.result.differs || run.result.violation.rule;
    if (!cut && !anl_discard_referee_end(run.referee))
        run.result.violation = *anl_discard_referee_violation(run.referee);
    anl_discard_referee_count(run.referee, &run.result.discarded, &run.result.delivered);
    anl_discard_destroy(run.model);
    anl_discard_referee_destroy(run.referee);
    free(run.bits);
    free(run.order);
    run.model = NULL;
}

struct lockstep_shape lockstep_shape(void)
{
    anl_clock_destroy(anl_clock_create());
    return run.shape;
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
    for (uint64_t end = UINT64_MAX; !run.over && run.step < end; anl_clock_cycle(clock))
        if (end == UINT64_MAX && anl_discard_idle(run.model)) end = run.step + AFTER;
    finish();
    anl_clock_destroy(clock);
    return run.result;
}
