// SPDX-License-Identifier: Apache-2.0
//
// The referee of the butterfly that discards. It remembers of each lane the flit that it saw there
// last, and of each worm how far its head has come.

#include <annelid/discarding_referee.h>
#include <stdlib.h>

enum { MOST_LEVELS = 16, MOST_LANES = 8 };

struct contest {
    struct anl_worm worm;
    uint32_t level;  // links that its head has crossed
    bool over;       // it was discarded
};

// What was seen last in a lane. Step 0: nothing.
struct lane_sight {
    uint64_t step;
    uint32_t worm, index;
};

struct anl_discard_referee {
    uint32_t bits, columns, levels, num_vcs;
    bool two_passes;
    uint64_t step, discarded, delivered;
    struct contest *worms;
    uint32_t *heads;  // worms whose heads are on their way
    uint32_t num_worms, started, num_heads;
    struct lane_sight *lanes;
    uint32_t *open;  // lanes in which worms go on
    uint32_t num_open;
    struct anl_discard_violation violation;
};

static bool make_lanes(struct anl_discard_referee *referee)
{
    const size_t lanes = (size_t)referee->levels * referee->columns * 2 * referee->num_vcs;
    referee->lanes = calloc(lanes, sizeof *referee->lanes);
    referee->open = calloc(lanes, sizeof *referee->open);
    return referee->lanes && referee->open;
}

enum anl_status anl_discard_referee_create(uint32_t levels, uint32_t passes, uint32_t num_vcs,
                                           struct anl_discard_referee **referee)
{
    *referee = NULL;
    if (levels < 1 || levels > MOST_LEVELS || passes < 1 || passes > 2 || num_vcs < 1 ||
        num_vcs > MOST_LANES)
        return ANL_ERR_ARGUMENT;
    struct anl_discard_referee *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;
    made->bits = levels;
    made->columns = 1u << levels;
    made->levels = passes * levels;
    made->two_passes = passes == 2;
    made->num_vcs = num_vcs;
    if (!make_lanes(made)) {
        anl_discard_referee_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *referee = made;
    return ANL_OK;
}

void anl_discard_referee_destroy(struct anl_discard_referee *referee)
{
    if (!referee) return;
    free(referee->worms);
    free(referee->heads);
    free(referee->lanes);
    free(referee->open);
    free(referee);
}

static bool may_take(const struct anl_discard_referee *referee, const struct anl_worm *worm)
{
    const uint32_t known = referee->num_worms;
    return worm->source < referee->columns && worm->destination < referee->columns &&
           worm->path < (referee->two_passes ? referee->columns : 1) && worm->length > 0 &&
           worm->created > referee->step && known < UINT32_MAX &&
           (known == 0 || worm->created >= referee->worms[known - 1].worm.created);
}

enum anl_status anl_discard_referee_worm(struct anl_discard_referee *referee,
                                         const struct anl_worm *worm)
{
    const uint32_t known = referee->num_worms;
    if (!may_take(referee, worm)) return ANL_ERR_ARGUMENT;
    if ((known & (known - 1)) == 0) {  // there is room for 1, 2, 4, …
        const size_t room = known ? 2 * (size_t)known : 1;
        struct contest *worms = realloc(referee->worms, room * sizeof *worms);
        if (worms) referee->worms = worms;
        uint32_t *heads = realloc(referee->heads, room * sizeof *heads);
        if (heads) referee->heads = heads;
        if (!worms || !heads) return ANL_ERR_MEMORY;
    }
    referee->worms[referee->num_worms++] = (struct contest){.worm = *worm};
    return ANL_OK;
}

// --- paths ---

// Returns the bit of a number that the links of a level decide: the most significant one first.
static uint32_t decided(const struct anl_discard_referee *referee, uint32_t level)
{
    return 1u << (referee->bits - level % referee->bits - 1);
}

// Returns the column to which a level leads.
static uint32_t goal(const struct anl_discard_referee *referee, const struct anl_worm *worm,
                     uint32_t level)
{
    return referee->two_passes && level < referee->bits ? worm->path : worm->destination;
}

// Returns the link of a level on the path of a worm: before it, the levels of this pass have put
// the upper bits of the goal in place of those of the column in which the pass began.
static uint32_t link_on_path(const struct anl_discard_referee *referee, const struct anl_worm *worm,
                             uint32_t level)
{
    const uint32_t end = goal(referee, worm, level), bit = decided(referee, level);
    const uint32_t begin = level < referee->bits ? worm->source : worm->path;
    const uint32_t below = 2 * bit - 1;
    const uint32_t column = (end & ~below) | (begin & below);
    return (level * referee->columns + column) * 2 + ((end & bit) != 0);
}

// --- rules ---

static bool break_rule(struct anl_discard_referee *referee, enum anl_discard_rule rule,
                       uint32_t link, uint32_t vc, uint32_t worm, uint32_t index)
{
    referee->violation = (struct anl_discard_violation){rule, referee->step, link, vc, worm, index};
    return false;
}

static bool refuse(struct anl_discard_referee *referee, enum anl_discard_rule rule,
                   const struct anl_flit *flit)
{
    return break_rule(referee, rule, flit->link, flit->vc, flit->worm, flit->index);
}

static bool is_known(const struct anl_discard_referee *referee, const struct anl_flit *flit)
{
    if (flit->worm >= referee->num_worms || flit->vc >= referee->num_vcs ||
        flit->link >= referee->levels * referee->columns * 2)
        return false;
    const uint16_t length = referee->worms[flit->worm].worm.length;
    return flit->index < length && flit->head == (flit->index == 0) &&
           flit->tail == (flit->index + 1 == length);
}

// Returns whether a flit comes right behind the one before it, or is a head behind a worm that has
// ended.
static bool follows(const struct anl_discard_referee *referee, const struct lane_sight *last,
                    const struct anl_flit *flit)
{
    if (!flit->head)
        return last->step && last->step + 1 == referee->step && last->worm == flit->worm &&
               last->index + 1 == flit->index;
    return last->step == 0 || last->index + 1u == referee->worms[last->worm].worm.length;
}

static bool crosses(struct anl_discard_referee *referee, const struct anl_flit *flit)
{
    if (!is_known(referee, flit)) return refuse(referee, ANL_DISCARD_UNKNOWN_FLIT, flit);
    struct contest *contest = &referee->worms[flit->worm];
    const uint32_t level = flit->link / 2 / referee->columns;
    struct lane_sight *last = &referee->lanes[flit->link * referee->num_vcs + flit->vc];
    if (last->step == referee->step) return refuse(referee, ANL_DISCARD_ONE_FLIT, flit);
    if (flit->link != link_on_path(referee, &contest->worm, level))
        return refuse(referee, ANL_DISCARD_PATH, flit);
    if (referee->step != contest->worm.created + level + flit->index)
        return refuse(referee, ANL_DISCARD_ON_TIME, flit);
    if (flit->head && (contest->over || contest->level != level))
        return refuse(referee, ANL_DISCARD_FROM_NOWHERE, flit);
    if (!follows(referee, last, flit)) return refuse(referee, ANL_DISCARD_CONTIGUOUS, flit);
    *last = (struct lane_sight){referee->step, flit->worm, flit->index};
    contest->level += flit->head;
    return true;
}

// Looks for a worm that does not go on in its lane, and notes in which lanes worms go on.
static bool all_go_on(struct anl_discard_referee *referee, const struct anl_flit *flits,
                      size_t count)
{
    for (uint32_t i = 0; i < referee->num_open; i++) {
        const struct lane_sight *last = &referee->lanes[referee->open[i]];
        if (last->step != referee->step)
            return break_rule(referee, ANL_DISCARD_CONTIGUOUS, referee->open[i] / referee->num_vcs,
                              referee->open[i] % referee->num_vcs, last->worm, last->index);
    }
    referee->num_open = 0;
    for (size_t i = 0; i < count; i++)
        if (!flits[i].tail)
            referee->open[referee->num_open++] = flits[i].link * referee->num_vcs + flits[i].vc;
    return true;
}

// Returns how many flits cross a link in this step.
static uint32_t crossing(const struct anl_discard_referee *referee, uint32_t link)
{
    uint32_t count = 0;
    for (uint32_t vc = 0; vc < referee->num_vcs; vc++)
        count += referee->lanes[link * referee->num_vcs + vc].step == referee->step;
    return count;
}

// Looks at a head that was on its way in this step. Returns false if it should have crossed a link.
static bool is_fair(struct anl_discard_referee *referee, uint32_t id)
{
    struct contest *contest = &referee->worms[id];
    const uint64_t due = referee->step - contest->worm.created;  // the level of its node
    if (contest->level == due + 1) return true;
    const uint32_t link = link_on_path(referee, &contest->worm, contest->level);
    if (crossing(referee, link) < referee->num_vcs)
        return break_rule(referee, ANL_DISCARD_FULL, link, 0, id, 0);
    contest->over = true;
    referee->discarded++;
    return true;
}

static bool heads_are_fair(struct anl_discard_referee *referee)
{
    uint32_t left = 0;
    while (referee->started < referee->num_worms &&
           referee->worms[referee->started].worm.created <= referee->step)
        referee->heads[referee->num_heads++] = referee->started++;
    for (uint32_t i = 0; i < referee->num_heads; i++) {
        const uint32_t id = referee->heads[i];
        if (!is_fair(referee, id)) return false;
        const struct contest *contest = &referee->worms[id];
        referee->delivered += !contest->over && contest->level == referee->levels;
        if (!contest->over && contest->level < referee->levels) referee->heads[left++] = id;
    }
    referee->num_heads = left;
    return true;
}

bool anl_discard_referee_step(struct anl_discard_referee *referee, uint64_t step,
                              const struct anl_flit *flits, size_t count)
{
    if (referee->violation.rule) return false;
    referee->step = step;
    for (size_t i = 0; i < count; i++)
        if (!crosses(referee, &flits[i])) return false;
    return all_go_on(referee, flits, count) && heads_are_fair(referee);
}

bool anl_discard_referee_end(struct anl_discard_referee *referee)
{
    if (referee->violation.rule) return false;
    referee->step++;
    if (!all_go_on(referee, NULL, 0)) return false;
    if (referee->num_heads == 0 && referee->started == referee->num_worms) return true;
    const uint32_t id = referee->num_heads ? referee->heads[0] : referee->started;
    const struct contest *contest = &referee->worms[id];
    return break_rule(referee, ANL_DISCARD_FULL,
                      link_on_path(referee, &contest->worm, contest->level), 0, id, 0);
}

void anl_discard_referee_count(const struct anl_discard_referee *referee, uint64_t *discarded,
                               uint64_t *delivered)
{
    *discarded = referee->discarded;
    *delivered = referee->delivered;
}

const struct anl_discard_violation *
anl_discard_referee_violation(const struct anl_discard_referee *referee)
{
    return &referee->violation;
}

const char *anl_discard_rule_name(enum anl_discard_rule rule)
{
    static const char *const names[] = {
        [ANL_DISCARD_KEPT] = "kept",
        [ANL_DISCARD_UNKNOWN_FLIT] = "unknown_flit",
        [ANL_DISCARD_ONE_FLIT] = "one_flit",
        [ANL_DISCARD_PATH] = "path",
        [ANL_DISCARD_ON_TIME] = "on_time",
        [ANL_DISCARD_FROM_NOWHERE] = "from_nowhere",
        [ANL_DISCARD_CONTIGUOUS] = "contiguous",
        [ANL_DISCARD_FULL] = "full",
    };
    return names[rule];
}
