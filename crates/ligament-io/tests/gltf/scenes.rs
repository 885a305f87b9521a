//! Files with several scenes: one is the character, the others stay as they are.

use ligament::bind::{BindOptions, Method};
use ligament::task::Task;
use ligament::{Character, Weights};
use ligament_io::gltf::{Document, GltfError, GltfFile, GltfWarning, WeightFormat, build};
use serde_json::{Value, json};

fn bound(name: &str) -> Character {
    let mut c = ligament::sample::make(name).unwrap();
    let method = Method::named("closest").unwrap();
    let bound = method.bind_character(&c, &BindOptions::default(), &Task::unattended());
    c.weights = Some(bound.unwrap().weights);
    c
}

/// Every number that counts nodes, meshes and so on, moved up.
fn shift(value: &mut Value, by: &dyn Fn(&str) -> Option<u64>, key: &str) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(|v| shift(v, by, key)),
        Value::Object(fields) => fields.iter_mut().for_each(|(k, v)| shift(v, by, k)),
        Value::Number(n) => {
            if let (Some(by), Some(n)) = (by(key), n.as_u64()) {
                *value = (n + by).into();
            }
        }
        _ => {}
    }
}

/// A tube and a hound in one file, each in its own scene, and an empty scene before both.
fn two_scenes() -> Document {
    let (tube, hound) = (bound("tube@400"), bound("hound@800"));
    let parts = [&tube, &hound].map(|c| {
        let bytes = build(c).unwrap().document.to_glb().unwrap();
        let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        let json: Value = serde_json::from_slice(&bytes[20..20 + length]).unwrap();
        (json, bytes[28 + length..].to_vec())
    });
    let [(mut first, mut binary), (mut second, more)] = parts;
    let count = |list: &str| first[list].as_array().map_or(0, Vec::len) as u64;
    let counts = [
        "nodes",
        "meshes",
        "skins",
        "materials",
        "accessors",
        "bufferViews",
    ]
    .map(count);
    let [nodes, meshes, skins, materials, accessors, views] = counts;
    let by = |key: &str| match key {
        "nodes" | "children" | "joints" | "node" => Some(nodes),
        "mesh" => Some(meshes),
        "skin" => Some(skins),
        "material" => Some(materials),
        "input" | "output" | "indices" | "inverseBindMatrices" => Some(accessors),
        "POSITION" | "NORMAL" | "JOINTS_0" | "WEIGHTS_0" | "COLOR_0" | "TEXCOORD_0" => Some(accessors),
        "bufferView" => Some(views),
        _ => None,
    };
    for list in [
        "nodes",
        "meshes",
        "skins",
        "materials",
        "accessors",
        "bufferViews",
        "animations",
    ] {
        let mut items = second[list].take();
        // The outermost lists are named like what they hold.
        for item in items.as_array_mut().into_iter().flatten() {
            shift(item, &by, "");
        }
        if list == "bufferViews" {
            for view in items.as_array_mut().unwrap() {
                let offset = view.get("byteOffset").and_then(Value::as_u64).unwrap_or(0);
                view["byteOffset"] = (offset + binary.len() as u64).into();
            }
        }
        let items = items.as_array().cloned().unwrap_or_default();
        first[list].as_array_mut().unwrap().extend(items);
    }
    let mut roots = second["scenes"][0]["nodes"].take();
    shift(&mut roots, &by, "nodes");
    let tube_roots = first["scenes"][0]["nodes"].take();
    first["scenes"] =
        json!([{}, { "name": "tube", "nodes": tube_roots }, { "name": "hound", "nodes": roots }]);
    first["scene"] = 1.into();
    binary.extend(more);
    first["buffers"][0]["byteLength"] = binary.len().into();

    let mut text = serde_json::to_vec(&first).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let mut glb = b"glTF\x02\0\0\0".to_vec();
    glb.extend((28 + text.len() as u32 + binary.len() as u32).to_le_bytes());
    glb.extend((text.len() as u32).to_le_bytes());
    glb.extend(b"JSON");
    glb.extend(text);
    glb.extend((binary.len() as u32).to_le_bytes());
    glb.extend(b"BIN\0");
    glb.extend(binary);
    Document::from_bytes(&glb).unwrap()
}

/// The same body on as many joints.
fn assert_same(found: &Character, wanted: &Character) {
    let vertices = [found, wanted].map(|c| c.mesh.positions.len());
    assert_eq!(vertices[0], vertices[1]);
    let pairs = found.mesh.positions.iter().zip(&wanted.mesh.positions);
    assert!(pairs.into_iter().all(|(p, q)| p.distance(*q) < 1e-5));
    let joints = [found, wanted].map(|c| c.skeleton.joints.iter().filter(|j| j.in_skin).count());
    assert_eq!(joints[0], joints[1]);
}

fn saved(document: &Document) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("both.glb");
    document.save(&path).unwrap();
    (folder, path)
}

#[test]
fn the_first_scene_is_taken_and_said() {
    let file = GltfFile::from_document(two_scenes(), "both").unwrap();
    let tube = bound("tube@400");
    assert_same(file.character(), &tube);
    assert_eq!(file.character().clips.len(), tube.clips.len());
    let [GltfWarning::SeveralScenes { taken, others }] = file.warnings() else {
        panic!("{:?}", file.warnings())
    };
    assert_eq!(
        (taken.as_str(), others.as_slice()),
        ("tube", &["hound".to_owned()][..])
    );
}

#[test]
fn another_scene_is_taken_by_name_or_number() {
    let (_folder, path) = saved(&two_scenes());
    let hound = bound("hound@800");
    for asked in ["hound", "2"] {
        let file = GltfFile::open_scene(&path, asked).unwrap();
        assert_same(file.character(), &hound);
        assert_eq!(file.warnings(), []);
    }
    for asked in ["cat", "3", "-1", ""] {
        let Err(error @ GltfError::NoSuchScene { .. }) = GltfFile::open_scene(&path, asked) else {
            panic!("{asked} was found")
        };
        assert!(error.to_string().contains("0, 1 'tube', 2 'hound'"), "{error}");
    }
}

/// Weights of one scene's character change nothing of the other's, also after clips were added.
#[test]
fn the_other_scenes_stay_as_they_are() {
    let (_folder, path) = saved(&two_scenes());
    let hound = GltfFile::open_scene(&path, "hound").unwrap();
    let clip = ligament::Clip {
        name: "again".to_owned(),
        ..hound.character().clips[0].clone()
    };
    let hound = hound.with_clips(&[clip]).unwrap();
    assert_same(hound.character(), &bound("hound@800"));
    let root = vec![ligament::character::Influence {
        joint: hound.character().weights.as_ref().unwrap().of_vertex(0)[0].joint,
        weight: 1.0,
    }];
    let weights = Weights::new(hound.character().mesh.positions.iter().map(|_| root.as_slice())).unwrap();
    let document = hound.with_weights(&weights, WeightFormat::Keep).unwrap();
    let (_folder, path) = saved(&document);
    let (tube, before) = (GltfFile::open(&path).unwrap(), bound("tube@400"));
    assert_same(tube.character(), &before);
    let (ours, theirs) = (
        tube.character().weights.as_ref().unwrap(),
        before.weights.as_ref().unwrap(),
    );
    for (x, y) in ours.iter().zip(theirs.iter()) {
        let shares =
            |row: &[ligament::character::Influence]| row.iter().map(|i| i.weight).collect::<Vec<_>>();
        assert_eq!(shares(x), shares(y));
    }
    let changed = GltfFile::open_scene(&path, "hound").unwrap();
    let rows = changed.character().weights.as_ref().unwrap();
    assert!(rows.iter().all(|row| row == root.as_slice()));
}
