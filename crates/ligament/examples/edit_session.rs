//! Edits a skeleton while its weights follow, undoes it, and keeps the result.
//!
//! `cargo run -p ligament --example edit_session`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use ligament::edit::{Command, Session, SessionOptions};
use ligament::glam::DVec3;
use ligament::task::Task;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (hound, task) = (ligament::sample::make("hound@1500")?, Task::unattended());
    let mut session = Session::new(hound, &SessionOptions::default(), &task)?;

    // Commands are plain data: they come from a mouse, a script or a file.
    let commands = [
        Command::MoveJoint {
            joint: "head".into(),
            to: None,
            by: Some(DVec3::new(0.0, 0.03, 0.02)),
            with_children: true,
        },
        Command::InsertJoint {
            joint: "tail2".into(),
            name: Some("tail1b".to_owned()),
            at: 0.5,
        },
    ];
    for command in &commands {
        let done = session.apply(command, &task)?;
        println!(
            "{command:?}\n  changed the weights of {} vertices",
            done.changed_vertices.len()
        );
    }

    session.undo();
    println!("undone: {} joints", session.skeleton().joints.len());
    session.redo();
    let edited = session.character();
    println!("done again: {} joints", edited.skeleton.joints.len());
    Ok(())
}
