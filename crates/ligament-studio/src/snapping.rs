//! Where in the body a joint goes that is dragged over the screen: into the middle of what the pointer is over.
//!
//! A ray is cut where it crosses the surface, and between that into short pieces; a winding number tells of every piece whether
//! it is inside, so that holes and doubled faces do no harm. The middle of the first run of pieces inside is where the joint
//! goes; of all of them, from the first to the last, if the whole body is meant.

use glam::{DVec3, Vec3};
use ligament::Mesh;
use ligament::geometry::{WeldedMesh, WindingTree};

use crate::posing::crossings;

/// The surface at rest, ready to be asked.
pub struct Body {
    tree: WindingTree,
    diagonal: f64,
    middle: DVec3,
}

/// Pieces that the way through the body is cut into, so that the inside begins also where a hole is.
const PIECES: usize = 96;

impl Body {
    /// Looks at a mesh.
    pub fn of(mesh: &Mesh) -> Self {
        let welded = WeldedMesh::of(mesh);
        let corners: Vec<[DVec3; 3]> = (0..welded.faces.len()).map(|f| welded.corners(f)).collect();
        Self {
            tree: WindingTree::new(&corners),
            diagonal: welded.diagonal,
            middle: welded.points.iter().sum::<DVec3>() / welded.points.len().max(1) as f64,
        }
    }

    /// The middle of what a ray passes through first, or of all that it passes through; none where it misses.
    pub fn middle(&self, mesh: &Mesh, origin: Vec3, direction: Vec3, whole: bool) -> Option<DVec3> {
        let direction = direction.try_normalize()?;
        let mut cuts: Vec<f64> = crossings(&mesh.triangles, &mesh.positions, origin, direction)
            .into_iter()
            .map(f64::from)
            .collect();
        if cuts.is_empty() {
            return None;
        }
        let across = (self.middle - origin.as_dvec3()).dot(direction.as_dvec3());
        let reach = self.diagonal / PIECES as f64;
        let steps = -(PIECES as i32)..=PIECES as i32;
        cuts.extend(steps.map(|k| across + reach * f64::from(k)).filter(|&t| t > 0.0));
        cuts.sort_by(f64::total_cmp);
        // Faces on top of each other part nothing.
        cuts.dedup_by(|b, a| *b - *a < 1e-7 * self.diagonal);
        let at = |t: f64| origin.as_dvec3() + direction.as_dvec3() * t;
        let inside = |pair: &[f64]| {
            // A mesh that is wound inside out has its inside where the number is negative.
            self.tree.around(at((pair[0] + pair[1]) / 2.0)).abs() > 0.5
        };
        let pieces: Vec<(f64, f64)> = cuts
            .windows(2)
            .filter(|pair| inside(pair))
            .map(|pair| (pair[0], pair[1]))
            .collect();
        let &(start, mut end) = pieces.first()?;
        for &(next, until) in &pieces[1..] {
            if whole || next <= end {
                end = until;
            }
        }
        Some(at((start + end) / 2.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box, its faces wound outwards, two triangles a side.
    fn cube(low: Vec3, side: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let corner = |k: u32| low + side * Vec3::new((k & 1) as f32, (k >> 1 & 1) as f32, (k >> 2) as f32);
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = quads
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect();
        ((0..8).map(corner).collect(), triangles)
    }

    /// One in front of the other: from z = 0 to 1, and from z = 2 to 4.
    fn two_boxes() -> Mesh {
        let (mut positions, mut triangles) = cube(Vec3::new(-0.5, -0.5, 0.0), 1.0);
        let (more, faces) = cube(Vec3::new(-1.0, -1.0, 2.0), 2.0);
        triangles.extend(faces.iter().map(|t| t.map(|v| v + positions.len() as u32)));
        positions.extend(more);
        Mesh::single_part("boxes", positions, triangles)
    }

    #[test]
    fn the_first_limb_is_met_and_not_the_body_behind_it() {
        let mesh = two_boxes();
        let body = Body::of(&mesh);
        let from = Vec3::new(0.1, 0.2, -5.0);
        let near = |z: f64, found: Option<DVec3>| {
            let found = found.unwrap();
            assert!(found.distance(DVec3::new(0.1, 0.2, z)) < 1e-4, "{found}");
        };
        near(0.5, body.middle(&mesh, from, Vec3::Z, false));
        near(2.0, body.middle(&mesh, from, Vec3::Z, true));
        near(
            3.0,
            body.middle(&mesh, Vec3::new(0.1, 0.2, 9.0), Vec3::NEG_Z, false),
        );
        assert!(body.middle(&mesh, from, Vec3::X, false).is_none());
        assert!(body.middle(&mesh, from, Vec3::ZERO, false).is_none());
    }

    #[test]
    fn a_hole_where_the_ray_comes_in_does_no_harm() {
        let mut mesh = two_boxes();
        // One of the two triangles at z = 0 goes; a ray through the hole still finds the first box.
        let front = |t: &[u32; 3]| t.iter().all(|&v| mesh.positions[v as usize].z == 0.0);
        let at = mesh.triangles.iter().position(front).unwrap();
        let hole = mesh.triangles.remove(at);
        let through = hole.iter().map(|&v| mesh.positions[v as usize]).sum::<Vec3>() / 3.0;
        let mesh = Mesh::single_part("holed", mesh.positions, mesh.triangles);
        let body = Body::of(&mesh);
        let found = body
            .middle(&mesh, through - 5.0 * Vec3::Z, Vec3::Z, false)
            .unwrap();
        assert!((0.3..0.9).contains(&found.z), "{found}");
    }
}
