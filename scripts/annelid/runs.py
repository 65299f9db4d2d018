# SPDX-License-Identifier: Apache-2.0
"""What SCENARIO= and SEED= say."""

import pathlib
import re

from annelid.children import Wrong
from annelid.slices import folders, scenarios
from annelid.variables import nearest


def is_ours(path):
    """Says whether a scenario can be named without its folder."""
    return pathlib.Path(path).parent in folders("scenarios")


def scenario_path(name, folder=pathlib.Path()):
    """Returns the path of a scenario of ours by its name, or of another one by its path, from here or from a folder."""
    ours = [one / f"{name}.yaml" for one in folders("scenarios")]
    path = next((one for one in (*ours, pathlib.Path(name), folder / name) if one.is_file()), pathlib.Path(name))
    if not path.exists():
        close = nearest(name, [one.stem for one in scenarios()])
        raise Wrong(f"SCENARIO={name}: neither {ours[0]} nor {path} exists" + (f"; the nearest is {close}" if close else ""))
    return path


def seeds_of(text):
    """Returns the seeds in a text such as 1,4-7; an empty list is refused, for a regression without runs would pass."""
    seeds = []
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if not first <= last < 2**64:
            raise Wrong(f"seeds {text!r}: expected numbers and ascending ranges, like 1,4-7")
        seeds += range(first, last + 1)
    return seeds
