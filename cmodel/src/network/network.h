// SPDX-License-Identifier: Apache-2.0
//
// What a topology is to the rest of the library: one table of functions. To add a topology, write
// one file that fills such a table, add its value to enum anl_topology and its line to network.c.
//
// All functions of a table are pure. The configurations that they are given have passed
// anl_config_check().

#ifndef ANL_NETWORK_ROOM_H
#define ANL_NETWORK_ROOM_H

#include <annelid/network.h>

// What a switch reads of a head to route it.
struct network_head {
    uint32_t label;  // network->labels[destination], or the destination's number if labels is NULL
    uint32_t path;   // anl_worm.path; 0 unless network->carries_path
};

// Where a head may go from an input lane.
struct network_hop {
    uint8_t port;  // output port; of two equally short ones the lower one, or the one that the path
                   // selects
    uint8_t vcs;   // mask of the lanes of that port that the routing allows, never 0
};

// What decides between two output ports that bring a head equally near to its destination.
enum network_choice {
    CHOICE_NONE,    // each route has one port
    CHOICE_RANDOM,  // a bit of the switch's random state, in every cycle
    CHOICE_GREEDY,  // the first of the two ports that is free
};

enum { NETWORK_MAX_TIERS = 2 * ANL_MAX_DIMENSIONS };

// Where a switch is in a network with levels.
struct network_place {
    uint32_t level, number;  // number: in its level
};

// Immutable once made, so engines in several threads may share it.
//
// Port numbers are switch * P + port, and the link that leaves by a port has the port's number.
// Link numbers from switch_links on are the injection links; terminal t receives its ejection link
// at port number switch_links + t.
struct anl_network {
    struct anl_config config;
    struct anl_shape shape;
    const struct topology *topology;
    // Where heads have one option, or two between which choice decides: the same rule as
    // anl_route_at(), read from the tables.
    struct network_hop (*hop)(const struct anl_network *network, uint32_t switch_, uint32_t input,
                              uint32_t vc, struct network_head head);
    uint32_t switch_links;  // switches * ports

    uint32_t class_lanes;  // lanes that a class of messages has of each link: all if there is one
    // [classes] where they differ, the same network with the configuration of each class, of which
    // hop() is asked; else NULL
    struct anl_network *of_class;
    uint32_t *to;  // [links] port number at the end of the link; ANL_NO_PORT: no such link. NULL:
                   // the network is bare, and network_to() is to be asked
    // [links] link that ends at an input port, or at a terminal. NULL if links come in pairs: then
    // that link begins where the link with the number of the port ends
    uint32_t *from;
    uint32_t *labels;   // [switches] label of the terminal of each switch; NULL: heads carry the
                        // number of their destination, or the label is that number
    void *tables;       // one block, owned by the network, read by the topology alone; may be NULL
    bool carries_path;  // heads carry a path

    bool adaptive;     // heads select one of several options (docs/switch.md, "Adaptive routes")
    uint32_t escapes;  // mask of the escape lanes
    uint32_t atomic;   // mask of the atomic lanes of links between switches
    uint32_t straight[ANL_MAX_PORTS];  // the output port straight on from each input port

    enum network_choice choice;
    uint32_t choice_port;  // the lower of the two ports between which choice decides

    // Where links are chained (docs/switch.md, "Credits") switches decide tier by tier, so that
    // the switch at the end of a chained link decides before the one at its start: tier i has
    // switches tier_begin[i] … tier_begin[i + 1] - 1, and the last tier decides first.
    uint32_t num_tiers;
    uint32_t tier_begin[NETWORK_MAX_TIERS + 1];
};

struct topology {
    const char *name;  // as in scenario files
    uint32_t only_k;   // the only radix of this topology; 0: any from least_k on
    uint32_t least_k;
    uint32_t routings;         // mask of the values of enum anl_routing that work on it
    enum anl_routing routing;  // the routing if a scenario names none
    bool may_chain;            // credit bypass is allowed: its chains of links close no loop
    const char *halves;        // which links lead from one half to the other, in words

    // Refuses what the topology alone refuses of a configuration whose k and n are in range:
    // ANL_ERR_ARGUMENT. NULL: nothing.
    enum anl_status (*check)(const struct anl_config *config, struct anl_error *error);
    // Returns true if it is proved that no route closes a cycle of lanes (docs/cdg.md).
    bool (*is_acyclic)(const struct anl_config *config);
    // Returns true if links between switches can close a ring. NULL: none do.
    bool (*has_rings)(const struct anl_config *config);
    struct anl_shape (*shape)(const struct anl_config *config);
    struct anl_end (*link_end)(const struct anl_config *config, uint32_t switch_, uint32_t port);
    uint32_t (*ejection_link)(const struct anl_config *config, uint32_t terminal);
    // The number of the input port at which an injection link ends. NULL: that of the ejection
    // link.
    uint32_t (*injection_port)(const struct anl_config *config, uint32_t terminal);
    // Asked of links between switches and ejection links with credit bypass; NULL if may_chain is
    // false.
    bool (*is_chained_link)(const struct anl_config *config, uint32_t link);
    // The configuration is anl_config_of_class().
    struct anl_route (*route)(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination);
    // Returns the output port straight on from an input port; ANL_NO_PORT if there is none. NULL:
    // no input port has one.
    uint32_t (*straight)(const struct anl_config *config, uint32_t input);
    // The base of the digits of the path of a worm; 1: worms have no path. NULL: 1.
    uint32_t (*path_radix)(const struct anl_config *config);
    // The way of a worm with this path, where the path decides more than the port: else NULL. The
    // configuration is anl_config_of_class().
    struct network_hop (*hop_on_path)(const struct anl_config *config, struct anl_input_lane at,
                                      uint32_t destination, uint32_t path);
    // The one output port that a worm's path selects where a route has several ways; NULL if there
    // is hop_on_path.
    uint32_t (*path_port)(const struct anl_config *config, uint32_t switch_, uint32_t path);
    uint32_t (*distance)(const struct anl_config *config, uint32_t source, uint32_t destination);
    // Which half of the network a switch is in (anl_in_upper_half()). NULL: all are in the lower.
    bool (*in_upper_half)(const struct anl_config *config, uint32_t switch_);
    // Where a switch is, if the network is cut level by level (anl_cut()). NULL: by its number.
    struct network_place (*place)(const struct anl_config *config, uint32_t switch_);
    // What anl_num_link_tiers(), anl_link_tier() and anl_link_tier_name() do.
    uint32_t (*num_link_tiers)(const struct anl_config *config);
    uint32_t (*link_tier)(const struct anl_config *config, uint32_t from, uint32_t to);
    void (*link_tier_name)(const struct anl_config *config, uint32_t tier, char *text, size_t size);
    // Both write at most size bytes, terminated: "3(1,0)" and "+1". switch_name returns the length
    // of the whole name.
    size_t (*switch_name)(const struct anl_config *config, uint32_t switch_, char *text,
                          size_t size);
    void (*port_name)(const struct anl_config *config, uint32_t port, char *text, size_t size);

    // Fills labels, tables, choice and tiers of a network. Returns false if memory runs out; what
    // was allocated until then is freed with the network.
    bool (*prepare)(struct anl_network *network);
    // The same rule as route(), for a network with as many lanes as a class has, read from the
    // tables, where heads have one option, or two between which the network's choice decides.
    struct network_hop (*hop)(const struct anl_network *network, uint32_t switch_, uint32_t input,
                              uint32_t vc, struct network_head head);
};

// Masks of enum anl_routing: what works on lines, and on a network with any table.
enum {
    ADAPTIVE_ROUTINGS = 1 << ANL_WEST_FIRST | 1 << ANL_NORTH_LAST | 1 << ANL_NEGATIVE_FIRST |
                        1 << ANL_ODD_EVEN | 1 << ANL_ADAPTIVE,
};

// The topologies. One file defines those of one family.
extern const struct topology topology_mesh, topology_torus, topology_unidirectional_torus,
    topology_hypercube, topology_fat_tree, topology_graph, topology_cube, topology_butterfly;

// A walk along the route of a worm whose routing is source.
struct network_walk {
    const struct anl_graph *graph;
    const struct anl_worm *worm;
    uint32_t in;  // input port that the walk has come to; at its end switches * ports + terminal
    uint32_t passed;      // switches passed so far
    uint32_t port, link;  // output port by which the last one was left, and its link
};
struct network_walk network_walk_begin(const struct anl_graph *graph, const struct anl_worm *worm);
// Passes one more switch; returns false, and changes nothing, at the end of the route.
bool network_walk_next(struct network_walk *walk);

// Returns the hash of wiring and routes of a graph.
uint64_t network_hash_of(const struct anl_graph *graph);

// Returns the bits of numbers below values; at least 1.
uint32_t network_bits_for(uint32_t values);

// Returns whether something holds for the network that some class of messages has for itself.
bool network_some_class(const struct anl_config *config,
                        bool (*holds)(const struct anl_config *config));
// Returns the graph of a class; NULL: the network has none.
const struct anl_graph *network_graph_of_class(const struct anl_config *config, uint32_t class_);

// Returns the lanes of a link that correspond, in each class, to those lanes (mask) of class 0.
uint32_t network_in_all_classes(const struct anl_config *config, uint32_t vcs);

// Returns the route with this way alone.
struct anl_route network_route_of(struct network_hop hop);

// Returns the port number at the end of a link, as network->to has it.
uint32_t network_to(const struct anl_network *network, uint32_t link);

// Returns the number of the input port at which the injection link of a terminal ends.
uint32_t network_injection_port(const struct anl_config *config, uint32_t terminal);

// Returns the table of a topology; NULL if there is no such topology.
const struct topology *topology_of(enum anl_topology topology);

// Routing layered. The first fills graph->layers and num_layers for routes that are there already;
// ANL_ERR_ARGUMENT: more layers are needed than there are lanes, *error says how many;
// ANL_ERR_MEMORY. The others return the mask of the lanes of a layer, and the layer of a lane,
// where num_vcs lanes are split among the layers.
enum anl_status graph_assign_layers(struct anl_graph *graph, uint32_t num_vcs,
                                    struct anl_error *error);
uint32_t graph_layer_vcs(const struct anl_graph *graph, uint32_t num_vcs, uint32_t layer);
uint32_t graph_layer_of(const struct anl_graph *graph, uint32_t num_vcs, uint32_t vc);

// Return, of a dimension of a cube that has k switches in a row and is of this kind, whether a worm
// from coordinate c to t != c goes "+", and whether no lanes can depend on each other in a circle
// though they are not split at a dateline.
bool cube_goes_plus(enum anl_dimension_kind kind, uint32_t k, uint32_t c, uint32_t t);
bool cube_needs_no_dateline(enum anl_dimension_kind kind, uint32_t k);

// Returns the lanes of the dateline class in which a worm goes from coordinate c to t.
uint32_t cube_dateline_vcs(uint32_t num_vcs, bool plus, uint32_t c, uint32_t t);

// Returns the cube that a network is, without its terminals. Only for cubes of any kind.
struct anl_cube network_cube_of(const struct anl_config *config);

// The members of struct topology that all kinds of cubes share.
enum anl_status cube_check(const struct anl_config *config, struct anl_error *error);
bool cube_in_upper_half(const struct anl_config *config, uint32_t switch_);
bool cube_has_rings(const struct anl_config *config);
uint32_t cube_num_link_tiers(const struct anl_config *config);
uint32_t cube_link_tier(const struct anl_config *config, uint32_t from, uint32_t to);
void cube_link_tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size);
#define CUBE_HALVES "across the middle of the last dimension"

// Refuses a routing that does not work on a cube: ANL_ERR_ARGUMENT.
enum anl_status cube_check_routing(const struct anl_cube *cube, enum anl_routing routing,
                                   uint32_t num_vcs, struct anl_error *error);

// A switch and a destination as the adaptive routings see them, dimension by dimension.
struct cube_dimension {
    enum anl_dimension_kind kind;
    uint32_t port;  // output port "+d"; "-d" is the next one
    uint32_t k;     // switches in a row
    uint32_t c, t;  // coordinates of the switch and of the destination
};
struct cube_place {
    uint32_t dimensions;
    struct cube_dimension in[ANL_MAX_DIMENSIONS];
    uint32_t input;    // port by which the head has come
    uint32_t num_vcs;  // lanes of a link
    uint32_t escapes;  // mask of the escape lanes
};

// Returns the options of a head under an adaptive routing, at another switch than that of its
// destination.
struct anl_route cube_adaptive_route(enum anl_routing routing, const struct cube_place *place);

// Returns base to the power of exponent, which must fit into 32 bits.
uint32_t network_power(uint32_t base, uint32_t exponent);

// Returns the number of the first option of an entry of a graph's tables: that of a terminal at an
// input port of a switch.
size_t graph_entry(const struct anl_graph *graph, uint32_t switch_, uint32_t port,
                   uint32_t terminal);

// Returns how many options a graph's tables have in all.
size_t graph_options(const struct anl_graph *graph);

struct anl_cdg {
    struct anl_shape shape;
    uint32_t num_vcs;
    uint32_t lanes;
    uint32_t *end;               // [links] switch at the end of the link; UINT32_MAX: none
    uint32_t *answers;           // [links] of an ejection link the injection link of its terminal;
                                 // UINT32_MAX: another link. NULL: terminals take what comes
    uint8_t waits[ANL_MAX_VCS];  // of a lane of an ejection link, masks of the lanes of the
                                 // injection link for which the terminal may wait
    uint8_t *after;  // [lanes * ports] mask of the lanes of each output port of that switch that
                     // may come next; NULL: the graph is an extended one
    // The extended graph of a class: escape lanes have numbers link * num_escapes + i.
    uint32_t num_escapes;   // of a link
    uint32_t first_escape;  // the lowest one
    size_t words;           // of a row
    uint64_t *rows;  // [escape lanes * words] for each of them a set of those that it depends on
};

// Where heads for one terminal may stand, as far as their routes differ: at the switches or, if
// routes read the input port, at the input ports.
struct cdg_places {
    uint32_t count, ports;  // ports: places of a switch
    uint32_t *of_link;      // [links] place at the end of a link; UINT32_MAX: none
};

// Fills of_link, which the caller frees. ANL_ERR_MEMORY.
enum anl_status cdg_find_places(const struct anl_config *config, struct cdg_places *places);

static inline uint32_t cdg_switch_of(const struct cdg_places *places, uint32_t place)
{
    return place / places->ports;
}

static inline struct anl_input_lane cdg_lane_at(const struct cdg_places *places, uint32_t place)
{
    return (struct anl_input_lane){place / places->ports, place % places->ports, 0};
}

// Makes a graph with the ends of the links of a network and without any dependencies.
enum anl_status cdg_create_lanes(const struct anl_config *config, struct anl_cdg **cdg);

// Return the same as anl_cdg_after() and anl_cdg_dependencies(), of an extended graph.
size_t cdg_escape_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes);
uint64_t cdg_escape_dependencies(const struct anl_cdg *cdg);

#endif
