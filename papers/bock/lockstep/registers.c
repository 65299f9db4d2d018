// SPDX-License-Identifier: Apache-2.0
//
// The registers of a torus of sliding diagonals (papers/bock/diagonals.md, "Lock-step").

#include "diagonals_lockstep.h"

// A port of the RTL has the direction of its flits, and an input port of the network the side that
// they come from.
static uint32_t input_port(uint32_t port) { return port ^ 1; }

static void compare_port(struct comparison *comparison, uint32_t node, uint32_t port,
                         const struct anl_diagonals_nodes *expected)
{
    const struct node *seen = &nodes_of(&comparison->harness->observed)->node[node];
    const struct history *history = comparison->history;
    const uint32_t links = history->shape.ports - 1;
    const struct anl_diagonals_register *model = &expected->registers[node * links + port];
    const uint8_t way = expected->latches[node * links + port];
    const struct anl_flit flit = {.link =
                                      history->into[node * history->shape.ports + input_port(port)],
                                  .worm = model->worm,
                                  .index = (uint16_t)model->index,
                                  .head = model->index == 0,
                                  .tail = model->index + 1 == history->config->diagonals.length};
    const struct field latch = {"input", "latch", way == ANL_DIAGONALS_NO_WAY ? 0 : 1u << way,
                                seen->latches[port]};
    compare_register(comparison, node, input_port(port), model->valid ? &flit : NULL,
                     seen->present >> port & 1 ? &seen->links[port] : NULL);
    compare_field(comparison, &latch, node, input_port(port), NOWHERE);
}

void compare_diagonals(struct comparison *comparison, const struct anl_diagonals_nodes *expected)
{
    const struct nodes *seen = nodes_of(&comparison->harness->observed);
    const uint32_t links = comparison->history->shape.ports - 1;
    for (uint32_t node = 0; node < comparison->history->shape.switches; node++) {
        const struct field taken = {"switch", "turn node taken", expected->taken[node],
                                    seen->node[node].taken};
        const struct field fault = {"switch", "fault", 0, seen->node[node].fault};
        for (uint32_t port = 0; port < links; port++)
            compare_port(comparison, node, port, expected);
        compare_field(comparison, &taken, node, links, NOWHERE);
        compare_field(comparison, &fault, node, links, NOWHERE);
    }
    const struct field failed = {"switch", "failed", expected->failed, seen->failed};
    compare_field(comparison, &failed, 0, links, NOWHERE);
}

// A source has no latch.
static void take(struct observed *observed, uint32_t number, struct fields *fields)
{
    const uint32_t links = observed->shape.ports - 1;
    nodes_take(observed, number, fields, (struct node_shape){links, links, links / 2 - 1});
}

void anl_lockstep_clean_up(uint64_t harness, svBit failed)
{
    nodes_of(&harness_at(harness)->observed)->failed = failed;
}

const struct observed_kind observed_diagonals = {
    .create = nodes_create,
    .destroy = nodes_destroy,
    .take = take,
    .falsify = nodes_falsify,
};
