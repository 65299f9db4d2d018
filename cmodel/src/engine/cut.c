// SPDX-License-Identifier: Apache-2.0
//
// How a part of a network is made (docs/scale.md, "One network in parts"): its switches and
// terminals, the links that the cut severs with a gate for each, and the peers to which they lead.

#include "engine.h"
#include "part.h"
#include "slices.h"

#include <annelid/base.h>
#include <stdlib.h>

// ---------------------------------------------------------------- the cut

// A link that the cut severs.
struct cut_link {
    uint32_t part;  // of its other end
    uint32_t link;  // its number in the network
    uint32_t port;  // the number in the network of its end in this part
    uint32_t gate;  // port number
    bool out;       // it leaves this part
    bool terminal;  // its other end is a terminal
};

// What is known of the network while a part is made.
struct making {
    struct anl_engine *engine;
    const struct anl_network *network;
    const uint32_t *part_of;
    const uint32_t *terminal_part;  // NULL: terminals are in the parts of their switches
    uint32_t own;
    uint32_t *switch_at, *terminal_at;  // numbers in the part, ANL_NO_PORT: not in it
    bool paired;                        // links come in pairs
    bool sliced;                        // they take several cycles, or switches have two stages
    struct cut_link *cut;
    uint32_t num_cut, room;
};

static uint32_t *numbers(size_t count)
{
    uint32_t *made = malloc((count ? count : 1) * sizeof *made);
    for (size_t i = 0; made && i < count; i++)
        made[i] = ANL_NO_PORT;
    return made;
}

static uint32_t part_of_port(const struct making *making, uint32_t port)
{
    return making->part_of[port / making->network->shape.ports];
}

// Returns the number in the part of a link or of a port of the network that is in it.
static uint32_t number_in_part(const struct making *making, uint32_t port)
{
    const struct anl_network *network = making->network;
    const uint32_t ports = network->shape.ports;
    if (port < network->switch_links) return making->switch_at[port / ports] * ports + port % ports;
    return making->engine->switch_links + making->terminal_at[port - network->switch_links];
}

static uint32_t injecting_part(const struct making *making, uint32_t terminal)
{
    if (making->terminal_part) return making->terminal_part[terminal];
    return part_of_port(making, network_injection_port(&making->network->config, terminal));
}

static uint32_t ejecting_part(const struct making *making, uint32_t terminal)
{
    if (making->terminal_part) return making->terminal_part[terminal];
    return part_of_port(making, anl_ejection_link(&making->network->config, terminal));
}

static bool has_terminal(const struct making *making, uint32_t terminal)
{
    return injecting_part(making, terminal) == making->own ||
           ejecting_part(making, terminal) == making->own;
}

// Says which switches of the part are in which tier of the network.
static void number_tiers(struct making *making)
{
    const struct anl_network *network = making->network;
    struct part *part = making->engine->part;
    for (uint32_t tier = 0; tier < network->num_tiers; tier++) {
        uint32_t *end = &part->tier_begin[tier + 1];
        *end = part->tier_begin[tier];
        while (*end < making->engine->shape.switches &&
               part->switches[*end] < network->tier_begin[tier + 1])
            ++*end;
    }
    making->engine->tier_begin = part->tier_begin;
}

// Numbers the switches and terminals of the part.
static enum anl_status number_nodes(struct making *making)
{
    const struct anl_shape *whole = &making->network->shape;
    struct anl_shape shape = {.ports = whole->ports};
    struct part *part = making->engine->part;
    making->switch_at = numbers(whole->switches);
    making->terminal_at = numbers(whole->terminals);
    if (!making->switch_at || !making->terminal_at) return ANL_ERR_MEMORY;
    for (uint32_t s = 0; s < whole->switches; s++)
        if (making->part_of[s] == making->own) making->switch_at[s] = shape.switches++;
    for (uint32_t t = 0; t < whole->terminals; t++)
        if (has_terminal(making, t)) making->terminal_at[t] = shape.terminals++;
    part->switches = numbers(shape.switches);
    part->terminals = numbers(shape.terminals);
    if (!part->switches || !part->terminals) return ANL_ERR_MEMORY;
    for (uint32_t s = 0; s < whole->switches; s++)
        if (making->switch_at[s] != ANL_NO_PORT) part->switches[making->switch_at[s]] = s;
    for (uint32_t t = 0; t < whole->terminals; t++)
        if (making->terminal_at[t] != ANL_NO_PORT) part->terminals[making->terminal_at[t]] = t;
    making->engine->shape = shape;
    making->engine->switch_links = shape.switches * shape.ports;
    number_tiers(making);
    return ANL_OK;
}

// ---------------------------------------------------------------- wires

static void tie(struct part *part, uint32_t begin, uint32_t end)
{
    part->to[begin] = end;
    part->from[end] = begin;
}

static bool list_cut(struct making *making, struct cut_link cut)
{
    if (making->num_cut == making->room) {
        const uint32_t room = 2 * making->room + 64;
        struct cut_link *grown = realloc(making->cut, room * sizeof *grown);
        if (!grown) return false;
        making->cut = grown;
        making->room = room;
    }
    making->cut[making->num_cut++] = cut;
    return true;
}

// Wires a link if it is inside the part, and lists it if the cut severs it.
static bool wire_link(struct making *making, uint32_t link, uint32_t end)
{
    const uint32_t switch_links = making->network->switch_links;
    const uint32_t from = link < switch_links ? part_of_port(making, link)
                                              : injecting_part(making, link - switch_links);
    const uint32_t to =
        end < switch_links ? part_of_port(making, end) : ejecting_part(making, end - switch_links);
    const bool out = from == making->own;
    if (!out && to != making->own) return true;
    making->paired &= network_to(making->network, end) == link;
    if (from != to)
        return list_cut(making, (struct cut_link){.part = out ? to : from,
                                                  .link = link,
                                                  .port = out ? link : end,
                                                  .out = out,
                                                  .terminal = (out ? end : link) >= switch_links});
    tie(making->engine->part, number_in_part(making, link), number_in_part(making, end));
    return true;
}

static bool wire_links(struct making *making)
{
    making->paired = true;
    for (uint32_t link = 0; link < making->network->shape.links; link++) {
        const uint32_t end = network_to(making->network, link);
        if (end != ANL_NO_PORT && !wire_link(making, link, end)) return false;
    }
    return true;
}

// Returns the gate of a link that the cut severs, whose end in this part is a port. Both links of a
// pair have one gate. Where something is on its way for longer each port has one (slices.c).
static uint32_t gate_at(struct making *making, uint32_t port, bool out)
{
    struct part *part = making->engine->part;
    const uint32_t other = out ? part->from[port] : part->to[port];
    if (making->sliced) return first_gate(making->engine) + port;
    if (making->paired && other != ANL_NO_PORT) return other;
    return first_gate(making->engine) + part->num_gates++;
}

static void wire_cut(struct making *making)
{
    struct part *part = making->engine->part;
    for (uint32_t i = 0; i < making->num_cut; i++) {
        struct cut_link *cut = &making->cut[i];
        const uint32_t port = number_in_part(making, cut->port);
        cut->gate = gate_at(making, port, cut->out);
        tie(part, cut->out ? port : cut->gate, cut->out ? cut->gate : port);
    }
}

// Makes room for the gates in a list of ports.
static bool add_gates(uint32_t **ports, uint32_t before, uint32_t gates)
{
    uint32_t *grown = realloc(*ports, ((size_t)before + gates + 1) * sizeof *grown);
    if (!grown) return false;
    for (uint32_t i = 0; i < gates; i++)
        grown[before + i] = ANL_NO_PORT;
    *ports = grown;
    return true;
}

static bool wire(struct making *making)
{
    struct anl_engine *engine = making->engine;
    struct part *part = engine->part;
    const uint32_t gates = first_gate(engine);
    part->to = numbers(gates);
    part->from = numbers(gates);
    part->num_gates = making->sliced ? engine_links_with_gates(engine) : 0;
    if (!part->to || !part->from || !wire_links(making)) return false;
    if (!add_gates(&part->to, gates, part->num_gates + making->num_cut) ||
        !add_gates(&part->from, gates, part->num_gates + making->num_cut))
        return false;
    wire_cut(making);
    engine->shape.links = gates + part->num_gates;
    engine->from = making->paired ? NULL : part->from;
    return true;
}

// ---------------------------------------------------------------- peers

static int by_part(const void *a, const void *b)
{
    const struct cut_link *x = a, *y = b;
    if (x->part != y->part) return x->part < y->part ? -1 : 1;
    return (x->link > y->link) - (x->link < y->link);
}

// Fills a peer with its links, which are `count` of those of the cut.
static bool fill_peer(struct anl_engine *engine, struct peer *peer, const struct cut_link *cut,
                      uint32_t count)
{
    struct part *part = engine->part;
    const uint32_t index = (uint32_t)(peer - part->peers);
    peer->part = cut->part;
    peer->out = numbers(count);
    peer->in = numbers(count);
    if (!peer->out || !peer->in) return false;
    for (uint32_t i = 0; i < count; i++) {
        struct gate *gate = &part->gates[cut[i].gate - first_gate(engine)];
        uint64_t *hash = cut[i].out ? &peer->out_links : &peer->in_links;
        *hash = anl_mix(*hash ^ cut[i].link) + 1;
        if (cut[i].out) {
            gate->to = index;
            gate->to_terminal = cut[i].terminal;
            peer->out[gate->out = peer->num_out++] = cut[i].gate;
        } else {
            gate->from = index;
            gate->from_terminal = cut[i].terminal;
            peer->in[gate->in = peer->num_in++] = cut[i].gate;
        }
    }
    peer->message = calloc(1, engine_largest_message(engine, peer->num_out, peer->num_in));
    return peer->message != NULL;
}

static bool find_peers(struct making *making)
{
    struct part *part = making->engine->part;
    part->gates = calloc(part->num_gates + 1, sizeof *part->gates);
    part->peers = calloc(making->num_cut + 1, sizeof *part->peers);
    part->touching = calloc(making->num_cut * (size_t)anl_link_flits(&making->network->config) + 1,
                            sizeof *part->touching);
    if (!part->gates || !part->peers || !part->touching) return false;
    for (uint32_t i = 0; i < part->num_gates; i++)
        part->gates[i] = (struct gate){.to = NO_PEER, .from = NO_PEER};
    if (making->cut) qsort(making->cut, making->num_cut, sizeof *making->cut, by_part);
    for (uint32_t begin = 0, end; begin < making->num_cut; begin = end) {
        for (end = begin; end < making->num_cut; end++)
            if (making->cut[end].part != making->cut[begin].part) break;
        if (!fill_peer(making->engine, &part->peers[part->num_peers++], &making->cut[begin],
                       end - begin))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- make, free and reset

// Returns whether a terminal is in the part of a switch that is not at the other end of its link.
static bool is_astray(const struct making *making, uint32_t terminal)
{
    const struct anl_config *config = &making->network->config;
    const uint32_t part = making->terminal_part[terminal];
    if (part == part_of_port(making, network_injection_port(config, terminal)) &&
        part == part_of_port(making, anl_ejection_link(config, terminal)))
        return false;
    for (uint32_t s = 0; s < making->network->shape.switches; s++)
        if (making->part_of[s] == part) return true;
    return false;
}

// Returns why terminals cannot be where they are to be; NULL: they can.
static const char *refuse_terminals(const struct making *making)
{
    const struct anl_config *config = &making->network->config;
    for (uint32_t t = 0; t < making->network->shape.terminals; t++) {
        if (config->reply_queue && injecting_part(making, t) != ejecting_part(making, t))
            return "reply_queue needs both links of a terminal in one part";
        if (making->terminal_part && is_astray(making, t))
            return "a terminal is in a part that has switches, but not those of its links";
    }
    if (!making->terminal_part) return NULL;
    if (config->reply_queue) return "reply_queue needs terminals in the parts of their switches";
    if (config->link == ANL_WIDE && config->credits == ANL_BYPASS)
        return "chained wide links need terminals in the parts of their switches";
    return NULL;
}

static bool has_all_switches(const struct making *making)
{
    for (uint32_t s = 0; s < making->network->shape.switches; s++)
        if (making->part_of[s] != making->own) return false;
    return true;
}

static enum anl_status refuse(const struct making *making, struct anl_error *error)
{
    const struct anl_config *config = &making->network->config;
    const char *what = NULL;
    if (!anl_has(config, ANL_TRAIT_PARTS)) what = "its switches are of another kind than buffered";
    if (!what && anl_stages(config) > 1 && !has_all_switches(making))
        what = "its switches have two stages";
    if (!what) what = refuse_terminals(making);
    if (!what) return ANL_OK;
    return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "the network cannot be cut: %s", what);
}

static enum anl_status make(struct making *making, struct anl_error *error)
{
    enum anl_status status = refuse(making, error);
    if (status) return status;
    status = number_nodes(making);
    if (!status && !making->engine->shape.switches)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, "part %u has no switch", making->own);
    if (!status && !(wire(making) && find_peers(making))) status = ANL_ERR_MEMORY;
    return status ? anl_fail(error, status, "", 0, "%s", anl_status_text(status)) : ANL_OK;
}

enum anl_status engine_make_part(struct anl_engine *engine, const struct anl_parts *parts,
                                 uint32_t part, struct anl_error *error)
{
    struct making making = {.engine = engine,
                            .network = engine->network,
                            .part_of = parts->of_switch,
                            .terminal_part = parts->of_terminal,
                            .own = part,
                            .sliced = anl_hop_cycles(&engine->network->config) > 1};
    engine->part = calloc(1, sizeof *engine->part);
    if (!engine->part) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "out of memory");
    const enum anl_status status = make(&making, error);
    free(making.switch_at);
    free(making.terminal_at);
    free(making.cut);
    return status;
}

void engine_forget_wires(struct anl_engine *engine)
{
    struct part *part = engine->part;
    if (engine->slices) return;  // which tell by them where links lead
    free(part->to);
    part->to = NULL;
    if (engine->from) return;
    free(part->from);
    part->from = NULL;
}

void engine_free_part(struct anl_engine *engine)
{
    struct part *part = engine->part;
    if (!part) return;
    for (uint32_t i = 0; i < part->num_peers; i++) {
        free(part->peers[i].out);
        free(part->peers[i].in);
        free(part->peers[i].message);
    }
    free(part->switches);
    free(part->terminals);
    free(part->to);
    free(part->from);
    free(part->gates);
    free(part->peers);
    free(part->touching);
    free(part);
}

void engine_reset_part(struct anl_engine *engine)
{
    struct part *part = engine->part;
    part->next_worm = 0;
    for (uint32_t i = 0; i < part->num_peers; i++)
        part->peers[i].told = part->peers[i].heard = 0;
}
