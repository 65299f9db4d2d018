// SPDX-License-Identifier: Apache-2.0
//
// The kind of switches with lanes and credits, and the functions that ask the table of kinds.

#include "network.h"

// --- lanes and credits (docs/switch.md) ---

static uint64_t alone(const struct anl_config *config, uint64_t distance, uint64_t length)
{
    const uint64_t links = distance + 2, behind = length - 1;
    const uint64_t hop = anl_hop_cycles(config), stages = anl_stages(config);
    const uint64_t head = links + (hop - 1) * distance + stages - 1;
    const uint64_t trip = distance ? 2 * hop : 1 + stages;  // until a slot is used again
    if (config->flow_control == ANL_STORE_AND_FORWARD) return head + links * behind;
    if (config->depth >= trip) return head + behind;
    return head + behind / config->depth * trip + behind % config->depth;
}

static const struct anl_machine buffered = {
    .called = "kind buffered",
    .key = "kind",
    .word = "buffered",
    .usual = "buffered",
    .page = "docs/switch.md",
    .traits = ANL_TRAIT_WAITS | ANL_TRAIT_BLOCKING | ANL_TRAIT_BATCH | ANL_TRAIT_PARTS |
              ANL_TRAIT_CHECKPOINTS,
    .alone = alone,
    .ends = 2,
};

// --- the table ---

// Rows of papers: MACHINE(enum anl_switch_kind, name). The makefile lists the papers that are
// built.
#define COMMAND(name, what)
#define MACHINE(kind, name) extern const struct anl_machine anl_machine_##name;
#include "parts.inc"
#undef MACHINE

#define MACHINE(kind, name) [kind] = &anl_machine_##name,
static const struct anl_machine *const machines[] = {
    [ANL_BUFFERED] = &buffered,
#include "parts.inc"
};

const struct anl_machine *anl_machine_of(enum anl_switch_kind kind)
{
    return (size_t)kind < sizeof machines / sizeof *machines ? machines[kind] : NULL;
}

bool anl_has(const struct anl_config *config, enum anl_trait trait)
{
    return machines[config->kind]->traits & trait;
}

uint64_t anl_latency_alone(const struct anl_config *config, uint64_t distance, uint64_t length)
{
    return machines[config->kind]->alone(config, distance, length);
}
