# SPDX-License-Identifier: Apache-2.0
"""Judge all open routers of judged/ whose sources are there, with each planted bug: scripts/run judged --sources FOLDER.

FOLDER has a checkout of each project under the name of its repository, such as openpiton; what is missing is left out. --docs
writes judged/README.md of what is there, and keeps the rows of the rest.
"""

import json
import pathlib
import tomllib

from annelid import judge
from annelid.children import Wrong, take_build_lock
from annelid.options import JOBS, check_names, parser
from annelid.sources import write

FOUND, PAGE = judge.JUDGED / "results.json", judge.JUDGED / "README.md"
HEAD = """# Open routers, judged

`scripts/run judged --sources FOLDER --docs` writes this page. Each router stands in the mesh of its scenario, with
the configuration of its folder. *Ran* is without a planted bug, at the load of its scenario, at half load and beyond
saturation. *Accepted* is the most that a terminal accepts, in flits a cycle, and then what our switch accepts with
the same lanes, depth and traffic. What is found of each planted bug is the first rule that is broken, and the cycle.

| router | revision | style | ran: flits, cycles | found | cycles a hop | accepted, ours | lost space | wrong route | mixed worms |
|---|---|---|---|---|---|---|---|---|---|
"""


def home_of(name, sources):
    """Returns the folder that SOURCES= names for a router, or None."""
    said = tomllib.loads(judge.routers()[name].read_text())
    places = [sources / said["repository"].rpartition("/")[2], sources, sources / name]
    return next((place for place in places if (place / said["files"][0]).exists()), None)


def clean(children, options, name, home):
    """Returns what is found of the router as it is: {ran, found, hop, accepted, ours}."""
    network = judge.Judge(children, judge.options_of(options), judge.open_router(name, home))
    flits = cycles = 0
    found = "no rule broken"
    for words in ((), ("traffic.load=0.5", "run.cycles=10000"), ("traffic.load=0.9", "run.cycles=10000")):
        for network.options.hesitation in (0.0, 0.3):
            result, _ = network.run(*words)
            flits, cycles = flits + result["flits"], cycles + result["cycles"]
            if not result["good"] and found == "no rule broken":
                found = judge.verdict(result) + (f" at {words[0]}" if words else "")
    network.options.hesitation = 0.0
    result, _ = network.run("traffic.load=0.9", "run.cycles=6000", "run.warmup_cycles=1000")
    slow, _ = network.run("traffic.load=0.01")
    ours = network.model("traffic.load=0.9", "run.cycles=6000", "run.warmup_cycles=1000")
    return dict(ran=f"{flits:,}, {cycles:,}", found=found, hop=slow["least_hop"], accepted=round(result["accepted"], 3),
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


def judged(children, options, name, home):
    said = tomllib.loads(judge.routers()[name].read_text())
    style = next(line.split()[1] for line in (judge.JUDGED / name / "links.yaml").read_text().splitlines() if line.startswith("style:"))
    row = dict(revision=said["revision"][:8], style=style, **clean(children, options, name, home), bugs=[])
    print(f"{name}: {row['ran']} flits, cycles: {row['found']}", flush=True)
    for number, bug in enumerate(said.get("bug", []), 1):
        row["bugs"].append(with_bug(children, options, name, home, number))
        print(f"{name}: {bug['name']}: {row['bugs'][-1]}", flush=True)
    return row


def page(rows):
    lines = [f"| {name} | {row['revision']} | `{row['style']}` | {row['ran']} | {row['found']} | {row['hop']} | {row['accepted']}, {row['ours']} | "
             f"{' | '.join((row['bugs'] + ['–'] * 3)[:3])} |" for name, row in sorted(rows.items())]
    return HEAD + "\n".join(lines) + "\n"


def main(children):
    options = parser(__doc__, jobs=JOBS, only="routers", docs="write the table")
    options.add_argument("--sources", type=pathlib.Path, required=True, help="folder of checkouts")
    options = options.parse_args()
    check_names(options.only, judge.routers(), "router")
    rows = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    with take_build_lock(options.build, "judged"):
        for name in options.only or judge.routers():
            home = home_of(name, options.sources)
            if not home:
                print(f"{name}: no sources in {options.sources}")
                continue
            try:
                rows[name] = judged(children, options, name, home)
            except Wrong as wrong:
                print(f"{name}: {wrong}")
            if options.docs:
                write(FOUND, json.dumps(rows, indent=1) + "\n")
                write(PAGE, page(rows))
    return 0
