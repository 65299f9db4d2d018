// SPDX-License-Identifier: Apache-2.0
//
// Data bits of flits against docs/link.md, read back field by field.

#include "unit.h"

#include <annelid/flit.h>
#include <annelid/random.h>
#include <annelid/topology.h>

// Reads count (<= 64) bits at position at, one by one.
static uint64_t bits_of(const uint32_t *words, uint32_t at, uint32_t count)
{
    uint64_t value = 0;
    for (uint32_t i = 0; i < count; i++)
        value |= (uint64_t)(words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    return value;
}

static const struct anl_worm worm = {
    .id = 0x12345678, .source = 3, .destination = 13, .length = 21, .created = 0x7654321};

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

static void check(uint32_t width, enum anl_scan scan, enum anl_admission admission, uint16_t index)
{
    const struct anl_config config = config_of(width, scan, admission);
    uint32_t words[ANL_FLIT_WORDS + 1], at = 0;
    words[(width + 31) / 32] = 0xfeedface;
    anl_flit_data(&config, &worm, index, words);
    assert_int_equal(words[(width + 31) / 32], 0xfeedface);
    if (width % 32) assert_int_equal(words[width / 32] >> width % 32, 0);

    if (index == 0) {
        assert_int_equal(bits_of(words, at, 6), anl_label(&config, 13));
        at += 6;
    }
    if (index == 0 && admission != ANL_WORMHOLE) {
        assert_int_equal(bits_of(words, at, 7), 21);
        at += 7;
    }
    if (index == 0 && scan == ANL_OLDEST) {
        assert_int_equal(bits_of(words, at, 16), 0x4321);
        at += 16;
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
        for (int scan = ANL_FIXED; scan <= ANL_OLDEST; scan++)
            for (int admission = ANL_WORMHOLE; admission <= ANL_STORE_AND_FORWARD; admission++) {
                const struct anl_config config =
                    config_of(width, (enum anl_scan)scan, (enum anl_admission)admission);
                if (anl_config_check(&config, NULL)) continue;
                check(width, config.scan, config.admission, 0);
                check(width, config.scan, config.admission, 1);
                check(width, config.scan, config.admission, 0x1ff);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_field_is_in_its_place)};
    return cmocka_run_group_tests_name("flit", tests, NULL, NULL);
}
