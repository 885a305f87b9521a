//! Loading, binding into and saving a GLB of about 50,000 vertices.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use ligament::bind::{BindOptions, Method};
use ligament::task::Task;
use ligament_io::gltf::{Document, GltfFile, WeightFormat, build};

fn gltf(c: &mut Criterion) {
    let mut character = ligament::sample::make("athlete@50000").expect("the sample exists");
    let bound = Method::named("closest")
        .expect("the method exists")
        .bind_character(&character, &BindOptions::default(), &Task::unattended())
        .expect("the sample binds");
    character.weights = Some(bound.weights.clone());
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("athlete.glb");
    build(&character)
        .expect("it builds")
        .document
        .save(&path)
        .expect("it saves");
    let file = GltfFile::open(&path).expect("it opens");
    let weights = file.character().weights.clone().expect("it has weights");

    let mut group = c.benchmark_group(format!("glb_{}_vertices", file.character().mesh.positions.len()));
    group.sample_size(20);
    group.bench_function("container", |b| b.iter(|| Document::open(black_box(&path))));
    group.bench_function("load", |b| b.iter(|| GltfFile::open(black_box(&path))));
    group.bench_function("replace_weights", |b| {
        b.iter(|| file.with_weights(black_box(&weights), WeightFormat::Keep));
    });
    group.bench_function("save", |b| {
        let document = file.with_weights(&weights, WeightFormat::Keep).expect("they fit");
        let out = folder.path().join("out.glb");
        b.iter(|| document.save(black_box(&out)));
    });
    group.finish();
}

criterion_group!(benches, gltf);
criterion_main!(benches);
