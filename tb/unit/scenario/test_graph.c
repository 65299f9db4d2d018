// SPDX-License-Identifier: Apache-2.0
//
// Graphs in scenarios: what the text says is what the network is, every refusal has its file and
// line, and the text that a trace carries gives the same network again.

#include "unit_scenario.h"

#include <annelid/run.h>
#include <stdlib.h>

#define GRAPH "network: {topology: graph}\ngraph:\n"  // the next line is line 3
#define PAIR "network: {topology: graph}\ngraph: {switches: 2, terminals: [0.1, 1.1], "
#define TABLE "network: {topology: graph}\nswitch: {routing: table, num_vcs: 2}\n"

// Says where the link of an output port ends: "2.0", "T3", or "-".
static const char *end_of(const struct anl_scenario *s, uint32_t switch_, uint32_t port)
{
    static char text[32];
    const struct anl_end end = anl_link_end(&s->network, switch_, port);
    if (!end.exists) return "-";
    if (end.is_terminal)
        snprintf(text, sizeof text, "T%u", end.node);
    else
        snprintf(text, sizeof text, "%u.%u", end.node, end.port);
    return text;
}

// Compares the ends of all ports, switch by switch, with a text such as "1.0 T0 | 0.0 T1".
static void expect_ends(const struct anl_scenario *s, const char *expected)
{
    const struct anl_shape shape = anl_shape_of(&s->network);
    char text[1024] = "";
    size_t used = 0;
    for (uint32_t link = 0; link < shape.switches * shape.ports; link++) {
        const char *before = link % shape.ports ? " " : link ? " | " : "";
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", before,
                                 end_of(s, link / shape.ports, link % shape.ports));
    }
    assert_string_equal(text, expected);
}

static void expect_text(const char *text, uint32_t ports, const char *ends)
{
    struct anl_scenario s = must_parse(text);
    assert_int_equal(s.network.graph->ports, ports);
    expect_ends(&s, ends);
    anl_scenario_free(&s);
}

// --- good ---

static void places_have_names_and_numbers(void **state)
{
    (void)state;
    struct anl_scenario s =
        must_parse(GRAPH "  switches: [hub, a-1, b_2]\n  terminals: [a-1.1, 2.1]\n"
                         "  links: [[hub.0, a-1.0], [0.2, 'b_2.0']]\n");
    char name[64];
    expect_ends(&s, "1.0 - 2.0 | 0.0 T0 - | 0.2 T1 -");
    anl_link_name(&s.network, 2, name, sizeof name);
    assert_string_equal(name, "0(hub).2");
    anl_link_name(&s.network, 4, name, sizeof name);
    assert_string_equal(name, "1(a-1).1");
    anl_link_name(&s.network, 10, name, sizeof name);
    assert_string_equal(name, "T1.inject");
    anl_scenario_free(&s);
    s = must_parse(GRAPH "  switches: 3\n  terminals: [1.1, 2.1]\n"
                         "  links: [[0.0, 1.0], [0.2, \"2.0\"]]\n");
    expect_ends(&s, "1.0 - 2.0 | 0.0 T0 - | 0.2 T1 -");
    anl_link_name(&s.network, 2, name, sizeof name);
    assert_string_equal(name, "0.2");
    anl_scenario_free(&s);
}

// Links come first, wherever they stand, and in a link the place at its beginning.
static void ports_are_numbered_by_the_order_of_the_text(void **state)
{
    (void)state;
    expect_text(GRAPH "  switches: [hub, a, b]\n  terminals: [a, hub, b, b]\n"
                      "  links: [[hub, a], [b, hub], {from: a, to: b}, {to: a, from: b}]\n",
                5, "1.0 2.0 T1 - - | 0.0 2.1 - T0 - | 0.1 - 1.2 T2 T3");
    expect_text(GRAPH "  switches: 1\n  terminals: [0]\n  links: [{to: 0, from: 0}]\n", 3,
                "0.1 - T0");
}

static void more_ports_may_be_given_than_have_links(void **state)
{
    (void)state;
    expect_text(PAIR "links: [[0.0, 1.0]], ports: 4}\n", 4, "1.0 T0 - - | 0.0 T1 - -");
    expect_text(PAIR "links: [[0.0, 1.0]], ports: 2}\n", 2, "1.0 T0 | 0.0 T1");
    expect_text(PAIR "links: [[0.0, 1.0], [0.31, 1.4]]}\n", 32,
                "1.0 T0 - - - - - - - - - - - - - - - - - - - - - - - - - - - - - 1.4 | "
                "0.0 T1 - - 0.31 - - - - - - - - - - - - - - - - - - - - - - - - - - -");
}

static void links_go_one_way_or_both(void **state)
{
    (void)state;
    expect_text("graph:\n  switches: 3\n  terminals: [0.2, 1.2, 2.2]\n"
                "  links:\n  - {from: 0.0, to: 1.1}\n  - {to: 2.1, from: 1.0}\n"
                "  - {from: 2.0, to: 0.1}\n  - {from: 2.1, to: 2.0}\n"
                "switch: {routing: shortest}\nnetwork: {topology: graph, unsafe: true}\n",
                3, "1.1 - T0 | 2.1 - T1 | 0.1 2.0 T2");
}

static struct anl_way route(const struct anl_scenario *s, uint32_t switch_, uint32_t terminal)
{
    const struct anl_input_lane at = {switch_, 0, 0};
    return anl_first_way(anl_route_at(&s->network, at, terminal));
}

// Entry (1, 1) and those of switch 2, which no head comes to, are left out.
static void tables_say_ports_and_lanes(void **state)
{
    (void)state;
    struct anl_scenario s =
        must_parse("network: {topology: graph}\nswitch: {routing: table, num_vcs: 4}\n"
                   "graph:\n  switches: [a, b, c]\n  terminals: [a.2, b.2, b.3]\n"
                   "  links: [[a.0, b.0], [b.1, c.0]]\n"
                   "  routes: [[a, 1-2, 0, 1-2], [1, 0, 0, all], [b, 2, 3, 3]]\n");
    assert_int_equal(route(&s, 0, 0).port, 2);
    assert_int_equal(route(&s, 0, 0).vcs, 15);
    assert_int_equal(route(&s, 0, 1).port, 0);
    assert_int_equal(route(&s, 0, 1).vcs, 6);
    assert_int_equal(route(&s, 0, 2).vcs, 6);
    assert_int_equal(route(&s, 1, 0).port, 0);
    assert_int_equal(route(&s, 1, 0).vcs, 15);
    assert_int_equal(route(&s, 1, 1).port, 2);
    assert_int_equal(route(&s, 1, 1).vcs, 15);
    assert_int_equal(route(&s, 1, 2).port, 3);
    assert_int_equal(route(&s, 1, 2).vcs, 8);
    anl_scenario_free(&s);
}

// Says the options of a head: "0 of 0,1 and 3 of 2".
static const char *options(const struct anl_scenario *s, uint32_t switch_, uint32_t port,
                           uint32_t terminal)
{
    static char text[128];
    const struct anl_route route =
        anl_route_at(&s->network, (struct anl_input_lane){switch_, port, 0}, terminal);
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t p = 0; p < ANL_MAX_PORTS; p++)
        if (route.ports >> p & 1)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u: %x", used ? ", " : "",
                                     p, route.vcs[p]);
    return text;
}

static struct anl_scenario must_read_again(const struct anl_scenario *s, const char *head)
{
    char *text = NULL;
    size_t bytes;
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    fprintf(stream, "%sgraph:\n", head);
    char *graph = NULL;
    size_t graph_bytes;
    FILE *lines = open_memstream(&graph, &graph_bytes);
    anl_scenario_write_graph(lines, s->graph);
    fclose(lines);
    for (const char *line = graph; *line; line = strchr(line, '\n') + 1)
        fprintf(stream, "  %.*s\n", (int)strcspn(line, "\n"), line);
    fclose(stream);
    const struct anl_scenario again = must_parse(text);
    free(graph);
    free(text);
    return again;
}

// From 0 to 1 by two ports; rows with one port add lanes. What is written is read as the same.
static void rows_of_an_entry_are_options(void **state)
{
    (void)state;
    static const char head[] = "network: {topology: graph}\nswitch: {routing: table, num_vcs: 4, "
                               "escape_vcs: 1, select: random}\n";
    char text[1024];
    snprintf(text, sizeof text,
             "%sgraph:\n  switches: 2\n  terminals: [0.2, 1.2]\n"
             "  links: [[0.0, 1.0], [0.1, 1.1]]\n  routes: [[0, 1, 1, 0-1], [0, 1, 0, 1], "
             "[0, 1, 1, 3], [1, 0, 0, all], [1, 0, 1, 0]]\n",
             head);
    struct anl_scenario s = must_parse(text);
    struct anl_scenario again = must_read_again(&s, head);
    const struct anl_scenario *both[] = {&s, &again};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(options(both[i], 0, 2, 1), "0: 2, 1: b");
        assert_string_equal(options(both[i], 1, 2, 0), "0: f, 1: 1");
        assert_string_equal(options(both[i], 1, 0, 1), "2: f");
        assert_int_equal(both[i]->network.atomic, ANL_ATOMIC_ADAPTIVE);
        assert_int_equal(both[i]->network.select, ANL_SELECT_RANDOM);
    }
    assert_true(s.graph->hash == again.graph->hash);
    anl_scenario_free(&s);
    anl_scenario_free(&again);
}

// A head for terminal 1 goes round by switch 2, and for terminal 2 it does not.
static void rows_may_name_input_ports(void **state)
{
    (void)state;
    static const char head[] = "network: {topology: graph, unsafe: true}\n"
                               "switch: {routing: table, num_vcs: 2}\n";
    char text[1024];
    snprintf(text, sizeof text,
             "%sgraph:\n  switches: 3\n  terminals: [0.2, 1.2, 2.2]\n"
             "  links: [[0.0, 1.1], [1.0, 2.1], [2.0, 0.1]]\n"
             "  routes: [[0, 2, 1, 1, 0], [2, 0, 1, 1, all], [0, 1-2, 2, 1, all], "
             "[1, all, 0, 1, all], [1, all, 2, 0, all], [2, 2, 0, 0, all], [2, 2, 1, 1, 1]]\n",
             head);
    struct anl_scenario s = must_parse(text);
    struct anl_scenario again = must_read_again(&s, head);
    const struct anl_scenario *both[] = {&s, &again};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(options(both[i], 0, 2, 1), "1: 1");
        assert_string_equal(options(both[i], 0, 1, 1), "");
        assert_string_equal(options(both[i], 2, 0, 1), "1: 3");
        assert_string_equal(options(both[i], 2, 2, 1), "1: 2");
        assert_string_equal(options(both[i], 1, 1, 1), "2: 3");
        assert_int_equal(anl_distance(&both[i]->network, 0, 1), 2);
    }
    anl_scenario_free(&s);
    anl_scenario_free(&again);
}

// Switch 1 has entries that would close a cycle, but no head comes there.
static void entries_that_no_head_asks_for_close_no_cycle(void **state)
{
    (void)state;
    static const char text[] =
        TABLE "graph:\n  switches: 4\n  terminals: [0.3, 2.3, %s]\n"
              "  links: [[0.0, 1.0], [1.1, 2.0], [2.1, 3.0], [3.1, 0.1]]\n"
              "  routes: [[0, 1, 0, all], [1, 1, 1, all], [2, 0, 1, all], [3, 0, 1, all],\n"
              "    [1, 2, 1, all], [2, 2, 1, all], [3, 1, 1, all], [0, 2, %u, all]]\n";
    char filled[1024];
    struct anl_scenario s;
    struct anl_error error = {0};
    snprintf(filled, sizeof filled, text, "3.3", 1);
    s = must_parse(filled);
    anl_scenario_free(&s);
    snprintf(filled, sizeof filled, text, "3.3", 0);
    assert_int_equal(parse(filled, &s, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "routing table can deadlock here, in a cycle of 4 lanes"));
}

// --- refused ---

#define LINK "links: [[0.0, 1.0]]"
#define ROUTED                                                                                     \
    TABLE "graph:\n  switches: [a, b]\n  terminals: [a.1, b.1]\n  links: [[a.0, b.0]]\n  "         \
          "routes:\n"

static const struct refused refused[] = {
    // The mapping.
    {"network:\n  topology: graph\n", 1, "network.graph: found nothing", "or a section graph"},
    {"network: {topology: graph}\ngraph: 7\n", 2, "graph: found 7", "a mapping of keys"},
    {"network: {topology: graph}\ngraph: [1]\n", 2, "graph: found a list", "a mapping of keys"},
    {"network: {topology: graph}\ngraph:\n", 2, "graph: found nothing", "a mapping of keys"},
    {GRAPH "  ports: 3\n", 4, "graph: found no switches", ""},
    {GRAPH "  switches: 2\n", 4, "graph: found no terminals", ""},
    {GRAPH "  switches: 2\n  terminals: []\n", 5, "graph: found no terminals", ""},
    {GRAPH "  switchs: 2\n", 3, "graph: found switchs",
     "switches, ports, terminals, links, routes or"},
    {GRAPH "  [1]: 2\n", 3, "graph: found a list", "expected switches"},
    {GRAPH "  {a: 1}: 2\n", 3, "graph: found a mapping", "expected switches"},
    {GRAPH "  switches: 2\n  switches: 2\n", 4, "found switches a second time", "once"},
    {GRAPH "  terminals: [0]\n  switches: 2\n", 3, "found terminals", "expected switches before"},
    {GRAPH "  links: []\n", 3, "found links", "expected switches before"},
    {GRAPH "  switches: 2\n  routes: []\n", 4, "found routes", "expected terminals before"},
    {"graph: {switches: 1, terminals: [0]}\n" GRAPH "  switches: 1\n", 3,
     "found section graph a second time", "first in line 1"},
    {GRAPH "  switches: 2\n  terminals: [0, 1]\nrun: {seed: 1}\nnetwork: {k: 2}\n", 6,
     "found section network a second time", "first in line 1"},
    {"network: {topology: graph, k: 4}\n", 1, "k is not for", "topology graph"},
    {"network: {topology: graph}\ngraph: {switches: 1, terminals: &a [0]}\n", 2, "found an anchor",
     "without one"},
    // Switches and ports.
    {GRAPH "  switches: 0\n", 3, "switches: found 0", "an integer 1..65536"},
    {GRAPH "  switches: 65537\n", 3, "switches: found 65537", "an integer 1..65536"},
    {GRAPH "  switches: 100000\n", 3, "switches: found 100000", "an integer 1..65536"},
    {GRAPH "  switches: '2'\n", 3, "switches: found 2", "an integer"},
    {GRAPH "  switches: {a: 1}\n", 3, "switches: found a mapping", "an integer"},
    {GRAPH "  switches: []\n", 3, "switches: found an empty list", "names"},
    {GRAPH "  switches: [a,\n    3b]\n", 4, "switches: found 3b", "a name: a letter, then"},
    {GRAPH "  switches: [a.b]\n", 3, "switches: found a.b", "a name"},
    {GRAPH "  switches: ['']\n", 3, "switches: found an empty text", "a name"},
    {GRAPH "  switches: [\"a\\0b\"]\n", 3, "switches: found 'a?b'", "a name"},
    {GRAPH "  switches: [[a]]\n", 3, "switches: found a list", "a name"},
    {GRAPH "  switches: [abcdefghijklmnopqrstuvwxyz012345]\n", 3, "found abcdefgh", "a name"},
    {GRAPH "  switches: [a, b,\n    a]\n", 4, "found the name a a second time", ""},
    {GRAPH "  ports: 33\n", 3, "ports: found 33", "an integer 1..32"},
    {GRAPH "  ports: 0\n", 3, "ports: found 0", "an integer 1..32"},
    // Places.
    {GRAPH "  switches: 2\n  terminals: 3\n", 4, "terminals: found 3", "a list"},
    {GRAPH "  switches: 2\n  links: {a: b}\n", 4, "links: found a mapping", "a list"},
    {GRAPH "  switches: 2\n  terminals: [[0.1]]\n", 4, "found a list", "switch.port"},
    {GRAPH "  switches: 2\n  terminals: ['']\n", 4, "found an empty text", "switch.port"},
    {GRAPH "  switches: 2\n  terminals: [2.0]\n", 4, "the switch '2'", "a number 0..1"},
    {GRAPH "  switches: 2\n  terminals: [hub.0]\n", 4, "the switch 'hub'", "a number 0..1"},
    {GRAPH "  switches: [a, b]\n  terminals: [c]\n", 4, "the switch 'c'", "a name (a, b) or 0..1"},
    {GRAPH "  switches: [a, b]\n  terminals: [2]\n", 4, "the switch '2'", "a name (a, b) or 0..1"},
    {GRAPH "  switches: 2\n  terminals: [0.32]\n", 4, "found '0.32'", "a port 0..31"},
    {GRAPH "  switches: 2\n  terminals: [0.]\n", 4, "found '0.'", "a port 0..31"},
    {GRAPH "  switches: 2\n  terminals: [0.01]\n", 4, "found '0.01'", "a port 0..31"},
    {GRAPH "  switches: 2\n  terminals: [0.1.2]\n", 4, "found '0.1.2'", "a port 0..31"},
    {GRAPH "  switches: 2\n  terminals: [.5]\n", 4, "the switch nothing", "a number 0..1"},
    {GRAPH "  switches: 2\n  terminals: [-1.0]\n", 4, "the switch '-1'", "a number 0..1"},
    {GRAPH "  switches: 2\n  terminals: [00.0]\n", 4, "the switch '00'", "a number 0..1"},
    {GRAPH "  switches: 2\n  terminals: [18446744073709551616.0]\n", 4, "the switch '1844", "0..1"},
    {GRAPH "  switches: 2\n  terminals:\n  - 0.1\n  - 1\n  links: []\n", 6,
     "found a port without a number after one with", "all or none"},
    {GRAPH "  switches: 2\n  terminals:\n  - 0.1\n  - 1.0\n  links:\n  - [0, 1]\n", 5,
     "found a port with a number after one without", "all or none"},
    {GRAPH "  switches: 2\n  ports: 2\n  terminals: [0.1,\n    1.2]\n", 6,
     "found port 2 of switch 1", "0..1"},
    {GRAPH "  switches: 2\n  terminals: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,\n"
           "    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,\n    0]\n",
     6, "switch 0 has more than 32 ports", ""},
    // Links and terminals.
    {PAIR "links: [[0.0]]}\n", 2, "found nothing", "switch.port"},
    {PAIR "links: [[0.0, 1.0, 1.2]]}\n", 2, "links: found a third end", "two"},
    {PAIR "links: [0.0]}\n", 2, "links: found 0.0", "[switch.port, switch.port] or {from"},
    {PAIR "links: [{from: 0.0}]}\n", 2, "links:", "expected from and to"},
    {PAIR "links: [{from: 0.0, from: 1.0}]}\n", 2, "links: found from", "each once"},
    {PAIR "links: [{from: 0.0, too: 1.0}]}\n", 2, "links: found too", "each once"},
    {PAIR "links: [{from: 0.0, to: [1.0]}]}\n", 2, "found a list", "switch.port"},
    {PAIR "links: [{[from]: 0.0}]}\n", 2, "links: found a list", "each once"},
    {PAIR "\n  links: [[0.0, 1.0],\n    [0.0, 1.2]]}\n", 4,
     "output port 0 of switch 0 has a link already", ""},
    {PAIR "\n  links: [[0.0, 1.0],\n    {from: 1.2, to: 0.0}]}\n", 4,
     "input port 0 of switch 0 has a link already", ""},
    {PAIR "links: [[0.0, 0.0]]}\n", 2, "output port 0 of switch 0 has a link already", ""},
    {PAIR "links: [[0.1, 1.0]]}\n", 2, "port 1 of switch 0 has a link already",
     "terminal 0 expects a free port"},
    {GRAPH "  switches: 2\n  terminals: [0.1,\n    0.1]\n", 5, "port 1 of switch 0 has a link",
     "terminal 1 expects a free port"},
    {GRAPH "  switches: 2\n  terminals: [0.0, 1.0]\n", 2, "no path leads from switch 1 to switch 0",
     ""},
    {"network: {topology: graph}\nswitch:\n  depth: 2\n  routing: shortest\n"
     "graph:\n  switches: 2\n  terminals: [0.0, 1.0]\n  links: [{from: 0.1, to: 1.1}]\n",
     4, "no path leads from switch 1 to terminal 0", ""},
    {"network: {topology: graph}\nswitch:\n  routing: shortest\n"
     "graph:\n  switches: 3\n  terminals: [0.0, 1.0]\n  links: [[0.1, 1.1]]\n",
     3, "no path leads from switch 2 to terminal 0", ""},
    {GRAPH "  switches: 2\n  terminals: [0.0, 1.0]\n  links: [{from: 0.1, to: 1.1}]\n", 2,
     "up_down expects a link back from switch 1 to switch 0", ""},
    {"network: {topology: graph}\ngraph: {switches: [hub, west], terminals: [hub, west], links: "
     "[{from: hub, to: west}]}\n",
     2, "up_down expects a link back from switch 1(west) to switch 0(hub)", ""},
    {"network: {topology: graph}\ngraph: {switches: [hub, west], terminals: [hub.0, west.0], "
     "links: [[hub.0, west.1]]}\n",
     2, "port 0 of switch 0(hub) has a link already, terminal 0", ""},
    {"network: {topology: graph}\ngraph: {switches: [hub, west], ports: 1, terminals: [hub.0, "
     "west.1]}\n",
     2, "found port 1 of switch 1(west), expected 0..0", ""},
    {GRAPH "  switches: 65536\n  terminals: [0.0]\n", 2, "no path leads from switch 1 to switch 0",
     ""},
    // Routings.
    {"network: {topology: graph}\nswitch: {routing: e_cube}\n"
     "graph: {switches: 1, terminals: [0]}\n",
     2, "routing e_cube does not work on", "topology graph"},
    {"network: {topology: mesh, k: 2, n: 1}\nswitch: {routing: up_down}\n", 2,
     "routing up_down does not work on", "topology mesh"},
    {"network: {topology: graph}\nswitch:\n  credits: bypass\ngraph: {switches: 1, terminals: "
     "[0]}\n",
     3, "credits bypass works on topology fat_tree and butterfly", "not on graph"},
    {TABLE "graph: {switches: 1, terminals: [0]}\n", 2, "switch.table: found nothing",
     "expected path, or routes in the graph"},
    {"network: {topology: graph}\nswitch:\n  num_vcs: 2\n  table: t.csv\n"
     "graph: {switches: 1, terminals: [0]}\n",
     4, "table is for routing table", "routing is up_down"},
    {"network: {topology: graph}\nswitch: {flit_width_bits: 8, arbiter: age}\n"
     "graph: {switches: 1, terminals: [0]}\n",
     2, "flit_width_bits is 8", "expected 17..512"},
    {"network: {topology: graph}\ntraffic: {process: generator}\n"
     "graph: {switches: 1, terminals: [0]}\n",
     1, "process generator expects another topology than graph", ""},
    // Tables.
    {TABLE "graph:\n  switches: [a, b]\n  terminals: [a, b]\n  links: [[a, b]]\n  routes: []\n", 7,
     "routes: found an empty list", "expected a row for each switch and destination"},
    {TABLE "graph:\n  switches: [hub, west]\n  terminals: [hub, west]\n  links: [[hub, vest]]\n", 6,
     "found the switch 'vest', expected a name (hub, west) or 0..1", "; did you mean west?"},
    {TABLE "graph:\n  switches: [hub, west]\n  terminals: [hub, west]\n  links: [[hub, T1]]\n", 6,
     "found the switch 'T1', expected a name (hub, west) or 0..1", "; T1 is a terminal"},
    {ROUTED "  - [a, 1, 0]\n", 8, "routes: found 3 fields", "[switch, destination, port"},
    {ROUTED "  - [a, 1, 1, 0, 0, 0]\n", 8, "routes: found a sixth field", "or input behind switch"},
    {ROUTED "  - [a, 1, 0, 0]\n  - [b, 1, 0, 0, 0]\n", 9, "found a row with an input port",
     "expected all or none"},
    {ROUTED "  - [a, 1, 1, 0, 0]\n  - [b, 0, 0, 0]\n", 9, "found a row without an input port",
     "expected all or none"},
    {ROUTED "  - [a, 2, 1, 0, 0]\n", 8, "input: found '2'", "expected 0..1"},
    {ROUTED "  - [a, in, 1, 0, 0]\n", 8, "input: found 'in'", "0..31, several"},
    {ROUTED "  - [a, 0, 1, 0, 0]\n  - [b, 1, 0, 0, 0]\n", 2,
     "no entry for switch 0(a), input port 1 and terminal 1", ""},
    {"network: {topology: graph}\nswitch: {routing: table, num_vcs: 2, escape_vcs: 2}\n"
     "graph:\n  switches: [a, b]\n  terminals: [a.1, b.1]\n  links: [[a.0, b.0]]\n"
     "  routes: [[a, 1, 0, all], [b, 0, 0, all]]\n",
     2, "escape_vcs is 2", "0..1"},
    {"network: {topology: graph}\n"
     "switch: {routing: table, num_vcs: 2, escape_vcs: 1, select: straight_first}\n"
     "graph:\n  switches: [a, b]\n  terminals: [a.1, b.1]\n  links: [[a.0, b.0]]\n"
     "  routes: [[a, 1, 0, all], [b, 0, 0, all]]\n",
     2, "select straight_first does not work on topology graph", ""},
    {ROUTED "  - a\n", 8, "routes: found a", "[switch, destination, port, lanes]"},
    {ROUTED "  - [a, [1], 0, 0]\n", 8, "routes: found a list", "[switch, destination, port"},
    {ROUTED "  - [c, 1, 0, 0]\n", 8, "switch: found 'c'", "0..1"},
    {ROUTED "  - [0-1, 1, 0, 0]\n", 8, "switch: found '0-1'", "0..1"},
    {ROUTED "  - [all, 1, 0, 0]\n", 8, "switch: found 'all'", "0..1"},
    {ROUTED "  - [a, 2, 0, 0]\n", 8, "destination: found '2'", "0..1, several like 0-3, or all"},
    {ROUTED "  - [a, 1-2, 0, 0]\n", 8, "destination: found '1-2'", "0..1, several"},
    {ROUTED "  - [a, 1-0, 0, 0]\n", 8, "destination: found '1-0'", "0..1, several"},
    {ROUTED "  - [a, 0-1-1, 0, 0]\n", 8, "destination: found '0-1-1'", "0..1, several"},
    {ROUTED "  - [a, 0-, 0, 0]\n", 8, "destination: found '0-'", "0..1, several"},
    {ROUTED "  - [a, '', 0, 0]\n", 8, "destination: found nothing", "0..1, several"},
    {ROUTED "  - [a, 1, 32, 0]\n", 8, "port: found '32'", "0..31"},
    {ROUTED "  - [a, 1, 0-1, 0]\n", 8, "port: found '0-1'", "0..31"},
    {ROUTED "  - [a, 1, all, 0]\n", 8, "port: found 'all'", "0..31"},
    {ROUTED "  - [a, 1, 0, 8]\n", 8, "lanes: found '8'", "0..7, several like 0-3, or all"},
    {ROUTED "  - [a, 1, 0, ten]\n", 8, "lanes: found 'ten'", "0..7"},
    {ROUTED "  - [a, 1, 0, 1-2]\n", 8, "lanes: found '2'", "0..1"},
    {ROUTED "  - [a, 1, 2, 0]\n", 8, "port: found '2', by which no link leaves switch 0(a)", ""},
    {ROUTED "  - [a, all, 1, 0]\n", 8, "port: found '1', by which only heads for terminal 0", ""},
    {ROUTED "  - [a, 1, 0, 0]\n  - [b, 0, 0, 0]\n  - [a, all, 0, all]\n", 10,
     "found lane 0 of port 0 a second time for switch 0(a) and the same destination",
     "expected it once"},
    {ROUTED "  - [a, 1, 0, 0]\n", 2, "the table has no entry for switch 1(b) and terminal 0", ""},
    {ROUTED "  - [a, all, 0, 0]\n  - [b, 0, 0, 0]\n", 2,
     "the table leads from switch 0(a) towards its terminal 0 by port 0", "expected 1"},
    {TABLE "graph:\n  switches: 3\n  terminals: [0.2, 1.2, 2.2]\n"
           "  links: [[0.0, 1.1], [1.0, 2.1], [2.0, 0.1]]\n"
           "  routes: [[0, all, 0, all]]\n",
     2, "the table leads from switch 0 towards its terminal 0 by port 0", "expected 2"},
    {TABLE "graph:\n  switches: 4\n  terminals: [0.2, 1.2]\n"
           "  links: [[0.0, 2.0], [2.1, 3.0], [3.1, 1.0]]\n"
           "  routes: [[0, 1, 0, 0], [2, 1, 1, 0], [3, 1, 0, 0], [1, 0, 0, 0],\n    [3, 0, 0, 0], "
           "[2, 0, 0, 0]]\n",
     2, "the table leads in a circle from switch 2 towards terminal 1", ""},
    {TABLE "graph:\n  switches: 3\n  terminals: [0.2, 1.2, 2.2]\n"
           "  links: [[0.0, 1.1], [1.0, 2.1], [2.0, 0.1]]\n"
           "  routes: [[0, 1-2, 0, all], [1, 0, 0, all], [1, 2, 0, all], [2, 0-1, 0, all]]\n",
     2, "routing table can deadlock here, in a cycle of 3 lanes",
     "0.0 lane 0, 1.0 lane 0, 2.0 lane 0; to run it nevertheless, write unsafe: true"},
    {"network: {topology: graph}\nswitch: {routing: shortest}\n"
     "graph:\n  switches: [n, e, s, w, x]\n  terminals: [n, e, s, w, x]\n"
     "  links: [[n, e], [e, s], [s, w], [w, x], [x, n]]\n",
     2, "routing shortest can deadlock here, in a cycle of 5 lanes",
     "0(n).0 lane 0, 1(e).1 lane 0"},
};

static void every_refusal(void **state)
{
    (void)state;
    all_are_refused(refused, sizeof refused / sizeof *refused);
}

// --- large and hostile texts ---

static enum anl_status parse_and_free(const char *text, size_t bytes, struct anl_error *error)
{
    struct anl_scenario s;
    const enum anl_status status = anl_scenario_parse(text, bytes, "test.yaml", NULL, &s, error);
    anl_scenario_free(&s);
    return status;
}

// Writes `count` names s0, s1, … as switches, one a line; the first is in line 4.
static char *many_names(uint32_t count, size_t *bytes)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, bytes);
    assert_non_null(stream);
    fputs(GRAPH "  switches:\n", stream);
    for (uint32_t i = 0; i < count; i++)
        fprintf(stream, "  - s%" PRIu32 "\n", i);
    fprintf(stream, "  terminals: [s%" PRIu32 "]\n", count - 1);
    assert_int_equal(fclose(stream), 0);
    return text;
}

static void as_many_switches_as_there_may_be(void **state)
{
    (void)state;
    size_t bytes;
    struct anl_error error = {0};
    char *text = many_names(ANL_MAX_GRAPH_SWITCHES, &bytes);
    assert_int_equal(parse_and_free(text, bytes, &error), ANL_ERR_ARGUMENT);
    assert_non_null(strstr(error.text, "no path leads from switch 1("));
    free(text);
    text = many_names(ANL_MAX_GRAPH_SWITCHES + 1, &bytes);
    assert_int_equal(parse_and_free(text, bytes, &error), ANL_ERR_FORMAT);
    assert_int_equal(error.line, 4 + ANL_MAX_GRAPH_SWITCHES);
    assert_non_null(strstr(error.text, "found one more, expected at most 65536"));
    free(text);
}

static void too_many_routes(void **state)
{
    (void)state;
    enum { TERMINALS = 4097, SWITCHES = 65536 };
    char *text = NULL;
    size_t bytes;
    struct anl_error error = {0};
    FILE *stream = open_memstream(&text, &bytes);
    assert_non_null(stream);
    fprintf(stream, GRAPH "\n  switches: %d\n  terminals: [", SWITCHES);
    for (int t = 0; t < TERMINALS; t++)
        fprintf(stream, "%s%d", t ? ", " : "", t);
    fputs("]\n", stream);
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(parse_and_free(text, bytes, &error), ANL_ERR_ARGUMENT);
    assert_int_equal(error.line, 4);
    assert_non_null(strstr(error.text, "found 65536 switches and 4097 terminals"));
    free(text);
}

static const char whole[] =
    TABLE "graph:\n  switches: [hub, a, b]\n  ports: 5\n  terminals: [a.1, b.1, hub.4]\n"
          "  links: [[hub.0, a.0], {from: b.0, to: hub.1}, {to: b.0, from: hub.1}]\n"
          "  routes: [[a, 1-2, 0, all], [b, 0, 0, 0-1], [b, 2, 0, 1], [hub, 0, 0, 0],\n"
          "    [hub, 1, 1, 1]]\n";

// A text that is cut, or has one byte that is another, is read or refused, with a reason of one
// line.
static void texts_that_are_cut_or_changed(void **state)
{
    (void)state;
    static const char bytes[] = "\0\n\t .,-[]{}:#&*!|>'\"%@09azZ\xff\xc3";
    char text[sizeof whole];
    struct anl_error error;
    unsigned good = 0, bad = 0;
    assert_int_equal(parse_and_free(whole, sizeof whole - 1, &error), ANL_OK);
    for (size_t cut = 0; cut < sizeof whole - 1; cut += unit_step(3))
        for (size_t i = 0; i < sizeof bytes; i++) {
            memcpy(text, whole, sizeof whole);
            text[cut] = bytes[i];
            const size_t size = i == 0 ? cut : sizeof whole - 1;
            error = (struct anl_error){0};
            const bool is_bad = parse_and_free(text, size, &error) != ANL_OK;
            *(is_bad ? &bad : &good) += 1;
            if (is_bad) assert_true(error.text[0] && !strchr(error.text, '\n') && error.line);
        }
    assert_true(good > 100 / unit_step(3) && bad > 5000 / unit_step(3));
}

// --- files ---

static const char plain_graph[] = "switches: [a, b]\nterminals: [a.1, b.1]\nlinks: [[a.0, b.0]]\n";
static const char with_table[] = "network: {topology: graph, graph: g.yaml}\n"
                                 "switch: {routing: table, table: t.csv, num_vcs: 2}\n";

static void files_take_the_place_of_the_section(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    struct anl_scenario s, again;
    struct anl_error error;
    write_file(folder.scenario, "network: {topology: graph, graph: g.yaml}\n"
                                "switch: {routing: table, table: t.csv, num_vcs: 2}\n"
                                "graph: {switches: 1, terminals: [0], routes: [[0, 0, 0, 0]]}\n");
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_ERR_IO);
    assert_string_equal(error.file, folder.scenario);
    assert_int_equal(error.line, 1);
    assert_non_null(strstr(error.text, "network.graph: "));
    assert_non_null(strstr(error.text, folder.graph));
    write_file(folder.graph, plain_graph);
    assert_int_equal(anl_scenario_load(folder.scenario, &s, &error), ANL_ERR_IO);
    assert_int_equal(error.line, 2);
    assert_non_null(strstr(error.text, folder.table));
    write_file(folder.table, "# remark\n switch, \"destination\",port ,lanes\r\n"
                             "a, 1,\t0,1 \r\n \n# remark\n\"1\",0,0,all\n\n");
    if (anl_scenario_load(folder.scenario, &s, &error)) fail_msg("%s", error.text);
    expect_ends(&s, "1.0 T0 | 0.0 T1");
    assert_int_equal(route(&s, 0, 1).vcs, 2);
    assert_int_equal(route(&s, 1, 0).vcs, 3);
    // The text of a trace has no files.
    again = must_parse(s.text);
    assert_true(again.graph->hash == s.graph->hash);
    assert_memory_equal(again.graph->names, s.graph->names, 2 * sizeof *s.graph->names);
    assert_string_equal(again.text, s.text);
    anl_scenario_free(&again);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void expect_refused(const struct folder *folder, const char *file, uint64_t line,
                           const char *words)
{
    struct anl_scenario s;
    struct anl_error error = {0};
    write_file(folder->scenario, with_table);
    assert_int_not_equal(anl_scenario_load(folder->scenario, &s, &error), ANL_OK);
    if (strcmp(error.file, file) != 0 || error.line != line || !strstr(error.text, words))
        fail_msg("%s:%" PRIu64 ": %s\nexpected %s:%" PRIu64 ": %s", error.file, error.line,
                 error.text, file, line, words);
}

static void files_are_refused_by_their_lines(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    static const struct {
        const char *text;
        uint64_t line;
        const char *words;
    } graphs[] = {
        {"", 1, "found nothing, expected a graph"},
        {"graph:\n", 1, "graph: found graph, expected switches"},
        {"- 1\n", 1, "graph: found a list, expected a mapping of keys"},
        {"switches: 2\nterminals: [0]\nlinks: [[0, 2]]\n", 3, "found the switch '2'"},
        {"switches: 2\nterminals: [0, 0]\nlinks:\n- [0.0, 1.0]\n", 2, "a port without a number"},
        {"switches: 2\nterminals: [0.0,\n  0.0]\n", 3, "port 0 of switch 0 has a link already"},
        {"switches: 2\nterminals: [0]\n---\nswitches: 2\n", 3, "found a second document"},
        {"\x7f"
         "ELF\x02\x01\x01",
         1, "expected UTF-8"},
        {"switches: 2\nports: \x01\n", 2, "expected UTF-8"},
    };
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
        write_file(folder.graph, graphs[i].text);
        write_file(folder.table, "switch,destination,port,lanes\n0,0,0,0\n");
        expect_refused(&folder, folder.graph, graphs[i].line, graphs[i].words);
    }
    static const struct {
        const char *text;
        uint64_t line;
        const char *words;
    } tables[] = {
        {"", 1, "found no line, expected the first line switch,destination,port,lanes"},
        {"switch;destination\n", 1,
         "found 'switch;destination', expected the first line switch,destination,port,lanes"},
        {"switch\tdestination\n", 1, "; fields are separated by commas, not by tabs"},
        {"switch,destination,port,lanes\na,1,0\n", 2, "found 3 fields, expected 4: switch,"},
        {"switch,destination,port,lanes\na;1;0;0\n", 2, "not by semicolons"},
        {"switch,destination,port,lanes\n# one\na,1,0,0,0\n", 3,
         "found 5 fields, expected 4: switch,"},
        {"switch,destination,port,lanes\na,1,0,0\nb,2,0,0\n", 3, "destination: found '2'"},
        {"switch,destination,port,lanes\na,1 2,0,0\n", 2, "destination: found '1 2'"},
        {"switch,destination,port,lanes\na,1,0,0\nb,0,0,2\n", 3, "lanes: found '2', expected 0..1"},
        {"switch,destination,port,lanes\na,1,0,0\nb,0,3,1\n", 3,
         "port: found '3', by which no link"},
        {"switch,destination,port,lanes\na,1,0,0\nb,0,0,1\na,1,0,0\n", 4, "a second time"},
        {"switch,destination,port,lanes\n", 1, "found no row behind the first line, expected one"},
        {"switch,destination,port,lanes\n# none\n\n", 3, "found no row behind the first line"},
        {"switch,destination,port,lanes\na,1,0,0\nc,1,0,0\n", 3,
         "switch: found 'c', expected a name (a, b) or 0..1"},
        {"switch,destination,port,lanes\nT1,1,0,0\n", 2,
         "switch: found 'T1', expected a name (a, b) or 0..1; T1 is a terminal"},
        {"switch,destination,port,lanes\na,T1,0,0\n", 2,
         "destination: found 'T1', expected 0..1, several like 0-3, or all; did you mean 1?"},
        {"switch,destination,port,lanes\na,b,0,0\n", 2,
         "destination: found 'b', expected 0..1, several like 0-3, or all; that is a switch, with "
         "terminal 1"},
        {"switch,destination,port,lanes\na,\" 1\",4,0\n", 2, "destination: found ' 1', expected"},
        {"switch,destination,port,lanes\na,1,4,0\n", 2, "leaves switch 0(a), expected 0, 1"},
    };
    write_file(folder.graph, plain_graph);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        write_file(folder.table, tables[i].text);
        expect_refused(&folder, folder.table, tables[i].line, tables[i].words);
    }
    write_bytes(folder.table, "switch,destination,port,lanes\n\0,\xff\n", 34);
    expect_refused(&folder, folder.table, 2, "expected 4: ");
    write_file(folder.table, "switch,destination,port,lanes\na,1,0,0\n");
    expect_refused(&folder, folder.table, 0, "no entry for switch 1(b) and terminal 0");
    remove_folder(&folder);
}

// --- again ---

static uint64_t digest_of(const struct anl_scenario *scenario)
{
    const struct anl_run_options options = {.digest = true, .referee = true};
    struct anl_run_result result;
    assert_int_equal(anl_run(scenario, &options, &result, NULL), ANL_OK);
    assert_int_equal(result.end, ANL_RUN_COMPLETE);
    assert_int_equal(result.violation.rule, ANL_RULE_NONE);
    return result.digest;
}

// The text of a scenario with a graph says all, and the same each time.
static void texts_give_the_same_network_and_run(void **state)
{
    (void)state;
    static const char *const texts[] = {
        whole,
        GRAPH "  switches: [hub, a, b]\n  terminals: [a, hub, b, b]\n"
              "  links: [[hub, a], [b, hub], {from: a, to: b}, {to: a, from: b}]\n"
              "traffic: {load: 0.5, length: [1, 9]}\n",
        "network: {topology: graph, unsafe: true}\nswitch: {routing: shortest, arbiter: random}\n"
        "graph:\n  switches: 4\n  ports: 6\n  terminals: [0.5, 1.5, 2.5, 3.5]\n"
        "  links: [{from: 0.0, to: 1.1}, {from: 1.0, to: 2.1}, {from: 2.0, to: 3.1},\n"
        "    {from: 3.0, to: 0.1}]\ntraffic: {load: 0.05}\n",
        "network: {topology: graph}\ngraph: {switches: 1, terminals: [0, 0, 0]}\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario a = must_parse(texts[i]), b = must_parse(texts[i]);
        struct anl_scenario again = must_parse(a.text);
        assert_string_equal(a.text, b.text);
        assert_string_equal(a.text, again.text);
        assert_int_equal(strlen(a.text), a.text_bytes);
        assert_true(a.graph->hash == again.graph->hash);
        assert_true(digest_of(&a) == digest_of(&again));
        assert_true(digest_of(&a) == digest_of(&b));
        anl_scenario_free(&again);
        anl_scenario_free(&b);
        anl_scenario_free(&a);
    }
}

static void other_networks_have_other_hashes(void **state)
{
    (void)state;
    static const char *const texts[] = {
        PAIR LINK "}\n",
        PAIR LINK ", ports: 3}\n",
        PAIR "links: [[0.0, 1.2]]}\n",
        "network: {topology: graph}\ngraph: {switches: 2, terminals: [1.1, 0.1], " LINK "}\n",
        "network: {topology: graph}\ngraph: {switches: 2, terminals: [1.1], " LINK "}\n",
        PAIR LINK "}\nswitch: {num_vcs: 2}\n"};
    uint64_t hashes[sizeof texts / sizeof *texts];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct anl_scenario s = must_parse(texts[i]);
        hashes[i] = s.graph->hash;
        for (size_t j = 0; j < i; j++)
            assert_true(hashes[i] != hashes[j]);
        anl_scenario_free(&s);
    }
}

// --- the page ---

static void the_example_of_the_page_runs(void **state)
{
    (void)state;
    char *page;
    size_t bytes;
    assert_int_equal(scenario_read_file("docs/scenario.md", 1 << 20, &page, &bytes, NULL), ANL_OK);
    char *begin = strstr(page, "```yaml\nnetwork: {topology: graph}");
    assert_non_null(begin);
    begin += 8;
    char *end = strstr(begin, "```");
    assert_non_null(end);
    *end = '\0';
    struct anl_scenario s = must_parse(begin);
    expect_ends(&s, "1.0 2.0 - T0 | 0.0 T1 2.2 - | 0.1 T2 - -");
    assert_int_equal(route(&s, 1, 0).vcs, 2);
    digest_of(&s);
    anl_scenario_free(&s);
    free(page);
}

// --- source routes ---

// Two switches, connected twice: ports 0 and 1, terminals at port 2.
#define TWICE                                                                                      \
    "network: {topology: graph%s}\n"                                                               \
    "switch: {routing: source, flit_width_bits: 16, %s}\n"                                         \
    "traffic: {process: replay, messages: \"it's.txt\"}\n"                                         \
    "run: {max_cycles: 100}\n"                                                                     \
    "graph: {switches: 2, terminals: [0.2, 1.2], links: [[0.0, 1.0], [0.1, 1.1]]}\n"

static enum anl_status load_twice(const struct folder *folder, const char *network,
                                  const char *keys, const char *messages, struct anl_scenario *s,
                                  struct anl_error *error)
{
    char text[1024];
    snprintf(text, sizeof text, TWICE, network, keys);
    write_file(folder->scenario, text);
    write_file(folder->messages, messages);
    return anl_scenario_load(folder->scenario, s, error);
}

// The longest route of the messages decides how many bits heads have: a label of one bit, then
// ports of two bits.
static void messages_bring_routes(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    struct anl_scenario s;
    struct anl_error error = {0};
    if (load_twice(&folder, "", "arbiter: fixed", "0 0 1 3 1.2\n1 1 0 2 # none\n1 0 1 2 0.1.0.1\n",
                   &s, &error) == ANL_OK)
        fail_msg("a route that does not arrive");
    assert_int_equal(error.line, 3);
    assert_string_equal(error.file, folder.messages);
    if (load_twice(&folder, "", "arbiter: fixed",
                   "0 0 1 3 1.2\n1 1 0 2 # none\n1 0 1 2 0.0.1.2 # thrice\n", &s, &error))
        fail_msg("%s", error.text);
    assert_int_equal(s.num_messages, 3);
    assert_int_equal(s.messages[0].route_length, 2);
    assert_memory_equal(s.messages[0].route, ((const uint8_t[]){1, 2}), 2);
    assert_null(s.messages[1].route);
    assert_memory_equal(s.messages[2].route, ((const uint8_t[]){0, 0, 1, 2}), 4);
    assert_int_equal(s.graph->longest_route, 4);
    assert_true(s.graph->own_routes);
    assert_int_equal(anl_head_bits(&s.network), 1 + 4 * 2);
    // From switch 0's terminal by 0 and 1, from port 0 by 1; in switch 1 from port 0 back and from
    // port 1 to the terminal, from the terminal by 0.
    static const uint32_t turns[] = {1 << 1 | 1 << 2, 0, 1 << 0 | 1 << 1, 1 << 0, 1 << 2, 1 << 0};
    assert_memory_equal(s.graph->turns, turns, sizeof turns);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void routes_are_those_between_all_pairs_if_no_message_has_one(void **state)
{
    (void)state;
    const struct folder folder = make_folder();
    struct anl_scenario s;
    struct anl_error error = {0};
    if (load_twice(&folder, "", "paths: up_down", "0 0 0 1\n", &s, &error))
        fail_msg("%s", error.text);
    assert_false(s.graph->own_routes);
    assert_int_equal(s.graph->longest_route, 2);
    assert_int_equal(s.network.paths, ANL_UP_DOWN);
    anl_scenario_free(&s);
    remove_folder(&folder);
}

static void routes_of_messages_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *network, *keys, *messages;
        uint64_t line;
        const char *words;
    } bad[] = {
        {"", "arbiter: fixed", "# x\n0 0 1 1 2\n", 2,
         "route: port 2 of switch 0 leads to terminal 0, expected terminal 1"},
        {"", "arbiter: fixed", "0 0 1 1 0.3\n", 1, "route: found port 3, expected 0..2"},
        {"", "arbiter: fixed", "0 0 1 1 0.99\n", 1,
         "route: found port 99, expected an integer 0..2"},
        {"", "arbiter: fixed", "0 0 1 1 0.\n", 1,
         "route: found port nothing, expected an integer 0..2"},
        {"", "arbiter: fixed", "0 0 1 1 0.-2\n", 1, "route: found port -2"},
        {"", "arbiter: fixed", "0 0 1 1 0.2 7\n", 1, "found 7, expected the end of the line"},
        {"", "arbiter: fixed", "0 0 1 1 0.0\n", 1, "leads to switch 0, expected terminal 1"},
        {"", "arbiter: fixed", "0 0 1 1 0.0.0.2\n", 1, "route: link 0.0 is passed twice"},
        {"", "arbiter: fixed", "0 0 1 1 0.0.0.0.0.0.0.2\n", 1,
         "route: found 8 ports, expected at most 7: flit_width_bits is 16, of which other fields "
         "of "
         "a head have 1, and a port has 2"},
        {"", "arbiter: fixed", "0 0 1 1 0.0.1.2\n0 1 0 1 0.0.1.2\n", 2,
         "routing source can deadlock here"},
    };
    const struct folder folder = make_folder();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct anl_scenario s;
        struct anl_error error = {0};
        const enum anl_status status =
            load_twice(&folder, bad[i].network, bad[i].keys, bad[i].messages, &s, &error);
        if (status == ANL_OK || error.line != bad[i].line || !strstr(error.text, bad[i].words))
            fail_msg("%zu: status %d, line %" PRIu64 ": %s", i, status, error.line, error.text);
    }
    remove_folder(&folder);
}

static void paths_are_for_routing_source(void **state)
{
    (void)state;
#define OTHER "network: {topology: graph}\ngraph: {switches: 1, terminals: [0]}\nswitch: "
    static const struct refused bad[] = {
        {OTHER "{paths: up_down}\n", 3, "paths is for routing source", "routing is up_down"},
        {OTHER "{routing: source, paths: e_cube}\n", 3, "paths: found e_cube",
         "shortest, up_down or table"},
        {OTHER "{routing: source, table: t.csv}\n", 3, "table is for routing table",
         "paths is shortest"},
        {OTHER "{routing: source, paths: table}\n", 3, "switch.table: found nothing",
         "or routes in the graph"},
        {"network: {topology: mesh, k: 2, n: 2}\nswitch: {routing: source}\n", 2,
         "routing source does not work", "topology mesh"},
        {"network: {topology: mesh, k: 2, n: 2}\nswitch: {paths: shortest}\n", 2,
         "paths is not for topology mesh", ""},
        {"network: {topology: graph}\nswitch: {routing: source,\n  flit_width_bits: 8}\n"
         "graph: {switches: 8, terminals: [0, 7], links: [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], "
         "[5, 6], [6, 7]]}\n",
         3, "flit_width_bits is 8, expected 9..512", "a head carries 9 bits"},
    };
    all_are_refused(bad, sizeof bad / sizeof *bad);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_have_names_and_numbers),
        cmocka_unit_test(ports_are_numbered_by_the_order_of_the_text),
        cmocka_unit_test(more_ports_may_be_given_than_have_links),
        cmocka_unit_test(links_go_one_way_or_both),
        cmocka_unit_test(tables_say_ports_and_lanes),
        cmocka_unit_test(rows_of_an_entry_are_options),
        cmocka_unit_test(rows_may_name_input_ports),
        cmocka_unit_test(entries_that_no_head_asks_for_close_no_cycle),
        cmocka_unit_test(every_refusal),
        cmocka_unit_test(as_many_switches_as_there_may_be),
        cmocka_unit_test(too_many_routes),
        cmocka_unit_test(texts_that_are_cut_or_changed),
        cmocka_unit_test(files_take_the_place_of_the_section),
        cmocka_unit_test(files_are_refused_by_their_lines),
        cmocka_unit_test(texts_give_the_same_network_and_run),
        cmocka_unit_test(other_networks_have_other_hashes),
        cmocka_unit_test(the_example_of_the_page_runs),
        cmocka_unit_test(messages_bring_routes),
        cmocka_unit_test(routes_are_those_between_all_pairs_if_no_message_has_one),
        cmocka_unit_test(routes_of_messages_are_refused),
        cmocka_unit_test(paths_are_for_routing_source),
    };
    return cmocka_run_group_tests_name("graphs", tests, NULL, NULL);
}
