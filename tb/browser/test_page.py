#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `annelid draw` in a browser, as a person meets it.

usage: tb/browser/test_page.py ANNELID JUNIT_FILE [SCREENSHOT]

Makes pages from scenarios, opens them from file:// in a headless Chromium, and moves, points, clicks
and searches. What a page shows is compared with the still picture of the same cycle. Needs Debian's
python3-selenium and chromium-driver. Prints failures only; exit status 1 if any.
"""
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import xml.etree.ElementTree as xml
from pathlib import Path

try:
    from selenium import webdriver
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.chrome.service import Service
except ImportError:
    sys.exit("test_page: needs Debian's python3-selenium and chromium-driver (scripts/setup --all)")

sys.path.insert(0, "tb/unit/scripts")
from suite import Suite, note, until

TOP = Path(__file__).resolve().parents[2]
FOLDERS = [TOP / "sim/scenarios", *sorted(TOP.glob("papers/*/scenarios"))]
SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 5 << 20
MOST_STEPS, MOST_ELEMENTS = 50, 2000  # for a move of the slider: cycles stepped through, elements shown
PLAY_MILLISECONDS = 150  # for each cycle
PATIENCE = 600  # seconds; only ends what hangs


def start_browser():
    options = webdriver.ChromeOptions()
    options.add_argument("--headless=new")
    options.add_argument("--window-size=1500,1080")
    options.add_argument("--hide-scrollbars")
    options.add_argument("--no-sandbox")  # root has none, nor has anybody in a folder that is a system of its own
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    browser.set_script_timeout(PATIENCE)
    browser.set_page_load_timeout(PATIENCE)
    return browser


def load(browser, address):
    """Opens a page anew, and waits until its scripts have run: on a busy machine the driver may return before."""
    browser.get("about:blank")
    browser.get(address)
    until(lambda: browser.execute_script("return location.href.split('#')[0] === arguments[0] && document.readyState === 'complete'",
                                         address.split("#")[0]), f"that {address} is loaded")


class Page:
    """A page made from a scenario, open in the browser."""

    def __init__(self, browser, annelid, directory, scenario, *arguments):
        self.browser, self.annelid, self.directory = browser, annelid, directory
        self.scenario, self.settings = next(path for path in FOLDERS if (path / scenario).exists()) / scenario, []
        self.path = directory / (scenario + "".join(arguments).replace("/", "_") + ".html")
        subprocess.run([annelid, "draw", *arguments, "-o", self.path, self.scenario], check=True)
        self.open()

    def open(self, fragment=""):
        load(self.browser, self.path.as_uri() + fragment)

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def find(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.js("return document.querySelector(arguments[0]).textContent", selector)

    def cycle(self):
        return int(self.text("#now").removeprefix("cycle "))

    def go(self, cycle):
        self.js("const s = document.getElementById('cycle'); s.value = arguments[0];"
                "s.dispatchEvent(new Event('input'));", cycle)

    def key(self, *keys):
        self.find("body").send_keys(*keys)

    def visible_worm(self):
        """Returns a point of the window at which a worm is on top: (id, x, y)."""
        return self.js("""
            for (const flits of document.querySelectorAll('#worms .flits')) {
              const box = flits.getBoundingClientRect();
              for (let x = box.left + 1; x < box.right; x += 2)
                for (let y = box.top + 1; y < box.bottom; y += 2) {
                  const worm = document.elementFromPoint(x, y)?.closest('[data-worm]');
                  if (worm) return [Number(worm.dataset.worm), x, y];
                }
            }
            return null;""")

    def point(self, x, y, kind="mousemove"):
        self.js("document.elementFromPoint(arguments[0], arguments[1]).dispatchEvent(new MouseEvent("
                "arguments[2], {bubbles: true, clientX: arguments[0], clientY: arguments[1]}))", x, y, kind)

    def errors(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    # drawn() returns the picture of the page: {worm: (flits, heads, signs, number of wires and crossings held)}.

    def drawn(self):
        groups = self.js("""
            return [...document.querySelectorAll('#worms > g.worm')].map(g => [Number(g.dataset.worm),
              g.querySelector('.flits').getAttribute('d'), g.querySelector('.head').getAttribute('d'),
              g.querySelector('.held').getAttribute('d'),
              [...g.querySelectorAll('use')].map(use => use.getAttribute('href') + use.getAttribute('transform'))])""")
        return {worm: (shapes(flits), shapes(heads), signs, held.count("M"))
                for worm, flits, heads, held, signs in groups if flits or signs}

    def queues(self):
        texts = self.js("return [...document.querySelectorAll('#queues > .queue')].map(text => text.textContent)")
        return [text for text in texts if text]

    def refusals(self):
        return self.js("return document.querySelectorAll('#worms > use[href=\"#refused\"]').length")

    def words(self, worm):
        """Returns what the panel says of the chain of a worm; None: of the deadlock."""
        self.js("select(arguments[0])", -1 if worm is None else worm)
        texts = self.js("return [...document.querySelectorAll('#chain :is(b, small)')].map(e => e.textContent)")
        return " ".join(texts)

    def titles(self, cycle):
        """Returns what a still picture says when one points at its worms."""
        path = self.directory / "titles.svg"
        subprocess.run([self.annelid, "draw", "--at", str(cycle), "-o", path, self.scenario], check=True)
        return {int(group.get("id")[5:]): group.find(SVG + "title").text for group in xml.parse(path).iter(SVG + "g")
                if group.get("id", "").startswith("worm-")}

    def heading(self):
        return self.text("#chain-title")

    # still() returns the same for a still picture, the numbers of its source queues without that of the legend,
    # the worm whose chain it shows (None: there is a deadlock, or nobody waits) and what its panel says of the chain.

    def still(self, cycle):
        path = self.directory / "still.svg"
        subprocess.run([self.annelid, "draw", "--at", str(cycle), "-o", path, self.scenario], check=True)
        drawn, picture = {}, xml.parse(path)
        queues = [text.text for text in picture.iter(SVG + "text")
                  if text.get("class") == "queue" and text.get("x") != "7.5"]
        for group in picture.iter(SVG + "g"):
            if not group.get("id", "").startswith("worm-"):
                continue
            of = {name: [p.get("d") for p in group.findall(SVG + "path") if p.get("class") == name]
                  for name in ("flits", "head", "held")}
            signs = [use.get("href") + use.get("transform") for use in group.findall(SVG + "use")]
            if of["flits"][0] or signs:
                drawn[int(group.get("id")[5:])] = (shapes(of["flits"][0]), shapes("".join(of["head"])), signs,
                                                   of["held"][0].count("M"))
        panel = picture.getroot().findall(SVG + "g")[-1]
        network = picture.getroot().findall(SVG + "g")[-2]
        self.still_refusals = len([use for use in network.findall(SVG + "use") if use.get("href") == "#refused"])
        words = " ".join(e.text or "" for e in panel if e.get("class") in ("entry", "line"))
        alarm = any(e.get("class") == "heading alarm" for e in panel)
        first = re.match(r"worm (\d+)", words)
        return drawn, queues, None if alarm or not first else int(first[1]), words


def shapes(d):
    """Returns the closed figures of a path of M, m, l and Z, as lists of their corners' coordinates."""
    figures, figure = [], [0, 0]
    for command, x, y in re.findall(r"([MmlZ])(?:(-?[0-9.]+) (-?[0-9.]+))?", d):
        if command == "Z":
            figures.append(figure)
            figure = figure[:2]
            continue
        corner = [float(x), float(y)] if command == "M" else [figure[-2] + float(x), figure[-1] + float(y)]
        figure = (figure if command == "l" else []) + corner
    return figures


def same_shapes(some, others):
    """Returns whether the figures are the same in any order, up to rounding."""
    near = [[all(abs(x - y) < 0.25 for x, y in zip(a, b, strict=True)) for b in others] for a in some]
    return len(some) == len(others) and all(any(row) for row in near) and all(any(row) for row in zip(*near))


def same_worm(a, b):
    return a and b and same_shapes(a[0], b[0]) and same_shapes(a[1], b[1]) and same_signs(a[2], b[2]) and a[3] == b[3]


def same_signs(some, others):
    """Returns whether there is at most one sign, of the same kind and, up to rounding, at the same place."""
    kinds = [[sign.split("translate")[0] for sign in signs] for signs in (some, others)]
    buffers = [[re.findall(r"-?[0-9.]+", sign.split("translate")[1]) for sign in signs] for signs in (some, others)]
    return kinds[0] == kinds[1] and all(abs(float(x) - float(y)) < 0.25 for a, b in zip(*buffers) for x, y in zip(a, b))


def expect(truth, text):
    if not truth:
        raise AssertionError(text)


# --- the tests; each gets the pages, and leaves no error in the console ---

def page_opens_on_the_deadlock(pages):
    page = pages["torus"]
    page.open()
    expect("deadlocked since cycle" in page.text("#deadlock"), "the header does not tell of the deadlock")
    expect(page.text("#deadlock").endswith(str(page.cycle())), "it opens on another cycle")
    circle = page.js("return data.deadlock.circle")
    tags = {int(tag) for tag in page.js("return [...document.querySelectorAll('.tag')].map(t => t.textContent)")}
    expect(len(circle) > 2 and tags == set(circle), f"circle {circle}, tags {tags}")
    expect(len(page.browser.find_elements(By.CSS_SELECTOR, ".dead .wait")) == len(circle), "arrows of the circle")
    page.go(page.cycle() - 1)
    expect(page.text("#deadlock") == "", "deadlocked before it is")


def a_terminal_that_refuses_is_in_the_circle(pages):
    page = pages["reply"]
    page.open()
    circle, terminals = page.js("return [data.deadlock.circle, data.deadlock.terminals]")
    expect(len(circle) == 1 and terminals[0] >= 0, f"circle {circle}, terminals {terminals}")
    expect(page.heading() == "Deadlock: they wait for each other for ever", page.heading())
    expect(len(page.browser.find_elements(By.CSS_SELECTOR, ".dead .wait")) == 2, "an arrow to the terminal and one back")
    words = page.words(None)
    expect(words.startswith(f"worm {circle[0]}, ") and f"refused by T{terminals[0]} until a reply leaves, behind worm {circle[0]} "
           in words, words)
    colours = page.js("return [...document.querySelectorAll('#chain .swatch')].map(s => s.style.background)")
    expect(len(set(colours)) == 2, f"neighbours in a chain of one colour: {colours}")
    events = page.js("return events().map(event => event.words)")
    expect(f"deadlock of 1 worm, T{terminals[0]}" in events, events)


def neighbours_in_a_chain_have_other_colours(pages):
    page = pages["torus"]
    page.open("#cycle=4300")
    chains = page.js("""
        return [...shown.paths.keys()].map(id => {
          select(id);
          const swatches = [...document.querySelectorAll('#chain .swatch')].map(s => s.style.background);
          const tags = [...document.querySelectorAll('#arrows > g.worm')].map(g => g.getAttribute('color'));
          return [coloured.links.map(link => link.worm), swatches, tags];
        });""")
    alike = [ids for ids, _, _ in chains if any(a % 21 == b % 21 for a, b in zip(ids, ids[1:]))]
    expect(alike and max(len(ids) for ids, _, _ in chains) > 5, "long chains, and numbers that are alike by the rule of numbers")
    for ids, swatches, tags in chains:
        expect(len(ids) == len(swatches) == len(tags), f"{ids}: {swatches} and {tags}")
        for shades in (swatches, tags):
            expect(all(a != b for a, b in zip(shades, shades[1:])), f"neighbours of one colour in {ids}: {shades}")


def slider_moves_the_cycle(pages):
    page = pages["mesh"]
    page.open("#cycle=100")
    expect(page.cycle() == 100, f"the fragment is not obeyed: {page.cycle()}")
    before = page.drawn()
    page.go(1234)
    expect(page.cycle() == 1234 and page.drawn() != before, "the slider moves nothing")
    page.key(Keys.ARROW_RIGHT)
    page.key(Keys.ARROW_RIGHT)
    page.key(Keys.ARROW_LEFT)
    expect(page.cycle() == 1235, f"arrows lead to {page.cycle()}")
    page.find("#cycle").send_keys(Keys.ARROW_RIGHT)
    expect(page.cycle() == 1236, "an arrow on the slider moves another way")
    until(lambda: page.js("return location.hash") == "#cycle=1236", "a fragment that follows")


def odd_addresses_choose_no_worm(pages):
    page = pages["mesh"]
    for worm in ("", "&worm=", "&worm=%20", "&worm=x", "&worm=-1", "&worm=1e1", "&worm=99999999"):
        page.open("#cycle=100" + worm)
        expect(page.cycle() == 100 and page.js("return selected") == -1, f"{worm} chooses {page.js('return selected')}")
    page.open("#cycle=100&worm=0")
    expect(page.js("return selected") == 0, "worm 0 cannot be chosen")
    page.open("#cycle=&worm=7")
    expect(page.js("return selected") == 7 and page.cycle() > 0, f"no cycle leads to {page.cycle()}")


def play_plays(pages):
    page = pages["mesh"]
    page.open("#cycle=10")
    begin = page.js("return performance.now()")
    page.find("#play").click()
    until(lambda: page.cycle() >= 12, "that it plays")
    page.find("#play").click()
    moved, took = page.cycle(), page.js("return performance.now()") - begin
    expect(moved - 10 <= took / PLAY_MILLISECONDS + 1, f"{took:.0f} ms of play lead from 10 to {moved}")
    time.sleep(3 * PLAY_MILLISECONDS / 1000)
    expect(page.cycle() == moved, "it plays on")


def hover_names_the_worm(pages):
    page = pages["mesh"]
    page.open("#cycle=700")
    expect(not page.find("#tip").is_displayed(), "a tip before anything is pointed at")
    worm, x, y = page.visible_worm()
    page.point(x, y)
    tip = page.text("#tip")
    expect(page.find("#tip").is_displayed() and tip.startswith(f"worm {worm}, T"), f"worm {worm}: '{tip}'")
    titles = page.titles(700)
    expect(tip == titles[worm], f"the page says '{tip}', the still picture '{titles[worm]}'")
    for other in sorted(titles)[:100]:
        said = page.js("return `${worm_words(arguments[0])}\\n${state_words(shown, arguments[0])}`", other)
        expect(said == titles[other], f"the page says '{said}', the still picture '{titles[other]}'")


def click_selects_a_worm(pages):
    page = pages["mesh"]
    page.open("#cycle=700")
    worm, x, y = page.visible_worm()
    page.point(x, y, "click")
    life = page.text("#life")
    expect(life.startswith(f"worm {worm},"), f"life of worm {worm}: '{life[:40]}'")
    created, _, _ = page.js("const w = worms.get(arguments[0]); return [w.created, w.injected, w.delivered]", worm)
    expect(f"createdcycle {created}" in life, "its creation is not told")
    expect(page.text("#chain").startswith(f"worm {worm},"), "its chain is not told")
    dim = len(page.browser.find_elements(By.CSS_SELECTOR, "#worms > .worm.dim"))
    expect(dim > 0, "the others are not dimmed")
    page.key(Keys.ESCAPE)
    expect(page.text("#chain") == "" and not page.browser.find_elements(By.CSS_SELECTOR, ".dim"), "Esc keeps it")


def search_finds_a_worm(pages):
    page = pages["mesh"]
    page.open("#cycle=3")
    search = page.find("#search")
    search.send_keys("2500", Keys.ENTER)
    expect(page.text("#life").startswith("worm 2500,"), "worm 2500 is not found")
    expect("2500" in [t.text for t in page.browser.find_elements(By.CSS_SELECTOR, ".tag")], "it is not shown")
    search.clear()
    search.send_keys("99999999", Keys.ENTER)
    expect("no worm 99999999" in page.text("#said"), f"said '{page.text('#said')}'")
    late = pages["late"]
    late.open()
    hidden = late.js("return data.hidden.reduce((sum, [before, ...later]) => sum + before + later.length, 0)")
    expect(hidden > 100 and late.js("return data.hidden.some(([, ...later]) => later.length)"), "no worm is hidden")


def a_fault_is_shown(pages):
    page = pages["fault"]
    page.open()
    expect(page.cycle() == 5, f"cycle {page.cycle()}, expected that of the fault")
    expect(page.heading() == "Fault: flits want one link and are lost", page.heading())
    expect(page.js("return document.querySelectorAll('#arrows use[href=\"#lost\"]').length") == 2, "two flits are lost")
    page.go(4)
    expect(page.heading() == "Nobody waits", page.heading())
    page.key("n")
    expect(page.cycle() == 5 and page.text("#said").endswith("a fault ends the run"), page.text("#said"))


def those_gone_before_cannot_be_chosen(pages):
    page = pages["late"]
    page.open()
    delayed, by = page.js("for (const worm of data.worms) for (const [by] of worm.delays) "
                          "if (!worms.has(by)) return [worm.id, by]")
    page.js("select(arguments[0])", delayed)
    page.js("document.querySelector(`#life [data-worm='${arguments[0]}']`).click()", by)
    expect(page.text("#said") == f"worm {by} was delivered before cycle 1000", f"said '{page.text('#said')}'")
    expect(page.js("return selected") == delayed, "it was chosen")


def a_link_is_obeyed_while_the_address_follows(pages):
    page = pages["mesh"]
    page.open("#cycle=500")
    stall = page.js("location.hash = document.querySelector('#stalls a').hash; history.replaceState(null, '', '#cycle=500');"
                    "return by_length[0]")
    until(lambda: page.cycle() == min(stall["end"], 1999) and page.js("return selected") == stall["worm"], "the longest stall")


def next_event_moves(pages):
    page = pages["mesh"]
    page.open("#cycle=500")
    page.find("#event-forward").click()
    first = page.cycle()
    expect(first > 500 and re.search("begins to wait|has waited", page.text("#said")), f"cycle {first}")
    page.key("n")
    expect(page.cycle() > first, "n goes nowhere")
    page.key("p")
    expect(page.cycle() == first, "p does not come back")
    stall = page.js("return by_length[0]")
    page.find("#stalls a").click()
    until(lambda: page.cycle() == min(stall["end"], 1999) and page.text("#life").startswith(f"worm {stall['worm']},"),
          "the longest stall")
    page.find("#event-back").click()
    own = page.js("return data.stalls.filter(s => s.worm === selected).flatMap(s => [s.begin, s.end + 1])")
    expect(page.cycle() in own, "an event of another worm")


def page_shows_what_the_still_picture_shows(pages):
    for name, cycles in (("mesh", (0, 1, 49, 50, 51, 777, 1500, 1999)), ("late", (1000, 1001, 1066, 1100)),
                         ("store", (0, 40, 90)), ("torus", (4000, 4001, 4222, 4292)),
                         ("bufferless", (0, 1, 5, 37, 90)), ("fault", (0, 3, 5)),
                         ("reply", (0, 20, 36, 49, 50, 51, 100, 187)), ("reply-late", (45, 50, 60)),
                         ("requests", (100, 101, 177, 300)), ("classes", (0, 50, 123, 300)),
                         ("wide", (0, 1, 47, 150, 333, 400)), ("wide-late", (301, 302, 333, 350)), ("wide-pair", (3, 77, 200))):
        page = pages[name]
        page.open()
        for cycle in cycles:
            page.go(cycle)
            drawn, (still, queues, worm, words) = page.drawn(), page.still(cycle)
            expect(page.queues() == queues, f"{name}, cycle {cycle}: queues {page.queues()} and {queues}")
            expect(page.refusals() == page.still_refusals, f"{name}, cycle {cycle}: refused {page.refusals()}, {page.still_refusals}")
            wrong = [worm for worm in drawn.keys() | still.keys() if not same_worm(drawn.get(worm), still.get(worm))]
            expect(not wrong, f"{name}, cycle {cycle}: worms {sorted(wrong)[:5]} differ, the first one: page "
                   f"{drawn.get(min(wrong, default=0))} still {still.get(min(wrong, default=0))}")
            if not words:
                page.words(None)
                expect(page.heading() in ("Nobody waits", "Select a worm to see whom it waits for"), page.heading())
                idle = page.js("return shown.waits.size") == 0
                expect((page.heading() == "Nobody waits") == idle, f"{name}, cycle {cycle}: '{page.heading()}'")
            said = page.words(worm)
            expect(words == said or (worm is None and not words), f"{name}, cycle {cycle}: '{said}' and '{words}'")


def work_of_moves(page):
    """Returns, for 100 moves of the slider that are always the same, cycles stepped through, elements shown,
    milliseconds."""
    return page.js("""
        const moves = [], slider = document.getElementById('cycle'), step = State.prototype.step;
        let seed = 1, steps;
        State.prototype.step = function () { steps++; step.call(this); };
        for (let i = 0; i < 100; i++) {
          seed = seed * 48271 % 2147483647;
          slider.value = data.from + seed % (data.to - data.from + 1);
          steps = 0;
          const begin = performance.now();
          slider.dispatchEvent(new Event('input'));
          document.body.getBoundingClientRect();  // what was drawn has a place
          moves.push([steps, document.querySelectorAll('*').length, performance.now() - begin]);
        }
        State.prototype.step = step;
        return moves;""")


def page_is_small_and_quick(pages):
    """The page is small in bytes and each move does little work; how long it takes depends on the machine."""
    page = pages["mesh"]
    size = page.path.stat().st_size
    expect(size < MOST_BYTES, f"{size} bytes")
    page.open()
    steps, elements, times = map(sorted, zip(*work_of_moves(page)))
    print(f"test-browser: a move of the slider goes through at most {steps[-1]} cycles, shows at most {elements[-1]} elements "
          f"and takes {times[50]:.1f} ms here; 64 switches, 2,000 cycles: {size / (1 << 20):.2f} MiB", flush=True)
    expect(0 < steps[-1] <= MOST_STEPS, f"a move went through {steps[-1]} cycles")
    expect(elements[-1] <= MOST_ELEMENTS, f"after a move {elements[-1]} elements were shown")


TESTS = [page_opens_on_the_deadlock, a_terminal_that_refuses_is_in_the_circle, neighbours_in_a_chain_have_other_colours, slider_moves_the_cycle, odd_addresses_choose_no_worm, play_plays,
         hover_names_the_worm, click_selects_a_worm, search_finds_a_worm, those_gone_before_cannot_be_chosen,
         a_link_is_obeyed_while_the_address_follows, next_event_moves, page_shows_what_the_still_picture_shows,
         page_is_small_and_quick, a_fault_is_shown]


def run(test, pages, browser):
    """Returns the failure as text, or None."""
    try:
        test(pages)
        errors = [entry["message"] for entry in browser.get_log("browser")]
        expect(not errors, f"in the console: {errors}")
    except Exception:  # whatever a test raises is its failure
        return traceback.format_exc()
    return None


def in_browser(name, junit, make, tests, show=None):
    """Runs tests, each with what make(browser, directory) has returned, then show() with it, and writes the results. Returns the
    exit status."""
    suite = Suite(name)
    with tempfile.TemporaryDirectory() as directory:
        browser = start_browser()
        try:
            made = make(browser, Path(directory))
            for test in tests:
                note(suite, test.__name__, run(test, made, browser))
            if show:
                show(made)
        finally:
            browser.quit()
    suite.write(Path(junit))
    return suite.status()


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.splitlines()[2])
    annelid = os.path.abspath(sys.argv[1])

    def make(browser, directory):
        def page(*arguments):
            return Page(browser, annelid, directory, *arguments)
        return {"mesh": page("mesh8_uniform.yaml", "--to", "1999"),
                "late": page("mesh8_saturated.yaml", "--from", "1000", "--to", "1100"),
                "store": page("torus4_store_batch.yaml", "--to", "100"),
                "torus": page("deadlock_torus5.yaml", "--from", "4000"),
                "bufferless": page("bufferless8_rounds.yaml"),
                "fault": page("bufferless4_early.yaml"),
                "reply": page("deadlock_reply.yaml"),
                "reply-late": page("deadlock_reply.yaml", "--from", "45"),
                "requests": page("classes_requests.yaml", "--from", "100", "--to", "300"),
                "classes": page("classes_graph.yaml", "--to", "300"),
                "wide": page("wide_mesh3_chained.yaml", "--to", "400"),
                "wide-late": page("wide_mesh3_chained.yaml", "--from", "301", "--to", "350"),
                "wide-pair": page("wide_pair4.yaml", "--to", "200")}

    def show(pages):
        pages["torus"].open()
        pages["torus"].browser.save_screenshot(sys.argv[3])
    return in_browser("browser", sys.argv[2], make, TESTS, show if len(sys.argv) == 4 else None)


if __name__ == "__main__":
    sys.exit(main())
