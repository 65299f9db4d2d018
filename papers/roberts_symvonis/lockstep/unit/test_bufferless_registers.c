// SPDX-License-Identifier: Apache-2.0
//
// The registers of nodes without buffers (match.h).

#include "papers/common/lockstep/unit/match.h"
#include "papers/roberts_symvonis/lockstep/bufferless_lockstep.h"

enum { NODE = 5, PORT = 2, OTHER = 3 };  // a link leads to input port PORT of the node

static void bufferless(struct comparison *comparison, const void *expected)
{
    compare_nodes(comparison, expected);
}

static void nodes_without_buffers(void **unused)
{
    (void)unused;
    enum { NODES = 16, PORTS = ANL_BUFFERLESS_PORTS, LINKS = ANL_BUFFERLESS_LINKS };
    static struct anl_bufferless_register links[NODES * LINKS];
    static uint8_t latches[NODES * PORTS], faults[NODES];
    const struct anl_bufferless_state state = {links, latches, faults};
    struct match match;
    match_create(&match, "papers/roberts_symvonis/scenarios/bufferless4_early.yaml",
                 &observed_bufferless);
    match.compare = bufferless;
    match.expected = &state;
    memset(latches, ANL_NO_WAY, sizeof latches);
    latches[NODE * PORTS + PORT] = OTHER;
    links[NODE * LINKS + PORT] =
        (struct anl_bufferless_register){0, match_middle.index, true, false};
    struct node *node = &nodes_of(&match.harness.observed)->node[NODE];
    node->present = 1u << PORT;
    node->latches[PORT] = 1u << OTHER;
    match_pack(&match, match.history.into[NODE * PORTS + PORT], &node->links[PORT]);
    match_expect(&match, NULL);
    for (uint32_t s = 0; s < NODES; s++) {
        match_node(&match, s);
        match_counts(&match, &nodes_of(&match.harness.observed)->node[s].latches[ANL_TERMINAL_PORT],
                     "latch");
    }
    match_flit(&match, &node->links[PORT]);
    match_expect(&match, NULL);
    match_destroy(&match);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_without_buffers),
    };
    return cmocka_run_group_tests_name("bufferless_registers", tests, NULL, NULL);
}
