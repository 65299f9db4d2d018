// SPDX-License-Identifier: Apache-2.0
//
// A schedule on the golden model: which worms are late, and which wait for another one's lane.

#include "colours.h"

#include <stdlib.h>

struct by_start {
    uint64_t start;
    uint32_t message;
};

static int compare(const void *a, const void *b)
{
    const struct by_start *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    return x->message < y->message ? -1 : 1;
}

// Returns the messages of the scenario at their starts, ascending; NULL if memory runs out. The
// caller frees them with free().
static struct anl_message *sorted(const struct colours *colours, uint32_t *order)
{
    const uint32_t count = colours->paths.messages;
    struct by_start *places = malloc(count * sizeof *places);
    struct anl_message *messages = malloc(count * sizeof *messages);
    for (uint32_t m = 0; places && messages && m < count; m++)
        places[m] = (struct by_start){colours->starts[colours->colouring.of[m]], m};
    if (places && messages) qsort(places, count, sizeof *places, compare);
    for (uint32_t i = 0; places && messages && i < count; i++) {
        messages[i] = colours->messages[places[i].message];
        messages[i].cycle = places[i].start;
        order[i] = places[i].message;
    }
    if (!places) {
        free(messages);
        messages = NULL;
    }
    free(places);
    return messages;
}

// --- the run ---

struct watching {
    const struct colours *colours;
    const uint32_t *order;  // [messages] the message of each worm
    struct colours_replay *replay;
};

// Is called after every cycle.
static bool look_at_delivered(void *user, const struct anl_engine *engine)
{
    const struct watching *watching = user;
    const struct anl_link_paths *paths = &watching->colours->paths;
    size_t count;
    const struct anl_worm *worms = anl_engine_delivered(engine, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t message = watching->order[worms[i].id];
        const uint64_t links = paths->begin[message + 1] - paths->begin[message];
        const uint64_t alone = links + worms[i].length - 1;
        watching->replay->late += anl_engine_cycle(engine) - worms[i].created > alone;
    }
    return true;
}

static void note_delivered(void *user, const struct anl_life *life)
{
    struct watching *watching = user;
    watching->replay->blocked += life->cycles[ANL_BOUND_ELSEWHERE] > 0;
}

static enum anl_status run(const struct anl_scenario *scenario, struct watching *watching,
                           struct anl_error *error)
{
    const struct anl_blocking_listener listener = {.delivered = note_delivered, .user = watching};
    struct anl_run_options options = {
        .progress_cycles = 1, .progress = look_at_delivered, .user = watching};
    struct anl_run_result result = {0};
    enum anl_status status =
        cli_fail(anl_blocking_create(&scenario->network, &listener, &options.blocking), error);
    if (!status) status = anl_run(scenario, &options, &result, error);
    anl_blocking_destroy(options.blocking);
    watching->replay->cycles = result.cycles;
    watching->replay->worms = scenario->num_messages;
    watching->replay->delivered = result.totals.delivered;
    return status;
}

enum anl_status colours_replay(const struct colours *colours, struct colours_replay *replay,
                               struct anl_error *error)
{
    struct anl_scenario scenario = colours->scenario;
    uint32_t *order = malloc(((size_t)colours->paths.messages + 1) * sizeof *order);
    struct watching watching = {colours, order, replay};
    struct anl_message *messages = order ? sorted(colours, order) : NULL;
    *replay = (struct colours_replay){0};
    scenario.traffic = (struct anl_traffic_config){.process = ANL_REPLAY};
    scenario.messages = messages;
    scenario.num_messages = colours->paths.messages;
    scenario.run.warmup_cycles = 0;
    scenario.run.max_cycles = UINT64_C(1000000000000);
    const enum anl_status status =
        messages ? run(&scenario, &watching, error) : cli_fail(ANL_ERR_MEMORY, error);
    free(messages);
    free(order);
    return status;
}
