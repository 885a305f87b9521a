//! Avatars: VRM 1.0 out.

use std::path::PathBuf;

use glam::DVec3;
use ligament::Pose;
use ligament_io::gltf::GltfFile;
use serde_json::Value;

/// A sample, bound and written as an avatar.
fn avatar(sample: &str, folder: &std::path::Path) -> PathBuf {
    let bound = crate::bind(sample, folder, &["--method", "closest", "--quiet"]);
    let output = bound.with_extension("vrm");
    let args = ["convert", bound.to_str().unwrap(), "-o", output.to_str().unwrap()];
    let about = [
        "--vrm-name",
        "Somebody",
        "--vrm-author",
        "Ada",
        "--vrm-author",
        "Grace",
        "--vrm-term",
        "commercialUsage=corporation",
        "--vrm-term",
        "allowRedistribution=true",
    ];
    let result = crate::run(&[&args[..], &about[..]].concat());
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{said}");
    output
}

fn block(path: &std::path::Path) -> Value {
    let file = GltfFile::open(path).unwrap();
    file.document().json()["extensions"]["VRMC_vrm"].clone()
}

#[test]
fn an_avatar_has_its_bones_and_rests_in_the_t_pose() {
    let folder = tempfile::tempdir().unwrap();
    for sample in ["sample:apose@1000", "sample:athlete@1000"] {
        let path = avatar(sample, folder.path());
        let vrm = block(&path);
        assert_eq!(vrm["specVersion"], "1.0");
        assert_eq!(vrm["meta"]["name"], "Somebody");
        assert_eq!(vrm["meta"]["authors"], serde_json::json!(["Ada", "Grace"]));
        assert_eq!(vrm["meta"]["commercialUsage"], "corporation");
        assert_eq!(vrm["meta"]["allowRedistribution"], true);
        let file = GltfFile::open(&path).unwrap();
        let json = file.document().json();
        let bones = vrm["humanoid"]["humanBones"].as_object().unwrap();
        for (bone, joint) in [
            ("hips", "hips"),
            ("leftHand", "left_hand"),
            ("rightFoot", "right_foot"),
        ] {
            let node = bones[bone]["node"].as_u64().unwrap() as usize;
            assert_eq!(json["nodes"][node]["name"], joint, "{sample}");
        }
        assert!(bones.len() >= 20, "{sample}: {}", bones.len());
        let c = file.character();
        let world = Pose::rest(&c.skeleton).world_from_joints(&c.skeleton);
        let at = |name: &str| world[c.skeleton.find(name).unwrap().at()].translation;
        for (side, out) in [("left", DVec3::X), ("right", DVec3::NEG_X)] {
            let arm = at(&format!("{side}_hand")) - at(&format!("{side}_upper_arm"));
            let off = arm.angle_between(out).to_degrees();
            assert!(off < 6.0, "{sample} {side}: {off}°");
        }
        // The skin is bound where it was.
        let bound = GltfFile::open(&path.with_extension("glb")).unwrap();
        let (a, b) = (&c.skeleton, &bound.character().skeleton);
        for joint in a.indices() {
            let off = a.bind_position(joint).distance(b.bind_position(joint));
            assert!(off < 1e-5, "{sample}");
        }
    }
}

#[test]
fn what_is_an_avatar_already_keeps_its_blocks() {
    let folder = tempfile::tempdir().unwrap();
    let first = avatar("sample:apose@1000", folder.path());
    let second = folder.path().join("again.vrm");
    let (from, to) = (first.to_str().unwrap(), second.to_str().unwrap());
    assert!(crate::run(&["convert", from, "-o", to]).status.success());
    assert_eq!(block(&first), block(&second));
    // What is said anew is replaced, and nothing else.
    assert!(
        crate::run(&["convert", from, "--vrm-name", "Other", "-o", to])
            .status
            .success()
    );
    let mut expected = block(&first);
    expected["meta"]["name"] = "Other".into();
    assert_eq!(block(&second), expected);
    let wrong = crate::run(&["convert", from, "--vrm-term", "modification=yes", "-o", to]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("allowModificationRedistribution"), "{said}");
    let bare = folder.path().join("hound.vrm");
    let result = crate::run(&["convert", "sample:tube@200", "-o", bare.to_str().unwrap()]);
    assert_eq!(result.status.code(), Some(2));
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(said.contains("leftUpperArm"), "{said}");
    assert!(!bare.exists());
}

/// pixiv's three-vrm opens it, finds every bone and turns an arm by VRM's own axes.
#[cfg(feature = "external-tools")]
#[test]
fn three_vrm_opens_and_poses_it() {
    use std::process::Command;

    let folder = tempfile::tempdir().unwrap();
    for sample in ["sample:apose@1000", "sample:knight@2000"] {
        let path = avatar(sample, folder.path());
        let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/vrm.mjs");
        let tools = ligament_testkit::vrm_tools();
        let output = ligament_testkit::run(Command::new("node").arg(script).arg(tools).arg(&path));
        let found: Value = serde_json::from_str(output.lines().last().unwrap()).unwrap();
        assert_eq!(found["name"], "Somebody");
        assert_eq!(found["version"], "1");
        let bones = block(&path)["humanoid"]["humanBones"].as_object().unwrap().len();
        assert_eq!(found["bones"].as_array().unwrap().len(), bones, "{sample}");
        let way = |value: &Value| DVec3::from_array(std::array::from_fn(|i| value[i].as_f64().unwrap()));
        assert!(way(&found["rest"]["left"]).x > 0.99, "{found}");
        assert!(way(&found["rest"]["right"]).x < -0.99, "{found}");
        assert!(way(&found["hanging"]).y < -0.99, "{found}");
        let validated = crate::validator::validate(&[path]);
        assert_eq!((validated[0].errors, validated[0].warnings), (0, 0));
    }
}
