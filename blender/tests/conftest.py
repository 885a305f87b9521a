# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Blender, as a module, with the extension loaded the way Blender loads it."""

import importlib
import importlib.util
import sys
from pathlib import Path

import bpy
import ligament
import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parent.parent
PACKAGE = "bl_ext.user_default.ligament"


@pytest.fixture(scope="session", autouse=True)
def extension():
    """Blender imports an extension as a package of its repository, and calls `register`."""
    for name in ("bl_ext", "bl_ext.user_default"):
        if name not in sys.modules:
            sys.modules[name] = importlib.util.module_from_spec(importlib.machinery.ModuleSpec(name, None, is_package=True))
    spec = importlib.util.spec_from_file_location(PACKAGE, FOLDER / "__init__.py", submodule_search_locations=[str(FOLDER)])
    module = importlib.util.module_from_spec(spec)
    sys.modules[PACKAGE] = module
    spec.loader.exec_module(module)
    module.register()
    yield module
    module.unregister()


@pytest.fixture(autouse=True)
def empty_scene(extension):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    yield


def made(character, name="Body", parts=None):
    """A sample as Blender has it: an armature whose bones reach to their children, and a mesh. Up is z there."""
    turn = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)
    given = character.arrays()
    places = given["joints"][:, :3, 3] @ turn.T
    data = bpy.data.armatures.new("Rig")
    armature = bpy.data.objects.new("Rig", data)
    bpy.context.collection.objects.link(armature)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="EDIT")
    bones = []
    for joint, bone_name in enumerate(given["names"]):
        bone = data.edit_bones.new(bone_name)
        bone.head = places[joint]
        children = np.flatnonzero(given["parents"] == joint)
        bone.tail = places[children[0]] if len(children) else places[joint] + [0, 0, 0.05]
        if bone.length < 1e-4:
            bone.tail = places[joint] + [0, 0, 0.02]
        if given["parents"][joint] >= 0:
            bone.parent = bones[given["parents"][joint]]
        bones.append(bone)
    bpy.ops.object.mode_set(mode="OBJECT")
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((character.vertices @ turn.T.astype(np.float32)).tolist(), [], character.faces.tolist())
    body = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(body)
    select(body, armature)
    return body, armature


def select(*objects):
    """Selects objects, the last of them active."""
    bpy.context.view_layer.update()
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objects)
    bpy.context.view_layer.objects.active = objects[-1]


def groups(obj, names=None):
    """Weights as an array (N, J), columns by names of groups."""
    names = names or [g.name for g in obj.vertex_groups]
    found = np.zeros((len(obj.data.vertices), len(names)))
    number = {g.index: names.index(g.name) for g in obj.vertex_groups if g.name in names}
    for vertex in obj.data.vertices:
        for group in vertex.groups:
            if group.group in number:
                found[vertex.index, number[group.group]] = group.weight
    return found


@pytest.fixture(scope="session")
def tube():
    return ligament.open("sample:tube@400")
