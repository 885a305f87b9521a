//! Whether a face stands between two points.

use glam::DVec3;
use robust::{Coord3D, orient3d};

use super::{Bounds, BoxTree};

/// Faces in a tree, to ask what they hide.
pub struct Faces {
    tree: BoxTree,
    points: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
}

impl Faces {
    /// Builds the tree.
    pub fn new(points: &[DVec3], faces: &[[u32; 3]]) -> Self {
        let bounds = |face: &[u32; 3]| {
            let corners = face.map(|p| points[p as usize].as_vec3());
            Bounds::around(corners[0], &corners[1..])
        };
        Self {
            tree: BoxTree::new(faces.iter().map(bounds)),
            points: points.to_vec(),
            faces: faces.to_vec(),
        }
    }

    /// Whether the segment from the position `own` at `from` to `to` crosses a face that
    /// does not hang on `own`. Exact: a segment through an edge or a corner crosses; one
    /// that only ends on a face does not.
    pub fn hide(&self, from: DVec3, to: DVec3, own: u32) -> bool {
        self.tree.any_along(from, to, |face| {
            let face = self.faces[face as usize];
            !face.contains(&own) && crosses(from, to, face.map(|p| self.points[p as usize]))
        })
    }
}

/// Whether a segment passes from one side of a triangle to the other through it.
fn crosses(from: DVec3, to: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let side = |a: DVec3, b: DVec3, c: DVec3, d: DVec3| {
        let [a, b, c, d] = [a, b, c, d].map(|p| Coord3D {
            x: p.x,
            y: p.y,
            z: p.z,
        });
        orient3d(a, b, c, d)
    };
    let ends = (side(a, b, c, from), side(a, b, c, to));
    if !(ends.0 > 0.0 && ends.1 < 0.0 || ends.0 < 0.0 && ends.1 > 0.0) {
        return false;
    }
    let around = [side(from, to, a, b), side(from, to, b, c), side(from, to, c, a)];
    around.iter().all(|&s| s >= 0.0) || around.iter().all(|&s| s <= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn edges_and_corners_hide_and_ends_do_not() {
        // A square of two faces in the plane z = 0.
        let points = [DVec3::ZERO, DVec3::X, DVec3::new(1.0, 1.0, 0.0), DVec3::Y];
        let faces = Faces::new(&points, &[[0, 1, 2], [0, 2, 3]]);
        let through = |x: f64, y: f64| faces.hide(DVec3::new(x, y, 1.0), DVec3::new(x, y, -1.0), 9);
        assert!(through(0.5, 0.5) && through(1.0, 0.3) && through(0.0, 0.0) && through(0.2, 0.7));
        assert!(!through(1.0 + 1e-12, 0.3) && !through(-1e-12, 0.5));
        assert!(!faces.hide(DVec3::new(0.5, 0.2, 1.0), DVec3::new(0.5, 0.2, 0.0), 9));
        // Faces at the position itself are not in its way.
        assert!(!faces.hide(points[0], DVec3::new(0.5, 0.5, -1.0), 0));
    }

    proptest! {
        /// A tetrahedron has no gaps: from inside, everything outside is hidden.
        #[test]
        fn nothing_slips_through_a_closed_surface(
            corners in prop::array::uniform4(prop::array::uniform3(-4i8..5)),
            to in prop::array::uniform3(-4i8..5),
        ) {
            let points = corners.map(|p| DVec3::from(p.map(f64::from)));
            let [a, b, c, d] = points;
            prop_assume!((b - a).cross(c - a).dot(d - a) != 0.0);
            let faces = Faces::new(&points, &[[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
            let middle = (a + b + c + d) / 4.0;
            let away = middle + 100.0 * (DVec3::from(to.map(f64::from)) - middle);
            prop_assume!(away != middle);
            prop_assert!(faces.hide(middle, away, 9));
        }
    }
}
