// SPDX-License-Identifier: Apache-2.0

#include "plot.h"

#include "compare/chain.h"
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
enum {
    ROOM_FOR_NAME = 15
};  // names of marks that are nearer than such a part of the waves overlap

static uint64_t minus(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static void set_mark(struct plot *plot, enum plot_mark mark, uint64_t cycle, const char *name)
{
    plot->mark[mark].cycle = cycle;
    snprintf(plot->mark[mark].name, sizeof plot->mark[mark].name, "%s", name);
}

// The text of the plot, opened to write behind what it has; NULL: it is full.
static FILE *open_text(struct plot *plot)
{
    size_t used = strlen(plot->text);
    return used + 1 < sizeof plot->text ? fmemopen(plot->text + used, sizeof plot->text - used, "w")
                                        : NULL;
}

// Who waits for whom in this cycle.
static void write_chain(struct plot *plot, const struct anl_blocking *blocking, uint32_t buffer)
{
    FILE *out = open_text(plot);
    if (!out) return;
    if (!plot->text[0]) fprintf(out, "%s\n", plot->title);
    fprintf(out, "in cycle %" PRIu64 ":\n", anl_blocking_cycle(blocking));
    chain_print(out, "  ", blocking, buffer);
    fclose(out);
}

// The same from the leading flit of a worm on, which may be behind others.
static void write_life(struct plot *plot, const struct anl_blocking *blocking,
                       const struct anl_life *life)
{
    char name[NAME_BYTES];
    write_chain(plot, blocking, life->buffer);
    FILE *out = life->wait == ANL_BEHIND ? open_text(plot) : NULL;
    if (!out) return;
    anl_buffer_name(anl_blocking_config(blocking), life->buffer, name, sizeof name);
    fprintf(out, "  worm %u is behind worm %u in %s\n", life->worm.id,
            anl_blocking_buffer(blocking, life->buffer).worm, name);
    fclose(out);
}

// --- a deadlock ---

static void title_of_deadlock(struct plot *plot, const uint32_t *circle, size_t count,
                              uint64_t closed)
{
    FILE *out = fmemopen(plot->title, sizeof plot->title, "w");
    if (!out) return;
    fprintf(out, "deadlock, closed in cycle %" PRIu64 ": worm %u", closed, circle[0]);
    for (size_t i = 1; i < count && i < CAST_WORMS; i++)
        fprintf(out, " held by %u", circle[i]);
    if (count > CAST_WORMS) fprintf(out, " held by … (%zu worms)", count);
    fprintf(out, " held by %u", circle[0]);
    fclose(out);
}

static void choose_deadlock(struct plot *plot, const struct lockstep *run)
{
    size_t count = 0;
    const uint32_t *circle = anl_blocking_circle(run->blocking, &count);
    uint64_t closed = run->result->deadlock, begin = closed;
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        cast_join(&plot->cast, run->blocking, circle[i]);
        if (!anl_blocking_life(run->blocking, circle[i], &life) || life.stall.worm == ANL_NOTHING)
            continue;
        if (life.stall.begin < begin) begin = life.stall.begin;
    }
    cast_find_lanes(&plot->cast, run->blocking);
    if (begin < minus(closed, BACK_FROM_CLOSING)) begin = minus(closed, BACK_FROM_CLOSING);
    plot->from = minus(begin, BEFORE);
    plot->to = closed + ON_FROM_CLOSING;
    if (closed - begin > (plot->to - plot->from) / ROOM_FOR_NAME)
        set_mark(plot, PLOT_A, begin, "blocked");
    set_mark(plot, PLOT_B, closed, "deadlock");
    plot->first = PLOT_B;
    cast_choose(&plot->cast);
    title_of_deadlock(plot, circle, count, closed);
    FILE *out = open_text(plot);
    if (!out) return;
    fprintf(out, "%s\n", plot->title);
    chain_print_deadlock(out, "  ", run->blocking);
    fclose(out);
}

// --- a difference ---

static uint32_t switch_of_difference(const struct lockstep *run)
{
    const struct difference *difference = &run->result->difference;
    if (difference->switch_ != NOWHERE) return difference->switch_;
    if (difference->link == NOWHERE) return ANL_NOTHING;
    return anl_end_of(run->history.config, difference->link).node;  // an injection link
}

static void choose_difference(struct plot *plot, const struct lockstep *run)
{
    const struct difference *difference = &run->result->difference;
    uint32_t buffer = question_buffer(run->blocking, &run->history, difference);
    uint64_t begin = difference->cycle;
    struct anl_life life;
    if (buffer != ANL_NOTHING) cast_follow(&plot->cast, run->blocking, buffer);
    if (plot->cast.worms && anl_blocking_life(run->blocking, plot->cast.worm[0].worm.id, &life) &&
        life.stall.worm != ANL_NOTHING && life.stall.begin >= minus(begin, BACK_FROM_CLOSING))
        begin = life.stall.begin;
    cast_find_lanes(&plot->cast, run->blocking);
    cast_choose(&plot->cast);
    plot->switch_ = switch_of_difference(run);
    plot->from = minus(begin, 2 * BEFORE);
    plot->to = difference->cycle + AFTER;
    set_mark(plot, PLOT_A, difference->cycle, "differs");
    snprintf(plot->title, sizeof plot->title, "first difference in cycle %" PRIu64 " at %s: %s",
             difference->cycle, difference->where, difference->what);
    snprintf(plot->expected, sizeof plot->expected, "%.200s", difference->expected);
    snprintf(plot->seen, sizeof plot->seen, "%.200s", difference->seen);
    snprintf(plot->text, sizeof plot->text, "%s\n  expected  %s\n  seen      %s\n", plot->title,
             plot->expected, plot->seen);
    if (buffer != ANL_NOTHING) write_chain(plot, run->blocking, buffer);
}

// --- a stall ---

static void title_of_stall(struct plot *plot, const struct subject *subject,
                           const struct anl_worm *worm)
{
    const struct anl_stall *stall = &subject->stall;
    FILE *out = fmemopen(plot->title, sizeof plot->title, "w");
    if (!out) return;
    fprintf(out, "worm %u from %u to %u, %u flits, ", worm->id, worm->source, worm->destination,
            worm->length);
    if (subject->waits)
        fprintf(out, "waits %" PRIu64 " cycles, %" PRIu64 " to %" PRIu64 ":",
                stall->end - stall->begin + 1, stall->begin, stall->end);
    else if (subject->at != UINT64_MAX)
        fprintf(out, "is not blocked in cycle %" PRIu64 ": it moves", subject->at);
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

static void choose_stall(struct plot *plot, const struct lockstep *run)
{
    const struct subject *subject = &run->subject;
    plot->worm = subject->stall.worm;
    plot->begin = subject->stall.begin;
    plot->end = subject->stall.end;
    plot->from = minus(plot->begin, BEFORE);
    if (subject->at != UINT64_MAX && subject->at > plot->from + MOST_CYCLES - AFTER)
        plot->from = subject->at + AFTER - MOST_CYCLES;  // a long stall: around the asked cycle
    plot->to = plot->end + AFTER;
    if (plot->to > plot->from + MOST_CYCLES) plot->to = plot->from + MOST_CYCLES;
    if (plot->end > plot->to) plot->end = plot->to;
    if (plot->begin < plot->from) plot->begin = plot->from;
    if (subject->waits) set_mark(plot, PLOT_A, subject->stall.begin, "blocked");
    if (subject->waits && subject->stall.end < plot->to && subject->stall.end + 1 < run->cycle)
        set_mark(plot, PLOT_B, subject->stall.end + 1, "moves");
    title_of_stall(plot, subject, &run->harness.worms.worm[plot->worm].worm);
}

// Why the asked worm is not to be seen.
static void worm_is_elsewhere(const struct lockstep *run, struct anl_error *error)
{
    const struct subject *subject = &run->subject;
    const struct anl_worm *worm = &run->harness.worms.worm[subject->wanted].worm;
    char when[NAME_BYTES] = "to the end of the run";
    if (subject->at != UINT64_MAX) snprintf(when, sizeof when, "in cycle %" PRIu64, subject->at);
    if (subject->queued_behind != ANL_NOTHING)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "worm %u is not in the network: %s it is in the queue of its source, terminal %u, "
                 "and worm %u is at the front there; to see that one: WORM=%u",
                 worm->id, when, worm->source, subject->queued_behind, subject->queued_behind);
    else if (subject->at < worm->created)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "worm %u is not in the network %s: it is created in cycle %" PRIu64, worm->id,
                 when, worm->created);
    else
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "worm %u is not in the network %s: it has been delivered", worm->id, when);
}

static bool nothing_to_show(const struct lockstep *run, struct anl_error *error)
{
    const struct subject *subject = &run->subject;
    unsigned long long at = subject->at, cycles = run->cycle;
    if (subject->wanted != ANL_NOTHING && subject->wanted >= run->harness.worms.count)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "there is no worm %u: %u worms are created in the %llu cycles of the run",
                 subject->wanted, run->harness.worms.count, cycles);
    else if (subject->at != UINT64_MAX && subject->at >= run->cycles_fed)
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "the run ends after %llu cycles, before cycle %llu", cycles, at);
    else if (subject->wanted != ANL_NOTHING)
        worm_is_elsewhere(run, error);
    else
        anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                 "no worm waits in this run; to see one all the same: WORM=id");
    return false;
}

bool plot_choose(struct plot *plot, const struct lockstep *run, struct anl_error *error)
{
    const struct lockstep_result *result = run->result;
    const struct subject *subject = &run->subject;
    const char *what = result->difference.what;
    bool differs = result->difference.count && strcmp(what, "stalled") && strcmp(what, "deadlock");
    bool elsewhere = subject->found && subject->at != UINT64_MAX;
    *plot = (struct plot){.switch_ = ANL_NOTHING, .worm = ANL_NOTHING};
    plot->mark[PLOT_A].cycle = plot->mark[PLOT_B].cycle = UINT64_MAX;
    if (differs && (!elsewhere || subject->at == result->difference.cycle))
        choose_difference(plot, run);
    else if (result->deadlock != UINT64_MAX && subject->wanted == ANL_NOTHING &&
             (subject->at == UINT64_MAX || subject->at >= result->deadlock))
        choose_deadlock(plot, run);
    else if (subject->found)
        choose_stall(plot, run);
    else
        return nothing_to_show(run, error);
    return true;
}

bool plot_wants_scout(const struct plot *plot) { return plot->worm != ANL_NOTHING; }

void plot_scout(struct plot *plot, const struct lockstep *run)
{
    struct anl_life life;
    uint64_t cycle = anl_blocking_cycle(run->blocking);
    if (cycle < plot->begin || cycle > plot->end) return;
    if (!anl_blocking_life(run->blocking, plot->worm, &life)) return;
    cast_join(&plot->cast, run->blocking, plot->worm);
    if (life.wait != ANL_QUEUED) cast_follow(&plot->cast, run->blocking, life.buffer);
    cast_find_lanes(&plot->cast, run->blocking);
    if (cycle == plot->begin || (cycle == (plot->begin + plot->end) / 2 && cycle > plot->begin + 8))
        write_life(plot, run->blocking, &life);
}

void plot_scouted(struct plot *plot) { cast_choose(&plot->cast); }
