// SPDX-License-Identifier: Apache-2.0
//
// The terminals of a network of anybody's switches: they send the worms of a scenario over links of
// any style (annelid/links.h), take what arrives, and let a watch (annelid/live.h) judge every
// link. How to use it: docs/judge.md.
//
//   anl_driver_create("network.yaml", &options, &drive, &error)
//   in each cycle: the wires of all links to anl_live_wires(anl_driver_live(drive), …); for each
//   terminal what it sees of its two links, to anl_driver_saw(); then anl_driver_cycle()
//   anl_driver_sends() and anl_driver_takes() say what terminals drive in the cycle that comes
//   anl_driver_end(drive), anl_driver_destroy(drive)
//
// A terminal sends one worm at a time, in the order of creation, each in a lane of its own choice
// among those of its class. What it drives is a function of earlier cycles alone.

#ifndef ANNELID_DRIVER_H
#define ANNELID_DRIVER_H

#include <annelid/live.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_driver;

struct anl_driver_options {
    struct anl_live_options live;  // its links must be given; the watch is made with these
    double hesitation;  // 0..1: probability that a terminal sends nothing in a cycle, and that it
                        // takes nothing (a lane of it, if lanes answer for themselves)
    bool json;          // the result is printed as JSON
};

// What a run came to. Plain data.
struct anl_driver_result {
    uint64_t cycles, flits, worms, delivered;  // flits: events, one for each link that one crosses
    uint64_t measured;   // worms that were created behind the warm-up and delivered
    double latency;      // mean of these, from creation to the tail's arrival
    double accepted;     // flits that arrived for each terminal and cycle of the measured time
    uint32_t least_hop;  // least cycles from link to link of any head; 0: none has moved
    double mean_hop;     // mean of the same of all heads
};

// Makes the terminals and the watch of a network. On success *drive is the caller's, who frees it
// with anl_driver_destroy(). Errors as of anl_live_create(); ANL_ERR_ARGUMENT also if the options
// do not describe the links.
enum anl_status anl_driver_create(const char *scenario, const struct anl_driver_options *options,
                                  struct anl_driver **drive, struct anl_error *error);
void anl_driver_destroy(struct anl_driver *drive);  // may be NULL

// Returns the watch, which *drive owns.
struct anl_live *anl_driver_live(const struct anl_driver *drive);

// What a terminal drives in the cycle that is told now: a flit on its injection link, if any, and
// what the receiver of its ejection link drives. flit has ANL_WIRE_WORDS words, owned by *drive.
bool anl_driver_sends(const struct anl_driver *drive, uint32_t terminal, uint32_t *vc,
                      const uint32_t **flit);
uint32_t anl_driver_takes(const struct anl_driver *drive, uint32_t terminal);

// Tells what a terminal sees in this cycle: what the receiver of its injection link drives, and
// what comes on its ejection link.
void anl_driver_saw(struct anl_driver *drive, uint32_t terminal, uint32_t back, bool valid,
                    uint32_t vc, const uint32_t *flit);

// Ends this cycle, that of the watch, too. Returns false if the run is over: all worms are
// delivered and all credits had the time to come back, or max_cycles are over, or a rule is broken,
// or nothing moves any more.
bool anl_driver_cycle(struct anl_driver *drive);

// Returns what was measured up to now.
struct anl_driver_result anl_driver_result(const struct anl_driver *drive);

// Ends the watch and prints the result. Returns true if nothing was found and all is delivered.
bool anl_driver_end(struct anl_driver *drive);

// --- what SystemVerilog calls (tb/judge/anl_driver_pkg.sv) ---
//
// As in annelid/live.h.

// Do what the functions above do, for a driver that a handle names; 0: it could not be made, and
// the reason is printed. settings are "section.key=value", separated by blanks; links is the file
// that describes the links.
uint64_t anl_driver_sv_create(const char *scenario, const char *links, const char *settings,
                              const char *trace, const char *report, uint64_t patience_cycles,
                              double hesitation, unsigned char json);
uint64_t anl_driver_sv_live(uint64_t handle);
unsigned char anl_driver_sv_sends(uint64_t handle, uint32_t terminal, uint32_t *vc, uint32_t *flit);
uint32_t anl_driver_sv_takes(uint64_t handle, uint32_t terminal);
void anl_driver_sv_saw(uint64_t handle, uint32_t terminal, uint32_t back, unsigned char valid,
                       uint32_t vc, const uint32_t *flit);
unsigned char anl_driver_sv_cycle(uint64_t handle);
unsigned char anl_driver_sv_end(uint64_t handle);
void anl_driver_sv_destroy(uint64_t handle);

#ifdef __cplusplus
}
#endif

#endif
