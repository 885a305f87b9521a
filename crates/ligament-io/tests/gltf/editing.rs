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
