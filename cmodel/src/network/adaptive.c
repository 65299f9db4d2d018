// SPDX-License-Identifier: Apache-2.0
//
// The adaptive routings of cubes: docs/networks.md, "Adaptive routing". What follows from the
// configuration alone, which lanes are escape lanes and whether heads have several options, is here
// as well.

#include "network.h"

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

// Ports of a mesh of two dimensions.
enum { EAST = 1 << 0, WEST = 1 << 1, NORTH = 1 << 2, MINUS_0 = 1 };
#define NEGATIVE UINT32_C(0xaaaaaaaa)  // all "-d", where all dimensions are lines

static bool is_between(enum anl_routing routing, enum anl_routing first, enum anl_routing last)
{
    return routing >= first && routing <= last;
}

bool anl_is_turn_model(enum anl_routing routing)
{
    return is_between(routing, ANL_WEST_FIRST, ANL_ODD_EVEN);
}

bool anl_is_adaptive(const struct anl_config *config)
{
    if (anl_classes_differ(config)) return network_some_class(config, anl_is_adaptive);
    if (config->routing == ANL_TABLE)
        return config->graph && (config->graph->options > 1 || config->escape_vcs > 0);
    return is_between(config->routing, ANL_WEST_FIRST, ANL_ADAPTIVE);
}

// --- which cubes ---

static uint32_t rings(const struct anl_cube *cube)
{
    uint32_t count = 0;
    for (uint32_t d = 0; d < cube->dimensions; d++)
        count += cube->kinds[d] != ANL_LINE;
    return count;
}

static uint32_t num_escape_vcs(const struct anl_cube *cube) { return rings(cube) ? 2 : 1; }

// Returns whether each phase of routing valiant divides its lanes at datelines.
static bool has_datelines(const struct anl_cube *cube) { return cube->kinds[0] == ANL_RING; }

enum anl_status cube_check_routing(const struct anl_cube *cube, enum anl_routing routing,
                                   uint32_t num_vcs, struct anl_error *error)
{
    const char *name = anl_routing_name(routing);
    const bool turns = anl_is_turn_model(routing);
    uint32_t least = routing == ANL_DATELINE ? 2 : 1;
    if (routing == ANL_ADAPTIVE) least = num_escape_vcs(cube) + 1;
    if (routing == ANL_VALIANT) least = has_datelines(cube) ? 4 : 2;
    if (num_vcs < least)
        REFUSE("num_vcs is %u, routing %s expects at least %u", num_vcs, name, least);
    if (turns && rings(cube))
        REFUSE("routing %s expects lines in all dimensions, found a ring", name);
    if (turns && routing != ANL_NEGATIVE_FIRST && cube->dimensions != 2)
        REFUSE("routing %s expects 2 dimensions, found %u", name, cube->dimensions);
    return ANL_OK;
}

static uint32_t escape_lanes_of_classes(const struct anl_config *config)
{
    uint32_t vcs = 0;
    for (uint32_t c = 0; c < anl_num_classes(config); c++) {
        const struct anl_config one = anl_config_of_class(config, c);
        vcs |= anl_escape_lanes(&one) << c * anl_class_lanes(config);
    }
    return vcs;
}

uint32_t anl_escape_lanes(const struct anl_config *config)
{
    uint32_t count = 0;
    if (anl_classes_differ(config)) return escape_lanes_of_classes(config);
    if (config->routing == ANL_TABLE) count = config->escape_vcs;
    if (config->routing == ANL_ADAPTIVE) {
        const struct anl_cube cube = network_cube_of(config);
        count = num_escape_vcs(&cube);
    }
    const uint32_t lanes = anl_class_lanes(config);
    if (count >= lanes) return 0;
    return network_in_all_classes(config, ((1u << count) - 1) << (lanes - count));
}

// The classes with escape lanes have atomic lanes.
uint32_t anl_atomic_lanes(const struct anl_config *config)
{
    uint32_t vcs = 0;
    for (uint32_t c = 0; config->atomic && c < anl_num_classes(config); c++) {
        const uint32_t all = anl_class_vcs(config, c), escapes = anl_escape_lanes(config) & all;
        if (escapes) vcs |= all & ~escapes;
    }
    return vcs;
}

bool anl_escapes_are_asked(const struct anl_config *config)
{
    return config->atomic == ANL_ATOMIC_ADAPTIVE || config->flow_control != ANL_WORMHOLE;
}

// --- ports ---

// Returns the mask of the productive ports of a dimension.
static uint32_t productive_in(const struct cube_dimension *in)
{
    const uint32_t plus = 1u << in->port, minus = 2u << in->port;
    if (in->c == in->t) return 0;
    const uint32_t forward = (in->t + in->k - in->c) % in->k;
    if (in->kind == ANL_RING && 2 * forward == in->k) return plus | minus;
    return cube_goes_plus(in->kind, in->k, in->c, in->t) ? plus : minus;
}

static uint32_t productive(const struct cube_place *place)
{
    uint32_t ports = 0;
    for (uint32_t d = 0; d < place->dimensions; d++)
        ports |= productive_in(&place->in[d]);
    return ports;
}

// Chiu 2000.
static uint32_t odd_even(const struct cube_place *place)
{
    const struct cube_dimension *x = &place->in[0];
    const uint32_t sideways = productive_in(&place->in[1]);
    const bool odd = x->c % 2 == 1;
    if (x->c == x->t) return sideways;
    if (x->t < x->c) return WEST | (odd ? 0 : sideways);
    const bool east = !sideways || x->t - x->c > 1 || x->t % 2 == 1;
    const bool may_turn = odd || place->input != MINUS_0;
    return (east ? EAST : 0) | (may_turn ? sideways : 0);
}

static uint32_t preferred(uint32_t ports, uint32_t some) { return ports & some ? some : ~0u; }

static uint32_t ports_of(enum anl_routing routing, const struct cube_place *place)
{
    const uint32_t ports = productive(place);
    switch (routing) {
    case ANL_WEST_FIRST:
        return ports & preferred(ports, WEST);
    case ANL_NORTH_LAST:
        return ports & preferred(ports, (uint32_t)~NORTH);
    case ANL_NEGATIVE_FIRST:
        return ports & preferred(ports, NEGATIVE);
    case ANL_ODD_EVEN:
        return odd_even(place);
    default:
        return ports;
    }
}

// --- routes ---

// Adds the escape lanes to the port that dimension order takes.
static void add_escape(const struct cube_place *place, struct anl_route *route)
{
    const uint32_t highest = 1u << (place->num_vcs - 1);
    uint32_t d = 0;
    while (place->in[d].c == place->in[d].t)
        d++;
    const struct cube_dimension *in = &place->in[d];
    const bool plus = cube_goes_plus(in->kind, in->k, in->c, in->t);
    uint32_t vcs = place->escapes;
    if (in->kind != ANL_LINE)
        vcs = cube_dateline_vcs(2, plus, in->c, in->t) == 1 ? highest >> 1 : highest;
    route->vcs[in->port + !plus] |= (uint8_t)vcs;
}

struct anl_route cube_adaptive_route(enum anl_routing routing, const struct cube_place *place)
{
    const uint32_t all = (1u << place->num_vcs) - 1;
    struct anl_route route = {.ports = ports_of(routing, place)};
    for (uint32_t rest = route.ports; rest; rest &= rest - 1)
        route.vcs[__builtin_ctz(rest)] = (uint8_t)(all & ~place->escapes);
    if (place->escapes) add_escape(place, &route);
    return route;
}
