// SPDX-License-Identifier: Apache-2.0
//
// The registers of switches without buffers (papers/roberts_symvonis/bufferless.md, "What is
// compared").

#include "bufferless_lockstep.h"

enum { PORTS = ANL_BUFFERLESS_PORTS, LINKS = ANL_BUFFERLESS_LINKS };

static void compare_latches(struct comparison *comparison, uint32_t number, const uint8_t *expected)
{
    const struct node *seen = &nodes_of(&comparison->harness->observed)->node[number];
    for (uint32_t port = 0; port < PORTS; port++) {
        const uint32_t way = expected[port] == ANL_NO_WAY ? 0 : 1u << expected[port];
        const struct field field = {"input", "latch", way, seen->latches[port]};
        compare_field(comparison, &field, number, port, NOWHERE);
    }
}

// There is no register where no link ends.
static void compare_links(struct comparison *comparison, uint32_t number,
                          const struct anl_bufferless_register *expected)
{
    const struct node *seen = &nodes_of(&comparison->harness->observed)->node[number];
    const struct history *history = comparison->history;
    for (uint32_t port = 0; port < LINKS; port++) {
        const struct anl_flit flit = {.link = history->into[number * PORTS + port],
                                      .worm = expected[port].worm,
                                      .index = expected[port].index,
                                      .head = expected[port].index == 0,
                                      .tail = expected[port].tail};
        if (flit.link == NOWHERE) continue;
        compare_register(comparison, number, port, expected[port].valid ? &flit : NULL,
                         seen->present >> port & 1 ? &seen->links[port] : NULL);
    }
}

void compare_nodes(struct comparison *comparison, const struct anl_bufferless_state *expected)
{
    const struct nodes *seen = nodes_of(&comparison->harness->observed);
    for (uint32_t node = 0; node < comparison->history->shape.switches; node++) {
        const struct field fault = {"switch", "fault", expected->faults[node],
                                    seen->node[node].fault};
        compare_links(comparison, node, &expected->links[(size_t)node * LINKS]);
        compare_latches(comparison, node, &expected->latches[(size_t)node * PORTS]);
        compare_field(comparison, &fault, node, ANL_TERMINAL_PORT, NOWHERE);
    }
}

static void take(struct observed *observed, uint32_t number, struct fields *fields)
{
    nodes_take(observed, number, fields, (struct node_shape){PORTS - 1, PORTS, 0});
}

const struct observed_kind observed_bufferless = {
    .create = nodes_create,
    .destroy = nodes_destroy,
    .take = take,
    .falsify = nodes_falsify,
};
