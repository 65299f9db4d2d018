# SPDX-License-Identifier: Apache-2.0
"""Make the image of a board that checks itself (docs/fpga.md, docs/board.md).

Reads constraints/BOARD/board.toml; the golden model predicts the signature of constraints/scenario.yaml
(or SCENARIO). Yosys, place and route, packer: BUILD/fpga/BOARD/, with another scenario BUILD/fpga/BOARD-NAME/.
Checked: every port has its pin and every pin its port, the clock is constrained, and it is met (of Xilinx 7: pins,
clock, synthesis, and that Vivado's script names files that exist). Exit status 1 if the clock is not met or it does not fit.
"""

import dataclasses
import json
import pathlib
import re
import sys

from annelid import fpga_tables as tables
from annelid.children import Wrong, take_build_lock
from annelid.fpga_flow import INCLUDE, SYNTHESES, Shop, Tools, Unfit, count, read_report, why_not
from annelid.options import JUNIT, parser
from annelid.results import Results, Screen, Suite, made_by, write_json
from annelid.sources import made, needed, read_toml, write

ROOM = pathlib.Path("constraints")
SCENARIO = ROOM / "scenario.yaml"
COMMANDS = {"ice40": "synth_ice40", "ecp5": "synth_ecp5 -nowidelut", "xc7": "synth_xilinx -flatten"}
PIN_OPTION = {"ice40": "--pcf", "ecp5": "--lpf"}
ROUTED_OPTION = {"ice40": "--asc", "ecp5": "--textcfg"}


@dataclasses.dataclass(frozen=True)
class Board:
    """A board, as its board.toml describes it."""
    room: pathlib.Path
    text: str
    part: str
    top: str
    pins: str
    input_mhz: float
    clock_mhz: float          # clock that the image must reach
    route: tuple = ()         # options of place and route
    pack: tuple = ()          # command that makes the image
    image: str = ""           # suffix of the image
    script: str = ""          # script for Vivado
    clock: str = "clk_i"

    @property
    def name(self):
        return self.room.name


def boards(room=ROOM):
    return sorted(path.parent.name for path in room.glob("*/board.toml"))


def load(room, name):
    if name not in boards(room):
        raise Wrong(f"no board {name}; there are {', '.join(boards(room))}")
    return made(Board, f"{room}/{name}/board.toml", room=room / name, **read_toml(room / name / "board.toml"))


# --- pin files (PCF, LPF, XDC): the ports that have pins, and the clocks that are constrained ---

# suffix: (pattern of a port with a pin, pattern of a clock port and its MHz; in XDC its period in ns)
PATTERNS = {
    ".pcf": (r"^set_io\s+(?:-\S+\s+\S+\s+)*(?P<port>[^\s-]\S*)\s+\S+",
             r"^set_frequency\s+(?P<port>\S+)\s+(?P<mhz>\S+)"),
    ".lpf": (r'^LOCATE\s+COMP\s+"(?P<port>[^"]+)"\s+SITE',
             r'^FREQUENCY\s+PORT\s+"(?P<port>[^"]+)"\s+(?P<mhz>\S+)\s+MHZ'),
    ".xdc": (r"^set_property\s.*\bPACKAGE_PIN\b.*\[get_ports\s+\{?\s*(?P<port>[^}\s]+)",
             r"^create_clock\s.*-period\s+(?P<ns>\S+).*\[get_ports\s+\{?\s*(?P<port>[^}\s\]]+)"),
}
NAMED = {".xdc": r"\[get_ports\s+(\{[^}]*\}|\S+?)\]", ".lpf": r'^\w+\s+(?:COMP|PORT)\s+"([^"]+)"'}


def pin_lines(path):
    """Yields (number, line without a comment) of the lines that are not blank."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        line = line.partition("#")[0].strip()
        if line:
            yield number, line


def wires(ports):
    """Returns {'led_o[0]', …} for {'led_o': 8}: each wire of a module's ports, as pin files name it."""
    return {f"{name}[{bit}]" if width > 1 else name for name, width in ports.items() for bit in range(width)}


def check_pins(path, ports, clock, mhz):
    """Raises Unfit unless every wire of the ports has one pin, every name is a port, and the clock has its frequency."""
    place, period = PATTERNS[path.suffix]
    wanted, placed, clocks = wires(ports), {}, {}
    for number, line in pin_lines(path):
        for words in re.findall(NAMED.get(path.suffix, place), line):
            for name in (words if isinstance(words, str) else words[0]).strip("{}").split():
                if name not in wanted and not (name.endswith("[*]") and name[:-3] in ports):
                    raise Unfit(f"{path}:{number}: {name} is no port of the top, which has "
                                f"{', '.join(sorted(wanted))}")
        if found := re.search(place, line):
            if found["port"] in placed:
                raise Unfit(f"{path}:{number}: {found['port']} has a pin already, in line {placed[found['port']]}")
            placed[found["port"]] = number
        if found := re.search(period, line):
            named = found.groupdict()
            clocks[named["port"]] = float(named["mhz"]) if "mhz" in named else 1000 / float(named["ns"])
    if wanted - placed.keys():
        raise Unfit(f"{path}: no pin for {', '.join(sorted(wanted - placed.keys()))}")
    if clocks != {clock: mhz}:
        raise Unfit(f"{path}: expected one clock, {clock} with {mhz} MHz; found {clocks or 'none'}")


class Image:
    """The image of one board, which is made step by step."""

    def __init__(self, options, children, board):
        self.options, self.children, self.board = options, children, board
        self.tools, self.screen = Tools(options, children), Screen()
        self.shop = Shop(options, children, self.tools)
        self.name = board.name if options.scenario == SCENARIO else f"{board.name}-{options.scenario.stem}"
        self.room = options.build / "fpga" / self.name
        self.room.mkdir(parents=True, exist_ok=True)

    def parameters(self):
        """Writes board_parameters.svh: the golden model's parameters and signature for the scenario."""
        self.screen.progress(f"{self.name}: golden model")
        command = [self.options.build / "annelid", "signature", "--parameters", self.options.scenario]
        status, output = self.children.output(command)
        words = re.findall(r"(\w+)=(\S+)", output)
        if status or not words:
            raise Wrong(f"annelid signature ends with {status}: {output.strip()}")
        text = ", ".join(f".{key}({value})" for key, value in words)
        write(self.room / "board_parameters.svh", f"`define BOARD_PARAMETERS {text}\n")
        return dict(words)

    def synthesis(self):
        """Checks the pins against the ports of the board. Returns the cells."""
        top, board = self.board.top, self.board.room
        files = [*needed("anl_board"), self.options.room / "board_reset.sv", board / f"{top}.sv"]
        command = f"{COMMANDS[self.board.part]} -top {top}"
        def make():
            self.screen.progress(f"{self.name}: synthesis")
            stat = self.shop.yosys(self.room, "netlist", top, {}, [f"-I{self.room}", *files],
                                   [command, f"write_json {self.room}/netlist"])
            ports = json.loads((self.room / "netlist").read_text())["modules"][top]["ports"]
            return dict(cells=count(stat[f"\\{top}"], SYNTHESES[self.board.part][1]),
                        ports={name: len(port["bits"]) for name, port in ports.items()})
        parts = [*files, *INCLUDE, self.room / "board_parameters.svh", command, self.tools.versions["yosys"]]
        made = self.shop.kept(self.room / "netlist.json", parts, make)
        check_pins(board / self.board.pins, made["ports"], self.board.clock, self.board.input_mhz)
        return made["cells"]

    def route(self, seed):
        """Returns MHz, critical path and use of one seed; Wrong if the clock was not constrained."""
        part, report = self.board.part, self.room / f"report-{seed}.json"
        command = [self.tools.find(part), *self.board.route, PIN_OPTION[part], self.board.room / self.board.pins,
                   "--seed", seed, "--timing-allow-fail", "--json", self.room / "netlist", "--report", report,
                   ROUTED_OPTION[part], self.room / f"routed-{seed}"]
        status, text = self.shop.run(command, self.room / f"route-{seed}.log")
        if status:
            misfit = why_not(text)
            if misfit:
                raise Unfit(f"{self.board.text}: does not fit: {misfit}")
            raise Wrong(f"{command[0]}: {text.strip()[-1500:]}")
        found = read_report(report)
        if abs(found["asked"] - self.board.clock_mhz) > 0.1:
            raise Unfit(f"the clock was to be constrained to {self.board.clock_mhz} MHz; place and route was "
                        f"asked for {found['asked']:.1f} MHz (see {self.board.pins} and the PLL of {self.board.top}.sv)")
        return found

    def best(self):
        """Returns the result of the first seed that meets the clock, else of the best one."""
        runs = {}
        for seed in range(1, self.options.seeds + 1):
            self.screen.progress(f"{self.name}: place and route, seed {seed}")
            runs[seed] = self.route(seed)
            self.screen.say(f"{self.name}: seed {seed}: {runs[seed]['mhz']:.1f} MHz")
            if runs[seed]["mhz"] >= self.board.clock_mhz:
                break
        seed = max(runs, key=lambda one: runs[one]["mhz"])
        return seed, runs[seed]

    def pack(self, seed):
        image = self.room / f"{self.name}.{self.board.image}"
        names = dict(routed=self.room / f"routed-{seed}", image=image)
        words = [word.format(**names) for word in self.board.pack]
        if words[0] == "ecppack":
            words[0] = str(self.tools.venv() / "bin/yowasp-ecppack")
        image.unlink(missing_ok=True)
        status, text = self.shop.run(words, self.room / "pack.log")
        if status or not image.exists() or image.stat().st_size < 1000:
            raise Wrong(f"{words[0]} made no image: {text.strip()[-700:]}")
        return image

    def vivado(self):
        """Checks the files that the commands of the Vivado script name."""
        path = self.board.room / self.board.script
        status, text = self.shop.run(["tclsh", "tb/campaigns/fpga/vivado.tcl", path, self.room],
                                     self.room / "vivado.log")
        if status:
            raise Unfit(f"{path}: {text.strip()[-700:]}")


def make(image, suite):
    board = image.board
    words = image.parameters()
    data = dict(board=image.name, text=board.text, clock_mhz=board.clock_mhz, parameters=words,
                cells=image.synthesis())
    image.screen.say(f"{image.name}: " + ", ".join(f"{number} {kind}" for kind, number in data["cells"].items()))
    if board.part == "xc7":
        image.vivado()
        suite.case("image", image.name)
        return data
    seed, run = image.best()
    data.update(run, seed=seed, met=run["mhz"] >= board.clock_mhz)
    speed = f"{run['mhz']:.1f} MHz of {board.clock_mhz} MHz"
    if not data["met"]:
        raise Unfit(f"the clock is not met: {speed}")
    data["image"] = str(image.pack(seed))
    suite.case("image", image.name)
    print(f"{data['image']}: {speed}, signature {words['Expected']}")
    return data


RESULTS = Results("fpga_images", "Images of boards", "fpga.md", "fpga-image BOARD --docs", tables.images_section)


def parse():
    one = parser(__doc__, docs=f"write {RESULTS.path}, from all images", junit=JUNIT)
    one.add_argument("board", metavar="BOARD", help=", ".join(boards()))
    one.add_argument("--room", type=pathlib.Path, default=ROOM, help="where the boards are (constraints)")
    one.add_argument("--scenario", type=pathlib.Path, default=SCENARIO,
                     help=f"the run that the image does ({SCENARIO}); with another, BUILD/fpga/BOARD-NAME of its file")
    one.add_argument("--seeds", type=int, default=5, help="of place and route, until one meets the clock (5)")
    return one.parse_args()


def main(children):
    options = parse()
    suite = Suite(f"fpga-image-{options.board}")
    with take_build_lock(options.build / "fpga", "fpga-image"):
        image = Image(options, children, load(options.room, options.board))
        path = image.room / "image.json"
        path.unlink(missing_ok=True)
        try:
            write_json(path, make(image, suite) | made_by(children, ()) | dict(tools=image.tools.said))
        except Unfit as unfit:
            print(f"fpga-image: {image.name}: {unfit}", file=sys.stderr)
            suite.case("image", image.name, str(unfit))
        if options.docs:
            images = [json.loads(path.read_text()) for path in sorted((options.build / "fpga").glob("*/image.json"))]
            RESULTS.write_parts(images, *images)
        suite.write((options.junit or options.build / "fpga") / f"image-{image.name}.xml")
    return suite.status()
