// SPDX-License-Identifier: Apache-2.0
//
// Hands the records of a trace to the referee of the butterfly that discards. Cycle t is step t + 1
// or, where B lanes share a link, the turn of lane t mod B in step t / B + 1
// (papers/cole_maggs_sitaraman/discard.md).

#include "referee/referee.h"

#include <annelid/discarding_referee.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct referee_discards {
    struct anl_discard_referee *game;
    uint32_t turns;            // cycles of a step
    uint64_t played;           // steps
    struct referee_list next;  // flits of the step after these
};

static struct referee_discards *of(const struct anl_referee *referee) { return referee->of_game; }

// --- violations ---

static const char *words(unsigned rule)
{
    switch (rule) {
    case ANL_DISCARD_UNKNOWN_FLIT:
        return "there is no such flit or lane, or its marks are wrong";
    case ANL_DISCARD_ONE_FLIT:
        return "another flit crosses in the same lane and step";
    case ANL_DISCARD_PATH:
        return "the link is not on the path of its worm";
    case ANL_DISCARD_ON_TIME:
        return "it crosses in another step than its start says, or in the turn of another lane";
    case ANL_DISCARD_FROM_NOWHERE:
        return "the flit before it did not cross there, or its head was discarded";
    case ANL_DISCARD_CONTIGUOUS:
        return "the flits of its worm do not follow each other";
    default:
        return "its worm is discarded, but the link has a free lane";
    }
}

static bool breaks(struct anl_referee *referee, enum anl_discard_rule rule, uint64_t step,
                   uint32_t link, uint32_t vc, uint32_t worm, uint32_t index)
{
    struct anl_violation *violation = &referee->violation;
    const uint64_t cycle = (step - 1) * of(referee)->turns;
    *violation = (struct anl_violation){.rule = ANL_RULE_OF(ANL_DISCARDING, rule),
                                        .cycle = cycle,
                                        .link = link,
                                        .worm = worm,
                                        .has_flit = true,
                                        .vc = vc,
                                        .index = index};
    snprintf(violation->text, sizeof violation->text,
             "step %" PRIu64 " (cycle %" PRIu64 "): flit %" PRIu32 " of worm %" PRIu32
             " at link %" PRIu32 " lane %" PRIu32 ": %s",
             step, cycle, index, worm, link, vc, words(rule));
    return false;
}

// Takes over the violation that the referee of the game has found.
static bool tell(struct anl_referee *referee)
{
    const struct anl_discard_violation *found = anl_discard_referee_violation(of(referee)->game);
    return breaks(referee, found->rule, found->step, found->link, found->vc, found->worm,
                  found->index);
}

// --- worms ---

static bool take_worm(struct anl_referee *referee, const struct anl_worm *worm)
{
    struct referee_discards *discards = of(referee);
    struct anl_worm of_columns = *worm;
    enum anl_status status = ANL_ERR_ARGUMENT;
    of_columns.created = (worm->created + discards->turns - 1) / discards->turns + 1;
    of_columns.source /= 2;
    of_columns.destination /= 2;
    if (worm->id == referee->next_worm && !worm->class_ && !worm->role && !worm->route)
        status = anl_discard_referee_worm(discards->game, &of_columns);
    referee->next_worm++;
    if (status != ANL_ERR_ARGUMENT) {
        referee->status = status;
        return !status;
    }
    return referee_refuses_worm(referee, worm, 0,
                                "it has no such terminals or column, no flits, a class or a route, "
                                "or numbers and cycles do not ascend");
}

// --- steps ---

// Plays the step whose flits are collected.
static bool play(struct anl_referee *referee)
{
    struct referee_discards *discards = of(referee);
    const size_t count = discards->next.count;
    discards->next.count = 0;
    return anl_discard_referee_step(discards->game, ++discards->played, discards->next.flits,
                                    count) ||
           tell(referee);
}

static bool take_flits(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                       size_t count)
{
    struct referee_discards *discards = of(referee);
    const uint32_t turns = discards->turns;
    while (discards->played < cycle / turns)
        if (!play(referee)) return false;
    for (size_t i = 0; i < count; i++) {
        if (turns > 1 && flits[i].vc != cycle % turns)
            return breaks(referee, ANL_DISCARD_ON_TIME, cycle / turns + 1, flits[i].link,
                          flits[i].vc, flits[i].worm, flits[i].index);
        if (!referee_list_add(&discards->next, &flits[i])) referee->status = ANL_ERR_MEMORY;
    }
    if (referee->status) return false;
    return cycle % turns + 1 < turns || play(referee);
}

// The last step of a run that is complete may end before its last turn.
static bool end(struct anl_referee *referee, uint64_t cycles, bool complete)
{
    struct referee_discards *discards = of(referee);
    while (discards->played < cycles / discards->turns || (complete && discards->next.count))
        if (!play(referee)) return false;
    return !complete || anl_discard_referee_end(discards->game) || tell(referee);
}

static enum anl_status create(struct anl_referee *referee, const struct anl_config *config)
{
    struct referee_discards *discards = calloc(1, sizeof *discards);
    if (!discards) return ANL_ERR_MEMORY;
    referee->of_game = discards;
    discards->turns = config->link == ANL_WIDE ? 1 : config->num_vcs;
    return anl_discard_referee_create(config->n - 1, config->passes ? config->passes : 1,
                                      config->num_vcs, &discards->game);
}

static void destroy(struct anl_referee *referee)
{
    struct referee_discards *discards = of(referee);
    if (!discards) return;
    anl_discard_referee_destroy(discards->game);
    free(discards->next.flits);
    free(discards);
}

static const char *name(unsigned rule)
{
    return anl_discard_rule_name((enum anl_discard_rule)rule);
}

const struct referee_game referee_discarding = {
    .create = create,
    .destroy = destroy,
    .worm = take_worm,
    .flits = take_flits,
    .end = end,
    .name = name,
    .words = words,
    .num_rules = ANL_DISCARD_FULL + 1,
};
