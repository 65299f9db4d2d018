// SPDX-License-Identifier: Apache-2.0
//
// Who waits for whom in this cycle, and why (docs/worms.md, "Blocked" and "Waits for").

#include "story_parts.h"

// --- causes ---

static bool has_room_for(const struct anl_story *story, const struct anl_worm *worm, uint32_t link,
                         uint32_t vcs)
{
    for (; vcs; vcs &= vcs - 1)
        if (credits(story, lane_at(story, link, (uint32_t)__builtin_ctz(vcs))) >= need(story, worm))
            return true;
    return false;
}

static enum anl_wait cause_of_head(const struct anl_story *story, uint32_t place)
{
    const uint32_t link = story->wants[place];
    const struct anl_worm *worm = &story->worms[story->front[place]].worm;
    const uint32_t unowned = story->set[place] & ~(uint32_t)story->owned[link];

    if (story->config.admission == ANL_STORE_AND_FORWARD && !is_source(story, place) &&
        !story_tail_is_here(story, place))
        return ANL_NOT_YET;
    if (has_room_for(story, worm, link, unowned)) return ANL_LOST_ARBITRATION;
    return unowned ? ANL_NO_CREDIT : ANL_BOUND_ELSEWHERE;
}

enum anl_wait story_cause(const struct anl_story *story, uint32_t place)
{
    if (story->moved[place] != NONE) return ANL_MOVING;
    if (story->index[place] == 0) return cause_of_head(story, place);
    return credits(story, bound_lane(story, place)) > 0 ? ANL_LOST_ARBITRATION : ANL_NO_CREDIT;
}

// --- waits for ---

// A lane at the same input port that lost, to one that won what it wants.
static uint32_t fellow_loser(const struct anl_story *story, uint32_t port)
{
    for (uint32_t rest = story->filled[port]; rest; rest &= rest - 1) {
        const uint32_t lane = lane_at(story, port, (uint32_t)__builtin_ctz(rest));
        if (story->wait[lane] == ANL_LOST_ARBITRATION && story->crossed[story->wants[lane]] != NONE)
            return lane;
    }
    return NONE;
}

static uint32_t winner(const struct anl_story *story, uint32_t place)
{
    const uint32_t crossed = story->crossed[story->wants[place]];
    if (crossed != NONE || is_source(story, place)) return crossed;
    const uint32_t port = link_of(story, place), left = story->left[port];
    return left != NONE ? left : fellow_loser(story, port);
}

uint32_t story_targets(const struct anl_story *story, uint32_t place, enum anl_wait cause,
                       uint32_t *targets)
{
    uint32_t count = 0;
    if (cause == ANL_MOVING) return 0;
    if (cause == ANL_LOST_ARBITRATION) {
        targets[0] = winner(story, place);
        return targets[0] != NONE;
    }
    if (cause == ANL_NOT_YET) {
        targets[0] = story_upstream(story, place);
        return 1;
    }
    for (uint32_t rest = story->set[place]; rest; rest &= rest - 1) {
        const uint32_t lane = lane_at(story, story->wants[place], (uint32_t)__builtin_ctz(rest));
        const uint32_t owner = story->owner[lane];
        const bool others = owner != NONE && owner != story->front[place];
        targets[count++] = others ? story_upstream(story, lane) : lane;
    }
    return count;
}

// --- distances ---

static void see(struct anl_story *story, uint32_t place)
{
    const enum anl_wait cause = story_cause(story, place);
    story->wait[place] = (uint8_t)cause;
    story->next[place] = NONE;
    story->distance[place] = cause == ANL_MOVING ? 0 : NONE;
    story->mover[place] = cause == ANL_MOVING ? worm_id(story, story->front[place]) : NONE;
    if (cause != ANL_MOVING) story->blocked[story->num_blocked++] = place;
}

static void see_all(struct anl_story *story)
{
    story->num_blocked = 0;
    for (uint32_t link = 0; link < story->shape.links; link++)
        for (uint32_t rest = story->filled[link]; rest; rest &= rest - 1)
            see(story, lane_at(story, link, (uint32_t)__builtin_ctz(rest)));
    for (uint32_t place = story->lanes; place < story->num_places; place++)
        if (story->front[place] != NONE) see(story, place);
}

// True if the place waits for one at the distance given: its own is then one more.
static bool reaches(struct anl_story *story, uint32_t place, uint32_t distance)
{
    uint32_t targets[ANL_MAX_VCS];
    const uint32_t count = story_targets(story, place, story->wait[place], targets);
    for (uint32_t i = 0; i < count; i++) {
        if (story->distance[targets[i]] != distance) continue;
        story->distance[place] = distance + 1;
        story->next[place] = targets[i];
        story->mover[place] = story->mover[targets[i]];
        return true;
    }
    return false;
}

void story_waits(struct anl_story *story)
{
    see_all(story);
    uint32_t left = story->num_blocked, before = left + 1;
    for (uint32_t distance = 0; left < before; distance++) {
        before = left;
        left = 0;
        for (uint32_t i = 0; i < before; i++)
            if (!reaches(story, story->blocked[i], distance))
                story->blocked[left++] = story->blocked[i];
    }
    for (uint32_t i = 0; i < left; i++) {
        uint32_t targets[ANL_MAX_VCS];
        const uint32_t place = story->blocked[i];
        if (story_targets(story, place, story->wait[place], targets))
            story->next[place] = targets[0];
    }
}
