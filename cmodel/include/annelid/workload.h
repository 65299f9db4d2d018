// SPDX-License-Identifier: Apache-2.0
//
// Traffic: decides when and where worms are created. Patterns and processes: docs/scenario.md. It
// knows no engine: the caller enqueues the worms that it returns and reports the worms that were
// delivered.

#ifndef ANNELID_WORKLOAD_H
#define ANNELID_WORKLOAD_H

#include <annelid/base.h>
#include <annelid/network.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ANL_MAX_LENGTHS = 16 };

enum anl_process {
    ANL_BERNOULLI,
    ANL_BURSTY,
    ANL_BATCH,
    ANL_REQUEST_REPLY,
    ANL_REPLAY,
    ANL_GENERATOR,
    // Those of struct anl_own_traffic, whose runs have them instead of what the scenario says; no
    // scenario file names them.
    ANL_OWN,
    ANL_OWN_OPEN,
};

enum anl_pattern {
    ANL_UNIFORM,
    ANL_COMPLEMENT,
    ANL_TRANSPOSE,
    ANL_BIT_REVERSE,
    ANL_SHUFFLE,
    ANL_TORNADO,
    ANL_NEIGHBOUR,
    ANL_HOTSPOT,
    ANL_MANY_TO_ONE,
    ANL_PERMUTATION,
    ANL_Q_RELATION,
    ANL_RANDOM_FUNCTION,
    ANL_FAR_CORNER,
    ANL_UNIFORM_OTHERS,
    ANL_MATRIX,
    ANL_SPHERE,
};

// A message to be sent, one line of a message file.
struct anl_message {
    uint64_t cycle;  // of creation
    uint32_t source, destination;
    uint16_t length;        // flits
    uint16_t route_length;  // ports of route; 0: none
    const uint8_t *route;   // of its own, as in struct anl_worm; NULL: none. Owned as the messages
    uint32_t path;          // as in struct anl_worm, if has_path is set
    bool has_path;          // false: the path is sampled
    uint8_t class_;         // of messages (docs/switch.md, "Message classes")
    // The messages that it waits for; owned as the messages. With some, cycle is the earliest one.
    const struct anl_after
        *after;          // [num_after]; no message waits for itself, not even in a circle
    uint32_t num_after;  // 0..ANL_MAX_AFTER
};

// Terminals that do not all create the same load (docs/scenario.md, "Rates"). Made by
// anl_demand_create(), and read only.
struct anl_demand {
    uint32_t terminals;
    double *rates;  // [terminals] flits per cycle
    double mean;    // of the rates
    // Of a traffic matrix; else NULL. The entries of source s are begins[s] … begins[s + 1] - 1,
    // ascending by destination; sums[i] is the sum of their rates up to entry i.
    size_t *begins;  // [terminals + 1]
    uint32_t *destinations;
    double *sums;
};

struct anl_demand_entry {
    uint32_t source, destination;
    double rate;    // flits per cycle, >= 0
    uint64_t line;  // of the file that it is from, for messages about it; 0: none
};

// Makes a demand of count entries, which are sorted in place by source, destination and line.
// matrix: destinations count, else an entry is about its source alone. No two entries may be about
// the same. On success *demand is the caller's, who frees it with anl_demand_destroy().
// ANL_ERR_MEMORY: *demand is NULL.
enum anl_status anl_demand_create(uint32_t terminals, struct anl_demand_entry *entries,
                                  size_t count, bool matrix, struct anl_demand **demand);
void anl_demand_destroy(struct anl_demand *demand);  // may be NULL

// Returns the highest load up to which all terminals create what their rates say; beyond it those
// with the highest rate create a flit per cycle, and less than their share.
double anl_demand_most_load(const struct anl_demand *demand);

struct anl_traffic_config {
    enum anl_process process;
    enum anl_pattern pattern;
    double load;                        // flits per terminal and cycle, 0..1
    uint16_t lengths[ANL_MAX_LENGTHS];  // flits
    uint32_t num_lengths;               // 1..ANL_MAX_LENGTHS
    uint32_t burst_cycles;              // bursty: length of the shortest burst
    uint32_t worms_per_terminal;        // batch, request_reply, generator; q_relation: permutations
    uint32_t delays;                    // batch: number of different delays, 1: none
    uint32_t delay_cycles;              // batch: unit of the delays
    uint32_t window;        // request_reply: requests that a terminal may have outstanding
    uint16_t reply_length;  // flits of a reply
    uint32_t hotspot_terminal;
    double hotspot_fraction;  // hotspot: probability that a worm goes to hotspot_terminal
    uint32_t sphere_radius;   // sphere: links between switches to the farthest terminals inside
    double sphere_fraction;   // sphere: probability that a worm stays inside
    // Open loop: NULL, all terminals create the load; else a terminal creates it in proportion to
    // its rate, and load is the mean. Pattern matrix needs one with destinations; without, its
    // worms go as those of uniform. Not owned.
    const struct anl_demand *demand;
};

// Returns the load that a terminal creates in an open loop, flits per cycle, at most 1.
double anl_terminal_load(const struct anl_traffic_config *traffic, uint32_t terminal);

// --- worms of the caller's own (docs/own_traffic.md) ---

struct anl_new_worm;
struct anl_worm;
struct anl_emit;  // takes the worms of a cycle

#define ANL_NEVER UINT64_MAX  // a cycle that never comes

// Functions of the caller's that create the worms of a run. They are called on the thread that runs
// it, in the order that the page shows. Those that are NULL are not called. Each says in which
// cycle create() is to be asked at the latest; ANL_NEVER: it does not matter. It is asked in the
// earliest of these cycles, at first in cycle 0, and until then cycles in which nothing happens may
// be skipped. When it is to be asked in no cycle, and all worms are delivered, the run is over.
struct anl_own_traffic {
    void *user;  // first argument of the functions
    // true: like process bernoulli it creates its worms in cycles 0 … run.cycles - 1 of the
    // scenario, whose process must be such a one, and is asked in no later one; the load is offered
    // in these cycles, and it is judged whether the network is saturated. false: the run lasts
    // until it creates no more worms.
    bool open_loop;
    // Length of its longest worm in flits; 0: as long as the network allows. Many runs go side by
    // side only if no worm is longer than ANL_BATCH_LONGEST_WORM.
    uint16_t longest;
    // Hands the worms that are created in the cycle, 0 or more, to anl_emit_worm(). Returns a cycle
    // after this one. Must not be NULL.
    uint64_t (*create)(void *user, uint64_t cycle, struct anl_emit *emit);
    // Is told the worms that were delivered in the cycle that was just run, if there are any, in
    // the order of anl_engine_delivered(). Returns a cycle after this one.
    uint64_t (*delivered)(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count);
    // Where terminals can refuse (reply_queue is not 0): is told the worms whose tails terminals
    // take in the cycle to come, if there are any, before create() is asked. Returns this cycle or
    // a later one.
    uint64_t (*taken)(void *user, uint64_t cycle, const struct anl_worm *worms, size_t count);
    // Packs or unpacks all that decides what these functions will do, for checkpoints
    // (docs/checkpoint.md); a run with a checkpoint is refused without it.
    void (*pack)(void *user, struct anl_pack *pack);
};

// Creates a worm in the cycle of create(), which alone may call it. Its number, anl_worm.id, is how
// many were created before it in the run. Its route must stay until the run is over. Returns false
// if the worm is refused: a terminal, its length, class, role, path or route is out of range, or it
// has dependencies. Then the run ends with ANL_ERR_ARGUMENT and a message that says the cycle, what
// was found and what was expected; if memory runs out, with ANL_ERR_MEMORY.
bool anl_emit_worm(struct anl_emit *emit, const struct anl_new_worm *worm);
// Ends the run with ANL_ERR_ARGUMENT and this reason, of which the message says the cycle.
void anl_emit_error(struct anl_emit *emit, const char *reason);

// Everything that decides the traffic. What it points to must stay alive and unchanged as long as
// it is used.
struct anl_workload {
    const struct anl_config *network;
    const struct anl_traffic_config *traffic;
    uint64_t seed;
    uint64_t cycles;  // open-loop processes create worms in cycles 0 … cycles - 1
    const struct anl_message *messages;  // replay only, ascending by cycle
    size_t num_messages;
    const struct anl_own_traffic *own;  // of processes ANL_OWN and ANL_OWN_OPEN; else NULL
    const char *no_routes;  // of own: why its worms have no routes of their own; NULL: they may
};

// Returns the name used in scenario files ("bernoulli", …), or "?" if process is out of range.
const char *anl_process_name(enum anl_process process);
// Returns true if the process creates worms at a load in cycles 0 … cycles - 1, whatever is
// delivered.
bool anl_process_is_open_loop(enum anl_process process);
// Returns true if a pattern decides where the worms of the process go.
bool anl_process_has_pattern(enum anl_process process);
// Returns the length of the longest worm that a process creates by itself: the largest of
// config->lengths, without replies and messages.
uint32_t anl_traffic_longest(const struct anl_traffic_config *config);
// Returns the name used in scenario files ("uniform", …), or "?" if pattern is out of range.
const char *anl_pattern_name(enum anl_pattern pattern);

struct anl_traffic;

// A worm to be enqueued by the engine in this cycle.
struct anl_new_worm {
    uint32_t source, destination;
    uint16_t length;
    uint16_t route_length;
    const uint8_t *route;  // of its own, as in struct anl_worm; NULL: none
    uint32_t path;         // as in struct anl_worm, if has_path is set
    bool has_path;
    uint8_t class_, role;  // as in struct anl_worm
    // As in struct anl_worm; the traffic's.
    const struct anl_dependencies *dependencies;
};

// Makes the generator of a workload's traffic. On success *traffic is the caller's, who frees it
// with anl_traffic_destroy(). ANL_ERR_MEMORY: *traffic is NULL.
enum anl_status anl_traffic_create(struct anl_workload workload, struct anl_traffic **traffic);

// Returns true if each terminal decides alone when it creates which worms, whatever is delivered.
bool anl_workload_has_parts(const struct anl_workload *workload);
// Returns true if what is delivered may decide what is created.
bool anl_workload_answers(const struct anl_workload *workload);
// Makes the generator of the traffic of some terminals from the first one on; the workload must
// have parts. It creates the worms that that of all terminals creates there, in the same order.
enum anl_status anl_traffic_create_part(struct anl_workload workload, uint32_t first,
                                        uint32_t terminals, struct anl_traffic **traffic);
void anl_traffic_destroy(struct anl_traffic *traffic);

// Lets the generator, before its first cycle, draw the worms of many cycles at once where it pays:
// in open loops of not too many terminals. The worms stay the same. It can no longer be packed.
// ANL_ERR_MEMORY: it can only be destroyed.
enum anl_status anl_traffic_draw_ahead(struct anl_traffic *traffic);

// Returns the next cycle, not yet asked for, in which a worm may be created; UINT64_MAX if no worm
// will be created unless another one is delivered.
uint64_t anl_traffic_next(const struct anl_traffic *traffic);

// Returns the worms that are created in cycle, in the order in which they must be enqueued. Call it
// once for each cycle 0, 1, 2, …; cycles before anl_traffic_next() may be left out. The array is
// owned by traffic and valid until the next call. The n-th worm ever returned must get id n from
// the engine.
const struct anl_new_worm *anl_traffic_cycle(struct anl_traffic *traffic, uint64_t cycle,
                                             size_t *count);

// Returns ANL_OK, or why worms of the caller's own can no longer be created, with *error. It is to
// be asked after anl_traffic_cycle(), anl_traffic_delivered() and anl_traffic_taken().
enum anl_status anl_traffic_status(const struct anl_traffic *traffic, struct anl_error *error);

// Returns a hash of the worms of the caller's own that were created up to now, and of the cycles of
// create(); 0 of other traffic.
uint64_t anl_traffic_signature(const struct anl_traffic *traffic);

// Reports the worms that were delivered in the cycle just run. Only those need this of which
// anl_workload_answers() is true.
void anl_traffic_delivered(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count);

// Reports the worms whose tails terminals take in the cycle to come, before anl_traffic_cycle() is
// called for it. Only request_reply and the caller's own with reply_queue more than 0 need this:
// then it is the time at which a request is answered.
void anl_traffic_taken(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count);

// Returns true if no worm will be created any more unless another one is delivered.
bool anl_traffic_done(const struct anl_traffic *traffic);

// --- state that another generator of the same workload goes on from ---
//
// Between two cycles, when all worms of the cycle before are reported (docs/checkpoint.md).

// Packs or unpacks what terminals first .. first + count - 1, which the generator has, will create.
// All terminals take equally many bytes.
void anl_traffic_pack_terminals(struct anl_traffic *traffic, uint32_t first, uint32_t count,
                                struct anl_pack *pack);
// Packs or unpacks the rest. Unpacking it comes first, of a generator that has just been made.
void anl_traffic_pack(struct anl_traffic *traffic, struct anl_pack *pack);
// Gives a worm that was created the pointers that it had: its route and its dependencies. Returns
// false if no message has become a worm with this id.
bool anl_traffic_tie(const struct anl_traffic *traffic, struct anl_worm *worm);

// --- where worms go, as probabilities ---

// The probabilities of the destinations of a workload whose process has a pattern.
struct anl_destinations;

// Samples what the pattern samples once (permutation, q_relation, random_function), as a run with
// the workload's seed does. On success *destinations is the caller's, who frees it with
// anl_destinations_destroy(), and who keeps what the workload points to. ANL_ERR_MEMORY:
// *destinations is NULL.
enum anl_status anl_destinations_create(const struct anl_workload *workload,
                                        struct anl_destinations **destinations);
void anl_destinations_destroy(struct anl_destinations *destinations);  // may be NULL

// Returns the part of the worms of source that go to destination. Over all destinations the parts
// add up to 1.
double anl_destination_probability(const struct anl_destinations *destinations, uint32_t source,
                                   uint32_t destination);

// --- process generator: worms as the sources of a board create them (docs/board.md) ---

// Returns the state of a terminal's generator at the start of a run.
uint32_t anl_generator_seed(const struct anl_workload *workload, uint32_t terminal);

// Returns the worm whose head is sent while the generator's state is *random, and advances *random
// to the state of the next worm.
struct anl_new_worm anl_generator_worm(const struct anl_workload *workload, uint32_t source,
                                       uint32_t *random);

#ifdef __cplusplus
}
#endif

#endif
