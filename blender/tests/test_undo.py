# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of undo takes an operator back, and the scene is as it was: everything that Blender saves of its objects."""

import bpy
import ligament
import numpy as np
import pytest
from conftest import groups, made, select

#: What characters are made of. Settings of scenes are left out: Blender 4.2 does not survive to be asked for all of them.
KINDS = ("collections", "objects", "meshes", "armatures", "actions", "shape_keys", "materials")
#: What says when or how often data was used, or is worked out from the rest.
APART = {"rna_type", "users", "session_uid", "tag", "is_evaluated", "original", "is_runtime_data"}


def dump(thing, depth=0):
    """A data-block with everything in it; other data-blocks by their names."""
    if isinstance(thing, bpy.types.ID) and depth:
        return f"{type(thing).__name__} {thing.name}"
    if isinstance(thing, bpy.types.bpy_struct):
        if depth > 6:
            return "…"
        found = {}
        for prop in thing.bl_rna.properties:
            kept = not prop.is_readonly or prop.type in ("POINTER", "COLLECTION")
            if kept and prop.identifier not in APART and (not depth or prop.identifier not in ("id_data", "parent", "children")):
                found[prop.identifier] = dump(getattr(thing, prop.identifier, None), depth + 1)
        return found
    if isinstance(thing, (bool, int, float, str, bytes, type(None))):
        return thing
    if isinstance(thing, set):
        return sorted(thing)
    try:
        return [dump(each, depth + 1) for each in thing]
    except TypeError:
        return str(thing)


def scene():
    """All that a scene is, as plain values."""
    bpy.context.view_layer.update()
    whole = {kind: {block.name: dump(block) for block in getattr(bpy.data, kind)} for kind in KINDS}
    for obj in bpy.data.objects:
        whole["objects"][obj.name]["chosen"] = obj.select_get()
        whole["objects"][obj.name]["above"] = obj.parent and obj.parent.name
    whole["frame"] = bpy.context.scene.frame_current
    whole["linked"] = [obj.name for obj in bpy.context.scene.collection.all_objects]
    whole["active"] = bpy.context.view_layer.objects.active and bpy.context.view_layer.objects.active.name
    return whole


def differences(one, other, path=""):
    """Where two scenes differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {**one, **other}:
            yield from differences(one.get(key), other.get(key), f"{path}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from differences(a, b, f"{path}[{number}]")
    elif one != other:
        yield path, one, other


def there_and_back(operator, **options):
    """Does it as Blender's interface does, with an undo step; checks undo and redo, and gives the scene before and after."""
    bpy.ops.ed.undo_push(message="before")
    before = scene()
    assert operator("EXEC_DEFAULT", True, **options) == {"FINISHED"}
    after = scene()
    assert after != before
    assert bpy.ops.ed.undo() == {"FINISHED"}
    assert not list(differences(scene(), before))
    assert bpy.ops.ed.redo() == {"FINISHED"}
    assert not list(differences(scene(), after))
    bpy.ops.ed.undo()
    return before, after


@pytest.fixture(scope="module")
def tube():
    """Few vertices: all of a scene is compared again and again."""
    return ligament.open("sample:tube@100")


def dressed(character):
    """A mesh with all that a bind must leave alone."""
    body, armature = made(character)
    body.vertex_groups.new(name="cloth pin").add([0, 3], 0.7, "REPLACE")
    body.shape_key_add(name="Basis")
    body.shape_key_add(name="Smile").data[0].co.x += 1
    body.scale = (0.5, 0.5, 0.5)
    armature.scale = (0.5, 0.5, 0.5)
    body.modifiers.new("Subdivision", "SUBSURF")
    select(body, armature)
    return body, armature


def test_the_dump_sees_small_changes(tube):
    """The comparison below is worth something only if nothing slips through."""
    body, armature = dressed(tube)
    changes = [
        lambda: body.vertex_groups["cloth pin"].add([0], 0.70001, "REPLACE"),
        lambda: setattr(body.vertex_groups["cloth pin"], "lock_weight", True),
        lambda: setattr(body.data.vertices[5].co, "x", 9),
        lambda: setattr(body.data.shape_keys.key_blocks["Smile"].data[1].co, "y", 2),
        lambda: setattr(body, "parent", armature),
        lambda: body.modifiers.new("Another", "ARMATURE"),
        lambda: setattr(armature.pose.bones[0], "location", (1, 2, 3)),
        lambda: body.select_set(False),
    ]
    seen = [scene()]
    for change in changes:
        change()
        seen.append(scene())
        assert seen[-1] != seen[-2], change


def test_bind_is_one_step(tube):
    dressed(tube)
    there_and_back(bpy.ops.ligament.bind, method="voxel")
    assert [g.name for g in bpy.data.objects["Body"].vertex_groups] == ["cloth pin"]
    assert not any(m.type == "ARMATURE" for m in bpy.data.objects["Body"].modifiers)


def test_rig_is_one_step():
    body, old = made(ligament.open("sample:athlete@1000"))
    bpy.data.objects.remove(old)
    bpy.data.armatures.remove(bpy.data.armatures["Rig"])
    select(body)
    there_and_back(bpy.ops.ligament.rig, detail=0.2)
    assert not bpy.data.armatures


@pytest.mark.parametrize("tool", ["smooth", "limit"])
def test_tools_are_one_step(tube, tool):
    made(tube)
    bpy.ops.ligament.bind(method="closest", influences=4)
    there_and_back(bpy.ops.ligament.weights, tool=tool, influences=1, length=0.05)


def test_transfer_is_one_step(tube):
    body, _ = made(tube)
    bpy.ops.ligament.bind(method="closest")
    sleeve = bpy.data.objects.new("Sleeve", body.data.copy())
    bpy.context.collection.objects.link(sleeve)
    sleeve.vertex_groups.clear()
    select(sleeve, body)
    there_and_back(bpy.ops.ligament.transfer)


def test_what_fails_changes_nothing(tube):
    body, armature = dressed(tube)
    body.modifiers.new("Cast", "CAST")
    before = scene()
    with pytest.raises(RuntimeError, match="Cast"):
        bpy.ops.ligament.bind("EXEC_DEFAULT", True)
    assert not list(differences(scene(), before))
    body.modifiers.remove(body.modifiers["Cast"])
    select(body)
    before = scene()
    with pytest.raises(RuntimeError, match="no armature"):
        bpy.ops.ligament.bind("EXEC_DEFAULT", True)
    assert not list(differences(scene(), before))
    np.testing.assert_array_equal(groups(body, ["cloth pin"])[:, 0].nonzero()[0], [0, 3])
