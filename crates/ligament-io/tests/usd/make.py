"""A scene as another program would write it: make.py FILE.

Centimetres, Z up, a skeleton and meshes under transforms, faces with four and six corners wound
left-handed, five influences, a geomBindTransform, a rest pose that is not the bind pose, a mesh
that lists its own joints, a rigid and an unbound one."""
import math
import sys

from pxr import Gf, Sdf, Usd, UsdGeom, UsdSkel, Vt

stage = Usd.Stage.CreateNew(sys.argv[1])
UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
UsdGeom.SetStageMetersPerUnit(stage, 0.01)
stage.SetTimeCodesPerSecond(24)
world = UsdGeom.Xform.Define(stage, "/World")
world.AddTranslateOp().Set((10, 20, 5))
world.AddRotateXYZOp().Set((10, 20, 30))
root = UsdSkel.Root.Define(stage, "/World/Hero")
root.AddScaleOp().Set((2, 2, 2))
root.AddOrientOp().Set(Gf.Quatf(Gf.Rotation(Gf.Vec3d(0, 0, 1), 40).GetQuat()))
skeleton = UsdSkel.Skeleton.Define(stage, "/World/Hero/Rig/Skel")
joints = ["a"]
for name in "bcdef":
    joints.append(joints[-1] + "/" + name)
step = Gf.Matrix4d().SetTranslate(Gf.Vec3d(0, 0, 15))
bend = Gf.Matrix4d().SetRotate(Gf.Rotation(Gf.Vec3d(1, 0, 0), 6))
to_world = UsdGeom.Xformable(skeleton).ComputeLocalToWorldTransform(0)
bind, at = [], to_world
for i in range(6):
    at = (step if i else Gf.Matrix4d(1)) * at
    bind.append(at)
skeleton.CreateJointsAttr(joints)
skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray(bind))
skeleton.CreateRestTransformsAttr(Vt.Matrix4dArray([bend] + [bend * step] * 5))


def tube(path, place, sides=6, rings=8):
    mesh = UsdGeom.Mesh.Define(stage, path)
    points = [(6 * math.cos(2 * math.pi * s / sides), 6 * math.sin(2 * math.pi * s / sides), 75 * r / (rings - 1))
              for r in range(rings) for s in range(sides)]
    to_mesh = place.GetInverse()
    mesh.CreatePointsAttr([to_mesh.Transform(Gf.Vec3f(*p)) for p in points])
    faces = [[r * sides + s, r * sides + (s + 1) % sides, (r + 1) * sides + (s + 1) % sides, (r + 1) * sides + s]
             for r in range(rings - 1) for s in range(sides)]
    faces += [list(range(sides))[::-1], [(rings - 1) * sides + s for s in range(sides)]]
    faces = [f[::-1] for f in faces]
    mesh.CreateFaceVertexCountsAttr([len(f) for f in faces])
    mesh.CreateFaceVertexIndicesAttr([v for f in faces for v in f])
    mesh.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
    return mesh, points


place = Gf.Matrix4d().SetRotate(Gf.Rotation(Gf.Vec3d(0, 1, 0), 25)) * Gf.Matrix4d().SetTranslate(Gf.Vec3d(3, 4, 5))
mesh, points = tube("/World/Hero/Body", place)
UsdGeom.Xformable(mesh).AddTranslateOp().Set((100, 0, 0))  # ignored: it is bound
binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
binding.CreateGeomBindTransformAttr(place * to_world)
binding.CreateJointsAttr(joints[::-1])
indices, weights = [], []
for p in points:
    near = [math.exp(-((p[2] - 15 * j) / 12) ** 2) for j in range(6)]
    best = sorted(range(6), key=lambda j: -near[j])[:5]
    total = sum(near[j] for j in best)
    indices += [5 - j for j in best]
    weights += [near[j] / total for j in best]
binding.CreateJointIndicesPrimvar(False, 5).Set(indices)
binding.CreateJointWeightsPrimvar(False, 5).Set(weights)

hat, _ = tube("/World/Hero/Hat", Gf.Matrix4d(1), 5, 2)
binding = UsdSkel.BindingAPI.Apply(hat.GetPrim())
binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
binding.CreateGeomBindTransformAttr(to_world)
binding.CreateJointIndicesPrimvar(True, 1).Set([4])
binding.CreateJointWeightsPrimvar(True, 1).Set([1.0])

rock, _ = tube("/World/Hero/Rock", Gf.Matrix4d(1), 4, 2)
UsdGeom.Xformable(rock).AddTranslateOp().Set((0, 50, 0))

clip = UsdSkel.Animation.Define(stage, "/World/Hero/Wave")
clip.CreateJointsAttr(joints)
clip.CreateScalesAttr(Vt.Vec3hArray([Gf.Vec3h(1)] * 6))
clip.CreateTranslationsAttr().Set(Vt.Vec3fArray([Gf.Vec3f(0, 0, 15 if i else 0) for i in range(6)]), 0)
clip.CreateRotationsAttr()
for frame in range(0, 49, 6):
    turn = Gf.Quatf(Gf.Rotation(Gf.Vec3d(1, 0.2, 0), 25 * math.sin(frame / 8)).GetQuat())
    clip.GetRotationsAttr().Set(Vt.QuatfArray([turn] * 6), frame)
UsdSkel.BindingAPI.Apply(skeleton.GetPrim()).CreateAnimationSourceRel().SetTargets([clip.GetPath()])
stage.Save()
