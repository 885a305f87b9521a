//! What to open, on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use ligament::task::Task;
use ligament_app::asset::{Asset, AssetRequest};
use ligament_app::units::{LengthUnit, UpAxis};
use ligament_io::import::FileWarning;

use crate::console::Console;
use crate::hints;

/// What comes from other files than the input.
#[derive(clap::Args, Default)]
pub struct RigArgs {
    /// Of a glTF file with several scenes, take the one of this name or number
    #[arg(long, value_name = "NAME|N")]
    scene: Option<String>,
    /// Take the skeleton from this file
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    /// Take clips from this file, by the names of its joints
    #[arg(long, value_name = "FILE")]
    motion: Option<PathBuf>,
    /// Bring a skeleton in other units, with another axis up or at another position to the mesh
    #[arg(long)]
    fit: bool,
    /// Which way is up in a file that does not say: y or z [default: y]
    #[arg(long, value_name = "AXIS")]
    up: Option<UpAxis>,
    /// What a file that does not say counts lengths in: mm, cm, m, in or ft [default: m]
    #[arg(long, value_name = "UNIT")]
    unit: Option<LengthUnit>,
    /// A factor on all lengths of a file that does not say what they are
    #[arg(long, value_name = "FACTOR")]
    scale: Option<f64>,
}

impl RigArgs {
    /// An input with what comes from other files.
    pub fn asset(&self, input: &str) -> AssetRequest {
        AssetRequest {
            input: input.to_owned(),
            scene: self.scene.clone(),
            skeleton: self.skeleton.clone(),
            motion: self.motion.clone(),
            fit: self.fit,
            up: self.up,
            unit: self.unit,
            scale: self.scale,
        }
    }

    /// The same as words of a command line.
    pub fn arguments(&self) -> Vec<OsString> {
        let mut words = Vec::new();
        for (option, file) in [("--skeleton", &self.skeleton), ("--motion", &self.motion)] {
            if let Some(file) = file {
                words.extend([OsString::from(option), file.clone().into_os_string()]);
            }
        }
        if self.fit {
            words.push(OsString::from("--fit"));
        }
        let stated = [
            ("--scene", self.scene.clone()),
            ("--up", self.up.map(|up| up.to_string())),
            ("--unit", self.unit.map(|unit| unit.to_string())),
            ("--scale", self.scale.map(|scale| scale.to_string())),
        ];
        for (option, value) in stated {
            if let Some(value) = value {
                words.extend([OsString::from(option), OsString::from(value)]);
            }
        }
        words
    }
}

/// Opens an input, with a sign of life if somebody watches.
pub fn open(request: &AssetRequest, console: &Console) -> anyhow::Result<Asset> {
    Ok(console.busy("reading", || Asset::open(request, &Task::unattended()))?)
}

/// The same, and says what was found in its files before work begins.
pub fn open_and_warn(request: &AssetRequest, console: &Console) -> anyhow::Result<Asset> {
    let asset = open(request, console)?;
    warn_of_files(&asset.warnings(), request, console);
    Ok(asset)
}

/// Of warnings that say the same of many things, so many are shown.
const SHOWN: usize = 4;

/// Says what was found in files.
pub fn warn_of_files(warnings: &[FileWarning], request: &AssetRequest, console: &Console) {
    let mut kinds: Vec<(&FileWarning, usize)> = Vec::new();
    for warning in warnings {
        let kind = match kinds.iter().position(|(like, _)| like.is_like(warning)) {
            Some(kind) => kind,
            None => {
                kinds.push((warning, 0));
                kinds.len() - 1
            }
        };
        kinds[kind].1 += 1;
        if kinds[kind].1 > SHOWN {
            continue;
        }
        match hints::for_warning(warning, request) {
            Some(hint) => console.warn(format_args!("{warning} ({hint})")),
            None => console.warn(warning),
        }
    }
    for (like, count) in kinds.into_iter().filter(|k| k.1 > SHOWN) {
        let more = count - SHOWN;
        console.warn(format_args!(
            "{more} more such warnings as: {like} (ligament inspect lists all)"
        ));
    }
}
