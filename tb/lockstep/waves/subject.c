// SPDX-License-Identifier: Apache-2.0

#include "subject.h"

#include <string.h>

enum { WAIT_FOR_END = 400 };  // cycles after `at`

struct subject subject_of(uint32_t wanted, uint64_t at)
{
    return (struct subject){.wanted = wanted, .at = at, .queued_behind = ANL_NOTHING};
}

static uint64_t length_of(const struct anl_stay *stay) { return stay->end - stay->begin + 1; }

static void hear_stay(void *user, const struct anl_stay *stay)
{
    struct subject *subject = user;
    if (subject->at != UINT64_MAX) {
        if (!subject->waits || stay->worm != subject->stay.worm ||
            stay->begin != subject->stay.begin)
            return;
        subject->ended = true;
    } else {
        if (subject->wanted != ANL_NOTHING && subject->wanted != stay->worm) return;
        if (subject->waits && length_of(stay) <= length_of(&subject->stay)) return;
    }
    subject->found = subject->waits = true;
    subject->stay = *stay;
}

// The asked worm was never blocked: its whole life is shown.
static void show_life(struct subject *subject, const struct anl_life *life, uint64_t end)
{
    if (subject->at != UINT64_MAX || subject->wanted != life->worm.id || subject->found) return;
    subject->found = true;
    subject->stay = (struct anl_stay){
        .worm = life->worm.id,
        .place = life->place,
        .begin = life->worm.created,
        .end = end,
        .blocker = ANL_NOTHING,
        .mover = ANL_NOTHING,
    };
    memcpy(subject->stay.cycles, life->cycles, sizeof life->cycles);
}

static void hear_delivered(void *user, const struct anl_life *life)
{
    show_life(user, life, life->delivered);
}

struct anl_story_listener subject_listener(struct subject *subject)
{
    return (struct anl_story_listener){
        .stay = hear_stay, .delivered = hear_delivered, .user = subject};
}

struct look {
    struct subject *subject;
    const struct anl_story *story;
};

// The worm that waits longest; if none waits, the lowest that is under way.
static void consider(void *user, uint32_t worm)
{
    struct look *look = user;
    struct subject *subject = look->subject;
    struct anl_life life;
    if (subject->wanted != ANL_NOTHING && subject->wanted != worm) return;
    if (!anl_story_life(look->story, worm, &life) || life.wait == ANL_QUEUED) return;
    bool waits = life.stay.worm != ANL_NOTHING;
    uint64_t begin = waits ? life.stay.begin : subject->at;
    bool better =
        !subject->found || (waits && !subject->waits) ||
        (waits == subject->waits && (begin < subject->stay.begin ||
                                     (begin == subject->stay.begin && worm < subject->stay.worm)));
    if (!better) return;
    subject->found = true;
    subject->waits = waits;
    subject->stay = waits ? life.stay
                          : (struct anl_stay){.worm = worm,
                                              .place = life.place,
                                              .begin = begin,
                                              .end = begin,
                                              .blocker = ANL_NOTHING,
                                              .mover = ANL_NOTHING};
}

static void look_into_queue(struct subject *subject, const struct anl_story *story)
{
    struct anl_life life;
    if (!anl_story_life(story, subject->wanted, &life) || life.wait != ANL_QUEUED) return;
    subject->queued_behind = anl_story_place(story, life.place).worm;
}

void subject_look(struct subject *subject, const struct anl_story *story)
{
    if (subject->at == UINT64_MAX || subject->found || anl_story_cycle(story) != subject->at)
        return;
    anl_story_worms(story, consider, &(struct look){subject, story});
    if (!subject->found) look_into_queue(subject, story);
}

void subject_over(struct subject *subject, const struct anl_story *story)
{
    struct anl_life life;
    if (subject->found || subject->at != UINT64_MAX) return;
    look_into_queue(subject, story);
    if (subject->queued_behind == ANL_NOTHING && anl_story_life(story, subject->wanted, &life))
        show_life(subject, &life, anl_story_cycle(story));
}

bool subject_settled(const struct subject *subject, uint64_t cycle)
{
    if (subject->at == UINT64_MAX || cycle <= subject->at) return false;
    return !subject->waits || subject->ended || cycle > subject->at + WAIT_FOR_END;
}
