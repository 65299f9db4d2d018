// SPDX-License-Identifier: Apache-2.0
//
// The machine as a whole: memory, worms, what can be seen of it, and runs with clean-up batches.

#include "diagonals.h"

#include <stdlib.h>
#include <string.h>

const char *anl_diagonals_state_name(enum anl_diagonals_state state)
{
    static const char *const names[] = {"waiting",  "on links",       "delivered",
                                        "row full", "reservoir full", "left"};
    return state < ANL_DIAGONALS_STATES ? names[state] : "unknown";
}

// --- memory ---

static void release(struct anl_diagonals *machine)
{
    free(machine->trails);
    free(machine->members);
    free(machine->travellers);
    free(machine->batches);
    machine->trails = machine->members = NULL;
    machine->travellers = NULL;
    machine->batches = NULL;
}

void anl_diagonals_destroy(struct anl_diagonals *machine)
{
    if (!machine) return;
    release(machine);
    free(machine->owners);
    free(machine->taken);
    free(machine->rows);
    free(machine->moves);
    free(machine);
}

enum anl_status anl_diagonals_create(const struct anl_diagonals_config *config,
                                     struct anl_diagonals **machine, struct anl_error *error)
{
    *machine = NULL;
    const enum anl_status status = anl_diagonals_check(config, error);
    if (status) return status;
    struct anl_diagonals *made = calloc(1, sizeof *made);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for a torus");
    made->config = *config;
    made->nodes = 1;
    for (uint32_t dim = 0; dim < config->d; dim++) {
        made->strides[dim] = made->nodes;
        made->nodes *= config->n;
    }
    made->period = anl_diagonals_period(config);
    const size_t nodes = made->nodes;
    made->owners = malloc(nodes * 2 * config->d * sizeof *made->owners);
    made->taken = calloc(nodes * (config->d / 2), sizeof *made->taken);
    made->rows = calloc(nodes, sizeof *made->rows);
    if (!made->owners || !made->taken || !made->rows) {
        anl_diagonals_destroy(made);
        return anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for %zu nodes", nodes);
    }
    *machine = made;
    return ANL_OK;
}

// --- worms ---

static enum anl_status check_worms(const struct anl_diagonals *machine,
                                   const struct anl_diagonals_worm *worms, size_t count,
                                   struct anl_error *error)
{
    if (count >= ANL_NO_WORM)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "expected less than 2^32 - 1 worms");
    for (size_t i = 0; i < count; i++)
        if (worms[i].source >= machine->nodes || worms[i].destination >= machine->nodes ||
            worms[i].batch >= ANL_DIAGONALS_MAX_NODES)
            return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                            "worm %zu from node %u to node %u in batch %u: expected nodes below %u",
                            i, worms[i].source, worms[i].destination, worms[i].batch,
                            machine->nodes);
    return ANL_OK;
}

// Writes the numbers of the worms to the lists of their batches; in a list they are in the order of
// their sources.
static enum anl_status sort_worms(struct anl_diagonals *machine)
{
    uint32_t *order = diagonals_by_source(machine->worms, machine->count, machine->nodes);
    if (!order) return ANL_ERR_MEMORY;
    for (size_t i = 0; i < machine->count; i++)
        machine->batches[machine->worms[i].batch].count++;
    uint32_t *members = machine->members;
    for (uint32_t i = 0; i < machine->num_batches; i++) {
        machine->batches[i].members = members;
        members += machine->batches[i].count;
        machine->batches[i].count = 0;
    }
    for (size_t i = 0; i < machine->count; i++) {
        struct batch *batch = &machine->batches[machine->worms[order[i]].batch];
        batch->members[batch->count++] = order[i];
        batch->moving = batch->count;
    }
    free(order);
    return ANL_OK;
}

// Returns whether the sources of a batch in a row are far enough apart, where `first` to `last` are
// the places of the row in the list of the batch.
static bool is_row_apart(const struct anl_diagonals *machine, const struct batch *batch,
                         size_t first, size_t last)
{
    const struct anl_diagonals_worm *worms = machine->worms;
    const uint32_t length = machine->config.length;
    for (size_t i = first; i < last; i++)
        if (worms[batch->members[i + 1]].source - worms[batch->members[i]].source < length)
            return false;
    const uint32_t from = worms[batch->members[first]].source;
    const uint32_t to = worms[batch->members[last]].source;
    return first == last || from + machine->config.n - to >= length;
}

static enum anl_status check_batches(const struct anl_diagonals *machine, struct anl_error *error)
{
    const uint32_t n = machine->config.n;
    for (uint32_t i = 0; i < machine->num_batches; i++) {
        const struct batch *batch = &machine->batches[i];
        for (size_t first = 0, last; first < batch->count; first = last + 1) {
            const uint32_t row = machine->worms[batch->members[first]].source / n;
            for (last = first; last + 1 < batch->count &&
                               machine->worms[batch->members[last + 1]].source / n == row;)
                last++;
            if (!is_row_apart(machine, batch, first, last))
                return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                                "batch %u, nodes %u to %u: expected sources of a row at least %u "
                                "nodes apart",
                                i, row * n, row * n + n - 1, machine->config.length);
        }
    }
    return ANL_OK;
}

static void place_worms(struct anl_diagonals *machine)
{
    for (size_t i = 0; i < machine->count; i++) {
        struct anl_diagonals_worm *worm = &machine->worms[i];
        *worm = (struct anl_diagonals_worm){worm->source, worm->destination, worm->batch,
                                            .node = worm->source};
        machine->travellers[i] =
            (struct traveller){.node = worm->source, .worm = (uint32_t)i, .side = AT_TERMINAL};
    }
}

static void empty(struct anl_diagonals *machine)
{
    const size_t links = (size_t)machine->nodes * 2 * machine->config.d;
    release(machine);
    memset(machine->owners, 0xff, links * sizeof *machine->owners);
    memset(machine->taken, 0,
           (size_t)machine->nodes * (machine->config.d / 2) * sizeof *machine->taken);
    machine->worms = NULL;
    machine->count = machine->num_batches = machine->oldest = 0;
    machine->cycle = machine->end = 0;
    machine->num_moves = 0;
    machine->fault = (struct anl_diagonals_fault){0};
    machine->totals = (struct anl_diagonals_totals){0};
}

static enum anl_status take_memory(struct anl_diagonals *machine)
{
    const size_t count = machine->count + 1;  // an empty list is no failure
    machine->travellers = malloc(count * sizeof *machine->travellers);
    machine->trails = malloc(count * machine->config.length * sizeof *machine->trails);
    machine->members = malloc(count * sizeof *machine->members);
    machine->batches = calloc(machine->num_batches + 1, sizeof *machine->batches);
    return machine->travellers && machine->trails && machine->members && machine->batches
               ? ANL_OK
               : ANL_ERR_MEMORY;
}

enum anl_status anl_diagonals_load(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                   size_t count, struct anl_error *error)
{
    empty(machine);
    enum anl_status status = check_worms(machine, worms, count, error);
    if (status) return status;
    machine->worms = worms;
    machine->count = count;
    for (size_t i = 0; i < count; i++)
        if (worms[i].batch >= machine->num_batches) machine->num_batches = worms[i].batch + 1;
    status = take_memory(machine);
    if (!status) status = sort_worms(machine);
    if (status) anl_fail(error, status, "", 0, "no memory for %zu worms", count);
    if (!status) status = check_batches(machine, error);
    if (status) {
        empty(machine);
        return status;
    }
    place_worms(machine);
    machine->end = anl_diagonals_cycles(&machine->config, machine->num_batches);
    return ANL_OK;
}

// --- what can be seen ---

uint64_t anl_diagonals_next(const struct anl_diagonals *machine) { return machine->cycle; }

bool anl_diagonals_done(const struct anl_diagonals *machine)
{
    return machine->cycle == machine->end || machine->fault.happened;
}

struct anl_diagonals_fault anl_diagonals_fault(const struct anl_diagonals *machine)
{
    return machine->fault;
}

struct anl_diagonals_totals anl_diagonals_totals(const struct anl_diagonals *machine)
{
    return machine->totals;
}

static void show(const struct anl_diagonals *machine, const struct traveller *worm,
                 struct anl_diagonals_register *registers)
{
    for (uint32_t index = worm->drained; index < worm->moved; index++)
        registers[*diagonals_trail(machine, worm, index - worm->drained)] =
            (struct anl_diagonals_register){worm->worm, index, true};
}

void anl_diagonals_registers(const struct anl_diagonals *machine,
                             struct anl_diagonals_register *registers)
{
    const size_t links = (size_t)machine->nodes * 2 * machine->config.d;
    memset(registers, 0, links * sizeof *registers);
    for (uint32_t i = machine->oldest; i < machine->num_batches; i++)
        for (size_t j = 0; j < machine->batches[i].count; j++)
            show(machine, &machine->travellers[machine->batches[i].members[j]], registers);
}

enum anl_status anl_diagonals_record(struct anl_diagonals *machine, bool on)
{
    const size_t links = (size_t)machine->nodes * 2 * machine->config.d;
    free(machine->moves);
    machine->num_moves = 0;
    // A flit comes into a register or leaves one for good, so there are two moves for each.
    machine->moves = on ? malloc(2 * links * sizeof *machine->moves) : NULL;
    return on && !machine->moves ? ANL_ERR_MEMORY : ANL_OK;
}

const struct anl_diagonals_move *anl_diagonals_moves(const struct anl_diagonals *machine,
                                                     size_t *count)
{
    *count = machine->num_moves;
    return machine->moves;
}

// --- whole runs ---

static enum anl_status run_batches(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                   size_t count, struct anl_error *error)
{
    const enum anl_status status = anl_diagonals_load(machine, worms, count, error);
    if (status) return status;
    while (!anl_diagonals_done(machine))
        anl_diagonals_step(machine);
    const struct anl_diagonals_fault *fault = &machine->fault;
    if (!fault->happened) return ANL_OK;
    return anl_fail(error, ANL_ERR_STALLED, "", 0, "step %llu: worms %u and %u collide on link %u",
                    (unsigned long long)fault->cycle, fault->worms[0], fault->worms[1],
                    fault->link);
}

// Worms that failed, as worms of their own that begin where they are now.
struct rest {
    struct anl_diagonals_worm *worms;
    size_t *numbers, count;  // which worm each of them is
};

static void collect(const struct anl_diagonals_worm *worms, size_t count, struct rest *rest)
{
    rest->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (worms[i].state == ANL_DIAGONALS_DELIVERED) continue;
        rest->worms[rest->count] = (struct anl_diagonals_worm){.source = worms[i].node,
                                                               .destination = worms[i].destination};
        rest->numbers[rest->count++] = i;
    }
}

static void give_back(const struct rest *rest, struct anl_diagonals_worm *worms)
{
    for (size_t i = 0; i < rest->count; i++) {
        const uint32_t source = worms[rest->numbers[i]].source;
        worms[rest->numbers[i]] = rest->worms[i];
        worms[rest->numbers[i]].source = source;
    }
}

// Routes those that failed once more.
static enum anl_status clean_up(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                const struct rest *rest, struct anl_diagonals_run *run,
                                struct anl_error *error)
{
    uint32_t batches;
    enum anl_status status =
        anl_diagonals_batch(&machine->config, rest->worms, rest->count, &batches);
    if (!status) status = run_batches(machine, rest->worms, rest->count, error);
    if (status) return status;
    run->passes++;
    run->clean_cycles += machine->end;
    run->totals.moves += machine->totals.moves;
    run->totals.consumed += machine->totals.consumed;
    give_back(rest, worms);
    return ANL_OK;
}

enum anl_status anl_diagonals_route(struct anl_diagonals *machine, struct anl_diagonals_worm *worms,
                                    size_t count, struct anl_diagonals_run *run,
                                    struct anl_error *error)
{
    enum { MOST_PASSES = 1000 };
    struct rest rest = {malloc((count + 1) * sizeof *rest.worms),
                        malloc((count + 1) * sizeof *rest.numbers), 0};
    *run = (struct anl_diagonals_run){0};
    enum anl_status status = rest.worms && rest.numbers
                                 ? run_batches(machine, worms, count, error)
                                 : anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for a run");
    if (!status) {
        run->batches = machine->num_batches;
        run->cycles = machine->end;
        run->totals = machine->totals;
        collect(worms, count, &rest);
    }
    while (!status && rest.count > 0) {
        status = run->passes == MOST_PASSES
                     ? anl_fail(error, ANL_ERR_STALLED, "", 0, "%zu worms are left", rest.count)
                     : clean_up(machine, worms, &rest, run, error);
        collect(worms, count, &rest);
    }
    empty(machine);
    free(rest.worms);
    free(rest.numbers);
    return status;
}
