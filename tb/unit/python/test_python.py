#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package for Python does what its page says: figures and digests are those of the command, and misuse cannot end it.

usage: tb/unit/python/test_python.py BUILD JUNIT_FILE

FULL=1: the digests of all scenarios, and more misuse. Prints failures only; exit status 1 if any.
"""
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, "tb/unit/scripts")
from suite import expect, main

FULL = os.environ.get("FULL") == "1"
ROOT = Path.cwd()
PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "PYTHON"))}
PLAIN["PYTHONDONTWRITEBYTECODE"] = "1"
PLACE = tempfile.TemporaryDirectory(prefix="annelid-python-")
VENV = Path(PLACE.name) / "venv"
PYTHON = VENV / "bin/python"


def run(*command, room=ROOT, **environment):
    return subprocess.run([str(word) for word in command], cwd=room, env=PLAIN | environment, capture_output=True, text=True, check=False)


def good(*command, room=ROOT, **environment):
    seen = run(*command, room=room, **environment)
    expect(seen.returncode == 0, "success", (command, seen.stdout[-1000:], seen.stderr[-3000:]))
    return seen.stdout


@functools.cache
def wheel(build):
    """Makes the wheel and puts it into an environment of its own, with the system's cffi and NumPy. Returns its path."""
    made = Path(PLACE.name) / "wheel"
    good("make", "-s", "python-parts", f"BUILD={build}")
    good(sys.executable, "-m", "venv", "--system-site-packages", VENV)
    good(sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "-q", "--no-deps", "--no-build-isolation", "--no-index", "-w", made,
         ROOT / "python", ANNELID_BUILD=str(build.resolve()), ANNELID_MADE="1")
    path, = made.glob("*.whl")
    good(PYTHON, "-m", "pip", "--disable-pip-version-check", "install", "-q", "--no-index", "--no-deps", path)
    return path


def inside(room, build, code, *words):
    """Runs a program in the environment, in a folder that has sim/. Returns what it printed."""
    wheel(build)
    if not (room / "sim").exists():
        (room / "sim").symlink_to(ROOT / "sim")
    return good(PYTHON, "-X", "faulthandler", "-c", "import annelid\n" + textwrap.dedent(code), *words, room=room)


def the_wheel_is_for_any_python_of_this_machine(_room, build):
    path = wheel(build)
    expect(re.fullmatch(r"annelid-[\d.]+-py3-none-linux_\w+\.whl", path.name), "a wheel for any Python 3", path.name)
    names = good(sys.executable, "-m", "zipfile", "-l", path)
    for name in ("annelid/parts/libannelid.so", "annelid/parts/annelid", "annelid/abi.py", "annelid/py.typed"):
        expect(name in names, name, names)
    expect(good(VENV / "bin/annelid", "--version") == good(build / "annelid", "--version"), "the command of the same version", "")


def the_page_is_true(room, build):
    inside(room, build, """
        import doctest, sys
        found = doctest.testfile(sys.argv[1], module_relative=False, optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
        assert found.attempted > 30 and not found.failed, found
    """, ROOT / "docs/python.md")
    page = (ROOT / "docs/python.md").read_text()
    said = [line for line in page.splitlines() if line.startswith("annelid.errors.")]
    expect(said, "a refusal on the page", page)
    for line in said:  # doctest leaves the message out, as names of exceptions may be long
        expect(line.split(": ", 1)[1] in inside(room, build, """
            try:
                annelid.Scenario(topology="mish")
            except annelid.Error as error:
                print(error)
        """), "the message of the page", line)


def golden():
    """(scenario, settings, seed, digest) of the golden file."""
    for line in Path("sim/golden/digests.txt").read_text().splitlines()[1:]:
        name, *settings, seed, digest = line.split()
        yield name, settings, seed, digest


def digests_are_those_of_the_golden_file(room, build):
    runs = [one for one in golden() if Path(f"sim/scenarios/{one[0]}.yaml").exists()]
    expect(len(runs) > 150, "the runs of the golden file", len(runs))
    (room / "runs.json").write_text(json.dumps(runs if FULL else runs[::9]))
    inside(room, build, """
        import json
        for name, settings, seed, digest in json.load(open("runs.json")):
            given = dict(setting.split("=", 1) for setting in settings)
            scenario = annelid.Scenario(f"sim/scenarios/{name}.yaml", **given, seed=int(seed))
            result = annelid.run(scenario, digest=True, referee=True)
            assert f"{result.digest:016x}" == digest and not result.violation, (name, settings, result)
    """)


def a_stream_of_worms_is_the_same_as_its_replay(room, build):
    inside(room, build, """
        import random
        draw = random.Random(4)
        worms = sorted((draw.randrange(500), draw.randrange(16), draw.randrange(16), draw.randrange(1, 9)) for _ in range(800))
        with open("messages.txt", "w") as file:
            file.writelines(f"{cycle} {source} {destination} {length}\\n" for cycle, source, destination, length in worms)
        class Stream(annelid.Traffic):
            at, told = 0, 0
            def create(self, cycle, emit):
                while self.at < len(worms) and worms[self.at][0] == cycle:
                    emit(*worms[self.at][1:])
                    self.at += 1
                return worms[self.at][0] if self.at < len(worms) else None
            def delivered(self, cycle, worms):
                self.told += len(worms)
        base = {"network": {"topology": "mesh", "k": 4, "n": 2}, "switch": {"num_vcs": 2}}
        replay = annelid.run({**base, "traffic": {"process": "replay", "messages": "messages.txt"}}, digest=True, windows=50, link_flits=True)
        mine = Stream()
        own = annelid.run(base | {"traffic": {"load": 0.1}}, traffic=mine, digest=True, windows=50, link_flits=True)
        assert own.digest == replay.digest and own.lines == replay.lines, (own, replay)
        assert (own.windows == replay.windows).all() and (own.link_flits == replay.link_flits).all()
        assert mine.told == own.delivered == 800 and own.latency.counts.sum() == 800
    """)


def a_trace_has_the_records_of_its_text(room, build):
    inside(room, build, """
        for name in ("mesh.anlt", "mesh.txt"):
            annelid.run("sim/scenarios/mesh4_uniform.yaml", trace=name)
        binary, text = annelid.read_trace("mesh.anlt"), annelid.read_trace("mesh.txt")
        assert (binary.flits == text.flits).all() and (binary.worms == text.worms).all() and binary.digest == text.digest
        result = annelid.run("sim/scenarios/mesh4_uniform.yaml", digest=True)
        assert binary.digest == result.digest and binary.cycles == result.cycles
        latencies = binary.latencies
        assert len(latencies) == result.measured and abs(latencies.mean() - result.latency.mean) < 1e-9
        for line in open("mesh.txt"):
            words = line.split()
            if words and words[0] == "flit":
                first = tuple(int(word) for word in words[1:4] + words[5:7])
                break
        seen = binary.flits[0]
        assert first == tuple(int(seen[name]) for name in ("cycle", "link", "vc", "worm", "index")), (first, seen)
        engine = annelid.Engine("sim/scenarios/mesh4_uniform.yaml")
        worms, at, counted = binary.worms, 0, 0
        for cycle in range(400):
            while at < len(worms) and worms["created"][at] == cycle:
                engine.enqueue(worms["source"][at], worms["destination"][at], worms["length"][at])
                at += 1
            engine.step()
            expected = binary.flits[counted:counted + len(engine.flits)]
            assert (expected["cycle"] == cycle).all()
            for field in engine.flits.dtype.names:
                assert (engine.flits[field] == expected[field]).all(), (cycle, field)
            counted += len(expected)
        assert counted > 1000
    """)


def blocked_worms_and_cycles_are_those_of_the_command(room, build):
    for name in ("deadlock_torus5", "deadlock_ring5", "cube_deadlock"):
        path = f"sim/scenarios/{name}.yaml"
        said = json.loads(run(build / "annelid", "worms", "--json", path).stdout)
        lanes = re.findall(r"^  (\S+) lane (\d+)$", run(build / "annelid", "cdg", path).stdout, re.MULTILINE)
        seen = json.loads(inside(room, build, """
            import json, sys
            blocked, graph = annelid.worms(sys.argv[1], "deadlock"), annelid.cdg(sys.argv[1])
            assert blocked.cycle == blocked.deadlocked and not graph.safe
            edges = set(map(tuple, graph.edges.tolist()))
            assert all(edge in edges for edge in zip(graph.cycle, graph.cycle[1:] + graph.cycle[:1]))
            for life in blocked.worms():
                assert sum(life.cycles.values()) == blocked.cycle - life.worm.created + 1, life
            print(json.dumps([blocked.deadlocked, blocked.circle, graph.cycle_names]))
        """, path))
        deadlock = said["deadlock"]
        expect(seen[0] == deadlock["cycle"], "the cycle in which it closed", (seen, deadlock))
        expect(seen[1] == [one["worm"] for one in deadlock["worms"]][:len(seen[1])], "the worms of the circle", (seen, deadlock))
        expect(seen[2] == [f"lane {vc} of {link}" for link, vc in lanes], "the cycle of the graph", (seen, lanes))


def a_watch_sees_what_the_engine_does(room, build):
    inside(room, build, """
        import random
        draw, scenario = random.Random(7), annelid.Scenario({"network": {"topology": "mesh", "k": 4, "n": 2}, "switch": {"num_vcs": 2}})
        engine, worms = annelid.Engine(scenario), {}
        watch = annelid.Watch(scenario, trace="watched.anlt", report="watched.json", credits=False)
        def flit(worm, index):
            data = worms[worm][1] | worm << 4 if index == 0 else worm * 64 + index
            return data | (index == 0) << 33 | (index == worms[worm][2] - 1) << 32
        for cycle in range(600):
            for _ in range(draw.choice([0, 0, 1, 3]) if cycle < 400 else 0):
                worm = draw.randrange(16), draw.randrange(16), draw.randrange(1, 12)
                worms[engine.enqueue(*worm)] = worm
                watch.announce(*worm)
            engine.step()
            for link, worm, index, vc, _, _ in engine.flits.tolist():
                watch.flit(link, vc, flit(worm, index))
            assert watch.cycle() and watch.now == engine.cycle
            assert (watch.flits == engine.flits).all() and len(watch.flits) == len(engine.flits), cycle
        assert watch.end() and watch.finding is None and watch.blocked == [] and watch.quiet_cycles > 20 and watch.stuck_cycles == 0
        assert f"{len(worms)} worms, {len(worms)} delivered: no rule broken" in watch.text, watch.text
        seen = annelid.read_trace("watched.anlt")
        assert len(seen.worms) == len(worms) and seen.cycles == 600 and len(seen.flits) > 1000
        assert watch.was_used(int(seen.flits["link"][0]), int(seen.flits["vc"][0])) and json.load(open("watched.json")) == []
        watch.close()
        assert "no rule broken" in watch.text
    """.replace("import random", "import json, random", 1))


def a_watch_names_rule_cycle_and_blocked_worms(room, build):
    (room / "links.yaml").write_text("style: ready_valid\nwidth: 34\nmarks: {head: 33, tail: 32}\nhead:\n  destination: {at: 0, width: 2}\n")
    inside(room, build, """
        row = {"network": {"topology": "mesh", "k": 2, "n": 1}, "switch": {"num_vcs": 1, "depth": 4}}
        inject = annelid.Scenario(row).links - 2  # of terminal 0
        watch = annelid.Watch(annelid.Scenario(row, depth=2))
        watch.announce(0, 1, 4)
        for cycle in range(5):  # the lane takes two
            watch.flit(inject, 0, (cycle == 0) << 33 | cycle << 8 | 1)
            if not watch.cycle():
                break
        assert watch.finding[:5] == ("overflow", 2, inject, "T0.inject", 0), watch.finding
        assert "overflow in cycle 2 at link T0.inject, worm 0" in watch.text and not watch.end() and not watch.end()
        # docs/link.md: under ready_valid a flit that is offered and not taken is offered again
        for second, rule in (((False, 0), "withdrawn"), ((True, 5 << 33 | 77 << 8), "changed"), ((True, 1 << 33 | 1), None)):
            watch = annelid.Watch(row, links="links.yaml")
            watch.wires(inject, True, 0, 1 << 33 | 1, back=0, length=3)
            assert watch.cycle()
            watch.wires(inject, second[0], 0, second[1] % 2 ** 34, back=1, length=3)
            assert watch.cycle() == (rule is None)
            assert (watch.finding.what, watch.finding.cycle) == (rule, 1) if rule else watch.finding is None, (watch.finding, rule)
            assert (watch.style, watch.width) == ("ready_valid", 34)
        # The same deadlock as in the run.
        jammed = annelid.Scenario("sim/scenarios/deadlock_torus5.yaml")
        annelid.run(jammed, trace="jam.anlt")
        trace, watch, told = annelid.read_trace("jam.anlt"), annelid.Watch(jammed, credits=False, patience=100), {}
        bits, labels = jammed["flit_width_bits"], lambda t: t % 5 | t // 5 << 3
        for worm in trace.worms.tolist():
            told.setdefault(worm[4], []).append(worm)
        lengths, flits, at = {worm[0]: worm for worm in trace.worms.tolist()}, trace.flits.tolist(), 0
        for cycle in range(trace.cycles):
            for worm in told.get(cycle, []):
                watch.announce(worm[1], worm[2], worm[3])
            while at < len(flits) and flits[at][0] == cycle:
                _, link, worm, index, vc, head, tail = flits[at]
                data = labels(lengths[worm][2]) | worm << 6 if head else worm << 10 | index
                watch.flit(link, vc, head << bits + 1 | tail << bits | data % 2 ** bits)
                at += 1
            if not watch.cycle():
                break
        ran = annelid.worms(jammed, "deadlock")
        assert watch.finding.what == "deadlock" and watch.finding.cycle == ran.deadlocked == cycle, (watch.finding, ran)
        assert watch.blocking.circle == ran.circle and watch.blocking.dead == ran.dead and watch.blocking.worms() == ran.worms()
        assert [life.worm.id for life in watch.blocked] == [life.worm.id for life in ran.worms() if life.wait != "moving"]
        assert f"worm {ran.circle[0]} " in watch.waiters and watch.blocking.chain(ran.circle[0]) == ran.chain(ran.circle[0])
        kept = watch.blocking
        watch.close()
        for call in (watch.cycle, kept.worms, lambda: watch.finding):
            try:
                call()
                raise SystemExit("nothing was raised")
            except annelid.Error as error:
                assert "closed" in str(error), error
    """)


def the_model_beside_links_tells_the_first_difference(room, build):
    inside(room, build, """
        import random
        from annelid.library import c, ffi
        from annelid.probes import Lengths, injections, of_design
        scenario = annelid.Scenario({"network": {"topology": "mesh", "k": 4, "n": 2}, "switch": {"num_vcs": 2}})
        into = injections(scenario)
        def run(cycles, spoil, late):
            draw, engine, beside, worms = random.Random(3), annelid.Engine(scenario), annelid.Beside(scenario), {}
            lengths = Lengths(beside, into)
            def tell(link, vc, flit, length=0):
                beside.flit(link, vc, flit, length=length)
            for cycle in range(cycles):
                free = [t for t in range(16) if cycle % 12 == 0]  # one worm at a time, which a source can send at once
                for t in free:
                    worm = t, draw.randrange(16), draw.randrange(1, 7)
                    worms[engine.enqueue(*worm)] = worm
                engine.step()
                for link, worm, index, vc, head, tail in engine.flits.tolist():
                    source, destination, length = worms[worm]
                    data = (destination if head else index) | worm << 4
                    flit = spoil(cycle, link, head << 33 | tail << 32 | data)
                    if flit is None:
                        continue
                    if late:
                        lengths.crosses(tell, link, vc, bool(flit >> 33), bool(flit >> 32 & 1), link, vc, flit)
                    else:
                        beside.flit(link, vc, flit, length=length)
                if not (lengths.cycle() if late else beside.cycle()):
                    break
            assert late or beside.now == cycle + 1
            if late:
                lengths.end()
            assert beside.end() == (beside.difference is None)
            return beside
        for late in (False, True):
            assert run(300, lambda cycle, link, flit: flit, late).difference is None
            lost = run(300, lambda cycle, link, flit: None if cycle == 100 and link not in into else flit, late).difference
            assert lost.cycle == 100 and lost.seen is None and "seen no flit" in lost.text, lost
            bit = run(300, lambda cycle, link, flit: flit ^ 1 << 20 if cycle == 101 and link not in into else flit, late).difference
            assert bit.cycle == 101 and bit.seen[3] is None and "an unknown flit" in bit.text and bit.link_name == scenario.link_name(bit.link), bit
        for kind in (dict(topology="mesh", k=2), dict(topology="butterfly", k=2), dict(topology="fat_tree", routing="destination_tag")):
            beside = annelid.Beside(annelid.Scenario(n=2, **kind))
            engine, label = annelid.Engine(beside.scenario), c.anl_label(ffi.addressof(beside.scenario._c, "network"), 3)
            engine.enqueue(0, 3, 5)
            for _ in range(60):
                engine.step()
                for link, _, index, vc, head, tail in engine.flits.tolist():
                    beside.flit(link, vc, head << beside.width - 1 | tail << beside.width - 2 | (index << 8 or label), length=5)
                assert beside.cycle(), beside.difference
            assert engine.idle and not beside._data, (kind, beside._data)
        names = {part.name for link in of_design(scenario) for part in link.valid + link.vc + link.flit + link.back}
        assert {"u_network.inj_credit_o", "u_network.g_switch[15].out_flit"} <= names and len(of_design(scenario)) == 16 * 2 + 48, names
        tree = of_design(annelid.Scenario(topology="fat_tree", n=2))
        assert any(part.name.endswith("up_credit") for link in tree for part in link.back)
        try:
            annelid.Beside(scenario.but(link="wide"))
            raise SystemExit("nothing was raised")
        except annelid.ArgumentError as error:
            assert "found wide links" in str(error), error
    """)


DETOURS = textwrap.dedent("""
    import functools, itertools
    from annelid.library import c, ffi
    irregular = annelid.Scenario("sim/scenarios/graph_source_irregular.yaml")
    @functools.lru_cache(maxsize=None)
    def detour(source, destination):  # a route that is not that of the graph; None: there is none of three switches
        config, worm = ffi.addressof(irregular._c, "network"), ffi.new("struct anl_worm *", {"source": source, "destination": destination})
        ports, length = ffi.new("uint8_t[]", 256), ffi.new("uint32_t *")
        usual = c.anl_source_list(config, worm, ports, length)[0:length[0]]
        for route in itertools.product(range(irregular._shape.ports), repeat=3):
            ports[0:3] = route
            worm.route, worm.route_length = ports, 3
            if list(route) != list(usual) and c.anl_own_route_check(config, worm, ffi.NULL) == 0:
                return list(route)
    """)


def heads_say_what_the_model_beside_links_must_know(room, build):
    """Worms wait in the sources of a model. Another one is told what crosses links alone: stamps, paths and routes stand in heads."""
    names = sorted(path.stem for path in Path("sim/scenarios").glob("*.yaml"))
    inside(room, build, DETOURS + textwrap.dedent("""
        import random, sys
        class Told(Exception):
            pass
        def fields_of(scenario):
            config, network = ffi.addressof(scenario._c, "network"), scenario._c.network
            known = network.kind == c.ANL_BUFFERED and not network.reply_queue and c.anl_link_flits(config) == 1 and scenario.terminals <= 64
            return known and [c.anl_arbiter_has(network.arbiter, c.ANL_ARBITER_RANKS), c.anl_num_paths(config) > 1, network.routing == c.ANL_SOURCE,
                              True]
        def run(scenario, spoil=lambda worm, head: head, cycles=150, route=lambda source, destination: None):
            config, draw = ffi.addressof(scenario._c, "network"), random.Random(5)
            engine, beside, longest = annelid.Engine(scenario), annelid.Beside(scenario), min(6, c.anl_longest_worm(config))
            words = ffi.new("uint32_t[]", c.ANL_WIRE_WORDS)
            for cycle in range(cycles):
                for _ in range(scenario.terminals // 8 + 1):
                    ends = draw.randrange(scenario.terminals), draw.randrange(scenario.terminals)
                    engine.enqueue(*ends, draw.randint(1, longest), class_=draw.randrange(c.anl_num_classes(config)), route=route(*ends))
                engine.step()
                for link, worm, index, vc, head, tail in engine.flits.tolist():
                    engine._data(worm, index, link, words)
                    flit = int.from_bytes(ffi.buffer(words)[:], "little")
                    if head:
                        flit = spoil(worm, flit)
                    beside.flit(link, vc, head << beside.width - 1 | tail << beside.width - 2 | flit, length=engine.worm(worm).length)
                if not beside.cycle():
                    raise Told(beside.difference)
            whole, seen = engine.totals, beside.engine.totals
            assert (whole["delivered"], whole["flit_hops"]) == (seen["delivered"], seen["flit_hops"]) > (1, 50), (whole, seen)
        every, *names = sys.argv[1:]
        scenarios = [scenario for scenario in map(lambda name: annelid.Scenario(f"sim/scenarios/{name}.yaml"), names) if fields_of(scenario)]
        kinds = [fields_of(scenario) for scenario in scenarios]
        for field in range(4):
            chosen = [scenario for scenario, has in zip(scenarios, kinds) if has[field]]
            assert len(chosen) > 2, (field, chosen)
            for scenario in chosen[::int(every) if field < 3 else int(every) ** 2]:
                run(scenario)
        run(irregular, route=detour)
        assert sum(detour(source, destination) is not None for source in range(9) for destination in range(9)) > 20
        for name in ("age", "farthest"):  # other stamps and distances, on all links
            scenario = annelid.Scenario({"network": {"topology": "mesh", "k": 4, "n": 2}, "switch": {"num_vcs": 2}}, arbiter=name)
            run(scenario)
            bit = c.anl_label_bits(ffi.addressof(scenario._c, "network"))
            try:
                run(scenario, lambda worm, head: head ^ (worm & 1) << bit + 15)
                raise SystemExit(f"nothing was told: {name}")
            except (Told, annelid.ArgumentError) as error:
                assert name == "age" or "expected the distance of source and destination" in str(error), error
    """), 1 if FULL else 6, *names)


def a_sweep_of_own_traffic_is_that_of_its_worms(room, build):
    """The worms of the built-in process, created by a class of Python, give the same rows."""
    inside(room, build, """
        import threading
        mesh, made = annelid.Scenario("sim/scenarios/mesh4_uniform.yaml", cycles=2000, warmup_cycles=200), []
        class Same(annelid.Traffic):
            open_loop = True
            def __init__(self, scenario):
                path = "-".join(str(scenario[key]) for key in ("load", "run.seed", "num_vcs")) + ".anlt"
                annelid.run(scenario, trace=path)
                self.worms, self.at = annelid.read_trace(path).worms.tolist(), 0
                made.append((path, threading.get_ident()))
            def create(self, cycle, emit):
                while self.at < len(self.worms) and self.worms[self.at][4] == cycle:
                    emit(*self.worms[self.at][1:4])
                    self.at += 1
                return self.worms[self.at][4] if self.at < len(self.worms) else None
        asked = dict(loads=[0.1, 0.25], seeds=[3, 5], num_vcs=[1, 2], digest=True)
        own, built_in = annelid.sweep(mesh, traffic=Same, workers=2, **asked), annelid.sweep(mesh, **asked)
        assert len(own) == len(built_in) == len(set(made)) == 8 and len({thread for _, thread in made}) == 2, made
        for one, other in zip(own, built_in):
            for column in ("switch.num_vcs", "load", "seed", "end", "cycles", "digest"):
                assert one[column] == other[column], (column, one, other)
            point = mesh.but(load=one["load"], seed=one["seed"], num_vcs=one["switch.num_vcs"])
            row = annelid.run(point, digest=True).row()
            assert {name: one[name] for name in row} == {**row, "digest": f"{row['digest']:016x}"}, (one, row)
        class Quiet(annelid.Traffic):  # without __init__, and with nothing varied
            def create(self, cycle, emit):
                emit(0, 15, int(self.scenario["run.seed"]))
        assert [row["created"] for row in annelid.sweep(mesh, seeds=3, traffic=Quiet)] == [1, 1, 1]
        assert "digest" not in annelid.sweep(mesh, seeds=1, traffic=Quiet)[0]
        class Fails(annelid.Traffic):
            def create(self, cycle, emit):
                raise ZeroDivisionError(self.scenario["run.seed"])
        for traffic, error, given in ((Fails, ZeroDivisionError, {}), (Quiet(), TypeError, {}), (lambda scenario: None, TypeError, {}),
                                      (3, TypeError, {}), (Quiet, TypeError, {"num_vcs": "14"}), (Quiet, ValueError, {"num_vcs": []}),
                                      (Quiet, ValueError, {"seeds": []})):
            try:
                annelid.sweep(mesh, **{"seeds": 4, **given}, traffic=traffic)
                raise SystemExit(f"nothing was raised: {traffic}, {given}")
            except error:
                pass
    """)


def a_run_goes_on_from_its_checkpoint(room, build):
    """Stopped again and again, in Python and by the command, it is the run that never stopped."""
    said = inside(room, build, """
        import itertools, os, resource, subprocess, sys
        annelid.run.__globals__["_OFTEN"] = 16 * 700  # so that it can be stopped in small steps
        mesh, stop = annelid.Scenario("sim/scenarios/mesh4_uniform.yaml", cycles=9000), lambda going: False
        whole = annelid.run(mesh, digest=True, referee=True, trace="whole.anlt")
        asked = dict(digest=True, referee=True, trace="parts.anlt", checkpoint="run.ckpt", every=1000)
        for parts in itertools.count():
            part = annelid.run(mesh, progress=stop if parts < 6 else False, **asked)
            if part.end != "stopped":
                break
            assert os.path.exists("run.ckpt") and part.cycles == 700 * (parts + 1) and not os.path.exists("parts.anlt"), part
        assert parts == 6 and part.digest == whole.digest and part.lines == whole.lines and not os.path.exists("run.ckpt")
        assert open("parts.anlt", "rb").read() == open("whole.anlt", "rb").read() and [*part.latency.counts.nonzero()[0]] == [*whole.latency.counts.nonzero()[0]]
        # The command goes on from a checkpoint of Python, and refuses that of another run; so does Python.
        assert annelid.run(mesh, digest=True, checkpoint="run.ckpt", progress=stop).cycles == 700
        for other in (mesh.but(seed=7), mesh.but(load=0.2)):
            try:
                annelid.run(other, digest=True, checkpoint="run.ckpt")
                raise SystemExit("nothing was raised")
            except annelid.ArgumentError as error:
                assert "run.ckpt" in str(error), error
        command = [sys.argv[1], "run", "--digest", "--checkpoint", "run.ckpt", "--every", "1000", "--set", "run.cycles=9000"]
        done = subprocess.run([*command, "sim/scenarios/mesh4_uniform.yaml"], capture_output=True, text=True)
        assert done.returncode == 0 and f"{whole.digest:016x}" in done.stdout and not os.path.exists("run.ckpt"), done
        # Python goes on from a checkpoint of the command, which ends where its trace has a certain size.
        most, seen = os.path.getsize("whole.anlt"), []
        killed = subprocess.run([*command, "--referee", "--trace", "parts.anlt", "sim/scenarios/mesh4_uniform.yaml"],
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
        last = annelid.run(mesh, progress=lambda going: seen.append(going.cycle), **asked)
        assert killed.returncode < 0 and seen[0] > 1000 and last.lines == whole.lines, (killed, seen, last)
        assert open("parts.anlt", "rb").read() == open("whole.anlt", "rb").read() and not os.path.exists("run.ckpt")
        assert annelid.run(mesh, checkpoint="run.ckpt", progress=stop).end == "stopped"
        fresh = annelid.run(mesh.but(seed=8), checkpoint="run.ckpt", restart=True, digest=True)
        assert fresh.digest == annelid.run(mesh.but(seed=8), digest=True).digest
        # Traffic of one's own: requests and answers, with its state.
        class Talk(annelid.Traffic):
            def __init__(self, kept=None):
                self.left, self.due, self.kept = 3000, [], kept if kept is not None else []
            def create(self, cycle, emit):
                for source, destination in self.due:
                    emit(source, destination, 5)
                self.due = []
                if self.left and cycle % 3 == 0:
                    self.left -= 1
                    emit(cycle % 16, cycle * 7 % 16, 1)
                return cycle + 1 if self.left or self.due else None
            def delivered(self, cycle, worms):
                self.due += [(worm.destination, worm.source) for worm in worms if worm.length == 1]
                return cycle + 1 if self.due else None
            def state(self):
                self.kept.append(self.left)
                return repr((self.left, self.due)).encode()
            def resume(self, state):
                self.left, self.due = eval(state)
        whole = annelid.run(mesh, traffic=Talk(), digest=True)
        assert whole.delivered == 6000, whole
        kept = []
        for parts in range(100):
            part = annelid.run(mesh, traffic=Talk(kept), digest=True, checkpoint="talk.ckpt", every=450, progress=stop if parts < 7 else False)
            if part.end != "stopped":
                break
        assert parts == 7 and part.digest == whole.digest and part.lines == whole.lines and len(set(kept)) > 15, (parts, part, kept)
        # What is raised between two cycles leaves a last checkpoint; what is raised within one, that before.
        def breaks(going):
            raise InterruptedError
        talk = Talk()
        talk.delivered = lambda cycle, worms: Talk.delivered(talk, cycle, worms) if cycle < 1345 else breaks(cycle)
        for given in (dict(traffic=Talk(), progress=breaks), dict(traffic=talk, every=450)):
            try:
                annelid.run(mesh, digest=True, checkpoint="talk.ckpt", **given)
                raise SystemExit("nothing was raised")
            except InterruptedError:
                assert os.path.exists("talk.ckpt"), given
            part = annelid.run(mesh, traffic=Talk(), digest=True, checkpoint="talk.ckpt")
            assert part.digest == whole.digest and part.lines == whole.lines, (part, given)
        assert len(talk.kept) == 2, talk.kept
        class Other(Talk):
            pass
        class Silent(annelid.Traffic):
            def create(self, cycle, emit):
                return cycle + 1
        class Bad(Talk):
            def resume(self, state):
                raise KeyError("mine")
        annelid.run(mesh, traffic=Bad(), checkpoint="bad.ckpt", progress=stop)
        annelid.run(mesh, traffic=Talk(), checkpoint="talk.ckpt", progress=stop)
        for call, error in ((lambda: annelid.run(mesh, traffic=Other(), checkpoint="talk.ckpt"), annelid.ArgumentError),
                            (lambda: annelid.run(mesh, traffic=Silent(), checkpoint="new.ckpt"), annelid.ArgumentError),
                            (lambda: annelid.run(mesh, traffic=Bad(), checkpoint="bad.ckpt"), KeyError),
                            (lambda: annelid.run(mesh, windows=10, checkpoint="new.ckpt"), annelid.ArgumentError),
                            (lambda: annelid.run(mesh, checkpoint="new.ckpt", every=0), ValueError)):
            try:
                call()
                raise SystemExit(f"nothing was raised: {error}")
            except error:
                print(error.__name__)
    """, build.resolve() / "annelid")
    expect(said.split()[-5:] == ["ArgumentError", "ArgumentError", "KeyError", "ArgumentError", "ValueError"], "all are refused", said)


def an_engine_goes_on_from_what_another_one_has_saved(room, build):
    inside(room, build, DETOURS + textwrap.dedent("""
        import random, sys
        def one_cycle(engines, draw):
            scenario = engines[0].scenario
            for _ in range(scenario.terminals // 8 + 1):
                worm = draw.randrange(scenario.terminals), draw.randrange(scenario.terminals), draw.randint(1, 5)
                for engine in engines:
                    engine.enqueue(*worm)
            for engine in engines:
                engine.step()
        ran = 0
        for name in sys.argv[1:]:
            scenario = annelid.Scenario(f"sim/scenarios/{name}.yaml")
            longest = c.anl_longest_worm(ffi.addressof(scenario._c, "network"))
            if scenario.terminals > 64 or longest < 5 or scenario._c.network.reply_queue or scenario._c.network.kind != c.ANL_BUFFERED:
                continue
            first, draw = annelid.Engine(scenario), random.Random(name)
            first.reset(seed=9)
            for _ in range(40):
                one_cycle([first], draw)
            second = annelid.Engine(scenario)
            second.enqueue(0, scenario.terminals - 1, 3)
            second.step(3)
            second.load(first.save())
            assert second.cycle == 40 and second.totals == {**first.totals, "moved": 0, "taken": 0}, (name, first.totals, second.totals)
            again = annelid.Engine(scenario)
            again.load(second.save())
            assert again.save() == second.save(), name
            for _ in range(60):
                one_cycle([first, second], draw)
                assert first.flits.tolist() == second.flits.tolist() and first.delivered == second.delivered, name
            assert first.totals == second.totals and first.totals["delivered"], (name, first.totals)
            ran += 1
        assert ran > 15, ran
        open("one.txt", "w").write("1 0 5 3\\n")
        try:
            annelid.Engine({"network": {"topology": "mesh", "k": 4, "n": 2}, "switch": {"kind": "bufferless"},
                            "traffic": {"process": "replay", "messages": "one.txt"}}).save()
            raise SystemExit("nothing was raised")
        except annelid.ArgumentError as error:
            assert "another kind than buffered" in str(error), error
        # Routes of their own stay with their worms.
        first, second = annelid.Engine(irregular), annelid.Engine(irregular)
        ways = [(source, destination) for source in range(9) for destination in range(9) if detour(source, destination)]
        for source, destination in ways:
            first.enqueue(source, destination, 4, route=detour(source, destination))
        first.step(12)
        second.load(first.save())
        for _ in range(300):
            first.step()
            second.step()
            assert first.flits.tolist() == second.flits.tolist()
        assert first.totals["delivered"] == second.totals["delivered"] > 20, (len(ways), first.totals, second.totals)
        # One that a head has told has its length again, and those of worms that are no more do not pile up.
        beside, (source, destination) = annelid.Beside(irregular), ways[0]
        link, head = c.anl_injection_link(ffi.addressof(irregular._c, "network"), source), ffi.new("uint32_t[]", c.ANL_WIRE_WORDS)
        for _ in range(200):
            number = beside.engine.enqueue(source, destination, 1, route=detour(source, destination))
            beside.engine._data(number, 0, link, head)
            beside.engine.step(20)
        assert beside.engine.idle and len(beside.engine._routes) < 150, len(beside.engine._routes)
        beside.flit(link, 0, int.from_bytes(ffi.buffer(head), "little") | 3 << beside.width - 2)
        beside.cycle()
        second.load(beside.engine.save())
        second._data(number + 1, 0, link, beside._flit)
        assert (beside._flit[0] ^ head[0]) & beside._fields == 0, (beside._flit[0], head[0])
        # What is damaged, or of another network, is refused, and nothing has happened.
        mesh = annelid.Scenario(topology="mesh", k=4, n=2)
        engine, state = annelid.Engine(mesh), annelid.Engine(mesh).save()
        engine.enqueue(0, 5, 3)
        for bad, error in ((state[:-1], annelid.FormatError), (b"", annelid.FormatError), (bytes(len(state)), annelid.FormatError),
                           (state[:90] + b"?" + state[91:], annelid.FormatError), ("state", TypeError), (first.save(), annelid.ArgumentError),
                           (annelid.Engine(mesh.but(depth=2)).save(), annelid.ArgumentError)):
            try:
                engine.load(bad)
                raise SystemExit(f"nothing was raised: {bad[:99]}")
            except error:
                assert engine.totals["enqueued"] == 1
        engine.load(annelid.Engine(mesh.but(seed=4, load=0.3)).save())
        assert engine.idle
    """), *sorted(path.stem for path in Path("sim/scenarios").glob("*.yaml"))[::1 if FULL else 7])


def progress_shows_and_stops_a_run(room, build):
    said = inside(room, build, """
        import os, signal, threading, time
        mesh, seen = annelid.Scenario("sim/scenarios/mesh8_uniform.yaml", cycles=400000000, max_cycles=800000000), []
        def stop(going):
            seen.append(going)
            return len(seen) < 3
        result = annelid.run(mesh, progress=stop)
        assert result.end == "stopped" and len(seen) == 3 and 0 < seen[0].cycle < seen[2].cycle == result.cycles, (result, seen)
        def fail(going):
            raise RuntimeError("mine")
        for words in ({"progress": fail}, {"traffic": type("T", (annelid.Traffic,), {"create": lambda self, cycle, emit: 1 / 0})()}):
            try:
                annelid.run(mesh, **words)
                raise SystemExit("nothing was raised")
            except (RuntimeError, ZeroDivisionError) as error:
                print(type(error).__name__)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background of a shell ignores it
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        begin = time.monotonic()
        try:
            annelid.run(mesh, trace="never.anlt")
        except KeyboardInterrupt:
            print("interrupted")
        assert not os.path.exists("never.anlt") and not [name for name in os.listdir() if "never" in name], os.listdir()
    """)
    expect(said.split() == ["RuntimeError", "ZeroDivisionError", "interrupted"], "all three are raised", said)


def one_thread_at_a_time_is_in_an_engine(room, build):
    inside(room, build, """
        import threading
        engine = annelid.Engine("sim/scenarios/mesh8_uniform.yaml")
        for terminal in range(64):
            engine.enqueue(terminal, 63 - terminal, 60)
        threads = [threading.Thread(target=engine.step, args=(20000,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert engine.cycle == 80000 and engine.totals["delivered"] == 64, (engine.cycle, engine.totals)
    """)


def values_are_written_as_the_library_reads_them(room, build):
    (room / "one.txt").write_text("1 0 5 3\n")
    (room / "two.txt").write_text("1 0 5 3\n2 1 5 3\n")
    (room / "\U0001F600").mkdir()
    (room / "\U0001F600/one.txt").write_text("1 0 5 3\n")
    inside(room, build, """
        import numpy as np
        sections = {"network": {"topology": "mesh", "k": 4, "n": 2}, "run": {"cycles": 200}}
        mesh = annelid.Scenario("sim/scenarios/mesh4_uniform.yaml", cycles=200, seed=3)
        for value, read in ((1e-5, 1e-5), (0.1 * 3, 0.3), (np.float64(0.05), 0.05), (np.linspace(0, 1, 11)[3], 0.3)):
            for source in (annelid.Scenario(sections), mesh):
                assert source.but(load=value)["load"] == read, (value, source.but(load=value)["load"])
        loads = [0.1 * i for i in range(1, 4)] + [1e-5]
        rows = annelid.sweep(mesh, loads, seeds=[4], unsafe=[True, False], length=[[1, 5]], digest=True)
        assert [row["load"] for row in rows[:4]] == [1e-5, 0.1, 0.2, 0.3] and rows[0]["traffic.length"] == [1, 5], rows[:4]
        assert {(row["network.unsafe"], row["seed"]) for row in rows} == {(True, 4), (False, 4)}
        assert all(isinstance(row["digest"], str) and len(row["digest"]) == 16 for row in rows)
        import csv
        kept, csv.DictReader = csv.DictReader, lambda lines: [{"digest": "12345e6789012345"}]
        assert annelid.sweep(mesh, [0.1], seeds=1) == [{"digest": "12345e6789012345"}]
        csv.DictReader = kept
        replay = {"network": sections["network"], "traffic": {"process": "replay", "messages": "\U0001F600/one.txt"}}
        assert annelid.run(replay).delivered == 1
        assert [row["worms"] for row in annelid.sweep(replay, seeds=1, messages=["one.txt", "two.txt"])] == [1, 2]
    """)


def a_scenario_stays_what_it_was(room, build):
    inside(room, build, """
        import gc, os
        sections = {"network": {"topology": "mesh", "k": 4, "n": 2}}
        small, mesh = annelid.Scenario(sections, load=0.1), annelid.Scenario("sim/scenarios/mesh4_uniform.yaml")
        engine, blocked = annelid.Engine("sim/scenarios/graph_irregular.yaml"), annelid.worms("sim/scenarios/deadlock_turn.yaml")
        life = blocked.worms()
        sections["network"]["k"] = 8
        os.chdir("/")
        assert small.but(depth=8).terminals == 16 and mesh.but(load=0.2)["load"] == 0.2
        engine.scenario = blocked.scenario = None
        gc.collect()
        noise = [bytearray(1000 + i) for i in range(5000)]
        engine.enqueue(0, 3, 3)
        engine.step(100)
        assert engine.totals["delivered"] == 1 and blocked.worms() == life
        first, second = annelid.run(mesh.but(cycles=50)), annelid.run(mesh.but(cycles=50))
        assert first != second and len({first, second, first.latency}) == 3
    """)


def what_means_nothing_is_refused(room, build):
    inside(room, build, """
        mesh = annelid.Scenario("sim/scenarios/mesh4_uniform.yaml", cycles=100)
        asks = type("Asks", (annelid.Traffic,), {"create": lambda self, cycle, emit: emit(0, 1, 1, role="ask")})
        watch = annelid.Watch(mesh)
        for what, call in {
            "routing valiant cannot be watched": lambda: annelid.Watch(mesh.but(routing="valiant")),
            "missing.yaml: No such file": lambda: annelid.Watch(mesh, links="missing.yaml"),
            "nowhere/t.anlt: cannot write": lambda: annelid.Watch(mesh, trace="nowhere/t.anlt"),
            "found a zero byte": lambda: annelid.Watch(mesh, report="a\\0b"),
            "patience: found -1": lambda: annelid.Watch(mesh, patience=-1),
            "vc: found 4, expected 0..3": lambda: watch.was_used(0, 4),
            "flit: found -1": lambda: watch.flit(0, 0, -1),
            f"flit: found {1 << watch.width}": lambda: watch.flit(0, 0, 1 << watch.width),
            "seeds: found True": lambda: annelid.sweep(mesh, [0.1], seeds=True),
            "seeds: found 1.0": lambda: annelid.sweep(mesh, [0.1], seeds=[1.0]),
            "switch.num_vcs: found '12'": lambda: annelid.sweep(mesh, [0.1], num_vcs="12"),
            "found a comma in 'uniform,tornado'": lambda: annelid.sweep(mesh, [0.1], pattern=["uniform,tornado"]),
            "switch.num_vcs: found twice": lambda: annelid.sweep(mesh, [0.1], num_vcs=[1], **{"switch.num_vcs": [2]}),
            "traffic.load: found twice": lambda: mesh.but(load=0.1, **{"traffic.load": 0.2}),
            "found nan": lambda: mesh.but(load=float("nan")),
            "directory: found 'sim'": lambda: annelid.Scenario("sim/scenarios/mesh4_uniform.yaml", directory="sim"),
            "-x.yaml: No such file": lambda: annelid.draw("-x.yaml"),
            "at: found 'deadlock'": lambda: annelid.draw(mesh, "deadlock"),
            "worm from 0 to 99, 1 flits": lambda: annelid.Engine(mesh).enqueue(0, 99, 1),
            "source: found True": lambda: annelid.Engine(mesh).enqueue(True, 1, 1),
            "role: found 'ask'": lambda: annelid.run(mesh, traffic=asks()),
            "progress: found 1": lambda: annelid.run(mesh, progress=1),
        }.items():
            try:
                call()
            except (annelid.Error, TypeError, ValueError) as error:
                assert what in str(error), (what, error)
            else:
                raise SystemExit(f"nothing was raised: {what}")
        annelid.run(mesh, trace=b"bytes.anlt")
        assert open("bytes.anlt", "rb").read(15) != b"annelid-trace 1"
    """)


def the_line_of_progress_ends(room, build):
    said = inside(room, build, """
        import io, sys
        sys.stderr = io.StringIO()
        annelid.run.__globals__["time"].monotonic = lambda clock=iter(range(0, 10 ** 9, 3)): next(clock)
        annelid.run(annelid.Scenario("sim/scenarios/mesh8_uniform.yaml", cycles=100000), progress=True)
        print(repr(sys.stderr.getvalue()[-30:]))
    """)
    expect("on their way" in said and said.strip().endswith("\\n'"), "a line that ends", said)


def misuse_ends_in_exceptions(room, build):
    wheel(build)
    for seed in range(1, 40 if FULL else 3):
        good(PYTHON, "-X", "faulthandler", ROOT / "tb/unit/python/fuzz.py", seed, 4000 if FULL else 800, room=room)


def the_notebook_runs(room, build):
    """Where there is no matplotlib, something takes its place that draws nothing. Where there is pandas, its frame gives the same curves."""
    wheel(build)
    cells = json.loads(Path("docs/python.ipynb").read_text())["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    expect(len([line for line in code[0].splitlines() if line]) <= 15, "a curve in 15 lines", code[0])
    last = code[-1].splitlines()
    shorter = code[0].replace("range(1, 24)", "range(1, 24, 6)").replace("seeds=3", "seeds=2").replace("cycles=5000", "cycles=500")
    said = inside(room, build, "\n".join([textwrap.dedent("""
        import importlib.util, sys, unittest.mock
        has = {name: importlib.util.find_spec(name) is not None for name in ("matplotlib", "pandas")}
        if has["matplotlib"]:
            import matplotlib
            matplotlib.use("agg")
        else:
            sys.modules.update({name: unittest.mock.MagicMock() for name in ("matplotlib", "matplotlib.pyplot")})
        """), shorter, textwrap.dedent("""
        assert sorted(curves) == [1, 2, 4, 8] and all(len(curve) > 1 for curve in curves.values()), curves
        if has["matplotlib"]:
            assert len(plt.gca().lines) == 4 and all(len(line.get_xdata()) > 1 for line in plt.gca().lines)
        if has["pandas"]:
            steady = rows.frame().query("state == 'steady'").groupby(["switch.num_vcs", "load"])["latency"].apply(list)
            assert steady.to_dict() == {(lanes, load): seeds for lanes, curve in curves.items() for load, seeds in curve.items()}
        """), *last[:-1], f"print({last[-1]}._repr_svg_()[:4])"]))
    expect("held by worm" in said and said.endswith("<svg\n"), "the deadlock in words and as a picture", said)


TESTS = [the_wheel_is_for_any_python_of_this_machine, the_page_is_true, digests_are_those_of_the_golden_file,
         a_stream_of_worms_is_the_same_as_its_replay, a_trace_has_the_records_of_its_text, blocked_worms_and_cycles_are_those_of_the_command,
         a_watch_sees_what_the_engine_does, a_watch_names_rule_cycle_and_blocked_worms,
         the_model_beside_links_tells_the_first_difference, heads_say_what_the_model_beside_links_must_know,
         a_sweep_of_own_traffic_is_that_of_its_worms, a_run_goes_on_from_its_checkpoint, an_engine_goes_on_from_what_another_one_has_saved,
         progress_shows_and_stops_a_run, one_thread_at_a_time_is_in_an_engine,
         values_are_written_as_the_library_reads_them, a_scenario_stays_what_it_was, what_means_nothing_is_refused, the_line_of_progress_ends,
         misuse_ends_in_exceptions, the_notebook_runs]

if __name__ == "__main__":
    sys.exit(main("python", TESTS, __doc__.splitlines()[2]))
