# SPDX-License-Identifier: Apache-2.0
"""Scenarios: network, switch, traffic and run of one simulation (docs/scenario.md)."""

from __future__ import annotations

import copy
import json
import math
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


def is_path(key: str) -> bool:
    """Whether a "section.key" has the path of a file as its value."""
    return _kinds().get(key) == c.ANL_KEY_PATH


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
    if isinstance(value, str):  # YAML knows no pairs of surrogates
        return json.dumps(value, ensure_ascii=max(value, default="") < "\U00010000")
    if value is None or isinstance(value, (bool, int)):
        return json.dumps(value)
    if isinstance(value, float):
        return decimal(value, 15)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{written(str(key))}: {written(one)}" for key, one in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(written, value)) + "]"
    for convert in ("tolist", "item"):  # arrays and numbers of NumPy
        if hasattr(value, convert):
            return written(getattr(value, convert)())
    raise TypeError(f"found {value!r}, expected a number, a name, or a list of them")


def decimal(value: float, places: int) -> str:
    """A real number, rounded to so many places, without an exponent, which files and lists of loads do not know."""
    if not math.isfinite(value):
        raise ValueError(f"found {value}, expected a finite number")
    text = f"{value:.{places}f}".rstrip("0")
    text += "0" if text.endswith(".") else ""
    return text if float(text) or not value else repr(value)  # which the library refuses


def whole_keys(settings: Mapping[str, Any]) -> Dict[str, Any]:
    """Settings by "section.key"; each may be there once."""
    whole: Dict[str, Any] = {}
    for name, value in settings.items():
        key = whole_key(name)
        if key in whole:
            raise ValueError(f"{key}: found twice, expected once")
        whole[key] = value
    return whole


def _setting(value: Any) -> str:
    """A value as a setting has it: names without quotes."""
    return str(value) if isinstance(value, (str, os.PathLike)) else written(value)


class Scenario:
    """One simulation. It cannot be changed; but() makes another one.

    source: the path of a scenario file; or a dict of sections, each a dict of keys; or None, and the settings are all.
    settings: values in place of those of the source, by key, with or without the section:
    `Scenario("mesh.yaml", load=0.3)`, `Scenario(topology="mesh", k=4, n=2, load=0.3)`,
    `Scenario({"network": {"topology": "mesh", "k": 4, "n": 2}}, **{"traffic.load": 0.3})`.
    Paths in a file, and in settings that replace values of it, are relative to it; those in a dict, and its settings, to
    directory (the current one). Real numbers are rounded to 15 decimals.

    Raises ArgumentError or FormatError with what was found and what was expected, FileError.
    """

    def __init__(self, source: Union[Path, Mapping[str, Mapping[str, Any]], None] = None, *,
                 directory: Path = "", **settings: Any):
        self._settings: Dict[str, Any] = copy.deepcopy(whole_keys(settings))
        # What but() and the command need later, whatever the caller changes meanwhile.
        if source is None or isinstance(source, Mapping):
            self._source: Any = copy.deepcopy(source)
            self._directory = os.path.abspath(directory)
        elif directory:
            raise ValueError(f"directory: found {directory!r} beside a file, expected none")
        else:
            self._source, self._directory = os.path.abspath(os.fsdecode(source)), ""
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

    @staticmethod
    def _of_settings(settings: Mapping[str, Any]) -> List[str]:
        """Settings as the library takes them."""
        return [f"{key}={_setting(value)}" for key, value in whole_keys(settings).items()]

    def _as_settings(self) -> List[str]:
        return self._of_settings(self._settings)

    def _as_text(self, sections: Mapping[str, Mapping[str, Any]]) -> bytes:
        """The text of a scenario: a line for each section. Paths become whole ones."""
        whole: Dict[str, Any] = {name: dict(given) if isinstance(given, Mapping) else given
                                 for name, given in sections.items()}
        for key, value in self._settings.items():
            section, name = key.split(".", 1)
            whole.setdefault(section, {})[name] = value
        for section, given in whole.items():
            for name in given if isinstance(given, dict) else ():
                if is_path(f"{section}.{name}"):
                    given[name] = self._whole_path(given[name])
        return "".join(f"{name}: {written(given)}\n" for name, given in whole.items()).encode()

    def _whole_path(self, path: Path) -> str:
        """A path of a scenario that is no file."""
        return os.path.abspath(os.path.join(self._directory, path))

    def _varied(self, key: str, values: List[Any]) -> str:
        """Values of a key as the command takes them for a sweep."""
        settings: List[str] = []
        for value in values:
            if self._directory and is_path(key):
                value = self._whole_path(value)
            text = _setting(value)
            if "," in text and isinstance(value, (str, os.PathLike)):
                raise ValueError(f"{key}: found a comma in {text!r}, expected none")
            settings.append(text)
        return ",".join(settings)

    def _as_file(self, folder: Path) -> Tuple[str, List[str]]:
        """The scenario as the path of a file, which may be written into the folder, and settings in place of its values."""
        if self._source is None or isinstance(self._source, Mapping):
            path = os.path.join(folder, "scenario.yaml")
            with open(path, "wb") as file:
                file.write(self._as_text(self._source or {}))
            return path, []
        return self._source, self._as_settings()

    def _for_command(self, folder: Path, besides: Tuple[str, ...] = ()) -> List[str]:
        """The scenario as arguments of the command, but for keys that it gives itself."""
        path, settings = self._as_file(folder)
        return [*[f"--set={text}" for text in settings if text.split("=")[0] not in besides], "--", path]

    def but(self, **settings: Any) -> "Scenario":
        """The same scenario with other values of some keys."""
        return Scenario(self._source, directory=self._directory,
                        **{**self._settings, **whole_keys(settings)})

    def __getitem__(self, key: str) -> Any:
        """The value of a key, given or not: a number, a name, a list; None if the key means nothing here."""
        name = whole_key(key)
        if name not in keys():
            raise KeyError(key)
        text = ffi.new("char[4096]")
        c.anl_scenario_setting(self._c, keys().index(name), text, len(text))
        return value_of(text_of(text))

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

    @property
    def _name(self) -> str:
        """What messages call it."""
        return self._source if isinstance(self._source, str) else repr(self)

    def __reduce__(self):
        return _again, (self._source, self._directory, self._settings)

    def __repr__(self) -> str:
        return f"<Scenario: {self['topology']}, {self.terminals} terminals>"


def _again(source: Any, directory: Any, settings: Dict[str, Any]) -> Scenario:
    return Scenario(source, directory=directory, **settings)


def value_of(text: str) -> Any:
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
        return [value_of(item) for item in items if item]
    named: Optional[bool] = {"true": True, "false": False}.get(text)
    return text if named is None else named


def scenario_of(what: Union[Scenario, Path, Mapping[str, Mapping[str, Any]]]) -> Scenario:
    """A scenario of whatever can be one."""
    return what if isinstance(what, Scenario) else Scenario(what)
