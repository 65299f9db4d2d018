// SPDX-License-Identifier: Apache-2.0
//
// `annelid draw` as a person or a script meets it: pictures that are whole and well-formed, what
// they show, and every error. tb/browser/test_page.py tests the page in a browser.

#include "unit_cli.h"

// Checks an SVG file with Python, and fails unless promise holds. `text` is all text of the file,
// `waits` the arrows, `signs` the kinds of blocked heads, `flits` the slots that are filled.
static void judge(const char *file, const char *promise)
{
    char line[2048];
    snprintf(
        line, sizeof line,
        "$PYTHON -c 'import re, xml.etree.ElementTree as xml\n"
        "picture = xml.parse(\"%s\").getroot(); text = \" \".join(\" "
        "\".join(picture.itertext()).split())\n"
        "of = lambda name: [e for e in picture.iter() if e.get(\"class\") == name]\n"
        "worms = [e for e in picture.iter() if (e.get(\"id\") or \"\").startswith(\"worm-\")]\n"
        "waits = [e for e in of(\"wait\") if \"Q\" in e.get(\"d\")]\n"
        "signs = [u.get(\"href\") for w in worms for u in w if u.tag.endswith(\"use\")]\n"
        "flits = sum(e.get(\"d\").count(\"Z\") for e in of(\"flits\"))\n"
        "assert picture.tag == \"{http://www.w3.org/2000/svg}svg\"\n%s'",
        file, promise);
    expect_shell(line);
}

// In a row of three switches worm 0 fills the row, worm 1 wants one of its lanes, and worm 2 is
// queued behind worm 1.
static const char *const row = "network: {topology: mesh, k: 3, n: 1}\n"
                               "switch: {num_vcs: 1, depth: 2}\n"
                               "traffic: {process: replay, messages: row.txt}\n"
                               "run: {max_cycles: 1000}\n";

static int prepare(void **state)
{
    (void)state;
    char line[512], here[256];
    if (!make_directory() || !getcwd(here, sizeof here)) return -1;
    write_file("row.yaml", row);
    write_file("row.txt", "0 0 2 12\n2 1 2 3\n2 1 2 1\n");
    write_file("good.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                            "traffic: {load: 0.3, length: 4}\nrun: {cycles: 200, seed: 5}\n");
    write_file("idle.yaml", "network: {topology: mesh, k: 2, n: 1}\n"
                            "traffic: {load: 0, length: 4}\nrun: {cycles: 20}\n");
    write_file("large.yaml", "network: {topology: mesh, k: 64, n: 2}\n"
                             "traffic: {load: 0.01, length: 4}\nrun: {cycles: 20}\n");
    write_file("bad.yaml", "network: {topology: mesh, k: 3, n: 2}\nswitch: {num_vcs: 9}\n");
    snprintf(line, sizeof line, "cp '%s'/sim/scenarios/deadlock_ring5.yaml .", here);
    return shell(line);
}

// --- still pictures ---

static void a_blocked_worm_is_shown_with_its_cause(void **state)
{
    (void)state;
    expect("draw --at 6 --worm 1 -o row.svg row.yaml", 0, "", NULL);
    judge("row.svg", "assert len(worms) == 2, worms\n"
                     "assert signs == [\"#bound_elsewhere\"], signs\n"
                     "assert len(waits) == 1 and not of(\"worm dim\")\n"
                     "assert [e.text for e in of(\"tag\")] == [\"1\", \"0\"]\n"
                     "assert \"row.yaml, cycle 6\" in text and \"Who waits for whom\" in text\n"
                     "assert \"bound elsewhere on 1(1).+0, waits for worm 0 in \" in text, text\n"
                     "assert [e.text for e in of(\"queue\")] == [\"1\", \"2\", \"3\"]");
}

// The same row as a graph. The middle switch has most links, so it is at the top.
static void a_graph_is_drawn_like_its_cube(void **state)
{
    (void)state;
    static const char *const switches[] = {"[left, middle, right]", "3"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "network: {topology: graph}\nswitch: {num_vcs: 1, depth: 2}\n"
                 "traffic: {process: replay, messages: row.txt}\nrun: {max_cycles: 1000}\n"
                 "graph: {switches: %s, terminals: [0, 1, 2], links: [[0, 1], [1, 2]]}\n",
                 switches[i]);
        write_file("graph.yaml", text);
        expect("draw --at 6 --worm 1 -o graph.svg graph.yaml", 0, "", NULL);
        judge("graph.svg", "assert signs == [\"#bound_elsewhere\"] and len(waits) == 1\n"
                           "assert [e.text for e in of(\"tag\")] == [\"1\", \"0\"]\n"
                           "assert \"graph, 3 terminals (3 switches), 1 lane\" in text, text\n"
                           "boxes = [float(e.get(\"y\")) for e in of(\"switch\")]\n"
                           "assert boxes[1] < boxes[0] == boxes[2], boxes");
        judge("graph.svg", i == 0 ? "assert \"bound elsewhere on 1(middle).1\" in text, text\n"
                                    "assert \"0 left\" in text and \"2 right\" in text"
                                  : "assert \"bound elsewhere on 1.1\" in text, text\n"
                                    "names = [e.text for e in of(\"small\")][:3]\n"
                                    "assert names == [None] * 3, names");
    }
}

// The flits in the picture are those created minus those delivered and those still in sources.
static void every_flit_is_drawn(void **state)
{
    (void)state;
    // As in the table of docs/switch.md, worm 0 sends a flit in every cycle from cycle 0 on.
    expect("draw --at 3 -o three.svg row.yaml", 0, "", NULL);
    expect("draw --at 3 -o stages.svg --set switch.stages=2 row.yaml", 0, "", NULL);
    expect_shell("grep -q ', two stages' stages.svg && ! grep -q ', two stages' three.svg");
    expect("draw -o stages.html --set switch.stages=2 row.yaml", 0, "", NULL);
    judge("three.svg", "assert flits == 4, flits");
    judge("stages.svg", "assert flits == 3, flits");  // one of worm 0 waits for a credit
}

static void a_deadlock_is_shown_as_a_circle(void **state)
{
    (void)state;
    expect("draw -o ring.svg deadlock_ring5.yaml", 0, "", NULL);
    judge("ring.svg", "assert \"ring5.yaml, cycle 2 deadlocked since cycle 2\" in text, text\n"
                      "assert len(waits) == 5 and len(of(\"chain dead\")) == 1\n"
                      "assert signs == 5 * [\"#bound_elsewhere\"], signs\n"
                      "assert \"which waits for worm 0 again\" in text");
    expect("draw --at 1 -o ring.svg deadlock_ring5.yaml", 0, "", NULL);
    judge("ring.svg", "assert \"deadlock\" not in text.split(\"cycle\")[1]\n"
                      "assert len(of(\"chain dead\")) == 0");
}

static void nobody_waits(void **state)
{
    (void)state;
    expect("draw -o idle.svg idle.yaml", 0, "", NULL);
    judge("idle.svg", "assert \"Nobody waits\" in text and not worms and not waits");
}

static void traces_are_drawn_like_their_scenarios(void **state)
{
    (void)state;
    expect("run --trace good.anlt good.yaml", 0, NULL, NULL);
    expect("draw --at 100 -o a.svg good.yaml", 0, "", NULL);
    expect("draw --at 100 -o b.svg good.anlt", 0, "", NULL);
    expect_shell("sed 's/good.anlt/good.yaml/' b.svg | cmp - a.svg");
    expect("draw --seed 6 --at 100 -o c.svg good.yaml", 0, "", NULL);
    expect_shell("! cmp -s a.svg c.svg");
    expect("draw --seed 6 -o c.svg good.anlt", 2, NULL, "good.anlt");
}

static void names_are_escaped(void **state)
{
    (void)state;
    expect_shell("cp row.yaml '<b>&\"x\xff\xc3\xa9.yaml'");
    expect("draw --at 6 -o odd.svg '<b>&\"x\xff\xc3\xa9.yaml'", 0, "", NULL);
    judge("odd.svg", "assert \"<b>&\\\"x?\\u00e9.yaml, cycle 6\" in text");
    expect("draw -o odd.html '<b>&\"x\xff\xc3\xa9.yaml'", 0, "", NULL);
    expect_shell("grep -q '<title>&#60;b&#62;&#38;&#34;x?' odd.html");
    // First the first and last characters of each length, U+1F41B and a BOM; then bytes that are
    // not UTF-8: too long (2, 3, 4 bytes), a surrogate, beyond U+10FFFF, cut off; and U+FFFF, which
    // XML forbids.
    static const char good[] = "\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbd\xf0\x90\x80\x80"
                               "\xf0\x9f\x90\x9b\xf4\x8f\xbf\xbf\xef\xbb\xbf";
    static const char bad[] = "\xc1\x81 \xe0\x9f\xbf \xf0\x8f\xbf\xbf \xed\xa0\x80 "
                              "\xf4\x90\x80\x80 \xf0\x9f\x90 \xef\xbf\xbf";
    char line[256];
    snprintf(line, sizeof line, "cp row.yaml '%s(%s).yaml'", good, bad);
    expect_shell(line);
    snprintf(line, sizeof line, "draw --at 6 -o utf.svg '%s(%s).yaml'", good, bad);
    expect(line, 0, "", NULL);
    judge("utf.svg", "assert \"\\x80\\u07ff\\u0800\\ufffd\\U00010000\\U0001f41b\\U0010ffff\\ufeff"
                     "(2 3 4 3 4 3 3).yaml, cycle 6\" in re.sub(\"[?]+\", lambda m: "
                     "str(len(m[0])), text), ascii(text)");
}

static void png_is_png(void **state)
{
    (void)state;
    expect("draw --at 6 -o row.png row.yaml", 0, "", NULL);
    expect_shell("head -c 8 row.png | od -An -tx1 | grep -q '89 50 4e 47 0d 0a 1a 0a'");
    expect("draw --at 6 -o row.pdf row.yaml", 0, "", NULL);
    expect_shell("head -c 5 row.pdf | grep -q '^%PDF-'");
    expect_shell("mkdir -p empty && ! PATH=$PWD/empty \"$ANNELID\" draw --at 6 -o no.png row.yaml "
                 "2> said");
    expect_shell("grep -q 'no.png: cannot run rsvg-convert.*librsvg2-bin' said");
    expect_shell(
        "printf '#!/bin/sh\\nexit 3\\n' > empty/rsvg-convert && chmod +x empty/rsvg-convert "
        "&& ! PATH=$PWD/empty:$PATH \"$ANNELID\" draw --at 6 -o no.png row.yaml 2> said");
    expect_shell("grep -q 'rsvg-convert failed (exit status 3)' said");
    assert_false(remains("no.png"));
}

// The command fails before it runs anything: even the input is missing.
static void what_must_fail_fails_at_once(void **state)
{
    (void)state;
    expect_shell(
        "mkdir -p none && PATH=$PWD/none \"$ANNELID\" draw -o no.png missing.yaml 2> said; [ "
        "$? = 2 ]");
    expect_shell("grep -q 'no.png: cannot run rsvg-convert' said");
    expect("draw -o nowhere/x.svg missing.yaml", 2, "", "nowhere/x.svg: cannot write");
    expect("draw -o nowhere/x.html missing.yaml", 2, "", "nowhere/x.html: cannot write");
    expect_shell("cp row.yaml row.html && cp row.yaml row.svg");
    expect("draw -o row.html row.html", 2, "", "row.html: cannot write: it is the input");
    expect("draw -o row.svg row.svg", 2, "", "row.svg: cannot write: it is the input");
    expect_shell("cmp row.yaml row.html && cmp row.yaml row.svg");
}

// The runs of these scenarios take hours; what no run can change is refused before.
static void what_cannot_be_drawn_is_refused_before_the_run(void **state)
{
    (void)state;
    write_file("endless.yaml", "network: {topology: mesh, k: 8, n: 2}\n"
                               "traffic: {load: 0.005, length: 8}\n"
                               "run: {cycles: 1000000000, max_cycles: 2000000000}\n");
    static const struct {
        const char *arguments, *error;
    } cases[] = {
        {"draw -o x.svg --set network.k=64", "4096 switches is too large to be drawn"},
        {"draw -o x.svg --set network.k=64 --at 5", "4096 switches is too large to be drawn"},
        {"draw -o x.html --set network.k=64", "4096 switches is too large to be drawn"},
        {"draw -o x.svg --at 2000000000", "no cycle 2000000000, for run.max_cycles is 2000000000"},
        {"draw -o x.html --from 2000000000", "there is no cycle 2000000000"},
        {"worms --at 2000000000", "there is no cycle 2000000000"},
        {"plot -o x.svg --what links --set network.k=64", "4096 switches is too large to be drawn"},
        {"plot -o x.svg --what links --set run.warmup_cycles=1000000000",
         "nothing would be measured"},
        {"plot -o x.svg --set run.warmup_cycles=1000000000", "nothing would be measured"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char command[512];
        snprintf(command, sizeof command,
                 "(ulimit -t 20; \"$ANNELID\" %s endless.yaml 2> said; [ $? = 2 ]) && "
                 "grep -q '%s' said",
                 cases[i].arguments, cases[i].error);
        expect_shell(command);
        assert_false(remains("x."));
    }
}

static void an_interrupt_stops_the_converter(void **state)
{
    (void)state;
    expect_interrupted_in("rsvg-convert", "draw --at 6 -o i.png row.yaml");
    assert_false(remains("i.png"));
    expect_interrupted("draw -o i.png --set run.cycles=100000000 --set run.max_cycles=100000000 "
                       "good.yaml",
                       "-e i.png.*.tmp");
    assert_false(remains("i.png"));
}

// --- pages ---

static void a_page_is_one_whole_file(void **state)
{
    (void)state;
    expect("draw --from 10 --to 60 -o page.html good.yaml", 0, "", NULL);
    expect_shell("grep -q '\"from\":10,\"to\":60,' page.html");
    expect_shell("! grep -q '@[A-Z]*@' page.html");
    expect_shell("! grep -Eq '(src|href)=\"(http|//)|url\\(http|import|fetch' page.html");
    expect_shell("test $(grep -c '</script>' page.html) = 2");
    expect("draw --from 150 -o rest.html good.yaml", 0, "", NULL);
    expect_shell("$PYTHON -c 'import json, re\n"
                 "page = open(\"rest.html\").read()\n"
                 "data = json.loads(re.search(\"json\\\">(.*?)</script>\", page, re.S)[1])\n"
                 "assert data[\"from\"] == 150 and 200 <= data[\"to\"] < 400, data[\"to\"]\n"
                 "assert all(w[4] <= data[\"to\"] for w in data[\"worms\"])\n"
                 "assert len({w[0] for w in data[\"worms\"]}) == len(data[\"worms\"])'");
    expect("draw --from 150 --to 400 -o cut.html good.yaml", 0, "",
           "good.yaml: --to 400 is after the last cycle, ");
    expect_shell("sed 's/ --to 400//' cut.html | cmp - rest.html");
}

static void too_long_a_page_is_refused(void **state)
{
    (void)state;
    unit_leave_out();
    write_file("long.yaml", "network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 4}\n"
                            "traffic: {load: 0.6, length: 4}\nrun: {cycles: 60000}\n");
    expect("draw -o long.html long.yaml", 2, NULL,
           "long.yaml: too long for a page of at most 24 MiB: from cycle 0 it can go to about ");
    assert_false(remains("long.html"));
}

// Worms, stalls, queues and the contents of lanes count towards the size of a page; only the
// network, which no option changes, is added to it. What the message says must be right.
static void all_of_a_page_counts(void **state)
{
    (void)state;
    unit_leave_out();
    write_file("big.yaml", "network: {topology: mesh, k: 32, n: 2}\n"
                           "switch: {num_vcs: 8, depth: 16}\n"
                           "traffic: {load: 0.9, length: 16}\nrun: {cycles: 400, seed: 1}\n");
    expect_shell("\"$ANNELID\" draw --to 0 -o network.html big.yaml");
    expect_shell("\"$ANNELID\" draw --from 100 --to 250 -o big.html big.yaml 2> said; [ $? = 2 ]");
    assert_false(remains("big.html"));
    expect_shell(
        "\"$ANNELID\" draw --from 100 --to $(sed -n 's/.* about \\([0-9]*\\) (--to)$/\\1/p' "
        "said) -o big.html big.yaml");
    expect_shell("bytes=$(($(stat -c %s big.html) - $(stat -c %s network.html))); "
                 "[ $bytes -gt $((22 << 20)) ] && [ $bytes -le $((24 << 20)) ]");
}

// Worms that only wait in a queue are counted but not listed: a page of few cycles stays small,
// however long the queues are.
static void queues_make_no_page_large(void **state)
{
    (void)state;
    write_file("full.yaml", "network: {topology: mesh, k: 8, n: 2}\nswitch: {num_vcs: 1}\n"
                            "traffic: {load: 0.9, length: 2}\nrun: {cycles: 3000, seed: 1}\n");
    expect("draw --from 2990 --to 2999 -o full.html full.yaml", 0, "", NULL);
    expect("worms --json --at 2999 full.yaml", 0, NULL, NULL);
    expect_shell(
        "\"$ANNELID\" worms --json --at 2999 full.yaml > full.json; $PYTHON -c 'import json, re\n"
        "page = open(\"full.html\").read(); blocking = json.load(open(\"full.json\"))\n"
        "data = json.loads(re.search(\"json\\\">(.*?)</script>\", page, re.S)[1])\n"
        "hidden = sum(q[0] + len(q) - 1 for q in data[\"hidden\"])\n"
        "assert hidden == blocking[\"queued\"] > 30000, (hidden, blocking[\"queued\"])\n"
        "assert all(2990 <= c < 3000 for q in data[\"hidden\"] for c in q[1:])\n"
        "assert len(page) < 500000 and len(data[\"worms\"]) < 2000, len(page)'");
}

// --- errors ---

static void usage_is_checked(void **state)
{
    (void)state;
    expect("draw --help", 0, "Usage: annelid draw", NULL);
    expect("draw", 2, NULL, "a trace or a scenario is missing");
    expect("draw row.yaml", 2, NULL, "where to draw is missing");
    expect("draw -o x.svg row.yaml row.yaml", 2, NULL, "one trace or scenario");
    expect("draw -o x.eps row.yaml", 2, NULL, "'x.eps' ends in none of .svg, .png, .pdf and .html");
    expect("draw -o .svg row.yaml", 2, NULL, "ends in none");
    expect("draw -o x.html --at 3 row.yaml", 2, NULL, "a page has --from and --to");
    expect("draw -o x.svg --from 3 row.yaml", 2, NULL, "a still picture has --at");
    expect("draw -o x.html --from 5 --to 4 row.yaml", 2, NULL, "--from 5 is after --to 4");
    expect("draw -o x.svg --at -3 row.yaml", 2, NULL, "'-3' is not a number");
    expect("draw -o x.svg --worm w row.yaml", 2, NULL, "'w' is not a number");
    assert_false(remains("x.") || remains(".svg"));
}

static void bad_input_is_named(void **state)
{
    (void)state;
    expect("draw -o x.svg missing.yaml", 2, NULL, "missing.yaml");
    expect("draw -o x.svg bad.yaml", 2, NULL, "bad.yaml:2:");
    expect("draw -o x.html bad.yaml", 2, NULL, "bad.yaml:2:");
    expect("draw -o x.svg --at 5000 row.yaml", 2, NULL,
           "row.yaml: there is no cycle 5000, for run.max_cycles is 1000");
    expect("draw -o x.html --from 5000 row.yaml", 2, NULL, "row.yaml: there is no cycle 5000");
    expect("draw -o x.svg --at 3 --worm 77 row.yaml", 2, NULL,
           "worm 77 is not in the network in cycle 3");
    expect("draw -o x.svg --worm 77 row.yaml", 2, NULL, "worm 77");
    expect("draw -o x.svg --at 3 large.yaml", 2, NULL, "4096 switches is too large to be drawn");
    expect("draw -o x.html --to 3 large.yaml", 2, NULL, "4096 switches is too large to be drawn");
    assert_false(remains("x."));
}

static void bad_output_is_named(void **state)
{
    (void)state;
    static const char *const names[] = {"svg", "png", "html"};
    for (int i = 0; i < 3; i++) {
        char arguments[128], said[64];
        snprintf(arguments, sizeof arguments, "draw -o nowhere/x.%s row.yaml", names[i]);
        snprintf(said, sizeof said, "nowhere/x.%s", names[i]);
        expect(arguments, 2, NULL, said);
        snprintf(arguments, sizeof arguments, "mkdir -p d.%s", names[i]);
        expect_shell(arguments);
        snprintf(arguments, sizeof arguments, "draw -o d.%s row.yaml", names[i]);
        expect(arguments, 2, NULL, "not an ordinary file");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_blocked_worm_is_shown_with_its_cause),
        cmocka_unit_test(a_graph_is_drawn_like_its_cube),
        cmocka_unit_test(every_flit_is_drawn),
        cmocka_unit_test(a_deadlock_is_shown_as_a_circle),
        cmocka_unit_test(nobody_waits),
        cmocka_unit_test(traces_are_drawn_like_their_scenarios),
        cmocka_unit_test(names_are_escaped),
        cmocka_unit_test(png_is_png),
        cmocka_unit_test(what_must_fail_fails_at_once),
        cmocka_unit_test(what_cannot_be_drawn_is_refused_before_the_run),
        cmocka_unit_test(an_interrupt_stops_the_converter),
        cmocka_unit_test(a_page_is_one_whole_file),
        cmocka_unit_test(too_long_a_page_is_refused),
        cmocka_unit_test(all_of_a_page_counts),
        cmocka_unit_test(queues_make_no_page_large),
        cmocka_unit_test(usage_is_checked),
        cmocka_unit_test(bad_input_is_named),
        cmocka_unit_test(bad_output_is_named),
    };
    return cmocka_run_group_tests_name("cli_draw", tests, prepare, remove_directory);
}
