//! The page of `ligament compare` in a real browser.

use std::path::Path;
use std::process::Command;

use ligament::measure::Measure;
use ligament_testkit::{browser_tools, run as run_tool};
use serde::Deserialize;

use crate::bind;
use crate::compare::{compared, contenders, spoiled};

/// What the browser saw.
#[derive(Deserialize)]
struct Seen {
    title: String,
    verdict: String,
    sentences: Vec<String>,
    images: usize,
    broken: Vec<String>,
    columns: Vec<String>,
    measures: std::collections::BTreeMap<String, Vec<String>>,
    places: Vec<Vec<String>>,
    charts: usize,
    bars: usize,
    wider_than_window: bool,
    wider_than_phone: bool,
    opens_large: bool,
    closes: bool,
    light: [String; 2],
    dark: [String; 2],
    paper: [String; 2],
    pdf_bytes: usize,
    said: Vec<String>,
    asked: Vec<String>,
}

/// Opens a page in Chromium; fails if the browser cannot be had.
fn seen(page: &Path) -> Seen {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/look_at_page.mjs");
    let output = run_tool(Command::new("node").arg(script).arg(browser_tools()).arg(page));
    serde_json::from_str(&output).unwrap()
}

#[test]
fn the_page_opens_in_a_browser_and_holds_everything() {
    let folder = tempfile::tempdir().unwrap();
    let athlete = bind("sample:athlete@4000", folder.path(), &["--quiet"]);
    let spoiled = spoiled(&athlete, folder.path());
    let page = folder.path().join("report.html");
    let (code, json) = compared(&[
        "compare",
        athlete.to_str().unwrap(),
        "--methods",
        "heat,closest",
        "--reference",
        "--with",
        &format!("spoiled={}", spoiled.display()),
        "--frames",
        "12",
        "--worst",
        "2",
        "--json",
        "-o",
        page.to_str().unwrap(),
    ]);
    assert_eq!(code, Some(0));
    let names: Vec<&str> = contenders(&json)
        .iter()
        .map(|c| c["name"].as_str().unwrap())
        .collect();
    assert_eq!(names[3], "file", "the file's own weights come last: {names:?}");
    assert!(names.contains(&"heat") && names.contains(&"closest") && names.contains(&"spoiled"));
    let heat = names.iter().position(|n| *n == "heat").unwrap();
    assert_eq!(json["conclusion"]["by"], "deformation");
    // The file's own weights are 0 off themselves and take no part in the ranking.
    let file = &contenders(&json)[3]["report"]["reference"];
    assert_eq!(file["deformation_rms"].as_f64(), Some(0.0));
    assert_eq!(json["conclusion"]["order"].as_array().unwrap().len(), 3);
    assert!(contenders(&json)[heat]["seconds"].as_f64().unwrap() > 0.0);

    let seen = seen(&page);
    assert_eq!(seen.said, [""; 0], "the console is silent");
    assert_eq!(seen.asked, [""; 0], "nothing is loaded from elsewhere");
    assert_eq!(seen.broken, [""; 0], "all pictures decode and have words");
    // Five poses, two sides, two close-ups of two places, for four columns each.
    assert_eq!(seen.images, 4 * (5 + 2 + 4));
    assert_eq!(seen.columns, names);
    for measure in Measure::ALL {
        let row = seen.measures.get(measure.name());
        let row = row.unwrap_or_else(|| panic!("no row for {}", measure.name()));
        assert_eq!(row.len(), 1 + names.len() + 2, "{row:?}");
    }
    assert!(!seen.places.is_empty() && seen.places.iter().all(|row| row.len() == 1 + names.len() + 1));
    assert!(
        seen.charts >= 10 && seen.bars > 4 * 8,
        "{} charts, {} bars",
        seen.charts,
        seen.bars
    );
    assert!(seen.title.contains("athlete"));
    let headline = json["conclusion"]["headline"].as_str().unwrap();
    assert_eq!(seen.verdict, headline.replace('\'', ""));
    assert!(seen.sentences.len() >= 3);
    assert!(!seen.wider_than_window && !seen.wider_than_phone);
    assert!(seen.opens_large && seen.closes);
    let luminance = |css: &str| -> u32 {
        css.split(|c: char| !c.is_ascii_digit())
            .filter_map(|n| n.parse::<u32>().ok())
            .take(3)
            .sum()
    };
    assert!(luminance(&seen.light[0]) > 600 && luminance(&seen.light[1]) < 200);
    assert!(luminance(&seen.dark[0]) < 200 && luminance(&seen.dark[1]) > 500);
    assert!(luminance(&seen.paper[0]) == 765 && luminance(&seen.paper[1]) < 100);
    assert!(seen.pdf_bytes > 50_000);
}
