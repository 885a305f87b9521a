//! The two baselines that every package ships: weights that fall with a power of the straight distance to the bones.
//!
//! They need nothing of the mesh, so they always answer, and know nothing of the mesh, so they bleed or tear where the
//! nearest bone is the wrong one. [`closest()`] and [`hierarchy()`] differ in which joints share a point.

mod closest;
mod hierarchy;

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::rules::Rules;
use super::{BindError, BindResult};
use crate::character::{Bone, Influence, JointIndex, LEAF_STUB, Weights, WeightsBuilder, bones_of};
use crate::task::Task;

pub(super) use closest::closest;
pub(super) use hierarchy::hierarchy;

/// Points handled between two looks at the cancel flag; a few milliseconds of work.
const CHUNK: usize = 1024;

/// How weights fall with the straight distance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProximityOptions {
    /// The power of the distance by which weights fall, over 0. Raising it makes borders between joints sharper.
    pub power: f64,
}

impl Default for ProximityOptions {
    fn default() -> Self {
        Self { power: 4.0 }
    }
}

impl ProximityOptions {
    pub(super) fn checked(&self) -> Result<Self, BindError> {
        if self.power > 0.0 && self.power.is_finite() {
            return Ok(*self);
        }
        Err(BindError::OutOfRange {
            option: "the power",
            range: "over 0 and finite",
            value: self.power,
        })
    }
}

/// Binds by distances. `choose` lists the joints that share a point, nearest first, with their distances, from the
/// bones and the joints that it may follow.
fn bind_by_distance(
    rules: Rules<'_>,
    power: f64,
    task: &Task<'_>,
    choose: impl Fn(DVec3, &[Bone], &[bool]) -> Vec<(f64, JointIndex)> + Sync,
) -> Result<BindResult, BindError> {
    let mut watch = task.stopwatch();
    let bones = bones_of(rules.skeleton(), &rules.joints, LEAF_STUB);
    watch.lap("prepare");
    let of_points = weigh(&rules, &bones, power, task, choose)?;
    watch.lap("weigh");
    let weights = rules.finished(of_points)?;
    watch.lap("scatter");
    Ok(BindResult {
        weights,
        warnings: rules.warnings,
        stages: watch.stages(),
    })
}

fn weigh(
    rules: &Rules<'_>,
    bones: &[Bone],
    power: f64,
    task: &Task<'_>,
    choose: impl Fn(DVec3, &[Bone], &[bool]) -> Vec<(f64, JointIndex)> + Sync,
) -> Result<Weights, BindError> {
    let points = rules.skin.points();
    // More than there are joints are never shared, however many may be.
    let influences = rules.options.influences.min(rules.joints.len());
    let done = AtomicUsize::new(0);
    let chunks: Vec<Vec<Influence>> = points
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, part)| {
            let before = done.fetch_add(part.len(), Ordering::Relaxed);
            task.step("weigh", before as f32 / points.len() as f32)?;
            let rows = part.iter().enumerate().flat_map(|(i, &p)| {
                let allowed = rules.masks.at(chunk * CHUNK + i);
                padded_row(choose(p, bones, allowed), influences, power)
            });
            Ok(rows.collect())
        })
        .collect::<Result<_, BindError>>()?;

    // Every point has the same number of entries, padded with zeros.
    let mut builder = WeightsBuilder::with_capacity(points.len(), influences);
    for row in chunks.iter().flat_map(|c| c.chunks_exact(influences)) {
        builder.push(row)?;
    }
    Ok(builder.finish())
}

/// The joints that a point may follow and their distances, nearest first; of equally near ones the one that comes first.
fn nearest_first(p: DVec3, bones: &[Bone], allowed: &[bool]) -> Vec<(f64, JointIndex)> {
    // A joint's bones stand together, so one look at the last entry merges them.
    let mut joints: Vec<(f64, JointIndex)> = Vec::with_capacity(bones.len());
    for bone in bones.iter().filter(|b| allowed[b.joint.at()]) {
        let distance = bone.shape.distance(p);
        match joints.last_mut() {
            Some((least, joint)) if *joint == bone.joint => *least = least.min(distance),
            _ => joints.push((distance, bone.joint)),
        }
    }
    joints.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    joints
}

/// The weights of the nearest joints, padded with zeros to the most that are asked for.
fn padded_row(mut joints: Vec<(f64, JointIndex)>, influences: usize, power: f64) -> Vec<Influence> {
    joints.truncate(influences);
    let least = joints.first().map_or(0.0, |j| j.0);
    let mut row: Vec<Influence> = joints
        .iter()
        .map(|&(distance, joint)| Influence {
            joint,
            // Relative to the nearest, so that no power overflows; on a bone, all or nothing.
            weight: if distance <= least {
                1.0
            } else {
                (least / distance).powf(power) as f32
            },
        })
        .collect();
    row.resize(
        influences,
        Influence {
            joint: JointIndex(0),
            weight: 0.0,
        },
    );
    row
}
