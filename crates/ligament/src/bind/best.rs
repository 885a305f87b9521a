//! The mean of voxel and heat weights.
//!
//! They err in different places: voxels where limbs are thick and bones short, heat where
//! bones are hidden or a surface folds back. Half of each errs less than either: on two
//! halves of the open corpus, Def over the best peer's has geometric means of 0.84 and 0.84,
//! voxel alone 0.89 and 0.85, heat alone 0.90 and 0.91.

use std::sync::OnceLock;

use super::voxel::Prepared;
use super::{BindError, BindOptions, Bound, Heat, Job, Method, Stage};
use crate::character::{Character, Influence, Weights, WeightsError};
use crate::task::Task;

/// Influences of each method that are kept until the mean is taken.
const KEPT: usize = 8;

/// The method `best`.
pub struct Best;

impl Method for Best {
    fn name(&self) -> &'static str {
        "best"
    }

    fn summary(&self) -> &'static str {
        "the mean of voxel and heat, which err in different places; takes as long as both"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        options.no_preset("best")?;
        let more = BindOptions {
            influences: options.influences.max(KEPT),
            ..options.clone()
        };
        let job = Job::new(character, &more)?;
        let same = job.again(&more)?;
        let (voxel, heat) = rayon::join(
            || Prepared::of(job, character, &more, task),
            || Heat::bind_job(same, character, &more, task),
        );
        let (mut voxel, (binding, mut heat)) = (voxel?, heat?);
        // Both are over the same surface, and heat has found its operator by now.
        voxel.job.laplacian = OnceLock::from(binding.shared_laplacian());
        let (_, mut bound) = voxel.bound(character, &more, task)?;
        let mean =
            mean(&bound.weights, &heat.weights, options.influences).map_err(|_| BindError::NothingToBind)?;
        bound.weights = options.floored(mean);
        heat.warnings.retain(|w| !bound.warnings.contains(w));
        bound.warnings.append(&mut heat.warnings);
        let heat_time = heat.stages.iter().map(|s| s.time).sum();
        bound.stages.push(Stage {
            name: "heat, beside",
            time: heat_time,
        });
        Ok(bound)
    }
}

/// Half of each, of which the `k` largest are kept.
fn mean(a: &Weights, b: &Weights, k: usize) -> Result<Weights, WeightsError> {
    Weights::in_parallel(a.vertex_count(), k.min(4), |vertices, builder| {
        let mut row: Vec<Influence> = Vec::new();
        for vertex in vertices {
            row.clear();
            row.extend_from_slice(a.of_vertex(vertex));
            for &other in b.of_vertex(vertex) {
                match row.iter_mut().find(|i| i.joint == other.joint) {
                    Some(own) => own.weight += other.weight,
                    None => row.push(other),
                }
            }
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            row.truncate(k);
            builder.push(&row)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::Voxel;
    use crate::character::JointIndex;
    use crate::sample;

    fn rows(list: &[&[(u16, f32)]]) -> Weights {
        let rows: Vec<Vec<Influence>> = list
            .iter()
            .map(|row| {
                let influence = |&(joint, weight)| Influence {
                    joint: JointIndex(joint),
                    weight,
                };
                row.iter().map(influence).collect()
            })
            .collect();
        Weights::new(rows.iter().map(Vec::as_slice)).unwrap()
    }

    #[test]
    fn the_mean_is_half_of_each_and_keeps_the_largest() {
        let a = rows(&[&[(0, 1.0)], &[(0, 0.6), (1, 0.4)]]);
        let b = rows(&[&[(1, 1.0)], &[(2, 0.8), (1, 0.2)]]);
        assert_eq!(
            mean(&a, &b, 4).unwrap(),
            rows(&[&[(0, 0.5), (1, 0.5)], &[(2, 0.4), (0, 0.3), (1, 0.3)]])
        );
        assert_eq!(mean(&a, &b, 1).unwrap(), rows(&[&[(0, 1.0)], &[(2, 1.0)]]));
    }

    #[test]
    fn it_lies_between_the_two_it_is_made_of() {
        let character = sample::make("athlete@2000").unwrap();
        let options = BindOptions {
            influences: 64,
            floor: 0.0,
            ..BindOptions::default()
        };
        let task = Task::unattended();
        let best = Best.bind(&character, &options, &task).unwrap();
        let voxel = Voxel.bind(&character, &options, &task).unwrap();
        let heat = Heat.bind(&character, &options, &task).unwrap();
        for vertex in 0..best.weights.vertex_count() {
            for joint in character.skeleton.indices() {
                let (v, h) = (
                    voxel.weights.weight(vertex, joint),
                    heat.weights.weight(vertex, joint),
                );
                let mean = 0.5 * (v + h);
                assert!(
                    (best.weights.weight(vertex, joint) - mean).abs() < 1e-5,
                    "vertex {vertex}"
                );
            }
        }
        let preset = BindOptions {
            preset: Some("2014".to_owned()),
            ..options
        };
        assert!(Best.bind(&character, &preset, &task).is_err());
    }
}
