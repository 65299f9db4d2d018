#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the pages look like, and figures that stand on several of them.

usage: tb/unit/scripts/test_pages.py BUILD JUNIT_FILE

Lines are short and begin no list by accident, tables have as many cells in each row as in their head, equations have a line
each, sections that are named exist, and figures of area and clock are those of tb/campaigns/fpga/history.csv, those beside a
link to docs/results/ those of its file. Claims of papers have a verdict each, and the README counts them.
The table of docs/beside_booksim.md is that of its points.

Prints failures only; exit status 1 if any.
"""
import csv
import itertools
import re
import subprocess
import sys
import tomllib
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = ["bench", "scripts"]
import latency
from suite import expect, main

PAGES = [Path("README.md"), Path("CONTRIBUTING.md"), Path("CHANGELOG.md"), *sorted(Path("docs").rglob("*.md")),
         *sorted(Path("papers").rglob("*.md"))]
LIST = re.compile(r"\s{0,3}(?:[-+*]|1[.)])\s")  # what begins a list in the middle of a paragraph, too
ITEM = re.compile(r"\s*(?:[-+*]|\d+[.)])\s")


def expect_none(complaints, what):
    """Expects that complaints(text) yields nothing for any page."""
    wrong = [f"{page}: {one}" for page in PAGES for one in complaints(page.read_text())]
    expect(not wrong, what, "\n  ".join(["", *wrong]))


def expect_found(complaints, *cases):
    """Expects as many complaints about each text as stand beside it."""
    for text, found in cases:
        seen = list(complaints(text))
        expect(len(seen) == found, f"{found} complaints about {text!r}", seen)


def without_code(text):
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.MULTILINE | re.DOTALL)


def blocks(text):
    """Returns the lines between empty lines, but for code, as lists."""
    return [block.split("\n") for block in re.split(r"\n\s*\n", without_code(text)) if block.strip()]


# --- lines ---

def long_lines(text):
    """Returns the lines of a page with more than 120 characters, but for code, tables, pictures and tags."""
    return [line for line in without_code(text).splitlines() if len(line) > 120 and not line.startswith(("|", "![", "<"))]


def lines_of_pages_are_short(_room, _build):
    expect_none(long_lines, "lines of at most 120 characters")
    expect_found(long_lines, ("x" * 121, 1), ("x" * 120, 0), ("|" + "x" * 121, 0), ("```\n" + "x" * 121 + "\n```\n", 0))


def accidental_lists(text):
    """Yields the lines of a paragraph that begin with a mark of lists, though the line before goes on with its sentence."""
    for block in blocks(text):
        for before, line in zip(block, block[1:]):
            among = any(ITEM.match(one) for one in block[:block.index(line)])
            if LIST.match(line) and not among and not before.startswith(" ") and not before.rstrip().endswith((":", "-->")):
                yield line


def no_line_begins_a_list_by_accident(_room, _build):
    expect_none(accidental_lists, "no list in the middle of a sentence")
    expect_found(accidental_lists, ("from i to i\n+ 1 mod k", 1), ("these:\n- one\n- two", 0), ("- one\n  more\n- two", 0))


# --- tables and equations ---

def ragged_rows(text):
    """Yields the rows of tables that have other cells than their head."""
    for block in blocks(text):
        rows = [line for line in block if line.startswith("|")]
        cells = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
        yield from (f"{n - 1} cells: {row[:60]}" for n, row in zip(cells, rows) if n != cells[0])


def rows_of_tables_have_the_cells_of_their_head(_room, _build):
    expect_none(ragged_rows, "as many cells as in the head of the table")
    expect_found(ragged_rows, ("| a | b |\n|---|---|\n| 1 | 2 |", 0), ("| a | b |\n|---|---|\n| 1 | 2 | 3 |\n| 1 |", 2),
                 ("| a |\n|---|\n| 1 \\| 2 |", 0))


def run_together(text):
    """Yields the numbers of equations that begin no line of their block, where those before or behind them do."""
    for block in blocks(text):
        begun = [re.match(r"    \((\d+)\) ", line) for line in block]
        numbers = {int(one[1]) for one in begun if one}
        yield from sorted(set(range(1, max(numbers) + 1)) - numbers) if len(numbers) > 1 else ()


def each_equation_has_a_line(_room, _build):
    expect_none(run_together, "each equation at the beginning of a line")
    expect_found(run_together, ("    (1) a = b    known\n    (2) c = d (1)    so", 0),
                 ("    (1) a = b    known (2) c = d\n    (3) e = f    so (4) g\n    (5) h", 2))


# --- the command ---

def unbuilt_commands(text):
    """Yields the first call of annelid in code of a page that does not say what builds it."""
    calls = [line for block in re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL) for line in block.splitlines()
             if re.match(r"(?:\$ )?(?:build/)?annelid [a-z]", line)]
    if calls and not re.search("`?make (?:model|worm|regress)`? builds", text.replace("\n", " ")) and "after `make model`" not in text:
        yield calls[0]


def pages_say_what_builds_the_command(_room, _build):
    expect_none(unbuilt_commands, "`make model` before the first call of annelid")
    expect_found(unbuilt_commands, ("```\n$ annelid run x.yaml\n```", 1), ("`make model`\nbuilds it.\n```\nannelid run x\n```", 0),
                 ("`annelid run`\n```\nmake test\n```", 0))


# --- sections ---

def pages_called(name):
    """Returns the pages of a name: a path from the top, or of a page of docs/."""
    return [Path(name)] if Path(name).is_file() else list(Path("docs").rglob(name))


def missing_sections(text):
    """Returns the sections that a text names (a page, a comma and the section in quotes) and that the page lacks: as a heading,
    or as a paragraph that begins with this name in bold."""
    joined = re.sub(r"\n\s*(?://|#|\*)?\s*", " ", text)
    for page, section in re.findall(r'(?:docs/)?([\w/-]+\.md)[`)]*, "([A-Z][^"]+)"', joined):
        begins = rf"^(?:#+ .*|(?:- )?\*\*){re.escape(section.rstrip('.,'))}"
        if not any(re.search(begins, one.read_text(), re.MULTILINE | re.IGNORECASE) for one in pages_called(page)):
            yield f'{page}, "{section}"'


def sections_that_are_named_exist(_room, _build):
    listed = subprocess.run(["git", "ls-files", "rtl", "cmodel", "papers", "scripts", "tb", "docs"], capture_output=True, text=True, check=True)
    texts = (Path(name) for name in listed.stdout.split() if name.endswith((".sv", ".c", ".h", ".inc", ".py", ".cpp", ".toml", ".md")))
    wrong = [f"{path}: {section}" for path in texts if path != Path(__file__).relative_to(Path.cwd())
             for section in missing_sections(path.read_text())]
    expect(not wrong, "sections that exist", "\n  ".join(["", *wrong]))
    expect_found(missing_sections, ('(docs/switch.md,\n// "Turns")', 0), ('switch.md`, "One\n# cycle"', 0),
                 ('docs/switch.md, "Returns"', 1))


# --- figures of area and clock ---

FPGA = Path("tb/campaigns/fpga")
FIELDS = {"iCE40 LUT4": "ice40_lut", "iCE40 LUT": "ice40_lut", "LUT4": "ice40_lut", "ECP5 LUT4": "ecp5_lut",
          "ECP5 narrow": "ecp5_narrow_lut", "narrow": "ecp5_narrow_lut", "FF": "ff", "HX8K MHz": "ice40_mhz",
          "ECP5-25 MHz": "ecp5_mhz", "xc7 LUT + RAM": "xc7", "xc7 LUT": "xc7"}


def record():
    """Returns ({set: its figures in the history}, {text of a set: its name}). A figure that a line lacks is that of the line
    before it, as in the comparison of `make fpga`."""
    figures = {}
    with (FPGA / "history.csv").open(newline="") as lines:
        for line in csv.DictReader(lines):
            figures.setdefault(line["set"], {}).update({field: value for field, value in line.items() if value})
    return figures, {one["text"]: name for name, one in tomllib.loads((FPGA / "fpga.toml").read_text()).items()}


def columns(head):
    """Returns the fields of the history that each column of a table has, in their order; flip-flops are of the family that the
    table named last."""
    family, found = "", []
    for cell in head:
        fields = [FIELDS.get(re.split(r":| \(", word.strip())[0]) for word in cell.split(",")]
        for i, field in enumerate(fields):
            if field and field.endswith(("lut", "xc7")):
                family = field.partition("_")[0]
            fields[i] = f"{family}_ff" if field == "ff" else field
        found.append(list(filter(None, fields)))
    return found


def wanted(values, field, number):
    """Returns a figure with as many decimals as a page has."""
    decimals = len(number.partition(".")[2])
    return f"{float(values[field]):,.{decimals}f}" if values.get(field) else None


def other_figures(text, figures, texts):
    """Yields the figures that are not those of the history. A row is that of a set if its first cell has the text of the set,
    or the mark <!-- set -->."""
    for block in blocks(text):
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in block if line.startswith("|")]
        for row in rows[2:]:
            mark = re.search(r"<!-- (\w+) -->", row[0])
            name = mark[1] if mark else texts.get(row[0].strip("*").removeprefix("annelid, "))
            if name is None:
                continue
            if name not in figures:
                yield f"{name} is no set of the history"
                continue
            for fields, cell in zip(columns(rows[0]), row):
                for field, number in zip(fields, re.findall(r"\d[\d,]*(?<!,)(?:\.\d+)?", cell)):
                    right = wanted(figures[name], field, number)
                    if right and number != right:
                        yield f"{name} has {field} {right}, not {number}"


def figures_of_area_and_clock_are_those_of_the_record(_room, _build):
    figures, texts = record()
    expect_none(lambda text: other_figures(text, figures, texts), "figures of the history")
    known = ({"a_1": dict(ice40_lut="1006", ice40_ff="844", ecp5_lut="930", ice40_mhz="76.25")}, {"mesh": "a_1"})
    head = "| switch | iCE40 LUT4, FF | ECP5 LUT4: here, *aim* | HX8K MHz |\n|---|---|---|---|\n"
    expect_found(lambda text: other_figures(text, *known), (head + "| mesh | 1,006, 844 | 930, 5 | 76.2 / 80.1 |", 0),
                 (head + "| *this* <!-- a_1 --> | 1,007, 845 | 931 | 76 |", 3), (head + "| other | 1 | 2 | 3 |", 0),
                 (head + "| x <!-- b --> | 1 | 2 | 3 |", 1))


# --- loads and clocks ---

ROUTING = Path("docs/routing.md")
LOADS, FLITS = "| routing | uniform | transpose | bit_reverse |", "| routing | ECP5-25 MHz | uniform | transpose | bit_reverse |"


def rows_behind(text, head):
    """Returns {first cell without its mark: (name of its set, the other cells)} of the table with this head."""
    lines = text.partition(f"\n{head}\n")[2].splitlines()[1:]
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in itertools.takewhile(lambda line: line.startswith("|"), lines)]
    return {re.sub(r" *<!--.*", "", first): (re.search(r"<!-- (\w+) -->|$", first)[1], others) for first, *others in cells}


def other_products(text, figures):
    """Yields the rows of flits in a microsecond that are not the saturation load of their routing times the clock of its switch."""
    loads = rows_behind(text, LOADS)
    for routing, (name, (_, *flits)) in rows_behind(text, FLITS).items():
        clock = float(figures[name]["ecp5_mhz"])
        right = [f"{float(load.split()[0]) * clock:.1f}" for load in loads[routing][1]]
        if flits != right:
            yield f"{routing} has {', '.join(right)}, not {', '.join(flits)}"


def flits_in_time_are_loads_times_clocks(_room, _build):
    figures, text = record()[0], ROUTING.read_text()
    wrong = list(other_products(text, figures))
    expect(not wrong and len(rows_behind(text, FLITS)) == 3, "products", wrong)
    expect(list(other_products(text.replace("| 0.361 ", "| 0.371 "), figures)), "another load seen")


# --- figures of results ---

RESULTS = Path("docs/results")
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


def figures_of(text):
    return {figure.rstrip(",") for figure in FIGURE.findall(text)}


def strange_figures(text, files):
    """Yields the figures, of two digits and more, in paragraphs that link to files of docs/results/ and that stand in none of
    these. files: {name: text}."""
    for block in blocks(text):
        words = "\n".join(line for line in block if not line.startswith("|"))
        links = set(re.findall(r"\]\((?:\.\./)*(?:docs/)?results/(\w+)\.md", words)) & files.keys()
        if links:
            known = set().union(*(figures_of(files[name]) for name in links))
            plain = re.sub(r"\]\([^)]*\)|`[^`]*`", " ", words)
            yield from (f"{one}, which is not in {', '.join(sorted(links))}" for one in sorted(figures_of(plain) - known)
                        if len(one) > 1)


def figures_beside_a_link_to_results_stand_there(_room, _build):
    files = {path.stem: path.read_text() for path in RESULTS.glob("*.md") if path.stem != "README"}
    expect_none(lambda text: strange_figures(text, files), "figures of the results")
    known = {"a": "| 1,234 | 9.5 |"}
    expect_found(lambda text: strange_figures(text, known), ("of [a](results/a.md) 1,234 and 9.5, in `x12` of 8", 0),
                 ("[a](../docs/results/a.md#b) has\n1,235, and 9.4, not 1,234.", 2), ("12 of [b](results/b.md)", 0), ("13", 0))


# --- claims of papers ---

VERDICTS = ("reproduced", "differs", "reduced", "not run")
COUNTS = re.compile(r"\[((?:\d+, ){%d}\d+)\]\((papers/\w+/claims\.md)\)" % (len(VERDICTS) - 1))


def wrong_claims(text):
    """Yields the rows of a page of claims without place, claim, verdict and what ran."""
    for row in (line for line in text.splitlines() if line.startswith("|") and not re.match(r"\|( place |-)", line)):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if len(cells) != 4 or not all(cells) or cells[2] not in VERDICTS:
            yield row


def counts_of(text):
    """Returns how many claims have each verdict, as the README writes them."""
    return ", ".join(str(len(re.findall(rf"\| *{verdict} *\|", text))) for verdict in VERDICTS)


def claims_have_verdicts_that_are_counted(_room, _build):
    pages = {str(page): page.read_text() for page in PAGES if page.name == "claims.md"}
    wrong = [f"{name}: {row}" for name, text in pages.items() for row in wrong_claims(text)]
    expect(not wrong, f"place, claim, verdict ({', '.join(VERDICTS)}) and what ran", "\n  ".join(["", *wrong]))
    counted = {name: counts for counts, name in COUNTS.findall(Path("README.md").read_text())}
    expect(counted == {name: counts_of(text) for name, text in pages.items()}, "claims counted in the README", counted)
    good = "| place | claim | verdict | what ran |\n|---|---|---|---|\n| 1 | a | reduced | b |\n"
    expect(not list(wrong_claims(good)) and counts_of(good) == "0, 0, 1, 0", "a claim read")
    expect(len(list(wrong_claims(good.replace("reduced", "true") + "| 2 | c | differs | |\n"))) == 2, "two wrong rows seen")


# --- curves beside another simulator ---

def curves_beside_another_simulator_are_those_of_the_record(_room, _build):
    rows, text = latency.markdown(latency.read_points(Path("bench/beside_booksim.csv"))), Path("docs/beside_booksim.md").read_text()
    missing = [row for row in rows if f"\n{row}\n" not in text]
    expect(not missing and text.count("\n| short | ") == sum(row.startswith("| short |") for row in rows), "the table of the points", missing)


TESTS = [pages_say_what_builds_the_command, lines_of_pages_are_short, no_line_begins_a_list_by_accident, rows_of_tables_have_the_cells_of_their_head,
         each_equation_has_a_line, sections_that_are_named_exist, figures_of_area_and_clock_are_those_of_the_record,
         flits_in_time_are_loads_times_clocks,
         figures_beside_a_link_to_results_stand_there, claims_have_verdicts_that_are_counted,
         curves_beside_another_simulator_are_those_of_the_record]

if __name__ == "__main__":
    sys.exit(main("pages", TESTS, __doc__.splitlines()[2]))
