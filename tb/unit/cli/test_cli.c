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
    expect("fly", 2, NULL, "unknown command 'fly'\nUsage: annelid COMMAND");
    expect("help", 0, "Usage: annelid COMMAND", NULL);
    expect("help run", 0, "Usage: annelid run", NULL);
    expect("help trace", 0, "Usage: annelid trace COMMAND", NULL);
    expect("help trace show", 0, "Usage: annelid trace show", NULL);
    expect("help nonsense", 2, "", "annelid: unknown command 'nonsense'\n");
    expect("help trace nonsense", 2, "", "annelid: unknown trace command 'nonsense'\n");
    expect("rnu", 2, "", "annelid: unknown command 'rnu'; did you mean run?\n");
    expect("trace shwo a", 2, "", "unknown trace command 'shwo'; did you mean show?\n");
    expect("run --sed 3 a", 2, "",
           "annelid run: unrecognized option '--sed'; did you mean --set or --seed?\n");
    expect("sweep -o --lods --lods=0.1 a", 2, "", "option '--lods'; did you mean --loads?\n");
    expect("run -- --sed", 2, "", "--sed: No such file");
#define MACHINE(kind, name)
#define COMMAND(name, what) #name,
    static const char *const commands[] = {
#include "cmodel/cli/shared/commands.inc"
#include "parts.inc"
    };
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
        {"describe good.yaml --rtl", 0, "Topology=0", NULL},
        {"describe --rtl=1 good.yaml", 2, NULL, "doesn't allow an argument"},
        {"describe --set switch.routing=valiant good.yaml", 0, "routing valiant", NULL},
        {"describe --set switch.routing=valiant --rtl good.yaml", 2, NULL, "the RTL has not"},
        {"describe --set switch.routing=valiant --graph x.yaml good.yaml", 2, NULL, "may go by"},
        {"rtl --set switch.routing=valiant -o x good.yaml", 2, NULL, "the RTL has not"},
        {"predict --set switch.routing=valiant good.yaml", 2, NULL, "routing valiant: the model"},
        {"cdg --set switch.routing=valiant good.yaml", 0, "acyclic", NULL},
        {"run --referee --set switch.routing=valiant good.yaml", 0, "no rule broken", NULL},
        {"describe --set good.yaml", 2, NULL, "a scenario file is missing"},
        {"run -- --help", 2, NULL, "--help: "},
        {"run -t", 2, NULL, "requires an argument"},
        {"run --shuffle 18446744073709551616 good.yaml", 2, NULL, "from 1 to 18446744073709551615"},
        {"sweep --workers 0 good.yaml", 2, NULL, "'0' is not a number from 1 to 1024"},
        {"sweep --workers 1025 good.yaml", 2, NULL, "--workers: '1025' is not a number from 1 to"},
        {"worms --top 0 good.yaml", 2, NULL, "--top: '0' is not a number from 1 to 10000"},
        {"run ''", 2, NULL, "the name of a file is empty"},
        {"run --trace '' good.yaml", 2, NULL, "the name of a file is empty"},
        {"rtl -o '' good.yaml", 2, NULL, "the name of a file is empty"},
        {"worst -B 1 -M 4 -o -", 2, NULL, "--output -: expected a name that ends in .yaml"},
        {"bounds --delayed good.yaml", 2, NULL, "good.yaml: the delayed-greedy algorithm sends"},
        {"describe --graph x.yaml --set network.k=300 good.yaml", 2, NULL,
         "good.yaml: found 90000 switches, expected 1..65536"},
        {"cdg --set network.k=300 good.yaml", 2, NULL,
         "good.yaml: found 90000 switches and 90000 terminals, expected a product of at most"},
        {"colour --method refinement --colours 3 good.yaml", 2, NULL,
         "--colours has no effect without --method moser_tardos"},
        {"draw -o x.svg --at 1e3 good.yaml", 2, NULL, "is not a number from 0 to "},
        {"draw -o x.svg --at 1e3 good.yaml", 2, NULL, "; write 1000"},
        {"run -c 2e2 good.yaml", 2, NULL, "(cycles), such as 10000; write 200"},
        {"cdg", 2, NULL, "a scenario file is missing"},
        {"cdg good.yaml good.yaml", 2, NULL, "one scenario, please"},
        {"check", 2, NULL, "a trace file is missing"},
        {"trace show a b", 2, NULL, "one trace, please"},
        {"trace show --from 3 --to 2 a", 2, NULL, "--from 3 is after --to 2"},
        {"trace diff a", 2, NULL, "two traces, please"},
        {"trace convert a b c", 2, NULL, "two files, please"},
        {"trace fly", 2, NULL, "unknown trace command 'fly'"},
        {"trace help", 0, "Usage: annelid trace COMMAND", NULL},
        {"describe $(yes -- -s1 | head -n 64) good.yaml", 0, "seed 1", NULL},
        {"describe $(yes -- -s1 | head -n 65) good.yaml", 2, NULL, "too many settings"},
        {"describe --set run.seed=$(printf %0247d 7) good.yaml", 2, NULL, "setting is too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (is_built(cases[i].arguments) || cases[i].arguments[0] == '-')
            expect(cases[i].arguments, cases[i].status, cases[i].on_stdout, cases[i].on_stderr);
}

// An option that changes nothing beside the others is refused.
static void options_without_effect_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *complaint;
    } cases[] = {
        {"run --per worm good.yaml", "--per has no effect without --worms"},
        {"run --every 10 good.yaml", "--every has no effect without --checkpoint"},
        {"run --restart good.yaml", "--restart has no effect without --checkpoint"},
        {"run --checkpoint c good.yaml", "--checkpoint FILE needs --every N"},
        {"run --shuffle 0 good.yaml", "from 1 to 18446744073709551615"},
        {"worms --map good.yaml", "--map has no effect without --at"},
        {"worms --map --at 3 --json good.yaml", "--map has no effect with --json"},
        {"worms --map --at 3 --stalls - good.yaml", "--map has no effect with --stalls -"},
        {"worms --worm 0 --stalls - good.yaml", "--worm has no effect with --stalls -"},
        {"worms --top 3 --stalls - good.yaml", "--top has no effect with --stalls -"},
        {"worms --by waited --stalls - good.yaml", "--by has no effect with --stalls -"},
        {"worms --top 3 --worm 0 good.yaml", "--top has no effect with --worm"},
        {"worms --by stall --worm 0 good.yaml", "--by has no effect with --worm"},
        {"sweep --tolerance 0.1 -o n.csv good.yaml",
         "--tolerance has no effect without --find-saturation"},
        {"sweep --points 3 -o n.csv good.yaml", "--points has no effect without --find-saturation"},
        {"sweep --digest --find-saturation good.yaml",
         "--digest has no effect with --find-saturation"},
        {"sweep --restart --find-saturation good.yaml", "--restart has no effect without --output"},
        {"predict --seeds 3 good.yaml", "--seeds has no effect without --compare"},
        {"predict --workers 3 good.yaml", "--workers has no effect without --compare"},
        {"schedule -n 4 -k 4 -p rotate --seed 3",
         "--seed has no effect without --permutation random, --order random, --search or --tries"},
        {"schedule -n 4 -k 4 --check s.csv -O longest", "--order has no effect with --check"},
        {"schedule -n 4 -k 4 --check s.csv --order-file o.csv",
         "--order-file has no effect with --check"},
        {"schedule -n 4 -k 4 --check s.csv --search 3", "--search has no effect with --check"},
        {"colour --resamples 3 good.yaml",
         "--resamples has no effect without --method moser_tardos or --method refinement"},
        {"colour --seed 3 -m first_fit good.yaml", "--seed has no effect without --method moser_"},
        {"colour --length 3 good.yaml", "good.yaml: --length has no effect"},
        {"worst -B 1 -M 4 -o w.yaml --interleaved", "--interleaved has no effect without --copies"},
        {"describe --keys --dot x.dot", "--dot has no effect with --keys"},
        {"describe --keys --seed 3", "--seed has no effect with --keys"},
        {"describe --keys good.yaml", "'good.yaml' has no effect with --keys"},
        {"rtl --ports links -o x.sv good.yaml", "--ports has no effect on the module of a graph"},
        {"signature --json --parameters good.yaml", "--json has no effect with --parameters"},
        {"worms --top 3 --top 4 good.yaml", "--top is given twice"},
        {"run -t a.txt --trace b.txt good.yaml", "--trace is given twice"},
        {"sweep --seeds 3 --seeds 4 -o n.csv good.yaml", "--seeds is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (is_built(cases[i].arguments)) expect(cases[i].arguments, 2, "", cases[i].complaint);
    static const char *const written[] = {"n.csv", "x.sv", "w.yaml", "x.dot", "a.txt", "b.txt"};
    for (size_t i = 0; i < sizeof written / sizeof *written; i++)
        assert_false(remains(written[i]));
    static const char *const fine[] = {
        "worms --top 3 --worm 0 --json good.yaml",
        "worms --by stall --worm 0 --at 3 good.yaml",
        "sweep --digest --find-saturation --loads 0.1 --seeds 1 -o n.csv good.yaml",
        "schedule -n 4 -k 4 -p rotate -O Random --seed 3",
        "colour --seed 3 -m refinement good.yaml",
        "describe --keys",
        "run --json --json good.yaml"};
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++)
        if (is_built(fine[i])) expect(fine[i], 0, NULL, NULL);
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

// Runs Python on the JSON of a run, as `r`.
static void expect_json(const char *arguments, const char *promise)
{
    char command[2048];
    snprintf(command, sizeof command,
             "\"$ANNELID\" run --json %s > r.json; $PYTHON -c 'import json\n"
             "r = json.load(open(\"r.json\"))\n%s'",
             arguments, promise);
    expect_shell(command);
}

// A pipe that a shell hands over can be read as often as a file, and a named one is refused where
// it is read more than once.
static void pipes_are_read_as_files(void **state)
{
    (void)state;
    static const char *const commands[] = {"run",
                                           "describe",
                                           "bounds",
                                           "cdg",
                                           "predict",
                                           "colour",
                                           "sweep -o p.csv --seeds 1",
                                           "worms",
                                           "draw -o p.svg",
                                           "plot -o p.svg",
                                           "check",
                                           "trace digest",
                                           "worms",
                                           "plot -o p.svg",
                                           "colour -B 1"};
    static const char *const inputs[] = {"good.yaml", "good.yaml", "good.yaml", "good.yaml",
                                         "good.yaml", "good.yaml", "good.yaml", "good.yaml",
                                         "good.yaml", "good.yaml", "g.trace",   "g.trace",
                                         "g.trace",   "g.csv",     "g.paths"};
    write_file("g.paths", "0 1\n1 2\n");
    expect_shell("$ANNELID run -t g.trace good.yaml > told && "
                 "$ANNELID sweep --seeds 1 -o g.csv good.yaml > told && mkfifo p.pipe");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[512];
        if (!is_built(commands[i])) continue;
        snprintf(command, sizeof command, "cat %s | $ANNELID %s /dev/fd/7 7<&0 > told", inputs[i],
                 commands[i]);
        expect_shell(command);
    }
    expect_shell("cat good.yaml | { $ANNELID sweep -o v.csv --seeds 1 --vary switch.depth=2,4 "
                 "/dev/fd/7 7<&0 > told && test $(grep -c complete v.csv) = 2; }");
    if (is_built("colour"))
        expect("colour p.pipe", 2, "", "p.pipe: is not an ordinary file; expected one");
    expect("predict p.pipe", 2, "", "p.pipe: is not an ordinary file; expected one");
    expect("trace show --from 999999 g.trace", 2, NULL,
           "g.trace: has no cycle 999999; expected 0..");
}

// What a hint names can be run: an input from a pipe is gone, and a file stands in its place.
static void hints_are_commands_that_work(void **state)
{
    (void)state;
    static const char *const given[] = {"stall.yaml",
                                        "--seed 3 'a stall.yaml'",
                                        "- < stall.yaml",
                                        "/dev/stdin < stall.yaml",
                                        "/dev/fd/5 5< stall.yaml",
                                        "-- -stall.yaml"};
    expect_shell("cp stall.yaml 'a stall.yaml'; cp stall.yaml ./-stall.yaml; cp stall.yaml SAVED");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        char command[1024];
        snprintf(command, sizeof command,
                 "$ANNELID run %s > told; test $? = 1 && why=$(sed -n 's/^why *annelid "
                 "//p' told | sed 's/ (SAVED: .*//') && eval \"$ANNELID $why\" > told < /dev/null; "
                 "test $? = 1 && more=$(sed -n 's/^ *annelid \\(plot .*\\) for what.*/\\1/p' told) "
                 "&& eval \"$ANNELID $more\" < /dev/null && test -s links.svg && rm links.svg",
                 given[i]);
        expect_shell(command);
    }
    expect("run --set switch.link_cycles=2 stall.yaml", 1,
           "why         annelid cdg --set switch.link_cycles=2 stall.yaml for the lanes that may "
           "wait for each other; annelid worms does not know links of several cycles\n",
           NULL);
    expect("cdg --set switch.link_cycles=2 stall.yaml", 1, "lane", NULL);
    expect("run - < stall.yaml", 1, "annelid worms SAVED (SAVED: a file with what was read", NULL);
    expect("worms - < stall.yaml", 1, "links.svg SAVED for what each link carries (SAVED: a", NULL);
}

// JSON of all commands but run has the same keys whatever is asked; null is what is not there.
static void keys_of_json_are_always_there(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
    } cases[] = {
        {"predict --json good.yaml --loads 0.01,0.9",
         "predict --json good.yaml --loads 0.1 --compare --seeds 2"},
        {"schedule --json -n 4 -k 2 -p rotate", "schedule --json -n 4 -k 2 -p rotate --tries 3"},
        {"schedule --json -n 2 -k 2 --check good.csv", "schedule --json -n 2 -k 2 --check bad.csv"},
        {"colour --json good.yaml", "colour --json -B 1 paths.txt"},
        {"bounds --json batch.yaml", "bounds --json --fixed batch.yaml"},
        {"bounds --json batch.yaml", "bounds --json --delayed batch.yaml"},
    };
    write_file("good.csv", "0,1,1\n3,2,1\n");
    write_file("bad.csv", "0,1,0\n1,1,0\n");
    write_file("bad.csv", "0,3,1\n1,2,1\n2,1,1\n3,0,1\n");
    write_file("paths.txt", "0 1\n1 2\n");
    write_file("batch.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                             "traffic: {process: batch, worms_per_terminal: 1, length: 2}\n");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[1024];
        if (!is_built(cases[i].one)) continue;
        snprintf(command, sizeof command,
                 "$ANNELID %s > one.json; $ANNELID %s > other.json; $PYTHON -c 'import json\n"
                 "one, other = (json.load(open(n)) for n in (\"one.json\", \"other.json\"))\n"
                 "assert set(one) == set(other), set(one) ^ set(other)\n"
                 "points = one.get(\"points\", []) + other.get(\"points\", [])\n"
                 "assert not points or all(set(p) == set(points[0]) for p in points), points'",
                 cases[i].one, cases[i].other);
        expect_shell(command);
    }
}

// JSON has what is known and where it comes from, and nothing that was not computed.
static void json_says_what_is_known(void **state)
{
    (void)state;
    write_file("empty.yaml", "network: {topology: mesh, k: 2, n: 1}\ntraffic: {load: 0}\n"
                             "run: {cycles: 10, warmup_cycles: 10}\n");
    expect_json("good.yaml", "assert \"digest\" not in r and \"rule_broken\" not in r, r");
    expect_json("--digest --referee good.yaml",
                "assert int(r[\"digest\"], 16) and r[\"rule_broken\"] == \"none\", r");
    expect_json("empty.yaml", "assert not [k for k in r if \"latency\" in k or \"load\" in k], r");
    expect_json("--seed 18446744073709551615 -l 0.25 -t t.anlt good.yaml",
                "assert r[\"program\"].startswith(\"annelid 0.\")\n"
                "assert r[\"command\"] == "
                "\"annelid run --seed 18446744073709551615 --load 0.25 good.yaml\", r\n"
                "assert r[\"seed\"] == \"18446744073709551615\"\n"
                "s = r[\"scenario\"]\n"
                "assert s[\"traffic\"] == {\"process\": \"bernoulli\", \"pattern\": "
                "\"uniform\", \"load\": 0.25, \"length\": [4], \"first_id\": 0}, s\n"
                "assert s[\"switch\"][\"num_vcs\"] == 2 and s[\"switch\"][\"depth\"] == 4, s\n"
                "assert s[\"network\"] == {\"topology\": \"mesh\", \"k\": 3, \"n\": 2, "
                "\"unsafe\": False}, s\n"
                "assert s[\"run\"][\"warmup_cycles\"] == 0, s");
    expect_json("good.yaml", "s = r[\"scenario\"][\"switch\"]\n"
                             "assert s[\"link_cycles\"] == 1 and s[\"stages\"] == 1, s");
    expect_json("stall.yaml", "assert \"load\" not in r[\"scenario\"][\"traffic\"]\n"
                              "assert r[\"scenario\"][\"network\"][\"unsafe\"] is True, r");
    // The hash of what the scenario says depends on its messages.
    write_file("m.yaml", "network: {topology: mesh, k: 2, n: 1}\n"
                         "traffic: {process: replay, messages: m.txt}\n");
    write_file("m.txt", "0 0 1 4\n");
    expect_json("m.yaml", "open(\"before\", \"w\").write(r[\"scenario_xxh3\"])");
    expect_json("m.yaml", "assert r[\"scenario_xxh3\"] == open(\"before\").read()");
    write_file("m.txt", "0 0 1 5\n");
    expect_json("m.yaml", "assert r[\"scenario_xxh3\"] != open(\"before\").read()");
    // It does not depend on where a value stands.
    expect_json("good.yaml", "open(\"before\", \"w\").write(r[\"scenario_xxh3\"])\n"
                             "assert r[\"seed\"] != 77, r\n"
                             "open(\"seed\", \"w\").write(str(r[\"seed\"]))");
    expect_json("--seed $(cat seed) --set switch.arbiter=round_robin good.yaml",
                "assert r[\"scenario_xxh3\"] == open(\"before\").read()");
    expect_json("--seed 77 good.yaml", "assert r[\"scenario_xxh3\"] != open(\"before\").read()");
}

// Beyond saturation there is no steady state, and the run says so; below there is nothing to say.
// The run is that of our names; standard error says once what was read.
static void words_of_others_are_read(void **state)
{
    (void)state;
    write_file("own.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                           "switch: {arbiter: matrix, flow_control: cut_through, depth: 8}\n");
    write_file("other.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                             "switch: {scan: lrs, admission: vct, depth: 8}\n");
    expect("run other.yaml", 0, NULL,
           "annelid: other.yaml: read scan as arbiter, lrs as matrix, admission as flow_control, "
           "vct as cut_through\n");
    expect_shell("$ANNELID run --digest own.yaml > own && $ANNELID run --digest other.yaml > other "
                 "2> said && [ $(wc -l < said) = 1 ] && "
                 "[ \"$(grep digest own)\" = \"$(grep digest other)\" ]");
    expect_shell("$ANNELID run --trace other.anlt other.yaml > log 2>&1 && "
                 "$ANNELID worms --json other.anlt > log 2> said && [ ! -s said ]");
    expect_shell(
        "$ANNELID sweep --vary switch.scan=rr,age --seeds 2 --cycles 300 -o s.csv "
        "own.yaml > log 2> said && grep -c 'read scan as arbiter, rr as round_robin$' said | "
        "grep -qx 1");
}

static void a_saturated_run_says_so(void **state)
{
    (void)state;
    char output[4096];
    write_file("load.yaml", "network: {topology: mesh, k: 8, n: 2}\n"
                            "traffic: {load: 0.2, length: 4}\nrun: {cycles: 4000}\n");
    expect("run --load 0.9 load.yaml", 0, "saturated   no steady state: in the second half", NULL);
    run("run load.yaml", "2>/dev/null", output, sizeof output);
    assert_non_null(strstr(output, "latency "));
    assert_null(strstr(output, "saturated"));
    expect("run --load 0.9 --set switch.arbiter=random load.yaml", 0, "unfair      arbiter random",
           NULL);
    run("run --set switch.arbiter=random load.yaml", "2>/dev/null", output, sizeof output);
    assert_null(strstr(output, "unfair"));
    for (uint32_t seed = 1; seed <= 6; seed += unit_step(6)) {
        char arguments[128], promise[256];
        snprintf(arguments, sizeof arguments, "--load 0.9 --seed %u load.yaml", seed);
        // What is left behind is what is offered and not accepted, up to what the first half does.
        expect_json(arguments, "assert r[\"saturated\"] is True, r\n"
                               "part = 1 - r[\"accepted_load\"] / r[\"offered_load\"]\n"
                               "assert abs(r[\"left_behind\"] - part) < 0.02, r");
        snprintf(arguments, sizeof arguments, "--load 0.2 --seed %u load.yaml", seed);
        snprintf(promise, sizeof promise,
                 "assert r[\"saturated\"] is False and abs(r[\"left_behind\"]) < 0.02, r");
        expect_json(arguments, promise);
    }
    expect_json("--load 0.9 -c 7 load.yaml", "assert \"saturated\" not in r, r");
    expect_json("--set run.warmup_cycles=3900 --load 0.9 load.yaml",
                "assert \"saturated\" not in r, r");
    expect_json("stall.yaml", "assert \"saturated\" not in r, r");
}

// Worms one by one: of the model and of its trace the same, and what Python counts in the trace.
static void worms_are_told_one_by_one(void **state)
{
    (void)state;
    write_file("busy.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                            "traffic: {load: 0.5, length: [1, 6]}\n"
                            "run: {cycles: 400, warmup_cycles: 100, max_cycles: 410}\n");
    write_file("alone.yaml", "network: {topology: mesh, k: 4, n: 2}\nswitch: {depth: 1}\n"
                             "traffic: {process: replay, messages: alone.txt}\n");
    write_file("alone.txt", "0 0 15 9\n100 3 3 1\n200 12 4 2\n");
    expect("run --worms a.csv alone.yaml", 0, NULL, NULL);
    expect_shell("grep -v '^#' a.csv | tr -d '\\r' | cut -d, -f9,10 | tail -n +2 | "
                 "tr '\\n' ' ' | grep -qx '8,0 2,0 4,0 '");
    // Two stages, and links of several cycles: their worms do not wait either.
    static const char *const longer[] = {"switch.stages=2", "switch.link_cycles=3",
                                         "switch.stages=2 --set switch.link_cycles=2",
                                         "switch.stages=2 --set switch.depth=3",
                                         ("switch.stages=2 --set switch.depth=12 --set "
                                          "switch.flow_control=store_and_forward")};
    write_file("slow.txt", "0 0 15 9\n200 3 3 1\n400 12 4 2\n600 5 5 8\n");
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        char command[256];
        snprintf(command, sizeof command,
                 "run --worms a.csv alone.yaml --set traffic.messages=slow.txt --set %s",
                 longer[i]);
        expect(command, 0, NULL, NULL);
        expect_shell("grep -v '^#' a.csv | tr -d '\\r' | cut -d, -f10 | tail -n +2 | "
                     "tr '\\n' ' ' | grep -qx '0 0 0 0 '");
    }
    expect("run --per pair busy.yaml", 2, NULL, "--per has no effect without --worms");
    expect("run --worms w.csv --per group busy.yaml", 2, NULL,
           "--per group: expected worm, source");
    expect("run --worms w.csv -t w.txt busy.yaml", 0, NULL, NULL);
    expect("trace worms w.txt -o t.csv", 0, "", NULL);
    expect_shell("grep -v '^#' w.csv > w && grep -v '^#' t.csv | cmp - w");
    static const char *const groups[] = {"source", "destination", "pair", "class"};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        char command[256];
        snprintf(
            command, sizeof command,
            "$ANNELID run --worms %s.csv --per %s busy.yaml > /dev/null && $ANNELID trace worms "
            "--per %s w.txt | grep -v '^#' > g && grep -v '^#' %s.csv | cmp - g",
            groups[i], groups[i], groups[i], groups[i]);
        expect_shell(command);
    }
    expect_shell(
        "$PYTHON -c 'import csv, math, json\n"
        "rows = lambda name: list(csv.DictReader(l for l in open(name) if l[0] != \"#\"))\n"
        "worms, heads, tails, last = {}, {}, {}, {}\n"
        "for w in map(str.split, open(\"w.txt\")):\n"
        "    if w[0] == \"worm\": worms[int(w[1])] = [int(n) for n in w[2:6]]\n"
        "    if w[0] != \"flit\": continue\n"
        "    if w[4] in \"HS\": heads.setdefault(int(w[5]), []).append(int(w[1]))\n"
        "    if w[4] in \"TS\": tails.setdefault(int(w[5]), []).append(int(w[1]))\n"
        "links = lambda s, d: 2 + abs(s % 3 - d % 3) + abs(s // 3 - d // 3)\n"
        "done = {i: tails[i][-1] for i, (s, d, n, c) in worms.items() if len(tails.get(i, [])) == "
        "links(s, d)}\n"
        "assert 100 < len(done) < len(worms)\n"
        "for i, row in enumerate(rows(\"w.csv\")):\n"
        "    s, d, n, c = worms[i]\n"
        "    end = done.get(i)\n"
        "    known = [i, s, d, 0, n, c, heads[i][0] if i in heads else \"\"]\n"
        "    known += [end, links(s, d), end - c + 1 - links(s, d) - (n - 1)] if i in done else "
        "[\"\"] * 3\n"
        "    assert list(row.values()) == list(map(str, known)), (row, known)\n"
        "for name, at in ((\"source\", 0), (\"destination\", 1)):\n"
        "    for row in rows(name + \".csv\"):\n"
        "        of = [i for i, w in worms.items() if w[at] == int(row[name]) and w[3] >= 100]\n"
        "        t = sorted(done[i] - worms[i][3] + 1 for i in of if i in done)\n"
        "        q = lambda p: t[max(math.ceil(p * len(t) / 100), 1) - 1]\n"
        "        assert [int(row[k]) for k in (\"worms\", \"delivered\", \"flits\", "
        "\"latency_min\", \"latency_p50\", \"latency_p95\", \"latency_max\")] == [len(of), "
        "len(t), sum(worms[i][2] for i in of), t[0], q(50), q(95), t[-1]], (row, t)\n"
        "        assert abs(float(row[\"latency\"]) - sum(t) / len(t)) < 1e-6\n"
        "assert len(rows(\"pair.csv\")) == len({(w[0], w[1]) for w in worms.values() if w[3] >= "
        "100})'");
    // The group of all worms has the statistics of the run.
    expect_json("busy.yaml", "row = open(\"class.csv\").read().split()[-1].split(\",\")\n"
                             "assert abs(float(row[4]) - r[\"latency_mean\"]) < 1e-6, row\n"
                             "assert [int(n) for n in row[5:10]] == [r[\"latency_\" + k] for k in "
                             "(\"min\", \"p50\", \"p95\", \"p99\", \"max\")], (row, r)");
}

// Each pair of a matrix, and each terminal with a rate, gets what its file says; with a load all in
// proportion.
static void terminals_may_have_rates(void **state)
{
    (void)state;
    write_file(
        "m.csv",
        "source, destination,rate \r\n3,0,0.3\n\n # remark\n 0 ,\"3\",\t0.2 \n0,1,0.1\n  \n\n");
    write_file("r.csv", "terminal,rate\n0,0.2\n1,0\n2,0.4\n");
    write_file("matrix.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                              "traffic: {pattern: matrix, matrix: m.csv, length: [1, 3]}\n"
                              "run: {cycles: 20000}\n");
    write_file("rates.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                             "traffic: {pattern: complement, rates: r.csv, length: [1, 3]}\n"
                             "run: {cycles: 20000}\n");
    static const struct {
        const char *arguments, *rates;
    } cases[] = {
        {"matrix.yaml", "{(0, 3): 0.2, (0, 1): 0.1, (3, 0): 0.3}"},
        {"--load 0.3 matrix.yaml", "{(0, 3): 0.4, (0, 1): 0.2, (3, 0): 0.6}"},
        {"--load 0.6 matrix.yaml", "{(0, 3): 0.6667, (0, 1): 0.3333, (3, 0): 1}"},
        {"--set traffic.process=bursty --set traffic.burst_cycles=1 matrix.yaml",
         "{(0, 3): 0.2, (0, 1): 0.1, (3, 0): 0.3}"},
        {"rates.yaml", "{(0, 3): 0.2, (2, 1): 0.4}"},
        {"--load 0.075 rates.yaml", "{(0, 3): 0.1, (2, 1): 0.2}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[2048];
        snprintf(
            command, sizeof command,
            "$ANNELID run --set run.max_cycles=10000000 -c %u --json --worms p.csv --per pair %s > "
            "r.json; $PYTHON -c 'import csv, json\n"
            "cycles = json.load(open(\"r.json\"))[\"scenario\"][\"run\"][\"cycles\"]\n"
            "rates = %s\n"
            "seen = {(int(r[\"source\"]), int(r[\"destination\"])): int(r[\"flits\"]) / cycles"
            " for r in csv.DictReader(l for l in open(\"p.csv\") if l[0] != \"#\")}\n"
            "assert seen.keys() == rates.keys(), seen\n"
            "for pair in rates: assert abs(seen[pair] / rates[pair] - 1) < 0.1, (pair, seen)'",
            100000 / unit_step(5), cases[i].arguments, cases[i].rates);
        expect_shell(command);
    }
    expect_json("matrix.yaml", "assert r[\"scenario\"][\"traffic\"][\"load\"] == 0.15\n"
                               "open(\"before\", \"w\").write(r[\"scenario_xxh3\"])");
    write_file("m.csv", "source,destination,rate\n3,0,0.3\n0,3,0.1\n0,1,0.2\n");
    expect_json("matrix.yaml", "assert r[\"scenario_xxh3\"] != open(\"before\").read()");
    // Terminal 3 of the matrix has twice the mean.
    expect("run --load 0.5 matrix.yaml", 0, NULL, NULL);
    expect_shell("! $ANNELID run --load 0.49 matrix.yaml | grep '^rates '");
    expect("run --load 0.51 matrix.yaml", 0, "rates       above load 0.5000 some terminals", NULL);
    expect_shell("$ANNELID sweep --loads 0.2,0.4,0.6 --seeds 1 -o m.rows matrix.yaml | grep -q "
                 "'^1 of 3 loads are above 0.5000, '");
    // Another rate is another content, though the command is the same.
    expect_shell(
        "grep -o '^# matrix_xxh3: ................' m.rows > one && sed 's/0.3$/0.31/' m.csv "
        "> other.csv && $ANNELID sweep --loads 0.2 --seeds 1 -o n.rows --set "
        "traffic.matrix=other.csv matrix.yaml > out && ! grep -q -f one n.rows && grep -q "
        "'^# matrix_xxh3: ' n.rows");
    expect("run -t m.txt -c 1000 matrix.yaml", 0, NULL, NULL);
    expect("check m.txt", 0, "no rule broken", NULL);
    expect("trace worms m.txt", 0, "pattern: matrix, load: 0.15, ", NULL);
    expect("sweep --loads 0.05,0.1 --seeds 2 -c 2000 -o mm.csv matrix.yaml", 0, "2 steady\n0.1 ",
           NULL);
    expect("predict matrix.yaml", 2, NULL, "terminals that all create the same load");
    static const struct {
        const char *file, *error;
    } wrong[] = {
        {"", "b.csv:1: found no line, expected the first line source,destination,rate"},
        {"\n# remark\n", "b.csv:2: found no line, expected the first line"},
        {"source,rate\n", "b.csv:1: found 'source,rate', expected the first line source,dest"},
        {"source;destination;rate\n", "separated by commas, not by semicolons"},
        {"source,destination,rate\n0\t1\t0.1\n", "separated by commas, not by tabs"},
        {"source,destination,rate\n0,1\n", "b.csv:2: found 2 fields, expected 3: source,"},
        {"source,destination,rate\n0,1,0,2\n",
         "b.csv:2: found 4 fields, expected 3: source,destination,rate; decimal numbers have a "
         "point, not a comma"},
        {"source,destination,rate\n\n4,1,0.1\n",
         "b.csv:3: source: found 4, expected a terminal 0..3"},
        {"source,destination,rate\n0,x,0.1\n",
         "b.csv:2: destination: found x, expected a terminal"},
        {"source,destination,rate\n0,1,1.5\n", "found 1.5, expected a decimal number 0..1 (flits"},
        {"source,destination,rate\n0,1,1e1\n", "found 1e1, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,-0.5\n", "found -0.5, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,+0.5\n", "found +0.5, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,0 .5\n", "found '0 .5', expected a decimal number 0..1"},
        {"source,destination,rate\n0,\" 8\",0.5\n", "found ' 8', expected a terminal 0..3"},
        {"source,destination,rate\n0,\xc2\xa0"
         "1,0.5\n",
         "found '\xc2\xa0"
         "1', expected a terminal"},
        {"source,destination,rate\n\"0,1,0.5\n",
         "b.csv:2: source: found '\"0', expected a terminal"},
        {"source,destination,rate\n0,1,0x0p0\n", "found 0x0p0, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,nan\n", "found nan, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,0.5e\n", "found 0.5e, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,.\n", "found ., expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,\n", "found nothing, expected a decimal number 0..1"},
        {"source,destination,rate\n0,1,0.6\n0,2,0.5\n",
         "b.csv:3: terminal 0 creates 1.1 flits per cycle"},
        {"source,destination,rate\n3,0,0.1\n0,1,0\n3,0,0\n",
         "b.csv:4: found a second rate of terminal 3 to 0, the first one is in line 2"},
        {"source,destination,rate\n", "b.csv:1: found no row behind the first line, expected rows"},
        {"source,destination,rate\nT0,1,0.1\n",
         "found T0, expected a terminal 0..3; terminals are"},
        {"source,destination,rate\n0,1,0\n", "the mean rate of the terminals is 0, expected at"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        write_file("b.csv", wrong[i].file);
        expect("run --set traffic.matrix=b.csv matrix.yaml", 2, NULL, wrong[i].error);
    }
    // Rates as other programs write them, such as Python's repr().
    write_file("r.csv", "terminal,rate\n0,0.03333333333333333\n1,1.0e-05\r\n2,1E-1\n3,.5");
    expect_json("rates.yaml", "assert r[\"scenario\"][\"traffic\"][\"load\"] == 0.158335833, r");
    // Quotes are around fields, not around rows.
    write_file("r.csv", "\"terminal\",\"rate\"\n\"0\",\"0.5\"\n 1 , \"0.25\" \n");
    expect_json("rates.yaml", "assert r[\"scenario\"][\"traffic\"][\"load\"] == 0.1875, r");
    write_file("r.csv", "\"terminal,rate\"\n\"0,0.5\"\n");
    expect("run rates.yaml", 2, NULL, "r.csv:1: found '\"terminal,rate\"'");
    write_file("r.csv", "terminal,rate\n0,0,5\n");
    expect("run rates.yaml", 2, NULL, "decimal numbers have a point, not a comma");
    write_file("r.csv", "terminal,rate\n0,0.5,\n");
    expect("run rates.yaml", 2, NULL, "r.csv:2: found 3 fields, expected 2: terminal,rate\n");
    write_file("r.csv", "terminal,rate\n0,0.03333333333333333\n1,1.0e-05\r\n2,1E-1\n3,.5");
    write_file("batch.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                             "traffic: {process: batch, pattern: matrix, matrix: m.csv}\n");
    expect("run batch.yaml", 2, NULL, "pattern matrix is for bernoulli, bursty; process is batch");
    expect("run --set traffic.rates=r.csv matrix.yaml", 2, NULL, "rates are for other patterns");
    expect("run --set traffic.pattern=matrix rates.yaml", 2, NULL, "rates");
    expect("run --set traffic.pattern=matrix good.yaml", 2, NULL,
           "expected path for pattern matrix");
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
    expect("trace show -w 99999 t.anlt", 2, "# end",
           "annelid: t.anlt: has no worm 99999; expected 0..");
    expect("trace show noise.anlt", 2, NULL, "noise.anlt");
    expect("trace show -l 3 t.anlt", 0, "# end", NULL);
    expect("trace show -l 4294967299 t.anlt", 2, NULL, "no link '4294967299'; expected 0..");
    expect("trace show -l 99999999999999999999 t.anlt", 2, NULL, "no link '99999999999999999999'");
}

// "-" and "/dev/stdin" are standard input for every command, also for one that reads a file twice;
// "-" and "/dev/stdout" are standard output, and what is printed for people goes to standard error.
static void standard_input_and_output_are_files(void **state)
{
    (void)state;
    expect("run -t whole.txt good.yaml", 0, NULL, NULL);
    static const char *const commands[] = {
        "cat good.yaml | $A run - | grep -q 'latency'",
        "cat good.yaml | $A run /dev/stdin | grep -q 'latency'",
        "$A run -t - good.yaml 2>said | cmp - whole.txt && grep -q latency said",
        "$A run -t /dev/stdout good.yaml 2>said | cmp - whole.txt && grep -q latency said",
        "$A run -t /dev/fd/1 good.yaml 2>said | cmp - whole.txt && grep -q latency said",
        "$A run -t /dev/stdout good.yaml > tr 2>said && cmp tr whole.txt",
        "[ -L /dev/stdout ] && ! ls /dev/*.tmp 2>/dev/null",
        "$A run -t /dev/null good.yaml > /dev/null && [ -c /dev/null ]",
        "cat whole.txt | $A check - && cat whole.txt | $A trace digest - | grep -q ' -$'",
        "$A trace convert - - < whole.txt | cmp - whole.txt",
        "cat whole.txt | $A worms - | grep -q 'longest stall'",
        "cat good.yaml | $A worms - | grep -q 'longest stall'",
        "cat whole.txt | $A draw -o - - | grep -q '</svg>'",
        "$A draw -o x.svg good.yaml && $A draw -o - good.yaml | cmp - x.svg",
        "cat good.yaml | $A plot -o - --what links - | grep -q '</svg>'",
        "$A describe --dot - good.yaml | $A import dot -o - - | grep -q '^links:'",
        "$A describe --graph - good.yaml | grep -q '^links:'",
        "cat good.yaml | $A cdg - && $A cdg --dot - good.yaml | grep -q digraph",
        "cat good.yaml | $A predict - && cat good.yaml | $A bounds -",
        "$A sweep --seeds 2 -o s.csv good.yaml > /dev/null && cat good.yaml | "
        "$A sweep --seeds 2 -o - - > t.csv && grep -v '^# ann' s.csv > u && grep -v '^# ann' t.csv "
        "| cmp - u && ! ls *.partial",
        "$A sweep --seeds 2 -o - good.yaml | $A plot -o - - | grep -q '</svg>'",
        "printf 'network: {topology: mesh, k: 2, n: 1}\ntraffic: {process: replay, messages: "
        "no}\n' "
        "> m.yaml && echo 0 0 1 4 | $A run --set traffic.messages=- m.yaml | grep -q '1 delivered'",
        "printf '\\357\\273\\2770 0 1 4\\n' > mark && $A run --set traffic.messages=mark m.yaml | "
        "grep -q '1 delivered'",
        "printf '\\357\\273\\277switch,destination,port,lanes\\n0,1,1,0\\n1,0,1,0\\n' > t.csv && "
        "printf 'network: {topology: graph}\\nswitch: {routing: table, table: t.csv}\\n"
        "graph: {switches: 2, terminals: [0.0, 1.0], links: [[0.1, 1.1]]}\\n' > t.yaml && "
        "$A run t.yaml",
        "$A trace diff - - < whole.txt 2>&1 | grep -q 'named twice'",
        "$A run -t /dev/stdout good.yaml 2>&1 > /dev/full | "
        "grep -q 'standard output: cannot write: No space'",
    };
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char line[1024];
        snprintf(line, sizeof line, "A=\"$ANNELID\"; (%s) > out 2> err < /dev/null", commands[i]);
        expect_shell(line);
    }
}

static void nothing_but_files_is_replaced_by_a_trace(void **state)
{
    (void)state;
    char path[128];
    struct stat there;
    snprintf(path, sizeof path, "%s/pipe", directory);
    assert_int_equal(mkfifo(path, 0600), 0);
    expect_shell(
        "{ cat pipe > got & \"$ANNELID\" run --trace pipe good.yaml > /dev/null; wait; } && "
        "\"$ANNELID\" run --trace same good.yaml > /dev/null && cmp got same");
    expect("run --trace . good.yaml", 2, NULL, ".: cannot write: not an ordinary file");
    assert_true(stat(path, &there) == 0 && S_ISFIFO(there.st_mode));
}

static void output_that_gets_lost_is_an_error(void **state)
{
    (void)state;
    expect("run --trace full.anlt good.yaml", 0, NULL, NULL);
    static const char *const commands[] = {"--help",
                                           "run --help",
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
           "anl_cube K=3 N=2 Topology=0 Routing=0 NumVcs=2 Depth=4 FlitW=32 Arbiter=1\n", NULL);
    expect("describe --keys", 0, "num_vcs", NULL);
    expect("describe bad.yaml", 2, NULL, "bad.yaml:2:");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usage_is_told),
        cmocka_unit_test(arguments_are_read),
        cmocka_unit_test(options_without_effect_are_refused),
        cmocka_unit_test(run_tells_what_happened),
        cmocka_unit_test(pipes_are_read_as_files),
        cmocka_unit_test(hints_are_commands_that_work),
        cmocka_unit_test(keys_of_json_are_always_there),
        cmocka_unit_test(json_says_what_is_known),
        cmocka_unit_test(worms_are_told_one_by_one),
        cmocka_unit_test(terminals_may_have_rates),
        cmocka_unit_test(words_of_others_are_read),
        cmocka_unit_test(a_saturated_run_says_so),
        cmocka_unit_test(traces_are_written_whole_or_not_at_all),
        cmocka_unit_test(standard_input_and_output_are_files),
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
