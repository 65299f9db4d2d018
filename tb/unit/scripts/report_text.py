#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a list of reports (docs/lockstep.md, "Reports for programs") for people, from its JSON alone: what the programs print
themselves must be the same.

usage: tb/unit/scripts/report_text.py [FILE]
"""
import json
import shlex
import sys
from pathlib import Path


def labelled(label, lines):
    """The first line behind its label, the others below it."""
    return [f"  {'' if i else label:9} {line}" for i, line in enumerate(lines)]


def stalled(report):
    stall, few = report["stall"], 3
    listed = ", ".join(f"lane {one['lane']} of {one['link']}" for one in stall["longest"][:few])
    more = max(0, stall["lanes"] - few)
    text_ = f"annelid: stalled since cycle {stall['since']}: " + (f"flits stand in {listed}" if listed else "no flit is in a lane")
    text_ += f" and {more} more" if more else ""
    if not report["deadlock"]:
        last = report["waits"]["chain"][-1] if report["waits"] else {"flit": None}
        return text_ + ("" if last["flit"] is None else f"; {words(last)}")
    worms, in_all = report["deadlock"]["worms"], report["deadlock"]["in_all"]
    closes = f", … the last of {in_all} for {worms[0]}" if in_all > few + 1 else f", that for {worms[0]}" if in_all > 1 else ""
    return (text_ + f"; worm {worms[0]} waits for worm {worms[1 % in_all]}" + "".join(f", that for {one}" for one in worms[2:in_all][:few - 1]) + closes)


def head(report):
    what, cycle, place = report["what"], report["cycle"], report["place"]["text"]
    if report["from"] == "lock-step":
        more = f" (and {report['more']} more in this cycle)" if report["more"] else ""
        return f"FIRST DIFFERENCE in cycle {cycle} at {place}: {'referee: ' if report['rule'] else ''}{what}{more}"
    if report["stall"]:
        return stalled(report)
    worm = report["worm"]
    return f"annelid: {what} in cycle {cycle}" + (f" at {place}" if place else "") + ("" if worm is None else f", worm {worm}")


def passage(flit):
    return f" {flit['worm']}.{flit['flit']}@{flit['cycle']}"


def before(report):
    lanes = report["before"]["lanes"]
    if report["from"] == "lock-step":
        told = ";".join(f" lane {one['lane']}:" + "".join(map(passage, one["flits"])) for one in lanes if one["flits"])
        yield f"on link {report['before']['link']}" + (f"{told}   (worm.flit@cycle)" if told else " nothing yet")
        return
    for one in lanes:
        last = one["flits"][-1] if one["flits"] else None
        yield f"lane {one['lane']}: " + (f"flit {last['flit']} of worm {last['worm']} in cycle {last['cycle']}" if last else "nothing yet")


def waiter(one):
    root = one["root_blocker"]
    end = "no worm moves at the end of its chain" if root is None else f"root blocker worm {root}"
    return (f"  worm {one['worm']}  T{one['source']} -> T{one['destination']}, {one['length']} flits, in {one['buffer']} "
            f"since cycle {one['since']}, {one['wait']}, {end}")


def waiting(all_):
    yield (f"Cycle {all_['cycle']}: of the worms {all_['waiting']} wait, {all_['moving']} move, "
           f"{all_['queued']} are queued at the sources")
    yield from map(waiter, all_["longest"])
    if all_["waiting"] > len(all_["longest"]):
        yield f"  … {all_['waiting']} in all"


def words(line):
    """A line of a chain, from its fields if it is of a flit."""
    if line["flit"] is None:
        return line["text"]
    head_ = f"worm {line['worm']} flit {line['flit']} in {line['buffer']} since cycle {line['since']}, "
    return head_ + line["text"].partition(", ")[2]


def waits(report):
    found = report["waits"]
    if found["before"]:
        yield f"in cycle {found['cycle']}, the one before:"
    yield from map(words, found["chain"])


def text(report):
    """The lines of a report."""
    if report["from"] == "referee":
        return [f"{report['file']}: {report['what']}: {report['seen']}"]
    of_lockstep = report["from"] == "lock-step"
    shown = ["expected", "seen", "probe"] if of_lockstep else ["rule", "expected", "seen", "probe"]
    lines = [head(report), *(f"  {name:9} {report[name]}" for name in shown if report[name])]
    if report["before"]:
        told = list(before(report))
        lines += [line for one in told for line in labelled("before", [one])]
    lines += [f"  {name:9} {report[name]}" for name in ("referee", "assertion") if report[name]]
    lines += waiting(report["waiting"]) if report["waiting"] else []
    lines += labelled("waits", waits(report)) if report["waits"] else []
    if report["deadlock"]:
        lines += labelled("waits" if of_lockstep else "deadlock", map(words, report["deadlock"]["circle"]))
    commands = report["commands"]
    lines += [f"  {name:9} {commands[name]}" for name in ("replay", "waves") if of_lockstep and name in commands]
    if report["trace"]:
        lines.append(f"  trace     {report['trace']} has the cycles before it: {commands['worms']}")
        expected = ["annelid", "worms", *(["--"] if report["trace"].startswith("-") else []), report["trace"]]
        assert shlex.split(commands["worms"]) == expected, commands
    return lines


if __name__ == "__main__":
    found = json.loads(Path(sys.argv[1]).read_text() if sys.argv[1:] else sys.stdin.read())
    sys.stdout.write("".join(f"{line}\n" for report in found for line in text(report)))
