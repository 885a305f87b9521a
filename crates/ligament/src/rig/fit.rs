//! A skeleton in other units, with another axis up, or in another place than its mesh.
//!
//! Skeleton and mesh often come from different files that state neither unit nor axes.
//! Both describe one body, so their bounding boxes should nearly agree; [`find_fit`] tries
//! rotations that swap the up axis and scales between common units, and takes the simplest
//! that makes them agree. It looks at boxes only: a skeleton in another *pose* is not
//! brought into this one, and a rotation about the vertical axis is not found.

use std::fmt;

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use serde::Serialize;

use crate::character::{Channel, Clip, Skeleton, Transform};

/// How the up axis changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum UpAxisRotation {
    /// It does not.
    None,
    /// The skeleton has Z up, the mesh Y.
    ZUpToYUp,
    /// The skeleton has Y up, the mesh Z.
    YUpToZUp,
}

impl UpAxisRotation {
    const ALL: [Self; 3] = [Self::None, Self::ZUpToYUp, Self::YUpToZUp];

    fn quaternion(self) -> DQuat {
        let quarter = std::f64::consts::FRAC_PI_2;
        match self {
            Self::None => DQuat::IDENTITY,
            Self::ZUpToYUp => DQuat::from_rotation_x(-quarter),
            Self::YUpToZUp => DQuat::from_rotation_x(quarter),
        }
    }
}

/// What brings a skeleton to its mesh: rotation, then scale, then move.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Fit {
    /// The change of the up axis.
    pub rotation: UpAxisRotation,
    /// The factor on all lengths.
    pub scale: f64,
    /// The move, in the mesh's units.
    pub offset: DVec3,
    /// How well the boxes agree as they are, from 0 to 1.
    pub agreement_before: f64,
    /// How well they agree afterwards.
    pub agreement_after: f64,
}

impl Fit {
    /// Whether nothing needs to be done.
    pub fn is_identity(&self) -> bool {
        self.rotation == UpAxisRotation::None && self.scale == 1.0 && self.offset == DVec3::ZERO
    }

    /// `mesh_from_skeleton` as a matrix.
    pub fn to_affine(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(
            DVec3::splat(self.scale),
            self.rotation.quaternion(),
            self.offset,
        )
    }
}

impl fmt::Display for Fit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        match self.rotation {
            UpAxisRotation::None => {}
            UpAxisRotation::ZUpToYUp => words.push("has Z up where the mesh has Y up".to_owned()),
            UpAxisRotation::YUpToZUp => words.push("has Y up where the mesh has Z up".to_owned()),
        }
        if self.scale != 1.0 {
            words.push(format!("is in units {} times the mesh's", trimmed(self.scale)));
        }
        if self.offset != DVec3::ZERO {
            let [x, y, z] = self.offset.to_array().map(trimmed);
            words.push(format!("is off by ({x}, {y}, {z})"));
        }
        if words.is_empty() {
            words.push("fits the mesh".to_owned());
        }
        write!(f, "the skeleton {}", words.join(", "))
    }
}

fn trimmed(x: f64) -> String {
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Factors between units that files come in: metres, decimetres, centimetres, millimetres,
/// inches, feet.
const UNIT_FACTORS: [f64; 11] = [
    1.0,
    0.01,
    100.0,
    0.001,
    1000.0,
    0.1,
    10.0,
    0.0254,
    1.0 / 0.0254,
    0.3048,
    1.0 / 0.3048,
];
/// A skeleton spans from about half of its mesh (no joints in a long skirt or big hair) to a
/// little more (control joints around it). Unit factors differ by more than that.
const SIZE_RANGE: std::ops::Range<f64> = 0.75..2.0;
/// A change must improve the agreement by this much, or nothing is changed: joints on the
/// floor and props make boxes of good pairs differ, by up to a fifth on real characters.
const WORTH_IT: f64 = 0.2;
/// A move must improve the agreement by this much over doing without: files that belong
/// together mostly share their origin, and a body upside down fits its box as well.
const WORTH_MOVING: f64 = 0.15;

/// Finds what brings a skeleton to a mesh. The identity if it fits already, or if nothing
/// tried is clearly better.
pub fn find_fit(positions: &[Vec3], skeleton: &Skeleton) -> Fit {
    let joints: Vec<DVec3> = skeleton
        .joints
        .iter()
        .filter(|j| j.in_skin)
        .map(|j| j.bind_from_joint.translation)
        .collect();
    let mesh = bounds(positions.iter().map(|p| p.as_dvec3()));
    let (Some(mesh), Some(own)) = (mesh, bounds(joints.iter().copied())) else {
        return identity(1.0);
    };
    let before = agreement(mesh, own);
    let mut best = identity(before);
    for rotation in UpAxisRotation::ALL {
        let Some(rotated) = bounds(joints.iter().map(|&p| rotation.quaternion() * p)) else {
            continue;
        };
        for scale in scales(mesh, rotated) {
            let scaled = (rotated.0 * scale, rotated.1 * scale);
            let centred = 0.5 * (mesh.0 + mesh.1 - scaled.0 - scaled.1);
            let stays = agreement(mesh, scaled);
            let moves = agreement(mesh, (scaled.0 + centred, scaled.1 + centred));
            let moved = moves - stays > WORTH_MOVING;
            let fit = Fit {
                rotation,
                scale,
                offset: if moved { centred } else { DVec3::ZERO },
                agreement_before: before,
                agreement_after: if moved { moves } else { stays },
            };
            let value = |f: &Fit| {
                f.agreement_after
                    - if f.offset == DVec3::ZERO {
                        0.0
                    } else {
                        WORTH_MOVING
                    }
            };
            if value(&fit) > value(&best) + 1e-9 {
                best = fit;
            }
        }
    }
    if best.agreement_after - before < WORTH_IT {
        identity(before)
    } else {
        best
    }
}

fn identity(agreement: f64) -> Fit {
    Fit {
        rotation: UpAxisRotation::None,
        scale: 1.0,
        offset: DVec3::ZERO,
        agreement_before: agreement,
        agreement_after: agreement,
    }
}

type Bounds = (DVec3, DVec3);

fn bounds(points: impl Iterator<Item = DVec3>) -> Option<Bounds> {
    points
        .map(|p| (p, p))
        .reduce(|(lo, hi), (p, _)| (lo.min(p), hi.max(p)))
}

/// Scales worth trying: unit factors that make the sizes comparable, else the ratio.
fn scales(mesh: Bounds, skeleton: Bounds) -> Vec<f64> {
    let size = |(lo, hi): Bounds| (hi - lo).length();
    let ratio = size(mesh) / size(skeleton);
    if !(ratio.is_finite() && ratio > 0.0) {
        return vec![1.0];
    }
    let units: Vec<f64> = UNIT_FACTORS
        .into_iter()
        .filter(|f| SIZE_RANGE.contains(&(ratio / f)))
        .collect();
    if units.is_empty() { vec![ratio] } else { units }
}

/// The mean over the axes of how much of the two intervals together they share.
fn agreement(a: Bounds, b: Bounds) -> f64 {
    let shared = (a.1.min(b.1) - a.0.max(b.0)).max(DVec3::ZERO);
    let together = a.1.max(b.1) - a.0.min(b.0);
    // Flat bodies and straight skeletons agree on the axis that they do not extend along.
    let tiny = 1e-3 * (a.1 - a.0).length().min((b.1 - b.0).length());
    ((shared + DVec3::splat(tiny)) / (together + DVec3::splat(tiny))).element_sum() / 3.0
}

/// Brings a skeleton and its clips to the mesh.
pub fn apply_fit(fit: &Fit, skeleton: &mut Skeleton, clips: &mut [Clip]) {
    let rotation = fit.rotation.quaternion();
    let is_root: Vec<bool> = skeleton.joints.iter().map(|j| j.parent.is_none()).collect();
    let position = |p: DVec3, root: bool| {
        if root {
            fit.scale * (rotation * p) + fit.offset
        } else {
            fit.scale * p
        }
    };
    for (joint, &root) in skeleton.joints.iter_mut().zip(&is_root) {
        joint.rest = Transform {
            translation: position(joint.rest.translation, root),
            rotation: if root {
                rotation * joint.rest.rotation
            } else {
                joint.rest.rotation
            },
            scale: joint.rest.scale,
        };
        // Joints keep their axes' length: lengths are in the translations.
        joint.bind_from_joint = DAffine3 {
            matrix3: DMat3::from_quat(rotation) * joint.bind_from_joint.matrix3,
            translation: fit.scale * (rotation * joint.bind_from_joint.translation) + fit.offset,
        };
    }
    for track in clips.iter_mut().flat_map(|c| &mut c.tracks) {
        let root = is_root[track.joint.at()];
        let splines = track.interpolation == crate::character::Interpolation::CubicSpline;
        match track.channel {
            Channel::Translation => {
                for (i, v) in track.values.as_chunks_mut::<3>().0.iter_mut().enumerate() {
                    let is_tangent = splines && i % 3 != 1;
                    let p = DVec3::from_array(v.map(f64::from));
                    let moved = position(p, root)
                        - if is_tangent && root {
                            fit.offset
                        } else {
                            DVec3::ZERO
                        };
                    *v = moved.as_vec3().to_array();
                }
            }
            Channel::Rotation if root => {
                for v in track.values.as_chunks_mut::<4>().0 {
                    *v = (rotation * DQuat::from_array(v.map(f64::from)))
                        .to_array()
                        .map(|x| x as f32);
                }
            }
            Channel::Rotation | Channel::Scale => {}
        }
    }
}
