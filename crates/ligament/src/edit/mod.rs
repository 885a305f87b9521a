//! Editing a rig while its weights follow.
//!
//! A [`Session`] holds a character, its skeleton, what a binding is prepared with, and
//! weights. [`Command`]s are plain data; each is done whole or not at all, tells which
//! vertices' weights it changed, and can be undone and done again.
//!
//! ```
//! use ligament::edit::{Command, Session, SessionOptions};
//! use ligament::task::Task;
//!
//! let (character, task) = (ligament::sample::make("hound@2000")?, Task::unattended());
//! let mut session = Session::new(character, &SessionOptions::default(), &task)?;
//! let command = Command::Magnitude { joint: "head".into(), value: 2.0 };
//! let done = session.apply(&command, &task)?;
//! assert!(!done.changed_vertices.is_empty());
//! session.undo();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Methods `heat` and `voxel` can be edited, in their default forms. Heat (Bang et al.) is solved again only as far as a change is over the tolerance; its weights are those of a whole
//! bind to within [`SessionOptions::tolerance`] times a small factor. Voxel binding runs
//! distances again only from bones that moved through the solid.

mod align;
mod apply_command;
mod clips;
mod command;
mod engine;
mod error;
mod follow;
mod grouped_rows;
mod heat;
mod history;
mod options;
mod orient;
mod rig_state;
mod session;
mod structure;
#[cfg(test)]
mod tests;
mod voxel;

pub use command::{Command, JointRef, ShapeAround};
pub use error::EditError;
pub use options::{EditMethod, Growth, SessionOptions};
pub use session::{EditResult, Session};
