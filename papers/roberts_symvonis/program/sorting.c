// SPDX-License-Identifier: Apache-2.0
//
// A packet algorithm with O(N) supersteps and queues of at most four worms. It sorts the worms by
// the columns to which they go, into the snake through the columns of the mesh; then it routes them
// along rows, then along columns. papers/roberts_symvonis/README.md has the proof.
//
// A superstep compares neighbours without looking into another node: where two nodes are compared,
// one of them has the worms of both, and sends the smaller one back and the larger one on. A place
// without a worm counts as larger than all.

#include "snakes.h"

#include <string.h>

// A node's place in a line of nodes, and the ports along it.
struct line {
    uint32_t index, length, back, forth;
};

// A node's place in its block, and how many supersteps of the block were made.
struct place {
    uint32_t x, y, side, step;
};

// --- how long it takes ---

// Returns the side of the blocks that are sorted before those of this side are.
static uint32_t inner(uint32_t side) { return side % 2 ? side - 1 : side / 2; }

static uint32_t block_supersteps(uint32_t side) { return side % 2 ? 6 * side + 2 : 4 * side + 3; }

static uint32_t sort_supersteps(uint32_t side)
{
    return side < 2 ? 0 : sort_supersteps(inner(side)) + block_supersteps(side);
}

uint32_t sorting_supersteps(uint32_t n, uint32_t most)
{
    return sort_supersteps(n) + (1 + most) * (n - 1);
}

// --- lines ---

// Even columns go down, odd ones up.
static struct line column_of(const struct place *place)
{
    const bool down = place->x % 2 == 0;
    return (struct line){down ? place->y : place->side - 1 - place->y, place->side,
                         down ? ANL_NORTH : ANL_SOUTH, down ? ANL_SOUTH : ANL_NORTH};
}

static struct line row_of(const struct place *place)
{
    return (struct line){place->x, place->side, ANL_WEST, ANL_EAST};
}

// All columns of the block behind each other.
static struct line snake_of(const struct place *place)
{
    struct line line = column_of(place);
    if (line.index == 0) line.back = ANL_WEST;
    if (line.index + 1 == place->side) line.forth = ANL_EAST;
    line.index += place->x * place->side;
    line.length *= place->side;
    return line;
}

// The lowest x + 1 nodes of column x.
static struct line foot_of(const struct place *place)
{
    const uint32_t above = place->side - 1 - place->x;
    return place->y < above ? (struct line){0, 0, 0, 0}
                            : (struct line){place->y - above, place->x + 1, ANL_NORTH, ANL_SOUTH};
}

// --- one superstep in a line ---

static bool is_less(const struct node_view *view, const uint32_t *to, uint32_t a, uint32_t b)
{
    const uint32_t n = view->n, x = to[a] % n, other = to[b] % n;
    if (x != other) return x < other;
    return to[a] != to[b] ? to[a] < to[b] : a < b;
}

// A line is sorted in `levels` levels of odd-even transposition, with one superstep more. In step s
// the nodes with an index of the parity of s have the worms of places index - 1 and index.
static void sort(const struct node_view *view, const uint32_t *to, const struct line *line,
                 uint32_t step, uint32_t levels, uint32_t *out)
{
    const bool first = line->index == 0, last = line->index + 1 == line->length;
    if (step % 2 != line->index % 2 || step > levels || view->count == 0) return;
    uint32_t less = view->queue[0], more = view->count > 1 ? view->queue[1] : NO_WORM;
    if (more != NO_WORM && is_less(view, to, more, less)) {
        less = view->queue[1];
        more = view->queue[0];
    }
    if (first || step == 0)
        more = less;
    else
        out[line->back] = less;
    if (more != NO_WORM && !last && step < levels) out[line->forth] = more;
}

// A line is reversed if neighbours exchange what they have in as many steps as it has nodes.
static void reverse(const struct node_view *view, const struct line *line, uint32_t step,
                    uint32_t *out)
{
    if (step >= line->length || view->count == 0) return;
    const bool forth = step % 2 == line->index % 2;
    if (forth ? line->index + 1 < line->length : line->index > 0)
        out[forth ? line->forth : line->back] = view->queue[0];
}

// --- blocks ---

// A block of even side, whose quarters are sorted.
static void sort_even(const struct node_view *view, const uint32_t *to, const struct place *place,
                      uint32_t *out)
{
    const uint32_t side = place->side, step = place->step;
    const struct line column = column_of(place), row = row_of(place), snake = snake_of(place);
    if (step < side + 1)
        sort(view, to, &column, step, side, out);
    else if (step < 2 * side + 2)
        sort(view, to, &row, step - side - 1, side, out);
    else
        sort(view, to, &snake, step - 2 * side - 2, 2 * side, out);
}

// A block of odd side, sorted but for its last row and column.
static void sort_odd(const struct node_view *view, const uint32_t *to, const struct place *place,
                     uint32_t *out)
{
    const uint32_t side = place->side, step = place->step;
    const struct line row = row_of(place), foot = foot_of(place), snake = snake_of(place);
    if (step < side)
        reverse(view, &foot, step, out);
    else if (step < 2 * side + 1)
        sort(view, to, &row, step - side, side, out);
    else
        sort(view, to, &snake, step - 2 * side - 1, 4 * side, out);
}

// Returns whether the node is in one of the blocks that are sorted in this superstep.
static bool find_place(const struct node_view *view, struct place *place)
{
    *place = (struct place){view->node % view->n, view->node / view->n, view->n, 0};
    while (view->superstep < sort_supersteps(inner(place->side))) {
        const uint32_t side = inner(place->side);
        const bool is_last = place->x + 1 == place->side || place->y + 1 == place->side;
        if (place->side % 2 && is_last) return false;
        place->x %= side;
        place->y %= side;
        place->side = side;
    }
    place->step = view->superstep - sort_supersteps(inner(place->side));
    return true;
}

void sorting(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    const struct destinations *destinations = user;
    const uint32_t sorted = sort_supersteps(view->n);
    struct place place;
    if (view->superstep >= sorted) {
        greedy(user, view, out);
        if (view->superstep < sorted + view->n - 1) out[ANL_SOUTH] = out[ANL_NORTH] = NO_WORM;
        return;
    }
    memset(out, 0xff, DIRECTIONS * sizeof *out);
    if (!find_place(view, &place)) return;
    if (place.side % 2)
        sort_odd(view, destinations->of, &place, out);
    else
        sort_even(view, destinations->of, &place, out);
}
