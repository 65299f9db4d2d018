// SPDX-License-Identifier: Apache-2.0

#include "colour.h"

#include <math.h>
#include <stdlib.h>

void anl_link_paths_free(struct anl_link_paths *paths)
{
    free(paths->begin);
    free(paths->on);
    *paths = (struct anl_link_paths){0};
}

enum anl_status anl_link_paths_measure(const struct anl_link_paths *paths,
                                       struct anl_link_measures *measures)
{
    uint32_t *messages = calloc((size_t)paths->links + 1, sizeof *messages);  // over each link
    if (!messages) return ANL_ERR_MEMORY;
    *measures = (struct anl_link_measures){0};
    for (uint32_t m = 0; m < paths->messages; m++) {
        const size_t length = paths->begin[m + 1] - paths->begin[m];
        if (length > measures->dilation) measures->dilation = (uint32_t)length;
        for (size_t i = paths->begin[m]; i < paths->begin[m + 1]; i++)
            if (++messages[paths->on[i]] > measures->congestion) measures->congestion++;
    }
    free(messages);
    return ANL_OK;
}

uint32_t anl_colour_lower(const struct anl_link_measures *measures, uint32_t vcs)
{
    return measures->congestion / vcs + (measures->congestion % vcs > 0);
}

// A message meets at most C - 1 others on each of its D links, and a colour is closed to it where B
// of them have it.
uint64_t anl_colour_first_fit_bound(const struct anl_link_measures *measures, uint32_t vcs)
{
    const uint64_t others = measures->congestion ? measures->congestion - 1 : 0;
    return measures->dilation * others / vcs + 1;
}

// --- Theorem 2.1.6 ---

// The logarithms of the paper are to base 2. The third case of the lemma makes a multiplex size
// smaller only above about 12,600; below that, a size above D is refined by the second case, whose
// proof needs no more than 4 ms D < D^5.
struct refinement refinement_of(uint32_t before, uint32_t dilation, uint32_t vcs)
{
    const double e = exp(1), ms = before, d = dilation > 2 ? dilation : 2;
    const double by_thirds = fmax(d, 15 * pow(log(ms), 3));
    if (ms <= log2(d)) return (struct refinement){3 * e * pow(d * ms, 1.0 / vcs) * ms / vcs, vcs};
    if (ms > d && by_thirds < ms)
        return (struct refinement){ms / ((1 - 1 / log(ms)) * by_thirds), (uint32_t)by_thirds};
    const uint32_t most = (uint32_t)log2(d);
    return (struct refinement){32 * e * ms / log2(d), most > vcs ? most : vcs};
}

double anl_colour_theorem(const struct anl_link_measures *measures, uint32_t vcs)
{
    double colours = 1;
    for (uint32_t before = measures->congestion; before > vcs;) {
        const struct refinement step = refinement_of(before, measures->dilation, vcs);
        colours *= step.ways;
        before = step.most;
    }
    return colours;
}
