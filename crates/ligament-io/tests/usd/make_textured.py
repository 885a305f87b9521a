"""A textured scene as another program would write it: make_textured.py FILE.

A left-handed quad with indexed coordinates at corners, under a name that the material says, a
triangle with coordinates at vertices, and one whose picture is missing."""
import sys

from pxr import Sdf, Usd, UsdGeom, UsdShade

stage = Usd.Stage.CreateNew(sys.argv[1])
UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
UsdGeom.SetStageMetersPerUnit(stage, 1)
stage.SetDefaultPrim(UsdGeom.Xform.Define(stage, "/World").GetPrim())


def material(name, file, varname):
    made = UsdShade.Material.Define(stage, f"/World/{name}")
    surface = UsdShade.Shader.Define(stage, f"/World/{name}/Surface")
    surface.CreateIdAttr("UsdPreviewSurface")
    reader = UsdShade.Shader.Define(stage, f"/World/{name}/Reader")
    reader.CreateIdAttr("UsdPrimvarReader_float2")
    interface = made.CreateInput("frame:stPrimvarName", Sdf.ValueTypeNames.String)
    interface.Set(varname)
    reader.CreateInput("varname", Sdf.ValueTypeNames.String).ConnectToSource(interface)
    texture = UsdShade.Shader.Define(stage, f"/World/{name}/Texture")
    texture.CreateIdAttr("UsdUVTexture")
    texture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(file)
    texture.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set((0.5, 0.25, 1, 1))
    texture.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(reader.ConnectableAPI(), "result")
    surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).ConnectToSource(texture.ConnectableAPI(), "rgb")
    made.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
    return made


def mesh(name, points, look, coordinates, values, interpolation, indices=None):
    made = UsdGeom.Mesh.Define(stage, f"/World/{name}")
    made.CreatePointsAttr(points)
    made.CreateFaceVertexCountsAttr([len(points)])
    made.CreateFaceVertexIndicesAttr(list(range(len(points))))
    api = UsdGeom.PrimvarsAPI(made)
    primvar = api.CreatePrimvar(coordinates, Sdf.ValueTypeNames.TexCoord2fArray, interpolation)
    primvar.Set(values)
    if indices:
        primvar.SetIndices(indices)
    UsdShade.MaterialBindingAPI.Apply(made.GetPrim()).Bind(look)
    return made


cloth = material("Cloth", "./textures/cloth.png", "map1")
# Coordinates are a quarter of the place, plus an eighth.
quad = mesh("Quad", [(0, 0, 0), (0, 2, 0), (3, 2, 0), (3, 0, 0)], cloth, "map1",
            [(0.875, 0.125), (0.875, 0.625), (0.125, 0.625), (0.125, 0.125)], UsdGeom.Tokens.faceVarying, [3, 2, 1, 0])
quad.CreateOrientationAttr(UsdGeom.Tokens.leftHanded)
UsdGeom.PrimvarsAPI(quad).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, UsdGeom.Tokens.vertex).Set([(9, 9)] * 4)
mesh("Triangle", [(1, 0, 1), (2, 0, 1), (1, 3, 1)], cloth, "map1",
     [(0.375, 0.125), (0.625, 0.125), (0.375, 0.875)], UsdGeom.Tokens.vertex)
if len(sys.argv) > 2:
    mesh("Lost", [(1, 0, 1), (2, 0, 1), (1, 3, 1)], material("Gone", "../gone.png", "st"), "st",
         [(0.375, 0.125)], UsdGeom.Tokens.constant)
stage.Save()
