// SPDX-License-Identifier: Apache-2.0
//
// Packs the state of a network in items that do not depend on how it is cut, and lets another
// engine go on from them (docs/checkpoint.md). Worms stand in the items by what they are, and each
// sender has what it knows of the lanes at the end of its link, so an item needs no other one. What
// follows from the rest of the state is not packed but made again.

#include "engine.h"
#include "order.h"
#include "part.h"
#include "sinks.h"
#include "slices.h"
#include "wide.h"

#include <annelid/base.h>

// ---------------------------------------------------------------- worms

static void pack_fields(const struct anl_engine *engine, struct anl_worm *worm,
                        struct anl_pack *pack)
{
    const struct anl_config *config = &engine->config;
    const uint32_t terminals = engine->network->shape.terminals;
    ANL_PACK(pack, worm->id);
    ANL_PACK_BELOW(pack, worm->source, terminals);
    ANL_PACK_BELOW(pack, worm->destination, terminals);
    ANL_PACK(pack, worm->length);
    ANL_PACK(pack, worm->created);
    ANL_PACK_BELOW(pack, worm->path, anl_num_paths(config));
    anl_pack_bool(pack, &worm->has_path);
    ANL_PACK_BELOW(pack, worm->class_, engine->classes);
    ANL_PACK_BELOW(pack, worm->role, ANL_REPLY + 1);
}

// A part notes a worm once for each lane that holds it.
enum anl_status engine_pack_worm(struct anl_engine *engine, uint32_t *known, struct anl_pack *pack)
{
    struct anl_worm worm = {0};
    const uint32_t created = engine->part ? engine->part->next_worm : engine->next_id;
    if (!pack->from) worm = record_of(engine, *known)->worm;
    pack_fields(engine, &worm, pack);
    if (!pack->from) return ANL_OK;
    if (!anl_pack_expect(pack, !pack->failed && worm.length > 0 && worm.id < created))
        return ANL_ERR_FORMAT;
    if (engine->part) return engine_note_worm(engine, &worm, known);
    *known = worm.id;
    return engine_note_again(engine, &worm);
}

// ---------------------------------------------------------------- lanes

static enum anl_status pack_worms_in(struct anl_engine *engine, struct lane *lane,
                                     struct anl_pack *pack)
{
    enum anl_status status = engine_pack_worm(engine, &lane->worm, pack);
    for (uint32_t i = 1; i < lane->num_worms && !status; i++)
        status = engine_pack_worm(engine, worm_in(engine, lane, i), pack);
    return status;
}

// Packs the output lane that the worm at the front of a lane is bound to.
static void pack_binding(struct anl_engine *engine, uint32_t port, struct lane *lane,
                         struct anl_pack *pack)
{
    uint8_t vc = (uint8_t)(is_bound(lane) ? lowest(lane->set) : NO_LANE);
    ANL_PACK(pack, vc);
    if (vc == NO_LANE) return;
    ANL_PACK_BELOW(pack, vc, engine->config.num_vcs);
    ANL_PACK_BELOW(pack, lane->output, engine->shape.ports);
    if (!pack->from) return;
    const uint32_t link = port - engine->ports[port].number + lane->output;
    anl_pack_expect(pack, engine->ports[link].to != ANL_NO_PORT && lane->index > 0);
    lane->set = credit_bits(1u << vc);
    engine->ports[link].owned |= (uint8_t)(1u << vc);
    if (engine->wide)
        engine->wide->owners[lane_of(engine, link, vc) - engine->lanes] =
            (uint32_t)(lane - engine->lanes);
}

static void count_flits(struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    struct lane *lane = lane_of(engine, port, vc);
    if (!lane->count) return;
    engine->ports[port].occupied |= (uint8_t)(1u << vc);
    set_bit(engine->busy, port);
    if (port < first_gate(engine)) engine->totals.in_network += lane->count;
}

static enum anl_status pack_lane(struct anl_engine *engine, uint32_t port, uint32_t vc,
                                 struct anl_pack *pack)
{
    struct lane *lane = lane_of(engine, port, vc);
    const uint32_t end = engine->config.depth + 1;
    ANL_PACK_BELOW(pack, lane->num_worms, end);
    if (!lane->num_worms) return ANL_OK;
    ANL_PACK_BELOW(pack, lane->count, end);
    const enum anl_status status = pack_worms_in(engine, lane, pack);
    if (status) return status;
    const struct head *head = head_of(engine, lane->worm);
    lane->length = head->length;
    lane->rank = head->rank;
    ANL_PACK_BELOW(pack, lane->index, lane->length);
    if (port < engine->switch_links) {
        pack_binding(engine, port, lane, pack);
        if (engine->tails) ANL_PACK_BELOW(pack, engine->tails[lane - engine->lanes], end);
    }
    if (pack->from) count_flits(engine, port, vc);
    return ANL_OK;
}

// Packs how many flits the lanes at the end of a link hold: what the sender knows of them. In a
// part it counts them at a gate if the link leads to another part.
static void pack_sender(struct anl_engine *engine, uint32_t link, struct anl_pack *pack)
{
    const uint32_t to = engine->ports[link].to;
    for (uint32_t vc = 0; to != ANL_NO_PORT && vc < engine->config.num_vcs; vc++) {
        struct lane *lane = lane_of(engine, to, vc);
        uint8_t count = lane->count;
        ANL_PACK_BELOW(pack, count, engine->config.depth + 1);
        if (!pack->from || to < first_gate(engine)) continue;
        lane->count = count;
        count_flits(engine, to, vc);
    }
}

// ---------------------------------------------------------------- items

static void pack_favour(struct anl_engine *engine, uint32_t link, struct anl_pack *pack)
{
    if (!engine->favours) return;
    ANL_PACK_BELOW(pack, engine->favours[link].class_, engine->classes);
    ANL_PACK(pack, engine->favours[link].quota);
}

static void pack_pointers(struct anl_engine *engine, uint32_t port, struct anl_pack *pack)
{
    const uint32_t candidates_out = engine->wide ? candidates(engine) : engine->shape.ports;
    struct port *here = &engine->ports[port];
    ANL_PACK_BELOW(pack, here->in_ptr, engine->config.num_vcs);
    ANL_PACK_BELOW(pack, here->out_ptr, candidates_out);
    for (uint32_t c = 0; engine->in_ptrs && c < engine->classes; c++)
        ANL_PACK_BELOW(pack, engine->in_ptrs[(size_t)port * engine->classes + c],
                       engine->class_lanes);
    pack_favour(engine, port, pack);
    if (engine->orders) engine_pack_orders(engine, port, pack);
}

static enum anl_status pack_switch(struct anl_engine *engine, uint32_t switch_,
                                   struct anl_pack *pack)
{
    enum anl_status status = ANL_OK;
    const uint32_t first = switch_ * engine->shape.ports;
    for (uint32_t port = first; port < first + engine->shape.ports; port++) {
        pack_pointers(engine, port, pack);
        for (uint32_t vc = 0; vc < engine->config.num_vcs && !status; vc++)
            status = pack_lane(engine, port, vc, pack);
        pack_sender(engine, port, pack);
    }
    if (engine->random) ANL_PACK(pack, engine->random[switch_]);
    if (engine->slices && !status)
        status = engine_pack_slices(engine, first, engine->shape.ports, pack);
    return status;
}

static enum anl_status pack_queue(struct anl_engine *engine, uint32_t terminal, uint32_t class_,
                                  struct anl_pack *pack)
{
    struct source *source = &engine->sources[(size_t)terminal * engine->classes + class_];
    enum anl_status status = ANL_OK;
    uint32_t count = 0, known = source->front;
    for (uint32_t id = source->front; id != NO_WORM; id = record_of(engine, id)->next)
        count++;
    ANL_PACK(pack, count);
    for (uint32_t i = 0; i < count && !status; i++) {
        status = engine_pack_worm(engine, &known, pack);
        if (pack->from && !status) {
            engine_queue_worm(engine, terminal, class_, known);
            engine->totals.queued++;
        }
        if (!status) known = record_of(engine, known)->next;
    }
    if (status || !count) return status;
    ANL_PACK_BELOW(pack, source->sent, source->length);
    ANL_PACK_BELOW(pack, source->vc, engine->config.num_vcs);
    return ANL_OK;
}

// Packs what a lane of a wide injection link sends.
static enum anl_status pack_sending(struct anl_engine *engine, uint32_t terminal, uint32_t vc,
                                    struct anl_pack *pack)
{
    struct sending *sending = sending_on(engine, engine->switch_links + terminal, vc);
    bool sends = sending->worm != NO_WORM;
    anl_pack_bool(pack, &sends);
    if (!sends) return ANL_OK;
    const enum anl_status status = engine_pack_worm(engine, &sending->worm, pack);
    if (status) return status;
    sending->length = head_of(engine, sending->worm)->length;
    ANL_PACK_BELOW(pack, sending->sent, sending->length);
    if (!pack->from) return ANL_OK;
    set_bit(engine->pending, terminal);
    engine->totals.queued++;
    return ANL_OK;
}

static enum anl_status pack_source(struct anl_engine *engine, uint32_t terminal,
                                   struct anl_pack *pack)
{
    enum anl_status status = ANL_OK;
    for (uint32_t c = 0; c < engine->classes && !status; c++)
        status = pack_queue(engine, terminal, c, pack);
    for (uint32_t vc = 0; engine->wide && vc < engine->config.num_vcs && !status; vc++)
        status = pack_sending(engine, terminal, vc, pack);
    pack_favour(engine, engine->switch_links + terminal, pack);
    pack_sender(engine, engine->switch_links + terminal, pack);
    if (anl_stages(&engine->config) > 1 && !status)
        status = engine_pack_slices(engine, engine->switch_links + terminal, 1, pack);
    return status;
}

// The lanes of a terminal that can refuse hold worms, the others a flit for a cycle.
static enum anl_status pack_sink(struct anl_engine *engine, uint32_t terminal,
                                 struct anl_pack *pack)
{
    const uint32_t port = engine->switch_links + terminal;
    enum anl_status status = ANL_OK;
    for (uint32_t vc = 0; vc < engine->config.num_vcs && !status; vc++) {
        if (engine->sinks) {
            status = pack_lane(engine, port, vc, pack);
            continue;
        }
        ANL_PACK_BELOW(pack, lane_of(engine, port, vc)->count, 2);
        if (pack->from) count_flits(engine, port, vc);
    }
    if (!engine->sinks) return status;
    ANL_PACK(pack, engine->sinks->reservations[terminal]);
    for (uint32_t c = 0; c < engine->classes; c++) {
        uint8_t *shown = &engine->sinks->shown[(size_t)terminal * engine->classes + c];
        ANL_PACK(pack, *shown);
        const bool holds = engine->ports[port].occupied >> (*shown & 7) & 1;
        if (!anl_pack_expect(pack, *shown == NO_LANE || (*shown < ANL_MAX_VCS && holds)))
            *shown = NO_LANE;
    }
    return status;
}

// Returns the number that an item has in this part; ANL_NO_PORT: it is not in it.
static uint32_t own_number(const struct anl_engine *engine, enum anl_item item, uint32_t number)
{
    if (!engine->part) return number;
    if (item == ANL_ITEM_SWITCH) return engine_own_switch(engine, number);
    return item == ANL_ITEM_SOURCE ? engine_own_source(engine, number)
                                   : engine_own_sink(engine, number);
}

bool anl_engine_has(const struct anl_engine *engine, enum anl_item item, uint32_t number)
{
    return own_number(engine, item, number) != ANL_NO_PORT;
}

enum anl_status anl_engine_pack(struct anl_engine *engine, enum anl_item item, uint32_t number,
                                struct anl_pack *pack)
{
    static enum anl_status (*const packers[])(struct anl_engine *, uint32_t, struct anl_pack *) = {
        pack_switch, pack_source, pack_sink};
    const enum anl_status status = packers[item](engine, own_number(engine, item, number), pack);
    return status == ANL_ERR_FORMAT ? ANL_OK : status;  // *pack says it
}

// ---------------------------------------------------------------- resume

void anl_engine_resume(struct anl_engine *engine, uint64_t seed, uint64_t cycle,
                       const struct anl_engine_totals *totals, bool counts)
{
    anl_engine_reset(engine, seed);
    engine->cycle = cycle;
    if (engine->part)
        engine->part->next_worm = (uint32_t)totals->enqueued;
    else
        engine->next_id = (uint32_t)totals->enqueued;
    if (counts) engine->totals = *totals;
    engine->totals.in_network = engine->totals.queued = 0;
    engine->totals.moved = engine->totals.taken = 0;
}

// Gives the senders the credits that they have.
static void give_credits(struct anl_engine *engine, uint32_t link)
{
    struct port *port = &engine->ports[link];
    uint32_t vcs = 0;
    if (port->to == ANL_NO_PORT) return;
    for (uint32_t vc = 0; vc < engine->config.num_vcs; vc++)
        if (lane_of(engine, port->to, vc)->count < engine->config.depth) vcs |= 1u << vc;
    port->has_credit = credit_bits(vcs) | free_bits(vcs & ~(uint32_t)port->owned);
}

// Routes the heads at the fronts of lanes. ANL_ERR_FORMAT: a flit that is no head has no way.
static enum anl_status route_heads(struct anl_engine *engine)
{
    const uint32_t vcs = engine->config.num_vcs;
    for (uint32_t i = 0; i < engine->switch_links * vcs; i++) {
        const struct lane *lane = &engine->lanes[i];
        if (!lane->num_worms || is_bound(lane)) continue;
        if (lane->index > 0) return ANL_ERR_FORMAT;
        engine_see_head(engine, i / vcs, i % vcs);
    }
    return ANL_OK;
}

// Lists the flits that terminals take in the next cycle.
static void list_ejecting(struct anl_engine *engine)
{
    const uint32_t first = engine->switch_links;
    if (engine->sinks) {
        engine_choose_flits(engine);
        return;
    }
    for (uint32_t port = first; port < first_gate(engine); port++)
        for (uint32_t rest = engine->ports[port].occupied; rest; rest &= rest - 1)
            engine->ejecting[engine->num_ejecting++] =
                (struct ejection){port, (uint8_t)lowest(rest)};
}

// ---------------------------------------------------------------- worms of a part
//
// A part knows a worm by one number from where it enters the part to where it leaves it, and by
// another one where it enters again.

// Returns the lane in this part that the worm at the front of a lane flows into; NULL: there is
// none.
static struct lane *lane_ahead(const struct anl_engine *engine, const struct lane *lane)
{
    if (!is_bound(lane)) return NULL;
    const uint32_t port = (uint32_t)(lane - engine->lanes) / engine->config.num_vcs;
    const uint32_t link = port - engine->ports[port].number + lane->output;
    const uint32_t behind = engine->ports[link].to;
    const bool sliced = engine->slices && behind >= first_gate(engine);
    const uint32_t to = sliced ? engine_sliced_end(engine->slices, link) : behind;
    const bool holds_worms =
        to < engine->switch_links || (engine->sinks && is_terminal(engine, to));
    return holds_worms ? lane_of(engine, to, lowest(lane->set)) : NULL;
}

// Returns the number of the last head that is on its way to a lane; NO_WORM: none is.
static uint32_t number_under_way(const struct anl_engine *engine, const struct lane *lane)
{
    const uint32_t number = (uint32_t)(lane - engine->lanes), v = engine->config.num_vcs;
    return engine->slices ? engine_head_under_way(engine, number / v, number % v) : NO_WORM;
}

// Returns the number that the last worm of a lane has where it is nearest to leaving the part;
// NO_WORM: the lanes make no sense.
static uint32_t number_ahead(const struct anl_engine *engine, const struct lane *lane)
{
    const struct lane *ahead;
    for (uint32_t i = 0; i < engine->shape.links; i++, lane = ahead) {
        const uint32_t coming = number_under_way(engine, lane);
        if (coming != NO_WORM || !lane->num_worms) return coming;
        if (lane->num_worms > 1) return *worm_in(engine, lane, lane->num_worms - 1u);
        ahead = lane_ahead(engine, lane);
        if (!ahead) return lane->worm;
    }
    return NO_WORM;
}

// Gives the worm that flows into a lane ahead the number that it has there. Returns false if the
// lanes make no sense.
static bool join_worm(const struct anl_engine *engine, const struct lane *ahead, uint32_t *known)
{
    const uint32_t joined = number_ahead(engine, ahead);
    if (joined == NO_WORM) return false;
    if (joined == *known) return true;
    struct record *record = record_of(engine, joined), *left = record_of(engine, *known);
    record->next = left->next;
    left->live = false;
    *known = joined;
    return record->worm.id == left->worm.id;
}

static bool join_source(const struct anl_engine *engine, uint32_t terminal, struct source *source)
{
    const uint32_t to = engine->ports[engine->switch_links + terminal].to;
    const bool one = source->front == source->back;
    if (source->sent == 0) return true;
    if (!join_worm(engine, lane_of(engine, to, source->vc), &source->front)) return false;
    if (one) source->back = source->front;
    return true;
}

static bool join_sendings(const struct anl_engine *engine, uint32_t terminal)
{
    const uint32_t link = engine->switch_links + terminal, to = engine->ports[link].to;
    bool fits = true;
    for (uint32_t vc = 0; engine->wide && to != ANL_NO_PORT && vc < engine->config.num_vcs; vc++) {
        struct sending *sending = sending_on(engine, link, vc);
        if (sending->worm == NO_WORM) continue;
        fits &= join_worm(engine, lane_of(engine, to, vc), &sending->worm);
    }
    return fits;
}

static bool join_worms(struct anl_engine *engine)
{
    bool fits = true;
    for (uint32_t i = 0; i < engine->switch_links * engine->config.num_vcs && fits; i++) {
        struct lane *lane = &engine->lanes[i];
        const struct lane *ahead = lane_ahead(engine, lane);
        if (ahead) fits = join_worm(engine, ahead, &lane->worm);
    }
    for (uint32_t t = 0; t < engine->shape.terminals && fits; t++) {
        for (uint32_t c = 0; c < engine->classes && fits; c++)
            fits = join_source(engine, t, &engine->sources[(size_t)t * engine->classes + c]);
        fits = fits && join_sendings(engine, t);
    }
    return fits;
}

enum anl_status anl_engine_resumed(struct anl_engine *engine, anl_tie *tie, void *user)
{
    for (size_t i = 0; tie && i <= engine->worms_mask; i++)
        if (engine->worms[i].live) tie(user, &engine->worms[i].worm);
    if (tie) engine_rank_again(engine);
    for (uint32_t link = 0; link < engine->shape.links; link++)
        give_credits(engine, link);
    if (engine->part && !join_worms(engine)) return ANL_ERR_FORMAT;
    if (engine->slices && !engine_slices_fit(engine)) return ANL_ERR_FORMAT;
    const enum anl_status status = route_heads(engine);
    if (!status) list_ejecting(engine);
    return status;
}
