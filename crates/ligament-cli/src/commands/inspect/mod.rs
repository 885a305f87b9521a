//! `ligament inspect`: what a character is made of and what is wrong with it.

mod anatomy;

use std::fmt::Write;

use ligament::bind::JointGuess;
use ligament::inspect::{MeshFacts, SkeletonFacts, WeightFacts};
use ligament_app::inspect::{InspectReport, InspectRequest, run_on};
use ligament_io::gltf::GltfWarning;
use ligament_io::import::FileWarning;

use crate::Outcome;
use crate::asset_args::{RigArgs, open};
use crate::console::Console;

/// Say what a character is made of and what is wrong with it
///
/// Exit status 1 means that the weights in the file are faulty: NaN, not normalised, on
/// joints that do not exist, missing, or different for vertices at one position. Open edges
/// and the like are facts of a mesh, not faults.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament inspect hero.glb
  ligament inspect hero.glb --json | jq .mesh.open_edges")]
pub struct Args {
    /// A file of any format, or sample:NAME
    input: String,
    #[command(flatten)]
    rig: RigArgs,
}

impl Args {
    pub(crate) fn request(&self) -> InspectRequest {
        InspectRequest {
            asset: self.rig.asset(&self.input),
        }
    }
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let asset = open(&args.request().asset, console)?;
    let report = console.with_task(|task| run_on(&asset, task))?;
    if console.json {
        console.print_json(&report)?;
    } else {
        console.print(&table(&report));
    }
    Ok(if report.is_faulty() {
        Outcome::FaultsFound
    } else {
        Outcome::Sound
    })
}

/// Rows of a list that is shown; JSON has them all.
const SHOWN: usize = 24;

fn table(report: &InspectReport) -> String {
    let found = &report.found;
    let mut text = Text(String::new());
    text.title(&report.input);
    text.mesh(&found.mesh);

    text.title("Parts");
    for part in found.parts.iter().take(SHOWN) {
        let carried = part
            .carried_by
            .as_ref()
            .map(|j| format!(", carried by {j}"))
            .unwrap_or_default();
        let detail = format!(
            "{} faces, {} vertices, {} shells{carried}",
            part.triangles, part.vertices, part.shells
        );
        text.row(&part.name, detail);
    }
    text.more(found.parts.len());

    match &found.skeleton {
        None => text.title("No skeleton"),
        Some(skeleton) => text.skeleton(skeleton),
    }
    if let Some(anatomy) = &report.anatomy {
        anatomy::write(&mut text, anatomy);
    }
    text.deform_joints(&report.deform_joints);
    match &found.weights {
        None => text.title("No weights"),
        Some(weights) => text.weights(weights),
    }
    if !found.clips.is_empty() {
        text.title("Clips");
        for clip in found.clips.iter().take(SHOWN) {
            text.row(
                &clip.name,
                format!("{:.2} s, moves {} joints", clip.seconds, clip.joints_moved),
            );
        }
        text.more(found.clips.len());
    }
    let is_shown = |w: &&FileWarning| !matches!(w, FileWarning::Gltf(GltfWarning::RigidPart { .. }));
    let shown: Vec<&FileWarning> = report.file_warnings.iter().filter(is_shown).collect();
    if !shown.is_empty() {
        text.title("Found in the file");
        for warning in shown {
            text.line(&format!("  {warning}"));
        }
    }
    text.0
}

struct Text(String);

impl Text {
    fn mesh(&mut self, m: &MeshFacts) {
        self.row("faces", m.triangles);
        self.row("vertices", format!("{} ({} positions)", m.vertices, m.positions));
        self.row("parts", format!("{} ({} shells)", m.parts, m.shells));
        let size: Vec<String> = (0..3).map(|i| format!("{:.3}", m.high[i] - m.low[i])).collect();
        self.row(
            "size",
            format!("{}, diagonal {:.3}", size.join(" × "), m.diagonal),
        );
        self.row("open edges", m.open_edges);
        self.row("non-manifold edges", m.non_manifold_edges);
        self.row("badly wound edges", m.inconsistent_edges);
        self.row("intersecting faces", m.self_intersecting_faces);
        self.row("duplicate faces", m.duplicate_faces);
        self.row("degenerate faces", m.degenerate_faces);
        let shells: Vec<String> = m
            .inside_out_shells
            .iter()
            .map(|s| format!("{} ({} faces)", s.part, s.faces))
            .collect();
        self.list("inside-out shells", &shells);
        self.row(
            "mirror symmetry",
            format!("{:.1} % of positions", 100.0 * m.mirror.fraction),
        );
    }

    fn skeleton(&mut self, s: &SkeletonFacts) {
        self.title("Skeleton");
        self.row(
            "joints",
            format!("{} ({} leaves, {} deep)", s.joints, s.leaves, s.depth),
        );
        self.row("roots", s.roots.join(", "));
        self.row(
            "rest pose",
            if s.rest_is_bind {
                "is the bind pose"
            } else {
                "is another pose than the bind pose"
            },
        );
        self.list("outside the mesh", &s.outside_mesh);
        self.list("zero-length bones", &s.zero_length_bones);
        self.list("repeated names", &s.duplicate_names);
    }

    /// How many joints a bind would take to move skin, and why it would leave out the others.
    fn deform_joints(&mut self, joints: &[JointGuess]) {
        if joints.is_empty() {
            return;
        }
        self.title("Joints that move skin, as a bind guesses them (--deform tells it)");
        let out: Vec<&JointGuess> = joints.iter().filter(|j| !j.moves_skin).collect();
        self.row(
            "taken",
            format!("{} of {}", joints.len() - out.len(), joints.len()),
        );
        let mut reasons: Vec<&str> = out.iter().map(|j| j.reason.as_str()).collect();
        reasons.sort_unstable();
        reasons.dedup();
        for reason in reasons {
            let names: Vec<String> = out
                .iter()
                .filter(|j| j.reason == reason)
                .map(|j| j.name.clone())
                .collect();
            self.list("left out", &names);
            self.line(&format!("  {:<20} {reason}", "because"));
        }
    }

    fn weights(&mut self, w: &WeightFacts) {
        self.title("Weights");
        self.row(
            "influences",
            format!(
                "at most {}, {:.2} on average",
                w.max_influences, w.mean_influences
            ),
        );
        self.row("rigid vertices", format!("{:.1} %", 100.0 * w.rigid_share));
        self.row("joints used", w.used_joints);
        self.list("joints not used", &w.unused_joints);
        self.row("torn twins", w.torn_vertices);
        self.row("tiny weights", w.tiny_weights);
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.0, "{line}"); // writing to a string does not fail
    }

    fn title(&mut self, title: &str) {
        if !self.0.is_empty() {
            self.line("");
        }
        self.line(title);
    }

    fn row(&mut self, name: &str, value: impl std::fmt::Display) {
        self.line(&format!("  {name:<20} {value}"));
    }

    /// How many there are, and the first of them.
    fn list(&mut self, name: &str, items: &[String]) {
        const NAMED: usize = 6;
        let mut value = items.len().to_string();
        if !items.is_empty() {
            let named = items.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
            let more = if items.len() > NAMED { ", …" } else { "" };
            value.push_str(&format!(": {named}{more}"));
        }
        self.row(name, value);
    }

    fn more(&mut self, total: usize) {
        if total > SHOWN {
            self.line(&format!("  … and {} more (--json lists all)", total - SHOWN));
        }
    }
}
