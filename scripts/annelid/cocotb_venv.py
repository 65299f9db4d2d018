# SPDX-License-Identifier: Apache-2.0
"""The environment in which tests run cocotb with the package for Python: cocotb in an exact version, and the package as this
tree has it."""

import os

from annelid.venvs import made

WANTED = "tb/campaigns/streams/requirements.txt"


def environment(build, children):
    """Returns the directory of the environment. What make python-parts makes is there. Wrong: cocotb cannot be installed."""
    venv = made(build / "cocotb/venv", WANTED, "cocotb", children, system=True)
    children.must(["env", "ANNELID_MADE=1", f"ANNELID_BUILD={build.resolve()}", venv / "bin/python3", "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-deps", "--no-build-isolation",
                   "--no-index", "--force-reinstall", "./python"])
    return venv


def variables(venv, children):
    """Returns the variables of a program that runs in the environment, beside those of all children."""
    return {"PATH": os.pathsep.join([str(venv.resolve() / "bin"), children.environment["PATH"]]), "COCOTB_LOG_LEVEL": "INFO"}
