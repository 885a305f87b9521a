//! The surface that a field was fitted to: beside it the field weighs as on it.
//!
//! A fit knows the field on the surface and nowhere else, and a garment or a level of detail lies a little further out or in. Up to
//! [`NEAR`] a point weighs what the closest point of the surface does; from there to [`FAR`] it is drawn less and less, and beyond, the
//! field is as the cells alone have it. A point on the surface stays where it is, to the bit. Where two sides of the surface are
//! equally close, between two legs, weights change over from one to the other at once, as those of the closest point do.

use glam::{DVec3, Vec3};

use crate::geometry::{Bounds, BoxTree, closest_on_triangle};

/// Up to here a point counts as one of the surface, as a fraction of the cube's side. Larger serves wider skirts as well, and coats
/// worse: more places are as close to one leg as to the other.
const NEAR: f64 = 0.03;
/// From here on it does not.
const FAR: f64 = 0.10;
/// A point that is as close as this is on the surface: rounding to single precision is less.
const ON: f64 = 1e-5;

/// A surface in the unit cube of a field.
#[derive(Debug, Clone)]
pub struct FittedSurface {
    points: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    tree: BoxTree,
}

impl PartialEq for FittedSurface {
    fn eq(&self, other: &Self) -> bool {
        self.points == other.points && self.faces == other.faces
    }
}

impl FittedSurface {
    /// Of points and the faces between them. Nothing if a point is not finite, a face has a corner that does not exist, or there is
    /// no face.
    pub fn new(points: Vec<Vec3>, faces: Vec<[u32; 3]>) -> Option<Self> {
        let exists = |v: &u32| (*v as usize) < points.len();
        let sound =
            !faces.is_empty() && points.iter().all(|p| p.is_finite()) && faces.iter().flatten().all(exists);
        if !sound {
            return None;
        }
        let bounds = faces.iter().map(|f| {
            let [a, b, c] = f.map(|v| points[v as usize]);
            Bounds::around(a, &[b, c])
        });
        Some(Self {
            tree: BoxTree::new(bounds),
            points,
            faces,
        })
    }

    /// Its points.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Its faces.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.faces
    }

    /// Where a point of the unit cube is weighed.
    pub(super) fn drawn(&self, x: Vec3) -> Vec3 {
        let at = x.as_dvec3();
        let on = |f: u32| {
            let corners = self.faces[f as usize].map(|v| self.points[v as usize].as_dvec3());
            closest_on_triangle(at, corners).point
        };
        let Some((face, distance)) = self.tree.closest(at, |f| on(f).distance(at)) else {
            return x;
        };
        // Not a number is further than any.
        if distance <= ON || distance.is_nan() || distance >= FAR {
            return x;
        }
        on(face).lerp(at, given(distance)).as_vec3()
    }
}

/// The fraction of the way from the surface that a point keeps at a distance.
fn given(distance: f64) -> f64 {
    let u = ((distance - NEAR) / (FAR - NEAR)).clamp(0.0, 1.0);
    u * u * (3.0 - 2.0 * u)
}

/// The surface of a fit, in its unit cube.
pub(super) fn surface_of(points: &[DVec3], faces: &[[u32; 3]]) -> Option<FittedSurface> {
    FittedSurface::new(points.iter().map(|p| p.as_vec3()).collect(), faces.to_vec())
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;

    /// A square of side 1 in the plane z = 0.
    fn square() -> FittedSurface {
        let at = |x: f32, y: f32| Vec3::new(x - 0.5, y - 0.5, 0.0);
        let points = vec![at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)];
        FittedSurface::new(points, vec![[0, 1, 2], [0, 2, 3]]).unwrap()
    }

    #[test]
    fn points_beside_a_square_are_weighed_at_their_feet() {
        let square = square();
        let mut random = Random::new(5);
        let mut last = 0.0;
        for step in 0..=1000 {
            let height = 0.2 * step as f32 / 1000.0;
            let x = Vec3::new(
                random.between(-0.49, 0.49) as f32,
                random.between(-0.49, 0.49) as f32,
                height,
            );
            let drawn = square.drawn(x);
            assert_eq!((drawn.x, drawn.y), (x.x, x.y));
            if f64::from(height) <= ON || f64::from(height) >= FAR {
                assert_eq!(drawn, x);
            } else if f64::from(height) <= NEAR {
                assert_eq!(drawn.z, 0.0);
            }
            // It comes back without a jump and never overtakes.
            assert!(drawn.z >= last - 1e-5 && drawn.z - last < 1e-3 && drawn.z <= height);
            last = drawn.z;
            let below = square.drawn(Vec3::new(x.x, x.y, -height));
            assert_eq!(below.z, -drawn.z);
        }
        // Beside an edge and far away.
        assert_eq!(square.drawn(Vec3::new(0.51, 0.0, 0.0)), Vec3::new(0.5, 0.0, 0.0));
        assert_eq!(square.drawn(Vec3::splat(3.0)), Vec3::splat(3.0));
    }

    /// Against a look at every face.
    #[test]
    fn the_closest_of_all_faces_is_taken() {
        let mut random = Random::new(9);
        let points: Vec<Vec3> = (0..90)
            .map(|_| Vec3::from_array(std::array::from_fn(|_| random.between(-0.5, 0.5) as f32)))
            .collect();
        let faces: Vec<[u32; 3]> = (0..30).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
        let surface = FittedSurface::new(points.clone(), faces.clone()).unwrap();
        for _ in 0..300 {
            let x = Vec3::from_array(std::array::from_fn(|_| random.between(-0.6, 0.6) as f32));
            let feet = faces
                .iter()
                .map(|f| closest_on_triangle(x.as_dvec3(), f.map(|v| points[v as usize].as_dvec3())).point);
            let distance = |p: &DVec3| p.distance(x.as_dvec3());
            let foot = feet.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            let wanted = foot.lerp(x.as_dvec3(), given(distance(&foot))).as_vec3();
            assert!(surface.drawn(x).distance(wanted) < 1e-6);
        }
        // What is on a face stays, to the bit.
        assert!(points.iter().all(|&p| surface.drawn(p) == p));
    }

    #[test]
    fn broken_surfaces_are_none() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y];
        assert!(FittedSurface::new(points.clone(), Vec::new()).is_none());
        assert!(FittedSurface::new(points.clone(), vec![[0, 1, 3]]).is_none());
        assert!(FittedSurface::new(vec![Vec3::NAN; 3], vec![[0, 1, 2]]).is_none());
        // A face without area is a line or a point.
        let line = FittedSurface::new(points, vec![[0, 1, 1]]).unwrap();
        assert_eq!(line.drawn(Vec3::new(0.5, 0.01, 0.0)), Vec3::new(0.5, 0.0, 0.0));
    }
}
