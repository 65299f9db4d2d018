# SPDX-License-Identifier: Apache-2.0
"""Make a scenario that fails small: a few worms, then fewer classes and lanes, less depth, a smaller network, narrower flits.

A graph stays as it is, and of a cube of several radices only the terminals of a switch become fewer.

The worms become messages, so that single ones can be left out. A step is kept if the scenario still fails in the same
kind of way, whatever the cycle and the place.
"""

import dataclasses
import re

from annelid.random_graphs import without_classes
from annelid.random_networks import columns_of, has_rings, head_bits, least_vcs, longest_worm, routings_of, selects, terminals_of

MOST_TRIALS = 400  # runs of a network to leave out worms; a run takes a fraction of a second
SMALLER = (("switch", "classes"), ("switch", "num_vcs"), ("network", "n"), ("network", "k"), ("network", "concentration"),
           ("switch", "depth"), ("switch", "flit_width_bits"))


class Shrinking:
    """fails(scenario) returns the cycle in which a scenario fails in the same kind of way, None if it does not.
    worms_of(scenario) returns the messages (cycle, source, destination, length, and class if there are several) of its worms."""

    def __init__(self, fails, worms_of):
        self.fails, self.worms_of, self.trials = fails, worms_of, 0

    def try_messages(self, scenario, messages, cycles):
        """Returns the scenario with these messages alone if it fails, else None."""
        if not messages or self.trials >= MOST_TRIALS:
            return None
        self.trials += 1
        tried = scenario.with_messages(messages, cycles)
        cycle = self.fails(tried)
        return None if cycle is None else tried.with_messages(messages, cycle + 1)

    # --- traffic ---

    def as_messages(self, scenario, cycle):
        """Returns the scenario up to the cycle of its failure, with its worms as messages; itself if that does not fail."""
        messages = [one for one in self.worms_of(scenario) if one[0] <= cycle]
        return self.try_messages(scenario, messages, cycle + 1) or scenario

    def without_worms(self, scenario):
        """Leaves out runs of messages, long ones first."""
        count = len(scenario.messages) // 2
        while count:
            at = 0
            while at < len(scenario.messages):
                left = scenario.messages[:at] + scenario.messages[at + count:]
                smaller = self.try_messages(scenario, left, cycles_of(scenario))
                scenario, at = (smaller, at) if smaller else (scenario, at + count)
            count //= 2
        return scenario

    def with_simpler_worms(self, scenario):
        """Shortens worms and lets them come earlier, one after the other, each as far as it goes."""
        at = 0
        while at < len(scenario.messages):
            tries = (self.try_messages(scenario, simpler, cycles_of(scenario)) for simpler in simpler_messages(scenario.messages, at))
            smaller = next(filter(None, tries), None)
            scenario, at = (smaller, at) if smaller else (scenario, at + 1)
        return scenario

    def fewer_worms(self, scenario, cycle):
        """Returns the scenario, which fails in the cycle, with few worms."""
        self.trials = 0
        scenario = self.as_messages(scenario, cycle)
        return self.with_simpler_worms(self.without_worms(scenario)) if scenario.messages else scenario

    # --- the network ---

    def with_value(self, scenarios, section, key, value):
        """Returns the scenario with few worms and the one with its original traffic, both with another value, if one of
        them fails, else None. Where the few worms do not fail any more, the original traffic may."""
        few, wide = (fitted(scenario, section, key, value) for scenario in scenarios)
        for tried in (few, wide):
            cycle = self.fails(tried)
            if cycle is not None:
                return self.fewer_worms(tried, cycle), wide
        return None

    def smaller_networks(self, best, original):
        """Lowers one value after the other to the smallest one that fails, as if all above it failed as well."""
        scenarios = best, original
        for section, key in values_that_shrink(best):
            value = least = least_value(best, key)
            most = getattr(best, section)[key]
            while least < most:
                smaller = self.with_value(scenarios, section, key, value)
                scenarios = smaller or scenarios
                least, most = (least, value) if smaller else (value + 1, most)
                value = (least + most) // 2
            best = scenarios[0]
        return best


# --- a smaller value, and what goes with it ---

def fitted(scenario, section, key, value):
    """Returns the scenario with a smaller value of a parameter, and with traffic for what is left: terminals, lengths."""
    if key == "classes":
        return with_fewer_classes(scenario, value)
    if key == "num_vcs":
        classes = scenario.switch.get("classes", 1)
        value += -value % classes  # as many lanes for each class
        scenario = with_fewer_escapes(scenario, value // classes - 1)
    smaller = scenario.changed(section, **{key: value})
    terminals, longest = terminals_of(smaller.network), longest_worm(smaller.switch, 65535)
    traffic = dict(smaller.traffic)
    if "hotspot_terminal" in traffic:
        traffic["hotspot_terminal"] %= terminals
    for name in {"length", "reply_length"} & traffic.keys():
        lengths = traffic[name]
        traffic[name] = min(lengths, longest) if isinstance(lengths, int) else [min(one, longest) for one in lengths]
    messages = tuple((cycle, source % terminals, destination % terminals, min(length, longest), *within(rest, smaller.network))
                     for cycle, source, destination, length, *rest in smaller.messages)
    return dataclasses.replace(smaller, traffic=traffic, messages=messages)


def with_fewer_escapes(scenario, most):
    """Returns the scenario with so many escape lanes at most, of those that routing table has."""
    escapes = min(most, scenario.switch.get("escape_vcs", 0))
    switch = {key: value for key, value in scenario.switch.items() if key != "escape_vcs"}
    return dataclasses.replace(scenario, switch={**switch, **({"escape_vcs": escapes} if escapes else {})})


def with_fewer_classes(scenario, classes):
    """Returns the scenario with fewer classes of messages, each with its lanes; the messages of the others get classes that
    are left."""
    switch, some = dict(scenario.switch), classes > 1
    lanes, weights = switch["num_vcs"] // switch.pop("classes"), switch.pop("class_weights")
    routings = switch.pop("class_routing", ())[:classes]
    switch |= {"num_vcs": lanes * classes, **({"classes": classes, "class_weights": weights[:classes]} if some else {}),
               **({"class_routing": routings} if some and routings else {})}
    used = {"select": selects(switch), "atomic": "adaptive" in routings_of(switch), "escape_vcs": "table" in routings_of(switch)}
    switch = {key: value for key, value in switch.items() if used.get(key, True)}
    network = dict(scenario.network)
    if "graph" in network:
        network["graph"] = without_classes(network["graph"], classes)
    messages = tuple((*message[:4], *([message[4] % classes] if some else []), *message[5:]) for message in scenario.messages)
    return dataclasses.replace(scenario, network=network, switch=switch, messages=messages)


def within(fields, network):
    """Returns what stands behind the length of a message, with a path that the network has."""
    if network.get("passes") != 2:
        return fields
    columns = columns_of(network)
    return [re.sub(r"(?<=path=)\d+", lambda path: str(int(path[0]) % columns), str(field)) for field in fields]


def cycles_of(scenario):
    """Returns time enough for the messages to do what they did, also where others come later."""
    return scenario.run["max_cycles"] + 64


def simpler_messages(messages, at):
    """Yields the messages with a shorter one, or with one that comes as early as the one before it, in place of one."""
    cycle, source, destination, length, *others = messages[at]
    earliest = messages[at - 1][0] if at else 0
    for shorter in (1, length // 2, length - 1):
        if 0 < shorter < length:
            yield messages[:at] + ((cycle, source, destination, shorter, *others),) + messages[at + 1:]
    if cycle > earliest:
        back = cycle - earliest
        yield messages[:at] + tuple((begin - back, *rest) for begin, *rest in messages[at:])


def values_that_shrink(scenario):
    """Returns (section, key) of each value that the scenario has."""
    return [(section, key) for section, key in SMALLER if key in getattr(scenario, section)]


def least_value(scenario, key):
    """Returns the smallest legal value of a parameter of the network."""
    routings = routings_of(scenario.switch)
    least_lanes = {"dateline": 2, "adaptive": 3 if has_rings(scenario.network) else 2}
    lanes = max(least_lanes.get(routing, least_vcs(scenario.network)) for routing in routings) * scenario.switch.get("classes", 1)
    return {"classes": 1, "num_vcs": lanes, "depth": 1, "concentration": 1,
            "n": 2 if set(routings) & {"west_first", "north_last", "odd_even"} or scenario.network.get("passes") == 2 else 1,
            "k": {"mesh": 1, "hypercube": 2, "fat_tree": 4}.get(scenario.network["topology"], 2),
            "flit_width_bits": max(8, head_bits(scenario.network, scenario.switch))}[key]


def shrink(scenario, cycle, fails, worms_of):
    """Yields smaller and smaller scenarios; the first one fails in the cycle."""
    shrinking = Shrinking(fails, worms_of)
    best = shrinking.fewer_worms(scenario, cycle)
    yield best
    yield shrinking.smaller_networks(best, scenario)
