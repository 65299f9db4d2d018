# SPDX-License-Identifier: Apache-2.0
"""Measure the tests of the C engine by mutants of it (docs/mutants.md).

A sample of all changes that clang's syntax tree offers in the files of tb/campaigns/mutants/model/model.toml, built
into one library; each mutant must be killed by a unit test or a golden digest, plain or with sanitizers.
Survivors are gaps, unless explained.toml says why nothing can tell them from the engine. Prints a table
and "N passed, N failed"; report in BUILD/mutate-model/mutate-model.json. `make mutate-model` calls it.
"""

import collections
import json
import pathlib

from annelid import c_mutants
from annelid.children import Wrong
from annelid.model_programs import FLAGS, Programs, is_library, place
from annelid.options import JOBS, JUNIT, check_names, parser
from annelid.results import Results, markdown, run_campaign
from annelid.sources import digest, read_toml, write

DATA = pathlib.Path("tb/campaigns/mutants/model")
KINDS = ("unit", "digest", "sanitized")
COLUMNS = (*KINDS, "explained", "gap")
LEAST = 0.94        # fraction of all mutants that must be killed
LEAST_SHORT = 0.82  # and of the few of a short run, which has only quick tests


def load():
    """Returns the contents of tb/campaigns/mutants/model: model.toml, and explained.toml with its reasons."""
    data = read_toml(DATA / "model.toml") | read_toml(DATA / "explained.toml")
    missing = {"seed", "share", "most", "files", "tests"} - set(data)
    if missing:
        raise Wrong(f"{DATA}/model.toml: no {', '.join(sorted(missing))}")
    try:
        data["explained"] = {one["mutant"]: one["reason"] for one in data.get("explained", [])}
    except (KeyError, TypeError) as error:
        raise Wrong(f"{DATA}/explained.toml: an entry without {error}") from error
    for name, reason in data["explained"].items():
        if not reason.strip():
            raise Wrong(f"{DATA}/explained.toml: no reason for {name}")
    return data


class Trials:
    """All mutants and their results, a row for each."""

    def __init__(self, campaign, data):
        self.campaign, self.options, self.data, self.screen = campaign, campaign.options, data, campaign.screen
        listed = c_mutants.find({name: place(name) for name in data["files"]}, FLAGS)
        self.possible = len(listed)
        self.controls = {one["mutant"]: one["killed"] for one in data.get("control", [])}
        named = {*self.controls, *data["explained"]}
        self.mutants = c_mutants.choose(listed, data["share"], data["most"], data["seed"], named)
        self.check_names()
        self.tried = self.chosen()
        self.programs = Programs(campaign, data, self.planted())
        self.room = self.programs.room
        self.stamps, self.rows = {}, []

    def check_names(self):
        names = {mutant.name for mutant in self.mutants}
        for name in [*self.data["explained"], *self.controls]:
            if name not in names:
                raise Wrong(f"{DATA} speaks of a mutant that is not there (any more): {name}")

    # --- one mutant ---

    def stamp(self, program):
        """Returns a digest of all that decides whether a program kills a mutant."""
        if program.title not in self.stamps:
            self.stamps[program.title] = digest(self.library, *program.sources)
        return self.stamps[program.title]

    def kept_row(self, mutant):
        """Returns the row of an earlier run, if the programs that made it have not changed."""
        row = self.kept.get(mutant.name)
        by_title = {program.title: program for program in self.programs.all}
        titles = [row["by"]] if row and row["by"] else list(by_title)
        if not row or any(title not in by_title for title in titles):
            return None
        return row if row["stamp"] == digest(*map(self.stamp, map(by_title.get, titles))) else None

    def try_one(self, mutant):
        row = dict(mutant=mutant.name, file=mutant.source.name, function=mutant.function, line=mutant.line,
                   change=mutant.kind, verdict="gap", by=None, how=None, seen=None, reason=None, reached=False)
        for program in self.programs.all:
            if program.reaches is not None and mutant.number not in program.reaches:
                continue
            row["reached"] = True
            noticed = self.programs.run(program, mutant.number)
            if noticed:
                row.update(verdict=program.kind, by=program.title, how=noticed[0], seen=noticed[1])
                break
        used = [program for program in self.programs.all if row["by"] in (None, program.title)]
        return row | dict(stamp=digest(*map(self.stamp, used)))

    def try_mutant(self, mutant):
        row = self.kept_row(mutant) or self.try_one(mutant)
        row = row | dict(line=mutant.line, reason=None)
        reason = self.data["explained"].get(mutant.name)
        if row["verdict"] in ("gap", "explained"):
            row.update(verdict="explained" if reason else "gap", reason=reason)
        return row

    # --- all ---

    def chosen(self):
        """Returns (controls, other mutants): all others, or those that the options choose."""
        some = [mutant for mutant in self.mutants if mutant.name not in self.controls]
        if self.options.only:
            some = [mutant for mutant in some if mutant.source.name in self.options.only]
        if self.options.short:
            some = [mutant for mutant in some if mutant.name not in self.data["explained"] and is_library(mutant.source.path)]
            some = [mutant for mutant in some if c_mutants.drawn(mutant, self.data["seed"], self.data["short_step"])]
        return [mutant for mutant in self.mutants if mutant.name in self.controls], some

    def planted(self):
        """Returns the mutants that the programs contain: of a short run only those that it tries, because compilers take
        long for all; else all, so that a run of some mutants builds nothing anew."""
        return sorted([*self.tried[0], *self.tried[1]], key=lambda one: one.number) if self.options.short else self.mutants

    def run(self):
        """Returns (rows of the controls, all others)."""
        self.screen.progress("building the programs with all mutants in them")
        self.programs.build()
        self.library = digest(*self.programs.library())
        path = self.room / "results.json"
        self.kept = json.loads(path.read_text()) if path.exists() else {}
        controls, some = self.tried
        self.programs.prepare()
        try:
            self.campaign.each(self.try_mutant, [*controls, *some], "mutants", self.take)
        finally:
            write(path, json.dumps(self.kept))
        self.rows.sort(key=lambda row: (self.data["files"].index(row["file"]), row["line"], row["mutant"]))
        return [row for row in self.rows if row["mutant"] in self.controls], \
            [row for row in self.rows if row["mutant"] not in self.controls]

    def take(self, row):
        self.rows.append(row)
        self.kept[row["mutant"]] = row
        if len(self.rows) % 20 == 0:
            write(self.room / "results.json", json.dumps(self.kept))


# --- results ---

def count(rows):
    return collections.Counter(row["verdict"] for row in rows)


def lines(rows):
    """Returns (file, mutants, one number for each column, how many looped for ever), file by file, then for all."""
    by_file = collections.defaultdict(list)
    for row in rows:
        by_file[row["file"]].append(row)
    for name, some in [*by_file.items(), ("all", rows)]:
        seen = count(some)
        yield [name, len(some), *(seen[column] for column in COLUMNS), sum(row["how"] == "no end" for row in some)]


def table(rows):
    yield f"{'file':<20} {'mutants':>7} " + " ".join(f"{column:>9}" for column in COLUMNS) + "   (no end)"
    for name, mutants, *numbers in lines(rows):
        yield f"{name:<20} {mutants:>7} " + " ".join(f"{number:>9}" for number in numbers)


def complaints(trials, controls, rows):
    """Returns what is wrong, by mutant."""
    explained = trials.data["explained"]
    for row in controls:
        if (row["verdict"] in KINDS) != trials.controls[row["mutant"]]:
            yield row, (f"a control: must {'' if trials.controls[row['mutant']] else 'not '}be killed, "
                        f"but {row['by'] or 'nothing'} did")
    for row in rows:
        if row["verdict"] == "gap" and trials.options.short:
            trials.screen.say(f"left to the whole run: {row['mutant']}")
        elif row["verdict"] == "gap":
            yield row, "killed by nothing, and not explained" + ("" if row["reached"] else "; no test comes by it")
        elif row["verdict"] in KINDS and row["mutant"] in explained:
            yield row, f"explained as harmless, but {row['by']} kills it"


def report(trials, controls, rows):
    wrong = {row["mutant"]: text for row, text in complaints(trials, controls, rows)}
    suite = trials.campaign.suite
    for row in [*controls, *rows]:
        suite.case(row["file"], row["mutant"], wrong.get(row["mutant"]))
    seen = count(rows)
    killed = sum(seen[kind] for kind in KINDS)
    score = killed / max(1, len(rows))
    least = LEAST_SHORT if trials.options.short else LEAST
    suite.case("all", f"at least {least:.0%} killed", None if score >= least else f"{score:.1%} killed")
    for row in [*controls, *rows]:
        if row["mutant"] in wrong:
            trials.screen.say(f"{row['mutant']}: {wrong[row['mutant']]}")
        elif trials.options.survivors and row["verdict"] == "explained":
            trials.screen.say(f"{row['mutant']}: {row['reason']}")
    trials.screen.say("\n".join(table(rows)))
    endless = sum(row["how"] == "no end" for row in rows)
    return trials.campaign.end(
        f"{killed} of {len(rows)} mutants killed ({score:.1%}; {endless} had no end), {seen['explained']} explained, "
        f"{seen['gap']} gaps", possible=trials.possible, total=len(rows), killed=killed, score=round(score, 4),
        no_end=endless, count=seen, controls=controls,
        files={name: count([row for row in rows if row["file"] == name]) for name in trials.data["files"]},
        survivors=[row for row in rows if row["verdict"] not in KINDS], mutants=rows)


def tables(data):
    return (markdown(["file of the engine", "mutants", *COLUMNS, "(no end)"], lines(data["mutants"]))
            + f"\nKilled: {data['killed']} of {data['total']} ({data['score']:.1%}) of {data['possible']} possible changes, "
            f"{data['no_end']} of them because there was no end.\n")


RESULTS = Results("mutants_model", "Mutants of the model", "mutants.md", "mutate-model --docs", tables, ("CLANG", "CC"))


def parse():
    one = parser(__doc__, jobs=JOBS, short="few mutants, quick tests, no sanitizers", junit=JUNIT,
                 only="names of files, such as decide.c", docs=f"write {RESULTS.path} from the last report; measure nothing")
    one.add_argument("--survivors", action="store_true", help="name those explained, too")
    return one.parse_args()


def run_all(campaign):
    data = load()
    check_names(campaign.options.only, data["files"], "file")
    trials = Trials(campaign, data)
    return report(trials, *trials.run())


def main(children):
    return run_campaign("mutate-model", parse(), children, run_all, results=RESULTS)
