//! A document without the bytes that nothing refers to: what edits and other programs left behind.
//!
//! Views are found by the key `bufferView`, wherever it stands, so those of unknown extensions stay. Accessors are dropped only where every
//! extension that the document uses is known not to name any. Order is kept; bytes of views keep their places among each other.

use serde_json::{Map, Value};

use super::container::{Buffer, BufferHome, Document};

/// Extensions that name no accessors, or only where this module looks.
const KNOWN: [&str; 10] = [
    "KHR_materials_",
    "KHR_texture_",
    "KHR_mesh_quantization",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_animation_pointer",
    "EXT_meshopt_compression",
    "EXT_mesh_gpu_instancing",
    "EXT_texture_",
    "VRM",
];
/// Bytes of a view begin at a multiple of this, so that any numbers in it are in line.
const ALIGNMENT: usize = 8;

impl Document {
    /// The same document without accessors, views and bytes that nothing refers to.
    pub fn compacted(&self) -> Self {
        let mut compact = self.clone();
        let Some(root) = compact.json.as_object_mut() else {
            return compact;
        };
        if only_known_extensions(root) {
            drop_accessors(root);
        }
        drop_views(root);
        squeeze(root, &mut compact.buffers);
        compact
    }
}

fn only_known_extensions(root: &Map<String, Value>) -> bool {
    let used = root.get("extensionsUsed").and_then(Value::as_array);
    used.into_iter().flatten().all(|name| {
        let name = name.as_str().unwrap_or("");
        KNOWN.iter().any(|known| name.starts_with(known))
    })
}

/// Calls `take` with every value under one of the keys, anywhere below.
fn each_under(value: &mut Value, key: &str, take: &mut dyn FnMut(&mut Value)) {
    match value {
        Value::Object(map) => {
            for (name, below) in map.iter_mut() {
                if name == key {
                    take(below);
                }
                each_under(below, key, take);
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|below| each_under(below, key, take)),
        _ => {}
    }
}

/// Calls `take` with every reference to an accessor.
fn each_accessor(root: &mut Map<String, Value>, take: &mut dyn FnMut(&mut Value)) {
    let mut all_of = |map: Option<&mut Value>| {
        for reference in map
            .and_then(Value::as_object_mut)
            .into_iter()
            .flat_map(Map::values_mut)
        {
            take(reference);
        }
    };
    for mesh in items(root, "meshes") {
        for primitive in mesh
            .as_object_mut()
            .into_iter()
            .flat_map(|m| items(m, "primitives"))
        {
            all_of(primitive.get_mut("attributes"));
            for target in primitive
                .as_object_mut()
                .into_iter()
                .flat_map(|p| items(p, "targets"))
            {
                all_of(Some(target));
            }
        }
    }
    for node in items(root, "nodes") {
        all_of(node.pointer_mut("/extensions/EXT_mesh_gpu_instancing/attributes"));
    }
    for mesh in items(root, "meshes") {
        for primitive in mesh
            .as_object_mut()
            .into_iter()
            .flat_map(|m| items(m, "primitives"))
        {
            primitive.get_mut("indices").into_iter().for_each(&mut *take);
        }
    }
    for skin in items(root, "skins") {
        skin.get_mut("inverseBindMatrices")
            .into_iter()
            .for_each(&mut *take);
    }
    for animation in items(root, "animations") {
        for sampler in animation
            .as_object_mut()
            .into_iter()
            .flat_map(|a| items(a, "samplers"))
        {
            for key in ["input", "output"] {
                sampler.get_mut(key).into_iter().for_each(&mut *take);
            }
        }
    }
}

fn items<'a>(map: &'a mut Map<String, Value>, key: &str) -> impl Iterator<Item = &'a mut Value> + use<'a> {
    map.get_mut(key)
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
}

fn index_of(reference: &Value) -> Option<usize> {
    reference.as_u64().and_then(|i| usize::try_from(i).ok())
}

/// Keeps the items of a list that are used, and says where each went.
fn keep(list: &mut Vec<Value>, used: &[bool]) -> Vec<usize> {
    let mut now = Vec::with_capacity(used.len());
    let mut next = 0;
    for &used in used {
        now.push(next);
        next += usize::from(used);
    }
    let mut used = used.iter();
    list.retain(|_| used.next().copied().unwrap_or(true));
    now
}

fn drop_accessors(root: &mut Map<String, Value>) {
    let mut used = vec![false; items(root, "accessors").count()];
    each_accessor(root, &mut |reference| {
        if let Some(used) = index_of(reference).and_then(|i| used.get_mut(i)) {
            *used = true;
        }
    });
    let Some(list) = root.get_mut("accessors").and_then(Value::as_array_mut) else {
        return;
    };
    let now = keep(list, &used);
    each_accessor(root, &mut |reference| {
        if let Some(&index) = index_of(reference).and_then(|i| now.get(i)) {
            *reference = index.into();
        }
    });
    drop_if_empty(root, "accessors");
}

fn drop_views(root: &mut Map<String, Value>) {
    let mut used = vec![false; items(root, "bufferViews").count()];
    for (_, below) in root.iter_mut() {
        each_under(below, "bufferView", &mut |reference| {
            if let Some(used) = index_of(reference).and_then(|i| used.get_mut(i)) {
                *used = true;
            }
        });
    }
    let Some(list) = root.get_mut("bufferViews").and_then(Value::as_array_mut) else {
        return;
    };
    let now = keep(list, &used);
    for (_, below) in root.iter_mut() {
        each_under(below, "bufferView", &mut |reference| {
            if let Some(&index) = index_of(reference).and_then(|i| now.get(i)) {
                *reference = index.into();
            }
        });
    }
    drop_if_empty(root, "bufferViews");
}

/// glTF has no empty lists.
fn drop_if_empty(root: &mut Map<String, Value>, key: &str) {
    if root.get(key).and_then(Value::as_array).is_some_and(Vec::is_empty) {
        root.remove(key);
    }
}

/// What of a buffer is used: where it was, and where it is now.
struct Piece {
    from: usize,
    end: usize,
    now: usize,
}

/// Puts what views name one after the other. A buffer whose views do not fit in it stays as it is.
fn squeeze(root: &mut Map<String, Value>, buffers: &mut [Buffer]) {
    for (number, buffer) in buffers.iter_mut().enumerate() {
        if buffer.home == BufferHome::Placeholder {
            continue;
        }
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        let mut sound = true;
        for view in items(root, "bufferViews") {
            each_range(view, number, &mut |map| {
                let read = |key: &str| map.get(key).and_then(index_of);
                let from = read("byteOffset").unwrap_or(0);
                let end = read("byteLength").and_then(|length| from.checked_add(length));
                match end.filter(|&end| end <= buffer.bytes.len()) {
                    Some(end) => ranges.push((from, end)),
                    None => sound = false,
                }
            });
        }
        if !sound || ranges.is_empty() {
            continue;
        }
        ranges.sort_unstable();
        let mut pieces: Vec<Piece> = Vec::new();
        for (from, end) in ranges {
            match pieces.last_mut() {
                // Views that share bytes stay together.
                Some(last) if from < last.end => last.end = last.end.max(end),
                _ => pieces.push(Piece { from, end, now: 0 }),
            }
        }
        let mut bytes = Vec::with_capacity(buffer.bytes.len());
        for piece in &mut pieces {
            // As far from a multiple as before: what was in line stays in line.
            while bytes.len() % ALIGNMENT != piece.from % ALIGNMENT {
                bytes.push(0);
            }
            piece.now = bytes.len();
            bytes.extend_from_slice(&buffer.bytes[piece.from..piece.end]);
        }
        if bytes.len() >= buffer.bytes.len() {
            continue;
        }
        for view in items(root, "bufferViews") {
            each_range(view, number, &mut |map| {
                let from = map.get("byteOffset").and_then(index_of).unwrap_or(0);
                let piece = pieces.partition_point(|piece| piece.from <= from);
                if let Some(piece) = piece.checked_sub(1).and_then(|k| pieces.get(k)) {
                    map.insert("byteOffset".to_owned(), (from - piece.from + piece.now).into());
                }
            });
        }
        buffer.bytes = bytes;
        buffer.grown = true;
        if let Some(described) = items(root, "buffers").nth(number).and_then(Value::as_object_mut) {
            described.insert("byteLength".to_owned(), buffer.bytes.len().into());
        }
    }
}

/// Every range of that buffer that a view names: its own, and those of its compression.
fn each_range(view: &mut Value, buffer: usize, take: &mut dyn FnMut(&mut Map<String, Value>)) {
    if let Some(map) = view.as_object_mut() {
        if map.get("buffer").and_then(index_of) == Some(buffer) && map.contains_key("byteLength") {
            take(map);
        }
        for (_, below) in map.iter_mut() {
            each_range(below, buffer, take);
        }
    }
}
