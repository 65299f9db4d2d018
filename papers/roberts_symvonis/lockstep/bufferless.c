// SPDX-License-Identifier: Apache-2.0
//
// A mesh without buffers (papers/roberts_symvonis/bufferless.md): the registers of the model.

#include "bufferless_lockstep.h"

#include <stdlib.h>

static enum anl_status create(struct lockstep *run, struct anl_error *error)
{
    const size_t nodes = anl_shape_of(&run->scenario->network).switches;
    struct anl_bufferless_state *state = calloc(1, sizeof *state);
    (void)error;
    run->of_kind = state;
    if (!state) return ANL_ERR_MEMORY;
    state->links = calloc(nodes * ANL_BUFFERLESS_LINKS, sizeof *state->links);
    state->latches = calloc(nodes, ANL_BUFFERLESS_PORTS);
    state->faults = calloc(nodes, sizeof *state->faults);
    return state->links && state->latches && state->faults ? ANL_OK : ANL_ERR_MEMORY;
}

static void destroy(struct lockstep *run)
{
    struct anl_bufferless_state *state = run->of_kind;
    free(state->links);
    free(state->latches);
    free(state->faults);
    free(state);
}

static void registers(struct lockstep *run, struct comparison *comparison)
{
    struct anl_bufferless_state *state = run->of_kind;
    anl_engine_nodes(run->engine, state);
    compare_step(comparison, run->cycle, 0);
    if (!comparison->unwatched) compare_nodes(comparison, state);
}

const struct lockstep_kind lockstep_bufferless = {
    .observed = &observed_bufferless,
    .create = create,
    .destroy = destroy,
    .registers = registers,
    .ports = lockstep_fault_lines,
    .outlives_faults = true,
};
