# SPDX-License-Identifier: Apache-2.0
"""The watch, and the golden model, beside a design that cocotb simulates, by VPI (docs/cocotb.md).

Signals are found by their names and read when the clock rises, before registers take anything: so every link is seen as the
register at its end sees it. It works with cocotb 1.9 and 2.
"""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from .beside import Beside
from .errors import ArgumentError, Error, Missing
from .library import c, ffi
from .probes import NETWORK, Lengths, Link, Map, Part, injections, of_design, of_map
from .scenario import Path, Scenario, scenario_of
from .watch import Finding, Watch

try:
    import cocotb
    from cocotb.triggers import RisingEdge
except ImportError as missing:
    raise Missing('annelid.cocotb needs cocotb; expected: pip install "annelid[cocotb]"', "cocotb") from missing

CLOCKS = ("clk_i", "aclk", "clk", "clock")
RESETS = ("rst_i", "aresetn", "rst", "rst_n", "reset")  # an n at the end is active low


class Broken(AssertionError):
    """Something was found, and the test is to end. finding: what it was (annelid.Finding or annelid.Difference)."""

    def __init__(self, finding: Any, text: str):
        super().__init__(text)
        self.finding = finding


# --- signals ---

class _Signal:
    """A signal of the design, read at most once in a cycle."""

    def __init__(self, raw: Any, name: str):
        self.raw, self.name, self._stamp, self._text = raw, name, -1, ""
        bounds = raw.get_range()
        self.bits = raw.get_num_elems() if raw.get_num_elems() > 0 else 1
        self.left: int = bounds[0] if bounds else self.bits - 1
        self.right: int = bounds[1] if bounds else 0

    def text(self, stamp: int) -> str:
        """Its bits, the leftmost one first."""
        if self._stamp != stamp:
            self._text, self._stamp = self.raw.get_signal_val_binstr(), stamp
        return self._text


class _Constant:
    """Bits that do not change."""

    def __init__(self, bits: str):
        self.bits, self._text, self.name = len(bits), bits, bits

    def text(self, _: int) -> str:
        return self._text


class _Joined:
    """Several parts, one behind the other."""

    def __init__(self, parts: List["_Bits"], inverted: List[bool]):
        self.parts = list(zip(parts, inverted))
        self.bits = sum(part.count for part in parts)
        self.name = ", ".join(part.source.name for part in parts)

    def text(self, stamp: int) -> str:
        return "".join(part.text(stamp).translate(_OTHER) if inverted else part.text(stamp) for part, inverted in self.parts)


_OTHER = str.maketrans("01", "10")
_KNOWN = str.maketrans("xXzZuUwW-", "000000000")


class _Bits:
    """Some bits of something, from the leftmost one on."""

    __slots__ = ("source", "first", "count")

    def __init__(self, source: Any, first: int, count: int):
        self.source, self.first, self.count = source, first, count

    def text(self, stamp: int) -> str:
        return self.source.text(stamp)[self.first:self.first + self.count]


class _Signals:
    """The signals of a design, by name."""

    def __init__(self, dut: Any):
        self._dut, self._top = dut, _top_of(dut)
        self._found: Dict[str, Optional[_Signal]] = {}

    def raw(self, name: str) -> Any:
        """What VPI has under a name: from the top of the simulation on, or from the design on; None: nothing."""
        first, _, rest = name.partition(".")
        places = [(self._top, rest)] if rest and first == self._top._name else []
        for at, path in [*places, (self._dut, name)]:
            scope, point, last = path.rpartition(".")
            verilated = scope.replace("[", "__BRA__").replace("]", "__KET__") + point + last
            for one in dict.fromkeys((path, verilated)):
                found = at._handle.get_handle_by_name(one)
                if found is not None:
                    return found
        return None

    def signal(self, name: str) -> Optional[_Signal]:
        if name not in self._found:
            raw = self.raw(name)
            self._found[name] = None if raw is None else _Signal(raw, name)
        return self._found[name]

    def _bits(self, part: Part) -> _Bits:
        if part.name is None:
            return _Bits(_Constant(part.constant), 0, len(part.constant))
        if part.high >= 0 and part.high == part.low:
            element = self.signal(f"{part.name}[{part.high}]")
            if element:
                return _Bits(element, 0, element.bits)
        signal = self.signal(part.name)
        if signal is None:
            raise Error(f"found no signal {part.name} in {self._dut._path}; a simulator that shows only some of them must be "
                        "told to show it (docs/cocotb.md)")
        if part.high < 0:
            return _Bits(signal, 0, signal.bits)
        least, most = sorted((signal.left, signal.right))
        if part.low < least or part.high > most:
            raise Error(f"{part.name}: found bits {part.high} to {part.low}, expected those of {signal.left} to {signal.right}")
        ends = sorted((abs(signal.left - part.high), abs(signal.left - part.low)))
        return _Bits(signal, ends[0], ends[1] - ends[0] + 1)

    def bits(self, parts: Tuple[Part, ...], wanted: int, what: str) -> Optional[_Bits]:
        """The bits of a role. wanted: how many there must be; 0: any number."""
        if not parts:
            return None
        each = [self._bits(part) for part in parts]
        whole = each[0]
        if len(each) > 1 or parts[0].inverted:
            joined = _Joined(each, [part.inverted for part in parts])
            whole = _Bits(joined, 0, joined.bits)
        if wanted and whole.count != wanted:
            raise Error(f"{what}: found {whole.count} bits ({whole.source.name}), expected {wanted}")
        return whole


def _top_of(dut: Any) -> Any:
    top = getattr(cocotb, "top", None)
    return dut if top is None else top


def _handle(dut: Any, name: str) -> Any:
    """The handle of cocotb for a name, on which triggers wait."""
    first, _, rest = name.partition(".")
    at, path = (_top_of(dut), rest) if rest and first == _top_of(dut)._name else (dut, name)
    for step in path.split("."):
        base, _, index = step.partition("[")
        at = getattr(at, base)
        for one in filter(None, index.replace("]", "").split("[")):
            at = at[int(one)]
    return at


def _first(dut: Any, names: Iterable[str], what: str) -> str:
    for name in names:
        if dut._handle.get_handle_by_name(name) is not None:
            return name
    raise Error(f"found no {what} in {dut._path}, expected one of {', '.join(names)}, or {what}=")


# --- links ---

class _Wires:
    """The wires of a link."""

    __slots__ = ("number", "name", "valid", "vc", "flit", "back", "length", "into", "idle", "last")
    valid: Any
    vc: Any
    flit: Any
    back: Any
    length: Any

    def __init__(self, signals: _Signals, link: Link, watch: Any, widths: Dict[str, int], into: bool):
        self.number, self.name, self.into = link.number, watch.scenario.link_name(link.number), into
        for role in ("valid", "vc", "flit", "back", "length"):
            setattr(self, role, signals.bits(getattr(link, role), widths[role], f"{role} of {self.name}"))
        self.idle, self.last = False, ""  # what was told in the cycle before

    def number_of(self, role: str, stamp: int, cycle: int) -> int:
        """The value of a role, which must be known."""
        bits = getattr(self, role)
        return 0 if bits is None else self.known(role, bits.text(stamp), cycle)

    def known(self, role: str, text: str, cycle: int) -> int:
        """The value of bits of a role, which must be known."""
        try:
            return int(text, 2)
        except ValueError:
            raise Error(f"{role} of {self.name}: found {text} in cycle {cycle}, expected 0 and 1") from None

    def data(self, stamp: int) -> str:
        """The wires of a flit; what is not known, as 0."""
        return self.flit.text(stamp).translate(_KNOWN)


def _groups(links: List[_Wires], role: str) -> List[Tuple[Any, List[_Wires]]]:
    """The links by the signal that has a role of them."""
    groups: Dict[int, Tuple[Any, List[_Wires]]] = {}
    for link in links:
        bits = getattr(link, role)
        if bits is not None:
            groups.setdefault(id(bits.source), (bits.source, []))[1].append(link)
    return list(groups.values())


class _Ours:
    """Tells flits and credits of links of ours."""

    def __init__(self, links: List[_Wires], target: Any, late: Optional[Lengths]):
        self.target, self.late = target, late
        self.valid, self.back = _groups(links, "valid"), _groups(links, "back")

    def sample(self, stamp: int, cycle: int) -> None:
        for source, links in self.valid:
            if source.text(stamp).strip("0"):
                for link in links:
                    if link.number_of("valid", stamp, cycle):
                        self.cross(link, stamp, cycle)
        for source, links in self.back:
            if source.text(stamp).strip("0"):
                for link in links:
                    lanes = link.number_of("back", stamp, cycle)
                    if lanes:
                        put(self.late, self.target.credits, link.number, lanes)

    def cross(self, link: _Wires, stamp: int, cycle: int) -> None:
        data, vc = link.data(stamp), link.number_of("vc", stamp, cycle)
        length = link.number_of("length", stamp, cycle) if link.length and link.into and data[0] == "1" else 0
        if self.late:
            self.late.crosses(self.flit, link.number, vc, data[0] == "1", data[1] == "1", link.number, vc, int(data, 2))
        else:
            self.flit(link.number, vc, int(data, 2), length)

    def flit(self, link: int, vc: int, flit: int, length: int = 0) -> None:
        self.target.flit(link, vc, flit, length=length)


class _Described:
    """Tells all wires of links of another style, but of those that are idle as in the cycle before."""

    def __init__(self, links: List[_Wires], watch: Watch, late: Optional[Lengths]):
        self.watch, self.late, self.links = watch, late, links
        self.asks = watch.style in ("ready_valid", "ready_valid_per_lane")  # back counts with a flit alone
        self.stops = watch.style == "stop_go"
        self.pulses = watch.style == "credit_pulse_shared"  # back is {pulse, lane}, and the lane counts with a pulse alone

    def sample(self, stamp: int, cycle: int) -> None:
        for link in self.links:
            valid = link.number_of("valid", stamp, cycle)
            if not valid and self.asks:
                if not link.idle:
                    put(self.late, self.watch.wires, link.number, False)
                    link.idle = True
                continue
            back = link.back.text(stamp) if link.back else "0"
            if self.pulses and back[0] == "0":
                back = "0" * len(back)
            if not valid and link.idle and back == link.last and (self.stops or not back.strip("0")):
                continue
            link.idle, link.last = not valid, back
            self.tell(link, bool(valid), link.known("back", back, cycle), stamp, cycle)

    def tell(self, link: _Wires, valid: bool, back: int, stamp: int, cycle: int) -> None:
        if not valid:
            put(self.late, self.watch.wires, link.number, False, 0, 0, back)
            return
        data, vc = link.data(stamp), link.number_of("vc", stamp, cycle)
        flit = int(data, 2)
        length = link.number_of("length", stamp, cycle) if link.length and link.into else 0
        if self.late:
            head, tail, vc_, crosses = self.watch._read(flit, vc, back)
            what = link.number, True, vc, flit, back
            if crosses:
                self.late.crosses(self.wires, link.number, vc_, head, tail, *what)
            else:
                self.late.put(self.wires, *what)
        else:
            self.wires(link.number, True, vc, flit, back, length)

    def wires(self, link: int, valid: bool, vc: int, flit: int, back: int, length: int = 0) -> None:
        self.watch.wires(link, valid, vc, flit, back, length=length)


def put(late: Optional[Lengths], tell: Any, *what: Any) -> None:
    """Tells something at once, or when lengths are known."""
    if late:
        late.put(tell, *what)
    else:
        tell(*what)


# --- what stands beside a design ---

class Bench:
    """What is sampled of a design in each cycle, and told to a watch, or to the golden model.

    watch: the annelid.Watch; golden: the annelid.Beside; one of them is None. links: how many links are sampled.
    """

    def __init__(self, dut: Any, target: Union[Watch, Beside], links: List[Link], clock: Any, reset: Optional[Tuple[Part, ...]],
                 lengths: bool, stop: bool):
        self.watch = target if isinstance(target, Watch) else None
        self.golden = target if isinstance(target, Beside) else None
        self._dut, self._target, self._stop, self._clock = dut, target, stop, clock
        signals, into = _Signals(dut), injections(target.scenario)
        widths = _widths(target)
        wires = [_Wires(signals, link, target, widths, link.number in into) for link in links]
        self.links, self.cycles = len(wires), 0
        self._reset = signals.bits(reset, 1, "reset") if reset else None
        self._late = Lengths(target, into) if lengths else None
        described = self.watch if self.watch and self.watch.described else None
        self._sampler: Any = _Described(wires, described, self._late) if described else _Ours(wires, target, self._late)
        self._stamp, self._begun, self._over, self._shown = 0, False, False, 0
        self._task = cocotb.start_soon(self._run())

    async def _run(self) -> None:
        edge = RisingEdge(self._clock)
        while not self._over:
            await edge
            self._stamp += 1
            if self._reset is not None and self._reset.text(self._stamp) != "0":
                if self._begun:
                    self._dut._log.info("annelid: reset, and the watch ends in cycle %d", self.cycles)
                    self.end()
                continue
            self._begun = True
            self._sampler.sample(self._stamp, self.cycles)
            good = self._late.cycle() if self._late else self._target.cycle()
            self.cycles += 1
            if not good:
                self._found()

    def _found(self) -> None:
        """Shows what was found; ends the test if it is to end."""
        if self._stop:
            self.end()
            raise Broken(self.finding, self.verdict)
        self._show(False)

    def _show(self, good: bool) -> None:
        text = self.watch.text if self.watch else self.verdict + "\n"
        for line in text[self._shown:].splitlines():
            (self._dut._log.info if good else self._dut._log.error)("%s", line)
        self._shown = len(text)

    def announce(self, source: int, destination: int, length: int, *, class_: int = 0) -> None:
        """A worm of length flits joins the source queue of a terminal in this cycle. From then on the watch waits for no tails:
        all worms must be announced, from the first one on."""
        if self.watch is None:
            raise Error("worms are announced to a watch alone")
        if self._late:
            if self._late.busy:
                raise Error("a worm is announced behind others that were not, expected all of them")
            self._late = self._sampler.late = None
        self.watch.announce(source, destination, length, class_=class_)

    @property
    def finding(self) -> Any:
        """What was found first; None: nothing so far."""
        return self.watch.finding if self.watch else self.golden and self.golden.difference

    @property
    def verdict(self) -> str:
        """The first finding in one line; "no rule broken", or "no difference"."""
        found = self.finding
        if found is None:
            return "no rule broken" if self.watch else "no difference"
        if isinstance(found, Finding):
            place = f" at link {found.link_name}" if found.link_name else ""
            return f"annelid: {found.what} in cycle {found.cycle}{place}: {found.text}"
        return f"annelid: {found.text}"

    def end(self) -> bool:
        """Ends the watch, finishes the trace, and shows a line about the run. True if nothing was found. It may be called
        again. Raises Error if there was no cycle without reset, so that nothing was judged."""
        if not self._over:
            self._over = True
            if self._late:
                self._late.end()
            self._show(self._target.end())
        if not self._begun:
            raise Error("found no cycle without reset, expected some; a reset that is active low has ~ before its name")
        return self._target.end()


def _widths(target: Any) -> Dict[str, int]:
    """How many wires each role has; 0: any number."""
    vcs = target.scenario._c.network.num_vcs
    style = getattr(c, f"ANL_STYLE_{getattr(target, 'style', 'credit').upper()}")
    return {"valid": 1, "vc": 0, "flit": target.width, "back": c.anl_link_back_bits(style, vcs), "length": 0}


def _of_written(dut: Any, network: Any) -> Scenario:
    """The scenario of a design that `annelid rtl` has written, with its width of flits."""
    scenario = scenario_of(network)
    found = {name: dut._handle.get_handle_by_name(f"{NETWORK}.{name}") for name in ("inj_flit_i", "inj_credit_o")}
    if None in found.values():
        raise Error(f"found no {NETWORK}.inj_flit_i in {dut._path}, expected a design of annelid rtl, or probes=; a simulator that "
                    "shows only some signals must be told to show it (docs/cocotb.md)")
    terminals, vcs = scenario.terminals, scenario._c.network.num_vcs
    bits = {name: raw.get_num_elems() for name, raw in found.items()}
    if bits["inj_credit_o"] != terminals * vcs:
        raise ArgumentError(f"{dut._path}: found {bits['inj_credit_o']} credits of injection links, expected {terminals * vcs}: the "
                            f"scenario has {terminals} terminals and {vcs} lanes")
    return scenario.but(flit_width_bits=bits["inj_flit_i"] // terminals - 2)


def attach(dut: Any, network: Any = None, *, probes: Union[Path, Mapping[str, Any], None] = None, clock: Any = None,
           reset: Optional[str] = None, trace: Optional[Path] = None, report: Optional[Path] = None,
           patience: Optional[int] = 1000, stop: bool = True, **settings: Any) -> Bench:
    """Puts the watch beside a design. Call it in a test before the reset ends.

    network: the scenario of a design that `annelid rtl` has written; dut is that design, whose links are found. probes: for any
    other design a map of probes (docs/probes.md), a file or a dict, which names scenario, links, clock and reset. clock: a
    handle or a name; reset: a name, with ~ before it if it is active low. Without them a written design has its own ones.
    trace, report, patience: as in annelid.Watch. stop: what is found ends the test by Broken; else it is shown, and end() says
    it. settings: values in place of the scenario's.

    The lengths of worms are told by heads if the scenario or the description of the links says so, or by `length` of the map;
    or by announce(); else the watch waits for tails, and what it finds is told later, but in the right cycle.
    """
    if (network is None) == (probes is None):
        raise TypeError("expected network= or probes=, and not both")
    words: Dict[str, Any] = dict(trace=trace, report=report, patience=patience)
    if probes is not None:
        said = of_map(probes, **settings)
        watch = Watch(said.scenario, links=said.links_file, credits=said.has_back, **words)
        return Bench(dut, watch, said.links, _clock(dut, _name_of(said.clock) if clock is None else clock),
                     _reset(reset) or said.reset, not (said.has_lengths or watch._heads_say_lengths), stop)
    scenario = _of_written(dut, network).but(**settings)
    watch = Watch(scenario, **words)
    return Bench(dut, watch, of_design(scenario), *_of_bench(dut, clock, reset), not watch._heads_say_lengths, stop)


def compare(dut: Any, network: Any, *, clock: Any = None, reset: Optional[str] = None, stop: bool = True) -> Bench:
    """Puts the golden model beside a design that `annelid rtl` has written, and compares each flit on each link with the one
    that the model has there in this cycle. The model's worms are those that cross the injection links; who sends must send
    them without gaps (annelid.Beside). The first difference is `finding`, and ends the test unless stop is False.

    Unless heads have the length of their worms, the model waits for the tail of each worm to know it, so it runs behind the
    design by that time.
    """
    scenario = _of_written(dut, network)
    lengths = not c.anl_head_has_length(ffi.addressof(scenario._c, "network"))
    return Bench(dut, Beside(scenario), of_design(scenario), *_of_bench(dut, clock, reset), lengths, stop)


def _of_bench(dut: Any, clock: Any, reset: Optional[str]) -> Tuple[Any, Tuple[Part, ...]]:
    """Clock and reset of a written design."""
    if not reset:
        found = _first(dut, RESETS, "reset")
        reset = f"~{found}" if found.endswith("n") else found
    return _clock(dut, _first(dut, CLOCKS, "clock") if clock is None else clock), _reset(reset)


def _clock(dut: Any, clock: Any) -> Any:
    return _handle(dut, clock) if isinstance(clock, str) else clock


def _name_of(parts: Tuple[Part, ...]) -> str:
    if len(parts) != 1 or parts[0].name is None or parts[0].inverted or parts[0].high >= 0:
        raise ArgumentError("the clock of a map must be the name of a signal alone")
    return parts[0].name


def _reset(name: Optional[str]) -> Tuple[Part, ...]:
    return (Part(name.lstrip("~"), inverted=name.startswith("~")),) if name else ()


__all__ = ["Bench", "Broken", "Map", "attach", "compare"]
