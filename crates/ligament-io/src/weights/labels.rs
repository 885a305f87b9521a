//! Joints by name, in files that know joints by nothing else.
//!
//! Names in a skeleton may repeat or be empty; such a joint is written as `NAME#3`, with
//! its index in the skeleton. A name that is found nowhere is tried again without the
//! path (`|a|b|NAME`) and namespace (`rig:NAME`) that Maya puts in front, on either side,
//! where that leaves no doubt.

use std::collections::HashMap;

use ligament::character::{JointIndex, Skeleton};

/// The labels of a skeleton's joints.
pub(crate) struct Labels {
    labels: Vec<String>,
    joint_of: HashMap<String, JointIndex>,
}

impl Labels {
    /// Names as they are.
    pub fn new(skeleton: &Skeleton) -> Self {
        Self::with(skeleton, str::to_owned)
    }

    /// Names in which `_` stands for blanks, for files whose words end there.
    pub fn without_blanks(skeleton: &Skeleton) -> Self {
        Self::with(skeleton, |name| {
            name.chars()
                .map(|c| if c.is_whitespace() { '_' } else { c })
                .collect()
        })
    }

    fn with(skeleton: &Skeleton, spelled: impl Fn(&str) -> String) -> Self {
        let names: Vec<String> = skeleton.joints.iter().map(|j| spelled(&j.name)).collect();
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *uses.entry(name).or_default() += 1;
        }
        let mut joint_of = HashMap::new();
        let labels: Vec<String> = names
            .iter()
            .enumerate()
            .map(|(i, name)| match uses.get(name.as_str()) {
                Some(1) if !name.is_empty() => name.clone(),
                _ => format!("{name}#{i}"),
            })
            .collect();
        // Labels first: a plain name that repeats then means its first joint of the skin.
        for joint in skeleton.indices() {
            joint_of.entry(labels[joint.at()].clone()).or_insert(joint);
        }
        let by_skin = |skin: bool| {
            skeleton
                .indices()
                .filter(move |&j| skeleton.joint(j).in_skin == skin)
        };
        for joint in by_skin(true).chain(by_skin(false)) {
            joint_of.entry(names[joint.at()].clone()).or_insert(joint);
        }
        let mut bare_uses: HashMap<&str, usize> = HashMap::new();
        for name in &names {
            *bare_uses.entry(bare(name)).or_default() += 1;
        }
        for joint in skeleton.indices() {
            let name = bare(&names[joint.at()]);
            if bare_uses.get(name) == Some(&1) {
                joint_of.entry(name.to_owned()).or_insert(joint);
            }
        }
        Self { labels, joint_of }
    }

    /// What a joint is called in the file.
    pub fn of(&self, joint: JointIndex) -> &str {
        self.labels.get(joint.at()).map_or("", String::as_str)
    }

    /// The joint of that name.
    pub fn find(&self, name: &str) -> Option<JointIndex> {
        let without_path = name.rsplit('|').next().unwrap_or(name);
        [name, without_path, bare(name)]
            .into_iter()
            .find_map(|name| self.joint_of.get(name).copied())
    }
}

/// A name without path and namespace.
fn bare(name: &str) -> &str {
    name.rsplit(['|', ':']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::character::{Joint, Transform};

    #[test]
    fn repeated_and_empty_names_stay_apart() {
        let joints = ["a", "b c", "a", "", "rig:d"].map(|name| Joint {
            name: name.to_owned(),
            parent: None,
            rest: Transform::IDENTITY,
            bind_from_joint: glam::DAffine3::IDENTITY,
            in_skin: true,
        });
        let skeleton = Skeleton {
            joints: joints.to_vec(),
        };
        let labels = Labels::without_blanks(&skeleton);
        for joint in skeleton.indices() {
            assert_eq!(labels.find(labels.of(joint)), Some(joint), "{}", labels.of(joint));
        }
        assert_eq!(labels.of(JointIndex(1)), "b_c");
        assert_eq!(labels.find("a"), Some(JointIndex(0)));
        assert_eq!(labels.find("|root|ns:b_c"), Some(JointIndex(1)));
        assert_eq!(labels.find("rig:d"), Some(JointIndex(4)));
        assert_eq!(labels.find("d"), Some(JointIndex(4)));
        assert_eq!(labels.find("none"), None);
    }
}
