// SPDX-License-Identifier: Apache-2.0
//
// The two-pass algorithm (section 3.1): rounds, in which every message that is not delivered goes
// to a random column and from there to its destination, in a random colour.

#include "cole_maggs_sitaraman.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint32_t two_pass_colours(uint32_t levels, uint32_t q, uint32_t vcs, double beta)
{
    return (uint32_t)ceil(beta * q * pow(levels, 1.0 / vcs) / vcs - 1e-9);
}

uint32_t two_pass_steps(uint32_t levels, uint32_t colours, uint32_t length)
{
    return colours * length + 2 * levels;
}

uint32_t two_pass_allowed(uint32_t levels, uint32_t q)
{
    return (uint32_t)ceil(2 * log2(levels + log2(q)) - 1e-9) + 1;
}

// --- a round ---

struct copy {
    uint32_t message, colour, intermediate;
};

struct routing {
    const struct two_pass *how;
    struct anl_discard *machine;
    struct anl_rng rng;
    uint32_t messages;
    uint32_t *destinations;  // [messages] of message m, which begins at input m / q
    bool *delivered;         // [messages]
    struct copy *copies;     // of this round; there is room for twice as many
    size_t num_copies, room;
    struct sent *sent;     // [num_copies]
    uint32_t *of_colour;   // [colours + 1]
    struct copy *ordered;  // [num_copies] by colour
};

static enum anl_status make_room(struct routing *routing, size_t copies)
{
    if (copies <= routing->room) return ANL_OK;
    struct copy *kept = realloc(routing->copies, 2 * copies * sizeof *kept);
    if (kept) routing->copies = kept;
    struct copy *ordered = realloc(routing->ordered, 2 * copies * sizeof *ordered);
    if (ordered) routing->ordered = ordered;
    struct sent *sent = realloc(routing->sent, 2 * copies * sizeof *sent);
    if (sent) routing->sent = sent;
    if (!kept || !ordered || !sent) return ANL_ERR_MEMORY;
    routing->room = 2 * copies;
    return ANL_OK;
}

static void choose(struct routing *routing)
{
    for (size_t i = 0; i < routing->num_copies; i++) {
        routing->copies[i].colour = anl_rng_below(&routing->rng, routing->how->colours);
        routing->copies[i].intermediate = anl_rng_below(&routing->rng, 1u << routing->how->levels);
    }
}

// Sorts the copies by colour, those of one colour as they stand.
static void order(struct routing *routing)
{
    uint32_t *next = routing->of_colour;
    memset(next, 0, (routing->how->colours + 1) * sizeof *next);
    for (size_t i = 0; i < routing->num_copies; i++)
        next[routing->copies[i].colour + 1]++;
    for (uint32_t c = 0; c < routing->how->colours; c++)
        next[c + 1] += next[c];
    for (size_t i = 0; i < routing->num_copies; i++)
        routing->ordered[next[routing->copies[i].colour]++] = routing->copies[i];
}

// Colour c starts in step 1 + c L of the machine, whose steps count from 1.
static enum anl_status send(struct routing *routing)
{
    const struct two_pass *how = routing->how;
    anl_discard_reset(routing->machine);
    for (size_t i = 0; i < routing->num_copies; i++) {
        const struct copy *copy = &routing->ordered[i];
        const struct anl_discard_worm worm = {.start = 1 + (uint64_t)copy->colour * how->length,
                                              .source = copy->message / how->q,
                                              .intermediate = copy->intermediate,
                                              .destination = routing->destinations[copy->message],
                                              .length = (uint16_t)how->length};
        const enum anl_status status = anl_discard_enqueue(routing->machine, &worm, NULL);
        if (status) return status;
        routing->sent[i].worm = worm;
    }
    anl_discard_run(routing->machine);
    for (size_t i = 0; i < routing->num_copies; i++)
        routing->sent[i].outcome = anl_discard_outcome(routing->machine, (uint32_t)i);
    return ANL_OK;
}

static enum anl_status check(const struct routing *routing, struct two_pass_result *result)
{
    const struct two_pass *how = routing->how;
    const struct anl_discard_shape shape = {how->levels, 2, how->vcs};
    const uint64_t last = two_pass_steps(how->levels, how->colours, how->length) - 1;
    uint64_t broken = 0;
    const enum anl_status status =
        rounds_check(&shape, routing->sent, routing->num_copies, last, &broken);
    result->broken += broken + (anl_discard_steps(routing->machine) > last);
    return status;
}

// Notes what was delivered. Returns how many messages are left.
static uint32_t acknowledge(struct routing *routing)
{
    uint32_t left = 0;
    for (size_t i = 0; i < routing->num_copies; i++)
        if (routing->sent[i].outcome.fate == ANL_DISCARD_DELIVERED)
            routing->delivered[routing->ordered[i].message] = true;
    for (uint32_t m = 0; m < routing->messages; m++)
        left += !routing->delivered[m];
    return left;
}

// Makes two of each copy whose message is not delivered, and drops the others.
static enum anl_status duplicate(struct routing *routing)
{
    size_t kept = 0;
    for (size_t i = 0; i < routing->num_copies; i++)
        if (!routing->delivered[routing->copies[i].message])
            routing->copies[kept++] = routing->copies[i];
    const enum anl_status status = make_room(routing, 2 * kept);
    if (status) return status;
    memcpy(routing->copies + kept, routing->copies, kept * sizeof *routing->copies);
    routing->num_copies = 2 * kept;
    return ANL_OK;
}

static uint32_t most_of_an_input(const struct routing *routing, uint32_t *counts)
{
    uint32_t most = 0;
    memset(counts, 0, ((size_t)1 << routing->how->levels) * sizeof *counts);
    for (size_t i = 0; i < routing->num_copies; i++) {
        const uint32_t count = ++counts[routing->copies[i].message / routing->how->q];
        if (count > most) most = count;
    }
    return most;
}

static enum anl_status route(struct routing *routing, uint32_t most_rounds, uint32_t *counts,
                             struct two_pass_result *result)
{
    const struct two_pass *how = routing->how;
    for (;;) {
        const uint32_t copies = most_of_an_input(routing, counts);
        if (copies > result->most_copies) result->most_copies = copies;
        choose(routing);
        order(routing);
        enum anl_status status = send(routing);
        if (!status) status = check(routing, result);
        if (status) return status;
        const uint32_t left = acknowledge(routing);
        result->steps += two_pass_steps(how->levels, how->colours, how->length);
        if (result->rounds++ == 0) result->undelivered = (double)left / routing->messages;
        if (!left) return ANL_OK;
        if (result->rounds > most_rounds) return ANL_OK;
        status = duplicate(routing);
        if (status) return status;
    }
}

// --- a trial ---

// Draws q permutations; message m of input i = m / q goes where permutation m % q leads.
static void draw_relation(struct routing *routing)
{
    const uint32_t n = 1u << routing->how->levels, q = routing->how->q;
    for (uint32_t j = 0; j < q; j++) {
        for (uint32_t i = 0; i < n; i++)
            routing->destinations[i * q + j] = i;
        for (uint32_t i = n; i > 1; i--) {
            const uint32_t other = anl_rng_below(&routing->rng, i);
            uint32_t *a = &routing->destinations[(i - 1) * q + j];
            uint32_t *b = &routing->destinations[other * q + j], kept = *a;
            *a = *b;
            *b = kept;
        }
    }
}

static enum anl_status begin(struct routing *routing)
{
    const struct two_pass *how = routing->how;
    const struct anl_discard_shape shape = {how->levels, 2, how->vcs};
    routing->destinations = calloc(routing->messages, sizeof *routing->destinations);
    routing->delivered = calloc(routing->messages, sizeof *routing->delivered);
    routing->of_colour = calloc((size_t)how->colours + 2, sizeof *routing->of_colour);
    const size_t times = how->duplicates ? how->duplicates : 1, copies = times * routing->messages;
    enum anl_status status = anl_discard_create(&shape, &routing->machine);
    if (!status) status = make_room(routing, copies);
    if (!routing->destinations || !routing->delivered || !routing->of_colour)
        status = ANL_ERR_MEMORY;
    if (status) return status;
    routing->num_copies = copies;
    for (size_t i = 0; i < copies; i++)
        routing->copies[i] = (struct copy){.message = (uint32_t)(i / times)};
    draw_relation(routing);
    return ANL_OK;
}

enum anl_status two_pass_run(const struct two_pass *how, uint32_t most_rounds,
                             struct two_pass_result *result)
{
    struct routing routing = {
        .how = how, .rng = anl_rng_seed(how->seed, 0), .messages = how->q << how->levels};
    uint32_t *counts = calloc((size_t)1 << how->levels, sizeof *counts);
    *result = (struct two_pass_result){0};
    enum anl_status status = counts ? begin(&routing) : ANL_ERR_MEMORY;
    if (!status) status = route(&routing, most_rounds, counts, result);
    anl_discard_destroy(routing.machine);
    free(routing.destinations);
    free(routing.delivered);
    free(routing.copies);
    free(routing.sent);
    free(routing.of_colour);
    free(routing.ordered);
    free(counts);
    return status;
}

// --- the check of a round ---

// Where the worms of one start have come to.
struct crossed {
    uint32_t *wanted, *got;  // [links] worms that wanted a link, and that crossed it
};

// Returns the link that a worm wants on a level: 2 * node + bit, where the node has the column that
// the levels above have led to.
static uint32_t link_of(const struct anl_discard_shape *shape, const struct anl_discard_worm *worm,
                        uint32_t level)
{
    const uint32_t p = shape->levels, at = level % p, high = p - at;
    const bool last = level / p + 1 == shape->passes;
    const uint32_t from = level < p ? worm->source : worm->intermediate;
    const uint32_t to = last ? worm->destination : worm->intermediate;
    const uint32_t low = (UINT32_C(1) << high) - 1, column = (to & ~low) | (from & low);
    return 2 * ((level << p) + column) + (to >> (high - 1) & 1);
}

// Notes the links of a worm.
static void note(const struct anl_discard_shape *shape, const struct sent *sent,
                 struct crossed *crossed)
{
    const uint32_t links = shape->levels * shape->passes;
    const bool delivered = sent->outcome.fate == ANL_DISCARD_DELIVERED;
    const uint32_t through = delivered ? links : sent->outcome.level;
    for (uint32_t level = 0; level < through; level++) {
        crossed->wanted[link_of(shape, &sent->worm, level)]++;
        crossed->got[link_of(shape, &sent->worm, level)]++;
    }
    if (!delivered) crossed->wanted[link_of(shape, &sent->worm, through)]++;
}

// Returns how many of a worm's links are not as full as they must be, and clears them.
static uint64_t judge_links(const struct anl_discard_shape *shape, const struct sent *sent,
                            struct crossed *crossed)
{
    const uint32_t links = shape->levels * shape->passes;
    uint64_t broken = 0;
    for (uint32_t level = 0; level < links; level++) {
        const uint32_t link = link_of(shape, &sent->worm, level);
        const uint32_t wanted = crossed->wanted[link];
        const uint32_t most = wanted < shape->num_vcs ? wanted : shape->num_vcs;
        broken += crossed->got[link] != most;
        crossed->wanted[link] = crossed->got[link] = 0;
    }
    return broken;
}

// Returns whether a worm ends in the step that its start asks for.
static bool is_in_time(const struct anl_discard_shape *shape, const struct sent *sent,
                       uint64_t last_step)
{
    const struct anl_discard_outcome *outcome = &sent->outcome;
    const uint64_t links = shape->levels * shape->passes, start = sent->worm.start;
    if (outcome->fate == ANL_DISCARD_DISCARDED) return outcome->step == start + outcome->level;
    return outcome->fate == ANL_DISCARD_DELIVERED && outcome->level == links &&
           outcome->step == start + links + sent->worm.length - 2 && outcome->step <= last_step;
}

enum anl_status rounds_check(const struct anl_discard_shape *shape, const struct sent *sent,
                             size_t count, uint64_t last_step, uint64_t *broken)
{
    const size_t links = (size_t)2 * shape->levels * shape->passes << shape->levels;
    struct crossed crossed = {calloc(links, sizeof *crossed.wanted),
                              calloc(links, sizeof *crossed.got)};
    const bool enough = crossed.wanted && crossed.got;
    *broken = 0;
    for (size_t first = 0, end; enough && first < count; first = end) {
        for (end = first; end < count && sent[end].worm.start == sent[first].worm.start; end++)
            note(shape, &sent[end], &crossed);
        for (size_t i = first; i < end; i++) {
            *broken += !is_in_time(shape, &sent[i], last_step);
            *broken += judge_links(shape, &sent[i], &crossed);
        }
    }
    free(crossed.wanted);
    free(crossed.got);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}
