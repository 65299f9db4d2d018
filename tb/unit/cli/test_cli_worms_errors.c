// SPDX-License-Identifier: Apache-2.0
//
// `annelid worms` where it has no answer: bad usage, cycles and worms that do not exist, and traces
// that are broken or cannot be true.

#include "unit_cli.h"

#include <annelid/trace.h>

static const char *const mesh = "network: {topology: mesh, k: 4, n: 2}\n"
                                "switch: {num_vcs: 2, depth: 2}\n"
                                "traffic: {load: 0.5, length: 8}\n"
                                "run: {cycles: 300, seed: 5}\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("mesh.yaml", mesh);
    return 0;
}

static void bad_usage_is_refused(void **state)
{
    (void)state;
    expect("worms mesh.yaml mesh.yaml", 2, NULL, "one trace or scenario");
    expect("worms --map mesh.yaml", 2, NULL, "--map has no effect without --at");
    expect("worms --map --json --at 1 mesh.yaml", 2, NULL, "--map has no effect with --json");
    expect("worms --json --stalls - mesh.yaml", 2, NULL, "--json has no effect with --stalls -");
    expect("worms --top -1 mesh.yaml", 2, NULL, "'-1' is not a number");
    expect("worms --at x mesh.yaml", 2, NULL, "'x' is not a number");
    expect("worms --worm 4294967295 mesh.yaml", 2, NULL, "is not a number from 0 to 4294967294");
    expect("worms --set switch.depht=2 mesh.yaml", 2, "", "depth");
    expect("worms missing.yaml", 2, "", "missing.yaml");
    expect("worms .", 2, "", ".");
}

static void what_is_not_there_is_said(void **state)
{
    (void)state;
    expect("worms --at 100000 mesh.yaml", 2, "", "mesh.yaml: has no cycle 100000; expected 0..");
    expect("worms --worm 100000 mesh.yaml", 2, "", "mesh.yaml: has no worm 100000 in cycle ");
    expect("worms --worm 200 --at 3 mesh.yaml", 2, "", "has no worm 200 in cycle 3; expected 0..");
    expect("worms --load 0 --worm 0 mesh.yaml", 2, "", "has no worm 0: none was created");
}

static void broken_traces_are_refused(void **state)
{
    (void)state;
    expect("run --trace whole.anlt mesh.yaml", 0, NULL, NULL);
    expect("run --trace whole.txt mesh.yaml", 0, NULL, NULL);
    expect("worms --load 0.1 whole.anlt", 2, "", "is a trace, which is as it is");
    expect_shell(
        "head -c 5000 whole.anlt > short.anlt; head -c 5000 whole.txt > short.txt; "
        "sed '60s/ [0-9]*$/ 77/' whole.txt > altered.txt; sed '$d' whole.txt > endless.txt; "
        "sed '0,/^flit [0-9]*/s//flit 18446744073709551614/' whole.txt > far.txt");
    static const char *const broken[] = {"short.anlt", "short.txt", "altered.txt", "endless.txt",
                                         "far.txt"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        char arguments[64], early[64];
        snprintf(arguments, sizeof arguments, "worms %s", broken[i]);
        expect(arguments, 2, "", broken[i]);
        snprintf(early, sizeof early, "worms --at 1 %s", broken[i]);
        expect(early, 2, NULL, broken[i]);
    }
    write_file("noise.anlt", "\x89"
                             "ANLT\r\n\x01 nothing that follows is a trace");
    expect("worms noise.anlt", 2, "", "noise.anlt");
}

// Begins a trace of one worm of one flit, from terminal 0 to 3, created in cycle 0.
static struct anl_trace_writer *trace_of_one_worm(const char *name)
{
    char path[128];
    struct anl_trace_writer *writer;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    assert_int_equal(anl_trace_create(path, ANL_TRACE_TEXT, 1, mesh, &writer, NULL), ANL_OK);
    anl_trace_worm(writer, &(struct anl_worm){.source = 0, .destination = 3, .length = 1});
    return writer;
}

// A trace with a right digest whose flit comes from nowhere.
static void traces_that_lie_are_refused(void **state)
{
    (void)state;
    struct anl_trace_writer *writer = trace_of_one_worm("lie.txt");
    anl_trace_flits(writer, 4, &(struct anl_flit){.link = 8, .head = true, .tail = true}, 1);
    assert_int_equal(anl_trace_finish(writer, 9, NULL), ANL_OK);
    expect("worms lie.txt", 2, "", "lie.txt: ");
    expect("worms --stalls lie.csv lie.txt", 2, "", NULL);
    assert_false(remains("lie.csv"));
}

// A trace of a switch that does not move a worm though its path is free: the worm stalls but is not
// dead.
static void a_stall_without_deadlock_is_told(void **state)
{
    (void)state;
    struct anl_trace_writer *writer = trace_of_one_worm("stand.txt");
    anl_trace_flits(writer, 0, &(struct anl_flit){.link = 80, .head = true, .tail = true}, 1);
    assert_int_equal(anl_trace_finish(writer, 50, NULL), ANL_OK);
    expect("worms stand.txt", 0, "no worm is dead, but 1 worm is not delivered.\n", NULL);
    expect("worms stand.txt", 0, "Nothing moved after cycle 0; the last cycle is 49.\n", NULL);
    expect("worms stand.txt", 0, "worm 0 waited 49 cycles in lane 0 of T0.inject.\n", NULL);
    expect("worms --at 20 stand.txt", 0, "which waits for no worm", NULL);
    expect("worms --json stand.txt", 0, "\"last_move\": 0", NULL);
}

static void files_appear_whole_or_not_at_all(void **state)
{
    (void)state;
    expect("worms --stalls nowhere/s.csv mesh.yaml", 2, "", "nowhere/s.csv");
    expect("worms --stalls . mesh.yaml", 2, "", ".: cannot write: not an ordinary file");
    expect("worms --stalls none.csv --worm 100000 mesh.yaml", 2, "", "has no worm");
    assert_false(remains("none.csv"));
    write_file("s.csv.tmp", "a file of the user's");
    expect_shell(
        "(umask 027 && \"$ANNELID\" worms --stalls s.csv mesh.yaml > /dev/null) && grep -q "
        "\"user's\" s.csv.tmp && [ $(stat -c %a s.csv) = 640 ]");
    write_file("large.yaml", "network: {topology: mesh, k: 64, n: 2}\n"
                             "traffic: {load: 0.5, length: 64}\nrun: {cycles: 1000000}\n");
    expect_interrupted("worms --stalls i.csv large.yaml", "-s i.csv.*.tmp");
    expect_shell("grep -q interrupted said");
    assert_false(remains("i.csv"));
}

static void the_input_is_not_replaced(void **state)
{
    (void)state;
    expect_shell("cp mesh.yaml kept.yaml && ln mesh.yaml another.csv && ln -s mesh.yaml a_link");
    static const char *const names[] = {"mesh.yaml", "./mesh.yaml", "another.csv", "a_link"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "worms --stalls %s mesh.yaml", names[i]);
        expect(arguments, 2, "", "cannot write: it is the input");
    }
    expect_shell("cmp mesh.yaml kept.yaml");
}

static void what_cannot_be_read_again_is_refused(void **state)
{
    (void)state;
    static const char said[] = "is not an ordinary file; expected one, as it is read more than";
    expect_shell("mkfifo pipe");
    expect_shell("timeout 600 \"$ANNELID\" worms pipe 2> /dev/null; [ $? = 2 ]");
    expect("worms pipe", 2, "", said);
    expect("draw -o pipe.svg pipe", 2, "", said);
    expect("worms .", 2, "", said);
    expect_shell("cat mesh.yaml | \"$ANNELID\" worms /dev/stdin > /dev/null");
    assert_false(remains("pipe."));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_usage_is_refused),
        cmocka_unit_test(what_is_not_there_is_said),
        cmocka_unit_test(broken_traces_are_refused),
        cmocka_unit_test(traces_that_lie_are_refused),
        cmocka_unit_test(a_stall_without_deadlock_is_told),
        cmocka_unit_test(files_appear_whole_or_not_at_all),
        cmocka_unit_test(the_input_is_not_replaced),
        cmocka_unit_test(what_cannot_be_read_again_is_refused),
    };
    return cmocka_run_group_tests_name("cli_worms_errors", tests, prepare, remove_directory);
}
