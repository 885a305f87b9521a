"""blender_pose.py FILE CLIP SECONDS: plays a clip in Blender and prints, for each skinned
mesh, where its vertices are at rest and posed, as JSON."""
import json
import sys

import bpy

file, clip, seconds = sys.argv[-3], sys.argv[-2], float(sys.argv[-1])
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=file, merge_vertices=False)
scene = bpy.context.scene
skinned = [ob for ob in bpy.data.objects if ob.type == "MESH" and any(m.type == "ARMATURE" for m in ob.modifiers)]
rest = {ob.name: [list(ob.matrix_world @ v.co) for v in ob.data.vertices] for ob in skinned}

for ob in bpy.data.objects:
    if ob.type != "ARMATURE":
        continue
    data = ob.animation_data or ob.animation_data_create()
    for track in data.nla_tracks:
        track.mute = True
    action = next(a for a in bpy.data.actions if a.name == clip or a.name.startswith(clip + "_"))
    data.action = action
    if action.slots:
        data.action_slot = action.slots[0]

fps = scene.render.fps / scene.render.fps_base
frame = seconds * fps
scene.frame_set(int(frame // 1), subframe=frame % 1)
graph = bpy.context.evaluated_depsgraph_get()
meshes = []
for ob in skinned:
    evaluated = ob.evaluated_get(graph)
    mesh = evaluated.to_mesh()
    meshes.append({
        "rest": rest[ob.name],
        "posed": [list(evaluated.matrix_world @ v.co) for v in mesh.vertices],
    })
    evaluated.to_mesh_clear()
print("RESULT " + json.dumps(meshes))
