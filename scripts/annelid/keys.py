# SPDX-License-Identifier: Apache-2.0
"""Print what Verilator is told of the network of a key of the lock-step (tb/lockstep/drive/key.h): tb.mk calls it."""

import re

from annelid.options import parser
from annelid.slices import machines

PARAMETER = re.compile(r"([A-Za-z]+)(\d+)")
GRAPHS = ("graph", "source", "options")
TABLES = ("graph", "options")  # those whose switches have tables of routes
# Parameters of which the probes must know in front of all parameters, by a macro.
MACROS = {"Wide1": "-DANL_WIDE ", "Classes": "-DANL_CLASSES "}


def words_of(key):
    """Returns macros and parameters of the network of a key, or of a part of a network ("switch/cube_K4_…", "terminal/…", "link/…");
    of a kind of switch of a slice they are those of its module."""
    part, _, key = key.rpartition("/")
    if part in ("terminal", "link"):
        return parameters_of(PARAMETER.findall(key))
    if part == "crossing":
        return f"-DANL_RANDOM_SETTLE {parameters_of(PARAMETER.findall(key))}"
    family, _, rest = key.partition("_K")
    given = PARAMETER.findall("K" + re.sub("_[0-9a-f]{16}$", "", rest))
    if family in machines():
        return f"-DANL_KIND='anl_lockstep_{family} #({','.join(f'.{name}({value})' for name, value in given)})'"
    macros = [family.upper(), *["GRAPH"] * (family in GRAPHS), *["TABLES"] * (part == "switch" and family in TABLES)]
    return " ".join([*(f"-DANL_{macro}" for macro in macros), parameters_of(given)])


def parameters_of(given):
    """Returns the words for names and values of parameters."""
    def one(name, value):
        wide = r"64\'d" if name == "Weights" else ""
        return f"{MACROS.get(name, MACROS.get(name + value, ''))}-G{name}={wide}{value}"
    return " ".join(one(*each) for each in given)


def main(_children):
    one = parser(__doc__)
    one.add_argument("key")
    print(words_of(one.parse_args().key))
    return 0
