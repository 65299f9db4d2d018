# SPDX-License-Identifier: Apache-2.0
"""The golden model beside a simulation of a design that `annelid rtl` has written: each flit on each link is compared with
the one that the model has there. It knows no simulator; annelid.cocotb tells it what cocotb sees."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from .engine import Engine
from .errors import ArgumentError
from .library import c, ffi, number
from .scenario import Path, Scenario, scenario_of

# Policies that go by what a head has besides its destination, which flits here do not bring into the model.
_UNKNOWN = {"arbiter": ("age", "farthest"), "routing": ("source", "valiant", "up_down_fixed", "up_down_random")}


class Difference(NamedTuple):
    """The first flit that is not that of the golden model. expected, seen: (lane, head, tail, worm, index) or None for no flit;
    of what was seen worm and index are None if nobody knows them. text: one line."""

    cycle: int
    link: int
    link_name: str
    expected: Optional[Tuple[Any, ...]]
    seen: Optional[Tuple[Any, ...]]
    text: str


class Beside:
    """The golden model beside links that a program tells, cycle by cycle.

    In each cycle: flit() for each link that a flit crosses, with the length of its worm at the head on an injection link; then
    cycle(). A worm is created in the model in the cycle in which its head crosses the injection link. So whoever sends must
    send a worm without gaps as soon as there are credits, in the lane that the model's source takes; the terminals of
    `annelid rtl` do so if their streams have no gaps.

    Raises ArgumentError if the policies go by what heads have besides a destination.
    """

    def __init__(self, scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]):
        self.scenario = scenario = scenario_of(scenario)
        for key, values in _UNKNOWN.items():
            if scenario[key] in values:
                raise ArgumentError(f"the model cannot run beside a design with {key} {scenario[key]}")
        self.engine, self.width = Engine(scenario), scenario._c.network.flit_width_bits + 2
        self._links, self._vcs = scenario.links, scenario._c.network.num_vcs
        self._config = ffi.addressof(scenario._c, "network")
        self._labels = {c.anl_label(self._config, t): t for t in range(scenario.terminals)}
        self._sources = {c.anl_injection_link(self._config, t): t for t in range(scenario.terminals)}
        self._ejections = {link for link in range(self._links) if c.anl_end_of(self._config, link).is_terminal}
        self._label = (1 << c.anl_label_bits(self._config)) - 1
        self._seen: Dict[int, Tuple[int, int]] = {}        # by link: lane and flit
        self._data: Dict[Tuple[int, int], int] = {}        # of flits under way, by worm and index
        self._new: List[Tuple[int, int, int, int]] = []    # terminal, destination, length, class
        self.difference: Optional[Difference] = None

    def flit(self, link: int, vc: int, flit: int, *, length: int = 0) -> None:
        """A flit crosses a link in this cycle: its lane, and its bits {head, tail, data}; length counts with a head on an
        injection link."""
        link, vc = number(link, "link", self._links), number(vc, "vc", self._vcs)
        flit = number(flit, "flit", 1 << self.width)
        source = self._sources.get(link)
        if source is not None and flit >> self.width - 1:
            destination = self._labels.get(flit & self._label)
            if destination is None:
                raise ArgumentError(f"link {self.scenario.link_name(link)}: found the label {flit & self._label} in a head, which no "
                                    "terminal has")
            self._new.append((source, destination, number(length, "length"), c.anl_class_of(self._config, vc)))
        self._seen[link] = vc, flit

    def credits(self, link: int, lanes: int) -> None:
        """Credits are not compared."""

    def cycle(self) -> bool:
        """Ends this cycle. False if it has the first difference. What is told behind that is ignored."""
        seen, new, self._seen, self._new = self._seen, self._new, {}, []
        if self.difference:
            return True
        for source, destination, length, class_ in new:
            self.engine.enqueue(source, destination, length, class_=class_)
        self.engine.step()
        expected = {flit[0]: flit[1:] for flit in self.engine.flits.tolist()}
        for link in sorted(seen.keys() | expected.keys()):
            if not self._is_same(link, expected.get(link), seen.get(link)):
                self._tell(link, expected.get(link), seen.get(link))
                return False
        return True

    def end(self) -> bool:
        """True if there was no difference."""
        return self.difference is None

    @property
    def expected(self) -> np.ndarray:
        """The flits of the golden model in the cycle before: link, worm, index, vc, head, tail; ascending by link."""
        return self.engine.flits

    @property
    def now(self) -> int:
        """The number of the cycle that is told now."""
        return self.engine.cycle

    def _is_same(self, link: int, expected: Optional[Tuple[Any, ...]], seen: Optional[Tuple[int, int]]) -> bool:
        if expected is None or seen is None:
            return False
        worm, index, vc, head, tail = expected
        if link in self._sources:
            self._data[worm, index] = seen[1]
        same = self._data.get((worm, index)) == seen[1]
        if link in self._ejections:
            self._data.pop((worm, index), None)
        return same and (seen[0], *self._marks(seen[1])) == (vc, head, tail)

    def _marks(self, flit: int) -> Tuple[bool, bool]:
        """Whether a flit is a head, and whether it is a tail."""
        return bool(flit >> self.width - 1), bool(flit >> self.width - 2 & 1)

    def _tell(self, link: int, expected: Optional[Tuple[Any, ...]], seen: Optional[Tuple[int, int]]) -> None:
        known = {flit: name for name, flit in self._data.items()}
        name = self.scenario.link_name(link)
        model = actual = None
        if expected:
            worm, index, vc, head, tail = expected
            model = vc, head, tail, worm, index
        if seen:
            actual = seen[0], *self._marks(seen[1]), *known.get(seen[1], (None, None))
        cycle = self.engine.cycle - 1
        source = " (a source that does not send as the model's)" if link in self._sources else ""
        text = f"cycle {cycle}, link {name}: expected {_words(model)}, seen {_words(actual)}{source}"
        self.difference = Difference(cycle, link, name, model, actual, text)


def _words(flit: Optional[Tuple[Any, ...]]) -> str:
    if flit is None:
        return "no flit"
    vc, head, tail, worm, index = flit
    marks = "".join([", head" if head else "", ", tail" if tail else ""])
    return f"{'an unknown flit' if worm is None else f'flit {index} of worm {worm}'} in lane {vc}{marks}"
