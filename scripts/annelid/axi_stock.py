# SPDX-License-Identifier: Apache-2.0
"""Stock AXI4 managers and memories (cocotbext-axi) around a mesh with AXI4 ports (docs/axi.md), or wired to each other.

Random bursts under random back-pressure; all data and responses are compared, and a checker is at each port. Runs with a planted
fault, and those in which the stock ends disagree by themselves, must find it. Report in BUILD/axi-stock/axi-stock.json.
"""

import dataclasses
import json
import shutil
from pathlib import Path

from annelid.axi_bench import RULES, network, straight
from annelid.results import Results, chapters, markdown
from annelid.sources import changed, needed
from annelid.stock import Kind, parser_of, run_all

LONGEST = 64  # beats of a burst that the ports carry
AT_ONCE = 6   # bursts of a port and a direction

# Texts of rtl/axi and what replaces them: a bit of read data, a response to another ID, a burst that does not wait for those of its ID
# to another destination, strobes that are lost, and a response of a reorder buffer ahead of an older one of its ID.
FAULTS = {
    "data": ("anl_axi_manager", "({r_beat, r_back", "({r_beat ^ DataW'(sent_q == 3), r_back"),
    "id": ("anl_axi_manager", "r_back[DstW +: IdW], r_resp", "r_back[DstW +: IdW] ^ IdW'(1), r_resp"),
    "order": ("anl_axi_order", "!elsewhere_o && used_q", "used_q"),
    "overtake": ("anl_axi_slots", "used_q[s] && after_q[s*Slots +: Slots] == '0", "used_q[s]"),
    "strobes": ("anl_axi_manager", "assign {m_wstrb_o, m_wdata_o} = req_data_i[", "assign {m_wstrb_o, m_wdata_o} = {(DataW/8){1'b1}} << DataW | req_data_i["),
}


@dataclasses.dataclass(frozen=True)
class Run:
    name: str
    states: int           # of a signal: 4: Icarus, 2: Verilator
    data: int             # bits
    bursts: int           # the least number, unless the command says another
    short: int            # the same in the short form; 0: it has no such run
    k: int = 2            # the mesh has k by k switches
    users: tuple = (0, 3)      # terminals with a manager; (): one manager is wired to one memory
    memories: tuple = (1, 2)   # terminals with a memory
    reorder: int = 0      # slots of the reorder buffers; 0: none
    tail: float = 1       # the part of the bursts that have any length; the others have 4 beats at most
    odd: bool = False     # with the bursts in which the stock manager takes wrong lanes
    fault: str = ""       # of FAULTS
    finds: str = ""       # figures, one of which must not be 0: something is wrong, as it must


VERILATOR, ICARUS = 2, 4  # states of a signal
TAIL = 0.05               # of the runs with many bursts
LONG = 10000              # bursts from which on a C++ compiler optimizes
RUNS = {run.name: run for run in (
    Run("straight", ICARUS, 64, 500, 200, users=(), memories=()),
    Run("odd", ICARUS, 64, 300, 200, users=(), memories=(), odd=True, finds="wrong"),
    Run("data64_verilator", VERILATOR, 64, 20000, 0),
    Run("data32_verilator", VERILATOR, 32, 5000, 0),
    Run("data512_verilator", VERILATOR, 512, 5000, 0),
    Run("mesh3_verilator", VERILATOR, 64, 5000, 0, k=3, users=(0, 4, 8), memories=(2, 5, 6)),
    Run("reorder_verilator", VERILATOR, 64, 5000, 0, k=3, users=(0, 4, 8), memories=(2, 5, 6), reorder=8),
    Run("data64_icarus", ICARUS, 64, 400, 50),
    Run("data32_icarus", ICARUS, 32, 200, 0),
    Run("data512_icarus", ICARUS, 512, 200, 0),
    Run("many64", VERILATOR, 64, 200000, 0, tail=TAIL),
    Run("many32", VERILATOR, 32, 200000, 0, tail=TAIL),
    Run("many512", VERILATOR, 512, 200000, 0, tail=TAIL),
    Run("many_mesh3", VERILATOR, 64, 200000, 0, k=3, users=(0, 4, 8), memories=(2, 5, 6), tail=TAIL),
    Run("many_reorder", VERILATOR, 64, 200000, 0, k=3, users=(0, 4, 8), memories=(2, 5, 6), reorder=8, tail=TAIL),
    Run("fault_data", VERILATOR, 64, 500, 0, fault="data", finds="wrong"),
    Run("fault_id", VERILATOR, 64, 500, 0, fault="id", finds="findings"),
    Run("fault_order", VERILATOR, 64, 500, 0, fault="order", finds="reordered"),
    Run("fault_overtake", ICARUS, 64, 100, 0, reorder=8, fault="overtake", finds="reordered"),
    Run("fault_strobes", VERILATOR, 64, 500, 0, fault="strobes", finds="wrong"),
)}


def bursts_of(options, run):
    """Returns how many bursts a run has at least."""
    return run.short if options.short else not run.finds and options.bursts or run.bursts


def design(options, _children, run, room):
    """Writes the design of a run, and what is to be sent, into a directory of its own."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    text = network(run.k, run.users, run.memories, run.data, LONGEST, AT_ONCE, run.reorder) if run.users else straight(run.data)
    (room / "top.sv").write_text(text)
    files = [path.resolve() for path in needed(text)]
    if run.fault:
        module, old, new = FAULTS[run.fault]
        at = next(n for n, path in enumerate(files) if path.stem == module)
        (room / f"{module}.sv").write_text(changed(files[at], old, new))
        files[at] = room / f"{module}.sv"
    (room / "top.f").write_text("".join(f"{line}\n" for line in (f"+incdir+{Path('rtl/include').resolve()}", *files, "top.sv")))
    job = dict(users=len(run.users) or 1, memories=len(run.memories) or 1, longest=LONGEST, bursts=bursts_of(options, run), seed=options.seed, odd=run.odd,
               tail=run.tail, network=bool(run.users), often=bool(run.finds))
    (room / "job.json").write_text(json.dumps(job) + "\n")


def judge(run, found):
    """Returns the reason why a run is not as it should be, or ""."""
    if run.finds:  # a stock end may stop the run in the cycle in which a checker finds it
        return "" if found[run.finds] or found["told"] and not found["ended"] else f"{run.finds} is 0, and something should be wrong"
    if not found["ended"]:
        return "a stock end has stopped the run"
    bad = {what: found[what] for what in ("wrong", "reordered", "findings", "missing") if found[what]}
    return f"{bad}: {found['errors'][:2]}" if bad else ""


def progress(found):
    return (f"{found['bursts']:,} bursts, {found['transfers']:,} transfers, {found['wrong']} wrong, {found['reordered']} reorderings within an ID, "
            f"{found['findings']} findings of checkers")


def line_of(row):
    where = f"{row['k']}x{row['k']} mesh" if row["users"] else "no network"
    stopped = "" if row["ended"] else f", stopped by a stock end, {', '.join(row['told'])}"
    rules = ", ".join(rule for n, rule in enumerate(RULES) if row["rules"] >> n & 1)
    return (f"{'FAIL' if row['reason'] else 'PASS'}  {row['name']:<18} {where}, {row['data']} bits, {row['states']} states: {progress(row)}"
            f"{f' ({rules})' if rules else ''}, {row['refused']} refused, {row['stalls']:,} stalls, {row['cycles']:,} cycles{stopped}"
            f"{': ' + row['reason'] if row['reason'] else ' (as it must)' if row['finds'] else ''}")


SIMULATORS = {ICARUS: "Icarus", VERILATOR: "Verilator"}


def tables(rows):
    """Returns the tables of docs/results/axi_stock.md."""
    as_asked = [row for row in rows if not row["finds"]]
    def line(row, name):
        where = f"{row['k']}×{row['k']}, {len(row['users'])} and {len(row['memories'])}" if row["users"] else "none"
        wrong = ", ".join(f"{row[what]:,}" for what in ("wrong", "reordered", "findings"))
        return [name, row["data"], SIMULATORS[row["states"]], where, row["reorder"], f"{row['bursts']:,}{' (stopped)' if row['stopped'] else ''}", f"{row['transfers']:,}",
                f"{row['refused']:,}", f"{row['stalls']:,}", f"{row['cycles']:,}", f"{row['seconds']:,}", wrong]
    sums = {what: sum(row[what] for row in as_asked if row["users"])
            for what in ("bursts", "transfers", "refused", "stalls", "cycles", "seconds", "wrong", "reordered", "findings")}
    total = ["all networks", *["–"] * 4, *(f"{sums[what]:,}" for what in ("bursts", "transfers", "refused", "stalls", "cycles", "seconds")),
             ", ".join(f"{sums[what]:,}" for what in ("wrong", "reordered", "findings"))]
    head = ["run", "bits of data", "simulator", "mesh, managers and memories", "slots", "bursts", "transfers", "refused", "stalls", "cycles",
            "seconds of processor", "wrong, reordered, findings of checkers"]
    must = [[f"`{row['name']}`", row["finds"], f"{row[row['finds']]:,}", ", ".join(row["told"]) or "–", "ended" if row["ended"] else "stopped"]
            for row in rows if row["finds"]]
    return chapters({"Runs": markdown(head, [*(line(row, f"`{row['name']}`") for row in as_asked), total]),
                     "Runs that must find something": markdown(["run", "what must be found", "how often", "what checkers said first", "end"], must)})


RESULTS = Results("axi_stock", "Bursts of stock AXI4 managers and memories", "axi.md", "axi-stock --docs", tables, ("IVERILOG", "VERILATOR"))


def main(children):
    kind = Kind("axi-stock", "tb/campaigns/axi/stock_axi.py", RUNS, design, judge, line_of, progress,
                lambda options, run: bursts_of(options, run) >= LONG, RESULTS)
    one = parser_of(kind, __doc__, "few bursts")
    one.add_argument("--bursts", type=int, default=0, help="of each run that has no fault, at least")
    return run_all(kind, children, one.parse_args())
