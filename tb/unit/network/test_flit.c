// SPDX-License-Identifier: Apache-2.0
//
// Data bits of flits, read back field by field, against docs/link.md.

#include "unit.h"

#include <annelid/base.h>
#include <annelid/network.h>

#include <stdlib.h>
#include <string.h>

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

static struct anl_config config_of(uint32_t width, enum anl_arbiter arbiter,
                                   enum anl_flow_control flow_control)
{
    return (struct anl_config){.topology = ANL_TORUS,
                               .k = 5,
                               .n = 2,
                               .num_vcs = 2,
                               .depth = 64,
                               .flit_width_bits = width,
                               .routing = ANL_DATELINE,
                               .arbiter = arbiter,
                               .flow_control = flow_control};
}

// A head that is wide enough is read back.
static void check_read(const struct anl_config *config, const uint32_t *words)
{
    struct anl_worm read = {.source = worm.source};
    const uint32_t paths = anl_num_paths(config);
    if (anl_head_bits(config) > config->flit_width_bits || worm.path >= paths + (paths == 1))
        return;
    assert_null(anl_head_read(config, words, config->num_vcs - 1, NULL, &read));
    assert_int_equal(read.source, worm.source);
    assert_int_equal(read.destination, worm.destination);
    assert_int_equal(read.length, anl_head_has_length(config) ? worm.length : 0);
    assert_int_equal(read.created, config->arbiter == ANL_AGE ? worm.created % 65536 : 0);
    assert_int_equal(read.has_path, paths > 1);
    assert_int_equal(read.path, paths > 1 ? worm.path : 0);
}

static void check(const struct anl_config *config, uint16_t index)
{
    const uint32_t width = config->flit_width_bits;
    const bool tree = config->topology == ANL_FAT_TREE;
    uint32_t words[ANL_FLIT_WORDS + 1], at = 0;
    words[(width + 31) / 32] = 0xfeedface;
    anl_flit_data(config, &worm, index, 0, words);
    assert_int_equal(words[(width + 31) / 32], 0xfeedface);
    if (width % 32) assert_int_equal(words[width / 32] >> width % 32, 0);

    if (index == 0) check_read(config, words);
    if (index == 0) {
        const uint32_t label_bits = tree ? 2 * config->n : 6;  // 5 x 5: 3 bits for each coordinate
        assert_int_equal(bits_of(words, at, label_bits), tree ? 13 : 3 | 2 << 3);
        at += label_bits;
    }
    if (index == 0 &&
        (config->flow_control != ANL_WORMHOLE || config->length_in_head == ANL_TRUE)) {
        assert_int_equal(bits_of(words, at, 7), 21);
        at += 7;
    }
    if (index == 0 && config->arbiter == ANL_AGE) {
        assert_int_equal(bits_of(words, at, 16), 0x4321);
        at += 16;
    }
    // The worm goes from (3, 0) to (3, 2), or in a tree from terminal 3 to 13 over level 2.
    if (index == 0 && config->arbiter == ANL_FARTHEST) {
        assert_int_equal(bits_of(words, at, 16), config->n == 1 ? 0 : 2);
        at += 16;
    }
    if (index == 0 && config->routing == ANL_UP_DOWN_FIXED) {
        assert_int_equal(bits_of(words, at, config->n - 1), 0x2d & ((1u << (config->n - 1)) - 1));
        at += config->n - 1;
    }
    if (width - at >= 32) {
        const uint32_t number = anl_unmix32((uint32_t)bits_of(words, at, 32));
        assert_int_equal(number, (uint32_t)(index & 0xff) << 24 | 0x345678);
        at += 32;
    }
    for (uint64_t j = 0; at < width; at += 64, j++) {
        const uint32_t count = width - at < 64 ? width - at : 64;
        const uint64_t hash = anl_mix((UINT64_C(0x12345678) << 32) + ((uint64_t)index << 16) + j);
        assert_int_equal(bits_of(words, at, count),
                         count == 64 ? hash : hash & ((UINT64_C(1) << count) - 1));
    }
}

// Returns mix(id * 2^32 + index * 2^16 + 65535), whose bits choose the special pattern.
static uint64_t pattern_of(uint32_t id, uint32_t index)
{
    return anl_mix(((uint64_t)id << 32) + ((uint64_t)index << 16) + 65535);
}

static bool is_special(uint32_t id, uint32_t index)
{
    return index > 0 && pattern_of(id, index) % 16 == 0;
}

// Returns bit `bit` of a special flit, as the table of docs/link.md says.
static bool special_bit(uint64_t pattern, uint32_t width, uint32_t bit)
{
    static const char words[] = "deadbeefcafebabebaadf00dfeedfacedeadc0de0badcafec0ffee00facefeed"
                                "12345678876543210123456789abcdefaaaaaaaa55555555cccccccc33333333"
                                "f0f0f0f00f0f0f0fff00ff0000ff00ffffff00000000ffff7fffffff80000000"
                                "7f8000003f8000007fc0000000010001010101018080808020202020"
                                "0a0d0a0d";
    const bool all = pattern >> 8 & 1;
    char word[9] = "";
    switch (pattern / 16 % 4) {
    case 0:
        return all;
    case 1:
        memcpy(word, &words[8 * (pattern / 256 % 32)], 8);
        return strtoul(word, NULL, 16) >> bit % 32 & 1;
    case 2:
        return all != (bit == (pattern >> 16) % 65536 % width);
    default:
        return bit < 8 ? all != (pattern >> (9 + bit) & 1) : all;
    }
}

// Of many flits of each width: which are special, what their bits are, and that each pattern
// occurs.
static void body_data_have_special_patterns(void **state)
{
    (void)state;
    for (uint32_t width = 8; width <= ANL_MAX_FLIT_WIDTH_BITS; width += width < 70 ? 1 : 63) {
        struct anl_config config = config_of(width, ANL_ROUND_ROBIN, ANL_WORMHOLE);
        bool zeros = false, ones = false, word_seen[32] = {false};
        uint32_t special = 0;
        for (uint32_t id = 0; id < 1000; id++)
            for (uint32_t index = 1; index < 40; index++) {
                if (!is_special(id, index)) continue;
                const struct anl_worm of = {.id = id, .length = 40};
                const uint64_t pattern = pattern_of(id, index);
                uint32_t data[ANL_FLIT_WORDS];
                anl_flit_data(&config, &of, (uint16_t)index, 0, data);
                for (uint32_t bit = 0; bit < width; bit++)
                    assert_int_equal(data[bit / 32] >> bit % 32 & 1,
                                     special_bit(pattern, width, bit));
                if (width % 32) assert_int_equal(data[width / 32] >> width % 32, 0);
                if (pattern / 16 % 4 == 0) *(pattern >> 8 & 1 ? &ones : &zeros) = true;
                if (pattern / 16 % 4 == 1) word_seen[pattern / 256 % 32] = true;
                special++;
            }
        assert_between(special, 2000, 2900);  // of 39000, one in 16 is expected
        assert_true(zeros && ones);
        for (int i = 0; i < 32; i++)
            assert_true(word_seen[i]);
    }
}

// Every bit of a flit, head or body, is 0 in some flits and 1 in others, with small ids, too.
static void every_free_bit_toggles(void **state)
{
    (void)state;
    for (uint32_t width = 32; width <= ANL_MAX_FLIT_WIDTH_BITS; width *= 2)
        for (uint16_t index = 0; index < 2; index++) {
            const struct anl_config config = config_of(width, ANL_ROUND_ROBIN, ANL_WORMHOLE);
            uint32_t was_0[ANL_FLIT_WORDS] = {0}, was_1[ANL_FLIT_WORDS] = {0};
            for (uint32_t id = 0; id < 40; id++) {
                const struct anl_worm of = {.id = id, .destination = id % 25, .length = 2};
                uint32_t data[ANL_FLIT_WORDS];
                anl_flit_data(&config, &of, index, 0, data);
                for (uint32_t i = 0; i < width / 32; i++) {
                    was_0[i] |= ~data[i];
                    was_1[i] |= data[i];
                }
            }
            for (uint32_t i = 0; i < width / 32; i++)
                assert_int_equal(was_0[i] & was_1[i], UINT32_MAX);
        }
}

static void every_field_is_in_its_place(void **state)
{
    (void)state;
    for (uint32_t width = 8; width <= ANL_MAX_FLIT_WIDTH_BITS; width += width < 140 ? 1 : 31)
        for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++)
            for (int flow_control = 0; flow_control < 2 * (ANL_STORE_AND_FORWARD + 1);
                 flow_control++) {
                struct anl_config config = config_of(width, (enum anl_arbiter)arbiter,
                                                     (enum anl_flow_control)(flow_control / 2));
                config.length_in_head = flow_control % 2 ? ANL_TRUE : ANL_FALSE;
                if (anl_config_check(&config, NULL)) continue;
                check(&config, 0);
                check(&config, 1);
                check(&config, 0x1ff);
            }
    assert_false(is_special(worm.id, 1) || is_special(worm.id, 0x1ff));  // check() knows no pattern
}

// Ids above 2^24 and beyond 2^32, which starts again at 0.
static void the_first_id_counts(void **state)
{
    (void)state;
    const uint32_t firsts[] = {1, 1u << 24, UINT32_MAX, 0x7f000000};
    for (uint32_t width = 8; width <= ANL_MAX_FLIT_WIDTH_BITS; width += 7)
        for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
            struct anl_config config = config_of(width, ANL_FIXED, ANL_WORMHOLE);
            struct anl_worm other = worm;
            uint32_t here[ANL_FLIT_WORDS], there[ANL_FLIT_WORDS];
            other.id += firsts[i];
            anl_flit_data(&config, &other, 1, 0, there);
            config.first_id = firsts[i];
            anl_flit_data(&config, &worm, 1, 0, here);
            assert_memory_equal(here, there, (width + 31) / 32 * sizeof *here);
        }
}

static void trees_have_paths(void **state)
{
    (void)state;
    uint32_t checked = 0;
    for (uint32_t width = 8; width <= 160; width++)
        for (uint32_t n = 2; n <= 7; n++)
            for (int arbiter = ANL_FIXED; arbiter <= ANL_LAST_ARBITER; arbiter++)
                for (int routing = ANL_UP_DOWN_FIXED; routing <= ANL_UP_DOWN_GREEDY; routing++) {
                    struct anl_config config = config_of(width, (enum anl_arbiter)arbiter,
                                                         (enum anl_flow_control)(arbiter % 3));
                    config.topology = ANL_FAT_TREE;
                    config.k = 4;
                    config.n = n;
                    config.routing = (enum anl_routing)routing;
                    config.length_in_head = n % 2 ? ANL_TRUE : ANL_FALSE;
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
        cmocka_unit_test(the_first_id_counts),
        cmocka_unit_test(body_data_have_special_patterns),
        cmocka_unit_test(every_free_bit_toggles),
        cmocka_unit_test(trees_have_paths),
        cmocka_unit_test(a_path_is_a_function_of_seed_and_worm),
    };
    return cmocka_run_group_tests_name("flit", tests, NULL, NULL);
}
