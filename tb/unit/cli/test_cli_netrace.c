// SPDX-License-Identifier: Apache-2.0
//
// `annelid import netrace`: traces that Python makes of the page (docs/netrace.md), good and
// damaged.

#include "unit_cli.h"

// usage: make.py CHANGES: writes t.bz2. CHANGES are assignments to the names below.
static const char make[] = "import bz2, struct, sys\n"
                           "magic, version, name, nodes, packets, notes, regions = 0x484A5455, "
                           "1.0, b'toy', 9, None, b'hi!\\0', "
                           "1\n"
                           "# cycle, id, type, source, destination, ids that depend on it\n"
                           "rows = [(5, 70, 1, 0, 8, [3]), (9, 3, 2, 8, 0, [4, 12]), (9, 9, 13, 2, "
                           "2, [12]), (10, 4, 4, 0, 5, "
                           "[]), (300, 12, 30, 1, 8, [])]\n"
                           "cut, streams, behind = None, 1, b''\n"
                           "exec(sys.argv[1] if sys.argv[1:] else '')\n"
                           "packets = len(rows) if packets is None else packets\n"
                           "data = struct.pack('<If30sBBQQIIQ', magic, version, name, nodes, 255, "
                           "999, packets, len(notes), "
                           "regions, 77) + notes + bytes(24 * regions)\n"
                           "for cycle, number, kind, source, destination, after in rows:\n"
                           "    data += struct.pack('<QIIBBBBB', cycle, number, 0xdeadbeef, kind, "
                           "source, destination, 0x31, "
                           "len(after)) + struct.pack(f'<{len(after)}I', *after)\n"
                           "data = data[:cut] + behind\n"
                           "size = -(-len(data) // streams)\n"
                           "open('t.bz2', 'wb').write(b''.join(bz2.compress(data[i:i + size]) for "
                           "i in range(0, len(data), "
                           "size)))\n";

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_file("make.py", make);
    write_file("run.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                           "traffic: {process: replay, messages: m.txt}\n");
    return 0;
}

static void made(const char *changes)
{
    char command[512];
    snprintf(command, sizeof command, "$PYTHON make.py \"%s\"", changes);
    expect_shell(command);
}

#define HEAD "# Netrace: toy, 9 nodes, 5 of 5 packets\\n# cycle source destination length\\n"

static void expect_messages(const char *options, const char *messages)
{
    char command[1024];
    snprintf(command, sizeof command, "import netrace %s -o m.txt t.bz2", options);
    expect(command, 0, "", NULL);
    snprintf(command, sizeof command, "printf '%s' | cmp - m.txt", messages);
    expect_shell(command);
}

static void packets_become_messages(void **state)
{
    (void)state;
    for (int streams = 1; streams <= 40; streams += 13) {
        char changes[32];
        snprintf(changes, sizeof changes, "streams = %d", streams);
        made(changes);
        expect_messages("", HEAD "5 0 8 2 id=70\\n9 8 0 18 id=3 after=70\\n9 2 2 2 id=9\\n"
                                 "10 0 5 18 after=3\\n300 1 8 18 after=3,9\\n");
    }
    made("");
    expect("run --referee run.yaml", 0, "worms       5 created, 5 delivered", NULL);
}

static void widths_and_numbers_of_packets_are_options(void **state)
{
    (void)state;
    made("");
    expect_messages("--flit-width-bits 64", HEAD "5 0 8 1 id=70\\n9 8 0 9 id=3 after=70\\n"
                                                 "9 2 2 1 id=9\\n10 0 5 9 after=3\\n"
                                                 "300 1 8 9 after=3,9\\n");
    expect_messages("--flit-width-bits 512 --packets 2",
                    "# Netrace: toy, 9 nodes, 2 of 5 packets\\n# cycle source destination length\\n"
                    "5 0 8 1 id=70\\n9 8 0 2 after=70\\n");
    expect("import netrace --packets 2 -o m.txt t.bz2", 0,
           "t.bz2: read 2 packets with 1 dependency, 9 nodes; left out: 4 bytes of notes, 1 "
           "region, 3 packets, "
           "2 dependencies of such packets\n",
           NULL);
    expect("import netrace --flit-width-bits 7 -o m.txt t.bz2", 2, "",
           "'7' is not a number from 8 to 512");
    expect("import netrace t.bz2", 2, "", "say where to write the messages: -o FILE");
    expect_shell("cat t.bz2 | $ANNELID import netrace -o - - | grep -q 'id=70'");
}

// What waits for its input ends by Ctrl-C at once, and takes its unfinished file away.
static void an_interrupt_leaves_nothing(void **state)
{
    (void)state;
    expect_shell("mkfifo slow");
    expect_interrupted("import netrace -o i.txt slow", "-e i.txt.*.tmp");
    expect_shell("[ \"$(cat said)\" = 'annelid: interrupted' ] && [ -z \"$(ls | grep i.txt)\" ]");
}

static void damaged_traces_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *changes, *message;
    } cases[] = {
        {"magic = 7", "magic: found 0x00000007, expected 0x484a5455 of Netrace"},
        {"version = 2", "version: found 2, expected 1"},
        {"version = float('nan')", "version: found nan, expected 1"},
        {"nodes = 0", "nodes: found 0, expected 1..255"},
        {"packets = 0", "packets: found 0, expected 1..134217728"},
        {"packets = 2**27 + 1", "packets: found 134217729"},
        {"packets = 6", "the trace ends in its packets; it is truncated"},
        {"packets = 4; rows[0] = rows[0][:5] + ([],); rows[1] = rows[1][:5] + ([],); rows[2] = "
         "rows[2][:5] + ([],)",
         "found more than the 4 packets that its header says"},
        {"behind = b'x'", "found more than the 5 packets"},
        {"notes = bytes(2**20 + 1)", "notes: found 1048577 bytes, expected at most 1048576"},
        {"regions = 65537", "regions: found 65537, expected at most 65536"},
        {"cut = 71", "the trace ends in its header; it is truncated"},
        {"cut = 75", "the trace ends in its notes"},
        {"cut = 99", "the trace ends in its regions"},
        {"cut = 110", "the trace ends in its packets"},
        {"cut = -1", "the trace ends in its packets"},
        {"nodes = 8", "packet 70: found node 8, expected 0..7"},
        {"rows[3] = (10, 4, 4, 9, 5, [])", "packet 4: found node 9, expected 0..8"},
        {"rows[3] = (10, 4, 0, 0, 5, [])", "packet 4: found type 0, which no packet has"},
        {"rows[3] = (10, 4, 31, 0, 5, [])", "packet 4: found type 31"},
        {"rows[3] = (8, 4, 4, 0, 5, [])", "packet 4: found cycle 8, expected at least 9"},
        {"rows[3] = (10, 9, 4, 0, 5, [])", "found two packets with the id 9"},
        {"rows[1] = (9, 3, 2, 8, 0, [4, 13])",
         "packet 3: found the dependent packet 13, which is not in the trace"},
        {"rows = [(i, i, 1, 0, 0, [5000]) for i in range(1025)] + [(2000, 5000, 1, 0, 0, [])]",
         "packet 5000: found more than 1024 packets that it waits for"},
        {"rows[3] = (10, 4, 4, 0, 5, [4])", "packet 4: found that it waits for itself"},
        {"rows[4] = (300, 12, 30, 1, 8, [3])",
         "found packets that wait for each other in a circle of 2, each for the next one: 3, 12"},
        {"rows[3] = (10, 4, 4, 0, 5, [9]); rows[4] = (300, 12, 30, 1, 8, [70])",
         "in a circle of 3, each for the next one: 70, 12, 3"},
        {"rows = [(i, i, 1, 0, 0, [(i + 1) % 100]) for i in range(101)]",
         "in a circle of 100, each for the next one: 0, 99, 98, 97, 96, 95, 94, 93, …"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        made(cases[i].changes);
        expect("import netrace -o bad.txt t.bz2", 2, "", cases[i].message);
        assert_false(remains("bad.txt"));
    }
    made("");
    expect_shell("head -c -5 t.bz2 > cut.bz2; : > empty; (cat t.bz2; echo more) > behind.bz2");
    expect_shell("$PYTHON -c \"import bz2; open('plain', 'wb').write(bz2.open('t.bz2').read())\"");
    expect("import netrace -o bad.txt cut.bz2", 2, "", "truncated");
    expect("import netrace -o bad.txt plain", 2, "", "found no bzip2 file, or a damaged one");
    expect("import netrace -o bad.txt empty", 2, "", "truncated");
    expect("import netrace -o bad.txt behind.bz2", 2, "", "no bzip2 file, or a damaged one");
    expect("import netrace -o bad.txt nothing", 2, "", "nothing: No such file");
    assert_false(remains("bad.txt"));
}

// Graphs that are drawn are refused if a search in Python finds a circle in them, and what is told
// is one. A part of a trace may have none though the whole has.
static void circles_are_found(void **state)
{
    (void)state;
    setenv("TRIALS", unit_slow_sample() ? "20" : "60", 1);
    expect_shell(
        "$PYTHON -c 'import os, random, re, subprocess\n"
        "random.seed(1)\n"
        "circles = 0\n"
        "for trial in range(int(os.environ[\"TRIALS\"])):\n"
        "    n = random.randint(1, 8)\n"
        "    after = [random.sample(range(n), random.randint(0, min(n, 2))) for i in range(n)]\n"
        "    rows = [(i, 10 + i, 1, 0, 0, [10 + j for j in after[i]]) for i in range(n)]\n"
        "    subprocess.run([os.environ[\"PYTHON\"], \"make.py\", f\"rows = {rows}\"], "
        "check=True)\n"
        "    left = set(range(n))\n"
        "    while any(not left & set(after[i]) for i in left):\n"
        "        left = {i for i in left if left & set(after[i])}\n"
        "    seen = subprocess.run([os.environ[\"ANNELID\"], \"import\", \"netrace\", \"-o\", "
        "\"m.txt\", \"t.bz2\"], capture_output=True, text=True)\n"
        "    assert seen.returncode == (2 if left else 0), (rows, seen)\n"
        "    if not left: continue\n"
        "    circles += 1\n"
        "    told = re.search(r\"packet (\\d+): found that it|next one: ([\\d, ]+)\", "
        "seen.stderr)\n"
        "    told = [int(x) - 10 for x in (told[1] or told[2]).split(\",\")]\n"
        "    for one, other in zip(told, told[1:] + told[:1]):\n"
        "        assert one in after[other], (rows, seen)\n"
        "assert circles > 3'");
    made("rows[4] = (300, 12, 30, 1, 8, [3])");
    expect("import netrace --packets 4 -o m.txt t.bz2", 0, "t.bz2: read 4 packets", NULL);
}

// A bit of a small trace may be wrong anywhere: the command refuses the trace by its name, or
// writes messages.
static void no_damage_goes_far(void **state)
{
    (void)state;
    made("");
    setenv("STEP", unit_slow_sample() ? "13" : "3", 1);
    expect_shell(
        "$PYTHON -c 'import bz2, os, subprocess\n"
        "whole = bz2.decompress(open(\"t.bz2\", \"rb\").read())\n"
        "for at in range(0, len(whole), int(os.environ[\"STEP\"])):\n"
        "    data = bytearray(whole)\n"
        "    data[at] ^= 1 << at % 8\n"
        "    open(\"d.bz2\", \"wb\").write(bz2.compress(bytes(data)))\n"
        "    seen = subprocess.run([os.environ[\"ANNELID\"], \"import\", \"netrace\", \"-o\", "
        "\"m.txt\", \"d.bz2\"], capture_output=True, text=True)\n"
        "    assert seen.returncode in (0, 2), (at, seen)\n"
        "    assert seen.returncode == 0 or \"d.bz2: \" in seen.stderr, (at, seen)'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets_become_messages),
        cmocka_unit_test(widths_and_numbers_of_packets_are_options),
        cmocka_unit_test(an_interrupt_leaves_nothing),
        cmocka_unit_test(damaged_traces_are_refused),
        cmocka_unit_test(circles_are_found),
        cmocka_unit_test(no_damage_goes_far),
    };
    return cmocka_run_group_tests_name("cli_netrace", tests, prepare, remove_directory);
}
