//! Maya's weights, opened by a parser that is not ours.

use std::process::Command;

use ligament_io::weights::{maya_json, maya_xml};
use ligament_testkit::{python_with_blender, run};

use crate::seeds;

/// A parser that is not ours finds the same numbers in Maya's files.
#[test]
fn python_opens_mayas_files() {
    let (weights, skeleton) = (seeds::some_weights(), seeds::skeleton());
    let folder = tempfile::tempdir().unwrap();
    let (xml, json) = (folder.path().join("w.xml"), folder.path().join("w.json"));
    std::fs::write(&xml, maya_xml::write(&weights, &skeleton)).unwrap();
    std::fs::write(&json, maya_json::write(&weights, &skeleton)).unwrap();
    let script = r#"
import json, sys, xml.etree.ElementTree as ET
root = ET.parse(sys.argv[1]).getroot()
assert root.tag == "deformerWeight" and len(root.find("headerInfo").get("worldMatrix").split()) == 16
for block in root.findall("weights"):
    assert int(block.get("size")) == len(block.findall("point"))
    for p in block.findall("point"):
        print(block.get("source"), p.get("index"), float(p.get("value")))
print("--")
for block in json.load(open(sys.argv[2]))["deformerWeight"]["weights"]:
    assert block["size"] == len(block["points"])
    for p in block["points"]:
        print(block["source"], p["index"], p["value"])
"#;
    let said = run(Command::new(python_with_blender())
        .args(["-c", script])
        .arg(&xml)
        .arg(&json));
    let (from_xml, from_json) = said.split_once("--\n").unwrap();
    let mut count = 0;
    for line in from_xml.lines().chain(from_json.lines()) {
        let mut words = line.rsplitn(3, ' ');
        let value: f32 = words.next().unwrap().parse().unwrap();
        let vertex: usize = words.next().unwrap().parse().unwrap();
        let joint = skeleton.find(words.next().unwrap()).unwrap();
        assert!((weights.weight(vertex, joint) - value).abs() < 1e-9, "{line}");
        count += 1;
    }
    assert_eq!(count, 2 * weights.influences().len());
}
