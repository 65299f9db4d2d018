// SPDX-License-Identifier: Apache-2.0
//
// How many messages come through a butterfly that discards, where columns are random. The messages
// on the two input links of a node are independent, since they come from different inputs; each
// wants one of the two output links with probability 1/2, and at most B of them get one.

#include "cole_maggs_sitaraman.h"

#include <math.h>

enum { MOST = 2 * ANL_MAX_VCS };

static double choose(uint32_t n, uint32_t k)
{
    return exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0));
}

// Adds to next[] the messages that get one link, of `there` that have the probability p.
static void split(double *next, uint32_t vcs, uint32_t there, double p)
{
    for (uint32_t want = 0; want <= there; want++)
        next[want < vcs ? want : vcs] += p * choose(there, want) * pow(0.5, there);
}

double recursion_delivered(uint32_t links, uint32_t vcs, const double *load, uint32_t most)
{
    double on[ANL_MAX_VCS + 1] = {0}, mean = 0, offered = 0;
    for (uint32_t x = 0; x <= most; x++) {
        on[x < vcs ? x : vcs] += load[x];
        offered += x * load[x];
    }
    for (uint32_t level = 1; level < links; level++) {
        double both[MOST + 1] = {0}, next[ANL_MAX_VCS + 1] = {0};
        for (uint32_t a = 0; a <= vcs; a++)
            for (uint32_t b = 0; b <= vcs; b++)
                both[a + b] += on[a] * on[b];
        // A sum that is not quite 1 would be squared on every level.
        double sum = 0;
        for (uint32_t there = 0; there <= 2 * vcs; there++)
            sum += both[there];
        for (uint32_t there = 0; there <= 2 * vcs; there++)
            split(next, vcs, there, both[there] / sum);
        for (uint32_t x = 0; x <= vcs; x++)
            on[x] = next[x];
    }
    for (uint32_t x = 0; x <= vcs; x++)
        mean += x * on[x];
    return mean / offered;
}

double recursion_single(uint32_t levels, uint32_t vcs)
{
    const double load[] = {0.5, 0.5};
    return recursion_delivered(levels, vcs, load, 1);
}

// Of the q messages of an input each has the colour and wants the link with probability 1 / 2
// Delta.
double recursion_undelivered(uint32_t levels, uint32_t vcs, uint32_t q, uint32_t colours)
{
    enum { MOST_Q = 64 };
    const double p = 0.5 / colours;
    double load[MOST_Q + 1];
    const uint32_t most = q < MOST_Q ? q : MOST_Q;
    for (uint32_t x = 0; x <= most; x++)
        load[x] = choose(q, x) * pow(p, x) * pow(1 - p, q - x);
    return 1 - recursion_delivered(2 * levels, vcs, load, most);
}
