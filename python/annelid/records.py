# SPDX-License-Identifier: Apache-2.0
"""Worms, flits and windows as structured arrays of NumPy, which are copies of what the library has."""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from .library import ffi, number


def _layout(of: str, fields: Sequence[str], inside: str = "") -> np.dtype:
    """Some fields of a struct of C, where they lie in it."""
    kinds = {"_Bool": "?", "uint8_t": "u1", "uint16_t": "u2", "uint32_t": "u4", "uint64_t": "u8"}
    offset, struct = 0, ffi.typeof(of)
    if inside:
        offset, struct = ffi.offsetof(of, inside), dict(struct.fields)[inside].type
    members = dict(struct.fields)
    return np.dtype({"names": [name.rstrip("_") for name in fields],
                     "formats": [kinds[members[name].type.cname] for name in fields],
                     "offsets": [offset + members[name].offset for name in fields],
                     "itemsize": ffi.sizeof(of)})


_FLIT = ("link", "worm", "index", "vc", "head", "tail")
_WORM = ("id", "source", "destination", "length", "created", "path", "class_", "role")
FLITS = _layout("struct anl_flit", _FLIT)
WORMS = _layout("struct anl_worm", _WORM)
WINDOWS = _layout("struct anl_window", ("created_flits", "ejected_flits", "worms", "latency"))
# Records of a trace: what each of them may be.
RECORD_FLITS = _layout("struct anl_record", _FLIT, "flit")
RECORD_WORMS = _layout("struct anl_record", _WORM, "worm")


def array_of(pointer: Any, count: int, dtype: np.dtype) -> np.ndarray:
    """A copy of count structs, its fields packed."""
    if not count:
        return np.empty(0, packed(dtype))
    seen = np.frombuffer(ffi.buffer(pointer, count * dtype.itemsize), dtype)
    return seen.astype(packed(dtype))


def packed(dtype: np.dtype, before: Tuple[Tuple[str, str], ...] = ()) -> np.dtype:
    """The same fields, one behind the other, behind others."""
    return np.dtype([*before, *[(name, dtype[name]) for name in dtype.names or ()]])


ROLES = ("plain", "request", "reply")


class Worm(NamedTuple):
    """A worm. source and destination are terminals, length is in flits, created is a cycle."""

    id: int
    source: int
    destination: int
    length: int
    created: int
    path: int
    class_: int
    role: str

    @classmethod
    def of(cls, worm: Any) -> "Worm":
        """The worm of a struct of C."""
        return cls(worm.id, worm.source, worm.destination, worm.length, worm.created, worm.path, worm.class_,
                   ROLES[worm.role])


def fill(worm: Any, source: int, destination: int, length: int, class_: int, route: Optional[Sequence[int]]) -> Any:
    """Fills a struct of a worm that is to be created. Returns its route, which must stay as long as the worm; or None."""
    worm.source, worm.destination = number(source, "source"), number(destination, "destination")
    worm.length, worm.class_ = number(length, "length", 1 << 16), number(class_, "class_", 256)
    if route is None:
        return None
    ports = ffi.new("uint8_t[]", [number(port, "route", 256) for port in route])
    worm.route, worm.route_length = ports, number(len(ports), "route", 1 << 16)
    return ports


class Violation(NamedTuple):
    """A rule that was broken. worm: None if a credit breaks it."""

    rule: str
    cycle: int
    link: int
    worm: Optional[int]
    text: str
