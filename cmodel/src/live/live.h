// SPDX-License-Identifier: Apache-2.0
//
// What a watch knows: the worms that are not delivered, with the data of their flits, and which
// flits are in which lane.

#ifndef ANL_LIVE_PRIVATE_H
#define ANL_LIVE_PRIVATE_H

#include <annelid/live.h>
#include <annelid/referee.h>
#include <annelid/report.h>
#include <annelid/scenario.h>
#include <annelid/trace.h>

enum { LIVE_NAME_BYTES = 80 };

struct live_worm {
    struct anl_worm worm;
    uint32_t entered;        // flits that have crossed the injection link
    struct live_worm *next;  // announced behind it at the same terminal and class
    uint32_t data[];         // of these flits, live.words each
};

// The worms that are not delivered, by id: at[id - first], NULL if it is delivered.
struct live_worms {
    struct live_worm **at;
    size_t count, room;
    uint32_t first;
};

// The worms that are announced and whose heads are not in the network.
struct live_queue {
    struct live_worm *first, *last;
};

// Which flit it is.
struct live_name {
    uint32_t worm;  // ANL_NOTHING: none
    uint16_t index;
};

struct live_lane {
    uint32_t first, count;  // of its flits in live.places, as a ring of depth
    uint32_t entering;      // worm of which the head has entered and the tail has not; ANL_NOTHING
    struct live_name last;  // flit that entered last
    uint64_t last_cycle;
};

enum live_heard { LIVE_NOTHING, LIVE_CREDITS, LIVE_FLITS };

// What crosses a link in this cycle.
struct live_wire {
    bool valid, head, tail;
    uint32_t vc, length;
    uint32_t data[ANL_WIRE_WORDS];
};

struct anl_live {
    struct anl_scenario scenario;
    const struct anl_config *config;  // of the scenario
    struct anl_shape shape;
    struct anl_link_description description;  // of options.links
    struct anl_links *links;                  // NULL: they are ours
    bool judges_credits;                      // the referee does, beside the rules of links
    uint32_t width, words;                    // bits of the data of a flit, and words
    struct anl_live_options options;
    char *trace_path, *scenario_path, *report_path;
    struct anl_reports *reports;  // what was found; NULL: nobody asks
    FILE *out;

    struct anl_referee *referee;
    struct anl_blocking *blocking;
    struct anl_trace_writer *trace;  // NULL: none, or it is finished
    uint64_t worms_traced;           // worms that the trace has
    bool fed;                        // the blocking analysis has accepted everything so far

    uint64_t now;           // this cycle
    uint64_t quiet_cycles;  // since a flit crossed a link
    uint64_t stuck_cycles;  // of these, the last ones in which worms were undelivered
    uint64_t worms_created, worms_delivered, flits_passed;
    struct live_worms worms;
    struct live_queue *queues;    // [terminals * classes]
    struct live_lane *lanes;      // [links * num_vcs]
    struct live_name *places;     // [links * num_vcs * depth]
    uint32_t *into;               // [switches * ports] link that ends at an input port; ANL_NOTHING
    struct live_wire *wires;      // [links]
    struct anl_flit *flits;       // [links] the flits of this cycle
    struct anl_credits *credits;  // [links] that come back in this cycle
    enum live_heard *heard;       // [links] what was ever told of the link
    size_t num_wires, num_credits;
    size_t num_flits;  // that crossed links in the cycle before

    bool over;                   // what is told is ignored
    bool ended;                  // anl_live_end() was called
    bool found_now;              // something was found in this cycle
    bool told_stall, told_dead;  // these are told once
    struct anl_finding finding;  // the first one; what is "": none
    char hint[400];  // what speaks, in this cycle, for a probe that is wrong; "": nothing
};

// worms.c

// Returns the worm, or NULL if it is delivered or was never created.
struct live_worm *live_worm_find(const struct anl_live *live, uint32_t id);
// Creates a worm in this cycle and hands it to the referee and the blocking analysis.
// Returns NULL if that is refused or memory runs out, which is found.
struct live_worm *live_worm_create(struct anl_live *live, uint32_t source, uint32_t destination,
                                   uint32_t length, uint32_t class_);
void live_worm_announce(struct anl_live *live, struct live_worm *worm);
// Returns the worm whose head crosses the injection link of a terminal; NULL: there is none, which
// is found.
struct live_worm *live_worm_begin(struct anl_live *live, uint32_t terminal,
                                  const struct live_wire *wire);
void live_worm_remove(struct anl_live *live, uint32_t id);
void live_worms_free(struct anl_live *live);

// lanes.c

// Finds out which flits cross links in this cycle: fills live->flits, ascending by link, and
// returns how many there are. Stops at what is found.
size_t live_name_flits(struct anl_live *live);
// Carries out what the flits of this cycle do to the lanes.
void live_move_flits(struct anl_live *live, size_t count);

// Returns the link at whose end, before a switch, a flit stands in front; ANL_NOTHING: it does not.
uint32_t live_stands_at(const struct anl_live *live, struct live_name name);

// probes.c

struct live_link_name {
    char text[LIVE_NAME_BYTES];
};
struct live_link_name live_name_link(const struct anl_live *live, uint32_t link);
// Says what speaks for a wrong probe, should something be found in this cycle.
void live_hint(struct anl_live *live, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Does so for a flit that crosses a link and stands elsewhere, and for the head of a worm that was
// announced at another terminal.
void live_hint_displaced(struct anl_live *live, uint32_t link, struct live_name name);
void live_hint_announced(struct anl_live *live, uint32_t source, uint32_t destination,
                         uint32_t length);
// Breaks off at a flit with data that no flit in the network has.
void live_break_unknown(struct anl_live *live, uint32_t link);

// report.c

// Notes and prints what is found at a link (or ANL_NOTHING). The watch ends with it. Returns false.
bool live_break(struct anl_live *live, const char *what, uint32_t link, uint32_t worm,
                const char *format, ...) __attribute__((format(printf, 5, 6)));
// Does the same for what the referee has found.
bool live_break_rule(struct anl_live *live);
// Note and print a deadlock and a stall, with which the watch goes on.
void live_tell_deadlock(struct anl_live *live);
void live_tell_stall(struct anl_live *live);
// Does the same for a file that cannot be written, "no_trace" or "no_report".
void live_lose_file(struct anl_live *live, const char *what, const struct anl_error *error);
// Writes the list of reports and prints the last lines about the run.
void live_tell_end(struct anl_live *live);

// live.c

// Finishes the trace with the cycles before this one, if there is one.
void live_finish_trace(struct anl_live *live);

#endif
