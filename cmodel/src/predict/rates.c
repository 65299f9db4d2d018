// SPDX-License-Identifier: Apache-2.0

#include "predict.h"

#include <stdlib.h>

// Returns the list with room for one element more; lists double whenever their length is a power of
// two. NULL: no memory, the list is unchanged.
static void *with_room(void *list, uint32_t count, size_t bytes)
{
    if (count & (count - 1)) return list;
    return realloc(list, (count ? 2 * (size_t)count : 1) * bytes);
}

bool rates_add_class(struct anl_rates *rates, struct anl_channel_class class_)
{
    struct anl_channel_class *classes =
        with_room(rates->classes, rates->num_classes, sizeof *classes);
    if (!classes) return false;
    rates->classes = classes;
    classes[rates->num_classes++] = class_;
    return true;
}

bool rates_add_flow(struct anl_rates *rates, struct anl_channel_flow flow)
{
    struct anl_channel_flow *flows = with_room(rates->flows, rates->num_flows, sizeof *flows);
    if (!flows) return false;
    rates->flows = flows;
    flows[rates->num_flows++] = flow;
    return true;
}

void anl_rates_free(struct anl_rates *rates)
{
    free(rates->classes);
    free(rates->flows);
    *rates = (struct anl_rates){0};
}
