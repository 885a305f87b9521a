//! Edits of the skeleton: where joints are, which there are, and what hangs on what.
//!
//! Commands say where joints are in bind space. How they stand at rest follows: in the rest
//! pose every joint moves skin as it did before, so that a file whose rest pose is not its
//! bind pose looks the same after an edit.

use glam::{DAffine3, DVec3};

use super::clips::carried_clips;
use super::error::EditError;
use super::rig_state::{JointKey, JointSettings, Rig};
use crate::bind::heat::HeatHandle;
use crate::character::{Joint, JointIndex, Pose, Transform};

impl Rig {
    /// Moves a joint, and those below it if they come along. Plain nodes that carry a part of
    /// the mesh stay: the mesh is what a rig is fitted to.
    pub(super) fn move_joint(&mut self, joint: JointIndex, to: DVec3, with_children: bool) {
        let before = self.clone();
        let by = to - self.skeleton.bind_position(joint);
        self.skeleton.joints[joint.at()].bind_from_joint.translation = to;
        if with_children {
            let comes = |&j: &JointIndex| {
                let is_mesh = !before.skeleton.joint(j).in_skin
                    && before
                        .parts
                        .iter()
                        .any(|(_, carrier)| *carrier == Some(before.key(j)));
                before.is_below(j, joint) && !is_mesh
            };
            for other in self.skeleton.indices().filter(comes) {
                self.skeleton.joints[other.at()].bind_from_joint.translation += by;
            }
        }
        self.settle(&before);
    }

    /// Whether a joint is somewhere below another.
    pub(super) fn is_below(&self, joint: JointIndex, above: JointIndex) -> bool {
        let parent = |&j: &JointIndex| self.skeleton.joint(j).parent;
        std::iter::successors(parent(&joint), parent).any(|j| j == above)
    }

    /// Puts a joint between `joint` and its parent. It takes `joint`'s place, so that parents
    /// stay first.
    pub(super) fn insert(
        &mut self,
        joint: JointIndex,
        name: Option<String>,
        at: f64,
    ) -> Result<(), EditError> {
        let below = self.skeleton.joint(joint).name.clone();
        let Some(above) = self.skeleton.skin_parent(joint) else {
            return Err(EditError::InsertsAboveRoot { name: below });
        };
        let name = self.name_of_new(name, &format!("{below}_above"))?;
        let before = self.clone();
        let skeleton = &mut self.skeleton;
        let position = skeleton
            .bind_position(above)
            .lerp(skeleton.bind_position(joint), at);
        let mut bind_from_joint = skeleton.joint(above).bind_from_joint;
        bind_from_joint.translation = position;
        let inserted = Joint {
            name,
            parent: skeleton.joint(joint).parent,
            rest: Transform::IDENTITY,
            bind_from_joint,
            in_skin: true,
        };
        for other in &mut skeleton.joints {
            other.parent = other.parent.map(|p| JointIndex(p.0 + u16::from(p >= joint)));
        }
        skeleton.joints[joint.at()].parent = Some(joint);
        skeleton.joints.insert(joint.at(), inserted);
        let (upper, lower) = (before.key(above), before.key(joint));
        let takes_part = before.settings[upper.at()].takes_part || before.settings[lower.at()].takes_part;
        let key = self.new_key(takes_part, &[upper, lower]);
        self.keys.insert(joint.at(), key);
        self.settle(&before);
        Ok(())
    }

    /// Hangs a joint on `joint`, with its axes. It comes last, so that parents stay first.
    pub(super) fn add(
        &mut self,
        joint: JointIndex,
        name: Option<String>,
        to: DVec3,
    ) -> Result<(), EditError> {
        let above = self.skeleton.joint(joint);
        let mut bind_from_joint = above.bind_from_joint;
        bind_from_joint.translation = to;
        let stem = format!("{}_child", above.name);
        let added = Joint {
            name: self.name_of_new(name, &stem)?,
            parent: Some(joint),
            rest: Transform::IDENTITY,
            bind_from_joint,
            in_skin: true,
        };
        let before = self.clone();
        self.skeleton.joints.push(added);
        // Who adds a joint wants skin to follow it.
        let key = self.new_key(true, &[before.key(joint)]);
        self.keys.push(key);
        self.settle(&before);
        Ok(())
    }

    /// The key of a joint that is new: parts whose skin lists one of its neighbours list it too.
    fn new_key(&mut self, takes_part: bool, neighbours: &[JointKey]) -> JointKey {
        let key = JointKey(self.settings.len() as u16);
        self.settings.push(JointSettings {
            takes_part,
            handle: None,
            heat: HeatHandle::default(),
            shapes: Vec::new(),
        });
        self.parts = self
            .parts
            .iter()
            .cloned()
            .map(|(mut joints, carrier)| {
                if let Some(list) = &mut joints
                    && neighbours.iter().any(|n| list.contains(n))
                {
                    list.push(key);
                }
                (joints, carrier)
            })
            .collect::<Vec<_>>()
            .into();
        key
    }

    /// Takes a joint away; children, skin and what it carries go to its parent.
    pub(super) fn delete(&mut self, joint: JointIndex) -> Result<(), EditError> {
        let name = self.skeleton.joint(joint).name.clone();
        let Some(heir) = self.skeleton.skin_parent(joint) else {
            return Err(EditError::DeletesRoot { name });
        };
        let before = self.clone();
        let (key, heir_key) = (self.key(joint), self.key(heir));
        let heir_name = self.skeleton.joint(heir).name.clone();
        let parent = self.skeleton.joint(joint).parent;
        self.skeleton.joints.remove(joint.at());
        self.keys.remove(joint.at());
        for other in &mut self.skeleton.joints {
            if other.parent == Some(joint) {
                other.parent = parent;
            }
            other.parent = other.parent.map(|p| JointIndex(p.0 - u16::from(p > joint)));
        }
        self.parts = self
            .parts
            .iter()
            .cloned()
            .map(|(joints, carrier)| {
                let inherited = |k: JointKey| if k == key { heir_key } else { k };
                let joints = joints.map(|list| {
                    let mut kept: Vec<JointKey> = Vec::with_capacity(list.len());
                    for k in list.into_iter().map(inherited) {
                        if !kept.contains(&k) {
                            kept.push(k);
                        }
                    }
                    kept
                });
                (joints, carrier.map(inherited))
            })
            .collect::<Vec<_>>()
            .into();
        // The heir holds what the joint held, or its skin would go to whoever is nearest.
        let takes_part = before.settings[key.at()].takes_part;
        self.settings[heir_key.at()].takes_part |= takes_part;
        self.rename_in_regions(&name, &heir_name);
        if self.stray == key {
            self.stray = heir_key;
        }
        self.settle(&before);
        Ok(())
    }

    /// Makes a joint the root of its tree: what was above it now hangs below it.
    pub(super) fn set_root(&mut self, joint: JointIndex) {
        let before = self.clone();
        let skeleton = &before.skeleton;
        let mut path = vec![joint];
        let mut top = joint;
        while let Some(above) = skeleton.skin_parent(top) {
            while let Some(next) = path.last().and_then(|&p| skeleton.joint(p).parent) {
                path.push(next);
                if next == above {
                    break;
                }
            }
            top = above;
        }
        let mut parents: Vec<Option<JointIndex>> = skeleton.joints.iter().map(|j| j.parent).collect();
        parents[joint.at()] = skeleton.joint(top).parent;
        for pair in path.windows(2) {
            parents[pair[1].at()] = Some(pair[0]);
        }
        let order = depth_first(&parents);
        let mut position = vec![JointIndex(0); order.len()];
        for (new, old) in order.iter().enumerate() {
            position[old.at()] = JointIndex(new as u16);
        }
        self.skeleton.joints = order
            .iter()
            .map(|&old| Joint {
                parent: parents[old.at()].map(|p| position[p.at()]),
                ..skeleton.joint(old).clone()
            })
            .collect();
        self.keys = order.iter().map(|&old| before.key(old)).collect();
        self.settle(&before);
    }

    /// Gives a joint another name.
    pub(super) fn rename(&mut self, joint: JointIndex, name: String) -> Result<(), EditError> {
        let old = self.skeleton.joint(joint).name.clone();
        if name == old {
            return Ok(());
        }
        let name = self.free_name(name)?;
        self.rename_in_regions(&old, &name);
        self.skeleton.joints[joint.at()].name = name;
        Ok(())
    }

    fn rename_in_regions(&mut self, old: &str, new: &str) {
        for region in &mut self.regions {
            if let Some(drivers) = &mut region.drivers {
                for driver in drivers.iter_mut().filter(|d| *d == old) {
                    *driver = new.to_owned();
                }
                let mut seen: Vec<String> = Vec::new();
                drivers.retain(|d| {
                    let first = !seen.contains(d);
                    seen.push(d.clone());
                    first
                });
            }
            if let Some(crate::bind::Falloff::WithJoint { joint, .. }) = &mut region.falloff
                && joint == old
            {
                *joint = new.to_owned();
            }
        }
    }

    fn free_name(&self, name: String) -> Result<String, EditError> {
        if name.trim().is_empty() {
            return Err(EditError::NoName);
        }
        match self.skeleton.find(&name) {
            Some(_) => Err(EditError::NameTaken { name }),
            None => Ok(name),
        }
    }

    /// The name of a joint that is to come: the given one if it is free, else the stem with a number.
    fn name_of_new(&self, name: Option<String>, stem: &str) -> Result<String, EditError> {
        if self.settings.len() >= usize::from(u16::MAX) {
            return Err(EditError::TooManyJoints);
        }
        if let Some(name) = name {
            return self.free_name(name);
        }
        let mut number = 1;
        loop {
            let tried = format!("{stem}{number}");
            if self.skeleton.find(&tried).is_none() {
                return Ok(tried);
            }
            number += 1;
        }
    }

    /// Brings rest transforms, handles and clips in line with a skeleton that was edited in
    /// bind space. What the edit does not touch keeps its bits.
    pub(super) fn settle(&mut self, before: &Self) {
        let old_joints = before.joints_of_keys();
        let old_of = |key: JointKey| old_joints.get(key.at()).copied().flatten();
        let old_world = Pose::rest(&before.skeleton).world_from_joints(&before.skeleton);
        let old = |joint: JointIndex| before.skeleton.joint(joint).bind_from_joint;
        // Where each joint stands at rest now: what moved skin moves it the same way.
        let mut world: Vec<DAffine3> = Vec::with_capacity(self.keys.len());
        for joint in self.skeleton.indices() {
            let origin = self.origin(joint, before);
            let moves = origin.map_or(DAffine3::IDENTITY, |o| old_world[o.at()] * old(o).inverse());
            world.push(moves * self.skeleton.joint(joint).bind_from_joint);
        }
        for joint in self.skeleton.indices() {
            let parent = self.skeleton.joint(joint).parent;
            let own = old_of(self.key(joint));
            let old_parent = own.and_then(|o| before.skeleton.joint(o).parent);
            let unmoved = |j: JointIndex, o: JointIndex| {
                self.key(j) == before.key(o) && self.skeleton.joint(j).bind_from_joint == old(o)
            };
            let untouched = own.is_some_and(|o| unmoved(joint, o))
                && match (parent, old_parent) {
                    (None, None) => true,
                    (Some(p), Some(o)) => unmoved(p, o),
                    _ => false,
                };
            if untouched {
                continue;
            }
            let local = parent.map_or(DAffine3::IDENTITY, |p| world[p.at()].inverse()) * world[joint.at()];
            self.skeleton.joints[joint.at()].rest = Transform::from_affine(local);
            // A handle goes along with its joint, but does not turn with its axes.
            if let (Some(o), Some(handle)) = (own, self.settings[self.key(joint).at()].handle) {
                let (was, is) = (old(o).matrix3, self.skeleton.joint(joint).bind_from_joint.matrix3);
                if was != is {
                    self.settings_of(joint).handle = Some(is.inverse() * (was * handle));
                }
            }
        }
        if let Some(clips) = carried_clips(before, self) {
            self.clips = clips.into();
        }
    }

    /// The joint of the rig before an edit that a joint was, or that it moves with if it is
    /// new.
    pub(super) fn origin(&self, joint: JointIndex, before: &Self) -> Option<JointIndex> {
        let joints = before.joints_of_keys();
        let known = |j: JointIndex| joints.get(self.key(j).at()).copied().flatten();
        std::iter::successors(Some(joint), |&j| self.skeleton.joint(j).parent).find_map(known)
    }
}

/// All joints depth-first, children in the order that they have.
fn depth_first(parents: &[Option<JointIndex>]) -> Vec<JointIndex> {
    let mut children: Vec<Vec<JointIndex>> = vec![Vec::new(); parents.len()];
    let mut stack = Vec::new();
    for (joint, parent) in (0..).map(JointIndex).zip(parents) {
        match parent {
            Some(p) => children[p.at()].push(joint),
            None => stack.push(joint),
        }
    }
    stack.reverse();
    let mut order = Vec::with_capacity(parents.len());
    while let Some(joint) = stack.pop() {
        order.push(joint);
        stack.extend(children[joint.at()].iter().rev());
    }
    order
}
