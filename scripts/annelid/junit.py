# SPDX-License-Identifier: Apache-2.0
"""Results as a JUnit file."""

import threading
import xml.etree.ElementTree as xml

from annelid.sources import write


class Suite:
    """Cases that passed, failed or were skipped; may be told by several threads."""

    def __init__(self, name):
        self.lock, self.element = threading.Lock(), xml.Element("testsuite", name=name)
        self.passed = self.failed = 0

    def case(self, group, name, reason=None, text=None, seconds=None):
        """reason: why it failed, of which the first line is the message; text: more of it."""
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

    def sum(self):
        return f"{self.passed} passed, {self.failed} failed"

    def status(self):
        return 1 if self.failed else 0
