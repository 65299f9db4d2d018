# SPDX-License-Identifier: Apache-2.0
"""Which inputs of a design decide which of its outputs in the same cycle, with no register between, by the netlist that Yosys makes.

The AXI standard (ARM IHI 0022) wants no such path between the signals of an interface (docs/axi.md, "Cycles")."""

import json

from annelid.children import Wrong, tool

NETLIST = ("read_verilog -sv -Irtl/include {files}; hierarchy -check -top {top}; proc; flatten; opt_expr; opt_clean; "
           "memory_collect; simplemap; opt_clean -purge; write_json {out}")
REGISTERS = ("$_DFF", "$_SDFF")  # types of cells begin so; of all others each bit that they give follows all bits that they get
MEMORY = "$mem_v2"               # written at the clock's edge, and read in the cycle of the address
READ = "RD_ADDR"


def netlist(children, directory, files, top):
    """Returns the module of a design, flat and in gates, as Yosys writes it into a file of JSON."""
    out = directory / "same_cycle.json"
    script = NETLIST.format(files=" ".join(map(str, files)), top=top, out=out.resolve())
    status, said = children.output([*tool("YOSYS"), "-q", "-p", script], cwd=directory)
    if status:
        raise Wrong(f"yosys: {said[-1500:]}")
    modules = json.loads(out.read_text())["modules"]
    out.unlink()
    return modules[top]


def readers_of(module):
    """Returns {net: nets that follow it in its cycle}."""
    readers = {}
    for cell in module["cells"].values():
        if cell["type"].startswith(REGISTERS):
            continue
        outputs = [net for port, nets in cell["connections"].items() if cell["port_directions"][port] == "output" for net in nets]
        for port, nets in cell["connections"].items():
            if port == READ if cell["type"] == MEMORY else cell["port_directions"][port] == "input":
                for net in nets:
                    readers.setdefault(net, []).extend(outputs)
    return readers


def ways(module, chosen):
    """Returns {input: outputs that follow it in its cycle}, of the ports whose names chosen() accepts. Inputs that none follows are
    there, too."""
    readers = readers_of(module)
    ports = {name: port for name, port in module["ports"].items() if chosen(name)}
    found = {}
    for name, port in ports.items():
        if port["direction"] != "input":
            continue
        seen, left = set(port["bits"]), list(port["bits"])
        while left:
            for net in readers.get(left.pop(), ()):
                if net not in seen:
                    seen.add(net)
                    left.append(net)
        found[name] = [other for other, port in ports.items() if port["direction"] == "output" and seen & set(port["bits"])]
    return found


def between_axi_signals(children, directory, files, top):
    """Returns in words each path between signals of AXI4 ports of a design that annelid rtl has written; "" if there is none."""
    found = ways(netlist(children, directory, files, top), lambda name: "_axi_" in name)
    if not any("rvalid" in name for name in found):
        raise Wrong(f"{top} has no port of AXI4")
    return "\n".join(f"{name} -> {', '.join(others)}" for name, others in found.items() if others)
