//! What the page looks at beside weights: voxels and what decided them, shapes that attract skin, left against right, motions.

use ligament::task::Task;
use ligament_app::asset::AssetRequest;
use ligament_app::bind::BindRequest;
use serde_json::json;

use crate::client::{Page, settings, studio};

fn u32s(frame: &[u8]) -> Vec<u32> {
    frame
        .chunks(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

fn last_of_kind(page: &Page, kind: u16) -> Vec<u8> {
    let is = |f: &&Vec<u8>| u16::from_le_bytes([f[2], f[3]]) == kind;
    page.frames.iter().rev().find(is).unwrap().clone()
}

/// How many leaves there are of each kind: inside, surface, bone, by winding number.
fn kinds(page: &mut Page) -> [usize; 4] {
    page.ask(json!({ "voxels": {} })).unwrap();
    let words = u32s(&last_of_kind(page, 7));
    let count = words[2] as usize;
    let mut kinds = [0; 4];
    for word in &words[5 + 3 * count..] {
        kinds[(word & 255) as usize] += 1;
    }
    kinds
}

#[test]
fn voxels_tell_what_decided_them() {
    let test = studio("sample:knight@2000");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let all = kinds(&mut page);
    assert!(all[..3].iter().all(|&n| n > 0), "{all:?}");
    // With views left out, fewer voxels are agreed on, and winding numbers decide more of them.
    let mut fewer = settings("voxel");
    fewer["options"] = json!({ "exclude_views": ["+y", "-y", "+z", "-z"] });
    page.ask(json!({ "bind": { "settings": fewer } })).unwrap();
    let with_fewer = kinds(&mut page);
    assert!(with_fewer[3] > all[3], "{all:?} and {with_fewer:?}");
    fewer["options"]["winding_numbers"] = false.into();
    page.ask(json!({ "bind": { "settings": fewer } })).unwrap();
    assert_eq!(kinds(&mut page)[3], 0, "they are not asked");
}

#[test]
fn painted_voxels_are_in_or_out() {
    let test = studio("sample:tube@400");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let before = kinds(&mut page);
    let ball = |inside: bool| json!({ "shape": { "sphere": { "centre": [0, 0.5, 0], "radius": 0.1 } }, "inside": inside });
    let mut painted = settings("voxel");
    painted["options"] = json!({ "paint": [ball(false)] });
    page.ask(json!({ "bind": { "settings": painted } })).unwrap();
    let emptied = kinds(&mut page);
    assert!(
        emptied[0] + emptied[2] < before[0] + before[2],
        "{before:?} {emptied:?}"
    );
    let command = page.state()["command"].as_str().unwrap();
    assert!(command.contains("--paint 'out:0,0.5,0,0.1'"), "{command}");
    // What is painted over is as if it had never been.
    painted["options"] = json!({ "paint": [ball(false), ball(true)] });
    page.ask(json!({ "bind": { "settings": painted } })).unwrap();
    assert_eq!(kinds(&mut page), before);
}

/// A shape pulls skin to its joint, is what the command line gives, and goes with the command that repeats the bind.
#[test]
fn shapes_attract_skin() {
    let input = "sample:tube@400";
    let test = studio(input);
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let scene = page.received.iter().find(|t| t.0 == "scene").unwrap().1.clone();
    let joints = scene["joints"].as_array().unwrap();
    let number = joints.iter().rposition(|j| j["in_skin"] == true).unwrap();
    let last = joints[number]["name"].as_str().unwrap().to_owned();
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let held = |page: &mut Page| {
        let ray = json!({ "origin": [0, 0.2, 9], "direction": [0, 0, -1], "pose": null, "slot": 0 });
        let picked = page.ask(json!({ "pick": ray })).unwrap();
        let all = picked["influences"].as_array().unwrap().clone();
        let of = all.iter().find(|i| i[0] == number as u64);
        of.map_or(0.0, |i| i[1].as_f64().unwrap())
    };
    let before = held(&mut page);
    // From the last joint back down to where the ray meets the skin.
    let at: Vec<f64> = (9..12)
        .map(|k| joints[number]["bind"][k].as_f64().unwrap())
        .collect();
    let offset = [-at[0], 0.2 - at[1], -at[2]];
    for shape in [
        json!({ "point": { "offset": offset } }),
        json!({ "ball": { "offset": offset, "radius": 0.08 } }),
        json!({ "box": { "offset": offset, "half_extent": [0.2, 0.05, 0.2] } }),
    ] {
        let mut shaped = settings("voxel");
        shaped["options"] = json!({ "shapes": [{ "joint": last, "shape": shape }] });
        page.ask(json!({ "bind": { "settings": shaped } })).unwrap();
        let now = held(&mut page);
        assert!(now > before + 0.2, "{shape}: {before} and {now}");
        let command = page.state()["command"].as_str().unwrap().to_owned();
        assert!(
            command.contains(&format!("--shape '{last}=")) || command.contains(&format!("--shape {last}=")),
            "{command}"
        );
        let written = page.ask(json!({ "export": { "format": "npz" } })).unwrap();
        let output = test.folder.path().join("by_command_line.npz");
        let request = BindRequest {
            asset: AssetRequest::of(input),
            output: Some(output.clone()),
            ..serde_json::from_value(shaped).unwrap()
        };
        ligament_app::bind::run(&request, &Task::unattended()).unwrap();
        assert!(std::fs::read(written["path"].as_str().unwrap()).unwrap() == std::fs::read(output).unwrap());
    }
    let nobody = json!({ "method": "voxel", "options": { "shapes": [{ "joint": "nobody", "shape": { "point": { "offset": [0, 0, 0] } } }] } });
    let message = page.ask(json!({ "bind": { "settings": nobody } })).unwrap_err();
    assert!(message.contains("nobody"), "{message}");
}

#[test]
fn a_symmetric_character_tells_who_mirrors_whom() {
    let test = studio("sample:athlete@1000");
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    let answer = page.ask(json!({ "mirror": {} })).unwrap();
    assert!(answer["share"].as_f64().unwrap() > 0.99);
    let frame = last_of_kind(&page, 10);
    let (vertices, joints) = (
        scene["vertices"].as_u64().unwrap(),
        scene["joints"].as_array().unwrap().len(),
    );
    assert_eq!(frame.len(), 16 + 4 * (vertices as usize + joints));
}

/// A character that came without motions has those that are made by code.
#[test]
fn a_figure_without_clips_walks() {
    let folder = tempfile::tempdir().unwrap();
    let mut figure = ligament::sample::make("athlete@1000").unwrap();
    figure.clips.clear();
    let file = folder.path().join("figure.glb");
    ligament_io::gltf::build(&figure)
        .unwrap()
        .document
        .save(&file)
        .unwrap();
    let test = studio(file.to_str().unwrap());
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    let clips = scene["clips"].as_array().unwrap();
    let names: Vec<&str> = clips.iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names[..3], ["builtin:idle", "builtin:walk", "builtin:run"]);
    assert_eq!(clips.last().unwrap()["kind"], "range");
    page.ask(json!({ "clip": { "clip": 1 } })).unwrap();
    let frame = last_of_kind(&page, 4);
    let (poses, joints) = (u32s(&frame)[3] as usize, u32s(&frame)[5] as usize);
    assert_eq!(frame.len(), 16 + 8 + 40 * poses * joints);
    assert!(poses > 10);
    // One foot goes ahead while the other stays behind: poses are not all the same.
    let pose = |k: usize| frame[24 + 40 * joints * k..24 + 40 * joints * (k + 1)].to_vec();
    assert!(pose(0) != pose(poses / 2));
    assert!(page.ask(json!({ "clip": { "clip": clips.len() - 1 } })).is_ok());
    assert!(page.ask(json!({ "clip": { "clip": clips.len() } })).is_err());
}
