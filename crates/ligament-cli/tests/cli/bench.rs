//! `ligament bench`: every method over a folder, with failures counted.

use serde_json::Value;

use crate::{bind, run};

#[test]
fn a_folder_is_bound_stage_by_stage_and_what_fails_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    bind("sample:tube@400", folder.path(), &["--quiet"]);
    bind("sample:hand@800", folder.path(), &["--quiet"]);
    std::fs::write(folder.path().join("broken.glb"), b"glTF but not quite").unwrap();
    std::fs::write(folder.path().join("notes.txt"), b"no character").unwrap();
    let text = folder.path().to_str().unwrap();
    let output = run(&[
        "bench",
        text,
        "--methods",
        "heat,closest",
        "--used-joints",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(1), "one file cannot be read");
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(rows.len(), 6);
    let (failed, bound): (Vec<&Value>, Vec<&Value>) = rows.iter().partition(|r| r["failure"].is_string());
    assert_eq!(failed.len(), 2);
    assert!(failed.iter().all(|r| r["character"] == "broken"));
    for row in bound {
        let stages = row["stages"].as_array().unwrap();
        assert!(!stages.is_empty());
        let sum: f64 = stages.iter().map(|s| s["ms"].as_f64().unwrap()).sum();
        let whole = row["bind_ms"].as_f64().unwrap();
        assert!(sum > 0.0 && sum <= whole + 1.0, "{sum} of {whole} ms");
        if cfg!(target_os = "linux") {
            let peak = row["peak_mb"].as_f64().unwrap();
            let stage_peaks = stages.iter().map(|s| s["peak_mb"].as_f64().unwrap());
            assert!(stage_peaks.clone().all(|p| p > 1.0 && p <= peak));
        }
        assert!(row["l1"].as_f64().unwrap() <= 1.0 && row["def_percent"].as_f64().unwrap() >= 0.0);
    }

    let table = folder.path().join("table.md");
    let sheet = folder.path().join("table.csv");
    for path in [&table, &sheet] {
        let output = run(&[
            "bench",
            text,
            "--methods",
            "heat",
            "-o",
            path.to_str().unwrap(),
            "--quiet",
        ]);
        assert_eq!(output.status.code(), Some(1));
    }
    let table = std::fs::read_to_string(table).unwrap();
    assert!(table.contains("| heat | 2 | 1 |"), "{table}");
    assert!(table.contains("| heat | solve |"), "{table}");
    assert!(
        table
            .lines()
            .any(|l| l.starts_with("| broken |") && l.contains("failed")),
        "{table}"
    );
    let sheet = std::fs::read_to_string(sheet).unwrap();
    let columns = sheet.lines().next().unwrap().split(',').count();
    assert_eq!(sheet.lines().count(), 4);
    assert!(sheet.lines().skip(1).all(|l| l.split(',').count() >= columns));
}
