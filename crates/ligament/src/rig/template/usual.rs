//! Where artists usually put joints beside where a fit has them, above all the hip joints.
//!
//! A coat hides where the legs meet, and large heads stand on short legs: neither extraction nor landmarks see the hip joints then. How
//! high artists put them goes with how high neck, head and crotch are and how long the arms, so the fit is drawn most of the way to the mean
//! that those lead to: a linear regression over artists' skeletons (`docs/lab/rig.md`). All are heights over the ground, as shares of the body's.

use super::humanoid::Humanoid;
use super::upright::{self, Half};
use crate::character::{Side, StandardBone};

/// What the heights of neck, head and fitted hip joints count for the mean of the hip joints' height, and the length of the arms;
const COUNTS: [f64; 4] = [0.294, 0.239, 0.316, -0.309];
/// a constant and what the crotch counts, where the legs are seen to meet;
const SEEN: [f64; 2] = [-0.080, 0.156];
/// and a constant where they are not: under skirts and robes.
const HIDDEN: f64 = 0.045;
/// How much of the way to it the fit is drawn,
const DRAWN: f64 = 0.6;
/// and how far at most, as a share of the height.
const FARTHEST: f64 = 0.1;
/// Hip joints are so far from neck and ankles in any case, as a share of the way between them.
const BETWEEN: (f64, f64) = (0.15, 0.75);
/// How far the knees are in front of the middle of the leg, as a share of the height,
pub(super) const KNEES_AHEAD: f64 = 0.015;
/// and ankles behind it.
const ANKLES_BEHIND: f64 = 0.005;
/// Wrists are so much nearer to the elbow than where the hand is thinnest, as a share of the forearm.
const WRISTS_IN: f64 = 0.03;
/// Where artists put the lowest two joints of the spine beside the middle of the body, as shares of the height: a little up and back.
const SPINE_OVER: f64 = 0.01;
const SPINE_BEHIND: f64 = 0.01;
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

/// Draws the hip joints of a fit to where they usually are, and what hangs between them and neck or ankles with them; then what artists place
/// beside the middle of the limb. Both sides move alike.
pub(super) fn settle(body: &mut Humanoid, half: &Half) {
    let Some((moved, sure)) = missing(body, half) else {
        return;
    };
    let rise = body.frame.up * (moved * half.tall());
    for (bone, share) in MOVES {
        let sides = bone.side().map_or(&[Side::Left][..], |_| &Side::BOTH[..]);
        for &side in sides {
            if let Some(placed) = body.bones.get_mut(&bone.on(side)) {
                placed.at += rise * share;
                placed.confidence = placed.confidence.min(sure);
            }
        }
    }
    beside_the_middle(body, half.tall());
}

/// How much higher hip joints are to be, as a share of the height, and how sure they are then.
fn missing(body: &Humanoid, half: &Half) -> Option<(f64, f64)> {
    use StandardBone as B;
    let place = |bone: B| body.bones.get(&bone).map(|p| half.of_mesh(p.at));
    let pair = |bone: B| Some([place(bone.on(Side::Left))?, place(bone.on(Side::Right))?]);
    let share = |bone: B| {
        let [left, right] = pair(bone)?;
        Some((0.5 * (left.y + right.y) - half.ground()) / half.tall())
    };
    let (neck, head) = (share(B::Neck)?, share(B::Head)?);
    let (hips, ankles) = (share(B::LeftUpperLeg)?, share(B::LeftFoot)?);
    let (shoulders, elbows, wrists) = (pair(B::LeftUpperArm)?, pair(B::LeftLowerArm)?, pair(B::LeftHand)?);
    let arm = |s: usize| shoulders[s].distance(elbows[s]) + elbows[s].distance(wrists[s]);
    let arms = 0.5 * (arm(0) + arm(1)) / half.tall();
    let crotch = upright::parting(half).map(|c| (c - half.ground()) / half.tall());
    let [low, high] = [BETWEEN.0, BETWEEN.1].map(|share| ankles + share * (neck - ankles));
    if low >= high {
        return None;
    }
    let seen = crotch.map_or(HIDDEN, |crotch| SEEN[0] + SEEN[1] * crotch);
    let of = [neck, head, hips, arms].into_iter().zip(COUNTS);
    let usual = seen + of.map(|(value, counts)| value * counts).sum::<f64>();
    let moved = (DRAWN * (usual.clamp(low, high) - hips)).clamp(-FARTHEST, FARTHEST);
    let most = if crotch.is_some() { 1.0 } else { HIDDEN_SURE };
    Some((moved, (0.95 - 4.0 * moved.abs()).min(most)))
}

/// Moves joints to where artists have them beside the middle of trunk and limbs.
fn beside_the_middle(body: &mut Humanoid, tall: f64) {
    use StandardBone as B;
    let (up, forward) = (body.frame.up, body.frame.forward);
    for (bone, ahead, over) in [
        (B::Hips, -SPINE_BEHIND, SPINE_OVER),
        (B::Spine, -SPINE_BEHIND, SPINE_OVER),
        (B::LeftLowerLeg, KNEES_AHEAD, 0.0),
        (B::LeftFoot, -ANKLES_BEHIND, 0.0),
    ] {
        let sides = bone.side().map_or(&[Side::Left][..], |_| &Side::BOTH[..]);
        for &side in sides {
            if let Some(placed) = body.bones.get_mut(&bone.on(side)) {
                placed.at += (forward * ahead + up * over) * tall;
            }
        }
    }
    for side in Side::BOTH {
        let elbow = body.bones.get(&B::LeftLowerArm.on(side)).map(|p| p.at);
        if let (Some(elbow), Some(wrist)) = (elbow, body.bones.get_mut(&B::LeftHand.on(side))) {
            wrist.at = wrist.at.lerp(elbow, WRISTS_IN);
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
            (B::LeftLowerArm, 9.0, 0.78),
            (B::LeftHand, 14.0, 0.78),
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
        for (legs, rise, sure) in [(true, 3.517, 0.5983), (false, 4.0, 0.55)] {
            let half = block(legs);
            assert_eq!((half.ground(), half.tall()), (2.0, 40.0));
            let before = fit(&half);
            let mut after = before.clone();
            settle(&mut after, &half);
            let moved = |bone: B| after.bones[&bone].at - before.bones[&bone].at;
            let beside = DVec3::new(0.0, 0.4, -0.4);
            for (bone, share, beside) in [
                (B::Hips, 1.0, beside),
                (B::Spine, 0.8, beside),
                (B::LeftUpperLeg, 1.0, DVec3::ZERO),
            ] {
                let off = moved(bone) - DVec3::Y * share * rise - beside;
                assert!(off.length() < 0.02, "{bone:?}, {legs}: {}", moved(bone));
            }
            let knee = moved(B::LeftLowerLeg) - DVec3::new(0.0, 0.5 * rise, 0.6);
            assert!(knee.length() < 0.02, "{}", moved(B::LeftLowerLeg));
            assert!((moved(B::LeftFoot) + DVec3::Z * 0.2).length() < 1e-9);
            assert!((moved(B::LeftHand) + DVec3::X * 0.15).length() < 1e-9);
            for bone in [B::Neck, B::Head, B::LeftUpperArm, B::LeftFoot] {
                let stays = bone == B::LeftFoot || moved(bone) == DVec3::ZERO;
                assert!(stays, "{bone:?}");
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
