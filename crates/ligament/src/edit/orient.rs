//! The axes of joints: Y along the bone, Z to the outside of the bend, right-handed (Bang
//! et al. 2015, section 3.1.3).

use glam::{DMat3, DVec3};

use super::error::EditError;
use super::rig_state::Rig;
use crate::character::JointIndex;

/// A joint is straight if it is off the line by less than this fraction of the line.
const STRAIGHT: f64 = 0.02;

impl Rig {
    /// Turns one joint, or all of the skin.
    pub(super) fn orient(&mut self, joint: Option<JointIndex>, up: Option<DVec3>) -> Result<(), EditError> {
        if let Some(up) = up
            && !(up.is_finite() && up.length() > 0.0)
        {
            return Err(EditError::OutOfRange {
                what: "up",
                range: "a direction",
                value: up.to_string(),
            });
        }
        let before = self.clone();
        let joints: Vec<JointIndex> = match joint {
            Some(joint) => vec![joint],
            None => self
                .skeleton
                .indices()
                .filter(|&j| self.skeleton.joint(j).in_skin)
                .collect(),
        };
        let main = before.main_children();
        for joint in joints {
            let up = up.unwrap_or_else(|| before.up_of(joint, &main));
            self.rotate(joint, before.along(joint, &main), up);
        }
        self.settle(&before);
        Ok(())
    }

    /// Gives a joint axes without changing its scale.
    pub(super) fn rotate(&mut self, joint: JointIndex, along: DVec3, up: DVec3) {
        let bind = &mut self.skeleton.joints[joint.at()].bind_from_joint;
        let scale = DVec3::new(
            bind.matrix3.x_axis.length(),
            bind.matrix3.y_axis.length(),
            bind.matrix3.z_axis.length(),
        );
        bind.matrix3 = frame(along, up) * DMat3::from_diagonal(scale);
    }

    /// For each joint the child with most joints below it, the first of equals.
    pub(super) fn main_children(&self) -> Vec<Option<JointIndex>> {
        let skeleton = &self.skeleton;
        let mut below = vec![1usize; skeleton.joints.len()];
        for joint in skeleton.indices().rev() {
            if let Some(parent) = skeleton.skin_parent(joint) {
                below[parent.at()] += below[joint.at()];
            }
        }
        let children = skeleton.skin_children();
        children
            .iter()
            .map(|list| list.iter().copied().rev().max_by_key(|c| below[c.at()]))
            .collect()
    }

    /// Where a joint's bone leads.
    pub(super) fn along(&self, joint: JointIndex, main: &[Option<JointIndex>]) -> DVec3 {
        let at = |j: JointIndex| self.skeleton.bind_position(j);
        match (main[joint.at()], self.skeleton.skin_parent(joint)) {
            (Some(child), _) => at(child) - at(joint),
            (None, Some(parent)) => at(joint) - at(parent),
            (None, None) => DVec3::Y,
        }
    }

    /// The outside of the bend at a joint; straight ones take that of the nearest bent one
    /// above or below on their chain, else their own Z.
    fn up_of(&self, joint: JointIndex, main: &[Option<JointIndex>]) -> DVec3 {
        let at = |j: JointIndex| self.skeleton.bind_position(j);
        let bent = |j: JointIndex| {
            let (parent, child) = (self.skeleton.skin_parent(j)?, main[j.at()]?);
            up(at(parent), at(j), at(child))
        };
        let mut above = Some(joint);
        let mut below = Some(joint);
        while above.is_some() || below.is_some() {
            for position in [above, below].into_iter().flatten() {
                if let Some(up) = bent(position) {
                    return up;
                }
            }
            above = above.and_then(|j| self.skeleton.skin_parent(j).filter(|p| main[p.at()] == Some(j)));
            below = below.and_then(|j| main[j.at()]);
        }
        self.skeleton.joint(joint).bind_from_joint.matrix3.z_axis
    }
}

/// From the line ac to b, or `None` where b is on it.
pub(super) fn up(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let line = c - a;
    let along = line.try_normalize()?;
    let off = (b - a) - along * (b - a).dot(along);
    (off.length() > STRAIGHT * line.length()).then(|| off.normalize())
}

/// Y along `along`, Z as near to `up` as that allows; other directions stand in where those
/// fail.
fn frame(along: DVec3, up: DVec3) -> DMat3 {
    let y = along.try_normalize().unwrap_or(DVec3::Y);
    let z = [up.normalize_or_zero(), DVec3::Z, DVec3::Y]
        .into_iter()
        .map(|u| u - y * u.dot(y))
        .find(|z| z.length() > 0.1)
        .unwrap_or(DVec3::X)
        .normalize();
    DMat3::from_cols(y.cross(z), y, z)
}
