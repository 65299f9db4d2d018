// SPDX-License-Identifier: Apache-2.0
//
// What the theory of wormhole routing says of the worms of a scenario: congestion, dilation and
// load factor, the bounds on their time, and the conditions under which the bounds hold. The
// theorems are those of Greenberg and Oh (1993); papers/greenberg_oh/README.md has them.

#ifndef ANNELID_THEORY_H
#define ANNELID_THEORY_H

#include <annelid/engine.h>
#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- the paths of a set of worms ---
//
// A channel is a lane of a link; its number is link * num_vcs + vc.

struct anl_hop {
    uint32_t worm, channel;
};

// The paths of a set of worms. anl_paths_begin() initialises them; a struct of zeros is not valid.
struct anl_paths {
    uint32_t links, num_vcs;
    uint32_t worms;      // 1 + the highest number of a worm that has moved
    uint32_t narrowest;  // the fewest lanes of which a worm of anl_paths_add_route() takes one
    struct anl_hop *hops;
    size_t num_hops, size;
    // After anl_paths_settle(): the channels of worm w, in their order, are channels[begin[w]] to
    // channels[begin[w + 1] - 1].
    size_t *begin;
    uint32_t *channels;
};

// Begin with no hops, and free what was added. *config is not kept.
void anl_paths_begin(struct anl_paths *paths, const struct anl_config *config);
void anl_paths_free(struct anl_paths *paths);

// Adds a hop: the head of worm takes channel. The hops of one worm must be added in their order.
// ANL_ERR_MEMORY.
enum anl_status anl_paths_add(struct anl_paths *paths, uint32_t worm, uint32_t channel);

// Adds all hops of a worm that is alone in the network. Where it may take several lanes it takes
// the lowest one, and where the routing leaves the choice between ports to the run, the first one.
// ANL_ERR_MEMORY.
enum anl_status anl_paths_add_route(struct anl_paths *paths, const struct anl_config *config,
                                    const struct anl_worm *worm);

// Sorts the hops by worm, as the functions below need them; none can be added afterwards.
// ANL_ERR_MEMORY.
enum anl_status anl_paths_settle(struct anl_paths *paths);

struct anl_paths_measures {
    uint32_t congestion;  // c: worms over the link that most worms cross
    uint32_t dilation;    // d: links of the longest path
    uint32_t link;        // the first one with congestion worms
    double mean;          // worms over a link, mean over the links that are crossed
};
// Measures settled paths. ANL_ERR_MEMORY.
enum anl_status anl_paths_measure(const struct anl_paths *paths,
                                  struct anl_paths_measures *measures);

// Looks for a cycle of the dependency graph, which has an edge from channel u to v if v follows u
// on some path. *length receives how many channels are on the cycle, 0 if there is none, and *cycle
// these channels in their order, which the caller frees with free(). ANL_ERR_MEMORY.
enum anl_status anl_paths_find_cycle(const struct anl_paths *paths, uint32_t **cycle,
                                     size_t *length);

// Two worms that share two links and go different ways between them. If `reversed`, the first worm
// takes link `part` before link `meet`, and the second worm `meet` before `part`.
struct anl_paths_meeting {
    bool found, reversed;
    uint32_t worms[2], part, meet;  // links
};
// Looks for two paths that share more than one contiguous stretch of links, and fills *meeting;
// meeting->found is false if there are none. ANL_ERR_MEMORY.
enum anl_status anl_paths_find_meeting(const struct anl_paths *paths,
                                       struct anl_paths_meeting *meeting);

// --- trials ---

// The load factor of worms on a fat-tree (section 3), and the channel where it is reached. It is
// the maximum, over the channels, of the worms that have to cross one divided by its capacity:
// 2^level links in each direction above a subtree of that level.
struct anl_load_place {
    double factor;
    uint32_t level;    // of the subtree below the channel, 0 .. n - 1
    uint32_t subtree;  // its first terminal is 4^level * subtree
    bool up;
};

// The result of a run of a scenario, and what the theory needs to know of it.
struct anl_trial {
    bool complete;    // all worms were delivered
    bool stopped;     // go_on stopped the run
    uint64_t cycles;  // of the run; a complete one ends with the last delivery
    uint64_t worms, delivered;
    uint32_t shortest, longest;  // lengths, flits
    uint64_t last_created;       // cycle
    uint64_t missed;             // worms that took longer than phase_cycles
    uint32_t congestion;         // c: worms over the link that most worms cross
    uint32_t dilation;           // d: links of the longest path taken
    double mean_congestion;      // worms over a link, mean over the links that are crossed
    struct anl_load_place load;  // of a fat-tree; all 0 for other networks
    uint64_t lower;              // no trial with these worms and paths takes fewer cycles: the most
                                 // flits of the worms over one link, or the largest links + flits
                                 // - 1 of a worm; if all worms have one length this is
                                 // max(c L, d + L - 1)
};

struct anl_trial_options {
    uint64_t phase_cycles;  // worms that take longer than this are counted in `missed`; 0: none is
    struct anl_paths *paths;  // receives the hops and is not settled; the caller has called
                              // anl_paths_begin(); NULL: not wanted
    uint64_t look_cycles;     // go_on is called after so many cycles; returning false stops the run
    bool (*go_on)(void *user, const struct anl_engine *net);
    void *user;
};

// Runs a scenario. Returns ANL_OK also if the run stalls or reaches max_cycles; trial->complete is
// then false. ANL_ERR_MEMORY.
enum anl_status anl_trial_run(const struct anl_scenario *scenario,
                              const struct anl_trial_options *options, struct anl_trial *trial);

// Creates the worms of a scenario without a run. paths receives the paths that they take if no worm
// is in their way; of a fat-tree's shortest paths those that up_down_fixed samples, whatever the
// routing. The caller has called anl_paths_begin(); paths is not settled; NULL: not wanted. Of
// *trial the worms, their lengths, last_created and load are filled in. Returns ANL_ERR_ARGUMENT
// for request_reply, whose worms depend on the run; ANL_ERR_MEMORY.
enum anl_status anl_trial_draw(const struct anl_scenario *scenario, struct anl_paths *paths,
                               struct anl_trial *trial, struct anl_error *error);

// --- bounds on the time of a set of worms ---

// Returns max(c L, d + L - 1) flit-steps: the worms over one link follow each other, and the last
// flit of the worm with the longest path follows its head.
uint64_t anl_bounds_lower(uint64_t congestion, uint64_t dilation, uint64_t length);

// Theorem 2 with the constants of its proof. A worm waits for x phases, x uniform in 0 … delays -
// 1, and is delivered in the phase in which it starts with probability 1 - 1/P^2; so all worms are
// delivered by the end of the last phase with probability 1 - 1/P.
struct anl_bounds_schedule {
    uint64_t eta;           // min(d, L)
    double t1;              // max(d / L, ln P, 1)
    uint64_t delays;        // R: 5 c L if L < d, else 5 c d
    uint64_t phase_cycles;  // k T1 L flit-steps, rounded up, k = 10
    uint64_t cycles;        // R phases
};
// Returns the schedule of Theorem 2. All arguments are >= 1; length is that of the worms, L.
//
// The logarithm is the natural one: the proof needs Pr <= e^(-2 log P) to be 1 / P^2. It also needs
// 8 T1 L + d + L <= 10 T1 L, so T1 >= 1 where d <= L; for P >= 3 the logarithm gives that.
struct anl_bounds_schedule anl_bounds_theorem_2(uint64_t worms, uint64_t congestion,
                                                uint64_t dilation, uint64_t length);

// Changes a batch scenario to the delayed-greedy algorithm of Theorem 2: every worm waits for x
// phases, x uniform in 0 … R - 1, and then goes greedily. The delays are those of the theorem for
// the paths of the worms: the paths of the routing, sampled as under up_down_fixed where the run
// would choose. These paths may depend on the order of creation, and so on the delays; so R is
// raised until it is large enough, and schedule->delays is that R. Returns ANL_ERR_ARGUMENT if the
// scenario is no batch; ANL_ERR_MEMORY.
enum anl_status anl_bounds_delay(struct anl_scenario *scenario,
                                 struct anl_bounds_schedule *schedule, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
