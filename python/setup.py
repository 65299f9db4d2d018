# SPDX-License-Identifier: Apache-2.0
"""Makes the shared library, the command and the declarations of the C interface, and puts them into the wheel."""

import os
import shutil
import subprocess
from pathlib import Path

from cffi import FFI
from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from wheel.bdist_wheel import bdist_wheel
except ImportError:  # newer ones of setuptools have it themselves
    from setuptools.command.bdist_wheel import bdist_wheel

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("ANNELID_BUILD", ROOT / "build")).resolve()


def version():
    """The version, which stands in the headers alone."""
    header = ROOT / "cmodel/include/annelid/base.h"
    if not header.exists():
        raise SystemExit(f'found no "{header}", expected the folder python in a clone of Annelid, and pip 21.3 or newer')
    text = header.read_text()
    return ".".join(text.split(f"ANL_VERSION_{part} ")[1].split()[0] for part in ("MAJOR", "MINOR", "PATCH"))


class Parts(build_py):
    """Adds what make has made to the package."""

    def run(self):
        if getattr(self, "editable_mode", False):
            raise SystemExit("found an editable install, expected one without -e: the package has parts that are made")
        if not os.environ.get("ANNELID_MADE"):  # by make already
            # A path inside of the clone is relative, as the clone's own may have blanks, which make cannot have.
            build = BUILD.relative_to(ROOT) if ROOT in BUILD.parents else BUILD
            subprocess.run(["make", "-C", ROOT, f"BUILD={build}", "python-parts"], check=True)
        super().run()
        parts = Path(self.build_lib) / "annelid/parts"
        shutil.rmtree(parts, ignore_errors=True)
        shutil.copytree(BUILD / "python", parts)
        declarations = FFI()
        declarations.cdef((parts / "abi.h").read_text())
        declarations.set_source("annelid.abi", None)
        declarations.emit_python_code(str(parts.parent / "abi.py"))


class Wheel(bdist_wheel):
    """A wheel for any Python 3 of this kind of machine: the library is C, and no module is."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Binary(Distribution):
    def has_ext_modules(self):
        return True


SCRATCH = BUILD / "wheel"  # where setuptools leaves files, in place of the folder of the sources
SCRATCH.mkdir(parents=True, exist_ok=True)
setup(version=version(), cmdclass={"build_py": Parts, "bdist_wheel": Wheel}, distclass=Binary,
      options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}})
