//! How fine voxels should be.
//!
//! The smallest resolution that separates what should be separate: parts of the surface
//! that face each other across a gap (an arm and a flank, two fingers, two legs) and are
//! far apart along the surface. Where they share a voxel or touching ones, paths jump the
//! gap.

use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::geometry::{Bounds, BoxTree, WeldedMesh};

/// The resolution that most characters are well served by.
const USUAL: u32 = 128;
/// The finest that is chosen without being asked for.
const FINEST: u32 = 256;
/// A gap is separated if it is this many voxels wide: one of air, and boundary on both sides.
const SEPARATED: f64 = 3.0;
/// Positions that are asked for their gaps; more are thinned out evenly.
const ASKED: usize = 4000;
/// Faces that one thread looks at in one go.
const FACES: usize = 2048;
/// The fraction of positions with a gap that calls for a finer grid. On the open corpus twelve
/// characters have 2 to 5 per cent (lips, lids, layers of cloth) and lose by finer voxels.
const ENOUGH: f64 = 0.06;
/// The finest grid that is chosen by itself holds at most this many voxels.
const MOST_VOXELS: f64 = 1.7e7;

/// How many voxels the longest side has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Chosen from the mesh; see the module.
    #[default]
    Auto,
    /// This many, 32 to 1024.
    Voxels(u32),
}

impl Resolution {
    /// The number of voxels for a surface; `usual` overrides the choice of `Auto`.
    pub fn resolve(self, surface: &WeldedMesh, usual: Option<u32>) -> u32 {
        match self {
            Self::Voxels(n) => n.clamp(32, 1024),
            Self::Auto => usual.unwrap_or_else(|| resolution_for(surface)),
        }
    }
}

/// The smallest resolution that separates the gaps of a surface.
pub fn resolution_for(surface: &WeldedMesh) -> u32 {
    let Some(&first) = surface.points.first() else {
        return USUAL;
    };
    let (low, high) = surface
        .points
        .iter()
        .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
    let longest = (high - low).max_element();
    let fine_voxels = (high - low).element_product() / (longest / f64::from(FINEST)).powi(3);
    if fine_voxels > MOST_VOXELS || longest <= 0.0 {
        return USUAL;
    }
    // Gaps that the usual grid closes and the finer one keeps open.
    let closed = SEPARATED * longest / f64::from(USUAL);
    let open = SEPARATED * longest / f64::from(FINEST);
    let gaps = gaps(surface, closed);
    let gained = gaps.iter().filter(|&&g| g >= open && g < closed).count();
    if gained as f64 > ENOUGH * gaps.len() as f64 {
        FINEST
    } else {
        USUAL
    }
}

/// For a sample of positions the path along the outward normal to a surface that looks back,
/// up to `reach`; infinite where there is none.
fn gaps(surface: &WeldedMesh, reach: f64) -> Vec<f64> {
    let mut normals = vec![DVec3::ZERO; surface.points.len()];
    for (face, corners) in surface.faces.iter().enumerate() {
        let area = surface.area_vector(face);
        for &p in corners {
            normals[p as usize] += area;
        }
    }
    let step = surface.points.len().div_ceil(ASKED).max(1);
    let asked: Vec<u32> = (0..surface.points.len() as u32).step_by(step).collect();
    let paths: Vec<DVec3> = asked
        .iter()
        .map(|&p| normals[p as usize].normalize_or_zero())
        .collect();
    // A tree of the few paths that are asked about, not of all faces.
    let from = |asked: u32| surface.points[asked as usize];
    let tree = BoxTree::new(asked.iter().zip(&paths).map(|(&p, &path)| {
        let to = from(p) + path * reach;
        Bounds::around(from(p).as_vec3(), &[to.as_vec3()])
    }));
    let hits: Vec<(u32, f64)> = (0..surface.faces.len())
        .into_par_iter()
        .with_min_len(FACES)
        .fold(Vec::new, |mut hits, face| {
            let corners = surface.corners(face);
            let [a, b, c] = corners.map(|p| p.as_vec3());
            tree.any_overlapping(&Bounds::around(a, &[b, c]), |index| {
                let (p, path) = (asked[index as usize], paths[index as usize]);
                if surface.area_vector(face).dot(path) < 0.0
                    && !surface.faces[face].contains(&p)
                    && let Some(distance) = hit(corners, from(p), path)
                {
                    hits.push((index, distance));
                }
                false
            });
            hits
        })
        .flatten()
        .collect();
    let mut gaps = vec![f64::INFINITY; asked.len()];
    for (index, distance) in hits {
        let gap = &mut gaps[index as usize];
        if distance <= reach && distance < *gap {
            *gap = distance;
        }
    }
    gaps
}

/// Where a ray meets a triangle (Möller and Trumbore 1997).
fn hit([a, b, c]: [DVec3; 3], from: DVec3, path: DVec3) -> Option<f64> {
    let (u, v) = (b - a, c - a);
    let across = path.cross(v);
    let scale = u.dot(across);
    if scale == 0.0 {
        return None;
    }
    let offset = from - a;
    let first = offset.dot(across) / scale;
    let rotated = offset.cross(u);
    let second = path.dot(rotated) / scale;
    let distance = v.dot(rotated) / scale;
    (first >= 0.0 && second >= 0.0 && first + second <= 1.0 && distance > 0.0).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;
    use glam::Vec3;

    fn of(name: &str) -> u32 {
        resolution_for(&WeldedMesh::of(&sample::make(name).unwrap().mesh))
    }

    #[test]
    fn narrow_gaps_ask_for_finer_voxels() {
        assert_eq!(of("tube"), USUAL);
        // Two plates a little apart, closer than the usual voxels can tell.
        let plates = |gap: f32| {
            let n = 20u32;
            let mut surface = WeldedMesh {
                points: Vec::new(),
                faces: Vec::new(),
                diagonal: 3.0,
            };
            for (side, z) in [(0u32, 0.0f32), (1, gap)] {
                let base = side * n * n;
                for y in 0..n {
                    for x in 0..n {
                        surface
                            .points
                            .push(Vec3::new(x as f32, y as f32, z * 19.0).as_dvec3() / 19.0);
                        if x + 1 < n && y + 1 < n {
                            let i = base + y * n + x;
                            let quad = [[i, i + 1, i + n + 1], [i, i + n + 1, i + n]];
                            for mut face in quad {
                                // The lower one looks up, the upper one down.
                                if side == 1 {
                                    face.swap(0, 1);
                                }
                                surface.faces.push(face);
                            }
                        }
                    }
                }
            }
            resolution_for(&surface)
        };
        assert_eq!(plates(0.1), USUAL);
        assert_eq!(plates(0.018), FINEST);
        assert_eq!(plates(0.001), USUAL); // no resolution in reach tells them apart
    }

    #[test]
    fn what_is_asked_for_is_kept_within_bounds() {
        let surface = WeldedMesh::of(&sample::make("tube").unwrap().mesh);
        assert_eq!(Resolution::Voxels(5000).resolve(&surface, None), 1024);
        assert_eq!(Resolution::Voxels(64).resolve(&surface, Some(256)), 64);
        assert_eq!(Resolution::Auto.resolve(&surface, Some(256)), 256);
    }
}
