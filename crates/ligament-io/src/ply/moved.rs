//! What of a point's properties moves with it: position, normal, the shape of a Gaussian splat and the colours that depend on
//! where it is seen from.
//!
//! Splats have the properties of Kerbl et al. 2023: `rot_0..3` (w, x, y, z, of any length), `scale_0..2` as logarithms (a disk,
//! as of Huang et al. 2024, has two), `f_rest_*` channel by channel. A covariance may be there instead: `cov_0..5` are xx, xy,
//! xz, yy, yz, zz. Everything else (`f_dc_*`, `opacity`, colours) stays.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use ligament::deform::{Ellipsoid, HARMONICS, HarmonicTurn, moved_covariance, turn_of};

use super::points::PointFile;

/// Maps that differ from the identity by less in every entry move nothing: what matrices at rest leave over.
const AT_REST: f64 = 1e-12;
/// A scale that a map squeezes to nothing stays this fraction of the splat's largest, since zero has no logarithm.
const LEAST_SCALE: f64 = 1e-9;

/// Where in a row the properties that move are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovedProperties {
    position: [usize; 3],
    normal: Option<[usize; 3]>,
    rotation: Option<[usize; 4]>,
    /// Two or three.
    scales: Vec<usize>,
    covariance: Option<[usize; 6]>,
    /// For each channel of colour its coefficients, of whole degrees.
    harmonics: Vec<Vec<usize>>,
    /// There are colours by direction in a number that is no whole degree up to 3.
    unturned_harmonics: bool,
}

impl MovedProperties {
    /// Finds them by their names.
    pub fn of(file: &PointFile<'_>) -> Self {
        fn all<const N: usize>(file: &PointFile<'_>, name: impl Fn(usize) -> String) -> Option<[usize; N]> {
            let mut found = [0; N];
            for (k, index) in found.iter_mut().enumerate() {
                *index = file.property(&name(k))?;
            }
            Some(found)
        }
        let axis = |k: usize| ["x", "y", "z"][k].to_owned();
        let rest: Vec<usize> = (0..)
            .map_while(|k| file.property(&format!("f_rest_{k}")))
            .collect();
        let per_channel = rest.len() / 3;
        let whole = rest.len().is_multiple_of(3) && [3, 8, HARMONICS].contains(&per_channel);
        Self {
            position: all(file, axis).unwrap_or_default(), // a file of points has them
            normal: all(file, |k| format!("n{}", axis(k))),
            rotation: all(file, |k| format!("rot_{k}")),
            scales: (0..3)
                .map_while(|k| file.property(&format!("scale_{k}")))
                .collect(),
            covariance: all(file, |k| format!("cov_{k}")),
            harmonics: if whole {
                rest.chunks(per_channel).map(<[usize]>::to_vec).collect()
            } else {
                Vec::new()
            },
            unturned_harmonics: !rest.is_empty() && !whole,
        }
    }

    /// Whether the points are splats, which have a shape.
    pub fn are_splats(&self) -> bool {
        self.covariance.is_some() || self.rotation.is_some() && self.scales.len() >= 2
    }

    /// Whether there are colours by direction that stay as they are, because their number is no whole degree up to 3.
    pub fn leaves_colours(&self) -> bool {
        self.unturned_harmonics
    }

    /// Moves a row by the map of its position.
    pub fn apply(&self, map: &DAffine3, row: &mut [f64]) {
        if map.abs_diff_eq(DAffine3::IDENTITY, AT_REST) {
            return;
        }
        let linear = map.matrix3;
        let vector = |row: &[f64], at: [usize; 3]| DVec3::from_array(at.map(|k| row[k]));
        let put = |row: &mut [f64], at: [usize; 3], to: DVec3| {
            for (k, value) in at.into_iter().zip(to.to_array()) {
                row[k] = value;
            }
        };
        put(
            row,
            self.position,
            map.transform_point3(vector(row, self.position)),
        );
        if let Some(at) = self.normal {
            let normal = vector(row, at);
            // By the cofactors, as skinning does; a splat's are often zero and stay so.
            let moved = linear.y_axis.cross(linear.z_axis) * normal.x
                + linear.z_axis.cross(linear.x_axis) * normal.y
                + linear.x_axis.cross(linear.y_axis) * normal.z;
            if let Some(direction) = moved.try_normalize() {
                put(row, at, direction * normal.length());
            }
        }
        self.shape(linear, row);
        if let Some(at) = self.covariance {
            let [xx, xy, xz, yy, yz, zz] = at.map(|k| row[k]);
            let covariance = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
            let moved = moved_covariance(covariance, linear);
            let upper = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
            for (k, (i, j)) in at.into_iter().zip(upper) {
                row[k] = moved.col(j)[i];
            }
        }
        if !self.harmonics.is_empty() {
            let turn = HarmonicTurn::new(turn_of(linear));
            let mut coefficients = [0.0; HARMONICS];
            for channel in &self.harmonics {
                let coefficients = &mut coefficients[..channel.len()];
                for (to, &k) in coefficients.iter_mut().zip(channel) {
                    *to = row[k];
                }
                turn.apply(coefficients);
                for (from, &k) in coefficients.iter().zip(channel) {
                    row[k] = *from;
                }
            }
        }
    }

    /// Turns and stretches an ellipsoid or a disk; one whose numbers say nothing stays.
    fn shape(&self, linear: DMat3, row: &mut [f64]) {
        let Some(at) = self.rotation.filter(|_| self.scales.len() >= 2) else {
            return;
        };
        let [w, x, y, z] = at.map(|k| row[k]);
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let mut scales = DVec3::ZERO;
        for (axis, &k) in self.scales.iter().enumerate() {
            scales[axis] = row[k].exp();
        }
        let length = rotation.length();
        if !(length > 0.0 && length.is_finite() && scales.is_finite()) {
            return;
        }
        let before = Ellipsoid {
            rotation: rotation * length.recip(),
            scales,
        };
        let moved = before.moved(linear);
        let least = LEAST_SCALE * scales.max_element();
        for (axis, &k) in self.scales.iter().enumerate() {
            // What a map leaves as it was keeps its digits.
            if (moved.scales[axis] / scales[axis] - 1.0).abs() > AT_REST {
                row[k] = moved.scales[axis].max(least.min(scales[axis])).ln();
            }
        }
        // Of the two quaternions of a rotation the one that is nearer.
        let same_side = moved.rotation.dot(before.rotation) >= 0.0;
        let turned = moved.rotation * if same_side { length } else { -length };
        for (k, value) in at.into_iter().zip([turned.w, turned.x, turned.y, turned.z]) {
            row[k] = value;
        }
    }
}
