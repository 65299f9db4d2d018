# SPDX-License-Identifier: Apache-2.0
"""What Surfer reads, beside what GTKWave reads (docs/waves.md): a command file, and translators.

usage: scripts/run surfer [--links FILE] [--build DIR] SCENARIO FOLDER
  writes FOLDER/.surfer/decoders/flit: a translator for flits of the links of a network, or of links that a file describes

A command file (.sucl) is made of a save file of GTKWave, row by row, so both viewers show the same. The words are those of the
table of words beside it: Surfer's mapping translators, in .surfer/mappings of the folder in which it is started, have text and
colour of each. Written for Surfer 0.6; commands, mappings and decoders as its documentation says.
"""

import pathlib
import re
import shlex

from annelid.children import Wrong
from annelid.judge_links import described, index_width
from annelid.options import parser
from annelid.sources import write

LEAST_VERSION = "0.6"  # mapping translators are in it from this version on
# The colours of words, by GTKWave's names (tb/lockstep/waves/narrate.c), which stand behind white letters; and as Surfer draws them, as
# lines on black.
COLOURS = {
    "navy": "8fb8ff", "dark green": "57c257", "firebrick": "ff5c4d", "DarkOrange3": "ff9a3c", "DarkGoldenrod4": "d9b84a",
    "MediumPurple4": "b79cf2", "IndianRed4": "ff9a9a", "gray15": "8a8a8a", "gray25": "b0b0b0", "gray30": "9c9c9c",
    "RoyalBlue3": "6f9bff", "SpringGreen4": "3fd68a", "sienna4": "e08a5a", "DarkOrchid4": "c06cff", "turquoise4": "35d0d8", "DeepPink4": "ff4f9e",
    "gold4": "e6cf3a", "SteelBlue4": "9db4c8", "OliveDrab4": "a9c04a", "VioletRed3": "ff8fc0"}
# Colours of Surfer's default theme, for the rows of a worm by its position in the chain: neighbours differ.
ROWS = ("Blue", "Green", "Orange", "Violet", "Yellow", "Pink", "Gray", "Red")

# Flags of a save file of GTKWave (tb/lockstep/waves/view.c).
REMARK, OPEN, CLOSED, ENDS = 0x200, 0x800200, 0xc00200, (0x1000200, 0x1401200)
TRANSLATED, FORMATS = 0x2022, {0x24: "Unsigned", 0x8024: "Unsigned", 0x22: "Hexadecimal"}
MOST_BITS = 64  # that a decoder of Surfer takes
LENGTH_IN_HEAD, LENGTH_BITS = ("FlowControl", "LengthInHead"), 7  # parameters with which our heads have it, behind the destination (docs/link.md)


# --- a command file ---

def letters(number):
    """Returns the number of an item as item_focus wants it: hexadecimal digits as letters from a on."""
    return "".join(chr(ord("a") + int(digit, 16)) for digit in f"{number:x}")


def plain(text):
    """Returns a text for a command: # begins a comment there, and ; ends a command."""
    return text.replace("\u2024", ".").replace("#", "no.").replace(";", ",")


class Commands:
    """The commands that add items. An item is added behind the one in focus, at its level, and at the end without focus. A group is
    made of the item in focus, and takes its place."""

    def __init__(self):
        self.lines, self.items, self.depth, self.fold, self.begun = [], 0, 0, [], []

    def focus(self, number):
        self.lines.append(f"item_focus {letters(number)}")

    def add(self, command, *about):
        self.lines.append(command)
        self.focus(self.items)
        for title, closed, colour in self.begun:
            self.lines += [f"group_marked group{self.items}", *([f"item_set_color {colour}"] if colour else []), f"item_rename {plain(title)}"]
            self.fold += [self.items] if closed else []
            self.items += 1
            self.focus(self.items)
        self.begun = []
        self.lines += [one for one in about if one]
        self.items += 1

    def variable(self, name, label=None, form=None, colour=None):
        self.add(f"variable_add {name}", form and f"item_set_format {form}", colour and f"item_set_color {colour}", label and f"item_rename {plain(label)}")

    def divider(self, label):
        self.add("divider_add remark", f"item_rename {plain(label)}")

    def group(self, title, closed, colour=None):
        """Begins a group, which is made of the next item."""
        self.begun.append((title, closed, colour))
        self.depth += 1

    def end(self):
        self.depth -= 1
        if not self.depth:
            self.lines.append("item_unfocus")

    def finished(self, marks, cursor):
        for number in reversed(self.fold):
            self.focus(number)
            self.lines.append("group_fold_recursive")
        self.lines.append("item_unfocus")
        self.lines += [f"marker_set {name} {time}" for name, time in marks] + ["zoom_fit", *([f"cursor_set {cursor}"] if cursor is not None else [])]
        return "\n".join(self.lines) + "\n"


def name_of(path):
    """Returns the name of a signal without its range."""
    return re.sub(r"\[-?\d+:-?\d+\]$", "", path)


def rows_of(text):
    """Yields (flags, label, path) of the rows of a save file; of groups and remarks the path is None."""
    flags = 0
    for line in text.splitlines():
        if line.startswith("@"):
            flags = int(line[1:], 16)
        elif line.startswith("-"):
            yield flags, line[1:], None
        elif line.startswith("+{"):
            label, _, path = line[2:].partition("} ")
            yield flags, label, path
        elif flags and line and line[0] not in "^[*":
            yield flags, None, line


def marks_of(text):
    """Returns [(name, time)] of the marks of a save file, and the time of its red line or None."""
    zoom = re.search(r"^\*\S+ (-?\d+)((?: -?\d+)+)$", text, re.M)
    times = [int(time) for time in zoom[2].split()]
    names = re.findall(r"^\[markername\] ([A-Z])(\S+)$", text, re.M)
    return [(name, times[ord(letter) - ord("A")]) for letter, name in names], int(zoom[1]) if int(zoom[1]) >= 0 else None


def commands_of(text, words):
    """Returns the commands for the rows of a save file; `words` is the name of their translator."""
    commands, worms, colour = Commands(), {}, None
    for flags, label, path in rows_of(text):
        if flags in (OPEN, CLOSED):
            worm = re.match(r"worm (\d+), ", label)
            colour = ROWS[worms.setdefault(worm[1], len(worms)) % len(ROWS)] if worm else colour if commands.depth else None
            commands.group(label, flags == CLOSED, colour)
        elif flags in ENDS:
            commands.end()
        elif path is None:
            commands.divider(label)
        elif flags == TRANSLATED:
            commands.variable(name_of(path), label, words, colour)
        else:
            commands.variable(name_of(path), label, FORMATS.get(flags), colour)
    return commands.finished(*marks_of(text))


def mapping_of(text, name):
    """Returns a mapping translator for the words of a table of GTKWave, which have 16 bits."""
    lines = [f"Name = {name}", "Bits = 16"]
    for line in text.splitlines():
        number, colour, word = re.fullmatch(r"([0-9A-F]{4}) \?([^?]*)\?(.*)", line).groups()
        lines.append(f"0x{number}[#{COLOURS[colour]}] {word or '-'}")
    return "\n".join(lines) + "\n"


def write_beside(view):
    """Writes what Surfer wants beside a save file of GTKWave. Returns the command that opens it."""
    stem = view.stem
    name = f"words of {stem}"
    write(view.parent / ".surfer/mappings" / stem, mapping_of(view.with_suffix(".words").read_text(), name))
    write(view.with_suffix(".sucl"), commands_of(view.read_text(), name))
    return opening(view.parent, stem)


def opening(folder, stem):
    return f"cd {shlex.quote(str(folder))} && surfer -c {shlex.quote(stem + '.sucl')} {shlex.quote(stem + '.fst')}"


# --- the links of a waveform ---

def commands_of_links(links, scope, translated):
    """Returns the commands that show all links, a group each: links are (name, number) and their wires `scope`.valid_<number> and so on.
    Flits that Surfer can translate are."""
    commands = Commands()
    for index, (name, number) in enumerate(links):
        colour = ROWS[index % len(ROWS)]
        commands.group(name, index >= len(ROWS), colour)
        commands.variable(f"{scope}.valid_{number}", "valid", None, colour)
        commands.variable(f"{scope}.flit_{number}", "flit", "flit" if translated else "Hexadecimal", colour)
        commands.variable(f"{scope}.back_{number}", "back", None, colour)
        commands.end()
    return commands.finished([], None)


# --- translators of flits ---

def fields_of(said):
    """Yields (name, lowest bit, width, plus) of the fields of a head."""
    for name, field in (said.get("head") or {}).items():
        yield name, field["at"], field["width"], field.get("plus", 0)


def parts_between(fields, width):
    """Returns [(name, high, low)] from the highest wire down: all wires, those between the fields as `rest`."""
    parts, top = [], width - 1
    for name, at, wires, _ in sorted(fields, key=lambda field: -field[1]):
        if at + wires - 1 < top:
            parts.append((f"rest{top}", top, at + wires))
        parts.append((name, at + wires - 1, at))
        top = at - 1
    return parts + ([(f"rest{top}", top, 0)] if top >= 0 else [])


def kinds_of(said):
    """Yields (name, mask, value, whether it is a head) of the kinds of flits, as far as the wires say them."""
    marks, kind = said.get("marks"), said.get("type")
    if marks:
        head, tail = 1 << marks["head"], 1 << marks["tail"]
        for name, value in (("single", head | tail), ("head", head), ("tail", tail), ("body", 0)):
            yield name, head | tail, value, value & head
    elif kind:
        mask = (1 << kind["width"]) - 1 << kind["at"]
        for value in range(1 << kind["width"]):
            is_head, is_tail = value in kind["head"], value in kind["tail"]
            name = "single" if is_head and is_tail else "head" if is_head else "tail" if is_tail else "body"
            yield f"{name}{value}", mask, value << kind["at"], is_head
    else:
        yield "as_head", 0, 0, True


def head_text(fields):
    """Returns how the fields of a head are shown: "to 3,1 from 0,2 5 flits"."""
    shown = {name: f"%{name}%" + (f"{plus:+d}" if plus else "") for name, _, _, plus in fields}
    places = [",".join(shown[name] for name in names if name in shown) for names in (("destination", "x", "y", "z"), ("source", "source_x", "source_y", "source_z"))]
    words = [f"to {places[0]}" if places[0] else "", f"from {places[1]}" if places[1] else "", f"{shown['length']} flits" if "length" in shown else "",
             f"no. {shown['number']}" if "number" in shown else ""]
    return " ".join(word for word in words if word)


def can_translate(said):
    return said["width"] <= MOST_BITS


def decoder_of(said):
    """Returns a decoder of Surfer for flits of described links. Wrong: flits are wider than a decoder takes."""
    if not can_translate(said):
        raise Wrong(f"a flit has {said['width']} wires; a decoder of Surfer takes at most {MOST_BITS}")
    fields = list(fields_of(said))
    parts = parts_between(fields, said["width"])
    lines = ['set = "flit"', f"width = {said['width']}", "", "[mappings]", "names = []", "", "[formats]", 'names = ["head", "other"]', "parts = ["]
    for name, high, low in [*parts, ("data", said["width"] - 1, 0)]:
        radix = ', "hex"' if name == "data" or name.startswith("rest") else ""
        lines.append(f'    ["{name}", {high - low + 1}, "u64"{radix}],')
    lines += ["]", "", "[types]", 'names = ["fields", "whole"]', "fields = ["]
    lines += [f'    {{ name = "{name}", top = {high - low}, bot = 0 }},' for name, high, low in parts]
    lines += ["]", f'whole = [{{ name = "data", top = {said["width"] - 1}, bot = 0 }}]', ""]
    kinds = list(kinds_of(said))
    for format_, type_, text, is_head in (("head", "fields", f"$name$ {head_text(fields)}".strip(), True), ("other", "whole", "$name$ %data%", False)):
        lines += [f"[{format_}]", f'type = "{type_}"', f"[{format_}.repr]", f'default = "{text}"', f"[{format_}.instructions]"]
        lines += [f"{name} = {{ mask = {mask}, match = {value} }}" for name, mask, value, head in kinds if bool(head) == is_head] + [""]
    return "\n".join(lines)


def write_decoder(folder, said, name="flit"):
    """Writes a translator `name` into the folder in which Surfer is started."""
    write(folder / ".surfer/decoders" / name / "flit.toml", decoder_of(said))


def ours(parameters):
    """Returns a description of the links of ours, from the parameters of the RTL that `annelid describe --rtl` prints."""
    module, *words = parameters.split()
    values = dict(word.split("=") for word in words)
    dimensions, width, flit = int(values["N"]), index_width(int(values["K"])), int(values["FlitW"])
    names = ("x", "y", "z")[:dimensions] if module == "anl_cube" and 1 < dimensions < 4 else ("destination",)
    digits = width if len(names) > 1 else width * dimensions
    head = {name: dict(at=i * digits, width=digits) for i, name in enumerate(names)}
    if any(int(values.get(name, 0)) for name in LENGTH_IN_HEAD):
        head["length"] = dict(at=dimensions * width, width=LENGTH_BITS)
    return dict(width=flit + 2, marks=dict(head=flit + 1, tail=flit), head=head)


def description_of(children, build, links, scenario):
    """Returns what is said of the links of a network, which a file describes or which are ours."""
    if links:
        return described(children, build, links, scenario)
    return ours(children.must([build / "annelid", "describe", "--rtl", scenario]).splitlines()[0])


def main(children):
    options = parser(__doc__)
    options.add_argument("--links", type=pathlib.Path, help="description of the links (docs/link.md); without it they are ours")
    options.add_argument("scenario", type=pathlib.Path, help="a scenario of the network")
    options.add_argument("folder", type=pathlib.Path, help="folder in which Surfer is started")
    options = options.parse_args()
    write_decoder(options.folder, description_of(children, options.build, options.links, options.scenario))
    print(f"{options.folder}/.surfer/decoders/flit/flit.toml")
    return 0
