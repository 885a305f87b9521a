//! Reading other formats and writing what was read as GLB: a sample as OBJ, and real files
//! where there is a corpus.

#![allow(missing_docs, clippy::expect_used, reason = "a benchmark")]

use std::fmt::Write;
use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, criterion_group, criterion_main};
use ligament_io::gltf::build;
use ligament_io::open::{Opened, open};

/// A sample of about 50,000 vertices as an OBJ file.
fn sample_obj(folder: &Path) -> PathBuf {
    let mesh = ligament::sample::make("athlete@50000")
        .expect("the sample exists")
        .mesh;
    let mut text = String::new();
    for p in &mesh.positions {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for [a, b, c] in &mesh.triangles {
        let _ = writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1);
    }
    let path = folder.join("athlete.obj");
    std::fs::write(&path, text).expect("it can be written");
    path
}

fn formats(c: &mut Criterion) {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let mut files = vec![sample_obj(folder.path())];
    if let Some(corpus) = ligament_testkit::corpus() {
        let real = [
            "meshes/common_ogre.obj",
            "meshes/fps_male.off",
            "open/fbx/seed_san.fbx",
        ];
        files.extend(real.map(|name| corpus.join(name)));
    }
    let mut group = c.benchmark_group("formats");
    group.sample_size(10);
    for path in files {
        let name = path
            .file_name()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        group.bench_function(format!("read {name}"), |b| {
            b.iter(|| open(black_box(&path)).map(|_| ()))
        });
        group.bench_function(format!("{name} to glb"), |b| {
            b.iter(|| match open(black_box(&path)) {
                Ok(Opened::Imported(read)) => build(&read.character)
                    .map(|built| built.document.to_glb())
                    .is_ok(),
                _ => false,
            });
        });
    }
    group.finish();
}

criterion_group!(benches, formats);
criterion_main!(benches);
