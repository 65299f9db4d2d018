// SPDX-License-Identifier: Apache-2.0

#include "heads.h"

bool says_length(int admission, bool length_in_head)
{
    return admits_whole(admission) || length_in_head;
}

unsigned longest_worm(int admission, bool length_in_head, unsigned depth)
{
    if (admits_whole(admission)) return depth;
    return length_in_head ? 127 : 9;
}
