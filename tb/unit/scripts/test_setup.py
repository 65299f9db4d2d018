#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/setup looks for tools, not for packages, and only for those that a target needs.

usage: tb/unit/scripts/test_setup.py BUILD JUNIT_FILE

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

SETUP = Path("scripts/setup").resolve()
PLAIN = ("bash", "cat", "env", "find", "flock", "grep", "head", "mktemp", "printf", "rm", "sed", "sort", "tail", "tr", "uname")
HEADERS = ("yaml.h xxhash.h zstd.h gsl/gsl_cdf.h jansson.h bzlib.h graphviz/cgraph.h stdarg.h stddef.h setjmp.h stdint.h cmocka.h "
           "systemc stdlib.h")
COMPILER = """read_it() { sed -n 's/^#include <\\(.*\\)>/\\1/p'; }
for name in $(read_it); do case " $HEADERS " in *" $name "*) ;; *) exit 1 ;; esac; done"""
TOOLS = {"cc": COMPILER, "g++": COMPILER, "clang": "cat > /dev/null", "python": "echo Python 3.11.2", "verilator": "echo Verilator 5.006 2023",
         "yosys": "echo Yosys 0.23", "iverilog": "echo Icarus Verilog version 11.0", "fc-list": "echo DejaVu Sans",
         **dict.fromkeys(("make", "clang-format", "pyflakes3", "z3", "ccache", "gnuplot", "rsvg-convert", "vcd2fst", "apt-get"), "true"),
         "ldconfig": "echo libtcmalloc_minimal.so.4"}


def machine(room, tools, system="debian", user=1000):
    """Makes a directory of tools, with these scripts for those that are looked for. Returns the environment."""
    path = room / "bin"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    for name in PLAIN:
        if shutil.which(name):
            (path / name).symlink_to(shutil.which(name))
    for name, text in (tools | {"id": f"echo {user}"}).items():
        (path / name).unlink(missing_ok=True)  # it may be a link to the tool of this machine
        (path / name).write_text(f"#!/bin/bash\n{text}\n")
        (path / name).chmod(0o755)
    (room / "os-release").write_text(f"ID={system}\n")
    return {"PATH": str(path), "SYSTEM_PATH": "", "OS_RELEASE": str(room / "os-release"), "HEADERS": HEADERS, "PYTHON": str(path / "python"),
            "ROOM": str(room), "HOME": str(room)}


def setup(environment, *words):
    seen = subprocess.run([str(SETUP), *words], env=environment, capture_output=True, text=True, check=False)
    return seen.returncode, seen.stdout + seen.stderr


def without(*names):
    return {name: text for name, text in TOOLS.items() if name not in names}


def tools_of_any_origin_will_do(room, _build):
    status, said = setup(machine(room, TOOLS))
    expect((status, said) == (0, ""), "nothing to do, without dpkg", said)
    words = {"CC": "env X=1 cc", "CXX": "env g++", "VERILATOR": "env X=1 verilator", "CLANG": "env clang", "YOSYS": "env X=1 yosys"}
    seen = setup(machine(room, TOOLS) | words | {"PYTHON": f"env {room}/bin/python"})
    expect(seen == (0, ""), "tools of several words", seen)
    status, said = setup(machine(room, TOOLS) | {"CC": "no-cc -m32", "YOSYS": "env no-yosys"}, "--check")
    expect(status == 1 and "a C compiler" in said and "Yosys 0.23" in said, "words that name none to be missed", said)


def only_what_the_target_needs_is_missed(room, _build):
    environment = machine(room, without("yosys", "verilator", "clang"))
    expect(setup(environment, "--check", "--model") == (0, ""), "that a model needs no Yosys", setup(environment, "--check", "--model"))
    status, said = setup(environment, "--check")
    expect(status == 1 and "missing: Verilator 5.006, clang, clang's sanitizers, Yosys 0.23\n" in said, "all three", said)
    status, said = setup(machine(room, TOOLS | {"ldconfig": "echo libm.so.6"}), "--check")
    expect(status == 1 and "missing: tcmalloc\n" in said, "a library", said)
    few = machine(room, {name: TOOLS[name] for name in ("cc", "g++", "python", "make", "verilator", "ldconfig")})
    expect(setup(few, "--check", "--regress") == (0, ""), "that a regression needs no more", setup(few, "--check", "--regress"))
    status, said = setup(few, "--check", "--test")
    expect(status == 1 and all(name in said for name in ("clang", "Yosys", "Chromium", "mandoc", "fish", "IceStorm", "MPI's launcher", "GTKWave")), "all at once", said)
    environment = machine(room, without("yosys") | {"clang": "exit 1"})
    status, said = setup(environment, "--check", "--waves")
    expect(status == 1 and "GTKWave" in said and not any(name in said for name in ("Chromium", "SystemC", "clang", "Yosys")), "waves alone", said)
    expect(setup(environment, "--check", "--systemc") == (0, ""), "no Chromium for SystemC", setup(environment, "--check", "--systemc"))


def what_is_missing_does_not_depend_on_who_asks(room, _build):
    environment = machine(room, without("ldconfig", "apt-get"))
    (room / "sbin").mkdir()
    (room / "sbin/ldconfig").write_text("#!/bin/bash\necho libm.so.6\n")
    (room / "sbin/ldconfig").chmod(0o755)
    user, root = environment | {"SYSTEM_PATH": str(room / "sbin")}, environment | {"PATH": f"{environment['PATH']}:{room}/sbin"}
    expect(setup(user) == setup(root) and "missing: tcmalloc\n" in setup(user)[1], f"what root is told, {setup(root)}", setup(user))
    there = any("dejavu" in path.name.lower() for path in Path("/usr/share/fonts").rglob("*"))
    seen = setup(machine(room, without("fc-list")), "--check")
    expect((seen[0] == 0) == there, "fonts to be looked for without fc-list, too", seen)


def a_header_that_is_missing_is_found(room, _build):
    environment = machine(room, TOOLS) | {"HEADERS": HEADERS.replace("jansson.h ", "")}
    status, said = setup(environment, "--check", "--model")
    expect(status == 1 and "missing: jansson\n" in said and "libjansson-dev" in said, "jansson", said)


def tools_that_are_too_old_are_missed(room, _build):
    for tool, text, what in (("verilator", "echo Verilator 4.210 2021", "Verilator 5.006"), ("yosys", "echo Yosys 0.9", "Yosys 0.23"),
                             ("iverilog", "echo Icarus Verilog version 10.3", "Icarus Verilog 11"), ("python", "echo Python 3.9.2", "Python 3.11")):
        status, said = setup(machine(room, TOOLS | {tool: text}), "--check")
        expect(status == 1 and f"missing: {what}\n" in said, f"an old {tool}", said)
    newer = TOOLS | {"verilator": "echo Verilator 5.036 2025", "yosys": "echo Yosys 0.55", "iverilog": "echo Icarus Verilog version 12.0"}
    expect(setup(machine(room, newer)) == (0, ""), "that newer ones will do", setup(machine(room, newer)))


def each_system_is_told_its_own_packages(room, _build):
    names = {"debian": "apt-get install --no-install-recommends iverilog", "fedora": "dnf install iverilog", "arch": "pacman -S iverilog"}
    for system, words in names.items():
        status, said = setup(machine(room, without("iverilog", "apt-get"), system))
        expect(status == 1 and re.search(rf" {re.escape(words)}$", said, re.MULTILINE), words, said)
        expect(sum(other in said for other in (*names.values(), "brew install")) == 1, "no packages of other systems", said)
    for file in ("os-release", "none"):  # macOS has none
        status, said = setup(machine(room, without("iverilog"), "other") | {"OS_RELEASE": str(room / file)})
        expect(status == 1 and all(words in said for words in [*names.values(), "brew install icarus-verilog"]), "all of them", said)


def what_nobody_has_tried_is_said(room, _build):
    for release, tried in (("debian", True), ('debian\nVERSION_ID="12"', True), ('debian\nVERSION_ID="13"', True), ('debian\nVERSION_ID="11"', False),
                           ('ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"', False), ("fedora", False), ("arch", False), ("other", False)):
        said = setup(machine(room, without("iverilog"), release), "--check")[1]
        expect("iverilog" in said and ("are untried, since" in said) != tried, f"{release}: tried or not", said)


def debian_installs_only_what_is_missing(room, _build):
    apt = 'echo "$@" >> $ROOM/log; case "$*" in *iverilog*) printf "#!/bin/bash\\necho version 11.0\\n" > $ROOM/bin/iverilog; /bin/chmod +x $ROOM/bin/iverilog ;; esac'
    missing = without("iverilog") | {"apt-get": apt}
    log = room / "log"
    status, said = setup(machine(room, missing, user=0))
    expect(status == 0 and said.endswith("installed\n"), "an installation", said)
    expect(log.read_text() == "update -q\ninstall -y -q --no-install-recommends iverilog\n", "iverilog alone", log.read_text())
    for system, user, more in (("debian", 1000, {}), ("fedora", 0, {}), ("debian", 1000, {"sudo": 'echo sudo >> $ROOM/log; "$@"'})):
        log.unlink(missing_ok=True)
        status, said = setup(machine(room, missing | more, system, user))
        expect((status == 0) == bool(more) and log.exists() == bool(more), "no installation without rights or elsewhere", said)
    status, said = setup(machine(room, missing | {"apt-get": "true"}, user=0))
    expect(status == 1 and "still missing" in said, "that a package without the tool is no success", said)


def wrong_words_are_refused(room, _build):
    status, said = setup(machine(room, TOOLS), "--everything")
    expect(status == 2 and "unknown argument '--everything'" in said, "a refusal", said)


def nothing_speaks_before_setup(room, _build):
    """Where there is neither a compiler nor Python."""
    bare = {"PATH": str(room / "bin"), "OS_RELEASE": str(room / "os-release"), "HOME": str(room)}
    machine(room, {"make": "true"}, user=1000)
    for target in ("model", "regress", "test"):
        seen = subprocess.run([shutil.which("make"), target, f"BUILD={room}/build", f"PYTHON={room}/bin/python", "CC=no-cc"], env=bare,
                              capture_output=True, text=True, check=False)
        said = (seen.stdout + seen.stderr).splitlines()
        expect(seen.returncode and said[0].startswith("setup: missing: a C compiler, "), f"setup to speak first for {target}", said)


def make(*words, **environment):
    """Returns (exit status, output) of a make that nobody has started."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "WERROR"))}
    seen = subprocess.run(["make", *words], env=plain | environment, capture_output=True, text=True, check=False)
    return seen.returncode, seen.stdout + seen.stderr


def variables_are_looked_at_when_python_is_there(room, _build):
    """Where setup installs Python, a misspelt variable ends make after that, and before anything is built."""
    words = (f"BUILD={room}/build", "PYTHON=./build/no-python", "SEEDS=1")
    status, said = make(f"{room}/build/setup-model.ok", "-n", *words)
    expect(status == 0 and said.index("scripts/setup --model") < said.index("scripts/run variables"), "the variables after setup", said)


def warnings_end_a_build_only_where_they_should(room, _build):
    (room / "cc").write_text('#!/bin/bash\necho "warning: new" >&2\ncase " $* " in *" -Werror "*) exit 1 ;; esac\nexec cc "$@"\n')
    (room / "cc").chmod(0o755)
    made = room / "build/cmodel/base/status.o"
    for strict, good in (("1", False), ("0", True), ("", True)):
        status, said = make(str(made), f"BUILD={room}/build", f"CC={room}/cc", WERROR=strict)
        expect((status == 0) == made.exists() == good and "warning: new" in said, f"{'an object' if good else 'none'} if WERROR={strict}", said)
        made.unlink(missing_ok=True)
    benches = {strict: make("-n", f"{room}/build/rtl-test/route/verilated.ok", f"BUILD={room}/build", WERROR=strict)[1] for strict in ("1", "")}
    expect("-Wno-fatal" in benches[""] and "-Wno-fatal" not in benches["1"], "the same for Verilator's warnings", benches)


def the_model_asks_for_nothing_else(_room, _build):
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    said = subprocess.run(["make", "-n", "model", "BUILD=build/never"], env=plain, capture_output=True, text=True, check=True).stdout
    expect(set(re.findall(r"scripts/setup *(--\w+)?", said)) == {"--model"}, "setup --model alone", said[:500])


def what_a_rule_calls_is_asked_for(_room, _build):
    """A rule whose recipe calls a tool, itself or by a define, has, before or behind |, the variable of a set that has it."""
    calls = {"$(VERILATOR)": "regress", "$(VINCLUDE)": "regress", "$(IVERILOG)": "core", "$(YOSYS)": "core", "-lcmocka": "core"}
    covers = {"regress": "|_REGRESS|_VIEW|_SYSTEMC|_COVERAGE", "core": "|_COVERAGE"}
    seen = 0
    texts = {path: path.read_text().replace("\\\n", " ")
             for path in [Path("Makefile"), *Path(".").glob("[!b]*/**/*.mk"), *Path("bench").glob("*.mk")]}
    shared = {name: body for text in texts.values()
              for name, body in re.findall(r"^define (\w+)\n(.*?)^endef", text, re.MULTILINE | re.DOTALL)}
    for path, text in texts.items():
        for head, recipe in re.findall(r"^([^#\s=:][^=\n]*?:(?!=)[^\n]*)\n((?:\t[^\n]*\n)+)", text, re.MULTILINE):
            recipe += "".join(body for name, body in shared.items() if f"$(call {name}" in recipe)
            for word in calls:
                if word in recipe:
                    seen += 1
                    expect(re.search(rf"\$\(SETUP({covers[calls[word]]})\)", head), f"a setup that has {word}", (str(path), head))
    expect(seen >= 25, "rules that call tools", seen)


TESTS = [what_a_rule_calls_is_asked_for, tools_of_any_origin_will_do, only_what_the_target_needs_is_missed,
         what_is_missing_does_not_depend_on_who_asks,
         a_header_that_is_missing_is_found, tools_that_are_too_old_are_missed, each_system_is_told_its_own_packages,
         what_nobody_has_tried_is_said, debian_installs_only_what_is_missing, wrong_words_are_refused, nothing_speaks_before_setup,
         variables_are_looked_at_when_python_is_there, warnings_end_a_build_only_where_they_should, the_model_asks_for_nothing_else]

if __name__ == "__main__":
    sys.exit(main("setup", TESTS, __doc__.splitlines()[2]))
