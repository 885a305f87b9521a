//! What nothing refers to goes; all else is as it was.

use ligament_io::gltf::{Document, GltfFile, WeightFormat};
use serde_json::Value;

use crate::zoo;

fn read(document: &Document) -> GltfFile {
    GltfFile::from_document(document.clone(), "x").unwrap()
}

#[test]
fn every_variation_reads_the_same_without_its_waste() {
    for (name, file) in zoo::all() {
        let whole = Document::from_bytes(&file.bytes()).unwrap();
        let before = read(&whole);
        // Weights written in a larger format leave the former ones behind.
        let wasteful = match &before.character().weights {
            Some(weights) => before.with_weights(weights, WeightFormat::F32).unwrap(),
            None => whole,
        };
        let compact = wasteful.compacted();
        let [wasteful_size, compact_size] = [&wasteful, &compact].map(|d| d.to_glb().unwrap().len());
        assert!(
            compact_size <= wasteful_size,
            "{name}: {wasteful_size} became {compact_size}"
        );
        let again = Document::from_bytes(&compact.to_glb().unwrap()).unwrap();
        let (after, before) = (read(&again), read(&wasteful));
        let (after, before) = (after.character(), before.character());
        assert_eq!(
            (&after.mesh, &after.skeleton),
            (&before.mesh, &before.skeleton),
            "{name}"
        );
        assert_eq!(
            (&after.weights, &after.clips),
            (&before.weights, &before.clips),
            "{name}"
        );
        assert_eq!(
            again.compacted().to_glb().unwrap(),
            compact.to_glb().unwrap(),
            "{name}: not all at once"
        );
    }
}

#[test]
fn unused_accessors_and_views_go_and_those_of_unknown_extensions_stay() {
    let (_, file) = zoo::all().into_iter().next().unwrap();
    let document = Document::from_bytes(&file.bytes()).unwrap();
    let count = |d: &Document, key: &str| d.json()[key].as_array().map_or(0, Vec::len);
    let plain = document.compacted();
    let with_waste = |extension: &str| {
        let mut json: Value = plain.json().clone();
        let mut chunk = plain.buffer(0).unwrap().to_vec();
        let at = chunk.len();
        chunk.extend([7; 4096]);
        let view = count(&plain, "bufferViews");
        json["bufferViews"]
            .as_array_mut()
            .unwrap()
            .push(serde_json::json!({"buffer": 0, "byteOffset": at, "byteLength": 4096}));
        json["accessors"].as_array_mut().unwrap().push(
            serde_json::json!({"bufferView": view, "componentType": 5121, "count": 4096, "type": "SCALAR"}),
        );
        json["buffers"][0]["byteLength"] = chunk.len().into();
        json["extensionsUsed"] = serde_json::json!([extension]);
        let mut text = serde_json::to_vec(&json).unwrap();
        text.resize(text.len().next_multiple_of(4), b' ');
        chunk.resize(chunk.len().next_multiple_of(4), 0);
        let mut glb = b"glTF\x02\0\0\0".to_vec();
        let total = 12 + 8 + text.len() + 8 + chunk.len();
        glb.extend((total as u32).to_le_bytes());
        for (kind, part) in [(b"JSON", &text), (b"BIN\0", &chunk)] {
            glb.extend((part.len() as u32).to_le_bytes());
            glb.extend(kind);
            glb.extend(part);
        }
        Document::from_bytes(&glb).unwrap()
    };
    let squeezed = with_waste("KHR_materials_unlit").compacted();
    assert!(count(&squeezed, "accessors") <= count(&plain, "accessors"));
    assert!(squeezed.buffer(0).unwrap().len() <= plain.buffer(0).unwrap().len());
    let kept = with_waste("VENDOR_unknown").compacted();
    assert_eq!(count(&kept, "accessors"), count(&plain, "accessors") + 1);
    assert_eq!(
        kept.buffer(0).unwrap().len(),
        plain.buffer(0).unwrap().len() + 4096
    );
}
