// SPDX-License-Identifier: Apache-2.0

#include "feed.h"

struct worker worker_create(const struct anl_config *config, uint64_t seed,
                            const struct anl_blocking_listener *listener)
{
    struct worker worker = {.config = *config};
    assert_int_equal(anl_engine_create(config, &worker.net), ANL_OK);
    assert_int_equal(anl_blocking_create(config, listener, &worker.blocking), ANL_OK);
    anl_engine_reset(worker.net, seed);
    anl_engine_record(worker.net, true);
    return worker;
}

void worker_destroy(struct worker *worker)
{
    for (uint64_t i = 0; i < worker->num_cycles; i++) {
        free(worker->cycles[i].worms);
        free(worker->cycles[i].flits);
    }
    free(worker->cycles);
    anl_engine_destroy(worker->net);
    anl_blocking_destroy(worker->blocking);
}

void worker_enqueue(struct worker *worker, uint32_t source, uint32_t destination, uint16_t length)
{
    uint32_t id;
    assert_int_equal(anl_engine_enqueue(worker->net, source, destination, length, &id), ANL_OK);
    assert_true(worker->num_created < 512);
    worker->created[worker->num_created++] = *anl_engine_worm(worker->net, id);
}

static void *copy_of(const void *from, size_t count, size_t size)
{
    void *copy = malloc(count * size + 1);
    assert_non_null(copy);
    if (count) memcpy(copy, from, count * size);
    return copy;
}

enum anl_status feed_cycle(struct anl_blocking *blocking, uint64_t cycle,
                           const struct fed_cycle *fed, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < fed->num_worms && !status; i++)
        status = anl_blocking_feed_worm(blocking, &fed->worms[i], error);
    return status ? status
                  : anl_blocking_feed_flits(blocking, cycle, fed->flits, fed->num_flits, error);
}

void worker_step(struct worker *worker)
{
    struct anl_error error = {0};
    struct fed_cycle fed;
    anl_engine_step(worker->net);
    const struct anl_flit *flits = anl_engine_flits(worker->net, &fed.num_flits);
    fed.flits = copy_of(flits, fed.num_flits, sizeof *flits);
    fed.num_worms = worker->num_created;
    fed.worms = copy_of(worker->created, fed.num_worms, sizeof *fed.worms);
    worker->num_created = 0;

    worker->cycles = realloc(worker->cycles, (worker->num_cycles + 1) * sizeof *worker->cycles);
    assert_non_null(worker->cycles);
    worker->cycles[worker->num_cycles] = fed;
    if (feed_cycle(worker->blocking, worker->num_cycles++, &fed, &error))
        fail_msg("%s", error.text);
}

size_t worker_step_traffic(struct worker *worker, struct anl_traffic *traffic)
{
    size_t count;
    const struct anl_new_worm *new_worms = anl_traffic_cycle(traffic, worker->num_cycles, &count);
    for (size_t i = 0; i < count; i++)
        worker_enqueue(worker, new_worms[i].source, new_worms[i].destination, new_worms[i].length);
    worker_step(worker);
    const struct anl_worm *done = anl_engine_delivered(worker->net, &count);
    anl_traffic_delivered(traffic, done, count);
    return count;
}

uint32_t lane_of(const struct anl_config *config, uint32_t switch_, uint32_t port, uint32_t vc)
{
    return (switch_ * anl_shape_of(config).ports + port) * config->num_vcs + vc;
}

uint32_t injection_lane(const struct anl_config *config, uint32_t terminal, uint32_t vc)
{
    const struct anl_shape shape = anl_shape_of(config);
    return (shape.switches * shape.ports + terminal) * config->num_vcs + vc;
}

uint32_t source_of(const struct anl_config *config, uint32_t terminal)
{
    return anl_shape_of(config).links * config->num_vcs + terminal;
}
