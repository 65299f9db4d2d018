# SPDX-License-Identifier: Apache-2.0
"""Tables in Markdown, and pages of docs/ that a script fills between two marks."""

import json

from annelid.children import Wrong
from annelid.sources import write


def number(value):
    return "–" if value in (None, "") else f"{value:,}" if isinstance(value, int) else f"{value:.1f}"


def markdown(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


def filled(path, found):
    """The page with what is between <!-- name --> and <!-- end of name -->, which must be there, replaced."""
    text = path.read_text()
    for name, section in found.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        if text.count(begin) != 1 or text.count(end) != 1:
            raise Wrong(f"{path}: expected one line {begin.strip()} and one {end}")
        text = text[:text.index(begin) + len(begin)] + section + text[text.index(end):]
    return text


def fill(path, found):
    write(path, filled(path, found))


def fill_from(path, report, sections):
    """Fills a page from a report in JSON: sections says what of it stands between which marks. Returns 0."""
    if not report.exists():
        raise Wrong(f"no {report} to write {path} from")
    fill(path, sections(json.loads(report.read_text())))
    return 0
