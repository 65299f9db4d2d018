// SPDX-License-Identifier: Apache-2.0
//
// What a terminal drives, in each style of docs/link.md.

#include "driver.h"

#include <string.h>

static uint32_t all_lanes(const struct anl_driver *drive)
{
    return (uint32_t)((UINT64_C(1) << drive->num_vcs) - 1);
}

static uint32_t lane_bits(const struct anl_driver *drive)
{
    return anl_link_back_bits(ANL_STYLE_CREDIT_PULSE_SHARED, drive->num_vcs) - 1;
}

static bool hesitates(struct anl_driver *drive)
{
    const double hesitation = drive->options.hesitation;
    return hesitation > 0 && anl_rng_unit(&drive->random) < hesitation;
}

// --- sources ---

// Counts what the receiver drives. A flit that has crossed the link makes room for the next one.
void drive_source_saw(struct anl_driver *drive, uint32_t terminal, uint32_t back)
{
    struct drive_source *source = &drive->sources[terminal];
    const enum anl_link_style style = drive->links->style;
    const struct anl_wires wires = {.valid = source->valid, .back = back};
    const uint64_t credits = anl_link_credits(style, drive->num_vcs, back);
    for (uint32_t vc = 0; vc < drive->num_vcs; vc++)
        source->credits[vc] += (uint32_t)(credits >> vc & 1);
    source->usable = style == ANL_STYLE_STOP_GO ? ~back : back;
    if (!anl_link_crosses(style, &wires, source->vc)) return;
    const struct anl_worm *worm = &drive->worms.all[source->queue[source->next]].worm;
    source->valid = false;
    if (++source->index < worm->length) return;
    source->index = 0;
    source->next++;
}

// Returns whether a flit may be put on the wires for a lane in which there must be room for some.
static bool may_send(const struct anl_driver *drive, const struct drive_source *source, uint32_t vc,
                     uint32_t flits)
{
    const enum anl_link_style style = drive->links->style;
    if (anl_style_has_credits(style)) return source->credits[vc] >= flits;
    return style != ANL_STYLE_STOP_GO || source->usable >> vc & 1;
}

// Returns for how many flits there must be room when the head goes. Of links without credits, ready
// and go are all that a receiver says.
static uint32_t room_for_head(const struct anl_driver *drive, const struct anl_worm *worm)
{
    return drive->config->flow_control == ANL_WORMHOLE ? 1 : worm->length;
}

// Chooses the lane of a worm: the next one that may send now and, if lanes say so, is ready.
static bool choose_lane(const struct anl_driver *drive, struct drive_source *source,
                        const struct anl_worm *worm)
{
    const uint32_t room = room_for_head(drive, worm);
    const bool says = drive->links->style == ANL_STYLE_READY_VALID_PER_LANE;
    for (uint32_t i = 0; i < drive->num_vcs; i++) {
        const uint32_t vc = (source->turn + i) % drive->num_vcs;
        if (anl_class_of(drive->config, vc) != worm->class_) continue;
        if (!may_send(drive, source, vc, room)) continue;
        if (says && !(source->usable >> vc & 1)) continue;
        source->vc = vc;
        source->turn = (vc + 1) % drive->num_vcs;
        return true;
    }
    return false;
}

void drive_source_decide(struct anl_driver *drive, uint32_t terminal)
{
    struct drive_source *source = &drive->sources[terminal];
    if (source->valid || source->next == source->count || hesitates(drive)) return;
    const struct anl_worm *worm = &drive->worms.all[source->queue[source->next]].worm;
    if (worm->created >= anl_live_now(drive->live)) return;  // it joins the queue in this cycle
    if (source->index == 0 && !choose_lane(drive, source, worm)) return;
    if (!may_send(drive, source, source->vc, 1)) return;
    if (anl_style_has_credits(drive->links->style)) source->credits[source->vc]--;
    anl_link_make_flit(drive->links, drive->config, worm, source->index, source->vc, source->flit);
    source->valid = true;
}

// --- sinks ---

void drive_sink_saw(struct anl_driver *drive, uint32_t terminal, bool valid, uint32_t vc,
                    const uint32_t *flit)
{
    struct drive_sink *sink = &drive->sinks[terminal];
    const struct anl_wires wires = {.valid = valid, .vc = vc, .flit = flit};
    if (!valid || !anl_style_has_credits(drive->links->style)) return;
    const uint32_t lane = anl_link_lane(drive->links, &wires);
    if (lane < drive->num_vcs) sink->owed[lane]++;
}

// Returns the lanes for which credits go back in a cycle, at most `most` of them.
static uint32_t pay(struct anl_driver *drive, struct drive_sink *sink, uint32_t most)
{
    uint32_t lanes = 0, first = sink->turn;
    for (uint32_t i = 0; i < drive->num_vcs && most; i++) {
        const uint32_t vc = (first + i) % drive->num_vcs;
        if (!sink->owed[vc] || hesitates(drive)) continue;
        sink->owed[vc]--;
        lanes |= 1u << vc;
        sink->turn = (vc + 1) % drive->num_vcs;
        most--;
    }
    return lanes;
}

static uint32_t random_lanes(struct anl_driver *drive)
{
    uint32_t lanes = 0;
    for (uint32_t vc = 0; vc < drive->num_vcs; vc++)
        lanes |= (uint32_t)hesitates(drive) << vc;
    return lanes;
}

void drive_sink_decide(struct anl_driver *drive, uint32_t terminal)
{
    struct drive_sink *sink = &drive->sinks[terminal];
    uint32_t lanes;
    switch (drive->links->style) {
    case ANL_STYLE_CREDIT:
        sink->back = pay(drive, sink, drive->num_vcs);
        break;
    case ANL_STYLE_CREDIT_PULSE_SHARED:
        lanes = pay(drive, sink, 1);
        sink->back = lanes ? 1u << lane_bits(drive) | (uint32_t)__builtin_ctz(lanes) : 0;
        break;
    case ANL_STYLE_READY_VALID:
        sink->back = !hesitates(drive);
        break;
    case ANL_STYLE_READY_VALID_PER_LANE:
        sink->back = all_lanes(drive) & ~random_lanes(drive);
        break;
    default:
        sink->back = random_lanes(drive);
    }
}
