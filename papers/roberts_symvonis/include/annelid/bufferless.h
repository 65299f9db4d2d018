// SPDX-License-Identifier: Apache-2.0
//
// The model of a mesh without buffers, which is stepped one step at a time, under the policy one
// bend or one of the caller's. Rules: papers/roberts_symvonis/bufferless.md.
//
//   anl_bufferless_create(n, &machine)
//   anl_bufferless_enqueue(machine, …) for worms, at any time before their starts
//   anl_bufferless_step(machine) in each step
//   anl_bufferless_destroy(machine)
//
// The machine is deterministic and has no choices. anl_bufferless_step() allocates nothing. One
// thread at a time may use a machine; machines share nothing.

#ifndef ANNELID_BUFFERLESS_H
#define ANNELID_BUFFERLESS_H

#include <annelid/base.h>
#include <annelid/records.h>

#ifdef __cplusplus
extern "C" {
#endif

// Ports of a node: output port o of node s is link s * ANL_BUFFERLESS_PORTS + o, and an input port
// has the number of the side that it is on. The first four have link registers.
enum anl_bufferless_port {
    ANL_EAST,
    ANL_WEST,
    ANL_SOUTH,
    ANL_NORTH,
    ANL_TERMINAL_PORT,
    ANL_BUFFERLESS_PORTS,
    ANL_NO_WAY = ANL_BUFFERLESS_PORTS,  // in a latch: nothing
};
enum { ANL_BUFFERLESS_LINKS = ANL_TERMINAL_PORT, ANL_BUFFERLESS_MAX_N = 512 };

struct anl_bufferless;

// Makes an n x n mesh in reset state, before step 1. n is 1 .. ANL_BUFFERLESS_MAX_N. On success the
// caller frees *machine with anl_bufferless_destroy(). ANL_ERR_ARGUMENT or ANL_ERR_MEMORY: *machine
// is NULL.
enum anl_status anl_bufferless_create(uint32_t n, struct anl_bufferless **machine);
void anl_bufferless_destroy(struct anl_bufferless *machine);  // may be NULL

// Empties all registers and sources, and sets step and worm ids back to 0.
void anl_bufferless_reset(struct anl_bufferless *machine);

// A head that stands at an input port of a node in a step.
struct anl_bufferless_head {
    uint64_t step;
    uint32_t node, port, worm;
};
// Returns the way of a head: an output port, or ANL_NO_WAY. It is asked once for each head in each
// step, in any order of the nodes, so what it returns must not depend on other heads of this step.
typedef uint32_t (*anl_bufferless_way)(void *user, const struct anl_bufferless_head *head);

// Sets the policy; NULL is one bend, the one of a new machine. A way that leads out of the mesh
// counts as none. The policy stays after a reset.
void anl_bufferless_policy(struct anl_bufferless *machine, anl_bufferless_way way, void *user);

// Gives a worm to its source: source, destination, length and created of *worm are read, where
// created is its start. *id receives its number (id may be NULL). ANL_ERR_ARGUMENT: a node is out
// of range, the destination is the source, length is 0, the start is not after the last step or
// not after the tail of the worm before it at this source, or 2^32 - 1 worms were enqueued since
// reset. ANL_ERR_MEMORY. On failure nothing has changed.
enum anl_status anl_bufferless_enqueue(struct anl_bufferless *machine, const struct anl_worm *worm,
                                       uint32_t *id);

// Runs one step.
void anl_bufferless_step(struct anl_bufferless *machine);

// Goes behind `step` at once, as if by steps. ANL_ERR_ARGUMENT: a flit is on a link, a worm starts
// in one of these steps, a step before made a fault, or `step` is before the last one; nothing has
// changed.
enum anl_status anl_bufferless_skip(struct anl_bufferless *machine, uint64_t step);

// Returns the number of the last step; 0 before step 1.
uint64_t anl_bufferless_steps(const struct anl_bufferless *machine);

// Returns true if no flit is on a link and no source has a worm.
bool anl_bufferless_idle(const struct anl_bufferless *machine);

// Switches the recording of flits on or off; it is off in a new machine.
void anl_bufferless_record(struct anl_bufferless *machine, bool on);

// Returns the flits that crossed a link or were consumed in the last step, ascending by link; none
// if recording is off. The link of a consumed flit is that of port ANL_TERMINAL_PORT. They are
// owned by the machine and valid until the next step or reset.
const struct anl_flit *anl_bufferless_flits(const struct anl_bufferless *machine, size_t *count);

// Returns a worm that was enqueued since reset, or NULL. The pointer is valid until the next worm
// is enqueued or reset.
const struct anl_worm *anl_bufferless_worm(const struct anl_bufferless *machine, uint32_t id);

struct anl_bufferless_totals {
    uint64_t enqueued;  // worms, since reset
    uint64_t moves;     // flits that crossed a link between nodes
    uint64_t consumed;  // flits that terminals consumed
    uint64_t tails;     // tails among them
    uint64_t lost;      // flits that were lost by faults
    uint64_t on_links;  // flits in link registers now
};
// Returns the totals behind the last step.
struct anl_bufferless_totals anl_bufferless_totals(const struct anl_bufferless *machine);

// --- faults ---

enum anl_bufferless_cause {
    ANL_BUFFERLESS_NO_FAULT,
    ANL_BUFFERLESS_COLLISION,    // two flits want output port `port`
    ANL_BUFFERLESS_NO_WAY,       // the flit of input port `port` has no way
    ANL_BUFFERLESS_BROKEN_WORM,  // the worm that passes input port `port` has no next flit
};
struct anl_bufferless_fault {
    enum anl_bufferless_cause cause;
    uint64_t step;
    uint32_t node;
    uint32_t port;
    uint32_t worms[2];  // ids; UINT32_MAX: unknown, or no second one
};
// Returns the first fault since reset; of several in one step the one in the lowest node. Its cause
// is ANL_BUFFERLESS_NO_FAULT if there is none.
struct anl_bufferless_fault anl_bufferless_fault(const struct anl_bufferless *machine);

// Writes what the fault is, cut at size - 1 bytes: "step 4, (0,1).E: worms 0 and 1 collide".
void anl_bufferless_fault_text(const struct anl_bufferless *machine,
                               const struct anl_bufferless_fault *fault, char *text, size_t size);

// --- state ---
//
// What papers/roberts_symvonis/bufferless.md compares, as it stands at the start of the next step.

struct anl_bufferless_register {
    uint32_t worm;
    uint16_t index;
    bool valid;  // it holds a flit; otherwise the other fields are 0
    bool tail;
};
struct anl_bufferless_state {
    struct anl_bufferless_register *links;  // [n * n * ANL_BUFFERLESS_LINKS], by input port
    uint8_t
        *latches;     // [n * n * ANL_BUFFERLESS_PORTS]: an output port or ANL_NO_WAY, by input port
    uint8_t *faults;  // [n * n]: 1 from the step after the first fault of the node on
};
// Fills the caller's arrays.
void anl_bufferless_state(const struct anl_bufferless *machine, struct anl_bufferless_state *state);

#ifdef __cplusplus
}
#endif

#endif
