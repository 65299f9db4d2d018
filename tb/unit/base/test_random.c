// SPDX-License-Identifier: Apache-2.0
//
// Random generators against docs/random.md: fixed values from elsewhere, exactness, and
// independence of streams.

#include "unit.h"

#include <annelid/base.h>

// The mix is the finalizer of splitmix64, whose first outputs from state 0 are public test values.
static void mix_gives_the_published_values(void **state)
{
    (void)state;
    const uint64_t gamma = 0x9E3779B97F4A7C15u;
    assert_int_equal(anl_mix(gamma), 0xE220A8397B1DCDAFu);
    assert_int_equal(anl_mix(2 * gamma), 0x6E789E6AA1B965F4u);
    assert_int_equal(anl_mix(3 * gamma), 0x06C45D188009454Fu);
}

static void xorshift_follows_its_three_shifts(void **state)
{
    (void)state;
    assert_int_equal(anl_xorshift32(1), 270369);  // 1 -> 0x2001 -> same -> 0x42021
    assert_int_equal(anl_xorshift32(270369), 67634689);
    // The step is linear over the bits: the step of a XOR b is the XOR of the steps of a and b.
    for (uint32_t a = 1; a < 5000; a += 7)
        assert_int_equal(anl_xorshift32(a ^ 0xdeadbeef),
                         anl_xorshift32(a) ^ anl_xorshift32(0xdeadbeef));
}

// Bijective by the inverse; the values are those of the formula, computed with other software.
static void mix32_has_an_inverse(void **state)
{
    (void)state;
    assert_int_equal(anl_mix32(0), 0);
    assert_int_equal(anl_mix32(1), 0x688990c0u);
    assert_int_equal(anl_mix32(0x01000000), 0xa6a1122fu);
    assert_int_equal(anl_mix32(0xffffffff), 0x6768824au);
    for (uint32_t i = 0; i < 1000000; i++) {
        assert_int_equal(anl_unmix32(anl_mix32(i * 4294967u)), i * 4294967u);
        assert_int_equal(anl_mix32(anl_unmix32(i)), i);
    }
}

static void switch_seeds_are_the_high_half_of_the_mix(void **state)
{
    (void)state;
    assert_int_equal(anl_switch_seed(0, 0), 0xE220A839);
    assert_int_equal(anl_switch_seed(0, 1), 0x6E789E6A);
    for (uint32_t s = 0; s < 100000; s++)
        assert_int_not_equal(anl_switch_seed(42, s), 0);
}

static void xoshiro_gives_the_published_values(void **state)
{
    (void)state;
    static const uint64_t expected[] = {11520,
                                        0,
                                        1509978240,
                                        1215971899390074240u,
                                        1216172134540287360u,
                                        607988272756665600u,
                                        16172922978634559625u};
    struct anl_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_true(anl_rng_next(&rng) == expected[i]);
}

static void streams_are_filled_from_the_mix(void **state)
{
    (void)state;
    static const uint64_t expected[] = {0x7dbe7cceec9fbed3u, 0x888a768f0451acbfu,
                                        0x7ff76a880f316a3cu, 0x27a3b757d45c9d56u};
    const struct anl_rng rng = anl_rng_seed(7, 3);
    assert_memory_equal(rng.s, expected, sizeof expected);
}

// The bound is three quarters of 2^32: without rejection every third number would come twice as
// often.
static void below_rejects_what_would_be_unfair(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(7, 3);
    uint32_t seen[3] = {0};
    for (int i = 0; i < 30000; i++)
        seen[anl_rng_below(&rng, UINT32_C(3) << 30) % 3]++;
    for (int i = 0; i < 3; i++)
        assert_between(seen[i], 9600, 10400);  // 5 standard errors
}

static void below_is_in_range_and_even(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(7, 3);
    uint32_t seen[10] = {0};
    for (int i = 0; i < 100000; i++)
        seen[anl_rng_below(&rng, 10)]++;
    for (int i = 0; i < 10; i++)
        assert_between(seen[i], 9500, 10500);  // 5 standard errors
    for (int i = 0; i < 100; i++)
        assert_int_equal(anl_rng_below(&rng, 1), 0);
}

static void unit_is_below_one(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(7, 3);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        const double x = anl_rng_unit(&rng);
        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(sum > 49500 && sum < 50500);
}

static void streams_and_seeds_differ(void **state)
{
    (void)state;
    struct anl_rng a = anl_rng_seed(1, 0), b = anl_rng_seed(1, 1), c = anl_rng_seed(2, 0);
    struct anl_rng again = anl_rng_seed(1, 0);
    int same = 0;
    for (int i = 0; i < 1000; i++) {
        const uint64_t x = anl_rng_next(&a), y = anl_rng_next(&b), z = anl_rng_next(&c);
        same += (x == y) + (y == z) + (x == z);
        assert_int_equal(x, anl_rng_next(&again));
    }
    assert_int_equal(same, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix_gives_the_published_values),
        cmocka_unit_test(xorshift_follows_its_three_shifts),
        cmocka_unit_test(mix32_has_an_inverse),
        cmocka_unit_test(switch_seeds_are_the_high_half_of_the_mix),
        cmocka_unit_test(xoshiro_gives_the_published_values),
        cmocka_unit_test(streams_are_filled_from_the_mix),
        cmocka_unit_test(below_rejects_what_would_be_unfair),
        cmocka_unit_test(below_is_in_range_and_even),
        cmocka_unit_test(unit_is_below_one),
        cmocka_unit_test(streams_and_seeds_differ),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
