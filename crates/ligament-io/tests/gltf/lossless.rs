//! What binding does not concern survives: checked on the JSON and on the bytes.

use std::collections::BTreeSet;
use std::path::Path;

use ligament::Weights;
use ligament_io::gltf::{Document, GltfFile, WeightFormat};
use ligament_testkit::corpus_characters;
use serde_json::Value;

use crate::zoo;

/// The accessors that weights and joints of skinned primitives live in.
fn skin_accessors(json: &Value) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for mesh in json["meshes"].as_array().into_iter().flatten() {
        for primitive in mesh["primitives"].as_array().into_iter().flatten() {
            for (key, value) in primitive["attributes"].as_object().into_iter().flatten() {
                if key.starts_with("JOINTS_") || key.starts_with("WEIGHTS_") {
                    found.insert(value.as_u64().unwrap() as usize);
                }
            }
        }
    }
    found
}

/// The JSON with everything taken out that new weights may change.
fn without_skin(json: &Value) -> Value {
    let mut json = json.clone();
    let accessors = skin_accessors(&json);
    let there = json["accessors"].as_array().map_or(0, Vec::len);
    for i in accessors.into_iter().filter(|&i| i < there) {
        json["accessors"][i] = Value::Null;
    }
    if let Some(views) = json.get_mut("bufferViews").and_then(Value::as_array_mut) {
        views.truncate(0); // compared on the bytes, below
    }
    for buffer in json
        .get_mut("buffers")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        buffer["byteLength"] = Value::Null;
        buffer.as_object_mut().unwrap().remove("uri");
    }
    for mesh in json
        .get_mut("meshes")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        for primitive in mesh["primitives"].as_array_mut().into_iter().flatten() {
            primitive["attributes"]
                .as_object_mut()
                .unwrap()
                .retain(|k, _| !k.starts_with("JOINTS_") && !k.starts_with("WEIGHTS_"));
        }
    }
    json
}

/// Checks that `after` differs from `before` in nothing but the skin's accessors.
fn check_lossless(name: &str, before: &Document, after: &Document) {
    let (old, new) = (before.json(), after.json());
    let added = |key: &str| -> (usize, usize) {
        let count = |json: &Value| json.get(key).and_then(Value::as_array).map_or(0, Vec::len);
        (count(old), count(new))
    };
    // Everything that was there keeps its index; new accessors come after.
    let mut trimmed = new.clone();
    for key in ["accessors", "bufferViews", "buffers"] {
        let (before, after) = added(key);
        assert!(after >= before, "{name}: {key} went missing");
        if let Some(list) = trimmed.get_mut(key).and_then(Value::as_array_mut) {
            list.truncate(before);
        }
    }
    let mut expected = without_skin(old);
    let mut found = without_skin(&trimmed);
    // An accessor that new weights left or entered is free to differ.
    for i in skin_accessors(old).into_iter().chain(skin_accessors(&trimmed)) {
        if i < added("accessors").0 {
            expected["accessors"][i] = Value::Null;
            found["accessors"][i] = Value::Null;
        }
    }
    assert_eq!(expected, found, "{name}");
    assert_eq!(
        serde_json::to_string(&expected).unwrap(),
        serde_json::to_string(&found).unwrap(),
        "{name}: order of keys or digits of numbers changed"
    );

    // Bytes: all views that no skin accessor uses are the same, byte by byte.
    let skin_views: BTreeSet<u64> = skin_accessors(old)
        .into_iter()
        .filter_map(|i| old["accessors"][i]["bufferView"].as_u64())
        .collect();
    for (i, view) in old["bufferViews"].as_array().into_iter().flatten().enumerate() {
        assert_eq!(view, &new["bufferViews"][i], "{name}: view {i}");
        let buffer = view["buffer"].as_u64().unwrap() as usize;
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let end = start + view["byteLength"].as_u64().unwrap() as usize;
        let (Some(a), Some(b)) = (before.buffer(buffer), after.buffer(buffer)) else {
            continue;
        };
        if a.is_empty() {
            continue; // a placeholder
        }
        if !skin_views.contains(&(i as u64)) {
            assert_eq!(
                a[start..end],
                b[start..end],
                "{name}: the bytes of view {i} changed"
            );
        }
    }
}

fn rebind(gltf: &GltfFile) -> Document {
    let c = gltf.character();
    let joint = |v: usize| {
        let part = c.mesh.part_of_vertex(v).unwrap();
        match (&part.joints, part.attachment) {
            (Some(own), _) => own[v % own.len()],
            (None, ligament::character::PartAttachment::Rigid(j)) => j,
            _ => c
                .skeleton
                .indices()
                .find(|&j| c.skeleton.joint(j).in_skin)
                .unwrap(),
        }
    };
    let weights = Weights::rigid((0..c.mesh.positions.len()).map(joint));
    gltf.with_weights(&weights, WeightFormat::Keep).unwrap()
}

#[test]
fn the_zoo_keeps_everything_else() {
    for (name, file) in zoo::all().into_iter().chain([("helmet", zoo::rigid_helmet())]) {
        let before = Document::from_bytes(&file.bytes()).unwrap();
        let gltf = GltfFile::from_document(before.clone(), name).unwrap();
        check_lossless(name, &before, &rebind(&gltf));
    }
}

#[test]
fn real_characters_keep_everything_else() {
    for path in corpus_characters() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let before = Document::open(&path).unwrap();
        let gltf = GltfFile::open(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let after = rebind(&gltf);
        check_lossless(&name, &before, &after);
        // And through the container: what is written reads back the same.
        let again = Document::from_bytes(&after.to_glb().unwrap()).unwrap();
        assert_eq!(
            again.json(),
            Document::from_bytes(&again.to_glb().unwrap()).unwrap().json(),
            "{name}"
        );
        check_lossless(&name, &before, &again);
    }
}

#[test]
fn an_untouched_document_is_written_as_it_was() {
    for (name, file) in zoo::all() {
        let bytes = file.bytes();
        let document = Document::from_bytes(&bytes).unwrap();
        let again = Document::from_bytes(&document.to_glb().unwrap()).unwrap();
        assert_eq!(document.json().to_string(), again.json().to_string(), "{name}");
        assert_eq!(document.buffer(0), again.buffer(0), "{name}");
    }
}

#[test]
fn numbers_keep_their_digits() {
    let text =
        br#"{"asset":{"version":"2.0"},"extras":[1.10,1e-05,100000000000000000000001,0.30000001192092896]}"#;
    let out = Document::from_bytes(text).unwrap().json().to_string();
    assert!(
        out.contains("[1.10,1e-05,100000000000000000000001,0.30000001192092896]"),
        "{out}"
    );
}

/// A `.gltf` with its buffer and a texture beside it.
fn folder_with_gltf(folder: &Path) -> std::path::PathBuf {
    let file = zoo::plain();
    let mut json = file.json.clone();
    json["buffers"] = serde_json::json!([{ "byteLength": file.bin.len(), "uri": "the%20strip.bin" }]);
    json["images"] = serde_json::json!([{ "uri": "textures/cloth.png" }]);
    std::fs::create_dir_all(folder.join("textures")).unwrap();
    std::fs::write(folder.join("the strip.bin"), &file.bin).unwrap();
    std::fs::write(folder.join("textures/cloth.png"), b"\x89PNG picture").unwrap();
    let path = folder.join("strip.gltf");
    std::fs::write(&path, json.to_string()).unwrap();
    path
}

#[test]
fn files_beside_the_model_are_found_and_carried_along() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let gltf = GltfFile::open(&folder_with_gltf(from.path())).unwrap();
    let document = rebind(&gltf);

    // As .gltf: the buffer in a file of its own, the texture copied.
    let out = to.path().join("out.gltf");
    document.save(&out).unwrap();
    let again = GltfFile::open(&out).unwrap();
    assert_eq!(again.character().mesh, gltf.character().mesh);
    assert_eq!(
        std::fs::read(to.path().join("textures/cloth.png")).unwrap(),
        b"\x89PNG picture"
    );

    // As .glb: one file that holds everything.
    let out = to.path().join("alone.glb");
    document.save(&out).unwrap();
    let alone = Document::open(&out).unwrap();
    assert!(alone.json()["buffers"][0].get("uri").is_none());
    assert!(alone.json()["images"][0]["bufferView"].is_u64());
    assert_eq!(alone.json()["images"][0]["mimeType"], "image/png");
    check_lossless_but_images(gltf.document(), &alone);
}

fn check_lossless_but_images(before: &Document, after: &Document) {
    for key in [
        "nodes",
        "skins",
        "materials",
        "animations",
        "extras",
        "extensions",
        "scenes",
    ] {
        assert_eq!(before.json()[key], after.json()[key], "{key}");
    }
}

#[test]
fn a_texture_never_overwrites_another_file() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let gltf = GltfFile::open(&folder_with_gltf(from.path())).unwrap();
    std::fs::create_dir_all(to.path().join("textures")).unwrap();
    std::fs::write(to.path().join("textures/cloth.png"), b"precious").unwrap();
    let error = rebind(&gltf).save(&to.path().join("out.gltf")).err().unwrap();
    assert!(error.to_string().contains("cloth.png"), "{error}");
    assert_eq!(
        std::fs::read(to.path().join("textures/cloth.png")).unwrap(),
        b"precious"
    );
    assert!(!to.path().join("out.gltf").exists());
}

#[test]
fn data_uris_are_read_and_kept() {
    use base64::Engine;
    let file = zoo::plain();
    let mut json = file.json.clone();
    let text = base64::engine::general_purpose::STANDARD.encode(&file.bin);
    json["buffers"] = serde_json::json!([{
        "byteLength": file.bin.len(),
        "uri": format!("data:application/octet-stream;base64,{text}"),
    }]);
    let gltf = GltfFile::from_document(
        Document::from_bytes(json.to_string().as_bytes()).unwrap(),
        "inline",
    )
    .unwrap();
    assert_eq!(gltf.character().mesh.positions.len(), 8);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("inline.gltf");
    rebind(&gltf).save(&out).unwrap();
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        1,
        "no file beside it"
    );
    let again = GltfFile::open(&out).unwrap();
    assert_eq!(again.character().mesh, gltf.character().mesh);
}
