// SPDX-License-Identifier: Apache-2.0
//
// State of the engine. Private to this room, whose files follow a flit: offer.c puts its worm at
// the source, decide.c arbitrates (rules 1 to 5 of docs/switch.md), commit.c moves it (rule 6),
// state.c shows what is compared with the RTL.
//
// Ports are numbered switch * P + port: the input port of that number and the link that leaves by
// the output port of that number share one struct port, so a switch decides from what is its own.
// Behind them stand the terminals: switch_links + t is the injection link of terminal t, and the
// port at which it receives its ejection link.
//
// A flit is not stored. A lane holds whole worms one behind the other, so it is described by a
// count of flits, the index of the flit at its front, and its worms in their order.

#ifndef ANL_ENGINE_ROOM_H
#define ANL_ENGINE_ROOM_H

#include "network/network.h"

#include <annelid/engine.h>
#include <stdbool.h>

#define NO_WORM UINT32_MAX
#define ALWAYS_INLINE static inline __attribute__((always_inline))

// An input lane: its front flit, and the output lanes that this flit may enter.
struct lane {
    uint32_t worm;    // at the front
    uint16_t index;   // of the front flit in its worm, or of the next flit to come
    uint16_t length;  // of the worm
    uint16_t rank;    // of the worm: the stamp or distance that arbiters compare
    uint16_t set;     // output lanes: credit_bits() of the one that the worm is bound to, or
                      // free_bits() of those that the route of its head allows
    uint8_t output;   // port to which it goes; of a head with a choice the lower one
    uint8_t count;    // flits
    uint8_t first;    // where the ring of worms has the front one
    uint8_t num_worms;
};

// The input port and the output port of one number. The state of the lanes at the other end of the
// link is kept here, at the sender, as credits are.
struct port {
    uint32_t to;        // input port at the end of the link; ANL_NO_PORT: no link
    uint32_t requests;  // output: input ports that offer to it (mask); 0 between cycles
    uint8_t number;     // of this port in its switch
    uint8_t occupied;   // input: lanes that hold a flit
    uint8_t in_ptr;
    uint8_t offered;      // input: the lane offered in this cycle
    uint16_t has_credit;  // output: credit_bits() of lanes with a credit, free_bits() of those of
                          // them that no worm owns
    uint8_t owned;        // output: lanes that a worm owns
    uint8_t out_ptr;
};

// Bits of lane.set and port.has_credit: a flit can enter the lanes of their common bits. A bound
// worm needs a credit of its lane, a head needs a lane that is free as well.
static inline uint16_t credit_bits(uint32_t vcs) { return (uint16_t)vcs; }
static inline uint16_t free_bits(uint32_t vcs) { return (uint16_t)(vcs << ANL_MAX_VCS); }
static inline uint32_t lanes_of_bits(uint32_t bits) { return (bits | bits >> ANL_MAX_VCS) & 0xff; }

// What the head of a worm carries: all that lanes have to know of it.
struct head {
    uint32_t label;  // of its destination, as network_head.label
    uint16_t length;
    uint16_t rank;
};

// A worm from its offer to its delivery. The tables are indexed by id modulo their size.
struct record {
    struct anl_worm worm;
    uint32_t next;  // behind it in the source queue
    bool live;
};

// The two ends of a terminal's source queue, and how far the worm at its front has been sent.
struct source {
    uint32_t front, back;  // ids, NO_WORM if empty
    uint16_t length;       // of the front worm
    uint16_t sent;         // flits of it that have left
    uint8_t vc;            // lane that it is bound to, when sent > 0
};

// A flit that crosses a link in this cycle. An injected flit leaves no port.
struct move {
    uint32_t port;    // input port that it leaves
    uint32_t before;  // link that ends there
    uint32_t link;    // link that it crosses
    uint32_t to;      // input port that it enters
    uint8_t from_vc;  // lane that it leaves
    uint8_t to_vc;    // lane that it enters
};

// A lane of a terminal that holds a flit.
struct ejection {
    uint32_t port;
    uint8_t vc;
};

struct anl_engine {
    const struct anl_network *network;
    struct anl_network *own;   // the same if the engine has made it itself, else NULL
    struct anl_config config;  // copies of what the network says
    struct anl_shape shape;
    uint32_t switch_links;
    const uint32_t *from;
    uint32_t choice;  // mask: the lower of the two ports between which heads choose; 0: none do
    bool greedy;      // such heads ask both ports, not one that the random state names

    uint64_t inverse;  // of the number of ports, in units of 2^-40: see switch_of()
    uint8_t all_vcs;   // mask
    bool large;        // more than the caches hold
    unsigned variant;  // of the loops of a cycle, see VARIANTS

    // State of ports, lanes, switches, terminals.
    struct port *ports;  // [links]
    struct lane *lanes;  // [links * V]
    uint32_t *worms_in;  // [switch links * V * depth] of each lane: a ring of the worms behind the
                         // front one
    uint8_t *tails;      // [switch links * V] tails in the lane; NULL unless store_and_forward
    uint32_t *random;    // [switches]; NULL unless a policy reads it
    uint64_t *sampling;  // bit per switch: steps its generator in this cycle, as it holds a flit;
                         // NULL like random
    uint64_t *busy;      // bit per port: may hold a flit (it does if it is occupied, too)
    struct source *sources;
    uint64_t *pending;  // bit per terminal: its source queue is not empty

    // Worms.
    struct record *worms;
    struct head *heads;
    uint32_t worms_mask;
    uint32_t next_id;

    // The cycle at work, and what the last cycle did.
    uint64_t seed;
    uint64_t cycle;
    uint64_t *wanted;  // bit per link: it has requests; none between cycles
    struct move *moves;
    uint8_t *leaving;  // [links] space chained, else NULL: lanes of an input port whose front flit
                       // leaves in this cycle, as far as decided
    struct anl_flit *flits;
    struct anl_worm *delivered;
    struct ejection *ejecting, *ejected;  // at terminals now; there in the next cycle
    size_t num_moves, num_injections, num_flits, num_delivered, num_ejecting, num_ejected;
    bool record;
    uint32_t *order;  // shuffled order of switches; NULL: ascending
    struct anl_engine_totals totals;
};

static inline struct record *record_of(const struct anl_engine *engine, uint32_t id)
{
    return &engine->worms[id & engine->worms_mask];
}

static inline struct head *head_of(const struct anl_engine *engine, uint32_t id)
{
    return &engine->heads[id & engine->worms_mask];
}

static inline struct lane *lane_of(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    return &engine->lanes[(size_t)port * engine->config.num_vcs + vc];
}

// Switch of a port. The product exceeds the quotient by less than 2^-15.
static inline uint32_t switch_of(const struct anl_engine *engine, uint32_t port)
{
    return (uint32_t)(port * engine->inverse >> 40);
}

// Where a lane keeps its worm at position 1 (behind the front) … num_worms - 1, or the next to
// come.
static inline uint32_t *worm_in(const struct anl_engine *engine, const struct lane *lane,
                                uint32_t position)
{
    const uint32_t depth = engine->config.depth;
    uint32_t slot = lane->first + position;
    if (slot >= depth) slot -= depth;
    return &engine->worms_in[(size_t)(lane - engine->lanes) * depth + slot];
}

// The worm at the front of a lane owns an output lane.
static inline bool is_bound(const struct lane *lane)
{
    return (lane->set & credit_bits(0xff)) != 0;
}

// The number of a lane, which the compiler can see is 0 if there is only one.
static inline uint32_t vc_of(const struct anl_engine *engine, uint32_t vc)
{
    return engine->config.num_vcs == 1 ? 0 : vc;
}

// Lowest set bit; mask is not 0.
static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

static inline uint32_t lowest64(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask); }

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

// Those bits of word w of a set that are in begin … end - 1.
static inline uint64_t bits_between(const uint64_t *words, uint32_t w, uint32_t begin, uint32_t end)
{
    const uint32_t first = w * 64;
    uint64_t bits = words[w];
    if (!bits) return 0;
    if (begin > first) bits &= UINT64_MAX << (begin - first);
    return end - first < 64 ? bits & ~(UINT64_MAX << (end - first)) : bits;
}

// The loops of a cycle work on a local copy of the engine, called known, of which the compiler sees
// that nothing they store can change it. Each variant is the same source compiled once with some
// fields of the copy set to constants. An engine uses the first variant that fits it: VARIANT(name,
// when it fits, what it sets). All must give the same flits; they differ in speed alone.
#define VARIANTS(VARIANT)                                                                          \
    VARIANT(paired_1, is_paired(engine, 1), KNOW_PAIRED(1))                                        \
    VARIANT(paired_2, is_paired(engine, 2), KNOW_PAIRED(2))                                        \
    VARIANT(paired_4, is_paired(engine, 4), KNOW_PAIRED(4))                                        \
    VARIANT(single, is_single(engine), KNOW_SINGLE)                                                \
    VARIANT(one_port, !engine->choice && !engine->leaving, KNOW_ONE_PORT)                          \
    VARIANT(any, true, (void)known)

enum {
#define COUNT_VARIANT(name, fits, know) VARIANT_##name,
    VARIANTS(COUNT_VARIANT) NUM_VARIANTS
#undef COUNT_VARIANT
};

#define KNOW_LANES(V) known.config.num_vcs = (V)
#define KNOW_ONE_PORT known.choice = 0, known.leaving = NULL
#define KNOW_WORMHOLE known.config.admission = ANL_WORMHOLE, known.tails = NULL
#define KNOW_SMALL_AND_PAIRED known.large = false, known.from = NULL
#define KNOW_ROTATING known.config.scan = ANL_ROTATING, known.random = NULL
#define KNOW_PAIRED(V)                                                                             \
    KNOW_ONE_PORT, KNOW_WORMHOLE, KNOW_SMALL_AND_PAIRED, KNOW_ROTATING, KNOW_LANES(V)
#define KNOW_SINGLE KNOW_WORMHOLE, KNOW_SMALL_AND_PAIRED, known.greedy = false, KNOW_LANES(1)

static inline bool is_small_and_paired(const struct anl_engine *engine)
{
    return engine->config.admission == ANL_WORMHOLE && !engine->large && !engine->from;
}

static inline bool is_paired(const struct anl_engine *engine, uint32_t num_vcs)
{
    return is_small_and_paired(engine) && engine->config.scan == ANL_ROTATING && !engine->random &&
           !engine->choice && !engine->leaving && engine->config.num_vcs == num_vcs;
}

static inline bool is_single(const struct anl_engine *engine)
{
    return is_small_and_paired(engine) && !engine->greedy && engine->config.num_vcs == 1;
}

// engine.c: whether a variant fits the engine.
bool engine_fits(const struct anl_engine *engine, unsigned variant);

// offer.c: room for the first worms; false: no memory.
bool engine_make_room_for_worms(struct anl_engine *engine);

// decide.c: lists the moves of this cycle; changes nothing else that a decision reads (but see
// leaving).
void engine_decide(struct anl_engine *engine);

#endif
