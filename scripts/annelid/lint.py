# SPDX-License-Identifier: Apache-2.0
"""Have front ends read the RTL, and Yosys make gates of it, at the corners of tb/corners.toml (docs/rtl.md).

Verilator -Wall, Icarus and Yosys must accept each corner and say nothing. With --synthesis Yosys makes gates of it instead: no latch,
no loop, one driver for every wire. Prints what fails, and "N passed, N failed". `make lint` and `make synth-check` call it.
"""

import functools
import re

from annelid import corners
from annelid.children import Wrong, tool
from annelid.front_ends import without_report
from annelid.options import JOBS, JUNIT, parser
from annelid.results import attempt, run_campaign
from annelid.sources import chparam, needed, source_of

# Yosys makes the modules below only with the parameters that they have in the corner.
READ = "read_verilog -defer -sv -formal -Irtl/include {files}; read_verilog -sv -formal -Irtl/include {file}; "
# Checks a corner, assertions included. check -assert fails on a combinational loop and on a wire with two drivers or with none.
CHECK = "{chparam}; hierarchy -check -top {top}; proc; check -assert; "
# Checks each module once more as some commands make it of gates, and then all of them flattened into one, where loops through
# several modules show. No module is dropped before it has been checked. Gates that nothing needs are dropped before all is put
# together, which takes most of the time. Optimizing by ABC would change nothing of this.
GATES = ("chformal -remove; {commands}; check -assert; select -assert-none t:*LATCH* t:$sr; select -assert-none t:$mem*; "
         "opt_expr; opt_merge; opt_clean -purge; flatten; check -assert; ")
SYNTHESIS = "synth -noabc -run :check"
QUICK = "opt_clean; memory_map; opt_expr -undriven; techmap"  # without the optimizations of synthesis: half the time


@functools.cache
def files_of(module):
    return needed(module)


def read(module):
    return READ.format(files=" ".join(map(str, files_of(module))), file=source_of(module))


def check(corner):
    return CHECK.format(chparam=chparam(corner.parameters, corner.module), top=corner.module)


def yosys(script):
    return [*tool("YOSYS"), "-q", "-p", script]


def verilator(corner):
    wide = {"Weights": "64'd"}  # a number without a width has 32 bits
    given = [f"-G{name}={wide.get(name, '')}{value}" for name, value in corner.parameters.items()]
    return [*tool("VERILATOR"), "--lint-only", "-Wall", "--assert", "-Irtl/include", *files_of(corner.module), "--top-module",
            corner.module, *given]


def icarus(corner):
    given = [f"-P{corner.module}.{name}={value}" for name, value in corner.parameters.items()]
    return [*tool("IVERILOG"), "-g2012", "-Wall", "-Irtl/include", *files_of(corner.module), "-s", corner.module, "-o", "/dev/null", *given]


def reading(every, short):
    """Yields (name of the corner, front end, command). A short run leaves Yosys to the one of the synthesis, which reads the same."""
    for corner in every:
        yield corner.name, "Verilator", verilator(corner)
        yield corner.name, "Icarus", icarus(corner)
        if not short:
            yield corner.name, "Yosys", yosys(read(corner.module) + check(corner))


def making(every, short):
    """Yields the same of gates. In a short run one Yosys makes the corners of a module, one after the other."""
    every = [corner for corner in every if corner.synthesis]
    if not short:
        for corner in every:
            yield corner.name, "gates", yosys(read(corner.module) + check(corner) + GATES.format(commands=SYNTHESIS))
        return
    for module in dict.fromkeys(corner.module for corner in every):
        each = [f"log -stderr corner {corner.name}; design -load rtl; {check(corner)}{GATES.format(commands=QUICK)}"
                for corner in every if corner.module == module]
        yield module, "gates", yosys(f"{read(module)}design -save rtl; {''.join(each)}")


def silent(children, command):
    """Wrong: the command fails, or says something. Of several corners the last one that it names is the one that fails."""
    status, said = children.output(command)
    if status or re.sub(r"^corner .*\n", "", without_report(said), flags=re.MULTILINE):
        raise Wrong(f"status {status}\n{said}")


def action(campaign):
    options = campaign.options
    every = [corner for corner in corners.load() if (corner.sample or not options.short) and
             (not options.only or any(name in (corner.module, corner.name) for name in options.only))]
    if not every:
        raise Wrong(f"no corner {' '.join(options.only)} in {corners.TABLE}")

    def one(job):
        name, what, command = job
        _, reason, seconds = attempt(silent, campaign.children, command)
        campaign.suite.case(what, name, reason, seconds=seconds)
        if reason:
            campaign.screen.say(f"FAIL  {name} {what}: {reason}")
    jobs = list((making if options.synthesis else reading)(every, options.short))
    campaign.each(one, jobs, "runs")
    return campaign.end(f"{campaign.name}: {len(every)} corners of {len({corner.module for corner in every})} modules, {len(jobs)} runs")


def main(children):
    options = parser(__doc__, jobs=JOBS, junit=JUNIT, short="the sample of the corners", only="modules, or names of corners")
    options.add_argument("--synthesis", action="store_true", help="make gates, in the place of lint")
    options = options.parse_args()
    return run_campaign("synth-check" if options.synthesis else "lint", options, children, action)
