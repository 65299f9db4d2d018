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
static void nodes_of_diagonals(void **unused)
{
    (void)unused;
    enum { NODES = 64, LINKS = NODE_LINKS, INPUT = PORT ^ 1 };
    static struct anl_diagonals_register registers[NODES * LINKS];
    static uint8_t latches[NODES * LINKS], taken[NODES];
    const struct anl_diagonals_nodes nodes = {registers, latches, taken, false};
    struct match match;
    match_create(&match, "papers/bock/scenarios/diagonals8_uniform.yaml", &observed_diagonals);
    match.compare = diagonals;
    match.expected = &nodes;
    match.scenario.network.diagonals.length = 3;
    memset(latches, ANL_DIAGONALS_NO_WAY, sizeof latches);
    latches[NODE * LINKS + PORT] = OTHER;
    registers[NODE * LINKS + PORT] = (struct anl_diagonals_register){0, match_middle.index, true};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_of_diagonals),
    };
    return cmocka_run_group_tests_name("diagonals_registers", tests, NULL, NULL);
}
