# SPDX-License-Identifier: Apache-2.0
"""The shared library behind the package, and objects that own something of it.

The library is the one in the wheel, or that of the environment variable ANNELID_LIBRARY, which must be of the same
version: a path, or a name that the loader finds.
"""

from __future__ import annotations

import os
import threading
from importlib import metadata
from pathlib import Path
from typing import Any, Optional

from .abi import ffi
from .errors import Error, error_of

PARTS = Path(__file__).parent / "parts"
NOTHING = 0xFFFFFFFF  # no worm, no link, no buffer
NEVER = 0xFFFFFFFFFFFFFFFF  # a cycle that never comes

c = ffi.dlopen(os.environ.get("ANNELID_LIBRARY") or str(PARTS / "libannelid.so"))


def text_of(value: Any) -> str:
    """A text of the library as a str."""
    return ffi.string(value).decode("utf-8", "replace") if value != ffi.NULL else ""


def version() -> str:
    """The version of the library."""
    return text_of(c.anl_version())


if version() != metadata.version("annelid"):
    raise ImportError(f'ANNELID_LIBRARY={os.environ.get("ANNELID_LIBRARY")}: found version "{version()}", '
                      f'expected "{metadata.version("annelid")}", that of this package')


def encoded(text: Any, what: str) -> bytes:
    """A str or a path as the library takes it."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError(f"{what}: found a zero byte, expected none")
    return data


def number(value: Any, what: str, end: int = 1 << 32) -> int:
    """A whole number 0..end - 1; also one of NumPy. True and False are none."""
    try:
        whole = None if isinstance(value, bool) else value.__index__()
    except AttributeError:
        whole = None
    if whole is None:
        raise TypeError(f"{what}: found {value!r}, expected a whole number")
    if not 0 <= whole < end:
        raise ValueError(f"{what}: found {whole}, expected 0..{end - 1}")
    return whole


class Failure:
    """Receives a message of the library: check(status) raises it."""

    def __init__(self) -> None:
        self.error = ffi.new("struct anl_error *")

    def check(self, status: int) -> None:
        if status:
            text = text_of(self.error.text) or text_of(c.anl_status_text(status))
            raise error_of(status, text, text_of(self.error.file), self.error.line)


class Owned:
    """Something of the library. One thread at a time is in it; after close() it can only be closed again.

    kept: what must stay alive as long, whatever is done with the attributes of the object.
    """

    def __init__(self, pointer: Any, destroy: Any, kept: Any = None):
        self._lock, self._kept = threading.RLock(), kept
        self._pointer: Optional[Any] = ffi.gc(pointer, destroy)

    def _get(self) -> Any:
        if self._pointer is None:
            raise Error(f"{type(self).__name__}: it is closed")
        return self._pointer

    def close(self) -> None:
        """Frees what the object has of the library. It may be called again; the garbage collector calls it, too."""
        with self._lock:
            if self._pointer is not None:
                ffi.release(self._pointer)
                self._pointer = None

    def __enter__(self):
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


libc = ffi.dlopen(None)


def free(pointer: Any) -> None:
    """Frees what the library has left to its caller; NULL is nothing."""
    libc.free(pointer)
