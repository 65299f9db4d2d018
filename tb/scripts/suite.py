# SPDX-License-Identifier: Apache-2.0
"""Runs test functions and leaves a JUnit file. Each gets a directory of its own and the build directory."""
import sys
import tempfile
import traceback
import xml.etree.ElementTree as xml
from pathlib import Path


def expect(condition, what, seen=""):
    if not condition:
        raise AssertionError(f"expected {what}; seen: {seen}")


def run(test, build):
    """The failure as text, or None."""
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        try:
            test(Path(room), build)
        except Exception:  # whatever happens in a test is its failure
            return traceback.format_exc()
    return None


def main(name, tests, usage):
    """Exit status 0, 1 if a test failed. Arguments of the program: BUILD JUNIT_FILE."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    suite, failed = xml.Element("testsuite", name=name), 0
    for test in tests:
        failure = run(test, Path(sys.argv[1]))
        case = xml.SubElement(suite, "testcase", classname=name, name=test.__name__)
        if failure:
            failed += 1
            xml.SubElement(case, "failure", message=failure.splitlines()[-1]).text = failure
            print(f"FAILED {test.__name__}\n{failure}")
    Path(sys.argv[2]).parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(suite).write(sys.argv[2], encoding="utf-8", xml_declaration=True)
    return 1 if failed else 0
