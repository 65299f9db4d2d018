# SPDX-License-Identifier: Apache-2.0
"""The slices of papers (docs/architecture.md, "Adding a paper"): which ones are built, and what they have beside
the product: RTL, scenarios, suites of runs, what draws the worms of a kind of switch."""
import functools
import importlib.util
import os
import pathlib
import re
import sys

PRODUCT = {"scenarios": pathlib.Path("sim/scenarios"), "suites": pathlib.Path("sim/suites")}


def all_papers():
    """Returns the folders of all papers, ascending."""
    return sorted(path for path in pathlib.Path("papers").glob("*/") if path.name != "common")


def papers():
    """Returns the folders of the papers that are built: those that PAPERS= names, or else all."""
    named = os.environ.get("PAPERS")
    return all_papers() if named is None else [path for path in all_papers() if path.name in named.split()]


def folders(kind):
    """Returns the folders of scenarios or suites: that of the product, then those of papers."""
    return beside(PRODUCT[kind], kind)


def machines():
    """Returns the names of the kinds of switches that papers add."""
    parts = "".join((path / "parts.inc").read_text() for path in papers() if (path / "parts.inc").exists())
    return re.findall(r"^MACHINE\(\w+, (\w+)\)", parts, re.MULTILINE)


def kind_files():
    """Returns {target: file} of these kinds, ascending: papers/<slice>/lockstep/<target>.py draws their worms."""
    found = [path for slice_ in papers() for path in slice_.glob("lockstep/*.py")]
    return {path.stem: path for path in sorted(found, key=lambda path: path.stem)}


def costs():
    """Returns the targets that measure the model of a kind, ascending: papers/<slice>/bench/<target>_cost.c."""
    return sorted(f"bench-{path.stem.removesuffix('_cost')}" for slice_ in papers() for path in slice_.glob("bench/*_cost.c"))


def kinds():
    """Returns {target: module} of these kinds."""
    return {target: module_of(path) for target, path in kind_files().items()}


@functools.cache
def module_of(path):
    """Returns a Python file of a slice as a module."""
    spec = importlib.util.spec_from_file_location(f"annelid.of_slices.{path.stem}", path)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def beside(folder, name):
    """Returns a folder of the product, then the folders of a name in the slices that are built."""
    return [folder, *there(name, os.getcwd(), os.environ.get("PAPERS"))]


@functools.cache
def there(name, _directory, _papers):
    slices = [pathlib.Path("papers/common"), *papers()] if papers() else []
    return [path / name for path in slices if (path / name).is_dir()]


def rtl_lists():
    """Returns the lists of the RTL, which name files relative to themselves: that of the product, then those of papers."""
    return [pathlib.Path("rtl/annelid.f"), *(path / "files.f" for path in beside(pathlib.Path("rtl"), "rtl")[1:])]


def scenarios():
    """Yields the paths of all scenarios that can be named without their folder."""
    for folder in folders("scenarios"):
        yield from sorted(folder.glob("*.yaml"))


def suite_names():
    """Returns the names of all suites, ascending."""
    return sorted({path.stem for folder in folders("suites") for path in folder.glob("*.suite")})


def parts_of(name):
    """Returns the files of a suite: one of the product may go on in papers."""
    return [path for folder in folders("suites") if (path := folder / f"{name}.suite").exists()]
