# SPDX-License-Identifier: Apache-2.0
"""Prove that a switch of the user's keeps the rules of the checkers, or find how it breaks them (docs/checker.md).

The switch stands between neighbours that may do whatever the rules allow. Of each rule it is said whether it is *proved*, *refuted* in a
cycle, or *undecided*. A counterexample becomes a waveform, and a bench that shows it in a simulation. `make prove DUT=` calls it.
"""

import dataclasses
import pathlib
import re
import shlex

from annelid import aig, dut, judge, prove
from annelid.children import Wrong, abc, tool
from annelid.dut import JUDGED, Dut, header, typed
from annelid.judge_links import ALL, RULES, STYLES, Link, description, index_width
from annelid.options import parser
from annelid.sources import RTL, needed

CREDITS, READY = STYLES[:2], STYLES[2:4]
# The styles in which a switch can break a rule.
ONLY = {"no_credit": CREDITS, "early_credit": CREDITS, "lost_credit": CREDITS, "sent_at_stop": ("stop_go",),
        "withdrawn": ("ready_valid",), "changed": READY}
PULSE = 9  # bad_link of the receiver
SIZES = dict(NumPorts=2, NumVcs=1, Depth=2, Extra=0, FlitW=0, Here=0, Patience=12, Rest=4, Reset=1, Quiet=0, Idle=0)
ROUTES = "anl_allowed_routes"


# --- the text of the harness ---

HARNESS = """// Written by make prove DUT=: the switch between its neighbours, and its checker.
{counted}
module {top} #(parameter int Say = 1) (
  input logic clk_i,
  input logic [{ports}-1:0] in_valid_i,
  input logic [{ports}*{vcw}-1:0] in_vc_i,
  input logic [{ports}*{width}-1:0] in_flit_i,
  input logic [{ports}*{backw}-1:0] out_back_i
);
  localparam int NumPorts = {ports}, NumVcs = {vcs}, VcW = {vcw}, W = {width}, BackW = {backw}, LengthW = 8, NumLanes = {lanes};

  // The switch is in reset, then it is left alone; rst_i is the reset of the checker.
  logic [7:0] age_q;
  initial age_q = 8'd0;
  always @(posedge clk_i) if (rst_i) age_q <= age_q + 8'd1;
  wire rst_i = age_q < {begin}, reset = age_q < {reset};
  wire [NumPorts-1:0] in_valid = (rst_i && !reset) ? '0 : in_valid_i;
  wire [NumPorts*BackW-1:0] out_back = (rst_i && !reset) ? '0 : out_back_i;
  wire [NumPorts*W-1:0] in_flit;
  logic [NumPorts-1:0] out_valid, in_head, in_tail, out_head, out_tail;
  logic [NumPorts*VcW-1:0] out_vc;
  logic [NumPorts*W-1:0] out_flit;
  logic [NumPorts*BackW-1:0] in_back;
  logic [NumPorts*NumLanes-1:0] routes;
  logic [NumPorts*LengthW-1:0] lengths;
  logic [17:0] broken, by_user;
  logic [NumPorts-1:0] in_ready, out_ready;
{dut}
  for (genvar p = 0; p < NumPorts; p++) begin : g_port
    wire [W-1:0] flit = in_flit_i[p*W +: W] & {kept} | {told};
    assign in_flit[p*W +: W] = flit;
    wire [W-1:0] sent = out_flit[p*W +: W];
    wire [VcW-1:0] in_vc = in_vc_i[p*VcW +: VcW];
    wire [VcW-1:0] vc = out_vc[p*VcW +: VcW];
    wire [BackW-1:0] in_wires = in_back[p*BackW +: BackW];
    wire [BackW-1:0] out_wires = out_back[p*BackW +: BackW];
    assign in_ready[p] = {in_ready};
    assign out_ready[p] = {out_ready};
{marks}
{routes}
  end

  anl_switch_checker #(
    .Style({style}), .NumPorts(NumPorts), .NumVcs(NumVcs), .Depth({depth}), .Extra({extra}), .FlitW(W), .Same({same}), .HeadSame({head_same}),
    .LengthW(LengthW), .Patience({patience}), .Rest({rest}), .Rules({wanted}), .Assert(0), .Assume({assume}), .Say(Say)
  ) u_checker (
    .clk_i, .rst_i, .in_valid_i(in_valid), .in_vc_i, .in_head_i(in_head), .in_tail_i(in_tail), .in_flit_i(in_flit), .in_back_i(in_back),
    .in_length_i(lengths), .routes_i(routes), .out_valid_i(out_valid), .out_vc_i(out_vc), .out_head_i(out_head),
    .out_tail_i(out_tail), .out_flit_i(out_flit), .out_back_i(out_back), .at_rest_i(1'b0),
    .switch_broken_o(broken), .user_broken_o(by_user), .over_o()
  );
{signals}
`ifdef FORMAL
{given}
{asserts}
`endif
endmodule
"""
GRAPH = """  logic [NumPorts*anl_pkg::EntryW-1:0] table_of_switch;
  for (genvar t = 0; t < NumPorts; t++) begin : g_entry
    assign table_of_switch[t*anl_pkg::EntryW +: anl_pkg::EntryW] = {{8'({all_lanes}), 8'(t)}};
  end
  anl_graph_switch #(.NumPorts(NumPorts), .T(NumPorts), .NumVcs(NumVcs), .Depth({depth}), .FlitW(W - 2){more}) u_dut (
    .clk_i, .rst_i(reset), .seed_i(32'd1), .here_i(16'd0), .table_i(table_of_switch), .lanes_i({{NumVcs*NumVcs{{1'b1}}}}),
    .valid_i(in_valid), .vc_i(in_vc_i), .flit_i(in_flit), .credit_o(in_back),
    .valid_o(out_valid), .vc_o(out_vc), .flit_o(out_flit), .credit_i(out_back)
  );
"""
# Ports that are idle are ports of the switch, and not of the checker.
PLAIN = """  anl_judged_router #({own}.NumPorts({all_ports}), .NumVcs(NumVcs), .FlitW(W), .BackW(BackW)) u_dut (
    .clk_i, .rst_i(reset),{here}
    .in_valid_i({in_valid}), .in_vc_i({in_vc}), .in_flit_i({in_flit}), .in_back_o({in_back}),
    .out_valid_o({out_valid}), .out_vc_o({out_vc}), .out_flit_o({out_flit}), .out_back_i({out_back})
  );
"""


@dataclasses.dataclass
class Question:
    """A switch at one corner: its files, its link, and the text around it."""
    dut: Dut
    link: Link
    sizes: dict
    graph: bool

    @property
    def rules(self):
        some = [rule for rule in RULES if self.link.style in ONLY.get(rule, STYLES) and rule not in self.link.ignore]
        return [rule for rule in some if rule != "illegal_route" or self.has_routes]

    @property
    def wrapper(self):
        """Returns the parameters and ports of the user's router, as judge.py reads them."""
        return header(self.dut.texts[self.dut.defines[JUDGED]], JUDGED)

    @property
    def busy(self):
        """Returns the ports that have links; the checker counts them alone."""
        return [port for port in range(self.sizes["NumPorts"]) if not self.sizes["Idle"] >> port & 1]

    def idle(self):
        """Returns the signals by which something could leave at an idle port."""
        ports = self.sizes["NumPorts"] - len(self.busy)
        wide = dict(in_back="BackW", out_vc="VcW", out_flit="W")
        return "".join([f"  wire [{ports - 1}:0] idle_valid;\n" if ports else "",
                        *(f"  wire [{width}-1:0] idle_{name}_{index};\n" for name, width in wide.items() for index in range(ports))])

    def links(self):
        """Returns the connections of the router's ports, {name: signals}. At an idle port nothing comes, and nothing may be sent."""
        idle, found = [port for port in range(self.sizes["NumPorts"]) if port not in self.busy], {}
        for name, width in dict(in_valid="1", in_vc="VcW", in_flit="W", in_back="BackW", out_valid="1", out_vc="VcW", out_flit="W",
                                out_back="BackW").items():
            signal, given = name + ("_i" if name == "in_vc" else ""), "1" if name == "out_back" and self.link.style == "stop_go" else "0"
            spare = {"out_valid": "idle_valid[{}]"}.get(name, f"idle_{name}_{{}}") if name in ("in_back", "out_valid", "out_vc", "out_flit") else None
            found[name] = signal if not idle else "{" + ", ".join(
                (spare.format(idle.index(port)) if spare else f"{{{width}{{1'b{given}}}}}") if port in idle
                else f"{signal}[{self.busy.index(port)}*{width} +: {width}]" for port in reversed(range(self.sizes["NumPorts"]))) + "}"
        return found

    @property
    def start(self):
        """Returns the cycles before that in which the checker begins."""
        return self.sizes["Reset"] + self.sizes["Quiet"]

    @property
    def has_routes(self):
        return self.graph or ROUTES in self.dut.defines

    @property
    def files(self):
        """Returns the modules of ours that are needed, and those of the user."""
        own = [path for path in RTL if path.stem not in self.dut.defines]
        text = " ".join(self.dut.texts.values()) + " anl_switch_checker anl_link_checker" + (" anl_graph_switch" if self.graph else "")
        return [*needed(text, own), *map(pathlib.Path, self.dut.files)]

    @property
    def folders(self):
        return ["rtl/include", *self.dut.folders]

    def routes(self):
        if self.graph:
            dst = f"flit[{index_width(self.sizes['NumPorts']) - 1}:0]"
            return [f"for (genvar o = 0; o < NumPorts; o++) begin : g_to\n      assign routes[p*NumLanes + o*NumVcs +: NumVcs] = "
                    f"{{NumVcs{{32'({dst}) == o}}}};\n    end"]
        if ROUTES in self.dut.defines:
            busy, vcs = self.busy, self.sizes["NumVcs"]
            port = " : ".join([*(f"p == {index} ? 32'd{number}" for index, number in enumerate(busy)), "32'd0"])
            return [f"wire [{self.sizes['NumPorts'] * vcs - 1}:0] allowed;",
                    f"{ROUTES} #(.Here({self.sizes['Here']}), .NumPorts({self.sizes['NumPorts']}), .NumVcs(NumVcs), .FlitW(W)) u_routes "
                    f"(.port_i({port}), .flit_i(flit), .routes_o(allowed));",
                    *(f"assign routes[p*NumLanes + {index * vcs} +: NumVcs] = allowed[{number * vcs} +: NumVcs];" for index, number in enumerate(busy))]
        return ["assign routes[p*NumLanes +: NumLanes] = '1;"]

    def given(self, fair):
        """Returns what the neighbours do besides keeping the rules."""
        lines = ["always_comb assume (rst_i || (in_valid & in_head & no_way) == '0);"]
        lines = ["logic [NumPorts-1:0] no_way;", "for (genvar p = 0; p < NumPorts; p++) begin : g_way",
                 "  assign no_way[p] = routes[p*NumLanes +: NumLanes] == '0;", "end", *lines]
        lines += ["for (genvar p = 0; p < NumPorts; p++) begin : g_always"]
        lines += [f"  always_comb assume (rst_i || !in_valid[p] || !in_head[p] || in_flit[p*W + {one['at']} +: {one['width']}] == {one['value']});"
                  for one in self.link.head_always]
        if self.link.length:  # a worm has a flit at least
            lines += ["  always_comb assume (rst_i || !in_valid[p] || !in_head[p] || lengths[p*LengthW +: LengthW] != '0);"]
        lines.append("end")
        if len(self.busy) < self.sizes["NumPorts"]:
            lines.append("always_comb assume (rst_i || idle_valid == '0);")
        return lines + (self.fair() if fair else [])

    def fair(self):
        """Returns that receivers never hold anything up, and that a worm that has begun goes on as soon as it may."""
        style, cnt = self.link.style, f"$clog2({self.sizes['Depth']} + 1)"
        head = ["for (genvar p = 0; p < NumPorts; p++) begin : g_fair", f"  localparam int CntW = {cnt};",
                "  logic [NumVcs-1:0] open, may; logic [NumVcs*CntW-1:0] spent, lent;"]
        for side, outputs in (("in", ".open_o(open), .spent_o(spent)"), ("out", ".open_o(), .spent_o(lent)")):
            valid, vc, back = (("in_valid", "in_vc_i", "in_back") if side == "in" else ("out_valid", "out_vc", "out_back"))
            head.append(f"  anl_link_checker #(.Style({STYLES.index(style)}), .NumVcs(NumVcs), .Depth({self.sizes['Depth']}), .FlitW(1), .Assert(0), "
                        f".Say(0)) u_{side} (.clk_i, .rst_i, .valid_i({valid}[p]), .vc_i({vc}[p*VcW +: VcW]), .head_i({side}_head[p]), "
                        f".tail_i({side}_tail[p]), .flit_i(1'b0), .back_i({back}[p*BackW +: BackW]), .length_i(16'd0), .at_rest_i(1'b0), "
                        f".broken_o(), .crosses_o(), {outputs});")
        head += ["  for (genvar v = 0; v < NumVcs; v++) begin : g_lane",
                 f"    assign may[v] = open[v] && {'32' if style in CREDITS else '1 || 32'}'(spent[v*CntW +: CntW]) < {self.sizes['Depth']};",
                 *(["    always_comb assume (rst_i || out_back[p*BackW + v] == (lent[v*CntW +: CntW] != '0));"] if style == "credit" else []),
                 "  end"]
        if style == "stop_go":
            head += ["  logic [NumVcs-1:0] stop_q; always_ff @(posedge clk_i) stop_q <= rst_i ? '0 : in_back[p*BackW +: BackW];",
                     "  always_comb assume (rst_i || (may & ~stop_q) == '0 || in_valid[p]);"]
        else:
            head.append("  always_comb assume (rst_i || may == '0 || in_valid[p]);")
        return head + {"credit": [], "stop_go": ["  always_comb assume (rst_i || out_back[p*BackW +: BackW] == '0);"],
                       "credit_pulse_shared": ["  always_comb assume (rst_i || lent == '0 || out_back[(p+1)*BackW - 1]);"],
                       }.get(style, ["  always_comb assume (rst_i || &out_back[p*BackW +: BackW]);"]) + ["end"]

    def dut_text(self):
        size = self.sizes
        if not self.graph:
            parameter = "parameter int Here" in self.wrapper
            own = {name: value for name, value in size.items() if name not in SIZES} | ({"Here": size["Here"]} if parameter else {})
            return self.idle() + PLAIN.format(all_ports=size["NumPorts"], **self.links(), own="".join(f".{name}({value}), " for name, value in own.items()),
                                here=f" .here_i(32'd{size['Here']})," if not parameter and re.search(r"\bhere_i\b", self.wrapper) else "")
        more = "".join(f", .{name}({value})" for name, value in size.items() if name not in SIZES)
        return GRAPH.format(all_lanes=(1 << size["NumVcs"]) - 1, depth=size["Depth"], more=more)

    def text(self, rules, fair=False, replay=False):
        size, style = self.sizes, STYLES.index(self.link.style)
        ports, vcs = len(self.busy), size["NumVcs"]
        vcw = index_width(vcs)
        numbers = {rule: RULES[rule] for rule in self.rules}
        ignored = [RULES[one] for one in self.link.ignore if one in RULES]
        ignored += [] if self.has_routes else [RULES["illegal_route"]]
        ignored += [] if "stalled" in rules or replay else [RULES["stalled"]]
        bits = {rule: f"broken[{number}]" + (f" || broken[{PULSE}]" if rule == "bad_link" else "") for rule, number in numbers.items()}
        extra = size["Extra"] or (2 if self.link.credits == "lane" else 0)
        same, head_same = self.link.same
        return HARNESS.format(
            counted=self.link.counted, top="replayed" if replay else "prove_dut", ports=ports, vcs=vcs, vcw=vcw,
            width=self.link.width, lanes=ports * vcs, begin=self.start, reset=size["Reset"],
            kept=self.link.mask(self.link.bits_of(self.link.always)),
            told=f"{self.link.width}'h{sum(one['value'] << one['at'] for one in self.link.always):x}",
            backw=self.link.back_width(vcs),
            dut=self.dut_text(), marks="\n".join("    " + line for line in self.link.marks_at_port()), routes="\n".join("    " + line for line in self.routes()),
            in_ready=self.link.ready("in_wires", "in_vc"), out_ready=self.link.ready("out_wires", "vc"), style=style, depth=size["Depth"], extra=extra,
            same=same, head_same=head_same,
            patience=size["Patience"], rest=size["Rest"], wanted=ALL & ~sum(1 << one for one in set(ignored)),
            assume=ALL & ~sum(1 << one for one in set(ignored)),
            signals="\n".join(f"  wire breaks_{rule} = {bits[rule]};" for rule in numbers),
            given="\n".join("  " + line for line in self.given(fair)),
            asserts="\n".join(f"  always_comb begin : {rule}\n    if (!rst_i) assert (!breaks_{rule});\n  end" for rule in rules))


# --- what the words of make say ---

def asked_for(options):
    """Returns the files of the user, and the description of their links: DUT= and LINKS=, or an open router of judged/."""
    if not options.router:
        return dut.parse(options.dut), options.links
    router = judge.open_router(options.router, options.sources)
    if options.bug:
        room = options.build / "prove-dut" / f"{router.name}-bug{options.bug}-files"
        room.mkdir(parents=True, exist_ok=True)
        judge.planted(router, options.bug, room)
    words = [*router.files, *(f"-I{path}" for path in router.include), *(flag for flag in router.flags if flag.startswith("-D"))]
    return dut.parse(" ".join(shlex.quote(str(word)) for word in words)), options.links or router.links


def defaults(options, link):
    """Returns the sizes that CORNER= does not say: those of an open router, and the credits of a description."""
    sizes = dict(SIZES)
    if options.router:
        said = judge.open_router(options.router, options.sources)
        sizes |= dict(NumPorts=5, Reset=said.reset_cycles if said.quiet_cycles else 1, Quiet=said.quiet_cycles) | said.parameters
    return sizes | ({"Depth": link.slots} if link.slots else {})


def sizes_of(options, asked, link, graph):
    """Returns {parameter: number} of CORNER=."""
    sizes = defaults(options, link)
    own = [] if graph else re.findall(r"(\w+)\s*=", re.sub(r"\blocalparam\b.*?(?=\)\s*\()", "", header(asked.texts[asked.defines[JUDGED]], JUDGED),
                                                         flags=re.DOTALL))
    for word in options.corner:
        name, _, value = word.partition("=")
        if not re.fullmatch(r"\w+", name) or not re.fullmatch(r"\d+", value):
            raise Wrong(f"CORNER: {word}: expected Name=number, as NumPorts=2")
        if name not in SIZES and not graph and (name not in own or name == "BackW"):
            raise Wrong(f"CORNER: {name}: there are {', '.join([*SIZES, *(one for one in own if one not in SIZES and one != 'BackW')])}")
        sizes[name] = int(value)
    if sizes["Idle"] + 1 >= 1 << sizes["NumPorts"] or (graph and sizes["Idle"]):
        raise Wrong(f"CORNER: Idle={sizes['Idle']}: expected the ports without links, 2^n for port n, of {JUDGED}")
    if not 1 <= sizes["Reset"] <= 100 or sizes["Quiet"] > 100:
        raise Wrong("CORNER: expected Reset from 1 to 100, and Quiet up to 100")
    if not sizes["Depth"] or not sizes["NumVcs"] or (not graph and sizes["FlitW"] in (1, 2)):
        raise Wrong(f"CORNER: expected Depth and NumVcs from 1, and FlitW of {JUDGED} from 3, since two wires are marks")
    if link.width and sizes["FlitW"] not in (0, link.width):
        raise Wrong(f"CORNER: FlitW={sizes['FlitW']}: the description of the links says {link.width}")
    return sizes


def question(options, children):
    asked, links = asked_for(options)
    graph, where = JUDGED not in asked.defines, typed(options.dut)
    if graph and not any(name.startswith("anl_") for name in asked.defines):
        raise Wrong(f"{where} defines {', '.join(asked.defines) or 'no module'}; expected {JUDGED}, anl_graph_switch, or a part of it (docs/checker.md)")
    strange = [name for name in asked.defines if re.fullmatch(r"anl_\w+_switch", name) and name != "anl_graph_switch"]
    if graph and strange:
        raise Wrong(f"{where} defines {strange[0]}; expected anl_graph_switch: what is proved has the routes of a table")
    if graph and links:
        raise Wrong(f"LINKS= describes the links of {JUDGED}; those of anl_graph_switch are ours")
    if links and options.style:
        raise Wrong(f"STYLE={options.style}: {links} says the style, expected no other one")
    link = description(children, options.build, links) if links else Link()
    sizes = sizes_of(options, asked, link, graph)
    if graph:
        width = sizes["FlitW"] or index_width(sizes["NumPorts"]) + 2
        link = Link(width=width + 2, marks=dict(head=width + 1, tail=width))
    elif not links:
        width = sizes["FlitW"] or 5
        link = Link(width=width, marks=dict(head=width - 1, tail=width - 2))
    if options.style:
        if graph or options.style not in STYLES:
            raise Wrong(f"STYLE={options.style}: expected {', '.join(STYLES) if not graph else 'none, the links of anl_graph_switch have credits'}")
        link.style = options.style
    return Question(asked, link, sizes, graph)


# --- the proof ---

NETLIST = prove.NETLIST.replace(prove.READ, "{reads}")

# What the user's files assert is not asked, and what they assume must not hide anything.
OURS = """select -set asked t:$assert a:src=*prove_dut.sv:* %i
chformal -assert -remove t:$assert @asked %d
select -set given t:$assume a:src=*prove_dut.sv:* %i t:$assume a:src=*anl_switch_checker.sv:* %i %u
chformal -assume -remove t:$assume @given %d"""


class Prover:
    def __init__(self, asked, options, children):
        self.asked, self.options, self.children = asked, options, children
        self.room = options.build / "prove-dut" / (f"{options.router}-bug{options.bug}" if options.router else re.sub(r"[^\w.-]", "_", asked.dut.name))

    def netlist(self, name, rules, fair):
        """Makes a graph whose outputs are the rules. Returns (its directory, the rules of its outputs, those that hold by themselves)."""
        directory = self.room / name
        directory.mkdir(parents=True, exist_ok=True)
        harness = directory / "prove_dut.sv"
        harness.write_text(self.asked.text(rules, fair))
        include = " ".join(f"-I{path}" for path in self.asked.folders)
        defines = " ".join(flag for flag in self.asked.dut.flags if flag.startswith("-D"))
        reads = "\n".join(f"read_verilog -defer -sv -formal {defines} {include} \"{path}\"" for path in self.asked.files)
        script = directory / "netlist.ys"
        script.write_text(NETLIST.format(define=defines, include=include, reads=reads, directory=directory, top="prove_dut", harness=harness,
                                         only=OURS, chparam="", ticks=""))
        status, said = self.children.logged([*tool("YOSYS"), "-q", "-e", "implicitly declared", str(script)], directory / "yosys.log")
        if status:
            raise Wrong(f"Yosys cannot make gates of the switch: {said[-1500:]}")
        lines = harness.read_text().splitlines()
        at = {number: match[1] for number, line in enumerate(lines, 1) if (match := re.search(r"assert \(!breaks_(\w+)\)", line))}
        places = re.findall(r"\$assert\$(\S+):(\d+)\$", (directory / "asserts.txt").read_text())
        left = [at.get(int(line)) if path == str(harness) else f"{path}:{line}" for path, line in places]
        return directory, left, [rule for rule in rules if rule not in left]

    def ask(self, directory, question, log):
        """Returns what abc says of the rule that stands alone. Wrong: it says nothing of it."""
        said = self.children.logged([*abc(), "-c", f"read_aiger {directory}/alone.aig; fold; scleanup; {question}"], directory / f"{log}.log")[1]
        if not re.search(r"frame|proved|solved|reachable|timeout", said, re.IGNORECASE):
            raise Wrong(f"abc: {said[-1500:]}")
        return said

    def decide(self, directory, output, rule):
        """Returns ("proved", ""), ("refuted", frame), or ("undecided", last frame without a counterexample)."""
        seconds, cex = max(1, self.options.seconds), directory / f"{rule}.aiw"
        cex.unlink(missing_ok=True)
        (directory / "alone.aig").write_bytes(aig.alone((directory / "design.aig").read_bytes(), output))

        def failed(said):
            found = re.search(r"asserted in frame +(\d+)", said)
            return found and int(found[1])
        depth = 0
        for engine, share in (("bmc3 -v -F 24", 0.25), ("pdr", 0.5), ("bmc3 -v -F 1000", 0.25)):
            box = f"-T {max(1, int(seconds * share))}; write_cex -a {cex}"
            if engine.startswith("pdr"):
                said = aig.asked(lambda pdr: self.ask(directory, f"{pdr} -v {box}", f"{rule}-pdr"))
                if aig.proved(said):
                    return "proved", ""
                if failed(said) is not None:  # the shortest one is asked for
                    frame = failed(said)
                    said = self.ask(directory, f"bmc3 -F {frame + 1}; write_cex -a {cex}", f"{rule}-short")
                    return "refuted", failed(said) if failed(said) is not None else frame
                continue
            said = self.ask(directory, f"{engine} {box}", f"{rule}-bmc3")
            if "Explored all reachable states" in said:
                return "proved", ""
            if failed(said) is not None:
                return "refuted", failed(said)
            frames = [int(one) for one in re.findall(r"^ *(\d+) [+\-] ", said, re.MULTILINE)]
            whole = re.search(r"No output asserted in (\d+) frames", said)
            depth = max([depth, *frames[:-1], int(whole[1]) - 1 if whole else 0])
        return "undecided", depth

    # --- a counterexample ---

    def whole(self, directory, rule):
        """Puts back the registers that the prover has dropped from a counterexample; all of them are 0 at first."""
        registers = int((directory / "design.aig").open("rb").readline().split()[3])
        path = directory / f"{rule}.aiw"
        frames = path.read_text().replace("# DONE", "").split("\n")[1:]
        path.write_text("\n".join(["0" * registers, *(line for line in frames if line)]) + "\n")

    def waveform(self, directory, output, rule, frame):
        """Returns the waveform of a counterexample."""
        vcd = directory / f"{rule}-cycle{frame - self.asked.start}.vcd"
        status, _ = self.children.logged([*tool("YOSYS"), "-q", "-p", f"read_rtlil {directory}/design.il; flatten; sim -r {directory}/{rule}.aiw "
                                         f"-map {directory}/design.aim -clock clk_i -vcd {vcd}"], directory / f"{rule}-trace.log")
        return None if status else vcd

    def inputs(self, directory, rule):
        """Returns the values of the inputs of the harness in each frame, {name: number}."""
        names = re.findall(r"^input (\d+) (\d+) (\w+)$", (directory / "design.aim").read_text(), re.MULTILINE)
        frames = []
        for line in (directory / f"{rule}.aiw").read_text().splitlines()[1:]:  # behind the registers
            if not re.fullmatch(r"[01x]+", line):
                continue
            values = {}
            for index, bit, name in names:
                values[name] = values.get(name, 0) | (line[int(index)] == "1") << int(bit)
            frames.append(values)
        return frames

    def replay(self, directory, rule, frames):
        """Writes a bench that does the same in a simulation, and runs it. Returns (command, what the checker says)."""
        asked = self.asked
        harness, bench, data = (directory / f"{rule}-{name}" for name in ("replayed.sv", "replay.sv", "replay.hex"))
        harness.write_text(asked.text([rule], replay=True))
        ports, vcw = len(asked.busy), index_width(asked.sizes["NumVcs"])
        backw = asked.link.back_width(asked.sizes["NumVcs"])
        widths = {"in_valid_i": ports, "in_vc_i": ports * vcw, "in_flit_i": ports * asked.link.width, "out_back_i": ports * backw}
        words = []
        for values in frames:
            word = 0
            for name, width in widths.items():
                word = word << width | values.get(name, 0) & (1 << width) - 1
            words.append(f"{word:x}")
        data.write_text("\n".join(words) + "\n")
        total = sum(widths.values())
        declared = "".join(f"  wire [{width - 1}:0] {name};\n" for name, width in widths.items())
        bench.write_text(f"""// Written by make prove DUT=: the counterexample of {rule}. The first words are those of the reset.
module replay;
  logic clk_i = 1'b0;
  logic [{total - 1}:0] stimulus [0:{len(words) - 1}];
  logic [{total - 1}:0] now;
  integer cycle;
{declared}  assign {{{", ".join(widths)}}} = now;
  replayed u_replayed (.*);
  initial begin
    $readmemh("{data}", stimulus);
    $dumpfile("{directory / rule}-replay.vcd");
    $dumpvars(0, replay);
    for (cycle = 0; cycle < {len(words)}; cycle = cycle + 1) begin
      now = stimulus[cycle];
      #5 clk_i = 1'b1;
      #5 clk_i = 1'b0;
    end
    $finish;
  end
endmodule
""")
        include = [f"-I{path}" for path in asked.folders]
        flags = [flag for flag in asked.dut.flags if flag.startswith("-D")]
        program = directory / f"{rule}-replay"
        command = [*tool("IVERILOG"), "-g2012", *include, *flags, "-s", "replay", "-o", str(program), *map(str, asked.files), str(harness), str(bench)]
        line = f"{shlex.join(command)} && vvp -n {program}"
        (directory / f"{rule}-replay.sh").write_text(f"#!/bin/sh\n{line}\n")
        status, said = self.children.output(["sh", directory / f"{rule}-replay.sh"])
        found = re.findall(r"anl_switch_checker: (\w+) in cycle (\d+)", said)
        return f"sh {directory / rule}-replay.sh", (found[0][0], int(found[0][1])) if found else (f"nothing (status {status})", -1)

    def refuted(self, directory, output, rule, frame):
        self.whole(directory, rule)
        vcd = self.waveform(directory, output, rule, frame)
        command, (named, cycle) = self.replay(directory, rule, self.inputs(directory, rule))
        same = named == rule and cycle == frame - self.asked.start
        return [f"    waveform   {vcd or 'none: see ' + str(directory / rule) + '-trace.log'}",
                f"    replay     {command}: the checker says {named}" + (f" in cycle {cycle}" if cycle >= 0 else "")
                + ("" if same else "; this is NOT what the prover says")], same

    def run(self, rules):
        """Prints a line a rule. Returns {rule: (verdict, cycle, the replay agrees)}."""
        answers, start = {}, self.asked.start
        groups = [("rules", [rule for rule in rules if rule != "stalled"], False), ("stalled", [rule for rule in rules if rule == "stalled"], True)]
        for name, some, fair in groups:
            if not some:
                continue
            directory, outputs, constant = self.netlist(name, some, fair)
            for rule in constant:
                answers[rule] = ("proved", None, True)
                print(f"{rule:<14} proved (it is so in every state)", flush=True)
            for output, rule in enumerate(outputs):
                if rule not in some:
                    continue
                verdict, frame = self.decide(directory, output, rule)
                if verdict == "proved":
                    answers[rule] = ("proved", None, True)
                    print(f"{rule:<14} proved", flush=True)
                elif verdict == "refuted":
                    more, same = self.refuted(directory, output, rule, frame)
                    answers[rule] = ("refuted", frame - start, same)
                    print("\n".join([f"{rule:<14} refuted in cycle {frame - start}", *more]), flush=True)
                else:
                    answers[rule] = ("undecided", max(frame - start, 0), True)
                    print(f"{rule:<14} undecided (no counterexample up to cycle {max(frame - start, 0)})", flush=True)
        return answers


def parse():
    one = parser(__doc__)
    one.add_argument("--dut", default="", help="files of the switch, as of DUT= in docs/lockstep.md")
    one.add_argument("--router", help="in place of --dut, an open router that make judge knows")
    one.add_argument("--sources", type=pathlib.Path, help="a checkout of its project")
    one.add_argument("--bug", type=int, default=0, help="plant bug number N of judged/<router>/router.toml")
    one.add_argument("--rules", nargs="*", default=[], help="rules, by their names; all if there is none")
    one.add_argument("--corner", nargs="*", default=[], help="NumPorts=2 NumVcs=1 Depth=2 FlitW= Extra= Here= Patience= Rest= Reset= Quiet= Idle= K= …")
    one.add_argument("--seconds", type=int, default=60, help="the time box of a rule")
    one.add_argument("--style", help="style of the links, if no description says it")
    one.add_argument("--links", help="description of the links (docs/link.md)")
    return one.parse_args()


def main(children):
    options = parse()
    if bool(options.router) == bool(options.dut):
        raise Wrong("expected DUT=files, or ROUTER=name SOURCES=folder (docs/checker.md)")
    asked = question(options, children)
    if strange := [rule for rule in options.rules if rule not in asked.rules]:
        raise Wrong(f"RULES: {', '.join(strange)}: there are {', '.join(asked.rules)}")
    answers = Prover(asked, options, children).run([rule for rule in asked.rules if not options.rules or rule in options.rules])
    counts = {verdict: sum(answer[0] == verdict for answer in answers.values()) for verdict in ("proved", "refuted", "undecided")}
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    return 1 if counts["refuted"] else 0
