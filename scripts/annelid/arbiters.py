# SPDX-License-Identifier: Apache-2.0
"""The policies of switch.arbiter with their traits, as the library has them (cmodel/src/network/arbiters.c)."""

import pathlib
import re

TABLE = pathlib.Path("cmodel/src/network/arbiters.c")
ROW = re.compile(r'\[ANL_\w+\] = \{"(\w+)",([A-Z\s|]+)\}')

TRAITS = {name: set(re.findall(r"\w+", traits)) for name, traits in ROW.findall(TABLE.read_text())}
ARBITERS = tuple(TRAITS)  # in the order of their numbers
RANKED = tuple(name for name, traits in TRAITS.items() if traits & {"STAMPS", "DISTANCES"})  # what heads carry is compared
WIDE = tuple(name for name, traits in TRAITS.items() if "WIDE" in traits)  # wide links have it
