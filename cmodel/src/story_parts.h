// SPDX-License-Identifier: Apache-2.0
//
// State of a story, shared by its rooms: story.c (telling), story_places.c (where flits lie),
// story_worms.c (worms by number, their lives), story_waits.c (who waits for whom), story_dead.c
// (what can never move), story_text.c (words). Private to the story.
//
// Everything is as at the start of this cycle; the moves of it are kept beside, and carried out
// when the next cycle is told. So a cycle that cannot be true is taken back without a trace.
//
// Worms that are at the front of their source or beyond have a slot: a small number, used again
// after delivery, by which places and waits speak of worms.

#ifndef ANL_STORY_PARTS_H
#define ANL_STORY_PARTS_H

#include <annelid/story.h>
#include <stdbool.h>

#define NONE ANL_NOTHING

// Flits of one worm, next to each other in a lane.
struct story_run {
    uint32_t slot;
    uint16_t first;  // index
    uint16_t flits;
};

struct story_move {
    uint32_t from;  // place
    uint32_t to;    // lane; NONE: the terminal takes the flit out of its ejection lane
    uint32_t slot;
    uint16_t index;
    bool head, tail;
    uint64_t since;  // of the place it leaves, to take the move back
};

// A worm told of and not yet out of the network.
struct story_entry {
    struct anl_worm worm;
    uint32_t next;  // entry behind it in the source queue, or of the free list
    uint32_t slot;  // NONE: queued, or not yet created
};

struct story_source {
    uint32_t front, back;  // entries; NONE: empty
};

// A worm with a slot. cycles and stay hold what was before `since`; what came after is all `wait`.
struct story_worm {
    struct anl_worm worm;
    uint32_t entry;
    uint32_t head_place;  // where its head is, or the ejection lane that it went to
    uint32_t lead_place;  // where its leading flit is
    uint16_t lead;        // index of the leading flit
    enum anl_wait wait;
    uint64_t since;  // first cycle of the present wait
    uint32_t links;
    uint64_t injected, delivered;
    uint64_t cycles[ANL_WAITS];
    struct anl_stay stay, longest;
    struct anl_delay *delays;  // ascending by worm
    uint32_t num_delays, room, last_delay;
};

struct anl_story {
    struct anl_config config;
    struct anl_shape shape;
    struct anl_story_listener listener;
    uint32_t network_links;  // those behind are injection links
    uint32_t lanes;          // places below are lanes, those from here on sources
    uint32_t num_places;
    uint8_t all_vcs;  // mask

    // Telling.
    uint64_t cycle;
    bool began, ended;
    enum anl_status status;  // why no more is taken
    uint64_t last_created;   // cycle of the worm told last
    uint32_t next_id;        // of the worm to be told next
    uint32_t next_created;   // worms below were created up to this cycle

    // Links. A link has one input port at its end, so its number is that port's too.
    uint32_t *link_switch;           // [links] switch at the end; NONE: a terminal, or no link
    bool *exists;                    // [links]
    uint8_t *owned, *full, *filled;  // [links] sets of lanes
    uint32_t *crossed;               // [links] place whose flit crosses it in this cycle
    uint32_t *left;                  // [links] lowest lane at its end whose flit moves
    uint32_t *heads;                 // [links] worms whose heads crossed it

    // Lanes.
    struct story_run *runs;         // [lanes * depth] rings
    uint8_t *first_run, *num_runs;  // [lanes]
    uint8_t *count;                 // [lanes] flits
    uint32_t *owner;                // [lanes] slot
    uint32_t *feed;                 // [lanes] if owned: place that its flits come from
    struct story_source *sources;   // [terminals]

    // Places: the front flit. wants and set outlast the front as long as its worm is bound.
    uint32_t *front;  // slot; NONE: empty
    uint16_t *index;
    uint32_t *wants;  // link; NONE: the terminal takes it
    uint8_t *set;     // lanes of it; of a body flit one
    uint64_t *since;
    uint32_t *moved;  // lane that it moves to; TAKEN of a flit that its terminal takes; else NONE

    // Moves of this cycle, and room for those of the next.
    struct story_move *moves, *told;
    size_t num_moves, num_told;

    // Worms.
    struct story_entry *entries;
    uint32_t num_entries, free_entry;
    uint32_t *table;  // entries by id, open addressing; NONE: free
    uint32_t table_bits, table_used;
    struct story_worm *worms;  // [slots]
    uint32_t num_slots, num_free;
    uint32_t *free_slots;
    uint32_t *active;  // slots of the worms not delivered before this cycle
    uint32_t num_active;
    bool any_delivered;   // in this cycle
    uint32_t *activated;  // slots given in the cycle being told
    uint32_t num_activated;
    uint32_t *gone;  // slots of worms whose last flit the terminal takes
    uint32_t num_gone;
    uint32_t *short_of_room;  // slots whose list of delays is full
    uint32_t num_short;
    struct anl_story_totals totals;  // cycles: of delivered worms

    // Waits, by place.
    uint8_t *wait;       // enum anl_wait
    uint32_t *distance;  // NONE: no way to a front that moves
    uint32_t *next;      // place; NONE
    uint32_t *mover;     // worm (id) at the end of the chain
    uint32_t *blocked;   // places
    uint32_t num_blocked;

    // Deadlock.
    uint64_t deadlocked;
    uint32_t *circle;
    size_t num_circle;
};

#define TAKEN (NONE - 1)

static inline bool is_source(const struct anl_story *story, uint32_t place)
{
    return place >= story->lanes;
}

static inline uint32_t link_of(const struct anl_story *story, uint32_t lane)
{
    return lane / story->config.num_vcs;
}

static inline uint32_t vc_of(const struct anl_story *story, uint32_t lane)
{
    return lane % story->config.num_vcs;
}

static inline uint32_t lane_at(const struct anl_story *story, uint32_t link, uint32_t vc)
{
    return link * story->config.num_vcs + vc;
}

// The lane at the end of an ejection link.
static inline bool is_ejection(const struct anl_story *story, uint32_t place)
{
    return !is_source(story, place) && story->link_switch[link_of(story, place)] == NONE;
}

// The lane that the worm at (or last at) the front of place is bound to.
static inline uint32_t bound_lane(const struct anl_story *story, uint32_t place)
{
    return lane_at(story, story->wants[place], (uint32_t)__builtin_ctz(story->set[place]));
}

static inline struct story_run *run_at(const struct anl_story *story, uint32_t lane, uint32_t i)
{
    const uint32_t depth = story->config.depth, at = story->first_run[lane] + i;
    return &story->runs[(size_t)lane * depth + (at < depth ? at : at - depth)];
}

static inline uint32_t credits(const struct anl_story *story, uint32_t lane)
{
    return story->config.depth - story->count[lane];
}

static inline uint32_t worm_id(const struct anl_story *story, uint32_t slot)
{
    return slot == NONE ? NONE : story->worms[slot].worm.id;
}

// Credits that a head needs (docs/switch.md).
static inline uint32_t need(const struct anl_story *story, const struct anl_worm *worm)
{
    return story->config.admission == ANL_WORMHOLE ? 1 : worm->length;
}

// --- story_places.c ---

// What the switch at the end of a lane does with the head of a worm for destination.
struct anl_route story_route(const struct anl_story *story, uint32_t lane, uint32_t destination);

// All moves of this cycle carried out, and taken back again.
void story_apply(struct anl_story *story);
void story_take_back(struct anl_story *story);

// The front worm of the source has changed: sees what its place holds now.
void story_see_source(struct anl_story *story, uint32_t terminal);

// Turns a flit into a move; ANL_ERR_FORMAT if it cannot be true.
enum anl_status story_check_flit(const struct anl_story *story, const struct anl_flit *flit,
                                 struct story_move *move, struct anl_error *error);

// The nearest place, from where lane is fed upwards, that holds flits of its owner.
uint32_t story_upstream(const struct anl_story *story, uint32_t lane);

// Flits of the owner of lane that have not entered it.
uint32_t story_to_come(const struct anl_story *story, uint32_t lane);

// True if the tail of the front worm of the lane is in it.
bool story_tail_is_here(const struct anl_story *story, uint32_t lane);

// --- story_worms.c ---

enum anl_status story_worms_create(struct anl_story *story);
void story_worms_destroy(struct anl_story *story);
enum anl_status story_worms_add(struct anl_story *story, const struct anl_worm *worm);
struct story_entry *story_worms_find(const struct anl_story *story, uint32_t id);
// Makes room for what the next cycle may add to the lists of delays.
enum anl_status story_worms_reserve(struct anl_story *story);
// Worms that came to the front of their source, or were created there, get a slot.
enum anl_status story_worms_activate(struct anl_story *story);
void story_worms_deactivate(struct anl_story *story);
// This cycle holds: what each worm did in it.
void story_worms_account(struct anl_story *story);
void story_worms_end(struct anl_story *story);

// --- story_waits.c ---

enum anl_wait story_cause(const struct anl_story *story, uint32_t place);

// The places that a blocked place waits for, in the order of the lanes wanted. Returns how many, at
// most ANL_MAX_VCS.
uint32_t story_targets(const struct anl_story *story, uint32_t place, enum anl_wait cause,
                       uint32_t *targets);

// Causes, distances, next and mover of all places.
void story_waits(struct anl_story *story);

// --- story_dead.c ---

// Looks whether a head that has come to its place can never leave it.
enum anl_status story_look_for_deadlock(struct anl_story *story);

#endif
