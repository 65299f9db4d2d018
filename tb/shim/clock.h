// SPDX-License-Identifier: Apache-2.0
//
// C view of a verilated module whose only ports are clk_i and rst_i; all other data pass over DPI.
// The class must be called Vbench (verilator --prefix Vbench).

#ifndef ANL_TB_CLOCK_H
#define ANL_TB_CLOCK_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_clock;

// Returns a clock in reset with clk_i low. The caller passes it to anl_clock_destroy(). Only one
// clock may exist at a time.
struct anl_clock *anl_clock_create(void);
void anl_clock_destroy(struct anl_clock *clock);

void anl_clock_reset(struct anl_clock *clock, bool on);
// Runs one cycle: a falling edge, then a rising edge.
void anl_clock_cycle(struct anl_clock *clock);

// The user of this file defines this function; it is called when an assertion of the design fails.
void anl_clock_stopped(const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
