# SPDX-License-Identifier: Apache-2.0
"""Print the top module of a program of benches: each module at the corners of tb/corners.toml (docs/rtl.md).

The bench of a module at one corner is tb/rtl/tb_<module>.sv, or that of a paper. Where there is none, ports and parameters of the module say
it: C puts the inputs, takes the outputs, and is given the parameters, each in the order in which the module declares them.
The top module has all benches and gives a clock to the one under test alone, because the others would take most of the
time. `make test-rtl` calls it.
"""

import dataclasses
import functools
import itertools
import pathlib
import re

from annelid import corners
from annelid.children import Wrong
from annelid.options import parser
from annelid.slices import beside
from annelid.sources import bare_in, declared_in, defaults_in, header_in, read_toml, source_of

ROOM = pathlib.Path("tb/rtl")


# --- the table ---

SPAN = re.compile(r"(-?\d+)\.\.(-?\d+)(?: (step|each) (\d+))?")


def spread(value, key=None):
    """Returns the values of a list, or of a span: "1..4" has 1, 2, 3 and 4, "1..7 step 3" 1, 4 and 7, "1..2 each 2" 1, 1,
    2 and 2. "each" has all words of a key. Any other value is a list of one."""
    if isinstance(value, list):
        return [one for item in value for one in spread(item, key)]
    if not (isinstance(value, str) and (span := SPAN.fullmatch(value))):
        return corners.each(key, value)
    first, last, many = int(span[1]), int(span[2]), int(span[4] or 1)
    step, each = (many, 1) if span[3] == "step" else (1, many)
    if last < first or not many:
        raise Wrong(f'"{value}" has no value')
    return [number for number in range(first, last + 1, step) for _ in range(each)]


def settings_of(row):
    """Returns the settings of each corner of a row: as many as its longest list or span has values. The values of a shorter
    one begin again."""
    values = {key: [value] if key == "class_weights" else spread(value, key) for key, value in row.items() if key != "sample"}
    if empty := [key for key, some in values.items() if not some]:
        raise Wrong(f"{', '.join(empty)} has no value")
    most = max(map(len, values.values()), default=1)
    together = itertools.islice(zip(*map(itertools.cycle, values.values())), most)
    return [dict(zip(values, one)) for one in together] if values else [{}]


def sampled(row, most):
    """Returns for each corner of a row whether the sample has it: "sample" is true, false, or the places of some, from 1."""
    sample = row.get("sample", False)
    if isinstance(sample, bool):
        return [sample] * most
    places = spread(sample)
    if strange := [place for place in places if place not in range(1, most + 1)]:
        raise Wrong(f"sample: {', '.join(map(str, strange))} is no place among {most} corners: expected true, false, or "
                    f"numbers from 1")
    return [place in places for place in range(1, most + 1)]


@functools.cache
def bodies():
    """Returns the benches that are written by hand: those of the product, and those of papers."""
    return [path for room in beside(ROOM, "bench") for path in sorted(room.glob("tb_anl_*.sv"))]


def parameters_in(module):
    """Returns (module, file) with the parameters of a bench: tb/rtl/tb_<module>.sv if there is one, else the module itself."""
    path = next((path for path in bodies() if path.stem == f"tb_{module}"), None)
    return (f"tb_{module}", path) if path else (module, source_of(module))


@dataclasses.dataclass(frozen=True)
class Corner:
    """One corner of the bench of a module."""
    module: str
    settings: dict
    sample: bool = False
    index: int = 0  # among those of its module

    @property
    def parameters(self):
        """The numbers of the parameters. Wrong: the bench has others, or one that has no default is missing."""
        name, path = parameters_in(self.module)
        given = corners.numbers(name, self.settings, path)
        if missing := [one for one in bare_in(path, name) if one not in (*given, corners.INDEX)]:
            raise Wrong(f"{name} needs {', '.join(missing)}")
        return given


def of_row(module, row):
    settings = settings_of(row)
    return [Corner(module, one, sample) for one, sample in zip(settings, sampled(row, len(settings)))]


def load(path=corners.TABLE, only=None):
    """Returns {module: the corners of its bench}, in the order of the table; or of some modules alone."""
    def of_rows(module, rows):
        found = corners.checked(lambda number: corners.place_of(path, module, number, corners.BENCH), rows,
                                lambda row: of_row(module, row), lambda one: one.parameters)
        return [dataclasses.replace(one, index=index) for index, one in enumerate(found)]
    return {module: of_rows(module, rows) for module, rows in read_toml(path).get(corners.BENCH, {}).items()
            if only is None or module in only}


def corner_with(module, parameters):
    """Returns the corner of the bench of a module that has these numbers. What neither the corner nor the numbers say has the
    default of the module. Wrong: there is none."""
    default = defaults_in(source_of(module), module)
    for corner in load(only=[module]).get(module, ()):
        own = {name: number for name, number in corner.parameters.items() if name in declared_in(source_of(module), module)}
        if default | own == default | parameters:
            return corner
    raise Wrong(f"{corners.TABLE}, [{corners.BENCH}] has no corner of {module} with {parameters}")


# --- the text of benches ---

PORT = re.compile(r"^ *(input|output) +logic +(\[.*\] +)?(\w+),?$", re.MULTILINE)
CELL = """module tb_{module} #(
  parameter int Index,
{declared}
) (
  input logic clk_i,
  input logic rst_i
);

{signals}

  `BENCH("{module}", Index, {{{parameters}}})
  assign {{{inputs}}} = in;
  assign out = {{{outputs}}};

  {module} #({passed}) u_dut (.*);

endmodule
"""


def back(names):
    """A concatenation whose first name is at the right, where C begins."""
    return ", ".join(reversed(names))


def passed(names, values):
    return ", ".join(f".{name}({value})" for name, value in zip(names, values))


def cell(module):
    """Returns the text of the bench of a module whose ports and parameters say all. Wrong: they do not."""
    source = source_of(module)
    header = re.sub(r" *//.*", "", header_in(source, module))
    declared, _, ports = header.partition("\n) (\n")
    names = declared_in(source, module)
    if len(re.findall(r"^ *parameter +int ", declared, re.MULTILINE)) != len(names) or not names:
        raise Wrong(f"{module} needs {ROOM}/tb_{module}.sv: a parameter of it is no int, or it has none")
    signals = [signal for signal in PORT.findall(ports + "\n") if signal[2] not in ("clk_i", "rst_i")]
    return CELL.format(
        module=module, declared=declared.partition("#(\n")[2], parameters=back(names), passed=passed(names, names),
        signals="\n".join(f"  logic {width}{name};" for _, width, name in signals),
        inputs=back([name for way, _, name in signals if way == "input"]),
        outputs=back([name for way, _, name in signals if way == "output"]))


def literal(number):
    """A number without a width has 32 bits."""
    return f"64'd{number}" if number >= 1 << 31 else str(number)


def instance(corner):
    given = {corners.INDEX: corner.index} | corner.parameters
    return f"  tb_{corner.module} #({passed(given, map(literal, given.values()))}) u_{corner.index} (.clk_i, .rst_i);\n"


def of_module(module, some):
    """Returns the text of the module corners_<module>, which has the bench at some corners; and of the bench, if no file
    has it."""
    own = "" if parameters_in(module)[0] != module else cell(module) + "\n"
    return (f"{own}module corners_{module} (input logic clk_i, input logic rst_i);\n"
            + "".join(map(instance, some)) + "endmodule\n")


def top(name, modules):
    """Returns the text of the top module with the benches of {module: its corners}."""
    inside = "".join(f'  logic {module}_runs = bench_runs("{module}");\n'
                     f"  corners_{module} u_{module} (.clk_i(clk_i && {module}_runs), .rst_i);\n" for module in modules)
    return ('// SPDX-License-Identifier: Apache-2.0\n`include "bench.svh"\n\n'
            + "".join(f"{of_module(module, some)}\n" for module, some in modules.items())
            + f"module {name} (input logic clk_i, input logic rst_i);\n"
            f'  import "DPI-C" function bit bench_runs(input string name);\n{inside}endmodule\n')


def main(_children):
    one = parser(__doc__)
    one.add_argument("--top", default="bench", help="name of the top module (bench)")
    one.add_argument("--sample", action="store_true", help="the sample of the corners alone")
    one.add_argument("modules", nargs="+")
    options = one.parse_args()
    table = load(only=options.modules)
    if strange := [module for module in options.modules if not table.get(module)]:
        raise Wrong(f"{corners.TABLE}, [{corners.BENCH}] has no corner of {', '.join(strange)}")
    chosen = {module: [corner for corner in table[module] if corner.sample or not options.sample]
              for module in options.modules}
    if bare := [module for module, some in chosen.items() if not some]:
        raise Wrong(f"{corners.TABLE}, [{corners.BENCH}] has no corner of {', '.join(bare)} in the sample")
    print(top(options.top, chosen), end="")
    return 0
