// SPDX-License-Identifier: Apache-2.0

#include "bounds.h"

#include <math.h>

static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t bounds_lower(uint64_t congestion, uint64_t dilation, uint64_t length)
{
    return greater(congestion * length, dilation + length - 1);
}

struct bounds_schedule bounds_theorem_2(uint64_t worms, uint64_t congestion, uint64_t dilation,
                                        uint64_t length)
{
    enum { K = 10 };
    const double ratio = (double)dilation / (double)length;
    struct bounds_schedule schedule = {
        .eta = dilation < length ? dilation : length,
        .t1 = fmax(fmax(ratio, log((double)worms)), 1),
    };
    schedule.delays = 5 * congestion * schedule.eta;
    schedule.phase_cycles = (uint64_t)ceil(K * schedule.t1 * (double)length);
    schedule.cycles = schedule.delays * schedule.phase_cycles;
    return schedule;
}
