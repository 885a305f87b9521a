"""Opens an FBX in Blender, poses it and prints where its vertices are:
from_fbx.py IN.fbx MOMENTS-AS-JSON, where a moment is a stack's name and seconds, or null for rest"""

import json
import sys

import bpy

source, moments = sys.argv[-2:]


def load(motion):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.fbx(filepath=source, use_anim=motion)
    # A bone that begins where its parent happens to end is connected to it, and no longer moved by
    # its own keys; the importer does that to any file.
    for o in bpy.data.objects:
        if o.type == "ARMATURE":
            bpy.context.view_layer.objects.active = o
            bpy.ops.object.mode_set(mode="EDIT")
            for bone in o.data.edit_bones:
                bone.use_connect = False
            bpy.ops.object.mode_set(mode="OBJECT")


def assign(thing, action):
    data = thing.animation_data
    if data is None:
        data = thing.animation_data_create()
    data.action = action
    if action is not None and hasattr(data, "action_slot") and data.action_slot is None:
        slots = [s for s in action.slots if s.target_id_type in ("OBJECT", "UNSPECIFIED")]
        if slots:
            data.action_slot = slots[0]


def rest(thing):
    assign(thing, None)
    if thing.type == "ARMATURE":
        for bone in thing.pose.bones:
            bone.matrix_basis = before[thing.name][bone.name]
    thing.matrix_basis = placed[thing.name]


# Without motion first: what an action does not drive is at rest.
load(False)
placed = {o.name: o.matrix_basis.copy() for o in bpy.data.objects}
before = {
    o.name: {b.name: b.matrix_basis.copy() for b in o.pose.bones}
    for o in bpy.data.objects
    if o.type == "ARMATURE"
}
load(True)
scene = bpy.context.scene
fps = scene.render.fps / scene.render.fps_base
result = {"moments": [], "meshes": {}, "bones": {}}
for o in bpy.data.objects:
    if o.type == "ARMATURE":
        for bone in o.data.bones:
            result["bones"][bone.name] = list(o.matrix_world @ bone.head_local)
    if o.type == "MESH":
        keys = o.data.shape_keys
        images = [
            n.image
            for slot in o.material_slots
            if slot.material and slot.material.use_nodes
            for n in slot.material.node_tree.nodes
            if n.type == "TEX_IMAGE" and n.image
        ]
        result["meshes"][o.name] = {
            "vertices": len(o.data.vertices),
            "uvs": [list(d.uv) for d in o.data.uv_layers[0].data] if o.data.uv_layers else [],
            "images": [i.packed_file.size if i.packed_file else 0 for i in images],
            "groups": len(o.vertex_groups),
            "shapes": [k.name for k in keys.key_blocks] if keys else [],
        }
for moment in json.loads(moments):
    for o in bpy.data.objects:
        rest(o)
    frame = 0.0
    if moment is not None:
        stack, seconds = moment
        frame = 1.0 + seconds * fps  # the importer begins at frame 1
        for o in bpy.data.objects:
            # The importer calls them OBJECT|STACK|LAYER, and OBJECT|STACK where both are one.
            names = [n[:63] for n in (f"{o.name}|{stack}", f"{o.name}|{stack}|{stack}")]
            for action in bpy.data.actions:
                if action.name in names:
                    assign(o, action)
    scene.frame_set(int(frame // 1), subframe=frame % 1)
    graph = bpy.context.evaluated_depsgraph_get()
    posed = {}
    for o in bpy.data.objects:
        if o.type == "MESH":
            now = o.evaluated_get(graph)
            mesh = now.to_mesh()
            posed[o.name] = [list(now.matrix_world @ v.co) for v in mesh.vertices]
            now.to_mesh_clear()
    result["moments"].append(posed)
print("RESULT " + json.dumps(result))
