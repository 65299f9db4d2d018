// SPDX-License-Identifier: Apache-2.0

#include "heads.h"

bool says_length(int flow_control, bool length_in_head)
{
    return admits_whole(flow_control) || length_in_head;
}

unsigned longest_worm(int flow_control, bool length_in_head, unsigned depth)
{
    if (admits_whole(flow_control)) return depth;
    return length_in_head ? 127 : 9;
}
