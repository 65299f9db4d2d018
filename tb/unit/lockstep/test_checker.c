// SPDX-License-Identifier: Apache-2.0
//
// Verdicts of a run whose RTL is played by the test. In this RTL no flit ever moves, and an
// assertion may fail. The tests say what must fail a run and what its report must say.

#include "unit.h"

#include "compare/dpi.h"
#include "run/lockstep_internal.h"
#include "waves/wave_window.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char text[] = "network: {topology: mesh, k: 2, n: 1}\n"
                           "traffic: {process: batch, pattern: complement, worms_per_terminal: 3, "
                           "length: 4}\nrun: {seed: 1}\n";

struct play {
    struct anl_scenario scenario;
    struct lockstep_options options;
    struct lockstep_result result;
    struct lockstep *run;
    char *said;
    size_t bytes;
};

static void play_create(struct play *play, uint32_t worm, uint64_t at)
{
    struct anl_error error = {0};
    *play = (struct play){.options = {.scenario_path = "sim/scenarios/pair.yaml",
                                      .mode = LOCKSTEP_RULES,
                                      .at = at,
                                      .worm = worm}};
    assert_int_equal(
        anl_scenario_parse(text, strlen(text), "pair.yaml", NULL, &play->scenario, &error), ANL_OK);
    play->scenario.network.flit_width_bits = 64;
    play->options.report = open_memstream(&play->said, &play->bytes);
    assert_non_null(play->options.report);
}

static void play_begin(struct play *play)
{
    assert_int_equal(
        lockstep_create(&play->scenario, &play->options, &play->result, &play->run, NULL), ANL_OK);
}

// The names of an assertion that fails, and of its instance as Verilator has it.
struct fault {
    const char *name, *condition, *outer, *inner;
};
static const struct fault own = {.name = "my_switch.sv:12", .condition = ""};

// Plays an RTL that does nothing, except that one of its assertions fails in cycle `failing`.
static void play_fault(struct play *play, uint64_t failing, const struct fault *fault)
{
    while (!lockstep_over(play->run)) {
        assert_int_equal(lockstep_enqueue(play->run, NULL), ANL_OK);
        assert_true(lockstep_low(play->run));
        if (lockstep_cycle(play->run) == failing)
            anl_lockstep_failed((uintptr_t)lockstep_harness(play->run), fault->name,
                                fault->condition, (uintptr_t)fault->outer, (uintptr_t)fault->inner);
        if (!lockstep_high(play->run)) break;
        wave_target_look(&play->run->wave_target, play->run->blocking);
    }
    assert_int_equal(lockstep_finish(play->run, NULL), ANL_OK);
    fflush(play->options.report);
}

static void play_all(struct play *play, uint64_t failing) { play_fault(play, failing, &own); }

static void play_destroy(struct play *play)
{
    lockstep_destroy(play->run);
    fclose(play->options.report);
    free(play->said);
    anl_scenario_free(&play->scenario);
}

static void expect_said(const struct play *play, const char *line)
{
    if (!strstr(play->said, line)) fail_msg("the report lacks '%s':\n%s", line, play->said);
}

static void assertion_fails_a_run_by_rules(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, NOWHERE, UINT64_MAX);
    play_begin(&play);
    play_all(&play, 7);
    assert_false(play.result.pass);
    assert_string_equal(play.result.difference.what, "assertion");
    assert_string_equal(play.result.reason, "assertion in cycle 7 at the RTL");
    expect_said(&play, "FIRST DIFFERENCE in cycle 7 at the RTL: assertion\n");
    expect_said(&play, "  seen      my_switch.sv:12\n");
    expect_said(&play, "  waves     make waves SCENARIO=pair SEED=1 MODE=rules AT=7\n");
    play_destroy(&play);
}

// Whatever the path of a scenario has, a shell reads it as one word.
static void commands_can_be_typed(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, NOWHERE, UINT64_MAX);
    play.options.scenario_path = "my nets/it's.yaml";
    play_begin(&play);
    play_all(&play, 7);
    expect_said(&play,
                "  replay    make regress SCENARIO='my nets/it'\\''s.yaml' SEED=1 MODE=rules\n");
    play_destroy(&play);
}

// Where the blocking analysis knows nothing, no waves can be made, and none are promised.
static void report_names_no_waves_where_there_are_none(void **unused)
{
    (void)unused;
    struct play play;
    play_create(&play, NOWHERE, UINT64_MAX);
    play.scenario.network.link_cycles = 2;
    play_begin(&play);
    play_all(&play, 7);
    expect_said(&play, "FIRST DIFFERENCE in cycle 7 at the RTL: assertion\n");
    expect_said(&play, "  replay    make regress SCENARIO=pair SEED=1 MODE=rules\n");
    assert_null(strstr(play.said, "make waves"));
    play_destroy(&play);
}

static void tell_values(struct failure *failure)
{
    assert_string_equal(failure->scope, "TOP.anl_lockstep_top.dut.g_switch[1].u_switch.u_core."
                                        "g_input[2].u_input.g_lane[0]");
    snprintf(failure->values, sizeof failure->values, "held 3");
}

// The instance is named by switch and port, with its condition on one line. Waves open at its
// switch, with the signals of its parts.
static void an_assertion_of_ours_names_its_instance(void **unused)
{
    (void)unused;
    static const struct fault fault = {"NeverHeld", "!held\n        || head",
                                       "TOP.anl_lockstep_top.dut.g_switch[1].u_switch",
                                       "vlSelf->__PVT__u_core__DOT__g_input__BRA__2__KET____DOT__u_"
                                       "input__DOT__g_lane__BRA__0__KET__"
                                       "__DOT__NeverHeld__DOT___here"};
    struct play play;
    static struct wave_window wave_window;
    struct anl_error error = {0};
    for (int told = 0; told < 2; told++) {
        play_create(&play, NOWHERE, 7);
        play.options.values = told ? tell_values : NULL;
        play_begin(&play);
        play_fault(&play, 7, &fault);
        expect_said(&play, "FIRST DIFFERENCE in cycle 7 at switch 1(1) port 2: assertion\n"
                           "  expected  !held || head\n");
        expect_said(&play,
                    told ? "  seen      NeverHeld in u_core.g_input[2].u_input.g_lane[0]: held 3\n"
                         : "  seen      NeverHeld in u_core.g_input[2].u_input.g_lane[0]\n");
        expect_said(&play, " MODE=rules ALL=1 AT=7\n");
        wave_target_over(&play.run->wave_target, play.run->blocking);
        if (!wave_window_choose(&wave_window, play.run, &error)) fail_msg("%s", error.text);
        assert_int_equal(wave_window.switch_, 1);
        assert_int_equal(play.result.assertion.switch_, 1);
        play_destroy(&play);
    }
}

// An assertion outside of the switches has no number, and names that are cut off do no harm.
static void an_assertion_of_the_network_names_its_instance(void **unused)
{
    (void)unused;
    struct fault fault = {"TwoEnds", "a == b", "TOP",
                          "vlSelfRef.anl_lockstep_top__DOT__dut__DOT__g_up__BRA__1__KET____DOT__"
                          "TwoEnds__DOT___here"};
    struct play play;
    play_create(&play, NOWHERE, UINT64_MAX);
    play_begin(&play);
    play_fault(&play, 3, &fault);
    expect_said(&play, "in cycle 3 at the RTL: assertion\n  expected  a == b\n"
                       "  seen      TwoEnds in dut.g_up[1]\n");
    play_destroy(&play);

    struct failure failure;
    char longest[2000];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    failure_set(&failure, longest, longest, longest, longest);
    assert_int_equal(strlen(failure.name), sizeof failure.name - 1);
    assert_int_equal(failure.switch_, NOWHERE);
    failure_set(&failure, "N", "c", "TOP.x.g_switch[99].u_switch",
                "vlSelf->g_output__BRA__5__KET__");
    assert_int_equal(failure.switch_, 99);
}

// A flit differs in the same cycle: it comes first, and the assertion is a line of its own.
static void an_assertion_beside_another_difference_has_a_line(void **unused)
{
    (void)unused;
    static const uint32_t noise[4] = {0x3f5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a};
    struct play play;
    play_create(&play, NOWHERE, UINT64_MAX);
    play_begin(&play);
    assert_int_equal(lockstep_enqueue(play.run, NULL), ANL_OK);
    assert_true(lockstep_low(play.run));
    const uint64_t harness = (uintptr_t)lockstep_harness(play.run);
    anl_lockstep_flit(harness, 1, 0, noise);
    anl_lockstep_failed(harness, "Never", "",
                        (uintptr_t)("TOP.anl_lockstep_top.dut.g_switch[0].u_switch"),
                        (uintptr_t)("vlSelf->u_core__DOT__Never__DOT___here"));
    assert_false(lockstep_high(play.run));
    assert_int_equal(lockstep_finish(play.run, NULL), ANL_OK);
    fflush(play.options.report);
    expect_said(
        &play,
        ": made_up_flit\n"
        "  expected  data of some flit of some worm; none is like it\n"
        "  seen      head, lane 0, data 0x5a5a5a5a3f5a5a5a, which no flit of any worm has\n");
    expect_said(&play, "  assertion Never in u_core (switch 0)\n");
    expect_said(&play, " MODE=rules AT=0\n");
    play_destroy(&play);
}

// One bit is wrong. The report shows the flit that is most like it; and, as no model says what was
// expected in this cycle, who waited for whom in the cycle before, with its number.
static void a_made_up_flit_stands_beside_the_one_it_is_like(void **unused)
{
    (void)unused;
    struct play play;
    uint32_t bits[FLIT_WORDS] = {0};
    play_create(&play, NOWHERE, UINT64_MAX);
    play_begin(&play);
    const uint64_t harness = (uintptr_t)lockstep_harness(play.run);
    for (uint64_t cycle = 0; cycle < 3; cycle++) {
        assert_int_equal(lockstep_enqueue(play.run, NULL), ANL_OK);
        assert_true(lockstep_low(play.run));
        if (cycle == 2) {
            const struct anl_config *config = &play.scenario.network;
            const uint32_t link = anl_injection_link(config, 0);
            flit_pack(config, &play.run->harness.worms.worm[0].worm, 0, link, bits);
            bits[0] ^= 64;
            anl_lockstep_flit(harness, link, 0, bits);
        }
        assert_int_equal(lockstep_high(play.run), cycle < 2);
    }
    assert_int_equal(lockstep_finish(play.run, NULL), ANL_OK);
    fflush(play.options.report);
    expect_said(&play, "FIRST DIFFERENCE in cycle 2 at link T0.inject lane 0: made_up_flit\n"
                       "  expected  head, lane 0, data 0x");
    expect_said(&play, " (worm 0 from 0 to 1, flit 0 of 4), the most like it: 1 bit differs\n"
                       "  seen      head, lane 0, data 0x");
    expect_said(&play, ", which no flit of any worm has\n");
    expect_said(&play, "  waits     in cycle 1, the one before:\n"
                       "            worm 0 flit 0 in source of T0 since cycle 0, ");
    play_destroy(&play);
}

// A flit breaks a rule in the cycle in which worms are created. The blocking analysis is fed the
// worms of that cycle, but not its flits.
static void broken_rule_is_one_difference(void **unused)
{
    (void)unused;
    struct play play;
    static const uint32_t noise[4] = {0x3f5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a, 0x5a5a5a5a};
    play_create(&play, NOWHERE, UINT64_MAX);
    play_begin(&play);
    assert_int_equal(lockstep_enqueue(play.run, NULL), ANL_OK);
    assert_true(lockstep_low(play.run));
    anl_lockstep_flit((uintptr_t)lockstep_harness(play.run), 1, 0, noise);
    assert_false(lockstep_high(play.run));
    assert_int_equal(lockstep_finish(play.run, NULL), ANL_OK);
    assert_string_equal(play.result.difference.what, "made_up_flit");
    assert_int_equal(play.result.difference.count, 1);
    play_destroy(&play);
}

static void expect_trace(const char *path, uint64_t cycles, uint64_t worms)
{
    struct anl_trace_reader *reader;
    struct anl_record record;
    struct anl_error error = {0};
    assert_int_equal(anl_trace_open(path, &reader, NULL), ANL_OK);
    do {
        if (anl_trace_next(reader, &record, &error)) fail_msg("%s", error.text);
        worms -= record.kind == ANL_RECORD_WORM;
    } while (record.kind != ANL_RECORD_END);
    assert_int_equal(record.cycle, cycles);
    assert_int_equal(worms, 0);
    anl_trace_close(reader);
}

// All worms are created in cycle 0. The cycle in which something is found is not in the trace,
// which every reader accepts.
static void trace_of_a_failed_run_is_whole(void **unused)
{
    char path[64];
    (void)unused;
    snprintf(path, sizeof path, "/tmp/annelid-checker-%ld.anlt", (long)getpid());
    for (uint64_t failing = 0; failing < 3; failing++) {
        struct play play;
        play_create(&play, NOWHERE, UINT64_MAX);
        play.options.trace_path = path;
        play_begin(&play);
        play_all(&play, failing);
        assert_false(play.result.pass);
        expect_trace(path, failing, failing ? 6 : 0);
        play_destroy(&play);
        unlink(path);
    }
}

// No worm is dead, so the stall is reported, even if the suite expects a stall.
static void stall_without_a_dead_worm_is_reported(void **unused)
{
    (void)unused;
    for (int expected = 0; expected < 2; expected++) {
        struct play play;
        play_create(&play, NOWHERE, UINT64_MAX);
        play.options.expect_stall = expected;
        play_begin(&play);
        play_all(&play, UINT64_MAX);
        assert_false(play.result.pass);
        assert_int_equal(play.result.end, ANL_RUN_STALLED);
        assert_int_equal(play.result.deadlock, UINT64_MAX);
        assert_string_equal(play.result.reason, "stalled in cycle 80 at the network");
        expect_said(&play, "FIRST DIFFERENCE in cycle 80 at the network: stalled\n");
        expect_said(&play, "  seen      no flit for 80 cycles, but no worm is dead\n");
        expect_said(&play, "  waves     make waves SCENARIO=pair SEED=1 MODE=rules AT=79\n");
        play_destroy(&play);
    }
}

static void expect_nothing_to_show(uint32_t worm, uint64_t at, const char *why)
{
    struct play play;
    struct anl_error error = {0};
    static struct wave_window wave_window;
    play_create(&play, worm, at);
    play_begin(&play);
    play_all(&play, UINT64_MAX);
    wave_target_over(&play.run->wave_target, play.run->blocking);
    assert_false(wave_window_choose(&wave_window, play.run, &error));
    assert_string_equal(error.text, why);
    play_destroy(&play);
}

// Waves of a cycle behind the end are refused, and are not those of the difference that ends it.
static void cycle_behind_a_difference_is_refused(void **unused)
{
    (void)unused;
    static struct wave_window wave_window;
    for (uint64_t at = 6; at < 9; at++) {
        struct play play;
        struct anl_error error = {0};
        play_create(&play, NOWHERE, at);
        play_begin(&play);
        play_all(&play, 7);
        wave_target_over(&play.run->wave_target, play.run->blocking);
        assert_int_equal(wave_window_choose(&wave_window, play.run, &error), at < 8);
        if (at == 8) assert_non_null(strstr(error.text, ", before cycle 8"));
        play_destroy(&play);
    }
}

static void worm_that_is_not_to_be_seen_is_explained(void **unused)
{
    (void)unused;
    expect_nothing_to_show(1, UINT64_MAX,
                           "worm 1 is not in the network: to the end of the run it is in the queue "
                           "of its source, terminal 0, and worm 0 is at the front there; to see "
                           "that one: WORM=0");
    expect_nothing_to_show(1, 20,
                           "worm 1 is not in the network: in cycle 20 it is in the queue of its "
                           "source, terminal 0, and worm 0 is at the front there; to see that one: "
                           "WORM=0");
    expect_nothing_to_show(6, UINT64_MAX,
                           "there is no worm 6: 6 worms are created in the 80 cycles of the run");
    expect_nothing_to_show(1, 90, "the run ends after 80 cycles, before cycle 90");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion_fails_a_run_by_rules),
        cmocka_unit_test(commands_can_be_typed),
        cmocka_unit_test(report_names_no_waves_where_there_are_none),
        cmocka_unit_test(an_assertion_of_ours_names_its_instance),
        cmocka_unit_test(an_assertion_of_the_network_names_its_instance),
        cmocka_unit_test(an_assertion_beside_another_difference_has_a_line),
        cmocka_unit_test(a_made_up_flit_stands_beside_the_one_it_is_like),
        cmocka_unit_test(broken_rule_is_one_difference),
        cmocka_unit_test(trace_of_a_failed_run_is_whole),
        cmocka_unit_test(stall_without_a_dead_worm_is_reported),
        cmocka_unit_test(cycle_behind_a_difference_is_refused),
        cmocka_unit_test(worm_that_is_not_to_be_seen_is_explained),
    };
    return cmocka_run_group_tests_name("judge", tests, NULL, NULL);
}
