// SPDX-License-Identifier: Apache-2.0
//
// C view of a verilated module whose only ports are clk_i and rst_i: everything else passes over
// DPI. The class must be called Vbench (verilator --prefix Vbench).

#ifndef ANL_TB_CLOCK_H
#define ANL_TB_CLOCK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_clock;

// In reset, clock low. The caller gives the result to anl_clock_destroy(). One at a time.
struct anl_clock *anl_clock_create(void);
void anl_clock_destroy(struct anl_clock *clock);

void anl_clock_reset(struct anl_clock *clock, bool on);
// One cycle: falling edge, then rising edge.
void anl_clock_cycle(struct anl_clock *clock);

// Called when an assertion of the design fails; given by the user of this file.
void anl_clock_stopped(const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
