//! The bones' tree: joints with names, parents, rest and bind transforms.

use std::collections::HashMap;

use glam::{DAffine3, DVec3};
use serde::{Deserialize, Serialize};

use super::Transform;

/// A joint's index in [`Skeleton::joints`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JointIndex(pub u16);

impl JointIndex {
    /// The index as an array index.
    pub fn at(self) -> usize {
        usize::from(self.0)
    }
}

/// One joint, or a plain scene node that carries joints.
#[derive(Debug, Clone, PartialEq)]
pub struct Joint {
    /// What the source calls it. Names need not be unique.
    pub name: String,
    /// The joint it hangs on, always one that comes before it.
    pub parent: Option<JointIndex>,
    /// Where it is relative to its parent when nothing is animated.
    pub rest: Transform,
    /// Where it was in bind space when skin and bones were brought together. In some
    /// files the rest pose is another pose.
    pub bind_from_joint: DAffine3,
    /// Whether it may hold weights. A scene node above, between or below the joints
    /// moves with the rest but is no joint of a skin.
    pub in_skin: bool,
}

/// A forest of joints, parents first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skeleton {
    /// The joints; a joint's parent always comes before it.
    pub joints: Vec<Joint>,
}

/// Why a skeleton cannot be worked on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// There is nothing to bind to.
    #[error("there is no skeleton: no joint that skin could follow")]
    NoJoints,
    /// More joints than an index can name.
    #[error("the skeleton has {count} joints; at most {} are supported", u16::MAX)]
    TooManyJoints {
        /// How many there are.
        count: usize,
    },
    /// A joint's parent does not come before it.
    #[error("joint {joint} ('{name}') comes before its parent")]
    ParentNotFirst {
        /// The joint at fault.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// A joint's parent is none of the joints.
    #[error("joint {joint} ('{name}') has the parent {parent}, but there are only {count} joints")]
    NoSuchParent {
        /// The joint at fault.
        joint: usize,
        /// Its name.
        name: String,
        /// The index that is too large.
        parent: usize,
        /// How many joints there are.
        count: usize,
    },
    /// The parents of a joint run in a circle.
    #[error(
        "joint {joint} ('{name}') is its own ancestor, or hangs on one that is; break the circle of parents"
    )]
    OwnAncestor {
        /// The joint at fault.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// A transform is NaN or infinite, or squashes space to nothing.
    #[error(
        "joint '{name}' has a bind transform that is not finite or cannot be inverted; re-export the skeleton or remove the joint"
    )]
    BadTransform {
        /// The joint at fault.
        joint: usize,
        /// Its name.
        name: String,
    },
}

impl Skeleton {
    /// Checks everything that the types alone do not promise.
    pub fn check(&self) -> Result<(), SkeletonError> {
        if !self.joints.iter().any(|j| j.in_skin) {
            return Err(SkeletonError::NoJoints);
        }
        if self.joints.len() > usize::from(u16::MAX) {
            return Err(SkeletonError::TooManyJoints {
                count: self.joints.len(),
            });
        }
        for (joint, j) in self.joints.iter().enumerate() {
            if j.parent.is_some_and(|p| p.at() >= joint) {
                return Err(SkeletonError::ParentNotFirst {
                    joint,
                    name: j.name.clone(),
                });
            }
            let determinant = j.bind_from_joint.matrix3.determinant();
            let sound = j.bind_from_joint.is_finite() && determinant != 0.0 && j.rest.is_finite();
            if !sound {
                return Err(SkeletonError::BadTransform {
                    joint,
                    name: j.name.clone(),
                });
            }
        }
        Ok(())
    }

    /// All joint indices in order.
    pub fn indices(&self) -> impl DoubleEndedIterator<Item = JointIndex> + use<> {
        (0..self.joints.len() as u16).map(JointIndex)
    }

    /// The joint behind an index.
    pub fn joint(&self, index: JointIndex) -> &Joint {
        &self.joints[index.at()]
    }

    /// The first joint of that name; plain nodes, which may be called like the joint that
    /// carries them, only where the skin has none.
    pub fn find(&self, name: &str) -> Option<JointIndex> {
        let mut named = self.indices().filter(|&j| self.joint(j).name == name);
        let first = named.next()?;
        let in_skin = |&j: &JointIndex| self.joint(j).in_skin;
        Some(std::iter::once(first).chain(named).find(in_skin).unwrap_or(first))
    }

    /// Where a joint was at bind time.
    pub fn bind_position(&self, index: JointIndex) -> DVec3 {
        self.joint(index).bind_from_joint.translation
    }

    /// For each joint, the nearest joints of the skin below it, with plain nodes in
    /// between stepped over.
    pub fn skin_children(&self) -> Vec<Vec<JointIndex>> {
        let mut children = vec![Vec::new(); self.joints.len()];
        for index in self.indices().filter(|&j| self.joint(j).in_skin) {
            if let Some(parent) = self.skin_parent(index) {
                children[parent.at()].push(index);
            }
        }
        children
    }

    /// The nearest joint of the skin above a joint.
    pub fn skin_parent(&self, index: JointIndex) -> Option<JointIndex> {
        let mut above = self.joint(index).parent;
        while let Some(p) = above {
            if self.joint(p).in_skin {
                return Some(p);
            }
            above = self.joint(p).parent;
        }
        None
    }

    /// Names that more than one joint of the skin has, in order of first use.
    pub fn duplicate_names(&self) -> Vec<&str> {
        let mut uses: HashMap<&str, usize> = HashMap::new();
        let mut repeated = Vec::new();
        for j in self.joints.iter().filter(|j| j.in_skin) {
            let seen = uses.entry(&j.name).or_default();
            *seen += 1;
            if *seen == 2 {
                repeated.push(j.name.as_str());
            }
        }
        repeated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_of_the_skin_is_found_before_a_node_of_its_name() {
        let skeleton = Skeleton {
            joints: vec![
                joint("torso", None, false),
                joint("torso", Some(0), true),
                joint("hat", Some(1), false),
            ],
        };
        assert_eq!(skeleton.find("torso"), Some(JointIndex(1)));
        assert_eq!(skeleton.find("hat"), Some(JointIndex(2)));
        assert_eq!(skeleton.find("tail"), None);
    }

    fn joint(name: &str, parent: Option<u16>, in_skin: bool) -> Joint {
        Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            rest: Transform::IDENTITY,
            bind_from_joint: DAffine3::IDENTITY,
            in_skin,
        }
    }

    #[test]
    fn plain_nodes_between_joints_are_stepped_over() {
        let s = Skeleton {
            joints: vec![
                joint("scene", None, false),
                joint("hips", Some(0), true),
                joint("offset", Some(1), false),
                joint("thigh", Some(2), true),
            ],
        };
        assert_eq!(s.check(), Ok(()));
        assert_eq!(s.skin_parent(JointIndex(3)), Some(JointIndex(1)));
        assert_eq!(s.skin_parent(JointIndex(1)), None);
        assert_eq!(s.skin_children()[1], vec![JointIndex(3)]);
        assert_eq!(s.find("thigh"), Some(JointIndex(3)));
    }

    #[test]
    fn each_fault_is_named() {
        assert_eq!(Skeleton::default().check(), Err(SkeletonError::NoJoints));
        let backwards = Skeleton {
            joints: vec![joint("a", Some(1), true), joint("b", None, true)],
        };
        assert!(matches!(
            backwards.check(),
            Err(SkeletonError::ParentNotFirst { joint: 0, .. })
        ));
        let mut flat = Skeleton {
            joints: vec![joint("a", None, true)],
        };
        flat.joints[0].bind_from_joint.matrix3.x_axis = DVec3::ZERO;
        assert!(matches!(
            flat.check(),
            Err(SkeletonError::BadTransform { joint: 0, .. })
        ));
    }
}
