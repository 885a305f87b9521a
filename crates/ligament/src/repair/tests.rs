//! Each remedy on a sample that is spoiled in its way, against what was there before.

use super::exchanged::exchanged_joints;
use super::medians::medians;
use super::sides::Sides;
use super::treatments::Ward;
use crate::bind::{BindOptions, Method};
use crate::character::{Influence, JointIndex, Weights};
use crate::measure::{MeasureOptions, measure};
use crate::skin::{PointIndex, Skin};
use crate::task::Task;
use crate::weights::weight_distance;

/// An athlete, bound; weights for each vertex.
fn athlete() -> (Skin, Weights) {
    let skin = Skin::new(crate::sample::make("athlete@3000").unwrap()).unwrap();
    let method = Method::named("closest").unwrap();
    let bound = method
        .bind(&skin, &BindOptions::default(), &Task::unattended())
        .unwrap();
    (skin, bound.weights)
}

/// The rows of points.
fn of_points(skin: &Skin, weights: &Weights) -> Weights {
    weights.gathered((0..skin.len() as u32).map(|p| skin.first_vertex(PointIndex(p))))
}

#[test]
fn legs_that_follow_each_other_are_told_from_legs_that_do_not() {
    let (skin, bound) = athlete();
    let skeleton = &skin.character().skeleton;
    let across = |j: JointIndex| {
        let name = &skeleton.joint(j).name;
        let is_leg = ["leg", "foot"].iter().any(|part| name.contains(part));
        let other = match name.split_once('_') {
            Some(("left", part)) if is_leg => format!("right_{part}"),
            Some(("right", part)) if is_leg => format!("left_{part}"),
            _ => return j,
        };
        skeleton.find(&other).unwrap_or(j)
    };
    let found = exchanged_joints(&skin, &bound, &bound);
    assert!(skeleton.indices().all(|j| found[j.at()] == j), "{found:?}");
    let found = exchanged_joints(&skin, &bound.renumbered(across), &bound);
    let expected: Vec<JointIndex> = skeleton.indices().map(across).collect();
    assert!(skeleton.indices().filter(|&j| across(j) != j).count() >= 4);
    assert_eq!(found, expected);
}

#[test]
fn medians_take_chance_away_and_leave_borders() {
    let (skin, bound) = athlete();
    // Borders are as hard as they can be; every ninth point is spoiled.
    let rigid = of_points(&skin, &bound).limited(1);
    let laplacian = skin.laplacian();
    let spoiled_at = |p: usize| p.is_multiple_of(9);
    let rows: Vec<Vec<Influence>> = rigid
        .iter()
        .enumerate()
        .map(|(p, row)| {
            let other = JointIndex(u16::from(row[0].joint == JointIndex(0)));
            let mut row = row.to_vec();
            if spoiled_at(p) {
                row[0].weight = 0.6;
                row.push(Influence {
                    joint: other,
                    weight: 0.4,
                });
            }
            row
        })
        .collect();
    let spoiled = Weights::new(rows.iter().map(Vec::as_slice)).unwrap();
    let all = vec![true; skin.len()];
    let found = medians(&spoiled, laplacian, &all);
    let mut healed = 0;
    for p in 0..skin.len() {
        let agree = |q: usize| rigid.of_vertex(q)[0].joint == rigid.of_vertex(p)[0].joint;
        let around: Vec<usize> = laplacian.row(p).map(|(n, _)| n as usize).collect();
        let spoiled_around = around.iter().filter(|&&q| spoiled_at(q)).count() + usize::from(spoiled_at(p));
        // Fewer than half of the ring are spoiled, and none is across a border.
        if around.iter().all(|&q| agree(q)) && 2 * spoiled_around < around.len() {
            assert_eq!(found.of_vertex(p), rigid.of_vertex(p), "point {p}");
            healed += usize::from(spoiled_at(p));
        }
    }
    assert!(healed > 50, "{healed}");
    // Nothing is spoiled and nothing is treated: nothing changes.
    assert_eq!(medians(&spoiled, laplacian, &vec![false; skin.len()]), spoiled);
}

#[test]
fn the_side_that_is_less_like_a_bind_becomes_like_the_other() {
    let (skin, bound) = athlete();
    let bound = of_points(&skin, &bound);
    let foot = skin.character().skeleton.find("left_foot").unwrap();
    let rows: Vec<Vec<Influence>> = bound
        .iter()
        .map(|row| match row.iter().any(|i| i.joint == foot) {
            true => vec![Influence {
                joint: JointIndex(0),
                weight: 1.0,
            }],
            false => row.to_vec(),
        })
        .collect();
    let spoiled = Weights::new(rows.iter().map(Vec::as_slice)).unwrap();
    let sides = Sides::of(&skin, &bound);
    let evened = sides.more_like(&bound, &spoiled, &vec![true; skin.len()]);
    let off = |weights: &Weights| -> f64 {
        (0..skin.len())
            .map(|p| weight_distance(weights.of_vertex(p), bound.of_vertex(p)))
            .sum()
    };
    assert!(off(&spoiled) > 20.0, "{}", off(&spoiled));
    assert!(
        off(&evened) < 0.02 * off(&spoiled),
        "{} of {}",
        off(&evened),
        off(&spoiled)
    );
}

#[test]
fn no_vertex_gets_a_joint_that_the_skin_of_its_part_does_not_list() {
    let (skin, _) = athlete();
    let mut character = skin.character().as_ref().clone();
    let foot = character.skeleton.find("left_foot").unwrap();
    let others: Vec<JointIndex> = character.skeleton.indices().filter(|&j| j != foot).collect();
    for part in &mut character.mesh.parts {
        part.joints = Some(others.clone());
    }
    let root = |joint| [Influence { joint, weight: 1.0 }];
    let weights = Weights::new(
        character
            .mesh
            .positions
            .iter()
            .map(|_| root(others[0]))
            .collect::<Vec<_>>()
            .iter()
            .map(|r| &r[..]),
    )
    .unwrap();
    let report = measure(
        &character,
        &weights,
        None,
        &MeasureOptions {
            penetration_frames: 0,
            ..MeasureOptions::default()
        },
        &Task::unattended(),
    )
    .unwrap();
    let skin = Skin::new(character).unwrap();
    let ward = Ward {
        skin: &skin,
        weights: &weights,
        own: &weights,
        report: &report,
    };
    // Half of every other point's row and all of the rest's is on the foot.
    let rows: Vec<Vec<Influence>> = (0..skin.len())
        .map(|p| match p % 2 {
            0 => vec![
                Influence {
                    joint: foot,
                    weight: 0.5,
                },
                Influence {
                    joint: others[1],
                    weight: 0.5,
                },
            ],
            _ => root(foot).to_vec(),
        })
        .collect();
    let new = Weights::new(rows.iter().map(Vec::as_slice)).unwrap();
    let found = ward.to_vertices(&new, &vec![true; skin.len()]);
    for (vertex, point) in skin.points_of_vertices().iter().enumerate() {
        let expected = if point.unwrap().at() % 2 == 0 {
            others[1]
        } else {
            others[0]
        };
        assert_eq!(found.of_vertex(vertex), root(expected), "vertex {vertex}");
    }
}
