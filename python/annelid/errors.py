# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. Each exception has the message of the library, and the file and line of which it speaks."""

from __future__ import annotations

from typing import Optional


class Error(Exception):
    """A refusal of the library.

    file: path as it was given, or "" if none. line: 1-based, 0 if unknown. text: what was found and what was expected.
    """

    def __init__(self, text: str, file: str = "", line: int = 0):
        place = "".join([f"{file}:" if file else "", f"{line}:" if line else ""])
        super().__init__(f"{place} {text}" if place else text)
        self.text, self.file, self.line = text, file, line


class ArgumentError(Error, ValueError):
    """A value is out of its documented range, or values contradict each other."""


class FormatError(Error, ValueError):
    """An input is not what its format demands."""


class FileError(Error, OSError):
    """The system refused to read or write."""


class NoMemory(Error, MemoryError):
    """Memory ran out."""


class Stalled(Error):
    """Worms are in the network and no flit can move."""


# By enum anl_status.
KINDS = {-1: ArgumentError, -2: NoMemory, -3: FileError, -4: FormatError, -5: Stalled}


def error_of(status: int, text: str, file: str = "", line: int = 0) -> Error:
    """The exception of a status of the library."""
    return KINDS.get(status, Error)(text, file, line)


class Missing(Error, ImportError):
    """Something that this call alone needs is not installed."""

    def __init__(self, text: str, name: Optional[str] = None):
        super().__init__(text)
        self.name = name
