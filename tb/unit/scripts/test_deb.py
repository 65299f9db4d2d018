#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Debian packages work, have no fault that lintian knows, and have the same bytes wherever they are made; so has the archive of
a release. A change of the C interface that breaks programs is told.

usage: tb/unit/scripts/test_deb.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main

from annelid import abi, deb
from annelid.children import Children, Wrong

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "SOURCE_DATE"))}
SCENARIO = "sim/scenarios/mesh4_uniform.yaml"
# Two accounts that have nothing in common: umask, folder of the project, build folder, environment.
ACCOUNTS = (("022", "one", "build", {"TZ": "Asia/Tokyo", "LC_ALL": "C"}),
            ("077", "another folder", "made", {"TZ": "America/New_York", "LC_ALL": "C.UTF-8", "HOME": "/nowhere", "USER": "guest"}))


def good(*command, room=".", **environment):
    seen = subprocess.run([str(word) for word in command], cwd=room, env=PLAIN | environment, capture_output=True, text=True,
                          check=False)
    expect(seen.returncode == 0, "success", (command, seen))
    return seen.stdout


def debs(build):
    return sorted((build / "deb").glob("*.deb"))


def installed(build, room):
    for path in debs(build):
        good("dpkg-deb", "-x", path, room)
    return room / "usr"


def lintian_finds_no_error_and_no_warning(_room, build):
    said = good("lintian", "--allow-root", "--fail-on", "none", *debs(build))
    expect(len(debs(build)) == 5 and not re.search(r"^[EW]: ", said, re.MULTILINE), "five packages without a fault", said)


def what_is_installed_works(room, build):
    there = installed(build, room)
    library = next((there / "lib").glob("*-*"))
    paths = {"LD_LIBRARY_PATH": str(library)}
    said = [line for line in good(there / "bin/annelid", "run", "--digest", "--referee", SCENARIO).splitlines() if not line.startswith("speed ")]
    flags = good("pkg-config", "--cflags", "--libs", "annelid", PKG_CONFIG_LIBDIR=f"{library}/pkgconfig:/usr/lib/{library.name}/pkgconfig",
                 PKG_CONFIG_SYSROOT_DIR=str(room)).split()
    good("cc", "-o", room / "client", there / "share/doc/annelid/client.c", *flags)
    client = good(room / "client", SCENARIO, **paths).splitlines()
    expect(len(said) == 6 and client[:6] == said, said, client)
    program = f'import annelid; print("%016x" % annelid.run("{SCENARIO}", digest=True).digest, annelid.__file__)'
    digest, path = good("/usr/bin/python3", "-c", program, PYTHONPATH=str(there / "lib/python3/dist-packages"), **paths).split()
    expect(f"digest      {digest}" in said and path.startswith(str(room)), "the same digest in Python", (digest, path))
    parts = there / "lib/python3/dist-packages/annelid/parts"
    expect((parts / "libannelid.so").resolve().parent == library.resolve() and (parts / "annelid").resolve() == (there / "bin/annelid").resolve(),
           "library and command of the system", sorted(parts.iterdir()))
    files = (there / "share/annelid/annelid.f").read_text().split()
    missing = [path for path in files if path.startswith("/") and not (room / path[1:]).exists()]
    expect(len(files) > 50 and not missing, "files of the list", missing)


def no_file_is_in_two_packages_or_in_none(room, build):
    files = [name for path in debs(build)
             for name in re.findall(r"^[-l].* \./(.*?)(?: -> .*)?$", good("dpkg-deb", "-c", path), re.MULTILINE)]
    expect(len(files) == len(set(files)), "each file once", "")
    (room / "tree/usr/games").mkdir(parents=True)
    (room / "tree/usr/games/worm").write_text("")
    try:
        deb.share_out(room / "tree", room, deb.packages((deb.SOURCES / "control").read_text()))
    except Wrong as wrong:
        expect("usr/games/worm: found no package" in str(wrong), "its name", wrong)
    else:
        expect(False, "a refusal of a file without a package")


def two_accounts_make_the_same_bytes(room, _build):
    sums = []
    for umask, folder, build, environment in ACCOUNTS:
        good("git", "clone", "-q", ".", room / folder)
        how = f'umask {umask} && make -s -j2 BUILD={build} CFLAGS="-O0 -g1" dist && make -s -j2 BUILD={build} CFLAGS="-O0 -g1" deb'
        good("bash", "-c", how, room=room / folder, **environment)
        made = room / folder / build
        sums.append({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in [*debs(made), *made.glob("annelid-*.tar.gz")]})
    expect(len(sums[0]) == 6 and sums[0] == sums[1], "the same archive and packages", sums)


def a_change_that_breaks_programs_is_told(room, _build):
    children, header = Children(), "cmodel/include/annelid/run.h"
    for root in ("old", "new"):
        for pattern in abi.HEADERS:
            for path in Path().glob(pattern):
                (room / root / path).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, room / root / path)
    old = abi.compiled(children, room / "old", room / "was")
    text = (room / "new" / header).read_text()
    first = re.search(r"^struct anl_run_options \{\n", text, re.MULTILINE).end()
    cases = {"nothing changed": (text, 0), "only added": (text.replace("enum anl_status anl_run(", "int anl_new(int x);\nenum anl_status anl_run(", 1), 0),
             "'int inserted'": (text[:first] + "    int inserted;\n" + text[first:], 1),
             "of_anl_run": (re.sub(r"\nenum anl_status anl_run\(", "\nenum anl_status anl_run_gone(", text), 1)}
    for what, (changed, status) in cases.items():
        (room / "new" / header).write_text(changed)
        seen = abi.judged(children, old, abi.compiled(children, room / "new", room / "is"))
        expect(seen[0] == status and what in seen[1] and ("the soname must change" in seen[1]) == bool(status), f"{status}, {what}", seen)
    base = room / "new/cmodel/include/annelid/base.h"
    base.write_text(re.sub(r"(ANL_VERSION_MAJOR) \d+", r"\1 99", base.read_text()))
    seen = abi.judged(children, old, abi.compiled(children, room / "new", room / "is"))
    expect(seen[0] == 0 and f"libannelid.so.99 in place of {old.name}" in seen[1], "another soname", seen)


TESTS = [lintian_finds_no_error_and_no_warning, what_is_installed_works, no_file_is_in_two_packages_or_in_none,
         two_accounts_make_the_same_bytes, a_change_that_breaks_programs_is_told]

if __name__ == "__main__":
    sys.exit(main("deb", TESTS, __doc__.splitlines()[4]))
