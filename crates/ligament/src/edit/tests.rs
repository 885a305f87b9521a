//! Edits against whole binds, and what must hold after any script.

mod missing_limb;
mod random_scripts;

use glam::DVec3;

use super::*;
use crate::bind::{DeformChoice, Falloff, VertexSet};
use crate::character::{Character, Influence, JointIndex, Pose, Skeleton, Weights};
use crate::task::{CancelToken, Task};

fn session(sample: &str, method: EditMethod) -> Session {
    let character = crate::sample::make(sample).unwrap();
    let options = SessionOptions {
        method,
        ..SessionOptions::default()
    };
    Session::new(character, &options, &Task::unattended()).unwrap()
}

fn apply(session: &mut Session, command: &Command) -> EditResult {
    session.apply(command, &Task::unattended()).unwrap()
}

fn move_by(joint: &str, by: [f64; 3]) -> Command {
    Command::MoveJoint {
        joint: joint.into(),
        to: None,
        by: Some(by.into()),
        with_children: false,
    }
}

fn insert(joint: &str, name: &str) -> Command {
    Command::InsertJoint {
        joint: joint.into(),
        name: Some(name.to_owned()),
        at: 0.4,
    }
}

fn add(joint: &str, name: &str, by: [f64; 3]) -> Command {
    Command::AddJoint {
        joint: joint.into(),
        name: Some(name.to_owned()),
        to: None,
        by: Some(by.into()),
    }
}

/// Everything that a session shows.
type Shown = (Skeleton, Vec<crate::Clip>, Weights);

fn shown(session: &Session) -> Shown {
    let character = session.character();
    (character.skeleton, character.clips, session.weights())
}

/// Weights by name, so that numbers of joints may change; names are unique here.
fn by_name(session: &Session) -> Vec<Vec<(String, f32)>> {
    let weights = session.weights();
    let row = |row: &[Influence]| {
        let mut named: Vec<(String, f32)> = row
            .iter()
            .map(|i| (session.skeleton().joint(i.joint).name.clone(), i.weight))
            .collect();
        named.sort_by(|a, b| a.0.cmp(&b.0));
        named
    };
    weights.iter().map(row).collect()
}

fn check_valid(session: &Session) {
    session.skeleton().check().unwrap();
    let character = session.character();
    character.mesh.check().unwrap();
    let weights = session.weights();
    assert_eq!(weights.vertex_count(), character.mesh.positions.len());
    for (v, row) in weights.iter().enumerate() {
        assert!(!row.is_empty() && row.len() <= 4, "vertex {v}: {row:?}");
        let sum: f32 = row.iter().map(|i| i.weight).sum();
        assert!((sum - 1.0).abs() < 1e-5, "vertex {v} sums to {sum}");
        assert!(
            row.iter()
                .all(|i| i.weight > 0.0 && session.skeleton().joint(i.joint).in_skin)
        );
        assert_eq!(session.weights_of_vertex(v), row);
    }
    for clip in &character.clips {
        for track in &clip.tracks {
            track.check().unwrap();
            assert!(track.joint.at() < character.skeleton.joints.len());
        }
    }
}

/// One of each command that heat has, and of each that voxel has.
fn all_commands(method: EditMethod) -> Vec<Command> {
    let sphere = VertexSet::Sphere {
        centre: DVec3::new(0.0, 0.7, 0.4),
        radius: 0.2,
    };
    let mut commands = vec![
        move_by("head", [0.0, 0.02, 0.01]),
        Command::MoveJoint {
            joint: "neck".into(),
            to: None,
            by: Some(DVec3::new(0.0, 0.01, 0.0)),
            with_children: true,
        },
        insert("head", "throat"),
        move_by("throat", [0.0, 0.0, 0.02]),
        add("head", "horn", [0.0, 0.1, 0.0]),
        add("horn", "tip of the horn", [0.0, 0.05, 0.02]),
        Command::RenameJoint {
            joint: "throat".into(),
            name: "gullet".to_owned(),
        },
        Command::Range {
            joint: "gullet".into(),
            to: None,
            by: Some(DVec3::new(0.0, 0.05, 0.0)),
        },
        Command::Range {
            joint: "gullet".into(),
            to: None,
            by: None,
        },
        Command::Magnitude {
            joint: "head".into(),
            value: 3.0,
        },
        Command::TakesPart {
            joint: "gullet".into(),
            value: false,
        },
        Command::AddRegion {
            of: sphere.clone(),
            falloff: None,
            drivers: Some(vec!["head".to_owned(), "neck".to_owned()]),
        },
        Command::RemoveRegion { of: sphere.clone() },
        Command::DeleteJoint {
            joint: "gullet".into(),
        },
        Command::SetRoot { joint: "neck".into() },
        Command::AlignJoints {
            joints: ["tail1", "tail2", "tail3", "tail4"].map(JointRef::from).to_vec(),
        },
        Command::Orient {
            joint: None,
            up: None,
        },
        Command::Orient {
            joint: Some("head".into()),
            up: Some(DVec3::X),
        },
    ];
    match method {
        EditMethod::Heat => commands.push(Command::Smoothness {
            joint: "head".into(),
            value: 0.4,
        }),
        EditMethod::Voxel => commands.extend([
            Command::Falloff { value: Some(0.6) },
            Command::AddRegion {
                of: sphere,
                falloff: Some(Falloff::Fixed(0.9)),
                drivers: None,
            },
            Command::AddShape {
                joint: "head".into(),
                shape: ShapeAround::Ball {
                    offset: DVec3::ZERO,
                    radius: 0.1,
                },
            },
            Command::RemoveShapes { joint: "head".into() },
        ]),
    }
    commands
}

/// A chain of the hound to align, from the top down.
fn a_chain(skeleton: &Skeleton) -> Vec<JointRef> {
    let leaf = skeleton
        .indices()
        .max_by_key(|&j| std::iter::successors(Some(j), |&j| skeleton.skin_parent(j)).count())
        .unwrap();
    let mut chain: Vec<JointRef> = std::iter::successors(Some(leaf), |&j| skeleton.skin_parent(j))
        .take(4)
        .map(|j| JointRef::Index(j.0))
        .collect();
    chain.reverse();
    chain
}

#[test]
fn every_command_tells_exactly_which_vertices_it_changed() {
    for method in [EditMethod::Heat, EditMethod::Voxel] {
        let mut session = session("hound@1000", method);
        let commands = all_commands(method);
        let mut any = 0;
        for command in &commands {
            let before = by_name(&session);
            let done = apply(&mut session, command);
            check_valid(&session);
            let after = by_name(&session);
            let renamed = |row: &[(String, f32)]| {
                let mut row: Vec<(String, f32)> = row
                    .iter()
                    .map(|(n, w)| {
                        if n == "throat" {
                            ("gullet".to_owned(), *w)
                        } else {
                            (n.clone(), *w)
                        }
                    })
                    .collect();
                row.sort_by(|a, b| a.0.cmp(&b.0));
                row
            };
            let differ: Vec<u32> = (0..before.len() as u32)
                .filter(|&v| renamed(&before[v as usize]) != renamed(&after[v as usize]))
                .collect();
            assert_eq!(done.changed_vertices, differ, "{command:?}");
            any += usize::from(!differ.is_empty());
        }
        assert!(any > commands.len() / 2, "only {any} commands changed weights");
        // Back and forth again, with the same account.
        while let Some(undone) = session.undo() {
            let _ = undone;
        }
        let first = by_name(&session);
        let done = session.redo().unwrap();
        let second = by_name(&session);
        let differ: Vec<u32> = (0..first.len() as u32)
            .filter(|&v| first[v as usize] != second[v as usize])
            .collect();
        assert_eq!(done.changed_vertices, differ);
    }
}

#[test]
fn wrong_commands_change_nothing() {
    let mut session = session("hound@1000", EditMethod::Heat);
    let root = session
        .skeleton()
        .indices()
        .find(|&j| session.skeleton().joint(j).in_skin)
        .map(|j| JointRef::Index(j.0))
        .unwrap();
    let before = shown(&session);
    let names: Vec<JointRef> = vec!["head".into(), "neck".into(), "head".into()];
    let wrong = [
        (Command::DeleteJoint { joint: root.clone() }, "root"),
        (
            Command::InsertJoint {
                joint: root,
                name: None,
                at: 0.5,
            },
            "root",
        ),
        (insert("no such joint", "x"), "no such joint"),
        (insert("head", "neck"), "already"),
        (insert("head", " "), "name"),
        (add("no such joint", "x", [0.0; 3]), "no such joint"),
        (add("head", "neck", [0.0; 3]), "already"),
        (add("head", "x", [f64::INFINITY, 0.0, 0.0]), "finite"),
        (Command::AlignJoints { joints: names }, "three"),
        (Command::AlignJoints { joints: Vec::new() }, "three"),
        (
            Command::DeleteJoint {
                joint: JointRef::Index(9999),
            },
            "9999",
        ),
        (move_by("head", [f64::NAN, 0.0, 0.0]), "finite"),
        (
            Command::MoveJoint {
                joint: "head".into(),
                to: None,
                by: None,
                with_children: false,
            },
            "neither",
        ),
        (
            Command::Magnitude {
                joint: "head".into(),
                value: 0.0,
            },
            "over 0",
        ),
        (
            Command::Smoothness {
                joint: "head".into(),
                value: 1.5,
            },
            "within 0 and 1",
        ),
        (Command::Falloff { value: Some(0.5) }, "voxel"),
        (
            Command::AddRegion {
                of: VertexSet::Part("nothing".to_owned()),
                falloff: None,
                drivers: Some(vec!["head".to_owned()]),
            },
            "nothing",
        ),
        (
            Command::AddRegion {
                of: VertexSet::Vertices(vec![0]),
                falloff: None,
                drivers: Some(vec!["nobody".to_owned()]),
            },
            "nobody",
        ),
        (
            Command::RemoveRegion {
                of: VertexSet::Vertices(vec![0]),
            },
            "add_region",
        ),
        (Command::RemoveShapes { joint: "head".into() }, "head"),
        (
            Command::RenameJoint {
                joint: "head".into(),
                name: String::new(),
            },
            "name",
        ),
        (
            Command::Orient {
                joint: None,
                up: Some(DVec3::ZERO),
            },
            "direction",
        ),
    ];
    for (command, word) in wrong {
        let error = session.apply(&command, &Task::unattended()).unwrap_err();
        assert!(error.to_string().contains(word), "{command:?}: {error}");
        assert!(shown(&session) == before, "{command:?} changed something");
        assert_eq!(session.undo_count(), 0);
    }
    // Joints side by side are on no chain.
    let skeleton = session.skeleton();
    let children = skeleton.skin_children();
    let fork = children.iter().find(|c| c.len() >= 2).unwrap();
    let joints = [
        JointRef::Index(fork[0].0),
        JointRef::Index(fork[1].0),
        "head".into(),
    ];
    let command = Command::AlignJoints {
        joints: joints.to_vec(),
    };
    let error = session.apply(&command, &Task::unattended()).unwrap_err();
    assert!(error.to_string().contains("chain"), "{error}");
}

#[test]
fn a_cancelled_command_changes_nothing() {
    for method in [EditMethod::Heat, EditMethod::Voxel] {
        let mut session = session("hound@1000", method);
        let before = shown(&session);
        let cancel = CancelToken::new();
        cancel.cancel();
        let watcher = |_: &'static str, _: f32| {};
        let task = Task::new(cancel, &watcher);
        for command in [move_by("head", [0.0, 0.03, 0.0]), insert("head", "throat")] {
            assert!(session.apply(&command, &task).is_err());
            assert!(shown(&session) == before);
        }
        // And the next one is as if nothing had been.
        let mut other = self::session("hound@1000", method);
        let command = move_by("head", [0.0, 0.03, 0.0]);
        apply(&mut session, &command);
        apply(&mut other, &command);
        assert!(shown(&session) == shown(&other));
    }
}

/// A hundred edits on five characters, one after the other: the largest difference to a whole
/// bind of any weight, before the largest few are chosen, is under 2e-3 after each.
#[test]
fn a_hundred_edits_on_five_characters_agree_with_whole_binds() {
    for sample in [
        "hound@2500",
        "athlete@2500",
        "knight@2500",
        "hand@2000",
        "skirt@2000",
    ] {
        let mut session = session(sample, EditMethod::Heat);
        let size = f64::from(session.character().mesh.diagonal());
        let mut worst = 0f64;
        for index in 0..20u16 {
            let skeleton = session.skeleton();
            let joints: Vec<JointIndex> = skeleton
                .indices()
                .filter(|&j| skeleton.joint(j).in_skin && skeleton.skin_parent(j).is_some())
                .collect();
            let joint = JointRef::Index(joints[usize::from(index) * 7 % joints.len()].0);
            let angle = f64::from(index);
            let by = 0.02 * size * DVec3::new(angle.cos(), angle.sin(), (2.0 * angle).sin());
            let command = match index % 10 {
                3 => Command::InsertJoint {
                    joint,
                    name: None,
                    at: 0.5,
                },
                5 => Command::Magnitude { joint, value: 2.0 },
                6 => Command::Range {
                    joint,
                    to: None,
                    by: Some(by),
                },
                7 => Command::DeleteJoint { joint },
                8 => Command::Smoothness { joint, value: 0.3 },
                _ => Command::MoveJoint {
                    joint,
                    to: None,
                    by: Some(by),
                    with_children: index % 4 == 0,
                },
            };
            apply(&mut session, &command);
            let difference = session.difference_to_whole(&Task::unattended()).unwrap();
            assert!(
                difference < 2e-3,
                "{sample}, edit {index} {command:?}: {difference}"
            );
            worst = worst.max(difference);
        }
        assert!(worst > 0.0);
    }
}

/// What small edits leave out is neither lost nor left behind by undo: the error does not grow.
#[test]
fn what_edits_leave_out_does_not_add_up() {
    let mut session = session("hound@6000", EditMethod::Heat);
    let size = f64::from(session.character().mesh.diagonal());
    let mut worst = 0f64;
    for round in 0..60u32 {
        let angle = f64::from(round) * 0.1;
        let by = 0.002 * size * DVec3::new(angle.cos(), angle.sin(), 0.0);
        for joint in ["spine", "neck"] {
            apply(
                &mut session,
                &Command::MoveJoint {
                    joint: joint.into(),
                    to: None,
                    by: Some(by),
                    with_children: false,
                },
            );
        }
        session.undo();
        if round % 10 == 9 {
            worst = worst.max(session.difference_to_whole(&Task::unattended()).unwrap());
        }
    }
    // Without it, or with undo leaving it behind, several times as much.
    assert!(worst < 1e-3, "{worst}");
}

/// Only a part of a long body is solved again.
#[test]
fn edits_are_local() {
    let mut session = session("hound@6000", EditMethod::Heat);
    let done = apply(&mut session, &move_by("tail3", [0.0, 0.01, 0.0]));
    let all = session.point_count();
    assert!(
        done.positions_solved < all / 4,
        "{} of {all}",
        done.positions_solved
    );
    assert!(done.joints_solved < session.skeleton().joints.len() / 2);
}

#[test]
fn voxel_edits_are_whole_binds_and_run_few_bones_again() {
    let mut session = session("hound@1500", EditMethod::Voxel);
    let commands = [
        move_by("head", [0.0, 0.02, 0.01]),
        insert("head", "throat"),
        Command::Magnitude {
            joint: "head".into(),
            value: 2.0,
        },
        Command::DeleteJoint { joint: "neck".into() },
    ];
    for command in &commands {
        let done = apply(&mut session, command);
        assert!(
            done.joints_solved < 8,
            "{command:?} ran {} bones",
            done.joints_solved
        );
        assert_eq!(session.difference_to_whole(&Task::unattended()).unwrap(), 0.0);
    }
    // Undo does not run distances; the command after it does not notice.
    session.undo();
    session.undo();
    let done = apply(&mut session, &move_by("throat", [0.0, 0.01, 0.0]));
    assert!(done.joints_solved < 12);
    assert_eq!(session.difference_to_whole(&Task::unattended()).unwrap(), 0.0);
}

/// The steps of a drag become one, and undo leads back to before the first.
#[test]
fn steps_of_a_drag_are_joined() {
    for method in [EditMethod::Heat, EditMethod::Voxel] {
        let mut session = session("hound@1000", method);
        let start = shown(&session);
        assert!(!session.join_last_two());
        apply(&mut session, &move_by("head", [0.0, 0.01, 0.0]));
        assert!(!session.join_last_two());
        for step in 0..3 {
            apply(
                &mut session,
                &move_by("head", [0.0, 0.01, 0.002 * f64::from(step)]),
            );
            assert!(session.join_last_two());
            assert_eq!(session.undo_count(), 1);
        }
        let (end, weights) = (shown(&session), by_name(&session));
        let undone = session.undo().unwrap();
        assert!(shown(&session) == start);
        let before = by_name(&session);
        let differ: Vec<u32> = (0..before.len() as u32)
            .filter(|&v| before[v as usize] != weights[v as usize])
            .collect();
        assert_eq!(undone.changed_vertices, differ);
        session.redo();
        assert!(shown(&session) == end);
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut session = session("athlete@2000", EditMethod::Heat);
            apply(&mut session, &move_by("left_hand", [0.03, 0.0, 0.0]));
            apply(&mut session, &insert("left_hand", "twist"));
            shown(&session)
        })
    };
    assert!(run(1) == run(3));
}

/// Where each joint of the old skeleton moves skin, at some times of all clips.
fn motions(character: &Character, names: &[String]) -> Vec<glam::DAffine3> {
    let skeleton = &character.skeleton;
    let mut found = Vec::new();
    let poses = character.clips.iter().flat_map(|clip| {
        // The first track is there after every edit; between keys motion may differ.
        let (from, to) = clip.span_secs();
        let mut times: Vec<f32> = clip.tracks.iter().flat_map(|t| t.times.iter().copied()).collect();
        times.retain(|&t| t == from || t == to || t == clip.tracks[0].times[1]);
        times.sort_by(f32::total_cmp);
        times.dedup();
        times.into_iter().map(|t| clip.pose_at(skeleton, t))
    });
    for pose in poses.chain([Pose::rest(skeleton)]) {
        let world = pose.world_from_bind(skeleton);
        for name in names {
            found.push(world[skeleton.find(name).unwrap().at()]);
        }
    }
    found
}

/// Axes, roots and inserted joints change how motion is written down, not the motion.
#[test]
fn motions_go_along() {
    let mut session = session("hound@1000", EditMethod::Heat);
    let names: Vec<String> = session.skeleton().joints.iter().map(|j| j.name.clone()).collect();
    let before = motions(&session.character(), &names);
    assert!(!session.character().clips.is_empty());
    for command in [
        Command::Orient {
            joint: None,
            up: None,
        },
        insert("head", "throat"),
        Command::SetRoot { joint: "head".into() },
    ] {
        apply(&mut session, &command);
        let after = motions(&session.character(), &names);
        assert_eq!(before.len(), after.len());
        for (a, b) in before.iter().zip(&after) {
            // Keys are 32-bit numbers.
            assert!(a.abs_diff_eq(*b, 1e-4), "{command:?}: {a} {b}");
        }
    }
    // A joint that was moved turns about its new position, and stands still at rest.
    apply(&mut session, &move_by("throat", [0.0, 0.02, 0.0]));
    let character = session.character();
    let rest = Pose::rest(&character.skeleton).world_from_bind(&character.skeleton);
    assert!(rest.iter().all(|m| m.abs_diff_eq(rest[0], 1e-9)));
}

#[test]
fn aligned_joints_lie_in_one_plane_and_bend_about_one_axis() {
    let mut session = session("hound@1000", EditMethod::Heat);
    let joints = a_chain(session.skeleton());
    let indices: Vec<JointIndex> = joints
        .iter()
        .map(|j| match j {
            JointRef::Index(i) => JointIndex(*i),
            JointRef::Name(name) => session.skeleton().find(name).unwrap(),
        })
        .collect();
    // Bend it out of any plane first.
    for (k, &joint) in indices.iter().enumerate() {
        let by = 0.02 * DVec3::new((k % 2) as f64, (k / 2 % 2) as f64, 0.0);
        let command = Command::MoveJoint {
            joint: JointRef::Index(joint.0),
            to: None,
            by: Some(by),
            with_children: false,
        };
        apply(&mut session, &command);
    }
    apply(&mut session, &Command::AlignJoints { joints });
    let skeleton = session.skeleton();
    let at = |k: usize| skeleton.bind_position(indices[k]);
    let volume = (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0));
    assert!(volume.abs() < 1e-9, "{volume}");
    let axis = |k: usize| skeleton.joint(indices[k]).bind_from_joint.matrix3.x_axis;
    for k in 1..4 {
        assert!((axis(0).dot(axis(k)).abs() - 1.0).abs() < 1e-9, "joint {k}");
    }
    for joint in &indices {
        let frame = skeleton.joint(*joint).bind_from_joint.matrix3;
        assert!((frame.determinant() - 1.0).abs() < 1e-9);
    }
}

#[test]
fn an_inserted_joint_takes_its_place_and_a_deleted_one_leaves_no_trace() {
    let mut session = session("hound@1000", EditMethod::Heat);
    let head = session.skeleton().find("head").unwrap();
    let parent = session.skeleton().skin_parent(head).unwrap();
    let between = session
        .skeleton()
        .bind_position(parent)
        .lerp(session.skeleton().bind_position(head), 0.4);
    apply(&mut session, &insert("head", "throat"));
    let skeleton = session.skeleton();
    assert_eq!(skeleton.find("throat"), Some(head));
    assert!(skeleton.bind_position(head).distance(between) < 1e-12);
    assert_eq!(skeleton.skin_parent(skeleton.find("head").unwrap()), Some(head));
    assert!(
        session.weights().influences().iter().any(|i| i.joint == head),
        "it holds skin"
    );
    assert_eq!(session.origins().iter().filter(|o| o.is_none()).count(), 1);
    apply(
        &mut session,
        &Command::DeleteJoint {
            joint: "throat".into(),
        },
    );
    assert_eq!(session.skeleton().find("head"), Some(head));
    assert_eq!(session.skeleton().skin_parent(head), Some(parent));
}

#[test]
fn the_published_region_is_there_to_compare() {
    let character = crate::sample::make("hound@3000").unwrap();
    let options = SessionOptions {
        growth: Growth::Rings,
        deform: DeformChoice::All,
        ..SessionOptions::default()
    };
    let mut session = Session::new(character, &options, &Task::unattended()).unwrap();
    let done = apply(&mut session, &move_by("head", [0.0, 0.02, 0.0]));
    assert!(done.positions_solved > 0 && done.positions_solved < session.point_count());
    check_valid(&session);
    assert!(session.difference_to_whole(&Task::unattended()).unwrap() < 0.2);
    // A map that is none of this character is refused.
    let map = SessionOptions {
        joint_of_vertex: Some(vec![JointIndex(0)]),
        ..options
    };
    let error = Session::new(session.character(), &map, &Task::unattended()).unwrap_err();
    assert!(matches!(error, EditError::BadMap(_)));
}
