//! Inputs made to take long: whatever the coordinates, work is bounded by vertices, faces, joints and resolution.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "in a test a panic is a failure, and time is what is measured"
)]

use std::time::{Duration, Instant};

use glam::Vec3;
use ligament::Character;
use ligament::bind::{BindOptions, Method};
use ligament::character::{Mesh, Skeleton};
use ligament::task::{CancelToken, Task};
use ligament_testkit::{Random, repeats};

/// How long a bind may take of a character that takes a plain one of as many faces a second or less: optimisation is low
/// and the machine busy.
const LIMIT: Duration = Duration::from_secs(60);
/// How long a cancel may take to be heard here. On a free machine and optimised it must be 100 ms.
const UNHEARD: Duration = Duration::from_secs(5);

/// A spine of joints from the ground up to `height`.
fn spine(joints: usize, height: f32) -> Skeleton {
    let step = f64::from(height) / joints as f64;
    let joint = |j: usize| {
        (
            format!("spine_{j}"),
            j.checked_sub(1),
            [0.0, j as f64 * step, 0.0],
        )
    };
    let list: Vec<(String, Option<usize>, [f64; 3])> = (0..joints).map(joint).collect();
    Skeleton::from_positions(&list).unwrap()
}

fn character(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, skeleton: Skeleton) -> Character {
    Character {
        mesh: Mesh::single_part("body", positions, triangles),
        skeleton,
        ..Character::default()
    }
}

/// A number from −1 to 1.
fn any(random: &mut Random) -> f32 {
    random.below(2_000_001) as f32 / 1e6 - 1.0
}

fn any_point(random: &mut Random) -> Vec3 {
    Vec3::new(any(random), any(random), any(random))
}

/// Triangles anywhere in a small box.
fn triangles_in(count: usize, size: f32, random: &mut Random) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let positions = (0..3 * count).map(|_| size * any_point(random)).collect();
    let faces = (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    (positions, faces)
}

/// Everything in one voxel, but for one triangle that makes the grid large.
fn all_in_one_voxel(count: usize) -> Character {
    let mut random = Random(1);
    let (mut positions, mut faces) = triangles_in(count, 1e-3, &mut random);
    let first = positions.len() as u32;
    positions.extend([Vec3::ZERO, Vec3::X, Vec3::Y]);
    faces.push([first, first + 1, first + 2]);
    character(positions, faces, spine(8, 1.0))
}

/// Long thin triangles that all pass through one point.
fn slivers(count: usize) -> Character {
    let mut random = Random(2);
    let mut positions = Vec::new();
    for _ in 0..count {
        let end = any_point(&mut random);
        positions.extend([end, -end, -end + 1e-5 * any_point(&mut random)]);
    }
    let faces = (0..count as u32).map(|f| [3 * f, 3 * f + 1, 3 * f + 2]).collect();
    character(positions, faces, spine(8, 1.0))
}

/// Tetrahedra everywhere.
fn shells(count: usize) -> Character {
    let mut random = Random(3);
    let (mut positions, mut faces) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (at, first) = (any_point(&mut random), positions.len() as u32);
        positions.extend([at, at + 0.01 * Vec3::X, at + 0.01 * Vec3::Y, at + 0.01 * Vec3::Z]);
        faces.extend([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].map(|f: [u32; 3]| f.map(|v| v + first)));
    }
    character(positions, faces, spine(8, 1.0))
}

fn sample(vertices: usize) -> Character {
    ligament::sample::make(&format!("athlete@{vertices}")).unwrap()
}

/// A body with a joint in every corner.
fn many_joints(count: usize) -> Character {
    Character {
        skeleton: spine(count, 1.7),
        ..sample(1500)
    }
}

/// Coordinates as large as numbers of this kind are.
fn enormous() -> Character {
    let mut huge = sample(1500);
    for p in &mut huge.mesh.positions {
        *p *= 1e30;
    }
    for joint in &mut huge.skeleton.joints {
        joint.bind_from_joint.translation *= 1e30;
        joint.rest.translation *= 1e30;
    }
    huge
}

/// Some vertices a long way off, each in another direction.
fn spikes() -> Character {
    let mut body = sample(1500);
    let mut random = Random(4);
    for _ in 0..100 {
        let vertex = random.below(body.mesh.positions.len());
        let far = 10f32.powi(random.below(30) as i32);
        body.mesh.positions[vertex] = far * any_point(&mut random);
    }
    body.mesh.normals = None;
    body
}

/// A fan: one vertex with all faces around it.
fn fan(count: usize) -> Character {
    let rim = |i: usize| {
        let rotation = i as f32 / count as f32 * std::f32::consts::TAU;
        Vec3::new(rotation.cos(), 0.3 * (7.0 * rotation).sin(), rotation.sin())
    };
    let positions = std::iter::once(Vec3::Y).chain((0..count).map(rim)).collect();
    let count = count as u32;
    let faces = (0..count).map(|i| [0, 1 + (i + 1) % count, 1 + i]).collect();
    character(positions, faces, spine(8, 1.0))
}

fn bind(character: &Character, method: &str, task: &Task<'_>) -> bool {
    let method = Method::named(method).unwrap();
    let result = method.bind_character(character, &BindOptions::default(), task);
    if let Ok(result) = &result {
        assert_eq!(result.weights.vertex_count(), character.mesh.positions.len());
        for row in result.weights.iter() {
            let sum: f32 = row.iter().map(|i| i.weight).sum();
            assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        }
    }
    result.is_ok()
}

/// How long a bind that is cancelled after a while goes on.
fn unheard(character: &Character, method: &str, after: Duration) -> Duration {
    let cancel = CancelToken::new();
    let ignored = |_: &'static str, _: f32| {};
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| bind(character, method, &Task::new(cancel.clone(), &ignored)));
        std::thread::sleep(after);
        let start = Instant::now();
        cancel.cancel();
        worker.join().unwrap();
        start.elapsed()
    })
}

#[test]
fn no_input_runs_away_or_cannot_be_stopped() {
    let few = repeats(20_000);
    let cases: [(&str, Character); 8] = [
        ("all in one voxel", all_in_one_voxel(few)),
        ("slivers through one point", slivers(few)),
        ("shells", shells(few)),
        ("joints", many_joints(repeats(10_000))),
        ("coordinates of 1e30", enormous()),
        ("spikes", spikes()),
        ("a fan", fan(few)),
        ("a plain body", sample(repeats(20_000))),
    ];
    for (name, character) in &cases {
        for method in ["voxel", "heat", "best"] {
            let start = Instant::now();
            let bound = bind(character, method, &Task::unattended());
            let time = start.elapsed();
            let late = [0.1, 0.4, 0.8].map(|part| unheard(character, method, time.mul_f64(part)));
            let late = late.into_iter().max().unwrap_or_default();
            println!("{name}, {method}: {time:.2?}, a cancel heard after {late:.2?}, bound: {bound}");
            assert!(time < LIMIT, "{name}, {method} took {time:?}");
            assert!(late < UNHEARD, "{name}, {method} went on for {late:?}");
        }
    }
}
