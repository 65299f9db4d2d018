// SPDX-License-Identifier: Apache-2.0

#include "false_feeds.h"

struct worker busy(const struct anl_config *config, uint64_t seed, uint64_t cycles)
{
    struct worker worker = worker_create(config, seed, NULL);
    struct anl_rng rng = anl_rng_seed(seed, 7);
    const uint32_t terminals = anl_shape_of(config).terminals;
    const uint32_t longest = config->flow_control == ANL_WORMHOLE ? 7 : config->depth;
    while (worker.num_cycles < cycles) {
        for (uint32_t t = 0; t < terminals; t++) {
            if (anl_rng_below(&rng, 6) >= anl_link_flits(config)) continue;
            const uint32_t length = 1 + anl_rng_below(&rng, longest);
            worker_enqueue(&worker, t, anl_rng_below(&rng, terminals), (uint16_t)length);
        }
        worker_step(&worker);
    }
    return worker;
}

struct anl_blocking *feed_again(const struct worker *worker, uint64_t cycles)
{
    struct anl_blocking *blocking;
    assert_int_equal(anl_blocking_create(&worker->config, NULL, &blocking), ANL_OK);
    for (uint64_t t = 0; t < cycles; t++)
        assert_int_equal(feed_cycle(blocking, t, &worker->cycles[t], NULL), ANL_OK);
    return blocking;
}

// ---------------------------------------------------------------- all answers of an analysis

struct text {
    char *bytes;
    size_t used, size;
    const struct anl_blocking *blocking;
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

static void say_stall(struct text *text, const struct anl_stall *stall)
{
    if (stall->worm == ANL_NOTHING) return;
    say(text, " stall %u %llu-%llu by %u root_blocker %u", stall->buffer,
        (unsigned long long)stall->begin, (unsigned long long)stall->end, stall->blocker,
        stall->root_blocker);
    for (int i = 0; i < ANL_WAITS; i++)
        say(text, " %llu", (unsigned long long)stall->cycles[i]);
}

static void say_worm(struct text *text, uint32_t worm)
{
    struct anl_life life;
    uint32_t body[64];
    if (!anl_blocking_life(text->blocking, worm, &life)) return;
    say(text, "worm %u %d at %u, %u links, %lld %lld", worm, (int)life.wait, life.buffer,
        life.links, (long long)life.injected, (long long)life.delivered);
    for (int i = 0; i < ANL_WAITS; i++)
        say(text, " %llu", (unsigned long long)life.cycles[i]);
    say_stall(text, &life.stall);
    say_stall(text, &life.longest);
    for (size_t i = 0; i < life.num_delays; i++)
        say(text, " %u:%llu", life.delays[i].by, (unsigned long long)life.delays[i].cycles);
    const size_t buffers = anl_blocking_body(text->blocking, worm, body, 64);
    for (size_t i = 0; i < buffers; i++)
        say(text, " %u", body[i]);
    say(text, "\n");
}

static void say_buffer(struct text *text, uint32_t buffer)
{
    const struct anl_buffer is = anl_blocking_buffer(text->blocking, buffer);
    struct anl_flit_run runs[64];
    char words[160];
    anl_blocking_text(text->blocking, buffer, words, sizeof words);
    say(text,
        "buffer %u: %u flits, %u.%u %d since %llu wants %u %x took %u next %u %u of %u by %u: %s",
        buffer, is.flits, is.worm, is.index, (int)is.wait, (unsigned long long)is.since, is.wants,
        is.wants_vcs, is.took, is.next, is.distance, is.owner,
        anl_blocking_root_blocker(text->blocking, buffer), words);
    const size_t count = anl_blocking_runs(text->blocking, buffer, runs, 64);
    for (size_t i = 0; i < count; i++)
        say(text, " %u.%u*%u", runs[i].worm, runs[i].first, runs[i].flits);
    say(text, "\n");
}

char *all_of(const struct anl_blocking *blocking, uint32_t worms)
{
    struct text text = {.blocking = blocking};
    const struct anl_blocking_totals totals = anl_blocking_totals(blocking);
    say(&text, "cycle %llu: c %u d %u, %llu of %llu, deadlock %lld\n",
        (unsigned long long)anl_blocking_cycle(blocking), totals.congestion, totals.dilation,
        (unsigned long long)totals.delivered, (unsigned long long)totals.worms,
        (long long)anl_blocking_deadlocked(blocking));
    for (uint32_t buffer = 0; buffer < anl_blocking_num_buffers(blocking); buffer++)
        say_buffer(&text, buffer);
    for (uint32_t worm = 0; worm < worms; worm++)
        say_worm(&text, worm);
    return text.bytes;
}

enum anl_status feed_instead(const struct worker *worker, uint64_t cycle,
                             const struct anl_flit *flits, size_t count)
{
    const uint32_t worms = (uint32_t)anl_engine_totals(worker->net).enqueued;
    const struct fed_cycle *fed = &worker->cycles[cycle];
    struct anl_blocking *blocking = feed_again(worker, cycle);
    struct anl_error error = {0};
    for (size_t i = 0; i < fed->num_worms; i++)
        assert_int_equal(anl_blocking_feed_worm(blocking, &fed->worms[i], NULL), ANL_OK);

    char *const before = all_of(blocking, worms);
    const enum anl_status status = anl_blocking_feed_flits(blocking, cycle, flits, count, &error);
    if (status) {
        char *const after = all_of(blocking, worms);
        assert_int_equal(status, ANL_ERR_FORMAT);
        assert_true(strlen(error.text) > 10);
        assert_string_equal(after, before);
        assert_int_equal(anl_blocking_feed_flits(blocking, cycle, fed->flits, fed->num_flits, NULL),
                         ANL_ERR_FORMAT);
        free(after);
    }
    free(before);
    anl_blocking_destroy(blocking);
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
        flit.worm++;  // for a head on a wide link this can be true: another one takes the lane
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
        flit.vc ^= 1;  // for a head this can be true
        break;
    case 9:
        // For a head that goes up a fat-tree this can be true, if no other flit crosses that link.
        flit.link++;
        break;
    default:
        flit.link = nowhere;
        break;
    }
    return flit;
}

// Returns whether the head may as well go up by the other link.
static bool may_go_up(const struct anl_config *config, const struct fed_cycle *fed, size_t flit)
{
    const struct anl_flit *up = &fed->flits[flit];
    const bool taken = flit + 1 < fed->num_flits && fed->flits[flit + 1].link == up->link + 1;
    return config->topology == ANL_FAT_TREE && up->head && !taken && up->link < 36 &&
           up->link % 6 == 4;
}

enum { CHANGES = 11 };

void change_every_flit(const struct anl_config *config, uint32_t nowhere, uint64_t first,
                       uint64_t last)
{
    struct worker worker = busy(config, 3, last);
    struct anl_flit flits[64];
    const uint32_t share = unit_share();
    uint32_t tried = 0, refused = 0;
    for (uint64_t cycle = first; cycle < last; cycle++) {
        const struct fed_cycle *fed = &worker.cycles[cycle];
        for (size_t i = 0; i < fed->num_flits; i++)
            for (int change = 0; change < CHANGES; change++) {
                if (tried++ % share) continue;
                memcpy(flits, fed->flits, fed->num_flits * sizeof *flits);
                flits[i] = changed(flits[i], change, nowhere);
                const bool may_be = (change == 8 && flits[i].head) ||
                                    (change == 9 && may_go_up(config, fed, i)) ||
                                    (change == 2 && flits[i].head && config->link == ANL_WIDE);
                const enum anl_status status = feed_instead(&worker, cycle, flits, fed->num_flits);
                if (!may_be && status == ANL_OK)
                    fail_msg("cycle %u, flit %u, change %d: taken", (unsigned)cycle, (unsigned)i,
                             change);
                refused += status != ANL_OK;
            }
        if (fed->num_flits < 2) continue;
        memcpy(flits, fed->flits, fed->num_flits * sizeof *flits);
        flits[1] = flits[0];  // two flits on one link
        assert_int_equal(feed_instead(&worker, cycle, flits, 2), ANL_ERR_FORMAT);
        flits[0] = fed->flits[1];  // links do not ascend
        assert_int_equal(feed_instead(&worker, cycle, flits, 2), ANL_ERR_FORMAT);
    }
    assert_true(refused > 1000 / share);
    worker_destroy(&worker);
}
