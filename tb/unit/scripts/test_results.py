#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The files of docs/results/: each is what its writer makes, and no writer replaces what it must not.

usage: tb/unit/scripts/test_results.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import contextlib
import json
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import axi_stock, cells, cocotb_bugs, cost, coverage, fpga, fpga_fit, fpga_image, gates, mutate, mutate_model, predict_draws, prove, rates, systems
from annelid.children import Wrong
from annelid.results import RESULTS as ROOM, Results, markdown
from annelid.sources import read_toml

MODULES = (axi_stock, cells, cocotb_bugs, cost, coverage, fpga, fpga_fit, fpga_image, gates, mutate, mutate_model, predict_draws, prove, rates, systems)
WRITERS = [module.RESULTS for module in MODULES]
RUN = dict(date="2026-01-02", commit="abcdef12", tools="yosys 0.1, verilator 5.1")
HEAD = re.compile(r"# .+\n\nRun of (\d{4}-\d\d-\d\d[\d\s,-]*), commit ([0-9a-f]{7,}[\w\s,+-]*)(?:; ([^;]+))?\.\n\nWritten by ")

# Made-up reports, with a row in each of their tables.
MUTANT = dict(verdict="lock-step", text="cycle 7", trigger="always", file="net.c", how="")
CELLS, PEERS = dict(lut=20, carry=2, ff=1, ram=0), read_toml(fpga.ROOM / "peers.toml")
CLOCK = dict(median=50.0, best=51.0, path=[("grant", 1.0, 2)])
COUNT = dict.fromkeys(mutate.VERDICTS, 0) | {"lock-step": 1}
STOCK = dict.fromkeys(("data", "reorder", "bursts", "transfers", "refused", "stalls", "cycles", "seconds", "wrong", "reordered", "findings"), 1)
REPORTS = {
    axi_stock: [STOCK | dict(name=name, states=2, k=2, users=[0], memories=[1], finds=finds, told=[], ended=True, stopped=False)
                for name, finds in (("a", ""), ("b", "wrong"))],
    cells: dict(rows=[dict(chapter=chapter, text="t", cells=dict.fromkeys(cells.FAMILIES, CELLS))
                      for chapter in dict.fromkeys(one.chapter for one in cells.load().values())]),
    cocotb_bugs: dict(rows=[dict(name="b", style="credit", why="w", found=dict(what="overflow", cycle=1, place="0.T"))],
                      costs=[dict(k=2, links=16, flits=9, plain=1.0, watched=1.0, inside=0.1)]),
    cost: {kind: dict(kind=kind, text=kind, pairs=dict.fromkeys(cost.FIGURES, (10.0, 11.0))) for kind in ("switch", "design", "terminal")},
    coverage: dict(criteria={name: dict(reached=1234, of=2000, least=50.0) for name in "abcde"}),
    fpga: dict(seeds=5, sets=dict(x=dict(
        text="mesh", peers=next(iter(PEERS)), area=dict.fromkeys(("ice40", "ecp5", "ecp5_narrow", "xc7"), CELLS),
        clock=dict(ice40=CLOCK, ecp5=CLOCK), modules=[CELLS | dict(place="p", module="m", instances=1)]))),
    fpga_fit: dict(x=[dict(part="HX8K", mesh="3x3", switches=9, sites=20, cells=CELLS, capacity=30, mhz=1.0)] * 2),
    fpga_image: [dict(board="b", cells=CELLS, clock_mhz=42,
                      parameters=dict(K="2", N="2", NumVcs="1", Depth="2", Expected="32'h7e"))],
    gates: dict(proved=1, flits=99, sets=dict(ring="a switch"), rows=[dict(
        set="ring", family="ice40", cells=dict(luts=1, flops=2, memory=0, other=0), proof=dict(seconds=1.5), replay=dict(flits=99),
        fault=dict(place="bit 0", proof=3, replay=None, harmless=0, unseen=0))]),
    mutate: dict(count=COUNT, files={"rtl/a.sv": COUNT}, sets=dict(x=dict(text="mesh", mutants=[MUTANT], count=COUNT)),
                 rare=dict(y=dict(text="line", least=0.9, mutants=[MUTANT], fired={}))),
    mutate_model: dict(mutants=[MUTANT | dict(verdict="unit")], killed=1, total=1, score=1.0, possible=3, no_end=0),
    prove: dict(processor=10.0, seconds=60, jobs=[dict(kind="proof", proof="fifo", name="fifo/Depth2", seconds=1.0)]),
    rates: dict(rows={chapter: {"links": [0.5] * len(rates.LENGTHS)} for chapter in rates.ROWS}),
    systems: dict(rows=[RUN | dict(system="sid", account="root", versions={}, targets=dict.fromkeys(systems.TARGETS))]),
}


def heads(text):
    """Returns the headings of a text and the heads of its tables."""
    return set(re.findall(r"^## .*$|^\|.*\|$(?=\n\| ---)", text, re.MULTILINE))


def every_file_is_that_of_a_writer(_room, _build):
    paths = sorted(path for path in ROOM.iterdir() if path.name != "README.md")
    expect(paths == sorted(writer.path for writer in WRITERS), "a file for each writer", paths)
    for writer in WRITERS:
        text = writer.path.read_text()
        head = HEAD.match(text)
        expect(head, f"date and commit at the head of {writer.path}", text[:300])
        run = dict(zip(("date", "commit", "tools"), (" ".join((words or "").split()) for words in head.groups())))
        expect(text.startswith(writer.text("", run)), f"the head of {writer.path} as the program writes it", text[:300])


def files_have_the_tables_that_their_writers_make(_room, _build):
    for module, report in REPORTS.items():
        made, stands = heads(module.RESULTS.tables(report)), heads(module.RESULTS.path.read_text())
        expect(made and made == stands, f"the tables of {module.RESULTS.path}", made ^ stands)


def a_small_report_makes_the_whole_file(room, _build):
    with contextlib.chdir(room):
        Path("report.json").write_text(json.dumps(REPORTS[coverage] | RUN | dict(failed=0)))
        coverage.RESULTS.write_last(Path("report.json"))
        rows = "".join(f"| {name} | 1,234 | 2,000 | 61.70 % | 50 % |\n" for name in "abcde")
        wanted = ("# Coverage\n\nRun of 2026-01-02, commit abcdef12; yosys 0.1, verilator 5.1.\n\n"
                  "Written by `scripts/run coverage --docs`; [coverage.md](../coverage.md) says what it means.\n\n"
                  f"|  | reached | of |  | at least |\n| --- | --- | --- | --- | --- |\n{rows}")
        expect(coverage.RESULTS.path.read_text() == wanted, wanted, coverage.RESULTS.path.read_text())
    text = gates.RESULTS.text("", RUN, RUN | dict(commit="12345678"))
    expect("Run of 2026-01-02, commit abcdef12, 12345678; yosys 0.1, verilator 5.1.\n" in text, "two runs", text)


def refused(words, action, *arguments):
    try:
        action(*arguments)
    except Wrong as wrong:
        return expect(words in str(wrong), words, wrong)
    expect(False, f"a no: {words}", "nothing")


def results_stay_if_the_run_was_not_whole_or_failed(room, _build):
    path, good = Path("report.json"), REPORTS[coverage] | RUN | dict(failed=0)
    with contextlib.chdir(room):
        path.write_text(json.dumps(good))
        coverage.RESULTS.write_last(path)
        before = coverage.RESULTS.path.read_text()
        for words, report in (("1 failed", good | dict(failed=1)), ("not of a whole run", good | dict(criteria={})),
                              ("of which commit", REPORTS[coverage] | dict(failed=0))):
            path.write_text(json.dumps(report))
            refused(words, coverage.RESULTS.write_last, path)
        path.unlink()
        refused("no report.json", coverage.RESULTS.write_last, path)
        path.write_text(json.dumps(REPORTS[fpga] | RUN | dict(failed=0, seeds=0)))
        refused("no clocks", fpga.RESULTS.write_last, path)
        expect(coverage.RESULTS.path.read_text() == before and not fpga.RESULTS.path.exists(), "the file as it was")


def files_of_several_calls_lose_no_row(room, _build):
    one = Results("some", "Some", "page.md", "some --docs", lambda names: markdown(["part", "MHz"], [[name, 1] for name in names]))
    with contextlib.chdir(room):
        one.write_parts("a", RUN)
        one.write_parts("ab", RUN, RUN)
        refused("no run made a", one.write_parts, "bc", RUN)
        expect("| a | 1 |" in one.path.read_text(), "both rows", one.path.read_text())


def what_a_hand_wrote_stays(room, _build):
    with contextlib.chdir(room):
        for text in ("# Notes\n", gates.RESULTS.text("", RUN)):
            coverage.RESULTS.path.parent.mkdir(parents=True, exist_ok=True)
            coverage.RESULTS.path.write_text(text)
            refused("written by something else", coverage.RESULTS.write, "", RUN)
            expect(coverage.RESULTS.path.read_text() == text, "the file as it was", coverage.RESULTS.path.read_text())


TESTS = [every_file_is_that_of_a_writer, files_have_the_tables_that_their_writers_make, a_small_report_makes_the_whole_file,
         results_stay_if_the_run_was_not_whole_or_failed, files_of_several_calls_lose_no_row, what_a_hand_wrote_stays]

if __name__ == "__main__":
    sys.exit(main("results", TESTS, __doc__.splitlines()[2]))
