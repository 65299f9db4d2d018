// SPDX-License-Identifier: Apache-2.0
//
// First fit: each message, in order, takes the lowest colour that is open on all of its links. A
// link has a counter for each colour up to its highest one, and a bit for each colour that is
// closed, so that a message finds its colour by an OR over its links.

#include "colour.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BITS = 64 };

struct link {
    uint64_t *closed;  // [words] bit c: vcs messages of colour c cross it
    uint8_t *counts;   // [words * WORD_BITS]
    uint32_t words;
};

static enum anl_status reach(struct link *link, uint32_t colour)
{
    uint32_t words = link->words ? link->words : 1;
    while (colour >= words * WORD_BITS)
        words *= 2;
    if (words == link->words) return ANL_OK;
    uint64_t *closed = realloc(link->closed, words * sizeof *closed);
    if (closed) link->closed = closed;
    uint8_t *counts = realloc(link->counts, (size_t)words * WORD_BITS);
    if (counts) link->counts = counts;
    if (!closed || !counts) return ANL_ERR_MEMORY;
    memset(closed + link->words, 0, (words - link->words) * sizeof *closed);
    memset(counts + (size_t)link->words * WORD_BITS, 0, (size_t)(words - link->words) * WORD_BITS);
    link->words = words;
    return ANL_OK;
}

static uint32_t lowest_open(const struct link *links, const uint32_t *on, size_t count)
{
    for (uint32_t word = 0;; word++) {
        uint64_t closed = 0;
        for (size_t i = 0; i < count; i++)
            if (word < links[on[i]].words) closed |= links[on[i]].closed[word];
        if (~closed) return word * WORD_BITS + (uint32_t)__builtin_ctzll(~closed);
    }
}

static enum anl_status take(struct link *link, uint32_t colour, uint32_t vcs)
{
    const enum anl_status status = reach(link, colour);
    if (status) return status;
    if (++link->counts[colour] == vcs)
        link->closed[colour / WORD_BITS] |= UINT64_C(1) << colour % WORD_BITS;
    return ANL_OK;
}

enum anl_status first_fit(const struct anl_link_paths *paths, uint32_t vcs,
                          struct anl_colouring *colouring)
{
    struct link *links = calloc((size_t)paths->links + 1, sizeof *links);
    enum anl_status status = links ? ANL_OK : ANL_ERR_MEMORY;
    for (uint32_t m = 0; !status && m < paths->messages; m++) {
        const uint32_t *on = paths->on + paths->begin[m];
        const size_t count = paths->begin[m + 1] - paths->begin[m];
        const uint32_t colour = lowest_open(links, on, count);
        for (size_t i = 0; !status && i < count; i++)
            status = take(&links[on[i]], colour, vcs);
        colouring->of[m] = colour;
        if (colour >= colouring->count) colouring->count = colour + 1;
    }
    for (uint32_t l = 0; links && l < paths->links; l++) {
        free(links[l].closed);
        free(links[l].counts);
    }
    free(links);
    colouring->drawn_from = colouring->count;
    return status;
}
