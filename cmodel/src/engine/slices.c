// SPDX-License-Identifier: Apache-2.0
//
// Links of several cycles (docs/link.md). Behind each port of a switch stands a gate. The sender
// counts in the lanes of its gate what is missing of its credits, as it does with those of a gate
// to another part: flits on their way, flits in the lane at the end of the link, and credits on
// their way. What is on its way lies in a ring of lists, one for each cycle in which it may come.

#include "engine.h"

#include <stdlib.h>

// A flit or a credit that is on its way.
struct passing {
    uint32_t port;  // of a flit the input port that it enters, of a credit the gate of its sender
    uint32_t worm;  // of a head, its id
    uint8_t vc;     // the lane at the end of the link
    bool is_credit;
    bool head, tail;  // of a flit
};

struct slices {
    uint32_t cycles;          // of a link
    size_t most;              // that come in one cycle
    size_t *counts;           // [cycles]
    struct passing *passing;  // [cycles * most] what comes in a cycle is in list cycle % cycles
    size_t under_way;         // in all lists
    uint32_t *from;           // engine->from where links do not come in pairs; else NULL
};

// Returns the gate behind a port of a switch.
static uint32_t gate_of(const struct anl_engine *engine, uint32_t port)
{
    return first_gate(engine) + port;
}

bool engine_make_slices(struct anl_engine *engine)
{
    const uint32_t links = engine->switch_links;
    struct slices *made = calloc(1, sizeof *made);
    engine->slices = made;
    if (!made) return false;
    made->cycles = anl_link_cycles(&engine->config);
    made->most = 2 * (size_t)links * anl_link_flits(&engine->config);
    made->counts = calloc(made->cycles, sizeof *made->counts);
    made->passing = calloc(made->cycles * made->most, sizeof *made->passing);
    if (!made->counts || !made->passing) return false;
    engine->shape.links = first_gate(engine) + links;
    if (!engine->from) return true;
    made->from = calloc(engine->shape.links, sizeof *made->from);
    return made->from != NULL;
}

void engine_free_slices(struct anl_engine *engine)
{
    if (!engine->slices) return;
    free(engine->slices->counts);
    free(engine->slices->passing);
    free(engine->slices->from);
    free(engine->slices);
}

void engine_reset_slices(struct anl_engine *engine)
{
    struct slices *slices = engine->slices;
    slices->under_way = 0;
    for (uint32_t i = 0; i < slices->cycles; i++)
        slices->counts[i] = 0;
}

// A link between switches leads to the gate behind its port, and comes from that of its end.
void engine_wire_slices(struct anl_engine *engine)
{
    uint32_t *from = engine->slices->from;
    for (uint32_t port = 0; from && port < first_gate(engine); port++)
        from[port] = engine->from[port];
    for (uint32_t port = 0; port < engine->switch_links; port++) {
        const uint32_t gate = gate_of(engine, port), end = engine->network->to[port];
        engine->ports[gate].to = port;
        if (from) from[gate] = port;
        if (end >= engine->switch_links) continue;
        engine->ports[port].to = gate;
        if (from) from[end] = gate_of(engine, end);
    }
    if (from) engine->from = from;
}

bool engine_slices_rest(const struct anl_engine *engine) { return engine->slices->under_way == 0; }

// Notes what comes at the end of the cycle in which the link has been passed.
static void send(const struct anl_engine *engine, struct passing passing)
{
    struct slices *slices = engine->slices;
    const size_t list = (engine->cycle + slices->cycles - 1) % slices->cycles;
    slices->passing[list * slices->most + slices->counts[list]++] = passing;
    slices->under_way++;
}

static void send_flit(const struct anl_engine *engine, const struct move *move)
{
    const struct lane *lane = lane_of(engine, move->port, move->from_vc);
    send(engine, (struct passing){.port = engine->network->to[move->link],
                                  .worm = lane->worm,
                                  .vc = move->to_vc,
                                  .head = lane->index == 0,
                                  .tail = lane->index + 1 == lane->length});
}

static void send_credit(const struct anl_engine *engine, const struct move *move)
{
    const struct anl_network *network = engine->network;
    const uint32_t link = network->from ? network->from[move->port] : network->to[move->port];
    send(engine,
         (struct passing){.port = gate_of(engine, link), .vc = move->from_vc, .is_credit = true});
}

void engine_pass_slices(struct anl_engine *engine)
{
    const uint32_t gates = first_gate(engine);
    for (size_t i = 0; i < engine->num_moves; i++) {
        const struct move *move = &engine->moves[i];
        if (move->to >= gates) send_flit(engine, move);
        if (move->before >= gates) send_credit(engine, move);
    }
}

static void enter(const struct anl_engine *engine, const struct passing *flit)
{
    const struct move move = {
        .link = gate_of(engine, flit->port), .to = flit->port, .to_vc = flit->vc};
    engine_enter(engine, &move, flit->head ? &flit->worm : NULL, flit->tail);
}

void engine_leave_slices(struct anl_engine *engine)
{
    struct slices *slices = engine->slices;
    const size_t list = engine->cycle % slices->cycles;
    const struct passing *passing = &slices->passing[list * slices->most];
    for (size_t i = 0; i < slices->counts[list]; i++)
        if (passing[i].is_credit)
            engine_leave_gate(engine, passing[i].port, passing[i].vc);
        else
            enter(engine, &passing[i]);
    slices->under_way -= slices->counts[list];
    slices->counts[list] = 0;
}
