# SPDX-License-Identifier: GPL-3.0-or-later
"""A real Blender, as a module, with the extension installed from its zip by Blender's own installer.

``LIGAMENT_EXTENSION`` names the zip; otherwise one is packed from the sources here and the package in the folder
``LIGAMENT_PACKAGE``, as a wheel that differs from the published one only in how its module was compiled.
"""

import atexit
import importlib.util
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

# Blender keeps extensions in its user's folder: this one is for the tests alone. It is read when Blender is imported.
USER = Path(tempfile.mkdtemp(prefix="ligament-blender-"))
atexit.register(shutil.rmtree, USER, ignore_errors=True)
os.environ["BLENDER_USER_RESOURCES"] = str(USER)

import bpy  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent
PACKAGE = "bl_ext.user_default.ligament"

_spec = importlib.util.spec_from_file_location("build", FOLDER / "build.py")
build = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(build)
sys.modules["build"] = build


def wheel_of(package, folder):
    """A wheel of a package that is laid out in a folder already."""
    version = build.version()
    info = f"ligament-{version}.dist-info"
    texts = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: ligament\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: false\nTag: cp311-abi3-manylinux_2_28_x86_64\n",
    }
    path = folder / f"ligament-{version}-cp311-abi3-manylinux_2_28_x86_64.whl"
    files = {f"ligament/{file.name}": file for file in sorted(package.iterdir()) if file.is_file()}
    names = [*files, *texts, f"{info}/RECORD"]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        for name, file in files.items():
            wheel.write(file, name)
        for name, text in texts.items():
            wheel.writestr(name, text)
        wheel.writestr(f"{info}/RECORD", "".join(f"{name},,\n" for name in names))
    return path


def _zip():
    given = os.environ.get("LIGAMENT_EXTENSION")
    if given:
        return Path(given)
    package = os.environ.get("LIGAMENT_PACKAGE")
    if not package:
        raise SystemExit("LIGAMENT_PACKAGE names the folder of the package ligament; cargo xtask blender-test sets it")
    return build.packed([wheel_of(Path(package), USER)], USER)


bpy.ops.extensions.package_install_files(filepath=str(_zip()), repo="user_default", enable_on_install=True)
# From here on the engine is the one that came in the zip.
import ligament  # noqa: E402


def pytest_sessionfinish(session, exitstatus):
    session.config.ligament_status = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Ends without Blender's own end: as a module, 4.2 crashes there once its glTF importer has run, whatever else was done."""
    if hasattr(config, "ligament_status"):
        shutil.rmtree(USER, ignore_errors=True)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.ligament_status)


@pytest.fixture(scope="session")
def extension():
    """The extension as Blender imported it."""
    return sys.modules[PACKAGE]


@pytest.fixture(autouse=True)
def empty_scene():
    # The factory's scene, but not its preferences, in which no extension is enabled.
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
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
