//! Where to look: a table of the worst regions, and close-ups of some.

use maud::{Markup, html};

use super::grid;
use super::measures::heading;
use crate::compare::contender::Contender;
use crate::compare::pictures::Gallery;
use crate::compare::worst_regions::{WorstRegion, worst_regions};
use crate::words::{title, word};

/// Rows of the table of regions.
const ROWS: usize = 14;

pub fn section(contenders: &[Contender], gallery: &Gallery) -> Markup {
    let all = worst_regions(contenders, ROWS);
    html! {
        section {
            h2 { "Where to look" }
            @if all.is_empty() {
                p class="lead" { "Every joint's neighbourhood is sound in every bind." }
            } @else {
                p class="lead" {
                    "The neighbourhoods of joints that are worst in any bind. Numbers are in units of the limit of the \
                     measure named below them: from ½ on a region is suspect, from 1 on it is broken."
                }
                (table(contenders, &all))
                (close_ups(contenders, gallery))
            }
        }
    }
}

fn table(contenders: &[Contender], all: &[WorstRegion]) -> Markup {
    html! {
        div class="scroll" { table class="heat" {
            thead { tr {
                th scope="col" { "near" }
                (heading(contenders))
                th scope="col" { "worst in" }
            } }
            tbody {
                @for worst in all {
                    tr {
                        th scope="row" { (worst.name) }
                        @for contender in contenders { (cell(worst, contender)) }
                        td class="frame" { (frame(worst, contenders)) }
                    }
                }
            }
        } }
    }
}

fn cell(worst: &WorstRegion, contender: &Contender) -> Markup {
    let Some(region) = worst.of(contender) else {
        return html! { td class="none" { "–" small { "no weight" } } };
    };
    let fraction = 100.0 * (region.severity / 1.5).clamp(0.0, 1.0).powf(1.5);
    html! {
        td class=(word(region.verdict).to_lowercase()) style=(format!("--heat:{fraction:.0}%")) {
            (format!("{:.2}", region.severity))
            small { (title(region.worst)) }
        }
    }
}

fn frame<'a>(worst: &WorstRegion, contenders: &'a [Contender]) -> &'a str {
    worst
        .of(&contenders[worst.contender])
        .and_then(|r| r.frame.as_ref())
        .map_or("at rest", |f| f.name.as_str())
}

fn close_ups(contenders: &[Contender], gallery: &Gallery) -> Markup {
    html! {
        @for row in &gallery.regions {
            h3 { "Near " (row.worst.name) }
            p class="lead" {
                (row.shape.detail) ", where " (contenders[row.worst.contender].name)
                " is at its worst. Above, the skin without what it carries; below, " (row.painted.detail)
                " painted on: red is worst, in one scale for all."
            }
            (grid(contenders, [&row.shape, &row.painted].into_iter()))
        }
    }
}
