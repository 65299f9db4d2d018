# SPDX-License-Identifier: Apache-2.0
"""Print what Icarus is told of a network whose dependency graph make cdg asks for.

The network is given by what `annelid describe --rtl` prints, with - for blanks and without =, as in anl_cube-K4-N2; the RTL of
a graph by its file, too.
"""

import pathlib
import re

from annelid.corners import OPTIONS, ROUTINGS
from annelid.keys import PARAMETER
from annelid.options import parser


def words_of(network, graph):
    """Returns parameters and macros; heads may have several options, or carry their routes."""
    module, *rest = network.partition("-Hash")[0].split("-")
    given = [f"-Panl_cdg.{'='.join(PARAMETER.fullmatch(one).groups())}" for one in rest]
    if graph:
        kinds = [kind for kind in ("options", "source") if re.search(rf"^ *anl_{kind}_switch ", graph.read_text(), re.MULTILINE)]
    else:
        kinds = ["options"] if any(f"Routing{ROUTINGS.index(word)}" in rest for word in OPTIONS) else []
    return " ".join([*given, f"-D{module.upper()}", *(f"-DANL_{kind.upper()}" for kind in kinds)])


def main(_children):
    one = parser(__doc__)
    one.add_argument("network")
    one.add_argument("graph", type=pathlib.Path, nargs="?")
    options = one.parse_args()
    print(words_of(options.network, options.graph))
    return 0
