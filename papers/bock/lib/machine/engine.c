// SPDX-License-Identifier: Apache-2.0
//
// The engine of sliding diagonals: the machine of papers/bock/diagonals.md behind the functions of
// the engine, and its loads. Cycle t is step t - 1, counted from the first load on.

#include "diagonals_machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rider {
    struct anl_worm worm;
    uint32_t node, to;  // where it waits, and where it goes first
};

struct sliding {
    struct anl_diagonals_config config;
    struct anl_diagonals *machine;
    uint32_t sides;               // registers of a node
    uint64_t period, begin, end;  // of the load; it is over in cycle `end`
    struct rider *riders;         // [totals.enqueued]
    uint32_t *waiting;            // [num_waiting] ids
    size_t num_waiting, room;
    // The load: what the machine gets, and the same by start. `rides` are those of the next cycle
    // up to the next step.
    struct anl_diagonals_worm *worms;
    struct anl_ride *rides;
    uint32_t *ids;
    size_t count, num_rides;
    // What the nodes of the RTL keep beside their registers.
    uint8_t *latches, *taken;
    bool failed;
};

static struct sliding *of(const struct anl_engine *engine) { return engine->of_machine; }

// --- worms ---

static bool make_room(struct sliding *at, size_t count)
{
    if (count < at->room) return true;
    const size_t room = at->room ? 2 * at->room : 1024;
    struct rider *riders = realloc(at->riders, room * sizeof *riders);
    if (riders) at->riders = riders;
    uint32_t *waiting = realloc(at->waiting, room * sizeof *waiting);
    if (waiting) at->waiting = waiting;
    if (!riders || !waiting) return false;
    at->room = room;
    return true;
}

static enum anl_status enqueue(struct anl_engine *engine, const struct anl_worm *new_worm,
                               uint32_t *id)
{
    struct sliding *at = of(engine);
    const uint32_t nodes = engine->shape.terminals;
    const size_t count = engine->totals.enqueued;
    if (new_worm->source >= nodes || new_worm->destination >= nodes || new_worm->class_ ||
        new_worm->role || new_worm->route || new_worm->length != at->config.length ||
        count >= UINT32_MAX)
        return ANL_ERR_ARGUMENT;
    if (!make_room(at, count)) return ANL_ERR_MEMORY;
    struct rider *rider = &at->riders[count];
    *rider = (struct rider){.worm = new_worm_of(engine, new_worm, (uint32_t)count),
                            .node = new_worm->source};
    rider->to = engine->config.routing == ANL_VALIANT ? rider->worm.path : new_worm->destination;
    at->waiting[at->num_waiting++] = rider->worm.id;
    if (id) *id = rider->worm.id;
    engine->totals.enqueued++;
    engine->totals.queued++;
    return ANL_OK;
}

static const struct anl_worm *worm(const struct anl_engine *engine, uint32_t id)
{
    return id < engine->totals.enqueued ? &of(engine)->riders[id].worm : NULL;
}

// --- loads ---

static void free_load(struct sliding *at)
{
    free(at->worms);
    free(at->rides);
    free(at->ids);
    at->worms = NULL;
    at->rides = NULL;
    at->ids = NULL;
    at->count = at->num_rides = 0;
}

static int by_number(const void *a, const void *b)
{
    const uint32_t one = *(const uint32_t *)a, other = *(const uint32_t *)b;
    return (one > other) - (one < other);
}

static int by_start(const void *a, const void *b)
{
    const struct anl_ride *one = a, *other = b;
    if (one->start != other->start) return one->start < other->start ? -1 : 1;
    return (one->worm > other->worm) - (one->worm < other->worm);
}

// Gives all worms that wait to the machine, the older ones first.
static enum anl_status load(struct sliding *at, uint64_t begin)
{
    uint32_t batches;
    free_load(at);
    const size_t count = at->num_waiting;
    at->worms = calloc(count, sizeof *at->worms);
    at->rides = calloc(count, sizeof *at->rides);
    at->ids = calloc(count, sizeof *at->ids);
    if (!at->worms || !at->rides || !at->ids) return ANL_ERR_MEMORY;
    memcpy(at->ids, at->waiting, count * sizeof *at->ids);
    qsort(at->ids, count, sizeof *at->ids, by_number);
    for (size_t i = 0; i < count; i++) {
        const struct rider *rider = &at->riders[at->ids[i]];
        at->worms[i] = (struct anl_diagonals_worm){.source = rider->node, .destination = rider->to};
    }
    enum anl_status status = anl_diagonals_batch_load(&at->config, at->worms, count, &batches);
    if (!status) status = anl_diagonals_load(at->machine, at->worms, count, NULL);
    if (status) return status;
    for (size_t i = 0; i < count; i++)
        at->rides[i] = (struct anl_ride){begin + at->worms[i].batch * at->period, at->ids[i],
                                         at->worms[i].source, at->worms[i].destination};
    qsort(at->rides, count, sizeof *at->rides, by_start);
    at->count = at->num_rides = count;
    at->num_waiting = 0;
    at->begin = begin;
    at->end = begin + anl_diagonals_cycles(&at->config, batches);
    return ANL_OK;
}

// In the cycle before a load can begin: lets it begin if some worm waits. The load before it moves
// nothing in its last step, which the machine then does not run.
static enum anl_status load_if_due(struct anl_engine *engine)
{
    struct sliding *at = of(engine);
    const uint64_t begin = engine->cycle + 1;
    if (at->begin == begin || begin < at->end || engine->cycle % at->period != 0 ||
        !at->num_waiting)
        return ANL_OK;
    return load(at, begin);
}

static enum anl_status rides_of(struct anl_engine *engine, const struct anl_ride **rides,
                                size_t *count)
{
    struct sliding *at = of(engine);
    const enum anl_status status = load_if_due(engine);
    *rides = at->rides;
    *count = status || at->begin != engine->cycle + 1 ? 0 : at->num_rides;
    return status;
}

// --- flits ---

static uint32_t node_of(const struct sliding *at, uint32_t register_)
{
    return register_ / at->sides;
}

// Returns the link that ends at a register.
static uint32_t link_to(const struct anl_engine *engine, uint32_t register_)
{
    const struct sliding *at = of(engine);
    const uint32_t side = register_ % at->sides, node = node_of(at, register_);
    const struct anl_end before =
        anl_end_of(&engine->config, node * engine->shape.ports + (side ^ 1));
    return before.node * engine->shape.ports + side;
}

static struct anl_flit flit_of(const struct anl_engine *engine,
                               const struct anl_diagonals_move *move)
{
    const struct sliding *at = of(engine);
    const bool out = move->to == ANL_DIAGONALS_OUTSIDE;
    return (struct anl_flit){
        .link = out ? anl_ejection_link(&engine->config, node_of(at, move->from))
                    : link_to(engine, move->to),
        .worm = at->ids[move->worm],
        .index = (uint16_t)move->index,
        .vc = (uint8_t)(out ? move->from % at->sides : 0),
        .head = move->index == 0,
        .tail = move->index + 1 == at->config.length,
    };
}

static int by_link(const void *a, const void *b)
{
    const struct anl_flit *one = a, *other = b;
    if (one->link != other->link) return one->link < other->link ? -1 : 1;
    return one->vc - other->vc;
}

// Notes where a worm is whose tail has left the network.
static void arrive(struct anl_engine *engine, const struct anl_flit *tail, uint32_t in_load)
{
    struct sliding *at = of(engine);
    const struct anl_diagonals_worm *ride = &at->worms[in_load];
    struct rider *rider = &at->riders[tail->worm];
    const bool there = ride->state == ANL_DIAGONALS_DELIVERED;
    rider->node = ride->node;
    if (there && rider->node == rider->worm.destination) {
        engine->delivered[engine->num_delivered++] = rider->worm;
        engine->totals.delivered++;
        return;
    }
    if (there) rider->to = rider->worm.destination;
    engine->totals.failed += !there;
    at->waiting[at->num_waiting++] = tail->worm;
    engine->totals.queued++;
}

// --- what a node of the RTL keeps ---

// The way of a flit, in the latch that the flit behind it follows.
static void latch(struct sliding *at, const struct anl_diagonals_move *move, bool tail)
{
    const bool out = move->to == ANL_DIAGONALS_OUTSIDE;
    if (move->from == ANL_DIAGONALS_OUTSIDE) return;
    at->latches[move->from] = (uint8_t)(tail  ? ANL_DIAGONALS_NO_WAY
                                        : out ? at->sides
                                              : move->to % at->sides);
    at->failed |= out && move->from % at->sides + 1 != at->sides;
}

// A head that turns from - to + of a dimension while slots are given takes its turn node.
static void take_turn_node(struct sliding *at, const struct anl_diagonals_move *move)
{
    if (move->index != 0) return;
    if (move->from == ANL_DIAGONALS_OUTSIDE || move->to == ANL_DIAGONALS_OUTSIDE) return;
    const uint32_t from = move->from % at->sides, to = move->to % at->sides;
    if (from % 2 == 1 && to == from - 1)
        at->taken[node_of(at, move->from)] |= (uint8_t)(1u << to / 2);
}

static void keep(struct anl_engine *engine, const struct anl_diagonals_move *moves, size_t count)
{
    struct sliding *at = of(engine);
    const uint64_t in_period = (engine->cycle - at->begin) % at->period;
    const uint64_t step = in_period % anl_diagonals_stage_cycles(&at->config);
    const uint64_t around = (uint64_t)at->config.n + at->config.length;
    for (size_t i = 0; i < count; i++) {
        latch(at, &moves[i], moves[i].index + 1 == at->config.length);
        if (step < around) take_turn_node(at, &moves[i]);
    }
    if (step == around) memset(at->taken, 0, engine->shape.terminals);
}

void anl_engine_diagonals(const struct anl_engine *engine, struct anl_diagonals_nodes *nodes)
{
    const struct sliding *at = of(engine);
    const size_t registers = (size_t)engine->shape.terminals * at->sides;
    anl_diagonals_registers(at->machine, nodes->registers);
    for (size_t i = 0; i < registers; i++)
        if (nodes->registers[i].valid) nodes->registers[i].worm = at->ids[nodes->registers[i].worm];
    memcpy(nodes->latches, at->latches, registers);
    memcpy(nodes->taken, at->taken, engine->shape.terminals);
    nodes->failed = at->failed;
}

// --- steps ---

static void count_moves(struct anl_engine *engine, const struct anl_diagonals_move *moves,
                        size_t count)
{
    struct anl_engine_totals *totals = &engine->totals;
    totals->moved = count;
    totals->flit_hops += count;
    for (size_t i = 0; i < count; i++) {
        const struct anl_flit flit = flit_of(engine, &moves[i]);
        const bool in = moves[i].from == ANL_DIAGONALS_OUTSIDE;
        const bool out = moves[i].to == ANL_DIAGONALS_OUTSIDE;
        totals->in_network += in;
        totals->in_network -= out;
        totals->ejected_flits += out;
        totals->queued -= in && flit.tail;
        if (out && flit.tail) arrive(engine, &flit, moves[i].worm);
        engine->flits[i] = flit;
    }
}

static int by_destination(const void *a, const void *b)
{
    const struct anl_worm *one = a, *other = b;
    return (one->destination > other->destination) - (one->destination < other->destination);
}

// A load that finds no memory leaves its worms waiting, and is tried again.
static void step(struct anl_engine *engine)
{
    struct sliding *at = of(engine);
    size_t count;
    if (load_if_due(engine)) return;
    if (!at->count || engine->cycle < at->begin || anl_diagonals_done(at->machine)) return;
    anl_diagonals_step(at->machine);
    const struct anl_diagonals_move *moves = anl_diagonals_moves(at->machine, &count);
    count_moves(engine, moves, count);
    keep(engine, moves, count);
    qsort(engine->delivered, engine->num_delivered, sizeof *engine->delivered, by_destination);
    if (!engine->record) return;
    qsort(engine->flits, count, sizeof *engine->flits, by_link);
    engine->num_flits = count;
}

static bool fault(const struct anl_engine *engine, char *text, size_t size)
{
    const struct sliding *at = of(engine);
    const struct anl_diagonals_fault found = anl_diagonals_fault(at->machine);
    char name[64];
    if (!found.happened) return false;
    anl_link_name(&engine->config, link_to(engine, found.link), name, sizeof name);
    snprintf(text, size, "cycle %" PRIu64 ", %s: worms %" PRIu32 " and %" PRIu32 " collide",
             at->begin + found.cycle, name, at->ids[found.worms[0]], at->ids[found.worms[1]]);
    return true;
}

// --- make, reset, free ---

static void reset(struct anl_engine *engine)
{
    struct sliding *at = of(engine);
    anl_diagonals_load(at->machine, NULL, 0, NULL);
    free_load(at);
    at->num_waiting = 0;
    at->begin = at->end = 0;
    at->failed = false;
    memset(at->latches, ANL_DIAGONALS_NO_WAY, (size_t)engine->shape.terminals * at->sides);
    memset(at->taken, 0, engine->shape.terminals);
}

static enum anl_status make(struct anl_engine *engine)
{
    struct sliding *at = calloc(1, sizeof *at);
    const size_t nodes = engine->shape.terminals;
    if (!at) return ANL_ERR_MEMORY;
    engine->of_machine = at;
    at->config = anl_diagonals_of(&engine->config);
    at->sides = 2 * at->config.d;
    at->period = anl_diagonals_period(&at->config);
    enum anl_status status = anl_diagonals_create(&at->config, &at->machine, NULL);
    if (!status) status = anl_diagonals_record(at->machine, true);
    if (status) return status;
    engine->flits = calloc(2 * nodes * at->sides, sizeof *engine->flits);
    engine->delivered = calloc(nodes * at->sides, sizeof *engine->delivered);
    at->latches = malloc(nodes * at->sides);
    at->taken = malloc(nodes);
    const bool kept = at->latches && at->taken;
    return engine->flits && engine->delivered && kept ? ANL_OK : ANL_ERR_MEMORY;
}

static void destroy(struct anl_engine *engine)
{
    struct sliding *at = of(engine);
    if (!at) return;
    anl_diagonals_destroy(at->machine);
    free_load(at);
    free(at->riders);
    free(at->waiting);
    free(at->latches);
    free(at->taken);
    free(at);
}

const struct engine_machine engine_diagonals = {
    .make = make,
    .reset = reset,
    .enqueue = enqueue,
    .step = step,
    .worm = worm,
    .fault = fault,
    .rides = rides_of,
    .destroy = destroy,
};
