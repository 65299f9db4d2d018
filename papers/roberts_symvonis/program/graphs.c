// SPDX-License-Identifier: Apache-2.0
//
// The multistage method on other networks and for (h1, h2) problems; and with queues, for packets
// of one flit: a vertex (v, t) then has an edge to (v, t + 1) as well, which as many packets may
// take as a queue has places. A packet takes the path through this graph that is over first.

#include "roberts_symvonis.h"
#include "snakes.h"

#include <annelid/schedule.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --- networks: the next node of a path ---

static uint32_t mesh_next(uint32_t n, uint32_t at, uint32_t to)
{
    if (at % n != to % n) return at % n < to % n ? at + 1 : at - 1;
    return at < to ? at + n : at - n;
}

// Goes the shorter way around, upwards if both are as long.
static uint32_t around(uint32_t n, uint32_t at, uint32_t to)
{
    return (to + n - at) % n <= n / 2 ? (at + 1) % n : (at + n - 1) % n;
}

static uint32_t torus_next(uint32_t n, uint32_t at, uint32_t to)
{
    if (at % n != to % n) return at / n * n + around(n, at % n, to % n);
    return around(n, at / n, to / n) * n + at % n;
}

// Node i has the children 2 i + 1 and 2 i + 2.
static uint32_t tree_next(uint32_t n, uint32_t at, uint32_t to)
{
    (void)n;
    for (uint32_t below = to; below > at; below = (below - 1) / 2)
        if ((below - 1) / 2 == at) return below;
    return (at - 1) / 2;
}

static uint32_t hypercube_next(uint32_t n, uint32_t at, uint32_t to)
{
    (void)n;
    return at ^ ((at ^ to) & -(at ^ to));
}

static uint32_t chain_next(uint32_t n, uint32_t at, uint32_t to)
{
    (void)n;
    return at < to ? at + 1 : at - 1;
}

static uint32_t nodes_of(const struct graph_case *of)
{
    switch (of->network) {
    case NETWORK_HYPERCUBE:
        return 1u << of->n;
    case NETWORK_TREE:
        return 2 * of->n - 1;
    case NETWORK_CHAIN:
        return of->n;
    default:
        return of->n * of->n;
    }
}

static uint32_t next_node(const struct graph_case *of, uint32_t at, uint32_t to)
{
    static uint32_t (*const next[])(uint32_t n, uint32_t at, uint32_t to) = {
        mesh_next, torus_next, tree_next, hypercube_next, chain_next};
    return next[of->network](of->n, at, to);
}

// --- an instance: the link from node a to node b has the number a * nodes + b ---

struct instance {
    uint32_t nodes, worms;
    uint32_t *sources, *destinations;  // [nodes * h]
    uint32_t *first, *of;
    struct anl_given_paths paths;
    uint32_t *order, *starts;
    struct anl_schedule schedule;
};

static void instance_free(struct instance *instance)
{
    free(instance->sources);
    free(instance->destinations);
    free(instance->first);
    free(instance->of);
    free(instance->order);
    free(instance->starts);
}

// Returns h copies of each node in a random order.
static uint32_t *copies(uint32_t nodes, uint32_t h, struct anl_rng *rng)
{
    uint32_t *list = calloc((size_t)nodes * h, sizeof *list);
    if (list) shuffle(list, nodes * h, rng);
    for (uint32_t i = 0; list && i < nodes * h; i++)
        list[i] %= nodes;
    return list;
}

// Writes the links of all paths to of, unless it is NULL. Returns how many there are.
static uint32_t write_paths(const struct graph_case *of, struct instance *instance, uint32_t *links)
{
    uint32_t count = 0;
    for (uint32_t worm = 0; worm < instance->worms; worm++) {
        uint32_t at = instance->sources[worm];
        instance->first[worm] = count;
        for (; at != instance->destinations[worm]; count++) {
            const uint32_t next = next_node(of, at, instance->destinations[worm]);
            if (links) links[count] = at * instance->nodes + next;
            at = next;
        }
    }
    instance->first[instance->worms] = count;
    return count;
}

static enum anl_status instance_make(const struct graph_case *of, uint64_t seed,
                                     struct instance *instance)
{
    struct anl_rng rng = anl_rng_seed(seed, 0);
    const uint32_t nodes = nodes_of(of), least = of->h1 < of->h2 ? of->h1 : of->h2;
    *instance = (struct instance){.nodes = nodes, .worms = nodes * least};
    instance->sources = copies(nodes, of->h1, &rng);
    instance->destinations = copies(nodes, of->h2, &rng);
    instance->first = calloc(instance->worms + 1, sizeof *instance->first);
    instance->order = calloc(instance->worms, sizeof *instance->order);
    instance->starts = calloc(instance->worms, sizeof *instance->starts);
    if (!instance->sources || !instance->destinations || !instance->first || !instance->order ||
        !instance->starts)
        return ANL_ERR_MEMORY;
    instance->of = calloc(write_paths(of, instance, NULL) + 1, sizeof *instance->of);
    if (!instance->of) return ANL_ERR_MEMORY;
    write_paths(of, instance, instance->of);
    instance->paths =
        (struct anl_given_paths){instance->worms, nodes * nodes, instance->first, instance->of};
    return anl_given_paths_order(&instance->paths, ANL_ORDER_LONGEST, instance->order);
}

// --- queues ---

enum { UNSEEN, CROSSED, WAITED };  // how a vertex of the multistage graph was reached

struct queues {
    const struct instance *instance;
    uint32_t size, last;  // places of a queue; the last step
    bool *taken;          // [nodes * nodes][last + 1] links
    uint32_t *waiting;    // [nodes][last + 1] packets that wait in a step
    uint8_t *seen;        // [links of the longest path + 1][last + 1]
};

static uint32_t node_at(const struct instance *instance, const uint32_t *path, uint32_t place)
{
    return path[place - 1] % instance->nodes;
}

// Finds which vertices a packet can reach. Returns the step in which it can be there.
static uint32_t reach(const struct queues *queues, const uint32_t *path, uint32_t length)
{
    const uint32_t width = queues->last + 1;
    memset(queues->seen, UNSEEN, (size_t)(length + 1) * width);
    memset(queues->seen, WAITED, width);  // in its source it waits as long as it likes
    for (uint32_t step = 0; step < queues->last; step++)
        for (uint32_t place = 0; place <= length; place++) {
            uint8_t *here = &queues->seen[(size_t)place * width + step];
            if (*here == UNSEEN) continue;
            if (place == length) return step;
            if (!queues->taken[(size_t)path[place] * width + step + 1]) here[width + 1] = CROSSED;
            if (!place || here[1] != UNSEEN) continue;
            const uint32_t node = node_at(queues->instance, path, place);
            if (queues->waiting[(size_t)node * width + step + 1] < queues->size) here[1] = WAITED;
        }
    return UINT32_MAX;
}

// Goes back along the path that was found, and takes its links and places. Returns false if a link
// was taken, or a queue was full: that is a fault.
static bool take(const struct queues *queues, const uint32_t *path, uint32_t length, uint32_t step)
{
    const uint32_t width = queues->last + 1;
    bool good = true;
    for (uint32_t place = length; place > 0; step--) {
        if (queues->seen[(size_t)place * width + step] == CROSSED) {
            bool *taken = &queues->taken[(size_t)path[--place] * width + step];
            good &= !*taken;
            *taken = true;
        } else {
            const uint32_t node = node_at(queues->instance, path, place);
            good &= queues->waiting[(size_t)node * width + step]++ < queues->size;
        }
    }
    return good;
}

static bool route_packets(const struct queues *queues, uint32_t *makespan)
{
    const struct instance *instance = queues->instance;
    *makespan = 0;
    for (uint32_t i = 0; i < instance->worms; i++) {
        const uint32_t worm = instance->order[i], first = instance->first[worm];
        const uint32_t length = instance->first[worm + 1] - first;
        if (!length) continue;
        const uint32_t there = reach(queues, instance->of + first, length);
        if (there == UINT32_MAX || !take(queues, instance->of + first, length, there)) return false;
        if (there > *makespan) *makespan = there;
    }
    return true;
}

static enum anl_status schedule_queues(const struct instance *instance, uint32_t size,
                                       const struct anl_given_paths_bounds *bounds,
                                       struct graph_result *result, uint32_t *makespan)
{
    const uint32_t last = (uint32_t)bounds->makespan + 1;
    const size_t width = last + 1, nodes = instance->nodes;
    struct queues queues = {.instance = instance,
                            .size = size,
                            .last = last,
                            .taken = calloc(nodes * nodes * width, sizeof *queues.taken),
                            .waiting = calloc(nodes * width, sizeof *queues.waiting),
                            .seen = calloc((bounds->dilation + 2) * width, sizeof *queues.seen)};
    const bool enough = queues.taken && queues.waiting && queues.seen;
    if (enough) result->broken += !route_packets(&queues, makespan);
    free(queues.taken);
    free(queues.waiting);
    free(queues.seen);
    return enough ? ANL_OK : ANL_ERR_MEMORY;
}

// --- a row ---

static enum anl_status schedule(struct instance *instance, uint32_t k, struct graph_result *result)
{
    struct anl_given_paths_clash clash;
    enum anl_status status = anl_given_paths_schedule(&instance->paths, k, instance->order,
                                                      instance->starts, &instance->schedule);
    if (!status) status = anl_given_paths_run(&instance->paths, k, instance->starts, &clash);
    if (!status) result->broken += clash.step != 0;
    return status;
}

static void note(struct graph_result *result, const struct graph_case *of,
                 const struct anl_given_paths_bounds *bounds, const struct instance *instance,
                 uint32_t makespan)
{
    const double relation = (2.0 * of->k - 1) * ((of->h1 + of->h2) * (double)of->n - 2) + 1;
    result->mean += makespan / (double)of->count;
    result->over += makespan / (double)bounds->lower / of->count;
    result->part = fmax(result->part, makespan / (double)bounds->makespan);
    if (of->network == NETWORK_MESH)
        result->start = fmax(result->start, instance->schedule.largest / relation);
}

static enum anl_status take_instance(const struct graph_case *of, uint64_t seed,
                                     struct graph_result *result)
{
    struct instance instance;
    struct anl_given_paths_bounds bounds;
    enum anl_status status = instance_make(of, seed, &instance);
    if (!status) status = anl_given_paths_bounds(&instance.paths, of->k, &bounds);
    if (!status) status = schedule(&instance, of->k, result);
    uint32_t makespan = instance.schedule.makespan;
    if (!status && of->queues) {
        status = schedule_queues(&instance, of->queue, &bounds, result, &makespan);
        result->broken += of->queue == 0 && makespan != instance.schedule.makespan;
    }
    if (!status) note(result, of, &bounds, &instance, makespan);
    instance_free(&instance);
    return status;
}

enum anl_status measure_graph(const struct graph_case *of, struct graph_result *result,
                              struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (uint32_t seed = 1; seed <= of->count && !status; seed++)
        status = cli_interrupted() ? ANL_ERR_IO : take_instance(of, seed, result);
    result->done = !status;
    return cli_fail(status, error);
}
