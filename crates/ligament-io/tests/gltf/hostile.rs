//! Files that lie: each gets an error that names the location, and takes no memory.

use ligament_io::gltf::{Document, GltfFile};
use serde_json::{Value, json};

use crate::zoo;

fn error_of(bytes: &[u8]) -> String {
    let result = Document::from_bytes(bytes).and_then(|d| GltfFile::from_document(d, "bad"));
    match result {
        Ok(_) => panic!("this was read"),
        Err(error) => error.to_string(),
    }
}

/// The error after one change to the plain file's JSON.
fn spoiled(change: impl Fn(&mut Value)) -> String {
    let mut file = zoo::plain();
    change(&mut file.json);
    error_of(&file.glb())
}

#[test]
fn the_place_is_named() {
    let cases: Vec<(String, &str)> = vec![
        (spoiled(|j| j["nodes"][2]["children"] = json!([0])), "/nodes/0"),
        (
            spoiled(|j| j["nodes"][2]["children"] = json!([1])),
            "/nodes/2/children/0",
        ),
        (
            spoiled(|j| j["nodes"][0]["children"] = json!([99])),
            "/nodes/0/children/0",
        ),
        (
            spoiled(|j| j["nodes"][0]["rotation"] = json!([0, 0, 1])),
            "/nodes/0/rotation",
        ),
        (
            spoiled(|j| j["nodes"][0]["scale"] = json!([1, "x", 1])),
            "/nodes/0/scale",
        ),
        (
            spoiled(|j| j["nodes"][0]["translation"] = serde_json::from_str("[1e999, 0, 0]").unwrap()),
            "/nodes/0/translation",
        ),
        (spoiled(|j| j["nodes"][3]["mesh"] = json!(7)), "/nodes/3/mesh"),
        (spoiled(|j| j["nodes"][3]["skin"] = json!(-1)), "/nodes/3/skin"),
        (
            spoiled(|j| j["skins"][0]["joints"] = json!([0, 1, 77])),
            "/skins/0/joints/2",
        ),
        (spoiled(|j| j["skins"][0]["joints"] = json!([])), "/skins/0"),
        (
            spoiled(|j| j["accessors"][0]["count"] = json!(4_000_000_000u64)),
            "/accessors/0",
        ),
        (
            spoiled(|j| j["accessors"][0]["byteOffset"] = json!(u64::MAX)),
            "/accessors/0",
        ),
        (
            spoiled(|j| j["accessors"][0]["componentType"] = json!(5124)),
            "/accessors/0/componentType",
        ),
        (
            spoiled(|j| j["accessors"][0]["type"] = json!("VEC9")),
            "/accessors/0",
        ),
        (
            spoiled(|j| j["bufferViews"][0]["byteLength"] = json!(1u64 << 40)),
            "/bufferViews/0",
        ),
        (
            spoiled(|j| j["bufferViews"][0]["byteStride"] = json!(1)),
            "/accessors/0",
        ),
        (
            spoiled(|j| j["bufferViews"][0]["buffer"] = json!(3)),
            "/bufferViews/0/buffer",
        ),
        (spoiled(|j| j["accessors"][1]["count"] = json!(7)), "/accessors/1"),
        (
            spoiled(|j| j["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(99)),
            "'accessors' has no item 99",
        ),
        (
            spoiled(|j| j["animations"][0]["channels"][0]["sampler"] = json!(5)),
            "/animations/0/channels/0/sampler",
        ),
    ];
    for (message, expected) in cases {
        assert!(message.contains(expected), "expected '{expected}' in: {message}");
    }
}

#[test]
fn zeros_without_data_take_no_memory() {
    let message = spoiled(|j| {
        j["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        j["accessors"][0]["count"] = json!(3_000_000_000u64);
    });
    assert!(message.contains("/accessors/0"), "{message}");
}

#[test]
fn the_same_data_a_million_times_takes_no_memory() {
    let mut file = zoo::plain();
    // 400 kB of positions drawn by twenty thousand primitives would be 8 GB.
    let position = file.floats(&vec![0.5; 100_000], "VEC3", 3);
    file.json["accessors"][position]["count"] = json!(33_333);
    let primitives: Vec<Value> = (0..20_000)
        .map(|i| json!({ "attributes": { "POSITION": position, format!("_{i}"): 0 } }))
        .collect();
    file.json["meshes"][0]["primitives"] = json!(primitives);
    let message = error_of(&file.glb());
    assert!(message.contains("again and again"), "{message}");
}

#[test]
fn compressed_data_that_promises_too_much_takes_no_memory() {
    let mut file = zoo::all().into_iter().find(|(n, _)| *n == "meshopt").unwrap().1;
    for view in file.json["bufferViews"].as_array_mut().unwrap() {
        if let Some(extension) = view.pointer_mut("/extensions/EXT_meshopt_compression") {
            extension["count"] = json!(1_000_000_000);
        }
    }
    let message = error_of(&file.bytes());
    assert!(message.contains("more than its data can hold"), "{message}");
}

#[test]
fn containers_that_are_cut_or_lie() {
    let good = zoo::plain().glb();
    for length in [0, 3, 11, 12, 19, 20, 100, good.len() - 1] {
        error_of(&good[..length]);
    }
    let mut longer = good.clone();
    longer[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(error_of(&longer).contains("cut off"));
    let mut chunk = good.clone();
    chunk[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(error_of(&chunk).contains("longer than the file"));
    let mut version = good;
    version[4] = 1;
    assert!(error_of(&version).contains("version is 1"));
    assert!(error_of(b"solid cube\n").contains("not a glTF"));
    assert!(error_of(b"{ \"asset\": ").contains("JSON is broken"));
    assert!(error_of(br#"{"asset":{"version":"1.0"}}"#).contains("version is '1.0'"));
    assert!(error_of("[".repeat(100_000).as_bytes()).contains("glTF"));
    assert!(error_of(format!("{{\"a\":{}", "[".repeat(100_000)).as_bytes()).contains("recursion"));
}

#[test]
fn references_never_leave_the_models_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("model");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(folder.path().join("secret.bin"), [0u8; 4096]).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path().join("secret.bin"), inner.join("link.bin")).unwrap();
    let absolute = folder.path().join("secret.bin").display().to_string();
    let mut uris = vec![
        "../secret.bin",
        "%2e%2e/secret.bin",
        "a/../../secret.bin",
        "..\\secret.bin",
        &absolute,
        "",
    ];
    #[cfg(unix)]
    uris.push("link.bin");
    for uri in uris {
        let mut json = zoo::plain().json;
        json["buffers"] = json!([{ "byteLength": 4096, "uri": uri }]);
        let path = inner.join("model.gltf");
        std::fs::write(&path, json.to_string()).unwrap();
        let message = Document::open(&path).unwrap_err().to_string();
        assert!(message.contains("outside the model's folder"), "{uri}: {message}");
    }
}
