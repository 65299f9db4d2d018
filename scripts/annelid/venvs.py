# SPDX-License-Identifier: Apache-2.0
"""Environments of Python with packages in exact versions, for tools that Debian lacks."""

import subprocess

from annelid.children import Wrong
from annelid.sources import digest, write


def made(venv, wanted, tool, children, system=False):
    """Returns the directory of an environment with the packages of a file of requirements, which it makes unless it is
    there. system: those of the system are in it, too. Wrong: "cannot be installed", or the index has other files, which is
    no reason to leave tests out."""
    mark = venv / "made.stamp"
    if mark.exists() and mark.read_text() == digest(wanted):
        return venv
    for command in (["/usr/bin/python3", "-m", "venv", "--clear", *(["--system-site-packages"] if system else []), venv],
                    [venv / "bin/python3", "-m", "pip", "install", "--quiet", "--no-input",
                     "--disable-pip-version-check", "--require-hashes", "-r", wanted]):
        status, output = children.run(command, stdout=subprocess.PIPE, text=True)
        if status:
            said = [line for line in output.splitlines() if "ERROR" in line] or output.splitlines()
            if "DO NOT MATCH THE HASHES" in output:
                raise Wrong(f"{tool}: the package index has other files than {wanted}, which may lack those of this Python: "
                            f"{output[-700:]}")
            raise Wrong(f"{tool} cannot be installed from {wanted}, which takes python3-venv and a package "
                        f"index: {' '.join(said)[:700]}")
    write(mark, digest(wanted))
    return venv
