//! The comparison as a person reads it on the terminal.

use std::fmt::Write;

use ligament::Character;
use ligament::measure::{Measure, Verdict};

use super::conclusion::{Conclusion, duration};
use super::contender::{Contender, Failed};
use super::places::worst_places;
use crate::commands::check::table::{number, percent, title, word};

/// The widest column of a contender.
const WIDEST: usize = 16;

pub fn table(
    input: &str,
    character: &Character,
    contenders: &[Contender],
    failed: &[Failed],
    conclusion: &Conclusion,
    worst: usize,
) -> String {
    let mut text = String::new();
    let mut line = |l: &str| {
        let _ = writeln!(text, "{}", l.trim_end()); // writing to a string does not fail
    };
    line(&format!("{input}: {}.", conclusion.headline));
    for sentence in &conclusion.sentences {
        line(&format!("  {sentence}"));
    }
    line("");
    let names: Vec<String> = contenders.iter().map(|c| shortened(&c.name)).collect();
    let width = names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(9);
    let row = |label: &str, limit: &str, cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|c| format!("{c:>width$}")).collect();
        format!("  {label:<18} {limit:>6}  {}", cells.join("  "))
    };
    line(&row("measure", "limit", &names));
    for measure in Measure::ALL {
        let findings: Vec<_> = contenders.iter().map(|c| c.report.finding(measure)).collect();
        let Some(limit) = findings.iter().flatten().map(|f| f.limit).next() else {
            continue;
        };
        let least = findings
            .iter()
            .flatten()
            .map(|f| f.value)
            .fold(f64::INFINITY, f64::min);
        let several = findings.iter().flatten().any(|f| f.value > least);
        let cells: Vec<String> = findings
            .iter()
            .map(|finding| {
                finding.map_or("-".to_owned(), |f| {
                    let mark = match f.verdict {
                        Verdict::Broken => "!",
                        Verdict::Suspect => "?",
                        Verdict::Sound if several && f.value == least => "*",
                        Verdict::Sound => " ",
                    };
                    format!("{}{mark}", number(f.value))
                })
            })
            .collect();
        line(&row(title(measure), &number(limit), &cells));
    }
    let cells = |of: &dyn Fn(&Contender) -> String| -> Vec<String> {
        contenders.iter().map(|c| format!("{} ", of(c))).collect()
    };
    if contenders.iter().any(|c| c.report.reference.is_some()) {
        let error = |c: &Contender| match &c.report.reference {
            Some(r) => percent(r.weight_error_mean),
            None => "-".to_owned(),
        };
        line(&row("weight error", "", &cells(&error)));
    }
    line(&row("score", "", &cells(&|c| format!("{:.2}", c.report.score))));
    line(&row(
        "verdict",
        "",
        &cells(&|c| word(c.report.verdict).to_owned()),
    ));
    line(&row(
        "time",
        "",
        &cells(&|c| c.seconds.map_or("-".to_owned(), duration)),
    ));
    line("  * best   ? suspect: over half the limit   ! broken: at or over it");
    let places = worst_places(contenders, worst);
    if !places.is_empty() {
        line("");
        line(&row("where to look", "", &names));
        for place in places {
            let cells: Vec<String> = contenders
                .iter()
                .map(|c| match place.of(c) {
                    Some(r) => {
                        let mark = match r.verdict {
                            Verdict::Broken => "!",
                            Verdict::Suspect => "?",
                            Verdict::Sound => " ",
                        };
                        format!("{:.2}{mark}", r.severity)
                    }
                    None => "- ".to_owned(),
                })
                .collect();
            let about = place.of(&contenders[place.worst]).map_or(String::new(), |r| {
                let frame = r
                    .frame
                    .as_ref()
                    .map_or(String::new(), |f| format!(", {}", f.name));
                format!("  {}{frame}", title(r.worst))
            });
            let name: String = place.name.chars().take(18).collect();
            line(&format!("{}{about}", row(&name, "", &cells)));
        }
        line("  in units of the limit of the measure that is worst there");
    }
    for failure in failed {
        line(&format!("  {} failed: {}", failure.name, failure.why));
    }
    let noted = contenders
        .iter()
        .flat_map(|c| c.notes.iter().map(move |n| (&c.name, n)));
    for (name, note) in noted {
        line(&format!("  {name}: {note}"));
    }
    let joints = character.skeleton.joints.iter().filter(|j| j.in_skin).count();
    line(&format!(
        "  {} vertices, {joints} joints",
        character.mesh.positions.len()
    ));
    text
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= WIDEST {
        return name.to_owned();
    }
    name.chars().take(WIDEST - 1).chain(['…']).collect()
}
