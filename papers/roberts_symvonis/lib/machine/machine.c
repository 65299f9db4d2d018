// SPDX-License-Identifier: Apache-2.0
//
// Switches without buffers (papers/roberts_symvonis/bufferless.md).

#include "bufferless_machine.h"

#include <annelid/rtl.h>
#include <stdio.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check(const struct anl_config *c, struct anl_error *error)
{
    if (c->topology != ANL_MESH)
        REFUSE("topology is %s, kind bufferless expects mesh", anl_topology_name(c->topology));
    if (c->n != 2) REFUSE("n is %u, kind bufferless expects 2", c->n);
    if (c->link != ANL_SHARED) REFUSE("link is wide, kind bufferless expects shared");
    return ANL_OK;
}

static uint64_t alone(const struct anl_config *config, uint64_t distance, uint64_t length)
{
    (void)config;
    return distance + length;
}

static void parameters(const struct anl_config *config, struct anl_rtl_parameters *all)
{
    *all = (struct anl_rtl_parameters){2, {{"K", config->k}, {"FlitW", config->flit_width_bits}}};
}

static void words(const struct anl_config *config, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "without buffers");
}

static void sentence(const struct anl_config *config, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "bufferless: one flit per link, worms along their row, then their column");
}

// --- scenarios ---

// A switch without buffers sends each worm at its start, so somebody must have chosen the starts.
static enum anl_status settle(struct scenario_reading *reading)
{
    const enum anl_process process = reading->scenario->traffic.process;
    if (process == ANL_REPLAY) return ANL_OK;
    SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_PROCESS, KEY_KIND),
                    "process is %s, kind bufferless expects replay, whose messages say all starts",
                    anl_process_name(process));
}

const struct anl_machine anl_machine_bufferless = {
    .called = "kind bufferless",
    .key = "kind",
    .word = "bufferless",
    .usual = "buffered",
    .page = "papers/roberts_symvonis/bufferless.md",
    .traits = ANL_TRAIT_LOSES | ANL_TRAIT_STARTS | ANL_TRAIT_BLOCKING,
    .check = check,
    .parameters = parameters,
    .alone = alone,
    .ends = 1,
    .words = words,
    .sentence = sentence,
    .engine = &engine_bufferless,
    .referee = &referee_bufferless,
    .keys = "flit_width_bits kind",
    .settle = settle,
};
