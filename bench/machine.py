# SPDX-License-Identifier: Apache-2.0
"""The machine and the build that were measured."""

import os
import platform
import shlex
import subprocess
from pathlib import Path


def said(command):
    """Returns what a command prints, or "" if there is no such command or it fails."""
    try:
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return "" if answer.returncode else answer.stdout.strip()


def cpu_model():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def machine():
    return {"cpu": cpu_model(), "cores": os.cpu_count(), "kernel": platform.release(),
            "load_average": round(os.getloadavg()[0], 2)}


def commit():
    """Returns the commit, and whether files that belong to it have been changed."""
    return {"commit": said(["git", "rev-parse", "HEAD"]) or "unknown",
            "changed": bool(said(["git", "status", "--porcelain", "--untracked-files=no"]))}


def compiler(command, flags):
    version = said([*shlex.split(command), "--version"]).partition("\n")[0]
    return {"compiler": version or command, "flags": flags}
