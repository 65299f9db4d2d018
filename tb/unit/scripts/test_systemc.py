#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Networks in SystemC, of an installed copy: the commands of docs/systemc.md, with the golden model and with the RTL; and
what its headers promise (tb/systemc/headers.cpp).

usage: tb/unit/scripts/test_systemc.py BUILD JUNIT_FILE

With FULL=1 the page is run as it stands. Otherwise its RTL is that of a line of three switches, in fewer transactions.
Prints failures only; exit status 1 if any.
"""
import functools
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from suite import Skipped, expect, main
from test_install import copy
from test_own_bench import shell, succeed

FULL = os.environ.get("UNIT_SHARE") == "1"
PAGE = Path("docs/systemc.md").read_text()
HOME = tempfile.TemporaryDirectory(prefix="annelid-systemc-")
LINE = "network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 2, classes: 2, depth: 2, stages: 2, link_cycles: 2, flit_width_bits: 24}\n"
# Networks whose ports have other widths: wide links of several cycles; a ring with random arbiters and two stages; a fat-tree whose heads say a
# path, with chained credits; a graph whose heads have lists of ports.
WRITTEN = ["network: {topology: mesh, k: 3, n: 1}\nswitch: {num_vcs: 3, link: wide, link_cycles: 3, depth: 2, flit_width_bits: 40}\n",
           "network: {topology: torus, k: 5, n: 1}\nswitch: {num_vcs: 4, depth: 3, arbiter: random, stages: 2, flit_width_bits: 20}\nrun: {seed: 5}\n",
           "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 1, routing: up_down_fixed, arbiter: age, credits: bypass, flit_width_bits: 64}\n",
           "network: {topology: graph}\n"
           "graph: {switches: [a, b, c, d], terminals: [a, b, c, d, d], links: [[a, b], [b, c], [c, d], [a, c]]}\n"
           "switch: {num_vcs: 2, routing: source, stages: 2, link_cycles: 2, depth: 3, flit_width_bits: 50}\n"]
SOME = ["network: {topology: mesh, k: 3, n: 2}\n"
        "switch: {num_vcs: 4, classes: 2, class_weights: [3, 1], depth: 2, arbiter: random, flit_width_bits: 30}\n",
        "network: {topology: fat_tree, n: 2}\nswitch: {num_vcs: 2, depth: 1, credits: bypass, flit_width_bits: 30}\n", WRITTEN[-1]]
# What is reported of each misuse.
WRONG = {"text": "scenario: scenario:1: network.k: found 0, expected ", "terminal": "terminal: port: found terminal 3, expected one below 3",
         "wide": "terminal: port: found wide links, expected shared ones", "credit": "golden: cycle 17, link T0.inject, lane 0: no_credit: ",
         "label": "golden: cycle 1, link T0.inject, lane 0: bad_marks: ", "overlap": "tlm: region 0x8fff of 0x2 bytes: overlaps region 0x8000 ",
         "empty": "tlm: region 0x0 of 0x0 bytes: expected ", "outstanding": "tlm: processor_port: found 0 transactions at a time, expected 1..256",
         "reset": "tlm: memory_port: reset while transactions are under way",
         "begin_req": "tlm: processor_port: found phase BEGIN_REQ from the initiator, expected END_REQ of the one before",
         "end_resp": "tlm: processor_port: found phase END_RESP from the initiator, expected BEGIN_REQ, or END_RESP of ",
         "again": "tlm: processor_port: found phase BEGIN_REQ from the initiator, expected END_RESP of this transaction",
         "end_req_answer": "tlm: processor_port: found phase END_RESP from the initiator, expected TLM_ACCEPTED as answer to END_REQ",
         "begin_resp_answer": "tlm: processor_port: found phase END_REQ from the initiator, expected END_RESP as answer to BEGIN_RESP",
         "foreign": "tlm: memory_port: found phase BEGIN_RESP from the target, expected a request that it has",
         "end_req_twice": "tlm: memory_port: found phase END_REQ from the target, expected END_REQ or BEGIN_RESP of a transaction under way, once ",
         "end_req_last": "tlm: memory_port: found phase END_REQ from the target, expected END_REQ or BEGIN_RESP of a transaction under way, once ",
         "begin_resp_twice": "tlm: memory_port: found phase BEGIN_RESP from the target, expected END_REQ or BEGIN_RESP of a transaction under ",
         "begin_resp_of_two": "tlm: memory_port: found phase BEGIN_RESP from the target, expected to be told END_RESP of the one before",
         "no_such_answer": "tlm: memory_port: found phase END_RESP from the target, expected END_REQ or BEGIN_RESP of a transaction under way",
         "behind_end_resp": "tlm: memory_port: found phase END_RESP from the target, expected no phase behind END_RESP",
         "incomplete": "tlm: memory_port: found phase BEGIN_RESP from the target, expected a response other than INCOMPLETE",
         "longer": "tlm: memory_port: found phase BEGIN_RESP from the target, expected the data length of the request",
         "no_data": "tlm: processor_port: found phase BEGIN_REQ from the initiator, expected a transaction with a data pointer",
         "withdrawn": "stream: t0: found another beat than in the cycle before, expected the same one until TREADY",
         "hole": "stream: t0: found a hole in TKEEP, expected the lowest bytes",
         "keep": "stream: t0: found a byte that TKEEP leaves out, expected it behind the last one of a packet",
         "no_bytes": "stream: t0: found a worm that no stream sent, expected a packet",
         "stream_class": "terminal: t0: found class 2, expected one below 2",
         "dest": "stream: t0: found another TDEST, expected that of the first beat",
         "no_manager": "tlm: processor_port: found phase BEGIN_REQ from the initiator, expected a transaction with a memory manager",
         "no_reset": "network: noc: found no reset when the clock rises for the first time, expected rst to be 1",
         "destination": "terminal: from: found destination 3, expected one below 3", "class": "terminal: from: found class 2, expected one below 2",
         "payload": "terminal: from: found a payload of 1 words, expected all 33 bits",
         "stray": "tlm: processor_port: found a worm that no memory's port sent, expected a reply",
         "network": "tlm: processor_port: found memory far of network other in its map, expected memories of network noc"}
TRANSACTIONS = 100000 if FULL else 3000


def commands(word):
    """[(command, what the page says that it prints)] of the block of the page in which a word stands first."""
    block = next(text for text in re.findall(r"^```\n(\$ .*?)^```", PAGE, re.M | re.S) if word in text)
    parts = re.split(r"^\$ ", block.replace("\\\n", ""), flags=re.M)[1:]
    return [(part.split("\n")[0], part.partition("\n")[2]) for part in parts]


def one(word, begin):
    return next(pair for pair in commands(word) if pair[0].startswith(begin))


def room_of(build):
    """A new directory with what an installed copy has of the example."""
    if not Path("/usr/include/systemc").exists():
        raise Skipped("no SystemC")
    room = Path(tempfile.mkdtemp(dir=HOME.name)) / "systemc"
    shutil.copytree(copy(build) / "share/doc/annelid/systemc", room)
    return room


@functools.cache
def platform(build):
    """Builds the platform with both machines, as the page says. Returns its directory."""
    room = room_of(build)
    if not FULL:
        (room / "mesh.yaml").write_text(LINE)
    for begin in ("annelid rtl", "verilator"):
        command = one("annelid rtl", begin)[0]
        succeed(build, command if FULL else command.replace("-std=c++17", "-std=c++17 -O0"), room)
    return room


@functools.cache
def headers(build, text=None):
    """Builds the trials of the headers beside a verilated network, that of the platform or of a text. Returns the directory."""
    room = platform(build) if text is None else Path(tempfile.mkdtemp(dir=HOME.name))
    if text is not None:
        (room / "mesh.yaml").write_text(text)
        succeed(build, one("annelid rtl", "annelid rtl")[0], room)
        (room / "platform.cpp").write_text("int sc_main(int, char **);\nint main() { return 0; }\n")
        succeed(build, one("annelid rtl", "verilator")[0], room)
    root = succeed(build, "verilator --getenv VERILATOR_ROOT", room).strip()
    succeed(build, f"${{OBJCACHE}} c++ -std=c++17 -O0 -Wall -Wextra -Werror -DWITH_RTL -isystem obj_dir -isystem {root}/include -isystem {root}/include/vltstd "
            f"$(pkg-config --cflags annelid systemc) -c '{Path('tb/systemc/headers.cpp').resolve()}' -o headers.o && "
            "c++ -o headers headers.o obj_dir/Vnoc__ALL.a obj_dir/verilated*.o $(pkg-config --libs annelid systemc) -lpthread -latomic", room)
    return room


def trial(build, words, text=None):
    """What a trial prints that must succeed."""
    status, said, wrong = ran(build, f"./headers {words}", headers(build, text))
    expect(status == 0, words, (said, wrong))
    return said


def ran(build, words, room=None):
    seen = shell(build, f"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 {words}", room or platform(build))
    return seen.returncode, seen.stdout, seen.stderr


# --- tests ---

def a_program_needs_the_library_and_systemc_alone(_room, build):
    """The first block of the page, without Verilator."""
    room = room_of(build)
    for command, shown in commands("./platform golden"):
        said = succeed(build, command.replace("-O1", "-O1 -Wall -Wextra"), room)
        expect(shown in said and ("warning" not in said), shown, said)


def the_golden_model_does_what_the_page_shows(_room, build):
    begin = "./platform golden"
    words, shown = one(begin, begin)
    status, said, wrong = ran(build, words.replace("./platform", "obj_dir/platform"))
    expect(status == 0 and said == shown, shown, (said, wrong))


def rtl_and_model_agree_on_every_time(_room, build):
    said = {machine: ran(build, f"obj_dir/platform {machine} mesh.yaml {TRANSACTIONS} {machine}.txt") for machine in ("golden", "rtl", "compare")}
    for machine, (status, text, wrong) in said.items():
        expect(status == 0 and text == said["golden"][1] and f"{TRANSACTIONS} over, 0 wrong" in text, said["golden"], (machine, text, wrong))
    times = [(platform(build) / f"{machine}.txt").read_text() for machine in said]
    expect(len(times[0].splitlines()) == TRANSACTIONS and times[0] == times[1] == times[2], "equal times of all transactions", times[0][:200])
    if FULL:
        expect(said["golden"][1] == one("annelid rtl", "obj_dir/platform rtl")[1], "what the page shows", said["golden"])


def another_network_is_a_difference(_room, build):
    """The RTL does not follow an arbiter that the scenario alone has."""
    room = platform(build)
    text = (room / "mesh.yaml").read_text()
    (room / "other.yaml").write_text(text.replace("switch: {", "switch: {arbiter: fixed, "))
    status, said, wrong = ran(build, f"obj_dir/platform compare other.yaml {TRANSACTIONS}")
    expect(status == 1 and re.search(r"/annelid/compare: \d+ ns, cycle \d+, link \S+: the first drives .+, the second ", wrong),
           "the first difference", (said, wrong))
    ran(build, f"obj_dir/platform golden other.yaml {TRANSACTIONS} other.txt")
    expect((room / "other.txt").read_text() != (room / "golden.txt").read_text(), "other times", "")


def a_scenario_of_another_size_is_refused(_room, build):
    for setting, words in (("num_vcs: 2", "num_vcs: 4"), ("flit_width_bits: \\d+", "flit_width_bits: 80")):
        text = (platform(build) / "mesh.yaml").read_text()
        (platform(build) / "other.yaml").write_text(re.sub(setting, words, text))
        status, said, wrong = ran(build, "obj_dir/platform rtl other.yaml")
        expect(status == 1 and re.search(r"/annelid/rtl: port \w+: found \d+ bits of C\+\+, expected \d+", wrong), "the port", (said, wrong))


def errors_are_those_of_the_library(_room, build):
    for text, words in (("network: {topology: ring}\n", ("other.yaml:1: ", "ring")),
                        ("network: {topology: mesh, k: 3, n: 1}\nswitch: {link: wide, credits: bypass}\n", ("/annelid/golden: ", "chained wide"))):
        (platform(build) / "other.yaml").write_text(text)
        status, said, wrong = ran(build, "obj_dir/platform golden other.yaml")
        expect(status == 1 and all(word in wrong for word in words), words, (said, wrong))
    status, said, wrong = ran(build, "obj_dir/platform golden none.yaml")
    expect(status == 1 and "none.yaml" in wrong, "the file", (said, wrong))


def waves_have_links_and_lanes(_room, build):
    status, said, wrong = ran(build, "obj_dir/platform golden mesh.yaml 20 waves.txt waves")
    expect(status == 0, "a run with waves", (said, wrong))
    text = (platform(build) / "waves.vcd").read_text()
    scopes = re.findall(r"^\$(?:scope module|var \S+ +\d+ +\S+) +(\w+)", text, re.M)
    for name in ("noc", "terminal0", "ej", "inj", "switch1", "port0", "lane1", "valid", "count", "bound_port"):
        expect(name in scopes, f"{name} in the waves", scopes[:60])
    expect(len(set(re.findall(r"^b[01]+ (\S+)$", text, re.M))) > 20, "values that change", "")


# --- what the headers promise ---

def links_at_random_are_the_same(_room, build):
    for text in [None, *(WRITTEN if FULL else [])]:
        said = trial(build, "links mesh.yaml", text)
        expect(int(re.match(r"links: \d+ flits in, (\d+) out\n$", said)[1]) > 5000, "flits", said)


def terminals_do_what_those_of_the_model_do(_room, build):
    paths = [headers(build) / f"some{i}.yaml" for i in range(len(SOME))]
    for path, text in zip(paths, SOME):
        path.write_text(text)
    counted = 0
    if FULL:
        paths += sorted(Path("sim/scenarios").glob("*.yaml"))
    for path in paths:
        status, said, wrong = ran(build, f"./headers terminals '{path.resolve()}'", headers(build))
        left_out = re.search("cannot have its terminals outside|found wide links", wrong) or path.name.startswith("deadlock_")
        expect(status == 0 or left_out, f"the same flits of {path.name}", (said, wrong))
        counted += status == 0
    expect(counted > len(paths) / 2, "most scenarios", counted)


def packets_come_as_they_were_sent(_room, build):
    expect(re.match(r"streams: \d+ packets\n$", trial(build, "streams mesh.yaml")), "packets", "")


def transactions_get_their_responses(_room, build):
    expect(trial(build, "responses") == "responses: all\n", "all responses")
    for way in ("full", "completed", "end_req", "begin_resp"):
        expect(trial(build, f"answers {way}") == "answers: all\n", way)


def each_misuse_is_an_error(_room, build):
    for word, said in WRONG.items():
        status, out, wrong = ran(build, f"./headers wrong {word}", headers(build))
        expect(status == 1 and wrong.startswith(f"Error: /annelid/{said}") and not out, said, (word, wrong))


TESTS = [*([a_program_needs_the_library_and_systemc_alone, the_golden_model_does_what_the_page_shows] if FULL else []), rtl_and_model_agree_on_every_time,
         another_network_is_a_difference, a_scenario_of_another_size_is_refused,
         errors_are_those_of_the_library, waves_have_links_and_lanes, links_at_random_are_the_same, terminals_do_what_those_of_the_model_do,
         packets_come_as_they_were_sent, transactions_get_their_responses, each_misuse_is_an_error]

if __name__ == "__main__":
    sys.exit(main("systemc", TESTS, __doc__.splitlines()[3]))
