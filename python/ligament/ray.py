"""A batch on a Ray cluster. It does on many machines what ``ligament batch`` does on one, by calling it.

    import ligament
    rows = ligament.batch.map("s3://bucket/characters", "s3://bucket/bound", arguments=["--method", "voxel"])
    rows.write_parquet("s3://bucket/manifest")

A task takes some assets to a folder of its own, runs the command there, and brings outputs and rows back: an output first,
then its row, as ``rows/KEY.json``. A row that is there is not done again, so what a lost machine had done stays done and the
rest is done by others. A task never raises; what goes wrong is in its rows.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _ligament
from ._batch import Row, rows, table

if TYPE_CHECKING:
    import pyarrow
    import ray.data

Inputs: TypeAlias = "ray.data.Dataset | Iterable[str | Mapping[str, Any]] | str"

#: Endings of what may be an asset by itself, in a folder.
_MODELS = tuple(
    ".glb .gltf .vrm .fbx .usd .usda .usdc .usdz .dae .iqm .md5mesh .obj .off .ply .stl .mesh".split()
)


@dataclass(frozen=True)
class Work:
    """What is done with each asset."""

    output: str
    do: str
    to: str | None
    arguments: list[str]
    timeout: float
    memory: int | None
    retry: bool
    no_measures: bool
    cpus: int


@dataclass
class _Asset:
    """One asset of a task."""

    input: str
    output: str
    arguments: list[str]
    local: str = ""
    key: str = ""
    row: Row | None = None

    def failed(self, error_class: str, error: object) -> None:
        """Ends it with a row that says why."""
        self.row = {
            "key": self.key,
            "input": self.input,
            "output": self.output,
            "status": "failed",
            "class": error_class,
            "error": str(error),
            "attempt": 1,
            "ended": int(time.time()),
            "milliseconds": 0.0,
            "version": _ligament.VERSION,
            "command": "",
        }


class _Store:
    """A folder, wherever fsspec finds it."""

    def __init__(self, url: str) -> None:
        import fsspec

        self.fs, self.root = fsspec.core.url_to_fs(url)
        self.is_local = "file" in _protocols(self.fs)

    def path(self, name: str) -> str:
        """Where a file of that name below the folder is."""
        return str(PurePosixPath(self.root) / name)

    def read(self, name: str) -> bytes | None:
        """The bytes of a file; none if there is no such file."""
        try:
            content = self.fs.cat_file(self.path(name))
        except FileNotFoundError:
            return None
        return bytes(content)

    def exists(self, name: str) -> bool:
        """Whether a file is there."""
        return bool(self.fs.exists(self.path(name)))

    def put(self, local: Path, name: str) -> None:
        """A file whole or not at all: object stores do so by themselves, a file system by a rename."""
        target = self.path(name)
        if not self.is_local:
            self.fs.put_file(str(local), target)
            return
        folder, last = os.path.split(target)
        os.makedirs(folder, exist_ok=True)
        part = os.path.join(folder, f".{last}.{os.getpid()}.part")
        shutil.copyfile(local, part)
        os.replace(part, target)


def _protocols(fs: Any) -> tuple[str, ...]:
    return (fs.protocol,) if isinstance(fs.protocol, str) else tuple(fs.protocol)


def mapped(inputs: Inputs, work: Work, at_once: int | None, rows_per_task: int) -> ray.data.Dataset:
    """A dataset of rows; see ``ligament.batch.map``."""
    import ray.data

    if not isinstance(inputs, ray.data.Dataset):
        listed = [inputs] if isinstance(inputs, str) else list(inputs)
        items = [row for each in listed for row in _found(each)]
        for item in items:
            item["arguments"] = json.dumps(list(item.get("arguments", ())))
            item.setdefault("output", "")
        tasks = max(1, -(-len(items) // rows_per_task))
        inputs = ray.data.from_items(items, override_num_blocks=tasks)
    return inputs.map_batches(
        functools.partial(_task, work=work),
        batch_size=rows_per_task,
        batch_format="pyarrow",
        num_cpus=work.cpus,
        concurrency=at_once,
    )


def _found(given: str | Mapping[str, Any]) -> list[Row]:
    """A file as it is, and every model of a folder with its path below that folder as its output's."""
    import fsspec

    if not isinstance(given, str):
        return [dict(given)]
    if given.startswith("sample:"):
        return [{"input": given}]
    fs, root = fsspec.core.url_to_fs(given)
    if not fs.isdir(root):
        return [{"input": given}]
    models = sorted(path for path in fs.find(root) if path.lower().endswith(_MODELS))
    relative = [str(PurePosixPath(path).relative_to(root)) for path in models]
    # On another machine a path that is not whole means another file.
    base = str(PurePosixPath(root)) if "file" in _protocols(fs) else given.rstrip("/")
    return [{"input": f"{base}/{below}", "below": below} for below in relative]


def _task(batch: pyarrow.Table, work: Work) -> pyarrow.Table:
    """Rows in, rows out; never raises."""
    assets = [_asset(item, work) for item in batch.to_pylist()]
    try:
        with tempfile.TemporaryDirectory(prefix="ligament-") as folder:
            _do(assets, work, Path(folder))
    except Exception as error:
        for asset in assets:
            if asset.row is None:
                asset.failed("crash", error)
    return table(asset.row for asset in assets if asset.row is not None)


def _asset(item: Row, work: Work) -> _Asset:
    given = item.get("arguments") or "[]"
    arguments = [str(each) for each in (json.loads(given) if isinstance(given, str) else given)]
    asset = _Asset(str(item["input"]), str(item.get("output") or ""), arguments)
    try:
        if not asset.output:
            name = asset.input.removeprefix("sample:").replace("@", "_") + ".glb"
            below = name if asset.input.startswith("sample:") else PurePosixPath(asset.input).name
            asset.output = os.fspath(_ligament.batch_output(item.get("below") or below, work.do, work.to))
        if PurePosixPath(asset.output).is_absolute() or ".." in PurePosixPath(asset.output).parts:
            raise ValueError(f"the output must stay below the batch's folder: {asset.output}")
    except ValueError as error:
        asset.failed("usage", error)
    return asset


def _do(assets: list[_Asset], work: Work, folder: Path) -> None:
    store = _Store(work.output)
    shared, shared_of_key = _words(work.arguments, folder / "shared")
    for number, asset in enumerate(assets):
        if asset.row is not None:
            continue
        try:
            local = folder / "in" / str(number)
            asset.local = _fetched(asset.input, local, with_companions=True)
            own, own_of_key = _words(asset.arguments, local / "arguments")
            asset.arguments = [*shared, *own]
            asset.key = _ligament.batch_key(asset.local, asset.output, work.do, [*shared_of_key, *own_of_key])
            asset.row = _settled(store, asset, work.retry)
        except Exception as error:
            asset.failed("input", f"{type(error).__name__}: {error}")
    waiting = [asset for asset in assets if asset.row is None]
    if waiting:
        _run(waiting, work, folder)
    for asset in waiting:
        _bring_back(asset, store, folder / "out")


def _settled(store: _Store, asset: _Asset, retry: bool) -> Row | None:
    """The row of an asset that needs nothing done."""
    known = store.read(f"rows/{asset.key}.json")
    if known is None:
        return None
    row: Row = json.loads(known)
    done = row["status"] == "done"
    return row if (done and store.exists(asset.output)) or not (done or retry) else None


def _fetched(word: str, folder: Path, *, with_companions: bool = False) -> str:
    """A file that is not on this machine, brought here; other words as they are."""
    if "://" not in word:
        return os.path.abspath(word) if with_companions and not word.startswith("sample:") else word
    import fsspec

    fs, path = fsspec.core.url_to_fs(word)
    folder.mkdir(parents=True, exist_ok=True)
    local = folder / PurePosixPath(path).name
    fs.get_file(path, str(local))
    for name in _ligament.named_files(local) if with_companions else ():
        beside = folder / name
        if not beside.resolve().is_relative_to(folder.resolve()):
            continue  # it climbs out of its folder; whoever opens the model says so
        try:
            beside.parent.mkdir(parents=True, exist_ok=True)
            fs.get_file(str(PurePosixPath(path).parent / name), str(beside))
        except FileNotFoundError:
            continue  # likewise
    return str(local)


def _words(words: list[str], folder: Path) -> tuple[list[str], list[str]]:
    """Arguments with their files brought here, and as a key has them: not by where they lie here, but by what they hold."""
    here = [_fetched(word, folder / str(k)) for k, word in enumerate(words)]
    of_key = [
        word if word == local else f"{word} {hashlib.sha256(Path(local).read_bytes()).hexdigest()}"
        for word, local in zip(words, here, strict=True)
    ]
    return here, of_key


def _run(assets: list[_Asset], work: Work, folder: Path) -> None:
    """Runs the command over assets that are here."""
    listed = folder / "list.jsonl"
    with listed.open("w") as lines:
        for asset in assets:
            line = {"input": asset.local, "output": asset.output, "arguments": asset.arguments}
            lines.write(json.dumps(line) + "\n")
    command = [sys.executable, "-m", "ligament", "batch", f"@{listed}", "--output", str(folder / "out")]
    command += ["--do", work.do, "--timeout", str(work.timeout), "--threads", str(work.cpus), "--quiet"]
    command += ["--memory", str(work.memory)] if work.memory is not None else []
    command += ["--no-measures"] if work.no_measures else []
    ended = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = {row["output"]: row for row in rows(folder / "out")}
    for asset in assets:
        asset.row = found.get(asset.output)
        if asset.row is None:
            asset.failed("crash" if ended.returncode in (0, 1) else "usage", ended.stderr.strip()[-2000:])


def _bring_back(asset: _Asset, store: _Store, out: Path) -> None:
    """An output, then its row: a row says that its output is there."""
    row = asset.row
    assert row is not None
    row["command"] = row["command"].replace(str(out / asset.output), store.path(asset.output))
    row["command"] = row["command"].replace(asset.local, asset.input)
    row["input"], row["key"] = asset.input, asset.key
    try:
        if row["status"] == "done":
            made = out / asset.output
            # A model may have files beside it, named after it.
            beside = [each for each in made.parent.iterdir() if each.is_file() and each.stem.startswith(made.stem)]
            for file in sorted(beside, key=lambda each: each == made):
                store.put(file, str(PurePosixPath(asset.output).parent / file.name))
        else:
            kept = out / "quarantine" / asset.output
            for name in ("log.txt", "command.txt"):
                if (kept / name).is_file():
                    store.put(kept / name, f"quarantine/{asset.output}/{name}")
        line = out / f"{asset.key}.json"
        line.write_text(json.dumps(row, sort_keys=True) + "\n")
        store.put(line, f"rows/{asset.key}.json")
    except Exception as error:
        asset.failed("write", f"{type(error).__name__}: {error}")


def write_manifest(done: ray.data.Dataset, folder: str) -> int:
    """Writes the rows of a dataset as a manifest that ``ligament batch report`` reads, and gives their number."""
    path = Path(folder) / "manifest.ray.jsonl"
    part = path.with_name(f".{path.name}.part")
    count = 0
    with part.open("w") as lines:
        for row in done.iter_rows():
            lines.write(row["row"] + "\n")
            count += 1
    os.replace(part, path)
    return count
