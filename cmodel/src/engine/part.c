// SPDX-License-Identifier: Apache-2.0
//
// What the two sides of a cut tell each other in a cycle (docs/scale.md, "One network in parts").
// The sender counts the flits in the lanes at the end of a link that the cut severs in the lanes of
// a gate, so it decides as if the whole network were here. What a message tells was decided in this
// cycle, so nothing depends on when in the cycle it comes.

#include "part.h"
#include "engine.h"
#include "slices.h"
#include "wide.h"

#include <annelid/base.h>
#include <inttypes.h>
#include <stdlib.h>

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

size_t engine_largest_message(const struct anl_engine *engine, uint32_t links, uint32_t back)
{
    const size_t flits = anl_link_flits(&engine->config) * (size_t)links;
    const size_t credits = anl_link_flits(&engine->config) * (size_t)back;
    return sizeof(struct anl_border) + flits * sizeof(struct anl_worm) +
           (flits + credits) * sizeof(struct anl_crossing);
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
    struct anl_border *to = engine->part->peers[gate_of(engine, move->to)->to].message;
    const struct lane *lane = lane_left(engine, move);
    if (lane->index > 0) return;
    anl_border_worms(to)[to->num_worms++] = record_of(engine, lane->worm)->worm;
}

static void tell_flit(const struct anl_engine *engine, const struct move *move)
{
    const struct gate *gate = gate_of(engine, move->to);
    const struct lane *lane = lane_left(engine, move);
    struct anl_border *to = engine->part->peers[gate->to].message;
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
    struct anl_border *to = engine->part->peers[gate->from].message;
    anl_border_credits(to)[to->num_credits++] =
        (struct anl_crossing){.link = gate->in, .vc = move->from_vc};
}

// Lists the moves to other parts, and those out of lanes at the ends of links from other parts.
static uint32_t list_touching(const struct anl_engine *engine)
{
    uint32_t count = 0;
    for (size_t i = 0; i < engine->num_moves; i++) {
        const struct move *move = &engine->moves[i];
        if (leads_out(engine, move->to) || comes_in(engine, move->before))
            engine->part->touching[count++] = (uint32_t)i;
    }
    return count;
}

static void begin_messages(struct anl_engine *engine)
{
    struct part *part = engine->part;
    for (uint32_t i = 0; i < part->num_peers; i++) {
        struct peer *peer = &part->peers[i];
        *peer->message = (struct anl_border){.cycle = engine->cycle,
                                             .links = peer->out_links ^ anl_mix(peer->in_links),
                                             .told = peer->told,
                                             .round = part->round};
        peer->taken = NULL;
    }
}

void engine_tell_space(struct anl_engine *engine)
{
    struct part *part = engine->part;
    begin_messages(engine);
    part->tells = false;
    for (; part->shown < engine->num_moves; part->shown++) {
        const struct move *move = &engine->moves[part->shown];
        if (!comes_in(engine, move->before)) continue;
        tell_credit(engine, move);
        part->tells = true;
    }
}

// Tells what one of the listed moves means to the peers.
typedef void teller(const struct anl_engine *engine, const struct move *move);

void engine_tell_peers(struct anl_engine *engine)
{
    struct part *part = engine->part;
    const uint32_t count = list_touching(engine);
    begin_messages(engine);
    part->flits_out = part->flits_in = 0;
    teller *const tellers[] = {tell_worm, tell_flit, tell_credit};
    for (int what = 0; what < 3; what++)
        for (uint32_t i = 0; i < count; i++) {
            const struct move *move = &engine->moves[part->touching[i]];
            if (what < 2 ? leads_out(engine, move->to) : comes_in(engine, move->before))
                tellers[what](engine, move);
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
                             .most_bytes =
                                 engine_largest_message(engine, peer->num_in, peer->num_out)};
}

// ---------------------------------------------------------------- what the peers tell

struct anl_border anl_engine_expects(const struct anl_engine *engine, uint32_t index)
{
    const struct peer *peer = &engine->part->peers[index];
    return (struct anl_border){.cycle = engine->cycle,
                               .links = peer->in_links ^ anl_mix(peer->out_links),
                               .told = peer->heard,
                               .round = engine->part->round};
}

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
    if (border->cycle != engine->cycle || border->round != engine->part->round)
        return "it is of another cycle, or of another time in it";
    if (border->told != peer->heard) return "flits or credits told before are missing";
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

// Counts what the messages of both sides have told.
static void count_told(struct peer *peer)
{
    peer->heard += peer->taken->num_flits + peer->taken->num_credits;
    peer->told += peer->message->num_flits + peer->message->num_credits;
}

// A flit leaves a lane at the end of a chained link to another part in this cycle.
static void hear_leaving(struct anl_engine *engine, uint32_t gate, uint32_t vc)
{
    if (engine->wide)
        engine_follow_flit(engine, link_into(engine, gate), vc);
    else
        engine->leaving[gate] |= (uint8_t)(1u << vc);
}

static void hear_space_of(struct anl_engine *engine, struct peer *peer)
{
    const struct anl_crossing *credits = anl_border_credits(peer->taken);
    for (uint32_t i = 0; i < peer->taken->num_credits; i++)
        hear_leaving(engine, peer->out[credits[i].link], credits[i].vc);
    count_told(peer);
}

enum anl_status engine_hear_space(struct anl_engine *engine)
{
    struct part *part = engine->part;
    for (uint32_t i = 0; i < part->num_peers; i++)
        if (!part->peers[i].taken) return ANL_ERR_ARGUMENT;
    for (uint32_t i = 0; i < part->num_peers; i++)
        hear_space_of(engine, &part->peers[i]);
    part->round++;
    return ANL_OK;
}

// A flit has crossed a link from another part. A link of a terminal takes one cycle.
static void hear_flit(struct anl_engine *engine, const struct move *move, const uint32_t *worm,
                      bool tail)
{
    if (engine->slices && !gate_of(engine, move->link)->from_terminal)
        engine_send_flit(engine, move, worm, tail);
    else
        engine_enter(engine, move, worm, tail);
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
        hear_flit(engine, &move, flits[i].head ? &known : NULL, flits[i].tail);
    }
    engine->part->flits_in += border->num_flits;
    return ANL_OK;
}

static void hear_credit(struct anl_engine *engine, uint32_t gate, uint32_t vc)
{
    if (engine->slices && !gate_of(engine, gate)->to_terminal)
        engine_send_credit(engine, gate, vc);
    else
        engine_leave_gate(engine, gate, vc);
}

static enum anl_status hear(struct anl_engine *engine, struct peer *peer)
{
    const struct anl_border *border = peer->taken;
    if (!border) return ANL_ERR_ARGUMENT;
    const struct anl_crossing *credits = anl_border_credits(border);
    for (uint32_t i = 0; i < border->num_credits; i++)
        hear_credit(engine, peer->out[credits[i].link], credits[i].vc);
    count_told(peer);
    return hear_flits(engine, peer);
}

enum anl_status engine_hear_peers(struct anl_engine *engine)
{
    enum anl_status status = ANL_OK;
    for (uint32_t i = 0; i < engine->part->num_peers && !status; i++)
        status = hear(engine, &engine->part->peers[i]);
    return status;
}

// ---------------------------------------------------------------- worms of unknown length

// Returns the lane that the worm at the front of a lane enters next; NULL: its head is still here,
// or the next lane is outside of the part. The head may be on its way there.
static struct lane *next_lane(const struct anl_engine *engine, const struct lane *lane)
{
    const uint32_t port = (uint32_t)(lane - engine->lanes) / engine->config.num_vcs;
    if (lane->index == 0) return NULL;
    const uint32_t link = switch_of(engine, port) * engine->shape.ports + lane->output;
    const uint32_t to =
        engine->slices ? engine_sliced_end(engine->slices, link) : engine->ports[link].to;
    const uint32_t vc = (uint32_t)__builtin_ctz(lanes_of_bits(lane->set));
    return to < engine->switch_links ? lane_of(engine, to, vc) : NULL;
}

// The worm is the last one in the lane of its tail. Ahead of that, lanes at whose front it is have
// copied its length; where it stands behind another worm, it does not go further.
void anl_engine_end_worm(struct anl_engine *engine, uint32_t index, struct anl_crossing tail,
                         uint16_t length)
{
    const uint32_t gate = engine->part->peers[index].in[tail.link];
    struct lane *lane = lane_of(engine, engine->ports[gate].to, tail.vc);
    const uint32_t worm =
        lane->num_worms > 1 ? *worm_in(engine, lane, lane->num_worms - 1u) : lane->worm;
    record_of(engine, worm)->worm.length = head_of(engine, worm)->length = length;
    for (; lane && lane->num_worms > 0 && lane->worm == worm; lane = next_lane(engine, lane))
        lane->length = length;
}
