//! What a batch came to: totals, a table for spreadsheets, and a page with pictures, the worst first.

mod page;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ligament::task::Task;
use ligament_io::atomic::write_file;
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::BatchError;
use super::manifest::{self, ErrorClass, Status, for_each_line, newer};
use crate::AppError;
use crate::asset::AssetRequest;
use crate::render::{self, PictureSize, RenderRequest};

/// An attempt without its stages and warnings, which would take most of the memory of a million.
type Row = manifest::Row<IgnoredAny>;

/// Pictures of assets, in pixels.
const THUMBNAIL: PictureSize = PictureSize {
    width: 240,
    height: 300,
};

/// What to report on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BatchReportRequest {
    /// The batch's folder.
    pub folder: PathBuf,
    /// Where the table goes.
    pub csv: Option<PathBuf>,
    /// Where the page goes; its pictures go into a folder beside it.
    pub html: Option<PathBuf>,
    /// How many of the worst assets the page draws.
    pub pictures: usize,
}

impl Default for BatchReportRequest {
    fn default() -> Self {
        Self {
            folder: PathBuf::new(),
            csv: None,
            html: None,
            pictures: 60,
        }
    }
}

/// Totals.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Assets, each counted once.
    pub assets: usize,
    /// Outputs that are there.
    pub done: usize,
    /// Assets without one.
    pub failed: usize,
    /// How many failed for each cause.
    pub failures: BTreeMap<&'static str, usize>,
    /// Attempts, those that failed before a success among them.
    pub attempts: usize,
    /// Time that processes took, in seconds.
    pub seconds: f64,
    /// The median asset's time, in milliseconds.
    pub median_milliseconds: f64,
    /// The largest memory of one process, in MB.
    pub largest_mb: f64,
    /// Outputs whose measures find something broken.
    pub broken: usize,
    /// The worst assets: input, score and where.
    pub worst: Vec<String>,
}

/// The last word on every asset, by output; which manifest has it does not matter.
pub fn rows_of(folder: &Path) -> Result<(BTreeMap<PathBuf, Row>, usize, f64), BatchError> {
    let mut rows: BTreeMap<PathBuf, Row> = BTreeMap::new();
    let (mut attempts, mut milliseconds) = (0, 0.0);
    for_each_line(folder, |row: Row| {
        attempts += 1;
        milliseconds += row.milliseconds;
        match rows.get_mut(&row.output) {
            None => {
                rows.insert(row.output.clone(), row);
            }
            // A new key means a new input or request: the latest counts, whatever came of it.
            Some(known) if known.key != row.key => {
                if row.ended >= known.ended {
                    *known = row;
                }
            }
            Some(known) => *known = newer(known, &row).clone(),
        }
    })?;
    Ok((rows, attempts, milliseconds))
}

/// Reads the manifests and writes what was asked for.
pub fn run(request: &BatchReportRequest, task: &Task<'_>) -> Result<Summary, AppError> {
    let (rows, attempts, milliseconds) = rows_of(&request.folder)?;
    if rows.is_empty() {
        return Err(BatchError::NothingIn {
            input: request.folder.display().to_string(),
        }
        .into());
    }
    let rows = worst_first(rows.into_values().collect());
    let summary = Summary {
        attempts,
        seconds: milliseconds / 1e3,
        ..summary(&rows)
    };
    if let Some(path) = &request.csv {
        write_file(path, csv(&rows).as_bytes())?;
    }
    if let Some(path) = &request.html {
        let pictures = draw(request, path, &rows, task)?;
        write_file(
            path,
            page::page(&request.folder, &summary, &rows, &pictures)
                .into_string()
                .as_bytes(),
        )?;
    }
    Ok(summary)
}

/// What broke most first, then what failed, then the rest by name.
fn worst_first(mut rows: Vec<Row>) -> Vec<Row> {
    let severity = |row: &Row| {
        let worst = row.measures.as_ref().and_then(|m| m.worst.as_ref());
        worst.map_or(0.0, |w| w.severity)
    };
    rows.sort_by(|a, b| {
        severity(b)
            .total_cmp(&severity(a))
            .then_with(|| a.output.cmp(&b.output))
    });
    rows
}

fn summary(rows: &[Row]) -> Summary {
    let mut summary = Summary {
        assets: rows.len(),
        ..Summary::default()
    };
    let mut times: Vec<f64> = Vec::new();
    for row in rows {
        summary.largest_mb = summary.largest_mb.max(row.peak_mb.unwrap_or(0.0));
        match row.status {
            Status::Done => {
                summary.done += 1;
                times.push(row.milliseconds);
            }
            Status::Failed => {
                summary.failed += 1;
                let class = row.class.map_or("unknown", ErrorClass::name);
                *summary.failures.entry(class).or_default() += 1;
            }
        }
        let Some(worst) = row.measures.as_ref().and_then(|m| m.worst.as_ref()) else {
            continue;
        };
        if worst.severity >= 1.0 {
            summary.broken += 1;
            if summary.worst.len() < 10 {
                summary.worst.push(format!(
                    "{}: {} at {} ({:.1} of the limit)",
                    row.output.display(),
                    worst.measure,
                    worst.joint,
                    worst.severity
                ));
            }
        }
    }
    times.sort_by(f64::total_cmp);
    summary.median_milliseconds = times.get(times.len() / 2).copied().unwrap_or(0.0);
    summary
}

/// A line for each asset.
fn csv(rows: &[Row]) -> String {
    let mut measures: Vec<&String> = Vec::new();
    for name in rows
        .iter()
        .filter_map(|r| r.measures.as_ref())
        .flat_map(|m| m.values.keys())
    {
        if !measures.contains(&name) {
            measures.push(name);
        }
    }
    measures.sort();
    let mut text =
        "input,output,status,class,error,attempt,milliseconds,peak_mb,warnings,score,worst,joint,severity"
            .to_owned();
    for name in &measures {
        let _ = write!(text, ",{name}");
    }
    text.push_str(",command\n");
    for row in rows {
        let worst = row.measures.as_ref().and_then(|m| m.worst.as_ref());
        let number = |value: Option<f64>| value.map_or(String::new(), |v| format!("{v:.4}"));
        let mut cells = vec![
            quoted(&row.input),
            quoted(&row.output.to_string_lossy()),
            if row.status == Status::Done {
                "done"
            } else {
                "failed"
            }
            .to_owned(),
            row.class.map_or("", ErrorClass::name).to_owned(),
            quoted(row.error.as_deref().unwrap_or("")),
            row.attempt.to_string(),
            format!("{:.1}", row.milliseconds),
            number(row.peak_mb),
            row.warnings.len().to_string(),
            number(row.measures.as_ref().map(|m| m.score)),
            worst.map_or(String::new(), |w| w.measure.clone()),
            quoted(worst.map_or("", |w| w.joint.as_str())),
            number(worst.map(|w| w.severity)),
        ];
        for name in &measures {
            cells.push(number(
                row.measures.as_ref().and_then(|m| m.values.get(*name).copied()),
            ));
        }
        cells.push(quoted(&row.command));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// A text as a cell of a table: quoted where it has to be.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Pictures of the worst assets that are done, by key, as paths from the page. One that cannot be drawn has none.
fn draw(
    request: &BatchReportRequest,
    page: &Path,
    rows: &[Row],
    task: &Task<'_>,
) -> Result<BTreeMap<String, String>, AppError> {
    let mut pictures = BTreeMap::new();
    let stem = page
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let folder_name = format!("{stem}_pictures");
    let folder = page.with_file_name(&folder_name);
    let drawn: Vec<&Row> = rows
        .iter()
        .filter(|row| row.status == Status::Done)
        .take(request.pictures)
        .collect();
    if !drawn.is_empty() {
        std::fs::create_dir_all(&folder).map_err(|source| BatchError::Io {
            path: folder.clone(),
            source,
        })?;
    }
    for (number, row) in drawn.iter().enumerate() {
        task.step("drawing", number as f32 / drawn.len() as f32)?;
        let name = format!("{}.png", row.key);
        let path = folder.join(&name);
        let input = request.folder.join(&row.output).to_string_lossy().into_owned();
        let picture = RenderRequest {
            assets: vec![AssetRequest::of(input)],
            output: Some(path.clone()),
            size: Some(THUMBNAIL),
            ..RenderRequest::default()
        };
        // A picture that was drawn before shows the same output: the key says so.
        if path.exists() || render::run(&picture, task).is_ok() {
            pictures.insert(row.key.clone(), format!("{folder_name}/{name}"));
        }
    }
    Ok(pictures)
}

#[cfg(test)]
mod tests {
    use super::super::manifest::tests::row;
    use super::super::manifest::{Manifest, Measures, Row, Worst};
    use super::*;

    fn measured(key: &str, severity: f64) -> Row {
        let worst = Worst {
            joint: "left, hand".to_owned(),
            measure: "bleed".to_owned(),
            vertex: 3,
            severity,
        };
        Row {
            measures: Some(Measures {
                headline: "x".to_owned(),
                score: severity,
                values: BTreeMap::from([("bleed".to_owned(), severity)]),
                worst: Some(worst),
            }),
            ..row(key, Status::Done, 1)
        }
    }

    fn failed(key: &str) -> Row {
        Row {
            class: Some(ErrorClass::Timeout),
            error: Some("it took \"long\"".to_owned()),
            ..row(key, Status::Failed, 1)
        }
    }

    #[test]
    fn shards_come_to_the_same_as_one_manifest_in_any_order() {
        let rows = [
            measured("a", 0.5),
            measured("b", 2.0),
            failed("c"),
            row("d", Status::Done, 1),
        ];
        let summary_of = |files: &[(&str, &[usize])]| {
            let dir = tempfile::tempdir().unwrap();
            for (name, which) in files {
                let mut manifest = Manifest::open(&dir.path().join(name)).unwrap();
                for &k in *which {
                    manifest.add(&rows[k]).unwrap();
                }
            }
            let request = BatchReportRequest {
                folder: dir.path().to_owned(),
                csv: Some(dir.path().join("t.csv")),
                ..BatchReportRequest::default()
            };
            let summary = run(&request, &Task::unattended()).unwrap();
            (
                summary,
                std::fs::read_to_string(dir.path().join("t.csv")).unwrap(),
            )
        };
        let one = summary_of(&[("manifest.jsonl", &[0, 1, 2, 3])]);
        let shards = summary_of(&[
            ("manifest.1-of-2.jsonl", &[3, 1]),
            ("manifest.2-of-2.jsonl", &[2, 0]),
        ]);
        assert_eq!(one, shards);
        let (summary, table) = one;
        assert_eq!(
            (summary.assets, summary.done, summary.failed, summary.broken),
            (4, 3, 1, 1)
        );
        assert_eq!(summary.failures.get("timeout"), Some(&1));
        let lines: Vec<&str> = table.lines().collect();
        assert!(
            lines[0].contains(",bleed,") && lines[1].starts_with("b.glb,"),
            "{table}"
        );
        assert!(table.contains("\"it took \"\"long\"\"\"") && table.contains("\"left, hand\""));
    }

    #[test]
    fn a_changed_input_counts_as_it_is_now() {
        let dir = tempfile::tempdir().unwrap();
        let mut manifest = Manifest::open(&dir.path().join("manifest.jsonl")).unwrap();
        let old = Row {
            output: "x.glb".into(),
            ..row("old", Status::Done, 1)
        };
        let new = Row {
            output: "x.glb".into(),
            ..row("new", Status::Failed, 2)
        };
        manifest.add(&new).unwrap();
        manifest.add(&old).unwrap();
        let (rows, attempts, _) = rows_of(dir.path()).unwrap();
        assert_eq!((rows.len(), attempts), (1, 2));
        assert_eq!(rows[Path::new("x.glb")].key, "new");
    }

    #[test]
    fn an_empty_folder_has_nothing_to_report() {
        let dir = tempfile::tempdir().unwrap();
        let request = BatchReportRequest {
            folder: dir.path().to_owned(),
            ..BatchReportRequest::default()
        };
        assert!(run(&request, &Task::unattended()).is_err());
    }
}
