# SPDX-License-Identifier: Apache-2.0
"""Draws the handshakes of docs/link.md as timing diagrams, a picture for each style of links: docs/images/link-<style>.svg.

`annelid describe --handshakes` says what each cycle does, so all that a picture shows of rules is what the model says. A
picture is drawn by WaveDrom for Python, and keeps the text of which it was drawn (WaveJSON) as its metadata. --check draws
nothing and needs no WaveDrom: it compares the texts.
"""

import json
import pathlib
import re
import subprocess
import xml.etree.ElementTree as xml

from annelid.children import Wrong
from annelid.options import parser
from annelid.sources import write
from annelid.venvs import made

PAGE, IMAGES = pathlib.Path("docs/link.md"), pathlib.Path("docs/images")
WANTED = IMAGES / "requirements.txt"
# A link has the lanes and the depth that the page says; nothing else of this scenario counts.
SCENARIO = ["docs/judge/network.yaml", "--set", "switch.num_vcs=2", "--set", "switch.depth=2"]
SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"
# Colours of cells, as WaveDrom numbers them.
PLAIN, CROSSES, ALLOWED, FORBIDDEN = "2", "5", "7", "9"
LEGEND = "blue: the flit crosses; white: it waits; red: a rule is broken"
WIDTH = 3  # of a cycle, so that the name of a rule fits
DRAW = "import sys, wavedrom; wavedrom.render(open(sys.argv[1]).read()).saveas(sys.argv[2])"


# --- rows ---

def wave(states):
    """Returns the wave of a state for each cycle: a point stands for the state of the cycle before."""
    return "".join("." if i and state == states[i - 1] else state[0] for i, state in enumerate(states))


def cells(name, labels, colours):
    """Returns a row of a label for each cycle, None where there is nothing, in a colour for each cycle."""
    states = ["x" if label is None else f"{colour}{label}" for label, colour in zip(labels, colours)]
    shown = [str(label) for i, label in enumerate(labels) if label is not None and (not i or states[i] != states[i - 1])]
    return dict(name=name, wave=wave(states), data=shown)


def numbers(name, values):
    """Returns a row of a wire, or of several with one number."""
    return dict(name=name, wave=wave([str(value) for value in values])) if max(values) < 2 else plain(name, values)


def plain(name, labels):
    return cells(name, labels, PLAIN * len(labels))


def colour(cycle):
    return FORBIDDEN if cycle["broken"] else CROSSES if cycle["crosses"] else PLAIN


def of_used_lane(name, used):
    """Returns whether a wire is of a lane on which a flit is offered, or of no single lane."""
    lane = re.search(r"\[(\d+)\]$", name)
    return not lane or int(lane[1]) in used


def rows_of(story, longest):
    """Returns the rows of a handshake; its title is as long as the longest one."""
    cycles = story["cycles"]
    flits = [cycle["flit"] for cycle in cycles]
    used = {cycle["vc"] for cycle in cycles if cycle["flit"]}
    broken = any(cycle["broken"] for cycle in cycles)
    title = f"forbidden, {story['says']}" if broken else story["says"]
    yield cells("", [title] * longest, (FORBIDDEN if broken else ALLOWED) * longest)
    yield numbers("valid", [int(flit is not None) for flit in flits])
    yield plain("vc", [cycle["vc"] if cycle["flit"] else None for cycle in cycles])
    yield cells("flit", flits, [colour(cycle) for cycle in cycles])
    for name in cycles[0]["back"]:
        values = [cycle["back"][name] for cycle in cycles]
        if any(values) or of_used_lane(name, used):
            yield numbers(name, values)
    for lane in sorted(used) if cycles[0]["credits"] else ():
        yield plain(f"credits, lane {lane}", [cycle["credits"][lane] for cycle in cycles])
    if broken:
        names = [cycle["broken"] for cycle in cycles]
        yield dict(name="breaks", wave=wave([FORBIDDEN + name if name else "0" for name in names]), data=list(filter(None, names)))


# --- pictures ---

def told(annelid, page):
    """Returns what the model says of the handshakes of a page."""
    said = subprocess.run([annelid, "describe", "--handshakes", page, *SCENARIO], capture_output=True, text=True, check=False)
    if said.returncode:
        raise Wrong(said.stderr.strip())
    return json.loads(said.stdout)


def pictures(annelid, page):
    """Returns {style: its picture as WaveJSON}."""
    all_told, found = told(annelid, page), {}
    for story in all_told["handshakes"]:
        found.setdefault(story["style"], []).append(story)
    for style, stories in found.items():
        longest = max(len(story["cycles"]) for story in stories)
        rows = [row for story in stories for row in (*rows_of(story, longest), {})]
        title = f"{style}, V = {all_told['num_vcs']}"
        if stories[0]["cycles"][0]["credits"]:
            title += f", Depth = {all_told['depth']}"
        found[style] = dict(signal=rows[:-1], head=dict(text=title, tock=0), foot=dict(text=LEGEND), config=dict(hscale=WIDTH))
    return found


def text_of(picture):
    return json.dumps(picture, ensure_ascii=False, separators=(",", ":"))


def finished(drawn, text):
    """Returns a picture of WaveDrom on white, without the signs that it does not use, with the text of which it was drawn."""
    root = xml.fromstring(drawn)
    defs, used = root.find(f"{{{SVG}}}defs"), {one.get(LINK) for one in root.iter(f"{{{SVG}}}use")}
    for sign in [one for one in defs if one.get("id") and f"#{one.get('id')}" not in used and one.tag == f"{{{SVG}}}g"]:
        defs.remove(sign)
    kept, ground = xml.Element(f"{{{SVG}}}metadata"), xml.Element(f"{{{SVG}}}rect", width="100%", height="100%", fill="#fff")
    kept.text = text
    root.insert(0, kept)
    root.insert(1, ground)
    xml.register_namespace("", SVG)
    xml.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    return xml.tostring(root, encoding="unicode") + "\n"


def draw(picture, path, room, python, children):
    """Draws a picture to a path; its text and what WaveDrom makes of it stay in a room."""
    text, drawn = room / f"{path.stem}.json", room / path.name
    write(text, text_of(picture))
    children.must([python, "-c", DRAW, text, drawn])
    write(path, finished(drawn.read_text(), text.read_text()))


def stale(path, picture):
    """Returns what is wrong with the picture at path, or None: it was drawn of another text, or lacks one of its words."""
    if not path.exists():
        return "there is no such picture"
    root = xml.parse(path).getroot()
    if root.findtext(f"{{{SVG}}}metadata") != text_of(picture):
        return f"the handshakes of {PAGE} are others"
    seen = {"".join(one.itertext()) for one in root.iter(f"{{{SVG}}}text")}
    missing = [word for row in picture["signal"] for word in (row.get("name"), *row.get("data", ())) if word and word not in seen]
    return f"it does not show {', '.join(map(repr, missing))}" if missing else None


def path_of(images, style):
    return images / f"link-{style}.svg"


def check(found, images):
    """Returns how many pictures are not those of the handshakes, after a line about each of them."""
    wrong = {path_of(images, style): stale(path_of(images, style), picture) for style, picture in found.items()}
    wrong |= {path: "no handshake is of this style" for path in images.glob("link-*.svg") if path not in wrong}
    lines = [f"{path}: {why}; scripts/run link-waves draws it" for path, why in wrong.items() if why]
    print("".join(f"{line}\n" for line in lines), end="")
    return len(lines)


def main(children):
    one = parser(__doc__)
    one.add_argument("--page", type=pathlib.Path, default=PAGE, help=f"the text with the handshakes ({PAGE})")
    one.add_argument("--images", type=pathlib.Path, default=IMAGES, help=f"where the pictures are ({IMAGES})")
    one.add_argument("--check", action="store_true", help="draw nothing; say which pictures are not those of the handshakes")
    options = one.parse_args()
    found = pictures(options.build / "annelid", options.page)
    if options.check:
        return 1 if check(found, options.images) else 0
    room = options.build / "link_waves"
    python = made(room / "venv", WANTED, "WaveDrom", children) / "bin/python3"
    for style, picture in found.items():
        draw(picture, path_of(options.images, style), room, python, children)
    return 0
