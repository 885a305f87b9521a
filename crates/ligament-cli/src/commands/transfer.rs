//! `ligament transfer`: weights from a body to what is worn on it.

use std::path::PathBuf;

use ligament::transfer::{MatchOptions, Sides, TransferOptions};
use ligament_app::asset::AssetRequest;
use ligament_app::transfer::{
    MissingJoints, TransferReport, TransferRequest, TransferredTarget, run as transfer,
};

use crate::Outcome;
use crate::bind_args::{Influences, StoredAs, influences};
use crate::console::{Console, stage_lines, wrote};

/// Transfer weights from a body to garments, or to other levels of detail
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament transfer body.glb shirt.glb -o worn.glb
  ligament transfer body.glb shirt.glb trousers.obj -o worn/        several at once
  ligament transfer body.glb shirt.glb -o worn.glb --pictures look  see what was matched
  ligament transfer body.glb shirt.glb -o worn.glb --map joints.txt
  ligament transfer body.glb shirt.glb -o worn.glb --only material:cuffs --mix 0.5
  ligament transfer body.glb shirt.fbx -o shirt.npz                 the weights alone
  ligament transfer hero.glb hero_lod1.glb -o lod1.glb
Vertices are chosen by part:NAME, material:NAME, color:R,G,B, vertices:1,5,9-20 or vertices:@FILE,
sphere:X,Y,Z,RADIUS or box:X,Y,Z,X,Y,Z; several add up, '!' in front takes them out.")]
pub struct Args {
    /// The body that weights come from: a file of any format that has weights
    body: String,
    /// What weights go to: files of any format, with or without a skeleton of their own
    #[arg(required = true)]
    targets: Vec<String>,
    /// Where to write: a file as for bind, or a folder for several targets
    /// [default: TARGET's name with _transferred.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Take weights from these vertices of the body alone; repeatable
    #[arg(long, value_name = "VERTICES")]
    from: Vec<String>,
    /// Give new weights to these vertices of the target alone; repeatable
    #[arg(long, value_name = "VERTICES")]
    only: Vec<String>,
    /// Fill these vertices of the target from those around them, whatever is near them; repeatable
    #[arg(long, value_name = "VERTICES")]
    fill: Vec<String>,
    /// Transfer the weight of these joints of the body alone: names or globs, as --deform of bind takes them
    #[arg(long, value_name = "JOINTS")]
    joints: Vec<String>,
    /// A file that says which joint of the body is which of the target: a JSON object, or lines BODY = TARGET
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// What joints' names may begin or end with and does not count; repeatable
    #[arg(long, value_name = "TEXT")]
    strip: Vec<String>,
    /// Give the weight of joints that the target lacks to the joint above, instead of adding them to its skeleton
    #[arg(long)]
    merge_missing: bool,
    /// Replace the weight of joints that only the target has, too
    #[arg(long)]
    replace_own: bool,
    /// How much of the new weights is taken, 0 to 1; the rest is the target's own
    #[arg(long, default_value_t = 1.0, value_name = "SHARE")]
    mix: f32,
    /// Bring the body to a target in other units, at another position or in another pose
    #[arg(long)]
    fit: bool,
    /// How far a counterpart may be away, as a fraction of the target's diagonal
    #[arg(long, default_value_t = MatchOptions::default().distance, value_name = "FRACTION")]
    distance: f64,
    /// How far normals may be apart, in degrees
    #[arg(long, default_value_t = MatchOptions::default().angle, value_name = "DEGREES")]
    angle: f64,
    /// Match normals that point the same way alone, as published, and not opposite ones too
    #[arg(long)]
    same_side: bool,
    /// Smooth at and beside vertices without a counterpart by this fraction of the diagonal
    #[arg(long, default_value_t = TransferOptions::default().smoothing, value_name = "FRACTION")]
    smoothing: f64,
    /// The most joints that a vertex follows, 1 to 64, or all
    #[arg(long, default_value = "4", value_name = "N", value_parser = influences)]
    influences: Influences,
    /// Drop weights under this fraction
    #[arg(long, default_value_t = 1e-3, value_name = "FRACTION")]
    prune: f32,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
    /// Draw what was matched, filled and bound to PNGs in this folder
    #[arg(long, value_name = "FOLDER")]
    pictures: Option<PathBuf>,
}

impl Args {
    pub(crate) fn request(&self) -> TransferRequest {
        let sides = if self.same_side {
            Sides::Same
        } else {
            Sides::Either
        };
        TransferRequest {
            asset: AssetRequest::of(&self.body),
            targets: self.targets.clone(),
            output: self.output.clone(),
            from: self.from.clone(),
            only: self.only.clone(),
            fill: self.fill.clone(),
            joints: self.joints.clone(),
            map: self.map.clone(),
            strip: self.strip.clone(),
            missing: if self.merge_missing {
                MissingJoints::Parent
            } else {
                MissingJoints::Add
            },
            replace_own: self.replace_own,
            mix: self.mix,
            fit: self.fit,
            options: TransferOptions {
                matching: MatchOptions {
                    distance: self.distance,
                    angle: self.angle,
                    sides,
                },
                smoothing: self.smoothing,
                influences: self.influences.0,
                prune: self.prune,
            },
            store: self.store.into(),
            pictures: self.pictures.clone(),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request();
    let report = console.with_task(|task| transfer(&request, task))?;
    for warning in &report.file_warnings {
        console.warn(warning);
    }
    for target in &report.targets {
        for warning in &target.file_warnings {
            console.warn(format_args!("{}: {warning}", target.input));
        }
        console.warn_of_binding(&target.bind_warnings);
        warn_of(target, console);
    }
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn warn_of(target: &TransferredTarget, console: &Console) {
    let input = &target.input;
    if target.bound > 0 {
        let pieces = match target.bound_pieces {
            1 => "one piece of it has".to_owned(),
            n => format!("{n} pieces of it have"),
        };
        console.warn(format_args!(
            "{input}: {pieces} nothing of the body near, and {} points were bound anew",
            target.bound
        ));
    }
    if !target.added_joints.is_empty() {
        console.warn(format_args!(
            "{input}: joints were added to its skeleton: {} (--merge-missing gives their weight to the joint above)",
            target.added_joints.join(", ")
        ));
    }
    for (joint, to) in &target.merged_joints {
        console.warn(format_args!("{input}: the weight of '{joint}' went to '{to}'"));
    }
    if let Some(scale) = target.fitted {
        console.warn(format_args!(
            "{input}: the body was brought to it, its size times {scale:.4}"
        ));
    }
}

fn summary(report: &TransferReport) -> String {
    let mut text = String::new();
    for target in &report.targets {
        let points = target.matched + target.filled + target.bound;
        let percent = |n: usize| 100.0 * n as f64 / points.max(1) as f64;
        text.push_str(&format!(
            "{}: {:.1} % matched, {:.1} % filled, {:.1} % bound; {} vertices follow {} joints, at most {} each\n{}",
            target.input,
            percent(target.matched),
            percent(target.filled),
            percent(target.bound),
            target.vertices,
            target.joints,
            target.max_influences,
            stage_lines(&target.stages, target.milliseconds),
        ));
        if let Some(picture) = &target.picture {
            text.push_str(&format!("drew {}\n", picture.display()));
        }
        text.push_str(&format!("{}\n", wrote(target.output.as_ref())));
    }
    text.trim_end().to_owned()
}
