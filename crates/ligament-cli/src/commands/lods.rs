//! `ligament lods`: every level of detail from the one that has weights.

use std::path::PathBuf;

use clap::ValueEnum;
use ligament_app::asset::AssetRequest;
use ligament_app::lods::{LodWay, LodsReport, LodsRequest, run as bind_levels};

use crate::Outcome;
use crate::bind_args::{Influences, StoredAs, influences};
use crate::console::{Console, milliseconds, wrote};

/// Bind levels of detail by the one that has weights
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament lods hero.glb hero_lod1.glb hero_lod2.glb -o levels/
  ligament lods hero.glb hero_lod1.glb -o lod1.glb --by transfer --by voxel
  ligament lods hero.glb hero_lod1.glb -o lod1.glb --field hero.cells
All ways are tried, and a level gets the weights that deform it most like the one that has weights.")]
pub struct Args {
    /// The level that has weights
    input: String,
    /// The other levels: files of any format, with or without a skeleton of their own
    #[arg(required = true)]
    levels: Vec<String>,
    /// Where to write: a folder, or a file for one level
    /// [default: each level's name with _transferred.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// A way to try; repeatable [default: transfer, and field where one is given]
    #[arg(long, value_enum, value_name = "WAY")]
    by: Vec<Way>,
    /// A field that was fitted to the character
    #[arg(long, value_name = "FILE.cells")]
    field: Option<PathBuf>,
    /// Bring the character to levels in other units or at another position
    #[arg(long)]
    fit: bool,
    /// The most joints that a vertex follows, 1 to 64, or all
    #[arg(long, default_value = "4", value_name = "N", value_parser = influences)]
    influences: Influences,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Way {
    /// From the level with weights, by position
    Transfer,
    /// By the voxels and distances of the level with weights
    Voxel,
    /// By a field
    Field,
}

impl From<Way> for LodWay {
    fn from(way: Way) -> Self {
        match way {
            Way::Transfer => Self::Transfer,
            Way::Voxel => Self::Voxel,
            Way::Field => Self::Field,
        }
    }
}

impl Args {
    pub(crate) fn request(&self) -> LodsRequest {
        LodsRequest {
            asset: AssetRequest::of(&self.input),
            levels: self.levels.clone(),
            output: self.output.clone(),
            by: self.by.iter().map(|&way| way.into()).collect(),
            field: self.field.clone(),
            fit: self.fit,
            influences: self.influences.0,
            store: self.store.into(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let report = console.with_task(|task| bind_levels(&request, task))?;
    for warning in &report.file_warnings {
        console.warn(warning);
    }
    for level in &report.levels {
        for warning in &level.target.file_warnings {
            console.warn(format_args!("{}: {warning}", level.target.input));
        }
        console.warn_of_binding(&level.target.bind_warnings);
    }
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn summary(report: &LodsReport) -> String {
    let mut text = String::new();
    for level in &report.levels {
        let target = &level.target;
        text.push_str(&format!(
            "{}: {} vertices by {}, {}\n",
            target.input,
            target.vertices,
            level.chosen.name(),
            milliseconds(target.milliseconds)
        ));
        for way in &level.ways {
            text.push_str(&format!(
                "  {:<9} off by {:.4} % of the diagonal over {} frames, {:.3} % at worst; weights differ by {:.4}, by {:.4} at most at {} shared points\n",
                way.way.name(),
                100.0 * way.deformation_rms,
                report.frames,
                100.0 * way.deformation_worst,
                way.weight_difference,
                way.shared_worst,
                way.shared_points
            ));
        }
        text.push_str(&format!("{}\n", wrote(target.output.as_ref())));
    }
    text.trim_end().to_owned()
}
