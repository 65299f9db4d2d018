// SPDX-License-Identifier: Apache-2.0
//
// `annelid signature`: its output as text, JSON and parameters, and what it refuses.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("board.yaml",
               "network: {topology: torus, k: 3, n: 2}\n"
               "switch: {num_vcs: 2, depth: 3, flit_width_bits: 24, arbiter: random}\n"
               "traffic: {process: generator, worms_per_terminal: 5, length: 4}\n"
               "run: {seed: 258, cycles: 500}\n");
    write_file("other.yaml", "network: {topology: mesh, k: 2, n: 2}\n");
    return 0;
}

static void all_forms_say_the_same(void **state)
{
    (void)state;
    char text[256], line[256], json[256];
    unsigned signature, again;
    assert_int_equal(run("signature board.yaml", "", text, sizeof text), 0);
    assert_int_equal(sscanf(text, "signature   %8x\nflits ", &signature), 1);
    assert_non_null(strstr(text, " arrived in 500 cycles\nworms       all 45 arrived\n"));

    assert_int_equal(run("signature --json board.yaml", "", json, sizeof json), 0);
    assert_int_equal(sscanf(json, "{\"signature\": \"%8x\", ", &again), 1);
    assert_int_equal(again, signature);
    assert_non_null(strstr(json, "\"worms\": 45, \"arrived\": 45, \"all_arrived\": true}\n"));

    snprintf(line, sizeof line,
             "K=3 N=2 Topology=1 Routing=1 NumVcs=2 Depth=3 FlitW=24 Arbiter=2 WormsPerTerminal=5 "
             "Length=4 Cycles=500 Seed=64'h0000000000000102 Expected=32'h%08x\n",
             signature);
    assert_int_equal(run("signature --parameters board.yaml", "", text, sizeof text), 0);
    assert_string_equal(text, line);
}

static void worms_on_their_way_are_told(void **state)
{
    (void)state;
    expect("signature -c 20 board.yaml", 1, " of 45 arrived\n", NULL);
    expect("signature -c 20 --json board.yaml", 1, "\"all_arrived\": false}\n", NULL);
    expect("signature -c 20 --parameters board.yaml", 1, "Cycles=20 ", NULL);
    // Runs that differ by one cycle have different signatures if something arrives in that cycle.
    expect_shell("for c in 20 21; do \"$ANNELID\" signature -c $c board.yaml | head -1; done "
                 "> both; test $(uniq both | wc -l) = 2");
}

static void what_is_no_board_is_refused(void **state)
{
    (void)state;
    expect("signature other.yaml", 2, NULL,
           "annelid: other.yaml: process is bernoulli, a board expects process generator\n");
    expect("signature --set run.max_cycles=3000000000 -c 3000000000 board.yaml", 2, NULL,
           "cycles is 3000000000, a board counts to 2147483647");
    expect("signature --set switch.arbiter=age board.yaml", 2, NULL, "arbiter is age");
    expect("signature nothing.yaml", 2, NULL, "nothing.yaml");
    expect("signature --json --parameters board.yaml", 2, NULL,
           "--json has no effect with --parameters");
    expect("signature", 2, NULL, "a scenario file is missing");
    expect("signature --help", 0, "docs/board.md", NULL);
}

// Other commands accept the same scenario.
static void boards_run_and_are_described(void **state)
{
    (void)state;
    expect("run board.yaml", 0, "45 created, 45 delivered", NULL);
    expect("describe board.yaml", 0, "generator, 5 worms per terminal\n", NULL);
    expect("describe board.yaml", 0, "worms of up to 4 flits\n", NULL);
    expect("describe board.yaml", 0, "a board is checked after 500 cycles", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_say_the_same),
        cmocka_unit_test(worms_on_their_way_are_told),
        cmocka_unit_test(what_is_no_board_is_refused),
        cmocka_unit_test(boards_run_and_are_described),
    };
    return cmocka_run_group_tests_name("cli_signature", tests, prepare, remove_directory);
}
