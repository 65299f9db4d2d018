// SPDX-License-Identifier: Apache-2.0
//
// State of a network, shared by net.c (life, offers, questions), net_decide.c and net_step.c (the
// cycle). Private to the engine.
//
// Input ports are numbered switch * P + port, and behind them S * P + t is the port at which
// terminal t receives its ejection link: a link ends at one port, whatever is there. The credits of
// an output lane are depth minus the flits in the lane at the other end, so they are not stored.

#ifndef ANL_NET_INTERNAL_H
#define ANL_NET_INTERNAL_H

#include <annelid/net.h>
#include <annelid/topology.h>
#include <stdbool.h>

#define NO_WORM UINT32_MAX

// A flit in a lane.
struct stored {
    uint32_t worm;
    uint16_t index;
    bool tail;
};

// An input lane and what its front flit wants.
struct lane {
    uint8_t count;
    uint8_t first;  // position of the front flit in the ring
    uint8_t port;   // output port: of the route of a head (the first, if there are two), of the
                    // binding of the others
    uint8_t vcs;    // set of output lanes a head may take
    uint8_t vc;     // output lane, when bound
    bool bound;     // the worm at the front holds an output lane
    uint16_t rank;  // of the worm at the front
};

// A worm from its offer to its delivery; the table is indexed by id modulo its size.
struct record {
    struct anl_worm worm;
    uint32_t next;  // behind it in the source queue
    uint16_t rank;  // what the scan compares: stamp or distance
    bool live;
};

// The two ends of a terminal's source queue, and the worm at its front as far as it is sent.
struct source {
    uint32_t front, back;  // ids, NO_WORM if empty
    uint16_t sent;         // flits of the front worm that have left
    uint8_t vc;            // lane it is bound to, when sent > 0
};

// input, output: ports of the switch. A move out of a source has only link and to_vc.
struct move {
    uint32_t port;  // input port it leaves
    uint32_t link;  // link it crosses
    uint8_t input, output;
    uint8_t from_vc;  // lane it leaves
    uint8_t to_vc;    // lane it enters
};

// Where a head goes that has to get from coordinate c to t of one dimension.
struct hop {
    uint8_t direction;
    uint8_t vcs;
};

// The terminals t below a switch of a fat-tree are those with t >> width == subtree.
struct stand {
    uint32_t subtree;
    uint8_t width;  // 2 * level
};

struct anl_net {
    struct anl_config config;
    struct anl_shape shape;
    uint32_t network_links;  // switches * ports: the links behind these are injection links
    uint32_t directions;     // ports of a switch per dimension
    uint32_t switch_words, terminal_words;  // of bit sets
    uint8_t all_vcs;                        // mask
    uint32_t up;  // mask: the first of two ports between which heads choose in every cycle anew; 0:
                  // they never do

    // Constant tables.
    uint32_t *link_port;   // [links] input port at the end; ANL_NO_PORT: no link
    uint32_t *switch_of;   // [network links] switch of an input port
    uint16_t *coordinate;  // cubes: [switches * n]
    struct hop *hop;       // cubes: [k * k]
    struct stand *stands;  // fat-tree: [switches]

    // State of lanes, ports, links, switches, terminals.
    struct lane *lanes;     // [input ports * V]
    struct stored *stored;  // [input ports * V * depth]
    uint8_t *tails;         // [input ports * V] tails in the lane; NULL unless store_and_forward
    uint8_t *occupied;      // [input ports] lanes that hold a flit
    uint8_t *full;          // [input ports] lanes that hold depth flits
    uint8_t *owned;         // [links] output lanes that belong to a worm
    uint8_t *owner;         // [links * V] input port * 8 + lane of the owner, when owned
    uint8_t *in_ptr;        // [network links]
    uint8_t *out_ptr;       // [network links]
    uint32_t *random;       // [switches]; NULL unless a policy draws
    uint32_t *busy_ports;   // [switches] input ports that hold a flit
    uint64_t *active;       // bit per switch: holds a flit
    struct source *sources;
    uint64_t *pending;  // bit per terminal: its source queue is not empty

    // Worms.
    struct record *worms;
    uint32_t worms_mask;
    uint32_t next_id;

    // The cycle at work, and what the last one did.
    uint64_t seed;
    uint64_t cycle;
    struct move *moves;
    uint8_t *leaving;  // [input ports] space chained, else NULL: lanes whose front leaves in this
                       // cycle as decided so far
    struct anl_flit *flits;
    struct anl_worm *delivered;
    uint32_t *ejecting, *ejected;  // terminals that hold a flit now; that will in the next cycle
    size_t num_moves, num_flits, num_delivered, num_ejecting, num_ejected;
    bool record;
    uint32_t *order;  // shuffled order of switches, NULL: ascending
    struct anl_net_totals totals;
};

static inline struct record *record_of(const struct anl_net *net, uint32_t id)
{
    return &net->worms[id & net->worms_mask];
}

static inline struct lane *lane_of(const struct anl_net *net, uint32_t port, uint32_t vc)
{
    return &net->lanes[(size_t)port * net->config.num_vcs + vc];
}

// Flit at position 0 (front) … count - 1 of a lane, or the free place behind it.
static inline struct stored *stored_at(const struct anl_net *net, const struct lane *lane,
                                       uint32_t position)
{
    const uint32_t depth = net->config.depth;
    uint32_t place = lane->first + position;
    if (place >= depth) place -= depth;
    return &net->stored[(size_t)(lane - net->lanes) * depth + place];
}

// Lowest set bit; mask is not 0.
static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static inline bool test_bit(const uint64_t *words, uint32_t bit)
{
    return words[bit / 64] >> bit % 64 & 1;
}

// Lists the moves of this cycle; changes nothing else that a decision reads (but see leaving).
void net_decide(struct anl_net *net);

#endif
