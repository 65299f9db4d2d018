# SPDX-License-Identifier: Apache-2.0
"""What DUT= says: the user's files in place of ours, in words or in file lists (docs/lockstep.md, "Your own switch").

tb.mk calls main() and includes what it writes.
"""

import functools
import hashlib
import os
import pathlib
import re
import shlex
from dataclasses import dataclass, field

from annelid.children import Wrong
from annelid.corners import NAMES
from annelid.options import parser
from annelid.slices import kinds
from annelid.sources import PARAMETER, RTL, WRITTEN, write

# They have the network, and a switch of it.
TOPS = [pathlib.Path("tb/lockstep/probes/anl_lockstep_top.sv"), pathlib.Path("tb/lockstep/parts/anl_lockstep_switch.sv")]
# Folders whose modules are in the parts of a network by switches, and the one of its own folder that is. Packages are of the
# network, too.
INSIDE, SLICES = ("adapter", "common", "route", "switch", "terminal"), "anl_link_slices"
# The switches of our networks, in the order of rtl/annelid.f: anl_<family>_switch.
BUFFERED = tuple(path.stem for path in RTL if path.match("rtl/switch/anl_*_switch.sv"))
# The switches of other kinds, by the word with which the keys of their programs begin (tb/lockstep/drive/key.h): with wide links
# and, where they differ, with lanes that share them. Then what the names of their other modules begin with.
KINDS = {module.KIND: module.SWITCHES for module in kinds().values()}
PARTS = {start: module.KIND for module in kinds().values() for start in module.MODULES}
SWITCHES = (*BUFFERED, *(name for names in KINDS.values() for name in names))
JUDGED = "anl_judged_router"  # a switch with links of any style, which make judge takes
LISTS = (".f", ".vc")  # of file lists
EXPECTED = "expected files, folders, -f list, +incdir+folder, -I folder, -D name=value, +define+…, -v file, -y folder, +libext+…"
PLAIN = re.compile(r"[\w./+,@=~-]+")  # names that make takes as they are
REMARK = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
DEFINED = re.compile(r"^\s*(?:\(\*[^)]*\*\)\s*)?(?:macromodule|module|package)\s+(?:automatic\s+|static\s+)?(\w+)", re.MULTILINE)
INCLUDED = re.compile(r'^\s*`include\s+"([^"]+)"', re.MULTILINE)
PORT = re.compile(r"^ *(?:input|output) +logic(?: +\[[^\]]*\])* +(\w+)", re.MULTILINE)


@dataclass
class Dut:
    """Paths are relative to the current directory, as the user wrote them or as their list says."""
    text: str
    files: list = field(default_factory=list)     # for Verilator, in their order
    folders: list = field(default_factory=list)   # in which included files are
    flags: list = field(default_factory=list)     # other options of Verilator
    read: list = field(default_factory=list)      # lists and included files
    defines: dict = field(default_factory=dict)   # {module or package: the file that defines it}
    texts: dict = field(default_factory=dict)     # {file: its text without remarks}

    @property
    def name(self):
        """Returns the directory of the build that has its programs."""
        if self.files == [self.text] and PLAIN.fullmatch(self.text):
            return self.text.replace("/", "+")
        first = re.sub(r"[^\w.-]", "_", os.path.basename(self.files[0]))
        return f"{first}-{hashlib.sha256(self.text.encode()).hexdigest()[:10]}"

    @property
    def switches(self):
        """Returns the switches that it replaces, itself or by their network; other modules are tried in those of their kind, of
        which buffered has cubes."""
        networks = {name: name.removesuffix("_switch") for name in BUFFERED}
        found = [name for name in SWITCHES if {name, networks.get(name)} & set(self.defines)]
        kinds = [kind for start, kind in PARTS.items() if any(name.startswith(start) for name in self.defines)]
        return found or (list(KINDS[kinds[0]]) if kinds else [SWITCHES[0]])

    @property
    def replaced(self):
        """Returns those of our modules and packages that it replaces; the network of a graph has no file of ours."""
        return [name for name in self.defines if name == WRITTEN or ours(name)]

    @property
    def has_label(self):
        """Says whether a switch gets its label by a parameter."""
        return any(re.search(r"^\s*parameter\s+int\s+Here\b", text, re.MULTILINE) for text in self.texts.values())

    @property
    def is_inside_switches(self):
        """Says whether all that it replaces is in switches, terminals and links, of which one serves for all."""
        return not self.has_label and all(name != WRITTEN and is_inside(ours(name)) for name in self.replaced)


def is_inside(path):
    """Says whether what a file of rtl/ defines is in the parts of a network by switches, and of nothing else."""
    return path.stem == SLICES or (not path.stem.endswith("_pkg") and path.parent.name in INSIDE)


def ours(name):
    """Returns the file of a module or package of ours, or None."""
    return next((path for path in RTL if path.stem == name), None)


def typed(text):
    """Returns DUT=… as it is typed in a shell."""
    return f"DUT={shlex.quote(text)}"


def bare(text):
    """Returns the text of a file without remarks. Strings remain."""
    return REMARK.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)


# --- words and file lists ---

class Words:
    """Reads words, those of DUT= or of a list. `where` says in messages where they stand; names are relative to `folder`."""

    def __init__(self, dut):
        self.dut, self.open = dut, []

    def path(self, folder, name):
        name = os.path.expanduser(os.path.expandvars(name))
        return os.path.normpath(os.path.join(folder, name))

    def existing(self, where, folder, name):
        path = self.path(folder, name)
        if not os.path.exists(path):
            raise Wrong(f"{where}: {path}: No such file or folder")
        return path

    def add_file(self, where, folder, name):
        path = self.existing(where, folder, name)
        if os.path.isdir(path):
            self.dut.folders.append(path)
        elif path.endswith(LISTS):
            self.list(where, path)
        elif path not in self.dut.files:
            self.dut.files.append(path)

    def list(self, where, path):
        if path in self.open:
            raise Wrong(f"{where}: {path} reads itself")
        self.open.append(path)
        self.dut.read.append(path)
        for number, line in enumerate(text_of(where, path).splitlines(), 1):
            here = f"{path}:{number}"
            self.take(here, os.path.dirname(path), split(here, re.sub(r"(^|\s)(//|#).*", "", line)))
        self.open.pop()

    def option(self, where, folder, words, word, letter):
        """Returns what follows an option such as -I, in the same word or in the next one."""
        if len(word) > len(letter):
            return word[len(letter):]
        if not words:
            raise Wrong(f"{where}: {word}: {EXPECTED}")
        return words.pop(0)

    def take(self, where, folder, words):
        words, dut = list(words), self.dut
        while words:
            word = words.pop(0)
            if word in ("-f", "-F"):
                self.list(where, self.existing(where, folder, self.option(where, folder, words, word, word)))
            elif word.startswith("+incdir+"):
                dut.folders += [self.existing(where, folder, one) for one in word[8:].split("+") if one]
            elif word.startswith("-I"):
                dut.folders.append(self.existing(where, folder, self.option(where, folder, words, word, "-I")))
            elif word.startswith("-D"):
                dut.flags.append("-D" + self.option(where, folder, words, word, "-D"))
            elif word.startswith(("+define+", "+libext+", "-W")):
                dut.flags.append(word)
            elif word in ("-v", "-y"):
                dut.flags += [word, self.existing(where, folder, self.option(where, folder, words, word, word))]
            elif word.startswith(("-", "+")):
                raise Wrong(f"{where}: {word}: {EXPECTED}")
            else:
                self.add_file(where, folder, word)


def split(where, text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise Wrong(f"{where}: {error}: {text}") from error


def text_of(where, path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError as error:
        raise Wrong(f"{where}: {path}: {error.strerror}") from error


# --- what the files define ---

def header(text, module):
    """Returns the parameters and ports of a module as text, without what it imports."""
    body = re.sub(r"\bimport\b[^;]*;", "", re.split(rf"\bmodule\s+(?:automatic\s+|static\s+)?{module}\b", text, maxsplit=1)[1])
    return re.split(r"\)\s*;", body, maxsplit=1)[0]


def interface(name):
    """Returns the names of parameters and of ports that the switch of a name must have."""
    text = header(bare(ours(name).read_text()), name)
    return PARAMETER.findall(text), PORT.findall(text)


def in_words(name):
    parameters, ports = interface(name)
    return f"{name} with parameters {', '.join(parameters)} and ports {', '.join(ports)}"


def lacking(dut, name):
    """Returns the names of parameters and ports that a module of the user has not, and ours has."""
    mine = re.sub(r"\blocalparam\b.*?(?=,\s*(?:parameter|localparam)\b|\)\s*\()", "", header(dut.texts[dut.defines[name]], name), flags=re.DOTALL)
    words = set(re.findall(r"\w+", mine))
    return [one for kind in interface(name) for one in kind if one not in words]


def check_switch(dut, name):
    """Wrong: a switch has not the ports of ours, or no parameter for a size. What else it does not declare it is not given."""
    path = dut.defines[name]
    missing = [one for one in lacking(dut, name) if one not in NAMES.values()]
    if missing:
        where = typed(path) if path == dut.text else f"{typed(dut.text)}: {path}"
        raise Wrong(f"{where} defines {name} without {', '.join(missing)}; {in_words(name)} expected "
                    f"(docs/link.md)")


def check(dut):
    """Wrong: nothing of ours is replaced, or a switch cannot take the place of ours."""
    if JUDGED in dut.defines:
        raise Wrong(f"{typed(dut.text)} defines {JUDGED}, whose links are not ours: make judge takes it (docs/judge.md)")
    if not dut.replaced:
        defined = ", ".join(dut.defines) or "no module"
        raise Wrong(f"{typed(dut.text)} defines {defined}; {in_words(SWITCHES[0])} expected, or {', '.join(SWITCHES[1:])} "
                    f"(docs/link.md), or another module of rtl/")
    for name in set(SWITCHES) & set(dut.defines):
        check_switch(dut, name)


def find_included(dut):
    """Adds the files that the others include to those that are read, and their folders, if they lie beside these."""
    left = [*dut.files]
    for path in left:
        for name in INCLUDED.findall(bare(text_of(path, path))):
            beside = os.path.dirname(path)
            found = next((os.path.normpath(os.path.join(folder, name)) for folder in [beside, *dut.folders]
                          if os.path.isfile(os.path.join(folder, name))), None)
            if not found or found in left:
                continue
            left.append(found)
            dut.read.append(found)
            if os.path.normpath(os.path.join(beside, name)) == found and (beside or ".") not in dut.folders:
                dut.folders.append(beside or ".")


@functools.cache
def parse(text):
    """Returns the Dut of a text, the value of DUT=, whatever it defines. Wrong: a file is missing."""
    dut = Dut(os.path.normpath(text) if os.path.exists(text) else text)
    where = typed(text)
    Words(dut).take(where, "", [dut.text] if os.path.exists(dut.text) else split(where, text))
    if not dut.files:
        raise Wrong(f"{where}: names no file")
    for path in dut.files:
        dut.texts[path] = bare(text_of(where, path))
        dut.defines |= {name: path for name in DEFINED.findall(dut.texts[path])}
    find_included(dut)
    return dut


def read(text):
    """Returns the Dut of a text. Wrong: a file is missing, or nothing of ours can be replaced."""
    dut = parse(text)
    check(dut)
    return dut


def name_of(text):
    """Returns the name of the Dut of a text; "" if there is none."""
    return read(text).name if text else ""


def stem_of(text):
    """Returns the name of the first file without its suffix; "" if there is none."""
    return pathlib.Path(read(text).files[0]).stem if text else ""


# --- what a module is not given ---

def fitted(dut, text):
    """Returns the text of a file without the parameters of instances that the user's module has not."""
    for name in {*SWITCHES, *(name.removesuffix("_switch") for name in SWITCHES)} & {*dut.defines}:
        unknown = [one for one in (lacking(dut, name) if ours(name) else ()) if one in NAMES.values()]
        for instance in re.findall(rf"\b{name} #\(.*?\n *\) \w+ \(", text, re.DOTALL) if unknown else ():
            left = re.sub(rf"\.(?:{'|'.join(unknown)})\((?:[^()]|\([^()]*\))*\),?[ ]?", "", instance)
            text = text.replace(instance, re.sub(r",(\s*)(`ifdef ANL_HERE|\) \w+ \($)", r"\1\2", left))
    return text


def fit(dut, room):
    """Writes the files that differ when fitted. Returns {file: the file in its place}."""
    found = {}
    for path in [*sorted(path for path in RTL if path.parent.name in ("net", "rtl")), *TOPS]:
        text = path.read_text()
        other = fitted(dut, text)
        if other != text:
            found[path] = room / path.name
            write(found[path], other)
    return found


# --- for make ---

def linked(path, room):
    """Returns the path, or that of a link to it whose name make takes."""
    if PLAIN.fullmatch(path):
        return path
    stamp = hashlib.sha256(path.encode()).hexdigest()[:10]
    link = room / stamp / re.sub(r"[^\w.-]", "_", os.path.basename(path))
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(os.path.abspath(path))
    return str(link)


def for_make(dut, room):
    """Returns the text that tb.mk includes."""
    def links(paths):
        return " ".join(linked(path, room) for path in paths)

    flags = [word if word.startswith(("-", "+")) else linked(word, room) for word in dut.flags]
    here = ["-DANL_HERE"] if dut.has_label else []
    words = [*(f"+incdir+{linked(folder, room)}" for folder in dut.folders), *map(shlex.quote, flags), *here]
    others = fit(dut, room)
    own = [*(str(ours(name) or name) for name in dut.replaced), *map(str, others)]
    lines = dict(name=dut.name, own=" ".join(own), files=links([*dut.files, *map(str, others.values())]), read=links(dut.read), flags=" ".join(words))
    return "".join(f"dut_{name} := {value.replace('$', '$$')}\n" for name, value in lines.items())


def main(_):
    """Writes a makefile with what the environment's DUT says. Prints its name, or what is wrong; with --fit the text of a file, fitted."""
    options = parser(__doc__)
    options.add_argument("--fit", type=pathlib.Path, help="the network of a graph; prints it as the switch that is named by DUT needs it")
    options = options.parse_args()
    try:
        dut = parse(os.environ["DUT"])
        if JUDGED not in dut.defines:  # which make judge takes
            check(dut)
        if options.fit:
            print(fitted(dut, options.fit.read_text()), end="")
            return 0
        room = options.build / "dut" / dut.name
        write(room / "dut.mk", for_make(dut, room))
        print(room / "dut.mk")
    except Wrong as wrong:
        print(wrong)
    return 0
