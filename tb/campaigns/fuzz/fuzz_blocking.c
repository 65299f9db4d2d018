// SPDX-License-Identifier: Apache-2.0
//
// Whatever worms and flits a blocking analysis is fed, it answers or refuses. The bytes drive a
// golden model and say which of its flits are changed before they are fed. Unchanged flits must
// always be accepted, and a deadlock must be found in the same cycle as by a search from scratch.

#include <annelid/blocking.h>
#include <annelid/engine.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST_CYCLES = 300, MOST_FLITS = 64 };

static void demand(bool holds)
{
    if (!holds) abort();
}

struct input {
    const uint8_t *bytes;
    size_t left;
};

static uint32_t next(struct input *input, uint32_t below)
{
    if (input->left == 0) return 0;
    input->left--;
    return *input->bytes++ % below;
}

static uint32_t any_number(struct input *input)
{
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        number = number << 8 | next(input, 256);
    return number;
}

static struct anl_config read_config(struct input *input)
{
    static const struct anl_config networks[] = {
        {.topology = ANL_MESH, .k = 2, .n = 2, .num_vcs = 1},
        {.topology = ANL_MESH, .k = 3, .n = 1, .num_vcs = 3},
        {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 4, .n = 1, .num_vcs = 1},
        {.topology = ANL_UNIDIRECTIONAL_TORUS, .k = 3, .n = 1, .num_vcs = 2},
        {.topology = ANL_TORUS, .k = 5, .n = 1, .num_vcs = 2, .routing = ANL_DATELINE},
        {.topology = ANL_HYPERCUBE, .k = 2, .n = 2, .num_vcs = 2, .routing = ANL_E_CUBE},
    };
    struct anl_config config = networks[next(input, sizeof networks / sizeof *networks)];
    config.depth = 1 + next(input, 5);
    config.flow_control = (enum anl_flow_control)next(input, 3);
    config.arbiter = (enum anl_arbiter)next(input, 4);
    config.flit_width_bits = 64;
    return config;
}

struct tale {
    struct anl_config config;
    struct anl_engine *net;
    struct anl_blocking *blocking;
    bool changed;  // the feed is no longer what the model did
};

static void ask_buffer(const struct anl_blocking *blocking, uint32_t buffer)
{
    char text[160];
    struct anl_flit_run runs[8];
    const struct anl_buffer is = anl_blocking_buffer(blocking, buffer);
    anl_blocking_text(blocking, buffer, text, sizeof text);
    demand(strlen(text) > 0 && strlen(text) + 1 < sizeof text);
    demand((is.worm == ANL_NOTHING) == (anl_blocking_runs(blocking, buffer, runs, 8) == 0));
    demand((anl_blocking_root_blocker(blocking, buffer) == ANL_NOTHING) ==
           (is.worm == ANL_NOTHING || is.distance == UINT32_MAX));
}

static void ask_worm(void *user, uint32_t worm)
{
    const struct anl_blocking *blocking = user;
    struct anl_life life;
    uint32_t buffers[256];
    uint64_t cycles = 0;
    demand(anl_blocking_life(blocking, worm, &life));
    for (int i = 0; i < ANL_WAITS; i++)
        cycles += life.cycles[i];
    demand(cycles == anl_blocking_cycle(blocking) - life.worm.created + 1);
    demand(anl_blocking_body(blocking, worm, buffers, 256) > 0);
}

static void ask_all(const struct anl_blocking *blocking)
{
    uint32_t *dead;
    size_t count;
    for (uint32_t buffer = 0; buffer < anl_blocking_num_buffers(blocking); buffer++)
        ask_buffer(blocking, buffer);
    anl_blocking_worms(blocking, ask_worm, (void *)(uintptr_t)blocking);
    demand(anl_blocking_dead(blocking, &dead, &count) == ANL_OK);
    demand((count > 0) == (anl_blocking_deadlocked(blocking) != UINT64_MAX));
    for (size_t i = 0; i < count; i++)
        demand(anl_blocking_held_by(blocking, dead[i]) != ANL_NOTHING);
    free(dead);
}

static bool create_worm(struct tale *tale, struct input *input)
{
    const uint32_t terminals = anl_shape_of(&tale->config).terminals;
    const bool whole = tale->config.flow_control != ANL_WORMHOLE;
    const uint32_t source = next(input, terminals), destination = next(input, terminals);
    const uint16_t length = (uint16_t)(1 + next(input, whole ? tale->config.depth : 20));
    uint32_t id;
    demand(anl_engine_enqueue(tale->net, source, destination, length, &id) == ANL_OK);
    const enum anl_status status =
        anl_blocking_feed_worm(tale->blocking, anl_engine_worm(tale->net, id), NULL);
    demand(status == ANL_OK || tale->changed);
    return status == ANL_OK;
}

static bool create_any_worm(struct tale *tale, struct input *input)
{
    const struct anl_worm worm = {
        .id = next(input, 2) ? any_number(input) : (uint32_t)anl_engine_totals(tale->net).enqueued,
        .source = next(input, 8),
        .destination = next(input, 8),
        .length = (uint16_t)any_number(input),
        .created = next(input, 2) ? any_number(input) : anl_engine_cycle(tale->net),
    };
    tale->changed = true;
    return anl_blocking_feed_worm(tale->blocking, &worm, NULL) == ANL_OK;
}

static void change_flit(struct anl_flit *flit, struct input *input)
{
    switch (next(input, 7)) {
    case 0:
        flit->link = any_number(input);
        break;
    case 1:
        flit->worm = next(input, 2) ? any_number(input) : next(input, 16);
        break;
    case 2:
        flit->index = (uint16_t)any_number(input);
        break;
    case 3:
        flit->vc = (uint8_t)next(input, 256);
        break;
    case 4:
        flit->head = !flit->head;
        break;
    case 5:
        flit->tail = !flit->tail;
        break;
    default:
        flit->link += next(input, 3);
        break;
    }
}

// how: 0 feeds the flits of this cycle as they are, 1 leaves one out, 2 changes one, 3 feeds one
// twice. Returns whether the analysis accepted them.
static bool step(struct tale *tale, struct input *input, uint32_t how)
{
    struct anl_flit fed[MOST_FLITS + 1];
    struct anl_error error = {0};
    size_t count;
    const uint64_t cycle = anl_engine_cycle(tale->net);
    anl_engine_step(tale->net);
    const struct anl_flit *flits = anl_engine_flits(tale->net, &count);
    demand(count <= MOST_FLITS);
    if (count > 0) memcpy(fed, flits, count * sizeof *flits);

    const size_t which = count ? next(input, (uint32_t)count) : 0;
    if (how > 0 && count > 0) tale->changed = true;
    if (how == 1 && count > 0) fed[which] = fed[--count];
    if (how == 2 && count > 0) change_flit(&fed[which], input);
    if (how == 3 && count > 0) fed[count++] = fed[which];
    const enum anl_status status =
        anl_blocking_feed_flits(tale->blocking, cycle, fed, count, &error);
    demand(status == ANL_OK || (tale->changed && status == ANL_ERR_FORMAT && error.text[0]));
    return status == ANL_OK;
}

static bool go_on(struct tale *tale, struct input *input)
{
    const uint32_t what = next(input, 16);
    if (what < 5) return create_worm(tale, input);
    if (what == 5) return create_any_worm(tale, input);
    if (what == 6) ask_all(tale->blocking);
    return step(tale, input, what < 12 ? 0 : what - 12);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    struct tale tale = {.config = read_config(&input)};
    demand(anl_engine_create(&tale.config, &tale.net) == ANL_OK);
    demand(anl_blocking_create(&tale.config, NULL, &tale.blocking) == ANL_OK);
    anl_engine_record(tale.net, true);

    bool taken = true;
    while (input.left > 0 && taken && anl_engine_cycle(tale.net) < MOST_CYCLES)
        taken = go_on(&tale, &input);
    ask_all(tale.blocking);
    demand(anl_blocking_feed_flits(tale.blocking, 0, NULL, 0, NULL) == ANL_ERR_FORMAT ||
           anl_engine_cycle(tale.net) == 0);
    anl_engine_destroy(tale.net);
    anl_blocking_destroy(tale.blocking);
    return 0;
}
