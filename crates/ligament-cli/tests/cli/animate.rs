//! Motions from files in the spellings of many programs, from other characters and made by code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use glam::{DQuat, DVec3};
use ligament::{Character, Clip};
use ligament_io::gltf::GltfFile;
use serde_json::Value;

/// A body of 1.75 m in centimetres, hips at the origin: what it is, what that hangs on, the way there.
const BODY: [(&str, &str, [f64; 3]); 17] = [
    ("hips", "", [0.0, 0.0, 0.0]),
    ("spine", "hips", [0.0, 10.0, 0.0]),
    ("chest", "spine", [0.0, 14.0, 0.0]),
    ("neck", "chest", [0.0, 26.0, 0.0]),
    ("head", "neck", [0.0, 10.0, 2.0]),
    ("shoulder", "chest", [4.0, 20.0, 0.0]),
    ("upperArm", "shoulder", [14.0, 0.0, 0.0]),
    ("lowerArm", "upperArm", [28.0, 0.0, 0.0]),
    ("hand", "lowerArm", [26.0, 0.0, 0.0]),
    ("handTip", "hand", [12.0, 0.0, 0.0]),
    ("hipJoint", "hips", [0.0, 0.0, 0.0]),
    ("upperLeg", "hipJoint", [9.0, -4.0, 0.0]),
    ("lowerLeg", "upperLeg", [0.0, -43.0, 0.0]),
    ("foot", "lowerLeg", [0.0, -41.0, -1.0]),
    ("toes", "foot", [0.0, -6.0, 13.0]),
    ("toeTip", "toes", [0.0, 0.0, 6.0]),
    ("headTop", "head", [0.0, 16.0, 0.0]),
];

/// What programs call the parts; `{}` is the side in their spelling. A part that they do not have is left out.
struct Scheme {
    name: &'static str,
    sides: [&'static str; 2],
    parts: &'static [(&'static str, &'static str)],
    /// Whether Z is up.
    z_up: bool,
}

const SCHEMES: [Scheme; 6] = [
    Scheme {
        name: "cmu",
        sides: ["Left", "Right"],
        parts: &[
            ("hips", "Hips"),
            ("spine", "LowerBack"),
            ("chest", "Spine1"),
            ("neck", "Neck1"),
            ("head", "Head"),
            ("shoulder", "{}Shoulder"),
            ("upperArm", "{}Arm"),
            ("lowerArm", "{}ForeArm"),
            ("hand", "{}Hand"),
            ("handTip", "{}FingerBase"),
            ("hipJoint", "{}HipJoint"),
            ("upperLeg", "{}UpLeg"),
            ("lowerLeg", "{}Leg"),
            ("foot", "{}Foot"),
            ("toes", "{}ToeBase"),
        ],
        z_up: false,
    },
    Scheme {
        name: "acclaim",
        sides: ["l", "r"],
        parts: &[
            ("hips", "root"),
            ("spine", "lowerback"),
            ("chest", "thorax"),
            ("neck", "lowerneck"),
            ("head", "head"),
            ("shoulder", "{}clavicle"),
            ("upperArm", "{}humerus"),
            ("lowerArm", "{}radius"),
            ("hand", "{}wrist"),
            ("hipJoint", "{}hipjoint"),
            ("upperLeg", "{}femur"),
            ("lowerLeg", "{}tibia"),
            ("foot", "{}foot"),
            ("toes", "{}toes"),
        ],
        z_up: false,
    },
    Scheme {
        name: "mixamo",
        sides: ["Left", "Right"],
        parts: &[
            ("hips", "mixamorig:Hips"),
            ("spine", "mixamorig:Spine"),
            ("chest", "mixamorig:Spine1"),
            ("neck", "mixamorig:Neck"),
            ("head", "mixamorig:Head"),
            ("headTop", "mixamorig:HeadTop_End"),
            ("shoulder", "mixamorig:{}Shoulder"),
            ("upperArm", "mixamorig:{}Arm"),
            ("lowerArm", "mixamorig:{}ForeArm"),
            ("hand", "mixamorig:{}Hand"),
            ("upperLeg", "mixamorig:{}UpLeg"),
            ("lowerLeg", "mixamorig:{}Leg"),
            ("foot", "mixamorig:{}Foot"),
            ("toes", "mixamorig:{}ToeBase"),
            ("toeTip", "mixamorig:{}Toe_End"),
        ],
        z_up: false,
    },
    Scheme {
        name: "biped",
        sides: ["L", "R"],
        parts: &[
            ("hips", "Bip01 Pelvis"),
            ("spine", "Bip01 Spine"),
            ("chest", "Bip01 Spine1"),
            ("neck", "Bip01 Neck"),
            ("head", "Bip01 Head"),
            ("headTop", "Bip01 HeadNub"),
            ("shoulder", "Bip01 {} Clavicle"),
            ("upperArm", "Bip01 {} UpperArm"),
            ("lowerArm", "Bip01 {} Forearm"),
            ("hand", "Bip01 {} Hand"),
            ("upperLeg", "Bip01 {} Thigh"),
            ("lowerLeg", "Bip01 {} Calf"),
            ("foot", "Bip01 {} Foot"),
            ("toes", "Bip01 {} Toe0"),
        ],
        z_up: true,
    },
    Scheme {
        name: "collar and ankle",
        sides: ["Left", "Right"],
        parts: &[
            ("hips", "Hips"),
            ("spine", "Chest"),
            ("chest", "Chest2"),
            ("neck", "Neck"),
            ("head", "Head"),
            ("shoulder", "{}Collar"),
            ("upperArm", "{}Shoulder"),
            ("lowerArm", "{}Elbow"),
            ("hand", "{}Wrist"),
            ("upperLeg", "{}Hip"),
            ("lowerLeg", "{}Knee"),
            ("foot", "{}Ankle"),
            ("toes", "{}Toe"),
        ],
        z_up: false,
    },
    Scheme {
        name: "neuron",
        sides: ["Left", "Right"],
        parts: &[
            ("hips", "Robot_Hips"),
            ("spine", "Robot_Spine"),
            ("chest", "Robot_Spine1"),
            ("neck", "Robot_Neck"),
            ("head", "Robot_Head"),
            ("shoulder", "Robot_{}Shoulder"),
            ("upperArm", "Robot_{}Arm"),
            ("lowerArm", "Robot_{}ForeArm"),
            ("hand", "Robot_{}Hand"),
            ("upperLeg", "Robot_{}UpLeg"),
            ("lowerLeg", "Robot_{}Leg"),
            ("foot", "Robot_{}Foot"),
        ],
        z_up: false,
    },
];

const FRAMES: usize = 31;

struct Line {
    name: String,
    part: &'static str,
    /// 1 on the left, -1 on the right, 0 in the middle.
    side: f64,
    parent: Option<usize>,
    offset: DVec3,
}

impl Scheme {
    fn lines(&self) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        for (part, above, offset) in BODY {
            let Some((_, name)) = self.parts.iter().find(|p| p.0 == part) else {
                continue;
            };
            let sides: &[(usize, f64)] = if name.contains("{}") {
                &[(0, 1.0), (1, -1.0)]
            } else {
                &[(0, 0.0)]
            };
            for &(side, flip) in sides {
                // What the scheme does not have is stepped over.
                let (mut above, mut offset) = (above, DVec3::from(offset));
                let parent = loop {
                    let found = lines
                        .iter()
                        .position(|l| l.part == above && (l.side == flip || l.side == 0.0));
                    let over = BODY.iter().find(|b| b.0 == above);
                    match (found, over) {
                        (Some(found), _) => break Some(found),
                        (None, Some(over)) => {
                            offset += DVec3::from(over.2);
                            above = over.1;
                        }
                        (None, None) => break None,
                    }
                };
                let mirror = DVec3::new(if flip < 0.0 { -1.0 } else { 1.0 }, 1.0, 1.0);
                lines.push(Line {
                    name: name.replace("{}", self.sides[side]),
                    part,
                    side: flip,
                    parent,
                    offset: self.turned(offset * mirror),
                });
            }
        }
        depth_first(lines)
    }

    /// From Y up to the scheme's own axes.
    fn turned(&self, v: DVec3) -> DVec3 {
        if self.z_up { DVec3::new(v.x, -v.z, v.y) } else { v }
    }

    /// A second of steps: 1.2 m forward, the left thigh in front at a quarter of the time.
    fn bvh(&self) -> String {
        let lines = self.lines();
        let mut text = "HIERARCHY\n".to_owned();
        write_joint(&mut text, &lines, 0, 0);
        let _ = write!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333\n");
        for frame in 0..FRAMES {
            let u = frame as f64 / (FRAMES - 1) as f64;
            for line in &lines {
                if line.parent.is_none() {
                    let at = self.turned(DVec3::new(0.0, 94.0, 120.0 * u));
                    let _ = write!(text, "{} {} {} ", at.x, at.y, at.z);
                }
                let swing = line.side * (std::f64::consts::TAU * u).sin();
                let nod = match line.part {
                    "upperLeg" => -25.0 * swing,
                    "lowerLeg" => 15.0 - 10.0 * swing,
                    _ => 0.0,
                };
                // About X in either case: it is to the left in both.
                let hang = if line.part == "upperArm" {
                    -70.0 * line.side
                } else {
                    0.0
                };
                let rotation = DQuat::from_rotation_x(f64::to_radians(nod))
                    * DQuat::from_axis_angle(self.turned(DVec3::Z), hang.to_radians());
                let (z, x, y) = rotation.to_euler(glam::EulerRot::ZXY);
                let _ = write!(text, "{} {} {} ", z.to_degrees(), x.to_degrees(), y.to_degrees());
            }
            text.push('\n');
        }
        text
    }
}

fn write_joint(text: &mut String, lines: &[Line], at: usize, depth: usize) {
    let line = &lines[at];
    let kind = if line.parent.is_none() { "ROOT" } else { "JOINT" };
    let indent = "  ".repeat(depth);
    let DVec3 { x, y, z } = line.offset;
    let channels = if line.parent.is_none() {
        "6 Xposition Yposition Zposition Zrotation Xrotation Yrotation"
    } else {
        "3 Zrotation Xrotation Yrotation"
    };
    let _ = write!(
        text,
        "{indent}{kind} {}\n{indent}{{\n{indent}  OFFSET {x} {y} {z}\n{indent}  CHANNELS {channels}\n",
        line.name
    );
    let children: Vec<usize> = (0..lines.len())
        .filter(|&i| lines[i].parent == Some(at))
        .collect();
    for &child in &children {
        write_joint(text, lines, child, depth + 1);
    }
    if children.is_empty() {
        let _ = writeln!(
            text,
            "{indent}  End Site\n{indent}  {{\n{indent}    OFFSET 0 1 0\n{indent}  }}"
        );
    }
    let _ = writeln!(text, "{indent}}}");
}

/// The frames of a BVH hold numbers in the order of its joints, parents first and depth first: sort lines so.
fn depth_first(lines: Vec<Line>) -> Vec<Line> {
    fn visit(at: usize, lines: &[Line], order: &mut Vec<usize>) {
        order.push(at);
        for child in (0..lines.len()).filter(|&i| lines[i].parent == Some(at)) {
            visit(child, lines, order);
        }
    }
    let mut order = Vec::new();
    visit(0, &lines, &mut order);
    let mut placed: Vec<Option<Line>> = lines.into_iter().map(Some).collect();
    let new_place = |old: usize| order.iter().position(|&o| o == old);
    let mut sorted = Vec::new();
    for &old in &order {
        let mut line = placed[old].take().unwrap();
        line.parent = line.parent.and_then(new_place);
        sorted.push(line);
    }
    sorted
}

fn animate(input: &str, extra: &[&str]) -> (tempfile::TempDir, PathBuf, Value) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("moving.glb");
    let mut args = vec!["animate", input, "-o", output.to_str().unwrap(), "--json"];
    args.extend(extra);
    let result = crate::run(&args);
    let said = String::from_utf8_lossy(&result.stderr).into_owned();
    assert!(result.status.success(), "{input} {extra:?}: {said}");
    let report = serde_json::from_slice(&result.stdout).unwrap();
    (folder, output, report)
}

fn refused(args: &[&str]) -> String {
    let result = crate::run(args);
    assert_eq!(result.status.code(), Some(2), "{args:?}");
    String::from_utf8_lossy(&result.stderr).into_owned()
}

fn place(character: &Character, clip: &Clip, joint: &str, at: f32) -> DVec3 {
    let skeleton = &character.skeleton;
    let joint = skeleton.find(joint).unwrap();
    clip.pose_at(skeleton, at).world_from_joints(skeleton)[joint.at()].translation
}

fn write_bvh(folder: &Path, scheme: &Scheme) -> PathBuf {
    let path = folder.join("steps.bvh");
    std::fs::write(&path, scheme.bvh()).unwrap();
    path
}

#[test]
fn motions_of_all_programs_need_no_map() {
    for scheme in &SCHEMES {
        let folder = tempfile::tempdir().unwrap();
        let bvh = write_bvh(folder.path(), scheme);
        let (_folder, output, report) = animate(
            "sample:apose@1000",
            &["--motion", bvh.to_str().unwrap(), "--name", "steps"],
        );
        let clip = &report["clips"][0];
        let joints = clip["joints"].as_u64().unwrap();
        assert!(joints >= 16, "{}: {joints} joints", scheme.name);
        let file = GltfFile::open(&output).unwrap();
        let c = file.character();
        let steps = c.clips.iter().find(|c| c.name == "steps").unwrap();
        let at = |joint: &str, t: f32| place(c, steps, joint, t);
        // The left leg is in front at a quarter of the time, the right one at three quarters.
        for (t, front, back) in [
            (0.25, "left_foot", "right_foot"),
            (0.75, "right_foot", "left_foot"),
        ] {
            let ahead = at(front, t).z - at(back, t).z;
            assert!(ahead > 0.3, "{} at {t}: {ahead}", scheme.name);
        }
        let scale = clip["scale"].as_f64().unwrap();
        let went = at("hips", 1.0) - at("hips", 0.0);
        assert!((went.z - 120.0 * scale).abs() < 0.01, "{}: {went}", scheme.name);
        assert!(
            went.x.abs() < 1e-3 && went.y.abs() < 0.1,
            "{}: {went}",
            scheme.name
        );
        // Arms hang, as the motion says, whatever pose the character is bound in.
        for side in ["left", "right"] {
            let arm = at(&format!("{side}_lower_arm"), 0.5) - at(&format!("{side}_upper_arm"), 0.5);
            let down = -arm.y / arm.length();
            assert!(
                (down - 70f64.to_radians().sin()).abs() < 0.03,
                "{}: {down}",
                scheme.name
            );
        }
    }
}

#[test]
fn motions_made_by_code_are_for_every_kind_of_body() {
    let folder = tempfile::tempdir().unwrap();
    for (sample, motions) in [("sample:athlete@1000", 8), ("sample:hound@1000", 2)] {
        let bound = crate::bind(sample, folder.path(), &["--method", "closest", "--quiet"]);
        let input = bound.to_str().unwrap();
        let (_folder, output, report) = animate(input, &[]);
        let clips = report["clips"].as_array().unwrap();
        assert_eq!(clips.len(), motions, "{input}");
        for clip in clips {
            let sliding = clip["feet"]["sliding"].as_f64().unwrap();
            assert!(sliding < 0.05, "{input} {}: {sliding}", clip["name"]);
        }
        let file = GltfFile::open(&output).unwrap();
        assert!(file.character().clips.len() > motions, "it keeps its own");
        assert!(file.character().weights.is_some(), "weights stay");
    }
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let bytes = |threads: &str| {
        let (_folder, output, _) = animate("sample:athlete@1000", &["--threads", threads]);
        std::fs::read(output).unwrap()
    };
    assert!(bytes("1") == bytes("3"));
}

#[test]
fn what_is_not_recognised_can_be_named_in_a_map() {
    let folder = tempfile::tempdir().unwrap();
    // Names that say nothing, and a body that hierarchy alone does not tell: the legs hang far apart.
    let scheme = &SCHEMES[0];
    let mut text = scheme.bvh();
    for (i, line) in scheme.lines().iter().enumerate() {
        for kind in ["ROOT", "JOINT"] {
            text = text.replace(&format!("{kind} {}\n", line.name), &format!("{kind} q{i}\n"));
        }
    }
    let bvh = folder.path().join("odd.bvh");
    std::fs::write(&bvh, text).unwrap();
    let (bvh, map) = (bvh.to_str().unwrap(), folder.path().join("map.json"));
    let bones = |part: &str, side: f64| {
        let at = scheme
            .lines()
            .iter()
            .position(|l| l.part == part && l.side == side);
        format!("q{}", at.unwrap())
    };
    let mut named = serde_json::Map::new();
    for (bone, part, side) in [
        ("hips", "hips", 0.0),
        ("spine", "spine", 0.0),
        ("head", "head", 0.0),
        ("leftUpperLeg", "upperLeg", 1.0),
        ("leftLowerLeg", "lowerLeg", 1.0),
        ("leftFoot", "foot", 1.0),
        ("rightUpperLeg", "upperLeg", -1.0),
        ("rightLowerLeg", "lowerLeg", -1.0),
        ("rightFoot", "foot", -1.0),
    ] {
        named.insert(bone.to_owned(), Value::String(bones(part, side)));
    }
    let text = serde_json::json!({ "motion": named }).to_string();
    std::fs::write(&map, &text).unwrap();
    let map = map.to_str().unwrap();
    let (_folder, output, _) = animate("sample:apose@1000", &["--motion", bvh, "--map", map]);
    let file = GltfFile::open(&output).unwrap();
    let c = file.character();
    let odd = c.clips.iter().find(|c| c.name == "odd").unwrap();
    let ahead = place(c, odd, "left_foot", 0.25).z - place(c, odd, "right_foot", 0.25).z;
    assert!(ahead > 0.3, "{ahead}");
    // A name that is not there, and a file that is no map.
    std::fs::write(map, text.replace("q0", "nobody")).unwrap();
    let said = refused(&["animate", "sample:apose@1000", "--motion", bvh, "--map", map]);
    assert!(
        said.contains("'nobody'") && said.contains("the motion has no such joint"),
        "{said}"
    );
    std::fs::write(map, "[1]").unwrap();
    let said = refused(&["animate", "sample:apose@1000", "--motion", bvh, "--map", map]);
    assert!(said.contains("a map of joints"), "{said}");
}

#[test]
fn what_cannot_be_matched_says_what_is_missing_and_how_to_name_it() {
    let said = refused(&["animate", "sample:tube@200", "--motion", "builtin:walk"]);
    for word in ["leftUpperLeg", "\"character\"", "--map"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    let said = refused(&["animate", "sample:hound@1000", "--motion", "builtin:jump"]);
    assert!(said.contains("trot"), "{said}");
    let said = refused(&["animate", "sample:hound@1000", "--motion", "sample:athlete@1000"]);
    assert!(said.contains("four legs"), "{said}");
}

#[test]
fn clips_made_by_code_are_drawn_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let bound = crate::bind(
        "sample:apose@1000",
        folder.path(),
        &["--method", "closest", "--quiet"],
    );
    let input = bound.to_str().unwrap();
    let picture = folder.path().join("walk.png");
    let result = crate::run(&[
        "render",
        input,
        "--clip",
        "builtin:walk",
        "--frames",
        "3",
        "--size",
        "80x100",
        "-o",
        picture.to_str().unwrap(),
    ]);
    assert!(
        result.status.success(),
        "{}",
        String::from_utf8_lossy(&result.stderr)
    );
    assert!(picture.exists());
    let result = crate::run(&[
        "check",
        input,
        "--clip",
        "builtin:squat",
        "--frames",
        "4",
        "--penetration-frames",
        "0",
        "--json",
    ]);
    let report: Value = serde_json::from_slice(&result.stdout).unwrap();
    assert_eq!(report["frames"], 4, "{report}");
}

#[test]
fn a_rigged_mesh_moves() {
    let (_folder, path) = crate::rig::rig("sample:knight@3000", &["--animate", "builtin:walk"]);
    let file = GltfFile::open(&path).unwrap();
    let c = file.character();
    assert_eq!(c.clips.len(), 1);
    let foot = |t: f32| place(c, &c.clips[0], "left_foot", t);
    assert!((foot(0.0) - foot(0.55)).length() > 0.2);
}
