//! The samples' walk for other skeletons that have its joints.
//!
//! Joints are found by what they are ([`joint_kinds`]), not by the samples' names. A copy of the skeleton is named like a
//! sample, turned to look like one (X left, Y up) and put at rest where it is bound; the walk that is written for the copy
//! turns the skeleton's own joints.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::biped_clips::walk_on;
use crate::character::{Clip, JointIndex, Skeleton, words};
use crate::motion::{JointKind, bind_pose, joint_kinds};

/// How long a sample's leg is, from the hip to the ankle.
const SAMPLE_LEG: f64 = 0.85;

/// Two steps on the spot, looping; none if the skeleton is not a human's: hips, and on either side a thigh with a knee and an
/// upper arm with an elbow.
pub fn walk_for(skeleton: &Skeleton) -> Option<Clip> {
    let joints = Biped::of(skeleton)?;
    let at = |joint: JointIndex| skeleton.bind_position(joint);
    let (left, right) = (&joints.sides[0], &joints.sides[1]);
    let across = at(left.thigh) - at(right.thigh);
    let knees = (at(left.knee) + at(right.knee)) / 2.0;
    let hips = (at(left.thigh) + at(right.thigh)) / 2.0;
    let bind_from_body = axes(across, hips - knees)?;
    let body_from_bind = DQuat::from_mat3(&bind_from_body.transpose());

    // From where a sample's left arm points in the T-pose to where this one does.
    let arm = |side: &Side, flip: f64| {
        let along = body_from_bind * (at(side.elbow) - at(side.upper_arm));
        let along = (along * DVec3::new(flip, 1.0, 1.0)).try_normalize()?;
        Some(DQuat::from_rotation_arc(DVec3::X, along))
    };
    let arms = [arm(left, 1.0)?, arm(right, -1.0)?];
    let leg = |side: &Side| {
        let ankle = side.ankle.map_or(at(side.knee), at);
        at(side.thigh).distance(at(side.knee)) + at(side.knee).distance(ankle)
    };
    // Hips move in the units of the joint that they hang on.
    let unit = skeleton.joint(joints.hips).parent.map_or(1.0, |parent| {
        skeleton
            .joint(parent)
            .bind_from_joint
            .matrix3
            .determinant()
            .abs()
            .cbrt()
    });
    let size = (leg(left) + leg(right)) / 2.0 / SAMPLE_LEG / unit;
    if !size.is_finite() {
        return None;
    }
    let clip = walk_on(&joints.named(skeleton, body_from_bind), arms, size);
    Some(clip)
}

/// A right-handed frame with X along `across` and Y as near to `up` as that allows.
fn axes(across: DVec3, up: DVec3) -> Option<DMat3> {
    let x = across.try_normalize()?;
    let z = x.cross(up).try_normalize()?;
    Some(DMat3::from_cols(x, z.cross(x), z))
}

/// The joints of one side.
struct Side {
    thigh: JointIndex,
    knee: JointIndex,
    ankle: Option<JointIndex>,
    upper_arm: JointIndex,
    elbow: JointIndex,
}

/// The joints that walk.
struct Biped {
    hips: JointIndex,
    spine: Option<JointIndex>,
    upper_chest: Option<JointIndex>,
    head: Option<JointIndex>,
    /// Left and right.
    sides: [Side; 2],
}

impl Biped {
    fn of(skeleton: &Skeleton) -> Option<Self> {
        let kinds = joint_kinds(skeleton);
        let kinds = &kinds;
        let of_kind = |kind: JointKind| skeleton.indices().filter(move |j| kinds[j.at()] == kind);
        let above = |joint: JointIndex| std::iter::successors(Some(joint), |&j| skeleton.joint(j).parent);
        let under = |joint: JointIndex, top: JointIndex| joint != top && above(joint).any(|a| a == top);
        // A limb begins at the first joint of its kind; twists below are more of it.
        let first = |joint: JointIndex, all: &[JointIndex]| !all.iter().any(|&other| under(joint, other));
        let limbs = |kind: JointKind| -> Option<[JointIndex; 2]> {
            let all: Vec<JointIndex> = of_kind(kind).collect();
            let tops: Vec<JointIndex> = all.iter().copied().filter(|&j| first(j, &all)).collect();
            let &[a, b] = &tops[..] else { return None };
            let left = |j: JointIndex| is_left(&skeleton.joint(j).name);
            let a_is_left = match (left(a), left(b)) {
                (Some(a), Some(b)) if a != b => a,
                // Without names: a character looks along +Z, and its left is +X.
                _ => skeleton.bind_position(a).x > skeleton.bind_position(b).x,
            };
            Some(if a_is_left { [a, b] } else { [b, a] })
        };
        let below = |kind: JointKind, top: JointIndex| of_kind(kind).find(|&j| under(j, top));
        let (thighs, arms) = (limbs(JointKind::Thigh)?, limbs(JointKind::UpperArm)?);
        let side = |s: usize| {
            let knee = below(JointKind::Knee, thighs[s])?;
            Some(Side {
                thigh: thighs[s],
                knee,
                ankle: below(JointKind::Ankle, knee),
                upper_arm: arms[s],
                elbow: below(JointKind::Elbow, arms[s])?,
            })
        };
        let hips = above(thighs[0]).find(|&j| under(thighs[1], j))?;
        let carries_both = |j: JointIndex| arms.iter().all(|&arm| under(arm, j));
        let spine = |j: &JointIndex| *j != hips && under(*j, hips) && carries_both(*j);
        Some(Self {
            hips,
            spine: skeleton.indices().find(spine),
            upper_chest: skeleton.indices().rfind(spine),
            head: of_kind(JointKind::Head).next(),
            sides: [side(0)?, side(1)?],
        })
    }

    /// The skeleton with a sample's names and axes, at rest where it is bound.
    fn named(&self, skeleton: &Skeleton, body_from_bind: DQuat) -> Skeleton {
        let mut named = skeleton.clone();
        let bound = bind_pose(skeleton);
        for (joint, local) in named.joints.iter_mut().zip(bound.locals) {
            joint.name = String::new();
            joint.rest = local;
            let (_, turned, place) = joint.bind_from_joint.to_scale_rotation_translation();
            joint.bind_from_joint = DAffine3::from_rotation_translation(body_from_bind * turned, place);
        }
        let mut name = |joint: Option<JointIndex>, name: String| {
            if let Some(joint) = joint {
                named.joints[joint.at()].name = name;
            }
        };
        // A chest that is the spine too bends as the chest.
        name(self.spine, "spine".to_owned());
        name(self.upper_chest, "upper_chest".to_owned());
        name(self.head, "head".to_owned());
        name(Some(self.hips), "hips".to_owned());
        for (side, word) in self.sides.iter().zip(["left", "right"]) {
            name(Some(side.thigh), format!("{word}_upper_leg"));
            name(Some(side.knee), format!("{word}_lower_leg"));
            name(side.ankle, format!("{word}_foot"));
            name(Some(side.upper_arm), format!("{word}_upper_arm"));
            name(Some(side.elbow), format!("{word}_lower_arm"));
        }
        named
    }
}

/// Which side a name speaks of, if of one.
fn is_left(name: &str) -> Option<bool> {
    let words = words(name);
    let has = |known: [&str; 4]| words.iter().any(|w| known.contains(&w.as_str()));
    match (has(["left", "l", "lft", "lf"]), has(["right", "r", "rgt", "rt"])) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::make;

    /// A sample under other names, turned about and twice as large.
    fn disguised(skeleton: &Skeleton) -> Skeleton {
        let turn = DAffine3::from_scale_rotation_translation(
            DVec3::splat(2.0),
            DQuat::from_rotation_y(2.0),
            DVec3::new(3.0, 0.5, -1.0),
        );
        let mut other = skeleton.clone();
        for joint in &mut other.joints {
            joint.bind_from_joint = turn * joint.bind_from_joint;
            joint.name = match joint.name.as_str() {
                "hips" => "mixamorig:Hips".to_owned(),
                name => {
                    let side = if name.starts_with("left_") {
                        "Left"
                    } else {
                        "Right"
                    };
                    let bare = name.trim_start_matches("left_").trim_start_matches("right_");
                    match bare {
                        "upper_leg" => format!("mixamorig:{side}UpLeg"),
                        "lower_leg" => format!("mixamorig:{side}Leg"),
                        "foot" => format!("mixamorig:{side}Foot"),
                        "upper_arm" => format!("mixamorig:{side}Arm"),
                        "lower_arm" => format!("mixamorig:{side}ForeArm"),
                        _ => name.to_owned(),
                    }
                }
            };
        }
        for (joint, local) in bind_pose(&other).locals.into_iter().enumerate() {
            other.joints[joint].rest = local;
        }
        other
    }

    #[test]
    fn a_disguised_sample_walks_as_the_sample_does() {
        let athlete = make("athlete@1000").unwrap();
        let own = athlete.clips.iter().find(|c| c.name == "walk").unwrap();
        let other = disguised(&athlete.skeleton);
        let walk = walk_for(&other).unwrap();
        let turn = other.joints[0].bind_from_joint * athlete.skeleton.joints[0].bind_from_joint.inverse();
        for at in [0.0, 0.2, 0.55, 0.9] {
            let expected = own
                .pose_at(&athlete.skeleton, at)
                .world_from_joints(&athlete.skeleton);
            let found = walk.pose_at(&other, at).world_from_joints(&other);
            for name in ["left_foot", "right_hand", "head"] {
                let joint = athlete.skeleton.find(name).unwrap();
                let expected = turn.transform_point3(expected[joint.at()].translation);
                let away = expected.distance(found[joint.at()].translation);
                // Of 3.5 m: axes are read off knees and elbows, which are a degree off; arms swing by 0.4 m.
                assert!(away < 0.1, "{name} at {at}: {away} off");
            }
        }
    }

    #[test]
    fn steps_go_forward_and_back() {
        let skeleton = make("apose@1000").unwrap().skeleton;
        let walk = walk_for(&skeleton).unwrap();
        let foot = skeleton.find("left_foot").unwrap();
        let along = |at: f32| {
            walk.pose_at(&skeleton, at).world_from_joints(&skeleton)[foot.at()]
                .translation
                .z
        };
        let places: Vec<f64> = (0..12).map(|k| along(0.1 * k as f32)).collect();
        let span =
            places.iter().fold(f64::MIN, |a, &b| a.max(b)) - places.iter().fold(f64::MAX, |a, &b| a.min(b));
        assert!(span > 0.3, "{span}");
        assert!((along(0.0) - along(1.1)).abs() < 1e-3, "it loops");
    }

    #[test]
    fn what_has_no_arms_does_not_walk_upright() {
        for name in ["hound@1000", "tube@200", "hand@1000"] {
            assert!(walk_for(&make(name).unwrap().skeleton).is_none(), "{name}");
        }
    }
}
