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
    uint64_t links;               // of each path
    struct next *nexts;           // [primaries * (vcs + 1)]; link 0: none
    uint32_t *paths;              // [distinct * links]
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
    builder->paths[path * builder->links + builder->length[path]++] = link;
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

// Adds links of its own at the end of each path, up to the dilation that is asked for.
static void prolong(const struct builder *builder)
{
    struct anl_instance *instance = builder->instance;
    for (uint32_t path = 0; path < builder->how->distinct; path++) {
        uint32_t at = 2 * builder->last[path] + 1;
        while (builder->length[path] < builder->links) {
            append(builder, path, add_link(instance, at, instance->switches));
            at = instance->switches++;
        }
    }
}

// Gives each message its path.
static void copy_paths(const struct builder *builder)
{
    const struct anl_worst_case *how = builder->how;
    struct anl_link_paths *paths = &builder->instance->paths;
    const size_t length = builder->links;
    const uint32_t whole = how->distinct * how->copies;
    for (uint32_t m = 0; m < paths->messages; m++) {
        const uint32_t path = m >= whole         ? m - whole
                              : how->interleaved ? m % how->distinct
                                                 : m / how->copies;
        for (size_t i = 0; i < length; i++)
            paths->on[m * length + i] = builder->paths[path * length + i];
        paths->begin[m + 1] = (m + 1) * length;
    }
}

static enum anl_status build(struct builder *builder)
{
    const struct anl_worst_case *how = builder->how;
    struct anl_instance *instance = builder->instance;
    const size_t length = builder->links, slots = builder->primaries * (how->vcs + 1);
    const size_t links =
        builder->primaries + slots + how->distinct * (length + 1 - 2 * builder->on_path);
    builder->nexts = calloc(slots, sizeof *builder->nexts);
    builder->paths = calloc(how->distinct * length, sizeof *builder->paths);
    builder->last = calloc(how->distinct, sizeof *builder->last);
    builder->length = calloc(how->distinct, sizeof *builder->length);
    instance->switches = (uint32_t)(2 * builder->primaries);
    instance->from = calloc(links, sizeof *instance->from);
    instance->to = calloc(links, sizeof *instance->to);
    instance->paths.messages = how->distinct * how->copies + how->more;
    instance->paths.begin =
        calloc((size_t)instance->paths.messages + 1, sizeof *instance->paths.begin);
    instance->paths.on = calloc(instance->paths.messages * length, sizeof *instance->paths.on);
    if (!builder->nexts || !builder->paths || !builder->last || !builder->length ||
        !instance->from || !instance->to || !instance->paths.begin || !instance->paths.on)
        return ANL_ERR_MEMORY;
    const enum anl_status status = make_paths(builder);
    if (status) return status;
    prolong(builder);
    copy_paths(builder);
    return ANL_OK;
}

uint32_t anl_worst_case_links(const struct anl_worst_case *how)
{
    const uint64_t primaries = choose(how->distinct - 1, how->vcs);
    return primaries > ANL_WORST_MAX_LINKS ? UINT32_MAX : 2 * (uint32_t)primaries - 1;
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
    if (how->more > how->vcs)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "at most one message more for each lane");
    builder.primaries = choose(how->distinct, how->vcs + 1);
    builder.on_path = choose(how->distinct - 1, how->vcs);
    builder.links = how->dilation ? how->dilation : 2 * builder.on_path - 1;
    if (builder.links + 1 < 2 * builder.on_path)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "dilation %" PRIu32 ", expected at least %" PRIu64 " with %" PRIu32
                        " paths",
                        how->dilation, 2 * builder.on_path - 1, how->distinct);
    const double hops = ((double)how->distinct * how->copies + how->more) * (double)builder.links;
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
