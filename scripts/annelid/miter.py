# SPDX-License-Identifier: Apache-2.0
"""Makes a miter: a module whose one output is 1 if two modules, gold and gates, ever differ at an output (docs/gates.md).

Both have the same inputs. Before the first cycle all registers are 0, whatever the files say; in it reset is active, and
nothing is compared. Then both run for PREFIX cycles with random inputs, and the question begins in the state that they
have reached: so what reset does not touch holds what was stored there, as it does in use, and not a 0 that no write
could leave there. In these cycles reset would come in every second one, if it were one input; as it is the and of several,
it comes seldom, and lanes fill. The cycles of a counterexample count from the question's first one on. Lane and flit of a
link are compared only while the link is valid, as they mean nothing otherwise (docs/link.md).
"""

import re

from annelid.aig import proved
from annelid.children import Wrong

PREFIX = 1000   # cycles
RESETS = 4      # inputs, all of which are 1 when reset is active
QUESTION = f"strash; cycle -F {PREFIX}; dc2; lcorr; scorr"     # what abc does before it is asked

# Makes the graph of {room}/miter.v and of the two modules, which are files in Yosys' own form.
SCRIPT = """read_rtlil {gold}
read_rtlil {gates}
read_verilog -sv {room}/miter.v
hierarchy -check -top miter
proc
flatten
setattr -unset init w:*
techmap
simplemap
aigmap
opt_clean
setundef -init -zero
write_aiger -no-startoffset {room}/question.aig
"""


def ports_of(path):
    """Returns {name: (input or output, bits)} of the module in a file."""
    found = re.findall(r"^  wire (?:width (\d+) )?(input|output) \d+ \\(\S+)$", path.read_text(), re.MULTILINE)
    return {name: (way, int(bits or 1)) for bits, way, name in found}


def valid_bits(name, ports):
    """Returns for each bit of an output, if it is lane or flit of links, the `valid` of its link; else 1."""
    match = re.fullmatch(r"(\w*?)(vc|flit)_o", name)
    valid = f"{match[1]}valid_o" if match else None
    if valid not in ports:
        return "'1"
    each = ports[name][1] // ports[valid][1]
    return "{" + ", ".join(f"{{{each}{{gold_{valid}[{bit}]}}}}" for bit in reversed(range(ports[valid][1]))) + "}"


def miter(gold, gates):
    """Returns the miter in Verilog. Wrong: the modules in the two files have different ports."""
    ports, others = ports_of(gold), ports_of(gates)
    if ports != others:
        raise Wrong(f"ports that only one of both has: {sorted(ports.items() ^ others.items())}")
    outputs = [name for name, (way, _) in ports.items() if way == "output"]
    if not outputs or "rst_i" not in ports:
        raise Wrong("no outputs to compare, or no rst_i")
    given = [name for name in ports if name not in outputs]
    sizes = {name: ports[name][1] for name in given} | {"rst_i": RESETS}
    text = f"module miter ({', '.join(f'input [{size - 1}:0] {name}' for name, size in sizes.items())}, output differs);\n"
    text += "  reg running;\n  always @(posedge clk_i) running <= 1;\n"
    for side in ("gold", "gates"):
        text += "".join(f"  wire [{ports[name][1] - 1}:0] {side}_{name};\n" for name in outputs)
        joined = [f".{name}({name})" for name in given if name != "rst_i"] + [f".{name}({side}_{name})" for name in outputs]
        text += f"  {side} u_{side} (.rst_i(&rst_i | ~running), {', '.join(joined)});\n"
    unlike = [f"|((gold_{name} ^ gates_{name}) & {valid_bits(name, ports)})" for name in outputs]
    return text + f"  assign differs = running & ({' | '.join(unlike)});\nendmodule\n"


def verdict(output):
    """Returns the result of abc's pdr: None if both modules are equal, else the cycle in which they differ. Wrong: it found
    out neither."""
    refuted = re.findall(r"^Output +0 .*was asserted in frame (\d+)", output, re.MULTILINE)
    if proved(output) + len(refuted) != 1:
        raise Wrong(f"abc gives no verdict: {output[-1500:]}")
    return int(refuted[0]) if refuted else None
