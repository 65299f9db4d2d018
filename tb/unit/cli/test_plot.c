// SPDX-License-Identifier: Apache-2.0
//
// `annelid plot` of CSV files: the pictures are read back and compared with known numbers; reports;
// every error.

#include "unit_plot.h"

static const char header[] =
    "load,seed,state,end,cycles,warmup,worms,offered,accepted,latency,"
    "latency_min,latency_p50,latency_p95,latency_p99,latency_max,links\r\n";

// Adds a row; the percentiles are 1, 3 and 5 times the latency.
static int add_row(char *text, size_t size, const char *values, double load, int seed,
                   const char *state, double accepted, double latency)
{
    return snprintf(text, size, "%s%g,%d,%s,complete,1000,%d,50,%g,%g,%g,3,%g,%g,%g,400,5.25\r\n",
                    values, load, seed, state, 100 + seed, load, accepted, latency, latency,
                    3 * latency, 5 * latency);
}

struct row {
    const char *values;
    double load;
    int seed;
    const char *state;
    double accepted, latency;
};

static void write_csv(const char *name, const char *keys, const struct row *rows, size_t count)
{
    char text[8192];
    int used = snprintf(text, sizeof text, "%s%s", keys, header);
    for (size_t i = 0; i < count; i++)
        used += add_row(text + used, sizeof text - (size_t)used, rows[i].values, rows[i].load,
                        rows[i].seed, rows[i].state, rows[i].accepted, rows[i].latency);
    write_file(name, text);
}

// With 1 lane the points are 12 ± 12.706, 20 ± 0 and 35 ± 63.5, where one run is saturated. There
// is none at load 0.4, where both runs are.
static const struct row lanes[] = {
    {"1,", 0.1, 1, "steady", 0.1, 11},    {"1,", 0.1, 2, "steady", 0.1, 13},
    {"1,", 0.2, 1, "steady", 0.2, 20},    {"1,", 0.2, 2, "steady", 0.2, 20},
    {"1,", 0.3, 1, "steady", 0.29, 30},   {"1,", 0.3, 2, "saturated", 0.27, 40},
    {"1,", 0.4, 1, "saturated", 0.3, 90}, {"1,", 0.4, 2, "stalled", 0.3, 900},
    {"2,", 0.1, 1, "steady", 0.1, 10},    {"2,", 0.1, 2, "steady", 0.1, 12},
    {"2,", 0.2, 1, "steady", 0.2, 14},    {"2,", 0.2, 2, "steady", 0.2, 14.5},
    {"2,", 0.3, 1, "steady", 0.3, 18},    {"2,", 0.3, 2, "steady", 0.3, 18.25},
    {"2,", 0.4, 1, "unsteady", 0.4, 24},  {"2,", 0.4, 2, "steady", 0.4, 24.5},
};

static int prepare(void **state)
{
    (void)state;
    if (!make_directory()) return -1;
    write_picture_reader();
    write_csv("lanes.csv", "switch.num_vcs,", lanes, 16);
    write_csv("one.csv", "switch.num_vcs,", lanes, 1);
    write_csv("jam.csv", "switch.num_vcs,", lanes + 6, 2);
    write_file("good.yaml", "network: {topology: mesh, k: 3, n: 2}\n"
                            "traffic: {load: 0.3, length: 4}\nrun: {cycles: 200, seed: 5}\n");
    return 0;
}

// --- curves ---

static void latency_is_drawn_to_scale(void **state)
{
    (void)state;
    expect_plot("lanes.csv", "l.svg");
    judge_picture(
        "l.svg",
        "want = {(\"1 lane\", 0.1): (12, 12.706), (\"1 lane\", 0.2): (20, 0), (\"1 lane\", 0.3): "
        "(35, 63.53),\n"
        " (\"2 lanes\", 0.1): (11, 12.706), (\"2 lanes\", 0.2): (14.25, 3.177), (\"2 lanes\", "
        "0.3): "
        "(18.125, 1.588), (\"2 lanes\", 0.4): (24.25, 3.177)}\n"
        "assert len(marks) == 7, marks\n"
        "for x, y, title, sign in marks:\n"
        "    words, load = re.match(r\"(.*), load ([0-9.]+): \", title).groups()\n"
        "    mean, half = want.pop((words, float(load)))\n"
        "    assert near(x, float(load), 0.001) and near(y, mean), (x, y, title)\n"
        "    assert \"%.2f ± %.2f cycles\" % (mean, half) in title or load == \"0.3\" or "
        "\"0.00\" in title or half == 3.177, title\n"
        "    near_bars = [b for b in bars if near(b[0], x, 0.001) and near(min(b[1:]), max(0, mean "
        "- half)) and near(max(b[1:]), min(top, mean + half))]\n"
        "    assert near_bars or half == 0, (title, bars)\n"
        "assert not want\n"
        "assert len(bars) == 6, bars");
}

static void axes_fit_the_knee(void **state)
{
    (void)state;
    expect_plot("lanes.csv", "l.svg");
    // The latency axis ends at six times the slowest curve's first point, the load axis just after
    // the highest load.
    judge_picture("l.svg", "assert near(top, 72, 0.5), top\n"
                           "assert near(right, 0.416, 0.002) and near(X(left), 0, 0.001), right\n"
                           "assert \"latency, cycles\" in texts\n"
                           "assert \"load, flits per terminal and cycle\" in texts\n"
                           "assert \"lanes.csv\" in texts and texts.count(\"1 lane\") == 1\n"
                           "assert texts.count(\"2 lanes\") == 1 and \"NaN\" not in texts\n"
                           "assert any(\"95 % interval over 2 seeds\" in t for t in texts), texts");
    expect_plot("one.csv", "l.svg");
    judge_picture("l.svg", "assert near(top, 1.08 * 11, 0.1), top");
}

static void saturated_points_are_lines_and_mixed_ones_hollow(void **state)
{
    (void)state;
    expect_plot("lanes.csv", "l.svg");
    judge_picture(
        "l.svg",
        "hollow = [(m[2].split(\",\")[0], round(m[0], 2)) for m in marks if m[3][-1] in \"35\"]\n"
        "assert sorted(hollow) == [(\"1 lane\", 0.3), (\"2 lanes\", 0.4)], marks\n"
        "lines = dashed()\n"
        "assert len(lines) == 1 and near(lines[0][1], 0.4, 0.001), lines\n"
        "assert lines[0][0] == \"rgb(  0, 114, 178)\", lines\n"
        "assert \"1 steady, 1 saturated\" in [m[2] for m in marks if near(m[1], 35)][0]");
}

static void throughput_has_all_points_and_the_diagonal(void **state)
{
    (void)state;
    expect_plot("lanes.csv --what throughput", "t.svg");
    judge_picture(
        "t.svg",
        "assert len(marks) == 8, marks\n"
        "got = sorted((round(x, 3), round(y, 3)) for x, y, t, s in marks if t[0] == \"1\")\n"
        "assert got == [(0.1, 0.1), (0.2, 0.2), (0.3, 0.28), (0.4, 0.3)], got\n"
        "assert \"accepted load, flits per terminal and cycle\" in texts\n"
        "assert \"offered load, flits per terminal and cycle\" in texts\n"
        "assert \"accepted = offered\" in texts and not dashed()\n"
        "steps = [re.findall(r\"([0-9.]+),([0-9.]+)\", p.get(\"d\")) for p in root.iter(S + "
        "\"path\") if \"138, 147, 158\" in (p.get(\"stroke\") or \"\")]\n"
        "ends = [(X(float(x)), Y(float(y))) for d in steps for x, y in d]\n"
        "line = [e for e in ends if not near(e[1], ends[-1][1], 0.0001)] or ends\n"
        "assert len(line) > 50 and all(near(x, y, 0.002) for x, y in line), line[:4]");
}

static void percentiles_are_three_lines_a_curve(void **state)
{
    (void)state;
    expect_plot("lanes.csv --what percentiles", "p.svg");
    judge_picture(
        "p.svg",
        "assert near(top, 360, 2) and len(marks) == 21, (top, len(marks))\n"
        "got = [(x, y, t) for x, y, t, s in marks if t.startswith(\"2 lanes, load 0.1\")]\n"
        "assert sorted(round(y) for x, y, t in got) == [11, 33, 55], got\n"
        "assert texts.count(\"1 lane\") == 1 and texts.count(\"2 lanes\") == 1, texts\n"
        "for part in (\"50 %\", \"95 %\", \"99 %\"):\n"
        "    assert part + \" of the worms\" in texts and sum(part + \" within\" in m[2] for m in "
        "marks) == 7");
}

static void one_seed_has_no_interval(void **state)
{
    (void)state;
    expect_plot("one.csv", "o.svg");
    judge_picture("o.svg", "assert len(marks) == 1 and not bars, bars\n"
                           "assert \"one seed\" in texts and \"±\" not in marks[0][2]");
}

static void files_share_a_picture(void **state)
{
    (void)state;
    write_csv("plain.csv", "", (struct row[]){{"", 0.5, 1, "steady", 0.5, 33}}, 1);
    expect_plot("lanes.csv plain.csv", "f.svg");
    judge_picture("f.svg", "assert len(marks) == 8 and near(right, 0.52, 0.002)\n"
                           "assert \"lanes: 1 lane\" in texts and \"plain\" in texts, texts\n"
                           "assert near(top, 106.4, 0.1), top");
    expect("plot plain.csv -o p.svg", 0, "", NULL);
    expect_shell("cp plain.csv PLAIN.CSV && echo >> PLAIN.CSV");
    expect("plot PLAIN.CSV -o P.SVG", 0, "", NULL);
    judge_picture("p.svg", "assert texts.count(\"plain\") == 1");
}

static void files_of_one_name_are_told_apart(void **state)
{
    (void)state;
    expect_shell(
        "mkdir -p a/x b/x && cp one.csv a/x/r.csv && cp one.csv b/x/r.csv && cp one.csv r.csv");
    expect_plot("a/x/r.csv b/x/r.csv one.csv", "names.svg");
    judge_picture("names.svg", "assert {\"a/x/r: 1 lane\", \"b/x/r: 1 lane\", \"one: 1 lane\"} <= "
                               "set(texts), texts");
    expect_plot("r.csv a/x/r.csv", "names.svg");
    judge_picture("names.svg", "assert {\"r: 1 lane\", \"x/r: 1 lane\"} <= set(texts), texts");
    expect("plot one.csv lanes.csv ./one.csv -o x.svg", 2, "",
           "./one.csv: the same file as one.csv");
    assert_false(remains("x."));
}

// Writes curves of the variants 1 to count, each with three loads.
static void write_many(const char *name, int count)
{
    static struct row rows[60];
    static char values[20][16];
    for (int i = 0; i < count; i++) {
        snprintf(values[i], sizeof values[i], "%d,", i + 1);
        for (int j = 0; j < 3; j++)
            rows[3 * i + j] =
                (struct row){values[i], 0.1 * (j + 1), 1, "steady", 0.1 * (j + 1), 10 + i + j};
    }
    write_csv(name, "switch.depth,", rows, (size_t)(3 * count));
}

static void many_curves_are_told_apart(void **state)
{
    (void)state;
    write_many("many.csv", 16);
    write_many("most.csv", 17);
    write_many("six.csv", 6);
    expect_plot("many.csv", "m.svg");
    // No two curves have the same mark and dashes, so they can be distinguished in grey.
    expect_shell("\"$ANNELID\" plot many.csv -o m.gnuplot && $PYTHON -c 'import re\n"
                 "looks = re.findall(r\"keyentry with linespoints linewidth 1.8 dashtype (.) "
                 "pointtype (.*?) .*linecolor .(.......)\", open(\"m.gnuplot\").read())\n"
                 "assert len(looks) == 16\n"
                 "assert len({look[:2] for look in looks}) == 16, looks\n"
                 "assert all(looks.count(look) == 1 for look in looks)'");
    // The legend is right of the curves, and none of its texts is cut off.
    judge_picture(
        "m.svg", "size = float(root.get(\"width\"))\n"
                 "at = {}\n"
                 "for g in root.iter(S + \"g\"):\n"
                 "    t = g.find(S + \"text\")\n"
                 "    if t is not None and (t.text or \"\").strip().startswith(\"lanes of\"): "
                 "at[t.text.strip()] = move(g)\n"
                 "assert len(at) == 16, at\n"
                 "assert all(x > wide for x, y in at.values()), (at, wide)\n"
                 "assert all(x + 7 * len(t) < size for t, (x, y) in at.items()), (at, size)\n"
                 "assert wide - left > 600 and max(y for x, y in at.values()) < 450, (wide, left)");
    expect_plot("six.csv", "m.svg");
    judge_picture("m.svg", "assert root.get(\"width\") == \"720\"");
    expect("plot most.csv -o x.svg", 2, "",
           "17 curves cannot be told apart in one picture, 16 can");
    expect("plot most.csv -o m.html", 0, "", NULL);
    expect_shell("grep -q 'No picture of the latency: 17 curves' m.html");
    assert_false(remains("x."));
}

static void nothing_sent_is_told(void **state)
{
    (void)state;
    expect_shell(
        "{ head -1 one.csv; echo '1,0,1,unsteady,complete,100,10,0,0,0,,,,,,,'; } > zero.csv");
    expect("plot zero.csv -o x.svg", 2, "",
           "zero.csv: nothing to show: in no run was a worm measured");
    expect("plot zero.csv --what throughput -o x.svg", 2, "", "in no run was a worm created");
    expect_shell("{ cat one.csv; tail -1 zero.csv; } > both.csv");
    expect_plot("both.csv --what throughput", "z.svg");
    assert_false(remains("x."));
}

static void keys_are_said_in_words(void **state)
{
    (void)state;
    write_csv("words.csv",
              "switch.depth,traffic.length,switch.arbiter,traffic.pattern,run.max_cycles,",
              (struct row[]){{"1,1,age,bit_reverse,9,", 0.1, 1, "steady", 0.1, 9},
                             {"4,8,fixed,uniform,10,", 0.1, 1, "steady", 0.1, 9}},
              2);
    expect_plot("words.csv", "w.svg");
    judge_picture("w.svg",
                  "assert \"lanes of 1 flit, worms of 1 flit, arbiter age, bit reverse, max cycles "
                  "9\" in texts\n"
                  "assert \"lanes of 4 flits, worms of 8 flits, arbiter fixed, uniform, max cycles "
                  "10\" in texts, texts");
}

static void titles_mean_nothing_to_gnuplot(void **state)
{
    (void)state;
    expect_plot("lanes.csv --title \"<b> & \\\" 's \\`touch struck\\` \\\\n @x \\$y {z}^2\"",
                "o.svg");
    judge_picture("o.svg",
                  "assert \"<b> & \\\" \\x27s `touch struck` \\\\n @x $y {z}^2\" in texts, "
                  "texts");
    assert_false(exists("struck"));
    expect_shell("cp lanes.csv \"odd'\\`touch struck\\`.csv\"");
    expect_shell("cp one.csv '<&\xff\xc3\xa9>\\.csv'");
    expect_plot("one.csv '<&\xff\xc3\xa9>\\.csv'", "o.svg");
    judge_picture(
        "o.svg",
        "assert \"<&?\\u00e9>\\\\: 1 lane\" in texts, texts\n"
        "assert any(m[2].startswith(\"  ?\\u00e9  : 1 lane, load\") for m in marks), marks");
    expect("plot one.csv \"odd'\\`touch struck\\`.csv\" -o o.svg", 0, "", NULL);
    judge_picture("o.svg", "assert \"odd\\x27`touch struck`: 1 lane\" in texts, texts");
    assert_false(exists("struck"));
}

static void png_is_png(void **state)
{
    (void)state;
    expect("plot lanes.csv -o l.png", 0, "", NULL);
    expect_shell("head -c 8 l.png | od -An -tx1 | grep -q '89 50 4e 47 0d 0a 1a 0a'");
}

static void pdf_is_pdf(void **state)
{
    (void)state;
    expect("plot lanes.csv -o l.pdf", 0, "", NULL);
    expect_shell("head -c 5 l.pdf | grep -q '^%PDF-' && tail -n 1 l.pdf | grep -q '^%%EOF'");
}

// --- reports ---

static void a_report_says_it_all(void **state)
{
    (void)state;
    expect("plot lanes.csv --scenario good.yaml --title 'A & B' -o r.html", 0, "", NULL);
    write_file("page.py",
               "import re\nfrom html.parser import HTMLParser\n"
               "class Page(HTMLParser):\n"
               "    empty = {'meta', 'link', 'br', 'rect', 'path', 'circle', 'use', 'feFlood', "
               "'feComposite', 'feflood', 'fecomposite'}\n"
               "    def __init__(self, text):\n"
               "        super().__init__(); self.open, self.rows, self.cell = [], [], None\n"
               "        self.feed(text); self.close(); assert not self.open, self.open\n"
               "    def handle_startendtag(self, tag, attributes): pass\n"
               "    def handle_starttag(self, tag, attributes):\n"
               "        if tag not in self.empty: self.open.append(tag)\n"
               "        if tag == 'tr': self.rows.append([])\n"
               "        if tag in ('td', 'th'): self.rows[-1].append('')\n"
               "    def handle_endtag(self, tag):\n"
               "        assert self.open.pop() == tag, tag\n"
               "    def handle_data(self, data):\n"
               "        if self.open and self.open[-1] in ('td', 'th'): self.rows[-1][-1] += data\n"
               "text = open('r.html').read()\n"
               "rows = Page(text).rows\n");
    expect_shell(
        "$PYTHON -c 'from page import *\n"
        "assert \"<title>A &#38; B</title>\" in text and \"topology: mesh, k: 3\" in text\n"
        "assert [\"1 lane\", \"12.00 ± 12.71\", \"0.2000\", \"0.4000\", \"–\", \"0.3000 ± "
        "0.0000\", \"\"] "
        "in "
        "rows, rows\n"
        "assert [\"2 lanes\", \"11.00 ± 12.71\", \"0.3000\", \"–\", \"–\", \"0.4000 ± 0.0000\", "
        "\"\"] in "
        "rows\n"
        "assert [\"0.1\", \"12.00 ± 12.71\", \"12.0 ± 12.7\", \"36.0 ± 38.1\", \"60.0 ± 63.5\", "
        "\"0.1000 ± 0.0000\", \"0.1000 ± 0.0000\", \"5.25\", \"101 to 102\", \"2 steady\"] in "
        "rows, "
        "rows\n"
        "assert any(r[0] == \"0.4\" and r[-1] == \"1 saturated, 1 stalled\" for r in rows)\n"
        "assert \"4 of 16 runs were not steady\" in text\n"
        "assert [\"lanes.csv\", \"7\", \"0.3000\", \"2\", \"1000\", \"102\", \"saturated, "
        "complete\"] in rows\n"
        "assert text.count(\"<svg\") == 4 and \"annelid plot\" in text\n"
        "ids = re.findall(r\"\\bid=[\\x27\\\"](.*?)[\\x27\\\"]\", text)\n"
        "assert len(set(ids)) == len(ids), [i for i in ids if ids.count(i) > 1]'");
    expect_shell("! sed 's|xmlns[a-z:]*=\"[^\"]*\"||g' r.html | grep -q '://\\|<script\\|@import'");
}

// A report names the saturation that the search found and its command, but not those of other rows.
static void a_report_knows_the_search(void **state)
{
    (void)state;
    write_file("small.yaml", "network: {topology: mesh, k: 3, n: 2}\ntraffic: {length: 4}\n"
                             "run: {cycles: 1000}\n");
    expect("sweep small.yaml --find-saturation --points 2 --seeds 2 --tolerance 0.05 --vary "
           "switch.num_vcs=1,2 -o s.csv",
           0, NULL, NULL);
    expect("plot s.csv -o s.html", 0, "", NULL);
    expect_shell(
        "grep -q '^annelid sweep .*--vary switch.num_vcs=1,2' s.html && "
        "grep -q '<pre class=\"origin\">annelid [0-9.]*$' s.html && "
        "$PYTHON -c 'import csv\n"
        "text = open(\"s.html\").read()\n"
        "for r in csv.DictReader(l for l in open(\"s.saturation.csv\") if l[0] != \"#\"):\n"
        "    assert \"<td>%.4f\" % float(r[\"saturation\"]) in text, r'");
    expect_shell(
        "sed 's/,steady,/,unsteady,/' s.csv > t.csv && cp s.saturation.csv t.saturation.csv");
    expect("plot t.csv -o t.html", 0, "", NULL);
    expect_shell(
        "grep -q 'is not of the same sweep' t.html && test $(grep -c 'class=.origin' t.html) = 1");
    expect_shell("sed '8s/,2,0,/,2,x,/' s.saturation.csv > u && mv u s.saturation.csv");
    expect("plot s.csv -o u.html", 2, "", "s.saturation.csv:8: a number is wrong");
    assert_false(remains("u.html"));
}

static void a_report_does_without_pictures(void **state)
{
    (void)state;
    expect("plot jam.csv -o r.html", 0, "", NULL);
    expect_shell("grep -q 'No picture of the latency: all points are saturated' r.html");
    expect_shell("[ $(grep -c '<svg' r.html) = 1 ]");
    expect_shell("sed 's/,0.1,1,/,,1,/' one.csv > closed.csv");
    expect("plot closed.csv -o c.html", 0, "", NULL);
    expect_shell("grep -q 'No picture of the throughput: no row has a load' c.html");
    expect_shell("grep -q '<td>–</td><td>11.00</td>' c.html");
    expect("plot closed.csv -o c.svg", 2, "", "closed.csv: no row has a load");
    expect("plot jam.csv -o j.svg", 2, "", "jam.csv: all points are saturated");
    expect("plot jam.csv --what throughput -o j.svg", 0, "", NULL);
    assert_false(remains("c.svg"));
    // The curve of 1 lane is saturated at each of its loads; that of 2 lanes has its percentiles.
    write_csv("half.csv", "switch.num_vcs,", lanes + 6, 10);
    expect("plot half.csv -o half.html", 0, "", NULL);
    expect_shell(
        "grep -q 'Percentiles: 2 lanes' half.html && ! grep -q 'Percentiles: 1' half.html");
}

// --- errors ---

static void damaged_files_are_refused_with_their_line(void **state)
{
    (void)state;
    expect_shell("sed '5s/,steady,/,steadfast,/' lanes.csv > bad.csv");
    expect("plot bad.csv -o x.svg", 2, "", "bad.csv:5: ");
    expect("plot lanes.csv bad.csv -o x.html", 2, "", "bad.csv:5: ");
    expect_shell("head -c 700 lanes.csv > bad.csv");
    expect("plot bad.csv -o x.png", 2, "", "bad.csv:");
    expect_shell(": > bad.csv");
    expect("plot bad.csv -o x.svg", 2, "", "bad.csv");
    expect("plot missing.csv -o x.svg", 2, "", "missing.csv");
    expect_shell(
        "printf 'network: {topology: mesh, k: 3, n: 2}\\nswitch: {num_vcs: 9}\\n' > bad.yaml");
    expect("plot lanes.csv --scenario bad.yaml -o x.html", 2, "", "bad.yaml:2:");
    assert_false(remains("x."));
}

static void what_must_fail_fails_at_once(void **state)
{
    (void)state;
    expect_shell("mkdir -p empty && for f in svg png html; do PATH=$PWD/empty \"$ANNELID\" plot "
                 "missing.csv -o n.$f 2> said; [ $? = 2 ] || exit 1; done");
    expect_shell("grep -q 'n.html: cannot run gnuplot.*gnuplot-nox' said");
    expect_shell("PATH=$PWD/empty \"$ANNELID\" plot lanes.csv -o n.gnuplot && rm n.gnuplot");
    expect_shell("mkdir -p sick && printf '#!/bin/sh\\n[ \"$1\" = --version ] && exit 0\\necho one "
                 ">&2; echo the reason >&2; exit 7\\n' > sick/gnuplot && chmod +x sick/gnuplot");
    expect_shell("PATH=$PWD/sick:$PATH \"$ANNELID\" plot lanes.csv -o n.svg 2> said; [ $? = 2 ]");
    expect_shell("grep -q 'n.svg: gnuplot failed (exit status 7): the reason' said");
    expect_shell("printf '#!/bin/sh\\nexit 0\\n' > sick/gnuplot; PATH=$PWD/sick:$PATH \"$ANNELID\" "
                 "plot lanes.csv -o n.html 2> said; [ $? = 2 ]");
    expect_shell("grep -q 'n.html: gnuplot left no picture' said");
    expect("plot missing.csv -o nowhere/n.svg", 2, "", "nowhere/n.svg: cannot write");
    assert_false(remains("n."));
}

static void inputs_stall(void **state)
{
    (void)state;
    expect_shell("cp lanes.csv kept && cp lanes.csv second.csv && ln -sf lanes.csv link.svg");
    expect("plot lanes.csv -o link.svg", 2, "", "link.svg: cannot write: it is the input");
    expect("plot second.csv lanes.csv -o link.svg", 2, "", "it is the input");
    expect_shell("cmp kept lanes.csv");
}

static void an_interrupt_stops_gnuplot(void **state)
{
    (void)state;
    expect_interrupted_in("gnuplot", "plot lanes.csv -o i.svg");
    assert_false(remains("i.svg"));
}

static void usage_is_checked(void **state)
{
    (void)state;
    expect("plot --help", 0, "Usage: annelid plot", NULL);
    expect("plot -o x.svg", 2, NULL, "a CSV file or a scenario is missing");
    expect("plot lanes.csv", 2, NULL, "where to draw is missing");
    expect("plot lanes.csv -o x.eps", 2, NULL,
           "'x.eps' ends in none of .svg, .png, .pdf, .gnuplot and");
    expect("plot lanes.csv -o .svg", 2, NULL, "ends in none");
    expect("plot lanes.csv --what speed -o x.svg", 2, NULL, "'speed' is none of latency, ");
    expect("plot lanes.csv --what links -o x.svg", 2, NULL, "links is drawn of a scenario");
    expect("plot good.yaml --what latency -o x.svg", 2, NULL, "latency is drawn of the CSV files");
    expect("plot good.yaml -o x.html", 2, NULL, "reports (.html) are made of the CSV files");
    expect("plot good.yaml --what links -o x.gnuplot", 2, NULL, "gnuplot does not draw links");
    expect("plot good.yaml good.yaml -o x.svg", 2, NULL, "one scenario, please");
    expect("plot lanes.csv good.yaml -o x.svg", 2, NULL, "CSV files or one scenario");
    expect("plot lanes.csv --seed 3 -o x.svg", 2, NULL, "are for scenarios");
    expect("plot lanes.csv --what latency -o x.html", 2, NULL, "a report shows all curves");
    expect("plot lanes.csv --scenario good.yaml -o x.svg", 2, NULL, "--scenario is for reports");
    expect("plot good.yaml --scenario good.yaml -o x.svg", 2, NULL, "--scenario is for reports");
    assert_false(remains("x.") || remains(".svg"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_drawn_to_scale),
        cmocka_unit_test(axes_fit_the_knee),
        cmocka_unit_test(saturated_points_are_lines_and_mixed_ones_hollow),
        cmocka_unit_test(throughput_has_all_points_and_the_diagonal),
        cmocka_unit_test(percentiles_are_three_lines_a_curve),
        cmocka_unit_test(one_seed_has_no_interval),
        cmocka_unit_test(files_share_a_picture),
        cmocka_unit_test(files_of_one_name_are_told_apart),
        cmocka_unit_test(many_curves_are_told_apart),
        cmocka_unit_test(nothing_sent_is_told),
        cmocka_unit_test(keys_are_said_in_words),
        cmocka_unit_test(titles_mean_nothing_to_gnuplot),
        cmocka_unit_test(png_is_png),
        cmocka_unit_test(pdf_is_pdf),
        cmocka_unit_test(a_report_says_it_all),
        cmocka_unit_test(a_report_knows_the_search),
        cmocka_unit_test(a_report_does_without_pictures),
        cmocka_unit_test(damaged_files_are_refused_with_their_line),
        cmocka_unit_test(what_must_fail_fails_at_once),
        cmocka_unit_test(inputs_stall),
        cmocka_unit_test(an_interrupt_stops_gnuplot),
        cmocka_unit_test(usage_is_checked),
    };
    return cmocka_run_group_tests_name("plot", tests, prepare, remove_directory);
}
