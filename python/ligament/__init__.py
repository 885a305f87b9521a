"""Binds skin to bone: give it a character mesh, however broken, and it returns a rig that animates.

Arrays in, arrays out::

    result = ligament.bind(vertices, faces, joints, parents)
    result.indices, result.weights        # (N, 4) and (N, 4)

Files of any format::

    hero = ligament.open("hero.glb")
    bound = hero.bind(method="voxel", falloff=0.4)
    bound.check()["headline"]
    bound.save("bound.glb")
"""

from __future__ import annotations

import json
from typing import Any

from . import _ligament, errors
from ._arrays import Rows
from ._batch import batch
from ._bind import BindResult, PreparedBinding
from ._character import Character, Frame, open
from ._field import Field
from ._picture import Picture
from ._session import EditSession
from ._verbs import batch_report, bench, bind, prepare, studio
from .errors import Cancelled, FileError, InputError, LigamentError, LigamentWarning, OptionError

__version__: str = _ligament.VERSION

__all__ = [
    "BindResult",
    "Cancelled",
    "Character",
    "EditSession",
    "Field",
    "FileError",
    "Frame",
    "InputError",
    "LigamentError",
    "LigamentWarning",
    "OptionError",
    "Picture",
    "PreparedBinding",
    "Rows",
    "__version__",
    "batch",
    "batch_report",
    "bench",
    "bind",
    "errors",
    "open",
    "prepare",
    "samples",
    "studio",
]


def samples() -> list[dict[str, Any]]:
    """Characters made by code: ``ligament.open("sample:knight")``."""
    listed: list[dict[str, Any]] = json.loads(_ligament.samples())
    return listed
