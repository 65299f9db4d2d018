# SPDX-License-Identifier: Apache-2.0
"""Runs test functions and leaves a JUnit file. Each test gets a directory of its own and the build directory."""
import re
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, "scripts")
from annelid.results import Suite


def expect(condition, what, seen=""):
    if not condition:
        raise AssertionError(f"expected {what}; seen: {seen}")


class Skipped(Exception):
    """What a test needs is not here; the text says what."""


def until(happened, what):
    """Waits until something happens, however long it takes here; ten minutes only end a wait for what never comes."""
    end = time.monotonic() + 600
    while not happened():
        expect(time.monotonic() < end, what)
        time.sleep(0.02)


def run(test, build):
    """Returns the failure as text, or None; what is missing as Skipped."""
    with tempfile.TemporaryDirectory(prefix="annelid-") as room:
        try:
            test(Path(room), build)
        except Skipped as missing:
            return missing
        except Exception:  # whatever a test raises is its failure
            return traceback.format_exc()
    return None


def note(suite, name, failure, seconds=None):
    """Adds one result; prints it if it is a failure (the text of an exception) or Skipped."""
    if isinstance(failure, Skipped):
        print(f"SKIP  {name}: {failure}")
        suite.skip(suite.element.get("name"), name, str(failure))
        return
    if failure:
        print(f"FAILED {name}\n{failure}")
    said = [line for line in (failure or "").splitlines() if line.strip()]  # an empty reason would count as none
    reason = (said or ["no message"])[-1] if failure else None
    suite.case(suite.element.get("name"), name, reason, failure, seconds)


def forgotten(text):
    """Returns the functions of a file that nothing in it names: tests, mostly, that nobody has listed."""
    return [name for name in re.findall(r"^def (\w+)", text, re.MULTILINE) if len(re.findall(rf"\b{name}\b", text)) == 1]


def main(name, tests, usage, skipped=()):
    """Returns exit status 0, or 1 if a test failed. skipped: (name, why) of what is left out on this machine. Arguments of
    the program: BUILD JUNIT_FILE."""
    if len(sys.argv) != 3:
        sys.exit(usage)
    suite = Suite(name)
    for missing in forgotten(Path(sys.argv[0]).read_text()):
        note(suite, missing, f"{sys.argv[0]}: nothing calls or lists it")
    for what, why in skipped:
        suite.skip(name, what, why)
    for test in tests:
        begin = time.monotonic()
        note(suite, test.__name__, run(test, Path(sys.argv[1])), time.monotonic() - begin)
    suite.write(Path(sys.argv[2]))
    return suite.status()
