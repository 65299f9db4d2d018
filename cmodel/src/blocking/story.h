// SPDX-License-Identifier: Apache-2.0
//
// State of a story, shared by its rooms: story.c (telling), story_places.c (where flits lie),
// story_check.c (flits that can be), story_worms.c (worms by number), story_waits.c (who waits for
// whom), story_lives.c (what each worm does), story_safe.c (networks without deadlock),
// story_dead.c (what can never move), story_text.c (words). Private to the story.
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

// A link; it has one input port at its end, so its number is that port's too.
struct story_link {
    uint32_t end;                    // switch; TO_TERMINAL; NONE: there is no such link
    uint32_t crossed, crossed_turn;  // place whose flit crossed it last, and when
    uint32_t heads;                  // worms whose heads crossed it
    uint16_t owned;                  // set of lanes
    uint16_t full;                   // set of lanes without a credit that counts in this cycle
};

// From a blocked place to a front that moves, looked for when somebody asks.
struct story_way {
    uint32_t known;     // in this turn
    uint32_t distance;  // NONE: there is no way
    uint32_t next;      // place; NONE
    uint32_t mover;     // id; NONE
};

// A lane, or the source of a terminal. wants and set outlast the front as long as its worm is
// bound.
//
// A lane holds runs of flits, each of one worm: one from the entry of its head until its tail
// leaves, so the last may have no flits here for a while. Those behind the first begin with their
// heads and, but for the last, end with their tails: it is enough to know whose they are.
//
// Where either of two links is as good (the up links of a fat-tree) their numbers follow each
// other, and so do the places at their ends: bit i of a set is lane wanted + i, whichever it is.
struct story_place {
    uint32_t front;  // slot; NONE: empty
    uint32_t owner;  // slot; NONE
    uint32_t feed;   // if owned: place that its flits come from
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
    struct story_way way;
};
_Static_assert(sizeof(struct story_place) == 64, "a place is a line of the cache");
enum { STAYS = UINT16_MAX, TAKEN = UINT16_MAX - 1 };

struct story_move {
    uint32_t from;  // place
    uint32_t to;    // lane; NONE: the terminal takes the flit out of its ejection lane
    uint32_t slot;
    uint16_t index;
    bool head, tail;
};

// A worm told of and not yet out of the network.
struct story_entry {
    struct anl_worm worm;  // length 0: it is out
    uint32_t next;         // worm behind it in the source queue, an id; NONE
    uint32_t slot;         // NONE: queued, or not yet created
};

// Entries of worms with neighbouring ids.
enum { PAGE_IDS = 64 };
struct story_page {
    uint32_t used;  // entries
    struct story_entry entries[PAGE_IDS];
};

struct story_source {
    uint32_t front, back;  // ids; NONE: empty
};

// A worm with a slot: what is looked at in every cycle.
struct story_worm {
    uint32_t id;
    uint32_t destination : 20, path : 12;
    uint32_t head_place;  // where its head is, or the ejection lane that it went to
    uint32_t lead_place;  // where its leading flit is
    uint64_t since;       // first cycle of the present wait
    uint16_t num_movers;
    uint16_t length;
    uint16_t lead;  // index of the leading flit
    uint8_t wait;   // enum anl_wait
    bool stays;     // in a stay
};
_Static_assert(ANL_MAX_TERMINALS <= 1 << 20 && ANL_MAX_DIMENSIONS <= 12, "as in story_worm");

// Movers of the last cycles in which any worm delayed this one, one after the other.
enum { MOST_MOVERS = 128 };

// And what is written down now and then: what was before `since`, and delays by earlier movers.
struct story_record {
    uint64_t cycles[ANL_WAITS];
    struct anl_stay stay, longest;
    uint64_t injected, delivered;
    uint32_t links;
    struct anl_delay *delays;  // ascending by worm
    size_t num_delays, room;
    uint32_t followed;  // turn in which story_dead.c looked whether it gets away
    bool gets_away;
};

// A worm does something else than in the cycle before.
struct story_change {
    uint32_t slot, wait;
};

// What a switch does with a head: link and set of lanes, as in story_place.
struct story_route {
    uint32_t link;
    uint16_t set;
};

// The best way from the places behind a set of lanes that begins at a link: the same for all heads
// that want that set.
struct story_choice {
    uint16_t set;
    uint16_t cause;  // enum anl_wait
    struct story_way way;
};

// A place on the way and the places that it waits for.
struct story_stop {
    uint32_t place, num_targets;
    uint32_t targets[2 * ANL_MAX_VCS];
};

enum { GUESSES = 1024 };

struct anl_story {
    struct anl_config config;
    struct anl_shape shape;
    struct anl_story_listener listener;
    uint32_t network_links;  // those behind are injection links
    uint32_t lanes;          // places below are lanes, those from here on sources
    uint32_t num_places;
    uint32_t most_runs;  // in a lane, also while the moves of a cycle are carried out
    uint16_t all_vcs;    // mask

    // Telling.
    uint64_t cycle;
    bool began, ended;
    enum anl_status status;  // why no more is taken
    uint64_t last_created;   // cycle of the worm told last
    uint32_t next_id;        // of the worm to be told next
    uint32_t num_created;    // worms created up to this cycle

    struct story_link *links;

    // Places, and the runs of flits in lanes.
    struct story_place *places;
    uint32_t *runs;                // [lanes * most_runs] rings of slots
    struct story_source *sources;  // [terminals]

    // Routes, looked up once.
    uint16_t *coordinates;       // [switches * n]; NULL: a fat-tree
    struct anl_route *hops;      // [k * k] within one dimension, port from its first one; NULL too
    struct story_route *routes;  // [switches * terminals]; NULL: too many, or paths decide

    // Moves of this cycle, and room for those of the next. First are those that terminals take.
    struct story_move *moves, *told;
    uint64_t *left_since;  // [moves] `since` of the places left, to take them back
    size_t num_moves, num_told;
    size_t num_taken, num_told_taken;
    uint32_t *heads, *tails, *ejections;  // which moves are of heads, of tails, over ejection links
    size_t num_heads, num_tails, num_ejections;

    // Worms by number.
    struct story_page **pages;  // of ids from first_page * PAGE_IDS on; NULL: all are gone
    struct story_page *spare_page;
    uint32_t first_page, num_pages, room_pages;

    uint32_t guesses[GUESSES];  // slots of worms by id, the last that came there

    // Worms with a slot, and lists of slots.
    struct story_worm *worms;
    struct story_record *records;
    uint32_t num_slots, num_free;
    uint32_t *free_slots;
    uint32_t *activated;  // given in the cycle being told
    uint32_t num_activated;
    uint32_t *come;  // whose heads have come to their places in this cycle
    uint32_t num_come;
    uint32_t *gone;  // whose last flits the terminals have taken
    uint32_t num_gone;
    uint32_t *rows[ANL_WAITS];  // the worms not delivered before this cycle, by what they do
    uint32_t in_row[ANL_WAITS];
    uint32_t *row_at;   // [slots] where in its row, if it does not get on; NONE: it is not active
    uint32_t *stopped;  // room to list those that no longer move
    struct story_change *changes;
    uint32_t *movers;  // [MOST_MOVERS * num_slots]
    uint32_t *full;    // whose list of movers is full
    uint32_t num_full;
    struct anl_delay *delays;  // room for any worm's, with those by its last movers
    size_t room_delays;
    uint32_t *fresh;  // terminals whose source has a new worm at its front
    uint32_t num_fresh;
    struct anl_story_totals totals;  // cycles: of delivered worms

    // Waits.
    struct story_choice *choices;  // [links] the last one looked for
    struct story_stop *stops;      // [places] those of the search at work
    uint32_t *order;  // [places] in stops, of those that were in a search; path of a walk
    uint32_t turn;    // grows by 2 with each cycle told

    // Deadlock.
    bool safe;  // there cannot be any
    uint64_t deadlocked;
    uint32_t *circle;
    size_t num_circle;
};

#define TO_TERMINAL (NONE - 1)

static inline bool is_source(const struct anl_story *story, uint32_t place)
{
    return place >= story->lanes;
}

static inline uint32_t lane_at(const struct anl_story *story, uint32_t link, uint32_t vc)
{
    return link * story->config.num_vcs + vc;
}

// a if the condition holds, else b; without a branch, for conditions that are hard to foresee.
static inline uint64_t pick(bool condition, uint64_t a, uint64_t b)
{
    return b ^ ((a ^ b) & (0 - (uint64_t)condition));
}

static inline uint32_t lowest(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }

// The lane that the worm at (or last at) the front of place is bound to.
static inline uint32_t bound_lane(const struct story_place *place)
{
    return place->wanted + lowest(place->set);
}

// Slot of a run of a lane.
static inline uint32_t *run_at(const struct anl_story *story, uint32_t lane, uint32_t i)
{
    const uint32_t size = story->most_runs, at = story->places[lane].first_run + i;
    return &story->runs[(size_t)lane * size + (at < size ? at : at - size)];
}

// Index of the first flit of a run that is here, or that will come here next.
static inline uint32_t first_of_run(const struct anl_story *story, uint32_t lane, uint32_t i)
{
    return i == 0 ? story->places[lane].index : 0;
}

// Flits of a run that are in the lane.
static inline uint32_t flits_of_run(const struct anl_story *story, uint32_t lane, uint32_t i)
{
    uint32_t others = 0;
    for (uint32_t j = 0; j + 1 < story->places[lane].num_runs; j++) {
        const uint32_t length = story->worms[*run_at(story, lane, j)].length;
        const uint32_t flits = length - first_of_run(story, lane, j);
        if (j == i) return flits;
        others += flits;
    }
    return story->places[lane].count - others;
}

// Not delivered before this cycle, and not queued behind another one.
static inline bool is_active(const struct anl_story *story, uint32_t slot)
{
    return story->row_at[slot] != NONE;
}

static inline uint32_t credits(const struct anl_story *story, uint32_t lane)
{
    return story->config.depth - story->places[lane].count;
}

// Those that count in the decisions of this cycle, of whose moves all that matter are marked.
static inline uint32_t credits_now(const struct anl_story *story, uint32_t lane)
{
    const struct story_place *place = &story->places[lane];
    return credits(story, lane) + (place->chained && place->moved != STAYS);
}

// True if either of two links is wanted.
static inline bool wants_two(const struct anl_story *story, const struct story_place *place)
{
    return place->set > story->all_vcs;
}

// Which lanes of the wanted link are owned or full, and of the next one, for those who want both.
struct story_masks {
    uint32_t owned, full;
};

static inline struct story_masks story_masks(const struct anl_story *story,
                                             const struct story_place *place)
{
    const struct story_link *link = &story->links[place->wants];
    const uint32_t vcs = story->config.num_vcs;
    return (struct story_masks){
        .owned = link[0].owned | (uint32_t)link[1].owned << vcs,
        .full = link[0].full | (uint32_t)link[1].full << vcs,
    };
}

static inline bool story_is_crossed(const struct anl_story *story, const struct story_link *link)
{
    return link->crossed_turn == story->turn;
}

// The place whose flit crosses the wanted link, of two the lower one that is crossed; NONE.
static inline uint32_t story_crossed(const struct anl_story *story, const struct story_place *place)
{
    const struct story_link *link = &story->links[place->wants];
    if (story_is_crossed(story, link)) return link->crossed;
    return wants_two(story, place) && story_is_crossed(story, &link[1]) ? link[1].crossed : NONE;
}

// Of a worm that is not yet out of the network.
static inline struct story_entry *story_entry(const struct anl_story *story, uint32_t id)
{
    return &story->pages[id / PAGE_IDS - story->first_page]->entries[id % PAGE_IDS];
}

static inline uint32_t worm_id(const struct anl_story *story, uint32_t slot)
{
    return slot == NONE ? NONE : story->worms[slot].id;
}

// Credits that a head needs (docs/switch.md).
static inline uint32_t need(const struct anl_story *story, const struct story_worm *worm)
{
    return story->config.admission == ANL_WORMHOLE ? 1 : worm->length;
}

// The nearest place, from where lane is fed upwards, that holds flits of its owner.
static inline uint32_t story_upstream(const struct anl_story *story, uint32_t lane)
{
    uint32_t place = story->places[lane].feed;
    while (story->places[place].front == NONE)
        place = story->places[place].feed;
    return place;
}

// The place that a head waits for if it wants the lane and cannot have it.
static inline uint32_t story_place_behind(const struct anl_story *story, uint32_t lane)
{
    const bool owned = story->places[lane].owner != NONE;
    uint32_t place = (uint32_t)pick(owned, story->places[lane].feed, lane);
    while (story->places[place].front == NONE)
        place = story->places[place].feed;
    return place;
}

// True if the tail of the front worm of the lane is in it.
static inline bool story_tail_is_here(const struct story_place *lane)
{
    return lane->owner != lane->front;
}

// Flits of the owner of lane that have not entered it.
static inline uint32_t story_to_come(const struct anl_story *story, uint32_t lane)
{
    const struct story_worm *owner = &story->worms[story->places[lane].owner];
    return (uint32_t)owner->length - story->places[story_upstream(story, lane)].index;
}

// --- story_places.c ---

enum anl_status story_places_create(struct anl_story *story);
void story_places_destroy(struct anl_story *story);

// What the switch at the end of a lane does with the head of a worm.
struct story_route story_route(const struct anl_story *story, uint32_t lane,
                               const struct story_worm *worm);

// All moves of this cycle carried out, and taken back again.
void story_apply(struct anl_story *story);
void story_take_back(struct anl_story *story);

// The moves told become those of this cycle.
void story_take_in(struct anl_story *story);

// Notes that a flit of the worm with that id crosses a link, or is taken by its terminal.
static inline void story_mark(struct anl_story *story, const struct story_move *move, uint32_t link,
                              uint32_t id)
{
    struct story_place *from = &story->places[move->from];
    from->moved = (uint16_t)(move->to - from->wanted);
    from->way = (struct story_way){story->turn, 0, NONE, id};
    story->links[link].crossed = move->from;
    story->links[link].crossed_turn = story->turn;
    story->links[from->link].full &= (uint16_t) ~((uint32_t)from->chained << from->vc);
}

static inline void story_mark_taken(struct anl_story *story, const struct story_move *move)
{
    struct story_place *from = &story->places[move->from];
    from->moved = TAKEN;
    from->way = (struct story_way){story->turn, 0, NONE, story->worms[move->slot].id};
}

// --- story_check.c ---

// Turns flits into the moves that are told, and notes them; ANL_ERR_FORMAT if they cannot be true.
enum anl_status story_check(struct anl_story *story, const struct anl_flit *flits, size_t count,
                            struct anl_error *error);

// --- story_worms.c ---

enum anl_status story_worms_create(struct anl_story *story);
void story_worms_destroy(struct anl_story *story);
enum anl_status story_worms_add(struct anl_story *story, const struct anl_worm *worm);
// NULL: it has not been told of, or is out of the network.
struct story_entry *story_worms_find(const struct anl_story *story, uint32_t id);
// Worms that came to the front of their source, or were created there, get a slot.
enum anl_status story_worms_activate(struct anl_story *story);
void story_worms_deactivate(struct anl_story *story);
// The cycle in which the next worm told of is created; UINT64_MAX: there is none.
uint64_t story_worms_next(const struct anl_story *story);
// The worms that are no more make room for those that are new: the active ones of this cycle.
void story_worms_renew(struct anl_story *story);

// --- story_lives.c ---

// Makes room for what a cycle may add to the lists of movers.
enum anl_status story_lives_reserve(struct anl_story *story);
// A worm is active from this cycle on, or no more.
void story_lives_add(struct anl_story *story, uint32_t slot);
void story_lives_remove(struct anl_story *story, uint32_t slot);
// What each worm does in this cycle.
void story_lives_account(struct anl_story *story);
// Stays that last are told.
void story_lives_end(struct anl_story *story);

// --- story_waits.c ---

// Of a place that is not empty.
enum anl_wait story_cause(const struct anl_story *story, uint32_t place);

// The first wanted link that the head at the front could have taken, or a body flit wants.
uint32_t story_could_take(const struct anl_story *story, uint32_t place);

// Finds the way from a place whose front does not move, all ways that it depends on, and their
// causes. Those of places that move are known from the beginning of the turn.
void story_search(const struct anl_story *story, uint32_t place);

// Finds out whom worms wait for that do not get on, and notes what they do if it is not what they
// did in the cycle before.
struct story_change *story_wait(struct anl_story *story, enum anl_wait old, const uint32_t *slots,
                                uint32_t count, struct story_change *change);

// The way from a place that is not empty.
static inline const struct story_way *story_way(const struct anl_story *story, uint32_t place)
{
    if (story->places[place].way.known != story->turn) story_search(story, place);
    return &story->places[place].way;
}

// --- story_safe.c ---

// Finds out whether the network is safe, if it is small.
enum anl_status story_find_safe(struct anl_story *story);

// --- story_dead.c ---

// Looks whether a head that has come to its place in this cycle can never leave it.
enum anl_status story_look_for_deadlock(struct anl_story *story);

#endif
