#!/usr/bin/env python3
"""Binds a character with Blender's automatic weights, for `ligament compare --with`.

    pip install bpy==5.0.1            (needs the Python that this Blender was built for: 3.11)
    python tools/peers/blender_weights.py hero.glb hero_blender.glb
    ligament compare hero.glb --with blender=hero_blender.glb -o report.html

Reads glTF, GLB and VRM through Blender's own importer, throws the weights away, runs
"Parent > With Automatic Weights" (bone heat) or "With Envelope Weights", and writes a GLB
through Blender's own exporter. What the program was and how long the weighting took are kept in
the file (asset.extras.ligament_peer), where `ligament compare` finds them.

As it comes, Blender does badly on files that were not made in it: its importer aims every bone
along its local +Y, and vertices that glTF splits at seams keep heat from flowing. `--aim-bones`
and `--merge` are what a careful user does first; `--helped` is both.

Vertices that Blender leaves without weight are told, and stay without weight in the file.
Exit status 0: a file was written; 1: one was written, and vertices have no weight; 2: nothing
was written.
"""

import argparse
import json
import os
import struct
import sys
import tempfile
import time

WEIGHTING = {"heat": "ARMATURE_AUTO", "envelope": "ARMATURE_ENVELOPE"}
# Vertices closer than this share of the object's size are one.
SAME_PLACE = 1e-5


class Muted:
    """Keeps away what Blender prints from C, and remembers it."""

    def __enter__(self):
        sys.stdout.flush()
        sys.stderr.flush()
        self.file = tempfile.TemporaryFile()
        self.kept = os.dup(1), os.dup(2)
        os.dup2(self.file.fileno(), 1)
        os.dup2(self.file.fileno(), 2)
        return self

    def __exit__(self, *_):
        sys.stdout.flush()
        sys.stderr.flush()
        for number, kept in zip((1, 2), self.kept):
            os.dup2(kept, number)
            os.close(kept)
        self.file.seek(0)
        self.text = self.file.read().decode("utf-8", "replace")
        self.file.close()


def glb_chunks(path):
    """The JSON of a GLB and the bytes that follow it."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[20 + length :]


def write_glb(path, document, rest):
    """Writes beside the target and renames into place."""
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 20 + len(text) + len(rest)
    beside = path + ".part"
    with open(beside, "wb") as file:
        file.write(struct.pack("<III", 0x46546C67, 2, total))
        file.write(struct.pack("<II", len(text), 0x4E4F534A))
        file.write(text + rest)
    os.replace(beside, path)


def main_child(bone):
    """The child that a bone should point at: the one with most below it, then the one nearest
    to the middle of all."""
    away = [c for c in bone.children if (c.head - bone.head).length > 1e-6]
    if len(away) < 2:
        return away[0] if away else None
    middle = sum((c.head for c in away), away[0].head * 0) / len(away)
    return max(away, key=lambda c: (len(c.children_recursive), -(c.head - middle).length))


def aim_bones(bpy, armature):
    """Turns every bone to its child, and ends to where their parents point."""
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = armature.data.edit_bones
    for bone in bones:
        bone.use_connect = False
    for bone in bones:
        child = main_child(bone)
        if child is not None:
            bone.tail = child.head
        elif bone.parent is not None:
            along = bone.head - bone.parent.head
            if along.length > 1e-6:
                bone.tail = bone.head + 0.25 * along
    bpy.ops.object.mode_set(mode="OBJECT")


def merge(mesh_object):
    """Joins vertices at one place."""
    import bmesh

    size = max(mesh_object.dimensions) / max(max(mesh_object.scale), 1e-12)
    mesh = bmesh.new()
    mesh.from_mesh(mesh_object.data)
    bmesh.ops.remove_doubles(mesh, verts=mesh.verts, dist=SAME_PLACE * size)
    mesh.to_mesh(mesh_object.data)
    mesh.free()


def used_groups(mesh_object):
    """The names of the groups in which a vertex has weight."""
    names = {group.index: group.name for group in mesh_object.vertex_groups}
    return {
        names[entry.group]
        for vertex in mesh_object.data.vertices
        for entry in vertex.groups
        if entry.weight > 0 and entry.group in names
    }


def unweighted(mesh_object, bones):
    """Vertices that no bone moves."""
    moving = {group.index for group in mesh_object.vertex_groups if group.name in bones}
    return sum(
        1
        for vertex in mesh_object.data.vertices
        if not any(entry.weight > 0 and entry.group in moving for entry in vertex.groups)
    )


def weigh(bpy, armature, meshes, options):
    """Gives new weights; returns the seconds that it took and what was said."""
    armature.data.pose_position = "REST"
    if options.deform == "used":
        used = set().union(*(used_groups(mesh) for mesh in meshes))
        for bone in armature.data.bones:
            bone.use_deform = bone.name in used
    if options.aim_bones:
        aim_bones(bpy, armature)
    for mesh in meshes:
        mesh.vertex_groups.clear()
        for modifier in [m for m in mesh.modifiers if m.type == "ARMATURE"]:
            mesh.modifiers.remove(modifier)
        place = mesh.matrix_world.copy()
        mesh.parent = None
        mesh.matrix_world = place
        if options.merge:
            merge(mesh)
    bpy.context.view_layer.update()
    bpy.ops.object.select_all(action="DESELECT")
    for thing in [*meshes, armature]:
        thing.hide_set(False)
        thing.select_set(True)
    bpy.context.view_layer.objects.active = armature
    said = ""
    with Muted() as muted:
        start = time.perf_counter()
        try:
            bpy.ops.object.parent_set(type=WEIGHTING[options.mode])
        except RuntimeError as error:
            said = str(error)
        seconds = time.perf_counter() - start
    for mesh in meshes:
        bpy.context.view_layer.objects.active = mesh
        if mesh.vertex_groups:
            with Muted():
                bpy.ops.object.vertex_group_limit_total(limit=options.influences)
                bpy.ops.object.vertex_group_normalize_all(lock_active=False)
    failures = [line for line in (muted.text + "\n" + said).splitlines() if "fail" in line.lower()]
    return seconds, failures


def run(options):
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    with tempfile.TemporaryDirectory(prefix="blender_weights_") as folder:
        source = options.input
        if source.lower().endswith(".vrm"):  # a GLB by another name
            source = os.path.join(folder, "in.glb")
            with open(options.input, "rb") as read, open(source, "wb") as written:
                written.write(read.read())
        with Muted():
            bpy.ops.import_scene.gltf(filepath=os.path.abspath(source), disable_bone_shape=True)
        armatures = [o for o in bpy.data.objects if o.type == "ARMATURE"]
        if not armatures:
            raise SystemExit(f"{options.input} has no skeleton to bind to")
        seconds, failures, lone = 0.0, [], 0
        for armature in armatures:
            meshes = [
                o
                for o in bpy.data.objects
                if o.type == "MESH"
                and any(m.type == "ARMATURE" and m.object == armature for m in o.modifiers)
            ]
            if not meshes:
                continue
            took, said = weigh(bpy, armature, meshes, options)
            seconds += took
            failures += said
            bones = {bone.name for bone in armature.data.bones}
            lone += sum(unweighted(mesh, bones) for mesh in meshes)
        written = os.path.join(folder, "out.glb")
        with Muted():
            bpy.ops.export_scene.gltf(
                filepath=written,
                export_format="GLB",
                export_animations=False,
                export_all_influences=False,
                export_influence_nb=options.influences,
                export_materials="NONE",
                export_morph=False,
            )
        document, rest = glb_chunks(written)
    what = "automatic weights" if options.mode == "heat" else "envelope weights"
    helped = [words for words, on in (("bones aimed", options.aim_bones), ("seams merged", options.merge)) if on]
    program = f"Blender {bpy.app.version_string}, {what}"
    if helped:
        program += f" ({', '.join(helped)})"
    document["asset"].setdefault("extras", {})["ligament_peer"] = {
        "program": program,
        "seconds": seconds,
        "unweighted": lone,
    }
    write_glb(options.output, document, rest)
    return {"program": program, "seconds": seconds, "unweighted": lone, "failures": failures}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", help="a .glb, .gltf or .vrm with a skeleton and a skin")
    parser.add_argument("output", help="the .glb to write")
    parser.add_argument("--mode", choices=sorted(WEIGHTING), default="heat")
    parser.add_argument("--aim-bones", action="store_true", help="turn every bone to its child first")
    parser.add_argument("--merge", action="store_true", help="join split vertices first")
    parser.add_argument("--helped", action="store_true", help="both")
    parser.add_argument("--deform", choices=["all", "used"], default="all", help="which bones take part")
    parser.add_argument("--influences", type=int, default=4, help="bones per vertex")
    options = parser.parse_args()
    options.aim_bones |= options.helped
    options.merge |= options.helped
    if os.path.abspath(options.input) == os.path.abspath(options.output):
        parser.error("the output would overwrite the input")
    try:
        result = run(options)
    except ModuleNotFoundError as error:
        print(f"{error}; install Blender's module: pip install bpy==5.0.1", file=sys.stderr)
        return 2
    except SystemExit as error:
        print(error, file=sys.stderr)
        return 2
    print("RESULT " + json.dumps(result), flush=True)
    for failure in result["failures"]:
        print(failure, file=sys.stderr)
    if result["unweighted"]:
        print(f"{result['unweighted']} vertices have no weight", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # Blender's module now and then crashes on the way out
