"""Run by Blender on a file that it opened: writes what stands in the scene as one GLB.

blender … FILE.blend --python export.py -- OUT.glb"""

import sys

import bpy

output = sys.argv[sys.argv.index("--") + 1]

# What bones look like in the viewport is no part of the character.
pictures_of_bones = {
    bone.custom_shape
    for thing in bpy.data.objects
    if thing.type == "ARMATURE" and thing.pose
    for bone in thing.pose.bones
    if bone.custom_shape
}
for thing in list(bpy.context.scene.objects):
    hidden = thing.type == "MESH" and thing.hide_render and not thing.visible_get()
    if thing in pictures_of_bones or hidden:
        bpy.data.objects.remove(thing)

# Modifiers can be worked into the meshes only where there are no shape keys.
has_shapes = any(
    thing.type == "MESH" and thing.data.shape_keys for thing in bpy.context.scene.objects
)
wanted = {
    "filepath": output,
    "export_format": "GLB",
    "export_yup": True,
    "export_apply": not has_shapes,
    "export_skins": True,
    "export_all_influences": True,
    "export_morph": True,
    "export_morph_normal": True,
    "export_animations": True,
    "export_extras": True,
    "export_cameras": False,
    "export_lights": False,
}
known = bpy.ops.export_scene.gltf.get_rna_type().properties.keys()
bpy.ops.export_scene.gltf(**{name: value for name, value in wanted.items() if name in known})
