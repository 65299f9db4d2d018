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

// ---------------------------------------------------------------- messages

// A thread cannot fail a test in any other way.
static inline void *must(void *memory)
{
    if (!memory) abort();
    return memory;
}

static inline struct anl_border *copy_of(const struct anl_border *border)
{
    struct anl_border *copy = must(malloc(anl_border_bytes(border)));
    return memcpy(copy, border, anl_border_bytes(border));
}

static inline void send(void *user, const struct anl_engine *engine)
{
    struct member *member = user;
    struct group *group = member->group;
    member->engine = engine;
    pthread_mutex_lock(&group->mutex);
    for (uint32_t i = 0; i < anl_engine_num_peers(engine); i++) {
        const struct anl_peer peer = anl_engine_peer(engine, i);
        struct letter *letter = &group->letters[member->team.rank][peer.part];
        while (letter->there)
            pthread_cond_wait(&group->changed, &group->mutex);
        *letter = (struct letter){copy_of(peer.message), true};
    }
    pthread_cond_broadcast(&group->changed);
    pthread_mutex_unlock(&group->mutex);
}

static inline struct anl_border *receive(void *user, uint32_t index)
{
    struct member *member = user;
    struct group *group = member->group;
    const uint32_t from = anl_engine_peer(member->engine, index).part;
    struct letter *letter = &group->letters[from][member->team.rank];
    free(member->heard[index]);
    pthread_mutex_lock(&group->mutex);
    while (!letter->there)
        pthread_cond_wait(&group->changed, &group->mutex);
    member->heard[index] = letter->border;
    *letter = (struct letter){0};
    pthread_cond_broadcast(&group->changed);
    pthread_mutex_unlock(&group->mutex);
    return member->heard[index];
}

// ---------------------------------------------------------------- what all know together

typedef uint64_t joined_value(const struct group *group, uint32_t rank, size_t i);

static inline uint64_t sum_of(const struct group *group, uint32_t members, size_t i)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < members; m++)
        sum += group->members[m].values[i];
    return sum;
}

static inline uint64_t sum_of_all(const struct group *group, uint32_t rank, size_t i)
{
    (void)rank;
    return sum_of(group, group->size, i);
}

static inline uint64_t most_of_all(const struct group *group, uint32_t rank, size_t i)
{
    uint64_t most = 0;
    (void)rank;
    for (uint32_t m = 0; m < group->size; m++)
        if (group->members[m].values[i] > most) most = group->members[m].values[i];
    return most;
}

static inline void exchange(struct member *member, uint64_t *values, size_t count,
                            joined_value *join)
{
    uint64_t *joined = must(calloc(count + 1, sizeof *joined));
    member->values = values;
    pthread_barrier_wait(&member->group->barrier);
    for (size_t i = 0; i < count; i++)
        joined[i] = join(member->group, member->team.rank, i);
    pthread_barrier_wait(&member->group->barrier);
    if (count) memcpy(values, joined, count * sizeof *values);
    free(joined);
}

static inline void sum(void *user, uint64_t *values, size_t count)
{
    exchange(user, values, count, sum_of_all);
}

static inline void most(void *user, uint64_t *values, size_t count)
{
    exchange(user, values, count, most_of_all);
}

static inline void before(void *user, uint64_t *values, size_t count)
{
    exchange(user, values, count, sum_of);
}

static inline const void *gather(void *user, const void *list, size_t bytes, bool to_all,
                                 size_t *all)
{
    struct member *member = user;
    const struct group *group = member->group;
    size_t filled = 0;
    *all = 0;
    member->list = list;
    member->bytes = bytes;
    pthread_barrier_wait(&member->group->barrier);
    for (uint32_t m = 0; m < group->size; m++)
        *all += group->members[m].bytes;
    free(member->gathered);
    member->gathered = must(malloc(*all + 1));
    for (uint32_t m = 0; m < group->size; m++) {
        const struct member *other = &group->members[m];
        if (other->bytes) memcpy((char *)member->gathered + filled, other->list, other->bytes);
        filled += other->bytes;
    }
    pthread_barrier_wait(&member->group->barrier);
    return to_all || member->team.rank == 0 ? member->gathered : NULL;
}

static inline void give_up(void *user, const char *reason)
{
    struct member *member = user;
    fprintf(stderr, "member %u gives up: %s\n", (unsigned)member->team.rank, reason);
    if (!member->group->given_up) abort();
}

// ---------------------------------------------------------------- a team

static inline void *run_member(void *user)
{
    struct member *member = user;
    member->status =
        anl_run(member->group->scenario, &member->options, &member->result, &member->error);
    return NULL;
}

static inline void make_member(struct group *group, uint32_t rank,
                               const struct anl_run_options *options)
{
    struct member *member = &group->members[rank];
    *member = (struct member){.group = group,
                              .team = {.size = group->size,
                                       .rank = rank,
                                       .user = member,
                                       .send = send,
                                       .receive = receive,
                                       .sum = sum,
                                       .most = most,
                                       .before = before,
                                       .gather = gather,
                                       .give_up = give_up},
                              .windows = {.cycles = 70}};
    if (rank == 0) member->options = *options;
    member->options.team = &member->team;
    member->options.latencies = &member->latencies;
    member->options.checkpoint = options->checkpoint;
    if (!options->checkpoint) member->options.windows = &member->windows;
}

static inline void free_member(struct member *member)
{
    for (uint32_t i = 0; i < MOST_MEMBERS; i++)
        free(member->heard[i]);
    free(member->gathered);
    free(member->latencies.count);
    free(member->windows.at);
}

static inline void begin_group(struct group *group, const struct anl_scenario *scenario,
                               uint32_t size, const struct anl_run_options *options)
{
    *group = (struct group){.scenario = scenario, .size = size};
    pthread_barrier_init(&group->barrier, NULL, size);
    pthread_mutex_init(&group->mutex, NULL);
    pthread_cond_init(&group->changed, NULL);
    for (uint32_t m = 0; m < size; m++)
        make_member(group, m, options);
}

static inline void end_group(struct group *group)
{
    pthread_t threads[MOST_MEMBERS];
    const uint32_t size = group->size;
    for (uint32_t m = 0; m < size; m++)
        assert_int_equal(pthread_create(&threads[m], NULL, run_member, &group->members[m]), 0);
    alarm(MOST_SECONDS);  // ends the program if members wait for each other for ever
    for (uint32_t m = 0; m < size; m++)
        pthread_join(threads[m], NULL);
    alarm(0);
    pthread_barrier_destroy(&group->barrier);
    pthread_mutex_destroy(&group->mutex);
    pthread_cond_destroy(&group->changed);
}

static inline void run_group(struct group *group, const struct anl_scenario *scenario,
                             uint32_t size, const struct anl_run_options *options)
{
    begin_group(group, scenario, size, options);
    end_group(group);
}

static inline void free_group(struct group *group)
{
    for (uint32_t m = 0; m < group->size; m++)
        free_member(&group->members[m]);
}

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
    OPEN("pattern: transpose, load: 0.2, length: 4"),
    OPEN("pattern: many_to_one, load: 0.02, length: 4, hotspot_terminal: 5"),
    OPEN("pattern: permutation, load: 0.2, length: 4"),
    OPEN("pattern: random_function, load: 0.1, length: 4"),
    BATCH("process: batch, worms_per_terminal: 5, length: [2, 3]"),
    BATCH("process: batch, worms_per_terminal: 5, length: 2, delays: 9, delay_cycles: 7"),
    BATCH("process: batch, pattern: q_relation, worms_per_terminal: 4, length: 2"),
    BATCH("process: generator, worms_per_terminal: 6, length: 5"),
    BATCH("process: request_reply, worms_per_terminal: 6, window: 2, length: 2, reply_length: 5"),
    "network: {topology: torus, k: 5, n: 2}\nswitch: {num_vcs: 4, classes: 2, scan: oldest}\n"
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
    "switch: {num_vcs: 2, space: chained, depth: 1, routing: up_down_greedy}\n"
    "traffic: {load: 0.5, length: 4}\n" RUN,
    "network: {topology: butterfly, k: 2, n: 4, passes: 2}\nswitch: {depth: 1, space: chained}\n"
    "traffic: {process: batch, worms_per_terminal: 6, length: 3}\nrun: {seed: 5}\n",
    MESH "switch: {num_vcs: 2, depth: 1, link: wide, space: chained}\n"
         "traffic: {load: 0.3, length: 7}\n" RUN,
    MESH "switch: {num_vcs: 2, link_cycles: 3}\ntraffic: {load: 0.2, length: 4}\n" RUN,
    // Here members look together when credits alone are on their way.
    "network: {topology: mesh, k: 5, n: 1}\nswitch: {num_vcs: 2, link_cycles: 16}\n"
    "traffic: {load: 0.01, length: 1}\nrun: {seed: 3, cycles: 600, warmup_cycles: 40}\n",
    "network: {topology: butterfly, k: 2, n: 4}\n"
    "switch: {num_vcs: 2, link_cycles: 2, space: registered}\n"
    "traffic: {process: request_reply, worms_per_terminal: 6, window: 2, length: 2, "
    "reply_length: 5}\nrun: {seed: 5}\n",
    "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
    "switch: {num_vcs: 1, routing: dimension_order}\n"
    "traffic: {pattern: tornado, load: 0.9, length: 9}\n" RUN,
};

#endif
