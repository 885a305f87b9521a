//! A character under edit: rig, prepared binding, weights, and the way back.

use std::sync::Arc;

use glam::DVec3;
use serde::Serialize;

use super::command::Command;
use super::engine::Engine;
use super::error::EditError;
use super::grouped_rows::GroupedRows;
use super::heat::HeatField;
use super::history::Change;
use super::options::{EditMethod, SessionOptions};
use super::rig_state::{JointKey, Rig};
use super::voxel::VoxelField;
use crate::bind::heat::HeatDomain;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions};
use crate::character::{Character, Influence, JointIndex, LEAF_STUB, Skeleton, Weights, WeightsBuilder};
use crate::skin::{PointIndex, Skin};
use crate::task::Task;

/// What a command, an undo or a redo did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct EditResult {
    /// The vertices whose weights are others than before, ascending: they follow another
    /// joint, or a joint by another share. Joints are the same ones though their numbers
    /// change when others come and go.
    pub changed_vertices: Vec<u32>,
    /// How many positions were solved or evaluated again.
    pub positions_solved: usize,
    /// How many joints' weights, or bones' distances, were found again.
    pub joints_solved: usize,
}

/// A character under edit.
pub struct Session {
    /// Name and mesh; its skeleton and clips are those of the start.
    pub(super) base: Arc<Character>,
    pub(super) skin: Skin,
    pub(super) options: SessionOptions,
    pub(super) rig: Rig,
    /// For each key whether any point may follow it.
    pub(super) deforms: Vec<bool>,
    /// For each vertex its point, where it needs weights.
    pub(super) point_of_vertex: Vec<Option<PointIndex>>,
    pub(super) engine: Engine,
    /// The weights of points as they are written, largest first, joints as keys.
    pub(super) finals: GroupedRows,
    pub(super) undo: Vec<Change>,
    pub(super) redo: Vec<Change>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("character", &self.base.name)
            .field("joints", &self.rig.keys.len())
            .field("undo", &self.undo.len())
            .field("redo", &self.redo.len())
            .finish_non_exhaustive()
    }
}

impl Session {
    /// Binds a character and makes it ready for edits.
    pub fn new(character: Character, options: &SessionOptions, task: &Task<'_>) -> Result<Self, EditError> {
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
            return Err(EditError::OutOfRange {
                what: "the tolerance",
                range: "over 0 and under 1",
                value: options.tolerance.to_string(),
            });
        }
        character.skeleton.check()?;
        let as_opened = Skin::new(character).map_err(BindError::from)?;
        let takes_part = options.deform.resolve(&as_opened).map_err(BindError::from)?;
        let rig = Rig::of(as_opened.character(), &takes_part);
        let base = Arc::new(Character {
            weights: None,
            ..Character::clone(as_opened.character())
        });
        let skin = as_opened
            .with_character(rig.applied_to(&base))
            .map_err(BindError::from)?;
        let bind_options = rig.bind_options(options.influences, options.prune);
        let rules = Rules::of(&skin, &bind_options)?;
        let engine = match options.method {
            EditMethod::Heat => {
                let domain = HeatDomain {
                    bones: rig.bones(&rules.joints, LEAF_STUB),
                    ..HeatDomain::of(&rules)
                };
                let map = options.joint_of_vertex.as_deref();
                let regions = map.map(|m| regions_of_points(m, &skin)).transpose()?;
                let handles = rig.settings.iter().map(|s| s.heat).collect();
                Engine::Heat(Box::new(HeatField::new(domain, handles, regions, task)?))
            }
            EditMethod::Voxel => Engine::Voxel(Box::new(VoxelField::new(&rules, &rig, task)?)),
        };
        Ok(Self {
            finals: engine.written(options),
            deforms: rules.joints,
            point_of_vertex: skin.points_of_vertices(),
            base,
            skin,
            options: options.clone(),
            rig,
            engine,
            undo: Vec::new(),
            redo: Vec::new(),
        })
    }

    /// The skeleton as it is now.
    pub fn skeleton(&self) -> &Skeleton {
        &self.rig.skeleton
    }

    /// How many different positions get weights.
    pub fn point_count(&self) -> usize {
        self.finals.len()
    }

    /// Where a joint's weight handle is: at the joint unless [`Command::Range`] moved it.
    pub fn handle_position(&self, joint: JointIndex) -> DVec3 {
        self.rig.handle_position(joint)
    }

    /// The weights of one vertex, largest first.
    pub fn weights_of_vertex(&self, vertex: usize) -> Vec<Influence> {
        let parts = self.base.mesh.parts.iter().zip(self.rig.parts.iter());
        let carrier = parts
            .filter(|(part, _)| part.vertices.contains(&vertex))
            .find_map(|(_, (_, carrier))| *carrier);
        self.vertex_row(vertex, &self.rig.joints_of_keys(), carrier)
    }

    /// The weights of all vertices.
    pub fn weights(&self) -> Weights {
        let (joints, carriers) = (self.rig.joints_of_keys(), self.carriers());
        let mut builder = WeightsBuilder::with_capacity(self.point_of_vertex.len(), self.options.influences);
        for vertex in 0..self.point_of_vertex.len() {
            builder.push_valid(&self.vertex_row(vertex, &joints, carriers[vertex]));
        }
        builder.finish()
    }

    /// The character as it is now: edited skeleton and clips, and the weights.
    pub fn character(&self) -> Character {
        Character {
            weights: Some(self.weights()),
            ..self.rig.applied_to(&self.base)
        }
    }

    /// For each joint which joint of the character at the start it is; `None` for inserted
    /// ones.
    pub fn origins(&self) -> Vec<Option<JointIndex>> {
        let first = self.base.skeleton.joints.len();
        self.rig
            .keys
            .iter()
            .map(|k| (k.at() < first).then_some(JointIndex(k.0)))
            .collect()
    }

    /// Does a command whole, or fails and changes nothing. What was undone before can no
    /// longer be done again.
    pub fn apply(&mut self, command: &Command, task: &Task<'_>) -> Result<EditResult, EditError> {
        // Handing over to other threads once costs less than at each of a dozen steps.
        rayon::scope(|_| self.apply_here(command, task))
    }

    fn apply_here(&mut self, command: &Command, task: &Task<'_>) -> Result<EditResult, EditError> {
        let mut rig = self.rig.clone();
        rig.apply(command, self.options.method)?;
        rig.skeleton.check()?;
        let (change, done) = self.follow(rig, task)?;
        self.undo.push(change);
        self.redo.clear();
        Ok(done)
    }

    /// The largest difference of any weight to those of a whole bind of the rig as it is now,
    /// before the largest few of each vertex are chosen: that choice may turn over where two
    /// joints are equally faint.
    pub fn difference_to_whole(&self, task: &Task<'_>) -> Result<f64, EditError> {
        let (skin, options) = (self.skin_on_rig()?, self.bind_options());
        let rules = Rules::of(&skin, &options)?;
        match &self.engine {
            Engine::Heat(field) => {
                let domain = HeatDomain {
                    bones: self.rig.bones(&rules.joints, LEAF_STUB),
                    masks: rules.masks.renumbered(|set| self.rig.by_key(set)),
                    joint_count: self.rig.settings.len(),
                    skin: skin.clone(),
                };
                let handles = self.rig.settings.iter().map(|s| s.heat).collect();
                let whole = HeatField::new(domain, handles, None, task)?;
                Ok(largest_difference(field.rows(), whole.rows()))
            }
            Engine::Voxel(_) => {
                let whole = VoxelField::new(&rules, &self.rig, task)?;
                Ok(largest_difference(&self.finals, whole.rows()))
            }
        }
    }

    pub(super) fn bind_options(&self) -> BindOptions {
        self.rig.bind_options(self.options.influences, self.options.prune)
    }

    /// For each vertex the key that carries it.
    pub(super) fn carriers(&self) -> Vec<Option<JointKey>> {
        let mut carriers = vec![None; self.point_of_vertex.len()];
        for (part, (_, carrier)) in self.base.mesh.parts.iter().zip(self.rig.parts.iter()) {
            if carrier.is_some() {
                carriers[part.vertices.clone()].fill(*carrier);
            }
        }
        carriers
    }

    fn vertex_row(
        &self,
        vertex: usize,
        joints: &[Option<JointIndex>],
        carrier: Option<JointKey>,
    ) -> Vec<Influence> {
        let rigid = |key: JointKey| {
            vec![Influence {
                joint: joints[key.at()].unwrap_or(JointIndex(0)),
                weight: 1.0,
            }]
        };
        let Some(point) = self.point_of_vertex[vertex] else {
            return rigid(carrier.unwrap_or(self.rig.stray));
        };
        let mut row: Vec<Influence> = self
            .finals
            .row(point.at())
            .iter()
            .filter_map(|i| {
                Some(Influence {
                    joint: joints[i.joint.at()]?,
                    weight: i.weight,
                })
            })
            .collect();
        row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
        row
    }
}

/// Π by point, from Π by vertex.
fn regions_of_points(map: &[JointIndex], skin: &Skin) -> Result<Vec<JointKey>, EditError> {
    let character = skin.character();
    if map.len() != character.mesh.positions.len() {
        return Err(EditError::BadMap("it has not one entry for each vertex"));
    }
    if map.iter().any(|j| j.at() >= character.skeleton.joints.len()) {
        return Err(EditError::BadMap(
            "it names joints that the skeleton does not have",
        ));
    }
    // At the start a joint's key is its index.
    let key = |point| JointKey(map[skin.first_vertex(PointIndex(point))].0);
    Ok((0..skin.len() as u32).map(key).collect())
}

fn largest_difference(a: &GroupedRows, b: &GroupedRows) -> f64 {
    let weight = |row: &[Influence], joint: JointIndex| {
        let found = row.iter().find(|i| i.joint == joint);
        // Smoothness makes weights negative here and there; nobody follows those.
        found.map_or(0.0, |i| f64::from(i.weight.max(0.0)))
    };
    let mut largest = 0.0f64;
    for (a, b) in a.iter().zip(b.iter()) {
        for i in a.iter().chain(b.iter()) {
            largest = largest.max((weight(a, i.joint) - weight(b, i.joint)).abs());
        }
    }
    largest
}
