// SPDX-License-Identifier: Apache-2.0

#include "tamper.h"

#include <stdlib.h>
#include <string.h>

bool tamper_parse(const char *text, struct tamper *tamper)
{
    static const char *const names[] = {"none", "drop", "add",  "lane", "head",
                                        "tail", "data", "sink", "state"};
    const char *at = strchr(text, '@');
    if (!at) return false;
    for (size_t i = 1; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i]) != (size_t)(at - text) || strncmp(names[i], text, strlen(names[i])))
            continue;
        *tamper = (struct tamper){.kind = (enum tamper_kind)i};
        tamper->cycle = strtoull(at + 1, NULL, 10);
        return true;
    }
    return false;
}

static void flip(struct wire *wire, uint32_t bit) { wire->flit[bit / 32] ^= 1u << bit % 32; }

static void falsify(struct tamper *tamper, struct observed *observed)
{
    const struct anl_config *config = observed->config;
    struct wires *wires = tamper->kind == TAMPER_SINK ? &observed->sinks : &observed->links;
    struct wire *wire = &wires->wire[tamper->link];
    uint32_t width = config->flit_width_bits, other = 0;
    switch (tamper->kind) {
    case TAMPER_DROP:
        wires->valid[tamper->link / 64] &= ~(UINT64_C(1) << tamper->link % 64);
        break;
    case TAMPER_ADD:
        while (wires_next(wires, other) == other)
            other++;
        wires_put(wires, other, wire->vc, wire->flit, flit_words(config));
        tamper->link = other;
        break;
    case TAMPER_LANE:
        wire->vc ^= 1;
        break;
    case TAMPER_HEAD:
        flip(wire, width + 1);
        break;
    case TAMPER_TAIL:
        flip(wire, width);
        break;
    default:
        flip(wire, width - 1);
        break;
    }
}

void tamper_flits(struct tamper *tamper, struct observed *observed, uint64_t cycle)
{
    if (tamper->kind == TAMPER_NONE || tamper->kind == TAMPER_STATE) return;
    if (tamper->done || cycle < tamper->cycle) return;
    const struct wires *wires = tamper->kind == TAMPER_SINK ? &observed->sinks : &observed->links;
    uint32_t first = wires_next(wires, 0);
    if (first == wires->size) return;
    tamper->done = true;
    tamper->struck = cycle;
    tamper->link = first;
    falsify(tamper, observed);
    if (tamper->kind == TAMPER_SINK) tamper->link = anl_ejection_link(observed->config, first);
}

void tamper_state(struct tamper *tamper, struct observed *observed, uint64_t cycle)
{
    if (tamper->kind != TAMPER_STATE || tamper->done || cycle < tamper->cycle) return;
    tamper->done = true;
    tamper->struck = cycle;
    tamper->link = 0;
    if (observed->kind)
        observed->kind->falsify(observed);
    else
        observed->state.lanes[0].credit++;
}
