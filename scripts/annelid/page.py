# SPDX-License-Identifier: Apache-2.0
"""The sign-off page of `make report`, as text and as one HTML file."""

import html as markup
import textwrap

STAGES = {"V1": "it works", "V2": "it is tested", "V3": "the tests are tested"}
COLUMNS = 110
STYLE = """
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th:nth-child(1) { width: 11rem; } th:nth-child(2) { width: 6rem; } th:nth-child(5) { width: 4rem; text-align: right; }
td, th { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0; border-top: 1px solid #8884; }
td:first-child { white-space: nowrap; font-weight: 600; } td.time { white-space: nowrap; text-align: right; }
.verdict { display: inline-block; width: 4.6rem; text-align: center; border-radius: .25rem; font-weight: 600; }
.PASS { background: #1a7f37; color: #fff; } .FAIL { background: #c62828; color: #fff; }
.not { background: #8883; }
code { font-size: .9em; } pre { overflow-x: auto; background: #8881; padding: .6rem; font-size: .8rem; }
p.facts { margin: 0; opacity: .75; font-size: .9rem; }
"""


def count(rows):
    def of(verdict):
        return sum(row.verdict == verdict for row in rows)
    return (f"{of('PASS')} rows green, {of('FAIL')} red, {of('not run')} not run, {of('not yet')} that nothing "
            "measures yet")


def verdict_of(rows, short):
    if short:
        return "Short form: a sample of each, no sign-off."
    signed = all(row.verdict == "PASS" for row in rows)
    return "Signed off: every row is green." if signed else "Not signed off."


def text(rows, facts, short):
    lines = ["Annelid: sign-off", f"{verdict_of(rows, short)} {count(rows)}."]
    lines += [f"{name:<8}{value}" for name, value in facts]
    width = max(len(row.name) for row in rows)
    for stage, meaning in STAGES.items():
        lines += ["", f"{stage}: {meaning}"]
        for row in (row for row in rows if row.stage == stage):
            seconds = "" if row.seconds is None else f"{row.seconds} s"
            lines += [f"  {row.verdict:<8}{row.name:<{width}}  {seconds:>7}  {row.says}"]
            lines += textwrap.wrap(row.wants, COLUMNS, initial_indent=" " * 10, subsequent_indent=" " * 10)
    return "\n".join(lines) + "\n"


def html_row(row):
    tail = row.tail()
    more = f"<details><summary>end of {row.log}</summary><pre>{markup.escape(tail)}</pre></details>" if tail else ""
    seconds = "" if row.seconds is None else f"{row.seconds} s"
    command = f"<br><code>make {markup.escape(row.target)}</code>" if row.target else ""
    return (f"<tr><td>{markup.escape(row.name)}</td>"
            f'<td><span class="verdict {row.verdict.split()[0]}">{row.verdict}</span></td>'
            f"<td>{markup.escape(row.wants)}{command}</td><td>{markup.escape(row.says)}{more}</td>"
            f'<td class="time">{seconds}</td></tr>')


def html(rows, facts, short):
    heads = "".join(f'<p class="facts">{name}: {markup.escape(value)}</p>' for name, value in facts)
    tables = ""
    for stage, meaning in STAGES.items():
        body = "\n".join(html_row(row) for row in rows if row.stage == stage)
        tables += (f"<h2>{stage}: {meaning}</h2><table><thead><tr><th>row</th><th>verdict</th><th>what must hold</th>"
                   f"<th>what was seen</th><th>time</th></tr></thead><tbody>{body}</tbody></table>")
    return (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Annelid: sign-off</title>'
            f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head><body>'
            f"<h1>Annelid: sign-off</h1><p><strong>{verdict_of(rows, short)}</strong> {count(rows)}.</p>{heads}{tables}"
            "</body></html>\n")
