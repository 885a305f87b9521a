//! The report as a person reads it.

use std::fmt::Write;

use ligament::Character;
use ligament::measure::{Finding, Measure, RegionVerdict, Report, Verdict};

use crate::source::FileWarning;

/// Cells of the bar that shows how near a value is to its limit.
const BAR: usize = 10;

pub fn table(
    input: &str,
    character: &Character,
    report: &Report,
    worst: usize,
    warnings: &[FileWarning<'_>],
) -> String {
    let mut text = String::new();
    let mut line = |l: &str| {
        let _ = writeln!(text, "{}", l.trim_end()); // writing to a string does not fail
    };
    line(&format!("{input}: {}", conclusion(report)));
    let poses = if report.from_clips {
        format!("{} frames of its clips", report.frames)
    } else {
        format!("{} poses within joint limits", report.frames)
    };
    line(&format!(
        "  {} vertices of skin, {} joints, {poses}",
        report.vertices,
        character.skeleton.joints.iter().filter(|j| j.in_skin).count()
    ));
    line("");
    line(&format!(
        "  {:<13} {:<10}  {:>8}  {:>7}",
        "measure", "", "value", "limit"
    ));
    for finding in &report.findings {
        line(&format!(
            "  {:<13} {}  {:>8}  {:>7}  {:<7}  {}",
            title(finding.measure),
            bar(finding),
            number(finding.value),
            number(finding.limit),
            word(finding.verdict),
            meaning(finding.measure, report),
        ));
    }
    if let Some(reference) = &report.reference {
        line("");
        line("  against the reference");
        line(&format!(
            "    weights differ by {} on average, {} at the 95th percentile",
            percent(reference.weight_error_mean),
            percent(reference.weight_error_p95)
        ));
        line(&format!(
            "    {} of its influences are the reference's, {} of the reference's are there",
            percent(reference.influence_precision),
            percent(reference.influence_recall)
        ));
    }
    let shown: Vec<&RegionVerdict> = report
        .regions
        .iter()
        .filter(|r| r.verdict != Verdict::Sound)
        .take(worst)
        .collect();
    line("");
    if shown.is_empty() {
        line(&format!(
            "  All {} joints' neighbourhoods are sound.",
            report.regions.len()
        ));
    } else {
        line("  where to look");
        let width = shown
            .iter()
            .map(|r| r.name.chars().count())
            .max()
            .unwrap_or(0)
            .min(28);
        for region in &shown {
            line(&place(region, width));
        }
        let more = report
            .regions
            .iter()
            .filter(|r| r.verdict != Verdict::Sound)
            .count()
            - shown.len();
        if more > 0 {
            line(&format!(
                "    … and {more} more (--worst {}, or --json for all)",
                more + shown.len()
            ));
        }
    }
    let told: Vec<String> = warnings
        .iter()
        .filter(|w| !matches!(w, FileWarning::Gltf(w) if !w.is_fault()))
        .map(ToString::to_string)
        .collect();
    if !told.is_empty() {
        line("");
        line("  found in the file");
        for warning in told {
            line(&format!("    {warning}"));
        }
    }
    text
}

fn conclusion(report: &Report) -> String {
    let regions = |verdict| report.regions.iter().filter(|r| r.verdict == verdict).count();
    let of = |verdict| {
        let mut names: Vec<&str> = report
            .findings
            .iter()
            .filter(|f| f.verdict == verdict)
            .map(|f| title(f.measure))
            .collect();
        let places = match regions(verdict) {
            0 => String::new(),
            1 => "near one joint".to_owned(),
            n => format!("near {n} joints"),
        };
        if !places.is_empty() {
            names.push(&places);
        }
        names.join(", ")
    };
    match report.verdict {
        Verdict::Sound => "sound".to_owned(),
        Verdict::Suspect => format!("worth a look ({})", of(Verdict::Suspect)),
        Verdict::Broken => format!("BROKEN ({})", of(Verdict::Broken)),
    }
}

fn place(region: &RegionVerdict, width: usize) -> String {
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

/// What a measure is called in tables.
pub fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::TinyWeights => "tiny weights",
        Measure::HardEdges => "hard edges",
        other => other.name(),
    }
}

pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Sound => "sound",
        Verdict::Suspect => "suspect",
        Verdict::Broken => "BROKEN",
    }
}

fn bar(finding: &Finding) -> String {
    let filled = ((finding.severity * BAR as f64).round() as usize).min(BAR);
    "█".repeat(filled) + &"·".repeat(BAR - filled)
}

/// Three digits that mean something, whole numbers as they are.
pub fn number(value: f64) -> String {
    if value == value.round() && value.abs() < 1e6 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.4}")
    }
}

pub fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent >= 10.0 || percent == 0.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.2} %")
    }
}

/// What a value means, in words.
pub fn meaning(measure: Measure, report: &Report) -> String {
    match measure {
        Measure::Stretch => {
            let s = &report.stretch;
            format!(
                "1 edge in 100 grows to {:.2} times its length, 1 in 100 shrinks to {:.2}",
                s.stretch_p99.exp(),
                (-s.compression_p99).exp()
            )
        }
        Measure::Volume => report.volume.as_ref().map_or(String::new(), |v| {
            format!(
                "closed parts lose or gain {} at worst, {} on average",
                percent(v.worst),
                percent(v.mean)
            )
        }),
        Measure::Penetration => report.penetration.as_ref().map_or(String::new(), |p| {
            format!(
                "{} of faces cut others that they did not at rest",
                percent(p.worst)
            )
        }),
        Measure::Bleed => {
            let b = &report.bleed;
            format!(
                "{} of weight across gaps, {} astray, {} of the skin affected",
                percent(b.across_gaps),
                percent(b.astray),
                percent(b.affected)
            )
        }
        Measure::Roughness => {
            let rough = percent(report.smoothness.roughness);
            format!("{rough} of weight does not follow from its neighbours")
        }
        Measure::HardEdges => {
            let hard = percent(report.smoothness.hard_edges);
            format!("{hard} of edges pass from one joint to another at once")
        }
        Measure::Tearing => {
            let t = &report.tearing;
            if t.torn_pairs == 0 {
                format!("{} pairs along seams move together", t.seam_pairs)
            } else {
                format!(
                    "{} of {} pairs along seams come apart, by {} of the diagonal",
                    t.torn_pairs,
                    t.seam_pairs,
                    percent(t.worst_gap)
                )
            }
        }
        Measure::Bending => {
            let r = &report.rigidity;
            match r.stiff_pieces {
                0 => "no pieces that should be stiff".to_owned(),
                stiff => format!("{} of {stiff} stiff pieces bend", r.bent_pieces),
            }
        }
        Measure::Asymmetry => report.symmetry.as_ref().map_or(String::new(), |s| {
            format!(
                "{} of weight differs between left and right",
                percent(s.asymmetry)
            )
        }),
        Measure::TinyWeights => {
            format!(
                "{} of influences are below 0.01",
                percent(report.sparsity.tiny_share)
            )
        }
        Measure::Influences => {
            let s = &report.sparsity;
            format!(
                "at most {} joints hold a vertex, {:.2} on average; {} of vertices follow one alone",
                s.max_influences,
                s.mean_influences,
                percent(s.rigid_share)
            )
        }
        Measure::Deformation => report.reference.as_ref().map_or(String::new(), |r| {
            format!(
                "{} of the diagonal off the reference, {} at worst",
                percent(r.deformation_rms.unwrap_or(0.0)),
                percent(r.deformation_worst.unwrap_or(0.0))
            )
        }),
    }
}
