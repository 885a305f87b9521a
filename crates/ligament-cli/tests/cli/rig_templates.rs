//! Standard skeletons fitted into meshes, measured against what artists made.

use std::path::Path;

use glam::{DAffine3, DVec3};
use ligament::character::{BodyPlan, HumanoidMap, Mesh, NameScheme, PartAttachment, StandardBone};
use ligament::rig::{ExtractOptions, Template, TemplateOptions, extract, fit_template};
use ligament::task::Task;
use ligament::{Character, Pose, Skeleton};
use ligament_io::gltf::GltfFile;
use ligament_io::open::{Opened, open};
use ligament_testkit::{corpus_characters, spread};
use serde_json::Value;

use crate::rig::rig;

#[test]
fn a_template_is_written_in_the_names_that_are_asked_for() {
    let (_folder, path) = rig(
        "sample:athlete@3000",
        &["--template", "humanoid", "--names", "mixamo"],
    );
    let file = GltfFile::open(&path).unwrap();
    let skeleton = &file.character().skeleton;
    for name in ["mixamorig:Hips", "mixamorig:LeftForeArm", "mixamorig:RightUpLeg"] {
        assert!(skeleton.find(name).is_some(), "{name}");
    }
    let map = HumanoidMap::of(skeleton);
    assert_eq!((map.plan(), map.missing().len()), (BodyPlan::Humanoid, 0));
    let c = file.character();
    let weights = c.weights.as_ref().unwrap();
    for v in 0..c.mesh.positions.len() {
        let sum: f32 = weights.of_vertex(v).iter().map(|i| i.weight).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

/// Arms go out to the sides, everything else and the bind stay; a body without arms is told.
#[test]
fn the_rest_can_be_the_t_pose() {
    let words = ["--template", "humanoid"];
    let (_folder, path) = rig("sample:knight@4000", &words);
    let (_folder2, posed) = rig("sample:knight@4000", &[&words[..], &["--pose", "T"]].concat());
    let (plain, posed) = (GltfFile::open(&path).unwrap(), GltfFile::open(&posed).unwrap());
    let (plain, posed) = (plain.character(), posed.character());
    assert!(plain.weights == posed.weights);
    let (here, there) = (&plain.mesh.positions, &posed.mesh.positions);
    assert!(here.len() == there.len() && here.iter().zip(there).all(|(a, b)| a.distance(*b) < 1e-5));
    let (before, after) = (&plain.skeleton, &posed.skeleton);
    let rest = |skeleton: &Skeleton| Pose::rest(skeleton).world_from_joints(skeleton);
    let (was, is) = (rest(before), rest(after));
    let map = HumanoidMap::of(before);
    for (shoulder, hand, side) in [
        (StandardBone::LeftUpperArm, StandardBone::LeftHand, 1.0),
        (StandardBone::RightUpperArm, StandardBone::RightHand, -1.0),
    ] {
        let (shoulder, hand) = (map.joint_of(shoulder).unwrap(), map.joint_of(hand).unwrap());
        let along = |world: &[DAffine3]| {
            (world[hand.at()].translation - world[shoulder.at()].translation).normalize()
        };
        assert!(along(&was).x * side < 0.95, "the knight is modelled in an A-pose");
        assert!(along(&is).x * side > 0.995, "{}", along(&is));
    }
    for joint in before.indices() {
        let gap = before.bind_position(joint).distance(after.bind_position(joint));
        assert!(gap < 1e-6, "{}", before.joint(joint).name);
    }
    let foot = map.joint_of(StandardBone::LeftFoot).unwrap().at();
    assert!(was[foot].translation.distance(is[foot].translation) < 1e-6);

    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("hound.glb");
    let refused = crate::run(&[
        "rig",
        "sample:hound@2000",
        "--pose",
        "t",
        "-o",
        output.to_str().unwrap(),
    ]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("two arms"), "{said}");
    assert!(!output.exists());
}

#[test]
fn a_face_has_joints_for_who_asks() {
    let words = ["--template", "humanoid", "--eyes", "--jaw", "--names", "unity"];
    let (_folder, path) = rig("sample:athlete@3000", &words);
    let file = GltfFile::open(&path).unwrap();
    let skeleton = &file.character().skeleton;
    let head = skeleton.find("Head").unwrap();
    for name in ["LeftEye", "RightEye", "Jaw"] {
        let joint = skeleton.find(name).unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(skeleton.joint(joint).parent, Some(head), "{name}");
    }
    let map = HumanoidMap::of(skeleton);
    assert_eq!(map.joint_of(StandardBone::Jaw), skeleton.find("Jaw"));
    let refused = crate::run(&["rig", "sample:hound@2000", "--template", "quadruped", "--jaw"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success() && said.contains("humanoid"), "{said}");
}

#[test]
fn a_body_of_another_kind_keeps_the_extracted_skeleton() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("hound.json");
    let output = output.to_str().unwrap();
    let args = [
        "rig",
        "sample:hound@2000",
        "--template",
        "humanoid",
        "-o",
        output,
        "--json",
    ];
    let result = crate::run(&args);
    assert!(result.status.success());
    let report: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(report["template"]["fitted"], false);
    assert!(
        report["template"]["why_not"]
            .as_str()
            .unwrap()
            .contains("four legs")
    );
    assert!(Path::new(output).exists());
}

#[test]
fn markers_and_mistakes_in_them_are_understood() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("athlete.json");
    let with = |extra: &[&str]| {
        let mut args = vec![
            "rig",
            "sample:athlete@2000",
            "-o",
            output.to_str().unwrap(),
            "--json",
        ];
        args.extend(extra);
        crate::run(&args)
    };
    let pinned = with(&["--template", "humanoid", "--marker", "left_wrist=0.69,1.45,0.02"]);
    assert!(pinned.status.success());
    let report: Value = serde_json::from_slice(&pinned.stdout).unwrap();
    let joints = report["joints"].as_array().unwrap();
    let hand = joints.iter().find(|j| j["bone"] == "leftHand").unwrap();
    assert_eq!(hand["confidence"], 1.0);
    assert_eq!(hand["position"][1], 1.45);
    for (extra, said) in [
        (
            vec!["--template", "humanoid", "--marker", "left_wing=0,0,0"],
            "no bone",
        ),
        (vec!["--template", "centaur"], "quadruped"),
        (vec!["--names", "unreal"], "template"),
        (vec!["--template", "nowhere.glb"], "nowhere.glb"),
    ] {
        let wrong = with(&extra);
        assert_eq!(wrong.status.code(), Some(2), "{extra:?}");
        let text = String::from_utf8_lossy(&wrong.stderr).into_owned();
        assert!(text.contains(said), "{extra:?}: {text}");
    }
}

/// The character without what only hangs on a joint: weapons and the like.
fn skin_alone(character: &Character) -> Character {
    let mut bare = character.clone();
    let skin: Vec<usize> = (0..bare.mesh.parts.len())
        .filter(|&p| bare.mesh.parts[p].attachment == PartAttachment::Skin)
        .collect();
    if !skin.is_empty() {
        let mut new_of_old = vec![None; bare.mesh.positions.len()];
        let (mut positions, mut kept) = (Vec::new(), Vec::new());
        for &p in &skin {
            for triangle in &bare.mesh.triangles[bare.mesh.parts[p].triangles.clone()] {
                kept.push(triangle.map(|v| {
                    let at = bare.mesh.positions[v as usize];
                    *new_of_old[v as usize].get_or_insert_with(|| {
                        positions.push(at);
                        positions.len() as u32 - 1
                    })
                }));
            }
        }
        bare.mesh = Mesh::single_part("skin", positions, kept);
    }
    bare
}

struct Row {
    fitted: bool,
    near: usize,
    compared: usize,
    off: f64,
    extracted_near: usize,
    extracted_off: f64,
    stands: Option<Stands>,
}

/// The joints of the map's bones that VRM asks for, and where another map has them.
fn compare(
    artist: &Character,
    own: &HumanoidMap,
    tall: f64,
    place: impl Fn(StandardBone) -> Option<DVec3>,
) -> (usize, usize, f64) {
    let (mut near, mut compared, mut sum) = (0, 0, 0.0);
    for mapped in own.bones().iter().filter(|m| m.bone.is_required()) {
        let at = artist.skeleton.bind_position(mapped.joint);
        // What was not found is as far away as the body is tall.
        let off = place(mapped.bone).map_or(1.0, |p| p.distance(at) / tall);
        near += usize::from(off < 0.05);
        compared += 1;
        sum += off.min(1.0);
    }
    (near, compared, sum)
}

/// What an animator looks at first in a fitted humanoid.
#[derive(Default, Clone, Copy)]
struct Stands {
    /// Its left is the artist's left.
    sides: bool,
    /// Its feet are at the bottom of the mesh.
    feet: bool,
    /// Knees are not behind the line from hip to ankle, elbows not before that from shoulder to wrist.
    bends: bool,
}

impl Stands {
    fn of(
        artist: impl Fn(StandardBone) -> Option<DVec3>,
        fitted: impl Fn(StandardBone) -> Option<DVec3>,
        (low, tall): (f64, f64),
    ) -> Option<Self> {
        use StandardBone as B;
        let left = fitted(B::LeftUpperLeg)? - fitted(B::RightUpperLeg)?;
        let artists = artist(B::LeftUpperLeg)? - artist(B::RightUpperLeg)?;
        let forward = left.cross(DVec3::Y).normalize_or_zero();
        let toes = [(B::LeftToes, B::LeftFoot), (B::RightToes, B::RightFoot)];
        let on_ground = toes.into_iter().all(|(toes, foot)| {
            let lowest = fitted(toes).or_else(|| fitted(foot));
            lowest.is_some_and(|p| (p.y - low).abs() < 0.1 * tall)
        });
        // A straight limb bends neither way: a hundredth of the height does not count.
        let ahead = |a: B, b: B, c: B| {
            let (a, b, c) = (fitted(a)?, fitted(b)?, fitted(c)?);
            let along = (c - a).normalize_or_zero();
            let off = b - a - along * (b - a).dot(along);
            Some(off.dot(forward) / tall)
        };
        let knees = [
            ahead(B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot)?,
            ahead(B::RightUpperLeg, B::RightLowerLeg, B::RightFoot)?,
        ];
        let elbows = [
            ahead(B::LeftUpperArm, B::LeftLowerArm, B::LeftHand)?,
            ahead(B::RightUpperArm, B::RightLowerArm, B::RightHand)?,
        ];
        Some(Self {
            sides: left.dot(artists) > 0.0,
            feet: on_ground,
            bends: knees.iter().all(|k| *k > -0.01) && elbows.iter().all(|e| *e < 0.01),
        })
    }
}

/// Prints the table of `docs/lab/rig.md` (with `--nocapture`).
#[test]
#[allow(clippy::print_stdout, reason = "a table for a person")]
fn templates_in_real_humanoids_are_near_the_artists_joints() {
    println!(
        "| file | fitted | main joints within 5 % | mean distance | extracted within 5 % | mean distance |"
    );
    println!("|---|---|---|---|---|---|");
    let mut rows: Vec<Row> = Vec::new();
    for path in spread(corpus_characters(), 4) {
        let character = match open(&path).unwrap() {
            Opened::Gltf(file) => file.character().as_ref().clone(),
            Opened::Imported(imported) => imported.character,
        };
        let own = HumanoidMap::of(&character.skeleton);
        if own.plan() != BodyPlan::Humanoid {
            continue;
        }
        let bare = skin_alone(&character);
        let (low, high) = bare.mesh.bounds();
        let tall = f64::from((high - low).y);
        let found = extract(&bare.mesh, &ExtractOptions::default(), &Task::unattended()).unwrap();
        let options = TemplateOptions {
            template: Template::Humanoid,
            names: NameScheme::Vrm,
            markers: std::collections::BTreeMap::new(),
            face: None,
        };
        let fitted = fit_template(&found, &options);
        let of_template = |b: StandardBone| {
            let fitted = fitted.as_ref().ok()?;
            let at = fitted.joints.iter().position(|j| j.bone == Some(b))?;
            Some(fitted.skeleton.joints[at].bind_from_joint.translation)
        };
        let extracted_map = HumanoidMap::of(&found.skeleton);
        let of_extracted = |b: StandardBone| Some(found.skeleton.bind_position(extracted_map.joint_of(b)?));
        let (near, compared, off) = compare(&character, &own, tall, of_template);
        let (extracted_near, _, extracted_off) = compare(&character, &own, tall, of_extracted);
        let of_artist = |b: StandardBone| Some(character.skeleton.bind_position(own.joint_of(b)?));
        let stands = Stands::of(of_artist, of_template, (f64::from(low.y), tall));
        let why = fitted.as_ref().err().map(ToString::to_string);
        println!(
            "| {} | {} | {near} of {compared} | {:.1} % | {extracted_near} of {compared} | {:.1} % |",
            path.file_stem().unwrap().to_string_lossy(),
            why.unwrap_or_else(|| "yes".to_owned()),
            100.0 * off / compared as f64,
            100.0 * extracted_off / compared as f64,
        );
        rows.push(Row {
            fitted: fitted.is_ok(),
            near,
            compared,
            off,
            extracted_near,
            extracted_off,
            stands,
        });
    }
    if rows.is_empty() {
        return;
    }
    let fitted = rows.iter().filter(|r| r.fitted).count();
    let sum = |of: fn(&Row) -> usize| rows.iter().map(of).sum::<usize>();
    let of_fitted = |of: fn(&Row) -> usize| rows.iter().filter(|r| r.fitted).map(of).sum::<usize>();
    println!(
        "| all | {fitted} of {} | {} of {} ({} of {} where fitted) | {:.1} % | {} | {:.1} % |",
        rows.len(),
        sum(|r| r.near),
        sum(|r| r.compared),
        of_fitted(|r| r.near),
        of_fitted(|r| r.compared),
        100.0 * rows.iter().map(|r| r.off).sum::<f64>() / sum(|r| r.compared) as f64,
        sum(|r| r.extracted_near),
        100.0 * rows.iter().map(|r| r.extracted_off).sum::<f64>() / sum(|r| r.compared) as f64,
    );
    let stands: Vec<Stands> = rows.iter().filter_map(|r| r.stands).collect();
    let right = |of: fn(&Stands) -> bool| stands.iter().filter(|s| of(s)).count();
    let (sides, feet, bends) = (right(|s| s.sides), right(|s| s.feet), right(|s| s.bends));
    println!(
        "of {} fitted: sides right {sides}, feet on the ground {feet}, knees and elbows bent the right way {bends}",
        stands.len()
    );
    for wanted in [sides, feet] {
        assert!(wanted as f64 >= 0.7 * stands.len() as f64);
    }
    assert!(fitted as f64 >= 0.7 * rows.len() as f64);
    assert!(of_fitted(|r| r.near) >= of_fitted(|r| r.extracted_near));
}

/// Front and hind legs of both sides, none hanging on another, also where two legs of a real animal leave the trunk on one stem.
#[test]
fn every_leg_of_a_quadruped_is_named() {
    let animals = ["dog", "horse", "stag"];
    let real = corpus_characters().into_iter().map(|p| p.display().to_string());
    let real = real.filter(|path| animals.iter().any(|a| path.contains(a)));
    for input in real.chain(["sample:hound@3000".to_owned()]) {
        let (_folder, path) = rig(&input, &["--template", "quadruped"]);
        let file = GltfFile::open(&path).unwrap();
        let skeleton = &file.character().skeleton;
        for side in ["left", "right"] {
            for end in ["Front", "Hind"] {
                let mut at = skeleton.find(&format!("{side}{end}Toes"));
                let mut missing = vec!["UpperLeg", "LowerLeg", "Foot"];
                while let Some(joint) = at {
                    let name = &skeleton.joint(joint).name;
                    let other = if side == "left" { "right" } else { "left" };
                    assert!(!name.starts_with(other), "{input}: {side} {end} hangs on {name}");
                    missing.retain(|part| *name != format!("{side}{end}{part}"));
                    at = skeleton.joint(joint).parent;
                }
                assert!(missing.is_empty(), "{input}: {side} {end} lacks {missing:?}");
            }
        }
    }
}
