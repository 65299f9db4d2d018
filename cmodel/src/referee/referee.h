// SPDX-License-Identifier: Apache-2.0
//
// What the files of the referee share: its own reading of docs/networks.md, the table of worms that
// are not yet delivered, and its view of links and lanes.

#ifndef REFEREE_PARTS_H
#define REFEREE_PARTS_H

#include <annelid/referee.h>

// --- shape: docs/networks.md ---

#define REFEREE_NO_LINK UINT32_MAX  // the end of a link that does not exist

struct referee_worm;

struct referee_shape {
    struct anl_config config;
    const struct referee_family *family;  // of the topology
    uint32_t switches;
    uint32_t terminals;
    uint32_t ports;         // of each switch
    uint32_t links;         // link numbers, some of which may be no link
    uint32_t classes;       // of messages
    uint32_t lanes;         // of each class
    uint32_t escapes;       // how many of them, the last ones, are escape lanes
    uint32_t width;         // coordinates of a switch: n, or 2 in a fat-tree (level and address) or
                            // butterfly (level and column)
    struct anl_cube cube;   // cubes of all kinds: radices, kinds, terminals of a switch
    uint32_t *coordinates;  // [switches * width]; NULL in a graph
    uint8_t *entries;       // graph: [terminals * switches] output port; NULL: the user's table
    uint8_t *layers;        // layered: [switches * switches] layer of the routes from a switch to
                            // another one; NULL: other routings
    uint32_t num_layers;
    struct referee_shape *of_class;  // [classes] the network that each class has for itself, if
                                     // they have routings or tables of their own; else NULL
};

// Fills *shape; config must be valid. Returns ANL_OK; ANL_ERR_MEMORY; ANL_ERR_ARGUMENT: routing
// layered needs more lanes. After a failure *shape must be freed as well.
enum anl_status referee_shape_init(struct referee_shape *shape, const struct anl_config *config);
void referee_shape_free(struct referee_shape *shape);

// Returns the shape by whose routes the worms of a class go, and whose lanes are those of the
// class.
const struct referee_shape *referee_class_shape(const struct referee_shape *shape, uint32_t class_);

// Returns the node at the end of a link (< shape->links): a switch, switches + t for terminal t, or
// REFEREE_NO_LINK.
uint32_t referee_link_end(const struct referee_shape *shape, uint32_t link);

// Returns the input port at which a link to a switch ends; 0 in a fat-tree, where no route depends
// on it.
uint32_t referee_link_input(const struct referee_shape *shape, uint32_t link);

// Returns how many paths a head can carry; 1 if heads carry none.
uint32_t referee_num_paths(const struct referee_shape *shape);
// Returns true if the worm has no route and no path of its own, or one that it can have.
bool referee_way_exists(const struct referee_shape *shape, const struct anl_worm *worm);

// Returns true if a credit of the link can be used in the cycle in which it returns (wide links: by
// flits that are not heads).
bool referee_link_is_chained(const struct referee_shape *shape, uint32_t link);

// Returns how many cycles a flit takes over a link, and a credit.
uint8_t referee_link_cycles(const struct referee_shape *shape, uint32_t link);
// Returns how many cycles after it has crossed the link a flit can cross the next one.
uint8_t referee_passage_cycles(const struct referee_shape *shape, uint32_t link);

// Return sets of the lanes of one class, counted from 0 (bit w: lane w): all of them, and those
// that are no escape lanes.
uint32_t referee_all_lanes(const struct referee_shape *shape);
uint32_t referee_adaptive_lanes(const struct referee_shape *shape);

// Return sets of the lanes of a link: those of the worm's class, and those in which it may be
// injected.
uint32_t referee_class_lanes(const struct referee_shape *shape, const struct referee_worm *worm);
uint32_t referee_injection_lanes(const struct referee_shape *shape,
                                 const struct referee_worm *worm);

// Where the head of a worm stands. A worm with a route of its own says by `passed` how far it is.
struct referee_head {
    const struct referee_worm *worm;
    uint32_t switch_;
    uint32_t input;  // port by which it has come
    uint32_t vc;     // lane in which it stands
};

// Where a head may go: by an output port whose set is not empty, in a lane of its set.
struct referee_route {
    uint8_t lanes[ANL_MAX_PORTS];
};
struct referee_route referee_route(const struct referee_shape *shape,
                                   const struct referee_head *head);

// How the functions above answer for one family of topologies. The routes have the lanes of class
// 0.
struct referee_family {
    // Sets switches, terminals, ports, width and escapes.
    void (*init)(struct referee_shape *shape);
    // Writes the coordinates of a switch. NULL: switches have none.
    void (*place)(const struct referee_shape *shape, uint32_t switch_, uint32_t *coordinates);
    // Computes the tables of a family whose switches have no coordinates; returns what
    // referee_shape_init() does.
    enum anl_status (*fill)(struct referee_shape *shape);
    uint32_t (*link_end)(const struct referee_shape *shape, uint32_t link);
    uint32_t (*link_input)(const struct referee_shape *shape, uint32_t link);  // NULL: 0
    bool (*is_chained)(const struct referee_shape *shape, uint32_t link);      // NULL: never
    struct referee_route (*route)(const struct referee_shape *shape,
                                  const struct referee_head *head);
    // Returns how many paths a worm may have. NULL: 1.
    uint32_t (*num_paths)(const struct referee_shape *shape);
    // Writes the name of a switch, of at most REFEREE_NAME_BYTES. NULL: its number and its
    // coordinates.
    void (*switch_name)(const struct referee_shape *shape, uint32_t switch_, char *name);
    // Writes the name of a port, of at most size bytes. NULL: its number.
    void (*port_name)(const struct referee_shape *shape, uint32_t port, char *name, size_t size);
};

// The families. A file defines one: cube.c that of cubes of all kinds, tree.c, butterfly.c and
// graph.c. A place in a fat-tree is level and address, in a butterfly level and column.
extern const struct referee_family referee_cubes, referee_trees, referee_butterflies,
    referee_graphs;

// Returns whether a worm can have this route of its own: each port has a link, all but the last one
// lead to switches, the last one leads to the destination, and no link is passed twice.
bool referee_graph_has_route(const struct referee_shape *shape, const struct anl_worm *worm);

// Assigns layers to the pairs of switches of a graph whose entries are filled (layers.c). Returns
// what referee_shape_init() does.
enum anl_status referee_layers_fill(struct referee_shape *shape);
// Returns the lanes of the worm's layer, of those of one class; all of them unless the routing is
// layered.
uint32_t referee_layer_lanes(const struct referee_shape *shape, const struct referee_worm *worm);

enum { REFEREE_NAME_BYTES = 96 };
void referee_switch_name(const struct referee_shape *shape, uint32_t switch_, char *name);
// Accepts any number, also that of a link that does not exist.
void referee_link_name(const struct referee_shape *shape, uint32_t link, char *name);

// --- worms created and not yet delivered ---

struct referee_worm {
    uint64_t created;
    uint32_t id;
    uint32_t source;
    uint32_t destination;
    uint32_t path;
    uint32_t at;           // the visit nearest to the destination; 0: its head is not yet injected
    uint16_t length;       // 0: an empty slot of the table
    uint8_t class_;        // of messages
    uint8_t role;          // enum anl_role
    const uint8_t *route;  // of its own: the output ports of the switches on its way; NULL: none
    uint16_t route_length;
    uint16_t passed;  // links that its head has crossed
};

struct referee_worms {
    struct referee_worm *slots;  // a hash table with open addressing and linear probing
    uint32_t bits;               // 2^bits slots
    uint32_t count;
};

bool referee_worms_init(struct referee_worms *worms);
void referee_worms_free(struct referee_worms *worms);
// Adds a worm whose id is not in the table. Returns false if memory runs out.
bool referee_worms_add(struct referee_worms *worms, const struct anl_worm *worm);
// Returns the worm, or NULL if there is none. The pointer is valid until the next add or remove.
struct referee_worm *referee_worms_find(const struct referee_worms *worms, uint32_t id);
void referee_worms_remove(struct referee_worms *worms, uint32_t id);
// Returns the worm with the lowest id, or NULL if there is none. Searches the whole table.
const struct referee_worm *referee_worms_first(const struct referee_worms *worms);

// --- links and lanes ---
//
// A time is stored as cycle + 1, so that 0 means never and zeroed memory is an empty network.

struct referee_link {
    uint64_t used;    // time of the last flit
    uint64_t tried;   // credit bypass: time of the last flit, whether it is already checked or not
    uint32_t trier;   // worm of that flit
    uint32_t end;     // referee_link_end()
    uint8_t input;    // referee_link_input(), if the link ends at a switch
    uint8_t cycles;   // that a flit takes over it, and a credit
    uint8_t passage;  // cycles from a flit on it to the same flit on the next link, at least
    bool is_chained;
};

struct referee_lane {
    uint64_t due;    // time from which on a credit has been missing; 0: none is
    uint64_t used;   // time of the last flit that entered
    uint64_t tried;  // wide links, credit bypass: time of the last flit that left, whether it is
                     // already checked or not
    uint64_t left;   // time at which the last flit left; ejection lane of a terminal that does not
                     // refuse: at which it will leave
    uint32_t front;  // queue of the visits in the lane; such an ejection lane has only a back,
                     // while a worm enters
    uint32_t back;
    uint32_t count;  // flits in the lane now; such an ejection lane: 0
    uint32_t spent;  // flits that have entered and whose credits are not back
    // Bit i says that a flit entered (left) i cycles before the last one that did. A flit enters
    // when it crosses the link, and is on its way for some cycles.
    uint32_t entries, exits;
};

// The visit of a worm to a lane, from the cycle in which its head enters until its tail leaves.
struct referee_visit {
    uint64_t last;    // time of the last flit that entered
    uint32_t worm;    // id of the worm
    uint32_t link;    // of the lane
    uint32_t before;  // visit from which its flits come; 0: they come from the source queue
    uint32_t behind;  // next visit in the queue of the lane, or next free visit
    uint32_t source;  // terminal of the worm
    uint16_t entered;
    uint16_t taken;  // flits that a sink has taken
    uint16_t length;
    uint8_t vc;
    uint8_t role;  // of the worm
};

// A terminal that can refuse.
struct referee_terminal {
    uint32_t ejection;      // its link
    uint32_t reservations;  // for replies that are taken
    uint8_t refusing;       // bit c: the sink of class c refuses the tail in lane shown[c]
    uint8_t shown[ANL_MAX_VCS];
};

// A reply that is owed for a request, or that is created.
struct referee_reply {
    uint64_t time;  // in which its request is taken whole, or in which it is created
    uint32_t source;
    uint32_t destination;
    uint32_t worm;  // the request, or the reply
};

struct referee_replies {
    struct referee_reply *items;
    size_t count;
};

// When worms were delivered, for those that wait for them.
struct referee_deliveries {
    bool kept;
    uint64_t *times;  // [room] by id; 0: not delivered
    size_t room;
};

// Flits of a step. The owner initialises it with zeros and frees the flits.
struct referee_list {
    struct anl_flit *flits;
    size_t count, room;
};
// Returns false if memory runs out.
bool referee_list_add(struct referee_list *list, const struct anl_flit *flit);

// The rules of another kind of switch, which judges the flits: the functions do what those of
// annelid/referee.h do.
struct referee_game {
    // ANL_ERR_MEMORY: destroy() is still to be called.
    enum anl_status (*create)(struct anl_referee *referee, const struct anl_config *config);
    void (*destroy)(struct anl_referee *referee);
    bool (*worm)(struct anl_referee *referee, const struct anl_worm *worm);
    bool (*flits)(struct anl_referee *referee, uint64_t cycle, const struct anl_flit *flits,
                  size_t count);
    bool (*end)(struct anl_referee *referee, uint64_t cycles, bool complete);
    // Its rules, which an enumeration of its own numbers from 1; 0: none is broken. Return the name
    // of a rule, and what breaks it.
    const char *(*name)(unsigned rule);
    const char *(*words)(unsigned rule);
    unsigned num_rules;
};

struct anl_referee {
    const struct referee_game *game;  // NULL: kind buffered
    void *of_game;                    // what the game keeps, and frees
    struct referee_shape shape;
    struct referee_worms worms;
    struct referee_link *links;
    struct referee_lane *lanes;    // [link * num_vcs + vc]
    struct referee_visit *visits;  // [0] is unused and holds nothing
    uint32_t num_visits;
    uint32_t free_visit;
    struct referee_terminal *terminals;  // NULL: they do not refuse
    struct referee_replies owed;         // replies whose requests are taken or will be in the next
                                         // cycle
    struct referee_replies created;      // replies that are not yet known to be owed
    bool overtaking;                     // worms of one lane may overtake each other
    struct referee_deliveries deliveries;
    uint64_t now;                  // time of the cycle being checked
    const struct anl_flit *flits;  // all flits of that cycle
    size_t count;
    uint64_t next_worm;  // worms with lower ids are created
    struct anl_violation violation;
    enum anl_status status;
};

// Returns true if the flit may use a credit that returns in the cycle in which it is sent.
bool referee_is_chained(const struct anl_referee *referee, const struct anl_flit *flit);

// Notes, before the flits of the current cycle are checked, from which lanes they come: wide links,
// credit bypass.
void referee_note_origins(struct anl_referee *referee);

// Checks one flit of the current cycle. Returns false if a rule is broken or memory runs out.
bool referee_check_flit(struct anl_referee *referee, const struct anl_flit *flit);

// Checks the credits of the current cycle after its flits. Returns false if a rule is broken.
bool referee_check_credits(struct anl_referee *referee, const struct anl_credits *credits,
                           size_t count);
// Checks that no credit is missing in a network at rest. Returns false if one is.
bool referee_check_rest(struct anl_referee *referee);

// Returns how many of the flits that left a lane did so in the last cycles, `cycles` of them with
// the current one; 0: none.
uint32_t referee_left_lately(const struct anl_referee *referee, const struct referee_lane *lane,
                             uint32_t cycles);

// Takes the visit at the front out of the queue of its lane.
void referee_release_front(struct anl_referee *referee, struct referee_lane *lane);

// Worms that wait for others (order.c). referee_note_delivery() may set status.
void referee_note_delivery(struct anl_referee *referee, uint32_t worm);
// Checks that a worm is created in the cycle that follows from what it has waited for. Returns
// false if it is not.
bool referee_check_created(struct anl_referee *referee, const struct anl_worm *worm);

// Sinks and replies (sinks.c). referee_sinks_init() returns false if memory runs out;
// referee_sinks_announce() and the next two may set status.
bool referee_sinks_init(struct anl_referee *referee);
void referee_sinks_free(struct anl_referee *referee);
// Notes a worm that is created.
void referee_sinks_announce(struct anl_referee *referee, const struct anl_worm *worm);
// Puts a flit, which crosses an ejection link, into the last visit of its lane.
void referee_sinks_enter(struct anl_referee *referee, const struct anl_flit *flit);
// Notes that the tail of a worm crosses its injection link.
void referee_sinks_injected(struct anl_referee *referee, const struct referee_visit *visit);
// Plays the sinks from the cycle after that of `now` to that of the time, in which no flit has
// crossed a link yet, and checks that replies are created when they must be. Returns false if one
// is not or memory runs out.
bool referee_check_sinks(struct anl_referee *referee, uint64_t time);

// Records a violation and returns false. The text is "cycle 7: flit 3 of worm 17 (3->12, 8 flits)
// crosses 5(1,1).+0 lane 1, but ", followed by format.
bool referee_breaks(struct anl_referee *referee, enum anl_rule rule, const struct anl_flit *flit,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

// Adds what is known of the worm to a violation.
void referee_blames(struct anl_violation *violation, uint32_t source, uint32_t destination,
                    uint32_t length);

// Records that a worm of a game cannot exist, and returns false. The text is "cycle 7: worm 17
// (3->12, 8 flits) is created, but ", followed by but.
bool referee_refuses_worm(struct anl_referee *referee, const struct anl_worm *worm, uint32_t link,
                          const char *but);

#endif
