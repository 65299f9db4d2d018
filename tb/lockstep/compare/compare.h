// SPDX-License-Identifier: Apache-2.0
//
// Compares the RTL with the golden model: all flits of a cycle with all their data bits, and all
// registers.

#ifndef ANL_LOCKSTEP_COMPARE_H
#define ANL_LOCKSTEP_COMPARE_H

#include "difference.h"
#include "dpi.h"
#include "history.h"

struct comparison {
    const struct harness *harness;  // what the probes saw
    const struct history *history;  // of the cycles before this one
    uint64_t cycle;
    struct difference *difference;  // the first difference is described, all are counted
    bool closed;     // no link that leaves a switch is watched, only injection and ejection links
    bool unwatched;  // no register of a switch is watched
};

// Compares the flits on links with those expected, which ascend by link.
void compare_flits(struct comparison *comparison, const struct anl_flit *expected, size_t count);

// Compares the flits that sinks show: the sink of each class shows one from the lowest lane of its
// class that holds a flit, and a flit that it has refused until it takes it.
void compare_sinks(struct comparison *comparison, const struct anl_state *expected);

// Compares the registers at the start of the cycle.
void compare_state(struct comparison *comparison, const struct anl_state *expected);

// Compares the numbers of the step and of the lane whose turn it is.
void compare_step(struct comparison *comparison, uint64_t step, uint32_t turn);

// A register that is compared: its name and its two values.
struct field {
    const char *side;  // "input", "output", "switch", "injection", "ejection"
    const char *name;
    uint32_t expected, seen;
};
// Notes a difference if the two values differ. vc may be NOWHERE.
void compare_field(struct comparison *comparison, const struct field *field, uint32_t switch_,
                   uint32_t port, uint32_t vc);
// Compares the flit that a register of an input port holds. flit or wire is NULL: none.
void compare_register(struct comparison *comparison, uint32_t switch_, uint32_t port,
                      const struct anl_flit *flit, const struct wire *wire);

// Writes the description of an expected flit: "body, lane 2, data 0x… (worm 17 from 3 to 12, flit 3
// of 8)".
// Writes what is on a wire, "head, lane 0, data 0xba27a4a4".
void describe_wire(const struct anl_config *config, const struct wire *wire, char *text,
                   size_t size);
void describe_flit(const struct harness *harness, const struct anl_flit *flit, char *text,
                   size_t size);

// Names the place of a difference: "link 3(1,0).+1 lane 2"; vc may be NOWHERE.
void name_link(struct difference *difference, const struct anl_config *config, uint32_t link,
               uint32_t vc);

#endif
