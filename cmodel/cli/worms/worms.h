// SPDX-License-Identifier: Apache-2.0
//
// What the rooms of `annelid worms` share: what was asked, and what was found, from which text and
// JSON are made. Words: docs/worms.md.

#ifndef ANNELID_CMD_WORMS_H
#define ANNELID_CMD_WORMS_H

#include "cli/shared/cli.h"

#include <annelid/blocking.h>
#include <stdio.h>

struct worms_question {
    const char *path, *stalls;  // stalls: file for all of them; NULL: none
    struct running_settings settings;
    size_t top;
    uint64_t at;    // cycle, if has_at
    uint32_t worm;  // id, if has_worm
    bool has_at, has_worm, map, json;
    bool by_waited;  // rank worms by all cycles in which they waited, not by their longest stall
};

// A worm and its longest stall; with --at the stall that lasts in that cycle.
struct waiter {
    struct anl_worm worm;
    struct anl_stall stall;
    struct anl_delay most;  // who delayed it most; by ANL_NOTHING: nobody
    uint64_t waited;        // cycles, in all its stalls
};

// Waiters, longest first (worms_question.by_waited says how that is meant); of several the lowest
// worm first.
struct waiters {
    struct waiter *list;
    size_t count, most;  // never more than most of them
    bool by_waited;
};

// A link that the head of the worm crossed.
struct crossing {
    uint32_t link;
    uint8_t vc;
    uint64_t head, tail;  // cycles in which they crossed it; UINT64_MAX: not yet
};

// The life of the worm that was asked for.
struct worm_history {
    bool born;                 // it was created
    bool gone;                 // it was delivered, before the last cycle if need be
    struct anl_life life;      // at its delivery, or in the last cycle; its delays are those below
    struct anl_delay *delays;  // longest first; of several the lowest worm first
    struct crossing *path;
    size_t num_path, size_path;
    struct anl_stall *stalls;
    size_t num_stalls, size_stalls;
};

// A worm of the deadlock, in the cycle in which it closed.
struct deadlocked_worm {
    struct anl_worm worm;
    struct anl_buffer head;  // the buffer of its head …
    uint32_t head_buffer;    // … and its number
    uint32_t *holds;         // buffers of its flits and lanes that it owns, head's first
    uint16_t *flits;         // of it in each of them
    size_t num_holds;
    uint32_t held_by;
};

struct deadlock {
    uint64_t cycle;  // in which it closed; UINT64_MAX: there is none
    struct deadlocked_worm *circle;
    size_t count;
    uint32_t *dead;  // in the last cycle, ascending
    size_t num_dead;
};

struct chain {
    uint32_t
        *buffers;  // the last is a front that moves, or waits for nothing, or for buffers[back]
    size_t count;
    size_t back;  // SIZE_MAX: no circle
};

struct findings {
    const struct worms_question *question;
    struct analysed analysed;
    struct anl_blocking_totals totals;
    uint64_t last;       // cycle
    uint64_t last_move;  // last cycle in which a flit crossed a link; UINT64_MAX: none did
    uint32_t waiting, moving, queued;  // worms that are there in it
    struct waiters waiters;
    struct worm_history worm;  // --worm
    struct deadlock deadlock;
    struct chain chain;   // --at
    uint32_t chain_worm;  // whose it is; ANL_NOTHING: no worm waits
    // While it is gathered:
    struct anl_stall *ended;  // stalls that ended in this cycle
    size_t num_ended, size_ended;
    FILE *stalls;
    enum anl_status status;  // memory
};

// Finds out what is asked for. On failure the error was printed and the exit status is returned;
// *findings is to be given to worms_forget() in any case.
int worms_find(const struct worms_question *question, struct findings *findings);
void worms_forget(struct findings *findings);

// --- parts of finding ---

// Notes what happens to the worm in this cycle.
enum anl_status worm_history_flits(struct worm_history *worm, uint32_t id, uint64_t cycle,
                                   const struct anl_flit *flits, size_t count);
enum anl_status worm_history_stall(struct worm_history *worm, const struct anl_stall *stall);
enum anl_status worm_history_life(struct worm_history *worm, const struct anl_life *life);
void worm_history_free(struct worm_history *worm);

// The deadlock that closed in this cycle.
enum anl_status deadlock_note(struct deadlock *deadlock, const struct anl_blocking *blocking);
void deadlock_free(struct deadlock *deadlock);

enum anl_status chain_follow(struct chain *chain, const struct anl_blocking *blocking,
                             uint32_t buffer);

// --- showing ---

void worms_print_text(const struct findings *findings);
int worms_print_json(const struct findings *findings);  // CLI_OK or CLI_BAD

// Parts of the text: the deadlock, the life of the worm, the state in a cycle.
void worms_print_deadlock(const struct findings *findings);
void worms_print_life(const struct findings *findings);
void worms_print_state(const struct findings *findings);

// A map of the network in the last cycle, with the chain on it. 1 or 2 dimensions only.
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

// --- words ---

enum { NAME_BYTES = 128 };
struct name {
    char text[NAME_BYTES];
};
struct name name_of_buffer(const struct findings *findings,
                           uint32_t buffer);                               // "lane 0 of 1(1).+0"
struct name name_of_link(const struct findings *findings, uint32_t link);  // "1(1).+0"
struct name name_of_worm(uint32_t worm);  // "12", "-" if it is ANL_NOTHING
// What the front flit of a buffer wants: "lane 0 of 1(1).+0", "a lane of 1(1).+0", "a lane of
// 5(2,1).u0 or u1", "to leave".
struct name name_of_wish(const struct findings *findings, const struct anl_buffer *buffer);

const char *plural(uint64_t count);  // "s", or "" of one

// What holds a worm up in the last cycle, and who delays it; ANL_NOTHING: nobody.
struct hold_up {
    uint32_t blocker, root_blocker;
};
struct hold_up hold_up_of(const struct findings *findings, const struct anl_life *life);

// What it waited for in most of the cycles of a stall.
enum anl_wait main_cause(const struct anl_stall *stall);
uint64_t stall_cycles(const struct anl_stall *stall);

// Latency of a worm that meets nobody (docs/switch.md, "Latency").
uint64_t cycles_alone(const struct anl_config *config, const struct anl_worm *worm);

// Whether the worm is dead in the last cycle.
bool is_dead(const struct findings *findings, uint32_t worm);

#endif
