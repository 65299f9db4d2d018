# SPDX-License-Identifier: Apache-2.0
"""Judge our own switch behind the adapters of each style of links: make judge-styles (docs/judge.md).

Of each style the watch sees a million flits cross links, and may find nothing. Then each mutant of an adapter that a proof
refutes is run as well, and must be found.
"""

import argparse
import pathlib
import re

from annelid import judge, planted
from annelid.children import Wrong, take_build_lock
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.results import Suite
from annelid.sources import RTL, write

ROOM = pathlib.Path("tb/judge/styles")
STYLES = ("credit", "credit_pulse_shared", "ready_valid", "ready_valid_per_lane", "stop_go")  # in the order of annelid/links.h
# The lanes of an adapter that leads away from our switch lie before the next link, too: queues at outputs.
# So the flits of one input lane may fill its 4 places and all those at 5 outputs of 2 lanes.
DEPTHS = dict.fromkeys(("ready_valid", "ready_valid_per_lane", "stop_go"), 4 + 5 * 2 * 4)
# Where one ready speaks of all lanes, a worm can wait for one whose tail the same link holds back (docs/link.md).
ONE_LANE = ("ready_valid",)
LINKS = "style: {}\nwidth: 34\n{}marks: {{head: 33, tail: 32}}\nhead: {{x: {{at: 0, width: 2}}, y: {{at: 2, width: 2}}}}\n"
MUTANTS = pathlib.Path("tb/formal/mutants_adapter.toml")
EVENTS = 1_000_000
ADAPTERS = {"credit_pulse_shared": "pulse", "ready_valid": "ready", "ready_valid_per_lane": "lane_ready", "stop_go": "stop"}


def options_of(options, cycles):
    return argparse.Namespace(build=options.build, jobs=options.jobs, bug=0, waves=False, trace=None, json=None, plus="",
                              set=[f"run.cycles={cycles}"], hesitation=0.1, patience=1000)


def router_of(options, style, name, instead=None):
    """Returns our switch behind the adapters of a style, with a file in the place of one of ours."""
    room = options.build / "judge/styles"
    links, scenario = room / f"{style}.yaml", room / f"{style}-network.yaml"
    write(links, LINKS.format(style, "queues: outputs\n" if style in DEPTHS else ""))
    text = (ROOM / "network.yaml").read_text()
    lanes = 1 if style in ONE_LANE else 2
    write(scenario, text.replace("depth: 4", f"depth: {DEPTHS.get(style, 4)}").replace("num_vcs: 2", f"num_vcs: {lanes}"))
    product = [path for path in RTL if path.parts[0] == "rtl" and "board" not in path.parts]
    files = [(instead or {}).get(path, path) for path in product]
    return judge.Router(name, [*files, ROOM / "anl_judged_router.sv"], links, scenario, include=[pathlib.Path("rtl/include")],
                        flags=[f"-DANL_STYLE={STYLES.index(style)}"])


def clean(children, options, style):
    """Runs until so many flits have crossed links. Returns the result; Wrong: something was found."""
    events = EVENTS // (20 if options.short else 1)
    network = judge.Judge(children, options_of(options, 2000), router_of(options, style, f"style-{style}"))
    short, _ = network.run()
    network.options.set = [f"run.cycles={events * 2100 // short['flits'] + 1}"]
    result, said = network.run()
    if not result["good"] or result["flits"] < events:
        raise Wrong("\n".join([*said, f"{style}: {judge.verdict(result)}"]))
    return result


def style_of(edit):
    """Returns the style whose adapters have a file; several styles share what is in turn, of which ready_valid is taken."""
    stem = pathlib.Path(edit.file).stem
    found = re.fullmatch(r"anl_(?:credit_to_(\w+)|(\w+)_to_credit)", stem)
    word = found[1] or found[2] if found else "ready"
    return next(style for style, adapter in ADAPTERS.items() if adapter == word)


def mutant(children, options, fault):
    """Runs a mutant of an adapter. Returns what the watch says, or ""."""
    style, edit = style_of(fault["edits"][0]), fault["edits"][0]
    room = options.build / "judge" / f"mutant-{fault['name']}"
    room.mkdir(parents=True, exist_ok=True)
    copy = room / pathlib.Path(edit.file).name
    write(copy, planted.texts([fault])[edit.file])
    router = router_of(options, style, f"mutant-{fault['name']}", {pathlib.Path(edit.file): copy})
    result, said = judge.Judge(children, options_of(options, 4000), router).run()
    assertion = next((line for line in said if "Assertion failed" in line or "%Error" in line), "")
    return "" if result["good"] else f"{style}: {judge.verdict(result)}{' and an assertion' if assertion else ''}"


def main(children):
    options = parser(__doc__, jobs=JOBS, junit=JUNIT, only="styles or mutants", short="a twentieth of the flits, and no mutants")
    options = options.parse_args()
    faults = {fault["name"]: fault for fault in planted.read([MUTANTS], "mutant")}
    check_names(options.only, [*STYLES, *faults], "style or mutant")
    suite = Suite("judge-styles")

    def note(name, said, failure=None):
        suite.case("judge-styles", name, failure)
        print(f"{'FAIL' if failure else 'PASS'}  {name:48} {failure or said}", flush=True)

    def wanted(name):
        return not options.only or name in options.only

    with take_build_lock(options.build, "make judge-styles"):
        for style in filter(wanted, STYLES):
            try:
                result = clean(children, options, style)
                note(style, f"{result['flits']} flits, {result['worms']} worms, {result['cycles']} cycles: no rule broken")
            except Wrong as wrong:
                note(style, "", str(wrong))
        for name, fault in faults.items():
            if wanted(name) and not options.short:
                said = mutant(children, options, fault)
                note(f"mutant {name}", said, None if said else "not found")
    if options.junit:
        suite.write(options.junit / "judge-styles.xml")
    print(f"{suite.passed} passed, {suite.failed} failed")
    return 1 if suite.failed else 0
