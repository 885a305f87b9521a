//! Evaluating a field of fifty cells of six sites at a hundred thousand points.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{DVec3, Vec3};
use ligament::bind::cells::{Cell, CellField, Site};
use ligament::task::Task;

const POINTS: usize = 100_000;

/// Numbers that fill the unit interval evenly.
fn spread(n: usize, by: f64) -> f32 {
    ((n as f64 * by).fract() - 0.5) as f32
}

fn field() -> CellField {
    let place = |n: usize| [spread(n, 0.618_034), spread(n, 0.754_878), spread(n, 0.569_840)];
    let cells = (0..50)
        .map(|c| Cell {
            joint: format!("joint{c}"),
            origin: place(c),
            falloff: 2.0 + spread(c, 0.37),
            floor: 0.0,
            sites: (0..6)
                .map(|s| Site {
                    centre: (Vec3::from(place(c)) + 0.1 * Vec3::from(place(6 * c + s))).to_array(),
                    shape: [1.0, 0.1, 0.9, -0.1, 0.05, 1.1],
                    radius: 0.02,
                })
                .collect(),
        })
        .collect();
    CellField {
        influences: 4,
        centre: DVec3::ZERO,
        size: 1.0,
        cells,
        detour: None,
        surface: None,
    }
}

fn evaluate(c: &mut Criterion) {
    let field = field();
    let points: Vec<Vec3> = (0..POINTS)
        .map(|n| Vec3::new(spread(n, 0.819_173), spread(n, 0.671_044), spread(n, 0.549_700)))
        .collect();
    let mut group = c.benchmark_group("cells");
    group.throughput(Throughput::Elements(POINTS as u64));
    group.sample_size(20);
    group.bench_function("evaluate 100k points, 50 cells of 6 sites", |b| {
        b.iter(|| {
            field
                .weights_at(black_box(&points), &Task::unattended())
                .expect("nobody cancels")
        });
    });
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
