//! Random scripts, right and wrong commands mixed.

use glam::DVec3;
use ligament_testkit::Random;

use super::{check_valid, session, shown};
use crate::character::Skeleton;
use crate::edit::{Command, EditMethod, JointRef};
use crate::task::Task;

/// Random commands, the same everywhere.
struct Dice(Random);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0.below(sides)
    }

    fn number(&mut self) -> f64 {
        self.roll(2001) as f64 / 1000.0 - 1.0
    }

    fn command(&mut self, skeleton: &Skeleton, size: f64) -> Command {
        // One more than there are: some commands name a joint that is none.
        let joint = JointRef::Index(self.roll(skeleton.joints.len() + 1) as u16);
        let vector = |dice: &mut Self| 0.1 * size * DVec3::new(dice.number(), dice.number(), dice.number());
        match self.roll(18) {
            0..=4 => Command::MoveJoint {
                joint,
                to: None,
                by: Some(vector(self)),
                with_children: self.roll(2) == 0,
            },
            5 | 6 => Command::InsertJoint {
                joint,
                name: None,
                at: self.roll(5) as f64 / 4.0,
            },
            7 | 8 => Command::DeleteJoint { joint },
            9 => Command::AlignJoints {
                joints: (0..self.roll(5))
                    .map(|_| JointRef::Index(self.roll(skeleton.joints.len()) as u16))
                    .collect(),
            },
            10 => Command::SetRoot { joint },
            11 => Command::RenameJoint {
                joint,
                name: format!("joint {}", self.roll(40)),
            },
            12 => Command::Orient {
                joint: Some(joint).filter(|_| self.roll(2) == 0),
                up: None,
            },
            13 => Command::Range {
                joint,
                to: None,
                by: Some(vector(self)).filter(|_| self.roll(3) > 0),
            },
            14 => Command::Magnitude {
                joint,
                value: self.roll(5) as f64,
            },
            15 | 16 => Command::AddJoint {
                joint,
                name: None,
                to: None,
                by: Some(vector(self)).filter(|_| self.roll(5) > 0),
            },
            _ => Command::TakesPart {
                joint,
                value: self.roll(3) > 0,
            },
        }
    }
}

/// A thousand random scripts, right and wrong commands mixed: after each command the session
/// is sound, a wrong one changes nothing, and undo leads back to the same bytes, redo forth.
#[test]
fn a_thousand_random_scripts_leave_valid_sessions_and_can_be_undone() {
    let (mut done, mut refused) = (0, 0);
    for sample in ["hound@800", "hand@500", "tube@100"] {
        let mut session = session(sample, EditMethod::Heat);
        let size = f64::from(session.character().mesh.diagonal());
        let start = shown(&session);
        let scripts = if sample == "hound@800" { 200 } else { 400 };
        for script in 0..scripts {
            let mut dice = Dice(Random(script + 1));
            let mut applied = 0;
            for _ in 0..1 + dice.roll(5) {
                let command = dice.command(session.skeleton(), size);
                let before = shown(&session);
                match session.apply(&command, &Task::unattended()) {
                    Ok(_) => applied += 1,
                    Err(_) => {
                        refused += 1;
                        assert!(shown(&session) == before, "{sample} {script}: {command:?}");
                    }
                }
            }
            check_valid(&session);
            let end = shown(&session);
            while session.undo().is_some() {}
            assert!(
                shown(&session) == start,
                "{sample}, script {script}: undo leads elsewhere"
            );
            for _ in 0..applied {
                session.redo();
            }
            done += applied;
            assert!(
                shown(&session) == end,
                "{sample}, script {script}: redo leads elsewhere"
            );
            while session.undo().is_some() {}
        }
    }
    assert!(done > 1500 && refused > 150, "{done} done, {refused} refused");
}
