//! Neck, head and shoulders of a fit, lifted to where the outline bends in.
//!
//! Hoods, long hair and robes hide the thinnest place of the neck, and shoulders are then put where sleeves leave the body, deep under it.
//! The outline still bends in between head and shoulders (`upright::nape`): the head's joint is not far under that place, nor are shoulders.

use super::humanoid::{Humanoid, LEG};
use super::upright::{self, Half};
use crate::character::{Side, StandardBone};

/// Shoulders are no further under the nape, as a share of the height,
const SHOULDERS_UNDER: f64 = 0.1;
/// nor is the head's joint.
const HEAD_UNDER: f64 = 0.02;
/// The neck's joint is so far from the shoulders to the nape.
const NECK: f64 = 0.5;
/// What hangs between ankles and neck is lifted so much with it: hip joints were put by the neck's height.
const LIFTED: [(StandardBone, f64); 6] = [
    (StandardBone::UpperChest, 0.89),
    (StandardBone::Chest, 0.78),
    (StandardBone::Spine, 0.68),
    (StandardBone::Hips, LEG),
    (StandardBone::LeftUpperLeg, LEG),
    (StandardBone::LeftLowerLeg, 0.5 * LEG),
];
/// Shoulders that are lifted are no surer.
const SURE: f64 = 0.6;

/// Lifts what is too far under the nape. Both sides move alike.
pub(super) fn lift(body: &mut Humanoid, half: &Half) {
    use StandardBone as B;
    let height = |body: &Humanoid, bone: B| body.bones.get(&bone).map(|p| half.of_mesh(p.at).y);
    let arms = Side::BOTH.map(|side| height(body, B::LeftUpperArm.on(side)));
    let ([Some(left), Some(right)], Some(neck), Some(head)) =
        (arms, height(body, B::Neck), height(body, B::Head))
    else {
        return;
    };
    let shoulders = 0.5 * (left + right);
    let Some(nape) = upright::nape(half, shoulders) else {
        return;
    };
    let (tall, up) = (half.tall(), body.frame.up);
    let mut rise = |bone: B, by: f64| {
        if let Some(placed) = body.bones.get_mut(&bone).filter(|_| by > 0.0) {
            placed.at += up * by;
            placed.confidence = placed.confidence.min(SURE);
        }
    };
    rise(B::Head, nape - HEAD_UNDER * tall - head);
    let by = nape - SHOULDERS_UNDER * tall - shoulders;
    if by <= 0.0 {
        return;
    }
    for side in Side::BOTH {
        rise(B::LeftUpperArm.on(side), by);
        rise(B::LeftShoulder.on(side), by);
    }
    let lifted = shoulders + by;
    let neck_by = (lifted + NECK * (nape - lifted) - neck).max(0.0);
    rise(B::Neck, neck_by);
    for (bone, share) in LIFTED {
        for side in bone.side().map_or(&[Side::Left][..], |_| &Side::BOTH[..]) {
            rise(bone.on(*side), share * neck_by);
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

    /// A hooded body 50 high on the ground at 2: shoulders 9 wide up to 38, then smaller to 3 at 44.
    fn hooded() -> Half {
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
            let wide = (9.0 - f64::from(v.y - 38).max(0.0)).max(3.0);
            voxels.solid[at] = v.y >= 2 && v.y < 52 && v.z >= 4 && v.z < 9 && x < wide;
        }
        Half::of(&voxels, Axes::candidates(&voxels)[0]).unwrap()
    }

    fn fit(shoulders: f64) -> Humanoid {
        let mut bones = BTreeMap::new();
        for (bone, x, height) in [
            (B::Hips, 0.0, 24.0),
            (B::Neck, 0.0, shoulders + 1.0),
            (B::Head, 0.0, shoulders + 4.0),
            (B::LeftUpperArm, 7.0, shoulders),
            (B::LeftLowerArm, 9.0, 25.0),
            (B::LeftUpperLeg, 3.0, 23.0),
        ] {
            let confidence = 0.9;
            let at = DVec3::new(x, height, 6.5);
            bones.insert(bone, Placed { at, confidence });
            let at = at.with_x(-x);
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
        Humanoid { frame, bones, ends }
    }

    #[test]
    fn shoulders_deep_under_a_hood_are_lifted_and_others_stay() {
        let half = hooded();
        let nape = upright::nape(&half, 30.0).unwrap();
        let mut deep = fit(30.0);
        lift(&mut deep, &half);
        let at = |body: &Humanoid, bone: B| body.bones[&bone].at;
        let shoulders = nape - 0.1 * half.tall();
        assert!(shoulders > 31.0, "{shoulders}");
        for bone in [B::LeftUpperArm, B::RightUpperArm] {
            assert!((at(&deep, bone).y - shoulders).abs() < 1e-9);
            assert!(deep.bones[&bone].confidence <= 0.6);
        }
        let neck = 0.5 * (shoulders + nape);
        assert!((at(&deep, B::Neck).y - neck).abs() < 1e-9);
        assert!((at(&deep, B::Head).y - (nape - 0.02 * half.tall())).abs() < 1e-9);
        let hips = 23.0 + LEG * (neck - 31.0);
        assert!((at(&deep, B::LeftUpperLeg).y - hips).abs() < 1e-9);
        assert_eq!(at(&deep, B::LeftLowerArm), at(&fit(30.0), B::LeftLowerArm));
        // What is near the nape already stays, and so does its confidence.
        let mut high = fit(41.0);
        let before = high.clone();
        lift(&mut high, &half);
        for (bone, placed) in &before.bones {
            assert_eq!(high.bones[bone].at, placed.at, "{bone:?}");
            assert_eq!(high.bones[bone].confidence, 0.9);
        }
    }
}
