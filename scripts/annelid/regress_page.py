# SPDX-License-Identifier: Apache-2.0
"""The page of a regression: its runs as a table in HTML, those that failed first, with what is needed to look at them."""

import html
import os
import re

STYLE = ("body{font:14px sans-serif;margin:2em;max-width:90em}table{border-collapse:collapse;margin:1em 0}"
         "td,th{border-bottom:1px solid #ccc;padding:2px 10px;text-align:left;vertical-align:top}"
         "td.n{text-align:right}pre{font-size:12px;background:#f4f4f4;padding:.6em;overflow-x:auto}"
         ".bad{color:#b00020;font-weight:bold}.good{color:#00702a;font-weight:bold}")
COLUMNS = ("", "scenario", "seed", "cycles", "flits", "worms", "seconds", "digest", "log")
COMMAND = re.compile(r"^  (replay|waves) +(make .*)$", re.MULTILINE)


def link(path, page, text):
    """Returns a link from a page to a file, relative, so that both may be copied elsewhere."""
    target = os.path.relpath(path, page.parent).replace(os.sep, "/")
    return f'<a href="{html.escape(target, quote=True)}">{html.escape(text)}</a>'


def row(run, page):
    result = run.result
    verdict = '<span class="bad">FAIL</span>' if run.reason else '<span class="good">PASS</span>'
    name = f'<a href="#{anchor(run)}">{html.escape(run.name)}</a>' if run.reason else html.escape(run.name)
    numbers = [f"{result[word]:,}" if word in result else "" for word in ("cycles", "flits", "worms")]
    cells = [run.seed, *numbers, f"{run.seconds:.1f}"]
    return (f"<tr><td>{verdict}</td><td>{name}</td>" + "".join(f'<td class="n">{cell}</td>' for cell in cells)
            + f"<td><code>{result.get('rtl_digest', '')}</code></td><td>{link(run.log, page, 'log') if run.log else ''}</td></tr>")


def anchor(run):
    return re.sub(r"[^\w.-]", "_", f"{run.name}-{run.seed}")


def failure(run, page, waves):
    """Returns what is to be seen of a run that failed: the first difference, and the commands that replay and show it.
    waves is where the command for waves writes, or None."""
    report = run.result.get("report", "")
    commands = "".join(f"<p>{html.escape(kind)}: <code>{html.escape(command)}</code></p>" for kind, command in COMMAND.findall(report))
    shown = f"<p>waves, once that command has made them: {link(waves, page, waves.name)}</p>" if waves else ""
    return (f'<h3 id="{anchor(run)}">{html.escape(run.name)} seed {run.seed}</h3><p class="bad">{html.escape(run.reason)}</p>'
            f"{commands}{shown}" + (f"<pre>{html.escape(report)}</pre>" if report else ""))


def page_of(page, title, said, runs, waves_of):
    """Returns the text of a page, a path, which is to be written. said is what ran, in words; waves_of(run) returns where
    the waves of a run that failed will be, or None."""
    failed = [run for run in runs if run.reason]
    body = "".join(row(run, page) for run in [*failed, *(run for run in runs if not run.reason)])
    verdict = f'<span class="{"bad" if failed else "good"}">{len(runs) - len(failed)} passed, {len(failed)} failed</span>'
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8">'
            f"<title>{html.escape(title)}</title><style>{STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
            f"<p>{verdict}. {html.escape(said)}</p>"
            + ("<h2>First differences</h2>" if failed else "") + "".join(failure(run, page, waves_of(run)) for run in failed)
            + "<h2>Runs</h2><table><tr>" + "".join(f"<th>{word}</th>" for word in COLUMNS) + f"</tr>{body}</table></body></html>\n")
