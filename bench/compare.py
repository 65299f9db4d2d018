# SPDX-License-Identifier: Apache-2.0
"""Prints two bench.json side by side."""

from annelid.children import Wrong
from results import read_results
from table import MEASURABLE, line, millions

WORK = ("cycles", "flit_hops", "flits")  # equal for equal settings on any machine


def ratio_of(old, new):
    """Returns new speed over old: least, median and most that the measurements allow."""
    work = (new["flit_hops"] / new["seconds"]["median"]) / (old["flit_hops"] / old["seconds"]["median"])
    scale = new["flit_hops"] / old["flit_hops"]
    low = scale * old["seconds"]["min"] / new["seconds"]["max"]
    high = scale * old["seconds"]["max"] / new["seconds"]["min"]
    return low, work, high


def verdict(low, ratio, high, limit):
    """Returns a word for the ratio, and whether it is too slow."""
    too_slow = ratio < 1 - limit / 100
    if low <= 1 <= high:
        return ("SLOWER, or noise: measure again" if too_slow else ""), too_slow
    return ("faster" if ratio > 1 else "SLOWER" if too_slow else "slower"), too_slow


def print_machines(old, new):
    for key, what in (("arithmetic_seconds", "arithmetic"), ("memory_seconds", "memory")):
        low, ratio, high = (old["calibration"][key][a] / new["calibration"][key][b]
                            for a, b in (("min", "max"), ("median", "median"), ("max", "min")))
        line((f"calibration: {what}", 40), ("", 9), ("", 9), (f"{ratio:.3f}", 6), (f"{low:.2f}..{high:.2f}", 12))
    for key in ("cpu", "kernel"):
        if old["machine"][key] != new["machine"][key]:
            print(f"other {key}: {old['machine'][key]} / {new['machine'][key]}")
    for key in ("compiler", "flags"):
        if old[key] != new[key]:
            print(f"other {key}: {old[key]} / {new[key]}")


def changed_work(old, new):
    """Returns which figures of the work differ though the settings are the same."""
    return [key for key in WORK if key in old and key in new and old[key] != new[key]]


def print_speed(old, new, limit):
    """Prints a line; returns whether the new speed is too slow, and which work differs though the settings are the
    same."""
    low, ratio, high = ratio_of(old, new)
    word, too_slow, other = "other settings: not judged", False, []
    if old["settings"] == new["settings"]:
        word, too_slow = verdict(low, ratio, high, limit) if limit else ("", False)
        other = changed_work(old, new)
    if other:
        word += f"  OTHER WORK: {', '.join(other)}"
    line((f"{new['group']} {new['name']}", 40), (millions(old["flit_hops_per_second"]), 9),
         (millions(new["flit_hops_per_second"]), 9), (f"{ratio:.3f}", 6), (f"{low:.2f}..{high:.2f}", 12),
         (word.strip(), 0))
    return too_slow, bool(other)


def has_memory(result):
    return result["switches"] >= MEASURABLE and result.get("bytes_per_switch", 0) > 0


def print_memory(old, new, limit):
    """Prints a line if memory per switch was measured; returns whether it has grown too much."""
    if old["settings"] != new["settings"] or not has_memory(old) or not has_memory(new):
        return False
    ratio = new["bytes_per_switch"] / old["bytes_per_switch"]
    too_much = bool(limit) and ratio > 1 + limit / 100
    line((f"memory {new['name']}, bytes/switch", 40), (f"{old['bytes_per_switch']:.0f}", 9),
         (f"{new['bytes_per_switch']:.0f}", 9), (f"{ratio:.3f}", 6), ("", 12), ("MORE" if too_much else "", 0))
    return too_much


def do(options, _):
    old, new = read_results(options.old), read_results(options.new)
    before = {(result["group"], result["name"]): result for result in old["results"]}
    pairs = [(before[key], result) for result in new["results"]
             if (key := (result["group"], result["name"])) in before]
    if not pairs:
        raise Wrong(f"{options.old} and {options.new} have no measurement in common")
    print(f"old: {old['commit'][:12]}{' with changes' if old['changed'] else ''}, "
          f"new: {new['commit'][:12]}{' with changes' if new['changed'] else ''}; "
          "M flit-hops/s; ratio: new over old, more is better")
    line(("", 40), ("old", 9), ("new", 9), ("ratio", 6), ("can be", 12))
    print_machines(old, new)
    limit = options.limit if old["machine"]["cpu"] == new["machine"]["cpu"] else None
    slow, other = map(sum, zip(*[print_speed(*pair, limit) for pair in pairs]))
    more = sum([print_memory(*pair, limit) for pair in pairs])
    worse = f"{slow + more} worse by more than {limit:g} %" if limit else "not judged: the cpus differ"
    print(f"{len(pairs)} compared, {worse}, {other} not the same work")
    return 1 if slow or more or other else 0
