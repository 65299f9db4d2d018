// SPDX-License-Identifier: Apache-2.0
//
// What of a network there is to pay for (docs/cost.md): the turns of its switches, found by
// following all routes, and what hangs on them.

#include "columns.h"

#include <stdlib.h>
#include <string.h>

// Destinations times switches: more routes than these are not followed.
enum { MOST_ROUTES = 1 << 22 };

// The heads for one destination: seen[] of an input port is the destination if one has come to it.
struct walk {
    const struct anl_config *config;
    uint32_t *turns, *seen, *todo;
    uint32_t left, ports;
};

static void come(struct walk *walk, uint32_t in, uint32_t destination)
{
    if (walk->seen[in] == destination) return;
    walk->seen[in] = destination;
    walk->todo[walk->left++] = in;
}

// Goes on by all ways of a head that stands in a lane of an input port.
static void go_on(struct walk *walk, uint32_t in, uint32_t vc, uint32_t destination)
{
    const struct anl_input_lane at = {in / walk->ports, in % walk->ports, vc};
    const struct anl_route route = anl_route_at(walk->config, at, destination);
    for (uint32_t p = 0; p < walk->ports; p++) {
        if (!(route.ports >> p & 1)) continue;
        walk->turns[in] |= 1u << p;
        const struct anl_end end = anl_link_end(walk->config, at.switch_, p);
        if (end.exists && !end.is_terminal)
            come(walk, end.node * walk->ports + end.port, destination);
    }
}

static void follow(struct walk *walk, uint32_t destination)
{
    const struct anl_config *config = walk->config;
    for (uint32_t from = 0; from < anl_shape_of(config).terminals; from++) {
        const struct anl_end end = anl_end_of(config, anl_injection_link(config, from));
        come(walk, end.node * walk->ports + end.port, destination);
    }
    while (walk->left) {
        const uint32_t in = walk->todo[--walk->left];
        go_on(walk, in, 0, destination);
        if (config->num_vcs > 1) go_on(walk, in, config->num_vcs - 1, destination);
    }
}

// Returns for each input port the mask of the output ports to which routes lead; NULL: there are
// too many routes, or no memory. Where classes have routings of their own, those of all classes.
static uint32_t *turns_of(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    const size_t inputs = (size_t)shape.switches * shape.ports;
    if ((uint64_t)shape.switches * shape.terminals > MOST_ROUTES) return NULL;
    struct walk walk = {.turns = calloc(inputs, sizeof(uint32_t)),
                        .seen = malloc(inputs * sizeof(uint32_t)),
                        .todo = malloc(inputs * sizeof(uint32_t)),
                        .ports = shape.ports};
    const bool room = walk.turns && walk.seen && walk.todo;
    for (uint32_t c = 0; room && c < (anl_classes_differ(config) ? config->classes : 1); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        walk.config = &one;
        memset(walk.seen, 0xff, inputs * sizeof *walk.seen);
        for (uint32_t to = 0; to < shape.terminals; to++)
            follow(&walk, to);
    }
    free(walk.seen);
    free(walk.todo);
    if (room) return walk.turns;
    free(walk.turns);
    return NULL;
}

// The turns of a switch in numbers.
struct turns {
    uint32_t inputs, outputs, all;
    uint32_t select;  // LUT4 that choose a bit for each output
};

static struct turns count(const uint32_t *of_inputs, uint32_t ports)
{
    struct turns turns = {0};
    for (uint32_t out = 0; out < ports; out++) {
        uint32_t leading = 0;
        for (uint32_t in = 0; in < ports; in++)
            leading += of_inputs[in] >> out & 1;
        turns.outputs += leading > 0;
        turns.all += leading;
        turns.select += leading > 1 ? (leading + 1) / 2 : 0;
    }
    for (uint32_t in = 0; in < ports; in++)
        turns.inputs += of_inputs[in] != 0;
    return turns;
}

static bool has_arbiter(const struct anl_config *config, enum anl_arbiter arbiter)
{
    return config->arbiter == arbiter;
}

static void add_times(double times, const double *one, double *columns)
{
    for (size_t i = 0; i < COST_COLUMNS; i++)
        columns[i] += times * one[i];
}

static void add_switch(const struct anl_config *config, struct turns turns, double *columns)
{
    const double lanes = config->num_vcs, depth = config->depth;
    const double bits = config->flit_width_bits + 2, pairs = lanes * turns.all;
    const double entries = lanes * depth;
    const bool two_stages = anl_stages(config) > 1, blocks = two_stages && lanes > 1;
    const double values[COST_COLUMNS] = {
        [SELECT] = turns.select * bits,
        [INPUT_BITS] = turns.inputs * bits,
        [LANE_BITS] = blocks ? 0 : turns.inputs * entries * bits,
        [DEEP] = turns.inputs * ceil_of(bits, 4) * ceil_of(entries, 16),
        [BLOCKS] = blocks ? turns.inputs * ceil_of(bits - 4, 16) * ceil_of(entries, 256) : 0,
        [LANES] = turns.inputs * lanes,
        [LANE_COUNTS] = turns.inputs * lanes * bits_of(depth),
        [LANE_TURNS] = pairs,
        [LANES_TURNS] = lanes * pairs,
        [TURNS] = turns.all,
        [STAGE_BITS] = two_stages ? turns.outputs * bits : 0,
        [OPTIONS] = anl_is_adaptive(config) ? pairs : 0,
        [OPTIONS_LANES] = anl_is_adaptive(config) ? lanes * pairs : 0,
        [DATELINES] = config->routing == ANL_DATELINE ? turns.inputs * lanes : 0,
        [LENGTHS] = config->flow_control != ANL_WORMHOLE ? turns.inputs * lanes : 0,
        [ROUND_ROBIN] = has_arbiter(config, ANL_ROUND_ROBIN) ? pairs : 0,
        [RANDOM] = has_arbiter(config, ANL_RANDOM) ? pairs : 0,
        [MATRIX] = has_arbiter(config, ANL_ARBITER_MATRIX) ? pairs : 0,
        [AGE] = has_arbiter(config, ANL_AGE) ? pairs : 0,
        [FARTHEST] = has_arbiter(config, ANL_FARTHEST) ? pairs : 0,
        [FAVOURED] = has_arbiter(config, ANL_REGISTERED_PRIORITY) ? pairs : 0,
        [FAVOURED_LANES] = has_arbiter(config, ANL_REGISTERED_PRIORITY) ? lanes * pairs : 0,
    };
    add_times(1, values, columns);
}

static void add_terminals(const struct anl_config *config, double number, double *columns)
{
    const double lanes = config->num_vcs, bits = config->flit_width_bits + 2;
    const double entries = lanes * config->depth;
    const double values[COST_COLUMNS] = {
        [ONE] = 1,
        [BITS] = bits,
        [MEMORY_BITS] = entries * bits,
        [MEMORY_DEEP] = ceil_of(bits, 4) * ceil_of(entries, 16),
        [TERMINAL_LANES] = lanes,
        [TERMINAL_COUNTS] = lanes * bits_of(config->depth),
        [TERMINAL_PAIRS] = lanes * lanes,
    };
    add_times(number, values, columns);
}

// --- ports of AXI4 ---

enum { ATTRIBUTES = 24, LENGTH = 8, RESPONSE = 2 };  // bits

// A store of entries becomes block memories if it is large and deep enough (Yosys 0.23), else
// distributed memory, but for a single entry.
static void add_store(double bits, double entries, double *columns)
{
    if (entries >= 26 && bits * entries >= 2048)
        columns[PORT_BLOCKS] += bits;
    else if (entries > 1)
        columns[PORT_MEMORY] += ceil_of(bits, 4) * ceil_of(entries, 16);
}

// A port of AXI4-Lite stores what it has not, too.
static void set_user(const struct cost_ports *ports, double label, bool lite, double *columns)
{
    const double data = ports->data_bits, id = ports->id_bits, bursts = ports->bursts;
    const double room = lite ? bursts : ports->room, slots = lite ? 0 : ports->reorder;
    const double head = RESPONSE + label + ATTRIBUTES + ports->address_bits + id;
    columns[lite ? PORT_LITE : PORT_WHOLE] = 1;
    columns[PORT_DATA] = data;
    columns[PORT_SLOT_PAIRS] = slots * slots;
    columns[PORT_SLOT_IDS] = slots * id;
    add_store(head, 2, columns);
    add_store(head, 2, columns);
    add_store(data + data / 8, room, columns);
    if (slots > 0) {  // each has a place for a response and for the data of a burst
        columns[PORT_MEMORY] +=
            ceil_of(RESPONSE + 1, 4) * ceil_of(slots, 16) +
            ceil_of(data + RESPONSE + 1, 4) * ceil_of(slots * ports->max_beats, 16);
        return;
    }
    columns[PORT_ENTRIES] = bursts * (id + label + 2);
    add_store(RESPONSE + id, bursts, columns);
    add_store(data + RESPONSE + id + 1, room, columns);
}

static void set_memory(const struct cost_ports *ports, double label, double *columns)
{
    const double back = ports->id_bits + label, bursts = ports->bursts;
    columns[PORT_WHOLE] = 1;
    columns[PORT_DATA] = ports->data_bits;
    columns[PORT_ADDRESS] = ports->address_bits + ATTRIBUTES;
    columns[PORT_COUNTS] = bits_of(bursts);
    add_store(back, bursts, columns);
    add_store(RESPONSE, bursts, columns);
    add_store(LENGTH + back, bursts, columns);
    add_store(ports->data_bits + RESPONSE, 2, columns);
}

static void add_ports(const struct anl_config *config, const struct cost_ports *ports,
                      struct cost_shape *shape)
{
    const double label = anl_label_bits(config);
    if (cost_num_ports(ports) == 0) return;
    double whole[COST_COLUMNS] = {0}, lite[COST_COLUMNS] = {0}, memory[COST_COLUMNS] = {0};
    set_user(ports, label, false, whole);
    set_user(ports, label, true, lite);
    set_memory(ports, label, memory);
    add_times(ports->users, whole, shape->columns[COST_USERS]);
    add_times(ports->lite, lite, shape->columns[COST_USERS]);
    add_times(ports->memories, memory, shape->columns[COST_MEMORIES]);
}

// Returns the flip-flops of all slices of links between switches (docs/link.md, "Links of several
// cycles"): valid, lane and flit one way, a credit for each lane the other.
static double slices_of(const struct anl_config *config)
{
    const struct anl_shape shape = anl_shape_of(config);
    const uint32_t cycles = anl_link_cycles(config);
    const double lane_bits = config->num_vcs > 1 ? bits_of(config->num_vcs) : 1;
    uint32_t links = 0;
    for (uint32_t s = 0; cycles > 1 && s < shape.switches; s++)
        for (uint32_t p = 0; p < shape.ports; p++) {
            const struct anl_end end = anl_link_end(config, s, p);
            links += end.exists && !end.is_terminal;
        }
    return links * (cycles - 1.0) * (1 + lane_bits + config->flit_width_bits + 2 + config->num_vcs);
}

bool cost_shape_of(const struct anl_config *config, const struct cost_ports *ports, bool one,
                   struct cost_shape *shape)
{
    const struct anl_shape network = anl_shape_of(config);
    uint32_t *all = turns_of(config);
    struct turns most = {0};
    double *columns = shape->columns[COST_SWITCHES];
    *shape = (struct cost_shape){0};
    if (!all) return false;
    for (uint32_t s = 0; s < network.switches; s++) {
        const struct turns turns = count(all + (size_t)s * network.ports, network.ports);
        const uint32_t used = turns.inputs > turns.outputs ? turns.inputs : turns.outputs;
        if (!one) add_switch(config, turns, columns);
        if (turns.all > most.all) most = turns;
        if (used > shape->most_ports) shape->most_ports = used;
    }
    if (one) add_switch(config, most, columns);
    add_terminals(config, one ? 1 : network.terminals, shape->columns[COST_TERMINALS]);
    add_ports(config, ports, shape);
    shape->link_ffs = one ? 0 : slices_of(config);
    free(all);
    return true;
}
