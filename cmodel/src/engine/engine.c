// SPDX-License-Identifier: Apache-2.0
//
// Makes an engine, resets it, and changes the order in which it visits switches.

#include "engine.h"
#include "machine.h"
#include "order.h"
#include "part.h"
#include "sinks.h"
#include "slices.h"
#include "wide.h"

#include <annelid/base.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CACHED_SWITCHES = 4096 };  // their state fits into a megabyte of cache

// ---------------------------------------------------------------- create and destroy

static bool allocate(void *pointer, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

#define ALLOCATE(field, count) allocate(&(field), (count), sizeof *(field))

static bool allocate_generators(struct anl_engine *engine)
{
    const size_t switches = engine->shape.switches;
    return ALLOCATE(engine->random, switches) && ALLOCATE(engine->sampling, switches / 64 + 1);
}

static bool allocate_options(struct anl_engine *engine)
{
    return ALLOCATE(engine->options, (size_t)engine->switch_links * engine->config.num_vcs) &&
           ALLOCATE(engine->asked, engine->switch_links);
}

static bool allocate_classes(struct anl_engine *engine)
{
    return ALLOCATE(engine->favours, engine->shape.links) &&
           ALLOCATE(engine->in_ptrs, (size_t)engine->switch_links * engine->classes);
}

static bool allocate_cycle(struct anl_engine *engine)
{
    const size_t links = engine->shape.links, terminals = engine->shape.terminals;
    const size_t flits = links * anl_link_flits(&engine->config);
    const size_t sinks = terminals * engine->classes * anl_link_flits(&engine->config);
    const size_t gates = (links - first_gate(engine)) * anl_link_flits(&engine->config);
    const bool chained = engine->config.credits == ANL_BYPASS && !engine->wide;
    return ALLOCATE(engine->wanted, engine->switch_links / 64 + 1) &&
           ALLOCATE(engine->moves, flits) && (!chained || ALLOCATE(engine->leaving, links)) &&
           ALLOCATE(engine->flits, flits) && ALLOCATE(engine->delivered, sinks) &&
           ALLOCATE(engine->ejecting, sinks + gates + 1) &&
           ALLOCATE(engine->ejected, sinks + gates + 1);
}

static bool allocate_all(struct anl_engine *engine)
{
    const struct anl_config *config = &engine->config;
    const size_t links = engine->shape.links, terminals = engine->shape.terminals;
    const size_t lanes = (size_t)engine->switch_links * config->num_vcs;
    const size_t all_lanes = links * config->num_vcs;
    const size_t rings = config->reply_queue ? all_lanes : lanes;

    return ALLOCATE(engine->ports, links) && ALLOCATE(engine->lanes, all_lanes) &&
           ALLOCATE(engine->worms_in, rings * config->depth) &&
           (config->flow_control != ANL_STORE_AND_FORWARD || ALLOCATE(engine->tails, lanes)) &&
           (!engine->network->adaptive || allocate_options(engine)) &&
           (!anl_config_reads_random(config) || allocate_generators(engine)) &&
           (engine->classes == 1 || allocate_classes(engine)) &&
           (!config->reply_queue || engine_make_sinks(engine)) &&
           (config->link == ANL_SHARED || engine_make_wide(engine)) &&
           (!anl_arbiter_has(config->arbiter, ANL_ARBITER_STATE) || engine_make_orders(engine)) &&
           ALLOCATE(engine->busy, links / 64 + 1) &&
           ALLOCATE(engine->sources, terminals * engine->classes) &&
           ALLOCATE(engine->pending, terminals / 64 + 1) &&
           engine_make_room_for_worms(engine, FIRST_WORMS) && allocate_cycle(engine);
}

#define FITS(name, fits, know) fits,

bool engine_fits(const struct anl_engine *engine, unsigned variant)
{
    const bool fits[NUM_VARIANTS] = {VARIANTS(FITS)};
    return fits[variant];
}

static unsigned first_fitting_variant(const struct anl_engine *engine)
{
    unsigned variant = 0;
    while (!engine_fits(engine, variant))
        variant++;
    return variant;
}

static void copy_network(struct anl_engine *engine, const struct anl_network *network)
{
    engine->network = network;
    engine->config = network->config;
    engine->shape = network->shape;
    engine->switch_links = network->switch_links;
    engine->from = network->from;
    engine->tier_begin = network->tier_begin;
    engine->choice = network->choice == CHOICE_NONE ? 0 : 1u << network->choice_port;
    engine->greedy = network->choice == CHOICE_GREEDY;
    engine->classes = anl_num_classes(&network->config);
    engine->class_lanes = network->class_lanes;
    for (uint32_t c = 0; c < ANL_MAX_VCS; c++)
        engine->config.class_weights[c] = (uint8_t)anl_class_weight(&network->config, c);
}

static void wire_ports(struct anl_engine *engine)
{
    const uint32_t *to = engine->part ? engine->part->to : engine->network->to;
    const uint32_t links = engine->slices ? first_gate(engine) : engine->shape.links;
    for (uint32_t link = 0; link < links; link++) {
        engine->ports[link].to = to[link];
        if (link < engine->switch_links)
            engine->ports[link].number = (uint8_t)(link % engine->shape.ports);
    }
    if (engine->part) engine_forget_wires(engine);
    if (engine->slices) engine_wire_slices(engine);
}

static bool is_scattered(const struct anl_network *network)
{
    for (uint32_t t = 1; t < network->shape.terminals; t++)
        if (anl_ejection_link(&network->config, t) < anl_ejection_link(&network->config, t - 1))
            return true;
    return false;
}

static enum anl_status make_buffered(struct anl_engine *engine)
{
    engine->inverse = (UINT64_C(1) << 40) / engine->shape.ports + 1;
    engine->all_vcs = (uint8_t)((1u << engine->config.num_vcs) - 1);
    if (anl_hop_cycles(&engine->config) > 1 && !engine_make_slices(engine)) return ANL_ERR_MEMORY;
    if (!allocate_all(engine)) return ANL_ERR_MEMORY;
    engine->large = engine->shape.switches > MOST_CACHED_SWITCHES && !engine->leaving;
    engine->scattered = is_scattered(engine->network);
    engine->variant = first_fitting_variant(engine);
    wire_ports(engine);
    return ANL_OK;
}

static enum anl_status make(struct anl_engine *engine)
{
    engine->machine = anl_machine_of(engine->config.kind)->engine;
    return engine->machine ? engine->machine->make(engine) : make_buffered(engine);
}

enum anl_status anl_engine_create_inside(const struct anl_network *network,
                                         const struct anl_parts *parts, uint32_t part,
                                         struct anl_engine **engine, struct anl_error *error)
{
    struct anl_engine *made = calloc(1, sizeof *made);
    *engine = NULL;
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, "", 0, "out of memory");
    copy_network(made, network);
    enum anl_status status = parts->of_switch ? engine_make_part(made, parts, part, error) : ANL_OK;
    if (!status) {
        status = make(made);
        if (status) anl_fail(error, status, "", 0, "%s", anl_status_text(status));
    }
    if (status) {
        anl_engine_destroy(made);
        return status;
    }
    anl_engine_reset(made, 0);
    *engine = made;
    return ANL_OK;
}

enum anl_status anl_engine_create_part(const struct anl_network *network, const uint32_t *part_of,
                                       uint32_t part, struct anl_engine **engine,
                                       struct anl_error *error)
{
    const struct anl_parts parts = {.of_switch = part_of};
    return anl_engine_create_inside(network, &parts, part, engine, error);
}

enum anl_status anl_engine_create_on(const struct anl_network *network, struct anl_engine **engine)
{
    return anl_engine_create_part(network, NULL, 0, engine, NULL);
}

enum anl_status anl_engine_create(const struct anl_config *config, struct anl_engine **engine)
{
    struct anl_network *own;
    *engine = NULL;
    enum anl_status status = anl_network_create(config, &own);
    if (status) return status;
    status = anl_engine_create_on(own, engine);
    if (status)
        anl_network_destroy(own);
    else
        (*engine)->own = own;
    return status;
}

static bool allocate_run(struct anl_engine *engine)
{
    return ALLOCATE(engine->flits, engine->shape.links) &&
           ALLOCATE(engine->delivered, engine->shape.terminals);
}

enum anl_status engine_create_run(const struct anl_network *network,
                                  const struct engine_machine *machine, struct anl_engine **engine)
{
    struct anl_engine *made = calloc(1, sizeof *made);
    *engine = NULL;
    if (!made) return ANL_ERR_MEMORY;
    copy_network(made, network);
    made->machine = machine;
    if (!allocate_run(made)) {
        anl_engine_destroy(made);
        return ANL_ERR_MEMORY;
    }
    *engine = made;
    return ANL_OK;
}

enum anl_status anl_engine_rides(struct anl_engine *engine, const struct anl_ride **rides,
                                 size_t *count)
{
    *count = 0;
    if (!engine->machine || !engine->machine->rides) return ANL_OK;
    return engine->machine->rides(engine, rides, count);
}

void anl_engine_destroy(struct anl_engine *engine)
{
    if (!engine) return;
    anl_network_destroy(engine->own);
    if (engine->machine && engine->machine->destroy) engine->machine->destroy(engine);
    engine_free_sinks(engine);
    engine_free_wide(engine);
    engine_free_slices(engine);
    engine_free_orders(engine);
    engine_free_part(engine);
    void *const owned[] = {
        engine->ports,     engine->lanes,    engine->worms_in, engine->tails,   engine->random,
        engine->sampling,  engine->busy,     engine->sources,  engine->pending, engine->worms,
        engine->heads,     engine->wanted,   engine->moves,    engine->leaving, engine->flits,
        engine->delivered, engine->ejecting, engine->ejected,  engine->order,   engine->options,
        engine->asked,     engine->favours,  engine->in_ptrs,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(engine);
}

#define CLEAR(field, count) memset((field), 0, (count) * sizeof *(field))

static void reset_port(const struct anl_engine *engine, struct port *port)
{
    const uint16_t all = credit_bits(engine->all_vcs) | free_bits(engine->all_vcs);
    *port = (struct port){.to = port->to, .number = port->number, .has_credit = all};
}

static void reset_classes(struct anl_engine *engine)
{
    const uint8_t quota = engine->config.class_weights[0];
    CLEAR(engine->in_ptrs, (size_t)engine->switch_links * engine->classes);
    for (uint32_t link = 0; link < engine->shape.links; link++)
        engine->favours[link] = (struct favour){.quota = quota};
}

static void reset_buffered(struct anl_engine *engine)
{
    const size_t lanes = (size_t)engine->switch_links * engine->config.num_vcs;
    const size_t sources = (size_t)engine->shape.terminals * engine->classes;

    for (uint32_t link = 0; link < engine->shape.links; link++)
        reset_port(engine, &engine->ports[link]);
    CLEAR(engine->lanes, (size_t)engine->shape.links * engine->config.num_vcs);
    if (engine->tails) CLEAR(engine->tails, lanes);
    CLEAR(engine->busy, engine->shape.links / 64 + 1);
    CLEAR(engine->pending, engine->shape.terminals / 64 + 1);
    if (engine->leaving) CLEAR(engine->leaving, engine->shape.links);
    CLEAR(engine->worms, (size_t)engine->worms_mask + 1);
    for (uint32_t s = 0; engine->random && s < engine->shape.switches; s++)
        engine->random[s] = anl_switch_seed(engine->seed, network_switch(engine, s));
    for (size_t i = 0; i < sources; i++)
        engine->sources[i] = (struct source){.front = NO_WORM};
    if (engine->favours) reset_classes(engine);
    if (engine->sinks) engine_reset_sinks(engine);
    if (engine->wide) engine_reset_wide(engine);
    if (engine->slices) engine_reset_slices(engine);
    if (engine->orders) engine_reset_orders(engine);
    if (engine->part) engine_reset_part(engine);
    engine->num_moves = engine->num_injections = engine->num_ejecting = 0;
}

bool anl_engine_fault(const struct anl_engine *engine, char *text, size_t size)
{
    const struct engine_machine *machine = engine->machine;
    return machine && machine->fault && machine->fault(engine, text, size);
}

void anl_engine_reset(struct anl_engine *engine, uint64_t seed)
{
    engine->next_id = 0;
    engine->seed = seed;
    engine->cycle = 0;
    engine->num_flits = engine->num_delivered = 0;
    engine->totals = (struct anl_engine_totals){0};
    if (engine->machine)
        engine->machine->reset(engine);
    else
        reset_buffered(engine);
}

// ---------------------------------------------------------------- order

// Returns true if both switches are in one tier. Where links are chained, only the switches of one
// tier may decide in any order.
static bool in_one_tier(const uint32_t *tier_begin, uint32_t a, uint32_t b)
{
    uint32_t tier = 0;
    while (tier_begin[tier + 1] <= a)
        tier++;
    return tier_begin[tier] <= b && b < tier_begin[tier + 1];
}

static bool may_swap(const struct anl_engine *engine, uint32_t a, uint32_t b)
{
    return !engine->leaving || in_one_tier(engine->tier_begin, a, b);
}

enum anl_status anl_engine_shuffle(struct anl_engine *engine, uint64_t order_seed)
{
    const uint32_t count = engine->shape.switches;
    free(engine->order);
    engine->order = NULL;
    if (order_seed == 0) return ANL_OK;
    if (engine->machine) return ANL_OK;
    if (!ALLOCATE(engine->order, count)) return ANL_ERR_MEMORY;

    struct anl_rng rng = anl_rng_seed(order_seed, 0);
    for (uint32_t i = 0, begin = 0; i < count; i++) {
        const uint32_t switch_ = engine->leaving ? count - 1 - i : i;
        if (i > 0 && !may_swap(engine, switch_, engine->order[begin])) begin = i;
        const uint32_t j = begin + anl_rng_below(&rng, i - begin + 1);
        engine->order[i] = engine->order[j];
        engine->order[j] = switch_;
    }
    return ANL_OK;
}
