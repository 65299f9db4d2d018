# SPDX-License-Identifier: Apache-2.0
"""Write reference pages of the C interface, HTML and man3, below BUILD/api.

They are made of the public headers, whose comments doxygen reads once they are marked as its own, and of the places that
call each function. Every function must have a comment, its own or that of the declarations above it, and a call.
"""

import pathlib
import re
import shutil

from annelid.children import Wrong
from annelid.options import parser
from annelid.sources import write

HEADERS = ["cmodel/include/annelid/*.h", "papers/*/include/annelid/*.h"]
# Where an example of a function is looked for, the best place first.
EXAMPLES = ["docs/*.c", "cmodel/cli/**/*.c", "cmodel/mpi/*.c", "cmodel/common/*.c", "papers/*/cli/*.c", "tb/live/*", "tb/judge/*.sv",
            "tb/lockstep/**/*", "tb/systemc/*", "tb/unit/**/*.[ch]", "tb/**/*.c", "papers/*/*/**/*.c", "cmodel/src/**/*.c",
            "cmodel/include/annelid/*.h"]
MOST_EXAMPLES = 3
COMMENT = re.compile(r"\s*//(?: ?)(.*)")
TRAILING = re.compile(r"(.*\S) +// ?(.*)")
FUNCTION = re.compile(r"^(?!typedef|static|\s|//|#).*?\b(anl_\w+)\(")
DOXYFILE = """
PROJECT_NAME = Annelid
PROJECT_NUMBER = {version}
PROJECT_BRIEF = "the C interface of libannelid"
INPUT = "{headers}"
RECURSIVE = YES
OUTPUT_DIRECTORY = "{room}"
FULL_PATH_NAMES = YES
STRIP_FROM_PATH = "{headers}"
STRIP_FROM_INC_PATH = "{headers}"
OPTIMIZE_OUTPUT_FOR_C = YES
EXTRACT_ALL = YES
MARKDOWN_SUPPORT = NO
AUTOLINK_SUPPORT = YES
SORT_MEMBER_DOCS = NO
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = "__attribute__(x)="
GENERATE_LATEX = NO
GENERATE_HTML = YES
GENERATE_MAN = YES
MAN_OUTPUT = man
MAN_EXTENSION = .3
MAN_LINKS = YES
HTML_TIMESTAMP = NO
QUIET = YES
WARNINGS = YES
WARN_IF_UNDOCUMENTED = NO
WARN_LOGFILE = "{room}/warnings.txt"
"""


def headers():
    return [path for pattern in HEADERS for path in sorted(pathlib.Path().glob(pattern))]


# --- a header, in blocks without empty lines ---

def functions(block):
    """Returns the names of the functions that a block declares, in their order."""
    found, depth, goes_on = [], 0, False
    for line in block.split("\n"):
        if depth == 0 and not goes_on:
            found += FUNCTION.findall(line)[:1]
        goes_on = line.endswith("\\")
        code = line.partition("//")[0]
        depth += code.count("{") - code.count("}")
    return found


def blocks(text):
    return re.split(r"\n[ \t]*\n", text)


def declared(text):
    """Returns the functions that a header declares, in their order."""
    return [name for block in blocks(text) for name in functions(block)]


def undocumented(text):
    """Returns the functions of a header that have no comment: neither lines above them in their block, nor one behind them."""
    found = []
    for block in blocks(text):
        if not re.search(r"^// (?!---)", block, re.MULTILINE):
            found += [name for name in functions(block) if not re.search(rf"\b{name}\([^;]*;.*//", block)]
    return found


def escaped(text):
    return re.sub(r"([\\@<>#%&])", r"\\\1", text)


def is_comment(line):
    return COMMENT.fullmatch(line) is not None


def marked(text, examples):
    """Returns a header whose comments are those of doxygen. Declarations of a block that have no comment of their own get the
    one above them. examples: {function: the files that call it}."""
    lines = text.split("\n")
    made, above, trailing = ["/** @file", *[f" * {escaped(COMMENT.fullmatch(line)[1])}" for line in head(lines)], " */"], [], False
    i = 0
    while i < len(lines):
        line = lines[i]
        if is_comment(line):
            if trailing and len(line) - len(line.lstrip()) > 4:
                made.append(re.sub(r"//", "///<", escaped(line), count=1))
                i += 1
                continue
            end = next((j for j in range(i, len(lines)) if not is_comment(lines[j])), len(lines))
            attached = end < len(lines) and lines[end].strip() and not lines[end].startswith("#include")
            section = re.match(r"\s*// ---", line)
            above = [COMMENT.fullmatch(one)[1] for one in lines[i:end]] if attached and not section else []
            if above:
                made += comment(above, names_at(lines, end), examples)
            i, trailing = end, False
            continue
        names = names_at(lines, i)
        before = lines[i - 1] if i else ""
        if names and not is_comment(before) and (above or before.endswith(";") or not before.strip()):
            made += comment(above, names, examples)
        found = TRAILING.fullmatch(line)
        trailing = bool(found) and not line.startswith("#")
        made.append(f"{found[1]}  ///< {escaped(found[2])}" if trailing else line)
        if not line.strip():
            above = []
        i += 1
    return "\n".join(made)


def head(lines):
    """Returns the comment at the top of a header, without its licence."""
    end = next(i for i, line in enumerate(lines) if not is_comment(line))
    return [line for line in lines[:end] if "SPDX" not in line]


def names_at(lines, i):
    """Returns the function that is declared at line i, as a list."""
    return FUNCTION.findall(lines[i])[:1] if i < len(lines) else []


def comment(above, names, examples):
    """Returns the lines of a comment, and where the function is called."""
    made = [f"/// {escaped(line)}".rstrip() for line in above]
    for name in names:
        places = ", ".join(escaped(path) for path in examples.get(name, []))
        made += ["///", f"/// @par Example of use\n/// {places}"] if places else []
    return made


# --- examples ---

def calls():
    """Returns {function: the files that call it}, the best ones first; no file twice."""
    found, seen = {}, set()
    for pattern in EXAMPLES:
        for path in sorted(pathlib.Path().glob(pattern)):
            if not path.is_file() or path in seen:
                continue
            seen.add(path)
            # A definition begins its line; what it calls is indented, or behind its brace.
            inside = "\n".join(re.findall(r"^(?:[ \t]|#define|.*?\{).*", path.read_text(errors="replace"), re.MULTILINE))
            inside = re.sub(r"^\w.*?\{", "", inside, flags=re.MULTILINE)
            for name in sorted(set(re.findall(r"\banl_\w+", inside))):
                found.setdefault(name, []).append(str(path))
    return {name: paths[:MOST_EXAMPLES] for name, paths in found.items()}


def missing():
    """Returns (the functions without a comment, those without a call), each with its header."""
    examples = calls()
    bare = [f"{path}: {name}()" for path in headers() for name in undocumented(path.read_text())]
    lone = [f"{path}: {name}()" for path in headers() for name in declared(path.read_text()) if name not in examples]
    return bare, lone


def main(children):
    options = parser(__doc__).parse_args()
    if not shutil.which("doxygen"):
        raise Wrong("there is no doxygen, which makes the reference pages: scripts/setup --reference")
    bare, lone = missing()
    if bare or lone:
        raise Wrong("\n".join(["expected a comment and a call of each function; without a comment:", *bare, "without a call:", *lone]))
    room = (options.build / "api").absolute()
    shutil.rmtree(room, ignore_errors=True)
    examples = calls()
    for path in headers():
        write(room / "headers/annelid" / path.name, marked(path.read_text(), examples))
    version = ".".join(re.findall(r"^#define ANL_VERSION_M\w+ (\d+)|^#define ANL_VERSION_PATCH (\d+)",
                                  pathlib.Path("cmodel/include/annelid/base.h").read_text(), re.MULTILINE)[i][i // 2] for i in range(3))
    write(room / "Doxyfile", DOXYFILE.format(version=version, headers=room / "headers", room=room))
    children.must(["doxygen", str(room / "Doxyfile")])
    for page in (room / "man/man3").iterdir():
        if not page.name.startswith(("anl_", "ANL_")) and not page.name.endswith(".h.3"):
            page.unlink()  # of a member of a struct, or a folder
    warnings = (room / "warnings.txt").read_text().splitlines()
    if warnings:
        raise Wrong("\n".join(["doxygen warns:", *warnings[:20]]))
    names = [name for path in headers() for name in declared(path.read_text())]
    absent = [name for name in names if not (room / f"man/man3/{name}.3").is_file()]
    if absent:
        raise Wrong(f"doxygen left no manual page of {len(absent)} functions: {', '.join(absent[:5])}")
    print(f"api-docs: {len(names)} functions; HTML {room / 'html/index.html'}, manual pages {room / 'man'}")
    return 0
