//! A skeleton from joints in any order.
//!
//! Files and own arrays list joints as they please, children before parents too;
//! [`Skeleton`] wants parents first. Joints that are in order already stay as they are, so
//! that their indices are the ones that the caller knows.

use glam::{DAffine3, DVec3};

use super::{Joint, JointIndex, Skeleton, SkeletonError, Transform};

/// A joint of a list in any order.
#[derive(Debug, Clone, PartialEq)]
pub struct LooseJoint {
    /// What it is called. Names need not be unique.
    pub name: String,
    /// Its parent's index in the list.
    pub parent: Option<usize>,
    /// Where it is in bind space.
    pub bind_from_joint: DAffine3,
    /// Whether it may hold weights.
    pub in_skin: bool,
}

impl LooseJoint {
    /// A joint of the skin that is not rotated.
    pub fn at(name: impl Into<String>, parent: Option<usize>, position: DVec3) -> Self {
        Self {
            name: name.into(),
            parent,
            bind_from_joint: DAffine3::from_translation(position),
            in_skin: true,
        }
    }
}

impl Skeleton {
    /// A skeleton from names, parents (as indices of the list) and positions in bind space.
    ///
    /// Joints may come in any order. Where every parent comes before its children, joints
    /// keep their indices; otherwise they are sorted depth-first: look them up by name
    /// ([`Skeleton::find`]), or use [`Skeleton::from_loose_joints`], which says where each
    /// went.
    ///
    /// ```
    /// use ligament::Skeleton;
    ///
    /// let skeleton = Skeleton::from_positions(&[
    ///     ("hand", Some(1), [0.6, 1.4, 0.0]),
    ///     ("arm", None, [0.2, 1.4, 0.0]),
    /// ])?;
    /// assert_eq!(skeleton.joints[0].name, "arm");
    /// # Ok::<(), ligament::character::SkeletonError>(())
    /// ```
    pub fn from_positions<N, P>(joints: &[(N, Option<usize>, P)]) -> Result<Self, SkeletonError>
    where
        N: AsRef<str>,
        P: Copy + Into<DVec3>,
    {
        let loose = joints
            .iter()
            .map(|(name, parent, position)| LooseJoint::at(name.as_ref(), *parent, (*position).into()))
            .collect();
        Ok(Self::from_loose_joints(loose)?.0)
    }

    /// A skeleton from joints in any order, resting in their bind pose, and for each joint
    /// of the list its index in the skeleton.
    pub fn from_loose_joints(loose: Vec<LooseJoint>) -> Result<(Self, Vec<JointIndex>), SkeletonError> {
        let count = loose.len();
        if count > usize::from(u16::MAX) {
            return Err(SkeletonError::TooManyJoints { count });
        }
        for (joint, l) in loose.iter().enumerate() {
            if let Some(parent) = l.parent.filter(|&p| p >= count) {
                return Err(SkeletonError::NoSuchParent {
                    joint,
                    name: l.name.clone(),
                    parent,
                    count,
                });
            }
        }
        let in_order = loose
            .iter()
            .enumerate()
            .all(|(i, l)| l.parent.is_none_or(|p| p < i));
        let order: Vec<usize> = if in_order {
            (0..count).collect()
        } else {
            depth_first(&loose)
        };
        let mut new_of_old: Vec<Option<JointIndex>> = vec![None; count];
        for (new, &old) in order.iter().enumerate() {
            new_of_old[old] = Some(JointIndex(new as u16));
        }
        // No root leads to a joint of a circle, nor to what hangs on one.
        let sorted: Vec<JointIndex> = new_of_old
            .iter()
            .enumerate()
            .map(|(joint, new)| {
                new.ok_or_else(|| SkeletonError::OwnAncestor {
                    joint,
                    name: loose[joint].name.clone(),
                })
            })
            .collect::<Result<_, _>>()?;
        let joints = order
            .iter()
            .map(|&old| {
                let joint = &loose[old];
                let local = match joint.parent {
                    Some(p) => loose[p].bind_from_joint.inverse() * joint.bind_from_joint,
                    None => joint.bind_from_joint,
                };
                Joint {
                    name: joint.name.clone(),
                    parent: joint.parent.map(|p| sorted[p]),
                    rest: Transform::from_affine(local),
                    bind_from_joint: joint.bind_from_joint,
                    in_skin: joint.in_skin,
                }
            })
            .collect();
        let skeleton = Self { joints };
        skeleton.check()?;
        Ok((skeleton, sorted))
    }
}

/// The joints that a root leads to, parents first, children in the list's order.
fn depth_first(loose: &[LooseJoint]) -> Vec<usize> {
    let mut children = vec![Vec::new(); loose.len()];
    let mut waiting = Vec::new();
    for (i, joint) in loose.iter().enumerate().rev() {
        match joint.parent {
            Some(p) => children[p].push(i),
            None => waiting.push(i),
        }
    }
    let mut order = Vec::with_capacity(loose.len());
    while let Some(joint) = waiting.pop() {
        order.push(joint);
        waiting.extend(&children[joint]); // last child first, so that the first is next
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loose(name: &str, parent: Option<usize>, x: f64) -> LooseJoint {
        LooseJoint::at(name, parent, DVec3::X * x)
    }

    fn names(skeleton: &Skeleton) -> Vec<&str> {
        skeleton.joints.iter().map(|j| j.name.as_str()).collect()
    }

    #[test]
    fn children_before_parents_are_brought_in_order() {
        let (skeleton, new_of_old) = Skeleton::from_loose_joints(vec![
            loose("tip", Some(1), 3.0),
            loose("mid", Some(2), 2.0),
            loose("root", None, 0.5),
            loose("other", Some(2), 9.0),
        ])
        .unwrap();
        assert_eq!(names(&skeleton), ["root", "mid", "tip", "other"]);
        assert_eq!(new_of_old, [2, 1, 0, 3].map(JointIndex));
        assert_eq!(skeleton.joints[2].rest.translation, DVec3::X);
    }

    /// Not depth-first, yet in order: indices are the caller's.
    #[test]
    fn joints_in_order_keep_their_indices() {
        let joints = [
            ("root", None, [0.0, 0.0, 0.0]),
            ("left", Some(0), [1.0, 0.0, 0.0]),
            ("right", Some(0), [-1.0, 0.0, 0.0]),
            ("left_tip", Some(1), [2.0, 0.0, 0.0]),
        ];
        let skeleton = Skeleton::from_positions(&joints).unwrap();
        assert_eq!(names(&skeleton), ["root", "left", "right", "left_tip"]);
        assert_eq!(skeleton.bind_position(JointIndex(3)), DVec3::X * 2.0);
        assert_eq!(skeleton.joints[3].rest.translation, DVec3::X);
    }

    #[test]
    fn each_fault_is_named() {
        let circle = vec![
            loose("root", None, 0.0),
            loose("a", Some(2), 0.0),
            loose("b", Some(1), 0.0),
        ];
        let error = Skeleton::from_loose_joints(circle).unwrap_err();
        assert!(
            matches!(error, SkeletonError::OwnAncestor { joint: 1, .. }),
            "{error}"
        );
        let orphan = [("root", None, DVec3::ZERO), ("lost", Some(7), DVec3::X)];
        let error = Skeleton::from_positions(&orphan).unwrap_err();
        assert!(
            matches!(
                error,
                SkeletonError::NoSuchParent {
                    joint: 1,
                    parent: 7,
                    ..
                }
            ),
            "{error}"
        );
        let nowhere = [("root", None, DVec3::ZERO), ("lost", Some(0), DVec3::NAN)];
        let error = Skeleton::from_positions(&nowhere).unwrap_err();
        assert!(
            matches!(error, SkeletonError::BadTransform { joint: 1, .. }),
            "{error}"
        );
        assert_eq!(
            Skeleton::from_loose_joints(Vec::new()).unwrap_err(),
            SkeletonError::NoJoints
        );
    }
}
