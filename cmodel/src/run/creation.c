// SPDX-License-Identifier: Apache-2.0
//
// The worms that the terminals of a member of a team create (docs/scale.md, "Traffic"). They are
// drawn some cycles ahead, since nothing that happens in the network decides about them. Then the
// members tell each other how many worms each of these cycles has, and all worms get the numbers
// that they have in the order of the whole network.

#include "run.h"

#include <stdlib.h>
#include <string.h>

void run_creation_destroy(struct run_creation *creation) { free(creation->worms.at); }

// Returns for how many cycles worms are drawn at once: a terminal creates about one in them.
static uint64_t cycles_of_batch(const struct anl_traffic_config *traffic)
{
    const double apart = traffic->load > 0 ? traffic->lengths[0] / traffic->load : MOST_CREATED;
    return apart < MOST_CREATED ? 1 + (uint64_t)apart / 2 : MOST_CREATED;
}

static enum anl_status draw(struct run_creation *creation, struct anl_traffic *traffic)
{
    creation->worms.count = creation->given = 0;
    for (uint64_t i = 0; i < creation->cycles; i++) {
        size_t count;
        const struct anl_new_worm *worms = anl_traffic_cycle(traffic, creation->begin + i, &count);
        if (!RUN_GROW(creation->worms, count + 1)) return ANL_ERR_MEMORY;
        memcpy(&creation->worms.at[creation->worms.count], worms, count * sizeof *worms);
        creation->worms.count += count;
        creation->own[i] = creation->all[i] = creation->ids[i] = count;
    }
    return ANL_OK;
}

// Terminals of members with lower numbers have lower numbers, so their worms come first.
static void number(struct run_creation *creation, const struct anl_team *members)
{
    members->before(members->user, creation->ids, creation->cycles);
    members->sum(members->user, creation->all, creation->cycles);
    for (uint64_t i = 0; i < creation->cycles; i++) {
        creation->ids[i] += creation->next_id;
        creation->next_id += creation->all[i];
    }
}

enum anl_status run_creation_cycle(struct run_creation *creation, const struct run_team *team,
                                   struct anl_traffic *traffic, uint64_t now, uint64_t end,
                                   struct run_created *created)
{
    if (now >= creation->begin + creation->cycles) {
        creation->begin = now;
        creation->cycles = cycles_of_batch(&team->scenario->traffic);
        if (creation->cycles > end - now) creation->cycles = end - now;
        const enum anl_status status = draw(creation, traffic);
        if (status) return status;
        number(creation, team->members);
    }
    const uint64_t i = now - creation->begin;
    *created = (struct run_created){&creation->worms.at[creation->given], creation->own[i],
                                    creation->ids[i]};
    creation->given += creation->own[i];
    return ANL_OK;
}

void run_creation_resume(struct run_creation *creation, uint64_t now, uint64_t next_id)
{
    creation->begin = now;
    creation->cycles = creation->worms.count = creation->given = 0;
    creation->next_id = next_id;
}

bool run_creation_done(const struct run_creation *creation, const struct anl_traffic *traffic)
{
    return creation->given == creation->worms.count && anl_traffic_done(traffic);
}

uint64_t run_creation_next(const struct run_creation *creation, uint64_t now, uint64_t later)
{
    for (uint64_t i = now - creation->begin; i < creation->cycles; i++)
        if (creation->all[i]) return creation->begin + i;
    return later;
}
