// SPDX-License-Identifier: Apache-2.0
//
// What a network is: its configuration, its switches, ports, links and routes, the data bits of its
// flits, and its channel-dependency graph. Formulas: docs/networks.md.
//
// Functions that take a configuration are pure, and the configuration must have passed
// anl_config_check(). Switches, terminals, ports and links are numbered as in docs/networks.md.

#ifndef ANNELID_NETWORK_H
#define ANNELID_NETWORK_H

#include <annelid/base.h>
#include <annelid/machine.h>
#include <annelid/records.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- configuration ---

// Returns ANL_OK, or ANL_ERR_ARGUMENT with the reason in error->text (error may be NULL).
enum anl_status anl_config_check(const struct anl_config *config, struct anl_error *error);

// Returns the bits of a terminal's label (docs/networks.md).
uint32_t anl_label_bits(const struct anl_config *config);

// Returns how many bits the fields of a head have (docs/link.md): destination, length, rank (stamp
// or distance), path, route. flit_width_bits of config is ignored and need not be valid.
uint32_t anl_head_bits(const struct anl_config *config);

enum { ANL_LENGTH_BITS = 7 };  // of the length in a head

// Returns true if heads carry the length of their worm (docs/link.md).
bool anl_head_has_length(const struct anl_config *config);

// Returns whether a flit that crosses its link ends the way of its worm to a destination: it is the
// tail, and the link ends at the terminal, of which a kind may ask more (annelid/machine.h).
bool anl_is_delivery(const struct anl_config *config, const struct anl_flit *flit,
                     uint32_t destination);

// Returns after how many cycles in which no flit moves none of those that are in the network will
// move any more; UINT64_MAX: no flit that is there ever stands still, or one that does may always
// move later.
uint64_t anl_patience(const struct anl_config *config);

// Returns how many flits a worm may have at most: as many as a lane holds where the flow control
// wants whole worms to fit, else as many as the field of the head can say, if it has one.
uint32_t anl_longest_worm(const struct anl_config *config);

// Return the routing that holds if a scenario names none, and the only radix k that the topology
// can have (0: several).
enum anl_routing anl_default_routing(enum anl_topology topology);
uint32_t anl_only_radix(enum anl_topology topology);

// Returns true if it is proved that the channel-dependency graph has no cycle, so that it need not
// be searched: all networks but tori without dateline lanes, of which this is the exact answer, and
// graphs with another routing than up_down, of which it is not known (docs/cdg.md). With escape
// lanes the graph may have cycles of adaptive lanes, and true says that they do no harm. Where
// terminals refuse requests and there is one class of messages, the graph has a cycle.
bool anl_is_acyclic_by_rule(const struct anl_config *config);

// Return how many classes of messages there are (docs/switch.md, "Message classes"), at least 1,
// and how many lanes each of them has of every link. Class c has the lanes from c times their
// number on.
uint32_t anl_num_classes(const struct anl_config *config);
uint32_t anl_class_lanes(const struct anl_config *config);
// Return the class of a lane, the mask of the lanes of a class, and its weight, 1..255.
uint32_t anl_class_of(const struct anl_config *config, uint32_t vc);
uint32_t anl_class_vcs(const struct anl_config *config, uint32_t class_);
uint32_t anl_class_weight(const struct anl_config *config, uint32_t class_);

// Returns true if the classes have routings or tables of their own.
bool anl_classes_differ(const struct anl_config *config);
// Returns the configuration of the network that a class has for itself: without classes, with the
// lanes, the routing and the graph of that one.
struct anl_config anl_config_of_class(const struct anl_config *config, uint32_t class_);

// Returns how many flits can cross a link in a cycle: as many as it has lanes if it is wide,
// else 1.
uint32_t anl_link_flits(const struct anl_config *config);

// Return how many cycles a flit, and a credit, takes over a link between switches (docs/link.md,
// "Links of several cycles"), at least 1; how many stages a switch has (docs/switch.md, "Two
// stages"), 1 or 2; how many cycles pass from the one in which a flit is granted to the first one
// in which it stands in the lane at the end of a link between switches; and the least depth at
// which one worm can send a flit over such a link in every cycle.
uint32_t anl_link_cycles(const struct anl_config *config);
uint32_t anl_stages(const struct anl_config *config);
uint32_t anl_hop_cycles(const struct anl_config *config);
uint32_t anl_full_rate_depth(const struct anl_config *config);

// What the arbiters of an arbitration policy have, and who knows it (docs/switch.md, "Arbitration
// policies").
enum anl_arbiter_trait {
    ANL_ARBITER_STATE = 1 << 0,      // more than a pointer
    ANL_ARBITER_DRAWS = 1 << 1,      // read the random state of the switch
    ANL_ARBITER_STAMPS = 1 << 2,     // compare stamps, which heads carry
    ANL_ARBITER_DISTANCES = 1 << 3,  // compare distances, which heads carry
    ANL_ARBITER_WIDE = 1 << 4,       // serve wide links
    ANL_ARBITER_BATCH = 1 << 5,      // are those of batches, too
    ANL_ARBITER_RANKS = ANL_ARBITER_STAMPS | ANL_ARBITER_DISTANCES,
};

// Returns true if a policy has one of these traits, a mask.
bool anl_arbiter_has(enum anl_arbiter arbiter, unsigned traits);
// Returns the mask of the policies that have one of these traits, or of those that have none: bit i
// stands for policy i.
uint32_t anl_arbiters_with(unsigned traits, bool have);
// Writes the names of the policies of a mask, "fixed, round_robin or random", at most size bytes
// with the end. Returns text.
enum { ANL_ARBITER_NAMES_BYTES = 256 };
const char *anl_arbiter_names(uint32_t mask, char *text, size_t size);

// Returns true if the switches have a random generator (docs/random.md).
bool anl_config_reads_random(const struct anl_config *config);

// Returns true if heads select one of several options (docs/switch.md, "Adaptive routes"). A graph
// must have its table or its routes.
bool anl_is_adaptive(const struct anl_config *config);

// Returns true if the routing is one of the turn models of a mesh: west_first, north_last,
// negative_first, odd_even.
bool anl_is_turn_model(enum anl_routing routing);

// Returns true if a route depends on the input port at which the head stands.
bool anl_reads_input(const struct anl_config *config);

// Returns the mask of the escape lanes of each link, which are the last ones of each class of
// messages; 0: there are none.
uint32_t anl_escape_lanes(const struct anl_config *config);

// Returns the mask of the atomic lanes of each link between switches, which a head may take only if
// they are empty; 0: there are none.
uint32_t anl_atomic_lanes(const struct anl_config *config);

// Returns true if each head that waits in an adaptive lane comes to its front without the help of
// adaptive lanes, and so may ask for an escape lane (docs/cdg.md, "Escape lanes").
bool anl_escapes_are_asked(const struct anl_config *config);

// Return the names used in scenario files ("torus", "dateline", …), or "?" if the value is out of
// range.
const char *anl_topology_name(enum anl_topology topology);
const char *anl_routing_name(enum anl_routing routing);
const char *anl_arbiter_name(enum anl_arbiter arbiter);
const char *anl_flow_control_name(enum anl_flow_control flow_control);
const char *anl_credit_return_name(enum anl_credit_return credits);
const char *anl_link_kind_name(enum anl_link link);
const char *anl_rounds_name(enum anl_rounds rounds);
const char *anl_switch_kind_name(enum anl_switch_kind kind);
const char *anl_select_name(enum anl_select select);
const char *anl_atomic_name(enum anl_atomic atomic);
// Returns "plain", "request" or "reply", as in traces, or "?" if role is no enum anl_role.
const char *anl_role_name(uint8_t role);

// --- shape, wiring, routes ---

struct anl_shape {
    uint32_t switches;   // S: k^n in a cube with k switches in each of n dimensions
    uint32_t ports;      // P, ports of each switch
    uint32_t terminals;  // T
    uint32_t links;      // S * P + T link numbers; some of them may be no link (docs/networks.md)
};

// An input lane of a switch (docs/switch.md, "Words"): where a head stands that asks for its route.
struct anl_input_lane {
    uint32_t switch_, port, vc;
};

// The ways that a head may go.
struct anl_route {
    uint32_t ports;              // mask of output ports, never 0
    uint8_t vcs[ANL_MAX_PORTS];  // of each of these ports the mask of the lanes that the head may
                                 // take, never 0; of the others 0
};

// One of them: an output port, and the mask of the lanes that the head may take there.
struct anl_way {
    uint32_t port, vcs;
};

// Where a link ends: at an input port of a switch, or at a terminal.
struct anl_end {
    bool exists;
    bool is_terminal;  // node is a terminal, port is 0
    uint32_t node;     // number of the switch or terminal
    uint32_t port;
};

// Returns the numbers of switches, ports, terminals and links.
struct anl_shape anl_shape_of(const struct anl_config *config);

// Returns the end of the link that leaves switch_ by output port port. exists is false at the edge
// of a mesh and above the root of a fat-tree.
struct anl_end anl_link_end(const struct anl_config *config, uint32_t switch_, uint32_t port);

// Returns the end of the link with this number, which may be an injection link.
struct anl_end anl_end_of(const struct anl_config *config, uint32_t link);

// Return whether credits may be bypassed on a topology, and whether it is one of the four k-ary
// n-cubes: k switches in each of n dimensions, with a terminal each.
bool anl_may_chain(enum anl_topology topology);
bool anl_is_k_ary_cube(enum anl_topology topology);

// Returns which links lead from one half of a network to the other (anl_in_upper_half()): "across
// the middle of the last dimension".
const char *anl_halves(enum anl_topology topology);

// The links between switches fall into tiers: the dimensions of a cube, the levels of a butterfly,
// of a fat-tree those of the way up and then those of the way down; all links of a graph are one.
// Return how many there are, and the tier of a link from one switch to another. The last writes
// its name, "dimension 0", at most size bytes, always terminated.
uint32_t anl_num_link_tiers(const struct anl_config *config);
uint32_t anl_link_tier(const struct anl_config *config, uint32_t from, uint32_t to);
void anl_link_tier_name(const struct anl_config *config, uint32_t tier, char *text, size_t size);

// Returns the number of the terminal's ejection link. It leaves switch link / P by port link % P.
// Where its injection link ends: anl_end_of(anl_injection_link()).
uint32_t anl_ejection_link(const struct anl_config *config, uint32_t terminal);

// Returns the number of the terminal's injection link.
uint32_t anl_injection_link(const struct anl_config *config, uint32_t terminal);

// Returns true if a credit of this link can be used in the cycle in which it returns: by all flits
// or, if links are wide, by those that are not heads (docs/switch.md, "Credits" and "Wide links").
bool anl_link_is_chained(const struct anl_config *config, uint32_t link);

// Returns the ways that the head of a worm for terminal destination may go from an input lane.
struct anl_route anl_route_at(const struct anl_config *config, struct anl_input_lane at,
                              uint32_t destination);

// Returns the same for a worm with this path (anl_worm.path): one way wherever the path decides.
struct anl_route anl_route_on_path(const struct anl_config *config, struct anl_input_lane at,
                                   uint32_t destination, uint32_t path);

// The lanes of a link fall into groups, and a worm keeps to those of one group from its injection
// link to its ejection link. Routing layered has a group for each layer of each class of messages;
// otherwise there is one for each class.
//
// Returns the lanes (mask) of the injection link that worms from source to destination may take:
// those of their group, in each class of messages. A worm takes those of its class.
uint32_t anl_injection_vcs(const struct anl_config *config, uint32_t source, uint32_t destination);

// Returns the mask of the lanes in the group of a lane. They have successive numbers.
uint32_t anl_group_vcs(const struct anl_config *config, uint32_t vc);

// Returns the way by the lowest port of a route, which is the only way of most routes.
struct anl_way anl_first_way(struct anl_route route);

// Returns the links between the switches of source and destination on a shortest path, without the
// injection and the ejection link; in a graph those of the route, of class 0.
uint32_t anl_distance(const struct anl_config *config, uint32_t source, uint32_t destination);

// Returns the links between switches on the route of a worm, which heads carry where the arbiter is
// farthest: anl_distance() in the network of its class, unless the worm has a route of its own.
uint32_t anl_worm_distance(const struct anl_config *config, const struct anl_worm *worm);

// Returns the coordinates of a terminal packed into a label, as heads carry it. A label fits into
// 64 bits because k^n <= 2^22 and n <= 10.
uint64_t anl_label(const struct anl_config *config, uint32_t terminal);

// Ports 0 … ANL_TREE_UP - 1 of a switch of a fat-tree lead to its children, the others to its
// parents.
enum { ANL_TREE_CHILDREN = 4, ANL_TREE_UP = 4, ANL_TREE_PORTS = 6 };

// Where a switch of a fat-tree is: its level (1..n), and its address in the level.
struct anl_tree_place {
    uint32_t level, address;
};
// Return the place of a switch, and the number of the switch at a place.
struct anl_tree_place anl_tree_place(const struct anl_config *config, uint32_t switch_);
uint32_t anl_tree_switch(const struct anl_config *config, struct anl_tree_place place);

// Where a switch of a butterfly is: its level (0..D), and its column.
struct anl_fly_place {
    uint32_t level, column;
};
// Returns the place of a switch.
struct anl_fly_place anl_fly_place(const struct anl_config *config, uint32_t switch_);

// Returns how often worms pass a butterfly; 1 in all other networks.
uint32_t anl_num_passes(const struct anl_config *config);

// Returns the coordinate of a switch (in a fat-tree or butterfly: of a terminal) in a dimension,
// 0..k-1.
uint32_t anl_coordinate(const struct anl_config *config, uint32_t node, uint32_t dimension);

// Writes the name of a switch: "3(1,0)", in a fat-tree "5(2,1)" (level, address), in a butterfly
// "5(1,1)" (level, column). Writes at most size bytes, always terminated; returns the length of the
// whole name.
size_t anl_switch_name(const struct anl_config *config, uint32_t switch_, char *text, size_t size);

// Writes the name of a link: "3(1,0).+1", "T3.inject", "3(1,0).T", "5(2,1).u0". Writes at most size
// bytes, always terminated.
void anl_link_name(const struct anl_config *config, uint32_t link, char *text, size_t size);

// --- graphs (docs/networks.md, "Graphs") ---

// Limits of a graph. Its routes are a table of switches times terminals.
enum { ANL_MAX_GRAPH_SWITCHES = 1 << 16, ANL_MAX_GRAPH_TERMINALS = 1 << 20 };
#define ANL_MAX_GRAPH_ROUTES (UINT64_C(1) << 28)

// Makes a graph without links whose terminals have no ports yet. On success *graph is the caller's,
// who frees it with anl_graph_destroy(). ANL_ERR_ARGUMENT: a number is 0 or above the limits;
// ANL_ERR_MEMORY. *graph is then NULL.
enum anl_status anl_graph_create(uint32_t switches, uint32_t ports, uint32_t terminals,
                                 struct anl_graph **graph, struct anl_error *error);
void anl_graph_destroy(struct anl_graph *graph);  // and those of the next classes; may be NULL

// Returns true if a switch of a graph may have this name: a letter, then letters, digits, _ or -,
// fewer than ANL_GRAPH_NAME_BYTES in all.
bool anl_graph_is_name(const char *text, size_t bytes);

// Returns how messages name a switch: "0(hub)", or "0" if names is NULL.
struct anl_graph_name {
    char text[ANL_GRAPH_NAME_BYTES + 16];
};
struct anl_graph_name anl_graph_name_of(char (*names)[ANL_GRAPH_NAME_BYTES], uint32_t switch_);

// Adds the link that leaves by port number from and ends at input port number to.
// ANL_ERR_ARGUMENT: one of the two has a link or a terminal already.
enum anl_status anl_graph_link(struct anl_graph *graph, uint32_t from, uint32_t to,
                               struct anl_error *error);
// Gives a terminal its port, with an injection and an ejection link. ANL_ERR_ARGUMENT as above.
enum anl_status anl_graph_attach(struct anl_graph *graph, uint32_t terminal, uint32_t port,
                                 struct anl_error *error);

// Fills the routes of a graph for a routing and a number of lanes, those of a class of messages.
// ANL_ERR_ARGUMENT: a terminal cannot be reached, the routing does not work on this graph, or the
// user's table has no entry that is needed, or a wrong one; *error says which. ANL_ERR_MEMORY.
enum anl_status anl_graph_route(struct anl_graph *graph, enum anl_routing routing, uint32_t num_vcs,
                                struct anl_error *error);

// Makes a graph that of the next class of messages behind those that are there. It has the same
// wiring, and belongs to the first one from now on.
void anl_graph_add_class(struct anl_graph *graph, struct anl_graph *next);

// Returns the hash of wiring and routes, of all classes of messages.
uint64_t anl_graph_hash(const struct anl_graph *graph);

// Makes the graph of a cube (docs/networks.md, "Cubes of several radices") with its routes.
// ANL_ERR_ARGUMENT: a value is out of range, there are too many switches, terminals or ports, or
// the routing (dimension_order or dateline) does not work on it; ANL_ERR_MEMORY. *graph is then
// NULL.
enum anl_status anl_graph_of_cube(const struct anl_cube *cube, enum anl_routing routing,
                                  uint32_t num_vcs, struct anl_graph **graph,
                                  struct anl_error *error);

// Makes a graph of any network: the same numbers of switches, ports, links and terminals, the same
// names, and its routes as the user's table. The caller routes it with routing table, the lanes of
// a class (and as many escape lanes as the network has), and destroys it. ANL_ERR_ARGUMENT: the
// network is too large for a graph, is a fat-tree, between whose up links a table cannot choose, or
// worms have routes of their own; ANL_ERR_MEMORY. *graph is then NULL.
enum anl_status anl_graph_of(const struct anl_config *config, struct anl_graph **graph,
                             struct anl_error *error);

// Returns the coordinates that terminals have for patterns of traffic: those of a cube; in a
// fat-tree n digits of base 4; in a butterfly n digits of base k; in a graph one dimension with all
// terminals. kinds is not filled.
struct anl_cube anl_coordinates_of(const struct anl_config *config);

// Returns whether a switch is in the upper half of the network. A cube is divided in the middle of
// its last dimension. A fat-tree is divided at its root switches, which belong to the lower half. A
// butterfly is divided by the first digit of its columns. A graph is not divided: all of its
// switches are in the lower half.
bool anl_in_upper_half(const struct anl_config *config, uint32_t switch_);

// --- parts of a network (docs/scale.md) ---

// Says which of the parts 0 … parts - 1 each switch belongs to, if a network is to be cut into so
// many that are about equally large and have few links between them. part_of has an element for
// each switch. ANL_ERR_ARGUMENT: there are no parts, or more than switches; ANL_ERR_MEMORY.
enum anl_status anl_cut(const struct anl_config *config, uint32_t parts, uint32_t *part_of);

// --- network objects ---

// The wiring, labels and routes of a network in tables. The object never changes once it is made,
// so any number of engines in any threads may share it.
struct anl_network;

// Makes the network of *config, which is copied. On success *network is the caller's, who frees it
// with anl_network_destroy(). ANL_ERR_ARGUMENT (config refused) or ANL_ERR_MEMORY: *network is
// NULL.
enum anl_status anl_network_create(const struct anl_config *config, struct anl_network **network);
void anl_network_destroy(struct anl_network *network);  // may be NULL
// Does the same without tables of the wiring. Engines of parts alone can be made on such a network;
// they find out how their part is wired by anl_link_end().
enum anl_status anl_network_create_bare(const struct anl_config *config,
                                        struct anl_network **network);

// Returns the same route as anl_route_on_path(), from the tables.
struct anl_route anl_network_route(const struct anl_network *network, struct anl_input_lane at,
                                   uint32_t destination, uint32_t path);

// --- source routes (docs/networks.md, "Routing tables") ---

// Returns the bits of an output port in the list that heads carry.
uint32_t anl_source_port_bits(const struct anl_config *config);

// Returns the output port by which a worm with a route of its own (anl_worm.route) leaves the
// switch of an input lane, which is on its route. It may take all lanes of its class there. The
// routes of other worms are those of anl_route_at().
uint32_t anl_own_port(const struct anl_config *config, struct anl_input_lane at,
                      const struct anl_worm *worm);

// Checks a route that a worm has of its own: its ports exist and have links, each one but the last
// leads to a switch, the last one to the destination, and no link is passed twice.
// ANL_ERR_ARGUMENT: *error says what is wrong, or that the routing is not source.
enum anl_status anl_own_route_check(const struct anl_config *config, const struct anl_worm *worm,
                                    struct anl_error *error);

// Returns the list of a worm: the output ports that it takes, one for each switch on its way, the
// first one first. It is worm->route, or, if that is NULL, it is written to ports, which has room
// for config->graph->longest_route of them. *length is how many there are.
const uint8_t *anl_source_list(const struct anl_config *config, const struct anl_worm *worm,
                               uint8_t *ports, uint32_t *length);

// Returns how many switches a worm has passed when it crosses a link: 0 on its injection link, and
// the length of its list on its ejection link. UINT32_MAX: the link is not on its route.
uint32_t anl_switches_passed(const struct anl_config *config, const struct anl_worm *worm,
                             uint32_t link);

// Fills the routes of a graph for routing source: those that paths (shortest, up_down or table)
// gives, in all lanes, and what is known of all of them together (turns, longest_route). Errors are
// those of anl_graph_route().
enum anl_status anl_graph_route_source(struct anl_graph *graph, enum anl_routing paths,
                                       uint32_t num_vcs, struct anl_error *error);

// Replace what is known of all routes, if the messages of a run name the routes. Begin forgets all
// routes, add notes that of a worm, and end computes the hash. The graph keeps no part of the worm.
void anl_graph_begin_routes(struct anl_graph *graph);
void anl_graph_add_route(struct anl_graph *graph, const struct anl_worm *worm);
void anl_graph_end_routes(struct anl_graph *graph);

// --- data bits of flits (docs/link.md) ---

// Return, of the path of a worm (anl_worm.path): the base of its n - 1 digits, which is 1 if worms
// have no path; how many paths there are, at least 1; and the bits that it takes in a head.
uint32_t anl_path_radix(const struct anl_config *config);
uint32_t anl_num_paths(const struct anl_config *config);
uint32_t anl_path_bits(const struct anl_config *config);

// Returns the path of worm id in a run with this seed (docs/random.md), unless its message gives
// one; 0 if worms have no path.
uint32_t anl_worm_path(const struct anl_config *config, uint64_t seed, uint32_t id);
// Returns the path of a worm in a run with this seed: the one that its message gives, or that of
// its id.
uint32_t anl_path_of(const struct anl_config *config, uint64_t seed, const struct anl_worm *worm);

// Writes the data bits that flit index of *worm has on a link to words: ceil(flit_width_bits / 32)
// words of 32 bits, the lowest first; bits above flit_width_bits are 0. With routing source a head
// has other data on each link of its route; on other links its list is 0. With all other routings
// the link does not matter.
void anl_flit_data(const struct anl_config *config, const struct anl_worm *worm, uint16_t index,
                   uint32_t link, uint32_t *words);

// Returns the terminal to which a head goes; UINT32_MAX: its label is that of none.
uint32_t anl_head_terminal(const struct anl_config *config, const uint32_t *words);

// Reads the fields of a head that crosses its injection link in lane vc, as anl_flit_data() writes
// them. The caller gives worm->source. Of the others destination, class_, and what such heads have
// besides are filled: length, path, created (the stamp: the cycle modulo 2^16), and a route, which
// is written to ports; the rest is 0. ports has room for config->graph->longest_route; with other
// routings than source it may be NULL. Returns what is wrong with the head, "expected …"; NULL:
// nothing.
const char *anl_head_read(const struct anl_config *config, const uint32_t *words, uint32_t vc,
                          uint8_t *ports, struct anl_worm *worm);

// --- channel-dependency graph ---
//
// A lane depends on every lane for which the head of a worm in it may have to wait next (Dally and
// Seitz 1987, section 2). Without a cycle of dependencies no deadlock can happen (docs/cdg.md).
//
// Lane vc of a link has number link * num_vcs + vc; links are numbered as in docs/networks.md.

struct anl_cdg;

// Makes the graph of a network from its wiring and routes, for heads from every terminal to every
// terminal. On success *cdg is the caller's, who frees it with anl_cdg_destroy(). ANL_ERR_ARGUMENT:
// the network has more than ANL_CDG_ROUTES switches times terminals; ANL_ERR_STALLED: a worm goes
// in a circle, which no configuration does that anl_config_check() takes; ANL_ERR_MEMORY. *cdg is
// then NULL.
#define ANL_CDG_ROUTES (UINT64_C(1) << 26)
enum anl_status anl_cdg_of(const struct anl_config *config, struct anl_cdg **cdg);

// Makes a graph of the same lanes without dependencies, which the caller adds. ANL_ERR_MEMORY: *cdg
// is NULL.
enum anl_status anl_cdg_create(const struct anl_config *config, struct anl_cdg **cdg);
// Frees the graph, which may be NULL.
void anl_cdg_destroy(struct anl_cdg *cdg);

// Says that a link ends at an input port of switch_. A link for which this is not called ends at a
// terminal or does not exist.
void anl_cdg_set_end(struct anl_cdg *cdg, uint32_t link, uint32_t switch_);

// Adds dependencies: heads in the lane may leave the switch at its end by this output port, in the
// lanes vcs (mask).
void anl_cdg_add(struct anl_cdg *cdg, uint32_t lane, uint32_t port, uint32_t vcs);

// Adds dependencies at each terminal of the network: it takes worms of a class only if it can send
// some of for_class, so that the lanes of its ejection link that are of class_ depend on those of
// its injection link that are of for_class (docs/cdg.md, "Terminals that refuse"). ANL_ERR_MEMORY.
enum anl_status anl_cdg_wait(const struct anl_config *config, struct anl_cdg *cdg, uint32_t class_,
                             uint32_t for_class);

// Returns how many lane numbers there are. Those of link numbers that are no link depend on
// nothing.
uint32_t anl_cdg_lanes(const struct anl_cdg *cdg);

// Returns the number of dependencies.
uint64_t anl_cdg_dependencies(const struct anl_cdg *cdg);

// Returns on how many lanes one may depend at most.
size_t anl_cdg_most_after(const struct anl_cdg *cdg);

// Writes the lanes that a lane depends on, ascending, to lanes, which has room for
// anl_cdg_most_after(). Returns how many there are.
size_t anl_cdg_after(const struct anl_cdg *cdg, uint32_t lane, uint32_t *lanes);

// Sets *acyclic to whether the graph has no cycle. This is faster than anl_cdg_cycle().
// ANL_ERR_MEMORY.
enum anl_status anl_cdg_is_acyclic(const struct anl_cdg *cdg, bool *acyclic);

// Finds a shortest cycle: each lane depends on the next, the last on the first. Of several the one
// with the lowest lane is returned. *count is 0 if there is none. The caller frees *lanes with
// free(), also then. ANL_ERR_MEMORY.
enum anl_status anl_cdg_cycle(const struct anl_cdg *cdg, uint32_t **lanes, size_t *count);

// Finds a shortest circle of links of a network: each has a lane that depends on a lane of the
// next. *count is 0 if there is none; the caller frees *links with free(). ANL_ERR_ARGUMENT,
// ANL_ERR_MEMORY: as anl_cdg_of(), and *links is NULL.
enum anl_status anl_cdg_circle(const struct anl_config *config, uint32_t **links, size_t *count);

// --- escape lanes (docs/cdg.md, "Escape lanes") ---

// Where a head for a terminal may stand and has no option with an escape lane.
struct anl_stranded {
    bool found;
    struct anl_input_lane at;  // vc is 0
    uint32_t destination;
};

// Makes the extended graph of the escape lanes of a class of messages, which holds their direct and
// indirect dependencies, and finds out whether some head has no escape lane. On success *cdg is the
// caller's. ANL_ERR_ARGUMENT: the class has no escape lanes, or the network is too large;
// ANL_ERR_MEMORY.
enum anl_status anl_cdg_of_escapes(const struct anl_config *config, uint32_t class_,
                                   struct anl_cdg **cdg, struct anl_stranded *stranded);

// What is known of a network that may be able to deadlock.
struct anl_safety {
    bool is_safe;                  // no deadlock can happen
    bool is_acyclic;               // the channel-dependency graph has no cycle
    bool escapes_are_acyclic;      // the extended graph has none
    bool replies_wait;             // terminals refuse requests until replies have left by the same
                                   // lanes, which escape lanes do not help
    struct anl_stranded stranded;  // a head without an escape lane
    struct anl_cdg *graph;  // of all lanes; or of those of class_, if that one has no escape lanes
                            // and is not safe by itself
    uint32_t class_;        // of what is said of escape lanes: 0, but where classes have routings
                            // of their own the first one that is not safe, or else the last one
                            // whose escape lanes had to be searched
    struct anl_cdg *escapes;  // the extended graph; NULL: there are no such escape lanes
};

// Searches a network. On success the caller frees what *safety holds with anl_safety_free().
// ANL_ERR_ARGUMENT: the network is too large to be searched; ANL_ERR_MEMORY.
enum anl_status anl_safety_of(const struct anl_config *config, struct anl_safety *safety);
void anl_safety_free(struct anl_safety *safety);

#ifdef __cplusplus
}
#endif

#endif
