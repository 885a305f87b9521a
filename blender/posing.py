# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion from Blender to the engine, and the engine's poses back to bones."""

import numpy as np
from mathutils import Matrix

from .scene import UPRIGHT, ends_of

#: Keys of an action that the engine gets; a check chooses fewer frames among them.
KEYS = 200


def clip_of(scene, armature, rig):
    """The armature's motion over the frames of its action: a name, times in seconds and matrices from joints to the world, as the
    engine takes them; ``None`` where no action moves it. The scene is left at the frame where it was.
    """
    action = armature.animation_data.action if armature.animation_data else None
    if action is None or armature.data.pose_position != "POSE":
        return None
    first, last = action.frame_range
    frames = np.linspace(first, last, int(np.clip(round(last - first) + 1, 1, KEYS)))
    kept, moments = (scene.frame_current, scene.frame_subframe), []
    try:
        for frame in frames:
            show(scene, frame)
            moments.append(_moved(armature) @ rig.matrices)
    finally:
        scene.frame_set(kept[0], subframe=kept[1])
    return action.name, seconds_of(scene, frames - first), np.array(moments)


def show(scene, frame):
    """Goes to a frame, which may lie between two."""
    whole = int(np.floor(frame))
    scene.frame_set(whole, subframe=min(float(frame - whole), 0.999))


def seconds_of(scene, frames):
    """How long frames take."""
    return frames * scene.render.fps_base / scene.render.fps


def frame_at(scene, armature, seconds):
    """The frame at a time of the clip that :func:`clip_of` gave; ``None`` if the action is gone."""
    action = armature.animation_data.action if armature.animation_data else None
    return None if action is None else action.frame_range[0] + seconds * scene.render.fps / scene.render.fps_base


def _moved(armature):
    """For each joint of a rig what its bone does to skin, in the engine's axes."""
    world = UPRIGHT @ np.array(armature.matrix_world, np.float64)
    back = np.linalg.inv(world)
    moves = {}
    for bone in armature.data.bones:
        posed, rest = (np.array(matrix, np.float64) for matrix in (armature.pose.bones[bone.name].matrix, bone.matrix_local))
        moves[bone.name] = world @ posed @ np.linalg.inv(rest) @ back
    return np.array([*moves.values(), *(moves[name] for name in ends_of(armature))])


def bases(armature, moves):
    """For bones by name, the engine's matrices that move skin as what Blender calls the basis of a pose bone: the way that it is
    turned from its rest, seen from its parent.
    """
    world = UPRIGHT @ np.array(armature.matrix_world, np.float64)
    back = np.linalg.inv(world)
    found = {}
    for bone in armature.data.bones:
        rest = np.array(bone.matrix_local, np.float64)
        posed = back @ moves[bone.name] @ world @ rest
        if bone.parent:
            above = np.array(bone.parent.matrix_local, np.float64)
            carried = back @ moves[bone.parent.name] @ world @ above
            found[bone.name] = np.linalg.inv(np.linalg.inv(above) @ rest) @ np.linalg.inv(carried) @ posed
        else:
            found[bone.name] = np.linalg.inv(rest) @ posed
    return found


def strike(armature, basis):
    """Poses an armature; bones that are not named go to rest."""
    armature.data.pose_position = "POSE"
    for bone in armature.pose.bones:
        bone.matrix_basis = Matrix(basis[bone.name]) if bone.name in basis else Matrix.Identity(4)
