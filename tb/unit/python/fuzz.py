# SPDX-License-Identifier: Apache-2.0
"""Throws arguments and orders of calls at random at the package. Whatever happens must be an exception of Python.

usage: fuzz.py SEED CALLS    prints how many calls ended how; a crash ends the process by a signal
"""
import inspect
import random
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path

import annelid
import numpy as np

SMALL = {"network": {"topology": "mesh", "k": 2, "n": 1}, "traffic": {"load": 0.3}, "run": {"cycles": 60}}
FUNCTIONS = [annelid.run, annelid.worms, annelid.predict, annelid.cdg, annelid.read_trace, annelid.Scenario, annelid.Engine, annelid.Watch,
             annelid.Beside, annelid.Latency]
ALLOWED = (annelid.Error, TypeError, ValueError, KeyError, OverflowError, AttributeError, NotImplementedError, RecursionError, OSError,
           ZeroDivisionError, IndexError)


class Rough(annelid.Traffic):
    """Traffic that emits anything, keeps emit, and raises now and then."""

    kept = None

    def __init__(self, draw):
        self.draw, self.left = draw, 20
        self.open_loop = draw.random() < 0.3
        self.longest = draw.choice([0, 1, 4, 70000, -1, "x", 65535])

    def create(self, cycle, emit):
        self.left -= 1
        if Rough.kept and self.draw.random() < 0.5:
            Rough.kept(0, 1, 1)
        Rough.kept = emit
        for _ in range(self.draw.randrange(3)):
            more = {} if self.draw.random() < 0.8 else {self.draw.choice(["class_", "role", "path", "route"]): anything(self.draw)}
            if self.draw.random() < 0.9:
                emit(self.draw.randrange(2), self.draw.randrange(2), self.draw.randrange(1, 5), **more)
            else:
                emit(anything(self.draw), anything(self.draw), anything(self.draw))
        return self.draw.choice([None, cycle + 1, cycle + 7, cycle, anything(self.draw)]) if self.left else None

    def delivered(self, cycle, worms):
        return self.draw.choice([None, None, cycle + 1, anything(self.draw)])


def anything(draw, depth=0):
    """A value that may make sense."""
    made = [lambda: None, lambda: True, lambda: -1, lambda: 0, lambda: draw.randrange(8), lambda: 1 << 31, lambda: 1 << 64, lambda: 1e308,
            lambda: float("nan"), lambda: "", lambda: "mesh", lambda: "a\0b", lambda: "\udcff", lambda: "x" * 5000, lambda: b"bytes",
            lambda: [], lambda: object(), lambda: np.uint8(3), lambda: np.arange(3), lambda: lambda *a, **k: None, lambda: "deadlock",
            lambda: SMALL, lambda: {"network": 3}, lambda: Path("/nowhere"), lambda: annelid.Scenario(SMALL), lambda: Rough(draw),
            lambda: {anything(draw, 1): anything(draw, 1)} if depth < 1 else 4, lambda: [anything(draw, 1)] * draw.randrange(9) if depth < 1 else 5]
    return draw.choice(made)()


def call(draw, function, good=None):
    """Calls a function with some of its arguments, and perhaps one that it has not."""
    names = [name for name, one in inspect.signature(function).parameters.items() if one.kind != one.VAR_KEYWORD]
    given = {name: anything(draw) for name in names if draw.random() < 0.3}
    first = [] if good is None else [good]
    if first and names:
        given.pop(names[0], None)
    if draw.random() < 0.2:
        given[draw.choice([*annelid.keys(), "load", "depth", "nonsense", "seed"])] = anything(draw)
    return function(*first, **given)


def arguments_of(draw, function):
    """How many arguments to give: mostly as many as it takes."""
    if draw.random() < 0.1:
        return draw.randrange(4)
    names = inspect.signature(function).parameters.values()
    return len([one for one in names if one.kind == one.POSITIONAL_OR_KEYWORD and (one.default is one.empty or draw.random() < 0.5)])


def poke(draw, thing):
    """Calls anything that an object has, in any order."""
    for _ in range(draw.randrange(1, 12)):
        name = draw.choice([name for name in dir(thing) if not name.startswith("_")] + ["__repr__"])
        attribute = getattr(thing, name)
        if callable(attribute) and name not in ("count", "index"):
            given = [draw.choice([anything(draw), draw.randrange(3), draw.randrange(30)]) for _ in range(arguments_of(draw, attribute))]
            if name == "step" and given and not isinstance(given[0], (str, bytes)):
                given = [draw.randrange(50)]
            guarded(draw, lambda _, call=attribute, words=given: call(*words))


def described(room, draw):
    """A description of links of any style."""
    path = Path(room) / "links.yaml"
    path.write_text(f"style: {draw.choice(['credit', 'credit_pulse_shared', 'ready_valid', 'ready_valid_per_lane', 'stop_go'])}\n"
                    "width: 34\nmarks: {head: 33, tail: 32}\nhead:\n  destination: {at: 0, width: 1}\n  length: {at: 1, width: 3}\n")
    return path


def trial(draw, room):
    """One object, of good arguments or any, and calls of it."""
    choice = draw.randrange(12)
    if choice == 0:
        torn = Path(room) / "torn.anlt"
        annelid.run(SMALL, trace=torn)
        data = bytearray(torn.read_bytes())
        for _ in range(draw.randrange(1, 5)):
            data[draw.randrange(len(data))] = draw.randrange(256)
        torn.write_bytes(data[:draw.randrange(len(data))] if draw.random() < 0.3 else data)
        return annelid.read_trace(torn).latencies
    if choice < 4:
        return annelid.run(SMALL, traffic=Rough(draw), digest=draw.random() < 0.5, referee=draw.random() < 0.5)
    if choice < 7:
        return call(draw, draw.choice(FUNCTIONS), draw.choice([None, SMALL, annelid.Scenario(SMALL)]))
    thing = draw.choice([lambda: annelid.Engine(SMALL), lambda: annelid.Beside(SMALL), lambda: annelid.Watch(SMALL, patience=draw.randrange(9)),
                         lambda: annelid.Watch(SMALL, links=described(room, draw)).blocking, lambda: annelid.Watch(SMALL, links=described(room, draw)),
                         lambda: annelid.worms(SMALL, draw.randrange(60)), lambda: annelid.Scenario(SMALL),
                         lambda: annelid.run(SMALL)])()
    if draw.random() < 0.3:
        others = [threading.Thread(target=guarded, args=(random.Random(draw.random()), lambda own: poke(own, thing))) for _ in range(3)]
        for other in others:
            other.start()
        for other in others:
            other.join()
    return poke(draw, thing)


ENDS = Counter()


def guarded(draw, what):
    try:
        what(draw)
        ENDS["nothing raised"] += 1
    except ALLOWED as error:
        ENDS[type(error).__name__] += 1


if __name__ == "__main__":
    chance = random.Random(int(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(int(sys.argv[2])):
            guarded(chance, lambda own: trial(own, folder))
    print(dict(ENDS.most_common()))
