//! Biharmonic binding of an athlete: the whole method at two resolutions, and its stages.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use criterion::{Criterion, criterion_group, criterion_main};
use ligament::bind::biharmonic::BiharmonicBinding;
use ligament::bind::{BindOptions, method};
use ligament::linear::Cholesky;
use ligament::solid::{Resolution, VolumeLaplacian};
use ligament::task::Task;

fn biharmonic(c: &mut Criterion) {
    let character = ligament::sample::make("athlete@20000").expect("there is such a sample");
    let task = Task::unattended();
    let method = method("biharmonic").expect("there is such a method");
    let mut group = c.benchmark_group("biharmonic 20k vertices");
    group.sample_size(10);
    for resolution in [32, 64] {
        let mut options = BindOptions::default();
        options.voxel.resolution = Resolution::Voxels(resolution);
        group.bench_function(format!("bind at {resolution}"), |b| {
            b.iter(|| method.bind(&character, &options, &task))
        });
    }
    let options = BindOptions::default();
    let (binding, ..) = BiharmonicBinding::new(&character, &options, &task).expect("the sample is sound");
    let leaves = binding.field().leaves();
    group.bench_function("Laplacian of the leaves", |b| {
        b.iter(|| VolumeLaplacian::of(leaves))
    });
    let laplacian = VolumeLaplacian::of(leaves);
    let all_but_one: Vec<u32> = (1..leaves.len() as u32).collect();
    let matrix = laplacian.matrix.submatrix(&all_but_one);
    group.bench_function("factorise it", |b| b.iter(|| Cholesky::of(&matrix)));
    group.bench_function("evaluate", |b| {
        b.iter(|| binding.bind(&character, &options, &task))
    });
    group.finish();
}

criterion_group!(benches, biharmonic);
criterion_main!(benches);
