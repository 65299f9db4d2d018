// SPDX-License-Identifier: Apache-2.0
//
// The ends of the ranges of random times (docs/random.md), which no run reaches: samples of exactly
// 0, and probabilities too small to differ from 0.

#include "unit.h"
#include "workload/workload.h"

// After this state the next output of xoshiro256** is 0.
static const struct anl_rng zero = {{1, 0, 2, 3}};

static void a_sample_of_zero_gives_the_least(void **state)
{
    (void)state;
    for (uint64_t least = 0; least < 200; least++) {
        struct anl_rng rng = zero;
        assert_int_equal(pareto_sample((double)least, &rng), least);
    }
    struct anl_rng rng = zero;
    assert_true(anl_rng_unit(&rng) == 0);
}

static void a_period_ends_at_its_bound(void **state)
{
    (void)state;
    struct anl_rng rng = zero;
    assert_true(pareto_sample(0x1p50, &rng) == UINT64_C(1) << 50);
    rng = zero;
    assert_true(pareto_sample(0x1p62, &rng) == UINT64_C(1) << 60);
}

static void powers_are_64_at_most(void **state)
{
    (void)state;
    static const double chances[] = {1e-20, 1e-17, 1.2e-16, 1e-9, 0.5, 1};
    uint32_t before = 64;
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++) {
        const struct geometric geometric = geometric_of(chances[i]);
        assert_true(geometric.num_powers >= 1 && geometric.num_powers <= before);
        before = geometric.num_powers;
        if (chances[i] < 1e-16) assert_int_equal(geometric.num_powers, 64);
        if (chances[i] > 1e-16) assert_true(geometric.powers[before - 1] < 0x1p-53);
    }
}

static void one_that_is_sure_never_fails(void **state)
{
    (void)state;
    const struct geometric geometric = geometric_of(1);
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(geometric_sample(&geometric, &rng), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_of_zero_gives_the_least),
        cmocka_unit_test(a_period_ends_at_its_bound),
        cmocka_unit_test(powers_are_64_at_most),
        cmocka_unit_test(one_that_is_sure_never_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
