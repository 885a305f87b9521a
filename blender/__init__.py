# SPDX-License-Identifier: GPL-3.0-or-later
"""Ligament in Blender: weights, skeletons, transfer and checks, beside Blender's automatic weights."""

from . import check_panel, operators, preferences

MODULES = (preferences, operators, check_panel)


def register():
    for module in MODULES:
        module.register()


def unregister():
    for module in reversed(MODULES):
        module.unregister()
