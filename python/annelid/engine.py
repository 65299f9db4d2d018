# SPDX-License-Identifier: Apache-2.0
"""The golden model, a cycle at a time (annelid/engine.h)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from .errors import error_of
from .library import Failure, Owned, c, ffi, number, text_of
from .records import FLITS, Worm, array_of, fill
from .scenario import Path, Scenario, scenario_of

_AT_ONCE = 4096  # cycles between two looks for Ctrl-C


class Engine(Owned):
    """A network of golden switches, empty and in cycle 0. Of the scenario network, switch and run.seed count.

    In each cycle: enqueue() the worms that are created in it, then step(), then flits and delivered show what happened.
    """

    def __init__(self, scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]):
        scenario = scenario_of(scenario)
        engine = ffi.new("struct anl_engine **")
        config = ffi.addressof(scenario._c, "network")
        Failure().check(c.anl_engine_create(config, engine))
        super().__init__(engine[0], c.anl_engine_destroy, scenario._c)
        self.scenario = scenario
        self._routes: Dict[int, Any] = {}
        c.anl_engine_record(engine[0], True)
        self.reset()

    def reset(self, seed: Optional[int] = None) -> None:
        """Empties the network and goes to cycle 0. seed: None is that of the scenario."""
        with self._lock:
            c.anl_engine_reset(self._get(), self.scenario._c.run.seed if seed is None else number(seed, "seed", 1 << 64))
            self._routes.clear()

    def enqueue(self, source: int, destination: int, length: int, *, class_: int = 0,
                route: Optional[Sequence[int]] = None) -> int:
        """Creates a worm of length flits in this cycle and returns its id. Raises ArgumentError if it is refused."""
        worm = ffi.new("struct anl_worm *")
        ports = fill(worm, source, destination, length, class_, route)
        with self._lock:
            made = ffi.new("uint32_t *")
            status = c.anl_engine_enqueue_worm(self._get(), worm, made)
            if status:
                raise error_of(status, f"worm from {source} to {destination}, {length} flits, class {class_}, route {route}: "
                                       f"{text_of(c.anl_status_text(status))}")
            if ports is not None:
                self._routes[made[0]] = ports
            return made[0]

    def step(self, cycles: int = 1) -> None:
        """Runs so many cycles."""
        left = number(cycles, "cycles", 1 << 64)
        with self._lock:
            engine = self._get()
            while left:
                for _ in range(min(left, _AT_ONCE)):
                    c.anl_engine_step(engine)
                left -= min(left, _AT_ONCE)

    @property
    def cycle(self) -> int:
        """The number of the cycle that the next step runs."""
        with self._lock:
            return c.anl_engine_cycle(self._get())

    @property
    def idle(self) -> bool:
        """True if no flit is in the network and no worm waits at its source."""
        with self._lock:
            return c.anl_engine_idle(self._get())

    @property
    def flits(self) -> np.ndarray:
        """The flits that crossed a link in the last step: link, worm, index, vc, head, tail; ascending by link and lane."""
        with self._lock:
            count = ffi.new("size_t *")
            return array_of(c.anl_engine_flits(self._get(), count), count[0], FLITS)

    @property
    def delivered(self) -> List[Worm]:
        """The worms that were delivered in the last step, ascending by destination."""
        with self._lock:
            count = ffi.new("size_t *")
            worms = c.anl_engine_delivered(self._get(), count)
            return [Worm.of(worms[i]) for i in range(count[0])]

    def worm(self, id: int) -> Optional[Worm]:
        """A worm that is on its way or was delivered in the last step; else None."""
        with self._lock:
            worm = c.anl_engine_worm(self._get(), number(id, "id"))
            return Worm.of(worm) if worm != ffi.NULL else None

    @property
    def totals(self) -> Dict[str, int]:
        """Totals at the start of this cycle, by the names of struct anl_engine_totals."""
        with self._lock:
            totals = c.anl_engine_totals(self._get())
            return {name: getattr(totals, name) for name, _ in ffi.typeof(totals).fields}
