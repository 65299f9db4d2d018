// SPDX-License-Identifier: Apache-2.0
//
// The verilated network as C sees it: a whole one (rtl.cpp), for which the program was built, or
// one that is put together of verilated switches and terminals (by_switches.cpp). The only C++ is
// in those two files and what they include.

#ifndef ANL_LOCKSTEP_RTL_H
#define ANL_LOCKSTEP_RTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_config;
struct anl_error;
struct failure;
struct rtl;

// What a network by switches is told. A whole network evaluates everything in every cycle, in one
// thread, and was built for its mode.
struct rtl_options {
    bool awake;      // evaluate every switch and terminal in every cycle, also those that are idle
    bool foreign;    // switches are somebody else's: their outputs may follow inputs at once, and
                     // they may do anything while they are idle
    bool credits;    // report the credits that come back on links
    bool registers;  // report the registers of switches; those of terminals always are
    unsigned threads;  // that evaluate switches and terminals; the result is the same. 0 and 1: one
};

// Makes the network of *config. Every DPI call gets the address harness. Registers without reset
// start with random bits that depend on seed. The caller frees the result with rtl_destroy(). NULL:
// a part of the network is missing, *error says which.
struct rtl *rtl_create(const struct anl_config *config, const void *harness, uint64_t seed,
                       const struct rtl_options *options, struct anl_error *error);
void rtl_destroy(struct rtl *rtl);

// From now on DPI calls get this address.
void rtl_harness(struct rtl *rtl, const void *harness);

// Holds reset for the first few cycles. rtl_reset() must follow.
void rtl_power_up(struct rtl *rtl);
// Holds reset for one cycle, runs the network for `lead` cycles, and leaves it ready for cycle 0,
// with the clock high. Nobody reads DPI calls of these cycles.
void rtl_reset(struct rtl *rtl, uint32_t lead);

// First half of a cycle: the clock falls, registers are reported, sources give their next flits.
void rtl_low(struct rtl *rtl);
// Second half: the clock rises, the flits that crossed are reported, registers take their new
// values.
void rtl_high(struct rtl *rtl);

// Writes the values of the signals that the condition of a failure (compare/failure.h) names, as
// far as they are known: all of them in a program built with the suffix -values.
void rtl_values(struct failure *failure);

// Lets the final blocks of the RTL run, if they have not run yet: no more cycles may follow.
void rtl_end(struct rtl *rtl);

// Returns true between rtl_low() and rtl_high().
bool rtl_is_low(const struct rtl *rtl);

// Writes waves to path, a VCD file, beginning with the next half of a cycle; cycle 0 begins at time
// 0. They are of so many switches at least; NULL: of everything. Returns false if it cannot, or if
// the RTL was built without waves.
enum { RTL_CYCLE = 10 };  // in time units
bool rtl_waves(struct rtl *rtl, const char *path, const uint32_t *switches, size_t count);
void rtl_waves_end(struct rtl *rtl);
bool rtl_has_waves(const struct rtl *rtl);  // returns true if the RTL was built with waves

// Return the parameter set for which the program was built (key.h), and the mode (lockstep.h):
// "exact", "links", …; or NULL if it is for any.
const char *rtl_key(void);
const char *rtl_mode(void);

#ifdef __cplusplus
}
#endif

#endif
