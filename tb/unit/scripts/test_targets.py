#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every target that a page or `make help` names is run by something from nothing, as tb/targets.toml says; and what `make
test` leaves out of the corners of the RTL's parameters.

usage: tb/unit/scripts/test_targets.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main
from annelid import benches, corners, formal, report
from annelid.children import Wrong
from annelid.planted import of_scripts, plant
from annelid.arbiters import ARBITERS
from annelid.sources import declared_in, made, source_of
from annelid.targets import Target, table
from annelid.variables import makefiles

RUN, TABLE = Path("scripts/run").resolve(), table()
PAGES = [Path("README.md"), Path("CONTRIBUTING.md"), *sorted(Path("docs").rglob("*.md")), *sorted(Path("papers").rglob("*.md"))]
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
ROWS = {row["name"]: row.get("make", "").split() for row in report.table(report.ROWS)["row"]}
CI = Path(".ci/run").read_text()
MAKEFILES = makefiles()
STEPS = " ".join(re.findall(r"^TESTS(?:_\w+)? *:= (.*)", MAKEFILES, re.MULTILINE)).split()
# Parameters of which each value is another thing; of the classes' weights, whether there are any.
KINDS = (*(set(corners.NAMES.values()) - {"Escapes"}), "Level")
DEFAULTS = {"Arbiter": 1, "LinkCycles": 1, "Stages": 1, "Classes": 1} | dict.fromkeys(
    ("Select", "Atomic", "FlowControl", "LengthInHead", "CreditBypass", "Wide", "Weights"), 0)
POLICIES = ("Topology", "Routing", "Arbiter", "FlowControl", "Path")
UNSAMPLED = {"anl_supernodes"}  # too large for make test


def rule_of(target):
    """Returns the text of all rules for the target, or None if there are none."""
    found = re.findall(rf"^(?:[\w-]+ )*{target}(?: [\w-]+)*:(?!=).*(?:\n\t.*)*", MAKEFILES, re.MULTILINE)
    return "\n".join(found) if found else None


def make(*words):
    """What it prints."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    return subprocess.run(["make", "-s", *words], env=plain, capture_output=True, text=True, check=True).stdout


def named():
    """Returns {target: where} for the targets behind `make` in code of the pages, and those that `make help` lists."""
    places = {}
    for page in PAGES:
        for code in CODE.findall(page.read_text()):
            places |= {target: str(page) for target in re.findall(r"\bmake ([a-z][a-z0-9-]*)", code)}
    return places | {target: "make help" for targets in parts_of_help().values() for target in targets}


def parts_of_help():
    """Returns {heading: its targets} of what `make help` prints."""
    parts = {}
    for line in filter(None, make("help").splitlines()):
        if line.startswith("  "):
            parts[next(reversed(parts))].append(line.split()[0])
        else:
            parts[line] = []
    return parts


def called_by(rule):
    """Returns the files of scripts/ and tb/ that a rule names, and the modules that it gives to scripts/run."""
    modules = re.findall(r"scripts/run ([\w-]+)", rule)
    return {*re.findall(r"\b(?:scripts|tb)/[\w./-]+", rule), *(f"scripts/annelid/{name.replace('-', '_')}.py" for name in modules)}


def makes(step, target):
    """Whether a step is the target, or its rule or a script that this calls makes it."""
    rule = rule_of(step) or ""
    scripts = [Path(path).read_text() for path in called_by(rule) if Path(path).is_file()]
    call = rf'(\$\(MAKE\)|\bmake\(|"make", )[^\n]*[ "]{target}($|[ "])'
    return step == target or any(re.search(call, text, re.MULTILINE) for text in (rule, *scripts))


def bad_short(target, short, how):
    """Returns what is wrong with an entry that has a short form, or None."""
    try:
        made(Target, target, name=target, **how)
    except Wrong as wrong:
        return str(wrong)
    if short.split()[:1] != [target]:
        return "a short form of something else"
    return None if "targets" in ROWS.get("documented targets", ()) else "the sign-off page does not run short forms"


def complaint(target, how):
    """Returns what is wrong with an entry of the table, or None."""
    match how:
        case {"step": step}:
            good = step in STEPS and makes(step, target)
            return None if good else f"make test has no step {step} that makes it"
        case {"row": row}:
            return None if target in ROWS.get(row, ()) else f"the sign-off page has no row {row} that makes it"
        case {"ci": True}:
            return None if re.search(rf"\bmake {target}\b(?!-)", CI) else ".ci/run does not make it"
        case {"short": short}:
            return bad_short(target, short, how)
    return f"expected step, row, ci or short, not {how}"


def complaints(table, places):
    """Returns [what is wrong] for all targets."""
    for target in sorted(table.keys() | places.keys()):
        if target not in table:
            yield f"{target}: {places[target]} names it, tb/targets.toml does not say what runs it"
        elif target not in places:
            yield f"{target}: tb/targets.toml has it, but neither a page nor make help"
        elif rule_of(target) is None:
            yield f"{target}: {places[target]} names it, but no makefile has a rule for it"
        elif wrong := complaint(target, table[target]):
            yield f"{target}: {wrong}"


# --- tests: each gets a directory of its own and the build directory ---

def every_target_is_accounted_for(_room, _build):
    wrong = list(complaints(TABLE, named()))
    expect(not wrong, "something that runs every target", "\n  ".join(["", *wrong]))


def help_has_a_part_for_each_target(_room, _build):
    """The lists of the first two parts name targets that there are, each once."""
    parts = parts_of_help()
    expect([heading.split(",")[0] for heading in parts] == ["every day", "before a merge", "before a release"], "three parts", parts)
    for name, part in zip(("EVERY_DAY", "BEFORE_A_MERGE"), parts.values()):
        listed = re.search(rf"^{name} *:= (.*)", MAKEFILES, re.MULTILINE)[1].split()
        expect(sorted(listed) == sorted(part), f"the targets of {name}", set(listed) ^ set(part))
    expect({"worm", "regress", "test"} <= set(parts["every day"]) and "report" in parts["before a release, and now and then"], "some of them", parts)


def what_is_wrong_is_found(_room, _build):
    places = named()
    for changed, more, said in (
            ({"bench": None}, {}, "bench: make help names it, tb/targets.toml does not"),
            ({}, {"nonsense": "a page"}, "nonsense: a page names it, tb/targets.toml does not"),
            ({"nonsense": {"ci": True}}, {}, "nonsense: tb/targets.toml has it, but neither"),
            ({"nonsense": {"ci": True}}, {"nonsense": "a page"}, "nonsense: a page names it, but no makefile"),
            ({"model": {"step": "test-c"}}, {}, "model: make test has no step test-c that makes it"),
            ({"test-reset": {"step": "test-reset"}}, {}, "test-reset: make test has no step"),
            ({"waves": {"step": "test-same-nonsense"}}, {}, "waves: make test has no step"),
            ({"board": {"row": "boards"}}, {}, "board: the sign-off page has no row boards"),
            ({"gates": {"row": "board"}}, {}, "gates: the sign-off page has no row board"),
            ({"test-c": {"ci": True}}, {}, "test-c: .ci/run does not make it"),
            ({"golden": {"short": ""}}, {}, "golden: a short form of something"),
            ({"golden": {"short": "golden", "make": "x"}}, {}, "golden: golden: "),
            ({"bench": {"short": "board"}}, {}, "bench: a short form of something"),
            ({"bench": {"nobody": "why"}}, {}, "bench: expected step, row, ci or short"),
            ({"test": {"somebody": "else"}}, {}, "test: expected step, row, ci or short")):
        table = {target: how for target, how in (TABLE | changed).items() if how}
        seen = list(complaints(table, places | more))
        expect(len(seen) == 1 and seen[0].startswith(said), said, seen)


SMALL = """
touch: ; mkdir -p build && touch build/made && cat new
none: ; true
fails: ; false
says: ; echo good
removes: ; touch build; rm build
spoils: ; echo >> known
adds: ; touch other
"""
SHORT = {"touch": 'short = "touch", makes = "build/made", says = "new words"', "none": 'short = "none", sample = true',
         "fails": 'short = "fails", status = 2', "removes": 'short = "removes", before = "touch build", removes = "build"'}
SPOILT = {"touch": ('makes = "build/mode"', "did not make build/mode"), "says": ('says = "bad"', "did not say 'bad'"),
          "fails": ("status = 0", "exit status 2, not 0"), "none": ('before = "exit 3"', "status 3 before make: exit 3"),
          "removes": ('removes = "known"', "did not remove known"), "spoils": ("status = 0", "changed files:  M known"),
          "adds": ("status = 0", "changed files: ?? other")}


def small_tree(room, table):
    """A repository whose makefile was changed since its only commit, with a file that git does not know."""
    git = ["git", "-C", str(room), "-c", "user.name=x", "-c", "user.email=x@localhost"]
    files = {"Makefile": "", ".gitignore": "build\n", "known": "old\n", "rtl/annelid.f": "", "tb/targets.toml": table}
    for path, text in files.items():
        (room / path).parent.mkdir(parents=True, exist_ok=True)
        (room / path).write_text(text)
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "x"]):
        subprocess.run([*git, *words], check=True)
    (room / "Makefile").write_text(SMALL)
    (room / "new").write_text("new words\n")


def run_targets(room, table, *words):
    """Returns (exit status, what is printed) of `scripts/run targets`."""
    room.mkdir(exist_ok=True)
    small_tree(room, "\n".join(f"{name} = {{{how}}}" for name, how in table.items()))
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    seen = subprocess.run([sys.executable, str(RUN), "targets", *words], cwd=room, env=plain | {"ONLY": "x"}, capture_output=True,
                          text=True, check=False)
    return seen.returncode, seen.stdout + seen.stderr


def short_forms_run_in_clones_of_the_tree_as_it_is(room, _build):
    status, said = run_targets(room / "all", SHORT | {"model": "ci = true"})
    expect(status == 0 and said.endswith("\n4 passed, 0 failed\n") and said.count("PASS") == 4, "four that pass", said)
    logs = sorted(path.name for path in (room / "all/build/targets/a clone").glob("*.log"))
    expect([*SHORT] and logs == ["fails.log", "none.log", "removes.before.log", "removes.log", "touch.log"], "logs", logs)
    expect("1 passed, 0 failed" in run_targets(room / "some", SHORT, "--short")[1], "samples only", "")
    status, said = run_targets(room / "other", SHORT, "--only", "model")
    expect(status == 2 and "no target with a short form model" in said, "a refusal", said)


def what_goes_wrong_in_a_clone_is_said(room, _build):
    table = {name: f'short = "{name}", {more}' for name, (more, _) in SPOILT.items()}
    status, said = run_targets(room / "bad", table)
    expect(status == 1 and said.endswith(f"\n0 passed, {len(SPOILT)} failed\n"), "that each fails", said)
    for name, (_, reason) in SPOILT.items():
        expect(re.search(rf"^FAIL  {name} .*\n      {re.escape(reason)}", said, re.MULTILINE), f"{name}: {reason}", said)


def a_folder_may_have_a_blank_in_its_name(room, _build):
    """A network of RTL is built in it. Lists with whole paths cannot be; this is said."""
    with_blank = room / "a clone"
    with_blank.mkdir()
    for path in Path().iterdir():
        if path.name not in ("build", ".git"):
            (with_blank / path.name).symlink_to(path.resolve())
    def call(*words):
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        return subprocess.run(["make", "VOPT=-O0", *words], cwd=with_blank, env=plain, capture_output=True, text=True, check=False)
    network = "build/rtl/cube_K2_N1_Topology0_Routing0_NumVcs1_Depth1_FlitW8_Arbiter0/network.a"
    seen = call(network)
    expect(not seen.returncode and (with_blank / network).exists(), "a network", seen.stdout + seen.stderr)
    for name in ("BUILD", "COMMAND_OF", "JUNIT", "PREFIX", "LIBDIR"):
        seen = call("-n", "install", f"{name}={with_blank}/x")
        expect(seen.returncode and f'{name}="{with_blank}/x" has a blank' in seen.stderr, f"a refusal of {name}=", seen)
    seen = call("file-list")
    expect(seen.returncode and "a clone\" has a blank" in seen.stdout and not (with_blank / "build/annelid.f").exists(), "a refusal", seen)


def the_sample_of_corners_has_every_module_and_kind(_room, _build):
    """With what the modules have by default."""
    def given(corner):
        declared = declared_in(source_of(corner.module), corner.module)
        return corner.module, {name: value for name, value in DEFAULTS.items() if name in declared} | corner.parameters
    table = [corner for corner in corners.load() if corner.module not in UNSAMPLED]
    every, sample = list(map(given, table)), [given(corner) for corner in table if corner.sample]
    expect(len(every) > 60 and all(corner in every for corner in sample), "a sample of the corners", (every, sample))
    def kinds(listed):
        return {(name, value > 0 if name == "Weights" else value) for module, pairs in listed if module.endswith("_switch")
                for name, value in pairs.items() if name in KINDS}
    expect(kinds(sample) == kinds(every), "each value of each kind", kinds(every) - kinds(sample))
    for module in {module for module, _ in every}:
        ours = [pairs for name, pairs in sample if name == module]
        expect(ours, f"a corner of {module}", every)
        wanted, seen = ({tuple(pairs.get(one) for one in ("Topology", "Routing", "Select", "Atomic", "Escapes")) for name, pairs in some
                         if name == module} for some in (every, sample))
        expect(module == "anl_board" or wanted == seen, f"each kind of {module}", wanted - seen)


def what_is_wrong_in_a_table_of_corners_is_said(room, _build):
    for row, said in (
            ("anl_cube = [{K = 2, topology = 'ring'}]", 'topology = "ring": expected one of mesh, torus'),
            ("anl_cube = [{K = 2, topology = 'mesh', routing = 'valiant'}]", 'routing = "valiant": expected one of dimension_order, west_first'),
            ("anl_cube = [{K = 2, topology = 'mesh', arbiter = 'fair'}]", 'arbiter = "fair": expected one of fixed, round_robin'),
            ("anl_cube = [{K = 2, topology = 'mesh', arbiter = 'each but fair'}]", 'arbiter = "fair": expected one of fixed, round_robin'),
            ("anl_cube = [{K = 2, topology = 'mesh', arbiter = 'each fixed'}]", 'arbiter = "each fixed": expected one of fixed, round_robin'),
            ("anl_cube = [{K = 2, topology = 'mesh', arbiters = 'fixed'}]", "anl_cube has no parameter for arbiters: expected K, N, topology"),
            ("anl_cube = [{Q = 2, topology = 'mesh'}]", "anl_cube has no parameter for Q: expected K, N, topology"),
            ("anl_cube = [\n{K = 2, topology = 'mesh'},\n# one\n{Q = 2, topology = 'mesh'},\n]", "table.toml:4, anl_cube: "),
            ("anl_link_slices = [{Cycles = 'two'}]", "Cycles = 'two': expected a number"),
            ("anl_cube = [{K = 2, topology = 'mesh', Arbiter = 1}]", "Arbiter is a number in the place of a word"),
            ("anl_link_slices = [{Cycles = 2, credits = 'bypass'}]", "anl_link_slices has no parameter for CreditBypass"),
            ("anl_fat_tree = [{N = 2, topology = 'mesh'}]", "anl_fat_tree has no parameter for Topology"),
            ("anl_nonsense = [{K = 2}]", "anl_nonsense is no module of the RTL"),
            ("anl_link_slices = [{Cycles = 2}, {Cycles = 2, sample = true}]", "stands there twice"),
            ("four_state = [{topology = 'mesh', arbiterr = 'fixed'}]", "a network has no arbiterr"),
            ("four_state = [{graph = 'cube', routing = 'adaptive'}]", "a network of a graph has no routing"),
            ("four_state = [{topology = 'ring'}]", 'topology = "ring": expected one of mesh'),
            ("four_state = [{arbiter = 'fixed'}]", "a network needs a topology or a graph"),
            ("four_state = [{topology = 'mesh'}, {topology = 'mesh', arbiter = 'round_robin'}]", "stands there twice"),
            ("x = [\n]\nfour_state = [\n    {topology = 'mesh'},\n    {arbiter = 'fixed'},\n]", "table.toml:5, four_state: ")):
        (room / "table.toml").write_text(row)
        try:
            seen = (corners.four_state if "four_state" in row else corners.load)(room / "table.toml")
        except Wrong as wrong:
            seen = str(wrong)
        expect(said in seen and "table.toml:" in seen, said, seen)


def words_of_corners_are_the_numbers_of_the_rtl(_room, _build):
    """As the package of the RTL and docs/rtl.md say them."""
    for module, settings, wanted in (
            ("anl_cube", {"topology": "torus", "link_cycles": 2, "stages": 2, "flow_control": "cut_through"},
             {"Topology": 1, "Routing": 1, "LinkCycles": 2, "Stages": 2, "FlowControl": 1}),
            ("anl_cube", {"K": 3, "topology": "mesh", "routing": "adaptive", "atomic": "adaptive"},
             {"K": 3, "Topology": 0, "Routing": 13, "Atomic": 1}),
            ("anl_cube", {"link": "wide", "credits": "bypass"}, {"Wide": 1, "CreditBypass": 1}),
            ("anl_cube_switch", {"topology": "hypercube", "arbiter": "random", "classes": 3, "class_weights": [3, 1, 255]},
             {"Topology": 3, "Routing": 2, "Arbiter": 2, "Classes": 3, "Weights": 3 + (255 << 16)}),
            ("anl_options_switch", {"select": "random", "escape_set": 5, "length_in_head": True},
             {"Select": 1, "Escapes": 5, "LengthInHead": 1}),
            ("anl_fat_tree", {"topology": "fat_tree", "routing": "up_down_greedy", "credits": "bypass"}, {"Routing": 5, "CreditBypass": 1}),
            ("anl_butterfly", {"topology": "butterfly", "routing": "valiant", "arbiter": "registered_priority"}, {"Routing": 17, "Arbiter": 6})):
        seen = corners.numbers(module, settings)
        expect(seen == wanted, wanted, seen)


def each_stands_for_all_words_of_a_key(room, _build):
    """In corners, in networks of four states, in benches and in proofs; with a row of several keys for each choice."""
    every = [*range(len(ARBITERS))]
    for value, wanted in (("each", every), ("each but random matrix", [one for one in every if one not in (2, 5)]),
                          ("each from age", every[3:] + every[:3]), ("age", [3])):
        (room / "table.toml").write_text(f"anl_cube = [\n    {{arbiter = '{value}', flow_control = 'each', sample = true}},\n]\n"
                                         f"four_state = [\n    {{topology = 'mesh', arbiter = '{value}'}},\n]\n"
                                         f"[bench]\nanl_arbiter = [\n    {{Size = 2, arbiter = '{value}', Members = 3}},\n]\n")
        seen = [(one.parameters["Arbiter"], one.parameters["FlowControl"], one.sample) for one in corners.load(room / "table.toml")]
        expect(seen == [(arbiter, flow_control, True) for arbiter in wanted for flow_control in range(3)], value, seen)
        seen = ([one.macros["ARBITER"] for one in corners.four_state(room / "table.toml")],
                [one.parameters["Arbiter"] for one in benches.load(room / "table.toml")["anl_arbiter"]],
                [ARBITERS.index(dict(corner)["arbiter"]) for corner in formal.corners([{"Size": 2, "arbiter": value}])])
        expect(seen == (wanted, wanted, wanted), value, seen)


def what_a_front_end_complains_of_fails(room, _build):
    """Plants in anl_link_slices: a width that does not fit, a wire without a driver, and a latch."""
    for path in Path().iterdir():
        if path.name not in ("build", ".git", "rtl"):
            (room / path.name).symlink_to(path.resolve())
    shutil.copytree("rtl", room / "rtl")
    file = "rtl/net/anl_link_slices.sv"
    faults = [([fault], fault["options"], fault["says"]) for fault in of_scripts("lint")]
    expect(len(faults) == 3, "three plants", faults)
    for plants, words, said in [([], [], "0 failed"), ([], ["--synthesis", "--short"], "0 failed"), *faults]:
        shutil.copy(file, room / file)
        plant(plants, room.joinpath)
        seen = subprocess.run([sys.executable, "scripts/run", "lint", "--build", "build", "--only", "anl_link_slices", *words], cwd=room,
                              capture_output=True, text=True, check=False)
        expect((said == "0 failed") == (seen.returncode == 0) and said in seen.stdout, f"{plants}: {said}", seen)


def the_sample_of_benches_has_every_kind_and_policy(_room, _build):
    """Each kind of network in each bench, and each policy in one of those that have a sample."""
    policies = []
    for module, some in benches.load().items():
        name, path = benches.parameters_in(module)
        default = {kind: DEFAULTS.get(kind, 0) for kind in POLICIES if kind in declared_in(path, name)}
        every, sample = ([default | corner.parameters for corner in some if corner.sample or whole] for whole in (True, False))
        expect(sample, f"a sample of {module}", some)
        for kind in default:
            known, seen = ({corner[kind] for corner in listed} for listed in (every, sample))
            expect(kind not in ("Topology", "Routing") or seen == known, f"each kind in {module}", seen)
            if len(sample) < len(every):
                policies.append((kind, known, seen))
    for wanted in POLICIES:
        some = [(every, seen) for name, every, seen in policies if name == wanted]
        every, seen = (set().union(*sets) for sets in zip(*some))
        expect(len(some) > 1 and every == seen, f"each value of {wanted}", every - seen)


def what_is_wrong_in_the_corners_of_benches_is_said(room, _build):
    """With the file, the line, and what is expected."""
    for row, said in (
            ("{Dept = 2, Width = 1}", "tb_anl_fifo has no parameter for Dept: expected Depth, Width"),
            ("{Depth = 2, arbiter = 'fixed'}", "tb_anl_fifo has no parameter for Arbiter: expected Depth, Width"),
            ("{Depth = 2, Width = 1, Index = 1}", "tb_anl_fifo has no parameter for Index"),
            ("{Depth = 2}", "tb_anl_fifo needs Width"),
            ("{Depth = '4..1', Width = 1}", '"4..1" has no value'),
            ("{Depth = [], Width = 1}", "Depth has no value"),
            ("{Depth = [1, 2], Width = 1, sample = [3]}", "sample: 3 is no place among 2 corners: expected true, false, or numbers from 1"),
            ("{Depth = 'two', Width = 1}", "Depth = 'two': expected a number"),
            ("{Depth = 1, Width = 1}", "stands there twice")):
        (room / "table.toml").write_text("anl_cube = [\n    {K = 2, topology = 'mesh'},\n]\n\n[bench]\nanl_fifo = [\n"
                                         f"    {{Depth = 1, Width = 1}},\n    {row},\n]\n")
        try:
            seen = str(benches.load(room / "table.toml"))
        except Wrong as wrong:
            seen = str(wrong)
        expect(said in seen and "table.toml:8, anl_fifo" in seen, said, seen)


def rows_of_benches_are_as_many_corners_as_they_say(room, _build):
    (room / "table.toml").write_text("[bench]\nanl_fifo = [\n    {Depth = '2..6 step 2', Width = 1, sample = [1, 3]},\n"
                                     "    {Depth = ['1..2 each 2', 5], Width = [7, 8], sample = true},\n]\n")
    seen = [(one.index, *one.parameters.values(), one.sample) for one in benches.load(room / "table.toml")["anl_fifo"]]
    expect(seen == [(0, 2, 1, True), (1, 4, 1, False), (2, 6, 1, True), (3, 1, 7, True), (4, 1, 8, True), (5, 2, 7, True),
                    (6, 2, 8, True), (7, 5, 7, True)], "eight corners", seen)


TESTS = [every_target_is_accounted_for, help_has_a_part_for_each_target, what_is_wrong_is_found, short_forms_run_in_clones_of_the_tree_as_it_is,
         what_goes_wrong_in_a_clone_is_said, what_is_wrong_in_a_table_of_corners_is_said,
         words_of_corners_are_the_numbers_of_the_rtl, each_stands_for_all_words_of_a_key, what_a_front_end_complains_of_fails, a_folder_may_have_a_blank_in_its_name,
         the_sample_of_corners_has_every_module_and_kind, the_sample_of_benches_has_every_kind_and_policy,
         what_is_wrong_in_the_corners_of_benches_is_said, rows_of_benches_are_as_many_corners_as_they_say]

if __name__ == "__main__":
    sys.exit(main("targets", TESTS, __doc__.splitlines()[2]))
