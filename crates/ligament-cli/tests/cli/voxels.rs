//! Prepared bindings, explanations and pictures of voxels.

use std::path::Path;

use crate::{bind, run};

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).display().to_string()
}

fn fails(args: &[&str]) -> String {
    let result = run(args);
    assert_eq!(result.status.code(), Some(2), "{args:?}");
    String::from_utf8_lossy(&result.stderr).into_owned()
}

#[test]
fn a_saved_binding_gives_the_same_file_and_serves_other_levels_of_detail() {
    let folder = tempfile::tempdir().unwrap();
    let saved = path(folder.path(), "knight.voxels");
    let first = bind(
        "sample:knight@3000",
        folder.path(),
        &["--resolution", "48", "--save-binding", &saved],
    );
    let first = std::fs::read(first).unwrap();
    let again = bind("sample:knight@3000", folder.path(), &["--binding", &saved]);
    assert!(std::fs::read(again).unwrap() == first);
    bind("sample:knight@2000", folder.path(), &["--binding", &saved]);
    bind(
        "sample:knight@6000",
        folder.path(),
        &["--binding", &saved, "--falloff", "0.5"],
    );

    let output = path(folder.path(), "out.glb");
    let said = fails(&["bind", "sample:hound@2000", "--binding", &saved, "-o", &output]);
    assert!(
        said.contains("prepare one for this skeleton") && said.contains("knight.voxels"),
        "{said}"
    );
    let mut bytes = std::fs::read(&saved).unwrap();
    bytes[8] = 77;
    let newer = path(folder.path(), "newer.voxels");
    std::fs::write(&newer, bytes).unwrap();
    let said = fails(&["bind", "sample:knight@3000", "--binding", &newer, "-o", &output]);
    assert!(said.contains("version 77"), "{said}");
    let said = fails(&[
        "bind",
        "sample:knight@3000",
        "--binding",
        &saved,
        "--resolution",
        "64",
    ]);
    assert!(said.contains("'resolution' changes nothing"), "{said}");
    let said = fails(&[
        "bind",
        "sample:knight@3000",
        "--method",
        "heat",
        "--binding",
        &saved,
    ]);
    assert!(said.contains("'voxel' knows it"), "{said}");
}

#[test]
fn a_vertex_is_explained_in_words_and_for_programs() {
    let folder = tempfile::tempdir().unwrap();
    let output = path(folder.path(), "tube.glb");
    let input = ["bind", "sample:tube", "-o", &output, "--resolution", "48"];
    let with = |extra: &[&'static str]| -> Vec<&str> { input.iter().chain(extra).copied().collect() };
    let result = run(&with(&["--explain", "0", "--explain", "7"]));
    let said = String::from_utf8_lossy(&result.stdout).into_owned();
    assert!(
        result.status.success() && said.contains("vertex 7") && said.contains("voxels, "),
        "{said}"
    );

    let result = run(&with(&["--explain", "7", "--json"]));
    let report: serde_json::Value = serde_json::from_slice(&result.stdout).unwrap();
    let explained = &report["explained"][0];
    assert_eq!(explained["vertex"].as_u64(), Some(7));
    let sum: f64 = (explained["weights"].as_array().unwrap().iter())
        .map(|w| w["weight"].as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-5);
    let nearest = &explained["bones"][0];
    assert!(nearest["straight"].as_f64() <= nearest["through_solid"].as_f64().map(|d| d + 0.1));
    assert!(!nearest["path"].as_array().unwrap().is_empty());

    let said = fails(&with(&["--explain", "99999999"]));
    assert!(
        said.contains("no vertex 99999999") && said.contains("the last one is"),
        "{said}"
    );
    let by_closest = [
        "bind",
        "sample:tube",
        "-o",
        &output,
        "--explain",
        "7",
        "--method",
        "closest",
    ];
    let said = fails(&by_closest);
    assert!(said.contains("'best' and 'voxel' know it"), "{said}");
}

#[test]
fn voxels_are_drawn_whole_and_cut_open() {
    let folder = tempfile::tempdir().unwrap();
    let mut pictures = Vec::new();
    for slice in [&[][..], &["--slice", "z=0.5"], &["--slice", "x=0.3"]] {
        let output = path(folder.path(), "voxels.png");
        let input = [
            "render",
            "sample:knight@2000",
            "--voxels",
            "--resolution",
            "40",
            "--size",
            "120x160",
            "-o",
            &output,
        ];
        let result = run(&[&input[..], slice].concat());
        let said = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(
            result.status.success() && said.contains("boundary (grey)"),
            "{said}"
        );
        pictures.push(std::fs::read(&output).unwrap());
    }
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    let said = fails(&["render", "sample:tube", "--voxels", "--slice", "w=2"]);
    assert!(said.contains("x=FRACTION"), "{said}");
    let said = fails(&["render", "sample:tube", "--slice", "x=0.5"]);
    assert!(said.contains("--voxels"), "{said}");
}

#[test]
fn a_falloff_follows_a_joint_in_the_pose_that_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let regions = path(folder.path(), "regions.json");
    std::fs::write(
        &regions,
        r#"[{"of": {"box": {"low": [-9, -9, -9], "high": [9, 9, 9]}},
             "falloff": {"joint": "mid", "rest": 0.0, "bent": 1.0, "angle": 20}}]"#,
    )
    .unwrap();
    let sample = "sample:tube";
    let bound = |more: &[&str]| {
        let mut args = vec!["--regions", regions.as_str()];
        args.extend(more);
        std::fs::read(bind(sample, folder.path(), &args)).unwrap()
    };
    let at_rest = bound(&[]);
    let at_start = bound(&["--falloff-pose", "bend@0"]);
    let bent = bound(&["--falloff-pose", "bend"]);
    assert!(at_rest == at_start, "the clip begins at rest");
    assert!(at_rest != bent, "nothing followed the joint");
    let output = path(folder.path(), "out.glb");
    let said = fails(&["bind", sample, "--falloff-pose", "jump", "-o", &output]);
    assert!(said.contains("jump") && said.contains("the file has"), "{said}");
    let said = fails(&["bind", sample, "--falloff-pose", "bend@soon", "-o", &output]);
    assert!(said.contains("CLIP@SECONDS"), "{said}");
}

#[test]
fn forms_of_a_method_stand_side_by_side_in_a_bench() {
    let result = run(&[
        "bench",
        "sample:tube",
        "--methods",
        "voxel,voxel:2014@64,heat:2007",
    ]);
    assert_eq!(result.status.code(), Some(0));
    let said = String::from_utf8_lossy(&result.stdout).into_owned();
    for form in ["| voxel |", "| voxel:2014@64 |", "| heat:2007 |"] {
        assert!(said.contains(form), "{said}");
    }
    assert!(fails(&["bench", "sample:tube", "--methods", "heat@64"]).contains("resolution"));
    assert!(fails(&["bench", "sample:tube", "--methods", "voxel@5"]).contains("32 to 1024"));
}
