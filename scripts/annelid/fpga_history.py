# SPDX-License-Identifier: Apache-2.0
"""The history of what sets of tb/campaigns/fpga/fpga.toml cost: a line for each set and record (docs/fpga.md).

The campaign compares with it, so that a set that becomes worse is noticed, and the command annelid contains its figures.
"""

import csv
import datetime
import io
import pathlib

from annelid.children import Wrong
from annelid.sources import write

HISTORY = pathlib.Path("tb/campaigns/fpga/history.csv")
FIELDS = ("date", "commit", "set", "ice40_lut", "ice40_ff", "ecp5_lut", "ecp5_narrow_lut", "ecp5_ff",
          "ice40_mhz", "ice40_best_mhz", "ecp5_mhz", "ecp5_best_mhz", "tools", "ice40_bram", "ecp5_sites")


def read_history(path=HISTORY):
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
    """Returns the last line of a set. A figure that it lacks is that of the line before, if the tools were the same."""
    known = None
    for row in (row for row in rows if row["set"] == name):
        known = filled(row, known) if known and not other_tools(known, row) else row
    return known


def filled(row, older):
    """Returns a line with the figures of an older one in place of those that it lacks."""
    tools = "; ".join(f"{tool} {version}" for tool, version in sorted((tools_of(older) | tools_of(row)).items()))
    return {field: row[field] or older[field] for field in row} | dict(tools=tools)


def tools_of(row):
    return dict(tool.split(" ") for tool in row["tools"].split("; "))


def other_tools(old, new):
    """Returns whether a tool that both were measured with had different versions."""
    first, second = tools_of(old), tools_of(new)
    return any(first[tool] != second[tool] for tool in first.keys() & second.keys())


def append(new, commit, path=HISTORY):
    """Appends new lines, which are given without date and commit; a line whose figures are not new is left out."""
    rows, today = read_history(path), datetime.date.today().isoformat()
    def figures(row):
        return {field: str(row.get(field, "")) for field in FIELDS[2:]}
    def is_new(row):
        old = last(rows, row["set"])
        return old is None or other_tools(old, row) or figures(filled(figures(row), old)) != figures(old)
    fresh = [row for row in new if is_new(row)]
    text = io.StringIO()
    writer = csv.DictWriter(text, FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows + [dict(figures(row), date=today, commit=commit) for row in fresh])
    write(path, text.getvalue())
    return len(fresh)
