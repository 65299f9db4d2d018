# SPDX-License-Identifier: Apache-2.0
"""Hold the estimate of cells and clocks (docs/cost.md) against all that was measured.

`annelid describe --area-sets` has the sets beside their estimates; designs of graphs are estimated from their scenarios. Prints
the networks that were measured whole, and the largest errors; --docs writes the tables into docs/results/. It measures nothing.
"""

import csv
import re

from annelid.children import Wrong
from annelid.cost_figures import FIGURES, figures
from annelid.fpga import load
from annelid.fpga_history import read_history
from annelid.options import parser
from annelid.results import Results, chapters, made_by, markdown, number

CELLS = FIGURES[:6]
ESTIMATES = {"LUT4": "ice40_lut", "flip-flops": "ice40_ff", "block memories": "ice40_bram"}
OF_ECP5 = {"LUT4 sites": "ecp5_sites", "flip-flops": "ecp5_ff", "of these sites LUT4": "ecp5_narrow_lut"}
PARTS = {"ice40-hx8k": (ESTIMATES, "ice40_mhz"), "ecp5-25f": (OF_ECP5, "ecp5_mhz")}
PORTS = ("port of users", "port of memories")
NUMBER = r"[\d,]+"


def output(options, children, *words):
    status, text = children.output([options.build / "annelid", "describe", *words])
    if status:
        raise Wrong(f"annelid describe {' '.join(map(str, words))}: {text.strip()}")
    return text


def of_scenario(options, children, one):
    """Returns the estimates of a design by the words of the command, with streams."""
    found = {}
    for part, (cells, clock) in PARTS.items():
        text = output(options, children, "--area", "--part", part, one.scenario, *one.words[2:])
        for name, figure in cells.items():
            seen = re.search(rf"^ +{name}: ({NUMBER})[^;\n]*(?:; with streams ({NUMBER}))?", text, re.MULTILINE)
            found[figure] = float((seen[2] or seen[1]).replace(",", "")) if seen else 0
        found[clock] = float(re.search(r"clock: (\d+) MHz", text)[1])
    return found


def rows(options, children):
    """Returns {set: dict(kind, text, {figure: (measured, estimate)})}."""
    sets, measured, found = load(), figures(), {}
    for row in csv.DictReader(output(options, children, "--area-sets").splitlines()):
        pairs = {name: (float(row[name]), float(row[f"{name}_estimate"])) for name in FIGURES}
        found[row["set"]] = dict(kind=row["kind"], text=sets[row["set"]].text, pairs=pairs)
    for name, one in sets.items():
        if one.scenario and name in measured and name not in found:
            said = of_scenario(options, children, one)
            found[name] = dict(kind="design", text=one.text,
                               pairs={figure: (float(measured[name].get(figure, 0)), said[figure]) for figure in FIGURES})
    return found


def error(pair):
    return f"{100 * (pair[1] / pair[0] - 1):+.0f} %" if pair[0] else "–"


def cells(pair):
    return [number(round(pair[0])), f"{round(pair[1]):,} ({error(pair)})"] if pair[0] else ["–", "–"]


HEAD = ["ECP5 narrow", "estimate", "sites", "estimate", "FF", "estimate", "iCE40 LUT4", "estimate", "FF", "estimate"]
COLUMNS = ("ecp5_narrow_lut", "ecp5_sites", "ecp5_ff", "ice40_lut", "ice40_ff")


def area_table(found, kinds):
    chosen = [one for one in found.values() if one["kind"] in kinds]
    return markdown(["set", *HEAD], ([one["text"], *(cell for name in COLUMNS for cell in cells(one["pairs"][name]))] for one in chosen))


def clock_table(found):
    def row(one):
        return [one["text"]] + [f"{figure:.1f}" if figure else "–" for name in ("ecp5_mhz", "ice40_mhz") for figure in
                                (one["pairs"][name] if one["pairs"][name][0] else (0, 0))]
    chosen = [one for one in found.values() if any(one["pairs"][name][0] for name in ("ecp5_mhz", "ice40_mhz"))]
    return markdown(["set", "ECP5-25 MHz", "of the nearest other", "HX8K MHz", "of the nearest other"], map(row, chosen))


def errors(found, kinds, figure):
    return sorted(one["pairs"][figure][1] / one["pairs"][figure][0] - 1 for one in found.values()
                  if one["kind"] in kinds and one["pairs"][figure][0])


def error_table(found):
    def row(what, kinds, figure):
        all_of = errors(found, kinds, figure)
        middle = sorted(map(abs, all_of))[len(all_of) // 2]
        return [what, figure, len(all_of), f"{100 * middle:.1f} %", f"{100 * all_of[0]:+.0f} %", f"{100 * all_of[-1]:+.0f} %"]
    chosen = (("switches", ("switch",)), ("terminals", ("terminal",)), ("ports of AXI4", PORTS), ("whole networks", ("network", "design")))
    return markdown(["sets", "figure", "how many", "middle error", "least", "greatest"],
                    [row(what, kinds, figure) for what, kinds in chosen for figure in CELLS if errors(found, kinds, figure)])


def tables(found):
    """Returns the text of docs/results/cost.md."""
    return chapters({"Networks measured whole": area_table(found, ("network", "design")),
                     "Clocks": clock_table(found),
                     "Errors": error_table(found),
                     "Switches": area_table(found, ("switch",)),
                     "Terminals": area_table(found, ("terminal",)),
                     "Ports of AXI4": area_table(found, PORTS)})


RESULTS = Results("cost", "Estimates beside measured cells and clocks", "cost.md", "cost --docs", tables)


def tools_of_history():
    return sorted({tool for row in read_history() for tool in row["tools"].split("; ")})


def main(children):
    options = parser(__doc__, docs=f"write {RESULTS.path}").parse_args()
    found = rows(options, children)
    print(area_table(found, ("network", "design")) + "\n" + error_table(found), end="")
    if options.docs:
        RESULTS.write(tables(found), made_by(children, ()) | dict(tools=", ".join(tools_of_history())))
    return 0
