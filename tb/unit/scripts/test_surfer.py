#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Surfer reads: colours, command files, mappings and decoders, held against its documentation (0.6).

usage: tb/unit/scripts/test_surfer.py BUILD JUNIT_FILE

Surfer and its reader are not needed. Prints failures only; exit status 1 if any.
"""
import itertools
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import surfer
from annelid.children import Children, Wrong
from annelid.judge_links import described
from annelid.regress import open_viewer
from annelid.surfer_check import decoded, mapping, variables_of, wrong_commands

NARRATOR = Path("tb/lockstep/waves/narrate.c")
SAVED = """[*] worm 3 waits
*-13.6 2000 1000 3000 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
[markername] Ablocked
[markername] Bmoves
[sst_width] 20
@28
+{clk} blocking.clk
@800200
-who waits for whom
@2022
^1 /annelid/a.words
+{worm 3} blocking.worm_3.state_code[15:0]
@1000200
-who waits for whom
@800200
-worm 3, 0 to 2, 32 flits
@8024
+{cycles waited} blocking.worm_3.waited[31:0]
@c00200
-details of the lanes behind
@200
-lane 0 of T0\u2024inject; # 1
@24
+{flits in it} blocking.worm_3.1_T0.fill[15:0]
@1401200
-details of the lanes behind
@1000200
-worm 3, 0 to 2, 32 flits
@c00200
-RTL of switch 0(0)
@22
TOP.top.g[0].flit_i[33:0]
@28
TOP.top.g[0].rst_i
@1401200
-RTL of switch 0(0)
"""


def colours_of(name):
    """Returns the names of a list of colours in the narrator."""
    text = NARRATOR.read_text()
    return re.findall(r'"([^"]+)"', text[text.index(f"{name}["):].partition("};")[0])


def lightness(value):
    """Returns a colour in CIELAB, in which distances are those that are seen."""
    linear = [((part / 255 + .055) / 1.055) ** 2.4 if part > 10 else part / 255 / 12.92 for part in bytes.fromhex(value)]
    rows = ((.4124, .3576, .1805, .95047), (.2126, .7152, .0722, 1), (.0193, .1192, .9505, 1.08883))
    x, y, z = (sum(factor * part for factor, part in zip(row, linear)) / row[3] for row in rows)
    x, y, z = (part ** (1 / 3) if part > .008856 else 7.787 * part + 16 / 116 for part in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def apart(one, other):
    return sum((a - b) ** 2 for a, b in zip(lightness(surfer.COLOURS[one]), lightness(surfer.COLOURS[other]))) ** .5


def neighbours_in_a_chain_have_other_colours(_room, _build):
    worms = colours_of("worm_colours")
    used = set(worms) | set(colours_of("wait_colours")) | set(re.findall(r'"(navy|gray\d+|dark green|firebrick)"', NARRATOR.read_text()))
    expect(used <= set(surfer.COLOURS), "a colour of Surfer for each", used - set(surfer.COLOURS))
    chain = worms[:8]
    pairs = [*zip(chain, chain[1:]), *((chain[0], last) for last in chain[2:])]
    expect(len(set(worms)) == 10 and min(apart(*pair) for pair in pairs) > 40, "neighbours far from each other", [(pair, apart(*pair)) for pair in pairs])
    expect(min(apart(*pair) for pair in itertools.combinations(chain, 2)) > 25, "eight colours", chain)
    expect(len(set(surfer.ROWS)) == 8, "eight colours of rows", surfer.ROWS)


def a_save_file_gives_commands(_room, _build):
    text = surfer.commands_of(SAVED, "words")
    expect(not wrong_commands(text, ["words"]), "commands that Surfer takes", wrong_commands(text, ["words"]))
    expect(variables_of(text) == ["blocking.clk", "blocking.worm_3.state_code", "blocking.worm_3.waited", "blocking.worm_3.1_T0.fill",
                                  "TOP.top.g[0].flit_i", "TOP.top.g[0].rst_i"], "all signals", variables_of(text))
    expect("item_set_format words\nitem_rename worm 3\n" in text, "words by their translator", text)
    expect("group_marked group3\nitem_set_color Blue\nitem_rename worm 3, 0 to 2, 32 flits\n" in text, "a group in its colour", text)
    expect("item_rename lane 0 of T0.inject, no. 1\n" in text, "texts without the signs of commands", text)
    expect(text.endswith("item_unfocus\nmarker_set blocked 1000\nmarker_set moves 3000\nzoom_fit\ncursor_set 2000\n"), "marks", text)


def what_surfer_would_not_take_is_seen(_room, _build):
    good = surfer.commands_of(SAVED, "words")
    for old, new, says in (("item_focus b\n", "item_focus p\n", "item p of"), ("item_set_color Blue", "item_set_color Navy", "colour Navy"),
                           ("item_focus e\n", "", "added behind"), ("zoom_fit", "zoom_all", "'zoom_all'"), ("item_set_format words", "item_set_format word", "format word"),
                           ("marker_set moves 3000", "marker_set #1 3000", "marker_set #1"), ("variable_add blocking.clk", "variable_add", "'variable_add'")):
        expect(old in good, old, good)
        wrong = wrong_commands(good.replace(old, new, 1), ["words"])
        expect(any(says in one for one in wrong), f"{new}: {says}", wrong)


def words_have_text_and_colour(_room, _build):
    name, words = mapping(surfer.mapping_of("0000 ?navy?deadlock: worm 0\n001F ?firebrick?waits: lane 0 of T0.inject\n", "words of a"))
    expect((name, words) == ("words of a", {0: ("8fb8ff", "deadlock: worm 0"), 31: ("ff5c4d", "waits: lane 0 of T0.inject")}), "two words", (name, words))


def flits_of_judged_routers_are_decoded(_room, build):
    widths = 0
    for links in sorted(Path("judged").glob("*/links.yaml")):
        said = described(Children(), Path(build), links)
        if not surfer.can_translate(said):
            try:
                surfer.decoder_of(said)
            except Wrong as wrong:
                expect("takes at most 64" in str(wrong), "a refusal", wrong)
            continue
        widths += 1
        fields, flit = list(surfer.fields_of(said)), 0
        for number, (name, at, width, plus) in enumerate(fields):
            flit |= (number + 1) % (1 << width) << at
        for name, mask, value, head in surfer.kinds_of(said):
            text = decoded(surfer.decoder_of(said), flit & ~mask | value)
            shown = [f"{(number + 1) % (1 << width)}{f'{plus:+d}' if plus else ''}" for number, (field, _, width, plus) in enumerate(fields)
                     if field in ("x", "y", "z", "destination", "length")]
            expect(text.startswith(name) and (not head or all(one in text for one in shown)), f"{links}: {name} with {shown}", text)
    expect(widths >= 4, "several routers", widths)


def fields_and_kinds_are_where_they_are_said(_room, _build):
    said = dict(width=12, type=dict(at=10, width=2, head=[0, 3], tail=[2, 3]), head=dict(x=dict(at=0, width=3), y=dict(at=4, width=2), length=dict(at=6, width=3, plus=1)))
    decoder = surfer.decoder_of(said)
    seen = [decoded(decoder, kind << 10 | 4 << 6 | 2 << 4 | 5) for kind in range(4)]
    expect(seen == ["head0 to 5,2 4+1 flits", "body1 0x525", "tail2 0x925", "single3 to 5,2 4+1 flits"], "kinds and fields, with a wire between", seen)


def flits_of_ours_are_decoded(_room, _build):
    said = surfer.ours("anl_cube K=3 N=2 Topology=0 Routing=0 NumVcs=1 Depth=2 FlitW=32 Arbiter=0")
    seen = [decoded(surfer.decoder_of(said), marks << 32 | 0xabcde9) for marks in (2, 0, 1, 3)]
    expect(seen == ["head to 1,2", "body 0xabcde9", "tail 0x100abcde9", "single to 1,2"], "four kinds", seen)
    said = surfer.ours("anl_graph K=7 N=1 NumVcs=1 Depth=4 FlitW=32 Arbiter=1 Hash=cb08f09c1d6a7b1c")
    expect(decoded(surfer.decoder_of(said), 2 << 32 | 6) == "head to 6", "a number", decoded(surfer.decoder_of(said), 2 << 32 | 6))
    said = surfer.ours("anl_fat_tree K=4 N=2 Routing=4 NumVcs=2 Depth=4 FlitW=32 Arbiter=1")
    expect(decoded(surfer.decoder_of(said), 2 << 32 | 11) == "head to 11", "no coordinates", decoded(surfer.decoder_of(said), 2 << 32 | 11))
    for length in ("FlowControl=2", "LengthInHead=1", "FlowControl=0 LengthInHead=1"):
        said = surfer.ours(f"anl_cube K=4 N=2 Topology=0 Routing=0 NumVcs=2 Depth=8 FlitW=32 Arbiter=1 {length}")
        seen = decoded(surfer.decoder_of(said), 2 << 32 | 1 << 11 | 97 << 4 | 3 << 2 | 1)
        expect(seen == "head to 1,3 97 flits", length, seen)


def a_viewer_that_is_absent_is_said(room, _build):
    try:
        open_viewer("surfer-is-not-here", "cd here && surfer a.fst")
    except Wrong as wrong:
        expect("there is no command surfer-is-not-here" in str(wrong) and str(wrong).endswith("opens the waves: cd here && surfer a.fst"), "a command by hand", wrong)
    else:
        expect(False, "a refusal", "none")
    open_viewer("sh", f"cd {room} && touch opened")
    expect((room / "opened").exists(), "the viewer to be started", list(room.iterdir()))


TESTS = [neighbours_in_a_chain_have_other_colours, a_save_file_gives_commands, what_surfer_would_not_take_is_seen, words_have_text_and_colour,
         flits_of_judged_routers_are_decoded, fields_and_kinds_are_where_they_are_said, flits_of_ours_are_decoded, a_viewer_that_is_absent_is_said]

if __name__ == "__main__":
    sys.exit(main("surfer", TESTS, __doc__.splitlines()[2]))
