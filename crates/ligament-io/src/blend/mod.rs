//! `.blend` files, through Blender itself.
//!
//! The format is Blender's memory, and only Blender reads all of its versions: its program is
//! started without a window on the file and exports a GLB into a folder that is removed again.
//! Scripts inside the file are not run (`--disable-autoexec`), nor the user's own settings and
//! add-ons (`--factory-startup`).

mod links;

use std::ffi::OsString;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use crate::gltf::{Document, GltfFile};
use crate::import::ImportError;
use crate::open::OpenError;

pub(crate) use links::links;

/// What runs inside Blender.
const EXPORT: &str = include_str!("export.py");
/// How often is looked whether Blender is done.
const LOOK: Duration = Duration::from_millis(20);
/// How many of its last lines an error shows.
const LAST_LINES: usize = 4;
/// Where Blender is on a Mac, which puts no programs into the path.
const ON_A_MAC: &str = "/Applications/Blender.app/Contents/MacOS/Blender";

/// Blender's program, and how long it may take.
pub struct Blender {
    /// Its name, or the path to it.
    pub program: OsString,
    /// After so long it is ended.
    pub limit: Duration,
}

impl Blender {
    /// The one that the environment variable `LIGAMENT_BLENDER` names, or `blender` as a shell finds
    /// it. Ten minutes must do.
    pub fn find() -> Self {
        let named = std::env::var_os("LIGAMENT_BLENDER").filter(|name| !name.is_empty());
        let on_a_mac =
            || Some(OsString::from(ON_A_MAC)).filter(|p| cfg!(target_os = "macos") && Path::new(p).exists());
        Self {
            program: named.or_else(on_a_mac).unwrap_or_else(|| "blender".into()),
            limit: Duration::from_secs(600),
        }
    }

    /// The character in a `.blend` file, as Blender's own exporter writes it to glTF.
    pub fn open(&self, path: &Path) -> Result<GltfFile, OpenError> {
        let name = path.file_stem().map(|s| s.to_string_lossy().into_owned());
        // A relative path could begin like an option.
        let whole = path.canonicalize().map_err(|source| ImportError::Io {
            path: path.to_owned(),
            source,
        })?;
        let folder = tempfile::tempdir().map_err(|source| io(Path::new("a temporary folder"), source))?;
        let glb = self.export(&whole, folder.path())?;
        Ok(GltfFile::from_document(
            Document::open(&glb)?,
            &name.unwrap_or_default(),
        )?)
    }

    fn export(&self, path: &Path, folder: &Path) -> Result<PathBuf, ImportError> {
        let (script, glb, log) = (
            folder.join("export.py"),
            folder.join("character.glb"),
            folder.join("said.txt"),
        );
        std::fs::write(&script, EXPORT).map_err(|source| io(&script, source))?;
        let said = File::create(&log).map_err(|source| io(&log, source))?;
        let errors = said.try_clone().map_err(|source| io(&log, source))?;
        let child = Command::new(&self.program)
            .args(["--background", "--factory-startup", "--disable-autoexec"])
            .args(["--python-exit-code", "1"])
            .arg(path)
            .arg("--python")
            .arg(&script)
            .arg("--")
            .arg(&glb)
            .stdin(Stdio::null())
            .stdout(said)
            .stderr(errors)
            .spawn();
        let child = child.map_err(|e| self.fails(format!("cannot be started ({e})")))?;
        let status = self.wait(child)?;
        if status.success() && glb.is_file() {
            return Ok(glb);
        }
        let said = std::fs::read(&log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let lines: Vec<&str> = said.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join(" | ");
        Err(self.fails(format!("exported nothing from this file ({status}): {last}")))
    }

    fn wait(&self, mut child: Child) -> Result<ExitStatus, ImportError> {
        let start = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) => return Ok(status),
                Ok(None) if start.elapsed() < self.limit => std::thread::sleep(LOOK),
                other => {
                    let _ = child.kill();
                    let _ = child.wait();
                    let problem = match other {
                        Err(e) => format!("cannot be waited for ({e})"),
                        _ => format!("was not done after {} s", self.limit.as_secs_f64()),
                    };
                    return Err(self.fails(problem));
                }
            }
        }
    }

    fn fails(&self, problem: String) -> ImportError {
        ImportError::NeedsProgram {
            what: ".blend files are read by Blender",
            program: self.program.to_string_lossy().into_owned(),
            problem,
            way_out: "install Blender or name its program in LIGAMENT_BLENDER, or export the character from Blender as .glb",
        }
    }
}

fn io(path: &Path, source: std::io::Error) -> ImportError {
    ImportError::Io {
        path: path.to_owned(),
        source,
    }
}
