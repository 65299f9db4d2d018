# SPDX-License-Identifier: Apache-2.0
"""The output of scripts: lines on a screen, results as JUnit and JSON, tables in docs/results/."""

import concurrent.futures
import datetime
import json
import pathlib
import re
import sys
import textwrap
import threading
import time
import xml.etree.ElementTree as xml

from annelid.children import Wrong, take_build_lock, tool
from annelid.sources import write

RESULTS = pathlib.Path("docs/results")


class Screen:
    """Prints lines, and on a terminal a line of progress below them. Several threads may use it."""

    def __init__(self, stream=None):
        self.stream = stream or sys.stdout
        self.lock, self.bar = threading.Lock(), self.stream.isatty()

    def say(self, text):
        with self.lock:
            print(("\r\033[K" if self.bar else "") + text, file=self.stream, flush=True)

    def progress(self, text=""):
        if self.bar:
            with self.lock:
                print(f"\r\033[K{text}", end="", file=self.stream, flush=True)


class Suite:
    """Cases that passed, failed or were skipped, for a JUnit file. Several threads may use it."""

    def __init__(self, name):
        self.lock, self.element = threading.Lock(), xml.Element("testsuite", name=name)
        self.passed = self.failed = 0

    def case(self, group, name, reason=None, text=None, seconds=None):
        """Adds a case. reason says why it failed; its first line is the message. text gives details."""
        with self.lock:
            case = xml.SubElement(self.element, "testcase", classname=group, name=name)
            if seconds is not None:
                case.set("time", f"{seconds:.3f}")
            if reason:
                failure = xml.SubElement(case, "failure", message=reason.splitlines()[0])
                failure.text = text or reason
            self.passed += not reason
            self.failed += bool(reason)

    def skip(self, group, name, why):
        with self.lock:
            case = xml.SubElement(self.element, "testcase", classname=group, name=name)
            xml.SubElement(case, "skipped", message=why)

    def write(self, path):
        self.element.set("tests", str(len(self.element)))
        self.element.set("failures", str(self.failed))
        write(path, xml.tostring(self.element, encoding="unicode") + "\n")

    def status(self):
        return 1 if self.failed else 0

    def end(self, path=None):
        """Prints the last line of a script, writes the file if path is given, and returns the exit status."""
        if path:
            self.write(path)
        print(last_line(self.passed, self.failed))
        return self.status()


def count_junit(directory):
    """Returns (how many passed, names of the failed, names of the skipped and why) of the JUnit files in directory. What is
    skipped for no reason that is said is a trial that the sample of make test leaves out, and does not count."""
    passed, failed, skipped = 0, [], []
    for path in sorted(directory.glob("**/*.xml")):
        try:
            cases = list(xml.parse(path).iter("testcase"))
        except xml.ParseError as error:
            failed.append(f"{path}: {error}")
            continue
        for case in cases:
            if case.find("failure") is not None or case.find("error") is not None:
                failed.append(f"{path.stem}.{case.get('name')}")
            elif (skip := case.find("skipped")) is not None:
                skipped += [f"{case.get('name')}: {skip.get('message')}"] if skip.get("message") else []
            else:
                passed += 1
    return passed, failed, skipped


def last_line(passed, failed, skipped=0):
    """Returns the last line of a script that counts."""
    return f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")


def write_json(path, data):
    write(path, json.dumps(data, indent=1) + "\n")


def attempt(action, *arguments):
    """Returns (result of the action, what is wrong or None, seconds)."""
    begin, result, reason = time.monotonic(), None, None
    try:
        result = action(*arguments)
    except Wrong as wrong:
        reason = str(wrong)
    return result, reason, time.monotonic() - begin


class Campaign:
    """A run of many cases: a screen, a suite, and a report in BUILD/<name>/<name>.json, of a part of them in some.json. The
    report of a campaign with a file of docs/results/ says which run it is."""

    def __init__(self, name, options, children, results=None):
        self.name, self.options, self.children = name, options, children
        self.made = made_by(children, results.tools) if results else {}
        self.screen, self.suite, self.begin = Screen(), Suite(name), time.monotonic()
        self.room = options.build / name
        self.room.mkdir(parents=True, exist_ok=True)

    @property
    def part(self):
        return getattr(self.options, "short", False) or bool(getattr(self.options, "only", None))

    def each(self, action, items, what="", take=lambda result: None):
        """Calls action for each of the items, --jobs of them at once. Returns the results in the order of the items; take()
        is called with each as it comes."""
        with self.children.pool(self.options.jobs) as pool:
            works = [pool.submit(action, item) for item in items]
            for done, work in enumerate(concurrent.futures.as_completed(works), 1):
                take(work.result())
                self.screen.progress(f"{done} of {len(works)} {what}")
        return [work.result() for work in works]

    def end(self, said, part=None, **data):
        """Writes the report and the JUnit file, and prints what is said. Returns the exit status."""
        seconds, suite = time.monotonic() - self.begin, self.suite
        path = self.room / ("some.json" if (self.part if part is None else part) else f"{self.name}.json")
        write_json(path, dict(seconds=round(seconds), passed=suite.passed, failed=suite.failed) | self.made | data)
        print(f"{said}; {seconds:.0f} s; {path}")
        return suite.end((getattr(self.options, "junit", None) or self.room) / f"{self.name}.xml")


def run_campaign(name, options, children, action, whole_build=False, results=None):
    """The main() of a campaign. With --docs its file of docs/results/ is written from the last report of a whole run. Else
    it calls action(campaign), which returns the exit status; no other works in the room, or in the build directory, then."""
    if results and options.docs:
        return results.write_last(options.build / name / f"{name}.json")
    with take_build_lock(options.build / ("" if whole_build else name), name):
        return action(Campaign(name, options, children, results))


# --- tables in Markdown, and the files of docs/results/ ---

def number(value):
    return "–" if value in (None, "") else f"{value:,}" if isinstance(value, int) else f"{value:.1f}"


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


def chapters(found):
    """Returns Markdown of {heading: text}."""
    return "\n".join(f"## {heading}\n\n{text}" for heading, text in found.items())


def commit_of(children):
    """Returns the commit of this checkout, with -dirty if it has changes."""
    status, said = children.output(["git", "describe", "--always", "--dirty", "--exclude", "*"])
    return "of no checkout" if status else said.strip()


def asked_for_version(name):
    """Returns the command with which the tool of a variable of make says its version."""
    return [*tool(name), "-V" if name in ("YOSYS", "IVERILOG") else "--version"]


def version_of(children, name):
    _, said = children.output(asked_for_version(name))
    number = re.search(r"\d+\.\d[\w.]*", said)
    return f"{name.lower()} {number[0] if number else 'of no version'}"


def made_by(children, tools):
    """Returns what the head of a file of docs/results/ says of a run that begins now, with tools by their variables of make."""
    return dict(date=datetime.date.today().isoformat(), commit=commit_of(children),
                tools=", ".join(version_of(children, name) for name in tools))


class Results:
    """A file of docs/results/, which nothing but one command writes: tables(report) makes its text from the report of a whole
    run. page of docs/ says what the figures mean. tools are those whose versions its head has."""

    def __init__(self, name, title, page, command, tables=None, tools=()):
        self.path, self.title, self.page, self.tables, self.tools = RESULTS / f"{name}.md", title, page, tables, tools
        self.mark = f"\nWritten by `scripts/run {command}`; "

    def text(self, tables, *runs):
        """Returns the file with tables of runs, each with its date, commit and tools."""
        date, commit, tools = (", ".join(dict.fromkeys(run[key] for run in runs)) for key in ("date", "commit", "tools"))
        head = textwrap.fill(f"Run of {date}, commit {commit}{tools and f'; {tools}'}.", 120)
        return f"# {self.title}\n\n{head}\n{self.mark}[{self.page}](../{self.page}) says what it means.\n\n{tables}"

    def write(self, tables, *runs):
        if self.path.exists() and self.mark not in self.path.read_text():
            raise Wrong(f"{self.path} was written by something else, and stays")
        write(self.path, self.text(tables, *runs))

    def write_parts(self, report, *runs):
        """Writes the file from a report of what several runs have made. Wrong: the file has a row that none of them made."""
        def rows(text):
            return set(re.findall(r"^\| ([^|]+) \|", text, re.MULTILINE))
        tables = self.tables(report)
        missing = rows(self.path.read_text()) - rows(tables) if self.path.exists() else ()
        if missing:
            raise Wrong(f"{self.path} stays, for no run made {', '.join(sorted(missing))}")
        self.write(tables, *runs)

    def write_last(self, path):
        """Writes the file from a report in JSON. Returns 0. Wrong: there is none, it is of a run that failed, or it does not say
        of which run it is, as those of older versions."""
        if not path.exists():
            raise Wrong(f"no {path} to write {self.path} from")
        report = json.loads(path.read_text())
        if report["failed"]:
            raise Wrong(f"{path}: {report['failed']} failed, so {self.path} stays")
        if "commit" not in report:
            raise Wrong(f"{path} does not say of which commit it is, so {self.path} stays")
        self.write(self.tables(report), report)
        return 0
