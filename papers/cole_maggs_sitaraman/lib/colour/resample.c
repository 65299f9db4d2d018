// SPDX-License-Identifier: Apache-2.0
//
// The algorithm of Moser and Tardos: all messages draw a colour, and as long as a link has too many
// messages of one colour, exactly these draw again. It ends soon where the local lemma holds.

#include "colour.h"

#include <stdlib.h>

// Draws between two calls of go_on().
enum { BETWEEN_LOOKS = 256 };

enum anl_status crossings_find(const struct anl_link_paths *paths, struct crossings *crossings)
{
    const size_t hops = paths->begin[paths->messages];
    size_t *begin = calloc((size_t)paths->links + 2, sizeof *begin);
    uint32_t *on = malloc((hops + 1) * sizeof *on);
    *crossings = (struct crossings){begin, on};
    if (!begin || !on) return ANL_ERR_MEMORY;
    size_t *next = begin + 1;  // where the next message of a link goes
    for (size_t i = 0; i < hops; i++)
        if (paths->on[i] + 1 < paths->links) next[paths->on[i] + 1]++;
    for (uint32_t l = 1; l < paths->links; l++)
        next[l] += next[l - 1];
    for (uint32_t m = 0; m < paths->messages; m++)
        for (size_t i = paths->begin[m]; i < paths->begin[m + 1]; i++)
            on[next[paths->on[i]]++] = m;
    return ANL_OK;
}

void crossings_free(struct crossings *crossings)
{
    free(crossings->begin);
    free(crossings->on);
}

// The messages that are still to be looked at, each at most once.
struct heap {
    uint32_t *messages, count;
    bool *in;  // [messages]
};

static void push(struct heap *heap, uint32_t message)
{
    if (heap->in[message]) return;
    heap->in[message] = true;
    heap->messages[heap->count++] = message;
}

static void draw(const struct drawing *drawing, uint32_t message)
{
    uint64_t *colour = &drawing->colours[message];
    *colour -= *colour % drawing->ways;
    *colour += anl_rng_below(drawing->rng, drawing->ways);
}

// Returns how many messages of a colour cross a link.
static uint32_t count_of(const struct drawing *drawing, uint32_t link, uint64_t colour)
{
    const struct crossings *crossings = drawing->crossings;
    uint32_t count = 0;
    for (size_t i = crossings->begin[link]; i < crossings->begin[link + 1]; i++)
        count += drawing->colours[crossings->on[i]] == colour;
    return count;
}

static void draw_again(struct drawing *drawing, struct heap *heap, uint32_t link, uint64_t colour)
{
    const struct crossings *crossings = drawing->crossings;
    drawing->resamples++;
    for (size_t i = crossings->begin[link]; i < crossings->begin[link + 1]; i++) {
        if (drawing->colours[crossings->on[i]] != colour) continue;
        draw(drawing, crossings->on[i]);
        push(heap, crossings->on[i]);
    }
}

// Looks at the links of a message. If one of them has too many of its colour, the message is among
// those that draw again, and so it will be looked at once more.
static void look_at(struct drawing *drawing, struct heap *heap, uint32_t message)
{
    const struct anl_link_paths *paths = drawing->paths;
    const uint64_t colour = drawing->colours[message];
    for (size_t i = paths->begin[message]; i < paths->begin[message + 1]; i++)
        if (count_of(drawing, paths->on[i], colour) > drawing->most) {
            draw_again(drawing, heap, paths->on[i], colour);
            return;
        }
}

static enum anl_status settle(struct drawing *drawing, struct heap *heap)
{
    const struct anl_colour_options *options = drawing->options;
    for (uint64_t looks = 0; heap->count; looks++) {
        const uint32_t message = heap->messages[--heap->count];
        heap->in[message] = false;
        look_at(drawing, heap, message);
        if (drawing->resamples > options->resamples) return ANL_ERR_STALLED;
        if (looks % BETWEEN_LOOKS == 0 && options->go_on && !options->go_on(options->user))
            return ANL_ERR_STALLED;
    }
    return ANL_OK;
}

enum anl_status resample(struct drawing *drawing)
{
    const uint32_t messages = drawing->paths->messages;
    struct heap heap = {malloc((messages + 1) * sizeof *heap.messages), 0,
                        calloc((size_t)messages + 1, sizeof *heap.in)};
    enum anl_status status = heap.messages && heap.in ? ANL_OK : ANL_ERR_MEMORY;
    for (uint32_t m = 0; !status && m < messages; m++) {
        drawing->colours[m] = drawing->colours[m] * drawing->ways;
        draw(drawing, m);
    }
    for (uint32_t m = messages; !status && m > 0; m--)
        push(&heap, m - 1);
    if (!status) status = settle(drawing, &heap);
    free(heap.messages);
    free(heap.in);
    return status;
}
