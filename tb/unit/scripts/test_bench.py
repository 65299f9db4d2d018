#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tools of the bench: with runs too short to say anything, and with a peer that is none.

usage: tb/unit/scripts/test_bench.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import csv
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = ["bench", "scripts"]
from annelid.children import Wrong
from compare import verdict, ratio_of
from peer import parse_output
from peer_config import config_of, read_keys, scenario_of
from results import SCHEMA, check_results, read_results, write_results
from suite import expect, main
from work import SCENARIOS, SIX, facts_of

PEER = Path("tb/unit/scripts/stand_in_peer.py")  # it prints what the peer prints
CONFIG = PEER.with_suffix(".cfg").read_text()


def trouble(function, *arguments):
    """Returns the text of the Wrong that the function raises."""
    try:
        function(*arguments)
    except Wrong as found:
        return str(found)
    return "no trouble"


def bench(*arguments, **options):
    return subprocess.run([sys.executable, "bench/bench", *map(str, arguments)], capture_output=True, text=True,
                          check=False, **options)


def fake_peer(room, factor=1.0):
    path = room / "peer"
    path.write_text(PEER.read_text().replace("FACTOR = 1", f"FACTOR = {factor}"))
    path.chmod(0o755)
    return path


def written(room, text, name="config"):
    path = room / name
    path.write_text(text)
    return path


def good_data(seconds=1.0):
    """Returns the data of a measurement, of one row only."""
    spread = {"min": 0.99 * seconds, "median": seconds, "max": 1.01 * seconds, "all": [seconds]}
    result = {"group": "rtl", "name": "a", "scenario": "a", "settings": {}, "switches": 64, "cycles": 10,
              "flit_hops": 1000, "seconds": spread, "cycles_per_second": 10 / seconds,
              "flit_hops_per_second": 1000 / seconds, "peak_bytes": 1}
    return {"schema": SCHEMA, "commit": "a" * 40, "changed": False,
            "machine": {"cpu": "x", "cores": 1, "kernel": "y", "load_average": 0.5}, "compiler": "c", "flags": "",
            "rounds": 5, "scale": 1, "calibration": {"arithmetic_seconds": spread, "memory_seconds": spread},
            "results": [result]}


# --- tests: each gets a directory of its own and the build directory ---

def short_run_leaves_valid_results(room, build):
    answer = bench("run", "--build", build, "--json", room / "a.json", "--rounds", 1, "--scale", 0.001, "--only",
                   "engine", "size", "load")
    expect(answer.returncode == 0, "success", answer.stdout + answer.stderr)
    data = read_results(room / "a.json")
    groups = [result["group"] for result in data["results"]]
    expect([groups.count(group) for group in ("engine", "size", "load")] == [6, 7, 8], "all of them", groups)
    expect([path.name for path in room.iterdir()] == ["a.json"], "no draft left", list(room.iterdir()))
    for result in data["results"]:
        # The last cycles may be idle.
        expect(result["cycles"] >= 0.9 * result["settings"]["run.cycles"], "all cycles", result)
    again = bench("show", room / "a.json", "--build", build)
    expect(again.returncode == 0 and answer.stdout.startswith(again.stdout), "the same table again", again.stdout)


def peer_counts_without_the_links_that_inject(room, build):
    """The hops of the six scenarios are within 3 % of the theory of mesh and torus."""
    bench("run", "--build", build, "--json", room / "a.json", "--rounds", 1, "--scale", 0.02, "--only", "engine")
    for result in read_results(room / "a.json")["results"]:
        facts = facts_of(SCENARIOS / f"{result['scenario']}.yaml")
        k = int(facts["k"])
        hops = 2 * (k / 4 if facts["topology"] == "torus" else (k * k - 1) / (3 * k)) + 1
        seen = result["switch_hops_per_second"] * result["seconds"]["median"] / result["flits"]
        expect(abs(seen / hops - 1) < 0.03, f"{hops} links that leave a switch", f"{result['name']}: {seen}")


def results_that_are_not_whole_are_refused(room, _):
    check_results(good_data(), "x")
    for text, said in (("", "not JSON"), ("[1]", "expected dict"), ("{}", "no key 'schema'"),
                       ('{"schema": "other"}', "schema 'other', expected"), ('{"schema": 1}', "schema: 1, expected str")):
        expect(said in trouble(read_results, written(room, text)), said, trouble(read_results, written(room, text)))
    for keys, value, said in ((["rounds"], "5", "rounds: \"5\", expected int"), (["results"], [], "no results"),
                              (["results", 0, "seconds", "min"], 0, "no work or no time"),
                              (["results", 0, "group"], "size", "no key 'bytes_per_switch'"),
                              (["results", 0, "seconds", "all"], 1, "expected list")):
        data = good_data()
        place = data
        for key in keys[:-1]:
            place = place[key]
        place[keys[-1]] = value
        expect(said in trouble(check_results, data, "x"), said, trouble(check_results, data, "x"))
    expect("No such file" in trouble(read_results, room / "none"), "no file", "")
    expect("No such file" in trouble(write_results, room / "none/a", {}), "no directory", "")
    (room / "place").mkdir()
    expect("Is a directory" in trouble(write_results, room / "place", {}), "an error", "")
    expect(not list(room.glob("place.*")), "no draft left", list(room.iterdir()))


def slower_is_an_error(room, build):
    for name, seconds in (("old", 1.0), ("new", 1.2), ("same", 1.005)):
        write_results(room / name, good_data(seconds))
    for new, limit, status, word in (("new", 10, 1, "SLOWER"), ("new", 30, 0, "slower"), ("same", 10, 0, "1 compared, 0 worse")):
        answer = bench("compare", "--build", build, "--limit", limit, room / "old", room / new)
        expect(answer.returncode == status and word in answer.stdout, word, answer.stdout + answer.stderr)
    faster = bench("compare", "--build", build, room / "new", room / "old")
    expect(faster.returncode == 0 and "faster" in faster.stdout, "faster", faster.stdout)
    low, ratio, high = ratio_of(good_data(1.0)["results"][0], good_data(1.2)["results"][0])
    expect(low < ratio < high < 1 and abs(ratio - 1 / 1.2) < 1e-9, "the ratio of speeds", (low, ratio, high))
    expect(verdict(0.7, 0.85, 1.1, 10) == ("SLOWER, or noise: measure again", True), "doubt", verdict(0.7, 0.85, 1.1, 10))


def compared(room, build, **changes):
    """Compares good data with changed data: slower, other work, another machine, another size."""
    old, new = good_data(), good_data(changes.get("seconds", 1.0))
    for data in (old, new):
        data["results"][0].update(changes.get("both", {}))
    new["results"][0].update(changes.get("new", {}))
    new["machine"]["cpu"] = changes.get("cpu", "x")
    write_results(room / "old", old)
    write_results(room / "new", new)
    return bench("compare", "--build", build, room / "old", room / "new")


def other_work_is_an_error(room, build):
    """Other work is an error at any speed and on any machine, unless other work was asked for."""
    for key, value in (("flit_hops", 2000), ("cycles", 11), ("flits", 5)):
        for cpu in ("x", "z"):
            answer = compared(room, build, both={"flits": 4}, new={key: value}, cpu=cpu)
            expect(answer.returncode == 1 and f"OTHER WORK: {key}" in answer.stdout, key, answer.stdout + answer.stderr)
            expect("1 not the same work" in answer.stdout, "it is counted", answer.stdout)
    asked = compared(room, build, seconds=9.0, new={"flit_hops": 2000, "settings": {"run.cycles": 5}})
    expect(asked.returncode == 0 and "other settings: not judged" in asked.stdout, "no verdict", asked.stdout)


def other_machines_are_not_judged(room, build):
    size = {"group": "size", "switches": 16384, "bytes_per_switch": 400}
    for cpu, status in (("x", 1), ("z", 0)):
        for changes in ({"seconds": 3.0}, {"both": size, "new": {"bytes_per_switch": 800}}):
            answer = compared(room, build, cpu=cpu, **changes)
            words = any(word in answer.stdout for word in ("SLOWER", "slower", "faster", "MORE"))
            expect(answer.returncode == status and words == bool(status), f"status {status}", answer.stdout)
            expect(("not judged: the cpus differ" in answer.stdout) != words, "it is said", answer.stdout)


def memory_of_small_networks_is_not_told(room, build):
    for switches, there in ((16384, True), (4096, False)):
        size = {"group": "size", "switches": switches, "bytes_per_switch": 432}
        answer = compared(room, build, both=size)
        expect(("bytes/switch" in answer.stdout) == there, f"of {switches}: {there}", answer.stdout)
        shown = bench("show", "--build", build, room / "new")
        expect(("432" in shown.stdout) == there, f"of {switches}: {there}", shown.stdout)


def readers_may_go_away(room, build):
    """A reader that stops reading, as head does, causes no traceback."""
    compared(room, build)
    for words in (["compare", room / "old", room / "new"], ["show", room / "old"]):
        for closed in (">&-", "| true", "2>&1 | true", "| head -1"):
            command = " ".join(map(str, [sys.executable, "bench/bench", *words, "--build", build, closed]))
            answer = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
            expect("Traceback" not in answer.stderr and "ignored" not in answer.stderr, "peace", answer.stderr)


def the_same_program_is_as_fast_as_itself(room, build):
    """A program is as fast as itself, and one that gives other results is found out."""
    annelid = build / "annelid"
    same = bench("ab", "--build", build, "--rounds", 1, "--scale", 0.001, "--limit", 900, annelid)
    expect(same.returncode == 0 and "0 with other results" in same.stdout, "the same results", same.stdout + same.stderr)
    other = written(room, f'#!/bin/sh\n"{annelid.resolve()}" "$@" --seed 7\n', "other")
    other.chmod(0o755)
    answer = bench("ab", "--build", build, "--rounds", 1, "--scale", 0.001, "--limit", 900, other)
    expect(answer.returncode == 1 and "6 with other results" in answer.stdout, "other results", answer.stdout)
    answer = bench("ab", "--build", build, "no-such-revision")
    expect(answer.returncode == 2 and "neither a program nor a revision" in answer.stderr, "an error", answer.stderr)


def quick_batches(room, build):
    """Returns a build directory in which the batches that are measured take no time."""
    own = room / "build"
    (own / "bench").mkdir(parents=True)
    for tool in (build / "annelid", *(build / "bench").iterdir()):
        (own / tool.relative_to(build)).symlink_to(tool.resolve())
    (own / "bench/batch_cost").unlink()
    written(own / "bench", "#!/bin/sh\necho 'ratio 2.0'\n", "batch_cost").chmod(0o755)
    return own


def peer_on_the_same_work(room, build):
    answer = bench("peer", "--build", build, "--rounds", 1, fake_peer(room), written(room, CONFIG))
    expect(answer.returncode == 0 and "0 not the same work" in answer.stdout, "agreement", answer.stdout + answer.stderr)
    build = quick_batches(room, build)
    answer = bench("peer", "--build", build, "--rounds", 1, fake_peer(room, 0.95), written(room, CONFIG))
    expect(answer.returncode == 1 and "accepted load 5." in answer.stdout, "5 % apart", answer.stdout + answer.stderr)
    tornado = CONFIG + "traffic = tornado;\n"
    answer = bench("peer", "--build", build, "--rounds", 1, fake_peer(room), written(room, tornado))
    expect(answer.returncode == 1 and "hops" in answer.stdout.splitlines()[-2], "other hops", answer.stdout)
    answer = bench("peer", "--build", build, "--rounds", 1, fake_peer(room), written(room, CONFIG + "//unstable"))
    expect(answer.returncode == 2 and "does not say cycles, accepted, hops" in answer.stderr, "an error", answer.stderr)
    answer = bench("peer", "--build", build, room / "none")
    expect(answer.returncode == 2 and "no such program" in answer.stderr, "an error", answer.stderr)


def latencies_of_both_are_compared(room, build):
    """Curves of the peer and of ours, with the offset that the routers have without load."""
    peer = fake_peer(room)
    peer.write_text(peer.read_text().replace("+ 0.2", "+ 0.0").replace("1 - load)", "1 - 2 * load)"))
    own = room / "own"
    (own / "bench").mkdir(parents=True)
    for name in ("annelid", "bench/weigh"):
        (own / name).symlink_to((build / name).resolve())
    answer = bench("latency", "--build", own, "--scale", 0.2, "--only", "short, dimension_order, uniform, 2 x 8", peer)
    expect(answer.returncode == 0 and "1 curves, " in answer.stdout, "a curve", answer.stdout + answer.stderr)
    rows = list(csv.DictReader((own / "bench/peer/latency.csv").open()))
    first = {key: float(rows[0][key]) for key in ("load", "booksim", "annelid")}
    expect(abs(first["annelid"] + 2 - first["booksim"] * (1 - 2 * first["load"])) < 0.6, "without load the same", first)
    expect(float(rows[-1]["booksim"]) > 80 > float(rows[3]["booksim"]) and len(rows) > 5, "up to three times the first", rows)
    again = bench("latency", "--build", own, own / "bench/peer/latency.csv")
    expect(again.stdout == answer.stdout and len(list((own / "bench/peer").glob("*.svg"))) == 1, "the same again, and a picture", again)
    bad = written(room, (own / "bench/peer/latency.csv").read_text().replace(",2,8,", ",2,9,"), "bad.csv")
    answer = bench("latency", "--build", own, bad)
    expect(answer.returncode == 2 and "bad.csv:2: 'short, dimension_order, uniform, 2 x 9', expected a row of" in answer.stderr, "a row", answer)
    text = peer.read_text()
    peer.write_text(text.replace("(3 * k) + 1", "(3 * k) + 2"))
    answer = bench("latency", "--build", own, "--scale", 0.2, "--only", "short, dimension_order, uniform, 2 x 8", peer)
    expect(answer.returncode == 1 and "1 with other hops\n  short" in answer.stdout, "other hops", answer.stdout + answer.stderr)
    answer = bench("latency", "--build", own, "--only", "no such", peer)
    expect(answer.returncode == 2 and "ONLY=no such: no curve" in answer.stderr, "a refusal", answer.stderr)
    peer.write_text(text.replace("Packet latency", "Latency"))
    answer = bench("latency", "--build", own, "--only", "short, dimension_order, uniform, 2 x 8", peer)
    expect(answer.returncode == 2 and "does not say 'Packet latency average'" in answer.stderr, "what is missing", answer.stderr)


def configurations_are_what_the_scenarios_say(room, _):
    """A configuration made from a scenario and turned back has the same network, lanes, load and length."""
    for name in SIX:
        path = SCENARIOS / f"{name}.yaml"
        back = facts_of(written(room, scenario_of(written(room, config_of(path, 4000))), "back"))
        wanted = {key: value for key, value in facts_of(path).items() if key in back}
        expect({**back, "load": float(back["load"])} == {**wanted, "load": float(wanted["load"])}, wanted, back)
    seen = facts_of(written(room, scenario_of(written(room, CONFIG)), "back"))
    expect(float(seen["load"]) == 0.2 and seen["length"] == "4", "flits, not packets", seen)


def configurations_without_a_counterpart_are_refused(room, _):
    for line, said in (("xr = 4;", ":10: key 'xr' has no counterpart"), ("c = 4;", ":10: c = 4 has no counterpart"),
                       ("topology = fly;", "topology = fly has no counterpart here, expected mesh or torus"),
                       ("routing_function = romm;", ":10: routing_function = romm has no"),
                       ("traffic = {uniform,transpose};", "traffic = {uniform,transpose} has no"),
                       ("injection_rate = {0.1,0.2};", "expected one number"), ("k = -3;", ":10: k = -3, expected one"),
                       ("what is this", ":10: 'what is this', expected key = value;"), ("k = 4", "expected key = value;")):
        found = trouble(scenario_of, written(room, CONFIG + "\n" + line))
        expect(said in found, said, found)
    expect(read_keys(written(room, "k = 4; // k = 5;\nk=6;"))["k"].text == "6", "the last", "")


def output_of_the_peer_is_read(_, __):
    whole = ("Accepted flit rate average= 0.7\nTime taken is 20212 cycles\n== Overall Traffic Statistics ==\n"
             "== Traffic class 0 ==\nAccepted flit rate average = 1.00683e-01 (1 samples)\nHops average = 6.25 (1 samples)\n")
    told = parse_output(whole, "x")
    expect((told.cycles, told.accepted, told.hops) == (20212, 0.100683, 6.25), "its figures", told)
    expect("does not say hops" in trouble(parse_output, whole.replace("Hops", "Haps"), "x"), "what is missing", "")
    expect("more than one class" in trouble(parse_output, whole + "== Traffic class 1 ==", "x"), "refused", "")
    expect("x:" in trouble(parse_output, whole.replace("6.25", "6.2.5"), "x"), "no number", "")


def instructions_are_counted_by_difference(room, build):
    """A counter in the place of valgrind counts seven instructions for each flit-hop, and many for start and end."""
    counter = written(room, """#!/bin/sh
        shift 2; text=$("$@"); hops=$(echo "$text" | sed 's/.*"flit_hops": \\([0-9]*\\).*/\\1/')
        echo "==1== Collected : $((5000000 + 7 * hops))"; echo "$text"\n""", "valgrind")
    counter.chmod(0o755)
    here = {"PATH": f"{room}:/usr/bin:/bin"}
    answer = bench("instructions", "--build", build, "--scale", 0.05, env=here)
    rows = [line.split() for line in answer.stdout.splitlines()[2:]]
    expect(answer.returncode == 0 and [row[0] for row in rows] == list(SIX), "six rows", answer.stdout + answer.stderr)
    expect({row[2] for row in rows} == {"7.0"}, "seven a flit-hop", answer.stdout)
    expect(all(float(row[3]) > 7.3 for row in rows[:5]), "more a link that leaves a switch", answer.stdout)
    counter.unlink()
    answer = bench("instructions", "--build", build, env={"PATH": str(room)})
    expect(answer.returncode == 2 and "needs valgrind (Debian's" in answer.stderr, "a message", answer.stderr)


TESTS = [short_run_leaves_valid_results, peer_counts_without_the_links_that_inject,
         results_that_are_not_whole_are_refused, slower_is_an_error, other_work_is_an_error,
         other_machines_are_not_judged, memory_of_small_networks_is_not_told, readers_may_go_away,
         the_same_program_is_as_fast_as_itself,
         peer_on_the_same_work, latencies_of_both_are_compared, configurations_are_what_the_scenarios_say,
         configurations_without_a_counterpart_are_refused, output_of_the_peer_is_read, instructions_are_counted_by_difference]


if __name__ == "__main__":
    sys.exit(main("bench", TESTS, __doc__.splitlines()[2]))
