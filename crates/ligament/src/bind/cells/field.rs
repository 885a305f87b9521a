//! The field: a cell for each joint, and how it becomes weights at a point (SkinCells,
//! section 3.3).
//!
//! A cell has sites. A site measures its distance by the Mahalanobis metric
//! d(x) = |F·(x − p)|, F a lower triangle with a positive diagonal (every symmetric
//! positive definite FᵀF has exactly one), rounded off within a radius t:
//! H(d; t) = ½(d²/t + t) for d ≤ t, else d. The distance to a cell is the least over its
//! sites, plus the [`Detour`] there. The weight before normalising (Eq. 3) is
//!
//! > (max(c, D(x) − d(x)) / d(x))^r
//!
//! with D(x) the (l+1)-th smallest distance, l the most influences. The paper writes the
//! l-th, which leaves l − 1 weights and 0/0 for l = 1; with the next one there are at most
//! l by construction, and each vanishes continuously where another takes its place. With
//! l cells or fewer it is d^−r. Where the l+1 nearest tie, the first l of them share
//! equally.
//!
//! Beside the surface that it was fitted to a field weighs as on it ([`FittedSurface`]).
//!
//! Lengths are measured in a cube of side one around the character, so that a field does
//! not depend on units.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::detour::Detour;
use super::fitted_surface::FittedSurface;
use crate::character::Skeleton;
use crate::{JointIndex, bind::BindWarning};

/// One point that a cell is near to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Site {
    /// Where it is, in the field's own unit cube.
    pub centre: [f32; 3],
    /// The lower triangle of F by rows: f00, f10, f11, f20, f21, f22. The diagonal is
    /// positive.
    pub shape: [f32; 6],
    /// Within this distance it is rounded off; positive.
    pub radius: f32,
}

/// What one joint attracts.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The joint's name: a field finds its joints in another skeleton by name.
    pub joint: String,
    /// Where the joint was when the field was made, in the field's unit cube.
    pub origin: [f32; 3],
    /// The exponent r; positive. Larger is harder.
    pub falloff: f32,
    /// The least numerator c. Zero makes the field sparse by construction; a field that
    /// was fitted has zero. Very large makes it 1/d^r.
    pub floor: f32,
    /// At least one.
    pub sites: Vec<Site>,
}

/// Weights at every point of space.
#[derive(Debug, Clone, PartialEq)]
pub struct CellField {
    /// The most weights that are not zero at a point; at least one.
    pub influences: usize,
    /// The middle of the unit cube, in bind space.
    pub centre: DVec3,
    /// The side of the unit cube, in bind space; positive.
    pub size: f64,
    /// The cells, one for each joint that takes part.
    pub cells: Vec<Cell>,
    /// How much longer the way through the solid is than the straight line.
    pub detour: Option<Detour>,
    /// The surface that it was fitted to: points beside it weigh as those on it.
    pub surface: Option<Arc<FittedSurface>>,
}

/// Why numbers are no field.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FieldError {
    /// There is nothing to follow.
    #[error("the field has no cells")]
    NoCells,
    /// A number is out of its range.
    #[error("the cell of joint '{joint}' holds a number that is not finite or not positive where it must be")]
    BadCell {
        /// The joint of the cell at fault.
        joint: String,
    },
    /// The frame of the field, its influences or its detours are out of range.
    #[error("the field's frame, influences or detours are out of range")]
    BadFrame,
    /// None of the field's joints is in the skeleton.
    #[error("none of the field's joints is in this skeleton; it was made for joints like '{example}'")]
    OtherSkeleton {
        /// One of the field's joints.
        example: String,
    },
}

impl CellField {
    /// Checks everything that the types alone do not promise.
    pub fn check(&self) -> Result<(), FieldError> {
        if self.cells.is_empty() {
            return Err(FieldError::NoCells);
        }
        let frame =
            self.influences > 0 && self.centre.is_finite() && self.size.is_finite() && self.size > 0.0;
        if !frame || self.cells.len() > usize::from(u16::MAX) {
            return Err(FieldError::BadFrame);
        }
        let positive = |x: f32| x.is_finite() && x > 0.0;
        for cell in &self.cells {
            let sound = positive(cell.falloff)
                && cell.floor >= 0.0
                && cell.floor.is_finite()
                && cell.origin.iter().all(|x| x.is_finite())
                && !cell.sites.is_empty()
                && cell.sites.iter().all(|s| {
                    s.centre.iter().chain(&s.shape).all(|x| x.is_finite())
                        && [s.shape[0], s.shape[2], s.shape[5], s.radius]
                            .into_iter()
                            .all(positive)
                });
            if !sound {
                return Err(FieldError::BadCell {
                    joint: cell.joint.clone(),
                });
            }
        }
        match &self.detour {
            Some(detour) if !detour.is_sound(self.cells.len()) => Err(FieldError::BadFrame),
            _ => Ok(()),
        }
    }

    /// A point of bind space in the field's unit cube.
    pub fn inside(&self, point: Vec3) -> Vec3 {
        ((point.as_dvec3() - self.centre) / self.size).as_vec3()
    }

    /// Where in the unit cube a point of bind space is weighed.
    pub(super) fn weighed_at(&self, point: Vec3) -> Vec3 {
        let x = self.inside(point);
        self.surface.as_ref().map_or(x, |surface| surface.drawn(x))
    }

    /// For each cell its joint in a skeleton, by name; the n-th of a repeated name is the
    /// n-th there too. Cells whose joint is missing have none.
    pub fn joints_in(
        &self,
        skeleton: &Skeleton,
    ) -> Result<(Vec<Option<JointIndex>>, Vec<BindWarning>), FieldError> {
        let mut taken = vec![false; skeleton.joints.len()];
        let mut missing = Vec::new();
        let mut moved = 0.0f64;
        let joints: Vec<Option<JointIndex>> = self
            .cells
            .iter()
            .map(|cell| {
                let found = skeleton.indices().find(|&j| {
                    let joint = skeleton.joint(j);
                    joint.in_skin && !taken[j.at()] && joint.name == cell.joint
                });
                match found {
                    Some(j) => {
                        taken[j.at()] = true;
                        let origin = Vec3::from(cell.origin).as_dvec3() * self.size + self.centre;
                        moved = moved.max(origin.distance(skeleton.bind_position(j)) / self.size);
                    }
                    None => missing.push(cell.joint.clone()),
                }
                found
            })
            .collect();
        if joints.iter().all(Option::is_none) {
            return Err(FieldError::OtherSkeleton {
                example: self.cells.first().map(|c| c.joint.clone()).unwrap_or_default(),
            });
        }
        let mut warnings = Vec::new();
        if !missing.is_empty() {
            warnings.push(BindWarning::FieldJointsMissing { joints: missing });
        }
        if moved > MOVED {
            warnings.push(BindWarning::FieldJointsMoved {
                percent: (moved * 1000.0).round() / 10.0,
            });
        }
        Ok((joints, warnings))
    }
}

/// Joints further than this fraction of the character's size from where they were when the
/// field was made belong to another pose or another scale.
const MOVED: f64 = 0.01;

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bind::cells::random::Random;

    /// A field of random cells around the origin.
    pub fn arbitrary_field(cells: usize, sites: usize, influences: usize, seed: u64) -> CellField {
        let mut random = Random::new(seed);
        let cells = (0..cells)
            .map(|c| {
                let origin: [f32; 3] = std::array::from_fn(|_| random.between(-0.5, 0.5) as f32);
                Cell {
                    joint: format!("joint{c}"),
                    origin,
                    falloff: random.between(1.0, 4.0) as f32,
                    floor: 0.0,
                    sites: (0..sites)
                        .map(|_| Site {
                            centre: origin.map(|x| x + random.between(-0.1, 0.1) as f32),
                            shape: [
                                random.between(0.5, 2.0) as f32,
                                random.between(-0.5, 0.5) as f32,
                                random.between(0.5, 2.0) as f32,
                                random.between(-0.5, 0.5) as f32,
                                random.between(-0.5, 0.5) as f32,
                                random.between(0.5, 2.0) as f32,
                            ],
                            radius: random.between(0.01, 0.2) as f32,
                        })
                        .collect(),
                }
            })
            .collect();
        CellField {
            influences,
            centre: DVec3::ZERO,
            size: 1.0,
            cells,
            detour: None,
            surface: None,
        }
    }

    #[test]
    fn numbers_out_of_range_are_named() {
        let good = arbitrary_field(3, 2, 4, 1);
        assert_eq!(good.check(), Ok(()));
        let mut bad = good.clone();
        bad.cells[1].sites[0].shape[2] = 0.0;
        assert!(matches!(bad.check(), Err(FieldError::BadCell { joint }) if joint == "joint1"));
        let mut bad = good.clone();
        bad.size = f64::NAN;
        assert_eq!(bad.check(), Err(FieldError::BadFrame));
        assert_eq!(
            CellField {
                cells: Vec::new(),
                ..good
            }
            .check(),
            Err(FieldError::NoCells)
        );
    }
}
