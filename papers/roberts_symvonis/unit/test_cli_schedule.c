// SPDX-License-Identifier: Apache-2.0
//
// annelid schedule: what it prints and writes, what it refuses, and how a search ends.

#include "cli/unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("worms.csv", "# three worms\nsource,destination\n0,5\n3,4\n8,8\n");
    write_file("order.csv", "source\n8\n3\n0\n");
    write_file("short.csv", "3\n0\n");
    write_file("again.csv", "3\n0\n3\n");
    write_file("nobody.csv", "3\n1\n");
    write_file("twice.csv", "0,5\n1,4\n0,3\n");
    write_file("same.csv", "0,5\n\n1,5\n");
    write_file("far.csv", "source,destination\n0,9\n");
    write_file("word.csv", "0,five\n");
    write_file("three.csv", "0\n");
    write_file("columns.csv", "source,start,destination\n0,9,5\n");
    write_file("named.csv", "source\n0,5\n");
    write_file("tabs.csv", "source\tdestination\n0\t1\n");
    write_file("empty.csv", "# nobody\n");
    write_file("early.csv", "source,destination,start\n0,2,1\n1,5,0\n");
    write_file("late.csv", "0,2,1\n1,5,99\n");
    write_file("paths.csv", "path\n0 1 2 3\n1 2 3\n3 2 1 0\n7\n");
    write_file("letters.csv", "0 1\n0 one\n");
    write_file("round.csv", "0 1 0 1\n");
    return 0;
}

static void it_says_what_a_schedule_is_like(void **state)
{
    (void)state;
    expect("schedule --n 4 --k 4 --permutation rotate --order longest", 0,
           "worms       16 on a mesh of 4 x 4, k = 4; 16 use links\norder       longest\n"
           "makespan    16\nstarts      sum 69, largest 11\nbound       51 in any order",
           NULL);
    expect("schedule --n 4 --k 4 --permutation rotate --order longest", 0,
           "check       no rule is broken\n", NULL);
    expect("schedule -n 4 -k 4 -p rotate -O 'lex-desc(v,h)'", 0, "makespan    15\n", NULL);
    expect(
        "schedule -n 4 -k 4 -p rotate -O lex-desc-v-h --json", 0,
        "\"order\": \"lex-desc(v,h)\", \"search\": null, \"makespan\": 15, \"sum_of_starts\": 72, "
        "\"largest_start\": 10, \"bound\": 51, ",
        NULL);
    expect("schedule -n 4 -k 8 -p rotate", 0, "makespan    28\n", NULL);
    expect("schedule -n 8 -k 4 -p random -s 2 -O random", 0, "order       random\n", NULL);
}

static void files_are_read_and_written(void **state)
{
    (void)state;
    expect("schedule -n 3 -k 2 -f worms.csv --order-file order.csv -o out.csv", 0,
           "worms       3 on a mesh of 3 x 3, k = 2; 2 use links\norder       of a file\n", NULL);
    expect_shell("printf 'source,destination,start\\n0,5,1\\n3,4,1\\n8,8,1\\n' | cmp - out.csv");
    expect("schedule -n 3 -k 2 --check out.csv", 0, "no rule is broken", NULL);
    expect("schedule -n 3 -k 2 -f out.csv -O longest", 0, "3 on a mesh", NULL);
    expect("schedule -n 4 -k 4 -p transpose --svg out.svg", 0, NULL, NULL);
    expect_shell("xmllint --noout out.svg 2>/dev/null || $PYTHON -c "
                 "\"import xml.dom.minidom as m; m.parse('out.svg')\"");
    expect_shell("[ $(grep -c '<title>' out.svg) = 16 ]");
    expect("schedule -n 4 -k 4 -f out.csv -O longest -o out.csv", 2, NULL, "out.csv");
}

// The worm 1 starts a step too early and meets worm 0 in step 2 behind the first column.
static void a_schedule_that_breaks_a_rule_is_refused(void **state)
{
    (void)state;
    write_file("pair.csv", "0,2,1\n1,5,3\n");
    write_file("clash.csv", "0,2,1\n1,5,2\n");
    expect("schedule -n 3 -k 1 --check pair.csv", 0, "makespan    4\n", NULL);
    expect("schedule -n 3 -k 1 --check clash.csv -o never.csv", 1,
           "check       step 2, (0,1).E: worms 0 and 1 want one link\n", NULL);
    assert_false(remains("never.csv"));
    expect("schedule -n 3 -k 1 --check clash.csv --json", 1,
           "\"valid\": false, \"fault\": {\"step\": 2, \"text\": \"step 2, (0,1).E", NULL);
}

// A mesh of one node has no links, but a worm that stays.
static void a_worm_alone_has_start_1(void **state)
{
    (void)state;
    expect("schedule -n 1 -k 3 -p reversal -o alone.csv", 0, "0 use links\n", NULL);
    expect("schedule -n 1 -k 3 --check alone.csv", 0, "no rule is broken", NULL);
}

static void worms_take_given_paths(void **state)
{
    (void)state;
    expect("schedule --paths paths.csv -k 4 -O row-major -o given.csv", 0,
           "worms       4 on 5 nodes and 6 links, k = 4; 3 use links\n"
           "problem     (1, 2): most worms of a source, of a destination\n"
           "paths       congestion 2, dilation 3\norder       row-major\nmakespan    10\n",
           NULL);
    expect_shell("printf 'worm,start\\n0,1\\n1,6\\n2,1\\n3,1\\n' | cmp - given.csv");
    expect("schedule --paths paths.csv -k 4 --check given.csv", 0, "no two flits want one link",
           NULL);
    expect("schedule --paths paths.csv -k 4", 0, "order       shortest\nmakespan    9\n", NULL);
    write_file("nowhere.csv", "5\n7\n");
    expect("schedule --paths nowhere.csv -k 4 -o staying.csv", 0, "makespan    0\n", NULL);
    expect("schedule --paths nowhere.csv -k 4 --check staying.csv", 0, "0 use links\n", NULL);
    write_file("given_early.csv", "worm,start\n0,1\n1,5\n2,1\n3,1\n");
    expect("schedule --paths paths.csv -k 4 --check given_early.csv", 1,
           "check       step 5, link 1 to 2: worms 0 and 1 want it\n", NULL);
    expect("schedule --paths paths.csv -k 4 --check given_early.csv --json", 1,
           "\"valid\": false, \"fault\": {\"step\": 5, ", NULL);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *complaint;
    } cases[] = {
        {"", "-n N -k K"},
        {"-n 4 -k 4", "one of --permutation, --file and --check"},
        {"-n 4 -k 4 -p rotate -f worms.csv", "one of --permutation, --file and --check"},
        {"-n 0 -k 4 -p rotate", "not a number from 1 to 512"},
        {"-n 4 -k 4097 -p rotate", "not a number from 1 to 4096"},
        {"-n 4 -k 4 -p around", "permutation 'around', expected transpose, "},
        {"-n 6 -k 4 -p bitrev", "expected a power of two"},
        {"-n 4 -k 4 -p rotate -O fastest", "order 'fastest', expected best, row-major, "},
        {"-n 4 -k 4 -p rotate -O longest --order-file order.csv",
         "--order has no effect with --order-file"},
        {"-n 4 -k 4 -p rotate -O longest --tries 5", "a search begins with the best order"},
        {"-n 4 -k 4 --check worms.csv --tries 5", "--tries has no effect with --check"},
        {"-n 4 -k 4 -p rotate more", "no argument is expected"},
        {"-n 3 -k 2 -f nothing.csv", "nothing.csv: cannot read"},
        {"-n 3 -k 2 -f twice.csv", "twice.csv:3: source 0 again, expected each source once"},
        {"-n 3 -k 2 -f same.csv", "same.csv:3: destination 5 again (source 0 has it), expected"},
        {"-n 3 -k 2 -f far.csv", "far.csv:2: destination '9', expected a number from 0 to 8"},
        {"-n 3 -k 2 -f word.csv", "word.csv:1: destination 'five', expected a number from 0"},
        {"-n 3 -k 2 -f three.csv", "three.csv:1: 1 cell, expected source,destination"},
        {"-n 3 -k 2 -f tabs.csv", "separated by commas, not by tabs"},
        {"-n 3 -k 2 -f empty.csv", "empty.csv: no row, expected at least one worm"},
        {"-n 3 -k 2 -f worms.csv --order-file short.csv",
         "short.csv: 2 sources, expected all 3 of the permutation"},
        {"-n 3 -k 2 -f worms.csv --order-file again.csv", "again.csv:3: source 3 again"},
        {"-n 3 -k 2 -f worms.csv --order-file nobody.csv", "nobody.csv:2: node 1 sends no worm"},
        {"-n 3 -k 2 --check worms.csv",
         "worms.csv:2: 2 names of columns, expected source,destination,start"},
        {"-n 3 -k 2 --check columns.csv", "columns.csv:1: column 'start', expected source,dest"},
        {"-n 3 -k 2 -f columns.csv", "columns.csv:1: column 'start', expected source,destination"},
        {"-n 3 -k 2 -f named.csv", "named.csv:1: 1 name of columns, expected source,destination"},
        {"-n 3 -k 2 --check early.csv", "early.csv:3: start '0', expected a number from 1 to 17"},
        {"-n 3 -k 2 --check late.csv", "late.csv:2: start '99', expected a number from 1 to 17"},
        {"-n 4 -k 4 -p rotate -o no/such/file", "no/such/file"},
        {"-k 4 --paths letters.csv",
         "letters.csv:2: node 'one', expected nodes separated by blanks"},
        {"-k 4 --paths worms.csv", "worms.csv:2: more than one cell behind 'source'"},
        {"-k 4 --paths round.csv", "worm 0: link 0 again, expected each link once"},
        {"-k 4 --paths empty.csv", "empty.csv: no row, expected at least one worm"},
        {"-k 4 --paths paths.csv -O lex-desc-h-v", "expected best, row-major, longest or shortest"},
        {"-k 4 --paths paths.csv --check short.csv", "short.csv:1: expected worm,start"},
        {"-k 4 -n 4 --paths paths.csv", "--paths has no effect with --n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "schedule %s", cases[i].arguments);
        expect(arguments, 2, NULL, cases[i].complaint);
    }
}

static void a_search_is_the_same_every_time(void **state)
{
    (void)state;
    expect("schedule -n 8 -k 4 -p random --tries 3000 -o one.csv", 0,
           "search      3000 tries, from 22 of order ", NULL);
    expect("schedule -n 8 -k 4 -p random --tries 3000 -o two.csv", 0, NULL, NULL);
    expect_shell("cmp one.csv two.csv");
    expect("schedule -n 8 -k 4 --check one.csv", 0, "no rule is broken", NULL);
    expect("schedule -n 2 -k 4 -p reversal --tries 3000", 0, "until none can be shorter", NULL);
    expect("schedule -n 8 -k 4 -p random --search 1 --json", 0, "\"interrupted\": false", NULL);
}

// After Ctrl-C the shortest schedule so far is printed, checked and written. The command has read
// all of its file, from a pipe, before it is interrupted.
static void an_interrupted_search_keeps_the_shortest(void **state)
{
    (void)state;
    expect("schedule -n 32 -k 8 -p random -O longest -o worms32.csv", 0, NULL, NULL);
    expect_shell("mkfifo pipe && { (ulimit -t 600; exec \"$ANNELID\" schedule -n 32 -k 8 -f pipe "
                 "--search 100000 -o kept.csv > said) & pid=$!; cat worms32.csv > pipe; "
                 "kill -INT $pid; wait $pid; }");
    expect_shell("grep -q 'interrupted: this is the shortest so far' said");
    expect_shell("grep -q 'no rule is broken' said");
    expect("schedule -n 32 -k 8 --check kept.csv", 0, "no rule is broken", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_what_a_schedule_is_like),
        cmocka_unit_test(files_are_read_and_written),
        cmocka_unit_test(a_schedule_that_breaks_a_rule_is_refused),
        cmocka_unit_test(a_worm_alone_has_start_1),
        cmocka_unit_test(worms_take_given_paths),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_search_is_the_same_every_time),
        cmocka_unit_test(an_interrupted_search_keeps_the_shortest),
    };
    return cmocka_run_group_tests_name("cli_schedule", tests, prepare, remove_directory);
}
