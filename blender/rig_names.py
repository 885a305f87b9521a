# SPDX-License-Identifier: GPL-3.0-or-later
"""Joints of the engine as other rigs call them."""

import re

#: Without sides: the engine's name, Rigify's, Unreal's.
NAMES = {
    "hips": ("spine", "pelvis"),
    "spine": ("spine.001", "spine_01"),
    "chest": ("spine.002", "spine_02"),
    "upper_chest": ("spine.003", "spine_03"),
    "neck": ("spine.004", "neck_01"),
    "head": ("spine.006", "head"),
    "shoulder": ("shoulder", "clavicle"),
    "upper_arm": ("upper_arm", "upperarm"),
    "lower_arm": ("forearm", "lowerarm"),
    "hand": ("hand", "hand"),
    "upper_leg": ("thigh", "thigh"),
    "lower_leg": ("shin", "calf"),
    "foot": ("foot", "foot"),
    "toes": ("toe", "ball"),
}
SIDES = {"left": (".L", "_l"), "right": (".R", "_r")}


def renamed(names, style):
    """All names in another style; what it has no word for keeps its own."""
    if style == "ligament":
        return list(names)
    column = ("rigify", "unreal").index(style)
    return [_renamed(name, column) for name in names]


def _renamed(name, column):
    side = next((side for side in SIDES if re.search(rf"(^|_){side}(_|$)", name)), None)
    bare = re.sub(rf"(^|_){side}(_|$)", lambda m: "_" if m[1] and m[2] else "", name) if side else name
    if bare not in NAMES:
        return name
    return NAMES[bare][column] + (SIDES[side][column] if side else "")
