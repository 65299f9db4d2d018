// SPDX-License-Identifier: Apache-2.0
//
// annelid bounds: its output and its exit status.

#include "unit_cli.h"

static char output[65536];

static const char tree[] = "network: {topology: fat_tree, n: 2}\n"
                           "switch: {depth: 2, arbiter: random}\n"
                           "traffic: {process: batch, pattern: far_corner, length: 32}\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("tree.yaml", tree);
    write_file("ring.yaml", "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
                            "switch: {num_vcs: 1, depth: 1, routing: dimension_order}\n"
                            "traffic: {process: batch, pattern: tornado, length: 32}\n");
    write_file("requests.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                                "traffic: {process: request_reply, worms_per_terminal: 2}\n");
    write_file("replay.yaml", "network: {topology: fat_tree, n: 3}\n"
                              "switch: {routing: up_down_fixed}\n"
                              "traffic: {process: replay, messages: worms.txt}\n"
                              "run: {seed: 4}\n");
    write_file("worms.txt", "0 0 60 4\n0 1 61 5\n0 0 60 4\n0 1 61 5\n0 0 60 4\n0 1 61 5\n"
                            "0 0 60 4\n0 1 61 5\n");
    return 0;
}

static void bounds(const char *arguments, int exit_status)
{
    char command[512];
    snprintf(command, sizeof command, "bounds %s", arguments);
    assert_int_equal(run(command, "2>&1", output, sizeof output), exit_status);
}

static void says(const char *text)
{
    if (!strstr(output, text)) fail_msg("no \"%s\" in:\n%s", text, output);
}

static void many_to_one(void **state)
{
    (void)state;
    bounds("--check tree.yaml", 0);
    says("P = 16, L = 32\n");
    says("c = 8 over 0(1,0).d0, mean");
    says("d = 4, eta = min(d, L) = 4\n");
    says("lambda = 8, on the channel down to terminal 0\n");
    says("at least    256 cycles: max(c L, d + L - 1)\n");
    says("measured    259 cycles (the paper's time is 258: it counts from 0)");
    says("theorem 2   142080 cycles: R = 5 c d = 160 phases of 10 T1 L = 888");
    says("acyclic     yes\n");
}

static void as_json(void **state)
{
    (void)state;
    bounds("--json --delayed tree.yaml", 0);
    says("{\"paths\": \"observed\", \"worms\": 16, \"length\": 32, \"shortest\": 32");
    says("\"congestion\": 8,");
    says("\"load_factor\": 8.0, \"lower_cycles\": 256, \"complete\": true, \"cycles\": 259");
    says("\"theorem_2\": {\"t1\": 2.77258872, \"phases\": 160, \"phase_cycles\": 888, "
         "\"cycles\": 142080}");
    says("\"delayed\": {\"complete\": true, \"cycles\": ");
    says("\"missed\": 0}, \"acyclic\": true, \"cycle\": [], \"contiguous\": true, \"meeting\": "
         "null}\n");
}

static void fixed_paths_need_no_run(void **state)
{
    (void)state;
    bounds("--fixed tree.yaml", 0);
    says("drawn, not run\n");
    says("at least    256 cycles");
    assert_null(strstr(output, "measured"));
    bounds("--fixed requests.yaml", 2);
    says("the worms of process request_reply depend on the run");
    bounds("requests.yaml", 0);
}

static void a_cycle_is_named(void **state)
{
    (void)state;
    bounds("--fixed ring.yaml", 0);
    bounds("--fixed --check ring.yaml", 1);
    says("acyclic     no, the dependency graph has a cycle:\n            0(0).+0\n"
         "            -> 1(1).+0\n");
    says("            -> 4(4).+0\n            -> 0(0).+0\n");
    bounds("ring.yaml", 1);
    says("not all delivered: 0 of 5 in ");
    says("--fixed has all");
    bounds("--fixed --json ring.yaml", 0);
    says("\"acyclic\": false, \"cycle\": [\"0(0).+0\", \"1(1).+0\", \"2(2).+0\", \"3(3).+0\", "
         "\"4(4).+0\"]");
}

// The lengths differ, and with eight worms between two leaf switches some paths meet twice.
static void a_second_meeting_is_named(void **state)
{
    (void)state;
    bounds("--check replay.yaml", 1);
    bounds("replay.yaml", 0);
    says("L = 5 (4 to it)");
    says("flits over one link, or the way of one worm (lengths differ)");
    says("it is about worms of one length: this is for the longest");
    says("contiguous  no: worms ");
    says(", part, and meet again in ");
}

static void delays_need_a_batch(void **state)
{
    (void)state;
    bounds("--delayed replay.yaml", 2);
    says("sends a batch, not worms of process replay");
    bounds("nothing.yaml", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_to_one),
        cmocka_unit_test(as_json),
        cmocka_unit_test(fixed_paths_need_no_run),
        cmocka_unit_test(a_cycle_is_named),
        cmocka_unit_test(a_second_meeting_is_named),
        cmocka_unit_test(delays_need_a_batch),
    };
    return cmocka_run_group_tests_name("cli_bounds", tests, prepare, remove_directory);
}
