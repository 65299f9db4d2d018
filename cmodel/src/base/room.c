// SPDX-License-Identifier: Apache-2.0

#include "base.h"

#include <stdlib.h>

void *base_room(void *list, size_t count, size_t *room, size_t bytes)
{
    if (count < *room) return list;
    const size_t more = *room ? 2 * *room : 64;
    void *grown = realloc(list, more * bytes);
    if (grown) *room = more;
    return grown;
}
