//! Blend shapes go through every format that has them: names, offsets, normals, weights.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod motion;
mod smiling;
#[cfg(feature = "external-tools")]
mod with_others;

use glam::Vec3;
use ligament::Character;
use ligament_io::gltf::{Document, GltfFile, build};
use ligament_io::{fbx, usd};
use ligament_testkit::corpus;

use smiling::{file_order, smiling};

/// What a shape does to every vertex of its part.
type Moves = Vec<(Vec3, Vec3)>;

/// The shapes, each as its name, its weight, its part's first vertex and what it does. Vertices
/// count in the order of files; what moves less than `still` does not move.
fn shapes(c: &Character, order: &[usize], still: f32) -> Vec<(String, f32, usize, Moves)> {
    let mut all: Vec<_> = c
        .mesh
        .blend_shapes
        .iter()
        .map(|shape| {
            let mut dense = vec![(Vec3::ZERO, Vec3::ZERO); c.mesh.positions.len()];
            for (i, &v) in shape.vertices.iter().enumerate() {
                let normal = shape.normal_offsets.as_ref().map_or(Vec3::ZERO, |n| n[i]);
                if shape.offsets[i].length() > still || normal.length() > still {
                    dense[v as usize] = (shape.offsets[i], normal);
                }
            }
            let first = order
                .iter()
                .position(|&v| shape.part_vertices.contains(&v))
                .unwrap();
            let moves = order[first..first + shape.part_vertices.len()]
                .iter()
                .map(|&v| dense[v]);
            (shape.name.clone(), shape.weight, first, moves.collect())
        })
        .collect();
    all.sort_by_key(|s| s.2);
    all
}

/// The same shapes, whatever the order of parts in the file.
pub fn assert_same(a: &Character, b: &Character) {
    b.mesh.check().unwrap();
    let still = 1e-7 * a.mesh.diagonal();
    let (x, y) = (shapes(a, &file_order(a), still), shapes(b, &file_order(b), still));
    assert_eq!(x.len(), y.len(), "{}: shapes", a.name);
    for (x, y) in x.iter().zip(&y) {
        assert_eq!((&x.0, x.2), (&y.0, y.2), "{}", a.name);
        assert!(
            (x.1 - y.1).abs() < 1e-6,
            "{}: {} at {}, not {}",
            a.name,
            x.0,
            y.1,
            x.1
        );
        assert_eq!(x.3.len(), y.3.len());
        for (v, (p, q)) in x.3.iter().zip(&y.3).enumerate() {
            let apart = p.0.distance(q.0);
            assert!(
                apart <= 1e-6 * a.mesh.diagonal(),
                "{}: vertex {v} moves by {}, not {}",
                x.0,
                q.0,
                p.0
            );
            assert!(
                p.1.distance(q.1) < 1e-5,
                "{}: normal {v} by {}, not {}",
                x.0,
                q.1,
                p.1
            );
        }
    }
}

/// A character as the application has it: through a document.
fn through_gltf(c: &Character) -> Character {
    let file = GltfFile::from_document(build(c).unwrap().document, &c.name).unwrap();
    assert!(
        file.character().mesh.blend_shapes.is_empty(),
        "read only when asked for"
    );
    let mut again = file.character().as_ref().clone();
    again.mesh.blend_shapes = file.blend_shapes();
    again
}

/// A document of a character whose JSON is changed.
fn changed(c: &Character, change: impl FnOnce(&mut serde_json::Value)) -> Document {
    let glb = build(c).unwrap().document.to_glb().unwrap();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    change(&mut json);
    let mut text = serde_json::to_vec(&json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut bytes = glb[..8].to_vec();
    bytes.extend(((glb.len() - length + text.len()) as u32).to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(&glb[16..20]);
    bytes.extend(text);
    bytes.extend(&glb[20 + length..]);
    Document::from_bytes(&bytes).unwrap()
}

#[test]
fn gltf_keeps_them() {
    let c = smiling();
    assert_same(&c, &through_gltf(&c));
}

#[test]
fn fbx_keeps_them() {
    let c = smiling();
    let read = fbx::read(&fbx::write(&c).unwrap(), &c.name).unwrap();
    let codes: Vec<&str> = read.warnings.iter().map(|w| w.code).collect();
    assert!(!codes.iter().any(|c| c.contains("shape")), "{codes:?}");
    assert_same(&c, &read.character);
    assert_same(&c, &through_gltf(&read.character));
}

#[test]
fn usd_keeps_them_in_text_and_binary() {
    let c = smiling();
    let text = usd::write(&c).unwrap().into_bytes();
    for bytes in [text, usd::write_binary(&c).unwrap()] {
        let read = usd::read_bytes(&bytes, &c.name).unwrap();
        assert_eq!(read.warnings, []);
        assert_same(&c, &read.character);
        assert_same(&c, &through_gltf(&read.character));
    }
}

#[test]
fn weights_survive_in_usd_without_clips_and_for_shapes_of_one_name() {
    let mut c = smiling();
    c.clips.clear();
    // Two parts with a shape of one name, more of one than of the other.
    c.mesh.blend_shapes[3].name = c.mesh.blend_shapes[0].name.clone();
    c.mesh.blend_shapes[3].weight = 0.75;
    let read = usd::read_bytes(usd::write(&c).unwrap().as_bytes(), &c.name).unwrap();
    assert_eq!(read.character.clips, []);
    assert_same(&c, &read.character);
}

/// glTF as others wrote it, to FBX and USD and back.
#[test]
fn real_faces_keep_them() {
    let Some(corpus) = corpus() else { return };
    for (name, shapes, of) in [("robot_expressive.glb", 9, "Angry"), ("godette.vrm", 15, "")] {
        let file = GltfFile::open(&corpus.join("open").join(name)).unwrap();
        let mut c = file.character().as_ref().clone();
        c.mesh.blend_shapes = file.blend_shapes();
        assert_eq!(c.mesh.blend_shapes.len(), shapes, "{name}");
        assert!(
            of.is_empty() || c.mesh.blend_shapes[0].name == of,
            "{}",
            c.mesh.blend_shapes[0].name
        );
        assert!(c.mesh.blend_shapes.iter().any(|s| !s.vertices.is_empty()));
        c.clips.clear();
        let read = fbx::read(&fbx::write(&c).unwrap(), name).unwrap();
        assert_same(&c, &through_gltf(&read.character));
        let read = usd::read_bytes(&usd::write_binary(&c).unwrap(), name).unwrap();
        assert_same(&c, &through_gltf(&read.character));
    }
}

/// A target that cannot be read moves nothing and keeps its place in the list.
#[test]
fn a_broken_target_breaks_no_other() {
    let document = changed(&smiling(), |json| {
        let count = json["accessors"].as_array().unwrap().len();
        let target = json.pointer_mut("/meshes/0/primitives/0/targets/0").unwrap();
        target["POSITION"] = (count + 7).into();
        target["NORMAL"] = 0.into();
    });
    let file = GltfFile::from_document(document, "broken").unwrap();
    let found = file.blend_shapes();
    assert_eq!(found.len(), 4);
    let (broken, sound): (Vec<_>, Vec<_>) = found.iter().partition(|s| s.name == "smile");
    assert!(broken[0].vertices.is_empty());
    assert!(sound.iter().any(|s| !s.vertices.is_empty()));
}
