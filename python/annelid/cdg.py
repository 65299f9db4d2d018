# SPDX-License-Identifier: Apache-2.0
"""Whether a network can deadlock: its channel-dependency graph (docs/cdg.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List, Mapping, Tuple, Union

import numpy as np

from .library import Failure, c, ffi, free
from .scenario import Path, Scenario, scenario_of


@dataclass(frozen=True, eq=False)
class Cdg:
    """The graph. A lane has the number link * num_vcs + vc; Scenario.lane_name() says its name.

    safe: no deadlock can happen. acyclic: the graph has no cycle. cycle: a shortest one, each lane depends on the next and
    the last on the first; empty if there is none. edges: [dependencies, 2] from a lane to one for which its head may wait.
    escapes_acyclic: the extended graph of the escape lanes has none, if there are escape lanes.
    """

    scenario: Scenario
    safe: bool
    acyclic: bool
    escapes_acyclic: bool
    cycle: Tuple[int, ...]
    edges: np.ndarray

    @property
    def cycle_names(self) -> List[str]:
        """The lanes of the cycle in words."""
        return [self.scenario.lane_name(lane) for lane in self.cycle]


def cdg(scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]) -> Cdg:
    """Makes the graph of a scenario's network, which may deadlock only with `unsafe`. Raises ArgumentError if it is too
    large."""
    scenario, failure = scenario_of(scenario), Failure()
    found = ffi.new("struct anl_safety *")
    failure.check(c.anl_safety_of(ffi.addressof(scenario._c, "network"), found))
    try:
        return Cdg(scenario, found.is_safe, found.is_acyclic, found.escapes_are_acyclic,
                   _cycle(found.graph, failure), _edges(found.graph))
    finally:
        c.anl_safety_free(found)


def _cycle(graph: Any, failure: Failure) -> Tuple[int, ...]:
    lanes, count = ffi.new("uint32_t **"), ffi.new("size_t *")
    failure.check(c.anl_cdg_cycle(graph, lanes, count))
    cycle = tuple(lanes[0][0:count[0]]) if count[0] else ()
    free(lanes[0])
    return cycle


def _edges(graph: Any) -> np.ndarray:
    edges = np.empty((c.anl_cdg_dependencies(graph), 2), np.uint32)
    after = ffi.new("uint32_t[]", max(1, c.anl_cdg_most_after(graph)))
    seen = np.frombuffer(ffi.buffer(after), np.uint32)
    row = 0
    for lane in range(c.anl_cdg_lanes(graph)):
        count = c.anl_cdg_after(graph, lane, after)
        edges[row:row + count, 0], edges[row:row + count, 1] = lane, seen[:count]
        row += count
    return edges
