"""Skins with USD's own code: skin.py FILE OUTPUT, with [[clip, time code], …] on standard input.

A clip is the number of a SkelAnimation in the file. For each moment, writes the points of all
meshes in order, as 32-bit floats in world space."""
import json
import sys

import numpy as np
from pxr import Gf, Usd, UsdGeom, UsdSkel, Vt

stage = Usd.Stage.Open(sys.argv[1])
skeleton = next(p for p in stage.Traverse() if p.IsA(UsdSkel.Skeleton))
clips = [p.GetPath() for p in stage.Traverse() if p.IsA(UsdSkel.Animation)]
with open(sys.argv[2], "wb") as out:
    for clip, time in json.load(sys.stdin):
        if clips:
            UsdSkel.BindingAPI(skeleton).CreateAnimationSourceRel().SetTargets([clips[clip]])
        cache = UsdSkel.Cache()
        root = UsdSkel.Root(next(p for p in stage.Traverse() if p.IsA(UsdSkel.Root)))
        cache.Populate(root, Usd.PrimDefaultPredicate)
        query = cache.GetSkelQuery(UsdSkel.Skeleton(skeleton))
        xforms = query.ComputeSkinningTransforms(time)
        places = UsdGeom.XformCache(time)
        for prim in stage.Traverse():
            if not prim.IsA(UsdGeom.Mesh):
                continue
            skin = cache.GetSkinningQuery(prim)
            points = UsdGeom.Mesh(prim).GetPointsAttr().Get()
            world = np.array(places.GetLocalToWorldTransform(prim))
            if skin and skin.HasJointInfluences():
                if skin.IsRigidlyDeformed():
                    matrix = np.array(skin.ComputeSkinnedTransform(xforms, time))
                    points = np.array(points, dtype=np.float64)
                    points = points @ matrix[:3, :3] + matrix[3, :3]
                else:
                    points = Vt.Vec3fArray(points)
                    assert skin.ComputeSkinnedPoints(xforms, points, time)
                    points = np.array(points, dtype=np.float64)
                world = np.array(places.GetLocalToWorldTransform(skeleton))
            else:
                points = np.array(points, dtype=np.float64)
            points = points @ world[:3, :3] + world[3, :3]
            out.write(points.astype(np.float32).tobytes())
