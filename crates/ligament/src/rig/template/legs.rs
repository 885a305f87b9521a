//! Where legs begin and end, in the solid.
//!
//! Right below where legs part, the middle of the leg shows where its hip joint is, whatever the proportions: robots and large heads have theirs
//! further apart than people. Under a robe nothing parts, and what extraction follows there are folds: legs are straight, under the hips
//! and no wider apart than usual. Feet stand on the ground, which says how high ankles are.

use glam::DVec3;

use super::humanoid::{Humanoid, Placed};
use super::upright::{self, Half};
use super::usual::KNEES_AHEAD;
use crate::character::{Side, StandardBone};

/// Hip joints are so far from the plane of symmetry, as a share of the leg's middle.
const INWARD: f64 = 0.93;
/// They are half the way to the leg's middle from the trunk's, and no further ahead of it or behind, as a share of the height.
const AHEAD: f64 = 0.03;
/// A leg whose middle is further from the hip joints is bent there: who sits has thighs ahead of them.
const BENT: f64 = 0.12;
/// Half the distance of hip joints under a robe, as a share of the neck's height over the ankles.
const ROBED_WIDE: f64 = 0.065;
/// Ankles are no further ahead of the hip joints there, as a share of the height.
const ROBED_AHEAD: f64 = 0.02;
/// An ankle's height over the ground, as a share of the body's;
const ANKLE: f64 = 0.047;
/// who is not near that stands otherwise.
const STANDS: f64 = 0.04;

/// Puts hip joints over the legs and ankles over the ground. Both sides are looked at by themselves.
pub(super) fn set(body: &mut Humanoid, half: &Half) {
    use StandardBone as B;
    let leg = upright::leg_top(half);
    let (tall, up) = (half.tall(), body.frame.up);
    let neck = body.bones.get(&B::Neck).map(|p| half.of_mesh(p.at).y);
    for side in Side::BOTH {
        let bones = [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot].map(|bone| bone.on(side));
        let [Some(mut thigh), Some(mut knee), Some(mut ankle)] = bones.map(|b| body.bones.get(&b).copied())
        else {
            continue;
        };
        let over = half.ground() + ANKLE * tall - half.of_mesh(ankle.at).y;
        if over.abs() < STANDS * tall {
            ankle.at += up * over;
        }
        match (leg, neck) {
            (Some(leg), _) => thigh.at = over_leg(thigh.at, leg, half),
            (None, Some(neck)) => {
                let forward = body.frame.forward;
                let ahead = (ankle.at - thigh.at).dot(forward) - ROBED_AHEAD * tall;
                ankle.at -= forward * ahead.max(0.0);
                robed(&mut thigh, &mut knee, &ankle, neck, half);
                knee.at += forward * (KNEES_AHEAD * tall);
            }
            _ => {}
        }
        for (bone, placed) in bones.into_iter().zip([thigh, knee, ankle]) {
            body.bones.insert(bone, placed);
        }
    }
}

/// A hip joint over the middle of a leg.
fn over_leg(thigh: DVec3, leg: DVec3, half: &Half) -> DVec3 {
    let tall = half.tall();
    let at = half.of_mesh(thigh);
    let sign = if at.x < 0.0 { -1.0 } else { 1.0 };
    let off = at.z - leg.z;
    if off.abs() > BENT * tall {
        return thigh;
    }
    let z = leg.z + (0.5 * off).clamp(-AHEAD * tall, AHEAD * tall);
    half.in_mesh(DVec3::new(INWARD * leg.x, at.y, z), sign)
}

/// A straight leg from under the trunk to the ankle.
fn robed(thigh: &mut Placed, knee: &mut Placed, ankle: &Placed, neck: f64, half: &Half) {
    let foot = half.of_mesh(ankle.at);
    let sign = if foot.x < 0.0 { -1.0 } else { 1.0 };
    let wide = ROBED_WIDE * (neck - foot.y);
    let at = half.of_mesh(thigh.at);
    thigh.at = half.in_mesh(at.with_x(wide), sign);
    let middle = half.of_mesh(thigh.at.midpoint(ankle.at));
    let height = half.of_mesh(knee.at).y;
    knee.at = half.in_mesh(DVec3::new(middle.x.abs(), height, middle.z), sign);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use glam::IVec3;

    use super::super::frame::Frame;
    use super::*;
    use crate::rig::extract::{Axes, Voxels};
    use StandardBone as B;

    /// A body 50 high on the ground at 2, with legs 5 to 9 aside up to 22, or robed.
    fn body(robed: bool) -> (Half, Humanoid) {
        let size = IVec3::new(30, 54, 14);
        let mut voxels = Voxels {
            origin: DVec3::new(-15.0, 0.0, 0.0),
            cell: 1.0,
            size,
            solid: vec![false; (size.x * size.y * size.z) as usize],
        };
        for at in 0..voxels.solid.len() {
            let v = voxels.voxel(at);
            let x = (f64::from(v.x) - 14.5).abs();
            let inner = v.y >= 2 && v.y < 52 && v.z >= 4 && v.z < 9 && x < 9.0;
            voxels.solid[at] = inner && (robed || v.y >= 22 || x > 5.0);
        }
        let half = Half::of(&voxels, Axes::candidates(&voxels)[0]).unwrap();
        let mut bones = BTreeMap::new();
        for (bone, at) in [
            (B::Neck, DVec3::new(0.0, 42.0, 6.5)),
            (B::LeftUpperLeg, DVec3::new(2.0, 24.0, 9.0)),
            (B::LeftLowerLeg, DVec3::new(9.0, 14.0, 5.0)),
            (B::LeftFoot, DVec3::new(3.0, 5.0, 13.0)),
        ] {
            let confidence = 0.9;
            bones.insert(bone, Placed { at, confidence });
            let at = at.with_x(-at.x);
            bones.insert(bone.mirrored(), Placed { at, confidence });
        }
        let frame = Frame {
            up: DVec3::Y,
            left: DVec3::X,
            forward: DVec3::Z,
            ground: 2.0,
            tall: 50.0,
            middle: 0.0,
        };
        let ends = BTreeMap::new();
        (half, Humanoid { frame, bones, ends })
    }

    #[test]
    fn hip_joints_are_over_the_legs_and_ankles_over_the_ground() {
        let (half, mut fit) = body(false);
        set(&mut fit, &half);
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let at = |bone: B| fit.bones[&bone.on(side)].at;
            // The leg's middle is at 7 and 6.5; the trunk's is 2.5 ahead of it.
            let thigh = DVec3::new(sign * 0.93 * 7.0, 24.0, 6.5 + 1.25);
            assert!(
                at(B::LeftUpperLeg).distance(thigh) < 0.2,
                "{}",
                at(B::LeftUpperLeg)
            );
            assert_eq!(at(B::LeftLowerLeg), DVec3::new(sign * 9.0, 14.0, 5.0));
            let ankle = DVec3::new(sign * 3.0, 2.0 + 0.047 * 50.0, 13.0);
            assert!(at(B::LeftFoot).distance(ankle) < 1e-9, "{}", at(B::LeftFoot));
        }
    }

    #[test]
    fn who_sits_keeps_hip_joints_behind_the_legs() {
        let (half, mut fit) = body(false);
        for side in Side::BOTH {
            let thigh = fit.bones.get_mut(&B::LeftUpperLeg.on(side)).unwrap();
            thigh.at.z = -3.0;
        }
        let before = fit.bones[&B::LeftUpperLeg].at;
        set(&mut fit, &half);
        assert_eq!(fit.bones[&B::LeftUpperLeg].at, before);
    }

    #[test]
    fn legs_under_a_robe_are_straight() {
        let (half, mut fit) = body(true);
        set(&mut fit, &half);
        for side in Side::BOTH {
            let [thigh, knee, ankle] =
                [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot].map(|b| fit.bones[&b.on(side)].at);
            let sign = if side == Side::Left { 1.0 } else { -1.0 };
            assert!(
                (sign * thigh.x - 0.065 * (42.0 - ankle.y)).abs() < 1e-9,
                "{thigh}"
            );
            assert!((ankle.z - thigh.z - 0.02 * 50.0).abs() < 1e-9, "{thigh} {ankle}");
            let straight = thigh.midpoint(ankle).with_y(14.0) + DVec3::Z * 0.015 * 50.0;
            assert!(knee.distance(straight) < 1e-9, "{knee} {straight}");
        }
    }
}
