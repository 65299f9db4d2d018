# SPDX-License-Identifier: Apache-2.0
"""A C file as clang sees it: its syntax tree, each node with the range of the text that it stands for.

Texts are decoded as latin-1, so that offsets in bytes, as clang counts, are offsets in the text.
"""

import bisect
import json
import pathlib
import re
import subprocess

from annelid.children import Wrong


class Source:
    """A file, its name in reports, its text, and where its lines begin."""

    def __init__(self, path, name):
        self.path, self.name = pathlib.Path(path), name
        self.text = self.path.read_bytes().decode("latin-1")
        self.breaks = [match.start() for match in re.finditer("\n", self.text)]

    def line_number(self, offset):
        return bisect.bisect_left(self.breaks, offset) + 1

    def line_range(self, offset):
        """Begin and end of the line in which offset is."""
        number = self.line_number(offset)
        begin = self.breaks[number - 2] + 1 if number > 1 else 0
        end = self.breaks[number - 1] if number <= len(self.breaks) else len(self.text)
        return begin, end

    def after_arguments(self, offset):
        """Behind the parentheses that follow the name of a macro, if any do."""
        opened = re.compile(r"\s*\(").match(self.text, offset)
        if not opened:
            return offset
        depth, at = 1, opened.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            at += 1
        return at

    def range_of(self, node):
        """(begin, end) of a node in this text. A macro counts as a whole."""
        begin, end = node["range"]["begin"], node["range"]["end"]
        last = end.get("expansionLoc", end)
        stop = last["offset"] + last["tokLen"]
        if "expansionLoc" in end:
            stop = self.after_arguments(stop)
        return begin.get("expansionLoc", begin)["offset"], stop


def in_macro(node):
    """Nothing of the node is outside a macro, or of an argument of one."""
    begin, end = (node["range"][key].get("expansionLoc") for key in ("begin", "end"))
    return bool(begin and end and begin["offset"] == end["offset"])


def name_files(tree):
    """Clang says in which file a place is only where that changes, in the order of its text."""
    current, rest = None, [tree]
    while rest:
        item = rest.pop()
        if isinstance(item, list):
            rest.extend(reversed(item))
        elif isinstance(item, dict):
            if "offset" in item:
                current = item["file"] = item.get("file", current)
            rest.extend(reversed(item.values()))


def functions(path, flags):
    """(file, definition) of every function that a C file and what it includes define."""
    command = ["clang", *flags, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", str(path)]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if ended.returncode:
        raise Wrong(f"clang cannot read {path}: {ended.stderr.decode(errors='replace')[-1500:]}")
    tree = json.loads(ended.stdout)
    name_files(tree)
    for node in tree["inner"]:
        if node["kind"] == "FunctionDecl" and any(part.get("kind") == "CompoundStmt"
                                                  for part in node.get("inner", [])):
            place = node["range"]["begin"]
            yield pathlib.Path(place.get("expansionLoc", place)["file"]), node
