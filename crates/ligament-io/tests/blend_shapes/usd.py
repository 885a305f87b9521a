"""Moves points with USD's own code and prints where each shape takes them: usd.py FILE"""

import json
import sys

from pxr import Usd, UsdGeom, UsdSkel, Vt

stage = Usd.Stage.Open(sys.argv[1])
meshes, weights = [], {}
for prim in stage.Traverse():
    if prim.IsA(UsdSkel.Animation):
        animation = UsdSkel.Animation(prim)
        names = animation.GetBlendShapesAttr().Get() or []
        weights.update(zip(names, animation.GetBlendShapeWeightsAttr().Get() or []))
    if not prim.IsA(UsdGeom.Mesh):
        continue
    binding = UsdSkel.BindingAPI(prim)
    names = binding.GetBlendShapesAttr().Get() or []
    query = UsdSkel.BlendShapeQuery(binding)
    shapes = {}
    for index, name in enumerate(names):
        wanted = [float(index == other) for other in range(len(names))]
        shares, of_shape, of_sub_shape = query.ComputeSubShapeWeights(wanted)
        points = Vt.Vec3fArray(UsdGeom.Mesh(prim).GetPointsAttr().Get())
        assert query.ComputeDeformedPoints(
            shares,
            of_shape,
            of_sub_shape,
            query.ComputeBlendShapePointIndices(),
            query.ComputeSubShapePointOffsets(),
            points,
        )
        shapes[name] = [list(p) for p in points]
    meshes.append(shapes)
print("RESULT " + json.dumps({"meshes": meshes, "weights": weights}))
