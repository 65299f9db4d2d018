# SPDX-License-Identifier: Apache-2.0
"""Bugs planted into switches, which the watch in cocotb must name with rule and cycle, in Icarus (docs/cocotb.md).

Each bug of tb/campaigns/cocotb/bugs.toml stands in a row of two of our switches, behind adapters of its style of links; the
router of docs/judge.md, which has an error of its own, in the mesh of its page. The terminals are those of `make judge`. So what
the watch in cocotb says is held against what the table expects, against the driver's own watch in the same simulation, and
against `make judge` in Verilator, which the short form leaves out. Then what the watch costs is measured, in meshes with streams.
With --sources the open routers of judged/ that Icarus reads are run, too: as they are, and with each bug of their own list.
Report in BUILD/cocotb/cocotb.json.
"""

import dataclasses
import json
import pathlib
import shutil
import statistics

from annelid import judge, judge_styles, judged, planted
from annelid.children import Wrong
from annelid.cocotb_venv import environment, variables
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.results import Results, chapters, markdown, run_campaign
from annelid.sources import replaced, write
from annelid.stock import ROOM as STOCK, labels

TEST, OVERHEAD = "tb/campaigns/cocotb/judged.py", "tb/campaigns/cocotb/overhead.py"
COSTS = {f"overhead_{k}": k for k in (2, 3, 4)}  # meshes of which the cost of the watch is measured
CYCLES, ROUNDS = 40, 2  # of the bench, with and without the watch in turn
OF_PAGE = "page"  # the style of bugs in the router of docs/judge.md, with its links and network
MESH = judge_styles.MESH.changed("network", k=2, n=1).changed("run", cycles=600, warmup_cycles=0)
HESITATION, PATIENCE = 0.1, 1000
OUTSIDE = ("openpiton_dynamic_node", "stanford")  # routers of judged/ that Icarus 11 reads (docs/cocotb.md)
OUTSIDE_SETTINGS = ["run.cycles=600", "run.warmup_cycles=0"]


@dataclasses.dataclass(frozen=True)
class Bug:
    name: str
    style: str
    why: str
    expect: dict
    edits: tuple = ()
    sample: bool = False


def bugs():
    """Returns the bugs by name."""
    return {one["name"]: Bug(one["name"], one["style"], one["why"], one["expect"], tuple(one["edits"]), one.get("sample", False))
            for one in planted.read([planted.COCOTB], "cocotb")}


def router_of(children, options, bug, room):
    """Returns the router with the bug in it, whose files that are changed are in `room`."""
    if bug.style == OF_PAGE:
        home = pathlib.Path("docs/judge")
        router = judge.Router(bug.name, [home / "my_router.sv", home / "wrapper.sv"], home / "links.yaml", home / "network.yaml")
    else:
        mesh = MESH.changed("switch", num_vcs=1) if bug.style in judge_styles.ONE_LANE else MESH
        router = judge_styles.router_of(children, options, bug.style, mesh, f"cocotb-{bug.name}")
    router.asserts = False  # those of our switch, which must not speak before the watch does
    for edit in bug.edits:
        path = next(path for path in router.files if path in (pathlib.Path(edit.file), room / pathlib.Path(edit.file).name))
        copy = room / path.name
        write(copy, replaced(path.read_text(), edit.old, edit.new, path))
        router.files[router.files.index(path)] = copy
    return router


class Open(judge.Bench):
    """The network of `make judge` as a module whose terminals are outside."""

    def text(self):
        network, terminals = self.network, self.network["terminals"]
        widths = {"valid": 1, "vc": self.wide, "flit": network["width"], "back": network["back"]}

        def port(direction, name, kind):
            return f"  {direction} logic [{terminals * widths[kind] - 1}:0] {name}_{kind}"
        ports = ["  input  logic clk", "  input  logic rst", "  input  logic quiet", *(port("input ", "inj", kind) for kind in ("valid", "vc", "flit")),
                 port("input ", "ej", "back")]
        into = [f"  assign {self.names(kind, self.injection)} = inj_{kind};" for kind in ("valid", "vc", "flit")]
        return "\n".join([
            "// Written by `make cocotb-bugs`: the network of a scenario, whose terminals are in Python.",
            "module top (", ",\n".join(ports), ");",
            f"  localparam int NumVcs = {network['num_vcs']}, FlitW = {network['width']}, BackW = {network['back']};",
            *self.signals(), *into, f"  assign {self.names('back', self.ejection)} = ej_back;",
            *(line for number in range(network["switches"]) for line in self.switch(number)), "endmodule", ""])


def of_icarus(flags):
    """Returns those flags of Verilator that Icarus has, too: each with its value."""
    words = iter(flags)
    return [f"-y {next(words)}" if word == "-y" else word for word in words if word.startswith(("-y", "-D"))]


def in_cocotb(said, children, router, venv, room):
    """Returns what the watch in cocotb finds, in Icarus. said: options as of `make judge`."""
    network = judge.network_of(children, said, router)
    bench = Open(router, network)
    write(room / "top.sv", bench.text())
    write(room / "top.f", "".join(f"+incdir+{path.resolve()}\n" for path in router.include)
          + "".join(f"{path.resolve()}\n" for path in [*router.files, room / "top.sv"] if path.suffix != ".vlt")
          + "".join(f"{line}\n" for line in of_icarus(router.flags)))
    job = dict(scenario=str(router.scenario.resolve()), settings=said.set, links=str(router.links.resolve()),
               hesitation=said.hesitation, patience=said.patience,
               terminals=network["terminals"], injection=bench.injection, ejection=bench.ejection, all=bench.links,
               vcw=bench.wide, width=network["width"], back=network["back"], reset_cycles=router.reset_cycles, quiet_cycles=router.quiet_cycles, probes=bench.probes() | {"reset": "quiet"})
    write(room / "job.json", json.dumps(job) + "\n")
    return simulated(children, venv, TEST, room)


def simulated(children, venv, test, room):
    """Runs a test in Icarus. Returns what it has found."""
    (room / "found.json").unlink(missing_ok=True)
    status, log = children.output([venv / "bin/python", f"{STOCK}/simulate.py", "4", test, room], variables(venv, children))
    (room / "log").write_text(log)
    if not (room / "found.json").exists():
        raise Wrong(f"{room.name}: status {status}, see {room}/log\n{log[-1500:]}")
    return json.loads((room / "found.json").read_text())


def in_judge(said, children, router, room):
    """Returns what `make judge` says of the same run, in Verilator."""
    report = said.json = room / "judge-report.json"
    result, _ = judge.Judge(children, said, router).run()
    found = json.loads(report.read_text())[0] if result["what"] else {}
    return dict(what=result["what"], cycle=result["cycle"], place=found.get("link"), report=found)


def reason_of(row, wrong):
    """Returns why a run is not as it must be, or "". wrong: what is wrong with what was found."""
    found, driver, verilator = row["found"], row["driver"], row.get("judge")
    if wrong:
        return wrong
    if driver != ([found["what"], found["cycle"]] if found else None):
        return f"the watch of the terminals says {driver}"
    if verilator and (verilator["what"], verilator["cycle"]) != (found.get("what", ""), found.get("cycle", 0)):
        return f"make judge says {verilator['what']} in cycle {verilator['cycle']}"
    return ""


def run_of(campaign, name, made, venv, wrong_of, **given):
    """Runs a router, says what is found, and returns its row. made: makes it, for a room. wrong_of: says what is wrong with what
    was found. given: options as of `make judge`."""
    options, children, room = campaign.options, campaign.children, (campaign.room / "faults" / name).resolve()
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    said = judge.options_of(options, hesitation=HESITATION, patience=PATIENCE, **given)
    router = made(room)
    row = dict(name=name, **in_cocotb(said, children, router, venv, room))
    if not (options.short or options.no_judge):
        row["judge"] = in_judge(said, children, router, room)
    found = row["found"]
    row["reason"] = reason_of(row, wrong_of(found))
    what = f"{found['what']} in cycle {found['cycle']} at {found['place']}, worm {found['worm']}" if found else "no rule broken"
    campaign.screen.say(f"{'FAIL' if row['reason'] else 'PASS'}  {name:<40} {what}{': ' + row['reason'] if row['reason'] else ''}")
    campaign.suite.case("cocotb-bugs", name, row["reason"] or None)
    return row


def bug_found(campaign, bug, venv):
    """Runs one of our switches with a bug."""
    def wrong_of(found):
        seen = {key: found.get(key) for key in ("cycle", "place", "what")}
        return "" if seen == bug.expect else f"found {seen}, expected {bug.expect}"
    row = run_of(campaign, bug.name, lambda room: router_of(campaign.children, campaign.options, bug, room), venv, wrong_of)
    return dict(style=bug.style, why=bug.why, **row)


# --- routers from outside ---

def outside(sources):
    """Returns the runs of routers whose sources are there, by name: router, folder of its sources, and number of its bug; 0: none."""
    homes = {name: judged.home_of(name, sources.resolve()) for name in OUTSIDE} if sources else {}
    numbers = {name: [0, *range(1, len(judge.said_of(name)["bug"]) + 1)] for name, home in homes.items() if home}
    return {f"{name}-{number}" if number else name: (name, homes[name], number) for name, all_ in numbers.items() for number in all_}


def outside_run(campaign, name, router_name, home, number, venv):
    """Runs an open router, with a bug of its own list or without."""
    bugs_of = judge.said_of(router_name)["bug"]
    bug = bugs_of[number - 1] if number else {}

    def made(room):
        router = judge.open_router(router_name, home)
        if number:
            judge.planted(router, number, room)
        return router

    def wrong_of(found):
        if bool(found) == bool(number) and found.get("what") in [*bug.get("rules", []), None]:
            return ""
        return f"found {found.get('what')}, expected {' or '.join(bug['rules']) if bug else 'no rule broken'}"
    row = run_of(campaign, name, made, venv, wrong_of, set=OUTSIDE_SETTINGS)
    return dict(router=router_name, why=bug.get("why", "–"), **row)


# --- what the watch costs ---

def overhead(campaign, k, venv):
    """Returns the processor seconds of a bench without and with the watch, for a mesh of k x k with streams."""
    options, children, room = campaign.options, campaign.children, (campaign.room / "overhead" / f"mesh{k}").resolve()
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    write(room / "network.yaml", f"network: {{topology: mesh, k: {k}, n: 2}}\nswitch: {{num_vcs: 2, depth: 4}}\n")
    children.must([options.build / "annelid", "rtl", room / "network.yaml", "-o", room, "--name", "top", "--ports", "axis", "--per-terminal"])
    write(room / "job.json", json.dumps(dict(terminals=k * k, labels=labels(k), cycles=CYCLES, rounds=ROUNDS)) + "\n")
    found = simulated(children, venv, OVERHEAD, room)
    plain, watched, inside = (statistics.median(found[name]) for name in ("plain", "watched", "inside"))
    campaign.screen.say(f"PASS  overhead of {found['links']} links: {CYCLES} cycles, {plain:.2f} s of the bench, {watched:.2f} s with the watch")
    campaign.suite.case("cocotb-bugs", f"overhead_{k}", None if found["good"] and found["flits"] else "the watch found something")
    return dict(k=k, links=found["links"], flits=found["flits"], plain=plain, watched=watched, inside=inside)


def run_all(campaign):
    options, known = campaign.options, bugs()
    known_outside = outside(options.sources)
    names = options.only or ([name for name, bug in known.items() if bug.sample] if options.short else [*known, *known_outside, *COSTS])
    venv = environment(options.build, campaign.children)
    rows = [bug_found(campaign, bug, venv) for name, bug in known.items() if name in names]
    others = [outside_run(campaign, name, *one, venv) for name, one in known_outside.items() if name in names]
    costs = [overhead(campaign, k, venv) for name, k in COSTS.items() if name in names]
    part = bool(options.short or options.only or options.no_judge)
    good = sum(not row["reason"] for row in [*rows, *others])
    return campaign.end(f"{good} of {len(rows) + len(others)} runs named as expected", part=part, rows=rows, outside=others, costs=costs)


def tables(report):
    """Returns the tables of docs/results/cocotb.md."""
    named = [[row["name"], f"`{row['style']}`", row["why"], f"`{row['found']['what']}`", row["found"]["cycle"], row["found"]["place"]]
             for row in report["rows"]]
    costs = [[f"{row['k']} × {row['k']}", row["links"], *(f"{1000 * row[name] / CYCLES:.1f}" for name in ("plain", "watched", "inside")),
              f"{1 + row['inside'] / row['plain']:.3f}", f"{1e6 * row['inside'] / CYCLES / row['links']:.1f}"] for row in report["costs"]]
    others = [[row["router"], row["why"], row["cycles"], *([f"`{row['found']['what']}`", row["found"]["cycle"], row["found"]["place"] or "–"] if row["found"]
                                                            else ["no rule broken", "–", "–"])] for row in report.get("outside", [])]
    return chapters({"Bugs": markdown(["bug", "links", "what it does", "found", "cycle", "link"], named),
                     **({"Open routers": markdown(["router", "planted", "cycles", "found", "cycle", "link"], others)} if others else {}),
                     "What the watch costs": markdown(["mesh", "links", "ms a cycle without", "with", "in the watch", "ratio", "µs a link and cycle"], costs)})


RESULTS = Results("cocotb", "The watch in cocotb, in Icarus", "cocotb.md", "cocotb-bugs --docs", tables, ("IVERILOG", "VERILATOR"))


def main(children):
    known = [*bugs(), *COSTS]
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, short="one bug, and none in Verilator",
                 only=f"bugs by name: {', '.join(known)}; with --sources also {', '.join(OUTSIDE)}, with -1 … behind it for a bug of its list",
                 docs=f"write {RESULTS.path} from the last report")
    one.add_argument("--sources", type=pathlib.Path, help="folder of checkouts of open routers, as of scripts/run judged")
    one.add_argument("--no-judge", action="store_true", help="leave out make judge, which builds each network in Verilator")
    options = one.parse_args()
    check_names(options.only, [*known, *outside(options.sources)], "bug")
    return run_campaign("cocotb", options, children, run_all, results=RESULTS)
