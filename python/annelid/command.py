# SPDX-License-Identifier: Apache-2.0
"""The command `annelid` of the same version, and what the package leaves to it: sweeps and pictures."""

from __future__ import annotations

import csv
import numbers
import os
import subprocess
import sys
import tempfile
from pathlib import Path as File
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

from .errors import Error, Missing
from .library import PARTS, number
from .scenario import Path, Scenario, decimal, scenario_of, value_of, whole_keys

COMMAND = PARTS / "annelid"


def main() -> int:
    """The command itself, for the shell."""
    os.execv(COMMAND, ["annelid", *sys.argv[1:]])
    return 1


class Table(List[Dict[str, Any]]):
    """Rows, each a dict of columns."""

    def frame(self) -> Any:
        """The rows as a frame of pandas."""
        try:
            import pandas
        except ImportError:
            raise Missing('found no pandas, expected it: pip install "annelid[frames]"', "pandas") from None
        return pandas.DataFrame(self)


class Picture(str):
    """A picture as SVG; a notebook shows it."""

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: Path) -> None:
        """Writes the picture to a file."""
        File(path).write_text(self, encoding="utf-8")


def _run(arguments: Sequence[str], quiet: bool) -> None:
    """Runs the command. What it says while it goes on is for the user; its last words are those of an error."""
    done = subprocess.run([COMMAND, *arguments], stdout=subprocess.DEVNULL, encoding="utf-8",
                          errors="replace", stderr=subprocess.PIPE if quiet else None)
    if done.returncode not in (0, 1):  # 1: a run stalled, as its row says
        raise Error((done.stderr or "").strip() or f"annelid {arguments[0]} has ended with status {done.returncode}")


def sweep(scenario: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]], loads: Iterable[float] = (), *,
          seeds: Union[int, Iterable[int]] = 10, workers: int = 0, digest: bool = False, progress: bool = False,
          **vary: Iterable[Any]) -> Table:
    """Runs a scenario at many loads, with many seeds, in all variants, over all cores (docs/sweep.md).

    loads: flits per terminal and cycle, rounded to nine decimals; none: that of the scenario. seeds: their number, 1 to N,
    or a list, in place of the scenario's. workers: threads; 0: as many as there are cores. vary: a list of values for each
    of some keys: `num_vcs=[1, 2, 4]`. progress: the command shows how far it is, on standard error.

    Returns a row for each run, with the columns of docs/sweep.md; a digest is a text of 16 hexadecimal digits. Raises
    Error with the words of the command.
    """
    scenario = scenario_of(scenario)
    with tempfile.TemporaryDirectory() as folder:
        table, offered = File(folder) / "sweep.csv", [decimal(float(load), 9) for load in loads]
        given = [f"--loads={','.join(offered)}"] if offered else []
        given += [f"--seeds={_seeds(seeds)}"]
        given += [f"--workers={number(workers, 'workers')}"] if workers else []
        given += ["--digest"] if digest else []
        varied = {key: scenario._varied(key, values) for key, values in whole_keys(vary).items()}
        given += [f"--vary={key}={values}" for key, values in varied.items()]
        source = scenario._for_command(folder, (*varied, "run.seed", *(["traffic.load"] if offered else [])))
        _run(["sweep", *given, f"--output={table}", *source], quiet=not progress)
        with open(table, newline="", encoding="utf-8") as lines:
            rows = csv.DictReader(line for line in lines if not line.startswith("#"))
            return Table({name: text if name == "digest" else value_of(text) for name, text in row.items()} for row in rows)


def _seeds(seeds: Union[int, Iterable[int]]) -> str:
    """How many seeds, or which, as the command takes them."""
    if isinstance(seeds, numbers.Real):
        return str(number(seeds, "seeds"))
    whole = [number(seed, "seeds", 1 << 64) for seed in seeds]
    return ",".join(f"{seed}-{seed}" for seed in whole)


def draw(what: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]], at: Optional[int] = None, *,
         worm: Optional[int] = None) -> Picture:
    """Draws the network and the worms in it at a cycle, as `annelid draw` does (docs/draw.md).

    what: a scenario, or the path of a scenario or a trace. at: None is the cycle in which a deadlock closes, else the one
    in which the longest stall ends. worm: whose chain to show; None: the one that waits longest.
    """
    with tempfile.TemporaryDirectory() as folder:
        picture = File(folder) / "picture.svg"
        given = [f"--{name}={number(value, name, 1 << 64)}" for name, value in (("at", at), ("worm", worm)) if value is not None]
        source = ["--", os.fspath(what)] if isinstance(what, (str, os.PathLike)) else scenario_of(what)._for_command(folder)
        _run(["draw", *given, f"--output={picture}", *source], quiet=True)
        return Picture(picture.read_text(encoding="utf-8"))
