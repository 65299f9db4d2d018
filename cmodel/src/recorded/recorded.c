// SPDX-License-Identifier: Apache-2.0
//
// Goes through the cycles of a waveform. The changes of one time are collected before any of them
// holds, so that at an edge of the clock all values are still those before it.

#include "recorded.h"

#include <annelid/live.h>
#include <annelid/scenario.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct anl_recorded {
    struct vcd vcd;
    struct signals signals;
    const struct anl_probes *probes;
    const struct anl_config *config;
    bool ours;      // links of ours
    bool held;      // the changes of the edge are still to come
    bool ran;       // there was a cycle
    bool over;      // reset has risen again
    bool off;       // the clock was neither 0 nor 1 behind a cycle: nothing was recorded
    uint64_t step;  // time of the changes that are collected
    uint64_t time;  // of the edge of this cycle
    uint64_t cycles, unknown_flits;
};

enum anl_status anl_recorded_open(FILE *file, const char *name, const struct anl_probes *probes,
                                  struct anl_recorded **recorded, struct anl_error *error)
{
    *recorded = NULL;
    struct anl_recorded *made = calloc(1, sizeof *made);
    if (!made) return anl_fail(error, ANL_ERR_MEMORY, name, 0, "out of memory");
    made->probes = probes;
    made->config = &anl_probes_scenario(probes)->network;
    made->ours = !anl_probes_links(probes);
    enum anl_status status = vcd_open(file, name, &made->vcd, error);
    if (!status) status = signals_find(&made->signals, &made->vcd, probes, error);
    if (!status) {
        *recorded = made;
        return ANL_OK;
    }
    anl_recorded_close(made);
    return status;
}

void anl_recorded_close(struct anl_recorded *recorded)
{
    if (!recorded) return;
    signals_free(&recorded->signals);
    vcd_free(&recorded->vcd);
    free(recorded);
}

uint64_t anl_recorded_cycles(const struct anl_recorded *recorded) { return recorded->cycles; }

uint64_t anl_recorded_time(const struct anl_recorded *recorded) { return recorded->time; }

const char *anl_recorded_timescale(const struct anl_recorded *recorded)
{
    return recorded->vcd.timescale;
}

uint64_t anl_recorded_unknown_flits(const struct anl_recorded *recorded)
{
    return recorded->unknown_flits;
}

bool anl_recorded_was_reset(const struct anl_recorded *recorded) { return recorded->over; }

// --- cycles ---

// Returns whether the changes that are collected have an edge of the clock that counts.
static bool counts(struct anl_recorded *recorded)
{
    const struct signals *signals = &recorded->signals;
    recorded->off =
        recorded->off || (recorded->ran && signals_bit(signals, &signals->clock, true) == 2);
    if (signals_bit(signals, &signals->clock, false) != 0 ||
        signals_bit(signals, &signals->clock, true) != 1)
        return false;
    const bool running = !signals->reset.count || signals_bit(signals, &signals->reset, false) == 0;
    recorded->over = recorded->over || (recorded->ran && !running);
    return running && !recorded->over;
}

enum anl_status anl_recorded_next(struct anl_recorded *recorded, bool *there,
                                  struct anl_error *error)
{
    enum vcd_event event;
    struct vcd *vcd = &recorded->vcd;
    *there = false;
    if (recorded->held) signals_pass(&recorded->signals);
    if (recorded->held) recorded->step = vcd->time;
    recorded->held = false;
    for (;;) {
        const enum anl_status status = vcd_next(vcd, &event, error);
        if (status) return status;
        if (event == VCD_CHANGE) {
            signals_note(&recorded->signals, &vcd->code, &vcd->word);
            continue;
        }
        if (event == VCD_TIME && vcd->time == recorded->step) continue;
        if (counts(recorded)) break;
        if (recorded->over || event == VCD_END) return ANL_OK;
        signals_pass(&recorded->signals);
        recorded->step = vcd->time;
    }
    if (recorded->off)
        return anl_fail(error, ANL_ERR_FORMAT, vcd->path, vcd->line,
                        "the clock was neither 0 nor 1 between cycle %" PRIu64
                        " and the edge of time %" PRIu64 ", expected all cycles",
                        recorded->cycles - 1, recorded->step);
    recorded->held = recorded->ran = *there = true;
    recorded->time = recorded->step;
    recorded->cycles++;
    return ANL_OK;
}

// --- wires ---

struct reading {
    struct anl_recorded *recorded;
    uint32_t link;
    struct anl_error *error;
};

static const struct wires *wires_of(const struct reading *reading, enum anl_probe_role role)
{
    return &reading->recorded->signals.links[(size_t)reading->link * ANL_NUM_PROBE_ROLES + role];
}

// Reads a role that must be known; 0 if the map does not have it.
static enum anl_status read_known(const struct reading *reading, enum anl_probe_role role,
                                  uint32_t *value)
{
    const struct anl_recorded *recorded = reading->recorded;
    const struct wires *wires = wires_of(reading, role);
    char name[80];
    *value = 0;
    if (!wires->count || signals_read(&recorded->signals, wires, value)) return ANL_OK;
    anl_link_name(recorded->config, reading->link, name, sizeof name);
    return anl_fail(reading->error, ANL_ERR_FORMAT, recorded->vcd.path, recorded->vcd.line,
                    "%s of link %s is neither 0 nor 1 at the edge of time %" PRIu64
                    ", cycle %" PRIu64 ", expected 0 or 1%s",
                    anl_probe_role_name(role), name, recorded->time, recorded->cycles - 1,
                    recorded->signals.reset.count ? "" : "; the map has no reset");
}

static enum anl_status tell_wires(const struct reading *reading, struct anl_live *live)
{
    struct anl_recorded *recorded = reading->recorded;
    uint32_t valid, back, vc = 0, length = 0, flit[ANL_WIRE_WORDS] = {0};
    enum anl_status status = read_known(reading, ANL_PROBE_VALID, &valid);
    if (!status) status = read_known(reading, ANL_PROBE_BACK, &back);
    if (!status && valid) status = read_known(reading, ANL_PROBE_VC, &vc);
    if (!status && valid) status = read_known(reading, ANL_PROBE_LENGTH, &length);
    if (status) return status;
    if (valid && !signals_read(&recorded->signals, wires_of(reading, ANL_PROBE_FLIT), flit))
        recorded->unknown_flits++;
    if (!recorded->ours) {
        const struct anl_wires wires = {.valid = valid, .vc = vc, .back = back, .flit = flit};
        anl_live_wires(live, reading->link, &wires, length);
        return ANL_OK;
    }
    if (valid) anl_live_flit(live, reading->link, vc, flit, length);
    if (back) anl_live_credits(live, reading->link, back);
    return ANL_OK;
}

enum anl_status anl_recorded_tell(struct anl_recorded *recorded, struct anl_live *live,
                                  struct anl_error *error)
{
    const uint32_t links = anl_shape_of(recorded->config).links;
    struct reading reading = {.recorded = recorded, .error = error};
    enum anl_status status = ANL_OK;
    for (; !status && reading.link < links; reading.link++)
        if (wires_of(&reading, ANL_PROBE_VALID)->count) status = tell_wires(&reading, live);
    return status;
}
