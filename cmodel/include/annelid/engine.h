// SPDX-License-Identifier: Apache-2.0
//
// The golden model: a network of buffered switches, one cycle at a time. Rules: docs/switch.md.
//
//   anl_engine_create(&config, &engine), or anl_engine_create_on(network, &engine)
//   loop: anl_engine_offer(engine, …) for every worm created in this cycle; anl_engine_step(engine)
//   anl_engine_destroy(engine)
//
// Deterministic: the same calls give the same flits. Nothing is allocated in anl_engine_step(). A
// handle may be used by one thread at a time; separate handles share nothing.

#ifndef ANNELID_ENGINE_H
#define ANNELID_ENGINE_H

#include <annelid/network.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_engine;

// Makes an engine in reset state (seed 0, cycle 0) on a network that it only reads: engines in any
// threads may share it, and it must outlive them. On success *engine is the caller's, to be given
// to anl_engine_destroy(). ANL_ERR_MEMORY; then *engine is NULL.
enum anl_status anl_engine_create_on(const struct anl_network *network, struct anl_engine **engine);

// The same with a network of its own. ANL_ERR_ARGUMENT (config refused), ANL_ERR_MEMORY.
enum anl_status anl_engine_create(const struct anl_config *config, struct anl_engine **engine);

// engine may be NULL.
void anl_engine_destroy(struct anl_engine *engine);

// Empties the network, cycle 0, worm ids from 0; seeds the generators of the switches.
void anl_engine_reset(struct anl_engine *engine, uint64_t seed);

// Puts a worm, created in the current cycle, at the end of the source queue of its terminal. *id
// receives its number (id may be NULL). ANL_ERR_ARGUMENT: terminal out of range, length 0,
// longer than the depth under an admission rule that needs whole worms to fit, or 2^32 - 1 worms
// offered since reset. ANL_ERR_MEMORY: nothing has changed.
enum anl_status anl_engine_offer(struct anl_engine *engine, uint32_t source, uint32_t destination,
                                 uint16_t length, uint32_t *id);

// One cycle.
void anl_engine_step(struct anl_engine *engine);

// True if no flit is in the network and no worm waits at its source: until the next offer steps
// change nothing but the number of the cycle.
bool anl_engine_idle(const struct anl_engine *engine);

// As many steps as lead to cycle, in no time. ANL_ERR_ARGUMENT: the engine is not idle, or is past
// that cycle.
enum anl_status anl_engine_skip(struct anl_engine *engine, uint64_t cycle);

// Number of cycles stepped since reset: the cycle that the next step will be.
uint64_t anl_engine_cycle(const struct anl_engine *engine);

// Switches recording of flits on or off (off after create). It does not change what the network
// does.
void anl_engine_record(struct anl_engine *engine, bool on);

// The flits that crossed a link in the last step, ascending by link, if recording is on. Owned by
// the engine, valid until the next step or reset.
const struct anl_flit *anl_engine_flits(const struct anl_engine *engine, size_t *count);

// The worms delivered in the last step (ascending by destination). Owned by the engine, valid until
// the next step or reset; available whether recording or not.
const struct anl_worm *anl_engine_delivered(const struct anl_engine *engine, size_t *count);

// A worm that was offered and is not yet delivered, or was delivered in the last step. NULL
// otherwise. The pointer is valid until the next offer, step or reset.
const struct anl_worm *anl_engine_worm(const struct anl_engine *engine, uint32_t id);

struct anl_engine_totals {
    uint64_t offered;        // worms offered since reset
    uint64_t delivered;      // worms delivered
    uint64_t flit_hops;      // flits that crossed any link (injection and ejection too)
    uint64_t ejected_flits;  // flits that crossed an ejection link
    uint64_t in_network;     // flits in lanes now (ejection lanes too)
    uint64_t queued;         // worms whose tail has not left the source queue
    uint64_t moved;          // flits that crossed a link in the last step
};
struct anl_engine_totals anl_engine_totals(const struct anl_engine *engine);

// Architectural state, docs/switch.md "State that is compared". One element per (switch, port,
// lane), (switch, port), (switch), (terminal, lane), in that index order. Byte layout is fixed: the
// RTL probe packs the same.
struct anl_lane_state {
    uint8_t count, bound, bound_port, bound_vc;   // input lane
    uint8_t credit, owned, owner_port, owner_vc;  // output lane of the same port and number
};
struct anl_port_state {
    uint8_t in_ptr, out_ptr;
};
struct anl_terminal_lane_state {
    uint8_t count;   // flits in the ejection lane
    uint8_t credit;  // of the injection lane
    uint8_t bound;   // 1: the worm being injected is bound to it
    uint8_t zero;
};
struct anl_state {
    struct anl_lane_state *lanes;                    // switches * ports * num_vcs
    struct anl_port_state *ports;                    // switches * ports
    uint32_t *random;                                // switches
    struct anl_terminal_lane_state *terminal_lanes;  // terminals * num_vcs
};
// Fills the caller's arrays with the state at the start of the current cycle.
void anl_engine_state(const struct anl_engine *engine, struct anl_state *state);

// Makes the engine visit its switches in another order (a permutation drawn from order_seed; 0
// restores ascending order). The results must not change: this exists for the test of exactly that.
// ANL_ERR_MEMORY: nothing has changed.
enum anl_status anl_engine_shuffle(struct anl_engine *engine, uint64_t order_seed);

#ifdef __cplusplus
}
#endif

#endif
