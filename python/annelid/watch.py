# SPDX-License-Identifier: Apache-2.0
"""The watch of somebody else's simulation: the referee and the blocking analysis on links that this program tells
(annelid/live.h, docs/own_bench.md). It knows no simulator; annelid.cocotb tells it what cocotb sees."""

from __future__ import annotations

import tempfile
from typing import Any, List, Mapping, NamedTuple, Optional, Tuple, Union

import numpy as np

from .errors import NoMemory
from .library import NOTHING, Failure, Owned, c, encoded, ffi, free, libc, number, text_of
from .records import FLITS, array_of
from .scenario import Path, Scenario, scenario_of
from .worms import Blocking, Life

_WORDS = c.ANL_WIRE_WORDS


class Finding(NamedTuple):
    """What was found: the name of a rule, "deadlock", "stalled", "made_up_flit" or another name of docs/own_bench.md.

    link, link_name, worm: None if it is not of one. text: what was seen, one line.
    """

    what: str
    cycle: int
    link: Optional[int]
    link_name: Optional[str]
    worm: Optional[int]
    text: str


class _Paper:
    """A file in memory, on which the library prints."""

    def __init__(self) -> None:
        self._at, self._size = ffi.new("char **"), ffi.new("size_t *")
        self.file = libc.open_memstream(self._at, self._size)
        if self.file == ffi.NULL:
            raise NoMemory("out of memory")

    def text(self) -> str:
        libc.fflush(self.file)
        return ffi.buffer(self._at[0], self._size[0])[:].decode("utf-8", "replace")

    def close(self) -> None:
        libc.fclose(self.file)
        free(self._at[0])


class Watch(Owned):
    """The watch of a network, which is empty; the first cycle is 0.

    In each cycle: flit() for each link that a flit crosses and credits() for each link on which credits come back, in any
    order; or, of links that a file describes, wires() of every link. Then cycle(). At the end end().

    scenario: network and switch count; its traffic is not used. links: a file that describes links of another style
    (docs/link.md); None: they are ours. trace: a flit trace, binary if it ends in .anlt. report: a list of what is found, as
    JSON. patience: cycles without a flit after which a stall is told; None: never. credits: False leaves out the rules of
    credits, and credits() need not be called.

    A broken rule ends the watch: what is told behind it is ignored. A deadlock and a stall do not end it.
    Raises ArgumentError if such a network cannot be watched, FormatError for a bad file, FileError.
    """

    def __init__(self, scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]], *, links: Optional[Path] = None,
                 trace: Optional[Path] = None, report: Optional[Path] = None, patience: Optional[int] = 1000, credits: bool = True):
        scenario = scenario_of(scenario)
        live, failure, paper = ffi.new("struct anl_live **"), Failure(), _Paper()
        try:
            options, kept = ffi.new("struct anl_live_options *"), []
            for name, path in (("links", links), ("trace", trace), ("report", report)):
                if path is not None:
                    kept.append(ffi.new("char[]", encoded(path, name)))
                    setattr(options, name, kept[-1])
            options.patience_cycles = 0 if patience is None else number(patience, "patience", 1 << 64)
            options.no_credits, options.out = not credits, paper.file
            with tempfile.TemporaryDirectory() as folder:
                path, settings = scenario._as_file(folder)
                chosen = [ffi.new("char[]", encoded(text, text)) for text in settings]
                texts = ffi.new("const char *[]", chosen)
                options.settings, options.num_settings = texts, len(chosen)
                failure.check(c.anl_live_create(encoded(path, "path"), options, live, failure.error))
        except BaseException:
            paper.close()
            raise

        def destroy(pointer: Any) -> None:
            c.anl_live_destroy(pointer)
            paper.close()

        super().__init__(live[0], destroy)
        self.scenario, self._paper, self._said = scenario, paper, ""
        description = c.anl_live_links(live[0])
        self.width: int = scenario._c.network.flit_width_bits + 2 if description == ffi.NULL else description.width
        self.style: str = text_of(c.anl_style_name(c.ANL_STYLE_CREDIT if description == ffi.NULL else description.style))
        self.described: bool = description != ffi.NULL
        self._flit = ffi.new("uint32_t[]", _WORDS)
        self._bytes = ffi.buffer(self._flit)
        self._wires = ffi.new("struct anl_wires *", {"flit": self._flit})
        self._crossing = ffi.new("struct anl_transfer *")

    # --- what is told in a cycle ---

    def announce(self, source: int, destination: int, length: int, *, class_: int = 0) -> None:
        """A worm of length flits joins the source queue of a terminal in this cycle. Without announcement a worm is created
        when its head crosses the injection link."""
        words = number(source, "source"), number(destination, "destination"), number(length, "length"), number(class_, "class_")
        with self._lock:
            c.anl_live_worm(self._get(), *words)

    def flit(self, link: int, vc: int, flit: int, *, length: int = 0) -> None:
        """A flit crosses a link in this cycle: its lane, and its bits {head, tail, data}. length counts with a head on an
        injection link: the flits of its worm; 0 if it was announced or the head carries its length."""
        link, vc, length = number(link, "link"), number(vc, "vc"), number(length, "length")
        with self._lock:
            live = self._get()
            self._put(flit)
            c.anl_live_flit(live, link, vc, self._flit, length)

    def credits(self, link: int, lanes: int) -> None:
        """Credits come back to the sender of a link in this cycle, bit v for lane v."""
        link, lanes = number(link, "link"), number(lanes, "lanes")
        with self._lock:
            c.anl_live_credits(self._get(), link, lanes)

    def wires(self, link: int, valid: bool, vc: int = 0, flit: int = 0, back: int = 0, *, length: int = 0) -> None:
        """The wires of a link that a file describes, in this cycle: each link must be told in each cycle. flit has all wires
        of a flit, back is what the receiver drives."""
        link, vc, back, length = number(link, "link"), number(vc, "vc"), number(back, "back"), number(length, "length")
        with self._lock:
            live, wires = self._get(), self._wires
            self._put(flit)
            wires.valid, wires.vc, wires.back = bool(valid), vc, back
            c.anl_live_wires(live, link, wires, length)

    def _put(self, flit: int) -> None:
        self._bytes[:] = number(flit, "flit", 1 << self.width).to_bytes(4 * _WORDS, "little")

    def cycle(self) -> bool:
        """Ends this cycle. False if something was found in it."""
        with self._lock:
            return c.anl_live_cycle(self._get())

    def end(self) -> bool:
        """Ends the watch, and finishes the trace. True if nothing was found. If nothing has moved for so long that the network
        is at rest (rest_cycles), every credit must be back."""
        with self._lock:
            return c.anl_live_end(self._get())

    # --- what the links say ---

    @property
    def _heads_say_lengths(self) -> bool:
        """Whether each head has the length of its worm."""
        with self._lock:
            description = c.anl_live_links(self._get())
            if description == ffi.NULL:
                return c.anl_head_has_length(ffi.addressof(self.scenario._c, "network"))
            return description.ends == c.ANL_ENDS_LENGTH or description.fields[c.ANL_FIELD_LENGTH].width > 0

    def _read(self, flit: int, vc: int, back: int) -> Tuple[bool, bool, int, bool]:
        """Of a valid flit of links that a file describes: whether it is a head and a tail, its lane, and whether it crosses."""
        with self._lock:
            of, wires = c.anl_live_links(self._get()), self._wires
            self._put(flit)
            wires.valid, wires.vc, wires.back = True, vc, back
            lane = c.anl_link_lane(of, wires)
            crosses = lane < self.scenario._c.network.num_vcs and c.anl_link_crosses(of.style, wires, lane)
            c.anl_link_ends(of, self._flit, self._crossing)
            return self._crossing.head, self._crossing.tail, lane, crosses

    # --- what is known ---

    @property
    def finding(self) -> Optional[Finding]:
        """What was found first; None: nothing so far."""
        with self._lock:
            found = c.anl_live_finding(self._get())
            if found == ffi.NULL:
                return None
            link, worm = (None if value == NOTHING else value for value in (found.link, found.worm))
            name = None if link is None else self.scenario.link_name(link)
            return Finding(text_of(found.what), found.cycle, link, name, worm, text_of(found.text))

    @property
    def text(self) -> str:
        """All that the watch has printed: what was found, and at the end a line about the run. It stays after close()."""
        with self._lock:
            return self._said if self._pointer is None else self._paper.text()

    @property
    def waiters(self) -> str:
        """Who waits for whom at the end of the last cycle, in words."""
        paper = _Paper()
        try:
            with self._lock:
                c.anl_live_print(self._get(), paper.file)
            return paper.text()
        finally:
            paper.close()

    @property
    def blocking(self) -> Blocking:
        """The blocking analysis of the cycles that have ended. It goes on with the watch, and is closed with it."""
        with self._lock:
            self._get()
            return _Seen(self)

    @property
    def blocked(self) -> List[Life]:
        """The worms that wait, ascending by id."""
        return [life for life in self.blocking.worms() if life.wait != "moving"]

    @property
    def now(self) -> int:
        """The number of the cycle that is told now."""
        with self._lock:
            return c.anl_live_now(self._get())

    @property
    def flits(self) -> np.ndarray:
        """The flits that crossed links in the cycle before, if no rule was broken in it: link, worm, index, vc, head, tail;
        ascending by link."""
        with self._lock:
            count = ffi.new("size_t *")
            return array_of(c.anl_live_flits(self._get(), count), count[0], FLITS)

    @property
    def quiet_cycles(self) -> int:
        """For how many cycles no flit has crossed a link."""
        with self._lock:
            return c.anl_live_quiet_cycles(self._get())

    @property
    def stuck_cycles(self) -> int:
        """For how many of these, the last ones, worms were undelivered."""
        with self._lock:
            return c.anl_live_stuck_cycles(self._get())

    @property
    def rest_cycles(self) -> int:
        """After how many quiet cycles every credit must be back."""
        with self._lock:
            return c.anl_live_rest_cycles(self._get())

    def was_used(self, link: int, vc: int) -> bool:
        """Whether a flit has ever crossed a lane of a link."""
        link, vc = number(link, "link", self.scenario.links), number(vc, "vc", self.scenario._c.network.num_vcs)
        with self._lock:
            return c.anl_live_was_used(self._get(), link, vc)

    def close(self) -> None:
        """Frees what the watch has of the library. A trace that end() has not finished is removed."""
        with self._lock:
            if self._pointer is not None:
                self._said = self._paper.text()
        super().close()


class _Seen(Blocking):
    """The blocking analysis that a watch owns."""

    def __init__(self, watch: Watch):
        self._lock, self._watch, self.scenario = watch._lock, watch, watch.scenario

    def _get(self) -> Any:
        return c.anl_live_blocking(self._watch._get())

    def close(self) -> None:
        """Does nothing: the watch has it."""
