// SPDX-License-Identifier: Apache-2.0
//
// A part of a network (docs/scale.md, "One network over many ranks"): the links that the cut
// severs, and what its two sides tell each other in a cycle. The sender counts the flits in the
// lanes at the end of such a link in the lanes of a gate, so it decides as if the whole network
// were here. What a message tells was decided in this cycle, so nothing depends on when in the
// cycle it comes.

#include "engine.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <stdlib.h>

// ---------------------------------------------------------------- the cut

// A link that the cut severs.
struct cut_link {
    uint32_t part;  // of its other end
    uint32_t link;  // its number in the network
    uint32_t port;  // the number in the network of its end in this part
    uint32_t gate;  // port number
    bool out;       // it leaves this part
};

// What is known of the network while a part is made.
struct making {
    struct anl_engine *engine;
    const struct anl_network *network;
    const uint32_t *part_of;
    uint32_t own;
    uint32_t *switch_at, *terminal_at;  // numbers in the part, ANL_NO_PORT: not in it
    bool paired;                        // links come in pairs
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
    return part_of_port(making, network_injection_port(&making->network->config, terminal));
}

static uint32_t ejecting_part(const struct making *making, uint32_t terminal)
{
    return part_of_port(making, anl_ejection_link(&making->network->config, terminal));
}

static bool has_terminal(const struct making *making, uint32_t terminal)
{
    return injecting_part(making, terminal) == making->own ||
           ejecting_part(making, terminal) == making->own;
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

// Wires a link if it is inside the part, and lists it if the cut severs it. A link of a terminal
// is in the part of its switch.
static bool wire_link(struct making *making, uint32_t link, uint32_t end)
{
    const uint32_t switch_links = making->network->switch_links;
    const uint32_t from = part_of_port(making, link < switch_links ? link : end);
    const uint32_t to = part_of_port(making, end < switch_links ? end : link);
    const bool out = from == making->own;
    if (!out && to != making->own) return true;
    making->paired &= network_to(making->network, end) == link;
    if (from != to)
        return list_cut(making, (struct cut_link){.part = out ? to : from,
                                                  .link = link,
                                                  .port = out ? link : end,
                                                  .out = out});
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
// pair have one gate.
static uint32_t gate_at(struct making *making, uint32_t port, bool out)
{
    struct part *part = making->engine->part;
    const uint32_t other = out ? part->from[port] : part->to[port];
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
    if (!part->to || !part->from || !wire_links(making)) return false;
    if (!add_gates(&part->to, gates, making->num_cut) ||
        !add_gates(&part->from, gates, making->num_cut))
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

// Returns the bytes of the largest message over so many links, beside so many that lead back.
static size_t largest_message(const struct anl_engine *engine, uint32_t links, uint32_t back)
{
    const size_t flits = anl_link_flits(&engine->config) * (size_t)links;
    const size_t credits = anl_link_flits(&engine->config) * (size_t)back;
    return sizeof(struct anl_border) + flits * sizeof(struct anl_worm) +
           (flits + credits) * sizeof(struct anl_crossing);
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
        gate->peer = index;
        if (cut[i].out)
            peer->out[gate->out = peer->num_out++] = cut[i].gate;
        else
            peer->in[gate->in = peer->num_in++] = cut[i].gate;
    }
    peer->message = calloc(1, largest_message(engine, peer->num_out, peer->num_in));
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

static enum anl_status refuse(const struct making *making, struct anl_error *error)
{
    const struct anl_config *config = &making->network->config;
    const char *what = NULL;
    if (config->kind != ANL_BUFFERED) what = "its switches are of another kind than buffered";
    if (config->space != ANL_REGISTERED)
        what = "space is chained: a switch would have to decide after those of another part";
    if (anl_link_cycles(config) > 1) what = "its links take several cycles";
    if (anl_stages(config) > 1) what = "its switches have two stages";
    for (uint32_t t = 0; !what && config->reply_queue && t < making->network->shape.terminals; t++)
        if (injecting_part(making, t) != ejecting_part(making, t))
            what = "reply_queue needs both links of a terminal in one part";
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

enum anl_status engine_make_part(struct anl_engine *engine, const uint32_t *part_of, uint32_t part,
                                 struct anl_error *error)
{
    struct making making = {
        .engine = engine, .network = engine->network, .part_of = part_of, .own = part};
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

// ---------------------------------------------------------------- numbers of the network

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Returns the place of a number in an ascending list; ANL_NO_PORT: it is not there.
static uint32_t place_of(uint32_t number, const uint32_t *list, uint32_t count)
{
    const uint32_t *found = bsearch(&number, list, count, sizeof *list, by_number);
    return found ? (uint32_t)(found - list) : ANL_NO_PORT;
}

uint32_t engine_own_switch(const struct anl_engine *engine, uint32_t switch_)
{
    return place_of(switch_, engine->part->switches, engine->shape.switches);
}

uint32_t engine_own_source(const struct anl_engine *engine, uint32_t terminal)
{
    const uint32_t own = place_of(terminal, engine->part->terminals, engine->shape.terminals);
    const bool sends =
        own != ANL_NO_PORT && engine->ports[engine->switch_links + own].to != ANL_NO_PORT;
    return sends ? own : ANL_NO_PORT;
}

uint32_t engine_own_sink(const struct anl_engine *engine, uint32_t terminal)
{
    const uint32_t own = place_of(terminal, engine->part->terminals, engine->shape.terminals);
    const bool receives =
        own != ANL_NO_PORT && link_into(engine, engine->switch_links + own) != ANL_NO_PORT;
    return receives ? own : ANL_NO_PORT;
}

static uint32_t network_link(const struct anl_engine *engine, uint32_t link)
{
    const uint32_t ports = engine->shape.ports;
    if (link < engine->switch_links)
        return engine->part->switches[link / ports] * ports + link % ports;
    return engine->network->switch_links + engine->part->terminals[link - engine->switch_links];
}

void engine_name_flits(struct anl_engine *engine)
{
    for (size_t i = 0; i < engine->num_flits; i++) {
        struct anl_flit *flit = &engine->flits[i];
        flit->link = network_link(engine, flit->link);
        flit->worm = record_of(engine, flit->worm)->worm.id;
    }
}

// ---------------------------------------------------------------- messages

struct anl_worm *anl_border_worms(const struct anl_border *border)
{
    return (struct anl_worm *)(border + 1);
}

struct anl_crossing *anl_border_flits(const struct anl_border *border)
{
    return (struct anl_crossing *)(anl_border_worms(border) + border->num_worms);
}

struct anl_crossing *anl_border_credits(const struct anl_border *border)
{
    return anl_border_flits(border) + border->num_flits;
}

size_t anl_border_bytes(const struct anl_border *border)
{
    const struct anl_crossing *end = anl_border_credits(border) + border->num_credits;
    return (size_t)((const char *)end - (const char *)border);
}

static struct gate *gate_of(const struct anl_engine *engine, uint32_t port)
{
    return &engine->part->gates[port - first_gate(engine)];
}

static const struct lane *lane_left(const struct anl_engine *engine, const struct move *move)
{
    return lane_of(engine, move->port, move->from_vc);
}

// A message is written from front to back: first the worms, then the flits, then the credits.

static void tell_worm(const struct anl_engine *engine, const struct move *move)
{
    struct anl_border *to = engine->part->peers[gate_of(engine, move->to)->peer].message;
    const struct lane *lane = lane_left(engine, move);
    if (lane->index > 0) return;
    anl_border_worms(to)[to->num_worms++] = record_of(engine, lane->worm)->worm;
}

static void tell_flit(const struct anl_engine *engine, const struct move *move)
{
    const struct gate *gate = gate_of(engine, move->to);
    const struct lane *lane = lane_left(engine, move);
    struct anl_border *to = engine->part->peers[gate->peer].message;
    anl_border_flits(to)[to->num_flits++] =
        (struct anl_crossing){.link = gate->out,
                              .vc = move->to_vc,
                              .head = lane->index == 0,
                              .tail = lane->index + 1 == lane->length};
    engine->part->flits_out++;
}

static void tell_credit(const struct anl_engine *engine, const struct move *move)
{
    const struct gate *gate = gate_of(engine, move->before);
    struct anl_border *to = engine->part->peers[gate->peer].message;
    anl_border_credits(to)[to->num_credits++] =
        (struct anl_crossing){.link = gate->in, .vc = move->from_vc};
}

// Lists the moves to gates, and those out of lanes at the ends of their links.
static uint32_t list_touching(const struct anl_engine *engine)
{
    const uint32_t gates = first_gate(engine);
    uint32_t count = 0;
    for (size_t i = 0; i < engine->num_moves; i++)
        if (engine->moves[i].to >= gates || engine->moves[i].before >= gates)
            engine->part->touching[count++] = (uint32_t)i;
    return count;
}

// Tells what one of these moves means to the peers.
typedef void teller(const struct anl_engine *engine, const struct move *move);

void engine_tell_peers(struct anl_engine *engine)
{
    struct part *part = engine->part;
    const uint32_t gates = first_gate(engine), count = list_touching(engine);
    for (uint32_t i = 0; i < part->num_peers; i++) {
        struct peer *peer = &part->peers[i];
        *peer->message = (struct anl_border){.cycle = engine->cycle,
                                             .links = peer->out_links ^ anl_mix(peer->in_links),
                                             .told = peer->told};
        peer->taken = NULL;
    }
    part->flits_out = part->flits_in = 0;
    teller *const tellers[] = {tell_worm, tell_flit, tell_credit};
    for (int what = 0; what < 3; what++)
        for (uint32_t i = 0; i < count; i++) {
            const struct move *move = &engine->moves[part->touching[i]];
            if ((what < 2 ? move->to : move->before) >= gates) tellers[what](engine, move);
        }
}

uint32_t anl_engine_num_peers(const struct anl_engine *engine)
{
    return engine->part ? engine->part->num_peers : 0;
}

struct anl_peer anl_engine_peer(const struct anl_engine *engine, uint32_t index)
{
    const struct peer *peer = &engine->part->peers[index];
    return (struct anl_peer){.part = peer->part,
                             .message = peer->message,
                             .most_bytes = largest_message(engine, peer->num_in, peer->num_out)};
}

// ---------------------------------------------------------------- what the peers tell

// Returns what is wrong with a list of flits or credits; NULL: nothing.
static const char *wrong_in(const struct anl_engine *engine, const struct anl_crossing *list,
                            uint32_t count, uint32_t links)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i].link >= links || list[i].vc >= engine->config.num_vcs)
            return "a link or a lane that is not there";
    return NULL;
}

static const char *wrong_with(const struct anl_engine *engine, const struct peer *peer,
                              const struct anl_border *border)
{
    uint32_t heads = 0;
    if (border->links != (peer->in_links ^ anl_mix(peer->out_links)))
        return "it is about other links: the network is cut in another way there";
    if (border->cycle != engine->cycle) return "it is of another cycle";
    if (border->told != peer->heard) return "flits or credits of the cycles before are missing";
    for (uint32_t i = 0; i < border->num_flits; i++)
        heads += anl_border_flits(border)[i].head;
    if (heads != border->num_worms) return "each head must bring its worm";
    const char *wrong = wrong_in(engine, anl_border_flits(border), border->num_flits, peer->num_in);
    return wrong ? wrong
                 : wrong_in(engine, anl_border_credits(border), border->num_credits, peer->num_out);
}

enum anl_status anl_engine_take(struct anl_engine *engine, uint32_t index,
                                const struct anl_border *border, struct anl_error *error)
{
    struct peer *peer = &engine->part->peers[index];
    const char *wrong = wrong_with(engine, peer, border);
    if (wrong)
        return anl_fail(error, ANL_ERR_ARGUMENT, "", 0,
                        "cycle %" PRIu64 ": the message from part %" PRIu32 " is refused: %s",
                        engine->cycle, peer->part, wrong);
    peer->taken = border;
    return ANL_OK;
}

static enum anl_status hear_flits(struct anl_engine *engine, const struct peer *peer)
{
    const struct anl_border *border = peer->taken;
    const struct anl_crossing *flits = anl_border_flits(border);
    const struct anl_worm *worm = anl_border_worms(border);
    for (uint32_t i = 0; i < border->num_flits; i++) {
        const uint32_t gate = peer->in[flits[i].link];
        const struct move move = {.link = gate, .to = engine->ports[gate].to, .to_vc = flits[i].vc};
        uint32_t known;
        if (flits[i].head && engine_note_worm(engine, worm++, &known)) return ANL_ERR_MEMORY;
        engine_enter(engine, &move, flits[i].head ? &known : NULL, flits[i].tail);
    }
    engine->part->flits_in += border->num_flits;
    return ANL_OK;
}

static enum anl_status hear(struct anl_engine *engine, struct peer *peer)
{
    const struct anl_border *border = peer->taken;
    if (!border) return ANL_ERR_ARGUMENT;
    const struct anl_crossing *credits = anl_border_credits(border);
    for (uint32_t i = 0; i < border->num_credits; i++)
        engine_leave_gate(engine, peer->out[credits[i].link], credits[i].vc);
    peer->heard += border->num_flits + border->num_credits;
    peer->told += peer->message->num_flits + peer->message->num_credits;
    return hear_flits(engine, peer);
}

enum anl_status engine_hear_peers(struct anl_engine *engine)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < engine->part->num_peers && !status; i++)
        status = hear(engine, &engine->part->peers[i]);
    return status;
}
