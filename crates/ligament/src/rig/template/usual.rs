//! How high the hip joints are in a fit, corrected by what is usual.
//!
//! A coat hides where the legs meet, and large heads stand on short legs: neither extraction nor landmarks see the hip joints then. How
//! high artists put them goes with how high neck, head and crotch are, so the fit is drawn most of the way to the mean that those
//! landmarks lead to: a linear regression over artists' skeletons (`docs/lab/rig.md`). All are heights over the ground, as shares of the body's.

use super::humanoid::Humanoid;
use super::upright::{self, Half};
use crate::character::{Side, StandardBone};

/// The mean of the hip joints' height, where the legs are seen to meet: a constant, and what the heights of neck, head, fitted hip joints and
/// crotch count.
const SEEN: [f64; 5] = [-0.174, 0.288, 0.244, 0.249, 0.227];
/// The same where they are not: under skirts and robes.
const HIDDEN: [f64; 4] = [-0.215, 0.353, 0.300, 0.325];
/// How much of the way to it the fit is drawn,
const DRAWN: f64 = 0.7;
/// and how far at most, as a share of the height.
const FARTHEST: f64 = 0.1;
/// Hip joints are so far from neck and ankles in any case, as a share of the way between them.
const BETWEEN: (f64, f64) = (0.15, 0.75);
/// How far the knees are in front of the middle of the leg, as a share of the height.
const KNEES_AHEAD: f64 = 0.005;
/// What moves with the hip joints, and how much: they carry the trunk, and knees are half the way to the ankles.
const MOVES: [(StandardBone, f64); 6] = [
    (StandardBone::Hips, 1.0),
    (StandardBone::Spine, 0.8),
    (StandardBone::Chest, 0.55),
    (StandardBone::UpperChest, 0.28),
    (StandardBone::LeftUpperLeg, 1.0),
    (StandardBone::LeftLowerLeg, 0.5),
];
/// Hip joints whose crotch is hidden are no surer.
const HIDDEN_SURE: f64 = 0.6;

/// Draws the hip joints of a fit to where they usually are, and what hangs between them and neck or ankles with them. Both sides move alike.
pub(super) fn settle(body: &mut Humanoid, half: &Half) {
    use StandardBone as B;
    let share = |body: &Humanoid, bone: B| {
        let both = Side::BOTH.map(|side| body.bones.get(&bone.on(side)));
        let [Some(left), Some(right)] = both else {
            return None;
        };
        let height = 0.5 * (half.of_mesh(left.at).y + half.of_mesh(right.at).y);
        Some((height - half.ground()) / half.tall())
    };
    let heights = [B::Neck, B::Head, B::LeftUpperLeg, B::LeftFoot].map(|bone| share(body, bone));
    let [Some(neck), Some(head), Some(hips), Some(ankles)] = heights else {
        return;
    };
    let crotch = upright::parting(half).map(|c| (c - half.ground()) / half.tall());
    let [low, high] = [BETWEEN.0, BETWEEN.1].map(|share| ankles + share * (neck - ankles));
    if low >= high {
        return;
    }
    let wanted = usual(neck, head, hips, crotch).clamp(low, high);
    let moved = (DRAWN * (wanted - hips)).clamp(-FARTHEST, FARTHEST);
    let most = if crotch.is_some() { 1.0 } else { HIDDEN_SURE };
    let sure = (0.95 - 4.0 * moved.abs()).min(most);
    let rise = body.frame.up * (moved * half.tall());
    let ahead = body.frame.forward * (KNEES_AHEAD * half.tall());
    for (bone, share) in MOVES {
        let sides = bone.side().map_or(&[Side::Left][..], |_| &Side::BOTH[..]);
        for &side in sides {
            if let Some(placed) = body.bones.get_mut(&bone.on(side)) {
                placed.at += rise * share;
                placed.confidence = placed.confidence.min(sure);
                if bone == B::LeftLowerLeg {
                    placed.at += ahead;
                }
            }
        }
    }
}

/// The conditional mean of the hip joints' height.
fn usual(neck: f64, head: f64, hips: f64, crotch: Option<f64>) -> f64 {
    match crotch {
        Some(crotch) => {
            let [whole, of_neck, of_head, of_hips, of_crotch] = SEEN;
            whole + of_neck * neck + of_head * head + of_hips * hips + of_crotch * crotch
        }
        None => {
            let [whole, of_neck, of_head, of_hips] = HIDDEN;
            whole + of_neck * neck + of_head * head + of_hips * hips
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use glam::{DVec3, IVec3};

    use super::super::frame::Frame;
    use super::super::humanoid::Placed;
    use super::*;
    use crate::rig::extract::{Axes, Voxels};
    use StandardBone as B;

    /// A block 40 high that stands at 2, with two legs up to 20 or with none.
    fn block(legs: bool) -> Half {
        let size = IVec3::new(12, 44, 8);
        let mut voxels = Voxels {
            origin: DVec3::new(-6.0, 0.0, 0.0),
            cell: 1.0,
            size,
            solid: vec![false; 12 * 44 * 8],
        };
        for at in 0..voxels.solid.len() {
            let v = voxels.voxel(at);
            let inner = v.cmpge(IVec3::splat(2)).all() && v.cmplt(size - 2).all();
            let between = legs && v.y < 20 && (v.x == 5 || v.x == 6);
            voxels.solid[at] = inner && !between;
        }
        Half::of(&voxels, Axes::candidates(&voxels)[0]).unwrap()
    }

    /// A humanoid whose bones are at shares of the block's height, with hip joints far too low.
    fn fit(half: &Half) -> Humanoid {
        let mut bones = BTreeMap::new();
        for (bone, x, height) in [
            (B::Hips, 0.0, 0.31),
            (B::Spine, 0.0, 0.4),
            (B::Neck, 0.0, 0.8),
            (B::Head, 0.0, 0.86),
            (B::LeftUpperArm, 4.0, 0.78),
            (B::LeftUpperLeg, 2.0, 0.3),
            (B::LeftLowerLeg, 2.0, 0.175),
            (B::LeftFoot, 2.0, 0.05),
        ] {
            let at = DVec3::new(x, half.ground() + height * half.tall(), 4.0);
            let confidence = 0.9;
            bones.insert(bone, Placed { at, confidence });
            let at = at.with_x(-x);
            bones.insert(bone.mirrored(), Placed { at, confidence });
        }
        Humanoid {
            frame: Frame {
                up: DVec3::Y,
                left: DVec3::X,
                forward: DVec3::Z,
                ground: half.ground(),
                tall: half.tall(),
                middle: 0.0,
            },
            bones,
            ends: BTreeMap::new(),
        }
    }

    /// Against the regression worked out by hand, for a crotch at 0.4375 of the height and for none.
    #[test]
    fn hip_joints_are_drawn_to_where_they_usually_are() {
        for (legs, rise, sure) in [(true, 3.927, 0.5573), (false, 3.441, 0.6)] {
            let half = block(legs);
            assert_eq!((half.ground(), half.tall()), (2.0, 40.0));
            let before = fit(&half);
            let mut after = before.clone();
            settle(&mut after, &half);
            let moved = |bone: B| after.bones[&bone].at - before.bones[&bone].at;
            for (bone, share) in [(B::Hips, 1.0), (B::Spine, 0.8), (B::LeftUpperLeg, 1.0)] {
                let off = moved(bone) - DVec3::Y * share * rise;
                assert!(off.length() < 0.02, "{bone:?}, {legs}: {}", moved(bone));
            }
            let knee = moved(B::LeftLowerLeg) - DVec3::new(0.0, 0.5 * rise, 0.2);
            assert!(knee.length() < 0.02, "{}", moved(B::LeftLowerLeg));
            for bone in [B::Neck, B::Head, B::LeftUpperArm, B::LeftFoot] {
                assert_eq!(moved(bone), DVec3::ZERO, "{bone:?}");
                assert_eq!(after.bones[&bone].confidence, 0.9);
            }
            for bone in [B::LeftUpperLeg, B::LeftLowerLeg] {
                assert_eq!(moved(bone), moved(bone.mirrored()));
                let confidence = after.bones[&bone].confidence;
                assert!((confidence - sure).abs() < 0.01, "{legs}: {confidence}");
            }
        }
    }

    /// Hip joints never get near neck or ankles, whatever the heights are.
    #[test]
    fn hip_joints_stay_between_neck_and_ankles() {
        let half = block(false);
        for neck in [0.1, 0.3, 0.9] {
            let mut body = fit(&half);
            for bone in [B::Neck, B::Head] {
                let low = half.ground() + neck * half.tall();
                body.bones.insert(
                    bone,
                    Placed {
                        at: DVec3::Y * low,
                        confidence: 0.9,
                    },
                );
            }
            let hips = half.ground() + (0.05 + 0.5 * (neck - 0.05)) * half.tall();
            for bone in [B::LeftUpperLeg, B::RightUpperLeg] {
                let placed = body.bones.get_mut(&bone).unwrap();
                placed.at.y = hips;
            }
            settle(&mut body, &half);
            let height = body.bones[&B::LeftUpperLeg].at.y;
            let (neck, ankles) = (body.bones[&B::Neck].at.y, body.bones[&B::LeftFoot].at.y);
            assert!(height > ankles && height < neck, "{ankles} {height} {neck}");
        }
    }
}
