# SPDX-License-Identifier: Apache-2.0
"""Benches in a simulator with four states, `module four_state`, and resets that are taken out of the RTL."""
import os
import subprocess
from pathlib import Path

from suite import expect
from annelid import planted
from annelid.children import tool


def four_states(room, bench, files, *words):
    """Returns what a bench says with these files of the RTL; words are for the compiler."""
    program = f"{room}/four_state.vvp"
    subprocess.run([*tool("IVERILOG"), "-g2012", "-Irtl/include", "-Itb/rtl/include", "-s", "four_state", *words, "-o", program,
                    *map(str, files), bench], check=True, capture_output=True)
    return subprocess.run([*tool("VVP"), "-n", program], capture_output=True, text=True, check=True, timeout=3600).stdout


def resets_of(bench, share):
    """Returns the resets of a table beside a bench, as faults: all of them, or so many."""
    found = planted.read([Path(bench).with_name("resets.toml")], "reset")
    return found if os.environ.get("UNIT_SHARE") == "1" else found[:share]


def resets_are_missed(room, bench, resets, words_of=lambda fault: ()):
    """Each reset is a fault that takes it out; words_of() has words for the compiler."""
    for fault in resets:
        directory = Path(room) / fault["name"]
        directory.mkdir()
        seen = four_states(directory, bench, planted.rtl([fault], directory), *words_of(fault))
        expect("FAIL" in seen, f"a failure with {fault['name']}", seen)
