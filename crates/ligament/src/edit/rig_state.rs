//! What commands change: skeleton, clips and settings. Small enough to be kept whole for
//! every step back.

use std::sync::Arc;

use glam::DVec3;

use super::command::JointRef;
use super::error::EditError;
use crate::bind::heat::HeatHandle;
use crate::bind::{BindOptions, DeformChoice, Region};
use crate::character::{Bone, BoneShape, Character, Clip, JointIndex, PartAttachment, Skeleton, bones_of};

/// A joint for as long as the session lasts. Its place in the skeleton changes when joints
/// come and go before it, its key does not; weights name keys. (A [`JointIndex`] too, so
/// that everything that weights are found with can be told keys.)
pub(super) type Key = JointIndex;

/// The joints that a part's skin may follow, and the one that carries it.
type PartJoints = (Option<Vec<Key>>, Option<Key>);

/// A rig and its settings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rig {
    pub skeleton: Skeleton,
    /// For each joint its key.
    pub keys: Vec<Key>,
    pub clips: Arc<Vec<Clip>>,
    /// For each part of the mesh the keys that its skin lists, and the key that carries it.
    pub parts: Arc<Vec<PartJoints>>,
    /// For each key.
    pub settings: Vec<JointSettings>,
    pub falloff: Option<f64>,
    pub regions: Vec<Region>,
    /// What vertices follow that no part names.
    pub stray: Key,
}

/// What a user sets for a joint.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct JointSettings {
    pub takes_part: bool,
    /// Where the handle is, seen from the joint.
    pub handle: Option<DVec3>,
    pub heat: HeatHandle,
    /// Shapes in bind space, the joint at the origin.
    pub shapes: Vec<BoneShape>,
}

impl Rig {
    /// The rig of a character whose joints take part as said.
    pub fn of(character: &Character, takes_part: &[bool]) -> Self {
        let parts = character.mesh.parts.iter().map(|part| {
            let carrier = match part.attachment {
                PartAttachment::Rigid(joint) => Some(joint),
                PartAttachment::Skin => None,
            };
            (part.joints.clone(), carrier)
        });
        let settings = takes_part.iter().map(|&takes_part| JointSettings {
            takes_part,
            handle: None,
            heat: HeatHandle::default(),
            shapes: Vec::new(),
        });
        Self {
            keys: character.skeleton.indices().collect(),
            skeleton: character.skeleton.clone(),
            clips: Arc::new(character.clips.clone()),
            parts: Arc::new(parts.collect()),
            settings: settings.collect(),
            falloff: None,
            regions: Vec::new(),
            stray: JointIndex(takes_part.iter().position(|&t| t).unwrap_or(0) as u16),
        }
    }

    /// The joint that a command names, which must be one of the skin.
    pub fn joint(&self, name: &JointRef) -> Result<JointIndex, EditError> {
        let skeleton = &self.skeleton;
        let index = match name {
            JointRef::Index(index) => {
                let last = skeleton.joints.len().saturating_sub(1);
                if usize::from(*index) > last {
                    return Err(EditError::NoSuchIndex { index: *index, last });
                }
                JointIndex(*index)
            }
            JointRef::Name(name) => {
                let called = |j: &JointIndex| skeleton.joint(*j).name == *name;
                let mut found: Vec<JointIndex> = skeleton.indices().filter(called).collect();
                if found.len() > 1 {
                    // A plain node of the same name is not meant.
                    found.retain(|&j| skeleton.joint(j).in_skin);
                }
                match found[..] {
                    [one] => one,
                    [] => {
                        let joints = skeleton.joints.iter().filter(|j| j.in_skin);
                        let names: Vec<&str> = joints.map(|j| j.name.as_str()).take(12).collect();
                        return Err(EditError::NoSuchJoint {
                            name: name.clone(),
                            known: names.join(", "),
                        });
                    }
                    [first, ..] => {
                        return Err(EditError::Ambiguous {
                            name: name.clone(),
                            count: found.len(),
                            first: first.0,
                        });
                    }
                }
            }
        };
        if !skeleton.joint(index).in_skin {
            return Err(EditError::NotInSkin {
                name: skeleton.joint(index).name.clone(),
            });
        }
        Ok(index)
    }

    /// The key of a joint.
    pub fn key(&self, joint: JointIndex) -> Key {
        self.keys[joint.at()]
    }

    /// For each key the joint's place; `None` where it is gone.
    pub fn places(&self) -> Vec<Option<JointIndex>> {
        let mut places = vec![None; self.settings.len()];
        for (joint, key) in self.skeleton.indices().zip(&self.keys) {
            places[key.at()] = Some(joint);
        }
        places
    }

    /// The settings of a joint.
    pub fn settings_of(&mut self, joint: JointIndex) -> &mut JointSettings {
        let key = self.key(joint).at();
        &mut self.settings[key]
    }

    /// Where the handle of a joint is; at the joint if nobody moved it.
    pub fn handle_position(&self, joint: JointIndex) -> DVec3 {
        let bind_from_joint = self.skeleton.joint(joint).bind_from_joint;
        match self.settings[self.key(joint).at()].handle {
            Some(offset) => bind_from_joint.transform_point3(offset),
            None => bind_from_joint.translation,
        }
    }

    /// The bones with handles in the joints' places (seed 003, section 3.2.3), owned by
    /// keys. `deforms` is by joint.
    pub fn bones(&self, deforms: &[bool], leaf_stub: f64) -> Vec<Bone> {
        let mut skeleton = self.skeleton.clone();
        for joint in self.skeleton.indices() {
            skeleton.joints[joint.at()].bind_from_joint.translation = self.handle_position(joint);
        }
        let mut bones = bones_of(&skeleton, deforms, leaf_stub);
        for bone in &mut bones {
            bone.joint = self.key(bone.joint);
        }
        bones
    }

    /// Which joints take part, by place.
    pub fn deform_choice(&self) -> DeformChoice {
        let takes_part = |j: &JointIndex| self.settings[self.key(*j).at()].takes_part;
        DeformChoice::Joints(self.skeleton.indices().filter(takes_part).collect())
    }

    /// What a whole bind of this rig is asked for.
    pub fn bind_options(&self, influences: usize, floor: f32) -> BindOptions {
        let mut options = BindOptions {
            influences,
            floor,
            deform: self.deform_choice(),
            regions: self.regions.clone(),
            ..BindOptions::default()
        };
        options.voxel.falloff = self.falloff;
        options
    }

    /// The mesh of `character` on this rig, without weights.
    pub fn applied_to(&self, character: &Character) -> Character {
        let places = self.places();
        let place = |key: &Key| places[key.at()];
        let mut made = Character {
            name: character.name.clone(),
            mesh: character.mesh.clone(),
            skeleton: self.skeleton.clone(),
            weights: None,
            clips: self.clips.to_vec(),
        };
        for (part, (joints, carrier)) in made.mesh.parts.iter_mut().zip(self.parts.iter()) {
            part.joints = joints.as_ref().map(|j| j.iter().filter_map(place).collect());
            if let Some(carrier) = carrier.as_ref().and_then(place) {
                part.attachment = PartAttachment::Rigid(carrier);
            }
        }
        made
    }
}
