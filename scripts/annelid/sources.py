# SPDX-License-Identifier: Apache-2.0
"""The text of the RTL, and changes of it; files that appear whole."""

import hashlib
import pathlib

from annelid.children import Wrong

RTL = [pathlib.Path(line) for line in pathlib.Path("rtl/annelid.f").read_text().split()
       if not line.startswith("+")]


def changed(path, old, new):
    """The text of a file with old, which must be there once, replaced."""
    text = pathlib.Path(path).read_text()
    if text.count(old) != 1:
        raise Wrong(f"{path} holds the text to be changed {text.count(old)} times, not once: {old!r}")
    return text.replace(old, new)


def rtl_with(path, text, directory):
    """Writes text to directory under the name of an RTL file; all RTL files, with that in its place."""
    path = pathlib.Path(path)
    if path not in RTL:
        raise Wrong(f"{path} is no file of rtl/annelid.f")
    other = pathlib.Path(directory) / path.name
    other.write_text(text)
    return [other if item == path else item for item in RTL]


def write(path, text):
    """Writes a file, whole, unless it holds the text already."""
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(path.name + ".draft")
        draft.write_text(text)
        draft.replace(path)


def digest(*parts):
    """Of files and of words."""
    seen = hashlib.sha256()
    for part in parts:
        seen.update(part.read_bytes() if isinstance(part, pathlib.Path) else str(part).encode())
    return seen.hexdigest()
