// SPDX-License-Identifier: Apache-2.0
//
// A butterfly whose switches discard a worm that finds no free lane
// (papers/cole_maggs_sitaraman/discard.md).

#include "discarding_machine.h"

#include <annelid/rtl.h>
#include <inttypes.h>
#include <stdio.h>

enum { MOST_LEVELS = 17 };  // of switches, in one pass: ANL_DISCARD_MAX_LEVELS + 1

#define REFUSE(...) return anl_fail(error, ANL_ERR_ARGUMENT, "", 0, __VA_ARGS__)

static enum anl_status check(const struct anl_config *c, struct anl_error *error)
{
    if (c->topology != ANL_BUTTERFLY)
        REFUSE("topology is %s, switches that discard expect butterfly",
               anl_topology_name(c->topology));
    if (c->k != 2) REFUSE("k is %u, switches that discard expect 2", c->k);
    if (c->n < 2 || c->n > MOST_LEVELS)
        REFUSE("n is %u, switches that discard expect 2..%d", c->n, MOST_LEVELS);
    return ANL_OK;
}

// Where lanes share a link, a step has a cycle for each of them.
static uint64_t alone(const struct anl_config *config, uint64_t distance, uint64_t length)
{
    const uint32_t cycles = config->num_vcs / anl_link_flits(config);
    return (distance + length - 2) * cycles + 1;
}

// The links of the last level end at outputs, which take all that comes.
static bool delivers(const struct anl_config *config, const struct anl_flit *tail,
                     uint32_t destination)
{
    const uint32_t levels = anl_num_passes(config) * (config->n - 1);
    (void)destination;
    return tail->link >= (levels - 1) * anl_shape_of(config).terminals;
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static void parameters(const struct anl_config *config, struct anl_rtl_parameters *all)
{
    *all = (struct anl_rtl_parameters){6,
                                       {{"K", config->k},
                                        {"N", config->n},
                                        {"Passes", anl_num_passes(config)},
                                        {"NumVcs", config->num_vcs},
                                        {"FlitW", config->flit_width_bits},
                                        {"Wide", config->link == ANL_WIDE}}};
}

static void words(const struct anl_config *config, char *text, size_t size)
{
    snprintf(text, size, "%" PRIu32 " lane%s%s, which discard", config->num_vcs,
             plural(config->num_vcs), config->link == ANL_WIDE ? " of wide links" : "");
}

static void sentence(const struct anl_config *config, char *text, size_t size)
{
    snprintf(text, size,
             "%" PRIu32 " lane%s per %slink, without buffers; a worm that finds no free lane is "
             "discarded",
             config->num_vcs, plural(config->num_vcs), config->link == ANL_WIDE ? "wide " : "");
}

// --- scenarios ---

// Nobody answers, or waits for, a worm that was discarded.
static enum anl_status settle(struct scenario_reading *reading)
{
    const enum anl_process process = reading->scenario->traffic.process;
    if (process != ANL_REQUEST_REPLY && process != ANL_GENERATOR) return ANL_OK;
    SCENARIO_REFUSE(reading, scenario_given_of(reading, KEY_PROCESS, KEY_WHEN_BLOCKED),
                    "process is %s, when_blocked drop expects bernoulli, bursty, batch or replay",
                    anl_process_name(process));
}

const struct anl_machine anl_machine_discarding = {
    .called = "switches that discard",
    .key = "when_blocked",
    .word = "drop",
    .usual = "wait",
    .page = "papers/cole_maggs_sitaraman/discard.md",
    .traits = ANL_TRAIT_DISCARDS,
    .check = check,
    .parameters = parameters,
    .alone = alone,
    .delivers = delivers,
    .words = words,
    .sentence = sentence,
    .engine = &engine_discarding,
    .referee = &referee_discarding,
    .keys = "flit_width_bits link num_vcs when_blocked",
    .settle = settle,
};
