# SPDX-License-Identifier: Apache-2.0
"""The programs that must kill mutants of the C engine (docs/mutants.md). Each contains all mutants.

They are built by the project's own rules in a copy of the project in which files of cmodel are mutated: once plain,
once with sanitizers. The sanitized programs also note the mutants that a run reaches; in a short run, which builds only
the plain ones, these do.
"""

import dataclasses
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess

from annelid import golden
from annelid.c_mutants import with_mutants
from annelid.children import TIMED, Wrong, untimed
from annelid.runs import scenario_path
from annelid.sources import kept, write

CMODEL = pathlib.Path("cmodel/src")
ORACLE = pathlib.Path("tb/oracle")  # of the buffered switch, which tests share
FLAGS = ["-std=c17", "-D_GNU_SOURCE", "-Icmodel/include", "-Icmodel/src", "-Icmodel", "-I.",
         *(f"-I{path}" for path in sorted(pathlib.Path("papers").glob("*/include")))]
SELECTOR = CMODEL / "base/mutant"  # .c and .h, which select the mutant that a program is
COMMON = f"-O1 -w -include {SELECTOR}.h -Dalways_inline=unused"  # with all mutants inlined functions are too long
BUILDS = {"short": COMMON, "plain": COMMON,
          "sanitized": f"{COMMON} -fsanitize=address,undefined -fno-sanitize-recover=all"}
SANITIZERS = {"ASAN_OPTIONS": "hard_rss_limit_mb=2000:detect_leaks=1"}
MEMORY = 4 << 30  # bytes of address space that a plain program may take
HEADER = """// SPDX-License-Identifier: Apache-2.0
// Generated: which mutant of the engine a process is, and which it comes by.
#ifndef ANL_MUTANT
extern int anl_mutant;
extern unsigned char *anl_noted;
#define ANL_MUTANT(i) (anl_noted[i] = 1, anl_mutant == (i))
#endif
"""
CHOICE = """// SPDX-License-Identifier: Apache-2.0
// Generated: reads ANL_MUTANT and ANL_NOTES (a file with a byte for each mutant) before main.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>

static unsigned char nowhere[%(size)d];
int anl_mutant;
unsigned char *anl_noted = nowhere;

__attribute__((constructor)) static void begin(void)
{
    const char *number = getenv("ANL_MUTANT"), *path = getenv("ANL_NOTES");
    if (number) anl_mutant = atoi(number);
    const int file = path ? open(path, O_RDWR) : -1;
    if (file < 0) return;
    void *notes = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (notes != MAP_FAILED) anl_noted = notes;
}
"""


def place(name):
    """Returns the path of a file that model.toml names: one of a paper, of the library, or else of the programs."""
    if name.startswith("papers/"):
        return pathlib.Path(name)
    return CMODEL / name if (CMODEL / name).exists() else CMODEL.parent / name


def is_library(path):
    return path.is_relative_to(CMODEL) or "lib" in path.parts


def source_of(test):
    """Returns the path of a unit test, by its name below the folder unit of a build."""
    paper = re.fullmatch(r"papers/(\w+)/(\w+)", test)
    return pathlib.Path(f"papers/{paper[1]}/unit/{paper[2]}.c" if paper else f"tb/unit/{test}.c")


@dataclasses.dataclass
class Program:
    """A unit test or a scenario, in one of the builds."""
    kind: str            # unit, digest, or sanitized (a unit test)
    name: str
    words: list          # the command
    digest: str = ""     # digest that it must print
    status: int = 0      # exit status without a mutant
    seconds: float = 200  # processor time that it takes without a mutant; before that is known, more than it takes
    reaches: set = None  # numbers of the mutants that it reaches; None: not known

    @property
    def title(self):
        return f"{self.kind} {self.name}"

    @property
    def sources(self):
        """Returns the files on which it depends, without the library: for a test those that make has found, and the sources
        beside their headers, which tests share; else all headers."""
        if self.kind == "digest":
            return [golden.DIGESTS, pathlib.Path(self.words[-1])]
        listed = pathlib.Path(self.words[0] + ".d")
        found = re.findall(r"(?:tb/unit|tb/oracle|papers)/\S+\.h(?=[\s\\])", listed.read_text()) if listed.exists() else []
        headers = list(map(pathlib.Path, sorted(set(found)))) or sorted(ORACLE.parent.glob("unit/**/*.h"))
        shared = {path.with_suffix(".c") for path in headers if path.with_suffix(".c").exists()}
        if any(path.parent == ORACLE for path in headers):
            shared.update(ORACLE.glob("*.c"))
        return [source_of(self.name), *headers, *sorted(shared)]


def bound(program):
    """Returns the processor time, in whole seconds, after which a program is taken to loop for ever: at least ten times what
    it takes on this machine without a mutant. A mutant may loop within one cycle, so cycles cannot be counted."""
    return max(1, math.ceil(10 * program.seconds))


def noticed_by(program, status, output):
    """Returns None if the program passes; else how it notices a mutant, and in which test or with what message."""
    if status in (124, 137, -signal.SIGXCPU):  # by timeout, or by the limit of processor time
        return "no end", f"{bound(program)} s"
    if program.kind == "digest":
        seen = re.search(r'"digest": "(\w+)"', output)
        if not seen:
            return "died", f"status {status}"
        right = seen[1] == program.digest and status == program.status
        return None if right else ("failed", f"digest {seen[1]}, status {status}")
    if status == 0:
        return None
    failed = re.findall(r"^\[  FAILED  \] (\w+)$", output, re.MULTILINE)
    words = re.search(r"runtime error: .*|ERROR: \w+Sanitizer: .*", output)
    return ("died" if status < 0 or not failed else "failed",
            words[0] if words else failed[0] if failed else f"status {status}")


class Programs:
    def __init__(self, campaign, data, mutants):
        self.campaign, self.data, self.mutants = campaign, data, mutants
        self.size = max(mutant.number for mutant in mutants) + 1  # bytes of notes: one for each number from 0 on
        self.options, self.children = campaign.options, campaign.children
        self.room = (campaign.options.build / "mutate-model").resolve()
        self.tree = self.room / "tree"
        self.builds = ["short"] if self.options.short else ["plain", "sanitized"]
        self.plain = self.builds[0]
        self.all = []

    # --- building ---

    def link(self, path, target):
        path.unlink(missing_ok=True)
        path.symlink_to(target)

    def plant(self):
        """Makes the tree: symbolic links, the mutated sources, and the selector."""
        by_file = {}
        for mutant in self.mutants:
            by_file.setdefault(mutant.source, []).append(mutant)
        mutated = {source.path: source for source in by_file}
        # Folders with a file that may be mutated, and those above them, are folders; the rest is links.
        opened = {folder for path in [*CMODEL.glob("*/*"), *map(place, self.data["files"])] for folder in path.parents}
        for folder in sorted(opened):
            if (self.tree / folder).is_symlink():  # of a run that mutated nothing in it
                (self.tree / folder).unlink()
            (self.tree / folder).mkdir(parents=True, exist_ok=True)
            for path in folder.iterdir():
                source = mutated.get(path)
                if source:
                    self.write(self.tree / path, with_mutants(source, by_file[source]))
                elif path not in opened and path != pathlib.Path("build") and not path.name.startswith("."):
                    self.link(self.tree / path, path.resolve())
            for path in [self.tree / folder / one.name for one in (self.tree / folder).iterdir()]:
                if path.is_symlink() and not path.exists():  # of a run before its file was deleted
                    path.unlink()
        (self.tree / SELECTOR).parent.mkdir(exist_ok=True)
        self.write(self.tree / SELECTOR.with_suffix(".h"), HEADER)
        self.write(self.tree / SELECTOR.with_suffix(".c"), CHOICE % dict(size=self.size))

    def write(self, path, text):
        if path.is_symlink():
            path.unlink()
        write(path, text.encode("latin-1").decode())

    def take_objects(self, room):
        """Takes the objects that no mutant changes from the project's build, which is up to date."""
        mutated = {str(mutant.source.path) for mutant in self.mutants}
        made = self.options.build / "cmodel"
        for path in made.rglob("*.o"):
            taken = room / "cmodel" / path.relative_to(made)
            taken.unlink(missing_ok=True)  # of a run with other mutants
            if mutated.isdisjoint(path.with_suffix(".d").read_text().split()):
                taken.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, taken)

    def build(self):
        self.plant()
        for name in self.builds:
            # Names are relative to the tree: those of folders above may have blanks, which end a word of make.
            room = os.path.relpath(self.room / name, self.tree)
            targets = [f"{room}/annelid", *(f"{room}/unit/{test}" for test in self.tests)]
            words = [f"-j{self.options.jobs}", f"CFLAGS={BUILDS[name]}"]
            if self.options.short:
                self.take_objects(self.room / name)
                words.append(f"COMMAND_OF={os.path.relpath(self.options.build, self.tree)}")
            self.children.make(room, *words, *targets, cwd=self.tree)
        self.all = [*self.units(self.plain, "unit"), *self.scenarios()]
        if not self.options.short:
            self.all += self.units("sanitized", "sanitized")

    @property
    def tests(self):
        return self.data["short_tests"] if self.options.short else self.data["tests"]

    def units(self, build, kind):
        return [Program(kind, test, [str(self.room / build / "unit" / test)]) for test in self.tests]

    def scenarios(self):
        found = []
        for line in golden.DIGESTS.read_text().splitlines():
            if line.startswith("#"):
                continue
            scenario, *settings, seed, wanted = line.split()
            path = str(scenario_path(scenario))
            words = [str(self.room / self.plain / "annelid"), "run", "--digest", "--referee", "--json", "--seed", seed]
            for setting in settings:
                words += ["--set", setting]
            found.append(Program("digest", " ".join([scenario, *settings, seed]), [*words, path], wanted))
        return found[::self.data["short_digests"]] if self.options.short else found

    # --- running ---

    def start(self, program, number, words, notes=None):
        """Runs a program's command as this mutant, within its bound of time. Returns (status, output)."""
        seconds = bound(program)
        environment = {"ANL_MUTANT": str(number), "ANNELID": str(self.room / self.plain / "annelid")}
        share = self.data["short_share"] if self.options.short else self.data.get("sampled", {}).get(program.name)
        if share:
            environment["UNIT_SHARE"] = str(share)
        limits = [f"--cpu={seconds}:{seconds + 2}", "--core=0"]
        if program.kind == "sanitized":
            environment |= SANITIZERS
        else:
            limits.append(f"--as={MEMORY}")
        if notes:
            environment["ANL_NOTES"] = str(notes)
        return self.children.run(
            ["timeout", "--kill-after=5", str(600 + 20 * seconds), "prlimit", *limits, *words],
            environment, stdout=subprocess.PIPE, text=True, errors="replace")

    def run(self, program, number):
        return noticed_by(program, *self.start(program, number, program.words))

    def try_original(self, program, notes=None):
        """Runs a program without a mutant. Notes how long it takes, and its status if it is to stall. Wrong: it fails."""
        status, output = self.start(program, 0, [*TIMED, *program.words], notes)
        wrong = noticed_by(program, status, output)
        if wrong and program.kind == "digest" and wrong[1] == f"digest {program.digest}, status 1":
            program.status, wrong = 1, None
        if wrong:
            raise Wrong(f"without a mutant {program.title} fails: {' '.join(wrong)}: {' '.join(program.words)}")
        program.seconds = untimed(output)[1]

    def run_twin(self, program):
        """Runs the sanitized twin of a program without a mutant. Wrong: it fails."""
        words = [word.replace(f"{self.room}/{self.plain}/", f"{self.room}/sanitized/") for word in program.words]
        twin = dataclasses.replace(program, kind="sanitized", seconds=600)
        wrong = noticed_by(program, *self.start(twin, 0, words))
        if wrong:
            raise Wrong(f"without a mutant {program.title} fails with sanitizers: {' '.join(wrong)}")

    def note(self, program):
        """Runs a program without a mutant, and finds the mutants that it reaches."""
        notes = self.room / f"{program.name.replace('/', '+').replace(' ', '_')}.notes"
        notes.write_bytes(bytes(self.size))
        self.try_original(program, notes)
        program.reaches = {number for number, seen in enumerate(notes.read_bytes()) if seen}
        notes.unlink()

    def library(self):
        """Returns a digest of all files on which every program and its verdict depend, these scripts included."""
        own = [pathlib.Path(__file__).with_name(name) for name in ("model_programs.py", "c_mutants.py")]
        return [*own, *sorted(path for path in CMODEL.parent.glob("**/*") if path.is_file())]

    def prepare(self):
        """Runs all programs without a mutant; they must pass. The results are kept until a source changes."""
        parts = [*self.library(), *(source for one in self.all for source in (one.title, *one.sources)),
                 *sorted((self.tree / CMODEL.parent).glob("**/*.*"))]
        path = self.room / f"original{'-short' if self.options.short else ''}.json"
        found = kept(path, parts, self.try_all)
        for program in self.all:
            program.seconds, program.status, reaches = found[program.title]
            program.reaches = None if reaches is None else set(reaches)
        slow = self.data.get("slow", [])
        self.all = [one for one in self.all if one.kind != "sanitized" or one.name not in slow]
        order = {"unit": 0, "digest": 1, "sanitized": 2}
        self.all.sort(key=lambda one: (order[one.kind], one.seconds))

    def try_all(self):
        plain = [program for program in self.all if program.kind != "sanitized"]
        def both(program):
            self.note(program)
            if not self.options.short:
                self.run_twin(program)
        self.campaign.each(both, plain, "programs without a mutant")
        twins = {program.name: program for program in plain if program.kind == "unit"}
        for program in self.all:
            if program.kind == "sanitized":
                program.reaches, program.seconds = twins[program.name].reaches, 5 * twins[program.name].seconds
        return {program.title: (program.seconds, program.status,
                                None if program.reaches is None else sorted(program.reaches))
                for program in self.all}
