//! Charts as SVG that stands in the page: bars whose colours are the page's own, so that
//! light, dark and paper suit them alike.

use std::fmt::Write;

use ligament::measure::Measure;

use super::conclusion::duration;
use super::contender::Contender;
use super::page::{escape, hue};
use crate::commands::check::table::{number, title};

/// Height of a bar and of the step to the next.
const BAR: f64 = 15.0;
const STEP: f64 = 22.0;
/// Where bars begin.
const LABELS: f64 = 92.0;

/// A bar for each contender, with the limit as a line.
pub fn measure_chart(measure: Measure, contenders: &[Contender]) -> Option<String> {
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
    let mut svg = opened(WIDTH, height, &format!("{}, a bar for each bind", title(measure)));
    for (row, (contender, finding)) in contenders.iter().zip(&findings).enumerate() {
        let y = 4.0 + STEP * row as f64;
        label(&mut svg, y, &contender.name);
        match finding {
            Some(f) => {
                let width = (room * f.value / end).max(1.0);
                bar(
                    &mut svg,
                    LABELS,
                    y,
                    width,
                    &format!("var(--{})", hue(contenders, row)),
                );
                text(&mut svg, LABELS + width + 5.0, y, "v", &number(f.value));
            }
            None => text(&mut svg, LABELS, y, "v", "does not apply"),
        }
    }
    if shows_limit {
        let x = LABELS + room * limit / end;
        let _ = write!(
            svg,
            r#"<line class="limit" x1="{x:.1}" y1="0" x2="{x:.1}" y2="{height:.0}"><title>limit {}</title></line>"#,
            number(limit)
        );
    }
    svg.push_str("</svg>");
    Some(svg)
}

/// What the score of each contender is made of.
pub fn score_chart(contenders: &[Contender]) -> String {
    let parts = |c: &Contender| -> Vec<(Measure, f64)> {
        let worth = |m: Measure| {
            let finding = c.report.finding(m)?;
            Some((m, (finding.value / m.score_unit()?).min(10.0)))
        };
        Measure::ALL.into_iter().filter_map(worth).collect()
    };
    stacked(
        contenders,
        "what the score of each bind is made of",
        |c| {
            parts(c)
                .into_iter()
                .map(|(m, v)| (title(m).to_owned(), v))
                .collect()
        },
        |_, total| format!("{total:.2}"),
    )
}

/// How long each stage took.
pub fn time_chart(contenders: &[Contender]) -> String {
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
) -> String {
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
    let room = WIDTH - LABELS - VALUES;
    let mut svg = opened(WIDTH, 4.0 + STEP * contenders.len() as f64, about);
    for (row, (contender, parts)) in contenders.iter().zip(&bars).enumerate() {
        let y = 4.0 + STEP * row as f64;
        label(&mut svg, y, &contender.name);
        let mut x = LABELS;
        for (name, value) in parts {
            let width = room * value / most;
            let part = names.iter().position(|n| n == name).unwrap_or(0);
            let _ = write!(
                svg,
                r#"<rect class="part p{}" x="{x:.1}" y="{y:.1}" width="{width:.2}" height="{BAR}"><title>{}: {}</title></rect>"#,
                part % 10,
                escape(name),
                number((1e4 * value).round() / 1e4)
            );
            x += width;
        }
        text(&mut svg, x + 5.0, y, "v", &total_words(contender, total(parts)));
    }
    svg.push_str("</svg>");
    let mut legend = String::from(r#"<ul class="legend">"#);
    for (part, name) in names.iter().enumerate() {
        let _ = write!(
            legend,
            r#"<li><i class="p{}"></i>{}</li>"#,
            part % 10,
            escape(name)
        );
    }
    legend.push_str("</ul>");
    svg + &legend
}

fn opened(width: f64, height: f64, about: &str) -> String {
    format!(
        r#"<svg class="chart" viewBox="0 0 {width:.0} {height:.0}" role="img" aria-label="{}">"#,
        escape(about)
    )
}

fn label(svg: &mut String, y: f64, name: &str) {
    let short: String = if name.chars().count() > 13 {
        name.chars().take(12).chain(['…']).collect()
    } else {
        name.to_owned()
    };
    let _ = write!(
        svg,
        r#"<text class="l" x="{:.0}" y="{:.1}">{}</text>"#,
        LABELS - 7.0,
        y + 0.78 * BAR,
        escape(&short)
    );
}

fn bar(svg: &mut String, x: f64, y: f64, width: f64, fill: &str) {
    let _ = write!(
        svg,
        r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{BAR}" rx="2" style="fill:{fill}"/>"#
    );
}

fn text(svg: &mut String, x: f64, y: f64, class: &str, words: &str) {
    let _ = write!(
        svg,
        r#"<text class="{class}" x="{x:.1}" y="{:.1}">{}</text>"#,
        y + 0.78 * BAR,
        escape(words)
    );
}
