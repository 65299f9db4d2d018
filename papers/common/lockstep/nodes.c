// SPDX-License-Identifier: Apache-2.0

#include "nodes.h"

#include <stdlib.h>

bool nodes_create(struct observed *observed)
{
    const size_t all = observed->shape.switches * sizeof(struct node);
    observed->of_kind = calloc(1, sizeof(struct nodes) + all);
    return observed->of_kind;
}

void nodes_destroy(struct observed *observed) { free(observed->of_kind); }

void nodes_falsify(struct observed *observed) { nodes_of(observed)->node[0].latches[0] ^= 1; }

void nodes_take(struct observed *observed, uint32_t number, struct fields *fields,
                struct node_shape shape)
{
    struct node *node = &nodes_of(observed)->node[number];
    for (uint32_t port = 0; port < shape.latches; port++)
        node->latches[port] = (uint16_t)fields_take(fields, shape.links + 1);
    node->fault = (uint8_t)fields_take(fields, 1);
    node->taken = shape.stages ? (uint8_t)fields_take(fields, shape.stages) : 0;
    node->present = (uint8_t)fields_take(fields, shape.links);
    for (uint32_t port = 0; port < shape.links; port++)
        fields_take_flit(fields, observed, &node->links[port]);
}
