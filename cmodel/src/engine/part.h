// SPDX-License-Identifier: Apache-2.0
//
// A part of a network (docs/scale.md): its gates, its peers, and the messages between them (cut.c,
// part.c).

#ifndef ANL_ENGINE_PART_H
#define ANL_ENGINE_PART_H

#include "engine.h"

#define NO_PEER UINT32_MAX

// Another part of the network that is at the other end of some links. Links have the numbers here
// that they have among those of their direction between the two parts, ascending by their number in
// the network.
struct peer {
    uint32_t part;
    uint32_t num_out, num_in;        // links to the peer, and from it
    uint32_t *out, *in;              // the port numbers of their gates
    uint64_t out_links, in_links;    // hashes of their numbers in the network
    uint64_t told, heard;            // flits and credits, in all cycles before
    struct anl_border *message;      // to the peer; room for the largest one
    const struct anl_border *taken;  // from the peer, in this cycle; NULL: not yet
};

struct gate {
    uint32_t to, from;  // indices of the peer to which its link leads, and of that from which one
                        // comes; NO_PEER: there is none, or the link is inside the part
    uint32_t out, in;   // numbers of the links to and from these peers
    bool to_terminal, from_terminal;  // the link ends, or begins, at a terminal there
};

// A part of a network (docs/scale.md). Its switches and terminals have numbers of their own,
// ascending as those of the network do, and so have its worms in all tables of worms.
struct part {
    uint32_t *switches;   // [switches] their numbers in the network
    uint32_t *terminals;  // [terminals] the same: those with a link in this part
    uint32_t *to, *from;  // [links] as in struct anl_network; NULL once ports know it
    struct gate *gates;   // [num_gates]
    struct peer *peers;   // [num_peers] ascending by part
    uint32_t *touching;   // indices of the moves of this cycle that leave the part or return a
                          // credit to another one
    uint32_t num_gates, num_peers;
    uint32_t tier_begin[NETWORK_MAX_TIERS + 1];  // as in struct anl_network
    uint32_t tier;       // with credit bypass: the tier that has decided last
    uint32_t round;      // messages to each peer in this cycle before the one that is next
    size_t shown;        // moves of this cycle of which earlier messages have told the space
    bool tells;          // the messages of this round tell of some space
    uint32_t next_worm;  // id of the next worm of the network
    uint32_t flits_in, flits_out;  // of this cycle, over all gates
};

// Returns the number that a switch has in the network.
static inline uint32_t network_switch(const struct anl_engine *engine, uint32_t switch_)
{
    return engine->part ? engine->part->switches[switch_] : switch_;
}

// Return whether a port is a gate whose link leads to another part, and whether a link comes from
// another part by a gate.
static inline bool leads_out(const struct anl_engine *engine, uint32_t port)
{
    return port >= first_gate(engine) && engine->part &&
           engine->part->gates[port - first_gate(engine)].to != NO_PEER;
}

static inline bool comes_in(const struct anl_engine *engine, uint32_t link)
{
    return link >= first_gate(engine) && engine->part &&
           engine->part->gates[link - first_gate(engine)].from != NO_PEER;
}

// Returns whether a link that ends at a port, or at a gate, leads to a terminal.
static inline bool leads_to_terminal(const struct anl_engine *engine, uint32_t port)
{
    return is_terminal(engine, port) ||
           (leads_out(engine, port) && engine->part->gates[port - first_gate(engine)].to_terminal);
}

// A part of a network (cut.c, part.c). Makes the part of an engine of which only the copy of the
// network is filled, which becomes that of the part. ANL_ERR_ARGUMENT, ANL_ERR_MEMORY: what was
// made is freed with the engine.
enum anl_status engine_make_part(struct anl_engine *engine, const struct anl_parts *parts,
                                 uint32_t part, struct anl_error *error);
void engine_free_part(struct anl_engine *engine);
// Frees what only says what the ports know by now.
void engine_forget_wires(struct anl_engine *engine);
void engine_reset_part(struct anl_engine *engine);
// Return the number in the part of a switch of the network, of a terminal that sends from here, and
// of one that receives here; ANL_NO_PORT: the part has it not.
uint32_t engine_own_switch(const struct anl_engine *engine, uint32_t switch_);
uint32_t engine_own_source(const struct anl_engine *engine, uint32_t terminal);
uint32_t engine_own_sink(const struct anl_engine *engine, uint32_t terminal);
// Tells the recorded flits by the numbers that links and worms have in the network.
void engine_name_flits(struct anl_engine *engine);
// Returns the bytes of the largest message over so many links, beside so many that lead back.
size_t engine_largest_message(const struct anl_engine *engine, uint32_t links, uint32_t back);
// With credit bypass: writes the messages to the peers about the space that the moves make
// which were listed since the messages before.
void engine_tell_space(struct anl_engine *engine);
// Lets the space of the messages of this round count. ANL_ERR_ARGUMENT: one was not taken.
enum anl_status engine_hear_space(struct anl_engine *engine);
// Writes the messages to the peers about all moves that are listed.
void engine_tell_peers(struct anl_engine *engine);
// Lets the flits and credits of the messages of this cycle come in. ANL_ERR_ARGUMENT: one was not
// taken; ANL_ERR_MEMORY.
enum anl_status engine_hear_peers(struct anl_engine *engine);

#endif
