#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Planted bugs of the fuzzer are judged by cases, over several seeds.

usage: tb/unit/scripts/test_fuzz.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import sys
from types import SimpleNamespace

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import fuzz, planted
from annelid.children import Wrong

FOUND = "#{cases}\tNEW    cov: 1 ft: 2 corp: 3/4b lim: 5 exec/s: 6 rss: 7Mb\nTest unit written to {case}\n"
ENDED = "#{cases}\tDONE   cov: 1 ft: 2 corp: 3/4b lim: 5 exec/s: 6 rss: 7Mb\nDone {cases} runs in 8 second(s)\n"


def trouble(function, *arguments):
    """Returns the text of the Wrong that the function raises, or None."""
    try:
        function(*arguments)
    except Wrong as wrong:
        return str(wrong)
    return None


def bench(output):
    """Returns a bench whose searches take an hour and print this."""
    return SimpleNamespace(search=lambda fuzzer, words, log: (3600.0, output))


def two_thirds_of_the_seeds_must_find_it(_room, _build):
    for cases in ([5], [5, 6, 7], [5, None, 7], [None, 6, 7], [1, 2, 3, 4, None, None]):
        expect(trouble(fuzz.judge, cases, 100) is None, f"{cases} to do", trouble(fuzz.judge, cases, 100))
    for cases in ([None], [5, None], [5, None, None], [None, None, None], [1, 2, 3, None, None, None]):
        expect(trouble(fuzz.judge, cases, 100), f"{cases} not to do")
    said = trouble(fuzz.judge, [1500, None, None], 20_000)
    expect(said == "found with 1 of 3 seeds: 1,500, never, never cases, of 20,000 at most", "what each seed took", said)


def a_search_tells_cases_and_not_seconds(room, _build):
    fuzzer = SimpleNamespace(name="lockstep-ring", options=[])
    for output, wanted in ((FOUND.format(cases=46, case="x/crash-1"), (46, "x/crash-1")), (ENDED.format(cases=100), (100, None))):
        seen = fuzz.hunt(bench(output), fuzzer, room, 1, 100)
        expect(seen == wanted, wanted, seen)
    said = trouble(fuzz.hunt, bench("no such option"), fuzzer, room, 2, 100)
    expect(said == "seed 2: no such option", "that a program that ends otherwise has found nothing", said)


def every_bug_has_a_limit_and_one_is_short(_room, _build):
    bugs = planted.read([planted.FUZZ], "fuzz")
    expect(len(bugs) >= 8 and all(isinstance(bug["limit"], int) and bug["limit"] >= 20_000 for bug in bugs),
           "a number of cases for each", bugs)
    expect([bug["short"] for bug in bugs if "short" in bug] == [True], "one bug for make test", bugs)


TESTS = [two_thirds_of_the_seeds_must_find_it, a_search_tells_cases_and_not_seconds, every_bug_has_a_limit_and_one_is_short]

if __name__ == "__main__":
    sys.exit(main("fuzz-planted", TESTS, __doc__.splitlines()[2]))
