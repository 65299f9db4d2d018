# SPDX-License-Identifier: Apache-2.0
"""Scenarios: network, switch, traffic and run of one simulation (docs/scenario.md)."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from typing import Any, Dict, List, Mapping, Optional, Tuple, Union

from .library import Failure, c, encoded, ffi, number, text_of

Path = Union[str, "os.PathLike[str]"]


@lru_cache(maxsize=None)
def _kinds() -> Dict[str, int]:
    """All keys of scenarios, and what kind of value each has."""
    key: Any = ffi.new("struct anl_scenario_key *")
    kinds: Dict[str, int] = {}
    while c.anl_scenario_key(len(kinds), key):
        kinds[f"{text_of(key.section)}.{text_of(key.name)}"] = key.kind
    return kinds


def keys() -> Tuple[str, ...]:
    """All keys of scenarios, as "section.key", in the order of docs/scenario.md."""
    return tuple(_kinds())


def whole_key(name: str) -> str:
    """A key as "section.key", of a name that may have no section."""
    if "." in name:
        return name
    return next((key for key in keys() if key.endswith("." + name)), _known_to_others(name))


def _known_to_others(name: str) -> str:
    """A word of other programs ("vcs") as ours; a name that nobody knows stays, and the library refuses it."""
    text = ffi.new("char[64]")
    for section in ("network", "switch", "traffic", "run"):
        written = f"{section}.{name}".encode("utf-8", "replace")
        c.anl_scenario_usual_key(written, text, len(text))
        if ffi.string(text) != written:
            return text_of(text)
    return f"run.{name}"


def written(value: Any) -> str:
    """A value as a scenario file has it: YAML, of which JSON is a part."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    return json.dumps(value, default=_plain, allow_nan=False)


def _plain(value: Any) -> Any:
    for convert in ("tolist", "item"):  # arrays and numbers of NumPy
        if hasattr(value, convert):
            return getattr(value, convert)()
    raise TypeError(f"found {value!r}, expected a number, a name, or a list of them")


def _setting(value: Any) -> str:
    """A value as a setting has it: names without quotes."""
    return str(value) if isinstance(value, (str, os.PathLike)) else written(value)


class Scenario:
    """One simulation. It cannot be changed; but() makes another one.

    source: the path of a scenario file; or a dict of sections, each a dict of keys; or None, and the settings are all.
    settings: values in place of those of the source, by key, with or without the section:
    `Scenario("mesh.yaml", load=0.3)`, `Scenario(topology="mesh", k=4, n=2, load=0.3)`,
    `Scenario({"network": {"topology": "mesh", "k": 4, "n": 2}}, **{"traffic.load": 0.3})`.
    Paths in a file are relative to it, those in a dict to directory (the current one).

    Raises ArgumentError or FormatError with what was found and what was expected, FileError.
    """

    def __init__(self, source: Union[Path, Mapping[str, Mapping[str, Any]], None] = None, *,
                 directory: Path = "", **settings: Any):
        self._source, self._directory = source, directory
        self._settings = {whole_key(key): value for key, value in settings.items()}
        self._c = ffi.gc(ffi.new("struct anl_scenario *"), c.anl_scenario_free)
        failure = Failure()
        if source is None or isinstance(source, Mapping):
            text = self._as_text(source or {})
            failure.check(c.anl_scenario_parse(text, len(text), b"scenario", b"", self._c, failure.error))
        else:
            chosen = [ffi.new("char[]", encoded(text, text)) for text in self._as_settings()]
            failure.check(c.anl_scenario_load_with(encoded(source, "path"), ffi.new("const char *[]", chosen),
                                                   len(chosen), self._c, failure.error))

    @classmethod
    def _of_trace(cls, text: str) -> "Scenario":
        """The scenario in a trace, without its messages."""
        made, failure, data = cls.__new__(cls), Failure(), encoded(text, "text")
        made._c = ffi.gc(ffi.new("struct anl_scenario *"), c.anl_scenario_free)
        failure.check(c.anl_scenario_parse(data, len(data), b"scenario", ffi.NULL, made._c, failure.error))
        return made

    def _as_settings(self) -> List[str]:
        return [f"{key}={_setting(value)}" for key, value in self._settings.items()]

    def _as_text(self, sections: Mapping[str, Mapping[str, Any]]) -> bytes:
        """The text of a scenario: a line for each section. Paths become whole ones."""
        whole: Dict[str, Any] = {name: dict(given) if isinstance(given, Mapping) else given
                                 for name, given in sections.items()}
        for key, value in self._settings.items():
            section, name = key.split(".", 1)
            whole.setdefault(section, {})[name] = value
        for section, given in whole.items():
            for name in given if isinstance(given, dict) else ():
                if _kinds().get(f"{section}.{name}") == c.ANL_KEY_PATH:
                    given[name] = os.path.abspath(os.path.join(self._directory, given[name]))
        return "".join(f"{name}: {written(given)}\n" for name, given in whole.items()).encode()

    def _for_command(self, folder: Path, besides: Tuple[str, ...] = ()) -> List[str]:
        """The scenario as arguments of the command, but for keys that it gives itself; a file may be written into the
        folder."""
        if self._source is None or isinstance(self._source, Mapping):
            path = os.path.join(folder, "scenario.yaml")
            with open(path, "wb") as file:
                file.write(self._as_text(self._source or {}))
            return [path]
        settings = [text for text in self._as_settings() if text.split("=")[0] not in besides]
        return [*[f"--set={text}" for text in settings], "--", os.fspath(self._source)]

    def but(self, **settings: Any) -> "Scenario":
        """The same scenario with other values of some keys."""
        return Scenario(self._source, directory=self._directory,
                        **{**self._settings, **{whole_key(key): value for key, value in settings.items()}})

    def __getitem__(self, key: str) -> Any:
        """The value of a key, given or not: a number, a name, a list; None if the key means nothing here."""
        name = whole_key(key)
        if name not in keys():
            raise KeyError(key)
        text = ffi.new("char[4096]")
        c.anl_scenario_setting(self._c, keys().index(name), text, len(text))
        return _value_of(text_of(text))

    def values(self) -> Dict[str, Any]:
        """All keys that mean something here, as "section.key", and their values."""
        return {key: value for key in keys() for value in [self[key]] if value is not None}

    @property
    def text(self) -> str:
        """The scenario as the text of a file."""
        return ffi.buffer(self._c.text, self._c.text_bytes)[:].decode("utf-8", "replace")

    @property
    def _shape(self) -> Any:
        return c.anl_shape_of(ffi.addressof(self._c, "network"))

    @property
    def terminals(self) -> int:
        """How many terminals the network has."""
        return self._shape.terminals

    @property
    def switches(self) -> int:
        """How many switches the network has."""
        return self._shape.switches

    @property
    def links(self) -> int:
        """How many numbers of links there are, some of which may be no link (docs/networks.md)."""
        return self._shape.links

    def link_name(self, link: int) -> str:
        """The name of a link, as in traces and waves: "3(1,0).+0"."""
        text = ffi.new("char[128]")
        c.anl_link_name(ffi.addressof(self._c, "network"), number(link, "link", self.links), text, len(text))
        return text_of(text)

    def lane_name(self, lane: int) -> str:
        """The name of a lane, which has the number link * num_vcs + vc."""
        vcs = self._c.network.num_vcs
        number(lane, "lane", self.links * vcs)
        return f"lane {lane % vcs} of {self.link_name(lane // vcs)}"

    def __reduce__(self):
        return _again, (self._source, self._directory, self._settings)

    def __repr__(self) -> str:
        return f"<Scenario: {self['topology']}, {self.terminals} terminals>"


def _again(source: Any, directory: Any, settings: Dict[str, Any]) -> Scenario:
    return Scenario(source, directory=directory, **settings)


def _value_of(text: str) -> Any:
    """What the library says of a setting, as a value of Python."""
    if not text:
        return None
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    if text.startswith("["):
        items: List[str] = [item.strip() for item in text[1:-1].split(",")]
        return [_value_of(item) for item in items if item]
    named: Optional[bool] = {"true": True, "false": False}.get(text)
    return text if named is None else named


def scenario_of(what: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]) -> Scenario:
    """A scenario of whatever can be one."""
    return what if isinstance(what, Scenario) else Scenario(what)
