//! A character under edit: rig, prepared binding, weights, and the way back.

use std::sync::Arc;

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::command::{Command, ShapeAround};
use super::error::EditError;
use super::grouped_rows::{GroupedRows, Grouping, RowGroup, older_of};
use super::heat::{Drivers, HeatChange, HeatField, Kin, Spread};
use super::rig_state::{JointSettings, Key, Rig};
use super::voxel::VoxelField;
use crate::bind::heat::HeatSkin;
use crate::bind::{DeformChoice, Job, Region};
use crate::character::{
    BoneShape, Character, Influence, JointIndex, LEAF_STUB, Skeleton, Weights, WeightsBuilder, finished,
};
use crate::task::Task;

/// The methods that can be edited, in their default forms.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EditMethod {
    /// Heat over the skin, solved again only where an edit is felt.
    #[default]
    Heat,
    /// Distances through the solid, run again only from bones that moved.
    Voxel,
}

impl EditMethod {
    /// What users call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Heat => "heat",
            Self::Voxel => "voxel",
        }
    }
}

/// How far from an edit heat is solved again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Growth {
    /// As far as the change is felt: it fades with e to the distance times √H.
    #[default]
    Felt,
    /// As published (seed 003, section 3.2.1): regions of joints around the edited ones until
    /// their weights vanish on the border, and four rings of vertices around that.
    Rings,
}

/// How a session works.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionOptions {
    /// How weights are found.
    pub method: EditMethod,
    /// The most joints that a vertex may follow, from 1 on.
    pub influences: usize,
    /// Weights under this share are dropped, never a vertex's largest.
    pub floor: f32,
    /// Which joints take part at first.
    pub deform: DeformChoice,
    /// Heat: changes of weights under this are not followed, over 0 and under 1. Raising it
    /// is faster and less exact.
    pub tolerance: f64,
    /// Heat: how far from an edit it is solved again.
    pub growth: Growth,
    /// For each vertex the joint whose part of the body it is (Π of seed 003), as skeleton
    /// extraction gives it; found from the sources of heat if none. For [`Growth::Rings`].
    pub joint_of_vertex: Option<Vec<JointIndex>>,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            method: EditMethod::Heat,
            influences: 4,
            floor: 1e-3,
            deform: DeformChoice::Guess,
            tolerance: 1e-3,
            growth: Growth::Felt,
            joint_of_vertex: None,
        }
    }
}

/// What a command, an undo or a redo did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Done {
    /// The vertices whose weights are others than before, ascending: they follow another
    /// joint, or a joint by another share. Joints are the same ones though their numbers
    /// change when others come and go.
    pub changed_vertices: Vec<u32>,
    /// How many positions were solved or evaluated again.
    pub positions_solved: usize,
    /// How many joints' weights, or bones' distances, were found again.
    pub joints_solved: usize,
}

/// What is kept of a command: everything that it replaced.
struct Change {
    rig: Rig,
    heat: Option<HeatChange>,
    /// Weights of positions as they are written: groups where some are others.
    finals: Vec<(u32, RowGroup)>,
    deforms: Vec<bool>,
}

enum Engine {
    Heat(Box<HeatField>),
    Voxel(Box<VoxelField>),
}

/// A character under edit.
pub struct Session {
    /// Name and mesh; its skeleton and clips are those of the start.
    base: Character,
    options: SessionOptions,
    rig: Rig,
    /// For each key whether any position may follow it.
    deforms: Vec<bool>,
    /// For each vertex its position, where it needs weights.
    position_of_vertex: Vec<Option<u32>>,
    engine: Engine,
    /// The weights of positions as they are written, largest first, joints as keys.
    finals: GroupedRows,
    undo: Vec<Change>,
    redo: Vec<Change>,
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
        let takes_part = options
            .deform
            .resolve(&character.skeleton, character.weights.as_ref())
            .map_err(crate::bind::BindError::from)?;
        let rig = Rig::of(&character, &takes_part);
        let applied = rig.applied_to(&character);
        let job = Job::new(&applied, &rig.bind_options(options.influences, options.floor))?;
        let position_of_vertex: Vec<Option<u32>> = job
            .row_of_vertices()
            .into_iter()
            .map(|r| r.map(|r| r as u32))
            .collect();
        let deforms = job.deforms.clone();
        let engine = match options.method {
            EditMethod::Heat => {
                let mut skin = HeatSkin::of(&job, &applied);
                skin.bones = rig.bones(&deforms, LEAF_STUB);
                let map = options.joint_of_vertex.as_deref();
                let regions = map
                    .map(|m| regions_of_positions(m, &job, &character))
                    .transpose()?;
                let handles = rig.settings.iter().map(|s| s.heat).collect();
                Engine::Heat(Box::new(HeatField::new(skin, handles, regions, task)?))
            }
            EditMethod::Voxel => {
                Engine::Voxel(Box::new(VoxelField::new(&applied, &rig, job, options, task)?))
            }
        };
        let mut session = Self {
            base: character,
            options: options.clone(),
            rig,
            deforms,
            position_of_vertex,
            engine,
            finals: GroupedRows::new(Arc::new(Grouping::in_order(0)), |_, _| {}),
            undo: Vec::new(),
            redo: Vec::new(),
        };
        session.base.weights = None;
        session.finals = match &session.engine {
            Engine::Heat(field) => {
                let (all, mut room) = (field.rows(), Vec::new());
                GroupedRows::new(all.grouping().clone(), |position, list| {
                    session.final_row(field, position, all.row(position), &mut room);
                    list.extend_from_slice(&room);
                })
            }
            Engine::Voxel(field) => field.rows().clone(),
        };
        Ok(session)
    }

    /// The skeleton as it is now.
    pub fn skeleton(&self) -> &Skeleton {
        &self.rig.skeleton
    }

    /// How many different positions get weights.
    pub fn position_count(&self) -> usize {
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
        self.vertex_row(vertex, &self.rig.places(), carrier)
    }

    /// The weights of all vertices.
    pub fn weights(&self) -> Weights {
        let (places, carriers) = (self.rig.places(), self.carriers());
        let mut builder =
            WeightsBuilder::with_capacity(self.position_of_vertex.len(), self.options.influences);
        for vertex in 0..self.position_of_vertex.len() {
            builder.push_valid(&self.vertex_row(vertex, &places, carriers[vertex]));
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
            .map(|k| (k.at() < first).then_some(*k))
            .collect()
    }

    /// How many commands can be undone.
    pub fn undo_count(&self) -> usize {
        self.undo.len()
    }

    /// How many commands can be done again.
    pub fn redo_count(&self) -> usize {
        self.redo.len()
    }

    /// Does a command whole, or fails and changes nothing. What was undone before can no
    /// longer be done again.
    pub fn apply(&mut self, command: &Command, task: &Task<'_>) -> Result<Done, EditError> {
        // Handing over to other threads once costs less than at each of a dozen steps.
        rayon::scope(|_| self.apply_here(command, task))
    }

    fn apply_here(&mut self, command: &Command, task: &Task<'_>) -> Result<Done, EditError> {
        let mut rig = self.rig.clone();
        self.edit(&mut rig, command)?;
        rig.skeleton.check()?;
        let (change, done) = self.follow(rig, task)?;
        self.undo.push(change);
        self.redo.clear();
        Ok(done)
    }

    /// Takes the last command back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Done> {
        let mut change = self.undo.pop()?;
        self.swap(&mut change);
        let changed_vertices = self.changed_vertices(&change, self.differing(&change));
        self.redo.push(change);
        Some(Done {
            changed_vertices,
            ..Done::default()
        })
    }

    /// Does the command again that was undone last; `None` if there is none.
    pub fn redo(&mut self) -> Option<Done> {
        let mut change = self.redo.pop()?;
        self.swap(&mut change);
        let changed_vertices = self.changed_vertices(&change, self.differing(&change));
        self.undo.push(change);
        Some(Done {
            changed_vertices,
            ..Done::default()
        })
    }

    /// Joins the last two commands into one step for undo, as a drag's steps are one to a
    /// person. Fails if there are not two, or if something could be done again.
    pub fn join_last_two(&mut self) -> bool {
        if self.undo.len() < 2 || !self.redo.is_empty() {
            return false;
        }
        let (Some(later), Some(earlier)) = (self.undo.pop(), self.undo.pop()) else {
            return false;
        };
        self.undo.push(Change {
            rig: earlier.rig,
            heat: match (earlier.heat, later.heat) {
                (Some(earlier), Some(later)) => Some(earlier.joined(later)),
                (earlier, later) => earlier.or(later),
            },
            finals: older_of(earlier.finals, later.finals),
            deforms: earlier.deforms,
        });
        true
    }

    /// The largest difference of any weight to those of a whole bind of the rig as it is now,
    /// before the largest few of each vertex are chosen: that choice may turn over where two
    /// joints are equally faint.
    pub fn difference_to_whole(&self, task: &Task<'_>) -> Result<f64, EditError> {
        let applied = self.rig.applied_to(&self.base);
        let job = Job::new(&applied, &self.bind_options())?;
        match &self.engine {
            Engine::Heat(field) => {
                let mut skin = HeatSkin::of(&job, &applied);
                skin.bones = self.rig.bones(&job.deforms, LEAF_STUB);
                self.to_keys(&mut skin.allowed);
                skin.joint_count = self.rig.settings.len();
                let handles = self.rig.settings.iter().map(|s| s.heat).collect();
                let whole = HeatField::new(skin, handles, None, task)?;
                Ok(largest_difference(field.rows(), whole.rows()))
            }
            Engine::Voxel(_) => {
                let whole = VoxelField::new(&applied, &self.rig, job, &self.options, task)?;
                Ok(largest_difference(&self.finals, whole.rows()))
            }
        }
    }

    fn bind_options(&self) -> crate::bind::BindOptions {
        self.rig.bind_options(self.options.influences, self.options.floor)
    }

    /// For each vertex the key that carries it.
    fn carriers(&self) -> Vec<Option<Key>> {
        let mut carriers = vec![None; self.position_of_vertex.len()];
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
        places: &[Option<JointIndex>],
        carrier: Option<Key>,
    ) -> Vec<Influence> {
        let rigid = |key: Key| {
            vec![Influence {
                joint: places[key.at()].unwrap_or(JointIndex(0)),
                weight: 1.0,
            }]
        };
        let Some(position) = self.position_of_vertex[vertex] else {
            return rigid(carrier.unwrap_or(self.rig.stray));
        };
        let mut row: Vec<Influence> = self
            .finals
            .row(position as usize)
            .iter()
            .filter_map(|i| {
                Some(Influence {
                    joint: places[i.joint.at()]?,
                    weight: i.weight,
                })
            })
            .collect();
        row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
        row
    }

    /// The weights of a group of positions as they are written, into `group`. `room` is to
    /// work in.
    fn final_group(&self, field: &HeatField, number: u32, group: &mut RowGroup, room: &mut Vec<Influence>) {
        let (members, all) = (
            field.rows().grouping().members(number),
            field.rows().group(number),
        );
        group.clear();
        for (&position, row) in members.iter().zip(all.rows()) {
            self.final_row(field, position as usize, row, room);
            group.push(room);
        }
    }

    /// A position's weights as they are written, into `row`, from all that it has.
    fn final_row(&self, field: &HeatField, position: usize, all: &[Influence], row: &mut Vec<Influence>) {
        row.clear();
        row.extend_from_slice(all);
        field.skin().limit(position, row, self.options.influences);
        finished(row, self.options.floor);
    }

    /// Lets the weights follow another rig. On an error nothing has changed.
    fn follow(&mut self, rig: Rig, task: &Task<'_>) -> Result<(Change, Done), EditError> {
        let same_rules = rig.keys == self.rig.keys
            && rig.regions == self.rig.regions
            && rig.parts == self.rig.parts
            && rig
                .settings
                .iter()
                .zip(&self.rig.settings)
                .all(|(a, b)| a.takes_part == b.takes_part);
        let mut change = Change {
            deforms: self.deforms.clone(),
            rig,
            heat: None,
            finals: Vec::new(),
        };
        // From here on `change` holds the old rig and `self` the new one.
        std::mem::swap(&mut self.rig, &mut change.rig);
        match self.follow_rig(same_rules, &mut change, task) {
            Ok(done) => Ok((change, done)),
            Err(error) => {
                std::mem::swap(&mut self.rig, &mut change.rig);
                std::mem::swap(&mut self.deforms, &mut change.deforms);
                Err(error)
            }
        }
    }

    fn follow_rig(
        &mut self,
        same_rules: bool,
        change: &mut Change,
        task: &Task<'_>,
    ) -> Result<Done, EditError> {
        let spread = Spread {
            tolerance: self.options.tolerance,
            growth: self.options.growth,
        };
        if let Engine::Heat(field) = &self.engine {
            let (mut allowed, mut of_position) = (
                field.skin().allowed.clone(),
                field.skin().allowed_of_position.clone(),
            );
            if !same_rules {
                let applied = self.rig.applied_to(&self.base);
                let job = Job::new(&applied, &self.bind_options())?;
                self.deforms = self.by_key(&job.deforms);
                allowed = job.allowed.clone();
                self.to_keys(&mut allowed);
                of_position = job.allowed_of_position.clone();
            }
            let by_joint: Vec<bool> = self.rig.keys.iter().map(|k| self.deforms[k.at()]).collect();
            let drivers = Drivers {
                bones: self.rig.bones(&by_joint, LEAF_STUB),
                handles: self.rig.settings.iter().map(|s| s.heat).collect(),
                allowed,
                allowed_of_position: of_position,
            };
            let kin = self.kin(&change.rig);
            let Engine::Heat(field) = &mut self.engine else {
                return Ok(Done::default());
            };
            let (heat, work) = field.update(drivers, &kin, &spread, task)?;
            let groups: Vec<u32> = match same_rules {
                true => heat.rows.iter().map(|r| r.0).collect(),
                // Other rules may take other joints out of the same weights.
                false => self.finals.groups().map(|g| g.0).collect(),
            };
            change.heat = Some(heat);
            let Engine::Heat(field) = &self.engine else {
                return Ok(Done::default());
            };
            let found: Vec<(u32, RowGroup, Vec<u32>)> = groups
                .into_par_iter()
                .with_min_len(4)
                .map_init(Default::default, |(group, room), number| {
                    self.final_group(field, number, group, room);
                    let differing: Vec<u32> = self.finals.differing(number, group).collect();
                    (!differing.is_empty()).then(|| (number, group.clone(), differing))
                })
                .flatten_iter()
                .collect();
            let mut differing: Vec<Vec<u32>> = Vec::with_capacity(found.len());
            for (number, group, positions) in found {
                change.finals.push((number, group));
                differing.push(positions);
            }
            self.finals.swap(&mut change.finals);
            return Ok(Done {
                changed_vertices: self.changed_vertices(change, differing.into_iter().flatten()),
                positions_solved: work.positions,
                joints_solved: work.joints,
            });
        }
        let applied = self.rig.applied_to(&self.base);
        let job = Job::new(&applied, &self.bind_options())?;
        self.deforms = self.by_key(&job.deforms);
        let Engine::Voxel(field) = &mut self.engine else {
            return Ok(Done::default());
        };
        let bones = field.update(&applied, &self.rig, job, &self.options, task)?;
        let others = field.rows().groups();
        change.finals = others
            .filter(|(number, group)| self.finals.group(*number) != *group)
            .map(|(number, group)| (number, group.clone()))
            .collect();
        self.finals.swap(&mut change.finals);
        Ok(Done {
            changed_vertices: self.changed_vertices(change, self.differing(change)),
            positions_solved: self.finals.len(),
            joints_solved: bones,
        })
    }

    /// The positions whose weights differ between now and what a change holds.
    fn differing<'a>(&'a self, change: &'a Change) -> impl Iterator<Item = u32> + 'a {
        let groups = change.finals.iter();
        groups.flat_map(|(number, group)| self.finals.differing(*number, group))
    }

    fn swap(&mut self, change: &mut Change) {
        std::mem::swap(&mut self.rig, &mut change.rig);
        std::mem::swap(&mut self.deforms, &mut change.deforms);
        self.finals.swap(&mut change.finals);
        match &mut self.engine {
            Engine::Heat(field) => {
                if let Some(heat) = &mut change.heat {
                    field.swap(heat);
                }
            }
            // Distances follow the rig at the next command; they depend on nothing else.
            Engine::Voxel(_) => {}
        }
    }

    /// The vertices whose weights differ between now and what a change holds, from the positions
    /// whose weights do.
    fn changed_vertices(&self, change: &Change, differing: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut differs = vec![false; self.finals.len()];
        for position in differing {
            differs[position as usize] = true;
        }
        let mut changed: Vec<bool> = self
            .position_of_vertex
            .iter()
            .map(|position| position.is_some_and(|p| differs[p as usize]))
            .collect();
        if self.rig.parts != change.rig.parts {
            let parts = self
                .base
                .mesh
                .parts
                .iter()
                .zip(self.rig.parts.iter().zip(change.rig.parts.iter()));
            for (part, (now, then)) in parts {
                if now.1 != then.1 {
                    changed[part.vertices.clone()].fill(true);
                }
            }
        }
        if self.rig.stray != change.rig.stray {
            let carriers = self.carriers();
            for (vertex, changed) in changed.iter_mut().enumerate() {
                *changed |= self.position_of_vertex[vertex].is_none() && carriers[vertex].is_none();
            }
        }
        (0..)
            .zip(changed)
            .filter(|(_, c)| *c)
            .map(|(vertex, _)| vertex)
            .collect()
    }

    /// Which keys came and went since an earlier rig.
    fn kin(&self, before: &Rig) -> Kin {
        let (now, then) = (self.rig.places(), before.places());
        let gone = |j: &JointIndex| now[before.key(*j).at()].is_none();
        let new = |j: &JointIndex| then.get(self.rig.key(*j).at()).copied().flatten().is_none();
        let (old_skeleton, skeleton) = (&before.skeleton, &self.rig.skeleton);
        let children = skeleton.skin_children();
        Kin {
            heirs: (old_skeleton.indices().filter(gone))
                .filter_map(|j| Some((before.key(j), before.key(old_skeleton.skin_parent(j)?))))
                .collect(),
            inserted: (skeleton.indices().filter(new))
                .filter_map(|j| {
                    let (upper, lower) = (skeleton.skin_parent(j)?, *children[j.at()].first()?);
                    Some((self.rig.key(j), self.rig.key(upper), self.rig.key(lower)))
                })
                .collect(),
        }
    }

    /// What is said of joints by place, said by key.
    fn by_key(&self, of_joints: &[bool]) -> Vec<bool> {
        let mut of_keys = vec![false; self.rig.settings.len()];
        for (key, &value) in self.rig.keys.iter().zip(of_joints) {
            of_keys[key.at()] = value;
        }
        of_keys
    }

    fn to_keys(&self, sets: &mut [Vec<bool>]) {
        for set in sets {
            *set = self.by_key(set);
        }
    }

    /// What a command does to a rig.
    fn edit(&self, rig: &mut Rig, command: &Command) -> Result<(), EditError> {
        match command {
            Command::MoveJoint {
                joint,
                to,
                by,
                with_children,
            } => {
                let joint = rig.joint(joint)?;
                let at = rig.skeleton.bind_position(joint);
                let Some(place) = place("where a joint goes", at, *to, *by)? else {
                    return Err(EditError::OutOfRange {
                        what: "where a joint goes",
                        range: "given by 'to' or by 'by'",
                        value: "neither".to_owned(),
                    });
                };
                rig.move_joint(joint, place, *with_children);
            }
            Command::InsertJoint { joint, name, at } => {
                in_range("the place on the bone", "within 0 and 1", *at, |x| {
                    (0.0..=1.0).contains(&x)
                })?;
                let joint = rig.joint(joint)?;
                rig.insert(joint, name.clone(), *at)?;
            }
            Command::DeleteJoint { joint } => {
                let joint = rig.joint(joint)?;
                rig.delete(joint)?;
            }
            Command::AlignJoints { joints } => {
                let joints = joints.iter().map(|j| rig.joint(j)).collect::<Result<_, _>>()?;
                rig.align(joints)?;
            }
            Command::SetRoot { joint } => {
                let joint = rig.joint(joint)?;
                rig.set_root(joint);
            }
            Command::RenameJoint { joint, name } => {
                let joint = rig.joint(joint)?;
                rig.rename(joint, name.clone())?;
            }
            Command::Orient { joint, up } => {
                let joint = joint.as_ref().map(|j| rig.joint(j)).transpose()?;
                rig.orient(joint, *up)?;
            }
            Command::Range { joint, to, by } => {
                let joint = rig.joint(joint)?;
                let now = rig.handle_position(joint);
                let from_bind = rig.skeleton.joint(joint).bind_from_joint.inverse();
                let place = place("where a handle goes", now, *to, *by)?;
                rig.settings_of(joint).handle = place.map(|p| from_bind.transform_point3(p));
            }
            Command::Magnitude { joint, value } => {
                in_range("a magnitude", "over 0 and finite", *value, |x| {
                    x > 0.0 && x.is_finite()
                })?;
                let joint = rig.joint(joint)?;
                rig.settings_of(joint).heat.magnitude = *value;
            }
            Command::Smoothness { joint, value } => {
                in_range("a smoothness", "within 0 and 1", *value, |x| {
                    (0.0..=1.0).contains(&x)
                })?;
                let joint = rig.joint(joint)?;
                self.only(EditMethod::Heat, "smoothness")?;
                rig.settings_of(joint).heat.smoothness = *value;
            }
            Command::TakesPart { joint, value } => {
                let joint = rig.joint(joint)?;
                rig.settings_of(joint).takes_part = *value;
            }
            Command::Falloff { value } => {
                self.only(EditMethod::Voxel, "falloff")?;
                if let Some(value) = value {
                    in_range("a falloff", "within 0 and 1", *value, |x| {
                        (0.0..=1.0).contains(&x)
                    })?;
                }
                rig.falloff = *value;
            }
            Command::AddRegion { of, falloff, drivers } => {
                if falloff.is_some() {
                    self.only(EditMethod::Voxel, "falloff")?;
                }
                rig.regions.push(Region {
                    of: of.clone(),
                    falloff: falloff.clone(),
                    drivers: drivers.clone(),
                });
            }
            Command::RemoveRegion { of } => {
                let before = rig.regions.len();
                rig.regions.retain(|r| r.of != *of);
                if rig.regions.len() == before {
                    return Err(EditError::NoSuchRegion);
                }
            }
            Command::AddShape { joint, shape } => {
                self.only(EditMethod::Voxel, "shapes around joints")?;
                let joint = rig.joint(joint)?;
                let shape = shape_at_origin(shape)?;
                rig.settings_of(joint).shapes.push(shape);
            }
            Command::RemoveShapes { joint } => {
                let joint = rig.joint(joint)?;
                let name = rig.skeleton.joint(joint).name.clone();
                let settings: &mut JointSettings = rig.settings_of(joint);
                if settings.shapes.is_empty() {
                    return Err(EditError::NoShapes { name });
                }
                settings.shapes.clear();
            }
        }
        Ok(())
    }

    fn only(&self, method: EditMethod, setting: &'static str) -> Result<(), EditError> {
        if self.options.method == method {
            return Ok(());
        }
        Err(EditError::NotOfMethod {
            method: self.options.method.name(),
            setting,
            other: method.name(),
        })
    }
}

/// A place that is given as such or as a step from `at`.
fn place(
    what: &'static str,
    at: DVec3,
    to: Option<DVec3>,
    by: Option<DVec3>,
) -> Result<Option<DVec3>, EditError> {
    let place = match (to, by) {
        (None, None) => return Ok(None),
        (Some(to), None) => to,
        (None, Some(by)) => at + by,
        (Some(_), Some(_)) => {
            return Err(EditError::OutOfRange {
                what,
                range: "given by 'to' or by 'by'",
                value: "both".to_owned(),
            });
        }
    };
    if !place.is_finite() {
        return Err(EditError::OutOfRange {
            what,
            range: "finite",
            value: place.to_string(),
        });
    }
    Ok(Some(place))
}

fn in_range(
    what: &'static str,
    range: &'static str,
    value: f64,
    good: impl Fn(f64) -> bool,
) -> Result<(), EditError> {
    if good(value) {
        return Ok(());
    }
    Err(EditError::OutOfRange {
        what,
        range,
        value: value.to_string(),
    })
}

fn shape_at_origin(shape: &ShapeAround) -> Result<BoneShape, EditError> {
    let made = match *shape {
        ShapeAround::Point { offset } => BoneShape::Point(offset),
        ShapeAround::Ball { offset, radius } => BoneShape::Sphere {
            centre: offset,
            radius,
        },
        ShapeAround::Box { offset, half_extent } => BoneShape::Box {
            bind_from_box: DAffine3::from_translation(offset),
            half_extent,
        },
    };
    let extent = match shape {
        ShapeAround::Point { .. } => 0.0,
        ShapeAround::Ball { radius, .. } => *radius,
        ShapeAround::Box { half_extent, .. } => half_extent.min_element(),
    };
    if made.is_finite() && extent >= 0.0 && extent.is_finite() {
        return Ok(made);
    }
    Err(EditError::OutOfRange {
        what: "the numbers of a shape",
        range: "finite, and its extent not negative",
        value: format!("{shape:?}"),
    })
}

/// Π by position, from Π by vertex.
fn regions_of_positions(
    map: &[JointIndex],
    job: &Job<'_>,
    character: &Character,
) -> Result<Vec<Key>, EditError> {
    if map.len() != character.mesh.positions.len() {
        return Err(EditError::BadMap("it has not one entry for each vertex"));
    }
    if map.iter().any(|j| j.at() >= character.skeleton.joints.len()) {
        return Err(EditError::BadMap(
            "it names joints that the skeleton does not have",
        ));
    }
    Ok((0..job.positions.len())
        .map(|p| map[job.first_vertex(p)])
        .collect())
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
