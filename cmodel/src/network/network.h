// SPDX-License-Identifier: Apache-2.0
//
// What a topology is to the rest of the library: one table of functions. Adding a topology is one
// file that fills a table, its value in enum anl_topology, and its line in network.c.
//
// All functions of a table are pure. A configuration has passed the range checks of config.c, and
// but for check() those of the topology too.

#ifndef ANL_NETWORK_ROOM_H
#define ANL_NETWORK_ROOM_H

#include <annelid/network.h>

// What a switch reads of a head to route it.
struct network_head {
    uint32_t label;  // of the destination: network->labels, else its number
    uint32_t path;   // anl_worm.path
};

// Where a head goes from a switch.
struct network_hop {
    uint8_t port;  // output port; of two that are equally short the lower one, or that of the path
    uint8_t vcs;   // lanes of it that the routing allows (mask, never 0)
};

// Heads that two output ports bring equally near to their destination.
enum network_choice {
    CHOICE_NONE,    // routes name one port
    CHOICE_RANDOM,  // the random state of the switch chooses in every cycle
    CHOICE_GREEDY,  // the first of the two ports that is free
};

enum { NETWORK_MAX_STAGES = ANL_MAX_DIMENSIONS };

// Immutable once made, so that engines in several threads may share it.
//
// Ports are numbered switch * P + port, as the links that leave by them. Links from switch_links on
// are the injection links; terminal t receives its ejection link at port switch_links + t.
struct anl_network {
    struct anl_config config;
    struct anl_shape shape;
    const struct topology *topology;
    uint32_t switch_links;  // switches * ports

    uint32_t *to;    // [links] port at the end of the link; ANL_NO_PORT: no such link
    uint32_t *from;  // [switch_links] link that ends at an input port; NULL if links come in pairs:
                     // then it begins where the link of the same number ends
    uint32_t *labels;   // [switches] label of the terminal of each switch; NULL: heads carry the
                        // number of the destination
    void *tables;       // of the topology, one block; may be NULL
    bool carries_path;  // heads carry one; else network_head.path is 0

    enum network_choice choice;
    uint32_t choice_port;  // the lower of the two ports, unless CHOICE_NONE

    // If links are chained (docs/switch.md, "Space"), switches decide stage by stage, so that those
    // at the ends of chained links decide first: stage i has switches stage_begin[i] …
    // stage_begin[i + 1] - 1, and the last stage decides first.
    uint32_t num_stages;
    uint32_t stage_begin[NETWORK_MAX_STAGES + 1];
};

struct topology {
    const char *name;  // as in scenario files
    uint32_t only_k;   // the only radix that it has; 0: any from least_k on
    uint32_t least_k;
    uint32_t routings;         // mask of enum anl_routing
    enum anl_routing routing;  // unless a scenario names one
    bool may_chain;            // space chained makes no loop
    bool is_acyclic;           // no route can close a cycle of lanes: nothing to look for

    struct anl_shape (*shape)(const struct anl_config *config);
    struct anl_end (*link_end)(const struct anl_config *config, uint32_t switch_, uint32_t port);
    uint32_t (*ejection_link)(const struct anl_config *config, uint32_t terminal);
    bool (*is_chained_port)(const struct anl_config *config, uint32_t port);  // if space is chained
    struct anl_route (*route)(const struct anl_config *config, uint32_t switch_,
                              uint32_t destination);
    // The port that the path chooses, of those that a route leaves open.
    uint32_t (*path_port)(const struct anl_config *config, uint32_t switch_, uint32_t path);
    uint32_t (*distance)(const struct anl_config *config, uint32_t source, uint32_t destination);
    uint32_t (*rtl_kind)(const struct anl_config *config);
    // "3(1,0)" and "+1": both write at most size bytes, terminated; switch_name returns the length
    // of the whole name.
    size_t (*switch_name)(const struct anl_config *config, uint32_t switch_, char *text,
                          size_t size);
    void (*port_name)(const struct anl_config *config, uint32_t port, char *text, size_t size);

    // Fills labels, tables, choice and stages; false: no memory. What it has allocated is freed
    // with the network.
    bool (*prepare)(struct anl_network *network);
    // The same as route(), from the tables: a head at a switch.
    struct network_hop (*hop)(const struct anl_network *network, uint32_t switch_,
                              struct network_head head);
};

// Topologies, one a file.
extern const struct topology topology_mesh, topology_torus, topology_unidirectional_torus,
    topology_hypercube, topology_fat_tree;

// The table of a topology; NULL if there is no such topology.
const struct topology *topology_of(enum anl_topology topology);

// base to the power of exponent; the caller knows that it fits.
uint32_t network_power(uint32_t base, uint32_t exponent);

struct anl_cdg {
    struct anl_shape shape;
    uint32_t num_vcs;
    uint32_t lanes;
    uint32_t *end;   // [links] switch at the end; UINT32_MAX: none
    uint8_t *after;  // [lanes * ports] lanes of each output port of that switch (mask)
};

#endif
