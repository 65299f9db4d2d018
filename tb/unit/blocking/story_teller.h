// SPDX-License-Identifier: Apache-2.0
//
// A story told by a golden model: net, traffic or worms by hand, and all flits kept, so that it can
// be told again in other ways.

#ifndef ANNELID_STORY_TELLER_H
#define ANNELID_STORY_TELLER_H

#include "unit.h"

#include <annelid/net.h>
#include <annelid/scenario.h>
#include <annelid/story.h>
#include <annelid/traffic.h>
#include <stdlib.h>
#include <string.h>

struct told_cycle {
    struct anl_worm *worms;
    struct anl_flit *flits;
    size_t num_worms, num_flits;
};

struct teller {
    struct anl_config config;
    struct anl_net *net;
    struct anl_story *story;
    struct told_cycle *cycles;
    uint64_t num_cycles;
    struct anl_worm created[512];  // in the cycle to come
    size_t num_created;
};

static struct teller teller_create(const struct anl_config *config, uint64_t seed,
                                   const struct anl_story_listener *listener)
{
    struct teller teller = {.config = *config};
    assert_int_equal(anl_net_create(config, &teller.net), ANL_OK);
    assert_int_equal(anl_story_create(config, listener, &teller.story), ANL_OK);
    anl_net_reset(teller.net, seed);
    anl_net_record(teller.net, true);
    return teller;
}

static void teller_destroy(struct teller *teller)
{
    for (uint64_t i = 0; i < teller->num_cycles; i++) {
        free(teller->cycles[i].worms);
        free(teller->cycles[i].flits);
    }
    free(teller->cycles);
    anl_net_destroy(teller->net);
    anl_story_destroy(teller->story);
}

static void teller_offer(struct teller *teller, uint32_t source, uint32_t destination,
                         uint16_t length)
{
    uint32_t id;
    assert_int_equal(anl_net_offer(teller->net, source, destination, length, &id), ANL_OK);
    assert_true(teller->num_created < 512);
    teller->created[teller->num_created++] = *anl_net_worm(teller->net, id);
}

static inline void *copy_of(const void *from, size_t count, size_t size)
{
    void *copy = malloc(count * size + 1);
    assert_non_null(copy);
    if (count) memcpy(copy, from, count * size);
    return copy;
}

static enum anl_status tell_cycle(struct anl_story *story, uint64_t cycle,
                                  const struct told_cycle *told, struct anl_error *error)
{
    enum anl_status status = ANL_OK;
    for (size_t i = 0; i < told->num_worms && !status; i++)
        status = anl_story_worm(story, &told->worms[i], error);
    return status ? status : anl_story_flits(story, cycle, told->flits, told->num_flits, error);
}

// One cycle of the net, told.
static void teller_step(struct teller *teller)
{
    struct anl_error error = {0};
    struct told_cycle told;
    anl_net_step(teller->net);
    const struct anl_flit *flits = anl_net_flits(teller->net, &told.num_flits);
    told.flits = copy_of(flits, told.num_flits, sizeof *flits);
    told.num_worms = teller->num_created;
    told.worms = copy_of(teller->created, told.num_worms, sizeof *told.worms);
    teller->num_created = 0;

    teller->cycles = realloc(teller->cycles, (teller->num_cycles + 1) * sizeof *teller->cycles);
    assert_non_null(teller->cycles);
    teller->cycles[teller->num_cycles] = told;
    if (tell_cycle(teller->story, teller->num_cycles++, &told, &error)) fail_msg("%s", error.text);
}

// One cycle of a scenario; returns how many worms were delivered.
static inline size_t teller_step_traffic(struct teller *teller, struct anl_traffic *traffic)
{
    size_t count;
    const struct anl_offer *offers = anl_traffic_cycle(traffic, teller->num_cycles, &count);
    for (size_t i = 0; i < count; i++)
        teller_offer(teller, offers[i].source, offers[i].destination, offers[i].length);
    teller_step(teller);
    const struct anl_worm *done = anl_net_delivered(teller->net, &count);
    anl_traffic_delivered(traffic, done, count);
    return count;
}

// Lane vc of the link that leaves the switch by the output port.
static inline uint32_t lane_of(const struct anl_config *config, uint32_t switch_, uint32_t port,
                               uint32_t vc)
{
    return (switch_ * anl_shape_of(config).ports + port) * config->num_vcs + vc;
}

static inline uint32_t injection_lane(const struct anl_config *config, uint32_t terminal,
                                      uint32_t vc)
{
    const struct anl_shape shape = anl_shape_of(config);
    return (shape.switches * shape.ports + terminal) * config->num_vcs + vc;
}

static inline uint32_t source_of(const struct anl_config *config, uint32_t terminal)
{
    return anl_shape_of(config).links * config->num_vcs + terminal;
}

#endif
