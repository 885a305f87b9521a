//! Typed data inside buffers: buffer views and accessors, read with every bound checked
//! before any memory is taken, and written in place or appended.

use serde_json::{Map, Value, json};

use super::container::{Buffer, BufferHome, Document};
use super::error::GltfError;
use super::json::{Node, list_mut};
use super::meshopt::decode_compressed_view;

/// The type of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_code(code: usize) -> Option<Self> {
        Some(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return None,
        })
    }

    pub fn code(self) -> u32 {
        match self {
            Self::I8 => 5120,
            Self::U8 => 5121,
            Self::I16 => 5122,
            Self::U16 => 5123,
            Self::U32 => 5125,
            Self::F32 => 5126,
        }
    }

    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::I8 => "8-bit signed integers",
            Self::U8 => "8-bit integers",
            Self::I16 => "16-bit signed integers",
            Self::U16 => "16-bit integers",
            Self::U32 => "32-bit integers",
            Self::F32 => "floats",
        }
    }
}

/// What an accessor says about itself, checked against the buffers.
#[derive(Debug, Clone)]
pub(super) struct Accessor {
    pub component: Component,
    pub normalized: bool,
    /// Numbers per element.
    pub width: usize,
    pub count: usize,
    pub sparse: bool,
    /// Where its elements lie; `None` for zeros.
    pub view: Option<AccessorView>,
}

#[derive(Debug, Clone)]
pub(super) struct AccessorView {
    pub view: usize,
    /// From the start of the view.
    pub offset: usize,
}

/// The numbers of an accessor, in the type they are stored in.
#[derive(Debug, Clone)]
pub(super) struct Elements {
    pub component: Component,
    pub normalized: bool,
    pub width: usize,
    /// Tightly packed, little-endian.
    bytes: Vec<u8>,
}

impl Elements {
    pub fn count(&self) -> usize {
        self.bytes.len() / (self.width * self.component.size())
    }

    /// All numbers as floats; normalised integers become fractions.
    pub fn to_f32(&self) -> Vec<f32> {
        let scale = |full: f32| if self.normalized { 1.0 / full } else { 1.0 };
        let floor = if self.normalized { -1.0 } else { f32::MIN };
        match self.component {
            Component::F32 => self.numbers(f32::from_le_bytes),
            Component::U8 => self.numbers(|[b]: [u8; 1]| f32::from(b) * scale(255.0)),
            Component::I8 => self.numbers(|[b]: [u8; 1]| (f32::from(b as i8) * scale(127.0)).max(floor)),
            Component::U16 => self.numbers(|b| f32::from(u16::from_le_bytes(b)) * scale(65535.0)),
            Component::I16 => {
                self.numbers(|b| (f32::from(i16::from_le_bytes(b)) * scale(32767.0)).max(floor))
            }
            Component::U32 => self.numbers(|b| u32::from_le_bytes(b) as f32),
        }
    }

    /// All numbers as whole numbers, or `None` if they are floats or negative.
    pub fn to_u32(&self) -> Option<Vec<u32>> {
        match self.component {
            Component::U8 => Some(self.numbers(|[b]: [u8; 1]| u32::from(b))),
            Component::U16 => Some(self.numbers(|b| u32::from(u16::from_le_bytes(b)))),
            Component::U32 => Some(self.numbers(u32::from_le_bytes)),
            _ => None,
        }
    }

    fn numbers<const N: usize, T>(&self, read: impl Fn([u8; N]) -> T) -> Vec<T> {
        self.bytes
            .as_chunks::<N>()
            .0
            .iter()
            .map(|&four| read(four))
            .collect()
    }
}

/// A buffer view: a range of one buffer, or the compressed form of one.
#[derive(Debug, Clone)]
pub(super) struct View {
    pub buffer: usize,
    pub offset: usize,
    pub length: usize,
    pub stride: Option<usize>,
}

impl Document {
    pub(super) fn view(&self, node: &Node<'_>) -> Result<View, GltfError> {
        let buffer = node
            .need("buffer")?
            .as_index_under(self.buffers.len(), "buffer")?;
        let stride = node.get("byteStride").map(|s| s.as_index()).transpose()?;
        Ok(View {
            buffer,
            offset: node.index_or("byteOffset", 0)?,
            length: node.need("byteLength")?.as_index()?,
            stride,
        })
    }

    /// The bytes of a buffer view, decoded where it is compressed.
    pub(super) fn view_bytes<'a>(
        &'a self,
        index: usize,
    ) -> Result<(std::borrow::Cow<'a, [u8]>, Option<usize>), GltfError> {
        let node = &Node::root(&self.json).item("bufferViews", index)?;
        if let Some(compressed) = compression_of(node) {
            let source = self.view(&compressed)?;
            let bytes = self.range(&compressed, &source)?;
            let decoded = decode_compressed_view(&compressed, bytes)?;
            let stride = compressed.need("byteStride")?.as_index()?;
            return Ok((decoded.into(), Some(stride)));
        }
        let view = self.view(node)?;
        Ok((self.range(node, &view)?.into(), view.stride))
    }

    pub(super) fn range(&self, node: &Node<'_>, view: &View) -> Result<&[u8], GltfError> {
        let bytes = &self.buffers[view.buffer].bytes;
        let end = view.offset.checked_add(view.length);
        end.and_then(|end| bytes.get(view.offset..end)).ok_or_else(|| {
            node.fail(format!(
                "covers bytes {}..{} of buffer {}, which has only {}",
                view.offset,
                view.offset.saturating_add(view.length),
                view.buffer,
                bytes.len()
            ))
        })
    }

    /// What accessor `index` says about itself.
    pub(super) fn accessor(&self, index: usize) -> Result<Accessor, GltfError> {
        let node = self.accessor_node(index)?;
        let code = node.need("componentType")?;
        let component = Component::from_code(code.as_index()?)
            .ok_or_else(|| code.fail(format!("component type {} does not exist", code.value)))?;
        let width = match node.need("type")?.value.as_str() {
            Some("SCALAR") => 1,
            Some("VEC2") => 2,
            Some("VEC3") => 3,
            Some("VEC4" | "MAT2") => 4,
            Some("MAT3") => 9,
            Some("MAT4") => 16,
            _ => return Err(node.fail("has a type that does not exist")),
        };
        let view = match node.get("bufferView") {
            None => None,
            Some(view) => {
                let views = Node::root(&self.json).count("bufferViews");
                Some(AccessorView {
                    view: view.as_index_under(views, "buffer view")?,
                    offset: node.index_or("byteOffset", 0)?,
                })
            }
        };
        Ok(Accessor {
            component,
            normalized: node.bool_or("normalized", false),
            width,
            count: node.need("count")?.as_index()?,
            sparse: node.get("sparse").is_some(),
            view,
        })
    }

    pub(super) fn accessor_node(&self, index: usize) -> Result<Node<'_>, GltfError> {
        Node::root(&self.json).item("accessors", index)
    }

    /// The elements of accessor `index`, with sparse values laid over.
    pub(super) fn elements(&self, index: usize) -> Result<Elements, GltfError> {
        let accessor = self.accessor(index)?;
        let node = self.accessor_node(index)?;
        let size = accessor.width * accessor.component.size();
        let mut bytes = match &accessor.view {
            Some(at) => {
                let (source, stride) = self.view_bytes(at.view)?;
                gather(&source, at.offset, stride.unwrap_or(size), size, accessor.count)
                    .ok_or_else(|| node.fail("reaches past the end of its buffer view"))?
            }
            None => {
                // Nothing backs these zeros, so their number alone must not take memory:
                // a file that means them holds other data of about that count.
                let backed: usize = self.buffers.iter().map(|b| b.bytes.len()).sum();
                if accessor.count > backed.saturating_add(1 << 16) {
                    return Err(node.fail(format!("claims {} elements but has no data", accessor.count)));
                }
                vec![0; accessor.count * size]
            }
        };
        if let Some(sparse) = node.get("sparse") {
            self.lay_over(&sparse, &mut bytes, size)?;
        }
        Ok(Elements {
            component: accessor.component,
            normalized: accessor.normalized,
            width: accessor.width,
            bytes,
        })
    }

    fn lay_over(&self, sparse: &Node<'_>, bytes: &mut [u8], size: usize) -> Result<(), GltfError> {
        let count = sparse.need("count")?.as_index()?;
        let view_count = Node::root(&self.json).count("bufferViews");
        let packed = |key: &str, size: usize| -> Result<Vec<u8>, GltfError> {
            let node = sparse.need(key)?;
            let view = node
                .need("bufferView")?
                .as_index_under(view_count, "buffer view")?;
            let (source, _) = self.view_bytes(view)?;
            gather(&source, node.index_or("byteOffset", 0)?, size, size, count)
                .ok_or_else(|| node.fail("reaches past the end of its buffer view"))
        };
        let indices = sparse.need("indices")?;
        let component = Component::from_code(indices.need("componentType")?.as_index()?)
            .filter(|c| matches!(c, Component::U8 | Component::U16 | Component::U32))
            .ok_or_else(|| indices.fail("indices must be unsigned integers"))?;
        let locations = Elements {
            component,
            normalized: false,
            width: 1,
            bytes: packed("indices", component.size())?,
        };
        let values = packed("values", size)?;
        for (location, value) in locations
            .to_u32()
            .unwrap_or_default()
            .into_iter()
            .zip(values.chunks_exact(size))
        {
            let start = (location as usize).saturating_mul(size);
            let target = bytes
                .get_mut(start..start.saturating_add(size))
                .ok_or_else(|| indices.fail(format!("refers to element {location}, which does not exist")))?;
            target.copy_from_slice(value);
        }
        Ok(())
    }

    /// Adds bytes to the end of the first buffer that can grow and a view over them;
    /// returns the view's index.
    pub(super) fn append_view(&mut self, bytes: &[u8], target: Option<u32>) -> usize {
        let growable = self
            .buffers
            .iter()
            .position(|b| b.home != BufferHome::Placeholder);
        let buffer = growable.unwrap_or_else(|| {
            self.buffers.push(Buffer {
                bytes: Vec::new(),
                home: if self.buffers.is_empty() {
                    BufferHome::Chunk
                } else {
                    BufferHome::Inline
                },
                grown: true,
            });
            list_mut(self.object_mut(), "buffers").push(json!({ "byteLength": 0 }));
            self.buffers.len() - 1
        });
        let data = &mut self.buffers[buffer];
        data.bytes.resize(data.bytes.len().next_multiple_of(4), 0);
        let offset = data.bytes.len();
        data.bytes.extend_from_slice(bytes);
        data.grown = true;
        let mut view = Map::new();
        view.insert("buffer".to_owned(), buffer.into());
        view.insert("byteOffset".to_owned(), offset.into());
        view.insert("byteLength".to_owned(), bytes.len().into());
        if let Some(target) = target {
            view.insert("target".to_owned(), target.into());
        }
        let views = list_mut(self.object_mut(), "bufferViews");
        views.push(Value::Object(view));
        views.len() - 1
    }

    /// Adds an accessor; returns its index.
    pub(super) fn append_accessor(&mut self, fields: Value) -> usize {
        let accessors = list_mut(self.object_mut(), "accessors");
        accessors.push(fields);
        accessors.len() - 1
    }

    /// The JSON's top-level object.
    pub(super) fn object_mut(&mut self) -> &mut Map<String, Value> {
        if !self.json.is_object() {
            self.json = Value::Object(Map::new());
        }
        match &mut self.json {
            Value::Object(map) => map,
            _ => unreachable!("made an object just above"),
        }
    }
}

/// The compression extension of a buffer view, where it has one.
pub(super) fn compression_of<'a>(view: &Node<'a>) -> Option<Node<'a>> {
    let extensions = view.get("extensions")?;
    extensions
        .get("EXT_meshopt_compression")
        .or_else(|| extensions.get("KHR_meshopt_compression"))
}

/// `count` elements of `size` bytes, `stride` apart from `offset` on; `None` if they
/// reach past the end.
fn gather(source: &[u8], offset: usize, stride: usize, size: usize, count: usize) -> Option<Vec<u8>> {
    if count == 0 {
        return Some(Vec::new());
    }
    if stride < size {
        return None;
    }
    let end = (count - 1)
        .checked_mul(stride)?
        .checked_add(offset)?
        .checked_add(size)?;
    let used = source.get(offset..end)?;
    if stride == size {
        return Some(used.to_vec());
    }
    let mut packed = Vec::with_capacity(count * size);
    for i in 0..count {
        packed.extend_from_slice(&used[i * stride..i * stride + size]);
    }
    Some(packed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gathering_never_reads_past_the_end() {
        let source: Vec<u8> = (0..10).collect();
        assert_eq!(gather(&source, 0, 4, 2, 3), Some(vec![0, 1, 4, 5, 8, 9]));
        assert_eq!(gather(&source, 0, 4, 2, 4), None);
        assert_eq!(gather(&source, usize::MAX, 4, 2, 1), None);
        assert_eq!(gather(&source, 0, usize::MAX, 2, 3), None);
        assert_eq!(gather(&source, 0, 1, 2, 3), None);
        assert_eq!(gather(&source, 99, 4, 2, 0), Some(vec![]));
    }

    #[test]
    fn normalised_integers_become_fractions() {
        let e = Elements {
            component: Component::I8,
            normalized: true,
            width: 1,
            bytes: vec![127, 0x80, 0],
        };
        assert_eq!(e.to_f32(), [1.0, -1.0, 0.0]);
        let e = Elements {
            component: Component::U16,
            normalized: true,
            width: 1,
            bytes: vec![0xFF, 0xFF],
        };
        assert_eq!(e.to_f32(), [1.0]);
        let e = Elements {
            component: Component::I16,
            normalized: false,
            width: 1,
            bytes: vec![0xFE, 0xFF],
        };
        assert_eq!(e.to_f32(), [-2.0]);
    }
}
