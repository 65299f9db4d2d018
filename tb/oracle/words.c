// SPDX-License-Identifier: Apache-2.0

#include "oracle/words.h"

bool admits_whole(int flow_control)
{
    return flow_control == CUT_THROUGH || flow_control == STORE_AND_FORWARD;
}

bool has_options(int routing) { return routing >= WEST_FIRST && routing <= ADAPTIVE; }

uint64_t onehot(int index) { return index < 0 ? 0 : UINT64_C(1) << index; }

uint64_t first_of(unsigned count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }
