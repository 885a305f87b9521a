//! A limb of two bones that reaches for a position.

use glam::{DMat3, DQuat, DVec3};

/// A leg is never stretched further than this fraction of its length.
const STRETCH: f64 = 0.9999;

/// Bones that make a smaller sine count as straight: where they bend is then taken from the hint.
const STRAIGHT: f64 = 0.05;

/// Bones bent the wrong way by a smaller sine are brought back to the right one.
const OVERSTRETCHED: f64 = 0.2;

/// How to turn the upper and the lower bone of a limb, in the world, so that its end reaches `goal`, or as near as it can.
/// The limb keeps the plane in which it bends; `hint` is the axis about which it bends when it is straight.
pub fn two_bone(root: DVec3, middle: DVec3, end: DVec3, goal: DVec3, hint: DVec3) -> [DQuat; 2] {
    let still = [DQuat::IDENTITY; 2];
    let (upper, lower) = (middle - root, end - middle);
    let (a, b) = (upper.length(), lower.length());
    let far = a + b;
    if !(far > 0.0 && goal.is_finite()) || goal.distance(end) <= 1e-9 * far || a * b == 0.0 {
        return still;
    }
    let Some(along) = (goal - root).try_normalize() else {
        return still;
    };
    let before = (end - root).try_normalize().unwrap_or(along);
    let bend = upper.cross(lower) / (a * b);
    let wrong_way = bend.dot(hint) < 0.0 && bend.length() < OVERSTRETCHED;
    let axis = if bend.length() < STRAIGHT || wrong_way {
        (hint - before * hint.dot(before)).normalize_or(bend)
    } else {
        bend.normalize()
    };
    let axis = axis.try_normalize().unwrap_or(before.any_orthonormal_vector());
    let new_axis = DQuat::from_rotation_arc(before, along) * axis;
    let reach = root
        .distance(goal)
        .clamp((a - b).abs() + 1e-6 * far, STRETCH * far);
    let x = (a * a - b * b + reach * reach) / (2.0 * reach);
    let out = along.cross(new_axis).normalize_or(along.any_orthonormal_vector());
    let new_middle = root + along * x + out * (a * a - x * x).max(0.0).sqrt();
    let new_end = root + along * reach;
    let turn = |from: DVec3, to: DVec3| {
        let (from, to) = (frame(from, axis)?, frame(to, new_axis)?);
        Some(DQuat::from_mat3(&(to * from.transpose())).normalize())
    };
    match (turn(upper, new_middle - root), turn(lower, new_end - new_middle)) {
        (Some(upper), Some(lower)) => [upper, lower],
        _ => still,
    }
}

/// A frame with X along a bone and Z as near to an axis as that allows.
fn frame(along: DVec3, axis: DVec3) -> Option<DMat3> {
    let x = along.try_normalize()?;
    let y = axis.cross(x).try_normalize()?;
    Some(DMat3::from_cols(x, y, x.cross(y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved(root: DVec3, middle: DVec3, end: DVec3, goal: DVec3) -> (DVec3, DVec3) {
        let [upper, lower] = two_bone(root, middle, end, goal, DVec3::X);
        let new_middle = root + upper * (middle - root);
        (new_middle, new_middle + lower * (end - middle))
    }

    #[test]
    fn a_limb_reaches_every_place_within_its_length() {
        let (root, middle, end) = (
            DVec3::new(0.1, 0.9, 0.0),
            DVec3::new(0.12, 0.5, 0.08),
            DVec3::new(0.1, 0.1, 0.0),
        );
        let (a, b) = (root.distance(middle), middle.distance(end));
        for i in 0..200 {
            let spread = |k: f64| (f64::from(i) * k).fract() - 0.5;
            let goal = end + DVec3::new(spread(0.618), spread(0.755) * 0.8 + 0.3, spread(0.569));
            let away = root.distance(goal);
            if away > 0.99 * (a + b) || away < (a - b).abs() + 0.05 {
                continue;
            }
            let (knee, foot) = solved(root, middle, end, goal);
            assert!(foot.distance(goal) < 1e-9, "{goal}: {foot}");
            assert!((root.distance(knee) - a).abs() < 1e-9);
            assert!((knee.distance(foot) - b).abs() < 1e-9);
        }
    }

    #[test]
    fn a_limb_that_is_there_stays() {
        let (root, middle, end) = (
            DVec3::ZERO,
            DVec3::new(0.0, -1.0, 0.1),
            DVec3::new(0.0, -2.0, 0.0),
        );
        assert_eq!(two_bone(root, middle, end, end, DVec3::X), [DQuat::IDENTITY; 2]);
        // And one that hardly moves hardly turns.
        let [upper, lower] = two_bone(root, middle, end, end + 1e-6 * DVec3::Y, DVec3::X);
        assert!(upper.angle_between(DQuat::IDENTITY) < 1e-4 && lower.angle_between(DQuat::IDENTITY) < 1e-4);
    }

    #[test]
    fn a_straight_knee_bends_forward() {
        let (root, middle, end) = (
            DVec3::ZERO,
            DVec3::new(0.0, -1.0, 0.0),
            DVec3::new(0.0, -2.0, 0.0),
        );
        let (knee, foot) = solved(root, middle, end, DVec3::new(0.0, -1.6, 0.0));
        assert!(knee.z > 0.5, "{knee}");
        assert!(foot.distance(DVec3::new(0.0, -1.6, 0.0)) < 1e-9);
        // An overstretched one is brought back.
        let (knee, _) = solved(
            root,
            DVec3::new(0.0, -1.0, -0.05),
            end,
            DVec3::new(0.0, -1.6, 0.0),
        );
        assert!(knee.z > 0.5, "{knee}");
    }

    #[test]
    fn what_is_out_of_reach_is_pointed_at() {
        let (root, middle, end) = (
            DVec3::ZERO,
            DVec3::new(0.0, -1.0, 0.1),
            DVec3::new(0.0, -2.0, 0.0),
        );
        let goal = DVec3::new(3.0, -4.0, 0.0);
        let (_, foot) = solved(root, middle, end, goal);
        assert!(foot.normalize().dot(goal.normalize()) > 1.0 - 1e-12);
        let nowhere = two_bone(root, root, end, goal, DVec3::X);
        assert_eq!(nowhere, [DQuat::IDENTITY; 2]);
        assert_eq!(
            two_bone(root, middle, end, DVec3::NAN, DVec3::X),
            [DQuat::IDENTITY; 2]
        );
    }
}
