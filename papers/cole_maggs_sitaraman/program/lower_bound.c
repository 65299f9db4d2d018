// SPDX-License-Identifier: Apache-2.0
//
// The lower bound for one pass (section 3.2): balls in bins, sets of messages that do not collide,
// and messages that arrive together.

#include "cole_maggs_sitaraman.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

// --- Lemma 3.2.3 ---

// none[m] receives the probability that no bin has more than B of m balls, for m <= n. It is m! /
// n^m times the coefficient of x^m in (1 + x + ... + x^B / B!)^n, and that coefficient follows from
// those before.
static void no_full_bin(uint32_t vcs, uint32_t n, double *none)
{
    none[0] = 1;
    for (uint32_t m = 1; m <= n; m++) {
        double weight = 1;  // m! / (m - j)! / n^j / j!
        none[m] = 0;
        for (uint32_t j = 1; j <= vcs && j <= m; j++) {
            weight *= (m + 1.0 - j) / n / j;
            none[m] += ((n + 1.0) * j - m) * weight * none[m - j] / m;
        }
    }
}

enum anl_status balls_alpha(uint32_t vcs, uint32_t most, double *alpha)
{
    double *none = calloc((size_t)most + 1, sizeof *none);
    if (!none) return ANL_ERR_MEMORY;
    *alpha = HUGE_VAL;
    for (uint32_t n = 2; n <= most; n *= 2) {
        no_full_bin(vcs, n, none);
        for (uint32_t m = vcs + 1; m <= n; m++)
            *alpha = fmin(*alpha,
                          -log(none[m]) * pow(2.0 * vcs * n, vcs + 1.0) * vcs / pow(m, vcs + 2.0));
    }
    free(none);
    return ANL_OK;
}

// --- Theorem 3.2.5 ---

// Adds the links of a message if none of them has B messages; returns whether.
static bool add(const struct anl_link_paths *paths, uint8_t *on, uint32_t message, uint32_t vcs)
{
    for (size_t i = paths->begin[message]; i < paths->begin[message + 1]; i++)
        if (on[paths->on[i]] == vcs) return false;
    for (size_t i = paths->begin[message]; i < paths->begin[message + 1]; i++)
        on[paths->on[i]]++;
    return true;
}

// Returns how many messages are taken, one after another in a random order, if none may collide.
static uint32_t take(const struct anl_link_paths *paths, uint8_t *on, uint32_t *order, uint32_t vcs,
                     struct anl_rng *rng)
{
    uint32_t taken = 0;
    for (uint32_t m = 0; m < paths->messages; m++) {
        const uint32_t other = anl_rng_below(rng, m + 1);
        order[m] = order[other];
        order[other] = m;
    }
    for (uint32_t l = 0; l < paths->links; l++)
        on[l] = 0;
    for (uint32_t m = 0; m < paths->messages; m++)
        taken += add(paths, on, order[m], vcs);
    return taken;
}

enum anl_status largest_apart(const struct experiment *how, uint32_t trials, double *part)
{
    struct anl_instance instance;
    struct anl_rng rng = anl_rng_seed(1, 3);
    const double log = how->size, q = how->x, n = ldexp(1, (int)how->size), vcs = how->vcs;
    const double s = 3 * vcs * n * pow(log2(q * log), 2 / vcs) / pow(log, 1 / (vcs + 1));
    enum anl_status status = butterfly_make(how->size, how->x, 1, &instance);
    uint8_t *on = status ? NULL : calloc(instance.paths.links, sizeof *on);
    uint32_t *order = status ? NULL : calloc(instance.paths.messages, sizeof *order);
    if (!status && (!on || !order)) status = ANL_ERR_MEMORY;
    *part = 0;
    for (uint32_t trial = 0; !status && trial < trials; trial++)
        *part = fmax(*part, take(&instance.paths, on, order, how->vcs, &rng) / s);
    free(on);
    free(order);
    anl_instance_free(&instance);
    return status;
}

// --- Theorems 3.2.1 and 3.2.6 ---

struct arrival {
    uint64_t cycle;
    uint32_t message;
};

static int compare(const void *a, const void *b)
{
    const struct arrival *first = a, *second = b;
    return (first->cycle > second->cycle) - (first->cycle < second->cycle);
}

// Returns the most messages that arrive within `length` steps; 0 if more than B of such messages
// use a link. Messages enter the window as they arrive, and leave it `length` steps later.
static uint32_t most_together(const struct anl_link_paths *paths, const struct arrival *arrivals,
                              uint8_t *on, uint32_t length, uint32_t vcs)
{
    uint32_t most = 0;
    for (uint32_t first = 0, m = 0; m < paths->messages; m++) {
        for (; arrivals[first].cycle + length <= arrivals[m].cycle; first++)
            for (size_t i = paths->begin[arrivals[first].message];
                 i < paths->begin[arrivals[first].message + 1]; i++)
                on[paths->on[i]]--;
        if (!add(paths, on, arrivals[m].message, vcs)) return 0;
        if (m + 1 - first > most) most = m + 1 - first;
    }
    return most;
}

static enum anl_status together(const struct anl_link_paths *paths, const uint64_t *delivered,
                                const struct how_to_run *how, uint32_t *most)
{
    struct arrival *arrivals = calloc(paths->messages, sizeof *arrivals);
    uint8_t *on = calloc(paths->links, sizeof *on);
    const bool enough = arrivals && on;
    for (uint32_t m = 0; enough && m < paths->messages; m++)
        arrivals[m] = (struct arrival){delivered[m], m};
    if (enough) qsort(arrivals, paths->messages, sizeof *arrivals, compare);
    if (enough) *most = most_together(paths, arrivals, on, how->length, how->lanes);
    free(arrivals);
    free(on);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status one_pass_time(const struct results *results, const struct experiment *how,
                              uint64_t seed, double *value, struct anl_error *error)
{
    const double log = how->size, q = how->x, vcs = how->vcs;
    struct anl_instance instance;
    struct run run = {0};
    uint32_t most = 0;
    char name[64];
    snprintf(name, sizeof name, "%s-%" PRIu32 "-%" PRIu32 "-b%" PRIu32, how->texts[0], how->size,
             how->x, how->vcs);
    enum anl_status status = cli_fail(butterfly_make(how->size, how->x, seed, &instance), error);
    uint64_t *delivered = status ? NULL : calloc(instance.paths.messages, sizeof *delivered);
    const struct how_to_run runs = {.directory = results->directory,
                                    .name = name,
                                    .lanes = how->vcs,
                                    .link = LINK_WIDE,
                                    .length = (uint16_t)how->size,
                                    .delivered = delivered};
    if (!status && !delivered) status = cli_fail(ANL_ERR_MEMORY, error);
    if (!status) status = simulate(&instance, &runs, &run, error);
    if (!status) status = cli_fail(together(&instance.paths, delivered, &runs, &most), error);
    if (!status)
        *value = how->kind == EXPERIMENT_TIME
                     ? (double)run.steps * vcs / (log * q * pow(log, 1 / vcs))
                     : most * (double)run.steps / (instance.paths.messages * log);
    free(delivered);
    anl_instance_free(&instance);
    return status;
}
