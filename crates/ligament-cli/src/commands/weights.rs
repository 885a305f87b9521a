//! `ligament weights`: the tools around weights that a file has.

use std::path::PathBuf;

use clap::ValueEnum;
use ligament::repair::Treatment;
use ligament::skin::Axis;
use ligament_app::asset::AssetRequest;
use ligament_app::weights::{
    LimitBy, MirrorFrom, PairBy, RepairReport, StepReport, WeightStep, WeightsReport, WeightsRequest, run_on,
};
use ligament_app::words::{number, title};

use crate::Outcome;
use crate::asset_args::open_and_warn;
use crate::bind_args::{Influences, StoredAs, influences};
use crate::console::{Console, milliseconds};

/// Change the weights that a character has: mirror, smooth, prune, limit, copy, merge, …
#[derive(clap::Args)]
#[command(after_help = "\
Verbs, one or several with commas, carried out in this order:
  mirror     one side's weights on both (--axis, --negative, --by-faces)
  smooth     even out along the surface (--length, --lock)
  prune      drop small weights (--threshold)
  limit      fewer joints for each vertex, with the least change of the motion (--influences, --largest)
  normalise  sums of one, largest first
  copy       the weights of other vertices, by position (--from)
  merge      give the weight of joints to another (--joints, --to)
  remove     take the weight of joints away; it goes to the joint above (--joints)
  rigid      let vertices follow one joint (--to; without it the one that has most of their weight)
  repair     put right what check finds broken, as far as the measures get better by it

Examples:
  ligament weights mirror hero.glb -o even.glb
  ligament weights smooth,prune,limit hero.glb --length 0.01 --threshold 0.01 --influences 4
  ligament weights smooth hero.glb --length 0.02 --only part:cape --lock 'spine*'
  ligament weights copy hero.glb --from part:body --only part:shirt
  ligament weights rigid hero.glb --only part:helmet --to head
  ligament weights remove hero.glb --joints '*_twist'
Vertices (--only, --from) are chosen by part:NAME, material:NAME, color:R,G,B, vertices:1,5,9-20 or
vertices:@FILE, sphere:X,Y,Z,RADIUS or box:X,Y,Z,X,Y,Z; several add up, '!' in front takes them out.")]
pub struct Args {
    /// What to do: one verb, or several with commas
    #[arg(value_delimiter = ',', num_args = 1, required = true, value_name = "VERB")]
    verbs: Vec<Verb>,
    /// A file of any format that has weights
    input: String,
    /// Where to write, as for bind [default: INPUT's name with _weights.glb, beside it]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Change these vertices alone; repeatable
    #[arg(long, value_name = "VERTICES")]
    only: Vec<String>,
    /// mirror: the axis across which sides are mirrored
    #[arg(long, value_enum, default_value = "x", value_name = "AXIS")]
    axis: AxisName,
    /// mirror: from the side that the axis points away from
    #[arg(long)]
    negative: bool,
    /// mirror: find partners by how faces are joined, for sides that are shaped differently
    #[arg(long)]
    by_faces: bool,
    /// smooth: how far, as a fraction of the diagonal
    #[arg(long, default_value_t = 0.01, value_name = "FRACTION")]
    length: f64,
    /// smooth: joints (names or globs) that keep their weight; repeatable
    #[arg(long, value_name = "JOINTS")]
    lock: Vec<String>,
    /// prune: drop weights under this
    #[arg(long, default_value_t = 0.01, value_name = "FRACTION")]
    threshold: f32,
    /// limit: the most joints that a vertex follows, 1 to 64
    #[arg(long, default_value = "4", value_name = "N", value_parser = influences)]
    influences: Influences,
    /// limit: keep the largest weights instead of those that move the skin least
    #[arg(long)]
    largest: bool,
    /// copy: the vertices that weights come from; repeatable
    #[arg(long, value_name = "VERTICES")]
    from: Vec<String>,
    /// merge, remove: the joints (names or globs); repeatable
    #[arg(long, value_name = "JOINTS")]
    joints: Vec<String>,
    /// merge, rigid: the joint that takes the weight
    #[arg(long, value_name = "JOINT")]
    to: Option<String>,
    /// How weights are stored
    #[arg(long, value_enum, default_value = "keep", value_name = "TYPE")]
    store: StoredAs,
    /// Draw the weights before and after to this PNG
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Verb {
    Mirror,
    Smooth,
    Prune,
    Limit,
    #[value(alias = "normalize")]
    Normalise,
    Copy,
    Merge,
    Remove,
    Rigid,
    Repair,
}

#[derive(Clone, Copy, ValueEnum)]
enum AxisName {
    X,
    Y,
    Z,
}

impl From<AxisName> for Axis {
    fn from(name: AxisName) -> Self {
        match name {
            AxisName::X => Self::X,
            AxisName::Y => Self::Y,
            AxisName::Z => Self::Z,
        }
    }
}

impl Args {
    fn step(&self, verb: Verb) -> anyhow::Result<WeightStep> {
        let only = self.only.clone();
        Ok(match verb {
            Verb::Mirror => WeightStep::Mirror {
                axis: self.axis.into(),
                from: if self.negative {
                    MirrorFrom::Negative
                } else {
                    MirrorFrom::Positive
                },
                by: if self.by_faces {
                    PairBy::Faces
                } else {
                    PairBy::Place
                },
                only,
            },
            Verb::Smooth => WeightStep::Smooth {
                length: self.length,
                only,
                lock: self.lock.clone(),
            },
            Verb::Prune => WeightStep::Prune {
                threshold: self.threshold,
                only,
            },
            Verb::Limit => WeightStep::Limit {
                influences: self.influences.0,
                by: if self.largest {
                    LimitBy::Largest
                } else {
                    LimitBy::Motion
                },
                only,
            },
            Verb::Normalise => WeightStep::Normalise,
            Verb::Copy => WeightStep::Copy {
                from: self.from.clone(),
                only,
            },
            Verb::Merge => WeightStep::Merge {
                joints: self.joints.clone(),
                to: self.to.clone().ok_or_else(|| {
                    anyhow::anyhow!("merge wants --to JOINT, the joint that takes the weight")
                })?,
                only,
            },
            Verb::Remove => WeightStep::Remove {
                joints: self.joints.clone(),
                only,
            },
            Verb::Repair => WeightStep::Repair { only },
            Verb::Rigid => WeightStep::Rigid {
                to: self.to.clone(),
                only,
            },
        })
    }
}

impl Args {
    pub(crate) fn request(&self) -> anyhow::Result<WeightsRequest> {
        let steps = self.verbs.iter().map(|&verb| self.step(verb));
        Ok(WeightsRequest {
            asset: AssetRequest::of(&self.input),
            output: self.output.clone(),
            steps: steps.collect::<anyhow::Result<_>>()?,
            store: self.store.into(),
            picture: self.picture.clone(),
        })
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let request = args.request()?;
    let asset = open_and_warn(&request.asset, console)?;
    let report = console.with_task(|task| run_on(asset, &request, task))?;
    for step in &report.steps {
        warn_of(step, console);
    }
    console.report(&report, summary)?;
    Ok(Outcome::Sound)
}

fn warn_of(step: &StepReport, console: &Console) {
    const SHOWN: usize = 12;
    let notes = &step.notes;
    if !notes.unmatched.is_empty() {
        let some: Vec<String> = notes.unmatched.iter().take(SHOWN).map(u32::to_string).collect();
        let more = if notes.unmatched.len() > SHOWN {
            ", …"
        } else {
            ""
        };
        console.warn(format_args!(
            "{}: {} vertices have no partner and kept what they had: {}{more} (--json lists all)",
            step.verb,
            notes.unmatched.len(),
            some.join(", ")
        ));
    }
    if !notes.unpaired_joints.is_empty() {
        console.warn(format_args!(
            "{}: joints without a partner stand for themselves: {}",
            step.verb,
            notes.unpaired_joints.join(", ")
        ));
    }
}

fn repaired(repair: &RepairReport) -> String {
    let mut text = format!(
        "  before: {}, score {:.2}\n  after:  {}, score {:.2}\n",
        repair.before, repair.score_before, repair.after, repair.score_after
    );
    for done in &repair.treatments {
        let what = match done.treatment {
            Treatment::Seams => "united copies along seams",
            Treatment::Exchanged => "gave joints that stood in for each other their own weight",
            Treatment::Astray => "took weight far away back",
            Treatment::Smoothed => "smoothed",
            Treatment::Rebound => "bound anew",
            Treatment::Evened => "made left and right alike",
        };
        let near = done.near.as_ref().map_or(String::new(), |n| format!(" near {n}"));
        text.push_str(&format!("  {what}{near}: {} vertices\n", done.vertices));
    }
    for m in repair.measures.iter().filter(|m| m.before != m.after) {
        text.push_str(&format!(
            "  {:<13}{:>9} → {}\n",
            title(m.measure),
            number(m.before),
            number(m.after)
        ));
    }
    text
}

fn summary(report: &WeightsReport) -> String {
    let mut text = String::new();
    for step in &report.steps {
        text.push_str(&format!(
            "{}: {} of {} vertices changed, by {:.1} % of their weight on average\n",
            step.verb,
            step.changed,
            report.vertices,
            100.0 * step.moved
        ));
        if let Some(limit) = &step.notes.limit {
            text.push_str(&format!(
                "  {} vertices had more; they move {:.4} % of the diagonal off (worst {:.3} %), with the largest weights {:.4} % (worst {:.3} %)\n",
                limit.vertices,
                100.0 * limit.rms,
                100.0 * limit.worst,
                100.0 * limit.largest_rms,
                100.0 * limit.largest_worst
            ));
        }
        if let Some(repair) = &step.notes.repair {
            text.push_str(&repaired(repair));
        }
        for (joint, to) in &step.notes.moved_to {
            text.push_str(&format!("  {joint} → {to}\n"));
        }
    }
    text.push_str(&format!(
        "at most {} joints for a vertex, {}\nwrote {}",
        report.max_influences,
        milliseconds(report.milliseconds),
        report.output.display()
    ));
    text
}
