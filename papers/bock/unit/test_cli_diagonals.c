// SPDX-License-Identifier: Apache-2.0
//
// Kind diagonals on the command line: runs, traces, descriptions, and the commands that refuse it.

#include "cli/unit_cli.h"

#define SLIDE(k, n, keys)                                                                          \
    "network: {topology: torus, k: " #k ", n: " #n "}\nswitch: {kind: diagonals, " keys            \
    "}\ntraffic: {process: batch, length: 1}\n"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("flat.yaml", SLIDE(8, 2, "a: 2, c: 2"));
    write_file("deep.yaml", SLIDE(8, 3, "a: 2, c: 4, rounds: paper"));
    write_file("least.yaml", SLIDE(8, 2, "a: 2, c: 4, rounds: least"));
    write_file("valiant.yaml", SLIDE(8, 2, "a: 2, c: 4, routing: valiant"));
    return 0;
}

static void a_run_is_traced(void **state)
{
    (void)state;
    expect("run --digest --trace flat.anlt flat.yaml", 0,
           "end         complete after 600 cycles\n"
           "worms       64 created, 64 delivered, 24 times one failed on its way\n",
           NULL);
    expect("run --digest flat.yaml", 0, "digest      702284e6f55cabb9\n", NULL);
    expect("run --json flat.yaml", 0, "\"failed\": 24", NULL);
    expect("trace digest flat.anlt", 0, "702284e6f55cabb9", NULL);
    expect("trace show flat.anlt", 0, "# torus, k 8, n 2, sliding diagonals\n", NULL);
    expect("run valiant.yaml", 0, "64 created, 64 delivered", NULL);
}

// A worm that failed goes on, so that each worm has the cycle of its last delivery alone.
static void every_worm_is_delivered_once(void **state)
{
    (void)state;
    expect("trace worms -o worms.csv flat.anlt", 0, NULL, NULL);
    expect_shell("test $(grep '^[0-9]' worms.csv | cut -d, -f8 | grep -c '[0-9]') = 64");
    expect("run --worms run.csv flat.yaml", 0, NULL, NULL);
    expect_shell("grep '^[0-9]' worms.csv > a && grep '^[0-9]' run.csv > b && cmp a b");
}

static void descriptions_say_how_long_batches_take(void **state)
{
    (void)state;
    expect("describe deep.yaml", 0, "switch     sliding diagonals: a 2, b 1, c 4, rounds paper\n",
           NULL);
    expect("describe deep.yaml", 0,
           "batches    stages of 105 cycles, delivery 9, one every 210 cycles; one worm per "
           "terminal makes 8, 1689 cycles\n",
           NULL);
    expect("describe valiant.yaml", 0, "rounds short, by a random node\n", NULL);
}

static void commands_that_do_not_know_it_say_so(void **state)
{
    (void)state;
    static const char *const commands[] = {"cdg", "predict", "bounds", "worms", "draw -o x.svg"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char words[64];
        snprintf(words, sizeof words, "%s flat.yaml", commands[i]);
        expect(words, 2, NULL, "switch.kind is diagonals; this command expects buffered");
    }
    expect("describe --rtl deep.yaml", 2, NULL, "switch.kind is diagonals");
}

// A worm that was delivered says when; only how long it would take alone is not known here.
static void worms_are_told_one_by_one(void **state)
{
    (void)state;
    write_file("few.yaml", "network: {topology: torus, k: 8, n: 2}\n"
                           "switch: {kind: diagonals, a: 2, b: 1, c: 4}\n"
                           "traffic: {load: 0.001, length: 1}\nrun: {cycles: 2000}\n");
    expect_shell("$ANNELID run --worms w.csv few.yaml > said && grep '^[0-9]' w.csv > rows");
    expect_shell("[ -s rows ] && ! grep -vE '^([0-9]+,){9}.?$' rows");
    write_file("fly.yaml", "network: {topology: butterfly, k: 2, n: 4}\n"
                           "switch: {when_blocked: drop, num_vcs: 3}\n"
                           "traffic: {process: bursty, load: 0.15, length: [1, 6]}\n"
                           "run: {cycles: 3000}\n");
    // The deliveries of the file are those of the run, with its mean latency.
    expect_shell("$ANNELID run --worms w.csv --per class fly.yaml > said && "
                 "$ANNELID run --json fly.yaml > r.json && $PYTHON -c 'import csv, json; "
                 "r = json.load(open(\"r.json\")); rows = [one for one in open(\"w.csv\") if "
                 "one[0] != \"#\"]; [row] = csv.DictReader(rows); "
                 "assert int(row[\"delivered\"]) == r[\"delivered\"] > 0, row; "
                 "assert abs(float(row[\"latency\"]) - r[\"latency_mean\"]) < 1e-6, row'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_traced),
        cmocka_unit_test(every_worm_is_delivered_once),
        cmocka_unit_test(descriptions_say_how_long_batches_take),
        cmocka_unit_test(commands_that_do_not_know_it_say_so),
        cmocka_unit_test(worms_are_told_one_by_one),
    };
    return cmocka_run_group_tests_name("cli_diagonals", tests, prepare, remove_directory);
}
