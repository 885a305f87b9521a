//! Lets the weights of a session follow its rig.

use std::sync::Arc;

use rayon::prelude::*;

use super::engine::{Engine, written_group};
use super::error::EditError;
use super::grouped_rows::RowGroup;
use super::heat::{Drivers, JointRemap, Spread};
use super::history::Change;
use super::rig_state::Rig;
use super::session::{EditResult, Session};
use crate::bind::BindError;
use crate::bind::rules::Rules;
use crate::character::{JointIndex, LEAF_STUB};
use crate::skin::Skin;
use crate::task::Task;

impl Session {
    /// Follows another rig. On an error nothing has changed.
    pub(super) fn follow(&mut self, rig: Rig, task: &Task<'_>) -> Result<(Change, EditResult), EditError> {
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
        let followed = match self.engine {
            Engine::Heat(_) => self.follow_by_heat(same_rules, &mut change, task),
            Engine::Voxel(_) => self.follow_by_voxels(&mut change, task),
        };
        match followed {
            Ok(done) => Ok((change, done)),
            Err(error) => {
                std::mem::swap(&mut self.rig, &mut change.rig);
                std::mem::swap(&mut self.deforms, &mut change.deforms);
                Err(error)
            }
        }
    }

    /// The skin on the rig as it is now.
    pub(super) fn skin_on_rig(&self) -> Result<Skin, BindError> {
        let applied = Arc::new(self.rig.applied_to(&self.base));
        Ok(self.skin.with_character(applied)?)
    }

    fn follow_by_heat(
        &mut self,
        same_rules: bool,
        change: &mut Change,
        task: &Task<'_>,
    ) -> Result<EditResult, EditError> {
        let other_masks = if same_rules {
            None
        } else {
            let (skin, options) = (self.skin_on_rig()?, self.bind_options());
            let rules = Rules::of(&skin, &options)?;
            self.deforms = self.rig.by_key(&rules.joints);
            Some(rules.masks.renumbered(|set| self.rig.by_key(set)))
        };
        let remap = self.joint_remap(&change.rig);
        let by_joint: Vec<bool> = self.rig.keys.iter().map(|k| self.deforms[k.at()]).collect();
        let Engine::Heat(field) = &mut self.engine else {
            return Ok(EditResult::default());
        };
        let drivers = Drivers {
            bones: self.rig.bones(&by_joint, LEAF_STUB),
            handles: self.rig.settings.iter().map(|s| s.heat).collect(),
            masks: other_masks.unwrap_or_else(|| field.domain().masks.clone()),
        };
        let spread = Spread {
            tolerance: self.options.tolerance,
            growth: self.options.growth,
        };
        let (heat, work) = field.update(drivers, &remap, &spread, task)?;
        let groups: Vec<u32> = if same_rules {
            heat.rows.iter().map(|r| r.0).collect()
        } else {
            // Other rules may take other joints out of the same weights.
            self.finals.groups().map(|g| g.0).collect()
        };
        change.heat = Some(heat);
        let (field, options, finals) = (&*field, &self.options, &self.finals);
        let found: Vec<(u32, RowGroup, Vec<u32>)> = groups
            .into_par_iter()
            .with_min_len(4)
            .map_init(Default::default, |(group, room), index| {
                written_group(field, options, index, group, room);
                let differing: Vec<u32> = finals.differing(index, group).collect();
                (!differing.is_empty()).then(|| (index, group.clone(), differing))
            })
            .flatten_iter()
            .collect();
        let mut differing: Vec<Vec<u32>> = Vec::with_capacity(found.len());
        for (index, group, points) in found {
            change.finals.push((index, group));
            differing.push(points);
        }
        self.finals.swap(&mut change.finals);
        Ok(EditResult {
            changed_vertices: self.changed_vertices(change, differing.into_iter().flatten()),
            positions_solved: work.positions,
            joints_solved: work.joints,
        })
    }

    fn follow_by_voxels(&mut self, change: &mut Change, task: &Task<'_>) -> Result<EditResult, EditError> {
        let (skin, options) = (self.skin_on_rig()?, self.bind_options());
        let rules = Rules::of(&skin, &options)?;
        self.deforms = self.rig.by_key(&rules.joints);
        let Engine::Voxel(field) = &mut self.engine else {
            return Ok(EditResult::default());
        };
        let bones = field.update(&rules, &self.rig, task)?;
        let others = field.rows().groups();
        change.finals = others
            .filter(|(index, group)| self.finals.group(*index) != *group)
            .map(|(index, group)| (index, group.clone()))
            .collect();
        self.finals.swap(&mut change.finals);
        Ok(EditResult {
            changed_vertices: self.changed_vertices(change, self.differing(change)),
            positions_solved: self.finals.len(),
            joints_solved: bones,
        })
    }

    /// The points whose weights differ between now and what a change holds.
    pub(super) fn differing<'a>(&'a self, change: &'a Change) -> impl Iterator<Item = u32> + 'a {
        let groups = change.finals.iter();
        groups.flat_map(|(index, group)| self.finals.differing(*index, group))
    }

    /// The vertices whose weights differ between now and what a change holds, from the points whose weights do.
    pub(super) fn changed_vertices(&self, change: &Change, differing: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut differs = vec![false; self.finals.len()];
        for point in differing {
            differs[point as usize] = true;
        }
        let mut changed: Vec<bool> = self
            .point_of_vertex
            .iter()
            .map(|point| point.is_some_and(|p| differs[p.at()]))
            .collect();
        if self.rig.parts != change.rig.parts {
            let carriers = self.rig.parts.iter().zip(change.rig.parts.iter());
            for (part, (now, then)) in self.base.mesh.parts.iter().zip(carriers) {
                if now.1 != then.1 {
                    changed[part.vertices.clone()].fill(true);
                }
            }
        }
        if self.rig.stray != change.rig.stray {
            let carriers = self.carriers();
            for (vertex, changed) in changed.iter_mut().enumerate() {
                *changed |= self.point_of_vertex[vertex].is_none() && carriers[vertex].is_none();
            }
        }
        (0..)
            .zip(changed)
            .filter(|(_, c)| *c)
            .map(|(vertex, _)| vertex)
            .collect()
    }

    /// Which keys came and went since an earlier rig.
    fn joint_remap(&self, before: &Rig) -> JointRemap {
        let (now, then) = (self.rig.joints_of_keys(), before.joints_of_keys());
        let gone = |j: &JointIndex| now[before.key(*j).at()].is_none();
        let new = |j: &JointIndex| then.get(self.rig.key(*j).at()).copied().flatten().is_none();
        let (old_skeleton, skeleton) = (&before.skeleton, &self.rig.skeleton);
        let children = skeleton.skin_children();
        JointRemap {
            merged: (old_skeleton.indices().filter(gone))
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
}
