//! How fast a slider is. Run in release on a quiet machine for figures; here only that it stays live.

use serde_json::json;

use crate::client::{Page, settings, studio};

/// Median milliseconds from message to weights on the wire, over a drag of the slider.
fn median_of_slides(page: &mut Page, smoothing: bool) -> (f64, f64, u64) {
    let mut sliding = settings("voxel");
    let mut times = Vec::new();
    let (mut rows, mut bytes) = (0.0, 0);
    for step in 0..30 {
        sliding["options"] = json!({ "falloff": 0.1 + 0.025 * f64::from(step) });
        if !smoothing {
            sliding["options"]["smoothing"] = false.into();
        }
        let answer = page.ask(json!({ "try": { "settings": sliding } })).unwrap();
        times.push(answer["milliseconds"].as_f64().unwrap());
        rows = answer["rows"].as_f64().unwrap();
        bytes = answer["bytes"].as_u64().unwrap();
    }
    times.sort_by(f64::total_cmp);
    (times[times.len() / 2], rows, bytes)
}

#[test]
#[ignore = "a measurement: cargo test --release -p ligament-studio -- --ignored --nocapture slider"]
fn slider_to_wire_at_fifty_thousand_vertices() {
    let test = studio("sample:athlete@50000");
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    println!("{} vertices", scene["vertices"]);
    for smoothing in [true, false] {
        let mut whole = settings("voxel");
        if !smoothing {
            whole["options"] = json!({ "smoothing": false });
        }
        page.ask(json!({ "bind": { "settings": whole } })).unwrap();
        let (median, rows, bytes) = median_of_slides(&mut page, smoothing);
        println!("smoothing {smoothing}: median {median:.1} ms, {rows} rows, {bytes} bytes");
    }
}

#[test]
fn a_slider_sends_only_what_changed() {
    let test = studio("sample:tube@2000");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let (_, rows, bytes) = median_of_slides(&mut page, true);
    assert!(rows > 0.0 && (bytes as f64) <= 20.0 + rows * 20.0);
    // The same value again changes nothing, and nothing is sent.
    let mut same = settings("voxel");
    same["options"] = json!({ "falloff": 0.1 + 0.025 * 29.0 });
    let before = page.frames.len();
    let answer = page.ask(json!({ "try": { "settings": same } })).unwrap();
    assert_eq!(answer["rows"], 0);
    assert_eq!(page.frames.len(), before);
}

#[test]
#[ignore = "a measurement: cargo test --release -p ligament-studio -- --ignored --nocapture stamp"]
fn stamp_of_a_brush_at_fifty_thousand_vertices() {
    let test = studio("sample:athlete@50000");
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    println!("{} vertices", scene["vertices"]);
    page.ask(json!({ "bind": { "settings": settings("closest") } }))
        .unwrap();
    for (mode, mirrored, through) in [
        ("add", false, false),
        ("add", true, false),
        ("add", false, true),
        ("relax", true, false),
    ] {
        let (mut times, mut rows, mut bytes) = (Vec::new(), 0, 0);
        for step in 0..60 {
            let height = 0.9 + 0.008 * f64::from(step);
            let answer = page
                .ask(json!({ "paint": {
                    "brush": { "mode": mode, "joint": 1, "strength": 0.5, "mirrored": mirrored },
                    "rays": [[[0.05, height, 9], [0, 0, -1]]], "radius": 0.08, "through": through,
                } }))
                .unwrap();
            times.push(answer["milliseconds"].as_f64().unwrap());
            rows = rows.max(answer["rows"].as_u64().unwrap());
            bytes = bytes.max(answer["bytes"].as_u64().unwrap());
        }
        page.ask(json!({ "stroke": { "label": "Stroke" } })).unwrap();
        times.sort_by(f64::total_cmp);
        println!(
            "{mode}, mirrored {mirrored}, through {through}: median {:.1} ms, worst {:.1} ms, at most {rows} rows, {bytes} bytes",
            times[times.len() / 2],
            times[times.len() - 1]
        );
    }
}

#[test]
#[ignore = "a measurement: LIGAMENT_CHARACTER=FILE cargo test --release -p ligament-studio -- --ignored --nocapture joint"]
fn joint_drag_to_wire() {
    let input = std::env::var("LIGAMENT_CHARACTER").unwrap_or("sample:athlete@43000".to_owned());
    let test = studio(&input);
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    let joints = scene["joints"].as_array().unwrap();
    println!("{} vertices, {} joints", scene["vertices"], joints.len());
    page.ask(json!({ "rig": { "rig": { "session": { "method": "heat" }, "script": [] }, "label": "Take" } }))
        .unwrap();
    let mut medians = Vec::new();
    for joint in (0..joints.len()).filter(|&j| joints[j]["in_skin"] == true && !joints[j]["parent"].is_null())
    {
        let mut times = Vec::new();
        for step in 1..6 {
            let by = 0.002
                * f64::from(step)
                * scene["joints"][joint]["bind"][10]
                    .as_f64()
                    .unwrap()
                    .abs()
                    .max(0.5);
            let script = json!([{ "command": "move_joint", "joint": joint, "by": [by, 0, 0] }]);
            let answer = page.ask(json!({ "drag": { "script": script } })).unwrap();
            times.push(answer["milliseconds"].as_f64().unwrap());
        }
        page.frames.clear();
        times.sort_by(f64::total_cmp);
        medians.push(times[times.len() / 2]);
    }
    medians.sort_by(f64::total_cmp);
    println!(
        "of joints' medians: fastest {:.1} ms, median {:.1} ms, slowest {:.1} ms",
        medians[0],
        medians[medians.len() / 2],
        medians[medians.len() - 1]
    );
}
