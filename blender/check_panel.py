# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks in the sidebar: what is broken, where, in which pose; a click goes there."""

import json

import bpy
import numpy as np
from bpy.props import CollectionProperty, EnumProperty, FloatProperty, IntProperty, StringProperty

from .operators import LIGAMENT_OT_bind, LIGAMENT_OT_rig, LIGAMENT_OT_transfer, character_of
from .posing import bases, clip_of, frame_at, show, strike
from .preferences import threads
from .scene import Refused, Rig, Skin, armature_of, meshes_of, weights_of
from .solving import Solving, collecting, found_again

ICONS = {"sound": "CHECKMARK", "suspect": "ERROR", "broken": "CANCEL"}


class LIGAMENT_finding(bpy.types.PropertyGroup):
    """One place that is worth a look, and the pose to look at it in."""

    label: StringProperty()
    verdict: StringProperty()
    object_name: StringProperty()
    vertex: IntProperty()
    armature_name: StringProperty()
    pose_name: StringProperty()
    #: Seconds from the start of the armature's action; -1 in a pose of the range of motion.
    seconds: FloatProperty(default=-1)
    #: That pose: for each bone that is turned the matrix of its basis, as JSON.
    basis: StringProperty()


class LIGAMENT_findings(bpy.types.PropertyGroup):
    """What the last check found."""

    headline: StringProperty()
    report: StringProperty()
    findings: CollectionProperty(type=LIGAMENT_finding)


class LIGAMENT_OT_check(Solving, bpy.types.Operator):
    """Pose the selected meshes, measure what their skin does, and list what is broken in the sidebar.\nbpy.ops.ligament.check(poses='auto')"""

    bl_idname = "ligament.check"
    bl_label = "Check (Ligament)"

    poses: EnumProperty(
        name="Poses",
        items=[
            ("auto", "Automatic", "The armature's action if it bends bones, a range of motion otherwise"),
            ("clips", "Action", "Frames of the armature's action"),
            ("range", "Range of Motion", "Every joint to both ends of its limits"),
        ],
        description="In which poses the skin is measured",
    )

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(o.type == "MESH" for o in context.view_layer.objects.selected)

    def gather(self, context):
        objects, armature = meshes_of(context), armature_of(context)
        skin, rig = self.skin, self.rig = Skin(objects), Rig(armature)
        bound = weights_of(skin, rig, objects)
        clip = clip_of(context.scene, armature, rig) if self.poses != "range" else None
        if clip is None and self.poses == "clips":
            raise Refused(f"'{armature.name}' has no action to pose it; choose other poses, or give it one")
        clips = {clip[0]: clip[1:]} if clip else None
        poses, count = self.poses, threads(context)

        def work(progress):
            character = character_of(skin, rig, bound, clips)
            report = character.check(poses=poses, threads=count, progress=progress)
            return report, character.check_frames(poses=poses), character.joint_names

        return collecting(work)

    def apply(self, context, result):
        (report, frames, joints), _ = result
        armature = found_again(self.rig.name)
        number = {name: index for index, name in enumerate(joints)}
        joint_of = {bone: number[name] for bone, name in zip(self.rig.bones, self.rig.names, strict=False)}
        kept = context.scene.ligament
        kept.headline = report["headline"]
        kept.report = json.dumps(report, indent=1)
        kept.findings.clear()
        for region in report["regions"]:
            if region["verdict"] == "sound":
                continue
            item = kept.findings.add()
            item.verdict = region["verdict"]
            item.label = f"{region['name']}: {region['worst']}"
            item.object_name, item.vertex = self._place(region["vertex"])
            item.armature_name = armature.name
            frame = region["frame"]
            if frame is None:
                continue
            item.pose_name = frame["name"]
            if frame["seconds"] is not None:
                item.seconds = frame["seconds"]
                continue
            moves = frames[frame["number"]].matrices
            turned = bases(armature, {bone: moves[joint] for bone, joint in joint_of.items() if bone in armature.data.bones})
            item.basis = json.dumps({bone: m.tolist() for bone, m in turned.items() if abs(m - np.eye(4)).max() > 1e-6})
        self.report({"INFO"}, report["headline"])

    def _place(self, vertex):
        for name, rows in self.skin.slices():
            if rows.start <= vertex < rows.stop:
                return name, vertex - rows.start
        return "", 0


class LIGAMENT_OT_go_there(bpy.types.Operator):
    """Select the vertices of a finding and pose the armature as it was when it was found.\nbpy.ops.ligament.go_there(index=0)"""

    bl_idname = "ligament.go_there"
    bl_label = "Go There"
    bl_options = {"REGISTER", "UNDO"}

    index: IntProperty(min=0)

    @classmethod
    def description(cls, context, properties):
        findings = context.scene.ligament.findings
        if properties.index < len(findings) and findings[properties.index].pose_name:
            return f"Select the vertices, and pose the armature: {findings[properties.index].pose_name}"
        return "Select the vertices"

    def execute(self, context):
        findings = context.scene.ligament.findings
        if self.index >= len(findings):
            self.report({"ERROR"}, "there is no such finding; check again")
            return {"CANCELLED"}
        finding = findings[self.index]
        try:
            obj, armature = found_again(finding.object_name), found_again(finding.armature_name)
        except Refused as refused:
            self.report({"ERROR"}, str(refused))
            return {"CANCELLED"}
        for other in context.view_layer.objects.selected:
            other.select_set(False)
        obj.select_set(True)
        context.view_layer.objects.active = obj
        _select_around(obj.data, finding.vertex)
        self._pose(context.scene, finding, armature)
        return {"FINISHED"}

    def _pose(self, scene, finding, armature):
        if finding.seconds >= 0:
            frame = frame_at(scene, armature, finding.seconds)
            if frame is None:
                self.report({"WARNING"}, f"'{armature.name}' has lost its action; check again")
            else:
                show(scene, frame)
        elif finding.basis:
            strike(armature, json.loads(finding.basis))
        if finding.pose_name:
            self.report({"INFO"}, finding.pose_name)


def _select_around(mesh, vertex):
    """Selects a vertex and those of the faces around it, and nothing else."""
    chosen = np.zeros(len(mesh.vertices), bool)
    if vertex < len(chosen):
        ends = np.empty(len(mesh.loops), np.int32)
        mesh.loops.foreach_get("vertex_index", ends)
        totals = np.empty(len(mesh.polygons), np.int32)
        mesh.polygons.foreach_get("loop_total", totals)
        face = np.repeat(np.arange(len(totals)), totals)
        around = np.zeros(len(totals), bool)
        around[face[ends == vertex]] = True
        chosen[ends[around[face]]] = True
        chosen[vertex] = True
    mesh.polygons.foreach_set("select", np.zeros(len(mesh.polygons), bool))
    mesh.edges.foreach_set("select", np.zeros(len(mesh.edges), bool))
    mesh.vertices.foreach_set("select", chosen)
    mesh.update()


class LIGAMENT_OT_copy_report(bpy.types.Operator):
    """Copy the last check's report, as JSON.\nbpy.ops.ligament.copy_report()"""

    bl_idname = "ligament.copy_report"
    bl_label = "Copy Report"

    def execute(self, context):
        context.window_manager.clipboard = context.scene.ligament.report
        return {"FINISHED"}


class LIGAMENT_PT_sidebar(bpy.types.Panel):
    """The sidebar."""

    bl_label = "Ligament"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Ligament"

    def draw(self, context):
        column = self.layout.column(align=True)
        column.operator_context = "INVOKE_DEFAULT"
        column.operator(LIGAMENT_OT_bind.bl_idname, text="Bind", icon="BONE_DATA")
        column.operator(LIGAMENT_OT_rig.bl_idname, text="Rig", icon="ARMATURE_DATA")
        column.operator(LIGAMENT_OT_transfer.bl_idname, text="Transfer", icon="MOD_CLOTH")
        column.operator_menu_enum("ligament.weights", "tool", text="Weights", icon="MOD_VERTEX_WEIGHT")
        column.operator("ligament.fit_field", text="Fit Field", icon="FILE_TICK")
        self.layout.operator_context = "INVOKE_DEFAULT"
        self.layout.operator(LIGAMENT_OT_check.bl_idname, text="Check", icon="VIEWZOOM")
        kept = context.scene.ligament
        if not kept.headline:
            return
        self.layout.label(text=kept.headline)
        box = self.layout.column(align=True)
        for index, finding in enumerate(kept.findings):
            row = box.operator("ligament.go_there", text=finding.label, icon=ICONS.get(finding.verdict, "DOT"))
            row.index = index
        if not kept.findings:
            self.layout.label(text="Nothing found near any joint")
        self.layout.operator("ligament.copy_report", icon="COPYDOWN")


CLASSES = (
    LIGAMENT_finding,
    LIGAMENT_findings,
    LIGAMENT_OT_check,
    LIGAMENT_OT_go_there,
    LIGAMENT_OT_copy_report,
    LIGAMENT_PT_sidebar,
)


def register():
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    bpy.types.Scene.ligament = bpy.props.PointerProperty(type=LIGAMENT_findings)


def unregister():
    del bpy.types.Scene.ligament
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
