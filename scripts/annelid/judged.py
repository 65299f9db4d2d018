# SPDX-License-Identifier: Apache-2.0
"""Judge all open routers of judged/ whose sources are there, with each planted bug: scripts/run judged --sources FOLDER.

FOLDER has a checkout of each project under the name of its repository, such as openpiton; what is missing is left out. --docs
writes judged/README.md of what is there, and keeps the rows of the rest.
"""

import json
import pathlib

from annelid import judge
from annelid.children import Wrong, take_build_lock
from annelid.options import JOBS, check_names, parser
from annelid.sources import write

FOUND, PAGE = judge.JUDGED / "results.json", judge.JUDGED / "README.md"
COLUMNS = ("router", "revision", "style", "ran: flits, cycles", "found", "cycles a hop", "accepted, ours", "lost space", "wrong route", "mixed worms")
HEAD = """# Open routers, judged

`scripts/run judged --sources FOLDER --docs` writes this page. Each router stands in the mesh of its scenario, with
the configuration of its folder. *Ran* is without a planted bug, at the load of its scenario, at half load and beyond
saturation. *Accepted* is the most that a terminal accepts, in flits a cycle, and then what our switch accepts with
the same lanes, depth and traffic. What is found of each planted bug is the first rule that is broken, and the cycle.
Where *found* has two verdicts, the router breaks a rule of its own, and `mended` in its `router.toml` says the cure.
The second verdict and the other columns are then of the mended router.

"""
TERMINAL_CYCLES = 90_000  # of all terminals together, in a run: with fewer of them it is longer


def home_of(name, sources):
    """Returns the folder that SOURCES= names for a router, or None."""
    said = judge.said_of(name)
    places = [sources / said["repository"].rpartition("/")[2], sources, sources / name]
    return next((place for place in places if (place / said["files"][0]).exists()), None)


def runs(network):
    """Returns flits and cycles of runs at the load of the scenario, at half load and beyond saturation, and the first verdict
    that is bad."""
    flits = cycles = 0
    found = "no rule broken"
    length = f"run.cycles={TERMINAL_CYCLES // network.terminals}"
    for words in ((), ("traffic.load=0.5", length), ("traffic.load=0.9", length)):
        for network.options.hesitation in (0.0, 0.3):
            result, _ = network.run(*words)
            flits, cycles = flits + result["flits"], cycles + result["cycles"]
            if not result["good"] and found == "no rule broken":
                found = judge.verdict(result) + (f" at {words[0]}" if words else "")
    return flits, cycles, found


def clean(children, options, name, home):
    """Returns what is found of the router as it is: {ran, found, hop, accepted, ours}. If it has an error of its own: all but
    `found` of the mended one, whose own verdict is `mended`."""
    verdicts = {}
    network = judge.Judge(children, judge.options_of(options), judge.open_router(name, home))
    flits, cycles, verdicts["found"] = runs(network)
    if network.router.mended:
        network = judge.Judge(children, judge.options_of(options, mended=True), judge.open_router(name, home))
        flits, cycles, verdicts["mended"] = runs(network)
    network.options.hesitation = 0.0
    result, _ = network.run("traffic.load=0.9", "run.cycles=6000", "run.warmup_cycles=1000")
    slow, _ = network.run("traffic.load=0.01")
    ours = network.model("traffic.load=0.9", "run.cycles=6000", "run.warmup_cycles=1000")
    return dict(ran=f"{flits:,}, {cycles:,}", **verdicts, hop=slow["least_hop"], accepted=round(result["accepted"], 3),
                ours=round(ours["accepted_load"], 3))


def with_bug(children, options, name, home, number):
    """Returns what is found with a planted bug, at the load of the scenario and then at higher ones."""
    network = judge.Judge(children, judge.options_of(options, bug=number), judge.open_router(name, home))
    for words in ((), ("traffic.load=0.4", "run.cycles=10000")):
        for network.options.hesitation in (0.1, 0.4):
            result, _ = network.run(*words)
            if not result["good"]:
                return judge.verdict(result)
    return "not found"


def known(name):
    """Returns what is said of a router before any run."""
    style = next(line.split()[1] for line in (judge.JUDGED / name / "links.yaml").read_text().splitlines() if line.startswith("style:"))
    return dict(revision=judge.said_of(name)["revision"][:8], style=style)


def judged(children, options, name, home):
    said = judge.said_of(name)
    row = dict(**known(name), **clean(children, options, name, home), bugs=[])
    print(f"{name}: {row['ran']} flits, cycles: {verdicts_of(row)}", flush=True)
    for number, bug in enumerate(said.get("bug", []), 1):
        row["bugs"].append(with_bug(children, options, name, home, number))
        print(f"{name}: {bug['name']}: {row['bugs'][-1]}", flush=True)
    return row


def verdicts_of(row):
    return row["found"] + (f"; mended: {row['mended']}" if "mended" in row else "")


def cells(name, row):
    """Returns what the page says of a router: what was found, or why nothing was."""
    first = row or known(name)
    first = [name, first["revision"], f"`{first['style']}`"]
    if not row:
        return [*first, "–", f"not judged: needs {judge.said_of(name).get('needs', 'a run')}", *["–"] * 5]
    return [*first, row["ran"], verdicts_of(row), str(row["hop"]), f"{row['accepted']}, {row['ours']}", *(row["bugs"] + ["–"] * 3)[:3]]


def page(rows):
    lines = [COLUMNS, *(cells(name, rows.get(name)) for name in judge.routers())]
    head, *rest = [f"| {' | '.join(line)} |\n" for line in lines]
    return "".join([HEAD, head, f"|{'---|' * len(COLUMNS)}\n", *rest])


def note(name, row):
    """Writes a row, and keeps those that other runs have written meanwhile."""
    rows = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    rows = dict(sorted((rows | {name: row}).items()))
    write(FOUND, json.dumps(rows, indent=1) + "\n")
    write(PAGE, page(rows))


def main(children):
    options = parser(__doc__, jobs=JOBS, only="routers", docs="write the table")
    options.add_argument("--sources", type=pathlib.Path, required=True, help="folder of checkouts")
    options = options.parse_args()
    check_names(options.only, judge.routers(), "router")
    with take_build_lock(options.build, "judged"):
        for name in options.only or judge.routers():
            home = home_of(name, options.sources)
            if not home:
                print(f"{name}: no sources in {options.sources}")
                continue
            try:
                row = judged(children, options, name, home)
            except Wrong as wrong:
                print(f"{name}: {wrong}")
                continue
            if options.docs:
                note(name, row)
    return 0
