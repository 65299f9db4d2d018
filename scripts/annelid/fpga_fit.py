# SPDX-License-Identifier: Apache-2.0
"""Find the biggest mesh that fits each part, by trying (docs/fpga.md).

Switches of one lane of 2 flits, 32 bits, between registers. From --from on K grows until place and
route says no, or the cells are more than there are. Report in BUILD/fpga/fit.json.
"""

import dataclasses
import json

from annelid import fpga_tables as tables
from annelid.children import Wrong, take_build_lock
from annelid.corners import numbers
from annelid.fpga_flow import ROUTES, Shop, Tools, sites
from annelid.options import parser
from annelid.results import Results, Screen, made_by, write_json

PACKAGE = ["--package", "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"]
# part: (family, words for place and route, LUT4 sites that it has)
PARTS = {
    "iCE40 HX8K": ("ice40", ROUTES["ice40"][1], 7680),
    "ECP5 25F": ("ecp5", ["--25k", *PACKAGE], 24288),
    "ECP5 85F": ("ecp5", ["--85k", *PACKAGE], 83640),
}


@dataclasses.dataclass(frozen=True)
class Mesh:
    k: int
    n: int
    module: str = "anl_cube"
    harness: str = "fpga_cube"
    scenario: str = ""

    @property
    def parameters(self):
        return numbers(self.module, dict(K=self.k, N=self.n, topology="mesh", NumVcs=1, Depth=2, FlitW=32, arbiter="round_robin",
                                         flow_control="wormhole"))

    @property
    def name(self):
        return "x".join([str(self.k)] * self.n) if self.n > 1 else f"row of {self.k}"


def try_one(options, shop, part, mesh):
    """Returns the cells, and a clock or the reason why the mesh does not fit."""
    family, words, capacity = PARTS[part]
    room = options.build / "fpga" / f"cube_{mesh.k}_{mesh.n}"
    cells = shop.netlist(room, mesh, family)
    need = cells["lut"] if family == "ice40" else sites(cells)
    found = dict(part=part, mesh=mesh.name, switches=mesh.k ** mesh.n, cells=cells, sites=need, capacity=capacity)
    if need > capacity:
        return found | dict(misfit=f"{need:,} LUT4 sites of {capacity:,}")
    return found | shop.clock(room, family, 1, words, part.replace(" ", "-"))


def biggest(options, shop, part, n):
    """Returns the last mesh that fits and the first that does not."""
    k, rows, screen = options.start, [], Screen()
    while not rows or "misfit" not in rows[-1]:
        screen.progress(f"{part}: {Mesh(k, n).name}")
        rows.append(try_one(options, shop, part, Mesh(k, n)))
        row = rows[-1]
        screen.say(f"{part}: {row['mesh']}: {row['sites']:,} of {row['capacity']:,} LUT4 sites; "
                   + (row.get("misfit") or f"{row['mhz']:.1f} MHz"))
        k += 1
    if len(rows) < 2:
        raise Wrong(f"{part}: not even a {rows[0]['mesh']} fits; begin with a smaller --from")
    return rows[-2:]


RESULTS = Results("fpga_fit", "The biggest mesh", "fpga.md", "fpga-fit --docs", tables.fit_section)


def fit(options, children):
    shop, made = Shop(options, children, Tools(options, children)), made_by(children, ())
    path = options.build / "fpga/fit.json"
    known = json.loads(path.read_text()) if path.exists() else {}
    for part in options.parts:
        found = biggest(options, shop, part, options.n)
        known[f"{part}, {options.n} dimensions"] = [row | made | dict(tools=shop.tools.said) for row in found]
        write_json(path, known)
    if options.docs:
        RESULTS.write_parts(known, *(good for good, _ in known.values()))
    return 0


def parse():
    one = parser(__doc__, docs=f"write {RESULTS.path}, from all found")
    one.add_argument("--parts", nargs="*", default=list(PARTS), choices=list(PARTS), metavar="PART", help=", ".join(PARTS))
    one.add_argument("--n", type=int, default=2, choices=(1, 2, 3), help="dimensions (2)")
    one.add_argument("--from", dest="start", type=int, default=2, help="the first K that is tried (2)")
    return one.parse_args()


def main(children):
    options = parse()
    with take_build_lock(options.build / "fpga", "fpga-fit"):
        return fit(options, children)
