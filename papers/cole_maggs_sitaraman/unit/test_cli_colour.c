// SPDX-License-Identifier: Apache-2.0
//
// annelid colour and annelid worst: what they print and write, what they refuse, and that what they
// write runs.

#include "cli/unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("paths.txt", "# three messages\n0 1 2\n\n1, 2, 7\n2\t3 # the third one\n");
    write_file("again.txt", "0 1\n3 4 3\n");
    write_file("word.txt", "0 1\n2 three\n");
    write_file("large.txt", "0 999999999\n");
    write_file("empty.txt", "# nothing\n");
    write_file("mesh.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2}\n"
                            "traffic: {process: batch, worms_per_terminal: 4, length: 3}\n");
    write_file("chained.yaml", "network: {topology: mesh, k: 4, n: 2}\n"
                               "switch: {num_vcs: 2, depth: 1, link: wide, credits: bypass}\n"
                               "traffic: {process: batch, worms_per_terminal: 8, length: 4}\n");
    write_file("torus.yaml", "network: {topology: torus, k: 5, n: 1}\nswitch: {num_vcs: 2}\n"
                             "traffic: {process: batch, length: 3}\n");
    write_file("tree.yaml", "network: {topology: fat_tree, n: 1}\ntraffic: {process: batch}\n");
    write_file("turns.yaml",
               "network: {topology: mesh, k: 3, n: 2}\nswitch: {routing: west_first}\n"
               "traffic: {process: batch}\n");
    return 0;
}

static void files_of_paths_are_coloured(void **state)
{
    (void)state;
    expect("colour -B 1 -l 4 paths.txt", 0,
           "messages    3 of 4 flits\npaths       congestion C = 3, dilation D = 3\n"
           "colours     3 by first_fit, at most 1 message of one on a link\nat least    3: C / B\n"
           "at most     7 by first fit, D (C - 1) / B + 1; ",
           NULL);
    expect("colour -B 2 -l 4 paths.txt -o out.csv", 0,
           "colours     2 by first_fit, at most 2 messages of one on a link\n", NULL);
    expect_shell("printf 'message,colour,start\\n0,0,0\\n1,0,0\\n2,1,6\\n' | cmp - out.csv");
    expect("colour -B 2 -l 4 paths.txt --compact -o out.csv", 0, "schedule    11 cycles", NULL);
    expect_shell("tail -n 1 out.csv | grep -qx 2,1,6");
    expect("colour -B 3 paths.txt --json", 0, "\"colours\": 1, \"drawn_from\": 1.0", NULL);
    expect("colour -B 1 -m moser_tardos paths.txt", 0, "\ndrawn       from 3 colours, with", NULL);
    expect("colour -B 1 -m refinement paths.txt", 0, " by refinement, at most 1", NULL);
    expect("colour -B 1 -m moser_tardos -c 2 --resamples 99 paths.txt", 1, NULL,
           "no colouring was found with 99 resamples");
}

static void scenarios_are_coloured_and_replayed(void **state)
{
    (void)state;
    expect("colour mesh.yaml --set switch.link=wide -o m.txt --scenario m.yaml", 0,
           "36 of 36 worms delivered, 0 later than alone\n", NULL);
    expect("run m.yaml --referee", 0, "worms       36 created, 36 delivered", NULL);
    expect("run m.yaml --referee", 0, "referee     no rule broken", NULL);
    // Lanes of one flit are free for a head one cycle after the tail has left them.
    expect("colour chained.yaml --compact", 0, "0 later than alone\n", NULL);
    expect("colour chained.yaml --compact --set switch.num_vcs=1", 0, "0 later than alone\n", NULL);
    expect("colour mesh.yaml", 0, "a step is 2 cycles, since the lanes of a link share it\n", NULL);
    expect("colour mesh.yaml", 0, "0 worms waited for a lane that another one had\n", NULL);
    expect("colour mesh.yaml -B 1", 0, "0 later than alone\n", NULL);
    expect("colour mesh.yaml -B 1 -m refinement --json", 0, "\"valid\": true, \"replay\": {", NULL);
    expect("colour torus.yaml", 0, "at most 1 message of one on a link\n", NULL);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    expect("colour again.txt -B 1", 2, NULL,
           "again.txt:2: link 3 again, expected each link of a path once");
    expect("colour word.txt -B 1", 2, NULL,
           "word.txt:2: 'three', expected the number of a link from 0 to 268435455");
    expect("colour large.txt -B 1", 2, NULL, "large.txt:1: '999999999', expected the number");
    expect("colour paths.txt", 2, NULL, "does not say how many lanes links have: --vcs B");
    expect("colour paths.txt -B 1 --scenario x.yaml -o x.txt", 2, NULL, "gives no scenario");
    expect("colour paths.txt -B 1 --set switch.num_vcs=2", 2, NULL, "no such value");
    expect("colour mesh.yaml --scenario x.yaml", 2, NULL,
           "--scenario has no effect without --output");
    expect("colour mesh.yaml --scenario a/x.yaml -o x.txt", 2, NULL, "two files of one folder");
    expect("colour mesh.yaml -m best", 2, NULL,
           "method 'best', expected first_fit, moser_tardos or refinement");
    expect("colour mesh.yaml -B 3", 2, NULL, "mesh.yaml: --vcs 3, expected at most 2");
    expect("colour torus.yaml -B 2", 2, NULL, "torus.yaml: --vcs 2, expected at most 1");
    expect("colour mesh.yaml --set switch.depth=1", 2, NULL, "lanes of one flit run at half rate");
    expect("colour tree.yaml", 2, NULL, "tree.yaml: routing up_down_random chooses paths");
    expect("colour turns.yaml", 2, NULL, "depend on the run");
    expect("colour empty.txt -B 1", 2, NULL, "empty.txt");
    expect("colour absent.txt -B 1", 2, NULL, "absent.txt");
    assert_false(exists("x.txt"));
}

static void worst_networks_are_written_and_run(void **state)
{
    (void)state;
    expect("worst -B 2 -M 5 -o w.yaml", 0,
           "messages    M = 5, L = 22\npaths       congestion C = 3, dilation D = 11\n"
           "at least    (L - D) M / B = 28 cycles with 2 lanes\n",
           NULL);
    expect("run w.yaml --referee", 0, "worms       5 created, 5 delivered", NULL);
    expect("colour w.yaml", 0, "colours     3 by first_fit", NULL);
    expect("colour w.yaml", 0, "5 of 5 worms delivered, 0 later than alone", NULL);
    expect("worst -B 1 -M 4 -c 2 --interleaved -l 9 -o w.yaml", 0, "M = 8, L = 9\n", NULL);
    expect_shell("head -n 1 w.yaml | grep -q 'there 2 times, interleaved'");
    expect_shell("[ $(grep -c '^0 ' w.txt) = 8 ]");
    expect("worst -B 2 -D 25 -C 8 -l 60 -o w.yaml", 0,
           "messages    M = 14, L = 60\npaths       congestion C = 8, dilation D = 25\n", NULL);
    expect_shell("head -n 1 w.yaml | grep -q 'there 2 times, the first 2 once more.'");
    expect("worst -B 2 -D 19 -C 2 -o w.yaml", 2, NULL, "expected more than the 2 lanes");
    expect("worst -B 2 -M 7 -D 19 -o w.yaml", 2, NULL, "dilation 19, expected at least 29");
    expect_shell("echo mine > v.txt");
    expect("worst -B 2 -M 5 -o v.yaml", 2, NULL, "v.txt: is there and is not replaced");
    expect_shell("grep -qx mine v.txt && rm v.txt && ! test -e v.yaml");
    expect("worst -B 3 -M 3 -o v.yaml", 2, NULL, "3 paths, expected more than the 3 lanes");
    expect("worst -B 1 -M 4 -o v.txt", 2, NULL, "expected a name that ends in .yaml");
    expect("worst -B 1 -M 4 -c 100 -o v.yaml", 2, NULL, "ports, one for each message that begins");
    expect("worst -M 4 -o v.yaml", 2, NULL, "say which network");
    assert_false(remains("v.yaml"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_paths_are_coloured),
        cmocka_unit_test(scenarios_are_coloured_and_replayed),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(worst_networks_are_written_and_run),
    };
    return cmocka_run_group_tests_name("cli_colour", tests, prepare, remove_directory);
}
