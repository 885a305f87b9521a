//! Stages of voxel binding: `cargo bench -p ligament --bench voxel`.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ligament::character::{BoneShape, LEAF_STUB, bones_of};
use ligament::inspect::Welded;
use ligament::sample;
use ligament::solid::distance::{Sources, all_distances, nearest_distances};
use ligament::solid::{Leaves, Solid, SolidOptions};
use ligament::task::Task;

fn stages(c: &mut Criterion) {
    let character = sample::make("athlete@50000").unwrap();
    let surface = Welded::of(&character.mesh);
    let deforms = vec![true; character.skeleton.joints.len()];
    let bones: Vec<BoneShape> = bones_of(&character.skeleton, &deforms, LEAF_STUB)
        .into_iter()
        .map(|b| b.shape)
        .collect();
    let task = Task::unattended();
    let mut group = c.benchmark_group("voxel");
    group.sample_size(10);
    for resolution in [128, 256, 512] {
        let options = SolidOptions {
            resolution,
            ..SolidOptions::default()
        };
        group.bench_function(BenchmarkId::new("solid", resolution), |b| {
            b.iter(|| Solid::of(&surface, &options, &task).unwrap());
        });
        let solid = Solid::of(&surface, &options, &task).unwrap();
        let sources = Sources::of(&solid, &bones);
        let marked = sources.voxels(solid.grid.counts);
        group.bench_function(BenchmarkId::new("leaves", resolution), |b| {
            b.iter(|| Leaves::of(&solid, &marked, true, true));
        });
        let leaves = Leaves::of(&solid, &marked, true, true);
        group.bench_function(BenchmarkId::new("nearest four", resolution), |b| {
            b.iter(|| nearest_distances(&leaves, &sources, 4, 4.0, &task).unwrap());
        });
        group.bench_function(BenchmarkId::new("all", resolution), |b| {
            b.iter(|| all_distances(&leaves, &sources, 4.0, &task).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, stages);
criterion_main!(benches);
