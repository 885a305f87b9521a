"""Arrays in, arrays out."""

from __future__ import annotations

import os
import signal
import threading
import time
from types import SimpleNamespace

import ligament
import numpy as np
import pytest
import tqdm
import trimesh


def arrays(character):
    given = character.arrays()
    return given["vertices"], given["faces"], given["joints"][:, :3, 3], given["parents"]


def test_rows_sum_to_one_and_are_the_characters_own(tube):
    result = ligament.bind(**tube.arrays(), method="voxel")
    assert result.indices.shape == result.weights.shape == (len(tube.vertices), 4)
    assert result.indices.dtype == np.uint16 and result.weights.dtype == np.float32
    np.testing.assert_allclose(result.weights.sum(axis=1), 1, atol=1e-6)
    assert (np.diff(result.weights, axis=1) <= 0).all()
    bound = tube.bind(method="voxel")
    np.testing.assert_array_equal(result.dense(), bound.dense()[:, bound.in_skin])


def test_dense_is_what_the_columns_say(tube):
    result = ligament.bind(*arrays(tube), method="closest", influences=3)
    dense = result.dense()
    assert dense.shape == (len(tube.vertices), tube.in_skin.sum())
    for vertex in (0, 7, len(dense) - 1):
        expected = np.zeros(dense.shape[1], np.float32)
        for joint, weight in zip(result.indices[vertex], result.weights[vertex], strict=True):
            expected[joint] += weight
        np.testing.assert_array_equal(dense[vertex], expected)


def test_joints_may_come_in_any_order(hound):
    vertices, faces, joints, parents = arrays(hound)
    # All influences: of two that are equally far, the fourth would be the one that comes first.
    options = {"method": "closest", "influences": "all"}
    straight = ligament.bind(vertices, faces, joints, parents, **options).dense()
    order = np.random.default_rng(3).permutation(len(parents))
    place = np.argsort(order)
    shuffled = np.where(parents[order] < 0, -1, place[parents[order]])
    mixed = ligament.bind(vertices, faces, joints[order], shuffled, **options).dense()
    np.testing.assert_allclose(straight[:, order], mixed, atol=1e-6)


@pytest.mark.parametrize("floats", [np.float32, np.float64])
@pytest.mark.parametrize("integers", [np.int32, np.int64, np.uint32, np.uint8])
def test_kinds_of_numbers_change_nothing(tube, floats, integers):
    vertices, faces, joints, parents = arrays(ligament.open("sample:tube@100"))
    usual = ligament.bind(vertices, faces, joints, parents, method="closest")
    given = ligament.bind(vertices.astype(floats), faces.astype(integers), joints, list(parents), method="closest")
    np.testing.assert_array_equal(usual.weights, given.weights)
    turned = np.asfortranarray(vertices)
    given = ligament.bind(turned, faces[:, :].tolist(), joints.tolist(), parents, method="closest")
    np.testing.assert_array_equal(usual.weights, given.weights)


def test_arrays_in_c_order_are_not_copied():
    from ligament._arrays import floats, integers

    for kind in (np.float32, np.float64):
        array = np.zeros((5, 3), kind)
        assert floats(array, "vertices", (3,)) is array
    for kind in (np.int32, np.int64, np.uint32):
        array = np.zeros((5, 3), kind)
        assert integers(array, "faces", (3,)) is array


def test_anything_with_vertices_and_faces_is_a_mesh(tube):
    mesh = SimpleNamespace(vertices=tube.vertices.tolist(), faces=tube.faces.tolist())
    _, _, joints, parents = arrays(tube)
    result = ligament.bind(mesh, joints=joints, parents=parents, method="closest")
    assert len(result.weights) == len(tube.vertices)
    mesh = trimesh.Trimesh(tube.vertices, tube.faces, process=False)
    other = ligament.bind(mesh, joints=joints, parents=parents, method="closest")
    np.testing.assert_array_equal(result.weights, other.weights)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_do_not_show(tube, threads):
    usual = ligament.bind(*arrays(tube))
    given = ligament.bind(*arrays(tube), threads=threads)
    assert usual.weights.tobytes() == given.weights.tobytes()
    assert usual.indices.tobytes() == given.indices.tobytes()


def test_a_prepared_binding_gives_what_a_bind_gives(tube):
    prepared = ligament.prepare(*arrays(tube), method="voxel")
    for falloff in (0.1, 0.8):
        whole = ligament.bind(*arrays(tube), method="voxel", falloff=falloff)
        np.testing.assert_array_equal(prepared.weights(falloff=falloff).weights, whole.weights)
    plain = ligament.bind(*arrays(tube), method="voxel")
    np.testing.assert_array_equal(prepared.weights().weights, plain.weights)
    with pytest.raises(ligament.LigamentError, match="falloff"):
        prepared.weights(falloff=7)


def test_regions_are_plain_data(tube):
    low, high = tube.vertices.min(axis=0), tube.vertices.max(axis=0)
    region = {"of": {"box": {"low": low.tolist(), "high": high.tolist()}}, "drivers": [tube.arrays()["names"][1]]}
    result = ligament.bind(**tube.arrays(), method="closest", regions=[region])
    assert (result.indices[:, 0] == 1).all() and (result.weights[:, 0] == 1).all()


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"faces": [[0, 1, 99999]]}, "vertex 99999"),
        ({"faces": [[0, 1, -1]]}, "vertex -1"),
        ({"faces": [[0, 1]]}, r"\(N, 3\)"),
        ({"faces": [[0.5, 1, 2]]}, "whole numbers"),
        ({"vertices": [[0, 1]]}, r"\(N, 3\)"),
        ({"vertices": [["a", "b", "c"]]}, "numbers"),
        ({"vertices": [[float("nan")] * 3] * 4, "faces": [[0, 1, 2]]}, "finite|NaN|not"),
        ({"parents": [-1, 7, 0]}, "parent 7"),
        ({"parents": [1, 0, -1]}, "cycle|itself|root|loop|ancestor"),
        ({"joints": [[0, 0, 0]]}, "equally many"),
        ({"joints": None}, "missing"),
    ],
)
def test_bad_arrays_are_refused_with_a_word(change, says):
    given = {
        "vertices": [[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "faces": [[0, 1, 2], [0, 1, 3]],
        "joints": [[0.0, 0, 0], [0, 1, 0], [0, 2, 0]],
        "parents": [-1, 0, 1],
    }
    with pytest.raises(ligament.InputError, match=says) as raised:
        ligament.bind(**{**given, **change})
    assert isinstance(raised.value, (ligament.LigamentError, ValueError))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"method": "magic"}, "magic"),
        ({"influences": 0}, "1 to 64"),
        ({"method": "heat", "falloff": 0.5}, "does not know"),
        ({"prune": 2}, "prune"),
        ({"resolution": 7}, "32 to 1024"),
        ({"threads": 0}, "1 or more"),
    ],
)
def test_bad_options_are_refused_with_a_word(tube, options, says):
    with pytest.raises(ligament.OptionError, match=says):
        ligament.bind(*arrays(tube), **options)


def test_options_are_keywords_and_unknown_ones_are_refused(tube):
    with pytest.raises(TypeError):
        ligament.bind(*arrays(tube), "voxel")
    with pytest.raises(TypeError):
        ligament.bind(*arrays(tube), fallof=0.5)


def test_warnings_have_codes(hound):
    names = [f"{name}_IK" if name == "head" else name for name in hound.arrays()["names"]]
    with pytest.warns(ligament.LigamentWarning) as caught:
        result = ligament.bind(*arrays(hound), names=names, method="closest")
    assert "joints_left_out" in {warning.message.code for warning in caught}
    assert dict(result.warnings)["joints_left_out"]


def test_progress_sees_stages_and_may_stop_the_work(tube):
    seen = []
    ligament.bind(*arrays(ligament.open("sample:athlete@6000")), progress=lambda stage, share: seen.append((stage, share)))
    assert seen and all(isinstance(stage, str) and 0 <= share <= 1 for stage, share in seen)

    class Enough(Exception):
        pass

    def stop(stage, share):
        raise Enough

    with pytest.raises(Enough):
        ligament.bind(*arrays(ligament.open("sample:athlete@6000")), progress=stop)


def test_a_bar_of_tqdm_works():
    character = ligament.open("sample:athlete@3000")
    with open(os.devnull, "w") as nowhere, tqdm.tqdm(total=100, file=nowhere) as bar:
        character.bind(progress=bar)
        assert bar.n > 0


def test_the_interpreter_runs_on_while_rust_works():
    character = ligament.open("sample:athlete@12000")
    counted, over = [0], threading.Event()

    def count():
        while not over.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.perf_counter()
    character.bind(method="voxel")
    took = time.perf_counter() - start
    over.set()
    thread.join()
    assert counted[0] > 20 * took, (counted, took)


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_control_c_cancels_within_a_moment():
    character = ligament.open("sample:athlete@8000")
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        character.bind(method="cells")
    assert time.perf_counter() - start < 3
    timer.join()
    assert character.bind(method="closest").has_weights  # nothing is left behind
