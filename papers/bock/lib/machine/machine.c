// SPDX-License-Identifier: Apache-2.0
//
// Sliding diagonals (papers/bock/diagonals.md).

#include "diagonals_machine.h"

#include <annelid/diagonals.h>
#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdio.h>

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

// Several flits may leave the network at a node in one step, one from each register.
static enum anl_status check(const struct anl_config *c, struct anl_error *error)
{
    if (c->topology != ANL_TORUS)
        REFUSE("topology is %s, kind diagonals expects torus", anl_topology_name(c->topology));
    if (c->n < 2 || 2 * c->n > ANL_MAX_VCS)
        REFUSE("n is %u, kind diagonals expects 2..%d", c->n, ANL_MAX_VCS / 2);
    if (c->num_vcs != 2 * c->n || c->link != ANL_WIDE)
        REFUSE("num_vcs is %u, kind diagonals expects 2 n and wide links", c->num_vcs);
    if (c->routing != ANL_VALIANT && c->routing != ANL_DATELINE)
        REFUSE("routing is %s, kind diagonals expects valiant or dateline",
               anl_routing_name(c->routing));
    if ((unsigned)c->diagonals.rounds > ANL_LEAST_ROUNDS)
        REFUSE("unknown rounds %d", (int)c->diagonals.rounds);
    const struct anl_diagonals_config slide = anl_diagonals_of(c);
    return anl_diagonals_check(&slide, error);
}

static enum anl_status check_rtl(const struct anl_config *config, const char *path,
                                 struct anl_error *error)
{
    if (config->diagonals.rounds == ANL_LEAST_ROUNDS)
        return anl_fail(error, ANL_ERR_ARGUMENT, path, 0,
                        "switch.rounds is least; the RTL of sliding diagonals expects paper or "
                        "short");
    return ANL_OK;
}

static void parameters(const struct anl_config *config, struct anl_rtl_parameters *all)
{
    const struct anl_diagonals_shape *slide = &config->diagonals;
    *all = (struct anl_rtl_parameters){8,
                                       {{"K", config->k},
                                        {"N", config->n},
                                        {"FlitW", config->flit_width_bits},
                                        {"Length", slide->length},
                                        {"A", slide->a},
                                        {"B", slide->b},
                                        {"C", slide->c},
                                        {"Brief", slide->rounds == ANL_SHORT_ROUNDS}}};
}

// A worm that failed, or that is at its intermediate destination, leaves the network, too, and
// comes back. It is delivered by the last lane.
static bool delivers(const struct anl_config *config, const struct anl_flit *tail,
                     uint32_t destination)
{
    const struct anl_end end = anl_end_of(config, tail->link);
    return end.is_terminal && end.node == destination && tail->vc + 1u == config->num_vcs;
}

static void words(const struct anl_config *config, char *text, size_t size)
{
    (void)config;
    snprintf(text, size, "sliding diagonals");
}

static void sentence(const struct anl_config *config, char *text, size_t size)
{
    const struct anl_diagonals_shape *slide = &config->diagonals;
    snprintf(text, size,
             "sliding diagonals: a %" PRIu32 ", b %" PRIu32 ", c %" PRIu32 ", rounds %s%s",
             slide->a, slide->b, slide->c, anl_rounds_name(slide->rounds),
             config->routing == ANL_VALIANT ? ", by a random node" : "");
}

// --- scenarios ---

// Flits leave by the link of a terminal from each register of its node, in a lane each. Of the
// routings, valiant alone means something.
static enum anl_status settle(struct scenario_reading *reading)
{
    struct anl_scenario *scenario = reading->scenario;
    struct anl_config *network = &scenario->network;
    const struct anl_traffic_config *traffic = &scenario->traffic;
    if (!anl_process_is_open_loop(traffic->process) && traffic->process != ANL_BATCH)
        SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_PROCESS, KEY_KIND),
                        "process is %s, kind diagonals expects batch, bernoulli or bursty",
                        anl_process_name(traffic->process));
    if (traffic->num_lengths != 1)
        SCENARIO_REFUSE(reading, KEY_LENGTH,
                        "length has %" PRIu32 " numbers, kind diagonals expects one for all worms",
                        traffic->num_lengths);
    if (scenario_is_given(reading, KEY_ROUTING) && network->routing != ANL_VALIANT)
        SCENARIO_REFUSE(reading, KEY_ROUTING,
                        "routing is %s, kind diagonals expects valiant or none",
                        anl_routing_name(network->routing));
    network->diagonals.length = traffic->lengths[0];
    network->num_vcs = 2 * network->n <= ANL_MAX_VCS ? 2 * network->n : ANL_MAX_VCS;
    network->link = ANL_WIDE;
    return ANL_OK;
}

// The time that worms take is that of their batches.
static void times(const struct anl_config *network, char *text, size_t size)
{
    const struct anl_diagonals_config config = anl_diagonals_of(network);
    const uint32_t batches = anl_diagonals_usual_batches(&config);
    snprintf(text, size,
             "stages of %" PRIu64 " cycles, delivery %" PRIu64 ", one every %" PRIu64
             " cycles; one worm per terminal makes %" PRIu32 ", %" PRIu64 " cycles",
             anl_diagonals_stage_cycles(&config), anl_diagonals_delivery_cycles(&config),
             anl_diagonals_period(&config), batches, anl_diagonals_cycles(&config, batches));
}

const struct anl_machine anl_machine_diagonals = {
    .called = "kind diagonals",
    .key = "kind",
    .word = "diagonals",
    .usual = "buffered",
    .page = "papers/bock/diagonals.md",
    .traits = ANL_TRAIT_FAILS | ANL_TRAIT_LOADS,
    .check = check,
    .check_rtl = check_rtl,
    .parameters = parameters,
    .delivers = delivers,
    .ends = 2,
    .words = words,
    .sentence = sentence,
    .times = times,
    .engine = &engine_diagonals,
    .referee = &referee_diagonals,
    .keys = "a b c flit_width_bits kind rounds routing",
    .settle = settle,
};
