# SPDX-License-Identifier: Apache-2.0
"""What is wrong is said, in the simulation of docs/cocotb. test_cocotb.py runs it."""
import json
import os
from pathlib import Path

import annelid.cocotb
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, Timer

NETWORK = os.environ["NETWORK"]
SENDS = {"valid": 1, "data": 0, "last": 0, "dest": 3}


def refused(what, call):
    try:
        call()
    except (annelid.Error, TypeError, ValueError) as error:
        assert what in str(error), (what, str(error))
    else:
        raise AssertionError(f"nothing was raised: {what}")


def a_map(**roles):
    """A map of the network in the design, by templates; each role replaces one."""
    switches = {"valid": "out_valid[{port}]", "flit": "out_flit[{port}*36 +: 36]", "back": "out_credit[{port}]"} | roles
    terminals = {"valid": "inj_valid_i[{terminal}]", "flit": "inj_flit_i[{terminal}*36 +: 36]", "back": "inj_credit_o[{terminal}]"}
    return {"network": NETWORK, "scope": "mesh.u_network", "clock": "clk_i", "reset": "rst_i", "probes": [
        {"of": "switches"} | {role: f"g_switch[{{switch}}].{name}" for role, name in switches.items() if name},
        {"of": "terminals"} | terminals]}


@cocotb.test()
async def names_that_are_wrong(dut):
    attach = annelid.cocotb.attach
    for what, call in {
        "expected network= or probes=": lambda: attach(dut),
        "expected network= or probes=, ": lambda: attach(dut, NETWORK, probes=a_map()),
        "the scenario has 9 terminals": lambda: attach(dut, annelid.Scenario(NETWORK, k=3)),
        "found 4 credits of injection links, expected 8": lambda: attach(dut, annelid.Scenario(NETWORK, num_vcs=2)),
        "found no u_network.inj_flit_i": lambda: attach(dut.u_network, NETWORK),
        "nowhere.yaml: No such file": lambda: attach(dut, probes="nowhere.yaml"),
        "found no signal mesh.u_network.g_switch[0].nothing": lambda: attach(dut, probes=a_map(valid="nothing[{port}]"), flit_width_bits=34),
        "found bits 9 to 9, expected those of 4 to 0": lambda: attach(dut, probes=a_map(valid="out_valid[{port}+9]"), flit_width_bits=34),
        "found bits 5 to 5, expected those of 4 to 0": lambda: attach(dut, probes=a_map(valid="out_valid[{port}+5]"), flit_width_bits=34),
        "probes:10: flit: found 3 wires, expected 36": lambda: attach(dut, probes=a_map(flit="out_flit[2:0]"), flit_width_bits=34),
        "valid of 0(0,0).+0: found 5 bits": lambda: attach(dut, probes=a_map(valid="out_valid"), flit_width_bits=34),
        "no attribute": lambda: attach(dut, NETWORK, clock="nothing"),
        "found no signal nothing": lambda: attach(dut, NETWORK, reset="nothing"),
    }.items():
        try:
            refused(what, call)
        except AttributeError:
            assert what == "no attribute", what
    for reset, low in ((None, False), ("rst", False), ("~rst", True), ("reset_in", False), ("~rst_n", True)):
        part, = annelid.cocotb._of_bench(dut, None, reset)[1]
        assert part.inverted == low and not part.name.startswith("~"), (reset, part)
    bench = attach(dut, NETWORK)
    for _ in range(2):
        refused("found no cycle without reset", bench.end)


async def one_packet(dut, judge, beats):
    """Sends a packet from terminal 0 to 3 behind a reset. Returns what stood beside the design."""
    for t in range(4):
        getattr(dut, f"s{t}_axis_tvalid").value = 0
        getattr(dut, f"m{t}_axis_tready").value = 1
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.aclk, 10, "ns").start())
    bench = judge()
    await ClockCycles(dut.aclk, 4)
    dut.rst.value = 0
    await RisingEdge(dut.aclk)
    dut.s0_axis_tvalid.value, dut.s0_axis_tdest.value = 1, 3
    sent = 0
    while sent < beats:
        dut.s0_axis_tdata.value, dut.s0_axis_tlast.value = sent + 1, sent == beats - 1
        await Timer(1, "ns")
        sent += int(dut.s0_axis_tready.value)
        await RisingEdge(dut.aclk)
    dut.s0_axis_tvalid.value = 0
    await ClockCycles(dut.aclk, 100)
    return bench


@cocotb.test()
async def a_map_and_what_is_found_see_the_same(dut):
    """Without announcement the watch waits for tails. Both traces are the same, and so are their lengths."""
    benches = await one_packet(dut, lambda: [annelid.cocotb.attach(dut, NETWORK, trace="found.anlt"),
                                             annelid.cocotb.attach(dut, probes=a_map(), trace="map.anlt", flit_width_bits=34),
                                             annelid.cocotb.attach(dut, NETWORK, probes=None, trace="told.anlt", report="told.json"),
                                             annelid.cocotb.compare(dut, NETWORK)], 5)
    refused("announced behind others", lambda: benches[0].announce(0, 3, 5))
    refused("to a watch alone", lambda: benches[3].announce(0, 3, 5))
    assert [bench.end() for bench in benches] == [True] * 4 and [bench.end() for bench in benches] == [True] * 4
    assert [bench.links for bench in benches] == [16] * 4 and benches[3].verdict == "no difference"
    traces = [annelid.read_trace(name) for name in ("found.anlt", "map.anlt", "told.anlt")]
    for trace in traces:
        assert (trace.flits == traces[0].flits).all() and len(trace.flits) == 4 * 5 and trace.worms["length"].tolist() == [5]
    assert json.loads(Path("told.json").read_text()) == []
    benches[0].watch.close()


@cocotb.test()
async def a_reset_ends_the_watch(dut):
    bench = await one_packet(dut, lambda: annelid.cocotb.attach(dut, NETWORK), 2)
    cycles = bench.cycles
    dut.rst.value = 1
    await ClockCycles(dut.aclk, 3)
    assert bench.cycles <= cycles + 2 and bench.end() and "1 worms, 1 delivered" in bench.watch.text


@cocotb.test()
async def announced_wrongly(dut):
    """The worm that is announced is longer than the one that comes."""
    bench = await one_packet(dut, lambda: annelid.cocotb.attach(dut, NETWORK, stop=False), 2)
    assert bench.end()
    def judge():
        bench = annelid.cocotb.attach(dut, NETWORK, stop=False)
        bench.announce(0, 3, 4)
        return bench
    bench = await one_packet(dut, judge, 2)
    assert not bench.end() and bench.finding.what == "bad_marks" and bench.finding.link_name == "T0.inject", bench.verdict
    assert bench.verdict.startswith("annelid: bad_marks in cycle "), bench.verdict


@cocotb.test()
async def what_is_unknown_is_said(dut):
    """A stream that nobody drives makes an unknown valid, and a task that raises ends the test; so it is called by hand."""
    bench = await one_packet(dut, lambda: annelid.cocotb.attach(dut, NETWORK, stop=False), 2)
    bench.end()
    link = next(group[0] for source, group in bench._sampler.valid)
    link.valid.source.text = lambda stamp: "xxxxx"
    refused("valid of 0(0,0).+0: found x in cycle 7, expected 0 and 1", lambda: link.number_of("valid", 1, 7))
