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
    write_file("reply.yaml",
               "network: {topology: mesh, k: 4, n: 2, unsafe: true}\n"
               "switch: {num_vcs: 2, depth: 4}\n"
               "traffic: {process: request_reply, worms_per_terminal: 50, window: 8, length: 8,\n"
               "  reply_length: 8, reply_queue: 2}\n");
    write_file("own.yaml", "network: {topology: cube, radix: 5, dimensions: ring, unsafe: true}\n"
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

// What terminals wait for is said by the user, as of AXI4: a memory takes requests, class 0, only
// if it can send replies, class 1. Where terminals of the model do so, a run stalls or ends as the
// graph says.
static void terminals_wait_for_what_the_user_says(void **state)
{
    (void)state;
    static const char *const runs[][3] = {{"", "0:1", "end         complete"},
                                          {ONE, "0:0", "end         stalled"}};
    for (int i = 0; i < 2; i++) {
        char command[512];
        snprintf(command, sizeof command, "run %stwo.yaml", runs[i][0]);
        expect(command, i, runs[i][2], NULL);
        snprintf(command, sizeof command, "cdg --waits %s %s--set traffic.reply_queue=0 two.yaml",
                 runs[i][1], runs[i][0]);
        expect(command, i, i ? "\nCYCLE of 2 lanes" : "\nacyclic", NULL);
        // The graph is that of terminals that refuse.
        snprintf(command, sizeof command,
                 "$ANNELID cdg %stwo.yaml | grep -v -e REPLIES > refuse; $ANNELID cdg --waits %s "
                 "%s--set traffic.reply_queue=0 two.yaml | grep -v '^waits' | diff refuse -",
                 runs[i][0], runs[i][1], runs[i][0]);
        expect_shell(command);
    }
    expect("cdg --waits 0:1 open.yaml", 0,
           "waits       terminals take class 0 only if they can send class 1\nacyclic", NULL);
    expect("cdg --waits 0:1,1:0 open.yaml", 1, "CYCLE of 4 lanes", NULL);
    expect("cdg --waits 0:1 adaptive.yaml", 0, "\nsafe ", NULL);
    expect("cdg --waits 0:1,1:0 adaptive.yaml", 1, "\nCYCLE of ", NULL);
    expect("cdg --waits 1:0 own.yaml", 0, "\nsafe ", NULL);
    static const char *const wrong[] = {"0", "0:2", "2:0", "a:1", "0:1,", "0:-1", "0:1:0", "1: 0"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char command[96];
        snprintf(command, sizeof command, "cdg --waits '%s' open.yaml", wrong[i]);
        expect(command, 2, "", "expected classes 0 … 1 in pairs, 0:1, with commas between them");
    }
}

static void classes_with_routings_of_their_own_are_examined_one_by_one(void **state)
{
    (void)state;
    expect("run --referee own.yaml", 0, "end         complete", NULL);
    expect("describe own.yaml", 0, "routing [dateline, adaptive], arbiter round_robin", NULL);
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
    expect("draw two.yaml -o two.html", 0, NULL, NULL);
}

// A request waits for its own terminal, which refuses it until the same request has left the
// source. Text, JSON and picture name the terminal, and what stands in its lanes.
static void a_terminal_in_the_circle_is_named(void **state)
{
    (void)state;
    expect_shell(
        "$ANNELID worms reply.yaml > reply.out; test $? = 1 && "
        "grep -qxF 'DEADLOCK, closed in cycle 50: a worm and T8, which refuses requests, "
        "hold each other, and its head can never move again.' reply.out && "
        "grep -qxF '  worm 104  T8 -> T8, 8 flits, class 0, a request' reply.out && "
        "grep -qxF '    full     lane 0 of 8(0,2).T  held by worm 32  worm 19 refused by T8 "
        "until a reply leaves, behind worm 104' reply.out && "
        "grep -qxF '             lane 1 of 8(0,2).T  held by worm 73  worm 73 waits: T8 "
        "refuses lane 0 of 8(0,2).T' reply.out && "
        "grep -qxF '    held by  T8, which refuses requests until a reply leaves its source, "
        "and there by worm 104, the first one: deadlock' reply.out");
    expect_shell(
        "$ANNELID worms --json reply.yaml > reply.json; test $? = 1 && $PYTHON -c '\n"
        "import json\n"
        "worm, = json.load(open(\"reply.json\"))[\"deadlock\"][\"worms\"]\n"
        "by = worm[\"refused_by\"]\n"
        "assert by[\"terminal\"] == 8 and worm[\"held_by\"] == worm[\"worm\"] == 104, worm\n"
        "assert [(l[\"buffer\"], l[\"flits\"], l[\"worm\"], l[\"owner\"]) for l in "
        "by[\"lanes\"]] == [(\"lane 0 of 8(0,2).T\", 2, 19, 32), "
        "(\"lane 1 of 8(0,2).T\", 2, 73, 73)], by'");
    // An arrow from the worm to the terminal, and one back; a sign at each lane that is refused.
    expect_shell(
        "$ANNELID draw -o reply.svg reply.yaml && $PYTHON -c '\n"
        "import re\n"
        "picture = open(\"reply.svg\").read()\n"
        "chain = picture[picture.index(\"class=\\\"chain dead\\\"\"):]\n"
        "chain = chain[:chain.index(\"</g>\\n</g>\")]\n"
        "assert len(re.findall(\"class=.wait. marker-end=.url.#point-dead\", chain)) == 2, chain\n"
        "assert re.findall(\"class=.tag. [^>]*>([0-9]+)\", chain) == [\"104\", \"19\"], chain\n"
        "assert \"refused by T8 until a reply leaves\" in picture\n"
        "assert picture.count(\"#refused\") > 2'");
}

// A worm that is queued is in the source of its class.
static void queued_worms_are_in_the_source_of_their_class(void **state)
{
    (void)state;
    expect_shell(
        "$ANNELID run -t queue.txt two.yaml > /dev/null && "
        "for worm in $(sed -n 's/^worm \\([0-9]*\\) .* 1:reply$/\\1/p' queue.txt | head -n 40); do "
        "at=$(sed -n \"s/^worm $worm [0-9]* [0-9]* [0-9]* \\([0-9]*\\) .*/\\1/p\" queue.txt); "
        "$ANNELID worms --json --worm $worm --at $at two.yaml; done > queue.json; "
        "$PYTHON -c '\n"
        "import json\n"
        "worms = [json.loads(t)[\"worm\"] for t in open(\"queue.json\").read().splitlines()]\n"
        "queued = [w for w in worms if w[\"wait\"] == \"queued\"]\n"
        "assert queued and all(w[\"buffer\"].endswith(\" class 1\") for w in queued), worms'");
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

// What was not measured has no number.
static void a_class_without_worms_has_no_latency(void **state)
{
    (void)state;
    write_file("idle.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                            "switch: {num_vcs: 2, classes: 2}\n"
                            "traffic: {load: 0.01}\n"
                            "run: {cycles: 300, warmup_cycles: 299, seed: 4}\n");
    expect_shell("$ANNELID run idle.yaml > said && ! grep -q class said");
    write_file("ask.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                           "switch: {num_vcs: 2, classes: 2}\n"
                           "traffic: {process: request_reply, worms_per_terminal: 10, window: 2, "
                           "reply_length: 4}\n"
                           "run: {max_cycles: 12}\n");
    expect_shell("$ANNELID run ask.yaml | grep -q 'class 1   no worm was measured'");
    expect_shell("$ANNELID run --json ask.yaml | $PYTHON -c 'import json, sys; "
                 "one, other = json.load(sys.stdin)[\"classes\"]; "
                 "assert len(one) == 3 and other == {\"worms\": 0}, (one, other)'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_have_latencies_of_each_class),
        cmocka_unit_test(networks_are_described_and_examined),
        cmocka_unit_test(terminals_wait_for_what_the_user_says),
        cmocka_unit_test(classes_with_routings_of_their_own_are_examined_one_by_one),
        cmocka_unit_test(blocked_worms_are_told),
        cmocka_unit_test(traces_keep_classes_and_roles),
        cmocka_unit_test(a_terminal_in_the_circle_is_named),
        cmocka_unit_test(queued_worms_are_in_the_source_of_their_class),
        cmocka_unit_test(what_does_not_know_classes_refuses_them),
        cmocka_unit_test(a_class_without_worms_has_no_latency),
    };
    return cmocka_run_group_tests_name("cli_classes", tests, prepare, remove_directory);
}
