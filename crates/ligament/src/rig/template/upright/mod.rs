//! A humanoid read off the solid itself, beside the one that extraction finds.
//!
//! Extraction follows whatever is thin and long; a body that carries things, wears a skirt or is made of pieces leads it astray. What
//! stands upright and is symmetric has landmarks that survive this: where the legs meet, where the neck is thinnest, how far the arms reach
//! (`landmarks`), in the half of the body that has a counterpart (`half`). Joints go between them by the proportions that artists keep.

mod half;
mod landmarks;
mod nape;
mod paths;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::DVec3;

use super::frame::{Frame, along, length};
use super::humanoid::{BELOW_NECK, ELBOW, HIPS_WIDE, Humanoid, LEG, Placed};
use crate::character::{Side, StandardBone};
pub(super) use half::Half;
use landmarks::{Landmarks, at_height, below_parting, crotch};
pub(super) use nape::nape;

/// Less of a body than this on its mirror image, and it is in no pose that could be read.
const SYMMETRIC: f64 = 0.68;
/// Half the distance between shoulders, as a share of the arm from there to the fingertips.
const SHOULDER: f64 = 0.25;
/// A wrist, as a share of the arm from the tip; and where it is looked for.
const WRIST: f64 = 0.28;
const WRIST_RANGE: (f64, f64) = (0.18, 0.42);
/// An ankle's height, as a share of the body's.
const ANKLE: f64 = 0.048;
/// How much less the hips' height (`LEG`) is for a neck so much lower than usual: large heads go with short legs;
const SHORT_LEG: f64 = 0.8;
/// how far the crotch draws it, and how far over that the hip joints are.
const LEG_RANGE: f64 = 0.07;
const OVER_CROTCH: f64 = 0.07;
/// The neck of most bodies, as a share of the height.
const NECK_HEIGHT: f64 = 0.8;

/// Legs part at least so high, as a share of the height, where there is no doubt that there are two.
const LEGS_SEEN: f64 = 0.08;
/// What ends on the ground so far beside the foot is another leg, as a share of the height.
const MORE_LEGS: f64 = 0.2;

/// A humanoid by its landmarks.
pub(super) struct Shown {
    pub body: Humanoid,
    /// Whether two legs were seen, and no hem or belly down to the ground, nor more legs beside them.
    pub two_legs: bool,
}

/// The most usual humanoid that the half may be.
pub(super) fn humanoid(half: &Half) -> Option<Shown> {
    if half.kept < SYMMETRIC {
        return None;
    }
    let marks = Landmarks::of(half)?;
    let fits = marks.arms.iter().filter_map(|arm| Fit::of(half, &marks, arm));
    let best = fits.min_by(|a, b| a.unusual.total_cmp(&b.unusual))?;
    let legs = half.ground() + LEGS_SEEN * half.tall();
    let beside = |end: &DVec3| end.x - marks.toes.x > MORE_LEGS * half.tall();
    let more = marks.low_ends.iter().any(beside);
    Some(Shown {
        body: best.humanoid(half, &marks)?,
        two_legs: marks.crotch.is_some_and(|c| c >= legs) && !more && !marks.more_legs,
    })
}

/// How high the legs part, where there is no doubt that there are two.
pub(super) fn parting(half: &Half) -> Option<f64> {
    crotch(half).filter(|c| *c >= half.ground() + LEGS_SEEN * half.tall())
}

/// Where a leg begins: its middle right below where legs part. None where that is not seen.
pub(super) fn leg_top(half: &Half) -> Option<DVec3> {
    below_parting(half, parting(half)?)
}

/// A humanoid's left half, in the half's space.
struct Fit {
    bones: Vec<(StandardBone, DVec3, f64)>,
    ends: Vec<(StandardBone, DVec3)>,
    /// How far its proportions are from what is usual.
    unusual: f64,
}

impl Fit {
    fn of(half: &Half, marks: &Landmarks, arm: &[DVec3]) -> Option<Self> {
        use StandardBone as B;
        let (ground, tall) = (half.ground(), half.tall());
        let trunk = |height: f64| at_height(&marks.trunk, height);
        let whole = length(arm);
        // Inward from the tip until the middle is as near as it is for that long an arm.
        const STEPS: u32 = 400;
        let reach = (1..=STEPS)
            .map(|k| whole * f64::from(k) / f64::from(STEPS))
            .find(|&l| l > 0.1 * tall && along(arm, l).x <= SHOULDER * l)?;
        let on_way = along(arm, reach);
        let thin = marks.neck.filter(|n| *n > on_way.y - 0.02 * tall);
        let thin = thin.unwrap_or(on_way.y + 0.06 * tall);
        let shoulders = on_way.y.max(thin - BELOW_NECK * tall);
        let shoulder = DVec3::new(on_way.x, shoulders, on_way.z);
        let neck = 0.5 * (shoulders + thin);
        let wrist_at = wrist(half, arm, reach);
        let mut line = vec![shoulder];
        let mut gone = 0.0;
        let mut outer = Vec::new();
        for w in arm.windows(2) {
            if gone >= wrist_at && gone < 0.9 * reach {
                outer.push(w[0]);
            }
            gone += w[0].distance(w[1]);
        }
        let wrist = along(arm, wrist_at);
        line.extend(outer.into_iter().rev());
        line.push(wrist);
        let arm_length = length(&line);

        let ankles = ground + ANKLE * tall;
        let ankle = at_height(&marks.shin, ankles)?;
        let ankle = DVec3::new(ankle.x, ankles, at_height(&marks.shin, ground + 0.12 * tall)?.z);
        let up = (neck - ankles).max(1e-3 * tall);
        let lower = (NECK_HEIGHT - (neck - ground) / tall).clamp(0.0, 0.35);
        let usual = ankles + (LEG - SHORT_LEG * lower) * up;
        let seen = marks.crotch.map(|c| c + OVER_CROTCH * up);
        let drawn = seen.map_or(0.0, |s| (s - usual).clamp(-LEG_RANGE * up, LEG_RANGE * up));
        let hip = usual + drawn;
        let knees = 0.5 * (hip + ankles);
        let bare = marks.crotch.is_some_and(|c| c > knees);
        let (wide, knee) = if bare {
            let knee = at_height(&marks.shin, knees)?;
            (ankle.x.clamp(0.6 * knee.x, knee.x), Some(knee))
        } else {
            (0.8 * ankle.x, None)
        };
        let thigh = trunk(hip)?.with_x(wide.clamp(HIPS_WIDE.0 * up, HIPS_WIDE.1 * up));
        let knee = knee.unwrap_or_else(|| thigh.midpoint(ankle));
        let head = trunk(thin)?.lerp(trunk(ground + 0.99 * tall)?, 0.105);
        let chest = trunk(neck - 0.05 * up)?;

        let sure = if marks.neck.is_some() { 0.8 } else { 0.5 };
        let hips_sure = match seen {
            Some(s) => (0.85 - 3.0 * ((s - usual).abs() / up - LEG_RANGE).max(0.0)).max(0.3),
            None => 0.45,
        };
        let bones = vec![
            (B::Hips, trunk(hip + 0.01 * up)?, hips_sure),
            (B::Spine, trunk(hip + 0.2 * (neck - hip))?, hips_sure),
            (B::Chest, trunk(hip + 0.45 * (neck - hip))?, hips_sure),
            (B::UpperChest, trunk(hip + 0.72 * (neck - hip))?, sure),
            (B::Neck, trunk(neck)?, sure),
            (B::Head, head, sure),
            (B::LeftShoulder, chest.lerp(shoulder, 0.17), sure),
            (B::LeftUpperArm, shoulder, sure),
            (B::LeftLowerArm, along(&line, ELBOW * arm_length), 0.7),
            (B::LeftHand, wrist, 0.7),
            (B::LeftUpperLeg, thigh, hips_sure),
            (B::LeftLowerLeg, knee, if bare { 0.8 } else { 0.4 }),
            (B::LeftFoot, ankle, 0.8),
            (B::LeftToes, ball(ankle, marks.toes), 0.6),
        ];
        let ends = vec![
            (B::Head, trunk(ground + 0.99 * tall)?),
            (B::LeftHand, arm.first().copied()?),
            (B::LeftToes, marks.toes),
        ];
        let far = |value: f64, usual: f64, range: f64| ((value - usual) / range).powi(2).min(16.0);
        let over_neck = marks.neck.map_or(0.0, |n| (on_way.y - n).max(0.0) / tall);
        let unusual = far(arm_length / up, 0.62, 0.1)
            + far(shoulder.x / arm_length.max(1e-9 * tall), 0.35, 0.06)
            + far((thin - shoulders) / up, 0.07, 0.05)
            + far((neck - ground) / tall, NECK_HEIGHT, 0.25)
            + far(over_neck, 0.0, 0.02);
        Some(Self { bones, ends, unusual })
    }

    fn humanoid(&self, half: &Half, marks: &Landmarks) -> Option<Humanoid> {
        let (up, left) = half.up_and_left(marks.facing);
        let sign = half.left(marks.facing);
        let hips = half.in_mesh(self.bones.first()?.1, sign);
        let mut body = Humanoid {
            frame: Frame {
                up,
                left,
                forward: left.cross(up),
                ground: half.ground(),
                tall: half.tall(),
                middle: hips.dot(left),
            },
            bones: BTreeMap::new(),
            ends: BTreeMap::new(),
        };
        let sides = |bone: StandardBone| {
            let both = bone.side().map_or(&[Side::Left][..], |_| &Side::BOTH[..]);
            both.iter().map(move |&side| {
                let sign = if side == Side::Left { sign } else { -sign };
                (bone.on(side), sign)
            })
        };
        for &(bone, at, confidence) in &self.bones {
            for (bone, sign) in sides(bone) {
                let at = half.in_mesh(at, sign);
                body.bones.insert(bone, Placed { at, confidence });
            }
        }
        for &(bone, at) in &self.ends {
            for (bone, sign) in sides(bone) {
                body.ends.insert(bone, half.in_mesh(at, sign));
            }
        }
        Some(body)
    }
}

/// How far along an arm from its tip the wrist is: the thinnest place about where it usually is.
fn wrist(half: &Half, arm: &[DVec3], reach: f64) -> f64 {
    const STEPS: u32 = 20;
    let (from, to) = WRIST_RANGE;
    let thickness = |l: f64| {
        let away = (l / reach - WRIST).abs();
        half.depth_at(along(arm, l)) * (1.0 + 2.0 * away)
    };
    (0..=STEPS)
        .map(|k| reach * (from + (to - from) * f64::from(k) / f64::from(STEPS)))
        .min_by(|&a, &b| thickness(a).total_cmp(&thickness(b)))
        .unwrap_or(WRIST * reach)
}

fn ball(ankle: DVec3, toes: DVec3) -> DVec3 {
    let ball = ankle.lerp(toes, 0.74);
    DVec3::new(ball.x, toes.y.min(ball.y), ball.z)
}
