# SPDX-License-Identifier: Apache-2.0
"""Parameters of the RTL, by the words of scenarios (docs/scenario.md), and the table of corners (tb/corners.toml).

A table of settings has the parameters of a module by their names, which begin with a capital, and those that stand for a choice by
the keys of scenarios: {K = 3, N = 2, topology = "torus", arbiter = "matrix", stages = 2}. numbers() returns the parameters that
the module has for them (rtl/common/anl_pkg.sv, docs/rtl.md). The word "each" stands for all words of a key.
"""

import dataclasses
import itertools
import pathlib
import re

from annelid.arbiters import ARBITERS
from annelid.children import Wrong
from annelid.sources import WRITTEN, declared_in, read_toml, source_of

TABLE, FOUR_STATE, BENCH = pathlib.Path("tb/corners.toml"), "four_state", "bench"
INDEX = "Index"  # parameter of a bench that is no setting: the number of the corner

CUBES = ("mesh", "torus", "unidirectional_torus", "hypercube")
OPTIONS = ("west_first", "north_last", "negative_first", "odd_even", "adaptive")
TREES = ("up_down_fixed", "up_down_random", "up_down_greedy", "destination_tag")
# The routings that the RTL has of a topology; the first one is that of a scenario that names none.
ROUTINGS_OF = {"mesh": ("dimension_order", *OPTIONS), "torus": ("dateline", "dimension_order", *OPTIONS),
               "unidirectional_torus": ("dateline", "dimension_order", "adaptive"), "hypercube": ("e_cube",),
               "fat_tree": ("up_down_random", *TREES), "butterfly": ("destination_tag", "valiant")}
# Words of a key, in the order of their numbers; "" stands for what the RTL has not.
FLOW_CONTROLS = ("wormhole", "cut_through", "store_and_forward")
SELECTS = ("most_credits", "random", "straight_first")
ROUTINGS = ("dimension_order", "dateline", "e_cube", *TREES[:3], "", "", "", *OPTIONS, "", "", "destination_tag", "valiant")


def weights_of(weights):
    """Weights of the RTL, 8 bits each. A weight of 1 is written as 0."""
    return sum((weight if weight > 1 else 0) << 8 * place for place, weight in enumerate(weights))


# The parameter of a key, and its words or how its number is made.
PARAMETERS = {"topology": ("Topology", CUBES), "routing": ("Routing", ROUTINGS), "select": ("Select", SELECTS),
              "atomic": ("Atomic", ("none", "adaptive")), "escape_set": ("Escapes", int), "arbiter": ("Arbiter", ARBITERS),
              "flow_control": ("FlowControl", FLOW_CONTROLS), "length_in_head": ("LengthInHead", int),
              "credits": ("CreditBypass", ("registered", "bypass")), "link": ("Wide", ("shared", "wide")), "link_cycles": ("LinkCycles", int),
              "stages": ("Stages", int), "classes": ("Classes", int), "class_weights": ("Weights", weights_of)}
NAMES = {key: name for key, (name, _) in PARAMETERS.items()}
OF_TOPOLOGY = {"topology", "routing", "select", "atomic"}
OF_NETWORK = {*NAMES, "NumVcs", "Depth"} - {"escape_set"}  # in four states


def one_of(words, key, word):
    """The place of a word in a list. Wrong: it is not there."""
    if not word or word not in words:
        raise Wrong(f'{key} = "{word}": expected one of {", ".join(filter(None, words))}')
    return words.index(word)


def number_of(key, value):
    """The number of the parameter of a key."""
    form = PARAMETERS[key][1]
    return one_of(form, key, value) if isinstance(form, tuple) else form(value)


EACH = re.compile(r"each(?: (but|from) ([\w ]+))?")


def each(key, value):
    """Returns the values for which one of a key stands: "each" for all its words, "each but a b" for the others, "each from b" for all
    in turn, b first. Any other value is a list of one."""
    words, found = PARAMETERS.get(key, ("", None))[1], EACH.fullmatch(value) if isinstance(value, str) else None
    if not found or not isinstance(words, tuple):
        return [value]
    named = [one_of(words, key, word) for word in (found[2] or "").split()]
    first = named[0] if found[1] == "from" else 0
    return [word for word in words[first:] + words[:first] if word and (found[1] != "but" or words.index(word) not in named)]


def with_topology(settings):
    """Returns the settings with the routing of their topology, if they name one. Wrong: the RTL has no such network."""
    if "topology" not in settings:
        return settings
    one_of(tuple(ROUTINGS_OF), "topology", settings["topology"])
    routings = ROUTINGS_OF[settings["topology"]]
    one_of(routings, "routing", settings.get("routing", routings[0]))
    return {"routing": routings[0]} | settings


def coded(settings):
    """Returns {parameter: number} of the keys. A topology that is no cube is no parameter, but a module."""
    return {NAMES[key]: number_of(key, value) for key, value in with_topology(settings).items()
            if key in PARAMETERS and (key != "topology" or value in CUBES)}


def numbers(module, settings, path=None):
    """Returns {parameter: number} of a module of the RTL, or of that in a file, for the parameters of which a setting says
    something; the others keep the defaults of the module. Wrong: the module has no parameter for a setting."""
    declared = declared_in(path or source_of(module), module) if module != WRITTEN or path else None
    given = {name: value for name, value in settings.items() if name[0].isupper()} | coded(settings)
    if "routing" not in settings and "Routing" not in (declared or given):
        given.pop("Routing", None)
    if coded_by_hand := sorted({*settings} & {*NAMES.values()}):
        raise Wrong(f"{', '.join(coded_by_hand)} is a number in the place of a word")
    if words := sorted(name for name, value in given.items() if not isinstance(value, int)):
        raise Wrong(f"{words[0]} = {given[words[0]]!r}: expected a number")
    unknown = {*given} - {*(declared or given)} | {*given} & {INDEX}
    if strange := sorted({*settings} - {*given} - {*PARAMETERS}) + sorted(unknown):
        raise Wrong(f"{module} has no parameter for {', '.join(strange)}{expected(declared)}")
    return {name: given[name] for name in declared or given if name in given}


def expected(declared):
    """Says by what names a table gives the parameters of a module."""
    words = {name: key for key, name in NAMES.items()}
    names = [words.get(name, name) for name in declared or () if name != INDEX]
    return f": expected {', '.join(names) or 'none'}" if declared is not None else ""


def with_numbers(where, table, path=None):
    """Returns a table of a campaign, a module with its parameters as settings, with the parameters as numbers. where: the place of
    the table, in words."""
    try:
        return table | {"parameters": numbers(table["module"], table["parameters"], path)}
    except (Wrong, KeyError) as wrong:
        raise Wrong(f"{where}: {wrong}") from wrong


@dataclasses.dataclass(frozen=True)
class Corner:
    """One module with fixed parameters, as a row of the table has them."""
    module: str
    settings: dict
    sample: bool = False       # make test has it
    synthesis: bool = True     # false: too large for it

    @property
    def name(self):
        return "-".join([self.module, *(word(key, value) for key, value in self.settings.items())])

    @property
    def parameters(self):
        return numbers(self.module, self.settings)


@dataclasses.dataclass(frozen=True)
class Network:
    """One network of the table four_state: that of a graph, or of what the settings say, and its terminals."""
    settings: dict
    sample: bool = False
    graph: str = ""  # a scenario of tb/rtl/four_state

    @property
    def name(self):
        return "-".join([*([self.graph] if self.graph else []), *(word(key, value) for key, value in self.settings.items())])

    @property
    def macros(self):
        """Returns {macro of tb/rtl/four_state.sv: value, or None}. Wrong: there is none for a setting."""
        settings = self.settings
        if strange := sorted({*settings} - OF_NETWORK) + sorted({*settings} & OF_TOPOLOGY if self.graph else []):
            raise Wrong(f"a network{' of a graph' if self.graph else ''} has no {', '.join(strange)}")
        if not self.graph and "topology" not in settings:
            raise Wrong("a network needs a topology or a graph")
        family = f"GRAPH_{self.graph}" if self.graph else "CUBE" if settings["topology"] in CUBES else settings["topology"].upper()
        given = {name: settings[name] for name in ("NumVcs", "Depth") if name in settings}
        given |= coded({"arbiter": "round_robin", "flow_control": "wormhole", "credits": "registered"} | settings)
        return {**({"GRAPH": None} if self.graph else {}), family: None} | {macro(name): number for name, number in given.items()}


def macro(name):
    """The macro of a parameter: LINK_CYCLES of LinkCycles."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()


def word(key, value):
    """A setting in the name of a corner."""
    text = ".".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if isinstance(value, str) else key + text


def place_of(path, name, number, section=None):
    """Returns "file:line, table" of a row of a table, counted from 0. A row is a line that begins with a brace."""
    lines = pathlib.Path(path).read_text().splitlines()
    begin = lines.index(f"[{section}]") if section else 0
    begin = next((line for line in range(begin, len(lines)) if re.match(rf"{re.escape(name)} *=", lines[line])), 0)
    rows = [line for line in range(begin, len(lines)) if re.match(r"(\w+ *= *\[)? *\{", lines[line])]
    return f"{path}:{(rows[number] if number < len(rows) else begin) + 1}, {name}"


def checked(place, rows, make, same_of):
    """Returns what make() makes of the rows, a list each. place(number): where a row is. Wrong: one is not as it should be;
    or it makes one thing alone, which has the numbers of an earlier one."""
    found, known = [], set()
    for number, row in enumerate(rows):
        try:
            made = make(row)
            same = [tuple(sorted(same_of(one).items())) for one in made]
        except Wrong as wrong:
            raise Wrong(f"{place(number)}: {row}: {wrong}") from wrong
        if len(same) == 1 and same[0] in known:
            raise Wrong(f"{place(number)}: {row} stands there twice")
        known.update(same if len(same) == 1 else [])
        found += made
    return found


def of_row(kind, row, *marks, **fields):
    """Returns [kind(settings, …)] of a row, one for each choice of words; its marks are fields of the kind, and no settings."""
    settings = {key: each(key, value) for key, value in row.items() if key not in marks}
    return [kind(settings=dict(zip(settings, chosen)), **fields, **{key: row[key] for key in marks if key in row})
            for chosen in itertools.product(*settings.values())]


def load(path=TABLE):
    """Returns the corners of the table, in its order."""
    return [one for module, rows in read_toml(path).items() if module not in (FOUR_STATE, BENCH)
            for one in checked(lambda number: place_of(path, module, number), rows,
                               lambda row: of_row(Corner, row, "sample", "synthesis", module=module),
                               lambda one: one.parameters)]


def four_state(path=TABLE):
    """Returns the networks that run in four states."""
    return checked(lambda number: place_of(path, FOUR_STATE, number), read_toml(path)[FOUR_STATE],
                   lambda row: of_row(Network, row, "sample", "graph"), lambda one: one.macros)
