//! Parts as `Mesh` prims with their bindings.

use std::ops::Range;

use glam::Vec3;
use ligament::Character;
use ligament::character::{Part, PartAttachment};

use super::layer::{Attribute, Prim, Relationship, Value, join};
use super::names::Names;
use super::write::{attribute, displayed, list, primvar, text};
use super::write_blend_shapes::{ShapeNames, write_blend_shapes};
use super::write_rig::WrittenRig;
use crate::export::runs;

/// One `Mesh` for each run of vertices; parts that share vertices become its subsets.
/// `material_paths` has one path for each part.
pub(super) fn write_meshes(
    character: &Character,
    rig: &WrittenRig,
    root: &str,
    material_paths: &[String],
    shape_names: &ShapeNames<'_>,
    names: &mut Names,
) -> Vec<Prim> {
    runs(&character.mesh)
        .into_iter()
        .map(|(vertices, parts)| {
            let first = &character.mesh.parts[parts[0]];
            let mut prim = displayed("Mesh", &first.name, names.unique(&first.name, "mesh"));
            geometry(&mut prim, character, &vertices, &parts);
            let mut schemas = vec!["MaterialBindingAPI".to_owned()];
            let path = join(root, &prim.name);
            let is_bound = bind(&mut prim, character, rig, first);
            let has_shapes = write_blend_shapes(&mut prim, &character.mesh, &vertices, &path, shape_names);
            if is_bound || has_shapes {
                schemas.push("SkelBindingAPI".to_owned());
            }
            if is_bound {
                prim.relationships.push(Relationship {
                    name: "skel:skeleton".to_owned(),
                    targets: vec![join(root, "Skeleton")],
                });
            }
            prim.metadata
                .insert(0, ("apiSchemas".to_owned(), Value::Texts(schemas)));
            prim.relationships.push(Relationship {
                name: "material:binding".to_owned(),
                targets: vec![material_paths[parts[0]].clone()],
            });
            if parts.len() > 1 {
                subsets(&mut prim, character, &parts, material_paths);
            }
            prim
        })
        .collect()
}

fn geometry(prim: &mut Prim, character: &Character, vertices: &Range<usize>, parts: &[usize]) {
    let mesh = &character.mesh;
    let triangles = || {
        let ranges = parts.iter().map(|&p| mesh.parts[p].triangles.clone());
        ranges.flat_map(|range| &mesh.triangles[range])
    };
    let count = triangles().count();
    let corners = triangles()
        .flatten()
        .map(|&v| f64::from(v) - vertices.start as f64)
        .collect();
    let points = &mesh.positions[vertices.clone()];
    let look = &mesh.parts[parts[0]].material;
    prim.attributes.extend([
        extent(points.iter().copied()),
        attribute("int[]", "faceVertexCounts", Value::Numbers(vec![3.0; count])),
        attribute("int[]", "faceVertexIndices", Value::Numbers(corners)),
        attribute("point3f[]", "points", vectors(points)),
        uniform_token("subdivisionScheme", "none"),
        uniform_token("orientation", "rightHanded"),
        Attribute {
            is_uniform: true,
            ..attribute("bool", "doubleSided", Value::Bool(look.double_sided))
        },
    ]);
    if let Some(normals) = &mesh.corner_normals {
        let ranges = parts.iter().map(|&p| mesh.parts[p].triangles.clone());
        let of_corners: Vec<Vec3> = ranges.flat_map(|r| normals[r].as_flattened().to_vec()).collect();
        prim.attributes.push(primvar(
            "normal3f[]",
            "normals",
            vectors(&of_corners),
            "faceVarying",
        ));
    } else if let Some(normals) = &mesh.normals {
        let normals = vectors(&normals[vertices.clone()]);
        prim.attributes
            .push(primvar("normal3f[]", "normals", normals, "vertex"));
    }
    if let Some(uvs) = &mesh.corner_uvs {
        // How a picture is laid on goes into the coordinates.
        let corners = parts.iter().flat_map(|&p| {
            let part = &mesh.parts[p];
            let transform = part.material.uv_transform();
            let corners = uvs[part.triangles.clone()].iter().flatten();
            corners.map(move |&uv| transform.apply(uv))
        });
        // USD counts from the picture's lower edge.
        let st = corners.flat_map(|uv| [f64::from(uv.x), 1.0 - f64::from(uv.y)]);
        let st = Value::Numbers(st.collect());
        prim.attributes
            .push(primvar("texCoord2f[]", "primvars:st", st, "faceVarying"));
    }
    let (colors, interpolation): (&[[f32; 4]], _) = match &mesh.colors {
        Some(colors) => (&colors[vertices.clone()], "vertex"),
        None => (&[look.base_color], "constant"),
    };
    let rgb = colors
        .iter()
        .flat_map(|c| &c[..3])
        .map(|&c| f64::from(c))
        .collect();
    let color = Value::Numbers(rgb);
    prim.attributes.push(primvar(
        "color3f[]",
        "primvars:displayColor",
        color,
        interpolation,
    ));
    if colors.iter().any(|c| c[3] != 1.0) {
        let alpha = Value::Numbers(colors.iter().map(|c| f64::from(c[3])).collect());
        prim.attributes.push(primvar(
            "float[]",
            "primvars:displayOpacity",
            alpha,
            interpolation,
        ));
    }
}

/// Adds the weights, if there are any; says whether the mesh is bound.
fn bind(prim: &mut Prim, character: &Character, rig: &WrittenRig, part: &Part) -> bool {
    let (joints, weights, k, interpolation) = match (part.attachment, &character.weights) {
        (PartAttachment::Rigid(joint), _) => {
            let Some(slot) = rig.slot[joint.at()] else {
                return false;
            };
            (vec![slot as f64], vec![1.0], 1, "constant")
        }
        (PartAttachment::Skin, Some(weights)) => {
            let lists = || part.vertices.clone().map(|v| weights.of_vertex(v));
            let k = lists().map(<[_]>::len).max().unwrap_or(0).max(1);
            let mut joints = Vec::with_capacity(k * part.vertices.len());
            let mut fractions = Vec::with_capacity(k * part.vertices.len());
            for list in lists() {
                for slot in 0..k {
                    let influence = list.get(slot);
                    let slot = influence.and_then(|i| rig.slot.get(i.joint.at()).copied().flatten());
                    joints.push(slot.unwrap_or(0) as f64);
                    fractions.push(influence.map_or(0.0, |i| f64::from(i.weight)));
                }
            }
            (joints, fractions, k, "vertex")
        }
        (PartAttachment::Skin, None) => return false,
    };
    let element_size = || ("elementSize".to_owned(), Value::Numbers(vec![k as f64]));
    let skinned = |type_name: &str, name: &str, numbers: Vec<f64>| {
        let mut a = primvar(type_name, name, Value::Numbers(numbers), interpolation);
        a.metadata.insert(0, element_size());
        a
    };
    prim.attributes.extend([
        attribute(
            "matrix4d",
            "primvars:skel:geomBindTransform",
            super::write::matrices([glam::DAffine3::IDENTITY]),
        ),
        skinned("int[]", "primvars:skel:jointIndices", joints),
        skinned("float[]", "primvars:skel:jointWeights", weights),
    ]);
    true
}

/// Parts that share the vertices of one mesh.
fn subsets(prim: &mut Prim, character: &Character, parts: &[usize], material_paths: &[String]) {
    prim.attributes
        .push(uniform_token("subsetFamily:materialBind:familyType", "partition"));
    let mut names = Names::default();
    let mut start = 0;
    for &p in parts {
        let part = &character.mesh.parts[p];
        let mut subset = displayed("GeomSubset", &part.name, names.unique(&part.name, "subset"));
        subset
            .metadata
            .insert(0, list("apiSchemas", &["MaterialBindingAPI"]));
        let end = start + part.triangles.len();
        let faces = (start..end).map(|f| f as f64).collect();
        start = end;
        subset.attributes.extend([
            uniform_token("elementType", "face"),
            uniform_token("familyName", "materialBind"),
            attribute("int[]", "indices", Value::Numbers(faces)),
        ]);
        subset.relationships.push(Relationship {
            name: "material:binding".to_owned(),
            targets: vec![material_paths[p].clone()],
        });
        prim.children.push(subset);
    }
}

fn uniform_token(name: &str, value: &str) -> Attribute {
    Attribute {
        is_uniform: true,
        ..attribute("token", name, text(value))
    }
}

/// The box around points, as two corners.
pub(super) fn extent(points: impl Iterator<Item = Vec3>) -> Attribute {
    let bounds = points.fold(None, |bounds: Option<(Vec3, Vec3)>, p| {
        Some(bounds.map_or((p, p), |(lo, hi)| (lo.min(p), hi.max(p))))
    });
    let (lo, hi) = bounds.unwrap_or_default();
    attribute("float3[]", "extent", vectors(&[lo, hi]))
}

fn vectors(v: &[Vec3]) -> Value {
    Value::Numbers(v.iter().flat_map(|p| p.to_array()).map(f64::from).collect())
}
