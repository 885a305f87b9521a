//! The comparison as one HTML page that needs nothing but itself: styles, pictures and
//! charts are inside, and its own policy forbids it to load anything else.

use std::fmt::Write;

use ligament::Character;
use ligament::measure::{Finding, Measure, MeasureOptions, Verdict};

use super::charts::{measure_chart, score_chart, time_chart};
use super::conclusion::{Basis, Conclusion, duration};
use super::contender::{Contender, Failed, Origin};
use super::pictures::{Gallery, Row};
use super::places::worst_places;
use crate::commands::check::table::{meaning, number, percent, title, word};
use crate::source::FileWarning;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// Rows of the table of places.
const PLACES: usize = 14;

/// What the page tells.
pub struct Contents<'a> {
    pub input: &'a str,
    pub character: &'a Character,
    pub contenders: &'a [Contender],
    pub failed: &'a [Failed],
    pub conclusion: &'a Conclusion,
    pub gallery: &'a Gallery,
    pub options: &'a MeasureOptions,
    pub warnings: &'a [FileWarning<'a>],
}

/// Text that is safe between tags and in attributes.
pub fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A sentence with the contenders' names, which stand in quotes, set apart by their colours.
fn emphasised(sentence: &str, contenders: &[Contender]) -> String {
    let mut html = escape(sentence);
    for (k, contender) in contenders.iter().enumerate() {
        let name = escape(&contender.name);
        let bold = format!("<b style=\"--hue:var(--{})\">{name}</b>", hue(contenders, k));
        html = html.replace(&format!("&#39;{name}&#39;"), &bold);
    }
    html
}

/// A name that may be broken after its underscores.
fn breakable(name: &str) -> String {
    escape(name).replace('_', "_<wbr>")
}

/// The name of a contender's colour in the style sheet: grey for the file's own weights.
pub fn hue(contenders: &[Contender], number: usize) -> String {
    if contenders[number].origin == Origin::File {
        return "own".to_owned();
    }
    let before = contenders[..number]
        .iter()
        .filter(|c| c.origin != Origin::File)
        .count();
    format!("c{}", before % 8)
}

pub fn page(contents: &Contents<'_>) -> String {
    let name = escape(&contents.character.name);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; \
         style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>{name}: binds compared</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n"
    );
    let columns = contents.contenders.len();
    let _ = writeln!(html, "<main style=\"--columns:{columns}\">");
    top(&mut html, contents);
    cards(&mut html, contents);
    sheets(&mut html, contents);
    places(&mut html, contents);
    weights(&mut html, contents);
    measures(&mut html, contents);
    times(&mut html, contents);
    method(&mut html, contents);
    html.push_str("</main>\n<dialog id=\"large\"><img alt=\"\"><p></p></dialog>\n<script>\n");
    html.push_str(SCRIPT);
    html.push_str("</script>\n</body>\n</html>\n");
    html
}

fn top(html: &mut String, contents: &Contents<'_>) {
    let character = contents.character;
    let first = contents.contenders.first();
    let frames = first.map_or(String::new(), |c| {
        if c.report.from_clips {
            format!("{} frames of its clips", c.report.frames)
        } else {
            format!("{} poses within joint limits", c.report.frames)
        }
    });
    let joints = character.skeleton.joints.iter().filter(|j| j.in_skin).count();
    let _ = write!(
        html,
        "<header>\n<p class=\"eyebrow\">Ligament · binds compared</p>\n<h1>{}</h1>\n\
         <p class=\"facts\">{} · {} vertices · {} triangles · {joints} joints · {frames}</p>\n</header>\n\
         <section class=\"verdict\" aria-label=\"Verdict\">\n<h2>{}</h2>\n",
        escape(&character.name),
        escape(file_name(contents.input)),
        grouped(character.mesh.positions.len()),
        grouped(character.mesh.triangles.len()),
        emphasised(&contents.conclusion.headline, contents.contenders),
    );
    for sentence in &contents.conclusion.sentences {
        let _ = writeln!(html, "<p>{}</p>", emphasised(sentence, contents.contenders));
    }
    html.push_str("</section>\n");
}

/// A card for each contender, the best first.
fn cards(html: &mut String, contents: &Contents<'_>) {
    let Contents {
        contenders,
        conclusion,
        ..
    } = contents;
    let mut order = conclusion.order.clone();
    order.extend((0..contenders.len()).filter(|c| !conclusion.order.contains(c)));
    html.push_str("<section class=\"cards\" aria-label=\"The binds\">\n");
    for (place, &number_of) in order.iter().enumerate() {
        let contender = &contenders[number_of];
        let report = &contender.report;
        let rank = match contender.origin {
            Origin::File => "reference".to_owned(),
            _ if place == 0 && conclusion.order.len() > 1 => "best".to_owned(),
            _ => format!("no. {}", place + 1),
        };
        let broken = report
            .regions
            .iter()
            .filter(|r| r.verdict == Verdict::Broken)
            .count();
        let suspect = report
            .regions
            .iter()
            .filter(|r| r.verdict == Verdict::Suspect)
            .count();
        let _ = write!(
            html,
            "<article style=\"--hue:var(--{})\"><p class=\"rank\">{rank}</p><h3>{}</h3>{}\
             <p class=\"what\">{}</p><dl>",
            hue(contenders, number_of),
            escape(&contender.name),
            pill(report.verdict),
            escape(&contender.summary),
        );
        if conclusion.by == Basis::Deformation && contender.origin != Origin::File {
            let off = percent(conclusion.by.value(contender));
            let _ = write!(html, "<div><dt>off the file</dt><dd>{off}</dd></div>");
        }
        let _ = writeln!(
            html,
            "<div><dt>score</dt><dd>{:.2}</dd></div><div><dt>time</dt><dd>{}</dd></div>\
             <div><dt>broken joints</dt><dd>{broken} of {}</dd></div>\
             <div><dt>suspect joints</dt><dd>{suspect}</dd></div></dl></article>",
            report.score,
            contender.seconds.map_or("–".to_owned(), duration),
            report.regions.len(),
        );
    }
    for failure in contents.failed {
        let _ = writeln!(
            html,
            "<article class=\"failed\"><p class=\"rank\">failed</p><h3>{}</h3><p class=\"what\">{}</p></article>",
            escape(&failure.name),
            escape(&failure.why)
        );
    }
    html.push_str("</section>\n");
}

fn sheets(html: &mut String, contents: &Contents<'_>) {
    html.push_str(
        "<section>\n<h2>In motion</h2>\n<p class=\"lead\">The same poses for every bind, seen from the same \
         place. Of all measured frames these differ most.</p>\n",
    );
    grid(
        html,
        contents.contenders,
        &contents.gallery.poses.iter().collect::<Vec<_>>(),
    );
    html.push_str("</section>\n");
}

fn weights(html: &mut String, contents: &Contents<'_>) {
    html.push_str(
        "<section>\n<h2>Who holds what</h2>\n<p class=\"lead\">A colour for each joint, mixed by the weights. Soft \
         borders blend, hard ones fold; a colour where it does not belong is weight that bleeds.</p>\n",
    );
    grid(
        html,
        contents.contenders,
        &contents.gallery.weights.iter().collect::<Vec<_>>(),
    );
    html.push_str("</section>\n");
}

/// Rows of pictures under the names of the contenders.
fn grid(html: &mut String, contenders: &[Contender], rows: &[&Row]) {
    html.push_str("<div class=\"scroll\"><div class=\"grid\">\n<div class=\"corner\"></div>");
    for (k, contender) in contenders.iter().enumerate() {
        let _ = write!(
            html,
            "<div class=\"column\" style=\"--hue:var(--{})\">{}</div>",
            hue(contenders, k),
            escape(&contender.name)
        );
    }
    html.push('\n');
    for row in rows {
        let _ = write!(
            html,
            "<div class=\"row\"><strong>{}</strong><span>{}</span></div>",
            breakable(&row.caption),
            breakable(&row.detail)
        );
        for (contender, picture) in contenders.iter().zip(&row.pictures) {
            let about = format!("{}: {}, {}", contender.name, row.caption, row.detail);
            let _ = write!(
                html,
                "<figure><img src=\"{picture}\" width=\"{}\" height=\"{}\" alt=\"{}\"></figure>",
                row.size.0,
                row.size.1,
                escape(&about)
            );
        }
        html.push('\n');
    }
    html.push_str("</div></div>\n");
}

fn places(html: &mut String, contents: &Contents<'_>) {
    let contenders = contents.contenders;
    html.push_str("<section>\n<h2>Where to look</h2>\n");
    let all = worst_places(contenders, PLACES);
    if all.is_empty() {
        html.push_str(
            "<p class=\"lead\">Every joint's neighbourhood is sound in every bind.</p>\n</section>\n",
        );
        return;
    }
    html.push_str(
        "<p class=\"lead\">The neighbourhoods of joints that are worst in any bind. Numbers are in units of the \
         limit of the measure named below them: from ½ on a place is suspect, from 1 on it is broken.</p>\n\
         <div class=\"scroll\"><table class=\"heat\">\n<thead><tr><th scope=\"col\">near</th>",
    );
    names(html, contenders);
    html.push_str("<th scope=\"col\">worst in</th></tr></thead>\n<tbody>\n");
    for place in &all {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", escape(&place.name));
        for contender in contenders {
            match place.of(contender) {
                Some(region) => {
                    let share = 100.0 * (region.severity / 1.5).clamp(0.0, 1.0).powf(1.5);
                    let _ = write!(
                        html,
                        "<td class=\"{}\" style=\"--heat:{share:.0}%\">{:.2}<small>{}</small></td>",
                        word(region.verdict).to_lowercase(),
                        region.severity,
                        title(region.worst)
                    );
                }
                None => html.push_str("<td class=\"none\">–<small>no weight</small></td>"),
            }
        }
        let frame = place
            .of(&contenders[place.worst])
            .and_then(|r| r.frame.as_ref())
            .map_or("at rest", |f| f.name.as_str());
        let _ = writeln!(html, "<td class=\"frame\">{}</td></tr>", escape(frame));
    }
    html.push_str("</tbody></table></div>\n");
    for row in &contents.gallery.places {
        let _ = writeln!(
            html,
            "<h3>Near {}</h3>\n<p class=\"lead\">{}, where {} is at its worst. Above, the skin without what it carries; \
             below, {} painted on: red is worst, in one scale for all.</p>",
            escape(&row.place.name),
            escape(&row.shape.detail),
            escape(&contenders[row.place.worst].name),
            escape(&row.painted.detail),
        );
        grid(html, contenders, &[&row.shape, &row.painted]);
    }
    html.push_str("</section>\n");
}

fn names(html: &mut String, contenders: &[Contender]) {
    for (k, contender) in contenders.iter().enumerate() {
        let _ = write!(
            html,
            "<th scope=\"col\" class=\"name\" style=\"--hue:var(--{})\">{}</th>",
            hue(contenders, k),
            escape(&contender.name)
        );
    }
}

fn measures(html: &mut String, contents: &Contents<'_>) {
    let contenders = contents.contenders;
    html.push_str(
        "<section>\n<h2>Measures</h2>\n<p class=\"lead\">Less is better, but for precision and recall. Bold \
         is the best; amber is suspect, from half of the limit on; red is broken, from the limit on.</p>\n<div class=\"scroll\"><table class=\"measures\">\n<thead><tr><th scope=\"col\">measure</th>",
    );
    names(html, contenders);
    html.push_str("<th scope=\"col\">limit</th><th scope=\"col\">what it is</th></tr></thead>\n<tbody>\n");
    for measure in Measure::ALL {
        let findings: Vec<Option<&Finding>> = contenders.iter().map(|c| c.report.finding(measure)).collect();
        let limit = findings.iter().flatten().map(|f| f.limit).next();
        let least = findings
            .iter()
            .flatten()
            .map(|f| f.value)
            .fold(f64::INFINITY, f64::min);
        let differ = findings.iter().flatten().any(|f| f.value > least);
        let _ = write!(
            html,
            "<tr data-measure=\"{}\"><th scope=\"row\">{}</th>",
            measure.name(),
            title(measure)
        );
        for (contender, finding) in contenders.iter().zip(&findings) {
            match finding {
                Some(f) => {
                    let best = if differ && f.value == least { " best" } else { "" };
                    let _ = write!(
                        html,
                        "<td class=\"{}{best}\" title=\"{}\">{}</td>",
                        word(f.verdict).to_lowercase(),
                        escape(&meaning(measure, &contender.report)),
                        number(f.value)
                    );
                }
                None => html.push_str("<td class=\"none\">–</td>"),
            }
        }
        let _ = writeln!(
            html,
            "<td class=\"limit\">{}</td><td class=\"words\">{}</td></tr>",
            limit.map_or("–".to_owned(), number),
            definition(measure)
        );
    }
    reference_rows(html, contenders);
    html.push_str("</tbody></table></div>\n<h3>Side by side</h3>\n<div class=\"charts\">\n");
    for measure in Measure::ALL {
        if let Some(chart) = measure_chart(measure, contenders) {
            let _ = writeln!(
                html,
                "<figure><figcaption>{}</figcaption>{chart}</figure>",
                title(measure)
            );
        }
    }
    let _ = writeln!(
        html,
        "</div>\n<p class=\"note\">The dashed line is the limit; where it is missing, it is far to the right.</p>\n\
         <h3>What the score is made of</h3>\n<figure class=\"wide\">{}</figure>\n</section>",
        score_chart(contenders)
    );
}

/// What only a reference gives.
fn reference_rows(html: &mut String, contenders: &[Contender]) {
    type Value = fn(&ligament::measure::ReferenceMeasures) -> f64;
    let rows: [(&str, &str, bool, Value); 4] = [
        (
            "weight error",
            "mean of ½Σ|w − w*| over vertices: the share of weight on other joints than in the file",
            true,
            |r| r.weight_error_mean,
        ),
        (
            "weight error, 95th percentile",
            "the same, of the worst twentieth",
            true,
            |r| r.weight_error_p95,
        ),
        (
            "precision",
            "share of its influences that the file has too; more is better",
            false,
            |r| r.influence_precision,
        ),
        (
            "recall",
            "share of the file's influences that it has; more is better",
            false,
            |r| r.influence_recall,
        ),
    ];
    if contenders.iter().all(|c| c.report.reference.is_none()) {
        return;
    }
    for (label, words, less, value) in rows {
        let values: Vec<Option<f64>> = contenders
            .iter()
            .map(|c| {
                c.report
                    .reference
                    .as_ref()
                    .filter(|_| c.origin != Origin::File)
                    .map(value)
            })
            .collect();
        let best = values
            .iter()
            .flatten()
            .copied()
            .reduce(|a, b| if less { a.min(b) } else { a.max(b) });
        let _ = write!(html, "<tr class=\"reference\"><th scope=\"row\">{label}</th>");
        for v in values {
            match v {
                Some(v) => {
                    let class = if Some(v) == best { "sound best" } else { "sound" };
                    let _ = write!(html, "<td class=\"{class}\">{}</td>", percent(v));
                }
                None => html.push_str("<td class=\"none\">–</td>"),
            }
        }
        let _ = writeln!(
            html,
            "<td class=\"limit\">–</td><td class=\"words\">{words}</td></tr>"
        );
    }
}

/// What a measure is, in a line.
fn definition(measure: Measure) -> &'static str {
    match measure {
        Measure::Stretch => "99th percentile of |ln(posed length / rest length)| over edges and frames",
        Measure::Volume => "share of the volume of closed parts that is lost or gained in the worst frame",
        Measure::Penetration => "share of faces that cut others in the worst frame and did not at rest",
        Measure::Bleed => "mean weight on bones that are far away through the body",
        Measure::Roughness => "share of weight that does not follow from the neighbours, mean by area",
        Measure::HardEdges => "share of edges along which more than half of the weight changes",
        Measure::Tearing => "largest gap that opens at a seam, relative to the character's size",
        Measure::Bending => "how far the worst piece that should be stiff bends, relative to its size",
        Measure::Asymmetry => "mean difference of weights between left and right",
        Measure::TinyWeights => "share of influences below 0.01",
        Measure::Influences => "the most joints that a vertex follows",
        Measure::Deformation => {
            "distance of the posed skin from the file's, root mean square, relative to the character's size"
        }
    }
}

fn times(html: &mut String, contents: &Contents<'_>) {
    let contenders = contents.contenders;
    if contenders.iter().all(|c| c.seconds.is_none()) {
        return;
    }
    let _ = writeln!(
        html,
        "<section>\n<h2>Time</h2>\n<p class=\"lead\">Wall-clock time of binding on the computer that wrote this page, \
         reading and writing apart.</p>\n<figure class=\"wide\">{}</figure>\n</section>",
        time_chart(contenders)
    );
}

fn method(html: &mut String, contents: &Contents<'_>) {
    html.push_str("<section class=\"method\">\n<h2>How this was made</h2>\n");
    let report = contents.contenders.first().map(|c| &c.report);
    let poses = report.map_or("", |r| {
        if r.from_clips {
            "frames spread evenly over the clips of the file in which joints turn"
        } else {
            "poses in which every kind of joint goes to both ends of its range, left and right in opposition, because \
             the file has no clip that bends its skeleton"
        }
    });
    let rank = match contents.conclusion.by {
        Basis::Deformation => {
            "Binds are ranked by how near their posed skin is to that of the file's own weights, broken ones last."
        }
        Basis::Score => {
            "Binds are ranked by their scores, broken ones last. A score adds up the measures in units of their own; it \
             compares binds of one character, not characters. Nobody's eye replaces it: look at the pictures."
        }
    };
    let _ = writeln!(
        html,
        "<p>Every bind was posed in the same {} {poses}, and measured alike; self-penetration in {} of them. {rank}</p>",
        report.map_or(0, |r| r.frames),
        contents
            .options
            .penetration_frames
            .min(report.map_or(0, |r| r.frames)),
    );
    let notes: Vec<(&str, &str)> = contents
        .contenders
        .iter()
        .flat_map(|c| c.notes.iter().map(move |n| (c.name.as_str(), n.as_str())))
        .collect();
    if !notes.is_empty() || !contents.warnings.is_empty() {
        html.push_str("<h3>What was guessed or found on the way</h3>\n<ul>\n");
        for (name, note) in notes {
            let _ = writeln!(
                html,
                "<li><strong>{}</strong>: {}</li>",
                escape(name),
                escape(note)
            );
        }
        for warning in contents.warnings {
            let _ = writeln!(html, "<li>in the file: {}</li>", escape(&warning.to_string()));
        }
        html.push_str("</ul>\n");
    }
    let _ = writeln!(
        html,
        "<p class=\"note\">ligament {} · one file, no scripts or pictures from elsewhere.</p>\n</section>",
        env!("CARGO_PKG_VERSION")
    );
}

fn pill(verdict: Verdict) -> String {
    let words = match verdict {
        Verdict::Sound => "sound",
        Verdict::Suspect => "worth a look",
        Verdict::Broken => "broken",
    };
    format!("<p class=\"pill {}\">{words}</p>", word(verdict).to_lowercase())
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
    fn names_of_joints_cannot_become_tags() {
        assert_eq!(escape("<b a=\"1\">&'"), "&lt;b a=&quot;1&quot;&gt;&amp;&#39;");
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [7, 123, 1234, 1_234_567].map(grouped),
            ["7", "123", "1,234", "1,234,567"]
        );
    }
}
