//! Each loss and the whole against finite differences, through weights and through the
//! field's parameters.

use glam::{DAffine3, DVec3};

use super::super::batch::Batch;
use super::super::collision::BodyAtRest;
use super::super::domain::FitDomain;
use super::super::guidance::{Guidance, Targets};
use super::super::parameters::{Layout, Opened};
use super::super::poses::{PoseSource, poses};
use super::super::start::{Start, start};
use super::*;
use crate::bind::{BindOptions, Method, ProximityOptions};
use crate::skin::Skin;

const NOTHING: LossWeights = LossWeights {
    smoothness: 0.0,
    location: 0.0,
    sparsity: 0.0,
    guidance: 0.0,
    collision: 0.0,
    stretch: 0.0,
};

struct Bench {
    domain: FitDomain,
    layout: Layout,
    list: Vec<f64>,
    poses: Vec<Vec<DAffine3>>,
    targets: Targets,
    body: Body,
    batch: Batch,
}

fn bench() -> Bench {
    let character = crate::sample::make("hound@800").unwrap();
    let options = BindOptions::default();
    let skin = Skin::new(character.clone()).unwrap();
    let task = Task::unattended();
    let domain = FitDomain::new(&skin, &options, &task).unwrap();
    let layout = Layout {
        cells: domain.joints.len(),
        sites: 2,
    };
    let list = start(&domain, &character.skeleton, layout, Start::Bones, 0.05, 3).list;
    let poses: Vec<Vec<DAffine3>> = poses(&character, PoseSource::Limits, &[], 2, 5)
        .iter()
        .map(|p| domain.moves(p))
        .collect();
    let closest = Method::Closest(ProximityOptions::default())
        .bind(&skin, &options, &task)
        .unwrap();
    let targets = Targets::new(&domain, &Guidance::everywhere(closest.weights, 1.0));
    // One half of the dog is the body that the other must not sink into.
    let is_body = domain.points.iter().map(|p| p.x < 0.0).collect();
    let rest = BodyAtRest::new(&domain, is_body).unwrap();
    let moves: Vec<&[DAffine3]> = poses.iter().map(Vec::as_slice).collect();
    let rigid = Rows {
        starts: (0..=rest.points().len() as u32).collect(),
        cells: vec![0; rest.points().len()],
        weights: vec![1.0; rest.points().len()],
    };
    let body = rest.posed(&domain, &rigid, &moves);
    let some: Vec<u32> = (0..domain.points.len() as u32).step_by(9).collect();
    let batch = Batch::of(&domain, some);
    Bench {
        domain,
        layout,
        list,
        poses,
        targets,
        body,
        batch,
    }
}

impl Bench {
    fn measure(&self, weights: LossWeights) -> Measure<'_> {
        Measure {
            domain: &self.domain,
            weights,
            influences: 4,
            targets: Some(&self.targets),
            body: Some(&self.body),
        }
    }

    /// The total as a function of the parameters, and its gradient.
    fn total(
        &self,
        list: &[f64],
        floor_share: f64,
        weights: LossWeights,
        gradient: Option<&mut [f64]>,
    ) -> f64 {
        let opened = Opened::of(self.layout, list, floor_share);
        let mut entries = Vec::new();
        let mut found = Vec::new();
        let mut rows = Rows {
            starts: vec![0],
            ..Rows::default()
        };
        for &point in &self.batch.points {
            let x = self.domain.points[point as usize];
            let cells = self.domain.cells_at(point as usize);
            let row = opened.weigh(x, cells, |_| 0.0, 4, &mut entries);
            for e in &entries[row.start as usize..row.end as usize] {
                rows.cells.push(e.cell);
                rows.weights.push(e.weight);
            }
            rows.starts.push(rows.cells.len() as u32);
            found.push((x, row));
        }
        let poses: Vec<&[DAffine3]> = self.poses.iter().map(Vec::as_slice).collect();
        let mut weight_gradient = Vec::new();
        let losses = self
            .measure(weights)
            .losses(
                &self.batch,
                &rows,
                &poses,
                Some(&mut weight_gradient),
                &Task::unattended(),
            )
            .unwrap();
        if let Some(gradient) = gradient {
            for (i, &(x, row)) in found.iter().enumerate() {
                let entries = &entries[row.start as usize..row.end as usize];
                opened.back(x, entries, row, &weight_gradient[rows.range(i)], gradient);
            }
        }
        losses.total(&weights)
    }
}

/// Central differences of `total` along random directions, which touch every parameter.
fn check(weights: LossWeights, floor_share: f64) {
    let bench = bench();
    let mut random = super::super::random::Random::new(11);
    let mut list = bench.list.clone();
    // Off the symmetric start, where nearest sites tie.
    list.iter_mut().for_each(|x| *x += random.between(-0.01, 0.01));
    let mut gradient = vec![0.0; list.len()];
    let total = bench.total(&list, floor_share, weights, Some(&mut gradient));
    assert!(total > 0.0, "nothing to differentiate");
    assert!(gradient.iter().any(|g| g.abs() > 0.0));
    let size = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
    // Single parameters, and directions through all of them.
    for trial in 0..24 {
        let direction: Vec<f64> = if trial < 16 {
            let chosen = random.below(list.len());
            (0..list.len())
                .map(|i| f64::from(u8::from(i == chosen)))
                .collect()
        } else {
            let d: Vec<f64> = (0..list.len()).map(|_| random.between(-1.0, 1.0)).collect();
            let length = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            d.iter().map(|x| x / length).collect()
        };
        let at = |step: f64| {
            let moved: Vec<f64> = list.iter().zip(&direction).map(|(x, d)| x + step * d).collect();
            bench.total(&moved, floor_share, weights, None)
        };
        let h = 1e-6;
        let difference = (at(h) - at(-h)) / (2.0 * h);
        let exact: f64 = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum();
        assert!(
            (difference - exact).abs() < 1e-5 * size.max(difference.abs()),
            "trial {trial}: {difference} by differences, {exact} by the gradient"
        );
    }
}

#[test]
fn smoothness_has_an_exact_gradient() {
    for floor in [0.0, 1.0] {
        check(
            LossWeights {
                smoothness: 1.0,
                ..NOTHING
            },
            floor,
        );
    }
}

#[test]
fn location_has_an_exact_gradient() {
    for floor in [0.0, 1.0] {
        check(
            LossWeights {
                location: 1.0,
                ..NOTHING
            },
            floor,
        );
    }
}

#[test]
fn sparsity_has_an_exact_gradient() {
    check(
        LossWeights {
            sparsity: 1.0,
            ..NOTHING
        },
        1.0,
    );
}

#[test]
fn guidance_has_an_exact_gradient() {
    for floor in [0.0, 1.0] {
        check(
            LossWeights {
                guidance: 1.0,
                ..NOTHING
            },
            floor,
        );
    }
}

#[test]
fn collision_has_an_exact_gradient() {
    check(
        LossWeights {
            collision: 1.0,
            ..NOTHING
        },
        1.0,
    );
}

#[test]
fn stretch_has_an_exact_gradient() {
    for floor in [0.0, 1.0] {
        check(
            LossWeights {
                stretch: 1.0,
                ..NOTHING
            },
            floor,
        );
    }
}

#[test]
fn the_whole_has_an_exact_gradient() {
    for floor in [0.0, 1.0] {
        check(LossWeights::PAPER, floor);
    }
}

#[test]
fn a_skin_that_moves_as_one_costs_nothing() {
    let bench = bench();
    let rotation = DAffine3::from_rotation_y(1.0) * DAffine3::from_translation(DVec3::ONE);
    let pose = vec![rotation; bench.layout.cells];
    let count = bench.domain.points.len() as u32;
    let rows = Rows {
        starts: (0..=count).collect(),
        cells: vec![0; count as usize],
        weights: vec![1.0; count as usize],
    };
    let measure = Measure {
        targets: None,
        body: None,
        ..bench.measure(LossWeights::PAPER)
    };
    let losses = measure
        .losses(
            &Batch::whole(&bench.domain),
            &rows,
            &[&pose],
            None,
            &Task::unattended(),
        )
        .unwrap();
    assert!(losses.total(&LossWeights::PAPER) < 1e-9, "{losses:?}");
}
