//! What the parts of a field do (Fig. 7 to 9): proximity with its exponents fitted, the
//! same with the border that makes it sparse, and all of it.

use std::fmt::Write as _;

use ligament::bind::cells::{FitOptions, Freedom, Start};

use super::judge::{Judge, sample, short};
use super::picture::{Look, Shot, save};
use super::plot::{Line, reached};

/// The knight's cape has no bones of its own, as in Fig. 9; fingers are where the skeleton
/// says least about the skin.
const SAMPLES: [&str; 2] = ["knight@2000", "hand@1200"];
const PICTURED: usize = 5;

/// A fit that nothing helps: no voxels, no detours, no early stop.
fn plain(freedom: Freedom) -> FitOptions {
    FitOptions {
        start: Start::Proximity,
        geodesic: false,
        guided_steps: 0,
        hold: 0.0,
        steps: 400,
        poses_per_step: 4,
        tolerance: 0.0,
        freedom,
        ..FitOptions::default()
    }
}

pub fn run() -> anyhow::Result<String> {
    let mut text = String::from(
        "All begin as proximity, 1/d⁴ from sites along the bones, and go down the same losses over the same poses for 400 \
         steps. *Reached* is the step, and the time, after which the loss along the way (a running mean) stays under the \
         falloff's own last.\n\n| sample | what is fitted | total | smoothness | location | reached, step | reached, s |\n|---|---|---|---|---|---|---|\n",
    );
    for name in SAMPLES {
        let character = sample(name)?;
        let judge = Judge::new(&character)?;
        let start = judge.fitted(&FitOptions {
            steps: 0,
            ..plain(Freedom::Falloff)
        })?;
        let mut rows = vec![("nothing: 1/d⁴", start)];
        for (label, freedom) in [
            ("falloff", Freedom::Falloff),
            ("sparse falloff", Freedom::SparseFalloff),
            ("all", Freedom::All),
        ] {
            eprintln!("{name}: {label}");
            rows.push((label, judge.fitted(&plain(freedom))?));
        }
        let curve = |i: usize| rows[i].1.value.report.curve.as_slice();
        let last = super::plot::smoothed(curve(1)).last().map_or(0.0, |p| p.2);
        let mut weights = Vec::new();
        for (i, (label, fitted)) in rows.iter().enumerate() {
            let given = judge.weights_of(&fitted.value)?;
            let losses = judge.losses(&given)?;
            let (step, seconds) = match reached(curve(i), last * 1.001) {
                Some((step, seconds)) if i > 0 => (step.to_string(), format!("{seconds:.1}")),
                _ => ("–".to_owned(), "–".to_owned()),
            };
            writeln!(
                text,
                "| `{name}` | {label} | {} | {} | {} | {step} | {seconds} |",
                short(judge.total(&given)?),
                short(losses.smoothness),
                short(losses.location),
            )?;
            weights.push((*label, given));
        }
        let lines: Vec<Line<'_>> = (1..rows.len())
            .map(|i| Line {
                name: rows[i].0,
                curve: curve(i),
            })
            .collect();
        let short_name = name.split('@').next().unwrap_or(name);
        super::plot::save(&lines, &format!("cells-ablation-{short_name}-curves.png"))?;
        let shots: Vec<Shot<'_>> = weights
            .iter()
            .map(|(label, weights)| Shot {
                character: &character,
                weights,
                world_from_bind: &judge.unseen[PICTURED],
                caption: (*label).replace('⁴', "^4"),
                painted: false,
            })
            .collect();
        save(
            &shots,
            &Look::default(),
            &format!("cells-ablation-{short_name}.png"),
        )?;
    }
    for name in SAMPLES.map(|s| s.split('@').next().unwrap_or(s)) {
        writeln!(
            text,
            "\n![{name} in a pose: nothing fitted, falloff, sparse falloff, all](../images/cells-ablation-{name}.png)\n\n\
             ![Loss over steps](../images/cells-ablation-{name}-curves.png)"
        )?;
    }
    Ok(text)
}
