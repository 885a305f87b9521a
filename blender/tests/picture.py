# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws the picture of the guide with Blender itself: a knight after automatic weights and after ours, in one pose.

    LIGAMENT_EXTENSION=target/blender/ligament-0.1.0.zip python blender/tests/picture.py docs/images/blender-knight.jpg
"""

import contextlib
import io
import math
import sys

from conftest import bpy, ligament, made, select
from mathutils import Matrix, Vector

#: Bones that are turned, about which axis of the world, how far in degrees.
POSE = [
    ("left_upper_arm", "Y", -25), ("left_lower_arm", "Z", -70), ("right_upper_arm", "Y", 70), ("right_lower_arm", "Y", 45),
    ("left_upper_leg", "X", -70), ("left_lower_leg", "X", 80), ("right_upper_leg", "X", 15), ("spine", "Z", 20),
]  # fmt: skip


def posed(armature):
    """Turns bones about axes of the world through their heads."""
    for name, axis, degrees in POSE:
        bone = armature.pose.bones.get(name)
        if bone is None:
            raise SystemExit(f"no bone {name}; there are {[b.name for b in armature.pose.bones]}")
        head = bone.head.copy()
        turn = Matrix.Rotation(math.radians(degrees), 4, axis)
        bone.matrix = Matrix.Translation(head) @ turn @ Matrix.Translation(-head) @ bone.matrix
        bpy.context.view_layer.update()


def material(name, colour, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    return made


def bones_as_mesh(armature):
    """Bones as sticks: a render shows no armatures."""
    stick = bpy.data.materials.get("bones") or material("bones", (0.9, 0.35, 0.05), 0.6)
    for bone in armature.pose.bones:
        head, tail = armature.matrix_world @ bone.head, armature.matrix_world @ bone.tail
        along = tail - head
        bpy.ops.mesh.primitive_cylinder_add(vertices=8, radius=0.008, depth=along.length, location=(head + tail) / 2)
        bpy.context.object.rotation_euler = along.to_track_quat("Z", "Y").to_euler()
        bpy.context.object.data.materials.append(stick)


def knight(place, bind):
    body, armature = made(ligament.open("sample:knight@6000"))
    body.data.materials.append(bpy.data.materials.get("armour") or material("armour", (0.35, 0.42, 0.55), 0.35))
    for face in body.data.polygons:
        face.use_smooth = False
    select(body, armature)
    with contextlib.redirect_stdout(io.StringIO()) as told:
        bind()
    print(told.getvalue().strip())
    armature.location.x += place
    if body.parent is None:
        body.location.x += place
    bpy.context.view_layer.update()
    posed(armature)
    bones_as_mesh(armature)


bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
knight(-0.75, lambda: bpy.ops.object.parent_set(type="ARMATURE_AUTO"))
knight(0.75, lambda: bpy.ops.ligament.bind())
scene = bpy.context.scene
bpy.ops.mesh.primitive_plane_add(size=40)
bpy.context.object.data.materials.append(material("ground", (0.3, 0.31, 0.33), 0.9))
camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
scene.collection.objects.link(camera)
scene.camera = camera
camera.location, camera.data.lens = (0, -5.2, 1.35), 50
camera.rotation_euler = (Vector((0, 0, 0.92)) - camera.location).to_track_quat("-Z", "Y").to_euler()
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy, sun.data.angle, sun.rotation_euler = 2.2, 0.2, (0.8, 0.2, 0.5)
scene.collection.objects.link(sun)
scene.world = bpy.data.worlds.new("World")
scene.world.use_nodes = True
scene.world.node_tree.nodes["Background"].inputs["Color"].default_value = (0.30, 0.33, 0.38, 1)
scene.render.engine = "CYCLES"
scene.cycles.samples, scene.cycles.use_denoising, scene.cycles.device = 24, False, "CPU"
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x, scene.render.resolution_y = 900, 600
scene.render.image_settings.file_format, scene.render.image_settings.quality = "JPEG", 85
scene.render.filepath = str(sys.argv[1])
bpy.ops.render.render(write_still=True)
