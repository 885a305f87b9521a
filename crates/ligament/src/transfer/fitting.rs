//! Whether a body and a garment were made for each other: in one frame, at one scale, in one pose.
//!
//! Where both have skeletons, joints that answer to each other must be at one position. If not, the body is brought to the
//! garment on request: turned and scaled as a whole, then every joint of it moved to its counterpart and turned so that
//! its children point where theirs do, and its skin with it. Where the garment has no joints, sizes are compared: a body in
//! metres and a garment in centimetres, or with another axis up, are told apart by how near they are then.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::same_character::Similarity;
use super::{JointMap, TransferSource};
use crate::character::{JointIndex, Skeleton, Weights};

/// Joints further apart than this fraction of the body's diagonal are in another pose.
const SAME_POSE: f64 = 0.02;
/// So many points of the target tell how near the two are.
const SAMPLED: usize = 400;
/// Targets whose points are, on average, within this fraction of their diagonal of the body are where they belong.
const NEAR: f64 = 0.1;
/// Another unit must bring the surfaces nearer by this factor to be believed.
const NEARER: f64 = 4.0;
/// Units that scenes are in, as seen from another: metres, centimetres, millimetres, inches, feet.
const SCALES: [f64; 11] = [
    1.0,
    100.0,
    0.01,
    1000.0,
    0.001,
    10.0,
    0.1,
    39.370_078_740_157_48,
    0.0254,
    3.280_839_895_013_123,
    0.3048,
];

/// How a body and a garment differ.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Misfit {
    /// They are the same but for position, unit and axes.
    #[error(
        "the body and the target are in another place, scale or with another axis up: a factor of {scale:.4} brings them together"
    )]
    Placed {
        /// What the body's lengths are to be multiplied with.
        scale: f64,
    },
    /// They are in different poses or of different builds.
    #[error(
        "the body and the target are in different poses or of different builds: joint '{joint}' is off by {percent:.0} % of the body's size"
    )]
    Posed {
        /// The joint of the source that is furthest off.
        joint: String,
        /// How far, in percent of the body's diagonal.
        percent: f64,
    },
}

/// The moves that bring a body to a garment.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyFit {
    /// For each joint of the body where it takes its skin.
    pub moves: Vec<DAffine3>,
    /// The factor of all lengths.
    pub scale: f64,
}

impl BodyFit {
    /// What differs, by joints that answer to each other and hold weight; nothing is known with fewer than two.
    pub fn by_joints(
        source: &Skeleton,
        diagonal: f64,
        target: &Skeleton,
        map: &JointMap,
        used: &[bool],
    ) -> Option<(Misfit, Self)> {
        let pairs: Vec<(JointIndex, DVec3, DVec3)> = source
            .indices()
            .filter(|j| used[j.at()])
            .filter_map(|j| {
                let other = map.of_source[j.at()]?;
                Some((j, source.bind_position(j), target.bind_position(other)))
            })
            .collect();
        let positions: Vec<(DVec3, DVec3)> = pairs.iter().map(|p| (p.1, p.2)).collect();
        let furthest = |similarity: &Similarity| {
            let off = |p: &(JointIndex, DVec3, DVec3)| similarity.apply(p.1).distance(p.2);
            pairs
                .iter()
                .map(|p| (off(p), p.0))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
        };
        let (off, _) = furthest(&Similarity::NONE)?;
        if positions.len() < 2 || off <= SAME_POSE * diagonal {
            return None;
        }
        let similarity = Similarity::of_pairs(&positions, 0.0);
        let scale = similarity.scale;
        let (still_off, joint) = furthest(&similarity)?;
        let misfit = if still_off <= SAME_POSE * diagonal * scale {
            Misfit::Placed { scale }
        } else {
            Misfit::Posed {
                joint: source.joint(joint).name.clone(),
                percent: 100.0 * still_off / (diagonal * scale),
            }
        };
        let moves = posed(source, target, map, &similarity);
        Some((misfit, Self { moves, scale }))
    }

    /// What differs, by how near a target without joints is to the body in other units and with other axes up.
    pub fn by_size(
        source: &TransferSource,
        joints: usize,
        points: &[DVec3],
        diagonal: f64,
    ) -> Option<(Misfit, Self)> {
        let step = points.len().div_ceil(SAMPLED).max(1);
        let near = |scale: f64, rotation: DMat3| {
            let back = rotation.transpose() / scale;
            let sampled = points.iter().step_by(step);
            let off: f64 = sampled.map(|&p| source.closest(back * p).distance).sum();
            scale * off / points.len().div_ceil(step).max(1) as f64 / diagonal
        };
        let z_up = DMat3::from_cols(DVec3::X, DVec3::Z, DVec3::NEG_Y);
        let rotations = [DMat3::IDENTITY, z_up, z_up.transpose()];
        let now = near(1.0, DMat3::IDENTITY);
        if now <= NEAR {
            return None;
        }
        let mut best = (now, 1.0, DMat3::IDENTITY);
        for rotation in rotations {
            for scale in SCALES {
                let found = near(scale, rotation);
                if found < best.0 {
                    best = (found, scale, rotation);
                }
            }
        }
        let (found, scale, rotation) = best;
        if found * NEARER >= now {
            return None;
        }
        let whole = DAffine3::from_mat3(rotation * scale);
        Some((
            Misfit::Placed { scale },
            Self {
                moves: vec![whole; joints],
                scale,
            },
        ))
    }

    /// Where the points of a body go by their weights.
    pub fn moved(&self, points: &[DVec3], weights: &Weights) -> Vec<DVec3> {
        points
            .iter()
            .zip(weights.iter())
            .map(|(&p, row)| {
                row.iter()
                    .map(|i| f64::from(i.weight) * self.moves[i.joint.at()].transform_point3(p))
                    .sum()
            })
            .collect()
    }
}

/// Moves of joints to their counterparts; those without follow the joint above.
fn posed(source: &Skeleton, target: &Skeleton, map: &JointMap, similarity: &Similarity) -> Vec<DAffine3> {
    let children = source.skin_children();
    let mut rotations: Vec<DQuat> = Vec::with_capacity(source.joints.len());
    let mut moves: Vec<DAffine3> = Vec::with_capacity(source.joints.len());
    for joint in source.indices() {
        let above = source.joint(joint).parent;
        let inherited = above.map_or(DQuat::IDENTITY, |p| rotations[p.at()]);
        let at = source.bind_position(joint);
        let Some(other) = map.of_source[joint.at()] else {
            rotations.push(inherited);
            moves.push(above.map_or_else(|| similarity.to_affine(), |p| moves[p.at()]));
            continue;
        };
        let to = target.bind_position(other);
        let directions: Vec<(DVec3, DVec3)> = children[joint.at()]
            .iter()
            .filter_map(|&child| {
                let end = target.bind_position(map.of_source[child.at()]?) - to;
                let start = similarity.rotation * (source.bind_position(child) - at) * similarity.scale;
                (start.length() > 0.0 && end.length() > 0.0).then_some((start, end))
            })
            .collect();
        // The end of a chain goes on as the joint above it does.
        let rotation = if directions.is_empty() {
            inherited
        } else {
            rotation_between(&directions)
        };
        rotations.push(rotation);
        let linear = DMat3::from_quat(rotation) * similarity.rotation * similarity.scale;
        moves.push(DAffine3 {
            matrix3: linear,
            translation: to - linear * at,
        });
    }
    moves
}

/// The turn that brings directions to others best: the sum of their torques vanishes.
fn rotation_between(directions: &[(DVec3, DVec3)]) -> DQuat {
    const STEPS: usize = 32;
    let mut rotation = DQuat::IDENTITY;
    for _ in 0..STEPS {
        let torque: DVec3 = directions.iter().map(|(a, b)| (rotation * *a).cross(*b)).sum();
        let along: f64 = directions.iter().map(|(a, b)| (rotation * *a).dot(*b)).sum();
        let Some(axis) = torque.try_normalize() else {
            break;
        };
        let angle = torque.length().atan2(along);
        rotation = (DQuat::from_axis_angle(axis, angle) * rotation).normalize();
        if angle < 1e-9 {
            break;
        }
    }
    rotation
}
