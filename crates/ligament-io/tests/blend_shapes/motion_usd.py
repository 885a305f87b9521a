"""Asks USD's own code how shapes move: motion_usd.py FILE SECONDS...

For each animation, for each shape that its meshes have, its weight at each moment.
"""

import json
import sys

from pxr import Usd, UsdSkel

stage = Usd.Stage.Open(sys.argv[1])
moments = [float(t) for t in sys.argv[2:]]
per_second = stage.GetTimeCodesPerSecond()
actions = {}
for prim in stage.Traverse():
    if not prim.IsA(UsdSkel.Animation):
        continue
    query = UsdSkel.Cache().GetAnimQuery(UsdSkel.Animation(prim))
    names = query.GetBlendShapeOrder()
    rows = [query.ComputeBlendShapeWeights(t * per_second) for t in moments]
    actions[prim.GetName()] = {name: [float(row[i]) for row in rows] for i, name in enumerate(names)}
print("RESULT " + json.dumps(actions))
