# SPDX-License-Identifier: Apache-2.0
"""The golden model beside a simulation of a design that `annelid rtl` has written: each flit on each link is compared with
the one that the model has there. It knows no simulator; annelid.cocotb tells it what cocotb sees."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from .engine import Engine
from .errors import ArgumentError
from .library import c, ffi, number, text_of
from .scenario import Path, Scenario, scenario_of


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

    In each cycle: flit() for each link that a flit crosses, with the length of its worm at the head on an injection link unless
    the head has it; then cycle(). A worm is created in the model in the cycle in which its head crosses the injection link. So whoever sends must
    send a worm without gaps as soon as there are credits, in the lane that the model's source takes; the terminals of
    `annelid rtl` do so if their streams have no gaps. What else a head has (docs/link.md) is read from it: the stamp, the path
    and the route of its worm are those of the model's, and a length or a distance must be true.

    Raises ArgumentError if several flits can cross a link in a cycle (wide links).
    """

    def __init__(self, scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]):
        self.scenario = scenario = scenario_of(scenario)
        self._config = config = ffi.addressof(scenario._c, "network")
        if c.anl_link_flits(config) > 1:
            raise ArgumentError("found wide links, expected shared ones: one flit of each link is compared in a cycle")
        self.engine, self.width = Engine(scenario), scenario._c.network.flit_width_bits + 2
        self._links, self._vcs = scenario.links, scenario._c.network.num_vcs
        self._sources = {c.anl_injection_link(config, t): t for t in range(scenario.terminals)}
        self._ejections = {link for link in range(self._links) if c.anl_end_of(config, link).is_terminal}
        self._fields = (1 << c.anl_head_bits(config)) - 1  # the bits that are not the user's
        self._flit = ffi.new("uint32_t[]", c.ANL_WIRE_WORDS)
        self._bytes = ffi.buffer(self._flit)
        self._longest = config.graph.longest_route if config.graph != ffi.NULL else 0
        self._stamped = bool(c.anl_arbiter_has(config.arbiter, c.ANL_ARBITER_STAMPS))
        self._seen: Dict[int, Tuple[int, int]] = {}        # by link: lane and flit
        self._data: Dict[Tuple[int, int], int] = {}        # of flits under way, by worm and index
        self._new: List[Tuple[Any, Any]] = []              # worms of heads that enter, and their routes
        self.difference: Optional[Difference] = None

    def flit(self, link: int, vc: int, flit: int, *, length: int = 0) -> None:
        """A flit crosses a link in this cycle: its lane, and its bits {head, tail, data}; length counts with a head on an
        injection link: the flits of its worm, 0 if the head has its length."""
        link, vc = number(link, "link", self._links), number(vc, "vc", self._vcs)
        flit = number(flit, "flit", 1 << self.width)
        source = self._sources.get(link)
        if source is not None and flit >> self.width - 1:
            self._new.append(self._head(link, source, vc, flit, number(length, "length", 1 << 16)))
        self._seen[link] = vc, flit

    def _head(self, link: int, source: int, vc: int, flit: int, length: int) -> Tuple[Any, Any]:
        """The worm of a head that enters, and its route."""
        worm, ports = ffi.new("struct anl_worm *", {"source": source}), ffi.new("uint8_t[]", self._longest)
        self._bytes[:] = flit.to_bytes(len(self._bytes), "little")
        wrong = text_of(c.anl_head_read(self._config, self._flit, vc, ports, worm))
        if not wrong and length and worm.length not in (0, length):
            wrong = f"expected the length of its worm, {length}"
        if wrong:
            raise ArgumentError(f"link {self.scenario.link_name(link)}: found a head with the fields {flit & self._fields:#x}, {wrong}")
        worm.length = worm.length or length
        if not self._stamped:
            worm.created = self.engine.cycle
        return worm, ports if worm.route_length else None

    def credits(self, link: int, lanes: int) -> None:
        """Credits are not compared."""

    def cycle(self) -> bool:
        """Ends this cycle. False if it has the first difference. What is told behind that is ignored."""
        seen, new, self._seen, self._new = self._seen, self._new, {}, []
        if self.difference:
            return True
        for worm, route in new:
            self.engine._enqueue(c.anl_engine_enqueue_created, worm, route)
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
        same = self._flit_of(worm, index, link) == seen[1]
        if link in self._ejections:
            self._data.pop((worm, index), None)
        return same and (seen[0], *self._marks(seen[1])) == (vc, head, tail)

    def _flit_of(self, worm: int, index: int, link: int) -> Optional[int]:
        """A flit as it has entered, but for the fields of a head, some of which are others on each link."""
        flit = self._data.get((worm, index))
        if index or flit is None:
            return flit
        self.engine._data(worm, index, link, self._flit)
        return flit & ~self._fields | int.from_bytes(self._bytes, "little") & self._fields

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
