// SPDX-License-Identifier: Apache-2.0

#include "journey.h"

#include <stdlib.h>

static uint32_t slot(uint32_t first, uint32_t place) { return (first + place) % MOST_UNDER_WAY; }

enum anl_status journey_create(struct journey *journey, const struct crossing *crossing,
                               uint32_t rank)
{
    *journey = (struct journey){.crossing = crossing, .rank = rank};
    journey->flits = calloc(MOST_UNDER_WAY, sizeof *journey->flits);
    bool whole = journey->flits;
    for (uint32_t vc = 0; vc < ANL_MAX_VCS; vc++) {
        journey->credits[vc] = calloc(MOST_UNDER_WAY, sizeof *journey->credits[vc]);
        whole = whole && journey->credits[vc];
    }
    return whole ? ANL_OK : ANL_ERR_MEMORY;
}

void journey_destroy(struct journey *journey)
{
    free(journey->flits);
    for (uint32_t vc = 0; vc < ANL_MAX_VCS; vc++)
        free(journey->credits[vc]);
    *journey = (struct journey){0};
}

bool journey_begin(struct journey *journey, const struct anl_flit *flit, uint64_t edges)
{
    if (journey->count == MOST_UNDER_WAY) return false;
    journey->flits[slot(journey->first, journey->count++)] =
        (struct traveller){.flit = *flit, .begun = edges};
    return true;
}

// Returns the last edge at which something may come that went in before edge `begun`: what nothing
// holds up comes behind SyncStages edges, or one more, and one comes at a time.
static uint64_t last_edge(uint64_t begun, uint64_t latest, uint32_t sync_stages)
{
    const uint64_t alone = begun + sync_stages + 1;
    return alone > latest ? alone : latest;
}

const char *journey_end(struct journey *journey, uint32_t sync_stages, uint64_t edges,
                        struct anl_flit *flit, bool *settled_late)
{
    const struct traveller *front = &journey->flits[journey->first];
    if (journey->count == 0) return "no flit: none is under way";
    if (edges < front->begun + sync_stages) return "no flit before SyncStages edges";
    const uint64_t soonest = front->begun + sync_stages;
    *settled_late = edges > soonest && journey->latest <= soonest;
    journey->latest = edges + 1;
    *flit = front->flit;
    journey->first = slot(journey->first, 1);
    journey->count--;
    return NULL;
}

bool journey_is_late(const struct journey *journey, uint32_t sync_stages, uint64_t edges)
{
    const struct traveller *front = &journey->flits[journey->first];
    return journey->count && edges > last_edge(front->begun, journey->latest, sync_stages);
}

bool journey_begin_credit(struct journey *journey, uint32_t vc, uint64_t edges)
{
    if (journey->num_credits[vc] == MOST_UNDER_WAY) return false;
    journey->credits[vc][slot(journey->first_credit[vc], journey->num_credits[vc]++)] = edges;
    return true;
}

const char *journey_end_credit(struct journey *journey, uint32_t vc, uint32_t sync_stages,
                               uint64_t edges)
{
    if (journey->num_credits[vc] == 0) return "none is under way";
    if (edges < journey->credits[vc][journey->first_credit[vc]] + sync_stages)
        return "none before SyncStages edges";
    journey->latest_credit[vc] = edges + 1;
    journey->first_credit[vc] = slot(journey->first_credit[vc], 1);
    journey->num_credits[vc]--;
    return NULL;
}

bool journey_is_late_credit(const struct journey *journey, uint32_t vc, uint32_t sync_stages,
                            uint64_t edges)
{
    const uint64_t begun = journey->credits[vc][journey->first_credit[vc]];
    return journey->num_credits[vc] &&
           edges > last_edge(begun, journey->latest_credit[vc], sync_stages);
}

bool journey_is_over(const struct journey *journey)
{
    bool over = journey->count == 0;
    for (uint32_t vc = 0; vc < ANL_MAX_VCS; vc++)
        over = over && journey->num_credits[vc] == 0;
    return over;
}
