// SPDX-License-Identifier: Apache-2.0

#include "clock.h"

#include "Vbench.h"

struct anl_clock {
    VerilatedContext context;
    Vbench top{&context};
};

// Verilator is built with VL_USER_STOP: a failed assertion ends up here.
void vl_stop(const char *file, int line, const char *) { anl_clock_stopped(file, line); }

extern "C" {

anl_clock *anl_clock_create(void)
{
    anl_clock *clock = new anl_clock;
    clock->top.clk_i = 1;
    clock->top.rst_i = 1;
    clock->top.eval();
    return clock;
}

void anl_clock_destroy(anl_clock *clock)
{
    clock->top.final();
    delete clock;
}

void anl_clock_reset(anl_clock *clock, bool on) { clock->top.rst_i = on; }

void anl_clock_cycle(anl_clock *clock)
{
    clock->top.clk_i = 0;
    clock->top.eval();
    clock->top.clk_i = 1;
    clock->top.eval();
}

}  // extern "C"
