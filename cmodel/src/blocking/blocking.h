// SPDX-License-Identifier: Apache-2.0
//
// State of a blocking analysis, shared by the files of this room: blocking.c (feeds one cycle after
// the other), buffers.c (where flits lie), check.c (which flits are possible), worms.c (worms by
// number), waits.c (who waits for whom), sinks.c
// (what terminals take), lives.c (what each worm does), dead.c (which worms can
// never move), text.c (texts).
//
// The state is the one at the start of this cycle. The moves of this cycle are kept beside it and
// are carried out when the next cycle is fed, so a cycle that cannot be true can be undone
// completely.
//
// A worm at a sender of its source, or past it, has a slot: a small number, reused after its
// delivery, by which buffers and waits refer to it. A source has one sender, at the front of its
// queue, or one for each lane of a wide injection link.

#ifndef ANL_BLOCKING_ROOM_H
#define ANL_BLOCKING_ROOM_H

#include <annelid/blocking.h>
#include <stdbool.h>

#define NONE ANL_NOTHING

// A link. It ends at one input port, so its number is also that port's number.
struct blocking_link {
    uint32_t end;    // switch at the end; TO_TERMINAL; NONE: there is no such link
    uint32_t port;   // input port of that switch at which it ends
    uint32_t heads;  // number of worms whose heads crossed it
    uint16_t owned;  // mask of its lanes that are owned
    uint16_t full;   // mask of its lanes without a credit that can be used in this cycle
};

// A line, the wires for one flit a cycle: a shared link has one, a wide link one for each lane.
struct blocking_line {
    uint32_t crossed;  // buffer whose flit crossed it last
    uint32_t round;    // when it did
};

// The way from a blocked buffer to a front flit that moves. It is found when somebody asks for it.
struct blocking_way {
    uint32_t known;         // round in which the way was found
    uint32_t distance;      // number of buffers to the front that moves; NONE: there is none
    uint32_t next;          // buffer for which this one waits; NONE
    uint32_t root_blocker;  // id of the worm that moves at the end; NONE
};

// A lane, or a sender of the source of a terminal. wants, wanted and set stay after the front flit
// has left, as long as its worm is bound.
//
// A lane holds runs of flits, each of one worm. A run lasts from the entry of the worm's head until
// its tail leaves, so the last run may have no flits in the lane for a while. All runs but the
// first begin with their heads, and all but the last end with their tails, so it is enough to know
// their worms.
//
// Two links that are equally good (the up links of a fat-tree) have consecutive numbers, and so
// have the lanes at their ends: bit i of a set is lane wanted + i, of the first link or of the
// second.
//
// A head that selects one of several options (is_selecting()) wants the lanes of all of them, which
// stand beside the buffers. Then wants is the lowest of its links, wanted is lane 0 of the link of
// port 0 of the switch, and set is 0.
struct blocking_buffer {
    uint32_t front;   // slot; NONE: empty
    uint32_t owner;   // slot; NONE
    uint32_t feed;    // buffer from which the owner's flits come, if the lane is owned
    uint32_t wants;   // link that the front flit wants, of two the lower; NONE: its terminal
    uint32_t wanted;  // lane 0 of that link
    uint32_t link;    // at whose end the lane is; source: the number of links
    uint16_t index;   // of the front flit, or of the next flit of the worm to arrive
    uint16_t count;   // flits in the buffer; of a sender: flits of its worm
    uint16_t set;     // wanted lanes; a body flit wants one
    uint16_t moved;   // bit of the set to which the front moves; TAKEN: its terminal takes it;
                      // ARRIVES: it is in the first of two stages; STALLS: it does not move
    uint16_t cause;   // enum anl_wait of a front that does not move, once its way is found
    uint8_t vc;       // number of the lane, or of the sender
    uint8_t first_run, num_runs;
    uint8_t changes;  // what the cycle before brought, if switches have two stages: FREED, CAME
    bool ejection;    // lane at the end of an ejection link
    bool chained;     // a credit can be used in the cycle in which it returns, by heads too
    uint64_t since;   // cycle in which the front flit came to the front
    struct blocking_way way;
};
_Static_assert(sizeof(struct blocking_buffer) == 64, "a buffer is a line of the cache");
enum { STALLS = UINT16_MAX, TAKEN = UINT16_MAX - 1, ARRIVES = UINT16_MAX - 2 };

// Of a lane, with two stages: a flit left it in the cycle before, so that the credit is on its way;
// a flit came in the cycle before, and can cross no link in this one.
enum { FREED = 1, CAME = 2 };

struct blocking_move {
    uint32_t from;  // buffer
    uint32_t to;    // NONE: the terminal takes the flit out of its ejection lane
    uint32_t slot;
    uint16_t index;
    bool head, tail;
};

// A worm that was fed and has not left the network.
struct blocking_entry {
    struct anl_worm worm;  // length 0: the worm has left
    uint32_t next;         // id of the worm behind it in the source queue; NONE
    uint32_t slot;         // NONE: the worm is queued and has no sender, or is not yet created
};

// The entries of worms with neighbouring ids.
enum { PAGE_IDS = 64 };
struct blocking_page {
    uint32_t used;  // number of entries in use
    struct blocking_entry entries[PAGE_IDS];
};

// The worms of a terminal and class that have no sender yet.
struct blocking_queue {
    uint32_t front, back;  // ids; front NONE: empty
};

// A worm with a slot: the part that is read in every cycle.
struct blocking_worm {
    uint32_t id;
    uint32_t destination;
    uint32_t head_buffer;  // buffer of its head, or the ejection lane to which the head went
    uint32_t lead_buffer;  // buffer of its leading flit
    uint64_t since;        // first cycle in which it did what it does now (wait)
    uint16_t num_root_blockers;
    uint16_t length;
    uint16_t lead;  // index of the leading flit
    uint8_t wait;   // enum anl_wait
    bool stalls;    // it is in a stall
};
_Static_assert(64 % sizeof(struct blocking_worm) == 0, "a worm crosses no line of the cache");

// A worm lists its root blockers of the last cycles in which it had one, up to this number.
enum { MOST_ROOT_BLOCKERS = 128 };

// A worm with a slot: the part that is written now and then, with what happened before
// blocking_worm.since and the delays by earlier root blockers.
struct blocking_record {
    uint64_t cycles[ANL_WAITS];
    struct anl_stall stall, longest;
    uint64_t injected, delivered;
    uint32_t links;
    struct anl_delay *delays;  // ascending by worm
    size_t num_delays, room;
    uint32_t followed;  // round in which dead.c found out gets_away
    bool gets_away;
};

// A worm that does something else than in the cycle before.
struct blocking_change {
    uint32_t slot, wait;
};

// Lanes that one head may want.
enum { MOST_WANTED = ANL_MAX_PORTS * ANL_MAX_VCS };

// Where a head goes from a switch: link and set of lanes, as in blocking_buffer.
struct blocking_route {
    uint32_t link;
    uint16_t set;
};

// The best way of a head that wants a set of lanes beginning at one link. All heads that want the
// same set share it.
struct blocking_choice {
    uint16_t set;
    uint16_t cause;  // enum anl_wait
    struct blocking_way way;
};

// A buffer that a search has met, and the buffers for which it waits.
struct blocking_stop {
    uint32_t buffer, num_targets;
};

enum { GUESSES = 1024 };

// The moves of this cycle, and room for those of the next one. The moves by which terminals take
// flits come first (buffers.c, check.c).
struct blocking_moves {
    struct blocking_move *list, *fed;
    struct blocking_move *before;  // the moves of the cycle before
    uint64_t *left_since;          // [count] `since` of the buffers left, to undo the moves
    size_t count, num_fed;
    size_t num_before;  // 0 unless switches have two stages
    size_t num_taken, num_fed_taken;
    // Numbers of the moves of heads, of tails, and over ejection links.
    uint32_t *heads, *tails, *ejections;
    size_t num_heads, num_tails, num_ejections;
};

// Worms by number (worms.c).
struct blocking_ids {
    struct blocking_page **pages;  // of ids from first_page * PAGE_IDS on; NULL: all have left
    struct blocking_page *spare_page;
    uint32_t first_page, num_pages, room_pages;
    uint32_t guesses[GUESSES];  // slot of the worm that was activated last with id % GUESSES
};

// Lists of slots (worms.c). come, gone and fresh are filled as moves are carried out.
struct blocking_slots {
    uint32_t count, num_free;
    uint32_t *free;
    uint32_t *activated;  // given to worms in the cycle being fed
    uint32_t num_activated;
    uint32_t *come;  // worms whose heads came to their buffers in this cycle
    uint32_t num_come;
    uint32_t *gone;  // worms whose tails the terminals have taken
    uint32_t num_gone;
    uint32_t *fresh;  // first senders of the sources in which a sender has come free
    uint32_t num_fresh;
};

// What the active worms do, and who delays them (lives.c).
struct blocking_lives {
    uint32_t *rows[ANL_WAITS];  // active worms by what they do
    uint32_t in_row[ANL_WAITS];
    uint32_t *row_at;   // [slots] index of a waiting worm in its row; NONE: the worm is not active
    uint32_t *stopped;  // worms that moved in the cycle before and do not move in this one
    struct blocking_change *changes;
    uint32_t *root_blockers;  // [MOST_ROOT_BLOCKERS * slots.count]
    uint32_t *full;           // worms whose list of root blockers is full
    uint32_t num_full;
    struct anl_delay *delays;  // room for the delays of any one worm
    size_t room_delays;
};

// What the sinks of terminals show (sinks.c).
struct blocking_sink_state {
    uint16_t *reservations;  // [terminals] those that are taken
    uint8_t *shown;  // [num_sources] lane of which the sink of a terminal and class shows the
                     // front flit; NO_LANE
    bool *refuses;   // [num_sources] the sink does not take this flit
};

// Terminals that can refuse.
struct blocking_sinks {
    struct blocking_sink_state now;   // in this cycle
    struct blocking_sink_state next;  // in the cycle that is being fed
    bool changes;  // a sink begins to refuse in the cycle that is being fed, or a head has come to
                   // the lane of one that refuses
    uint32_t *ended;  // slots of the worms that were delivered in the cycle before
    uint32_t num_ended;
};

// The search for ways (waits.c).
struct blocking_search {
    struct blocking_choice *choices;  // [links] the best way found last at the link
    struct blocking_stop *stops;      // [buffers] the stops of the present search
    uint32_t *targets;                // [buffers * most_targets] what they wait for
    uint32_t most_targets;
    uint32_t *order;  // [buffers] index in stops; or the path of a walk
};

// The deadlock (dead.c).
struct blocking_deadlock {
    bool safe;            // no deadlock is possible
    uint64_t cycle;       // in which it closed; UINT64_MAX: none
    uint32_t *circle;     // ids of worms
    uint32_t *terminals;  // behind them, of each the terminal between it and the next one; NONE
    size_t num_circle;
};

struct anl_blocking {
    struct anl_config config;
    struct anl_shape shape;
    struct anl_network *network;
    struct blocking_route *routes;  // [switches * terminals]; NULL: too many, or paths, input
                                    // ports or the traffic decide
    struct anl_route *options;      // [lanes] of the head at the front, if it selects, else
                                    // ports is 0; NULL: heads do not select
    uint32_t escapes;               // mask of the escape lanes
    uint32_t atomic;                // mask of the atomic lanes of links between switches
    bool has_paths;                 // the path of a worm decides where it goes
    struct anl_blocking_listener listener;
    uint32_t network_links;  // lower numbers are links of switches, the others injection links
    uint32_t lanes;          // lower buffers are lanes, the others sources
    uint32_t senders;        // of a source, and lines of a link: the lanes of a link if it is wide
    uint32_t num_sources;    // senders of all sources, of each terminal and class of messages
    bool follows;            // on all links, flits that are not heads use a credit in the cycle in
                             // which it returns
    bool loses;              // no front flit waits: one that does not move is lost
    bool two_stages;         // of switches: what a cycle brings counts a cycle later
    uint32_t class_lanes;    // lanes of a class
    uint32_t num_buffers;
    uint32_t most_runs;  // that a lane can hold, also while moves are carried out
    uint16_t all_vcs;    // mask of all lanes of a link

    // How far the analysis has been fed.
    uint64_t cycle;
    uint32_t round;  // number of cycles fed, times 2; 0 is no round
    bool began, ended;
    enum anl_status status;  // why nothing more is accepted
    uint64_t last_created;   // cycle in which the worm fed last was created
    uint32_t next_id;        // id of the next worm to be fed
    uint32_t num_created;    // worms created up to this cycle

    struct blocking_link *links;        // [links + 1]
    struct blocking_line *lines;        // [(links + 1) * senders]
    struct blocking_buffer *buffers;    // [num_buffers]
    uint32_t *runs;                     // [lanes * most_runs] rings of slots
    struct blocking_queue *queues;      // [num_sources] at the first sender of a source
    struct blocking_worm *worms;        // [slots.count]
    struct blocking_record *records;    // [slots.count]
    struct anl_blocking_totals totals;  // cycles are those of delivered worms

    struct blocking_sinks *sinks;  // NULL: terminals take what comes
    struct blocking_moves moves;
    struct blocking_ids ids;
    struct blocking_slots slots;
    struct blocking_lives lives;
    struct blocking_search search;
    struct blocking_deadlock dead;
};

#define TO_TERMINAL (NONE - 1)

static inline bool is_source(const struct anl_blocking *blocking, uint32_t buffer)
{
    return buffer >= blocking->lanes;
}

// Returns the buffer of the first sender of the source of a terminal for a class of messages: those
// of class 0 come first. The next sender of a source is that many buffers farther as there are
// terminals.
static inline uint32_t source_buffer(const struct anl_blocking *blocking, uint32_t terminal,
                                     uint32_t class_)
{
    return blocking->lanes + class_ * blocking->senders * blocking->shape.terminals + terminal;
}

// Return the terminal, the class and the number of a sender of a source.
static inline uint32_t terminal_of_source(const struct anl_blocking *blocking, uint32_t buffer)
{
    return (buffer - blocking->lanes) % blocking->shape.terminals;
}

static inline uint32_t class_of_source(const struct anl_blocking *blocking, uint32_t buffer)
{
    return (buffer - blocking->lanes) / (blocking->senders * blocking->shape.terminals);
}

static inline uint32_t sender_of_source(const struct anl_blocking *blocking, uint32_t buffer)
{
    return (buffer - blocking->lanes) / blocking->shape.terminals % blocking->senders;
}

static inline uint32_t lane_at(const struct anl_blocking *blocking, uint32_t link, uint32_t vc)
{
    return link * blocking->config.num_vcs + vc;
}

// Returns condition ? a : b without a branch, for conditions that are hard to predict.
static inline uint64_t pick(bool condition, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & (0 - (uint64_t)condition));
}

static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// Returns true if the front flit of a buffer crosses a link in this cycle, or its terminal takes
// it.
static inline bool is_leaving(const struct blocking_buffer *buffer)
{
    return buffer->moved != STALLS && buffer->moved != ARRIVES;
}

// Returns the lane to which the worm at the front of the buffer (or last at its front) is bound.
static inline uint32_t bound_lane(const struct blocking_buffer *buffer)
{
    return buffer->wanted + lowest(buffer->set);
}

// Returns where the slot of run i of a lane is stored.
static inline uint32_t *run_at(const struct anl_blocking *blocking, uint32_t lane, uint32_t i)
{
    const uint32_t size = blocking->most_runs, at = blocking->buffers[lane].first_run + i;
    return &blocking->runs[(size_t)lane * size + (at < size ? at : at - size)];
}

// Returns the index of the first flit of a run that is in the lane, or that will arrive next.
static inline uint32_t first_of_run(const struct anl_blocking *blocking, uint32_t lane, uint32_t i)
{
    return i == 0 ? blocking->buffers[lane].index : 0;
}

// Returns the number of flits of a run that are in the lane.
static inline uint32_t flits_of_run(const struct anl_blocking *blocking, uint32_t lane, uint32_t i)
{
    uint32_t others = 0;
    for (uint32_t j = 0; j + 1 < blocking->buffers[lane].num_runs; j++) {
        const uint32_t length = blocking->worms[*run_at(blocking, lane, j)].length;
        const uint32_t flits = length - first_of_run(blocking, lane, j);
        if (j == i) return flits;
        others += flits;
    }
    return blocking->buffers[lane].count - others;
}

// Returns true if the worm was not delivered before this cycle and is not queued behind another
// worm.
static inline bool is_active(const struct anl_blocking *blocking, uint32_t slot)
{
    return blocking->lives.row_at[slot] != NONE;
}

// Returns the credits of a lane, with those that are on their way.
static inline uint32_t credits(const struct anl_blocking *blocking, uint32_t lane)
{
    return blocking->config.depth - blocking->buffers[lane].count;
}

// Returns the slots of a lane that no flit of our switches can enter, on a link that is not
// chained: those of flits and of credits on their way.
static inline uint32_t used_slots(const struct blocking_buffer *lane)
{
    return lane->count + (uint32_t)(lane->changes & FREED);
}

// Returns the credits that a flit on the link may use in this cycle (docs/link.md); all moves on
// which they depend are marked.
static inline uint32_t credits_on_link(const struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_buffer *buffer = &blocking->buffers[lane];
    return credits(blocking, lane) + (buffer->chained && buffer->moved != STALLS);
}

// Returns the credits that our switches can use for it: with two stages they had to know them in
// the cycle before.
static inline uint32_t credits_now(const struct anl_blocking *blocking, uint32_t lane)
{
    return credits_on_link(blocking, lane) - (uint32_t)(blocking->buffers[lane].changes & FREED);
}

// Returns true if the front flit is a head that selects one of several options.
static inline bool is_selecting(const struct anl_blocking *blocking,
                                const struct blocking_buffer *buffer)
{
    const size_t at = (size_t)(buffer - blocking->buffers);
    return blocking->options && buffer->index == 0 && at < blocking->lanes && !buffer->ejection &&
           blocking->options[at].ports != 0;
}

static inline const struct anl_route *options_of(const struct anl_blocking *blocking,
                                                 const struct blocking_buffer *buffer)
{
    return &blocking->options[buffer - blocking->buffers];
}

// Returns true if the front flit wants either of two links.
static inline bool wants_two(const struct anl_blocking *blocking,
                             const struct blocking_buffer *buffer)
{
    return buffer->set > blocking->all_vcs;
}

// Returns true if a flit crosses the line in this cycle. The line of a shared link has its number.
static inline bool blocking_is_crossed(const struct anl_blocking *blocking, uint32_t line)
{
    return blocking->lines[line].round == blocking->round;
}

// Returns the lowest link of the options of a head that is crossed in this cycle; NONE.
uint32_t blocking_crossed_option(const struct anl_blocking *blocking,
                                 const struct blocking_buffer *buffer);

// Returns the buffer whose flit crosses the wanted shared link, of several crossed links the lowest
// one; NONE.
static inline uint32_t blocking_crossed(const struct anl_blocking *blocking,
                                        const struct blocking_buffer *buffer)
{
    if (blocking->options && is_selecting(blocking, buffer)) {
        const uint32_t crossed = blocking_crossed_option(blocking, buffer);
        return crossed == NONE ? NONE : blocking->lines[crossed].crossed;
    }
    const uint32_t link = buffer->wants;
    if (blocking_is_crossed(blocking, link)) return blocking->lines[link].crossed;
    return wants_two(blocking, buffer) && blocking_is_crossed(blocking, link + 1)
               ? blocking->lines[link + 1].crossed
               : NONE;
}

// Returns the entry of a worm that has not left the network.
static inline struct blocking_entry *blocking_entry(const struct anl_blocking *blocking,
                                                    uint32_t id)
{
    return &blocking->ids.pages[id / PAGE_IDS - blocking->ids.first_page]->entries[id % PAGE_IDS];
}

static inline uint32_t worm_id(const struct anl_blocking *blocking, uint32_t slot)
{
    return slot == NONE ? NONE : blocking->worms[slot].id;
}

// Returns the credits that a head needs (docs/switch.md) in a lane that is not atomic.
static inline uint32_t need(const struct anl_blocking *blocking, const struct blocking_worm *worm)
{
    return blocking->config.flow_control == ANL_WORMHOLE ? 1 : worm->length;
}

// Returns true if heads may take the lane only if it is empty.
static inline bool is_atomic(const struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_buffer *buffer = &blocking->buffers[lane];
    return blocking->atomic >> buffer->vc & 1 && buffer->link < blocking->network_links &&
           !buffer->ejection;
}

// Returns the credits that a head needs in a lane.
static inline uint32_t need_in(const struct anl_blocking *blocking, uint32_t lane,
                               const struct blocking_worm *worm)
{
    return is_atomic(blocking, lane) ? blocking->config.depth : need(blocking, worm);
}

// Returns the nearest buffer that holds flits of the lane's owner, searching upstream from the
// lane's feed.
static inline uint32_t blocking_upstream(const struct anl_blocking *blocking, uint32_t lane)
{
    uint32_t buffer = blocking->buffers[lane].feed;
    while (blocking->buffers[buffer].front == NONE)
        buffer = blocking->buffers[buffer].feed;
    return buffer;
}

// Returns true if a flit of a worm lacks only credits of the lane that are on their way.
static inline bool blocking_is_credited(const struct anl_blocking *blocking, uint32_t lane,
                                        uint32_t needed)
{
    return blocking->two_stages && credits(blocking, lane) >= needed;
}

// Returns the buffer for which the head at the front of a buffer waits if it wants the lane and
// cannot have it; NONE: only for credits that are on their way.
static inline uint32_t blocking_buffer_behind(const struct anl_blocking *blocking,
                                              const struct blocking_buffer *from, uint32_t lane)
{
    const bool owned = blocking->buffers[lane].owner != NONE;
    if (!owned && blocking_is_credited(blocking, lane,
                                       need_in(blocking, lane, &blocking->worms[from->front])))
        return NONE;
    uint32_t buffer = (uint32_t)pick(owned, blocking->buffers[lane].feed, lane);
    while (blocking->buffers[buffer].front == NONE)
        buffer = blocking->buffers[buffer].feed;
    return buffer;
}

// Returns the sender of the same source as the sender `from` whose worm has its head there and is
// the first one in the order of the queue or, with `after`, the first one after that at sender
// `after`.
static inline uint32_t blocking_head_after(const struct anl_blocking *blocking, uint32_t from,
                                           uint32_t after)
{
    const uint32_t first = source_buffer(blocking, terminal_of_source(blocking, from),
                                         class_of_source(blocking, from));
    uint32_t best = NONE;
    for (uint32_t p = 0, at = first; p < blocking->senders; p++, at += blocking->shape.terminals) {
        const struct blocking_buffer *sender = &blocking->buffers[at];
        if (sender->front == NONE || sender->index > 0) continue;
        const uint32_t id = worm_id(blocking, sender->front);
        if (after != NONE && id <= worm_id(blocking, blocking->buffers[after].front)) continue;
        if (best == NONE || id < worm_id(blocking, blocking->buffers[best].front)) best = at;
    }
    return best;
}

// Returns the sender of the first worm before the one whose head is at the sender `from` that has
// its head at a sender and does not begin in this cycle; NONE.
static inline uint32_t blocking_not_begun(const struct anl_blocking *blocking, uint32_t from)
{
    uint32_t at = blocking_head_after(blocking, from, NONE);
    while (at != from && blocking->buffers[at].moved != STALLS)
        at = blocking_head_after(blocking, from, at);
    return at == from ? NONE : at;
}

// Returns true if the tail of the worm at the front of the lane is in the lane, in the second case
// for long enough that its head may leave in this cycle.
static inline bool blocking_tail_has_come(const struct blocking_buffer *lane)
{
    return lane->owner != lane->front;
}

static inline bool blocking_tail_is_here(const struct blocking_buffer *lane)
{
    return blocking_tail_has_come(lane) && !(lane->changes & CAME && lane->num_runs == 1);
}

// --- blocking.c ---

// Makes all arrays of slots longer; what they hold is kept. Returns false if memory runs out.
bool blocking_grow_slots(struct anl_blocking *blocking, size_t count);

// --- buffers.c ---

// Fills the tables of links, buffers and routes.
enum anl_status blocking_lay_out(struct anl_blocking *blocking);

// Writes the lanes that the head of a worm in a lane wants, or will want, ascending. Returns how
// many there are.
uint32_t blocking_route_lanes(const struct anl_blocking *blocking, uint32_t lane,
                              const struct blocking_worm *worm, uint32_t lanes[MOST_WANTED]);

// Writes the lanes that the front flit of a buffer wants, ascending. Returns how many there are.
uint32_t blocking_wanted(const struct anl_blocking *blocking, const struct blocking_buffer *buffer,
                         uint32_t lanes[MOST_WANTED]);

// Notes what the worm wants that comes to the front of a source.
void blocking_see_source(struct anl_blocking *blocking, uint32_t source, uint32_t slot);

// Returns the lanes of its injection link that the worm at the front of a source may take.
uint16_t blocking_injection_set(const struct anl_blocking *blocking, uint32_t source,
                                uint32_t slot);

// Carry out all moves of this cycle, and undo them.
void blocking_apply(struct anl_blocking *blocking);
void blocking_take_back(struct anl_blocking *blocking);

// Makes the moves that were fed the moves of this cycle.
void blocking_take_in(struct anl_blocking *blocking);

// Returns the line of a link by which a flit enters one of its lanes.
static inline uint32_t line_of(const struct anl_blocking *blocking, uint32_t link, uint32_t lane)
{
    return blocking->senders > 1 ? lane : link;
}

// Marks that a flit of the worm with this id leaves its buffer and crosses a link.
static inline void blocking_mark(struct anl_blocking *blocking, const struct blocking_move *move,
                                 uint32_t link, uint32_t id)
{
    const uint32_t line = line_of(blocking, link, move->to);
    struct blocking_buffer *from = &blocking->buffers[move->from];
    from->moved = (uint16_t)(move->to - from->wanted);
    from->way = (struct blocking_way){blocking->round, 0, NONE, id};
    blocking->lines[line] = (struct blocking_line){move->from, blocking->round};
    blocking->links[from->link].full &= (uint16_t)(~((uint32_t)from->chained << from->vc));
}

static inline void blocking_mark_taken(struct anl_blocking *blocking,
                                       const struct blocking_move *move)
{
    struct blocking_buffer *from = &blocking->buffers[move->from];
    from->moved = TAKEN;
    from->way = (struct blocking_way){blocking->round, 0, NONE, blocking->worms[move->slot].id};
}

// --- check.c ---

// Turns flits into the moves of the cycle being fed and marks them. ANL_ERR_FORMAT: the flits
// cannot be true.
enum anl_status blocking_check(struct anl_blocking *blocking, const struct anl_flit *flits,
                               size_t count, struct anl_error *error);

// --- worms.c ---

enum anl_status blocking_worms_add(struct anl_blocking *blocking, const struct anl_worm *worm);
// Returns the entry of a worm; NULL if it was not fed or has left the network.
struct blocking_entry *blocking_worms_find(const struct anl_blocking *blocking, uint32_t id);
// Gives a slot to each worm that has come to a sender of its source, and undoes it.
enum anl_status blocking_worms_activate(struct anl_blocking *blocking);
void blocking_worms_deactivate(struct anl_blocking *blocking);
// Returns the cycle in which the next worm that was fed is created; UINT64_MAX: there is none.
uint64_t blocking_worms_next(const struct anl_blocking *blocking);
// Removes the worms that have left and makes those active that were given slots in this cycle.
void blocking_worms_renew(struct anl_blocking *blocking);

// --- lives.c ---

// Makes room for what a cycle may add to the lists of root blockers.
enum anl_status blocking_lives_reserve(struct anl_blocking *blocking);
// Begins and ends the activity of a worm in this cycle.
void blocking_lives_add(struct anl_blocking *blocking, uint32_t slot);
void blocking_lives_remove(struct anl_blocking *blocking, uint32_t slot);
// Notes what each worm does in this cycle.
void blocking_lives_account(struct anl_blocking *blocking);
// Reports the stalls that last to the listener.
void blocking_lives_end(struct anl_blocking *blocking);

// --- waits.c ---

// Returns the lowest lane that the head at the front of a buffer could have taken and that a flit
// entered in this cycle, if links are wide; NONE.
uint32_t blocking_lost_lane(const struct anl_blocking *blocking,
                            const struct blocking_buffer *buffer);

// Returns the cause of a buffer that is not empty.
enum anl_wait blocking_cause(const struct anl_blocking *blocking, uint32_t buffer);

// Returns the wanted link that a body flit wants, or the first that the head at the front could
// have taken.
uint32_t blocking_could_take(const struct anl_blocking *blocking, uint32_t buffer);

// Finds the way from a buffer whose front does not move, all ways on which it depends, and their
// causes. The ways of buffers that move are known from the beginning of the round.
void blocking_search(const struct anl_blocking *blocking, uint32_t buffer);

// Finds out for whom the worms in slots wait, and appends a change for each that does not do what
// it did in the cycle before (old). Returns the end of the changes.
struct blocking_change *blocking_wait(struct anl_blocking *blocking, enum anl_wait old,
                                      const uint32_t *slots, uint32_t count,
                                      struct blocking_change *change);

// Returns the way from a buffer that is not empty.
static inline const struct blocking_way *blocking_way(const struct anl_blocking *blocking,
                                                      uint32_t buffer)
{
    if (blocking->buffers[buffer].way.known != blocking->round) blocking_search(blocking, buffer);
    return &blocking->buffers[buffer].way;
}

// --- sinks.c ---

// Make and free the sinks of terminals that can refuse; the first returns false if memory runs out.
bool blocking_sinks_create(struct anl_blocking *blocking);
void blocking_sinks_destroy(struct blocking_sinks *sinks);  // may be NULL
// Lists, first of all moves that are fed, those by which terminals take flits in the cycle that is
// being fed. The moves of the cycle before have been carried out and still stand in the list.
void blocking_sinks_choose(struct anl_blocking *blocking);
// Makes what was chosen the state of this cycle.
void blocking_sinks_take_in(struct blocking_sinks *sinks);
// Returns true if the sink of an ejection lane refuses what it shows in this cycle.
bool blocking_is_refused(const struct anl_blocking *blocking, uint32_t lane);
// Returns the lane that the sink of an ejection lane shows; NONE.
uint32_t blocking_shown_lane(const struct anl_blocking *blocking, uint32_t lane);
// Returns the source in which the replies of the terminal at an ejection lane wait.
uint32_t blocking_reply_source(const struct anl_blocking *blocking, uint32_t lane);

// --- dead.c ---

// Finds out whether the network is safe, if it is small enough.
enum anl_status blocking_find_safe(struct anl_blocking *blocking);

// Finds out whether a head that came to its buffer in this cycle can never leave it.
enum anl_status blocking_look_for_deadlock(struct anl_blocking *blocking);

#endif
