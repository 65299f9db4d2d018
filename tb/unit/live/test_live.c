// SPDX-License-Identifier: Apache-2.0
//
// A watch that is told of nothing but wires gives the trace of the run, byte by byte, whatever the
// order in which links are told; it finds nothing in a run of the golden model, and names what is
// wrong with a run that is spoiled.

#include "replay.h"

static const char *const few[] = {"run.cycles=150"};

static char *read_text(const char *path)
{
    enum { MOST = 1 << 24 };
    char *text = calloc(1, MOST);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, MOST - 1, file) < MOST - 1);
    fclose(file);
    return text;
}

static void expect_no_finding(const struct replay *replay, const char *path)
{
    if (!replay->good || replay->finding.what[0]) fail_msg("%s:\n%s", path, replay->text);
    assert_non_null(strstr(replay->text, "no rule broken"));
}

static void trace_is_that_of_the_run(const char *name, const char *setting)
{
    struct replay replay;
    char path[80];
    snprintf(path, sizeof path, "sim/scenarios/%s.yaml", name);
    replay_create(&replay, path, &setting, 1);
    assert_true(replay.num_worms > 5);
    replay_watch(&replay, 0);
    expect_no_finding(&replay, path);
    char *model = read_text(replay.model_trace), *live = read_text(replay.live_trace);
    if (strcmp(model, live) != 0) fail_msg("%s: another trace", path);
    free(model);
    free(live);
    replay_destroy(&replay);
}

static const char *const staged[] = {"switch.stages=2"};

static const char *const names[] = {
    "mesh4_uniform",  "torus8_uniform",     "graph_star",         "fattree16_lanes",
    "mesh4_adaptive", "cube_concentrated4", "classes_graph",      "row_store",
    "layered_ring",   "torus3_large_ids",   "hypercube4_uniform",
};

static void traces_are_those_of_runs(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        trace_is_that_of_the_run(names[i], few[0]);
    static const char *const of_two_stages[] = {"mesh4_uniform", "graph_star", "stages_torus3"};
    for (size_t i = 0; i < 3; i++)
        trace_is_that_of_the_run(of_two_stages[i], staged[0]);
    trace_is_that_of_the_run("fattree16_store_chained", "traffic.worms_per_terminal=20");
    trace_is_that_of_the_run("fattree16_worm_random", "traffic.worms_per_terminal=20");
}

// Without announcement worms are created when their heads enter, and all else is the same.
static void worms_need_not_be_announced(void **unused)
{
    (void)unused;
    struct replay replay;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    replay.announced = false;
    replay_watch(&replay, 200);
    expect_no_finding(&replay, "not announced");
    char said[80];
    snprintf(said, sizeof said, " %zu worms, %zu delivered", replay.num_worms, replay.num_worms);
    assert_non_null(strstr(replay.text, said));
    replay_destroy(&replay);
}

static void lengths_need_not_be_told_of_announced_worms(void **unused)
{
    (void)unused;
    struct replay replay;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    replay.no_lengths = true;
    replay_watch(&replay, 200);
    expect_no_finding(&replay, "announced");
    replay_destroy(&replay);
}

// ---------------------------------------------------------------- spoiled runs

// Returns a flit on a link between switches: number `number` of those with this place in a worm
// of 4 flits, counted from the middle of the run on.
static struct event *flit_between(struct replay *replay, uint32_t index, size_t number)
{
    const struct anl_config *config = &replay->settings.network;
    const struct anl_shape shape = anl_shape_of(config);
    for (size_t i = 0; i < replay->num_events; i++) {
        struct event *event = &replay->events[i];
        if (event->credits || event->cycle < 40 || event->index != index) continue;
        if (event->link >= shape.switches * shape.ports) continue;
        if (anl_end_of(config, event->link).is_terminal || number--) continue;
        return event;
    }
    fail();
    return NULL;
}

static struct event *injected(struct replay *replay, uint32_t index)
{
    const struct anl_shape shape = anl_shape_of(&replay->settings.network);
    for (size_t i = 0; i < replay->num_events; i++) {
        struct event *event = &replay->events[i];
        if (!event->credits && event->cycle > 40 && event->index == index &&
            event->link >= shape.switches * shape.ports)
            return event;
    }
    fail();
    return NULL;
}

static struct event *credit(struct replay *replay)
{
    for (size_t i = 0; i < replay->num_events; i++)
        if (replay->events[i].credits && replay->events[i].cycle > 40) return &replay->events[i];
    fail();
    return NULL;
}

static void change_data(struct replay *replay) { flit_between(replay, 2, 0)->words[0] ^= 4; }

static void lose_flit(struct replay *replay) { flit_between(replay, 1, 0)->link = NOT_TOLD; }

// Neither the flit comes nor the credit of the lane that it has left, which is the next event.
static void lose_both(struct replay *replay)
{
    struct event *event = flit_between(replay, 1, 0);
    event[0].link = event[1].link = NOT_TOLD;
}

static void swap_flits(struct replay *replay)
{
    struct event *first = flit_between(replay, 1, 0);
    for (struct event *other = first + 1;; other++)
        if (!other->credits && other->link == first->link && other->index == 2) {
            uint32_t words[WIRE_WORDS];
            memcpy(words, first->words, sizeof words);
            memcpy(first->words, other->words, sizeof words);
            memcpy(other->words, words, sizeof words);
            return;
        }
}

static void forget_tail_mark(struct replay *replay)
{
    const uint32_t width = replay->settings.network.flit_width_bits;
    flit_between(replay, 3, 0)->words[width / 32] &= ~(1u << width % 32);
}

static void change_lane(struct replay *replay) { flit_between(replay, 1, 0)->vc ^= 1; }

static bool is_free(const struct replay *replay, uint32_t link, uint64_t cycle)
{
    for (size_t i = 0; i < replay->num_events; i++) {
        const struct event *event = &replay->events[i];
        if (!event->credits && event->cycle == cycle && event->link == link) return false;
    }
    return true;
}

// The head crosses a free link of another switch.
static void leave_path(struct replay *replay)
{
    struct event *event = flit_between(replay, 0, 0);
    const struct anl_config *config = &replay->settings.network;
    const uint32_t ports = anl_shape_of(config).ports;
    uint32_t link = 0;
    while (link / ports == event->link / ports || !anl_end_of(config, link).exists ||
           anl_end_of(config, link).is_terminal || !is_free(replay, link, event->cycle))
        link++;
    event->link = link;
}

// The head goes to the terminal of the switch, though it has to go on.
static void arrive_too_soon(struct replay *replay)
{
    const uint32_t ports = anl_shape_of(&replay->settings.network).ports;
    struct event *event;
    size_t number = 0;
    do
        event = flit_between(replay, 0, number++);
    while (!is_free(replay, event->link / ports * ports + ports - 1, event->cycle));
    event->link = event->link / ports * ports + ports - 1;
}

// Returns true if the head that leaves its lane in an event was at the front in a cycle before it.
static bool is_in_front(const struct replay *replay, const struct event *leaves, uint64_t cycle)
{
    uint64_t came = 0, left = 0;
    for (const struct event *event = replay->events; event < leaves; event++) {
        if (event->credits) continue;
        if (event->worm == leaves->worm && event->index == 0) came = event->cycle;
        if (event->from == leaves->from) left = event->cycle;
    }
    return came < cycle && left < cycle;
}

// The head of a worm that waits for a lane goes there, in place of a flit of the worm that is
// entering the lane.
static void interleave(struct replay *replay)
{
    for (size_t number = 0;; number++) {
        struct event *entering = flit_between(replay, 1, number), *head = entering;
        const struct event *end = replay->events + replay->num_events;
        while (head < end && (head->credits || head->index || head->link != entering->link ||
                              head->vc != entering->vc))
            head++;
        if (head == end || !is_in_front(replay, head, entering->cycle)) continue;
        entering[0].link = entering[1].link = NOT_TOLD;
        head[0].cycle = head[1].cycle = entering->cycle;
        return;
    }
}

static void send_twice(struct replay *replay)
{
    struct event twice = *credit(replay);
    replay_add(replay, twice);
}

static void lose_credit(struct replay *replay) { credit(replay)->link = NOT_TOLD; }

// No credit of one lane comes back.
static void withhold_credits(struct replay *replay)
{
    const struct event first = *flit_between(replay, 0, 0);
    for (size_t i = 0; i < replay->num_events; i++) {
        struct event *event = &replay->events[i];
        if (event->link == first.link && event->credits == 1u << first.vc) event->link = NOT_TOLD;
    }
}

static void probe_twice(struct replay *replay)
{
    struct event twice = *flit_between(replay, 1, 0);
    replay_add(replay, twice);
}

static void probe_nowhere(struct replay *replay) { flit_between(replay, 1, 0)->link = 1000; }

static void probe_wrong_lane(struct replay *replay) { flit_between(replay, 1, 0)->vc = 7; }

static void say_no_length(struct replay *replay)
{
    replay->announced = false;
    replay->no_lengths = true;
}

static void go_elsewhere(struct replay *replay) { injected(replay, 0)->words[0] ^= 1; }

static void enter_without_head(struct replay *replay) { injected(replay, 0)->link = NOT_TOLD; }

static void tell_as(struct replay *replay, uint32_t link, uint32_t as)
{
    for (size_t i = 0; i < replay->num_events; i++)
        if (replay->events[i].link == link) replay->events[i].link = as;
}

static void exchange(struct replay *replay, uint32_t a, uint32_t b)
{
    const uint32_t nowhere = NOT_TOLD - 1;
    tell_as(replay, a, nowhere);
    tell_as(replay, b, a);
    tell_as(replay, nowhere, b);
}

static uint32_t injection_link(const struct replay *replay, uint32_t terminal)
{
    return anl_injection_link(&replay->settings.network, terminal);
}

// The injection links have no probes, as if none was bound.
static void probe_no_injection(struct replay *replay)
{
    for (uint32_t t = 0; t < anl_shape_of(&replay->settings.network).terminals; t++)
        tell_as(replay, injection_link(replay, t), NOT_TOLD);
}

static void exchange_injections(struct replay *replay)
{
    exchange(replay, injection_link(replay, 1), injection_link(replay, 14));
}

static void exchange_announced(struct replay *replay)
{
    replay->no_lengths = true;
    exchange_injections(replay);
}

// Two heads that enter in one cycle for different terminals are each told of the other's link.
static void exchange_heads(struct replay *replay)
{
    const uint32_t injections = injection_link(replay, 0);
    for (size_t i = 0; i < replay->num_events; i++) {
        struct event *first = &replay->events[i];
        if (first->credits || first->index || first->link < injections) continue;
        for (struct event *second = first + 1; second->cycle == first->cycle; second++) {
            if (second->credits || second->index || second->link < injections) continue;
            if (replay->worms[second->worm].destination == replay->worms[first->worm].destination)
                continue;
            const uint32_t link = first->link;
            first->link = second->link;
            second->link = link;
            return;
        }
    }
    fail();
}

// The same if nobody announces the worms: they are taken for those of the other terminal.
static void exchange_unannounced(struct replay *replay)
{
    replay->announced = false;
    exchange_injections(replay);
}

// Two links that leave neighbouring switches, and lead to the same switch.
static void exchange_links(struct replay *replay)
{
    const struct anl_config *config = &replay->settings.network;
    const uint32_t ports = anl_shape_of(config).ports;
    exchange(replay, 0 * ports, 2 * ports + 1);
    assert_int_equal(anl_end_of(config, 0).node, anl_end_of(config, 2 * ports + 1).node);
}

// A link between switches has the number of another one as well.
static void number_twice(struct replay *replay)
{
    tell_as(replay, 2 * anl_shape_of(&replay->settings.network).ports + 1, 0);
}

static const struct lie {
    void (*tell)(struct replay *replay);
    const char *what, *said;
} lies[] = {
    {change_data, "made_up_flit", "which no flit in the network has"},
    {lose_flit, "early_credit", "a credit of"},
    {lose_both, "out_of_order", "flit 1 has not crossed it"},
    {swap_flits, "out_of_order", "flit 1 has not crossed it"},
    {forget_tail_mark, "bad_marks", "those of a body flit"},
    {change_lane, "split_worm", "its head took"},
    {leave_path, "broken_path", "it is not in switch"},
    {interleave, "lane_shared", "still enters this lane"},
    {send_twice, "early_credit", "a credit of"},
    {lose_credit, "lost_credit", "from then on a credit of the lane is missing"},
    {withhold_credits, "no_credit", "its sender has no credit for the lane"},
    {probe_twice, "link_busy", "does it have two probes?"},
    {probe_nowhere, "bad_link", "link 1000, which the network does not have"},
    {probe_wrong_lane, "bad_link", "lane 7, but lanes are 0 to 1"},
    {say_no_length, "misuse", "its length is not told"},
    {go_elsewhere, "unknown_worm", "but the worm announced is"},
    {enter_without_head, "made_up_flit", "in which no worm is entering"},
    {arrive_too_soon, "wrong_terminal", "this is not its destination"},
    {change_data, "made_up_flit", "; most like it is flit 2 of worm "},
    {change_data, "made_up_flit", ": 1 bit differs\n"},
    {leave_path, "broken_path", "  probe     flit 0 of worm "},
    {leave_path, "broken_path", ": has the probe of a link of that switch the number of "},
    {probe_no_injection, "no_probe",
     "  rule      a flit leaves a switch, and no probe has seen it come"},
    {probe_no_injection, "no_probe", "no flit in the network has; no flit was ever told of T"},
    {exchange_announced, "misuse",
     "  probe     the first worm announced at T1 fits: has the probe "
     "of T1.inject the number of T14.inject?"},
    {exchange_heads, "unknown_worm", "  probe     the first worm announced at T"},
    {exchange_unannounced, "broken_path", ", or that of another terminal the number of T"},
    {exchange_links, "broken_path", "  probe     flit 0 of worm "},
    {number_twice, "broken_path",
     "has the probe of a link of that switch the number of 0(0,0).+0?"},
};

static void what_is_spoiled_is_named(void **unused)
{
    static const char *const settings[] = {"run.cycles=150", "switch.num_vcs=2", "traffic.length=4",
                                           "traffic.load=0.5"};
    (void)unused;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct replay replay;
        replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", settings, 4);
        lies[i].tell(&replay);
        replay_watch(&replay, 200);
        char line[40];
        snprintf(line, sizeof line, "annelid: %s in cycle ", lies[i].what);
        if (replay.good || !strstr(replay.text, line) || !strstr(replay.text, lies[i].said))
            fail_msg("lie %zu, %s:\n%s", i, lies[i].what, replay.text);
        replay_destroy(&replay);
    }
}

// Writes the scenario of a replay again, with other settings.
static void claim(struct replay *replay, const char *path, const char *const *settings)
{
    struct anl_scenario other;
    assert_int_equal(anl_scenario_load_with(path, settings, 2, &other, NULL), ANL_OK);
    FILE *file = fopen(replay->scenario, "w");
    fputs(other.text, file);
    assert_int_equal(fclose(file), 0);
    anl_scenario_free(&other);
}

// Switches of one stage where the scenario says two, and of two where it says one.
static void a_stage_that_is_left_out_is_named(void **unused)
{
    static const char path[] = "sim/scenarios/mesh4_uniform.yaml";
    static const char *const one[] = {"run.cycles=150", "switch.stages=1"};
    static const char *const two[] = {"run.cycles=150", "switch.stages=2"};
    (void)unused;
    for (int early = 0; early < 2; early++) {
        struct replay replay;
        replay_create(&replay, path, early ? one : two, 2);
        claim(&replay, path, early ? two : one);
        replay_watch(&replay, 0);
        assert_int_equal(replay.good, !early);
        assert_int_equal(early, strstr(replay.text, "annelid: too_early in cycle ") != NULL);
        assert_null(strstr(replay.text, "the blocking analysis ends"));
        replay_destroy(&replay);
    }
}

// Expects a whole trace of so many cycles, which the reader accepts. Returns how many worms it has.
static uint64_t worms_of_trace(const struct replay *replay, uint64_t cycles)
{
    struct anl_trace_reader *reader;
    struct anl_record record;
    struct anl_error error = {0};
    uint64_t worms = 0;
    assert_int_equal(anl_trace_open(replay->live_trace, &reader, NULL), ANL_OK);
    do {
        if (anl_trace_next(reader, &record, &error)) fail_msg("%s", error.text);
        worms += record.kind == ANL_RECORD_WORM;
    } while (record.kind != ANL_RECORD_END);
    assert_int_equal(record.cycle, cycles);
    anl_trace_close(reader);
    return worms;
}

// Expects the trace of the cycles before this one, with all worms that were announced in them.
static void expect_trace_before(const struct replay *replay, uint64_t cycle)
{
    const uint64_t worms = worms_of_trace(replay, cycle);
    assert_true(worms > 0 && replay->worms[worms - 1].created < cycle);
    assert_true(worms == replay->num_worms || replay->worms[worms].created >= cycle);
}

static bool is_created_in(const struct replay *replay, uint64_t cycle)
{
    for (size_t w = 0; w < replay->num_worms; w++)
        if (replay->worms[w].created == cycle) return true;
    return false;
}

// The trace that is left has the cycles before the broken rule, and no rule is broken in it,
// whether or not worms are created in the cycle in which it is broken, and announced or not.
static void trace_ends_before_the_broken_rule(void **unused)
{
    uint32_t created = 0;
    (void)unused;
    for (size_t number = 0; number < 8; number++) {
        struct replay replay;
        replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
        replay.announced = number % 2 == 0;
        struct event *event = flit_between(&replay, 2, 5 * number);
        const uint64_t cycle = event->cycle;
        created += is_created_in(&replay, cycle);
        event->words[0] ^= 4;
        replay_watch(&replay, 0);
        assert_int_equal(replay.finding.cycle, cycle);
        assert_true(replay.trace_was_there);
        if (replay.announced)
            expect_trace_before(&replay, cycle);
        else
            assert_true(worms_of_trace(&replay, cycle) > 0);
        replay_destroy(&replay);
    }
    assert_between(created, 1, 7);
}

// The command that the watch names has the path of the trace as one word.
static void a_path_with_blanks_is_one_word(void **unused)
{
    struct replay replay;
    char named[160];
    (void)unused;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    for (int i = 0; i < 2; i++) {
        flit_between(&replay, 2, 5)->words[0] ^= 4;
        strcat(replay.live_trace, i ? " it's" : "");
        replay_watch(&replay, 0);
        snprintf(named, sizeof named,
                 i ? "annelid worms '%.*s it'\\''s'\n" : "annelid worms %.*s\n",
                 (int)strlen(replay.live_trace) - (i ? 5 : 0), replay.live_trace);
        assert_non_null(strstr(replay.text, named));
        unlink(replay.live_trace);
        flit_between(&replay, 2, 5)->words[0] ^= 4;
    }
    replay_destroy(&replay);
}

// A bench that ends the watch in the middle of a cycle leaves the cycles before it.
static void trace_ends_before_the_cycle_that_is_not_whole(void **unused)
{
    struct replay replay;
    (void)unused;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    replay.half_cycle = true;
    replay_watch(&replay, 0);
    assert_true(replay.good);
    expect_trace_before(&replay, replay.cycles);
    replay_destroy(&replay);
}

// ---------------------------------------------------------------- blocking

static void deadlock_of_two_stages_is_told(void **unused)
{
    (void)unused;
    struct replay replay;
    replay_create(&replay, "sim/scenarios/deadlock_ring5.yaml", staged, 1);
    replay_watch(&replay, 0);
    assert_string_equal(replay.finding.what, "deadlock");
    assert_int_equal(replay.finding.cycle, 3);
    replay_destroy(&replay);
}

static void deadlock_is_told_when_it_closes(void **unused)
{
    (void)unused;
    struct replay replay;
    replay_create(&replay, "sim/scenarios/deadlock_ring5.yaml", NULL, 0);
    replay.patience = 20;
    replay_watch(&replay, 0);
    assert_string_equal(replay.finding.what, "deadlock");
    assert_int_equal(replay.finding.cycle, 2);
    assert_int_equal(replay.finding.worm, 0);
    assert_non_null(strstr(replay.text, "5 worms hold each other"));
    assert_non_null(strstr(replay.text, "which worm 0 holds up: deadlock, closed in cycle 2"));
    const char *stall = strstr(
        replay.text, "annelid: stalled since cycle 3: flits stand in lane 0 of 0(0).+0, lane 0 of "
                     "1(1).+0, lane 0 of 2(2).+0 and 7 more; worm 0 waits for worm 4, that for 8, "
                     "that for 12, … the last of 5 for 0\n");
    if (!stall) fail_msg("%s", replay.text);
    assert_non_null(strstr(stall, "no flit has crossed a link for 20 cycles, up to cycle 22, and "
                                  "of 20 worms 0 are"));
    assert_non_null(strstr(stall, "  worm 0  T0 -> T2, 32 flits, in lane 0 of 0(0).+0 since cycle "
                                  "2, bound_elsewhere, no worm moves at the end of its chain\n"));
    assert_null(strstr(stall + 1, "annelid: stalled"));
    assert_false(replay.good);
    replay_destroy(&replay);
}

// The first line has all worms of a circle that is not long.
static void stall_names_a_short_circle(void **unused)
{
    static const char *const short_[] = {"network.k=4", "traffic.pattern=complement"};
    struct replay replay;
    (void)unused;
    replay_create(&replay, "sim/scenarios/deadlock_ring5.yaml", short_, 2);
    replay.patience = 20;
    replay_watch(&replay, 0);
    if (!strstr(replay.text, "; worm 0 waits for worm 8, that for 0\n"))
        fail_msg("%s", replay.text);
    replay_destroy(&replay);
}

// Leaves out what is behind a cycle, but for the credits of flits that terminals have taken.
static void stop_at(struct replay *replay, uint64_t cycle)
{
    for (size_t i = 0; i < replay->num_events; i++) {
        struct event *event = &replay->events[i];
        const bool is_taken = event->credits && event->cycle == cycle && event->link != NOT_TOLD &&
                              anl_end_of(&replay->settings.network, event->link).is_terminal;
        if (event->cycle >= cycle && !is_taken) event->link = NOT_TOLD;
    }
    for (size_t i = 0; i < replay->num_worms; i++)
        if (replay->worms[i].created >= cycle) replay->worms[i].created = UINT64_MAX;
    replay->cycles = cycle;
}

// In a network that stands still a credit that is missing may be the reason.
static void stall_says_which_credit_is_lost(void **unused)
{
    (void)unused;
    for (uint32_t lost = 0; lost < 2; lost++) {
        struct replay replay;
        replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
        if (lost) lose_credit(&replay);
        stop_at(&replay, 60);
        replay.patience = 100;
        replay_watch(&replay, 150);
        assert_string_equal(replay.finding.what, "stalled");
        assert_int_equal(strstr(replay.text, "annelid: 210 cycles") == NULL, lost);
        assert_int_equal(strstr(replay.text, "annelid: lost_credit") != NULL, lost);
        replay_destroy(&replay);
    }
}

// At the end of a run in which worms are still on their way, it is said who waits for whom.
static void end_says_who_waits(void **unused)
{
    (void)unused;
    struct replay replay;
    replay_create(&replay, "sim/scenarios/lesson_hol_1lane.yaml", NULL, 0);
    replay.cycles = 31;
    replay_watch(&replay, 0);
    assert_true(replay.good);
    assert_non_null(strstr(replay.text, "3 worms, 0 delivered: no rule broken\n"
                                        "Cycle 30: of the worms 2 wait, 1 move, 0 are queued"));
    assert_non_null(strstr(replay.text, "  worm 2  T1 -> T7, 4 flits, in lane 0 of 2(2,0).+0 since "
                                        "cycle 12, behind, root blocker worm 0\n"));
    assert_non_null(strstr(replay.text, "  waits     worm 1 flit 0 in lane 0 of 2(2,0).+0"));
    replay_destroy(&replay);
}

// ---------------------------------------------------------------- alike heads, refusals

// Tells of a flit of 64 bits; its data are of no other meaning than their label.
static void tell(struct anl_live *live, uint32_t link, uint32_t data, bool head, bool tail)
{
    const uint32_t words[] = {data, 0, (uint32_t)tail | (uint32_t)head << 1};
    anl_live_flit(live, link, 0, words, 1);
}

static struct anl_live *open_row(FILE *out, uint64_t patience)
{
    char path[64];
    struct anl_live *live;
    replay_path(path, "-row.yaml");
    FILE *file = fopen(path, "w");
    fputs("network: {topology: mesh, k: 3, n: 1}\nswitch: {flit_width_bits: 64, num_vcs: 2}\n"
          "traffic: {load: 0.1}\n",
          file);
    assert_int_equal(fclose(file), 0);
    const struct anl_live_options options = {
        .no_credits = true, .patience_cycles = patience, .out = out};
    assert_int_equal(anl_live_create(path, &options, &live, NULL), ANL_OK);
    unlink(path);
    return live;
}

// Nobody waits before there is a worm. Of the first one no flit enters; the flits of the second one
// enter, and then nothing moves again.
static void a_stall_begins_when_nothing_moves(void **unused)
{
    enum { PATIENCE = 10, IDLE = 30 };
    char text[8192] = "";
    (void)unused;
    for (uint32_t enters = 0; enters < 2; enters++) {
        FILE *out = fmemopen(text, sizeof text - 1, "w");
        struct anl_live *live = open_row(out, PATIENCE);
        for (unsigned cycle = 0; cycle < IDLE; cycle++)
            assert_true(anl_live_cycle(live));
        anl_live_worm(live, 0, 2, 1, 0);
        if (enters) tell(live, 9, 2, true, true);
        for (unsigned cycle = 0; cycle < PATIENCE - 1 + enters; cycle++)
            assert_true(anl_live_cycle(live));
        assert_int_equal(anl_live_stuck_cycles(live), PATIENCE - 1);
        assert_false(anl_live_cycle(live));
        assert_string_equal(anl_live_finding(live)->what, "stalled");
        assert_int_equal(anl_live_finding(live)->cycle, IDLE + enters);
        assert_int_equal(anl_blocking_cycle(anl_live_blocking(live)), anl_live_now(live) - 1);
        anl_live_end(live);
        anl_live_destroy(live);
        assert_int_equal(fclose(out), 0);
        const char *says = enters
                               ? "stalled since cycle 31: flits stand in lane 0 of T0.inject; "
                                 "worm 0 flit 0 in lane 0 of T0.inject since cycle 31, "
                                 "could cross 0(0).+0, but did not\n"
                               : "stalled since cycle 30: no flit is in a lane; worm 0 flit 0 in "
                                 "source of T0 since cycle 30, could cross T0.inject, but";
        if (!strstr(text, says)) fail_msg("%s", text);
    }
}

// The heads of T0 and T1 for T2 meet in switch 1, whose port +0 has link 3; T0.inject is link 9.
static void heads_that_are_alike_are_not_guessed(void **unused)
{
    char text[4096] = "";
    (void)unused;
    for (uint32_t differs = 0; differs < 2; differs++) {
        FILE *out = fmemopen(text, sizeof text - 1, "w");
        struct anl_live *live = open_row(out, 0);
        tell(live, 9, 2, true, true);
        assert_true(anl_live_cycle(live));
        tell(live, 0, 2, true, true);
        tell(live, 10, 2 | differs << 8, true, true);
        assert_true(anl_live_cycle(live));
        tell(live, 3, 2, true, true);
        assert_int_equal(anl_live_cycle(live), differs);
        assert_int_equal(anl_live_end(live), differs);
        anl_live_destroy(live);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(strstr(text, "two_alike in cycle 2 at link 1(1).+0, worm 0") == NULL,
                         differs);
    }
}

static void unknown_destination_is_refused(void **unused)
{
    char text[4096] = "";
    (void)unused;
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    struct anl_live *live = open_row(out, 0);
    tell(live, 9, 3, true, true);
    assert_false(anl_live_cycle(live));
    assert_true(anl_live_cycle(live));
    assert_string_equal(anl_live_finding(live)->what, "unknown_worm");
    assert_false(anl_live_end(live));
    anl_live_destroy(live);
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "0x3, which is the label of no terminal"));
}

static void what_cannot_be_watched_is_refused(void **unused)
{
    static const struct {
        const char *path, *said;
    } cases[] = {{"sim/scenarios/graph_source_irregular.yaml", "routing source cannot be watched"},
                 {"sim/scenarios/fattree64_fixed_farthest.yaml", "up_down_fixed cannot be watched"},
                 {"sim/scenarios/classes_requests.yaml", "reply_queue cannot be watched"},
                 {"sim/sweeps/torus8_routing.yaml", "routing valiant cannot be watched"},
                 {"sim/scenarios/none.yaml", "No such file"}};
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct anl_live_options options = {0};
        struct anl_live *live;
        struct anl_error error;
        assert_int_not_equal(anl_live_create(cases[i].path, &options, &live, &error), ANL_OK);
        assert_null(live);
        if (!strstr(error.text, cases[i].said)) fail_msg("%s", error.text);
    }
}

// The path is a directory when the trace is whole.
static void trace_that_cannot_be_written_is_a_finding(void **unused)
{
    (void)unused;
    struct replay replay;
    replay_create(&replay, "sim/scenarios/mesh4_uniform.yaml", few, 1);
    replay.in_the_way = true;
    replay_watch(&replay, 0);
    assert_false(replay.good);
    assert_non_null(strstr(replay.text, "annelid: no_trace in cycle "));
    rmdir(replay.live_trace);
    replay_destroy(&replay);
}

// A terminal that sends two worms at once breaks no rule, but the blocking analysis ends.
static void worms_of_a_terminal_may_interleave(void **unused)
{
    const struct {
        uint32_t link, vc, data;
        bool head, tail;
    } flits[] = {{9, 0, 0x10, true, false}, {9, 1, 0x20, true, false}, {9, 0, 0x11, false, true},
                 {9, 1, 0x21, false, true}, {2, 0, 0x10, true, false}, {2, 0, 0x11, false, true},
                 {2, 1, 0x20, true, false}, {2, 1, 0x21, false, true}};
    char text[4096] = "";
    (void)unused;
    FILE *out = fmemopen(text, sizeof text - 1, "w");
    struct anl_live *live = open_row(out, 0);
    for (size_t i = 0; i < sizeof flits / sizeof *flits; i++) {
        const uint32_t words[] = {flits[i].data, 0,
                                  (uint32_t)flits[i].tail | (uint32_t)flits[i].head << 1};
        anl_live_flit(live, flits[i].link, flits[i].vc, words, 2);
        if (!anl_live_cycle(live)) fail_msg("cycle %zu", i);
    }
    anl_live_print(live, out);
    assert_true(anl_live_end(live));
    anl_live_destroy(live);
    assert_int_equal(fclose(out), 0);
    assert_ptr_equal(strstr(text, "annelid: the blocking analysis ends: "), text);
    assert_null(strstr(text + 10, "the blocking analysis ends"));
    assert_non_null(strstr(text, "\nannelid: 8 cycles, 8 flits, 2 worms, 2 delivered: no rule"));
}

// What SystemVerilog calls has the address of the watch as a number.
static void probe_of_other_parameters_is_misuse(void **unused)
{
    static const struct {
        uint32_t num_vcs, width;
        const char *said;
    } cases[] = {
        {2, 32, "misuse in cycle 0"},
        {2, 32, "link 12 has FlitW 32, and the scenario has switch.flit_width_bits 64"},
        {1, 64, "misuse in cycle 0"},
        {1, 64, "link 12 has NumVcs 1, and the scenario has switch.num_vcs 2"},
        {3, 64, "link 12 has NumVcs 3, and the scenario has switch.num_vcs 2"},
        {2, 64, "link 12, which the network does not have"},
    };
    const uint32_t words[WIRE_WORDS] = {0};
    char text[4096] = "";
    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FILE *out = fmemopen(text, sizeof text - 1, "w");
        struct anl_live *live = open_row(out, 0);
        const uint64_t handle = (uintptr_t)live;
        anl_live_sv_worm(handle, 0, 0, 1, 0);
        anl_live_sv_flit(handle, 12, 0, cases[i].num_vcs, cases[i].width, words, 1);
        assert_int_equal(anl_live_sv_cycle(handle), 0);
        anl_live_sv_print(handle);
        assert_int_equal(anl_live_sv_end(handle), 0);
        anl_live_sv_destroy(handle);
        assert_int_equal(fclose(out), 0);
        if (!strstr(text, cases[i].said)) fail_msg("case %zu:\n%s", i, text);
    }
}

static void handle_0_does_nothing(void **unused)
{
    const uint32_t words[WIRE_WORDS] = {0};
    (void)unused;
    anl_live_sv_worm(0, 0, 0, 1, 0);
    anl_live_sv_flit(0, 0, 0, 2, 64, words, 1);
    anl_live_sv_credits(0, 0, 1);
    anl_live_sv_print(0);
    assert_int_equal(anl_live_sv_cycle(0), 1);
    assert_int_equal(anl_live_sv_end(0), 1);
    anl_live_sv_destroy(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(traces_are_those_of_runs),
        cmocka_unit_test(worms_need_not_be_announced),
        cmocka_unit_test(lengths_need_not_be_told_of_announced_worms),
        cmocka_unit_test(what_is_spoiled_is_named),
        cmocka_unit_test(a_stage_that_is_left_out_is_named),
        cmocka_unit_test(trace_ends_before_the_broken_rule),
        cmocka_unit_test(a_path_with_blanks_is_one_word),
        cmocka_unit_test(trace_ends_before_the_cycle_that_is_not_whole),
        cmocka_unit_test(deadlock_of_two_stages_is_told),
        cmocka_unit_test(deadlock_is_told_when_it_closes),
        cmocka_unit_test(stall_names_a_short_circle),
        cmocka_unit_test(stall_says_which_credit_is_lost),
        cmocka_unit_test(a_stall_begins_when_nothing_moves),
        cmocka_unit_test(end_says_who_waits),
        cmocka_unit_test(heads_that_are_alike_are_not_guessed),
        cmocka_unit_test(unknown_destination_is_refused),
        cmocka_unit_test(what_cannot_be_watched_is_refused),
        cmocka_unit_test(worms_of_a_terminal_may_interleave),
        cmocka_unit_test(trace_that_cannot_be_written_is_a_finding),
        cmocka_unit_test(probe_of_other_parameters_is_misuse),
        cmocka_unit_test(handle_0_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
