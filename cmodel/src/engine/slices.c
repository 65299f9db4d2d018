// SPDX-License-Identifier: Apache-2.0
//
// Links of several cycles (docs/link.md) and switches of two stages (docs/switch.md): flits that
// are granted, or credits, come later than in the next cycle. Such a link begins with a gate. The
// sender counts in the lanes of its gate what is missing of its credits, as it does with those of a
// gate to another part: flits on their way, flits in the lane at the end of the link, and credits
// on their way. What is on its way lies in a ring of lists, one for each cycle in which it may
// come. If the link comes from another part, or leads there, it is on its way in the part to which
// it comes.

#include "slices.h"
#include "engine.h"
#include "part.h"

#include <stdlib.h>

// A flit or a credit that is on its way.
struct passing {
    uint32_t port;  // of a flit the input port that it enters, of a credit the gate of its sender
    uint32_t worm;  // id of the worm of a head; with two stages, of any flit
    uint8_t vc;     // the lane at the end of the link
    bool is_credit;
    bool head, tail;  // of a flit
    uint16_t index;   // of a flit in its worm; two stages
};

struct slices {
    uint32_t cycles;          // of a hop between switches
    size_t most;              // that come in one cycle
    size_t *counts;           // [cycles]
    struct passing *passing;  // [cycles * most] what comes in a cycle is in list cycle % cycles
    size_t under_way;         // in all lists
    size_t num_crossing;      // two stages: flits that leave switches in this cycle
    uint64_t sorted;          // the cycle in which lists were sorted for packing; UINT64_MAX: none
    const uint32_t *to;       // [links] the input port at the end of a link, or what else there
                              // is: a terminal, another part
    const uint32_t *link;     // [links] the link that ends at an input port, or that which
                           // makes a pair with it: the links of a pair have the gate of their ports
    uint32_t *from;  // engine->from where links do not come in pairs; else NULL
};

// Returns the gate with which a link begins.
static uint32_t gate_of(const struct anl_engine *engine, uint32_t link)
{
    return first_gate(engine) + link;
}

// Return the cycles from the one in which a flit is granted to a link, or leaves the lane at its
// end, to the first one that counts the flit in the lane, or its credit at the sender. A switch of
// two stages delays the flits of its outputs and the credits of its inputs.
static uint32_t flit_cycles(const struct anl_engine *engine, uint32_t link)
{
    if (link >= engine->switch_links) return 1;
    if (engine->slices->to[link] >= engine->switch_links) return anl_stages(&engine->config);
    return engine->slices->cycles;
}

static uint32_t credit_cycles(const struct anl_engine *engine, uint32_t link)
{
    if (link >= engine->switch_links) return anl_stages(&engine->config);
    if (engine->slices->to[link] >= engine->switch_links) return 1;
    return engine->slices->cycles;
}

bool engine_make_slices(struct anl_engine *engine)
{
    const uint32_t links = engine_links_with_gates(engine);
    struct slices *made = calloc(1, sizeof *made);
    engine->slices = made;
    if (!made) return false;
    made->cycles = anl_hop_cycles(&engine->config);
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
    slices->sorted = UINT64_MAX;
    for (uint32_t i = 0; i < slices->cycles; i++)
        slices->counts[i] = 0;
}

// A link that has a gate leads to it, and comes from it.
void engine_wire_slices(struct anl_engine *engine)
{
    struct slices *slices = engine->slices;
    uint32_t *from = slices->from;
    slices->to = engine->part ? engine->part->to : engine->network->to;
    slices->link = engine->from ? engine->from : slices->to;
    for (uint32_t port = 0; from && port < first_gate(engine); port++)
        from[port] = engine->from[port];
    for (uint32_t link = 0; link < engine_links_with_gates(engine); link++) {
        const uint32_t gate = gate_of(engine, link), end = slices->to[link];
        engine->ports[gate].to = link;
        if (from) from[gate] = link;
        if (end == ANL_NO_PORT || end >= first_gate(engine)) continue;
        if (flit_cycles(engine, link) == 1 && credit_cycles(engine, link) == 1) continue;
        engine->ports[link].to = gate;
        if (from) from[end] = gate_of(engine, end);
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

void engine_send_flit(const struct anl_engine *engine, const struct move *move,
                      const uint32_t *worm, bool tail)
{
    const struct passing flit = {.port = move->to,
                                 .worm = worm ? *worm : NO_WORM,
                                 .vc = move->to_vc,
                                 .head = worm != NULL,
                                 .tail = tail};
    send(engine, flit, engine->slices->cycles);
}

static void send_credit(const struct anl_engine *engine, uint32_t link, uint32_t vc,
                        uint32_t cycles)
{
    send(engine, (struct passing){.port = link, .vc = (uint8_t)vc, .is_credit = true}, cycles);
}

void engine_send_credit(const struct anl_engine *engine, uint32_t gate, uint32_t vc)
{
    send_credit(engine, gate - first_gate(engine), vc, engine->slices->cycles);
}

// A flit crosses a link inside this part.
static void pass_flit(const struct anl_engine *engine, const struct move *move)
{
    const struct lane *lane = lane_of(engine, move->port, move->from_vc);
    const struct passing flit = {.port = engine->slices->to[move->link],
                                 .worm = lane->worm,
                                 .vc = move->to_vc,
                                 .head = lane->index == 0,
                                 .tail = lane->index + 1 == lane->length,
                                 .index = lane->index};
    send(engine, flit, flit_cycles(engine, move->link));
}

// A flit leaves the lane at the end of such a link.
static void pass_credit(const struct anl_engine *engine, const struct move *move)
{
    const uint32_t link = engine->slices->link[move->port];
    send_credit(engine, link, move->from_vc, credit_cycles(engine, link));
}

void engine_pass_slices(struct anl_engine *engine)
{
    const uint32_t gates = first_gate(engine);
    for (size_t i = 0; i < engine->num_moves; i++) {
        const struct move *move = &engine->moves[i];
        if (move->to >= gates && !leads_out(engine, move->to)) pass_flit(engine, move);
        if (move->before >= gates && !comes_in(engine, move->before)) pass_credit(engine, move);
    }
}

uint32_t engine_sliced_end(const struct slices *slices, uint32_t link) { return slices->to[link]; }

static void enter(struct anl_engine *engine, const struct passing *flit)
{
    const struct move move = {
        .link = gate_of(engine, flit->port), .to = flit->port, .to_vc = flit->vc};
    if (flit->port >= engine->switch_links)
        engine_eject(engine, &move, flit->worm, flit->head, flit->tail);
    else
        engine_enter(engine, &move, flit->head ? &flit->worm : NULL, flit->tail);
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

uint32_t engine_injection_end(const struct anl_engine *engine, const struct move *move)
{
    return engine->slices->to[move->link];
}

void engine_take_at_gate(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    engine_leave_gate(engine, gate_of(engine, engine->slices->link[port]), vc);
}

// ---------------------------------------------------------------- flits that cross

static struct anl_flit crossing(const struct anl_engine *engine, const struct passing *passing)
{
    return (struct anl_flit){.link = engine->slices->link[passing->port],
                             .worm = passing->worm,
                             .index = passing->index,
                             .vc = passing->vc,
                             .head = passing->head,
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
    engine->slices->num_crossing = engine->part ? engine->part->flits_out : 0;
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
static void sort_lists(const struct anl_engine *engine)
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

// Returns the head in a sorted list that comes to a lane; NO_WORM: there is none.
static uint32_t head_in_list(const struct passing *list, size_t count, uint32_t port, uint32_t vc)
{
    for (size_t i = before_port(list, count, port); i < count && list[i].port == port; i++)
        if (list[i].head && list[i].vc == vc) return list[i].worm;
    return NO_WORM;
}

uint32_t engine_head_under_way(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    const struct slices *slices = engine->slices;
    uint32_t head = NO_WORM;
    sort_lists(engine);
    for (uint32_t i = slices->cycles; i-- > 0 && head == NO_WORM;) {
        const size_t list = (engine->cycle + i) % slices->cycles;
        head = head_in_list(&slices->passing[list * slices->most], slices->counts[list], port, vc);
    }
    return head;
}

// With two stages any flit may have to be recorded when it crosses its link.
static enum anl_status pack_index(struct anl_engine *engine, struct passing *passing,
                                  struct anl_pack *pack)
{
    const enum anl_status status = engine_pack_worm(engine, &passing->worm, pack);
    if (status || pack->failed) return status;
    const uint16_t length = head_of(engine, passing->worm)->length;
    ANL_PACK_BELOW(pack, passing->index, length);
    passing->head = passing->index == 0;
    passing->tail = passing->index + 1 == length;
    return ANL_OK;
}

static enum anl_status pack_passing(struct anl_engine *engine, uint32_t first, uint32_t ports,
                                    struct passing *passing, struct anl_pack *pack)
{
    uint32_t port = passing->port - first;
    ANL_PACK_BELOW(pack, port, ports);
    passing->port = first + port;
    ANL_PACK_BELOW(pack, passing->vc, engine->config.num_vcs);
    anl_pack_bool(pack, &passing->is_credit);
    if (has_stages(engine)) return passing->is_credit ? ANL_OK : pack_index(engine, passing, pack);
    anl_pack_bool(pack, &passing->head);
    anl_pack_bool(pack, &passing->tail);
    return passing->head ? engine_pack_worm(engine, &passing->worm, pack) : ANL_OK;
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
            lane->num_worms = (uint8_t)(lane->num_worms + (passing->head ? sign : 0));
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
