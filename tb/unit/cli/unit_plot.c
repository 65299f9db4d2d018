// SPDX-License-Identifier: Apache-2.0

#include "unit_plot.h"

static const char *const picture_reader =
    "import re, sys, xml.etree.ElementTree as xml\n"
    "S = '{http://www.w3.org/2000/svg}'\n"
    "root = xml.parse(sys.argv[1]).getroot()\n"
    "assert root.tag == S + 'svg', root.tag\n"
    "texts = [(t.text or '').strip() for t in root.iter(S + 'text')]\n"
    "move = lambda g: [float(n) for n in re.findall(r'-?[0-9.]+', g.get('transform'))[:2]]\n"
    "number = re.compile(r'^[0-9.]+$')\n"
    "ticks = {'middle': [], 'end': []}\n"
    "for g in root.iter(S + 'g'):\n"
    "    text = g.find(S + 'text')\n"
    "    if text is None or not number.match((text.text or '').strip()): continue\n"
    "    if g.get('text-anchor') in ticks: ticks[g.get('text-anchor')].append((move(g), "
    "float(text.text)))\n"
    "frame = [float(n) for n in [re.match(r'M(\\S+),(\\S+) L\\1,(\\S+) L(\\S+),\\3 ', p.get('d') "
    "or '')\n"
    "         for p in root.iter(S + 'path')] if n for n in n.groups()][:4]\n"
    "left, high, low, wide = frame\n"
    "xs, ys = ticks['middle'], ticks['end']\n"
    "dx = (xs[-1][1] - xs[0][1]) / (xs[-1][0][0] - xs[0][0][0])\n"
    "dy = (ys[-1][1] - ys[0][1]) / (ys[-1][0][1] - ys[0][0][1])\n"
    "X = lambda x: xs[0][1] + (x - xs[0][0][0]) * dx\n"
    "Y = lambda y: (y - low) * dy\n"
    "right, top = X(wide), Y(high)\n"
    "marks, bars = [], []\n"
    "for g in root.iter(S + 'g'):\n"
    "    title, use = g.find(S + 'title'), g.find(S + 'use')\n"
    "    if title is None or use is None: continue\n"
    "    x, y = move(use)\n"
    "    marks.append((X(x), Y(y), title.text, use.get('{http://www.w3.org/1999/xlink}href')))\n"
    "for p in root.iter(S + 'path'):\n"
    "    d = p.get('d') or ''\n"
    "    if d.count('M') < 3 or 'grid' in (p.get('class') or ''): continue\n"
    "    for a, b, c, e in re.findall(r'M([0-9.]+),([0-9.]+) L([0-9.]+),([0-9.]+)', d):\n"
    "        if a == c and float(a) != left: bars.append((X(float(a)), Y(float(b)), Y(float(e))))\n"
    "near = lambda a, b, by=0.3: abs(a - b) <= by\n"
    "def dashed():\n"
    "    return [(p.get('stroke'), X(float(re.match(r'M([0-9.]+)', p.get('d'))[1])))\n"
    "            for p in root.iter(S + 'path') if p.get('stroke-dasharray')\n"
    "            and re.fullmatch(r'M(\\S+),\\S+ L\\1,\\S+ *', p.get('d') or '')]\n";

void write_picture_reader(void) { write_file("picture.py", picture_reader); }

void judge_picture(const char *file, const char *promise)
{
    char line[4096];
    snprintf(line, sizeof line, "$PYTHON -c 'from picture import *\n%s' %s", promise, file);
    expect_shell(line);
}

void expect_plot(const char *arguments, const char *file)
{
    char line[640];
    snprintf(line, sizeof line, "plot %s -o %s", arguments, file);
    expect(line, 0, "", NULL);
    snprintf(line, sizeof line,
             "\"$ANNELID\" plot %s -o same.gnuplot && gnuplot -d same.gnuplot 2> said > /dev/null "
             "&& [ ! -s said ]",
             arguments);
    expect_shell(line);
}
