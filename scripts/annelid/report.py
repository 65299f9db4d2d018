# SPDX-License-Identifier: Apache-2.0
"""The sign-off page: what must hold, row by row, and whether it does for these sources (docs/report.md).

Runs what the rows of tb/campaigns/report/rows.toml ask for, unless a row passed before and none of the files that it
reads has changed since, and writes BUILD/report/index.html and report.txt. A row is green only if its own run says so.
`make report` calls it.
"""

import datetime
import fnmatch
import html as markup
import json
import operator
import pathlib
import re
import shutil
import subprocess
import sys
import textwrap
import time
import tomllib

from annelid.children import Wrong
from annelid.options import parser
from annelid.results import asked_for_version, count_junit, write_json
from annelid.slices import kinds
from annelid.sources import digest, write

ROWS = pathlib.Path("tb/campaigns/report/rows.toml")
NEEDED = {"name", "level", "wants"}
KEYS = NEEDED | {"make", "reads", "junit", "least", "json", "holds", "says", "results", "short", "short_json"}
EVERY = "every"  # the group of files that every row reads
OPERATORS = {"==": operator.eq, "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt}
PASS, FAIL, NOT_RUN, NOT_YET = "PASS", "FAIL", "not run", "not yet"
OURS = ("SHORT", "SHOW", "AGAIN", "RESULTS", "ONLY")  # variables of make report, which have other meanings in the rows' targets
TOOLS = ("VERILATOR", "YOSYS", "IVERILOG", "CC")


LEVELS = {"V1": "it works", "V2": "it is tested", "V3": "the tests are tested"}
COLUMNS = 110
STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th:nth-child(1) { width: 11rem; } th:nth-child(2) { width: 6rem; } th:nth-child(5) { width: 4rem; text-align: right; }
td, th { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-top: 1px solid #8884; }
td:first-child { white-space: nowrap; font-weight: 600; } td.time { white-space: nowrap; text-align: right; }
.verdict { display: inline-block; width: 4.6rem; text-align: center; border-radius: .25rem; font-weight: 600; }
.PASS { background: #1a7f37; color: #fff; } .FAIL { background: #c62828; color: #fff; }
.not { background: #8883; }
code { font-size: .9em; } pre { overflow-x: auto; background: #8881; padding: .6rem; font-size: .8rem; }
p.facts { margin: 0; opacity: .75; font-size: .9rem; }
"""


def of_kinds(row):
    """Returns a row as it is, or, if it is for each kind of switch of a slice, one for each."""
    if row.get("each") != "kind":
        return [row]
    words = [{"target": target, "name": module.NETWORK, "wants": module.WANTS} for target, module in kinds().items()]
    return [{key: value.format(**one) if isinstance(value, str) else value for key, value in row.items() if key != "each"} for one in words]


def table(path):
    """Returns the table of a file, with the rows of slices."""
    data = tomllib.loads(path.read_text())
    return data | {"row": [one for row in data["row"] for one in of_kinds(row)]}


def load(path):
    """Returns the rows. `reads` of each is the list of all its patterns, with those of the groups that it names."""
    try:
        data = table(path)
        rows, groups = data["row"], data["inputs"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise Wrong(f"{path}: {error}") from error
    for row in rows:
        strange, needed = set(row) - KEYS, NEEDED | ({"reads"} if "make" in row else set())
        if strange or not needed <= set(row):
            raise Wrong(f"{path}: row {row.get('name', '?')}: needs {', '.join(sorted(needed))}; has {', '.join(strange)}")
        words = [f"@{EVERY}", *row.get("reads", [])]
        unknown = [word for word in words if word.startswith("@") and word[1:] not in groups]
        if unknown:
            raise Wrong(f"{path}: row {row['name']}: no group of inputs {', '.join(unknown)}")
        row["reads"] = [pattern for word in words for pattern in (groups[word[1:]] if word.startswith("@") else [word])]
    return rows


def matcher(patterns):
    """Returns a compiled pattern that matches paths that one of these matches; `*` is any text, also with `/` in it."""
    return re.compile("|".join(map(fnmatch.translate, patterns)))


def sources(rows):
    """Returns {path: digest} of the files of this checkout, committed or not, that some row reads."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True,
                            check=False).stdout.splitlines()
    read = matcher(pattern for row in rows for pattern in row.table["reads"])
    found = {name: digest(pathlib.Path(name)) for name in listed if read.match(name) and pathlib.Path(name).is_file()}
    if not found:
        raise Wrong("no sources: expected a git checkout")
    return found


def item(data, path):
    for word in path.split("."):
        data = data.get(word) if isinstance(data, dict) else None
    return data


def fault(data, condition):
    """Returns in what the evidence fails a condition; None if it does not."""
    match = re.fullmatch(r"(\S+) (==|<=|>=|<|>) (\S+)", condition)
    if not match:
        raise Wrong(f"{ROWS}: {condition!r}: expected \"path == number\"")
    value = item(data, match[1])
    if value is None:
        return f"has no {match[1]}"
    return None if OPERATORS[match[2]](value, float(match[3])) else f"does not hold: {condition}"


def differences(old, new):
    """Returns the sorted paths whose digests differ."""
    return sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path))


class Row:
    """A row and its result."""

    def __init__(self, options, table):
        self.table, self.name, self.level, self.wants = table, table["name"], table["level"], table["wants"]
        self.target = table.get("short") if options.short else table.get("make")
        self.json = table.get("short_json" if options.short else "json")
        words = re.sub(r"\W+", "-", self.name.lower())
        self.path = options.build / "report" / f"{words}{'-short' if options.short else ''}.json"
        self.log, self.junit = self.path.with_suffix(".log"), self.path.with_suffix("")
        self.build, self.reads = options.build, matcher(table["reads"])
        self.verdict, self.says, self.seconds = NOT_YET if "make" not in table else NOT_RUN, "", None

    def inputs(self, files):
        """Returns {path: digest} of all on which this row depends: the files that it reads, and its own table."""
        own = digest(json.dumps(self.table, sort_keys=True))
        return {str(ROWS): own} | {path: mark for path, mark in files.items() if self.reads.match(path)}

    def recall(self, files):
        """Takes the result of its last run, if nothing that it reads has changed since."""
        if not self.target or not self.path.exists():
            return
        record, inputs = json.loads(self.path.read_text()), self.inputs(files)
        changed = differences(record["inputs"], inputs)
        if changed:
            more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
            self.says = f"ran before {changed[0]}{more} changed"
            return
        self.verdict, self.says, self.seconds = record["verdict"], record["says"], record["seconds"]

    def run(self, children, files):
        shutil.rmtree(self.junit, ignore_errors=True)
        if self.json:
            (self.build / self.json).unlink(missing_ok=True)
        begin = time.monotonic()
        status, _ = children.logged(["make", "--no-print-directory", f"BUILD={self.build}", f"JUNIT={self.junit}",
                                     *self.target.split()], self.log, patience=None)
        self.seconds = round(time.monotonic() - begin)
        self.says, good = self.examine()
        self.verdict = PASS if good and not status else FAIL
        if status:
            self.says = f"exit status {status}" + (f"; {self.says}" if self.says else "")
        write_json(self.path, dict(target=self.target, verdict=self.verdict, says=self.says, seconds=self.seconds,
                                   inputs=self.inputs(files)))

    def examine(self):
        """Returns (what the evidence says, whether it meets the conditions)."""
        said, good = [], True
        if self.table.get("junit"):
            passed, failed, _ = count_junit(self.junit)
            said.append(f"{passed} tests passed" + (f", failed: {', '.join(failed)}" if failed else ""))
            good = not failed and passed >= self.table.get("least", 1)
        if self.json:
            path = self.build / self.json
            if not path.exists():
                return f"did not write {path}", False
            data = json.loads(path.read_text())
            broken = [fault(data, one) for one in self.table.get("holds", [])]
            try:
                said.append(self.table.get("says", "").format(**data))
            except KeyError as absent:
                broken.append(f"has no {absent}")
            broken = [f"{path} {one}" for one in broken if one]
            said += broken
            good = good and not broken
        return "; ".join(filter(None, said)), good

    def tail(self):
        """Returns the end of the log of a row that failed."""
        if self.verdict != FAIL or not self.log.exists():
            return ""
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-30:])


def recalled(options):
    """Returns the rows with what is known of them from earlier runs, and the files that they read now (sources)."""
    rows = [Row(options, table) for table in load(options.rows)]
    files = sources(rows)
    for row in rows:
        row.recall(files)
    return rows, files


def facts():
    """Returns commit, machine and versions that made the page."""
    def first_line(command):
        try:
            return subprocess.run(command, capture_output=True, text=True, check=False).stdout.partition("\n")[0]
        except OSError:
            return f"no {command[0]}"
    commit = first_line(["git", "log", "-1", "--format=%h %s"])
    dirty = subprocess.run(["git", "status", "--porcelain"], capture_output=True, text=True,
                           check=False).stdout
    return [("commit", commit + (" (and changes)" if dirty else "")),
            ("made", datetime.datetime.now().strftime("%Y-%m-%d %H:%M")),
            ("tools", "; ".join(first_line(asked_for_version(name)) for name in TOOLS))]


# --- the page ---

def count(rows):
    def of(verdict):
        return sum(row.verdict == verdict for row in rows)
    return (f"{of('PASS')} rows green, {of('FAIL')} red, {of('not run')} not run, {of('not yet')} that nothing "
            "measures yet")


def verdict_of(rows, short):
    if short:
        return "Short form: a sample of each, no sign-off."
    signed = all(row.verdict == "PASS" for row in rows)
    return "Signed off: every row is green." if signed else "Not signed off."


def page_text(rows, facts, short):
    lines = ["Annelid: sign-off", f"{verdict_of(rows, short)} {count(rows)}."]
    lines += [f"{name:<8}{value}" for name, value in facts]
    width = max(len(row.name) for row in rows)
    for level, meaning in LEVELS.items():
        lines += ["", f"{level}: {meaning}"]
        for row in (row for row in rows if row.level == level):
            seconds = "" if row.seconds is None else f"{row.seconds} s"
            lines += [f"  {row.verdict:<8}{row.name:<{width}}  {seconds:>7}  {row.says}"]
            lines += textwrap.wrap(row.wants, COLUMNS, initial_indent=" " * 10, subsequent_indent=" " * 10)
    return "\n".join(lines) + "\n"


def html_row(row):
    tail = row.tail()
    more = f"<details><summary>end of {row.log}</summary><pre>{markup.escape(tail)}</pre></details>" if tail else ""
    seconds = "" if row.seconds is None else f"{row.seconds} s"
    command = f"<br><code>make {markup.escape(row.target)}</code>" if row.target else ""
    return (f"<tr><td>{markup.escape(row.name)}</td>"
            f'<td><span class="verdict {row.verdict.split()[0]}">{row.verdict}</span></td>'
            f"<td>{markup.escape(row.wants)}{command}</td><td>{markup.escape(row.says)}{more}</td>"
            f'<td class="time">{seconds}</td></tr>')


def page_html(rows, facts, short):
    heads = "".join(f'<p class="facts">{name}: {markup.escape(value)}</p>' for name, value in facts)
    tables = ""
    for level, meaning in LEVELS.items():
        body = "\n".join(html_row(row) for row in rows if row.level == level)
        tables += (f"<h2>{level}: {meaning}</h2><table><thead><tr><th>row</th><th>verdict</th><th>what must hold</th>"
                   f"<th>what was seen</th><th>time</th></tr></thead><tbody>{body}</tbody></table>")
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Annelid: sign-off</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
            f"<h1>Annelid: sign-off</h1><p><strong>{verdict_of(rows, short)}</strong> {count(rows)}.</p>{heads}{tables}"
            "</body></html>\n")


def write_results(children, build, rows):
    """Has the campaigns of green rows write their files of docs/results/."""
    for row in rows:
        if row.verdict == PASS and (name := row.table.get("results")):
            children.must([sys.executable, "scripts/run", name, "--docs", "--build", build])
            print(f"scripts/run {name} --docs wrote its file of docs/results/", flush=True)


def parse():
    one = parser(__doc__, short="the short form of each row", only="words of the names of the rows to run")
    one.add_argument("--rows", type=pathlib.Path, default=ROWS, help="another list of rows")
    one.add_argument("--show", action="store_true", help="run nothing: the page of what ran before")
    one.add_argument("--again", action="store_true", help="run also what is green already")
    one.add_argument("--results", action="store_true", help="write docs/results/ from the green rows")
    options = one.parse_args()
    if options.results and options.short:
        raise Wrong("--results is for whole runs; leave --short out")
    return options


def chosen(options, rows):
    names = {word for row in rows for word in row.name.split()}
    strange = set(options.only) - names
    if strange:
        raise Wrong(f"no row has a name with {', '.join(sorted(strange))}")
    return [row for row in rows if row.target and (not options.only or set(options.only) & set(row.name.split()))]


def main(children):
    options = parse()
    for name in OURS:
        children.environment.pop(name, None)
    rows, files = recalled(options)
    to_run = [] if options.show else chosen(options, rows)
    to_run = [row for row in to_run if options.again or row.verdict != PASS]
    for number, row in enumerate(to_run, 1):
        print(f"{number}/{len(to_run)} {row.name}: make {row.target}", flush=True)
        row.run(children, files)
        print(f"  {row.verdict}  {row.says} ({row.seconds} s)", flush=True)
        if changed := differences(files, sources(rows)):
            if any(map(row.reads.match, changed)):
                row.path.unlink()
            raise Wrong(f"{changed[0]} changed while {row.name} ran")
    place = options.build / "report"
    text = page_text(rows, facts(), options.short)
    write(place / "report.txt", text)
    write(place / "index.html", page_html(rows, facts(), options.short))
    print(f"\n{text}\n{place / 'index.html'}")
    if options.results:
        write_results(children, options.build, chosen(options, rows))
    return 1 if any(row.verdict in (FAIL, NOT_RUN) for row in rows if not options.short or row.target) else 0
