// SPDX-License-Identifier: Apache-2.0
//
// Puts the switches of a graph in rows: the root of up_down alone at the top, below it the switches
// that are one link away, then those that are two away, and so on. So each link leads to the next
// row or stays in its own. In a row, switches are moved towards the middle of those that they are
// linked to, above and below in turn, so that fewer links cross.

#include "layout.h"

#include <stdlib.h>

enum { SWEEPS = 13 };  // the last one goes down, as trees need it

#define NO_ROW UINT32_MAX

// --- which row ---

static uint32_t root_of(const struct routes *routes, uint32_t switches, uint32_t *links)
{
    uint32_t root = 0;
    for (size_t i = 0; i < routes->count; i++) {
        const struct route *route = &routes->route[i];
        if (route->node[0] == route->node[1]) continue;
        links[route->node[0]]++;
        links[route->node[1]] += route->opposite != UINT32_MAX;
    }
    for (uint32_t s = 1; s < switches; s++)
        if (links[s] > links[root]) root = s;
    return root;
}

static bool lower(uint32_t *row, uint32_t a, uint32_t b)
{
    if (row[b] == NO_ROW || (row[a] != NO_ROW && row[a] <= row[b] + 1)) return false;
    row[a] = row[b] + 1;
    return true;
}

static void spread(const struct routes *routes, uint32_t *row)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < routes->count; i++) {
            const uint32_t *node = routes->route[i].node;
            changed |= lower(row, node[0], node[1]) || lower(row, node[1], node[0]);
        }
    }
}

// A part of the graph that no link joins to the root has a root of its own in the first row.
static void choose_rows(const struct routes *routes, struct layout_rows *rows, uint32_t root)
{
    for (uint32_t s = 0; s < rows->switches; s++)
        rows->row[s] = NO_ROW;
    rows->row[root] = 0;
    spread(routes, rows->row);
    for (uint32_t s = 0; s < rows->switches; s++) {
        if (rows->row[s] != NO_ROW) continue;
        rows->row[s] = 0;
        spread(routes, rows->row);
    }
    for (uint32_t s = 0; s < rows->switches; s++)
        if (rows->row[s] >= rows->count) rows->count = rows->row[s] + 1;
}

// --- which place in the row ---

static int by_row_and_place(const void *a, const void *b)
{
    const struct row_place *x = a, *y = b;
    if (x->row != y->row) return x->row < y->row ? -1 : 1;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

// Sorts the switches and gives each in its row the places 0.5, 1.5, … divided by their number.
static void put_in_order(struct layout_rows *rows)
{
    qsort(rows->order, rows->switches, sizeof *rows->order, by_row_and_place);
    for (uint32_t i = 0, first = 0; i < rows->switches; i++) {
        const uint32_t row = rows->order[i].row;
        if (i + 1 < rows->switches && rows->order[i + 1].row == row) continue;
        for (uint32_t j = first; j <= i; j++) {
            rows->order[j].place = (j - first + 0.5) / (i + 1 - first);
            rows->place[rows->order[j].node] = rows->order[j].place;
        }
        first = i + 1;
    }
}

// Moves the switches of a row to the middle of those in the row `from` that they are linked to.
static void move_row(const struct routes *routes, struct layout_rows *rows, uint32_t row,
                     uint32_t from)
{
    for (uint32_t i = 0; i < rows->switches; i++)
        rows->sum[i] = rows->links[i] = 0;
    for (size_t i = 0; i < routes->count; i++)
        for (int e = 0; e < 2; e++) {
            const uint32_t here = routes->route[i].node[e], there = routes->route[i].node[!e];
            if (rows->row[here] != row || rows->row[there] != from) continue;
            rows->sum[here] += rows->place[there];
            rows->links[here]++;
        }
    for (uint32_t i = 0; i < rows->switches; i++) {
        struct row_place *at = &rows->order[i];
        if (at->row == row && rows->links[at->node])
            at->place = rows->sum[at->node] / rows->links[at->node];
    }
    put_in_order(rows);
}

static void untangle(const struct routes *routes, struct layout_rows *rows)
{
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (uint32_t i = 1; i < rows->count; i++)
            if (sweep % 2 == 0)
                move_row(routes, rows, i, i - 1);
            else
                move_row(routes, rows, rows->count - 1 - i, rows->count - i);
}

enum anl_status rows_find(const struct routes *routes, uint32_t switches, struct layout_rows *rows)
{
    *rows = (struct layout_rows){.switches = switches,
                                 .row = calloc(switches, sizeof *rows->row),
                                 .order = calloc(switches, sizeof *rows->order),
                                 .place = calloc(switches, sizeof *rows->place),
                                 .sum = calloc(switches, sizeof *rows->sum),
                                 .links = calloc(switches, sizeof *rows->links)};
    if (!rows->row || !rows->order || !rows->place || !rows->sum || !rows->links) {
        rows_free(rows);
        return ANL_ERR_MEMORY;
    }
    choose_rows(routes, rows, root_of(routes, switches, rows->links));
    for (uint32_t s = 0; s < switches; s++)
        rows->order[s] = (struct row_place){.node = s, .row = rows->row[s]};
    put_in_order(rows);
    untangle(routes, rows);
    return ANL_OK;
}

void rows_free(struct layout_rows *rows)
{
    free(rows->row);
    free(rows->order);
    free(rows->place);
    free(rows->sum);
    free(rows->links);
    *rows = (struct layout_rows){0};
}
