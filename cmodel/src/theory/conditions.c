// SPDX-License-Identifier: Apache-2.0
//
// Checks the two conditions under which the theorems hold (section 2 of Greenberg and Oh): the
// dependency graph has no cycle, and no two paths part and meet again.

#include <annelid/theory.h>

#include <stdlib.h>
#include <string.h>

// --- cycles of the dependency graph ---

enum colour { WHITE, GREY, BLACK };

// The successors of channel u are next[first[u]] to next[first[u + 1] - 1], each as often as paths
// go there.
struct graph {
    uint32_t channels;
    size_t *first;
    uint32_t *next;
    // State of the depth-first search: the channels on the way, and how many successors of each
    // were visited.
    uint8_t *colour;
    uint32_t *way;
    size_t *seen;
    size_t depth;
};

static void graph_free(struct graph *graph)
{
    free(graph->first);
    free(graph->next);
    free(graph->colour);
    free(graph->way);
    free(graph->seen);
}

static enum anl_status graph_make(struct graph *graph, const struct anl_paths *paths)
{
    const uint32_t channels = paths->links * paths->num_vcs;
    *graph = (struct graph){
        .channels = channels,
        .first = calloc((size_t)channels + 2, sizeof *graph->first),
        .next = calloc(paths->num_hops + 1, sizeof *graph->next),
        .colour = calloc(channels, sizeof *graph->colour),
        .way = calloc(channels, sizeof *graph->way),
        .seen = calloc(channels, sizeof *graph->seen),
    };
    if (!graph->first || !graph->next || !graph->colour || !graph->way || !graph->seen)
        return ANL_ERR_MEMORY;

    size_t *fill = graph->first + 1;  // moves on to first[u + 1] as entries are added
    for (int counting = 1; counting >= 0; counting--) {
        for (uint32_t w = 0; w < paths->worms; w++)
            for (size_t i = paths->begin[w]; i + 1 < paths->begin[w + 1]; i++)
                if (counting)
                    fill[paths->channels[i] + 1]++;
                else
                    graph->next[fill[paths->channels[i]]++] = paths->channels[i + 1];
        for (uint32_t u = 1; counting && u < channels; u++)
            fill[u] += fill[u - 1];
    }
    return ANL_OK;
}

static void enter(struct graph *graph, uint32_t channel)
{
    graph->colour[channel] = GREY;
    graph->seen[channel] = graph->first[channel];
    graph->way[graph->depth++] = channel;
}

// Searches from root. Returns true if a channel on the way is met again, which is then *again.
static bool search(struct graph *graph, uint32_t root, uint32_t *again)
{
    enter(graph, root);
    while (graph->depth > 0) {
        const uint32_t u = graph->way[graph->depth - 1];
        if (graph->seen[u] == graph->first[u + 1]) {
            graph->colour[u] = BLACK;
            graph->depth--;
            continue;
        }
        const uint32_t v = graph->next[graph->seen[u]++];
        *again = v;
        if (graph->colour[v] == GREY) return true;
        if (graph->colour[v] == WHITE) enter(graph, v);
    }
    return false;
}

static enum anl_status copy_cycle(const struct graph *graph, uint32_t again, uint32_t **cycle,
                                  size_t *length)
{
    size_t from = graph->depth - 1;
    while (graph->way[from] != again)
        from--;
    *length = graph->depth - from;
    *cycle = malloc(*length * sizeof **cycle);
    if (!*cycle) return ANL_ERR_MEMORY;
    memcpy(*cycle, graph->way + from, *length * sizeof **cycle);
    return ANL_OK;
}

enum anl_status anl_paths_find_cycle(const struct anl_paths *paths, uint32_t **cycle,
                                     size_t *length)
{
    struct graph graph;
    uint32_t again = 0;
    bool found = false;
    enum anl_status status = graph_make(&graph, paths);
    *cycle = NULL;
    *length = 0;
    for (uint32_t u = 0; !status && !found && u < graph.channels; u++)
        found = graph.colour[u] == WHITE && search(&graph, u, &again);
    if (found) status = copy_cycle(&graph, again, cycle, length);
    graph_free(&graph);
    return status;
}

// --- two paths that meet twice ---

// One link is examined at a time. For each other link there are two marks: whether a path takes it
// before or behind the examined link. A mark has the link from which the path came and the worm; it
// is valid if it has the stamp of the examined link.
struct mark {
    uint32_t stamp, from, worm;
};
struct marks {
    struct mark *before, *behind;
};

static uint32_t link_at(const struct anl_paths *paths, size_t i)
{
    return paths->channels[i] / paths->num_vcs;
}

// Follows a worm from position i. All paths that share the link at i and a later one must come to
// the later one from the same link; by induction they are then the same in between. Returns false,
// and fills *meeting, if a path differs.
static bool follow(const struct anl_paths *paths, uint32_t worm, size_t i, struct marks *marks,
                   struct anl_paths_meeting *meeting)
{
    const uint32_t start = link_at(paths, i), stamp = start + 1;
    for (; i + 1 < paths->begin[worm + 1]; i++) {
        const uint32_t from = link_at(paths, i), link = link_at(paths, i + 1);
        const struct mark *before = &marks->before[link];
        struct mark *mark = &marks->behind[link];
        if (before->stamp == stamp) {
            *meeting = (struct anl_paths_meeting){true, true, {worm, before->worm}, start, link};
            return false;
        }
        if (mark->stamp == stamp && mark->from != from) {
            *meeting = (struct anl_paths_meeting){true, false, {mark->worm, worm}, start, link};
            return false;
        }
        *mark = (struct mark){stamp, from, worm};
    }
    return true;
}

static void mark_before(const struct anl_paths *paths, uint32_t worm, size_t i, struct marks *marks)
{
    const uint32_t stamp = link_at(paths, i) + 1;
    for (size_t j = paths->begin[worm]; j < i; j++)
        marks->before[link_at(paths, j)] = (struct mark){.stamp = stamp, .worm = worm};
}

// A path takes a link at this position in paths->channels.
struct visit {
    uint32_t link, worm;
    size_t position;
};

static int by_link(const void *a, const void *b)
{
    const struct visit *x = a, *y = b;
    if (x->link != y->link) return x->link < y->link ? -1 : 1;
    return (x->worm > y->worm) - (x->worm < y->worm);
}

static void fill_visits(const struct anl_paths *paths, struct visit *visits)
{
    size_t n = 0;
    for (uint32_t w = 0; w < paths->worms; w++)
        for (size_t i = paths->begin[w]; i < paths->begin[w + 1]; i++)
            visits[n++] = (struct visit){link_at(paths, i), w, i};
    qsort(visits, n, sizeof *visits, by_link);
}

// Examines a link; its visits are those from begin to end.
static void look_at_link(const struct anl_paths *paths, const struct visit *begin,
                         const struct visit *end, struct marks *marks,
                         struct anl_paths_meeting *meeting)
{
    for (const struct visit *visit = begin; visit < end; visit++)
        mark_before(paths, visit->worm, visit->position, marks);
    for (const struct visit *visit = begin; visit < end; visit++)
        if (!follow(paths, visit->worm, visit->position, marks, meeting)) return;
}

enum anl_status anl_paths_find_meeting(const struct anl_paths *paths,
                                       struct anl_paths_meeting *meeting)
{
    struct visit *visits = calloc(paths->num_hops + 1, sizeof *visits);
    struct marks marks = {calloc(paths->links, sizeof *marks.before),
                          calloc(paths->links, sizeof *marks.behind)};
    const bool memory = visits && marks.before && marks.behind;
    *meeting = (struct anl_paths_meeting){0};
    if (memory) fill_visits(paths, visits);
    for (size_t i = 0, end; memory && !meeting->found && i < paths->num_hops; i = end) {
        for (end = i; end < paths->num_hops && visits[end].link == visits[i].link;)
            end++;
        look_at_link(paths, visits + i, visits + end, &marks, meeting);
    }
    free(visits);
    free(marks.before);
    free(marks.behind);
    return memory ? ANL_OK : ANL_ERR_MEMORY;
}
