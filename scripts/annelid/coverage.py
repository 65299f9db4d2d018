# SPDX-License-Identifier: Apache-2.0
"""Coverage of RTL, C engine and situations, held to what docs/coverage.md promises.

Builds programs that count, runs them, writes BUILD/coverage/: index.html, html/ (every line),
coverage.json, unreached.txt. Exit status 1 if a criterion falls short, 2 if it cannot be said.
"""

import pathlib
import time

from annelid import coverage_counts as counts, coverage_report as report, functional
from annelid.children import Wrong
from annelid.options import JOBS, JUNIT, parser
from annelid.results import Results, markdown, number, run_campaign
from annelid.regress import read_suite
from annelid.sources import RTL, made, read_toml, write

WANTED = pathlib.Path("tb/campaigns/coverage/coverage.toml")
CRITERIA = 5   # how many criteria a whole run checks
# Least percentages of what is not waived.
RTL_LINES, SWITCH_TOGGLES, C_LINES, C_BRANCHES = 100.0, 95.0, 95.0, 85.0
MOST_LINES = 3  # lines of an assertion, which is counted at its last one
SWITCH = ("rtl/switch/", "rtl/route/", "rtl/common/", "papers/")
ALL = "rtl c functional"
SHORT = 1  # networks in the sample for every merge


class Coverage:
    def __init__(self, campaign):
        self.campaign, self.options, self.children = campaign, campaign.options, campaign.children
        self.wanted = read_toml(WANTED)
        self.build, self.room = self.options.build, campaign.room
        self.waivers = [made(report.Waiver, f"{WANTED}, a waiver", **item) for item in self.wanted["waiver"]]
        self.verdicts, self.complaints, self.sections, self.result = [], [], [], {}
        self.points, self.criteria = [], {}

    def run(self, command, name, **options):
        """Runs a program that must succeed; its output goes to a log."""
        write(self.room / "logs" / f"{name}.log", self.children.must(command, **options))

    def make(self, target, name, variables=(), environment=()):
        start = time.monotonic()
        variables = variables or [f"BUILD={self.build}"]
        jobs = self.options.jobs if target == "test-c" else 1
        self.run(["env", *environment, "make", "--no-print-directory", f"-j{jobs}", *variables, target], name)
        self.campaign.screen.say(f"{time.monotonic() - self.campaign.begin:6.0f} s  made {name} in {time.monotonic() - start:.0f} s")

    def check(self, name, reached, of, least):
        share = report.share(reached, of)
        good = of > 0 and share >= least
        self.verdicts.append((good, f"{name}: {reached} of {of} ({share:.2f} %), at least {least:.0f} %"))
        self.result[name.lower().replace(" ", "_")] = round(share, 3)
        self.criteria[name] = {"reached": reached, "of": of, "least": least, "pass": good}

    def add(self, title, points, words, kinds, files):
        self.points += points
        head = [words[0], words[1], "", "waived", words[2], "", "waived"]
        self.sections.append((title, report.table(head, report.file_rows(files, kinds))))

    def rtl(self):
        params = self.build / "lockstep" / "params"
        self.make(self.build / "lockstep" / "all", "lockstep")
        networks = [counts.Network(self.build, item, lambda words: self.children.must([params, *words]).split()[0])
                    for item in self.wanted["network"]]
        self.complaints += report.strange(self.waivers, [network.key for network in networks])
        programs = networks[:SHORT if self.options.short else None]
        if not self.options.short:
            programs += [counts.Bench(self.build, item) for item in self.wanted["bench"]]
        self.make(self.room / "lib", "lib")
        measured = self.campaign.each(lambda one: counts.measure_program(one, self.make, self.run), programs, "programs")
        points = [point for found in measured for point in found]
        self.complaints += report.waive(points, self.waivers)
        if any(point.doubtful for point in points):
            doubt = "this Verilator counts bits that are constant together with others"
            self.campaign.suite.skip("coverage", "waived toggles that are reached", doubt)
            print(f"SKIP  waived toggles that are reached: {doubt}", flush=True)
        points = counts.lines_once(points)
        files = report.sums(points)
        self.check("RTL lines", *report.total(files, "line")[:2], RTL_LINES)
        self.check("switch toggles", *report.total(files, "toggle", lambda name: name.startswith(SWITCH))[:2],
                   SWITCH_TOGGLES)
        if not self.options.short:
            self.complaints += [f"is in no program: {line}" for line in unmeasured(points)]
        self.add("RTL", points, ("module", "lines and branches", "toggles"), ("line", "toggle"), files)
        self.result["rtl"] = {"programs": [program.key for program in programs], "files": files}

    def c(self):
        counts.run_tests(self.build, self.room / "junit", self.wanted["c"], self.make)
        points = counts.measure_engine(self.build, self.run)
        self.complaints += report.waive(points, self.waivers)
        files = report.sums(points)
        self.check("engine lines", *report.total(files, "line")[:2], C_LINES)
        self.check("engine branches", *report.total(files, "branch")[:2], C_BRANCHES)
        self.add("C engine", points, ("file", "lines", "branches"), ("line", "branch"), files)
        self.result["c"] = {"files": files}

    def functional(self):
        program, wanted = self.room / "points", self.wanted["functional"]
        self.make(program, "points")
        found = functional.points_of(self.children, program)
        effort, least = (wanted["effort"] // 5, 99.0) if self.options.short else (wanted["effort"], 100.0)
        watch(self.campaign, program, effort, runs_of(wanted["suites"]), found)
        found.write(self.room / "functional.json")
        names, seen = found.points, found.totals()
        missing = [name for name in names if name not in seen]
        self.check("functional points", len(names) - len(missing), len(names), least)
        if not self.options.short:
            self.complaints += [f"NOT reached: {name}: {names[name]}" for name in missing]
        rows = [[name, *seen.get(name, ("NOT", "")), meaning] for name, meaning in names.items()]
        self.sections.append(("Functional points", report.table(["point", "times", "first", "meaning"], rows)))
        self.result["functional"] = {name: {"times": seen.get(name, (0, ""))[0], "first": seen.get(name, (0, ""))[1]}
                                     for name in names}

    def write_pages(self):
        write(self.room / "unreached.txt", "".join(f"{line}\n" for line in report.unreached(self.points)))
        rows = [[waiver.file, waiver.text, waiver.waived, waiver.reason] for waiver in self.waivers]
        self.sections.append(("Waived", report.table(["file", "text", "points", "reason"], rows)))
        write(self.room / "index.html", report.page(self.verdicts, self.sections) + "\n")
        info = self.room / "coverage.info"
        write(info, report.tracefile(self.points))
        if self.points:
            self.run(["genhtml", "--quiet", "--prefix", pathlib.Path.cwd(), "--output-directory", self.room / "html", info],
                     "genhtml")

    def end(self):
        """Writes and prints what was found. Returns the exit status."""
        if not self.options.short:
            self.write_pages()
        cases = [(words.partition(":")[0], None if good else words) for good, words in self.verdicts]
        cases += [(complaint[:80], complaint) for complaint in self.complaints]
        for name, reason in cases:
            self.campaign.suite.case("coverage", name, reason)
        for complaint in self.complaints[:40]:
            print(complaint)
        if len(self.complaints) > 40:
            print(f"and {len(self.complaints) - 40} more")
        for good, words in self.verdicts:
            print(f"{'PASS' if good else 'FAIL'}  {words}")
        return self.campaign.end(f"{self.room}/index.html" if not self.options.short else "a sample", self.options.short,
                                 **self.result, criteria=self.criteria, complaints=self.complaints,
                                 waivers=[{"file": waiver.file, "text": waiver.text, "reason": waiver.reason,
                                           "points": waiver.waived} for waiver in self.waivers])


def runs_of(suites):
    """Returns (scenario, seed, settings) of the runs of the suites, each with its first seed."""
    runs = {}
    for name in suites:
        for run in read_suite(name):
            runs.setdefault((run.scenario, run.settings), run)
    return [(str(run.scenario), str(run.seed), run.settings) for run in runs.values()]


def watch(campaign, program, effort, runs, found):
    """Adds the runs of the suites to the functional coverage `found`."""
    def one(run):
        path, seed, settings = run
        return (functional.label_of(path, seed, settings, effort),
                functional.watch(campaign.children, program, path, seed, settings, str(effort)))

    for label, run in campaign.each(one, runs, "runs"):
        found.add(label, run, WANTED)


def unmeasured(points):
    """Returns the processes and assertions of the RTL that none of the programs contains."""
    measured = {(point.file, point.line) for point in points}
    for path in sorted(RTL):
        for at, line in enumerate(path.read_text().splitlines(), 1):
            begins = line.strip().startswith(("always", "`ANL_ASSERT("))
            spans = range(at, at + MOST_LINES if "ASSERT" in line else at + 1)
            if begins and not any((str(path), one) in measured for one in spans):
                yield f"{path}:{at}: {line.strip()}"


def tables(data):
    if len(data["criteria"]) != CRITERIA:
        raise Wrong("the last report is not of a whole run")
    rows = [[name, number(one["reached"]), number(one["of"]), f"{report.share(one['reached'], one['of']):.2f} %",
             f"{one['least']:.0f} %"] for name, one in data["criteria"].items()]
    return markdown(["", "reached", "of", "", "at least"], rows)


RESULTS = Results("coverage", "Coverage", "coverage.md", "coverage --docs", tables, ("VERILATOR", "CC"))


def parse():
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, short="a sample: one network of the RTL, the functional points",
                 docs=f"run nothing, write the figures of the last whole run into {RESULTS.path}")
    one.add_argument("--only", default=ALL, help=f"of: {ALL}")
    return one.parse_args()


def run_all(campaign):
    coverage, only, short = Coverage(campaign), campaign.options.only.split(), campaign.options.short
    if "functional" in only:
        coverage.functional()
    if "c" in only and not short:
        coverage.c()
    if "rtl" in only:
        coverage.rtl()
    if not short and len(only) == len(ALL.split()):
        coverage.complaints += report.idle(coverage.waivers)
    return coverage.end()


def main(children):
    return run_campaign("coverage", parse(), children, run_all, whole_build=True, results=RESULTS)
