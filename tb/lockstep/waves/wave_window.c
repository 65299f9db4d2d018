// SPDX-License-Identifier: Apache-2.0

#include "wave_window.h"

#include "compare/question.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    NAME_BYTES = 64,
    BEFORE = 15,
    AFTER = 15,
    MOST_CYCLES = 400,
    BACK_FROM_CLOSING = 150,
    ON_FROM_CLOSING = 60
};
// The names of two marks overlap if the marks are nearer than this part of the window.
enum { ROOM_FOR_NAME = 15 };

static uint64_t minus(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static void set_mark(struct wave_window *wave_window, enum wave_window_mark mark, uint64_t cycle,
                     const char *name)
{
    wave_window->mark[mark].cycle = cycle;
    snprintf(wave_window->mark[mark].name, sizeof wave_window->mark[mark].name, "%s", name);
}

// Opens the text of the window to append to it; returns NULL if it is full.
static FILE *open_text(struct wave_window *wave_window)
{
    size_t used = strlen(wave_window->text);
    return used + 1 < sizeof wave_window->text
               ? fmemopen(wave_window->text + used, sizeof wave_window->text - used, "w")
               : NULL;
}

// Appends who waits for whom in this cycle.
static void write_chain(struct wave_window *wave_window, const struct anl_blocking *blocking,
                        uint32_t buffer)
{
    FILE *out = open_text(wave_window);
    if (!out) return;
    if (!wave_window->text[0]) fprintf(out, "%s\n", wave_window->title);
    fprintf(out, "in cycle %" PRIu64 ":\n", anl_blocking_cycle(blocking));
    anl_blocking_print_chain(out, "  ", blocking, buffer);
    fclose(out);
}

// Does the same from the leading flit of a worm on, which may be behind other worms.
static void write_life(struct wave_window *wave_window, const struct anl_blocking *blocking,
                       const struct anl_life *life)
{
    char name[NAME_BYTES];
    write_chain(wave_window, blocking, life->buffer);
    FILE *out = life->wait == ANL_BEHIND ? open_text(wave_window) : NULL;
    if (!out) return;
    anl_buffer_name(anl_blocking_config(blocking), life->buffer, name, sizeof name);
    fprintf(out, "  worm %u is behind worm %u in %s\n", life->worm.id,
            anl_blocking_buffer(blocking, life->buffer).worm, name);
    fclose(out);
}

// --- a deadlock ---

static void title_of_deadlock(struct wave_window *wave_window, const struct anl_blocking *blocking)
{
    size_t count;
    const uint32_t *circle = anl_blocking_circle(blocking, &count);
    const uint32_t *terminals = anl_blocking_circle_terminals(blocking);
    FILE *out = fmemopen(wave_window->title, sizeof wave_window->title, "w");
    if (!out) return;
    fprintf(out, "deadlock, closed in cycle %" PRIu64 ": worm %u",
            anl_blocking_deadlocked(blocking), circle[0]);
    for (size_t i = 0; i < count && i < WAVE_WORMS_WORMS; i++) {
        if (terminals[i] != ANL_NOTHING) fprintf(out, " refused by T%u", terminals[i]);
        if (i + 1 < count && i + 1 < WAVE_WORMS_WORMS) fprintf(out, " held by %u", circle[i + 1]);
    }
    if (count > WAVE_WORMS_WORMS) fprintf(out, " held by … (%zu worms)", count);
    fprintf(out, " held by %u", circle[0]);
    fclose(out);
}

static void choose_deadlock(struct wave_window *wave_window, const struct lockstep *run)
{
    size_t count = 0;
    const uint32_t *circle = anl_blocking_circle(run->blocking, &count);
    uint64_t closed = run->result->deadlock, begin = closed;
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        wave_worms_join(&wave_window->wave_worms, run->blocking, circle[i]);
        if (!anl_blocking_life(run->blocking, circle[i], &life) || life.stall.worm == ANL_NOTHING)
            continue;
        if (life.stall.begin < begin) begin = life.stall.begin;
    }
    wave_worms_find_lanes(&wave_window->wave_worms, run->blocking);
    if (begin < minus(closed, BACK_FROM_CLOSING)) begin = minus(closed, BACK_FROM_CLOSING);
    wave_window->from = minus(begin, BEFORE);
    wave_window->to = closed + ON_FROM_CLOSING;
    if (closed - begin > (wave_window->to - wave_window->from) / ROOM_FOR_NAME)
        set_mark(wave_window, WAVE_WINDOW_A, begin, "blocked");
    set_mark(wave_window, WAVE_WINDOW_B, closed, "deadlock");
    wave_window->first = WAVE_WINDOW_B;
    wave_worms_choose(&wave_window->wave_worms);
    title_of_deadlock(wave_window, run->blocking);
    FILE *out = open_text(wave_window);
    if (!out) return;
    fprintf(out, "%s\n", wave_window->title);
    anl_blocking_print_deadlock(out, "  ", run->blocking);
    fclose(out);
}

// --- a fault of a switch without buffers ---

// Shows the worms whose flits the fault has lost.
static void choose_fault(struct wave_window *wave_window, const struct lockstep *run)
{
    const uint64_t cycle = anl_blocking_cycle(run->blocking);
    FILE *out = open_text(wave_window);
    snprintf(wave_window->title, sizeof wave_window->title, "fault in %s", run->result->fault);
    if (out) fprintf(out, "%s\n", wave_window->title);
    for (uint32_t i = 0; i < anl_blocking_num_buffers(run->blocking); i++) {
        const struct anl_buffer buffer = anl_blocking_buffer(run->blocking, i);
        if (buffer.worm == ANL_NOTHING || buffer.wait != ANL_LOST) continue;
        wave_worms_join(&wave_window->wave_worms, run->blocking, buffer.worm);
        if (out) anl_blocking_print_chain(out, "  ", run->blocking, i);
    }
    if (out) fclose(out);
    wave_worms_find_lanes(&wave_window->wave_worms, run->blocking);
    wave_worms_choose(&wave_window->wave_worms);
    wave_window->from = minus(cycle, 2 * BEFORE);
    wave_window->to = cycle + AFTER;
    set_mark(wave_window, WAVE_WINDOW_A, cycle, "fault");
}

// --- a difference ---

static uint32_t switch_of_difference(const struct lockstep *run)
{
    const struct difference *difference = &run->result->difference;
    if (difference->switch_ != NOWHERE) return difference->switch_;
    if (difference->link == NOWHERE) return ANL_NOTHING;
    return anl_end_of(run->history.config, difference->link).node;  // an injection link
}

static void choose_difference(struct wave_window *wave_window, const struct lockstep *run)
{
    const struct difference *difference = &run->result->difference;
    uint32_t buffer = question_buffer(run->blocking, &run->history, difference);
    uint64_t begin = difference->cycle;
    struct anl_life life;
    if (buffer != ANL_NOTHING) wave_worms_follow(&wave_window->wave_worms, run->blocking, buffer);
    if (wave_window->wave_worms.worms &&
        anl_blocking_life(run->blocking, wave_window->wave_worms.worm[0].worm.id, &life) &&
        life.stall.worm != ANL_NOTHING && life.stall.begin >= minus(begin, BACK_FROM_CLOSING))
        begin = life.stall.begin;
    if (lockstep_found_late(run)) {  // the worms of its cycle are to be scouted
        wave_window->link = difference->link;
        wave_window->begin = wave_window->end = difference->cycle;
    }
    wave_worms_find_lanes(&wave_window->wave_worms, run->blocking);
    wave_worms_choose(&wave_window->wave_worms);
    wave_window->switch_ = switch_of_difference(run);
    wave_window->from = minus(begin, 2 * BEFORE);
    wave_window->to = difference->cycle + AFTER;
    set_mark(wave_window, WAVE_WINDOW_A, difference->cycle, "differs");
    snprintf(wave_window->title, sizeof wave_window->title,
             "first difference in cycle %" PRIu64 " at %s: %s", difference->cycle,
             difference->where, difference->what);
    snprintf(wave_window->expected, sizeof wave_window->expected, "%.200s", difference->expected);
    snprintf(wave_window->seen, sizeof wave_window->seen, "%.200s", difference->seen);
    snprintf(wave_window->text, sizeof wave_window->text, "%s\n  expected  %s\n  seen      %s\n",
             wave_window->title, wave_window->expected, wave_window->seen);
    if (buffer != ANL_NOTHING) write_chain(wave_window, run->blocking, buffer);
}

// --- a stall ---

static void title_of_stall(struct wave_window *wave_window, const struct wave_target *wave_target,
                           const struct anl_worm *worm)
{
    const struct anl_stall *stall = &wave_target->stall;
    FILE *out = fmemopen(wave_window->title, sizeof wave_window->title, "w");
    if (!out) return;
    fprintf(out, "worm %u from %u to %u, %u flits, ", worm->id, worm->source, worm->destination,
            worm->length);
    if (wave_target->waits)
        fprintf(out, "waits %" PRIu64 " cycles, %" PRIu64 " to %" PRIu64 ":",
                stall->end - stall->begin + 1, stall->begin, stall->end);
    else if (wave_target->at != UINT64_MAX)
        fprintf(out, "is not blocked in cycle %" PRIu64 ": it moves", wave_target->at);
    else
        fprintf(out, "is never blocked, cycles %" PRIu64 " to %" PRIu64 ":", stall->begin,
                stall->end);
    const char *comma = "";
    for (int wait = 0; wait < ANL_WAITS; wait++) {
        if (stall->cycles[wait] == 0) continue;
        fprintf(out, "%s %" PRIu64 " %s", comma, stall->cycles[wait], anl_wait_name(wait));
        comma = ",";
    }
    fclose(out);
}

static void choose_stall(struct wave_window *wave_window, const struct lockstep *run)
{
    const struct wave_target *wave_target = &run->wave_target;
    wave_window->worm = wave_target->stall.worm;
    wave_window->begin = wave_target->stall.begin;
    wave_window->end = wave_target->stall.end;
    wave_window->from = minus(wave_window->begin, BEFORE);
    if (wave_target->at != UINT64_MAX && wave_target->at > wave_window->from + MOST_CYCLES - AFTER)
        wave_window->from = wave_target->at + AFTER - MOST_CYCLES;  // a long stall is cut
    wave_window->to = wave_window->end + AFTER;
    if (wave_window->to > wave_window->from + MOST_CYCLES)
        wave_window->to = wave_window->from + MOST_CYCLES;
    if (wave_window->end > wave_window->to) wave_window->end = wave_window->to;
    if (wave_window->begin < wave_window->from) wave_window->begin = wave_window->from;
    if (wave_target->waits)
        set_mark(wave_window, WAVE_WINDOW_A, wave_target->stall.begin, "blocked");
    if (wave_target->waits && wave_target->stall.end < wave_window->to &&
        wave_target->stall.end + 1 < run->cycle)
        set_mark(wave_window, WAVE_WINDOW_B, wave_target->stall.end + 1, "moves");
    title_of_stall(wave_window, wave_target, &run->harness.worms.worm[wave_window->worm].worm);
}

// Explains why the wanted worm cannot be seen.
static void worm_is_elsewhere(const struct lockstep *run, struct anl_error *error)
{
    const struct wave_target *wave_target = &run->wave_target;
    const struct anl_worm *worm = &run->harness.worms.worm[wave_target->wanted].worm;
    char when[NAME_BYTES] = "to the end of the run";
    if (wave_target->at != UINT64_MAX)
        snprintf(when, sizeof when, "in cycle %" PRIu64, wave_target->at);
    if (wave_target->queued_behind != ANL_NOTHING)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "worm %u is not in the network: %s it is in the queue of its source, terminal %u, "
                 "and worm %u is at the front there; to see that one: WORM=%u",
                 worm->id, when, worm->source, wave_target->queued_behind,
                 wave_target->queued_behind);
    else if (wave_target->at < worm->created)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "worm %u is not in the network %s: it is created in cycle %" PRIu64, worm->id,
                 when, worm->created);
    else
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "worm %u is not in the network %s: it has been delivered", worm->id, when);
}

// Returns whether the run ends before the cycle that is asked for. The cycle of a difference counts
// as one of the run, although it may not be fed to the blocking analysis.
static bool ends_before(const struct lockstep *run)
{
    const uint64_t at = run->wave_target.at;
    const struct difference *difference = &run->result->difference;
    if (difference->count && at == difference->cycle) return false;
    return at != UINT64_MAX && at >= run->cycles_fed;
}

static bool nothing_to_show(const struct lockstep *run, struct anl_error *error)
{
    const struct wave_target *wave_target = &run->wave_target;
    unsigned long long at = wave_target->at, cycles = run->cycle;
    if (wave_target->wanted != ANL_NOTHING && wave_target->wanted >= run->harness.worms.count)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "there is no worm %u: %u worms are created in the %llu cycles of the run",
                 wave_target->wanted, run->harness.worms.count, cycles);
    else if (ends_before(run))
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "the run ends after %llu cycles, before cycle %llu", cycles, at);
    else if (wave_target->wanted != ANL_NOTHING)
        worm_is_elsewhere(run, error);
    else
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "no worm waits in this run; to see one all the same: WORM=id");
    return false;
}

bool wave_window_choose(struct wave_window *wave_window, const struct lockstep *run,
                        struct anl_error *error)
{
    const struct lockstep_result *result = run->result;
    const struct wave_target *wave_target = &run->wave_target;
    const char *what = result->difference.what;
    bool differs = result->difference.count && strcmp(what, "stalled") && strcmp(what, "deadlock");
    bool elsewhere = wave_target->found && wave_target->at != UINT64_MAX;
    *wave_window =
        (struct wave_window){.switch_ = ANL_NOTHING, .worm = ANL_NOTHING, .link = ANL_NOTHING};
    wave_window->mark[WAVE_WINDOW_A].cycle = wave_window->mark[WAVE_WINDOW_B].cycle = UINT64_MAX;
    if (ends_before(run)) return nothing_to_show(run, error);
    if (differs && (!elsewhere || wave_target->at == result->difference.cycle))
        choose_difference(wave_window, run);
    else if (result->fault[0] && run->options->worm == NOWHERE && wave_target->at == UINT64_MAX)
        choose_fault(wave_window, run);
    else if (result->deadlock != UINT64_MAX && wave_target->wanted == ANL_NOTHING &&
             (wave_target->at == UINT64_MAX || wave_target->at >= result->deadlock))
        choose_deadlock(wave_window, run);
    else if (wave_target->found)
        choose_stall(wave_window, run);
    else
        return nothing_to_show(run, error);
    return true;
}

bool wave_window_wants_scout(const struct wave_window *wave_window)
{
    return wave_window->worm != ANL_NOTHING || wave_window->link != ANL_NOTHING;
}

// Joins the worms whose flits leave lanes of the link in this cycle.
static void scout_link(struct wave_window *wave_window, const struct lockstep *run)
{
    const uint32_t num_vcs = run->history.config->num_vcs;
    for (uint32_t vc = 0; vc < num_vcs; vc++) {
        const uint32_t buffer = wave_window->link * num_vcs + vc;
        const struct anl_buffer at = anl_blocking_buffer(run->blocking, buffer);
        if (at.worm == ANL_NOTHING || at.wait != ANL_MOVING) continue;
        wave_worms_follow(&wave_window->wave_worms, run->blocking, buffer);
        write_chain(wave_window, run->blocking, buffer);
    }
    wave_worms_find_lanes(&wave_window->wave_worms, run->blocking);
}

void wave_window_scout(struct wave_window *wave_window, const struct lockstep *run)
{
    struct anl_life life;
    uint64_t cycle = anl_blocking_cycle(run->blocking);
    if (cycle < wave_window->begin || cycle > wave_window->end) return;
    if (wave_window->link != ANL_NOTHING) scout_link(wave_window, run);
    if (!anl_blocking_life(run->blocking, wave_window->worm, &life)) return;
    wave_worms_join(&wave_window->wave_worms, run->blocking, wave_window->worm);
    if (life.wait != ANL_QUEUED)
        wave_worms_follow(&wave_window->wave_worms, run->blocking, life.buffer);
    wave_worms_find_lanes(&wave_window->wave_worms, run->blocking);
    if (cycle == wave_window->begin ||
        (cycle == (wave_window->begin + wave_window->end) / 2 && cycle > wave_window->begin + 8))
        write_life(wave_window, run->blocking, &life);
}

void wave_window_scouted(struct wave_window *wave_window)
{
    wave_worms_choose(&wave_window->wave_worms);
}
