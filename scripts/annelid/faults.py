# SPDX-License-Identifier: Apache-2.0
"""Prove that the green line can turn red: one deliberate fault at a time (docs/faults.md).

Each fault of tb/campaigns/faults/*.toml is applied to a copy of the tree; the lock-step must stop in the right
cycle at the right place, and the referee alone must see what breaks a rule. What the lock-step cannot
see, a unit test or a paper's table must. Prints a line a fault and "N passed, N failed". `make faults`
calls it.
"""

import csv
import pathlib
import shutil

from annelid.children import Wrong, take_build_lock
from annelid.lockstep import key_of, result_of
from annelid.options import JOBS, parser
from annelid.results import Screen, Suite, write_json
from annelid.sources import changed, read_toml

ROOM = pathlib.Path("tb/campaigns/faults")
TREE = ["Makefile", "rtl", "cmodel", "tb", "bench", "scripts"]  # what a copy needs
READY = ["libannelid.a", "cmodel", "lockstep", "setup.ok"]  # built things that a copy starts from
READY_TABLE = ["libannelid_common.a", "libannelid_papers.a", "libannelid_greenberg_oh.a", "programs"]  # also for papers
TABLE = "paper-greenberg-oh"
KINDS = ("rtl", "model", "shared", "table", "harness")


def scenario_file(name):
    return str(ROOM / f"scenarios/{name}.yaml")


def make(children, directory, build, targets):
    children.make(build, "VOPT=-O0", *targets, cwd=directory)


def key_for(children, options, scenario, rules=False):
    """Returns the key of the program, for the lock-step or for the referee alone."""
    words = ["--rules"] if rules else []
    return key_of(children, options.build, scenario_file(scenario), *words) + ("-rules" if rules else "")


def run_lockstep(children, directory, build, key, scenario, extra=()):
    """Runs one scenario; returns (result, report)."""
    program = pathlib.Path(build) / "rtl" / key / "lockstep"
    status, output = children.output([program, "--json", *extra, scenario_file(scenario)], cwd=directory)
    result = result_of(status, output)
    if status not in (0, 1):
        raise Wrong(f"status {status}: {output[-1500:]}")
    return result, output.rstrip().rpartition("\n")[0]


def copy_tree(options, fault):
    directory = options.build / "faults" / f"{fault['kind']}-{fault['name']}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    for name in TREE:
        place = pathlib.Path(name)
        if place.is_dir():
            shutil.copytree(place, directory / place)
        else:
            shutil.copy2(place, directory / place)
    (directory / "build").mkdir()
    for name in READY + (READY_TABLE if fault["kind"] == "table" else []):
        source = options.build / name
        if source.is_dir():
            shutil.copytree(source, directory / "build" / name)
        else:
            shutil.copy2(source, directory / "build" / name)
    return directory


def apply(fault, directory):
    path = directory / fault["file"]
    path.write_text(changed(path, fault["old"], fault["new"]))


def check(expected, result, report):
    """Checks that the result is the expected one. Returns it in words; Wrong if it is another."""
    if result["pass"]:
        raise Wrong("nothing was noticed")
    for item in ("cycle", "place", "what"):
        if result.get(item) != expected[item]:
            raise Wrong(f"expected {item} {expected[item]!r}, reported {result.get(item)!r}\n{report}")
    shown = expected["cycle"] - (expected["what"] == "stalled")  # the last cycle of the run
    report += "\n"
    for said in (f"FIRST DIFFERENCE in cycle {expected['cycle']} at {expected['place']}",
                 "make regress SCENARIO=", f" AT={shown}\n"):
        if said not in report:
            raise Wrong(f"the report does not say {said!r}\n{report}")
    return f"cycle {expected['cycle']} at {expected['place']}: {expected['what']}"


def lock_step_says(children, fault, directory, build, key):
    make(children, directory, build, [f"{build}/rtl/{key}/lockstep"])
    result, report = run_lockstep(children, directory, build, key, fault["scenario"])
    text = "lock-step " + check(fault["expect"], result, report)
    return text + (f" (assertion {result['assertion']})" if "assertion" in result else "")


def referee_says(children, fault, directory, build, key):
    """Runs the referee alone, without the assertions of our modules, which a foreign switch does not have."""
    make(children, directory, build, ["VEXTRA=-DANL_UNASSERTED", f"{build}/rtl/{key}/lockstep"])
    result, report = run_lockstep(children, directory, build, key, fault["scenario"])
    if fault["rules"] != "silent":
        text = "alone " + check(fault["rules"], result, report)
        if fault["rules"]["what"] == "stalled":  # no worms are dead, so it fails even if a stall is expected
            result, report = run_lockstep(children, directory, build, key, fault["scenario"], ["--expect-stall"])
            check(fault["rules"], result, report)
            if "but no worm is dead" not in report:
                raise Wrong(f"a stall without a deadlock counts as one\n{report}")
        return text
    if not result["pass"]:
        raise Wrong(f"referee alone: expected no broken rule, got {result['reason']}\n{report}")
    return "alone silent, no rule is broken"


def try_source(options, children, fault):
    """Tries a fault in the RTL or in the model, in a copy of the tree."""
    directory = copy_tree(options, fault)
    apply(fault, directory)
    key = key_for(children, options, fault["scenario"])
    if fault["kind"] == "model":  # the RTL is unchanged, so what was built of it is used
        shutil.copytree(options.build / "rtl" / key, directory / "build/rtl" / key)
    text = lock_step_says(children, fault, directory, "build", key)
    if fault["kind"] == "rtl":
        key = key_for(children, options, fault["scenario"], True)
        text += "; referee " + referee_says(children, fault, directory, "build", key)
    if "unit" in fault:
        text += "; " + unit_says(children, directory, fault["unit"])
    shutil.rmtree(directory)
    return text


def unit_says(children, directory, name):
    """Runs the unit test in the copy; it must fail."""
    program = f"build/unit/{name}"
    make(children, directory, "build", [program])
    status, output = children.output([program], cwd=directory)
    if status == 0 or "[  FAILED  ]" not in output:
        raise Wrong(f"{name} did not notice\n{output[-1500:]}")
    return f"{name} fails"


def try_shared(options, children, fault):
    """Tries a fault in code that model, RTL and referee share: the lock-step must agree, and the unit test must fail."""
    directory = copy_tree(options, fault)
    apply(fault, directory)
    key = key_for(children, options, fault["scenario"])
    shutil.copytree(options.build / "rtl" / key, directory / "build/rtl" / key)
    make(children, directory, "build", [f"build/rtl/{key}/lockstep"])
    result, report = run_lockstep(children, directory, "build", key, fault["scenario"])
    if not result["pass"]:
        raise Wrong(f"the lock-step was to agree, but {result['reason']}\n{report}")
    text = "lock-step silent; " + unit_says(children, directory, fault["unit"])
    shutil.rmtree(directory)
    return text


def wrong_cells(children, program, directory):
    """Runs the paper's table for small networks; returns the cells that are not as printed."""
    status, output = children.output([program, "--short", "--jobs", "1", "--output", directory])
    if status not in (0, 1):
        raise Wrong(f"status {status}: {output[-1500:]}")
    with (directory / "table1.csv").open() as table:
        return [f"{cell['series']} {cell['N']}" for cell in csv.DictReader(table)
                if cell["verdict"] == "FAIL"]


def try_table(options, children, fault):
    """Tries a wrong rule, the same in model, RTL and referee: the results must differ from those that the paper prints."""
    directory = copy_tree(options, fault)
    apply(fault, directory)
    make(children, directory, "build", [f"build/{TABLE}"])
    wrong = wrong_cells(children, directory / "build" / TABLE, directory / "table")
    missed = [cell for cell in fault["cells"] if cell not in wrong]
    if missed:
        raise Wrong(f"as printed in spite of the fault: {', '.join(missed)}")
    shutil.rmtree(directory)
    return f"table {len(wrong)} cells wrong: {', '.join(wrong)}"


def check_table(options, children):
    make(children, ".", str(options.build), [f"{options.build}/{TABLE}"])
    wrong = wrong_cells(children, options.build / TABLE, options.build / "faults/table")
    if wrong:
        raise Wrong(f"wrong without any fault: {', '.join(wrong)}")
    return "no fault: every cell as printed"


def try_harness(options, children, fault):
    key = key_for(children, options, fault["scenario"])
    result, report = run_lockstep(children, ".", options.build, key, fault["scenario"],
                           ["--tamper", fault["tamper"]])
    return "lock-step " + check(fault["expect"], result, report)


def check_clean(options, children, scenario):
    """Checks that lock-step and referee pass without a fault; otherwise their failures prove nothing."""
    for rules in (False, True):
        key = key_for(children, options, scenario, rules)
        make(children, ".", str(options.build), [f"{options.build}/rtl/{key}/lockstep"])
        result, report = run_lockstep(children, ".", options.build, key, scenario)
        if not result["pass"]:
            raise Wrong(f"fails without any fault: {result['reason']}\n{report}")
    return "no fault: lock-step agrees; referee alone content"


def load(only):
    files = [read_toml(path) for path in sorted(ROOM.glob("*.toml"))]
    faults = [dict(fault, kind=kind) for kind in KINDS
              for data in files for fault in data.get(kind, [])]
    strange = {kind for data in files for kind in data} - set(KINDS)
    strange |= set(only) - {fault["name"] for fault in faults}
    if strange:
        raise Wrong(f"no kind of fault and no name of one: {', '.join(sorted(strange))}")
    return [fault for fault in faults if not only or fault["name"] in only]


class Score:
    def __init__(self):
        self.screen, self.suite = Screen(), Suite("faults")

    def run(self, kind, name, action, *arguments):
        reason = None
        try:
            text = action(*arguments)
        except Wrong as wrong:
            reason = text = str(wrong)
        self.screen.say(f"{'PASS' if reason is None else 'FAIL'}  {kind:<8} {name:<27} {text}")
        self.suite.case(kind, name, reason)


def run_all(options, children, score):
    faults = load(options.only)
    common = [f"{options.build}/lockstep/all"]
    make(children, ".", str(options.build), common)
    scenarios = list(dict.fromkeys(fault["scenario"] for fault in faults if "scenario" in fault))
    one_key_each = {key_for(children, options, name): name for name in scenarios}
    tables = any(fault["kind"] == "table" for fault in faults)
    tries = {"shared": try_shared, "table": try_table, "harness": try_harness}
    with children.pool(options.jobs) as pool:
        def submit(work):
            for done in [pool.submit(score.run, *item) for item in work]:
                done.result()
        submit([("clean", name, check_clean, options, children, name)
                for name in one_key_each.values()])
        submit([("clean", name, check_clean, options, children, name)
                for name in sorted(set(scenarios) - set(one_key_each.values()))])
        submit([("clean", TABLE, check_table, options, children)] if tables else [])
        submit([(fault["kind"], fault["name"], tries.get(fault["kind"], try_source),
                 options, children, fault) for fault in faults])


def main(children):
    options, score = parser(__doc__, jobs=JOBS, only="names of faults").parse_args(), Score()
    with take_build_lock(options.build, "faults"):
        run_all(options, children, score)
    suite, report = score.suite, "some.json" if options.only else "faults.json"
    write_json(options.build / "faults" / report, dict(passed=suite.passed, failed=suite.failed))
    return suite.end(options.build / "faults/junit.xml")
