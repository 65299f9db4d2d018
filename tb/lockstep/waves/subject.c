// SPDX-License-Identifier: Apache-2.0

#include "subject.h"

#include <string.h>

enum { WAIT_FOR_END = 400 };  // cycles after `at`

struct subject subject_of(uint32_t wanted, uint64_t at)
{
    return (struct subject){.wanted = wanted, .at = at, .queued_behind = ANL_NOTHING};
}

static uint64_t length_of(const struct anl_stall *stall) { return stall->end - stall->begin + 1; }

static void hear_stall(void *user, const struct anl_stall *stall)
{
    struct subject *subject = user;
    if (subject->at != UINT64_MAX) {
        if (!subject->waits || stall->worm != subject->stall.worm ||
            stall->begin != subject->stall.begin)
            return;
        subject->ended = true;
    } else {
        if (subject->wanted != ANL_NOTHING && subject->wanted != stall->worm) return;
        if (subject->waits && length_of(stall) <= length_of(&subject->stall)) return;
    }
    subject->found = subject->waits = true;
    subject->stall = *stall;
}

// The asked worm was never blocked: its whole life is shown.
static void show_life(struct subject *subject, const struct anl_life *life, uint64_t end)
{
    if (subject->at != UINT64_MAX || subject->wanted != life->worm.id || subject->found) return;
    subject->found = true;
    subject->stall = (struct anl_stall){
        .worm = life->worm.id,
        .buffer = life->buffer,
        .begin = life->worm.created,
        .end = end,
        .blocker = ANL_NOTHING,
        .root_blocker = ANL_NOTHING,
    };
    memcpy(subject->stall.cycles, life->cycles, sizeof life->cycles);
}

static void hear_delivered(void *user, const struct anl_life *life)
{
    show_life(user, life, life->delivered);
}

struct anl_blocking_listener subject_listener(struct subject *subject)
{
    return (struct anl_blocking_listener){
        .stall = hear_stall, .delivered = hear_delivered, .user = subject};
}

struct look {
    struct subject *subject;
    const struct anl_blocking *blocking;
};

// The worm that waits longest; if none waits, the lowest that is under way.
static void consider(void *user, uint32_t worm)
{
    struct look *look = user;
    struct subject *subject = look->subject;
    struct anl_life life;
    if (subject->wanted != ANL_NOTHING && subject->wanted != worm) return;
    if (!anl_blocking_life(look->blocking, worm, &life) || life.wait == ANL_QUEUED) return;
    bool waits = life.stall.worm != ANL_NOTHING;
    uint64_t begin = waits ? life.stall.begin : subject->at;
    bool better = !subject->found || (waits && !subject->waits) ||
                  (waits == subject->waits &&
                   (begin < subject->stall.begin ||
                    (begin == subject->stall.begin && worm < subject->stall.worm)));
    if (!better) return;
    subject->found = true;
    subject->waits = waits;
    subject->stall = waits ? life.stall
                           : (struct anl_stall){.worm = worm,
                                                .buffer = life.buffer,
                                                .begin = begin,
                                                .end = begin,
                                                .blocker = ANL_NOTHING,
                                                .root_blocker = ANL_NOTHING};
}

static void look_into_queue(struct subject *subject, const struct anl_blocking *blocking)
{
    struct anl_life life;
    if (!anl_blocking_life(blocking, subject->wanted, &life) || life.wait != ANL_QUEUED) return;
    subject->queued_behind = anl_blocking_buffer(blocking, life.buffer).worm;
}

void subject_look(struct subject *subject, const struct anl_blocking *blocking)
{
    if (subject->at == UINT64_MAX || subject->found || anl_blocking_cycle(blocking) != subject->at)
        return;
    anl_blocking_worms(blocking, consider, &(struct look){subject, blocking});
    if (!subject->found) look_into_queue(subject, blocking);
}

void subject_over(struct subject *subject, const struct anl_blocking *blocking)
{
    struct anl_life life;
    if (subject->found || subject->at != UINT64_MAX) return;
    look_into_queue(subject, blocking);
    if (subject->queued_behind == ANL_NOTHING &&
        anl_blocking_life(blocking, subject->wanted, &life))
        show_life(subject, &life, anl_blocking_cycle(blocking));
}

bool subject_settled(const struct subject *subject, uint64_t cycle)
{
    if (subject->at == UINT64_MAX || cycle <= subject->at) return false;
    return !subject->waits || subject->ended || cycle > subject->at + WAIT_FOR_END;
}
