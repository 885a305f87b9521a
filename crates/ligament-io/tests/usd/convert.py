"""Writes a layer again in USD's binary form and as a package: convert.py FILE STEM."""
import sys

from pxr import Sdf, UsdUtils

layer = Sdf.Layer.FindOrOpen(sys.argv[1])
assert layer.Export(sys.argv[2] + ".usdc")
assert UsdUtils.CreateNewUsdzPackage(Sdf.AssetPath(sys.argv[2] + ".usdc"), sys.argv[2] + ".usdz")
