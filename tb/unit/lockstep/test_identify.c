// SPDX-License-Identifier: Apache-2.0
//
// Identification against identify.h: every flit is known by its data, and other data are unknown.

#include "unit.h"

#include "compare/identify.h"

#include <stdlib.h>
#include <string.h>

enum { LINK = 9, LANE = 3 };

static const uint32_t widths[] = {64, 65, 95, 96, 128, ANL_MAX_FLIT_WIDTH_BITS};
enum { NUM_WIDTHS = sizeof widths / sizeof *widths };

static struct anl_config torus(uint32_t width, enum anl_arbiter arbiter,
                               enum anl_flow_control flow_control)
{
    struct anl_config config = unit_networks[6];
    config.depth = 64;
    config.flit_width_bits = width;
    config.arbiter = arbiter;
    config.flow_control = flow_control;
    return config;
}

// Worms 0 .. 5 have these lengths and go from terminal 1 to terminal 6.
static const uint16_t lengths[] = {1, 2, 64, 255, 256, 600};
enum { NUM_WORMS = sizeof lengths / sizeof *lengths };

static void create(struct harness *harness, const struct anl_config *config)
{
    uint16_t longest = config->flow_control == ANL_WORMHOLE ? UINT16_MAX : (uint16_t)config->depth;
    *harness = (struct harness){.seed = 1};
    assert_int_equal(anl_config_check(config, NULL), ANL_OK);
    assert_int_equal(worms_create(&harness->worms, config), ANL_OK);
    for (uint32_t id = 0; id < NUM_WORMS; id++) {
        struct anl_worm worm = {.id = id, .source = 1, .destination = 6, .created = 40000 + id};
        worm.length = lengths[id] < longest ? lengths[id] : longest;
        assert_int_equal(worms_add(&harness->worms, &worm), ANL_OK);
    }
}

static struct wire wire_of(const struct harness *harness, const struct anl_worm *worm,
                           uint32_t index)
{
    struct wire wire = {.vc = LANE};
    flit_pack(harness->worms.config, worm, (uint16_t)index, 0, wire.flit);
    return wire;
}

// Special flits do not say which they are; docs/link.md, "Data of a flit".
static bool is_special(uint32_t id, uint32_t index)
{
    return index > 0 && anl_mix(((uint64_t)id << 32) + ((uint64_t)index << 16) + 65535) % 16 == 0;
}

static void flip(struct wire *wire, uint32_t bit) { wire->flit[bit / 32] ^= 1u << bit % 32; }

static void expect_known(const struct harness *harness, const struct wire *wire, uint32_t id,
                         uint32_t index)
{
    struct anl_flit flit;
    assert_true(identify(harness, NULL, LINK, wire, &flit));
    assert_int_equal(flit.worm, id);
    assert_int_equal(flit.index, index);
    assert_int_equal(flit.link, LINK);
    assert_int_equal(flit.vc, LANE);
    assert_int_equal(flit.head, wire_head(harness->worms.config, wire));
    assert_int_equal(flit.tail, wire_tail(harness->worms.config, wire));
}

static void expect_unknown(const struct harness *harness, const struct wire *wire)
{
    struct anl_flit flit;
    assert_false(identify(harness, NULL, LINK, wire, &flit));
}

static void every_flit_known(const struct anl_config *config)
{
    struct harness harness;
    create(&harness, config);
    for (uint32_t id = 0; id < NUM_WORMS; id++) {
        const struct anl_worm *worm = &harness.worms.worm[id].worm;
        for (uint32_t index = 0; index < worm->length; index++) {
            struct wire wire = wire_of(&harness, worm, index);
            assert_int_equal(wire_head(config, &wire), index == 0);
            if (!is_special(config->first_id + id, index)) expect_known(&harness, &wire, id, index);
        }
    }
    worms_destroy(&harness.worms);
}

static void knows_every_flit(void **unused)
{
    (void)unused;
    for (size_t w = 0; w < NUM_WIDTHS; w++)
        for (int arbiter = ANL_FIXED; arbiter <= ANL_AGE; arbiter++)
            for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_STORE_AND_FORWARD;
                 flow_control++) {
                struct anl_config config = torus(widths[w], (enum anl_arbiter)arbiter,
                                                 (enum anl_flow_control)flow_control);
                every_flit_known(&config);
            }
}

// The numbers of these worms are small, but their ids pass 2^24 or 2^32.
static void knows_flits_with_large_ids(void **unused)
{
    (void)unused;
    const uint32_t firsts[] = {(1u << 24) - 3, UINT32_MAX - 1, 0x7f000000};
    for (size_t w = 0; w < NUM_WIDTHS; w++)
        for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
            struct anl_config config = torus(widths[w], ANL_AGE, ANL_WORMHOLE);
            config.first_id = firsts[i];
            every_flit_known(&config);
        }
}

// Marks may be wrong: the data decide. The flit is reported with the marks that were seen.
static void knows_flits_with_wrong_marks(void **unused)
{
    (void)unused;
    for (size_t w = 0; w < NUM_WIDTHS; w++) {
        struct anl_config config = torus(widths[w], ANL_AGE, ANL_WORMHOLE);
        struct harness harness;
        create(&harness, &config);
        for (uint32_t index = 0; index < lengths[2]; index++) {
            struct wire wire = wire_of(&harness, &harness.worms.worm[2].worm, index);
            if (is_special(2, index)) continue;
            flip(&wire, widths[w]);
            expect_known(&harness, &wire, 2, index);
            flip(&wire, widths[w] + 1);
            expect_known(&harness, &wire, 2, index);
        }
        worms_destroy(&harness.worms);
    }
}

static void expect_nearest(const struct harness *harness, const struct wire *wire, uint32_t worm,
                           uint32_t index, uint32_t bits)
{
    struct anl_flit flit;
    assert_int_equal(identify_nearest(harness, LINK, wire, &flit), bits);
    assert_int_equal(flit.worm, worm);
    assert_int_equal(flit.index, index);
    assert_int_equal(flit.head, index == 0);
    assert_int_equal(flit.tail, index + 1 == lengths[worm]);
}

// Noise is like no flit.
static void noise_is_like_no_flit(void **unused)
{
    (void)unused;
    struct anl_config config = torus(64, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct harness harness;
    struct anl_flit flit;
    create(&harness, &config);
    struct wire wire = wire_of(&harness, &harness.worms.worm[5].worm, 1);
    for (uint32_t bit = 0; bit < 64; bit += 2)
        flip(&wire, bit);
    assert_int_equal(identify_nearest(&harness, LINK, &wire, &flit), UINT32_MAX);
    worms_destroy(&harness.worms);
}

// A change of any data bit, in head, body and tail, with and without fields before the number.
static void damaged_data_is_unknown(void **unused)
{
    (void)unused;
    for (size_t w = 0; w < NUM_WIDTHS; w++) {
        for (int arbiter = ANL_ROUND_ROBIN; arbiter <= ANL_AGE; arbiter += 2) {
            struct anl_config config = torus(widths[w], (enum anl_arbiter)arbiter, ANL_WORMHOLE);
            const uint32_t indices[] = {0, 1, 255, 256, 599};
            struct harness harness;
            create(&harness, &config);
            for (size_t i = 0; i < sizeof indices / sizeof *indices; i++) {
                if (is_special(5, indices[i])) continue;
                struct wire wire = wire_of(&harness, &harness.worms.worm[5].worm, indices[i]);
                for (uint32_t bit = 0; bit < widths[w]; bit++) {
                    flip(&wire, bit);
                    expect_unknown(&harness, &wire);
                    if (bit % 61 == 3) expect_nearest(&harness, &wire, 5, indices[i], 1);
                    flip(&wire, bit);
                }
                expect_known(&harness, &wire, 5, indices[i]);
            }
            worms_destroy(&harness.worms);
        }
    }
}

// Every flit of a worm, special or not, is known by the flit before it on the lane, and a special
// one behind any other flit is not.
static void special_flits_are_known_by_the_flit_before(void **unused)
{
    (void)unused;
    struct anl_config config = torus(64, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct harness harness;
    create(&harness, &config);
    uint32_t special = 0;
    for (uint32_t index = 1; index < 600; index++) {
        struct wire wire = wire_of(&harness, &harness.worms.worm[5].worm, index);
        struct passage last = {.worm = 5, .index = (uint16_t)(index - 1)};
        struct anl_flit flit;
        assert_true(identify(&harness, &last, LINK, &wire, &flit));
        assert_int_equal(flit.worm, 5);
        assert_int_equal(flit.index, index);
        if (!is_special(5, index) || is_special(5, index - 1)) continue;  // two may be equal
        special++;
        last.index = (uint16_t)(index - 2);
        assert_false(identify(&harness, &last, LINK, &wire, &flit));
        expect_unknown(&harness, &wire);
    }
    assert_between(special, 20, 60);
    const struct passage tail = {.worm = 0, .index = 0};  // a worm of one flit: nothing follows
    struct wire wire = wire_of(&harness, &harness.worms.worm[0].worm, 1);
    struct anl_flit flit;
    assert_false(identify(&harness, &tail, LINK, &wire, &flit));
    worms_destroy(&harness.worms);
}

static void made_up_flits_are_unknown(void **unused)
{
    (void)unused;
    struct anl_config config = torus(64, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct harness harness;
    create(&harness, &config);
    struct anl_worm worm = harness.worms.worm[2].worm;
    struct wire wire = wire_of(&harness, &worm, worm.length);  // behind its tail
    expect_unknown(&harness, &wire);
    worm.id = NUM_WORMS;  // not created yet
    wire = wire_of(&harness, &worm, 0);
    expect_unknown(&harness, &wire);
    assert_int_equal(worms_add(&harness.worms, &worm), ANL_OK);
    expect_known(&harness, &wire, NUM_WORMS, 0);
    worm = harness.worms.worm[2].worm;
    worm.destination = 7;  // another head of a worm that exists
    wire = wire_of(&harness, &worm, 0);
    expect_unknown(&harness, &wire);
    memset(wire.flit, 0, sizeof wire.flit);
    expect_unknown(&harness, &wire);
    memset(wire.flit, 0xff, sizeof wire.flit);
    expect_unknown(&harness, &wire);
    worms_destroy(&harness.worms);
}

static void nothing_is_known_without_worms(void **unused)
{
    (void)unused;
    struct anl_config config = torus(64, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct anl_worm worm = {.length = 2};
    struct harness harness = {.seed = 1};
    assert_int_equal(worms_create(&harness.worms, &config), ANL_OK);
    struct wire wire = wire_of(&harness, &worm, 0);
    expect_unknown(&harness, &wire);
    worms_destroy(&harness.worms);
}

// The data hold 24 bits of the number; worms that share these are distinguished by the rest. The
// array between the two worms is zero, that is, worms of no flits.
static void tells_worms_apart_that_share_their_low_bits(void **unused)
{
    (void)unused;
    enum { STRIDE = 1 << 24 };
    struct anl_config config = torus(65, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    struct harness harness = {.worms.config = &config, .worms.count = STRIDE + 2};
    harness.worms.worm = calloc(harness.worms.count, sizeof *harness.worms.worm);
    assert_non_null(harness.worms.worm);
    for (uint32_t id = 1; id < harness.worms.count; id += STRIDE)
        harness.worms.worm[id].worm = (struct anl_worm){.id = id, .destination = 6, .length = 600};
    for (uint32_t id = 1; id < harness.worms.count; id += STRIDE) {
        for (uint32_t index = 0; index < 600; index++) {
            struct wire wire = wire_of(&harness, &harness.worms.worm[id].worm, index);
            if (!is_special(id, index)) expect_known(&harness, &wire, id, index);
        }
    }
    free(harness.worms.worm);
}

static void width_leaves_room_for_the_number(void **unused)
{
    (void)unused;
    struct anl_config config = torus(32, ANL_ROUND_ROBIN, ANL_WORMHOLE);
    assert_int_equal(identify_width(&config), 64);
    config.flit_width_bits = 65;
    assert_int_equal(identify_width(&config), 65);
    // The fields have 18 bits (destination), 7 (length), 16 (stamp) and 32 (number).
    struct anl_config wide = {.topology = ANL_MESH,
                              .k = 512,
                              .n = 2,
                              .num_vcs = 1,
                              .depth = 4,
                              .flit_width_bits = 41,
                              .arbiter = ANL_AGE,
                              .flow_control = ANL_CUT_THROUGH};
    assert_int_equal(identify_width(&wide), 73);
    wide.k = 16;  // destination 8 bits: 63 in all, and at least 64
    assert_int_equal(identify_width(&wide), 64);
    wide.k = 32;  // destination 10 bits
    assert_int_equal(identify_width(&wide), 65);
    wide.flit_width_bits = ANL_MAX_FLIT_WIDTH_BITS;
    assert_int_equal(identify_width(&wide), ANL_MAX_FLIT_WIDTH_BITS);
}

// At the least width, wherever the fields that switches read end and the number begins.
static void knows_every_flit_at_the_least_width(void **unused)
{
    (void)unused;
    for (uint32_t n = 1; n <= 2; n++)
        for (uint32_t k = 8; k <= 512; k *= 2)
            for (int arbiter = ANL_ROUND_ROBIN; arbiter <= ANL_AGE; arbiter += 2)
                for (int flow_control = ANL_WORMHOLE; flow_control <= ANL_CUT_THROUGH;
                     flow_control++) {
                    struct anl_config config =
                        torus(1, (enum anl_arbiter)arbiter, (enum anl_flow_control)flow_control);
                    config.k = k;
                    config.n = n;
                    config.flit_width_bits = identify_width(&config);
                    every_flit_known(&config);
                }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_every_flit),
        cmocka_unit_test(knows_flits_with_large_ids),
        cmocka_unit_test(knows_flits_with_wrong_marks),
        cmocka_unit_test(damaged_data_is_unknown),
        cmocka_unit_test(noise_is_like_no_flit),
        cmocka_unit_test(special_flits_are_known_by_the_flit_before),
        cmocka_unit_test(made_up_flits_are_unknown),
        cmocka_unit_test(nothing_is_known_without_worms),
        cmocka_unit_test(tells_worms_apart_that_share_their_low_bits),
        cmocka_unit_test(width_leaves_room_for_the_number),
        cmocka_unit_test(knows_every_flit_at_the_least_width),
    };
    return cmocka_run_group_tests_name("identify", tests, NULL, NULL);
}
