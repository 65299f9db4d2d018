# SPDX-License-Identifier: Apache-2.0
"""Who waits for whom, and why (docs/worms.md)."""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple, Union

from .errors import ArgumentError
from .library import NEVER, NOTHING, Failure, Owned, c, ffi, free, number, text_of
from .records import Worm
from .scenario import Path, Scenario, scenario_of
from .traffic import Calls, Traffic


class Life(NamedTuple):
    """A worm and what it does in this cycle.

    wait: "moving", "no_credit", …. buffer: where its leading flit is, in words. text: what that one does, in words.
    links: that its head has crossed. injected, delivered: cycles; None: not yet. cycles: how long it did what.
    root_blocker: the worm that moves at the end of its chain; None: none does. delays: cycles by root blocker.
    """

    worm: Worm
    wait: str
    buffer: str
    text: str
    links: int
    injected: Optional[int]
    delivered: Optional[int]
    cycles: Dict[str, int]
    root_blocker: Optional[int]
    delays: Dict[int, int]


class Line(NamedTuple):
    """A line of a chain or of a deadlock. worm: None if it is a remark, or the buffer is empty."""

    worm: Optional[int]
    wait: str
    since: int
    text: str


class Blocking(Owned):
    """The blocking analysis at one cycle of a run.

    cycle: that is looked at. deadlocked: the cycle in which a deadlock closed; None: none up to here.
    """

    def __init__(self, scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]):
        scenario = scenario_of(scenario)
        blocking = ffi.new("struct anl_blocking **")
        config = ffi.addressof(scenario._c, "network")
        unknown = c.anl_blocking_unknown(config)
        if unknown != ffi.NULL:
            raise ArgumentError(f"the blocking analysis does not know {text_of(unknown)}")
        Failure().check(c.anl_blocking_create(config, ffi.NULL, blocking))
        super().__init__(blocking[0], c.anl_blocking_destroy, scenario._c)
        self.scenario = scenario

    @property
    def cycle(self) -> int:
        with self._lock:
            return c.anl_blocking_cycle(self._get())

    @property
    def deadlocked(self) -> Optional[int]:
        with self._lock:
            return _known(c.anl_blocking_deadlocked(self._get()), NEVER)

    @property
    def circle(self) -> Tuple[int, ...]:
        """The worms of the deadlock, each held by the next one, the last by the first."""
        with self._lock:
            count = ffi.new("size_t *")
            worms = c.anl_blocking_circle(self._get(), count)
            return tuple(worms[0:count[0]]) if count[0] else ()

    @property
    def dead(self) -> Tuple[int, ...]:
        """The worms that can never move again, ascending."""
        with self._lock:
            worms, count = ffi.new("uint32_t **"), ffi.new("size_t *")
            Failure().check(c.anl_blocking_dead(self._get(), worms, count))
            dead = tuple(worms[0][0:count[0]]) if count[0] else ()
            free(worms[0])
            return dead

    @property
    def deadlock(self) -> List[Line]:
        """The deadlock in words, each worm held by the next one; empty if there is none."""
        return self._told(lambda told: c.anl_blocking_tell_deadlock(self._get(), told, ffi.NULL))

    def chain(self, worm: int) -> List[Line]:
        """Who holds the worm, who holds that one, and so on; empty if the worm is not under way."""
        def tell(told: Any) -> None:
            buffer = c.anl_blocking_leading(self._get(), number(worm, "worm"))
            if buffer != NOTHING:
                c.anl_blocking_tell_chain(self._get(), buffer, told, ffi.NULL)
        return self._told(tell)

    def worms(self) -> List[Life]:
        """The worms that were under way at the start of the cycle, ascending by id."""
        with self._lock:
            ids: List[int] = []
            visit = ffi.callback("void (*)(void *, uint32_t)", lambda _, worm: ids.append(worm))
            c.anl_blocking_worms(self._get(), visit, ffi.NULL)
            return [life for life in map(self.worm, sorted(ids)) if life]

    def worm(self, id: int) -> Optional[Life]:
        """What is known of a worm; None if it is not under way."""
        with self._lock:
            life = ffi.new("struct anl_life *")
            if not c.anl_blocking_life(self._get(), number(id, "id"), life):
                return None
            cycles = {text_of(c.anl_wait_name(wait)): life.cycles[wait] for wait in range(c.ANL_WAITS)}
            delays = {life.delays[i].by: life.delays[i].cycles for i in range(life.num_delays)}
            root = c.anl_blocking_root_blocker(self._get(), life.buffer)
            return Life(Worm.of(life.worm), text_of(c.anl_wait_name(life.wait)), *self._words(life.buffer), life.links,
                        _known(life.injected, NEVER), _known(life.delivered, NEVER), cycles, _known(root, NOTHING), delays)

    def _words(self, buffer: int) -> Tuple[str, str]:
        """The name of a buffer, and what it does."""
        name, does = ffi.new("char[128]"), ffi.new("char[512]")
        c.anl_buffer_name(c.anl_blocking_config(self._get()), buffer, name, len(name))
        c.anl_blocking_text(self._get(), buffer, does, len(does))
        return text_of(name), text_of(does)

    def _told(self, tell: Any) -> List[Line]:
        lines: List[Line] = []

        def told(_: Any, line: Any) -> None:
            lines.append(Line(_known(line.worm, NOTHING), text_of(c.anl_wait_name(line.wait)), line.since,
                              text_of(line.text)))

        with self._lock:
            tell(ffi.callback("void (*)(void *, const struct anl_chain_line *)", told))
        return lines

    def __repr__(self) -> str:
        return f"<Blocking: cycle {self.cycle}" + (f", deadlock since {self.deadlocked}>" if self.deadlocked else ">")


def _known(value: int, nothing: int) -> Optional[int]:
    return None if value == nothing else value


def worms(scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]], at: Union[int, str, None] = None, *,
          traffic: Optional[Traffic] = None) -> Blocking:
    """Runs a scenario up to the end of cycle `at`, and returns who waits for whom then.

    at: None is the end of the run; "deadlock" the cycle in which a deadlock closes, the end if there is none. traffic:
    worms of your own; with "deadlock" it must create the same worms twice.
    """
    scenario = scenario_of(scenario)
    if at is None or at == "deadlock":
        blocking = _run(scenario, traffic)
        closed = blocking.deadlocked
        if at is None or closed is None:
            return blocking
        blocking.close()
        at = closed
    elif isinstance(at, str):
        raise ValueError(f'at: found "{at}", expected a cycle or "deadlock"')
    return _run(scenario, traffic, number(at, "at", NEVER) + 1)


def _run(scenario: Scenario, traffic: Optional[Traffic], cycles: Optional[int] = None) -> Blocking:
    """The analysis behind so many cycles of the run, or all of them."""
    calls, blocking = Calls(traffic), Blocking(scenario)
    options, shorter = ffi.new("struct anl_run_options *"), ffi.new("struct anl_scenario *", scenario._c[0])
    options.blocking = blocking._get()
    if cycles is not None:
        shorter.run.max_cycles = min(cycles, shorter.run.max_cycles)
    calls.watch(options, 4096, lambda _: True)
    calls.run(shorter, options)
    return blocking
