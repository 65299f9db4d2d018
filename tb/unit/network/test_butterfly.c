// SPDX-License-Identifier: Apache-2.0
//
// The butterfly against docs/networks.md: nodes and edges as Cole, Maggs and Sitaraman define them,
// one path with one pass, one through each column with two, and what is refused.

#include "unit.h"

#include <annelid/network.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    uint32_t k, n, passes;
} shapes[] = {{2, 1, 1}, {2, 3, 1}, {2, 4, 1}, {2, 3, 2}, {2, 4, 2}, {3, 2, 1},
              {3, 3, 2}, {4, 2, 1}, {4, 2, 2}, {5, 1, 1}, {32, 1, 1}};
enum { NUM_SHAPES = sizeof shapes / sizeof *shapes };

static struct anl_config config_at(size_t i)
{
    return (struct anl_config){.topology = ANL_BUTTERFLY,
                               .k = shapes[i].k,
                               .n = shapes[i].n,
                               .passes = shapes[i].passes,
                               .num_vcs = 2,
                               .depth = 2,
                               .flit_width_bits = 64,
                               .routing = ANL_DESTINATION_TAG};
}

static uint32_t columns(const struct anl_config *config)
{
    uint32_t count = 1;
    for (uint32_t i = 1; i < config->n; i++)
        count *= config->k;
    return count;
}

// Of columns with `digits` digits, returns the only position in which two differ; 0: they are
// equal. Position 1 is the most significant one.
static uint32_t position_between(uint32_t k, uint32_t digits, uint32_t a, uint32_t b)
{
    uint32_t found = 0;
    for (uint32_t position = digits; position > 0; position--, a /= k, b /= k) {
        if (a % k == b % k) continue;
        assert_int_equal(found, 0);
        found = position;
    }
    return found;
}

static void shapes_are_those_of_the_page(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_SHAPES; i++) {
        const struct anl_config config = config_at(i);
        const struct anl_shape shape = anl_shape_of(&config);
        const uint32_t levels = config.passes * (config.n - 1) + 1;
        assert_int_equal(anl_config_check(&config, NULL), ANL_OK);
        assert_int_equal(shape.terminals, columns(&config) * config.k);
        assert_int_equal(shape.switches, levels * columns(&config));
        assert_int_equal(shape.ports, config.k);
        assert_int_equal(shape.links, shape.switches * config.k + shape.terminals);
    }
}

// An edge joins <w, i> and <w', i + 1> if w and w' are equal or differ in position i + 1 alone;
// with two passes the positions begin anew.
static void edges_are_those_of_the_paper(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_SHAPES; i++) {
        const struct anl_config config = config_at(i);
        const struct anl_shape shape = anl_shape_of(&config);
        for (uint32_t s = 0; s < shape.switches - columns(&config); s++) {
            const uint32_t level = s / columns(&config), column = s % columns(&config);
            const uint32_t position = level % (config.n - 1) + 1;
            uint32_t met = 0;
            for (uint32_t port = 0; port < config.k; port++) {
                const struct anl_end end = anl_link_end(&config, s, port);
                assert_true(end.exists && !end.is_terminal);
                assert_int_equal(end.node / columns(&config), level + 1);
                const uint32_t other = end.node % columns(&config);
                const uint32_t differ = position_between(config.k, config.n - 1, column, other);
                assert_true(differ == 0 || differ == position);
                if (differ == 0) assert_int_equal(end.port, port);
                met += differ == 0;
            }
            assert_int_equal(met, 1);
        }
    }
}

static void every_input_port_has_one_link(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_SHAPES; i++) {
        const struct anl_config config = config_at(i);
        const struct anl_shape shape = anl_shape_of(&config);
        uint8_t *fed = calloc((size_t)shape.switches * shape.ports, 1);
        for (uint32_t link = 0; link < shape.links; link++) {
            const struct anl_end end = anl_end_of(&config, link);
            assert_true(end.exists);
            if (end.is_terminal)
                assert_int_equal(anl_ejection_link(&config, end.node), link);
            else
                assert_int_equal(fed[end.node * shape.ports + end.port]++, 0);
        }
        for (uint32_t port = 0; port < shape.switches * shape.ports; port++)
            assert_int_equal(fed[port], 1);
        free(fed);
    }
}

// Follows a worm from its source; returns the column by which it passes level n - 1.
static uint32_t follow(const struct anl_config *config, const struct anl_network *network,
                       uint32_t source, uint32_t destination, uint32_t path)
{
    struct anl_end at = anl_end_of(config, anl_injection_link(config, source));
    uint32_t links = 0, passed = 0;
    assert_int_equal(at.node * config->k + at.port, source);
    for (;; links++) {
        const struct anl_input_lane lane = {at.node, at.port, 0};
        const struct anl_route route = anl_route_on_path(config, lane, destination, path);
        const struct anl_route table = anl_network_route(network, lane, destination, path);
        const struct anl_way way = anl_first_way(route);
        assert_memory_equal(&route, &table, sizeof route);
        assert_int_equal(route.ports, 1u << way.port);
        assert_int_equal(way.vcs, 3);
        if (at.node / columns(config) == config->n - 1) passed = at.node % columns(config);
        at = anl_link_end(config, at.node, way.port);
        if (at.is_terminal) break;
    }
    assert_int_equal(at.node, destination);
    assert_int_equal(links, anl_distance(config, source, destination));
    return passed;
}

static void worms_pass_their_columns(void **state)
{
    (void)state;
    for (size_t i = 0; i < NUM_SHAPES; i++) {
        const struct anl_config config = config_at(i);
        const uint32_t terminals = anl_shape_of(&config).terminals;
        struct anl_network *network;
        assert_int_equal(anl_network_create(&config, &network), ANL_OK);
        assert_int_equal(anl_num_paths(&config), config.passes == 2 ? columns(&config) : 1);
        for (uint32_t source = 0; source < terminals; source++)
            for (uint32_t to = 0; to < terminals; to++)
                for (uint32_t path = 0; path < anl_num_paths(&config); path++) {
                    const uint32_t column = follow(&config, network, source, to, path);
                    assert_int_equal(column, config.passes == 2 ? path : to / config.k);
                }
        anl_network_destroy(network);
    }
}

// Heads carry the digits of the destination, and behind them those of the intermediate column.
static void heads_carry_digits(void **state)
{
    (void)state;
    const struct anl_config config = {.topology = ANL_BUTTERFLY,
                                      .k = 3,
                                      .n = 3,
                                      .passes = 2,
                                      .num_vcs = 1,
                                      .depth = 1,
                                      .flit_width_bits = 10,
                                      .routing = ANL_DESTINATION_TAG};
    const struct anl_worm worm = {.destination = 2 * 9 + 0 * 3 + 1, .path = 2 * 3 + 1, .length = 1};
    uint32_t word;
    assert_int_equal(anl_head_bits(&config), 3 * 2 + 2 * 2);
    anl_flit_data(&config, &worm, 0, 0, &word);
    assert_int_equal(word, 0x21 | 0x9 << 6);  // digits 1, 0, 2 from the lowest, then 1, 2
    struct anl_worm read = {0};
    assert_null(anl_head_read(&config, &word, 0, NULL, &read));
    assert_int_equal(read.destination, worm.destination);
    assert_int_equal(read.path, worm.path);
    word |= 3;
    assert_non_null(anl_head_read(&config, &word, 0, NULL, &read));  // a digit that is none
    assert_int_equal(anl_head_terminal(&config, &word), UINT32_MAX);
}

// Every column is about as frequent as every other one.
static void columns_are_sampled_evenly(void **state)
{
    (void)state;
    enum { WORMS = 90000 };
    const struct anl_config config = config_at(6);  // 9 columns
    uint32_t count[9] = {0};
    for (uint32_t id = 0; id < WORMS; id++)
        count[anl_worm_path(&config, 7, id)]++;
    for (uint32_t column = 0; column < 9; column++)
        assert_between(count[column], WORMS / 9 - 400, WORMS / 9 + 400);
}

static void refusals_name_what_is_wrong(void **state)
{
    (void)state;
    struct anl_error error;
    struct anl_config config = config_at(1);
    config.k = 33;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "k is 33, a butterfly expects at most 32"));
    config.k = 1;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "a butterfly expects at least 2"));
    config = config_at(1);
    config.passes = 3;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "passes is 3"));
    config = config_at(0);
    config.passes = 2;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "two passes expect at least 2"));
    config = config_at(1);
    config.routing = ANL_DIMENSION_ORDER;
    assert_int_equal(anl_config_check(&config, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "does not work on topology butterfly"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_those_of_the_page),
        cmocka_unit_test(edges_are_those_of_the_paper),
        cmocka_unit_test(every_input_port_has_one_link),
        cmocka_unit_test(worms_pass_their_columns),
        cmocka_unit_test(heads_carry_digits),
        cmocka_unit_test(columns_are_sampled_evenly),
        cmocka_unit_test(refusals_name_what_is_wrong),
    };
    return cmocka_run_group_tests_name("butterfly", tests, NULL, NULL);
}
