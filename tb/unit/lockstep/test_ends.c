// SPDX-License-Identifier: Apache-2.0
//
// A run in lock-step may end in any cycle and in any way, and nothing differs then. In the place of
// the RTL stands a second golden model, so that each kind of network is run to each of many limits.

#include "unit.h"

#include "run/lockstep_internal.h"

#include <annelid/scenario.h>
#include <string.h>

enum { LIMITS = 150 };

// The second model, and the flits in the lanes of its terminals, which it knows by their number.
struct stand_in {
    struct anl_engine *engine;
    struct anl_state state;  // at the start of the cycle
    struct anl_flit *held;   // [terminal][lane][place]
    uint32_t *count;         // [terminal][lane]
    uint32_t lanes;          // of all terminals
    uint32_t enqueued;       // worms
};

static void stand_in_create(struct stand_in *self, const struct anl_scenario *scenario)
{
    const struct anl_config *config = &scenario->network;
    *self = (struct stand_in){.lanes = anl_shape_of(config).terminals * config->num_vcs};
    assert_int_equal(anl_engine_create(config, &self->engine), ANL_OK);
    anl_engine_reset(self->engine, scenario->run.seed);
    anl_engine_record(self->engine, true);
    assert_int_equal(state_create(&self->state, config), ANL_OK);
    self->held = calloc((size_t)self->lanes * (ANL_MAX_DEPTH + 1), sizeof *self->held);
    self->count = calloc(self->lanes, sizeof *self->count);
    assert_true(self->held && self->count);
}

static void stand_in_destroy(struct stand_in *self)
{
    anl_engine_destroy(self->engine);
    state_destroy(&self->state);
    free(self->held);
    free(self->count);
}

static void put(struct harness *harness, struct wires *wires, uint32_t number,
                const struct anl_flit *flit)
{
    const struct anl_config *config = harness->worms.config;
    uint32_t bits[FLIT_WORDS];
    flit_pack(config, &harness->worms.worm[flit->worm].worm, flit->index, flit->link, bits);
    wires_put(wires, number, flit->vc, bits, flit_words(config));
}

// Returns the lane that a sink shows; num_vcs: none.
static uint32_t shown(const struct stand_in *self, const struct observed *observed, uint32_t t,
                      uint32_t sink)
{
    const uint32_t num_vcs = observed->config->num_vcs, lanes = num_vcs / observed->ends;
    const struct anl_sink_state *refusing = &self->state.sinks[t * observed->classes + sink];
    if (observed->config->reply_queue) return refusing->shows ? refusing->vc : num_vcs;
    for (uint32_t vc = sink * lanes; vc < (sink + 1) * lanes; vc++)
        if (self->state.terminal_lanes[t * num_vcs + vc].count) return vc;
    return num_vcs;
}

static void show_sinks(const struct stand_in *self, struct harness *harness)
{
    struct observed *observed = &harness->observed;
    const uint32_t num_vcs = observed->config->num_vcs;
    for (uint32_t i = 0; i < observed->shape.terminals * observed->ends; i++) {
        const uint32_t t = i / observed->ends, vc = shown(self, observed, t, i % observed->ends);
        if (vc < num_vcs)
            put(harness, &observed->sinks, i,
                &self->held[(size_t)(t * num_vcs + vc) * (ANL_MAX_DEPTH + 1)]);
    }
}

// Adds a flit to a lane of the terminal to which it crosses the ejection link.
static void hold(struct stand_in *self, const struct harness *harness, const struct anl_flit *flit)
{
    const struct anl_config *config = harness->worms.config;
    const uint32_t t = harness->worms.worm[flit->worm].destination;
    if (flit->link != anl_ejection_link(config, t)) return;
    const uint32_t lane = t * config->num_vcs + flit->vc;
    assert_true(self->count[lane] <= ANL_MAX_DEPTH);
    self->held[(size_t)lane * (ANL_MAX_DEPTH + 1) + self->count[lane]++] = *flit;
}

// Removes what the terminals have taken: all but as many as their registers say.
static void forget_taken(struct stand_in *self)
{
    for (uint32_t lane = 0; lane < self->lanes; lane++) {
        struct anl_flit *held = &self->held[(size_t)lane * (ANL_MAX_DEPTH + 1)];
        const uint32_t left = self->state.terminal_lanes[lane].count;
        assert_between(self->count[lane], left, left + 1);
        memmove(held, held + self->count[lane] - left, left * sizeof *held);
        self->count[lane] = left;
    }
}

static void low(struct stand_in *self, struct harness *harness)
{
    for (; self->enqueued < harness->worms.count; self->enqueued++)
        assert_int_equal(
            anl_engine_enqueue_worm(self->engine, &harness->worms.worm[self->enqueued].worm, NULL),
            ANL_OK);
    anl_engine_state(self->engine, &self->state);
    anl_engine_state(self->engine, &harness->observed.state);
}

static void high(struct stand_in *self, struct harness *harness)
{
    struct observed *observed = &harness->observed;
    size_t count;
    show_sinks(self, harness);
    anl_engine_step(self->engine);
    const struct anl_flit *flits = anl_engine_flits(self->engine, &count);
    for (size_t i = 0; i < count; i++) {
        const uint32_t line = observed->lines > 1 ? flits[i].vc : 0;
        put(harness, &observed->links, flits[i].link * observed->lines + line, &flits[i]);
        hold(self, harness, &flits[i]);
    }
    anl_engine_state(self->engine, &self->state);
    forget_taken(self);
}

// Runs until the run is over, or to a cycle in which waves would stop it, or to the first
// difference.
static void run_all(struct lockstep *run, struct stand_in *self, uint64_t stop)
{
    struct anl_error error;
    while (!lockstep_over(run) && lockstep_cycle(run) < stop) {
        assert_int_equal(lockstep_enqueue(run, &error), ANL_OK);
        low(self, &run->harness);
        if (!lockstep_low(run)) return;
        high(self, &run->harness);
        if (!lockstep_high(run)) return;
    }
    if (lockstep_cycle(run) == stop) run->result->end = ANL_RUN_STOPPED;
    low(self, &run->harness);
    lockstep_last(run);
}

// Runs a scenario, which must end without a difference, and with a deadlock if one is expected.
static struct lockstep_result run_of(const struct anl_scenario *scenario, bool deadlock,
                                     uint64_t stop)
{
    char *report;
    size_t bytes;
    struct lockstep_options options = {.scenario_path = "test",
                                       .at = UINT64_MAX,
                                       .worm = NOWHERE,
                                       .expect_stall = deadlock,
                                       .report = open_memstream(&report, &bytes)};
    struct lockstep_result result;
    struct lockstep *run;
    struct stand_in self;
    struct anl_error error;
    assert_int_equal(lockstep_create(scenario, &options, &result, &run, &error), ANL_OK);
    stand_in_create(&self, scenario);
    run_all(run, &self, stop);
    assert_int_equal(lockstep_finish(run, &error), ANL_OK);
    stand_in_destroy(&self);
    lockstep_destroy(run);
    fclose(options.report);
    if (!result.pass)
        fail_msg("limit %u: %s\n%s", (unsigned)scenario->run.max_cycles, result.reason, report);
    free(report);
    return result;
}

// --- networks ---

#define REQUESTS                                                                                   \
    "traffic: {process: request_reply, worms_per_terminal: 9, window: 5, length: 2, "              \
    "reply_length: "                                                                               \
    "4, reply_queue: 1}\n"
#define WORMS "traffic: {process: batch, worms_per_terminal: 9, length: [1, 4]}\n"

// Each kind of network, with terminals that refuse where they can; the last two close a deadlock.
static const char *const texts[] = {
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 4, classes: 2}\n" REQUESTS,
    "network: {topology: torus, k: 4, n: 1}\nswitch: {num_vcs: 4, classes: 2, arbiter: "
    "favour}\n" REQUESTS,
    "network: {topology: unidirectional_torus, k: 3, n: 2}\n"
    "switch: {num_vcs: 6, classes: 2, routing: adaptive, stages: 2}\n" REQUESTS,
    "network: {topology: hypercube, n: 3}\nswitch: {num_vcs: 2, classes: 2, link_cycles: "
    "3}\n" REQUESTS,
    "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 2, classes: 2, credits: "
    "bypass}\n" REQUESTS,
    "network: {topology: butterfly, k: 3, n: 2}\nswitch: {num_vcs: 2, classes: 2}\n" REQUESTS,
    "network: {topology: butterfly, k: 2, n: 2, passes: 2}\nswitch: {num_vcs: 1}\n" WORMS,
    "network: {topology: cube, radix: [3, 2], concentration: 2}\n"
    "switch: {num_vcs: 4, classes: 2, routing: west_first}\n" REQUESTS,
    "network: {topology: cube, radix: [3], dimensions: [line]}\nswitch: {link: wide, num_vcs: "
    "2}\n" WORMS,
    "network: {topology: graph}\nswitch: {num_vcs: 2, classes: 2}\n" REQUESTS
    "graph:\n  switches: 3\n  terminals: [0, 1, 2, 2]\n  links: [[0, 1], [1, 2]]\n",
    "network: {topology: graph}\nswitch: {num_vcs: 2, classes: 2, routing: source, "
    "flit_width_bits: "
    "64}\n" REQUESTS
    "graph:\n  switches: 3\n  terminals: [0, 1, 2, 2]\n  links: [[0, 1], [1, 2]]\n",
    "network: {topology: torus, k: 5, n: 1, unsafe: true}\n"
    "switch: {num_vcs: 1, routing: dimension_order, depth: 1}\n"
    "traffic: {process: batch, worms_per_terminal: 40, pattern: tornado, length: 4, delays: 8, "
    "delay_cycles: 40}\n",
    "network: {topology: mesh, k: 2, n: 2, unsafe: true}\nswitch: {num_vcs: 1, depth: 1}\n"
    "traffic: {process: request_reply, worms_per_terminal: 90, window: 9, length: 2, reply_length: "
    "9, reply_queue: 1}\n"};

static struct anl_scenario parse(const char *text)
{
    struct anl_scenario scenario;
    struct anl_error error;
    if (anl_scenario_parse(text, strlen(text), "test", NULL, &scenario, &error))
        fail_msg("%s in\n%s", error.text, text);
    return scenario;
}

// Runs a scenario to its end, and then to limits before it, in some of which waves would stop it.
static void try_ends(const char *text)
{
    struct anl_scenario scenario = parse(text);
    const bool dies = scenario.unsafe == ANL_TRUE;
    const struct lockstep_result whole = run_of(&scenario, dies, UINT64_MAX);
    assert_int_equal(whole.end, dies ? ANL_RUN_STALLED : ANL_RUN_COMPLETE);
    for (uint64_t limit = 1; limit < whole.cycles && limit <= LIMITS; limit += unit_share()) {
        const bool dead = limit > whole.deadlock;
        struct anl_scenario other = scenario;
        other.run.max_cycles = limit;
        assert_int_equal(run_of(&other, dead, UINT64_MAX).end, ANL_RUN_MAX_CYCLES);
        if (limit % 8 == 1) assert_int_equal(run_of(&scenario, dead, limit).end, ANL_RUN_STOPPED);
    }
    anl_scenario_free(&scenario);
}

static void runs_end_alike_in_any_cycle(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        try_ends(texts[i]);
}

// A node that holds its source has no link between the two.
static void kinds_without_such_links_refuse_mode_ends(void **state)
{
    static const char *const refused[] = {
        "network: {topology: mesh, k: 4, n: 2}\nswitch: {kind: bufferless}\n"
        "traffic: {process: replay, "
        "messages: papers/roberts_symvonis/scenarios/messages/bufferless4_rotate.txt}\n",
        "network: {topology: torus, k: 4, n: 2}\nswitch: {kind: diagonals, a: 1, c: 2}\n"
        "traffic: {process: batch, worms_per_terminal: 1, length: 2}\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct anl_scenario scenario = parse(refused[i]);
        struct lockstep_options options = {.scenario_path = "test", .mode = LOCKSTEP_ENDS};
        struct lockstep_result result;
        struct lockstep *run;
        struct anl_error error;
        assert_int_equal(lockstep_create(&scenario, &options, &result, &run, &error),
                         ANL_ERR_ARGUMENT);
        assert_null(run);
        assert_non_null(strstr(error.text, "expected exact, links or rules"));
        anl_scenario_free(&scenario);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_end_alike_in_any_cycle),
        cmocka_unit_test(kinds_without_such_links_refuse_mode_ends),
    };
    return cmocka_run_group_tests_name("ends", tests, NULL, NULL);
}
