# SPDX-License-Identifier: Apache-2.0
"""Runs programs and measures what they cost; finds the spread of many measurements of one thing."""

import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

from annelid.children import Wrong
from annelid.lockstep import json_object
from annelid.results import Screen

REPORT_SECONDS = 10  # between two lines of progress in a log


@dataclass
class Weighed:
    seconds: float  # CPU time of user and system, including start and end of the process
    wall: float  # elapsed time
    peak_bytes: int  # largest resident size
    status: int
    output: str


class Tools:
    """The programs at hand, and the children that run now."""

    def __init__(self, children, build):
        self.children, self.build = children, build

    def run(self, command):
        """Runs a command and measures its cost. Raises KeyboardInterrupt if we must stop, Wrong if it did not end by
        itself."""
        words = [str(self.build / "bench/weigh"), *map(str, command)]
        status, output = self.children.run(words, stdout=subprocess.PIPE)
        text, _, last = output.decode(errors="replace").rstrip().rpartition("\n")
        weight = json_object(last)
        if status or "cpu_seconds" not in weight:
            raise Wrong(f"{words[0]}: status {status}: {last}")
        if weight["signal"]:
            raise Wrong(f"{' '.join(words[1:])}: ended by signal {weight['signal']}\n{text[-2000:]}")
        return Weighed(weight["cpu_seconds"], weight["wall_seconds"], weight["peak_bytes"], weight["status"], text)

    def run_for_json(self, command, good=(0,)):
        """Runs a command whose last line is a JSON object; returns cost and object."""
        weighed = self.run(command)
        result = json_object(weighed.output.rpartition("\n")[2])
        if weighed.status not in good or not result:
            raise Wrong(f"{' '.join(map(str, command))}: status {weighed.status}\n{weighed.output[-2000:]}")
        return weighed, result

    def calibrate(self):
        """Returns the CPU seconds that a fixed amount of arithmetic and of memory accesses takes now."""
        _, result = self.run_for_json([self.build / "bench/calibrate"])
        return result["arithmetic_seconds"], result["memory_seconds"]


def spread(values):
    return {"min": min(values), "median": statistics.median(values), "max": max(values), "all": list(values)}


def width(seconds):
    """Returns the difference between slowest and fastest measurement as a part of the median."""
    return (seconds["max"] - seconds["min"]) / seconds["median"]


class Progress:
    """Progress is a bar on a terminal and a line now and then in a log. Work of less than two seconds shows none."""

    def __init__(self, what, total):
        self.what, self.total, self.done = what, total, 0
        self.begin = self.shown = time.monotonic()
        self.screen = Screen(sys.stderr)

    def step(self, detail=""):
        """Must be called before each part of the work."""
        now, done = time.monotonic(), self.done
        self.done += 1
        if now - self.begin < 2 or (not self.screen.bar and now - self.shown < REPORT_SECONDS):
            return
        self.shown = now
        left = (now - self.begin) / max(done, 1) * (self.total - done)
        full = 30 * done // self.total
        text = f"{self.what} [{'#' * full}{'.' * (30 - full)}] {done}/{self.total} {left:.0f} s left  {detail}"
        (self.screen.progress if self.screen.bar else self.screen.say)(text)

    def end(self):
        self.screen.progress()
