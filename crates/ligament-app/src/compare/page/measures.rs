//! The table of measures and their charts.

use ligament::measure::{Finding, Measure, ReferenceMeasures};
use maud::{Markup, html};

use super::charts;
use super::names::hue;
use crate::compare::contender::{Contender, Origin};
use crate::words::{definition, meaning, number, percent, title, word};

pub fn section(contenders: &[Contender]) -> Markup {
    html! {
        section {
            h2 { "Measures" }
            p class="lead" {
                "Less is better, but for precision and recall. Bold is the best; amber is suspect, from half of the limit \
                 on; red is broken, from the limit on."
            }
            div class="scroll" { table class="measures" {
                thead { tr {
                    th scope="col" { "measure" }
                    (heading(contenders))
                    th scope="col" { "limit" }
                    th scope="col" { "what it is" }
                } }
                tbody {
                    @for measure in Measure::ALL { (row(measure, contenders)) }
                    (reference_rows(contenders))
                }
            } }
            h3 { "Side by side" }
            div class="charts" {
                @for measure in Measure::ALL {
                    @if let Some(chart) = charts::measure(measure, contenders) {
                        figure { figcaption { (title(measure)) } (chart) }
                    }
                }
            }
            p class="note" { "The dashed line is the limit; where it is missing, it is far to the right." }
            h3 { "What the score is made of" }
            figure class="wide" { (charts::scores(contenders)) }
        }
    }
}

/// The contenders' names as heads of columns.
pub fn heading(contenders: &[Contender]) -> Markup {
    html! {
        @for (k, contender) in contenders.iter().enumerate() {
            th scope="col" class="name" style={ "--hue:var(--" (hue(contenders, k)) ")" } { (contender.name) }
        }
    }
}

fn row(measure: Measure, contenders: &[Contender]) -> Markup {
    let findings: Vec<Option<&Finding>> = contenders.iter().map(|c| c.report.finding(measure)).collect();
    let known = || findings.iter().flatten();
    let limit = known().map(|f| f.limit).next();
    let least = known().map(|f| f.value).fold(f64::INFINITY, f64::min);
    let differ = known().any(|f| f.value > least);
    html! {
        tr data-measure=(measure.name()) {
            th scope="row" { (title(measure)) }
            @for (contender, finding) in contenders.iter().zip(&findings) {
                @match finding {
                    Some(f) => {
                        td class={ (word(f.verdict).to_lowercase()) @if differ && f.value == least { " best" } }
                            title=(meaning(measure, &contender.report)) { (number(f.value)) }
                    }
                    None => td class="none" { "–" },
                }
            }
            td class="limit" { (limit.map_or("–".to_owned(), number)) }
            td class="words" { (definition(measure)) }
        }
    }
}

/// A number that only a reference gives.
struct ReferenceRow {
    label: &'static str,
    words: &'static str,
    /// Whether less is better.
    less: bool,
    value: fn(&ReferenceMeasures) -> f64,
}

const REFERENCE_ROWS: [ReferenceRow; 4] = [
    ReferenceRow {
        label: "weight error",
        words: "mean of ½Σ|w − w*| over vertices: the share of weight on other joints than in the file",
        less: true,
        value: |r| r.weight_error_mean,
    },
    ReferenceRow {
        label: "weight error, 95th percentile",
        words: "the same, of the worst twentieth",
        less: true,
        value: |r| r.weight_error_p95,
    },
    ReferenceRow {
        label: "precision",
        words: "share of its influences that the file has too; more is better",
        less: false,
        value: |r| r.influence_precision,
    },
    ReferenceRow {
        label: "recall",
        words: "share of the file's influences that it has; more is better",
        less: false,
        value: |r| r.influence_recall,
    },
];

fn reference_rows(contenders: &[Contender]) -> Markup {
    if contenders.iter().all(|c| c.report.reference.is_none()) {
        return html! {};
    }
    html! {
        @for row in &REFERENCE_ROWS { (reference_row(row, contenders)) }
    }
}

fn reference_row(row: &ReferenceRow, contenders: &[Contender]) -> Markup {
    let value = |c: &Contender| {
        let reference = c.report.reference.as_ref();
        reference.filter(|_| c.origin != Origin::File).map(row.value)
    };
    let values: Vec<Option<f64>> = contenders.iter().map(value).collect();
    let better = |a: f64, b: f64| if row.less { a.min(b) } else { a.max(b) };
    let best = values.iter().flatten().copied().reduce(better);
    html! {
        tr class="reference" {
            th scope="row" { (row.label) }
            @for v in values {
                @match v {
                    Some(v) => td class={ "sound" @if Some(v) == best { " best" } } { (percent(v)) },
                    None => td class="none" { "–" },
                }
            }
            td class="limit" { "–" }
            td class="words" { (row.words) }
        }
    }
}
