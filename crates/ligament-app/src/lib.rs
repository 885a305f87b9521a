//! What Ligament can do, as plain data: a request goes in, a report comes out.
//!
//! A verb is a module with a request (serde, with defaults), a report (serde), and
//! `run(&request, &task)`. Shells (the command line, the studio, Python, batches) parse a
//! request, call, and print the report; everything between is here: opening any file
//! ([`asset`]), results in the number and order of the source's own vertices, saving
//! ([`save`](mod@save)), explaining, pictures, the HTML page of [`compare`].
//!
//! ```
//! use ligament::task::Task;
//! use ligament_app::asset::AssetRequest;
//! use ligament_app::inspect::{self, InspectRequest};
//!
//! let request = InspectRequest {
//!     asset: AssetRequest::of("sample:tube@200"),
//! };
//! let report = inspect::run(&request, &Task::unattended())?;
//! assert_eq!(report.found.mesh.open_edges, 0);
//! # Ok::<(), ligament_app::AppError>(())
//! ```
//!
//! Messages name options in words, as the fields of requests are called; a shell may add
//! what it calls them itself.

pub mod animate;
pub mod asset;
pub mod batch;
pub mod bind;
pub mod bind_request;
pub mod check;
mod close_up;
pub mod compare;
pub mod convert;
pub mod edit;
mod error;
pub mod explain;
pub mod field;
pub mod hand_edits;
pub mod inspect;
pub mod lods;
mod measure_request;
pub mod method_options;
pub mod method_spec;
pub mod motion;
pub mod points;
pub mod pose;
pub mod render;
pub mod resolution;
pub mod rig;
pub mod sample;
pub mod save;
pub mod shapes;
pub mod transfer;
pub mod units;
pub mod vertex_choice;
pub mod weights;
pub mod words;

pub use error::AppError;
