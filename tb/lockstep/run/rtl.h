// SPDX-License-Identifier: Apache-2.0
//
// The verilated network as C sees it. One parameter set a program; the only C++ is in rtl.cpp.

#ifndef ANL_LOCKSTEP_RTL_H
#define ANL_LOCKSTEP_RTL_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rtl;

// harness: address handed to every DPI call. Registers without reset start with random bits drawn
// from seed. The caller gives the result to rtl_destroy().
struct rtl *rtl_create(const void *harness, uint64_t seed);
void rtl_destroy(struct rtl *rtl);

// Holds reset for a few cycles and leaves the network ready for cycle 0, clock high.
void rtl_reset(struct rtl *rtl);

// First half of a cycle: clock falls, registers are reported, sources give their next flits.
void rtl_low(struct rtl *rtl);
// Second half: clock rises, the flits that crossed are reported, registers take their new values.
void rtl_high(struct rtl *rtl);

// True if the RTL has called $finish: it may have stopped watching itself.
bool rtl_has_finished(const struct rtl *rtl);

// True between rtl_low() and rtl_high().
bool rtl_is_low(const struct rtl *rtl);

// Writes waves to path, from the next half of a cycle on; cycle 0 begins at time 0. false: it
// cannot, or this program was built without waves.
enum { RTL_CYCLE = 10 };  // time units
bool rtl_waves(struct rtl *rtl, const char *path);
void rtl_waves_end(struct rtl *rtl);
bool rtl_has_waves(void);  // this program was built with waves

// The parameter set it was built for (key.h), and for which mode (lockstep.h): "exact", "links", …
const char *rtl_key(void);
const char *rtl_mode(void);

#ifdef __cplusplus
}
#endif

#endif
