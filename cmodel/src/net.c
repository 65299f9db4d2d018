// SPDX-License-Identifier: Apache-2.0
//
// Life of a network, offers, questions. The cycle itself is in net_decide.c and net_step.c.

#include "fat_tree.h"
#include "net_internal.h"

#include <annelid/random.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_WORMS = 1024 };  // size of the worm table at the start; a power of two

// ---------------------------------------------------------------- create and destroy

// Wiring and routes, looked up once from the formulas of topology.c.

static void fill_wiring(struct anl_net *net)
{
    const struct anl_config *config = &net->config;
    const uint32_t ports = net->shape.ports;
    for (uint32_t link = 0; link < net->network_links; link++) {
        net->switch_of[link] = link / ports;
        const struct anl_end end = anl_link_end(config, link / ports, link % ports);
        if (end.is_terminal)
            net->link_port[link] = net->network_links + end.node;
        else
            net->link_port[link] = end.exists ? end.node * ports + end.port : ANL_NO_PORT;
    }
    for (uint32_t t = 0; t < net->shape.terminals; t++)
        net->link_port[net->network_links + t] = anl_ejection_link(config, t);
}

static void fill_cube_routes(struct anl_net *net)
{
    const struct anl_config *config = &net->config;
    const uint32_t n = config->n, k = config->k;
    net->directions = (net->shape.ports - 1) / n;
    for (uint32_t s = 0; s < net->shape.switches; s++)
        for (uint32_t d = 0; d < n; d++)
            net->coordinate[(size_t)s * n + d] = (uint16_t)anl_coordinate(config, s, d);
    // Nodes 0 … k - 1 differ in dimension 0 alone, and every dimension has the same rule.
    for (uint32_t c = 0; c < k; c++)
        for (uint32_t t = 0; t < k; t++) {
            const struct anl_route route = anl_route_at(config, c, t);
            net->hop[(size_t)c * k + t] =
                (struct hop){.direction = (uint8_t)route.port, .vcs = (uint8_t)route.vcs};
        }
}

static void fill_tree_routes(struct anl_net *net)
{
    for (uint32_t s = 0; s < net->shape.switches; s++) {
        const struct anl_tree_place place = anl_tree_place(&net->config, s);
        net->stands[s] = (struct stand){.subtree = place.address >> (place.level - 1),
                                        .width = (uint8_t)(2 * place.level)};
    }
    if (net->config.routing != ANL_UP_DOWN_FIXED) net->up = 1u << TREE_UP;
}

static bool allocate(void *pointer, size_t count, size_t size)
{
    void *memory = calloc(count, size);
    memcpy(pointer, &memory, sizeof memory);
    return memory != NULL;
}

#define ALLOCATE(field, count) allocate(&(field), (count), sizeof *(field))

static bool allocate_routes(struct anl_net *net)
{
    const struct anl_config *config = &net->config;
    const size_t switches = net->shape.switches;
    if (config->topology == ANL_FAT_TREE) return ALLOCATE(net->stands, switches);
    return ALLOCATE(net->coordinate, switches * config->n) &&
           ALLOCATE(net->hop, (size_t)config->k * config->k);
}

static bool allocate_all(struct anl_net *net)
{
    const struct anl_config *config = &net->config;
    const size_t links = net->shape.links, switches = net->shape.switches;
    const size_t terminals = net->shape.terminals, v = config->num_vcs;
    const size_t input_ports = net->network_links + terminals;
    const bool chained = config->space == ANL_CHAINED;

    return ALLOCATE(net->link_port, links) && ALLOCATE(net->switch_of, net->network_links) &&
           allocate_routes(net) && ALLOCATE(net->lanes, input_ports * v) &&
           ALLOCATE(net->stored, input_ports * v * config->depth) &&
           (config->admission != ANL_STORE_AND_FORWARD || ALLOCATE(net->tails, input_ports * v)) &&
           ALLOCATE(net->occupied, input_ports) && ALLOCATE(net->full, input_ports) &&
           ALLOCATE(net->owned, links) && ALLOCATE(net->owner, links * v) &&
           ALLOCATE(net->in_ptr, net->network_links) &&
           ALLOCATE(net->out_ptr, net->network_links) &&
           (!anl_config_draws(config) || ALLOCATE(net->random, switches)) &&
           ALLOCATE(net->busy_ports, switches) && ALLOCATE(net->active, net->switch_words) &&
           ALLOCATE(net->sources, terminals) && ALLOCATE(net->pending, net->terminal_words) &&
           ALLOCATE(net->worms, FIRST_WORMS) && ALLOCATE(net->moves, links) &&
           (!chained || ALLOCATE(net->leaving, input_ports)) && ALLOCATE(net->flits, links) &&
           ALLOCATE(net->delivered, terminals) && ALLOCATE(net->ejecting, terminals) &&
           ALLOCATE(net->ejected, terminals);
}

enum anl_status anl_net_create(const struct anl_config *config, struct anl_net **net)
{
    *net = NULL;
    if (anl_config_check(config, NULL)) return ANL_ERR_ARGUMENT;
    struct anl_net *made = calloc(1, sizeof *made);
    if (!made) return ANL_ERR_MEMORY;

    made->config = *config;
    made->shape = anl_shape_of(config);
    made->network_links = made->shape.switches * made->shape.ports;
    made->switch_words = (made->shape.switches + 63) / 64;
    made->terminal_words = (made->shape.terminals + 63) / 64;
    made->all_vcs = (uint8_t)((1u << config->num_vcs) - 1);
    if (!allocate_all(made)) {
        anl_net_destroy(made);
        return ANL_ERR_MEMORY;
    }
    made->worms_mask = FIRST_WORMS - 1;
    fill_wiring(made);
    if (made->stands)
        fill_tree_routes(made);
    else
        fill_cube_routes(made);
    anl_net_reset(made, 0);
    *net = made;
    return ANL_OK;
}

void anl_net_destroy(struct anl_net *net)
{
    if (!net) return;
    void *const owned[] = {
        net->link_port,  net->switch_of, net->coordinate, net->hop,       net->stands,
        net->lanes,      net->stored,    net->tails,      net->occupied,  net->full,
        net->owned,      net->owner,     net->in_ptr,     net->out_ptr,   net->random,
        net->busy_ports, net->active,    net->sources,    net->pending,   net->worms,
        net->moves,      net->leaving,   net->flits,      net->delivered, net->ejecting,
        net->ejected,    net->order,
    };
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(net);
}

#define CLEAR(field, count) memset((field), 0, (count) * sizeof *(field))

void anl_net_reset(struct anl_net *net, uint64_t seed)
{
    const size_t input_ports = net->network_links + net->shape.terminals;

    CLEAR(net->lanes, input_ports * net->config.num_vcs);
    if (net->tails) CLEAR(net->tails, input_ports * net->config.num_vcs);
    CLEAR(net->occupied, input_ports);
    CLEAR(net->full, input_ports);
    CLEAR(net->owned, net->shape.links);
    CLEAR(net->in_ptr, net->network_links);
    CLEAR(net->out_ptr, net->network_links);
    CLEAR(net->busy_ports, net->shape.switches);
    CLEAR(net->active, net->switch_words);
    CLEAR(net->pending, net->terminal_words);
    if (net->leaving) CLEAR(net->leaving, input_ports);
    CLEAR(net->worms, (size_t)net->worms_mask + 1);
    for (uint32_t s = 0; net->random && s < net->shape.switches; s++)
        net->random[s] = anl_switch_seed(seed, s);
    for (uint32_t t = 0; t < net->shape.terminals; t++)
        net->sources[t] = (struct source){.front = NO_WORM};
    net->next_id = 0;
    net->seed = seed;
    net->cycle = 0;
    net->num_moves = net->num_flits = net->num_delivered = net->num_ejecting = 0;
    net->totals = (struct anl_net_totals){0};
}

// ---------------------------------------------------------------- offers

static enum anl_status grow_worms(struct anl_net *net)
{
    const size_t old_size = (size_t)net->worms_mask + 1;
    if (old_size > UINT32_MAX / 2) return ANL_ERR_MEMORY;
    struct record *worms = calloc(2 * old_size, sizeof *worms);
    if (!worms) return ANL_ERR_MEMORY;

    for (size_t i = 0; i < old_size; i++)
        if (net->worms[i].live) worms[net->worms[i].worm.id & (2 * old_size - 1)] = net->worms[i];
    free(net->worms);
    net->worms = worms;
    net->worms_mask = (uint32_t)(2 * old_size - 1);
    return ANL_OK;
}

static void enqueue(struct anl_net *net, uint32_t terminal, uint32_t id)
{
    struct source *source = &net->sources[terminal];
    if (source->front == NO_WORM)
        source->front = id;
    else
        record_of(net, source->back)->next = id;
    source->back = id;
    set_bit(net->pending, terminal);
}

static uint16_t rank_of(const struct anl_config *config, const struct anl_worm *worm)
{
    if (config->scan != ANL_FARTHEST) return (uint16_t)worm->created;
    return (uint16_t)anl_distance(config, worm->source, worm->destination);
}

enum anl_status anl_net_offer(struct anl_net *net, uint32_t source, uint32_t destination,
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
    *record_of(net, number) = (struct record){
        .worm = worm, .next = NO_WORM, .rank = rank_of(&net->config, &worm), .live = true};
    enqueue(net, source, number);
    net->totals.offered++;
    net->totals.queued++;
    if (id) *id = number;
    return ANL_OK;
}

// ---------------------------------------------------------------- questions

uint64_t anl_net_cycle(const struct anl_net *net) { return net->cycle; }

void anl_net_record(struct anl_net *net, bool on)
{
    net->record = on;
    net->num_flits = 0;
}

const struct anl_flit *anl_net_flits(const struct anl_net *net, size_t *count)
{
    *count = net->num_flits;
    return net->flits;
}

const struct anl_worm *anl_net_delivered(const struct anl_net *net, size_t *count)
{
    *count = net->num_delivered;
    return net->delivered;
}

const struct anl_worm *anl_net_worm(const struct anl_net *net, uint32_t id)
{
    const struct record *record = record_of(net, id);
    if (record->live && record->worm.id == id) return &record->worm;
    for (size_t i = 0; i < net->num_delivered; i++)
        if (net->delivered[i].id == id) return &net->delivered[i];
    return NULL;
}

struct anl_net_totals anl_net_totals(const struct anl_net *net) { return net->totals; }

static struct anl_lane_state lane_state(const struct anl_net *net, uint32_t port, uint32_t vc)
{
    const struct lane *lane = lane_of(net, port, vc);
    struct anl_lane_state state = {.count = lane->count, .credit = (uint8_t)net->config.depth};

    if (lane->bound) {
        state.bound = 1;
        state.bound_port = lane->port;
        state.bound_vc = lane->vc;
    }
    if (net->link_port[port] != ANL_NO_PORT)
        state.credit = (uint8_t)(state.credit - lane_of(net, net->link_port[port], vc)->count);
    if (net->owned[port] >> vc & 1) {
        const uint8_t owner = net->owner[(size_t)port * net->config.num_vcs + vc];
        state.owned = 1;
        state.owner_port = owner / ANL_MAX_VCS;
        state.owner_vc = owner % ANL_MAX_VCS;
    }
    return state;
}

static struct anl_terminal_lane_state terminal_state(const struct anl_net *net, uint32_t terminal,
                                                     uint32_t vc)
{
    const struct source *source = &net->sources[terminal];
    const uint32_t link = net->network_links + terminal;
    const uint32_t filled = lane_of(net, net->link_port[link], vc)->count;
    return (struct anl_terminal_lane_state){
        .count = lane_of(net, net->network_links + terminal, vc)->count,
        .credit = (uint8_t)(net->config.depth - filled),
        .bound = source->sent > 0 && source->vc == vc,
    };
}

void anl_net_state(const struct anl_net *net, struct anl_state *state)
{
    const uint32_t v = net->config.num_vcs;

    for (uint32_t port = 0; port < net->network_links; port++) {
        for (uint32_t vc = 0; vc < v; vc++)
            state->lanes[(size_t)port * v + vc] = lane_state(net, port, vc);
        state->ports[port] = (struct anl_port_state){net->in_ptr[port], net->out_ptr[port]};
    }
    for (uint32_t s = 0; s < net->shape.switches; s++)
        state->random[s] = net->random ? net->random[s] : 0;
    for (uint32_t t = 0; t < net->shape.terminals; t++)
        for (uint32_t vc = 0; vc < v; vc++)
            state->terminal_lanes[(size_t)t * v + vc] = terminal_state(net, t, vc);
}

// Levels go before each other as in net_decide() where their decisions depend on each other.
static bool may_swap(const struct anl_net *net, uint32_t a, uint32_t b)
{
    return !net->leaving || net->stands[a].width == net->stands[b].width;
}

enum anl_status anl_net_shuffle(struct anl_net *net, uint64_t order_seed)
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
