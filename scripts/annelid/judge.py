# SPDX-License-Identifier: Apache-2.0
"""Judge a network of anybody's switches by the rules alone: make judge (docs/judge.md).

A switch is a module anl_judged_router, of the user (DUT= LINKS= SCENARIO=) or the wrapper of an open router in judged/, whose
sources the user brings (ROUTER= SOURCES=). The bench around it is written here from what `annelid describe --links` says.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import sys
import tomllib
from dataclasses import dataclass, field

from annelid import dut, surfer
from annelid.children import Wrong, take_build_lock, tool
from annelid.judge_links import ALL, RULES, STYLES, described, description, index_width
from annelid.options import parser
from annelid.planted import edits_of
from annelid.sources import RTL, needed, replaced, write

JUDGED = pathlib.Path("judged")
BENCH = [pathlib.Path(name) for name in ("tb/live/anl_live_pkg.sv", "tb/live/anl_live_wires.sv", "tb/judge/anl_driver_pkg.sv",
                                         "tb/judge/anl_driver.sv")]
# All headers are read once: half the work, if one processor does it.
ONE_FILE = ["-MAKEFLAGS", "VM_PARALLEL_BUILDS=0"]
# Modules that differ in no parameter share their code.
SHARED = '`verilator_config\nno_inline -module "anl_live_wires"\n'
SWITCHES = 'no_inline -module "anl_judged_router"\n'
CHECKED = "anl_judge_checker"  # of one switch
CHECKERS = f'no_inline -module "{CHECKED}"\n'
KEYS = {"name", "project", "repository", "revision", "licence", "own", "files", "include", "defines", "flags", "libraries", "needs", "reset_cycles",
        "quiet_cycles", "cycles_a_hop", "notes", "parameters", "mended", "bug"}


@dataclass
class Router:
    """What is built: files of Verilator in their order, and how long the reset lasts."""
    name: str
    files: list
    links: pathlib.Path
    scenario: pathlib.Path
    include: list = field(default_factory=list)
    flags: list = field(default_factory=list)
    parameters: dict = field(default_factory=dict)
    reset_cycles: int = 4   # of the switches
    quiet_cycles: int = 0   # behind it in which nothing is told to the watch, and terminals drive nothing
    asserts: bool = True    # its assertions are on
    mended: dict = field(default_factory=dict)  # what mends an error of its own: the fields of a bug
    bugs: list = field(default_factory=list)


# --- what is judged ---

def has_label(router):
    """Says whether a switch gets its number by a parameter: then each is another module. Else it comes by the port here_i."""
    wrapper = next(text for path in router.files if f"module {dut.JUDGED}" in (text := path.read_text(errors="replace")))
    return "parameter int Here" in wrapper


def routers():
    return {path.parent.name: path for path in sorted(JUDGED.glob("*/router.toml"))}


def said_of(name):
    """Returns what the router.toml of an open router says."""
    return tomllib.loads(routers()[name].read_text())


def existing(path, why):
    if not path.exists():
        raise Wrong(f"{path}: No such file or folder ({why})")
    return path


def open_router(name, sources):
    """Returns an open router whose wrapper is here and whose sources are in a folder of the user."""
    if name not in routers():
        raise Wrong(f"ROUTER={name}: expected one of {', '.join(routers())}")
    if not sources:
        raise Wrong(f"ROUTER={name} needs SOURCES=folder, a checkout of {said_of(name)['repository']}")
    home, said = routers()[name].parent, said_of(name)
    strange = sorted(set(said) - KEYS)
    if strange:
        raise Wrong(f"{home}/router.toml: found {', '.join(strange)}; expected {', '.join(sorted(KEYS))}")
    why = f"SOURCES={sources} is to be a checkout of {said['repository']}; {said['revision'][:12]} was tried"
    files = [*(home / path for path in said.get("own", [])), *(existing(sources / path, why) for path in said["files"])]
    return Router(name, [*files, home / "wrapper.sv"], home / "links.yaml", home / "scenario.yaml",
                  include=[home, *(existing(sources / path, why) for path in said.get("include", []))],
                  flags=[*(f"-D{one}" for one in said.get("defines", [])), *said.get("flags", []),
                         *(word for path in said.get("libraries", []) for word in ("-y", str(existing(sources / path, why))))],
                  parameters=said.get("parameters", {}), reset_cycles=said.get("reset_cycles", 4),
                  quiet_cycles=said.get("quiet_cycles", 0), asserts=False, mended=said.get("mended", {}), bugs=said.get("bug", []))


def own_router(options):
    """Returns the switch of the user: DUT= is read as everywhere else (docs/lockstep.md, "Your own switch")."""
    said = dut.parse(options.dut)
    if dut.JUDGED not in said.defines:
        raise Wrong(f"{dut.typed(options.dut)} defines {', '.join(said.defines)}; a module {dut.JUDGED} expected (docs/judge.md)")
    if not options.links or not options.scenario:
        raise Wrong("DUT= needs LINKS=description.yaml and SCENARIO=network.yaml (docs/judge.md)")
    return Router(pathlib.Path(said.files[0]).stem, [pathlib.Path(path) for path in said.files], options.links, options.scenario,
                  include=said.folders, flags=said.flags)


def changed(router, row, room, where):
    """Makes the changes of a row in copies of files, which are in `room`."""
    for edit in edits_of(dict(row), where):
        path = next((path for path in router.files if str(path).endswith("/" + edit.file) or path == room / pathlib.Path(edit.file).name), None)
        if not path:
            raise Wrong(f"{where}: {edit.file} is no file of it")
        copy = room / path.name
        write(copy, replaced(path.read_text(), edit.old, edit.new, path))
        router.files[router.files.index(path)] = copy
        # Verilator looks for modules in such folders, too.
        if any((path.parent / name).exists() for name in dut.INCLUDED.findall(path.read_text())):
            router.include.append(path.parent)


def mend(router, room):
    """Mends the error that the router has of its own."""
    if not router.mended:
        raise Wrong(f"MENDED=1: there is nothing to mend in {router.name}")
    changed(router, router.mended, room, f"what mends {router.name}")


def planted(router, number, room):
    """Plants a bug of the router's list into it. An error of its own is mended first: else that one would be found."""
    if not 1 <= number <= len(router.bugs):
        raise Wrong(f"BUG={number}: {router.name} has bugs 1 to {len(router.bugs)}")
    if router.mended:
        mend(router, room)
    changed(router, router.bugs[number - 1], room, f"bug {number} of {router.name}")


# --- the bench ---

# Ports without a link are idle. Where a head may go, and whether the network has stalled, the watch of all switches knows better.
CHECKER = """{counted}
module {name} (
  input logic clk_i, input logic rst_i,
  input logic [{ports}-1:0] in_valid, input logic [{ports}*{vcw}-1:0] in_vc_i, input logic [{ports}*{width}-1:0] in_flit,
  input logic [{ports}*{backw}-1:0] in_back,
  input logic [{ports}-1:0] out_valid, input logic [{ports}*{vcw}-1:0] out_vc, input logic [{ports}*{width}-1:0] out_flit,
  input logic [{ports}*{backw}-1:0] out_back
);
  localparam int NumPorts = {ports}, NumVcs = {vcs}, VcW = {vcw}, W = {width}, BackW = {backw}, LengthW = 16;
  logic [NumPorts-1:0] in_head, in_tail, out_head, out_tail, in_ready, out_ready;
  logic [NumPorts*LengthW-1:0] lengths;
  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    wire [W-1:0] flit = in_flit[p*W +: W], sent = out_flit[p*W +: W];
    wire [VcW-1:0] in_vc = in_vc_i[p*VcW +: VcW], vc = out_vc[p*VcW +: VcW];
    wire [BackW-1:0] in_wires = in_back[p*BackW +: BackW], out_wires = out_back[p*BackW +: BackW];
    assign in_ready[p] = {in_ready};
    assign out_ready[p] = {out_ready};
{marks}
  end
  anl_switch_checker #(
    .Style({style}), .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth({depth}), .Extra({extra}), .FlitW(W), .Same({same}), .HeadSame({head_same}),
    .LengthW(LengthW), .Rest({rest}), .Rules({rules})
  ) u_checker (
    .clk_i, .rst_i, .in_valid_i(in_valid), .in_vc_i, .in_head_i(in_head), .in_tail_i(in_tail), .in_flit_i(in_flit), .in_back_i(in_back),
    .in_length_i(lengths), .routes_i('1), .out_valid_i(out_valid), .out_vc_i(out_vc), .out_head_i(out_head),
    .out_tail_i(out_tail), .out_flit_i(out_flit), .out_back_i(out_back), .at_rest_i(1'b0),
    .switch_broken_o(), .user_broken_o(), .over_o()
  );
endmodule
"""
NOT_LOOKED_FOR = ("illegal_route", "stalled")
REST = 64  # cycles, besides four for each slot of a lane, after which the watch takes a network to be at rest, too


def checker_text(link, network):
    """Returns the module that checks a switch of a network, at all of its ports."""
    credits_, depth = link.slots or network["depth"], network["depth"]
    same, head_same = link.same
    return CHECKER.format(
        counted=link.counted, name=CHECKED, ports=network["ports"], vcs=network["num_vcs"], vcw=index_width(network["num_vcs"]),
        width=link.width, backw=network["back"], in_ready=link.ready("in_wires", "in_vc"), out_ready=link.ready("out_wires", "vc"),
        marks="\n".join("    " + line for line in link.marks_at_port()), style=STYLES.index(link.style), depth=credits_,
        extra=max(0, depth - credits_), same=same, head_same=head_same, rest=4 * depth + REST,
        rules=ALL & ~sum(1 << RULES[rule] for rule in {*NOT_LOOKED_FOR, *link.ignore}))


def checker_files(router):
    """Returns the modules of the checker that the files of a router do not define."""
    texts = [path.read_text(errors="replace") for path in router.files]
    defined = {name for text in texts for name in dut.DEFINED.findall(dut.bare(text))}
    return needed("anl_switch_checker anl_link_checker", [path for path in RTL if path.stem not in defined])


class Bench:
    """The text of the top module: a switch for each, a signal for each wire of each link, and a checker of each switch if there is one."""

    def __init__(self, router, network, checker=None):
        self.router, self.network, self.label, self.checker = router, network, has_label(router), checker
        self.wide = index_width(network["num_vcs"])
        self.into = {(switch, port): link for link, switch, port in network["into"]}
        switches, ports = network["switches"], network["ports"]
        self.ejection = network["ejection"]
        self.injection = [switches * ports + t for t in range(network["terminals"])]
        self.leaving = sorted({link for link, _, _ in network["into"] if link < switches * ports} | set(self.ejection))
        self.links = [*self.leaving, *self.injection]

    def names(self, kind, links):
        """Returns a concatenation of the signals of links, the first one lowest; what is no link is idle."""
        idle = {"valid": "1'b0", "vc": f"{self.wide}'b0", "flit": f"{self.network['width']}'b0", "back": self.idle_back()}
        return "{" + ", ".join(f"{kind}_{link}" if link is not None else idle[kind] for link in reversed(list(links))) + "}"

    def idle_back(self):
        """Returns what the receiver of a link that does not exist drives: nothing may be sent."""
        width = self.network["back"]
        return f"{{{width}{{1'b1}}}}" if self.network["style"] == "stop_go" else f"{width}'b0"

    def signals(self):
        network = self.network
        for link in self.links:
            yield (f"  logic valid_{link}; logic [{self.wide - 1}:0] vc_{link}; logic [{network['width'] - 1}:0] flit_{link}; "
                   f"logic [{network['back'] - 1}:0] back_{link};")

    def switch(self, number):
        ports = self.network["ports"]
        entering = [self.into.get((number, port)) for port in range(ports)]
        leaving = [link if (link := number * ports + port) in self.leaving else None for port in range(ports)]

        def outputs(kind, links, width):
            named = [f"{kind}_{link}" if link is not None else f"none_{kind}_{number}_{port}" for port, link in enumerate(links)]
            spare = [f"  logic [{width - 1}:0] {name};" for name in named if name.startswith("none")]
            return "{" + ", ".join(reversed(named)) + "}", spare
        valid, spare = outputs("valid", leaving, 1)
        vc, more = outputs("vc", leaving, self.wide)
        flit, most = outputs("flit", leaving, self.network["width"])
        back, last = outputs("back", entering, self.network["back"])
        given = {**({"Here": number} if self.label else {}), "K": self.network["radix"], "NumPorts": ports, "NumVcs": self.network["num_vcs"],
                 "FlitW": self.network["width"], "BackW": self.network["back"], **self.router.parameters}
        yield from [*spare, *more, *most, *last]
        yield f"  anl_judged_router #({', '.join(f'.{name}({value})' for name, value in given.items())}) u_{number} ("
        yield "    .clk_i(clk), .rst_i(rst)," + ("" if self.label else f" .here_i({number}),")
        yield f"    .in_valid_i({self.names('valid', entering)}), .in_vc_i({self.names('vc', entering)}),"
        yield f"    .in_flit_i({self.names('flit', entering)}), .in_back_o({back}),"
        yield f"    .out_valid_o({valid}), .out_vc_o({vc}), .out_flit_o({flit}),"
        yield f"    .out_back_i({self.names('back', leaving)}));"
        if self.checker:
            yield f"  {CHECKED} u_checker_{number} (.clk_i(clk), .rst_i(quiet),"
            yield f"    .in_valid({self.names('valid', entering)}), .in_vc_i({self.names('vc', entering)}),"
            yield f"    .in_flit({self.names('flit', entering)}), .in_back({back}),"
            yield f"    .out_valid({valid}), .out_vc({vc}), .out_flit({flit}), .out_back({self.names('back', leaving)}));"

    def edges(self, number):
        """Yields probes of ports without a link, at which no flit may be offered."""
        for port in range(self.network["ports"]):
            if (link := number * self.network["ports"] + port) not in self.leaving:
                wires = {kind: f"none_{kind}_{number}_{port}" for kind in ("valid", "vc", "flit")}
                yield from self.probe(link, {**wires, "back": self.idle_back()})

    def probe(self, link, wires=None):
        wires = wires or {kind: f"{kind}_{link}" for kind in ("valid", "vc", "flit", "back")}
        yield (f"  anl_live_wires #(.NumLinks(1), .NumVcs(NumVcs), .FlitW(FlitW), .BackW(BackW)) u_probe_{link} (.clk_i(clk), "
               f".rst_i(quiet), .live_i(live), .first_i({link}), .valid_i({wires['valid']}), .vc_i({wires['vc']}), "
               f".flit_i({wires['flit']}), .back_i({wires['back']}), .length_i('0));")

    def probes(self):
        """Returns a map of probes (docs/probes.md), whose names stand in this module."""
        wires = {kind: f"{kind}_{{link}}" for kind in ("valid", "vc", "flit", "back")}
        return {"network": str(self.router.scenario.resolve()), "links": str(self.router.links.resolve()), "clock": "clk", "reset": "rst",
                "probes": [{"of": of} | wires for of in ("switches", "terminals")]}

    def text(self):
        network, router = self.network, self.router
        return "\n".join([
            "// Written by `make judge` (docs/judge.md): the network of a scenario, with a watch on every link.",
            *([self.checker] if self.checker else []),
            "module anl_judge;",
            f"  localparam int NumTerminals = {network['terminals']};",
            f"  localparam int NumVcs = {network['num_vcs']};",
            f"  localparam int FlitW = {network['width']};",
            f"  localparam int BackW = {network['back']};",
            "  logic clk = 1'b0, rst = 1'b1, quiet = 1'b1, over;",
            "  logic [63:0] live;",
            "  always #5 clk = !clk;",
            *self.signals(),
            "  anl_driver #(.NumTerminals(NumTerminals), .NumVcs(NumVcs), .FlitW(FlitW), .BackW(BackW)) u_terminals (",
            "    .clk_i(clk), .rst_i(quiet), .live_o(live), .over_o(over),",
            f"    .valid_o({self.names('valid', self.injection)}), .vc_o({self.names('vc', self.injection)}),",
            f"    .flit_o({self.names('flit', self.injection)}), .back_i({self.names('back', self.injection)}),",
            f"    .valid_i({self.names('valid', self.ejection)}), .vc_i({self.names('vc', self.ejection)}),",
            f"    .flit_i({self.names('flit', self.ejection)}), .back_o({self.names('back', self.ejection)}));",
            *(line for number in range(network["switches"]) for line in self.switch(number)),
            *(line for link in self.links for line in self.probe(link)),
            *(line for number in range(network["switches"]) for line in self.edges(number)),
            "  initial begin : run",
            "    string waves;",
            "    if ($value$plusargs(\"waves=%s\", waves)) begin $dumpfile(waves); $dumpvars; end",
            f"    repeat ({router.reset_cycles}) @(negedge clk);",
            "    rst = 1'b0;",
            *([f"    repeat ({router.quiet_cycles}) @(negedge clk);"] if router.quiet_cycles else []),
            "    quiet = 1'b0;",
            "    wait (over);",
            "    $finish;",
            "  end",
            "endmodule", ""])


# --- build and run ---

def network_of(children, options, router):
    return described(children, options.build, router.links, router.scenario, *(word for one in options.set for word in ("--set", one)))


def say(text=""):
    """Shows on a terminal what is done now, in one line; elsewhere each of them has a line."""
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def room_name(options, router, bench):
    """Returns a name of what is built: of other files, options or links, or of another network, there is another build. What is in
    the files is not in it, since Verilator's makefile knows when they change."""
    kind = (f"-bug{options.bug}" if options.bug else "-mended" if options.mended else "") + ("-waves" if options.waves else "")
    words = [bench, *(os.path.abspath(path) for path in [*router.files, *router.include]), "", *map(str, router.flags)]
    return f"{router.name}{kind}-{hashlib.sha256(chr(0).join(words).encode()).hexdigest()[:10]}"


def build(children, options, router, bench, room):
    """Builds the simulation, if anything has changed. Returns its program."""
    write(room / "anl_judge.sv", bench)
    write(room / "judge.vlt", SHARED + ("" if has_label(router) else SWITCHES) + (CHECKERS if options.checkers else ""))
    library = options.build / "libannelid.a"
    command = [*tool("VERILATOR"), "--binary", "--timing", "-j", str(options.jobs), "-Wno-fatal", "-Wno-lint", "-Wno-style", "--top-module", "anl_judge",
               "--Mdir", room / "obj", "-o", "judge", "-O3", "-CFLAGS", os.environ.get("VOPT", "-O0"), *(["--trace-fst"] if options.waves else []),
               *(["--assert"] if router.asserts else []), *ONE_FILE * (options.jobs == 1),
               *router.flags, *(f"+incdir+{path}" for path in router.include), *BENCH, *router.files, room / "judge.vlt", room / "anl_judge.sv",
               "-LDFLAGS", f"{library.resolve()} -lyaml -lxxhash -lzstd -ljansson -lm"]
    program = room / "obj/judge"
    if program.exists() and program.stat().st_mtime < library.stat().st_mtime:
        program.unlink()  # Verilator's makefile does not know the library
    say(f"judge: {router.name}: builds the network, {len(router.files)} files; log in {room}/build.log")
    status, said = children.logged(command, room / "build.log", {"OBJCACHE": shutil.which("ccache") or ""})
    say("")
    if status:
        errors = [line for line in said.splitlines() if line.startswith("%Error")] or said.splitlines()[-20:]
        raise Wrong("\n".join([f"{router.name} cannot be built; {room}/build.log has all:", *errors[:10]]))
    return program


def plusargs(options, router, waves, settings=()):
    words = {"scenario": router.scenario, "links": router.links, "settings": " ".join([*options.set, *settings]),
             "patience": options.patience, "hesitation": options.hesitation}
    if options.trace:
        words["trace"] = options.trace
    if options.json:
        words["report"] = options.json
    if options.waves:
        words["waves"] = waves
    return ["+json", *(f"+{word}" for word in options.plus.split()), *(f"+{name}={value}" for name, value in words.items())]


# What the checker of a switch says: rule, cycle, in words, switch.
CHECKER_SAYS = re.compile(r"anl_switch_checker: (\w+) in cycle (\d+): (.*) \(\S*\banl_judge\.u_checker_(\d+)\.\S*\)$")


def result_of(said, status=0):
    """Returns the result that the program printed, with what checkers say, and all else that it said. Wrong: there is none, or the
    program failed behind it, as by an error that a switch says at its end."""
    lines = said.splitlines()
    found = next((line for line in lines if line.startswith('{"good"')), None)
    if not found or status:
        raise Wrong("\n".join([f"the simulation ended {f'with status {status}' if found else 'without a result'}:", *lines[-12:]]))
    result = json.loads(found)
    if not result["worms"]:
        raise Wrong("the terminals have sent nothing, so nothing is known: the scenario makes no worms")
    of_checkers = [line for line in lines if CHECKER_SAYS.match(line)]
    others = [line for line in lines if line not in (found, *of_checkers) and not line.startswith(("- ", "judge: latency"))]
    checkers = [dict(switch=int(match[4]), what=match[1], cycle=int(match[2]), text=match[3]) for match in map(CHECKER_SAYS.match, of_checkers)]
    return result | {"checkers": checkers, "good": result["good"] and not checkers}, others


def verdict(result):
    if result["what"]:
        return f"{result['what']} in cycle {result['cycle']}"
    if result["checkers"]:
        first = min(result["checkers"], key=lambda one: one["cycle"])
        return f"{first['what']} in cycle {first['cycle']}, says the checker of switch {first['switch']} alone"
    return "no rule broken" if result["good"] else f"{result['worms'] - result['delivered']} worms were not delivered"


class Judge:
    """A network that is built, to be run with settings."""

    def __init__(self, children, options, router):
        self.children, self.options, self.router = children, options, router
        network = network_of(children, options, router)
        checker = checker_text(description(children, options.build, router.links), network) if options.checkers else None
        if checker:
            router.files[:0] = checker_files(router)
            router.include.append(pathlib.Path("rtl/include"))
        self.bench, self.terminals = Bench(router, network, checker), network["terminals"]
        text = self.bench.text()
        self.room = options.build / "judge" / room_name(options, router, text)
        self.room.mkdir(parents=True, exist_ok=True)
        if options.bug:
            planted(router, options.bug, self.room)
        elif options.mended:
            mend(router, self.room)
        self.program = build(children, options, router, text, self.room)

    @property
    def waves(self):
        return self.room / "judge.fst"

    def map_waves(self):
        """Writes which signals of the waves the links are (docs/probes.md). Returns the path of this map."""
        path = self.waves.with_suffix(".yaml")
        said = self.bench.probes() | {"scope": "anl_judge"}
        write(path, "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in said.items()))
        return path

    def show_waves(self):
        """Writes what Surfer reads beside the waves: the links, and a translator for flits. Returns the command that opens them."""
        bench, network = self.bench, self.bench.network
        names = [("{}, port {}".format(*divmod(link, network["ports"])), link) for link in bench.leaving]
        names += [(f"T{t}.inject", link) for t, link in enumerate(bench.injection)]
        write(self.waves.with_suffix(".sucl"), surfer.commands_of_links(names, "TOP.anl_judge", surfer.can_translate(network)))
        if surfer.can_translate(network):
            surfer.write_decoder(self.room, network)
        return surfer.opening(self.room, self.waves.stem)

    def run(self, *settings):
        """Returns the result, and what the watch said."""
        say(f"judge: {self.router.name}: runs {' '.join(settings)}")
        status, said = self.children.output([self.program, *plusargs(self.options, self.router, self.waves, settings)])
        say("")
        return result_of(said, status)

    def model(self, *settings):
        """Returns what the golden model says of the same scenario: its own switch in the place of this one."""
        words = [word for one in [*self.options.set, *settings] for word in ("--set", one)]
        return json.loads(self.children.must([self.options.build / "annelid", "run", "--json", *words, self.router.scenario], 0, 1))

    def sweep(self):
        """Yields (load, result, what the watch said, what the model says) for loads up to where more load brings no more flits, or
        something is found. Then nobody asks the model."""
        most = 0
        for tenth in range(1, 10):
            words = f"traffic.load={tenth / 10}", "run.cycles=6000", "run.warmup_cycles=1000"
            result, said = self.run(*words)
            yield tenth / 10, result, said, self.model(*words) if result["good"] else None
            if not result["good"] or result["accepted"] < 1.02 * most:
                return
            most = max(most, result["accepted"])


def options_of(options, **given):
    """Returns the options of a run that a script makes, in the build directory of its own options."""
    usual = dict(bug=0, mended=False, waves=False, checkers=False, trace=None, json=None, plus="", set=[], hesitation=0.1, patience=1000)
    return argparse.Namespace(build=options.build, jobs=options.jobs, **{**usual, **given})


def arguments():
    options = parser(__doc__, jobs="processes at once")
    options.add_argument("--router", help=f"an open router: {', '.join(routers())}")
    options.add_argument("--sources", type=pathlib.Path, help="a checkout of its project")
    options.add_argument("--bug", type=int, default=0, help="plant bug number N of judged/<router>/router.toml")
    options.add_argument("--mended", action="store_true", help="mend the error that the router has of its own (judged/<router>/router.toml)")
    options.add_argument("--dut", help="files of a module anl_judged_router of your own, and options of Verilator")
    options.add_argument("--links", type=pathlib.Path, help="description of its links (docs/link.md)")
    options.add_argument("--scenario", type=pathlib.Path, help="network and traffic")
    options.add_argument("--set", nargs="*", default=[], help="section.key=value in place of the scenario's")
    options.add_argument("--hesitation", type=float, default=0.1, help="probability that a terminal neither sends nor takes in a cycle")
    options.add_argument("--patience", type=int, default=1000, help="cycles without a flit after which it stalls")
    options.add_argument("--trace", type=pathlib.Path, help="flit trace to be written")
    options.add_argument("--waves", action="store_true", help="write waves")
    options.add_argument("--checkers", action="store_true", help="bind the checkers of docs/checker.md to each switch, too")
    options.add_argument("--json", type=pathlib.Path, help="leave a list of what was found (docs/lockstep.md, \"Reports for programs\"), and FILE.result.json")
    options.add_argument("--plus", default="", help="plusargs for the switches, without +, separated by blanks")
    options.add_argument("--sweep", action="store_true", help="latency over load, beside the golden model's switch")
    return options.parse_args()


FEW = 3  # lanes that are named


def lanes_of(result):
    """Returns in words how many lanes of the network's links were used, and which never were."""
    never, lanes = result["never"], result["lanes"]
    more = f" and {len(never) - FEW} more" if len(never) > FEW else ""
    return f"lanes: {lanes - len(never)} of {lanes} used" + (f"; never: {', '.join(never[:FEW])}{more}" if never else "")


def print_result(router, result, said):
    print("\n".join(said))
    for one in result["checkers"]:
        print(f"judge: checker of switch {one['switch']}: {one['what']} in cycle {one['cycle']}: {one['text']}")
    print(f"judge: {router.name}: {result['cycles']} cycles, {result['flits']} flits, {result['worms']} worms, "
          f"{result['delivered']} delivered: {verdict(result)}")
    if result["measured"]:
        print(f"judge: latency {result['latency']:.1f} cycles, {result['accepted']:.3f} flits accepted by a terminal in a cycle, "
              f"at least {result['least_hop']} cycles from link to link")
    if not result["what"] and not result["checkers"]:
        print(f"judge: {lanes_of(result)}")


def print_sweep(network):
    print("load  latency  accepted   model's latency  accepted")
    for load, result, said, model in network.sweep():
        if not result["good"]:
            print("\n".join([*said, f"judge: {network.router.name}: load {load:.1f}: {verdict(result)}"]))
            return 1
        print(f"{load:.1f}   {result['latency']:7.1f}  {result['accepted']:8.3f}   {model['latency_mean']:15.1f}  {model['accepted_load']:8.3f}")
    return 0


def main(children):
    options = arguments()
    if bool(options.router) == bool(options.dut):
        raise Wrong("expected ROUTER=name SOURCES=folder, or DUT=files LINKS=description.yaml SCENARIO=network.yaml")
    if not 0 <= options.hesitation < 1:
        raise Wrong(f"HESITATION={options.hesitation:g}: expected a number from 0 to below 1")
    router = open_router(options.router, options.sources) if options.router else own_router(options)
    if options.scenario:
        router.scenario = options.scenario
    existing(router.scenario, "the scenario")
    if not shutil.which(tool("VERILATOR")[0]):
        raise Wrong("there is no command verilator; make setup installs it")
    with take_build_lock(options.build, "make judge"):
        network = Judge(children, options, router)
        if options.json and options.json.is_file():  # that of an earlier run
            options.json.with_suffix(".result.json").unlink(missing_ok=True)
        if options.sweep:
            return print_sweep(network)
        result, said = network.run()
    print_result(router, result, said)
    if options.waves:
        words = " ".join(f"--set {shlex.quote(one)}" for one in options.set)
        waves, links = (shlex.quote(str(path)) for path in (network.waves, network.map_waves()))
        print(f"judge: waves in {network.waves}; what they say by themselves: annelid trace --from-fst {waves} --links {links} {words}".rstrip())
        print(f"judge: with flits as text in Surfer: {network.show_waves()}")
    if options.json and options.json.is_file():  # and no pipe
        write(options.json.with_suffix(".result.json"), json.dumps(result, indent=1) + "\n")
    return 0 if result["good"] else 1
