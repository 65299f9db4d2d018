# SPDX-License-Identifier: Apache-2.0
"""Points of coverage, and which of them need not be reached."""

import fnmatch
import pathlib
import re
from dataclasses import dataclass, field

from annelid.children import Wrong


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


@dataclass
class Waiver:
    file: str
    text: str
    reason: str
    what: str = ""
    where: str = ""
    waived: int = 0
    lines: dict = field(default_factory=dict)  # file -> numbers of the lines that contain the text

    def holds(self, point):
        if point.file not in self.lines:
            mine = fnmatch.fnmatch(point.file, self.file)
            self.lines[point.file] = set(lines_with(self.text, pathlib.Path(point.file))) if mine else set()
        return (point.line in self.lines[point.file] and re.search(self.what, point.what)
                and re.search(self.where, point.where))


def waivers(items):
    try:
        return [Waiver(**item) for item in items]
    except TypeError as error:
        raise Wrong(f"a waiver: {error}") from error


def waive(points, kept):
    """Marks the points that are waived. Returns what is wrong with the waivers, a line for each."""
    reached = {}
    for point in points:
        for index, waiver in enumerate(kept):
            if waiver.holds(point):
                point.waived = True
                waiver.waived += not point.count
                if point.count:
                    reached.setdefault(index, []).append(point)
    return [f"is waived, but reached {len(found)}x: {kept[index].file} {kept[index].text!r} ({kept[index].reason}); the first: "
            f"{found[0].file}:{found[0].line} {found[0].kind} {found[0].what} {found[0].where}"
            for index, found in reached.items()]


def idle(kept):
    return [f"waives nothing: {waiver.file} {waiver.text!r} {waiver.what} ({waiver.reason})"
            for waiver in kept if not waiver.waived]
