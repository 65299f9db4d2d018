// SPDX-License-Identifier: Apache-2.0
//
// Messages that wait for others, from the file to the worms: Python reads both and applies the rule
// of docs/scenario.md. Traces carry what was waited for, and the referee sees each cycle too early
// or too late.

#include "unit_cli.h"

// Draws 2000 messages: requests, replies, and tasks that need several others, in any order of
// lines.
static const char draw[] =
    "import random\n"
    "rng = random.Random(5)\n"
    "rank = list(range(2000))\n"
    "for at in range(0, 2000, 50):\n"
    "    part = rank[at:at + 50]\n"
    "    rng.shuffle(part)\n"
    "    rank[at:at + 50] = part\n"
    "of = {r: m for m, r in enumerate(rank)}\n"
    "with open(\"many.txt\", \"w\") as out:\n"
    "    for m in range(2000):\n"
    "        n = min(rank[m], rng.choice([0, 1, 1, 2, 5]))\n"
    "        after = [str(10 * of[rank[m] - 1 - rng.randrange(min(rank[m], 40))]) + "
    "rng.choice([\"\", \"+2\", \"+30\"]) for _ in range(n)]\n"
    "        print(m // 20, rng.randrange(16), rng.randrange(16), rng.randint(1, 9), "
    "*rng.sample([f\"id={10 * m}\"] + ([\"after=\" + \",\".join(after)] if after else []), "
    "2 if after else 1), file=out)\n";

// Applies the rule: messages that are due come in the order of their cycles and then of the file.
static const char check[] =
    "import csv, heapq, sys\n"
    "messages, ids, worm = [], {}, 0\n"
    "for line in open(sys.argv[1]):\n"
    "    words = line.split(\"#\")[0].split()\n"
    "    if not words: continue\n"
    "    named = dict(word.split(\"=\") for word in words if \"=\" in word)\n"
    "    ids[named.get(\"id\")] = len(messages)\n"
    "    messages.append(([int(word) for word in words if \"=\" not in word], "
    "named.get(\"after\")))\n"
    "after = [[(ids[w.split(\"+\")[0]], int((w + \"+1\").split(\"+\")[1])) for w in "
    "a.split(\",\")] "
    "if a else [] for _, a in messages]\n"
    "due = [m[0] for m, _ in messages]\n"
    "missing = [len(a) for a in after]\n"
    "behind = [[] for _ in messages]\n"
    "for m, a in enumerate(after):\n"
    "    for before, cycles in a: behind[before].append((m, cycles))\n"
    "heap = [(due[m], m) for m in range(len(messages)) if not missing[m]]\n"
    "heapq.heapify(heap)\n"
    "late = 0\n"
    "rows = list(csv.DictReader(l for l in open(sys.argv[2]) if l[0] != \"#\"))\n"
    "for row in rows:\n"
    "    cycle, m = heapq.heappop(heap)\n"
    "    seen = [int(row[k]) for k in (\"created\", \"source\", \"destination\", \"length\")]\n"
    "    assert seen == [cycle] + messages[m][0][1:4], (row, cycle, messages[m])\n"
    "    late += cycle > messages[m][0][0]\n"
    "    for other, cycles in behind[m]:\n"
    "        due[other] = max(due[other], int(row[\"delivered\"]) + cycles)\n"
    "        missing[other] -= 1\n"
    "        if not missing[other]: heapq.heappush(heap, (due[other], other))\n"
    "assert len(rows) == len(messages) and late > 0, (len(rows), late)\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("draw.py", draw);
    write_file("check.py", check);
    write_file("many.yaml", "network: {topology: mesh, k: 4, n: 2}\nswitch: {num_vcs: 2}\n"
                            "traffic: {process: replay, messages: many.txt}\n");
    write_file("few.yaml", "network: {topology: mesh, k: 2, n: 2}\n"
                           "traffic: {process: replay, messages: few.txt}\n");
    write_file("few.txt", "0 0 3 2 id=1\n0 3 0 8 after=1+20 id=2\n"
                          "0 1 3 2 id=3\n0 2 0 4 after=2,3+5\n");
    return shell("$PYTHON draw.py");
}

static void worms_are_created_when_the_file_says(void **state)
{
    (void)state;
    expect("run --referee --worms many.csv many.yaml", 0, "end         complete", NULL);
    expect_shell("$PYTHON check.py many.txt many.csv");
    char command[512], path[256];
    static const char *const examples[][2] = {{"mesh4_waiting", "waiting"},
                                              {"classes_waiting", "classes_waiting"}};
    for (size_t i = 0; i < 2; i++) {
        assert_true(getcwd(path, sizeof path) != NULL);
        snprintf(command, sizeof command,
                 "S='%s/sim/scenarios'; $ANNELID run --referee --worms x.csv \"$S/%s.yaml\" > "
                 "/dev/null && $PYTHON check.py \"$S/messages/%s.txt\" x.csv",
                 path, examples[i][0], examples[i][1]);
        expect_shell(command);
    }
}

static void traces_carry_what_was_waited_for(void **state)
{
    (void)state;
    expect("run --digest -t few.txt.trace few.yaml", 0, NULL, NULL);
    expect("run -t few.anlt few.yaml", 0, NULL, NULL);
    expect("trace convert few.anlt back.trace", 0, NULL, NULL);
    expect_shell("cmp few.txt.trace back.trace");
    expect_shell("grep -qx 'worm 2 3 0 8 25 after:0:0+20' back.trace");
    expect("trace show back.trace", 0, "from 3 to 0, 8 flits, 20 cycles after worm 0\n", NULL);
    expect("check few.anlt back.trace", 0, "no rule broken", NULL);
    static const struct {
        const char *change, *verdict;
    } lies[] = {
        {"s/after:0:0+20/after:0:0+21/",
         "wrong_cycle: cycle 25: worm 2 (3->0) is created, but what "
         "it waits for allows it in cycle 26"},
        {"s/after:0:0+20/after:0:0+19/", "allows it in cycle 24"},
        {"s/after:0:0+20/after:27:0+20/", "allows it in cycle 27"},
        {"s/after:0:2+1,1+5/after:0:2+1,1+50/", "wrong_cycle: cycle 36: worm 3"},
        {"s/^worm 1 1 3 2 0$/worm 1 1 3 2 0 after:0:0+1/",
         "wrong_cycle: cycle 0: worm 1 (1->3) is created, but worm 0, for which it waits, is not"},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        char command[256];
        snprintf(command, sizeof command, "sed '%s' back.trace > lie.trace", lies[i].change);
        expect_shell(command);
        expect("check --no-digest lie.trace", 1, lies[i].verdict, NULL);
        expect("check lie.trace", 2, "", "digest");
        expect("trace diff back.trace lie.trace", 1, "First difference: cycle ", NULL);
    }
}

static void commands_know_messages_that_wait(void **state)
{
    (void)state;
    expect("describe few.yaml", 0, ", 4 messages, of which 2 wait for others\n", NULL);
    expect("worms few.yaml", 0, "No deadlock", NULL);
    expect("bounds few.yaml", 0, "as the run took them", NULL);
    expect("run --set run.max_cycles=30 few.yaml", 0, "worms       3 created, 2 delivered", NULL);
    expect_shell("$ANNELID run --json few.yaml > a.json; sed -i s/1+20/1+21/ few.txt; "
                 "$ANNELID run --json few.yaml > b.json; sed -i s/1+21/1+20/ few.txt; "
                 "$PYTHON -c 'import json\n"
                 "a, b = (json.load(open(f + \".json\")) for f in \"ab\")\n"
                 "assert a[\"scenario_xxh3\"] != b[\"scenario_xxh3\"] and b[\"cycles\"] == "
                 "a[\"cycles\"] + 1, (a, b)'");
    write_file("round.txt", "0 0 3 2 id=1 after=2\n0 3 0 8 id=2 after=1+20\n");
    expect("run --set traffic.messages=round.txt few.yaml", 2, "",
           "round.txt:1: after: found messages that wait for each other in a circle of 2: line 1, "
           "line 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worms_are_created_when_the_file_says),
        cmocka_unit_test(traces_carry_what_was_waited_for),
        cmocka_unit_test(commands_know_messages_that_wait),
    };
    return cmocka_run_group_tests_name("cli_waiting", tests, prepare, remove_directory);
}
