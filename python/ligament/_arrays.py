"""Arrays of any kind as arrays that Rust reads in place, and bytes of Rust as arrays."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from .errors import InputError

Floats: TypeAlias = npt.NDArray[np.float32]
Doubles: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.uint16]
Faces: TypeAlias = npt.NDArray[np.uint32]

_FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
_INTEGERS = (np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.uint32))


def floats(value: Any, what: str, *shapes: tuple[int, ...]) -> npt.NDArray[Any]:
    """An array of floats of one of these shapes after its first axis; not copied if it is one in C order already."""
    array = np.asarray(value)
    if array.dtype not in _FLOATS or not array.dtype.isnative:
        if array.dtype.kind not in "fiu":
            raise InputError(f"{what} are numbers, not {array.dtype}")
        array = array.astype(np.float64)
    return _shaped(array, what, shapes)


def integers(value: Any, what: str, *shapes: tuple[int, ...]) -> npt.NDArray[Any]:
    """The same for integers."""
    array = np.asarray(value)
    if array.dtype not in _INTEGERS or not array.dtype.isnative:
        if array.dtype.kind not in "iu":
            if array.size:
                raise InputError(f"{what} are whole numbers, not {array.dtype}")
        array = array.astype(np.int64)
    return _shaped(array, what, shapes)


def _shaped(array: npt.NDArray[Any], what: str, shapes: tuple[tuple[int, ...], ...]) -> npt.NDArray[Any]:
    if array.size == 0 and array.ndim == 1:
        array = array.reshape((0, *shapes[0]))
    if array.ndim == 0 or array.shape[1:] not in shapes:
        wanted = " or ".join(str(("N", *shape)).replace("'", "") for shape in shapes)
        raise InputError(f"{what} have the shape {wanted}, not {array.shape}")
    return np.ascontiguousarray(array)


def mesh(vertices: Any, faces: Any) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Vertices (N, 3) and triangles (M, 3) of arrays, or of anything that has ``vertices`` and ``faces``."""
    if faces is None:
        try:
            vertices, faces = vertices.vertices, vertices.faces
        except AttributeError:
            raise InputError("faces are missing; give them, or a mesh with .vertices and .faces") from None
    return floats(vertices, "vertices", (3,)), integers(faces, "faces", (3,))


class Rows:
    """For each vertex at most *k* joints with weights that sum to one, the largest first."""

    __slots__ = ("indices", "joint_count", "weights")

    #: (N, k): the joint of each influence. Unused slots are joint 0 at weight 0.
    indices: Indices
    #: (N, k): how much each follows, 0 to 1.
    weights: Floats
    #: How many joints there are.
    joint_count: int

    def __init__(self, arrays: tuple[bytes, bytes, int], joint_count: int) -> None:
        joints, shares, width = arrays
        self.indices = np.frombuffer(joints, dtype="<u2").reshape(-1, max(width, 1))
        self.weights = np.frombuffer(shares, dtype="<f4").reshape(-1, max(width, 1))
        self.joint_count = joint_count

    def dense(self) -> Floats:
        """The weights as an array (N, J) with a column for each joint."""
        whole = np.zeros((len(self.weights), self.joint_count), dtype=np.float32)
        rows = np.arange(len(self.weights))
        # Unused slots come last and are joint 0 at weight 0: they may only add.
        for slot in range(self.weights.shape[1]):
            whole[rows, self.indices[:, slot]] += self.weights[:, slot]
        return whole
