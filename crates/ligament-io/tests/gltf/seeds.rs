//! The fuzzer starts from the zoo: its seeds are these files, kept in the project.

use std::path::PathBuf;

use crate::zoo;

#[test]
fn the_fuzzers_seeds_are_the_zoo() {
    let folder: PathBuf = ligament_testkit::project_root().join("fuzz/seeds/read_gltf");
    let mut files = zoo::all();
    files.extend([
        ("unbound", zoo::unbound()),
        ("skinless", zoo::skinless()),
        ("helmet", zoo::rigid_helmet()),
    ]);
    for (name, file) in files {
        let path = folder.join(format!("{name}.glb"));
        if std::env::var_os("LIGAMENT_UPDATE").is_some() {
            std::fs::write(&path, file.bytes()).unwrap();
        }
        let kept = std::fs::read(&path).unwrap_or_default();
        assert!(
            kept == file.bytes(),
            "{} is not the zoo's; run the test with LIGAMENT_UPDATE=1",
            path.display()
        );
    }
}
