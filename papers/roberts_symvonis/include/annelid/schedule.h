// SPDX-License-Identifier: Apache-2.0
//
// Start times for worms on a bufferless mesh: the off-line scheduler of Roberts and Symvonis
// (1994), bounds on its schedules, a search for shorter ones, and a machine that checks a schedule
// step by step. papers/roberts_symvonis/schedule.md has the rules.

#ifndef ANNELID_SCHEDULE_H
#define ANNELID_SCHEDULE_H

#include <annelid/base.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- partial permutations ---
//
// The node in row r and column c of an n x n mesh has the number r * n + c. Each node is the source
// of at most one worm and the destination of at most one. A worm has the number of its source.

enum { ANL_SCHEDULE_MAX_N = 512, ANL_SCHEDULE_MAX_K = 4096 };
#define ANL_NO_NODE UINT32_MAX

struct anl_permutation {
    uint32_t n;              // side of the mesh, 1 .. ANL_SCHEDULE_MAX_N
    uint32_t *destinations;  // [n * n] of the worm from each node; ANL_NO_NODE: it sends none
};

// Makes a permutation without worms. Returns ANL_ERR_ARGUMENT if n is out of range,
// ANL_ERR_MEMORY. The caller gives *permutation to anl_permutation_free(), also after an error.
enum anl_status anl_permutation_begin(uint32_t n, struct anl_permutation *permutation,
                                      struct anl_error *error);
void anl_permutation_free(struct anl_permutation *permutation);

// Makes the permutation of a name: transpose, reversal, shift, rotate, bitrev (n must be a power of
// two), or random, which depends on the seed as the pattern `permutation` of docs/random.md does.
// Returns ANL_ERR_ARGUMENT if there is none of this name for this n, ANL_ERR_MEMORY. The caller
// frees *permutation in any case.
enum anl_status anl_permutation_make(const char *name, uint32_t n, uint64_t seed,
                                     struct anl_permutation *permutation, struct anl_error *error);

// Returns ANL_OK if every destination is a node and no two worms have the same one;
// ANL_ERR_ARGUMENT, ANL_ERR_MEMORY.
enum anl_status anl_permutation_check(const struct anl_permutation *permutation,
                                      struct anl_error *error);

// Returns how many worms there are, also counting those whose destination is their source.
uint32_t anl_permutation_worms(const struct anl_permutation *permutation);

// --- processing orders ---
//
// h is the horizontal and v the vertical distance of a worm. Worms that an order does not tell
// apart are processed by ascending number, in the order `shortest` by descending number.

enum anl_order {
    ANL_ORDER_ROW_MAJOR,     // ascending number
    ANL_ORDER_H_V_DESC,      // lex-desc(h,v): descending h, then descending v
    ANL_ORDER_H_V_ASC,       // lex-asc(h,v)
    ANL_ORDER_LONGEST,       // descending h + v
    ANL_ORDER_SHORTEST,      // ascending h + v
    ANL_ORDER_V_H_DESC,      // lex-desc(v,h)
    ANL_ORDER_H_DESC_V_ASC,  // h-desc,v-asc
    ANL_ORDER_RANDOM,        // depends on a seed
};
enum { ANL_FIXED_ORDERS = ANL_ORDER_RANDOM, ANL_ORDERS };

// Returns the name of an order, a constant text.
const char *anl_order_name(enum anl_order order);

// Returns whether an order has this name, and fills *order. Only letters count, so lex-desc-h-v is
// lex-desc(h,v).
bool anl_order_find(const char *name, enum anl_order *order);

// Writes the worms in their order to worms, an array of anl_permutation_worms() elements. Only the
// random order reads seed. ANL_ERR_MEMORY.
enum anl_status anl_order_make(const struct anl_permutation *permutation, enum anl_order order,
                               uint64_t seed, uint32_t *worms);

// Moves the worm in place `from` of an order to place `to`; those between move by one place.
void anl_order_move(uint32_t *order, uint32_t from, uint32_t to);

// --- schedules ---
//
// A schedule gives each worm a start >= 1: the step in which its head crosses its first link. The
// worm goes along its row to the column of its destination, then along this column. Its flit j
// crosses link i of its path in step start + i + j, for i = 0 .. d - 1 and j = 0 .. k - 1. A worm
// whose destination is its source has start 1 and uses no link; it does not count below.

struct anl_schedule {
    uint32_t worms;     // that use links
    uint32_t makespan;  // the last step in which a flit crosses a link: the largest start + d + k -
                        // 2; 0 if no worm uses links
    uint32_t largest;   // largest start
    uint64_t sum;       // of all starts
};

// Schedules the worms of one permutation in any number of orders.
struct anl_scheduler;

// Makes a scheduler for worms of k flits, k from 1 to ANL_SCHEDULE_MAX_K. It keeps no pointer to
// permutation, which must have passed anl_permutation_check(). Returns ANL_ERR_ARGUMENT if k is out
// of range, ANL_ERR_MEMORY. The caller destroys *scheduler.
enum anl_status anl_scheduler_create(const struct anl_permutation *permutation, uint32_t k,
                                     struct anl_scheduler **scheduler);
void anl_scheduler_destroy(struct anl_scheduler *scheduler);

// Gives each of the count worms of order, one after the other, the least start at which none of its
// flits meets a flit of a worm before it. Writes starts[n * n], by source; 0 where order names no
// worm. order names no worm twice. Takes O(n^3) steps, whatever k.
struct anl_schedule anl_scheduler_run(struct anl_scheduler *scheduler, const uint32_t *order,
                                      uint32_t count, uint32_t *starts);

// Returns what is to be said of a schedule. starts[n * n] need not be valid.
struct anl_schedule anl_schedule_measure(const struct anl_permutation *permutation, uint32_t k,
                                         const uint32_t *starts);

// --- bounds ---

// Returns the largest makespan that any order can have on an n x n mesh, and the largest start.
uint32_t anl_schedule_bound(uint32_t n, uint32_t k);
uint32_t anl_schedule_bound_start(uint32_t n, uint32_t k);

// Returns the largest makespan that an order by descending h can have, whatever its second key.
uint32_t anl_schedule_bound_h_descending(uint32_t n, uint32_t k);

// Makespans below which there is no schedule.
struct anl_schedule_lower {
    uint32_t distance;  // of the farthest worm, for any paths
    uint32_t cut;       // worms over a straight cut of the mesh share its n links, for any paths
    uint32_t link;      // worms over one link follow each other; only for paths with one bend
    uint32_t any, one_bend;  // the largest of them for any paths, and for paths with one bend
};
// Fills *lower. ANL_ERR_MEMORY.
enum anl_status anl_schedule_lower(const struct anl_permutation *permutation, uint32_t k,
                                   struct anl_schedule_lower *lower);

// --- the search for short schedules ---

struct anl_search_options {
    uint64_t seed;
    uint64_t tries;  // changes of an order that are tried
    // Is called after every try, and after each of the fixed orders; returning false stops the
    // search. May be NULL.
    bool (*go_on)(void *user, uint64_t tries, const struct anl_schedule *best);
    void *user;
};
struct anl_search_result {
    struct anl_schedule schedule;
    enum anl_order order;  // the fixed order from which the search began
    uint32_t begin;        // its makespan
    uint64_t tries;        // that were made
    bool stopped;          // go_on stopped it
    bool shortest;  // the makespan is the lower bound for one bend, so no schedule is shorter
};

// Takes the best of the fixed orders and then tries changes of it. The result depends on the
// arguments alone, unless go_on stops the search; more tries never make it longer. Writes
// starts[n * n] as anl_scheduler_run() does. The arguments are those of anl_scheduler_create(),
// and so are the errors.
enum anl_status anl_schedule_search(const struct anl_permutation *permutation, uint32_t k,
                                    const struct anl_search_options *options, uint32_t *starts,
                                    struct anl_search_result *result);

// --- the check ---
//
// A machine without buffers runs the schedule: a register for a flit at the end of each link, and a
// latch beside it that says where the flits behind a head go. It shares no code with the scheduler.

enum anl_schedule_rule {
    ANL_SCHEDULE_KEPT,         // no rule is broken
    ANL_SCHEDULE_NO_START,     // a worm has start 0, or a start without a worm
    ANL_SCHEDULE_ONE_FLIT,     // I1: a link carries at most one flit a step
    ANL_SCHEDULE_CONTIGUOUS,   // I2: flit j + 1 crosses a link one step after flit j
    ANL_SCHEDULE_NO_IDLE,      // I3: no flit waits or disappears
    ANL_SCHEDULE_ONE_ARRIVAL,  // I4: a node consumes at most one flit a step
    ANL_SCHEDULE_ON_TIME,      // I5: flit j is consumed at its destination in step start + d + j
};

// The first rule that was broken, with its step. Node and port say where: flits at `node` go on by
// `port` (E, W, S, N, or T, which is the node itself).
struct anl_schedule_fault {
    enum anl_schedule_rule rule;
    uint32_t step, node;
    char port;
    uint32_t worms[2];  // ANL_NO_NODE: unknown, or no second one
};

// Is called before each step of a check, of which the last one is known; returning false stops it.
struct anl_schedule_watch {
    bool (*go_on)(void *user, uint32_t step, uint32_t last);
    void *user;
};

// Runs a schedule until every flit must have been delivered, at most 2^31 steps. Returns ANL_OK
// also if a rule is broken, which fault->rule says; ANL_ERR_STALLED if watch stopped it;
// ANL_ERR_MEMORY. permutation must have passed anl_permutation_check(); watch may be NULL.
enum anl_status anl_schedule_check(const struct anl_permutation *permutation, uint32_t k,
                                   const uint32_t *starts, const struct anl_schedule_watch *watch,
                                   struct anl_schedule_fault *fault);

// Writes what is wrong, cut at size - 1 bytes: "step 5, (0,1).E: worms 0 and 1 want one link". n is
// the side of the mesh.
void anl_schedule_fault_text(const struct anl_schedule_fault *fault, uint32_t n, char *text,
                             size_t size);

// --- given paths on any graph ---
//
// The multistage method needs no mesh and no permutation: a worm may take any path on any directed
// graph, and any number of worms may begin or end in a node. Links have numbers. The start of a
// worm, and the step in which each of its flits crosses each link, are as above.

struct anl_given_paths {
    uint32_t worms, links;  // the numbers of links are below `links`
    const uint32_t *first;  // [worms + 1] where the path of each worm begins in of; the last is its
                            // length
    const uint32_t *of;     // [first[worms]] the links of all paths
};

// Returns ANL_OK if all numbers of links are in range and no path has a link twice;
// ANL_ERR_ARGUMENT, ANL_ERR_MEMORY.
enum anl_status anl_given_paths_check(const struct anl_given_paths *paths, struct anl_error *error);

// Writes the worms in an order to worms[paths->worms]: row-major (by number), longest or shortest;
// the others ask for a mesh. ANL_ERR_ARGUMENT, ANL_ERR_MEMORY.
enum anl_status anl_given_paths_order(const struct anl_given_paths *paths, enum anl_order order,
                                      uint32_t *worms);

// Gives each worm, one after the other, the least start at which none of its flits meets a flit of
// a worm before it. order[worms] has each worm once. Writes starts[worms]. paths must have passed
// anl_given_paths_check(); k is from 1 to ANL_SCHEDULE_MAX_K. ANL_ERR_MEMORY.
enum anl_status anl_given_paths_schedule(const struct anl_given_paths *paths, uint32_t k,
                                         const uint32_t *order, uint32_t *starts,
                                         struct anl_schedule *schedule);

struct anl_given_paths_bounds {
    uint32_t congestion, dilation;  // worms over a link, links of a path: the most
    uint32_t meetings;         // the most of a worm: pairs of another worm and the steps by which
                               // it is later on a link of both. Each forbids 2 k - 1 starts
    uint64_t makespan, start;  // in any order at most
    uint64_t lower;            // no schedule of these paths has a shorter makespan
};
// Fills *bounds. ANL_ERR_MEMORY.
enum anl_status anl_given_paths_bounds(const struct anl_given_paths *paths, uint32_t k,
                                       struct anl_given_paths_bounds *bounds);

// Two worms that want one link in a step. step 0: there are none.
struct anl_given_paths_clash {
    uint32_t step, link, worms[2];
};
// Moves all flits step by step, and fills in the first clash. It shares no code with the scheduler.
// ANL_ERR_MEMORY.
enum anl_status anl_given_paths_run(const struct anl_given_paths *paths, uint32_t k,
                                    const uint32_t *starts, struct anl_given_paths_clash *clash);

#ifdef __cplusplus
}
#endif

#endif
