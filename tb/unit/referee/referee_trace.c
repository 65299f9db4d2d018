// SPDX-License-Identifier: Apache-2.0

#include "referee_trace.h"

size_t add_worm(struct trace *trace, uint32_t id, uint32_t source, uint32_t destination,
                uint16_t length, uint64_t created)
{
    assert_true(trace->num_worms < MAX_WORMS);
    trace->worms[trace->num_worms] = (struct anl_worm){.id = id,
                                                       .source = source,
                                                       .destination = destination,
                                                       .length = length,
                                                       .created = created};
    return trace->num_worms++;
}

struct event *add_flit(struct trace *trace, uint64_t cycle, uint32_t link, uint8_t vc,
                       const struct anl_worm *worm, uint16_t index)
{
    assert_true(trace->num_events < MAX_EVENTS);
    struct event *event = &trace->events[trace->num_events++];
    *event =
        (struct event){cycle, {link, worm->id, index, vc, index == 0, index == worm->length - 1}};
    return event;
}

// Returns the path that a legal worm through a fat-tree carries. On the way up hop l
// leaves a switch of level l by port 4 or 5 of 6.
static uint32_t path_of(const struct legal_worm *legal)
{
    uint32_t path = 0;
    if (legal->config.routing != ANL_UP_DOWN_FIXED) return 0;
    for (size_t l = 1; l < legal->num_hops && legal->hops[l].link % 6 >= 4; l++)
        path |= (legal->hops[l].link % 6 - 4) << (l - 1);
    return path;
}

uint8_t class_of(const struct legal_worm *legal)
{
    const uint32_t classes = legal->config.classes ? legal->config.classes : 1;
    return (uint8_t)(legal->hops[0].vc / (legal->config.num_vcs / classes));
}

void add_legal_worm(struct trace *trace, const struct legal_worm *legal, uint32_t id,
                    uint64_t start, uint8_t lane_shift)
{
    const size_t w = add_worm(trace, id, legal->source, legal->destination, legal->length, start);
    trace->config = legal->config;
    trace->worms[w].path = path_of(legal);
    trace->worms[w].class_ = class_of(legal);
    for (size_t j = 0; j < legal->num_hops; j++)
        for (uint16_t i = 0; i < legal->length; i++)
            add_flit(trace, start + j * legal->hop_cycles + i * legal->flit_cycles,
                     legal->hops[j].link, (uint8_t)(legal->hops[j].vc + lane_shift),
                     &trace->worms[w], i);
}

struct event *find_event(struct trace *trace, uint32_t worm, uint32_t link, uint16_t index)
{
    for (size_t i = 0; i < trace->num_events; i++) {
        struct event *event = &trace->events[i];
        if (event->flit.worm == worm && event->flit.link == link && event->flit.index == index)
            return event;
    }
    fail_msg("the trace has no flit %d of worm %u on link %u", index, worm, link);
    return NULL;
}

void drop_event(struct trace *trace, struct event *event)
{
    *event = trace->events[--trace->num_events];
}

static int by_cycle_and_link(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->cycle != y->cycle) return x->cycle < y->cycle ? -1 : 1;
    if (x->flit.link != y->flit.link) return x->flit.link < y->flit.link ? -1 : 1;
    return (x->flit.index > y->flit.index) - (x->flit.index < y->flit.index);
}

// Feeds the events of a cycle, backwards if asked: the order of the links must not matter.
static bool feed_cycle(struct anl_referee *referee, const struct event *events, size_t count,
                       bool backwards)
{
    struct anl_flit flits[MAX_EVENTS];
    for (size_t i = 0; i < count; i++)
        flits[i] = events[backwards ? count - 1 - i : i].flit;
    return anl_referee_flits(referee, events[0].cycle, flits, count);
}

static bool tie_worm(void *user, struct anl_worm *worm)
{
    const struct trace *trace = user;
    for (size_t w = 0; w < trace->num_worms; w++)
        if (trace->worms[w].id == worm->id) {
            worm->route = trace->worms[w].route;
            worm->route_length = trace->worms[w].route_length;
        }
    return true;
}

struct anl_referee *referee_again(struct anl_referee *referee, const struct trace *trace)
{
    struct trace user = *trace;
    struct anl_referee *again;
    struct anl_pack pack = {0};
    if (trace->config.kind != ANL_BUFFERED) return referee;
    assert_int_equal(anl_referee_create(&trace->config, &again), ANL_OK);
    anl_referee_pack(referee, &pack, tie_worm, &user);
    struct anl_pack read = {.from = pack.bytes, .count = pack.count};
    anl_referee_pack(again, &read, tie_worm, &user);
    assert_true(!pack.failed && !read.failed && read.count == 0);
    anl_pack_free(&pack);
    anl_referee_destroy(referee);
    return again;
}

struct anl_violation judge_with(const struct trace *original, bool complete, bool backwards,
                                bool changes)
{
    struct trace *trace = malloc(sizeof *trace);
    struct anl_referee *referee;
    bool fine = true;
    assert_non_null(trace);
    *trace = *original;
    assert_int_equal(anl_referee_create(&trace->config, &referee), ANL_OK);

    for (size_t w = 0; w < trace->num_worms; w++)
        fine = anl_referee_worm(referee, &trace->worms[w]);
    qsort(trace->events, trace->num_events, sizeof trace->events[0], by_cycle_and_link);
    for (size_t i = 0, end; i < trace->num_events; i = end) {
        for (end = i; end < trace->num_events; end++)
            if (trace->events[end].cycle != trace->events[i].cycle) break;
        fine = feed_cycle(referee, &trace->events[i], end - i, backwards);
        assert_int_equal(fine, anl_referee_violation(referee) == NULL);
        if (changes) referee = referee_again(referee, trace);
    }
    fine = anl_referee_end(referee, 1000, complete);

    const struct anl_violation *violation = anl_referee_violation(referee);
    assert_int_equal(anl_referee_status(referee), ANL_OK);
    assert_int_equal(fine, violation == NULL);
    const struct anl_violation verdict = violation ? *violation : (struct anl_violation){0};
    anl_referee_destroy(referee);
    free(trace);
    return verdict;
}

struct anl_violation judge(const struct trace *trace, bool complete, bool backwards)
{
    return judge_with(trace, complete, backwards, backwards);
}

void expect_legal(const struct trace *trace, const char *name)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        const struct anl_violation verdict = judge(trace, true, backwards);
        if (verdict.rule != ANL_RULE_NONE)
            fail_msg("%s: %s: %s", name, anl_rule_name(verdict.rule), verdict.text);
    }
}
