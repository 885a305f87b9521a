//! The comparison as a person reads it on the terminal.

use std::fmt::Write;

use ligament::measure::{Finding, Measure, Verdict};
use ligament_app::compare::{CompareReport, Contender, WorstRegion, worst_regions};
use ligament_app::words::{duration, number, percent, title, word};

/// The widest column of a contender.
const WIDEST: usize = 16;

pub fn table(report: &CompareReport, worst: usize) -> String {
    let names: Vec<String> = report.contenders.iter().map(|c| shortened(&c.name)).collect();
    let mut table = Table {
        width: names.iter().map(|n| n.chars().count()).max().unwrap_or(0).max(9),
        names,
        contenders: &report.contenders,
        text: String::new(),
    };
    table.line(&format!("{}: {}.", report.input, report.conclusion.headline));
    for sentence in &report.conclusion.sentences {
        table.line(&format!("  {sentence}"));
    }
    table.line("");
    table.measures();
    table.totals();
    table.regions(worst);
    for failure in &report.failed {
        table.line(&format!("  {} failed: {}", failure.name, failure.why));
    }
    for contender in &report.contenders {
        for note in &contender.notes {
            table.line(&format!("  {}: {note}", contender.name));
        }
    }
    table.line(&format!(
        "  {} vertices of skin, {} joints",
        report.vertices, report.joints
    ));
    table.text
}

struct Table<'a> {
    names: Vec<String>,
    contenders: &'a [Contender],
    /// Of a contender's column.
    width: usize,
    text: String,
}

impl Table<'_> {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", line.trim_end()); // writing to a string does not fail
    }

    fn row(&self, label: &str, limit: &str, cells: &[String]) -> String {
        let width = self.width;
        let cells: Vec<String> = cells.iter().map(|c| format!("{c:>width$}")).collect();
        format!("  {label:<18} {limit:>6}  {}", cells.join("  "))
    }

    fn measures(&mut self) {
        self.line(&self.row("measure", "limit", &self.names));
        for measure in Measure::ALL {
            let findings: Vec<Option<&Finding>> = self
                .contenders
                .iter()
                .map(|c| c.report.finding(measure))
                .collect();
            let known = || findings.iter().flatten();
            let Some(limit) = known().map(|f| f.limit).next() else {
                continue;
            };
            let least = known().map(|f| f.value).fold(f64::INFINITY, f64::min);
            let several = known().any(|f| f.value > least);
            let cell = |finding: &Option<&Finding>| match finding {
                None => "-".to_owned(),
                Some(f) if several && f.value == least && f.verdict == Verdict::Sound => {
                    format!("{}*", number(f.value))
                }
                Some(f) => format!("{}{}", number(f.value), mark(f.verdict)),
            };
            let cells: Vec<String> = findings.iter().map(cell).collect();
            self.line(&self.row(title(measure), &number(limit), &cells));
        }
    }

    /// Rows with one number for all of a contender.
    fn totals(&mut self) {
        if self.contenders.iter().any(|c| c.report.reference.is_some()) {
            self.total("weight error", |c| match &c.report.reference {
                Some(r) => percent(r.weight_error_mean),
                None => "-".to_owned(),
            });
        }
        self.total("score", |c| format!("{:.2}", c.report.score));
        self.total("verdict", |c| word(c.report.verdict).to_owned());
        self.total("time", |c| c.seconds.map_or("-".to_owned(), duration));
        self.line("  * best   ? suspect: over half the limit   ! broken: at or over it");
    }

    fn total(&mut self, label: &str, of: impl Fn(&Contender) -> String) {
        let cells: Vec<String> = self.contenders.iter().map(|c| format!("{} ", of(c))).collect();
        self.line(&self.row(label, "", &cells));
    }

    fn regions(&mut self, worst: usize) {
        let regions = worst_regions(self.contenders, worst);
        if regions.is_empty() {
            return;
        }
        self.line("");
        self.line(&self.row("where to look", "", &self.names));
        for worst_region in &regions {
            self.line(&self.worst_region(worst_region));
        }
        self.line("  in units of the limit of the measure that is worst there");
    }

    fn worst_region(&self, worst_region: &WorstRegion) -> String {
        let cell = |c: &Contender| match worst_region.of(c) {
            Some(r) => format!("{:.2}{}", r.severity, mark(r.verdict)),
            None => "- ".to_owned(),
        };
        let cells: Vec<String> = self.contenders.iter().map(cell).collect();
        let about = worst_region
            .of(&self.contenders[worst_region.contender])
            .map(|r| {
                let frame = r.frame.as_ref().map(|f| format!(", {}", f.name));
                format!("  {}{}", title(r.worst), frame.unwrap_or_default())
            });
        let name: String = worst_region.name.chars().take(18).collect();
        format!("{}{}", self.row(&name, "", &cells), about.unwrap_or_default())
    }
}

fn mark(verdict: Verdict) -> char {
    match verdict {
        Verdict::Broken => '!',
        Verdict::Suspect => '?',
        Verdict::Sound => ' ',
    }
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= WIDEST {
        return name.to_owned();
    }
    name.chars().take(WIDEST - 1).chain(['…']).collect()
}
