# SPDX-License-Identifier: Apache-2.0
"""Count the cells of what stands at the edge of a network: terminals and crossings.

Each module of tb/campaigns/fpga/cells.toml is synthesized for iCE40 and ECP5, and nothing is placed. Report in
BUILD/cells/cells.json; --docs writes docs/results/cells.md from it. `make cells` calls it.
"""

import dataclasses

from annelid.corners import with_numbers
from annelid.fpga_flow import ROOM, SYNTHESES, Shop, Tools
from annelid.options import JOBS, JUNIT, choose, parser
from annelid.results import Results, chapters, markdown, number, run_campaign
from annelid.sources import made, needed, read_toml

TABLE = ROOM / "cells.toml"
# What the tables show: synthesis, kind of cell, head of the column.
COLUMNS = (("ice40", "lut", "iCE40 LUT4"), ("ice40", "carry", "SB_CARRY"), ("ice40", "ff", "FF"), ("ecp5_narrow", "lut", "ECP5 LUT4"),
           ("ecp5_narrow", "carry", "CCU2C"), ("ecp5_narrow", "ram", "DPR16X4"), ("ecp5_narrow", "ff", "FF"))
FAMILIES = tuple(dict.fromkeys(name for name, _, _ in COLUMNS))


@dataclasses.dataclass(frozen=True)
class Set:
    """One table of cells.toml."""
    name: str
    chapter: str
    text: str
    module: str
    parameters: dict
    families: tuple = FAMILIES
    scenario: str = ""   # none: it is a module of rtl/
    short: bool = True


def load():
    """Returns {name: set}."""
    def one(name, table):
        where = f"{TABLE}, [{name}]"
        return made(Set, where, name=name, **with_numbers(where, table))
    return {name: one(name, table) for name, table in read_toml(TABLE).items()}


class Bench(Shop):
    def files(self, _room, one):
        """Returns the files that a module needs, so that a change of others changes nothing here."""
        return needed(one.module)


def measured(campaign, shop, one):
    """Returns the row of a module."""
    room = campaign.room / one.name
    cells = {name: shop.area(room, one, name) for name in one.families}
    campaign.suite.case("cells", one.name)
    campaign.screen.say(f"{one.name:<16} " + ", ".join(f"{head} {cells[name][kind]:,}" for name, kind, head in COLUMNS if name in cells))
    return dict(name=one.name, chapter=one.chapter, text=one.text, cells=cells)


def run_all(campaign):
    shop = Bench(campaign.options, campaign.children, Tools(campaign.options, campaign.children))
    rows = campaign.each(lambda one: measured(campaign, shop, one), choose(campaign.options, load()), "modules")
    return campaign.end(f"{len(rows)} modules, {' and '.join(SYNTHESES[name][0] for name in FAMILIES)}", rows=rows)


def tables(report):
    """Returns the tables of docs/results/cells.md."""
    found = {}
    for row in report["rows"]:
        found.setdefault(row["chapter"], []).append(
            [row["text"], *(number(row["cells"].get(name, {}).get(kind)) for name, kind, _ in COLUMNS)])
    return chapters({chapter: markdown(["module", *(head for _, _, head in COLUMNS)], rows) for chapter, rows in found.items()})


RESULTS = Results("cells", "Cells at the edge of a network", "integrate.md", "cells --docs", tables, ("YOSYS",))


def main(children):
    options = parser(__doc__, jobs=JOBS, junit=JUNIT, only="names of sets", docs=f"write {RESULTS.path} from the last report").parse_args()
    options.short = False
    return run_campaign("cells", options, children, run_all, results=RESULTS)
