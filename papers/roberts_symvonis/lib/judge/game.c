// SPDX-License-Identifier: Apache-2.0
//
// Hands the records of a trace to the referee of the mesh without buffers. A flit that crosses a
// link in one step stands at its end at the start of the next one; one that crosses the link of a
// terminal is consumed in this step.

#include "referee/referee.h"

#include <annelid/bufferless_referee.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { PORTS = 5, TERMINAL = 4 };

struct referee_steps {
    struct anl_bufferless_referee *game;
    uint32_t n;
    uint64_t last;  // the step whose flits were taken last
    struct referee_list standing, consumed;
};

static struct referee_steps *of(const struct anl_referee *referee) { return referee->of_game; }

// --- violations ---

static const char *words(unsigned rule)
{
    switch (rule) {
    case ANL_BUFFERLESS_UNKNOWN_FLIT:
        return "there is no such flit or link, or its marks are wrong";
    case ANL_BUFFERLESS_ONE_FLIT:
        return "another flit crosses the link in the same step";
    case ANL_BUFFERLESS_CONTIGUOUS:
        return "the flits of its worm do not follow each other";
    case ANL_BUFFERLESS_NO_IDLE:
        return "it waits, is lost, or comes from nowhere";
    case ANL_BUFFERLESS_ONE_ARRIVAL:
        return "the node consumes another flit in the same step";
    case ANL_BUFFERLESS_ON_TIME:
        return "it is not consumed at its destination in its step";
    default:
        return "it leaves the one-bend path of its worm";
    }
}

static bool breaks(struct anl_referee *referee, enum anl_bufferless_rule rule, uint64_t step,
                   uint32_t link, uint32_t worm, uint32_t index)
{
    struct anl_violation *violation = &referee->violation;
    const uint32_t n = of(referee)->n, node = link / PORTS;
    *violation = (struct anl_violation){.rule = ANL_RULE_OF(ANL_BUFFERLESS, rule),
                                        .cycle = step,
                                        .link = link,
                                        .worm = worm,
                                        .has_flit = true,
                                        .vc = UINT32_MAX,
                                        .index = index};
    snprintf(violation->text, sizeof violation->text,
             "cycle %" PRIu64 ": flit %" PRIu32 " of worm %" PRIu32 " at (%" PRIu32 ",%" PRIu32
             ").%c: %s",
             step, index, worm, node / n, node % n, "EWSNT"[link % PORTS], words(rule));
    return false;
}

// Takes over the violation that the referee of the game has found.
static bool tell(struct anl_referee *referee)
{
    const struct anl_bufferless_violation *found =
        anl_bufferless_referee_violation(of(referee)->game);
    return breaks(referee, found->rule, found->step, found->link, found->worm, found->index);
}

static bool take_worm(struct anl_referee *referee, const struct anl_worm *worm)
{
    char but[128];
    enum anl_status status = ANL_ERR_ARGUMENT;
    if (worm->id == referee->next_worm && !worm->class_ && !worm->role && !worm->route)
        status = anl_bufferless_referee_worm(of(referee)->game, worm);
    referee->next_worm++;
    if (status != ANL_ERR_ARGUMENT) {
        referee->status = status;
        return !status;
    }
    snprintf(but, sizeof but,
             "terminals are 0 to %" PRIu32
             ", worms have flits and neither class nor route, and numbers ascend by 1",
             of(referee)->n * of(referee)->n - 1);
    return referee_refuses_worm(referee, worm, worm->source * PORTS + TERMINAL, but);
}

// --- steps ---

// Lets the game go on by a step, in which the flits of the list are consumed.
static bool go_on(struct anl_referee *referee, const struct referee_list *consumed)
{
    struct referee_steps *steps = of(referee);
    steps->last++;
    const bool kept =
        anl_bufferless_referee_step(steps->game, steps->last, steps->standing.flits,
                                    steps->standing.count, consumed->flits, consumed->count);
    steps->standing.count = 0;
    return kept || tell(referee);
}

// Goes to the end of the step before `step`, without flits. Of a pause the first two steps show
// whether a flit is missing; nothing can happen in the others.
static bool pause(struct anl_referee *referee, uint64_t step)
{
    struct referee_steps *steps = of(referee);
    for (int i = 0; i < 2 && steps->last + 1 < step; i++)
        if (!go_on(referee, &(struct referee_list){0})) return false;
    if (steps->last + 1 < step) steps->last = step - 1;
    return true;
}

static bool take_flits(struct anl_referee *referee, uint64_t step, const struct anl_flit *flits,
                       size_t count)
{
    struct referee_steps *steps = of(referee);
    if (step <= steps->last)  // only step 0, which is before all steps
        return !count || breaks(referee, ANL_BUFFERLESS_NO_IDLE, step, flits[0].link, flits[0].worm,
                                flits[0].index);
    if (!pause(referee, step)) return false;
    steps->consumed.count = 0;
    for (size_t i = 0; i < count; i++)
        if (flits[i].link % PORTS == TERMINAL && !referee_list_add(&steps->consumed, &flits[i]))
            referee->status = ANL_ERR_MEMORY;
    if (referee->status || !go_on(referee, &steps->consumed)) return false;
    for (size_t i = 0; i < count; i++)
        if (flits[i].link % PORTS != TERMINAL && !referee_list_add(&steps->standing, &flits[i]))
            referee->status = ANL_ERR_MEMORY;
    return !referee->status;
}

static bool end(struct anl_referee *referee, uint64_t cycles, bool complete)
{
    const uint64_t behind = complete ? cycles + 1 : cycles;
    if (!pause(referee, behind)) return false;
    if (!complete || anl_bufferless_referee_end(of(referee)->game)) return true;
    return tell(referee);
}

static enum anl_status create(struct anl_referee *referee, const struct anl_config *config)
{
    struct referee_steps *steps = calloc(1, sizeof *steps);
    referee->of_game = steps;
    if (!steps) return ANL_ERR_MEMORY;
    steps->n = config->k;
    return anl_bufferless_referee_create(config->k, &steps->game);
}

static void destroy(struct anl_referee *referee)
{
    struct referee_steps *steps = of(referee);
    if (!steps) return;
    anl_bufferless_referee_destroy(steps->game);
    free(steps->standing.flits);
    free(steps->consumed.flits);
    free(steps);
}

static const char *name(unsigned rule)
{
    return anl_bufferless_rule_name((enum anl_bufferless_rule)rule);
}

const struct referee_game referee_bufferless = {
    .create = create,
    .destroy = destroy,
    .worm = take_worm,
    .flits = take_flits,
    .end = end,
    .name = name,
    .words = words,
    .num_rules = ANL_BUFFERLESS_ONE_BEND + 1,
};
