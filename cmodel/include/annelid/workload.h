// SPDX-License-Identifier: Apache-2.0
//
// Traffic: decides when and where worms are created. Patterns and processes: docs/scenario.md.
// A client of the public API: it is told what was delivered and says what to offer; it never
// touches a net.

#ifndef ANNELID_WORKLOAD_H
#define ANNELID_WORKLOAD_H

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
};

// A message to be sent, from a message file.
struct anl_message {
    uint64_t cycle;
    uint32_t source, destination;
    uint16_t length;
};

struct anl_traffic_config {
    enum anl_process process;
    enum anl_pattern pattern;
    double load;                        // flits per terminal and cycle, 0..1
    uint16_t lengths[ANL_MAX_LENGTHS];  // flits
    uint32_t num_lengths;               // 1..ANL_MAX_LENGTHS
    uint32_t burst_cycles;
    uint32_t worms_per_terminal;
    uint32_t delays;        // batch: 1 is none
    uint32_t delay_cycles;  // unit of the delays
    uint32_t window;
    uint16_t reply_length;
    uint32_t hotspot_terminal;
    double hotspot_fraction;
};

// All that decides the traffic. What it points to must stay alive and unchanged while it is used.
struct anl_workload {
    const struct anl_config *network;
    const struct anl_traffic_config *traffic;
    uint64_t seed;
    uint64_t cycles;  // open-loop processes create worms in cycles 0 … cycles - 1
    const struct anl_message *messages;  // replay only
    size_t num_messages;
};

const char *anl_process_name(enum anl_process process);
// Worms are created at a load in cycles 0 .. run.cycles - 1, whatever is delivered.
bool anl_process_is_open_loop(enum anl_process process);
// Worms go where a pattern says.
bool anl_process_has_pattern(enum anl_process process);
const char *anl_pattern_name(enum anl_pattern pattern);

struct anl_traffic;

// A worm to be offered in this cycle.
struct anl_offer {
    uint32_t source, destination;
    uint16_t length;
};

// On success *traffic is to be given to anl_traffic_destroy(). ANL_ERR_MEMORY; then it is NULL.
enum anl_status anl_traffic_create(struct anl_workload workload, struct anl_traffic **traffic);
void anl_traffic_destroy(struct anl_traffic *traffic);

// The next cycle to be asked for in which a worm may be created; UINT64_MAX: none will be without a
// further delivery.
uint64_t anl_traffic_next(const struct anl_traffic *traffic);

// The worms created in cycle, in the order in which they are to be offered. Call with cycle = 0, 1,
// 2, … once each; cycles before anl_traffic_next() may be left out. The array is owned by traffic
// and valid until the next call. The n-th worm ever returned must get id n in the net.
const struct anl_offer *anl_traffic_cycle(struct anl_traffic *traffic, uint64_t cycle,
                                          size_t *count);

// Tells of worms delivered in the cycle just stepped (request_reply needs it; harmless otherwise).
void anl_traffic_delivered(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count);

// True when nothing will ever be created again without a further delivery.
bool anl_traffic_done(const struct anl_traffic *traffic);

// --- process generator: worms as the sources of a board make them (docs/board.md) ---

// State of the generator of a terminal at the start of a run.
uint32_t anl_generator_seed(const struct anl_workload *workload, uint32_t terminal);

// The worm whose head is shown with the state *random, which becomes that of the next worm.
struct anl_offer anl_generator_worm(const struct anl_workload *workload, uint32_t source,
                                    uint32_t *random);

#ifdef __cplusplus
}
#endif

#endif
