# SPDX-License-Identifier: Apache-2.0
"""The list of reports that a regression leaves for programs (docs/lockstep.md, "Reports for programs").

A run that has left a report is in the list with it (cmodel/include/annelid/report.h writes its JSON), and whatever else has
failed with a report of the same members, of which most are null.
"""

import json
import os
import pathlib
import shlex

from annelid import dut
from annelid.children import Wrong
from annelid.runs import is_ours

MEMBERS = ("from", "file", "seed", "what", "rule", "cycle", "more", "place", "worm", "expected", "seen", "probe", "referee",
           "assertion", "worms", "before", "waiting", "waits", "deadlock", "stall", "trace", "commands")


def is_list(text):
    """Says whether a text is a list of reports, or nothing."""
    try:
        found = json.loads(text or "[]")
    except ValueError:
        return False
    return isinstance(found, list) and all(isinstance(one, dict) and {"from", "what"} <= one.keys() for one in found)


def open_draft(path):
    """Creates a file beside a path, with a name that no other file has."""
    draft = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    return draft, draft.open("x")


def check(name):
    """Returns the path of a file, behind links, to which a list may be written. Wrong: it cannot be, or what is there is
    something else, which stays."""
    path = pathlib.Path(name).resolve()
    try:
        if path.exists() and not path.is_file():
            raise Wrong(f"JSON={name}: not an ordinary file")
        if path.exists() and not is_list(path.read_text(errors="replace")):
            raise Wrong(f"JSON={name}: is there and is no list of reports; it stays as it is")
        draft, file = open_draft(path)
    except OSError as error:
        raise Wrong(f"JSON={name}: cannot write: {error.strerror}") from error
    file.close()
    draft.unlink()
    return path


def write(name, found):
    """Writes a list, whole or not at all."""
    path = check(name)
    draft, file = open_draft(path)
    try:
        with file:
            file.write(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
        draft.replace(path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise Wrong(f"JSON={name}: cannot write: {error.strerror}") from error
        raise


def other(what, seen, **members):
    """Returns the report of what is no difference: of the regression itself."""
    place = dict.fromkeys(("text", "link", "number", "switch", "port", "lane"))
    return dict.fromkeys(MEMBERS) | {"from": "regress", "what": what, "seen": seen, "more": 0, "place": place, "worms": [],
                                     "commands": {}} | members


def replay_of(options, run):
    """Returns the command that repeats a run, as the report of a difference has it."""
    scenario = run.scenario.stem if is_ours(run.scenario) else shlex.quote(str(run.scenario))
    words = [f"make regress SCENARIO={scenario} SEED={run.seed}", run.settings and f"SET='{' '.join(run.settings)}'",
             options.mode != "exact" and f"MODE={options.mode}", options.dut and dut.typed(options.dut),
             options.prelude is not None and f"PRELUDE={options.prelude}"]
    return " ".join(word for word in words if word)


def of_run(options, run):
    """Returns the reports of a run that failed: its own, or one that has the reason."""
    own = run.result.get("reports") or [other("failed", run.reason, file=str(run.scenario), seed=run.seed,
                                              commands={"replay": replay_of(options, run)})]
    about = dict(name=run.name, scenario=str(run.scenario), seed=run.seed, settings=list(run.settings), end=run.end,
                 reason=run.reason, log=str(run.log))
    return [report | {"run": about} for report in own]


def of_all(options, runs, others):
    """Returns the reports of all runs that failed, and of what else has failed: others are (what, words)."""
    return [report for run in runs if run.reason for report in of_run(options, run)] + \
        [other(what, words) | {"run": None} for what, words in others]
