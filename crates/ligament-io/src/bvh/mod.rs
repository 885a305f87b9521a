//! Biovision's BVH: a skeleton and one motion.
//!
//! Read: the hierarchy; each `End Site` as a leaf joint named after its parent with
//! `_end`; the motion as one clip, with a rotation track for each joint that has rotation
//! channels and a translation track for each that has position channels. Channels may
//! come in any order and on any joint. A joint is turned by its rotation channels in the
//! order listed: `Zrotation Xrotation Yrotation` means `Rz * Rx * Ry` on column vectors.
//! Bind and rest pose are the offsets without any turn.
//!
//! Guessed: whether position channels stand *instead of* a joint's offset or come *on top
//! of* it; programs disagree. The reading under which the joints stay nearer to their
//! offsets is taken for the whole file.
//!
//! BVH states no unit and no axes: numbers are taken as they are. Nothing else is in it.

mod hierarchy;
mod motion;

use glam::DVec3;
use ligament::character::LooseJoint;

use crate::assemble::{skeleton_alone, skeleton_of};
use crate::import::{ImportError, Imported};
use crate::text::Words;

/// Reads a BVH. The clip takes the character's name.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    let mut words = Words::new(bytes, None);
    let nodes = hierarchy::read(&mut words)?;
    let mut warnings = Vec::new();
    let clip = motion::read(&mut words, &nodes, name, &mut warnings)?;
    let mut bind: Vec<DVec3> = Vec::with_capacity(nodes.len());
    let mut joints = Vec::with_capacity(nodes.len());
    for node in nodes {
        let above = node.parent.map_or(DVec3::ZERO, |p| bind[p]);
        bind.push(above + node.offset);
        joints.push(LooseJoint::at(node.name, node.parent, above + node.offset));
    }
    let (skeleton, _) = skeleton_of(joints)?;
    Ok(skeleton_alone(
        name,
        skeleton,
        clip.into_iter().collect(),
        warnings,
    ))
}
