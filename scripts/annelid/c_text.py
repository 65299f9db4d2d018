# SPDX-License-Identifier: Apache-2.0
"""The syntax tree that clang makes of a C file, and the range of text of each node.

Texts are decoded as latin-1, so that clang's offsets, which are in bytes, are offsets in the text.
"""

import bisect
import json
import pathlib
import re
import subprocess

from annelid.children import Wrong


class Source:
    """A file: its name in reports, its text, and the offsets at which its lines begin."""

    def __init__(self, path, name):
        self.path, self.name = pathlib.Path(path), name
        self.text = self.path.read_bytes().decode("latin-1")
        self.breaks = [match.start() for match in re.finditer("\n", self.text)]

    def line_number(self, offset):
        return bisect.bisect_left(self.breaks, offset) + 1

    def line_range(self, offset):
        """Returns begin and end of the line that contains offset."""
        number = self.line_number(offset)
        begin = self.breaks[number - 2] + 1 if number > 1 else 0
        end = self.breaks[number - 1] if number <= len(self.breaks) else len(self.text)
        return begin, end

    def after_arguments(self, offset):
        """Returns the offset behind the parentheses that follow the name of a macro, if there are any."""
        opened = re.compile(r"\s*\(").match(self.text, offset)
        if not opened:
            return offset
        depth, at = 1, opened.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            at += 1
        return at

    def range_of(self, node):
        """Returns (begin, end) of a node in this text. A macro counts as a whole."""
        begin, end = node["range"]["begin"], node["range"]["end"]
        last = end.get("expansionLoc", end)
        stop = last["offset"] + last["tokLen"]
        if "expansionLoc" in end:
            stop = self.after_arguments(stop)
        return begin.get("expansionLoc", begin)["offset"], stop


def in_macro(node):
    """Returns whether all of the node is in a macro, but not in an argument of one."""
    begin, end = (node["range"][key].get("expansionLoc") for key in ("begin", "end"))
    return bool(begin and end and begin["offset"] == end["offset"])


def name_files(tree):
    """Adds the file name to all locations: clang gives it only where it differs from that of the location before."""
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
    """Yields (file, definition) of every function that a C file, or a file that it includes, defines."""
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
