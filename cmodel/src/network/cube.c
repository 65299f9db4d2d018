// SPDX-License-Identifier: Apache-2.0
//
// The k-ary n-cubes of docs/networks.md: mesh, torus, unidirectional torus and hypercube. A route
// corrects one dimension after the other, so the next hop depends on one coordinate of the switch
// and of the destination at a time.

#include "network.h"

#include <stdio.h>
#include <stdlib.h>

// --- shape and wiring ---

// Returns true if a switch has one output port per dimension instead of two.
static bool one_way(const struct anl_config *config)
{
    return config->topology == ANL_UNIDIRECTIONAL_TORUS || config->topology == ANL_HYPERCUBE;
}

static uint32_t terminal_port(const struct anl_config *config)
{
    return one_way(config) ? config->n : 2 * config->n;
}

static struct anl_shape shape(const struct anl_config *config)
{
    const uint32_t switches = network_power(config->k, config->n);
    const uint32_t ports = terminal_port(config) + 1;
    return (struct anl_shape){
        .switches = switches,
        .ports = ports,
        .terminals = switches,
        .links = switches * ports + switches,
    };
}

static uint32_t ejection_link(const struct anl_config *config, uint32_t terminal)
{
    return terminal * (terminal_port(config) + 1) + terminal_port(config);
}

static struct anl_end link_end(const struct anl_config *config, uint32_t switch_, uint32_t port)
{
    const uint32_t k = config->k;
    if (port == terminal_port(config))
        return (struct anl_end){.exists = true, .is_terminal = true, .node = switch_};

    const uint32_t d = one_way(config) ? port : port / 2;
    const bool minus = !one_way(config) && port % 2 == 1;
    const uint32_t stride = network_power(k, d), x = anl_coordinate(config, switch_, d);
    if (config->topology == ANL_MESH && x == (minus ? 0 : k - 1)) return (struct anl_end){0};

    const uint32_t next_x = (minus ? x + k - 1 : x + 1) % k;
    return (struct anl_end){
        .exists = true,
        .node = switch_ - x * stride + next_x * stride,
        .port = one_way(config) ? port : port ^ 1,
    };
}

// --- dimensions ---

// The two switches of a dimension of a hypercube lead to each other as those of a one-way ring do.
static enum anl_dimension_kind kind_of(enum anl_topology topology)
{
    if (topology == ANL_MESH) return ANL_LINE;
    return topology == ANL_TORUS ? ANL_RING : ANL_ONE_WAY_RING;
}

struct anl_cube network_cube_of(const struct anl_config *config)
{
    if (config->topology == ANL_CUBE) return config->graph->cube;
    struct anl_cube cube = {.dimensions = config->n, .concentration = 1};
    for (uint32_t d = 0; d < config->n; d++) {
        cube.radix[d] = config->k;
        cube.kinds[d] = kind_of(config->topology);
    }
    return cube;
}

bool cube_goes_plus(enum anl_dimension_kind kind, uint32_t k, uint32_t c, uint32_t t)
{
    if (kind == ANL_LINE) return t > c;
    if (kind == ANL_ONE_WAY_RING) return true;
    const uint32_t forward = (t + k - c) % k, backward = k - forward;
    return forward == backward ? c % 2 == 0 : forward < backward;
}

// Dally and Seitz 1987.
uint32_t cube_dateline_vcs(uint32_t num_vcs, bool plus, uint32_t c, uint32_t t)
{
    const uint32_t all = (1u << num_vcs) - 1, class_0 = (1u << num_vcs / 2) - 1;
    const bool still_to_wrap = plus ? c > t : c < t;
    return still_to_wrap ? class_0 : all & ~class_0;
}

// A circle needs a ring in which some worms go two hops, wherever they begin (docs/networks.md,
// "Routing").
bool cube_needs_no_dateline(enum anl_dimension_kind kind, uint32_t k)
{
    static const uint32_t cyclic_k[] = {
        [ANL_LINE] = UINT32_MAX, [ANL_RING] = 5, [ANL_ONE_WAY_RING] = 3};
    return k < cyclic_k[kind];
}

// --- routes ---

// Returns the way from coordinate c to coordinate t != c of dimension d.
static struct network_hop hop_in(const struct anl_config *config, uint32_t d, uint32_t c,
                                 uint32_t t)
{
    const bool plus = cube_goes_plus(kind_of(config->topology), config->k, c, t);
    const uint32_t all = (1u << config->num_vcs) - 1;
    return (struct network_hop){
        (uint8_t)(one_way(config) ? d : 2 * d + !plus),
        (uint8_t)(config->routing == ANL_DATELINE ? cube_dateline_vcs(config->num_vcs, plus, c, t)
                                                  : all),
    };
}

// Returns the hop of dimension order from one switch to another, or to the terminal of the switch.
static struct network_hop hop_to(const struct anl_config *config, uint32_t here, uint32_t there)
{
    for (uint32_t d = 0; d < config->n; d++, here /= config->k, there /= config->k) {
        const uint32_t c = here % config->k, t = there % config->k;
        if (c != t) return hop_in(config, d, c, t);
    }
    return (struct network_hop){(uint8_t)terminal_port(config),
                                (uint8_t)((1u << config->num_vcs) - 1)};
}

// Routing valiant: each phase is dimension order in lanes of its own (docs/networks.md).
static struct network_hop hop_on_path(const struct anl_config *config, struct anl_input_lane at,
                                      uint32_t destination, uint32_t path)
{
    const uint32_t half = config->num_vcs / 2;
    const bool is_first = at.port == terminal_port(config) || at.vc < half;
    const bool second = !is_first || at.switch_ == path;
    struct anl_config phase = *config;
    if (second && at.switch_ == destination) return hop_to(config, destination, destination);
    phase.routing = kind_of(config->topology) == ANL_RING ? ANL_DATELINE : ANL_DIMENSION_ORDER;
    phase.num_vcs = second ? config->num_vcs - half : half;
    struct network_hop hop = hop_to(&phase, at.switch_, second ? destination : path);
    if (second) hop.vcs = (uint8_t)(hop.vcs << half);
    return hop;
}

// Returns the ways to all switches by which a worm with routing valiant may go.
static struct anl_route any_path(const struct anl_config *config, struct anl_input_lane at,
                                 uint32_t destination)
{
    struct anl_route route = {0};
    for (uint32_t path = 0; path < anl_num_paths(config); path++) {
        const struct network_hop hop = hop_on_path(config, at, destination, path);
        route.ports |= 1u << hop.port;
        route.vcs[hop.port] |= hop.vcs;
    }
    return route;
}

static struct anl_route adaptive_route(const struct anl_config *config, struct anl_input_lane at,
                                       uint32_t destination)
{
    const enum anl_dimension_kind kind = kind_of(config->topology);
    struct cube_place place = {.dimensions = config->n,
                               .input = at.port,
                               .num_vcs = config->num_vcs,
                               .escapes = anl_escape_lanes(config)};
    uint32_t here = at.switch_;
    for (uint32_t d = 0; d < config->n; d++, here /= config->k, destination /= config->k)
        place.in[d] = (struct cube_dimension){kind, one_way(config) ? d : 2 * d, config->k,
                                              here % config->k, destination % config->k};
    return cube_adaptive_route(config->routing, &place);
}

static struct anl_route route(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination)
{
    if (config->routing == ANL_VALIANT) return any_path(config, at, destination);
    if (anl_is_adaptive(config) && at.switch_ != destination)
        return adaptive_route(config, at, destination);
    return network_route_of(hop_to(config, at.switch_, destination));
}

static uint32_t path_radix(const struct anl_config *config)
{
    return config->routing == ANL_VALIANT ? config->k : 1;
}

static uint32_t distance_in(const struct anl_config *config, uint32_t c, uint32_t t)
{
    const uint32_t forward = (t + config->k - c) % config->k;
    const uint32_t backward = (config->k - forward) % config->k;
    if (config->topology == ANL_MESH) return t > c ? t - c : c - t;
    return config->topology == ANL_TORUS && backward < forward ? backward : forward;
}

static uint32_t distance(const struct anl_config *config, uint32_t source, uint32_t destination)
{
    uint32_t links = 0;
    for (uint32_t d = 0; d < config->n; d++)
        links += distance_in(config, anl_coordinate(config, source, d),
                             anl_coordinate(config, destination, d));
    return links;
}

static uint32_t straight(const struct anl_config *config, uint32_t input)
{
    if (input == terminal_port(config)) return ANL_NO_PORT;
    return one_way(config) ? input : input ^ 1;
}

bool cube_in_upper_half(const struct anl_config *config, uint32_t switch_)
{
    const struct anl_cube cube = network_cube_of(config);
    const uint32_t last = cube.radix[cube.dimensions - 1];
    return switch_ / (anl_shape_of(config).switches / last) >= (last + 1) / 2;
}

bool cube_has_rings(const struct anl_config *config)
{
    const struct anl_cube cube = network_cube_of(config);
    for (uint32_t d = 0; d < cube.dimensions; d++)
        if (cube.kinds[d] != ANL_LINE) return true;
    return false;
}

uint32_t cube_num_link_tiers(const struct anl_config *config)
{
    return network_cube_of(config).dimensions;
}

// Returns the dimension in which two neighbours differ.
uint32_t cube_link_tier(const struct anl_config *config, uint32_t from, uint32_t to)
{
    const struct anl_cube cube = network_cube_of(config);
    uint32_t dimension = 0;
    for (; from % cube.radix[dimension] == to % cube.radix[dimension]; dimension++) {
        from /= cube.radix[dimension];
        to /= cube.radix[dimension];
    }
    return dimension;
}

void cube_link_tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "dimension %u", tier);
}

enum anl_status cube_check(const struct anl_config *config, struct anl_error *error)
{
    const struct anl_cube cube = network_cube_of(config);
    return cube_check_routing(&cube, config->routing, config->num_vcs, error);
}

static bool is_acyclic(const struct anl_config *config)
{
    if (config->routing == ANL_ADAPTIVE) return anl_escapes_are_asked(config);
    return config->routing == ANL_DATELINE || config->routing == ANL_VALIANT ||
           anl_is_turn_model(config->routing) ||
           cube_needs_no_dateline(kind_of(config->topology), config->k);
}

// --- names and numbers ---

static size_t switch_name(const struct anl_config *config, uint32_t switch_, char *text,
                          size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%u(", switch_);
    for (uint32_t d = 0; d < config->n && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, d ? ",%u" : "%u",
                                 anl_coordinate(config, switch_, d));
    if (used < size) used += (size_t)snprintf(text + used, size - used, ")");
    return used;
}

static void port_name(const struct anl_config *config, uint32_t port, char *text, size_t size)
{
    if (port == terminal_port(config))
        snprintf(text, size, "T");
    else if (config->topology == ANL_HYPERCUBE)
        snprintf(text, size, "%u", port);
    else if (one_way(config))
        snprintf(text, size, "+%u", port);
    else
        snprintf(text, size, "%c%u", port % 2 ? '-' : '+', port / 2);
}

// --- tables ---

// hops[c * k + t] is the hop from coordinate c to coordinate t, with the port that it has in
// dimension 0. In dimension d the port is d * directions higher.
struct tables {
    uint32_t width;       // bits of one coordinate of a label
    uint32_t directions;  // output ports per dimension
    struct network_hop hops[];
};

// With routing valiant hops are computed from the configuration of a class, and heads carry the
// number of their destination.
static bool prepare_valiant(struct anl_network *network)
{
    struct anl_config *one = malloc(sizeof *one);
    network->tables = one;
    if (one) *one = anl_config_of_class(&network->config, 0);
    return one;
}

// If the radix is a power of two, the label of a terminal is its number.
static bool list_labels(struct anl_network *network)
{
    network->labels = malloc(network->shape.switches * sizeof *network->labels);
    for (uint32_t s = 0; network->labels && s < network->shape.switches; s++)
        network->labels[s] = (uint32_t)anl_label(&network->config, s);
    return network->labels != NULL;
}

static bool prepare(struct anl_network *network)
{
    if (network->config.routing == ANL_VALIANT) return prepare_valiant(network);
    const struct anl_config *config = &network->config;
    const struct anl_config one = anl_config_of_class(config, 0);
    const uint32_t k = config->k;
    struct tables *tables = malloc(sizeof *tables + (size_t)k * k * sizeof *tables->hops);
    network->tables = tables;
    if (!tables) return false;
    if ((k & (k - 1)) != 0 && !list_labels(network)) return false;
    tables->width = anl_label_bits(config) / config->n;
    tables->directions = one_way(config) ? 1 : 2;
    for (uint32_t c = 0; c < k; c++)
        for (uint32_t t = 0; t < k; t++)
            tables->hops[(size_t)c * k + t] = hop_in(&one, 0, c, t);
    return true;
}

static struct network_hop hop(const struct anl_network *network, uint32_t switch_, uint32_t input,
                              uint32_t vc, struct network_head head)
{
    if (network->config.routing == ANL_VALIANT)
        return hop_on_path(network->tables, (struct anl_input_lane){switch_, input, vc}, head.label,
                           head.path);
    const struct tables *tables = network->tables;
    const uint32_t width = tables->width, mask = (1u << width) - 1;
    uint32_t here = network->labels ? network->labels[switch_] : switch_, there = head.label;

    for (uint32_t d = 0; here != there; d++, here >>= width, there >>= width) {
        if ((here & mask) == (there & mask)) continue;
        const struct network_hop hop =
            tables->hops[(here & mask) * network->config.k + (there & mask)];
        return (struct network_hop){(uint8_t)(d * tables->directions + hop.port), hop.vcs};
    }
    return (struct network_hop){(uint8_t)(network->shape.ports - 1),
                                (uint8_t)((1u << network->class_lanes) - 1)};
}

// --- the four cubes ---

#define CUBE                                                                                       \
    .check = cube_check, .is_acyclic = is_acyclic, .shape = shape, .link_end = link_end,           \
    .ejection_link = ejection_link, .route = route, .path_radix = path_radix,                      \
    .hop_on_path = hop_on_path, .distance = distance, .in_upper_half = cube_in_upper_half,         \
    .halves = CUBE_HALVES, .num_link_tiers = cube_num_link_tiers, .link_tier = cube_link_tier,     \
    .link_tier_name = cube_link_tier_name, .straight = straight, .switch_name = switch_name,       \
    .port_name = port_name, .prepare = prepare, .hop = hop

enum { TORUS_ROUTINGS = 1 << ANL_DIMENSION_ORDER | 1 << ANL_DATELINE | 1 << ANL_ADAPTIVE };

const struct topology topology_mesh = {
    .name = "mesh",
    .least_k = 1,
    .routings = 1 << ANL_DIMENSION_ORDER | 1 << ANL_VALIANT | ADAPTIVE_ROUTINGS,
    .routing = ANL_DIMENSION_ORDER,
    CUBE,
};

const struct topology topology_torus = {
    .name = "torus",
    .least_k = 2,
    .routings = TORUS_ROUTINGS | 1 << ANL_VALIANT,
    .routing = ANL_DATELINE,
    .has_rings = cube_has_rings,
    CUBE,
};

const struct topology topology_unidirectional_torus = {
    .name = "unidirectional_torus",
    .least_k = 2,
    .routings = TORUS_ROUTINGS,
    .routing = ANL_DATELINE,
    .has_rings = cube_has_rings,
    CUBE,
};

const struct topology topology_hypercube = {
    .name = "hypercube",
    .only_k = 2,
    .routings = 1 << ANL_E_CUBE | 1 << ANL_VALIANT,
    .routing = ANL_E_CUBE,
    CUBE,
};
