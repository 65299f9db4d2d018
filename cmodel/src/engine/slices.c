// SPDX-License-Identifier: Apache-2.0
//
// Links of several cycles (docs/link.md) and switches of two stages (docs/switch.md): flits that
// are granted, or credits, come later than in the next cycle. Such a link begins with a gate. The
// sender counts in the lanes of its gate what is missing of its credits, as it does with those of a
// gate to another part: flits on their way, flits in the lane at the end of the link, and credits
// on their way. What is on its way lies in a ring of lists, one for each cycle in which it may
// come.

#include "engine.h"

#include <stdlib.h>

// A flit or a credit that is on its way.
struct passing {
    uint32_t port;   // of a flit the port that it enters, of a credit the link of its sender
    uint32_t worm;   // of a flit, the id of its worm
    uint16_t index;  // of a flit in its worm
    uint8_t vc;      // the lane at the end of the link
    bool is_credit;
    bool tail;  // of a flit
};

struct slices {
    uint32_t cycles;          // of a hop between switches
    size_t most;              // that come in one cycle
    size_t *counts;           // [cycles]
    struct passing *passing;  // [cycles * most] what comes in a cycle is in list cycle % cycles
    size_t under_way;         // in all lists
    size_t num_crossing;      // flits that cross links in this cycle and were granted in the last
    uint64_t sorted;          // the cycle in which lists were sorted for packing; UINT64_MAX: none
    uint32_t *from;           // engine->from where links do not come in pairs; else NULL
};

// Returns the gate with which a link begins.
static uint32_t gate_of(const struct anl_engine *engine, uint32_t link)
{
    return first_gate(engine) + link;
}

// Returns the link that ends at a port, as the network knows it.
static uint32_t link_to(const struct anl_engine *engine, uint32_t port)
{
    const struct anl_network *network = engine->network;
    return network->from ? network->from[port] : network->to[port];
}

// Return the cycles from the one in which a flit is granted to a link, or leaves the lane at its
// end, to the first one that counts the flit in the lane, or its credit at the sender. A switch of
// two stages delays the flits of its outputs and the credits of its inputs.
static uint32_t flit_cycles(const struct anl_engine *engine, uint32_t link)
{
    if (link >= engine->switch_links) return 1;
    const bool ejection = engine->network->to[link] >= engine->switch_links;
    return ejection ? anl_stages(&engine->config) : anl_hop_cycles(&engine->config);
}

static uint32_t credit_cycles(const struct anl_engine *engine, uint32_t link)
{
    if (link >= engine->switch_links) return anl_stages(&engine->config);
    const bool ejection = engine->network->to[link] >= engine->switch_links;
    return ejection ? 1 : anl_hop_cycles(&engine->config);
}

bool engine_make_slices(struct anl_engine *engine)
{
    const uint32_t links = first_gate(engine);
    struct slices *made = calloc(1, sizeof *made);
    engine->slices = made;
    if (!made) return false;
    made->cycles = anl_hop_cycles(&engine->config);
    made->most = 2 * (size_t)links * anl_link_flits(&engine->config);
    made->counts = calloc(made->cycles, sizeof *made->counts);
    made->passing = calloc(made->cycles * made->most, sizeof *made->passing);
    if (!made->counts || !made->passing) return false;
    engine->shape.links = 2 * links;
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
    slices->sorted = UINT64_MAX;
    for (uint32_t i = 0; i < slices->cycles; i++)
        slices->counts[i] = 0;
}

// A link that has a gate leads to it, and comes from it.
void engine_wire_slices(struct anl_engine *engine)
{
    uint32_t *from = engine->slices->from;
    for (uint32_t port = 0; from && port < first_gate(engine); port++)
        from[port] = engine->from[port];
    for (uint32_t link = 0; link < first_gate(engine); link++) {
        const uint32_t gate = gate_of(engine, link), end = engine->network->to[link];
        engine->ports[gate].to = link;
        if (from) from[gate] = link;
        if (end == ANL_NO_PORT) continue;
        if (flit_cycles(engine, link) == 1 && credit_cycles(engine, link) == 1) continue;
        engine->ports[link].to = gate;
        if (from) from[end] = gate;
    }
    if (from) engine->from = from;
}

bool engine_slices_rest(const struct anl_engine *engine) { return engine->slices->under_way == 0; }

// Notes what counts so many cycles after this one: it comes at the end of the cycle before.
static void send(const struct anl_engine *engine, struct passing passing, uint32_t cycles)
{
    struct slices *slices = engine->slices;
    const size_t list = (engine->cycle + cycles - 1) % slices->cycles;
    slices->passing[list * slices->most + slices->counts[list]++] = passing;
    slices->under_way++;
}

static void send_flit(const struct anl_engine *engine, const struct move *move)
{
    const struct lane *lane = lane_of(engine, move->port, move->from_vc);
    const struct passing flit = {.port = engine->network->to[move->link],
                                 .worm = lane->worm,
                                 .index = lane->index,
                                 .vc = move->to_vc,
                                 .tail = lane->index + 1 == lane->length};
    send(engine, flit, flit_cycles(engine, move->link));
}

static void send_credit(const struct anl_engine *engine, const struct move *move)
{
    const uint32_t link = link_to(engine, move->port);
    send(engine, (struct passing){.port = link, .vc = move->from_vc, .is_credit = true},
         credit_cycles(engine, link));
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

static void enter(struct anl_engine *engine, const struct passing *flit)
{
    const struct move move = {
        .link = gate_of(engine, link_to(engine, flit->port)), .to = flit->port, .to_vc = flit->vc};
    if (flit->port >= engine->switch_links)
        engine_eject(engine, &move, flit->worm, flit->index == 0, flit->tail);
    else
        engine_enter(engine, &move, flit->index == 0 ? &flit->worm : NULL, flit->tail);
}

void engine_leave_slices(struct anl_engine *engine)
{
    struct slices *slices = engine->slices;
    const size_t list = engine->cycle % slices->cycles;
    const struct passing *passing = &slices->passing[list * slices->most];
    for (size_t i = 0; i < slices->counts[list]; i++)
        if (passing[i].is_credit)
            engine_leave_gate(engine, gate_of(engine, passing[i].port), passing[i].vc);
        else
            enter(engine, &passing[i]);
    slices->under_way -= slices->counts[list];
    slices->counts[list] = 0;
}

uint32_t engine_inject_gate(const struct anl_engine *engine, const struct move *move)
{
    return move->to >= first_gate(engine) ? engine->network->to[move->link] : move->to;
}

bool engine_take_at_gate(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    if (link_into(engine, port) < first_gate(engine)) return false;
    engine_leave_gate(engine, gate_of(engine, link_to(engine, port)), vc);
    return true;
}

// ---------------------------------------------------------------- flits that cross

static struct anl_flit crossing(const struct anl_engine *engine, const struct passing *passing)
{
    return (struct anl_flit){.link = link_to(engine, passing->port),
                             .worm = passing->worm,
                             .index = passing->index,
                             .vc = passing->vc,
                             .head = passing->index == 0,
                             .tail = passing->tail};
}

// Lists the flits that cross links to ports of switches, or to terminals, of those that come after
// so many cycles with this one.
static void list_crossing(struct anl_engine *engine, bool to_terminals, uint32_t cycles)
{
    struct slices *slices = engine->slices;
    const size_t list = (engine->cycle + cycles - 1) % slices->cycles;
    const struct passing *passing = &slices->passing[list * slices->most];
    for (size_t i = 0; i < slices->counts[list]; i++) {
        if (passing[i].is_credit || (passing[i].port >= engine->switch_links) != to_terminals)
            continue;
        slices->num_crossing++;
        if (engine->record) engine->flits[engine->num_flits++] = crossing(engine, &passing[i]);
    }
}

void engine_list_crossing(struct anl_engine *engine)
{
    engine->slices->num_crossing = 0;
    list_crossing(engine, false, anl_link_cycles(&engine->config));
    list_crossing(engine, true, 1);
}

size_t engine_num_crossing(const struct anl_engine *engine) { return engine->slices->num_crossing; }

// ---------------------------------------------------------------- packing

static int by_port(const void *a, const void *b)
{
    const struct passing *x = a, *y = b;
    const uint32_t p = 2 * x->port + x->is_credit, q = 2 * y->port + y->is_credit;
    return p == q ? (x->vc > y->vc) - (x->vc < y->vc) : p < q ? -1 : 1;
}

// Sorts all lists by port, once in a cycle. In whatever order they are, the same happens.
static void sort_lists(struct anl_engine *engine)
{
    struct slices *slices = engine->slices;
    if (slices->sorted == engine->cycle) return;
    slices->sorted = engine->cycle;
    for (uint32_t i = 0; i < slices->cycles; i++)
        qsort(&slices->passing[i * slices->most], slices->counts[i], sizeof *slices->passing,
              by_port);
}

// Returns how many entries of a sorted list have lower ports.
static size_t before_port(const struct passing *list, size_t count, uint32_t port)
{
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (list[middle].port < port)
            low = middle + 1;
        else
            count = middle;
    }
    return low;
}

static enum anl_status pack_passing(struct anl_engine *engine, uint32_t first, uint32_t ports,
                                    struct passing *passing, struct anl_pack *pack)
{
    uint32_t port = passing->port - first;
    ANL_PACK_BELOW(pack, port, ports);
    passing->port = first + port;
    ANL_PACK_BELOW(pack, passing->vc, engine->config.num_vcs);
    anl_pack_bool(pack, &passing->is_credit);
    if (passing->is_credit) return ANL_OK;
    const enum anl_status status = engine_pack_worm(engine, &passing->worm, pack);
    if (status || pack->failed) return status;
    const uint16_t length = head_of(engine, passing->worm)->length;
    ANL_PACK_BELOW(pack, passing->index, length);
    passing->tail = passing->index + 1 == length;
    return ANL_OK;
}

// Packs the part of a list that goes to so many ports from `first` on.
static enum anl_status pack_list(struct anl_engine *engine, size_t list, uint32_t first,
                                 uint32_t ports, struct anl_pack *pack)
{
    struct slices *slices = engine->slices;
    struct passing *all = &slices->passing[list * slices->most];
    const size_t begin = before_port(all, slices->counts[list], first);
    uint32_t count = (uint32_t)(before_port(all, slices->counts[list], first + ports) - begin);
    enum anl_status status = ANL_OK;
    ANL_PACK_BELOW(pack, count, 2 * ports * anl_link_flits(&engine->config) + 1);
    for (uint32_t i = 0; i < count && !status && !pack->failed; i++) {
        struct passing read = {.port = first};
        status = pack_passing(engine, first, ports, pack->from ? &read : &all[begin + i], pack);
        if (!pack->from) continue;
        all[slices->counts[list]++] = read;
        slices->under_way++;
        engine->totals.in_network += !read.is_credit;
    }
    return status;
}

enum anl_status engine_pack_slices(struct anl_engine *engine, uint32_t first, uint32_t ports,
                                   struct anl_pack *pack)
{
    const struct slices *slices = engine->slices;
    enum anl_status status = ANL_OK;
    if (!pack->from) sort_lists(engine);
    for (uint32_t i = 0; i < slices->cycles && !status; i++)
        status = pack_list(engine, (engine->cycle + i) % slices->cycles, first, ports, pack);
    return status;
}

// Counts what is on its way where it will be, or takes that back: sign is 1 or -1. Returns whether
// lanes have room for it, and senders lack the credits.
static bool count_ahead(struct anl_engine *engine, int sign)
{
    const struct slices *slices = engine->slices;
    const uint32_t depth = engine->config.depth;
    bool fits = true;
    for (uint32_t list = 0; list < slices->cycles; list++)
        for (size_t i = 0; i < slices->counts[list]; i++) {
            const struct passing *passing = &slices->passing[list * slices->most + i];
            const uint32_t port =
                passing->is_credit ? gate_of(engine, passing->port) : passing->port;
            struct lane *lane = lane_of(engine, port, passing->vc);
            lane->count = (uint8_t)(lane->count + (passing->is_credit ? -sign : sign));
            const bool head = !passing->is_credit && passing->index == 0;
            lane->num_worms = (uint8_t)(lane->num_worms + (head ? sign : 0));
            fits &= lane->count <= depth && lane->num_worms <= depth;
        }
    return fits;
}

bool engine_slices_fit(struct anl_engine *engine)
{
    const bool fits = count_ahead(engine, 1);
    count_ahead(engine, -1);
    return fits;
}
