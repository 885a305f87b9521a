//! What the desk does when a page asks.

use std::sync::{Arc, Mutex};

use ligament::task::Task;
use ligament::weights::hands::HandSurface;
use ligament_app::rig::RigRequest;
use ligament_io::atomic::write_file;
use serde_json::{Value, json};

use crate::binder::{BoundSkin, Shared, bound_in_same_volume, evaluated, prepared_for};
use crate::desk::Desk;
use crate::document::{Document, Wanted, weights_of};
use crate::export;
use crate::hands::{Hands, on_other_mesh, renumbering};
use crate::jobs::Finish;
use crate::judge::judge;
use crate::library::{Item, PROJECT};
use crate::messages::{Command, Request};
use crate::mirror_view::mirror_frame;
use crate::painting::Around;
use crate::posing::pose_of;
use crate::project::{Project, ProjectError};
use crate::rigging::{Rigged, Rigging, renumbered};
use crate::secrets::token;
use crate::state::{BindSettings, Key, Other, State, Turn};

/// Who asked, and by which number.
pub(crate) type Asked = (u64, u32);
/// What is answered, or why not.
pub(crate) type Answer = Result<Option<Value>, String>;

/// A step, before it is known that it can be taken.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Bind(Option<Box<BindSettings>>),
    Compare(Option<Other>),
    Pose(Vec<Turn>),
    Keys(Vec<Key>),
    Rig(Option<Box<Rigged>>),
    Hands(Box<Hands>),
}

impl Change {
    fn applied(self, state: &State) -> State {
        let mut state = state.clone();
        match self {
            Self::Bind(settings) => state.bind = settings.map(|s| *s),
            Self::Compare(other) => state.other = other,
            Self::Pose(turns) => state.pose = turns,
            Self::Keys(keys) => state.keys = keys,
            Self::Hands(hands) => state.hands = *hands,
            Self::Rig(rig) => {
                // Turns of joints that are no longer the same ones mean nothing.
                let before = state.rig.clone().unwrap_or_default();
                if rig
                    .as_deref()
                    .unwrap_or(&Rigged::default())
                    .has_other_joints(Some(&before))
                {
                    (state.pose, state.keys) = (Vec::new(), Vec::new());
                }
                state.bind = None;
                state.rig = rig.map(|r| *r);
            }
        }
        state
    }
}

/// The longest name of a step.
const LONGEST_LABEL: usize = 80;

impl Desk {
    /// Does what a page asks for.
    pub(crate) fn answer(&mut self, client: u64, request: Request) {
        let asked = (client, request.id);
        if request.command.is_step()
            && let (Some(base), Some(document)) = (request.base, &self.document)
            && base != document.revision
        {
            return self.fail(
                client,
                request.id,
                "another tab changed the character first; what you see now is the newest",
            );
        }
        match self.act(asked, request.command) {
            Ok(Some(value)) => self.reply(client, asked.1, value),
            Ok(None) => {} // a job answers
            Err(message) => self.fail(client, asked.1, message),
        }
    }

    fn act(&mut self, asked: Asked, command: Command) -> Answer {
        match command {
            Command::Library {} => Ok(Some(json!(self.library.listed()))),
            Command::Open { item } => {
                let item = self.library.get(&item).cloned();
                let item = item.ok_or("this is not in the list of what can be opened")?;
                self.open(item, Some(asked));
                Ok(None)
            }
            Command::Bind { settings, label } => {
                let usual = match &settings {
                    Some(settings) => format!("Bind: {}", settings.title()),
                    None => "The file's own weights".to_owned(),
                };
                self.change(asked, label.unwrap_or(usual), Change::Bind(settings))
            }
            Command::Try { settings, pose } => self.try_settings(&settings, pose.as_deref()),
            Command::Forget {} => {
                self.settle();
                Ok(Some(Value::Null))
            }
            Command::Cancel { job } => {
                if let Some(job) = self.jobs.get(&job) {
                    job.cancel.cancel();
                }
                Ok(Some(Value::Null))
            }
            Command::Compare { other } => {
                let label = match &other {
                    None => "Compare with nothing".to_owned(),
                    Some(Other::File {}) => "Compare with the file's weights".to_owned(),
                    Some(Other::Bind(settings)) => format!("Compare with {}", settings.title()),
                    Some(Other::Item(id)) => {
                        let item = self.library.get(id).ok_or("this file is not in the list")?;
                        format!("Compare with {}", item.name)
                    }
                };
                self.change(asked, label, Change::Compare(other))
            }
            Command::Pose { turns, label } => self.change(asked, label, Change::Pose(turns)),
            Command::Keys { keys, label } => self.change(asked, label, Change::Keys(keys)),
            Command::Rig { rig, label } => self.change(asked, label, Change::Rig(rig)),
            Command::Extract {
                detail,
                joints,
                template,
                names,
            } => {
                let request = RigRequest {
                    joints,
                    detail,
                    template: template.map(|t| t.name().to_owned()),
                    names: names.filter(|_| template.is_some()),
                    ..RigRequest::default()
                };
                self.extract(asked, request)
            }
            Command::Drag { script } => self.drag(&script),
            Command::WhichJoints { deform } => self.which_joints(&deform),
            Command::Snap {
                origin,
                direction,
                whole,
            } => self.snap(origin.into(), direction.into(), whole),
            Command::Go { step } => self.go(step),
            Command::Pick {
                origin,
                direction,
                pose,
                slot,
            } => self.pick(origin.into(), direction.into(), pose.as_deref(), slot),
            Command::Brush {
                origin,
                direction,
                pose,
                radius,
                cone,
                through,
            } => {
                let around = Around::of(radius, cone, through);
                self.brush(origin.into(), direction.into(), pose.as_deref(), around)
            }
            Command::Paint {
                brush,
                rays,
                radius,
                cone,
                through,
                pose,
            } => {
                let around = Around::of(radius, cone, through);
                self.paint(&brush, &rays, around, pose.as_deref())
            }
            Command::Stroke { label } => self.end_stroke(asked, label),
            Command::Fill {
                brush,
                origin,
                direction,
                pose,
                reach,
            } => {
                let ray = [origin, direction];
                self.fill(asked, &brush, ray, pose.as_deref(), reach)
            }
            Command::Layer { opacity } => self.show_layer(opacity),
            Command::Hands { tool, label } => self.use_tool(asked, tool, label),
            Command::Rows { vertices } => self.rows(&vertices),
            Command::KeepHands {} => self.keep_hands(),
            Command::Thumbnail { item } => self.thumbnail(asked, &item),
            Command::Why { vertex } => self.why(vertex),
            Command::Mush { pose, slot } => self.mush(asked, pose.as_deref(), slot),
            Command::Clip { clip } => {
                let document = self.opened()?;
                let frame = document
                    .stage
                    .clip_frame(document.character(), clip, document.serial);
                let frame = frame.ok_or("there is no such clip")?;
                self.frame(asked.0, frame);
                Ok(Some(Value::Null))
            }
            Command::Check { range } => self.check(asked, range),
            Command::Export { format } => self.export(asked, &format),
            Command::BindOther { item, format } => self.bind_other(asked, &item, &format),
            Command::Save {} => self.save(asked),
            Command::Voxels {} => self.voxels(asked),
            Command::Mirror {} => {
                let document = self.opened()?;
                let (share, frame) = mirror_frame(document.character(), document.serial);
                self.frame(asked.0, frame);
                Ok(Some(json!({ "share": share })))
            }
            Command::Recover { accept } => self.recover(accept),
            Command::Link {} => {
                let code = self.doors.new_code().map_err(|e| e.to_string())?;
                Ok(Some(json!(format!("{}#{code}", self.address))))
            }
        }
    }

    pub(crate) fn opened(&mut self) -> Result<&mut Document, String> {
        self.document
            .as_mut()
            .ok_or_else(|| "open a character first".to_owned())
    }

    /// Opens something on a thread of its own. What is open stays until that is done.
    pub(crate) fn open(&mut self, item: Item, asked: Option<Asked>) {
        let serial = self.new_serial();
        let keeper = self.folders.keeper.clone();
        self.start_job("open", asked, move |task| {
            let (item, history) = if item.source.is_project() {
                let path = item.source.path().unwrap_or(std::path::Path::new(""));
                let project = Project::read(path)?;
                let folder = token()
                    .map_err(std::io::Error::other)
                    .map_err(ProjectError::from)?;
                let folder = keeper.new_drop(&folder).map_err(ProjectError::from)?;
                let source = project.unpacked(&folder)?;
                let item = Item {
                    source,
                    name: project.name.clone(),
                    ..item
                };
                (item, Some(project.history))
            } else {
                (item, None)
            };
            let asset = Document::open(&item, task)?;
            let joints = asset.character().skeleton.joints.len();
            let fits = |h: &crate::history::History| h.steps().iter().all(|s| s.state.check(joints).is_ok());
            let history = history.filter(fits);
            let recovery = match &history {
                None => keeper.kept(&item).filter(fits),
                Some(_) => None,
            };
            let mut document = Document::new(serial, item, asset, history);
            document.recovery = recovery;
            let finish: Finish = Box::new(move |desk| {
                desk.set_document(document);
                if let Some((client, id)) = asked {
                    desk.reply(client, id, Value::Null);
                }
            });
            Ok(finish)
        });
    }

    /// Takes a step, at once or after the weights for it are found.
    pub(crate) fn change(&mut self, asked: Asked, label: String, change: Change) -> Answer {
        let document = self.opened()?;
        let state = change.clone().applied(document.state());
        state.check(document.asset.character().skeleton.joints.len())?;
        let missing = missing(document, &state)?;
        if missing.is_empty() {
            return self.take(label, state).map(Some);
        }
        self.find(missing, Some(asked), move |desk| {
            // The state may have moved on while weights were found.
            let done = desk.opened().map(|d| change.applied(d.state()));
            match done.and_then(|state| desk.take(label, state)) {
                Ok(value) => desk.reply(asked.0, asked.1, value),
                Err(message) => desk.fail(asked.0, asked.1, message),
            }
        });
        Ok(None)
    }

    fn take(&mut self, label: String, state: State) -> Result<Value, String> {
        let keeper = self.folders.keeper.clone();
        let document = self.opened()?;
        let state = followed(document, state)?;
        let label = label.chars().take(LONGEST_LABEL).collect();
        let taken = document.history.take(label, state);
        if taken {
            document.recovery = None;
            // Work goes on where it cannot be kept; the page is told once by the missing recovery.
            let _ = keeper.keep(&document.item, &document.history);
        }
        self.settle();
        Ok(json!({ "taken": taken }))
    }

    fn go(&mut self, step: usize) -> Answer {
        let keeper = self.folders.keeper.clone();
        let document = self.opened()?;
        if !document.history.go(step) {
            return Err("there is no such step".to_owned());
        }
        let _ = keeper.keep(&document.item, &document.history);
        self.settle();
        Ok(Some(Value::Null))
    }

    fn recover(&mut self, accept: bool) -> Answer {
        let keeper = self.folders.keeper.clone();
        let document = self.opened()?;
        match document.recovery.take() {
            Some(history) if accept => document.history = history,
            Some(_) => keeper.forget(&document.item),
            None => return Err("there is nothing to recover".to_owned()),
        }
        self.settle();
        Ok(Some(Value::Null))
    }

    /// Brings what pages have in line with the state, now and as weights are found.
    pub(crate) fn settle(&mut self) {
        self.drop_stroke();
        let Some(document) = &mut self.document else {
            return;
        };
        document.revision += 1;
        let state = document.state().clone();
        if state.rig.is_none() {
            document.unrig();
        }
        let wanted = document.wanted(&state);
        let mut frames = Vec::new();
        let mut missing = Vec::new();
        for (slot, wanted) in wanted.into_iter().enumerate() {
            // A project may name a file of the session that it was made in.
            let wanted = match wanted {
                Wanted::Item(id) if self.library.get(&id).is_none() => Wanted::Nothing,
                wanted => wanted,
            };
            match document.quickly(&wanted) {
                Ok(Some(bound)) => {
                    let bound = match slot {
                        0 => bound.map(|b| document.under_hands(b)),
                        _ => bound,
                    };
                    let name = document.name_of(&wanted);
                    let (rows, frame) = document.show(slot, name, bound);
                    if rows > 0 {
                        frames.push(frame);
                    }
                }
                Ok(None) | Err(_) => {
                    document.slots[slot].pending = true;
                    missing.push(wanted);
                }
            }
        }
        self.tell_rig();
        for frame in frames {
            self.frame_all(frame);
        }
        self.tell_standing();
        if !missing.is_empty() {
            self.find(missing, None, |desk| desk.settle());
        }
    }

    /// No job will bring better weights.
    pub(crate) fn clear_pending(&mut self) {
        let Some(document) = &mut self.document else {
            return;
        };
        let pending = document.slots.iter().any(|s| s.pending);
        for slot in &mut document.slots {
            slot.pending = false;
        }
        if pending {
            self.tell_standing();
        }
    }

    /// Finds weights on a thread of its own, keeps them, and goes on.
    fn find(
        &mut self,
        wanted: Vec<Wanted>,
        asked: Option<Asked>,
        then: impl FnOnce(&mut Self) + Send + 'static,
    ) {
        let Some(document) = &mut self.document else {
            return;
        };
        let (asset, serial) = (document.asset.clone(), document.serial);
        let library: Vec<(Wanted, Option<Item>, Option<Shared>)> = wanted
            .into_iter()
            .map(|wanted| {
                let item = match &wanted {
                    Wanted::Item(id) => self.library.get(id).cloned(),
                    _ => None,
                };
                let shared = match &wanted {
                    Wanted::Bind(settings) => document.binder.prepared(settings),
                    _ => None,
                };
                (wanted, item, shared)
            })
            .collect();
        self.start_job("bind", asked, move |task| {
            let mut found: Vec<(Wanted, Option<Shared>, Arc<BoundSkin>)> = Vec::new();
            let mut rigging = None;
            for (wanted, item, shared) in library {
                match (&wanted, item) {
                    (Wanted::Bind(settings), _) => {
                        let shared = match shared {
                            Some(shared) => shared,
                            None => Arc::new(Mutex::new(prepared_for(&asset, settings, task)?)),
                        };
                        let bound = evaluated(&asset, &shared, settings, None, task)?;
                        found.push((wanted, Some(shared), Arc::new(bound)));
                    }
                    (Wanted::Rigged(rig), _) => rigging = Some(Rigging::new(&asset, &rig.session, task)?),
                    (_, Some(item)) => {
                        let bound = weights_of(&item, asset.character(), task)?;
                        found.push((wanted, None, Arc::new(bound)));
                    }
                    _ => {}
                }
            }
            let finish: Finish = Box::new(move |desk| {
                let Some(document) = desk.document.as_mut().filter(|d| d.serial == serial) else {
                    return; // another character is open by now
                };
                if rigging.is_some() {
                    document.rigging = rigging;
                }
                for (wanted, shared, bound) in found {
                    match wanted {
                        Wanted::Bind(settings) => {
                            if let Some(shared) = shared {
                                document.binder.keep_prepared(&settings, shared);
                            }
                            document.binder.keep(&settings, bound);
                        }
                        Wanted::Item(id) => {
                            document.others.insert(id, bound);
                        }
                        _ => {}
                    }
                }
                then(desk);
            });
            Ok(finish)
        });
    }

    fn try_settings(&mut self, settings: &BindSettings, pose: Option<&[f32]>) -> Answer {
        let timer = Task::unattended();
        let start = timer.now();
        self.drop_stroke();
        let document = self.opened()?;
        if document.state().rig.is_some() {
            return Err("the weights of a rig under hands follow its edits".to_owned());
        }
        let pose = match pose {
            Some(pose) => Some(pose_of(&document.character().skeleton, Some(pose))?),
            None => None,
        };
        let bound = document.tried(settings, pose).map_err(|e| e.to_string())?;
        let Some(bound) = bound else {
            return Ok(Some(json!({ "needs_bind": true })));
        };
        let bound = document.under_hands(bound);
        let (rows, frame) = document.show(0, settings.title(), Some(bound));
        let bytes = frame.len();
        if rows > 0 {
            self.frame_all(frame);
        }
        let milliseconds = timer.now().saturating_sub(start).as_secs_f64() * 1e3;
        Ok(Some(
            json!({ "rows": rows, "bytes": bytes, "milliseconds": milliseconds }),
        ))
    }

    fn check(&mut self, asked: Asked, range: bool) -> Answer {
        let bound = self
            .bound(0)?
            .ok_or("there are no weights to judge yet: bind first")?;
        let document = self.opened()?;
        let (character, serial) = (document.character().clone(), document.serial);
        self.start_job("check", Some(asked), move |task| {
            let judged = judge(&character, &bound.weights, range, serial, task)?;
            let finish: Finish = Box::new(move |desk| {
                for map in judged.maps {
                    desk.frame(asked.0, map);
                }
                desk.reply(asked.0, asked.1, judged.report);
            });
            Ok(finish)
        });
        Ok(None)
    }

    fn export(&mut self, asked: Asked, format: &str) -> Answer {
        let format = export::format(format).ok_or("this format cannot be written")?;
        // What is shown while a slider moves is no step yet: the step's weights go out.
        let document = self.opened()?;
        let state = document.state().clone();
        let [wanted, _] = document.wanted(&state);
        let bound = document.quickly(&wanted).map_err(|e| e.to_string())?;
        let bound = bound.ok_or("weights are still being found; export when they are")?;
        let bound = bound.map(|b| document.under_hands(b));
        let asset = document.asset.clone();
        let clip = state.clip(&document.character().skeleton);
        let own = state.bind.is_none() && state.hands.layer.is_empty();
        let folder = self.folders.exports.clone();
        let tickets = self.tickets.clone();
        let document = self.opened()?;
        let edited = match (&state.rig, &document.rigging) {
            (Some(_), Some(rigging)) => {
                let mut character = document.character().as_ref().clone();
                if let Some(bound) = &bound {
                    character.weights = Some(bound.weights.clone());
                }
                Some((character, rigging.origins()))
            }
            _ => None,
        };
        if let Some((character, origins)) = edited {
            self.start_job("export", Some(asked), move |task| {
                task.step("writing", 0.0)?;
                let (asset, weights) = asset.with_edited_rig(&character, &origins)?;
                let skeleton = &asset.character().skeleton;
                let clip = clip.map(|clip| renumbered(clip, &character.skeleton, skeleton));
                let with_clip = clip.map(|clip| asset.with_clips(&[clip])).transpose()?;
                let asset = with_clip.as_ref().unwrap_or(&asset);
                let path = export::write(asset, Some(&weights), format, &folder)?;
                Ok(written(path, tickets, asked))
            });
            return Ok(None);
        }
        self.start_job("export", Some(asked), move |task| {
            task.step("writing", 0.0)?;
            // The file's own weights stay as they are stored where the file is glTF.
            let is_gltf = ["glb", "gltf", "vrm"].contains(&format.ending);
            let weights = bound.as_ref().map(|b| &b.weights).filter(|_| !(own && is_gltf));
            let with_clip = clip.map(|clip| asset.with_clips(&[clip])).transpose()?;
            let asset = with_clip.as_ref().unwrap_or(&asset);
            let path = export::write(asset, weights, format, &folder)?;
            Ok(written(path, tickets, asked))
        });
        Ok(None)
    }

    fn bind_other(&mut self, asked: Asked, item: &str, format: &str) -> Answer {
        let format = export::format(format).ok_or("this format cannot be written")?;
        let item = self.library.get(item).cloned().ok_or("this is not in the list")?;
        let document = self.opened()?;
        let settings = document.state().bind.clone().ok_or("bind first, by voxel")?;
        let (hands, character) = (document.state().hands.clone(), document.character().clone());
        if settings.method != "voxel" {
            return Err("only voxel binding serves other meshes: bind by voxel first".to_owned());
        }
        let prepared = document
            .binder
            .prepared(&settings)
            .ok_or("bind again: the voxels of these weights are no longer kept")?;
        let folder = self.folders.exports.clone();
        let tickets = self.tickets.clone();
        self.start_job("export", Some(asked), move |task| {
            let asset = Document::open(&item, task)?;
            let mut bound = bound_in_same_volume(&asset, &prepared, &settings, task)?;
            if !hands.layer.is_empty() {
                let layer = on_other_mesh(&hands.layer, &character, asset.character());
                let surface = HandSurface::of(&asset.character().mesh);
                bound = layer.applied(&bound, &surface, &hands.layering(settings.influences));
            }
            let path = export::write(&asset, Some(&bound), format, &folder)?;
            Ok(written(path, tickets, asked))
        });
        Ok(None)
    }

    fn save(&mut self, asked: Asked) -> Answer {
        let document = self.opened()?;
        let (item, history) = (document.item.clone(), document.history.clone());
        let stem = document.asset.file_stem();
        let folder = self.folders.exports.clone();
        let tickets = self.tickets.clone();
        self.start_job("export", Some(asked), move |task| {
            task.step("writing", 0.0)?;
            let path = export::free_name(&folder, &stem, PROJECT);
            let project = Project::whole(&item, &history)?;
            let bytes = project.to_bytes()?;
            write_file(&path, &bytes).map_err(ProjectError::from)?;
            Ok(written(path, tickets, asked))
        });
        Ok(None)
    }
}

/// Edits by hand follow joints that a step gives other numbers.
fn followed(document: &mut Document, mut state: State) -> Result<State, String> {
    let before = document.state().rig.clone();
    let other_joints = state
        .rig
        .as_ref()
        .unwrap_or(&Rigged::default())
        .has_other_joints(before.as_ref());
    if state.hands.layer.is_empty() || !other_joints {
        return Ok(state);
    }
    let from = document.numbering(before.as_ref())?;
    let to = document.numbering(state.rig.as_ref())?;
    let map = renumbering(&from, &to);
    let moved = state
        .hands
        .layer
        .renumbered(|joint| map.get(joint.at()).copied().unwrap_or(joint));
    state.hands.layer = Arc::new(moved);
    Ok(state)
}

/// What of a state's weights is neither kept nor quickly found.
fn missing(document: &mut Document, state: &State) -> Result<Vec<Wanted>, String> {
    let mut missing = Vec::new();
    for wanted in document.wanted(state) {
        if let Wanted::Bind(settings) = &wanted {
            // A setting that cannot be is told before any work begins.
            let request = settings.request().map_err(|e| e.to_string())?;
            request.chosen_method().map_err(|e| e.to_string())?;
        }
        if document.quickly(&wanted).map_err(|e| e.to_string())?.is_none() {
            missing.push(wanted);
        }
    }
    Ok(missing)
}

fn written(path: std::path::PathBuf, tickets: Arc<crate::tickets::Tickets>, asked: Asked) -> Finish {
    Box::new(move |desk| {
        let bytes = path.metadata().map_or(0, |m| m.len());
        let name = crate::library::file_name(&path);
        let shown = path.display().to_string();
        let ticket = tickets.issue(path);
        let value = json!({ "name": name, "path": shown, "bytes": bytes, "ticket": ticket });
        desk.reply(asked.0, asked.1, value);
    })
}
