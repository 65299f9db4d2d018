// SPDX-License-Identifier: Apache-2.0
//
// What the probes report against observed.h: the flits of a cycle, and registers that this test
// packs as anl_lockstep_probe.sv and anl_lockstep_node.sv pack them.

#include "unit.h"

#include "compare/observed.h"

#include <annelid/base.h>
#include <string.h>

enum { STATE_WORDS = 1024 };

static struct anl_config with(struct anl_config config, uint32_t depth, uint32_t width)
{
    config.depth = depth;
    config.flit_width_bits = width;
    return config;
}

// ---------------------------------------------------------------- flits

static void wires_are_told_in_ascending_order(void **unused)
{
    (void)unused;
    // A hypercube of 2^5 switches has links 0 .. 223.
    struct anl_config config = with(unit_networks[14], 4, 40);
    static const uint32_t numbers[] = {0, 1, 62, 63, 64, 65, 127, 128, 191, 192, 223};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    struct observed observed;
    assert_int_equal(observed_create(&observed, &config, NULL), ANL_OK);
    struct wires *links = &observed.links;
    assert_int_equal(links->size, observed.shape.links);
    assert_int_equal(wires_next(links, 0), links->size);
    for (uint32_t i = NUMBERS; i-- > 0;) {
        const uint32_t flit[2] = {i, ~i};
        wires_put(links, numbers[i], i % 2, flit, 2);
    }
    uint32_t next = wires_next(links, 0);
    for (uint32_t i = 0; i < NUMBERS; i++, next = wires_next(links, next + 1)) {
        assert_int_equal(next, numbers[i]);
        assert_int_equal(wires_next(links, next), next);
        assert_int_equal(links->wire[next].vc, i % 2);
        assert_int_equal(links->wire[next].flit[0], i);
        assert_int_equal(links->wire[next].flit[1], ~i);
    }
    assert_int_equal(next, links->size);
    assert_int_equal(wires_next(links, links->size), links->size);
    assert_int_equal(wires_next(&observed.sinks, 0), observed.shape.terminals);
    observed_clear(&observed);
    assert_int_equal(wires_next(links, 0), links->size);
    observed_destroy(&observed);
}

// There are as many terminals as bits in a word; the last of them has a flit.
static void last_wire_of_a_word_is_found(void **unused)
{
    (void)unused;
    struct anl_config config = with(unit_networks[14], 4, 40);
    const uint32_t flit[2] = {0};
    struct observed observed;
    config.n = 6;
    assert_int_equal(observed_create(&observed, &config, NULL), ANL_OK);
    assert_int_equal(observed.sinks.size, 64);
    assert_int_equal(wires_next(&observed.sinks, 0), 64);
    wires_put(&observed.sinks, 63, 0, flit, 2);
    assert_int_equal(wires_next(&observed.sinks, 0), 63);
    assert_int_equal(wires_next(&observed.sinks, 64), 64);
    observed_clear(&observed);
    assert_int_equal(wires_next(&observed.sinks, 0), 64);
    observed_destroy(&observed);
}

static void marks_are_the_two_bits_above_the_data(void **unused)
{
    (void)unused;
    static const uint32_t widths[] = {30, 31, 32, 63, 64, 512};
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
        struct anl_config config = with(unit_networks[0], 4, widths[w]);
        for (uint32_t bit = 0; bit < widths[w] + 2; bit++) {
            struct wire wire = {0};
            wire.flit[bit / 32] = 1u << bit % 32;
            assert_int_equal(wire_tail(&config, &wire), bit == widths[w]);
            assert_int_equal(wire_head(&config, &wire), bit == widths[w] + 1);
        }
    }
}

// ---------------------------------------------------------------- registers

// Registers, written bit by bit from bit 0 up.
struct packer {
    uint32_t words[STATE_WORDS];
    uint32_t at;
};

static void put(struct packer *packer, uint32_t value, uint32_t width)
{
    for (uint32_t bit = 0; bit < width; bit++, packer->at++)
        packer->words[packer->at / 32] |= (value >> bit & 1) << packer->at % 32;
}

static uint32_t clog2(uint32_t values)
{
    uint32_t width = 0;
    while ((1u << width) < values)
        width++;
    return width;
}

static uint32_t index_width(uint32_t values) { return values > 1 ? clog2(values) : 1; }

#define PUT_EACH(packer, from, number, member, width)                                              \
    for (uint32_t i_ = 0; i_ < (number); i_++)                                                     \
    put(packer, (from)[i_].member, width)

static void pack_switch(struct packer *packer, const struct anl_config *config,
                        const struct anl_lane_state *lane, const struct anl_port_state *port,
                        uint32_t random)
{
    uint32_t ports = anl_shape_of(config).ports, lanes = ports * config->num_vcs;
    uint32_t count = clog2(config->depth + 1), port_width = index_width(ports),
             vc_width = index_width(config->num_vcs);
    *packer = (struct packer){.at = 0};
    PUT_EACH(packer, lane, lanes, count, count);
    PUT_EACH(packer, lane, lanes, bound, 1);
    PUT_EACH(packer, lane, lanes, bound_port, port_width);
    PUT_EACH(packer, lane, lanes, bound_vc, vc_width);
    PUT_EACH(packer, lane, lanes, credit, count);
    PUT_EACH(packer, lane, lanes, owned, 1);
    PUT_EACH(packer, lane, lanes, owner_port, port_width);
    PUT_EACH(packer, lane, lanes, owner_vc, vc_width);
    PUT_EACH(packer, port, ports, in_ptr, vc_width);
    PUT_EACH(packer, port, ports, out_ptr, port_width);
    put(packer, random, 32);
}

static struct anl_lane_state random_lane(struct anl_rng *rng, const struct anl_config *config)
{
    uint32_t ports = anl_shape_of(config).ports;
    return (struct anl_lane_state){
        .count = (uint8_t)anl_rng_below(rng, config->depth + 1),
        .bound = (uint8_t)anl_rng_below(rng, 2),
        .bound_port = (uint8_t)anl_rng_below(rng, ports),
        .bound_vc = (uint8_t)anl_rng_below(rng, config->num_vcs),
        .credit = (uint8_t)anl_rng_below(rng, config->depth + 1),
        .owned = (uint8_t)anl_rng_below(rng, 2),
        .owner_port = (uint8_t)anl_rng_below(rng, ports),
        .owner_vc = (uint8_t)anl_rng_below(rng, config->num_vcs),
    };
}

static void expect_lane(const struct anl_lane_state *seen, const struct anl_lane_state *packed)
{
    assert_int_equal(seen->count, packed->count);
    assert_int_equal(seen->bound, packed->bound);
    assert_int_equal(seen->bound_port, packed->bound ? packed->bound_port : 0);
    assert_int_equal(seen->bound_vc, packed->bound ? packed->bound_vc : 0);
    assert_int_equal(seen->credit, packed->credit);
    assert_int_equal(seen->owned, packed->owned);
    assert_int_equal(seen->owner_port, packed->owned ? packed->owner_port : 0);
    assert_int_equal(seen->owner_vc, packed->owned ? packed->owner_vc : 0);
}

static uint8_t expected_cover(const struct anl_config *config, const struct anl_lane_state *lane)
{
    return (uint8_t)((lane->count == config->depth ? SEEN_FULL : 0) |
                     (lane->bound ? SEEN_BOUND : 0) | (lane->credit == 0 ? SEEN_NO_CREDIT : 0) |
                     (lane->owned ? SEEN_OWNED : 0));
}

enum { MAX_LANES = ANL_MAX_PORTS * ANL_MAX_VCS };

static void one_switch_read(const struct anl_config *config, struct anl_rng *rng)
{
    struct anl_lane_state lanes[MAX_LANES], again[MAX_LANES];
    struct anl_port_state ports[ANL_MAX_PORTS];
    struct packer packer;
    struct observed observed;
    assert_int_equal(observed_create(&observed, config, NULL), ANL_OK);
    uint32_t num_ports = observed.shape.ports, num_lanes = num_ports * config->num_vcs;
    uint32_t number = observed.shape.switches - 1;
    for (uint32_t i = 0; i < num_lanes; i++) {
        lanes[i] = random_lane(rng, config);
        again[i] = random_lane(rng, config);
    }
    for (uint32_t p = 0; p < num_ports; p++)
        ports[p] = (struct anl_port_state){
            .in_ptr = (uint8_t)anl_rng_below(rng, config->num_vcs),
            .out_ptr = (uint8_t)anl_rng_below(rng, num_ports),
        };
    pack_switch(&packer, config, again, ports, 1);
    observed_switch(&observed, number, packer.words);
    pack_switch(&packer, config, lanes, ports, 0xdeadbeef);
    observed_switch(&observed, number, packer.words);
    for (uint32_t i = 0; i < num_lanes; i++) {
        size_t at = (size_t)number * num_lanes + i;
        expect_lane(&observed.state.lanes[at], &lanes[i]);
        assert_int_equal(observed.seen[at],
                         expected_cover(config, &lanes[i]) | expected_cover(config, &again[i]));
    }
    assert_memory_equal(&observed.state.ports[(size_t)number * num_ports], ports,
                        num_ports * sizeof *ports);
    assert_int_equal(observed.state.random[number], 0xdeadbeef);
    if (number > 0) assert_int_equal(observed.state.random[0], 0);
    observed_forget(&observed);
    for (uint32_t i = 0; i < num_lanes; i++)
        assert_int_equal(observed.seen[(size_t)number * num_lanes + i], 0);
    observed_destroy(&observed);
}

static const uint32_t depths[] = {1, 2, 3, 4, 63, 64};
enum { NUM_DEPTHS = sizeof depths / sizeof *depths };

static void reads_the_registers_of_a_switch(void **unused)
{
    (void)unused;
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (size_t i = 0; i < UNIT_NUM_NETWORKS; i++)
        for (size_t d = 0; d < NUM_DEPTHS; d++) {
            struct anl_config config = with(unit_networks[i], depths[d], 64);
            one_switch_read(&config, &rng);
        }
}

static void reads_the_registers_of_a_terminal(void **unused)
{
    (void)unused;
    struct anl_rng rng = anl_rng_seed(2, 0);
    for (size_t i = 0; i < UNIT_NUM_NETWORKS * NUM_DEPTHS; i++) {
        struct anl_config config = with(unit_networks[i / NUM_DEPTHS], depths[i % NUM_DEPTHS], 64);
        uint32_t vcs = config.num_vcs, width = clog2(config.depth + 1);
        struct anl_terminal_lane_state lanes[ANL_MAX_VCS] = {0};
        struct packer packer = {.at = 0};
        struct observed observed;
        assert_int_equal(observed_create(&observed, &config, NULL), ANL_OK);
        uint32_t number = observed.shape.terminals - 1;
        for (uint32_t v = 0; v < vcs; v++) {
            lanes[v].count = (uint8_t)anl_rng_below(&rng, config.depth + 1);
            lanes[v].credit = (uint8_t)anl_rng_below(&rng, config.depth + 1);
            lanes[v].bound = (uint8_t)anl_rng_below(&rng, 2);
        }
        PUT_EACH(&packer, lanes, vcs, count, width);
        PUT_EACH(&packer, lanes, vcs, credit, width);
        PUT_EACH(&packer, lanes, vcs, bound, 1);
        observed_terminal(&observed, number, packer.words);
        assert_memory_equal(&observed.state.terminal_lanes[(size_t)number * vcs], lanes,
                            vcs * sizeof *lanes);
        observed_destroy(&observed);
    }
}

// Registers of the scans over classes: in_ptr of each class, favoured classes and quotas.
static void reads_the_registers_of_classes(void **unused)
{
    (void)unused;
    struct anl_config config = with(unit_networks[6], 4, 64);
    struct anl_lane_state lanes[MAX_LANES] = {0};
    struct anl_port_state ports[ANL_MAX_PORTS] = {0};
    struct packer packer = {.at = 0};
    struct observed observed;
    config.num_vcs = 6;
    config.classes = 3;  // of two lanes
    const uint32_t num_ports = anl_shape_of(&config).ports, num_lanes = 6 * num_ports;
    assert_int_equal(observed_create(&observed, &config, NULL), ANL_OK);
    PUT_EACH(&packer, lanes, num_lanes, count, 3);
    PUT_EACH(&packer, lanes, num_lanes, bound, 1 + index_width(num_ports) + 3);
    PUT_EACH(&packer, lanes, num_lanes, credit, 3);
    PUT_EACH(&packer, lanes, num_lanes, owned, 1 + index_width(num_ports) + 3);
    for (uint32_t i = 0; i < 3 * num_ports; i++)
        put(&packer, i % 5 % 2, 1);
    PUT_EACH(&packer, ports, num_ports, out_ptr, index_width(num_ports));
    put(&packer, 77, 32);
    for (uint32_t p = 0; p < num_ports; p++)
        put(&packer, p % 3, 2);
    for (uint32_t p = 0; p < num_ports; p++)
        put(&packer, 251 + p, 8);
    observed_switch(&observed, 1, packer.words);
    assert_int_equal(observed.state.random[1], 77);
    for (uint32_t i = 0; i < 3 * num_ports; i++) {
        assert_int_equal(observed.state.in_ptrs[3 * num_ports + i], i % 5 % 2);
        assert_int_equal(observed.state.in_ptrs[i], 0);
    }
    for (uint32_t p = 0; p < num_ports; p++) {
        assert_int_equal(observed.state.ports[num_ports + p].in_ptr, 0);
        assert_int_equal(observed.state.favours[num_ports + p].class_, p % 3);
        assert_int_equal(observed.state.favours[num_ports + p].quota, 251 + p);
    }
    packer = (struct packer){.at = 0};
    for (uint32_t v = 0; v < 6; v++)
        put(&packer, 0, 7);
    put(&packer, 2, 2);
    put(&packer, 200, 8);
    observed_terminal(&observed, 3, packer.words);
    assert_int_equal(observed.state.injections[3].class_, 2);
    assert_int_equal(observed.state.injections[3].quota, 200);
    observed_destroy(&observed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wires_are_told_in_ascending_order),
        cmocka_unit_test(last_wire_of_a_word_is_found),
        cmocka_unit_test(marks_are_the_two_bits_above_the_data),
        cmocka_unit_test(reads_the_registers_of_a_switch),
        cmocka_unit_test(reads_the_registers_of_classes),
        cmocka_unit_test(reads_the_registers_of_a_terminal),
    };
    return cmocka_run_group_tests_name("observed", tests, NULL, NULL);
}
