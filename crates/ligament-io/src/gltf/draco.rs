//! Primitives compressed by `KHR_draco_mesh_compression`, unfolded into plain accessors.
//!
//! The accessors that a compressed primitive names keep their indices and say what they
//! said before; they get the views that they lacked. An accessor that holds other data
//! already is left to its other users, and the primitive gets a new one.

use std::collections::BTreeMap;

use draco_core::{
    DataType, DecodeLimits, DecoderBuffer, ErrorKind, Mesh, MeshDecoder, PointAttribute, PointIndex,
};
use serde_json::{Map, Value, json};

use super::accessor::Component;
use super::container::Document;
use super::error::GltfError;
use super::json::Node;

const EXTENSION: &str = "KHR_draco_mesh_compression";
const ARRAY_BUFFER: u32 = 34962;
const INDEX_BUFFER: u32 = 34963;

/// What is unfolded may be this many times the size of the buffers. Real characters stay
/// under 25.
const LARGEST_GROWTH: usize = 64;
/// So much may always be unfolded, however small the file.
const FREE_BYTES: usize = 1 << 22;

/// What unfolding did.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Unfolded {
    /// Primitives that were compressed.
    pub primitives: usize,
    /// Bytes that were added to the buffers.
    pub bytes: usize,
}

/// Replaces every compressed primitive by a plain one. A document without any is left as
/// it is.
pub(super) fn unfold(document: &mut Document) -> Result<Unfolded, GltfError> {
    let compressed = compressed_primitives(&document.json);
    if compressed.is_empty() {
        return Ok(Unfolded::default());
    }
    let held: usize = document.buffers.iter().map(|b| b.bytes.len()).sum();
    let allowed = held.saturating_mul(LARGEST_GROWTH).saturating_add(FREE_BYTES);
    let mut unfolder = Unfolder {
        document,
        filled: BTreeMap::new(),
        latest: None,
        work_left: allowed,
        bytes_left: allowed,
    };
    for &(mesh, primitive) in &compressed {
        unfolder.primitive(mesh, primitive)?;
    }
    forget_extension(document.object_mut());
    let now: usize = document.buffers.iter().map(|b| b.bytes.len()).sum();
    Ok(Unfolded {
        primitives: compressed.len(),
        bytes: now - held,
    })
}

/// Mesh and primitive indices of all that carry the extension.
fn compressed_primitives(json: &Value) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let meshes = json.get("meshes").and_then(Value::as_array);
    for (m, mesh) in meshes.into_iter().flatten().enumerate() {
        let primitives = mesh.get("primitives").and_then(Value::as_array);
        for (p, primitive) in primitives.into_iter().flatten().enumerate() {
            if primitive
                .get("extensions")
                .and_then(|e| e.get(EXTENSION))
                .is_some()
            {
                found.push((m, p));
            }
        }
    }
    found
}

/// Takes the extension out of the lists of those that the file uses and requires.
fn forget_extension(root: &mut Map<String, Value>) {
    for key in ["extensionsUsed", "extensionsRequired"] {
        let Some(Value::Array(names)) = root.get_mut(key) else {
            continue;
        };
        names.retain(|name| name.as_str() != Some(EXTENSION));
        if names.is_empty() {
            root.shift_remove(key);
        }
    }
}

/// Which decompressed numbers an accessor holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Source {
    /// The view with the compressed data.
    view: usize,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Indices,
    /// Draco's name for an attribute.
    Attribute(u32),
}

/// What a compressed primitive says about itself.
struct Plan {
    /// Where the extension is.
    location: String,
    view: usize,
    attributes: Vec<PlannedAttribute>,
    indices: Option<usize>,
    /// The same data lies there uncompressed as well.
    has_plain_data: bool,
}

struct PlannedAttribute {
    name: String,
    draco: u32,
    accessor: usize,
}

struct Unfolder<'a> {
    document: &'a mut Document,
    /// The accessors that were given data.
    filled: BTreeMap<usize, Source>,
    /// The view that was decompressed last: neighbours often share one.
    latest: Option<(usize, Mesh)>,
    /// How many bytes may still be decompressed.
    work_left: usize,
    /// How many bytes may still be added to the document.
    bytes_left: usize,
}

impl Unfolder<'_> {
    fn primitive(&mut self, mesh: usize, primitive: usize) -> Result<(), GltfError> {
        let plan = self.plan(mesh, primitive)?;
        if !plan.has_plain_data {
            let (view, decoded) = match self.latest.take() {
                Some((view, decoded)) if view == plan.view => (view, decoded),
                _ => (plan.view, self.decode(&plan)?),
            };
            let result = self.replace(mesh, primitive, &plan, &decoded);
            self.latest = Some((view, decoded));
            result?;
        }
        if let Some(Value::Object(fields)) = self.primitive_json(mesh, primitive) {
            let extensions = fields.get_mut("extensions").and_then(Value::as_object_mut);
            if let Some(extensions) = extensions {
                extensions.shift_remove(EXTENSION);
                if extensions.is_empty() {
                    fields.shift_remove("extensions");
                }
            }
        }
        Ok(())
    }

    fn primitive_json(&mut self, mesh: usize, primitive: usize) -> Option<&mut Value> {
        let list = self.document.json.get_mut("meshes")?.get_mut(mesh)?;
        list.get_mut("primitives")?.get_mut(primitive)
    }

    fn plan(&self, mesh: usize, primitive: usize) -> Result<Plan, GltfError> {
        let root = Node::root(&self.document.json);
        let node = root.item("meshes", mesh)?.item("primitives", primitive)?;
        let extension = node.need("extensions")?.need(EXTENSION)?;
        let mode = node.index_or("mode", 4)?;
        if !matches!(mode, 4 | 5) {
            return Err(node.fail("is compressed with Draco but is no triangles"));
        }
        let view = extension
            .need("bufferView")?
            .as_index_under(root.count("bufferViews"), "buffer view")?;
        let accessors = root.count("accessors");
        let names = extension.need("attributes")?;
        let Some(list) = names.value.as_object() else {
            return Err(names.fail("is not an object"));
        };
        let stated = node.need("attributes")?;
        let mut attributes = Vec::new();
        for name in list.keys() {
            let draco = names.need(name)?;
            let number = u32::try_from(draco.as_index()?).map_err(|_| draco.fail("is too large"))?;
            // One that the primitive itself does not name is nobody's.
            let Some(accessor) = stated.get(name) else {
                continue;
            };
            attributes.push(PlannedAttribute {
                name: name.clone(),
                draco: number,
                accessor: accessor.as_index_under(accessors, "accessor")?,
            });
        }
        let indices = node
            .get("indices")
            .map(|i| i.as_index_under(accessors, "accessor"))
            .transpose()?;
        let has_data =
            |accessor: usize| Ok(self.document.accessor_node(accessor)?.get("bufferView").is_some());
        let mut has_plain_data = true;
        for accessor in attributes.iter().map(|a| a.accessor).chain(indices) {
            // What an earlier primitive unfolded is no data of the file's own.
            has_plain_data &= !self.filled.contains_key(&accessor) && has_data(accessor)?;
        }
        Ok(Plan {
            location: extension.location,
            view,
            has_plain_data: has_plain_data && indices.is_some() && !attributes.is_empty(),
            attributes,
            indices,
        })
    }

    fn decode(&mut self, plan: &Plan) -> Result<Mesh, GltfError> {
        let (bytes, _) = self.document.view_bytes(plan.view)?;
        let too_much = || {
            GltfError::malformed(
                &plan.location,
                "its Draco data unfolds to far more than the file holds",
            )
        };
        let left = self.work_left.checked_sub(bytes.len()).ok_or_else(too_much)?;
        let limits = DecodeLimits::default()
            .with_max_faces(left as u64 / FACE_BYTES)
            .with_max_points(left as u64)
            .with_max_decoded_bytes(left as u64);
        let mut buffer = DecoderBuffer::new(&bytes).with_limits(limits);
        let mut mesh = Mesh::new();
        MeshDecoder::new()
            .decode(&mut buffer, &mut mesh)
            .map_err(|error| match error.kind() {
                ErrorKind::LimitExceeded => too_much(),
                ErrorKind::UnsupportedVersion
                | ErrorKind::BitstreamVersionUnsupported
                | ErrorKind::UnsupportedFeature => GltfError::Unsupported {
                    location: plan.location.clone(),
                    what: "this version of Draco compression".to_owned(),
                    way_out: "export the file without it, or decompress it with `gltf-transform copy in.glb out.glb`",
                },
                _ => GltfError::malformed(&plan.location, format!("its Draco data is broken ({})", error.message())),
            })?;
        if mesh.num_faces() == 0 {
            return Err(GltfError::malformed(
                &plan.location,
                "its Draco data holds no triangles",
            ));
        }
        let sizes = (0..mesh.num_attributes()).filter_map(|a| mesh.try_attribute(a).ok());
        let decoded: usize = sizes.map(|a| a.buffer().data_size()).sum();
        self.work_left = left.saturating_sub(decoded + mesh.num_faces() * FACE_BYTES as usize);
        Ok(mesh)
    }

    fn replace(
        &mut self,
        mesh: usize,
        primitive: usize,
        plan: &Plan,
        decoded: &Mesh,
    ) -> Result<(), GltfError> {
        let mut moved: Vec<(&str, usize)> = Vec::new();
        for attribute in &plan.attributes {
            let source = Source {
                view: plan.view,
                what: What::Attribute(attribute.draco),
            };
            if self.filled.get(&attribute.accessor) == Some(&source) {
                continue;
            }
            let fail = |problem: &str| {
                let location = format!("{}/attributes/{}", plan.location, attribute.name);
                GltfError::malformed(location, problem)
            };
            let data = decoded
                .attribute_by_unique_id(attribute.draco)
                .ok_or_else(|| fail("names an attribute that the Draco data does not have"))?;
            let stated = self.document.accessor(attribute.accessor)?;
            let shape = Shape {
                component: stated.component,
                width: stated.width,
                count: decoded.num_points(),
            };
            self.pay(shape.bytes(), &plan.location)?;
            let (bytes, bounds) = numbers_of(data, shape).map_err(|problem| fail(&problem))?;
            let wants_bounds = attribute.name == "POSITION";
            let view = self.document.append_view(&bytes, Some(ARRAY_BUFFER));
            if shape.stride() != shape.size() {
                self.set(
                    &format!("/bufferViews/{view}"),
                    "byteStride",
                    shape.stride().into(),
                );
            }
            let accessor = self.fill(attribute.accessor, source, view, shape, bounds, wants_bounds);
            if accessor != attribute.accessor {
                moved.push((&attribute.name, accessor));
            }
        }
        let indices = self.indices(plan, decoded)?;
        let Some(Value::Object(fields)) = self.primitive_json(mesh, primitive) else {
            return Ok(());
        };
        // Draco keeps lists of triangles, whatever they were before.
        if fields.contains_key("mode") {
            fields.insert("mode".to_owned(), 4.into());
        }
        if plan.indices != Some(indices) {
            fields.insert("indices".to_owned(), indices.into());
        }
        if let Some(Value::Object(attributes)) = fields.get_mut("attributes") {
            for (name, accessor) in moved {
                attributes.insert(name.to_owned(), accessor.into());
            }
        }
        Ok(())
    }

    /// The accessor that holds the primitive's indices.
    fn indices(&mut self, plan: &Plan, decoded: &Mesh) -> Result<usize, GltfError> {
        let source = Source {
            view: plan.view,
            what: What::Indices,
        };
        let points = decoded.num_points();
        let stated = match plan.indices {
            Some(accessor) if self.filled.get(&accessor) == Some(&source) => return Ok(accessor),
            Some(accessor) => Some((accessor, self.document.accessor(accessor)?)),
            None => None,
        };
        if let Some((accessor, stated)) = &stated
            && (stated.width != 1
                || !matches!(stated.component, Component::U8 | Component::U16 | Component::U32))
        {
            return Err(self
                .document
                .accessor_node(*accessor)?
                .fail("indices must be unsigned integers"));
        }
        // The type that the file states, unless there are more vertices than it can name.
        let component = match stated.as_ref().map(|(_, s)| s.component) {
            Some(Component::U8) if points <= usize::from(u8::MAX) => Component::U8,
            Some(Component::U32) => Component::U32,
            _ if points <= usize::from(u16::MAX) => Component::U16,
            _ => Component::U32,
        };
        let shape = Shape {
            component,
            width: 1,
            count: 3 * decoded.num_faces(),
        };
        self.pay(shape.count * component.size(), &plan.location)?;
        let mut bytes = Vec::with_capacity(shape.count * component.size());
        let (mut least, mut most) = (u32::MAX, 0);
        for point in decoded.faces().iter().flatten() {
            let index = point.0;
            if index as usize >= points {
                return Err(GltfError::malformed(
                    &plan.location,
                    "its Draco data is broken (a triangle refers to a vertex that does not exist)",
                ));
            }
            least = least.min(index);
            most = most.max(index);
            bytes.extend_from_slice(&index.to_le_bytes()[..component.size()]);
        }
        let view = self.document.append_view(&bytes, Some(INDEX_BUFFER));
        let bounds = Some((vec![json!(least)], vec![json!(most)]));
        Ok(match stated {
            Some((accessor, _)) => self.fill(accessor, source, view, shape, bounds, false),
            None => self.document.append_accessor(json!({
                "bufferView": view,
                "componentType": component.code(),
                "count": shape.count,
                "type": "SCALAR",
            })),
        })
    }

    /// Gives an accessor its data, or a copy of it where it has some already; returns
    /// the one that has it now.
    fn fill(
        &mut self,
        accessor: usize,
        source: Source,
        view: usize,
        shape: Shape,
        bounds: Option<Bounds>,
        wants_bounds: bool,
    ) -> usize {
        let pointer = format!("/accessors/{accessor}");
        let mut fields = match self.document.json.pointer(&pointer) {
            Some(Value::Object(fields)) => fields.clone(),
            _ => Map::new(),
        };
        let is_taken = ["bufferView", "sparse"]
            .iter()
            .any(|key| fields.contains_key(*key));
        for key in ["byteOffset", "sparse"] {
            fields.shift_remove(key);
        }
        fields.insert("bufferView".to_owned(), view.into());
        fields.insert("componentType".to_owned(), shape.component.code().into());
        fields.insert("count".to_owned(), shape.count.into());
        // Compression moved the numbers a little, and the bounds with them.
        if let Some((least, most)) = bounds {
            for (key, bound) in [("min", least), ("max", most)] {
                if wants_bounds || fields.contains_key(key) {
                    fields.insert(key.to_owned(), bound.into());
                }
            }
        }
        let fields = Value::Object(fields);
        let target = match self.document.json.pointer_mut(&pointer) {
            Some(location) if !is_taken => {
                *location = fields;
                accessor
            }
            _ => self.document.append_accessor(fields),
        };
        self.filled.insert(target, source);
        target
    }

    fn set(&mut self, pointer: &str, key: &str, value: Value) {
        if let Some(Value::Object(fields)) = self.document.json.pointer_mut(pointer) {
            fields.insert(key.to_owned(), value);
        }
    }

    fn pay(&mut self, bytes: usize, location: &str) -> Result<(), GltfError> {
        self.bytes_left = self.bytes_left.checked_sub(bytes).ok_or_else(|| {
            GltfError::malformed(
                location,
                "the file's Draco data unfolds to far more than it holds",
            )
        })?;
        Ok(())
    }
}

/// Three 32-bit indices.
const FACE_BYTES: u64 = 12;

/// How numbers lie in a view of their own.
#[derive(Clone, Copy)]
struct Shape {
    component: Component,
    width: usize,
    count: usize,
}

impl Shape {
    fn size(self) -> usize {
        self.width * self.component.size()
    }

    /// Vertex data starts at multiples of four.
    fn stride(self) -> usize {
        self.size().next_multiple_of(4)
    }

    fn bytes(self) -> usize {
        self.count.saturating_mul(self.stride())
    }
}

/// The least and the largest of each component.
type Bounds = (Vec<Value>, Vec<Value>);

/// One number, before it is stored.
#[derive(Clone, Copy)]
enum Number {
    Whole(i128),
    Real(f64),
}

/// The values of an attribute, point by point, in the type that the accessor states, and
/// their bounds where all are finite.
fn numbers_of(data: &PointAttribute, shape: Shape) -> Result<(Vec<u8>, Option<Bounds>), String> {
    let kind = data.data_type();
    let width = usize::from(data.num_components());
    if width != shape.width {
        return Err(format!(
            "has {width} numbers a vertex, but its accessor states {}",
            shape.width
        ));
    }
    let broken = || "its Draco data is broken (a vertex has no value)".to_owned();
    let size = kind.byte_length();
    let stride = usize::try_from(data.byte_stride()).map_err(|_| broken())?;
    let scale = normalised_scale(data, shape.component);
    let mut bytes = Vec::with_capacity(shape.bytes());
    let mut least = vec![f64::INFINITY; width];
    let mut most = vec![f64::NEG_INFINITY; width];
    let mut is_finite = true;
    for point in 0..shape.count {
        let point = u32::try_from(point).map_err(|_| broken())?;
        let value = data.mapped_index(PointIndex(point)).0 as usize;
        let start = value.checked_mul(stride).ok_or_else(broken)?;
        let element = data
            .buffer()
            .data()
            .get(start..)
            .and_then(|rest| rest.get(..size * width))
            .ok_or_else(broken)?;
        for (c, raw) in element.chunks_exact(size).enumerate() {
            let number = number(kind, raw).ok_or_else(|| format!("is of type {kind:?}"))?;
            let stored = put(&mut bytes, number, shape.component, scale)?;
            is_finite &= stored.is_finite();
            least[c] = least[c].min(stored);
            most[c] = most[c].max(stored);
        }
        bytes.resize(bytes.len().next_multiple_of(4), 0);
    }
    let state = |bounds: Vec<f64>| -> Vec<Value> {
        let state = |x| match shape.component {
            Component::F32 => json!(x as f32),
            _ => json!(x as i64),
        };
        bounds.into_iter().map(state).collect()
    };
    let bounds = (is_finite && shape.count > 0).then(|| (state(least), state(most)));
    Ok((bytes, bounds))
}

/// What turns stored integers into fractions, where the accessor wants floats.
fn normalised_scale(data: &PointAttribute, to: Component) -> f64 {
    if !data.normalized() || to != Component::F32 {
        return 1.0;
    }
    match data.data_type() {
        DataType::Int8 => 1.0 / 127.0,
        DataType::Uint8 => 1.0 / 255.0,
        DataType::Int16 => 1.0 / 32767.0,
        DataType::Uint16 => 1.0 / 65535.0,
        DataType::Int32 => 1.0 / f64::from(i32::MAX),
        DataType::Uint32 => 1.0 / f64::from(u32::MAX),
        _ => 1.0,
    }
}

/// Draco's number; `None` for a type without numbers.
fn number(kind: DataType, raw: &[u8]) -> Option<Number> {
    fn array<const N: usize>(raw: &[u8]) -> Option<[u8; N]> {
        raw.first_chunk::<N>().copied()
    }
    // Decoded values lie in memory as little-endian, as they do in the stream.
    Some(match kind {
        DataType::Int8 => Number::Whole(i8::from_le_bytes(array(raw)?).into()),
        DataType::Uint8 | DataType::Bool => Number::Whole(u8::from_le_bytes(array(raw)?).into()),
        DataType::Int16 => Number::Whole(i16::from_le_bytes(array(raw)?).into()),
        DataType::Uint16 => Number::Whole(u16::from_le_bytes(array(raw)?).into()),
        DataType::Int32 => Number::Whole(i32::from_le_bytes(array(raw)?).into()),
        DataType::Uint32 => Number::Whole(u32::from_le_bytes(array(raw)?).into()),
        DataType::Int64 => Number::Whole(i64::from_le_bytes(array(raw)?).into()),
        DataType::Uint64 => Number::Whole(u64::from_le_bytes(array(raw)?).into()),
        DataType::Float32 => Number::Real(f32::from_le_bytes(array(raw)?).into()),
        DataType::Float64 => Number::Real(f64::from_le_bytes(array(raw)?)),
        DataType::Invalid => return None,
    })
}

/// Stores a number and says what was stored.
fn put(bytes: &mut Vec<u8>, number: Number, to: Component, scale: f64) -> Result<f64, String> {
    fn whole<T: TryFrom<i128>>(number: Number, to: Component) -> Result<T, String> {
        let fits = match number {
            Number::Whole(n) => T::try_from(n).ok(),
            Number::Real(_) => None,
        };
        fits.ok_or_else(|| format!("holds what its accessor's {} cannot hold", to.name()))
    }
    Ok(match to {
        Component::F32 => {
            let number = match number {
                Number::Whole(n) => (n as f64 * scale) as f32,
                Number::Real(x) => x as f32,
            };
            bytes.extend(number.to_le_bytes());
            number.into()
        }
        Component::I8 => {
            let number: i8 = whole(number, to)?;
            bytes.extend(number.to_le_bytes());
            number.into()
        }
        Component::U8 => {
            let number: u8 = whole(number, to)?;
            bytes.push(number);
            number.into()
        }
        Component::I16 => {
            let number: i16 = whole(number, to)?;
            bytes.extend(number.to_le_bytes());
            number.into()
        }
        Component::U16 => {
            let number: u16 = whole(number, to)?;
            bytes.extend(number.to_le_bytes());
            number.into()
        }
        Component::U32 => {
            let number: u32 = whole(number, to)?;
            bytes.extend(number.to_le_bytes());
            number.into()
        }
    })
}
