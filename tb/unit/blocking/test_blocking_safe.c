// SPDX-License-Identifier: Apache-2.0
//
// Networks in which the blocking analysis never looks for a deadlock, because it takes them for
// safe, must be those in which no lane may wait for itself (docs/networks.md).

#include "unit.h"

#include "blocking/blocking.h"

static const struct {
    struct anl_config config;
    bool safe;
} networks[] = {
    {{.topology = ANL_MESH, .k = 8, .n = 2, .num_vcs = 1}, true},
    {{.topology = ANL_MESH, .k = 3, .n = 3, .num_vcs = 4}, true},
    {{.topology = ANL_HYPERCUBE, .k = 2, .n = 5, .num_vcs = 1, .routing = ANL_E_CUBE}, true},
    {{.topology = ANL_TORUS, .k = 8, .n = 2, .num_vcs = 2, .routing = ANL_DATELINE}, true},
    {{.topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 4, .routing = ANL_DATELINE}, true},
    {{.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 4, .n = 2, .num_vcs = 2, .routing = ANL_DATELINE},
     true},
    {{.topology = ANL_FAT_TREE, .k = 4, .n = 3, .num_vcs = 1, .routing = ANL_UP_DOWN_GREEDY}, true},
    {{.topology = ANL_FAT_TREE, .k = 4, .n = 5, .num_vcs = 1, .routing = ANL_UP_DOWN_FIXED}, true},
    // No path goes two hops round a ring where another path goes on.
    {{.topology = ANL_TORUS, .k = 4, .n = 1, .num_vcs = 4}, true},
    {{.topology = ANL_TORUS, .k = 3, .n = 2, .num_vcs = 1}, true},
    {{.topology = ANL_TORUS, .k = 5, .n = 2, .num_vcs = 1}, false},
    {{.topology = ANL_TORUS, .k = 6, .n = 1, .num_vcs = 4}, false},
    {{.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 5, .n = 1, .num_vcs = 1}, false},
    {{.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 3, .n = 3, .num_vcs = 8}, false},
    // These are too large for the search. The rule of their topology decides.
    {{.topology = ANL_MESH, .k = 16, .n = 2, .num_vcs = 1}, true},
    {{.topology = ANL_TORUS, .k = 16, .n = 2, .num_vcs = 1}, false},
};

static void safe_networks_are_told_from_others(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct anl_config config = networks[i].config;
        struct anl_blocking *blocking;
        config.depth = 2;
        config.flit_width_bits = ANL_MAX_FLIT_WIDTH_BITS;
        assert_int_equal(anl_blocking_create(&config, NULL, &blocking), ANL_OK);
        if (blocking->dead.safe != networks[i].safe)
            fail_msg("network %zu (%s, k %u, n %u) is taken for %s", i,
                     anl_topology_name(config.topology), config.k, config.n,
                     blocking->dead.safe ? "safe" : "unsafe");
        anl_blocking_destroy(blocking);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(safe_networks_are_told_from_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
