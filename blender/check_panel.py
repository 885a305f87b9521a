# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks in the sidebar: what is broken, where, in which pose; a click goes there."""

import json

import bpy
from bpy.props import CollectionProperty, IntProperty, StringProperty

from .operators import LIGAMENT_OT_bind, LIGAMENT_OT_rig, LIGAMENT_OT_transfer, character_of
from .preferences import threads
from .scene import Refused, Rig, Skin, armature_of, meshes_of, weights_of
from .solving import Solving, collecting, found_again

ICONS = {"sound": "CHECKMARK", "suspect": "ERROR", "broken": "CANCEL"}


class LIGAMENT_finding(bpy.types.PropertyGroup):
    """One place that is worth a look."""

    label: StringProperty()
    verdict: StringProperty()
    object_name: StringProperty()
    vertex: IntProperty()


class LIGAMENT_findings(bpy.types.PropertyGroup):
    """What the last check found."""

    headline: StringProperty()
    report: StringProperty()
    findings: CollectionProperty(type=LIGAMENT_finding)


class LIGAMENT_OT_check(Solving, bpy.types.Operator):
    """Pose the selected meshes within joint limits and measure what their skin does.\nbpy.ops.ligament.check()"""

    bl_idname = "ligament.check"
    bl_label = "Check (Ligament)"

    @classmethod
    def poll(cls, context):
        return context.mode == "OBJECT" and any(o.type == "MESH" for o in context.view_layer.objects.selected)

    def gather(self, context):
        objects = meshes_of(context)
        skin, rig = self.skin, self.rig = Skin(objects), Rig(armature_of(context))
        bound = weights_of(skin, rig, objects)
        options = {"poses": "range", "threads": threads(context)}
        return collecting(lambda progress: character_of(skin, rig, bound).check(**options, progress=progress))

    def apply(self, context, result):
        report, _ = result
        kept = context.scene.ligament
        kept.headline = report["headline"]
        kept.report = json.dumps(report, indent=1)
        kept.findings.clear()
        for region in report["regions"]:
            if region["verdict"] == "sound":
                continue
            item = kept.findings.add()
            item.verdict = region["verdict"]
            item.label = f"{region['joint']}: {region['measure']}" if "measure" in region else str(region["joint"])
            item.object_name, item.vertex = self._place(region["vertex"])
        self.report({"INFO"}, report["headline"])

    def _place(self, vertex):
        for name, rows in self.skin.slices():
            if rows.start <= vertex < rows.stop:
                return name, vertex - rows.start
        return "", 0


class LIGAMENT_OT_go_there(bpy.types.Operator):
    """Select the vertices of a finding.\nbpy.ops.ligament.go_there(index=0)"""

    bl_idname = "ligament.go_there"
    bl_label = "Go There"
    bl_options = {"REGISTER", "UNDO"}

    index: IntProperty(min=0)

    def execute(self, context):
        findings = context.scene.ligament.findings
        if self.index >= len(findings):
            self.report({"ERROR"}, "there is no such finding; check again")
            return {"CANCELLED"}
        finding = findings[self.index]
        try:
            obj = found_again(finding.object_name)
        except Refused as refused:
            self.report({"ERROR"}, str(refused))
            return {"CANCELLED"}
        for other in context.view_layer.objects.selected:
            other.select_set(False)
        obj.select_set(True)
        context.view_layer.objects.active = obj
        mesh = obj.data
        chosen = [False] * len(mesh.vertices)
        if finding.vertex < len(chosen):
            chosen[finding.vertex] = True
        mesh.polygons.foreach_set("select", [False] * len(mesh.polygons))
        mesh.edges.foreach_set("select", [False] * len(mesh.edges))
        mesh.vertices.foreach_set("select", chosen)
        mesh.update()
        return {"FINISHED"}


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
