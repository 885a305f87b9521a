//! What a prior promises, whatever it has learned.

use super::table::Manner;
use super::{COUNT, Prior, PriorChoice};
use crate::bind::learned::{DEPTH, LEAVES, LevelForest, LevelTree};
use crate::bind::{BestOptions, BindOptions, Method};
use crate::character::{JointIndex, Weights};
use crate::geometry::islands;
use crate::sample;
use crate::skin::{Mirror, PointIndex, Skin};
use crate::task::Task;
use crate::weights::weight_distance;
use proptest::prelude::*;

const AS_IT_IS: Manner = Manner { keep: 0.0, calm: 0.0 };

fn bound(skin: &Skin, prior: PriorChoice) -> Weights {
    let method = Method::Best(BestOptions {
        prior,
        ..BestOptions::default()
    });
    method
        .bind(skin, &BindOptions::default(), &Task::unattended())
        .unwrap()
        .weights
}

/// A prior that jumps: trees that ask about many features and answer with large numbers.
fn wild() -> Prior {
    let trees: Vec<LevelTree> = (0..COUNT as u8)
        .map(|feature| LevelTree {
            questions: [(feature, 100); DEPTH],
            leaves: std::array::from_fn(|leaf| match leaf {
                0 => 0.4 * f32::from(feature % 5) - 0.8,
                leaf if leaf == LEAVES - 1 => 0.7 - 0.3 * f32::from(feature % 4),
                _ => 0.0, // no answers lead there
            }),
        })
        .collect();
    let mut linear = [0.0; COUNT];
    for (at, theta) in linear.iter_mut().enumerate() {
        *theta = 0.5 - (at % 3) as f32 * 0.4;
    }
    Prior::new(linear, LevelForest::new(&trees, COUNT).unwrap(), AS_IT_IS)
}

#[test]
fn one_that_has_learned_nothing_changes_next_to_nothing() {
    let nothing = Prior::new([0.0; COUNT], LevelForest::default(), AS_IT_IS);
    for name in ["athlete@1500", "hand@800"] {
        let skin = Skin::new(sample::make(name).unwrap()).unwrap();
        let plain = bound(&skin, PriorChoice::None);
        let with = bound(&skin, PriorChoice::Learned(Box::new(nothing.clone())));
        let differences: Vec<f64> = (0..plain.vertex_count())
            .map(|v| weight_distance(plain.of_vertex(v), with.of_vertex(v)))
            .collect();
        // Joints that the recipes give nothing have e⁻⁷ at the most.
        let mean = differences.iter().sum::<f64>() / differences.len() as f64;
        assert!(mean < 0.005, "{name}: {mean}");
        // Joints out of reach of the candidates lose what the recipes gave them: little, and at few points.
        let most = differences.iter().copied().fold(0.0, f64::max);
        let many = differences.iter().filter(|d| **d >= 0.03).count();
        assert!(
            most < 0.15 && many * 50 < differences.len(),
            "{name}: {most}, {many}"
        );
    }
}

#[test]
fn symmetric_characters_get_symmetric_weights() {
    let skin = Skin::new(sample::make("athlete@1500").unwrap()).unwrap();
    let skeleton = &skin.character().skeleton;
    let weights = bound(&skin, PriorChoice::Learned(Box::new(wild())));
    let mut used = vec![false; skeleton.joints.len()];
    for i in bound(&skin, PriorChoice::None).influences() {
        used[i.joint.at()] = true;
    }
    let mirror = Mirror::of(skin.points(), skin.diagonal(), skeleton, &used).unwrap();
    for (point, &partner) in mirror.points().iter().enumerate() {
        let here = weights.of_vertex(skin.first_vertex(PointIndex(point as u32)));
        let there = skin.first_vertex(PointIndex(partner));
        for i in here {
            let other = weights.weight(there, mirror.joints()[i.joint.at()]);
            assert!(
                (i.weight - other).abs() < 1e-5,
                "point {point}: {} and {other}",
                i.weight
            );
        }
    }
}

#[test]
fn pieces_that_the_recipes_hold_as_one_stay_one() {
    let skin = Skin::new(sample::make("knight@4000").unwrap()).unwrap();
    let plain = bound(&skin, PriorChoice::None);
    let with = bound(&skin, PriorChoice::Learned(Box::new(wild())));
    let row = |weights: &Weights, point: u32| {
        let vertex = skin.first_vertex(PointIndex(point));
        let list: Vec<(JointIndex, f32)> = weights
            .of_vertex(vertex)
            .iter()
            .map(|i| (i.joint, i.weight))
            .collect();
        list
    };
    let mut pieces = 0;
    for island in islands(skin.laplacian()).iter().filter(|i| i.len() > 2) {
        let as_one = |weights: &Weights| island.iter().all(|&p| row(weights, p) == row(weights, island[0]));
        if as_one(&plain) {
            pieces += 1;
            assert!(as_one(&with), "a piece of {} points", island.len());
        }
    }
    assert!(pieces > 0, "the knight has such pieces");
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let skin = Skin::new(sample::make("knight@3000").unwrap()).unwrap();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| bound(&skin, PriorChoice::Learned(Box::new(wild()))))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn the_shipped_one_is_small_and_comes_back_from_its_bytes() {
    let bytes = include_bytes!("shipped.prior");
    assert!(bytes.len() <= 64 * 1024, "{} bytes", bytes.len());
    let prior = Prior::read(bytes).unwrap();
    assert_eq!(prior.write(), bytes);
    let mut cut = prior.write();
    cut.truncate(bytes.len() - 1);
    assert!(Prior::read(&cut).is_err());
    cut.extend([0, 0]);
    assert!(Prior::read(&cut).is_err());
}

proptest! {
    #[test]
    fn bytes_of_any_kind_are_read_or_refused(
        at in 0usize..2000,
        byte in any::<u8>(),
    ) {
        let mut bytes = wild().write();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(prior) = Prior::read(&bytes) {
            let mut corrections = Vec::new();
            prior.corrections(&[[77; COUNT]], &mut corrections);
            prop_assert!(!corrections[0].is_nan());
        }
    }
}
