//! Which joint of one skeleton is which of another, and the joints that one of them lacks.
//!
//! Names decide, in passes, each over what the passes before left: pairs that the caller names; equal names; equal but for
//! a namespace (`rig:`, `Armature|`) and for upper and lower case; equal but for what all names of a skeleton begin or end
//! with (`mixamorig_`, `_Shirt`), for prefixes and suffixes that the caller names, and for separators. Joints that are left
//! on both sides answer to each other where they are the same bone of a body (`LeftArm` and `upperarm_l`).

use serde::{Deserialize, Serialize};

use crate::character::{HumanoidMap, Joint, JointIndex, Skeleton, Transform};
use glam::DAffine3;

/// Joints are the same bone if both maps are at least so sure: by name, by hierarchy, or by place where nothing speaks against it.
const SURE: f64 = 0.55;

/// How joints' names answer to each other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointNames {
    /// A name of the source and the target's name for it; goes before everything else.
    pub pairs: Vec<(String, String)>,
    /// Left out where a name begins or ends with it.
    pub strip: Vec<String>,
}

/// Why names cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JointMapError {
    /// A pair names a joint that is not there.
    #[error("the map names the joint '{joint}', which the {whose} does not have")]
    Unknown {
        /// The name.
        joint: String,
        /// `source` or `target`.
        whose: &'static str,
    },
    /// A joint of the source has two counterparts.
    #[error("the map names the joint '{joint}' of the source twice")]
    Twice {
        /// The name.
        joint: String,
    },
}

/// For each joint of a source its counterpart in a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JointMap {
    /// By the source's joints.
    pub of_source: Vec<Option<JointIndex>>,
}

impl JointMap {
    /// Finds counterparts among joints that skin can follow. Names may repeat: the first goes to the first, the second to
    /// the second.
    pub fn between(source: &Skeleton, target: &Skeleton, names: &JointNames) -> Result<Self, JointMapError> {
        let mut of_source = vec![None; source.joints.len()];
        let mut taken = vec![false; target.joints.len()];
        for (from, to) in &names.pairs {
            let find = |skeleton: &Skeleton, name: &str, whose| {
                let found = skeleton.find(name).filter(|&j| skeleton.joint(j).in_skin);
                found.ok_or_else(|| JointMapError::Unknown {
                    joint: name.to_owned(),
                    whose,
                })
            };
            let (from, to) = (find(source, from, "source")?, find(target, to, "target")?);
            if of_source[from.at()].replace(to).is_some() {
                return Err(JointMapError::Twice {
                    joint: source.joint(from).name.clone(),
                });
            }
            // Several joints of the source may go to one: their weights add up.
            taken[to.at()] = true;
        }
        let (source_ends, target_ends) = (SharedEnds::of(source), SharedEnds::of(target));
        let mut pass = |source_name: &dyn Fn(&str) -> String, target_name: &dyn Fn(&str) -> String| {
            let keys: Vec<String> = target.joints.iter().map(|j| target_name(&j.name)).collect();
            for joint in source.indices().filter(|&j| source.joint(j).in_skin) {
                if of_source[joint.at()].is_some() {
                    continue;
                }
                let key = source_name(&source.joint(joint).name);
                let free = |j: &JointIndex| {
                    !taken[j.at()] && target.joint(*j).in_skin && keys[j.at()] == key && !key.is_empty()
                };
                if let Some(found) = target.indices().find(free) {
                    taken[found.at()] = true;
                    of_source[joint.at()] = Some(found);
                }
            }
        };
        pass(&str::to_owned, &str::to_owned);
        pass(&without_namespace, &without_namespace);
        pass(&|name| bare(source_ends.cut(name), &names.strip), &|name| {
            bare(target_ends.cut(name), &names.strip)
        });
        let (of_body, of_garment) = (HumanoidMap::of(source), HumanoidMap::of(target));
        for bone in of_body.bones().iter().filter(|b| b.confidence >= SURE) {
            let same = of_garment.mapped(bone.bone).filter(|b| b.confidence >= SURE);
            let Some(found) = same.map(|b| b.joint) else {
                continue;
            };
            let both_follow = source.joint(bone.joint).in_skin && target.joint(found).in_skin;
            if both_follow && of_source[bone.joint.at()].is_none() && !taken[found.at()] {
                taken[found.at()] = true;
                of_source[bone.joint.at()] = Some(found);
            }
        }
        Ok(Self { of_source })
    }

    /// Every joint is its own counterpart.
    pub fn same(skeleton: &Skeleton) -> Self {
        let own = |j: JointIndex| skeleton.joint(j).in_skin.then_some(j);
        Self {
            of_source: skeleton.indices().map(own).collect(),
        }
    }

    /// For each joint of the target whether it has a counterpart.
    pub fn reached(&self, joints: usize) -> Vec<bool> {
        let mut reached = vec![false; joints];
        for joint in self.of_source.iter().flatten() {
            reached[joint.at()] = true;
        }
        reached
    }

    /// The counterpart of a joint, or of the nearest one above it that has one.
    pub fn or_above(&self, source: &Skeleton, joint: JointIndex) -> Option<JointIndex> {
        let mut at = Some(joint);
        while let Some(j) = at {
            if let Some(found) = self.of_source[j.at()] {
                return Some(found);
            }
            at = source.joint(j).parent;
        }
        None
    }

    /// The target's skeleton with joints of the source that it lacks, where `wanted` says so, and the map to it. New joints
    /// come last and hang on the counterpart of the nearest joint above them; `moved` brings a joint's transform in the
    /// source's bind space to the target's.
    pub fn joined(
        &self,
        source: &Skeleton,
        target: &Skeleton,
        wanted: &[bool],
        moved: impl Fn(JointIndex) -> DAffine3,
    ) -> (Skeleton, Self) {
        let (mut joined, mut map) = (target.clone(), self.clone());
        for joint in source.indices() {
            let lacks = wanted[joint.at()] && map.of_source[joint.at()].is_none();
            if !lacks || joined.joints.len() >= usize::from(u16::MAX) {
                continue;
            }
            let parent = source
                .joint(joint)
                .parent
                .and_then(|above| map.or_above(source, above));
            let whole = moved(joint) * source.joint(joint).bind_from_joint;
            // A scale of the whole scene moves joints and leaves them as large as they are.
            let transform = Transform::from_affine(whole);
            let own = Transform::from_affine(source.joint(joint).bind_from_joint);
            let bind_from_joint = Transform {
                scale: own.scale,
                ..transform
            }
            .to_affine();
            let above = parent.map_or(DAffine3::IDENTITY, |p| joined.joint(p).bind_from_joint);
            map.of_source[joint.at()] = Some(JointIndex(joined.joints.len() as u16));
            joined.joints.push(Joint {
                name: source.joint(joint).name.clone(),
                parent,
                rest: Transform::from_affine(above.inverse() * bind_from_joint),
                bind_from_joint,
                in_skin: true,
            });
        }
        (joined, map)
    }
}

/// A name after its namespaces, in lower case.
pub(super) fn without_namespace(name: &str) -> String {
    let start = name.rfind([':', '|']).map_or(0, |at| at + 1);
    name[start..].to_lowercase()
}

/// Letters and digits alone, in lower case, without namespaces and what shall be stripped.
fn bare(name: &str, strip: &[String]) -> String {
    let mut name = name;
    for end in strip.iter().filter(|s| !s.is_empty()) {
        name = name.strip_prefix(end.as_str()).unwrap_or(name);
        name = name.strip_suffix(end.as_str()).unwrap_or(name);
    }
    let plain = without_namespace(name);
    plain.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// What all names of a skeleton begin and end with, up to a separator.
struct SharedEnds {
    prefix: usize,
    suffix: usize,
}

impl SharedEnds {
    /// Fewer joints than this share their ends by chance.
    const FEWEST: usize = 3;

    fn of(skeleton: &Skeleton) -> Self {
        let names: Vec<&str> = skeleton
            .joints
            .iter()
            .filter(|j| j.in_skin)
            .map(|j| j.name.as_str())
            .collect();
        let [first, others @ ..] = names.as_slice() else {
            return Self { prefix: 0, suffix: 0 };
        };
        if names.len() < Self::FEWEST {
            return Self { prefix: 0, suffix: 0 };
        }
        let is_separator = |c: char| !c.is_alphanumeric();
        let shared_before = |length: usize| others.iter().all(|n| n.starts_with(&first[..length]));
        let shared_after = |from: usize| others.iter().all(|n| n.ends_with(&first[from..]));
        let separators = || first.char_indices().filter(|&(_, c)| is_separator(c));
        let prefix = separators()
            .map(|(at, c)| at + c.len_utf8())
            .filter(|&length| shared_before(length))
            .max();
        let suffix = separators()
            .map(|(at, _)| at)
            .filter(|&from| shared_after(from))
            .min();
        let prefix = prefix.unwrap_or(0);
        let suffix = suffix
            .filter(|&from| from >= prefix)
            .map_or(0, |from| first.len() - from);
        // A glove's joints may all be left ones, and its partner's all right ones.
        let is_side = |end: &str| ["l", "r", "left", "right"].contains(&bare(end, &[]).as_str());
        let prefix = if is_side(&first[..prefix]) { 0 } else { prefix };
        let suffix = if is_side(&first[first.len() - suffix..]) {
            0
        } else {
            suffix
        };
        // A name that is nothing but its ends would be nothing.
        let leaves_something = names.iter().all(|n| n.len() > prefix + suffix);
        if leaves_something {
            Self { prefix, suffix }
        } else {
            Self { prefix: 0, suffix: 0 }
        }
    }

    fn cut<'a>(&self, name: &'a str) -> &'a str {
        // Plain nodes between joints may be called otherwise.
        let end = name.len().saturating_sub(self.suffix);
        name.get(self.prefix..end).unwrap_or(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    fn skeleton(names: &[&str]) -> Skeleton {
        let joint = |(i, name): (usize, &&str)| Joint {
            name: (*name).to_owned(),
            parent: i.checked_sub(1).map(|p| JointIndex(p as u16)),
            rest: Transform::from_translation(DVec3::Y),
            bind_from_joint: DAffine3::from_translation(DVec3::Y * i as f64),
            in_skin: true,
        };
        Skeleton {
            joints: names.iter().enumerate().map(joint).collect(),
        }
    }

    fn map(source: &[&str], target: &[&str], names: &JointNames) -> Vec<Option<u16>> {
        let found = JointMap::between(&skeleton(source), &skeleton(target), names).unwrap();
        found.of_source.iter().map(|j| j.map(|j| j.0)).collect()
    }

    #[test]
    fn names_answer_to_each_other_whatever_they_are_wrapped_in() {
        let body = ["Hips", "Spine", "Arm.L", "Arm.R"];
        let usual = JointNames::default();
        let in_order = [Some(0), Some(1), Some(2), Some(3)];
        for garment in [
            ["Hips", "Spine", "Arm.L", "Arm.R"],
            ["shirt:Hips", "shirt:Spine", "shirt:Arm.L", "shirt:Arm.R"],
            ["HIPS", "spine", "arm.l", "ARM.R"],
            ["Hips_Shirt", "Spine_Shirt", "Arm.L_Shirt", "Arm.R_Shirt"],
            [
                "Armature_Hips",
                "Armature_Spine",
                "Armature_Arm_L",
                "Armature_Arm_R",
            ],
            [
                "Shirt.Hips.001",
                "Shirt.Spine.001",
                "Shirt.Arm.L.001",
                "Shirt.Arm.R.001",
            ],
        ] {
            assert_eq!(map(&body, &garment, &usual), in_order, "{garment:?}");
        }
        // Two kinds of prefixes are not shared by all: the caller names them.
        let body = ["Ribbon", "Lace", "Bow.L", "Bow.R"];
        let mixed = ["a_Ribbon", "b_Lace", "a_Bow.L", "b_Bow.R"];
        assert_eq!(map(&body, &mixed, &usual), [None; 4]);
        let named = JointNames {
            strip: vec!["a_".to_owned(), "b_".to_owned()],
            ..JointNames::default()
        };
        assert_eq!(map(&body, &mixed, &named), in_order);
    }

    #[test]
    fn left_and_right_are_never_taken_for_a_shared_end() {
        let usual = JointNames::default();
        let found = map(&["arm_L", "leg_L", "eye_L"], &["arm_L", "arm_R", "leg_R"], &usual);
        assert_eq!(found, [Some(0), None, None]);
        let found = map(&["arm_L", "leg_L", "eye_L"], &["arm_R", "leg_R", "eye_R"], &usual);
        assert_eq!(found, [None; 3]);
    }

    #[test]
    fn the_same_bones_answer_to_each_other_whatever_they_are_called() {
        use crate::character::{NameScheme, StandardBone as B};
        let figure = |scheme: NameScheme| {
            let at = [
                (B::Hips, None, [0.0, 1.0, 0.0]),
                (B::Spine, Some(0), [0.0, 1.1, 0.0]),
                (B::Chest, Some(1), [0.0, 1.2, 0.0]),
                (B::UpperChest, Some(2), [0.0, 1.3, 0.0]),
                (B::Neck, Some(3), [0.0, 1.5, 0.0]),
                (B::Head, Some(4), [0.0, 1.6, 0.0]),
                (B::LeftUpperArm, Some(3), [0.2, 1.4, 0.0]),
                (B::LeftLowerArm, Some(6), [0.4, 1.4, 0.0]),
                (B::LeftHand, Some(7), [0.6, 1.4, 0.0]),
                (B::RightUpperArm, Some(3), [-0.2, 1.4, 0.0]),
                (B::RightLowerArm, Some(9), [-0.4, 1.4, 0.0]),
                (B::RightHand, Some(10), [-0.6, 1.4, 0.0]),
                (B::LeftUpperLeg, Some(0), [0.1, 0.9, 0.0]),
                (B::LeftLowerLeg, Some(12), [0.1, 0.5, 0.0]),
                (B::LeftFoot, Some(13), [0.1, 0.1, 0.0]),
                (B::RightUpperLeg, Some(0), [-0.1, 0.9, 0.0]),
                (B::RightLowerLeg, Some(15), [-0.1, 0.5, 0.0]),
                (B::RightFoot, Some(16), [-0.1, 0.1, 0.0]),
            ];
            let mut joints: Vec<(&str, Option<usize>, [f64; 3])> = at
                .iter()
                .map(|&(bone, parent, at)| (bone.name_in(scheme), parent, at))
                .collect();
            joints.push(("ribbon", Some(3), [0.0, 1.3, -0.1]));
            Skeleton::from_positions(&joints).unwrap()
        };
        let own = |scheme| {
            let (body, garment) = (figure(NameScheme::Vrm), figure(scheme));
            let found = JointMap::between(&body, &garment, &JointNames::default()).unwrap();
            found.of_source
        };
        for scheme in NameScheme::ALL {
            let expected: Vec<Option<JointIndex>> = (0..19).map(|j| Some(JointIndex(j))).collect();
            assert_eq!(own(scheme), expected, "{scheme:?}");
        }
    }

    #[test]
    fn pairs_go_first_and_must_exist() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        let mut names = JointNames {
            pairs: vec![pair("Hips", "Becken"), pair("Tail", "Becken")],
            ..JointNames::default()
        };
        let found = map(&["Hips", "Tail", "Head"], &["Becken", "Hips", "Head"], &names);
        assert_eq!(found, [Some(0), Some(0), Some(2)]);
        names.pairs.push(pair("Nose", "Head"));
        let (a, b) = (skeleton(&["Hips", "Tail"]), skeleton(&["Becken", "Head"]));
        let refused = JointMap::between(&a, &b, &names).unwrap_err();
        assert!(refused.to_string().contains("'Nose'"), "{refused}");
        names.pairs = vec![pair("Hips", "Becken"), pair("Hips", "Head")];
        let twice = JointMap::between(&a, &b, &names).unwrap_err();
        assert!(matches!(twice, JointMapError::Twice { .. }));
    }

    #[test]
    fn joints_that_lack_are_added_below_what_they_hung_on() {
        let (body, garment) = (
            skeleton(&["hips", "spine", "head"]),
            skeleton(&["hips", "ribbon"]),
        );
        let found = JointMap::between(&body, &garment, &JointNames::default()).unwrap();
        let wanted = [true, true, true];
        let (joined, map) = found.joined(&body, &garment, &wanted, |_| DAffine3::IDENTITY);
        let names: Vec<&str> = joined.joints.iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["hips", "ribbon", "spine", "head"]);
        assert_eq!(joined.joints[2].parent, Some(JointIndex(0)));
        assert_eq!(joined.joints[3].parent, Some(JointIndex(2)));
        assert_eq!(joined.joints[3].rest.translation, DVec3::Y);
        assert_eq!(map.of_source, [0, 2, 3].map(|j| Some(JointIndex(j))));
        assert_eq!(joined.check(), Ok(()));
    }
}
