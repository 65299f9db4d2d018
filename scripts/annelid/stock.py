# SPDX-License-Identifier: Apache-2.0
"""What runs with stock ends of cocotbext-axi have in common: scripts/annelid/streams.py, scripts/annelid/axi_stock.py."""

import contextlib
import dataclasses
import json
import re
import threading
from collections.abc import Callable

from annelid.children import Wrong, take_build_lock
from annelid.options import JOBS, check_names, parser
from annelid.results import Results, Screen, made_by, write_json
from annelid.venvs import made

ROOM = "tb/campaigns/streams"  # where simulate.py and the packages of Python are said
TOOLS = ("IVERILOG", "VERILATOR")
TOLD = re.compile(r"^(\w+_checker: cycle \d+: \w+)", re.MULTILINE)  # what checkers in the RTL say
BETWEEN = 2                    # seconds between two lines of progress
LAST = "last.json"             # what the last run of a name has found, with what made it; of one that was stopped, what it had by then


def labels(k):
    """Returns the labels of the terminals of a mesh of k by k. That of (x, y) has a number of bits for each coordinate."""
    bits = max(1, (k - 1).bit_length())
    return [t % k | t // k << bits for t in range(k * k)]


@dataclasses.dataclass(frozen=True)
class Kind:
    """Runs of one kind. Each run has a name, states (of a signal: they say the simulator) and short, 0 if the short form leaves it out."""
    name: str            # of the script, and of its directory below the build directory
    test: str            # file of the test of cocotb, which writes found.json
    runs: dict           # by name
    design: Callable     # (options, children, run, room): writes top, top.f and job.json into room, which it empties first
    judge: Callable      # (run, found): the reason why a run is not as it should be, or ""
    line: Callable       # (row): what is said of a run
    progress: Callable = lambda found: ""  # what is said of a run that has not ended
    is_long: Callable = lambda options, run: False  # whether it is worth the time in which a C++ compiler optimizes
    results: Results = None  # a file of docs/results/, whose tables are made of the last run of each name


def row_of(kind, run, found, told=(), stopped=False):
    """Returns what is said of a run. One that is stopped is judged by what it has found so far."""
    ended = found | dict(ended=True, missing=0) if stopped else found
    return dataclasses.asdict(run) | found | dict(told=list(told), stopped=stopped, reason=kind.judge(run, ended | dict(told=list(told))))


@contextlib.contextmanager
def watched(kind, screen, run, room, made):
    """Says every few seconds how far a simulation is, if its test writes that down, and keeps what it has found so far."""
    over = threading.Event()

    def watch():
        while not over.wait(BETWEEN):
            with contextlib.suppress(OSError, ValueError):
                found = json.loads((room / "found.json").read_text())
                screen.progress(f"{run.name}: {kind.progress(found)}")
                if made:
                    write_json(room / LAST, dict(row=row_of(kind, run, found, stopped=True)) | made)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def execute(kind, options, children, run, venv, screen):
    """Returns what the stock ends have got, with the reason why the run is not as it should be, or ""."""
    room = (options.build / kind.name / run.name).resolve()
    kind.design(options, children, run, room)
    environment = {"PATH": f"{venv.resolve() / 'bin'}:{children.environment['PATH']}", "COCOTB_LOG_LEVEL": "WARNING"}
    level = "2" if kind.is_long(options, run) else "0"
    made = made_by(children, kind.results.tools) if kind.results and not options.short else {}
    with watched(kind, screen, run, room, made):
        status, said = children.output([venv / "bin/python", f"{ROOM}/simulate.py", str(run.states), kind.test, room, level], environment)
    (room / "log").write_text(said)
    if not (room / "found.json").exists():
        raise Wrong(f"{run.name}: status {status}, see {room}/log\n{said[-1500:]}")
    found = json.loads((room / "found.json").read_text())
    row = row_of(kind, run, found, TOLD.findall(said))
    if made:
        write_json(room / LAST, dict(row=row) | made)
    return row


def parser_of(kind, text, short):
    docs = {"docs": f"write {kind.results.path} from the last run of each name"} if kind.results else {}
    one = parser(text, jobs=JOBS, short=short, only="runs by name: " + ", ".join(kind.runs), **docs)
    one.add_argument("--seed", type=int, default=1, help="of what is sent, and of back-pressure (1)")
    return one


def write_results(kind, options):
    """Writes the file of docs/results/. Returns the exit status. Wrong: a run was not as it should be."""
    reports = [json.loads(path.read_text()) for name in kind.runs if (path := options.build / kind.name / name / LAST).exists()]
    for row in (report["row"] for report in reports):
        if row["reason"]:
            raise Wrong(f"{row['name']}: {row['reason']}, so {kind.results.path} stays")
    kind.results.write_parts([report["row"] for report in reports], *reports)
    return 0


def run_all(kind, children, options, part=False):
    """Runs those that the options name; part: not as they stand. Returns the exit status."""
    if kind.results and options.docs:
        return write_results(kind, options)
    whole = options.build / kind.name / f"{kind.name}.json"
    screen = Screen()
    check_names(options.only, kind.runs, "run")
    with take_build_lock(options.build / kind.name, kind.name):
        venv = made(options.build / kind.name / "venv", f"{ROOM}/requirements.txt", "cocotb", children)
        runs = [run for run in kind.runs.values() if (not options.only or run.name in options.only) and (run.short or not options.short)]

        def one(run):
            screen.progress(run.name)
            row = execute(kind, options, children, run, venv, screen)
            screen.say(kind.line(row))
            return row
        with children.pool(options.jobs) as pool:
            rows = list(pool.map(one, runs))
    failed = sum(bool(row["reason"]) for row in rows)
    write_json(whole.with_name("some.json") if part or options.short or options.only else whole,
               dict(rows=rows, passed=len(rows) - failed, failed=failed, **made_by(children, TOOLS)))
    screen.say(f"{kind.name}: {len(rows) - failed} runs passed, {failed} failed")
    return 1 if failed else 0
