// SPDX-License-Identifier: Apache-2.0
//
// State of a blocking analysis, shared by the files of this room: blocking.c (one cycle after the
// other), buffers.c (where flits lie), check.c (which flits are possible), worms.c (worms by
// number), waits.c (who waits for whom), lives.c (what each worm does), dead.c (what can never
// move), text.c (words).
//
// The state is that at the start of this cycle. The moves of the cycle are kept beside it and are
// carried out when the next cycle is fed, so a cycle that cannot be true is taken back without a
// trace.
//
// Worms that are at the front of their source or beyond have a slot: a small number, used again
// after delivery, by which buffers and waits name worms.

#ifndef ANL_BLOCKING_ROOM_H
#define ANL_BLOCKING_ROOM_H

#include <annelid/blocking.h>
#include <stdbool.h>

#define NONE ANL_NOTHING

// A link; it has one input port at its end, so its number is that port's too.
struct blocking_link {
    uint32_t end;                    // switch; TO_TERMINAL; NONE: there is no such link
    uint32_t crossed, crossed_turn;  // buffer whose flit crossed it last, and when
    uint32_t heads;                  // worms whose heads crossed it
    uint16_t owned;                  // set of lanes
    uint16_t full;                   // set of lanes without a credit that counts in this cycle
};

// From a blocked buffer to a front that moves, looked for when somebody asks.
struct blocking_way {
    uint32_t known;         // in this turn
    uint32_t distance;      // NONE: there is no way
    uint32_t next;          // buffer; NONE
    uint32_t root_blocker;  // id; NONE
};

// A lane, or the source of a terminal. wants and set outlast the front as long as its worm is
// bound.
//
// A lane holds runs of flits, each of one worm: one from the entry of its head until its tail
// leaves, so the last may have no flits here for a while. Those behind the first begin with their
// heads and, but for the last, end with their tails: it is enough to know whose they are.
//
// Where either of two links is as good (the up links of a fat-tree) their numbers follow each
// other, and so do the buffers at their ends: bit i of a set is lane wanted + i, whichever it is.
struct blocking_buffer {
    uint32_t front;  // slot; NONE: empty
    uint32_t owner;  // slot; NONE
    uint32_t feed;   // if owned: buffer that its flits come from
    uint32_t
        wants;  // link that the front flit wants, the lower of two; NONE: its terminal takes it
    uint32_t wanted;  // lane 0 of that link
    uint32_t link;    // at the end of which it is; of a source, one behind the last
    uint16_t index;   // of the front flit, or of the next one of the worm to come here
    uint16_t count;   // flits; in a source of its first worm
    uint16_t set;     // lanes wanted; of a body flit one
    uint16_t moved;   // bit of the set it moves to; TAKEN if its terminal takes it; or STAYS
    uint16_t cause;   // enum anl_wait of the front, if it does not move and its way is known
    uint8_t vc;
    uint8_t first_run, num_runs;
    bool ejection;   // it is at the end of an ejection link
    bool chained;    // a credit counts in the cycle in which it comes back
    uint64_t since;  // first cycle of the flit at the front
    struct blocking_way way;
};
_Static_assert(sizeof(struct blocking_buffer) == 64, "a buffer is a line of the cache");
enum { STALLS = UINT16_MAX, TAKEN = UINT16_MAX - 1 };

struct blocking_move {
    uint32_t from;  // buffer
    uint32_t to;    // lane; NONE: the terminal takes the flit out of its ejection lane
    uint32_t slot;
    uint16_t index;
    bool head, tail;
};

// A worm fed of and not yet out of the network.
struct blocking_entry {
    struct anl_worm worm;  // length 0: it is out
    uint32_t next;         // worm behind it in the source queue, an id; NONE
    uint32_t slot;         // NONE: queued, or not yet created
};

// Entries of worms with neighbouring ids.
enum { PAGE_IDS = 64 };
struct blocking_page {
    uint32_t used;  // entries
    struct blocking_entry entries[PAGE_IDS];
};

struct blocking_source {
    uint32_t front, back;  // ids; NONE: empty
};

// A worm with a slot: what is looked at in every cycle.
struct blocking_worm {
    uint32_t id;
    uint32_t destination : 20, path : 12;
    uint32_t head_buffer;  // where its head is, or the ejection lane that it went to
    uint32_t lead_buffer;  // where its leading flit is
    uint64_t since;        // first cycle of the present wait
    uint16_t num_root_blockers;
    uint16_t length;
    uint16_t lead;  // index of the leading flit
    uint8_t wait;   // enum anl_wait
    bool stalls;    // in a stall
};
_Static_assert(ANL_MAX_TERMINALS <= 1 << 20 && ANL_MAX_DIMENSIONS <= 12, "as in blocking_worm");

// Movers of the last cycles in which any worm delayed this one, one after the other.
enum { MOST_ROOT_BLOCKERS = 128 };

// And what is written down now and then: what was before `since`, and delays by earlier root
// blockers.
struct blocking_record {
    uint64_t cycles[ANL_WAITS];
    struct anl_stall stall, longest;
    uint64_t injected, delivered;
    uint32_t links;
    struct anl_delay *delays;  // ascending by worm
    size_t num_delays, room;
    uint32_t followed;  // turn in which blocking_dead.c looked whether it gets away
    bool gets_away;
};

// A worm does something else than in the cycle before.
struct blocking_change {
    uint32_t slot, wait;
};

// What a switch does with a head: link and set of lanes, as in blocking_buffer.
struct blocking_route {
    uint32_t link;
    uint16_t set;
};

// The best way from the buffers behind a set of lanes that begins at a link: the same for all heads
// that want that set.
struct blocking_choice {
    uint16_t set;
    uint16_t cause;  // enum anl_wait
    struct blocking_way way;
};

// A buffer on the way and the buffers that it waits for.
struct blocking_stop {
    uint32_t buffer, num_targets;
    uint32_t targets[2 * ANL_MAX_VCS];
};

enum { GUESSES = 1024 };

// Moves of the cycle, and room for those of the next; first are those that terminals take
// (blocking/buffers.c, blocking/check.c).
struct blocking_moves {
    struct blocking_move *list, *fed;
    uint64_t *left_since;  // [count] `since` of the buffers left, to take the moves back
    size_t count, num_fed;
    size_t num_taken, num_fed_taken;
    uint32_t *heads, *tails, *ejections;  // which moves are of heads, of tails, over ejection links
    size_t num_heads, num_tails, num_ejections;
};

// Worms by number (blocking/worms.c).
struct blocking_ids {
    struct blocking_page **pages;  // of ids from first_page * PAGE_IDS on; NULL: all are gone
    struct blocking_page *spare_page;
    uint32_t first_page, num_pages, room_pages;
    uint32_t guesses[GUESSES];  // slots of worms by id, the last that came there
};

// Lists of slots (blocking/worms.c). The last three are filled as moves are carried out.
struct blocking_slots {
    uint32_t count, num_free;
    uint32_t *free;
    uint32_t *activated;  // given in the cycle being fed
    uint32_t num_activated;
    uint32_t *come;  // whose heads have come to their buffers in this cycle
    uint32_t num_come;
    uint32_t *gone;  // whose last flits the terminals have taken
    uint32_t num_gone;
    uint32_t *fresh;  // terminals whose source has a new worm at its front
    uint32_t num_fresh;
};

// What the active worms do, and who delays them (blocking/lives.c).
struct blocking_lives {
    uint32_t *rows[ANL_WAITS];  // the worms not delivered before this cycle, by what they do
    uint32_t in_row[ANL_WAITS];
    uint32_t *row_at;   // [slots] place in its row of a worm that waits; NONE: it is not active
    uint32_t *stopped;  // room to list those that no longer move
    struct blocking_change *changes;
    uint32_t *root_blockers;  // [MOST_ROOT_BLOCKERS * slots.count]
    uint32_t *full;           // worms whose list of root blockers is full
    uint32_t num_full;
    struct anl_delay *delays;  // room for any worm's, with those by its last root blockers
    size_t room_delays;
};

// The search for ways (blocking/waits.c).
struct blocking_search {
    struct blocking_choice *choices;  // [links] the last one looked for
    struct blocking_stop *stops;      // [buffers] those of the search at work
    uint32_t *order;  // [buffers] in stops, of those that were in a search; path of a walk
};

// The deadlock (blocking/dead.c).
struct blocking_deadlock {
    bool safe;  // there cannot be any
    uint64_t cycle;
    uint32_t *circle;
    size_t num_circle;
};

struct anl_blocking {
    struct anl_config config;
    struct anl_shape shape;
    struct anl_network *network;
    struct blocking_route *routes;  // [switches * terminals]; NULL: too many, or paths decide
    struct anl_blocking_listener listener;
    uint32_t network_links;  // those behind are injection links
    uint32_t lanes;          // buffers below are lanes, those from here on sources
    uint32_t num_buffers;
    uint32_t most_runs;  // in a lane, also while the moves of a cycle are carried out
    uint16_t all_vcs;    // mask

    // How far it has been fed.
    uint64_t cycle;
    uint32_t turn;  // number of the cycle among those fed, times 2
    bool began, ended;
    enum anl_status status;  // why no more is taken
    uint64_t last_created;   // cycle of the worm fed last
    uint32_t next_id;        // of the worm to be fed next
    uint32_t num_created;    // worms created up to this cycle

    struct blocking_link *links;        // [links + 1]
    struct blocking_buffer *buffers;    // [num_buffers]
    uint32_t *runs;                     // [lanes * most_runs] rings of slots
    struct blocking_source *sources;    // [terminals]
    struct blocking_worm *worms;        // [slots.count]
    struct blocking_record *records;    // [slots.count]
    struct anl_blocking_totals totals;  // cycles: of delivered worms

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

static inline uint32_t lane_at(const struct anl_blocking *blocking, uint32_t link, uint32_t vc)
{
    return link * blocking->config.num_vcs + vc;
}

// a if the condition holds, else b; without a branch, for conditions that are hard to foresee.
static inline uint64_t pick(bool condition, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & (0 - (uint64_t)condition));
}

static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// The lane that the worm at (or last at) the front of buffer is bound to.
static inline uint32_t bound_lane(const struct blocking_buffer *buffer)
{
    return buffer->wanted + lowest(buffer->set);
}

// Slot of a run of a lane.
static inline uint32_t *run_at(const struct anl_blocking *blocking, uint32_t lane, uint32_t i)
{
    const uint32_t size = blocking->most_runs, at = blocking->buffers[lane].first_run + i;
    return &blocking->runs[(size_t)lane * size + (at < size ? at : at - size)];
}

// Index of the first flit of a run that is here, or that will come here next.
static inline uint32_t first_of_run(const struct anl_blocking *blocking, uint32_t lane, uint32_t i)
{
    return i == 0 ? blocking->buffers[lane].index : 0;
}

// Flits of a run that are in the lane.
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

// Not delivered before this cycle, and not queued behind another one.
static inline bool is_active(const struct anl_blocking *blocking, uint32_t slot)
{
    return blocking->lives.row_at[slot] != NONE;
}

static inline uint32_t credits(const struct anl_blocking *blocking, uint32_t lane)
{
    return blocking->config.depth - blocking->buffers[lane].count;
}

// Those that count in the decisions of this cycle, of whose moves all that matter are marked.
static inline uint32_t credits_now(const struct anl_blocking *blocking, uint32_t lane)
{
    const struct blocking_buffer *buffer = &blocking->buffers[lane];
    return credits(blocking, lane) + (buffer->chained && buffer->moved != STALLS);
}

// True if either of two links is wanted.
static inline bool wants_two(const struct anl_blocking *blocking,
                             const struct blocking_buffer *buffer)
{
    return buffer->set > blocking->all_vcs;
}

static inline bool blocking_is_crossed(const struct anl_blocking *blocking,
                                       const struct blocking_link *link)
{
    return link->crossed_turn == blocking->turn;
}

// The buffer whose flit crosses the wanted link, of two the lower one that is crossed; NONE.
static inline uint32_t blocking_crossed(const struct anl_blocking *blocking,
                                        const struct blocking_buffer *buffer)
{
    const struct blocking_link *link = &blocking->links[buffer->wants];
    if (blocking_is_crossed(blocking, link)) return link->crossed;
    return wants_two(blocking, buffer) && blocking_is_crossed(blocking, &link[1]) ? link[1].crossed
                                                                                  : NONE;
}

// Of a worm that is not yet out of the network.
static inline struct blocking_entry *blocking_entry(const struct anl_blocking *blocking,
                                                    uint32_t id)
{
    return &blocking->ids.pages[id / PAGE_IDS - blocking->ids.first_page]->entries[id % PAGE_IDS];
}

static inline uint32_t worm_id(const struct anl_blocking *blocking, uint32_t slot)
{
    return slot == NONE ? NONE : blocking->worms[slot].id;
}

// Credits that a head needs (docs/switch.md).
static inline uint32_t need(const struct anl_blocking *blocking, const struct blocking_worm *worm)
{
    return blocking->config.admission == ANL_WORMHOLE ? 1 : worm->length;
}

// The nearest buffer, from where lane is fed upwards, that holds flits of its owner.
static inline uint32_t blocking_upstream(const struct anl_blocking *blocking, uint32_t lane)
{
    uint32_t buffer = blocking->buffers[lane].feed;
    while (blocking->buffers[buffer].front == NONE)
        buffer = blocking->buffers[buffer].feed;
    return buffer;
}

// The buffer that a head waits for if it wants the lane and cannot have it.
static inline uint32_t blocking_buffer_behind(const struct anl_blocking *blocking, uint32_t lane)
{
    const bool owned = blocking->buffers[lane].owner != NONE;
    uint32_t buffer = (uint32_t)pick(owned, blocking->buffers[lane].feed, lane);
    while (blocking->buffers[buffer].front == NONE)
        buffer = blocking->buffers[buffer].feed;
    return buffer;
}

// True if the tail of the front worm of the lane is in it.
static inline bool blocking_tail_is_here(const struct blocking_buffer *lane)
{
    return lane->owner != lane->front;
}

// --- buffers.c ---

enum anl_status blocking_buffers_create(struct anl_blocking *blocking);
void blocking_buffers_destroy(struct anl_blocking *blocking);

// What the switch at the end of a lane does with the head of a worm.
struct blocking_route blocking_route(const struct anl_blocking *blocking, uint32_t lane,
                                     const struct blocking_worm *worm);

// All moves of this cycle carried out, and taken back again.
void blocking_apply(struct anl_blocking *blocking);
void blocking_take_back(struct anl_blocking *blocking);

// The moves fed become those of this cycle.
void blocking_take_in(struct anl_blocking *blocking);

// Notes that a flit of the worm with that id crosses a link, or is taken by its terminal.
static inline void blocking_mark(struct anl_blocking *blocking, const struct blocking_move *move,
                                 uint32_t link, uint32_t id)
{
    struct blocking_buffer *from = &blocking->buffers[move->from];
    from->moved = (uint16_t)(move->to - from->wanted);
    from->way = (struct blocking_way){blocking->turn, 0, NONE, id};
    blocking->links[link].crossed = move->from;
    blocking->links[link].crossed_turn = blocking->turn;
    blocking->links[from->link].full &= (uint16_t) ~((uint32_t)from->chained << from->vc);
}

static inline void blocking_mark_taken(struct anl_blocking *blocking,
                                       const struct blocking_move *move)
{
    struct blocking_buffer *from = &blocking->buffers[move->from];
    from->moved = TAKEN;
    from->way = (struct blocking_way){blocking->turn, 0, NONE, blocking->worms[move->slot].id};
}

// --- check.c ---

// Turns flits into the moves that are fed, and notes them; ANL_ERR_FORMAT if they cannot be true.
enum anl_status blocking_check(struct anl_blocking *blocking, const struct anl_flit *flits,
                               size_t count, struct anl_error *error);

// --- worms.c ---

enum anl_status blocking_worms_create(struct anl_blocking *blocking);
void blocking_worms_destroy(struct anl_blocking *blocking);
enum anl_status blocking_worms_add(struct anl_blocking *blocking, const struct anl_worm *worm);
// NULL: it has not been fed of, or is out of the network.
struct blocking_entry *blocking_worms_find(const struct anl_blocking *blocking, uint32_t id);
// Worms that came to the front of their source, or were created there, get a slot.
enum anl_status blocking_worms_activate(struct anl_blocking *blocking);
void blocking_worms_deactivate(struct anl_blocking *blocking);
// The cycle in which the next worm fed of is created; UINT64_MAX: there is none.
uint64_t blocking_worms_next(const struct anl_blocking *blocking);
// The worms that are no more make room for those that are new: the active ones of this cycle.
void blocking_worms_renew(struct anl_blocking *blocking);

// --- lives.c ---

// Makes room for what a cycle may add to the lists of root blockers.
enum anl_status blocking_lives_reserve(struct anl_blocking *blocking);
// A worm is active from this cycle on, or no more.
void blocking_lives_add(struct anl_blocking *blocking, uint32_t slot);
void blocking_lives_remove(struct anl_blocking *blocking, uint32_t slot);
// What each worm does in this cycle.
void blocking_lives_account(struct anl_blocking *blocking);
// Stays that last are fed.
void blocking_lives_end(struct anl_blocking *blocking);

// --- waits.c ---

// Of a buffer that is not empty.
enum anl_wait blocking_cause(const struct anl_blocking *blocking, uint32_t buffer);

// The first wanted link that the head at the front could have taken, or a body flit wants.
uint32_t blocking_could_take(const struct anl_blocking *blocking, uint32_t buffer);

// Finds the way from a buffer whose front does not move, all ways that it depends on, and their
// causes. Those of buffers that move are known from the beginning of the turn.
void blocking_search(const struct anl_blocking *blocking, uint32_t buffer);

// Finds out whom worms wait for that do not get on, and notes what they do if it is not what they
// did in the cycle before.
struct blocking_change *blocking_wait(struct anl_blocking *blocking, enum anl_wait old,
                                      const uint32_t *slots, uint32_t count,
                                      struct blocking_change *change);

// The way from a buffer that is not empty.
static inline const struct blocking_way *blocking_way(const struct anl_blocking *blocking,
                                                      uint32_t buffer)
{
    if (blocking->buffers[buffer].way.known != blocking->turn) blocking_search(blocking, buffer);
    return &blocking->buffers[buffer].way;
}

// --- dead.c ---

// Finds out whether the network is safe, if it is small.
enum anl_status blocking_find_safe(struct anl_blocking *blocking);

// Looks whether a head that has come to its place in this cycle can never leave it.
enum anl_status blocking_look_for_deadlock(struct anl_blocking *blocking);

#endif
