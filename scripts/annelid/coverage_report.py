# SPDX-License-Identifier: Apache-2.0
"""Points of coverage, which of them need not be reached, and the reports: counts of each file, a page, and what genhtml
makes the pages of the sources from."""

import fnmatch
import html
import pathlib
import re
from collections import defaultdict
from dataclasses import dataclass, field


def lines_with(text, path):
    """Returns the numbers of the lines that contain a text, and of those after it that close its brackets."""
    open_brackets, holds = 0, False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if text in line:
            open_brackets, holds = 0, True
        if holds:
            yield number
            open_brackets += line.count("(") - line.count(")")
            holds = open_brackets > 0


@dataclass
class Point:
    file: str
    line: int
    kind: str  # line, toggle, branch
    what: str  # kind of line: block, if, else; or the bit that toggles
    where: str  # program and instance
    count: int
    waived: bool = False
    doubtful: bool = False  # the count may be that of another point


@dataclass
class Waiver:
    file: str
    text: str
    reason: str
    what: str = ""
    program: str = ""
    instance: str = ""
    waived: int = 0
    lines: dict = field(default_factory=dict)  # file -> numbers of the lines that contain the text

    def holds(self, point):
        if point.file not in self.lines:
            mine = fnmatch.fnmatch(point.file, self.file)
            self.lines[point.file] = set(lines_with(self.text, pathlib.Path(point.file))) if mine else set()
        program, _, instance = point.where.partition(" ")
        return (point.line in self.lines[point.file] and re.search(self.what, point.what)
                and re.search(self.program, program) and re.search(self.instance, instance))


def waive(points, kept):
    """Marks the points that are waived. Returns what is wrong with the waivers, a line for each."""
    reached = {}
    for point in points:
        for index, waiver in enumerate(kept):
            if waiver.holds(point):
                point.waived = True
                waiver.waived += not point.count
                if point.count and not point.doubtful:
                    reached.setdefault(index, []).append(point)
    return [f"is waived, but reached {len(found)}x: {kept[index].file} {kept[index].text!r} ({kept[index].reason}); the first: "
            f"{found[0].file}:{found[0].line} {found[0].kind} {found[0].what} {found[0].where}"
            for index, found in reached.items()]


def strange(kept, keys):
    """Returns a line for each waiver whose program is none of the networks; a sample of these cannot tell that it waives nothing."""
    return [f"names no network: {waiver.file} {waiver.text!r} {waiver.program}" for waiver in kept
            if not any(re.search(waiver.program, key) for key in keys)]


def idle(kept):
    return [f"waives nothing: {waiver.file} {waiver.text!r} {waiver.what} ({waiver.reason})"
            for waiver in kept if not waiver.waived]


# --- reports ---

def share(reached, of):
    return 100.0 * reached / of if of else 100.0


def sums(points):
    """Returns {file: {kind: [reached, to be reached, waived]}}."""
    files = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for point in points:
        count = files[point.file][point.kind]
        if point.waived:
            count[2] += 1
        else:
            count[0] += point.count > 0
            count[1] += 1
    return {name: dict(kinds) for name, kinds in sorted(files.items())}


def total(files, kind, chosen=lambda name: True):
    """Returns how many points of a kind are reached, to be reached, and waived in some files."""
    return [sum(kinds.get(kind, [0, 0, 0])[i] for name, kinds in files.items() if chosen(name)) for i in range(3)]


def unreached(points):
    """Yields a line of text for each line of a source that has unreached points."""
    places = defaultdict(lambda: defaultdict(set))
    for point in points:
        if not point.count and not point.waived:
            places[point.file, point.line][point.kind].add(f"{point.what} {point.where}".strip())
    texts = []
    for (name, line), kinds in sorted(places.items()):
        source = pathlib.Path(name).read_text().splitlines()[line - 1].strip()
        for kind, what in sorted(kinds.items()):
            texts.append(f"{name}:{line}: {kind} {len(what)}x: {sorted(what)[0]}: {source}")
    return texts


def tracefile(points):
    """Returns a tracefile of lcov. The count of a line is the least of its points."""
    files = defaultdict(lambda: defaultdict(list))
    for point in points:
        if not point.waived and point.kind != "branch":
            files[point.file][point.line].append(point.count)
    text = ""
    for name, lines in sorted(files.items()):
        text += f"SF:{pathlib.Path(name).resolve()}\n"
        text += "".join(f"DA:{line},{min(counts)}\n" for line, counts in sorted(lines.items()))
        text += "end_of_record\n"
    return text


def table(head, rows):
    def row(tag, words):
        return "<tr>" + "".join(f"<{tag}>{html.escape(str(word))}</{tag}>" for word in words) + "</tr>"
    return "<table>" + row("th", head) + "".join(row("td", words) for words in rows) + "</table>"


def file_rows(files, kinds):
    for name, counts in files.items():
        cells = [name]
        for kind in kinds:
            reached, of, waived = counts.get(kind, [0, 0, 0])
            cells += [f"{reached}/{of}", f"{share(reached, of):.1f} %" if of else "", waived or ""]
        yield cells


STYLE = ("body{font:14px sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse;margin:1em 0}"
         "td,th{border-bottom:1px solid #ccc;padding:2px 10px;text-align:left}pre{font-size:12px}"
         ".bad{color:#b00020;font-weight:bold}.good{color:#00702a;font-weight:bold}")


def page(verdicts, sections):
    """Returns the page as HTML. verdicts are pairs (good, text), sections pairs (title, HTML)."""
    text = f"<!DOCTYPE html><meta charset='utf-8'><title>Annelid: coverage</title><style>{STYLE}</style>"
    text += "<h1>Coverage</h1><p><a href='html/index.html'>every line of the sources</a></p><ul>"
    for good, words in verdicts:
        text += f"<li><span class='{'good' if good else 'bad'}'>{'PASS' if good else 'FAIL'}</span> {html.escape(words)}"
    return text + "</ul>" + "".join(f"<h2>{title}</h2>{body}" for title, body in sections)
