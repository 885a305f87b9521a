# SPDX-License-Identifier: GPL-3.0-or-later
"""Blender's scene as arrays in world space with the engine's axes, and weights back into vertex groups."""

import bmesh
import numpy as np

#: Modifiers before the armature that carry weights along, or do not touch shapes.
CARRY = {
    "ARRAY", "BEVEL", "DATA_TRANSFER", "EDGE_SPLIT", "MASK", "MIRROR", "MULTIRES", "NORMAL_EDIT", "SOLIDIFY", "SUBSURF",
    "TRIANGULATE", "UV_PROJECT", "UV_WARP", "VERTEX_WEIGHT_EDIT", "VERTEX_WEIGHT_MIX", "VERTEX_WEIGHT_PROXIMITY",
    "WEIGHTED_NORMAL", "WELD",
}  # fmt: skip
#: From Blender's axes to the engine's: z is up here, y there, as in glTF and FBX files.
UPRIGHT = np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], np.float64)
#: What an end that is made for a bone's tail is called.
END = "__ligament_end"


class Refused(Exception):
    """The scene cannot be worked on as it is; the message says what to do."""


def refuse_what_cannot_be_written(obj):
    """Fails where weights could not be put into an object."""
    local = "make it local first (Object > Relations > Make Local)"
    if obj.override_library is not None:
        raise Refused(f"'{obj.name}' is a library override, whose weights belong to its library; {local}")
    if obj.library is not None or obj.data.library is not None:
        raise Refused(f"'{obj.name}' is linked from another file; {local}")
    if not obj.data.vertices:
        raise Refused(f"'{obj.name}' has no vertices")


def refuse_modifiers(obj):
    """Fails at modifiers before the armature that change the rest shape."""
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE":
            return
        if modifier.show_viewport and modifier.type not in CARRY:
            raise Refused(
                f"'{obj.name}' has the modifier '{modifier.name}' before its armature, which changes the shape that would be"
                " bound; apply it, disable it, or move it below the armature"
            )


def meshes_of(context):
    """The selected meshes, each once, in the order of their names."""
    return sorted((o for o in context.view_layer.objects.selected if o.type == "MESH"), key=lambda o: o.name)


def armature_of(context):
    """The armature that is meant: the active one, one that is selected, or the one that the meshes follow."""
    chosen = [o for o in [context.view_layer.objects.active, *context.view_layer.objects.selected] if o and o.type == "ARMATURE"]
    for obj in meshes_of(context):
        chosen += [m.object for m in obj.modifiers if m.type == "ARMATURE" and m.object]
        chosen += [obj.parent] if obj.parent and obj.parent.type == "ARMATURE" else []
    if not chosen:
        raise Refused("no armature: select the meshes and then the armature, as for Blender's automatic weights")
    return chosen[0]


class Skin:
    """Several meshes as one character in world space, upright."""

    def __init__(self, objects):
        if not objects:
            raise Refused("no mesh is selected")
        for obj in objects:
            if not obj.data.vertices:
                raise Refused(f"'{obj.name}' has no vertices")
        self.names = [obj.name for obj in objects]
        vertices, faces, self.parts, start = [], [], [], 0
        for obj in objects:
            places, triangles = _arrays(obj)
            vertices.append(places)
            faces.append(triangles + start)
            self.parts.append((obj.name, len(places), len(triangles)))
            start += len(places)
        self.vertices = np.concatenate(vertices)
        self.faces = np.concatenate(faces)

    def slices(self):
        """For each object its name and its rows."""
        start = 0
        for name, count, _ in self.parts:
            yield name, slice(start, start + count)
            start += count


def _arrays(obj):
    mesh = obj.data
    local = np.empty(3 * len(mesh.vertices), np.float32)
    # With shape keys the basis is what is bound; vertices may show another key.
    source = mesh.shape_keys.reference_key.data if mesh.shape_keys else mesh.vertices
    source.foreach_get("co", local)
    matrix = UPRIGHT @ np.array(obj.matrix_world, np.float64)
    places = local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    mesh.calc_loop_triangles()
    triangles = np.empty(3 * len(mesh.loop_triangles), np.int32)
    mesh.loop_triangles.foreach_get("vertices", triangles)
    triangles = triangles.reshape(-1, 3)
    if np.linalg.det(matrix[:3, :3]) < 0:
        triangles = triangles[:, ::-1]  # mirrored objects are shown with their faces turned
    return places.astype(np.float32), np.ascontiguousarray(triangles)


class Rig:
    """An armature's bones in world space, upright, with an end where a bone's tail is no child's head."""

    def __init__(self, armature):
        bones = armature.data.bones
        if not any(bone.use_deform for bone in bones):
            raise Refused(f"'{armature.name}' has no bone with Deform switched on")
        self.name = armature.name
        self.bones = [bone.name for bone in bones]
        number = {name: index for index, name in enumerate(self.bones)}
        world = UPRIGHT @ np.array(armature.matrix_world, np.float64)
        # The command line reads names as patterns, and ends of names decide what looks like a control.
        self.names = [_plain(name, index) for index, name in enumerate(self.bones)]
        matrices = [world @ np.array(bone.matrix_local, np.float64) for bone in bones]
        parents = [number[bone.parent.name] if bone.parent else -1 for bone in bones]
        for name in ends_of(armature):
            index = number[name]
            end = matrices[index].copy()
            end[:3, 3] = world[:3, :3] @ np.array(bones[name].tail_local) + world[:3, 3]
            matrices.append(end)
            parents.append(index)
            self.names.append(self.names[index] + END)
        self.matrices = np.array(matrices)
        # Scale of objects is in the places; joints themselves only turn.
        for matrix in self.matrices:
            matrix[:3, :3] = _turned(matrix[:3, :3])
        self.parents = np.array(parents, np.int64)
        self.deform = [self.names[index] for index, bone in enumerate(bones) if bone.use_deform]

    def without_locked(self, objects):
        """The bones that take part: those whose groups are locked in all meshes keep what they have, and others share the rest."""
        locked = [{g.name for g in obj.vertex_groups if g.lock_weight} for obj in objects]
        held = set.intersection(*locked) if locked else set()
        free = [name for name, bone in zip(self.names, self.bones, strict=False) if name in self.deform and bone not in held]
        return free or self.deform


def ends_of(armature):
    """The bones whose tails are no child's head: each gets a joint there, so that the engine knows how long they are."""
    for bone in armature.data.bones:
        close = 1e-4 * max(bone.length, 1e-9)
        if not any((child.head_local - bone.tail_local).length <= close for child in bone.children):
            yield bone.name


def _plain(name, index):
    plain = "".join(c if c not in ",*?!@" else "_" for c in name).strip()
    return plain if plain == name else f"{plain}_{index}"


def _turned(matrix):
    u, _, v = np.linalg.svd(matrix)
    turned = u @ v
    return turned if np.linalg.det(turned) > 0 else np.eye(3)


def weights_of(skin, rig, objects):
    """The weights that meshes have now, as indices and weights of the rig's bones; ``None`` if a vertex has none."""
    rows = []
    for obj in objects:
        bone = {group.index: rig.bones.index(group.name) for group in obj.vertex_groups if group.name in rig.bones}
        for vertex in obj.data.vertices:
            rows.append([(bone[g.group], g.weight) for g in vertex.groups if g.group in bone and g.weight > 0])
    if not all(rows):
        raise Refused(f"{sum(not row for row in rows)} vertices have no weight; bind the meshes first")
    width = max(len(row) for row in rows)
    indices, weights = np.zeros((len(rows), width), np.int64), np.zeros((len(rows), width), np.float32)
    for vertex, row in enumerate(rows):
        for slot, (joint, weight) in enumerate(row):
            indices[vertex, slot], weights[vertex, slot] = joint, weight
    return indices, weights


def write_weights(obj, bones, indices, weights, only_selected=False):
    """Puts weights into vertex groups named after bones. Other groups stay, locked ones too; what locked groups hold is taken
    from the share of the others. All at once through bmesh's deform layer: a call for each weight takes longer.
    """
    mesh = obj.data
    groups = {group.name: group for group in obj.vertex_groups}
    had_groups = bool(groups)
    for joint in np.unique(indices[weights > 0]):
        if bones[joint] not in groups:
            groups[bones[joint]] = obj.vertex_groups.new(name=bones[joint])
    of_bones = [group for name, group in groups.items() if name in set(bones)]
    locked = {group.index for group in of_bones if group.lock_weight}
    cleared = {group.index for group in of_bones} - locked
    number = np.array([groups[name].index if name in groups else -1 for name in bones])
    wanted = np.ones(len(mesh.vertices), bool)
    if only_selected:
        mesh.vertices.foreach_get("select", wanted)
    edit = bmesh.new()
    edit.from_mesh(mesh)
    layer = edit.verts.layers.deform.verify()
    rows = zip(edit.verts, wanted.tolist(), number[indices].tolist(), weights.tolist(), strict=True)
    for vertex, is_wanted, joints, shares in rows:
        if not is_wanted:
            continue
        held = vertex[layer]
        scale = 1.0
        if had_groups:
            kept = {group: weight for group, weight in held.items() if group not in cleared}
            held.clear()
            for group, weight in kept.items():
                held[group] = weight
            if locked:
                shares = [0.0 if group in locked else share for group, share in zip(joints, shares, strict=True)]
                rest = 1.0 - sum(weight for group, weight in kept.items() if group in locked)
                scale = max(rest, 0.0) / (sum(shares) or 1.0)
        for group, share in zip(joints, shares, strict=True):
            if share > 0:
                held[group] = share * scale
    edit.to_mesh(mesh)
    edit.free()
    mesh.update()


def follow(obj, armature):
    """Lets a mesh follow an armature, as parenting does: it stays where it is."""
    if not any(m.type == "ARMATURE" and m.object == armature for m in obj.modifiers):
        modifier = obj.modifiers.new(name="Armature", type="ARMATURE")
        modifier.object = armature
    if obj.parent is None:
        placed = obj.matrix_world.copy()
        obj.parent = armature
        obj.matrix_parent_inverse = armature.matrix_world.inverted()
        obj.matrix_world = placed
