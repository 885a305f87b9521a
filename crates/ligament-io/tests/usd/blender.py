"""Opens a USD file in Blender, prints what stands there as JSON, and writes it again with
Blender's own exporter: blender.py FILE EXPORTED."""
import json
import sys

import bpy

bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.usd_import(filepath=sys.argv[-2])
meshes, bones = [], {}
for ob in bpy.data.objects:
    if ob.type == "ARMATURE":
        for bone in ob.data.bones:
            bones[bone.name] = list(ob.matrix_world @ bone.head_local)
    if ob.type != "MESH" or not any(m.type == "ARMATURE" for m in ob.modifiers):
        continue
    names = [g.name for g in ob.vertex_groups]
    world = ob.matrix_world
    meshes.append({
        "name": ob.name,
        "positions": [list(world @ v.co) for v in ob.data.vertices],
        "groups": [{names[g.group]: g.weight for g in v.groups if g.weight > 0} for v in ob.data.vertices],
    })
print("RESULT " + json.dumps({"meshes": meshes, "bones": bones}))
bpy.ops.wm.usd_export(filepath=sys.argv[-1], export_animation=False, export_armatures=True)
