//! Closest distance: weights fall with the fourth power of the straight distance to each
//! joint's bones.
//!
//! The baseline that every package ships (seed 002 compares with it). It needs nothing of
//! the mesh, so it always answers, and it knows nothing of the mesh, so it bleeds across
//! every gap: an arm beside the body, two fingers, two legs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use glam::Vec3;
use rayon::prelude::*;

use super::{BindError, BindOptions, Bound, Job, Method, Stage};
use crate::character::{Bone, Character, Influence, LEAF_STUB, Weights, WeightsBuilder, bones_of};
use crate::task::Task;

/// How fast weights fall with distance.
const POWER: i32 = 4;
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
        let start = Instant::now();
        let mut job = Job::new(character, options)?;
        let bones = bones_of(&character.skeleton, &job.deforms, LEAF_STUB);
        let prepared = start.elapsed();

        let start = Instant::now();
        let per_position = weigh(&job, &bones, options, task)?;
        let weighed = start.elapsed();

        let start = Instant::now();
        let weights = job.scatter(&per_position).map_err(|_| BindError::NothingToBind)?;
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
}

fn weigh(
    job: &Job<'_>,
    bones: &[Bone],
    options: &BindOptions,
    task: &Task<'_>,
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
                nearest(p, bones, allowed, options.influences)
            });
            Ok(rows.collect())
        })
        .collect::<Result<_, BindError>>()?;

    // Every position has the same number of entries, padded with zeros.
    let mut builder = WeightsBuilder::with_capacity(job.positions.len(), options.influences);
    for row in chunks.iter().flat_map(|c| c.chunks_exact(options.influences)) {
        builder.push(row).map_err(|_| BindError::NothingToBind)?;
    }
    let weights = builder.finish();
    Ok(if options.floor > 0.0 {
        weights.pruned(options.floor)
    } else {
        weights
    })
}

/// The `k` nearest joints of a position and their weights, padded with zeros.
fn nearest(p: Vec3, bones: &[Bone], allowed: &[bool], k: usize) -> Vec<Influence> {
    let p = p.as_dvec3();
    // A joint's bones stand together, so one look at the last entry merges them.
    let mut joints: Vec<(f64, Influence)> = Vec::with_capacity(bones.len());
    for bone in bones.iter().filter(|b| allowed[b.joint.at()]) {
        let distance = bone.shape.distance(p);
        match joints.last_mut() {
            Some((least, influence)) if influence.joint == bone.joint => *least = least.min(distance),
            _ => joints.push((
                distance,
                Influence {
                    joint: bone.joint,
                    weight: 0.0,
                },
            )),
        }
    }
    joints.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.joint.cmp(&b.1.joint)));
    joints.truncate(k);
    let least = joints.first().map_or(0.0, |j| j.0);
    let mut row: Vec<Influence> = joints
        .iter()
        .map(|&(distance, influence)| Influence {
            // Relative to the nearest, so that no power overflows; on a bone, all or nothing.
            weight: if distance <= least {
                1.0
            } else {
                (least / distance).powi(POWER) as f32
            },
            ..influence
        })
        .collect();
    row.resize(
        k,
        Influence {
            joint: crate::JointIndex(0),
            weight: 0.0,
        },
    );
    row
}
