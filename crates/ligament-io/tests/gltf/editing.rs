//! Edited skeletons in the documents that they came from.

use glam::DVec3;
use ligament::Character;
use ligament::deform::{DeformMethod, deform};
use ligament::edit::{Command, JointRef, Session, SessionOptions};
use ligament::task::Task;
use ligament_io::gltf::{GltfFile, WeightFormat, build};
use ligament_testkit::corpus;

/// Edits a file, writes it and reads it again: the character must be the edited one.
fn check(file: &GltfFile, commands: &[Command]) -> Character {
    let task = Task::unattended();
    let mut session = Session::new(
        file.character().as_ref().clone(),
        &SessionOptions::default(),
        &task,
    )
    .unwrap();
    for command in commands {
        session
            .apply(command, &task)
            .unwrap_or_else(|e| panic!("{}: {command:?}: {e}", file.character().name));
    }
    let edited = session.character();
    let (made, weights) = file.with_edited_rig(&edited, &session.origins()).unwrap();
    let document = made.with_weights(&weights, WeightFormat::F32).unwrap();
    let bytes = document.to_glb().unwrap();
    let document = ligament_io::gltf::Document::from_bytes(&bytes).unwrap();
    let again = GltfFile::from_document(document, "again").unwrap();
    let read = again.character();

    // The same joints in the same places under the same parents.
    let find = |name: &str| {
        read.skeleton
            .find(name)
            .unwrap_or_else(|| panic!("no joint {name}"))
    };
    let in_skin = |c: &Character| c.skeleton.joints.iter().filter(|j| j.in_skin).count();
    assert_eq!(in_skin(read), in_skin(&edited));
    let names_are_unique = edited.skeleton.duplicate_names().is_empty();
    for joint in edited
        .skeleton
        .indices()
        .filter(|&j| edited.skeleton.joint(j).in_skin && names_are_unique)
    {
        let name = &edited.skeleton.joint(joint).name;
        let parent = |c: &Character, j| {
            c.skeleton
                .skin_parent(j)
                .map(|p| c.skeleton.joint(p).name.clone())
        };
        assert_eq!(
            parent(read, find(name)),
            parent(&edited, joint),
            "{name} of {} after {commands:?}",
            file.character().name
        );
    }
    // And the skin moves as the session's does.
    let posed = |c: &Character, clip: Option<usize>| {
        let pose = match clip {
            Some(clip) => {
                let (from, to) = c.clips[clip].span_secs();
                c.clips[clip].pose_at(&c.skeleton, from + 0.37 * (to - from))
            }
            None => ligament::Pose::rest(&c.skeleton),
        };
        deform(c, c.weights.as_ref().unwrap(), &pose, DeformMethod::LinearBlend)
            .unwrap()
            .positions
    };
    assert_eq!(read.clips.len(), edited.clips.len());
    let size = edited.mesh.diagonal();
    for clip in [None]
        .into_iter()
        .chain((0..edited.clips.len()).map(Some))
        .take(3)
    {
        let (a, b) = (posed(&edited, clip), posed(read, clip));
        assert_eq!(a.len(), b.len());
        let far = a
            .iter()
            .zip(&b)
            .filter(|(p, q)| p.distance(**q) > 2e-3 * size)
            .count();
        assert!(
            far == 0,
            "{} {clip:?}: {far} of {} vertices are elsewhere after {commands:?}",
            file.character().name,
            a.len()
        );
    }
    edited
}

fn sample(spec: &str) -> GltfFile {
    let character = ligament::sample::make(spec).unwrap();
    GltfFile::from_document(build(&character).unwrap().document, spec).unwrap()
}

fn joint(file: &GltfFile, number: usize) -> JointRef {
    let skeleton = &file.character().skeleton;
    let joints: Vec<_> = skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin && skeleton.skin_parent(j).is_some())
        .collect();
    JointRef::Index(joints[number % joints.len()].0)
}

fn commands(file: &GltfFile) -> Vec<Vec<Command>> {
    let size = f64::from(file.character().mesh.diagonal());
    let by = |x: f64, y: f64, z: f64| Some(0.01 * size * DVec3::new(x, y, z));
    let drag = |number: usize, with_children: bool| Command::MoveJoint {
        joint: joint(file, number),
        to: None,
        by: by(1.0, 0.5, -1.0),
        with_children,
    };
    vec![
        vec![drag(3, false), drag(5, true)],
        vec![Command::InsertJoint {
            joint: joint(file, 4),
            name: Some("put in".to_owned()),
            at: 0.5,
        }],
        vec![Command::DeleteJoint {
            joint: joint(file, 2),
        }],
        vec![Command::SetRoot {
            joint: joint(file, 1),
        }],
        vec![Command::Orient {
            joint: None,
            up: None,
        }],
        vec![Command::RenameJoint {
            joint: joint(file, 0),
            name: "another name".to_owned(),
        }],
    ]
}

#[test]
fn samples_come_back_as_edited() {
    for spec in ["hound@800", "knight@2000", "hand@500"] {
        let file = sample(spec);
        for script in commands(&file) {
            check(&file, &script);
        }
    }
}

#[test]
fn what_an_edit_does_not_touch_keeps_its_place() {
    let file = sample("hound@800");
    let edited = check(&file, &commands(&file)[0]);
    let session = Session::new(
        file.character().as_ref().clone(),
        &SessionOptions::default(),
        &Task::unattended(),
    )
    .unwrap();
    let (same, _) = file
        .with_edited_rig(&session.character(), &session.origins())
        .unwrap();
    assert_eq!(same.document().json(), file.document().json());
    // A character of another file is refused.
    let other = sample("hand@500");
    assert!(other.with_edited_rig(&edited, &session.origins()).is_err());
}

#[test]
fn real_files_come_back_as_edited() {
    let Some(corpus) = corpus() else { return };
    for name in ["cesium_man.glb", "robot_expressive.glb", "quaternius_stag.glb"] {
        let file = GltfFile::open(&corpus.join("open").join(name)).unwrap();
        for script in commands(&file) {
            check(&file, &script);
        }
    }
}

/// A clip that is added plays the poses that it was made of, and everything else stays.
#[test]
fn further_clips_are_added_after_the_files_own() {
    use ligament::character::{Channel, Interpolation, Track};
    let hound = ligament::sample::make("hound@800").unwrap();
    let mut document = build(&hound).unwrap().document;
    let file = GltfFile::from_document(document.clone(), "hound").unwrap();
    let joint = file.character().skeleton.find("head").unwrap();
    let turned = glam::Quat::from_rotation_x(0.5);
    let clip = ligament::Clip {
        name: "nod".to_owned(),
        tracks: vec![Track {
            joint,
            channel: Channel::Rotation,
            interpolation: Interpolation::Linear,
            times: vec![0.0, 1.0],
            values: [glam::Quat::IDENTITY, turned]
                .iter()
                .flat_map(|q| q.to_array())
                .collect(),
        }],
    };
    let more = file.with_clips(std::slice::from_ref(&clip)).unwrap();
    let (old, new) = (file.character(), more.character());
    assert_eq!(new.clips.len(), old.clips.len() + 1);
    assert_eq!(new.clips[..old.clips.len()], old.clips[..]);
    let last = new.clips.last().unwrap();
    assert_eq!(last.name, "nod");
    let pose = last.pose_at(&new.skeleton, 1.0);
    assert!(pose.locals[joint.at()].rotation.as_quat().angle_between(turned) < 1e-3);
    assert_eq!(new.mesh, old.mesh);
    assert_eq!(new.skeleton, old.skeleton);

    // A matrix may not be animated: it becomes what it stands for.
    let nodes = document.json().get("nodes").unwrap().as_array().unwrap();
    let at = nodes.iter().position(|n| n["name"] == "head").unwrap();
    let mut json = document.json().clone();
    let matrix = new.skeleton.joint(joint).rest.to_affine();
    let columns: Vec<f64> = glam::DMat4::from(matrix).to_cols_array().to_vec();
    for key in ["translation", "rotation", "scale"] {
        json["nodes"][at].as_object_mut().unwrap().remove(key);
    }
    json["nodes"][at]["matrix"] = serde_json::json!(columns);
    let glb = document.to_glb().unwrap();
    document = replaced_json(&glb, &json);
    let file = GltfFile::from_document(document, "hound").unwrap();
    let more = file.with_clips(&[clip]).unwrap();
    assert!(more.document().json()["nodes"][at].get("matrix").is_none());
    let rest = more.character().skeleton.joint(joint).rest;
    assert!((rest.translation - new.skeleton.joint(joint).rest.translation).length() < 1e-6);
}

/// The same GLB with other JSON.
fn replaced_json(glb: &[u8], json: &serde_json::Value) -> ligament_io::gltf::Document {
    let old = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut text = json.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut made = glb[..12].to_vec();
    made.extend((text.len() as u32).to_le_bytes());
    made.extend(b"JSON");
    made.extend(&text);
    made.extend(&glb[20 + old..]);
    let length = made.len() as u32;
    made[8..12].copy_from_slice(&length.to_le_bytes());
    ligament_io::gltf::Document::from_bytes(&made).unwrap()
}
