// SPDX-License-Identifier: Apache-2.0

#include "clock.h"
#include "print.h"

#include <cstdarg>
#include <cstdio>

#include "Vbench.h"
#if VM_COVERAGE
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <verilated_cov.h>
#endif

struct anl_clock {
    VerilatedContext context;
    Vbench top{&context};
    uint64_t cycles = 0;
};

// Verilator is built with VL_USER_STOP and VL_USER_FINISH, so a failed assertion and the end of a
// simulation call these functions.
void vl_stop(const char *file, int line, const char *) { anl_clock_stopped(file, line); }
void vl_finish(const char *file, int line, const char *) { anl_clock_stopped(file, line); }

int anl_print(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int bytes = std::vprintf(format, values);
    va_end(values);
    return bytes;
}

// For benches built with coverage: writes the counts to the file that ANNELID_COVERAGE names, with
// the suffix. Each clock has a file of its own.
static void write_coverage(anl_clock *clock, const char *suffix)
{
#if VM_COVERAGE
    const char *path = std::getenv("ANNELID_COVERAGE");
    if (!path) return;
    std::string name = path;
    while (access((name + suffix).c_str(), F_OK) == 0)
        name += "+";
    clock->context.coveragep()->forcePerInstance(true);
    clock->context.coveragep()->write((name + suffix).c_str());
    clock->context.coveragep()->zero();
#else
    (void)clock, (void)suffix;
#endif
}

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
    write_coverage(clock, "");
    delete clock;
}

void anl_clock_reset(anl_clock *clock, bool on) { clock->top.rst_i = on; }

void anl_clock_cycle(anl_clock *clock)
{
    clock->top.clk_i = 0;
    clock->top.eval();
    clock->top.clk_i = 1;
    clock->top.eval();
    if (++clock->cycles == 2) write_coverage(clock, ".start");  // random bits are gone
}

}  // extern "C"
