//! Messages that were broken on the way: each ends in an error on its page, and the server lives.

use ligament_testkit::{Random, repeats};
use serde_json::{Value, json};

use crate::client::{Page, studio};

/// Messages of every kind, as a page would send them.
fn messages() -> Vec<Value> {
    let settings = json!({
        "method": "closest", "options": { "power": 4 }, "influences": 4, "deform": ["*"], "prune": 0.001,
        "regions": [{ "of": { "part": "tube" }, "falloff": 0.5, "drivers": null }],
        "locks": { "vertices": [], "joints": [] },
    });
    let commands = [
        json!({ "library": {} }),
        json!({ "open": { "item": "item-7" } }),
        json!({ "bind": { "settings": settings, "label": "x" } }),
        json!({ "bind": { "settings": null } }),
        json!({ "try": { "settings": settings, "pose": [0, 0, 0, 0, 0, 0, 1, 1, 1, 1] } }),
        json!({ "forget": {} }),
        json!({ "cancel": { "job": 3 } }),
        json!({ "compare": { "other": { "file": {} } } }),
        json!({ "compare": { "other": { "bind": settings } } }),
        json!({ "compare": { "other": { "item": "item-1" } } }),
        json!({ "pose": { "turns": [{ "joint": 0, "rotation": [0, 0, 0, 1], "translation": [0, 0, 0] }], "label": "x" } }),
        json!({ "keys": { "keys": [{ "seconds": 0, "turns": [] }, { "seconds": 1, "turns": [] }], "label": "x" } }),
        json!({ "go": { "step": 0 } }),
        json!({ "pick": { "origin": [0, 1, 5], "direction": [0, 0, -1], "pose": null, "slot": 0 } }),
        json!({ "why": { "vertex": 3 } }),
        json!({ "mush": { "pose": null, "slot": 0 } }),
        json!({ "clip": { "clip": 0 } }),
        json!({ "voxels": {} }),
        json!({ "mirror": {} }),
        json!({ "brush": { "origin": [0, 0.5, 9], "direction": [0, 0, -1], "pose": null, "radius": 0.1 } }),
        json!({ "rig": { "rig": { "session": { "method": "heat" }, "script": [{ "command": "magnitude", "joint": 0, "value": 2 }] }, "label": "x" } }),
        json!({ "drag": { "script": [{ "command": "move_joint", "joint": 0, "by": [0, 0.1, 0] }] } }),
        json!({ "snap": { "origin": [0, 0.5, 9], "direction": [0, 0, -1], "whole": true } }),
        json!({ "recover": { "accept": true } }),
        json!({ "link": {} }),
    ];
    let number = |(id, command): (usize, Value)| json!({ "id": id, "base": 1, "do": command });
    commands.into_iter().enumerate().map(number).collect()
}

/// Breaks a text in one of several ways.
fn broken(text: &str, random: &mut Random) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = random.below(bytes.len());
    match random.below(7) {
        0 => bytes[at] = random.below(128) as u8,
        1 => {
            bytes.remove(at);
        }
        2 => bytes.truncate(at),
        3 => bytes.insert(at, b"{}[]\",:0-9e"[random.below(11)]),
        4 => {
            let number = [
                "-1",
                "1e99",
                "99999999999",
                "null",
                "NaN",
                "\"x\"",
                "[]",
                "1e-320",
                "0.5",
                "65535",
            ];
            let digits: Vec<usize> = (0..bytes.len()).filter(|&i| bytes[i].is_ascii_digit()).collect();
            if let Some(&at) = digits.get(random.below(digits.len())) {
                bytes.splice(at..=at, number[random.below(number.len())].bytes());
            }
        }
        5 => {
            let end = (at + random.below(40)).min(bytes.len());
            let piece = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, piece);
        }
        _ => bytes
            .splice(at..at, "[".repeat(random.below(300)).bytes())
            .for_each(drop),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn ten_thousand_mutated_messages_leave_a_server_that_lives() {
    let test = studio("sample:tube@200");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let messages: Vec<String> = messages().iter().map(Value::to_string).collect();
    let mut random = Random(0x5eed_0021);
    for round in 0..repeats(10_000) {
        let text = broken(&messages[random.below(messages.len())], &mut random);
        page.send_text(&text);
        if round % 50 == 0 {
            // An answer to a whole question comes after all that is broken.
            page.ask(json!({ "library": {} })).unwrap();
            page.received.clear();
            page.frames.clear();
        }
    }
    page.send_bytes(&[0, 1, 2, 255]);
    page.ask(json!({ "library": {} })).unwrap();

    // And it still works.
    let mut fresh = Page::open(&test.studio);
    let scene = fresh.wait_for_character();
    assert!(scene["vertices"].as_u64().unwrap() > 0);
    let bound = json!({ "bind": { "settings": { "method": "hierarchy" } } });
    fresh.ask(bound).unwrap();
    assert_eq!(fresh.state()["slots"][0]["name"], "hierarchy");
}

/// A broken file ends in words on the page, and what was open stays.
#[test]
fn a_malformed_file_is_told_and_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("broken.glb"), b"glTF\x02\0\0\0garbage").unwrap();
    std::fs::write(folder.path().join("broken.ligament"), b"{\"ligament_project\":1}").unwrap();
    let good = ligament::sample::make("tube@200").unwrap();
    let built = ligament_io::gltf::build(&good).unwrap();
    built.document.save(&folder.path().join("a_good.glb")).unwrap();
    let studio = studio(folder.path().to_str().unwrap());
    let mut page = Page::open(&studio.studio);
    let scene = page.wait_for_character();
    assert_eq!(scene["name"], "a_good.glb");
    let library = page.ask(json!({ "library": {} })).unwrap();
    for item in library.as_array().unwrap() {
        if item["name"].as_str().unwrap().starts_with("broken") {
            let message = page.ask(json!({ "open": { "item": item["id"] } })).unwrap_err();
            assert!(message.len() > 10, "{message}");
        }
    }
    assert!(
        page.ask(json!({ "bind": { "settings": { "method": "closest" } } }))
            .is_ok()
    );
}
