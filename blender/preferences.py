# SPDX-License-Identifier: GPL-3.0-or-later
"""What a user sets once."""

import bpy
from bpy.props import IntProperty


class LIGAMENT_preferences(bpy.types.AddonPreferences):
    """Threads; results are the same with any number."""

    bl_idname = __package__

    threads: IntProperty(name="Threads", default=0, min=0, max=256, description="Worker threads; 0 takes all cores")

    def draw(self, context):
        self.layout.use_property_split = True
        self.layout.prop(self, "threads")


def threads(context):
    """How many threads work; ``None`` for all."""
    addon = context.preferences.addons.get(__package__)
    chosen = addon.preferences.threads if addon and addon.preferences else 0
    return chosen or None


def register():
    bpy.utils.register_class(LIGAMENT_preferences)


def unregister():
    bpy.utils.unregister_class(LIGAMENT_preferences)
