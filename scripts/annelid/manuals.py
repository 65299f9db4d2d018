# SPDX-License-Identifier: Apache-2.0
"""Write manual pages and completions of the command, below BUILD/manuals/share.

They are made of what the command says of itself: `annelid … --manual` is what --help is made of, as JSON, and `annelid
describe --keys` lists the keys of scenarios. The formats of files come from docs/scenario.md and docs/trace.md. `make
install` calls this.
"""

import dataclasses
import json
import pathlib
import re
import shutil

from annelid.children import Wrong
from annelid.options import parser
from annelid.sources import write

COMMAND = "annelid"
ALWAYS = [dict(name="help", letter="?", value=None, help="Give this help list", setting=False),
          dict(name="usage", letter="", value=None, help="Give a short usage message", setting=False)]
FORMATS = {"scenario": "scenarios of Annelid: network, switch, traffic and run", "trace": "flit traces of Annelid"}


@dataclasses.dataclass
class Command:
    """A command, or a menu of commands, as it describes itself."""
    words: list   # ["annelid", "trace", "show"]
    what: str     # in a few words
    about: dict   # what --manual prints
    below: list   # of a menu, its commands

    @property
    def options(self):
        return [] if self.below else self.about["options"] + ALWAYS

    @property
    def page(self):
        return "-".join(self.words)


def ask(program, children, words, what):
    """Returns the Command of these words, and those below it."""
    about = json.loads(children.must([program, *words[1:], "--manual"]))
    below = [ask(program, children, [*words, one["name"]], one["what"]) for one in about.get("commands", ())]
    return Command(words, what, about, below)


def every(command):
    """Yields a command and all below it."""
    yield command
    for one in command.below:
        yield from every(one)


@dataclasses.dataclass
class Key:
    """A key of scenarios: section.key, what it may be, its words (if it is one of several), default, meaning."""
    name: str
    range: str
    fallback: str
    meaning: str

    @property
    def values(self):
        words = self.range.split(" (")[0].split(", ")  # without the condition
        return words if all(re.fullmatch("[a-z_]+", word) for word in words) and len(words) > 1 else []


def read_keys(text):
    """Returns the keys that `annelid describe --keys` prints: four lines each."""
    lines = [line.strip().removeprefix("default: ") for line in text.splitlines()]
    return [Key(*lines[at:at + 4]) for at in range(0, len(lines), 4)]


# --- manual pages, first in Markdown ---

def plain(text):
    """Returns a text in which no character means anything to Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~^$&])", r"\\\1", text)


def option_entry(option):
    value = f"=*{plain(option['value'])}*" if option["value"] else ""
    short = f"**-{plain(option['letter'])}**, " if option["letter"] else ""
    return f"{short}**--{plain(option['name'])}**{value}\n: {plain(option['help'])}\n"


def option_part(title, options):
    return f"# {title}\n\n" + "\n".join(map(option_entry, options)) + "\n" if options else ""


def head(page, what):
    return f"# NAME\n\n{page} - {plain(what)}\n\n"


def status_part(text):
    """Returns the part that says what exit statuses mean, of words that begin with "Exit status:"; "" if there are none."""
    found = re.search(r"Exit status: (.*)", text.replace("\n", " "))
    return f"# EXIT STATUS\n\n{plain(found[1].strip())}\n\n" if found else ""


def see_also(pages):
    return "# SEE ALSO\n\n" + ", ".join(f"**{page}**({section})" for page, section in pages) + "\n"


def command_page(command, others):
    about = command.about
    said, _, status = about["help"].partition("\v")
    inputs = f" *{plain(about['inputs'])}*" if about["inputs"] else ""
    ours = [option for option in command.options if not option["setting"]]
    settings = [option for option in command.options if option["setting"]]
    title = (about["settings"] or "").rstrip(":").upper()
    return (head(command.page, command.what) + f"# SYNOPSIS\n\n**{' '.join(command.words)}** [*OPTION*...]{inputs}\n\n"
            f"# DESCRIPTION\n\n{plain(said)}\n\n" + option_part("OPTIONS", ours) + option_part(title, settings)
            + status_part(status) + see_also(others))


def menu_page(command, others):
    usage, _, said = command.about["head"].strip().partition("\n")
    listed = "\n".join(f"**{one.words[-1]}**\n: {plain(one.what)}; see **{one.page}**(1)\n" for one in command.below)
    return (head(command.page, command.what) + f"# SYNOPSIS\n\n{plain(usage.removeprefix('Usage: '))}\n\n"
            f"# DESCRIPTION\n\n{plain(said)}\n\n# COMMANDS\n\n{listed}\n" + status_part(command.about["foot"])
            + see_also(others))


def key_entry(key):
    return f"**{plain(key.name)}**\n: {literal(key.meaning)}. {literal(key.range)}; default: {literal(key.fallback)}.\n"


def literal(text):
    """Returns Markdown in which only `, * and \\ mean something outside of code."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([_^~$<>|])", r"\\\1", part) for part in parts)


def cells(row):
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)[1:-1]]


def as_list(table, keys):
    """A table as a list of what its first column names, which a narrow screen can show; that of keys as the command has it."""
    columns, _, *rows = map(cells, table.strip().splitlines())
    if columns[0] == "section.key":
        return "\n".join(map(key_entry, keys)) + "\n"
    def entry(first, *rest):
        said = [value if len(columns) == 2 else f"{name}: {value}"
                for at, (name, value) in enumerate(zip(columns[1:], rest)) if value not in ("", "–")]
        return f"**{literal(first).replace('`', '')}**\n: {literal('; '.join(said))}\n"
    return "\n".join(entry(*row) for row in rows) + "\n"


def prose(text, keys):
    """Returns what stands between blocks of code: links keep their text alone, and headings are one level higher."""
    text = re.sub(r"(?<!`)\[([^\]\n]+)\]\([^)\s]+\)", r"\1", text)
    parts = re.split(r"((?:^\|.*\n)+)", re.sub(r"^##+ ", "# ", text, flags=re.MULTILINE), flags=re.MULTILINE)
    return "".join(as_list(part, keys) if part.startswith("|") else literal(part) for part in parts)


def format_page(name, what, text, keys, others):
    """A page of docs/ as a manual page; its title becomes the name."""
    _, _, body = text.partition("\n")
    parts = re.split(r"(^```.*?^```)", body, flags=re.MULTILINE | re.DOTALL)
    page = "".join(part if part.startswith("```") else prose(part, keys) for part in parts)
    return head(f"{COMMAND}-{name}", what) + "# DESCRIPTION\n" + page + "\n" + see_also(others)


def roff(children, room, page, section, markdown, version):
    """Writes a manual page."""
    source = room / "source.md"
    write(source, markdown)
    text = children.must(["lowdown", "-s", "-Tman", "--out-no-smarty", "-m", f"title={page.upper()}", "-m", f"section={section}",
                          "-m", f"source=Annelid {version}", "-m", f"volume=Annelid {version}", "-m", "date=-", source])
    source.unlink()
    text = text.replace(r"\fC", r"\fB")   # mandoc does not know the font
    # A version of lowdown writes a heading behind .SH, another one in the next line. Behind it a paragraph begins by itself,
    # and there is no space to take away, as one does before a list.
    text = re.sub(r"^(\.S[HS])[ \n](.*\n)(?:\.[LP]P\n|(?:\.if . \\\n\.sp .*\n)+)", r"\1 \2", text, flags=re.MULTILINE)
    text = re.sub(r"\\fB-[^\\\n]*", lambda option: option[0].replace("-", r"\-"), text)   # a minus, not a hyphen
    write(room / f"share/man/man{section}/{page}.{section}", text)


def write_pages(children, room, top, keys, version):
    formats = [(f"{COMMAND}-{name}", 5) for name in FORMATS]
    for command in every(top):
        up = [("-".join(command.words[:-1]), 1)] if len(command.words) > 1 else []
        page = menu_page if command.below else command_page
        roff(children, room, command.page, 1, page(command, up + formats), version)
    for name, what in FORMATS.items():
        text = pathlib.Path(f"docs/{name}.md").read_text()
        roff(children, room, f"{COMMAND}-{name}", 5,
             format_page(name, what, text, keys, [(COMMAND, 1)]), version)


# --- completions ---

def names_file(value):
    """Whether the value of an option is a file or directory."""
    return bool(re.fullmatch("FILE|DIR", value or ""))


def choices(option):
    """Returns the words among which an option has one; a name in capitals, which stands for others, is none."""
    value = option["value"] or ""
    return [word for word in value.split("|") if not word.isupper()] if "|" in value else []


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash_words(command):
    """Returns what can be written behind a command: its commands or its options."""
    if command.below:
        return " ".join([one.words[-1] for one in command.below] + ["--help"] + ["--version"] * (len(command.words) == 1))
    names = [f"--{option['name']}{'=' if option['value'] else ''}" for option in command.options]
    return " ".join(names + [f"-{option['letter']}" for option in command.options if option["letter"].isalpha()])


def bash_values(command):
    """Yields pairs (option, its values) for options that have words as values."""
    for option in command.options:
        for name in [f"--{option['name']}"] + ([f"-{option['letter']}"] if option["letter"] else []):
            if choices(option):
                yield f"{' '.join(command.words)} {name}", " ".join(choices(option))
            elif (option["value"] or "").startswith("SECTION.KEY"):
                yield f"{' '.join(command.words)} {name}", "@keys"


BASH = """# Completion of annelid for bash. Made by scripts/annelid/manuals.py.

_annelid_words() {  # a command: what can be written behind it
    case $1 in
@WORDS@
    esac
}

_annelid_values() {  # a command and an option: the values of the option
    case $1 in
@VALUES@
    esac
}

_annelid_key_values() {  # a key of scenarios: its values
    case $1 in
@KEYS@
    esac
}

_annelid_complete() {  # words: those of them that begin with what is typed
    local line
    COMPREPLY=()
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$1" -- "$2")
    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace
}

_annelid() {
    # bash cuts words at = too, so the line is cut again.
    local line=${COMP_LINE:0:COMP_POINT} typed command=annelid word words option='' value
    read -ra words <<< "$line"
    typed=${words[-1]}
    if [[ $line == *[[:space:]] ]]; then typed=''; else unset 'words[-1]'; fi
    for word in "${words[@]:1}"; do
        if [[ $word != -* && -n $(_annelid_words "$command $word") ]]; then command+=" $word"; else break; fi
    done
    [[ ${words[-1]-} != -* || ${words[-1]} == *=* ]] || option=${words[-1]}
    value=$typed
    if [[ $typed == --*=* ]]; then option=${typed%%=*} value=${typed#*=}; fi
    local values=''
    [[ -z $option ]] || values=$(_annelid_values "$command $option")
    if [[ $values == @keys && $value == *=* ]]; then
        _annelid_complete "$(_annelid_key_values "${value%%=*}")" "${value##*=}"
    elif [[ $values == @keys ]]; then
        _annelid_complete "$(_annelid_key_values @all)" "$value"
    elif [[ -n $values ]]; then
        _annelid_complete "$values" "$value"
    elif [[ $typed == -* && $typed != *=* || -z $(compgen -W "$(_annelid_words "$command")" -- -) ||
            $(_annelid_words "$command") != -* ]]; then
        _annelid_complete "$(_annelid_words "$command")" "$typed"
    else
        compopt -o filenames 2> /dev/null
        local path
        while IFS= read -r path; do COMPREPLY+=("$path"); done < <(compgen -f -- "$value")
    fi
}

complete -F _annelid annelid
"""


def case(pairs):
    return "\n".join(f"        {quoted(key)}) echo {quoted(value)} ;;" for key, value in pairs)


def bash(top, keys):
    commands = list(every(top))
    settings = [("@all", " ".join(f"{key.name}=" for key in keys))]
    settings += [(key.name, " ".join(key.values)) for key in keys if key.values]
    values = [pair for command in commands for pair in bash_values(command)]
    words = [(" ".join(command.words), bash_words(command)) for command in commands]
    return BASH.replace("@WORDS@", case(words)).replace("@VALUES@", case(values)).replace("@KEYS@", case(settings))


def zsh_text(text):
    return re.sub(r"([\\:\[\]])", r"\\\1", text)


def zsh_action(option, keys):
    if (option["value"] or "").startswith("SECTION.KEY"):
        return "key:compadd -S '' -- " + " ".join(f"{key.name}=" for key in keys)
    if choices(option):
        return f"value:({' '.join(choices(option))})"
    return "file:_files" if names_file(option["value"]) else f"{zsh_text(option['value'].lower())}: "


def zsh_options(command, keys):
    for option in command.options:
        value = option["value"]
        tail = f"[{zsh_text(option['help'])}]" + (f":{zsh_action(option, keys)}" if value else "")
        yield quoted(f"*--{option['name']}{'=' if value else ''}{tail}")
        if option["letter"].isalpha():
            yield quoted(f"*-{option['letter']}{'+' if value else ''}{tail}")
    yield quoted("*:file:_files")


def zsh_function(command, keys):
    name = "_" + "_".join(command.words)
    if not command.below:
        return f"{name}() {{\n    _arguments -s -S \\\n        " + " \\\n        ".join(zsh_options(command, keys)) + "\n}\n"
    listed = " ".join(quoted(f"{one.words[-1]}:{zsh_text(one.what)}") for one in command.below)
    cases = "\n".join(f"        {one.words[-1]}) _{'_'.join(one.words)} ;;" for one in command.below)
    return (f"{name}() {{\n    if (( CURRENT == 2 )); then\n        local commands=({listed})\n"
            f"        _describe command commands\n        return\n    fi\n    local chosen=$words[2]\n"
            f"    shift words\n    (( CURRENT-- ))\n    case $chosen in\n{cases}\n    esac\n}}\n")


def zsh(top, keys):
    functions = "\n".join(zsh_function(command, keys) for command in every(top))
    return f"#compdef {COMMAND}\n# Completion of annelid for zsh. Made by scripts/annelid/manuals.py.\n\n{functions}\n_{COMMAND} \"$@\"\n"


def fish_value(option, keys):
    if (option["value"] or "").startswith("SECTION.KEY"):
        return " -x -a " + quoted(" ".join(f"{key.name}=" for key in keys))
    if choices(option):
        return " -x -a " + quoted(" ".join(choices(option)))
    return (" -r" if names_file(option["value"]) else " -x") if option["value"] else ""


def fish_lines(command, keys):
    """Yields the lines for what can be written behind a command."""
    here = quoted(f"__annelid_is {' '.join(command.words[1:])}".strip())
    for one in command.below:
        yield f"complete -c {COMMAND} -n {here} -f -a {one.words[-1]} -d {quoted(one.what)}"
    for option in command.options:
        letter = f" -s {option['letter']}" if option["letter"].isalpha() else ""
        yield (f"complete -c {COMMAND} -n {here}{letter} -l {option['name']}{fish_value(option, keys)} "
               f"-d {quoted(option['help'])}")


FISH = """# Completion of annelid for fish. Made by scripts/annelid/manuals.py.

set -g __annelid_menus @MENUS@

# Whether these are the commands that were written: of a menu as far as they go.
function __annelid_is
    set -l words (commandline -opc)[2..-1]
    set -l path
    for word in $words
        string match -q -- '-*' $word; and break
        set -a path $word
        contains -- "$path" $__annelid_menus; or break
    end
    test "$path" = "$argv"
end

@LINES@
"""


def fish(top, keys):
    menus = " ".join(quoted(" ".join(command.words[1:])) for command in every(top) if command.below and command.words[1:])
    lines = "\n".join(line for command in every(top) for line in fish_lines(command, keys))
    return FISH.replace("@MENUS@", menus).replace("@LINES@", lines)


# --- all of it ---

def parse():
    return parser(__doc__).parse_args()


def main(children):
    build = parse().build
    if not shutil.which("lowdown"):
        raise Wrong("there is no lowdown, which makes manual pages: scripts/setup --install")
    program, room = (build / COMMAND).absolute(), build / "manuals"
    version = children.must([program, "--version"]).split()[-1]
    keys = read_keys(children.must([program, "describe", "--keys"]))
    about = "golden model, referee, traces and blocked worms of the Annelid switches"
    top = ask(program, children, [COMMAND], about)
    write_pages(children, room, top, keys, version)
    write(room / "share/bash-completion/completions/annelid", bash(top, keys))
    write(room / "share/zsh/site-functions/_annelid", zsh(top, keys))
    write(room / "share/fish/vendor_completions.d/annelid.fish", fish(top, keys))
    return 0
