// SPDX-License-Identifier: Apache-2.0
//
// Meshes without buffers (papers/roberts_symvonis/bufferless.md): nobody waits there, and flits
// that want one link are lost. This says which ones, and from which start on their worms would meet
// nobody.

#include "worms.h"

#include <stdlib.h>

// Ports of a switch of a mesh of two dimensions (docs/networks.md).
enum { EAST, WEST, SOUTH, NORTH, TERMINAL, PORTS };

bool worms_are_lost(const struct findings *findings)
{
    return anl_has(&findings->analysed.scenario.network, ANL_TRAIT_LOSES);
}

// --- ways: along the row, then along the column, then to the terminal ---

static uint32_t port_at(uint32_t n, uint32_t node, uint32_t destination)
{
    const uint32_t x = node % n, y = node / n, to_x = destination % n, to_y = destination / n;
    if (x != to_x) return x < to_x ? EAST : WEST;
    if (y != to_y) return y < to_y ? SOUTH : NORTH;
    return TERMINAL;
}

static uint32_t behind(uint32_t n, uint32_t node, uint32_t port)
{
    const uint32_t steps[] = {1, UINT32_MAX, n, UINT32_MAX - n + 1};
    return node + steps[port];
}

static uint32_t apart(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

static uint32_t distance(uint32_t n, uint32_t from, uint32_t to)
{
    return apart(from % n, to % n) + apart(from / n, to / n);
}

// Returns after how many steps the head of a worm crosses the link of a port of a node; UINT32_MAX:
// it never does.
static uint32_t steps_to(uint32_t n, const struct anl_message *worm, uint32_t node, uint32_t port)
{
    const uint32_t corner = worm->source / n * n + worm->destination % n;
    const bool before = node / n == worm->source / n &&
                        distance(n, worm->source, node) + distance(n, node, corner) ==
                            distance(n, worm->source, corner);
    const bool after = node % n == worm->destination % n &&
                       distance(n, corner, node) + distance(n, node, worm->destination) ==
                           distance(n, corner, worm->destination);
    if (!before && !after) return UINT32_MAX;
    if (port_at(n, node, worm->destination) != port) return UINT32_MAX;
    return distance(n, worm->source, node);
}

// --- starts ---

// Starts that a worm forbids to another one.
struct span {
    int64_t first, last;
};

// Returns the starts of `worm` at which it meets `other`, if that one crosses a link `late` steps
// after its start which `worm` crosses after `early` steps.
static struct span span_of(const struct anl_message *worm, const struct anl_message *other,
                           uint32_t early, uint32_t late)
{
    const int64_t same = (int64_t)other->cycle + late - early;
    return (struct span){same - worm->length + 1, same + other->length - 1};
}

// Returns the first start from `start` on at which the worm does not meet `other`, also not in
// their source.
static int64_t past(uint32_t n, const struct anl_message *worm, const struct anl_message *other,
                    int64_t start)
{
    if (worm->source == other->source) {
        const struct span span = span_of(worm, other, 0, 0);
        if (start >= span.first && start <= span.last) return span.last + 1;
    }
    uint32_t node = worm->source;
    for (uint32_t early = 0;; early++) {
        const uint32_t port = port_at(n, node, worm->destination);
        const uint32_t late = steps_to(n, other, node, port);
        const struct span span = span_of(worm, other, early, late);
        if (late != UINT32_MAX && start >= span.first && start <= span.last) return span.last + 1;
        if (port == TERMINAL) return start;
        node = behind(n, node, port);
    }
}

uint64_t first_good_start(const struct findings *findings, uint32_t worm)
{
    const struct anl_scenario *scenario = &findings->analysed.scenario;
    if (worm >= scenario->num_messages) return UINT64_MAX;  // a trace does not know all worms
    const struct anl_message *message = &scenario->messages[worm];
    int64_t start = (int64_t)message->cycle, before;
    do {
        before = start;
        for (size_t i = 0; i < scenario->num_messages; i++)
            if (i != worm)
                start = past(scenario->network.k, message, &scenario->messages[i], start);
    } while (start != before);
    return (uint64_t)start;
}

// --- lost flits ---

static struct lost_flit lost_in(const struct findings *findings, uint32_t number,
                                const struct anl_buffer *buffer)
{
    const struct anl_config *network = &findings->analysed.scenario.network;
    struct anl_life life;
    struct lost_flit lost = {buffer->worm, number, buffer->wants, buffer->index};
    if (lost.link != ANL_NOTHING ||
        !anl_blocking_life(findings->analysed.blocking, buffer->worm, &life))
        return lost;
    const uint32_t node =
        buffer->link == ANL_NOTHING ? buffer->terminal : anl_end_of(network, buffer->link).node;
    lost.link = node * PORTS + port_at(network->k, node, life.worm.destination);
    return lost;
}

static int by_link(const void *a, const void *b)
{
    const struct lost_flit *x = a, *y = b;
    if (x->link != y->link) return x->link < y->link ? -1 : 1;
    return (x->worm > y->worm) - (x->worm < y->worm);
}

enum anl_status find_lost(struct findings *findings)
{
    const struct anl_blocking *blocking = findings->analysed.blocking;
    size_t size = 0;
    if (!worms_are_lost(findings)) return ANL_OK;
    for (uint32_t i = 0; i < anl_blocking_num_buffers(blocking); i++) {
        const struct anl_buffer buffer = anl_blocking_buffer(blocking, i);
        if (buffer.worm == ANL_NOTHING || buffer.wait != ANL_LOST) continue;
        struct lost_flit *lost =
            gather_room(findings->lost, findings->num_lost, &size, sizeof *lost);
        if (!lost) return ANL_ERR_MEMORY;
        findings->lost = lost;
        lost[findings->num_lost++] = lost_in(findings, i, &buffer);
    }
    if (findings->num_lost)
        qsort(findings->lost, findings->num_lost, sizeof *findings->lost, by_link);
    return ANL_OK;
}
