// SPDX-License-Identifier: Apache-2.0
//
// What the files of `annelid worms` share: the question of the user, and the findings, from which
// text and JSON are made. docs/worms.md explains the words.

#ifndef ANNELID_CMD_WORMS_H
#define ANNELID_CMD_WORMS_H

#include "cli/shared/cli.h"

#include <annelid/blocking.h>
#include <stdio.h>

struct worms_question {
    struct cli_given given;
    const char *stalls;  // file for a table of all stalls; NULL: none
    size_t top;
    uint64_t at;    // cycle, if has_at
    uint32_t worm;  // id, if has_worm
    bool has_at, has_worm, map, json;
    bool by_waited;  // sort worms by all cycles in which they waited, not by their longest stall
};

// A worm and its longest stall; with --at, the stall that lasts in that cycle.
struct waiter {
    struct anl_worm worm;
    struct anl_stall stall;
    struct anl_delay most;  // the worm that delayed it most; most.by ANL_NOTHING: none did
    uint64_t waited;        // cycles, in all its stalls
};

// Waiters, longest first in the sense of worms_question.by_waited; of equal ones the lowest worm
// first.
struct waiters {
    struct waiter *list;
    size_t count, most;  // most: the list has room for so many; the shortest are dropped
    bool by_waited;
};

// A link that the head of the worm crossed.
struct crossing {
    uint32_t link;
    uint8_t vc;
    uint64_t head, tail;  // cycles in which head and tail crossed the link; UINT64_MAX: not yet
};

struct stalls {
    struct anl_stall *list;
    size_t count, size;
};

// The history of the worm that was asked for.
struct worm_history {
    bool created;              // the worm was created
    bool gone;                 // the worm was delivered
    struct anl_life life;      // at its delivery, or in the last cycle; its delays are those below
    struct anl_delay *delays;  // longest first; of equal ones that by the lowest worm first
    struct crossing *path;
    size_t num_path, size_path;
    struct stalls stalls;
};

// A lane of a terminal that refuses, and what stands in it.
struct refused_lane {
    uint32_t buffer;
    struct anl_buffer at;
    char text[160];  // what its front flit does
};

// A worm of the deadlock, in the cycle in which the deadlock closed.
struct deadlocked_worm {
    struct anl_worm worm;
    struct anl_buffer head;  // the buffer that has its head
    uint32_t head_buffer;    // the number of that buffer
    uint32_t *holds;         // [num_holds] buffers with its flits and lanes that it owns, the
                             // head's first
    uint16_t *flits;         // [num_holds] how many of its flits are in each of them
    size_t num_holds;
    uint32_t held_by;
    uint32_t terminal;  // that refuses until the holder has left its source; ANL_NOTHING: none
    struct refused_lane *lanes;  // [num_lanes] of the terminal, which are not empty
    size_t num_lanes;
};

struct deadlock {
    uint64_t cycle;  // in which it closed; UINT64_MAX: there is no deadlock
    struct deadlocked_worm *circle;
    size_t count;
    uint32_t *dead;  // [num_dead] worms that are dead in the last cycle, ascending
    size_t num_dead;
};

// A delay chain: each buffer waits for the next one. The last one moves, waits for no buffer, or
// waits for buffers[back].
struct chain {
    uint32_t *buffers;
    size_t count;
    size_t back;  // SIZE_MAX: the chain is no circle
};

// A flit that a fault of a mesh without buffers loses in the last cycle.
struct lost_flit {
    uint32_t worm;
    uint32_t buffer;  // in which it stands
    uint32_t link;    // that it wants
    uint16_t index;
};

// What crossed a link in the whole run.
struct link_load {
    uint32_t link;
    uint32_t worms;  // whose heads crossed it
    uint64_t flits;
};

struct findings {
    const struct worms_question *question;
    struct analysed analysed;
    struct anl_blocking_totals totals;
    uint64_t last;       // the last cycle
    uint64_t last_move;  // last cycle in which a flit crossed a link; UINT64_MAX: none did
    uint32_t waiting, moving, queued;  // how many worms do so in the last cycle
    struct waiters waiters;
    struct worm_history worm;  // --worm
    struct deadlock deadlock;
    // [num_loads] without --at: of each link, in the end the busiest first
    struct link_load *loads;
    size_t num_loads;
    struct chain chain;      // --at
    uint32_t chain_worm;     // where the chain begins; ANL_NOTHING: no worm waits
    struct lost_flit *lost;  // [num_lost] without buffers, by link
    size_t num_lost;
    // Used while the run goes on:
    struct stalls ended;  // in this cycle
    FILE *stalls;
    enum anl_status status;  // ANL_OK or ANL_ERR_MEMORY
};

// Answers the question. Returns CLI_OK; on failure prints the error and returns the exit status.
// The caller gives *findings to worms_forget() in any case.
int worms_find(const struct worms_question *question, struct findings *findings);
void worms_forget(struct findings *findings);

// --- meshes without buffers ---

bool worms_are_lost(const struct findings *findings);
// Lists the flits that are lost in the last cycle. ANL_ERR_MEMORY.
enum anl_status find_lost(struct findings *findings);
// Returns the first start, not before its own, at which a worm of a scenario meets no other one;
// UINT64_MAX: not known.
uint64_t first_good_start(const struct findings *findings, uint32_t worm);

// --- output ---

void worms_print_text(const struct findings *findings);
// Parts of the text: the history of the worm, the state in a cycle.
void worms_print_life(const struct findings *findings);
void worms_print_state(const struct findings *findings);
void worms_print_lost(const struct findings *findings);  // the flits that want one link
int worms_print_json(const struct findings *findings);   // returns CLI_OK or CLI_BAD

// A map of the network in the last cycle, with the delay chain on it. There are maps of cubes of 1
// or 2 dimensions only.
bool worms_can_map(const struct anl_config *config);
uint32_t worms_map_columns(const struct anl_config *config);  // width in characters
void worms_print_map(const struct findings *findings);
#define WORMS_MAP_HELP                                                                             \
    "[12] is a switch, x grows to the right, y downwards. Beside it are the lanes of the links "   \
    "to "                                                                                          \
    "the right (-...>) and to the left (<...-), below it those downwards (v) and upwards (^), "    \
    "under its number those of its injection link, after T; links round the edge of a torus "      \
    "stand "                                                                                       \
    "at the edge. Each lane has two signs. Flits in it: . none, o none but held by a worm, 1 to "  \
    "9, "                                                                                          \
    "# more. Its front flit: blank moves, ! blocked, * blocked and on the chain, = moves at the "  \
    "end "                                                                                         \
    "of the chain. The same signs in place of T: the worm that is at its source."

// --- names and small questions ---

enum { NAME_BYTES = 256 };
struct name {
    char text[NAME_BYTES];
};
struct name name_of_buffer(const struct findings *findings,
                           uint32_t buffer);                               // "lane 0 of 1(1).+0"
struct name name_of_link(const struct findings *findings, uint32_t link);  // "1(1).+0"
struct name name_of_worm(uint32_t worm);    // "12", or "-" for ANL_NOTHING
struct name name_of_cycle(uint64_t cycle);  // "345", or "-" for UINT64_MAX
// "T3 -> T0, 8 flits", with class and role, if there are any: "T3 -> T0, 8 flits, class 1, a reply"
struct name name_of_ends(const struct anl_worm *worm);
// Returns what the front flit of a buffer wants: "lane 0 of 1(1).+0", "a lane of 1(1).+0", "a lane
// of 5(2,1).u0 or u1", "to leave".
struct name name_of_wish(const struct findings *findings, const struct anl_buffer *buffer);

// The worm that a worm waits for in the last cycle, and its root blocker; ANL_NOTHING: none.
struct hold_up {
    uint32_t blocker, root_blocker;
};
struct hold_up hold_up_of(const struct findings *findings, const struct anl_life *life);

// Returns the cause of most of the cycles of a stall.
enum anl_wait main_cause(const struct anl_stall *stall);
uint64_t stall_cycles(const struct anl_stall *stall);

// Returns whether the worm is dead in the last cycle.
bool is_dead(const struct findings *findings, uint32_t worm);

#endif
