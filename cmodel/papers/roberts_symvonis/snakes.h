// SPDX-License-Identifier: Apache-2.0
//
// Storage snakes, section 3 of the paper: the layout of a supernode, a mesh of supernodes that runs
// a packet algorithm, and the packet algorithm alone. A cell is a node of the
// bufferless mesh; its number is y * side + x, where x goes to the east and y to the south. Ports
// are those of annelid/bufferless.h.

#ifndef ANL_SNAKES_H
#define ANL_SNAKES_H

#include <annelid/annelid.h>

#include <stdio.h>

// --- layout.c ---

enum cell_kind { CELL_STORAGE, CELL_LANE, CELL_BUFFER };
enum side { SIDE_LEFT, SIDE_RIGHT, SIDES };
enum corner { TOP_LEFT, TOP_RIGHT, BOTTOM_LEFT, BOTTOM_RIGHT, CORNERS };
enum { MOST_SPURS = 64 };

// The trail turns off from a cell to its neighbour at the port and comes back at once.
struct spur {
    uint32_t cell, port;
};

struct layout {
    uint32_t f, k;                             // worms that a supernode stores, flits of a worm
    uint32_t w, g;                             // k = w w, f + 4 = g g
    uint32_t s;                                // w g: the last row and column
    uint32_t m;                                // s / 2: the lanes
    uint32_t side;                             // s + 1
    uint32_t cells;                            // side side
    uint32_t slots;                            // f / 2: of a train
    uint32_t train;                            // f k / 2: flits of a train
    uint32_t period;                           // steps of a cycle of a train
    uint32_t half;                             // steps in which a joined cycle passes one side
    uint32_t centre, top, bottom, west, east;  // centre, command processors, arms
    uint32_t entries[CORNERS];                 // of the buffers
    uint32_t starts[SIDES];  // where each trail enters the vertical lane: below, above
    uint32_t num_spurs;      // of each side
    struct spur spurs[SIDES][MOST_SPURS];
    uint8_t *kinds;  // [cells] enum cell_kind
    uint8_t *map;    // [cells * ANL_BUFFERLESS_LINKS] output by input port, or ANL_NO_WAY
    bool *chooses;   // [cells] has heads that leave the map during a superstep or a consumption
};

// Makes the layout for f and k: k is the square of an even number, f + 4 of an even one that is at
// least 4. On success the caller frees it with layout_free(). ANL_ERR_ARGUMENT, ANL_ERR_MEMORY.
enum anl_status layout_create(uint32_t f, uint32_t k, struct layout *layout,
                              struct anl_error *error);
// The same with another number of spurs, at most MOST_SPURS: supersteps need (k + 6) / 2.
enum anl_status layout_create_spurs(uint32_t f, uint32_t k, uint32_t spurs, struct layout *layout,
                                    struct anl_error *error);
void layout_free(struct layout *layout);  // may be empty

// Returns the side on which a worm of a cell is born.
static inline enum side layout_side(const struct layout *layout, uint32_t cell)
{
    return cell % layout->side <= layout->m ? SIDE_LEFT : SIDE_RIGHT;
}

// Returns the number of the cell behind an output port; the cell must have that neighbour.
static inline uint32_t layout_next(const struct layout *layout, uint32_t cell, uint32_t port)
{
    const uint32_t steps[] = {1, UINT32_MAX, layout->side, UINT32_MAX - layout->side + 1};
    return cell + steps[port];
}

// Returns whether the neighbour behind a port is a cell of the same supernode.
static inline bool layout_inside(const struct layout *layout, uint32_t cell, uint32_t port)
{
    const uint32_t x = cell % layout->side, y = cell / layout->side;
    return port == ANL_EAST    ? x < layout->s
           : port == ANL_WEST  ? x > 0
           : port == ANL_SOUTH ? y < layout->s
                               : y > 0;
}

// Returns the entry of the output port of an input port in the map.
static inline uint8_t layout_way(const struct layout *layout, uint32_t cell, uint32_t port)
{
    return layout->map[(size_t)cell * ANL_BUFFERLESS_LINKS + port];
}

// Draws the kinds of cells, and the ways of the trails and buffers, as two squares of letters.
void layout_draw(const struct layout *layout, FILE *out);

// --- inspect.c ---

// Checks a layout by walks over its map, without any code of layout.c but what is in this header.
// ANL_ERR_FORMAT: *error says in words which rule is broken and where. ANL_ERR_MEMORY.
enum anl_status layout_inspect(const struct layout *layout, struct anl_error *error);

// --- births.c ---

// How a worm that is born in a cell comes to the trail of a side.
struct births {
    uint8_t *ways;   // [cells] the port to the next cell of the path or the trail
    uint32_t *path;  // [cells] steps to the trail; 0: the cell is on it
    uint32_t *lead;  // [cells] steps to the first command processor that its train meets
};
// On success the caller frees *births with births_free(). ANL_ERR_MEMORY.
enum anl_status births_create(const struct layout *layout, enum side side, struct births *births,
                              struct anl_error *error);
void births_free(struct births *births);  // may be empty

// --- emit.c ---

// Fills the ways of worms that are born, [cells * ANL_BUFFERLESS_PORTS] by input port: those of the
// paths, else those of the map. ANL_ERR_ARGUMENT: two paths leave a cell by different ports, though
// they come in by the same one. ANL_ERR_MEMORY.
enum anl_status births_tables(const struct layout *layout, uint8_t *tables,
                              struct anl_error *error);
// Writes the layout as the package anl_layout_pkg of the RTL. Errors are those of births_tables().
enum anl_status layout_emit(const struct layout *layout, FILE *out, struct anl_error *error);

// --- packets.c ---

#define NO_WORM UINT32_MAX
enum { DIRECTIONS = ANL_BUFFERLESS_LINKS, MOST_SLOTS = 128, MOST_QUEUE = 2 * MOST_SLOTS };

// Assumption 1 of the paper: all that a node knows when it decides. queue is ascending.
struct node_view {
    uint32_t n, node, superstep;
    const uint32_t *queue;  // [count] worms
    uint32_t count;
};
// A packet algorithm: fills out with the worm that goes to each direction, or NO_WORM. A worm goes
// in one direction, and into the mesh.
typedef void packet_algorithm(void *user, const struct node_view *view, uint32_t out[DIRECTIONS]);

// Packets in an n x n mesh of nodes with queues.
struct packets {
    uint32_t n;
    packet_algorithm *algorithm;
    void *user;
    uint32_t superstep;  // the number of supersteps that were made
    uint32_t largest;    // queue so far
    uint64_t sent;       // worms from a node to a neighbour so far
    uint32_t kept;       // the most worms that stayed in a queue in a superstep
    struct {
        uint32_t worms[MOST_QUEUE], count;
    } * queues;  // [n * n], each ascending
};
enum anl_status packets_create(uint32_t n, packet_algorithm *algorithm, void *user,
                               struct packets *packets, struct anl_error *error);
void packets_free(struct packets *packets);  // may be empty
// Puts a worm into a queue. ANL_ERR_ARGUMENT: the queue has MOST_QUEUE worms.
enum anl_status packets_add(struct packets *packets, uint32_t node, uint32_t worm);
// Makes a superstep. ANL_ERR_ARGUMENT: a queue would get more than MOST_QUEUE worms.
enum anl_status packets_step(struct packets *packets);

// Sorts worms ascending.
void sort_worms(uint32_t *worms, uint32_t count);

// The destinations of worms, as numbers of supernodes, for greedy().
struct destinations {
    const uint32_t *of;  // [worms]
};
// Row first, then column; of several worms for one direction the one with the longest way, and of
// these the lowest number.
packet_algorithm greedy;

// --- what a mesh of supernodes is ---

// The rules of time, as data, so that a test can break one of them. Times are those of a supernode.
struct rules {
    uint32_t lead[2];       // steps by which odd, even supernodes are ahead
    bool delays[2];         // odd, even ones let worms that arrive wait two steps
    bool delays_first;      // so do worms that leave their train at the first command processor
    bool balances;          // trains exchange slots
    uint32_t first;         // slot 0 meets a command processor in this step of a round
    uint32_t transmission;  // steps after the beginning of the third cycle
    uint32_t gap_error;     // slots by which the assigned gaps are wrong
};
struct rules rules_of(const struct layout *layout);

// What a command processor knows.
struct command {
    uint32_t slots[SIDES][MOST_SLOTS];  // worms, after the exchange of slots once it has decided
    bool swaps[MOST_SLOTS];
    uint32_t out[DIRECTIONS];  // worms
    uint32_t gaps[CORNERS];    // the slot for a worm in each buffer
};

enum processor { PROCESSOR_TOP, PROCESSOR_BOTTOM, PROCESSORS };

struct supernode {
    struct command commands[PROCESSORS];
    enum side side;   // of the worm that was born
    uint32_t joined;  // time when it is on its trail
};

// A mesh of n x n supernodes on one bufferless machine.
struct snakes {
    const struct layout *layout;
    uint32_t n;
    struct rules rules;
    packet_algorithm *algorithm;
    void *user;
    struct births births[SIDES];
    struct anl_bufferless *machine;
    struct supernode *supernodes;  // [n * n]
    uint64_t begun;                // steps before the round
    uint32_t supersteps;           // of the round
    bool overflowed;               // a supernode had less than four gaps
    bool disagreed;                // command processors of a supernode knew different things
};

// --- command.c ---

// Empties what a processor knows.
void command_forget(struct command *command);
// Runs the packet algorithm on the worms that a processor has seen, and fills in the rest. Returns
// false if there are less than two gaps for each train.
bool command_decide(const struct snakes *snakes, uint32_t supernode, uint32_t superstep,
                    struct command *command);

// --- supernode.c ---

// Makes a mesh without worms; layout must outlive it. On success the caller frees it with
// snakes_free(). ANL_ERR_ARGUMENT: the mesh is too large; ANL_ERR_MEMORY.
enum anl_status snakes_create(const struct layout *layout, uint32_t n, packet_algorithm *algorithm,
                              void *user, struct snakes *snakes, struct anl_error *error);
void snakes_free(struct snakes *snakes);  // may be empty

// Begins a round after the steps that were made.
void snakes_begin(struct snakes *snakes, uint32_t supersteps);

// Returns the number of steps of a round: creation, supersteps, two joined cycles of consumption.
uint32_t snakes_round_steps(const struct layout *layout, uint32_t supersteps);

// Returns the node of a cell of a supernode.
uint32_t snakes_node(const struct snakes *snakes, uint32_t supernode, uint32_t cell);

// Offers the one worm that is born in a supernode in this round, or one that is in a slot of a
// train in the first cycle of the round. *worm receives its number. Errors are those of
// anl_bufferless_offer().
enum anl_status snakes_bear(struct snakes *snakes, uint32_t supernode, uint32_t cell,
                            uint32_t destination, uint32_t *worm);
enum anl_status snakes_load(struct snakes *snakes, uint32_t supernode, enum side side,
                            uint32_t slot, uint32_t destination, uint32_t *worm);

// Returns the storage cell before the start of a trail, from which snakes_load() sends worms.
uint32_t snakes_door(const struct layout *layout, enum side side);

// Makes one step of the machine.
void snakes_step(struct snakes *snakes);

#endif
