//! Hands on the rig: a joint that is dragged, handles, joints that come and go, and the way back.

use ligament::task::Task;
use ligament_app::asset::AssetRequest;
use ligament_app::edit::{EditRequest, SessionRequest};
use ligament_testkit::{Random, repeats};
use serde_json::{Value, json};

use crate::client::{Page, TestStudio, studio};
use crate::work::shown;

fn opened(input: &str) -> (TestStudio, Page, Value) {
    let test = studio(input);
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    (test, page, scene)
}

fn rig(method: &str, script: &[Value]) -> Value {
    json!({ "rig": { "rig": { "session": { "method": method }, "script": script }, "label": "Edit the rig" } })
}

fn export(page: &mut Page) -> Vec<u8> {
    let written = page.ask(json!({ "export": { "format": "glb" } })).unwrap();
    std::fs::read(written["path"].as_str().unwrap()).unwrap()
}

/// What `ligament edit` writes for the same script.
fn by_command_line(test: &TestStudio, input: &str, method: &str, script: &[Value]) -> Vec<u8> {
    let output = test.folder.path().join("by_command_line.glb");
    let request = EditRequest {
        asset: AssetRequest::of(input),
        script: script.to_vec(),
        output: Some(output.clone()),
        session: SessionRequest {
            method: serde_json::from_value(json!(method)).unwrap(),
            ..SessionRequest::default()
        },
        ..EditRequest::default()
    };
    ligament_app::edit::run(&request, &Task::unattended()).unwrap();
    std::fs::read(output).unwrap()
}

#[test]
fn a_joint_is_dragged_and_weights_follow() {
    for method in ["heat", "voxel"] {
        let input = "sample:hound@1500";
        let (test, mut page, scene) = opened(input);
        let vertices = scene["vertices"].as_u64().unwrap() as usize;
        let start = shown(&page, vertices, 0);
        let opened = export(&mut page);
        page.ask(rig(method, &[])).unwrap();
        let taken = shown(&page, vertices, 0);
        assert!(taken != start, "{method}: weights are found");

        // A drag shows weights and joints at once and is no step.
        let moved = |by: f64| json!({ "command": "move_joint", "joint": "head", "by": [0, by, 0] });
        for by in [0.01, 0.03, 0.05] {
            let answer = page.ask(json!({ "drag": { "script": [moved(by)] } })).unwrap();
            let (rows, bytes) = (
                answer["rows"].as_u64().unwrap(),
                answer["bytes"].as_u64().unwrap(),
            );
            assert!(
                rows > 0 && rows < vertices as u64,
                "{method}: {rows} of {vertices}"
            );
            assert!(
                bytes <= 20 + rows * 20,
                "no more than the changed rows: {bytes} for {rows}"
            );
        }
        let message = page
            .received
            .iter()
            .rev()
            .find(|t| t.0 == "joints")
            .unwrap()
            .1
            .clone();
        let head = scene["joints"]
            .as_array()
            .unwrap()
            .iter()
            .position(|j| j["name"] == "head")
            .unwrap();
        let height = |joint: &Value| joint["bind"][10].as_f64().unwrap();
        let rise = height(&message["joints"][head]) - height(&scene["joints"][head]);
        assert!((rise - 0.05).abs() < 1e-6, "{rise}");
        assert_eq!(page.state()["history"].as_array().unwrap().len(), 2);
        page.ask(json!({ "forget": {} })).unwrap();
        assert!(
            shown(&page, vertices, 0) == taken,
            "{method}: let go without a step"
        );

        // Steps, each as `ligament edit` does it.
        let script = [
            moved(0.05),
            json!({ "command": "magnitude", "joint": "neck", "value": 2 }),
            json!({ "command": "range", "joint": "spine1", "by": [0, 0.02, 0] }),
        ];
        for count in 1..=script.len() {
            page.ask(rig(method, &script[..count])).unwrap();
        }
        let edited = export(&mut page);
        assert!(
            edited == by_command_line(&test, input, method, &script),
            "{method}"
        );
        let command = page.state()["command"].as_str().unwrap().to_owned();
        assert!(
            command.starts_with("ligament edit sample:hound@1500 edits.json"),
            "{command}"
        );
        let edits: Vec<Value> = serde_json::from_str(page.state()["edits"].as_str().unwrap()).unwrap();
        assert_eq!(edits.len(), script.len());

        // All the way back and forth: the same bytes.
        let last = page.state()["at"].as_u64().unwrap();
        let after = shown(&page, vertices, 0);
        for step in (0..last).rev() {
            page.ask(json!({ "go": { "step": step } })).unwrap();
        }
        assert!(shown(&page, vertices, 0) == start && export(&mut page) == opened);
        for step in 1..=last {
            page.ask(json!({ "go": { "step": step } })).unwrap();
        }
        assert!(shown(&page, vertices, 0) == after && export(&mut page) == edited);
    }
}

/// Joints that come and go are another skeleton to the page, and what it wrote.
#[test]
fn joints_come_and_go() {
    let input = "sample:hound@1500";
    let (test, mut page, scene) = opened(input);
    let count = |page: &Page| {
        let scene = page.last("scene");
        scene["joints"].as_array().unwrap().len()
    };
    let joints = scene["joints"].as_array().unwrap().len();
    let script = [
        json!({ "command": "insert_joint", "joint": "head", "name": "nape" }),
        json!({ "command": "move_joint", "joint": "nape", "by": [0, 0.01, 0] }),
        json!({ "command": "delete_joint", "joint": "tail5" }),
        json!({ "command": "delete_joint", "joint": "tail4" }),
        json!({ "command": "add_joint", "joint": "head", "name": "horn", "by": [0, 0.1, 0] }),
        json!({ "command": "add_joint", "joint": "horn", "name": "horn_tip", "by": [0, 0.05, 0.02] }),
    ];
    page.ask(rig("heat", &script[..2])).unwrap();
    page.ask(json!({ "library": {} })).unwrap();
    assert_eq!(count(&page), joints + 1);
    page.ask(rig("heat", &script[..4])).unwrap();
    page.ask(json!({ "library": {} })).unwrap();
    assert_eq!(count(&page), joints - 1);
    page.ask(rig("heat", &script)).unwrap();
    page.ask(json!({ "library": {} })).unwrap();
    assert_eq!(count(&page), joints + 1);
    assert!(export(&mut page) == by_command_line(&test, input, "heat", &script));

    // What cannot be done is told, and nothing changes.
    let steps = page.state()["history"].as_array().unwrap().len();
    let mut wrong = script.to_vec();
    wrong.push(json!({ "command": "delete_joint", "joint": "nobody" }));
    let message = page.ask(rig("heat", &wrong)).unwrap_err();
    assert!(message.contains("nobody"), "{message}");
    assert!(
        page.ask(json!({ "drag": { "script": [{ "command": "explode" }] } }))
            .is_err()
    );
    assert!(
        page.ask(json!({ "bind": { "settings": { "method": "closest" } } }))
            .unwrap_err()
            .contains("under hands")
    );
    assert_eq!(page.state()["history"].as_array().unwrap().len(), steps);
    assert!(export(&mut page) == by_command_line(&test, input, "heat", &script));
    let last = page.state()["at"].as_u64().unwrap();
    for step in (0..last).rev() {
        page.ask(json!({ "go": { "step": step } })).unwrap();
    }
    page.ask(json!({ "library": {} })).unwrap();
    assert_eq!(count(&page), joints);
}

/// A thousand edits in any order, sensible or not: the session stays whole.
#[test]
fn a_thousand_random_commands_leave_a_valid_session() {
    let (_test, mut page, scene) = opened("sample:tube@200");
    let names: Vec<String> = scene["joints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|j| j["name"].as_str().unwrap().to_owned())
        .collect();
    let mut random = Random(0x5eed_0024);
    let mut script: Vec<Value> = Vec::new();
    page.ask(rig("heat", &script)).unwrap();
    let (mut done, mut refused) = (0, 0);
    for round in 0..repeats(1000) {
        let joint = match random.below(8) {
            0 => json!(random.below(2 * names.len())),
            1 => json!("nobody"),
            _ => json!(names[random.below(names.len())]),
        };
        let small = |random: &mut Random| (random.below(2001) as f64 - 1000.0) * 1e-4;
        let by = json!([small(&mut random), small(&mut random), small(&mut random)]);
        let command = match random.below(10) {
            0 | 1 => {
                json!({ "command": "move_joint", "joint": joint, "by": by, "with_children": random.below(2) == 0 })
            }
            2 => json!({ "command": "insert_joint", "joint": joint }),
            3 => json!({ "command": "delete_joint", "joint": joint }),
            4 => json!({ "command": "rename_joint", "joint": joint, "name": format!("joint {round}") }),
            5 => json!({ "command": "range", "joint": joint, "by": by }),
            6 => json!({ "command": "magnitude", "joint": joint, "value": small(&mut random) * 30.0 }),
            7 => json!({ "command": "add_joint", "joint": joint, "by": by }),
            8 => json!({ "command": "smoothness", "joint": joint, "value": small(&mut random) * 20.0 }),
            _ => json!({ "command": "takes_part", "joint": joint, "value": random.below(3) > 0 }),
        };
        if random.below(4) == 0 {
            let _ = page.ask(json!({ "drag": { "script": [command] } }));
            continue;
        }
        if random.below(10) == 0 {
            let at = page.state()["at"].as_u64().unwrap();
            page.ask(json!({ "go": { "step": random.below(at as usize + 1) } }))
                .unwrap();
            let state = &page.state()["state"]["rig"];
            script = state["script"].as_array().cloned().unwrap_or_default();
            continue;
        }
        script.push(command);
        match page.ask(rig("heat", &script)) {
            Ok(_) => done += 1,
            Err(_) => {
                refused += 1;
                script.pop();
            }
        }
        page.frames.clear();
    }
    assert!(done > 0 && refused > 0, "{done} done, {refused} refused");
    if script.is_empty() {
        // The sample has no weights of its own.
        page.ask(rig("heat", &script)).unwrap();
    }
    export(&mut page);
    // A page that comes now has weights that sum to the whole on every vertex.
    let mut late = Page::open(&_test.studio);
    let scene = late.wait_for_character();
    let rows = shown(&late, scene["vertices"].as_u64().unwrap() as usize, 0);
    let joints = scene["joints"].as_array().unwrap().len() as u32;
    for row in rows {
        let sum = row.iter().map(|w| w & 0xffff).sum::<u32>();
        assert_eq!(sum, 65535, "{}", late.state());
        assert!(row.iter().all(|w| w >> 16 < joints));
    }
}

#[test]
fn a_dragged_joint_goes_into_the_middle() {
    let (_test, mut page, _) = opened("sample:tube@400");
    let ray = |x: f64, whole: bool| json!({ "snap": { "origin": [x, 0.5, 9], "direction": [0, 0, -1], "whole": whole } });
    for whole in [false, true] {
        let middle = page.ask(ray(0.02, whole)).unwrap();
        assert!(middle[2].as_f64().unwrap().abs() < 0.02, "{middle}");
        assert!((middle[1].as_f64().unwrap() - 0.5).abs() < 1e-6);
    }
    assert!(page.ask(ray(50.0, false)).unwrap().is_null());
}

/// A mesh alone gets a skeleton, which can be taken into hands.
#[test]
fn a_skeleton_is_found_in_a_mesh_alone() {
    let folder = tempfile::tempdir().unwrap();
    let hound = ligament::sample::make("hound@1500").unwrap();
    let mut text = String::new();
    for p in &hound.mesh.positions {
        text.push_str(&format!("v {} {} {}\n", p.x, p.y, p.z));
    }
    for t in &hound.mesh.triangles {
        text.push_str(&format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
    }
    let path = folder.path().join("bare.obj");
    std::fs::write(&path, text).unwrap();
    let (_test, mut page, scene) = opened(path.to_str().unwrap());
    assert!(
        scene["joints"]
            .as_array()
            .unwrap()
            .iter()
            .all(|j| j["in_skin"] == false)
    );
    assert!(page.ask(rig("heat", &[])).is_err(), "there is nothing to take");
    page.ask(json!({ "extract": { "detail": 0.5 } })).unwrap();
    let found = page.last("scene").clone();
    assert!(found["joints"].as_array().unwrap().len() > 8, "{}", found["name"]);
    page.ask(rig("heat", &[])).unwrap();
    let name = found["joints"][3]["name"].as_str().unwrap().to_owned();
    let moved = json!({ "command": "move_joint", "joint": name, "by": [0, 0.01, 0] });
    page.ask(rig("heat", &[moved])).unwrap();
    page.ask(json!({ "extract": { "detail": 0.5, "template": "quadruped" } }))
        .unwrap();
    let fitted = page.last("scene").clone();
    assert!(fitted["joints"].as_array().unwrap().len() > 8);
    // What does not fit is said, and what is open stays.
    let human = page.ask(json!({ "extract": { "detail": 0.5, "template": "humanoid", "names": "mixamo" } }));
    assert!(human.unwrap_err().contains("four legs"));
    assert!(page.ask(json!({ "extract": { "detail": 7 } })).is_err());
}
