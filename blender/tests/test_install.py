# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's own installer put the zip where it belongs, and can take it away again."""

from pathlib import Path

import bpy
import ligament
from conftest import PACKAGE, USER, made


def test_the_extension_and_its_engine_are_installed(extension):
    home = USER / "extensions"
    assert Path(extension.__file__).is_relative_to(home / "user_default" / "ligament")
    assert Path(ligament.__file__).is_relative_to(home / ".local")
    assert PACKAGE in {addon.module for addon in bpy.context.preferences.addons}
    operators = {name for name in dir(bpy.ops.ligament) if not name.startswith("_")}
    assert {"bind", "rig", "transfer", "weights", "fit_field", "check", "go_there", "copy_report"} <= operators


def test_preferences_are_heard(extension, tube, monkeypatch):
    seen = []
    bind = ligament.Character.bind
    monkeypatch.setattr(ligament.Character, "bind", lambda self, **options: seen.append(options) or bind(self, **options))
    preferences = bpy.context.preferences.addons[PACKAGE].preferences
    for chosen, wanted in ((1, 1), (0, None)):
        preferences.threads = chosen
        made(tube)
        assert bpy.ops.ligament.bind(method="closest") == {"FINISHED"}
        assert seen[-1]["threads"] == wanted


def test_it_can_be_switched_off_and_on():
    assert bpy.ops.preferences.addon_disable(module=PACKAGE) == {"FINISHED"}
    assert not hasattr(bpy.types, "LIGAMENT_OT_bind") and not hasattr(bpy.types.Scene, "ligament")
    assert bpy.ops.preferences.addon_enable(module=PACKAGE) == {"FINISHED"}
    assert hasattr(bpy.types, "LIGAMENT_OT_bind") and hasattr(bpy.types.Scene, "ligament")
