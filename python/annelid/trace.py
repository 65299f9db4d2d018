# SPDX-License-Identifier: Apache-2.0
"""Flit traces (docs/trace.md) as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, List

import numpy as np

from .library import Failure, Owned, c, encoded, ffi, text_of
from .records import RECORD_FLITS, RECORD_WORMS, packed
from .scenario import Path, Scenario

_ROOM = 65536  # records that are read at a time


@dataclass(frozen=True, eq=False)
class Trace:
    """A whole trace, whose order, counts and digest were checked.

    worms: [worms] id, source, destination (terminals), length (flits), created (cycle), path, class_, role.
    flits: [flits] cycle, link, worm (id), index (in the worm, 0: head), vc (lane), head, tail; ascending by cycle.
    cycles: that were run. scenario_text: of the run, with paths relative to where its file was.
    """

    path: str
    seed: int
    cycles: int
    digest: int
    scenario_text: str
    worms: np.ndarray
    flits: np.ndarray

    @cached_property
    def latencies(self) -> np.ndarray:
        """[worms] cycles from creation to the tail's arrival; 0: it was not delivered."""
        last = np.zeros(len(self.worms), np.uint64)
        tails = self.flits[self.flits["tail"]]
        np.maximum.at(last, tails["worm"], tails["cycle"])
        crossed = np.bincount(tails["worm"][self._ejected(tails)], minlength=len(self.worms)) > 0
        return np.where(crossed, last - self.worms["created"] + np.uint64(1), np.uint64(0))

    def _ejected(self, flits: np.ndarray) -> np.ndarray:
        scenario = Scenario._of_trace(self.scenario_text)
        config = ffi.addressof(scenario._c, "network")
        ejection = np.array([c.anl_ejection_link(config, t) for t in range(scenario.terminals)])
        return flits["link"] == ejection[self.worms["destination"][flits["worm"]]]


def read_trace(path: Path) -> Trace:
    """Reads a trace of either form. Raises FormatError if it is damaged or not whole, FileError."""
    failure, reader = Failure(), ffi.new("struct anl_trace_reader **")
    failure.check(c.anl_trace_open(encoded(path, "path"), reader, failure.error))
    with Owned(reader[0], c.anl_trace_close) as owned:
        source = owned._get()
        worms, flits, cycles, digest = _records(source, failure)
        return Trace(str(path), c.anl_trace_seed(source), cycles, digest,
                     text_of(c.anl_trace_scenario_text(source)), worms, flits)


def _records(reader: Any, failure: Failure) -> Any:
    """All worms and flits of a reader, and the cycles and the digest of its end."""
    records, count = ffi.new("struct anl_record[]", _ROOM), ffi.new("size_t *")
    room = ffi.buffer(records)
    worms: List[np.ndarray] = []
    flits: List[np.ndarray] = []
    size, cycle = ffi.sizeof("struct anl_record"), ffi.offsetof("struct anl_record", "cycle")
    kinds = np.frombuffer(room, np.int32)[:: size // 4]
    cycles = np.frombuffer(room, np.uint64)[cycle // 8:: size // 8]
    as_worms, as_flits = np.frombuffer(room, RECORD_WORMS), np.frombuffer(room, RECORD_FLITS)
    of_flits = packed(RECORD_FLITS, (("cycle", "u8"),))
    while True:
        failure.check(c.anl_trace_read(reader, records, _ROOM, count, failure.error))
        n = count[0]
        worms.append(as_worms[:n][kinds[:n] == c.ANL_RECORD_WORM].astype(packed(RECORD_WORMS)))
        chosen = kinds[:n] == c.ANL_RECORD_FLIT
        part = np.empty(int(chosen.sum()), of_flits)
        part["cycle"] = cycles[:n][chosen]
        for name in RECORD_FLITS.names or ():
            part[name] = as_flits[:n][name][chosen]
        flits.append(part)
        if n and kinds[n - 1] == c.ANL_RECORD_END:
            return np.concatenate(worms), np.concatenate(flits), records[n - 1].cycle, records[n - 1].digest
