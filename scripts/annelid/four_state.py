# SPDX-License-Identifier: Apache-2.0
"""Run small networks with their terminals in four-state logic (tb/rtl/four_state.sv, docs/rtl.md).

The networks are those of the table four_state of tb/corners.toml, from power-up and with resets in traffic: one round, with --rounds
more. With nine rounds or more a run goes on until every lane has been reset while it held a flit. Prints a line for each network,
and "N passed, N failed". `make test-four-state` and `make test-reset` call it.
"""

import pathlib

from annelid import corners
from annelid.children import Wrong, tool
from annelid.options import JOBS, JUNIT, parser
from annelid.results import attempt, run_campaign
from annelid.sources import RTL

BENCH = pathlib.Path("tb/rtl/four_state.sv")
SCENARIOS = pathlib.Path("tb/rtl/four_state")
# Seconds that end a simulation that never leaves a time step: ten times what the slowest run needs on a slow machine.
PATIENCE, LONG_PATIENCE = 1200, 7200
MANY = 9  # rounds


def log_of(room, network, rounds):
    """The file with what the bench prints of a network."""
    return room / f"{network.name}-{rounds}.log"


def graph_file(options, children, room, graph):
    """Returns the RTL of the network of a scenario, as annelid writes it."""
    path = room / f"{graph}.sv"
    children.must([options.build / "annelid", "rtl", SCENARIOS / f"{graph}.yaml", "--name", "anl", "-o", path])
    return path


def simulate(children, macros, log, sources, patience=PATIENCE):
    """Runs the bench with these macros and files of the RTL. Returns (status, what it prints), which is in the log, too. Wrong: it does
    not compile, or it has no end."""
    program = log.with_suffix(".vvp")
    given = [f"-D{name}={value}" if value is not None else f"-D{name}" for name, value in macros.items()]
    children.must([*tool("IVERILOG"), "-g2012", "-Irtl/include", *sources, "-s", "four_state", "-o", program, *given, BENCH])
    try:
        return children.logged([*tool("VVP"), "-n", program], log, patience=patience)
    finally:
        program.unlink()


def run(campaign, network, written):
    """Returns the last line of the bench. Wrong: it does not pass, or it says an error."""
    rounds = campaign.options.rounds
    status, said = simulate(campaign.children, network.macros | {"ROUNDS": rounds}, log_of(campaign.room, network, rounds),
                            [*RTL, *written], LONG_PATIENCE if rounds >= MANY else PATIENCE)
    lines = [line for line in said.splitlines() if "/dev" not in line]
    if status or "ERROR" in said or not any(line.startswith("PASS") for line in lines):
        raise Wrong("\n".join(lines[-20:]) or f"status {status}")
    return next(line for line in lines if line.startswith("PASS"))


def action(campaign):
    options, children = campaign.options, campaign.children
    every = [one for one in corners.four_state() if one.sample or not options.short]
    written = {graph: graph_file(options, children, campaign.room, graph)
               for graph in dict.fromkeys(one.graph for one in every if one.graph)}

    def one(network):
        said, reason, seconds = attempt(run, campaign, network, [written[network.graph]] if network.graph else [])
        campaign.suite.case("four_state", network.name, reason, seconds=seconds)
        campaign.screen.say(f"FAIL  {network.name}: {reason}" if reason else f"{said:<40} {network.name}")
    campaign.each(one, every, "networks")
    return campaign.end(f"{campaign.name}: {len(every)} networks, rounds: {options.rounds}")


def main(children):
    options = parser(__doc__, jobs=JOBS, junit=JUNIT, short="the sample of the networks")
    options.add_argument("--rounds", type=int, default=1, help="rounds of traffic, each with a reset (1)")
    return run_campaign("four-state", options.parse_args(), children, action)
