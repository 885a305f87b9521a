"""A field of weights: fitted once, evaluated anywhere."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _ligament
from ._arrays import Rows, floats
from ._progress import Progress, watcher
from ._words import Path


class Field:
    """Weights as a function of the place: ``field(points)``. See ``Character.fit_field`` and ``Field.open``."""

    def __init__(self, field: _ligament.Field, report: Any = None) -> None:
        self._field = field
        #: How the fit went.
        self.report: Any = report

    @classmethod
    def open(cls, field: Path) -> Field:
        """Reads a .cells file."""
        return cls(_ligament.Field.open(os.fspath(field)))

    def save(self, output: Path) -> None:
        """Writes a .cells file."""
        self._field.save(os.fspath(output))

    def info(self) -> dict[str, Any]:
        """What is in it: cells, sites, joints, falloffs, its place and size."""
        told: dict[str, Any] = json.loads(self._field.info())
        return told

    @property
    def joint_names(self) -> list[str]:
        """The joints that its weights are numbered by."""
        names: list[str] = self.info()["joints"]
        return names

    def __call__(self, points: Any, *, progress: Progress = None, threads: int | None = None) -> Rows:
        """Weights at points (N, 3) of bind space."""
        arrays = self._field.weights_at(floats(points, "points", (3,)), watcher(progress), threads)
        return Rows(arrays, len(self.joint_names))
