// SPDX-License-Identifier: Apache-2.0

#include "referee_record.h"

void keep(struct record *record, uint64_t cycle, const struct anl_flit *flits, size_t count)
{
    if (record->num_events + count > record->room) {
        record->room = 2 * record->room + count;
        record->events = realloc(record->events, record->room * sizeof *record->events);
        assert_non_null(record->events);
    }
    for (size_t i = 0; i < count; i++)
        record->events[record->num_events++] = (struct event){cycle, flits[i]};
}

static void enqueue(struct record *record, struct anl_engine *net, const struct anl_config *config,
                    struct anl_rng *rng)
{
    const uint32_t terminals = anl_shape_of(config).terminals, longest = anl_longest_worm(config);
    const uint32_t length = unit_draw(rng, 1, longest < 8 ? longest : 8);
    const uint32_t to = anl_rng_below(rng, terminals), from = anl_rng_below(rng, terminals);
    uint32_t id;
    assert_int_equal(anl_engine_enqueue(net, from, to, (uint16_t)length, &id), ANL_OK);
    record->worms[record->num_worms++] = *anl_engine_worm(net, id);
}

struct record run(const struct anl_config *config, bool at_once, struct anl_rng *rng)
{
    struct record record = {.worms = calloc(WORMS, sizeof *record.worms)};
    struct anl_engine *net;
    uint32_t still = 0;
    assert_non_null(record.worms);
    assert_int_equal(anl_engine_create(config, &net), ANL_OK);
    anl_engine_record(net, true);
    anl_engine_reset(net, anl_rng_next(rng));
    while (record.num_worms < WORMS || !anl_engine_idle(net)) {
        uint32_t more = at_once ? anl_rng_below(rng, 4) : anl_engine_idle(net);
        for (; more > 0 && record.num_worms < WORMS; more--)
            enqueue(&record, net, config, rng);
        const uint64_t cycle = anl_engine_cycle(net);
        size_t count;
        anl_engine_step(net);
        const struct anl_flit *flits = anl_engine_flits(net, &count);
        still = count ? 0 : still + 1;
        if (still > STILL) fail_msg("nothing has moved for %d cycles", STILL);
        keep(&record, cycle, flits, count);
    }
    anl_engine_destroy(net);
    return record;
}

void forget(struct record *record)
{
    free(record->worms);
    free(record->events);
}

static bool feed(struct anl_referee *referee, const struct record *record)
{
    struct anl_flit *flits = calloc(record->num_events + 1, sizeof *flits);
    bool fine = true;
    assert_non_null(flits);
    for (size_t w = 0; w < record->num_worms; w++)
        fine = fine && anl_referee_worm(referee, &record->worms[w]);
    for (size_t i = 0, end; i < record->num_events && fine; i = end) {
        size_t count = 0;
        for (end = i; end < record->num_events; end++) {
            if (record->events[end].cycle != record->events[i].cycle) break;
            flits[count++] = record->events[end].flit;
        }
        fine = anl_referee_flits(referee, record->events[i].cycle, flits, count);
    }
    free(flits);
    return fine && anl_referee_end(referee, UINT32_MAX, true);
}

// Returns what the referee says of a run if it is told this network.
static struct anl_violation judge(const struct record *record, const struct anl_config *config)
{
    struct anl_violation verdict = {0};
    struct anl_referee *referee;
    assert_int_equal(anl_referee_create(config, &referee), ANL_OK);
    if (!feed(referee, record)) verdict = *anl_referee_violation(referee);
    anl_referee_destroy(referee);
    return verdict;
}

void expect_legal_record(const struct record *record, const struct anl_config *config)
{
    const struct anl_violation verdict = judge(record, config);
    if (verdict.rule != ANL_RULE_NONE)
        fail_msg("%s: %s: %s", anl_routing_name(config->routing), anl_rule_name(verdict.rule),
                 verdict.text);
}

bool expect_named(const struct record *record, const struct anl_config *config, enum anl_rule rule,
                  const struct event *guilty)
{
    const struct anl_violation verdict = judge(record, config);
    if (!guilty && verdict.rule != ANL_RULE_NONE) fail_msg("expected none: %s", verdict.text);
    if (!guilty) return false;
    if (verdict.rule != rule || verdict.cycle != guilty->cycle ||
        verdict.link != guilty->flit.link || verdict.worm != guilty->flit.worm)
        fail_msg("expected %s in cycle %" PRIu64 " on link %u by worm %u, not %s: %s",
                 anl_rule_name(rule), guilty->cycle, guilty->flit.link, guilty->flit.worm,
                 anl_rule_name(verdict.rule), verdict.text);
    return true;
}

const struct event *first_not_empty(const struct record *record, const struct anl_config *config,
                                    uint32_t escape_lanes)
{
    const struct anl_shape shape = anl_shape_of(config);
    uint32_t *held = calloc((size_t)shape.links * config->num_vcs, sizeof *held);
    uint32_t *lane_of = calloc(WORMS * 8, sizeof *lane_of);  // of each flit, + 1
    const struct event *found = NULL;
    assert_true(held && lane_of);
    for (size_t i = 0, end; i < record->num_events && !found; i = end) {
        const uint64_t cycle = record->events[i].cycle;
        for (end = i; end < record->num_events && record->events[end].cycle == cycle; end++) {
            const struct anl_flit *flit = &record->events[end].flit;
            const bool between = flit->link < shape.switches * shape.ports &&
                                 !anl_end_of(config, flit->link).is_terminal;
            const uint32_t lane = flit->link * config->num_vcs + flit->vc;
            if (!found && flit->head && between && flit->vc < config->num_vcs - escape_lanes &&
                held[lane])
                found = &record->events[end];
        }
        for (size_t e = i; e < end; e++) {
            const struct anl_flit *flit = &record->events[e].flit;
            uint32_t *lane = &lane_of[flit->worm * 8 + flit->index];
            if (*lane) held[*lane - 1]--;
            *lane = flit->link * config->num_vcs + flit->vc + 1;
            held[*lane - 1]++;
        }
    }
    free(held);
    free(lane_of);
    return found;
}
