"""Files in and out, and every verb."""

from __future__ import annotations

import json

import ligament
import numpy as np
import pytest


def test_a_file_is_bound_judged_and_saved(tmp_path, hound):
    assert not ligament.open("sample:hound@800").report
    bound = hound.bind(method="heat", influences=3)
    assert bound.report["method"] == "heat" and bound.weights.shape[1] <= 3
    assert bound.check()["verdict"] in ("sound", "suspect", "broken")
    file = tmp_path / "hound.glb"
    bound.save(file)
    again = ligament.open(file)
    assert again.has_weights and set(again.joint_names) == set(bound.joint_names)
    assert again.clips == hound.clips
    with pytest.raises(ligament.FileError):
        again.save(file)  # never over what was read


def test_verbs_write_only_where_they_are_told(tmp_path, tube, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tube.bind(method="closest").pose()
    assert not list(tmp_path.iterdir())
    tube.bind(method="closest", output="bound.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["bound.npz"]
    with np.load("bound.npz") as kept:
        assert len(kept.files) > 0


def test_arrays_are_a_character_too(tube, tmp_path):
    arrays = tube.arrays()
    given = ligament.Character.from_arrays(**arrays, name="mine")
    assert given.name == "mine" and given.arrays()["names"] == arrays["names"]
    np.testing.assert_array_equal(given.vertices, tube.vertices)
    np.testing.assert_allclose(given.arrays()["joints"], arrays["joints"], atol=1e-6)
    bound = given.bind(method="voxel")
    ours = bound.dense()[:, bound.in_skin]
    np.testing.assert_array_equal(ours, tube.bind(method="voxel").dense()[:, tube.in_skin])
    rows = ligament.bind(**arrays, method="voxel")
    kept = ligament.Character.from_arrays(**arrays, indices=rows.indices, weights=rows.weights)
    np.testing.assert_allclose(kept.dense()[:, kept.in_skin], ours, atol=1e-6)


def test_parts_are_kept(tube):
    count, faces = len(tube.vertices), len(tube.faces)
    twice = ligament.Character.from_arrays(
        np.concatenate([tube.vertices, tube.vertices + [5, 0, 0]]),
        np.concatenate([tube.faces, tube.faces + count]),
        parts=[("one", count, faces), ("two", count, faces)],
    )
    assert twice.parts == ["one", "two"]
    with pytest.raises(ligament.InputError, match="parts"):
        ligament.Character.from_arrays(tube.vertices, tube.faces, parts=[("one", 3, 1)])


def test_a_skeleton_is_found():
    athlete = ligament.open("sample:athlete@2000")
    rigged = athlete.rig(detail=0.3)
    assert rigged.report["body"] == "biped" and rigged.has_weights
    assert rigged.in_skin.sum() == len(rigged.report["joints"])
    few = ligament.open("sample:tube@400").rig(joints=3, root=(0, 1, 0))
    assert few.in_skin.sum() <= 3


def test_weights_go_to_garments():
    body = ligament.open("sample:skirt@1500").bind(method="closest")
    garment = ligament.Character.from_arrays(body.vertices * 1.001, body.faces, name="copy")
    [worn] = body.transfer(garment)
    assert worn.has_weights and worn.report["matched"] > 0
    assert np.abs(worn.weights.sum(axis=1) - 1).max() < 1e-5
    [level] = body.lods([garment], by="transfer")
    assert level.report["chosen"] == "transfer"


def test_the_tools_around_weights(hound):
    bound = hound.bind(method="heat", influences=8)
    limited = bound.weight_tools(["smooth", "limit"], length=0.02, influences=2)
    assert limited.weights.shape[1] == 2
    assert [step["verb"] for step in limited.report] == ["smooth", "limit"]
    rigid = bound.weight_tools("rigid", only="sphere:0,0,0,99", to="head")
    assert {rigid.joint_names[j] for j in rigid.indices[:, 0]} == {"head"}
    with pytest.raises(ligament.LigamentError, match="no_such"):
        bound.weight_tools("remove", joints=["no_such_joint"])


def test_pictures_are_arrays_and_png(tube, tmp_path):
    picture = tube.bind(method="closest").render(joints=True, size=(64, 48), view=(30, -10))
    assert picture.pixels.shape == (48, 64, 4) and np.asarray(picture).std() > 0
    assert picture._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"
    picture.save(tmp_path / "tube.png")
    beside = tube.render(tube, size="32x32", output=tmp_path / "two.png")
    assert beside.pixels.shape[1] > 64 and (tmp_path / "two.png").exists()


def test_a_pose_moves_the_skin(hound):
    bound = hound.bind(method="closest")
    clip = next(iter(hound.clips))
    positions, normals = bound.pose(clip=clip, time=0.2)
    assert positions.shape == normals.shape == hound.vertices.shape
    assert np.abs(positions - hound.vertices).max() > 0.01
    np.testing.assert_allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-3)


def test_an_edit_is_followed_and_taken_back(hound):
    session = ligament.EditSession(hound, method="heat")
    before = session.weights().dense()
    done = session.apply("move_joint", joint="head", by=[0, 0.05, 0.02])
    assert done["changed_vertices"] and session.history == (1, 0)
    after = session.weights().dense()
    assert np.abs(after - before).max() > 0.01
    moved = session.character()
    head = moved.joint_names.index("head")
    np.testing.assert_allclose(
        moved.joints[head] - hound.joints[hound.joint_names.index("head")], [0, 0.05, 0.02], atol=1e-6
    )
    session.undo()
    np.testing.assert_array_equal(session.weights().dense(), before)
    session.redo()
    np.testing.assert_array_equal(session.weights().dense(), after)
    with pytest.raises(ligament.LigamentError):
        session.redo()
    with pytest.raises(ligament.LigamentError, match="no_joint"):
        session.apply("delete_joint", joint="no_joint")
    scripted = hound.edit([{"command": "move_joint", "joint": "head", "by": [0, 0.05, 0.02]}])
    np.testing.assert_array_equal(scripted.dense(), moved.dense())


def test_a_field_is_a_function_of_the_place(tube, tmp_path):
    field = tube.fit_field(steps=30, seed=1)
    rows = field(tube.vertices)
    assert rows.weights.shape[0] == len(tube.vertices)
    np.testing.assert_allclose(rows.weights.sum(axis=1), 1, atol=1e-5)
    assert set(field.joint_names) <= set(tube.joint_names)
    field.save(tmp_path / "tube.cells")
    again = ligament.Field.open(tmp_path / "tube.cells")
    assert again(tube.vertices).weights.tobytes() == rows.weights.tobytes()
    assert again.info()["cells"] == field.info()["cells"]
    with pytest.raises(ligament.FileError):
        ligament.Field.open(tmp_path / "nothing.cells")


def test_methods_are_compared(tube):
    report = tube.compare(methods=["closest", "heat"])
    assert {c["name"] for c in report["contenders"]} == {"closest", "heat"}
    assert json.dumps(report["conclusion"])


def test_what_is_missing_is_said(tmp_path, tube):
    with pytest.raises(ligament.FileError):
        ligament.open(tmp_path / "nothing.glb")
    with pytest.raises(ligament.OptionError, match="unicorn"):
        ligament.open("sample:unicorn")
    bare = ligament.Character.from_arrays(tube.vertices, tube.faces)
    with pytest.raises(ligament.InputError, match="skeleton"):
        bare.bind()
    with pytest.raises(ligament.InputError, match="weights"):
        _ = bare.weights
    with pytest.raises(ligament.InputError):
        bare.check()
    assert "without weights" in repr(bare)
    assert {"knight", "tube"} <= {sample["name"] for sample in ligament.samples()}


def test_a_character_walks_and_becomes_an_avatar(tmp_path):
    bound = ligament.open("sample:athlete@1000").bind(method="closest")
    walking = bound.animate(motion="builtin:walk", name="stroll")
    assert "stroll" in walking.clips
    walking.save(tmp_path / "a.vrm", vrm_author=["someone"], compact=True)
    avatar = ligament.open(tmp_path / "a.vrm")
    assert avatar.has_weights and b'"someone"' in (tmp_path / "a.vrm").read_bytes()
    with pytest.raises(ligament.OptionError):
        walking.save(tmp_path / "a.fbx", compact=True)


def skinned(character, frame):
    """Linear blend skinning, written down once more."""
    places = np.c_[character.vertices, np.ones(len(character.vertices))]
    each = np.einsum("jab,vb->vja", frame.matrices, places)
    return np.einsum("vj,vja->va", character.dense(), each)[:, :3]


def test_frames_of_a_check_are_what_the_report_numbers(hound):
    bound = hound.bind(method="closest")
    frames = bound.check_frames(frames=12)
    report = bound.check(frames=12)
    assert len(frames) == report["frames"] == 12
    for region in report["regions"]:
        if region["frame"] is not None:
            frame = frames[region["frame"]["number"]]
            assert (frame.name, frame.clip) == (region["frame"]["name"], region["frame"]["clip"])
    frame = frames[7]
    positions, _ = bound.pose(clip=frame.clip, time=frame.seconds)
    np.testing.assert_allclose(positions, skinned(bound, frame), atol=1e-5)
    bent = bound.check_frames(poses="range")
    assert len(bent) > 12 and all(frame.clip is None and frame.seconds is None for frame in bent)
    with pytest.raises(ligament.OptionError, match="poses"):
        bound.check_frames(poses="random")


def test_clips_are_arrays_too(hound):
    arrays = hound.arrays()
    source = hound.bind(method="closest")
    clip = next(iter(hound.clips))
    keys = source.check_frames(clip=clip, frames=9)
    times = np.array([key.seconds - keys[0].seconds for key in keys])
    inside = source.in_skin
    matrices = np.array([key.matrices[inside] @ arrays["joints"] for key in keys])
    number = np.cumsum(inside) - 1
    given = {"indices": number[source.indices], "weights": source.weights}
    made = ligament.Character.from_arrays(**arrays, **given, clips={"mine": (times, matrices)})
    assert made.clips == pytest.approx({"mine": times[-1]}, abs=1e-5)
    for key in (0, 4, 8):
        positions, _ = made.pose(clip="mine", time=times[key])
        np.testing.assert_allclose(positions, skinned(source, keys[key]), atol=1e-4)
    with pytest.raises(ligament.InputError, match="9 times"):
        ligament.Character.from_arrays(**arrays, clips={"mine": (times, matrices[:, 1:])})
    with pytest.raises(ligament.InputError, match="goes backwards"):
        ligament.Character.from_arrays(**arrays, clips={"mine": (times[::-1], matrices)})
