# SPDX-License-Identifier: Apache-2.0
"""The history of figures, one line for each set and record, so that a set that becomes worse is noticed."""

import csv
import datetime
import io
import pathlib

from annelid.children import Wrong
from annelid.sources import write

PATH = pathlib.Path("tb/campaigns/fpga/history.csv")
FIELDS = ("date", "commit", "set", "ice40_lut", "ice40_ff", "ecp5_lut", "ecp5_narrow_lut", "ecp5_ff",
          "ice40_mhz", "ice40_best_mhz", "ecp5_mhz", "ecp5_best_mhz", "tools")
AREA = {"ice40_lut": ("ice40", "lut"), "ice40_ff": ("ice40", "ff"), "ecp5_lut": ("ecp5", "lut"),
        "ecp5_narrow_lut": ("ecp5_narrow", "lut"), "ecp5_ff": ("ecp5_narrow", "ff")}  # synthesis, kind
CLOCK = ("ice40_mhz", "ecp5_mhz")  # medians
MORE_AREA, LESS_CLOCK = 1.02, 0.90


def read(path=PATH):
    """Returns all lines, oldest first."""
    if not path.exists():
        return []
    with path.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    for number, row in enumerate(rows, 2):
        if tuple(row) != FIELDS or None in row.values():
            raise Wrong(f"{path}:{number}: expected the fields {', '.join(FIELDS)}")
    return rows


def last(rows, name):
    return next((row for row in reversed(rows) if row["set"] == name), None)


def other_tools(old, new):
    """Returns whether a tool that both were measured with had different versions."""
    first, second = (dict(tool.split(" ") for tool in row["tools"].split("; ")) for row in (old, new))
    return any(first[tool] != second[tool] for tool in first.keys() & second.keys())


def steps_back(old, new):
    """Yields, in words, each figure of new that is worse than in old by more than is allowed, with the same tools."""
    def pairs(fields):
        return ((field, float(old[field]), float(new[field])) for field in fields
                if old[field] != "" and new.get(field, "") != "")
    return ([f"{field} {was:.0f} -> {now:.0f}, more than 2 % up" for field, was, now in pairs(AREA)
             if now > was * MORE_AREA] +
            [f"{field} {was:.1f} -> {now:.1f}, more than 10 % down" for field, was, now in pairs(CLOCK)
             if now < was * LESS_CLOCK])


def append(new, commit, path=PATH):
    """Appends new lines, which are given without date and commit; a line whose figures are not new is left out."""
    rows, today = read(path), datetime.date.today().isoformat()
    def figures(row):
        return {field: str(row.get(field, "")) for field in FIELDS[2:]}
    fresh = [row for row in new if (old := last(rows, row["set"])) is None or figures(old) != figures(row)]
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows + [dict(figures(row), date=today, commit=commit) for row in fresh])
    write(path, text.getvalue())
    return len(fresh)
