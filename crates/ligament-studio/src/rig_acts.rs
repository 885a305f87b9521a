//! What the desk does for hands on the rig.

use std::sync::Arc;

use glam::Vec3;
use ligament::Skeleton;
use ligament::task::Task;
use ligament_app::asset::AssetRequest;
use ligament_app::rig::RigRequest;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::acts::{Answer, Asked};
use crate::desk::Desk;
use crate::jobs::{Finish, JobError};
use crate::library::Source;
use crate::messages::ServerMessage;
use crate::project::ProjectError;
use crate::rigging::Rigged;
use crate::scene::{bones, joints};
use crate::secrets::token;

/// Standard skeletons that a page can ask for: those of files are for the command line, since a page names no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standard {
    /// Two legs, two arms.
    Humanoid,
    /// Four legs.
    Quadruped,
    /// Two legs and wings.
    Bird,
}

impl Standard {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Humanoid => "humanoid",
            Self::Quadruped => "quadruped",
            Self::Bird => "bird",
        }
    }
}

/// What a file is called whose skeleton was found.
const RIGGED: &str = "_rigged";

impl Desk {
    /// Finds a skeleton in the open mesh, and opens what comes of it.
    pub(crate) fn extract(&mut self, asked: Asked, how: RigRequest) -> Answer {
        let document = self.opened()?;
        let input = document.item.source.input();
        let stem = document.asset.file_stem();
        let name = format!("{}{RIGGED}.glb", stem.trim_end_matches(RIGGED));
        let keeper = self.folders.keeper.clone();
        self.start_job("open", Some(asked), move |task| {
            let folder = token()
                .map_err(std::io::Error::other)
                .and_then(|folder| keeper.new_drop(&folder))
                .map_err(ProjectError::from)?;
            let output = folder.join(&name);
            let request = RigRequest {
                asset: AssetRequest::of(input),
                output: Some(output.clone()),
                ..how
            };
            let report = ligament_app::rig::run(&request, task)?;
            if let Some(template) = report.template
                && let Some(why) = template.why_not
            {
                return Err(JobError::NotFitted {
                    template: template.template,
                    why,
                });
            }
            let finish: Finish = Box::new(move |desk| {
                let item = desk.library.add(name, Source::Dropped(output));
                desk.open(item, Some(asked));
            });
            Ok(finish)
        });
        Ok(None)
    }

    /// Shows edits beyond the last step: weights and joints follow at once.
    pub(crate) fn drag(&mut self, script: &[Value]) -> Answer {
        let timer = Task::unattended();
        let start = timer.now();
        self.drop_stroke();
        let document = self.opened()?;
        let state = document.state();
        let Some(rig) = &state.rig else {
            return Err("take the rig into hands first".to_owned());
        };
        let further = Rigged {
            session: rig.session.clone(),
            script: rig.script.iter().chain(script).cloned().collect(),
        };
        further.check()?;
        let Some(bound) = document.bring(&further)? else {
            return Ok(Some(json!({ "needs_session": true })));
        };
        let bound = if document.has_joints_of_step() {
            document.under_hands(bound)
        } else {
            bound
        };
        let name = document.slots[0].name.clone();
        let (rows, frame) = document.show(0, name, Some(bound));
        let bytes = frame.len();
        if rows > 0 {
            self.frame_all(frame);
        }
        self.tell_rig();
        let milliseconds = timer.now().saturating_sub(start).as_secs_f64() * 1e3;
        Ok(Some(
            json!({ "rows": rows, "bytes": bytes, "milliseconds": milliseconds }),
        ))
    }

    /// Where a joint goes that is dragged to a ray.
    pub(crate) fn snap(&mut self, origin: Vec3, direction: Vec3, whole: bool) -> Answer {
        let document = self.opened()?;
        let body = document.body();
        let middle = body.middle(&document.character().mesh, origin, direction, whole);
        Ok(Some(json!(middle.map(|m| m.to_array()))))
    }

    /// Tells pages of joints that are not where they were. Other joints are another character to them.
    pub(crate) fn tell_rig(&mut self) {
        let Some(document) = &mut self.document else {
            return;
        };
        let now = document.character().clone();
        if Arc::ptr_eq(&document.sent, &now) {
            return;
        }
        let before = std::mem::replace(&mut document.sent, now.clone());
        let skeleton = &now.skeleton;
        if same_joints(&before.skeleton, skeleton) {
            let message = ServerMessage::Joints {
                serial: document.serial,
                joints: joints(skeleton),
                bones: bones(skeleton),
            };
            self.broadcast(&message);
        } else {
            let serial = self.new_serial();
            if let Some(document) = &mut self.document {
                document.serial = serial;
            }
            self.send_document(None);
        }
    }
}

/// Whether joints have the same parents; names and positions may differ.
fn same_joints(a: &Skeleton, b: &Skeleton) -> bool {
    let shape = |s: &Skeleton| -> Vec<_> { s.joints.iter().map(|j| (j.parent, j.in_skin)).collect() };
    a.joints.len() == b.joints.len() && shape(a) == shape(b)
}
