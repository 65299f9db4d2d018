// SPDX-License-Identifier: Apache-2.0
//
// What the files of the referee share: its own reading of docs/networks.md, the table of worms that
// are not yet delivered, and its view of links and lanes.

#ifndef REFEREE_PARTS_H
#define REFEREE_PARTS_H

#include <annelid/referee.h>

// --- shape: docs/networks.md ---

#define REFEREE_NO_LINK UINT32_MAX  // the end of a link that does not exist

struct referee_shape {
    struct anl_config config;
    uint32_t switches;
    uint32_t terminals;
    uint32_t ports;         // of each switch
    uint32_t links;         // link numbers, some of which may be no link
    uint32_t width;         // coordinates of a switch: n, or 2 in a fat-tree (level and address)
    struct anl_cube cube;   // cubes of all kinds: radices, kinds, terminals of a switch
    uint32_t *coordinates;  // [switches * width]; NULL in a graph
    uint8_t *entries;       // graph: [terminals * switches] output port; NULL: the user's table
};

// Fills *shape; config must be valid. Returns false if memory runs out.
bool referee_shape_init(struct referee_shape *shape, const struct anl_config *config);
void referee_shape_free(struct referee_shape *shape);

// Returns the node at the end of a link (< shape->links): a switch, switches + t for terminal t, or
// REFEREE_NO_LINK.
uint32_t referee_link_end(const struct referee_shape *shape, uint32_t link);

// Returns true if a credit of the link can be used in the cycle in which it returns.
bool referee_link_is_chained(const struct referee_shape *shape, uint32_t link);

// Where a head may go from a switch: by any of `ports` output ports from port upwards, in any lane
// of a set (bit w: lane w).
struct referee_route {
    uint32_t port, ports, lanes;
};
// Returns the route; path is that of the worm, which only up_down_fixed uses.
struct referee_route referee_route(const struct referee_shape *shape, uint32_t switch_,
                                   uint32_t destination, uint32_t path);

// The same for a fat-tree (tree.c), called by the functions above. referee_tree_init() sets
// switches, terminals, ports and width; referee_tree_place() writes level and address.
void referee_tree_init(struct referee_shape *shape);
void referee_tree_place(const struct referee_shape *shape, uint32_t switch_, uint32_t *place);
uint32_t referee_tree_link_end(const struct referee_shape *shape, uint32_t switch_, uint32_t port);
struct referee_route referee_tree_route(const struct referee_shape *shape, uint32_t switch_,
                                        uint32_t destination, uint32_t path);

// The same for a graph (graph.c). referee_graph_fill() computes the entries of the routing table
// and returns false if memory runs out.
void referee_graph_init(struct referee_shape *shape);
bool referee_graph_fill(struct referee_shape *shape);
uint32_t referee_graph_link_end(const struct referee_shape *shape, uint32_t link);
struct referee_route referee_graph_route(const struct referee_shape *shape, uint32_t switch_,
                                         uint32_t destination);
void referee_graph_switch_name(const struct referee_shape *shape, uint32_t switch_, char *name);

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
    uint32_t at;      // the visit nearest to the destination; 0: its head is not yet injected
    uint16_t length;  // 0: an empty slot of the table
    uint16_t route_length, passed;  // ports of its own route, 0: none; links that its head crossed
    const uint8_t *route;
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
    uint64_t used;   // time of the last flit
    uint64_t tried;  // space chained: time of the last flit, whether it is already checked or not
    uint32_t trier;  // worm of that flit
    uint32_t end;    // referee_link_end()
    bool is_chained;
};

struct referee_lane {
    uint64_t due;    // time from which on a credit has been missing; 0: none is
    uint64_t left;   // time at which the last flit left; ejection lane: at which it will leave
    uint32_t front;  // queue of the visits in the lane; an ejection lane has only a back, while a
                     // worm enters
    uint32_t back;
    uint32_t count;  // flits in the lane now; ejection lane: 0
    uint32_t spent;  // flits that have entered and whose credits are not back
};

// The visit of a worm to a lane, from the cycle in which its head enters until its tail leaves.
struct referee_visit {
    uint64_t last;    // time of the last flit that entered
    uint32_t worm;    // id of the worm
    uint32_t link;    // of the lane
    uint32_t before;  // visit from which its flits come; 0: they come from the source queue
    uint32_t behind;  // next visit in the queue of the lane, or next free visit
    uint16_t entered;
    uint16_t length;
    uint8_t vc;
};

struct anl_referee {
    struct referee_shape shape;
    struct referee_worms worms;
    struct referee_link *links;
    struct referee_lane *lanes;    // [link * num_vcs + vc]
    struct referee_visit *visits;  // [0] is unused and holds nothing
    uint32_t num_visits;
    uint32_t free_visit;
    uint64_t now;                  // time of the cycle being checked
    const struct anl_flit *flits;  // all flits of that cycle
    size_t count;
    uint64_t next_worm;  // worms with lower ids are created
    struct anl_violation violation;
    enum anl_status status;
};

// Checks one flit of the current cycle. Returns false if a rule is broken or memory runs out.
bool referee_check_flit(struct anl_referee *referee, const struct anl_flit *flit);

// Checks the credits of the current cycle after its flits. Returns false if a rule is broken.
bool referee_check_credits(struct anl_referee *referee, const struct anl_credits *credits,
                           size_t count);
// Checks that no credit is missing in a network at rest. Returns false if one is.
bool referee_check_rest(struct anl_referee *referee);

// Records a violation and returns false. The text is "cycle 7: flit 3 of worm 17 (3->12, 8 flits)
// crosses 5(1,1).+0 lane 1, but ", followed by format.
bool referee_breaks(struct anl_referee *referee, enum anl_rule rule, const struct anl_flit *flit,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
