# SPDX-License-Identifier: Apache-2.0
"""Runs of a scenario on the golden model (docs/run.md)."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Union

import numpy as np

from .library import NOTHING, Failure, c, encoded, ffi, free, number, text_of
from .records import WINDOWS, Violation, array_of
from .scenario import Path, Scenario, scenario_of
from .traffic import Calls, Traffic

_LINES = ("end", "fault", "worms", "load", "latency", "classes", "saturated", "speed", "digest", "referee")
_OFTEN = 2_000_000  # terminals times cycles between two calls of progress


@dataclass(frozen=True, eq=False)
class Latency:
    """Latencies of the measured worms in cycles, all 0 without worms. counts[i] of the worms took i cycles."""

    mean: float
    min: int
    p50: int
    p95: int
    p99: int
    max: int
    counts: np.ndarray

    def quantile(self, fraction: float) -> int:
        """The least latency that at least this fraction, 0..1, of the worms does not exceed."""
        if not 0 <= fraction <= 1:
            raise ValueError(f"fraction: found {fraction}, expected 0..1")
        kept = np.ascontiguousarray(self.counts, dtype=np.uint64)
        latencies = ffi.new("struct anl_latencies *", {"count": ffi.from_buffer("uint64_t[]", kept), "size": len(kept)})
        return c.anl_latencies_quantile(latencies, fraction)


@dataclass(frozen=True)
class ClassResult:
    """What was measured of one class of messages; latencies in cycles."""

    measured: int
    latency_mean: float
    latency_p99: int


@dataclass(frozen=True)
class Progress:
    """How far a run is, for whoever watches it."""

    cycle: int
    enqueued: int
    delivered: int
    in_network: int


@dataclass(frozen=True, eq=False)
class Result:
    """What came of a run. Loads are in flits per terminal and cycle; str() of it is what `annelid run` prints.

    end: "complete", "max_cycles", "stalled", "stopped" or "fault". saturated: None if it cannot be known.
    totals: of the whole run, warm-up too, by the names of struct anl_engine_totals. digest: None if not asked for.
    violation: the first rule that was broken; None also without referee. windows: created_flits, ejected_flits, worms
    and latency of each; link_flits: [links]. Both are None if not asked for.
    """

    end: str
    cycles: int
    created: int
    delivered: int
    measured: int
    offered: float
    accepted: float
    saturated: Optional[bool]
    latency: Latency
    classes: List[ClassResult]
    digest: Optional[int]
    violation: Optional[Violation]
    fault: str
    totals: Dict[str, int]
    window_cycles: int
    windows: Optional[np.ndarray]
    link_flits: Optional[np.ndarray]
    cpu_seconds: float
    lines: Dict[str, str]

    def __str__(self) -> str:
        return "\n".join(self.lines.values())

    def row(self) -> Dict[str, Any]:
        """The figures as a row of a table."""
        latency = {f"latency_{name}": getattr(self.latency, name) for name in ("mean", "min", "p50", "p95", "p99", "max")}
        named = ("end", "cycles", "created", "delivered", "offered", "accepted", "saturated", "digest")
        return {**{name: getattr(self, name) for name in named}, **latency}


def run(scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]], *, digest: bool = False,
        referee: bool = False, trace: Optional[Path] = None, traffic: Optional[Traffic] = None, windows: int = 0,
        link_flits: bool = False, progress: Union[bool, Callable[[Progress], Optional[bool]]] = False,
        checkpoint: Optional[Path] = None, every: int = 10_000_000, restart: bool = False) -> Result:
    """Runs a scenario and returns what came of it.

    digest: compute the digest of the flits. referee: check every flit. trace: a file that gets all flits, as text or,
    if it ends in .anlt, in binary form. traffic: worms of your own. windows: cycles of a window that is counted; 0: none.
    link_flits: count the flits of each link. progress: True shows a line on standard error, a function is called now and
    then and stops the run if it returns False. checkpoint: a file that gets the state of the run after each `every` cycles, and
    when it is stopped; if it is there, the run goes on from it, unless restart is True. It is removed when the run is over
    (docs/checkpoint.md).

    Ctrl-C, and an exception in progress or traffic, end the run and are raised. Other threads go on meanwhile.
    Raises ArgumentError if the run is refused, FileError if the trace cannot be written.
    """
    asked = _Asked(scenario_of(scenario), Calls(traffic))
    asked.options.digest, asked.options.referee = bool(digest), bool(referee)
    asked.count(number(windows, "windows", 1 << 64), bool(link_flits))
    asked.show(progress)
    if checkpoint is not None:
        asked.keep(checkpoint, number(every, "every", 1 << 64), bool(restart))
    if trace is not None:
        asked.record(trace)
    try:
        return asked.carry_out()
    finally:
        asked.free()


class _Asked:
    """What a run is asked for, and all that must stay alive while it goes on."""

    def __init__(self, scenario: Scenario, calls: Calls):
        self.scenario, self.calls, self.failure = scenario, calls, Failure()
        self.latencies, self.windows = ffi.new("struct anl_latencies *"), ffi.new("struct anl_windows *")
        self.link_flits: Optional[Any] = None
        self.writer: Optional[Any] = None
        self.line: Optional[_Line] = None
        self.checkpoint: Optional[Any] = None
        self.options = ffi.new("struct anl_run_options *")
        self.options.latencies = self.latencies

    def count(self, cycles: int, link_flits: bool) -> None:
        if cycles:
            self.windows.cycles, self.options.windows = cycles, self.windows
        if link_flits:
            self.link_flits = ffi.new("uint64_t[]", self.scenario.links)
            self.options.link_flits = self.link_flits

    def show(self, progress: Union[bool, Callable[[Progress], Optional[bool]]]) -> None:
        """The function is called also if nobody watches, so that Ctrl-C is noticed."""
        if not callable(progress) and not isinstance(progress, (bool, np.bool_)):
            raise TypeError(f"progress: found {progress!r}, expected True, False or a function")
        self.line = None if callable(progress) or not progress else _Line(self.scenario)
        tell: Any = progress if callable(progress) else self.line

        def go_on(engine: Any) -> bool:
            if tell:
                totals = c.anl_engine_totals(engine)
                going = Progress(c.anl_engine_cycle(engine), totals.enqueued, totals.delivered, totals.in_network)
                return tell(going) is not False
            return True

        self.calls.watch(self.options, max(1, _OFTEN // self.scenario.terminals), go_on)

    def keep(self, path: Path, every: int, restart: bool) -> None:
        if not every:
            raise ValueError("every: found 0, expected a number of cycles")
        self.path, name = ffi.new("char[]", encoded(path, "checkpoint")), ffi.new("char[]", encoded(self.scenario._name, "name"))
        question = self.calls.question(c.anl_scenario_hash(self.scenario._c, 0))
        self.checkpoint = ffi.new("struct anl_checkpoint *", {"path": self.path, "every": every, "question": question, "name": name,
                                                              "restart": restart})
        self.options.checkpoint, self.name = self.checkpoint, name

    def record(self, path: Path) -> None:
        form = c.ANL_TRACE_BINARY if encoded(path, "trace").endswith(b".anlt") else c.ANL_TRACE_TEXT
        writer = ffi.new("struct anl_trace_writer **")
        config = self.scenario._c
        create = c.anl_trace_create_kept if self.checkpoint else c.anl_trace_create
        self.failure.check(create(encoded(path, "trace"), form, config.run.seed, config.text, writer, self.failure.error))
        self.writer = self.options.trace = writer[0]

    def carry_out(self) -> Result:
        try:
            result = self.calls.run(self.scenario._c, self.options)
        finally:
            if self.line:
                self.line.end()
        goes_on = self.checkpoint and result.end == c.ANL_RUN_STOPPED
        if self.writer and not goes_on:
            writer, self.writer = self.writer, None
            self.failure.check(c.anl_trace_finish(writer, result.cycles, self.failure.error))
        if self.checkpoint and not goes_on and os.path.exists(ffi.string(self.path)):
            os.remove(ffi.string(self.path))
        return self.result(result)

    def result(self, of: Any) -> Result:
        counts = array_of_u64(self.latencies.count, self.latencies.size)
        latency = Latency(of.latency_mean, of.latency_min, of.latency_p50, of.latency_p95, of.latency_p99,
                          of.latency_max, counts)
        saturated = bool(of.backlog.grows) if of.saturation_known else None
        return Result(
            end=text_of(c.anl_run_end_name(of.end)), cycles=of.cycles, created=of.totals.enqueued,
            delivered=of.totals.delivered, measured=of.measured, offered=of.offered_load, accepted=of.accepted_load,
            saturated=saturated, latency=latency,
            classes=[ClassResult(one.measured, one.latency_mean, one.latency_p99) for one in of.classes[0:of.num_classes]],
            digest=of.digest if of.has_digest else None, violation=_violation(of.violation), fault=text_of(of.fault),
            totals={name: getattr(of.totals, name) for name, _ in ffi.typeof(of.totals).fields},
            window_cycles=of.window_cycles,
            windows=array_of(self.windows.at, self.windows.count, WINDOWS) if self.windows.cycles else None,
            link_flits=array_of_u64(self.link_flits, self.scenario.links) if self.link_flits else None,
            cpu_seconds=of.cpu_seconds, lines=_lines(of))

    def free(self) -> None:
        free(self.latencies.count)
        free(self.windows.at)
        if self.writer:
            c.anl_trace_abandon(self.writer)
        self.calls.forget()


def array_of_u64(pointer: Any, count: int) -> np.ndarray:
    """A copy of numbers of 64 bits."""
    return np.frombuffer(ffi.buffer(pointer, count * 8), np.uint64).copy() if count else np.empty(0, np.uint64)


def _violation(of: Any) -> Optional[Violation]:
    if not of.rule:
        return None
    worm = None if of.worm == NOTHING else of.worm
    return Violation(text_of(c.anl_rule_name(of.rule)), of.cycle, of.link, worm, text_of(of.text))


def _lines(result: Any) -> Dict[str, str]:
    """What `annelid run` prints, without the speed, which is another one each time."""
    text, lines = ffi.new("char[640]"), {}
    for line, name in enumerate(_LINES):
        if name != "speed" and c.anl_run_line(result, line, text, len(text)):
            lines[name] = text_of(text)
    return lines


class _Line:
    """A line on standard error that shows how far a run is, from two seconds on."""

    def __init__(self, scenario: Scenario):
        self.began, self.told, self.cycles = time.monotonic(), 0.0, scenario._c.run.cycles

    def __call__(self, going: Progress) -> None:
        now = time.monotonic()
        if now - self.began > 2 and now - self.told > 0.2:
            of = f" of {self.cycles}" if going.cycle < self.cycles else ""
            print(f"\rcycle {going.cycle}{of}: {going.delivered} worms delivered, {going.in_network} flits on their way ",
                  end="", file=sys.stderr, flush=True)
            self.told = now

    def end(self) -> None:
        if self.told:
            print(file=sys.stderr)
