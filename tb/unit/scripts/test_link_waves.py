#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The timing diagrams of docs/link.md are those of its handshakes, and a change of either is seen.

usage: tb/unit/scripts/test_link_waves.py BUILD JUNIT_FILE

Nothing is drawn, so WaveDrom is not needed. Prints failures only; exit status 1 if any.
"""
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, "scripts")
from annelid.link_waves import FORBIDDEN, IMAGES, PAGE, pictures
from suite import expect, main


def check(build, *words):
    """Returns (exit status, lines) of a check of the pictures."""
    command = ["scripts/run", "link-waves", "--build", build, "--check", *words]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return said.returncode, (said.stdout + said.stderr).splitlines()


def changed(room, build, old, new):
    """Returns what a check says of a copy of the page in which a text is another one."""
    text = PAGE.read_text()
    expect(text.count(old) == 1, f"{old!r} once in {PAGE}", text.count(old))
    (room / "link.md").write_text(text.replace(old, new))
    return check(build, "--page", room / "link.md")


def pictures_are_those_of_the_page(_room, build):
    expect(check(build) == (0, []), "the pictures of the page", check(build))
    shown = {f"images/link-{style}.svg" for style in pictures(build / "annelid", PAGE)}
    expect(len(shown) == 5 and all(f"]({name})" in PAGE.read_text() for name in shown), "the page to show all five", shown)


def a_rule_is_named_in_its_cycle(_room, build):
    rows = [row for picture in pictures(build / "annelid", PAGE).values() for row in picture["signal"]]
    seen = [(row["wave"], row["data"]) for row in rows if row.get("name") == "breaks"]
    expect(len(seen) == 8 and all(len(data) == 1 and FORBIDDEN in wave for wave, data in seen), "eight rules that are broken", seen)
    expect(("0.9", ["sent_at_stop"]) in seen and ("09", ["withdrawn"]) in seen, "cycles 2 and 1", seen)


def another_handshake_is_seen(room, build):
    for old, new, style in (("flit  A0 B0 C0           sent_at_stop in 2", "flit  A0 B0 D0           sent_at_stop in 2", "stop_go"),
                            ("back  2  2  1", "back  2  2  0", "ready_valid_per_lane"),
                            ("{pulse, lane} is 3,", "pulse and lane are 3,", "credit_pulse_shared")):
        status, lines = changed(room, build, old, new)
        expect(status == 1 and len(lines) == 1 and lines[0].startswith(f"docs/images/link-{style}.svg: the handshakes"),
               f"that link-{style}.svg is stale", lines)


def a_bad_handshake_is_said_with_its_line(room, build):
    status, lines = changed(room, build, "back  2  2  1", "back  2  2  x")
    line = 1 + PAGE.read_text().split("back  2  2  1")[0].count("\n")
    expect(status == 2 and f"link.md:{line}: found 'x', expected a hexadecimal number" in lines[0], f"line {line}", lines)


def another_picture_is_seen(room, build):
    images = room / "images"
    shutil.copytree(IMAGES, images)
    path = images / "link-stop_go.svg"
    text = path.read_text()
    for why, made in (("it does not show 'sent_at_stop'", text.replace(">sent_at_stop<", "><")),
                      ("the handshakes", text.replace("<metadata>", "<metadata> "))):
        expect(made != text, "another picture")
        path.write_text(made)
        status, lines = check(build, "--images", images)
        expect(status == 1 and len(lines) == 1 and lines[0].startswith(f"{path}: {why}"), why, lines)
    path.rename(images / "link-other.svg")
    status, lines = check(build, "--images", images)
    expect(status == 1 and lines[0].startswith(f"{path}: there is no such picture")
           and lines[1].startswith(f"{images / 'link-other.svg'}: no handshake is of this style"), "a picture of another name", lines)


if __name__ == "__main__":
    sys.exit(main("link-waves", [pictures_are_those_of_the_page, a_rule_is_named_in_its_cycle, another_handshake_is_seen,
                                 a_bad_handshake_is_said_with_its_line, another_picture_is_seen], __doc__))
