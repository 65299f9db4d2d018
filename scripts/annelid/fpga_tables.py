# SPDX-License-Identifier: Apache-2.0
"""Tables of `make fpga`, `make fpga-image` and `make fpga-fit` in docs/results/."""

import textwrap

from annelid.fpga_flow import sites
from annelid.results import chapters, markdown, number


def clock(data, part):
    """Returns 'median / best' of a set's clocks."""
    seen = data["clock"].get(part)
    if not seen:
        return "–"
    return seen.get("misfit") and "does not fit" or f"{seen['median']:.1f} / {seen['best']:.1f}"


def area_rows(results):
    for data in results.values():
        ice, wide, narrow, xc7 = (data["area"][name] for name in ("ice40", "ecp5", "ecp5_narrow", "xc7"))
        yield [data["text"], number(ice["lut"]), number(ice["carry"]), number(ice["ff"]), number(ice["ram"]),
               number(wide["lut"]), f"{number(narrow['lut'])} ({number(sites(narrow))})", number(narrow["ff"]),
               number(narrow["ram"]), f"{number(xc7['lut'])} + {xc7['ram']}", number(xc7["ff"]),
               clock(data, "ice40"), clock(data, "ecp5")]


AREA_HEAD = ["switch", "iCE40 LUT4", "carry", "FF", "BRAM", "ECP5 LUT4", "narrow (sites)", "FF", "DPR16X4",
             "xc7 LUT + RAM", "FF", "HX8K MHz", "ECP5-25 MHz"]


def peer_rows(group, data):
    ice, wide, narrow, xc7 = (data["area"][name] for name in ("ice40", "ecp5", "ecp5_narrow", "xc7"))
    yield [f"**annelid, {data['text']}**", number(wide["lut"]), number(narrow["lut"]),
           number(ice["lut"]), number(ice["ff"]), number(ice["ram"]), number(xc7["lut"]),
           number(data["clock"].get("ice40", {}).get("median"))]
    for peer in group["peers"]:
        yield [peer["name"], number(peer.get("ecp5")), "–", number(peer["ice40"]), number(peer["ff"]),
               number(peer.get("ram", 0)), number(peer.get("xc7")), number(peer.get("mhz"))]
    for what in ("least", "aim"):
        if what in group:
            ecp5, ice40, mhz = group[what]
            yield [f"*{what}*", number(ecp5), "–", number(ice40), "–", "0", "–", number(mhz)]


PEER_HEAD = ["switch", "ECP5 LUT4", "narrow", "iCE40 LUT4", "FF", "BRAM", "xc7 LUT", "HX8K MHz"]


def module_rows(data):
    for row in data["modules"]:
        if row["lut"] + row["ff"] >= 10:
            yield [f"`{row['place']}`", f"`{row['module']}`", row["instances"], number(row["lut"]),
                   number(row["carry"]), number(row["ff"])]


MODULE_HEAD = ["place", "module", "instances", "LUT4", "carry", "FF"]


def path_text(path):
    return " → ".join(f"`{name}` {delay:.1f} ns" + (f" ({luts} LUT)" if luts else "")
                      for name, delay, luts in path)


def fit_section(found):
    """Returns the table of the pairs of rows that scripts/run fpga-fit finds."""
    head = ["part", "biggest", "switches", "LUT4 sites", "FF", "of", "MHz", "the next one: sites", "FF"]
    rows = ([good["part"], good["mesh"], good["switches"], number(good["sites"]), number(good["cells"]["ff"]),
             number(good["capacity"]), number(good["mhz"]), f"{bad['mesh']}: {number(bad['sites'])}",
             number(bad["cells"]["ff"])] for good, bad in found.values())
    return markdown(head, rows)


def images_section(images):
    head = ["image", "network", "LUT", "carry", "FF", "RAM cells", "MHz", "wanted", "signature"]
    def row(data):
        cells, words = data["cells"], data["parameters"]
        lanes = f"{words['NumVcs']} lane{'s' if words['NumVcs'] != '1' else ''} of {words['Depth']}"
        return [data["board"], f"{words['K']}-ary {words['N']}-cube, {lanes}", number(cells["lut"]),
                number(cells["carry"]), number(cells["ff"]), number(cells["ram"]), number(data.get("mhz")), data["clock_mhz"],
                f"`{words['Expected'].rpartition('h')[2]}`"]
    return markdown(head, map(row, images))


def results_text(results, peers):
    """Returns the tables of docs/results/fpga.md."""
    found = {"Switches": markdown(AREA_HEAD, area_rows(results))}
    grouped = [data for data in results.values() if data["peers"]]
    found["Beside others"] = "\n".join(f"**{data['peers']}**\n\n" + markdown(PEER_HEAD, peer_rows(peers[data["peers"]], data))
                               for data in grouped)
    found["Module by module"] = "\n".join(
        f"{data['text'].capitalize()}:\n\n" + markdown(MODULE_HEAD, module_rows(data))
        for data in grouped[:3])
    found["Critical paths"] = "\n".join(textwrap.fill(f"- {data['text']}, HX8K: {path_text(data['clock']['ice40']['path'])}", 120,
                                             subsequent_indent="  ", break_on_hyphens=False)
                               for data in results.values() if "path" in data["clock"].get("ice40", {})) + "\n"
    return chapters(found)
