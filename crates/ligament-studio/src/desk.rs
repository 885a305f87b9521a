//! The desk: one thread that owns the open character and answers one message after the other, so that two tabs cannot
//! corrupt each other. What takes long runs on threads of its own and comes back as a message.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use axum::body::Bytes;
use ligament::bind::Method;
use ligament::task::{CancelToken, Task};
use serde_json::Value;
use tokio::sync::mpsc;

use crate::binder::has_falloff;
use crate::document::Document;
use crate::export::FORMATS;
use crate::jobs::{self, Finish, Job, JobError, JobEvent};
use crate::library::{Item, Library, Source};
use crate::messages::{MethodTold, Request, ServerMessage};
use crate::project::Keeper;
use crate::scene::mesh_frame;
use crate::secrets::Doors;
use crate::tickets::Tickets;
use crate::wire::VERSION;

/// Jobs that nobody is told of.
pub const QUIET: &str = "thumbnail";

/// What comes to the desk.
pub enum Event {
    /// A page has shown the secret.
    Join(u64, mpsc::Sender<Outgoing>),
    /// A page is gone.
    Leave(u64),
    /// A page asks for something.
    Ask(u64, Box<Request>),
    /// A page said something that cannot be read.
    Garbled(u64, String),
    /// Files were dropped; the character's item goes back.
    Dropped(PathBuf, tokio::sync::oneshot::Sender<Item>),
    /// A job tells something.
    Job(u32, JobEvent),
}

/// What goes to a page.
#[derive(Debug, Clone)]
pub enum Outgoing {
    /// JSON.
    Text(String),
    /// A frame.
    Frame(Bytes),
}

/// Where things are kept and written.
#[derive(Debug, Clone)]
pub struct Folders {
    /// Where exports go.
    pub exports: PathBuf,
    /// What survives a killed server.
    pub keeper: Keeper,
}

/// The desk.
pub struct Desk {
    events: Sender<Event>,
    clients: BTreeMap<u64, mpsc::Sender<Outgoing>>,
    pub(crate) library: Library,
    pub(crate) document: Option<Document>,
    pub(crate) jobs: BTreeMap<u32, Job>,
    pub(crate) folders: Folders,
    pub(crate) doors: Arc<Doors>,
    pub(crate) tickets: Arc<Tickets>,
    pub(crate) address: String,
    next_job: u32,
    next_serial: u32,
    /// Why the last thing could not be opened, for pages that come later.
    failure: Option<String>,
}

impl Desk {
    /// A desk with nothing on it.
    pub fn new(
        events: Sender<Event>,
        library: Library,
        folders: Folders,
        doors: Arc<Doors>,
        tickets: Arc<Tickets>,
        address: String,
    ) -> Self {
        Self {
            events,
            clients: BTreeMap::new(),
            library,
            document: None,
            jobs: BTreeMap::new(),
            folders,
            doors,
            tickets,
            address,
            next_job: 1,
            next_serial: 1,
            failure: None,
        }
    }

    /// Answers until nobody can ask any more.
    pub fn run(mut self, inbox: &Receiver<Event>, first: Option<Item>) {
        if let Some(item) = first {
            self.open(item, None);
        }
        while let Ok(event) = inbox.recv() {
            let mut batch = vec![event];
            batch.extend(inbox.try_iter());
            let outdated = outdated(&batch);
            for (event, outdated) in batch.into_iter().zip(outdated) {
                match event {
                    Event::Ask(client, request) if outdated => {
                        self.reply(client, request.id, serde_json::json!({ "skipped": true }));
                    }
                    event => self.handle(event),
                }
            }
        }
    }

    fn handle(&mut self, event: Event) {
        match event {
            Event::Join(client, to) => self.welcome(client, to),
            Event::Leave(client) => {
                self.clients.remove(&client);
            }
            Event::Ask(client, request) => self.answer(client, *request),
            Event::Garbled(client, message) => {
                self.send_message(client, &ServerMessage::Error { id: None, message })
            }
            Event::Dropped(path, back) => {
                let name = crate::library::file_name(&path);
                let item = self.library.add(name, Source::Dropped(path));
                let _ = back.send(item); // the page may be gone
            }
            Event::Job(number, JobEvent::Progress { stage, share }) => {
                if let Some(job) = self.jobs.get(&number).filter(|j| j.kind != QUIET) {
                    let kind = job.kind;
                    self.broadcast(&ServerMessage::Progress {
                        job: number,
                        kind,
                        stage,
                        share,
                    });
                }
            }
            Event::Job(number, JobEvent::Done(result)) => self.end_job(number, result),
        }
    }

    fn end_job(&mut self, number: u32, result: Result<Finish, JobError>) {
        let Some(job) = self.jobs.remove(&number) else {
            return;
        };
        let cancelled = job.cancel.is_cancelled();
        let failed = match result {
            _ if cancelled => Some("cancelled; nothing was changed".to_owned()),
            Ok(finish) => {
                finish(self);
                None
            }
            Err(error) => Some(error.to_string()),
        };
        if let Some(message) = &failed {
            if job.kind == "open" && self.document.is_none() {
                self.failure = Some(message.clone());
            }
            if let Some((client, id)) = job.asked {
                self.fail(client, id, message.clone());
            }
        }
        if job.kind == QUIET {
            return;
        }
        self.broadcast(&ServerMessage::Ended {
            job: number,
            kind: job.kind,
            failed,
            cancelled,
        });
        if job.kind != "open" && self.jobs.values().all(|j| j.kind != job.kind) {
            self.clear_pending();
        }
    }

    /// Starts work of a kind; only one of a kind that shows something is under way at a time.
    pub(crate) fn start_job(
        &mut self,
        kind: &'static str,
        asked: Option<(u64, u32)>,
        work: impl FnOnce(&Task<'_>) -> Result<Finish, JobError> + Send + 'static,
    ) -> u32 {
        if !["export", QUIET].contains(&kind) {
            for job in self.jobs.values().filter(|j| j.kind == kind) {
                job.cancel.cancel();
            }
        }
        let number = self.next_job;
        self.next_job += 1;
        let cancel = CancelToken::new();
        self.jobs.insert(
            number,
            Job {
                kind,
                cancel: cancel.clone(),
                asked,
            },
        );
        if kind != QUIET {
            self.broadcast(&ServerMessage::Progress {
                job: number,
                kind,
                stage: "starting",
                share: 0.0,
            });
        }
        jobs::start(number, self.events.clone(), cancel, work);
        number
    }

    /// A number for a new character.
    pub(crate) fn new_serial(&mut self) -> u32 {
        let serial = self.next_serial;
        self.next_serial += 1;
        serial
    }

    fn welcome(&mut self, client: u64, to: mpsc::Sender<Outgoing>) {
        self.clients.insert(client, to);
        let methods = Method::all().map(|m| MethodTold {
            name: m.name(),
            summary: m.summary(),
            falloff: has_falloff(m.name()),
        });
        self.send_message(
            client,
            &ServerMessage::Welcome {
                version: VERSION,
                ligament: env!("CARGO_PKG_VERSION"),
                library: self.library.listed(),
                formats: FORMATS.to_vec(),
                methods: methods.to_vec(),
            },
        );
        if self.document.is_some() {
            self.send_document(Some(client));
        } else if let Some(message) = self.failure.clone() {
            self.send_message(client, &ServerMessage::Error { id: None, message });
        }
    }

    /// Puts an opened character on the desk.
    pub(crate) fn set_document(&mut self, document: Document) {
        self.failure = None;
        self.document = Some(document);
        self.send_document(None);
        self.settle();
    }

    /// Sends all of the open character, to one page or to all.
    pub(crate) fn send_document(&mut self, client: Option<u64>) {
        let Some(document) = &self.document else {
            return;
        };
        let serial = document.serial;
        let scene = document
            .stage
            .scene(&document.asset, document.character(), &document.item.name, serial);
        let mut frames = vec![mesh_frame(&document.character().mesh, serial)];
        frames.extend([0, 1].map(|slot| document.whole(slot)));
        frames.extend(document.stage.textures(serial));
        let texts = [
            to_text(&ServerMessage::Scene(&scene)),
            to_text(&ServerMessage::State(Box::new(document.standing()))),
        ];
        let all = texts.into_iter().map(Outgoing::Text);
        let all: Vec<Outgoing> = all
            .chain(frames.into_iter().map(|f| Outgoing::Frame(f.into())))
            .collect();
        let to: Vec<u64> = match client {
            Some(client) => vec![client],
            None => self.clients.keys().copied().collect(),
        };
        for client in to {
            for outgoing in &all {
                self.send(client, outgoing.clone());
            }
        }
    }

    /// Tells all pages where things stand.
    pub(crate) fn tell_standing(&mut self) {
        if let Some(document) = &self.document {
            let text = to_text(&ServerMessage::State(Box::new(document.standing())));
            self.send_all(&Outgoing::Text(text));
        }
    }

    /// Sends a frame to all pages.
    pub(crate) fn frame_all(&mut self, frame: Vec<u8>) {
        self.send_all(&Outgoing::Frame(Bytes::from(frame)));
    }

    /// Sends a frame to a page.
    pub(crate) fn frame(&mut self, client: u64, frame: Vec<u8>) {
        self.send(client, Outgoing::Frame(Bytes::from(frame)));
    }

    /// Answers a page.
    pub(crate) fn reply(&mut self, client: u64, id: u32, value: Value) {
        self.send_message(client, &ServerMessage::Reply { id, value });
    }

    /// Tells a page why something was not done.
    pub(crate) fn fail(&mut self, client: u64, id: u32, message: impl Into<String>) {
        let message = message.into();
        self.send_message(
            client,
            &ServerMessage::Error {
                id: Some(id),
                message,
            },
        );
    }

    fn send_message(&mut self, client: u64, message: &ServerMessage<'_>) {
        self.send(client, Outgoing::Text(to_text(message)));
    }

    pub(crate) fn broadcast(&mut self, message: &ServerMessage<'_>) {
        self.send_all(&Outgoing::Text(to_text(message)));
    }

    fn send_all(&mut self, outgoing: &Outgoing) {
        let clients: Vec<u64> = self.clients.keys().copied().collect();
        for client in clients {
            self.send(client, outgoing.clone());
        }
    }

    /// A page that does not keep up is let go; it comes back and gets everything anew.
    fn send(&mut self, client: u64, outgoing: Outgoing) {
        let sent = self.clients.get(&client).map(|to| to.try_send(outgoing));
        if let Some(Err(_)) = sent {
            self.clients.remove(&client);
        }
    }
}

fn to_text(message: &ServerMessage<'_>) -> String {
    // Plain data without maps of odd keys: it always can be written.
    serde_json::to_string(message).unwrap_or_default()
}

/// Messages that a later one of the same page and kind makes pointless.
fn outdated(batch: &[Event]) -> Vec<bool> {
    let key = |event: &Event| match event {
        Event::Ask(client, request) => request.command.latest_wins().map(|kind| (*client, kind)),
        _ => None,
    };
    let keys: Vec<Option<(u64, u8)>> = batch.iter().map(key).collect();
    (0..keys.len())
        .map(|at| keys[at].is_some() && keys[at + 1..].contains(&keys[at]))
        .collect()
}
