# SPDX-License-Identifier: Apache-2.0
"""Prove that the green line can turn red: one deliberate fault at a time (docs/faults.md).

Each fault of tb/campaigns/faults/*.toml is applied to a copy of the tree; the lock-step must stop in the right
cycle at the right place, and the referee alone must see what breaks a rule. What the lock-step cannot
see, a unit test or a paper's table must. Prints a line a fault and "N passed, N failed". `make faults`
calls it.
"""

import contextlib
import csv
import functools
import pathlib
import shutil
import threading

from annelid.children import Wrong
from annelid.dut import is_inside
from annelid.lockstep import network_of, result_of
from annelid.options import JOBS, check_names, parser
from annelid.planted import lockstep, plant, read
from annelid.results import attempt, run_campaign
from annelid.slices import kinds
from annelid.sources import read_toml, write

TREE = ["Makefile", "LICENSE", "install", "python", "rtl", "cmodel", "papers", "tb", "bench", "scripts"]  # what a copy needs
READY = ["libannelid.a", "cmodel", "lockstep", "setup-model.ok", "setup-regress.ok"]  # built things that a copy starts from
READY_TABLE = ["libannelid_common.a", "libannelid_papers.a", "libannelid_greenberg_oh.a", "programs"]  # also for papers
TABLE = "paper-greenberg-oh"
KINDS = ("rtl", "model", "shared", "table", "harness")


def write_scenarios(place):
    """Writes the scenarios of all tables and what they read as files. Returns {name: path of the scenario}."""
    paths = {}
    for table in lockstep():
        data = read_toml(table)
        for kind, ending in (("scenarios", "yaml"), ("messages", "txt"), ("matrices", "csv")):
            for name, text in data.get(kind, {}).items():
                path = place.absolute() / f"{name}.{ending}"
                if str(path) in paths:
                    raise Wrong(f"{table}: {kind} of this name are in {paths[str(path)]} already: {name}")
                paths[str(path)] = table
                write(path, text)
    return {pathlib.Path(path).stem: path for path in paths if path.endswith(".yaml")}


def make(children, directory, build, targets):
    # What is built in a copy runs for a moment, so it is not optimized (cmodel.mk, CALLED).
    quick = [] if directory == "." else ["CFLAGS=-O1 -Dalways_inline=unused"]
    children.make(build, "VOPT=-O0", *quick, *targets, cwd=directory)


@functools.cache
def ends():
    """Returns {name of a scenario: the option of the lock-step that says how it ends}."""
    return {name: end for table in lockstep() for name, end in read_toml(table).get("ends", {}).items()}


def run_lockstep(children, directory, build, network, scenario, extra=()):
    """Runs one scenario; returns (result, report)."""
    program = pathlib.Path(build) / "rtl" / network.program
    name = pathlib.Path(scenario).stem
    end = [ends()[name]] if name in ends() else []
    status, output = children.output([program, "--json", *network.words, *end, *extra, scenario], cwd=directory)
    result = result_of(status, output)
    if status not in (0, 1):
        raise Wrong(f"status {status}: {output[-1500:]}")
    return result, output.rstrip().rpartition("\n")[0]


def copy_tree(options, children, fault):
    """Returns the directory of a copy of the tree that has the fault."""
    directory = options.build / "faults" / f"{fault['kind']}-{fault['name']}"
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "build").mkdir(parents=True)
    ready = READY + (READY_TABLE if fault["kind"] == "table" else [])
    children.must(["cp", "-a", *TREE, directory])
    children.must(["cp", "-a", *(options.build / name for name in ready), directory / "build"])
    plant([fault], directory.joinpath)
    return directory


FOUND_LATE = ("referee: lost_credit",)  # when nothing moves any more: what is in waves of the cycle shows nothing


def has_waves(scenario):
    """Says whether there are waves of a scenario, and so a command for them in a report (docs/lockstep.md)."""
    text = pathlib.Path(scenario).read_text()
    return not any(words in text for words in ("link_cycles", *(module.NO_WAVES for module in kinds().values() if module.NO_WAVES)))


def check(expected, scenario, result, report):
    """Checks that the result is the expected one. Returns it in words; Wrong if it is another."""
    if result["pass"]:
        raise Wrong("nothing was noticed")
    for item in ("cycle", "place", "what"):
        if result.get(item) != expected[item]:
            raise Wrong(f"expected {item} {expected[item]!r}, reported {result.get(item)!r}\n{report}")
    shown = expected["cycle"] - (expected["what"] == "stalled")  # the last cycle of the run
    late = expected["what"] in FOUND_LATE
    report += "\n"
    for said in (f"FIRST DIFFERENCE in cycle {expected['cycle']} at {expected['place']}",
                 "make regress SCENARIO=", expected.get("says", ""), f" AT={shown}\n" if has_waves(scenario) and not late else ""):
        if said not in report:
            raise Wrong(f"the report does not say {said!r}\n{report}")
    return f"cycle {expected['cycle']} at {expected['place']}: {expected['what']}"


def prelude_of(fault):
    return ["--prelude", str(fault["prelude"])] if "prelude" in fault else []


def copy_built(options, network, directory):
    """Takes what was built of a network whose RTL has no fault to the copy of the tree."""
    for name in [network.program, *network.folders]:
        built, copied = options.build / "rtl" / name, directory / "build/rtl" / name
        if built.is_dir():
            shutil.copytree(built, copied, dirs_exist_ok=True)
        elif built.exists():
            copied.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(built, copied)


def lock_step_says(children, fault, directory, network):
    make(children, directory, "build", network.targets("build/rtl"))
    result, report = run_lockstep(children, directory, "build", network, fault["scenario"], prelude_of(fault))
    text = "lock-step " + check(fault["expect"], fault["scenario"], result, report)
    return text + (f" (assertion {result['assertion']})" if "assertion" in result else "")


def referee_says(children, fault, directory, network):
    """Runs the referee alone, without the assertions of our modules, which a foreign switch does not have."""
    remove_built(network, directory)
    make(children, directory, "build", ["VEXTRA=-DANL_UNASSERTED", *network.targets("build/rtl")])
    result, report = run_lockstep(children, directory, "build", network, fault["scenario"], prelude_of(fault))
    if fault["rules"] != "silent":
        text = "alone " + check(fault["rules"], fault["scenario"], result, report)
        if fault["rules"]["what"] == "stalled":  # no worms are dead, so it fails even if a stall is expected
            result, report = run_lockstep(children, directory, "build", network, fault["scenario"], ["--expect-stall"])
            check(fault["rules"], fault["scenario"], result, report)
            if "but no worm is dead" not in report:
                raise Wrong(f"a stall without a deadlock counts as one\n{report}")
        return text
    if not result["pass"]:
        raise Wrong(f"referee alone: expected no broken rule, got {result['reason']}\n{report}")
    return "alone silent, no rule is broken"


def remove_built(network, directory):
    for name in network.folders:
        shutil.rmtree(directory / "build/rtl" / name, ignore_errors=True)


def assertion_says(children, fault, directory, network):
    """Runs the referee with the assertions of our modules, of which one must fail."""
    remove_built(network, directory)
    make(children, directory, "build", network.targets("build/rtl"))
    result, report = run_lockstep(children, directory, "build", network, fault["scenario"], prelude_of(fault))
    return "with assertions " + check(fault["asserted"], fault["scenario"], result, report)


def try_source(options, children, fault, directory):
    """Tries a fault in the RTL, in what writes the RTL of graphs, or in the model."""
    make(children, directory, "build", ["build/lockstep/params"])
    whole = fault.get("whole", False) or fault["kind"] == "rtl" and not all(is_inside(pathlib.Path(one.file)) for one in fault["edits"])
    network = network_of(children, directory / "build", fault["scenario"], whole=whole)
    if fault["kind"] == "model":
        copy_built(options, network, directory)
    text = ("whole: " if whole else "") + lock_step_says(children, fault, directory, network)
    if fault["kind"] == "rtl":
        network = network_of(children, directory / "build", fault["scenario"], "rules", whole)
        text += "; referee " + referee_says(children, fault, directory, network)
        if "asserted" in fault:
            text += ", " + assertion_says(children, fault, directory, network)
    if "unit" in fault:
        text += "; " + unit_says(children, directory, fault["unit"])
    return text


def unit_says(children, directory, name):
    """Runs the unit test in the copy; it must fail."""
    program = f"build/unit/{name}"
    make(children, directory, "build", [program])
    status, output = children.output([program], cwd=directory)
    if status == 0 or "[  FAILED  ]" not in output:
        raise Wrong(f"{name} did not notice\n{output[-1500:]}")
    return f"{name} fails"


def try_shared(options, children, fault, directory):
    """Tries a fault in code that model, RTL and referee share: the lock-step must agree, and the unit test must fail."""
    make(children, directory, "build", ["build/lockstep/params"])
    network = network_of(children, directory / "build", fault["scenario"])
    copy_built(options, network, directory)
    make(children, directory, "build", network.targets("build/rtl"))
    result, report = run_lockstep(children, directory, "build", network, fault["scenario"])
    if not result["pass"]:
        raise Wrong(f"the lock-step was to agree, but {result['reason']}\n{report}")
    return "lock-step silent; " + unit_says(children, directory, fault["unit"])


def wrong_cells(children, program, directory):
    """Runs the paper's table for small networks; returns the cells that are not as printed."""
    status, output = children.output([program, "--short", "--jobs", "1", "--output", directory])
    if status not in (0, 1):
        raise Wrong(f"status {status}: {output[-1500:]}")
    with (directory / "table1.csv").open() as table:
        return [f"{cell['series']} {cell['N']}" for cell in csv.DictReader(table)
                if cell["verdict"] == "FAIL"]


def try_table(_options, children, fault, directory):
    """Tries a wrong rule, the same in model, RTL and referee: the results must differ from those that the paper prints."""
    make(children, directory, "build", [f"build/{TABLE}"])
    wrong = wrong_cells(children, directory / "build" / TABLE, directory / "table")
    missed = [cell for cell in fault["cells"] if cell not in wrong]
    if missed:
        raise Wrong(f"as printed in spite of the fault: {', '.join(missed)}")
    return f"table {len(wrong)} cells wrong: {', '.join(wrong)}"


def check_table(options, children):
    make(children, ".", str(options.build), [f"{options.build}/{TABLE}"])
    wrong = wrong_cells(children, options.build / TABLE, options.build / "faults/table")
    if wrong:
        raise Wrong(f"wrong without any fault: {', '.join(wrong)}")
    return "no fault: every cell as printed"


def try_harness(options, children, fault):
    network = network_of(children, options.build, fault["scenario"])
    result, report = run_lockstep(children, ".", options.build, network, fault["scenario"], ["--tamper", fault["tamper"]])
    return "lock-step " + check(fault["expect"], fault["scenario"], result, report)


def try_fault(options, children, fault):
    """Tries a fault in a copy of the tree, which stays there unless the fault is caught as it should be."""
    if fault["kind"] == "harness":
        return try_harness(options, children, fault)
    directory = copy_tree(options, children, fault)
    text = {"shared": try_shared, "table": try_table}.get(fault["kind"], try_source)(options, children, fault, directory)
    shutil.rmtree(directory)
    return text


def check_clean(options, children, scenario, alone):
    """Checks that lock-step and, if it is asked alone, referee pass without a fault; otherwise their failures prove nothing."""
    for mode in ("exact", "rules")[:1 + alone]:
        network = network_of(children, options.build, scenario, mode)
        with contextlib.ExitStack() as stack:  # networks have programs and parts in common
            for name in sorted([network.program, *network.folders]):
                stack.enter_context(options.building.setdefault(name, threading.Lock()))
            make(children, ".", str(options.build), network.targets(f"{options.build}/rtl"))
        result, report = run_lockstep(children, ".", options.build, network, scenario)
        if not result["pass"]:
            raise Wrong(f"fails without any fault: {result['reason']}\n{report}")
    return "no fault: lock-step agrees" + alone * "; referee alone content"


def load(only, paths):
    """Returns the faults with these names, or all, each with the path of its scenario in the place of its name."""
    faults = read(lockstep(), *KINDS)
    for fault in faults:
        if "scenario" in fault:
            check_names([fault["scenario"]], paths, "scenario")
            fault["scenario"] = paths[fault["scenario"]]
    check_names(only, [fault["name"] for fault in faults], "fault")
    return [fault for fault in faults if not only or fault["name"] in only]


def run_all(campaign):
    options, children = campaign.options, campaign.children
    faults = load(options.only, write_scenarios(options.build / "faults/scenarios"))
    make(children, ".", str(options.build), [f"{options.build}/lockstep/all"])
    scenarios = list(dict.fromkeys(fault["scenario"] for fault in faults if "scenario" in fault))
    alone = {fault["scenario"] for fault in faults if fault["kind"] == "rtl"}
    options.building = {}
    tables = any(fault["kind"] == "table" for fault in faults)

    def one(job):
        kind, name, action, *arguments = job
        text, reason, _ = attempt(action, options, children, *arguments)
        campaign.screen.say(f"{'FAIL' if reason else 'PASS'}  {kind:<8} {name:<27} {reason or text}")
        campaign.suite.case(kind, name, reason)
    campaign.each(one, [("clean", pathlib.Path(path).stem, check_clean, path, path in alone) for path in scenarios],
                  "runs without a fault")
    campaign.each(one, [("clean", TABLE, check_table)] if tables else [], "tables without a fault")
    campaign.each(one, [(fault["kind"], fault["name"], try_fault, fault) for fault in faults], "faults")
    return campaign.end(f"{len(faults)} faults")


def main(children):
    options = parser(__doc__, jobs=JOBS, only="names of faults").parse_args()
    return run_campaign("faults", options, children, run_all, whole_build=True)
