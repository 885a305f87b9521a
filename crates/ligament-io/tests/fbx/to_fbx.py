"""Lets Blender turn a GLB into FBX: to_fbx.py IN.glb OUT.fbx OPTIONS-AS-JSON"""

import json
import sys

import bpy

source, target, options = sys.argv[-3:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.context.scene.render.fps = 30
bpy.ops.import_scene.gltf(filepath=source)
# The importer's stand-in shape for bones is no part of the character.
for name in [o.name for o in bpy.data.objects if o.name.startswith("Icosphere")]:
    bpy.data.objects.remove(bpy.data.objects[name])
# Keys as they are: by default Blender drops those it finds dispensable.
bpy.ops.export_scene.fbx(filepath=target, bake_anim_simplify_factor=0.0, **json.loads(options))
