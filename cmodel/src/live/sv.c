// SPDX-License-Identifier: Apache-2.0
//
// What SystemVerilog calls. A handle is the address of a watch, since no port can have a pointer.

#include "live.h"

#include <inttypes.h>

static struct anl_live *live_of(uint64_t handle) { return (struct anl_live *)(uintptr_t)handle; }

uint64_t anl_live_sv_create(const char *scenario, const char *links, const char *trace,
                            const char *report, uint64_t patience_cycles, unsigned char credits)
{
    const struct anl_live_options options = {.links = links,
                                             .trace = trace,
                                             .report = report,
                                             .patience_cycles = patience_cycles,
                                             .no_credits = !credits};
    struct anl_live *live = NULL;
    struct anl_error error = {0};
    if (anl_live_create(scenario, &options, &live, &error) != ANL_OK)
        anl_error_print(&error, "annelid", stderr);
    return (uintptr_t)live;
}

void anl_live_sv_worm(uint64_t handle, uint32_t source, uint32_t destination, uint32_t length,
                      uint32_t class_)
{
    if (handle) anl_live_worm(live_of(handle), source, destination, length, class_);
}

// Returns whether a parameter of the probe of a link has the value that the scenario has.
static bool fits(struct anl_live *live, uint32_t link, const char *parameter, uint32_t value,
                 const char *key, uint32_t expected)
{
    if (value == expected) return true;
    return live_break(live, "misuse", ANL_NOTHING, ANL_NOTHING,
                      "the probe of link %" PRIu32 " has %s %" PRIu32
                      ", and the scenario has %s %" PRIu32,
                      link, parameter, value, key, expected);
}

void anl_live_sv_flit(uint64_t handle, uint32_t link, uint32_t vc, uint32_t num_vcs,
                      uint32_t flit_width_bits, const uint32_t *flit, uint32_t length)
{
    struct anl_live *live = live_of(handle);
    if (!handle || live->over) return;
    const struct anl_config *config = live->config;
    if (fits(live, link, "NumVcs", num_vcs, "switch.num_vcs", config->num_vcs) &&
        fits(live, link, "FlitW", flit_width_bits, "switch.flit_width_bits",
             config->flit_width_bits))
        anl_live_flit(live, link, vc, flit, length);
}

void anl_live_sv_wires(uint64_t handle, uint32_t link, unsigned char valid, uint32_t vc,
                       uint32_t num_vcs, uint32_t width, const uint32_t *flit, uint32_t back,
                       uint32_t length)
{
    struct anl_live *live = live_of(handle);
    const struct anl_wires wires = {.valid = valid & 1, .vc = vc, .back = back, .flit = flit};
    if (!handle || live->over) return;
    if (fits(live, link, "NumVcs", num_vcs, "switch.num_vcs", live->config->num_vcs) &&
        fits(live, link, "FlitW", width, "width", live->width))
        anl_live_wires(live, link, &wires, length);
}

void anl_live_sv_credits(uint64_t handle, uint32_t link, uint32_t lanes)
{
    if (handle) anl_live_credits(live_of(handle), link, lanes);
}

unsigned char anl_live_sv_cycle(uint64_t handle)
{
    return !handle || anl_live_cycle(live_of(handle));
}

void anl_live_sv_print(uint64_t handle)
{
    if (handle) anl_live_print(live_of(handle), live_of(handle)->out);
}

unsigned char anl_live_sv_end(uint64_t handle) { return !handle || anl_live_end(live_of(handle)); }

void anl_live_sv_destroy(uint64_t handle) { anl_live_destroy(live_of(handle)); }
