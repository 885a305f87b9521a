//! A rig under hands: a session that is brought to the commands of a state.
//!
//! A state holds the script of all edits and nothing of what came of them. The session is a cache beside it: to show another
//! state it takes back what the two scripts do not share and does the rest. Both ways are exact to the bit.

use ligament::character::Track;
use ligament::edit::{Command, EditError, Session};
use ligament::task::Task;
use ligament::{Character, Clip, JointIndex, Skeleton};
use ligament_app::AppError;
use ligament_app::asset::Asset;
use ligament_app::edit::{SessionRequest, command_of};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::state::MOST_INFLUENCES;

/// How a rig is edited, and what was done to it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rigged {
    /// How weights follow.
    pub session: SessionRequest,
    /// Commands as `ligament edit` reads them.
    pub script: Vec<Value>,
}

/// Edits that a state may hold.
const MOST_COMMANDS: usize = 10_000;
/// Commands that change which joints there are.
const STRUCTURAL: [&str; 4] = ["insert_joint", "add_joint", "delete_joint", "set_root"];

impl Rigged {
    /// Fails where it cannot be what a page made.
    pub fn check(&self) -> Result<(), String> {
        if !(1..=MOST_INFLUENCES).contains(&self.session.influences) {
            return Err(format!("influences are 1 to {MOST_INFLUENCES} in the studio"));
        }
        if self
            .session
            .deform
            .iter()
            .any(|d| d.trim_start().starts_with('@'))
        {
            return Err("joints that take part are names or patterns".to_owned());
        }
        if self.script.len() > MOST_COMMANDS {
            return Err(format!("a rig has at most {MOST_COMMANDS} edits"));
        }
        Ok(())
    }

    /// How many commands bring a joint.
    pub fn inserts(&self) -> usize {
        self.script
            .iter()
            .filter(|c| c["command"] == "insert_joint" || c["command"] == "add_joint")
            .count()
    }

    /// Whether joints are others than with another script, not only elsewhere.
    pub fn has_other_joints(&self, before: Option<&Self>) -> bool {
        let structural = |rigged: &Self| -> Vec<Value> {
            let all = rigged.script.iter();
            all.filter(|c| STRUCTURAL.iter().any(|s| c["command"] == *s))
                .cloned()
                .collect()
        };
        before.map(structural).unwrap_or_default() != structural(self)
    }
}

/// A session and the commands that it stands at.
pub struct Rigging {
    session: Session,
    settings: SessionRequest,
    applied: Vec<Command>,
}

impl Rigging {
    /// The slow half.
    pub fn new(asset: &Asset, settings: &SessionRequest, task: &Task<'_>) -> Result<Self, AppError> {
        asset.refuse_without_skeleton()?;
        let session = Session::new(asset.character().as_ref().clone(), &settings.options()?, task)?;
        Ok(Self {
            session,
            settings: settings.clone(),
            applied: Vec::new(),
        })
    }

    /// Whether it is a session of these settings.
    pub fn serves(&self, settings: &SessionRequest) -> bool {
        self.settings == *settings
    }

    /// Brings it to a script; which vertices have other weights than before. Where a command fails, the session stands where it
    /// stood.
    pub fn go_to(&mut self, script: &[Value], asset: &Asset) -> Result<Vec<u32>, String> {
        let commands: Vec<Command> = script
            .iter()
            .map(|value| command_of(value, asset))
            .collect::<Result<_, _>>()?;
        let before = self.applied.clone();
        let mut changed = Vec::new();
        let done = self.follow(&commands, &mut changed);
        let result = done.map_err(|error| {
            // What was there can be had again.
            let _ = self.follow(&before, &mut changed);
            error.to_string()
        });
        changed.sort_unstable();
        changed.dedup();
        result.map(|()| changed)
    }

    fn follow(&mut self, commands: &[Command], changed: &mut Vec<u32>) -> Result<(), EditError> {
        let common = self
            .applied
            .iter()
            .zip(commands)
            .take_while(|(a, b)| a == b)
            .count();
        while self.applied.len() > common {
            if let Some(undone) = self.session.undo() {
                changed.extend(undone.changed_vertices);
            }
            self.applied.pop();
        }
        for command in &commands[common..] {
            let done = self.session.apply(command, &Task::unattended())?;
            changed.extend(done.changed_vertices);
            self.applied.push(command.clone());
        }
        Ok(())
    }

    /// The character as it is now, weights and all.
    pub fn character(&self) -> Character {
        self.session.character()
    }

    /// Where joints come from.
    pub fn origins(&self) -> Vec<Option<JointIndex>> {
        self.session.origins()
    }
}

/// A clip of one skeleton for another that has the same joints under other numbers.
pub fn renumbered(clip: Clip, from: &Skeleton, to: &Skeleton) -> Clip {
    let moved = |track: Track| {
        let joint = to.find(&from.joint(track.joint).name)?;
        Some(Track { joint, ..track })
    };
    Clip {
        name: clip.name,
        tracks: clip.tracks.into_iter().filter_map(moved).collect(),
    }
}
