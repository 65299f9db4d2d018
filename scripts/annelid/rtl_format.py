# SPDX-License-Identifier: Apache-2.0
"""Checks the one rule by which SystemVerilog is formatted (CONTRIBUTING.md), and names each line that breaks it.

What stands in a scope (module, begin, case, …), or in a bracket that ends its line, is two spaces further in than the line in
which that opens, and the line that closes it is not. A line that goes on is further in than the one that it goes on. A line
has at most 132 columns, no tab, and no blank at its end.
"""

import itertools
import pathlib
import re
import sys
import typing

from annelid.options import parser

MOST_COLUMNS = 132
TOKEN = re.compile(r'/\*.*?\*/|//.*|"(?:\\.|[^"\\])*"|[A-Za-z_`$][\w$]*|\S')
DIRECTIVE = re.compile(r"`(define|undef|ifdef|ifndef|elsif|else|endif|include|timescale|default_nettype)\b")
HEADED = {name: "end" + name for name in ("module", "package", "function", "task", "interface")}  # open behind the ; of a head
SCOPES = {"begin": "end", "case": "endcase", "casez": "endcase", "fork": "join", "generate": "endgenerate"}
BRACKETS = {"(": ")", "[": "]", "{": "}"}
CLOSING = {*HEADED.values(), *SCOPES.values(), *BRACKETS.values(), "join_any", "join_none"}
NAMED = {*SCOPES, *SCOPES.values(), *HEADED.values()}
WITHOUT_BODY = {"import", "export", "extern", "virtual", "typedef"}


class Open(typing.NamedTuple):
    """A scope or bracket that is open."""
    closing: str
    line: int  # how far in the line is in which it opens
    deep: bool  # what it holds is further in; else it is anywhere behind that line
    whole: bool  # a bracket behind which a statement begins: of a case, or of a macro that is a statement


class Reader:
    """What is open behind the lines read so far."""

    def __init__(self):
        self.open = []
        self.line = 0  # how far in the line is that is read
        self.head = None  # the scope that opens behind the next ; and how much is open before
        self.naming = False  # the next token is the name of a scope
        self.fresh = True  # the next token begins a statement or an item
        self.first, self.last = "", ""  # tokens of the statement
        self.alternatives = []  # what was open at each `ifdef

    def depth(self, tokens):
        """Returns how far in a line of these tokens is, and whether it may be further in."""
        closed = list(itertools.takewhile(CLOSING.__contains__, tokens))[:len(self.open)]
        if closed:
            return self.open[-len(closed)].line, not self.open[-len(closed)].deep
        inner = self.open[-1] if self.open else Open("", -2, True, False)
        return inner.line + 2 * inner.deep, not (inner.deep and self.fresh)

    def take(self, found, tokens):
        """Reads a line that is so far in; in a bracket that goes on, what opens is of the line in which that opened."""
        self.line = self.open[-1].line if self.open and not self.open[-1].deep else found
        for place, token in enumerate(tokens):
            self.step(token, place == len(tokens) - 1)

    def step(self, token, ends_line):
        before, self.last = self.last, token
        began, self.fresh = self.fresh, False
        if began:
            self.first = token
        if token == ":" and before in NAMED:
            self.naming = True
        elif self.naming:
            self.naming, self.fresh = False, True
        elif token in HEADED and self.first not in WITHOUT_BODY:
            self.head = Open(HEADED[token], self.line, True, False), len(self.open)
        elif token in SCOPES:
            self.open.append(Open(SCOPES[token], self.line, True, False))
            self.fresh = True
        elif token in BRACKETS:
            whole = before in ("case", "casez") or before.startswith("`") and before == self.first
            self.open.append(Open(BRACKETS[token], self.line, ends_line, whole))
            self.fresh = ends_line
        elif token in CLOSING:
            whole = self.open.pop().whole if self.open else False
            self.fresh = whole or token not in BRACKETS.values()
        elif token == ";":
            if self.head and len(self.open) == self.head[1]:
                self.open.append(self.head[0])
                self.head = None
            self.fresh = True
        elif token == ",":
            self.fresh = bool(self.open) and self.open[-1].deep and self.open[-1].closing in BRACKETS.values()

    def turn(self, directive):
        """Each alternative begins with what was open before the first one."""
        if directive in ("ifdef", "ifndef"):
            self.alternatives.append(list(self.open))
        elif directive in ("elsif", "else") and self.alternatives:
            self.open, self.fresh = list(self.alternatives[-1]), True
        elif directive == "endif" and self.alternatives:
            self.alternatives.pop()


def code_lines(text):
    """Yields the lines that have code or a directive, by number, with their tokens; what a macro stands for is left out."""
    in_macro = False
    for number, line in enumerate(text.split("\n"), 1):
        directive = DIRECTIVE.match(line.lstrip())
        tokens = [token for token in TOKEN.findall(line) if not token.startswith(("//", "/*"))]
        if directive or tokens and not in_macro:
            yield number, line, directive and directive[1], tokens
        in_macro = bool(in_macro or directive) and line.endswith("\\")


def wrong_lines(text, included):
    """Yields the number of each line that breaks the rule, and what is wrong. The text may be for the inside of a module."""
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line:
            yield number, "found a tab"
        if line != line.rstrip():
            yield number, "found a blank at the end"
        if len(line) > MOST_COLUMNS:
            yield number, f"found {len(line)} columns, expected at most {MOST_COLUMNS}"
    reader = Reader()
    for number, line, directive, tokens in code_lines(text):
        if directive:
            reader.turn(directive)
            continue
        found = len(line) - len(line.lstrip())
        depth, further = reader.depth(tokens)
        if included and not reader.open:
            depth = depth or found
        if found < depth or found > depth and not further:
            yield number, f"found {found} spaces, expected {'at least ' if further else ''}{depth}"
        reader.take(found, tokens)


def main(_):
    one = parser(__doc__)
    one.add_argument("places", nargs="+", type=pathlib.Path, metavar="PLACE", help="a file, or a folder with all that it holds")
    files = [file for place in one.parse_args().places
             for file in (sorted([*place.rglob("*.sv"), *place.rglob("*.svh")]) if place.is_dir() else [place])]
    wrong = [f"{file}:{number}: {what}" for file in files
             for number, what in sorted(wrong_lines(file.read_text(), file.suffix == ".svh"))]
    print("\n".join(wrong), end="\n" if wrong else "", file=sys.stderr)
    return 1 if wrong else 0
