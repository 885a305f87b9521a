"""Arrays in, arrays out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy.typing as npt

from . import _ligament
from ._arrays import Rows, floats, integers, mesh
from ._progress import Progress, watcher
from ._words import warn, words
from .errors import InputError

_T = TypeVar("_T")


class BindResult(Rows):
    """Weights of arrays, and how they came about."""

    __slots__ = ("stages", "warnings")

    #: What was guessed or set right: codes and messages.
    warnings: list[tuple[str, str]]
    #: Where the time went: names and milliseconds.
    stages: dict[str, float]

    def __init__(self, given: _ligament._Given, joint_count: int) -> None:
        arrays, self.warnings, stages = given
        super().__init__(arrays, joint_count)
        self.stages = {stage["name"]: stage["milliseconds"] for stage in json.loads(stages)}


class PreparedBinding:
    """The slow half of a bind, kept: ``weights(falloff=0.5)`` gives new weights at slider speed."""

    def __init__(self, prepared: _ligament.Prepared, joint_count: int) -> None:
        self._prepared = prepared
        self._joint_count = joint_count

    def weights(
        self, *, falloff: float | None = None, progress: Progress = None, threads: int | None = None
    ) -> BindResult:
        """Weights with this falloff, 0 (smooth) to 1 (sharp); the one that was prepared with if none."""
        given = self._prepared.weights(falloff, watcher(progress), threads)
        return BindResult(given, self._joint_count)


def bound(
    arrays: tuple[Any, Any, Any, Any, Sequence[str] | None],
    options: Mapping[str, Any],
    progress: Progress,
    threads: int | None,
) -> BindResult:
    """Binds at once."""
    given, count = _called(_ligament.bind_arrays, arrays, options, progress, threads)
    warn(given[1])
    return BindResult(given, count)


def prepared(
    arrays: tuple[Any, Any, Any, Any, Sequence[str] | None],
    options: Mapping[str, Any],
    progress: Progress,
    threads: int | None,
) -> PreparedBinding:
    """Does the slow half."""
    return PreparedBinding(*_called(_ligament.prepare_arrays, arrays, options, progress, threads))


def _called(
    function: Callable[..., _T],
    arrays: tuple[Any, Any, Any, Any, Sequence[str] | None],
    options: Mapping[str, Any],
    progress: Progress,
    threads: int | None,
) -> tuple[_T, int]:
    vertices, faces, joints, parents, names = arrays
    if joints is None or parents is None:
        raise InputError("joints (J, 3) and parents (J,) are missing")
    points, triangles = mesh(vertices, faces)
    places = floats(joints, "joints", (3,), (4, 4))
    above: npt.NDArray[Any] = integers(parents, "parents", ())
    called = None if names is None else list(names)
    with words(["bind"], ["arrays"], options) as said:
        result = function(points, triangles, places, above, called, said, watcher(progress), threads)
    return result, len(above)
