# SPDX-License-Identifier: Apache-2.0
"""Judge our own switch behind the adapters of each style of links: make judge-styles (docs/judge.md).

Of each style the watch sees a million flits cross links of a mesh, and may find nothing. With --draws, networks are drawn,
too: cubes with all that our switch can do behind links of any style.
"""

import collections
import dataclasses
import itertools
import pathlib
import random
import secrets

from annelid import judge
from annelid.children import Wrong, take_build_lock
from annelid.corners import CUBES
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.random_networks import (KINDS, LENGTH_BITS, Scenario, Sequence, can_deadlock, digit_bits, has_lanes, has_length, ports_of, routings_of,
                                     switches_of, yaml)
from annelid.results import Suite
from annelid.sources import RTL, write

ROOM = pathlib.Path("tb/judge/styles")
# Where one ready speaks of all lanes, a worm can wait for one whose tail the same link holds back (docs/link.md).
ONE_LANE = ("ready_valid",)
# An adapter that leads from our switch to one of these has lanes, too. They lie before the next link: queues at outputs.
WITH_LANES = ("ready_valid", "ready_valid_per_lane", "stop_go")
AXES = "xyz"           # dimensions of which a description of links speaks
MOST_SWITCHES = 9      # of a network that is drawn: each of its switches is built
MOST_LANES = 16        # of such a switch
DEEPEST = 64           # flits of a lane in a scenario
NUMBERED = 12          # bits of a head that no field needs: by them the watch tells worms apart
UNTIL_ALL_HAS_COME = 10**7  # cycles, that a run behind adapters may take longer than one without
HESITATIONS = (0.0, 0.05, 0.3)  # of terminals
EVENTS = 1_000_000
MESH = Scenario(network=dict(topology="mesh", k=3, n=2),
                switch=dict(num_vcs=2, depth=4, flit_width_bits=32, routing="dimension_order", flow_control="wormhole"),
                traffic=dict(load=0.5, length=[1, 4, 9]), run=dict(cycles=50000, warmup_cycles=1000))


def depth_of(style, network, switch):
    """Returns how many flits of a lane may lie between two links: of an input lane those in its places, and those in a lane
    for each output."""
    depth = switch["depth"]
    return depth * (1 + ports_of(network) * switch["num_vcs"]) if style in WITH_LANES else depth


def head_of(network, switch):
    """Returns the fields of a head, as a description of links has them."""
    bits = digit_bits(network)
    head = {axis: dict(at=d * bits, width=bits) for d, axis in enumerate(AXES[:network["n"]])}
    return head | ({"length": dict(at=network["n"] * bits, width=LENGTH_BITS)} if has_length(switch) else {})


def router_of(children, options, style, scenario, name):
    """Returns our switch behind the adapters of a style, in the network of a scenario."""
    room, network, switch = options.build / "judge/styles", scenario.network, scenario.switch
    path = scenario.changed("switch", depth=depth_of(style, network, switch)).save(room / f"{name}.yaml")
    links, width = room / f"{name}-links.yaml", switch["flit_width_bits"]
    write(links, f"style: {style}\nwidth: {width + 2}\n{'queues: outputs' + chr(10) if style in WITH_LANES else ''}"
                 f"marks: {{head: {width + 1}, tail: {width}}}\nhead: {yaml(head_of(network, switch))}\n")
    words = children.must([options.build / "annelid", "describe", "--rtl", "--set", f"switch.depth={switch['depth']}", path]).split()[1:]
    given = {key: f"64'd{value}" for key, value in (word.split("=") for word in words) if key not in ("K", "NumVcs", "FlitW")}
    product = [path for path in RTL if path.parts[0] == "rtl" and "board" not in path.parts]
    return judge.Router(name, [*product, ROOM / "anl_port_adapters.sv", ROOM / "anl_judged_router.sv"], links, path,
                        include=[pathlib.Path("rtl/include")], parameters=given | {"Style": judge.STYLES.index(style)})


def judged(children, options, router, **given):
    """Builds and runs a network. Returns the result; Wrong: something was found."""
    result, said = judge.Judge(children, judge.options_of(options, **given), router).run()
    if not result["good"]:
        raise Wrong("\n".join([*said, f"{router.scenario}: {judge.verdict(result)}"]))
    return result


def of_mesh(children, options, style):
    """Runs a mesh until so many flits have crossed links. Returns the result."""
    events = EVENTS // (20 if options.short else 1)
    scenario = MESH.changed("switch", num_vcs=1) if style in ONE_LANE else MESH
    router = router_of(children, options, style, scenario, f"style-{style}")
    short = judged(children, options, router, set=["run.cycles=2000"])
    result = judged(children, options, router, set=[f"run.cycles={events * 2100 // short['flits'] + 1}"])
    if result["flits"] < events:
        raise Wrong(f"{style}: {result['flits']} flits, expected {events}")
    return result


# --- networks that are drawn ---

def has_atomic_lanes(switch):
    """Says whether a head goes to lanes only when they are empty. A lane of an adapter does not say so of the lane behind it."""
    return "adaptive" in routings_of(switch) and switch.get("atomic") != "none"


def fits(style, scenario):
    """Says whether our switch can stand behind links of a style in a network."""
    network, switch = scenario.network, scenario.switch
    return (network["topology"] in CUBES and network["n"] <= len(AXES) and switches_of(network) <= MOST_SWITCHES and has_lanes(scenario)
            and not can_deadlock(scenario) and not (has_atomic_lanes(switch) and style in WITH_LANES)
            and "reply_queue" not in scenario.traffic and switch["credits"] == "registered" and not {"link", "link_cycles"} & switch.keys()
            and ports_of(network) * switch["num_vcs"] <= MOST_LANES and depth_of(style, network, switch) <= DEEPEST
            and switch["flit_width_bits"] >= sum(field["width"] for field in head_of(network, switch).values()) + NUMBERED
            and (switch["num_vcs"] == 1 or style not in ONE_LANE))


@dataclasses.dataclass
class Draw:
    number: int
    style: str
    scenario: Scenario
    text: str
    hesitation: float


def drawn_of(style, seed):
    """Yields networks for a style for ever. A network is the one of some draws with most new pairs of features."""
    rng, kinds = random.Random(f"styles {seed} {style}"), [kind for kind, (keys, _) in KINDS.items() if keys["topology"] in CUBES]
    sequence = Sequence(f"{seed} {style}", lambda scenario: fits(style, scenario), kinds)
    for number in itertools.count(1):
        _, one = sequence.next()
        yield Draw(number, style, rng.choice([one for one in one.scenarios if fits(style, one)]), one.text, rng.choice(HESITATIONS))


def drawn(seed, styles=judge.STYLES):
    """Yields networks for ever, one for each of the styles in turn."""
    for draws in zip(*(drawn_of(style, seed) for style in styles)):
        yield from draws


def of_draw(children, options, draw, seed):
    scenario = draw.scenario.changed("run", max_cycles=UNTIL_ALL_HAS_COME)
    router = router_of(children, options, draw.style, scenario, f"drawn-{seed}-{draw.style}-{draw.number}")
    return judged(children, options, router, hesitation=draw.hesitation)


def parse():
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, only="styles", short="a twentieth of the flits")
    one.add_argument("--draws", type=int, default=0, help="number of the last network that is drawn for each style, besides the mesh (0)")
    one.add_argument("--first", type=int, default=1, help="number of the first one that is run (1)")
    one.add_argument("--seed", type=int, help="of the draws (a fresh one)")
    options = one.parse_args()
    check_names(options.only, judge.STYLES, "style")
    if not 1 <= options.first <= max(1, options.draws):
        raise Wrong(f"--first {options.first}: expected a number from 1 to that of --draws, {options.draws}; no network would be run")
    return options


def main(children):
    options = parse()
    suite, flits = Suite("judge-styles"), collections.Counter()

    def note(name, style, run, again=""):
        """Counts a run. What is found, or an error of a build, is its failure; `again` is the command that repeats it."""
        try:
            result, failure = run(), None
            flits[style] += result["flits"]
            said = f"{result['flits']} flits, {result['worms']} worms, {result['cycles']} cycles: no rule broken"
        except Wrong as wrong:
            said = failure = "\n".join(filter(None, [str(wrong), again]))
        suite.case("judge-styles", name, failure)
        print(f"{'FAIL' if failure else 'PASS'}  {name:48} {said}", flush=True)

    with take_build_lock(options.build, "make judge-styles"):
        styles = options.only or judge.STYLES
        for style in styles if options.first == 1 else ():
            note(style, style, lambda style=style: of_mesh(children, options, style))
        seed = secrets.randbelow(2**32) if options.seed is None else options.seed
        if options.draws:
            print(f"networks {options.first} to {options.draws} of each style, seed {seed}", flush=True)
        for draw in itertools.islice(drawn(seed, styles), (options.first - 1) * len(styles), options.draws * len(styles)):
            name = f"draw {draw.number}: {draw.style}, {draw.text}"
            again = f"again: scripts/run judge-styles --seed {seed} --only {draw.style} --first {draw.number} --draws {draw.number}"
            note(name, draw.style, lambda draw=draw: of_draw(children, options, draw, seed), again)
    print(", ".join(f"{style} {number:,} flits" for style, number in flits.items()))
    return suite.end(options.junit and options.junit / "judge-styles.xml")
