// SPDX-License-Identifier: Apache-2.0
//
// What every program of the lock-step gives Verilator's runtime: random values to start from, and
// somebody who hears what the RTL says. One file of C++ in a program includes it.

#ifndef ANL_LOCKSTEP_CONTEXT_H
#define ANL_LOCKSTEP_CONTEXT_H

#include "print.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <string>
#include <verilated.h>

#ifndef ANL_LOCKSTEP_DPI_H  // its types are not those that Verilator writes of the same function
extern "C" void anl_lockstep_said(unsigned long long harness, const char *place,
                                  const char *message, unsigned char in_reset);
#endif

struct rtl_context : VerilatedContext {
    uint64_t harness = 0;  // the address that DPI calls get
    bool running = false;  // reset is over
    // What the RTL has said last of an error: the words of its $error or $fatal.
    std::string message;

    // Asks for random initial values. This must precede the constructor of a model, which sets
    // them.
    void random_start(uint64_t seed)
    {
        char seed_argument[48];
        std::snprintf(seed_argument, sizeof seed_argument, "+verilator+seed+%u",
                      static_cast<unsigned>(seed % 2147483647 + 1));
        const char *arguments[] = {"lockstep", "+verilator+rand+reset+2", seed_argument};
        commandArgs(3, arguments);
    }

    static rtl_context *here() { return static_cast<rtl_context *>(Verilated::threadContextp()); }

    // Reports the place in a file, and what was said there.
    void say(const char *file, int line, const std::string &what) const
    {
        const char *slash = std::strrchr(file, '/');
        char place[64];
        std::snprintf(place, sizeof place, "%.48s:%d", slash ? slash + 1 : file, line);
        anl_lockstep_said(harness, place, what.c_str(), !running);
    }
};

// Verilator's runtime prints with this. It prints the words of an $error or $fatal just before it
// calls vl_stop().
int anl_print(const char *format, ...)
{
    char text[1024];
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    std::vsnprintf(text, sizeof text, format, again);
    va_end(again);
    if (std::strstr(text, "%Error: ") || std::strstr(text, "%Fatal: "))
        rtl_context::here()->message = text;
    const int bytes = std::vprintf(format, values);
    va_end(values);
    return bytes;
}

// Verilator calls this for an assertion that the switch itself has (without our macro), for $error,
// $fatal and $stop. In reset registers may hold anything, so there an assertion without words of
// its own is ignored.
void vl_stop(const char *file, int line, const char *)
{
    rtl_context *self = rtl_context::here();
    const std::string message = std::move(self->message);
    self->message.clear();
    if (!self->running && message.find("'assert' failed.") != std::string::npos) return;
    self->say(file, line, message.empty() ? "$stop" : message);
}

void vl_finish(const char *file, int line, const char *)
{
    rtl_context::here()->say(file, line, "$finish");
}

#endif
