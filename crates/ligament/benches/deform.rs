//! Vertices a second of each deformer, on a tube of about a hundred thousand vertices
//! with four influences each from a chain of sixty-four joints.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DAffine3, DQuat, DVec3, Vec3};
use ligament::character::{Influence, Joint, JointIndex, Mesh, Skeleton, Transform, Weights};
use ligament::deform::{Deformed, DeltaMush, DeltaMushOptions, SkinnedMesh};
use ligament::{Character, Pose};

const SIDES: u32 = 128;
const RINGS: u32 = 800;
const JOINTS: u16 = 64;

fn tube() -> (Character, Weights) {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for ring in 0..RINGS {
        for side in 0..SIDES {
            let (s, c) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            positions.push(Vec3::new(ring as f32 / RINGS as f32 * f32::from(JOINTS), c, s));
            if ring > 0 {
                let (a, b) = (ring * SIDES + side, ring * SIDES + (side + 1) % SIDES);
                triangles.push([a - SIDES, b - SIDES, b]);
                triangles.push([a - SIDES, b, a]);
            }
        }
    }
    let joints = (0..JOINTS)
        .map(|j| Joint {
            name: format!("joint {j}"),
            parent: j.checked_sub(1).map(JointIndex),
            rest: Transform::from_translation(if j == 0 { DVec3::ZERO } else { DVec3::X }),
            bind_from_joint: DAffine3::from_translation(DVec3::X * f64::from(j)),
            in_skin: true,
        })
        .collect();
    let lists: Vec<[Influence; 4]> = positions
        .iter()
        .map(|p| {
            let first = (p.x as u16).min(JOINTS - 4);
            std::array::from_fn(|i| Influence {
                joint: JointIndex(first + i as u16),
                weight: 1.0 / (0.5 + (p.x - f32::from(first) - i as f32).abs()),
            })
        })
        .collect();
    let weights = Weights::new(lists.iter().map(|l| &l[..])).expect("all weights are positive");
    let character = Character {
        mesh: Mesh::single_part("tube", positions, triangles),
        skeleton: Skeleton { joints },
        ..Character::default()
    };
    (character, weights)
}

fn deformers(c: &mut Criterion) {
    let (character, weights) = tube();
    let skeleton = &character.skeleton;
    let mut pose = Pose::rest(skeleton);
    for local in &mut pose.locals {
        local.rotation = DQuat::from_rotation_z(0.05) * DQuat::from_rotation_x(0.1);
    }
    let matrices = pose.world_from_bind(skeleton);
    for local in &mut pose.locals {
        local.scale = DVec3::new(1.0, 1.01, 0.99);
    }
    let scaled = pose.world_from_bind(skeleton);
    let skin = SkinnedMesh::new(&character.mesh, &weights).expect("the weights fit");
    let mush = DeltaMush::new(&character.mesh, skin.clone(), &DeltaMushOptions::default());

    let mut group = c.benchmark_group("deform");
    group.throughput(Throughput::Elements(skin.vertex_count() as u64));
    let mut out = Deformed::default();
    let mut positions = Vec::new();
    group.bench_function("linear blend, positions", |b| {
        b.iter(|| skin.linear_blend_positions_into(black_box(&matrices), &mut positions));
    });
    group.bench_function("linear blend", |b| {
        b.iter(|| skin.linear_blend_into(black_box(&matrices), &mut out));
    });
    group.bench_function("dual quaternion", |b| {
        b.iter(|| skin.dual_quaternion_into(skeleton, black_box(&matrices), &mut out));
    });
    group.bench_function("dual quaternion, scaled", |b| {
        b.iter(|| skin.dual_quaternion_into(skeleton, black_box(&scaled), &mut out));
    });
    group.bench_function("delta mush", |b| {
        b.iter(|| mush.evaluate_into(black_box(&matrices), &mut out));
    });
    group.finish();
}

criterion_group!(benches, deformers);
criterion_main!(benches);
