# SPDX-License-Identifier: Apache-2.0
"""The command `annelid` of the same version, and what the package leaves to it: sweeps and pictures."""

from __future__ import annotations

import csv
import itertools
import os
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path as File
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from .errors import Error, Missing
from .library import PARTS, number
from .run import Progress, run
from .scenario import Path, Scenario, decimal, scenario_of, value_of, whole_keys
from .traffic import Traffic, checked

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
          traffic: Optional[Callable[[Scenario], Traffic]] = None, **vary: Iterable[Any]) -> Table:
    """Runs a scenario at many loads, with many seeds, in all variants, over all cores (docs/sweep.md).

    loads: flits per terminal and cycle, rounded to nine decimals; none: that of the scenario. seeds: their number, 1 to N,
    or a list, in place of the scenario's. workers: threads; 0: as many as there are cores. vary: a list of values for each
    of some keys: `num_vcs=[1, 2, 4]`. progress: the command shows how far it is, on standard error. traffic: worms of your own,
    a class derived from Traffic or another function that makes an object of one, for each run from its scenario.

    Returns a row for each run, with the columns of docs/sweep.md; a digest is a text of 16 hexadecimal digits. With traffic
    the columns are the varied keys, load, seed, and those of Result.row(), as run() measures. Raises Error with the words of
    the command.
    """
    scenario = scenario_of(scenario)
    lists = {key: _listed(key, values) for key, values in whole_keys(vary).items()}
    if traffic is not None:
        points = list(_points(scenario, [float(decimal(float(load), 9)) for load in loads], seeds, lists))
        if not points:
            raise ValueError("found no seed, or no value of a key, expected at least one")
        return _own_runs(points, traffic, number(workers, "workers"), bool(digest), bool(progress))
    with tempfile.TemporaryDirectory() as folder:
        table, offered = File(folder) / "sweep.csv", [decimal(float(load), 9) for load in loads]
        given = [f"--loads={','.join(offered)}"] if offered else []
        given += [f"--seeds={_seeds(seeds)}"]
        given += [f"--workers={number(workers, 'workers')}"] if workers else []
        given += ["--digest"] if digest else []
        varied = {key: scenario._varied(key, values) for key, values in lists.items()}
        given += [f"--vary={key}={values}" for key, values in varied.items()]
        source = scenario._for_command(folder, (*varied, "run.seed", *(["traffic.load"] if offered else [])))
        _run(["sweep", *given, f"--output={table}", *source], quiet=not progress)
        with open(table, newline="", encoding="utf-8") as lines:
            rows = csv.DictReader(line for line in lines if not line.startswith("#"))
            return Table({name: text if name == "digest" else value_of(text) for name, text in row.items()} for row in rows)


def _listed(key: str, values: Iterable[Any]) -> List[Any]:
    """The values of a key; a text is no list of letters."""
    if isinstance(values, (str, bytes)):
        raise TypeError(f"{key}: found {values!r}, expected a list of values")
    return list(values)


def _seeds(seeds: Union[int, Iterable[int]]) -> str:
    """How many seeds, or which, as the command takes them."""
    return ",".join(f"{seed}-{seed}" for seed in _each_seed(seeds)) if isinstance(seeds, Iterable) else str(number(seeds, "seeds"))


def _each_seed(seeds: Union[int, Iterable[int]]) -> List[int]:
    """The seeds one by one."""
    if isinstance(seeds, Iterable):
        return [number(seed, "seeds", 1 << 64) for seed in seeds]
    return list(range(1, number(seeds, "seeds") + 1))


def _points(scenario: Scenario, loads: List[float], seeds: Union[int, Iterable[int]],
            vary: Mapping[str, List[Any]]) -> Iterator[Tuple[Scenario, Dict[str, Any]]]:
    """The scenario of each run, and the first columns of its row, in the order of a sweep."""
    each = _each_seed(seeds)
    for values in itertools.product(*vary.values()):
        variant = dict(zip(vary, values))
        for offered in [{"traffic.load": load} for load in loads] or [{}]:
            for seed in each:
                point = scenario.but(**variant, **offered, **{"run.seed": seed})
                yield point, {**{key: point[key] for key in vary}, "load": point["load"], "seed": seed}


def _own_runs(points: List[Tuple[Scenario, Dict[str, Any]]], traffic: Callable[[Scenario], Traffic], workers: int, digest: bool,
              shows: bool) -> Table:
    """Runs the points with worms of the caller's own, side by side in threads."""
    ended, rows = threading.Event(), Table()

    def go_on(_: Progress) -> bool:
        return not ended.is_set()

    def row(point: Scenario, first: Dict[str, Any]) -> Dict[str, Any]:
        result = run(point, traffic=checked(traffic(point)), digest=digest, progress=go_on).row()
        result["digest"] = f"{result['digest']:016x}" if digest else None
        return {**first, **{name: value for name, value in result.items() if digest or name != "digest"}}

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        futures = [pool.submit(row, *point) for point in points]
        try:
            for future in futures:
                rows.append(future.result())
                if shows:
                    print(f"\rsweep: {len(rows)} of {len(points)} runs", end="\n" if len(rows) == len(points) else "", file=sys.stderr,
                          flush=True)
        except BaseException:
            ended.set()
            for future in futures:
                future.cancel()
            raise
    return rows


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
