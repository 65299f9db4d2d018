// SPDX-License-Identifier: Apache-2.0
//
// State of a network, shared by the net_*.c. Private to the engine.
//
// Ports are numbered switch * P + port: the input port of that number and the link that leaves by
// it share one struct port, so that a switch decides from what is its own. Behind them stand the
// terminals: network_links + t is the injection link of terminal t, and the port at which it
// receives its ejection link.
//
// A flit is not stored. Lanes hold whole worms one behind the other, so a count of flits, the index
// of the one at the front and the worms in their order say all.

#ifndef ANL_NET_INTERNAL_H
#define ANL_NET_INTERNAL_H

#include <annelid/engine.h>
#include <annelid/network.h>
#include <stdbool.h>

#define NO_WORM UINT32_MAX
#define ALWAYS_INLINE static inline __attribute__((always_inline))

// An input lane and what its front flit wants.
struct lane {
    uint32_t worm;    // at the front
    uint16_t index;   // of the front flit in its worm, or of the next one to come
    uint16_t length;  // of the worm
    uint16_t rank;    // of the worm: what the scan compares
    uint16_t needs;   // one of these bits of port.open: it may go then
    uint8_t output;   // port by which it goes (of a head that may choose: the first)
    uint8_t count;    // flits
    uint8_t first;    // place of the front worm in the ring
    uint8_t num_worms;
};

// The input port and the output port of one number. What is known of the lanes at the other end of
// the link is kept here, at the sender's, as credits are.
struct port {
    uint32_t to;        // input port at the end of the link; ANL_NO_PORT: no link
    uint32_t requests;  // mask: input ports that offer to this output; 0 between cycles
    uint8_t number;     // of this port in its switch
    uint8_t occupied;   // input: lanes that hold a flit
    uint8_t in_ptr;
    uint8_t offered;  // input: the lane offered in this cycle
    uint16_t open;  // output: credit_bit() of lanes that have a credit, free_bit() of those of them
                    // that no worm owns
    uint8_t owned;  // output: lanes that belong to a worm
    uint8_t out_ptr;
};

// Bits of port.open and lane.needs. A bound worm needs a credit of its lane, a head one that is
// free.
static inline uint16_t credit_bits(uint32_t vcs) { return (uint16_t)vcs; }
static inline uint16_t free_bits(uint32_t vcs) { return (uint16_t)(vcs << ANL_MAX_VCS); }
static inline uint32_t lanes_of_bits(uint32_t bits) { return (bits | bits >> ANL_MAX_VCS) & 0xff; }

// What the head of a worm carries: all that lanes have to know of it.
struct head {
    uint32_t label;  // of its destination; in a fat-tree the destination
    uint16_t length;
    uint16_t rank;
};

// A worm from its offer to its delivery. The tables are indexed by id modulo their size.
struct record {
    struct anl_worm worm;
    uint32_t next;  // behind it in the source queue
    bool live;
};

// The two ends of a terminal's source queue, and the worm at its front as far as it is sent.
struct source {
    uint32_t front, back;  // ids, NO_WORM if empty
    uint16_t length;       // of the front worm
    uint16_t sent;         // flits of it that have left
    uint8_t vc;            // lane it is bound to, when sent > 0
};

// A source has no port, nor anything before it.
struct move {
    uint32_t port;    // input port it leaves
    uint32_t before;  // link that ends there
    uint32_t link;    // link it crosses
    uint32_t to;      // input port it enters
    uint8_t from_vc;  // lane it leaves
    uint8_t to_vc;    // lane it enters
};

// A lane of a terminal that holds a flit.
struct ejection {
    uint32_t port;
    uint8_t vc;
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

struct anl_engine {
    struct anl_config config;
    struct anl_shape shape;
    uint32_t network_links;  // switches * ports: the links behind these are injection links
    uint64_t inverse;        // of ports, in units of 2^-40: see switch_of()
    uint32_t directions;     // ports of a switch per dimension
    uint8_t all_vcs;         // mask
    uint32_t up;  // mask: the first of two ports between which heads choose in every cycle anew; 0:
                  // they never do
    bool plain;   // admission wormhole: lane.needs and port.open say who may go
    bool large;   // more than the caches hold

    // Constant tables.
    uint32_t *from;        // [input ports of switches] the link that ends there; NULL if links come
                           // in pairs: then it begins where the link of the same number ends
    uint32_t *labels;      // cubes: [switches] coordinates, packed
    uint32_t label_width;  // bits of a coordinate
    struct hop *hop;       // cubes: [k * k]
    struct stand *stands;  // fat-tree: [switches]
    uint32_t level_begin[ANL_MAX_DIMENSIONS + 2];  // fat-tree: first switch of a level, 1 … n + 1

    // State of ports, lanes, switches, terminals.
    struct port *ports;  // [links]
    struct lane *lanes;  // [links * V]
    uint32_t
        *worms_in;     // [network links * V * depth] per lane: a ring of the worms behind the front
    uint8_t *tails;    // [network links * V] tails in the lane; NULL unless store_and_forward
    uint32_t *random;  // [switches]; NULL unless a policy draws
    uint64_t
        *sampling;   // bit per switch: draws in this cycle, as it holds a flit; NULL like random
    uint64_t *busy;  // bit per port: may hold a flit (it does, if it is occupied too)
    struct source *sources;
    uint64_t *pending;  // bit per terminal: its source queue is not empty

    // Worms.
    struct record *worms;
    struct head *heads;
    uint32_t worms_mask;
    uint32_t next_id;

    // The cycle at work, and what the last one did.
    uint64_t seed;
    uint64_t cycle;
    uint64_t *wanted;  // bit per link: it has requests; none between cycles
    struct move *moves;
    uint8_t *leaving;  // [links] space chained, else NULL: lanes of an input port whose front
                       // leaves in this cycle as decided so far
    struct anl_flit *flits;
    struct anl_worm *delivered;
    struct ejection *ejecting, *ejected;  // at terminals now; there in the next cycle
    size_t num_moves, num_injections, num_flits, num_delivered, num_ejecting, num_ejected;
    bool record;
    uint32_t *order;  // shuffled order of switches, NULL: ascending
    struct anl_engine_totals totals;
};

static inline struct record *record_of(const struct anl_engine *net, uint32_t id)
{
    return &net->worms[id & net->worms_mask];
}

static inline struct head *head_of(const struct anl_engine *net, uint32_t id)
{
    return &net->heads[id & net->worms_mask];
}

static inline struct lane *lane_of(const struct anl_engine *net, uint32_t port, uint32_t vc)
{
    return &net->lanes[(size_t)port * net->config.num_vcs + vc];
}

// Switch of a port. The product exceeds the quotient by less than 2^-15.
static inline uint32_t switch_of(const struct anl_engine *net, uint32_t port)
{
    return (uint32_t)(port * net->inverse >> 40);
}

// Where a lane keeps its worm at position 1 (behind the front) … num_worms - 1, or the next to
// come.
static inline uint32_t *worm_in(const struct anl_engine *net, const struct lane *lane,
                                uint32_t position)
{
    const uint32_t depth = net->config.depth;
    uint32_t place = lane->first + position;
    if (place >= depth) place -= depth;
    return &net->worms_in[(size_t)(lane - net->lanes) * depth + place];
}

// The worm at the front of a lane holds an output lane.
static inline bool is_bound(const struct lane *lane)
{
    return (lane->needs & credit_bits(0xff)) != 0;
}

// A number of a lane, of which the compiler is told that it is 0 if there is only one.
static inline uint32_t vc_of(const struct anl_engine *net, uint32_t vc)
{
    return net->config.num_vcs == 1 ? 0 : vc;
}

// Lowest set bit; mask is not 0.
static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

static inline uint32_t lowest64(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask); }

// Lowest set bit at or after start, cyclic; mask is not 0.
static inline uint32_t first_from(uint32_t mask, uint32_t start)
{
    const uint32_t above = mask >> start << start;
    return lowest(above ? above : mask);
}

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

// Those of the bits of word w of a set that are in begin … end - 1.
static inline uint64_t bits_between(const uint64_t *words, uint32_t w, uint32_t begin, uint32_t end)
{
    const uint32_t first = w * 64;
    uint64_t bits = words[w];
    if (!bits) return 0;
    if (begin > first) bits &= UINT64_MAX << (begin - first);
    return end - first < 64 ? bits & ~(UINT64_MAX << (end - first)) : bits;
}

// The loops of a cycle work on a local copy of the net, of which the compiler knows that nothing
// they store can change it. For the common cubes there is a copy in which it also finds, as
// constants, what is so in all of them, and makes of the same source loops that are fit for them.
static inline bool is_common(const struct anl_engine *net)
{
    return net->plain && !net->large && !net->stands && !net->from &&
           net->config.scan == ANL_ROTATING;
}

ALWAYS_INLINE struct anl_engine known_common(const struct anl_engine *net, uint32_t num_vcs)
{
    struct anl_engine known = *net;
    known.config.num_vcs = num_vcs;
    known.config.admission = ANL_WORMHOLE;
    known.config.scan = ANL_ROTATING;
    known.up = 0;
    known.from = NULL;
    known.stands = NULL;
    known.tails = NULL;
    known.random = NULL;
    known.leaving = NULL;
    known.plain = true;
    known.large = false;
    return known;
}

// net_routes.c: the constant tables.
bool net_allocate_tables(struct anl_engine *net);
void net_fill_tables(struct anl_engine *net);

// A head has come to the front of a lane of port: find its way.
void net_see_head(const struct anl_engine *net, uint32_t port, struct lane *lane);

// net_decide.c: lists the moves of this cycle; changes nothing else that a decision reads (but see
// leaving).
void net_decide(struct anl_engine *net);

#endif
