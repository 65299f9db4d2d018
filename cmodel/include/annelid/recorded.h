// SPDX-License-Identifier: Apache-2.0
//
// A network in a waveform that somebody else has recorded: a VCD file is read once, in the order of
// time, and what is on the links in each cycle is told to a watch (annelid/live.h). Which signals
// the links are says a map of probes (annelid/probes.h).
//
//   anl_recorded_open(file, "dump.vcd", probes, &recorded, &error)
//   as long as anl_recorded_next(): anl_recorded_tell(recorded, live, &error), anl_live_cycle(live)
//   anl_recorded_close(recorded)
//
// A cycle is a rising edge of the clock in which reset is 0; its values are those just before the
// edge. The file may end anywhere, as that of a simulation that somebody has stopped.

#ifndef ANNELID_RECORDED_H
#define ANNELID_RECORDED_H

#include <annelid/probes.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_live;
struct anl_recorded;

// Reads the declarations of a VCD file from a stream, which the caller closes later, and finds the
// signals of the probes, which must stay. name stands for the file in messages. On success
// *recorded is the caller's, who frees it with anl_recorded_close(). On failure it is NULL, and
// *error says file, line, what was found and what was expected: ANL_ERR_FORMAT (either file),
// ANL_ERR_IO, ANL_ERR_MEMORY.
enum anl_status anl_recorded_open(FILE *file, const char *name, const struct anl_probes *probes,
                                  struct anl_recorded **recorded, struct anl_error *error);
void anl_recorded_close(struct anl_recorded *recorded);  // may be NULL

// Goes on to the next cycle. *there is false if there is none: the file ends, or reset has risen
// again. ANL_ERR_FORMAT, ANL_ERR_IO, ANL_ERR_MEMORY: as above.
enum anl_status anl_recorded_next(struct anl_recorded *recorded, bool *there,
                                  struct anl_error *error);

// Tells a watch of the network and links of the probes what is on all links in this cycle. The
// caller then ends the cycle of the watch. ANL_ERR_FORMAT: valid, lane or back of a link is
// neither 0 nor 1. Of flits such bits are taken as 0.
enum anl_status anl_recorded_tell(struct anl_recorded *recorded, struct anl_live *live,
                                  struct anl_error *error);

// Return how many cycles there were so far, the time of this one in steps of the time scale, the
// time scale as the file has it ("1ps"; "" if it has none), how many flits were told that had bits
// neither 0 nor 1, and whether reset has risen again.
uint64_t anl_recorded_cycles(const struct anl_recorded *recorded);
uint64_t anl_recorded_time(const struct anl_recorded *recorded);
const char *anl_recorded_timescale(const struct anl_recorded *recorded);
uint64_t anl_recorded_unknown_flits(const struct anl_recorded *recorded);
bool anl_recorded_was_reset(const struct anl_recorded *recorded);

#ifdef __cplusplus
}
#endif

#endif
