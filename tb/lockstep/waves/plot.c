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
static void write_chain(struct plot *plot, const struct anl_story *story, uint32_t place)
{
    FILE *out = open_text(plot);
    if (!out) return;
    if (!plot->text[0]) fprintf(out, "%s\n", plot->title);
    fprintf(out, "in cycle %" PRIu64 ":\n", anl_story_cycle(story));
    chain_print(out, "  ", story, place);
    fclose(out);
}

// The same from the leading flit of a worm on, which may be behind others.
static void write_life(struct plot *plot, const struct anl_story *story,
                       const struct anl_life *life)
{
    char name[NAME_BYTES];
    write_chain(plot, story, life->place);
    FILE *out = life->wait == ANL_BEHIND ? open_text(plot) : NULL;
    if (!out) return;
    anl_place_name(anl_story_config(story), life->place, name, sizeof name);
    fprintf(out, "  worm %u is behind worm %u in %s\n", life->worm.id,
            anl_story_place(story, life->place).worm, name);
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
    const uint32_t *circle = anl_story_circle(run->story, &count);
    uint64_t closed = run->result->deadlock, begin = closed;
    for (size_t i = 0; i < count; i++) {
        struct anl_life life;
        cast_join(&plot->cast, run->story, circle[i]);
        if (!anl_story_life(run->story, circle[i], &life) || life.stay.worm == ANL_NOTHING)
            continue;
        if (life.stay.begin < begin) begin = life.stay.begin;
    }
    cast_find_lanes(&plot->cast, run->story);
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
    chain_print_deadlock(out, "  ", run->story);
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
    uint32_t place = question_place(run->story, &run->history, difference);
    uint64_t begin = difference->cycle;
    struct anl_life life;
    if (place != ANL_NOTHING) cast_follow(&plot->cast, run->story, place);
    if (plot->cast.worms && anl_story_life(run->story, plot->cast.worm[0].worm.id, &life) &&
        life.stay.worm != ANL_NOTHING && life.stay.begin >= minus(begin, BACK_FROM_CLOSING))
        begin = life.stay.begin;
    cast_find_lanes(&plot->cast, run->story);
    cast_choose(&plot->cast);
    plot->switch_ = switch_of_difference(run);
    plot->from = minus(begin, 2 * BEFORE);
    plot->to = difference->cycle + AFTER;
    set_mark(plot, PLOT_A, difference->cycle, "differs");
    snprintf(plot->title, sizeof plot->title, "first difference in cycle %" PRIu64 " at %s: %s",
             difference->cycle, difference->place, difference->what);
    snprintf(plot->expected, sizeof plot->expected, "%.200s", difference->expected);
    snprintf(plot->seen, sizeof plot->seen, "%.200s", difference->seen);
    snprintf(plot->text, sizeof plot->text, "%s\n  expected  %s\n  seen      %s\n", plot->title,
             plot->expected, plot->seen);
    if (place != ANL_NOTHING) write_chain(plot, run->story, place);
}

// --- a stay ---

static void title_of_stay(struct plot *plot, const struct subject *subject,
                          const struct anl_worm *worm)
{
    const struct anl_stay *stay = &subject->stay;
    FILE *out = fmemopen(plot->title, sizeof plot->title, "w");
    if (!out) return;
    fprintf(out, "worm %u from %u to %u, %u flits, ", worm->id, worm->source, worm->destination,
            worm->length);
    if (subject->waits)
        fprintf(out, "waits %" PRIu64 " cycles, %" PRIu64 " to %" PRIu64 ":",
                stay->end - stay->begin + 1, stay->begin, stay->end);
    else if (subject->at != UINT64_MAX)
        fprintf(out, "is not blocked in cycle %" PRIu64 ": it moves", subject->at);
    else
        fprintf(out, "is never blocked, cycles %" PRIu64 " to %" PRIu64 ":", stay->begin,
                stay->end);
    const char *comma = "";
    for (int wait = 0; wait < ANL_WAITS; wait++) {
        if (stay->cycles[wait] == 0) continue;
        fprintf(out, "%s %" PRIu64 " %s", comma, stay->cycles[wait], anl_wait_name(wait));
        comma = ",";
    }
    fclose(out);
}

static void choose_stay(struct plot *plot, const struct lockstep *run)
{
    const struct subject *subject = &run->subject;
    plot->worm = subject->stay.worm;
    plot->begin = subject->stay.begin;
    plot->end = subject->stay.end;
    plot->from = minus(plot->begin, BEFORE);
    if (subject->at != UINT64_MAX && subject->at > plot->from + MOST_CYCLES - AFTER)
        plot->from = subject->at + AFTER - MOST_CYCLES;  // a long stay: around the asked cycle
    plot->to = plot->end + AFTER;
    if (plot->to > plot->from + MOST_CYCLES) plot->to = plot->from + MOST_CYCLES;
    if (plot->end > plot->to) plot->end = plot->to;
    if (plot->begin < plot->from) plot->begin = plot->from;
    if (subject->waits) set_mark(plot, PLOT_A, subject->stay.begin, "blocked");
    if (subject->waits && subject->stay.end < plot->to && subject->stay.end + 1 < run->cycle)
        set_mark(plot, PLOT_B, subject->stay.end + 1, "moves");
    title_of_stay(plot, subject, &run->harness.worms.worm[plot->worm].worm);
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
    else if (subject->at != UINT64_MAX && subject->at >= run->cycles_told)
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
        choose_stay(plot, run);
    else
        return nothing_to_show(run, error);
    return true;
}

bool plot_wants_scout(const struct plot *plot) { return plot->worm != ANL_NOTHING; }

void plot_scout(struct plot *plot, const struct lockstep *run)
{
    struct anl_life life;
    uint64_t cycle = anl_story_cycle(run->story);
    if (cycle < plot->begin || cycle > plot->end) return;
    if (!anl_story_life(run->story, plot->worm, &life)) return;
    cast_join(&plot->cast, run->story, plot->worm);
    if (life.wait != ANL_QUEUED) cast_follow(&plot->cast, run->story, life.place);
    cast_find_lanes(&plot->cast, run->story);
    if (cycle == plot->begin || (cycle == (plot->begin + plot->end) / 2 && cycle > plot->begin + 8))
        write_life(plot, run->story, &life);
}

void plot_scouted(struct plot *plot) { cast_choose(&plot->cast); }
