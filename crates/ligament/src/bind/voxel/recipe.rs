//! The default recipe.
use glam::DVec3;
use rayon::prelude::*;

use super::sampling::Blend;
use crate::bind::{BindError, BindOptions, Job};
use crate::character::{Bone, BoneShape, Influence, Weights, WeightsBuilder};
use crate::inspect::Welded;
use crate::solid::Leaves;
use crate::solid::distance::Distances;
use crate::surface::{Laplacian, diffused};
use crate::task::Task;

#[derive(Debug, Clone)]
pub struct Recipe {
    pub resolution: u32,
    pub penalty: f64,
    pub leaf_stub: f64,
    pub end: f64,
    pub thickness: f64,
    pub power: f64,
    pub smooth: f64,
    pub straight: f64,
    pub straight_voxels: f64,
    pub keep: usize,
    pub x1: f64,
    pub x2: f64,
}

fn env(name: &str, default: f64) -> f64 {
    std::env::var(name)
        .ok()
        .and_then(|v| v.parse().ok())
        .unwrap_or(default)
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            resolution: env("LG_RES", 128.0) as u32,
            penalty: env("LG_PEN", 4.0),
            leaf_stub: env("LG_STUB", 0.8),
            end: env("LG_END", 0.5),
            thickness: env("LG_THICK", 0.5),
            power: env("LG_POW", 10.0),
            smooth: env("LG_SMOOTH", 0.3),
            straight: env("LG_STRAIGHT", 0.15),
            straight_voxels: env("LG_SV", 1.0),
            keep: 24,
            x1: env("LG_X1", 0.0),
            x2: env("LG_X2", 0.0),
        }
    }
}

/// A bone at some distance.
#[derive(Clone, Copy)]
struct Near {
    bone: u16,
    /// Through the solid, with ends.
    distance: f32,
}

impl Recipe {
    pub fn weights(
        &self,
        job: &Job<'_>,
        surface: &Welded,
        bones: &[Bone],
        leaves: &Leaves,
        distances: &Distances,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let voxel = leaves.grid.size;
        let n = surface.points.len();
        let is_leaf: Vec<bool> = (0..bones.len()).map(|_| false).collect();
        let _ = &is_leaf;
        // Pass 1
        let near: Vec<(Vec<Near>, Option<(u16, f32)>)> = surface
            .points
            .par_iter()
            .with_min_len(256)
            .map_init(Vec::new, |row, &p| {
                let Some(blend) = Blend::at(leaves, p) else {
                    return (Vec::new(), None);
                };
                blend.distances(distances, row);
                let mut list: Vec<Near> = Vec::new();
                for (b, &g) in row.iter().enumerate() {
                    if !g.is_finite() {
                        continue;
                    }
                    let mut g = f64::from(g) * voxel;
                    let line = bones[b].shape.distance(p);
                    if g <= line * (1.0 + self.straight) + self.straight_voxels * voxel {
                        g = line;
                    }
                    g = g.max(0.05 * voxel);
                    list.push(Near {
                        bone: b as u16,
                        distance: g as f32,
                    });
                }
                let first = list
                    .iter()
                    .min_by(|a, b| a.distance.total_cmp(&b.distance))
                    .copied();
                let middle = first
                    .filter(|f| projects_to_middle(&bones[usize::from(f.bone)].shape, p))
                    .map(|f| (f.bone, f.distance));
                for near in &mut list {
                    let bone = &bones[usize::from(near.bone)];
                    near.distance *= 1.0 + (self.end * beyond_end(bone, p)) as f32;
                }
                list.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.bone.cmp(&b.bone)));
                list.truncate(self.keep);
                (list, middle)
            })
            .collect();
        task.step("weights", 0.3)?;
        // Thickness
        let mut of_bone: Vec<Vec<f32>> = vec![Vec::new(); bones.len()];
        for (_, middle) in &near {
            if let Some((bone, g)) = middle {
                of_bone[usize::from(*bone)].push(*g);
            }
        }
        let mut radius: Vec<Option<f64>> = of_bone
            .iter_mut()
            .map(|list| (list.len() >= 4).then(|| median(list)))
            .collect();
        // from the joint's other segments or its ancestors
        let own = radius.clone();
        for b in 0..bones.len() {
            if radius[b].is_some() {
                continue;
            }
            let mut joint = Some(bones[b].joint);
            while let Some(j) = joint {
                let of_joint: Vec<f64> = (0..bones.len())
                    .filter(|&o| bones[o].joint == j)
                    .filter_map(|o| own[o])
                    .collect();
                if !of_joint.is_empty() {
                    radius[b] = Some(of_joint.iter().sum::<f64>() / of_joint.len() as f64);
                    break;
                }
                joint = job.skin_parent(j);
            }
        }
        let mut known: Vec<f32> = radius.iter().flatten().map(|&r| r as f32).collect();
        let typical = if known.is_empty() { 1.0 } else { median(&mut known) };
        let scale: Vec<f64> = radius
            .iter()
            .map(|r| (typical / r.unwrap_or(typical).max(0.5 * voxel)).powf(self.thickness))
            .collect();

        let k = options.influences;
        let mut builder = WeightsBuilder::with_capacity(n, k);
        let mut lengths = vec![0.0; n];
        let mut unreached = Vec::new();
        let rows: Vec<Vec<Influence>> = near
            .par_iter()
            .enumerate()
            .with_min_len(256)
            .map(|(v, (list, _))| {
                let allowed = job.allowed_at(v);
                let mut joints: Vec<(f64, Influence)> = Vec::new();
                for near in list {
                    let bone = &bones[usize::from(near.bone)];
                    if !allowed[bone.joint.at()] {
                        continue;
                    }
                    let d = f64::from(near.distance) * scale[usize::from(near.bone)];
                    match joints.iter_mut().find(|j| j.1.joint == bone.joint) {
                        Some(j) => j.0 = j.0.min(d),
                        None => joints.push((
                            d,
                            Influence {
                                joint: bone.joint,
                                weight: 0.0,
                            },
                        )),
                    }
                }
                joints.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.joint.cmp(&b.1.joint)));
                joints.truncate(k);
                let least = joints.first().map_or(1.0, |j| j.0);
                joints
                    .iter()
                    .map(|&(d, i)| Influence {
                        weight: (-self.power * (d / least).ln()).exp() as f32,
                        ..i
                    })
                    .collect()
            })
            .collect();
        for (v, row) in rows.iter().enumerate() {
            lengths[v] = self.smooth * near[v].0.first().map_or(0.0, |n| f64::from(n.distance));
            if row.is_empty() {
                unreached.push(v);
                let any = job.deforms.iter().position(|&d| d).unwrap_or(0);
                builder
                    .push(&[Influence {
                        joint: crate::JointIndex(any as u16),
                        weight: 1.0,
                    }])
                    .map_err(|_| BindError::NothingToBind)?;
            } else {
                builder.push(row).map_err(|_| BindError::NothingToBind)?;
            }
        }
        let weights = builder.finish();
        // unreached: copy nearest reached
        let weights = if unreached.is_empty() {
            weights
        } else {
            eprintln!("unreached {}", unreached.len());
            let mut b = WeightsBuilder::with_capacity(n, k);
            let mut is = vec![false; n];
            for &u in &unreached {
                is[u] = true;
            }
            let picks: Vec<usize> = (0..n)
                .into_par_iter()
                .map(|v| {
                    if !is[v] {
                        v
                    } else {
                        (0..n)
                            .filter(|&o| !is[o])
                            .min_by(|&a, &c| {
                                surface.points[a]
                                    .distance_squared(surface.points[v])
                                    .total_cmp(&surface.points[c].distance_squared(surface.points[v]))
                            })
                            .unwrap_or(v)
                    }
                })
                .collect();
            for v in 0..n {
                b.push_valid(weights.of_vertex(picks[v]));
                lengths[v] = if is[v] { lengths[picks[v]] } else { lengths[v] };
            }
            b.finish()
        };
        task.step("weights", 0.6)?;
        if self.smooth <= 0.0 {
            return Ok(weights);
        }
        let laplacian = Laplacian::of(&surface.points, &surface.faces);
        let rows = diffused(
            &laplacian,
            &surface.points,
            &lengths,
            &weights,
            job.deforms.len(),
            task,
        )?;
        let mut builder = WeightsBuilder::with_capacity(n, k);
        for (v, mut row) in rows.into_iter().enumerate() {
            row.retain(|i| job.allowed_at(v)[i.joint.at()]);
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            row.truncate(k);
            if row.is_empty() {
                builder.push_valid(weights.of_vertex(v));
            } else {
                builder.push(&row).map_err(|_| BindError::NothingToBind)?;
            }
        }
        let weights = builder.finish();
        Ok(if options.floor > 0.0 {
            weights.pruned(options.floor)
        } else {
            weights
        })
    }
}

fn median(list: &mut [f32]) -> f64 {
    let middle = list.len() / 2;
    let (_, m, _) = list.select_nth_unstable_by(middle, f32::total_cmp);
    f64::from(*m)
}

fn projects_to_middle(shape: &BoneShape, p: DVec3) -> bool {
    match shape {
        BoneShape::Segment { head, tail } => {
            let along = *tail - *head;
            let t = (p - *head).dot(along) / along.length_squared();
            (0.05..=0.95).contains(&t)
        }
        _ => true,
    }
}

fn beyond_end(bone: &Bone, p: DVec3) -> f64 {
    let BoneShape::Segment { head, tail } = &bone.shape else {
        return 0.0;
    };
    let along = (*tail - *head).normalize_or_zero();
    let behind = (p - *head).normalize_or_zero().dot(-along).max(0.0);
    let past = if bone.stub {
        0.0
    } else {
        (p - *tail).normalize_or_zero().dot(along).max(0.0)
    };
    behind.max(past)
}
