//! How good the shown weights are: the measures of `ligament check`, with where to look.

use ligament::measure::{MeasureOptions, Report, SolidDistance, Verdict, measure_in_body};
use ligament::motion::MotionChoice;
use ligament::task::Task;
use ligament::{Character, Weights};
use ligament_app::AppError;
use ligament_app::words::{headline, meaning, number, title, word};
use serde_json::{Value, json};

use crate::wire::{Frame, Kind};

/// Regions that are listed at most.
const MOST_REGIONS: usize = 24;

/// What was found: for the page, and a number for each vertex and measure.
pub struct Judged {
    /// For the page.
    pub report: Value,
    /// Frames of [`Kind::Map`].
    pub maps: Vec<Vec<u8>>,
}

/// Measures weights.
pub fn judge(
    character: &Character,
    weights: &Weights,
    range: bool,
    serial: u32,
    task: &Task<'_>,
) -> Result<Judged, AppError> {
    let options = MeasureOptions {
        motion: if range {
            MotionChoice::RangeOfMotion
        } else {
            MotionChoice::Auto
        },
        ..MeasureOptions::default()
    };
    let body = SolidDistance::of(character, task)?;
    let report = measure_in_body(character, weights, None, Some(&body), &options, task)?;
    let (frames, _) = options.frames_for(character);
    let regions: Vec<Value> = report
        .regions
        .iter()
        .filter(|r| r.verdict != Verdict::Sound)
        .take(MOST_REGIONS)
        .map(|region| {
            let frame = region.frame.as_ref();
            let pose = frame.and_then(|f| frames.get(f.number)).map(|frame| {
                let locals = frame.pose.locals.iter();
                locals
                    .flat_map(|l| {
                        let (t, r, s) = (l.translation, l.rotation, l.scale);
                        [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(|x| x as f32)
                    })
                    .collect::<Vec<f32>>()
            });
            let clip = frame
                .and_then(|f| f.clip.as_ref())
                .and_then(|name| character.clips.iter().position(|c| c.name == *name));
            let start = clip.map(|c| character.clips[c].span_secs().0);
            json!({
                "joint": region.joint.0,
                "name": region.name,
                "verdict": word(region.verdict).to_lowercase(),
                "measure": title(region.worst),
                "severity": region.severity,
                "vertex": region.vertex,
                "frame": frame.map(|f| f.name.clone()),
                "clip": clip,
                "seconds": frame.and_then(|f| f.seconds).zip(start).map(|(at, start)| at - start),
                "pose": pose,
                "map": region.worst as u8,
            })
        })
        .collect();
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|f| {
            json!({
                "measure": title(f.measure),
                "value": number(f.value),
                "limit": number(f.limit),
                "severity": f.severity,
                "verdict": word(f.verdict).to_lowercase(),
                "meaning": meaning(f.measure, &report),
                "map": f.measure as u8,
            })
        })
        .collect();
    let maps = report
        .findings
        .iter()
        .map(|f| {
            let numbers = report.maps.of(f.measure);
            Frame::new(
                Kind::Map,
                serial,
                u32::from(f.measure as u8),
                numbers.len() as u32,
            )
            .f32s(numbers.iter().copied())
            .finish()
        })
        .collect();
    Ok(Judged {
        report: json!({
            "headline": headline(&report),
            "verdict": word(report.verdict).to_lowercase(),
            "score": report.score,
            "frames": report.frames,
            "from_clips": report.from_clips,
            "findings": findings,
            "places": regions,
            "text": text(&character.name, &report),
        }),
        maps,
    })
}

/// A report to paste into a message.
fn text(name: &str, report: &Report) -> String {
    let poses = if report.from_clips {
        "clips"
    } else {
        "the range of motion"
    };
    let mut text = format!(
        "{name}: {}\n{} vertices, {} frames of {poses}, score {:.2} (less is better)\n\n",
        headline(report),
        report.vertices,
        report.frames,
        report.score
    );
    for f in &report.findings {
        text.push_str(&format!(
            "{:<14}{:>10} of {:<10}{:<9}{}\n",
            title(f.measure),
            number(f.value),
            number(f.limit),
            word(f.verdict),
            meaning(f.measure, report)
        ));
    }
    let regions = report.regions.iter().filter(|r| r.verdict != Verdict::Sound);
    for region in regions.take(MOST_REGIONS) {
        let frame = region
            .frame
            .as_ref()
            .map_or(String::new(), |f| format!(" in {}", f.name));
        text.push_str(&format!(
            "\n{} near {}: {}{frame}, vertex {}",
            word(region.verdict),
            region.name,
            title(region.worst),
            region.vertex
        ));
    }
    if report.verdict == Verdict::Sound {
        text.push_str("\nNothing found.");
    }
    text.push('\n');
    text
}
