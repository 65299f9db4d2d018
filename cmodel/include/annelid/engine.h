// SPDX-License-Identifier: Apache-2.0
//
// The golden model: a network of buffered switches that is stepped one cycle at a time. Rules:
// docs/switch.md.
//
//   anl_engine_create(&config, &engine), or anl_engine_create_on(network, &engine)
//   in each cycle: anl_engine_enqueue(engine, …) for every worm created in it, then
//   anl_engine_step(engine)
//   anl_engine_destroy(engine)
//
// The engine is deterministic: the same calls give the same flits. anl_engine_step() allocates
// nothing. One thread at a time may use an engine; separate engines share nothing but a network.
//
// With another kind the engine is a machine of that kind behind the same functions; the header of
// the kind says what a cycle is there (annelid/<kind>_machine.h).

#ifndef ANNELID_ENGINE_H
#define ANNELID_ENGINE_H

#include <annelid/base.h>
#include <annelid/network.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct anl_engine;

// Makes an engine on a network, in reset state (seed 0, cycle 0). The engine only reads the
// network, which engines in any threads may share and which must outlive them. On success *engine
// is the caller's, who frees it with anl_engine_destroy(). ANL_ERR_MEMORY: *engine is NULL.
enum anl_status anl_engine_create_on(const struct anl_network *network, struct anl_engine **engine);

// Makes an engine with a network of its own. ANL_ERR_ARGUMENT (config refused) or ANL_ERR_MEMORY:
// *engine is NULL.
enum anl_status anl_engine_create(const struct anl_config *config, struct anl_engine **engine);

// Makes an engine for one part of a network, in which other engines have the other parts
// (docs/scale.md): the switches whose part_of is `part`, and the terminals at them. It knows
// switches, links, terminals and worms by their numbers in the network. part_of has an element for
// each switch and is not needed any more afterwards; NULL: all of the network is in the part.
// ANL_ERR_ARGUMENT: such a network cannot be cut, or the part has no switch; *error says why.
// ANL_ERR_MEMORY. *engine is then NULL.
enum anl_status anl_engine_create_part(const struct anl_network *network, const uint32_t *part_of,
                                       uint32_t part, struct anl_engine **engine,
                                       struct anl_error *error);

// Which part each switch and each terminal is in.
struct anl_parts {
    const uint32_t *of_switch;    // as part_of
    const uint32_t *of_terminal;  // an element for each terminal; NULL: as those of their switches
};
// Does the same where terminals may be in parts of their own, without a switch. Nobody makes an
// engine of such a part: the caller writes its messages, with the flits that come from these
// terminals and the credits that they give (docs/clocks.md has a use). With two stages `part` has
// all switches; its messages tell flits and credits when they are granted, a cycle before they
// cross their links, and the recorded flits are those that stay inside. ANL_ERR_ARGUMENT also: a
// terminal is in a part that has other switches, or the network cannot be cut at terminals.
enum anl_status anl_engine_create_inside(const struct anl_network *network,
                                         const struct anl_parts *parts, uint32_t part,
                                         struct anl_engine **engine, struct anl_error *error);

// Frees the engine, which may be NULL.
void anl_engine_destroy(struct anl_engine *engine);

// Empties the network, sets cycle and worm ids back to 0, and seeds the generators of the switches.
void anl_engine_reset(struct anl_engine *engine, uint64_t seed);

// Appends a worm that is created in the current cycle to the source queue of terminal `source`, of
// class 0 and role plain. *id receives its number (id may be NULL). ANL_ERR_ARGUMENT: a terminal is
// out of range, length is 0 or is more than anl_longest_worm(), or 2^32 - 1 worms were enqueued
// since reset; with another kind also what the model of that kind refuses. ANL_ERR_MEMORY. On
// failure nothing has changed.
enum anl_status anl_engine_enqueue(struct anl_engine *engine, uint32_t source, uint32_t destination,
                                   uint16_t length, uint32_t *id);

// Does the same for a worm that may have a class, a role, and a route of its own: source,
// destination, length, class_, role, has_path, path, route, route_length and dependencies of *worm
// are read; the last ones are only kept. The ports of its route must stay until it is delivered.
// ANL_ERR_ARGUMENT also: there is no such class or role, or the route is refused
// (anl_own_route_check()).
enum anl_status anl_engine_enqueue_worm(struct anl_engine *engine, const struct anl_worm *worm,
                                        uint32_t *id);

// Does the same for a worm that somebody else's terminal has kept up to now: it was created in the
// cycle worm->created, of which the arbiter age compares the lowest 16 bits. Kind buffered alone
// reads it.
enum anl_status anl_engine_enqueue_created(struct anl_engine *engine, const struct anl_worm *worm,
                                           uint32_t *id);

// Runs one cycle. A part that has peers goes through a cycle by the functions below instead.
void anl_engine_step(struct anl_engine *engine);

// --- the cycle of a part ---
//
// All parts are told of all worms by anl_engine_enqueue_worm(), in the same order; each gives them
// the same numbers and keeps those of its own terminals. Or it is told of those of its own
// terminals alone, and by anl_engine_number() which numbers they have. In each cycle then
//
//   anl_engine_decide(engine)
//   as long as anl_engine_asks(engine) of some part:
//     send its messages to its peers
//     anl_engine_take(engine, …)    for the message of each peer, once it is there
//     anl_engine_decide_on(engine)
//   anl_engine_tell(engine)         all is decided, and its messages are complete: send them
//   anl_engine_move(engine)         meanwhile, what is decided happens
//   anl_engine_take(engine, …)
//   anl_engine_end(engine)          what the messages say happens
//
// Only with credit bypass does a part ask: the messages then say which flits leave the lanes at
// the ends of links from the peers, whose space these may use in the same cycle.
//
// Totals, recorded flits and delivered worms are those of the part, so together the parts have what
// the whole network has. A part is idle if nothing is in it; a message may end that.

// A flit or a credit that crosses the cut.
struct anl_crossing {
    uint32_t link;       // number of the link among those in its direction between the two parts,
                         // ascending by their numbers in the network
    uint8_t vc;          // the lane at the end of the link
    uint8_t head, tail;  // 1: the flit is one; 0, 0 of a credit
    uint8_t zero;
};

// What a part tells another in a cycle. The struct is followed by the worms whose heads are among
// the flits, in their order, by the flits, and by the credits of the links that lead back. Pointers
// in the worms are good only in the process of the sender.
struct anl_border {
    uint64_t cycle;
    uint64_t links;  // hash of the links between the two, as the sender sees them
    uint64_t told;   // flits and credits that the sender has told in all messages before
    uint32_t num_worms, num_flits, num_credits;
    uint32_t round;  // messages of this cycle before it
};
// Return the first worm, flit and credit that follow a message.
struct anl_worm *anl_border_worms(const struct anl_border *border);
struct anl_crossing *anl_border_flits(const struct anl_border *border);
struct anl_crossing *anl_border_credits(const struct anl_border *border);
// Returns the bytes of a message with what follows it.
size_t anl_border_bytes(const struct anl_border *border);

// Another part to which links lead, or from which they come.
struct anl_peer {
    uint32_t part;
    const struct anl_border *message;  // to it, the one to be sent; the engine's, who writes the
                                       // next one when messages of all peers were taken
    size_t most_bytes;                 // of a message from it
};
// Returns how many peers a part has; a peer by its index, ascending by part.
uint32_t anl_engine_num_peers(const struct anl_engine *engine);
struct anl_peer anl_engine_peer(const struct anl_engine *engine, uint32_t index);

// Returns what the message from a peer must begin with in the current cycle, for a caller who
// writes it in the place of the peer; it says of no worms, flits and credits.
struct anl_border anl_engine_expects(const struct anl_engine *engine, uint32_t index);

// Says which number the worm has that a part is told of next; those that follow count on from it.
void anl_engine_number(struct anl_engine *engine, uint32_t id);

// Begins a cycle, and decides what hangs on no message of it.
void anl_engine_decide(struct anl_engine *engine);
// Returns whether this part has decided in vain unless peers hear of the space that it has made, or
// does not decide before it has heard of theirs. With registered credits no part ever asks; with
// chained shared links all parts ask equally often, so one of them need not ask the others.
bool anl_engine_asks(const struct anl_engine *engine);
// Decides what hangs on the messages that were taken. ANL_ERR_ARGUMENT: that of a peer was not.
enum anl_status anl_engine_decide_on(struct anl_engine *engine);
// Completes the messages to all peers, once all is decided.
void anl_engine_tell(struct anl_engine *engine);
// Carries out what the part has decided, while messages are on their way.
void anl_engine_move(struct anl_engine *engine);
// Takes the message of a peer, which must stay until anl_engine_decide_on() or anl_engine_end().
// ANL_ERR_ARGUMENT: it does not fit what was told before, or to the cut; *error says what is wrong.
enum anl_status anl_engine_take(struct anl_engine *engine, uint32_t index,
                                const struct anl_border *border, struct anl_error *error);
// Ends the cycle. ANL_ERR_ARGUMENT: the message of a peer was not taken; ANL_ERR_MEMORY. The engine
// can then only be reset or destroyed.
enum anl_status anl_engine_end(struct anl_engine *engine);

// Says how many flits a worm has of which a peer did not know it when the head came: its message
// had length ANL_MAX_WORM_LENGTH, and the flow control is wormhole. Called behind anl_engine_end()
// of the cycle in which the tail came; tail is that flit, with the index of the peer.
void anl_engine_end_worm(struct anl_engine *engine, uint32_t index, struct anl_crossing tail,
                         uint16_t length);

// Returns true if no flit is in the network and no worm waits at its source. Until the next worm is
// enqueued a step then changes nothing but the number of the cycle.
bool anl_engine_idle(const struct anl_engine *engine);

// Goes to `cycle` at once, as if by steps. ANL_ERR_ARGUMENT: the engine is not idle or is past that
// cycle.
enum anl_status anl_engine_skip(struct anl_engine *engine, uint64_t cycle);

// Returns the number of cycles since reset, which is the number of the cycle that the next step
// runs.
uint64_t anl_engine_cycle(const struct anl_engine *engine);

// Switches the recording of flits on or off; it is off in a new engine. What the network does is
// not affected.
void anl_engine_record(struct anl_engine *engine, bool on);

// Says that of the recorded flits only heads are read: others may then be left out, which is
// faster. It is off in a new engine.
void anl_engine_record_heads(struct anl_engine *engine, bool only);

// Returns the flits that crossed a link in the last step, ascending by link and lane; none if
// recording is off. They are owned by the engine and valid until the next step or reset.
const struct anl_flit *anl_engine_flits(const struct anl_engine *engine, size_t *count);

// Returns the worms delivered in the last step, ascending by destination, and those of one terminal
// by lane, whether recording is on or not. They are owned by the engine and valid until the next
// step or reset.
const struct anl_worm *anl_engine_delivered(const struct anl_engine *engine, size_t *count);

// Returns the worms whose tails the sinks of the terminals take in the current cycle, which the
// next step runs, ascending by terminal and class; none if reply_queue of the configuration is 0.
// They are owned by the engine and valid until the next step or reset.
const struct anl_worm *anl_engine_taken(const struct anl_engine *engine, size_t *count);

// Returns a worm that was enqueued and is not yet delivered or was delivered in the last step;
// otherwise NULL. Where terminals can refuse (reply_queue of the configuration is not 0) a worm is
// known until its tail has been taken. The pointer is valid until the next worm is enqueued, step
// or reset. Of a part it returns NULL.
const struct anl_worm *anl_engine_worm(const struct anl_engine *engine, uint32_t id);

struct anl_engine_totals {
    uint64_t enqueued;       // worms enqueued since reset
    uint64_t delivered;      // worms delivered
    uint64_t discarded;      // worms discarded: kind discarding alone
    uint64_t failed;         // worms that failed on their way and went on: kind diagonals alone
    uint64_t flit_hops;      // flits that crossed a link, injection and ejection links too
    uint64_t ejected_flits;  // flits that crossed an ejection link
    uint64_t in_network;     // flits in lanes now, ejection lanes too, and on links
    uint64_t queued;         // worms whose tail has not left the source queue
    uint64_t moved;          // flits that crossed a link in the last step
    uint64_t taken;          // flits that terminals took out of their lanes in the last step
};
// Returns the totals as they stand at the start of the current cycle.
struct anl_engine_totals anl_engine_totals(const struct anl_engine *engine);

// Returns whether a switch without buffers has raised a fault, and writes the first one to text,
// cut at size - 1 bytes. Kind buffered has no faults.
bool anl_engine_fault(const struct anl_engine *engine, char *text, size_t size);

// The architectural state of docs/switch.md, "State that is compared". The arrays have one element
// per (switch, port, lane), (switch, port), (switch) and (terminal, lane), in that order of
// indices. The layout of bytes is fixed because the RTL probe packs the same.
struct anl_lane_state {
    uint8_t count, bound, bound_port, bound_vc;   // of the input lane
    uint8_t credit, owned, owner_port, owner_vc;  // of the output lane of that port and number
};
struct anl_port_state {
    uint8_t in_ptr, out_ptr;  // in_ptr is 0 with several classes of messages
};
struct anl_terminal_lane_state {
    uint8_t count;   // flits in the ejection lane
    uint8_t credit;  // of the injection lane
    uint8_t bound;   // 1: the worm being injected is bound to it
    uint8_t zero;    // always 0
};
// With several classes of messages: the scan over classes of an input port or an injection link.
struct anl_favour_state {
    uint8_t class_, quota;  // the favoured class and its quota; 0, 0 with one class
};
// Where terminals can refuse: what the sink of a class shows in the current cycle. With reply_queue
// 0 all fields are 0.
struct anl_sink_state {
    uint32_t worm;    // id of the worm of the flit that it shows; 0 if it shows none
    uint16_t index;   // of this flit in its worm
    uint8_t vc;       // the lane in which the flit stands
    uint8_t shows;    // 1: it shows a flit
    uint8_t refuses;  // 1: it does not take this flit in the current cycle
};
struct anl_state {
    struct anl_lane_state *lanes;                    // switches * ports * num_vcs
    struct anl_port_state *ports;                    // switches * ports
    uint32_t *random;                                // switches
    struct anl_terminal_lane_state *terminal_lanes;  // terminals * num_vcs
    // Each of these may be NULL, and is not filled then.
    uint8_t *in_ptrs;  // switches * ports * classes: in_ptr of each class of an input port
    struct anl_favour_state *favours;     // switches * ports: of the input ports
    struct anl_favour_state *injections;  // terminals: of the injection links
    struct anl_sink_state *sinks;         // terminals * classes
    uint16_t *reservations;               // terminals: those for replies that are taken
};
// Fills the caller's arrays with the state at the start of the current cycle. Kind buffered alone
// has this state. Of a part the arrays have its own switches and terminals, ascending.
void anl_engine_state(const struct anl_engine *engine, struct anl_state *state);
// The same, in less time if little moves, for arrays with the state at the start of the cycle
// before.
void anl_engine_state_again(const struct anl_engine *engine, struct anl_state *state);

// Kinds whose worms are sent in loads (ANL_TRAIT_LOADS): the way of a worm in one.
struct anl_ride {
    uint64_t start;     // the cycle in which its batch begins
    uint32_t worm;      // id
    uint32_t from, to;  // nodes
};
// Returns the load that begins in the next cycle, ascending by start and worm, if all worms of the
// current cycle have been enqueued; none if no load begins then. They are owned by the engine and
// valid until the next step or reset. ANL_ERR_MEMORY: *count is 0.
enum anl_status anl_engine_rides(struct anl_engine *engine, const struct anl_ride **rides,
                                 size_t *count);

// Makes the engine visit its switches in a random order, taken from order_seed; 0 restores the
// ascending order, which kind bufferless always keeps. No result may depend on the order; tests use
// this to prove it. ANL_ERR_MEMORY: nothing has changed.
enum anl_status anl_engine_shuffle(struct anl_engine *engine, uint64_t order_seed);

// --- state that another engine goes on from ---
//
// The state of a network between two cycles is in items (docs/checkpoint.md), which do not depend
// on how the network is cut: an engine packs those of its part, and one with any other part unpacks
// its own ones. Only kind buffered has items.
//
//   anl_engine_resume(engine, …)
//   anl_engine_pack(engine, …)       for each item that the engine has, in any order
//   anl_engine_resumed(engine, …)

enum anl_item {
    ANL_ITEM_SWITCH,  // a switch: its lanes and ports
    ANL_ITEM_SOURCE,  // the source queues of a terminal, and its injection link
    ANL_ITEM_SINK,    // the ejection lanes of a terminal
    ANL_ITEMS
};
// Returns whether an item is in this part; number is that of a switch or a terminal.
bool anl_engine_has(const struct anl_engine *engine, enum anl_item item, uint32_t number);
// Packs or unpacks an item that the engine has. ANL_ERR_MEMORY; what makes no sense is noted in
// *pack.
enum anl_status anl_engine_pack(struct anl_engine *engine, enum anl_item item, uint32_t number,
                                struct anl_pack *pack);

// Begins a network that has run: resets the engine with this seed and goes to `cycle`. totals are
// those of the whole network; of all parts one counts on from them.
void anl_engine_resume(struct anl_engine *engine, uint64_t seed, uint64_t cycle,
                       const struct anl_engine_totals *totals, bool counts);
// Ends it, when all items are unpacked. tie() gives each worm that is known the pointers that it
// had, and may be NULL. ANL_ERR_FORMAT: the items contradict each other.
enum anl_status anl_engine_resumed(struct anl_engine *engine, anl_tie *tie, void *user);

#ifdef __cplusplus
}
#endif

#endif
