//! Which joints take part in a bind.
//!
//! It decides more than any other choice: control, IK and end joints steal weight.

use serde::{Deserialize, Serialize};
use wildmatch::WildMatch;

use crate::character::{JointIndex, Skeleton, Weights};
use crate::skin::Skin;

/// Which joints may hold weight.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeformChoice {
    /// The joints that look as if they moved skin, by all that is known of them: names, hierarchy, geometry, motion
    /// ([`guess_joints`](super::guess_joints) says why).
    #[default]
    Guess,
    /// All joints of the skin.
    All,
    /// The joints that the character's present weights use.
    Used,
    /// Names or globs (`*` any run, `?` any one character), in order; a later one
    /// overrules an earlier one. A leading `!` takes joints out; if the first pattern
    /// does so, all the others start in.
    Patterns(Vec<String>),
    /// Exactly these joints; ones that are no joints of the skin are left out.
    Joints(Vec<JointIndex>),
}

/// A choice that leaves no joint.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DeformChoiceError {
    /// A pattern matches no joint.
    #[error("no joint is called '{pattern}'; the joints are: {known}")]
    NoMatch {
        /// The pattern.
        pattern: String,
        /// Some of the joints' names.
        known: String,
    },
    /// The patterns leave no joint.
    #[error("the patterns leave no joint to bind to")]
    NothingLeft,
    /// There are no weights to take the joints from.
    #[error("the file has no weights, so none of its joints is used; name the joints instead")]
    NoWeights,
}

impl DeformChoice {
    /// For each joint of a skin's character whether it takes part.
    pub fn resolve(&self, skin: &Skin) -> Result<Vec<bool>, DeformChoiceError> {
        match self {
            Self::Guess => Ok(super::deform_guess::guessed_deform_joints(skin)),
            stated => stated.resolve_stated(&skin.character().skeleton, skin.character().weights.as_ref()),
        }
    }

    /// For each joint whether it takes part; all of them where it is to be guessed, which needs the skin.
    pub fn resolve_stated(
        &self,
        skeleton: &Skeleton,
        weights: Option<&Weights>,
    ) -> Result<Vec<bool>, DeformChoiceError> {
        let in_skin = || skeleton.joints.iter().map(|j| j.in_skin);
        match self {
            Self::Guess => Ok(in_skin().collect()),
            Self::All => Ok(in_skin().collect()),
            Self::Used => {
                let weights = weights.ok_or(DeformChoiceError::NoWeights)?;
                let mut used = vec![false; skeleton.joints.len()];
                for influence in weights.influences() {
                    used[influence.joint.at()] |= skeleton.joint(influence.joint).in_skin;
                }
                Ok(used)
            }
            Self::Joints(joints) => {
                let mut chosen = vec![false; skeleton.joints.len()];
                for joint in joints {
                    if let Some(chosen) = chosen.get_mut(joint.at()) {
                        *chosen = skeleton.joint(*joint).in_skin;
                    }
                }
                if chosen.contains(&true) {
                    Ok(chosen)
                } else {
                    Err(DeformChoiceError::NothingLeft)
                }
            }
            Self::Patterns(patterns) => {
                let starts_in = patterns.first().is_none_or(|p| p.starts_with('!'));
                let mut chosen: Vec<bool> = in_skin().map(|skin| skin && starts_in).collect();
                for pattern in patterns {
                    let (name, wanted) = pattern
                        .strip_prefix('!')
                        .map_or((pattern.as_str(), true), |p| (p, false));
                    let glob = WildMatch::new(name);
                    let mut any = false;
                    for (joint, chosen) in skeleton.joints.iter().zip(&mut chosen) {
                        if joint.in_skin && (joint.name == name || glob.matches(&joint.name)) {
                            *chosen = wanted;
                            any = true;
                        }
                    }
                    if !any {
                        return Err(DeformChoiceError::NoMatch {
                            pattern: name.to_owned(),
                            known: some_names(skeleton),
                        });
                    }
                }
                if !chosen.contains(&true) {
                    return Err(DeformChoiceError::NothingLeft);
                }
                Ok(chosen)
            }
        }
    }
}

/// The first names, enough to see how this skeleton spells them.
fn some_names(skeleton: &Skeleton) -> String {
    const SHOWN: usize = 12;
    let names: Vec<&str> = skeleton
        .joints
        .iter()
        .filter(|j| j.in_skin)
        .map(|j| j.name.as_str())
        .collect();
    let mut text = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text.push_str(&format!(" and {} more", names.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Joint, JointIndex, Transform};

    fn skeleton(names: &[&str]) -> Skeleton {
        Skeleton {
            joints: names
                .iter()
                .map(|name| Joint {
                    name: (*name).to_owned(),
                    parent: None,
                    rest: Transform::IDENTITY,
                    bind_from_joint: glam::DAffine3::IDENTITY,
                    in_skin: !name.starts_with("scene"),
                })
                .collect(),
        }
    }

    fn choose(names: &[&str], patterns: &[&str]) -> Result<Vec<bool>, DeformChoiceError> {
        let patterns = patterns.iter().map(|p| (*p).to_owned()).collect();
        DeformChoice::Patterns(patterns).resolve_stated(&skeleton(names), None)
    }

    #[test]
    fn names_and_globs() {
        let names = ["scene", "hips", "arm_L", "arm_R", "ik_arm_L"];
        assert_eq!(
            choose(&names, &["arm_*"]),
            Ok(vec![false, false, true, true, false])
        );
        assert_eq!(
            choose(&names, &["!ik_*"]),
            Ok(vec![false, true, true, true, false])
        );
        assert_eq!(
            choose(&names, &["*", "!*_L", "arm_L"]),
            Ok(vec![false, true, true, true, false])
        );
    }

    #[test]
    fn a_name_that_looks_like_a_glob_is_found_as_it_is() {
        assert_eq!(choose(&["[a]*", "b"], &["[a]*"]), Ok(vec![true, false]));
    }

    #[test]
    fn mistakes_are_named() {
        let error = choose(&["hips", "spine"], &["hip"]).unwrap_err();
        assert!(
            error.to_string().contains("'hip'") && error.to_string().contains("hips, spine"),
            "{error}"
        );
        assert_eq!(choose(&["hips"], &["!hips"]), Err(DeformChoiceError::NothingLeft));
        assert_eq!(
            DeformChoice::Used.resolve_stated(&skeleton(&["a"]), None),
            Err(DeformChoiceError::NoWeights)
        );
    }

    #[test]
    fn used_joints_are_those_with_weight() {
        let weights = Weights::rigid([JointIndex(1)]);
        assert_eq!(
            DeformChoice::Used.resolve_stated(&skeleton(&["a", "b", "c"]), Some(&weights)),
            Ok(vec![false, true, false])
        );
    }
}
