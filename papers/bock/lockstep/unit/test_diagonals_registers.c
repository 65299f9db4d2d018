// SPDX-License-Identifier: Apache-2.0
//
// The registers of nodes of sliding diagonals (match.h).

#include "papers/bock/lockstep/diagonals_lockstep.h"
#include "papers/common/lockstep/unit/match.h"

enum { NODE = 5, PORT = 2, OTHER = 3 };  // a link leads to input port PORT of the node

static void diagonals(struct comparison *comparison, const void *expected)
{
    compare_diagonals(comparison, expected);
}

// The model names ports by the direction in which flits move, the probes by that from which they
// come.
static void nodes_match(const char *scenario, uint32_t links)
{
    enum { NODES = 64, INPUT = PORT ^ 1 };
    struct anl_diagonals_register registers[NODES * NODE_MOST_LINKS] = {0};
    uint8_t latches[NODES * NODE_MOST_LINKS], taken[NODES] = {0};
    const struct anl_diagonals_nodes nodes = {registers, latches, taken, false};
    struct match match;
    match_create(&match, scenario, &observed_diagonals);
    match.compare = diagonals;
    match.expected = &nodes;
    match.scenario.network.diagonals.length = 3;
    memset(latches, ANL_DIAGONALS_NO_WAY, sizeof latches);
    latches[NODE * links + PORT] = OTHER;
    registers[NODE * links + PORT] = (struct anl_diagonals_register){0, match_middle.index, true};
    struct node *node = &nodes_of(&match.harness.observed)->node[NODE];
    node->present = 1u << PORT;
    node->latches[PORT] = 1u << OTHER;
    match_pack(&match, match.history.into[NODE * match.history.shape.ports + INPUT],
               &node->links[PORT]);
    match_expect(&match, NULL);
    for (uint32_t s = 0; s < NODES; s++) {
        match_node(&match, s);
        match_counts(&match, &nodes_of(&match.harness.observed)->node[s].taken, "turn node taken");
    }
    match_flit(&match, &node->links[PORT]);
    match_counts(&match, &nodes_of(&match.harness.observed)->failed, "failed");
    match_expect(&match, NULL);
    match_destroy(&match);
}

static void two_dimensions(void **unused)
{
    (void)unused;
    nodes_match("papers/bock/scenarios/diagonals8_uniform.yaml", 4);
}

static void three_dimensions(void **unused)
{
    (void)unused;
    nodes_match("papers/bock/scenarios/diagonals4_3d.yaml", 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_dimensions),
        cmocka_unit_test(three_dimensions),
    };
    return cmocka_run_group_tests_name("diagonals_registers", tests, NULL, NULL);
}
