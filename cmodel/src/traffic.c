// SPDX-License-Identifier: Apache-2.0
//
// Traffic: one generator per terminal, one calendar of the terminals that are due. A cycle costs
// what it creates, not the size of the network, and allocates nothing.

#include "traffic_calendar.h"
#include "traffic_open.h"
#include "traffic_pattern.h"

#include <annelid/topology.h>
#include <annelid/traffic.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct anl_traffic {
    const struct anl_scenario *scenario;
    uint32_t terminals;
    struct pattern pattern;
    struct open_loop open;
    struct calendar calendar;

    struct anl_rng *rng;       // per terminal
    uint32_t *created;         // per terminal: worms (requests) so far
    struct anl_offer *offers;  // of this cycle, room for the most that one can hold
    size_t num_offers;
    uint64_t cycle;   // the next to be asked for
    size_t replayed;  // replay: messages so far

    // request_reply
    uint32_t *outstanding;      // per terminal: its requests that are not answered
    struct anl_offer *replies;  // due in the next cycle, room for one per terminal
    size_t num_replies;
    uint64_t next_id;
    uint8_t *is_reply;  // bit per worm
};

// --- create ---

static size_t most_messages_in_a_cycle(const struct anl_scenario *scenario)
{
    size_t most = 0, begin = 0;
    for (size_t i = 0; i < scenario->num_messages; i++) {
        if (scenario->messages[i].cycle != scenario->messages[begin].cycle) begin = i;
        if (i - begin + 1 > most) most = i - begin + 1;
    }
    return most;
}

static size_t most_offers_in_a_cycle(const struct anl_scenario *scenario, size_t terminals)
{
    switch (scenario->traffic.process) {
    case ANL_BATCH:
        return terminals * scenario->traffic.worms_per_terminal;
    case ANL_REQUEST_REPLY:
        return 2 * terminals;
    case ANL_REPLAY:
        return most_messages_in_a_cycle(scenario);
    case ANL_BERNOULLI:
    case ANL_BURSTY:
        break;
    }
    return terminals;
}

// calloc that does not return NULL for nothing.
static void *rows(size_t count, size_t size) { return calloc(count ? count : 1, size); }

static enum anl_status create_request_reply(struct anl_traffic *traffic)
{
    if (traffic->scenario->traffic.process != ANL_REQUEST_REPLY) return ANL_OK;
    const size_t terminals = traffic->terminals;
    const size_t worms = 2 * terminals * traffic->scenario->traffic.worms_per_terminal;
    traffic->outstanding = rows(terminals, sizeof *traffic->outstanding);
    traffic->replies = rows(terminals, sizeof *traffic->replies);
    traffic->is_reply = rows(worms / 8 + 1, 1);
    return traffic->outstanding && traffic->replies && traffic->is_reply ? ANL_OK : ANL_ERR_MEMORY;
}

static enum anl_status create_rows(struct anl_traffic *traffic)
{
    const struct anl_scenario *scenario = traffic->scenario;
    const uint32_t terminals = traffic->terminals;
    const size_t offers = most_offers_in_a_cycle(scenario, terminals);
    traffic->rng = rows(terminals, sizeof *traffic->rng);
    traffic->created = rows(terminals, sizeof *traffic->created);
    traffic->offers = rows(offers, sizeof *traffic->offers);
    if (!traffic->rng || !traffic->created || !traffic->offers) return ANL_ERR_MEMORY;
    enum anl_status status = calendar_create(&traffic->calendar, terminals);
    if (!status) status = pattern_create(&traffic->pattern, scenario);
    if (!status) status = open_create(&traffic->open, scenario, terminals);
    if (!status) status = create_request_reply(traffic);
    return status;
}

static void schedule(struct anl_traffic *traffic, uint64_t cycle, uint32_t terminal)
{
    if (cycle != OPEN_NEVER) calendar_add(&traffic->calendar, cycle, terminal);
}

static uint64_t first_cycle(struct anl_traffic *traffic, uint32_t terminal)
{
    switch (traffic->scenario->traffic.process) {
    case ANL_BERNOULLI:
    case ANL_BURSTY:
        return open_first(&traffic->open, terminal, &traffic->rng[terminal]);
    case ANL_BATCH:
    case ANL_REQUEST_REPLY:
        return 0;
    case ANL_REPLAY:
        break;
    }
    return OPEN_NEVER;
}

enum anl_status anl_traffic_create(const struct anl_scenario *scenario,
                                   struct anl_traffic **traffic)
{
    struct anl_traffic *made = calloc(1, sizeof *made);
    *traffic = NULL;
    if (!made) return ANL_ERR_MEMORY;
    made->scenario = scenario;
    made->terminals = anl_shape_of(&scenario->network).terminals;
    const enum anl_status status = create_rows(made);
    if (status) {
        anl_traffic_destroy(made);
        return status;
    }
    for (uint32_t t = 0; t < made->terminals; t++) {
        made->rng[t] = anl_rng_seed(scenario->run.seed, t);
        schedule(made, first_cycle(made, t), t);
    }
    *traffic = made;
    return ANL_OK;
}

void anl_traffic_destroy(struct anl_traffic *traffic)
{
    if (!traffic) return;
    pattern_destroy(&traffic->pattern);
    open_destroy(&traffic->open);
    calendar_destroy(&traffic->calendar);
    free(traffic->rng);
    free(traffic->created);
    free(traffic->offers);
    free(traffic->outstanding);
    free(traffic->replies);
    free(traffic->is_reply);
    free(traffic);
}

// --- one cycle ---

static uint16_t draw_length(const struct anl_traffic_config *config, struct anl_rng *rng)
{
    return config->lengths[config->num_lengths > 1 ? anl_rng_below(rng, config->num_lengths) : 0];
}

// The next worm of a terminal by pattern and length. Returns its length.
static uint16_t create_worm(struct anl_traffic *traffic, uint32_t source)
{
    struct anl_rng *rng = &traffic->rng[source];
    const uint32_t index = traffic->created[source]++;
    const uint32_t destination = pattern_destination(&traffic->pattern, source, index, rng);
    const uint16_t length = draw_length(&traffic->scenario->traffic, rng);
    traffic->offers[traffic->num_offers++] = (struct anl_offer){source, destination, length};
    return length;
}

static void create_open(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    while (calendar_due(&traffic->calendar, cycle, &t)) {
        const uint16_t length = create_worm(traffic, t);
        schedule(traffic, open_next(&traffic->open, t, cycle, length, &traffic->rng[t]), t);
    }
}

static void create_batch(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    while (calendar_due(&traffic->calendar, cycle, &t))
        for (uint32_t i = 0; i < traffic->scenario->traffic.worms_per_terminal; i++)
            create_worm(traffic, t);
}

// A terminal is in the calendar if and only if it may create a request.
static bool may_request(const struct anl_traffic *traffic, uint32_t terminal)
{
    const struct anl_traffic_config *config = &traffic->scenario->traffic;
    return traffic->created[terminal] < config->worms_per_terminal &&
           traffic->outstanding[terminal] < config->window;
}

static void create_replies(struct anl_traffic *traffic)
{
    for (size_t i = 0; i < traffic->num_replies; i++) {
        const uint64_t id = traffic->next_id + i;
        traffic->is_reply[id / 8] |= (uint8_t)(1u << id % 8);
        traffic->offers[traffic->num_offers++] = traffic->replies[i];
    }
    traffic->num_replies = 0;
}

static void create_request_reply_worms(struct anl_traffic *traffic, uint64_t cycle)
{
    uint32_t t;
    create_replies(traffic);
    while (calendar_due(&traffic->calendar, cycle, &t)) {
        create_worm(traffic, t);
        traffic->outstanding[t]++;
        if (may_request(traffic, t)) calendar_add(&traffic->calendar, cycle + 1, t);
    }
    traffic->next_id += traffic->num_offers;
}

static void create_replay(struct anl_traffic *traffic, uint64_t cycle)
{
    const struct anl_scenario *scenario = traffic->scenario;
    for (; traffic->replayed < scenario->num_messages; traffic->replayed++) {
        const struct anl_message *message = &scenario->messages[traffic->replayed];
        if (message->cycle != cycle) break;
        traffic->offers[traffic->num_offers++] =
            (struct anl_offer){message->source, message->destination, message->length};
    }
}

const struct anl_offer *anl_traffic_cycle(struct anl_traffic *traffic, uint64_t cycle,
                                          size_t *count)
{
    assert(cycle == traffic->cycle);
    traffic->num_offers = 0;
    switch (traffic->scenario->traffic.process) {
    case ANL_BERNOULLI:
    case ANL_BURSTY:
        create_open(traffic, cycle);
        break;
    case ANL_BATCH:
        create_batch(traffic, cycle);
        break;
    case ANL_REQUEST_REPLY:
        create_request_reply_worms(traffic, cycle);
        break;
    case ANL_REPLAY:
        create_replay(traffic, cycle);
        break;
    }
    traffic->cycle++;
    *count = traffic->num_offers;
    return traffic->offers;
}

// --- deliveries ---

static void answer(struct anl_traffic *traffic, const struct anl_worm *request)
{
    assert(traffic->num_replies < traffic->terminals);
    traffic->replies[traffic->num_replies++] = (struct anl_offer){
        request->destination, request->source, traffic->scenario->traffic.reply_length};
}

static void close_request(struct anl_traffic *traffic, uint32_t terminal)
{
    const bool waited = !may_request(traffic, terminal);
    assert(traffic->outstanding[terminal] > 0);
    traffic->outstanding[terminal]--;
    if (waited && may_request(traffic, terminal))
        calendar_add(&traffic->calendar, traffic->cycle, terminal);
}

void anl_traffic_delivered(struct anl_traffic *traffic, const struct anl_worm *worms, size_t count)
{
    if (traffic->scenario->traffic.process != ANL_REQUEST_REPLY) return;
    for (size_t i = 0; i < count; i++) {
        assert(worms[i].id < traffic->next_id);
        if (traffic->is_reply[worms[i].id / 8] >> worms[i].id % 8 & 1)
            close_request(traffic, worms[i].destination);
        else
            answer(traffic, &worms[i]);
    }
}

bool anl_traffic_done(const struct anl_traffic *traffic)
{
    const bool replayed = traffic->replayed == traffic->scenario->num_messages;
    return traffic->calendar.count == 0 && traffic->num_replies == 0 && replayed;
}
