// SPDX-License-Identifier: Apache-2.0
//
// `annelid describe`: counts, distances and latencies of cubes, fat-trees and graphs, the
// parameters that the RTL of a scenario needs, networks written as graphs, which must give the
// same runs, and handshakes of links.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("mesh.yaml", "network: {topology: mesh, k: 8, n: 2}\n"
                            "switch: {num_vcs: 4, depth: 4}\n"
                            "traffic: {load: 0.3, length: 8}\n");
    write_file("tree.yaml", "network: {topology: fat_tree, n: 3}\n"
                            "switch: {depth: 2, arbiter: random}\n"
                            "traffic: {process: batch, pattern: random_function, length: 32}\n");
    write_file("cube.yaml", "switch: {num_vcs: 2}\n");
    write_file("pairs.yaml", "network: {topology: cube, radix: [2, 4], dimensions: ring}\n"
                             "switch: {num_vcs: 2}\ntraffic: {length: 4}\n");
    write_file("graph.yaml", "network: {topology: graph}\n"
                             "switch: {num_vcs: 2}\n"
                             "traffic: {length: 4}\n"
                             "graph:\n"
                             "  switches: [hub, left, right, end]\n"
                             "  terminals: [hub, left, right, end, end]\n"
                             "  links:\n"
                             "    - [hub, left]\n"
                             "    - [hub, right]\n"
                             "    - [left, end]\n"
                             "    - {from: hub, to: right}\n"
                             "    - {from: end, to: end}\n");
    return 0;
}

static void cubes_are_counted(void **state)
{
    (void)state;
    expect("describe mesh.yaml", 0, "mesh, k = 8, n = 2: 64 switches of 5 ports, 64 terminals",
           NULL);
    expect("describe mesh.yaml", 0, "224 links between switches, 16 across the middle", NULL);
    expect("describe mesh.yaml", 0, "distance at most 14, mean 5.250 links", NULL);
    expect("describe mesh.yaml", 0, "at least 23 cycles for 8 flits", NULL);
    expect("describe --set network.k=1 mesh.yaml", 0, "1 switch of 5 ports, 1 terminal\n", NULL);
    expect("describe --set network.topology=torus --set network.k=5 mesh.yaml", 0,
           "100 links between switches, 20 across the middle", NULL);
    expect("describe --set network.topology=torus --set network.k=5 mesh.yaml", 0,
           "distance at most 4, mean 2.400 links", NULL);
}

// A ring of two has two links each way, of which dimension order takes one.
static void idle_links_of_rings_of_two_are_named(void **state)
{
    (void)state;
    static const char idle[] = "rings of two: half of their links are never used";
    expect("describe --set network.topology=torus --set network.k=2 mesh.yaml", 0, idle, NULL);
    expect("describe pairs.yaml", 0, idle, NULL);
    char output[4096];
    run("describe --set network.radix=[3,4] pairs.yaml", "2>&1", output, sizeof output);
    assert_true(strstr(output, " switches of ") && !strstr(output, idle));
    run("describe --set network.dimensions=line pairs.yaml", "2>&1", output, sizeof output);
    assert_true(strstr(output, " switches of ") && !strstr(output, idle));
    run("describe --set switch.routing=adaptive --set switch.num_vcs=3 pairs.yaml", "2>&1", output,
        sizeof output);
    assert_true(strstr(output, " switches of ") && !strstr(output, idle));
}

// The levels have N/4, N/8, … switches. Below the root each switch has 2 links up and as many down.
// The bisection is half of the 4 channels of 2^(n-1) links between the root and the level below. Of
// 64 terminals 4 are at distance 0, 12 at distance 2 and 48 at distance 4.
static void trees_are_counted(void **state)
{
    (void)state;
    expect("describe tree.yaml", 0, "28 switches of 6 ports, 64 terminals", NULL);
    expect("describe tree.yaml", 0, "96 links between switches, 16 of them between the halves",
           NULL);
    expect("describe tree.yaml", 0, "distance at most 4, mean 3.375 links", NULL);
    expect("describe tree.yaml", 0, "at least 37 cycles for 32 flits", NULL);
    expect("describe --set network.n=1 tree.yaml", 0, "1 switch of 6 ports, 4 terminals", NULL);
    expect("describe --set network.n=1 tree.yaml", 0, "0 links between switches, 0 of", NULL);
    expect("describe --set network.n=1 tree.yaml", 0, "distance at most 0, mean 0.000", NULL);
    expect("describe --set network.n=2 tree.yaml", 0, "16 links between switches, 8 of", NULL);
    expect("describe --set network.n=5 tree.yaml", 0, "1920 links between switches, 64 of", NULL);
    expect("describe --set network.n=5 tree.yaml", 0, "distance at most 8, ", NULL);
    expect("describe --set switch.depth=1 tree.yaml", 0, "at least 68 cycles", NULL);
}

// Between right and end, the longest route has 3 links: up to the root, which is hub, and down.
// Lengths of routes from each terminal: hub 0 1 1 2 2, left 1 0 2 1 1, right 1 2 0 3 3, both at end
// 2 1 3 0 0.
static void graphs_are_counted(void **state)
{
    (void)state;
    expect("describe graph.yaml", 0, "graph: 4 switches of 5 ports, 5 terminals\n", NULL);
    expect("describe graph.yaml", 0, "8 links between switches, 2 of them without an opposite one",
           NULL);
    expect("describe graph.yaml", 0, "routes of at most 3, mean 1.280 links\n", NULL);
    expect("describe graph.yaml", 0, "at least 8 cycles for 4 flits over the longest route", NULL);
    expect("describe --set network.topology=cube --set network.radix=6,4 "
           "--set network.concentration=2 cube.yaml",
           0, "cube, radix 6 4, concentration 2: 24 switches of 6 ports, 48 terminals", NULL);
    expect("describe --set network.topology=cube --set network.radix=6,4 cube.yaml", 0,
           "76 links between switches, 12 across the middle", NULL);
    expect("describe --set network.topology=cube --set network.radix=6,4 cube.yaml", 0,
           "distance at most 8, mean 3.194 links", NULL);
}

// --- networks as graphs ---

static void digest_of(const char *file, const char *load, char *digest, size_t size)
{
    char arguments[256], output[4096];
    snprintf(arguments, sizeof arguments, "run --digest --referee --load %s %s", load, file);
    const int status = run(arguments, "2>&1", output, sizeof output);
    const char *found = strstr(output, "digest      ");
    if (status || !found) fail_msg("annelid %s: %s", arguments, output);
    snprintf(digest, size, "%.16s", found + strlen("digest      "));
}

static void same_as_graph(const char *network, const char *switches)
{
    static const char *const loads[] = {"0.05", "0.25", "0.7"};
    char text[512];
    snprintf(text, sizeof text,
             "network: {%s}\nswitch: {%s}\ntraffic: {length: [1, 5]}\nrun: {cycles: 300}\n",
             network, switches);
    write_file("plain.yaml", text);
    expect("describe --graph written.yaml plain.yaml", 0, NULL, NULL);
    snprintf(text, sizeof text,
             "network: {topology: graph, graph: written.yaml}\nswitch: {%s, routing: table}\n"
             "traffic: {length: [1, 5]}\nrun: {cycles: 300}\n",
             switches);
    write_file("table.yaml", text);
    for (int i = 0; i < 3; i++) {
        char plain[32], table[32];
        digest_of("plain.yaml", loads[i], plain, sizeof plain);
        digest_of("table.yaml", loads[i], table, sizeof table);
        if (strcmp(plain, table) != 0)
            fail_msg("%s, load %s: %s, as a graph %s", network, loads[i], plain, table);
    }
    expect("describe --graph again.yaml table.yaml", 0, NULL, NULL);
    expect_shell("cmp written.yaml again.yaml");
}

static void graphs_give_the_same_runs(void **state)
{
    (void)state;
    same_as_graph("topology: mesh, k: 4, n: 2", "num_vcs: 2, arbiter: random");
    same_as_graph("topology: torus, k: 5, n: 2", "num_vcs: 3, arbiter: farthest");
    same_as_graph("topology: unidirectional_torus, k: 4, n: 2", "num_vcs: 2, arbiter: age");
    same_as_graph("topology: hypercube, n: 4", "depth: 2");
    same_as_graph("topology: fat_tree, n: 1", "depth: 2");
    same_as_graph("topology: cube, radix: [4, 3], dimensions: [ring, line], concentration: 2",
                  "num_vcs: 2");
}

static void some_networks_are_no_graphs(void **state)
{
    (void)state;
    expect("describe --graph tree.out tree.yaml", 2, NULL,
           "annelid: tree.yaml: routing up_down_random may go by 2 ports, between which a table "
           "does not "
           "choose in this way");
    expect("describe --graph tree.out --set switch.routing=up_down_fixed tree.yaml", 2, NULL,
           "routing up_down_fixed may go by 2 ports");
    write_file("fly.yaml", "network: {topology: butterfly, k: 2, n: 3}\n"
                           "traffic: {load: 0.1, length: 1}\nrun: {cycles: 10}\n");
    expect("describe --graph tree.out fly.yaml", 2, NULL,
           "annelid: fly.yaml: terminal 0 sends to another switch than that from which it "
           "receives, which a "
           "graph cannot say");
    assert_false(remains("tree.out"));
    expect("describe --graph mesh.yaml mesh.yaml", 2, NULL, "mesh.yaml");
}

static void names_stay(void **state)
{
    (void)state;
    expect("describe --graph names.yaml graph.yaml", 0, NULL, NULL);
    expect_shell("grep -qx 'switches: \\[hub, left, right, end\\]' names.yaml");
    expect_shell("grep -qx '  - {from: 3.1, to: 3.2}' names.yaml");
}

// A link has an opposite one only if that leads back to the very port.
static void opposite_links_join_the_same_ports(void **state)
{
    (void)state;
    write_file("round.yaml", "network: {topology: graph}\n"
                             "switch: {routing: shortest}\n"
                             "graph:\n"
                             "  switches: 2\n"
                             "  terminals: [0.0, 1.0]\n"
                             "  links: [{from: 0.1, to: 1.1}, {from: 1.1, to: 0.2}]\n");
    expect("describe round.yaml", 0, "2 links between switches, 2 of them without", NULL);
}

// A link from a port to the same port is none of a pair.
static void a_loop_can_be_read_back(void **state)
{
    (void)state;
    write_file("loop.yaml", "network: {topology: graph}\n"
                            "switch: {routing: shortest}\n"
                            "graph:\n"
                            "  switches: 1\n"
                            "  terminals: [0.0]\n"
                            "  links: [{from: 0.1, to: 0.1}]\n");
    expect("describe --graph again.yaml loop.yaml", 0, NULL, NULL);
    expect("describe --set network.graph=again.yaml loop.yaml", 0, "1 link between switches, 0 of",
           NULL);
}

// --- Graphviz ---

static void dot_shows_ports(void **state)
{
    (void)state;
    expect("describe --dot graph.dot graph.yaml", 0, NULL, NULL);
    expect_shell("head -n 2 graph.dot | grep -q 'digraph annelid {'");
    expect_shell("grep -qF '\"hub\" [label=\"0(hub)\"];' graph.dot");
    expect_shell(
        "grep -qF '\"hub\" -> \"left\" [dir=both, taillabel=\"0\", headlabel=\"0\"];' graph.dot");
    expect_shell("grep -qF '\"hub\" -> \"right\" [taillabel=\"2\", headlabel=\"1\"];' graph.dot");
    expect_shell("grep -qF '\"end\" -> \"end\" [taillabel=\"1\", headlabel=\"2\"];' graph.dot");
    expect_shell("grep -qF '\"end\" -> \"terminal 4\" [dir=both, taillabel=\"4\"];' graph.dot");
    expect_shell("[ $(grep -c -e '->' graph.dot) = 10 ]");
    expect("describe --dot mesh.dot --set network.k=2 mesh.yaml", 0, NULL, NULL);
    expect_shell("grep -qF '0 -> 1 [dir=both, taillabel=\"+0\", headlabel=\"-0\"];' mesh.dot");
    expect_shell("[ $(grep -c -e '->' mesh.dot) = 8 ]");
    // A terminal of a butterfly sends to the first level and hears from the last one.
    write_file("fly.yaml", "network: {topology: butterfly, k: 2, n: 2}\n");
    expect("describe --dot fly.dot fly.yaml", 0, NULL, NULL);
    expect_shell("grep -qF '2 -> \"terminal 0\" [taillabel=\"0\"];' fly.dot");
    expect_shell("grep -qF '\"terminal 0\" -> 0;' fly.dot && ! grep -q both fly.dot");
}

static void words_fit_the_numbers(void **state)
{
    (void)state;
    expect("describe tree.yaml", 0, "1 lane of 2 flits per link", NULL);
    expect("describe tree.yaml", 0, "arbiter random, wormhole\n", NULL);
    expect("describe --set switch.credits=bypass tree.yaml", 0, "wormhole, credits bypass\n", NULL);
    expect("describe --set traffic.length=1 tree.yaml", 0, "worms of 1 flit\n", NULL);
    expect("describe tree.yaml", 0, "1 worm per terminal\n", NULL);
    expect("describe mesh.yaml", 0, "a head's fields take 6\n", NULL);
    expect("describe --set switch.length_in_head=true mesh.yaml", 0,
           "a head's fields take 13, with the length of the worm\n", NULL);
    expect("describe --set traffic.delays=3 --set traffic.delay_cycles=160 tree.yaml", 0,
           "1 worm per terminal after 0 to 2 times 160 cycles", NULL);
}

// The numbers are those of rtl/common/anl_pkg.sv and of the packages in rtl/net.
static void parameters_are_those_of_the_rtl(void **state)
{
    (void)state;
    expect("describe --rtl mesh.yaml", 0,
           "anl_cube K=8 N=2 Topology=0 Routing=0 NumVcs=4 Depth=4 FlitW=32 Arbiter=1\n", NULL);
    expect("describe --rtl --set switch.length_in_head=true mesh.yaml", 0,
           " Arbiter=1 LengthInHead=1\n", NULL);
    expect("describe --rtl --set network.topology=torus --set switch.routing=dimension_order "
           "--set network.unsafe=true mesh.yaml",
           0, "Topology=1 Routing=0 ", NULL);
    expect("describe --rtl tree.yaml", 0,
           "anl_fat_tree K=4 N=3 Routing=4 NumVcs=1 Depth=2 FlitW=32 Arbiter=2\n", NULL);
    expect("describe --rtl --set switch.routing=up_down_fixed tree.yaml", 0, "Routing=3 ", NULL);
    expect("describe --rtl --set switch.routing=up_down_greedy tree.yaml", 0, "Routing=5 ", NULL);
    expect("describe --rtl --set switch.routing=destination_tag tree.yaml", 0, "Routing=16 ", NULL);
    expect("describe --rtl --set switch.arbiter=farthest --set switch.credits=bypass tree.yaml", 0,
           "Arbiter=4 CreditBypass=1\n", NULL);
}

// --- handshakes of links ---

// Lanes and depth are those of the scenario. The receiver drives other wires in each style.
static void handshakes_are_judged(void **state)
{
    (void)state;
    write_file("two.yaml", "network: {topology: mesh, k: 2, n: 1}\nswitch: {num_vcs: 2}\n"
                           "traffic: {load: 0.1, length: 1}\n");
    write_file("credit.txt", " credit flit  A1 B1 said\n back 0 2\n");
    expect(
        "describe --handshakes credit.txt --set switch.depth=1 two.yaml", 0,
        "{\"num_vcs\": 2, \"depth\": 1, \"handshakes\": [{\"style\": \"credit\", \"line\": 1, "
        "\"says\": \"said\", \"cycles\": [{\"flit\": \"A\", \"vc\": 1, \"back\": "
        "{\"credit[0]\": 0, \"credit[1]\": 0}, \"crosses\": true, \"credits\": [1, 1], "
        "\"broken\": null, \"text\": \"\"}, {\"flit\": \"B\", \"vc\": 1, \"back\": "
        "{\"credit[0]\": 0, \"credit[1]\": 1}, \"crosses\": true, \"credits\": [1, 0], "
        "\"broken\": \"no_credit\", \"text\": \"a flit is sent to lane 1 without a credit\"}]}]}\n",
        NULL);
    write_file("pulse.txt", " credit_pulse_shared flit  A1 . \n back 3 5\n");
    expect("describe --handshakes pulse.txt mesh.yaml", 0, "\"back\": {\"pulse\": 0, \"lane\": 3}",
           NULL);
    expect("describe --handshakes pulse.txt mesh.yaml", 0, "\"back\": {\"pulse\": 1, \"lane\": 1}",
           NULL);
    write_file("ready.txt",
               " ready_valid flit  A0\n back 0\n ready_valid_per_lane flit  .\n back 2\n");
    expect("describe --handshakes ready.txt two.yaml", 0,
           "\"back\": {\"ready\": 0}, \"crosses\": false, \"credits\": [], ", NULL);
    expect("describe --handshakes ready.txt two.yaml", 0,
           "{\"flit\": null, \"vc\": 0, \"back\": {\"ready[0]\": 0, \"ready[1]\": 1}", NULL);
    write_file("stop.txt", " stop_go flit  A2 \303\n back 1\n");
    expect("describe --handshakes stop.txt two.yaml", 0,
           "\"says\": null, \"cycles\": [{\"flit\": \"A\", \"vc\": 2, \"back\": {\"stop[0]\": 1, "
           "\"stop[1]\": 0}, \"crosses\": false, \"credits\": [], \"broken\": \"bad_link\"",
           NULL);
    write_file("wrong.txt", "\n stop_go flit  A0 B0\n back 1\n");
    expect("describe --handshakes wrong.txt two.yaml", 2, NULL,
           "wrong.txt:3: numbers of back: found 1, expected 2\n");
}

// The object that a script reads, one line each; jansson puts the members into the order of the
// program.
static void links_are_said_with_and_without_a_network(void **state)
{
    (void)state;
    write_file("kinds.yaml", "style: stop_go\nwidth: 40\nslots: 7\ncredits: lane\n"
                             "type: {at: 38, width: 2, head: [1, 3], tail: [2, 3]}\n"
                             "head:\n  length: {at: 8, width: 4, plus: 1}\n"
                             "always: [{at: 20, width: 2, value: 3}]\n"
                             "changes: [{at: 16, width: 3}]\nignore: [changed, withdrawn]\n");
    write_file("marks.yaml", "style: credit\nwidth: 8\nmarks: {head: 7, tail: 6}\n"
                             "queues: outputs\nlane: {at: 4, width: 2}\n"
                             "head_always: [{at: 3, width: 1, value: 0}]\n"
                             "head: {destination: {at: 0, width: 3}}\n");
    expect("describe --links kinds.yaml", 0,
           "{\"style\": \"stop_go\", \"width\": 40, \"slots\": 7, \"columns\": 0, "
           "\"credits\": \"lane\", \"queues\": \"inputs\", \"marks\": null, "
           "\"type\": {\"at\": 38, \"width\": 2, \"plus\": 0, \"head\": [1, 3], "
           "\"tail\": [2, 3]}, \"head\": {\"length\": {\"at\": 8, \"width\": 4, "
           "\"plus\": 1}}, \"lane\": null, \"always\": [{\"at\": 20, \"width\": 2, "
           "\"plus\": 0, \"value\": 3}], \"head_always\": [], \"changes\": [{\"at\": 16, "
           "\"width\": 3, \"plus\": 0}], \"ignore\": [\"withdrawn\", \"changed\"]}\n",
           NULL);
    expect("describe --links marks.yaml", 0,
           "\"queues\": \"outputs\", \"marks\": {\"head\": 7, \"tail\": 6}, \"type\": null, "
           "\"head\": {\"destination\": {\"at\": 0, \"width\": 3, \"plus\": 0}}, "
           "\"lane\": {\"at\": 4, \"width\": 2, \"plus\": 0}, \"always\": [], "
           "\"head_always\": [{\"at\": 3, \"width\": 1, \"plus\": 0, \"value\": 0}]",
           NULL);
    expect("describe --links marks.yaml mesh.yaml", 2, NULL, "destination: found none, or one");
    expect("describe --links marks.yaml --set network.k=2 mesh.yaml", 0,
           "\"back\": 4, \"num_vcs\": 4, \"depth\": 4, \"ports\": 5, \"switches\": 4, "
           "\"terminals\": 4, "
           "\"radix\": 2, \"into\": [[",
           NULL);
    expect("describe --links marks.yaml --set network.k=2 --set switch.link=wide mesh.yaml", 2,
           NULL, "mesh.yaml: link wide cannot be watched in a simulation");
    expect("describe --links kinds.yaml mesh.yaml", 2, NULL,
           "kinds.yaml:7: head: found no destination, expected destination, or x and y");
    expect("describe --links none.yaml", 2, NULL, "none.yaml: No such file");
    expect("describe --links kinds.yaml --rtl", 2, NULL, "a scenario file is missing");
    expect("describe --set network.k=2 --links kinds.yaml", 2, NULL, "a scenario file is missing");
}

// The figures themselves are held against a second reading by tb/unit/scripts/test_cost.py.
static void cells_and_clock_are_estimated(void **state)
{
    (void)state;
    expect("describe --area mesh.yaml", 0, "ice40-hx8k\n           LUT4: ", NULL);
    expect("describe --area mesh.yaml", 0, "\necp5-25f\n           LUT4 sites: ", NULL);
    expect("describe --area mesh.yaml", 0, ", does not fit); with streams ", NULL);
    expect("describe --area mesh.yaml", 0, " of data: LUT4 sites ", NULL);
    expect("describe --area mesh.yaml", 0, "networks measured whole: the estimate of ", NULL);
    expect("describe --area --part ecp5-85f graph.yaml", 0, "ecp5-85f\n", NULL);
    expect("describe --area --part ecp5-85f graph.yaml", 0, " of 83,640 (", NULL);
    expect_shell(
        "test $($ANNELID describe --area --part ecp5-25f graph.yaml | grep -c '^[a-z]') = 1");
    expect_shell("$ANNELID describe --area --set network.k=16 --set switch.num_vcs=8 mesh.yaml | "
                 "grep -qE ': [0-9],[0-9]{3},[0-9]{3} of '");
    expect("describe --area-sets", 0, "set,kind,ice40_lut,ice40_lut_estimate,", NULL);
    expect("describe --area-sets", 0, "\nmesh_1x2,switch,711,", NULL);
}

static void what_was_not_measured_is_said(void **state)
{
    (void)state;
    expect_shell("! $ANNELID describe --area --set switch.num_vcs=2 mesh.yaml | grep extrapolated");
    expect("describe --area --set switch.depth=64 mesh.yaml", 0,
           "\nextrapolated: depth 64 (measured: 2 to ", NULL);
    expect("describe --area --set switch.num_vcs=8 mesh.yaml", 0,
           "\nextrapolated: 8 lanes (measured: 1 to 4)\n", NULL);
    expect("describe --area --set switch.num_vcs=8 mesh.yaml", 0, " MHz, extrapolated, that of ",
           NULL);
    expect("describe --area --set switch.flit_width_bits=512 mesh.yaml", 0,
           "\nextrapolated: flits of 512 bits (measured: ", NULL);
    expect("describe --area --set switch.arbiter=age --set switch.stages=2 mesh.yaml", 0,
           "\nextrapolated: arbiter age, two stages with 4 lanes (never measured)\n", NULL);
    expect("describe --area --set switch.classes=2 mesh.yaml", 0,
           "\nextrapolated: classes of messages\n", NULL);
    // Switches of 128 bits and of 16 flits were measured, but neither their terminals nor clocks.
    static const char clock[] = " MHz, extrapolated, that of ";
    expect("describe --area --set switch.num_vcs=2 --set switch.flit_width_bits=128 mesh.yaml", 0,
           "\nextrapolated: terminals with flits of 128 bits (measured: 36 to 64)\n", NULL);
    expect("describe --area --set switch.num_vcs=2 --set switch.flit_width_bits=128 mesh.yaml", 0,
           clock, NULL);
    expect("describe --area --set switch.num_vcs=2 --set switch.depth=16 mesh.yaml", 0, clock,
           NULL);
    expect("describe --area --set switch.num_vcs=2 --set network.n=3 mesh.yaml", 0, clock, NULL);
    expect("describe --area --set switch.num_vcs=2 --set switch.flow_control=cut_through "
           "--set traffic.length=4 mesh.yaml",
           0, clock, NULL);
    expect("describe --area --set switch.num_vcs=2 --set switch.flow_control=cut_through "
           "--set traffic.length=4 mesh.yaml",
           0, "\nextrapolated: terminals whose heads have more than a label\n", NULL);
}

static void what_has_no_estimate_is_refused(void **state)
{
    (void)state;
    expect("describe --area --part ecp5-12f mesh.yaml", 2, NULL,
           "--part \"ecp5-12f\": expected ice40-hx8k, ecp5-25f, ecp5-45f or ecp5-85f");
    expect("describe --part ecp5-25f mesh.yaml", 2, NULL, "--part has no effect");
    expect("describe --area", 2, NULL, "");
    expect("describe --area --set switch.link=wide mesh.yaml", 2, NULL,
           "switches with \"link: wide\" are no sets of the estimate, it expects shared");
    expect("describe --area --set network.k=64 mesh.yaml", 2, NULL,
           "4096 switches with 4096 terminals: the estimate expects fewer");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cubes_are_counted),
        cmocka_unit_test(cells_and_clock_are_estimated),
        cmocka_unit_test(what_was_not_measured_is_said),
        cmocka_unit_test(what_has_no_estimate_is_refused),
        cmocka_unit_test(idle_links_of_rings_of_two_are_named),
        cmocka_unit_test(trees_are_counted),
        cmocka_unit_test(graphs_are_counted),
        cmocka_unit_test(graphs_give_the_same_runs),
        cmocka_unit_test(some_networks_are_no_graphs),
        cmocka_unit_test(names_stay),
        cmocka_unit_test(opposite_links_join_the_same_ports),
        cmocka_unit_test(a_loop_can_be_read_back),
        cmocka_unit_test(dot_shows_ports),
        cmocka_unit_test(words_fit_the_numbers),
        cmocka_unit_test(parameters_are_those_of_the_rtl),
        cmocka_unit_test(handshakes_are_judged),
        cmocka_unit_test(links_are_said_with_and_without_a_network),
    };
    return cmocka_run_group_tests_name("cli_describe", tests, prepare, remove_directory);
}
