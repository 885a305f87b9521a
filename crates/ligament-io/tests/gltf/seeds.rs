//! The fuzzer starts from the zoo: its seeds are these files, kept in the project.

use std::path::Path;

use crate::{draco, zoo};

fn check(path: &Path, bytes: &[u8]) {
    if std::env::var_os("LIGAMENT_UPDATE").is_some() {
        std::fs::write(path, bytes).unwrap();
    }
    let kept = std::fs::read(path).unwrap_or_default();
    assert!(
        kept == bytes,
        "{} is not the zoo's; run the test with LIGAMENT_UPDATE=1",
        path.display()
    );
}

#[test]
fn the_fuzzers_seeds_are_the_zoo() {
    let folder = ligament_testkit::project_root().join("fuzz/seeds/gltf");
    let mut files = zoo::all();
    files.extend([
        ("unbound", zoo::unbound()),
        ("skinless", zoo::skinless()),
        ("helmet", zoo::rigid_helmet()),
    ]);
    for (name, file) in files {
        check(&folder.join(format!("{name}.glb")), &file.bytes());
    }
    // One of each way to compress; the others differ in what the zoo already varies.
    let compressed = draco::seeds();
    for (name, (bytes, _)) in [
        ("draco_sequential", &compressed[0]),
        ("draco_edgebreaker", &compressed[compressed.len() / 2]),
    ] {
        check(&folder.join(format!("{name}.glb")), bytes);
    }
}
