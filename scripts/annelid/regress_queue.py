# SPDX-License-Identifier: Apache-2.0
"""The queue of a regression: workers build what runs need, and make the runs for which all is built, until nothing is left.

Such runs come before the next build, so that a first result comes early. Of the builds those of the cheapest run come first;
then the largest, since what takes longest must not be left for the end, each with the others that its runs need.
"""

import collections
import threading
import time

from annelid.results import Screen

QUIET = 15  # seconds without a line after which one says what is being built; on a terminal there is a bar instead
LONGEST = 60  # seconds: lines that only say this become rarer, down to one in so many


def several(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


class Lines:
    """Prints results and, if there has been none for a while, what is being built and how much is left."""

    def __init__(self, builds, runs, screen=None):
        self.builds, self.runs, self.screen = builds, runs, screen or Screen()
        self.building, self.lock, self.ended = {}, threading.Lock(), threading.Event()
        self.start = self.said = time.monotonic()
        self.wait = QUIET

    def __enter__(self):
        threading.Thread(target=self.watch, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.screen.progress()

    def watch(self):
        while not self.ended.wait(min(1, self.wait / 10)):
            with self.lock:
                if self.screen.bar:
                    self.screen.progress(self.state())
                elif self.building and time.monotonic() - self.said > self.wait:
                    self.print(self.state())
                    self.wait = min(2 * self.wait, LONGEST)

    def state(self):
        now = time.monotonic()
        keys = " and ".join(f"{key} since {now - since:.0f} s" for key, since in list(self.building.items()))
        return f"{now - self.start:.0f} s: {f'builds {keys}; ' if keys else ''}{self.left()} to come"

    def left(self):
        return f"{several(self.builds, 'build')} and {several(self.runs, 'run')}"

    def print(self, text):
        self.screen.say(text)
        self.said = time.monotonic()

    def begin(self, key):
        with self.lock:
            self.building[key] = time.monotonic()

    def built(self, key):
        """Notes that something is built, and says so unless it was there before."""
        with self.lock:
            self.builds -= 1
            took = time.monotonic() - self.building.pop(key)
            if took > 1:
                self.print(f"built {key} in {took:.0f} s, {several(self.builds, 'build')} left")

    def ran(self, text):
        with self.lock:
            self.runs -= 1
            self.wait = QUIET
            self.print(text)


def in_order(costs, runs):
    """Returns what is built in the order in which it is begun."""
    groups = {run.builds for run in runs} | {(key,) for key in costs}
    def total(group):
        return sum(costs[key] for key in group)
    cheapest = min((group for group in groups if any(group == run.builds for run in runs)), key=total, default=())
    ranked = sorted(groups, key=lambda group: (-max(costs[key] for key in group), group))
    return dict.fromkeys(key for group in [cheapest, *ranked] for key in group)


class Queue:
    """What is left to be done. Several threads may take from it."""

    def __init__(self, costs, runs):
        """costs: {what is built: what that costs, about}; runs: those of each build in their order, with all `builds` that
        they need."""
        self.builds = collections.deque(in_order(costs, runs))
        self.waiting, self.ready = list(runs), collections.deque()
        self.done = set()
        self.changed, self.busy, self.stopped = threading.Condition(), 0, False

    def take(self):
        """Returns (key, None) to build, or (None, run) to be made, or None at the end; waits while only builds are left that
        others are making."""
        with self.changed:
            while not self.stopped:
                if self.ready:
                    return None, self.ready.popleft()
                if self.builds:
                    self.busy += 1
                    return self.builds.popleft(), None
                if not self.busy:
                    break
                self.changed.wait()
            return None

    def built(self, key):
        with self.changed:
            self.busy -= 1
            self.done.add(key)
            self.ready.extend(run for run in self.waiting if self.done.issuperset(run.builds))
            self.waiting = [run for run in self.waiting if not self.done.issuperset(run.builds)]
            self.changed.notify_all()

    def stop(self):
        with self.changed:
            self.stopped = True
            self.changed.notify_all()


def work(queue, lines, build, execute):
    """Does what is in the queue: build(key), and execute(run), which returns the line that says how it went."""
    try:
        while task := queue.take():
            key, run = task
            if key:
                lines.begin(key)
                build(key)
                lines.built(key)
                queue.built(key)
            else:
                lines.ran(execute(run))
    except BaseException:
        queue.stop()
        raise


def do_all(pool, jobs, queue, lines, build, execute):
    """Has so many threads of a pool work until nothing is left. Raises what one of them raises."""
    for done in [pool.submit(work, queue, lines, build, execute) for _ in range(jobs)]:
        done.result()
