"""A character: a file of any format, a sample, or arrays."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import _ligament
from ._arrays import Doubles, Faces, Floats, Indices, Rows, floats, integers, mesh
from ._field import Field
from ._picture import Picture
from ._progress import Progress, watcher
from ._verbs import Verbs
from ._words import Path, Texts, warn, words
from .errors import InputError, OptionError

#: Stands for the character itself where the command line has a file.
_ITSELF = "character"


def open(  # noqa: A001 - as the builtin: it opens a file
    input: Path,  # noqa: A002 - what the command line calls it
    *,
    scene: str | int | None = None,
    skeleton: Path | None = None,
    motion: Path | None = None,
    fit: bool = False,
    up: str | None = None,
    unit: str | None = None,
    scale: float | None = None,
    progress: Progress = None,
    threads: int | None = None,
) -> Character:
    """Opens a file of any format, or ``sample:NAME`` for a character made by code.

    scene: Of a glTF file with several scenes, take the one of this name or number.
    skeleton: Take the skeleton from this file.
    motion: Take clips from this file, by the names of its joints.
    fit: Bring a skeleton in other units, with another axis up or in another place to the mesh.
    up: Which way is up in a file that does not say: y or z.
    unit: What a file that does not say counts lengths in: mm, cm, m, in or ft.
    scale: A factor on all lengths of a file that does not say what they are.
    """
    asset = _ligament.Asset.open(
        os.fspath(input),
        None if scene is None else str(scene),
        None if skeleton is None else os.fspath(skeleton),
        None if motion is None else os.fspath(motion),
        fit,
        up,
        unit,
        scale,
        watcher(progress),
        threads,
    )
    warn(asset.warnings(), 3)
    return Character(asset)


class Frame(NamedTuple):
    """One pose that a check measures in."""

    #: What a person calls it.
    name: str
    #: The clip that it is from; ``None`` in a range of motion.
    clip: str | None
    #: The time in that clip, in seconds.
    seconds: float | None
    #: (J, 4, 4): for each joint what moves skin from where it was bound.
    matrices: Doubles


class Character(Verbs):
    """A mesh, perhaps with a skeleton, weights and clips.

    It never changes: what a verb makes of it is a new one. Lengths are in the file's own units, vertices in its own number
    and order.
    """

    def __init__(self, asset: _ligament.Asset, report: Any = None) -> None:
        self._asset = asset
        self._rows: Rows | None = None
        #: What the verb that made it has to say.
        self.report: Any = report

    @classmethod
    def from_arrays(
        cls,
        vertices: Any,
        faces: Any = None,
        joints: Any = None,
        parents: Any = None,
        *,
        names: Sequence[str] | None = None,
        indices: Any = None,
        weights: Any = None,
        parts: Sequence[tuple[str, int, int]] = (),
        clips: Mapping[str, tuple[Any, Any]] | None = None,
        name: str = "arrays",
    ) -> Character:
        """A character from arrays.

        vertices: (N, 3), or anything with ``.vertices`` and ``.faces``.
        faces: (M, 3), indices of vertices.
        joints: (J, 3) positions, or (J, 4, 4) matrices from joints to bind space.
        parents: (J,), -1 for a root, in any order.
        names: Of the joints.
        indices, weights: (N, k), the joints that each vertex follows and how much.
        parts: Name, number of vertices and number of faces of each part, in order.
        clips: For each name times in seconds (K,) and matrices from joints to the world (K, J, 4, 4).
        """
        points, triangles = mesh(vertices, faces)
        rig = None
        if joints is not None:
            if parents is None:
                raise InputError("joints want parents, -1 for a root")
            rig = (
                floats(joints, "joints", (3,), (4, 4)),
                integers(parents, "parents", ()),
                None if names is None else list(names),
            )
        bound = None
        if weights is not None:
            shares = np.ascontiguousarray(np.asarray(weights, dtype=np.float32))
            bound = (np.ascontiguousarray(np.asarray(indices).astype(np.int64)), shares)
        moves = [
            (clip, floats(times, "times", ()), np.ascontiguousarray(np.asarray(matrices, dtype=np.float64)))
            for clip, (times, matrices) in (clips or {}).items()
        ]
        return cls(_ligament.Asset.from_arrays(name, points, triangles, list(parts), rig, bound, moves))

    @property
    def name(self) -> str:
        """Its name, from its file."""
        return self._asset.name()

    @property
    def vertices(self) -> Floats:
        """(N, 3): where its vertices are in bind space."""
        return np.frombuffer(self._asset.vertices(), dtype="<f4").reshape(-1, 3)

    @property
    def faces(self) -> Faces:
        """(M, 3): its triangles."""
        return np.frombuffer(self._asset.faces(), dtype="<u4").reshape(-1, 3)

    @property
    def joint_names(self) -> list[str]:
        """The names of its joints, parents before their children. Weights are numbered so."""
        return [joint[0] for joint in self._asset.joints()]

    @property
    def parents(self) -> npt.NDArray[np.int64]:
        """(J,): the index of each joint's parent, -1 for a root."""
        return np.array([joint[1] for joint in self._asset.joints()], dtype=np.int64)

    @property
    def joint_matrices(self) -> Doubles:
        """(J, 4, 4): from each joint to bind space."""
        return np.frombuffer(self._asset.joint_matrices(), dtype="<f8").reshape(-1, 4, 4)

    @property
    def joints(self) -> Doubles:
        """(J, 3): where its joints are in bind space."""
        return self.joint_matrices[:, :3, 3]

    @property
    def in_skin(self) -> npt.NDArray[np.bool_]:
        """(J,): whether skin can follow each joint. Others are plain nodes of the file that move joints."""
        return np.array([joint[2] for joint in self._asset.joints()], dtype=bool)

    def arrays(self) -> dict[str, Any]:
        """What ``ligament.bind`` takes: vertices, faces, and of the joints that skin can follow matrices, parents and names."""
        parents, in_skin = self.parents, self.in_skin
        number = np.cumsum(in_skin) - 1
        above = []
        for joint in np.flatnonzero(in_skin):
            parent = parents[joint]
            while parent >= 0 and not in_skin[parent]:
                parent = parents[parent]
            above.append(-1 if parent < 0 else int(number[parent]))
        return {
            "vertices": self.vertices,
            "faces": self.faces,
            "joints": self.joint_matrices[in_skin],
            "parents": np.array(above, dtype=np.int64),
            "names": [name for name, inside in zip(self.joint_names, in_skin, strict=True) if inside],
        }

    @property
    def parts(self) -> list[str]:
        """The names of its parts."""
        return [part[0] for part in self._asset.parts()]

    @property
    def clips(self) -> dict[str, float]:
        """Its clips and how long they are, in seconds."""
        return dict(self._asset.clips())

    def check_frames(self, *, clip: str | None = None, poses: str = "auto", frames: int = 40) -> list[Frame]:
        """The frames that ``check`` with the same options measures in, in the order of its numbers."""
        options = {"clip": clip, "poses": poses, "frames": frames}
        with words(["check"], [_ITSELF], options) as said:
            found = self._asset.check_frames(said)
        return [
            Frame(name, of, seconds, np.frombuffer(matrices, dtype="<f8").reshape(-1, 4, 4))
            for name, of, seconds, matrices in found
        ]

    @property
    def has_weights(self) -> bool:
        """Whether it has weights."""
        return self._asset.weights() is not None

    def _bound(self) -> Rows:
        if self._rows is None:
            arrays = self._asset.weights()
            if arrays is None:
                raise InputError(f"'{self.name}' has no weights; bind it first")
            self._rows = Rows(arrays, len(self._asset.joints()))
        return self._rows

    @property
    def indices(self) -> Indices:
        """(N, k): the joints that each vertex follows, the most important first."""
        return self._bound().indices

    @property
    def weights(self) -> Floats:
        """(N, k): how much, with a sum of one for each vertex."""
        return self._bound().weights

    def dense(self) -> Floats:
        """The weights as an array (N, J) with a column for each joint."""
        return self._bound().dense()

    def save(
        self,
        output: Path,
        *,
        weights: Path | None = None,
        store: str = "keep",
        compact: bool = False,
        vrm_name: str | None = None,
        vrm_author: Texts = (),
        vrm_version: str | None = None,
        vrm_copyright: str | None = None,
        vrm_term: Texts = (),
        progress: Progress = None,
        threads: int | None = None,
    ) -> None:
        """Writes it: .glb, .gltf, .vrm, .fbx, .usda, .usdc, or its weights or skeleton alone, by the name's ending.

        weights: Take the weights from this file: .xml, .json, .csv, .npz, .txt or .dmat.
        store: How weights are stored: keep, f32, u16 or u8.
        compact: Leave out of a glTF file the bytes that nothing in it refers to.
        vrm_name: What a .vrm calls the avatar; the character's name if none.
        vrm_author: Who made the avatar of a .vrm.
        vrm_version: The version of the avatar of a .vrm.
        vrm_copyright: Whose rights the avatar of a .vrm is under.
        vrm_term: What may be done with the avatar of a .vrm, by VRM's own words, as "commercialUsage=corporation".
        """
        authors = [vrm_author] if isinstance(vrm_author, str) else list(vrm_author)
        options = ["--compact"] if compact else []
        options += [] if weights is None else [f"--weights={os.fspath(weights)}"]
        options += [f"--vrm-author={author}" for author in authors]
        terms = [vrm_term] if isinstance(vrm_term, str) else list(vrm_term)
        options += [f"--vrm-term={term}" for term in terms]
        single = {"name": vrm_name, "version": vrm_version, "copyright": vrm_copyright}
        options += [f"--vrm-{key}={value}" for key, value in single.items() if value is not None]
        self._asset.save(os.fspath(output), store, options, watcher(progress), threads)

    def __repr__(self) -> str:
        bound = "with weights" if self.has_weights else "without weights"
        return (
            f"<ligament.Character {self.name!r}: {len(self.vertices)} vertices, {len(self._asset.joints())} joints, {bound}>"
        )

    def _repr_png_(self) -> bytes:
        return self.render(size="480x640")._repr_png_()

    def _run(
        self,
        verb: Sequence[str],
        places: Sequence[str],
        options: Mapping[str, Any],
        progress: Progress,
        threads: int | None,
        others: Sequence[Character] = (),
    ) -> _ligament._Outcome:
        with words(verb, places, options) as said:
            outcome = self._asset.run(said, [other._asset for other in others], watcher(progress), threads)
        warn(outcome[1], 5)
        return outcome

    def _one(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Character:
        report, _, [asset], *_ = self._run([verb], [_ITSELF], options, progress, threads)
        return Character(asset, json.loads(report))

    def _report(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> dict[str, Any]:
        report: dict[str, Any] = json.loads(self._run([verb], [_ITSELF], options, progress, threads)[0])
        return report

    def _scripted(
        self, verb: str, script: Any, options: Mapping[str, Any], progress: Progress, threads: int | None
    ) -> Character:
        from tempfile import TemporaryDirectory

        from ._words import json_file

        with TemporaryDirectory(prefix="ligament-") as folder:
            file = os.fspath(script) if isinstance(script, (str, os.PathLike)) else json_file(list(script), folder, "script")
            report, _, [asset], *_ = self._run([verb], [_ITSELF, file], options, progress, threads)
        return Character(asset, json.loads(report))

    def _tools(
        self, verb: str, verbs: Any, options: Mapping[str, Any], progress: Progress, threads: int | None
    ) -> Character:
        named = verbs if isinstance(verbs, str) else ",".join(verbs)
        report, _, [asset], *_ = self._run([verb], [named, _ITSELF], options, progress, threads)
        return Character(asset, json.loads(report))

    def _given(
        self, verb: str, others: Any, options: Mapping[str, Any], progress: Progress, threads: int | None
    ) -> list[Character]:
        several = [others] if isinstance(others, (Character, str, os.PathLike)) else list(others)
        targets = [each if isinstance(each, Character) else open(each) for each in several]
        if len(targets) > 1 and options.get("output") is not None:
            raise OptionError("output is one file; save several characters one by one")
        names = [_ITSELF, *(f"target{number}" for number in range(len(targets)))]
        report, _, assets, *_ = self._run([verb], names, options, progress, threads, targets)
        told = json.loads(report)
        each = told.get("targets", told.get("levels"))
        return [Character(asset, part) for asset, part in zip(assets, each, strict=True)]

    def _picture(
        self, verb: str, others: Any, options: Mapping[str, Any], progress: Progress, threads: int | None
    ) -> Picture:
        beside = [each if isinstance(each, Character) else open(each) for each in others]
        names = [_ITSELF, *(f"beside{number}" for number in range(len(beside)))]
        report, *_, picture, _ = self._run([verb], names, options, progress, threads, beside)
        assert picture is not None
        return Picture(*picture, legends=json.loads(report))

    def _posed(
        self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None
    ) -> tuple[Floats, Floats]:
        skin = self._run([verb], [_ITSELF], options, progress, threads)[5]
        assert skin is not None
        positions, normals = (np.frombuffer(part, dtype="<f4").reshape(-1, 3) for part in skin)
        return positions, normals

    def _field(self, verb: str, options: Mapping[str, Any], progress: Progress, threads: int | None) -> Field:
        outcome = self._run(["field", verb], [_ITSELF], options, progress, threads)
        assert outcome[3] is not None
        return Field(outcome[3], json.loads(outcome[0]))
