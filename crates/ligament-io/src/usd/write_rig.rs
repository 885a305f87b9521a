//! The skeleton as USD wants it: which joints are kept, under which names, in which frames.
//!
//! Plain scene nodes above all joints are folded into the joints below them. Animated
//! scales are half-precision numbers in USD, so a joint that is scaled evenly at rest gets
//! an unscaled frame instead (`frame`), which moves the skin the same way: an Armature of
//! scale 0.01 would lose one part in two thousand otherwise.

use glam::{DAffine3, DVec3};
use ligament::Character;
use ligament::character::{JointIndex, PartAttachment, Transform};

use super::names::Names;
use crate::export::even_scale;

/// The joints of a USD skeleton.
pub(super) struct WrittenRig {
    pub joints: Vec<WrittenJoint>,
    /// For each joint of the character its index in `joints`.
    pub slot: Vec<Option<usize>>,
}

/// One joint of a USD skeleton.
pub(super) struct WrittenJoint {
    /// The character's joint.
    pub source: JointIndex,
    /// Its token: `Hips/Spine`.
    pub path: String,
    /// What is above it and never moves: nothing for most.
    pub above: DAffine3,
    /// Its frame is the character's, scaled evenly by this.
    pub frame: f64,
    /// The parent's `frame`.
    pub parent_frame: f64,
    /// `parent_from_joint` at rest.
    pub rest: DAffine3,
    /// `bind_from_joint`.
    pub bind: DAffine3,
}

impl WrittenJoint {
    /// A local transform of the character's joint, as this joint has it.
    pub fn local(&self, transform: Transform) -> DAffine3 {
        let scale = |s: f64| DAffine3::from_scale(DVec3::splat(s));
        scale(1.0 / self.parent_frame) * self.above * transform.to_affine() * scale(self.frame)
    }
}

pub(super) fn write_rig(character: &Character) -> WrittenRig {
    let skeleton = &character.skeleton;
    let kept = kept_joints(character);
    let mut names = Names::default();
    let mut joints: Vec<WrittenJoint> = Vec::new();
    let mut slot: Vec<Option<usize>> = vec![None; skeleton.joints.len()];
    for index in skeleton.indices().filter(|j| kept[j.at()]) {
        let joint = skeleton.joint(index);
        let mut above = DAffine3::IDENTITY;
        let mut next = joint.parent;
        while let Some(p) = next.filter(|p| !kept[p.at()]) {
            above = skeleton.joint(p).rest.to_affine() * above;
            next = skeleton.joint(p).parent;
        }
        let parent = next.and_then(|p| slot[p.at()]);
        let parent_frame = parent.map_or(1.0, |p| joints[p].frame);
        let name = names.unique(&joint.name, "joint");
        let path = parent.map_or(name.clone(), |p| format!("{}/{name}", joints[p].path));
        let local = Transform::from_affine(above * joint.rest.to_affine());
        let frame = even_scale(local.scale).map_or(parent_frame, |s| parent_frame / s);
        let mut written = WrittenJoint {
            source: index,
            path,
            above,
            frame,
            parent_frame,
            rest: DAffine3::IDENTITY,
            bind: joint.bind_from_joint * DAffine3::from_scale(DVec3::splat(frame)),
        };
        written.rest = written.local(joint.rest);
        slot[index.at()] = Some(joints.len());
        joints.push(written);
    }
    WrittenRig { joints, slot }
}

/// Joints of the skin, nodes that carry parts or are driven by clips, and what lies
/// between those. What is above them all is folded, unless that would shear.
fn kept_joints(character: &Character) -> Vec<bool> {
    let joints = &character.skeleton.joints;
    let mut wanted: Vec<bool> = joints.iter().map(|j| j.in_skin).collect();
    for part in &character.mesh.parts {
        if let PartAttachment::Rigid(joint) = part.attachment {
            wanted[joint.at()] = true;
        }
    }
    for track in character.clips.iter().flat_map(|c| &c.tracks) {
        wanted[track.joint.at()] = true;
    }
    for influence in character.weights.iter().flat_map(|w| w.influences()) {
        wanted[influence.joint.at()] = true;
    }
    let mut leads_to_wanted = wanted.clone();
    for (i, joint) in joints.iter().enumerate().rev() {
        if let (true, Some(parent)) = (leads_to_wanted[i], joint.parent) {
            leads_to_wanted[parent.at()] = true;
        }
    }
    let mut kept = wanted;
    for (i, joint) in joints.iter().enumerate() {
        let under_kept = joint.parent.is_some_and(|p| kept[p.at()]);
        let is_uneven = joint.rest.scale != DVec3::ONE && even_scale(joint.rest.scale).is_none();
        kept[i] |= leads_to_wanted[i] && (under_kept || is_uneven);
    }
    kept
}
