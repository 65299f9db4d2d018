// SPDX-License-Identifier: Apache-2.0
//
// The network of Theorem 2.2.1. Each set of B + 1 of the M' paths has a link of its own, a primary
// one, which leads from switch 2 e to 2 e + 1 for the e-th set in lexicographic order. A path takes
// its primary links in this order, and a secondary link from each of them to the next, which it
// shares with the paths that have both of them one behind the other. The one order of all primary
// links keeps the paths from closing a circle.

#include "colour.h"

#include <inttypes.h>
#include <stdlib.h>

// The secondary links out of a primary one: at most one for each of its paths.
struct next {
    uint32_t to, link;  // the primary link behind it; its own number
};

struct builder {
    const struct anl_worst_case *how;
    uint64_t primaries, on_path;  // of all paths, and of each
    struct next *nexts;           // [primaries * (vcs + 1)]; link 0: none
    uint32_t *paths;              // [distinct * (2 * on_path - 1)]
    uint32_t *last;               // [distinct] the primary link at which each path is; UINT32_MAX
    uint64_t *length;             // [distinct] links of each path so far
    struct anl_instance *instance;
};

// Returns n over k, and a number above the limit of links if it is larger than that.
static uint64_t choose(uint32_t n, uint32_t k)
{
    uint64_t value = 1;
    for (uint32_t i = 1; i <= k && i <= n; i++) {
        value = value * (n - k + i) / i;
        if (value > ANL_WORST_MAX_LINKS) return ANL_WORST_MAX_LINKS + 1;
    }
    return k > n ? 0 : value;
}

static uint32_t add_link(struct anl_instance *instance, uint32_t from, uint32_t to)
{
    instance->from[instance->paths.links] = from;
    instance->to[instance->paths.links] = to;
    return instance->paths.links++;
}

// Returns the secondary link from a primary one to another, which is made if it is not there.
static uint32_t secondary(const struct builder *builder, uint32_t e, uint32_t to)
{
    struct next *next = builder->nexts + (size_t)e * (builder->how->vcs + 1);
    while (next->link && next->to != to)
        next++;
    if (!next->link) *next = (struct next){to, add_link(builder->instance, 2 * e + 1, 2 * to)};
    return next->link;
}

static void append(const struct builder *builder, uint32_t path, uint32_t link)
{
    builder->paths[path * (2 * builder->on_path - 1) + builder->length[path]++] = link;
}

// Lets a path go on to primary link e.
static void lead(const struct builder *builder, uint32_t path, uint32_t e)
{
    if (builder->length[path]) append(builder, path, secondary(builder, builder->last[path], e));
    append(builder, path, e);
    builder->last[path] = e;
}

// Advances a set of `size` numbers below `below` to the next one in lexicographic order.
static void advance(uint32_t *set, uint32_t size, uint32_t below)
{
    uint32_t i = size - 1;
    while (i > 0 && set[i] == below - size + i)
        i--;
    set[i]++;
    for (i++; i < size; i++)
        set[i] = set[i - 1] + 1;
}

static enum anl_status make_paths(const struct builder *builder)
{
    const uint32_t size = builder->how->vcs + 1;
    uint32_t *set = malloc(size * sizeof *set);
    if (!set) return ANL_ERR_MEMORY;
    for (uint32_t i = 0; i < size; i++)
        set[i] = i;
    for (uint32_t e = 0; e < builder->primaries; e++)
        add_link(builder->instance, 2 * e, 2 * e + 1);
    for (uint32_t e = 0; e < builder->primaries; e++) {
        for (uint32_t i = 0; i < size; i++)
            lead(builder, set[i], e);
        if (e + 1 < builder->primaries) advance(set, size, builder->how->distinct);
    }
    free(set);
    return ANL_OK;
}

// Gives each message its path.
static void copy_paths(const struct builder *builder)
{
    const struct anl_worst_case *how = builder->how;
    struct anl_link_paths *paths = &builder->instance->paths;
    const size_t length = 2 * builder->on_path - 1;
    for (uint32_t m = 0; m < paths->messages; m++) {
        const uint32_t path = how->interleaved ? m % how->distinct : m / how->copies;
        for (size_t i = 0; i < length; i++)
            paths->on[m * length + i] = builder->paths[path * length + i];
        paths->begin[m + 1] = (m + 1) * length;
    }
}

static enum anl_status build(struct builder *builder)
{
    const struct anl_worst_case *how = builder->how;
    struct anl_instance *instance = builder->instance;
    const size_t length = 2 * builder->on_path - 1, slots = builder->primaries * (how->vcs + 1);
    builder->nexts = calloc(slots, sizeof *builder->nexts);
    builder->paths = calloc(how->distinct * length, sizeof *builder->paths);
    builder->last = calloc(how->distinct, sizeof *builder->last);
    builder->length = calloc(how->distinct, sizeof *builder->length);
    instance->switches = (uint32_t)(2 * builder->primaries);
    instance->from = calloc(builder->primaries + slots, sizeof *instance->from);
    instance->to = calloc(builder->primaries + slots, sizeof *instance->to);
    instance->paths.messages = how->distinct * how->copies;
    instance->paths.begin =
        calloc((size_t)instance->paths.messages + 1, sizeof *instance->paths.begin);
    instance->paths.on = calloc(instance->paths.messages * length, sizeof *instance->paths.on);
    if (!builder->nexts || !builder->paths || !builder->last || !builder->length ||
        !instance->from || !instance->to || !instance->paths.begin || !instance->paths.on)
        return ANL_ERR_MEMORY;
    const enum anl_status status = make_paths(builder);
    if (!status) copy_paths(builder);
    return status;
}

enum anl_status anl_worst_case_make(const struct anl_worst_case *how, struct anl_instance *instance,
                                    struct anl_error *error)
{
    struct builder builder = {.how = how, .instance = instance};
    *instance = (struct anl_instance){0};
    if (how->vcs < 1 || how->vcs > ANL_COLOUR_MAX_VCS || how->copies < 1)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "at least one lane and one copy");
    if (how->distinct <= how->vcs)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "%" PRIu32 " paths, expected more than the %" PRIu32 " lanes",
                        how->distinct, how->vcs);
    builder.primaries = choose(how->distinct, how->vcs + 1);
    builder.on_path = choose(how->distinct - 1, how->vcs);
    const double hops = 2.0 * how->distinct * how->copies * (double)builder.on_path;
    if (builder.primaries > ANL_WORST_MAX_LINKS || hops > ANL_WORST_MAX_LINKS)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "the paths would have more than %d links in all", ANL_WORST_MAX_LINKS);
    const enum anl_status status = build(&builder);
    free(builder.nexts);
    free(builder.paths);
    free(builder.last);
    free(builder.length);
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}
