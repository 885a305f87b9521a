//! The mean of voxel and heat weights.
//!
//! They err in different places: voxels where limbs are thick and bones short, heat where
//! bones are hidden or a surface folds back. Half of each errs less than either: on two
//! halves of the open corpus, Def over the best peer's has geometric means of 0.84 and 0.84,
//! voxel alone 0.89 and 0.85, heat alone 0.90 and 0.91.

use serde::{Deserialize, Serialize};

use super::heat::{HeatBinding, HeatOptions};
use super::prepared::Notes;
#[cfg(feature = "research")]
use super::prior::{PointRows, candidates};
use super::prior::{Prior, PriorChoice, Recipes, corrected};
use super::rules::Rules;
use super::voxel::{LiveBinding, VoxelEvaluation, VoxelOptions};
use super::{BindError, BindOptions, BindResult};
use crate::character::{Influence, Weights, WeightsError};
use crate::skin::Skin;
use crate::task::{Stage, Stopwatch, Task};

/// Influences of each method that are kept until the mean is taken.
const KEPT: usize = 8;

/// How the default method works.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BestOptions {
    /// How fast the voxels' half falls with the distance, from 0 (smooth) to 1 (sharp); voxel's own default if none.
    pub falloff: Option<f64>,
    /// What corrects the mean of the recipes.
    pub prior: PriorChoice,
}

impl BestOptions {
    /// The voxels' half.
    fn voxel(&self) -> Result<VoxelOptions, BindError> {
        if let Some(value) = self.falloff.filter(|f| !(0.0..=1.0).contains(f)) {
            return Err(BindError::OutOfRange {
                option: "the falloff",
                range: "from 0 to 1",
                value,
            });
        }
        Ok(VoxelOptions {
            falloff: self.falloff,
            ..VoxelOptions::default()
        })
    }
}

/// What both methods keep.
#[derive(Debug)]
pub(super) struct BestBinding {
    own: BestOptions,
    pub voxel: LiveBinding,
    pub evaluation: VoxelEvaluation,
    heat: HeatBinding,
}

impl BestBinding {
    /// Both at once: neither needs the other.
    pub fn prepare(
        skin: &Skin,
        options: &BindOptions,
        own: &BestOptions,
        notes: &mut Notes,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        options.check()?; // with more influences zero would pass
        let more = with_more_influences(options);
        let rules = Rules::of(skin, &more)?;
        let of_voxel = own.voxel()?;
        skin.laplacian(); // both need it: made before they part
        let mut beside = Notes::default();
        let (voxel, heat) = rayon::join(
            || LiveBinding::prepare(&rules, &of_voxel, notes, task),
            || HeatBinding::prepare(&rules, &HeatOptions::default(), &mut beside, task),
        );
        let (voxel, heat) = (voxel?, heat?);
        notes.warnings.append(&mut beside.warnings);
        notes.stages.push(Stage {
            name: "heat, beside",
            time: beside.stages.iter().map(|s| s.time).sum(),
        });
        Ok(Self {
            own: own.clone(),
            voxel,
            evaluation: of_voxel.evaluation(),
            heat,
        })
    }

    /// The mean of both, corrected by what was learned.
    pub fn evaluate(
        &self,
        skin: &Skin,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        self.evaluate_with(self.own.prior.prior(), skin, options, task)
    }

    /// The same with another prior, or none.
    pub fn evaluate_with(
        &self,
        prior: Option<&Prior>,
        skin: &Skin,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<BindResult, BindError> {
        options.check()?;
        let more = with_more_influences(options);
        let rules = Rules::of(skin, &more)?;
        let mut watch = task.stopwatch();
        let (voxel, heat, beside) = self.both(&rules, &mut watch, task)?;
        let of_points = mean(&voxel, &heat, options.influences)?;
        let of_points = match prior {
            Some(prior) => {
                let recipes = self.recipes(&rules, &voxel, &heat);
                let mirror = self.voxel.mirror(&rules.joints);
                corrected(prior, &recipes, &of_points, mirror, options.influences)?
            }
            None => of_points,
        };
        watch.lap("prior");
        let mut rules = Rules { options, ..rules };
        let weights = rules.finished(of_points)?;
        watch.lap("finish");
        rules.warnings.extend(self.voxel.floating().cloned());
        Ok(BindResult {
            weights,
            warnings: rules.warnings,
            stages: [watch.stages(), beside].concat(),
        })
    }

    /// The weights of points by both, with more influences than are kept, and what ran beside.
    fn both(
        &self,
        rules: &Rules<'_>,
        watch: &mut Stopwatch<'_>,
        task: &Task<'_>,
    ) -> Result<(Weights, Weights, Vec<Stage>), BindError> {
        let (voxel, heat) = rayon::join(
            || self.voxel.weights_of_points(rules, self.evaluation, watch, task),
            || {
                let mut watch = task.stopwatch();
                let weights = self.heat.weights_of_points(rules, task)?;
                watch.lap("heat solve, beside");
                Ok::<_, BindError>((weights, watch.stages()))
            },
        );
        let (voxel, (heat, beside)) = (voxel?, heat?);
        let pruned = |weights| rules.options.pruned(weights);
        Ok((pruned(voxel), pruned(heat), beside))
    }

    fn recipes<'a>(&'a self, rules: &'a Rules<'_>, voxel: &'a Weights, heat: &'a Weights) -> Recipes<'a> {
        let binding = self.voxel.binding();
        Recipes {
            skin: rules.skin,
            bones: binding.bones(),
            scales: binding.scales(),
            voxel_size: binding.leaves().grid.size,
            reach: self.voxel.reach(),
            voxel,
            heat,
            normals: self.heat.normals(),
            masks: &rules.masks,
        }
    }

    /// What a prior is learned from: the candidates of every point.
    #[cfg(feature = "research")]
    pub fn point_rows(
        &self,
        skin: &Skin,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<PointRows, BindError> {
        let more = with_more_influences(options);
        let rules = Rules::of(skin, &more)?;
        let (voxel, heat, _) = self.both(&rules, &mut task.stopwatch(), task)?;
        Ok(candidates(&self.recipes(&rules, &voxel, &heat)))
    }
}

/// What a prior is learned from: the candidates of every point of a skin.
#[cfg(feature = "research")]
pub fn point_rows(skin: &Skin, options: &BindOptions, task: &Task<'_>) -> Result<PointRows, BindError> {
    let own = BestOptions::default();
    BestBinding::prepare(skin, options, &own, &mut Notes::default(), task)?.point_rows(skin, options, task)
}

fn with_more_influences(options: &BindOptions) -> BindOptions {
    BindOptions {
        influences: options.influences.max(KEPT),
        ..options.clone()
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
    use crate::bind::Method;
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
    fn a_falloff_is_the_same_asked_for_before_or_after() {
        let skin = Skin::new(sample::make("hound@1500").unwrap()).unwrap();
        let (options, task) = (BindOptions::default(), Task::unattended());
        let sharp = Method::Best(BestOptions {
            falloff: Some(0.9),
            ..BestOptions::default()
        });
        let at_once = sharp.bind(&skin, &options, &task).unwrap().weights;
        let mut prepared = Method::default().prepare(&skin, &options, &task).unwrap();
        let usual = prepared.evaluate(&options, &task).unwrap().weights;
        prepared.set_falloff(Some(0.9)).unwrap();
        assert_eq!(prepared.evaluate(&options, &task).unwrap().weights, at_once);
        assert_ne!(usual, at_once);
        let bad = Method::Best(BestOptions {
            falloff: Some(1.5),
            ..BestOptions::default()
        });
        assert!(bad.prepare(&skin, &options, &task).is_err());
    }

    #[test]
    fn it_lies_between_the_two_it_is_made_of() {
        let skin = Skin::new(sample::make("athlete@2000").unwrap()).unwrap();
        let options = BindOptions {
            influences: 64,
            prune: 0.0,
            ..BindOptions::default()
        };
        let bind = |method: Method| method.bind(&skin, &options, &Task::unattended()).unwrap().weights;
        let best = bind(Method::Best(BestOptions {
            prior: PriorChoice::None,
            ..BestOptions::default()
        }));
        let voxel = bind(Method::Voxel(VoxelOptions::default()));
        let heat = bind(Method::Heat(HeatOptions::default()));
        for vertex in 0..best.vertex_count() {
            for joint in skin.character().skeleton.indices() {
                let mean = 0.5 * (voxel.weight(vertex, joint) + heat.weight(vertex, joint));
                let difference = (best.weight(vertex, joint) - mean).abs();
                assert!(difference < 1e-5, "vertex {vertex}: {difference}");
            }
        }
    }
}
