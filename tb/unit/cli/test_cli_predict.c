// SPDX-License-Identifier: Apache-2.0
//
// annelid predict: what it prints, beside runs and alone; its curves in a plot; the search for
// saturation that starts from it.

#include "unit_plot.h"

static const char header[] =
    "load,seed,state,end,cycles,warmup,worms,offered,accepted,latency,latency_min,latency_p50,"
    "latency_p95,latency_p99,latency_max,links\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_picture_reader();
    write_file("mesh.yaml", "network: {topology: mesh, k: 4, n: 2}\n"
                            "traffic: {length: 4, load: 0.2}\nrun: {cycles: 20000}\n");
    write_file("tree.yaml", "network: {topology: fat_tree, n: 3}\nswitch: {depth: 2}\n"
                            "traffic: {length: 16, load: 0.04}\n");
    write_file("cube.yaml", "network: {topology: cube, radix: [6, 4], concentration: 2}\n"
                            "switch: {num_vcs: 2}\ntraffic: {load: 0.1}\n");
    write_file("graph.yaml", "network: {topology: graph}\ntraffic: {load: 0.1}\n"
                             "graph:\n  switches: [a, b, c]\n  terminals: [a, b, c, c]\n"
                             "  links: [[a, b], [b, c], {from: b, to: b}]\n");
    write_file("batch.yaml", "network: {topology: mesh, k: 3, n: 2}\ntraffic: {process: batch}\n");
    write_file("bursty.yaml",
               "network: {topology: mesh, k: 3, n: 2}\ntraffic: {process: bursty}\n");
    write_file("large.yaml", "network: {topology: mesh, k: 256, n: 2}\n");
    write_file("rings.yaml", "network: {topology: unidirectional_torus, k: 256, n: 2}\n"
                             "switch: {num_vcs: 2, depth: 2}\ntraffic: {load: 0.0005}\n");
    char rows[1024];
    snprintf(rows, sizeof rows, "switch.num_vcs,%s%s", header,
             "1,0.1,1,steady,complete,1,0,5,0.1,0.1,9,1,1,1,1,1,3\n"
             "1,0.4,1,steady,complete,1,0,5,0.4,0.4,14,1,1,1,1,1,3\n"
             "2,0.1,1,steady,complete,1,0,5,0.1,0.1,9,1,1,1,1,1,3\n");
    write_file("lanes.csv", rows);
    return 0;
}

static void it_says_latency_parts_and_status(void **state)
{
    (void)state;
    expect("predict mesh.yaml", 0, "a reconstruction of the model of Draper and Ghosh", NULL);
    expect("predict mesh.yaml", 0, "where the busiest link is full", NULL);
    expect("predict mesh.yaml", 0, "extrapolated", NULL);
    expect("predict mesh.yaml", 0, "dimension 1", NULL);
    expect("predict mesh.yaml --load 0.9", 0, "saturated", NULL);
    expect("predict mesh.yaml --set traffic.pattern=many_to_one --load 0.05", 0,
           "nearest to capacity is 0(0,0).T", NULL);
    expect("predict tree.yaml", 0, "validated within 2 %", NULL);
    expect("predict tree.yaml", 0, " predicted, validated within ", NULL);
    expect("predict tree.yaml --set switch.arbiter=fixed", 0, " predicted, extrapolated\n", NULL);
    expect("predict tree.yaml", 0, "up from level 2", NULL);
    expect("predict tree.yaml", 0, "down to level 1", NULL);
    expect("predict rings.yaml", 0, "class form, 1026 channel classes", NULL);
}

// Of 48 terminals 24 are on each side, and each sends half of its worms over one of 6 links. A
// graph has no halves, and all of its links are in one row.
static void cubes_and_graphs_are_named_as_they_are(void **state)
{
    (void)state;
    expect("predict cube.yaml", 0,
           "; 0.5000, where the links across the middle of the last dimension are\n", NULL);
    expect("predict cube.yaml", 0, "\n  dimension 1 ", NULL);
    expect("predict tree.yaml", 0, ", where the links between the halves of the terminals are\n",
           NULL);
    expect("predict graph.yaml", 0, "where the busiest link is full\n", NULL);
    expect("predict graph.yaml", 0, "\n  links ", NULL);
    expect_shell("for f in cube graph; do $ANNELID predict $f.yaml --json > $f.json || exit 1; "
                 "done; $PYTHON -c '\n"
                 "import json\n"
                 "cube, graph = (json.load(open(f + \".json\")) for f in (\"cube\", \"graph\"))\n"
                 "ends = [\"injection\", \"ejection\"]\n"
                 "dimensions = [\"dimension 0\", \"dimension 1\"]\n"
                 "assert list(cube[\"points\"][0][\"tiers\"]) == dimensions + ends, cube\n"
                 "assert list(graph[\"points\"][0][\"tiers\"]) == [\"links\"] + ends, graph\n"
                 "assert abs(cube[\"bisection_bound\"] - 0.5) < 1e-9, cube\n"
                 "assert graph[\"bisection_bound\"] is None, graph'");
}

// The parts add up, and what is JSON is what is text.
static void json_adds_up(void **state)
{
    (void)state;
    expect_shell(
        "$ANNELID predict tree.yaml --loads 0,0.04,0.9 --json > t.json && $PYTHON -c '\n"
        "import json\n"
        "d = json.load(open(\"t.json\"))\n"
        "a, b, c = d[\"points\"]\n"
        "assert d[\"form\"] == \"routes\" and 0.1 < d[\"saturation\"] < 0.33, d\n"
        "assert d[\"bisection_bound\"] >= d[\"channel_bound\"] > d[\"saturation\"], d\n"
        "assert a[\"latency\"] == a[\"transfer\"]\n"
        "for p in a, b:\n"
        "    waits = sum(s[\"wait\"] for s in p[\"tiers\"].values())\n"
        "    assert abs(waits + p[\"sharing\"] + p[\"transfer\"] - p[\"latency\"]) < 1e-6\n"
        "    assert len(p[\"tiers\"]) == 6\n"
        "assert abs(b[\"tiers\"][\"injection\"][\"mean_use\"] - 0.04) < 1e-9\n"
        "assert b[\"validated_percent\"] == 2 and b[\"status\"].endswith(\"within 2 %\")\n"
        "assert c[\"saturated\"] and c[\"latency\"] is None and c[\"status\"] == "
        "\"saturated\"'");
}

static void runs_stand_beside_it(void **state)
{
    (void)state;
    expect_shell(
        "$ANNELID predict mesh.yaml --loads 0.1,0.3 --compare --seeds 2 --json > c.json && "
        "$ANNELID sweep mesh.yaml --loads 0.1,0.3 --seeds 2 -o c.csv > /dev/null && $PYTHON -c '\n"
        "import csv, json\n"
        "runs = list(csv.DictReader(line for line in open(\"c.csv\") if line[0] != \"#\"))\n"
        "for i, p in enumerate(json.load(open(\"c.json\"))[\"points\"]):\n"
        "    mean = sum(float(r[\"latency\"]) for r in runs[2 * i:2 * i + 2]) / 2\n"
        "    assert abs(mean - p[\"measured\"]) < 1e-6, (mean, p)\n"
        "    error = 100 * (p[\"latency\"] / mean - 1)\n"
        "    assert abs(error - p[\"error_percent\"]) < 1e-6 and abs(error) < 5, p'");
    expect("predict mesh.yaml --compare --seeds 2", 0, " ± ", NULL);
}

static void what_it_cannot_do_it_refuses(void **state)
{
    (void)state;
    expect("predict batch.yaml", 2, "", "batch.yaml: process batch: the model knows worms");
    expect("predict batch.yaml --loads 0.1", 2, "", "process batch has no load");
    expect("predict bursty.yaml", 2, "", "bursty.yaml: process bursty");
    expect("predict mesh.yaml --set switch.flow_control=store_and_forward", 2, "",
           "mesh.yaml: flow_control store_and_forward");
    expect("predict large.yaml", 2, "", "large.yaml: 65536 switches");
    expect("predict mesh.yaml --loads 0.1,x", 2, "", "x");
    expect("predict mesh.yaml --loads 2", 2, "", "2");
    expect("predict mesh.yaml --load 0.1 --loads 0.2", 2, "", "--load, or --loads");
    expect("predict mesh.yaml --seed 3 --compare", 2, "", "--seeds");
    expect("predict mesh.yaml --seeds 3", 2, "", "--seeds has no effect without --compare");
    expect("predict mesh.yaml -w 2", 2, "", "--workers has no effect without --compare");
    expect("predict none.yaml", 2, "", "none.yaml");
    expect("predict", 2, "", "scenario");
}

// --- plot ---

static void the_model_is_drawn(void **state)
{
    (void)state;
    expect("plot lanes.csv --predict --scenario mesh.yaml -o p.svg", 0, "", NULL);
    judge_picture("p.svg", "assert \"the model\" in texts, texts\n");
    expect("plot lanes.csv --predict --scenario mesh.yaml -o p.gnuplot", 0, "", NULL);
    // The curve of each variant is what annelid predict says of it.
    expect_shell(
        "$ANNELID predict mesh.yaml --set switch.num_vcs=2 --loads 0.208 --json > p.json && "
        "$PYTHON -c '\n"
        "import json, re\n"
        "text = open(\"p.gnuplot\").read()\n"
        "assert text.count(\"$model\") == 4, text.count(\"$model\")\n"
        "data = re.search(r\"\\$model1 << end\\n(.*?)\\nend\\n\", text, re.S)[1]\n"
        "near = min((line.split() for line in data.split(\"\\n\")), "
        "key=lambda w: abs(float(w[0]) - 0.208))\n"
        "p = json.load(open(\"p.json\"))[\"points\"][0][\"latency\"]\n"
        "assert abs(float(near[1]) / p - 1) < 0.01, (near, p)'");
    expect("plot lanes.csv --scenario mesh.yaml -o p.svg", 2, "", "--predict");
    expect("plot lanes.csv --predict -o p.svg", 2, "", "--scenario FILE");
    expect("plot lanes.csv --predict --scenario batch.yaml -o p.svg", 2, "",
           "batch.yaml: process batch");
    expect("plot lanes.csv --predict --scenario mesh.yaml --what throughput -o p.svg", 2, "",
           "--predict is about latency");
    expect("plot mesh.yaml --predict -o p.svg", 2, "", "--predict is for the CSV files");
}

// --- sweep ---

// The result is that of a search from anywhere: within the tolerance of what all loads near it say.
static void the_search_takes_few_runs(void **state)
{
    (void)state;
    expect_shell("$ANNELID sweep mesh.yaml --cycles 2000 --find-saturation --seeds 4 > s.txt && "
                 "awk '/^Found by/ { found = $3 } END { exit !(found > 8 && found <= 32) }' s.txt");
    // Nothing is predicted of this one; the search starts far below.
    expect("sweep bursty.yaml --cycles 1000 --find-saturation --seeds 2", 0, "Found by", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_latency_parts_and_status),
        cmocka_unit_test(cubes_and_graphs_are_named_as_they_are),
        cmocka_unit_test(json_adds_up),
        cmocka_unit_test(runs_stand_beside_it),
        cmocka_unit_test(what_it_cannot_do_it_refuses),
        cmocka_unit_test(the_model_is_drawn),
        cmocka_unit_test(the_search_takes_few_runs),
    };
    return cmocka_run_group_tests_name("cli_predict", tests, prepare, remove_directory);
}
