// SPDX-License-Identifier: Apache-2.0

#include "heads.h"

#include "oracle/scan.h"

bool says_length(int flow_control, bool length_in_head)
{
    return admits_whole(flow_control) || length_in_head;
}

unsigned longest_worm(int flow_control, bool length_in_head, unsigned depth)
{
    if (admits_whole(flow_control)) return depth;
    return length_in_head ? 127 : 9;
}

struct head_places head_places(unsigned dst_w, int arbiter, int flow_control, bool length_in_head)
{
    struct head_places at = {.length = dst_w};
    at.rank = at.length + (says_length(flow_control, length_in_head) ? 7 : 0);
    at.path = at.rank + (scan_is_stamped(arbiter) ? 16 : 0);
    return at;
}
