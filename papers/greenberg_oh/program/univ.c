// SPDX-License-Identifier: Apache-2.0
//
// Every edge ends in a queue for one packet. A packet may leave a switch by an output when no
// packet of lower rank can still come for that output: every input that could bring one has an
// item, and none of these has a lower rank.

#include "greenberg_oh.h"

#include <annelid/base.h>
#include <annelid/network.h>
#include <stdlib.h>

enum { CHILDREN = 4, PORTS = 6 };

enum kind { EMPTY, PACKET, GHOST, END };

struct item {
    enum kind kind;
    uint32_t rank;  // of a packet; no packet of lower rank follows a ghost
    uint32_t packet;
};

// The queue at the end of an edge: its item now, and the item that arrives in this step.
struct queue {
    struct item now, next;
    uint32_t packets;  // how many came over the edge
};

struct link {
    uint32_t target;  // the queue at its end, or NOWHERE
    bool ended;       // END was sent
};

// What a terminal still sends: packets in ascending order of ranks, then END.
struct source {
    uint32_t next, end;  // in the order of the packets
    bool ended;          // END was sent
};

struct univ {
    const struct anl_config *network;
    const struct anl_new_worm *packets;
    struct anl_shape shape;
    struct anl_rng rng;
    struct queue *queues;    // of all input ports of switches, then of all terminals
    struct source *sources;  // [terminals]
    struct item *order;      // [packets] by source and rank
    struct link *links;      // [switches * ports]
    uint32_t delivered;
};

#define NOWHERE UINT32_MAX  // the end of a link that does not exist; no input

// --- edges ---

// Returns whether a queue can take an item in this step. A ghost never waits, so it blocks no item.
// Switches are served from the root down: the switch at the end of an up edge was served before, so
// the packet in its queue may have left in this step; the one at the end of a down edge was not.
static bool has_room(const struct queue *queue)
{
    return (queue->now.kind == EMPTY || queue->now.kind == GHOST) && queue->next.kind == EMPTY;
}

static bool send(struct univ *univ, uint32_t queue, struct item item)
{
    if (!has_room(&univ->queues[queue])) return false;
    univ->queues[queue].next = item;
    univ->queues[queue].packets += item.kind == PACKET;
    return true;
}

static void advance(struct univ *univ)
{
    const uint32_t queues = univ->shape.switches * univ->shape.ports + univ->shape.terminals;
    for (uint32_t i = 0; i < queues; i++) {
        struct queue *queue = &univ->queues[i];
        if (queue->now.kind == GHOST) queue->now = (struct item){0};
        if (queue->next.kind == EMPTY) continue;
        queue->now = queue->next;
        queue->next = (struct item){0};
    }
}

// --- switches ---

struct node {
    uint32_t switch_, level;
    uint32_t inputs;           // a root switch has no inputs from above
    struct item shown[PORTS];  // the items of its queues at the start of the step
    uint32_t wanted[PORTS];    // the output that the packet of an input wants
    uint32_t start;            // the input where the cyclic scan begins
};

// Returns the output for a packet. One of the up links is chosen at random, anew in every step.
static uint32_t output_of(struct univ *univ, uint32_t switch_, uint32_t packet)
{
    const struct anl_input_lane at = {switch_, 0, 0};
    const struct anl_route route =
        anl_route_at(univ->network, at, univ->packets[packet].destination);
    const uint32_t ways = (uint32_t)__builtin_popcount(route.ports);
    return anl_first_way(route).port + (ways > 1 ? anl_rng_below(&univ->rng, ways) : 0);
}

static struct node look(struct univ *univ, uint32_t switch_)
{
    struct node node = {.switch_ = switch_, .start = anl_rng_below(&univ->rng, PORTS)};
    node.level = anl_tree_place(univ->network, switch_).level;
    node.inputs = node.level == univ->network->n ? CHILDREN : PORTS;
    for (uint32_t p = 0; p < node.inputs; p++) {
        node.shown[p] = univ->queues[switch_ * PORTS + p].now;
        if (node.shown[p].kind == PACKET)
            node.wanted[p] = output_of(univ, switch_, node.shown[p].packet);
    }
    return node;
}

// Returns whether a packet can come in by input and go out by output. A packet from above never
// goes up again, and none goes down where it came up, except at level 1 to its own source.
static bool can_bring(const struct node *node, uint32_t input, uint32_t output)
{
    if (output >= CHILDREN) return input < CHILDREN;
    return input != output || node->level == 1;
}

// Combines the items of the inputs that can bring packets for output. Returns EMPTY if one of them
// is empty, END if no more packets can come, else a ghost with the lowest rank of the items.
static struct item together(const struct node *node, uint32_t output)
{
    struct item least = {.kind = END};
    for (uint32_t p = 0; p < node->inputs; p++) {
        const struct item *item = &node->shown[p];
        if (!can_bring(node, p, output) || item->kind == END) continue;
        if (item->kind == EMPTY) return *item;
        if (least.kind == END || item->rank < least.rank)
            least = (struct item){.kind = GHOST, .rank = item->rank};
    }
    return least;
}

// Returns the input whose packet may go by output: the first one in cyclic order that has a packet
// of this rank, the lowest. NOWHERE if none has.
static uint32_t winner(const struct node *node, uint32_t output, uint32_t rank)
{
    for (uint32_t i = 0; i < PORTS; i++) {
        const uint32_t p = (node->start + i) % PORTS;
        const struct item *item = &node->shown[p];
        if (item->kind == PACKET && item->rank == rank && node->wanted[p] == output) return p;
    }
    return NOWHERE;
}

static void serve_output(struct univ *univ, const struct node *node, uint32_t output)
{
    struct link *link = &univ->links[node->switch_ * PORTS + output];
    const struct item least = together(node, output);
    if (link->target == NOWHERE || link->ended || least.kind == EMPTY) return;
    if (least.kind == END) {
        link->ended = send(univ, link->target, least);
        return;
    }
    const uint32_t p = winner(node, output, least.rank);
    if (p == NOWHERE)
        send(univ, link->target, least);
    else if (send(univ, link->target, node->shown[p]))
        univ->queues[node->switch_ * PORTS + p].now = (struct item){0};
}

static void serve_switch(struct univ *univ, uint32_t switch_)
{
    const struct node node = look(univ, switch_);
    for (uint32_t output = 0; output < PORTS; output++)
        serve_output(univ, &node, output);
}

// --- processors ---

static void serve_terminal(struct univ *univ, uint32_t terminal)
{
    const uint32_t switches_queues = univ->shape.switches * PORTS;
    struct item *in = &univ->queues[switches_queues + terminal].now;
    const uint32_t injection = anl_ejection_link(univ->network, terminal);
    if (in->kind == PACKET) *in = (struct item){0};

    struct source *source = &univ->sources[terminal];
    const bool packets = source->next < source->end;
    const struct item out = packets ? univ->order[source->next] : (struct item){.kind = END};
    if (source->ended || !send(univ, injection, out)) return;
    source->next += packets;
    source->ended = !packets;
}

static void count_delivered(struct univ *univ)
{
    const uint32_t first = univ->shape.switches * PORTS;
    for (uint32_t t = 0; t < univ->shape.terminals; t++)
        univ->delivered += univ->queues[first + t].next.kind == PACKET;
}

// Serves switches from the root down to the leaves, then processors, in the order of algorithm
// STORE.
static void step(struct univ *univ)
{
    for (uint32_t s = univ->shape.switches; s-- > 0;)
        serve_switch(univ, s);
    count_delivered(univ);
    for (uint32_t t = 0; t < univ->shape.terminals; t++)
        serve_terminal(univ, t);
    advance(univ);
}

// --- the run ---

static enum anl_status begin(struct univ *univ, uint32_t num_packets)
{
    univ->shape = anl_shape_of(univ->network);
    const uint32_t queues = univ->shape.switches * PORTS + univ->shape.terminals;
    univ->queues = calloc(queues, sizeof *univ->queues);
    univ->links = calloc(queues, sizeof *univ->links);
    univ->sources = calloc(univ->shape.terminals, sizeof *univ->sources);
    univ->order = calloc((size_t)num_packets + 1, sizeof *univ->order);
    if (!univ->queues || !univ->links || !univ->sources || !univ->order) return ANL_ERR_MEMORY;
    for (uint32_t link = 0; link < univ->shape.switches * PORTS; link++) {
        const struct anl_end end = anl_link_end(univ->network, link / PORTS, link % PORTS);
        const uint32_t terminal_queue = univ->shape.switches * PORTS + end.node;
        const uint32_t queue = end.is_terminal ? terminal_queue : end.node * PORTS + end.port;
        univ->links[link].target = end.exists ? queue : NOWHERE;
    }
    return ANL_OK;
}

static int by_rank(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    return x->rank != y->rank ? (x->rank > y->rank) - (x->rank < y->rank)
                              : (x->packet > y->packet) - (x->packet < y->packet);
}

// Packets of one source follow each other.
static enum anl_status sample_ranks(struct univ *univ, uint32_t num_packets, uint32_t ranks)
{
    for (uint32_t i = 0; i < num_packets; i++) {
        const struct anl_new_worm *packet = &univ->packets[i];
        if (packet->source >= univ->shape.terminals || packet->destination >= univ->shape.terminals)
            return ANL_ERR_ARGUMENT;
        struct source *source = &univ->sources[packet->source];
        if (source->end == 0) source->next = source->end = i;
        if (source->end++ != i) return ANL_ERR_ARGUMENT;
        univ->order[i] = (struct item){PACKET, anl_rng_below(&univ->rng, ranks), i};
    }
    for (uint32_t t = 0; t < univ->shape.terminals; t++) {
        const struct source *source = &univ->sources[t];
        if (source->next < source->end)
            qsort(&univ->order[source->next], source->end - source->next, sizeof *univ->order,
                  by_rank);
    }
    return ANL_OK;
}

static void measure(const struct univ *univ, uint32_t num_packets, struct univ_result *result)
{
    for (uint32_t i = 0; i < univ->shape.switches * PORTS + univ->shape.terminals; i++)
        if (univ->queues[i].packets > result->congestion)
            result->congestion = univ->queues[i].packets;
    for (uint32_t i = 0; i < num_packets; i++) {
        const struct anl_new_worm *packet = &univ->packets[i];
        const uint32_t edges = anl_distance(univ->network, packet->source, packet->destination) + 2;
        if (edges > result->dilation) result->dilation = edges;
    }
    result->delivered = univ->delivered;
}

enum anl_status univ_run(const struct anl_config *network, const struct anl_new_worm *packets,
                         uint32_t num_packets, uint32_t ranks, uint64_t seed, uint32_t most_steps,
                         struct univ_result *result)
{
    struct univ univ = {.network = network, .packets = packets};
    *result = (struct univ_result){0};
    enum anl_status status = ranks ? begin(&univ, num_packets) : ANL_ERR_ARGUMENT;
    univ.rng =
        anl_rng_seed(seed, univ.shape.terminals + 1);  // the pattern uses the stream before it
    if (!status) status = sample_ranks(&univ, num_packets, ranks);
    while (!status && univ.delivered < num_packets && result->steps < most_steps) {
        step(&univ);
        result->steps++;
    }
    if (!status) measure(&univ, num_packets, result);
    free(univ.queues);
    free(univ.links);
    free(univ.sources);
    free(univ.order);
    return status;
}
