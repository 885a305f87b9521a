//! Files in and out that do not say what they are in, and vertices that seams split on the way.

use glam::Vec3;
use ligament_io::fbx;
use ligament_io::gltf::GltfFile;

use crate::run;

/// Two squares that share an edge of the mesh and none of the picture.
const OBJ: &str = "\
v 0 0 0\nv 100 0 0\nv 100 0 100\nv 0 0 100\nv 200 0 0\nv 200 0 100\n\
vt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.75 0\nvt 0.75 1\nvt 1 0\nvt 1 1\n\
f 1/1 2/2 3/3 4/4\nf 2/5 5/7 6/8 3/6\n";

fn succeeded(args: &[&str]) {
    let output = run(args);
    assert!(
        output.status.success(),
        "{args:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn seams_that_gltf_splits_are_whole_in_fbx() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("two.obj"), OBJ).unwrap();
    succeeded(&["convert", &path("two.obj"), "-o", &path("two.fbx"), "--quiet"]);
    succeeded(&["convert", &path("two.obj"), "-o", &path("two.glb"), "--quiet"]);
    let split = GltfFile::open(path("two.glb").as_ref()).unwrap();
    assert_eq!(split.character().mesh.positions.len(), 8);
    let whole = fbx::open(path("two.fbx").as_ref()).unwrap().character.mesh;
    assert_eq!(whole.positions.len(), 6);
    let uvs = whole.corner_uvs.as_ref().unwrap();
    let mut across: Vec<f32> = uvs.iter().flatten().map(|uv| uv.x).collect();
    across.sort_by(f32::total_cmp);
    across.dedup();
    assert_eq!(across, [0.0, 0.5, 0.75, 1.0]);
    // And once more.
    succeeded(&["convert", &path("two.fbx"), "-o", &path("again.fbx"), "--quiet"]);
    let again = fbx::open(path("again.fbx").as_ref()).unwrap().character.mesh;
    assert_eq!(again.positions, whole.positions);
    assert_eq!(again.corner_uvs, whole.corner_uvs);
}

#[test]
fn a_file_that_does_not_say_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("flat.obj"), OBJ).unwrap();
    let options = ["--up", "z", "--unit", "cm", "--scale", "2"];
    let mut args = vec!["convert"];
    let (input, output) = (path("flat.obj"), path("flat.glb"));
    args.extend([input.as_str(), "-o", output.as_str(), "--quiet"]);
    args.extend(options);
    succeeded(&args);
    let mesh = &GltfFile::open(output.as_ref()).unwrap().character().mesh.clone();
    // It stood along Z and is four metres wide now, two high.
    let (low, high) = mesh.bounds();
    assert!(low.distance(Vec3::ZERO) < 1e-6, "{low}");
    assert!(high.distance(Vec3::new(4.0, 2.0, 0.0)) < 1e-6, "{high}");
    // A file that says it is not told.
    for (option, value) in [("--up", "z"), ("--unit", "mm"), ("--scale", "3")] {
        let result = run(&["inspect", &output, option, value]);
        let said = String::from_utf8_lossy(&result.stderr).into_owned();
        assert_eq!(result.status.code(), Some(2), "{said}");
        assert!(
            said.contains("units and axes") && said.contains("leave out"),
            "{said}"
        );
    }
    for (option, value) in [("--up", "w"), ("--unit", "furlong"), ("--scale", "0")] {
        let result = run(&["inspect", &input, option, value]);
        assert_eq!(result.status.code(), Some(2), "{option} {value}");
    }
}
