"""Batches: their rows as tables, and the same on a Ray cluster of two nodes, one of which is killed."""

from __future__ import annotations

import json
import os
import re
import threading
import time
from pathlib import Path

import ligament
import pytest

METHOD = ["--method", "closest"]


def _sample(folder: Path, name: str, sample: str = "sample:tube@200") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    ligament.open(sample).save(folder / name)
    return folder / name


def test_rows_of_shards_become_one_parquet_file(tmp_path):
    import pyarrow.parquet

    characters, out = tmp_path / "characters", tmp_path / "out"
    for k in range(3):
        _sample(characters, f"{k}.glb", f"sample:tube@{200 + k}")
    (characters / "broken.glb").write_bytes(b"glTF and no more")
    for shard in ("1/2", "2/2"):
        ligament.batch(characters, output=out, shard=shard, arguments=METHOD)
    rows = list(ligament.batch.rows(out))
    assert sorted(row["output"] for row in rows) == ["0.glb", "1.glb", "2.glb", "broken.glb"]
    assert ligament.batch.parquet(out, tmp_path / "rows.parquet") == 4
    table = pyarrow.parquet.read_table(tmp_path / "rows.parquet")
    found = {row["output"]: row for row in table.to_pylist()}
    assert found["broken.glb"]["class"] == "input" and found["broken.glb"]["score"] is None
    assert found["0.glb"]["status"] == "done" and found["0.glb"]["score"] >= 0
    assert json.loads(found["1.glb"]["row"]) in rows
    assert not (tmp_path / "rows.parquet.part").exists()


@pytest.fixture(scope="module")
def cluster():
    """Two nodes on this machine, and an object store that they see."""
    import ray
    import ray.cluster_utils
    import ray.data
    from moto.server import ThreadedMotoServer

    store = ThreadedMotoServer(port=0)
    store.start()
    host, port = store.get_host_and_port()
    os.environ.update(
        RAY_USAGE_STATS_ENABLED="0",
        FSSPEC_S3_ENDPOINT_URL=f"http://{host}:{port}",
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
        AWS_ACCESS_KEY_ID="test",
        AWS_SECRET_ACCESS_KEY="test",
        AWS_DEFAULT_REGION="us-east-1",
    )
    made = ray.cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = made.add_node(num_cpus=1)
    made.wait_for_nodes()
    ray.init(address=made.address, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield made, second
    ray.shutdown()
    made.shutdown()
    store.stop()


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_does_what_one_machine_does_and_a_killed_node_loses_nothing(tmp_path, cluster):
    made, second = cluster
    characters, out, alone = tmp_path / "characters", tmp_path / "out", tmp_path / "alone"
    for k in range(10):
        _sample(characters / f"{k % 2}", f"{k}.glb", f"sample:tube@{200 + 10 * k}")
    (characters / "broken.glb").write_bytes(b"glTF and no more")

    def kill() -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until and len(list(out.glob("rows/*.json"))) < 2:
            time.sleep(0.05)
        made.remove_node(second, allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    rows = ligament.batch.map(str(characters), out, arguments=METHOD, no_measures=True, rows_per_task=1).materialize()
    killer.join()
    found = {row["output"]: row for row in rows.iter_rows()}
    assert len(found) == rows.count() == 11
    assert ligament.batch(characters, output=alone, arguments=METHOD, no_measures=True) == 1
    for row in ligament.batch.rows(alone):
        same = found[row["output"]]
        assert (same["status"], same["class"], same["key"]) == (row["status"], row.get("class"), row["key"])
        if row["status"] == "done":
            assert (out / row["output"]).read_bytes() == (alone / row["output"]).read_bytes()
    assert (out / "quarantine" / "broken.glb" / "log.txt").is_file()
    assert not [path for path in out.rglob("*") if path.name.endswith(".part")]

    # Run again, nothing is done: not a byte of an output changes.
    before = {path: path.stat().st_mtime_ns for path in out.rglob("*.glb")}
    again = ligament.batch.map(str(characters), out, arguments=METHOD, no_measures=True).materialize()
    assert sorted(row["row"] for row in again.iter_rows()) == sorted(row["row"] for row in rows.iter_rows())
    assert before == {path: path.stat().st_mtime_ns for path in out.rglob("*.glb")}

    # And `batch report` reads it.
    from ligament import ray as on_ray

    assert on_ray.write_manifest(again, str(out)) == 11
    assert ligament.batch_report(out) == 1


@pytest.mark.filterwarnings("ignore")
def test_an_object_store_is_read_and_written(tmp_path, cluster):
    import fsspec

    store = fsspec.filesystem("s3")
    store.mkdir("bucket")
    model = _sample(tmp_path / "characters", "tube.gltf")
    assert len(list(model.parent.iterdir())) == 2  # a model and its buffer
    for file in model.parent.iterdir():
        store.put_file(str(file), f"bucket/characters/a/{file.name}")
    (row,) = ligament.batch.map("s3://bucket/characters", "s3://bucket/out", arguments=METHOD, no_measures=True).take_all()
    assert (row["status"], row["error"], row["input"]) == ("done", None, "s3://bucket/characters/a/tube.gltf")
    assert row["output"] == "a/tube.gltf" and "s3://bucket" in row["command"]
    store.invalidate_cache()
    store.get("bucket/out/a/", str(tmp_path / "back/"), recursive=True)
    assert ligament.open(tmp_path / "back" / "tube.gltf").weights is not None

    # What the guide says.
    guide = Path(__file__).parent.parent.parent / "docs" / "guide" / "batch.md"
    (block,) = re.findall(r"```python\n(.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
    exec(block, {})
    store.invalidate_cache()
    assert store.find("bucket/manifest") and store.exists("bucket/bound/a/tube.gltf")

    # Files among the arguments are fetched, and count by what they hold.
    tube = ligament.open("sample:tube@200")
    lines = [f"v {x} {y} {z}" for x, y, z in tube.vertices]
    lines += [f"f {a} {b} {c}" for a, b, c in tube.faces + 1]
    store.pipe_file("bucket/mesh.obj", "\n".join(lines).encode())

    def with_skeleton(sample: str) -> dict[str, object]:
        store.put_file(str(_sample(tmp_path, "skeleton.glb", sample)), "bucket/skeleton.glb")
        arguments = ["--skeleton", "s3://bucket/skeleton.glb", *METHOD]
        rows = ligament.batch.map("s3://bucket/mesh.obj", "s3://bucket/out", arguments=arguments, no_measures=True)
        (row,) = rows.take_all()
        return row

    row = with_skeleton("sample:tube@200")
    assert (row["status"], row["error"], row["output"]) == ("done", None, "mesh.obj.glb")
    assert with_skeleton("sample:tube@200")["row"] == row["row"]
    assert with_skeleton("sample:tube@300")["key"] != row["key"]


@pytest.mark.filterwarnings("ignore")
def test_tasks_never_raise(tmp_path, cluster):
    given = [
        "nowhere/there.glb",
        "nofs://bucket/there.glb",
        {"input": "sample:tube@200", "output": "../out.glb"},
        {"input": "sample:tube@200", "arguments": ["--method", "no such"]},
        {"input": "sample:tube@200", "output": "fine.glb", "arguments": METHOD},
    ]
    rows = ligament.batch.map(given[:1] + given[2:], tmp_path, no_measures=True).take_all()
    by_class = sorted(str(row["class"]) for row in rows)
    assert by_class == ["None", "input", "usage", "usage"], [(row["input"], row["class"], row["error"]) for row in rows]
    with pytest.raises(ValueError, match="nofs"):
        ligament.batch.map(given[1], tmp_path)
