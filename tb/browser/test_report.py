#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The report of `annelid plot` in a browser: light, dark, printed.

usage: tb/browser/test_report.py ANNELID JUNIT_FILE [SCREENSHOT]

Makes a report of runs that it invents and opens it from file:// in a headless Chromium. Needs Debian's
python3-selenium and chromium-driver. Prints failures only; exit status 1 if any.
"""
import base64
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
from test_page import By, expect, in_browser, load

COLUMNS = ("switch.num_vcs,load,seed,state,end,cycles,warmup,worms,offered,accepted,latency,latency_min,"
           "latency_p50,latency_p95,latency_p99,latency_max,links")
LOADS = [0.05, 0.1, 0.2, 0.3, 0.4]


def row(lanes, load, seed):
    """Returns a row of CSV; the latency has a pole at the saturation load, which is 0.2 times 1 + lanes."""
    spare = 0.2 * (1 + lanes) - load
    state = "steady" if spare > 0.01 else "saturated"
    latency = (10 + 2 / max(spare, 0.01)) * (1 + 0.01 * seed)
    return (f"{lanes},{load},{seed},{state},complete,1000,{100 + seed},500,{load},{load + min(0, spare)},{latency},"
            f"5,{latency},{2 * latency},{3 * latency},{9 * latency},7.25")


def make_report(annelid, directory):
    path = directory / "lanes.csv"
    rows = [row(lanes, load, seed) for lanes in (1, 2) for load in LOADS for seed in (1, 2, 3)]
    path.write_text("\r\n".join([COLUMNS, *rows]) + "\r\n")
    report = directory / "report.html"
    subprocess.run([annelid, "plot", path, "-o", report], check=True)
    return report


def make_wide_report(annelid, directory):
    """Makes a report whose points have runs that ended in many ways, and numbers of many digits."""
    path = directory / "wide.csv"
    states = ["steady"] * 4 + ["unsteady"] * 3 + ["saturated"] * 2
    rows = [row(1, load, seed).replace(",steady,", f",{state},").replace(",7.25", ",1234.25")
            for load in LOADS for seed, state in enumerate(states, 1)]
    path.write_text("\r\n".join([COLUMNS, *rows]) + "\r\n")
    report = directory / "wide.html"
    subprocess.run([annelid, "plot", path, "-o", report], check=True)
    return report


class Report:
    def __init__(self, browser, path):
        self.browser, self.path = browser, path

    def open(self, scheme):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                     {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        load(self.browser, self.path.as_uri())

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def colour(self, selector, what):
        """Returns the lightness of the colour, 0 to 255."""
        text = self.js("return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]", selector, what)
        return sum(float(part) for part in re.findall(r"[0-9.]+", text)[:3]) / 3


# --- the tests; each gets the report, and leaves no error in the console ---

def all_is_there(report):
    report.open("light")
    sizes = report.js("return [...document.querySelectorAll('figure svg')].map(s => s.getBoundingClientRect().width)")
    expect(len(sizes) == 4 and min(sizes) > 300, f"pictures as wide as {sizes}")
    expect(report.js("return document.documentElement.scrollWidth <= innerWidth"), "it is wider than the window")
    words = report.js("return document.getElementById('summary').innerText")
    expect("1 lane" in words and "2 lanes" in words and "0.4000" in words, words)
    expect("3 of 30 runs" in report.js("return document.getElementById('unsteady').innerText"), "the runs not steady")
    expect(report.js("return document.querySelectorAll('.points tbody tr').length") == 2 * len(LOADS), "the points")


def nothing_is_fetched(report):
    report.open("light")
    expect(report.js("return performance.getEntriesByType('resource').length") == 0, "it fetches something")


def marks_tell_their_numbers(report):
    report.open("light")
    mark = report.browser.find_element(By.CSS_SELECTOR, "figure g > title + use")
    report.js("arguments[0].scrollIntoView({block: 'center'})", mark)
    title = report.js("""
        const box = arguments[0].getBoundingClientRect();
        const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return at.closest('g').querySelector('title')?.textContent""", mark)
    expect(title and title.startswith("1 lane, load 0.05: 1") and "3 steady" in title, f"it tells {title}")


def it_is_read_in_light_and_dark(report):
    for scheme, dark in (("light", False), ("dark", True)):
        report.open(scheme)
        ground = report.colour("body", "backgroundColor")
        expect((ground < 60) == dark, f"{scheme}: the ground is {ground}")
        for selector, what in (("body", "color"), ("figure text", "fill"), ("figure .gridline", "stroke"),
                               ("figure [fill='rgb(91,102,115)']", "fill"), (".faint", "color"), ("th", "color")):
            contrast = abs(report.colour(selector, what) - ground)
            expect(contrast > (30 if "grid" in selector else 90), f"{scheme}: {selector} differs by {contrast}")
        expect(abs(report.colour("figure .paper", "color") - ground) < 2, f"{scheme}: marks have a rim")
        expect(report.js("return getComputedStyle(document.querySelector('figure svg > g > rect')).fill") == "none",
               f"{scheme}: pictures have a ground")


def tables_are_whole(report):
    """No column is hidden behind a scroll bar, neither in a window 1000 px wide nor in print."""
    cut = """return [...document.querySelectorAll('.table')].filter(t => t.scrollWidth > t.clientWidth + 1
                     && getComputedStyle(t).overflowX != 'visible').length"""
    usual = report.path
    report.path = usual.parent / "wide.html"
    try:
        report.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 1000, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        report.open("light")
        expect("4 steady, 3 unsteady, 2 saturated" in report.js("return document.body.innerText"), "the states")
        expect(report.js(cut) == 0, "a table is cut on the screen")
        report.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        report.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": 700, "height": 1000, "deviceScaleFactor": 1, "mobile": False})
        expect(report.js("return [...document.querySelectorAll('.points')].every(t => t.offsetWidth <= innerWidth)"),
               "a table of points is wider than the paper")
        expect(report.js(cut) == 0, "a table is cut in print")
    finally:
        report.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        report.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        report.path = usual


def it_can_be_printed(report):
    report.open("dark")
    pdf = base64.b64decode(report.browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    pages = len(re.findall(rb"/Type\s*/Page\b", pdf))
    expect(pdf.startswith(b"%PDF") and 2 <= pages <= 8, f"{pages} pages")
    report.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", "features": [
        {"name": "prefers-color-scheme", "value": "dark"}]})
    ground, text = report.colour("body", "backgroundColor"), report.colour("body", "color")
    report.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    expect(ground == 255 and text == 0, f"printed {text} on {ground}")


TESTS = [all_is_there, nothing_is_fetched, marks_tell_their_numbers, it_is_read_in_light_and_dark, tables_are_whole,
         it_can_be_printed]


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.splitlines()[2])
    annelid = os.path.abspath(sys.argv[1])

    def make(browser, directory):
        make_wide_report(annelid, directory)
        return Report(browser, make_report(annelid, directory))

    def show(report):
        report.open("light")
        report.browser.save_screenshot(sys.argv[3])
    return in_browser("report", sys.argv[2], make, TESTS, show if len(sys.argv) == 4 else None)


if __name__ == "__main__":
    sys.exit(main())
