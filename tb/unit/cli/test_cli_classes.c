// SPDX-License-Identifier: Apache-2.0
//
// What the commands say of classes of messages and of terminals that refuse.

#include "unit_cli.h"

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("two.yaml",
               "network: {topology: mesh, k: 4, n: 2, unsafe: true}\n"
               "switch: {num_vcs: 4, classes: 2, class_weights: [1, 3]}\n"
               "traffic: {process: request_reply, worms_per_terminal: 40, window: 8, length: 8,\n"
               "  reply_length: 8, reply_queue: 2}\n");
    write_file("open.yaml", "network: {topology: mesh, k: 4, n: 2}\n"
                            "switch: {num_vcs: 2, classes: 2}\n"
                            "traffic: {load: 0.2, length: 4}\nrun: {cycles: 500}\n");
    write_file("adaptive.yaml",
               "network: {topology: torus, k: 4, n: 2}\n"
               "switch: {num_vcs: 6, classes: 2, routing: adaptive}\ntraffic: {load: 0.2}\n");
    write_file("own.yaml", "network: {topology: cube, radix: 5, kinds: ring, unsafe: true}\n"
                           "switch: {num_vcs: 6, classes: 2, class_routing: [dateline, adaptive]}\n"
                           "traffic: {load: 0.4}\nrun: {cycles: 500}\n");
    return 0;
}

#define ONE "--set switch.classes=1 --set switch.class_weights=1 "

static void runs_have_latencies_of_each_class(void **state)
{
    (void)state;
    expect("run --referee two.yaml", 0, "end         complete", NULL);
    expect("run two.yaml", 0, "  class 0   mean ", NULL);
    expect("run two.yaml", 0, "  class 1   mean ", NULL);
    expect("run --referee " ONE "two.yaml", 1, "end         stalled", NULL);
    expect_shell("$ANNELID run --json two.yaml > two.json && "
                 "$ANNELID run --json " ONE "--set traffic.reply_queue=0 two.yaml > one.json && "
                 "$PYTHON -c '\n"
                 "import json\n"
                 "two, one = (json.load(open(f + \".json\")) for f in (\"two\", \"one\"))\n"
                 "assert \"classes\" not in one, one\n"
                 "assert [c[\"worms\"] for c in two[\"classes\"]] == [640, 640], two\n"
                 "mean = sum(c[\"latency_mean\"] for c in two[\"classes\"]) / 2\n"
                 "assert abs(mean - two[\"latency_mean\"]) < 1e-6, two'");
}

static void networks_are_described_and_examined(void **state)
{
    (void)state;
    expect("describe two.yaml", 0, "2 classes of messages, each with 2 lanes, weights 1, 3\n",
           NULL);
    expect("describe two.yaml", 0, ", at most 2 waiting at a terminal\n", NULL);
    expect("cdg two.yaml", 0, "acyclic     no lane depends on itself", NULL);
    expect("cdg " ONE "two.yaml", 1, "CYCLE of 2 lanes", NULL);
    expect("cdg " ONE "two.yaml", 1, "  0(0,0).T lane 0\n  T0.inject lane 0\nREPLIES ", NULL);
    expect("cdg adaptive.yaml", 0, "of class 0; the other classes are like it\nsafe ", NULL);
    expect("run --set network.unsafe=false " ONE "two.yaml", 2, "",
           "can deadlock here, in a cycle of 2 lanes");
}

static void classes_with_routings_of_their_own_are_examined_one_by_one(void **state)
{
    (void)state;
    expect("run --referee own.yaml", 0, "end         complete", NULL);
    expect("describe own.yaml", 0, "routing [dateline, adaptive], scan rotating", NULL);
    expect("cdg own.yaml", 0, "safe        each class of messages is safe by itself", NULL);
    expect("cdg --set switch.atomic=none own.yaml", 1,
           "dependencies of escape lanes, direct and indirect, of class 1\nBEHIND ", NULL);
    expect(
        "cdg --set switch.class_routing=adaptive,dimension_order own.yaml", 1,
        "CYCLE of 5 lanes, a shortest one: a head in each may wait for the next, in the last for "
        "the first.\n  0(0).+0 lane 3\n",
        NULL);
    // As a graph with a table for each class it is another text of the same network.
    write_file("same.yaml",
               "network: {topology: cube, radix: [4, 3]}\n"
               "switch: {num_vcs: 2, classes: 2, class_routing: [odd_even, west_first]}\n"
               "traffic: {load: 0.4}\nrun: {cycles: 500}\n");
    expect_shell("$ANNELID describe --graph tables.yaml same.yaml && "
                 "sed 's/cube, radix: .4, 3./graph, graph: tables.yaml/; "
                 "s/class_routing: .*]/routing: table/' same.yaml > table.yaml && "
                 "$ANNELID run -d same.yaml | grep digest > one && "
                 "$ANNELID run -d table.yaml | grep digest | diff - one");
    expect("describe --graph g.yaml own.yaml", 2, "", "classes 0 and 1 have other escape lanes");
}

static void blocked_worms_are_told(void **state)
{
    (void)state;
    expect("worms two.yaml", 0, "No deadlock: every worm was delivered.", NULL);
    expect("worms " ONE "two.yaml", 1, "DEADLOCK, closed in cycle ", NULL);
    expect("worms " ONE "two.yaml", 1, "  Terminals refuse requests while 2 replies wait in their ",
           NULL);
    expect_shell("$ANNELID worms --json --at 80 " ONE "two.yaml > at.json; "
                 "$ANNELID worms --json " ONE "two.yaml > worms.json; test $? = 1 && "
                 "$PYTHON -c '\n"
                 "import json\n"
                 "worms, at = (json.load(open(f + \".json\")) for f in (\"worms\", \"at\"))\n"
                 "texts = [b[\"text\"] for b in at[\"buffers\"]]\n"
                 "refused = [t for t in texts if t.startswith(\"refused by T\")]\n"
                 "assert refused and all(\" until a reply leaves\" in t for t in refused), texts\n"
                 "circle = worms[\"deadlock\"][\"worms\"]\n"
                 "after = circle[1:] + circle[:1]\n"
                 "assert [w[\"held_by\"] for w in circle] == [w[\"worm\"] for w in after]'");
    expect("draw two.yaml -o two.svg", 0, NULL, NULL);
    expect("draw two.yaml -o two.html", 2, "", "a page shows no classes of messages");
}

static void traces_keep_classes_and_roles(void **state)
{
    (void)state;
    expect_shell("$ANNELID run -t two.txt two.yaml > two.out && $ANNELID check two.txt && "
                 "$ANNELID run -t two.anlt two.yaml > two.out && $ANNELID check two.anlt && "
                 "$ANNELID trace diff two.txt two.anlt && grep -q '^worm .* 1:reply$' two.txt && "
                 "sed '0,/ 0:request$/s// 1:request/' two.txt > other.txt && "
                 "! $ANNELID trace diff two.txt other.txt > diff.out 2>&1");
    expect("trace show two.txt", 0, "8 flits, class 0, a request", NULL);
    expect_shell("$ANNELID trace show two.anlt | grep -q '8 flits, class 1, a reply$'");
}

static void what_does_not_know_classes_refuses_them(void **state)
{
    (void)state;
    expect("predict open.yaml", 2, "", "2 classes: the model is about worms that share all lanes");
    expect("bounds open.yaml", 0, "congestion", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_latencies_of_each_class),
        cmocka_unit_test(networks_are_described_and_examined),
        cmocka_unit_test(classes_with_routings_of_their_own_are_examined_one_by_one),
        cmocka_unit_test(blocked_worms_are_told),
        cmocka_unit_test(traces_keep_classes_and_roles),
        cmocka_unit_test(what_does_not_know_classes_refuses_them),
    };
    return cmocka_run_group_tests_name("cli_classes", tests, prepare, remove_directory);
}
