// SPDX-License-Identifier: Apache-2.0
//
// What the theory of wormhole routing says of the worms of a scenario: congestion, dilation and
// load factor, the bounds on their time, and the conditions under which the bounds hold. The
// theorems are those of Greenberg and Oh (1993); docs/papers/greenberg-oh.md has them.

#ifndef ANNELID_THEORY_H
#define ANNELID_THEORY_H

#include <annelid/engine.h>
#include <annelid/scenario.h>

#ifdef __cplusplus
extern "C" {
#endif

// --- the paths of a set of worms ---
//
// A channel is a lane of a link, link * num_vcs + vc.

struct anl_hop {
    uint32_t worm, channel;
};

// Plain data; zero is not valid, anl_paths_begin() makes it.
struct anl_paths {
    uint32_t links, num_vcs;
    uint32_t worms;  // 1 + the highest number of a worm that has moved
    struct anl_hop *hops;
    size_t num_hops, size;
    // After anl_paths_settle(): the channels of worm w, in their order, are channels[begin[w]] to
    // channels[begin[w + 1] - 1].
    size_t *begin;
    uint32_t *channels;
};

void anl_paths_begin(struct anl_paths *paths, const struct anl_config *config);
void anl_paths_free(struct anl_paths *paths);

// The head of worm takes channel. The hops of one worm come in their order. ANL_ERR_MEMORY.
enum anl_status anl_paths_add(struct anl_paths *paths, uint32_t worm, uint32_t channel);

// All hops of a worm that is alone in the network: where several lanes are as good, the lowest one.
// Where the routing leaves the choice between ports to the run, the first one. ANL_ERR_MEMORY.
enum anl_status anl_paths_add_route(struct anl_paths *paths, const struct anl_config *config,
                                    const struct anl_worm *worm);

// Sorts the hops by worm; none can be added afterwards. What follows needs it. ANL_ERR_MEMORY.
enum anl_status anl_paths_settle(struct anl_paths *paths);

struct anl_paths_measures {
    uint32_t congestion;  // c: worms over the link that most worms cross
    uint32_t dilation;    // d: links of the longest path
    uint32_t link;        // the first one with congestion worms
    double mean;          // worms over a link, mean over the links that are crossed
};
// ANL_ERR_MEMORY.
enum anl_status anl_paths_measure(const struct anl_paths *paths,
                                  struct anl_paths_measures *measures);

// The dependency graph: from channel u to v if some path goes from u to v at once. *length
// receives the number of channels on a cycle of it, 0 if there is none; *cycle the channels in
// their order, to be freed with free(). ANL_ERR_MEMORY.
enum anl_status anl_paths_find_cycle(const struct anl_paths *paths, uint32_t **cycle,
                                     size_t *length);

// Two worms that share two links, and between them go different ways; reversed: the first worm
// takes part before meet, the second one meet before part.
struct anl_paths_meeting {
    bool found, reversed;
    uint32_t worms[2], part, meet;  // links
};
// No two paths meet in more than one contiguous stretch of links, or here is where two do.
// ANL_ERR_MEMORY.
enum anl_status anl_paths_find_meeting(const struct anl_paths *paths,
                                       struct anl_paths_meeting *meeting);

// --- trials ---

// Where the load factor of worms on a fat-tree is reached (section 3): the worms that have to cross
// a channel over its capacity, 2^level links above a subtree of that level, in either direction, at
// most.
struct anl_load_place {
    double factor;
    uint32_t level;    // 0 .. n - 1: of the subtree below the channel
    uint32_t subtree;  // its terminals are 4^level * subtree …
    bool up;
};

// A run of a scenario, and what the theory asks for.
struct anl_trial {
    bool complete;    // all worms delivered
    bool stopped;     // by go_on
    uint64_t cycles;  // run: at the end of the last one the last worm is delivered
    uint64_t worms, delivered;
    uint32_t shortest, longest;  // lengths, flits
    uint64_t last_created;       // cycle
    uint64_t missed;             // worms that took longer than phase_cycles
    uint32_t congestion;         // c: worms over one link, at most
    uint32_t dilation;           // d: links of the longest path taken
    double mean_congestion;      // worms over a link, mean over the links that are crossed
    struct anl_load_place load;  // of a fat-tree, else all 0
    uint64_t lower;              // no trial with these worms and paths takes fewer cycles: the
                                 // flits over one link, or links + flits - 1 of one worm, at most;
                                 // of worms of one length this is max(c L, d + L - 1)
};

struct anl_trial_options {
    uint64_t phase_cycles;    // worms delivered later than this after their creation are counted;
                              // 0: none
    struct anl_paths *paths;  // begun; receives the hops, not settled; NULL: not wanted
    uint64_t look_cycles;     // go_on is asked after so many cycles; returning false stops the run
    bool (*go_on)(void *user, const struct anl_engine *net);
    void *user;
};

// ANL_OK also if the run stalls or comes to max_cycles: then it is not complete. ANL_ERR_MEMORY.
enum anl_status anl_trial_run(const struct anl_scenario *scenario,
                              const struct anl_trial_options *options, struct anl_trial *trial);

// The worms that a scenario creates, without a run, and the paths that they take if nobody is in
// their way; of a fat-tree's shortest paths those that up_down_fixed draws, whatever the routing.
// paths: begun, receives the hops, not settled; NULL: not wanted. Of *trial the worms, their
// lengths, last_created and load are filled in. ANL_ERR_ARGUMENT: request_reply, whose worms depend
// on the run; ANL_ERR_MEMORY.
enum anl_status anl_trial_draw(const struct anl_scenario *scenario, struct anl_paths *paths,
                               struct anl_trial *trial, struct anl_error *error);

// --- bounds on the time of a set of worms ---

// Returns max(c L, d + L - 1) flit-steps: the worms over one link follow each other, and the last
// flit of the worm with the longest path follows its head.
uint64_t anl_bounds_lower(uint64_t congestion, uint64_t dilation, uint64_t length);

// Theorem 2 as its proof has it. A worm waits for x phases, x uniform in 0 … delays - 1, and is
// delivered in the phase in which it starts with probability 1 - 1/P^2; so all worms are by the end
// of the last phase with probability 1 - 1/P.
struct anl_bounds_schedule {
    uint64_t eta;           // min(d, L)
    double t1;              // max(d / L, ln P, 1)
    uint64_t delays;        // R: 5 c L if L < d, else 5 c d
    uint64_t phase_cycles;  // k T1 L flit-steps, rounded up, k = 10
    uint64_t cycles;        // R phases
};
// worms, congestion, dilation, length >= 1.
//
// The logarithm is the natural one: the proof needs Pr <= e^(-2 log P) to be 1 / P^2. It also needs
// 8 T1 L + d + L <= 10 T1 L, so T1 >= 1 where d <= L; for P >= 3 the logarithm gives that.
struct anl_bounds_schedule anl_bounds_theorem_2(uint64_t worms, uint64_t congestion,
                                                uint64_t dilation, uint64_t length);

// Makes a batch go by the delayed-greedy algorithm of Theorem 2: every worm waits for x phases, x
// uniform in 0 … R - 1, and then goes greedily. Sets the delays as the theorem wants them for the
// paths that the worms will have: those of the routing, drawn as under up_down_fixed where the run
// would choose. As these paths may depend on the order of creation, and so on the delays, R is
// raised until it is enough; it is schedule->delays then. ANL_ERR_ARGUMENT: no batch;
// ANL_ERR_MEMORY.
enum anl_status anl_bounds_delay(struct anl_scenario *scenario,
                                 struct anl_bounds_schedule *schedule, struct anl_error *error);

#ifdef __cplusplus
}
#endif

#endif
