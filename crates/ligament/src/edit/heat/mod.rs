//! Heat weights that follow an edit at once.
//!
//! What a command changes is found by comparing bones: only positions whose source is a
//! changed bone, or could become one, look for their source again; only where that changed H
//! or p is the system different, and only there is it factorised again ([`operator`]); and only
//! as far as that is significant are weights solved again ([`significant`]).

mod operator;
mod residuals;
mod rings;
mod rows;
mod significant;

use std::sync::Arc;

use rayon::prelude::*;

use crate::bind::BindError;
use crate::bind::heat::{Extent, HeatBinding, HeatDomain, HeatForm, HeatHandle, HeatSource, HeatSurface};
use crate::character::{Bone, BoneShape, Influence, JointIndex};
use crate::linear::Block;
use crate::skin::JointMasks;
use crate::task::Task;

use super::grouped_rows::{GroupedRows, Grouping, RowGroup, older_of};
use super::options::Growth;
use super::rig_state::JointKey;
use operator::Operator;
use residuals::{Side, residuals};

/// Positions that a thread looks at together.
const CHUNK: usize = 128;
/// Right-hand sides under this fraction of M·H are not significant.
const INSIGNIFICANT: f64 = 1e-5;
/// Positions count as heated at least by this fraction of the mean.
const LEAST_HEAT: f64 = 1e-9;
/// Where heat falls by more than this factor, negligible weights that are not kept would be missed.
const COOLED: f64 = 2.0;

/// How far changes are followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    /// Changes of weights under this are not followed.
    pub tolerance: f64,
    /// By what measure.
    pub growth: Growth,
}

/// Which keys came and went.
#[derive(Debug, Clone, Default)]
pub(super) struct JointRemap {
    /// A key that is gone, and the one that its skin was merged into.
    pub merged: Vec<(JointKey, JointKey)>,
    /// A new key, the one above it and the one below.
    pub inserted: Vec<(JointKey, JointKey, JointKey)>,
}

/// What a command may change of a skin's heat.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drivers {
    /// The bones, a joint's together; joints are keys here, not indices in the skeleton.
    pub bones: Vec<Bone>,
    /// For each key how its joint's heat is handled.
    pub handles: Vec<HeatHandle>,
    /// The keys that each position may follow.
    pub masks: JointMasks,
}

/// Sources and weights of a skin, kept up to date.
#[derive(Debug)]
pub(super) struct HeatField {
    surface: HeatSurface,
    /// Of each smoothness that a joint has.
    operators: Vec<Operator>,
    handles: Vec<HeatHandle>,
    magnitudes: Vec<f64>,
    found: Vec<HeatSource>,
    /// What the sources of the surface's groups have in common.
    extents: Vec<Extent>,
    /// M·H.
    heat: Vec<f64>,
    /// At least so much counts for each position, so that islands that no bone heats have
    /// an answer.
    least_heat: f64,
    /// All weights of each position, joints ascending.
    rows: GroupedRows,
    /// Π: for each position the key whose part of the body it is.
    parts: Vec<JointKey>,
}

/// What an update did, and how to take it back.
#[derive(Debug)]
pub(super) struct HeatChange {
    drivers: Drivers,
    found: Vec<(u32, HeatSource)>,
    /// Groups with rows that changed.
    pub rows: Vec<(u32, RowGroup)>,
    parts: Vec<(u32, JointKey)>,
    /// By smoothness, what the solves left out.
    deferred: Vec<(f64, Vec<(u32, Block)>)>,
}

impl HeatChange {
    /// Both changes as one, `later` made after this one.
    pub fn joined(self, later: Self) -> Self {
        let mut joined = Self {
            drivers: self.drivers,
            found: older_of(self.found, later.found),
            rows: older_of(self.rows, later.rows),
            parts: older_of(self.parts, later.parts),
            deferred: self.deferred,
        };
        for (smoothness, supernodes) in later.deferred {
            joined.keep_deferred(smoothness, supernodes);
        }
        joined
    }

    /// Keeps what was left out at supernodes before.
    fn keep_deferred(&mut self, smoothness: f64, supernodes: Vec<(u32, Block)>) {
        match self.deferred.iter_mut().find(|l| l.0 == smoothness) {
            Some((_, earlier)) => *earlier = older_of(std::mem::take(earlier), supernodes),
            None => self.deferred.push((smoothness, supernodes)),
        }
    }
}

/// What new drivers change.
struct Edit {
    /// The keys whose bones or magnitudes are others.
    keys: Vec<JointIndex>,
    /// The keys whose smoothness is another.
    smoother: Vec<JointIndex>,
    /// The keys that have no bones any more.
    gone: Vec<JointIndex>,
    /// For each key whether its bones or magnitude are others; none if all sources may be others.
    changed: Option<Vec<bool>>,
}

/// How much work an update was.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Work {
    pub positions: usize,
    pub joints: usize,
}

impl HeatField {
    /// Binds a skin whose joints are keys.
    /// `parts` is Π by position, found from the sources if none.
    pub fn new(
        domain: HeatDomain,
        handles: Vec<HeatHandle>,
        parts: Option<Vec<JointKey>>,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let binding = HeatBinding::new(domain, &HeatForm::default(), &handles, task)?;
        let mut rows = binding.rows(task)?;
        for row in &mut rows {
            row.sort_unstable_by_key(|i| i.joint);
        }
        let (surface, sources) = binding.into_surface();
        let found: Vec<HeatSource> = (0..rows.len())
            .map(|p| HeatSource {
                cost: sources.cost[p],
                seen: sources.seen[p],
                joints: sources.of_position(p).iter().map(|s| s.0).collect(),
            })
            .collect();
        let heat: Vec<f64> = surface
            .areas
            .iter()
            .zip(&sources.heat)
            .map(|(a, h)| a * h)
            .collect();
        let nearest =
            |f: &HeatSource| JointKey::of_solver(f.joints.first().copied().unwrap_or(JointIndex(0)));
        let least_heat =
            (LEAST_HEAT * heat.iter().sum::<f64>() / heat.len().max(1) as f64).max(f64::MIN_POSITIVE);
        // Else the first edit would wait for it.
        let operator = Operator::of(&surface, 0.0, &counted(&heat, least_heat), &[])?;
        let supernodes = Grouping::of(operator.factor.in_order().to_vec(), operator.factor.supernodes());
        Ok(Self {
            parts: parts.unwrap_or_else(|| found.iter().map(nearest).collect()),
            operators: vec![operator],
            magnitudes: handles.iter().map(|h| h.magnitude).collect(),
            handles,
            extents: surface.extents(&found),
            found,
            least_heat,
            heat,
            rows: GroupedRows::new(Arc::new(supernodes), |position, list| {
                list.extend_from_slice(&rows[position]);
            }),
            surface,
        })
    }

    /// The skin and its bones; its joints are keys.
    pub fn domain(&self) -> &HeatDomain {
        &self.surface.domain
    }

    /// All weights of each position, joints ascending.
    pub fn rows(&self) -> &GroupedRows {
        &self.rows
    }

    /// Calls `each` with the keys that heat a position and their shares.
    fn for_shares(&self, position: usize, mut each: impl FnMut(JointIndex, f64)) {
        let joints = &self.found[position].joints;
        let sum: f64 = joints.iter().map(|j| self.magnitudes[j.at()]).sum();
        for &joint in joints {
            each(joint, self.magnitudes[joint.at()] / sum);
        }
    }

    /// Follows other drivers; on an error nothing has changed.
    pub fn update(
        &mut self,
        drivers: Drivers,
        remap: &JointRemap,
        spread: &Spread,
        task: &Task<'_>,
    ) -> Result<(HeatChange, Work), BindError> {
        let mut change = HeatChange {
            drivers,
            found: Vec::new(),
            rows: Vec::new(),
            parts: self.other_parts(remap),
            deferred: Vec::new(),
        };
        let edit = self.compared(&change.drivers);
        self.swap_drivers(&mut change.drivers);
        self.swap_parts(&mut change.parts);
        match self.follow(&mut change, &edit, spread, task) {
            Ok(work) => Ok((change, work)),
            Err(error) => {
                self.swap(&mut change);
                Err(error)
            }
        }
    }

    /// Takes a change back, or makes it again.
    pub fn swap(&mut self, change: &mut HeatChange) {
        self.swap_drivers(&mut change.drivers);
        self.swap_parts(&mut change.parts);
        self.swap_found(&mut change.found);
        self.rows.swap(&mut change.rows);
        for (smoothness, supernodes) in &mut change.deferred {
            let own = self.operators.iter_mut().find(|o| o.smoothness == *smoothness);
            // An operator that was made anew since has left out nothing.
            if let Some(operator) = own {
                operator.deferred.swap(supernodes);
            }
        }
    }

    fn swap_drivers(&mut self, drivers: &mut Drivers) {
        let domain = &mut self.surface.domain;
        std::mem::swap(&mut domain.bones, &mut drivers.bones);
        std::mem::swap(&mut domain.masks, &mut drivers.masks);
        std::mem::swap(&mut self.handles, &mut drivers.handles);
        domain.joint_count = self.handles.len();
        self.magnitudes = self.handles.iter().map(|h| h.magnitude).collect();
    }

    fn swap_parts(&mut self, parts: &mut [(u32, JointKey)]) {
        for (position, key) in parts {
            std::mem::swap(&mut self.parts[*position as usize], key);
        }
    }

    /// Π after keys came and went (Bang et al., inserting and deleting joints): a new key takes the border of
    /// the upper part towards the lower one, the one that it is merged into takes all.
    fn other_parts(&self, remap: &JointRemap) -> Vec<(u32, JointKey)> {
        let mut other = Vec::new();
        if remap.merged.is_empty() && remap.inserted.is_empty() {
            return other;
        }
        for (position, &part) in (0..).zip(&self.parts) {
            if let Some(&(_, into)) = remap.merged.iter().find(|m| m.0 == part) {
                other.push((position, into));
            }
            for &(new, upper, lower) in &remap.inserted {
                let mut around = self.surface.laplacian.row(position as usize);
                if part == upper && around.any(|(to, _)| self.parts[to as usize] == lower) {
                    other.push((position, new));
                }
            }
        }
        other
    }

    fn swap_found(&mut self, found: &mut [(u32, HeatSource)]) {
        for (position, found) in found.iter_mut() {
            std::mem::swap(&mut self.found[*position as usize], found);
        }
        let positions: Vec<u32> = found.iter().map(|f| f.0).collect();
        self.refresh_heat(&positions);
    }

    /// What follows from what was found at positions.
    fn refresh_heat(&mut self, positions: &[u32]) {
        let (form, diagonal) = (HeatForm::default(), self.surface.domain.skin.diagonal());
        for &p in positions {
            let p = p as usize;
            let (_, heat) = self.found[p].radiated(&self.magnitudes, &form, diagonal);
            self.heat[p] = self.surface.areas[p] * heat;
        }
        (self.surface).refresh_extents(positions, &self.found, &mut self.extents);
    }

    /// What new drivers change. (Keys that are new or gone concern nobody but those who have
    /// them for a source.)
    fn compared(&self, new: &Drivers) -> Edit {
        let domain = &self.surface.domain;
        let keys = new.handles.len().max(self.handles.len());
        let old_shapes = shapes_of_keys(&domain.bones, keys);
        let new_shapes = shapes_of_keys(&new.bones, keys);
        let magnitude = |handles: &[HeatHandle], k: usize| handles.get(k).map_or(1.0, |h| h.magnitude);
        let changed: Vec<bool> = (0..keys)
            .map(|k| {
                old_shapes[k] != new_shapes[k] || magnitude(&self.handles, k) != magnitude(&new.handles, k)
            })
            .collect();
        let edited = |k: &usize| changed[*k];
        let mut edit = Edit {
            keys: (0..keys).filter(edited).map(|k| JointIndex(k as u16)).collect(),
            smoother: self.other_smoothness(new),
            gone: self.gone(new),
            changed: None,
        };
        let both = self.handles.len().min(new.handles.len());
        let same_sets = |(a, b): (&Vec<bool>, &Vec<bool>)| (0..both).all(|k| a[k] == b[k] || changed[k]);
        let (now, then) = (&domain.masks, &new.masks);
        let same_rules = now.of_points() == then.of_points()
            && now.sets().len() == then.sets().len()
            && now.sets().iter().zip(then.sets()).all(same_sets);
        edit.changed = same_rules.then_some(changed);
        edit
    }

    /// The keys whose smoothness is another.
    fn other_smoothness(&self, new: &Drivers) -> Vec<JointIndex> {
        let pairs = self.handles.iter().zip(&new.handles).zip(0..);
        pairs
            .filter(|((old, new), _)| old.smoothness != new.smoothness)
            .map(|(_, key)| JointIndex(key))
            .collect()
    }

    /// The keys that have no bones any more.
    fn gone(&self, new: &Drivers) -> Vec<JointIndex> {
        let mut keys: Vec<JointIndex> = self.surface.domain.bones.iter().map(|b| b.joint).collect();
        keys.dedup();
        keys.retain(|&k| !new.bones.iter().any(|b| b.joint == k));
        keys
    }

    fn follow(
        &mut self,
        change: &mut HeatChange,
        edit: &Edit,
        spread: &Spread,
        task: &Task<'_>,
    ) -> Result<Work, BindError> {
        let changed = edit.changed.as_deref();
        let found = (self.surface).sources_again(changed, &self.found, &self.extents, &self.magnitudes);
        task.check()?;
        change.found = found;
        let old_heat: Vec<f64> = (change.found.iter().map(|f| self.heat[f.0 as usize])).collect();
        self.swap_found(&mut change.found);
        if !edit.gone.is_empty() {
            self.forget(&edit.gone, change);
        }
        let around = self.around(&edit.smoother);
        let cooled = self.cooled(&change.found, &old_heat);
        let mut groups: Vec<f64> = self.handles.iter().map(|h| h.smoothness).collect();
        groups.sort_by(f64::total_cmp);
        groups.dedup();
        for &smoothness in &groups {
            self.prepare_operator(smoothness)?;
        }
        self.forget_deferred(&edit.smoother, change);
        // Factors are large.
        self.operators.retain(|o| groups.contains(&o.smoothness));
        let mut operators = std::mem::take(&mut self.operators);
        let (followed, differences) = rayon::join(
            || self.factorise(&mut operators, spread.growth),
            || self.differences(&change.found, &old_heat, &change.drivers.handles),
        );
        self.operators = operators;
        followed?;
        task.check()?;
        let mut work = Work::default();
        let mut solved_at = vec![false; self.rows.len()];
        for &smoothness in &groups {
            let own: Vec<bool> = self.handles.iter().map(|h| h.smoothness == smoothness).collect();
            let Some(operator) = self.operators.iter().find(|o| o.smoothness == smoothness) else {
                continue;
            };
            let mut solved = match spread.growth {
                Growth::Tolerance => {
                    let again = |j: JointIndex| edit.smoother.contains(&j);
                    // Keys that are gone have no weights any more.
                    let still = |j: JointIndex| own[j.at()] && !again(j) && !edit.gone.contains(&j);
                    let steady: Vec<bool> = (0..own.len() as u16).map(JointIndex).map(still).collect();
                    let mut others = residuals(self, operator, &steady, &cooled);
                    let smoother = (0..).map(JointIndex).zip(&own);
                    let smoother: Vec<bool> = smoother.map(|(j, &o)| o && again(j)).collect();
                    others.extend(residuals(self, operator, &smoother, &around));
                    let wanted = |side: &&Side| steady[side.joint.at()];
                    let sides = differences.iter().flatten().filter(wanted).chain(&others);
                    significant::solve(self, operator, sides, spread.tolerance)
                }
                Growth::Rings => {
                    let differ = differences.iter().flatten().map(|d| d.position);
                    let mut changed: Vec<u32> = differ.chain(cooled.iter().chain(&around).copied()).collect();
                    changed.sort_unstable();
                    changed.dedup();
                    {
                        let keys: Vec<JointKey> = edit.keys.iter().map(|&k| JointKey::of_solver(k)).collect();
                        rings::solve(self, operator, &own, &changed, &keys, task)?
                    }
                }
            };
            work.joints += solved.joints;
            for &position in &solved.positions {
                solved_at[position as usize] = true;
            }
            self.put(solved.groups, change);
            let own = self.operators.iter_mut().find(|o| o.smoothness == smoothness);
            if let Some(operator) = own {
                operator.deferred.swap(&mut solved.deferred);
                change.keep_deferred(smoothness, solved.deferred);
            }
        }
        work.positions = solved_at.iter().filter(|s| **s).count();
        Ok(work)
    }

    /// The positions that are heated less than before by a factor that matters.
    fn cooled(&self, searched: &[(u32, HeatSource)], old_heat: &[f64]) -> Vec<u32> {
        let pairs = searched.iter().map(|s| s.0).zip(old_heat);
        pairs
            .filter(|&(p, &old)| self.has_cooled(p, old))
            .map(|(p, _)| p)
            .collect()
    }

    /// Whether a position is: a negligible weight that is not kept counts for much times the heat of a
    /// bone that was on the skin, so that ΔA·w is not known there.
    fn has_cooled(&self, position: u32, old_heat: f64) -> bool {
        old_heat > COOLED * self.heat[position as usize]
    }

    /// Δb − ΔA·w where heat or sources changed and did not cool, in several lists. `found` and
    /// `handles` are the old ones.
    fn differences(
        &self,
        found: &[(u32, HeatSource)],
        old_heat: &[f64],
        handles: &[HeatHandle],
    ) -> Vec<Vec<Side>> {
        let magnitude = |j: &JointIndex| handles.get(j.at()).map_or(1.0, |h| h.magnitude);
        let differences = |(found, old_heat): (&[(u32, HeatSource)], &[f64])| {
            let mut differences: Vec<Side> = Vec::new();
            let mut sources: Vec<(JointIndex, f64)> = Vec::new();
            for ((position, old), &old_heat) in found.iter().zip(old_heat) {
                let at = *position as usize;
                let heat = self.heat[at];
                let is_same = heat == old_heat && self.found[at].joints == old.joints;
                if is_same || self.has_cooled(*position, old_heat) {
                    continue;
                }
                let mut add = |joint: JointIndex, value: f64| {
                    if value.abs() >= INSIGNIFICANT * heat {
                        differences.push(Side {
                            joint,
                            position: *position,
                            value,
                        });
                    }
                };
                sources.clear();
                self.for_shares(at, |joint, fraction| sources.push((joint, heat * fraction)));
                let sum: f64 = old.joints.iter().map(magnitude).sum();
                sources.extend(old.joints.iter().map(|j| (*j, -old_heat * magnitude(j) / sum)));
                for i in self.rows.row(at) {
                    let cooler = (old_heat - heat) * f64::from(i.weight);
                    let own = sources.extract_if(.., |s| s.0 == i.joint);
                    add(i.joint, own.fold(cooler, |sum, s| sum + s.1));
                }
                for &(joint, value) in &sources {
                    add(joint, value);
                }
            }
            differences
        };
        found
            .par_chunks(CHUNK)
            .zip(old_heat.par_chunks(CHUNK))
            .map(differences)
            .collect()
    }

    fn prepare_operator(&mut self, smoothness: f64) -> Result<(), BindError> {
        if !self.operators.iter().any(|o| o.smoothness == smoothness) {
            let operator = Operator::of(&self.surface, smoothness, &self.counted_heat(), &self.operators)?;
            self.operators.push(operator);
        }
        Ok(())
    }

    fn counted_heat(&self) -> Vec<f64> {
        counted(&self.heat, self.least_heat)
    }

    /// Has factors follow the heat, if they are used.
    fn factorise(&self, operators: &mut [Operator], growth: Growth) -> Result<(), BindError> {
        if growth != Growth::Tolerance {
            return Ok(());
        }
        let heat = self.counted_heat();
        for operator in operators {
            operator.factor.follow(&heat)?;
        }
        Ok(())
    }

    /// Puts groups of rows in place and the old ones into the change.
    fn put(&mut self, mut groups: Vec<(u32, RowGroup)>, change: &mut HeatChange) {
        self.rows.swap(&mut groups);
        change.rows = match change.rows.is_empty() {
            true => groups,
            false => older_of(std::mem::take(&mut change.rows), groups),
        };
    }

    /// Takes keys out of what is left out: where they are solved for anew, nothing is.
    fn forget_deferred(&mut self, keys: &[JointIndex], change: &mut HeatChange) {
        if keys.is_empty() {
            return;
        }
        let columns: Vec<u16> = keys.iter().map(|k| k.0).collect();
        for operator in &mut self.operators {
            let mut supernodes = operator.deferred.without(&columns);
            operator.deferred.swap(&mut supernodes);
            change.keep_deferred(operator.smoothness, supernodes);
        }
    }

    /// Takes keys out of all rows.
    fn forget(&mut self, gone: &[JointIndex], change: &mut HeatChange) {
        let is_gone = |i: &Influence| gone.contains(&i.joint);
        let concerned = (self.rows.groups()).filter(|(_, group)| group.influences().iter().any(is_gone));
        let without = |(index, group): (u32, &RowGroup)| {
            let mut kept = RowGroup::default();
            for row in group.rows() {
                kept.push_with(|list| list.extend(row.iter().copied().filter(|i| !is_gone(i))));
            }
            (index, kept.tight())
        };
        let groups = concerned.map(without).collect();
        self.put(groups, change);
    }

    /// The positions that follow one of the keys, and those two edges around them.
    fn around(&self, keys: &[JointIndex]) -> Vec<u32> {
        if keys.is_empty() {
            return Vec::new();
        }
        let mut marked: Vec<bool> = self
            .rows
            .iter()
            .map(|row| row.iter().any(|i| keys.contains(&i.joint)))
            .collect();
        for _ in 0..2 {
            let inner: Vec<usize> = (0..marked.len()).filter(|&p| marked[p]).collect();
            for p in inner {
                for (to, _) in self.surface.laplacian.row(p) {
                    marked[to as usize] = true;
                }
            }
        }
        (0..marked.len() as u32).filter(|&p| marked[p as usize]).collect()
    }
}

fn counted(heat: &[f64], least: f64) -> Vec<f64> {
    heat.iter().map(|h| h.max(least)).collect()
}

/// For each key the shapes of its bones.
fn shapes_of_keys(bones: &[Bone], keys: usize) -> Vec<Vec<&BoneShape>> {
    let mut shapes = vec![Vec::new(); keys];
    for bone in bones {
        shapes[bone.joint.at()].push(&bone.shape);
    }
    shapes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::BindOptions;
    use crate::skin::Skin;

    fn field_of(sample: &str) -> HeatField {
        let character = crate::sample::make(sample).unwrap();
        let skin = Skin::new(character).unwrap();
        let domain = HeatDomain::new(&skin, &BindOptions::default()).unwrap();
        let handles = vec![HeatHandle::default(); domain.joint_count];
        HeatField::new(domain, handles, None, &Task::unattended()).unwrap()
    }

    /// Drivers as they are, with every seventh bone moved along by a fraction of the diagonal.
    fn moved(field: &HeatField, fraction: f64) -> Drivers {
        let domain = field.domain();
        let mut bones = domain.bones.clone();
        for bone in bones.iter_mut().step_by(7) {
            if let BoneShape::Segment { head, tail } = &mut bone.shape {
                *head += fraction * domain.skin.diagonal();
                *tail += fraction * domain.skin.diagonal();
            }
        }
        Drivers {
            bones,
            handles: field.handles.clone(),
            masks: domain.masks.clone(),
        }
    }

    fn update(field: &mut HeatField, drivers: Drivers) -> HeatChange {
        let spread = Spread {
            tolerance: 1e-3,
            growth: Growth::Tolerance,
        };
        let updated = field.update(drivers, &JointRemap::default(), &spread, &Task::unattended());
        updated.unwrap().0
    }

    #[test]
    fn what_is_kept_beside_weights_follows_and_comes_back() {
        let mut field = field_of("hound@3000");
        let state = |field: &HeatField| (field.extents.clone(), field.operators[0].deferred.clone());
        let before = state(&field);
        let drivers = moved(&field, 0.004);
        let first = update(&mut field, drivers);
        let between = state(&field);
        let drivers = moved(&field, 0.003);
        let second = update(&mut field, drivers);
        assert_eq!(field.extents, field.surface.extents(&field.found));
        let after = state(&field);
        assert!(before.0 != between.0 && between.0 != after.0);
        assert!(before.1 != between.1 && between.1 != after.1);
        let mut joined = first.joined(second);
        field.swap(&mut joined);
        assert!(state(&field) == before);
        field.swap(&mut joined);
        assert!(state(&field) == after);
    }

    #[test]
    fn nothing_is_left_out_of_joints_that_are_solved_for_anew() {
        let mut field = field_of("hound@3000");
        let drivers = moved(&field, 0.004);
        update(&mut field, drivers);
        let deferred = |field: &HeatField, key: usize| {
            let operator = field.operators.iter().find(|o| o.smoothness == 0.0).unwrap();
            !operator.deferred.without(&[key as u16]).is_empty()
        };
        let key = (0..field.handles.len()).find(|&k| deferred(&field, k)).unwrap();
        let mut drivers = moved(&field, 0.0);
        drivers.handles[key].smoothness = 0.3;
        let mut change = update(&mut field, drivers);
        assert!(!deferred(&field, key));
        field.swap(&mut change);
        assert!(deferred(&field, key));
    }

    #[test]
    fn skin_that_no_bone_heats_has_an_answer() {
        let mut field = field_of("hound@800");
        field.heat.fill(0.0);
        let mut operators = std::mem::take(&mut field.operators);
        assert!(field.factorise(&mut operators, Growth::Tolerance).is_ok());
    }
}
