//! Draco: what its encoders made is read as what went in, and is plain from then on.

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute,
};
use ligament::character::{Character, Influence};
use ligament_io::gltf::{Document, GltfFile, GltfWarning, WeightFormat};
use serde_json::{Value, json};

use crate::mutations::MEASURING;
use crate::zoo::{self, File};

const EXTENSION: &str = "KHR_draco_mesh_compression";

/// Draco's numbers for its methods.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Method {
    Sequential = 0,
    Edgebreaker = 1,
}

pub fn open(bytes: &[u8]) -> GltfFile {
    GltfFile::from_document(Document::from_bytes(bytes).unwrap(), "draco").unwrap()
}

fn error_of(file: &File) -> String {
    let result = Document::from_bytes(&file.glb()).and_then(|d| GltfFile::from_document(d, "bad"));
    match result {
        Ok(_) => panic!("this was read"),
        Err(error) => error.to_string(),
    }
}

/// The numbers of an accessor without stride or sparse values.
fn numbers(file: &File, accessor: &Value) -> (Vec<u8>, DataType, u8, usize) {
    let view = &file.json["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let start = view["byteOffset"].as_u64().unwrap_or(0) + accessor["byteOffset"].as_u64().unwrap_or(0);
    let kind = match accessor["componentType"].as_u64().unwrap() {
        5121 => DataType::Uint8,
        5123 => DataType::Uint16,
        5125 => DataType::Uint32,
        5126 => DataType::Float32,
        other => panic!("component type {other}"),
    };
    let width = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        other => panic!("type {other}"),
    };
    let count = accessor["count"].as_u64().unwrap() as usize;
    let bytes = &file.bin[start as usize..][..count * usize::from(width) * kind.byte_length()];
    (bytes.to_vec(), kind, width, count)
}

/// The file with every primitive compressed, without loss.
pub fn compress(mut file: File, method: Method) -> File {
    let accessors = file.json["accessors"].clone();
    let at = |index: &Value| &accessors[index.as_u64().unwrap() as usize];
    for m in 0..file.json["meshes"].as_array().unwrap().len() {
        for p in 0..file.json["meshes"][m]["primitives"].as_array().unwrap().len() {
            let primitive = file.json["meshes"][m]["primitives"][p].clone();
            let mut mesh = Mesh::new();
            let mut ids = json!({});
            for (name, index) in primitive["attributes"].as_object().unwrap() {
                let (bytes, kind, width, count) = numbers(&file, at(index));
                let meaning = match name.as_str() {
                    "POSITION" => GeometryAttributeType::Position,
                    "NORMAL" => GeometryAttributeType::Normal,
                    _ => GeometryAttributeType::Generic,
                };
                let mut attribute = PointAttribute::new();
                let normalized = at(index)["normalized"].as_bool().unwrap_or(false);
                attribute.init(meaning, width, kind, normalized, count);
                attribute.buffer_mut().write(0, &bytes);
                mesh.set_num_points(count);
                let id = mesh.add_attribute(attribute);
                ids[name] = json!(mesh.attribute(id).unique_id());
            }
            let (bytes, kind, _, _) = numbers(&file, at(&primitive["indices"]));
            assert_eq!(kind, DataType::Uint16);
            mesh.set_num_faces(bytes.len() / 6);
            mesh.set_faces_from_le_u16_indices(&bytes);
            let mut options = EncoderOptions::new();
            options.set_encoding_method(method as i32);
            let mut encoder = MeshEncoder::new();
            encoder.set_mesh(mesh);
            let mut out = EncoderBuffer::new();
            encoder.encode(&options, &mut out).unwrap();
            let view = file.view(out.data());
            file.json["meshes"][m]["primitives"][p]["extensions"] =
                json!({ EXTENSION: { "bufferView": view, "attributes": ids } });
            for index in primitive["attributes"].as_object().unwrap().values() {
                remove_data(&mut file, index);
            }
            remove_data(&mut file, &primitive["indices"]);
        }
    }
    for key in ["extensionsUsed", "extensionsRequired"] {
        file.push(key, json!(EXTENSION));
    }
    file
}

fn remove_data(file: &mut File, accessor: &Value) {
    let accessor = &mut file.json["accessors"][accessor.as_u64().unwrap() as usize];
    accessor.as_object_mut().unwrap().remove("bufferView");
    accessor.as_object_mut().unwrap().remove("byteOffset");
}

/// Files of the zoo that hold nothing that [`compress`] cannot take.
fn simple_files() -> Vec<(&'static str, File)> {
    let simple = [
        "plain",
        "weights_u8",
        "weights_u16",
        "joints_u16",
        "two_sets",
        "shared_vertices",
        "scaled_armature",
        "morph_targets",
        "two_skins",
        "matrix_nodes",
    ];
    let files = zoo::all().into_iter();
    files.filter(|(name, _)| simple.contains(name)).collect()
}

/// Compressed files for others to break, each with the place of its first Draco data.
pub fn seeds() -> Vec<(Vec<u8>, usize)> {
    let mut seeds = Vec::new();
    for method in [Method::Sequential, Method::Edgebreaker] {
        for (_, file) in simple_files() {
            let file = compress(file, method);
            let view = &file.json["meshes"][0]["primitives"][0]["extensions"][EXTENSION]["bufferView"];
            let offset = file.json["bufferViews"][view.as_u64().unwrap() as usize]["byteOffset"].as_u64();
            let glb = file.glb();
            let bin = glb.len() - file.bin.len().next_multiple_of(4);
            seeds.push((glb, bin + offset.unwrap() as usize));
        }
    }
    seeds
}

/// Nothing of Draco is left in a document, and its accessors have their data.
pub fn assert_plain(document: &Document) {
    assert!(!document.json().to_string().contains("draco"));
    let bytes = document.to_glb().unwrap();
    gltf::Gltf::from_slice(&bytes).unwrap();
}

pub fn draco_warnings(gltf: &GltfFile) -> Vec<&GltfWarning> {
    let warnings = gltf.warnings().iter();
    warnings
        .filter(|w| matches!(w, GltfWarning::DracoExpanded { .. }))
        .collect()
}

/// The influences of a vertex by joint name, without zeros.
fn influences(character: &Character, vertex: usize) -> Vec<(&str, f32)> {
    let list: &[Influence] = character.weights.as_ref().unwrap().of_vertex(vertex);
    let mut named: Vec<(&str, f32)> = list
        .iter()
        .filter(|i| i.weight > 0.0)
        .map(|i| (character.skeleton.joint(i.joint).name.as_str(), i.weight))
        .collect();
    named.sort_by(|a, b| a.0.cmp(b.0));
    named
}

#[test]
fn sequential_data_reads_as_the_very_same_character() {
    for (name, file) in simple_files() {
        let primitives = file.json["meshes"].as_array().unwrap().iter();
        let primitives: usize = primitives
            .map(|m| m["primitives"].as_array().unwrap().len())
            .sum();
        let plain = open(&file.glb());
        let compressed = open(&compress(file, Method::Sequential).glb());
        let (a, b) = (plain.character(), compressed.character());
        // Primitives that shared vertices are compressed one by one: each has them all.
        for (x, y) in a.mesh.parts.iter().zip(&b.mesh.parts) {
            assert_eq!(x.vertices.len(), y.vertices.len(), "{name}");
            let faces = |c: &Character, part: &ligament::Part| -> Vec<[u32; 3]> {
                let faces = c.mesh.triangles[part.triangles.clone()].iter();
                faces.map(|f| f.map(|v| v - part.vertices.start as u32)).collect()
            };
            assert_eq!(faces(a, x), faces(b, y), "{name}");
            for (v, w) in x.vertices.clone().zip(y.vertices.clone()) {
                assert_eq!(a.mesh.positions[v], b.mesh.positions[w], "{name}");
                assert_eq!(influences(a, v), influences(b, w), "{name}");
            }
        }
        assert_eq!(a.mesh.parts.len(), b.mesh.parts.len(), "{name}");
        assert_eq!(a.skeleton, b.skeleton, "{name}");
        assert_eq!(
            draco_warnings(&compressed),
            [&GltfWarning::DracoExpanded { primitives }]
        );
        assert!(!draco_warnings(&compressed)[0].is_fault());
        assert_plain(compressed.document());
    }
}

#[test]
fn reordered_data_reads_as_the_same_character() {
    for (name, file) in simple_files() {
        let plain = open(&file.glb());
        let compressed = open(&compress(file, Method::Edgebreaker).glb());
        assert_same_shape(name, plain.character(), compressed.character(), 0.0, 0.0);
    }
}

#[test]
fn weights_are_written_into_what_was_compressed() {
    for method in [Method::Sequential, Method::Edgebreaker] {
        for (name, file) in simple_files() {
            let gltf = open(&compress(file, method).glb());
            let joints: Vec<_> = (gltf.character().skeleton.indices())
                .filter(|&j| gltf.character().skeleton.joint(j).in_skin)
                .collect();
            let vertices = gltf.character().mesh.positions.len();
            // By location, so that vertices in the same place agree.
            let pick = |v: usize| usize::from(gltf.character().mesh.positions[v].y > 1.0);
            let weights = ligament::Weights::rigid((0..vertices).map(|v| joints[pick(v)]));
            let document = gltf.with_weights(&weights, WeightFormat::Keep).unwrap();
            assert_plain(&document);
            let again = open(&document.to_glb().unwrap());
            assert!(draco_warnings(&again).is_empty(), "{name}");
            assert_eq!(
                again.character().mesh.positions,
                gltf.character().mesh.positions,
                "{name}"
            );
            assert_eq!(
                again.character().mesh.triangles,
                gltf.character().mesh.triangles,
                "{name}"
            );
            let read = again.character().weights.as_ref().unwrap();
            for v in 0..vertices {
                assert_eq!(read.weight(v, joints[pick(v)]), 1.0, "{name} {method:?}: {v}");
            }
        }
    }
}

#[test]
fn all_else_in_the_document_stays() {
    let before = compress(zoo::plain(), Method::Sequential);
    let gltf = open(&before.glb());
    let mut after = gltf.document().json().clone();
    let mut expected = before.json.clone();
    expected["extensionsUsed"] = json!(["VENDOR_unknown"]);
    expected.as_object_mut().unwrap().remove("extensionsRequired");
    let primitive = &mut expected["meshes"][0]["primitives"][0];
    primitive.as_object_mut().unwrap().remove("extensions");
    // What was appended, and what the accessors got.
    let views = before.json["bufferViews"].as_array().unwrap().len();
    for (i, accessor) in after["accessors"].as_array_mut().unwrap().iter_mut().enumerate() {
        let view = accessor["bufferView"].as_u64().unwrap() as usize;
        if before.json["accessors"][i].get("bufferView").is_none() {
            assert!(view >= views);
            accessor.as_object_mut().unwrap().remove("bufferView");
        }
    }
    after["bufferViews"].as_array_mut().unwrap().truncate(views);
    after.as_object_mut().unwrap().remove("buffers");
    let round = |x: &Value| -> Value { serde_json::from_str(&x.to_string()).unwrap() };
    // Bounds of what was stored as floats are written with their digits.
    after["accessors"][0]["min"] = json!([-0.2, 0.0, 0.0]);
    let most = after["accessors"][0]["max"][1].as_f64().unwrap();
    assert!((most - 1.8).abs() < 1e-6);
    after["accessors"][0]["max"] = json!([0.2, 1.8, 0.0]);
    assert_eq!(round(&after), round(&expected));
}

#[test]
fn plain_data_beside_the_compressed_is_used() {
    let mut file = compress(zoo::plain(), Method::Edgebreaker);
    // A file for readers without Draco as well: the accessors keep their views.
    let plain = zoo::plain();
    file.json["accessors"] = plain.json["accessors"].clone();
    file.json.as_object_mut().unwrap().remove("extensionsRequired");
    let gltf = open(&file.glb());
    assert_eq!(gltf.character().mesh, open(&plain.glb()).character().mesh);
    assert_eq!(
        draco_warnings(&gltf),
        [&GltfWarning::DracoExpanded { primitives: 1 }]
    );
    // Else the weights in the compressed data would outlive new ones.
    assert_plain(gltf.document());
    assert_eq!(
        gltf.document().buffer(0).unwrap().len(),
        file.bin.len().next_multiple_of(4)
    );
}

#[test]
fn broken_data_is_an_error_that_names_its_place() {
    let good = compress(zoo::plain(), Method::Edgebreaker);
    let location = format!("/meshes/0/primitives/0/extensions/{EXTENSION}");
    let view = good
        .json
        .pointer(&format!("{location}/bufferView"))
        .unwrap()
        .as_u64();
    let view = view.unwrap() as usize;
    let spoil = |change: &dyn Fn(&mut File)| {
        let mut file = good.clone();
        change(&mut file);
        error_of(&file)
    };
    let extension = |f: &mut File, key: &str, value: Value| {
        f.json.pointer_mut(&location).unwrap()[key] = value;
    };
    let cut = spoil(&|f| f.json["bufferViews"][view]["byteLength"] = json!(20));
    assert!(cut.contains(&location) && cut.contains("broken"), "{cut}");
    let noise = spoil(&|f| {
        let start = f.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
        f.bin[start..start + 4].fill(0x5A);
    });
    assert!(noise.contains(&location) && noise.contains("broken"), "{noise}");
    let old = spoil(&|f| {
        let start = f.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
        f.bin[start + 5..start + 7].copy_from_slice(&[1, 0]);
    });
    assert!(old.contains(&location), "{old}");
    let missing = spoil(&|f| extension(f, "bufferView", json!(99)));
    assert!(missing.contains(&format!("{location}/bufferView")), "{missing}");
    let other = spoil(&|f| extension(f, "attributes", json!({ "POSITION": 77 })));
    assert!(
        other.contains(&format!("{location}/attributes/POSITION")),
        "{other}"
    );
    let width = spoil(&|f| f.json["accessors"][0]["type"] = json!("VEC2"));
    assert!(
        width.contains(&format!("{location}/attributes/POSITION")),
        "{width}"
    );
    let kind = spoil(&|f| f.json["accessors"][0]["componentType"] = json!(5123));
    assert!(
        kind.contains(&format!("{location}/attributes/POSITION")),
        "{kind}"
    );
    let indices = spoil(&|f| f.json["accessors"][3]["componentType"] = json!(5126));
    assert!(indices.contains("/accessors/3"), "{indices}");
    let points = spoil(&|f| f.json["meshes"][0]["primitives"][0]["mode"] = json!(0));
    assert!(points.contains("/meshes/0/primitives/0"), "{points}");
}

/// The plain file with its mesh replaced by one triangle and `points` equal vertices, which
/// take next to nothing when compressed.
fn crowd(points: usize) -> File {
    let mut attribute = PointAttribute::new();
    attribute.init(
        GeometryAttributeType::Position,
        3,
        DataType::Float32,
        false,
        points,
    );
    let mut mesh = Mesh::new();
    mesh.set_num_points(points);
    mesh.add_attribute(attribute);
    mesh.set_num_faces(1);
    mesh.set_faces_from_flat_indices(&[0, 1, 2]);
    let mut options = EncoderOptions::new();
    options.set_encoding_method(Method::Sequential as i32);
    options.set_attribute_quantization(0, 11);
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).unwrap();
    assert!(out.data().len() < 1000, "{}", out.data().len());
    let mut file = zoo::plain();
    let view = file.view(out.data());
    for index in [0, 3] {
        remove_data(&mut file, &json!(index));
    }
    file.json["meshes"][0]["primitives"] = json!([{
        "attributes": { "POSITION": 0 },
        "indices": 3,
        "extensions": { EXTENSION: { "bufferView": view, "attributes": { "POSITION": 0 } } },
    }]);
    file
}

#[test]
fn data_that_unfolds_without_end_takes_no_memory() {
    // Making such data does take memory, which must not be taken for the reader's.
    let _lock = MEASURING.lock().unwrap();
    assert_eq!(open(&crowd(1000).glb()).character().mesh.positions.len(), 1000);
    let message = error_of(&crowd(400_000));
    assert!(message.contains("far more than"), "{message}");
    // Not much at once, but again and again: into accessors of their own …
    let mut file = crowd(10_000);
    let primitive = file.json["meshes"][0]["primitives"][0].clone();
    let mut primitives = vec![primitive.clone()];
    for _ in 0..200 {
        let mut copy = primitive.clone();
        let accessor = file.json["accessors"][0].clone();
        copy["attributes"]["POSITION"] = json!(file.push("accessors", accessor));
        primitives.push(copy);
    }
    file.json["meshes"][0]["primitives"] = json!(primitives);
    let message = error_of(&file);
    assert!(message.contains("far more than"), "{message}");
    // … or from two views by turns, where nothing is kept.
    let view = primitive["extensions"][EXTENSION]["bufferView"].as_u64().unwrap() as usize;
    let view = file.json["bufferViews"][view].clone();
    let view = file.push("bufferViews", view);
    let mut other = primitive.clone();
    other["extensions"][EXTENSION]["bufferView"] = json!(view);
    let by_turns: Vec<Value> = (0..200)
        .map(|i| {
            let mut copy = if i % 2 == 0 {
                primitive.clone()
            } else {
                other.clone()
            };
            copy["attributes"] = json!({});
            copy
        })
        .collect();
    file.json["meshes"][0]["primitives"] = json!(by_turns);
    let message = error_of(&file);
    assert!(message.contains("far more than"), "{message}");
}

#[test]
fn indices_are_as_wide_as_they_must_be() {
    for (stated, found) in [(Some(5121), 5121), (Some(5125), 5125), (None, 5123)] {
        let mut file = compress(zoo::plain(), Method::Edgebreaker);
        match stated {
            Some(code) => file.json["accessors"][3]["componentType"] = json!(code),
            None => {
                let primitive = &mut file.json["meshes"][0]["primitives"][0];
                primitive.as_object_mut().unwrap().remove("indices");
            }
        }
        let gltf = open(&file.glb());
        assert_eq!(gltf.character().mesh.triangles.len(), 6);
        let json = gltf.document().json();
        let indices = json["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize;
        assert_eq!(json["accessors"][indices]["componentType"], json!(found));
    }
}

/// Part by part: as many triangles, of the same area, and at every vertex one of the other
/// character's with the same weights.
pub fn assert_same_shape(name: &str, a: &Character, b: &Character, position_bits: f32, weight_error: f32) {
    assert_eq!(a.mesh.parts.len(), b.mesh.parts.len(), "{name}");
    for (x, y) in a.mesh.parts.iter().zip(&b.mesh.parts) {
        assert_eq!(x.name, y.name, "{name}");
        let area = |c: &Character, part: &ligament::Part| -> f64 {
            let corners = |f: &[u32; 3]| f.map(|v| c.mesh.positions[v as usize].as_dvec3());
            let faces = c.mesh.triangles[part.triangles.clone()].iter().map(corners);
            faces.map(|[p, q, r]| (q - p).cross(r - p).length() / 2.0).sum()
        };
        let (before, after) = (area(a, x), area(b, y));
        assert!(
            (before - after).abs() <= 0.01 * before,
            "{name} {}: area {before} became {after}",
            x.name
        );
        // Triangles without three corners are lost in compression.
        let count = |c: &Character, part: &ligament::Part| {
            let corners = |f: &&[u32; 3]| f.map(|v| c.mesh.positions[v as usize]);
            let faces = c.mesh.triangles[part.triangles.clone()].iter();
            faces
                .filter(|f| {
                    let [p, q, r] = corners(f);
                    p != q && q != r && r != p
                })
                .count()
        };
        assert_eq!(count(a, x), count(b, y), "{name} {}", x.name);
        let own = &a.mesh.positions[x.vertices.clone()];
        let Some(&first) = own.first() else { continue };
        let (low, high) = own.iter().fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
        // Half a step in each direction, and what floats lose.
        let step = if position_bits > 0.0 {
            (high - low).max_element() / (position_bits.exp2() - 1.0)
        } else {
            0.0
        };
        let reach = 0.5 * 3f32.sqrt() * step * 1.02 + 1e-6 * (high - low).max_element();
        let mut order: Vec<usize> = x.vertices.clone().collect();
        order.sort_by(|&v, &w| a.mesh.positions[v].x.total_cmp(&a.mesh.positions[w].x));
        for w in y.vertices.clone() {
            let p = b.mesh.positions[w];
            let start = order.partition_point(|&v| a.mesh.positions[v].x < p.x - reach);
            let near = order[start..]
                .iter()
                .take_while(|&&v| a.mesh.positions[v].x <= p.x + reach)
                .filter(|&&v| a.mesh.positions[v].distance(p) <= reach);
            let agrees = |&&v: &&usize| {
                let (one, other) = (influences(a, v), influences(b, w));
                let weight = |list: &[(&str, f32)], joint: &str| {
                    list.iter().find(|i| i.0 == joint).map_or(0.0, |i| i.1)
                };
                let joints = one.iter().chain(&other).map(|i| i.0);
                joints
                    .map(|joint| (weight(&one, joint) - weight(&other, joint)).abs())
                    .all(|difference| difference <= weight_error)
            };
            let mut near = near.peekable();
            assert!(near.peek().is_some(), "{name} {}: no vertex at {p}", x.name);
            assert!(
                a.weights.is_none() || near.any(|v| agrees(&v)),
                "{name} {}: other weights at {p}",
                x.name
            );
        }
    }
}
