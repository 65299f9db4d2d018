# SPDX-License-Identifier: Apache-2.0
"""The output of scripts: lines on a screen, results as JUnit and JSON, tables in pages of docs/."""

import json
import sys
import threading
import xml.etree.ElementTree as xml

from annelid.children import Wrong
from annelid.sources import write


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
        print(f"{self.passed} passed, {self.failed} failed")
        return self.status()


def write_json(path, data):
    write(path, json.dumps(data, indent=1) + "\n")


# --- tables in Markdown, and pages of docs/ that a script fills between two marks ---

def number(value):
    return "–" if value in (None, "") else f"{value:,}" if isinstance(value, int) else f"{value:.1f}"


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


def filled(path, found):
    """Returns the page with new text between <!-- name --> and <!-- end of name -->, which must exist."""
    text = path.read_text()
    for name, section in found.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise Wrong(f"{path}: expected one line {begin.strip()} and one {end}")
        text = text[:text.index(begin) + len(begin)] + section + text[text.index(end):]
    return text


def fill(path, found):
    write(path, filled(path, found))


def fill_from(path, report, sections):
    """Fills a page from a report in JSON; sections() makes {name of a pair of marks: text} of it. Returns 0."""
    if not report.exists():
        raise Wrong(f"no {report} to write {path} from")
    fill(path, sections(json.loads(report.read_text())))
    return 0
