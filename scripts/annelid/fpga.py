# SPDX-License-Identifier: Apache-2.0
"""Measure what a switch costs on real parts: cells, and the clock it reaches (docs/fpga.md).

Each set of tb/campaigns/fpga/fpga.toml is synthesized by Yosys for iCE40, ECP5 and Xilinx 7, and placed and
routed between registers on an iCE40 HX8K and an ECP5 25F, with several seeds. A set that has become
larger by more than 2 %, or slower by more than 10 %, than its last line in tb/campaigns/fpga/history.csv fails.
Prints a table and "N passed, N failed"; report in BUILD/fpga/fpga.json. `make fpga` calls it.
"""

import dataclasses
import pathlib
import statistics
import subprocess
import sys

from annelid import fpga_tables as tables
from annelid.children import Wrong
from annelid.corners import with_numbers
from annelid.fpga_flow import ROOM, ROUTES, RTL, SWITCHES, SYNTHESES, TOP, Shop, Tools, sites
from annelid.fpga_history import HISTORY, append, last, other_tools, read_history
from annelid.options import JOBS, JUNIT, choose, parser
from annelid.results import Results, run_campaign
from annelid.sources import made, read_toml

SHORT = ("ice40",)  # the syntheses of --short
AREA = {"ice40_lut": ("ice40", "lut"), "ice40_ff": ("ice40", "ff"), "ecp5_lut": ("ecp5", "lut"),
        "ecp5_narrow_lut": ("ecp5_narrow", "lut"), "ecp5_ff": ("ecp5_narrow", "ff"),
        "ice40_bram": ("ice40", "ram")}  # synthesis, kind
CLOCK = ("ice40_mhz", "ecp5_mhz")  # medians
# Areas that are compared with the history. Not ecp5_lut: it swings with the mapping into wide functions (docs/fpga.md).
COMPARED = ("ice40_lut", "ice40_ff", "ecp5_narrow_lut", "ecp5_ff")
MORE_AREA, LESS_CLOCK = 1.02, 0.90
FEW = 10  # LUTs by which mapping may differ for the same function, however small the design


@dataclasses.dataclass(frozen=True)
class Set:
    """One table of fpga.toml."""
    name: str
    text: str
    module: str = TOP
    parameters: dict = dataclasses.field(default_factory=dict)
    scenario: str = ""
    settings: dict = dataclasses.field(default_factory=dict)
    ports: str = ""
    options: tuple = ()  # more words of annelid
    axi: dict = dataclasses.field(default_factory=dict)  # of the estimate
    cells: tuple = tuple(SYNTHESES)
    clocks: tuple = tuple(ROUTES)
    short: bool = False
    peers: str = ""

    @property
    def harness(self):
        return f"fpga_{self.module.removeprefix('anl_')}"

    @property
    def words(self):
        """Those of annelid that say what a design is."""
        return ["--ports", self.ports, *self.options, *(word for key, value in self.settings.items() for word in ("--set", f"{key}={value}"))]


def load():
    """Returns {name: set}. A module that rtl/ has not stands beside the table."""
    def file_of(table):
        return next((path for path in SWITCHES if path not in RTL and path.stem == table["module"]), None)
    def numbered(where, table):
        return table if "scenario" in table else with_numbers(where, table, file_of(table))
    tables = read_toml(ROOM / "fpga.toml").items()
    def one(name, table):
        where = f"{ROOM}/fpga.toml, [{name}]"
        return made(Set, where, name=name, **numbered(where, table))
    return {name: one(name, table) for name, table in tables}


class Measurement:
    """The measurement of a set: cells, modules, and clocks of all seeds."""

    def __init__(self, campaign, shop, one):
        self.options, self.shop, self.screen, self.one = campaign.options, shop, campaign.screen, one
        self.room = campaign.options.build / "fpga" / one.name
        self.data = dict(text=one.text, module=one.module, parameters=one.parameters, peers=one.peers)

    def start(self, pool, parts):
        """Gives all work that can be done at once to the pool."""
        names = SHORT if self.options.short else self.one.cells
        self.area = {name: pool.submit(self.step, self.shop.area, self.room, self.one, name) for name in names}
        self.clocks = {part: pool.submit(self.step, self.clock, part) for part in parts if part in self.one.clocks}
        self.modules = None
        if not self.options.short and self.options.seeds and self.one.peers:
            self.modules = pool.submit(self.step, self.shop.modules, self.room, self.one)

    def step(self, action, *arguments):
        self.screen.progress(f"{self.one.name}: {action.__name__} {arguments[-1] if arguments else ''}")
        return action(*arguments)

    def clock(self, part):
        """Finds the clock with all seeds, one after the other. A part that is too small is too small with every seed."""
        self.shop.netlist(self.room, self.one, part)
        seen = []
        for seed in range(1, self.options.seeds + 1):
            self.screen.progress(f"{self.one.name}: {part}, seed {seed} of {self.options.seeds}")
            seen.append(self.shop.clock(self.room, part, seed))
            if "misfit" in seen[-1]:
                return seen[-1]
        middle = sorted(seen, key=lambda run: run["mhz"])[len(seen) // 2]
        mhz = [run["mhz"] for run in seen]
        return dict(median=round(statistics.median(mhz), 2), best=max(mhz), seeds=mhz, path=middle["path"],
                    used=middle["used"])

    def finish(self):
        self.data["area"] = {name: future.result() for name, future in self.area.items()}
        self.data["clock"] = {part: future.result() for part, future in self.clocks.items()}
        self.data["modules"] = self.modules and self.modules.result()
        self.screen.say(line_of(self.one.name, self.data))
        return self.data


def heading():
    return f"{'set':<12} {'iCE40 LUT4':>10} {'FF':>6} {'ECP5 LUT4':>10} {'narrow':>7} {'FF':>6} {'xc7 LUT':>8} " \
           f"{'HX8K MHz':>15} {'ECP5 MHz':>15}"


def line_of(name, data):
    def cell(synthesis, kind):
        return data["area"].get(synthesis, {}).get(kind, "–")
    return (f"{name:<12} {cell('ice40', 'lut'):>10} {cell('ice40', 'ff'):>6} {cell('ecp5', 'lut'):>10} "
            f"{cell('ecp5_narrow', 'lut'):>7} {cell('ecp5_narrow', 'ff'):>6} {cell('xc7', 'lut'):>8} "
            f"{tables.clock(data, 'ice40'):>15} {tables.clock(data, 'ecp5'):>15}")


# --- what is worse than in the history ---

def steps_back(old, new):
    """Yields, in words, each figure of new that is worse than in old by more than is allowed, with the same tools."""
    def pairs(fields):
        return ((field, float(old[field]), float(new[field])) for field in fields
                if old[field] != "" and new.get(field, "") != "")
    return ([f"{field} {was:.0f} -> {now:.0f}, more than 2 % up" for field, was, now in pairs(COMPARED)
             if now > max(was * MORE_AREA, was + FEW * field.endswith("_lut"))] +
            [f"{field} {was:.1f} -> {now:.1f}, more than 10 % down" for field, was, now in pairs(CLOCK)
             if now < was * LESS_CLOCK])


def history_line(name, data, tools):
    """Returns the figures of a set as a line of history.csv."""
    row = dict(set=name, tools=tools)
    for field, (synthesis, kind) in AREA.items():
        row[field] = data["area"].get(synthesis, {}).get(kind, "")
    row["ecp5_sites"] = sites(data["area"]["ecp5_narrow"]) if "ecp5_narrow" in data["area"] else ""
    for part, seen in data["clock"].items():
        if "median" in seen:
            row.update({f"{part}_mhz": seen["median"], f"{part}_best_mhz": seen["best"]})
    return row


def compare(options, suite, rows):
    """Compares each set with its last line; says what is worse, and what cannot be compared. Returns how many were."""
    known, compared = read_history(options.history), 0
    for row in rows:
        old, worse = last(known, row["set"]), []
        if not old:
            print(f"{row['set']}: not in {options.history} yet")
        elif other_tools(old, row):
            print(f"{row['set']}: not compared with {old['commit']}, which was measured with {old['tools']}")
        else:
            compared, worse = compared + 1, steps_back(old, row)
        for text in worse:
            print(f"STEP BACK {row['set']}: {text} (since {old['commit']}, {old['date']})")
        suite.case("history", row["set"], "; ".join(worse))
    return compared


def commit():
    """Returns the commit that is measured, with + if RTL or harness have changes that are not committed."""
    def git(*words):
        return subprocess.run(["git", *words], check=True, capture_output=True, text=True).stdout.strip()
    dirty = git("status", "--porcelain", "rtl", ":!rtl/board", "papers/*/rtl", ROOM)
    return git("rev-parse", "--short", "HEAD") + ("+" if dirty else "")


def parts_of(options, tools, suite):
    """Returns the parts whose place and route is installed; a missing one is a failure."""
    found, wanted = [], ["ice40"] if options.short else list(ROUTES)
    for part in wanted if options.seeds else []:
        try:
            tools.find(part)
            found.append(part)
        except Wrong as wrong:
            print(f"fpga: no clock of {part}: {wrong}", file=sys.stderr)
            suite.case("tools", part, str(wrong))
    return found


def measure(campaign):
    """Returns ({name: figures}, tools and their versions)."""
    options = campaign.options
    tools = Tools(options, campaign.children)
    parts, shop = parts_of(options, tools, campaign.suite), Shop(options, campaign.children, tools)
    print(heading())
    with campaign.children.pool(options.jobs) as pool:
        work = [Measurement(campaign, shop, one) for one in choose(options, load())]
        for one in work:
            one.start(pool, parts)
        results = {one.one.name: one.finish() for one in work}
    return results, tools.said


def run_all(campaign):
    options, (results, tools) = campaign.options, measure(campaign)
    rows = [history_line(name, data, tools.replace(", ", "; ")) for name, data in results.items()]
    compared = compare(options, campaign.suite, rows)
    if options.record:
        print(f"{append(rows, commit(), options.history)} lines added to {options.history}")
    return campaign.end(tools, commit=commit(), tools=tools, seeds=options.seeds, compared=compared,
                        not_compared=len(rows) - compared, sets=results)


def results_text(data):
    if not data["seeds"]:
        raise Wrong("the last report has no clocks")
    whole = {name: one for name, one in data["sets"].items() if one["area"].keys() >= SYNTHESES.keys()}
    return tables.results_text(whole, read_toml(ROOM / "peers.toml"))  # docs/results/cost.md has the others


RESULTS = Results("fpga", "Area and clock of switches", "fpga.md", "fpga --docs", results_text)


def parse():
    one = parser(__doc__, jobs=JOBS, short="the sets marked short, of iCE40 alone", only="names of sets", junit=JUNIT,
                 docs=f"write {RESULTS.path} from the last report; measure nothing")
    one.add_argument("--seeds", type=int, default=5, help="of place and route; the median counts; 0: cells without clocks (5)")
    one.add_argument("--record", action="store_true", help="append the figures to tb/campaigns/fpga/history.csv")
    one.add_argument("--history", type=pathlib.Path, default=HISTORY, help=f"the file ({HISTORY})")
    options = one.parse_args()
    if options.seeds < 0:
        raise Wrong("--seeds must be at least 0")
    if options.record and options.short:
        raise Wrong("--record is for whole sets; leave --short out")
    return options


def main(children):
    return run_campaign("fpga", parse(), children, run_all, results=RESULTS)
