# SPDX-License-Identifier: Apache-2.0
"""The golden model, a cycle at a time (annelid/engine.h)."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from .errors import ArgumentError, FormatError, error_of
from .library import Failure, Owned, c, ffi, number, text_of, version
from .records import FLITS, Worm, array_of, fill
from .scenario import Path, Scenario, is_path, keys, scenario_of

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
        self._routes: Dict[int, Any] = {}  # by id; also some of worms that are no more
        self._most_routes = 64
        self._seed = 0
        self._network = _network_of(scenario)
        c.anl_engine_record(engine[0], True)
        self.reset()

    def reset(self, seed: Optional[int] = None) -> None:
        """Empties the network and goes to cycle 0. seed: None is that of the scenario."""
        with self._lock:
            self._seed = self._kept.run.seed if seed is None else number(seed, "seed", 1 << 64)
            c.anl_engine_reset(self._get(), self._seed)
            self._routes.clear()

    def enqueue(self, source: int, destination: int, length: int, *, class_: int = 0,
                route: Optional[Sequence[int]] = None) -> int:
        """Creates a worm of length flits in this cycle and returns its id. Raises ArgumentError if it is refused."""
        worm = ffi.new("struct anl_worm *")
        ports = fill(worm, source, destination, length, class_, route)
        return self._enqueue(c.anl_engine_enqueue_worm, worm, ports)

    def _enqueue(self, how: Any, worm: Any, ports: Any) -> int:
        """Creates a worm by a function of the library. ports: its route, which must stay; or None."""
        with self._lock:
            made = ffi.new("uint32_t *")
            status = how(self._get(), worm, made)
            if status:
                route = None if ports is None else list(ports[0:worm.route_length])
                raise error_of(status, f"worm from {worm.source} to {worm.destination}, {worm.length} flits, class {worm.class_}, "
                                       f"route {route}: {text_of(c.anl_status_text(status))}")
            if ports is not None:
                if len(self._routes) >= self._most_routes:
                    self._routes = self._live_routes()
                    self._most_routes = 2 * len(self._routes) + 64
                self._routes[made[0]] = ports
            return made[0]

    def _live_routes(self) -> Dict[int, Any]:
        """The routes of worms that are known (worm())."""
        return {id: ports for id, ports in self._routes.items() if c.anl_engine_worm(self._get(), id) != ffi.NULL}

    def _data(self, worm: int, index: int, link: int, words: Any) -> None:
        """Writes the data of a flit on a link to words: of a worm that is known (worm())."""
        with self._lock:
            known = c.anl_engine_worm(self._get(), worm)
            if known != ffi.NULL:
                c.anl_flit_data(ffi.addressof(self._kept, "network"), known, index, link, words)

    def step(self, cycles: int = 1) -> None:
        """Runs so many cycles."""
        left = number(cycles, "cycles", 1 << 64)
        with self._lock:
            engine = self._get()
            while left:
                for _ in range(min(left, _AT_ONCE)):
                    c.anl_engine_step(engine)
                left -= min(left, _AT_ONCE)

    def save(self) -> bytes:
        """The state of the network between two cycles, from which load() of another engine of the same network goes on, also in
        another process with the same version of the package. flits and delivered are not in it.

        Raises ArgumentError if the switches are of another kind than buffered.
        """
        with self._lock:
            engine, pack = self._get(), ffi.gc(ffi.new("struct anl_pack *"), c.anl_pack_free)
            if self._kept.network.kind != c.ANL_BUFFERED:
                raise ArgumentError("the state of switches of another kind than buffered cannot be saved")
            for item, at in self._items():
                Failure().check(c.anl_engine_pack(engine, item, at, pack))
            if pack.failed:
                Failure().check(c.ANL_ERR_MEMORY)
            worms = [c.anl_engine_worm(engine, id) for id in self._live_routes()]
            routes = {worm.id: list(worm.route[0:worm.route_length]) for worm in worms}
            head = dict(version=version(), network=self._network, seed=self._seed, cycle=self.cycle, totals=self.totals, routes=routes)
            whole = json.dumps(head).encode() + b"\n" + ffi.buffer(pack.bytes, pack.count)[:]
            return hashlib.sha256(whole).digest() + whole

    def load(self, state: bytes) -> None:
        """Goes on from what save() has returned: what the engine holds is replaced, and its seed, too.

        Raises FormatError if the state is damaged, ArgumentError if it is that of another network or version.
        """
        state = bytes(state)
        if hashlib.sha256(state[32:]).digest() != state[:32]:
            raise FormatError(f"found {len(state)} bytes that are no state, expected those of Engine.save()")
        text, _, items = state[32:].partition(b"\n")
        head = json.loads(text)
        for name, own in (("version", version()), ("network", self._network)):
            if head[name] != own:
                raise ArgumentError(f"found the state of another {name} ({head[name]}), expected {own}")
        with self._lock:
            engine, totals, held = self._get(), ffi.new("struct anl_engine_totals *", head["totals"]), ffi.from_buffer(items)
            pack = ffi.new("struct anl_pack *", {"from": ffi.cast("uint8_t *", held), "count": len(items)})
            self._seed, routes = head["seed"], {int(id): ffi.new("uint8_t[]", ports) for id, ports in head["routes"].items()}
            c.anl_engine_resume(engine, self._seed, head["cycle"], totals, True)
            for item, at in self._items():
                Failure().check(c.anl_engine_pack(engine, item, at, pack))

            def tie(_: Any, worm: Any) -> bool:
                if worm.id in routes:
                    worm.route, worm.route_length = routes[worm.id], len(routes[worm.id])
                return True

            Failure().check(c.anl_engine_resumed(engine, ffi.callback("bool (*)(void *, struct anl_worm *)", tie), ffi.NULL))
            self._routes = routes

    def _items(self) -> Iterator[Tuple[int, int]]:
        """The items of the state: of switches, then of terminals."""
        shape = c.anl_shape_of(ffi.addressof(self._kept, "network"))
        for item, count in ((c.ANL_ITEM_SWITCH, shape.switches), (c.ANL_ITEM_SOURCE, shape.terminals), (c.ANL_ITEM_SINK, shape.terminals)):
            for at in range(count):
                yield item, at

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


def _network_of(scenario: Scenario) -> str:
    """A hash of all that decides what an engine does with the worms that it is given, but for the seed."""
    graph = scenario._c.network.graph
    said = [(key, scenario[key]) for key in keys() if key.startswith(("network.", "switch.")) and not is_path(key)]
    return hashlib.sha256(repr((said, graph != ffi.NULL and c.anl_graph_hash(graph))).encode()).hexdigest()[:16]
