#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of a batch of the paper of Bock et al., step by step, in a browser.

usage: tb/browser/test_phases.py PAPER_BOCK JUNIT_FILE

Opens the page that the program writes from file:// in a headless Chromium, and moves, plays and clicks. Needs Debian's
python3-selenium and chromium-driver. Prints failures only; exit status 1 if any.
"""
import subprocess
import sys

sys.dont_write_bytecode = True
from test_page import expect, in_browser, load, until


class Film:
    def __init__(self, browser, path):
        self.browser, self.path = browser, path

    def open(self, step):
        load(self.browser, f"{self.path.as_uri()}#{step}")

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def text(self, name):
        return self.js("return document.getElementById(arguments[0]).textContent", name)

    def go(self, step):
        self.js("at.value = arguments[0]; at.dispatchEvent(new Event('input'))", step)

    def picture(self):
        return self.js("return canvas.toDataURL()")


def it_opens_on_a_step(film):
    film.open(3)
    expect(film.text("step").startswith("step 3 of ") and film.text("phase") == "distribution, step 3", film.text("phase"))
    blank = film.js("const other = document.createElement('canvas'); other.width = canvas.width; other.height = canvas.height;"
                    "return other.toDataURL()")
    expect(film.picture() != blank, "nothing is drawn")


def the_slider_goes_through_all_phases(film):
    film.open(0)
    steps, phases = film.js("return film.steps.length"), film.js("return film.phases")
    expect(len(phases) == 6, phases)
    for begin, name in phases:
        film.go(begin)
        expect(film.text("phase").startswith(name), f"step {begin}: {film.text('phase')}, expected {name}")
    film.go(steps + 100)
    expect(film.text("step").startswith(f"step {steps - 1} of"), film.text("step"))


def another_worm_can_be_followed(film):
    film.open(20)
    before, drawn = film.text("worm"), film.picture()
    worm = film.js("""
        const flits = film.steps[20], box = canvas.getBoundingClientRect(), scale = box.width / canvas.width;
        const i = flits.findIndex((word, k) => k % 2 && word >> 2 !== followed) - 1, [u, v, dx, dy] = spot(flits[i]);
        const where = {clientX: box.left + (u - unit * dx / 2) * scale, clientY: box.top + (v - unit * dy / 2) * scale};
        canvas.dispatchEvent(new MouseEvent('click', where));
        return flits[i + 1] >> 2;""")
    expect(film.text("worm").startswith(f"Worm {worm} goes from ") and film.text("worm") != before, film.text("worm"))
    expect(film.picture() != drawn, "the picture stays")


def it_plays_to_the_end(film):
    film.open(film.js("return film.steps.length") - 3)
    film.js("document.getElementById('play').click()")
    expect(film.text("play") == "stop", "it does not play")
    until(lambda: film.text("play") == "play", "the end")
    expect(film.js("return at.value === at.max"), "it stops before the end")
    film.js("document.getElementById('play').click()")
    expect(film.text("step").startswith("step ") and film.js("return Number(at.value)") < 10, "it begins again")
    film.js("document.getElementById('play').click()")
    expect(film.text("play") == "play", "it does not stop")


TESTS = [it_opens_on_a_step, the_slider_goes_through_all_phases, another_worm_can_be_followed, it_plays_to_the_end]


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[2])

    def make(browser, directory):
        subprocess.run([sys.argv[1], "--short", "--jobs", "1", "--output", directory], check=True, stdout=subprocess.DEVNULL)
        return Film(browser, next(directory.rglob("phases.html")))
    return in_browser("phases", sys.argv[2], make, TESTS)


if __name__ == "__main__":
    sys.exit(main())
