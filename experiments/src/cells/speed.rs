//! The time that a fit and an evaluation take, and what a ten times longer fit would still gain.

use std::fmt::Write as _;
use std::time::Instant;

use glam::Vec3;
use ligament::Character;
use ligament::bind::cells::{Evaluator, FitOptions, LossWeights};
use ligament::task::Task;

use super::judge::{Judge, sample, short};

/// About 9,000 vertices and 50 joints.
const SAMPLE: &str = "athlete@9000";
const POINTS: usize = 100_000;
/// One fit more or less by luck would decide.
const SEEDS: [u64; 3] = [1, 2, 3];

/// Seconds that this process has used on all its threads, where the system tells.
fn processor_seconds() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    // User and system time, in hundredths.
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

pub fn run() -> anyhow::Result<String> {
    let characters: [(String, Character); 1] = [(format!("sample:{SAMPLE}"), sample(SAMPLE)?)];
    let mut text = String::from(
        "*Full loss* is what the default fit descends: Eq. 7 and the hold to the voxel bind, over all positions and poses that it did not see. \
         *Processor* is the time of all threads together.\n\n\
         | character | positions | joints | seed | fit | full loss | of ten times longer | total | seconds | processor, s |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut evaluated = String::from(
        "\n| field | cells | detours | points | ms, best of 5 | processor, ms |\n|---|---|---|---|---|---|\n",
    );
    for (name, character) in &characters {
        let judge = Judge::new(character)?;
        let mut fields = Vec::new();
        let mut product = 1.0;
        for seed in SEEDS {
            let default = FitOptions {
                seed,
                ..FitOptions::default()
            };
            let longer = FitOptions {
                steps: 10 * default.steps,
                tolerance: 0.0,
                ..default.clone()
            };
            let mut found = Vec::new();
            for (label, options) in [("default", &default), ("ten times longer", &longer)] {
                eprintln!("{name}, seed {seed}: {label}");
                let before = processor_seconds();
                let fitted = judge.fitted(options)?;
                let processor = processor_seconds().zip(before).map(|(now, then)| now - then);
                found.push((label, fitted, processor));
            }
            let full = |i: usize| found[i].1.value.report.unseen.total(&LossWeights::PAPER);
            product *= full(0) / full(1);
            for (i, (label, fitted, processor)) in found.iter().enumerate() {
                let steps = fitted.value.report.steps;
                writeln!(
                    text,
                    "| {name} | {} | {} | {seed} | {label}, {steps} steps | {} | {:.3} | {} | {:.1} | {} |",
                    judge.domain.points.len(),
                    judge.domain.joints.len(),
                    short(full(i)),
                    full(i) / full(1),
                    short(judge.total(&judge.weights_of(&fitted.value)?)?),
                    fitted.seconds,
                    processor.map_or("–".to_owned(), |p| format!("{p:.1}"))
                )?;
            }
            fields.push(found.swap_remove(0).1.value.field);
        }
        writeln!(
            text,
            "| | | | mean | default | | {:.3} | | | |",
            product.powf(1.0 / SEEDS.len() as f64)
        )?;
        // Vertices over and over, each a little aside, until there are enough.
        let diagonal = character.mesh.diagonal();
        let points: Vec<Vec3> = (0..POINTS)
            .map(|i| {
                let n = character.mesh.positions.len();
                let aside = (i / n) as f32 * 1e-4 * diagonal;
                character.mesh.positions[i % n] + Vec3::splat(aside)
            })
            .collect();
        let field = &fields[0];
        let straight = ligament::bind::cells::CellField {
            detour: None,
            ..field.clone()
        };
        for (field, detours) in [(field, "yes"), (&straight, "no")] {
            let joints: Vec<_> = (0..field.cells.len() as u16)
                .map(|c| Some(ligament::JointIndex(c)))
                .collect();
            let evaluator = Evaluator::new(field);
            let (mut best, mut processor) = (f64::INFINITY, f64::INFINITY);
            for _ in 0..5 {
                let (start, before) = (Instant::now(), processor_seconds());
                evaluator.weights_at(&points, &joints, |_| None, &Task::unattended())?;
                best = best.min(start.elapsed().as_secs_f64());
                if let Some((now, then)) = processor_seconds().zip(before) {
                    processor = processor.min(now - then);
                }
            }
            writeln!(
                evaluated,
                "| {name} | {} | {detours} | {POINTS} | {:.0} | {:.0} |",
                field.cells.len(),
                1e3 * best,
                1e3 * processor
            )?;
        }
    }
    Ok(text + &evaluated)
}
