//! Four influences three ways (Fig. 7): dense weights clamped, dense weights optimised vertex by vertex and
//! clamped, a field.

use std::fmt::Write as _;

use ligament::bind::Method;
use ligament::bind::cells::{FitOptions, optimise_weights};
use ligament::task::Task;

use super::judge::{INFLUENCES, Judge, sample, short, timed};
use super::picture::{Look, Shot, save};
use super::plot::{Line, reached};

const SAMPLE: &str = "knight@2000";
const PICTURED: usize = 5;
/// Dense weights to begin with, those that the library has.
const DENSE: [&str; 2] = ["biharmonic", "heat"];

pub fn run() -> anyhow::Result<String> {
    let character = sample(SAMPLE)?;
    let judge = Judge::new(&character)?;
    let task = Task::unattended();
    let cells = FitOptions {
        hold: 0.0,
        tolerance: 0.0,
        ..FitOptions::default()
    };
    let mut rows = Vec::new();
    for name in DENSE {
        if Method::named(name).is_err() {
            eprintln!("there is no method {name} yet");
            continue;
        }
        eprintln!("{name}, clamped and optimised");
        let dense = judge.bound(name, usize::from(u16::MAX))?;
        let most = dense.value.max_influences();
        let clamped = dense.value.limited(INFLUENCES);
        rows.push((
            format!("{name}, {most} influences clamped to 4"),
            clamped,
            dense.seconds,
            None,
        ));
        let optimised = timed(|| {
            Ok(optimise_weights(
                &judge.domain,
                &dense.value,
                INFLUENCES,
                &cells,
                &task,
            )?)
        })?;
        rows.push((
            format!("{name}, optimised per vertex"),
            optimised.value.weights,
            optimised.seconds,
            Some(optimised.value.curve),
        ));
    }
    eprintln!("cells");
    let fitted = judge.fitted(&cells)?;
    rows.push((
        "cells".to_owned(),
        judge.weights_of(&fitted.value)?,
        fitted.seconds,
        Some(fitted.value.report.curve),
    ));
    let goal = rows
        .iter()
        .filter_map(|r| super::plot::smoothed(r.3.as_deref()?).last().map(|p| p.2))
        .fold(0.0, f64::max);
    let mut text = format!(
        "`sample:{SAMPLE}`. Optimising vertices takes the dense weights as its start and shifts weight between the joints that \
         a vertex has, by the same losses, poses and {} steps. *Reached* is when the loss along the way stays under the \
         worst of the last losses.\n\n\
         | weights | total | smoothness | location | seconds | reached, step | reached, s |\n|---|---|---|---|---|---|---|\n",
        cells.steps
    );
    for (name, weights, seconds, curve) in &rows {
        let losses = judge.losses(weights)?;
        let (step, at) = match curve.as_deref().and_then(|c| reached(c, goal * 1.001)) {
            Some((step, at)) => (step.to_string(), format!("{at:.1}")),
            None => ("–".to_owned(), "–".to_owned()),
        };
        writeln!(
            text,
            "| {name} | {} | {} | {} | {seconds:.1} | {step} | {at} |",
            short(judge.total(weights)?),
            short(losses.smoothness),
            short(losses.location)
        )?;
    }
    let shots: Vec<Shot<'_>> = rows
        .iter()
        .map(|(name, weights, ..)| Shot {
            character: &character,
            weights,
            world_from_bind: &judge.unseen[PICTURED],
            caption: name.clone(),
            painted: false,
        })
        .collect();
    save(&shots, &Look::default(), "cells-sparse.png")?;
    let lines: Vec<Line<'_>> = rows
        .iter()
        .filter_map(|(name, _, _, curve)| {
            Some(Line {
                name,
                curve: curve.as_deref()?,
            })
        })
        .collect();
    super::plot::save(&lines, "cells-sparse-curves.png")?;
    text.push_str(
        "\n![The rows in one pose](../images/cells-sparse.png)\n\n![Loss over steps](../images/cells-sparse-curves.png)\n",
    );
    Ok(text)
}
