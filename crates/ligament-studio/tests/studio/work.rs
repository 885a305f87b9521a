//! What a person does: open, bind, slide, pose, compare, judge, undo, export.

use std::path::Path;

use ligament::task::Task;
use ligament_app::asset::AssetRequest;
use ligament_app::bind::BindRequest;
use serde_json::{Value, json};

use crate::client::{Page, settings, studio};

fn frame_numbers(frame: &[u8]) -> (u16, u32, u32, u32) {
    let u32_at = |at: usize| u32::from_le_bytes(frame[at..at + 4].try_into().unwrap());
    (
        u16::from_le_bytes([frame[2], frame[3]]),
        u32_at(4),
        u32_at(8),
        u32_at(12),
    )
}

/// The weights that a page has after some frames, by slot.
pub fn shown(page: &Page, vertices: usize, slot: u32) -> Vec<[u32; 8]> {
    let mut rows = vec![[0; 8]; vertices];
    for frame in &page.frames {
        let (kind, _, at, width) = frame_numbers(frame);
        if at != slot || !(kind == 2 || kind == 3) {
            continue;
        }
        let words: Vec<u32> = frame[16..]
            .chunks(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        let width = width as usize;
        let mut put = |vertex: usize, row: &[u32]| {
            rows[vertex] = [0; 8];
            rows[vertex][..width].copy_from_slice(row);
        };
        if kind == 2 {
            words.chunks(width).enumerate().for_each(|(v, row)| put(v, row));
        } else {
            let count = words[0] as usize;
            let (vertices, rest) = words[1..].split_at(count);
            vertices
                .iter()
                .zip(rest.chunks(width))
                .for_each(|(&v, row)| put(v as usize, row));
        }
    }
    rows
}

fn export(page: &mut Page, format: &str) -> Vec<u8> {
    let written = page.ask(json!({ "export": { "format": format } })).unwrap();
    std::fs::read(written["path"].as_str().unwrap()).unwrap()
}

/// What the command line writes for the same settings.
fn by_command_line(folder: &Path, input: &str, settings: &Value, ending: &str) -> Vec<u8> {
    let output = folder.join(format!("by_command_line.{ending}"));
    let request = BindRequest {
        asset: AssetRequest::of(input),
        output: Some(output.clone()),
        ..serde_json::from_value(settings.clone()).unwrap()
    };
    ligament_app::bind::run(&request, &Task::unattended()).unwrap();
    std::fs::read(output).unwrap()
}

#[test]
fn bind_slide_undo_and_export() {
    let input = "sample:hound@2000";
    let test = studio(input);
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    let vertices = scene["vertices"].as_u64().unwrap() as usize;
    let start = shown(&page, vertices, 0);
    let opened = export(&mut page, "glb");

    page.ask(json!({ "bind": { "settings": settings("best") } }))
        .unwrap();
    let bound = shown(&page, vertices, 0);
    assert!(bound != start);
    assert!(export(&mut page, "glb") == by_command_line(test.folder.path(), input, &settings("best"), "glb"));

    // The slider shows weights at once and takes no step until it is let go.
    let mut sliding = settings("best");
    for falloff in [0.3, 0.5, 0.7, 0.9] {
        sliding["options"] = json!({ "falloff": falloff });
        let answer = page.ask(json!({ "try": { "settings": sliding } })).unwrap();
        let (rows, bytes) = (
            answer["rows"].as_u64().unwrap(),
            answer["bytes"].as_u64().unwrap(),
        );
        assert!(rows > 0 && rows <= vertices as u64);
        assert!(
            bytes <= 20 + rows * (4 + 4 * 4),
            "no more than the changed rows: {bytes} for {rows}"
        );
    }
    assert_eq!(page.state()["history"].as_array().unwrap().len(), 2);
    page.ask(json!({ "bind": { "settings": sliding, "label": "Falloff 0.90" } }))
        .unwrap();
    assert_eq!(page.state()["history"][2], "Falloff 0.90");
    let slid = shown(&page, vertices, 0);
    assert!(slid != bound);
    assert!(export(&mut page, "glb") == by_command_line(test.folder.path(), input, &sliding, "glb"));
    assert!(export(&mut page, "npz") == by_command_line(test.folder.path(), input, &sliding, "npz"));
    let command = page.state()["command"].as_str().unwrap().to_owned();
    assert!(
        command.contains("--method best") && command.contains("--falloff 0.9"),
        "{command}"
    );

    // A pose and a comparison are steps too.
    let turn = json!({ "joint": 2, "rotation": [0, 0, 0.6, 0.8], "translation": [0, 0, 0] });
    page.ask(json!({ "pose": { "turns": [turn], "label": "Turn" } }))
        .unwrap();
    page.ask(json!({ "compare": { "other": { "bind": settings("closest") } } }))
        .unwrap();
    assert_eq!(page.state()["slots"][1]["name"], "closest");
    assert!(shown(&page, vertices, 1) != shown(&page, vertices, 0));

    // Undo to the start: the same bytes, on the page and in the file; redo likewise.
    let last = page.state()["at"].as_u64().unwrap();
    for step in (0..last).rev() {
        page.ask(json!({ "go": { "step": step } })).unwrap();
    }
    assert!(shown(&page, vertices, 0) == start);
    assert!(export(&mut page, "glb") == opened);
    for step in 1..=last {
        page.ask(json!({ "go": { "step": step } })).unwrap();
    }
    assert!(shown(&page, vertices, 0) == slid);

    // A page that comes later has the same.
    let mut late = Page::open(&test.studio);
    late.wait_for_character();
    assert!(shown(&late, vertices, 0) == slid);
    assert!(shown(&late, vertices, 1) == shown(&page, vertices, 1));
}

/// Everything that the fast half changes is what a bind from scratch gives.
#[test]
fn quick_changes_are_those_of_a_whole_bind() {
    let input = "sample:tube@400";
    let test = studio(input);
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let ball = json!({ "sphere": { "centre": [0, 0.5, 0], "radius": 0.3 } });
    let joints = page.received.iter().find(|t| t.0 == "scene").unwrap().1["joints"].clone();
    let driven = json!({ "of": ball, "drivers": [joints[0]["name"]] });
    let sharp = json!({ "of": ball, "falloff": 0.9 });
    for (method, region) in [
        ("voxel", &sharp),
        ("voxel", &driven),
        ("best", &sharp),
        ("best", &driven),
        ("heat", &driven),
        ("closest", &driven),
    ] {
        page.ask(json!({ "bind": { "settings": settings(method) } }))
            .unwrap();
        let mut changed = settings(method);
        changed["influences"] = 2.into();
        changed["prune"] = 0.05.into();
        changed["regions"] = json!([region]);
        page.ask(json!({ "bind": { "settings": changed } })).unwrap();
        let same = export(&mut page, "npz") == by_command_line(test.folder.path(), input, &changed, "npz");
        assert!(same, "{method} {region}");
    }
}

#[test]
fn a_bind_reports_progress_and_can_be_cancelled() {
    let test = studio("sample:athlete@8000");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    page.send_text(&json!({ "id": 900, "do": { "bind": { "settings": settings("cells") } } }).to_string());
    let progress = page.wait("progress");
    assert_eq!(progress["kind"], "bind");
    page.ask(json!({ "cancel": { "job": progress["job"] } })).unwrap();
    loop {
        let (kind, value) = page.hear().unwrap();
        if kind == "error" && value["id"] == 900 {
            assert!(value["message"].as_str().unwrap().starts_with("cancelled"));
        }
        if kind == "ended" {
            assert_eq!(value["cancelled"], true);
            break;
        }
    }
    assert_eq!(
        page.state()["history"].as_array().unwrap().len(),
        1,
        "nothing was changed"
    );
}

#[test]
fn picking_finds_the_vertex_under_the_pointer() {
    let test = studio("sample:tube@400");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let ray = |x: f32| json!({ "pick": { "origin": [x, 0.5, 9], "direction": [0, 0, -1], "pose": null, "slot": 0 } });
    let unbound = page.ask(ray(0.0)).unwrap();
    assert_eq!(unbound["influences"].as_array().map(Vec::len), Some(0));
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let hit = page.ask(ray(0.0)).unwrap();
    let sum: f64 = hit["influences"]
        .as_array()
        .unwrap()
        .iter()
        .map(|i| i[1].as_f64().unwrap())
        .sum();
    assert!((sum - 1.0).abs() < 1e-5, "{hit}");
    assert!(page.ask(ray(50.0)).unwrap().is_null());
    let why = page.ask(json!({ "why": { "vertex": hit["vertex"] } })).unwrap();
    assert!(!why["bones"].as_array().unwrap().is_empty());
    assert!(why["text"].as_str().unwrap().contains("nearest bones"));
    let voxels = page.ask(json!({ "voxels": {} })).unwrap();
    let frame = page.frames.iter().find(|f| frame_numbers(f).0 == 7).unwrap();
    assert_eq!(
        u64::from(frame_numbers(frame).2),
        voxels["leaves"].as_u64().unwrap()
    );
    assert_eq!(frame.len(), 16 + 4 + 16 * frame_numbers(frame).2 as usize);
}

#[test]
fn judging_tells_what_check_tells() {
    let test = studio("sample:hound@1500");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    assert!(
        page.ask(json!({ "check": { "range": false } })).is_err(),
        "nothing to judge yet"
    );
    page.ask(json!({ "bind": { "settings": settings("closest") } }))
        .unwrap();
    let report = page.ask(json!({ "check": { "range": false } })).unwrap();
    let written = page.ask(json!({ "export": { "format": "glb" } })).unwrap();
    let request = ligament_app::check::CheckRequest {
        asset: AssetRequest::of(written["path"].as_str().unwrap()),
        ..Default::default()
    };
    let checked = ligament_app::check::run(&request, &Task::unattended()).unwrap();
    assert_eq!(report["headline"], checked.headline);
    assert!((report["score"].as_f64().unwrap() - checked.report.score).abs() < 1e-3 * checked.report.score);
    assert_eq!(
        report["findings"].as_array().unwrap().len(),
        checked.report.findings.len()
    );
    assert!(report["text"].as_str().unwrap().contains(&checked.headline));
}

/// Two tabs see one character: a step on what is no longer there is refused, nothing is lost.
#[test]
fn two_tabs_cannot_corrupt_each_other() {
    let test = studio("sample:tube@200");
    let (mut first, mut second) = (Page::open(&test.studio), Page::open(&test.studio));
    first.wait_for_character();
    second.wait_for_character();
    let base = first.state()["revision"].as_u64();
    let bind = |method: &str| json!({ "bind": { "settings": settings(method) } });
    first.ask_from(bind("closest"), base).unwrap();
    let message = second.ask_from(bind("hierarchy"), base).unwrap_err();
    assert!(message.contains("another tab"), "{message}");
    assert_eq!(
        second.state()["slots"][0]["name"],
        "closest",
        "it sees the other's"
    );
    let base = second.state()["revision"].as_u64();
    second.ask_from(bind("hierarchy"), base).unwrap();
    first.ask(json!({ "library": {} })).unwrap();
    assert_eq!(first.state()["slots"][0]["name"], "hierarchy");
    assert_eq!(first.state()["history"].as_array().unwrap().len(), 3);
}

/// The file's own weights are shown, can be compared with, and come back.
#[test]
fn the_files_own_weights_stay_at_hand() {
    let folder = tempfile::tempdir().unwrap();
    let hero = folder.path().join("hero.glb");
    let bind = BindRequest {
        asset: AssetRequest::of("sample:hound@1500"),
        output: Some(hero.clone()),
        method: Some("heat".to_owned()),
        ..BindRequest::default()
    };
    ligament_app::bind::run(&bind, &Task::unattended()).unwrap();
    let test = studio(hero.to_str().unwrap());
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    assert_eq!(scene["has_weights"], true);
    assert_eq!(page.state()["slots"][0]["name"], "file");
    assert!(
        export(&mut page, "glb") == std::fs::read(&hero).unwrap(),
        "the document is kept"
    );
    page.ask(json!({ "bind": { "settings": settings("closest") } }))
        .unwrap();
    page.ask(json!({ "compare": { "other": { "file": {} } } }))
        .unwrap();
    assert_eq!(page.state()["slots"][1]["name"], "file");
    page.ask(json!({ "bind": { "settings": null } })).unwrap();
    assert_eq!(page.state()["slots"][0]["name"], "file");
    // A joint that is locked keeps its weights.
    let locked = scene["joints"]
        .as_array()
        .unwrap()
        .iter()
        .position(|j| j["in_skin"] == true)
        .unwrap();
    let name = scene["joints"][locked]["name"].clone();
    let mut settings = settings("closest");
    settings["locks"] = json!({ "joints": [name], "vertices": [] });
    page.ask(json!({ "bind": { "settings": settings } })).unwrap();
    assert!(page.state()["command"].as_str().unwrap().contains("--lock-joint"));
}

/// Another level of detail gets what `ligament bind --binding` gives it.
#[test]
fn another_mesh_in_the_same_volume() {
    let folder = tempfile::tempdir().unwrap();
    for (name, sample) in [("a_fine.glb", "hound@2000"), ("coarse.glb", "hound@1000")] {
        let hound = ligament::sample::make(sample).unwrap();
        let built = ligament_io::gltf::build(&hound).unwrap();
        built.document.save(&folder.path().join(name)).unwrap();
    }
    let test = studio(folder.path().to_str().unwrap());
    let mut page = Page::open(&test.studio);
    assert_eq!(page.wait_for_character()["name"], "a_fine.glb");
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let library = page.ask(json!({ "library": {} })).unwrap();
    let coarse = library
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["name"] == "coarse.glb")
        .unwrap();
    let other = json!({ "bind_other": { "item": coarse["id"], "format": "npz" } });
    let written = page.ask(other).unwrap();
    let studio = std::fs::read(written["path"].as_str().unwrap()).unwrap();

    let voxels = folder.path().join("hound.voxels");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let fine = BindRequest {
        asset: AssetRequest::of(path("a_fine.glb")),
        output: Some(folder.path().join("fine.npz")),
        method: Some("voxel".to_owned()),
        save_binding: Some(voxels.clone()),
        ..BindRequest::default()
    };
    ligament_app::bind::run(&fine, &Task::unattended()).unwrap();
    let coarse = BindRequest {
        asset: AssetRequest::of(path("coarse.glb")),
        output: Some(folder.path().join("coarse.npz")),
        method: Some("voxel".to_owned()),
        binding: Some(voxels),
        ..BindRequest::default()
    };
    ligament_app::bind::run(&coarse, &Task::unattended()).unwrap();
    assert!(studio == std::fs::read(folder.path().join("coarse.npz")).unwrap());
}

/// A picture of everything in the list, and a brush that finds vertices by the source's numbers.
#[test]
fn thumbnails_and_brushes() {
    let test = studio("sample:tube@400");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let library = page.ask(json!({ "library": {} })).unwrap();
    let tube = library
        .as_array()
        .unwrap()
        .iter()
        .find(|i| i["name"] == "tube@400")
        .unwrap();
    page.ask(json!({ "thumbnail": { "item": tube["id"] } })).unwrap();
    let frame = page.frames.iter().find(|f| frame_numbers(f).0 == 9).unwrap();
    assert_eq!(frame[16..24], *b"\x89PNG\r\n\x1a\n");
    let brush = |radius: f32| json!({ "brush": { "origin": [0, 0.5, 9], "direction": [0, 0, -1], "pose": null, "radius": radius } });
    let count = |found: &Value| found["vertices"].as_array().unwrap().len();
    let (small, large) = (page.ask(brush(0.1)).unwrap(), page.ask(brush(0.3)).unwrap());
    assert!(count(&small) > 0 && count(&small) < count(&large));
    let regions = json!([{ "of": { "vertices": large["source"] }, "falloff": 0.9 }]);
    let mut settings = settings("voxel");
    settings["regions"] = regions;
    page.ask(json!({ "bind": { "settings": settings } })).unwrap();
    assert!(page.state()["regions"].as_str().unwrap().contains("vertices"));
}
