"""`ligament.batch`: the verb, what its manifests say as a table, and the same on a Ray cluster."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path as LocalPath
from typing import TYPE_CHECKING, Any, TypeAlias

from . import _verbs
from ._words import Path, Texts

if TYPE_CHECKING:
    import pyarrow
    import ray.data

Row: TypeAlias = dict[str, Any]

#: Columns of a table of rows, with their types in Arrow. `row` is the whole line of the manifest.
COLUMNS: dict[str, str] = {
    "key": "string",
    "input": "string",
    "output": "string",
    "status": "string",
    "class": "string",
    "error": "string",
    "attempt": "int32",
    "ended": "int64",
    "milliseconds": "double",
    "peak_mb": "double",
    "warnings": "int32",
    "score": "double",
    "headline": "string",
    "worst_joint": "string",
    "worst_measure": "string",
    "worst_vertex": "int64",
    "output_hash": "string",
    "version": "string",
    "command": "string",
    "row": "string",
}


def rows(folder: Path) -> Iterator[Row]:
    """Every attempt that the manifests of a folder hold, of all shards; a line that a kill cut off is left out."""
    for manifest in sorted(LocalPath(os.fspath(folder)).glob("manifest.*jsonl")):
        with manifest.open("rb") as lines:
            for line in lines:
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if isinstance(row, dict) and "key" in row:
                    yield row


def flat(row: Row) -> Row:
    """A row as columns."""
    measures = row.get("measures") or {}
    worst = measures.get("worst") or {}
    columns: Row = {name: row.get(name) for name in COLUMNS}
    columns.update(
        warnings=len(row.get("warnings", ())),
        score=measures.get("score"),
        headline=measures.get("headline"),
        worst_joint=worst.get("joint"),
        worst_measure=worst.get("measure"),
        worst_vertex=worst.get("vertex"),
        row=json.dumps(row, sort_keys=True),
    )
    return columns


def table(found: Iterable[Row]) -> pyarrow.Table:
    """Rows as a table of Arrow, with the same columns whatever they hold."""
    import pyarrow as arrow

    columns = [flat(row) for row in found]
    types = {name: arrow.type_for_alias(kind) for name, kind in COLUMNS.items()}
    return arrow.table(
        {name: arrow.array([each[name] for each in columns], type=kind) for name, kind in types.items()},
        schema=arrow.schema(list(types.items())),
    )


class Batch:
    """Many assets: ``ligament.batch(folder, output=...)`` on this machine, ``ligament.batch.map(...)`` on many."""

    __call__ = staticmethod(_verbs.batch)

    def rows(self, folder: Path) -> Iterator[Row]:
        """Every attempt that the manifests of a batch's folder hold, also while it runs."""
        return rows(folder)

    def parquet(self, folder: Path, path: Path) -> int:
        """Writes the attempts of a batch as a Parquet file and gives their number. Needs ``pyarrow``.

        A row group holds ten thousand attempts, so memory does not grow with the batch.
        """
        import pyarrow.parquet

        count, waiting = 0, []
        target = os.fspath(path)
        part = f"{target}.part"
        with pyarrow.parquet.ParquetWriter(part, table([]).schema) as writer:
            for row in rows(folder):
                waiting.append(row)
                count += 1
                if len(waiting) == 10_000:
                    writer.write_table(table(waiting))
                    waiting.clear()
            writer.write_table(table(waiting))
        os.replace(part, target)
        return count

    def map(
        self,
        inputs: ray.data.Dataset | Iterable[str | Mapping[str, Any]] | str,
        output: Path,
        *,
        do: str = "bind",
        to: str | None = None,
        arguments: Texts = (),
        timeout: float = 600,
        memory: int | None = None,
        retry: bool = False,
        no_measures: bool = False,
        cpus: int = 1,
        at_once: int | None = None,
        rows_per_task: int = 8,
    ) -> ray.data.Dataset:
        """The same on a Ray cluster: a dataset of rows that is made as it is read. Needs ``ray[data]``.

        inputs: A dataset with a column ``input`` (and, if wanted, ``output`` and ``arguments``), or files, folders,
            or such rows; whatever fsspec opens, such as ``s3://bucket/characters``.
        output: The folder for outputs, ``rows/`` and ``quarantine/``; whatever fsspec opens.
        do: The verb.
        to: The ending of outputs.
        arguments: Words of the command line for the verb; files among them may lie wherever fsspec finds them.
        timeout: The longest that an asset may take, in seconds.
        memory: The most memory that an asset may hold, in MB.
        retry: Try again what failed before.
        no_measures: Do not measure what was bound.
        cpus: Cores for each task.
        at_once: Tasks at once; as many as the cluster has cores for if none.
        rows_per_task: Assets of one task. What a task that was killed had done is not done again.
        """
        from . import ray as on_ray

        words: Sequence[str] = [arguments] if isinstance(arguments, str) else list(arguments)
        work = on_ray.Work(
            output=os.fspath(output),
            do=do,
            to=to,
            arguments=list(words),
            timeout=timeout,
            memory=memory,
            retry=retry,
            no_measures=no_measures,
            cpus=cpus,
        )
        return on_ray.mapped(inputs, work, at_once, rows_per_task)


batch = Batch()
