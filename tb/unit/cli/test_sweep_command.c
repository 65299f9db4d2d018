// SPDX-License-Identifier: Apache-2.0
//
// `annelid sweep` as a person or a script meets it: the file is the same with any number of
// workers, interrupted or not; what is refused; and saturation where it is known.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    setenv("WORKERS", unit_slow_sample() ? "4" : "2 4 8", 1);
    setenv("LOADS", unit_slow_sample() ? "0.1,0.8" : "0.1:0.8:0.1", 1);
    write_file("mesh.yaml", "network: {topology: mesh, k: 4, n: 2}\n"
                            "traffic: {load: 0.1, length: [2, 8]}\nrun: {cycles: 1000}\n");
    write_file("long.yaml", UNIT_SLOWER > 1 ? "network: {topology: mesh, k: 4, n: 2}\n"
                                              "traffic: {length: 8}\nrun: {cycles: 2000}\n"
                                            : "network: {topology: mesh, k: 8, n: 2}\n"
                                              "traffic: {length: 8}\nrun: {cycles: 4000}\n");
    write_file("batch.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                             "traffic: {process: batch, worms_per_terminal: 3}\n");
    write_file(
        "stall.yaml",
        "network: {topology: unidirectional_torus, k: 4, n: 1, unsafe: true}\n"
        "switch: {routing: dimension_order, depth: 2}\n"
        "traffic: {process: batch, pattern: complement, worms_per_terminal: 8, length: 32}\n");
    write_file("one.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2}\n"
                           "traffic: {pattern: many_to_one, hotspot_terminal: 4, length: 4}\n"
                           "run: {cycles: 40000}\n");
    write_file("pair.yaml", "network: {topology: mesh, k: 2, n: 1}\n"
                            "traffic: {pattern: complement, length: 1}\nrun: {cycles: 20000}\n");
    write_file("transpose.yaml", "network: {topology: mesh, k: 6, n: 2}\nswitch: {num_vcs: 2}\n"
                                 "traffic: {pattern: transpose}\nrun: {cycles: 10000}\n");
    write_file("bursty.yaml", "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 4}\n"
                              "traffic: {process: bursty, length: [1, 8, 32], burst_cycles: 40}\n"
                              "run: {cycles: 20000}\n");
    write_file("ring.yaml", "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
                            "switch: {routing: dimension_order, depth: 1}\n"
                            "traffic: {length: 32}\nrun: {cycles: 5000}\n");
    write_file("bad.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 9}\n");
    return 0;
}

// --- one row a run ---

static void rows_are_those_asked_for(void **state)
{
    (void)state;
    expect("sweep mesh.yaml --loads 0.2,0.1 --seeds 3,1 --vary switch.arbiter=random,fixed "
           "--vary switch.depth=8,2 -o r.csv",
           0, "switch.arbiter random, switch.depth 8", NULL);
    expect_shell("grep -v '^#' r.csv | head -1 | grep -q "
                 "'^switch.arbiter,switch.depth,load,seed,state,end,cycles,"
                 "warmup,worms,offered,accepted,latency,latency_min,latency_p50,latency_p95,"
                 "latency_p99,latency_max,links.$'");
    expect_shell("test $(grep -vc '^#' r.csv) = 17 && ! grep -qv '\r$' r.csv");
    expect_shell("grep -v '^#' r.csv | cut -d, -f1-4 | tail -n +2 | tr '\\n' ' ' | grep -q '^"
                 "random,8,0.1,1 random,8,0.1,3 random,8,0.2,1 random,8,0.2,3 random,2,0.1,1 .*"
                 "fixed,2,0.2,1 fixed,2,0.2,3 $'");
    expect_shell("test -e r.csv && ! ls r.csv?* 2>/dev/null");
    expect("sweep mesh.yaml --seeds 2 -o own.csv", 0, "0.1   ", NULL);
    expect("sweep mesh.yaml --load 0.3 --seeds 2 -o own.csv", 0, "0.3   ", NULL);
    expect("sweep batch.yaml --seeds 2 -o batch.csv", 0, "2 steady", NULL);
    expect_shell("tail -1 batch.csv | grep -q '^,2,steady,complete,'");
    expect("sweep stall.yaml --seeds 2 -o stall.csv", 1, "2 stalled", NULL);
    expect_shell("tail -1 stall.csv | grep -q '^,2,stalled,stalled,'");
}

// Means and intervals are worked out from the rows: 12.706 is Student's t for two runs.
static void json_has_the_means_of_the_rows(void **state)
{
    (void)state;
    expect_shell("\"$ANNELID\" sweep mesh.yaml --loads 0.1,0.3 --seeds 2 --vary switch.depth=2,4 "
                 "--json -o j.csv > j.json");
    expect_shell(
        "$PYTHON -c 'import csv, json\n"
        "j = json.load(open(\"j.json\"))\n"
        "rows = list(csv.DictReader(l for l in open(\"j.csv\") if l[0] != \"#\"))\n"
        "assert len(j[\"points\"]) == 4 and \"depth\" not in j[\"scenario\"][\"switch\"]\n"
        "assert j[\"scenario\"][\"network\"][\"k\"] == 4 and \"saturation\" not in j\n"
        "for p in j[\"points\"]:\n"
        "  of = [r for r in rows if r[\"switch.depth\"] == "
        "p[\"variant\"][\"switch.depth\"] and float(r[\"load\"]) == p[\"load\"]]\n"
        "  assert sum(p[\"runs\"].values()) == len(of) == 2\n"
        "  for name in (\"accepted\", \"latency\", \"latency_p99\", \"links\"):\n"
        "    a, b = (float(r[name]) for r in of)\n"
        "    seen = p[name]\n"
        "    assert abs(seen[\"mean\"] - (a + b) / 2) < 1e-6 * a, (p, a, b)\n"
        "    assert abs(seen[\"half_width\"] - 12.706 * abs(a - b) / 2) < 1e-3 * a, (p, a, b)'");
    expect_shell("\"$ANNELID\" sweep mesh.yaml --set traffic.length=8 --find-saturation --seeds 2 "
                 "--tolerance 0.1 --json > f.json");
    expect_shell("$PYTHON -c 'import json\n"
                 "j = json.load(open(\"f.json\"))\n"
                 "assert \"points\" not in j and len(j[\"saturation\"]) == 1\n"
                 "assert 0 < j[\"saturation\"][0][\"load\"] < 1 and "
                 "j[\"saturation\"][0][\"seeds\"] == 2'");
}

static void values_are_quoted(void **state)
{
    (void)state;
    expect_shell(
        "mkdir -p 'a \"b\"' && echo '0 0 1 4' > 'a \"b\"/m' && printf 'network: {topology: "
        "mesh, k: 2, n: 1}\\ntraffic: {process: replay, messages: x}\\n' > replay.yaml");
    expect("sweep replay.yaml --vary 'traffic.messages=a \"b\"/m' --seeds 1 -o quoted.csv", 0,
           "a \"b\"/m", NULL);
    expect_shell("tail -1 quoted.csv | grep -q '^\"a \"\"b\"\"/m\",,1,steady,'");
}

// Each row is a run of `annelid run`.
static void digests_are_those_of_runs(void **state)
{
    (void)state;
    expect("sweep mesh.yaml --loads 0.2,0.9 --seeds 5-6 --digest -o d.csv", 0, NULL, NULL);
    expect_shell("for load in 0.2 0.9; do for seed in 5 6; do "
                 "digest=$($ANNELID run --load $load --seed $seed --set run.max_cycles=2000 "
                 "--digest mesh.yaml | sed -n 's/^digest *//p'); "
                 "test -n \"$digest\" && grep -q \"^$load,$seed,.*,$digest.$\" d.csv || exit 1; "
                 "done; done");
}

static void workers_do_not_matter(void **state)
{
    (void)state;
    expect_shell("for w in 1 $WORKERS; do $ANNELID sweep mesh.yaml --loads $LOADS --seeds 4 "
                 "--vary switch.num_vcs=1,2 --vary switch.arbiter=round_robin,random --digest "
                 "--workers $w -o w$w.csv > t$w.txt || exit 1; done; "
                 "for w in $WORKERS; do cmp w1.csv w$w.csv && cmp t1.txt t$w.txt || exit 1; done");
    assert_int_equal(shell("exit $(grep -vc '^#' w1.csv)"), unit_slow_sample() ? 33 : 129);
    expect_shell("for w in 1 4; do $ANNELID sweep mesh.yaml --find-saturation --points 5 --seeds 3 "
                 "--workers $w -o f$w.csv > u$w.txt || exit 1; done; "
                 "cmp f1.csv f4.csv && cmp u1.txt u4.txt");
}

// --- engines ---

// Makes the same sweep run by run and side by side, with different numbers of workers.
static void expect_equal_engines(const char *arguments)
{
    char command[1024];
    snprintf(command, sizeof command,
             "rm -f e[0-9]*; "
             "$ANNELID sweep %s --engine scalar -w 2 -o e1.csv > e1.txt; status=$?; n=1; "
             "for engine in %s; do n=$((n + 1)); "
             "$ANNELID sweep %s --engine ${engine%%-*} -w ${engine#*-} -o e$n.csv > e$n.txt; "
             "test $? = $status && cmp e1.csv e$n.csv && cmp e1.txt e$n.txt || exit 1; done; "
             "! test -e e1.saturation.csv || cmp e1.saturation.csv e2.saturation.csv",
             arguments, unit_slow_sample() ? "batch-3" : "batch-1 batch-3 auto-2", arguments);
    expect_shell(command);
}

static void engines_do_not_matter(void **state)
{
    (void)state;
    write_file("tree.yaml", "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 2}\n"
                            "traffic: {process: bursty, length: [1, 16]}\nrun: {cycles: 600}\n");
    write_file("fly.yaml", "network: {topology: butterfly, k: 4, n: 2}\n"
                           "traffic: {pattern: permutation, length: 4}\nrun: {cycles: 600}\n");
    write_file("long_worms.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                                  "traffic: {length: [4, 300]}\nrun: {cycles: 800}\n");
    expect_equal_engines("mesh.yaml --loads $LOADS --seeds 4 --digest "
                         "--vary switch.num_vcs=1,4 --vary switch.arbiter=round_robin,random");
    expect_equal_engines("mesh.yaml --set switch.num_vcs=2 --loads 0.1,0.3 --seeds 7 --vary "
                         "network.topology=mesh,torus --vary traffic.pattern=uniform,tornado");
    if (!unit_slow_sample())
        expect_equal_engines("mesh.yaml --find-saturation --points 2 --seeds 5 --tolerance 0.1 "
                             "--vary switch.num_vcs=1,2");
    expect_equal_engines("tree.yaml --loads 0.1,0.4,0.9 --seeds 4 -d "
                         "--vary switch.routing=up_down_fixed,up_down_random");
    expect_equal_engines("fly.yaml --loads 0.1,0.4,0.9 --seeds 5 -d");
    expect_equal_engines("batch.yaml --seeds 20 -d");
    // One run in two, for switches with adaptive routes, is made alone in any case.
    expect_equal_engines("mesh.yaml --loads 0.2 --seeds 10 -d "
                         "--vary switch.routing=west_first,dimension_order");
    expect_equal_engines("long_worms.yaml --loads 0.1,0.2 --seeds 8 -d");
    expect_equal_engines("stall.yaml --seeds 20 -d");
    expect("sweep mesh.yaml --engine quick -o q.csv", 2, NULL, "expected auto, scalar or batch");
}

// --- where rows come from ---

// The head of the file is the command that made it and all keys that are the same in all rows; the
// command gives the same file again, wherever it is written and by however many threads.
static void rows_say_where_they_come_from(void **state)
{
    (void)state;
    expect("sweep -w 2 -o origin.csv --vary switch.routing=west_first,dimension_order -s7 "
           "mesh.yaml",
           2, NULL, "seeds are what --seeds says");
    expect("sweep -w 2 -o origin.csv --vary switch.routing=west_first,dimension_order --loads 0.1 "
           "--seeds 2 -c 500 mesh.yaml",
           0, NULL, NULL);
    expect_shell(
        "tr -d '\r' < origin.csv > plain && sed -n 1p plain | grep -qx '# annelid [0-9.]*'");
    expect_shell("sed -n 2p plain | grep -qx '# annelid sweep --vary "
                 "switch.routing=west_first,dimension_order --loads 0.1 --seeds 2 --cycles 500 "
                 "mesh.yaml'");
    // Of the two routings one selects; what is not the same in all rows is left to the columns.
    expect_shell(
        "grep -q '^# switch: {kind: buffered, num_vcs: [0-9]*, classes: 1, "
        "class_weights: \\[1\\], depth: [0-9]*, flit_width_bits: 32, arbiter: "
        "round_robin, flow_control: wormhole, length_in_head: false, link: shared, link_cycles: "
        "1, stages: 1}$' plain");
    expect_shell("grep -q '^# run: {cycles: 500, warmup_cycles: 0, max_cycles: [0-9]*}$' plain");
    expect_shell("sed -n '2s/^# annelid/\"$ANNELID\"/p' plain > again && echo ' -w 1 -o again.csv' "
                 ">> again && tr -d '\n' < again | sh > /dev/null && cmp again.csv origin.csv");
    // The remarks are YAML, which gives a scenario again.
    expect_shell("sed -n 's/^# \\([a-z]*: {\\)/\\1/p' plain > again.yaml && "
                 "$ANNELID describe again.yaml > /dev/null");
    // A line's end in a name makes no line of its own without a mark.
    expect_shell("cp mesh.yaml 'two\nlines.yaml' && $ANNELID sweep --seeds 1 -o l.csv "
                 "'two\nlines.yaml' > /dev/null && grep -vc '^#' l.csv | grep -qx 2");
}

// --- interrupted ---

#define LONG "sweep long.yaml --loads 0.05:0.5:0.05 --seeds 6 --digest"

// Interrupts the command as soon as its journal has so many lines, and tries again if the command
// has ended before that was seen.
static void interrupt_at(const char *output, unsigned lines)
{
    char command[1024];
    snprintf(command, sizeof command,
             "for attempt in $(seq 50); do rm -f %s*; "
             "$ANNELID " LONG " --engine scalar -o %s > /dev/null 2> said.txt & pid=$!; "
             "while kill -0 $pid && [ $(cat %s.partial 2>/dev/null | wc -l) -lt %u ]; "
             "do sleep 0.01; done; "
             "kill -INT $pid; wait $pid; test $? = 2 && exit 0; done 2>/dev/null; exit 1",
             output, output, output, lines);
    expect_shell(command);
    snprintf(command, sizeof command,
             "grep -q 'runs are kept in %s.partial: the same command goes on' said.txt", output);
    expect_shell(command);
}

static void what_was_interrupted_goes_on(void **state)
{
    (void)state;
    only_command = quick_command;
    expect(LONG " -o whole.csv", 0, NULL, NULL);
    interrupt_at("i.csv", 8);
    assert_true(exists("i.csv.partial") && !exists("i.csv"));
    expect_shell("test $(wc -l < i.csv.partial) -lt 60 && test $(ls i.csv* | wc -l) = 1");
    interrupt_at("k.csv", 20);
    expect_shell("cp i.csv.partial cut.csv.partial && truncate -s -9 cut.csv.partial");
    expect(LONG " -o i.csv", 0, "6 steady", NULL);
    expect(LONG " -o k.csv --workers 3", 0, NULL, NULL);
    expect(LONG " -o cut.csv", 0, NULL, NULL);
    expect_shell("cmp i.csv whole.csv && cmp k.csv whole.csv && cmp cut.csv whole.csv");
    assert_false(exists("i.csv.partial") || exists("k.csv.partial") || exists("cut.csv.partial"));
    only_command = NULL;
}

// Runs side by side are kept as soon as they are over, too: those at low loads end before others.
static void a_batch_that_was_interrupted_goes_on(void **state)
{
    (void)state;
    only_command = quick_command;
#define BATCHES LONG " --engine batch --workers 1"
    expect(LONG " -o scalar.csv", 0, NULL, NULL);
    expect_shell("for attempt in $(seq 50); do rm -f b.csv*; "
                 "$ANNELID " BATCHES " -o b.csv > /dev/null 2> said.txt & pid=$!; "
                 "while kill -0 $pid && [ $(cat b.csv.partial 2>/dev/null | wc -l) -lt 4 ]; "
                 "do sleep 0.01; done; "
                 "kill -INT $pid; wait $pid; test $? = 2 && exit 0; done 2>/dev/null; exit 1");
    expect_shell("test $(wc -l < b.csv.partial) -lt 60");
    expect(BATCHES " -o b.csv", 0, "6 steady", NULL);
    expect_shell("cmp b.csv scalar.csv");
    only_command = NULL;
}

// A run that the journal has is not run again; its row is taken from the journal.
static void what_is_known_is_not_run_again(void **state)
{
    (void)state;
    only_command = sanitized_command;
    interrupt_at("j.csv", 12);
    expect_shell("cp j.csv.partial kept.partial");
    expect("sweep long.yaml --loads 0.05:0.5:0.05 --seeds 6 -o j.csv", 2, NULL,
           "--restart throws it away");
    expect(LONG " --cycles 3000 -o j.csv", 2, NULL, "--restart throws it away");
    expect(LONG " --vary switch.depth=2,4 -o j.csv", 2, NULL, "--restart throws it away");
    expect_shell("echo '# changed' >> long.yaml");
    expect(LONG " -o j.csv", 2, NULL, "j.csv.partial: left by a sweep of another scenario");
    expect_shell("sed -i '$d' long.yaml && cmp j.csv.partial kept.partial && test ! -e j.csv");

    expect_shell("sed '3s/steady/steadx/; 3s/sat/sax/' kept.partial > j.csv.partial");
    expect(LONG " -o j.csv", 2, NULL, "j.csv.partial:3: this line is damaged");
    expect(LONG " --restart -o j.csv", 0, NULL, NULL);
    assert_false(exists("j.csv.partial"));

    expect_shell("cp kept.partial more.csv.partial");
    expect("sweep long.yaml --loads 0.05 --seeds 1-2 --digest -o more.csv", 0, "2 steady", NULL);
    expect_shell("grep -v '^#' j.csv | head -3 > few && grep -v '^#' more.csv | cmp - few");
    only_command = NULL;
}

// A sweep that is interrupted before its first row leaves nothing.
static void an_early_interrupt_leaves_nothing(void **state)
{
    (void)state;
    expect_shell("{ $ANNELID sweep long.yaml --load 0.1 --cycles 100000000 --set "
                 "run.max_cycles=200000000 -o e.csv > said.txt 2>&1 & pid=$!; "
                 "while kill -0 $pid && [ ! -e e.csv.partial ]; do sleep 0.01; done; sleep 0.1; "
                 "kill -INT $pid; wait $pid; test $? = 2 && grep -q interrupted said.txt; }");
    assert_false(remains("e.csv"));
}

// The first sweep runs while the second one tries; if the first has ended too early, it tries
// again.
static void one_sweep_at_a_time(void **state)
{
    (void)state;
    expect_shell(
        "for attempt in $(seq 50); do "
        "$ANNELID " LONG " -o same.csv > /dev/null 2>&1 & pid=$!; "
        "while kill -0 $pid && [ ! -s same.csv.partial ]; do sleep 0.01; done; "
        "kill -STOP $pid; [ -e same.csv.partial ] || { wait $pid; rm same.csv; continue; }; "
        "$ANNELID " LONG " -o same.csv 2> said.txt; test $? = 2 || exit 1; "
        "kill -CONT $pid; wait $pid && grep -q 'another sweep' said.txt && "
        "cmp same.csv j.csv; exit; done; exit 1");
}

// --- refused ---

static void nonsense_is_refused(void **state)
{
    (void)state;
    const struct {
        const char *arguments, *words;
    } cases[] = {
        {"", "a scenario file is missing"},
        {"mesh.yaml", "-o FILE is missing"},
        {"mesh.yaml bad.yaml -o n.csv", "one scenario"},
        {"missing.yaml -o n.csv", "missing.yaml"},
        {"bad.yaml -o n.csv", "bad.yaml:2:"},
        {"mesh.yaml --loads 0.1:2:0.1 -o n.csv", "'0.1:2:0.1'"},
        {"mesh.yaml --loads 0.1,0.1 -o n.csv", "twice"},
        {"mesh.yaml --seeds 0 -o n.csv", "'0'"},
        {"mesh.yaml --seeds many -o n.csv", "'many'"},
        {"mesh.yaml --seed 3 -o n.csv", "--seeds"},
        {"mesh.yaml --vary switch.depth -o n.csv", "SECTION.KEY=A,B,C"},
        {"mesh.yaml --vary switch.depth=1,99 -o n.csv", "99"},
        {"mesh.yaml --vary switch.depht=1,2 -o n.csv", "depht"},
        {"mesh.yaml --vary switch.depth=1 --vary switch.depth=2 -o n.csv", "varied twice"},
        {"mesh.yaml --set switch.depth=4 --vary switch.depth=1,2 -o n.csv",
         "switch.depth is varied by --vary and set to one value"},
        {"mesh.yaml --vary switch.num_vcs=1,2 --vary switch.lanes=4,8 -o n.csv", "varied twice"},
        {"mesh.yaml --set switch.lanes=4 --vary switch.num_vcs=1,2 -o n.csv",
         "switch.num_vcs is varied by --vary and set to one value"},
        {"mesh.yaml --set switch.num_vcs=4 --vary switch.lanes=1,2 -o n.csv",
         "switch.num_vcs is varied by --vary and set to one value"},
        {"mesh.yaml --vary run.random_seed=1,2 -o n.csv", "--seeds"},
        {"mesh.yaml --set run.random_seed=7 -o n.csv", "--seeds"},
        {"mesh.yaml --vary switch.arbiter=rr,rotating -o n.csv", "a value is there twice"},
        {"mesh.yaml --vary traffic.length=4,[4] -o n.csv", "a value is there twice"},
        {"mesh.yaml --vary run.cycles=100,200 -c 300 -o n.csv", "run.cycles is varied"},
        {"mesh.yaml --vary run.seed=1,2 -o n.csv", "--seeds"},
        {"mesh.yaml --workers 0 -o n.csv", "'0'"},
        {"mesh.yaml --points 5 -o n.csv", "--points has no effect without --find-saturation"},
        {"mesh.yaml --find-saturation --points 5", "-o FILE"},
        {"mesh.yaml --set run.max_cycles=500 --seeds 1 -o n.csv", "at most max_cycles, 500"},
        {"mesh.yaml --find-saturation --points 5 --loads 0.1 -o n.csv",
         "--points has no effect with --loads"},
        {"mesh.yaml --find-saturation --load 0.1", "--load"},
        {"mesh.yaml --tolerance 0 --find-saturation", "--tolerance"},
        {"batch.yaml --loads 0.1 -o n.csv", "process batch has no load"},
        {"batch.yaml --find-saturation", "process batch has no load"},
        {"mesh.yaml --load 0.1234567891 -o n.csv", "nine decimals"},
        {"mesh.yaml --seeds 1 -o mesh.yaml", "mesh.yaml"},
        {"mesh.yaml --seeds 1 -o nowhere/n.csv", "nowhere/n.csv"},
        {"mesh.yaml --seeds 1 -o .", ".: cannot write"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "sweep %s", cases[i].arguments);
        expect(arguments, 2, NULL, cases[i].words);
    }
    assert_false(remains("n.csv") || remains("mesh.yaml."));
    expect_shell("echo precious > p.csv.partial");
    expect("sweep mesh.yaml --seeds 1 --restart -o p.csv", 2, NULL, "this is no journal");
    expect_shell("grep -q precious p.csv.partial");
    expect("sweep --help", 0, "--find-saturation", NULL);
}

// A terminal cannot create more than a flit a cycle, whatever the load asks of its rate.
static void saturation_beyond_the_rates_is_told(void **state)
{
    (void)state;
    write_file("rates.csv", "terminal,rate\n0,0\n8,0.5\n");
    write_file("rates.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 2}\n"
                             "traffic: {pattern: uniform, rates: rates.csv}\n"
                             "run: {cycles: 500}\n");
    expect("sweep rates.yaml --find-saturation --seeds 1 -o r.csv", 0,
           "Saturation was looked for above load 0.1111", NULL);
    expect_shell("rm rates.yaml rates.csv");
}

// --- saturation ---

// Reads the load and its half interval in the last line of the table.
static void expect_saturation(const char *arguments, double least, double most)
{
    char output[4096];
    double load = 0, half = 0;
    if (run(arguments, "2>/dev/null", output, sizeof output)) fail_msg("annelid %s", arguments);
    const char *line = strchr(output, '\n');
    if (!line || sscanf(line, " %lf ± %lf", &load, &half) != 2) fail_msg("%s", output);
    if (load < least || load > most || half > 0.05 * most)
        fail_msg("annelid %s: %f ± %f, expected %f to %f", arguments, load, half, least, most);
}

// Nine terminals send to one, which takes a flit in every cycle: saturation is at 1/9, and the
// search finds it to 2 % (docs/sweep.md).
static void saturation_is_where_it_must_be(void **state)
{
    (void)state;
    unit_leave_out();
    expect_saturation("sweep one.yaml --find-saturation --seeds 8", 0.111, 0.1135);
    expect("sweep one.yaml --find-saturation --seeds 3 --points 4 -o pts.csv", 0, "0.0", NULL);
    expect_shell("test $(grep -vc '^#' pts.csv) = 13 && ! grep -q stalled pts.csv");
    expect_shell("tail -1 pts.csv | grep -qE '^0\\.1(09|10|11)'");
}

// What files say is named for each variant where it differs, and long paths that end alike are told
// apart.
static void variants_of_files_are_told_apart(void **state)
{
    (void)state;
    write_file("triangle.yaml",
               "switches: 3\nterminals: [0, 1, 2]\nlinks: [[0, 1], [1, 2], [2, 0]]\n");
    write_file("line.yaml", "switches: 3\nterminals: [0, 1, 2]\nlinks: [[0, 1], [1, 2]]\n");
    write_file("net.yaml", "network: {topology: graph, graph: triangle.yaml}\n"
                           "traffic: {load: 0.1}\nrun: {cycles: 300}\n");
    expect_shell(
        "a=a-long-name-of-a-folder/with-more b=b-long-name-of-a-folder/with-more; "
        "mkdir -p $a $b && cp triangle.yaml $a/some-network.yaml && "
        "cp line.yaml $b/some-network.yaml && $ANNELID sweep net.yaml --seeds 1 -o far.csv "
        "--vary network.graph=$a/some-network.yaml,$b/some-network.yaml > told && "
        "grep -o '#[0-9a-f]*' told | sort -u | wc -l | grep -qx 2 && "
        "$ANNELID plot -o far.svg far.csv && "
        "grep -o 'yaml#[0-9a-f]*' far.svg | sort -u | wc -l | grep -qx 2 && "
        "grep -q \"^# graph_xxh3: .* of network.graph=$b/some-network.yaml\" far.csv");
    expect_shell("$ANNELID sweep net.yaml --seeds 1 -o near.csv --vary "
                 "network.graph=triangle.yaml,line.yaml --vary switch.num_vcs=1,2 > told && "
                 "grep -q 'network.graph line.yaml, switch.num_vcs 2  ' told && "
                 "test $(grep -c '^# graph_xxh3: ' near.csv) = 4 && "
                 "test $(grep '^# graph_xxh3: ' near.csv | cut -d' ' -f3 | sort -u | wc -l) = 2");
    // The table of a graph is a part of its content, and depends on the lanes.
    expect_shell("$ANNELID describe --graph tabled.yaml net.yaml && "
                 "sed -i 's/, 0-0\\]/, all]/; s/, 0\\]$/, all]/' tabled.yaml && "
                 "$ANNELID sweep net.yaml --seeds 1 -o lanes.csv --set network.graph=tabled.yaml "
                 "--set switch.routing=table --vary switch.num_vcs=1,2 --set network.unsafe=true "
                 "> told && "
                 "test $(grep '^# graph_xxh3: ' lanes.csv | cut -d' ' -f3 | sort -u | wc -l) = 2");
    expect_shell("$ANNELID sweep net.yaml --seeds 1 -o same.csv --vary switch.depth=2,4 > told && "
                 "grep '^# graph_xxh3: ' same.csv | grep -vc of | grep -qx 1");
}

// Under transpose the busiest link of a row of 6 carries 5 flows. Beyond its ceiling the two
// farthest terminals behind it starve, and those of the mirror image, before 1 % of all flits are
// left behind.
static void flows_are_named_that_starve_first(void **state)
{
    (void)state;
    unit_leave_out();
    expect_shell("$ANNELID sweep transpose.yaml --find-saturation --seeds 2 > flows.txt");
    expect_shell("grep -q 'ceiling  first flow' flows.txt");
    expect_shell(
        "awk 'NR == 2 { exit !($1 > $5 && $5 == 0.2 && $6 <= $5 && $6 > 0.19) }' flows.txt");
    expect_shell("grep -q '4 of 36 terminals starve: 4 5 30 31$' flows.txt");
}

// Switches, lanes and links change nothing of what a link carries, but wide ones carry a flit for
// each lane. Where no flow is unstable at the saturation load the first flow is above it.
static void ceilings_and_flows_are_told_where_they_can_be(void **state)
{
    (void)state;
    static const struct {
        const char *settings, *condition;
    } cases[] = {
        {"switch.flow_control=store_and_forward", "$5 == 0.2 && $6 > 0.1 && $6 <= $5"},
        {"switch.link_cycles=2", "$5 == 0.2 && $6 > 0.18 && $6 <= $5"},
        {"switch.stages=2", "$5 == 0.2 && $6 > 0.18 && $6 <= $5"},
        {"switch.classes=2", "$5 == 0.2 && $6 > 0.18 && $6 <= $5"},
        {"switch.link=wide", "$5 == 0.4 && $6 > 0.36 && $6 <= $5"},
        {"switch.routing=valiant", "$5 == \"-\" && $6 > 0.1"},
        {"traffic.pattern=uniform --set run.cycles=1000", "$5 > 0.5 && $6 >= $1 && $6 <= $5"},
    };
    unit_leave_out();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "$ANNELID sweep transpose.yaml --find-saturation --seeds 2 --set "
                 "switch.depth=8 --set %s | awk 'NR == 2 { good = %s } END { exit !good }'",
                 cases[i].settings, cases[i].condition);
        expect_shell(command);
    }
}

// Each terminal has links of its own and worms have one flit, so no worm ever waits.
static void what_never_saturates_says_so(void **state)
{
    (void)state;
    expect("sweep pair.yaml --find-saturation --seeds 3", 0, "not up to load 1", NULL);
    expect("sweep pair.yaml --find-saturation --seeds 3", 0, "3 not up to load 1", NULL);
}

static void stalls_are_told(void **state)
{
    (void)state;
    expect("sweep ring.yaml --find-saturation --seeds 3 -o ring.csv", 1, "3 stalled", NULL);
    expect_shell("! test -e ring.csv && cut -d, -f3-5 ring.saturation.csv | tail -1 | "
                 "grep -q '^3,0,3$'");
}

// At low loads the backlog of bursts may grow by chance in a run of five. The network accepts 0.53.
static void a_false_alarm_misleads_no_search(void **state)
{
    (void)state;
    unit_leave_out();
    const char *const command = unit_share() > 1 ? "sweep bursty.yaml --find-saturation --seeds 5"
                                                 : "sweep bursty.yaml --find-saturation --seeds 10";
    char output[4096];
    double load = 0, half = 0;
    assert_int_equal(run(command, "2>/dev/null", output, sizeof output), 0);
    assert_int_equal(sscanf(strchr(output, '\n'), " %lf ± %lf", &load, &half), 2);
    if (load < 0.46 || load > 0.56) fail_msg("%s", output);
    assert_non_null(strstr(output, "Too noisy"));
}

static void what_was_found_is_kept(void **state)
{
    (void)state;
    expect_shell("echo mine > kept.saturation.csv");
    expect("sweep mesh.yaml --find-saturation -o kept.csv", 2, NULL,
           "kept.saturation.csv: is there and is not replaced");
    expect_shell(
        "grep -qx mine kept.saturation.csv && rm kept.saturation.csv && ! test -e kept.csv");
    expect("sweep mesh.yaml --find-saturation --points 2 --seeds 2 --vary switch.depth=2,8 "
           "--tolerance 0.05 -o kept.csv",
           0, "without its bias", NULL);
    expect_shell(
        "grep -v '^#' kept.saturation.csv > found.csv && grep -v '^#' kept.csv > rows.csv && "
        "test $(wc -l < found.csv) = 3 && head -1 found.csv | grep -q "
        "'^switch.depth,saturation,half_width,seeds,unreached,stalled,tolerance,cycles,"
        "rows_xxh3,program,command.$'");
    expect_shell("tail -1 kept.saturation.csv | grep -Eq '^8,0\\.[0-9]+,0\\.[0-9]+,2,0,0,0.05,1000,"
                 "[0-9a-f]{16},annelid [0-9.]+,\"annelid sweep --find-saturation .*mesh.yaml'");
    // The highest load of the rows is 98 % of the saturation found.
    expect_shell("$PYTHON -c 'import csv\n"
                 "found = {r[\"switch.depth\"]: float(r[\"saturation\"])"
                 " for r in csv.DictReader(open(\"found.csv\"))}\n"
                 "for r in csv.DictReader(open(\"rows.csv\")):\n"
                 "    part = float(r[\"load\"]) / found[r[\"switch.depth\"]]\n"
                 "    assert abs(part - 0.98) < 1e-3 or abs(part - 0.735) < 1e-3, r'");
    expect("sweep mesh.yaml --find-saturation --seeds 1 --tolerance 0.1 -o only", 0, NULL, NULL);
    expect_shell("! test -e only && test -e only.saturation.csv && ! test -e only.partial");
}

// --- more than a run has ---

static void sweeps_may_be_long(void **state)
{
    (void)state;
    expect("sweep pair.yaml --load 0.0001 --cycles 2000000 --seeds 1 -o long.csv", 0, "1 steady",
           NULL);
    expect("sweep pair.yaml --loads 0,0.1 --seeds 2 --cycles 500 -o zero.csv", 0,
           "2 of them measured no worm", NULL);
    expect("sweep mesh.yaml --vary 'traffic.length=[1,8],4' --seeds 1 -o lists.csv", 0,
           "traffic.length [1,8]", NULL);
    expect_shell("grep -q '^\"\\[1,8\\]\",0.1,1,' lists.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_asked_for),
        cmocka_unit_test(json_has_the_means_of_the_rows),
        cmocka_unit_test(values_are_quoted),
        cmocka_unit_test(digests_are_those_of_runs),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(engines_do_not_matter),
        cmocka_unit_test(rows_say_where_they_come_from),
        cmocka_unit_test(what_was_interrupted_goes_on),
        cmocka_unit_test(a_batch_that_was_interrupted_goes_on),
        cmocka_unit_test(what_is_known_is_not_run_again),
        cmocka_unit_test(an_early_interrupt_leaves_nothing),
        cmocka_unit_test(one_sweep_at_a_time),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(saturation_beyond_the_rates_is_told),
        cmocka_unit_test(saturation_is_where_it_must_be),
        cmocka_unit_test(variants_of_files_are_told_apart),
        cmocka_unit_test(flows_are_named_that_starve_first),
        cmocka_unit_test(ceilings_and_flows_are_told_where_they_can_be),
        cmocka_unit_test(what_never_saturates_says_so),
        cmocka_unit_test(stalls_are_told),
        cmocka_unit_test(a_false_alarm_misleads_no_search),
        cmocka_unit_test(what_was_found_is_kept),
        cmocka_unit_test(sweeps_may_be_long),
    };
    return cmocka_run_group_tests_name("sweep_command", tests, prepare, remove_directory);
}
