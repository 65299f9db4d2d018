// SPDX-License-Identifier: Apache-2.0
//
// A run, private to this room: run.c has its edges, check.c compares what a domain shows, and
// tell.c takes what crosses and tells it to the model.

#ifndef ANL_CLOCKS_RUN_INTERNAL_H
#define ANL_CLOCKS_RUN_INTERNAL_H

#include "compare/compare.h"
#include "domains.h"
#include "journey.h"
#include "run.h"

#include <annelid/links.h>

// The model of a domain, and what it is told.
struct model {
    struct anl_engine *engine;  // NULL: a terminal alone
    struct anl_state state;     // its own switches and terminals
    struct anl_border **told;   // [peers] the messages to it
};

// The worm that the source of a class of a terminal with a clock of its own sends.
struct sender {
    uint32_t worm;  // id
    uint16_t index;
    uint8_t vc;
};

// A flit in a lane of a terminal, of at most a few.
struct shown {
    struct anl_flit *flits;  // [depth] a ring
    uint32_t first, count;
};

struct run {
    const struct anl_scenario *scenario;
    const struct anl_config *config;
    const struct clocks_options *options;
    struct clocks_result *result;
    struct anl_shape shape;
    uint32_t switch_links;
    struct domains domains;
    struct clocked *rtl;
    struct harness harness;
    struct history history;
    struct anl_network *network;
    struct model *models;       // [domains with switches]
    struct anl_state expected;  // of the whole network, as far as there are models
    struct journey *journeys;   // [crossings]
    size_t num_journeys;
    uint32_t *at_link;                      // [links] the crossing in it; NOWHERE: none
    struct anl_links *senders, *receivers;  // rules of both sides of the crossings
    struct sender *sources;                 // [terminals * classes]
    struct shown *lanes;                    // [terminals * num_vcs]
    struct anl_flit *flits;                 // of the edge, that were compared
    size_t num_flits;
    struct anl_referee *referee;
    struct anl_traffic *traffic;
    struct anl_worm *delivered;
    size_t num_delivered;
    uint64_t arrived, still;
    struct difference difference;
    uint32_t at;  // the domain whose edge it is
};

// Returns the cycle of the domain whose edge it is.
static inline uint64_t cycle_of(const struct run *run) { return run->domains.clock[run->at].edges; }
static inline bool differs(const struct run *run) { return run->difference.count > 0; }
struct comparison clocks_comparison_of(struct run *run);

// --- check.c ---

// Notes a difference on a link, unless there is one already: vc may be NOWHERE.
void clocks_note(struct run *run, uint32_t link, uint32_t vc, const char *what,
                 const char *expected, const char *seen);
// The same of another flit than the one that was expected, and of an assertion of the RTL, if one
// has failed.
void clocks_note_flit(struct run *run, const char *what, const struct anl_flit *flit,
                      const struct wire *wire);
void clocks_note_failure(struct run *run);
// Returns whether a flit is on a wire, with its lane and all its bits.
bool clocks_is_same(const struct run *run, const struct anl_flit *flit, const struct wire *wire);
// Reads the registers of a domain's model into those that are expected.
void clocks_read_model(struct run *run, uint32_t domain);
// Compares all registers of the network behind an edge, which may change those of its domain alone.
void clocks_check_registers(struct run *run);
// A flit comes to the end of a link: if that is a terminal, it waits there for the sink.
void clocks_arrive(struct run *run, const struct anl_flit *flit);
// The flits that the sinks show are those at the front of their lanes, and are taken.
void clocks_check_sinks(struct run *run);
// A terminal with a clock of its own sends the flits of its worms in their order.
void clocks_check_sent(struct run *run);

// --- tell.c ---

// A flit goes into the crossing of its link, if there is one.
void clocks_go_in(struct run *run, const struct anl_flit *flit);
// An edge of a domain with a model, and of a terminal that is a domain of its own: what is on links
// and crossings is compared, and told to the model. ANL_OK also at a difference.
enum anl_status clocks_step_model(struct run *run, struct anl_error *error);
void clocks_step_terminal(struct run *run);
// Notes what ought to have come out of a crossing by now, and has not.
void clocks_check_late(struct run *run);

#endif
