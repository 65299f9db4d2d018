// SPDX-License-Identifier: Apache-2.0
//
// Data bits of flits, read back field by field, against docs/link.md.

#include "unit.h"

#include <annelid/base.h>
#include <annelid/network.h>

// Returns count (at most 64) bits from position at on, read one by one.
static uint64_t bits_of(const uint32_t *words, uint32_t at, uint32_t count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value |= (uint64_t)(words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    return value;
}

static const struct anl_worm worm = {.id = 0x12345678,
                                     .source = 3,
                                     .destination = 13,
                                     .length = 21,
                                     .created = 0x7654321,
                                     .path = 0x2d};

static struct anl_config config_of(uint32_t width, enum anl_scan scan, enum anl_admission admission)
{
    return (struct anl_config){.topology = ANL_TORUS,
                               .k = 5,
                               .n = 2,
                               .num_vcs = 2,
                               .depth = 64,
                               .flit_width_bits = width,
                               .routing = ANL_DATELINE,
                               .scan = scan,
                               .admission = admission};
}

static void check(const struct anl_config *config, uint16_t index)
{
    const uint32_t width = config->flit_width_bits;
    const bool tree = config->topology == ANL_FAT_TREE;
    uint32_t words[ANL_FLIT_WORDS + 1], at = 0;
    words[(width + 31) / 32] = 0xfeedface;
    anl_flit_data(config, &worm, index, words);
    assert_int_equal(words[(width + 31) / 32], 0xfeedface);
    if (width % 32) assert_int_equal(words[width / 32] >> width % 32, 0);

    if (index == 0) {
        const uint32_t label_bits = tree ? 2 * config->n : 6;  // 5 x 5: 3 bits for each coordinate
        assert_int_equal(bits_of(words, at, label_bits), tree ? 13 : 3 | 2 << 3);
        at += label_bits;
    }
    if (index == 0 && config->admission != ANL_WORMHOLE) {
        assert_int_equal(bits_of(words, at, 7), 21);
        at += 7;
    }
    if (index == 0 && config->scan == ANL_OLDEST) {
        assert_int_equal(bits_of(words, at, 16), 0x4321);
        at += 16;
    }
    // The worm goes from (3, 0) to (3, 2), or in a tree from terminal 3 to 13 over level 2.
    if (index == 0 && config->scan == ANL_FARTHEST) {
        assert_int_equal(bits_of(words, at, 16), config->n == 1 ? 0 : 2);
        at += 16;
    }
    if (index == 0 && config->routing == ANL_UP_DOWN_FIXED) {
        assert_int_equal(bits_of(words, at, config->n - 1), 0x2d & ((1u << (config->n - 1)) - 1));
        at += config->n - 1;
    }
    if (width - at >= 32) {
        assert_int_equal(bits_of(words, at, 24), 0x345678);
        assert_int_equal(bits_of(words, at + 24, 8), index & 0xff);
        at += 32;
    }
    for (uint64_t j = 0; at < width; at += 64, j++) {
        const uint32_t count = width - at < 64 ? width - at : 64;
        const uint64_t hash = anl_mix((UINT64_C(0x12345678) << 32) + ((uint64_t)index << 16) + j);
        assert_int_equal(bits_of(words, at, count),
                         count == 64 ? hash : hash & ((UINT64_C(1) << count) - 1));
    }
}

static void every_field_is_in_its_place(void **state)
{
    (void)state;
    for (uint32_t width = 8; width <= ANL_MAX_FLIT_WIDTH_BITS; width += width < 140 ? 1 : 31)
        for (int scan = ANL_FIXED; scan <= ANL_FARTHEST; scan++)
            for (int admission = ANL_WORMHOLE; admission <= ANL_STORE_AND_FORWARD; admission++) {
                const struct anl_config config =
                    config_of(width, (enum anl_scan)scan, (enum anl_admission)admission);
                if (anl_config_check(&config, NULL)) continue;
                check(&config, 0);
                check(&config, 1);
                check(&config, 0x1ff);
            }
}

static void trees_have_paths(void **state)
{
    (void)state;
    uint32_t checked = 0;
    for (uint32_t width = 8; width <= 160; width++)
        for (uint32_t n = 2; n <= 7; n++)
            for (int scan = ANL_FIXED; scan <= ANL_FARTHEST; scan++)
                for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++) {
                    struct anl_config config =
                        config_of(width, (enum anl_scan)scan, (enum anl_admission)(scan % 3));
                    config.topology = ANL_FAT_TREE;
                    config.k = 4;
                    config.n = n;
                    config.routing = (enum anl_routing)routing;
                    if (anl_config_check(&config, NULL)) continue;
                    check(&config, 0);
                    check(&config, 1);
                    checked++;
                }
    assert_true(checked > 5000);
}

// The formula of docs/random.md, "Paths".
static void a_path_is_a_function_of_seed_and_worm(void **state)
{
    (void)state;
    struct anl_config config = {.topology = ANL_FAT_TREE, .k = 4, .routing = ANL_UP_DOWN_FIXED};
    for (config.n = 1; config.n <= 10; config.n++)
        for (uint64_t seed = 0; seed < 20; seed++)
            for (uint32_t id = 0; id < 20; id++) {
                const uint64_t z = anl_mix(anl_mix(seed * seed) + id + 1);
                assert_int_equal(anl_worm_path(&config, seed * seed, id),
                                 (z >> 32) % (UINT64_C(1) << (config.n - 1)));
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_in_its_place),
        cmocka_unit_test(trees_have_paths),
        cmocka_unit_test(a_path_is_a_function_of_seed_and_worm),
    };
    return cmocka_run_group_tests_name("flit", tests, NULL, NULL);
}
