//! The comparison as one HTML page that needs nothing but itself: styles, pictures and
//! charts are inside, and its own policy forbids it to load anything else.

mod charts;
mod measures;
mod names;
mod worst_regions;

use ligament::Character;
use ligament::measure::{MeasureOptions, Verdict};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::CompareReport;
use super::conclusion::Basis;
use super::contender::{Contender, Origin};
use super::pictures::{Gallery, Row};
use crate::words::{duration, percent, word};
use names::{breakable, emphasised, hue};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Nothing but what is in the file itself.
const POLICY: &str =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// What the page tells.
pub struct Contents<'a> {
    pub character: &'a Character,
    /// With the document's numbers of vertices still.
    pub report: &'a CompareReport,
    pub gallery: &'a Gallery,
    pub options: &'a MeasureOptions,
}

/// The whole page.
pub fn page(contents: &Contents<'_>) -> Markup {
    let contenders = &contents.report.contenders;
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="color-scheme" content="light dark";
                link rel="icon" href="data:,";
                title { (contents.character.name) ": binds compared" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main style={ "--columns:" (contenders.len()) } {
                    (top(contents))
                    (cards(contents.report))
                    (motion(contents))
                    (worst_regions::section(contenders, contents.gallery))
                    (weights(contents))
                    (measures::section(contenders))
                    (times(contenders))
                    (method(contents))
                }
                dialog id="large" { img alt=""; p {} }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    }
}

fn top(contents: &Contents<'_>) -> Markup {
    let Contents {
        character, report, ..
    } = contents;
    let contenders = &report.contenders;
    html! {
        header {
            p class="eyebrow" { "Ligament · binds compared" }
            h1 { (character.name) }
            p class="facts" {
                (file_name(&report.input))
                " · " (grouped(character.mesh.positions.len())) " vertices"
                " · " (grouped(character.mesh.triangles.len())) " triangles"
                " · " (report.joints) " joints · " (contenders.first().map_or_else(String::new, |c| c.report.frames_in_words()))
                @if report.from_clips { " frames of its clips" } @else { " poses within joint limits" }
            }
        }
        section class="verdict" aria-label="Verdict" {
            h2 { (emphasised(&report.conclusion.headline, contenders)) }
            @for sentence in &report.conclusion.sentences {
                p { (emphasised(sentence, contenders)) }
            }
        }
    }
}

/// A card for each contender, the best first.
fn cards(report: &CompareReport) -> Markup {
    let conclusion = &report.conclusion;
    let mut order = conclusion.order.clone();
    order.extend((0..report.contenders.len()).filter(|c| !conclusion.order.contains(c)));
    html! {
        section class="cards" aria-label="The binds" {
            @for (rank, &number) in order.iter().enumerate() {
                (card(report, rank, number))
            }
            @for failure in &report.failed {
                article class="failed" {
                    p class="rank" { "failed" }
                    h3 { (failure.name) }
                    p class="what" { (failure.why) }
                }
            }
        }
    }
}

fn card(report: &CompareReport, rank: usize, number: usize) -> Markup {
    let contender = &report.contenders[number];
    let regions = &contender.report.regions;
    let count = |verdict| regions.iter().filter(|r| r.verdict == verdict).count();
    let rank = match contender.origin {
        Origin::File => "reference".to_owned(),
        _ if rank == 0 && report.conclusion.order.len() > 1 => "best".to_owned(),
        _ => format!("no. {}", rank + 1),
    };
    let by = report.conclusion.by;
    html! {
        article style={ "--hue:var(--" (hue(&report.contenders, number)) ")" } {
            p class="rank" { (rank) }
            h3 { (contender.name) }
            (pill(contender.report.verdict))
            p class="what" { (contender.summary) }
            dl {
                @if by == Basis::Deformation && contender.origin != Origin::File {
                    div { dt { "off the file" } dd { (percent(by.value(contender))) } }
                }
                div { dt { "score" } dd { (format!("{:.2}", contender.report.score)) } }
                div { dt { "time" } dd { (contender.seconds.map_or("–".to_owned(), duration)) } }
                div { dt { "broken joints" } dd { (count(Verdict::Broken)) " of " (regions.len()) } }
                div { dt { "suspect joints" } dd { (count(Verdict::Suspect)) } }
            }
        }
    }
}

fn pill(verdict: Verdict) -> Markup {
    let words = match verdict {
        Verdict::Sound => "sound",
        Verdict::Suspect => "worth a look",
        Verdict::Broken => "broken",
    };
    html! { p class={ "pill " (word(verdict).to_lowercase()) } { (words) } }
}

fn motion(contents: &Contents<'_>) -> Markup {
    html! {
        section {
            h2 { "In motion" }
            p class="lead" {
                "The same poses for every bind, seen from the same place. Of all measured frames these differ most."
            }
            (grid(&contents.report.contenders, contents.gallery.poses.iter()))
        }
    }
}

fn weights(contents: &Contents<'_>) -> Markup {
    html! {
        section {
            h2 { "Who holds what" }
            p class="lead" {
                "A colour for each joint, mixed by the weights. Soft borders blend, hard ones fold; a colour where it \
                 does not belong is weight that bleeds."
            }
            (grid(&contents.report.contenders, contents.gallery.weights.iter()))
        }
    }
}

/// Rows of pictures under the names of the contenders.
fn grid<'a>(contenders: &[Contender], rows: impl Iterator<Item = &'a Row>) -> Markup {
    html! {
        div class="scroll" { div class="grid" {
            div class="corner" {}
            @for (k, contender) in contenders.iter().enumerate() {
                div class="column" style={ "--hue:var(--" (hue(contenders, k)) ")" } { (contender.name) }
            }
            @for row in rows {
                div class="row" {
                    strong { (breakable(&row.caption)) }
                    span { (breakable(&row.detail)) }
                }
                @for (contender, picture) in contenders.iter().zip(&row.pictures) {
                    figure {
                        img src=(picture) width=(row.size.0) height=(row.size.1)
                            alt={ (contender.name) ": " (row.caption) ", " (row.detail) };
                    }
                }
            }
        } }
    }
}

fn times(contenders: &[Contender]) -> Markup {
    if contenders.iter().all(|c| c.seconds.is_none()) {
        return html! {};
    }
    html! {
        section {
            h2 { "Time" }
            p class="lead" {
                "Wall-clock time of binding on the computer that wrote this page, reading and writing apart."
            }
            figure class="wide" { (charts::times(contenders)) }
        }
    }
}

fn method(contents: &Contents<'_>) -> Markup {
    let report = contents.report;
    let poses = if report.from_clips {
        "frames spread evenly over the clips of the file in which joints turn"
    } else {
        "poses in which every kind of joint goes to both ends of its range, left and right in opposition, because \
         the file has no clip that bends its skeleton"
    };
    let rank = match report.conclusion.by {
        Basis::Deformation => {
            "Binds are ranked by how near their posed skin is to that of the file's own weights, broken ones last."
        }
        Basis::Score => {
            "Binds are ranked by their scores, broken ones last. A score adds up the measures in units of their own; it \
             compares binds of one character, not characters. Nobody's eye replaces it: look at the pictures."
        }
    };
    let has_notes = report.contenders.iter().any(|c| !c.notes.is_empty());
    html! {
        section class="method" {
            h2 { "How this was made" }
            p {
                "Every bind was posed in the same " (report.frames) " " (poses)
                ", and measured alike; self-penetration in "
                (contents.options.penetration_frames.min(report.frames)) " of them. " (rank)
            }
            @if has_notes || !report.file_warnings.is_empty() {
                h3 { "What was guessed or found on the way" }
                ul {
                    @for contender in &report.contenders {
                        @for note in &contender.notes {
                            li { strong { (contender.name) } ": " (note) }
                        }
                    }
                    @for warning in &report.file_warnings {
                        li { "in the file: " (warning) }
                    }
                }
            }
            p class="note" {
                "ligament " (env!("CARGO_PKG_VERSION")) " · one file, no scripts or pictures from elsewhere."
            }
        }
    }
}

fn file_name(input: &str) -> &str {
    input.rsplit(['/', '\\']).next().unwrap_or(input)
}

/// `12,345`.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [7, 123, 1234, 1_234_567].map(grouped),
            ["7", "123", "1,234", "1,234,567"]
        );
    }
}
