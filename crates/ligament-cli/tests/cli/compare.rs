//! `ligament compare`: the table, the JSON, and the page in a real browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use ligament::character::{Influence, JointIndex, Weights};
use ligament::measure::Measure;
use ligament_io::gltf::{GltfFile, WeightFormat};
use ligament_testkit::{browser_tools, corpus, python_with_blender, run as run_tool};
use serde::Deserialize;
use serde_json::Value;

use crate::{bind, run};

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

fn compared(args: &[&str]) -> (Option<i32>, Value) {
    let output = run(args);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let json = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {said}"));
    (output.status.code(), json)
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

fn contenders(json: &Value) -> &Vec<Value> {
    json["contenders"].as_array().unwrap()
}

/// The same character with the left leg's weight on the right leg.
fn spoiled(path: &Path, folder: &Path) -> PathBuf {
    let file = GltfFile::open(path).unwrap();
    let character = file.character();
    let across = |joint: JointIndex| {
        let name = &character.skeleton.joint(joint).name;
        let leg = ["leg", "foot", "toe"].iter().any(|part| name.contains(part));
        let other = name.replace("left_", "right_");
        character.skeleton.find(&other).filter(|_| leg).unwrap_or(joint)
    };
    let lists: Vec<Vec<Influence>> = character
        .weights
        .as_ref()
        .unwrap()
        .iter()
        .map(|list| {
            list.iter()
                .map(|i| Influence {
                    joint: across(i.joint),
                    weight: i.weight,
                })
                .collect()
        })
        .collect();
    let weights = Weights::new(lists.iter().map(Vec::as_slice)).unwrap();
    let output = folder.join("spoiled.glb");
    file.with_weights(&weights, WeightFormat::F32)
        .unwrap()
        .save(&output)
        .unwrap();
    output
}

#[test]
fn a_spoiled_bind_comes_last_and_is_called_broken() {
    let folder = tempfile::tempdir().unwrap();
    let athlete = bind("sample:athlete@4000", folder.path(), &["--quiet"]);
    let spoiled = spoiled(&athlete, folder.path());
    let good = format!("good={}", athlete.display());
    let with = [
        "--methods",
        "none",
        "--with",
        &good,
        "--with",
        spoiled.to_str().unwrap(),
    ];
    let mut args = vec!["compare", "sample:athlete@4000", "--json"];
    args.extend(with);
    let (code, json) = compared(&args);
    assert_eq!(code, Some(0));
    assert_eq!(json["conclusion"]["by"], "score");
    assert_eq!(json["conclusion"]["order"], serde_json::json!([0, 1]));
    let sentences = json["conclusion"]["sentences"].to_string();
    assert!(
        sentences.contains("'spoiled' is over its limit in bleed"),
        "{sentences}"
    );
    assert_eq!(contenders(&json)[1]["report"]["verdict"], "broken");

    let output = run(&[&["compare", "sample:athlete@4000"], &with[..]].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    for measure in ["stretch", "bleed", "hard edges", "time", "where to look"] {
        assert!(text.contains(measure), "{text}");
    }
    assert!(text.contains("good") && text.contains("spoiled"), "{text}");
}

#[test]
fn what_cannot_be_compared_exits_2_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let hand = bind("sample:hand@800", folder.path(), &["--quiet"]);
    let finer = bind("sample:hand@2000", folder.path(), &["--quiet"]);
    let tube = bind("sample:tube@400", folder.path(), &["--quiet"]);
    let [hand, finer, tube] = [&hand, &finer, &tube].map(|p| p.to_str().unwrap());
    let taken = format!("a={hand}");
    for (args, wanted) in [
        (vec!["sample:tube@400", "--reference"], "no weights yet"),
        (vec![hand, "--with", tube], "no joint of that name"),
        (vec![hand, "--with", finer], "are not there"),
        (
            vec![hand, "--with", &taken, "--with", &taken],
            "two columns are called 'a'",
        ),
        (vec![hand, "--methods", "magic"], "no method 'magic'"),
        (vec![hand, "--methods", "none"], "nothing to compare"),
        (vec![hand, "-o", "report.txt"], "name it .html"),
    ] {
        let output = run(&[vec!["compare"], args.clone()].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(wanted), "{args:?}: {said}");
    }
}

/// Blender's automatic weights by the script that users have.
fn by_blender(input: &str, output: &Path, extra: &[&str]) -> Value {
    let script = ligament_testkit::project_root().join("tools/peers/blender_weights.py");
    let mut command = Command::new(python_with_blender());
    let result = command
        .arg(script)
        .arg(input)
        .arg(output)
        .args(extra)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&result.stdout).into_owned();
    assert!(
        matches!(result.status.code(), Some(0 | 1)),
        "{said}{}",
        String::from_utf8_lossy(&result.stderr)
    );
    let line = said.lines().find_map(|l| l.strip_prefix("RESULT "));
    serde_json::from_str(line.expect("the script prints its result")).unwrap()
}

#[test]
fn blenders_weights_are_a_column() {
    let folder = tempfile::tempdir().unwrap();
    let mut inputs = vec![bind("sample:athlete@4000", folder.path(), &["--quiet"])];
    if let Some(corpus) = corpus() {
        // Vertices split at seams, several skins, another rest pose, vertices that stay alone.
        for name in ["cesium_man", "quaternius_stag", "kaykit_knight"] {
            inputs.push(corpus.join(format!("open/{name}.glb")));
        }
    }
    for input in inputs {
        let text = input.to_str().unwrap();
        let theirs = folder.path().join("blender.glb");
        let result = by_blender(text, &theirs, &["--helped"]);
        let with = format!("blender={}", theirs.display());
        let (code, json) = compared(&[
            "compare",
            text,
            "--methods",
            "heat",
            "--with",
            &with,
            "--reference",
            "--json",
            "--penetration-frames",
            "0",
        ]);
        assert_eq!(code, Some(0), "{text}");
        let named = |name: &str| {
            let found = contenders(&json).iter().find(|c| c["name"] == name);
            found.unwrap_or_else(|| panic!("no column {name}"))
        };
        let blender = named("blender");
        assert!(
            blender["summary"].as_str().unwrap().starts_with("Blender 5.0.1"),
            "{text}"
        );
        assert_eq!(blender["seconds"], result["seconds"]);
        let alone = result["unweighted"].as_u64().unwrap();
        assert_eq!(
            alone > 0,
            blender["unweighted"].as_u64().unwrap() > 0,
            "{text}: {alone}"
        );
        if alone == 0 {
            // Both are heat: near each other, and not the same.
            let off = |name: &str| {
                named(name)["report"]["reference"]["deformation_rms"]
                    .as_f64()
                    .unwrap()
            };
            let (ours, theirs) = (off("heat"), off("blender"));
            assert!(theirs < 6.0 * ours.max(0.002), "{text}: {ours} and {theirs}");
        }
    }
}
