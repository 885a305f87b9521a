# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be done. Every operator works from a script too; its description ends with the line of Python."""

import bpy
import numpy as np
from bpy.props import BoolProperty, EnumProperty, FloatProperty, IntProperty

from . import rig_names
from .preferences import threads
from .scene import (
    UPRIGHT,
    Refused,
    Rig,
    Skin,
    armature_of,
    follow,
    meshes_of,
    refuse_modifiers,
    refuse_what_cannot_be_written,
    weights_of,
    write_weights,
)
from .solving import Solving, collecting, found_again

METHODS = [
    ("best", "Best", "The mean of voxel and heat, which err in different places"),
    ("voxel", "Voxel", "Distances through the solid that the mesh encloses: for any mesh, however broken"),
    ("heat", "Heat", "Heat from the bones that spreads over the skin"),
    ("biharmonic", "Biharmonic", "Bounded biharmonic weights in the solid: smooth, and slow"),
    ("closest", "Closest", "The nearest bones in a straight line"),
]


def character_of(skin, rig=None, bound=None, clips=None):
    """The engine's character. It is imported when it is needed: the engine takes a moment to load."""
    import ligament

    given = {"vertices": skin.vertices, "faces": skin.faces, "parts": skin.parts, "name": skin.names[0]}
    if rig is not None:
        given |= {"joints": rig.matrices, "parents": rig.parents, "names": rig.names}
    if bound is not None:
        given |= {"indices": bound[0], "weights": bound[1]}
    if clips:
        given |= {"clips": clips}
    return ligament.Character.from_arrays(**given)


def writable_meshes(context):
    """The selected meshes; fails at what cannot be written, before any work is done."""
    objects = meshes_of(context)
    if not objects:
        raise Refused("no mesh is selected")
    for obj in objects:
        refuse_what_cannot_be_written(obj)
    shared = [o.name for o in objects if sum(o.data == other.data for other in objects) > 1]
    if shared:
        raise Refused(f"{', '.join(shared)} share one mesh; make it single-user first (Object > Relations)")
    return objects


def written(skin, character, rig, only_selected=False):
    """Writes a character's weights into the meshes that it was made of."""
    bone_of = {name: bone for name, bone in zip(rig.names, rig.bones, strict=False)}
    bones = [bone_of.get(name, name) for name in character.joint_names]
    for name, rows in skin.slices():
        write_weights(found_again(name), bones, character.indices[rows], character.weights[rows], only_selected)


class LIGAMENT_OT_bind(Solving, bpy.types.Operator):
    """Give the selected meshes weights for the armature's deform bones, all as one character.\nbpy.ops.ligament.bind(method='best')"""

    bl_idname = "ligament.bind"
    bl_label = "Bind (Ligament)"

    method: EnumProperty(name="Method", items=METHODS, default="best", description="How weights are found")
    influences: IntProperty(
        name="Influences", default=4, min=1, max=64, description="The most bones that a vertex follows; engines take 4 or 8"
    )
    falloff: FloatProperty(
        name="Falloff", default=0.2, min=0, max=1, description="How fast weights fall: 0 smooth, 1 sharp (best and voxel)"
    )
    only_selected: BoolProperty(
        name="Selected Vertices", description="Change only vertices that are selected in edit mode; the others keep theirs"
    )

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(o.type == "MESH" for o in context.view_layer.objects.selected)

    def gather(self, context):
        objects = writable_meshes(context)
        for obj in objects:
            refuse_modifiers(obj)
        armature = armature_of(context)
        self.skin, self.rig = Skin(objects), Rig(armature)
        skin, rig = self.skin, self.rig
        options = {"method": self.method, "influences": self.influences, "threads": threads(context)}
        options["deform"] = rig.without_locked(objects)
        if self.method in ("best", "voxel") and abs(self.falloff - 0.2) > 1e-6:
            options["falloff"] = self.falloff
        return collecting(lambda progress: character_of(skin, rig).bind(**options, progress=progress))

    def apply(self, context, result):
        character, found = result
        armature = found_again(self.rig.name)
        written(self.skin, character, self.rig, self.only_selected)
        for name in self.skin.names:
            follow(found_again(name), armature)
        self.tell([w for w in found if w[0] != "joints_left_out"])
        count = len(self.skin.vertices)
        self.report({"INFO"}, f"{count} vertices of {len(self.skin.names)} meshes follow '{armature.name}'")


class LIGAMENT_OT_rig(Solving, bpy.types.Operator):
    """Find a skeleton in the selected meshes, make an armature of it, and bind them.\nbpy.ops.ligament.rig(detail=0.5)"""

    bl_idname = "ligament.rig"
    bl_label = "Rig (Ligament)"

    detail: FloatProperty(
        name="Detail", default=0.5, min=0, max=1, description="How small a thing gets bones: 0 for limbs alone, 1 for fingers too"
    )
    names: EnumProperty(
        name="Names",
        items=[
            ("ligament", "Plain", "hips, spine, left_upper_arm and so on"),
            ("rigify", "Rigify", "spine, upper_arm.L and so on, as Rigify's deform bones"),
            ("unreal", "Unreal", "pelvis, upperarm_l and so on, as Unreal's mannequin"),
        ],
        description="What bones are called",
    )

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(o.type == "MESH" for o in context.view_layer.objects.selected)

    def gather(self, context):
        skin = self.skin = Skin(writable_meshes(context))
        for name in skin.names:
            refuse_modifiers(bpy.data.objects[name])
        options = {"detail": self.detail, "threads": threads(context)}
        return collecting(lambda progress: character_of(skin).rig(**options, progress=progress))

    def apply(self, context, result):
        character, found = result
        places = character.joints @ UPRIGHT[:3, :3]  # back to Blender's axes
        names = rig_names.renamed(character.joint_names, self.names)
        armature = _armature(context, character, places, names)
        for name, rows in self.skin.slices():
            obj = found_again(name)
            write_weights(obj, names, character.indices[rows], character.weights[rows])
            follow(obj, armature)
        self.tell(found)
        self.report({"INFO"}, f"{character.report['body']} with {len(armature.data.bones)} bones")


def _armature(context, character, places, names):
    """An armature of joints: bones reach to their children, ends a little further."""
    data = bpy.data.armatures.new("Ligament")
    armature = bpy.data.objects.new("Ligament", data)
    context.collection.objects.link(armature)
    kept, active = list(context.view_layer.objects.selected), context.view_layer.objects.active
    for obj in kept:
        obj.select_set(False)
    context.view_layer.objects.active = armature
    armature.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")
    parents, in_skin = character.parents, character.in_skin
    bones = {}
    for joint in np.flatnonzero(in_skin):
        bone = bones[int(joint)] = data.edit_bones.new(names[joint])
        bone.head = places[joint]
        children = [c for c in np.flatnonzero(parents == joint) if in_skin[c]]
        away = [c for c in children if np.linalg.norm(places[c] - places[joint]) > 1e-6]
        above = int(parents[joint])
        if away:
            bone.tail = places[away[0]] if len(away) == 1 else np.mean(places[away], axis=0)
        elif above in bones:
            bone.tail = places[joint] + 0.5 * (places[joint] - places[above])
        if bone.length < 1e-4:
            bone.tail = places[joint] + [0, 0, 0.05]
        if above in bones:
            bone.parent = bones[above]
    bpy.ops.object.mode_set(mode="OBJECT")
    armature.select_set(False)
    for obj in kept:
        obj.select_set(True)
    context.view_layer.objects.active = active
    return armature


class LIGAMENT_OT_transfer(Solving, bpy.types.Operator):
    """Transfer weights from the active mesh (the body) to the other selected meshes (garments).\nbpy.ops.ligament.transfer()"""

    bl_idname = "ligament.transfer"
    bl_label = "Transfer (Ligament)"

    distance: FloatProperty(
        name="Distance", default=0.05, min=0, soft_max=0.2, description="How far a counterpart may be away, as a share of the size"
    )

    @classmethod
    def poll(cls, context):
        active = context.view_layer.objects.active
        return context.mode == "OBJECT" and active is not None and active.type == "MESH"

    def gather(self, context):
        body = context.view_layer.objects.active
        garments = [o for o in meshes_of(context) if o != body]
        if not garments:
            raise Refused("select the garments first and the body last")
        for obj in garments:
            refuse_what_cannot_be_written(obj)
        follows = [m.object for m in body.modifiers if m.type == "ARMATURE" and m.object]
        if not follows:
            raise Refused(f"'{body.name}' follows no armature; bind it first")
        self.rig, skin = Rig(follows[0]), Skin([body])
        self.skins = [Skin([garment]) for garment in garments]
        rig, skins = self.rig, self.skins
        bound = weights_of(skin, rig, [body])
        options = {"distance": self.distance, "threads": threads(context)}

        def work(progress):
            source = character_of(skin, rig, bound)
            return source.transfer([character_of(s) for s in skins], **options, progress=progress)

        return collecting(work)

    def apply(self, context, result):
        characters, found = result
        armature = found_again(self.rig.name)
        for skin, character in zip(self.skins, characters, strict=True):
            written(skin, character, self.rig)
            follow(found_again(skin.names[0]), armature)
        self.tell(found)
        matched = sum(c.report["matched"] for c in characters)
        self.report({"INFO"}, f"{len(characters)} garments follow '{armature.name}'; {matched} points matched the body")


class LIGAMENT_OT_weights(Solving, bpy.types.Operator):
    """Mirror, smooth, prune or limit the weights that the selected meshes have.\nbpy.ops.ligament.weights(tool='mirror')"""

    bl_idname = "ligament.weights"
    bl_label = "Weights (Ligament)"

    tool: EnumProperty(
        name="Tool",
        items=[
            ("mirror", "Mirror", "One side's weights on both"),
            ("smooth", "Smooth", "Even weights out along the surface"),
            ("prune", "Prune", "Drop small weights"),
            ("limit", "Limit", "Fewer bones for each vertex, with the least change of the motion"),
            ("repair", "Repair", "Put right what measures find broken"),
        ],
        description="What is done",
    )
    length: FloatProperty(name="Length", default=0.01, min=0, soft_max=0.1, description="Smooth: how far, as a share of the size")
    threshold: FloatProperty(name="Threshold", default=0.01, min=0, max=1, description="Prune: weights under this are dropped")
    influences: IntProperty(name="Influences", default=4, min=1, max=64, description="Limit: the most bones for a vertex")
    negative: BoolProperty(name="From -X", description="Mirror: from the side of negative x")

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(o.type == "MESH" for o in context.view_layer.objects.selected)

    def gather(self, context):
        objects = writable_meshes(context)
        self.skin, self.rig = Skin(objects), Rig(armature_of(context))
        skin, rig, tool = self.skin, self.rig, self.tool
        bound = weights_of(skin, rig, objects)
        options = {
            "mirror": {"negative": self.negative},
            "smooth": {"length": self.length},
            "prune": {"threshold": self.threshold},
            "limit": {"influences": self.influences},
            "repair": {},
        }[tool] | {"threads": threads(context)}
        return collecting(lambda progress: character_of(skin, rig, bound).weight_tools(tool, **options, progress=progress))

    def apply(self, context, result):
        character, found = result
        written(self.skin, character, self.rig)
        self.tell(found)
        self.report({"INFO"}, f"{self.tool}: {character.report[0]['changed']} vertices changed")


class LIGAMENT_OT_fit_field(Solving, bpy.types.Operator):
    """Fit a field of weights to the selected meshes and keep it in a file, for their levels of detail.\nbpy.ops.ligament.fit_field(filepath='hero.cells')"""

    bl_idname = "ligament.fit_field"
    bl_label = "Fit Field (Ligament)"

    filepath: bpy.props.StringProperty(name="File", subtype="FILE_PATH", description="Where the field is kept: a .cells file")
    steps: IntProperty(name="Steps", default=6000, min=1, description="Steps of the fit at most")

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(o.type == "MESH" for o in context.view_layer.objects.selected)

    def gather(self, context):
        if not self.filepath:
            raise Refused("choose a file for the field")
        skin, rig = Skin(meshes_of(context)), Rig(armature_of(context))
        options = {
            "output": bpy.path.abspath(self.filepath),
            "steps": self.steps,
            "deform": rig.deform,
            "threads": threads(context),
        }
        return collecting(lambda progress: character_of(skin, rig).fit_field(**options, progress=progress))

    def apply(self, context, result):
        field, found = result
        self.tell(found)
        self.report({"INFO"}, f"wrote a field of {field.info()['cells']} cells to {self.filepath}")


CLASSES = (LIGAMENT_OT_bind, LIGAMENT_OT_rig, LIGAMENT_OT_transfer, LIGAMENT_OT_weights, LIGAMENT_OT_fit_field)


def in_parenting_menu(self, context):
    """Beside Blender's automatic weights."""
    self.layout.operator_context = "INVOKE_DEFAULT"
    self.layout.operator(LIGAMENT_OT_bind.bl_idname)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.VIEW3D_MT_object_parent.append(in_parenting_menu)


def unregister():
    bpy.types.VIEW3D_MT_object_parent.remove(in_parenting_menu)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
