# SPDX-License-Identifier: Apache-2.0
"""Files: changed texts of the RTL, files that are written whole, and results that are kept in files."""

import functools
import hashlib
import json
import pathlib
import re
import tomllib

from annelid.children import Wrong
from annelid.slices import rtl_lists

RTL = [path.parent / line for path in rtl_lists() for line in path.read_text().split() if not line.startswith("+")]
# A parameter of a module, in the text of its header.
PARAMETER = re.compile(r"^ *parameter +(?:int|logic +\[[^\]]*\]) +(\w+)", re.MULTILINE)


def replaced(text, old, new, where):
    """Returns a text in which new replaces old, which must occur once; where says what the text is."""
    if text.count(old) != 1:
        raise Wrong(f"{where} holds the text to be changed {text.count(old)} times, not once: {old!r}")
    return text.replace(old, new)


def changed(path, old, new):
    """Returns the text of a file in which new replaces old, which must occur once."""
    return replaced(pathlib.Path(path).read_text(), old, new, path)


def rtl_with(path, text, directory):
    """Writes text to directory under the name of an RTL file. Returns all RTL files, with this one for the original."""
    return rtl_with_all({path: text}, directory)


def rtl_with_all(texts, directory):
    """Writes {RTL file: text} to directory under their names. Returns all RTL files, with these for the originals."""
    others = {pathlib.Path(path): pathlib.Path(directory) / pathlib.Path(path).name for path in texts}
    for path, text in texts.items():
        if pathlib.Path(path) not in RTL:
            raise Wrong(f"{path} is no file of the RTL")
        others[pathlib.Path(path)].write_text(text)
    return [others.get(path, path) for path in RTL]


def needed(text, files=RTL):
    """Of the files of the RTL, in their order: the packages, the modules that a text names, and those that these name in turn.
    Yosys takes half a second to read all of them."""
    texts = {path.stem: path.read_text() for path in files}
    found, left = {name for name in texts if name.endswith("_pkg")}, text
    while more := (set(re.findall(r"\banl_\w+", left)) & set(texts)) - found:
        found |= more
        left = " ".join(texts[name] for name in more)
    return [path for path in files if path.stem in found]


WRITTEN = "anl_graph"  # module of the network of a graph, which annelid writes for each scenario


def source_of(module):
    """Returns the file of a module. Wrong: no list of the RTL has one."""
    path = next((path for path in RTL if path.stem == module), None)
    if not path:
        raise Wrong(f"{module} is no module of the RTL")
    return path


@functools.cache
def header_in(path, module):
    """Returns the text of a module in a file, up to the end of its ports, to which others may be added: no comment is the last."""
    text = path.read_text()
    header = text[text.index(f"module {module} "):text.index("\n);")]
    before, _, last = header.rpartition("\n")
    return f"{before}\n{last.partition('//')[0].rstrip()}"


@functools.cache
def declared_in(path, module):
    """Returns the names of all parameters of a module in a file."""
    return PARAMETER.findall(header_in(path, module))


@functools.cache
def bare_in(path, module):
    """Returns the names of those that have no default."""
    return re.findall(PARAMETER.pattern + r"(?= *,? *(?://.*)?$)", header_in(path, module), re.MULTILINE)


def defaults_in(path, module):
    """Returns {parameter: number} of the defaults of a module in a file, where they are numbers or constants of a
    package."""
    found = {}
    for name, text in re.findall(rf"{PARAMETER.pattern} *= *([\w:']+) *,? *(?://.*)?$", header_in(path, module), re.MULTILINE):
        if constant := re.fullmatch(r"(\w+)::(\w+)", text):
            text = re.search(rf"\b{constant[2]} *= *([\w']+)", source_of(constant[1]).read_text())[1]
        if number := re.fullmatch(r"(?:\d*'d?)?(\d+)", text):
            found[name] = int(number[1])
    return found


class OfModule:
    """A set of parameters of one module of the RTL; it has the fields `module`, `parameters` and `written`: the file that
    annelid has written, if the module is the network of a graph, else None."""

    @property
    def source(self):
        return self.written or source_of(self.module)

    @property
    def header(self):
        return header_in(self.source, self.module)

    @property
    def declared(self):
        return declared_in(self.source, self.module)

    @property
    def chparam(self):
        return chparam(self.parameters, self.module)

    def stand_in(self, other, before, declared="", copied=""):
        """Returns the text of a file that replaces the module's: with the set's parameters it is the module `other`, which
        the text `before` defines, else the original. Both are in a module that begins with `declared`; `copied` follows
        the original."""
        whole = self.source.read_text().replace(f"module {self.module} ", f"module {self.module}_whole ")
        here = " && ".join(f"{key} == {value}" for key, value in self.parameters.items())
        passed = ", ".join(f".{name}({name})" for name in self.declared)
        return (f"{before}\n{whole}\n{self.header}\n);\n{declared}  if ({here}) begin : g_netlist\n"
                f"    {other} u_netlist (.*);\n  end else begin : g_whole\n"
                f"    {self.module}_whole #({passed}) u_whole (.*);\n{copied}  end\nendmodule\n")


def chparam(parameters, top):
    """Returns the Yosys command that gives a module its parameters."""
    values = " ".join(f"-set {key} {value}" for key, value in parameters.items())
    return f"chparam {values} {top}" if values else ""


def write(path, text):
    """Writes a file, whole or not at all, unless it has this text already."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + ".draft")
        draft.write_text(text)
        draft.replace(path)


def digest(*parts):
    """Returns a digest of files and of texts."""
    seen = hashlib.sha256()
    for part in parts:
        seen.update(part.read_bytes() if isinstance(part, pathlib.Path) else str(part).encode())
    return seen.hexdigest()


def kept(path, parts, make, *products):
    """Returns the result of make(), which must fit into JSON; or that of an earlier run with the same parts, if its
    products still exist."""
    stamp = digest(*parts)
    known = json.loads(path.read_text()) if path.exists() else {}
    if known.get("stamp") != stamp or not all(product.exists() for product in products):
        path.unlink(missing_ok=True)
        known = dict(stamp=stamp, result=make())
        write(path, json.dumps(known, indent=1) + "\n")
    return known["result"]


def made(kind, where, /, **fields):
    """Returns kind(**fields), of a table in a file. Wrong: it has other fields."""
    try:
        return kind(**fields)
    except TypeError as error:
        raise Wrong(f"{where}: {error}") from error


def read_toml(path):
    try:
        return tomllib.loads(pathlib.Path(path).read_text())
    except tomllib.TOMLDecodeError as error:
        raise Wrong(f"{path}: {error}") from error
