# SPDX-License-Identifier: Apache-2.0
"""Rare mutants: mutants that act only after a rare condition, a trigger (docs/mutants.md).

A trigger is a signal of tb/campaigns/mutants/anl_trigger.sv. The stand-in of a set with triggers has one instance of that
module, and a mutant of the netlist acts in the cycle after its trigger was 1. Two triggers are in every set: the first is
always 1, and the last is never 1.
"""

import dataclasses
import hashlib
import pathlib
import re

from annelid.children import Wrong
from annelid.corners import CUBES

SOURCE = pathlib.Path("tb/campaigns/mutants/anl_trigger.sv")
ENVIRONMENT = "ANL_TRIGGER"  # variable that selects the trigger of a mutant, by its number
COUNTS = "triggers of mutants fired:"  # begins a line that a stand-in prints at its end, if no mutant is selected
ALWAYS, NEVER = "always", "never"
RARE = 0.5  # a trigger that fires in more of the cycles is not rare, or its gate does not work
SEEDS = range(2, 9)  # seeds of the lock-step besides the scenario's own: in a run some triggers fire a few times only
HYPERCUBE = CUBES.index("hypercube")  # in which no worm goes straight on in any case
QUICK = 100  # rare mutants are made of mutants that are noticed within so many cycles if they always act
VERDICTS, KILLED = ("killed", "harmless", "not met", "gap"), ("lock-step", "bench")
HEAD = ("mutants", *VERDICTS, "score")


def names(one):
    """Returns the triggers of a set, by their numbers."""
    return (ALWAYS, *one.triggers, NEVER)


def check(one):
    """Wrong: a trigger of the set is not in the file of the triggers, or some mutants could never be noticed."""
    known = re.findall(r"^  assign (\w+) += ", SOURCE.read_text().partition("// Triggers.")[2], re.MULTILINE)
    for name in one.triggers:
        if name not in known:
            raise Wrong(f"mutants.toml, set {one.name}: no trigger {name}; there are {', '.join(known)}")
    if not one.least or one.runs < len(one.triggers):
        raise Wrong(f"mutants.toml, set {one.name}: rare mutants need `runs`, one for each trigger or more, and `least`")
    if one.parameters["K"] < 3 and one.parameters.get("Topology") != HYPERCUBE:
        raise Wrong(f"mutants.toml, set {one.name}: rare mutants need K = 3 or more, else no worm goes straight on")


def environment(name):
    """Returns the SystemVerilog expression for the value of a variable of the environment; 0 without it."""
    variable = f'std::getenv(\\"{name}\\")'
    return f'$c32("({variable} ? std::atoi({variable}) : 0)")'


GATE = """  // The mutant acts in the cycle after its trigger was 1.
  localparam int NumTriggers = {count};
  logic [{width}-1:0] chosen, mutsel;
  int                 trigger, cycles, fired [NumTriggers];
  logic               fires_q;
  wire [NumTriggers-1:0] fires = {{1'b0, {fires}1'b1}};
  anl_trigger #(.NumPorts(NumPorts), .NumVcs(NumVcs), .FlitW(FlitW), .DstW(DstW)) u_trigger (.*);
  assign mutsel = fires_q ? chosen : '0;
  initial begin
    chosen  = {width}'({mutant});
    trigger = {trigger};
    fires_q = 1'b0;
  end
  always_ff @(posedge clk_i) begin : gate
    fires_q <= !rst_i && fires[trigger];
    if (!rst_i) cycles <= cycles + 1;
    for (int t = 0; t < NumTriggers; t++)
      if (!rst_i && fires[t]) fired[t] <= fired[t] + 1;
  end
  final if (chosen == '0) begin
    $write("{counts} %0d", cycles);
    for (int t = 0; t < NumTriggers; t++) $write(" %0d", fired[t]);
    $write("\\n");
  end
"""


def gate(one, mutant):
    """Returns the text of a stand-in that declares mutsel. mutant: the name of the variable that selects the mutant."""
    fires = "".join(f"u_trigger.{name}, " for name in reversed(one.triggers))
    return GATE.format(count=len(names(one)), width=one.select_width, fires=fires, mutant=environment(mutant),
                       trigger=environment(ENVIRONMENT), counts=COUNTS)


def counted(output):
    """Returns (output of a run without the lines of counts, [cycles, cycles in which trigger 0 fired, …]), summed over all
    instances of the stand-in."""
    lines, counts = [], []
    for line in output.splitlines():
        if line.startswith(COUNTS):
            counts.append([int(word) for word in line.removeprefix(COUNTS).split()])
        else:
            lines.append(line)
    return "\n".join(lines), [sum(column) for column in zip(*counts)]


def check_counts(one, counts):
    """Returns {trigger: cycles in which it fired}, of all runs without a mutant. Wrong: a gate does not work."""
    if len(counts) != 1 + len(names(one)):
        raise Wrong(f"set {one.name}: a run prints {len(counts)} counts of triggers, not {1 + len(names(one))}")
    cycles, fired = counts[0], dict(zip(names(one), counts[1:]))
    if fired.pop(ALWAYS) != cycles or fired.pop(NEVER):
        raise Wrong(f"set {one.name}: the trigger that always fires does not, or the one that never fires does: {counts}")
    for name, seen in fired.items():
        if seen > RARE * cycles:
            raise Wrong(f"set {one.name}: trigger {name} is not rare, it fires in {seen} of {cycles} cycles")
    return fired


def sample(one, mutants):
    """Returns the rare mutants of a set: `runs` of the pairs of a mutant and a trigger, each trigger equally often, but for
    one, chosen by a hash of the seed."""
    def key(mutant, name):
        return hashlib.sha256(f"{one.seed} {mutant.number} {name}".encode()).hexdigest()
    rows = []
    for index, name in enumerate(one.triggers, 1):
        share = (one.runs + index - 1) // len(one.triggers)
        chosen = sorted(mutants, key=lambda mutant: key(mutant, name))[:share]
        rows += [dataclasses.replace(mutant, trigger=index) for mutant in chosen]
    return rows


def is_quick(row):
    """Returns whether the mutant of a row, when it always acts, is noticed soon. Rare mutants are made of these alone, so
    that what is rare about them is the trigger."""
    found = re.search(r"cycle (\d+)", row["text"]) if row["verdict"] in KILLED else None
    return found is not None and int(found[1]) <= QUICK


def count(rows):
    return {verdict: sum(kind_of(row) == verdict for row in rows) for verdict in VERDICTS}


def kind_of(row):
    return "killed" if row["verdict"] in KILLED else row["verdict"]


def score(rows):
    """Returns the part of the mutants that are not harmless that is killed."""
    seen = count(rows)
    able = len(rows) - seen["harmless"]
    return seen["killed"] / able if able else 0.0


def numbers(rows):
    """Returns the columns of HEAD for some rows of a report."""
    return [len(rows), *count(rows).values(), f"{score(rows):.2f}"]


def lines(name, some):
    """Returns the columns of a table for a set of a report: itself, and each of its triggers with how often it fired."""
    triggers = [ALWAYS, *some["fired"]]
    parts = {trigger: [row for row in some["mutants"] if row["trigger"] == trigger] for trigger in triggers}
    return [[name, "all", "", *numbers(some["mutants"])],
            *(["", trigger, some["fired"].get(trigger, ""), *numbers(rows)] for trigger, rows in parts.items())]
