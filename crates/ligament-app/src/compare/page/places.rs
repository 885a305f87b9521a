//! Where to look: a table of the worst places, and close-ups of some.

use maud::{Markup, html};

use super::grid;
use super::measures::heading;
use crate::compare::contender::Contender;
use crate::compare::pictures::Gallery;
use crate::compare::places::{Place, worst_places};
use crate::words::{title, word};

/// Rows of the table of places.
const PLACES: usize = 14;

pub fn section(contenders: &[Contender], gallery: &Gallery) -> Markup {
    let all = worst_places(contenders, PLACES);
    html! {
        section {
            h2 { "Where to look" }
            @if all.is_empty() {
                p class="lead" { "Every joint's neighbourhood is sound in every bind." }
            } @else {
                p class="lead" {
                    "The neighbourhoods of joints that are worst in any bind. Numbers are in units of the limit of the \
                     measure named below them: from ½ on a place is suspect, from 1 on it is broken."
                }
                (table(contenders, &all))
                (close_ups(contenders, gallery))
            }
        }
    }
}

fn table(contenders: &[Contender], all: &[Place]) -> Markup {
    html! {
        div class="scroll" { table class="heat" {
            thead { tr {
                th scope="col" { "near" }
                (heading(contenders))
                th scope="col" { "worst in" }
            } }
            tbody {
                @for place in all {
                    tr {
                        th scope="row" { (place.name) }
                        @for contender in contenders { (cell(place, contender)) }
                        td class="frame" { (frame(place, contenders)) }
                    }
                }
            }
        } }
    }
}

fn cell(place: &Place, contender: &Contender) -> Markup {
    let Some(region) = place.of(contender) else {
        return html! { td class="none" { "–" small { "no weight" } } };
    };
    let share = 100.0 * (region.severity / 1.5).clamp(0.0, 1.0).powf(1.5);
    html! {
        td class=(word(region.verdict).to_lowercase()) style=(format!("--heat:{share:.0}%")) {
            (format!("{:.2}", region.severity))
            small { (title(region.worst)) }
        }
    }
}

fn frame<'a>(place: &Place, contenders: &'a [Contender]) -> &'a str {
    place
        .of(&contenders[place.worst])
        .and_then(|r| r.frame.as_ref())
        .map_or("at rest", |f| f.name.as_str())
}

fn close_ups(contenders: &[Contender], gallery: &Gallery) -> Markup {
    html! {
        @for row in &gallery.places {
            h3 { "Near " (row.place.name) }
            p class="lead" {
                (row.shape.detail) ", where " (contenders[row.place.worst].name)
                " is at its worst. Above, the skin without what it carries; below, " (row.painted.detail)
                " painted on: red is worst, in one scale for all."
            }
            (grid(contenders, [&row.shape, &row.painted].into_iter()))
        }
    }
}
