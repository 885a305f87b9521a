//! `Mesh` prims as vertices and faces.

use std::ops::Range;

use glam::{DAffine3, Vec3};

use crate::corner_normals::at_hard_edges;
use crate::import::ImportError;
use crate::polygon::triangles_of_corners;

use super::layer::{Attribute, Prim, Value};
use super::stage::Stage;

/// A mesh in the character's bind space, its indices counted from zero.
pub(super) struct ReadMesh {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    /// For each triangle's corners, their indices among the corners of the file's faces.
    pub corners: Vec<[u32; 3]>,
    /// The triangles of each face of the file.
    pub faces: Vec<Range<usize>>,
    pub normals: Option<Vec<Vec3>>,
    /// The normals of each triangle's corners where an edge is hard.
    pub corner_normals: Option<Vec<[Vec3; 3]>>,
    pub colors: Option<Vec<[f32; 4]>>,
    /// One colour for all of it.
    pub color: Option<[f32; 4]>,
}

pub(super) fn read_mesh(
    stage: &mut Stage<'_>,
    index: usize,
    bind_from_mesh: DAffine3,
) -> Result<ReadMesh, ImportError> {
    let prim = stage.prims[index].prim;
    let path = stage.prims[index].path.clone();
    let fail = |problem: String| ImportError::malformed(path.clone(), problem);
    let numbers = |name: &str| prim.value(name).and_then(Value::numbers).unwrap_or(&[]);
    let points = numbers("points");
    if points.len() % 3 != 0 {
        return Err(fail(format!("'points' has {} numbers", points.len())));
    }
    let positions: Vec<Vec3> = points
        .as_chunks::<3>()
        .0
        .iter()
        .map(|&p| bind_from_mesh.transform_point3(p.into()).as_vec3())
        .collect();
    if let Some(v) = positions.iter().position(|p| !p.is_finite()) {
        return Err(fail(format!("point {v} is not finite")));
    }

    let corners = numbers("faceVertexIndices");
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    let mut triangle_corners: Vec<[u32; 3]> = Vec::new();
    let mut faces = Vec::new();
    // A file's left-handed faces and a mirroring transform each turn a face over.
    let is_left = prim.text("orientation") == Some("leftHanded");
    let turns_over = is_left != (bind_from_mesh.matrix3.determinant() < 0.0);
    let mut start = 0usize;
    let mut bad = 0;
    for &count in numbers("faceVertexCounts") {
        let end = start.saturating_add(count.max(0.0) as usize);
        let Some(face) = corners.get(start..end) else {
            return Err(fail(format!(
                "the faces name {end} corners or more, but there are {}",
                corners.len()
            )));
        };
        let first = start;
        start = end;
        let mut face: Vec<u32> = face.iter().map(|&c| c as u32).collect();
        if turns_over {
            face.reverse();
        }
        let before = triangles.len();
        let known = |&c: &u32| (c as usize) < positions.len();
        if face.len() >= 3 && face.iter().all(known) {
            let last = face.len() as u32 - 1;
            let corners: Vec<Vec3> = face.iter().map(|&v| positions[v as usize]).collect();
            for cut in triangles_of_corners(&corners) {
                triangles.push(cut.map(|i| face[i as usize]));
                triangle_corners.push(cut.map(|i| first as u32 + if turns_over { last - i } else { i }));
            }
        } else {
            bad += 1;
        }
        faces.push(before..triangles.len());
    }
    if bad > 0 {
        stage.warn(
            "bad_faces",
            format!("{path}: {bad} faces have fewer than three corners or corners that do not exist; they are left out"),
        );
    }

    let (normals, at_corners) = read_normals(prim, bind_from_mesh, &positions, corners);
    let corner_normals = at_corners.and_then(|normals| {
        let of_triangles: Vec<[Vec3; 3]> = triangle_corners
            .iter()
            .map(|p| p.map(|c| normals[c as usize]))
            .collect();
        at_hard_edges(0..positions.len(), &triangles, &of_triangles)
    });
    let (colors, color) = read_colors(prim, positions.len());
    Ok(ReadMesh {
        positions,
        triangles,
        corners: triangle_corners,
        faces,
        normals,
        corner_normals,
        colors,
        color,
    })
}

/// Normals at the vertices, and at corners if the file has them there: then a vertex has the mean.
fn read_normals(
    prim: &Prim,
    bind_from_mesh: DAffine3,
    positions: &[Vec3],
    corners: &[f64],
) -> (Option<Vec<Vec3>>, Option<Vec<Vec3>>) {
    let stated = || {
        let own = prim.attribute("primvars:normals");
        let attribute = own.or_else(|| prim.attribute("normals"))?;
        Some((attribute, attribute.still()?.numbers()?))
    };
    let Some((attribute, numbers)) = stated() else {
        return (None, None);
    };
    let rotation = bind_from_mesh.matrix3.inverse().transpose();
    let mirror = if bind_from_mesh.matrix3.determinant() < 0.0 {
        -1.0
    } else {
        1.0
    };
    let turned = |n: &[f64; 3]| {
        let n = (rotation * glam::DVec3::from_array(*n) * mirror).as_vec3();
        n.try_normalize().unwrap_or(Vec3::Y)
    };
    let normals: Vec<Vec3> = numbers.as_chunks::<3>().0.iter().map(turned).collect();
    let has_default_interpolation = !attribute.metadata.iter().any(|(k, _)| k == "interpolation");
    let at_vertices = has_default_interpolation || matches!(attribute.interpolation(), "vertex" | "varying");
    if at_vertices && normals.len() == positions.len() {
        return (Some(normals), None);
    }
    if attribute.interpolation() != "faceVarying" || normals.len() != corners.len() {
        return (None, None);
    }
    let mut sums = vec![(Vec3::ZERO, Vec3::Y); positions.len()];
    for (&corner, &normal) in corners.iter().zip(&normals) {
        if let Some((sum, one)) = sums.get_mut(corner as u32 as usize) {
            *sum += normal;
            *one = normal;
        }
    }
    // The two sides of a doubled sheet cancel out: one of them decides.
    let mean = |(sum, one): (Vec3, Vec3)| if sum.length() > 1e-3 { sum.normalize() } else { one };
    (Some(sums.into_iter().map(mean).collect()), Some(normals))
}

type Colors = (Option<Vec<[f32; 4]>>, Option<[f32; 4]>);

fn read_colors(prim: &Prim, vertices: usize) -> Colors {
    let find = |name: &str| {
        let attribute: &Attribute = prim.attribute(name)?;
        Some((attribute.still()?.numbers()?, attribute.interpolation()))
    };
    let Some((rgb, interpolation)) = find("primvars:displayColor") else {
        return (None, None);
    };
    let is_indexed = prim.attribute("primvars:displayColor:indices").is_some();
    let (alpha, _) = find("primvars:displayOpacity").unwrap_or((&[], ""));
    let rgb = rgb.as_chunks::<3>().0;
    let color = |i: usize| {
        let [r, g, b] = rgb[i].map(|c| c as f32);
        let a = alpha.get(i).or(alpha.first()).map_or(1.0, |&a| a as f32);
        [r, g, b, a]
    };
    match interpolation {
        "vertex" | "varying" if rgb.len() == vertices && !is_indexed => {
            (Some((0..vertices).map(color).collect()), None)
        }
        "constant" if rgb.len() == 1 => (None, Some(color(0))),
        _ => (None, None),
    }
}
