// SPDX-License-Identifier: Apache-2.0
//
// Stories told wrong: every flit of some cycles of a busy run changed in every way, which must be
// refused, unless it can be true, and leave all that a story says as it was.

#ifndef ANNELID_STORY_LIES_H
#define ANNELID_STORY_LIES_H

#include "story_teller.h"

#include <annelid/random.h>
#include <stdio.h>

// A busy run of some cycles, told.
static inline struct teller busy(const struct anl_config *config, uint64_t seed, uint64_t cycles)
{
    struct teller teller = teller_create(config, seed, NULL);
    struct anl_rng rng = anl_rng_seed(seed, 7);
    const uint32_t terminals = anl_shape_of(config).terminals;
    const uint32_t longest = config->admission == ANL_WORMHOLE ? 7 : config->depth;
    while (teller.num_cycles < cycles) {
        for (uint32_t t = 0; t < terminals; t++)
            if (anl_rng_below(&rng, 6) == 0)
                teller_offer(&teller, t, anl_rng_below(&rng, terminals),
                             (uint16_t)(1 + anl_rng_below(&rng, longest)));
        teller_step(&teller);
    }
    return teller;
}

static struct anl_story *retell(const struct teller *teller, uint64_t cycles)
{
    struct anl_story *story;
    assert_int_equal(anl_story_create(&teller->config, NULL, &story), ANL_OK);
    for (uint64_t t = 0; t < cycles; t++)
        assert_int_equal(tell_cycle(story, t, &teller->cycles[t], NULL), ANL_OK);
    return story;
}

// ---------------------------------------------------------------- all that a story says

struct text {
    char *bytes;
    size_t used, size;
    const struct anl_story *story;
};

static void say(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct text *text, const char *format, ...)
{
    va_list arguments;
    if (text->size - text->used < 1024) {
        text->size = 2 * text->size + 4096;
        text->bytes = realloc(text->bytes, text->size);
        assert_non_null(text->bytes);
    }
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->bytes + text->used, 1024, format, arguments);
    va_end(arguments);
}

static void say_stay(struct text *text, const struct anl_stay *stay)
{
    if (stay->worm == ANL_NOTHING) return;
    say(text, " stay %u %llu-%llu by %u mover %u", stay->place, (unsigned long long)stay->begin,
        (unsigned long long)stay->end, stay->blocker, stay->mover);
    for (int i = 0; i < ANL_WAITS; i++)
        say(text, " %llu", (unsigned long long)stay->cycles[i]);
}

static void say_worm(struct text *text, uint32_t worm)
{
    struct anl_life life;
    uint32_t body[64];
    if (!anl_story_life(text->story, worm, &life)) return;
    say(text, "worm %u %d at %u, %u links, %lld %lld", worm, (int)life.wait, life.place, life.links,
        (long long)life.injected, (long long)life.delivered);
    for (int i = 0; i < ANL_WAITS; i++)
        say(text, " %llu", (unsigned long long)life.cycles[i]);
    say_stay(text, &life.stay);
    say_stay(text, &life.longest);
    for (size_t i = 0; i < life.num_delays; i++)
        say(text, " %u:%llu", life.delays[i].by, (unsigned long long)life.delays[i].cycles);
    const size_t places = anl_story_body(text->story, worm, body, 64);
    for (size_t i = 0; i < places; i++)
        say(text, " %u", body[i]);
    say(text, "\n");
}

static void say_place(struct text *text, uint32_t place)
{
    const struct anl_place is = anl_story_place(text->story, place);
    struct anl_run_of_flits runs[64];
    char words[160];
    anl_story_text(text->story, place, words, sizeof words);
    say(text,
        "place %u: %u flits, %u.%u %d since %llu wants %u %x took %u next %u %u of %u by %u: %s",
        place, is.flits, is.worm, is.index, (int)is.wait, (unsigned long long)is.since, is.wants,
        is.wants_vcs, is.took, is.next, is.distance, is.owner, anl_story_mover(text->story, place),
        words);
    const size_t count = anl_story_runs(text->story, place, runs, 64);
    for (size_t i = 0; i < count; i++)
        say(text, " %u.%u*%u", runs[i].worm, runs[i].first, runs[i].flits);
    say(text, "\n");
}

// The caller's to free.
static char *all_of(const struct anl_story *story, uint32_t worms)
{
    struct text text = {.story = story};
    const struct anl_story_totals totals = anl_story_totals(story);
    say(&text, "cycle %llu: c %u d %u, %llu of %llu, deadlock %lld\n",
        (unsigned long long)anl_story_cycle(story), totals.congestion, totals.dilation,
        (unsigned long long)totals.delivered, (unsigned long long)totals.worms,
        (long long)anl_story_deadlocked(story));
    for (uint32_t place = 0; place < anl_story_places(story); place++)
        say_place(&text, place);
    for (uint32_t worm = 0; worm < worms; worm++)
        say_worm(&text, worm);
    return text.bytes;
}

// ---------------------------------------------------------------- what cannot be true

// Tells the worms of cycle and, in place of its flits, others; all must be as before if they are
// refused. Returns the status.
static enum anl_status tell_instead(const struct teller *teller, uint64_t cycle,
                                    const struct anl_flit *flits, size_t count)
{
    const uint32_t worms = (uint32_t)anl_net_totals(teller->net).offered;
    const struct told_cycle *told = &teller->cycles[cycle];
    struct anl_story *story = retell(teller, cycle);
    struct anl_error error = {0};
    for (size_t i = 0; i < told->num_worms; i++)
        assert_int_equal(anl_story_worm(story, &told->worms[i], NULL), ANL_OK);

    char *const before = all_of(story, worms);
    const enum anl_status status = anl_story_flits(story, cycle, flits, count, &error);
    if (status) {
        char *const after = all_of(story, worms);
        assert_int_equal(status, ANL_ERR_FORMAT);
        assert_true(strlen(error.text) > 10);
        assert_string_equal(after, before);
        assert_int_equal(anl_story_flits(story, cycle, told->flits, told->num_flits, NULL),
                         ANL_ERR_FORMAT);
        free(after);
    }
    free(before);
    anl_story_destroy(story);
    return status;
}

static struct anl_flit changed(struct anl_flit flit, int change, uint32_t nowhere)
{
    switch (change) {
    case 0:
        flit.link = UINT32_MAX;
        break;
    case 1:
        flit.vc = 255;
        break;
    case 2:
        flit.worm++;
        break;
    case 3:
        flit.worm = UINT32_MAX;
        break;
    case 4:
        flit.index++;
        break;
    case 5:
        flit.index--;
        break;
    case 6:
        flit.head = !flit.head;
        break;
    case 7:
        flit.tail = !flit.tail;
        break;
    case 8:
        flit.vc ^= 1;  // of a head, it can be true
        break;
    case 9:
        flit.link++;  // of a head up a fat-tree, it can be true if no other one crosses that link
        break;
    default:
        flit.link = nowhere;
        break;
    }
    return flit;
}
enum { CHANGES = 11 };

// The link that a head going up crosses may be the other one, too.
static bool may_go_up(const struct anl_config *config, const struct told_cycle *told, size_t flit)
{
    const struct anl_flit *up = &told->flits[flit];
    const bool taken = flit + 1 < told->num_flits && told->flits[flit + 1].link == up->link + 1;
    return config->topology == ANL_FAT_TREE && up->head && !taken && up->link < 36 &&
           up->link % 6 == 4;
}

// nowhere: a link that does not exist.
static void change_every_flit(const struct anl_config *config, uint32_t nowhere, uint64_t first,
                              uint64_t last)
{
    struct teller teller = busy(config, 3, last);
    struct anl_flit flits[64];
    uint32_t refused = 0;
    for (uint64_t cycle = first; cycle < last; cycle++) {
        const struct told_cycle *told = &teller.cycles[cycle];
        for (size_t i = 0; i < told->num_flits; i++)
            for (int change = 0; change < CHANGES; change++) {
                memcpy(flits, told->flits, told->num_flits * sizeof *flits);
                flits[i] = changed(flits[i], change, nowhere);
                const bool may_be =
                    (change == 8 && flits[i].head) || (change == 9 && may_go_up(config, told, i));
                const enum anl_status status = tell_instead(&teller, cycle, flits, told->num_flits);
                if (!may_be && status == ANL_OK)
                    fail_msg("cycle %u, flit %u, change %d: taken", (unsigned)cycle, (unsigned)i,
                             change);
                refused += status != ANL_OK;
            }
        if (told->num_flits < 2) continue;
        memcpy(flits, told->flits, told->num_flits * sizeof *flits);
        flits[1] = flits[0];  // twice on one link
        assert_int_equal(tell_instead(&teller, cycle, flits, 2), ANL_ERR_FORMAT);
        flits[0] = told->flits[1];  // not ascending
        assert_int_equal(tell_instead(&teller, cycle, flits, 2), ANL_ERR_FORMAT);
    }
    assert_true(refused > 1000);
    teller_destroy(&teller);
}

#endif
