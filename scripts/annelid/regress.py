# SPDX-License-Identifier: Apache-2.0
"""Run scenarios on the RTL in lock-step with the golden model (docs/lockstep.md).

Builds one program per RTL parameter set, runs scenario x seed in parallel, prints one line a run,
the total and "N passed, N failed", writes a log per run and JUnit XML. `make regress` calls it.
"""

import itertools
import pathlib
import re
import shlex
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field, replace

from annelid import dut, features, golden, large, reports, said_twice, surfer, ways
from annelid.children import Wrong, take_build_lock
from annelid.corners import each
from annelid.dut import KINDS
from annelid.keys import GRAPHS as KEYS_OF_GRAPHS
from annelid.launch import Launcher
from annelid.lockstep import graphs, json_object
from annelid.options import JOBS, parser
from annelid.random_connected import in_lockstep
from annelid.random_networks import ALL_KINDS, FLIES, fixed_sets
from annelid.regress_page import page_of
from annelid.regress_queue import Lines, Queue, do_all
from annelid.results import Suite, last_line, write_json
from annelid.runs import is_ours, scenario_path, seeds_of
from annelid.slices import all_papers, kinds, papers, parts_of, suite_names
from annelid.sources import write
from annelid.variables import hint

GRAPHS = "graphs"  # a suite of random connected graphs, in no file
TWICE = "twice"    # a suite of built-in networks and the same ones as graphs, in no file
LARGE = "large"    # a suite of large networks, in no file
FEATURES = "features"  # a suite of small networks with each pair of features, in no file; the standard suite has it, too
PINNED = ("smoke", "standard", *(module.SUITE for module in kinds().values()))  # suites whose runs must have a golden digest
# Parameter sets of random networks that these suites have beside their lines: name, count, kinds.
DRAWN = {"smoke": ("fixed", 7, ALL_KINDS), "standard": ("fixed", 31, ALL_KINDS), "networks": ("fixed-butterfly", 8, FLIES)}
WHOLE = ("smoke", "standard", "default", "long")  # suites that also check the short tables of papers
LARGEST_WHOLE = 64  # switches
WORTH = 400_000  # evaluations of a switch, in all runs, from which on optimizing its code takes less time than it saves
LAST_LINES = 20  # of what a run prints that leaves no report
EXPECT = {"stalls": "--expect-stall", "faults": "--expect-fault", "unblocked": "--expect-unblocked"}  # ends, as suites say them
MODES = ("exact", "links", "ends", "rules")


@dataclass
class Run:
    scenario: pathlib.Path
    seed: int | None  # None, until find_keys() knows it: the scenario's own
    end: str = ""  # how it must end: stalls, faults, unblocked; "": whole
    settings: tuple = ()  # "section.key=value", which replace values of the scenario
    drawn: bool = False  # a random network, which has no golden digest
    pair: tuple = ()  # two runs of the same pair must have the same digest
    key: str = ""  # of its network
    parts: tuple = ()  # of which the network is put together; (): it is built whole
    evaluations: int = 0  # of its switches, about
    result: dict = field(default_factory=dict)
    reason: str = ""  # why it failed; "" if it passed
    log: pathlib.Path | None = None
    seconds: float = 0.0

    @property
    def name(self):
        return " ".join([self.scenario.stem if is_ours(self.scenario) else str(self.scenario), *self.settings])

    @property
    def words(self):
        """Returns the arguments that name the scenario to the programs lockstep and params."""
        return [str(self.scenario), *(word for setting in self.settings for word in ("--set", setting))]

    @property
    def builds(self):
        """Returns what must be built for it."""
        return self.parts or (self.key,)

    @property
    def label(self):
        return f"{self.name} seed {self.seed}"


def choices(settings):
    """Returns the choices of settings for which a line of a suite stands: switch.arbiter=each is one for each word of the key."""
    pairs = [setting.split("=", 1) for setting in settings]
    return itertools.product(*([f"{key}={one}" for one in each(key.rpartition(".")[2], value)] for key, value in pairs))


def runs_of(where, match, folder):
    """Returns the runs of a line of a suite; what is wrong with it is said with its place."""
    try:
        return [Run(scenario_path(match[1], folder), seed, match[3] or "", settings)
                for settings in choices(match[4].split()) for seed in seeds_of(match[2])]
    except Wrong as wrong:
        raise Wrong(f"{where}: {wrong}") from None


def read_suite(name):
    """Reads a suite of sim/suites and of papers, or one at a path. Its lines are "scenario seeds [stalls|faults|unblocked] [section.key=value …]", seeds like 1,4-7; # begins a remark."""
    parts = parts_of(name) or [pathlib.Path(name)]  # one of the user's
    if not parts[0].is_file():
        raise Wrong(f"REGRESS={name}: {hint(name, suite_names())}, or a path")
    runs = []
    for path in parts:
        for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
            match = re.fullmatch(r"\s*(?:(\S+)\s+([\d,-]+)(?:\s+(stalls|faults|unblocked))?((?:\s+[\w.]+=\S+)*))?\s*(?:#.*)?", line)
            if not match:
                raise Wrong(f"{path}:{number}: expected: scenario seeds [stalls|faults|unblocked] [key=value …]")
            if match[1]:
                runs += runs_of(f"{path}:{number}", match, path.parent)
    if not runs:
        raise Wrong(f"{parts[0]}: names no scenario")
    return runs


def feature_runs(options):
    return [Run(path, scenario.run["seed"], drawn=True) for path, scenario in features.in_lockstep(options.logs / FEATURES)]


def suite_runs(options):
    """Returns the runs of a suite. Those of the suite `graphs` are drawn, always the same ones."""
    room = options.logs / options.regress
    if options.regress == TWICE:
        return [Run(path, None, settings=settings, drawn=True, pair=(name, *settings))
                for name, path, settings in said_twice.in_lockstep(room)]
    if options.regress == FEATURES:
        return feature_runs(options)
    if options.regress == LARGE:
        return [Run(path, 1, drawn=True) for _, path in large.in_lockstep(room)]
    if options.regress == GRAPHS:
        return [Run(path, scenario.run["seed"], drawn=True) for path, scenario in in_lockstep(room)]
    if options.golden:
        return list({(run.name, run.seed): run for name in PINNED for run in read_suite(name)}.values())
    return read_suite(options.regress)


def drawn_runs(options):
    """Returns the runs of random networks and of features that a suite has, always the same ones."""
    sets = () if options.golden else DRAWN.get(options.regress, ())
    drawn = fixed_sets(options.logs / "random", *sets) if sets else []
    return [Run(path, scenario.run["seed"], drawn=True) for path, scenario in drawn] + \
        (feature_runs(options) if options.regress == "standard" and not options.golden else [])


def every_run():
    """Yields the runs of all suites, those of PINNED first: how a run must end does not depend on what asks for it."""
    for name in dict.fromkeys([*PINNED, *suite_names()]):
        yield from read_suite(name)


def choose_runs(options):
    if options.set and not options.scenario:
        raise Wrong("SET= needs SCENARIO= (the lines of a suite may have settings of their own)")
    if options.time is not None:
        raise Wrong("TIME= is for REGRESS=random and REGRESS=pairs alone: a suite has an end")
    if options.golden and options.dut:
        raise Wrong("golden digests are those of all networks: no DUT=")
    if options.golden and papers() != all_papers():
        raise Wrong("golden digests are those of all papers: no PAPERS=")
    if not options.scenario and not options.seed:
        return suite_runs(options) + drawn_runs(options)
    if not options.scenario:
        listed = {run.name: run for run in suite_runs(options)}.values()
        return [Run(run.scenario, seed, run.end, run.settings, run.drawn)
                for run in listed for seed in seeds_of(options.seed)]
    path = scenario_path(options.scenario)
    settings = tuple(options.set.split())
    end = next((run.end for run in every_run() if (run.scenario, run.settings) == (path, settings)), "")
    seeds = seeds_of(options.seed) if options.seed else [None]
    return [Run(path, seed, end, settings) for seed in seeds]


def make(options, children, targets, log, launcher):
    command = ["make", "--no-print-directory", f"BUILD={options.build}", f"DUT={options.dut}"]
    log.parent.mkdir(parents=True, exist_ok=True)
    status = launcher.run(children, command + targets, log)
    if status:
        raise Wrong(f"make {' '.join(targets)} failed:\n{log.read_text()[-4000:]}")


def make_common(options, children, *more):
    """Makes, here, what all programs need, and other files."""
    targets = [str(options.build / name) for name in ("lockstep/all", *more)]
    make(options, children, [f"-j{options.jobs}", *targets], options.logs / "common.log", Launcher(""))


def find_keys(options, children, runs):
    """Asks program params for the parameter set and the seed of each scenario, and for the parts of its network. Returns
    {what must be built: how many switches it has}."""
    params = options.build / "lockstep/params"
    if not params.exists():
        print("builds the golden model and the harness", flush=True)
    make_common(options, children)
    asked = {run.name: run.words for run in runs}
    words = [word for name in asked for word in asked[name]]
    answer = subprocess.run([str(params), *graphs(options.build), *rules_of(options), *words], capture_output=True, text=True)
    if answer.returncode:
        raise Wrong(answer.stderr.strip())
    waves = waves_suffix(options)
    switches = {}
    told = {name: line.split() for name, line in zip(asked, answer.stdout.splitlines(), strict=True)}
    for run in runs:
        key, size, seed, evaluations, *parts = told[run.name]
        run.key, run.seed = in_mode(options, key) + waves, int(seed) if run.seed is None else run.seed
        run.evaluations = int(evaluations)
        run.parts = in_folder(options, parts) if by_switches(options) else ()
        switches[run.key] = int(size)
    whole = set() if options.scenario else wholes(switches)
    for run in runs:
        run.parts = () if run.key in whole else run.parts
    needed = {build for run in runs for build in run.builds}
    options.quick = {build for build in needed if sum(run.evaluations for run in runs if build in run.builds) < WORTH}
    if any(run.parts for run in runs):
        make_common(options, children, *program_of_parts(options))
    return {build: switches.get(build, 1) for build in needed}


def by_switches(options):
    """Says whether networks are put together of verilated switches, as far as they can be (tb/lockstep/run/parts.h). A module of
    somebody else that belongs to the network is in none of the parts, and no part has a label as a parameter; mode ends is for
    networks that are one module."""
    return not options.whole and options.mode != "ends" and (not options.dut or dut.read(options.dut).is_inside_switches)


def waves_suffix(options):
    return "" if not options.waves else "-fst-all" if options.all else "-fst"


def folder_of_parts(options):
    """Returns the name of the folder of the parts (tb/tb.mk): registers are watched in our own switches, and in those of somebody
    else in exact mode."""
    return f"parts{'-unwatched' if options.dut and options.mode != 'exact' else ''}{waves_suffix(options)}"


def in_folder(options, parts):
    return tuple(f"{folder_of_parts(options)}/{part}" for part in parts)


def program_of_parts(options):
    """Returns what make_common() makes for networks by switches, if there can be any."""
    return [str(program(options, folder_of_parts(options)).relative_to(options.build))] if by_switches(options) else []


def wholes(switches):
    """Returns the networks that are built whole in any case, so that their own modules are run: the smallest one of each
    topology, if it is not so large that it would take many minutes."""
    smallest = {}
    for key in sorted((key for key in switches if switches[key] <= LARGEST_WHOLE), key=lambda key: (cost(key, switches[key]), key)):
        smallest.setdefault((key.partition("_K")[0], *re.findall("_Topology[0-9]+", key)), key)
    return set(smallest.values())


def rules_of(options):
    """Returns the words that ask the program params for the parameters of rules mode."""
    return ["--rules"] if options.mode == "rules" else []


def in_mode(options, key):
    """Returns the key of the program that runs in the mode of the options."""
    return key if options.mode == "exact" else f"{key}-{options.mode}"


def made_of(run):
    """Returns the switch of a run's network, by the word that its key begins with (tb/lockstep/drive/key.h)."""
    family = run.key.partition("_K")[0]
    return KINDS[family][0 if "_Wide1" in run.key else -1] if family in KINDS else f"anl_{family}_switch"


def leave_out_others(options, runs):
    """Returns the runs whose network contains the switch that DUT= replaces; the others would not test it."""
    switches = dut.read(options.dut).switches
    kept = [run for run in runs if made_of(run) in switches]
    if not kept:
        raise Wrong(f"{dut.typed(options.dut)} takes the place of {' and '.join(switches)}: {runs[0].name} has none")
    if len(kept) < len(runs):
        print(f"{len(runs) - len(kept)} runs left out: their networks have no {' or '.join(switches)}")
    return kept


def program(options, key):
    return options.build / "rtl" / dut.name_of(options.dut) / key / "lockstep"  # as in tb.mk


def library(options, part):
    return program(options, part).parent / "part.so"


def build(options, children, what, quick):
    """Builds the program of a key or the library of a part; a quick build is not optimized."""
    words = ["VOPT=-O0"] if quick else []
    target = library(options, what) if "/" in what else program(options, what)
    log = options.logs / f"build-{what.replace('/', '-')}.log"
    make(options, children, [*words, str(target)], log, options.launcher)


def stem_of(options, *words):
    """Returns the name of a file of results without its suffix: the first word, mode and DUT if they are not ours, the
    other words."""
    words = [words[0], options.mode.removeprefix("exact"), dut.stem_of(options.dut), *words[1:]]
    return re.sub("[/ ]", "_", "-".join(word for word in words if word))


def log_of(options, run):
    return options.logs / f"{stem_of(options, run.name, str(run.seed), 'waves' if options.waves else '')}.log"


def report_in(text, log):
    """Returns the report in what a run has printed, and where the other lines are, if there are any: those that the RTL
    prints. Without a report it returns the last lines."""
    lines = text.rstrip().splitlines()[:-1]
    first = max((number for number, line in enumerate(lines) if line.startswith("FIRST DIFFERENCE ")), default=None)
    report = lines[-LAST_LINES:]
    if first is not None:
        end = next((number for number in range(first + 1, len(lines)) if not lines[number].startswith("  ")), len(lines))
        report = lines[first:end]
    others = len(lines) - len(report)
    remark = [f"  output    {others} line{'s' if others > 1 else ''} of other output in {log}"] if others else []
    return "".join(f"{line}\n" for line in [*report, *remark])


def execute(options, children, run):
    log = run.log = log_of(options, run)
    command = [str(program(options, folder_of_parts(options) if run.parts else run.key)), "--json", "--seed", str(run.seed)]
    command += ["--mode", options.mode] if run.parts else []
    command += [EXPECT[run.end]] if run.end else []
    command += ["--dut", shlex.quote(options.dut)] if options.dut else []
    command += ["--threads", str(options.threads)] if run.parts and options.threads else []
    command += options.extra + run.words
    start = time.monotonic()
    status = options.launcher.run(children, command, log)
    run.seconds = time.monotonic() - start
    text = log.read_text(errors="replace")
    last = text.rstrip().rpartition("\n")[2]
    run.result = json_object(last)  # {} if it ended before it printed one
    if status == 0 and run.result.get("pass"):
        if not run.result["flits"] and not options.waves:
            run.reason = "no flit crossed a link: nothing was compared"
        return
    run.reason = run.result.get("reason") or f"status {status}: {last}"
    run.result["report"] = report_in(text, log)


def tell_values(options, children, run):
    """Runs once more what an assertion of ours has ended, in a program that tells the values of its signals. It is built for
    the first such run alone, and serves the others of the same parameter set."""
    if not run.result.get("instance") or options.waves:
        return
    again = replace(run, key=f"{run.key}-values", parts=(), result={})
    with options.telling:
        options.told = options.told or run.key
        if options.told != run.key:
            return
        try:
            build(options, children, again.key, quick=True)
        except Wrong:
            return  # the report is there without them
    execute(options, children, again)
    if again.result.get("values"):
        run.result |= {word: again.result[word] for word in ("values", "report", "reports")}


def check_golden(options, digests, run):
    if run.reason or options.mode == "rules" or options.golden or options.waves:
        return
    known = digests.get((run.name, run.result["seed"]))
    seen = run.result["model_digest"]
    if known and known != seen:
        run.reason = f"digest {seen} is not the golden {known} (make golden, if that is meant)"
    elif not known and not run.drawn and not options.scenario and not options.seed and options.regress in PINNED:
        run.reason = f"no golden digest for {run.label} (make golden)"


def check_pair(options, run):
    """Compares the digest of a run with that of the other one of its pair, if that has ended."""
    if run.reason or not run.pair or options.mode == "rules":
        return
    other = options.pairs.setdefault(run.pair, run)
    if other.result["model_digest"] != run.result["model_digest"]:
        run.reason = f"digest {run.result['model_digest']} is not {other.result['model_digest']}, that of {other.label}"


def rate(cycles, seconds):
    return f"{cycles / seconds:,.0f}/s" if seconds else "-"


def line_of(run):
    result = run.result
    stopped = result.get("end") == "stopped"  # by waves, which need no more: nothing is said of later cycles
    verdict = "FAIL" if run.reason else "SHOWN" if stopped else "PASS"
    if "cycles" not in result:
        return f"{verdict}  {run.label}: {run.reason}"
    text = (f"{verdict}  {run.name:<28} seed {result['seed']:<3} {result['cycles']:>7} cycles "
            f"{result['flits']:>8} flits {result['worms']:>7} worms  "
            f"model {rate(result['cycles'], result['model_seconds']):>11} "
            f"RTL {rate(result['cycles'], result['rtl_seconds']):>9}  {result['rtl_digest']}")
    if "deadlock" in result:
        text += f"  deadlock in cycle {result['deadlock']}"
    if "fault" in result and not run.reason:
        text += f"  fault in {result['fault']}"
    return f"{text}  {run.reason}\n{result.get('report', '')}" if run.reason else text


def coverage_of(runs):
    """Says how many lanes a flit ever entered, and how many of these were full, or bound, at some time, which the registers
    say that exact mode compares."""
    def total(item):
        return sum(run.result.get(item, 0) for run in runs)
    lanes = total("lanes")
    if not lanes:
        return "no lanes used"
    kinds = {kind: item for kind, item in (("full", "lanes_full"), ("bound", "lanes_bound"))
             if all(item in run.result for run in runs if run.result.get("lanes"))}
    return ": ".join(filter(None, (f"{lanes:,} lanes used", ", ".join(
        f"{100 * total(item) / lanes:.0f} % were {kind} at some time" for kind, item in kinds.items()))))


def gains_of(runs):
    """Yields, for runs that differ in the number of lanes alone, how many times as fast they are as the first of them."""
    firsts = {}
    for run in runs:
        if run.reason or "cycles" not in run.result:
            continue
        others = tuple(setting for setting in run.settings if not setting.startswith("switch.num_vcs="))
        first = firsts.setdefault((run.scenario, run.result["seed"], others), run)
        if first.settings != run.settings:
            cycles = first.result["cycles"], run.result["cycles"]
            yield f"{run.label}: {cycles[1]} cycles where {first.label} has {cycles[0]}, {cycles[0] / cycles[1]:.2f} times as fast"


def suite_of(name, runs):
    suite = Suite(name)
    for run in runs:
        suite.case("lockstep", run.label, run.reason, run.result.get("report"), run.seconds)
    return suite


def must_take_every_way(options):
    return options.regress in ways.COVERED and not (options.scenario or options.seed or options.dut or options.golden)


def write_results(options, runs, flits, taken):
    """Writes the results of a suite or scenario as JUnit, and the sum of a whole suite as JSON."""
    suite = suite_of("regress", runs)
    if must_take_every_way(options) and not suite.failed:  # a run that fails ends early
        ways.judge(suite, taken)
    name = stem_of(options, runs[0].name if options.scenario else options.regress)
    suite.write(options.logs / f"junit-{name}.xml")
    page = options.logs / f"{name}.html"
    write(page, page_of(page, f"Regression {name}", sum_of(options, runs, flits), runs, lambda run: waves_after(options, run)))
    print(page)
    if not (options.scenario or options.seed or options.dut):
        mode = "" if options.mode == "exact" else f"-{options.mode}"
        write_json(options.logs / f"{options.regress.replace('/', '_')}{mode}.json", dict(
            suite=options.regress, mode=options.mode, passed=sum(not run.reason for run in runs), failed=suite.failed,
            flits=flits, networks=len({run.key for run in runs}), whole=len({run.key for run in runs if not run.parts}), ways=ways.sums_of(taken)))
    return suite


def cost(key, switches):
    """Returns about what the build of a program costs: it is so much for each lane of each switch, or of each terminal of a graph, of
    which a single switch may have many."""
    lanes, graph = re.search("_NumVcs([0-9]+)", key), re.match(f"(?:{'|'.join(KEYS_OF_GRAPHS)})_K([0-9]+)", key)
    return max(switches, int(graph[1]) if graph else 0) * int(lanes[1] if lanes else 1)


def build_and_run(options, children, switches, runs):
    digests = golden.read()

    def one(run):
        execute(options, children, run)
        tell_values(options, children, run)
        check_golden(options, digests, run)
        check_pair(options, run)
        return line_of(run)

    queue = Queue({key: cost(key, size) for key, size in switches.items()}, runs)
    with Lines(len(switches), len(runs)) as lines, children.pool(options.jobs) as pool:
        print(f"{lines.left()} in {options.build}", flush=True)
        do_all(pool, options.jobs, queue, lines, lambda key: build(options, children, key, key in options.quick), one)


def check_number(name, text, limit):
    if text and not (re.fullmatch(r"[0-9]+", text) and int(text) < limit):
        raise Wrong(f"{name}={text}: expected a number below {limit}")


def remove_waves(path):
    """Removes the waves of an earlier run, or the drafts that an interrupted one has left."""
    for file in path.parent.iterdir():
        if file.name.startswith(f"{path.stem}."):
            file.unlink(missing_ok=True)


def waves_path(options, run, at):
    """Returns the path of the FST file that make waves writes of a run, for a cycle given as text; "" if none is."""
    words = [run.scenario.stem, *run.settings, f"seed{run.seed}" if run.seed is not None else "", f"at{at}" if at else "",
             f"worm{options.worm}" if options.worm else "", dut.stem_of(options.dut), options.mode.removeprefix("exact")]
    name = "-".join(word for word in words if word).replace("/", "+")
    return options.build / "waves" / name / f"{name}.fst"


def waves_after(options, run):
    """Returns the save file that the command for waves at the end of the report of a run writes, or None."""
    told = re.search(r"^  waves .*?(?: AT=(\d+))?$", run.result.get("report", ""), re.MULTILINE)
    return waves_path(options, run, told[1]).with_suffix(".gtkw") if told else None


def set_waves(options, runs):
    """Prepares the one run for waves of its blocked worms. Returns the path of the FST file."""
    if len(runs) != 1 or not options.scenario:
        raise Wrong("waves need SCENARIO= and at most one SEED= (and AT=cycle, WORM=id, ALL=1)")
    check_number("AT", options.at, 2**64 - 1)
    check_number("WORM", options.worm, 2**32 - 1)
    path = waves_path(options, runs[0], options.at)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_waves(path)
    except OSError as error:
        raise Wrong(f"cannot write to {path.parent}: {error}") from error
    options.extra += ["--waves", str(path)]
    options.extra += ["--at", options.at] if options.at else []
    options.extra += ["--worm", options.worm] if options.worm else []
    options.extra += ["--all"] if options.all else []
    return path


def show_waves(options, path, run):
    """Prints the blocking analysis in a few lines, and the command that shows it."""
    view = path.with_suffix(".gtkw")
    if not view.exists():
        return 2
    commands = {"surfer": surfer.write_beside(view), "gtkwave": f"gtkwave {shlex.quote(str(view))}"}
    print(f"{path.with_suffix('.txt').read_text()}{path}\n{view}\n" + "\n".join(commands.values()))
    if options.viewer:
        open_viewer(options.viewer, commands[options.viewer])
    return 0 if run.result else 2


def open_viewer(viewer, command):
    """Opens waves. Wrong: the viewer is not there, or fails."""
    if not shutil.which(viewer):
        raise Wrong(f"there is no command {viewer}, which VIEWER={viewer} wants; where it is, this opens the waves: {command}")
    status = subprocess.run(["sh", "-c", command], check=False).returncode
    if status:
        raise Wrong(f"{command}: status {status}")


def programs_of_papers(options):
    """Returns the papers whose short tables are checked."""
    return [path.name.replace("_", "-") for path in papers() if (path / "program").is_dir()] if checks_papers(options) else []


def check_papers(options, children):
    """Runs the short tables of the papers. Returns how many cells passed and failed, and which tables have failed."""
    passed, failed, tables = 0, 0, []
    for paper in programs_of_papers(options):
        log = options.logs / f"paper-{paper}.log"
        with log.open("w") as output:
            status, _ = children.run(["make", "--no-print-directory", f"BUILD={options.build}",
                                      f"paper-{paper}", "SHORT=1"], stdout=output)
        text = log.read_text(errors="replace")
        cells = re.findall(r"^(\d+) passed, (\d+) failed$", text, re.MULTILINE)
        good, bad = (sum(int(cell[which]) for cell in cells) for which in (0, 1))  # of its program, and of its oracle
        bad += status != 0 and bad == 0  # a claim or a bound failed, or the program itself
        print(f"{'FAIL' if bad else 'PASS'}  paper {paper}: {good} cells of the short table, {bad} failed")
        if bad:
            print(text[-4000:])
            tables.append(("paper", f"{paper}: {bad} cells of the short table failed"))
        passed, failed = passed + good, failed + bad
    return passed, failed, tables


def checks_papers(options):
    whole_suite = not options.scenario and not options.seed and options.regress in WHOLE
    return whole_suite and options.mode == "exact" and not (options.dut or options.golden)


def ranges(numbers):
    """Returns ascending numbers as seeds_of() reads them: 1,4-7."""
    parts = []
    for number in numbers:
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def sum_of(options, runs, flits):
    """Returns the line that says what ran: the suite or scenario, its seeds and settings."""
    what = "judged by the referee" if options.mode == "rules" else "compared"
    seeds = ranges(sorted({run.result["seed"] for run in runs if "seed" in run.result}))
    words = [f"scenario {options.scenario}" if options.scenario else f"suite {options.regress}",
             f"seeds {seeds or 'none'}" if options.scenario or options.seed else "its own seeds",
             options.set, f"mode {options.mode}", dut.typed(options.dut) if options.dut else ""]
    return (f"{flits:,} flit events {what} in {sum(run.seconds for run in runs):.0f} s of runs: "
            f"{len(runs)} of {', '.join(word for word in words if word)}")


def ways_missed(suite):
    """Returns what has failed in a suite beside its runs."""
    return [(case.get("name"), case.find("failure").get("message")) for case in suite.element.iter("testcase")
            if case.get("classname") != "lockstep" and case.find("failure") is not None]


def check_json(options):
    """Says what is wrong with --json before anything is built."""
    if options.json and (options.waves or options.golden):
        raise Wrong("JSON= is for suites and scenarios: no waves, no golden digests")
    if options.json:
        reports.check(options.json)


def regress(options, children):
    check_json(options)
    runs = choose_runs(options)
    waves = set_waves(options, runs) if options.waves else None
    switches = find_keys(options, children, runs)
    if options.dut:
        runs = leave_out_others(options, runs)
        switches = {build: switches[build] for run in runs for build in run.builds}
    try:
        build_and_run(options, children, switches, runs)
    except BaseException:
        if waves:
            remove_waves(waves)
        raise
    if waves:
        return show_waves(options, waves, runs[0])
    flits = sum(run.result.get("flits", 0) for run in runs)
    taken = ways.ways_of(runs)
    suite = write_results(options, runs, flits, taken)
    if options.golden and not suite.failed:
        golden.update({(run.name, run.result["seed"]): run.result["model_digest"] for run in runs}, options.reason)
    if not options.scenario:
        print(coverage_of(runs), *ways.lines_of(taken), *gains_of(runs), sep="\n")
    make_common(options, children, "annelid", *(f"paper-{name}" for name in programs_of_papers(options)))  # reports name the command
    cells, wrong, others = check_papers(options, children)
    if options.json:
        reports.write(options.json, reports.of_all(options, runs, [*ways_missed(suite), *others]))
    print(*filter(None, [options.launcher.remark(), sum_of(options, runs, flits)]), sep="\n")
    print(last_line(suite.passed + cells, suite.failed + wrong))
    return 1 if suite.failed + wrong else 0


def parse():
    one = parser(__doc__, jobs=JOBS)
    one.add_argument("--regress", default="default", help="a suite of sim/suites (smoke, default, standard, long, …) or its path")
    one.add_argument("--scenario", default="", help="run this one only: name or path")
    one.add_argument("--seed", default="", help="instead of the suite's: like 1,4-7")
    one.add_argument("--set", default="", help="section.key=value … for that scenario")
    one.add_argument("--time", type=int, help="random, pairs: seconds in which new networks are drawn (600; pairs: until none is missing)")
    one.add_argument("--dut", default="", help="files, folders and file lists in place of those of rtl/")
    one.add_argument("--mode", default="exact", help=", ".join(MODES))
    one.add_argument("--prelude", type=int, help="cycles of traffic before the reset that a run begins with, 0: none (by the seed)")
    one.add_argument("--launch", default="", help="words before each job: srun -n1 -c1 --")
    one.add_argument("--threads", type=int, choices=range(1, 65), metavar="1..64",
                     help="of each run whose network is put together of switches")
    one.add_argument("--whole", action="store_true", help="build each network whole, none by switches")
    one.add_argument("--json", default="", help="a file for the reports of all failed runs, as a list in JSON")
    one.add_argument("--golden", action="store_true", help="rewrite the golden digests")
    one.add_argument("--reason", default="", help="golden: why digests that are there change")
    one.add_argument("--waves", action="store_true", help="write waves of its blocked worms")
    one.add_argument("--viewer", choices=("surfer", "gtkwave"), help="open the waves in it")
    one.add_argument("--at", default="", help="waves of this cycle")
    one.add_argument("--worm", default="", help="waves of this worm")
    one.add_argument("--all", action="store_true", help="waves of all switches of the RTL")
    options = one.parse_args()
    if options.mode not in MODES:
        raise Wrong(f"MODE={options.mode}: {hint(options.mode, MODES)}")
    options.extra = [] if options.prelude is None else ["--prelude", str(options.prelude)]
    options.launcher = Launcher(options.launch)
    options.telling, options.told = threading.Lock(), ""
    options.pairs = {}
    dut.name_of(options.dut)  # what is wrong with it is said before anything is built
    options.logs = options.build / "regress"
    return options


def lock_build(options):
    """Makes the directory for logs. Returns the build lock."""
    try:
        options.logs.mkdir(parents=True, exist_ok=True)
        return take_build_lock(options.build, "regress")
    except OSError as error:
        raise Wrong(f"cannot write to {options.build}: {error}") from error


def main(children):
    options = parse()
    with lock_build(options):
        options.launcher.try_it(children, options.logs)
        if options.regress in ("random", "pairs") and not options.scenario:
            if options.json:
                raise Wrong(f"JSON= is for suites and scenarios: what fails of REGRESS={options.regress} becomes a scenario, for SCENARIO=")
            from annelid import random_regress  # it uses this module
            return random_regress.explore(options, children)
        return regress(options, children)
