# SPDX-License-Identifier: GPL-3.0-or-later
"""Bind: the same weights as elsewhere, on any object, and nothing else touched."""

import time
from types import SimpleNamespace

import bpy
import ligament
import numpy as np
import pytest
from conftest import groups, made, select
from mathutils import Matrix


def bind(**options):
    return bpy.ops.ligament.bind(**options)


def refused(operator, **options):
    with pytest.raises(RuntimeError) as raised:
        operator(**options)
    return str(raised.value)


def test_weights_are_the_engines_own(tube):
    body, armature = made(tube)
    assert bind(method="voxel") == {"FINISHED"}
    names = [b.name for b in armature.data.bones]
    ours = groups(body, names)
    np.testing.assert_allclose(ours.sum(axis=1), 1, atol=1e-5)
    assert body.modifiers[0].object == armature and body.parent == armature
    # The same character in the engine alone: bones end where Blender's tails are.
    from bl_ext.user_default.ligament.scene import Rig, Skin

    skin, rig = Skin([body]), Rig(armature)
    direct = ligament.bind(
        skin.vertices, skin.faces, rig.matrices, rig.parents, names=rig.names, deform=rig.deform, method="voxel"
    ).dense()
    np.testing.assert_allclose(ours, direct[:, : len(names)], atol=1e-6)


def test_unapplied_transforms_change_nothing(tube):
    body, armature = made(tube)
    bind(method="voxel")
    names = [b.name for b in armature.data.bones]
    before = groups(body, names)
    body.parent = None
    body.vertex_groups.clear()
    # The mesh in centimetres, turned, and scaled back by its object.
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], np.float32)
    places = np.array([v.co for v in body.data.vertices], np.float32) @ turn.T * 100
    body.data.vertices.foreach_set("co", places.ravel())
    body.scale = (0.01, 0.01, 0.01)
    body.rotation_euler = (0, 0, -np.pi / 2)
    bpy.context.view_layer.update()
    select(body, armature)
    assert bind(method="voxel") == {"FINISHED"}
    np.testing.assert_allclose(groups(body, names), before, atol=2e-2)


def test_other_and_locked_groups_are_kept(tube):
    body, armature = made(tube)
    names = [b.name for b in armature.data.bones]
    other = body.vertex_groups.new(name="cloth pin")
    other.add([0, 3], 0.7, "REPLACE")
    locked = body.vertex_groups.new(name=names[0])
    locked.add(list(range(len(body.data.vertices))), 0.25, "REPLACE")
    locked.lock_weight = True
    body.shape_key_add(name="Basis")
    key = body.shape_key_add(name="Smile")
    key.data[0].co.x += 1
    assert bind(method="closest") == {"FINISHED"}
    found = groups(body, names)
    np.testing.assert_allclose(found[:, 0], 0.25, atol=1e-6)
    np.testing.assert_allclose(found.sum(axis=1), 1, atol=1e-5)
    pinned = groups(body, ["cloth pin"])[:, 0]
    assert pinned[0] == pytest.approx(0.7) and pinned[3] == pytest.approx(0.7) and pinned.sum() == pytest.approx(1.4)
    keys = body.data.shape_keys.key_blocks
    assert keys["Smile"].data[0].co.x - keys["Basis"].data[0].co.x == pytest.approx(1)


def test_deform_is_a_flag_and_only_selected_vertices_may_change(tube):
    body, armature = made(tube)
    names = [b.name for b in armature.data.bones]
    armature.data.bones[-1].use_deform = False
    bind(method="closest")
    assert groups(body, names)[:, -1].sum() == 0
    before = groups(body, names)
    armature.data.bones[-1].use_deform = True
    body.data.vertices.foreach_set("select", [i < 50 for i in range(len(body.data.vertices))])
    select(body, armature)
    bind(method="heat", only_selected=True)
    after = groups(body, names)
    np.testing.assert_array_equal(before[50:], after[50:])
    assert np.abs(before[:50] - after[:50]).max() > 1e-3


def test_three_meshes_are_one_character(tube):
    body, armature = made(tube)
    whole_options = {"method": "closest"}
    bind(**whole_options)
    names = [b.name for b in armature.data.bones]
    copies = []
    for number in range(2):
        copy = bpy.data.objects.new(f"Copy{number}", body.data.copy())
        bpy.context.collection.objects.link(copy)
        copies.append(copy)
    select(body, *copies, armature)
    assert bind(**whole_options) == {"FINISHED"}
    for copy in copies:
        assert copy.parent == armature
        np.testing.assert_allclose(groups(copy, names), groups(body, names), atol=1e-6)


def test_parts_with_transforms_of_their_own_are_one_character():
    """One body cut into three objects, each scaled, turned or mirrored in another way, gets the weights that it has as one."""
    hound = ligament.open("sample:hound@1200")
    body, armature = made(hound)
    assert bind(method="voxel") == {"FINISHED"}
    names = [b.name for b in armature.data.bones]
    whole, places = groups(body, names), np.array([v.co for v in body.data.vertices])
    faces = np.array([face.vertices[:] for face in body.data.polygons])
    bpy.data.objects.remove(body)
    turns = [
        Matrix.Translation((3, -1, 2)) @ Matrix.Diagonal((0.01, 0.01, 0.01, 1)),
        Matrix.Rotation(1.1, 4, "X") @ Matrix.Rotation(-0.4, 4, "Z") @ Matrix.Diagonal((2, 2, 2, 1)),
        Matrix.Diagonal((-1, 1, 1, 1)),
    ]
    parts = []
    for number, (turn, own) in enumerate(zip(turns, np.array_split(faces, 3), strict=True)):
        used, corners = np.unique(own, return_inverse=True)
        corners = corners.reshape(-1, 3)
        if turn.determinant() < 0:
            corners = corners[:, ::-1]
        mesh = bpy.data.meshes.new(f"Part{number}")
        back = np.array(turn.inverted())
        local = places[used] @ back[:3, :3].T + back[:3, 3]
        mesh.from_pydata(local.tolist(), [], corners.tolist())
        part = bpy.data.objects.new(f"Part{number}", mesh)
        part.matrix_world = turn
        bpy.context.collection.objects.link(part)
        parts.append((part, used))
    select(*(part for part, _ in parts), armature)
    assert bind(method="voxel") == {"FINISHED"}
    for part, used in parts:
        assert part.parent == armature
        apart = np.abs(groups(part, names) - whole[used])
        # Places go through 32-bit matrices: a voxel at the border may fall to the other side.
        assert apart.mean() < 1e-3 and apart.max() < 0.05, (apart.mean(), apart.max())


def test_what_cannot_be_done_is_said(tube):
    body, armature = made(tube)
    select(body)
    assert "no armature" in refused(bind)
    empty = bpy.data.objects.new("Empty", bpy.data.meshes.new("Empty"))
    bpy.context.collection.objects.link(empty)
    select(empty, armature)
    assert "has no vertices" in refused(bind)
    for bone in armature.data.bones:
        bone.use_deform = False
    select(body, armature)
    assert "Deform" in refused(bind)
    for bone in armature.data.bones:
        bone.use_deform = True
    cast = body.modifiers.new("Cast", "CAST")
    assert "Cast" in refused(bind)
    cast.show_viewport = False
    body.modifiers.new("Subsurf", "SUBSURF")
    assert bind(method="closest") == {"FINISHED"}
    twin = bpy.data.objects.new("Twin", body.data)
    bpy.context.collection.objects.link(twin)
    select(body, twin, armature)
    assert "share one mesh" in refused(bind)


def test_linked_data_and_overrides_are_refused(tube, tmp_path):
    body, armature = made(tube)
    library = str(tmp_path / "library.blend")
    bpy.data.libraries.write(library, {body, armature})
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    with bpy.data.libraries.load(library, link=True) as (theirs, ours):
        ours.objects = list(theirs.objects)
    linked = {obj.type: obj for obj in ours.objects}
    for obj in linked.values():
        bpy.context.collection.objects.link(obj)
    select(linked["MESH"], linked["ARMATURE"])
    assert "linked" in refused(bind)
    override = linked["MESH"].override_create(remap_local_usages=True)
    select(override, linked["ARMATURE"])
    assert "library override" in refused(bind) and "Make Local" in refused(bind)


def test_three_hundred_bones():
    count = 300
    ring = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    vertices = [(0.1 * np.cos(a), 0.1 * np.sin(a), z / 10) for z in range(count + 1) for a in ring]
    faces = []
    for level in range(count):
        for side in range(8):
            a, b = 8 * level + side, 8 * level + (side + 1) % 8
            faces += [(a, b, b + 8), (a, b + 8, a + 8)]
    data = bpy.data.armatures.new("Chain")
    chain = bpy.data.objects.new("Chain", data)
    bpy.context.collection.objects.link(chain)
    bpy.context.view_layer.objects.active = chain
    bpy.ops.object.mode_set(mode="EDIT")
    above = None
    for number in range(count):
        bone = data.edit_bones.new(f"b{number}")
        bone.head, bone.tail, bone.parent = (0, 0, number / 10), (0, 0, (number + 1) / 10), above
        above = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = bpy.data.meshes.new("Hose")
    mesh.from_pydata(vertices, [], faces)
    hose = bpy.data.objects.new("Hose", mesh)
    bpy.context.collection.objects.link(hose)
    select(hose, chain)
    assert bind(method="closest") == {"FINISHED"}
    assert len(hose.vertex_groups) == count
    np.testing.assert_allclose(groups(hose).sum(axis=1), 1, atol=1e-5)


def test_the_machine_is_polled_cancelled_and_finished(tube):
    """Timers do not fire without a window: `modal` gets events of the test's own."""
    from bl_ext.user_default.ligament import operators

    body, armature = made(tube)

    class Told:
        """What an operator needs of Blender while it runs."""

        def __init__(self):
            self.told, self.shown = [], []

        def report(self, kind, text):
            self.told.append((kind, text))

        def event_timer_add(self, *_, **__):
            return "timer"

        def modal_handler_add(self, _):
            pass

        def event_timer_remove(self, _):
            pass

        def progress_begin(self, *_):
            pass

        def progress_update(self, _):
            pass

        def progress_end(self):
            pass

        def status_text_set(self, text):
            self.shown.append(text)

    def machine(**options):
        told = Told()
        operator = type("Machine", (operators.LIGAMENT_OT_bind.__mro__[1],), dict(vars(operators.LIGAMENT_OT_bind)))
        made = operator.__new__(operator)
        for name, value in {"method": "closest", "influences": 4, "falloff": 0.2, "only_selected": False, **options}.items():
            setattr(made, name, value)
        made.report = told.report
        context = SimpleNamespace(
            view_layer=bpy.context.view_layer,
            preferences=bpy.context.preferences,
            window=None,
            window_manager=told,
            workspace=told,
        )
        return made, context, told

    tick, escape = SimpleNamespace(type="TIMER"), SimpleNamespace(type="ESC")
    running, context, told = machine(method="best")
    assert running.invoke(context, None) == {"RUNNING_MODAL"}
    assert running.modal(context, SimpleNamespace(type="MOUSEMOVE")) == {"PASS_THROUGH"}
    end = time.monotonic() + 60
    while (state := running.modal(context, tick)) == {"RUNNING_MODAL"} and time.monotonic() < end:
        time.sleep(0.01)
    assert state == {"FINISHED"}, told.told
    assert told.shown[-1] is None and body.vertex_groups

    body.vertex_groups.clear()
    running, context, told = machine(method="biharmonic")
    running.invoke(context, None)
    state = running.modal(context, escape)
    while state == {"RUNNING_MODAL"} and time.monotonic() < end:
        time.sleep(0.01)
        state = running.modal(context, tick)
    assert state == {"CANCELLED"} and not body.vertex_groups


def test_50k_vertices_are_written_in_under_half_a_second():
    from bl_ext.user_default.ligament.scene import write_weights

    count, width = 50_000, 4
    mesh = bpy.data.meshes.new("Many")
    mesh.vertices.add(count)
    many = bpy.data.objects.new("Many", mesh)
    bpy.context.collection.objects.link(many)
    random = np.random.default_rng(1)
    indices = np.argsort(random.random((count, 40)), axis=1)[:, :width]
    weights = random.dirichlet(np.ones(width), count).astype(np.float32)
    took = []
    for _ in range(3):
        start = time.process_time()
        write_weights(many, [f"b{j}" for j in range(40)], indices, weights)
        took.append(time.process_time() - start)
    # Processor time: other programs on the machine do not count.
    print(f"50k vertices with 4 weights each: {min(took):.3f} s")
    found = groups(many, [f"b{j}" for j in range(40)])
    np.testing.assert_allclose(found[np.arange(count)[:, None], indices], weights, atol=1e-6)
    assert min(took) < 0.5
