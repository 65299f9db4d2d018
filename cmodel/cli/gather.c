// SPDX-License-Identifier: Apache-2.0

#include "gather.h"

#include <stdlib.h>
#include <string.h>

void *gather_room(void *list, size_t count, size_t *size, size_t element_bytes)
{
    if (count < *size) return list;
    const size_t wanted = *size ? 2 * *size : 64;
    void *larger = realloc(list, wanted * element_bytes);
    if (larger) *size = wanted;
    return larger;
}

static int most_first(const void *a, const void *b)
{
    const struct anl_delay *x = a, *y = b;
    if (x->cycles != y->cycles) return x->cycles < y->cycles ? 1 : -1;
    return (x->by > y->by) - (x->by < y->by);
}

struct anl_delay *gather_delays(const struct anl_life *life)
{
    struct anl_delay *sorted = calloc(life->num_delays + 1, sizeof *sorted);
    if (!sorted || !life->num_delays) return sorted;
    memcpy(sorted, life->delays, life->num_delays * sizeof *sorted);
    qsort(sorted, life->num_delays, sizeof *sorted, most_first);
    return sorted;
}
