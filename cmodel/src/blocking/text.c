// SPDX-License-Identifier: Apache-2.0
//
// The words of a story: one short line for what a place does.

#include "story.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINK_BYTES = 80, PLACE_BYTES = 128 };

const char *anl_wait_name(enum anl_wait wait)
{
    static const char *const names[] = {
        "moving",  "bound_elsewhere", "no_credit", "lost_arbitration",
        "not_yet", "behind",          "queued"};
    return (unsigned)wait < ANL_WAITS ? names[wait] : "?";
}

void anl_place_name(const struct anl_config *config, uint32_t place, char *text, size_t size)
{
    const uint32_t lanes = anl_shape_of(config).links * config->num_vcs;
    char link[LINK_BYTES];
    if (place >= lanes) {
        snprintf(text, size, "source of T%" PRIu32, place - lanes);
        return;
    }
    anl_link_name(config, place / config->num_vcs, link, sizeof link);
    snprintf(text, size, "lane %" PRIu32 " of %s", place % config->num_vcs, link);
}

void anl_place_wish(const struct anl_config *config, const struct anl_place *place, char *text,
                    size_t size)
{
    const uint32_t set = place->wants_vcs;
    char link[LINK_BYTES], name[LINK_BYTES], other[LINK_BYTES + 4] = "";
    if (place->worm == NONE || set == 0) {
        snprintf(text, size, place->worm == NONE ? "nothing" : "to leave");
        return;
    }
    if ((set & (set - 1)) == 0) {
        anl_place_name(config, place->wants * config->num_vcs + lowest(set), text, size);
        return;
    }
    anl_link_name(config, place->wants, link, sizeof link);
    if (set >> config->num_vcs) {
        anl_link_name(config, place->wants + 1, name, sizeof name);
        snprintf(other, sizeof other, " or %s", strrchr(name, '.') + 1);
    }
    snprintf(text, size, "a lane of %s%s", link, other);
}

static void empty_text(const struct anl_story *story, uint32_t owner, char *text, size_t size)
{
    if (owner == NONE)
        snprintf(text, size, "empty");
    else
        snprintf(text, size, "held by worm %" PRIu32 ", whose next flit is on its way",
                 worm_id(story, owner));
}

// The wanted link of a flit that lost an arbitration: of two the lower one that is crossed, or else
// that it could have taken.
static uint32_t link_lost(const struct anl_story *story, uint32_t at)
{
    const struct story_place *place = &story->places[at];
    for (uint32_t link = place->wants; link <= place->wants + wants_two(story, place); link++)
        if (story_is_crossed(story, &story->links[link])) return link;
    return story_could_take(story, at);
}

static void lost_text(const struct anl_story *story, uint32_t place, char *text, size_t size)
{
    const uint32_t next = story_way(story, place)->next;
    const uint32_t crossed = story_crossed(story, &story->places[place]);
    char link[LINK_BYTES];
    anl_link_name(&story->config, link_lost(story, place), link, sizeof link);
    if (next == NONE)
        snprintf(text, size, "could cross %s, but did not", link);
    else
        snprintf(text, size, "lost %s to worm %" PRIu32, crossed == next ? link : "its input port",
                 worm_id(story, story->places[next].front));
}

// The wanted lane by which the place waits for its next one.
static uint32_t lane_waited_for(const struct anl_story *story, uint32_t at)
{
    const struct story_place *place = &story->places[at];
    const uint32_t next = story_way(story, at)->next;
    if (place->index > 0) return next;
    uint32_t rest = place->set;
    while (story_place_behind(story, lane_at(story, place->wants, lowest(rest))) != next)
        rest &= rest - 1;
    return lane_at(story, place->wants, lowest(rest));
}

static void waits_text(const struct anl_story *story, uint32_t place, char *text, size_t size)
{
    const uint32_t at = lane_waited_for(story, place), slot = story->places[place].front;
    const struct story_place *lane = &story->places[at];
    char name[PLACE_BYTES];
    anl_place_name(&story->config, at, name, sizeof name);
    if (lane->owner != NONE && lane->owner != slot)
        snprintf(text, size, "waits: %s held by worm %" PRIu32, name, worm_id(story, lane->owner));
    else if (lane->front == slot)
        snprintf(text, size, "waits: no credit for %s, behind its own flits", name);
    else
        snprintf(text, size, "waits: no credit for %s, behind worm %" PRIu32, name,
                 worm_id(story, lane->front));
}

static void moves_text(const struct anl_story *story, const struct story_place *place, char *text,
                       size_t size)
{
    char name[PLACE_BYTES];
    if (place->moved == TAKEN) {
        snprintf(text, size, "taken by T%" PRIu32, anl_end_of(&story->config, place->link).node);
        return;
    }
    anl_place_name(&story->config, place->wanted + place->moved, name, sizeof name);
    snprintf(text, size, "moves to %s", name);
}

void anl_story_text(const struct anl_story *story, uint32_t at, char *text, size_t size)
{
    const struct story_place *place = &story->places[at];
    if (place->front == NONE) {
        empty_text(story, place->owner, text, size);
        return;
    }
    switch (story_cause(story, at)) {
    case ANL_MOVING:
        moves_text(story, place, text, size);
        return;
    case ANL_LOST_ARBITRATION:
        lost_text(story, at, text, size);
        return;
    case ANL_NOT_YET:
        snprintf(text, size, "waits for its tail");
        return;
    default:
        waits_text(story, at, text, size);
    }
}
