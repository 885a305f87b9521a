# SPDX-License-Identifier: GPL-3.0-or-later
"""Rig, transfer, tools, field; names; the manifest."""

import re
import tomllib
from pathlib import Path

import bpy
import ligament
import numpy as np
import pytest
from conftest import groups, made, select


def test_a_skeleton_is_found_named_and_bound():
    athlete = ligament.open("sample:athlete@2000")
    body, old = made(athlete)
    bpy.data.objects.remove(old)
    select(body)
    assert bpy.ops.ligament.rig(detail=0.3, names="unreal") == {"FINISHED"}
    armature = body.parent
    names = {bone.name for bone in armature.data.bones}
    assert {"pelvis", "head", "thigh_l", "thigh_r", "upperarm_l", "calf_r"} <= names, names
    np.testing.assert_allclose(groups(body).sum(axis=1), 1, atol=1e-5)
    # Up is z, left is where x points, and bones lie in the body.
    heads = {bone.name: bone.head_local for bone in armature.data.bones}
    assert heads["head"].z > heads["pelvis"].z > heads["calf_r"].z and heads["thigh_l"].x > heads["thigh_r"].x


def test_names_of_other_rigs():
    from bl_ext.user_default.ligament.rig_names import renamed

    names = ["hips", "left_upper_arm", "right_foot", "tail1"]
    assert renamed(names, "ligament") == names
    assert renamed(names, "rigify") == ["spine", "upper_arm.L", "foot.R", "tail1"]
    assert renamed(names, "unreal") == ["pelvis", "upperarm_l", "foot_r", "tail1"]


def test_weights_go_to_garments(tube):
    body, armature = made(tube)
    bpy.ops.ligament.bind(method="closest")
    names = [bone.name for bone in armature.data.bones]
    sleeve = bpy.data.objects.new("Sleeve", body.data.copy())
    bpy.context.collection.objects.link(sleeve)
    sleeve.vertex_groups.clear()
    select(sleeve, body)
    assert bpy.ops.ligament.transfer() == {"FINISHED"}
    assert sleeve.parent == armature
    np.testing.assert_allclose(groups(sleeve, names), groups(body, names), atol=1e-3)
    select(body)
    with pytest.raises(RuntimeError, match="garments"):
        bpy.ops.ligament.transfer()


def test_tools_change_weights_and_nothing_else(tube):
    body, armature = made(tube)
    select(body, armature)
    with pytest.raises(RuntimeError, match="no weight"):
        bpy.ops.ligament.weights(tool="smooth")
    bpy.ops.ligament.bind(method="closest")
    names = [bone.name for bone in armature.data.bones]
    before, places = groups(body, names), [v.co.copy() for v in body.data.vertices]
    assert bpy.ops.ligament.weights(tool="smooth", length=0.05) == {"FINISHED"}
    smooth = groups(body, names)
    assert np.abs(smooth - before).max() > 1e-3
    bpy.ops.ligament.weights(tool="limit", influences=1)
    assert ((groups(body, names) > 0).sum(axis=1) == 1).all()
    assert all((v.co - p).length == 0 for v, p in zip(body.data.vertices, places, strict=True))


def test_a_field_is_kept(tube, tmp_path):
    made(tube)
    with pytest.raises(RuntimeError, match="choose a file"):
        bpy.ops.ligament.fit_field()
    file = tmp_path / "tube.cells"
    assert bpy.ops.ligament.fit_field(filepath=str(file), steps=20) == {"FINISHED"}
    assert ligament.Field.open(file).info()["cells"] > 0


def test_symmetric_meshes_get_symmetric_weights():
    athlete = ligament.open("sample:athlete@2000")
    body, armature = made(athlete)
    bpy.ops.ligament.bind(method="voxel")
    names = [bone.name for bone in armature.data.bones]
    found = groups(body, names)
    swap = [names.index(other) if (other := _other_side(name)) in names else names.index(name) for name in names]
    places = np.array([v.co for v in body.data.vertices])
    mirrored = places * [-1, 1, 1]
    nearest = np.array([np.argmin(((places - p) ** 2).sum(axis=1)) for p in mirrored[:200]])
    close = np.linalg.norm(places[nearest] - mirrored[:200], axis=1) < 1e-5
    assert close.sum() > 50
    np.testing.assert_allclose(found[:200][close], found[nearest][:, swap][close], atol=1e-4)


def _other_side(name):
    pairs = (("left", "right"), ("_l", "_r"), (".L", ".R"))
    for left, right in pairs:
        if left in name:
            return name.replace(left, right)
        if right in name:
            return name.replace(right, left)
    return name


def test_the_manifest_is_what_blender_wants():
    manifest = tomllib.loads((Path(__file__).parent.parent / "blender_manifest.toml").read_text(encoding="utf-8"))
    assert manifest["schema_version"] == "1.0.0" and manifest["type"] == "add-on"
    assert manifest["license"] == ["SPDX:GPL-3.0-or-later"] and manifest["blender_version_min"] == "4.2.0"
    assert len(manifest["tagline"]) <= 64 and not manifest["tagline"].endswith(".")
    assert manifest["version"] == ligament.__version__
    assert "network" not in manifest["permissions"]


def test_every_operator_says_how_a_script_calls_it(extension):
    from bl_ext.user_default.ligament import check_panel, operators

    for cls in (*operators.CLASSES, *check_panel.CLASSES):
        if issubclass(cls, bpy.types.Operator):
            assert f"bpy.ops.{cls.bl_idname}(" in cls.__doc__, cls


GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guide" / "blender.md"


def test_the_guides_script_runs(tube, capsys):
    made(tube)
    [script] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    exec(script, {})
    assert bpy.context.scene.ligament.headline in capsys.readouterr().out


def test_the_guide_has_a_line_for_every_operator(extension):
    from bl_ext.user_default.ligament import check_panel, operators

    lines = re.findall(r"`bpy\.ops\.ligament\.(\w+)\((.*?)\)`", GUIDE.read_text(encoding="utf-8"))
    listed = {name: arguments for name, arguments in lines}
    classes = [cls for cls in (*operators.CLASSES, *check_panel.CLASSES) if issubclass(cls, bpy.types.Operator)]
    assert set(listed) == {cls.bl_idname.removeprefix("ligament.") for cls in classes}
    for name, arguments in listed.items():
        known = set(getattr(bpy.ops.ligament, name).get_rna_type().properties.keys())
        assert set(re.findall(r"(\w+)=", arguments)) <= known, name
