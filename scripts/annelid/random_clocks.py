# SPDX-License-Identifier: Apache-2.0
"""Draw clocks for what annelid rtl writes of a network (docs/clocks.md): for its terminals, for regions of its switches, or both."""

import random

from annelid.random_networks import switches_of

MOST_REGIONS = 4


def may_have_clocks(scenario):
    """Says whether parts of a design may have clocks of their own: not where heads carry stamps."""
    return scenario.switch.get("arbiter") != "age"


def regions_of(rng, switches):
    """Returns a table of regions, as the option has it. Some switch keeps the clock of the network."""
    regions, places = rng.randint(1, min(MOST_REGIONS, switches - 1)), rng.sample(range(switches), switches)
    taken = sorted(rng.sample(range(1, switches), regions))  # where the places of each region end
    rows = [sorted(places[low:high]) for low, high in zip([0, *taken], taken)]
    return ";".join(f"r{number}={','.join(map(str, row))}" for number, row in enumerate(rows))


def clocks_of(scenario):
    """Returns the options of the clocks, by the seed of the run; in one of two networks that may have them there are some."""
    rng = random.Random(f"clocks {scenario.run['seed']}")
    if not may_have_clocks(scenario) or rng.random() < 0.5:
        return ""
    terminals, switches = rng.random() < 0.5, switches_of(scenario.network)
    regions = regions_of(rng, switches) if switches > 1 and (not terminals or rng.random() < 0.5) else ""
    return " ".join(["--clock-per-terminal"] * terminals + [f"--clock-regions {regions}"] * bool(regions))


def kind_of(options):
    """Returns the word by which designs with such options are counted."""
    return " and ".join(word for word, option in (("terminals", "--clock-per-terminal"), ("regions", "--clock-regions")) if option in options)
