# SPDX-License-Identifier: Apache-2.0
"""Parameters of the RTL, by the words of scenarios (docs/scenario.md), and the table of corners (tb/corners.toml).

A table of settings has the parameters of a module by their names, which begin with a capital, and what the RTL has as a number by
the keys of scenarios: {K = 3, N = 2, topology = "torus", scan = "favour", stages = 2}. numbers() returns the parameters that the
module has for them (rtl/common/anl_pkg.sv, docs/rtl.md).
"""

import dataclasses
import pathlib

from annelid.children import Wrong
from annelid.sources import WRITTEN, declared_in, read_toml, source_of

TABLE, FOUR_STATE = pathlib.Path("tb/corners.toml"), "four_state"

SCANS = ("fixed", "rotating", "random", "oldest", "farthest", "matrix", "favour")
ADMISSIONS = ("wormhole", "cut_through", "store_and_forward")
SELECTS = ("most_credits", "random", "straight_first")
CUBES = ("mesh", "torus", "unidirectional_torus", "hypercube")
KINDS = {("mesh", "dimension_order"): 0, ("torus", "dateline"): 1, ("unidirectional_torus", "dateline"): 2, ("hypercube", "e_cube"): 3,
         ("torus", "dimension_order"): 5, ("unidirectional_torus", "dimension_order"): 6,
         ("fat_tree", "up_down_fixed"): 8, ("fat_tree", "up_down_random"): 9, ("fat_tree", "up_down_greedy"): 10,
         ("fat_tree", "destination_tag"): 11, ("butterfly", "destination_tag"): 12, ("butterfly", "valiant"): 13}
DEFAULT_ROUTINGS = {"mesh": "dimension_order", "torus": "dateline", "unidirectional_torus": "dateline", "hypercube": "e_cube",
                    "fat_tree": "up_down_random", "butterfly": "destination_tag"}
GRAPH, OPTIONS_TABLE = 16, 6  # a graph is a kind of its own where its table has options only
OPTIONS = ("west_first", "north_last", "negative_first", "odd_even", "adaptive")  # from 1 on; a table of options is 6
OF_SCAN = ("scan", "classes", "class_weights", "link", "link_cycles", "stages")
OF_ADMISSION = ("admission", "length_in_head")
OF_KIND = ("topology", "routing", "select", "atomic", "escape_set")
OF_NETWORK = {*OF_SCAN, *OF_ADMISSION, "space", "NumVcs", "Depth"}  # in four states, besides its kind


def one_of(words, key, word):
    """The place of a word in a list. Wrong: it is not there."""
    if word not in words:
        raise Wrong(f'{key} = "{word}": expected one of {", ".join(words)}')
    return words.index(word)


def chained_of(settings):
    return one_of(("registered", "chained"), "space", settings.get("space", "registered"))


def scan_of(settings):
    """Scan of a network: the order, cycles of a link, stages, classes or wide links, weights. A weight of 1 is written as 0."""
    classes, weights = settings.get("classes", 1), settings.get("class_weights", [])
    wide = one_of(("shared", "wide"), "link", settings.get("link", "shared"))
    number = one_of(SCANS, "scan", settings.get("scan", "rotating")) + 1024 * (settings.get("link_cycles", 1) - 1)
    number += 16384 * (settings.get("stages", 1) - 1)
    number += 65536 * (16 + 32 * chained_of(settings) if wide else classes if classes > 1 else 0)
    return number + sum((weight if weight > 1 else 0) << 24 + 8 * place for place, weight in enumerate(weights))


def admission_of(settings):
    number = one_of(ADMISSIONS, "admission", settings.get("admission", "wormhole"))
    return 3 if settings.get("length_in_head") and number == 0 else number


def kind_of(settings):
    """Kind of a network or switch; with a table of options the set of escape lanes is a number with a bit for each lane."""
    topology, routing = settings.get("topology"), settings.get("routing", DEFAULT_ROUTINGS.get(settings.get("topology")))
    more = 256 * one_of(SELECTS, "select", settings.get("select", "most_credits"))
    more += 1024 * one_of(("none", "adaptive"), "atomic", settings.get("atomic", "none")) + 2048 * settings.get("escape_set", 0)
    if (topology, routing) == ("graph", "table"):
        return GRAPH + 32 * OPTIONS_TABLE + more
    if topology in CUBES and routing in OPTIONS:
        return CUBES.index(topology) + 32 * (OPTIONS.index(routing) + 1) + more
    if (topology, routing) not in KINDS or more:
        raise Wrong(f'topology = "{topology}", routing = "{routing}": the RTL has no such kind')
    return KINDS[topology, routing]


# The parameters that stand for keys, the keys that each reads, and the number that it has.
CODED = {"Kind": (OF_KIND, kind_of), "Scan": (OF_SCAN, scan_of), "Admission": (OF_ADMISSION, admission_of),
         "Chained": (("space",), chained_of),
         "Policy": ((*OF_SCAN, *OF_ADMISSION), lambda settings: scan_of(settings) + 8 * admission_of(settings))}


def numbers(module, settings, path=None):
    """Returns {parameter: number} of a module of the RTL, or of that in a file, for the parameters of which a setting says
    something; the others keep the defaults of the module. Wrong: the module has no parameter for a setting."""
    plain = {name: value for name, value in settings.items() if name[0].isupper() and name not in CODED}
    declared = [*plain, "Scan", "Admission"] if module == WRITTEN else declared_in(path or source_of(module), module)
    coded = {name: number(settings) for name, (keys, number) in CODED.items() if name in declared and {*keys} & {*settings}}
    read = {key for name in coded for key in CODED[name][0]} | ({"space"} if settings.get("link") == "wide" else set())
    if strange := sorted({*settings} - {*plain} - read) + sorted({*plain} - {*declared}):
        raise Wrong(f"{module} has no parameter for {', '.join(strange)}")
    return {name: (plain | coded)[name] for name in declared if name in plain or name in coded}


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
        if strange := sorted({*self.settings} - OF_NETWORK - ({*OF_KIND} if not self.graph else set())):
            raise Wrong(f"a network{' of a graph' if self.graph else ''} has no {', '.join(strange)}")
        kind = {"GRAPH": None, f"GRAPH_{self.graph}": None} if self.graph else {"KIND": kind_of(self.settings)}
        sizes = {macro: self.settings[name] for name, macro in (("NumVcs", "LANES"), ("Depth", "DEPTH")) if name in self.settings}
        return kind | {"SCAN": scan_of(self.settings), "ADMISSION": admission_of(self.settings), "CHAINED": chained_of(self.settings)} | sizes


def word(key, value):
    """A setting in the name of a corner."""
    text = ".".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if isinstance(value, str) else key + text


def checked(where, rows, make, numbers_of):
    """Returns what make() makes of the rows. Wrong: one is not as it should be, or has the numbers of an earlier one."""
    found = {}
    for row in rows:
        try:
            one = make(row)
            same = tuple(sorted(numbers_of(one).items()))
        except Wrong as wrong:
            raise Wrong(f"{where}: {row}: {wrong}") from wrong
        if same in found:
            raise Wrong(f"{where}: {row} stands there twice")
        found[same] = one
    return list(found.values())


def of_row(kind, row, *marks, **fields):
    """Returns kind(settings, …) of a row; its marks are fields of the kind, and no settings."""
    settings = {key: value for key, value in row.items() if key not in marks}
    return kind(settings=settings, **fields, **{key: row[key] for key in marks if key in row})


def load(path=TABLE):
    """Returns the corners of the table, in its order."""
    return [one for module, rows in read_toml(path).items() if module != FOUR_STATE
            for one in checked(f"{path}, {module}", rows, lambda row: of_row(Corner, row, "sample", "synthesis", module=module),
                               lambda one: one.parameters)]


def four_state(path=TABLE):
    """Returns the networks that run in four states."""
    return checked(f"{path}, {FOUR_STATE}", read_toml(path)[FOUR_STATE], lambda row: of_row(Network, row, "sample", "graph"),
                   lambda one: one.macros)
