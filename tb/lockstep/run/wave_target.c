// SPDX-License-Identifier: Apache-2.0

#include "wave_target.h"

#include <string.h>

enum { WAIT_FOR_END = 400 };  // most cycles after `at` for which the end of the stall is awaited

struct wave_target wave_target_of(uint32_t wanted, uint64_t at)
{
    return (struct wave_target){.wanted = wanted, .at = at, .queued_behind = ANL_NOTHING};
}

static uint64_t length_of(const struct anl_stall *stall) { return stall->end - stall->begin + 1; }

static void hear_stall(void *user, const struct anl_stall *stall)
{
    struct wave_target *wave_target = user;
    if (wave_target->at != UINT64_MAX) {
        if (!wave_target->waits || stall->worm != wave_target->stall.worm ||
            stall->begin != wave_target->stall.begin)
            return;
        wave_target->ended = true;
    } else {
        if (wave_target->wanted != ANL_NOTHING && wave_target->wanted != stall->worm) return;
        if (wave_target->waits && length_of(stall) <= length_of(&wave_target->stall)) return;
    }
    wave_target->found = wave_target->waits = true;
    wave_target->stall = *stall;
}

// The wanted worm was never blocked: chooses its whole life.
static void show_life(struct wave_target *wave_target, const struct anl_life *life, uint64_t end)
{
    if (wave_target->at != UINT64_MAX || wave_target->wanted != life->worm.id || wave_target->found)
        return;
    wave_target->found = true;
    wave_target->stall = (struct anl_stall){
        .worm = life->worm.id,
        .buffer = life->buffer,
        .begin = life->worm.created,
        .end = end,
        .blocker = ANL_NOTHING,
        .root_blocker = ANL_NOTHING,
    };
    memcpy(wave_target->stall.cycles, life->cycles, sizeof life->cycles);
}

static void hear_delivered(void *user, const struct anl_life *life)
{
    show_life(user, life, life->delivered);
}

struct anl_blocking_listener wave_target_listener(struct wave_target *wave_target)
{
    return (struct anl_blocking_listener){
        .stall = hear_stall, .delivered = hear_delivered, .user = wave_target};
}

struct look {
    struct wave_target *wave_target;
    const struct anl_blocking *blocking;
};

// Chooses the worm that has waited longest or, if none waits, the lowest one in the network.
static void consider(void *user, uint32_t worm)
{
    struct look *look = user;
    struct wave_target *wave_target = look->wave_target;
    struct anl_life life;
    if (wave_target->wanted != ANL_NOTHING && wave_target->wanted != worm) return;
    if (!anl_blocking_life(look->blocking, worm, &life) || life.wait == ANL_QUEUED) return;
    bool waits = life.stall.worm != ANL_NOTHING;
    uint64_t begin = waits ? life.stall.begin : wave_target->at;
    bool better = !wave_target->found || (waits && !wave_target->waits) ||
                  (waits == wave_target->waits &&
                   (begin < wave_target->stall.begin ||
                    (begin == wave_target->stall.begin && worm < wave_target->stall.worm)));
    if (!better) return;
    wave_target->found = true;
    wave_target->waits = waits;
    wave_target->stall = waits ? life.stall
                               : (struct anl_stall){.worm = worm,
                                                    .buffer = life.buffer,
                                                    .begin = begin,
                                                    .end = begin,
                                                    .blocker = ANL_NOTHING,
                                                    .root_blocker = ANL_NOTHING};
}

static void look_into_queue(struct wave_target *wave_target, const struct anl_blocking *blocking)
{
    struct anl_life life;
    if (!anl_blocking_life(blocking, wave_target->wanted, &life) || life.wait != ANL_QUEUED) return;
    wave_target->queued_behind = anl_blocking_buffer(blocking, life.buffer).worm;
}

void wave_target_look(struct wave_target *wave_target, const struct anl_blocking *blocking)
{
    if (wave_target->at == UINT64_MAX || wave_target->found ||
        anl_blocking_cycle(blocking) != wave_target->at)
        return;
    anl_blocking_worms(blocking, consider, &(struct look){wave_target, blocking});
    if (!wave_target->found) look_into_queue(wave_target, blocking);
}

void wave_target_over(struct wave_target *wave_target, const struct anl_blocking *blocking)
{
    struct anl_life life;
    if (wave_target->found || wave_target->at != UINT64_MAX) return;
    look_into_queue(wave_target, blocking);
    if (wave_target->queued_behind == ANL_NOTHING &&
        anl_blocking_life(blocking, wave_target->wanted, &life))
        show_life(wave_target, &life, anl_blocking_cycle(blocking));
}

bool wave_target_settled(const struct wave_target *wave_target, uint64_t cycle)
{
    if (wave_target->at == UINT64_MAX || cycle <= wave_target->at) return false;
    return !wave_target->waits || wave_target->ended || cycle > wave_target->at + WAIT_FOR_END;
}
