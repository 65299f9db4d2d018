// SPDX-License-Identifier: Apache-2.0

#include "compare/compare.h"
#include "compare/identify.h"
#include "compare/question.h"
#include "lockstep_internal.h"
#include "report.h"

#include <string.h>

static struct comparison comparison_of(struct lockstep *run)
{
    const enum lockstep_mode mode = run->options->mode;
    return (struct comparison){
        .harness = &run->harness,
        .history = &run->history,
        .cycle = run->cycle,
        .difference = &run->result->difference,
        .closed = mode == LOCKSTEP_ENDS,
        .unwatched = mode != LOCKSTEP_EXACT,
    };
}

void check_registers(struct lockstep *run)
{
    tamper_state(&run->result->tamper, &run->harness.observed, run->cycle);
    if (!run->engine) return;
    struct comparison comparison = comparison_of(run);
    if (run->kind) {
        run->kind->registers(run, &comparison);
        return;
    }
    if (run->cycle > 0)
        anl_engine_state_again(run->engine, &run->state);
    else
        anl_engine_state(run->engine, &run->state);
    compare_state(&comparison, &run->state);
}

// Lists the RTL's flits as records. The worm and index of each are the model's, with which the RTL
// has just agreed.
static size_t name_by_model(struct lockstep *run)
{
    const struct observed *observed = &run->harness.observed;
    size_t count = 0;
    const struct anl_flit *model = anl_engine_flits(run->engine, &count);
    uint32_t link = wires_next(&observed->links, 0);  // or a line of a wide link
    for (size_t i = 0; i < count; i++) {
        const struct wire *wire = &observed->links.wire[link];
        run->flits[i] = (struct anl_flit){
            .link = link / observed->lines,
            .worm = model[i].worm,
            .index = model[i].index,
            .vc = wire->vc,
            .head = wire_head(observed->config, wire),
            .tail = wire_tail(observed->config, wire),
        };
        link = wires_next(&observed->links, link + 1);
    }
    return count;
}

static void append_words(char *text, size_t size, const char *words)
{
    const size_t used = strlen(text);
    if (used < size) snprintf(text + used, size - used, "%s", words);
}

// Writes the flit that follows the last one of a lane, whose worm is still entering it. Returns
// false if there is none.
static bool follows_in_lane(const struct lockstep *run, const struct wire *wire,
                            struct anl_flit *flit)
{
    const struct passage *last = wire->vc < run->history.config->num_vcs
                                     ? history_last(&run->history, flit->link, wire->vc, 1)
                                     : NULL;
    if (!last || last->tail) return false;
    const uint32_t length = run->harness.worms.worm[last->worm].worm.length;
    flit->worm = last->worm;
    flit->index = (uint16_t)(last->index + 1);
    flit->tail = flit->index + 1u == length;
    return true;
}

// Writes the flit that is most like the one on a wire or, if none is, the one that follows in the
// lane.
static void describe_expected(const struct lockstep *run, struct difference *difference,
                              const struct wire *wire)
{
    const size_t size = sizeof difference->expected;
    struct anl_flit flit;
    char words[64] = ", the next one of the worm in this lane";
    const uint32_t bits = identify_nearest(&run->harness, difference->link, wire, &flit);
    if (bits != UINT32_MAX)
        snprintf(words, sizeof words, ", the most like it: %u bit%s differ%s", bits,
                 bits == 1 ? "" : "s", bits == 1 ? "s" : "");
    if (bits == UINT32_MAX && !follows_in_lane(run, wire, &flit)) {
        snprintf(difference->expected, size, "data of some flit of some worm; none is like it");
        return;
    }
    difference->worm = flit.worm;
    difference->index = flit.index;
    describe_flit(&run->harness, &flit, difference->expected, size);
    append_words(difference->expected, size, words);
}

static void report_made_up(struct lockstep *run, uint32_t line, const struct wire *wire)
{
    struct difference *difference = &run->result->difference;
    if (difference->count++) return;
    difference->cycle = run->cycle;
    difference->switch_ = difference->port = NOWHERE;
    difference->worm = difference->index = NOWHERE;
    name_link(difference, run->harness.worms.config, line / run->harness.observed.lines, wire->vc);
    snprintf(difference->what, sizeof difference->what, "made_up_flit");
    describe_expected(run, difference, wire);
    describe_wire(run->harness.worms.config, wire, difference->seen, sizeof difference->seen);
    append_words(difference->seen, sizeof difference->seen, ", which no flit of any worm has");
}

// Identifies the flit on a line of a link by its data and by the flit before it.
static bool identify_on(const struct lockstep *run, uint32_t line, struct anl_flit *flit)
{
    const struct wire *wire = &run->harness.observed.links.wire[line];
    const uint32_t link = line / run->harness.observed.lines;
    const struct passage *last = wire->vc < run->history.config->num_vcs
                                     ? history_last(&run->history, link, wire->vc, 1)
                                     : NULL;
    return identify(&run->harness, last, link, wire, flit);
}

// Lists the RTL's flits as records, identified by their data. *all_known: each belongs to a worm.
static size_t name_by_data(struct lockstep *run, bool *all_known)
{
    const struct wires *links = &run->harness.observed.links;
    size_t count = 0;
    *all_known = true;
    for (uint32_t link = wires_next(links, 0); link < links->size;
         link = wires_next(links, link + 1)) {
        if (identify_on(run, link, &run->flits[count]))
            count++;
        else
            *all_known = false;
    }
    return count;
}

// Rules mode: reports the first flit that belongs to no worm.
static void find_made_up(struct lockstep *run)
{
    const struct wires *links = &run->harness.observed.links;
    struct anl_flit flit;
    for (uint32_t link = wires_next(links, 0); link < links->size;
         link = wires_next(links, link + 1))
        if (!identify_on(run, link, &flit)) report_made_up(run, link, &links->wire[link]);
}

// Reports what the referee has found, unless there is a difference already. In rules mode this is
// how a fault shows, which may be expected; then a fault line must have risen.
static void note_violation(struct lockstep *run)
{
    struct difference *difference = &run->result->difference;
    const struct anl_violation *violation = anl_referee_violation(run->referee);
    const bool risen = run->harness.observed.fault != NOWHERE;
    if (violation && run->options->expect_fault && !run->engine && risen) {
        snprintf(run->result->fault, sizeof run->result->fault, "%s", violation->text);
        return;
    }
    if (!violation || difference->count++) return;
    difference->cycle = violation->cycle;
    difference->switch_ = difference->port = NOWHERE;
    name_link(difference, run->harness.worms.config, violation->link, NOWHERE);
    difference->worm = violation->worm;
    difference->index = violation->has_flit ? violation->index : NOWHERE;
    snprintf(difference->what, sizeof difference->what, "referee: %s",
             anl_rule_name(violation->rule));
    snprintf(difference->expected, sizeof difference->expected, "the rules kept");
    snprintf(difference->seen, sizeof difference->seen, "%s", violation->text);
}

static bool referee_allows(struct lockstep *run, size_t count)
{
    const struct observed *observed = &run->harness.observed;
    if (!run->credited) return anl_referee_flits(run->referee, run->cycle, run->flits, count);
    return anl_referee_cycle(run->referee, run->cycle, run->flits, count, observed->credits,
                             observed->num_credits);
}

static void ask_referee(struct lockstep *run, size_t count)
{
    if (!referee_allows(run, count)) note_violation(run);
}

static void count_ways(const struct lockstep *run, size_t count)
{
    if (!run->options->ways) return;
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *flit = &run->flits[i];
        if (flit->head)
            ways_head(run->options->ways, flit, run->harness.worms.worm[flit->worm].destination);
    }
}

// Behind a fault: notes the flits for reports, and lets the referee miss those that were lost. What
// it says is judged at the end.
static void record_behind_fault(struct lockstep *run, size_t count)
{
    history_add(&run->history, run->cycle, run->flits, count);
    run->idle_cycles = count ? 0 : run->idle_cycles + 1;
    if (!anl_referee_violation(run->referee)) referee_allows(run, count);
}

// Records the flits of the cycle, which agree with the model if there is one.
static void record_flits(struct lockstep *run, size_t count)
{
    history_add(&run->history, run->cycle, run->flits, count);
    anl_digest_flits(run->rtl_digest, run->cycle, run->flits, count);
    run->num_flits = count;
    count_ways(run, count);
    const size_t taken =
        terminals_pass(&run->harness.terminals, &run->harness.worms, run->flits, count);
    run->idle_cycles = count + taken ? 0 : run->idle_cycles + 1;
    ask_referee(run, count);
    if (!run->result->difference.count && !run->result->fault[0])
        feed_flits(run, run->flits, count);
}

// Lists a worm behind those for the same terminals and for lower ones: in their order requests are
// answered.
static void list_delivered(struct lockstep *run, size_t listed, const struct queued_worm *queued)
{
    struct anl_worm *list = run->delivered;
    for (; listed > 0 && list[listed - 1].destination > queued->destination; listed--)
        list[listed] = list[listed - 1];
    list[listed] = queued->worm;
    list[listed].destination = queued->destination;
}

// Lists the worms whose tails crossed an ejection link, by the RTL's own flits.
static size_t collect_delivered(struct lockstep *run, size_t count)
{
    size_t delivered = 0;
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit *flit = &run->flits[i];
        const struct queued_worm *queued = &run->harness.worms.worm[flit->worm];
        if (!anl_is_delivery(run->history.config, flit, queued->destination)) continue;
        list_delivered(run, delivered++, queued);
    }
    return delivered;
}

static void note_deliveries(struct lockstep *run, size_t count)
{
    size_t delivered = collect_delivered(run, count);
    run->arrived += delivered;
    anl_traffic_delivered(run->traffic, run->delivered, delivered);
}

static size_t ends_seen(const struct observed *observed)
{
    return wires_count(&observed->links) + wires_count(&observed->sinks);
}

static void check_by_model(struct lockstep *run)
{
    struct comparison comparison = comparison_of(run);
    size_t count = 0;
    const struct anl_flit *flits = anl_engine_flits(run->engine, &count);
    compare_flits(&comparison, flits, count);
    compare_sinks(&comparison, &run->state);
    if (run->kind && run->kind->flits) run->kind->flits(run, &comparison);
    if (run->result->difference.count) return;
    if (comparison.closed) {  // the flits that are not watched are taken from the model
        memcpy(run->flits, flits, count * sizeof *flits);
        run->result->flits += ends_seen(&run->harness.observed);
    } else {
        count = name_by_model(run);
        if (behind_fault(run)) {
            record_behind_fault(run, count);
            return;
        }
        run->result->flits += count;
    }
    record_flits(run, count);
    note_deliveries(run, count);
}

static void check_by_rules(struct lockstep *run)
{
    bool all_known = false;
    size_t count = name_by_data(run, &all_known);
    if (!all_known) find_made_up(run);
    if (run->result->difference.count) return;
    run->result->flits += count;
    record_flits(run, count);
    note_deliveries(run, count);
    if (!run->kind || !run->kind->ports || run->result->difference.count) return;
    struct comparison comparison = comparison_of(run);
    run->kind->ports(run, &comparison);
}

void note_in_words(struct lockstep *run, const struct words *words)
{
    struct difference *difference = &run->result->difference;
    if (difference->count) return;
    *difference = (struct difference){
        .count = 1,
        .cycle = words->cycle,
        .link = NOWHERE,
        .switch_ = NOWHERE,
        .port = NOWHERE,
        .vc = NOWHERE,
        .worm = NOWHERE,
        .index = NOWHERE,
    };
    snprintf(difference->where, sizeof difference->where, "%s", words->where);
    snprintf(difference->what, sizeof difference->what, "%s", words->what);
    snprintf(difference->expected, sizeof difference->expected, "%s", words->expected);
    snprintf(difference->seen, sizeof difference->seen, "%s", words->seen);
}

// Writes where a failed assertion is: "switch 5(1,1) port 3", or "the RTL".
static void place_failure(const struct lockstep *run, const struct failure *failure, char *where,
                          size_t size)
{
    const struct anl_config *config = run->harness.worms.config;
    char name[64];
    snprintf(where, size, "the RTL");
    if (failure->switch_ >= anl_shape_of(config).switches) return;
    anl_switch_name(config, failure->switch_, name, sizeof name);
    const int used = snprintf(where, size, "switch %s", name);
    if (failure->port < anl_shape_of(config).ports)
        snprintf(where + used, size - (size_t)used, " port %u", failure->port);
}

static void note_assertion(struct lockstep *run)
{
    const struct failure *failure = &run->harness.failure;
    struct difference *difference = &run->result->difference;
    char where[sizeof difference->where], seen[sizeof difference->seen];
    if (!failure->name[0] || difference->count) return;
    place_failure(run, failure, where, sizeof where);
    failure_describe(failure, seen, sizeof seen);
    note_in_words(
        run, &(struct words){run->cycle, where, "assertion",
                             failure->condition[0] ? failure->condition : "what the RTL promises",
                             seen});
    if (failure->switch_ < run->history.shape.switches) difference->switch_ = failure->switch_;
}

// Writes a cycle in which nothing was found to the trace. The worms that were created in it come
// only now, so that the trace of a run that fails is whole, up to the cycle before.
static void trace_cycle(struct lockstep *run)
{
    if (!run->trace || run->result->difference.count || behind_fault(run)) return;
    for (; run->worms_traced < run->harness.worms.count; run->worms_traced++) {
        const struct queued_worm *queued = &run->harness.worms.worm[run->worms_traced];
        struct anl_worm worm = queued->worm;
        worm.destination = queued->destination;
        anl_trace_worm(run->trace, &worm);
    }
    anl_trace_flits(run->trace, run->cycle, run->flits, run->num_flits);
}

void check_flits(struct lockstep *run)
{
    tamper_flits(&run->result->tamper, &run->harness.observed, run->cycle);
    if (run->engine)
        check_by_model(run);
    else
        check_by_rules(run);
    note_assertion(run);
    trace_cycle(run);
}

static const char *referee_opinion(struct lockstep *run)
{
    const struct anl_config *config = run->harness.worms.config;
    bool all_known = true;
    if (!run->engine || config->flit_width_bits < identify_width(config)) return NULL;
    if (strncmp(run->result->difference.what, "flit", 4) != 0) return NULL;
    size_t count = name_by_data(run, &all_known);
    if (!all_known) return "made_up_flit: data that belongs to no flit of any worm";
    if (anl_referee_flits(run->referee, run->cycle, run->flits, count))
        return "no rule is broken so far";
    const struct anl_violation *violation = anl_referee_violation(run->referee);
    return violation ? violation->text : NULL;
}

bool lockstep_found_late(const struct lockstep *run)
{
    const struct difference *difference = &run->result->difference;
    return difference->count && difference->link != NOWHERE && difference->cycle < run->cycle;
}

static void report(struct lockstep *run)
{
    const struct difference *difference = &run->result->difference;
    const char *referee = referee_opinion(run);
    report_difference(&(struct report){
        .scenario = run->scenario,
        .options = run->options,
        .history = &run->history,
        .blocking = run->blocking,
        .buffer =
            run->blocking ? question_buffer(run->blocking, &run->history, difference) : ANL_NOTHING,
        .difference = difference,
        .worm = difference->worm < run->harness.worms.count
                    ? &run->harness.worms.worm[difference->worm].worm
                    : NULL,
        .late = lockstep_found_late(run),
        .referee = referee,
        .failure = &run->harness.failure,
    });
}

// Reports a deadlock that was not expected like a difference, with its circle of worms, and a stall
// without a deadlock even if a stall was expected.
static void note_stall(struct lockstep *run)
{
    uint64_t deadlock = run->result->deadlock;
    bool dead = deadlock != UINT64_MAX;
    char seen[128] = "worms that never will";
    struct words words = {deadlock, "the network", "deadlock", "worms that move on", seen};
    if (dead && run->options->expect_stall) return;
    if (run->result->end == ANL_RUN_STALLED) {
        words.cycle = run->cycle;
        words.what = "stalled";
        snprintf(seen, sizeof seen, "no flit for %llu cycles%s",
                 (unsigned long long)run->idle_cycles, dead ? "" : ", but no worm is dead");
    } else if (!dead) {
        return;
    }
    note_in_words(run, &words);
}

// Returns the cycle of the fault with which the run ended.
static uint64_t fault_cycle(const struct lockstep *run)
{
    return behind_fault(run) ? run->fault_cycle : run->cycle - 1;
}

// Behind a fault that the run has outlived: the referee, which sees the RTL's flits alone, must
// have missed those that were lost, in the cycle behind it.
static void note_nothing_missed(struct lockstep *run)
{
    const struct anl_violation *violation = anl_referee_violation(run->referee);
    if (!behind_fault(run) || run->cycle <= run->fault_cycle + 1) return;
    if (violation && violation->cycle == run->fault_cycle + 1) return;
    note_in_words(run, &(struct words){run->fault_cycle + 1, "the network", "nothing missed",
                                       "that the referee misses the flits that were lost",
                                       violation ? violation->text : "no rule broken"});
}

// Reports a fault that was not expected like a difference, though RTL and model agree on it.
static void note_fault(struct lockstep *run)
{
    struct lockstep_result *result = run->result;
    if (!result->fault[0] || run->options->expect_fault) return;
    note_in_words(run, &(struct words){fault_cycle(run), "the network", "fault",
                                       "starts at which no worms meet", result->fault});
}

// In a network at rest, which is empty or stands still, all credits must be back.
static void check_rest(struct lockstep *run)
{
    const enum anl_run_end end = run->result->end;
    if (!run->credited || run->result->difference.count) return;
    if (end != ANL_RUN_COMPLETE && end != ANL_RUN_STALLED) return;
    if (!anl_referee_rest(run->referee)) note_violation(run);
}

// Sums up the cycles in which worms did anything but move.
static uint64_t cycles_waited(const struct anl_blocking *blocking)
{
    const struct anl_blocking_totals totals = anl_blocking_totals(blocking);
    uint64_t waited = 0;
    for (enum anl_wait wait = ANL_MOVING + 1; wait < ANL_WAITS; wait++)
        waited += totals.cycles[wait];
    return waited;
}

// Without a difference: whether the run passes, or the reason why not.
static void conclude(struct lockstep *run)
{
    struct lockstep_result *result = run->result;
    if (result->difference.count) return;
    // A fault that was expected is what the referee has missed.
    const bool missed = behind_fault(run) || (result->fault[0] && !run->engine);
    if (!missed && !anl_referee_end(run->referee, run->cycle, result->end == ANL_RUN_COMPLETE)) {
        const struct anl_violation *violation = anl_referee_violation(run->referee);
        snprintf(result->reason, sizeof result->reason, "referee: %s",
                 violation ? violation->text : "out of memory");
    } else if (run->engine && run->options->expect_stall && result->deadlock == UINT64_MAX &&
               result->end != ANL_RUN_STALLED && result->end != ANL_RUN_STOPPED) {
        snprintf(result->reason, sizeof result->reason, "was expected to stall and did not");
    } else if (run->options->expect_fault && result->end != ANL_RUN_FAULT &&
               result->end != ANL_RUN_STOPPED) {
        snprintf(result->reason, sizeof result->reason,
                 "was expected to end in a fault and did not");
    } else if (run->options->expect_unblocked && result->waited) {
        snprintf(result->reason, sizeof result->reason,
                 "worms waited for %llu cycles, and none was expected to wait",
                 (unsigned long long)result->waited);
    } else if (run->engine && result->model_digest != result->rtl_digest) {
        snprintf(result->reason, sizeof result->reason, "digests differ");
    } else {
        result->pass = true;
    }
}

static void count_coverage(const struct lockstep *run, struct lockstep_coverage *coverage)
{
    const struct history *history = &run->history;
    uint32_t num_vcs = history->config->num_vcs, ports = history->shape.ports;
    if (!anl_has(history->config, ANL_TRAIT_WAITS)) return;
    for (size_t port = 0; port < (size_t)history->shape.switches * ports; port++) {
        if (history->into[port] == UINT32_MAX) continue;
        for (uint32_t vc = 0; vc < num_vcs; vc++) {
            uint8_t seen = run->harness.observed.seen[port * num_vcs + vc];
            coverage->lanes += history_last(history, history->into[port], vc, 1) != NULL;
            coverage->full += (seen & SEEN_FULL) != 0;
            coverage->bound += (seen & SEEN_BOUND) != 0;
            coverage->no_credit += (seen & SEEN_NO_CREDIT) != 0;
            coverage->owned += (seen & SEEN_OWNED) != 0;
        }
    }
}

void check_run(struct lockstep *run)
{
    struct lockstep_result *result = run->result;
    result->cycles = behind_fault(run) ? run->fault_cycle + 1 : run->cycle - run->rest_cycles;
    result->worms = behind_fault(run) ? run->fault_worms : run->harness.worms.count;
    result->model_digest = run->engine ? anl_digest_value(run->model_digest) : 0;
    result->rtl_digest = anl_digest_value(run->rtl_digest);
    count_coverage(run, &result->coverage);
    result->assertion = run->harness.failure;
    feed_end(run);
    if (run->blocking) result->waited = cycles_waited(run->blocking);
    if (run->blocking) result->deadlock = anl_blocking_deadlocked(run->blocking);
    check_rest(run);
    note_stall(run);
    note_nothing_missed(run);
    note_fault(run);
    note_assertion(run);  // in a final block of the RTL
    conclude(run);
    if (!result->difference.count) return;
    const struct difference *difference = &result->difference;
    report(run);
    snprintf(result->reason, sizeof result->reason, "%s in cycle %llu at %s", difference->what,
             (unsigned long long)difference->cycle, difference->where);
}
