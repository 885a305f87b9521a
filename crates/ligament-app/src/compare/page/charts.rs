//! Charts as SVG that stands in the page: bars whose colours are the page's own, so that
//! light, dark and paper suit them alike.

use ligament::measure::Measure;
use maud::{Markup, html};

use super::names::hue;
use crate::compare::contender::Contender;
use crate::words::{duration, number, title};

/// Height of a bar and of the step to the next.
const BAR: f64 = 15.0;
const STEP: f64 = 22.0;
/// Where bars begin.
const LABELS: f64 = 92.0;
/// The longest label, in characters.
const LABEL: usize = 13;

/// A bar for each contender, with the limit as a line.
pub fn measure(measure: Measure, contenders: &[Contender]) -> Option<Markup> {
    const WIDTH: f64 = 330.0;
    const VALUES: f64 = 56.0;
    let findings: Vec<_> = contenders.iter().map(|c| c.report.finding(measure)).collect();
    let limit = findings.iter().flatten().map(|f| f.limit).next()?;
    let most = findings.iter().flatten().map(|f| f.value).fold(0.0, f64::max);
    // The limit is drawn where it is not far beyond the bars; differences must be seen.
    let shows_limit = limit <= 3.0 * most;
    let end = if shows_limit { most.max(limit) } else { most }.max(f64::MIN_POSITIVE);
    let room = WIDTH - LABELS - VALUES;
    let height = 4.0 + STEP * contenders.len() as f64;
    let bars = html! {
        @for (row, (contender, finding)) in contenders.iter().zip(&findings).enumerate() {
            (label(row, &contender.name))
            @match finding {
                Some(f) => {
                    @let width = (room * f.value / end).max(1.0);
                    rect x=(tenths(LABELS)) y=(tenths(top(row))) width=(tenths(width)) height=(BAR) rx="2"
                        style={ "fill:var(--" (hue(contenders, row)) ")" } {}
                    (value(LABELS + width + 5.0, row, &number(f.value)))
                }
                None => (value(LABELS, row, "does not apply")),
            }
        }
        @if shows_limit {
            @let x = tenths(LABELS + room * limit / end);
            line class="limit" x1=(x) y1="0" x2=(x) y2=(format!("{height:.0}")) {
                title { "limit " (number(limit)) }
            }
        }
    };
    let about = format!("{}, a bar for each bind", title(measure));
    Some(chart(WIDTH, height, &about, &bars))
}

/// What the score of each contender is made of.
pub fn scores(contenders: &[Contender]) -> Markup {
    let parts = |c: &Contender| {
        let worth = |m: Measure| {
            let finding = c.report.finding(m)?;
            Some((title(m).to_owned(), (finding.value / m.score_unit()?).min(10.0)))
        };
        Measure::ALL.into_iter().filter_map(worth).collect()
    };
    stacked(
        contenders,
        "what the score of each bind is made of",
        parts,
        |_, total| format!("{total:.2}"),
    )
}

/// How long each stage took.
pub fn times(contenders: &[Contender]) -> Markup {
    stacked(
        contenders,
        "how long each bind took, stage by stage",
        |c| match (c.stages.is_empty(), c.seconds) {
            (true, Some(seconds)) => vec![("all".to_owned(), seconds)],
            _ => c.stages.iter().map(|s| (s.name.clone(), s.seconds)).collect(),
        },
        |c, total| {
            c.seconds
                .map_or("not known".to_owned(), |s| duration(s.max(total)))
        },
    )
}

/// Bars of several parts, with a legend below.
fn stacked(
    contenders: &[Contender],
    about: &str,
    parts: impl Fn(&Contender) -> Vec<(String, f64)>,
    total_words: impl Fn(&Contender, f64) -> String,
) -> Markup {
    const WIDTH: f64 = 1120.0;
    const VALUES: f64 = 74.0;
    let bars: Vec<Vec<(String, f64)>> = contenders.iter().map(parts).collect();
    let total = |bar: &[(String, f64)]| bar.iter().map(|p| p.1).sum::<f64>();
    let most = bars.iter().map(|b| total(b)).fold(f64::MIN_POSITIVE, f64::max);
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in bars.iter().flatten() {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let scale = (WIDTH - LABELS - VALUES) / most;
    let rows = html! {
        @for (row, (contender, parts)) in contenders.iter().zip(&bars).enumerate() {
            (label(row, &contender.name))
            @for (k, (name, part)) in parts.iter().enumerate() {
                @let colour = names.iter().position(|n| n == name).unwrap_or(0) % 10;
                rect class={ "part p" (colour) } x=(tenths(LABELS + scale * total(&parts[..k]))) y=(tenths(top(row)))
                    width=(format!("{:.2}", scale * part)) height=(BAR) {
                    title { (name) ": " (number((1e4 * part).round() / 1e4)) }
                }
            }
            @let sum = total(parts);
            (value(LABELS + scale * sum + 5.0, row, &total_words(contender, sum)))
        }
    };
    html! {
        (chart(WIDTH, 4.0 + STEP * contenders.len() as f64, about, &rows))
        ul class="legend" {
            @for (part, name) in names.iter().enumerate() {
                li { i class={ "p" (part % 10) } {} (name) }
            }
        }
    }
}

fn chart(width: f64, height: f64, about: &str, inside: &Markup) -> Markup {
    html! {
        svg class="chart" viewBox=(format!("0 0 {width:.0} {height:.0}")) role="img" aria-label=(about) { (inside) }
    }
}

/// Where a row's bar begins, from above.
fn top(row: usize) -> f64 {
    4.0 + STEP * row as f64
}

fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

/// Words beside a row's bar.
fn words(class: &str, x: f64, row: usize, text: &str) -> Markup {
    html! { text class=(class) x=(tenths(x)) y=(tenths(top(row) + 0.78 * BAR)) { (text) } }
}

fn label(row: usize, name: &str) -> Markup {
    let short: String = if name.chars().count() > LABEL {
        name.chars().take(LABEL - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    };
    words("l", LABELS - 7.0, row, &short)
}

fn value(x: f64, row: usize, text: &str) -> Markup {
    words("v", x, row, text)
}
