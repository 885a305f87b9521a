//! Looking at a character of about 50,000 faces: 24 overlapping bumpy spheres along a
//! helix, some inside out, with a joint in each.

use std::f32::consts::{PI, TAU};

use criterion::{Criterion, criterion_group, criterion_main};
use glam::{DAffine3, Vec3};
use ligament::character::{Joint, JointIndex, Transform};
use ligament::geometry::{Shells, WeldedMesh, edge_faults, mirror_symmetry, self_intersecting_faces};
use ligament::inspect::{InspectOptions, inspect, outside};
use ligament::task::Task;
use ligament::{Character, Mesh, Skeleton};

const SPHERES: usize = 24;
const RINGS: usize = 33;
const SECTORS: usize = 32;

fn centre(sphere: usize) -> Vec3 {
    let turn = sphere as f32 / SPHERES as f32 * TAU;
    Vec3::new(2.0 * turn.cos(), 0.2 * sphere as f32, 2.0 * turn.sin())
}

fn character() -> Character {
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for sphere in 0..SPHERES {
        let first = positions.len() as u32;
        // One column more than sectors: a seam of twins, as texture coordinates make it.
        for ring in 0..=RINGS {
            for sector in 0..=SECTORS {
                let (down, around) = (
                    ring as f32 / RINGS as f32 * PI,
                    (sector % SECTORS) as f32 / SECTORS as f32 * TAU,
                );
                let out = Vec3::new(down.sin() * around.cos(), down.cos(), down.sin() * around.sin());
                let radius = 0.5 + 0.02 * (7.0 * around).sin() * (9.0 * down).sin();
                positions.push(centre(sphere) + radius * out);
            }
        }
        for ring in 0..RINGS as u32 {
            for sector in 0..SECTORS as u32 {
                let a = first + ring * (SECTORS as u32 + 1) + sector;
                let (b, c, d) = (a + 1, a + SECTORS as u32 + 1, a + SECTORS as u32 + 2);
                let quad = [[a, b, c], [b, d, c]];
                triangles.extend(quad.map(|[p, q, r]| if sphere % 5 == 4 { [p, r, q] } else { [p, q, r] }));
            }
        }
    }
    let joint = |sphere: usize| Joint {
        name: format!("joint {sphere}"),
        parent: sphere.checked_sub(1).map(|p| JointIndex(p as u16)),
        rest: Transform::from_translation(
            sphere
                .checked_sub(1)
                .map_or(centre(sphere), |p| centre(sphere) - centre(p))
                .as_dvec3(),
        ),
        bind_from_joint: DAffine3::from_translation(centre(sphere).as_dvec3()),
        in_skin: true,
    };
    Character {
        name: "helix".to_owned(),
        mesh: Mesh::single_part("spheres", positions, triangles),
        skeleton: Skeleton {
            joints: (0..SPHERES).map(joint).collect(),
        },
        ..Character::default()
    }
}

fn benches(c: &mut Criterion) {
    let character = character();
    let task = Task::unattended();
    let welded = WeldedMesh::of(&character.mesh);
    let shells = Shells::of(&welded);
    let joints: Vec<_> = character
        .skeleton
        .indices()
        .map(|j| character.skeleton.bind_position(j))
        .collect();

    let mut group = c.benchmark_group("inspect 50k faces");
    group.sample_size(20);
    group.bench_function("weld", |b| b.iter(|| WeldedMesh::of(&character.mesh)));
    group.bench_function("edges", |b| b.iter(|| edge_faults(&welded)));
    group.bench_function("self-intersection", |b| {
        b.iter(|| self_intersecting_faces(&welded, &task))
    });
    group.bench_function("outside, 24 joints", |b| {
        b.iter(|| outside(&welded, &shells, &[], &joints, &task))
    });
    group.bench_function("mirror", |b| b.iter(|| mirror_symmetry(&welded, 1e-3)));
    group.bench_function("everything", |b| {
        b.iter(|| inspect(&character, &InspectOptions::default(), &task))
    });
    group.finish();
}

criterion_group!(inspect_benches, benches);
criterion_main!(inspect_benches);
