// SPDX-License-Identifier: Apache-2.0
//
// Life of a network, offers. The cycle itself is in net_decide.c and net_step.c.

#include "engine.h"

#include <annelid/base.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_WORMS = 1024,           // size of the worm table at the start; a power of two
    MOST_CACHED_SWITCHES = 4096,  // whose state caches of a megabyte can hold
};

// ---------------------------------------------------------------- create and destroy

static bool allocate(void *pointer, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

#define ALLOCATE(field, count) allocate(&(field), (count), sizeof *(field))

static bool allocate_worms(struct anl_engine *net)
{
    net->worms_mask = FIRST_WORMS - 1;
    return ALLOCATE(net->worms, FIRST_WORMS) && ALLOCATE(net->heads, FIRST_WORMS);
}

static bool allocate_generators(struct anl_engine *net)
{
    const size_t switches = net->shape.switches;
    return ALLOCATE(net->random, switches) && ALLOCATE(net->sampling, switches / 64 + 1);
}

static bool allocate_cycle(struct anl_engine *net)
{
    const size_t links = net->shape.links, terminals = net->shape.terminals;
    return ALLOCATE(net->wanted, net->network_links / 64 + 1) && ALLOCATE(net->moves, links) &&
           (net->config.space != ANL_CHAINED || ALLOCATE(net->leaving, links)) &&
           ALLOCATE(net->flits, links) && ALLOCATE(net->delivered, terminals) &&
           ALLOCATE(net->ejecting, terminals + 1) && ALLOCATE(net->ejected, terminals + 1);
}

static bool allocate_all(struct anl_engine *net)
{
    const struct anl_config *config = &net->config;
    const size_t links = net->shape.links, terminals = net->shape.terminals;
    const size_t lanes = (size_t)net->network_links * config->num_vcs;

    return net_allocate_tables(net) && ALLOCATE(net->ports, links) &&
           ALLOCATE(net->lanes, links * config->num_vcs) &&
           ALLOCATE(net->worms_in, lanes * config->depth) &&
           (config->admission != ANL_STORE_AND_FORWARD || ALLOCATE(net->tails, lanes)) &&
           (!anl_config_reads_random(config) || allocate_generators(net)) &&
           ALLOCATE(net->busy, links / 64 + 1) && ALLOCATE(net->sources, terminals) &&
           ALLOCATE(net->pending, terminals / 64 + 1) && allocate_worms(net) && allocate_cycle(net);
}

enum anl_status anl_engine_create(const struct anl_config *config, struct anl_engine **net)
{
    *net = NULL;
    if (anl_config_check(config, NULL)) return ANL_ERR_ARGUMENT;
    struct anl_engine *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;

    made->config = *config;
    made->shape = anl_shape_of(config);
    made->network_links = made->shape.switches * made->shape.ports;
    made->inverse = (UINT64_C(1) << 40) / made->shape.ports + 1;
    made->all_vcs = (uint8_t)((1u << config->num_vcs) - 1);
    if (!allocate_all(made)) {
        anl_engine_destroy(made);
        return ANL_ERR_MEMORY;
    }
    net_fill_tables(made);
    made->plain = config->admission == ANL_WORMHOLE;
    made->large = made->shape.switches > MOST_CACHED_SWITCHES;
    anl_engine_reset(made, 0);
    *net = made;
    return ANL_OK;
}

void anl_engine_destroy(struct anl_engine *net)
{
    if (!net) return;
    void *const owned[] = {
        net->from,     net->labels,    net->hop,      net->stands,   net->ports, net->lanes,
        net->worms_in, net->tails,     net->random,   net->sampling, net->busy,  net->sources,
        net->pending,  net->worms,     net->heads,    net->wanted,   net->moves, net->leaving,
        net->flits,    net->delivered, net->ejecting, net->ejected,  net->order,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(net);
}

#define CLEAR(field, count) memset((field), 0, (count) * sizeof *(field))

static void reset_port(const struct anl_engine *net, struct port *port)
{
    const uint16_t open = credit_bits(net->all_vcs) | free_bits(net->all_vcs);
    *port = (struct port){.to = port->to, .number = port->number, .open = open};
}

void anl_engine_reset(struct anl_engine *net, uint64_t seed)
{
    const size_t lanes = (size_t)net->network_links * net->config.num_vcs;

    for (uint32_t link = 0; link < net->shape.links; link++)
        reset_port(net, &net->ports[link]);
    CLEAR(net->lanes, (size_t)net->shape.links * net->config.num_vcs);
    if (net->tails) CLEAR(net->tails, lanes);
    CLEAR(net->busy, net->shape.links / 64 + 1);
    CLEAR(net->pending, net->shape.terminals / 64 + 1);
    if (net->leaving) CLEAR(net->leaving, net->shape.links);
    CLEAR(net->worms, (size_t)net->worms_mask + 1);
    for (uint32_t s = 0; net->random && s < net->shape.switches; s++)
        net->random[s] = anl_switch_seed(seed, s);
    for (uint32_t t = 0; t < net->shape.terminals; t++)
        net->sources[t] = (struct source){.front = NO_WORM};
    net->next_id = 0;
    net->seed = seed;
    net->cycle = 0;
    net->num_moves = net->num_injections = net->num_flits = net->num_delivered = 0;
    net->num_ejecting = 0;
    net->totals = (struct anl_engine_totals){0};
}

// ---------------------------------------------------------------- offers

static enum anl_status grow_worms(struct anl_engine *net)
{
    const uint32_t old_mask = net->worms_mask, mask = 2 * old_mask + 1;
    if (old_mask > UINT32_MAX / 4) return ANL_ERR_MEMORY;
    struct record *worms = malloc(((size_t)mask + 1) * sizeof *worms);
    struct head *heads = calloc((size_t)mask + 1, sizeof *heads);
    if (!worms || !heads) {
        free(worms);
        free(heads);
        return ANL_ERR_MEMORY;
    }
    // Not calloc(): records are read before they are written, and each page would fault twice.
    for (size_t i = 0; i <= mask; i++)
        worms[i].live = false;
    for (size_t i = 0; i <= old_mask; i++)
        if (net->worms[i].live) {
            worms[net->worms[i].worm.id & mask] = net->worms[i];
            heads[net->worms[i].worm.id & mask] = net->heads[i];
        }
    free(net->worms);
    free(net->heads);
    net->worms = worms;
    net->heads = heads;
    net->worms_mask = mask;
    return ANL_OK;
}

static void enqueue(struct anl_engine *net, uint32_t terminal, const struct anl_worm *worm)
{
    struct source *source = &net->sources[terminal];
    if (source->front == NO_WORM) {
        source->front = worm->id;
        source->length = worm->length;
        set_bit(net->pending, terminal);
    } else {
        record_of(net, source->back)->next = worm->id;
    }
    source->back = worm->id;
}

static uint16_t rank_of(const struct anl_config *config, const struct anl_worm *worm)
{
    if (config->scan != ANL_FARTHEST) return (uint16_t)worm->created;
    return (uint16_t)anl_distance(config, worm->source, worm->destination);
}

enum anl_status anl_engine_offer(struct anl_engine *net, uint32_t source, uint32_t destination,
                                 uint16_t length, uint32_t *id)
{
    const bool whole = net->config.admission != ANL_WORMHOLE;
    if (source >= net->shape.terminals || destination >= net->shape.terminals || length == 0 ||
        (whole && length > net->config.depth) || net->next_id == NO_WORM)
        return ANL_ERR_ARGUMENT;
    while (record_of(net, net->next_id)->live)
        if (grow_worms(net)) return ANL_ERR_MEMORY;

    const uint32_t number = net->next_id++;
    const struct anl_worm worm = {.id = number,
                                  .source = source,
                                  .destination = destination,
                                  .length = length,
                                  .created = net->cycle,
                                  .path = anl_worm_path(&net->config, net->seed, number)};
    *record_of(net, number) = (struct record){.worm = worm, .next = NO_WORM, .live = true};
    *head_of(net, number) = (struct head){net->labels ? net->labels[destination] : destination,
                                          length, rank_of(&net->config, &worm)};
    enqueue(net, source, &worm);
    net->totals.offered++;
    net->totals.queued++;
    if (id) *id = number;
    return ANL_OK;
}

// ---------------------------------------------------------------- order

// Levels go before each other as in net_decide() where their decisions depend on each other.
static bool may_swap(const struct anl_engine *net, uint32_t a, uint32_t b)
{
    return !net->leaving || net->stands[a].width == net->stands[b].width;
}

enum anl_status anl_engine_shuffle(struct anl_engine *net, uint64_t order_seed)
{
    const uint32_t count = net->shape.switches;
    free(net->order);
    net->order = NULL;
    if (order_seed == 0) return ANL_OK;
    if (!ALLOCATE(net->order, count)) return ANL_ERR_MEMORY;

    struct anl_rng rng = anl_rng_seed(order_seed, 0);
    for (uint32_t i = 0, begin = 0; i < count; i++) {
        const uint32_t switch_ = net->leaving ? count - 1 - i : i;
        if (i > 0 && !may_swap(net, switch_, net->order[begin])) begin = i;
        const uint32_t j = begin + anl_rng_below(&rng, i - begin + 1);
        net->order[i] = net->order[j];
        net->order[j] = switch_;
    }
    return ANL_OK;
}
