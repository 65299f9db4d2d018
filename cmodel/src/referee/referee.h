// SPDX-License-Identifier: Apache-2.0
//
// What the files of the referee share, and nobody else: its own reading of docs/networks.md, the
// table of worms that are not yet delivered, and its view of links and lanes.

#ifndef REFEREE_PARTS_H
#define REFEREE_PARTS_H

#include <annelid/referee.h>

// --- shape: docs/networks.md ---

#define REFEREE_NO_LINK UINT32_MAX  // end of a link that does not exist

struct referee_shape {
    struct anl_config config;
    uint32_t switches;
    uint32_t terminals;
    uint32_t ports;  // of a switch
    uint32_t links;  // numbers in use and not in use
    uint32_t width;  // coordinates of a switch: n, or level and address in a fat-tree
    uint32_t *coordinates;
};

// False: out of memory. config must be valid.
bool referee_shape_init(struct referee_shape *shape, const struct anl_config *config);
void referee_shape_free(struct referee_shape *shape);

// The node at the end of link (< shape->links): a switch, or switches + t for terminal t, or
// REFEREE_NO_LINK.
uint32_t referee_link_end(const struct referee_shape *shape, uint32_t link);

// True if a credit of link counts in the cycle in which it comes back.
bool referee_link_is_chained(const struct referee_shape *shape, uint32_t link);

// What a head may take at a switch: any of `ports` output ports from port upwards, and there the
// lanes of a set (bit w: lane w).
struct referee_route {
    uint32_t port, ports, lanes;
};
// path: of the worm, up_down_fixed alone looks at it.
struct referee_route referee_route(const struct referee_shape *shape, uint32_t switch_,
                                   uint32_t destination, uint32_t path);

// The same for a fat-tree (referee_tree.c), to be called by the functions above. Fills switches,
// terminals, ports and width.
void referee_tree_init(struct referee_shape *shape);
void referee_tree_place(const struct referee_shape *shape, uint32_t switch_, uint32_t *place);
uint32_t referee_tree_link_end(const struct referee_shape *shape, uint32_t switch_, uint32_t port);
struct referee_route referee_tree_route(const struct referee_shape *shape, uint32_t switch_,
                                        uint32_t destination, uint32_t path);

enum { REFEREE_NAME_BYTES = 96 };
void referee_switch_name(const struct referee_shape *shape, uint32_t switch_, char *name);
// Any number, also of links that do not exist.
void referee_link_name(const struct referee_shape *shape, uint32_t link, char *name);

// --- worms created and not yet delivered ---

struct referee_worm {
    uint64_t created;
    uint32_t id;
    uint32_t source;
    uint32_t destination;
    uint32_t path;
    uint32_t at;      // its stay nearest to the destination; 0: its head is not yet injected
    uint16_t length;  // 0: an empty place of the table
};

struct referee_worms {
    struct referee_worm *places;  // open addressing, linear probing
    uint32_t bits;                // 2^bits places
    uint32_t count;
};

bool referee_worms_init(struct referee_worms *worms);
void referee_worms_free(struct referee_worms *worms);
// False: out of memory. The id must not be in the table.
bool referee_worms_add(struct referee_worms *worms, const struct anl_worm *worm);
// NULL if there is none. The pointer is valid until the next add or remove.
struct referee_worm *referee_worms_find(const struct referee_worms *worms, uint32_t id);
void referee_worms_remove(struct referee_worms *worms, uint32_t id);
// The one with the lowest id; NULL if there is none. Slow.
const struct referee_worm *referee_worms_first(const struct referee_worms *worms);

// --- links and lanes ---
//
// A stamp is a cycle + 1, so that 0 is "never" and fresh memory is an empty network.

struct referee_link {
    uint64_t used;   // stamp of the last flit
    uint64_t tried;  // space chained: stamp of the last flit, judged or not yet
    uint32_t trier;  // its worm
    uint32_t end;    // referee_link_end()
    bool is_chained;
};

struct referee_lane {
    uint64_t left;   // stamp of the last flit that left; of an ejection lane: will leave
    uint32_t front;  // its stays, a queue; an ejection lane has only a back, while a worm enters
    uint32_t back;
    uint32_t count;  // flits in it now; ejection lane: 0
};

// A worm in a lane, from the cycle in which its head enters until its tail leaves.
struct referee_stay {
    uint64_t last;    // stamp of the last flit that entered
    uint32_t worm;    // id
    uint32_t link;    // of the lane
    uint32_t before;  // stay that its flits come from; 0: from the source queue
    uint32_t behind;  // next stay in the queue of the lane, or next free one
    uint16_t entered;
    uint16_t length;
    uint8_t vc;
};

struct anl_referee {
    struct referee_shape shape;
    struct referee_worms worms;
    struct referee_link *links;
    struct referee_lane *lanes;  // link * num_vcs + vc
    struct referee_stay *stays;  // [0] belongs to nobody and holds nothing
    uint32_t num_stays;
    uint32_t free_stay;
    uint64_t now;                  // stamp of the cycle being judged
    const struct anl_flit *flits;  // the flits being judged
    size_t count;
    uint64_t next_worm;  // ids below are created
    struct anl_violation violation;
    enum anl_status status;
};

// Judges one flit of the current cycle. False: a rule is broken, or there is no memory.
bool referee_judge(struct anl_referee *referee, const struct anl_flit *flit);

// Records the violation; the text is "cycle 7: flit 3 of worm 17 (3->12, 8 flits) crosses
// 5(1,1).+0 lane 1, but " and what format says. Returns false.
bool referee_breaks(struct anl_referee *referee, enum anl_rule rule, const struct anl_flit *flit,
                    const char *format, ...) __attribute__((format(printf, 4, 5)));

#endif
