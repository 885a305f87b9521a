"""Opens a file in Blender and prints how its shape keys move: motion_blender.py FILE SECONDS...

For each action, for each shape key that it moves, its value at each moment.
"""

import json
import re
import sys

import bpy

source, moments = sys.argv[1], [float(t) for t in sys.argv[2:]]
bpy.ops.wm.read_factory_settings(use_empty=True)
if source.endswith(".fbx"):
    bpy.ops.import_scene.fbx(filepath=source)
    first = 1.0
else:
    bpy.ops.import_scene.gltf(filepath=source)
    first = 0.0
fps = bpy.context.scene.render.fps / bpy.context.scene.render.fps_base


def curves(action):
    """All curves of an action, in versions with layers and without."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    bags = [bag for layer in action.layers for strip in layer.strips for bag in strip.channelbags]
    return [curve for bag in bags for curve in bag.fcurves]


actions = {}
for action in bpy.data.actions:
    moved = {}
    for curve in curves(action):
        found = re.fullmatch(r'key_blocks\["(.*)"\]\.value', curve.data_path)
        if found:
            moved[found.group(1)] = [curve.evaluate(first + t * fps) for t in moments]
    if moved:
        actions[action.name] = moved
print("RESULT " + json.dumps(actions))
