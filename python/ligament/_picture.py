"""A picture that a notebook shows."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ._words import Path


class Picture:
    """A picture: ``pixels`` (height, width, 4) of red, green, blue and alpha, 0 to 255. ``numpy.asarray`` takes it."""

    def __init__(self, width: int, height: int, pixels: bytes, *, legends: Sequence[str] = ()) -> None:
        self.pixels: npt.NDArray[np.uint8] = np.frombuffer(pixels, dtype=np.uint8).reshape(height, width, 4)
        #: What it shows, in words.
        self.legends = list(legends)

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.uint8]:
        return np.array(self.pixels, dtype=dtype) if copy or dtype is not None else self.pixels

    def save(self, path: Path) -> None:
        """Writes it as PNG."""
        with open(path, "wb") as file:
            file.write(self._repr_png_())

    def _repr_png_(self) -> bytes:
        height, width, _ = self.pixels.shape
        rows = np.concatenate([np.zeros((height, 1), np.uint8), self.pixels.reshape(height, -1)], axis=1)
        header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
        chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 6)), (b"IEND", b""))
        packed = (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
        )
        return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
