// SPDX-License-Identifier: Apache-2.0
//
// When the messages of each colour start.

#include "colour.h"

#include <stdlib.h>

// The messages in the order of their colours: those of colour c are of[begin[c]] … of[begin[c + 1]
// - 1].
struct classes {
    uint32_t *of, *begin;
};

static enum anl_status sort(const struct anl_link_paths *paths,
                            const struct anl_colouring *colouring, struct classes *classes)
{
    classes->of = malloc(((size_t)paths->messages + 1) * sizeof *classes->of);
    classes->begin = calloc((size_t)colouring->count + 2, sizeof *classes->begin);
    if (!classes->of || !classes->begin) return ANL_ERR_MEMORY;
    uint32_t *next = classes->begin + 1;
    for (uint32_t m = 0; m < paths->messages; m++)
        if (colouring->of[m] + 1 < colouring->count) next[colouring->of[m] + 1]++;
    for (uint32_t c = 1; c < colouring->count; c++)
        next[c] += next[c - 1];
    for (uint32_t m = 0; m < paths->messages; m++)
        classes->of[next[colouring->of[m]]++] = m;
    return ANL_OK;
}

// Returns the first step in which a message may start: free[l] is the first step in which link l is
// no longer used by the colours before.
static uint64_t earliest(const struct anl_link_paths *paths, const uint64_t *free, uint32_t message)
{
    const size_t begin = paths->begin[message];
    uint64_t start = 0;
    for (size_t i = begin; i < paths->begin[message + 1]; i++)
        if (free[paths->on[i]] > start + (i - begin)) start = free[paths->on[i]] - (i - begin);
    return start;
}

static uint64_t start_of(const struct anl_link_paths *paths, const struct classes *classes,
                         const uint64_t *free, uint32_t colour)
{
    uint64_t start = 0;
    for (uint32_t i = classes->begin[colour]; i < classes->begin[colour + 1]; i++) {
        const uint64_t own = earliest(paths, free, classes->of[i]);
        if (own > start) start = own;
    }
    return start;
}

// Notes the links of a message that starts in this step and takes each of them for so many steps.
static void occupy(const struct anl_link_paths *paths, uint64_t *free, uint32_t message,
                   uint64_t start, uint64_t taken)
{
    const size_t begin = paths->begin[message];
    for (size_t i = begin; i < paths->begin[message + 1]; i++) {
        const uint64_t until = start + (i - begin) + taken;
        if (until > free[paths->on[i]]) free[paths->on[i]] = until;
    }
}

// Returns the steps that a message takes.
static uint64_t steps_of(const struct anl_link_paths *paths, uint32_t message, uint16_t length)
{
    const size_t links = paths->begin[message + 1] - paths->begin[message];
    return links ? links + length - 1 : 0;
}

static uint64_t interval_of(const struct anl_link_paths *paths, const uint16_t *lengths)
{
    uint64_t most = 0;
    for (uint32_t m = 0; m < paths->messages; m++) {
        const uint64_t steps = steps_of(paths, m, lengths[m]);
        if (steps > most) most = steps;
    }
    return most;
}

enum anl_status anl_colour_release(const struct anl_link_paths *paths,
                                   const struct anl_colouring *colouring, const uint16_t *lengths,
                                   const struct anl_release_rule *rule, uint64_t *starts,
                                   struct anl_release *release)
{
    struct classes classes;
    uint64_t *until = calloc((size_t)paths->links + 1, sizeof *until);
    enum anl_status status = sort(paths, colouring, &classes);
    if (!until) status = ANL_ERR_MEMORY;
    *release = (struct anl_release){.interval = interval_of(paths, lengths)};
    for (uint32_t c = 0; !status && c < colouring->count; c++) {
        const uint64_t out = c && !rule->compact ? starts[c - 1] + release->interval : 0;
        const uint64_t free_links = start_of(paths, &classes, until, c);
        starts[c] = out > free_links ? out : free_links;
        for (uint32_t i = classes.begin[c]; i < classes.begin[c + 1]; i++) {
            const uint32_t message = classes.of[i];
            const uint64_t over = starts[c] + steps_of(paths, message, lengths[message]);
            occupy(paths, until, message, starts[c], lengths[message] + rule->gap);
            if (over > release->steps) release->steps = over;
        }
    }
    free(until);
    free(classes.of);
    free(classes.begin);
    return status;
}
