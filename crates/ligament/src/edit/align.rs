//! Joints of a chain in one plane (Bang et al. 2015, section 3.2.2).

use glam::DVec3;

use super::error::EditError;
use super::orient::up;
use super::rig_state::Rig;
use crate::character::JointIndex;

impl Rig {
    /// Projects joints onto the plane of the first and the last of them and their mean
    /// up-vector, and turns their axes so that one bends all of them.
    pub(super) fn align(&mut self, mut joints: Vec<JointIndex>) -> Result<(), EditError> {
        joints.sort_unstable();
        joints.dedup();
        let [first, .., last] = joints[..] else {
            return Err(EditError::TooFewToAlign { count: joints.len() });
        };
        if joints.len() < 3 {
            return Err(EditError::TooFewToAlign { count: joints.len() });
        }
        let name = |j: JointIndex| self.skeleton.joint(j).name.clone();
        // Parents come first, so ascending order is from the top down.
        if let Some(pair) = joints.windows(2).find(|w| !self.is_below(w[1], w[0])) {
            return Err(EditError::NotOneChain {
                first: name(pair[0]),
                second: name(pair[1]),
            });
        }
        let at = |j: JointIndex| self.skeleton.bind_position(j);
        let Some(line) = (at(last) - at(first)).try_normalize() else {
            return Err(EditError::NoPlane);
        };
        let bends = joints
            .windows(3)
            .filter_map(|w| up(at(w[0]), at(w[1]), at(w[2])))
            .fold(DVec3::ZERO, |sum, u| sum + if sum.dot(u) < 0.0 { -u } else { u });
        // A straight chain has no bend of its own: its first joint's axis says how it bends.
        let z = self.skeleton.joint(first).bind_from_joint.matrix3.z_axis;
        let up = [bends, z, DVec3::Z, DVec3::X]
            .into_iter()
            .map(|u| u.normalize_or_zero())
            .map(|u| u - line * u.dot(line))
            .find(|u| u.length() > 0.1)
            .unwrap_or(DVec3::Y)
            .normalize();
        let normal = line.cross(up);
        let (before, origin) = (self.clone(), at(first));
        for &joint in &joints {
            let position = &mut self.skeleton.joints[joint.at()].bind_from_joint.translation;
            *position -= normal * normal.dot(*position - origin);
        }
        let main = self.main_children();
        for &joint in &joints {
            let along = self.along(joint, &main);
            self.rotate(joint, along, up);
        }
        self.settle(&before);
        Ok(())
    }
}
