// SPDX-License-Identifier: Apache-2.0
//
// The worms that the terminals of a member of a team create (docs/scale.md, "Traffic"). They are
// drawn some cycles ahead, since nothing that happens in the network decides about them. Then the
// members tell each other how many worms each of these cycles has, and all worms get the numbers
// that they have in the order of the whole network.

#include "run.h"

#include <stdlib.h>
#include <string.h>

void run_births_destroy(struct run_births *births) { free(births->worms.at); }

// Returns for how many cycles worms are drawn at once: a terminal creates about one in them.
static uint64_t cycles_of_batch(const struct anl_traffic_config *traffic)
{
    const double apart = traffic->load > 0 ? traffic->lengths[0] / traffic->load : MOST_BIRTHS;
    return apart < MOST_BIRTHS ? 1 + (uint64_t)apart / 2 : MOST_BIRTHS;
}

static enum anl_status draw(struct run_births *births, struct anl_traffic *traffic)
{
    births->worms.count = births->given = 0;
    for (uint64_t i = 0; i < births->cycles; i++) {
        size_t count;
        const struct anl_new_worm *worms = anl_traffic_cycle(traffic, births->begin + i, &count);
        if (!RUN_GROW(births->worms, count + 1)) return ANL_ERR_MEMORY;
        memcpy(&births->worms.at[births->worms.count], worms, count * sizeof *worms);
        births->worms.count += count;
        births->own[i] = births->all[i] = births->ids[i] = count;
    }
    return ANL_OK;
}

// Terminals of members with lower numbers have lower numbers, so their worms come first.
static void number(struct run_births *births, const struct anl_team *members)
{
    members->before(members->user, births->ids, births->cycles);
    members->sum(members->user, births->all, births->cycles);
    for (uint64_t i = 0; i < births->cycles; i++) {
        births->ids[i] += births->next_id;
        births->next_id += births->all[i];
    }
}

enum anl_status run_births_cycle(struct run_births *births, const struct run_team *team,
                                 struct anl_traffic *traffic, uint64_t now, uint64_t end,
                                 struct run_born *born)
{
    if (now >= births->begin + births->cycles) {
        births->begin = now;
        births->cycles = cycles_of_batch(&team->scenario->traffic);
        if (births->cycles > end - now) births->cycles = end - now;
        const enum anl_status status = draw(births, traffic);
        if (status) return status;
        number(births, team->members);
    }
    const uint64_t i = now - births->begin;
    *born = (struct run_born){&births->worms.at[births->given], births->own[i], births->ids[i]};
    births->given += births->own[i];
    return ANL_OK;
}

void run_births_resume(struct run_births *births, uint64_t now, uint64_t next_id)
{
    births->begin = now;
    births->cycles = births->worms.count = births->given = 0;
    births->next_id = next_id;
}

bool run_births_done(const struct run_births *births, const struct anl_traffic *traffic)
{
    return births->given == births->worms.count && anl_traffic_done(traffic);
}

uint64_t run_births_next(const struct run_births *births, uint64_t now, uint64_t later)
{
    for (uint64_t i = now - births->begin; i < births->cycles; i++)
        if (births->all[i]) return births->begin + i;
    return later;
}
