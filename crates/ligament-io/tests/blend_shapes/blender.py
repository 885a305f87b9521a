"""Opens a file in Blender and prints where its shape keys take vertices: blender.py FILE"""

import json
import sys

import bpy

source = sys.argv[-1]
bpy.ops.wm.read_factory_settings(use_empty=True)
if source.endswith(".fbx"):
    bpy.ops.import_scene.fbx(filepath=source, use_anim=False)
elif source.endswith(".glb"):
    bpy.ops.import_scene.gltf(filepath=source)
else:
    bpy.ops.wm.usd_import(filepath=source)
# As it was bound, whatever a clip does to it.
for thing in bpy.data.objects:
    if thing.type == "ARMATURE":
        thing.data.pose_position = "REST"
bpy.context.view_layer.update()
meshes, weights = [], {}
for thing in bpy.data.objects:
    if thing.type != "MESH" or not thing.data.shape_keys:
        continue
    shapes = {}
    for key in list(thing.data.shape_keys.key_blocks)[1:]:
        shapes[key.name] = [list(thing.matrix_world @ point.co) for point in key.data]
        weights[key.name] = key.value
    meshes.append(shapes)
print("RESULT " + json.dumps({"meshes": meshes, "weights": weights}))
