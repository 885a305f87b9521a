# SPDX-License-Identifier: GPL-3.0-or-later
"""Times Blender's automatic weights and ours in the same scene and run, and prints a table:

    LIGAMENT_EXTENSION=target/blender/ligament-0.1.0.zip python blender/tests/bench.py sample:athlete@25000 hero.glb:1

Inputs are samples, or glTF files whose meshes are subdivided so many times. Both are asked for all selected meshes at once; times are
the shortest of so many runs as three seconds have room for, one at least: by the clock, and in brackets the processor's, which other
programs on the machine disturb less and which counts all threads.
"""

import contextlib
import io
import sys
import time

import numpy as np
from conftest import bpy, groups, ligament, made, select

METHODS = ("best", "voxel", "heat")


def quiet(function):
    """What a function gives, and what Blender said."""
    with contextlib.redirect_stdout(io.StringIO()) as told:
        result = function()
    return result, told.getvalue()


def imported(path, levels):
    """A file's skinned meshes without their weights, and its armature."""
    quiet(lambda: bpy.ops.import_scene.gltf(filepath=path))
    armature = next(o for o in bpy.data.objects if o.type == "ARMATURE")
    armature.data.pose_position = "REST"
    meshes = [o for o in bpy.data.objects if o.type == "MESH" and any(m.type == "ARMATURE" for m in o.modifiers)]
    unbound(meshes)
    for obj in meshes:
        select(obj)
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.mesh.select_all(action="SELECT")
        # Files split vertices at seams: a careful user merges them before automatic weights.
        quiet(lambda: bpy.ops.mesh.remove_doubles(threshold=1e-5))
        if levels:
            bpy.ops.mesh.subdivide(number_cuts=2**levels - 1)
        bpy.ops.object.mode_set(mode="OBJECT")
    return meshes, armature


def unbound(meshes):
    """Takes weights and armature away again."""
    for obj in meshes:
        placed = obj.matrix_world.copy()
        obj.vertex_groups.clear()
        for modifier in [m for m in obj.modifiers if m.type == "ARMATURE"]:
            obj.modifiers.remove(modifier)
        obj.parent = None
        obj.matrix_world = placed


def timed(meshes, armature, run):
    """The shortest times, by the clock and the processor's, the number of vertices without weights, and what was said."""
    best, told, spent = np.full(2, np.inf), "", 0.0
    while spent < 3:
        unbound(meshes)
        select(*meshes, armature)
        start = np.array([time.perf_counter(), time.process_time()])
        _, told = quiet(run)
        took = np.array([time.perf_counter(), time.process_time()]) - start
        best, spent = np.minimum(best, took), spent + took[0]
    bare = sum((groups(o).sum(axis=1) == 0).sum() if o.vertex_groups else len(o.data.vertices) for o in meshes)
    return best, bare, told


def row(name):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    if name.startswith("sample:"):
        body, armature = made(ligament.open(name))
        meshes, called = [body], name
    else:
        path, _, levels = name.partition(":")
        meshes, armature = imported(path, int(levels or 0))
        called = path.rsplit("/", 1)[-1] + (f", subdivided {levels}×" if levels else "")
    vertices = sum(len(o.data.vertices) for o in meshes)
    theirs, bare, told = timed(meshes, armature, lambda: bpy.ops.object.parent_set(type="ARMATURE_AUTO"))
    cells = [called, f"{vertices:,}", str(len(armature.data.bones))]
    failed = "failed to find solution" in told
    cells.append(f"{theirs[0]:.2f} s ({theirs[1]:.2f} s)" + (f", fails: {bare:,} vertices without weights" if failed or bare else ""))
    for method in METHODS:
        ours, bare, _ = timed(meshes, armature, lambda method=method: bpy.ops.ligament.bind(method=method))
        assert bare == 0
        ratio = theirs / ours
        cells.append(f"{ours[0]:.2f} s ({ours[1]:.2f} s): {ratio[0]:.1f}× ({ratio[1]:.1f}×)")
    print("| " + " | ".join(cells) + " |", flush=True)


print(f"Blender {bpy.app.version_string}")
print("| character | vertices | bones | automatic weights | " + " | ".join(f"`{m}`" for m in METHODS) + " |")
print("|---|---|---|---|" + "---|" * len(METHODS))
for each in sys.argv[1:]:
    row(each)
