// SPDX-License-Identifier: Apache-2.0
//
// The annelid command as a person or a script meets it: exit status, output, and the files it
// leaves. $ANNELID is the command under test.

#include "unit_cli.h"

#include <sys/stat.h>

static const char *const good = "network: {topology: mesh, k: 3, n: 2}\n"
                                "switch: {num_vcs: 2}\n"
                                "traffic: {load: 0.2, length: 4}\n"
                                "run: {cycles: 200, seed: 5}\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("good.yaml", good);
    write_file("bad.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 9}\n");
    write_file(
        "stall.yaml",
        "network: {topology: unidirectional_torus, k: 4, n: 1, unsafe: true}\n"
        "switch: {routing: dimension_order, depth: 2}\n"
        "traffic: {process: batch, pattern: complement, worms_per_terminal: 8, length: 32}\n");
    write_file("noise.anlt", "\x89"
                             "ANLT\r\n\x01 nothing that follows is a trace");
    return 0;
}

static void usage_is_told(void **state)
{
    (void)state;
    expect("--help", 0, "Usage: annelid COMMAND", NULL);
    expect("--version", 0, "annelid 0.1", NULL);
    expect("", 2, NULL, "Usage: annelid COMMAND");
    expect("fly", 2, NULL, "unknown command 'fly'");
    static const char *const commands[] = {"run",  "check",    "trace",     "worms",
                                           "draw", "cdg",      "bounds",    "sweep",
                                           "plot", "describe", "signature", "schedule"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        expect(arguments, 0, "Usage:", NULL);
        snprintf(arguments, sizeof arguments, "%s --nonsense x", commands[i]);
        expect(arguments, 2, NULL, "--help");
        expect(commands[i], 2, NULL, "sage");
    }
}

// What all commands do with their arguments.
static void arguments_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *arguments;
        int status;
        const char *on_stdout, *on_stderr;
    } cases[] = {
        {"describe --seed 3 -s 4 good.yaml", 0, "seed 4", NULL},
        {"describe -s 4 --set run.seed=3 good.yaml", 0, "seed 3", NULL},
        {"describe -c 7 -l 0.5 good.yaml", 0, "worms created in 7 cycles", NULL},
        {"describe good.yaml --rtl", 0, "Kind=0", NULL},
        {"describe --rtl=1 good.yaml", 2, NULL, "doesn't allow an argument"},
        {"describe --set good.yaml", 2, NULL, "a scenario file is missing"},
        {"run -- --help", 2, NULL, "--help: "},
        {"run -t", 2, NULL, "requires an argument"},
        {"run --shuffle 18446744073709551616 good.yaml", 2, NULL, "from 0 to 18446744073709551615"},
        {"sweep --workers 0 good.yaml", 2, NULL, "'0' is not a number from 1 to 1024"},
        {"sweep --workers 1025 good.yaml", 2, NULL, "'1025' is not a number from"},
        {"cdg", 2, NULL, "a scenario file is missing"},
        {"cdg good.yaml good.yaml", 2, NULL, "one scenario, please"},
        {"check", 2, NULL, "a trace file is missing"},
        {"trace show a b", 2, NULL, "one trace, please"},
        {"trace diff a", 2, NULL, "two traces, please"},
        {"trace convert a b c", 2, NULL, "two files, please"},
        {"trace fly", 2, NULL, "unknown trace command 'fly'"},
        {"trace help", 0, "Usage: annelid trace COMMAND", NULL},
        {"describe $(yes -- -s1 | head -n 64) good.yaml", 0, "seed 1", NULL},
        {"describe $(yes -- -s1 | head -n 65) good.yaml", 2, NULL, "too many settings"},
        {"describe --set run.seed=$(printf %0247d 7) good.yaml", 2, NULL, "setting is too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect(cases[i].arguments, cases[i].status, cases[i].on_stdout, cases[i].on_stderr);
}

static void run_tells_what_happened(void **state)
{
    (void)state;
    expect("run good.yaml", 0, "latency     mean", NULL);
    expect("run --digest --referee good.yaml", 0, "no rule broken", NULL);
    expect("run --json good.yaml", 0, "\"end\": \"complete\"", NULL);
    expect("run stall.yaml", 1, "stalled after", NULL);
    expect("run --seed 3 stall.yaml", 1, "why         annelid worms --set run.seed=3 stall.yaml",
           NULL);
    expect("run --json stall.yaml", 1, "\"end\": \"stalled\"", NULL);
    expect("run missing.yaml", 2, NULL, "missing.yaml");
    expect("run bad.yaml", 2, NULL, "bad.yaml:2:");
    expect("run --seed -1 good.yaml", 2, NULL, "-1");
    expect("run --load 1.5 good.yaml", 2, NULL, "1.5");
    expect("run good.yaml good.yaml", 2, NULL, "one scenario");
}

static void traces_are_written_whole_or_not_at_all(void **state)
{
    (void)state;
    expect("run --trace t.anlt good.yaml", 0, NULL, NULL);
    expect("run --trace t.txt good.yaml", 0, NULL, NULL);
    assert_true(exists("t.anlt") && exists("t.txt"));
    expect("run --trace nowhere/t.anlt good.yaml", 2, NULL, "nowhere/t.anlt");
    expect("run --trace u.anlt bad.yaml", 2, NULL, "bad.yaml:2:");
    assert_false(exists("u.anlt") || exists("u.anlt.tmp"));

    expect("trace diff t.anlt t.txt", 0, "Same", NULL);
    expect("run --seed 6 --trace other.anlt good.yaml", 0, NULL, NULL);
    expect("trace diff t.anlt other.anlt", 1, "cycle", NULL);
    expect("trace convert t.anlt back.txt", 0, NULL, NULL);
    expect("trace diff back.txt t.txt", 0, "Same", NULL);
    expect("trace show --worm 0 t.anlt", 0, "inject", NULL);
    expect("trace show noise.anlt", 2, NULL, "noise.anlt");
}

static void nothing_but_files_is_replaced_by_a_trace(void **state)
{
    (void)state;
    char path[128];
    struct stat there;
    snprintf(path, sizeof path, "%s/pipe", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect("run --trace pipe good.yaml", 2, "", "pipe: cannot write: not an ordinary file");
    expect("run --trace . good.yaml", 2, NULL, ".: cannot write: not an ordinary file");
    assert_true(stat(path, &there) == 0 && S_ISFIFO(there.st_mode));
}

static void output_that_gets_lost_is_an_error(void **state)
{
    (void)state;
    expect("run --trace full.anlt good.yaml", 0, NULL, NULL);
    static const char *const commands[] = {"--help",
                                           "run good.yaml",
                                           "worms good.yaml",
                                           "check full.anlt",
                                           "trace show full.anlt",
                                           "describe --keys",
                                           "trace digest full.anlt",
                                           "trace diff full.anlt full.anlt"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char output[1024];
        assert_int_equal(run(commands[i], "2>&1 >/dev/full", output, sizeof output), 2);
        assert_non_null(strstr(output, "annelid: cannot print: "));
    }
}

// An interrupted run leaves nothing, and does not go on for a million cycles of a large network.
static void an_interrupt_is_obeyed(void **state)
{
    (void)state;
    write_file("large.yaml", "network: {topology: mesh, k: 512, n: 2}\n"
                             "traffic: {load: 0.5, length: 64}\nrun: {cycles: 1000000}\n");
    expect_interrupted("run --trace i.anlt large.yaml", "-s i.anlt.*.tmp");
    expect_shell("grep -q 'interrupted, nothing is written' said");
    assert_false(remains("i.anlt"));
}

static void traces_carry_what_was_set(void **state)
{
    (void)state;
    expect("run --load 0.1 --set switch.depth=2 --trace w.txt good.yaml", 0, NULL, NULL);
    expect("trace show w.txt", 0, NULL, NULL);
    expect("run --load 0.1 --cycles 100 --set switch.depth=2 --trace w.anlt good.yaml", 0, NULL,
           NULL);
    expect("trace diff w.txt w.anlt", 1, "cycle", NULL);
    expect("run --cycles 2000000 good.yaml", 2, NULL, "max_cycles");
    expect("run --set switch.depht=2 good.yaml", 2, NULL, "depth");
    expect("run --set switch.depth good.yaml", 2, NULL, "depth");

    char line[256], path[128];
    bool depth_seen = false, load_seen = false;
    snprintf(path, sizeof path, "%s/w.txt", directory);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, "| ", 2) != 0) continue;
        depth_seen |= strstr(line, "depth: 2") != NULL;
        load_seen |= strstr(line, "load: 0.1") != NULL;
    }
    fclose(file);
    assert_true(depth_seen && load_seen);
}

static void check_judges(void **state)
{
    (void)state;
    expect("run --trace c.txt good.yaml", 0, NULL, NULL);
    expect("check c.txt", 0, "no rule broken", NULL);
    expect("run --trace s.anlt stall.yaml", 1, NULL, NULL);
    expect("check s.anlt", 1, "undelivered", NULL);
    expect("check --incomplete s.anlt", 0, "no rule broken", NULL);
    expect("check noise.anlt", 2, NULL, "noise.anlt");
    expect("check missing.anlt", 2, NULL, "missing.anlt");
}

// The trace of a program that knows no digest; what the referee says of it does not change.
static void check_accepts_any_digest_if_asked(void **state)
{
    (void)state;
    expect("run --trace d.txt good.yaml", 0, NULL, NULL);
    expect_shell("sed -E 's/^(end .*) [0-9a-f]{16}$/\\1 0000000000000000/' d.txt > zero.txt");
    expect("check zero.txt", 2, NULL, "digest 0000000000000000; expected");
    expect("check --no-digest zero.txt", 0, "no rule broken", NULL);
    expect("check --no-digest d.txt", 0, "no rule broken", NULL);
    expect_shell("sed -E 's/^(end [0-9]+ [0-9]+)/\\10/' zero.txt > more.txt");
    expect("check --no-digest more.txt", 2, NULL, "end counts");
    expect("run --trace e.txt stall.yaml", 1, NULL, NULL);
    expect_shell("sed -E 's/^(end .*) [0-9a-f]{16}$/\\1 0000000000000000/' e.txt > stalls.txt");
    expect("check --no-digest stalls.txt", 1, "undelivered", NULL);
}

static void describe_describes(void **state)
{
    (void)state;
    expect("describe good.yaml", 0, "9 switches", NULL);
    expect("describe --rtl good.yaml", 0,
           "K=3 N=2 Kind=0 NumVcs=2 Depth=4 FlitW=32 Scan=1 Admission=0", NULL);
    expect("describe --keys", 0, "num_vcs", NULL);
    expect("describe bad.yaml", 2, NULL, "bad.yaml:2:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_is_told),
        cmocka_unit_test(arguments_are_read),
        cmocka_unit_test(run_tells_what_happened),
        cmocka_unit_test(traces_are_written_whole_or_not_at_all),
        cmocka_unit_test(nothing_but_files_is_replaced_by_a_trace),
        cmocka_unit_test(output_that_gets_lost_is_an_error),
        cmocka_unit_test(an_interrupt_is_obeyed),
        cmocka_unit_test(traces_carry_what_was_set),
        cmocka_unit_test(check_judges),
        cmocka_unit_test(check_accepts_any_digest_if_asked),
        cmocka_unit_test(describe_describes),
    };
    return cmocka_run_group_tests_name("cli", tests, prepare, remove_directory);
}
