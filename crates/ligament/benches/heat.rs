//! Binding an athlete of about 43,000 vertices by heat: the whole method, and its stages.
#![allow(missing_docs, reason = "criterion's macros make undocumented functions")]
#![allow(clippy::expect_used, reason = "a bench may fail loudly")]

use criterion::{Criterion, criterion_group, criterion_main};
use ligament::bind::heat::{HeatBinding, HeatDomain, HeatForm};
use ligament::bind::{BindOptions, Method};
use ligament::geometry::Laplacian;
use ligament::linear::{Cholesky, EliminationOrder};
use ligament::skin::Skin;
use ligament::task::Task;

fn heat(c: &mut Criterion) {
    let character = ligament::sample::make("athlete@43000").expect("there is such a sample");
    let (options, task) = (BindOptions::default(), Task::unattended());
    let skin = Skin::new(character).expect("the sample is sound");
    let domain = HeatDomain::new(&skin, &options).expect("the options are sound");
    let prepare =
        |form: &HeatForm| HeatBinding::new(domain.clone(), form, &[], &task).expect("the sample is sound");
    let binding = prepare(&HeatForm::default());
    let matrix = binding.matrix();

    let mut group = c.benchmark_group("heat 43k vertices");
    group.sample_size(10);
    for name in ["closest", "hierarchy", "heat"] {
        let method = Method::named(name).expect("there is such a method");
        group.bench_function(name, |b| b.iter(|| method.bind(&skin, &options, &task)));
    }
    group.bench_function("Laplacian", |b| {
        b.iter(|| Laplacian::of(skin.points(), skin.faces()))
    });
    group.bench_function("order of elimination", |b| {
        b.iter(|| EliminationOrder::of(&matrix.starts, &matrix.columns));
    });
    group.bench_function("order and factorise", |b| b.iter(|| Cholesky::of(&matrix)));
    group.bench_function("prepare", |b| b.iter(|| prepare(&HeatForm::default())));
    group.bench_function("prepare as published", |b| {
        b.iter(|| prepare(&HeatForm::published()))
    });
    group.bench_function("solve and choose", |b| {
        b.iter(|| binding.weights(options.influences, &task))
    });
    group.finish();
}

criterion_group!(benches, heat);
criterion_main!(benches);
