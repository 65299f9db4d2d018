// SPDX-License-Identifier: Apache-2.0

#include "unit_referee.h"

struct referee_shape referee_shape_of(const struct anl_config *config)
{
    struct referee_shape shape;
    assert_int_equal(referee_shape_init(&shape, config), ANL_OK);
    return shape;
}

static void same_end(const struct anl_config *config, const struct referee_shape *shape,
                     uint32_t link)
{
    const struct anl_end end = anl_end_of(config, link);
    if (!end.exists) {
        assert_int_equal(referee_link_end(shape, link), REFEREE_NO_LINK);
        return;
    }
    assert_int_equal(referee_link_end(shape, link),
                     end.is_terminal ? shape->switches + end.node : end.node);
    if (!end.is_terminal && config->topology != ANL_FAT_TREE)  // there no route depends on it
        assert_int_equal(referee_link_input(shape, link), end.port);
}

void same_links(const struct anl_config *config, const struct referee_shape *shape)
{
    const struct anl_shape expected = anl_shape_of(config);
    assert_int_equal(shape->switches, expected.switches);
    assert_int_equal(shape->ports, expected.ports);
    assert_int_equal(shape->terminals, expected.terminals);
    assert_int_equal(shape->links, expected.links);
    for (uint32_t link = 0; link < expected.links; link++) {
        char ours[REFEREE_NAME_BYTES], name[REFEREE_NAME_BYTES];
        same_end(config, shape, link);
        if (anl_end_of(config, link).exists)
            assert_int_equal(referee_link_is_chained(shape, link),
                             anl_link_is_chained(config, link));
        referee_link_name(shape, link, ours);
        anl_link_name(config, link, name, sizeof name);
        assert_string_equal(ours, name);
    }
}

struct referee_route same_route(const struct anl_config *config, const struct referee_shape *shape,
                                const struct referee_worm *worm, uint32_t link, uint32_t vc)
{
    const struct referee_head head = {worm, referee_link_end(shape, link),
                                      referee_link_input(shape, link), vc};
    const struct anl_input_lane at = {head.switch_, head.input, vc};
    const struct anl_route route = anl_route_on_path(config, at, worm->destination, worm->path);
    const struct referee_route ours = referee_route(shape, &head);
    for (uint32_t port = 0; port < ANL_MAX_PORTS; port++)
        if (route.vcs[port] != ours.lanes[port] ||
            (route.ports >> port & 1) != (ours.lanes[port] != 0))
            fail_msg("%s: from input port %u, lane %u of switch %u to terminal %u by port %u: "
                     "lanes 0x%x, the referee has 0x%x",
                     anl_routing_name(config->routing), head.input, vc, head.switch_,
                     worm->destination, port, route.vcs[port], ours.lanes[port]);
    return ours;
}

// The lanes (link * num_vcs + vc) to which the head of a worm may come.
struct reach {
    uint32_t *lanes;
    uint32_t count;
    uint8_t *met;
};

static void reach_lanes(struct reach *reach, uint32_t num_vcs, uint32_t link, uint32_t set)
{
    for (uint32_t vc = 0; vc < num_vcs; vc++) {
        const uint32_t lane = link * num_vcs + vc;
        if (!(set >> vc & 1) || reach->met[lane]) continue;
        reach->met[lane] = 1;
        reach->lanes[reach->count++] = lane;
    }
}

void same_routes_of(const struct anl_config *config, const struct referee_shape *shape,
                    const struct referee_worm *worm)
{
    const uint32_t num_vcs = config->num_vcs, lanes = shape->links * num_vcs;
    struct reach reach = {.lanes = calloc(lanes, sizeof *reach.lanes), .met = calloc(lanes, 1)};
    assert_true(reach.lanes && reach.met);
    const uint32_t injection = referee_injection_lanes(shape, worm);
    assert_int_equal(injection, anl_injection_vcs(config, worm->source, worm->destination) &
                                    anl_class_vcs(config, worm->class_));
    reach_lanes(&reach, num_vcs, shape->switches * shape->ports + worm->source, injection);
    for (uint32_t i = 0; i < reach.count; i++) {
        const uint32_t link = reach.lanes[i] / num_vcs, vc = reach.lanes[i] % num_vcs;
        const uint32_t end = referee_link_end(shape, link);
        if (end >= shape->switches) {
            assert_int_equal(end, shape->switches + worm->destination);
            continue;
        }
        const struct referee_route route = same_route(config, shape, worm, link, vc);
        for (uint32_t port = 0; port < shape->ports; port++)
            reach_lanes(&reach, num_vcs, end * shape->ports + port, route.lanes[port]);
    }
    free(reach.lanes);
    free(reach.met);
}

void same_routes(const struct anl_config *config, const struct referee_shape *shape)
{
    for (uint32_t from = 0; from < shape->terminals; from++)
        for (uint32_t to = 0; to < shape->terminals; to++)
            for (uint32_t class_ = 0; class_ < shape->classes; class_++) {
                const struct referee_worm worm = {
                    .source = from, .destination = to, .length = 1, .class_ = (uint8_t)class_};
                same_routes_of(config, shape, &worm);
            }
}
