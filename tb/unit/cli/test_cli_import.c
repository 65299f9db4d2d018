// SPDX-License-Identifier: Apache-2.0
//
// `annelid import`: what is read of BookSim2's anynet and of Graphviz's DOT, and what is refused.
// What comes out must be a graph that runs.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("run.yaml", "network: {topology: graph, graph: out.yaml}\n"
                           "switch: {routing: up_down}\n"
                           "traffic: {load: 0.3, length: 4}\n");
    return 0;
}

static void import_file(const char *form, const char *file, const char *graph)
{
    char arguments[64], line[128];
    write_file("expected.yaml", graph);
    snprintf(arguments, sizeof arguments, "import %s -o out.yaml %s", form, file);
    expect(arguments, 0, NULL, NULL);
    if (shell("cmp -s out.yaml expected.yaml") == 0) return;
    snprintf(line, sizeof line, "cat %s; diff expected.yaml out.yaml", file);
    shell(line);
    fail_msg("not what was expected");
}

static void import(const char *form, const char *text, const char *graph)
{
    write_file("in", text);
    import_file(form, "in", graph);
}

static void refuse(const char *form, const char *text, const char *message)
{
    char arguments[64];
    write_file("in", text);
    snprintf(arguments, sizeof arguments, "import %s -o refused.yaml in", form);
    expect(arguments, 2, NULL, message);
    assert_false(remains("refused.yaml"));
}

// The input is made by a command of the shell.
static void refuse_made(const char *form, const char *command, const char *message)
{
    char arguments[64], line[512];
    snprintf(line, sizeof line, "{ %s; } > in", command);
    expect_shell(line);
    snprintf(arguments, sizeof arguments, "import %s -o refused.yaml in", form);
    expect(arguments, 2, NULL, message);
    assert_false(remains("refused.yaml"));
}

// --- anynet ---

// The example of its description: router 0 has nodes 0 to 2 and router 1, which need not say so.
static void anynet_connects_both_ways(void **state)
{
    (void)state;
    import("anynet", "router 0 node 0 node 1 node 2 router 1\nrouter 1 node 3\n",
           "switches: 2\nports: 4\nterminals: [0.0, 0.1, 0.2, 1.0]\nlinks:\n  - [0.3, 1.1]\n");
    expect("run --referee run.yaml", 0, "no rule broken", NULL);
    import("anynet",
           "router 2\trouter 0  router 1 \r\n\nnode 1 router 1\rrouter 0 node 0 router 2\n"
           "Router 2 Node 2 router 0",
           "switches: 3\nports: 3\nterminals: [0.0, 1.0, 2.0]\n"
           "links:\n  - [0.1, 2.1]\n  - [1.1, 2.2]\n");
    import("anynet", "router 1 router 2 router 0 router 3 node 0\n",
           "switches: 4\nports: 4\nterminals: [1.0]\n"
           "links:\n  - [0.0, 1.1]\n  - [1.2, 2.0]\n  - [1.3, 3.0]\n");
}

static void anynet_may_have_latencies(void **state)
{
    (void)state;
    import("anynet", "router 0 router 1 10 node 0\nrouter 1 router 0 1 node 1 2\n",
           "switches: 2\nports: 2\nterminals: [0.0, 1.0]\nlinks:\n  - [0.1, 1.1]\n");
    expect("import anynet -o out.yaml in", 0,
           "in: read 2 switches, 2 terminals, 2 links (1 pair); left out: 2 latencies (links take "
           "one cycle)\n",
           NULL);
}

// Each of the two ends of a connection may say it, once.
static void anynet_connections_are_counted(void **state)
{
    (void)state;
    write_file("in", "router 0 router 1 router 1 router 2 node 0\nrouter 1 router 0\n"
                     "router 0 router 2\n");
    expect("import anynet -o out.yaml in", 0,
           "in: read 3 switches, 1 terminal, 4 links (2 pairs); left out: 2 connections that are "
           "said again\n",
           NULL);
    write_file("in", "router 0 node 0 node 0 router 1\nnode 0 router 0\nrouter 1 node 1\n"
                     "node 1 router 1\nnode 1 router 1\n");
    expect("import anynet -o out.yaml in", 0,
           "in: read 2 switches, 2 terminals, 2 links (1 pair); left out: 2 connections that are "
           "said again\n",
           NULL);
}

// Lines that end with CR alone are lines, not one.
static void lines_may_end_with_cr(void **state)
{
    (void)state;
    import("anynet", "router 0 node 0 router 1\rrouter 1 node 1\r",
           "switches: 2\nports: 2\nterminals: [0.0, 1.0]\nlinks:\n  - [0.1, 1.1]\n");
    refuse("anynet", "router 0\r\rrouter 0 node x\r", "in:3: node: found 'x'");
    import("dot", "graph { // remark\ra -- b // remark\r}\r",
           "switches: [a, b]\nports: 2\nterminals: [0.1, 1.1]\nlinks:\n  - [0.0, 1.0]\n");
    write_file("messages", "# cycle\r0 0 1 1 # one\r0 1 0 1\r");
    write_file("line.yaml", "network: {topology: mesh, k: 2, n: 1}\r"
                            "traffic: {process: replay, messages: messages}\r");
    expect("describe line.yaml", 0, "replay, 2 messages", NULL);
    write_file("rates", "# remark\rterminal,rate\r0,0.5\r1,2\r");
    write_file("rates.yaml", "network: {topology: mesh, k: 2, n: 1}\r"
                             "traffic: {rates: rates, length: 1}\r");
    expect("describe rates.yaml", 2, NULL, "rates:4: rate: found ");
    write_file("paths", "# remark\r1 2 3\r4 5 # remark\r6\r");
    if (is_built("colour")) expect("colour --vcs 1 paths", 0, "messages    3 of 1 flit", NULL);
}

static void anynet_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"router 0 node 0\nswitch 1\n", "in:2: found 'switch', expected router or node"},
        {"router 0 node\n", "in:1: node: found nothing, expected a number 0..1048575"},
        {"router x\n", "in:1: router: found 'x', expected a number 0..65535"},
        {"router -1\n", "in:1: router: found '-1', expected"},
        {"router 65536\n", "in:1: router: found '65536', expected"},
        {"router 99999999999999999999\n", "in:1: router: found '99999999999999999999', expected"},
        {"router 0 router 1 5x\n", "in:1: found '5x', expected a latency in cycles"},
        {"router 0 node 0\nnode 1 node 0\n",
         "in:2: node 1 is connected to node 0, expected a router"},
        {"router 0 node 0\n\nrouter 1 node 0\n",
         "in:3: node 0 is connected to router 1, expected to router 0 alone, as line 1 says"},
        {"router 0 node 0,router 1\n", "in:1: node: found '0,router', expected a number"},
        {"router 3 router 3\n", "in:1: router 3 is connected to itself, expected another one"},
        {"router 0 node 0\nrouter 2 node 1 router 0\n",
         "in:2: there is no router 1, expected routers 0 to 2"},
        {"router 0 node 0\nrouter 0 node 2\n", "in:2: there is no node 1, expected nodes 0 to 2"},
        {"router 0 router 1\n", "in: found no node, expected at least one"},
        {"", "in: found no node"},
        {"router 0 node 0\nrouter 1 node 1\n", "in: no path leads from switch "},
        {"\x1b[31m 0\n", "in:1: found '?[31m', expected router or node"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse("anynet", bad[i].text, bad[i].message);
    refuse_made("anynet", "echo router 0; for i in $(seq 0 32); do echo router 0 node $i; done",
                "in:34: switch 0 has more than 32 ports");
    refuse_made("anynet",
                "for i in $(seq 0 99999); do echo router $i router $((i + 1)) node $i; done",
                "in:65536: router: found '65536', expected a number 0..65535");
    refuse_made("anynet", "printf 'router 0 node 0\\0'", "in: there is a zero byte in it");
    refuse_made("anynet", "head -c 20000 \"$ANNELID\"", "in");
}

// --- DOT ---

static void dot_is_read(void **state)
{
    (void)state;
    import("dot", "graph { hub -- a -- b; hub -- b; }",
           "switches: [hub, a, b]\nports: 3\nterminals: [0.2, 1.2, 2.2]\n"
           "links:\n  - [0.0, 1.0]\n  - [0.1, 2.1]\n  - [1.1, 2.0]\n");
    expect("run --referee run.yaml", 0, "no rule broken", NULL);
    import("dot", "graph { 2 -- 0; 0 -- 1; t [type=terminal]; u [type=terminal]; u -- 1; 0 -- t }",
           "switches: 3\nports: 3\nterminals: [0.2, 1.1]\n"
           "links:\n  - [0.0, 2.0]\n  - [0.1, 1.0]\n");
    import("dot", "graph { \"x y\" -- z }",
           "switches: 2\nports: 2\nterminals: [0.1, 1.1]\nlinks:\n  - [0.0, 1.0]\n");
}

// Of a -> b, a -> b, b -> a the first and the third are a pair.
static void opposite_edges_are_pairs(void **state)
{
    (void)state;
    import("dot", "digraph { a -> b; a -> b; b -> c [dir=both]; b -> a; c -> c }",
           "switches: [a, b, c]\nports: 4\nterminals: [0.2, 1.3, 2.3]\n"
           "links:\n  - [0.0, 1.0]\n  - {from: 0.1, to: 1.1}\n  - [1.2, 2.0]\n"
           "  - {from: 2.1, to: 2.2}\n");
}

static void ports_may_be_given(void **state)
{
    (void)state;
    import("dot",
           "digraph { t [type=terminal]; u [type=terminal]; a -> t [taillabel=5]; u -> b "
           "[headlabel=0];\n a -> b [dir=both, taillabel=2, headlabel=1]; }",
           "switches: [a, b]\nports: 6\nterminals: [0.5, 1.0]\nlinks:\n  - [0.2, 1.1]\n");
}

// Those of the file have none, so they go to the lowest free ports.
static void added_terminals_have_free_ports(void **state)
{
    (void)state;
    import("dot", "graph { a -- b [taillabel=1, headlabel=2]; b -- c [taillabel=0, headlabel=0] }",
           "switches: [a, b, c]\nports: 3\nterminals: [0.0, 1.1, 2.1]\n"
           "links:\n  - [0.1, 1.2]\n  - [1.0, 2.0]\n");
    expect("import dot -o out.yaml in", 0,
           "in: read 3 switches, 3 terminals (added, one for each switch), 4 links (2 pairs); left "
           "out: nothing\n",
           NULL);
    refuse("dot", "graph { ports=1; a -- b [taillabel=0, headlabel=0] }",
           "in: switch 0(a) has more than 1 port");
}

static void terminals_may_have_an_edge_each_way(void **state)
{
    (void)state;
    static const char graph[] =
        "switches: [a, b]\nports: 2\nterminals: [0.1, 1.1]\nlinks:\n  - [0.0, 1.0]\n";
    import("dot",
           "digraph { t [type=terminal]; u [type=terminal]; t -> a; a -> t; b -> u; u -> b;"
           " a -> b; b -> a }",
           graph);
    import("dot",
           "digraph { t [type=terminal]; u [type=terminal]; t -> a [headlabel=1]; a -> t "
           "[taillabel=1]; u -> b [headlabel=1]; a -> b [dir=both, taillabel=0, headlabel=0] }",
           graph);
    import("dot", "digraph { t [type=terminal]; a -> t; a -> t [dir=back]; a -> b [dir=none] }",
           "switches: [a, b]\nports: 2\nterminals: [0.1]\nlinks:\n  - [0.0, 1.0]\n");
}

// An edge with dir=back leads from its head to its tail.
static void edges_have_ways(void **state)
{
    (void)state;
    import("dot",
           "digraph { a -> b [dir=back, taillabel=0, headlabel=1]; a -> b [dir=forward, "
           "taillabel=2, headlabel=3] }",
           "switches: [a, b]\nports: 4\nterminals: [0.1, 1.0]\n"
           "links:\n  - {from: 0.2, to: 1.3}\n  - {from: 1.1, to: 0.0}\n");
}

static void types_of_nodes_have_synonyms(void **state)
{
    (void)state;
    import("dot",
           "graph { t [type=Host]; u [type=TERMINAL]; a [type=switch]; b [type=Router]; "
           "t -- a; u -- b; a -- b }",
           "switches: [a, b]\nports: 2\nterminals: [0.1, 1.1]\nlinks:\n  - [0.0, 1.0]\n");
    write_file("in", "graph { a [type=hca]; b [type=hca]; c [type=tor]; a -- c; b -- c }");
    expect("import dot -o out.yaml in", 0, "in: read 3 switches, 3 terminals (added",
           "annelid: in: 3 nodes with a type that is none of terminal, host, switch and router "
           "(such as 'hca') are read as switches\n");
}

// Numbers that are not those of the names are said.
static void numbers_are_said(void **state)
{
    (void)state;
    write_file("in", "graph { 1 -- 2; 2 -- 3; 3 -- 4; 4 -- 5 }");
    expect("import dot -o out.yaml in", 0, NULL,
           "annelid: in: '1' is no name (a letter, then letters, digits, _ and -, at most 31), so "
           "switches have "
           "the numbers of their order: switch 0 is '1', switch 1 is '2', switch 2 is '3', switch "
           "3 is '4' and so on\n");
    write_file("in", "graph { h1 [type=host]; h2 [type=host]; a -- h1; a -- h2 }");
    expect("import dot -o out.yaml in", 0, NULL,
           "annelid: in: terminals have the numbers of their order: terminal 0 is 'h1', terminal 1 "
           "is 'h2'\n");
    import("dot",
           "graph { \"terminal 1\" [type=terminal]; \"terminal 0\" [type=terminal];"
           " a -- \"terminal 1\"; b -- \"terminal 0\"; a -- b }",
           "switches: [a, b]\nports: 2\nterminals: [1.1, 0.1]\nlinks:\n  - [0.0, 1.0]\n");
    expect_shell("[ \"$(\"$ANNELID\" import dot -o out.yaml in 2>&1 | wc -l)\" = 1 ]");
    write_file("in", "graph { \"\xc3\xbc\" -- abcdefghijklmnopqrstuvwxyz0123456789ABCDE\xc3\xbc }");
    expect("import dot -o out.yaml in", 0, NULL,
           "switch 0 is '\xc3\xbc', switch 1 is 'abcdefghijklmnopqrstuvwxyz0123456789ABCD...'\n");
}

// Graphviz draws an edge with a dir that is none as one without.
static void an_unknown_dir_is_left_out(void **state)
{
    (void)state;
    import("dot", "graph { a -- b [dir=sideways] }",
           "switches: [a, b]\nports: 2\nterminals: [0.1, 1.1]\nlinks:\n  - [0.0, 1.0]\n");
}

static void what_is_left_out_is_said(void **state)
{
    (void)state;
    write_file("in", "digraph { rankdir=LR; node [shape=box]; a -> b [dir=both, color=red, "
                     "taillabel=eth0]; a -> b [dir=sideways]; b -> a }");
    expect("import dot -o out.yaml in", 0,
           "in: read 2 switches, 2 terminals (added, one for each switch), 4 links (2 pairs); left "
           "out: 6 attributes (rankdir of graph, shape of nodes, color of edges, dir of edges, "
           "taillabel of edges)\n",
           NULL);
}

// What annelid describe writes is read back as the same graph.
static void dot_goes_round(void **state)
{
    (void)state;
    write_file("star.yaml", "network: {topology: graph, unsafe: true}\n"
                            "switch: {routing: shortest}\n"
                            "graph:\n"
                            "  switches: [hub, graph, x-1]\n"
                            "  ports: 7\n"
                            "  terminals: [x-1, hub, hub, graph]\n"
                            "  links: [[hub, graph], [hub, x-1], {from: graph, to: x-1}]\n");
    expect("describe --dot star.dot --graph star.out star.yaml", 0, NULL, NULL);
    expect("import dot -o out.yaml star.dot", 0, NULL, NULL);
    expect_shell("sed '/^routes/,$d' star.out | cmp - out.yaml");
    write_file("star.yaml", "network: {topology: graph}\n"
                            "switch: {routing: table}\n"
                            "graph: {switches: 1, terminals: [0.2], routes: [[0, 0, 2, all]]}\n");
    expect("describe --dot star.dot star.yaml", 0, NULL,
           "star.dot: the routes of the graph are not in it");
    import_file("dot", "star.dot", "switches: 1\nports: 3\nterminals: [0.2]\n");
}

static void dot_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "in: is no graph in the language DOT"},
        {"graph {\n a -- b\n b -- }\n",
         "in:3: is no graph in the language DOT: syntax error near '}'"},
        {"graph { a -- b", "in:1: is no graph"},
        {"graph {}", "in: found no node that is a switch, expected at least one"},
        {"graph { t [type=terminal] }", "in: found no node that is a switch"},
        {"graph { t [type=terminal]; a -- b }",
         "in: terminal t has no edge, expected one to a switch"},
        {"graph { t [type=terminal]; a -- t; b -- t; a -- b }",
         "in: terminal t has edges to two switches, the second one is b; expected one"},
        {"graph { t [type=terminal]; a -- t; t -- a; a -- b }",
         "in: terminal t has two edges, expected one, or one there and one back"},
        {"digraph { t [type=terminal]; a -> t; a -> t; a -> b }",
         "in: terminal t has two edges, expected one, or one there and one back"},
        {"digraph { t [type=terminal]; t -> a; t -> a; a -> b }",
         "in: terminal t has two edges, expected one, or one there and one back"},
        {"digraph { t [type=terminal]; a -> t [taillabel=1]; t -> a [headlabel=2] }",
         "in: terminal t has two ports of switch a, expected one"},
        {"graph { a -- b } graph { c -- d }",
         "in:1: found 'graph' behind the graph, expected one graph in a file"},
        {"graph { // }\n /* } */ a -- b [label=\"}\\\"}\", tag=<<b>}</b>}>] }\n}",
         "in:3: found '}' behind the graph, expected one graph in a file"},
        {"graph { { a -- b } }\n# }\n // }\n /* } */ x y", "in:4: found 'x' behind the graph"},
        {"graph { ports=33; a -- b }", "in: ports is 33, expected 1..32"},
        {"graph { ports=2; a -- b [taillabel=2, headlabel=0] }",
         "in: found port 2 of a switch, expected 0..1, for ports of the graph is 2"},
        {"graph { t [type=terminal]; u [type=terminal]; t -- u; a -- t }",
         "in: terminal t is joined to terminal u, expected a switch"},
        {"graph { a -- b [taillabel=32, headlabel=0] }",
         "in: edge a - b: taillabel is 32, expected a port 0..31"},
        {"graph { a -- b [taillabel=3] }",
         "in: found 1 end of edges at switches with a port and 1 without (the first one is of edge "
         "a - b), expected all or none"},
        {"graph { t [type=terminal]; a -- t [taillabel=0]; a -- b [taillabel=0, headlabel=0] }",
         "in: port 0 of switch 0(a) has a link already, terminal 0 expects a free port"},
        {"digraph { t [type=terminal]; a -> t [taillabel=0]; a -> b [taillabel=1, headlabel=0];"
         " a -> b [taillabel=1, headlabel=1] }",
         "in: output port 1 of switch 0(a) has a link already"},
        {"digraph { a -> b }", "in: no path leads from switch 1(b) to terminal 0"},
        {"graph { a; b }", "in: no path leads from switch "},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        refuse("dot", bad[i].text, bad[i].message);
}

// Files that are made to overwhelm the reader.
static void dot_is_hostile(void **state)
{
    (void)state;
    refuse_made("dot", "printf 'graph {a -- {'; seq -s ' ' 1 32; printf '}}'",
                "in: switch 0 has more than 32 ports");
    refuse_made("dot", "printf 'graph {'; seq -s '; ' 1 100000; printf '}'",
                "in: found 100000 switches, expected at most 65536");
    refuse_made("dot", "printf 'graph '; yes '{' | head -n 200000",
                "is no graph in the language DOT");
    refuse_made(
        "dot",
        "printf 'graph {\"'; yes | head -c 60000 | tr -d '\\n'; printf '\" [type=terminal]}'",
        "in: found no node that is a switch");
    refuse_made("dot", "printf 'graph {\"'; yes '}' | head -c 999999; printf '\" [type=terminal]}'",
                "in: found no node that is a switch");
    if (!unit_slow_sample())
        refuse_made(
            "dot",
            "printf 'digraph { {'; seq -s ' ' 1 1000; printf '} -> {'; seq -s ' ' 1001 2000; "
            "printf '}}'",
            "in: switch 0 has more than 32 ports");
    refuse_made("dot", "printf 'digraph {'; yes 'a -> b;' | head -n 100000; printf '}'",
                "in: switch 0(a) has more than 32 ports");
    refuse_made("dot", "head -c 20000 \"$ANNELID\"", "in: there is a zero byte in it");
    refuse_made("dot", "printf 'graph { \"\\033[31m\" -- b [taillabel=77] }'", "edge ?[31m - b: ");
}

// --- both ---

static void usage(void **state)
{
    (void)state;
    write_file("in", "graph { a -- b }");
    expect("import dot in", 2, NULL, "say where to write the graph: -o FILE");
    expect("import dot -o in in", 2, NULL, "in");
    expect("import dot -o out.yaml", 2, NULL, "a file is missing");
    expect("import dot -o out.yaml nothing", 2, NULL, "nothing: cannot read: No such file");
    expect("import anynet -o out.yaml .", 2, NULL, ".: cannot read: Is a directory");
    expect("import dot -o out.yaml .", 2, NULL, ".: cannot read: Is a directory");
    expect("import --help", 0, "Graphviz", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anynet_connects_both_ways),
        cmocka_unit_test(anynet_may_have_latencies),
        cmocka_unit_test(anynet_connections_are_counted),
        cmocka_unit_test(lines_may_end_with_cr),
        cmocka_unit_test(anynet_is_refused),
        cmocka_unit_test(dot_is_read),
        cmocka_unit_test(opposite_edges_are_pairs),
        cmocka_unit_test(ports_may_be_given),
        cmocka_unit_test(added_terminals_have_free_ports),
        cmocka_unit_test(terminals_may_have_an_edge_each_way),
        cmocka_unit_test(edges_have_ways),
        cmocka_unit_test(types_of_nodes_have_synonyms),
        cmocka_unit_test(numbers_are_said),
        cmocka_unit_test(an_unknown_dir_is_left_out),
        cmocka_unit_test(what_is_left_out_is_said),
        cmocka_unit_test(dot_goes_round),
        cmocka_unit_test(dot_is_refused),
        cmocka_unit_test(dot_is_hostile),
        cmocka_unit_test(usage),
    };
    return cmocka_run_group_tests_name("cli_import", tests, prepare, remove_directory);
}
