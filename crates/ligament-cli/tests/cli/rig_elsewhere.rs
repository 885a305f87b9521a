//! Skeletons for meshes that had none, opened and moved by other programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use glam::Quat;
use ligament_testkit::{node_tools, python_with_blender, run as run_tool};
use serde_json::{Value, json};

use crate::rig::rig;

#[test]
fn the_validator_and_blender_open_it() {
    let scripts = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/cli");
    let (_folder, path) = rig("sample:athlete@3000", &[]);
    let found = run_tool(
        Command::new("node")
            .arg(scripts.join("validate.mjs"))
            .arg(node_tools())
            .arg(&path),
    );
    assert!(
        found.contains("\"errors\":0") && found.contains("\"warnings\":0"),
        "{found}"
    );
    let groups = run_tool(
        Command::new(python_with_blender())
            .arg(scripts.join("read_groups.py"))
            .arg(&path),
    );
    assert!(groups.contains("left_upper_arm") && groups.contains("right_lower_leg"));
}

/// Writes a rigged file again with a clip that turns one joint by 0°, 20°, 40° and 60° about
/// its X axis.
fn with_a_clip(path: &Path, joint: &str) -> PathBuf {
    let bytes = std::fs::read(path).unwrap();
    let json_length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut json: Value = serde_json::from_slice(&bytes[20..20 + json_length]).unwrap();
    let mut binary = bytes[20 + json_length + 8..].to_vec();
    let nodes = json["nodes"].as_array().unwrap();
    let node = nodes.iter().position(|n| n["name"] == joint).unwrap();
    let rest: [f32; 4] = serde_json::from_value(nodes[node]["rotation"].clone()).unwrap();
    let times: Vec<f32> = (0..4).map(|k| k as f32 / 4.0).collect();
    let rotations: Vec<f32> = (0..4)
        .map(|k| Quat::from_array(rest) * Quat::from_rotation_x(k as f32 * 20f32.to_radians()))
        .flat_map(|q| q.to_array())
        .collect();
    let mut accessor = |values: &[f32], kind: &str| {
        let start = binary.len();
        binary.extend(values.iter().flat_map(|v| v.to_le_bytes()));
        let views = json["bufferViews"].as_array_mut().unwrap();
        views.push(json!({"buffer": 0, "byteOffset": start, "byteLength": 4 * values.len()}));
        let view = views.len() - 1;
        let accessors = json["accessors"].as_array_mut().unwrap();
        accessors.push(json!({
            "bufferView": view, "componentType": 5126, "count": 4, "type": kind,
            "min": [0.0], "max": [0.75],
        }));
        if kind != "SCALAR" {
            let last = accessors.last_mut().unwrap().as_object_mut().unwrap();
            last.retain(|key, _| key != "min" && key != "max");
        }
        accessors.len() - 1
    };
    let (input, output) = (accessor(&times, "SCALAR"), accessor(&rotations, "VEC4"));
    json["animations"] = json!([{
        "name": "turn",
        "samplers": [{"input": input, "output": output}],
        "channels": [{"sampler": 0, "target": {"node": node, "path": "rotation"}}],
    }]);
    json["buffers"][0]["byteLength"] = json!(binary.len());
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut file = b"glTF\x02\0\0\0".to_vec();
    file.extend((28 + text.len() as u32 + binary.len() as u32).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file.extend((binary.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(binary);
    let moving = path.with_file_name("moving.glb");
    std::fs::write(&moving, file).unwrap();
    moving
}

#[test]
fn blender_and_three_move_its_joints_as_we_do() {
    for (sample, joint) in [
        ("sample:athlete@3000", "left_lower_arm"),
        ("sample:hound@2000", "right_hind_lower_leg"),
    ] {
        let (_folder, path) = rig(sample, &[]);
        let moving = with_a_clip(&path, joint);
        crate::posed::check_with_three(&moving);
        crate::posed::check_with_blender(&moving, "turn");
    }
}
