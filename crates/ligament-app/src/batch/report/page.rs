//! The page: totals, failures by cause, and every asset, the worst first.

use std::collections::BTreeMap;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::super::manifest::{ErrorClass, Status};
use super::{Row, Summary};

const STYLE: &str = include_str!("page.css");
/// Nothing but the page itself and the pictures beside it.
const POLICY: &str = "default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'";

/// So many assets are listed; a browser shows no million rows, and the table for spreadsheets has them all.
const LISTED: usize = 2000;
/// So many failures of one cause are.
const FAILURES_LISTED: usize = 200;

/// The whole page.
pub fn page(folder: &Path, summary: &Summary, rows: &[Row], pictures: &BTreeMap<String, String>) -> Markup {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                title { (name) ": batch" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (name) }
                    (totals(summary))
                    (failures(rows))
                    (gallery(rows, pictures))
                    (table(rows))
                }
            }
        }
    }
}

fn totals(summary: &Summary) -> Markup {
    let figure =
        |value: String, what: &str| html! { div class="figure" { strong { (value) } span { (what) } } };
    html! {
        section class="figures" {
            (figure(summary.assets.to_string(), "assets"))
            (figure(summary.done.to_string(), "done"))
            (figure(summary.failed.to_string(), "failed"))
            (figure(summary.broken.to_string(), "done, with something broken"))
            (figure(format!("{:.0} ms", summary.median_milliseconds), "the median asset"))
            (figure(format!("{:.0} s", summary.seconds), "of processes"))
            (figure(format!("{:.0} MB", summary.largest_mb), "the largest process"))
        }
    }
}

fn failures(rows: &[Row]) -> Markup {
    let mut by_class: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.status == Status::Failed) {
        by_class
            .entry(row.class.map_or("unknown", ErrorClass::name))
            .or_default()
            .push(row);
    }
    html! {
        h2 { "Failures by cause" }
        @if by_class.is_empty() {
            p { "Nothing failed." }
        }
        @for (class, rows) in &by_class {
            details open[rows.len() < 20] {
                summary { (class) " (" (rows.len()) ")" }
                table {
                    tr { th { "input" } th { "what was said" } th { "to repeat it" } }
                    @for row in rows.iter().take(FAILURES_LISTED) {
                        tr {
                            td { (row.input) }
                            td { (row.error.as_deref().unwrap_or("")) }
                            td { code { (row.command) } }
                        }
                    }
                }
                (left_out(rows.len(), FAILURES_LISTED))
            }
        }
    }
}

fn gallery(rows: &[Row], pictures: &BTreeMap<String, String>) -> Markup {
    html! {
        h2 { "The worst first" }
        div class="gallery" {
            @for row in rows.iter().filter(|r| pictures.contains_key(&r.key)) {
                figure {
                    img src=(pictures[&row.key]) alt=(row.output.display()) loading="lazy" width="240" height="300";
                    figcaption {
                        b { (row.output.display()) }
                        @if let Some(measures) = &row.measures {
                            span { (measures.headline) }
                            @if let Some(worst) = &measures.worst {
                                span class=(if worst.severity >= 1.0 { "broken" } else { "quiet" }) {
                                    (worst.measure) " at " (worst.joint) ", " (format!("{:.2}", worst.severity)) " of the limit"
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn table(rows: &[Row]) -> Markup {
    html! {
        h2 { "Assets" }
        table class="all" {
            tr { th { "output" } th { "status" } th class="number" { "ms" } th class="number" { "MB" } th { "worst" } th class="number" { "warnings" } }
            @for row in rows.iter().take(LISTED) {
                tr {
                    td { (row.output.display()) }
                    td class=(if row.status == Status::Done { "quiet" } else { "broken" }) {
                        @match row.status {
                            Status::Done => { "done" }
                            Status::Failed => { (row.class.map_or("failed", ErrorClass::name)) }
                        }
                    }
                    td class="number" { (format!("{:.0}", row.milliseconds)) }
                    td class="number" { (row.peak_mb.map_or(String::new(), |mb| format!("{mb:.0}"))) }
                    td {
                        @if let Some(worst) = row.measures.as_ref().and_then(|m| m.worst.as_ref()) {
                            (worst.measure) " at " (worst.joint) " " (format!("{:.2}", worst.severity))
                        }
                    }
                    td class="number" { (row.warnings.len()) }
                }
            }
        }
        (left_out(rows.len(), LISTED))
    }
}

fn left_out(count: usize, listed: usize) -> Markup {
    html! {
        @if count > listed {
            p { "And " (count - listed) " more: " code { "ligament batch report --csv FILE" } " lists them all." }
        }
    }
}
