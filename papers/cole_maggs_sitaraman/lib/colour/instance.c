// SPDX-License-Identifier: Apache-2.0
//
// Instances as scenarios: a graph, and messages that bring their routes.

#include "colour.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MAX_PORTS = 32,
    MAX_FLIT_WIDTH_BITS = 512,
    FLIT_WIDTH_STEP = 32,
    MAX_CYCLES = 1000000000,
    LENGTH_BITS = 7
};

void anl_instance_free(struct anl_instance *instance)
{
    free(instance->from);
    free(instance->to);
    anl_link_paths_free(&instance->paths);
    *instance = (struct anl_instance){0};
}

// The ports of the switches: those of links first, then those of the ring, then those of terminals.
// From each switch of a graph a path must lead to each terminal (docs/networks.md, "Graphs"); so a
// ring, which no message takes, leads from each switch to the one before it.
struct ports {
    uint32_t *out, *in;            // [links] at the begin and at the end of each link
    uint32_t *ring_out, *ring_in;  // [switches]
    uint32_t *exits;               // [links] 1 + the terminal for those that end there; 0: none
    uint32_t *switches, *homes;    // [terminals] switch and port of each
    uint32_t terminals;            // message m begins at terminal m
    uint32_t *used;                // [switches]
    uint32_t most;                 // of a switch
};

static void free_ports(struct ports *ports)
{
    free(ports->out);
    free(ports->in);
    free(ports->ring_out);
    free(ports->ring_in);
    free(ports->exits);
    free(ports->switches);
    free(ports->homes);
    free(ports->used);
}

static uint32_t first_switch(const struct anl_instance *instance, uint32_t message)
{
    return instance->from[instance->paths.on[instance->paths.begin[message]]];
}

static uint32_t last_link(const struct anl_instance *instance, uint32_t message)
{
    return instance->paths.on[instance->paths.begin[message + 1] - 1];
}

// Gives links their ports; used[s] becomes the number of ports of switch s that have a link.
static void place_links(const struct anl_instance *instance, struct ports *ports)
{
    for (uint32_t l = 0; l < instance->paths.links; l++) {
        ports->out[l] = ports->ring_out[instance->from[l]]++;
        ports->in[l] = ports->ring_in[instance->to[l]]++;
    }
    for (uint32_t s = 0; s < instance->switches; s++) {
        const uint32_t out = ports->ring_out[s], in = ports->ring_in[s];
        ports->used[s] = (out > in ? out : in) + 1;
    }
}

static void place_terminal(struct ports *ports, uint32_t switch_)
{
    ports->switches[ports->terminals] = switch_;
    ports->homes[ports->terminals++] = ports->used[switch_]++;
}

// Messages that come by one link have one terminal: they wait for each other on that link already,
// and not again behind it.
static void place_terminals(const struct anl_instance *instance, struct ports *ports)
{
    for (uint32_t m = 0; m < instance->paths.messages; m++)
        place_terminal(ports, first_switch(instance, m));
    for (uint32_t m = 0; m < instance->paths.messages; m++) {
        const uint32_t link = last_link(instance, m);
        if (!ports->exits[link]) {
            place_terminal(ports, instance->to[link]);
            ports->exits[link] = ports->terminals;
        }
    }
    for (uint32_t s = 0; s < instance->switches; s++)
        if (ports->used[s] > ports->most) ports->most = ports->used[s];
}

static enum anl_status place(const struct anl_instance *instance, struct ports *ports,
                             struct anl_error *error)
{
    *ports = (struct ports){0};
    ports->out = calloc((size_t)instance->paths.links + 1, sizeof *ports->out);
    ports->in = calloc((size_t)instance->paths.links + 1, sizeof *ports->in);
    ports->ring_out = calloc((size_t)instance->switches + 1, sizeof *ports->ring_out);
    ports->ring_in = calloc((size_t)instance->switches + 1, sizeof *ports->ring_in);
    ports->exits = calloc((size_t)instance->paths.links + 1, sizeof *ports->exits);
    ports->switches = calloc(2 * (size_t)instance->paths.messages + 1, sizeof *ports->switches);
    ports->homes = calloc(2 * (size_t)instance->paths.messages + 1, sizeof *ports->homes);
    ports->used = calloc((size_t)instance->switches + 1, sizeof *ports->used);
    if (!ports->out || !ports->in || !ports->ring_out || !ports->ring_in || !ports->homes ||
        !ports->exits || !ports->switches || !ports->used)
        return anl_fail(error, ANL_ERR_MEMORY, "", 0, "%s", anl_status_text(ANL_ERR_MEMORY));
    place_links(instance, ports);
    place_terminals(instance, ports);
    if (ports->most > MAX_PORTS)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "a switch would have %" PRIu32
                        " ports, one for each message that begins there; at most %d",
                        ports->most, MAX_PORTS);
    return ANL_OK;
}

// Returns ceil(log2(count)), at least 1.
static uint32_t bits_of(uint32_t count)
{
    uint32_t bits = 1;
    while ((UINT64_C(1) << bits) < count)
        bits++;
    return bits;
}

// Returns the bits of a flit in which the longest route fits beside the destination, and the length
// if a head has it (docs/link.md); 0 if none is wide enough.
static uint32_t flit_width(const struct anl_instance *instance, const struct ports *ports,
                           bool length_in_head)
{
    size_t longest = 0;
    for (uint32_t m = 0; m < instance->paths.messages; m++) {
        const size_t links = instance->paths.begin[m + 1] - instance->paths.begin[m];
        if (links > longest) longest = links;
    }
    const size_t bits = (longest + 1) * bits_of(ports->most) + bits_of(ports->terminals) +
                        (length_in_head ? LENGTH_BITS : 0);
    const size_t width = (bits + FLIT_WIDTH_STEP - 1) / FLIT_WIDTH_STEP * FLIT_WIDTH_STEP;
    return width <= MAX_FLIT_WIDTH_BITS ? (uint32_t)width : 0;
}

// --- the scenario ---

// The list is in brackets and its lines are short: a scenario has at most 1 MiB.
static void write_link(FILE *stream, uint32_t from, uint32_t out, uint32_t to, uint32_t in)
{
    fprintf(stream, " {from: %" PRIu32 ".%" PRIu32 ", to: %" PRIu32 ".%" PRIu32 "},\n", from, out,
            to, in);
}

static void write_graph(FILE *stream, const struct anl_instance *instance,
                        const struct ports *ports)
{
    fprintf(stream, "graph:\n  switches: %" PRIu32 "\n  ports: %" PRIu32 "\n  terminals: [",
            instance->switches, ports->most);
    for (uint32_t t = 0; t < ports->terminals; t++)
        fprintf(stream, "%s%" PRIu32 ".%" PRIu32, t ? ", " : "", ports->switches[t],
                ports->homes[t]);
    fputs("]\n  links: [\n", stream);
    for (uint32_t s = 0; s < instance->switches; s++) {
        const uint32_t to = (s ? s : instance->switches) - 1;
        write_link(stream, s, ports->ring_out[s], to, ports->ring_in[to]);
    }
    for (uint32_t l = 0; l < instance->paths.links; l++)
        write_link(stream, instance->from[l], ports->out[l], instance->to[l], ports->in[l]);
    fputs("  ]\n", stream);
}

enum anl_status anl_instance_write_scenario(FILE *stream, const struct anl_instance *instance,
                                            const struct anl_instance_scenario *how,
                                            struct anl_error *error)
{
    struct ports ports;
    enum anl_status status = place(instance, &ports, error);
    const uint32_t width = status ? 0 : flit_width(instance, &ports, how->length_in_head);
    if (!status && !width)
        status = anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                          "the routes do not fit into heads of %d bits", MAX_FLIT_WIDTH_BITS);
    if (!status) {
        fprintf(stream,
                "network: {topology: graph}\nswitch: {num_vcs: %" PRIu32 ", depth: %" PRIu32
                ", routing: source, flit_width_bits: %" PRIu32 "%s}\n"
                "traffic: {process: replay, messages: %s}\nrun: {max_cycles: %d}\n",
                how->num_vcs, how->depth, width, how->more, how->messages, MAX_CYCLES);
        write_graph(stream, instance, &ports);
    }
    free_ports(&ports);
    return status;
}

// --- the messages ---

struct start {
    uint64_t step;
    uint32_t message;
};

static int by_step(const void *a, const void *b)
{
    const struct start *x = a, *y = b;
    if (x->step != y->step) return x->step < y->step ? -1 : 1;
    return x->message < y->message ? -1 : 1;
}

static void write_message(FILE *stream, const struct anl_instance *instance,
                          const struct ports *ports, struct start start, uint16_t length)
{
    const uint32_t m = start.message, to = ports->exits[last_link(instance, m)] - 1;
    fprintf(stream, "%" PRIu64 " %" PRIu32 " %" PRIu32 " %u ", start.step, m, to, length);
    for (size_t i = instance->paths.begin[m]; i < instance->paths.begin[m + 1]; i++)
        fprintf(stream, "%" PRIu32 ".", ports->out[instance->paths.on[i]]);
    fprintf(stream, "%" PRIu32 "\n", ports->homes[to]);
}

enum anl_status anl_instance_write_messages(FILE *stream, const struct anl_instance *instance,
                                            const struct anl_instance_scenario *how,
                                            struct anl_error *error)
{
    struct ports ports;
    const uint32_t messages = instance->paths.messages;
    struct start *starts = malloc(((size_t)messages + 1) * sizeof *starts);
    enum anl_status status = place(instance, &ports, error);
    if (!starts) status = anl_fail(error, ANL_ERR_MEMORY, "", 0, "no memory for the messages");
    if (!status) {
        for (uint32_t m = 0; m < messages; m++)
            starts[m] = (struct start){how->starts ? how->starts[m] : 0, m};
        qsort(starts, messages, sizeof *starts, by_step);
        fputs("# cycle source destination length route\n", stream);
        for (uint32_t m = 0; m < messages; m++)
            write_message(stream, instance, &ports, starts[m], how->length);
    }
    free(starts);
    free_ports(&ports);
    return status;
}
