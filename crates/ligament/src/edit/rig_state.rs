//! What commands change: skeleton, clips and settings. Small enough to be kept whole for
//! every step back.

use std::sync::Arc;

use glam::DVec3;

use super::command::JointRef;
use super::error::EditError;
use crate::bind::heat::HeatHandle;
use crate::bind::{BindOptions, DeformChoice, Region, VoxelEvaluation};
use crate::character::{Bone, BoneShape, Character, Clip, JointIndex, PartAttachment, Skeleton, bones_of};

/// A joint for as long as the session lasts. Its index in the skeleton changes when joints come and go before it, its
/// key does not; weights name keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct JointKey(pub u16);

impl JointKey {
    /// The same as an index into slices with an entry for each key.
    pub fn at(self) -> usize {
        usize::from(self.0)
    }

    /// The key where a solver numbers joints: rows of weights, bones and masks of a session name keys, so that nothing
    /// that is prepared changes when joints come and go.
    pub fn in_solver(self) -> JointIndex {
        JointIndex(self.0)
    }

    /// The key behind a solver's joint.
    pub fn of_solver(joint: JointIndex) -> Self {
        Self(joint.0)
    }
}

/// The joints that a part's skin may follow, and the one that carries it.
type PartJoints = (Option<Vec<JointKey>>, Option<JointKey>);

/// A rig and its settings.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Rig {
    pub skeleton: Skeleton,
    /// For each joint its key.
    pub keys: Vec<JointKey>,
    pub clips: Arc<Vec<Clip>>,
    /// For each part of the mesh the keys that its skin lists, and the key that carries it.
    pub parts: Arc<Vec<PartJoints>>,
    /// For each key.
    pub settings: Vec<JointSettings>,
    pub falloff: Option<f64>,
    pub regions: Vec<Region>,
    /// What vertices follow that no part names.
    pub stray: JointKey,
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
                PartAttachment::Rigid(joint) => Some(JointKey(joint.0)),
                PartAttachment::Skin => None,
            };
            let listed = part.joints.as_ref();
            let keys = listed.map(|list| list.iter().map(|j| JointKey(j.0)).collect());
            (keys, carrier)
        });
        let settings = takes_part.iter().map(|&takes_part| JointSettings {
            takes_part,
            handle: None,
            heat: HeatHandle::default(),
            shapes: Vec::new(),
        });
        Self {
            keys: character.skeleton.indices().map(|j| JointKey(j.0)).collect(),
            skeleton: character.skeleton.clone(),
            clips: Arc::new(character.clips.clone()),
            parts: Arc::new(parts.collect()),
            settings: settings.collect(),
            falloff: None,
            regions: Vec::new(),
            stray: JointKey(takes_part.iter().position(|&t| t).unwrap_or(0) as u16),
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
    pub fn key(&self, joint: JointIndex) -> JointKey {
        self.keys[joint.at()]
    }

    /// For each key the joint's index; `None` where it is gone.
    pub fn joints_of_keys(&self) -> Vec<Option<JointIndex>> {
        let mut joints = vec![None; self.settings.len()];
        for (joint, key) in self.skeleton.indices().zip(&self.keys) {
            joints[key.at()] = Some(joint);
        }
        joints
    }

    /// What is said of joints by index, said by key.
    pub fn by_key(&self, of_joints: &[bool]) -> Vec<bool> {
        let mut of_keys = vec![false; self.settings.len()];
        for (key, &value) in self.keys.iter().zip(of_joints) {
            of_keys[key.at()] = value;
        }
        of_keys
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

    /// The bones with handles at the joints' positions (Bang et al., the range handle), owned by
    /// keys. `deforms` is by joint.
    pub fn bones(&self, deforms: &[bool], leaf_stub: f64) -> Vec<Bone> {
        let mut skeleton = self.skeleton.clone();
        for joint in self.skeleton.indices() {
            skeleton.joints[joint.at()].bind_from_joint.translation = self.handle_position(joint);
        }
        let mut bones = bones_of(&skeleton, deforms, leaf_stub);
        for bone in &mut bones {
            bone.joint = self.key(bone.joint).in_solver();
        }
        bones
    }

    /// Which joints take part, by index.
    pub fn deform_choice(&self) -> DeformChoice {
        let takes_part = |j: &JointIndex| self.settings[self.key(*j).at()].takes_part;
        DeformChoice::Joints(self.skeleton.indices().filter(takes_part).collect())
    }

    /// What a whole bind of this rig is asked for.
    pub fn bind_options(&self, influences: usize, prune: f32) -> BindOptions {
        BindOptions {
            influences,
            prune,
            deform: self.deform_choice(),
            regions: self.regions.clone(),
            ..BindOptions::default()
        }
    }

    /// How fast weights by voxels fall.
    pub fn evaluation(&self) -> VoxelEvaluation {
        VoxelEvaluation {
            falloff: self.falloff,
            smoothing: None,
        }
    }

    /// The mesh of `character` on this rig, without weights.
    pub fn applied_to(&self, character: &Character) -> Character {
        let joints = self.joints_of_keys();
        let joint = |key: &JointKey| joints[key.at()];
        let mut made = Character {
            name: character.name.clone(),
            mesh: character.mesh.clone(),
            skeleton: self.skeleton.clone(),
            weights: None,
            clips: self.clips.to_vec(),
        };
        for (part, (joints, carrier)) in made.mesh.parts.iter_mut().zip(self.parts.iter()) {
            part.joints = joints.as_ref().map(|j| j.iter().filter_map(joint).collect());
            if let Some(carrier) = carrier.as_ref().and_then(joint) {
                part.attachment = PartAttachment::Rigid(carrier);
            }
        }
        made
    }
}
