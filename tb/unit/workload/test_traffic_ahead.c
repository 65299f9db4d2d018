// SPDX-License-Identifier: Apache-2.0
//
// Traffic that is drawn ahead, beside the same traffic that is drawn cycle by cycle.

#include "unit_traffic.h"

static const char *const traffics[] = {
    "pattern: uniform, load: 0.3, length: 8",
    "pattern: uniform, load: 1.0, length: 1",
    "pattern: uniform, load: 0.002, length: [1, 5, 30]",
    "pattern: permutation, load: 0.05, length: 3",
    "pattern: uniform, load: 0, length: 8",
    "process: bursty, pattern: tornado, load: 0.4, length: 4, burst_cycles: 10",
    "process: generator, worms_per_terminal: 20, length: 4",  // no open loop
};

static struct anl_scenario scenario_with(const char *network, const char *traffic)
{
    char text[512];
    snprintf(text, sizeof text,
             "network: {%s}\ntraffic: {%s}\nrun: {cycles: 1000, max_cycles: 1000}\n", network,
             traffic);
    return scenario_of(text);
}

static void check_equal(const struct anl_new_worm *a, const struct anl_new_worm *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(a[i].source, b[i].source);
        assert_int_equal(a[i].destination, b[i].destination);
        assert_int_equal(a[i].length, b[i].length);
        assert_int_equal(a[i].class_, b[i].class_);
    }
}

// Asks both generators for each cycle, or for those alone in which a worm may be created. Returns
// the number of worms.
static size_t compare(const char *network, const char *text, bool jumps)
{
    struct anl_scenario s = scenario_with(network, text);
    struct anl_traffic *plain = traffic_of(&s), *ahead = traffic_of(&s);
    size_t worms = 0, a = 0, b = 0;
    assert_int_equal(anl_traffic_draw_ahead(ahead), ANL_OK);
    for (uint64_t cycle = 0; cycle < 1100; cycle++) {
        const uint64_t next = anl_traffic_next(plain);
        assert_int_equal(anl_traffic_next(ahead), next);
        assert_int_equal(anl_traffic_done(ahead), anl_traffic_done(plain));
        if (jumps && next < 1100) cycle = next;
        const struct anl_new_worm *one = anl_traffic_cycle(plain, cycle, &a);
        const struct anl_new_worm *other = anl_traffic_cycle(ahead, cycle, &b);
        assert_int_equal(b, a);
        check_equal(other, one, a);
        worms += a;
    }
    assert_true(anl_traffic_done(ahead));
    anl_traffic_destroy(plain);
    anl_traffic_destroy(ahead);
    anl_scenario_free(&s);
    return worms;
}

static void worms_drawn_ahead_are_the_same(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof traffics / sizeof *traffics; i++)
        for (int jumps = 0; jumps < 2; jumps++) {
            const size_t worms = compare("topology: mesh, k: 4, n: 2", traffics[i], jumps);
            assert_int_equal(worms == 0, i == 4);  // load 0
        }
}

// All terminals of a window together; the second network has too many to be looked at each time.
static void large_networks_have_the_same_worms(void **state)
{
    (void)state;
    static const char text[] = "pattern: uniform, load: 0.01, length: 4";
    assert_true(compare("topology: mesh, k: 64, n: 2", text, false) > 0);
    assert_true(compare("topology: mesh, k: 65, n: 2", text, false) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worms_drawn_ahead_are_the_same),
        cmocka_unit_test(large_networks_have_the_same_worms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
