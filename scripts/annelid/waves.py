# SPDX-License-Identifier: Apache-2.0
"""Look at the waves of blocked worms without a screen (docs/waves.md).

usage: scripts/run waves shots|test [--build DIR]
  shots  GTKWave, under a virtual X server, makes a picture of each case: DIR/waves/shots/*.png
  test   a deadlock, the longest wait of a run and a difference: the words in the FST files, the save
         files without a warning from GTKWave, the command at the end of a report, and what Surfer reads

Any line from GTKWave that it does not always print counts as a warning, and so does a signal of the
save file that it does not show. Without GTKWave the tests say so and look at no picture. `make
waves-shots` and `make test-waves` call it.
"""

import pathlib
import re
import shlex
import shutil
import tempfile

from annelid.children import Children, Wrong
from annelid.options import parser
from annelid.results import Suite, attempt
from annelid.sources import changed, write
from annelid.surfer_check import mapping, read, reader, variables_of, wrong_commands

SCREEN = "1700x1100x24"
PATIENCE = 600  # seconds after which GTKWave is ended, since it must hang: a start takes a few seconds
TOOLS = {"gtkwave": "gtkwave", "fst2vcd": "gtkwave", "xvfb-run": "xvfb", "xauth": "xauth"}  # tool: Debian package
RC = """fontname_signals Monospace 10
fontname_waves Monospace 10
fill_waveform 1
splash_disable 1
enable_vcd_autosave 0
"""
# The one about Glycin comes from newer versions of GTK in a container, where pictures are not read in a sandbox.
USUAL = re.compile(r"GTKWave Analyzer v.*|FSTLOAD \| .*|GTKWAVE \| (Executing Tcl script|Filename) .*"
                   r"|Exiting\.|SHOWN \d+|WARNING: Glycin running without sandbox\..*|")

# Networks of the tests: what takes time is to build them, so they have fewer switches than their scenarios say.
FOUR = ["SCENARIO=mesh3_complement", "SET=network.k=2 run.cycles=4000"]
PAIR = ["SCENARIO=mesh3_complement", "SET=network.k=2 network.n=1 run.cycles=200"]
ROW = ["SCENARIO=mesh3_cut_hotspot", "SET=network.n=1 traffic.hotspot_terminal=1 run.cycles=4000"]

SHOTS = {
    "deadlock": ["SCENARIO=deadlock_torus5", "SEED=1"],
    "ring": ["SCENARIO=deadlock_ring5"],
    "head-of-line": ["SCENARIO=lesson_hol_1lane", "WORM=2"],
    "mesh8": ["SCENARIO=mesh8_uniform", "SEED=1"],
    "fault": ["SCENARIO=bufferless4_early"],
    "difference": ["SCENARIO=mesh4_uniform", "SEED=1", "DUT={switch}"],
}


def make(build, target, arguments):
    """Runs make. Returns (status, output)."""
    return Children().output(["make", "--no-print-directory", f"BUILD={build}", target, *arguments])


def waves(build, arguments):
    """Makes waves. Returns (path of the save file, output)."""
    status, output = make(build, "waves", arguments)
    last = output.rstrip().rpartition("\n")[2]
    if status or not last.startswith("gtkwave "):
        raise Wrong(f"make waves {' '.join(arguments)}: status {status}\n{output}")
    return pathlib.Path(*shlex.split(last.removeprefix("gtkwave "))), output


def one_lane_switch(build):
    """Writes a switch that never uses lane 1. On a mesh this obeys the rules, but differs from the model."""
    path = build / "demo/my_switch.sv"
    write(path, changed("rtl/switch/anl_cube_switch.sv", "= vcs;", "= vcs & ~NumVcs'(2);"))
    return path


def lossy_switch(build):
    """Writes a switch that keeps the first credit which switch 0 should return after cycle 12."""
    path = build / "demo/lossy_switch.sv"
    text = changed("rtl/switch/anl_cube_switch.sv", ".flit_i, .credit_o, .valid_o", ".flit_i, .credit_o(credit), .valid_o")
    loses = ("  logic [NumLanes-1:0] credit;\n  logic [7:0] age_q;\n  logic lost_q, lose;\n"
             "  assign lose = age_q > 8'd12 && !lost_q && here_i == '0 && |credit;\n"
             "  assign credit_o = lose ? '0 : credit;\n"
             "  always_ff @(posedge clk_i) begin\n    age_q <= rst_i ? '0 : age_q + 8'(age_q != 8'hff);\n"
             "    lost_q <= !rst_i && (lost_q || lose);\n  end\n")
    end = text.rindex("endmodule")
    write(path, text[:end] + loses + text[end:])
    return path


def flipping_network(build):
    """Writes a network whose switch 0 sees bit 5 of what enters by its first port inverted."""
    path = build / "demo/flipping_network.sv"
    write(path, changed("rtl/net/anl_cube.sv", ".flit_i(in_flit)", ".flit_i(in_flit ^ (s == 0 ? 32 : 0))"))
    return path


def rows_of(view):
    """Returns the signals that a save file asks for."""
    lines = view.read_text().splitlines()
    return [line.rpartition(" ")[2] for line in lines if line.startswith(("+{", "TOP.", "blocking."))]


def missing_tools():
    """Returns in words what is not installed; "" if nothing is missing."""
    missing = {tool: package for tool, package in TOOLS.items() if not shutil.which(tool)}
    return missing and f"no {', '.join(missing)} (Debian's {', '.join(sorted(set(missing.values())))})" or ""


def show(view, picture):
    """Opens a save file and makes a picture; everything that GTKWave prints must be usual."""
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        room = pathlib.Path(room)
        moved = room / "waves"  # the files must work in any directory
        shutil.copytree(view.parent, moved)
        (room / "rc").write_text(RC)
        (room / "grab.tcl").write_text(
            'puts "SHOWN [llength [gtkwave::getDisplayedSignals]]"\n'
            f"gtkwave::/File/Grab_To_File {room}/shot.png\ngtkwave::/File/Quit\n")
        status, output = Children().output(
            ["xvfb-run", "-a", "-s", f"-screen 0 {SCREEN}", "gtkwave", "-r", room / "rc", "-S", room / "grab.tcl", view.name],
            {"NO_AT_BRIDGE": "1"}, patience=PATIENCE, cwd=moved)
        strange = [line for line in output.splitlines() if not USUAL.fullmatch(line)]
        if status or strange or not (room / "shot.png").exists():
            raise Wrong(f"gtkwave {view}: status {status}\n{output}")
        shown, asked = re.search(r"^SHOWN (\d+)$", output, re.M), len(rows_of(view))
        if not shown or int(shown[1]) < asked:
            raise Wrong(f"gtkwave {view}: {asked} signals asked for\n{output}")
        picture.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(room / "shot.png", picture)


# --- tests ---

def values_of(view):
    """Returns the values of each signal in their order, without the times."""
    return {name: [value for _, value in changes] for name, changes in changes_of(view).items()}


def changes_of(view, top="blocking"):
    """Returns the changes of the blocking analysis, or of the RTL, whose scope is TOP: {path of the signal: [(time, value) in
    order]}, which GTKWave's own tool reads."""
    if not shutil.which("fst2vcd"):
        raise Wrong("no fst2vcd to read the waves with (Debian's gtkwave)")
    scope, names, changes, now = [], {}, {}, 0

    def note(code, value):
        for name in names[code]:  # of a signal that has several
            changes.setdefault(name, []).append((now, value))

    for line in Children().must(["fst2vcd", view.with_suffix(".fst")]).splitlines():
        word = line.split()
        if line.startswith("$scope"):
            scope.append(word[2])
        elif line.startswith("$upscope"):
            scope.pop()
        elif line.startswith("$var") and scope[0] == top:
            names.setdefault(word[3], []).append(".".join([*scope, word[4]]))
        elif line.startswith("#"):
            now = int(line[1:])
        elif line.startswith(("s", "b")) and len(word) == 2 and word[1] in names:
            text = re.sub(r"\\(\d{3})", lambda match: chr(int(match[1], 8)), word[0][1:])
            note(word[1], text.replace("\\?", "?"))
        elif line[:1] in "01x" and line[1:] in names:
            note(line[1:], line[0])
    return changes


def expect(condition, what, *seen):
    if not condition:
        raise Wrong(f"expected {what}; seen: {' '.join(str(item) for item in seen)}")


def found(pattern, output, what):
    """Returns the first match of a pattern, which must be there."""
    match = re.search(pattern, output, re.M)
    expect(match, what, output)
    return match


def report_of(output):
    """Returns the report of a difference, without what is printed around it."""
    return found(r"^FIRST DIFFERENCE .*\n(?:.+\n)+", output, "a report")[0]


def waves_of(build, output):
    """Runs both commands of a report: the first must end in the same report. Returns (path of the save file, output of the
    second), which makes the waves."""
    report = report_of(output)
    words = [shlex.split(found(rf"^  {what} +make {target} (.*)$", report, f"the command {what}")[1])
             for what, target in (("replay", "regress"), ("waves", "waves"))]
    status, again = make(build, "regress", words[0])
    expect(status and report_of(again) == report, "the same report", report, again)
    return waves(build, words[1])


def place_of(build, arguments):
    """Runs a regression that must fail, and the commands of its report. The waves must have the same first difference and
    a mark in its cycle. Returns (path of the save file, place and kind of the difference, output of make waves)."""
    status, output = make(build, "regress", arguments)
    first = found(r"^FIRST DIFFERENCE in cycle (\d+) at (.*)$", output, "a difference")
    expect(status, "a failure", output)
    view, output = waves_of(build, output)
    expect(f"first difference in cycle {first[1]} at {first[2]}\n" in output, "the same difference", first[0], output)
    expect("PASS" not in output, "no praise", output)
    marks = found(r"^\*\S+ (\d+) ", view.read_text(), "marks")
    expect(int(marks[1]) == 1000 * int(first[1]), "mark A in its cycle", marks[0])
    return view, first[2], output


def run_program(build, folder, *arguments):
    """Runs the program of networks by switches of a folder, which must fail. Returns its output."""
    return Children().must([build / "rtl" / folder / "lockstep", *arguments], 1)


def deadlock(build):
    """Tests that the circle in the title is in the signals: each worm waits for the next."""
    view, output = waves(build, ["SCENARIO=deadlock_ring5"])
    title = found(r"^deadlock, closed in cycle (\d+): (.*)$", output, "a deadlock in the blocking analysis")
    circle = re.findall(r"\d+", title[2])
    expect(len(circle) > 2 and circle[0] == circle[-1], "a circle", title[0])
    values = values_of(view)
    for worm, by in zip(circle, circle[1:]):
        states = values[f"blocking.worm_{worm}.state"]
        expect(states[-1].startswith("waits: "), f"worm {worm} waiting at the end", states)
        expect(values[f"blocking.worm_{worm}.waits_for"][-1] == f"worm {by}",
               f"worm {worm} held by worm {by}", values[f"blocking.worm_{worm}.waits_for"])
    marks = found(r"^\*\S+ \S+ \S+ (\d+) ", view.read_text(), "marks")
    expect(int(marks[1]) == 1000 * int(title[1]), "mark B where it closed", marks[0])
    words = view.with_suffix(".words").read_text()
    expect("?firebrick?waits: " in words, "colours of words", words)
    return view, f"circle of {len(circle) - 1} worms"


def stall(build):
    """Tests that the worm in the title waits as long as the title says."""
    view, output = waves(build, ["SCENARIO=pair_saturated"])
    title = found(r"^worm (\d+) from .* waits (\d+) cycles, (\d+) to (\d+):", output, "a worm that waits")
    expect(int(title[2]) == int(title[4]) - int(title[3]) + 1, "as many cycles as it waits", title[0])
    expect("in cycle " + title[3] in output, "the chain of its first cycle", output)
    states = values_of(view)[f"blocking.worm_{title[1]}.state"]
    expect(any(state.startswith(("waits: ", "lost ", "behind ")) for state in states),
           "a wait in words", states)
    return view, title[0].rstrip(":")


def difference(build):
    """Tests that the command at the end of a report opens the waves of exactly this difference."""
    switch = one_lane_switch(build)
    status, output = make(build, "regress", [*ROW, f"DUT={switch}"])
    first = found(r"^FIRST DIFFERENCE in cycle (\d+) at link (\S+) lane (\d+): flit", output, "a difference")
    expect(status, "a failure", output)
    expect(f", moves to lane {first[3]} of {first[2]}\n" in output, "what the model expected", output)
    view, output = waves_of(build, output)
    expect(f"first difference in cycle {first[1]} at " in output, "the same difference", output)
    marks = found(r"^\*\S+ (\d+) ", view.read_text(), "marks")
    expect(int(marks[1]) == 1000 * int(first[1]), "mark A in its cycle", marks[0])
    return view, f"cycle {first[1]}"


def links(build):
    """Tests the report of links mode: a flit with another bit, on a link."""
    view, place, _ = place_of(build, [*PAIR, f"DUT={flipping_network(build)}", "MODE=links"])
    expect(place == "link 0(0).T lane 0: flit", "the link that the flit crosses", place)
    return view, place


def ends(build):
    """Tests the report of ends mode: the same flit, when its terminal takes it."""
    view, place, _ = place_of(build, [*PAIR, f"DUT={flipping_network(build)}", "MODE=ends"])
    expect(place == "terminal T0 lane 0: flit handed out", "the terminal that takes the flit", place)
    return view, place


def lost(build):
    """Tests the report of a credit that does not come back, which is found long after the cycle that the report names."""
    view, place, output = place_of(build, [*PAIR, f"DUT={lossy_switch(build)}", "MODE=rules"])
    expect(place == "link 1(1).-0: referee: lost_credit", "the link of the credit", place)
    cycle = found(r"^first difference in cycle (\d+) ", output, "its cycle")[1]
    worm = found(rf"^in cycle {cycle}:\n  worm (\d+) flit \d+ in lane 0 of 1\(1\)\.-0 since cycle \d+, moves ", output,
                 "the flit that leaves the lane")[1]
    states = changes_of(view)[f"blocking.worm_{worm}.state"]
    expect(any(state.startswith("moves ") for _, state in states), "this worm in the waves", states)
    return view, place


def passage(build):
    """Tests that waves can also be made of a worm that never waits, and of a cycle."""
    view, output = waves(build, [*FOUR, "WORM=6"])
    title = found(r"^worm 6 from .* is never blocked, cycles (\d+) to (\d+): (\d+) moving$", output, "its life")
    expect(int(title[3]) == int(title[2]) - int(title[1]) + 1, "as many cycles as it moves", title[0])
    cycle = int(title[1]) + 1
    view, output = waves(build, [*FOUR, "WORM=6", f"AT={cycle}"])
    found(rf"^worm 6 from .* is not blocked in cycle {cycle}: it moves$", output, "a cycle")
    return view, title[0]


def queue(build):
    """Tests that waves of a worm that never leaves its source queue are refused, with the name of the worm before it."""
    status, output = make(build, "waves", ["SCENARIO=deadlock_ring5", "WORM=1"])
    why = found(r"worm 1 is not in the network: to the end of the run it is in the queue of its source, "
                r"terminal 0, and worm (\d+) is at the front there; to see that one: WORM=\1", output, "why it is not to be seen")
    expect(status, "a refusal", output)
    view, output = waves(build, ["SCENARIO=deadlock_ring5", f"WORM={why[1]}"])
    found(rf"^worm {why[1]} from .* waits \d+ cycles", output, "the one before it")
    return view, why[0]


def rules(build):
    """Tests the waves of the one-lane switch with the referee alone: the longest stall of a run that breaks no rule."""
    switch = one_lane_switch(build)
    view, output = waves(build, [*ROW, f"DUT={switch}", "MODE=rules"])
    title = found(r"^worm \d+ from .* waits \d+ cycles, ", output, "a worm that waits")
    return view, title[0].rstrip(", ")


def stalled(build):
    """Tests that the command at the end of a report of an unexpected deadlock opens its waves."""
    scenario = build / "demo/ring.yaml"  # it is in no suite, so no stall is expected
    scenario.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy("sim/scenarios/deadlock_ring5.yaml", scenario)
    status, output = make(build, "regress", [f"SCENARIO={scenario}"])
    closed = found(r"deadlock, closed in cycle (\d+)$", output, "a deadlock")
    expect(status and re.search(rf"^  waves .* AT={closed[1]}\b", output, re.M), "the cycle in which it closed", output)
    view, output = waves_of(build, output)
    expect(f"deadlock, closed in cycle {closed[1]}: " in output, "the same deadlock", output)
    return view, f"cycle {closed[1]}"


def stuck(build):
    """Tests a run that stalls although no worm is dead: the waves show the worm that is there in the last cycle."""
    switch = one_lane_switch(build)
    status, output = make(build, "regress", ["SCENARIO=ring8_tornado", "SET=network.k=4", f"DUT={switch}", "MODE=rules"])
    stands = found(r"^  waits     worm (\d+) flit \d+ in .*, but did not$", output, "a stall without a deadlock")
    expect(status, "a failure", output)
    view, output = waves_of(build, output)
    found(rf"^worm {stands[1]} from .* waits ", output, "the worm that stands")
    return view, f"worm {stands[1]}"


def unasked(build):
    """Tests that an unexpected deadlock makes a run fail that ends before it stalls."""
    status, output = make(build, "regress", ["SCENARIO=deadlock_ring5"])
    expect(status == 0, "the listed deadlock to pass", output)
    said = run_program(build, "parts", "--max-cycles", 30, "sim/scenarios/deadlock_ring5.yaml")
    closed = found(r"^FIRST DIFFERENCE in cycle (\d+) at the network: deadlock$", said, "the deadlock to be reported")
    return None, f"cycle {closed[1]}"


def broken_rule(build):
    """Tests that at a broken rule the blocking analysis ends with the cycle before it: its clock goes on, but its other
    signals are unknown."""
    waves(build, [*FOUR, "WORM=6", "MODE=rules"])
    made = build / "waves/broken/broken.fst"
    made.parent.mkdir(parents=True, exist_ok=True)
    said = run_program(build, "parts-fst", "--mode", "rules", "--tamper", "lane@9", "--waves", made,
                       "--set", "network.k=2", "sim/scenarios/mesh3_complement.yaml")
    first = found(r"^FIRST DIFFERENCE in cycle (\d+) at .*: referee: bad_link$", said, "a flit in a lane that does not exist")
    changes, broken = changes_of(made), 1000 * int(first[1])
    clock = changes["blocking.clk"]
    for (time_before, before), (now, value) in zip(clock, clock[1:]):
        expect(now == time_before + 500 and value != before, "a clock that beats", clock)
    expect(clock[-1] == (broken + 15500, "1"), "a clock that goes on for 15 cycles", clock[-1])
    last = {name: some[-1] for name, some in changes.items() if name.startswith("blocking.worm_")}
    expect(last, "worms", changes)
    for name, (when, value) in last.items():
        number = name.endswith((".waited", ".fill"))
        unknown = value == "x" * len(value) if number else value == "unknown: RTL and model differ"
        expect(when == broken and (unknown or name.endswith("_code")), "nothing known from then on", name, value)
    return made.with_suffix(".gtkw"), f"cycle {first[1]}"


def asserted(build):
    """Tests that a failing assertion of a foreign switch is reported, with file and line, in both modes."""
    path = build / "demo/asserting_switch.sv"
    text = pathlib.Path("rtl/switch/anl_cube_switch.sv").read_text()
    check = ("  logic [7:0] age_q;\n  always_ff @(posedge clk_i) begin\n"
             "    age_q <= rst_i ? '0 : age_q + 1'b1;\n    assert (age_q != 8'd20);\n  end\n")
    end = text.rindex("endmodule")
    text = text[:end] + check + text[end:]
    write(path, text)
    line = text[:text.index("assert (age_q")].count("\n") + 1
    for mode in ("exact", "rules"):
        arguments = ["SCENARIO=pair_saturated", f"DUT={path}", f"MODE={mode}"]
        status, output = make(build, "regress", arguments)
        expect(status and "FIRST DIFFERENCE in cycle 20 at switch 0(0): assertion\n" in output, "an assertion", output)
        expect(f"  seen      asserting_switch.sv:{line}: 'assert' failed.\n" in output, f"line {line}", output)
    view, output = waves_of(build, output)
    expect("first difference in cycle 20 at switch 0(0): assertion" in output, "the same in waves", output)
    return view, f"line {line} in cycle 20"


def surfer(build):
    """Tests the files for Surfer: each command, each name and each word; and that at the mark the worms of the circle wait, as
    Surfer's own reader finds them in the FST file."""
    view, output = waves(build, ["SCENARIO=deadlock_ring5"])
    commands = view.with_suffix(".sucl").read_text()
    name, words = mapping((view.parent / ".surfer/mappings" / view.stem).read_text())
    wrong = wrong_commands(commands, [name])
    expect(not wrong, "commands that Surfer takes", wrong[:5])
    expect(f"cd {view.parent} && surfer -c {view.stem}.sucl {view.stem}.fst\n" in output, "the command that opens Surfer", output)
    mark = found(r"^marker_set deadlock (\d+)$", commands, "a marker")
    seen = read(Children(), build, view.with_suffix(".fst"), mark[1])
    variables = seen["variables"]
    expect((seen["timescale"], seen["format"]) == ("1ns", "FST"), "an FST file in nanoseconds", seen["timescale"], seen["format"])
    shown = variables_of(commands)
    expect(len(shown) > 100 and set(shown) <= set(variables), "all names", sorted(set(shown) - set(variables))[:5])
    circle = re.findall(r"\d+", found(r"^deadlock, closed in cycle \d+: (.*)$", output, "a circle")[1])
    for worm, by in zip(circle, circle[1:]):
        kind, bits, code = variables[f"blocking.worm_{worm}.state_code"]
        text = variables[f"blocking.worm_{worm}.state"][2]
        expect((kind, bits) == ("Reg", 16) and words[int(code)][1] == text and text.endswith(f"held by worm {by}"), f"worm {worm} held by {by}", kind, bits, code, text)
    expect(len({words[int(variables[f"blocking.worm_{worm}.waits_for_code"][2])][0] for worm in circle[1:]}) == len(circle) - 1, "a colour for each worm", words)
    return None, f"{len(shown)} signals, {len(words)} words"


TESTS = (deadlock, stall, passage, queue, difference, links, ends, lost, rules, broken_rule, asserted, stalled, stuck, unasked, surfer)


def run_tests(build):
    suite, missing = Suite("waves"), missing_tools()
    if missing:
        print(f"SKIP  pictures: {missing}", flush=True)
        suite.skip("waves", "pictures", missing)
    _, no_reader, _ = attempt(reader, Children(), build)
    if no_reader:
        print(f"SKIP  surfer: {no_reader}", flush=True)
        suite.skip("waves", "surfer", no_reader)
    for test in TESTS:
        if test is surfer and no_reader:
            continue

        def shown():
            view, text = test(build)
            if view and not missing:
                show(view, build / f"waves/shots/test-{test.__name__}.png")
            return text
        text, reason, _ = attempt(shown)
        suite.case("waves", test.__name__, reason)
        print(f"{'FAIL' if reason else 'PASS'}  {test.__name__:<12} {reason or text}", flush=True)
    return suite


def take_shots(build, only):
    if missing_tools():
        raise Wrong(f"pictures need more than there is: {missing_tools()}")
    for name, arguments in SHOTS.items():
        if only and name not in only:
            continue
        switch = one_lane_switch(build) if "DUT={switch}" in arguments else ""
        view, _ = waves(build, [argument.format(switch=switch) for argument in arguments])
        picture = build / f"waves/shots/{name}.png"
        show(view, picture)
        print(picture, flush=True)


def main(_children):
    one = parser(__doc__, junit="directory for waves.xml", only="names of shots")
    one.add_argument("what", choices=["shots", "test"])
    options = one.parse_args()
    if options.what == "shots":
        take_shots(options.build, options.only)
        return 0
    return run_tests(options.build).end(options.junit and options.junit / "waves.xml")
