# SPDX-License-Identifier: Apache-2.0
"""The variables that each target of make takes, and what to say of a variable that no called target takes.

The comment behind a rule is the table: it names each variable that its target takes, with = behind the name. (`make help`
prints those comments that begin with ##.) Makefile calls main() before it builds anything.
"""

import difflib
import os
import pathlib
import re
import sys

from annelid.slices import costs, kind_files, papers

RULE = re.compile(r"^([a-z][a-z0-9-]*(?: [a-z][a-z0-9-]*)*):(?!=)([^#\n]*)(?:#+(.*))?$", re.MULTILINE)
NAMED = re.compile(r"\b([A-Z][A-Z0-9_]*)=")
READ = re.compile(r"\$[({]([A-Z][A-Z0-9_]*)\b")
MISSPELT = 0.82  # so much alike is a misspelt name: SETS and SET, SEEDS and SEED, but not NODE and MODE


def makefiles():
    """Returns the text of all makefiles, also of those that slices have, and a rule for each paper, which papers.mk makes."""
    top = pathlib.Path("Makefile").read_text()
    names = re.findall(r"^include ([\w./]+)", top, re.MULTILINE)
    own = [path for slice_ in papers() for path in slice_.glob("*/*.mk")]
    parts = [top, *(path.read_text() for path in [*map(pathlib.Path, names), *own])]
    for main in sorted(pathlib.Path("papers").glob("*/program/main.c")):
        parts.append(f"paper-{main.parents[1].name.replace('_', '-')}: ## {main.read_text().splitlines()[2]}")
    return with_slices("\n".join(parts).replace("\\\n", " "))


def with_slices(text):
    """Returns the text of makefiles with the targets of slices by their names, also those of kinds of switches (tb/tb.mk)."""
    own = " ".join(re.findall(r"^OWN_TARGETS \+= (.*)", text, re.MULTILINE)).split()
    for variable, words in (("KINDS", kind_files()), ("OWN_TARGETS", own), ("BENCH_OF_KINDS", costs())):
        tests = " ".join(f"test-{one}" for one in words)
        text = text.replace(f"$({variable})", " ".join(words)).replace(f"$({variable}:%=test-%)", tests)
    return text


def table(text):
    """Returns {target: the variables that it takes, besides those that all targets take}."""
    takes = {}
    for targets, _, remark in RULE.findall(text):
        for target in targets.split():
            takes.setdefault(target, set()).update(NAMED.findall(remark))
    return takes


def nearest(name, known, least=0.6):
    return next(iter(difflib.get_close_matches(name, sorted(known), 1, least)), None)


def hint(name, known):
    """Returns words that say what `name` may have been meant to be, and what there is."""
    close = nearest(name, known)
    return (f"the nearest is {close}; " if close else "") + f"there are {', '.join(sorted(known))}"


def complaint(text, everywhere, goals, given, environment):
    """Returns what is wrong with the variables of a call of make, or None.

    A goal without a rule of its own is a file, which may read whatever a makefile reads. A name in the environment is wrong
    only if it is nearly that of a variable of a goal: most names there are not meant for make.
    """
    takes = table(text)
    known = everywhere.union(READ.findall(text), *takes.values())
    own = set().union(*(takes.get(goal, ()) for goal in goals))
    taken = known if any(goal not in takes for goal in goals) else everywhere | own
    asked = " ".join(goals)
    for name in given:
        if name not in taken:
            return f"{name}=: no variable of make {asked}: {hint(name, own if nearest(name, own) else everywhere | own)}"
    for name in sorted(environment):
        if name not in known and name not in given and (close := nearest(name, own, MISSPELT)):
            return f"{name} in the environment: make {asked} has {close}; unset {name} if it means something else"
    return None


def main(_):
    """Arguments: names that all targets take, --, goals, --, names given on the command line. Prints what is wrong, if anything."""
    words = sys.argv[1:]
    first, second = (at for at, word in enumerate(words) if word == "--")
    everywhere, goals, given = words[:first], words[first + 1:second], words[second + 1:]
    upper = [name for name in os.environ if re.fullmatch("[A-Z][A-Z0-9_]*", name)]
    print(complaint(makefiles(), set(everywhere), goals, given, upper) or "")
    return 0
