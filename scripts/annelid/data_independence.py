# SPDX-License-Identifier: Apache-2.0
"""Prove that switches treat the free bits of flits as data (docs/proofs.md, "Data independence").

Free bits are those that a switch does not read in a head (docs/link.md). For each design of
tb/formal/data.toml Yosys makes a circuit of gates and flip-flops, in which nothing is optimized but that equal gates are merged. In it

- no free bit of an input flit reaches anything but bits of the same number of output flits, so control
  does not depend on them, nor one of them on another;
- for each output flit, the circuits that lead to any two of its free bits are the same gate for gate, and
  fed by the same control signals, so no bit is treated unlike another.

Then what is proved with one free bit holds for all, at any width. Prints a line a design and "N passed, N failed".
"""

import json
import time

from annelid.children import Wrong
from annelid.options import JUNIT, parser
from annelid.results import Suite
from annelid.sources import RTL, changed, needed, read_toml, rtl_with

TABLE = "tb/formal/data.toml"
CIRCUIT = """read_verilog -sv -DSYNTHESIS -Irtl/include {files}
chparam {values} {top}
hierarchy -check -top {top}
proc
flatten
opt_clean
memory_collect
memory_map
techmap
simplemap
setundef -undriven -undef
opt_merge
opt_clean
write_json {out}
"""
OUTPUTS = ("Q", "Y")  # of the gates and flip-flops of Yosys


class Circuit:
    """A circuit of gates and flip-flops. A net is a number of Yosys, or "0", "1", "x" for a constant."""

    def __init__(self, module, width, fields):
        self.width, self.fields, self.ports = width, fields, module["ports"]
        self.driver, self.readers = {}, {}  # net -> (type, {port: net}); net -> nets that such a cell drives
        for cell in module["cells"].values():
            pins = {port: nets[0] for port, nets in cell["connections"].items()}
            out = next(pin for pin in OUTPUTS if pin in pins)
            inputs = {port: net for port, net in pins.items() if port != out}
            self.driver[pins[out]] = (cell["type"], inputs)
            for net in inputs.values():
                self.readers.setdefault(net, []).append(pins[out])

    def flits(self, direction):
        """Yields (name, index, nets of its data bits) of the flits at ports of that direction."""
        for name, port in self.ports.items():
            if port["direction"] == direction and "flit" in name:
                step = self.width + 2
                for index in range(len(port["bits"]) // step):
                    yield name, index, port["bits"][index * step:][:self.width]

    def reach(self, nets):
        """Returns all nets that depend on one of these, with them."""
        seen, left = set(nets), list(nets)
        while left:
            for net in self.readers.get(left.pop(), ()):
                if net not in seen:
                    seen.add(net)
                    left.append(net)
        return seen

    def cone(self, bit):
        """Returns all nets that depend on this bit of the input flits."""
        return self.reach([nets[bit] for _, _, nets in self.flits("input")])

    def slice(self, net, cone, inputs):
        """Returns in words the circuit that leads from a bit of the input flits, and from control, to a net."""
        words, number, left = [], {}, [net]
        while left:
            net = left.pop()
            if net not in cone:
                words.append(f"control {net}")
            elif net in number:
                words.append(f"again {number[net]}")
            elif net in inputs:
                words.append(f"input {inputs[net]}")
            else:
                number[net] = len(number)
                kind, pins = self.driver[net]
                words.append(f"{kind} {' '.join(sorted(pins))}")
                left += [pins[port] for port in sorted(pins, reverse=True)]
        return tuple(words)


def outputs_of(circuit):
    """Returns {net: "port[bit]"} of the outputs that are no data of flits, and {net: bits} of those that are."""
    data = {}
    for _, _, nets in circuit.flits("output"):
        for bit, net in enumerate(nets):
            data.setdefault(net, set()).add(bit)
    others = {net: f"{name}[{i}]" for name, port in circuit.ports.items() if port["direction"] == "output"
              for i, net in enumerate(port["bits"]) if net not in data}
    return others, data


def check_control(circuit, cone, bit, others, data):
    for net in cone & others.keys():
        raise Wrong(f"data bit {bit} decides {others[net]}")
    for net in cone & data.keys():
        if data[net] != {bit}:
            raise Wrong(f"data bit {bit} decides data bit {min(data[net] - {bit})}")


def check_slices(circuit, bit, cone, first):
    """Compares the slices of a bit with those of the first free bit, which it adds to `first`."""
    inputs = {nets[bit]: f"{name} {index}" for name, index, nets in circuit.flits("input")}
    for name, index, nets in circuit.flits("output"):
        words = circuit.slice(nets[bit], cone, inputs)
        if first.setdefault((name, index), words) != words:
            raise Wrong(f"data bit {bit} of flit {index} of {name} is made otherwise than those below")


def check(circuit, alone):
    """Wrong: a free bit is more than data, or one but those `alone` is made otherwise than the others, or fewer bits are
    read than the table says."""
    others, data = outputs_of(circuit)
    first = {}
    for bit in range(circuit.fields, circuit.width):
        cone = circuit.cone(bit)
        check_control(circuit, cone, bit, others, data)
        if bit not in alone:
            check_slices(circuit, bit, cone, first)
    if circuit.fields and not circuit.cone(circuit.fields - 1) & others.keys():
        raise Wrong(f"data bit {circuit.fields - 1} decides nothing: less than {circuit.fields} bits are read")
    return f"{circuit.width - circuit.fields} free bits are data, {len(next(iter(first.values())))} words a slice"


def circuit_of(room, design, width, children):
    """Synthesizes a design, or a mutant of it, at a width."""
    room.mkdir(parents=True, exist_ok=True)
    files = RTL
    if "file" in design:
        files = rtl_with(design["file"], changed(design["file"], design["old"], design["new"]), room)
    top = design["top"]
    values = " ".join(f"-set {key} {value}" for key, value in (design["parameters"] | {"FlitW": width}).items())
    script, out = room / "circuit.ys", room / "circuit.json"
    used = needed(top, files)
    script.write_text(CIRCUIT.format(files=" ".join(map(str, used)), values=values, top=top, out=out))
    with (room / "yosys.log").open("w") as log:
        status, _ = children.run_to_end(["yosys", "-q", str(script)], stdout=log)
    if status:
        raise Wrong(f"yosys: {(room / 'yosys.log').read_text()[-1500:]}")
    modules = json.loads(out.read_text())["modules"]
    module = next(module for module in modules.values() if module["attributes"].get("top"))
    out.unlink()
    return Circuit(module, width, design["fields"])


def verdict(room, design, width, children):
    """Returns the result in words. Wrong: it is not the right one."""
    try:
        text = check(circuit_of(room, design, width, children), design.get("alone", ()))
    except Wrong as wrong:
        if "refused" in design and design["refused"] in str(wrong):
            return f"refused: {wrong}"
        raise
    if "refused" in design:
        raise Wrong(f"{design['new']!r} is not refused")
    return text


def main(children):
    one = parser(__doc__, junit=JUNIT, short="the first width of each design only")
    options = one.parse_args()
    suite = Suite("data-independence")
    for design in read_toml(TABLE)["design"]:
        for width in design["widths"][:1] if options.short else design["widths"]:
            begin, reason, text = time.monotonic(), None, None
            name = f"{design['name']} FlitW {width}"
            try:
                text = verdict(options.build / "prove/data" / name.replace(" ", "_"), design, width, children)
            except Wrong as wrong:
                reason = str(wrong)
            seconds = time.monotonic() - begin
            print(f"{'FAIL' if reason else 'PASS'}  {name:<40} {seconds:6.1f} s  {reason or text}", flush=True)
            suite.case("data", name, reason, seconds=seconds)
    return suite.end((options.junit or options.build / "prove") / "data.xml")
