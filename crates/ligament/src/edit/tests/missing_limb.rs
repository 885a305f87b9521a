//! A limb that is missing is added joint by joint.

use super::{apply, by_name, session};
use crate::edit::{Command, EditMethod, JointRef, Session};
use crate::task::Task;

/// The joints of a limb from its end to where it leaves the body.
const TAIL: [&str; 3] = ["tail5", "tail4", "tail3"];

fn position_of(session: &Session, name: &str) -> glam::DVec3 {
    let skeleton = session.skeleton();
    skeleton.bind_position(skeleton.find(name).unwrap())
}

/// Joints taken away and added where they were give the weights that were there: bones are the same. An added
/// joint comes last, hangs on the named one and stands where it was put, in the rest pose too.
#[test]
fn a_limb_taken_away_and_added_again_has_its_weights() {
    for (method, tolerance) in [(EditMethod::Heat, 2e-3), (EditMethod::Voxel, 1e-6)] {
        let mut session = session("hound@1500", method);
        let before = by_name(&session);
        let positions = TAIL.map(|name| position_of(&session, name));
        for name in TAIL {
            apply(&mut session, &Command::DeleteJoint { joint: name.into() });
        }
        let without = by_name(&session);
        assert!(without != before);
        let mut on = "tail2";
        for (name, position) in TAIL.iter().zip(positions).rev() {
            let command = Command::AddJoint {
                joint: on.into(),
                name: Some((*name).to_owned()),
                to: Some(position),
                by: None,
            };
            apply(&mut session, &command);
            let skeleton = session.skeleton();
            let added = skeleton.find(name).unwrap();
            assert_eq!(added.at(), skeleton.joints.len() - 1);
            assert_eq!(skeleton.joint(added).parent, skeleton.find(on));
            assert!(position_of(&session, name).distance(position) < 1e-12);
            on = name;
        }
        let weight = |row: &[(String, f32)], joint: &str| {
            row.iter().find(|(n, _)| n == joint).map_or(0.0, |(_, w)| *w)
        };
        let after = by_name(&session);
        let mut worst = 0f32;
        for (a, b) in before.iter().zip(&after) {
            for (joint, w) in a.iter().chain(b) {
                let other = weight(a, joint).min(weight(b, joint));
                worst = worst.max(w - other);
            }
        }
        assert!(worst < tolerance, "{method:?}: {worst}");
    }
}

/// Without a name it gets one of its parent's, again and again another; a step of none is refused.
#[test]
fn added_joints_are_named_after_their_parent() {
    let mut session = session("tube@100", EditMethod::Heat);
    let root = JointRef::Index(0);
    let stem = session.skeleton().joints[0].name.clone();
    for number in 1..=2 {
        let command = Command::AddJoint {
            joint: root.clone(),
            name: None,
            to: None,
            by: Some(glam::DVec3::X * 0.1),
        };
        apply(&mut session, &command);
        let last = session.skeleton().joints.last().unwrap();
        assert_eq!(last.name, format!("{stem}_child{number}"));
    }
    let nowhere = Command::AddJoint {
        joint: root,
        name: None,
        to: None,
        by: None,
    };
    let error = session.apply(&nowhere, &Task::unattended()).unwrap_err();
    assert!(error.to_string().contains("neither"), "{error}");
}
