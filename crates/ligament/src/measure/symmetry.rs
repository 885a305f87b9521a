//! Whether left and right are bound alike.
//!
//! Only asked of characters that are symmetric: at least nine tenths of the positions have
//! a mirror image, and nine tenths of the joints with weight have a partner (the joint
//! nearest to its mirrored bind position, within 1 % of the diagonal; of several there, the
//! one whose name is the same but for left and right). The measure is the mean over
//! positions with an image of ½Σ|w − w'|, with w' the image's weights carried over to the
//! partners: 0 where left and right agree, 1 where they share nothing.

use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::{CHUNK, MeasuredSkin};
use crate::character::{Influence, Skeleton, Weights};
use crate::geometry::{NearPoints, mirror_symmetry};
use crate::skin::mirror_joints;
use crate::weights::weight_distance;

/// How far an image may be from a position, as a fraction of the diagonal.
const COINCIDENT: f64 = 1e-3;
/// How far a joint may be from its partner's image, as a fraction of the diagonal.
const SAME_JOINT: f64 = 1e-2;
/// From this fraction of positions and joints with a partner on a character is symmetric.
const SYMMETRIC: f64 = 0.9;

/// Left against right.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Symmetry {
    /// Mean difference of weights between a position and its image, in `0.0..=1.0`.
    pub asymmetry: f64,
    /// The fraction of positions with an image.
    pub mirrored_share: f64,
}

/// The difference of weights between each position and its image (negative where there is
/// no image), and the measure; `None` for characters that are not symmetric.
pub(super) fn asymmetry(
    skeleton: &Skeleton,
    weights: &Weights,
    skin: &MeasuredSkin,
) -> Option<(Vec<f32>, Symmetry)> {
    let mirror = mirror_symmetry(&skin.welded, COINCIDENT);
    if mirror.fraction < SYMMETRIC || skin.len() == 0 {
        return None;
    }
    let mut used = vec![false; skeleton.joints.len()];
    for &v in &skin.first_vertex {
        for i in weights.of_vertex(v as usize) {
            used[i.joint.at()] = true;
        }
    }
    let diagonal = skin.welded.diagonal;
    let partners = mirror_joints(skeleton, &used, mirror.plane_x, SAME_JOINT * diagonal);
    let total = used.iter().filter(|&&u| u).count();
    let partnered = partners.iter().flatten().count();
    if (partnered as f64) < SYMMETRIC * total as f64 {
        return None;
    }
    let reach = COINCIDENT * diagonal;
    let points = &skin.welded.points;
    let near = NearPoints::new(points, reach);
    let differences: Vec<f32> = points
        .par_iter()
        .with_min_len(CHUNK)
        .enumerate()
        .map(|(p, at)| {
            let image = DVec3::new(2.0 * mirror.plane_x - at.x, at.y, at.z);
            let Some(q) = near.nearest(image) else { return -1.0 };
            let carried: Vec<Influence> = weights
                .of_vertex(skin.first_vertex[q as usize] as usize)
                .iter()
                .map(|i| Influence {
                    joint: partners[i.joint.at()].unwrap_or(i.joint),
                    weight: i.weight,
                })
                .collect();
            weight_distance(weights.of_vertex(skin.first_vertex[p] as usize), &carried) as f32
        })
        .collect();
    let (mut sum, mut count) = (0.0, 0usize);
    for &d in differences.iter().filter(|&&d| d >= 0.0) {
        sum += f64::from(d);
        count += 1;
    }
    let symmetry = Symmetry {
        asymmetry: sum / count.max(1) as f64,
        mirrored_share: mirror.fraction,
    };
    Some((differences, symmetry))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;
    use crate::character::{Joint, Transform};
    use crate::geometry::shapes::cube;
    use glam::DAffine3;
    use glam::Vec3;

    fn skeleton() -> Skeleton {
        let joint = |name: &str, x: f64| Joint {
            name: name.to_owned(),
            parent: None,
            rest: Transform::IDENTITY,
            bind_from_joint: DAffine3::from_translation(DVec3::X * x),
            in_skin: true,
        };
        Skeleton {
            joints: vec![
                joint("arm.L", 0.3),
                joint("twist.R", -0.3),
                joint("arm.R", -0.3),
                joint("twist.L", 0.3),
            ],
        }
    }

    #[test]
    fn partners_go_by_place_and_then_by_name() {
        let found = mirror_joints(&skeleton(), &[true; 4], 0.0, 0.01);
        assert_eq!(found, [2, 3, 0, 1].map(|j| Some(JointIndex(j))));
        assert_eq!(
            mirror_joints(&skeleton(), &[true, false, false, false], 0.0, 0.01)[0],
            None
        );
    }

    #[test]
    fn mirrored_weights_agree_and_one_side_changed_does_not() {
        let skin = MeasuredSkin::of(&cube(Vec3::splat(-0.5), 1.0));
        // A vertex's lowest bit says whether it is on the left.
        let side = |v: u16| JointIndex(if v & 1 == 1 { 0 } else { 2 });
        let alike = Weights::rigid((0..8).map(side));
        let used_only = Skeleton {
            joints: skeleton().joints,
        };
        let (_, found) = asymmetry(&used_only, &alike, &skin).unwrap();
        assert_eq!((found.asymmetry, found.mirrored_share), (0.0, 1.0));
        // Two of the four left vertices follow the right: they and their images differ.
        let changed = Weights::rigid((0..8).map(|v| if v < 4 { JointIndex(2) } else { side(v) }));
        let (_, found) = asymmetry(&used_only, &changed, &skin).unwrap();
        assert!((found.asymmetry - 0.5).abs() < 1e-9);
        let lopsided = MeasuredSkin::of(&crate::geometry::shapes::joined(&[
            cube(Vec3::splat(-0.5), 1.0),
            cube(Vec3::splat(0.7), 1.0),
        ]));
        assert!(asymmetry(&used_only, &Weights::rigid(vec![JointIndex(0); 16]), &lopsided).is_none());
    }
}
