//! Stages of voxel binding: `cargo bench -p ligament --bench voxel`.

#![allow(missing_docs, clippy::unwrap_used, reason = "a benchmark")]

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use ligament::bind::voxel::Form;
use ligament::bind::{BindOptions, Falloff, Method, Region, VertexSet, VoxelOptions};
use ligament::character::{BoneShape, LEAF_STUB, bones_of};
use ligament::geometry::WeldedMesh;
use ligament::sample;
use ligament::skin::Skin;
use ligament::solid::distance::{Sources, all_distances, nearest_distances};
use ligament::solid::{Leaves, Resolution, Solid, SolidOptions};
use ligament::task::Task;

fn stages(c: &mut Criterion) {
    let character = sample::make("athlete@50000").unwrap();
    let surface = WeldedMesh::of(&character.mesh);
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

/// The whole bind, and new weights after a change of falloff.
fn whole(c: &mut Criterion) {
    let skin = Skin::new(sample::make("athlete@50000").unwrap()).unwrap();
    let task = Task::unattended();
    let mut group = c.benchmark_group("voxel bind");
    group.sample_size(10);
    for (name, preset, resolution) in [
        ("default", Form::Ligament, Resolution::Auto),
        ("2014 at 256", Form::Paper2014, Resolution::Voxels(256)),
        ("2014 at 512", Form::Paper2014, Resolution::Voxels(512)),
    ] {
        let mut own = VoxelOptions {
            preset,
            ..VoxelOptions::default()
        };
        own.solid.resolution = resolution;
        let method = Method::Voxel(own);
        group.bench_function(name, |b| {
            b.iter(|| method.bind(&skin, &BindOptions::default(), &task).unwrap())
        });
    }
    // What a slider costs: the papers' form has no smoothing, the default has.
    for (name, preset) in [
        ("new falloff, smoothed", Form::Ligament),
        ("new falloff, 2014", Form::Paper2014),
    ] {
        let method = Method::Voxel(VoxelOptions {
            preset,
            ..VoxelOptions::default()
        });
        let mut options = BindOptions::default();
        let mut prepared = method.prepare(&skin, &options, &task).unwrap();
        prepared.set_falloff(Some(0.6)).unwrap();
        group.bench_function(name, |b| b.iter(|| prepared.evaluate(&options, &task).unwrap()));
        options.regions.push(Region {
            of: VertexSet::Sphere {
                centre: skin.points()[0],
                radius: 0.2,
            },
            falloff: Some(Falloff::Fixed(0.1)),
            drivers: None,
        });
        group.bench_function(format!("{name}, one region"), |b| {
            b.iter(|| prepared.evaluate(&options, &task).unwrap())
        });
    }
    group.finish();
}

criterion_group!(benches, stages, whole);
criterion_main!(benches);
