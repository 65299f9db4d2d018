// SPDX-License-Identifier: Apache-2.0
//
// Storage snakes, section 3 of the paper: the layout of a supernode, a mesh of supernodes that runs
// a packet algorithm, and the packet algorithm alone. A cell is a node of the
// bufferless mesh; its number is y * side + x, where x goes to the east and y to the south. Ports
// are those of annelid/bufferless.h.

#ifndef ANL_SNAKES_H
#define ANL_SNAKES_H

#include <annelid/annelid.h>
#include <annelid/bufferless.h>

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

struct packet_queue {
    uint32_t worms[MOST_QUEUE], count;  // ascending
};

// Packets in an n x n mesh of nodes with queues.
struct packets {
    uint32_t n;
    packet_algorithm *algorithm;
    void *user;
    uint32_t superstep;           // the number of supersteps that were made
    uint32_t largest;             // queue so far
    uint64_t sent;                // worms from a node to a neighbour so far
    uint32_t kept;                // the most worms that stayed in a queue in a superstep
    struct packet_queue *queues;  // [n * n]
};
enum anl_status packets_create(uint32_t n, packet_algorithm *algorithm, void *user,
                               struct packets *packets, struct anl_error *error);
void packets_free(struct packets *packets);  // may be empty
// Puts a worm into a queue. ANL_ERR_ARGUMENT: the queue has MOST_QUEUE worms.
enum anl_status packets_add(struct packets *packets, uint32_t node, uint32_t worm);
// Makes a superstep. ANL_ERR_ARGUMENT: a queue would get more than MOST_QUEUE worms.
enum anl_status packets_step(struct packets *packets);

// Returns whether a port of a node leads to another node.
static inline bool leads_on(uint32_t n, uint32_t node, uint32_t port)
{
    return port == ANL_EAST    ? node % n + 1 < n
           : port == ANL_WEST  ? node % n > 0
           : port == ANL_SOUTH ? node / n + 1 < n
                               : node / n > 0;
}

// Sorts worms ascending.
void sort_worms(uint32_t *worms, uint32_t count);

// The destinations of worms, as numbers of supernodes, for the algorithms below.
struct destinations {
    const uint32_t *of;  // [worms]
    uint32_t room;       // of a queue: worms that may stay in a superstep, for deflecting()
};
// Row first, then column; of several worms for one direction the one with the longest way, and of
// these the lowest number.
packet_algorithm greedy;
// Greedy, but if more than `room` worms would stay, the lowest numbers of them leave by directions
// that are free. Queues have at most room + 4 worms if so many neighbours and births add.
packet_algorithm deflecting;

// Removes the worms that are in their destinations. Returns how many.
uint32_t packets_consume(struct packets *packets, const struct destinations *destinations);
// Returns how many worms are not in their destinations.
uint32_t packets_away(const struct packets *packets, const struct destinations *destinations);

// --- sorting.c ---

// Sorts the worms, then routes them along rows and along columns. Each node has at most one worm at
// first; a superstep is told from the others by its number.
packet_algorithm sorting;
// Returns the supersteps that sorting() needs if a node is the destination of at most `most` worms.
uint32_t sorting_supersteps(uint32_t n, uint32_t most);

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
    uint32_t born;           // the worm that was born last, or NO_WORM
    enum side side;          // to which it goes
    uint32_t slot;           // of its train
    int64_t joined, review;  // times when it is on its trail, and at a command processor
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
    bool consumes;                 // worms at the end of each superstep, not of the round alone
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
// Returns the first slot of a train that is empty after the superstep for which a processor has
// decided, whatever comes; MOST_SLOTS: there is none.
uint32_t command_free_slot(const struct layout *layout, const struct command *command,
                           enum side side);

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

// Returns the number of steps of the round that was begun.
uint64_t snakes_steps(const struct snakes *snakes);

// Returns the last step of the round in which all worms of a superstep, from 0, are on trains; the
// next one may consume worms.
uint64_t snakes_boundary(const struct snakes *snakes, uint32_t superstep);

// Returns the node of a cell of a supernode.
uint32_t snakes_node(const struct snakes *snakes, uint32_t supernode, uint32_t cell);

// Enqueues the one worm that is born in a supernode at the beginning of this round, or one that is
// in a slot of a train in the first cycle of the round. *worm receives its number. Errors are those
// of anl_bufferless_enqueue().
enum anl_status snakes_bear(struct snakes *snakes, uint32_t supernode, uint32_t cell,
                            uint32_t destination, uint32_t *worm);
enum anl_status snakes_load(struct snakes *snakes, uint32_t supernode, enum side side,
                            uint32_t slot, uint32_t destination, uint32_t *worm);

// Enqueues a worm that takes part from superstep 1, 2, … on, after the step snakes_boundary() of
// the superstep before. snakes->consumes must be set: only then are lanes and buffers empty between
// supersteps. ANL_OK with *worm NO_WORM: its train has no slot to spare.
enum anl_status snakes_bear_early(struct snakes *snakes, uint32_t superstep, uint32_t supernode,
                                  uint32_t cell, uint32_t destination, uint32_t *worm);

// Returns the storage cell before the start of a trail, from which snakes_load() sends worms.
uint32_t snakes_door(const struct layout *layout, enum side side);

// Makes one step of the machine.
void snakes_step(struct snakes *snakes);

// --- watch.c ---

struct watch {
    uint32_t n, k;  // nodes of a row, flits of a worm
    int32_t *now,
        *before;         // [room * k] link on which a flit is, and was one step ago; below 0: none
    uint32_t *consumed;  // [room] flits
    uint32_t room;       // for worms
    uint32_t finished;   // worms below this number are consumed
    uint64_t moves;
    uint32_t most;       // flits in a node at once
    const char *broken;  // the first rule that was broken, or NULL
    uint64_t step;       // in which
    uint32_t worm;
};
// Begins to watch a mesh without worms; *watch is {0} or was started before. The caller frees it
// with watch_free().
void watch_start(struct watch *watch, const struct snakes *snakes);
void watch_free(struct watch *watch);  // may be {0}

// Looks at the step that was made last. ANL_ERR_MEMORY.
enum anl_status watch_step(struct watch *watch, const struct snakes *snakes);

// Returns whether the head of a worm went into a cell of a supernode in the step that was made
// last.
bool watch_is_at(const struct watch *watch, const struct snakes *snakes, uint32_t worm,
                 uint32_t supernode, uint32_t cell);

// Returns the supernode in which the head of a worm is, or NO_WORM if it is nowhere.
uint32_t watch_supernode(const struct watch *watch, const struct snakes *snakes, uint32_t worm);

// --- trial.c ---

// Snakes, the packet algorithm alone, and a watch, side by side.
struct trial {
    struct layout layout;
    struct snakes snakes;
    struct packets packets;
    struct watch watch;
    uint32_t *to;                      // [room] supernode to which a worm goes
    uint32_t room;                     // for worms
    struct destinations destinations;  // to
    uint32_t first;                    // worm of the round
    uint64_t rounds, compared;         // rounds, and supersteps after which queues were compared
    uint32_t longest;                  // supersteps of a round, so far
    const char *wrong;                 // NULL: all is as the packet algorithm alone has it
};

// Makes a trial without worms; user NULL: the algorithm gets the destinations of the worms. The
// trial must not move. On success the caller frees it with trial_free(). Errors are those of
// layout_create() and snakes_create().
enum anl_status trial_create(uint32_t f, uint32_t k, uint32_t n, packet_algorithm *algorithm,
                             void *user, struct trial *trial, struct anl_error *error);
void trial_free(struct trial *trial);  // may be empty

// Begins a round. Its worms are then born, and trial_run() runs it.
void trial_begin(struct trial *trial);
// Lets a worm be born at the beginning of the round that goes from a cell of a supernode to a cell
// of one.
enum anl_status trial_bear(struct trial *trial, uint32_t supernode, uint32_t cell,
                           uint32_t to_supernode, uint32_t to_cell);
// Notes a worm that is enqueued to the snakes, in a supernode.
enum anl_status trial_note(struct trial *trial, uint32_t worm, uint32_t supernode,
                           uint32_t to_supernode);
// Returns in *supersteps how many the packet algorithm needs for the worms that are there.
enum anl_status trial_count(const struct trial *trial, uint32_t *supersteps);
// Runs a round of so many supersteps, and compares the queues after each of them.
enum anl_status trial_run(struct trial *trial, uint32_t supersteps);

// Routes a permutation of the cells, or any other destinations: to[i * cells + c] is supernode *
// cells + cell for the worm of cell c of supernode i. Makes a round for each pair of birth and
// target cells that has a worm. supersteps 0: as many as the packet algorithm needs, and one at
// least.
enum anl_status trial_route(struct trial *trial, const uint32_t *to, uint32_t supersteps);
// Routes the same in one round: in each superstep a worm is born in each supernode that has one
// left and a slot to spare. *supersteps receives how many were made.
enum anl_status trial_stream(struct trial *trial, const uint32_t *to, uint32_t *supersteps);

// --- colour.c ---

// Routes a permutation of the cells in rounds in which each supernode sends a worm from any of its
// cells and receives one in any: as many rounds as a supernode has cells.
enum anl_status trial_coloured(struct trial *trial, const uint32_t *to);

// --- stress.c ---

// Fills in a random permutation of the numbers below count.
void shuffle(uint32_t *numbers, uint32_t count, struct anl_rng *rng);

// Which slots are taken at first.
enum fill { FILL_LEFT, FILL_RIGHT, FILL_RANDOM, FILLS };

// A round with loaded supernodes that push a random worm in each direction in each superstep.
struct stress {
    uint32_t f, k, n, supersteps;
    enum fill fill;
    bool full;  // f - 4 worms, and one more for each neighbour; otherwise a random number of them
    uint64_t seed;
};
// Makes its trial; *stress must outlive it. Errors are those of trial_create().
enum anl_status stress_create(struct stress *stress, struct trial *trial, struct anl_error *error);
// Runs its round. The worms end in random cells of the supernodes to which they were pushed.
enum anl_status stress_run(struct stress *stress, struct trial *trial);

// Rules that are broken one at a time, from 0 on. Returns what is wrong; NULL: there are no more.
const char *control_name(uint32_t control);
// Returns whether all is right in a control all the same.
bool control_is_right(uint32_t control);
// Runs stress with full supernodes. *found receives what the trial finds wrong, or NULL.
enum anl_status control_run(uint32_t control, const char **found, struct anl_error *error);

#endif
