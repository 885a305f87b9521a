//! Ligament's studio: a server on this machine and a page in the browser, to see a character, bind it, pose it, compare binds,
//! judge them and send the result on.
//!
//! - `server`: HTTP and the WebSocket, behind `guard` and `secrets`.
//! - `desk`: one thread that owns the open character and answers one message after the other;
//!   `jobs` take long and run beside it.
//! - `state`, `history`, `project`: what was made, as data.
//! - `wire`, `messages`: what goes over the WebSocket.
//!
//! The page's sources are in `web/`; it is kept built in `page/`, so that Rust alone is enough. The protocol is written down
//! in `docs/internals/studio.md`.

mod acts;
mod binder;
mod command_line;
mod desk;
mod document;
mod export;
mod guard;
mod hand_acts;
mod hands;
mod history;
mod jobs;
mod judge;
mod library;
mod looking;
mod messages;
mod mirror_view;
mod page;
mod painting;
mod posing;
mod project;
mod rig_acts;
mod rigging;
mod scene;
mod secrets;
mod server;
mod snapping;
mod state;
mod tickets;
mod voxel_view;
mod wire;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, mpsc};

use desk::{Desk, Folders};
use guard::Guard;
use library::Library;
use project::Keeper;
use secrets::Doors;
use server::{Shared, router};
use tickets::Tickets;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

/// How to run the studio.
#[derive(Debug, Clone)]
pub struct StudioOptions {
    /// What to open: a file, a folder, a project, or `sample:NAME`.
    pub input: String,
    /// The port; one that is free if 0.
    pub port: u16,
    /// Where exports go.
    pub exports: PathBuf,
    /// Where work is kept that a killed server would lose; a folder of the user's own if none.
    pub kept: Option<PathBuf>,
    /// Take the page from this folder instead of the one that is built in, for who works on it.
    pub page: Option<PathBuf>,
}

/// Why the studio does not start.
#[derive(Debug, thiserror::Error)]
pub enum StudioError {
    /// The port cannot be had.
    #[error("the port {port} cannot be had ({source}); choose another, or 0 for one that is free")]
    Port {
        /// The port.
        port: u16,
        /// Why.
        source: std::io::Error,
    },
    /// There is nothing to open.
    #[error("there is no character in this folder: {0}")]
    EmptyFolder(String),
    /// There is no such file.
    #[error("there is no such file: {0}")]
    NoFile(String),
    /// The system refused something else.
    #[error("the server cannot start: {0}")]
    System(#[from] std::io::Error),
    /// The system gives no random numbers.
    #[error("the system gives no random numbers ({0}), so the page could not be kept private")]
    Random(#[from] getrandom::Error),
}

/// A studio that runs.
pub struct Studio {
    runtime: Runtime,
    address: SocketAddr,
    doors: Arc<Doors>,
    serving: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Studio {
    /// Starts the server and begins to open the input.
    pub fn start(options: &StudioOptions) -> Result<Self, StudioError> {
        let mut library = Library::new();
        let is_sample = options.input.starts_with("sample:");
        if !is_sample && !std::path::Path::new(&options.input).exists() {
            return Err(StudioError::NoFile(options.input.clone()));
        }
        let first = library.add_input(&options.input);
        if first.is_none() {
            return Err(StudioError::EmptyFolder(options.input.clone()));
        }
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let listener = runtime
            .block_on(TcpListener::bind(wanted))
            .map_err(|source| StudioError::Port {
                port: options.port,
                source,
            })?;
        let address = listener.local_addr()?;
        let doors = Arc::new(Doors::new()?);
        let tickets = Arc::new(Tickets::default());
        let keeper = Keeper::new(options.kept.clone().unwrap_or_else(usual_folder));
        let (desk, inbox) = mpsc::channel();
        let shared = Arc::new(Shared {
            guard: Guard::new(address.port()),
            doors: doors.clone(),
            desk: desk.clone(),
            tickets: tickets.clone(),
            keeper: keeper.clone(),
            page: options.page.clone(),
            next_page: AtomicU64::new(1),
            pages: AtomicUsize::new(0),
        });
        let folders = Folders {
            exports: options.exports.clone(),
            keeper,
        };
        let at_desk = Desk::new(
            desk,
            library,
            folders,
            doors.clone(),
            tickets,
            format!("http://{address}/"),
        );
        std::thread::Builder::new()
            .name("desk".to_owned())
            .spawn(move || at_desk.run(&inbox, first))?;
        let serving = runtime.spawn(async move { axum::serve(listener, router(shared)).await });
        Ok(Self {
            runtime,
            address,
            doors,
            serving,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// An address that opens the page once, in one browser.
    pub fn link(&self) -> Result<String, StudioError> {
        Ok(format!("http://{}/#{}", self.address, self.doors.new_code()?))
    }

    /// Serves until the process ends.
    pub fn wait(self) -> Result<(), StudioError> {
        match self.runtime.block_on(self.serving) {
            Ok(result) => Ok(result?),
            Err(_) => Ok(()), // it was told to stop
        }
    }
}

/// Where a user's programs keep such things.
fn usual_folder() -> PathBuf {
    let of = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    let base = if cfg!(windows) {
        of("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        of("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        of("XDG_STATE_HOME").or_else(|| of("HOME").map(|home| home.join(".local/state")))
    };
    base.unwrap_or_else(std::env::temp_dir).join("ligament-studio")
}
