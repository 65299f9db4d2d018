# SPDX-License-Identifier: Apache-2.0
"""Which signals of a design are its links: as a map says (docs/probes.md), or, of a network that `annelid rtl` has written,
without a word of the user. Nothing here knows a simulator."""

from __future__ import annotations

import json
import os
import tempfile
from collections import deque
from typing import Any, Callable, Deque, Dict, Iterable, List, Mapping, NamedTuple, Optional, Tuple, Union

from .errors import error_of
from .library import NOTHING, Failure, c, encoded, ffi, text_of
from .scenario import Path, Scenario


class Part(NamedTuple):
    """Some bits of a signal. name: from the top of the design on; None: a constant. high, low: -1 is the whole signal."""

    name: Optional[str]
    high: int = -1
    low: int = -1
    inverted: bool = False
    constant: str = ""  # its bits, the highest first


class Link(NamedTuple):
    """The signals of a link: the parts of each role, those with the highest bits first; none: the link has no such signal."""

    number: int
    valid: Tuple[Part, ...]
    vc: Tuple[Part, ...]
    flit: Tuple[Part, ...]
    back: Tuple[Part, ...]
    length: Tuple[Part, ...] = ()


class Map(NamedTuple):
    """What a map of probes says. clock, reset: their parts; reset may be empty. settings: of the scenario's file."""

    scenario: Scenario
    links_file: Optional[str]
    clock: Tuple[Part, ...]
    reset: Tuple[Part, ...]
    links: List[Link]
    has_back: bool
    has_lengths: bool


ROLES = ("valid", "vc", "flit", "back", "length")


def of_map(probes: Union[Path, Mapping[str, Any]], **settings: Any) -> Map:
    """Reads a map: a file, or a dict with its keys, whose paths are relative to the current directory. settings: values in
    place of those of its scenario. Raises FormatError, FileError, ArgumentError."""
    failure, made = Failure(), ffi.new("struct anl_probes **")
    chosen = [ffi.new("char[]", encoded(text, text)) for text in Scenario._of_settings(settings)]
    with tempfile.TemporaryDirectory() as folder:
        path: Any = probes
        if isinstance(probes, Mapping):
            whole = {key: os.path.abspath(value) if key in ("network", "links") else value for key, value in probes.items()}
            path = os.path.join(folder, "probes")
            with open(path, "w", encoding="utf-8") as out:
                json.dump(whole, out, indent=1)
        said = failure.error
        status = c.anl_probes_load(encoded(path, "probes"), ffi.new("const char *[]", chosen), len(chosen), made, said)
        if status:  # a dict has no file
            file = text_of(said.file)
            raise error_of(status, text_of(said.text), "probes" if file == path != probes else file, said.line)
    listed = ffi.gc(made[0], c.anl_probes_destroy)
    parts: Dict[Tuple[int, int], List[Part]] = {}
    count = ffi.new("size_t *")
    probe = c.anl_probes_list(listed, count)
    for one in probe[0:count[0]]:
        name = None if one.name == ffi.NULL else text_of(one.name)
        constant = "" if name else f"{one.value:0{one.width}b}"
        parts.setdefault((one.link, one.role), []).append(Part(name, one.high, one.low, one.inverted, constant))
    numbers = sorted({link for link, _ in parts if link != NOTHING})
    of = {role: getattr(c, f"ANL_PROBE_{role.upper()}") for role in ("clock", "reset", *ROLES)}
    links = [Link(number, **{role: tuple(parts.get((number, of[role]), ())) for role in ROLES}) for number in numbers]
    described = c.anl_probes_links(listed)
    return Map(Scenario(text_of(c.anl_probes_network(listed)), **settings), text_of(described) or None,
               tuple(parts.get((NOTHING, of["clock"]), ())), tuple(parts.get((NOTHING, of["reset"]), ())), links,
               bool(c.anl_probes_have_back(listed)), any(link.length for link in links))


NETWORK = "u_network"  # the instance that a written design has of its network


def _field(name: str, index: int, width: int) -> Tuple[Part, ...]:
    return (Part(name, (index + 1) * width - 1, index * width),)


def of_design(scenario: Scenario) -> List[Link]:
    """The links of a network that `annelid rtl` has written, whatever its terminals are. Scenario has its width of flits."""
    config, shape = ffi.addressof(scenario._c, "network"), scenario._shape
    vcs, wires = scenario._c.network.num_vcs, scenario._c.network.flit_width_bits + 2
    widths = {"valid": 1, "vc": max(1, (vcs - 1).bit_length()), "flit": wires, "back": vcs}

    def at(names: Dict[str, str], number: int, index: int) -> Link:
        return Link(number, **{role: _field(f"{NETWORK}.{name}", index, widths[role]) for role, name in names.items()})

    links = []
    for number in range(shape.switches * shape.ports):
        if c.anl_end_of(config, number).exists:
            switch, port = divmod(number, shape.ports)
            of = {role: f"g_switch[{switch}].out_{name}" for role, name in
                  (("valid", "valid"), ("vc", "vc"), ("flit", "flit"), ("back", "credit"))}
            down = 4 if config.topology == c.ANL_FAT_TREE else 0  # ports whose credits come in a signal of their own
            link = at(of, number, port)
            if down:
                name, index = ("down_credit", port) if port < down else ("up_credit", port - down)
                link = link._replace(back=_field(f"{NETWORK}.g_switch[{switch}].{name}", index, vcs))
            links.append(link)
    into = {"valid": "inj_valid_i", "vc": "inj_vc_i", "flit": "inj_flit_i", "back": "inj_credit_o"}
    return links + [at(into, c.anl_injection_link(config, t), t) for t in range(shape.terminals)]


def injections(scenario: Scenario) -> List[int]:
    """The numbers of the injection links, by terminal."""
    config = ffi.addressof(scenario._c, "network")
    return [c.anl_injection_link(config, t) for t in range(scenario.terminals)]


class _Worm:
    """A worm whose tail has not crossed its injection link."""

    def __init__(self) -> None:
        self.flits, self.known = 0, False

    def length(self, over: bool) -> int:
        """Its flits; if all is over, at least one is still to come."""
        return self.flits + (over and not self.known)


class Lengths:
    """Keeps back what is told in a cycle until the lengths of its worms are known. A watch wants them with the heads, and
    links show them with the tails."""

    def __init__(self, target: Any, injections: Iterable[int]):
        self._target, self._injections = target, frozenset(injections)
        self._open: Dict[Tuple[int, int], _Worm] = {}
        self._begun = False
        self._now: List[Tuple[Callable[..., None], Tuple[Any, ...], Optional[_Worm]]] = []
        self._cycles: Deque[List[Tuple[Callable[..., None], Tuple[Any, ...], Optional[_Worm]]]] = deque()

    @property
    def busy(self) -> bool:
        """Whether a worm has ever begun, or something is kept back."""
        return self._begun or bool(self._cycles)

    def put(self, tell: Callable[..., None], *what: Any) -> None:
        """Something that has nothing to do with lengths."""
        self._now.append((tell, what, None))

    def crosses(self, tell: Callable[..., None], link: int, vc: int, head: bool, tail: bool, *what: Any) -> None:
        """A flit crosses a link."""
        worm = None
        if link in self._injections:
            self._begun = True
            if head:
                self._open[link, vc] = worm = _Worm()
            if (link, vc) in self._open:
                self._open[link, vc].flits += 1
                if tail:
                    self._open.pop((link, vc)).known = True
        self._now.append((tell, what, worm))

    def cycle(self) -> bool:
        """Ends a cycle. False if something is found in one of those that are told now."""
        self._cycles.append(self._now)
        self._now = []
        return self._flush(False)

    def end(self) -> bool:
        """Tells all that is kept back. Nothing comes behind it."""
        return self._flush(True)

    def _flush(self, over: bool) -> bool:
        good = True
        while self._cycles and (over or all(worm is None or worm.known for _, _, worm in self._cycles[0])):
            for tell, what, worm in self._cycles.popleft():
                tell(*what, *([] if worm is None else [worm.length(over)]))
            good = self._target.cycle() and good
        return good
