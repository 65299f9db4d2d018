// SPDX-License-Identifier: Apache-2.0
//
// The multistage method for given paths on any graph. Two worms meet on a link if their heads come
// to it less than k steps apart. So each link that a worm shares with another one forbids it 2 k -
// 1 starts; and links that the other one reaches later by the same number of steps forbid the same
// starts. Each such number is a meeting of the two.

#include "schedule.h"

#include <stdlib.h>
#include <string.h>

// What crosses each link: entries first[link] .. first[link + 1] - 1.
struct index {
    uint32_t *first;   // [links + 1]
    uint32_t *worms;   // [length of all paths]
    uint32_t *places;  // [the same] where the link is in the path of the worm
};

static uint32_t length_of(const struct anl_given_paths *paths, uint32_t worm)
{
    return paths->first[worm + 1] - paths->first[worm];
}

static const uint32_t *path_of(const struct anl_given_paths *paths, uint32_t worm)
{
    return paths->of + paths->first[worm];
}

static void index_free(struct index *index)
{
    free(index->first);
    free(index->worms);
    free(index->places);
}

static enum anl_status index_make(const struct anl_given_paths *paths, struct index *index)
{
    const size_t all = paths->first[paths->worms];
    *index = (struct index){.first = calloc(paths->links + 2, sizeof *index->first),
                            .worms = calloc(all + 1, sizeof *index->worms),
                            .places = calloc(all + 1, sizeof *index->places)};
    if (!index->first || !index->worms || !index->places) return ANL_ERR_MEMORY;
    uint32_t *next = index->first + 1;  // next[link] becomes first[link + 1]
    for (size_t i = 0; i < all; i++)
        next[paths->of[i] + 1]++;
    for (uint32_t link = 0; link < paths->links; link++)
        next[link + 1] += next[link];
    for (uint32_t worm = 0; worm < paths->worms; worm++)
        for (uint32_t place = 0; place < length_of(paths, worm); place++) {
            const uint32_t at = next[path_of(paths, worm)[place]]++;
            index->worms[at] = worm;
            index->places[at] = place;
        }
    return ANL_OK;
}

enum anl_status anl_given_paths_check(const struct anl_given_paths *paths, struct anl_error *error)
{
    uint32_t *last = malloc((paths->links + 1) * sizeof *last);  // worm that had the link last
    if (!last) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    memset(last, 0xff, (paths->links + 1) * sizeof *last);  // ANL_NO_NODE
    enum anl_status status = ANL_OK;
    for (uint32_t worm = 0; worm < paths->worms && !status; worm++)
        for (uint32_t place = 0; place < length_of(paths, worm) && !status; place++) {
            const uint32_t link = path_of(paths, worm)[place];
            if (link >= paths->links)
                status =
                    anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "worm %u: link %u, expected %s %u",
                             worm, link, "a number below", paths->links);
            else if (last[link] == worm)
                status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                                  "worm %u: link %u again, expected each link once", worm, link);
            else
                last[link] = worm;
        }
    free(last);
    return status;
}

// --- orders ---

struct ranked {
    uint32_t key, worm;
};

static int by_key(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->worm < y->worm ? -1 : x->worm > y->worm;
}

enum anl_status anl_given_paths_order(const struct anl_given_paths *paths, enum anl_order order,
                                      uint32_t *worms)
{
    if (order != ANL_ORDER_ROW_MAJOR && order != ANL_ORDER_LONGEST && order != ANL_ORDER_SHORTEST)
        return ANL_ERR_ARGUMENT;
    struct ranked *ranked = calloc(paths->worms + 1, sizeof *ranked);
    if (!ranked) return ANL_ERR_MEMORY;
    for (uint32_t worm = 0; worm < paths->worms; worm++) {
        const uint32_t length = length_of(paths, worm);
        ranked[worm] = (struct ranked){order == ANL_ORDER_ROW_MAJOR  ? 0
                                       : order == ANL_ORDER_SHORTEST ? length
                                                                     : UINT32_MAX - length,
                                       order == ANL_ORDER_SHORTEST ? paths->worms - worm : worm};
    }
    qsort(ranked, paths->worms, sizeof *ranked, by_key);
    for (uint32_t i = 0; i < paths->worms; i++)
        worms[i] = order == ANL_ORDER_SHORTEST ? paths->worms - ranked[i].worm : ranked[i].worm;
    free(ranked);
    return ANL_OK;
}

// --- the scheduler ---

// The steps in which heads cross a link, ascending; room for all worms over it.
struct line {
    uint32_t *steps;
    uint32_t count;
};

// Returns where the first step that is larger than `step` - k is.
static uint32_t first_near(const struct line *line, uint32_t step, uint32_t k)
{
    uint32_t low = 0, high = line->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (line->steps[middle] + k > step)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Returns the least start, from `start` on, that no worm over the link at this place forbids.
static uint32_t pass_line(const struct line *line, uint32_t place, uint32_t k, uint32_t start)
{
    uint32_t at = first_near(line, start + place, k);
    for (; at < line->count && line->steps[at] < start + place + k; at++)
        start = line->steps[at] + k - place;
    return start;
}

static void enter_line(struct line *line, uint32_t step)
{
    uint32_t at = line->count++;
    for (; at > 0 && line->steps[at - 1] > step; at--)
        line->steps[at] = line->steps[at - 1];
    line->steps[at] = step;
}

static uint32_t place_worm(const struct anl_given_paths *paths, uint32_t k, uint32_t worm,
                           struct line *lines)
{
    const uint32_t *path = path_of(paths, worm), length = length_of(paths, worm);
    uint32_t start = 1, before = 0;
    while (start != before) {
        before = start;
        for (uint32_t place = 0; place < length; place++)
            start = pass_line(&lines[path[place]], place, k, start);
    }
    for (uint32_t place = 0; place < length; place++)
        enter_line(&lines[path[place]], start + place);
    return start;
}

enum anl_status anl_given_paths_schedule(const struct anl_given_paths *paths, uint32_t k,
                                         const uint32_t *order, uint32_t *starts,
                                         struct anl_schedule *schedule)
{
    struct index index;
    struct line *lines = calloc(paths->links + 1, sizeof *lines);
    enum anl_status status = index_make(paths, &index);
    *schedule = (struct anl_schedule){0};
    if (!lines) status = ANL_ERR_MEMORY;
    for (uint32_t link = 0; link < paths->links && !status; link++)
        lines[link].steps = index.worms + index.first[link];  // its worms are not needed
    for (uint32_t i = 0; i < paths->worms && !status; i++) {
        const uint32_t worm = order[i];
        starts[worm] = place_worm(paths, k, worm, lines);
        schedule_count(schedule, length_of(paths, worm), k, starts[worm]);
    }
    index_free(&index);
    free(lines);
    return status;
}

// --- bounds ---

// Another worm, and by how many steps it is later on a link if both start at the same time.
struct meeting {
    uint32_t worm;
    int32_t later;
};

static int by_worm(const void *a, const void *b)
{
    const struct meeting *x = a, *y = b;
    if (x->worm != y->worm) return x->worm < y->worm ? -1 : 1;
    return x->later < y->later ? -1 : x->later > y->later;
}

// Returns how many meetings a worm can have. list has room for all worms over its links.
static uint32_t count_meetings(const struct anl_given_paths *paths, const struct index *index,
                               uint32_t worm, struct meeting *list)
{
    uint32_t count = 0, different = 0;
    for (uint32_t place = 0; place < length_of(paths, worm); place++) {
        const uint32_t link = path_of(paths, worm)[place];
        for (uint32_t i = index->first[link]; i < index->first[link + 1]; i++)
            if (index->worms[i] != worm)
                list[count++] =
                    (struct meeting){index->worms[i], (int32_t)index->places[i] - (int32_t)place};
    }
    qsort(list, count, sizeof *list, by_worm);
    for (uint32_t i = 0; i < count; i++)
        different += i == 0 || by_worm(&list[i - 1], &list[i]) != 0;
    return different;
}

static void larger(uint64_t *most, uint64_t value)
{
    if (value > *most) *most = value;
}

static enum anl_status bound_worms(const struct anl_given_paths *paths, const struct index *index,
                                   uint32_t k, struct anl_given_paths_bounds *bounds)
{
    for (uint32_t worm = 0; worm < paths->worms; worm++) {
        const uint32_t length = length_of(paths, worm);
        if (length == 0) continue;
        if (length > bounds->dilation) bounds->dilation = length;
        struct meeting *list = calloc((size_t)length * bounds->congestion, sizeof *list);
        if (!list) return ANL_ERR_MEMORY;
        const uint32_t meetings = count_meetings(paths, index, worm, list);
        const uint64_t start = 1 + (uint64_t)meetings * (2 * k - 1);
        free(list);
        if (meetings > bounds->meetings) bounds->meetings = meetings;
        larger(&bounds->start, start);
        larger(&bounds->makespan, start + length + k - 2);
        larger(&bounds->lower, (uint64_t)length + k - 1);
    }
    return ANL_OK;
}

static enum anl_status bound_links(const struct anl_given_paths *paths, const struct index *index,
                                   uint32_t k, struct anl_given_paths_bounds *bounds)
{
    struct crossing *crossings = calloc(bounds->congestion + 1, sizeof *crossings);
    uint32_t *tails = calloc(bounds->congestion + 1, sizeof *tails);
    for (uint32_t link = 0; link < paths->links && crossings && tails; link++) {
        const uint32_t first = index->first[link], count = index->first[link + 1] - first;
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t head = index->places[first + i];
            crossings[i] =
                (struct crossing){head, length_of(paths, index->worms[first + i]) - 1 - head};
        }
        larger(&bounds->lower, bound_of_link(crossings, count, k, tails));
    }
    const bool enough = crossings && tails;
    free(crossings);
    free(tails);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}

enum anl_status anl_given_paths_bounds(const struct anl_given_paths *paths, uint32_t k,
                                       struct anl_given_paths_bounds *bounds)
{
    struct index index;
    enum anl_status status = index_make(paths, &index);
    *bounds = (struct anl_given_paths_bounds){0};
    for (uint32_t link = 0; link < paths->links && !status; link++)
        if (index.first[link + 1] - index.first[link] > bounds->congestion)
            bounds->congestion = index.first[link + 1] - index.first[link];
    if (!status) status = bound_worms(paths, &index, k, bounds);
    if (!status) status = bound_links(paths, &index, k, bounds);
    index_free(&index);
    return status;
}

// --- the check ---

// What crosses a link in the step that is made.
struct use {
    uint32_t step, worm;
};

// Moves all flits of a worm in a step. Returns false if one of them wants a link that is taken.
static bool step_worm(const struct anl_given_paths *paths, uint32_t k, uint32_t start,
                      struct use now, struct use *uses, struct anl_given_paths_clash *clash)
{
    const uint32_t length = length_of(paths, now.worm);
    for (uint32_t flit = 0; flit < k && start + flit <= now.step; flit++) {
        const uint32_t place = now.step - start - flit;
        if (place >= length) continue;
        struct use *use = &uses[path_of(paths, now.worm)[place]];
        if (use->step == now.step) {
            *clash = (struct anl_given_paths_clash){
                now.step, path_of(paths, now.worm)[place], {use->worm, now.worm}};
            return false;
        }
        *use = now;
    }
    return true;
}

enum anl_status anl_given_paths_run(const struct anl_given_paths *paths, uint32_t k,
                                    const uint32_t *starts, struct anl_given_paths_clash *clash)
{
    struct use *uses = calloc(paths->links + 1, sizeof *uses);
    uint32_t last = 0;
    *clash = (struct anl_given_paths_clash){0};
    if (!uses) return ANL_ERR_MEMORY;
    for (uint32_t worm = 0; worm < paths->worms; worm++)
        if (starts[worm] + length_of(paths, worm) + k > last)
            last = starts[worm] + length_of(paths, worm) + k;
    bool good = true;
    for (uint32_t step = 1; step < last && good; step++)
        for (uint32_t worm = 0; worm < paths->worms && good; worm++)
            if (starts[worm] <= step && step < starts[worm] + length_of(paths, worm) + k)
                good = step_worm(paths, k, starts[worm], (struct use){step, worm}, uses, clash);
    free(uses);
    return ANL_OK;
}
