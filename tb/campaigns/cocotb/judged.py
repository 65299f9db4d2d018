# SPDX-License-Identifier: Apache-2.0
"""A network of somebody's switches in cocotb, with the terminals of `make judge` (annelid/driver.h) and the watch of
annelid.cocotb beside it. The terminals decide as in `make judge`, so the run is the same, cycle for cycle.

scripts/annelid/cocotb_bugs.py runs it by tb/campaigns/streams/simulate.py. ROOM holds the design top and job.json: scenario,
settings, links, hesitation, patience, terminals, injection and ejection links, all links, cycles of reset and the quiet ones behind
it, and the map of probes.
The driver's own watch, which says when the run is over, is told what plain handles of cocotb read; annelid.cocotb finds and reads
its signals itself. The test writes ROOM/found.json.
"""
import json
import os
from pathlib import Path

import annelid.cocotb
import cocotb
from annelid.library import Failure, c, encoded, ffi
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge

ROOM = Path(os.environ["STOCK_ROOM"])
JOB = json.loads((ROOM / "job.json").read_text())
PORTS = os.environ["STOCK_PORTS"].split()
UNKNOWN = str.maketrans("xz", "00")


class Driver:
    """The terminals of a network."""

    def __init__(self, dut):
        self.dut, made, failure = dut, ffi.new("struct anl_driver **"), Failure()
        self.options = ffi.new("struct anl_driver_options *")
        self.kept = [ffi.new("char[]", encoded(text, "text")) for text in [JOB["links"], *JOB["settings"]]]
        self.settings = ffi.new("const char *[]", self.kept[1:])
        self.options.live.links, self.options.live.settings, self.options.live.num_settings = self.kept[0], self.settings, len(JOB["settings"])
        self.options.live.patience_cycles, self.options.hesitation = JOB["patience"], JOB["hesitation"]
        failure.check(c.anl_driver_create(encoded(JOB["scenario"], "scenario"), self.options, made, failure.error))
        self.drive = ffi.gc(made[0], c.anl_driver_destroy)
        self.live = c.anl_driver_live(self.drive)
        self.wires, self.flit = ffi.new("struct anl_wires *"), ffi.new("uint32_t[]", c.ANL_WIRE_WORDS)
        self.wires.flit = self.flit
        self.handles = {link: [getattr(dut, f"{kind}_{link}") for kind in ("valid", "vc", "flit", "back")] for link in JOB["all"]}

    def show(self):
        """Puts what the terminals drive in the cycle that comes on the wires."""
        words = dict(valid=0, vc=0, flit=0, back=0)
        vc, flit = ffi.new("uint32_t *"), ffi.new("const uint32_t **")
        for t in range(JOB["terminals"]):
            if c.anl_driver_sends(self.drive, t, vc, flit):
                words["valid"] |= 1 << t
                words["vc"] |= vc[0] << t * JOB["vcw"]
                words["flit"] |= int.from_bytes(ffi.buffer(flit[0], 4 * c.ANL_WIRE_WORDS)[:], "little") << t * JOB["width"]
            words["back"] |= (c.anl_driver_takes(self.drive, t) & (1 << JOB["back"]) - 1) << t * JOB["back"]
        for kind in ("valid", "vc", "flit"):
            getattr(self.dut, f"inj_{kind}").value = words[kind]
        self.dut.ej_back.value = words["back"]

    def read(self, link):
        """Reads the wires of a link. What is not known is 0."""
        valid, vc, flit, back = (int(handle.value.binstr.translate(UNKNOWN), 2) for handle in self.handles[link])
        ffi.buffer(self.flit)[:] = flit.to_bytes(4 * c.ANL_WIRE_WORDS, "little")
        self.wires.valid, self.wires.vc, self.wires.back = bool(valid), vc, back

    def sample(self):
        """Tells what terminals see, and the driver's watch what is on all links."""
        for t, (into, out) in enumerate(zip(JOB["injection"], JOB["ejection"])):
            self.read(into)
            back = self.wires.back
            self.read(out)
            c.anl_driver_saw(self.drive, t, back, self.wires.valid, self.wires.vc, self.flit)
        for link in JOB["all"]:
            self.read(link)
            c.anl_live_wires(self.live, link, self.wires, 0)

    def finding(self):
        found = c.anl_live_finding(self.live)
        return None if found == ffi.NULL else (ffi.string(found.what).decode(), found.cycle)


@cocotb.test()
async def judged(dut):
    for name in PORTS:
        getattr(dut, name)
    driver = Driver(dut)
    bench = annelid.cocotb.attach(dut, probes=JOB["probes"], patience=JOB["patience"], trace=ROOM / "found.anlt", stop=False,
                                  **dict(setting.split("=", 1) for setting in JOB["settings"]))
    dut.rst.value = dut.quiet.value = 1
    for kind in ("inj_valid", "inj_vc", "inj_flit", "ej_back"):
        getattr(dut, kind).value = 0
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start(start_high=False))
    for name, cycles in (("rst", JOB["reset_cycles"]), ("quiet", JOB["quiet_cycles"])):
        for _ in range(cycles):
            await FallingEdge(dut.clk)
        getattr(dut, name).value = 0
    driver.show()
    while True:
        await RisingEdge(dut.clk)
        driver.sample()
        await FallingEdge(dut.clk)
        if not c.anl_driver_cycle(driver.drive):
            break
        driver.show()
    bench.end()
    c.anl_driver_end(driver.drive)
    found = bench.finding
    seen = {} if found is None else dict(what=found.what, cycle=found.cycle, place=found.link_name, worm=found.worm, text=found.text)
    blocked = [life.worm.id for life in bench.watch.blocked]
    (ROOM / "found.json").write_text(json.dumps(dict(found=seen, driver=driver.finding(), cycles=bench.cycles, links=bench.links, blocked=blocked,
                                                     verdict=bench.verdict)) + "\n")
