//! Heat weights that follow an edit at once.
//!
//! What a command changes is found by comparing bones: only positions whose source is a
//! changed bone, or could become one, look for their source again ([`nearby`]); only where
//! that changed H or p is the system different; and only as far as that is felt
//! ([`region`]) are weights solved again ([`local`]).

mod local;
mod nearby;
mod operator;
mod region;
mod rings;

use crate::bind::BindError;
use crate::bind::heat::{Found, HeatBinding, HeatForm, HeatHandle, HeatSkin, HeatSurface};
use crate::character::{Bone, BoneShape, Influence, JointIndex};
use crate::task::Task;

use super::rig_state::Key;
use super::session::Growth;
use local::Residual;
use nearby::Groups;
use operator::Operator;

/// Where heat falls by more than this factor, faint weights that are not kept would be missed.
const COOLED: f64 = 2.0;

/// All weights of a position, joints ascending.
pub(super) type Row = Box<[Influence]>;

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
pub(super) struct Kin {
    /// A key that is gone, and the one that has its skin.
    pub heirs: Vec<(Key, Key)>,
    /// A new key, the one above it and the one below.
    pub inserted: Vec<(Key, Key, Key)>,
}

/// What a command may change of a skin's heat.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Drivers {
    /// The bones, a joint's together; joints are keys here, not places in the skeleton.
    pub bones: Vec<Bone>,
    /// For each key how its joint's heat is handled.
    pub handles: Vec<HeatHandle>,
    /// Sets of keys that a position may follow.
    pub allowed: Vec<Vec<bool>>,
    /// For each position, which of the sets holds.
    pub allowed_of_position: Vec<u16>,
}

/// Sources and weights of a skin, kept up to date.
#[derive(Debug)]
pub(super) struct HeatField {
    surface: HeatSurface,
    /// For each position when its unknown is eliminated.
    ranks: Vec<u32>,
    groups: Groups,
    operators: Vec<Operator>,
    handles: Vec<HeatHandle>,
    magnitudes: Vec<f64>,
    found: Vec<Found>,
    costs: Vec<f64>,
    /// M·H.
    heat: Vec<f64>,
    rows: Vec<Row>,
    /// What earlier solves left over.
    left_over: Vec<Residual>,
    /// Π: for each position the key whose part of the body it is.
    parts: Vec<Key>,
}

/// What an update did, and how to take it back.
#[derive(Debug)]
pub(super) struct HeatChange {
    drivers: Drivers,
    found: Vec<(u32, Found)>,
    /// The rows that changed, positions ascending.
    pub rows: Vec<(u32, Row)>,
    left_over: Vec<Residual>,
    parts: Vec<(u32, Key)>,
}

impl HeatChange {
    /// Both changes as one, `later` made after this one.
    pub fn joined(self, later: Self) -> Self {
        Self {
            drivers: self.drivers,
            found: older_of(self.found, later.found),
            rows: older_of(self.rows, later.rows),
            left_over: self.left_over,
            parts: older_of(self.parts, later.parts),
        }
    }
}

/// What was replaced at positions by two changes: what was there first. Both ascend.
pub(super) fn older_of<T>(mut earlier: Vec<(u32, T)>, later: Vec<(u32, T)>) -> Vec<(u32, T)> {
    earlier.extend(later);
    earlier.sort_by_key(|e| e.0); // stable: the earlier come first
    earlier.dedup_by_key(|e| e.0);
    earlier
}

/// What new drivers change.
struct Edit {
    /// The keys whose bones or magnitudes are others.
    keys: Vec<Key>,
    /// The keys whose smoothness is another.
    smoother: Vec<Key>,
    /// The keys that have no bones any more.
    gone: Vec<Key>,
    /// The positions whose sources may be others, ascending.
    searched: Vec<u32>,
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
        skin: HeatSkin,
        handles: Vec<HeatHandle>,
        parts: Option<Vec<Key>>,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let binding = HeatBinding::prepare(skin, &HeatForm::default(), &handles, task)?;
        let rows: Vec<Row> = binding
            .rows(task)?
            .into_iter()
            .map(|mut row| {
                row.sort_unstable_by_key(|i| i.joint);
                row.into()
            })
            .collect();
        let (surface, sources) = binding.into_surface();
        let found: Vec<Found> = (0..rows.len())
            .map(|p| Found {
                cost: sources.cost[p],
                seen: sources.seen[p],
                joints: sources.of_position(p).iter().map(|s| s.0).collect(),
            })
            .collect();
        let heat = surface
            .areas
            .iter()
            .zip(&sources.heat)
            .map(|(a, h)| a * h)
            .collect();
        let nearest = |f: &Found| f.joints.first().copied().unwrap_or(JointIndex(0));
        let mut field = Self {
            parts: parts.unwrap_or_else(|| found.iter().map(nearest).collect()),
            ranks: surface.order.ranks(),
            groups: Groups::of(&surface.skin),
            operators: Vec::new(),
            magnitudes: handles.iter().map(|h| h.magnitude).collect(),
            handles,
            costs: sources.cost,
            found,
            heat,
            rows,
            left_over: Vec::new(),
            surface,
        };
        // Else the first edit would wait for it.
        field.prepare_operator(0.0);
        Ok(field)
    }

    /// The skin; its joints are keys.
    pub fn skin(&self) -> &HeatSkin {
        &self.surface.skin
    }

    /// All weights of each position, joints ascending.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    fn joint_count(&self) -> usize {
        self.surface.skin.joint_count
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
        kin: &Kin,
        spread: &Spread,
        task: &Task<'_>,
    ) -> Result<(HeatChange, Work), BindError> {
        let mut change = HeatChange {
            drivers,
            found: Vec::new(),
            rows: Vec::new(),
            left_over: self.left_over.clone(),
            parts: self.other_parts(kin),
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
        for (position, row) in &mut change.rows {
            std::mem::swap(&mut self.rows[*position as usize], row);
        }
        std::mem::swap(&mut self.left_over, &mut change.left_over);
    }

    fn swap_drivers(&mut self, drivers: &mut Drivers) {
        let skin = &mut self.surface.skin;
        std::mem::swap(&mut skin.bones, &mut drivers.bones);
        std::mem::swap(&mut skin.allowed, &mut drivers.allowed);
        std::mem::swap(&mut skin.allowed_of_position, &mut drivers.allowed_of_position);
        std::mem::swap(&mut self.handles, &mut drivers.handles);
        skin.joint_count = self.handles.len();
        self.magnitudes = self.handles.iter().map(|h| h.magnitude).collect();
    }

    fn swap_parts(&mut self, parts: &mut [(u32, Key)]) {
        for (position, key) in parts {
            std::mem::swap(&mut self.parts[*position as usize], key);
        }
    }

    /// Π after keys came and went (seed 003, section 3.2.2): a new key takes the border of
    /// the upper part towards the lower one, an heir takes all.
    fn other_parts(&self, kin: &Kin) -> Vec<(u32, Key)> {
        let mut other = Vec::new();
        for (position, &part) in (0..).zip(&self.parts) {
            if let Some(&(_, heir)) = kin.heirs.iter().find(|h| h.0 == part) {
                other.push((position, heir));
            }
            for &(new, upper, lower) in &kin.inserted {
                let mut around = self.surface.laplacian.row(position as usize);
                if part == upper && around.any(|(to, _)| self.parts[to as usize] == lower) {
                    other.push((position, new));
                }
            }
        }
        other
    }

    fn swap_found(&mut self, found: &mut [(u32, Found)]) {
        for (position, found) in found.iter_mut() {
            std::mem::swap(&mut self.found[*position as usize], found);
        }
        let positions: Vec<u32> = found.iter().map(|f| f.0).collect();
        self.refresh_heat(&positions);
    }

    /// Costs and heat of positions from what was found there.
    fn refresh_heat(&mut self, positions: &[u32]) {
        let (form, diagonal) = (HeatForm::default(), self.surface.skin.body.diagonal);
        for &p in positions {
            let p = p as usize;
            self.costs[p] = self.found[p].cost;
            let (_, heat) = self.found[p].radiated(&self.magnitudes, &form, diagonal);
            self.heat[p] = self.surface.areas[p] * heat;
        }
    }

    /// What new drivers change. (Keys that are new or gone concern nobody but those who have
    /// them for a source.)
    fn compared(&self, new: &Drivers) -> Edit {
        let skin = &self.surface.skin;
        let keys = new.handles.len().max(self.handles.len());
        let old_shapes = shapes_of_keys(&skin.bones, keys);
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
            searched: Vec::new(),
        };
        let both = self.handles.len().min(new.handles.len());
        let same_sets = |(a, b): (&Vec<bool>, &Vec<bool>)| (0..both).all(|k| a[k] == b[k] || changed[k]);
        let same_rules = skin.allowed_of_position == new.allowed_of_position
            && skin.allowed.len() == new.allowed.len()
            && skin.allowed.iter().zip(&new.allowed).all(same_sets);
        if !same_rules {
            edit.searched = (0..self.rows.len() as u32).collect();
            return edit;
        }
        let mut marked: Vec<bool> = self
            .found
            .iter()
            .map(|found| found.joints.iter().any(|j| changed[j.at()]))
            .collect();
        let shapes: Vec<&BoneShape> = (0..keys)
            .filter(edited)
            .flat_map(|k| new_shapes[k].iter().copied())
            .collect();
        for position in self.groups.within(skin, &shapes, &self.costs) {
            marked[position as usize] = true;
        }
        edit.searched = (0..marked.len() as u32).filter(|&p| marked[p as usize]).collect();
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
        let mut keys: Vec<JointIndex> = self.surface.skin.bones.iter().map(|b| b.joint).collect();
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
        let searched = &edit.searched;
        let found = self.surface.sources_at(searched, &self.magnitudes);
        task.check()?;
        let old_heat: Vec<f64> = searched.iter().map(|&p| self.heat[p as usize]).collect();
        change.found = searched.iter().copied().zip(found).collect();
        self.swap_found(&mut change.found);
        if !edit.gone.is_empty() {
            self.forget(&edit.gone, change);
        }
        let around = self.around(&edit.smoother);
        let cooled = self.cooled(searched, &old_heat);
        let mut residuals = self.differences(&change.found, &old_heat, &change.drivers.handles, edit);
        if spread.growth == Growth::Felt {
            residuals.retain(|r| cooled.binary_search(&r.position).is_err());
        }

        let mut groups: Vec<f64> = self.handles.iter().map(|h| h.smoothness).collect();
        groups.sort_by(f64::total_cmp);
        groups.dedup();
        let (mut work, mut region) = (Work::default(), Vec::new());
        let mut left_over: Vec<Residual> = Vec::new();
        for smoothness in groups {
            self.prepare_operator(smoothness);
            let own: Vec<bool> = self.handles.iter().map(|h| h.smoothness == smoothness).collect();
            let Some(operator) = self.operators.iter().find(|o| o.smoothness == smoothness) else {
                continue;
            };
            let solved = match spread.growth {
                Growth::Felt => {
                    let again = |j: JointIndex| edit.smoother.contains(&j);
                    let mut sides: Vec<Residual> = only(&residuals, |j| own[j.at()] && !again(j));
                    // Keys that are gone take what they left over along.
                    let still = |j: JointIndex| own[j.at()] && !again(j) && !edit.gone.contains(&j);
                    let mut earlier = only(&self.left_over, still);
                    earlier.retain(|r| cooled.binary_search(&r.position).is_err());
                    sides.extend(earlier);
                    if !cooled.is_empty() {
                        let steady: Vec<bool> = (0..own.len() as u16).map(JointIndex).map(still).collect();
                        sides.extend(local::residuals(self, operator, &steady, &cooled));
                    }
                    if !around.is_empty() {
                        let whole: Vec<bool> = (0..)
                            .map(JointIndex)
                            .zip(&own)
                            .map(|(j, &o)| o && again(j))
                            .collect();
                        sides.extend(local::residuals(self, operator, &whole, &around));
                    }
                    local::solve(self, operator, merged(sides), spread.tolerance, task)?
                }
                Growth::Rings => {
                    let mut changed: Vec<u32> = residuals.iter().map(|r| r.position).collect();
                    changed.extend(&around);
                    changed.sort_unstable();
                    changed.dedup();
                    rings::solve(self, operator, &own, &changed, &edit.keys, task)?
                }
            };
            work.joints += solved.joints;
            region.extend(solved.region);
            left_over.extend(solved.left_over);
            self.put(solved.rows, change);
        }
        region.sort_unstable();
        region.dedup();
        work.positions = region.len();
        self.left_over = left_over;
        Ok(work)
    }

    /// The positions that are heated less than before by a factor that matters: a weight too
    /// faint to be kept counts for much times the heat of a bone that was on the skin, so
    /// that ΔA·w is not known there.
    fn cooled(&self, searched: &[u32], old_heat: &[f64]) -> Vec<u32> {
        let pairs = searched.iter().zip(old_heat);
        pairs
            .filter(|&(&p, &old)| old > COOLED * self.heat[p as usize])
            .map(|(&p, _)| p)
            .collect()
    }

    /// Δb − ΔA·w where heat or sources changed. `found` and `handles` are the old ones.
    fn differences(
        &self,
        found: &[(u32, Found)],
        old_heat: &[f64],
        handles: &[HeatHandle],
        edit: &Edit,
    ) -> Vec<Residual> {
        let mut residuals = Vec::new();
        let mut sides: Vec<(JointIndex, f64)> = Vec::new();
        for ((position, old), &old_heat) in found.iter().zip(old_heat) {
            let at = *position as usize;
            let heat = self.heat[at];
            if heat == old_heat && self.found[at].joints == old.joints {
                continue;
            }
            sides.clear();
            self.for_shares(at, |joint, share| sides.push((joint, heat * share)));
            let magnitude = |j: &JointIndex| handles.get(j.at()).map_or(1.0, |h| h.magnitude);
            let sum: f64 = old.joints.iter().map(magnitude).sum();
            sides.extend(old.joints.iter().map(|j| (*j, -old_heat * magnitude(j) / sum)));
            let weights = self.rows[at].iter();
            sides.extend(weights.map(|i| (i.joint, (old_heat - heat) * f64::from(i.weight))));
            sides.retain(|s| !edit.gone.contains(&s.0));
            residuals.push(Residual {
                position: *position,
                of_joints: summed(&mut sides),
                in_area: true,
            });
        }
        residuals
    }

    fn prepare_operator(&mut self, smoothness: f64) {
        if !self.operators.iter().any(|o| o.smoothness == smoothness) {
            self.operators.push(Operator::of(&self.surface, smoothness));
        }
    }

    /// Puts rows in place and the old ones into the change.
    fn put(&mut self, rows: Vec<(u32, Row)>, change: &mut HeatChange) {
        change.rows.extend(rows.into_iter().map(|(position, mut row)| {
            std::mem::swap(&mut self.rows[position as usize], &mut row);
            (position, row)
        }));
        // The first row that was replaced is the one to go back to; the sort is stable.
        change.rows.sort_by_key(|r| r.0);
        change.rows.dedup_by_key(|r| r.0);
    }

    /// Takes keys out of all rows.
    fn forget(&mut self, gone: &[JointIndex], change: &mut HeatChange) {
        let without: Vec<(u32, Row)> = self
            .rows
            .iter()
            .zip(0..)
            .filter(|(row, _)| row.iter().any(|i| gone.contains(&i.joint)))
            .map(|(row, position)| {
                let kept = row.iter().copied().filter(|i| !gone.contains(&i.joint));
                (position, kept.collect())
            })
            .collect();
        self.put(without, change);
    }

    /// The positions that follow one of the keys, and those two edges around them.
    fn around(&self, keys: &[JointIndex]) -> Vec<u32> {
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

/// Sums by joint, joints ascending.
fn summed(sides: &mut [(JointIndex, f64)]) -> Vec<(JointIndex, f64)> {
    sides.sort_by_key(|s| s.0); // stable: sums do not depend on anything else
    let mut sums: Vec<(JointIndex, f64)> = Vec::with_capacity(sides.len());
    for &(joint, value) in sides.iter() {
        match sums.last_mut() {
            Some(last) if last.0 == joint => last.1 += value,
            _ => sums.push((joint, value)),
        }
    }
    sums
}

/// The right-hand sides of some joints.
fn only(residuals: &[Residual], wanted: impl Fn(JointIndex) -> bool) -> Vec<Residual> {
    residuals
        .iter()
        .map(|r| Residual {
            of_joints: r.of_joints.iter().copied().filter(|s| wanted(s.0)).collect(),
            ..*r
        })
        .filter(|r| !r.of_joints.is_empty())
        .collect()
}

/// Right-hand sides at the same position as one.
fn merged(mut residuals: Vec<Residual>) -> Vec<Residual> {
    residuals.sort_by_key(|r| r.position);
    let mut merged: Vec<Residual> = Vec::with_capacity(residuals.len());
    for mut residual in residuals {
        match merged.last_mut() {
            Some(last) if last.position == residual.position => {
                last.of_joints.append(&mut residual.of_joints);
                last.of_joints = summed(&mut last.of_joints);
                last.in_area |= residual.in_area;
            }
            _ => merged.push(residual),
        }
    }
    merged
}

/// For each key the shapes of its bones.
fn shapes_of_keys(bones: &[Bone], keys: usize) -> Vec<Vec<&BoneShape>> {
    let mut shapes = vec![Vec::new(); keys];
    for bone in bones {
        shapes[bone.joint.at()].push(&bone.shape);
    }
    shapes
}
