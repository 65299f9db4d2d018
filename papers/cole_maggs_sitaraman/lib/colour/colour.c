// SPDX-License-Identifier: Apache-2.0

#include "colour.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *anl_colour_method_name(enum anl_colour_method method)
{
    static const char *const names[] = {"first_fit", "moser_tardos", "refinement"};
    return (unsigned)method < sizeof names / sizeof *names ? names[method] : "?";
}

void anl_colouring_free(struct anl_colouring *colouring)
{
    free(colouring->of);
    *colouring = (struct anl_colouring){0};
}

// --- colours that were drawn ---

struct place {
    uint64_t colour;
    uint32_t message;
};

static int by_colour(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->colour != y->colour) return x->colour < y->colour ? -1 : 1;
    return x->message < y->message ? -1 : 1;
}

enum anl_status pack(uint64_t *colours, uint32_t messages, uint32_t *count)
{
    struct place *places = malloc((messages + 1) * sizeof *places);
    if (!places) return ANL_ERR_MEMORY;
    for (uint32_t m = 0; m < messages; m++)
        places[m] = (struct place){colours[m], m};
    qsort(places, messages, sizeof *places, by_colour);
    *count = 0;
    for (uint32_t i = 0; i < messages; i++) {
        if (i == 0 || places[i].colour != places[i - 1].colour) ++*count;
        colours[places[i].message] = *count - 1;
    }
    free(places);
    return ANL_OK;
}

// What all attempts at a colouring by drawing share.
struct attempt {
    const struct anl_link_paths *paths;
    const struct anl_colour_options *options;
    struct anl_link_measures measures;
    struct crossings crossings;
    struct anl_rng rng;
    uint64_t *colours;  // [messages]
    struct anl_colouring *colouring;
};

static enum anl_status draw(struct attempt *attempt, uint32_t ways, uint32_t most)
{
    struct drawing drawing = {.paths = attempt->paths,
                              .crossings = &attempt->crossings,
                              .options = attempt->options,
                              .rng = &attempt->rng,
                              .ways = ways,
                              .most = most,
                              .colours = attempt->colours};
    const enum anl_status status = resample(&drawing);
    attempt->colouring->resamples += drawing.resamples;
    return status;
}

// Keeps the colours of a drawing as the colouring.
static enum anl_status keep(struct attempt *attempt, double drawn_from)
{
    struct anl_colouring *colouring = attempt->colouring;
    const enum anl_status status =
        pack(attempt->colours, attempt->paths->messages, &colouring->count);
    for (uint32_t m = 0; !status && m < attempt->paths->messages; m++)
        colouring->of[m] = (uint32_t)attempt->colours[m];
    colouring->drawn_from = drawn_from;
    return status;
}

// --- Moser and Tardos ---

// Makes one attempt to colour with so many colours, always from the same state of the generator.
static enum anl_status try_colours(struct attempt *attempt, uint32_t colours)
{
    attempt->rng = anl_rng_seed(attempt->options->seed, 0);
    memset(attempt->colours, 0, attempt->paths->messages * sizeof *attempt->colours);
    const enum anl_status status = draw(attempt, colours, attempt->options->vcs);
    return status ? status : keep(attempt, colours);
}

static bool gave_up(const struct attempt *attempt)
{
    const struct anl_colour_options *options = attempt->options;
    return options->go_on && !options->go_on(options->user);
}

// Finds, between a number of colours with which the attempt fails and one with which it succeeds,
// two neighbours of which the same holds.
static enum anl_status find_least(struct attempt *attempt)
{
    uint32_t low = anl_colour_lower(&attempt->measures, attempt->options->vcs), high = low;
    enum anl_status status = try_colours(attempt, high);
    for (; status == ANL_ERR_STALLED && !gave_up(attempt); status = try_colours(attempt, high)) {
        low = high;
        high *= 2;
    }
    while (!status && low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;
        status = try_colours(attempt, middle);
        if (status == ANL_ERR_STALLED && gave_up(attempt)) return status;
        if (status && status != ANL_ERR_STALLED) return status;
        *(status ? &low : &high) = middle;
        status = ANL_OK;
    }
    // The last attempt may have failed: the colouring is then that of the last one that did not.
    return status;
}

static enum anl_status moser_tardos(struct attempt *attempt)
{
    return attempt->options->colours ? try_colours(attempt, attempt->options->colours)
                                     : find_least(attempt);
}

// --- refinement ---

// The colours of a step are packed before the next one, so that their numbers stay small.
static enum anl_status refine(struct attempt *attempt)
{
    const uint32_t vcs = attempt->options->vcs;
    double drawn_from = 1;
    enum anl_status status = ANL_OK;
    attempt->rng = anl_rng_seed(attempt->options->seed, 0);
    for (uint32_t before = attempt->measures.congestion; !status && before > vcs;) {
        const struct refinement step = refinement_of(before, attempt->measures.dilation, vcs);
        const double ways = ceil(step.ways);
        if (ways > UINT32_MAX) return ANL_ERR_ARGUMENT;
        uint32_t count;
        status = draw(attempt, (uint32_t)ways, step.most);
        if (!status) status = pack(attempt->colours, attempt->paths->messages, &count);
        drawn_from *= ways;
        before = step.most;
    }
    return status ? status : keep(attempt, drawn_from);
}

// --- the method that is asked for ---

static enum anl_status draw_colours(const struct anl_link_paths *paths,
                                    const struct anl_colour_options *options,
                                    struct anl_colouring *colouring)
{
    struct attempt attempt = {.paths = paths, .options = options, .colouring = colouring};
    attempt.colours = calloc((size_t)paths->messages + 1, sizeof *attempt.colours);
    enum anl_status status = attempt.colours ? ANL_OK : ANL_ERR_MEMORY;
    if (!status) status = anl_link_paths_measure(paths, &attempt.measures);
    if (!status) status = crossings_find(paths, &attempt.crossings);
    if (!status)
        status = options->method == ANL_MOSER_TARDOS ? moser_tardos(&attempt) : refine(&attempt);
    crossings_free(&attempt.crossings);
    free(attempt.colours);
    return status;
}

enum anl_status anl_colour(const struct anl_link_paths *paths,
                           const struct anl_colour_options *options,
                           struct anl_colouring *colouring)
{
    *colouring = (struct anl_colouring){0};
    if (options->vcs < 1 || options->vcs > ANL_COLOUR_MAX_VCS) return ANL_ERR_ARGUMENT;
    colouring->of = calloc((size_t)paths->messages + 1, sizeof *colouring->of);
    if (!colouring->of) return ANL_ERR_MEMORY;
    return options->method == ANL_FIRST_FIT ? first_fit(paths, options->vcs, colouring)
                                            : draw_colours(paths, options, colouring);
}

// --- the check: it counts, and shares nothing with the methods ---

enum anl_status anl_colour_check(const struct anl_link_paths *paths,
                                 const struct anl_colouring *colouring, uint32_t vcs,
                                 struct anl_colour_fault *fault)
{
    const size_t hops = paths->begin[paths->messages];
    struct place *places = malloc((hops + 1) * sizeof *places);  // link and colour of each hop
    if (!places) return ANL_ERR_MEMORY;
    *fault = (struct anl_colour_fault){0};
    for (uint32_t m = 0; m < paths->messages; m++)
        for (size_t i = paths->begin[m]; i < paths->begin[m + 1]; i++)
            places[i] = (struct place){((uint64_t)paths->on[i] << 32) | colouring->of[m], m};
    qsort(places, hops, sizeof *places, by_colour);
    for (size_t i = 0, first = 0; i < hops; i++) {
        if (places[i].colour != places[first].colour) {
            if (fault->found) break;
            first = i;
        }
        const size_t messages = i - first + 1;
        if (messages > vcs)
            *fault = (struct anl_colour_fault){true, (uint32_t)(places[i].colour >> 32),
                                               (uint32_t)places[i].colour, (uint32_t)messages};
    }
    free(places);
    return ANL_OK;
}
