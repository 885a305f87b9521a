//! Closest distance: weights fall with a power of the straight distance to each joint's
//! bones, by default the fourth.
//!
//! The baseline that every package ships (seed 002 compares with it). It needs nothing of
//! the mesh, so it always answers, and it knows nothing of the mesh, so it bleeds across
//! every gap: an arm beside the body, two fingers, two legs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use glam::DVec3;
use rayon::prelude::*;

use super::{BindError, BindOptions, Bound, Job, Method, Stage};
use crate::character::{
    Bone, Character, Influence, JointIndex, LEAF_STUB, Weights, WeightsBuilder, bones_of,
};
use crate::task::Task;

/// Positions handled between two looks at the cancel flag; a few milliseconds of work.
const CHUNK: usize = 1024;

/// The method `closest`.
pub struct Closest;

impl Method for Closest {
    fn name(&self) -> &'static str {
        "closest"
    }

    fn summary(&self) -> &'static str {
        "nearest bone segments in a straight line, 1/d⁴; always answers, bleeds across gaps"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        bind_by_distance(self.name(), character, options, task, nearest_first)
    }
}

/// Binds by distances. `choose` lists the joints that share a position, nearest first,
/// with their distances, from the bones and the joints that it may follow.
pub(super) fn bind_by_distance(
    method: &'static str,
    character: &Character,
    options: &BindOptions,
    task: &Task<'_>,
    choose: impl Fn(DVec3, &[Bone], &[bool]) -> Vec<(f64, JointIndex)> + Sync,
) -> Result<Bound, BindError> {
    options.no_preset(method)?;
    let start = Instant::now();
    let mut job = Job::new(character, options)?;
    let bones = bones_of(&character.skeleton, &job.deforms, LEAF_STUB);
    let prepared = start.elapsed();

    let start = Instant::now();
    let per_position = weigh(&job, &bones, options, task, choose)?;
    let weighed = start.elapsed();

    let start = Instant::now();
    let weights = job.scatter(&per_position)?;
    let warnings = std::mem::take(&mut job.warnings);
    let stage = |name, time| Stage { name, time };
    Ok(Bound {
        weights,
        warnings,
        stages: vec![
            stage("prepare", prepared),
            stage("weigh", weighed),
            stage("scatter", start.elapsed()),
        ],
    })
}

fn weigh(
    job: &Job<'_>,
    bones: &[Bone],
    options: &BindOptions,
    task: &Task<'_>,
    choose: impl Fn(DVec3, &[Bone], &[bool]) -> Vec<(f64, JointIndex)> + Sync,
) -> Result<Weights, BindError> {
    let done = AtomicUsize::new(0);
    let chunks: Vec<Vec<Influence>> = job
        .positions
        .par_chunks(CHUNK)
        .enumerate()
        .map(|(chunk, positions)| {
            let before = done.fetch_add(positions.len(), Ordering::Relaxed);
            task.step("weigh", before as f32 / job.positions.len() as f32)?;
            let rows = positions.iter().enumerate().flat_map(|(i, &p)| {
                let allowed = job.allowed_at(chunk * CHUNK + i);
                shared(choose(p.as_dvec3(), bones, allowed), options)
            });
            Ok(rows.collect())
        })
        .collect::<Result<_, BindError>>()?;

    // Every position has the same number of entries, padded with zeros.
    let mut builder = WeightsBuilder::with_capacity(job.positions.len(), options.influences);
    for row in chunks.iter().flat_map(|c| c.chunks_exact(options.influences)) {
        builder.push(row).map_err(|_| BindError::NothingToBind)?;
    }
    Ok(options.floored(builder.finish()))
}

/// The joints that a position may follow and their distances, nearest first; of equally
/// near ones the one that comes first.
pub(super) fn nearest_first(p: DVec3, bones: &[Bone], allowed: &[bool]) -> Vec<(f64, JointIndex)> {
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
fn shared(mut joints: Vec<(f64, JointIndex)>, options: &BindOptions) -> Vec<Influence> {
    joints.truncate(options.influences);
    let least = joints.first().map_or(0.0, |j| j.0);
    let mut row: Vec<Influence> = joints
        .iter()
        .map(|&(distance, joint)| Influence {
            joint,
            // Relative to the nearest, so that no power overflows; on a bone, all or nothing.
            weight: if distance <= least {
                1.0
            } else {
                (least / distance).powf(options.power) as f32
            },
        })
        .collect();
    row.resize(
        options.influences,
        Influence {
            joint: JointIndex(0),
            weight: 0.0,
        },
    );
    row
}
