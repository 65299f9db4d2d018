// SPDX-License-Identifier: Apache-2.0
//
// Traffic: decides when and where worms are created. Patterns and processes: docs/scenario.md.
// A client of the public API: it is told what was delivered and says what to offer; it never
// touches a net.

#ifndef ANNELID_WORKLOAD_H
#define ANNELID_WORKLOAD_H

#include <annelid/network.h>
#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_traffic;

// A worm to be offered in this cycle.
struct anl_offer {
    uint32_t source, destination;
    uint16_t length;
};

// scenario must stay alive and unchanged until destroy. ANL_ERR_MEMORY. The seed is
// scenario->run.seed.
enum anl_status anl_traffic_create(const struct anl_scenario *scenario,
                                   struct anl_traffic **traffic);
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

#ifdef __cplusplus
}
#endif

#endif
