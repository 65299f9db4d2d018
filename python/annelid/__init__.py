# SPDX-License-Identifier: Apache-2.0
"""Annelid in Python: the golden model of wormhole switches (docs/python.md)."""

from .beside import Beside, Difference
from .cdg import Cdg, cdg
from .command import Picture, Table, draw, sweep
from .engine import Engine
from .errors import ArgumentError, Error, FileError, FormatError, Missing, NoMemory, Stalled
from .library import version
from .predict import At, Prediction, predict
from .records import Violation, Worm
from .run import ClassResult, Latency, Progress, Result, run
from .scenario import Scenario, keys
from .trace import Trace, read_trace
from .traffic import Emit, Traffic
from .watch import Finding, Watch
from .worms import Blocking, Life, Line, worms

__version__ = version()
__all__ = ["ArgumentError", "At", "Beside", "Blocking", "Cdg", "ClassResult", "Difference", "Emit", "Engine", "Error", "FileError", "Finding", "FormatError",
           "Latency", "Life", "Line", "Missing", "NoMemory", "Picture", "Prediction", "Progress", "Result", "Scenario",
           "Stalled", "Table", "Trace", "Traffic", "Violation", "Watch", "Worm", "cdg", "draw", "keys", "predict", "read_trace", "run",
           "sweep", "version", "worms"]
