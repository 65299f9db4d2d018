# SPDX-License-Identifier: Apache-2.0
"""Worms of your own in a run (docs/own_traffic.md), and functions of Python that the library calls."""

from __future__ import annotations

import hashlib
from typing import Any, Callable, List, Optional, Sequence

from .errors import Error
from .library import NEVER, Failure, c, ffi, number
from .records import ROLES, Worm, fill
from .scenario import Scenario


class Traffic:
    """The worms of a run. Derive a class from it that has create(), and what else it needs.

    Each function returns the cycle in which create() is to be asked at the latest, or None if it does not matter; it is
    asked in the earliest of these cycles, at first in cycle 0. When it is to be asked in no cycle and all worms are
    delivered, the run is over.

    open_loop: True: the worms are an offered load in cycles 0 … run.cycles - 1, and saturation is judged.
    longest: flits of the longest worm; 0: as long as the network allows.
    scenario: that of the run, if sweep() has made the object.

    A run with a checkpoint needs state() and resume(), too.
    """

    open_loop: bool = False
    longest: int = 0
    scenario: Optional[Scenario] = None

    def __init__(self, scenario: Optional[Scenario] = None):
        self.scenario = scenario

    def create(self, cycle: int, emit: "Emit") -> Optional[int]:
        """Hands the worms that are created in the cycle to emit(). Returns a cycle after this one."""
        raise NotImplementedError

    def delivered(self, cycle: int, worms: Sequence[Worm]) -> Optional[int]:
        """Is told the worms whose tails crossed an ejection link in the cycle. Returns a cycle after this one."""

    def taken(self, cycle: int, worms: Sequence[Worm]) -> Optional[int]:
        """Where terminals can refuse: is told the worms whose tails they take in the cycle to come, before create()."""

    def state(self) -> bytes:
        """Returns all that decides what the object will do. It is called between two cycles, for a checkpoint."""
        raise NotImplementedError

    def resume(self, state: bytes) -> None:
        """Goes on from what state() of another such object has returned. It is called before the first cycle of the run."""
        raise NotImplementedError


def checked(traffic: Any) -> Traffic:
    """The traffic, which must be one."""
    if not isinstance(traffic, Traffic):
        raise TypeError(f"traffic: found {traffic!r}, expected an object of a class derived from annelid.Traffic")
    return traffic


class Emit:
    """Takes the worms of one call of create()."""

    def __init__(self, emit: Any, routes: List[Any]):
        self._emit: Optional[Any] = emit
        self._routes = routes  # which must stay until the run is over

    def __call__(self, source: int, destination: int, length: int, *, class_: int = 0, role: str = "plain",
                 path: Optional[int] = None, route: Optional[Sequence[int]] = None) -> None:
        """Creates a worm of length flits from terminal source to terminal destination. The n-th worm has the number n.

        Raises Error if it is refused; the run then ends with the message of the library.
        """
        if self._emit is None:
            raise Error("emit: found a call outside of create(), expected one inside")
        worm = ffi.new("struct anl_new_worm *")
        ports = fill(worm, source, destination, length, class_, route)
        if role not in ROLES:
            raise ValueError(f"role: found {role!r}, expected one of {', '.join(ROLES)}")
        worm.role = ROLES.index(role)
        if path is not None:
            worm.path, worm.has_path = number(path, "path"), True
        if ports is not None:
            self._routes.append(ports)
        if not c.anl_emit_worm(self._emit, worm):
            raise _Refused


class _Refused(Error):
    """The library has refused a worm, and ends the run with its own message."""

    def __init__(self) -> None:
        super().__init__("the worm is refused")


class Calls:
    """The functions of Python that one run calls. The first exception of any of them ends the run; end() raises it."""

    def __init__(self, traffic: Optional[Traffic] = None):
        self.raised: Optional[BaseException] = None
        self.torn = False  # the state of traffic is that within a cycle
        self._kept: List[Any] = []
        self.c: Any = ffi.NULL
        if traffic is not None:
            self.c, self.kind = self._table(checked(traffic)), f"{type(traffic).__module__}.{type(traffic).__qualname__}"

    def callback(self, kind: str, function: Callable[..., Any], failed: Any, tears: bool = True) -> Any:
        """A function for the library, which returns `failed` once something was raised. tears: it is called within a cycle."""
        return self._callback(kind, lambda *given: failed if self.raised else function(*given), failed, tears)

    def _callback(self, kind: str, function: Callable[..., Any], failed: Any, tears: bool) -> Any:
        def note(_: Any, error: BaseException, __: Any) -> None:
            self.raised = self.raised or error  # Ctrl-C, too: end() raises it, where Python is again
            self.torn = self.torn or tears

        made = ffi.callback(kind, function, failed, note)
        self._kept.append(made)
        return made

    def _table(self, traffic: Traffic) -> Any:
        worms_told = "uint64_t (*)(void *, uint64_t, const struct anl_worm *, size_t)"
        table = ffi.new("struct anl_own_traffic *", {"open_loop": bool(traffic.open_loop),
                                                     "longest": number(traffic.longest, "longest", 1 << 16)})
        table.create = self.callback("uint64_t (*)(void *, uint64_t, struct anl_emit *)", self._asked(traffic.create), NEVER)
        for name in ("delivered", "taken"):
            if getattr(type(traffic), name) is not getattr(Traffic, name):
                setattr(table, name, self.callback(worms_told, self._told(getattr(traffic, name)), NEVER))
        if type(traffic).state is not Traffic.state:
            table.pack = self._callback("void (*)(void *, struct anl_pack *)", self._packed(traffic), None, True)
        self._kept.append(table)
        return table

    def _packed(self, traffic: Traffic) -> Callable[..., None]:
        """Packs or unpacks the state of traffic, behind its length. A progress that has raised something leaves it whole."""
        def packed(_: Any, pack: Any) -> None:
            try:
                if not c.anl_pack_expect(pack, not self.torn):
                    return
                length = ffi.new("uint64_t *")
                if getattr(pack, "from") == ffi.NULL:
                    state = bytes(traffic.state())
                    length[0] = len(state)
                    c.anl_pack_number(pack, length, 8)
                    c.anl_pack_bytes(pack, ffi.from_buffer(state), len(state))
                    return
                c.anl_pack_number(pack, length, 8)
                if c.anl_pack_expect(pack, length[0] <= pack.count):
                    room = bytearray(length[0])
                    c.anl_pack_bytes(pack, ffi.from_buffer(room), len(room))
                    traffic.resume(bytes(room))
            except BaseException:
                c.anl_pack_expect(pack, False)
                raise
        return packed

    def _asked(self, function: Callable[[int, Emit], Optional[int]]) -> Callable[..., int]:
        def asked(_: Any, cycle: int, emit: Any) -> int:
            given = Emit(emit, self._kept)
            try:
                return _cycle(function(cycle, given))
            except _Refused:
                return NEVER  # the library knows better why
            except BaseException:
                c.anl_emit_error(emit, b"create() has raised an exception")
                raise
            finally:
                given._emit = None
        return asked

    @staticmethod
    def _told(function: Callable[[int, List[Worm]], Optional[int]]) -> Callable[..., int]:
        def told(_: Any, cycle: int, worms: Any, count: int) -> int:
            return _cycle(function(cycle, [Worm.of(worms[i]) for i in range(count)]))
        return told

    def watch(self, options: Any, cycles: int, look: Callable[[Any], bool]) -> None:
        """Lets a run call a function with its engine every so many cycles; False stops it. Ctrl-C is noticed there, too."""
        options.progress_cycles = cycles
        options.progress = self.callback("bool (*)(void *, const struct anl_engine *)", lambda _, engine: look(engine), False,
                                         tears=False)

    def question(self, scenario: int) -> int:
        """The hash of all that decides the run, of which that of its scenario is given: of own worms their class, too."""
        if self.c == ffi.NULL:
            return scenario
        return int.from_bytes(hashlib.sha256(f"{scenario:016x} {self.kind}".encode()).digest()[:8], "little")

    def run(self, scenario: Any, options: Any) -> Any:
        """Makes a run. Returns its result, or raises what a function has raised, or why the run is refused."""
        failure, result = Failure(), ffi.new("struct anl_run_result *")
        options.traffic = self.c
        status = c.anl_run(scenario, options, result, failure.error)
        self.end()
        failure.check(status)
        return result

    def end(self) -> None:
        """Raises what a function has raised in the run."""
        if self.raised:
            raised, self.raised = self.raised, None
            raise raised

    def forget(self) -> None:
        """Nothing of the run is called any more."""
        self._kept.clear()


def _cycle(value: Optional[int]) -> int:
    """A cycle as the library takes it."""
    return NEVER if value is None else number(value, "cycle", 1 << 64)
