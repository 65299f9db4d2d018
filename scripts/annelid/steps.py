# SPDX-License-Identifier: Apache-2.0
"""Run the steps of `make test`, one make target each, beside each other, and count what passed.

Steps of --first make what several others use: they run one after the other, each with all processors. Then as many run at
once as there are processors; those of --in-turn, which would wait for the same build directory, one after the other. A
target counts as the tests in the JUnit files that it leaves in BUILD/junit/<target>/, and as one test if it leaves
none. A target that exits non-zero without a failed test in its files counts as one failure. What a target has left out, as
a tool is missing, is named before the last line. Logs: BUILD/test/<target>.log. The last line is "N passed, N failed", and
", N skipped" if anything was; exit status 1 if any failed.
"""

import collections
import os
import shutil
import threading
import time

from annelid.children import TIMED, untimed
from annelid.options import JOBS, parser
from annelid.results import Screen, count_junit, last_line

MOST = 4  # most steps at once; with more processors, each step has several


class Steps:
    """All steps, those that run, and the results."""

    def __init__(self, options, children):
        self.options, self.children, self.screen = options, children, Screen()
        self.left, self.lock = collections.deque(options.steps), threading.Lock()
        self.running, self.passed, self.failed, self.skipped = [], 0, 0, []

    def make(self, target, jobs):
        """Runs a target. Returns (exit status, directory of its JUnit files, its log, seconds of processor time)."""
        build = self.options.build
        junit, log = build / "junit" / target, build / "test" / f"{target}.log"
        shutil.rmtree(junit, ignore_errors=True)
        junit.mkdir(parents=True)
        # The flags have the variables that the user gave to make test, and a step need not know all of them (Makefile, GIVEN).
        flags = {"MAKEFLAGS": os.environ.get("MAKEFLAGS", ""), "MAKELEVEL": "1"}
        status, said = self.children.logged(
            [*TIMED, "make", f"-j{jobs}", "--no-print-directory", f"BUILD={build}", f"JOBS={jobs}", f"JUNIT={junit}", target],
            log, flags, patience=None)
        return status, junit, *untimed(said)

    def step(self, target, jobs):
        begin = time.monotonic()
        self.running.append(target)
        self.screen.progress(f"running {' '.join(self.running)}, {len(self.left)} to come")
        status, junit, log, processor = self.make(target, jobs)
        passed, failed, skipped = count_junit(junit)
        if status and not failed:
            failed.append(target)
        passed += not (passed or failed or skipped)
        lines = [f"{'FAIL' if failed else 'PASS'}  {target:18} {passed:4} passed {len(failed):3} failed "
                 f"{time.monotonic() - begin:6.1f} s, {processor:6.1f} s of processors", *(f"      failed: {name}" for name in failed)]
        if failed:
            lines += [f"      | {line}" for line in log.splitlines()[-30:]]
            lines += [f"      log: {self.options.build / 'test' / target}.log"]
        self.screen.say("\n".join(lines))
        with self.lock:
            self.passed, self.failed = self.passed + passed, self.failed + len(failed)
            self.skipped += [f"SKIP  {target}: {what}" for what in skipped]
            self.running.remove(target)

    def next(self):
        with self.lock:
            return self.left.popleft() if self.left else None

    def work(self, own, jobs):
        """Runs this thread's own steps, then those that are left."""
        for target in own:
            self.step(target, jobs)
        while target := self.next():
            self.step(target, jobs)

    def run(self):
        processors = self.options.jobs
        beside = min(MOST, processors)
        for target in self.options.first:
            self.step(target, processors)
        with self.children.pool(beside) as pool:
            for done in [pool.submit(self.work, [] if number else self.options.in_turn, -(-processors // beside))
                         for number in range(beside)]:
                done.result()
        print(*sorted(self.skipped), last_line(self.passed, self.failed, len(self.skipped)), sep="\n")
        return 1 if self.failed else 0


def parse():
    one = parser(__doc__, jobs=JOBS)
    one.add_argument("--first", nargs="*", default=[], help="targets to be made before all others")
    one.add_argument("--in-turn", nargs="*", default=[], help="targets of which only one is made at a time")
    one.add_argument("--steps", nargs="*", default=[], help="all others, the longest first")
    return one.parse_args()


def main(children):
    return Steps(parse(), children).run()
