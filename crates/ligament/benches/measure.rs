//! Measuring a character of about 20,000 vertices over 100 frames, with and without
//! self-penetration.

use criterion::{Criterion, criterion_group, criterion_main};
use ligament::bind::{BindOptions, Method};
use ligament::measure::{MeasureOptions, measure};
use ligament::task::Task;

fn measuring(c: &mut Criterion) {
    let task = Task::unattended();
    let (Ok(knight), Ok(binder)) = (ligament::sample::make("knight@20000"), Method::named("closest")) else {
        return;
    };
    let Ok(bound) = binder.bind_character(&knight, &BindOptions::default(), &task) else {
        return;
    };
    let mut group = c.benchmark_group("measure 20,000 vertices over 100 frames");
    group.sample_size(10);
    for penetration_frames in [0, 8] {
        let options = MeasureOptions {
            frames: 100,
            penetration_frames,
            ..MeasureOptions::default()
        };
        group.bench_function(format!("{penetration_frames} frames of penetration"), |b| {
            b.iter(|| measure(&knight, &bound.weights, Some(&bound.weights), &options, &task));
        });
    }
    group.finish();
}

criterion_group!(benches, measuring);
criterion_main!(benches);
