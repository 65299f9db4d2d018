# SPDX-License-Identifier: Apache-2.0
"""Coverage of RTL, C engine and situations, held to what docs/coverage.md promises.

Builds programs that count, runs them, writes BUILD/coverage/: index.html, html/ (every line),
coverage.json, unreached.txt. Exit status 1 if a criterion falls short, 2 if it cannot be said.
"""

import pathlib
import time

from annelid import coverage_c, coverage_points, coverage_report as report, coverage_rtl
from annelid.children import Wrong, take_build_lock
from annelid.coverage_waivers import idle, waive, waivers
from annelid.options import JOBS, JUNIT, parser
from annelid.results import Suite, fill_from, markdown, number, write_json
from annelid.sources import read_toml, write

WANTED, PAGE = pathlib.Path("tb/campaigns/coverage/coverage.toml"), pathlib.Path("docs/coverage.md")
CRITERIA = 5   # how many criteria a whole run checks
# Least percentages of what is not waived.
RTL_LINES, SWITCH_TOGGLES, C_LINES, C_BRANCHES = 100.0, 95.0, 95.0, 85.0
MOST_LINES = 3  # lines of an assertion, which is counted at its last one
SWITCH = ("rtl/switch/", "rtl/route/", "rtl/common/")
SHORT = 1  # networks in the sample for every merge


class Coverage:
    def __init__(self, options, children):
        self.options, self.children = options, children
        self.wanted = read_toml(WANTED)
        self.build, self.room = options.build, options.build / "coverage"
        self.waivers = waivers(self.wanted["waiver"])
        self.verdicts, self.complaints, self.sections, self.result = [], [], [], {}
        self.points, self.criteria = [], {}

    def say(self, text):
        print(f"{time.monotonic() - self.options.start:6.0f} s  {text}", flush=True)

    def run(self, command, name, environment, where=None):
        """Runs a program that must succeed; its output goes to a log."""
        log = self.room / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("w") as output:
            status, _ = self.children.run(command, environment, stdout=output, cwd=where)
        if status:
            raise Wrong(f"{' '.join(map(str, command))}: status {status}\n{log.read_text(errors='replace')[-3000:]}")

    def make(self, target, name, variables=()):
        start = time.monotonic()
        variables = variables or [f"BUILD={self.build}"]
        jobs = self.options.jobs if name == "c" else 1
        self.run(["make", "--no-print-directory", f"-j{jobs}", *variables, target], name, {})
        self.say(f"made {name} in {time.monotonic() - start:.0f} s")

    def ask(self, command):
        status, said = self.children.output(command)
        if status:
            raise Wrong(f"{' '.join(map(str, command))}: status {status}\n{said[-2000:]}")
        return said

    def check(self, name, reached, of, least):
        share = report.share(reached, of)
        good = of > 0 and share >= least
        self.verdicts.append((good, f"{name}: {reached} of {of} ({share:.2f} %), at least {least:.0f} %"))
        self.result[name.lower().replace(" ", "_")] = round(share, 3)
        self.criteria[name] = {"reached": reached, "of": of, "least": least, "pass": good}

    def rtl(self, pool):
        params = self.build / "lockstep" / "params"
        self.make(self.build / "lockstep" / "all", "lockstep")
        networks = self.wanted["network"][:SHORT if self.options.short else None]
        programs = [coverage_rtl.Network(self.build, item, lambda words: self.ask([params, *words]).split()[0])
                    for item in networks]
        if not self.options.short:
            programs += [coverage_rtl.Bench(self.build, item) for item in self.wanted["bench"]]
        self.make(self.room / "lib", "lib")
        points = []
        for found in pool.map(lambda program: coverage_rtl.measure(program, self.make, self.run), programs):
            points += found
        self.complaints += waive(points, self.waivers)
        points = coverage_rtl.lines_once(points)
        files = report.sums(points)
        self.check("RTL lines", *report.total(files, "line")[:2], RTL_LINES)
        self.check("switch toggles", *report.total(files, "toggle", lambda name: name.startswith(SWITCH))[:2],
                   SWITCH_TOGGLES)
        if not self.options.short:
            self.complaints += [f"is in no program: {line}" for line in unmeasured(points)]
        head = ["module", "lines and branches", "", "waived", "toggles", "", "waived"]
        self.sections.append(("RTL", report.table(head, report.file_rows(files, ("line", "toggle")))))
        self.result["rtl"] = {"programs": [program.key for program in programs], "files": files}
        self.points += points

    def c(self):
        coverage_c.run_tests(self.build, self.room / "junit", self.wanted["c"]["without"], self.make)
        points = coverage_c.measure(self.build, self.run)
        self.complaints += waive(points, self.waivers)
        files = report.sums(points)
        self.check("engine lines", *report.total(files, "line")[:2], C_LINES)
        self.check("engine branches", *report.total(files, "branch")[:2], C_BRANCHES)
        head = ["file", "lines", "", "waived", "branches", "", "waived"]
        self.sections.append(("C engine", report.table(head, report.file_rows(files, ("line", "branch")))))
        self.result["c"] = {"files": files}
        self.points += points

    def functional(self, pool):
        program, wanted = self.room / "points", self.wanted["functional"]
        self.make(program, "points")
        names = coverage_points.listed(program, self.ask)
        runs = coverage_points.runs_of(wanted["lists"])
        seen = coverage_points.watch(program, wanted["effort"], self.ask, pool, runs)
        missing = [name for name in names if name not in seen]
        self.check("functional points", len(names) - len(missing), len(names), 100.0)
        self.complaints += [f"NOT reached: {name}: {names[name]}" for name in missing]
        rows = [[name, *seen.get(name, ("NOT", "")), meaning] for name, meaning in names.items()]
        self.sections.append(("Functional points", report.table(["point", "times", "first", "meaning"], rows)))
        self.result["functional"] = {name: {"times": seen.get(name, (0, ""))[0], "first": seen.get(name, (0, ""))[1]}
                                     for name in names}

    def write(self):
        good = sum(good for good, _ in self.verdicts)
        self.result |= {"passed": good, "failed": len(self.verdicts) - good + len(self.complaints),
                        "criteria": self.criteria, "complaints": self.complaints,
                        "waivers": [{"file": waiver.file, "text": waiver.text, "reason": waiver.reason,
                                     "points": waiver.waived} for waiver in self.waivers]}
        name = "short.json" if self.options.short else "coverage.json"
        write_json(self.room / name, self.result)
        if not self.options.short:
            self.write_pages()

    def write_pages(self):
        write(self.room / "unreached.txt", "".join(f"{line}\n" for line in report.unreached(self.points)))
        rows = [[waiver.file, waiver.text, waiver.waived, waiver.reason] for waiver in self.waivers]
        self.sections.append(("Waived", report.table(["file", "text", "points", "reason"], rows)))
        report.write_page(self.room / "index.html", self.verdicts, self.sections)
        info = self.room / "coverage.info"
        write(info, report.tracefile(self.points))
        if self.points:
            self.run(["genhtml", "--quiet", "--prefix", pathlib.Path.cwd(), "--output-directory", self.room / "html", info],
                     "genhtml", {})

    def status(self):
        return 0 if all(good for good, _ in self.verdicts) and not self.complaints else 1

    def print_results(self):
        for complaint in self.complaints[:40]:
            print(complaint)
        if len(self.complaints) > 40:
            print(f"and {len(self.complaints) - 40} more")
        for good, words in self.verdicts:
            print(f"{'PASS' if good else 'FAIL'}  {words}")
        if self.options.junit:
            suite = Suite("coverage")
            for good, words in self.verdicts:
                suite.case("coverage", words.partition(":")[0], None if good else words)
            for complaint in self.complaints:
                suite.case("coverage", complaint[:80], complaint)
            suite.write(self.options.junit / "coverage.xml")
        if not self.options.short:
            print(f"coverage: {self.room}/index.html")


def unmeasured(points):
    """Returns the processes and assertions of the RTL that none of the programs contains."""
    measured = {(point.file, point.line) for point in points}
    for path in sorted(pathlib.Path("rtl").glob("*/*.sv")):
        for at, line in enumerate(path.read_text().splitlines(), 1):
            begins = line.strip().startswith(("always", "`ANL_ASSERT("))
            spans = range(at, at + MOST_LINES if "ASSERT" in line else at + 1)
            if begins and not any((str(path), one) in measured for one in spans):
                yield f"{path}:{at}: {line.strip()}"


def sections(data):
    """Returns the text between the marks `figures` of docs/coverage.md."""
    if data["failed"] or len(data["criteria"]) != CRITERIA:
        raise Wrong("the last report is not of a whole run that passed")
    rows = [[name, number(one["reached"]), number(one["of"]), f"{report.share(one['reached'], one['of']):.2f} %",
             f"{one['least']:.0f} %"] for name, one in data["criteria"].items()]
    return {"figures": markdown(["", "reached", "of", "", "at least"], rows)}


def parse():
    one = parser(__doc__, jobs=JOBS, junit=JUNIT, short="a sample: one network of the RTL, the functional points",
                 docs=f"run nothing, write the figures of the last run into {PAGE}")
    one.add_argument("--only", default="rtl c functional", help="of: rtl c functional")
    return one.parse_args()


def main(children):
    options = parse()
    if options.docs:
        return fill_from(PAGE, options.build / "coverage/coverage.json", sections)
    options.start = time.monotonic()
    with take_build_lock(options.build, "coverage"), children.pool(options.jobs) as pool:
        coverage = Coverage(options, children)
        if "functional" in options.only:
            coverage.functional(pool)
        if "c" in options.only.split() and not options.short:
            coverage.c()
        if "rtl" in options.only:
            coverage.rtl(pool)
        if not options.short and options.only == "rtl c functional":
            coverage.complaints += idle(coverage.waivers)
        coverage.write()
        coverage.print_results()
        return coverage.status()
