// SPDX-License-Identifier: Apache-2.0
//
// What the tests of teams share: threads as the members of a team, and scenarios with each process
// and each pattern, in networks whose terminals ascend with the parts and in others.

#ifndef ANNELID_UNIT_TEAM_H
#define ANNELID_UNIT_TEAM_H

#include "unit.h"

#include <annelid/network.h>
#include <annelid/run.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MEMBERS = 8, MOST_SECONDS = 200 };

// A message on its way between two members.
struct letter {
    struct anl_border *border;
    bool there;
};

struct member {
    struct group *group;
    struct anl_team team;
    const struct anl_engine *engine;
    struct anl_border *heard[MOST_MEMBERS];  // of each peer, by its index
    uint64_t *values;                        // that it brings to an exchange
    const void *list;
    size_t bytes;
    void *gathered;
    struct anl_run_options options;
    struct anl_run_result result;
    struct anl_latencies latencies;
    struct anl_windows windows;
    enum anl_status status;
    struct anl_error error;
};

struct group {
    const struct anl_scenario *scenario;
    uint32_t size;
    pthread_barrier_t barrier;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct letter letters[MOST_MEMBERS][MOST_MEMBERS];  // [from][to]
    struct member members[MOST_MEMBERS];
    uint32_t given_up;
};

// Makes a team, and frees it; its members have not run, or have come to their end.
void begin_group(struct group *group, const struct anl_scenario *scenario, uint32_t size,
                 const struct anl_run_options *options);
void end_group(struct group *group);
// Makes a team and runs it to its end.
void run_group(struct group *group, const struct anl_scenario *scenario, uint32_t size,
               const struct anl_run_options *options);
void free_group(struct group *group);

// ---------------------------------------------------------------- scenarios

#define MESH "network: {topology: mesh, k: 4, n: 2}\n"
#define RUN "run: {seed: 5, cycles: 160, warmup_cycles: 40}\n"
#define OPEN(traffic) MESH "traffic: {" traffic "}\n" RUN
#define BATCH(traffic) MESH "traffic: {" traffic "}\nrun: {seed: 5}\n"

static const char *const texts[] = {
    OPEN("load: 0.2, length: [1, 4, 9]"),
    OPEN("load: 0.9, length: 1"),
    OPEN("load: 0.004, length: 3"),
    OPEN("process: bursty, load: 0.2, length: 4, burst_cycles: 20"),
    OPEN("pattern: hotspot, load: 0.1, length: 4, hotspot_terminal: 6, hotspot_fraction: 0.2"),
    OPEN("pattern: uniform_others, load: 0.2, length: 4"),
    OPEN("pattern: sphere, load: 0.2, length: 4, sphere_radius: 2, sphere_fraction: 0.6"),
    OPEN("pattern: transpose, load: 0.2, length: 4"),
    OPEN("pattern: many_to_one, load: 0.02, length: 4, hotspot_terminal: 5"),
    OPEN("pattern: permutation, load: 0.2, length: 4"),
    OPEN("pattern: random_function, load: 0.1, length: 4"),
    BATCH("process: batch, worms_per_terminal: 5, length: [2, 3]"),
    BATCH("process: batch, worms_per_terminal: 5, length: 2, delays: 9, delay_cycles: 7"),
    BATCH("process: batch, pattern: q_relation, worms_per_terminal: 4, length: 2"),
    BATCH("process: generator, worms_per_terminal: 6, length: 5"),
    BATCH("process: request_reply, worms_per_terminal: 6, window: 2, length: 2, reply_length: 5"),
    "network: {topology: torus, k: 5, n: 2}\nswitch: {num_vcs: 4, classes: 2, arbiter: age}\n"
    "traffic: {load: 0.15, length: 4}\n" RUN,
    "network: {topology: torus, k: 3, n: 3}\nswitch: {num_vcs: 4, routing: valiant}\n"
    "traffic: {load: 0.1, length: 4}\n" RUN,
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 2, routing: up_down_random}\n"
    "traffic: {load: 0.2, length: 4}\n" RUN,
    "network: {topology: butterfly, k: 2, n: 4, passes: 2}\nswitch: {num_vcs: 2}\n"
    "traffic: {load: 0.1, length: 4}\n" RUN,
    "network: {topology: graph}\nswitch: {num_vcs: 2}\ntraffic: {load: 0.1, length: 4}\n" RUN
    "graph: {switches: [a, b, c, d, e], terminals: [e, d, c, b, a, a],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, a]]}\n",
    "network: {topology: graph}\nswitch: {num_vcs: 2}\ntraffic: {load: 0.1, length: 4}\n" RUN
    "graph: {switches: [a, b, c, d, e], terminals: [a, a, c, e, e],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, a]]}\n",
    // The terminals of the first part have the highest numbers, and their requests are answered.
    "network: {topology: graph}\nswitch: {num_vcs: 2, classes: 2}\n"
    "traffic: {process: request_reply, worms_per_terminal: 20, window: 3, length: 1, "
    "reply_length: 2}\nrun: {seed: 5}\n"
    "graph: {switches: [a, b, c, d, e], terminals: [e, d, c, b, a, a],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, a]]}\n",
    // A stall whose last move is over an ejection link.
    "network: {topology: graph, unsafe: true}\nswitch: {num_vcs: 1, depth: 4, routing: shortest}\n"
    "traffic: {process: replay, messages: tb/unit/run/stall_messages.txt}\n"
    "graph: {switches: [a, b, c, d, e], terminals: [a, b, c, d, e, a],\n"
    "  links: [[a, b], [b, c], [c, d], [d, e], [e, a]]}\n",
    // Messages with routes of their own.
    "network: {topology: graph, unsafe: true}\n"
    "switch: {num_vcs: 2, depth: 6, routing: source, flit_width_bits: 64, link_cycles: 6}\n"
    "traffic: {process: replay, messages: sim/scenarios/messages/graph_source.txt}\n"
    "graph: {switches: 10, terminals: [0.3, 1.3, 2.3, 3.3, 4.3, 5.3, 6.3, 7.3, 8.3, 9.3],\n"
    "  links: [[0.0, 1.0], [1.1, 2.0], [2.1, 3.0], [3.1, 4.0], [4.1, 0.1], [0.2, 5.0], [1.2, "
    "6.0],\n"
    "    [2.2, 7.0], [3.2, 8.0], [4.2, 9.0], [5.1, 7.1], [6.1, 8.1], [7.2, 9.1], [8.2, 5.2],\n"
    "    [9.2, 6.2]]}\n",
    "network: {topology: fat_tree, n: 2}\n"
    "switch: {num_vcs: 2, credits: bypass, depth: 1, routing: up_down_greedy}\n"
    "traffic: {load: 0.5, length: 4}\n" RUN,
    "network: {topology: butterfly, k: 2, n: 4, passes: 2}\nswitch: {depth: 1, credits: bypass}\n"
    "traffic: {process: batch, worms_per_terminal: 6, length: 3}\nrun: {seed: 5}\n",
    MESH "switch: {num_vcs: 2, depth: 1, link: wide, credits: bypass}\n"
         "traffic: {load: 0.3, length: 7}\n" RUN,
    MESH "switch: {num_vcs: 2, link_cycles: 3}\ntraffic: {load: 0.2, length: 4}\n" RUN,
    // Here members look together when credits alone are on their way.
    "network: {topology: mesh, k: 5, n: 1}\nswitch: {num_vcs: 2, link_cycles: 16}\n"
    "traffic: {load: 0.01, length: 1}\nrun: {seed: 3, cycles: 600, warmup_cycles: 40}\n",
    "network: {topology: butterfly, k: 2, n: 4}\n"
    "switch: {num_vcs: 2, link_cycles: 2, credits: registered}\n"
    "traffic: {process: request_reply, worms_per_terminal: 6, window: 2, length: 2, "
    "reply_length: 5}\nrun: {seed: 5}\n",
    "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
    "switch: {num_vcs: 1, routing: dimension_order}\n"
    "traffic: {pattern: tornado, load: 0.9, length: 9}\n" RUN,
};

#endif
