# SPDX-License-Identifier: Apache-2.0
"""Judge our own switch behind the adapters of each style of links: make judge-styles (docs/judge.md).

Of each style the watch sees a million flits cross links, and may find nothing.
"""

import pathlib

from annelid import judge
from annelid.children import Wrong, take_build_lock
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.results import Suite
from annelid.sources import RTL, write

ROOM = pathlib.Path("tb/judge/styles")
# The lanes of an adapter that leads away from our switch lie before the next link, too: queues at outputs.
# So the flits of one input lane may fill its 4 places and all those at 5 outputs of 2 lanes.
DEPTHS = dict.fromkeys(("ready_valid", "ready_valid_per_lane", "stop_go"), 4 + 5 * 2 * 4)
# Where one ready speaks of all lanes, a worm can wait for one whose tail the same link holds back (docs/link.md).
ONE_LANE = ("ready_valid",)
LINKS = "style: {}\nwidth: 34\n{}marks: {{head: 33, tail: 32}}\nhead: {{x: {{at: 0, width: 2}}, y: {{at: 2, width: 2}}}}\n"
EVENTS = 1_000_000


def router_of(options, style):
    """Returns our switch behind the adapters of a style."""
    room = options.build / "judge/styles"
    links, scenario = room / f"{style}.yaml", room / f"{style}-network.yaml"
    write(links, LINKS.format(style, "queues: outputs\n" if style in DEPTHS else ""))
    text = (ROOM / "network.yaml").read_text()
    lanes = 1 if style in ONE_LANE else 2
    write(scenario, text.replace("depth: 4", f"depth: {DEPTHS.get(style, 4)}").replace("num_vcs: 2", f"num_vcs: {lanes}"))
    product = [path for path in RTL if path.parts[0] == "rtl" and "board" not in path.parts]
    return judge.Router(f"style-{style}", [*product, ROOM / "anl_judged_router.sv"], links, scenario, include=[pathlib.Path("rtl/include")],
                        flags=[f"-DANL_STYLE={judge.STYLES.index(style)}"])


def clean(children, options, style):
    """Runs until so many flits have crossed links. Returns the result; Wrong: something was found."""
    events = EVENTS // (20 if options.short else 1)
    network = judge.Judge(children, judge.options_of(options, set=["run.cycles=2000"]), router_of(options, style))
    short, _ = network.run()
    network.options.set = [f"run.cycles={events * 2100 // short['flits'] + 1}"]
    result, said = network.run()
    if not result["good"] or result["flits"] < events:
        raise Wrong("\n".join([*said, f"{style}: {judge.verdict(result)}"]))
    return result


def main(children):
    options = parser(__doc__, jobs=JOBS, junit=JUNIT, only="styles", short="a twentieth of the flits")
    options = options.parse_args()
    check_names(options.only, judge.STYLES, "style")
    suite = Suite("judge-styles")

    def note(name, said, failure=None):
        suite.case("judge-styles", name, failure)
        print(f"{'FAIL' if failure else 'PASS'}  {name:48} {failure or said}", flush=True)

    with take_build_lock(options.build, "make judge-styles"):
        for style in options.only or judge.STYLES:
            try:
                result = clean(children, options, style)
                note(style, f"{result['flits']} flits, {result['worms']} worms, {result['cycles']} cycles: no rule broken")
            except Wrong as wrong:
                note(style, "", str(wrong))
    return suite.end(options.junit and options.junit / "judge-styles.xml")
