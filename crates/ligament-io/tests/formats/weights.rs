//! Weights alone: written and read back, and what is refused.

use ligament::character::JointIndex;
use ligament_io::weights::{csv, dmat, maya_xml};

use crate::seeds;

#[test]
fn every_format_comes_back_as_written() {
    let (weights, skeleton) = (seeds::some_weights(), seeds::skeleton());
    for (name, bytes, read) in seeds::weight_files() {
        let again = read(&bytes, &skeleton, 4).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(again.vertex_count(), 4);
        for v in 0..4 {
            for joint in skeleton.indices() {
                let (a, b) = (again.weight(v, joint), weights.weight(v, joint));
                assert!(
                    (a - b).abs() <= 1e-7,
                    "{name}: vertex {v}, joint {joint:?}: {a} for {b}"
                );
            }
        }
        assert!(
            read(&bytes, &skeleton, 5).is_err(),
            "{name}: vertex 4 has no weight"
        );
        assert!(
            read(&bytes, &skeleton, 3).is_err(),
            "{name}: there is no vertex 3"
        );
        let mut other = skeleton.clone();
        other.joints[2].name = "other".to_owned();
        let message = read(&bytes, &other, 4).unwrap_err().to_string();
        assert!(message.contains("no joint 'head'"), "{name}: {message}");
    }
}

#[test]
fn mayas_default_values_namespaces_and_idle_influences() {
    let skeleton = seeds::skeleton();
    let xml = r#"<deformerWeight>
<shape name="s" group="7" stride="3" size="2" max="2"><point index="0" value=" 0.5 1 2"/></shape>
<weights deformer="d" source="|grp|rig:hips" shape="s" layer="0" defaultValue="1.0" size="1" max="1">
<point index="1" value="0.25"/></weights>
<weights deformer="d" source="head" shape="s" defaultValue="0.0"><point index="1" value="0.75"/></weights>
<weights deformer="d" source="lattice" shape="s" defaultValue="0.0"/></deformerWeight>"#;
    let weights = maya_xml::read(xml.as_bytes(), &skeleton, 3).unwrap();
    assert_eq!(weights.weight(0, JointIndex(0)), 1.0);
    assert_eq!(weights.weight(1, JointIndex(0)), 0.25);
    assert_eq!(weights.weight(2, JointIndex(0)), 1.0);
    assert_eq!(weights.weight(1, JointIndex(2)), 0.75);
    let two_shapes = xml.replacen("shape=\"s\"", "shape=\"t\"", 1);
    assert!(maya_xml::read(two_shapes.as_bytes(), &skeleton, 3).is_err());
    let twice = xml
        .replace("lattice", "hips")
        .replace("defaultValue=\"0.0\"/>", "defaultValue=\"0.5\"/>");
    assert!(
        maya_xml::read(twice.as_bytes(), &skeleton, 3)
            .unwrap_err()
            .to_string()
            .contains("two blocks")
    );
    assert!(maya_xml::read(b"<html></html>", &skeleton, 3).is_err());
    let cut = &xml[..xml.find("<weights deformer=\"d\" source=\"lattice").unwrap()];
    assert!(maya_xml::read(cut.as_bytes(), &skeleton, 3).is_err());
}

#[test]
fn csv_faults_name_the_line() {
    let skeleton = seeds::skeleton();
    let message = |text: &str| csv::read(text.as_bytes(), &skeleton, 2).unwrap_err().to_string();
    assert!(message("0,hips,1\n").contains("header"));
    assert!(message("vertex,joint,weight\n0,hips,-1\n").starts_with("line 2: -1 is no weight"));
    assert!(message("vertex,joint,weight\n\n0,hips,1\n0,nobody,1\n").starts_with("line 4: "));
    assert!(message("vertex,joint,weight\n0,hips,1\n").contains("vertex 1 has no weight"));
    let quoted = "Vertex, Joint, Weight\r\n0,hips,1\r\n1,\"the \"\"spine\"\", <middle>\",2\r\n";
    let weights = csv::read(quoted.as_bytes(), &skeleton, 2).unwrap();
    assert_eq!(weights.weight(1, JointIndex(1)), 1.0);
}

#[test]
fn dense_matrices_in_text_and_binary() {
    let skeleton = seeds::skeleton();
    let columns = [0, 0, 1].map(JointIndex);
    let text = "3 2\n0.25\n0\n0.25\n0\n0.5\n1\n";
    let weights = dmat::read(text.as_bytes(), &skeleton, &columns, 2).unwrap();
    assert_eq!(weights.weight(0, JointIndex(0)), 0.5);
    assert_eq!(weights.weight(1, JointIndex(1)), 1.0);
    let mut binary = b"0 0\n3 2\n".to_vec();
    for x in [0.25, 0.0, 0.25, -1e-17, 0.5, 1.0f64] {
        binary.extend(x.to_le_bytes());
    }
    assert_eq!(dmat::read(&binary, &skeleton, &columns, 2).unwrap(), weights);
    assert!(dmat::read(&binary[..30], &skeleton, &columns, 2).is_err());
    assert!(dmat::read(text.as_bytes(), &skeleton, &columns[..2], 2).is_err());
    assert!(dmat::read(text.as_bytes(), &skeleton, &columns, 3).is_err());
    assert!(dmat::read_matrix(b"99999999999 99999999999\n1\n").is_err());
    assert!(dmat::read_matrix(b"0 0\n999999999 999999999\n1\n").is_err());
}
