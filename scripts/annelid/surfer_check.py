# SPDX-License-Identifier: Apache-2.0
"""Holds what we write for Surfer against its documentation (0.6), and reads waves by its own reader.

Surfer itself is in no package that the tests may ask for. Its reader of waveforms is: wellen, as pywellen for Python, which is
installed below the build directory in an exact version (requirements.txt beside the waves of the lock-step).
"""

import json
import pathlib
import re
import tomllib

from annelid.children import Wrong
from annelid.surfer import MOST_BITS
from annelid.venvs import made

WANTED = pathlib.Path("tb/lockstep/waves/requirements.txt")
# The commands that we use, as the page on commands says what stands behind them.
COMMANDS = {"variable_add": r"(\S+)", "item_focus": r"([a-p]+)", "item_set_format": r"(.+)", "item_set_color": r"(\w+)", "item_rename": r"(.+)",
            "item_unfocus": r"", "divider_add": r"(\w+)", "group_marked": r"(\w+)", "group_fold_recursive": r"", "marker_set": r"([^\s#]+ \d+)",
            "zoom_fit": r"", "cursor_set": r"(\d+)"}
COLOURS = {"Green", "Red", "Yellow", "Blue", "Pink", "Orange", "Gray", "Violet"}  # of the default theme
FORMATS = {"Unsigned", "Hexadecimal"}
READ = """
import json, sys, pywellen
path, time = sys.argv[1], int(sys.argv[2])
waves = pywellen.Waveform(path)
print(json.dumps(dict(timescale=str(waves.timescale), format=str(waves.file_format),
    variables={one.full_name: [one.var_type, one.bitwidth, one.signal.value_at(time)] for one in waves.all_vars()}), default=str))
"""


def reader(children, build):
    """Returns the Python that has Surfer's reader. Wrong: it cannot be installed."""
    return made(build / "waves/venv", WANTED, "Surfer's reader", children) / "bin/python3"


def read(children, build, fst, time):
    """Returns what Surfer's reader finds in a file: timescale, format and {name: [kind, width, value at a time]} of the variables.
    Wrong: the reader cannot be installed."""
    return json.loads(children.must([reader(children, build), "-c", READ, fst, time]))


def in_focus(value, items, focus, line):
    number = int("".join("0123456789abcdef"["abcdefghijklmnop".index(letter)] for letter in value), 16)
    return (number, []) if number < items else (focus, [f"line {line}: item {value} of {items}"])


def wrong_commands(text, formats):
    """Returns what is wrong with a command file, whose translators of our own are `formats`. It goes through the commands as
    Surfer does, which counts items."""
    wrong, items, focus, folds = [], 0, None, False
    for line, words in enumerate(text.splitlines(), 1):
        name, _, rest = words.partition(" ")
        if name not in COMMANDS or not re.fullmatch(COMMANDS[name], rest) or re.search("[#;]", words):
            wrong.append(f"line {line}: {words!r}")
            continue
        if name in ("variable_add", "divider_add", "group_marked"):
            expected = focus is None or focus == items - 1
            wrong += [] if expected and not folds else [f"line {line}: added behind item {focus} of {items}"]
            wrong += [f"line {line}: no item to group"] if name == "group_marked" and focus is None else []
            items += 1
        if name == "item_focus":
            focus, more = in_focus(rest, items, focus, line)
            wrong += more
        if name == "item_unfocus":
            focus = None
        if name.startswith("item_set") or name in ("item_rename", "group_fold_recursive"):
            wrong += [f"line {line}: nothing is in focus"] if focus is None else []
        folds = folds or name == "group_fold_recursive"
        wrong += [f"line {line}: colour {rest}"] if name == "item_set_color" and rest not in COLOURS else []
        wrong += [f"line {line}: format {rest}"] if name == "item_set_format" and rest not in FORMATS | set(formats) else []
    return wrong


def mapping(text):
    """Returns (name, {value: (colour, text)}) of a mapping translator of 16 bits. Wrong: it is none."""
    name, bits, *rows = text.splitlines()
    if not name.startswith("Name = ") or bits != "Bits = 16":
        raise Wrong(f"expected Name and Bits, found {name!r}, {bits!r}")
    found = {}
    for row in rows:
        match = re.fullmatch(r"0x([0-9A-F]{1,4})\[#([0-9a-f]{6})\] (\S.*)", row)
        if not match or int(match[1], 16) in found:
            raise Wrong(f"mapping: {row!r}")
        found[int(match[1], 16)] = match[2], match[3]
    return name.removeprefix("Name = "), found


def variables_of(commands):
    return re.findall(r"^variable_add (\S+)$", commands, re.M)


def decoded(decoder, value):
    """Returns what a decoder makes of a value, by the specification of its format (tomlspec.md of instruction-decoder)."""
    table = tomllib.loads(decoder)
    if table["width"] > MOST_BITS:
        raise Wrong(f"{table['width']} bits")
    radix = {name: "#x" if rest and rest[0] == "hex" else "d" for name, _, _, *rest in table["formats"]["parts"]}
    for format_ in table["formats"]["names"]:
        for name, one in table[format_]["instructions"].items():
            if value & one["mask"] != one["match"]:
                continue
            text, at = table[format_]["repr"]["default"].replace("$name$", name), table["width"]
            for part in table["types"][table[format_]["type"]]:
                at -= part["top"] - part["bot"] + 1
                bits = value >> at & (1 << part["top"] - part["bot"] + 1) - 1
                text = text.replace(f"%{part['name']}%", format(bits, radix[part["name"]]))
            if at:
                raise Wrong(f"the parts of {format_} leave {at} bits")
            return text
    return None
