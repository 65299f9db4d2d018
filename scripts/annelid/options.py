# SPDX-License-Identifier: Apache-2.0
"""Options that several scripts have, and the choice of sets by name."""

import argparse
import os
import pathlib

from annelid.children import Wrong


def parser(text, **helps):
    """Returns a parser with --build and those of --jobs, --short, --only, --junit and --docs that have a help text in
    `helps`. text is the docstring of the module."""
    one = argparse.ArgumentParser(description=text.splitlines()[0])
    one.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="build directory")
    kinds = dict(jobs=dict(type=int, default=int(os.environ.get("JOBS") or os.cpu_count())), short=dict(action="store_true"),
                 only=dict(nargs="*", default=[]), junit=dict(type=pathlib.Path), docs=dict(action="store_true"))
    for name, words in helps.items():
        one.add_argument(f"--{name}", help=words, **kinds[name])
    return one


JOBS, JUNIT = "processes at once", "directory for the JUnit file"


def check_names(wanted, known, what):
    strange = set(wanted) - set(known)
    if strange:
        raise Wrong(f"no {what} {', '.join(sorted(strange))}; there are {', '.join(known)}")


def choose(options, sets):
    """Returns the sets that --only names, or all without --only; with --short only those of them that are marked short."""
    check_names(options.only, sets, "set")
    return [one for one in sets.values()
            if (not options.only or one.name in options.only) and (one.short or not options.short)]
