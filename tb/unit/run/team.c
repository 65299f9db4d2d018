// SPDX-License-Identifier: Apache-2.0

#include "team.h"

// A thread cannot fail a test in any other way.
static void *must(void *memory)
{
    if (!memory) abort();
    return memory;
}

static struct anl_border *copy_of(const struct anl_border *border)
{
    struct anl_border *copy = must(malloc(anl_border_bytes(border)));
    return memcpy(copy, border, anl_border_bytes(border));
}

static void send(void *user, const struct anl_engine *engine)
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

static struct anl_border *receive(void *user, uint32_t index)
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

static uint64_t sum_of(const struct group *group, uint32_t members, size_t i)
{
    uint64_t sum = 0;
    for (uint32_t m = 0; m < members; m++)
        sum += group->members[m].values[i];
    return sum;
}

static uint64_t sum_of_all(const struct group *group, uint32_t rank, size_t i)
{
    (void)rank;
    return sum_of(group, group->size, i);
}

static uint64_t most_of_all(const struct group *group, uint32_t rank, size_t i)
{
    uint64_t most = 0;
    (void)rank;
    for (uint32_t m = 0; m < group->size; m++)
        if (group->members[m].values[i] > most) most = group->members[m].values[i];
    return most;
}

typedef uint64_t joined_value(const struct group *group, uint32_t rank, size_t i);

static void exchange(struct member *member, uint64_t *values, size_t count, joined_value *join)
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

static void sum(void *user, uint64_t *values, size_t count)
{
    exchange(user, values, count, sum_of_all);
}

static void most(void *user, uint64_t *values, size_t count)
{
    exchange(user, values, count, most_of_all);
}

static void before(void *user, uint64_t *values, size_t count)
{
    exchange(user, values, count, sum_of);
}

static const void *gather(void *user, const void *list, size_t bytes, bool to_all, size_t *all)
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

static void give_up(void *user, const char *reason)
{
    struct member *member = user;
    fprintf(stderr, "member %u gives up: %s\n", (unsigned)member->team.rank, reason);
    if (!member->group->given_up) abort();
}

static void *run_member(void *user)
{
    struct member *member = user;
    member->status =
        anl_run(member->group->scenario, &member->options, &member->result, &member->error);
    return NULL;
}

static void make_member(struct group *group, uint32_t rank, const struct anl_run_options *options)
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
    member->options.traffic = options->traffic;
    if (!options->checkpoint) member->options.windows = &member->windows;
}

static void free_member(struct member *member)
{
    for (uint32_t i = 0; i < MOST_MEMBERS; i++)
        free(member->heard[i]);
    free(member->gathered);
    free(member->latencies.count);
    free(member->windows.at);
}

void begin_group(struct group *group, const struct anl_scenario *scenario, uint32_t size,
                 const struct anl_run_options *options)
{
    *group = (struct group){.scenario = scenario, .size = size};
    pthread_barrier_init(&group->barrier, NULL, size);
    pthread_mutex_init(&group->mutex, NULL);
    pthread_cond_init(&group->changed, NULL);
    for (uint32_t m = 0; m < size; m++)
        make_member(group, m, options);
}

void end_group(struct group *group)
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

void run_group(struct group *group, const struct anl_scenario *scenario, uint32_t size,
               const struct anl_run_options *options)
{
    begin_group(group, scenario, size, options);
    end_group(group);
}

void free_group(struct group *group)
{
    for (uint32_t m = 0; m < group->size; m++)
        free_member(&group->members[m]);
}
