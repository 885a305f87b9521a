//! The report as a person reads it.

use std::fmt::Write;

use ligament::measure::{Finding, RegionVerdict, Report, Verdict};
use ligament_app::check::CheckReport;
use ligament_app::words::{meaning, number, percent, title, word};
use ligament_io::import::FileWarning;

/// Cells of the bar that shows how near a value is to its limit.
const BAR: usize = 10;

pub fn table(checked: &CheckReport, worst: usize) -> String {
    let mut text = Text(String::new());
    text.head(checked);
    text.measures(&checked.report);
    text.regions(&checked.report, worst);
    text.warnings(&checked.file_warnings);
    text.0
}

struct Text(String);

impl Text {
    fn line(&mut self, line: &str) {
        let _ = writeln!(self.0, "{}", line.trim_end()); // writing to a string does not fail
    }

    fn head(&mut self, checked: &CheckReport) {
        let report = &checked.report;
        self.line(&format!("{}: {}", checked.input, checked.headline));
        let poses = if report.from_clips {
            format!("{} frames of its clips", report.frames_in_words())
        } else {
            format!("{} poses within joint limits", report.frames_in_words())
        };
        self.line(&format!(
            "  {} vertices of skin, {} joints, {poses}",
            report.vertices, checked.joints
        ));
        if report.frames < report.frames_of {
            self.line("  so large a mesh is measured in some of them, evenly spread; --all-frames takes all");
        }
    }

    fn measures(&mut self, report: &Report) {
        self.line("");
        self.line(&format!(
            "  {:<13} {:<10}  {:>8}  {:>7}",
            "measure", "", "value", "limit"
        ));
        for finding in &report.findings {
            self.line(&format!(
                "  {:<13} {}  {:>8}  {:>7}  {:<7}  {}",
                title(finding.measure),
                bar(finding),
                number(finding.value),
                number(finding.limit),
                word(finding.verdict),
                meaning(finding.measure, report),
            ));
        }
        let Some(reference) = &report.reference else {
            return;
        };
        self.line("");
        self.line("  against the reference");
        self.line(&format!(
            "    weights differ by {} on average, {} at the 95th percentile",
            percent(reference.weight_error_mean),
            percent(reference.weight_error_p95)
        ));
        self.line(&format!(
            "    {} of its influences are the reference's, {} of the reference's are there",
            percent(reference.influence_precision),
            percent(reference.influence_recall)
        ));
    }

    fn regions(&mut self, report: &Report, worst: usize) {
        let unsound = || report.regions.iter().filter(|r| r.verdict != Verdict::Sound);
        let shown: Vec<&RegionVerdict> = unsound().take(worst).collect();
        self.line("");
        if shown.is_empty() {
            self.line(&format!(
                "  All {} joints' neighbourhoods are sound.",
                report.regions.len()
            ));
            return;
        }
        self.line("  where to look");
        let widest = shown.iter().map(|r| r.name.chars().count()).max();
        let width = widest.unwrap_or(0).min(28);
        for region in &shown {
            self.line(&region_line(region, width));
        }
        let more = unsound().count() - shown.len();
        if more > 0 {
            self.line(&format!(
                "    … and {more} more (--worst {}, or --json for all)",
                more + shown.len()
            ));
        }
    }

    fn warnings(&mut self, warnings: &[FileWarning]) {
        let shown = |w: &&FileWarning| !matches!(w, FileWarning::Gltf(w) if !w.is_fault());
        let shown: Vec<&FileWarning> = warnings.iter().filter(shown).collect();
        if shown.is_empty() {
            return;
        }
        self.line("");
        self.line("  found in the file");
        for warning in shown {
            self.line(&format!("    {warning}"));
        }
    }
}

fn region_line(region: &RegionVerdict, width: usize) -> String {
    let worst = region.findings.first();
    let value = worst.map_or(String::new(), |f| {
        format!("{} {} of {}", title(f.measure), number(f.value), number(f.limit))
    });
    let frame = region
        .frame
        .as_ref()
        .map_or(String::new(), |f| format!("in {}", f.name));
    let name: String = region.name.chars().take(width).collect();
    format!(
        "    {name:<width$}  {:<7}  {value:<28}  {frame}",
        word(region.verdict)
    )
}

fn bar(finding: &Finding) -> String {
    let filled = ((finding.severity * BAR as f64).round() as usize).min(BAR);
    "█".repeat(filled) + &"·".repeat(BAR - filled)
}
