// SPDX-License-Identifier: Apache-2.0
//
// The packet algorithm alone, on a mesh of nodes with queues. It is what the snakes simulate, and
// so their oracle; it knows nothing of them.

#include "common/common.h"
#include "snakes.h"

#include <annelid/bufferless.h>
#include <stdlib.h>
#include <string.h>

enum anl_status packets_create(uint32_t n, packet_algorithm *algorithm, void *user,
                               struct packets *packets, struct anl_error *error)
{
    *packets = (struct packets){.n = n, .algorithm = algorithm, .user = user};
    packets->queues = calloc((size_t)n * n, sizeof *packets->queues);
    return packets->queues ? ANL_OK : cli_fail(ANL_ERR_MEMORY, error);
}

void packets_free(struct packets *packets)
{
    free(packets->queues);
    *packets = (struct packets){0};
}

static int compare(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

void sort_worms(uint32_t *worms, uint32_t count) { qsort(worms, count, sizeof *worms, compare); }

enum anl_status packets_add(struct packets *packets, uint32_t node, uint32_t worm)
{
    if (packets->queues[node].count == MOST_QUEUE) return ANL_ERR_ARGUMENT;
    packets->queues[node].worms[packets->queues[node].count++] = worm;
    sort_worms(packets->queues[node].worms, packets->queues[node].count);
    if (packets->queues[node].count > packets->largest)
        packets->largest = packets->queues[node].count;
    return ANL_OK;
}

static void take(struct packets *packets, uint32_t node, uint32_t worm)
{
    uint32_t *worms = packets->queues[node].worms, kept = 0;
    for (uint32_t i = 0; i < packets->queues[node].count; i++)
        if (worms[i] != worm) worms[kept++] = worms[i];
    packets->queues[node].count = kept;
}

// Takes the worms that leave a node out of its queue.
static void send(struct packets *packets, uint32_t node, uint32_t out[DIRECTIONS])
{
    const struct node_view view = {packets->n, node, packets->superstep,
                                   packets->queues[node].worms, packets->queues[node].count};
    packets->algorithm(packets->user, &view, out);
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        if (out[port] != NO_WORM) {
            take(packets, node, out[port]);
            packets->sent++;
        }
    if (packets->queues[node].count > packets->kept) packets->kept = packets->queues[node].count;
}

enum anl_status packets_step(struct packets *packets)
{
    const uint32_t nodes = packets->n * packets->n;
    const uint32_t steps[] = {1, UINT32_MAX, packets->n, UINT32_MAX - packets->n + 1};
    uint32_t *out = malloc(nodes * DIRECTIONS * sizeof *out);
    enum anl_status status = out ? ANL_OK : ANL_ERR_MEMORY;
    for (uint32_t node = 0; node < nodes && !status; node++)
        send(packets, node, &out[node * DIRECTIONS]);
    for (uint32_t i = 0; i < nodes * DIRECTIONS && !status; i++) {
        if (out[i] != NO_WORM)
            status = packets_add(packets, i / DIRECTIONS + steps[i % DIRECTIONS], out[i]);
    }
    packets->superstep++;
    free(out);
    return status;
}

uint32_t packets_consume(struct packets *packets, const struct destinations *destinations)
{
    uint32_t consumed = 0;
    for (uint32_t node = 0; node < packets->n * packets->n; node++) {
        uint32_t *worms = packets->queues[node].worms, kept = 0;
        for (uint32_t i = 0; i < packets->queues[node].count; i++)
            if (destinations->of[worms[i]] != node) worms[kept++] = worms[i];
        consumed += packets->queues[node].count - kept;
        packets->queues[node].count = kept;
    }
    return consumed;
}

uint32_t packets_away(const struct packets *packets, const struct destinations *destinations)
{
    uint32_t away = 0;
    for (uint32_t node = 0; node < packets->n * packets->n; node++)
        for (uint32_t i = 0; i < packets->queues[node].count; i++)
            away += destinations->of[packets->queues[node].worms[i]] != node;
    return away;
}

// --- greedy ---

// Returns the direction of a worm, row first, or ANL_NO_WAY; *distance receives how far it has to
// go.
static uint32_t direction(uint32_t n, uint32_t from, uint32_t to, uint32_t *distance)
{
    const int dx = (int)(to % n) - (int)(from % n), dy = (int)(to / n) - (int)(from / n);
    *distance = (uint32_t)(abs(dx) + abs(dy));
    if (dx) return dx > 0 ? ANL_EAST : ANL_WEST;
    if (dy) return dy > 0 ? ANL_SOUTH : ANL_NORTH;
    return ANL_NO_WAY;
}

void greedy(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    const struct destinations *destinations = user;
    uint32_t longest[DIRECTIONS] = {0};
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        out[port] = NO_WORM;
    for (uint32_t i = 0; i < view->count; i++) {
        const uint32_t worm = view->queue[i];
        uint32_t distance;
        const uint32_t port = direction(view->n, view->node, destinations->of[worm], &distance);
        if (port == ANL_NO_WAY || distance <= longest[port]) continue;
        longest[port] = distance;
        out[port] = worm;
    }
}

static bool is_sent(const uint32_t *out, uint32_t worm)
{
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        if (out[port] == worm) return true;
    return false;
}

void deflecting(void *user, const struct node_view *view, uint32_t out[DIRECTIONS])
{
    const struct destinations *destinations = user;
    uint32_t kept = view->count, next = 0;
    greedy(user, view, out);
    for (uint32_t port = 0; port < DIRECTIONS; port++)
        kept -= out[port] != NO_WORM;
    for (uint32_t port = 0; port < DIRECTIONS && kept > destinations->room; port++) {
        if (out[port] != NO_WORM || !leads_on(view->n, view->node, port)) continue;
        while (is_sent(out, view->queue[next]))
            next++;
        out[port] = view->queue[next++];
        kept--;
    }
}
