// SPDX-License-Identifier: Apache-2.0
//
// Kind bufferless on the command line: runs, traces and their check, schedules as message files,
// and the commands that refuse it.

#include "cli/unit_cli.h"

#define SCENARIO(messages)                                                                         \
    "network: {topology: mesh, k: 3, n: 2}\nswitch: {kind: bufferless}\n"                          \
    "traffic: {process: replay, messages: " messages "}\n"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory() || link_project()) return -1;
    write_file("good.txt", "1 0 2 3\n5 1 5 3\n");
    write_file("good.yaml", SCENARIO("good.txt"));
    write_file("early.txt", "1 0 2 3\n4 1 5 3\n");
    write_file("early.yaml", SCENARIO("early.txt"));
    write_file("permutation.csv", "0,5\n3,4\n8,8\n");
    write_file("scheduled.yaml", SCENARIO("scheduled.txt"));
    return 0;
}

static void a_run_is_traced_and_checked(void **state)
{
    (void)state;
    expect("run --digest --referee --trace good.anlt good.yaml", 0,
           "end         complete after 10 cycles\nworms       2 created, 2 delivered\n", NULL);
    expect("run --digest --referee good.yaml", 0,
           "digest      a8761ce3fd5a5694\nreferee     no rule broken\n", NULL);
    expect("check good.anlt", 0, "2 worms, 18 flits, 10 cycles: no rule broken", NULL);
    expect("trace digest good.anlt", 0, "a8761ce3fd5a5694", NULL);
    expect("trace show good.anlt", 0, "# mesh, k 3, n 2, without buffers\n", NULL);
    expect("run --worms - good.yaml", 0, "0,0,2,0,3,1,1,5,3,0\r\n1,1,5,0,3,5,5,9,3,0\r\n", NULL);
    expect("describe good.yaml", 0, "switch     bufferless: one flit per link", NULL);
    expect("describe good.yaml", 0, "latency    at least 7 cycles for 3 flits", NULL);
}

static void the_page_shows_what_is_printed(void **state)
{
    (void)state;
    expect_shown("papers/roberts_symvonis/bufferless.md", 1);
}

static void a_hint_leads_to_what_is_lost(void **state)
{
    (void)state;
    write_file("fault.txt", "1 0 2 4\n1 1 2 4\n");
    write_file("fault.yaml", SCENARIO("fault.txt"));
    expect("run fault.yaml", 1, "why         annelid worms fault.yaml\n", NULL);
    expect("worms fault.yaml", 1, "", NULL);
}

static void a_fault_is_said(void **state)
{
    (void)state;
    static const char fault[] = "fault       step 4, (0,1).E: worms 0 and 1 collide\n";
    expect("run --trace early.trace early.yaml", 1, "end         fault after 5 cycles\n", NULL);
    expect("run early.yaml", 1, fault, NULL);
    expect("run --json early.yaml", 1, "\"fault\": \"step 4, (0,1).E: worms 0 and 1 collide\"",
           NULL);
    expect("check early.trace", 1, "no_idle: cycle 5: flit 2 of worm 0 at (0,0).E: it waits", NULL);
    expect("check --incomplete early.trace", 0, "no rule broken", NULL);
}

// A flit that is taken out of the trace, or goes another way, breaks a rule of this kind.
static void a_trace_of_another_program_is_judged(void **state)
{
    (void)state;
    expect("run --trace good.trace good.yaml", 0, NULL, NULL);
    expect_shell("sed '/^flit 2 5 /d; /^end/s/18/17/' good.trace > lost.trace");
    expect("check --no-digest lost.trace", 1, "no_idle: cycle 3: flit 0 of worm 0 at (0,0).E",
           NULL);
    expect_shell("sed 's/^flit 2 5 0 /flit 2 7 0 /' good.trace > bent.trace");
    expect("check --no-digest bent.trace", 1, "one_bend: cycle 3: flit 0 of worm 0 at (0,1).S",
           NULL);
    expect_shell("sed 's/^flit 2 5 0 /flit 2 5 1 /' good.trace > lane.trace");
    expect("check --no-digest lane.trace", 1, "unknown_flit: ", NULL);
    expect_shell("sed '/^flit 9 29 /d; /^end/s/18/17/' good.trace > end.trace");
    expect("check --no-digest end.trace", 1, "no_idle: ", NULL);
    expect_shell("sed '/^worm 1/,/^flit 9/{/ 1 [0-2]$/d}; /^end/s/18/9/' good.trace > none.trace");
    expect("check --no-digest none.trace", 1, "on_time: ", NULL);
}

static void a_schedule_becomes_a_message_file(void **state)
{
    (void)state;
    expect("schedule -n 3 -k 2 -f permutation.csv --messages scheduled.txt", 0, NULL, NULL);
    expect_shell("printf '# cycle source destination length\\n1 0 5 2\\n1 3 4 2\\n' "
                 "| cmp - scheduled.txt");
    expect("run --referee scheduled.yaml", 0, "2 created, 2 delivered", NULL);
    expect("schedule -n 3 -k 2 -f permutation.csv --messages none/x.txt", 2, NULL, "none/x.txt");
}

// The page says that b could start in 5; a would have to wait until b has passed.
static void worms_that_meet_are_explained(void **state)
{
    (void)state;
    static const char lost[] =
        "FAULT: worms meet, and there is no buffer in which one of them could wait.\n"
        "In cycle 4, 2 flits want link 1(1,0).+0 and are lost:\n"
        "  worm 0  T0 -> T2, 3 flits  starts in 1  flit 2  in lane 0 of 0(0,0).+0  meets nobody if "
        "it "
        "starts in 6\n"
        "  worm 1  T1 -> T5, 3 flits  starts in 4  flit 0  in source of T1         meets nobody if "
        "it "
        "starts in 5\n";
    expect("worms early.yaml", 1, lost, NULL);
    expect("worms --json early.yaml", 1,
           "\"lost\": [{\"worm\": 0, \"index\": 2, \"buffer\": \"lane 0 of 0(0,0).+0\", \"link\": "
           "\"1(1,0).+0\", \"first_good_start\": 6}, {\"worm\": 1, ",
           NULL);
    expect("worms --at 3 early.yaml", 0, "Cycle 3: 1 worm under way, 0 of 1 delivered.\n", NULL);
    expect("worms good.yaml", 0,
           "No fault: every worm was delivered, and none ever waits without buffers.\n", NULL);
    expect("run --trace early.anlt early.yaml", 1, NULL, NULL);
    expect("worms early.anlt", 1, "in source of T1         -\n", NULL);
}

static void worms_that_meet_are_drawn(void **state)
{
    (void)state;
    expect("draw -o good.svg --at 3 good.yaml", 0, NULL, NULL);
    expect_shell("grep -q 'without buffers' good.svg && grep -q 'Nobody waits' good.svg");
    expect("draw -o early.svg early.yaml", 0, NULL, NULL);
    expect_shell("grep -q 'Fault: flits want one link and are lost' early.svg");
    expect_shell("test $(grep -c 'source of T1: is lost' early.svg) -ge 1");
    expect_shell("test $(grep -o 'href=.#lost' early.svg | wc -l) = 3");  // two flits, the legend
    expect("draw -o early.html early.yaml", 0, NULL, NULL);
    expect_shell("grep -q 'lost: another flit wants the same link' early.html");
    expect_shell("! grep -q 'no credit: the lane is full' early.html");
}

static void what_knows_buffers_alone_refuses(void **state)
{
    (void)state;
    static const char *const commands[] = {
        "cdg",       "predict",        "sweep -o x.csv",
        "rtl -o x",  "bounds",         "plot -o x.svg",
        "signature", "describe --rtl", "describe --graph x.yaml",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s good.yaml", commands[i]);
        expect(arguments, 2, NULL,
               "good.yaml: switch.kind is bufferless; this command expects buffered");
    }
    assert_false(remains("x"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_traced_and_checked),
        cmocka_unit_test(a_fault_is_said),
        cmocka_unit_test(a_hint_leads_to_what_is_lost),
        cmocka_unit_test(the_page_shows_what_is_printed),
        cmocka_unit_test(a_trace_of_another_program_is_judged),
        cmocka_unit_test(a_schedule_becomes_a_message_file),
        cmocka_unit_test(worms_that_meet_are_explained),
        cmocka_unit_test(worms_that_meet_are_drawn),
        cmocka_unit_test(what_knows_buffers_alone_refuses),
    };
    return cmocka_run_group_tests_name("cli_bufferless", tests, prepare, remove_directory);
}
