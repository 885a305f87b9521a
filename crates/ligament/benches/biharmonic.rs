//! Biharmonic binding of an athlete: the whole method at two resolutions, and its stages.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use criterion::{Criterion, criterion_group, criterion_main};
use ligament::bind::{BiharmonicOptions, BindOptions, Method};
use ligament::linear::Cholesky;
use ligament::skin::Skin;
use ligament::solid::{Resolution, VolumeLaplacian};
use ligament::task::Task;

fn biharmonic(c: &mut Criterion) {
    let character = ligament::sample::make("athlete@20000").expect("there is such a sample");
    let skin = Skin::new(character).expect("the sample is sound");
    let (options, task) = (BindOptions::default(), Task::unattended());
    let mut group = c.benchmark_group("biharmonic 20k vertices");
    group.sample_size(10);
    for resolution in [32, 64] {
        let mut own = BiharmonicOptions::default();
        own.solid.resolution = Resolution::Voxels(resolution);
        let method = Method::Biharmonic(own);
        group.bench_function(format!("bind at {resolution}"), |b| {
            b.iter(|| method.bind(&skin, &options, &task))
        });
    }
    let method = Method::Biharmonic(BiharmonicOptions::default());
    let prepared = method
        .prepare(&skin, &options, &task)
        .expect("the sample is sound");
    let binding = prepared.biharmonic().expect("that is what was prepared");
    let leaves = binding.field().leaves();
    group.bench_function("Laplacian of the leaves", |b| {
        b.iter(|| VolumeLaplacian::of(leaves))
    });
    let laplacian = VolumeLaplacian::of(leaves);
    let all_but_one: Vec<u32> = (1..leaves.len() as u32).collect();
    let matrix = laplacian.matrix.submatrix(&all_but_one);
    group.bench_function("factorise it", |b| b.iter(|| Cholesky::of(&matrix)));
    group.bench_function("evaluate", |b| b.iter(|| prepared.evaluate(&options, &task)));
    group.finish();
}

criterion_group!(benches, biharmonic);
criterion_main!(benches);
