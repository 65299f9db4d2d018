#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An installed copy works: programs compile and link with it, simulators read its RTL, its manual pages and completions say
what the command says; and it can be removed.

usage: tb/unit/scripts/test_install.py BUILD JUNIT_FILE

Prints failures only; exit status 1 if any.
"""
import functools
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
from suite import expect, main

from annelid import api_docs

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
COPY = tempfile.TemporaryDirectory(prefix="annelid-copy-")
PREFIX = Path(COPY.name).resolve() / "prefix"
SCENARIO = "sim/scenarios/mesh4_uniform.yaml"


def run(*command, room=".", **environment):
    return subprocess.run([str(word) for word in command], cwd=room, env=PLAIN | environment, capture_output=True, text=True,
                          check=False)


def good(*command, room=".", **environment):
    """What a command prints that must succeed, and say nothing of warnings."""
    seen = run(*command, room=room, **environment)
    expect(seen.returncode == 0 and not seen.stderr, "success without a warning", (command, seen))
    return seen.stdout


def make(build, *words):
    return good("make", "-s", "--no-print-directory", f"BUILD={build}", *words)


@functools.cache
def copy(build):
    """Installs a copy, once. Returns its prefix."""
    make(build, "install", f"PREFIX={PREFIX}")
    return PREFIX


def files_below(room):
    return sorted(str(path.relative_to(room)) for path in room.rglob("*") if not path.is_dir() or path.is_symlink())


# --- library ---

def client(room, build, *how, source="docs/client.c", **environment):
    """Compiles an example as the page says, and runs it. Returns what it printed."""
    there = copy(build) / "lib"
    flags = good("pkg-config", *how, "--cflags", "--libs", "annelid", PKG_CONFIG_PATH=str(there / "pkgconfig")).split()
    words = ["-static"] if how else []
    good("cc", "-Wall", "-Wextra", "-pedantic", "-std=c99", *words, "-o", room / "client", source, *flags)
    return good(room / "client", SCENARIO, **environment)


def expected(build):
    """What the command prints, but for the line that depends on the machine, and the client's own number: a quantile of
    the latencies in a flit trace."""
    text = good(copy(build) / "bin/annelid", "run", "--digest", "--referee", SCENARIO)
    lines = [line for line in text.splitlines() if not line.startswith("speed ")]
    expect(len(lines) == 6, "six lines", lines)
    return "\n".join([*lines, f"90 %        {quantile(build, 0.9)} cycles"]) + "\n"


def quantile(build, fraction):
    """The least latency that this fraction of the worms does not exceed, from the records of the run's trace."""
    records = [line.split() for line in run(copy(build) / "bin/annelid", "run", "-t", "-", SCENARIO).stdout.splitlines()]
    created = {int(words[1]): int(words[5]) for words in records if words and words[0] == "worm"}
    tails = {int(words[5]): int(words[1]) for words in records if words and words[0] == "flit"}
    latencies = sorted(tails[worm] - created[worm] + 1 for worm in created)
    return latencies[math.ceil(fraction * len(latencies)) - 1]


def a_client_links_with_the_shared_library(room, build):
    said = client(room, build, LD_LIBRARY_PATH=str(copy(build) / "lib"))
    expect(said == expected(build), expected(build), said)
    needed = re.findall(r"NEEDED +(\S+)", good("objdump", "-p", room / "client"))
    soname = re.search(r"SONAME +(\S+)", good("objdump", "-p", copy(build) / "lib/libannelid.so"))[1]
    expect(soname in needed and re.fullmatch(r"libannelid\.so\.(0\.\d+|[1-9]\d*)", soname), "a versioned soname", needed)
    expect((copy(build) / "lib" / soname).resolve().name.startswith(f"{soname}."), "the name of a whole version", soname)


def a_client_links_with_the_static_library(room, build):
    said = client(room, build, "--static")
    expect(said == expected(build), expected(build), said)


def a_client_with_traffic_of_its_own_prints_what_its_page_says(room, build):
    said = client(room, build, source="docs/traffic.c", LD_LIBRARY_PATH=str(copy(build) / "lib"))
    page = re.search(rf"^\$ \./traffic {SCENARIO}\n(.*?)^```", Path("docs/own_traffic.md").read_text(), re.MULTILINE | re.DOTALL)
    expect(page and page[1] == said, "what docs/own_traffic.md shows", said)
    (room / "pair.yaml").write_text("network: {topology: mesh, k: 2, n: 1}\ntraffic: {load: 0.1, length: 1}\n")
    seen = run(room / "client", room / "pair.yaml", LD_LIBRARY_PATH=str(copy(build) / "lib"))
    expect(seen.returncode == 2 and "found 2 terminals" in seen.stderr and not seen.stdout, "a refusal", seen)


def a_client_in_cpp_compiles(room, build):
    (room / "client.cpp").write_text("#include <annelid/annelid.h>\nint main() { return anl_version()[0] != ANL_VERSION[0]; }\n")
    there = copy(build)
    good("c++", "-Wall", "-Wextra", "-o", room / "client", room / "client.cpp", f"-I{there}/include", f"-L{there}/lib", "-lannelid")
    good(room / "client", LD_LIBRARY_PATH=str(there / "lib"))


def exported(*command):
    return sorted(line.split()[-1].split("@")[0] for line in good(*command).splitlines() if re.search(r" [TDBRWVG] ", line)
                  and not line.endswith(" A ANNELID"))


def both_libraries_show_what_the_headers_declare(_room, build):
    there = copy(build)
    text = "".join(path.read_text() for path in (there / "include/annelid").glob("*.h"))
    declared = set(re.findall(r"\b(anl_\w+)\(", re.sub(r"//.*|typedef .*", "", text)))
    for command in (["nm", "-D", "--defined-only", there / "lib/libannelid.so"], ["nm", "-g", "--defined-only", there / "lib/libannelid.a"]):
        shown = exported(*command)
        expect(set(shown) == declared and len(shown) > 100, "just the functions of the headers", set(shown) ^ declared)


def each_function_has_a_comment_and_a_call(_room, _build):
    bare, lone = api_docs.missing()
    expect(not bare and not lone, "a comment and an example of use of each function", (bare, lone))
    for text, found in (("// Says it.\nint anl_a(void);\nint anl_b(void);", []), ("int anl_a(void);  // says it", []), ("int anl_a(void);", ["anl_a"]),
                        ("// --- a section ---\nint anl_a(int x,\n          int y);", ["anl_a"]), ("// Says it.\n\nint anl_a(void);", ["anl_a"]),
                        ("struct anl_x {\n    int (*f)(int);  // x\n};\nstruct anl_x anl_x(void);", ["anl_x"])):
        expect(api_docs.undocumented(text) == found, f"{found} of {text!r}", api_docs.undocumented(text))


def marked_headers_declare_the_same(_room, _build):
    for path in api_docs.headers():
        text = path.read_text()
        marked = api_docs.marked(text, {"anl_run": ["docs/client.c"]})
        marked = marked[marked.index("*/") + 2:]
        bodies = [[line for line in re.sub(r"//.*", "", one).splitlines() if line.strip()] for one in (text, marked)]
        expect([line.rstrip() for line in bodies[0]] == [line.rstrip() for line in bodies[1]], f"the code of {path}", "")
        expect(path.name != "run.h" or "/// @par Example of use\n/// docs/client.c\nenum anl_status anl_run(" in marked, "an example", marked)


def one_place_says_the_version(_room, build):
    there = copy(build)
    version = good(there / "bin/annelid", "--version").split()[1]
    header = dict(re.findall(r"define ANL_VERSION_(\w+) (\d+)", (there / "include/annelid/base.h").read_text()))
    expect(version == f"{header['MAJOR']}.{header['MINOR']}.{header['PATCH']}", "the version of the header", (version, header))
    expect(f"Version: {version}\n" in (there / "lib/pkgconfig/annelid.pc").read_text(), "the same for pkg-config", version)
    tracked = good("git", "ls-files", "-z").split("\0")[:-1]
    found = [path for path in tracked if Path(path).is_file() and Path(path).suffix in (".c", ".h", ".in", ".mk", ".core", ".toml", ".py", "")
             and re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", Path(path).read_text(errors="replace"))]
    found = [path for path in found if path not in ("cmodel/include/annelid/base.h", "docs/client.c", "LICENSE")]
    expect(not found, f"{version} in no other file", found)


# --- files ---

def the_command_over_ranks_is_there_with_mpi(_room, build):
    there = copy(build) / "bin"
    expect((there / "annelid-mpi").exists() == bool(shutil.which(os.environ.get("MPICC", "mpicc"))), "annelid-mpi where MPI is", files_below(there))
    if (there / "annelid-mpi").exists():
        expect(good(there / "annelid-mpi", "--version").split()[1] == good(there / "annelid", "--version").split()[1], "one version", "")


def everything_is_removed_again(room, build):
    given = [f"DESTDIR={room}", "PREFIX=/opt/annelid", "LIBDIR=/opt/annelid/lib64"]
    make(build, "install", *given)
    there = room / "opt/annelid"
    for path in ("bin/annelid", "lib64/libannelid.so", "lib64/libannelid.a", "lib64/pkgconfig/annelid.pc", "share/annelid/annelid.f",
                 "include/annelid/annelid.h", "share/man/man1/annelid.1", "share/man/man5/annelid-trace.5"):
        expect((there / path).exists(), path, files_below(room))
    expect(str(room) not in (there / "lib64/pkgconfig/annelid.pc").read_text() + (there / "share/annelid/annelid.f").read_text(),
           "no name of DESTDIR", "")
    (there / "bin/other").write_text("somebody else's")
    (there / "share/annelid/rtl/other.sv").write_text("somebody else's")
    make(build, "uninstall", *given)
    expect(files_below(room) == ["opt/annelid/bin/other", "opt/annelid/share/annelid/rtl/other.sv"], "what others put there", files_below(room))
    seen = run("make", "-s", f"BUILD={build}", "uninstall", *given)
    expect(seen.returncode != 0 and "nothing is installed there" in seen.stdout, "a refusal", seen)


def the_rtl_is_read_from_any_folder(room, build):
    there = copy(build) / "share/annelid"
    for option, path in (("-f", there / "annelid.f"), ("-F", there / "annelid.f"), ("-F", there / "rtl/annelid.f"),
                         ("-F", Path("rtl/annelid.f").resolve())):
        good("verilator", "--lint-only", "-Wno-fatal", "-Wno-lint", option, path, "--top-module", "anl_fifo", room=room)
    good("iverilog", "-g2012", "-c", there / "annelid.f", "-s", "anl_fifo", "-o", room / "x", room=room)
    made = Path(tempfile.mkdtemp(dir=room))
    if " " in str(Path.cwd()):
        return  # make file-list refuses, as test_targets.py has it
    make(made, "file-list")
    good("iverilog", "-g2012", "-c", made / "annelid.f", "-s", "anl_fifo", "-o", room / "x", room=room)


def the_archive_builds_without_git(room, build):
    made = Path(tempfile.mkdtemp(dir=room))
    make(made, "dist")
    version = good(build / "annelid", "--version").split()[1]
    good("tar", "-xzf", made / f"annelid-{version}.tar.gz", room=room)
    there = room / f"annelid-{version}"
    files = set(good("git", "ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")) - {""}
    expect(set(files_below(there)) == files, "the files of the commit", files ^ set(files_below(there)))
    expect("scripts/setup --model" in good("make", "-n", "model", room=there), "that make works there", "")


# --- manual pages ---

def commands(build):
    """[the words of a command] of all commands that have no commands of their own, as the help lists them."""
    program = build / "annelid"
    def below(words):
        help_text = run(program, *words, "--help").stdout
        listed = re.findall(r"^  (\w+) +\w.*$", help_text, re.MULTILINE) if "COMMAND --help" in help_text else []
        return [leaf for name in listed for leaf in below([*words, name])] if listed else [words]
    return below([])


def options_in_help(build, words):
    return set(re.findall(r"^ +(?:-., )?--([\w-]+)", good(build / "annelid", *words, "--help"), re.MULTILINE))


def each_command_has_a_page_with_its_options(_room, build):
    room = copy(build) / "share/man"
    leaves = commands(build)
    expect(len(leaves) > 15, "commands", leaves)
    for words in leaves:
        path = room / "man1" / ("-".join(["annelid", *words]) + ".1")
        text = good("mandoc", "-Tutf8", "-Owidth=200", path)
        text = re.sub(r".\x08", "", text)
        named = set(re.findall(r"^ +(?:-., )?--([\w-]+)", text, re.MULTILINE))
        expect(named == options_in_help(build, words), f"the options of {words}", named ^ options_in_help(build, words))
        about = good(build / "annelid", *words, "--help").split("\n\n")[0].partition("\n")[2]
        expect("".join(about.split()) in "".join(text.split()), f"what {words} does", about)


def every_page_is_well_formed(_room, build):
    for path in sorted((copy(build) / "share/man").rglob("*.[15]")):
        wrong = [line for line in run("mandoc", "-Tlint", "-Wwarning", path).stdout.splitlines()
                 if "cannot parse date" not in line]
        expect(not wrong, f"no warning of {path.name}", wrong[:5])


def the_pages_of_formats_have_every_key_and_heading(_room, build):
    room = copy(build) / "share/man/man5"
    for name in ("scenario", "trace"):
        text = re.sub(r".\x08", "", good("mandoc", "-Tutf8", "-Owidth=200", room / f"annelid-{name}.5"))
        for title in re.findall(r"^## (.*)", Path(f"docs/{name}.md").read_text(), re.MULTILINE):
            expect(f"\n{title.replace('`', '')}\n" in text, f"the part {title}", text[:500])
        expect("anl_\n" not in text and "](" not in text and "`" not in text, "no Markdown", text)
        if name == "scenario":
            keys = re.findall(r"^\w+\.\w+$", good(build / "annelid", "describe", "--keys"), re.MULTILINE)
            missing = [key for key in keys if not re.search(rf"^ +{re.escape(key)}$", text, re.MULTILINE)]
            expect(len(keys) > 30 and not missing, "every key", missing)


# --- completions ---

def typed(build, line):
    """What bash offers for a line."""
    script = (f"source '{copy(build)}/share/bash-completion/completions/annelid'; compopt() {{ :; }}; COMP_LINE={quoted(line)}; "
              "COMP_POINT=${#COMP_LINE}; _annelid; printf '%s\\n' \"${COMPREPLY[@]}\"")
    return good("bash", "--norc", "-c", script).split()


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash_completes_what_the_command_has(_room, build):
    for line, offered in (("annelid ru", ["run"]), ("annelid trace d", ["diff", "digest"]), ("annelid trace diff --l", []),
                          ("annelid run --dig", ["--digest"]), ("annelid run --set switch.dep", ["switch.depth="]),
                          ("annelid run --set=switch.arbiter=ra", ["random"]), ("annelid rtl --ports ", ["links", "axis", "axi"]),
                          ("annelid worms --by=s", ["stall"]), ("annelid run sim/scenarios/mesh4_un", [SCENARIO]),
                          ("annelid run -t LICEN", ["LICENSE"]), ("annelid run --trace=LICEN", ["LICENSE"])):
        expect(typed(build, line) == offered, f"{offered} for {line!r}", typed(build, line))
    for words in commands(build):
        seen = {word.rstrip("=")[2:] for word in typed(build, f"annelid {' '.join(words)} --")}
        expect(seen == options_in_help(build, words), f"the options of {words}", seen ^ options_in_help(build, words))


def fish_completes_what_the_command_has(room, build):
    path = copy(build) / "share/fish/vendor_completions.d/annelid.fish"
    def offers(line):
        text = good("fish", "--no-config", "-c", f"source {path}; complete -C {quoted(line)}", HOME=str(room), XDG_CONFIG_HOME=str(room))
        return [line.split("\t")[0] for line in text.splitlines()]
    for line, offered in (("annelid ru", ["run"]), ("annelid trace d", ["diff", "digest"]), ("annelid run --dig", ["--digest"]),
                          ("annelid rtl --ports ", ["axi", "axis", "links"]), ("annelid run --set switch.dep", ["switch.depth="])):
        expect(sorted(offers(line)) == offered, f"{offered} for {line!r}", offers(line))
    for words in commands(build):
        seen = {word[2:].rstrip("=") for word in offers(f"annelid {' '.join(words)} --") if word.startswith("--")}
        expect(seen == options_in_help(build, words), f"the options of {words}", seen ^ options_in_help(build, words))


def zsh_completes_what_the_command_has(room, build):
    """zsh completes at a terminal only, so its function runs with stand-ins for what zsh has for completion."""
    path = copy(build) / "share/zsh/site-functions/_annelid"
    good("zsh", "-f", "-n", path)
    for words in commands(build):
        line = ["annelid", *words, "--"]
        script = ("_arguments() { print -rl -- $@ }; _describe() { print -rl -- ${(P)2} }; "
                  f"words=({' '.join(line)}); CURRENT={len(line)}; source {path}")
        seen = set(re.findall(r"^\*--([\w-]+)", good("zsh", "-f", "-c", script), re.MULTILINE))
        expect(seen == options_in_help(build, words), f"the options of {words}", seen ^ options_in_help(build, words))
    script = f"_describe() {{ print -rl -- ${{(P)2}} }}; words=(annelid t); CURRENT=2; source {path}"
    names = {line.split(":")[0] for line in good("zsh", "-f", "-c", script).splitlines()}
    expect(names == {words[0] for words in commands(build)}, "the commands", names)


TESTS = [a_client_links_with_the_shared_library, a_client_links_with_the_static_library,
         a_client_with_traffic_of_its_own_prints_what_its_page_says, a_client_in_cpp_compiles,
         both_libraries_show_what_the_headers_declare, each_function_has_a_comment_and_a_call,
         marked_headers_declare_the_same, one_place_says_the_version, the_command_over_ranks_is_there_with_mpi, everything_is_removed_again,
         the_rtl_is_read_from_any_folder, the_archive_builds_without_git, each_command_has_a_page_with_its_options, every_page_is_well_formed,
         the_pages_of_formats_have_every_key_and_heading, bash_completes_what_the_command_has, fish_completes_what_the_command_has,
         zsh_completes_what_the_command_has]

if __name__ == "__main__":
    sys.exit(main("install", TESTS, __doc__.splitlines()[3]))
