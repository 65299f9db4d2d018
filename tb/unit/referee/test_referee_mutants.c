// SPDX-License-Identifier: Apache-2.0
//
// The referee, systematically: every flit of every legal worm is damaged in every way of a table.
// Each damage must be found, not before the cycle in which it was done, and by a rule that fits it.

#include "unit.h"

#include "referee_legal.h"

#include <annelid/base.h>

#define RULE(name) (1u << ANL_RULE_##name)
#define ANY_WHILE_RUNNING (~(RULE(NONE) | RULE(UNDELIVERED)))

enum { OTHER_WORM = 5 };

static struct event *copy(struct trace *trace, const struct event *event)
{
    assert_true(trace->num_events < MAX_EVENTS);
    trace->events[trace->num_events] = *event;
    return &trace->events[trace->num_events++];
}

static bool is_last_of_all(const struct legal_worm *legal, const struct event *event)
{
    return event->flit.tail && event->flit.link == legal->hops[legal->num_hops - 1].link;
}

// Each function damages the event and returns true, or returns false where nothing would be
// damaged.

static bool drop(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal;
    drop_event(trace, event);
    return true;
}

static bool repeat_late(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal;
    copy(trace, event)->cycle += 200;
    return true;
}

static bool repeat_at_once(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal;
    copy(trace, event)->cycle += 1;
    return true;
}

static bool repeat_on_another_lane(const struct legal_worm *legal, struct trace *trace,
                                   struct event *event)
{
    const uint32_t num_vcs = legal->config.num_vcs;
    if (num_vcs == 1) return false;
    struct event *twin = copy(trace, event);
    twin->cycle += 1;
    twin->flit.vc = (uint8_t)((twin->flit.vc + 1) % num_vcs);
    return true;
}

static bool swap_with_next(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal;
    if (event->flit.tail) return false;
    struct event *next =
        find_event(trace, event->flit.worm, event->flit.link, (uint16_t)(event->flit.index + 1));
    const struct anl_flit flit = event->flit;
    event->flit = next->flit;
    next->flit = flit;
    return true;
}

// The damage is only one where the flit moves as soon as it can; elsewhere an earlier cycle is
// legal.
static bool earlier(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    const bool waits = legal->hop_cycles > 1 && event->flit.head &&
                       event->flit.link != legal->hops[0].link &&
                       legal->config.flow_control == ANL_WORMHOLE;
    if (waits) return false;
    event->cycle--;
    return true;
}

static bool later(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    const bool has_time =
        event->flit.tail && legal->hop_cycles > 1 && legal->config.flow_control == ANL_WORMHOLE;
    if (has_time || is_last_of_all(legal, event)) return false;
    event->cycle++;
    return true;
}

static bool change_lane(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    if (legal->config.num_vcs == 1 || legal->length == 1) return false;
    event->flit.vc = (uint8_t)((event->flit.vc + 1) % legal->config.num_vcs);
    return true;
}

static bool other_class(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    const uint32_t classes = legal->config.classes, num_vcs = legal->config.num_vcs;
    if (classes < 2) return false;
    event->flit.vc = (uint8_t)((event->flit.vc + num_vcs / classes) % num_vcs);
    return true;
}

static bool no_such_lane(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    event->flit.vc = (uint8_t)legal->config.num_vcs;
    return true;
}

static bool next_link(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal, (void)trace;
    event->flit.link++;
    return true;
}

static bool previous_link(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal, (void)trace;
    event->flit.link--;  // link 0 becomes the largest number there is
    return true;
}

static bool skip_a_link(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    for (size_t j = 0; j + 1 < legal->num_hops; j++) {
        if (legal->hops[j].link != event->flit.link) continue;
        event->flit.link = legal->hops[j + 1].link;
        event->flit.vc = legal->hops[j + 1].vc;
        return true;
    }
    return false;
}

static bool flip_head(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal, (void)trace;
    event->flit.head = !event->flit.head;
    return true;
}

static bool flip_tail(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal, (void)trace;
    event->flit.tail = !event->flit.tail;
    return true;
}

static bool unknown_worm(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal, (void)trace;
    event->flit.worm = OTHER_WORM + 1;
    return true;
}

static bool other_worm(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    const size_t other =
        add_worm(trace, OTHER_WORM, legal->source, legal->destination, legal->length, START);
    trace->worms[other].class_ = class_of(legal);
    event->flit.worm = OTHER_WORM;
    return true;
}

static bool next_index(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    event->flit.index++;
    event->flit.head = false;
    event->flit.tail = event->flit.index == legal->length - 1;
    return true;
}

static bool becomes_head(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)trace;
    if (event->flit.head) return false;
    event->flit.index = 0;
    event->flit.head = true;
    event->flit.tail = legal->length == 1;
    return true;
}

static bool shorter_buffers(const struct legal_worm *legal, struct trace *trace,
                            struct event *event)
{
    (void)event;
    const bool at_full_rate = legal->flit_cycles == 1 && legal->length > 1;
    if (!at_full_rate) return false;
    trace->config.depth = 1;
    return true;
}

static bool cut_short(const struct legal_worm *legal, struct trace *trace, struct event *event)
{
    (void)legal;
    const uint64_t end = event->cycle;
    for (size_t i = trace->num_events; i-- > 0;)
        if (trace->events[i].cycle >= end) drop_event(trace, &trace->events[i]);
    return true;
}

static const struct damage {
    const char *name;
    bool (*do_it)(const struct legal_worm *legal, struct trace *trace, struct event *event);
    unsigned rules;  // rules that the referee may name
} damages[] = {
    {"drop", drop,
     RULE(OUT_OF_ORDER) | RULE(BROKEN_PATH) | RULE(OVERFLOW) | RULE(UNDELIVERED) |
         RULE(NOT_ADMITTED)},
    {"repeat late", repeat_late, RULE(OUT_OF_ORDER)},
    {"repeat at once", repeat_at_once, RULE(OUT_OF_ORDER) | RULE(BROKEN_PATH) | RULE(LINK_BUSY)},
    {"repeat on another lane", repeat_on_another_lane,
     RULE(LINK_BUSY) | RULE(SPLIT_WORM) | RULE(BROKEN_PATH) | RULE(OUT_OF_ORDER)},
    {"swap with next", swap_with_next, RULE(OUT_OF_ORDER)},
    {"earlier", earlier,
     RULE(TOO_EARLY) | RULE(LINK_BUSY) | RULE(OUT_OF_ORDER) | RULE(UNKNOWN_WORM) | RULE(OVERFLOW) |
         RULE(NOT_ADMITTED)},
    {"later", later,
     RULE(TOO_EARLY) | RULE(LINK_BUSY) | RULE(OUT_OF_ORDER) | RULE(OVERFLOW) | RULE(NOT_ADMITTED)},
    {"change lane", change_lane, RULE(SPLIT_WORM) | RULE(WRONG_CLASS) | RULE(ILLEGAL_ROUTE)},
    {"other class", other_class, RULE(SPLIT_WORM) | RULE(WRONG_CLASS)},
    {"no such lane", no_such_lane, RULE(BAD_LINK)},
    {"next link", next_link, ANY_WHILE_RUNNING},
    {"previous link", previous_link, ANY_WHILE_RUNNING},
    {"skip a link", skip_a_link, ANY_WHILE_RUNNING},
    {"flip head", flip_head, RULE(BAD_MARKS)},
    {"flip tail", flip_tail, RULE(BAD_MARKS)},
    {"unknown worm", unknown_worm, RULE(UNKNOWN_WORM)},
    {"other worm", other_worm, RULE(BROKEN_PATH) | RULE(OUT_OF_ORDER) | RULE(LANE_SHARED)},
    {"next index", next_index, RULE(OUT_OF_ORDER)},
    {"becomes head", becomes_head, RULE(OUT_OF_ORDER)},
    {"shorter buffers", shorter_buffers, RULE(OVERFLOW) | RULE(NOT_ADMITTED)},
    {"cut short", cut_short, RULE(UNDELIVERED)},
};
enum { NUM_DAMAGES = sizeof damages / sizeof *damages };

// Returns false if nothing would be damaged.
static bool try_damage(const struct legal_worm *legal, const struct damage *damage, size_t i)
{
    struct trace trace = {0};
    add_legal_worm(&trace, legal, 0, START, 0);
    struct event *event = &trace.events[i];
    const struct event before = *event;
    if (!damage->do_it(legal, &trace, event)) return false;

    for (int backwards = 0; backwards < 2; backwards++) {
        const bool changes = backwards && i % 16 == 5;  // it takes long
        const struct anl_violation verdict = judge_with(&trace, true, backwards, changes);
        const bool too_soon = damage->do_it != shorter_buffers && verdict.cycle + 1 < before.cycle;
        if (too_soon || !(damage->rules & 1u << verdict.rule))
            fail_msg("%s: %s flit %d on link %u in cycle %lu: %s: %s", legal->name, damage->name,
                     before.flit.index, before.flit.link, (unsigned long)before.cycle,
                     anl_rule_name(verdict.rule), verdict.text);
    }
    return true;
}

static void every_damage_is_found(void **state)
{
    (void)state;
    const uint32_t step = unit_step(5);
    for (int d = 0; d < NUM_DAMAGES; d++) {
        unsigned tried = 0;
        for (int j = 0; j < NUM_LEGAL_WORMS; j++)
            for (size_t i = (size_t)d % step; i < legal_worms[j].num_hops * legal_worms[j].length;
                 i += step)
                tried += try_damage(&legal_worms[j], &damages[d], i);
        if (tried < 50 / step) fail_msg("%s was only tried %u times", damages[d].name, tried);
    }
}

// Records without sense must get a verdict and must not crash the referee (under the sanitizers).
static void nonsense_gets_a_verdict(void **state)
{
    (void)state;
    struct anl_rng rng = anl_rng_seed(1, 0);
    for (int round = 0; round < (int)unit_trials(3000); round++) {
        const struct legal_worm *legal = &legal_worms[round % NUM_LEGAL_WORMS];
        struct trace trace = {0};
        add_legal_worm(&trace, legal, 0, START, 0);
        for (uint32_t hits = 1 + anl_rng_below(&rng, 4); hits > 0; hits--) {
            struct event *event = &trace.events[anl_rng_below(&rng, (uint32_t)trace.num_events)];
            const uint64_t bits = anl_rng_next(&rng);
            event->flit = (struct anl_flit){.link = (uint32_t)(bits & 63),
                                            .worm = (uint32_t)(bits >> 6 & 1),
                                            .index = (uint16_t)(bits >> 7 & 7),
                                            .vc = (uint8_t)(bits >> 10 & 3),
                                            .head = bits >> 12 & 1,
                                            .tail = bits >> 13 & 1};
            if (bits >> 60 == 0) event->flit.link = (uint32_t)(bits >> 14);
        }
        judge(&trace, true, round % 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_damage_is_found),
        cmocka_unit_test(nonsense_gets_a_verdict),
    };
    return cmocka_run_group_tests_name("referee_mutants", tests, NULL, NULL);
}
