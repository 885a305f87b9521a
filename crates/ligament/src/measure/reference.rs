//! How far weights are from the artist's, and how far the skin that they move.
//!
//! - **Weight error** of a vertex: ½Σ|w − w*| over all joints, in `0.0..=1.0`: the fraction of
//!   influence that went to the wrong joint. Mean and 95th percentile over vertices.
//! - **Precision and recall** of influences: an influence is a joint with a weight above
//!   10⁻⁴ (Xu et al. 2020, RigNet). Precision is the fraction of our influences that the
//!   artist has too, recall the fraction of the artist's that we have.
//! - **Deformation error**: the distance between the two skins in a pose, as root mean
//!   square over vertices and frames and as the worst, relative to the diagonal of the
//!   bounding box of the artist's skin at rest.
//!
//! All are over the vertices of skin, each split vertex for itself; carried parts have no
//! weights to compare.

use glam::Vec3;
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::{CHUNK, MeasuredSkin};
use super::statistics::{mean, percentile};
use crate::character::Weights;
use crate::weights::weight_distance;

/// Smaller weights are no influences.
const INFLUENCE_FLOOR: f32 = 1e-4;

/// Agreement with reference weights.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReferenceMeasures {
    /// Mean of ½Σ|w − w*| over vertices, in `0.0..=1.0`.
    pub weight_error_mean: f64,
    /// Its 95th percentile.
    pub weight_error_p95: f64,
    /// The fraction of influences that the reference has too, in `0.0..=1.0`.
    pub influence_precision: f64,
    /// The fraction of the reference's influences that are there, in `0.0..=1.0`.
    pub influence_recall: f64,
    /// Root mean square of the skins' distance over vertices and frames, relative to the
    /// diagonal; `None` without a frame.
    pub deformation_rms: Option<f64>,
    /// The largest such distance.
    pub deformation_worst: Option<f64>,
}

/// ½Σ|w − w*| of each of the given vertices.
pub fn weight_errors(weights: &Weights, reference: &Weights, vertices: &[u32]) -> Vec<f64> {
    vertices
        .par_iter()
        .with_min_len(CHUNK)
        .map(|&v| weight_distance(weights.of_vertex(v as usize), reference.of_vertex(v as usize)))
        .collect()
}

/// Precision and recall of the influences of the given vertices; 1 where there are none.
pub fn influence_agreement(weights: &Weights, reference: &Weights, vertices: &[u32]) -> (f64, f64) {
    let (mut ours, mut theirs, mut both) = (0usize, 0usize, 0usize);
    for &v in vertices {
        let count = |of: &Weights| {
            of.of_vertex(v as usize)
                .iter()
                .filter(|i| i.weight > INFLUENCE_FLOOR)
                .count()
        };
        ours += count(weights);
        theirs += count(reference);
        both += weights
            .of_vertex(v as usize)
            .iter()
            .filter(|i| i.weight > INFLUENCE_FLOOR && reference.weight(v as usize, i.joint) > INFLUENCE_FLOOR)
            .count();
    }
    let fraction = |of: usize| if of == 0 { 1.0 } else { both as f64 / of as f64 };
    (fraction(ours), fraction(theirs))
}

/// Adds up deformation errors frame by frame.
pub(super) struct ReferenceMeter {
    errors: Vec<f64>,
    agreement: (f64, f64),
    diagonal: f64,
    sum: f64,
    count: usize,
    worst: f64,
    /// For each vertex of skin the largest distance so far, relative to the diagonal.
    pub worst_of_vertex: Vec<f32>,
    /// For each region and frame the sum of squared distances, relative to the diagonal.
    pub region_frames: Vec<Vec<f64>>,
}

impl ReferenceMeter {
    /// `at_rest` are the positions of the mesh's vertices at rest by the reference.
    pub fn new(skin: &MeasuredSkin, weights: &Weights, reference: &Weights, at_rest: &[Vec3]) -> Self {
        let positions = || skin.vertices.iter().map(|&v| at_rest[v as usize]);
        let low = positions().fold(Vec3::INFINITY, Vec3::min);
        let high = positions().fold(Vec3::NEG_INFINITY, Vec3::max);
        let diagonal = f64::from((high - low).length());
        Self {
            errors: weight_errors(weights, reference, &skin.vertices),
            agreement: influence_agreement(weights, reference, &skin.vertices),
            diagonal: if diagonal > 0.0 { diagonal } else { 1.0 },
            sum: 0.0,
            count: 0,
            worst: 0.0,
            worst_of_vertex: vec![0.0; skin.vertices.len()],
            region_frames: Vec::new(),
        }
    }

    /// Adds a frame: both skins' vertices, and the region of each position.
    pub fn add(
        &mut self,
        skin: &MeasuredSkin,
        posed: &[Vec3],
        reference: &[Vec3],
        region_of: &[u32],
        regions: usize,
    ) {
        let mut of_region = vec![0.0; regions];
        for (k, &v) in skin.vertices.iter().enumerate() {
            let v = v as usize;
            let distance = posed[v].as_dvec3().distance(reference[v].as_dvec3()) / self.diagonal;
            self.sum += distance * distance;
            self.worst = self.worst.max(distance);
            self.worst_of_vertex[k] = self.worst_of_vertex[k].max(distance as f32);
            of_region[region_of[skin.point_of_vertex[v] as usize] as usize] += distance * distance;
        }
        self.count += skin.vertices.len();
        self.region_frames.push(of_region);
    }

    /// The result.
    pub fn finish(&self) -> ReferenceMeasures {
        let posed = self.count > 0;
        ReferenceMeasures {
            weight_error_mean: mean(self.errors.iter().copied()),
            weight_error_p95: percentile(&mut self.errors.clone(), 95.0),
            influence_precision: self.agreement.0,
            influence_recall: self.agreement.1,
            deformation_rms: posed.then(|| (self.sum / self.count as f64).sqrt()),
            deformation_worst: posed.then_some(self.worst),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::character::{Influence, JointIndex};

    fn weights(lists: &[&[(u16, f32)]]) -> Weights {
        let lists: Vec<Vec<Influence>> = lists
            .iter()
            .map(|list| {
                list.iter()
                    .map(|&(joint, weight)| Influence {
                        joint: JointIndex(joint),
                        weight,
                    })
                    .collect()
            })
            .collect();
        Weights::new(lists.iter().map(Vec::as_slice)).unwrap()
    }

    #[test]
    fn errors_precision_and_recall_by_hand() {
        let ours = weights(&[&[(0, 1.0)], &[(0, 0.5), (1, 0.5)], &[(2, 1.0)]]);
        let theirs = weights(&[&[(0, 1.0)], &[(0, 1.0)], &[(1, 0.75), (2, 0.25)]]);
        assert_eq!(weight_errors(&ours, &theirs, &[0, 1, 2]), [0.0, 0.5, 0.75]);
        // Of our four influences three are the artist's; of the artist's four, three are ours.
        assert_eq!(influence_agreement(&ours, &theirs, &[0, 1, 2]), (0.75, 0.75));
        assert_eq!(influence_agreement(&ours, &theirs, &[1]), (0.5, 1.0));
    }

    #[test]
    fn the_deformation_error_is_relative_to_the_diagonal() {
        let mesh = Mesh::single_part(
            "t",
            vec![Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 4.0],
            vec![[0, 1, 2]],
        );
        let skin = MeasuredSkin::of(&mesh);
        let w = weights(&[&[(0, 1.0)], &[(0, 1.0)], &[(0, 1.0)]]);
        let mut meter = ReferenceMeter::new(&skin, &w, &w, &mesh.positions);
        let mut moved = mesh.positions.clone();
        moved[1].z = 1.0;
        meter.add(&skin, &moved, &mesh.positions, &[0, 0, 0], 1);
        meter.add(&skin, &mesh.positions, &mesh.positions, &[0, 0, 0], 1);
        let found = meter.finish();
        // One of six vertices is 1 off, the diagonal is 5.
        assert!((found.deformation_rms.unwrap() - (1.0f64 / 6.0).sqrt() / 5.0).abs() < 1e-9);
        assert!((found.deformation_worst.unwrap() - 0.2).abs() < 1e-9);
        assert_eq!(found.weight_error_mean, 0.0);
    }
}
