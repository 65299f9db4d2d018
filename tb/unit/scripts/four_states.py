# SPDX-License-Identifier: Apache-2.0
"""Benches in a simulator with four states, `module four_state`, and resets that are taken out of the RTL."""
import subprocess
from pathlib import Path

from suite import expect
from annelid.sources import changed, rtl_with


def four_states(room, bench, files, *words):
    """Returns what a bench says with these files of the RTL; words are for the compiler."""
    program = f"{room}/four_state.vvp"
    subprocess.run(["iverilog", "-g2012", "-Irtl/include", "-s", "four_state", *words, "-o", program, *map(str, files), bench],
                   check=True, capture_output=True)
    return subprocess.run(["vvp", "-n", program], capture_output=True, text=True, check=True, timeout=3600).stdout


def resets_are_missed(room, bench, resets, words_of=lambda reset: ()):
    """Each reset is a file, a text of it, and what stands there without the reset; words_of() has words for the compiler."""
    for number, reset in enumerate(resets):
        directory = Path(room) / str(number)
        directory.mkdir()
        seen = four_states(directory, bench, rtl_with(reset[0], changed(*reset), directory), *words_of(reset))
        expect("FAIL" in seen, f"a failure without {reset[1]!r}", seen)
