// SPDX-License-Identifier: Apache-2.0
//
// What SystemVerilog calls. A handle is the address of a drive, since no port can have a pointer.

#include "driver.h"

#include <stdlib.h>
#include <string.h>

static struct anl_driver *drive_of(uint64_t handle)
{
    return (struct anl_driver *)(uintptr_t)handle;
}

// Cuts a text at blanks, in place. Returns how many words it has, at most `most`.
static size_t cut(char *text, const char **words, size_t most)
{
    char *rest = NULL;
    size_t count = 0;
    for (char *word = strtok_r(text, " ", &rest); word && count < most;
         word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    return count;
}

uint64_t anl_driver_sv_create(const char *scenario, const char *links, const char *settings,
                              const char *trace, const char *report, uint64_t patience_cycles,
                              double hesitation, unsigned char json)
{
    enum { MOST = 64 };
    const char *words[MOST];
    char *copy = strdup(settings);
    struct anl_driver_options options = {.live = {.links = links,
                                                  .trace = trace,
                                                  .report = report,
                                                  .patience_cycles = patience_cycles,
                                                  .settings = words},
                                         .hesitation = hesitation,
                                         .json = json & 1};
    struct anl_driver *drive = NULL;
    struct anl_error error = {0};
    if (!copy) return 0;
    options.live.num_settings = cut(copy, words, MOST);
    if (anl_driver_create(scenario, &options, &drive, &error) != ANL_OK)
        anl_error_print(&error, "judge", stderr);
    free(copy);
    return (uintptr_t)drive;
}

uint64_t anl_driver_sv_live(uint64_t handle)
{
    return handle ? (uintptr_t)anl_driver_live(drive_of(handle)) : 0;
}

unsigned char anl_driver_sv_sends(uint64_t handle, uint32_t terminal, uint32_t *vc, uint32_t *flit)
{
    const uint32_t *wires;
    const bool valid = anl_driver_sends(drive_of(handle), terminal, vc, &wires);
    memcpy(flit, wires, ANL_WIRE_WORDS * sizeof *flit);
    return valid;
}

uint32_t anl_driver_sv_takes(uint64_t handle, uint32_t terminal)
{
    return anl_driver_takes(drive_of(handle), terminal);
}

void anl_driver_sv_saw(uint64_t handle, uint32_t terminal, uint32_t back, unsigned char valid,
                       uint32_t vc, const uint32_t *flit)
{
    anl_driver_saw(drive_of(handle), terminal, back, valid & 1, vc, flit);
}

unsigned char anl_driver_sv_cycle(uint64_t handle) { return anl_driver_cycle(drive_of(handle)); }

unsigned char anl_driver_sv_end(uint64_t handle) { return anl_driver_end(drive_of(handle)); }

void anl_driver_sv_destroy(uint64_t handle) { anl_driver_destroy(drive_of(handle)); }
