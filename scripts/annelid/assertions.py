# SPDX-License-Identifier: Apache-2.0
"""The signals that the conditions of assertions name, for a program that tells their values (tb/tb.mk, suffix -values).

usage: scripts/run assertions FILE.sv …

Prints a file of settings of Verilator that keeps these signals, which it would else optimize away.
"""

import pathlib
import re
import sys

from annelid.dut import bare

MODULE = re.compile(r"\bmodule\s+(?:automatic\s+|static\s+)?(\w+)(.*?)\bendmodule\b", re.DOTALL)
BEGIN = re.compile(r"`ANL_ASSERT\(\s*\w+\s*,")
SIGNAL = re.compile(r"(?<![\w$.:'`])[a-z_]\w*(?!\s*(?:::|\(|\w))")
GENVAR = re.compile(r"\bgenvar\s+(\w+)")


def condition(text, at):
    """Returns the text from a place up to the bracket that closes the one before it."""
    depth, end = 1, at
    while end < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[end], 0)
        end += 1
    return text[at:end - 1]


def signals(text):
    """Returns {module: the names in the conditions of its assertions}, of a text of SystemVerilog."""
    found = {}
    for module, body in MODULE.findall(bare(text)):
        names = {name for one in BEGIN.finditer(body) for name in SIGNAL.findall(condition(body, one.end()))}
        names -= set(GENVAR.findall(body))
        if names:
            found.setdefault(module, set()).update(names)
    return found


def main(_):
    print("`verilator_config")
    for path in sys.argv[1:]:
        for module, names in signals(pathlib.Path(path).read_text(errors="replace")).items():
            for name in sorted(names):
                print(f'public_flat_rd -module "{module}" -var "{name}"')
    return 0
