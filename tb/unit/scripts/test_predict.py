#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The promises of annelid predict against sim/predict/draws.csv, and their table against the file that the program has.

usage: tb/unit/scripts/test_predict.py BUILD JUNIT_FILE

With FULL=1 all scenarios are predicted, else one in four. Prints failures only; exit status 1 if any.
"""
import os
import re
import sys

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import predict_draws
from annelid.predict_draws import Bench, FAMILIES, RESULTS, Seen, broken, families, page_table, promise_of, promised, read_draws

SHARE = int(os.environ.get("UNIT_SHARE") or 4)


def promises_hold(room, build):
    bench = Bench(build, room)
    wrong = [f"{row['scenario']}: {one}" for row in read_draws()[::SHARE] for one in broken(Seen(bench, row))]
    expect(not wrong, "promises that hold", "\n  ".join(["", *wrong]))


def broken_promises_are_seen(room, build):
    bench, rows = Bench(build, room), read_draws()
    for row in (rows[0], rows[1]):
        part = next(part for part in predict_draws.PARTS if row[f"latency_{part}"])
        wrong = row | {f"latency_{part}": str(float(row[f"latency_{part}"]) / 1.5), "saturation": str(float(row["saturation"]) * 3)}
        seen = list(broken(Seen(bench, wrong)))
        expect(len(seen) == 2 and "% in saturation" in seen[1], "two broken promises", seen)


def page_has_the_promises_of_the_program(_room, _build):
    table = page_table(families(), read_draws())
    expect(RESULTS.path.read_text().endswith(f"\n\n{table}"), f"{RESULTS.path}: scripts/run predict-draws --promise", table)


def all_families_are_read(_room, _build):
    rows = re.findall(r"^FAMILY.*", FAMILIES.read_text(), re.MULTILINE)
    expect(len(rows) > 5 and [one.text() for one in families()] == rows, "the rows as they are", rows)
    drawn = {row["family"] for row in read_draws()}
    expect(drawn == {one.name for one in families() if one.drawn}, "draws of each family", drawn)


class Made:
    def __init__(self, points, saturation):
        self.points, self.saturation = points, saturation


def promises_follow_from_errors(_room, _build):
    for errors, promise in (([], 0), ([0.1, -0.2], 2), ([10, -20], 26), ([3, 24], 0)):
        expect(promised(errors) == promise, f"{promise} of {errors}", promised(errors))
    seen = [Made([(0.3, 1, 0), (0.5, -7, 0), (0.7, 19, 0)], -30), Made([(0.8, 20, 0)], 5)]
    expect(promise_of(seen) == [13, 17, 20, 25, 26, 39], "errors between points", promise_of(seen))
    seen = [Made([(0.3, 1, 0), (0.5, -7, 0), (0.7, 19, 0), (0.9, 80, 0)], -30)]
    expect(promise_of(seen) == [6, 10, 17, 25, 0, 39], "errors between points", promise_of(seen))


TESTS = [promises_hold, broken_promises_are_seen, page_has_the_promises_of_the_program, all_families_are_read,
         promises_follow_from_errors]

if __name__ == "__main__":
    sys.exit(main("predict", TESTS, __doc__.splitlines()[2]))
