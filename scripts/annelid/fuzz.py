# SPDX-License-Identifier: Apache-2.0
"""Coverage-guided fuzzing: the readers of files, and the lock-step of RTL and golden model (docs/fuzzing.md).

search: each fuzzer for some time, JSON in BUILD/fuzz/fuzz.json. shrink: a case that fails made small, as
a scenario. planted: rare bugs, each of which must be found. keep: the best of what was found becomes
the corpus. test: the corpus, and a few planted bugs. `make fuzz` and others call it.
"""

import concurrent.futures
import gzip
import io
import pathlib
import re
import shlex
import shutil
import sys
import tarfile
import tempfile
import time
from dataclasses import dataclass

from annelid.children import Wrong, take_build_lock
from annelid.dut import name_of, typed
from annelid.lockstep import key_of
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.planted import FUZZ, read, texts
from annelid.results import Screen, Suite, attempt, write_json
from annelid.sources import write

ROOM = pathlib.Path("tb/campaigns/fuzz")
CORPUS = ROOM / "corpus"
SEEDS = 3         # searches for a planted bug; two thirds of them must find it. libFuzzer ends a case that hangs (20 minutes)
SMALLER = 5_000   # so many changes in vain of a case that fails end libFuzzer's attempts to make it smaller
LIGHT = {"scenario": 50, "trace": 50}  # cases of these readers run no network: so many of them for one case of the others
KEEP = 32         # most cases of a corpus
SAMPLE = 1000     # so many of the cases that were found are candidates for the corpus
# Options for lock-steps. Cases have up to CASE_BYTES from the beginning. How often a branch was taken says little, so
# these counters are off; what was reached (reached.h) says much. The corpus is not read again during a search, which
# would depend on the clock: the same seed gives the same search.
OPTIONS = ["-max_len=129", "-len_control=0", "-use_counters=0", "-reload=0"]
STEP = re.compile(r"^#(\d+)\s+(\w+)\s+cov: (\d+) ft: (\d+) corp: (\d+)/\S+.*?exec/s: (\d+)", re.MULTILINE)


@dataclass
class Fuzzer:
    name: str
    program: pathlib.Path

    @property
    def locksteps(self):
        return self.name.startswith("lockstep-")

    @property
    def archive(self):
        return CORPUS / f"{self.name}.tar.gz"

    @property
    def options(self):
        return OPTIONS if self.locksteps else []


@dataclass
class State:
    """The progress that libFuzzer reported last."""
    cases: int = 0
    coverage: int = 0
    features: int = 0
    corpus: int = 0


def state_of(text):
    last = None
    for last in STEP.finditer(text):
        pass
    return State(*(int(last[i]) for i in (1, 3, 4, 5))) if last else State()


def reason_of(text):
    """Returns in one line why a search ended early."""
    found = re.search(r"^MISMATCH: .*|^SUMMARY: .*|^==\d+== ?ERROR: .*", text, re.MULTILINE)
    return found[0] if found else (text.strip().splitlines() or ["no output"])[-1]


def case_of(text):
    found = re.search(r"Test unit written to (\S+)", text)
    return found[1] if found else None


class Bench:
    """Builds fuzzers and runs them."""

    def __init__(self, options, children):
        self.options, self.children, self.run = options, children, children.output
        self.build, self.room = options.build, options.build / "fuzz"
        self.room.mkdir(parents=True, exist_ok=True)

    def make(self, *words):
        return self.children.make(self.build, f"-j{self.options.jobs}", *words)

    def fuzzers(self, dut=None):
        """Returns {name: fuzzer}: one for each reader, and a lock-step for each network."""
        self.make(self.build / "lockstep/params")
        rtl = self.build / "rtl" / name_of(dut and str(dut))
        found = [Fuzzer(path.stem.removeprefix("fuzz_"), self.room / "bin" / path.stem.removeprefix("fuzz_"))
                 for path in sorted(ROOM.glob("fuzz_*.c"))]
        for path in sorted(ROOM.glob("lockstep/*.yaml")):
            key = key_of(self.children, self.build, path)
            found.append(Fuzzer(f"lockstep-{path.stem}", rtl / f"{key}-fuzz/lockstep-{path.stem}"))
        return {one.name: one for one in found}

    def chosen(self):
        dut = self.options.dut
        all_of_them = {name: one for name, one in self.fuzzers(dut).items() if one.locksteps or not dut}
        check_names(self.options.only, all_of_them, "fuzzer")
        return [all_of_them[name] for name in self.options.only or all_of_them]

    def compile(self, fuzzers, dut=None):
        with take_build_lock(self.build, "fuzz"):
            quick = ["VOPT=-O0"] if self.options.action == "test" else []  # it runs few cases
            self.make(*quick, f"DUT={dut or ''}", *(one.program for one in fuzzers))

    def search(self, fuzzer, words, log):
        """Runs libFuzzer and shows its progress. Returns (seconds, output). It ends early at a case that fails."""
        begin, screen = time.monotonic(), Screen(sys.stderr)
        with log.open("w") as output, self.children.pool(1) as pool:
            run = pool.submit(self.children.run, [fuzzer.program, *words], stdout=output)
            while True:
                try:
                    run.result(timeout=1)
                    break
                except concurrent.futures.TimeoutError:
                    state = state_of(log.read_text(errors="replace"))
                    screen.progress(f"{fuzzer.name}: {time.monotonic() - begin:.0f} s, {state.cases:,} cases, "
                                    f"{state.features:,} features")
        screen.progress()
        return time.monotonic() - begin, log.read_text(errors="replace")


# --- search ---

def entry_of(fuzzer, seconds, output):
    state, case = state_of(output), case_of(output)
    return {"name": fuzzer.name, "kind": "lockstep" if fuzzer.locksteps else "reader", "seconds": round(seconds, 1),
            "cases": state.cases, "cases_per_second": round(state.cases / seconds), "mismatches": int(case is not None),
            "corpus": state.corpus, "features": state.features, "coverage": state.coverage, "case": case}


def search_one(bench, fuzzer):
    found, failed = bench.room / "found" / fuzzer.name, bench.room / "cases" / fuzzer.name
    for directory in (found, failed):
        directory.mkdir(parents=True, exist_ok=True)
    options, corpus = bench.options, unpacked(bench, fuzzer)
    cases = options.cases and options.cases * LIGHT.get(fuzzer.name, 1)
    budget = f"-runs={cases}" if cases else f"-max_total_time={options.seconds}"
    words = [budget, f"-artifact_prefix={failed}/", *fuzzer.options, found, corpus]
    seconds, output = bench.search(fuzzer, words, bench.room / f"{fuzzer.name}.log")
    entry = entry_of(fuzzer, seconds, output)
    if not entry["case"] and "Done " not in output:
        raise Wrong(f"{fuzzer.name}: {output[-2000:]}")
    return entry, output


def show(entry, output, dut):
    print(f"{'FAIL' if entry['mismatches'] else 'PASS'}  {entry['name']:16} {entry['seconds']:6.0f} s {entry['cases']:9,} cases "
          f"{entry['cases_per_second']:6,}/s  corpus {entry['corpus']:5} features {entry['features']:6,}")
    if not entry["mismatches"]:
        return
    print(f"      {reason_of(output)}\n      case {entry['case']}")
    if entry["kind"] == "lockstep":
        print(f"      make shrink CASE={entry['case']}" + (f" {typed(str(dut))}" if dut else ""))


def totals(entries):
    """Returns the sums over readers and over lock-steps."""
    sums = {"mismatches": sum(entry["mismatches"] for entry in entries)}
    for kind in ("lockstep", "reader"):
        ours = [entry for entry in entries if entry["kind"] == kind]
        sums |= {f"{kind}_{item}": round(sum(entry[item] for entry in ours)) for item in ("seconds", "cases")}
    return sums


def search(bench):
    fuzzers, options, suite, entries = bench.chosen(), bench.options, Suite("fuzz"), []
    bench.compile(fuzzers, options.dut)
    for fuzzer in fuzzers:
        entry, output = search_one(bench, fuzzer)
        show(entry, output, options.dut)
        sys.stdout.flush()
        entries.append(entry)
        suite.case("fuzz", fuzzer.name, reason_of(output) if entry["mismatches"] else None, output[-4000:], entry["seconds"])
    name = "some.json" if options.only or options.dut else "fuzz.json"
    write_json(bench.room / name, {**totals(entries), "fuzzers": entries})
    return suite.end(bench.room / "fuzz.xml")


# --- shrink ---

def difference_of(output):
    """Returns what the lock-step reports: the line of the first difference, and what was expected and seen."""
    found = re.search(r"^FIRST DIFFERENCE .*(\n  (expected|seen) .*)*", output, re.MULTILINE)
    return found[0] if found else None


def minimize(bench, fuzzer, case):
    """Lets libFuzzer take bytes away from a case."""
    small = bench.room / "small.case"
    shutil.copyfile(case, small)
    bench.run([fuzzer.program, "-minimize_crash=1", f"-runs={SMALLER}", f"-exact_artifact_path={small}", *fuzzer.options, case])
    return small


def shrink_one(bench, fuzzer, case, directory, dut):
    """Makes a case small and writes it to directory as a scenario. Returns its (exit status, output)."""
    directory.mkdir(parents=True, exist_ok=True)
    words = ["shrink", minimize(bench, fuzzer, case), directory, *([shlex.quote(str(dut))] if dut else [])]
    return bench.run([fuzzer.program, *words])


def shrink(bench):
    case, dut = bench.options.case, bench.options.dut
    fuzzer = bench.fuzzers(dut).get(case.parent.name)
    if not case.is_file() or not fuzzer or not fuzzer.locksteps:
        raise Wrong(f"CASE={case}: expected a case of a lock-step, …/lockstep-<network>/<name>")
    bench.compile([fuzzer], dut)
    directory = bench.room / f"{fuzzer.name.removeprefix('lockstep-')}-{case.name.removeprefix('crash-')[:8]}"
    status, output = shrink_one(bench, fuzzer, case, directory, dut)
    if status not in (0, 1):
        raise Wrong(output)
    print(output, end="")
    if status and not difference_of(output):  # else its report ends with the commands
        print(f"make regress SCENARIO={directory}/scenario.yaml" + (f" {typed(str(dut))}" if dut else ""))
    return 0 if status else 1


# --- planted bugs ---

# Switches by the beginning of the names of networks that consist of them; the others are cubes.
SWITCHES = {"tree": "rtl/switch/anl_fat_tree_switch.sv", "graph": "rtl/switch/anl_graph_switch.sv",
            "prism": "rtl/switch/anl_graph_switch.sv"}

def plant(bench, bug):
    """Returns the path of the file with the bug in it, for DUT=."""
    changed = texts([bug])
    path = bench.room / "planted" / bug["name"] / pathlib.Path(next(iter(changed))).name
    switch = next((file for start, file in SWITCHES.items() if bug["network"].startswith(start)), None)
    if switch and switch not in changed:
        changed[switch] = pathlib.Path(switch).read_text()  # from this module's name regress knows which networks the file belongs to
    write(path, "\n".join(changed.values()))
    return path


def hunt(bench, fuzzer, room, seed, limit):
    """Searches from an empty corpus. Returns (cases until it was found or given up, the case or None)."""
    found = room / fuzzer.name  # `make shrink` reads the name of the fuzzer from the directory of a case
    found.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=room) as empty:
        words = [f"-seed={seed}", f"-runs={limit}", f"-artifact_prefix={found}/", *fuzzer.options, empty]
        output = bench.search(fuzzer, words, room / f"seed{seed}.log")[1]
    if not case_of(output) and "Done " not in output:
        raise Wrong(f"seed {seed}: {output[-2000:]}")
    return state_of(output).cases, case_of(output)


def confirm(bench, fuzzer, case, room, dut):
    """Checks that the small scenario shows the same difference in make regress. Returns it in words."""
    status, here = shrink_one(bench, fuzzer, case, room, dut)
    if status != 1 or not difference_of(here):
        raise Wrong(f"shrunk, it does not fail: {here[-2000:]}")
    status, there = bench.run(["make", "--no-print-directory", f"BUILD={bench.build}", f"JOBS={bench.options.jobs}", "VOPT=-O0",
                               "regress", f"SCENARIO={room}/scenario.yaml", f"DUT={dut}"])
    if status == 0 or difference_of(there) != difference_of(here):
        raise Wrong(f"make regress does not show\n{here}\nbut\n{there[-3000:]}")
    left = re.search(r"^\d+ worms?, \d+ bytes", here, re.MULTILINE)[0]
    line = difference_of(here).splitlines()[0].removeprefix("FIRST DIFFERENCE in ")
    return {"left": left, "difference": line}


def words_of(cases, limit):
    """Returns what the report says of a bug: how many cases each seed took to find it."""
    return ", ".join("never" if one is None else f"{one:,}" for one in cases) + f" cases, of {limit:,} at most"


def judge(cases, limit):
    """Wrong unless two thirds of the seeds have found the bug. One seed may have bad luck; a fuzzer that has become blind has
    it with all of them."""
    found = [one for one in cases if one is not None]
    if 3 * len(found) < 2 * len(cases):
        raise Wrong(f"found with {len(found)} of {len(cases)} seeds: {words_of(cases, limit)}")


def try_planted(bench, bug):
    """Returns the entry of the report; Wrong if too few seeds find the bug, or the small scenario does not show it."""
    dut, limit = plant(bench, bug), bug["limit"]
    fuzzer, room = bench.fuzzers(dut)[f"lockstep-{bug['network']}"], dut.parent
    bench.compile([fuzzer], dut)
    hunts = [hunt(bench, fuzzer, room, seed, limit) for seed in range(1, bench.options.seeds + 1)]
    cases = [tried if case else None for tried, case in hunts]
    judge(cases, limit)
    shown = confirm(bench, fuzzer, next(case for _, case in hunts if case), room, dut)
    return {"limit": limit, "cases": cases, **shown}


def planted_bugs(bench, short):
    bugs = {bug["name"]: bug for bug in read([FUZZ], "fuzz")}
    if short:
        return [bug for bug in bugs.values() if bug.get("short")]
    check_names(bench.options.only, bugs, "planted bug")
    return [bugs[name] for name in bench.options.only or bugs]


def try_all_planted(bench, suite, short=False):
    entries = []
    for bug in planted_bugs(bench, short):
        name = bug["name"]
        entry = {"name": name, "network": bug["network"], "why": bug["why"]}
        seen, reason, seconds = attempt(try_planted, bench, bug)
        entry |= dict(failed=reason) if reason else seen
        said = reason or f"{words_of(seen['cases'], seen['limit'])}; {seen['left']}: {seen['difference']}"
        print(f"{'FAIL' if reason else 'PASS'}  {name:14} {bug['network']:7} {said}", flush=True)
        suite.case("planted", name, reason, seconds=seconds)
        entries.append(entry)
    return entries


def planted(bench):
    suite = Suite("fuzz-planted")
    entries = try_all_planted(bench, suite)
    if not bench.options.only:
        write_json(bench.room / "planted.json",
                   {"found": suite.passed, "missed": suite.failed, "seeds": bench.options.seeds, "planted": entries})
    return suite.end()


# --- corpus: an archive of files, which libFuzzer reads unpacked ---

def unpacked(bench, fuzzer):
    """Returns the directory with the files of the corpus, made anew; without an archive it is empty."""
    directory = bench.room / "corpus" / fuzzer.name
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    if fuzzer.archive.exists():
        with tarfile.open(fuzzer.archive) as archive:
            for entry in archive:
                (directory / pathlib.Path(entry.name).name).write_bytes(archive.extractfile(entry).read())
    return directory


def pack(fuzzer, texts):
    """Writes {name: bytes} as the archive of a corpus, the same bytes for the same files."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, text in sorted(texts.items()):
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    fuzzer.archive.write_bytes(gzip.compress(whole.getvalue(), mtime=0))


def features_of(bench, fuzzer, files):
    """Returns {file: all its features}, as libFuzzer counts them."""
    with tempfile.TemporaryDirectory() as room:
        control, empty, full = (pathlib.Path(room) / name for name in ("control", "empty", "full"))
        empty.mkdir()
        full.mkdir()
        for path in files:
            shutil.copyfile(path, full / path.name)
        status, output = bench.run([fuzzer.program, "-set_cover_merge=1", f"-merge_control_file={control}", *fuzzer.options,
                                    empty, full])
        if status:
            raise Wrong(f"{fuzzer.name}: {output[-2000:]}")
        lines = control.read_text().splitlines()
    names = [pathlib.Path(line).name for line in lines[2:2 + int(lines[0])]]
    features = {names[int(words[1])]: set(map(int, words[2:]))
                for words in map(str.split, lines[2 + len(names):]) if words[0] == "FT"}
    return {path: features[path.name] for path in files if path.name in features}


def best_of(features):
    """Returns at most KEEP files; each is the one that adds most features per byte to those before it."""
    left, chosen = dict(features), []
    while left and len(chosen) < KEEP:
        path = max(left, key=lambda one: (len(left[one]) / one.stat().st_size, one.name))
        new = left.pop(path)
        chosen.append(path)
        left = {one: rest - new for one, rest in left.items() if rest - new}
    return chosen


def keep(bench):
    fuzzers = [one for one in bench.chosen() if one.locksteps]
    bench.compile(fuzzers)
    for fuzzer in fuzzers:
        found = bench.room / "found" / fuzzer.name
        files = [path for directory in (found, unpacked(bench, fuzzer)) if directory.exists() for path in sorted(directory.iterdir())
                 if path.stat().st_size]
        features = features_of(bench, fuzzer, files[::len(files) // SAMPLE + 1])
        texts = {path.name: path.read_bytes() for path in best_of(features)}
        pack(fuzzer, texts)
        print(f"{fuzzer.name}: {len(texts)} of {len(files)} files, {sum(map(len, texts.values()))} bytes", flush=True)
    return 0


def replay(bench, fuzzer, suite):
    """Runs every file of the corpus once."""
    corpus, begin = unpacked(bench, fuzzer), time.monotonic()
    files = list(corpus.iterdir())
    status, output = bench.run([fuzzer.program, "-runs=0", *fuzzer.options, corpus])
    state = state_of(output)
    reason = None
    if status:
        reason = reason_of(output)
    elif state.cases < len(files) or not files:
        reason = f"{state.cases} of {len(files)} files were tried"
    elif fuzzer.locksteps and state.features <= state.coverage:
        reason = "the fuzzer is not told what was reached (tb/campaigns/fuzz/lockstep/reached.c)"
    suite.case("corpus", fuzzer.name, reason, output[-4000:], time.monotonic() - begin)
    print(f"{'FAIL' if reason else 'PASS'}  {fuzzer.name:16} {len(files):3} files, {state.features:6,} features"
          + (f": {reason}" if reason else ""), flush=True)


def test(bench):
    suite, fuzzers = Suite("fuzz"), bench.chosen()
    bench.compile(fuzzers)
    for fuzzer in fuzzers:
        replay(bench, fuzzer, suite)
    try_all_planted(bench, suite, short=True)
    return suite.end(bench.options.junit and bench.options.junit / "fuzz.xml")


ACTIONS = {"search": search, "shrink": shrink, "planted": planted, "keep": keep, "test": test}


def parse():
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, only="these fuzzers, or planted bugs")
    one.add_argument("action", choices=list(ACTIONS))
    one.add_argument("case", nargs="?", type=pathlib.Path, help="shrink: the file")
    one.add_argument("--dut", help="file in place of those of rtl/ whose modules it defines")
    one.add_argument("--seeds", type=int, default=SEEDS, help="planted, test: searches for each bug")
    one.add_argument("--seconds", type=int, default=600, help="search: for each fuzzer")
    one.add_argument("--cases", type=int, help="search: of each fuzzer, however long they take, in place of --seconds")
    options = one.parse_args()
    if (options.action == "shrink") != bool(options.case):
        one.error("shrink, and nothing else, needs a case")
    return options


def main(children):
    options = parse()
    return ACTIONS[options.action](Bench(options, children))
