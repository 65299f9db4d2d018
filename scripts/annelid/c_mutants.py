# SPDX-License-Identifier: Apache-2.0
"""Mutants of C functions: what can be changed, and all changes in one text (docs/mutants.md).

A change replaces an expression by another of the same type, or leaves a statement out. The text holds
both, and a selector: ANL_MUTANT(i) is true in the i-th mutant alone.

Texts are decoded as latin-1, so that clang's offsets, which are in bytes, are offsets in the text.
"""

import bisect
import collections
import dataclasses
import gc
import hashlib
import json
import pathlib
import re
import subprocess

from annelid.children import Wrong, tool

OTHERS = {  # binary operators, and what replaces them
    "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="],
    "+": ["-"], "-": ["+"], "*": ["+"], "/": ["*"], "%": ["/"],
    "&": ["|"], "|": ["&"], "^": ["&"], "<<": [">>"], ">>": ["<<"], "&&": ["||"], "||": ["&&"]}
KIND_OF = {**dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), "relation"),
           **dict.fromkeys("+-*/%", "arithmetic"), **dict.fromkeys(("&", "|", "^", "<<", ">>"), "bits"),
           **dict.fromkeys(("&&", "||"), "logic")}
OPPOSITES = ("<", "<=", ">", ">=", "==", "!=")  # these are not negated: a change of the operator does the same
CONSTANT = ("ConstantExpr", "UnaryExprOrTypeTraitExpr", "StaticAssertDecl", "EnumDecl", "RecordDecl", "OffsetOfExpr")
WITHOUT_EFFECT = ("__builtin_prefetch",)  # a hint to the processor, with arguments that must be constant
WRAPPINGS = ("ParenExpr", "ImplicitCastExpr")


# --- the syntax tree that clang makes of a file, and the range of text of each node ---

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


def file_namer():
    """Returns a function for json that adds the file name to all locations, in their order: clang gives it only where it
    differs from that of the location before."""
    current = None

    def name_file(item):
        nonlocal current
        if "offset" in item:
            current = item["file"] = item.get("file", current)
        return item
    return name_file


def functions(path, flags):
    """Yields (file, definition) of every function that a C file, or a file that it includes, defines."""
    command = [*tool("CLANG"), *flags, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", str(path)]
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if ended.returncode:
        raise Wrong(f"clang cannot read {path}: {ended.stderr.decode(errors='replace')[-1500:]}")
    gc.disable()  # to look for cycles in a large tree takes a fourth of the time
    tree = json.loads(ended.stdout, object_hook=file_namer())
    gc.enable()
    for node in tree["inner"]:
        if node["kind"] == "FunctionDecl" and any(part.get("kind") == "CompoundStmt"
                                                  for part in node.get("inner", [])):
            place = node["range"]["begin"]
            yield pathlib.Path(place.get("expansionLoc", place)["file"]), node


# --- mutants ---

@dataclasses.dataclass
class Mutant:
    source: Source
    function: str
    kind: str    # of the change
    outer: tuple  # (begin, end) of the expression or statement that is replaced
    edit: tuple   # (begin, end, new text) of the part that differs
    form: str = "value"  # or "statement", which is left out; "jump": a break or continue, which is left out
    name: str = ""
    number: int = 0

    @property
    def line(self):
        return self.source.line_number(self.edit[0])

    @property
    def label(self):
        """Returns file, function and the line with {old -> new} in it."""
        begin, end, new = self.edit
        text, (first, _) = self.source.text, self.source.line_range(begin)
        _, last = self.source.line_range(end)
        change = f"{{{text[begin:end]} -> {new}}}" if end > begin else f"{{-> {new}}}"
        line = re.sub(r"\s+", " ", f"{text[first:begin]}{change}{text[end:last]}").strip()
        return f"{self.source.name} {self.function}: {line}".encode("latin-1").decode()

    @property
    def changed(self):
        """Returns the text of outer in this mutant."""
        (begin, end), (first, last, new), text = self.outer, self.edit, self.source.text
        return text[begin:first] + new + text[last:end]


def bare(node):
    """Returns a node without the parentheses and conversions around it."""
    while node["kind"] in WRAPPINGS:
        node = node["inner"][0]
    return node


def is_pointer(node):
    kind = node.get("type", {}).get("qualType", "")
    return kind.endswith("*") or "[" in kind or kind.endswith("*const")


class Finder:
    """All mutants of one function."""

    def __init__(self, source, definition):
        self.source, self.function, self.found, self.idle = source, definition["name"], [], None
        self.returns = definition["type"]["qualType"].partition("(")[0].strip()
        self.visit(next(part for part in definition["inner"] if part["kind"] == "CompoundStmt"))

    def add(self, kind, outer, edit, form="value"):
        self.found.append(Mutant(self.source, self.function, kind, outer, edit, form))

    def visit(self, node):
        if not node.get("kind") or node["kind"] in CONSTANT or node.get("storageClass") == "static":
            return
        if "offset" not in str(node.get("range")) or in_macro(node):
            return
        if node["kind"] == "CallExpr" and self.text(node["inner"][0]) in WITHOUT_EFFECT:
            return
        look = getattr(self, "see_" + node["kind"], None)
        if look:
            look(node)
        for part in node.get("inner", []):
            self.visit(part)

    def text(self, node):
        begin, end = self.source.range_of(node)
        return self.source.text[begin:end]

    # --- expressions ---

    def between(self, left, right, word):
        """Returns (begin, end) of the operator between its operands."""
        begin, end = self.source.range_of(left)[1], self.source.range_of(right)[0]
        at = begin + re.sub(r"//.*|/\*.*?\*/", lambda match: " " * len(match[0]),
                            self.source.text[begin:end]).index(word)
        return at, at + len(word)

    def see_BinaryOperator(self, node):
        word, (left, right) = node["opcode"], node["inner"]
        pointers = is_pointer(left) + is_pointer(right)
        moved = word in ("+", "-") and is_pointer(left) and pointers == 1  # an address is moved
        if word not in OTHERS or pointers and KIND_OF[word] == "arithmetic" and not moved:
            return
        place = self.between(left, right, word)
        for other in OTHERS[word]:
            self.add(KIND_OF[word], self.source.range_of(node), (*place, other))

    def see_CompoundAssignOperator(self, node):
        word, (left, right) = node["opcode"], node["inner"]
        place, other = self.between(left, right, word), OTHERS[word[:-1]][0] + "="
        self.add(KIND_OF[word[:-1]], self.source.range_of(node), (*place, other))

    def see_UnaryOperator(self, node):
        word, (begin, end) = node["opcode"], self.source.range_of(node)
        if word in ("++", "--"):
            at = end - 2 if node["isPostfix"] else begin
            self.add("step", (begin, end), (at, at + 2, "--" if word == "++" else "++"))
        elif word == "!":
            self.add("logic", (begin, end), (begin, begin + 1, "!!"))
        elif word in ("~", "-"):
            self.add("bits" if word == "~" else "arithmetic", (begin, end), (begin, begin + 1, "+"))

    def see_IntegerLiteral(self, node):
        begin, end = self.source.range_of(node)
        number, suffix = re.fullmatch(r"(\w+?)([uUlL]*)", self.source.text[begin:end]).groups()
        for step in (1, -1):
            if int(number, 0) + step >= 0:
                self.add("constant", (begin, end), (begin, end, f"{int(number, 0) + step}{suffix}"))

    # --- conditions ---

    def negate(self, condition):
        inner = bare(condition)
        if in_macro(condition) or inner.get("opcode") in OPPOSITES or inner.get("opcode") == "!":
            return
        begin, end = self.source.range_of(condition)
        self.add("condition", (begin, end), (begin, end, f"!({self.source.text[begin:end]})"))

    def see_IfStmt(self, node):
        self.negate(node["inner"][0])
        self.see_statements(node["inner"][1:], node.get("hasElse", False))

    def see_WhileStmt(self, node):
        self.negate(node["inner"][0])
        self.see_statements(node["inner"][1:])

    def see_DoStmt(self, node):
        self.negate(node["inner"][1])
        self.see_statements(node["inner"][:1])

    def see_ForStmt(self, node):
        if node["inner"][2].get("kind"):
            self.negate(node["inner"][2])
        self.see_statements(node["inner"][4:])

    def see_ConditionalOperator(self, node):
        self.negate(node["inner"][0])

    # --- statements ---

    def see_statements(self, nodes, has_else=False):
        for node in nodes:
            kind = node.get("kind")
            if not kind or in_macro(node):
                continue
            begin, end = self.source.range_of(node)
            assigned = kind == "BinaryOperator" and node["opcode"] == "="
            stepped = kind == "UnaryOperator" and node["opcode"] in ("++", "--")
            called = kind == "CallExpr" and self.text(node["inner"][0]) not in WITHOUT_EFFECT
            if assigned or stepped or called or kind == "CompoundAssignOperator":
                self.add("statement", (begin, end), (begin, end, ""), "statement")
            elif kind in ("BreakStmt", "ContinueStmt") and not has_else and node is not self.idle:
                self.add("statement", (begin, end), (begin, end, ""), "jump")

    def see_CompoundStmt(self, node):
        self.see_statements(node.get("inner", []))

    def see_SwitchStmt(self, node):
        """Visits a switch, without the break at its end, which does nothing."""
        self.idle = node["inner"][-1]
        while self.idle.get("inner"):
            self.idle = self.idle["inner"][-1]

    def see_CaseStmt(self, node):
        self.see_statements(node["inner"][1:])

    def see_DefaultStmt(self, node):
        self.see_statements(node["inner"])

    def see_ReturnStmt(self, node):
        value = node.get("inner", [None])[0]
        if not value or self.returns.startswith("struct") and not self.returns.endswith("*"):
            return
        inner, (begin, end) = bare(value), self.source.range_of(value)
        old = self.source.text[begin:end]
        if inner["kind"] == "IntegerLiteral" and not in_macro(inner) or self.returns.startswith("void"):
            return
        if self.returns.endswith("*"):
            if old != "NULL":
                self.add("return", (begin, end), (begin, end, "NULL"))
        elif self.returns in ("bool", "_Bool") or self.returns.startswith("enum"):
            if inner.get("opcode") not in (*OPPOSITES, "!"):
                self.add("return", (begin, end), (begin, end, f"!({old})"))
        else:
            self.add("return", (begin, end), (begin, end, f"({old}) + 1"))


def find(wanted, flags):
    """Returns the mutants of all functions of the wanted C files and of the wanted files that these include, in the
    order of the text, each with a unique name. A wanted C file may have no function but those of files it includes.
    wanted has the path of each file, by its name in reports."""
    found, seen, readers = collections.defaultdict(list), set(), set()
    sources = {path.resolve(): Source(path, name) for name, path in wanted.items()}
    for path in [path for path in sources if path.suffix == ".c"]:
        for file, definition in functions(path, flags):
            key = (file.resolve(), definition["name"])
            if key[0] in sources:
                readers.add(path)
            if key[0] in sources and key not in seen:
                seen.add(key)
                found[key[0]] += Finder(sources[key[0]], definition).found
    for path, source in sources.items():
        if path not in found and path not in readers:
            raise Wrong(f"{source.path}: nothing to change (does one of the C files include it?)")
    listed = [mutant for path in sources for mutant in sorted(found[path], key=lambda one: (one.edit, one.outer))]
    names = collections.Counter()
    for mutant in listed:
        names[mutant.label] += 1
        count = names[mutant.label]
        mutant.name = mutant.label + (f" ({count})" if count > 1 else "")
    return listed


def in_room(name):
    """Returns the name of a mutant without what is above its room: a room of a paper has the sample that it has anywhere."""
    return re.sub(r"^papers/\w+/lib/", "", name)


def number_of(mutant, seed):
    """Returns the number, of 256 bits, by which a mutant is drawn. It depends on its name alone, wherever the files are."""
    return int.from_bytes(hashlib.sha256(f"{seed} {in_room(mutant.name)}".encode()).digest(), "big")


def drawn(mutant, seed, step):
    """Returns whether a mutant is in a sample of about one in `step`, in which no other mutant has a say."""
    return number_of(mutant, f"{seed} short") % step == 0


def choose(listed, share, most, seed, named=()):
    """Returns a sample over all functions: one mutant in `share` of each function, at least one and at most `most`,
    and those that are named. It depends on the mutants' names alone, so a change of one function does not change
    the sample of the others."""
    by_function = collections.defaultdict(list)
    for mutant in listed:
        by_function[mutant.source.path, mutant.function].append(mutant)
    chosen = set()
    for some in by_function.values():
        some.sort(key=lambda one: number_of(one, seed))
        chosen.update(one.name for one in some[:min(most, -(-len(some) // share))])
    sample = [mutant for mutant in listed if mutant.name in chosen.union(named)]
    for number, mutant in enumerate(sample, 1):
        mutant.number = number
    return sample


def selected(mutant, text):
    """Returns C text that is the mutant if it is selected, else the original text."""
    test = f"ANL_MUTANT({mutant.number})"
    if mutant.form == "jump":
        return f"if (!{test}) {text}"
    if mutant.form == "statement":
        return f"({test} ? (void)0 : (void)({text}))"
    if mutant.kind == "condition":
        return f"({test} ? {mutant.changed} : !!({text}))"
    if mutant.edit[2] == "!!":
        return f"({test} ? {mutant.changed} : ({text}))"
    return f"({test} ? ({mutant.changed}) : ({text}))"


def with_mutants(source, mutants):
    """Returns the text of a file with all these mutants. Their ranges are those of nodes of a tree, so they nest."""
    def inside(begin, end, some):
        text, at = "", begin
        while some:
            outer = min((one.outer for one in some), key=lambda place: (place[0], -place[1]))
            within = [one for one in some if one.outer[0] < outer[1]]
            some = [one for one in some if one.outer[0] >= outer[1]]
            whole = inside(*outer, [one for one in within if one.outer != outer])
            for one in sorted((one for one in within if one.outer == outer), key=lambda one: one.form == "statement"):
                whole = selected(one, whole)
            text += source.text[at:outer[0]] + whole
            at = outer[1]
        return text + source.text[at:end]
    return inside(0, len(source.text), list(mutants))
