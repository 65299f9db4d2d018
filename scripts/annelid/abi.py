# SPDX-License-Identifier: Apache-2.0
"""Compare the functions and structs of the C interface with those of a release, and say if the soname must change.

Of each interface a file is compiled that has a pointer to each public function. libabigail's abidiff reads from its debug
data the type of each function, and the layouts of all types that it reaches. Nothing else of the library is compiled.
"""

import os
import pathlib
import re
import shlex
import shutil

from annelid.api_docs import HEADERS, declared
from annelid.children import Wrong
from annelid.options import parser

# Bits of abidiff's exit status.
FAILED, CHANGED = 1 | 2, 4 | 8


def soname(root):
    """Returns the name that programs look for, as base.h says it."""
    text = (root / "cmodel/include/annelid/base.h").read_text()
    major, minor = (re.search(rf"ANL_VERSION_{part} (\d+)", text)[1] for part in ("MAJOR", "MINOR"))
    return f"libannelid.so.{major}" if int(major) else f"libannelid.so.0.{minor}"


def compiled(children, root, room):
    """Compiles the pointers to the functions below a root. Returns the path of the library that has them."""
    headers = [path for pattern in HEADERS for path in sorted(root.glob(pattern))]
    names = [name for path in headers for name in sorted(set(declared(path.read_text())))]
    room.mkdir(parents=True, exist_ok=True)
    lines = [f'#include "{path.absolute()}"' for path in headers] + [f"__typeof__(&{name}) of_{name};" for name in names]
    (room / "pointers.c").write_text("\n".join(lines) + "\n")
    folders = sorted({path.absolute().parent.parent for path in headers})
    children.must([*shlex.split(os.environ.get("CC", "cc")), "-shared", "-fPIC", "-g", *[f"-I{folder}" for folder in folders],
                   f"-Wl,-soname,{soname(root)}", "-o", room / soname(root), room / "pointers.c"])
    return room / soname(root)


def difference(children, *words):
    """Returns whether two libraries differ, and what abidiff says of it."""
    status, said = children.output(["abidiff", "--no-show-locs", *words])
    if status & FAILED:
        raise Wrong(f"abidiff: status {status}\n{said}")
    return bool(status & CHANGED), said


def judged(children, old, new):
    """Returns (exit status, what is to be said) of two interfaces: what has only been added breaks no program."""
    if old.name != new.name:
        return 0, f"abi: {new.name} in place of {old.name}: programs of one do not take the other\n"
    differs, said = difference(children, old, new)
    if not differs:
        return 0, f"abi: nothing changed, {new.name} stays\n"
    broken, breaks = difference(children, "--no-added-syms", old, new)
    if not broken:
        return 0, f"{said}abi: only added, {new.name} stays\n"
    return 1, (f"{breaks}abi: a program that was made for the older {old.name} may fail with the newer one: the soname must change, so raise "
               "the major number of the version in base.h, or while that is 0 the minor one\n")


def archived(children, commit, room):
    """Writes the public headers of a commit to a folder."""
    shutil.rmtree(room, ignore_errors=True)
    room.mkdir(parents=True)
    folders = children.must(["git", "ls-tree", "-r", "--name-only", commit, "cmodel/include", "papers"]).split()
    folders = sorted({path.partition("/include/")[0] + "/include" for path in folders if "/include/" in path})
    children.must(["git", "archive", "-o", room / "headers.tar", commit, *folders])
    children.must(["tar", "-xf", room / "headers.tar", "-C", room])


def last_release(children):
    status, said = children.output(["git", "describe", "--tags", "--abbrev=0"])
    if status:
        raise Wrong(f'found no release ("{said.strip()}"), expected a tag of git or OLD=COMMIT')
    return said.strip()


def main(children):
    options = parser(__doc__)
    options.add_argument("old", nargs="?", help="a commit of git; if it is not given, the last tag")
    options = options.parse_args()
    old, room = options.old or last_release(children), options.build.absolute() / "abi"
    archived(children, old, room / "then")
    status, said = judged(children, compiled(children, room / "then", room / "old"), compiled(children, pathlib.Path(), room / "new"))
    print(f"abi: {old} and this tree\n{said}", end="")
    return status
