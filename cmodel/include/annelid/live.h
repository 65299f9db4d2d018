// SPDX-License-Identifier: Apache-2.0
//
// Watches a network while somebody else's simulation runs it: its links are told what crosses them,
// and this room finds out which flit of which worm it is, lets the referee and the blocking
// analysis judge it, and writes a flit trace. The design may be anybody's, if its links are of a
// style of docs/link.md. How to use it from SystemVerilog: docs/own_bench.md.
//
//   anl_live_create("network.yaml", &options, &live, &error)
//   in each cycle: anl_live_flit() for each link that a flit crosses, anl_live_credits() for each
//   link on which credits come back, in any order, then anl_live_cycle(). Of links that a file
//   describes, anl_live_wires() of every link in place of both
//   anl_live_end(live), anl_live_destroy(live)
//
// What is found is printed in the cycle in which it is found. A broken rule ends the watch: what is
// told after it is ignored, and the trace is finished with the cycles before it. A deadlock and a
// stall do not end it.
//
// A flit is known by its data. The heads of two worms that are in one switch at the same time must
// therefore differ in their data; so should the other flits, or an exchange is not seen.

#ifndef ANNELID_LIVE_H
#define ANNELID_LIVE_H

#include <annelid/blocking.h>
#include <annelid/links.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_live;
struct anl_scenario;

struct anl_live_options {
    const char *links;  // file that describes links of another style (annelid/links.h), which
                        // are told by anl_live_wires(); NULL, "": they are those of ours
    const char *const *settings;  // "section.key=value" in place of the scenario's values
    size_t num_settings;
    const char *trace;         // path of a flit trace, binary if it ends in .anlt; NULL, "": none
    const char *report;        // path of the list of what is found, as JSON (annelid/report.h); it
                               // is written with each finding and at the end; NULL, "": none
    uint64_t patience_cycles;  // for so many cycles no flit may cross a link while worms are
                               // undelivered; then who waits for whom is printed; 0: without end
    bool no_credits;           // credits are not told, and their rules are not checked
    bool has_seed;             // the worms are those of the scenario, so reports have its seed
    FILE *out;                 // where it is printed; NULL: standard error
};

// What was found. Plain data.
struct anl_finding {
    // The name of a rule (annelid/referee.h), or one of these:
    //   made_up_flit  the data of a flit belong to no worm that is in the network
    //   no_probe      the same, and of a link into this switch no flit was ever told
    //   two_alike     two worms have the same head, so it is not known which one moves
    //   misuse        the calls do not fit the scenario
    //   deadlock      a circle of worms has closed; the watch goes on
    //   stalled       no flit moved for patience_cycles; the watch goes on
    //   no_trace      the trace cannot be written
    //   no_report     the list of what is found cannot be written
    char what[24];
    uint64_t cycle;
    uint32_t link;   // ANL_NOTHING: none
    uint32_t worm;   // ANL_NOTHING: none
    char text[256];  // one line for people
};

// Returns ANL_OK if a network can be watched. If not, ANL_ERR_ARGUMENT, and *error says why, of the
// scenario file `path` (docs/own_bench.md, "What it knows, and how").
enum anl_status anl_live_takes(const struct anl_config *config, const char *path,
                               struct anl_error *error);

// Begins to watch the network of a scenario file, which is empty; the first cycle is 0. The traffic
// of the scenario is ignored. On success *live is the caller's, who frees it with
// anl_live_destroy().
// On failure *live is NULL and *error says why: errors of anl_scenario_load(),
// anl_trace_create() and anl_reports_check(); ANL_ERR_ARGUMENT also as anl_live_takes()
// says.
enum anl_status anl_live_create(const char *scenario, const struct anl_live_options *options,
                                struct anl_live **live, struct anl_error *error);
// Frees the watch, which may be NULL. A trace that is not finished is removed.
void anl_live_destroy(struct anl_live *live);

// Announces a worm of `length` flits that joins the source queue of a terminal in this cycle. The
// worms of a terminal and class enter the network in the order in which they are announced. Without
// announcement a worm is created when its head crosses the injection link.
void anl_live_worm(struct anl_live *live, uint32_t source, uint32_t destination, uint32_t length,
                   uint32_t class_);

// Tells that a flit crosses a link in this cycle: its lane, and the words {head, tail, data} with
// the lowest bits first, flit_width_bits + 2 bits in all; bits above are ignored. length counts
// with a head on an injection link: the flits of its worm, or 0 if it was announced or if the head
// carries its length (anl_head_has_length()).
void anl_live_flit(struct anl_live *live, uint32_t link, uint32_t vc, const uint32_t *flit,
                   uint32_t length);

// Tells that credits come back to the sender of a link in this cycle, bit v for lane v.
void anl_live_credits(struct anl_live *live, uint32_t link, uint32_t lanes);

// Tells the wires of a link of another style in this cycle: whether it is valid, the lane, the flit
// with all its wires, and what its receiver drives (docs/link.md). It must be told of each link in
// every cycle. length counts as above.
void anl_live_wires(struct anl_live *live, uint32_t link, const struct anl_wires *wires,
                    uint32_t length);

// Ends this cycle. Returns false if something was found in it.
bool anl_live_cycle(struct anl_live *live);

// Returns what was found first, which *live owns, or NULL.
const struct anl_finding *anl_live_finding(const struct anl_live *live);

// Returns the scenario of the network and the links that are described, NULL if they are ours.
// *live owns both.
const struct anl_scenario *anl_live_scenario(const struct anl_live *live);
const struct anl_link_description *anl_live_links(const struct anl_live *live);

// Returns the cycle that is told now, and the flits that have crossed links in the one before, of
// which no rule was broken, ascending by link. *live owns them until the next cycle ends.
uint64_t anl_live_now(const struct anl_live *live);
// Return for how many cycles no flit has crossed a link, for how many of them, the last ones, worms
// were undelivered, and after how many every credit must be back, so that the network is at rest.
uint64_t anl_live_quiet_cycles(const struct anl_live *live);
uint64_t anl_live_stuck_cycles(const struct anl_live *live);
uint64_t anl_live_rest_cycles(const struct anl_live *live);
const struct anl_flit *anl_live_flits(const struct anl_live *live, size_t *count);

// Returns whether a flit has ever crossed a lane of a link.
bool anl_live_was_used(const struct anl_live *live, uint32_t link, uint32_t vc);

// Returns the blocking analysis of the cycles that have ended, for questions. *live owns it.
const struct anl_blocking *anl_live_blocking(const struct anl_live *live);

// Prints, unless the blocking analysis has ended, who waits for whom at the end of the last cycle:
// each worm that waits, its root blocker, the longest delay chain, and the deadlock if there is
// one.
void anl_live_print(const struct anl_live *live, FILE *out);

// Ends the watch: finishes the trace, prints a line about the run and, if worms are not delivered,
// who waits for whom. If nothing has moved for 4 * depth + 64 cycles, every credit must be back; so
// it must when a stall is told. What is told later is ignored, and a second call does nothing.
// Returns true if nothing was found.
bool anl_live_end(struct anl_live *live);

// --- what SystemVerilog calls (share/annelid/live/anl_live_pkg.sv) ---
//
// A handle is the address of a struct anl_live; 0 is none, and calls with it do nothing.
// anl_live_sv_create() returns 0 after a failure, which it has printed. flit has 514 bits {head,
// tail, data} of which the lowest flit_width_bits + 2 count. num_vcs and flit_width_bits are those
// of the probe; others than those of the scenario are a misuse. anl_live_sv_cycle() and
// anl_live_sv_end() return 1 if nothing was found, as above, else 0.

uint64_t anl_live_sv_create(const char *scenario, const char *links, const char *trace,
                            const char *report, uint64_t patience_cycles, unsigned char credits);
void anl_live_sv_worm(uint64_t handle, uint32_t source, uint32_t destination, uint32_t length,
                      uint32_t class_);
void anl_live_sv_flit(uint64_t handle, uint32_t link, uint32_t vc, uint32_t num_vcs,
                      uint32_t flit_width_bits, const uint32_t *flit, uint32_t length);
void anl_live_sv_credits(uint64_t handle, uint32_t link, uint32_t lanes);
// Tells the wires of a link of another style. flit has 514 bits, of which the lowest width count.
void anl_live_sv_wires(uint64_t handle, uint32_t link, unsigned char valid, uint32_t vc,
                       uint32_t num_vcs, uint32_t width, const uint32_t *flit, uint32_t back,
                       uint32_t length);
unsigned char anl_live_sv_cycle(uint64_t handle);
void anl_live_sv_print(uint64_t handle);
unsigned char anl_live_sv_end(uint64_t handle);
void anl_live_sv_destroy(uint64_t handle);

#ifdef __cplusplus
}
#endif

#endif
