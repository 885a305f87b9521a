# SPDX-License-Identifier: GPL-3.0-or-later
"""Check: findings are listed, and lead to the vertices and to the pose."""

import json

import bpy
import ligament
import numpy as np
import pytest
from conftest import made, select


def broken(character, place=lambda armature: None):
    """A body with vertices in the middle that follow the far end alone: broken by any measure."""
    body, armature = made(character)
    place(armature)
    select(body, armature)
    bpy.ops.ligament.bind(method="closest")
    far = armature.data.bones[-1].name
    for group in body.vertex_groups:
        group.add(list(range(40)), 1.0 if group.name == far else 0.0, "REPLACE")
    select(body, armature)
    return body, armature


def worst_finding():
    return bpy.context.scene.ligament.findings[0]


def test_findings_are_listed_and_lead_there(tube):
    body, armature = broken(tube)
    assert bpy.ops.ligament.check() == {"FINISHED"}
    kept = bpy.context.scene.ligament
    report = json.loads(kept.report)
    assert kept.headline and report["verdict"] == "broken"
    listed = [region for region in report["regions"] if region["verdict"] != "sound"]
    assert [finding.label for finding in kept.findings] == [f"{r['name']}: {r['worst']}" for r in listed]
    assert bpy.ops.ligament.go_there(index=0) == {"FINISHED"}
    chosen = {v.index for v in body.data.vertices if v.select}
    around = {v for face in body.data.polygons if worst_finding().vertex in face.vertices for v in face.vertices}
    assert worst_finding().vertex in chosen and chosen == around
    with pytest.raises(RuntimeError, match="no such finding"):
        bpy.ops.ligament.go_there(index=999)


def test_going_there_strikes_the_pose_that_was_measured(tube):
    """Blender's own armature modifier moves the skin to where the engine had it."""

    def place(armature):
        armature.rotation_euler, armature.location, armature.scale = (0.3, -0.2, 0.9), (1, 2, 3), (2, 2, 2)

    body, armature = broken(tube, place)
    assert bpy.ops.ligament.check(poses="range") == {"FINISHED"}
    finding = worst_finding()
    assert finding.pose_name and finding.basis and finding.seconds < 0
    bpy.ops.ligament.go_there(index=0)
    bpy.context.view_layer.update()
    evaluated = body.evaluated_get(bpy.context.evaluated_depsgraph_get())
    seen = np.array([evaluated.matrix_world @ v.co for v in evaluated.data.vertices])

    from bl_ext.user_default.ligament.operators import character_of
    from bl_ext.user_default.ligament.scene import UPRIGHT, Rig, Skin, weights_of

    skin, rig = Skin([body]), Rig(armature)
    character = character_of(skin, rig, weights_of(skin, rig, [body]))
    [frame] = [f for f in character.check_frames(poses="range") if f.name == finding.pose_name]
    places = np.c_[skin.vertices, np.ones(len(skin.vertices))]
    each = np.einsum("jab,vb->vja", frame.matrices, places)
    wanted = np.einsum("vj,vja->va", character.dense(), each) @ UPRIGHT
    np.testing.assert_allclose(seen, wanted[:, :3], atol=2e-4)
    assert np.abs(seen - skin.vertices @ UPRIGHT[:3, :3]).max() > 0.1


def test_going_there_sets_the_frame_of_an_action(tube):
    body, armature = broken(tube)
    scene = bpy.context.scene
    scene.render.fps = 25
    # Nothing moves up to frame 30, one bone turns by 2 radians up to frame 50: the worst frame is at the end.
    bone = armature.pose.bones[1]
    bone.rotation_mode = "XYZ"
    for frame, angle in ((10, 0), (30, 0), (50, 2)):
        bone.rotation_euler = (angle, 0, 0)
        bone.keyframe_insert("rotation_euler", frame=frame)
    scene.frame_set(17)
    assert bpy.ops.ligament.check() == {"FINISHED"}
    assert scene.frame_current == 17, "a check leaves the scene where it was"
    kept = scene.ligament
    report = json.loads(kept.report)
    assert kept.findings and worst_finding().seconds >= 0
    region = next(r for r in report["regions"] if r["verdict"] != "sound")
    bpy.ops.ligament.go_there(index=0)
    shown = scene.frame_current + scene.frame_subframe
    assert shown == pytest.approx(10 + 25 * region["frame"]["seconds"], abs=1e-3)
    assert shown > 30, "where the bone is bent"
    # The bone stands as the engine saw it.
    turn = armature.pose.bones[1].matrix_basis.to_euler().x
    assert turn > 0.1
    assert region["frame"]["clip"] == armature.animation_data.action.name


def test_an_action_is_wanted_where_one_is_asked_for(tube):
    broken(tube)
    with pytest.raises(RuntimeError, match="no action"):
        bpy.ops.ligament.check(poses="clips")


def test_forward_is_forward():
    """The range of motion bends knees and elbows in the engine's axes: a knee that bends must bring the foot back, not aside."""
    from bl_ext.user_default.ligament.operators import character_of
    from bl_ext.user_default.ligament.scene import Rig, Skin

    athlete = ligament.open("sample:athlete@1500")
    body, armature = made(athlete)
    skin, rig = Skin([body]), Rig(armature)
    np.testing.assert_allclose(skin.vertices, athlete.vertices, atol=1e-5)
    ours = character_of(skin, rig).check_frames(poses="range")
    theirs = athlete.check_frames(poses="range")
    names = {frame.name for frame in theirs}
    assert len(ours) > 20 and {frame.name for frame in ours} == names


def test_a_report_is_copied(tube):
    broken(tube)
    bpy.ops.ligament.check()
    assert bpy.ops.ligament.copy_report() == {"FINISHED"}
