// SPDX-License-Identifier: Apache-2.0
//
// `annelid worms` as a person or a script meets it: what it prints for runs that deadlock and for
// runs that do not, that its answers agree with each other, and that a trace gives the same answers
// as the scenario.

#include "unit_cli.h"

#include <fcntl.h>

// Checks a blocking analysis with Python, and fails unless promise holds. `blocking` is the JSON
// object.
static void judge(const char *arguments, const char *promise)
{
    char line[4096];
    snprintf(line, sizeof line,
             "{ \"$ANNELID\" worms --json %s || [ $? = 1 ]; } | $PYTHON -c 'import json, sys; "
             "blocking = json.load(sys.stdin); waits = [\"bound_elsewhere\", \"no_credit\", "
             "\"lost_arbitration\", \"not_yet\", \"behind\"]\n%s'",
             arguments, promise);
    expect_shell(line);
}

static const char *const mesh = "network: {topology: mesh, k: 4, n: 2}\n"
                                "switch: {num_vcs: 2, depth: 2}\n"
                                "traffic: {load: 0.5, length: 8}\n"
                                "run: {cycles: 300, seed: 5}\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory() || link_project()) return -1;
    write_file("mesh.yaml", mesh);
    return shell("cp sim/scenarios/deadlock_ring5.yaml sim/scenarios/mesh8_uniform.yaml .");
}

// --- what is printed ---

static void a_deadlock_is_told_worm_by_worm(void **state)
{
    (void)state;
    static const char *const said[] = {"DEADLOCK, closed in cycle ",
                                       "Proved, not a time-out.",
                                       "The deadlock, as it closed",
                                       "head     in lane 0 of ",
                                       "holds    lane 0 of ",
                                       "the first one: deadlock",
                                       "Longest stalls:",
                                       "congestion c = "};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++)
        expect("worms deadlock_ring5.yaml", 1, said[i], NULL);
    judge("deadlock_ring5.yaml",
          "circle = blocking[\"deadlock\"][\"worms\"]\n"
          "assert len(circle) >= 2 and circle[0][\"worm\"] == min(w[\"worm\"] for w in circle)\n"
          "for worm, by in zip(circle, circle[1:] + circle[:1]):\n"
          "  assert worm[\"held_by\"] == by[\"worm\"]\n"
          "  assert worm[\"head\"][\"wants\"] in [h[\"buffer\"] for h in by[\"holds\"]]\n"
          "  assert worm[\"head\"][\"buffer\"] == worm[\"holds\"][0][\"buffer\"]\n"
          "  assert worm[\"worm\"] in blocking[\"deadlock\"][\"dead\"]\n"
          "assert blocking[\"ended\"] and blocking[\"created\"] == 20");
}

// Worms that wait lead to the link that is full, which may be that of a terminal. The command for a
// plot of all links, as it is printed, makes it.
static void the_busiest_links_are_named(void **state)
{
    (void)state;
    static const char tree[] = "worms sim/scenarios/lesson_hotspot_tree.yaml";
    expect(tree, 0, "congestion c = 248 (worms over 27(3,3).T), dilation d = 15 ", NULL);
    expect(tree, 0,
           "\n  link        flits  per cycle  worms\n  27(3,3).T    1984      0.970    248\n",
           NULL);
    judge(
        "sim/scenarios/lesson_hotspot_tree.yaml",
        "busiest = blocking[\"busiest\"]\n"
        "assert busiest[0] == {\"link\": \"27(3,3).T\", \"flits\": 1984, \"worms\": 248}, busiest\n"
        "assert blocking[\"congestion\"] == 248 and len(busiest) == 10\n"
        "flits = [link[\"flits\"] for link in busiest]\n"
        "assert flits == sorted(flits, reverse=True)");
    expect_shell(
        "$ANNELID worms --set run.cycles=200 mesh.yaml | "
        "sed -n 's/^      annelid \\(plot .*\\) for what each link carries$/\\1/p' > hint && "
        "test \"$(cat hint)\" = 'plot --what links -o links.svg --set run.cycles=200 mesh.yaml' && "
        "$ANNELID $(cat hint) && grep -q 'Busiest links' links.svg && "
        "$ANNELID run -t mesh.txt mesh.yaml > /dev/null && $ANNELID worms mesh.txt > of.trace && "
        "grep -q '^Busiest links' of.trace && ! grep -q 'annelid plot' of.trace");
}

static void a_choice_of_lanes_is_no_way_out(void **state)
{
    (void)state;
    static const char choice[] =
        "Where a head may take one of several lanes, all of them are stuck";
    char output[16384];
    expect("worms sim/scenarios/lesson_torus_two_lanes.yaml", 1, choice, NULL);
    assert_int_equal(run("worms deadlock_ring5.yaml", "", output, sizeof output), 1);
    assert_null(strstr(output, choice));
}

// Dead worms that do not belong to the circle are named, if they are few.
static void the_other_dead_are_named(void **state)
{
    (void)state;
    judge("sim/scenarios/deadlock_torus5.yaml",
          "import os, re, subprocess\n"
          "text = subprocess.run([os.environ[\"ANNELID\"], \"worms\", "
          "\"sim/scenarios/deadlock_torus5.yaml\"], stdout=subprocess.PIPE).stdout.decode()\n"
          "named, more = re.search(r\"Dead too.*: worms (.*?)(?: and (\\d+) more)?\\n\", "
          "text).groups()\n"
          "circle = [w[\"worm\"] for w in blocking[\"deadlock\"][\"worms\"]]\n"
          "others = [w for w in blocking[\"deadlock\"][\"dead\"] if w not in circle]\n"
          "assert named == \", \".join(map(str, others[:16])) and int(more) == len(others) - 16");
}

static void a_deadlock_closes_in_one_cycle(void **state)
{
    (void)state;
    judge("deadlock_ring5.yaml",
          "import os, subprocess\n"
          "def at(cycle): return subprocess.run([os.environ[\"ANNELID\"], \"worms\", \"--at\", "
          "str(cycle), \"deadlock_ring5.yaml\"], stdout=subprocess.PIPE)\n"
          "closed = blocking[\"deadlock\"][\"cycle\"]\n"
          "before, then = at(closed - 1), at(closed)\n"
          "assert before.returncode == 0 and b\"DEADLOCK\" not in before.stdout\n"
          "assert then.returncode == 1 and b\"DEADLOCK since cycle\" in then.stdout\n"
          "assert b\"a circle, nothing on it moves, ever: deadlock\" in at(closed + 40).stdout");
}

static void a_run_without_deadlock_is_told(void **state)
{
    (void)state;
    expect("worms mesh.yaml", 0, "No deadlock: every worm was delivered.\nThe longest stall: worm ",
           NULL);
    expect("worms mesh.yaml", 0, "lost_arbitration", NULL);
    expect("worms --top 3 mesh.yaml", 0, "Longest stalls: 3 worms", NULL);
    expect("worms --set run.max_cycles=300 mesh.yaml", 0, "No deadlock: no worm is dead, but ",
           NULL);
    expect("worms --load 0 mesh.yaml", 0, "No worm was created.", NULL);
    expect("worms --load 0 --at 0 mesh.yaml", 0, "Cycle 0: 0 worms wait, 0 move, 0 queued", NULL);
    judge("--top 3 mesh.yaml",
          "assert blocking[\"deadlock\"] is None and blocking[\"delivered\"] == "
          "blocking[\"created\"]\n"
          "longest = [(-w[\"cycles\"], w[\"worm\"]) for w in blocking[\"longest\"]]\n"
          "assert len(longest) == 3 and longest == sorted(longest)\n"
          "assert all(w[\"waits\"][w[\"cause\"]] == max(w[\"waits\"].values()) for w in "
          "blocking[\"longest\"])\n"
          "assert all(sum(w[\"waits\"].values()) == w[\"cycles\"] == w[\"end\"] - w[\"begin\"] + 1 "
          "for w in blocking[\"longest\"])");
}

// A worm that waits for itself is never said to be blocked by itself.
static void a_worm_waits_for_its_own_tail(void **state)
{
    (void)state;
    expect("worms sim/scenarios/torus4_store_batch.yaml", 0, ", at first for its own tail.\n",
           NULL);
    expect("worms mesh.yaml", 0, ", blocked by worm ", NULL);
}

// All stalls of a worm count, not only the longest.
static void those_that_creep_are_found(void **state)
{
    (void)state;
    expect("worms --by waited mesh.yaml", 0, " waited most, ", NULL);
    judge("--by waited --top 10000 mesh.yaml",
          "import os, subprocess\n"
          "ranks = [(-w[\"waited\"], w[\"worm\"]) for w in blocking[\"longest\"]]\n"
          "assert ranks == sorted(ranks)\n"
          "assert any(w[\"waited\"] > w[\"cycles\"] for w in blocking[\"longest\"])\n"
          "assert sum(w[\"waited\"] for w in blocking[\"longest\"]) == "
          "sum(blocking[\"worm_cycles\"][w] "
          "for w in waits)");
}

// A worm that meets no other one takes the latency that docs/switch.md gives.
static void alone_is_said(void **state)
{
    (void)state;
    expect("worms --worm 1 sim/scenarios/lesson_race_wormhole.yaml", 0, "  alone ", NULL);
    expect("worms --worm 2 sim/scenarios/lesson_hol_1lane.yaml", 0, "  alone             8\n",
           NULL);
    expect("worms --worm 2 sim/scenarios/lesson_hol_1lane.yaml --set switch.stages=2", 0,
           "  alone             12\n", NULL);
}

// The cycles of all worms add up to the latencies that `annelid run` measures.
static void time_goes_somewhere(void **state)
{
    (void)state;
    judge("mesh.yaml",
          "import os, subprocess\n"
          "run = json.loads(subprocess.run([os.environ[\"ANNELID\"], \"run\", \"--json\", "
          "\"mesh.yaml\"], stdout=subprocess.PIPE).stdout)\n"
          "assert abs(sum(blocking[\"worm_cycles\"].values()) - run[\"latency_mean\"] * "
          "run[\"delivered\"]) < 1");
}

// What two stages are said to do, where they are refused, and where links of several cycles are.
static void two_stages_are_told(void **state)
{
    (void)state;
    expect("worms mesh.yaml --set switch.stages=2", 0, "wormhole, two stages\n", NULL);
    expect("worms deadlock_ring5.yaml --set switch.stages=2", 1,
           "DEADLOCK, closed in cycle 3:", NULL);
    expect("worms deadlock_ring5.yaml --set switch.stages=2 --at 5", 1, "waits: lane 0 of", NULL);
    expect("worms sim/scenarios/stages_torus3.yaml --at 500", 0, "is in the first stage", NULL);
    expect("worms mesh.yaml --set switch.stages=2 --set switch.link_cycles=2", 2, NULL,
           "switch.link_cycles is 2; this command expects 1");
    expect("bounds mesh.yaml --set switch.stages=2", 2, NULL,
           "switch.stages is 2; this command expects 1, for its theory has hops of one cycle");
    expect("predict mesh.yaml -l 0.1 --set switch.stages=2", 0, " extrapolated", NULL);
}

static void a_life_is_told(void **state)
{
    (void)state;
    expect("worms --worm 7 mesh.yaml", 0, "worm        7, T", NULL);
    expect("worms --worm 7 mesh.yaml", 0, "delivered   cycle ", NULL);
    expect("worms --worm 0 deadlock_ring5.yaml", 1, "and never will be: it is dead", NULL);
    expect("worms --worm 19 deadlock_ring5.yaml", 1, "injected    not by cycle", NULL);
    judge("--worm 30 mesh.yaml",
          "worm = blocking[\"worm\"]; path = worm[\"path\"]\n"
          "assert sum(worm[\"cycles\"].values()) == worm[\"delivered\"] - worm[\"created\"] + 1\n"
          "assert path[0][\"link\"] == \"T%d.inject\" % worm[\"source\"]\n"
          "assert path[0][\"head\"] == worm[\"injected\"]\n"
          "assert path[-1][\"link\"].endswith(\".T\") and path[-1][\"tail\"] == "
          "worm[\"delivered\"]\n"
          "assert all(a[\"head\"] < b[\"head\"] for a, b in zip(path, path[1:]))\n"
          "assert sum(s[\"cycles\"] for s in worm[\"stalls\"]) == sum(worm[\"cycles\"][w] for w in "
          "waits)\n"
          "assert sum(d[\"cycles\"] for d in worm[\"delays\"]) <= sum(worm[\"cycles\"][w] for w in "
          "waits)");
}

static void a_cycle_is_told(void **state)
{
    (void)state;
    expect("worms --at 150 mesh.yaml", 0, "Cycle 150: ", NULL);
    expect("worms --at 150 mesh.yaml", 0, "up, buffer by buffer", NULL);
    expect("worms --at 150 mesh.yaml", 0, "which moves: worm ", NULL);
    expect("worms --at 30 --worm 1 sim/scenarios/lesson_hol_1lane.yaml", 0,
           "Who holds worm 1 up, buffer by buffer\n", NULL);
    expect("worms --at 30 --worm 0 sim/scenarios/lesson_hol_1lane.yaml", 0,
           "Nobody holds worm 0 up: it moves\n", NULL);
    expect("worms --at 299 --worm 0 mesh.yaml", 0, ": it is not there any more", NULL);
    expect("worms --at 1 --worm 19 deadlock_ring5.yaml", 0, "is queued in the source of T4", NULL);
    judge("--at 150 mesh.yaml",
          "chain = blocking[\"chain\"]; buffers = chain[\"buffers\"]\n"
          "assert blocking[\"at\"] == 150 and blocking[\"cycles\"] == 151 and not "
          "blocking[\"ended\"]\n"
          "assert chain[\"of\"] == blocking[\"longest\"][0][\"worm\"] and len(buffers) >= 2\n"
          "assert all(p[\"wait\"] not in (\"moving\", \"queued\") for p in buffers[:-1])\n"
          "assert buffers[-1][\"wait\"] == \"moving\" and chain[\"back\"] is None\n"
          "assert buffers[-1][\"worm\"] == blocking[\"longest\"][0][\"now\"][\"root_blocker\"]\n"
          "assert all(p in blocking[\"buffers\"] for p in buffers)");
    judge("--at 60 deadlock_ring5.yaml",
          "chain = blocking[\"chain\"]\n"
          "assert chain[\"back\"] == 0 and len(chain[\"buffers\"]) == 10");
    expect("worms --at 200 --top 1 mesh.yaml", 0, "Who holds worm ", NULL);
}

static void every_stall_is_written(void **state)
{
    (void)state;
    static const char *const scenarios[] = {"mesh.yaml", "deadlock_ring5.yaml"};
    for (int i = 0; i < 2; i++) {
        char arguments[64], line[256];
        snprintf(arguments, sizeof arguments, "worms --stalls stalls.csv %s", scenarios[i]);
        expect(arguments, i, "Longest stalls", NULL);
        assert_true(exists("stalls.csv") && !remains("stalls.csv."));
        judge(scenarios[i], "import csv\n"
                            "stalls = list(csv.DictReader(open(\"stalls.csv\")))\n"
                            "assert max(int(s[\"cycles\"]) for s in stalls) == "
                            "blocking[\"longest\"][0][\"cycles\"]\n"
                            "for w in waits: assert sum(int(s[w]) for s in stalls) == "
                            "blocking[\"worm_cycles\"][w]");
        snprintf(line, sizeof line, "\"$ANNELID\" worms --stalls - %s | cmp - stalls.csv",
                 scenarios[i]);
        expect_shell(line);
    }
    expect_shell("\"$ANNELID\" worms --at 150 --stalls - mesh.yaml | tail -n 1 | grep -q ',150,'");
}

// --- the map ---

static void a_map_shows_every_flit_once(void **state)
{
    (void)state;
    judge(
        "--at 60 mesh8_uniform.yaml",
        "import os, subprocess, re\n"
        "text = subprocess.run([os.environ[\"ANNELID\"], \"worms\", \"--map\", \"--at\", \"60\", "
        "\"mesh8_uniform.yaml\"], stdout=subprocess.PIPE).stdout.decode()\n"
        "lines = text[text.index(\"[0]\"):text.index(\"  lanes:\")].splitlines()\n"
        "assert max(len(line) for line in lines) <= 160 and \"[63]\" in text\n"
        "drawn = sum(int(d) for line in lines for d in re.sub(r\"\\[\\d+\\]\", \"\", "
        "line) if d.isdigit())\n"
        "inside = [p for p in blocking[\"buffers\"] if p[\"buffer\"].startswith(\"lane\") and not "
        "p[\"buffer\"].endswith(\".T\")]\n"
        "assert drawn == sum(p[\"flits\"] for p in inside) > 100\n"
        "blocked = [p for p in blocking[\"buffers\"] if p[\"worm\"] is not None and p[\"wait\"] != "
        "\"moving\"]\n"
        "signs = \"\".join(lines)\n"
        "assert signs.count(\"!\") + signs.count(\"*\") == len(blocked)\n"
        "assert signs.count(\"*\") + signs.count(\"=\") == len(blocking[\"chain\"][\"buffers\"])");
}

// A long worm goes from corner to corner and another one back; each has a flit on every link of its
// path.
static void expect_map(const char *network, const char *map)
{
    char text[512], output[16384];
    write_file("corners.txt", "0 0 8 20\n0 8 0 20\n");
    snprintf(text, sizeof text,
             "network: {%s, k: 3, n: 2, unsafe: true}\n"
             "switch: {num_vcs: 1, depth: 2, routing: dimension_order}\n"
             "traffic: {process: replay, messages: corners.txt}\n",
             network);
    write_file("corners.yaml", text);
    assert_int_equal(run("worms --map --at 12 corners.yaml", "", output, sizeof output), 0);
    char *begin = strstr(output, "\n\n"), *end = strstr(output, "\n\n  lanes:");
    if (!begin || !end) fail_msg("no map in:\n%s", output);
    end[1] = '\0';
    if (strcmp(begin + 2, map) != 0) fail_msg("expected:\n%s\nseen:\n%s", map, begin + 2);
}

static void maps_show_lanes_where_they_are(void **state)
{
    (void)state;
    expect_map("topology: mesh", "[0]-1 >[1]-1 >[2]\n"
                                 "T1 <. -T. <. -T.\n"
                                 "v. ^1  v. ^.  v1 ^.\n"
                                 "[3]-. >[4]-. >[5]\n"
                                 "T. <. -T. <. -T.\n"
                                 "v. ^1  v. ^.  v1 ^.\n"
                                 "[6]-. >[7]-. >[8]\n"
                                 "T. <1 -T. <1 -T1\n");
    expect_map("topology: torus", "    v1     v.     v.\n"
                                  "-. >[0]-. >[1]-. >[2]\n"
                                  "    T1 <. -T. <. -T. <1 -\n"
                                  "    v. ^.  v. ^.  v. ^.\n"
                                  "-. >[3]-. >[4]-. >[5]\n"
                                  "    T. <. -T. <. -T. <. -\n"
                                  "    v. ^.  v. ^.  v. ^.\n"
                                  "-1 >[6]-. >[7]-. >[8]\n"
                                  "    T. <. -T. <. -T1 <. -\n"
                                  "       ^.     ^.     ^1\n");
    expect_map("topology: unidirectional_torus", "    v1     v.     v.\n"
                                                 "-. >[0]-1 >[1]-1 >[2]\n"
                                                 "    T1     T.     T.\n"
                                                 "    v.     v.     v1\n"
                                                 "-. >[3]-. >[4]-. >[5]\n"
                                                 "    T.     T.     T.\n"
                                                 "    v.     v.     v1\n"
                                                 "-1 >[6]-. >[7]-. >[8]\n"
                                                 "    T.     T.     T1\n");
}

// Every output that the documentation shows must be the command's own. A line … stands for lines
// that are left out; the README also leaves out the end, without such a line.
static void the_documentation_shows_what_is_printed(void **state)
{
    (void)state;
    expect_shown("README.md", 1);
    expect_shown("docs/worms.md", 2);
}

static void maps_exist_in_one_and_two_dimensions(void **state)
{
    (void)state;
    static const char *const networks[] = {
        "topology=mesh --set network.n=1",
        "topology=torus",
        "topology=unidirectional_torus",
        "topology=torus --set network.n=1",
        "topology=hypercube --set network.k=2",
        "topology=hypercube --set network.k=2 --set network.n=1",
        "topology=mesh --set network.k=1",
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        char arguments[256];
        snprintf(arguments, sizeof arguments, "worms --map --at 40 --set network.%s mesh.yaml",
                 networks[i]);
        expect(arguments, 0, "lanes: . empty", NULL);
    }
    expect("worms --map --at 40 --set network.n=3 mesh.yaml", 2, NULL,
           "mesh.yaml: is a mesh, k = 4, n = 3; expected a k-ary n-cube of 1 or 2 dimensions for "
           "--map");
}

static void graphs_are_named_by_their_size(void **state)
{
    (void)state;
    write_file("graph.yaml", "network: {topology: graph}\n"
                             "graph: {switches: 3, terminals: [0, 2], links: [[0, 1], [1, 2]]}\n");
    write_file("cube.yaml", "network: {topology: cube, radix: [3, 2], concentration: 2}\n");
    expect("worms graph.yaml", 0, "network     graph, 2 terminals, 1 lane of 4 flits, up_down",
           NULL);
    expect("worms cube.yaml", 0, "network     cube, radix 3 2, concentration 2, 1 lane of", NULL);
    expect("worms --json graph.yaml", 0,
           "\"network\": {\"topology\": \"graph\", \"switches\": 3, \"terminals\": 2,", NULL);
    expect("worms --map --at 1 graph.yaml", 2, NULL,
           "graph.yaml: is a graph, 2 terminals; expected a k-ary n-cube of 1 or 2 dimensions");
}

// Some containers have no pseudo-terminals.
static bool pseudo_terminals_exist(void)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    const bool ready = master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0;
    const char *name = ready ? ptsname(master) : NULL;
    const int terminal = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (terminal >= 0) close(terminal);
    if (master >= 0) close(master);
    return terminal >= 0;
}

// script(1) runs the command on a terminal.
static void colours_are_for_terminals(void **state)
{
    (void)state;
    if (!pseudo_terminals_exist()) skip();
    const char *const at = "\"$ANNELID\" worms --at 60 mesh.yaml";
    char line[512];
    snprintf(line, sizeof line,
             "TERM=xterm COLUMNS=200 script -qec '%s' /dev/null | grep -q \"$(printf '\\033')\"",
             at);
    expect_shell(line);
    snprintf(line, sizeof line,
             "NO_COLOR=1 TERM=xterm COLUMNS=200 script -qec '%s' /dev/null > plain; grep -q "
             "'\\[15\\]' plain && ! grep -q \"$(printf '\\033')\" plain",
             at);
    expect_shell(line);
    snprintf(
        line, sizeof line,
        "TERM=xterm COLUMNS=20 script -qec '%s' /dev/null > narrow; ! grep -q '\\[15\\]' narrow",
        at);
    expect_shell(line);
    snprintf(line, sizeof line, "%s --map > file; ! grep -q \"$(printf '\\033')\" file", at);
    expect_shell(line);
}

// --- one blocking analysis ---

static void traces_tell_the_same_blocking(void **state)
{
    (void)state;
    static const char *const questions[] = {
        "",           "--worm 12",         "--at 45",        "--at 45 --worm 12 --map",
        "--json",     "--json --worm 12",  "--json --at 45", "--top 1000",
        "--stalls -", "--stalls - --at 45"};
    static const char *const scenarios[] = {"mesh", "deadlock_ring5", "stages"};
    write_file("stages.yaml", "network: {topology: mesh, k: 4, n: 2}\n"
                              "switch: {num_vcs: 2, depth: 4, stages: 2}\n"
                              "traffic: {load: 0.5, length: 8}\n"
                              "run: {cycles: 300, seed: 5}\n");
    for (size_t s = 0; s < sizeof scenarios / sizeof *scenarios; s++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "for form in txt anlt; do \"$ANNELID\" run --trace t.$form %s.yaml > /dev/null || "
                 "[ $? = 1 ]; done",
                 scenarios[s]);
        expect_shell(line);
        for (size_t q = 0; q < sizeof questions / sizeof *questions; q++) {
            if ((s + q) % unit_step(3)) continue;
            snprintf(line, sizeof line,
                     "for input in %s.yaml t.txt t.anlt; do \"$ANNELID\" worms %s $input > "
                     "${input#*.}.blocking; [ $? -lt 2 ] && [ -s ${input#*.}.blocking ] || exit 9; "
                     "done; sed -i '/^      annelid plot /d' yaml.blocking; "  // scenarios alone
                     "cmp yaml.blocking txt.blocking && cmp txt.blocking anlt.blocking",
                     scenarios[s], questions[q]);
            expect_shell(line);
        }
    }
}

static void settings_are_those_of_run(void **state)
{
    (void)state;
    expect_shell("\"$ANNELID\" run --seed 9 --load 0.3 --cycles 100 --set switch.depth=3 --trace "
                 "set.anlt mesh.yaml > /dev/null");
    expect_shell("\"$ANNELID\" worms set.anlt > a && \"$ANNELID\" worms --seed 9 --load 0.3 "
                 "--cycles 100 --set switch.depth=3 mesh.yaml > b && "
                 "sed -i '/^      annelid plot /d' b && cmp a b");
    expect("worms set.anlt", 0, "seed 9, ", NULL);
}

static void run_names_the_command_that_explains(void **state)
{
    (void)state;
    write_file("it's a ring.yaml",
               "network: {topology: unidirectional_torus, k: 5, n: 1, unsafe: true}\n"
               "switch: {routing: dimension_order, depth: 1}\n"
               "traffic: {process: batch, pattern: tornado, worms_per_terminal: 4, length: 32}\n");
    expect_shell(
        "\"$ANNELID\" run --seed 4 \"it's a ring.yaml\" > said; [ $? = 1 ] && PATH=$(dirname "
        "\"$ANNELID\"):$PATH sh -c \"$(sed -n 's/^why  *//p' said)\" > told; [ $? = 1 ] && "
        "grep -q 'seed 4' told && grep -q DEADLOCK told");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_deadlock_is_told_worm_by_worm),
        cmocka_unit_test(the_busiest_links_are_named),
        cmocka_unit_test(a_choice_of_lanes_is_no_way_out),
        cmocka_unit_test(the_other_dead_are_named),
        cmocka_unit_test(a_deadlock_closes_in_one_cycle),
        cmocka_unit_test(a_run_without_deadlock_is_told),
        cmocka_unit_test(a_worm_waits_for_its_own_tail),
        cmocka_unit_test(those_that_creep_are_found),
        cmocka_unit_test(alone_is_said),
        cmocka_unit_test(time_goes_somewhere),
        cmocka_unit_test(two_stages_are_told),
        cmocka_unit_test(a_life_is_told),
        cmocka_unit_test(a_cycle_is_told),
        cmocka_unit_test(every_stall_is_written),
        cmocka_unit_test(a_map_shows_every_flit_once),
        cmocka_unit_test(maps_show_lanes_where_they_are),
        cmocka_unit_test(the_documentation_shows_what_is_printed),
        cmocka_unit_test(maps_exist_in_one_and_two_dimensions),
        cmocka_unit_test(graphs_are_named_by_their_size),
        cmocka_unit_test(colours_are_for_terminals),
        cmocka_unit_test(traces_tell_the_same_blocking),
        cmocka_unit_test(settings_are_those_of_run),
        cmocka_unit_test(run_names_the_command_that_explains),
    };
    return cmocka_run_group_tests_name("cli_worms", tests, prepare, remove_directory);
}
