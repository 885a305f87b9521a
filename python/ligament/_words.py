"""Keyword arguments as words of the command line, which has the names, defaults and messages."""

from __future__ import annotations

import json
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from .errors import LigamentWarning

Path: TypeAlias = str | os.PathLike[str]
#: One word or several.
Texts: TypeAlias = str | Sequence[str]
#: Numbers for joints by name or glob; a number alone is for all.
JointValues: TypeAlias = float | str | Sequence[str] | Mapping[str, float]
#: A JSON file, or what would be in it.
Json: TypeAlias = Path | Sequence[Mapping[str, Any]] | Mapping[str, Any]


@contextmanager
def words(verb: Sequence[str], places: Sequence[str], options: Mapping[str, Any]) -> Iterator[list[str]]:
    """The words for a verb; files of JSON that were given as values last as long as the context."""
    with tempfile.TemporaryDirectory(prefix="ligament-") if _has_json(options) else _nothing() as folder:
        said = list(verb)
        for name, value in options.items():
            said.extend(_option(name.rstrip("_").replace("_", "-"), value, folder))
        # What does not begin with a dash could still be a name that does.
        yield [*said, "--", *places]


@contextmanager
def _nothing() -> Iterator[str]:
    yield ""


def _is_json(value: Any) -> bool:
    if isinstance(value, Mapping):
        return not all(isinstance(v, (int, float)) for v in value.values())
    return isinstance(value, (list, tuple)) and any(isinstance(v, Mapping) for v in value)


def _has_json(options: Mapping[str, Any]) -> bool:
    return any(_is_json(value) for value in options.values())


def json_file(value: Any, folder: str, name: str) -> str:
    """A file that holds a value."""
    path = os.path.join(folder, f"{name}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)
    return path


def _option(name: str, value: Any, folder: str) -> list[str]:
    if value is None or value is False:
        return []
    if value is True:
        return [f"--{name}"]
    if _is_json(value):
        return [f"--{name}={json_file(value, folder, name)}"]
    if isinstance(value, Mapping):
        return [f"--{name}={key}={number}" for key, number in value.items()]
    if isinstance(value, (str, bytes, os.PathLike)):
        return [f"--{name}={os.fsdecode(value)}"]
    if hasattr(value, "__iter__"):
        items = [os.fsdecode(v) if isinstance(v, (str, bytes, os.PathLike)) else str(v) for v in value]
        if name in _JOINED:
            return [f"--{name}={_JOINED[name].join(items)}"]
        return [f"--{name}={item}" for item in items]
    return [f"--{name}={value}"]


#: Options that take several numbers as one word.
_JOINED = {"root": ",", "view": ",", "size": "x"}


def _is(value: Any, usual: Any) -> bool:
    return type(value) in (str, int, float) and bool(value == usual)


def changed(options: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The options that are not as usual."""
    return {name: value for name, value in options.items() if name not in usual or not _is(value, usual[name])}


def warn(found: Sequence[tuple[str, str]], level: int = 4) -> None:
    """Warns of what was guessed or set right, each with its code."""
    for code, message in found:
        warnings.warn(LigamentWarning(code, message), stacklevel=level)
