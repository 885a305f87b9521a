//! Small glTF files, one for each awkward thing that files in the wild do.
//!
//! All hold the same character: a strip of eight vertices along Y over three joints, at
//! 0, 1 and 2 metres, with known weights. What differs is how the file stores it.

use serde_json::{Value, json};

pub const F32: u32 = 5126;
pub const U16: u32 = 5123;
pub const U8: u32 = 5121;

/// A file under construction: JSON and one binary buffer.
#[derive(Clone)]
pub struct File {
    pub json: Value,
    pub bin: Vec<u8>,
}

/// The eight vertices in bind space.
pub fn positions() -> Vec<[f32; 3]> {
    (0..4)
        .flat_map(|i| [[-0.2, 0.6 * i as f32, 0.0], [0.2, 0.6 * i as f32, 0.0]])
        .collect()
}

/// Joint slot and weight pairs of each vertex.
pub fn weights() -> Vec<[(u16, f32); 2]> {
    (0..8)
        .map(|v| match v / 2 {
            0 => [(0, 1.0), (0, 0.0)],
            1 => [(0, 0.75), (1, 0.25)],
            2 => [(1, 0.625), (2, 0.375)],
            _ => [(2, 1.0), (0, 0.0)],
        })
        .collect()
}

pub fn triangles() -> Vec<u16> {
    (0..3u16)
        .flat_map(|i| [2 * i, 2 * i + 1, 2 * i + 2, 2 * i + 1, 2 * i + 3, 2 * i + 2])
        .collect()
}

impl File {
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push(
            "bufferViews",
            json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() }),
        )
    }

    pub fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json.get(list).is_none() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(value);
        list.len() - 1
    }

    pub fn accessor(&mut self, bytes: &[u8], component: u32, kind: &str, count: usize) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": component, "count": count, "type": kind }),
        )
    }

    pub fn floats(&mut self, numbers: &[f32], kind: &str, width: usize) -> usize {
        let bytes: Vec<u8> = numbers.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.accessor(&bytes, F32, kind, numbers.len() / width)
    }

    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.bin.is_empty() {
            json["buffers"] = json!([{ "byteLength": self.bin.len() }]);
        }
        pack(&json, &self.bin)
    }
}

/// A GLB of any JSON and binary chunk.
pub fn pack(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut text = serde_json::to_vec(json).unwrap();
    text.resize(text.len().next_multiple_of(4), b' ');
    let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    out.extend((text.len() as u32).to_le_bytes());
    out.extend(b"JSON");
    out.extend(text);
    if !bin.is_empty() {
        out.extend((bin.len().next_multiple_of(4) as u32).to_le_bytes());
        out.extend(b"BIN\0");
        out.extend(bin);
        out.resize(out.len().next_multiple_of(4), 0);
    }
    let total = (out.len() as u32).to_le_bytes();
    out[8..12].copy_from_slice(&total);
    out
}

fn slots(component: u32) -> Vec<u8> {
    let all = weights().into_iter().flat_map(|[a, b]| [a.0, b.0, 0, 0]);
    match component {
        U8 => all.map(|s| s as u8).collect(),
        U16 => all.flat_map(u16::to_le_bytes).collect(),
        _ => all.flat_map(|s| u32::from(s).to_le_bytes()).collect(),
    }
}

fn weight_numbers() -> Vec<f32> {
    weights()
        .into_iter()
        .flat_map(|[a, b]| [a.1, b.1, 0.0, 0.0])
        .collect()
}

/// Column-major inverse bind matrices of the three joints.
fn inverse_binds() -> Vec<f32> {
    (0..3)
        .flat_map(|j| {
            let y = -(j as f32);
            [
                1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, y, 0.0, 1.0,
            ]
        })
        .collect()
}

/// The plain file that the others are variations of.
pub fn plain() -> File {
    let mut f = File {
        json: json!({
            "asset": { "version": "2.0", "generator": "zoo" },
            "extras": { "kept": [1, 2.50, "three"] },
            "extensionsUsed": ["VENDOR_unknown"],
            "extensions": { "VENDOR_unknown": { "node": 2, "deep": { "list": [null, true] } } },
            "scene": 0,
            "scenes": [{ "nodes": [3, 0] }],
            "nodes": [
                { "name": "hips", "children": [1], "extras": { "limit": 0.10 } },
                { "name": "knee", "children": [2], "translation": [0, 1, 0] },
                { "name": "foot", "translation": [0, 1.0, 0] },
                { "name": "strip", "mesh": 0, "skin": 0 },
            ],
            "materials": [{ "name": "cloth", "pbrMetallicRoughness": { "baseColorFactor": [0.8, 0.2, 0.1, 1.0] } }],
        }),
        bin: Vec::new(),
    };
    let position_numbers: Vec<f32> = positions().into_iter().flatten().collect();
    let position = f.floats(&position_numbers, "VEC3", 3);
    f.json["accessors"][position]["min"] = json!([-0.2, 0.0, 0.0]);
    f.json["accessors"][position]["max"] = json!([0.2, 1.8, 0.0]);
    let joints = f.accessor(&slots(U8), U8, "VEC4", 8);
    let weight = f.floats(&weight_numbers(), "VEC4", 4);
    let indices: Vec<u8> = triangles().into_iter().flat_map(u16::to_le_bytes).collect();
    let indices = f.accessor(&indices, U16, "SCALAR", 18);
    let matrices = f.floats(&inverse_binds(), "MAT4", 16);
    f.json["meshes"] = json!([{ "name": "strip", "primitives": [{
        "attributes": { "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weight },
        "indices": indices,
        "material": 0,
    }] }]);
    f.json["skins"] = json!([{ "joints": [0, 1, 2], "inverseBindMatrices": matrices }]);
    let times = f.floats(&[0.0, 1.0], "SCALAR", 1);
    f.json["accessors"][times]["min"] = json!([0.0]);
    f.json["accessors"][times]["max"] = json!([1.0]);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let rotations = f.floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half], "VEC4", 4);
    f.json["animations"] = json!([{
        "name": "bend",
        "samplers": [{ "input": times, "output": rotations }],
        "channels": [{ "sampler": 0, "target": { "node": 1, "path": "rotation" } }],
    }]);
    f
}

fn attributes(f: &mut File) -> &mut Value {
    &mut f.json["meshes"][0]["primitives"][0]["attributes"]
}

/// Every variation, by name. All read as the same character.
pub fn all() -> Vec<(&'static str, File)> {
    vec![
        ("plain", plain()),
        ("weights_u8", quantised_weights(U8)),
        ("weights_u16", quantised_weights(U16)),
        ("joints_u16", wide_joints(U16)),
        ("joints_u32", wide_joints(5125)),
        ("two_sets", two_sets()),
        ("interleaved", interleaved()),
        ("sparse_weights", sparse_weights()),
        ("sparse_positions", sparse_positions()),
        ("shared_vertices", shared_vertices()),
        ("quantised_positions", quantised_positions()),
        ("meshopt", meshopt()),
        ("scaled_armature", scaled_armature()),
        ("triangle_strip", triangle_strip()),
        ("morph_targets", morph_targets()),
        ("two_skins", two_skins()),
        ("matrix_nodes", matrix_nodes()),
    ]
}

fn quantised_weights(component: u32) -> File {
    let mut f = plain();
    // 0.25, 0.375 … are no multiples of 1/255: store what sums exactly and is near.
    let bytes: Vec<u8> = weights()
        .into_iter()
        .flat_map(|[a, _]| {
            let full = if component == U8 { 255 } else { 65535 };
            let first = (a.1 * full as f32).round() as u16;
            [first, full - first, 0, 0]
        })
        .flat_map(|q| {
            if component == U8 {
                vec![q as u8]
            } else {
                q.to_le_bytes().to_vec()
            }
        })
        .collect();
    let accessor = f.accessor(&bytes, component, "VEC4", 8);
    f.json["accessors"][accessor]["normalized"] = json!(true);
    attributes(&mut f)["WEIGHTS_0"] = json!(accessor);
    f
}

fn wide_joints(component: u32) -> File {
    let mut f = plain();
    let accessor = f.accessor(&slots(component), component, "VEC4", 8);
    attributes(&mut f)["JOINTS_0"] = json!(accessor);
    f
}

/// The second influence of each vertex in a second set.
fn two_sets() -> File {
    let mut f = plain();
    for set in 0..2 {
        let pick = |v: [(u16, f32); 2]| v[set];
        let joints: Vec<u8> = weights()
            .into_iter()
            .flat_map(|v| [pick(v).0 as u8, 0, 0, 0])
            .collect();
        let numbers: Vec<f32> = weights()
            .into_iter()
            .flat_map(|v| [pick(v).1, 0.0, 0.0, 0.0])
            .collect();
        let joints = f.accessor(&joints, U8, "VEC4", 8);
        let numbers = f.floats(&numbers, "VEC4", 4);
        attributes(&mut f)[format!("JOINTS_{set}")] = json!(joints);
        attributes(&mut f)[format!("WEIGHTS_{set}")] = json!(numbers);
    }
    f
}

/// Positions, joints and weights in one view, 32 bytes a vertex.
fn interleaved() -> File {
    let mut f = plain();
    let mut bytes = Vec::new();
    for (p, w) in positions().into_iter().zip(weights()) {
        bytes.extend(p.into_iter().flat_map(f32::to_le_bytes));
        bytes.extend([w[0].0 as u8, w[1].0 as u8, 0, 0]);
        bytes.extend([w[0].1, w[1].1, 0.0, 0.0].into_iter().flat_map(f32::to_le_bytes));
    }
    let view = f.view(&bytes);
    f.json["bufferViews"][view]["byteStride"] = json!(32);
    let mut add = |offset: usize, component: u32, kind: &str| {
        f.push(
            "accessors",
            json!({ "bufferView": view, "byteOffset": offset, "componentType": component, "count": 8, "type": kind }),
        )
    };
    let (position, joints, weight) = (add(0, F32, "VEC3"), add(12, U8, "VEC4"), add(16, F32, "VEC4"));
    f.json["accessors"][position]["min"] = json!([-0.2, 0.0, 0.0]);
    f.json["accessors"][position]["max"] = json!([0.2, 1.8, 0.0]);
    *attributes(&mut f) = json!({ "POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weight });
    f
}

/// Zeros without a view, all values laid over.
fn sparse(f: &mut File, dense: usize) -> usize {
    let accessor = f.json["accessors"][dense].clone();
    let indices: Vec<u8> = (0..8u16).flat_map(u16::to_le_bytes).collect();
    let indices = f.view(&indices);
    let mut sparse = accessor.clone();
    sparse.as_object_mut().unwrap().remove("bufferView");
    sparse["sparse"] = json!({
        "count": 8,
        "indices": { "bufferView": indices, "componentType": U16 },
        "values": { "bufferView": accessor["bufferView"] },
    });
    f.push("accessors", sparse)
}

fn sparse_weights() -> File {
    let mut f = plain();
    let dense = attributes(&mut f)["WEIGHTS_0"].as_u64().unwrap() as usize;
    let accessor = sparse(&mut f, dense);
    attributes(&mut f)["WEIGHTS_0"] = json!(accessor);
    f
}

fn sparse_positions() -> File {
    let mut f = plain();
    let dense = attributes(&mut f)["POSITION"].as_u64().unwrap() as usize;
    let accessor = sparse(&mut f, dense);
    attributes(&mut f)["POSITION"] = json!(accessor);
    f
}

/// Two primitives over one vertex buffer, each with some of the faces.
fn shared_vertices() -> File {
    let mut f = plain();
    let all = triangles();
    let mut primitives = Vec::new();
    for part in [&all[..6], &all[6..]] {
        let bytes: Vec<u8> = part.iter().flat_map(|i| i.to_le_bytes()).collect();
        let indices = f.accessor(&bytes, U16, "SCALAR", part.len());
        let mut primitive = f.json["meshes"][0]["primitives"][0].clone();
        primitive["indices"] = json!(indices);
        primitives.push(primitive);
    }
    f.json["meshes"][0]["primitives"] = json!(primitives);
    f
}

/// `KHR_mesh_quantization`: 16-bit positions, their scale folded into the bind matrices.
fn quantised_positions() -> File {
    let mut f = plain();
    let scale = 0.001f32;
    let mut bytes = Vec::new();
    for p in positions() {
        bytes.extend(p.iter().flat_map(|x| ((x / scale).round() as i16).to_le_bytes()));
        bytes.extend([0, 0]); // vertex attributes are padded to four bytes
    }
    let view = f.view(&bytes);
    f.json["bufferViews"][view]["byteStride"] = json!(8);
    let position = f.push(
        "accessors",
        json!({ "bufferView": view, "componentType": 5122, "count": 8, "type": "VEC3",
                "min": [-200, 0, 0], "max": [200, 1800, 0] }),
    );
    attributes(&mut f)["POSITION"] = json!(position);
    let matrices: Vec<f32> = inverse_binds()
        .into_iter()
        .enumerate()
        .map(|(i, x)| if i % 16 < 12 { x * scale } else { x })
        .collect();
    let matrices = f.floats(&matrices, "MAT4", 16);
    f.json["skins"][0]["inverseBindMatrices"] = json!(matrices);
    f.json["extensionsUsed"] = json!(["VENDOR_unknown", "KHR_mesh_quantization"]);
    f.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
    f
}

/// Positions and indices compressed by `EXT_meshopt_compression`.
fn meshopt() -> File {
    let mut f = plain();
    let compress =
        |f: &mut File, accessor: usize, packed: Vec<u8>, mode: &str, stride: usize, count: usize| {
            let source = f.view(&packed);
            let source = f.json["bufferViews"][source].clone();
            let view = f.push(
                "bufferViews",
                json!({
                    "buffer": 1, "byteOffset": 0, "byteLength": stride * count,
                    "extensions": { "EXT_meshopt_compression": {
                        "buffer": 0, "byteOffset": source["byteOffset"], "byteLength": source["byteLength"],
                        "byteStride": stride, "count": count, "mode": mode,
                    } },
                }),
            );
            f.json["accessors"][accessor]["bufferView"] = json!(view);
        };
    let position = attributes(&mut f)["POSITION"].as_u64().unwrap() as usize;
    let packed = meshopt::encode_vertex_buffer(&positions()).unwrap();
    compress(&mut f, position, packed, "ATTRIBUTES", 12, 8);
    let weight = attributes(&mut f)["WEIGHTS_0"].as_u64().unwrap() as usize;
    let packed = meshopt::encode_vertex_buffer(weight_numbers().as_chunks::<4>().0).unwrap();
    compress(&mut f, weight, packed, "ATTRIBUTES", 16, 8);
    let indices = f.json["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize;
    let wide: Vec<u32> = triangles().into_iter().map(u32::from).collect();
    let packed = meshopt::encode_index_buffer(&wide, 8).unwrap();
    compress(&mut f, indices, packed, "TRIANGLES", 2, 18);
    f.json["extensionsUsed"] = json!(["VENDOR_unknown", "EXT_meshopt_compression"]);
    f.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    f
}

impl File {
    /// The GLB with the placeholder buffer that compressed views name.
    pub fn glb_with_placeholder(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([
            { "byteLength": self.bin.len() },
            { "byteLength": 1024, "extensions": { "EXT_meshopt_compression": { "fallback": true } } },
        ]);
        pack(&json, &self.bin)
    }

    /// The finished file, whatever buffers it needs.
    pub fn bytes(&self) -> Vec<u8> {
        let text = self.json.to_string();
        if text.contains("EXT_meshopt_compression") {
            self.glb_with_placeholder()
        } else {
            self.glb()
        }
    }
}

/// A non-uniform scale and a turn above the skeleton; the mesh stored in centimetres.
fn scaled_armature() -> File {
    let mut f = plain();
    // World = S · node; bind matrices undo S so that the character is where it was.
    f.json["nodes"][0]["translation"] = json!([0, 0, 0]);
    let armature = f.push(
        "nodes",
        json!({ "name": "Armature", "children": [0], "scale": [2.0, 1.0, 0.5] }),
    );
    f.json["scenes"][0]["nodes"] = json!([3, armature]);
    // joint world = S·T(y): inverse = T(-y)·S⁻¹, times the mesh's own scale of 0.01.
    let matrices: Vec<f32> = (0..3)
        .flat_map(|j| {
            let c = 0.01f32;
            let y = -(j as f32);
            [
                c / 2.0,
                0.0,
                0.0,
                0.0,
                0.0,
                c,
                0.0,
                0.0,
                0.0,
                0.0,
                c / 0.5,
                0.0,
                0.0,
                y,
                0.0,
                1.0,
            ]
        })
        .collect();
    let matrices = f.floats(&matrices, "MAT4", 16);
    f.json["skins"][0]["inverseBindMatrices"] = json!(matrices);
    let centimetres: Vec<f32> = positions().into_iter().flatten().map(|x| 100.0 * x).collect();
    let position = f.floats(&centimetres, "VEC3", 3);
    f.json["accessors"][position]["min"] = json!([-20.0, 0.0, 0.0]);
    f.json["accessors"][position]["max"] = json!([20.0, 180.0, 0.0]);
    attributes(&mut f)["POSITION"] = json!(position);
    f
}

fn triangle_strip() -> File {
    let mut f = plain();
    let bytes: Vec<u8> = (0..8u16).flat_map(u16::to_le_bytes).collect();
    let indices = f.accessor(&bytes, U16, "SCALAR", 8);
    f.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    f.json["meshes"][0]["primitives"][0]["mode"] = json!(5);
    f
}

fn morph_targets() -> File {
    let mut f = plain();
    let target = f.floats(&[0.01; 24], "VEC3", 3);
    f.json["accessors"][target]["min"] = json!([0.01, 0.01, 0.01]);
    f.json["accessors"][target]["max"] = json!([0.01, 0.01, 0.01]);
    f.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }]);
    f.json["meshes"][0]["weights"] = json!([0.5]);
    f
}

/// Two meshes with a skin each over one skeleton, the second in a space of its own, and
/// one weight accessor that both share.
fn two_skins() -> File {
    let mut f = plain();
    let all = triangles();
    let mut halves = Vec::new();
    for part in [&all[..6], &all[6..]] {
        let bytes: Vec<u8> = part.iter().flat_map(|i| i.to_le_bytes()).collect();
        halves.push(f.accessor(&bytes, U16, "SCALAR", part.len()));
    }
    let moved: Vec<f32> = positions()
        .into_iter()
        .flat_map(|[x, y, z]| [x, y - 5.0, z])
        .collect();
    let position = f.floats(&moved, "VEC3", 3);
    f.json["accessors"][position]["min"] = json!([-0.2, -5.0, 0.0]);
    f.json["accessors"][position]["max"] = json!([0.2, -3.2, 0.0]);
    let matrices: Vec<f32> = inverse_binds()
        .into_iter()
        .enumerate()
        .map(|(i, x)| if i % 16 == 13 { x + 5.0 } else { x })
        .collect();
    let matrices = f.floats(&matrices, "MAT4", 16);
    f.push(
        "skins",
        json!({ "joints": [0, 1, 2], "inverseBindMatrices": matrices }),
    );
    let mut second = f.json["meshes"][0].clone();
    second["primitives"][0]["attributes"]["POSITION"] = json!(position);
    second["primitives"][0]["indices"] = json!(halves[1]);
    f.json["meshes"][0]["primitives"][0]["indices"] = json!(halves[0]);
    f.push("meshes", second);
    let node = f.push("nodes", json!({ "name": "strip2", "mesh": 1, "skin": 1 }));
    f.json["scenes"][0]["nodes"] = json!([3, node, 0]);
    f
}

fn matrix_nodes() -> File {
    let mut f = plain();
    f.json["nodes"][2] = json!({
        "name": "foot",
        "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 1],
    });
    f
}

/// A mesh without a skin beside a skeleton that a skin names.
pub fn unbound() -> File {
    let mut f = plain();
    let attributes = attributes(&mut f).as_object_mut().unwrap();
    attributes.remove("JOINTS_0");
    attributes.remove("WEIGHTS_0");
    f.json["nodes"][3].as_object_mut().unwrap().remove("skin");
    f
}

/// A mesh beside bare nodes, with no skin at all; the mesh's node is moved and scaled.
pub fn skinless() -> File {
    let mut f = unbound();
    f.json.as_object_mut().unwrap().remove("skins");
    f.json["nodes"][3]["scale"] = json!([0.5, 1.0, 1.0]);
    f.json["nodes"][3]["translation"] = json!([0.0, 0.1, 0.0]);
    f
}

/// A helmet that hangs on the last joint as a plain mesh.
pub fn rigid_helmet() -> File {
    let mut f = plain();
    let corners = f.floats(&[-0.1, 0.0, 0.0, 0.1, 0.0, 0.0, 0.0, 0.2, 0.0], "VEC3", 3);
    f.json["accessors"][corners]["min"] = json!([-0.1, 0.0, 0.0]);
    f.json["accessors"][corners]["max"] = json!([0.1, 0.2, 0.0]);
    let mesh = f.push(
        "meshes",
        json!({ "primitives": [{ "attributes": { "POSITION": corners } }] }),
    );
    let node = f.push(
        "nodes",
        json!({ "name": "helmet", "mesh": mesh, "translation": [0, 0.5, 0] }),
    );
    f.json["nodes"][2]["children"] = json!([node]);
    f
}
