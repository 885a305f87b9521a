//! Measures and verdicts in words, the same for tables, pages and pictures.

use ligament::measure::{Measure, Report, Verdict};

/// What a measure is called in tables.
pub fn title(measure: Measure) -> &'static str {
    match measure {
        Measure::TinyWeights => "tiny weights",
        Measure::HardEdges => "hard edges",
        other => other.name(),
    }
}

/// A verdict in a word.
pub fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Sound => "sound",
        Verdict::Suspect => "suspect",
        Verdict::Broken => "BROKEN",
    }
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

/// A share in percent, with the digits that mean something.
pub fn percent(fraction: f64) -> String {
    let percent = 100.0 * fraction;
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
        Measure::Collapse => {
            let c = &report.collapse;
            format!(
                "of {} limbs the worst is thinner than half for {:.1} times its radius",
                c.limbs, c.worst
            )
        }
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

/// What a measure is, in a line.
pub fn definition(measure: Measure) -> &'static str {
    match measure {
        Measure::Stretch => "99th percentile of |ln(posed length / rest length)| over edges and frames",
        Measure::Volume => "share of the volume of closed parts that is lost or gained in the worst frame",
        Measure::Collapse => {
            "how far along a limb its skin is at less than half of its distance from the bone, in radii of the limb"
        }
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

/// What a report comes to, in a line.
pub fn headline(report: &Report) -> String {
    let regions = |verdict| report.regions.iter().filter(|r| r.verdict == verdict).count();
    let of = |verdict| {
        let mut names: Vec<&str> = report
            .findings
            .iter()
            .filter(|f| f.verdict == verdict)
            .map(|f| title(f.measure))
            .collect();
        let regions_named = match regions(verdict) {
            0 => String::new(),
            1 => "near one joint".to_owned(),
            n => format!("near {n} joints"),
        };
        if !regions_named.is_empty() {
            names.push(&regions_named);
        }
        names.join(", ")
    };
    match report.verdict {
        Verdict::Sound => "sound".to_owned(),
        Verdict::Suspect => format!("worth a look ({})", of(Verdict::Suspect)),
        Verdict::Broken => format!("BROKEN ({})", of(Verdict::Broken)),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    match names {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [before @ .., last] => {
            let before: Vec<&str> = before.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", before.join(", "), last.as_ref())
        }
    }
}

/// Seconds the way a person reads them.
pub fn duration(seconds: f64) -> String {
    if seconds < 0.9995 {
        format!("{:.0} ms", (1e3 * seconds).max(1.0))
    } else if seconds < 100.0 {
        format!("{seconds:.1} s")
    } else {
        format!("{seconds:.0} s")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_durations_read_well() {
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
        assert_eq!(listed(&[] as &[&str]), "");
        assert_eq!(duration(0.0123), "12 ms");
        assert_eq!(duration(0.9999), "1.0 s");
        assert_eq!(duration(321.4), "321 s");
    }
}
