// SPDX-License-Identifier: Apache-2.0
//
// State of the engine, private to this room. Its files follow a flit: enqueue.c puts its worm at
// the source, decide.c arbitrates (rules 2 to 5 of docs/switch.md), commit.c moves it and routes
// (rules 6, 1), wide.c does both where links are wide, sinks.c takes it where terminals can refuse,
// slices.c lets it be on its way for several cycles, part.c hands it to another part of the
// network, cut.c says which links lead there, state.c shows what is compared with the RTL, and
// pack.c packs what another engine goes on from. State that is added here is packed there.
//
// Port numbers are switch * P + port. The input port with a number and the link that leaves by the
// output port with the same number share one struct port, so a switch decides from its own state
// alone. The terminals follow: number switch_links + t is the injection link of terminal t and the
// port at which it receives its ejection link. The gates follow: in a part of a network a gate
// stands for the other end of a link that leaves the part, or enters it, or of a pair of both;
// where something comes later than in the next cycle, a link begins with one (slices.c).
//
// Flits are not stored one by one. A lane holds whole worms one behind the other, so the count of
// its flits, the index of its front flit and the order of its worms describe it.

#ifndef ANL_ENGINE_ROOM_H
#define ANL_ENGINE_ROOM_H

#include "network/network.h"

#include <annelid/engine.h>
#include <stdbool.h>

#define NO_WORM UINT32_MAX
#define ALWAYS_INLINE static inline __attribute__((always_inline))

// An input lane: its front flit, and the output lanes that this flit may enter.
struct lane {
    uint32_t worm;    // id of the worm at the front
    uint16_t index;   // of the front flit in its worm, or of the next flit to arrive
    uint16_t length;  // of the worm
    uint16_t rank;    // of the worm: the stamp or distance that arbiters compare
    uint16_t set;     // output lanes: credit_bits() of the one that the worm is bound to, or
                      // free_bits() of those that the route of its head allows; 0 if the head
                      // selects
    uint8_t output;   // output port; of a head that may use two ports the lower one
    uint8_t count;    // flits
    uint8_t first;    // slot of the front worm in the ring of worms
    uint8_t num_worms;
};

// The input port and the output port with one number. What a sender knows of the lanes at the other
// end of its link stands here, as credits do.
struct port {
    uint32_t to;          // input port at the end of the link; ANL_NO_PORT: no link
    uint32_t requests;    // output: mask of the input ports that offer to it; 0 between cycles
    uint8_t number;       // of this port in its switch
    uint8_t occupied;     // input: mask of the lanes that hold a flit
    uint8_t in_ptr;       // with one class of messages; with several see in_ptrs
    uint8_t offered;      // input: the lane offered in this cycle
    uint16_t has_credit;  // output: credit_bits() of the lanes with a credit, and free_bits() of
                          // those of them that no worm owns
    uint8_t owned;        // output: mask of the lanes that a worm owns
    uint8_t out_ptr;
};

// Bits of lane.set and port.has_credit. A flit can enter the lanes whose bits are set in both: a
// bound worm needs a credit of its lane, a head also needs the lane to be free.
static inline uint16_t credit_bits(uint32_t vcs) { return (uint16_t)vcs; }
static inline uint16_t free_bits(uint32_t vcs) { return (uint16_t)(vcs << ANL_MAX_VCS); }
static inline uint32_t lanes_of_bits(uint32_t bits) { return (bits | bits >> ANL_MAX_VCS) & 0xff; }

// Gives a sender the credit of one flit.
ALWAYS_INLINE void return_credit(struct port *port, uint32_t vc)
{
    const uint32_t bit = 1u << vc;
    port->has_credit |= credit_bits(bit) | free_bits(bit & ~(uint32_t)port->owned);
}

// What the head of a worm carries, as far as lanes need it.
struct head {
    uint32_t label;  // of its destination, like network_head.label
    uint16_t length;
    uint16_t rank;
};

// A worm from its creation to its delivery. Tables of worms are indexed by id modulo their size.
struct record {
    struct anl_worm worm;
    uint32_t next;  // id of the worm behind it in the source queue
    bool live;
    uint8_t slot;  // of its run in a batch
};

// The two ends of a source queue of a terminal, which has one for each class of messages, and how
// many flits of its front worm have been sent.
struct source {
    uint32_t front, back;  // ids, NO_WORM if empty
    uint16_t length;       // of the front worm
    uint16_t sent;         // flits of it that have left the source
    uint8_t vc;            // lane that it is bound to if sent > 0
    uint8_t vcs;           // mask of the lanes that it may take
};

// A flit that crosses a link in this cycle. An injected flit leaves no port: it sets link, to and
// to_vc alone.
struct move {
    uint32_t port;    // input port that it leaves
    uint32_t before;  // link that ends there
    uint32_t link;    // link that it crosses
    uint32_t to;      // input port that it enters
    uint8_t from_vc;  // lane that it leaves
    uint8_t to_vc;    // lane that it enters
    bool first;       // wide links: of the heads that the output port grants in this cycle
};

// A lane of a terminal that holds a flit.
struct ejection {
    uint32_t port;
    uint8_t vc;
};

// The scan over classes of an input port or an injection link: the favoured class and its quota.
struct favour {
    uint8_t class_, quota;
};

enum { NO_LANE = 0xff };
enum { FIRST_WORMS = 1024 };  // initial size of the tables of worms

struct part;            // part.h
struct sinks;           // sinks.h
struct wide;            // wide.h
struct orders;          // order.h
struct slices;          // slices.c
struct engine_machine;  // machine.h

struct anl_engine {
    const struct anl_network *network;
    struct anl_network *own;               // the same network if the engine has made it, else NULL
    const struct engine_machine *machine;  // NULL: kind buffered
    void *of_machine;                      // what a machine of another kind keeps, and frees
    struct part *part;                     // NULL: the engine has the whole network
    struct anl_batch *batch;               // of which this is the run in a slot; else NULL
    uint32_t slot;
    struct anl_config config;  // copies of what the network says
    struct anl_shape shape;    // of the part; its links are those with the gates
    uint32_t switch_links;
    const uint32_t *from;
    uint32_t choice;  // mask with the lower of the two ports between which heads choose; 0: heads
                      // have no choice
    bool greedy;      // heads with a choice ask both ports, not one that the random state selects

    uint32_t classes;      // of messages, at least 1
    uint32_t class_lanes;  // lanes that each of them has of a link

    uint64_t inverse;            // of the number of ports, in units of 2^-40; see switch_of()
    uint8_t all_vcs;             // mask of all lanes
    const uint32_t *tier_begin;  // as in struct anl_network, of the part
    bool large;                  // the state does not fit into the caches
    bool scattered;              // ejection links are not in the order of their terminals
    unsigned variant;  // index of the loops of a cycle that this engine uses, see VARIANTS

    // State of ports, lanes, switches, terminals.
    struct port *ports;  // [links]
    struct lane *lanes;  // [links * V]
    uint32_t *worms_in;  // [switch_links * V * depth] for each lane a ring of the worms behind the
                         // front one; [links * V * depth] if terminals can refuse
    uint8_t *tails;      // [switch_links * V] tails in each lane; NULL unless store_and_forward
    struct anl_route *options;  // [switch_links * V] the options of the head at the front of each
                                // lane; NULL: heads do not select
    uint8_t *asked;      // [switch_links] where heads select: the lanes that the flit offered by an
                         // input port may enter; from offer to grant
    uint32_t *random;    // [switches]; NULL unless a policy reads it
    uint64_t *sampling;  // bit per switch: it holds a flit, so its generator steps in this cycle;
                         // NULL if random is NULL
    uint64_t *busy;  // bit per port: set if it holds a flit, cleared some time after it is empty
    struct source *sources;  // [terminals * classes]
    uint64_t *pending;       // bit per terminal: some source queue of it is not empty
    struct favour *favours;  // [links] of the input ports, then of the injection links; NULL: there
                             // is one class
    uint8_t *in_ptrs;        // [switch_links * classes] in_ptr of each class; NULL: there is one
    struct sinks *sinks;     // NULL: terminals take what comes
    struct wide *wide;       // NULL: the lanes of a link share it
    struct slices *slices;   // NULL: links take one cycle, and switches have one stage
    struct orders *orders;   // NULL: the arbiter keeps no order

    // Worms.
    struct record *worms;
    struct head *heads;
    uint32_t worms_mask;
    uint32_t next_id;  // by which the tables know the next worm: its id, unless this is a part

    // The cycle in progress, and the results of the last cycle.
    uint64_t seed;
    uint64_t cycle;
    uint64_t *wanted;  // bit per link: it has requests; all 0 between cycles
    struct move *moves;
    uint8_t *leaving;  // [links] mask of the lanes of an input port whose front flit leaves in this
                       // cycle, as far as decided; NULL without credit bypass
    struct anl_flit *flits;
    struct anl_worm *delivered;
    struct ejection *ejecting, *ejected;  // to be taken by terminals in this cycle, or as soon as
                                          // they may; arrived at terminals in this cycle
    size_t num_moves, num_injections, num_flits, num_delivered, num_ejecting, num_ejected;
    bool record, only_heads;
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

// Returns the link that ends at an input port, or the ejection link of a terminal.
ALWAYS_INLINE uint32_t link_into(const struct anl_engine *engine, uint32_t port)
{
    return engine->from ? engine->from[port] : engine->ports[port].to;
}

// Returns the switch of a port. The product exceeds the quotient by less than 2^-15.
static inline uint32_t switch_of(const struct anl_engine *engine, uint32_t port)
{
    return (uint32_t)(port * engine->inverse >> 40);
}

// Returns whether a port is that of a terminal, where an ejection link ends.
static inline bool is_terminal(const struct anl_engine *engine, uint32_t port)
{
    return port - engine->switch_links < engine->shape.terminals;
}

static inline bool has_stages(const struct anl_engine *engine) { return engine->config.stages > 1; }

// Returns the number of the first gate.
static inline uint32_t first_gate(const struct anl_engine *engine)
{
    return engine->switch_links + engine->shape.terminals;
}

// Returns where a lane keeps its worm at a position: 1 (behind the front) … num_worms - 1, or
// num_worms for the next worm to arrive.
static inline uint32_t *worm_in(const struct anl_engine *engine, const struct lane *lane,
                                uint32_t position)
{
    const uint32_t depth = engine->config.depth;
    uint32_t slot = lane->first + position;
    if (slot >= depth) slot -= depth;
    return &engine->worms_in[(size_t)(lane - engine->lanes) * depth + slot];
}

// Returns the first lane of the class of a lane, which is the constant 0 for the compiler if there
// is only one class.
ALWAYS_INLINE uint32_t first_lane(const struct anl_engine *engine, uint32_t vc)
{
    return engine->favours ? vc / engine->class_lanes * engine->class_lanes : 0;
}

// Return and set in_ptr of the class of a lane.
ALWAYS_INLINE uint32_t engine_in_ptr(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    if (!engine->favours) return engine->ports[port].in_ptr;
    return engine->in_ptrs[(size_t)port * engine->classes + vc / engine->class_lanes];
}

ALWAYS_INLINE void engine_set_in_ptr(const struct anl_engine *engine, uint32_t port, uint32_t vc,
                                     uint32_t in_ptr)
{
    if (engine->favours)
        engine->in_ptrs[(size_t)port * engine->classes + vc / engine->class_lanes] =
            (uint8_t)in_ptr;
    else
        engine->ports[port].in_ptr = (uint8_t)in_ptr;
}

// Returns the source of the class of a lane.
ALWAYS_INLINE struct source *source_of(const struct anl_engine *engine, uint32_t terminal,
                                       uint32_t vc)
{
    const uint32_t class_ = engine->favours ? vc / engine->class_lanes : 0;
    return &engine->sources[(size_t)terminal * engine->classes + class_];
}

// Returns true if the worm at the front of a lane owns an output lane.
static inline bool is_bound(const struct lane *lane)
{
    return (lane->set & credit_bits(0xff)) != 0;
}

// Returns the number of a lane, which is the constant 0 for the compiler if there is only one lane.
static inline uint32_t vc_of(const struct anl_engine *engine, uint32_t vc)
{
    return engine->config.num_vcs == 1 ? 0 : vc;
}

// Returns the number of the lowest set bit; mask is not 0.
static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// Returns the lowest set bit at or after start, cyclically; mask is not 0.
ALWAYS_INLINE uint32_t first_cyclic(uint32_t mask, uint32_t start)
{
    const uint32_t above = mask >> start << start;
    return lowest(above ? above : mask);
}

static inline uint32_t lowest64(uint64_t mask) { return (uint32_t)__builtin_ctzll(mask); }

static inline void set_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void clear_bit(uint64_t *words, uint32_t bit)
{
    words[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

// Returns the bits of word w of a set that lie in begin … end - 1.
static inline uint64_t bits_between(const uint64_t *words, uint32_t w, uint32_t begin, uint32_t end)
{
    const uint32_t first = w * 64;
    uint64_t bits = words[w];
    if (!bits) return 0;
    if (begin > first) bits &= UINT64_MAX << (begin - first);
    return end - first < 64 ? bits & ~(UINT64_MAX << (end - first)) : bits;
}

// Returns how many input lanes a switch has: the candidates for a lane of a wide link.
static inline uint32_t candidates(const struct anl_engine *engine)
{
    return engine->shape.ports * engine->config.num_vcs;
}

// --- what the rules 2 to 5 read, for all kinds of links ---

// Returns the flits in a lane of an input port. Where links are chained, a flit that leaves in this
// cycle is not counted any more by the switches that decide later.
ALWAYS_INLINE uint32_t flits_in(const struct anl_engine *engine, uint32_t port, uint32_t vc)
{
    const uint32_t count = lane_of(engine, port, vc)->count;
    return engine->leaving ? count - ((uint32_t)engine->leaving[port] >> vc & 1) : count;
}

// Returns the mask of the lanes at the end of a link whose credits are all with the sender: those
// in which flits_in() counts no flit.
ALWAYS_INLINE uint32_t all_credits(const struct anl_engine *engine, uint32_t link)
{
    const uint32_t port = engine->ports[link].to;
    uint32_t empty = ~(uint32_t)engine->ports[port].occupied;
    for (uint32_t rest = engine->leaving ? engine->leaving[port] : 0; rest; rest &= rest - 1)
        if (flits_in(engine, port, lowest(rest)) == 0) empty |= rest & -rest;
    return empty;
}

// Returns port.has_credit of a link. Where links are chained, the credit of a flit that leaves in
// this cycle already counts for the switches that decide later.
ALWAYS_INLINE uint32_t has_credit(const struct anl_engine *engine, uint32_t link)
{
    const struct port *out = &engine->ports[link];
    if (!engine->leaving) return out->has_credit;
    const uint32_t credits = (out->has_credit & credit_bits(0xff)) | engine->leaving[out->to];
    return credit_bits(credits) | (uint32_t)free_bits(credits & ~(uint32_t)out->owned);
}

// Returns those of the lanes vcs at the end of a link that have as much room as the flow control
// policy demands for a worm of this length.
ALWAYS_INLINE uint32_t admit(const struct anl_engine *engine, uint32_t link, uint32_t vcs,
                             uint32_t length)
{
    if (engine->config.flow_control == ANL_WORMHOLE) return vcs;
    const uint32_t port = engine->ports[link].to;
    for (uint32_t rest = vcs; rest; rest &= rest - 1) {
        const uint32_t vc = lowest(rest);
        if (engine->config.depth - flits_in(engine, port, vc) < length) vcs &= ~(1u << vc);
    }
    return vcs;
}

// Returns the lanes of a link that the front flit of a lane can enter in this cycle, as bits of
// lane.set or, for an admitted head, as a mask; 0: none.
ALWAYS_INLINE uint32_t can_enter(const struct anl_engine *engine, uint32_t link,
                                 const struct lane *lane)
{
    const uint32_t can = lane->set & has_credit(engine, link);
    if (engine->config.flow_control == ANL_WORMHOLE || is_bound(lane)) return can;
    if (engine->tails && engine->tails[lane - engine->lanes] == 0) return 0;
    return admit(engine, link, lanes_of_bits(can), lane->length);
}

// Returns the mask of the ports that heads with a choice at this input port ask for in this cycle.
ALWAYS_INLINE uint32_t chosen_ports(const struct anl_engine *engine, uint32_t input,
                                    uint32_t random)
{
    return engine->greedy ? 3 * engine->choice : engine->choice << (random >> input & 1);
}

// Returns the mask of the output ports that the front flit of a lane asks for, whether it can leave
// or not.
ALWAYS_INLINE uint32_t wanted_ports(const struct anl_engine *engine, const struct lane *lane,
                                    uint32_t chosen)
{
    const uint32_t one = 1u << lane->output;
    return ((one == engine->choice) & !is_bound(lane)) ? chosen : one;
}

// Returns those of the wanted ports by which the flit can leave. first is the number of the
// switch's first port.
ALWAYS_INLINE uint32_t open_ports(const struct anl_engine *engine, uint32_t first,
                                  const struct lane *lane, uint32_t chosen)
{
    uint32_t open = wanted_ports(engine, lane, chosen);
    for (uint32_t rest = open; rest; rest &= rest - 1)
        if (!can_enter(engine, first + lowest(rest), lane)) open &= ~(rest & -rest);
    return open;
}

// Rule 5: of the lanes vcs (not 0) of a link, returns the lowest empty one or, if none is empty,
// the lowest.
ALWAYS_INLINE uint32_t vc_select(const struct anl_engine *engine, uint32_t link, uint32_t vcs)
{
    const uint32_t empty = vcs & all_credits(engine, link);
    return lowest(empty ? empty : vcs);
}

// Stamps are compared modulo 2^16.
ALWAYS_INLINE bool is_older(uint16_t a, uint16_t b) { return (uint16_t)(a - b) >> 15; }

// Returns where a random arbiter of `count` candidates begins; byte holds 8 random bits.
ALWAYS_INLINE uint32_t random_start(uint32_t byte, uint32_t count)
{
    return (byte & 0xff) * count >> 8;
}

// Returns the random state of a switch that holds a flit; its generator steps at the end of the
// cycle.
ALWAYS_INLINE uint32_t sample(const struct anl_engine *engine, uint32_t switch_)
{
    set_bit(engine->sampling, switch_);
    return engine->random[switch_];
}

// The loops of a cycle read a local copy of the engine, called known, which the compiler can see is
// never written. Each variant is the same source, compiled once with some fields of the copy set to
// constants: VARIANT(name, condition under which it fits, assignments). An engine uses the first
// variant that fits it. All variants give the same flits; they differ in speed alone.
#define VARIANTS(VARIANT)                                                                          \
    VARIANT(paired_1, is_paired(engine, 1), KNOW_PAIRED(1))                                        \
    VARIANT(paired_2, is_paired(engine, 2), KNOW_PAIRED(2))                                        \
    VARIANT(paired_4, is_paired(engine, 4), KNOW_PAIRED(4))                                        \
    VARIANT(single, is_single(engine), KNOW_SINGLE)                                                \
    VARIANT(one_port, is_one_port(engine) && scans_simply(engine), KNOW_ONE_PORT)                  \
    VARIANT(select, engine->options &&scans_simply(engine), KNOW_SELECT)                           \
    VARIANT(wide, engine->wide, KNOW_WIDE)                                                         \
    VARIANT(one_class, !engine->favours && !engine->wide, KNOW_ONE_CLASS)                          \
    VARIANT(any, true, (void)known)

enum {
#define COUNT_VARIANT(name, fits, know) VARIANT_##name,
    VARIANTS(COUNT_VARIANT) NUM_VARIANTS
#undef COUNT_VARIANT
};

#define KNOW_LANES(V) known.config.num_vcs = (V), known.class_lanes = (V)
#define KNOW_ONE_CLASS_ANY_LINK known.favours = NULL, known.class_lanes = known.config.num_vcs
#define KNOW_ONE_CLASS KNOW_ONE_CLASS_ANY_LINK, known.wide = NULL
#define KNOW_WIDE KNOW_ONE_CLASS_ANY_LINK, known.leaving = NULL, known.options = NULL
#define KNOW_PLAIN KNOW_ONE_CLASS, known.orders = NULL
#define KNOW_ONE_PORT KNOW_PLAIN, known.choice = 0, known.leaving = NULL, known.options = NULL
#define KNOW_SELECT KNOW_PLAIN, known.choice = 0, known.leaving = NULL
#define KNOW_WORMHOLE known.config.flow_control = ANL_WORMHOLE, known.tails = NULL
#define KNOW_SMALL_AND_PAIRED known.large = false, known.from = NULL
#define KNOW_ROUND_ROBIN known.config.arbiter = ANL_ROUND_ROBIN, known.random = NULL
#define KNOW_PAIRED(V)                                                                             \
    KNOW_ONE_PORT, KNOW_WORMHOLE, KNOW_SMALL_AND_PAIRED, KNOW_ROUND_ROBIN, KNOW_LANES(V)
#define KNOW_SINGLE                                                                                \
    KNOW_PLAIN, KNOW_WORMHOLE, KNOW_SMALL_AND_PAIRED, known.greedy = false, known.options = NULL,  \
                                                      KNOW_LANES(1)

static inline bool scans_simply(const struct anl_engine *engine)
{
    return !engine->favours && !engine->orders;
}

static inline bool is_one_port(const struct anl_engine *engine)
{
    return !engine->choice && !engine->leaving && !engine->options && !engine->wide;
}

static inline bool is_small_and_paired(const struct anl_engine *engine)
{
    return engine->config.flow_control == ANL_WORMHOLE && !engine->large && !engine->from &&
           !engine->options && scans_simply(engine) && !engine->wide;
}

static inline bool is_paired(const struct anl_engine *engine, uint32_t num_vcs)
{
    return is_small_and_paired(engine) && engine->config.arbiter == ANL_ROUND_ROBIN &&
           !engine->random && !engine->choice && !engine->leaving &&
           engine->config.num_vcs == num_vcs;
}

static inline bool is_single(const struct anl_engine *engine)
{
    return is_small_and_paired(engine) && !engine->greedy && engine->config.num_vcs == 1;
}

// Returns whether a variant fits the engine (engine.c).
bool engine_fits(const struct anl_engine *engine, unsigned variant);

// Returns a worm that is created now and gets this id.
ALWAYS_INLINE struct anl_worm new_worm_of(const struct anl_engine *engine,
                                          const struct anl_worm *new_worm, uint32_t id)
{
    struct anl_worm worm = *new_worm;
    worm.id = id;
    worm.created = engine->cycle;
    worm.path = anl_path_of(&engine->config, engine->seed, &worm);
    return worm;
}

// Allocates the tables of worms, at first of so many (a power of two); returns false if memory runs
// out (enqueue.c).
bool engine_make_room_for_worms(struct anl_engine *engine, uint32_t count);
// Notes a worm in these tables, by the number *known. ANL_ERR_MEMORY: nothing has changed.
enum anl_status engine_note_worm(struct anl_engine *engine, const struct anl_worm *worm,
                                 uint32_t *known);
// Notes a worm by its id, of an engine with the whole network that resumes.
enum anl_status engine_note_again(struct anl_engine *engine, const struct anl_worm *worm);
// Ranks all worms again, whose routes are known now, and the lanes at whose fronts they are.
void engine_rank_again(struct anl_engine *engine);
// Appends a worm that is noted to the source queue of a terminal and a class.
void engine_queue_worm(struct anl_engine *engine, uint32_t terminal, uint32_t class_,
                       uint32_t known);

// A flit of another part enters the lane at the end of its link; worm is NULL unless it is a head
// (commit.c).
void engine_enter(const struct anl_engine *engine, const struct move *move, const uint32_t *worm,
                  bool tail);
// A flit comes to a terminal over a link that begins with a gate (commit.c).
void engine_eject(struct anl_engine *engine, const struct move *move, uint32_t worm, bool head,
                  bool tail);
// Rule 1: looks up where a head goes that has come to the front of a lane (commit.c).
void engine_see_head(const struct anl_engine *engine, uint32_t port, uint32_t vc);
// A flit has left a lane of another part, which a gate stands for (commit.c).
void engine_leave_gate(const struct anl_engine *engine, uint32_t gate, uint32_t vc);

// Packs a worm that the tables know by a number, or notes it (pack.c).
enum anl_status engine_pack_worm(struct anl_engine *engine, uint32_t *known, struct anl_pack *pack);

// Notes of a source what its front worm needs: its length and its lanes (enqueue.c).
void engine_show_worm(const struct anl_engine *engine, struct source *source);

// Lists the moves of this cycle (decide.c). It changes no lane and no credit; only the field
// leaving, and scratch fields of ports, go from one decision to the next.
void engine_decide(struct anl_engine *engine);
// The pieces of it: forgets the moves of the cycle before; lists those out of the switches of one
// of the tiers, which decide from the last one to the first; and those of terminals.
void engine_forget_moves(struct anl_engine *engine);
uint32_t engine_num_tiers(const struct anl_engine *engine);
void engine_decide_tier(struct anl_engine *engine, uint32_t tier);
void engine_decide_sources(struct anl_engine *engine);

#endif
