//! Characters from files of other formats, put together and taken apart.

use std::path::Path;

use ligament_io::gltf::GltfFile;
use ligament_testkit::corpus;
use serde_json::Value;

use crate::{bind, run};

/// A strip along Y as OBJ, its skeleton as BVH in centimetres with Z up.
fn write_strip(folder: &Path) {
    let mut obj = String::from("o strip\n");
    for i in 0..=20 {
        let y = 0.1 * f64::from(i);
        for (x, z) in [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)] {
            obj.push_str(&format!("v {x} {y} {z}\n"));
        }
    }
    for i in 0..20 {
        for side in 0..4 {
            let (a, b) = (4 * i + side + 1, 4 * i + (side + 1) % 4 + 1);
            obj.push_str(&format!("f {a} {b} {} {}\n", b + 4, a + 4));
        }
    }
    std::fs::write(folder.join("strip.obj"), obj).unwrap();
    let bvh = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n\
               JOINT knee\n{\nOFFSET 0 0 100\nCHANNELS 3 Zrotation Xrotation Yrotation\n\
               End Site\n{\nOFFSET 0 0 100\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n\
               0 0 0 0 0 0 0 0 0\n0 0 0 0 0 0 0 90 0\n";
    std::fs::write(folder.join("strip.bvh"), bvh).unwrap();
}

#[test]
fn a_mesh_and_a_skeleton_in_other_units_are_brought_together() {
    let folder = tempfile::tempdir().unwrap();
    write_strip(folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    let args = [
        "bind",
        &path("strip.obj"),
        "--skeleton",
        &path("strip.bvh"),
        "-o",
        &path("plain.glb"),
    ];
    let output = run(&args);
    assert!(output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.contains("has Z up where the mesh has Y up") && said.contains("--fit"),
        "{said}"
    );

    let args = [
        "bind",
        &path("strip.obj"),
        "--skeleton",
        &path("strip.bvh"),
        "--fit",
        "-o",
        &path("fit.glb"),
    ];
    assert!(run(&args).status.success());
    let gltf = GltfFile::open(&folder.path().join("fit.glb")).unwrap();
    let c = gltf.character();
    let knee = c.skeleton.find("knee").unwrap();
    assert!(
        c.skeleton
            .bind_position(knee)
            .distance(glam::DVec3::new(0.0, 1.0, 0.0))
            < 1e-6
    );
    let weights = c.weights.as_ref().unwrap();
    let (bottom, top) = (weights.of_vertex(0)[0].joint, weights.of_vertex(60)[0].joint);
    assert_eq!(c.skeleton.joint(bottom).name, "hip");
    assert_eq!(c.skeleton.joint(top).name, "knee");
    // The knee turns about what was X there and is X here: the top goes forward or back.
    let clip = &c.clips[0];
    let pose = clip.pose_at(&c.skeleton, clip.span_secs().1);
    let posed =
        ligament::deform::deform(c, weights, &pose, ligament::deform::DeformMethod::LinearBlend).unwrap();
    let moved = posed.positions[80] - c.mesh.positions[80];
    assert!(
        moved.x.abs() < 1e-3 && moved.z.abs() > 0.5,
        "the top moved by {moved}"
    );
}

#[test]
fn weights_go_out_alone_and_come_back() {
    let folder = tempfile::tempdir().unwrap();
    write_strip(folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (mesh, bones) = (path("strip.obj"), path("strip.bvh"));
    let whole = path("whole.glb");
    assert!(
        run(&["bind", &mesh, "--skeleton", &bones, "--fit", "-o", &whole])
            .status
            .success()
    );
    let truth = GltfFile::open(Path::new(&whole)).unwrap();
    for ending in ["xml", "csv", "npz", "txt"] {
        let alone = path(&format!("weights.{ending}"));
        let args = ["bind", &mesh, "--skeleton", &bones, "--fit", "-o", &alone];
        assert!(run(&args).status.success(), "{ending}");
        let again = path("again.glb");
        let args = [
            "convert",
            &mesh,
            "--skeleton",
            &bones,
            "--fit",
            "--weights",
            &alone,
            "-o",
            &again,
        ];
        let output = run(&args);
        assert!(
            output.status.success(),
            "{ending}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let back = GltfFile::open(Path::new(&again)).unwrap();
        let (a, b) = (
            truth.character().weights.as_ref().unwrap(),
            back.character().weights.as_ref().unwrap(),
        );
        for v in 0..a.vertex_count() {
            for i in a.of_vertex(v) {
                assert!(
                    (b.weight(v, i.joint) - i.weight).abs() < 1e-5,
                    "{ending}: vertex {v}"
                );
            }
        }
    }
}

#[test]
fn a_skeleton_goes_out_alone_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let bound = bind("sample:athlete@3000", folder.path(), &["--quiet"]);
    let json = folder.path().join("skeleton.json");
    let text = json.to_str().unwrap();
    assert!(
        run(&["convert", bound.to_str().unwrap(), "-o", text, "--quiet"])
            .status
            .success()
    );
    let again = folder.path().join("again.glb");
    // A posed mesh has no skeleton: it gets this one.
    let still = folder.path().join("still.glb");
    let args = [
        "pose",
        bound.to_str().unwrap(),
        "--clip",
        "walk",
        "--time",
        "0",
        "-o",
        still.to_str().unwrap(),
    ];
    assert!(run(&args).status.success());
    let args = [
        "bind",
        still.to_str().unwrap(),
        "--skeleton",
        text,
        "-o",
        again.to_str().unwrap(),
        "--quiet",
    ];
    let output = run(&args);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let (a, b) = (GltfFile::open(&bound).unwrap(), GltfFile::open(&again).unwrap());
    for joint in a.character().skeleton.joints.iter().filter(|j| j.in_skin) {
        let found = b
            .character()
            .skeleton
            .find(&joint.name)
            .unwrap_or_else(|| panic!("{} is missing", joint.name));
        let distance = b
            .character()
            .skeleton
            .bind_position(found)
            .distance(joint.bind_from_joint.translation);
        assert!(distance < 1e-5, "{} is {distance} off", joint.name);
    }
    let twice = run(&[
        "bind",
        bound.to_str().unwrap(),
        "--skeleton",
        text,
        "-o",
        again.to_str().unwrap(),
    ]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&twice.stderr).contains("has a skeleton already"));
}

#[test]
fn real_files_of_other_formats() {
    let Some(corpus) = corpus() else { return };
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.glb").display().to_string();
    let file = |name: &str| corpus.join(name).display().to_string();
    let inspect = || -> Value {
        let output = run(&["inspect", &out, "--json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let cases = [
        (
            file("meshes/libigl_armadillo.obj"),
            Some(file("meshes/libigl_armadillo.skel")),
            43_243,
            40,
        ),
        (
            file("meshes/fps_male.off"),
            Some(file("meshes/fps_male.skel")),
            23_259,
            63,
        ),
        (
            file("meshes/libigl_hand.mesh"),
            Some(file("meshes/libigl_hand.tgf")),
            7_234,
            21,
        ),
        (
            file("meshes/makehuman_base_with_helpers.obj"),
            Some(file("meshes/makehuman_default.mhskel")),
            19_158,
            163,
        ),
        (
            file("open/fbx/rocketbox_dog_germanshepard_01.fbx"),
            None,
            1_118,
            36, // the root that the GLB's exporter left out of the skin
        ),
    ];
    for (mesh, skeleton, vertices, joints) in cases {
        let mut args = vec!["bind", mesh.as_str(), "-o", out.as_str(), "--quiet"];
        if let Some(skeleton) = &skeleton {
            args.extend(["--skeleton", skeleton.as_str()]);
        }
        let output = run(&args);
        assert!(
            output.status.success(),
            "{mesh}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        let found = inspect();
        assert!(found["mesh"]["vertices"].as_u64().unwrap() >= vertices, "{mesh}");
        assert_eq!(found["skeleton"]["joints"].as_u64(), Some(joints), "{mesh}");
        assert_eq!(found["weights"]["torn_vertices"], 0, "{mesh}");
    }
    // libigl's reference weights arrive on their vertices.
    let args = [
        "convert",
        &file("meshes/libigl_arm.obj"),
        "--skeleton",
        &file("meshes/libigl_arm.tgf"),
        "--weights",
        &file("meshes/libigl_arm-weights.dmat"),
        "-o",
        &out,
    ];
    assert!(run(&args).status.success());
    assert_eq!(inspect()["weights"]["used_joints"], 4);
    // Motion from a file of its own.
    let args = [
        "convert",
        &file("open/fbx/rocketbox_male_adult_01.fbx"),
        "--motion",
        &file("open/fbx/rocketbox_m_walk_neutral.fbx"),
        "-o",
        &out,
    ];
    assert!(run(&args).status.success());
    assert_eq!(inspect()["clips"].as_array().unwrap().len(), 1);
}

/// Texture seams split vertices on the way to glTF; weights alone are still for the file's
/// own vertices.
#[test]
fn weights_alone_count_the_sources_vertices() {
    let folder = tempfile::tempdir().unwrap();
    write_strip(folder.path());
    let path = |name: &str| folder.path().join(name).display().to_string();
    // The same strip unrolled onto a texture: a seam along one edge.
    let plain = std::fs::read_to_string(path("strip.obj")).unwrap();
    let mut textured = String::new();
    for i in 0..=20 {
        for side in 0..=4 {
            textured.push_str(&format!("vt {} {}\n", f64::from(side) / 4.0, f64::from(i) / 20.0));
        }
    }
    textured.push_str(
        &plain
            .lines()
            .filter(|l| !l.starts_with('f'))
            .collect::<Vec<_>>()
            .join("\n"),
    );
    textured.push('\n');
    for i in 0..20 {
        for side in 0..4 {
            let (a, b) = (4 * i + side + 1, 4 * i + (side + 1) % 4 + 1);
            let (s, t) = (5 * i + side + 1, 5 * i + side + 2);
            textured.push_str(&format!(
                "f {a}/{s} {b}/{t} {}/{} {}/{}\n",
                b + 4,
                t + 5,
                a + 4,
                s + 5
            ));
        }
    }
    std::fs::write(path("textured.obj"), textured).unwrap();
    for name in ["strip", "textured"] {
        let args = [
            "bind",
            &path(&format!("{name}.obj")),
            "--skeleton",
            &path("strip.bvh"),
            "--fit",
            "-o",
            &path(&format!("{name}.csv")),
        ];
        assert!(run(&args).status.success());
    }
    // Not one line differs, although the document has a vertex more for each ring.
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    assert_eq!(read("strip.csv"), read("textured.csv"));
    let args = [
        "convert",
        &path("textured.obj"),
        "--skeleton",
        &path("strip.bvh"),
        "--fit",
        "--weights",
        &path("strip.csv"),
        "-o",
        &path("t.glb"),
    ];
    assert!(run(&args).status.success());
    let gltf = GltfFile::open(Path::new(&path("t.glb"))).unwrap();
    assert_eq!(gltf.character().mesh.positions.len(), 105);
    assert!(gltf.character().mesh.corner_uvs.is_some());
    assert_eq!(
        ligament::inspect::torn_vertices(
            &gltf.character().mesh,
            &ligament::geometry::Weld::of(&gltf.character().mesh),
            gltf.character().weights.as_ref().unwrap(),
            1e-6,
        ),
        Vec::<u32>::new()
    );
}

#[test]
fn a_character_goes_through_other_formats_and_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let truth = bind("sample:knight@3000", folder.path(), &["--quiet"]);
    for ending in ["usda", "usdc", "usdz", "fbx"] {
        let (layer, back) = (path(&format!("knight.{ending}")), path("back.glb"));
        for (from, to) in [(truth.to_str().unwrap(), &layer), (layer.as_str(), &back)] {
            let output = run(&["convert", from, "-o", to, "--quiet"]);
            assert!(
                output.status.success(),
                "{ending}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        let (a, b) = (
            GltfFile::open(&truth).unwrap(),
            GltfFile::open(Path::new(&back)).unwrap(),
        );
        let (a, b) = (a.character(), b.character());
        assert_eq!(a.mesh.positions.len(), b.mesh.positions.len(), "{ending}");
        assert_eq!(a.clips.len(), b.clips.len(), "{ending}");
        let (before, after) = (a.weights.as_ref().unwrap(), b.weights.as_ref().unwrap());
        for v in 0..before.vertex_count() {
            assert!(
                a.mesh.positions[v].distance(b.mesh.positions[v]) < 1e-6,
                "{ending}: vertex {v}"
            );
            for i in before.of_vertex(v) {
                let joint = b.skeleton.find(&a.skeleton.joint(i.joint).name).unwrap();
                assert!(
                    (after.weight(v, joint) - i.weight).abs() < 1e-5,
                    "{ending}: vertex {v}"
                );
            }
        }
    }
}
