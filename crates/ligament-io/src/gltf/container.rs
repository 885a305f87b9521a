//! The outside of a glTF file: GLB chunks, JSON text, buffers inside, beside or inline.
//!
//! A [`Document`] holds the JSON as it is, keys in order and numbers with their digits,
//! and the bytes of every buffer. Writing it back unchanged gives the same JSON and the
//! same bytes; what an extension put there survives because nobody looks at it.

use std::path::{Component, Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value};

use super::error::GltfError;
use super::json::Node;
use crate::atomic::{WriteError, write_file};

const MAGIC: &[u8; 4] = b"glTF";
const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// A glTF document: the JSON and the bytes that it refers to.
#[derive(Debug, Clone)]
pub struct Document {
    /// The whole JSON, always an object.
    pub(super) json: Value,
    pub(super) buffers: Vec<Buffer>,
    /// Chunks of kinds that this reader does not know, in order.
    other_chunks: Vec<(u32, Vec<u8>)>,
    /// The folder that relative references start from.
    folder: Option<PathBuf>,
}

#[derive(Debug, Clone)]
pub(super) struct Buffer {
    pub bytes: Vec<u8>,
    pub home: BufferHome,
    /// Whether bytes were added since it was read.
    pub grown: bool,
}

/// Where a buffer's bytes live.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum BufferHome {
    /// The GLB's binary chunk.
    Chunk,
    /// Inside the JSON, as base64.
    Inline,
    /// In a file beside the model.
    File,
    /// Nowhere: only compressed views stand for it (EXT_meshopt_compression).
    Placeholder,
}

impl Document {
    /// Reads a `.glb`, `.gltf` or `.vrm` and the buffers beside it.
    pub fn open(path: &Path) -> Result<Self, GltfError> {
        let read = |path: &Path| {
            std::fs::read(path).map_err(|source| GltfError::Io {
                path: path.to_owned(),
                source,
            })
        };
        let bytes = read(path)?;
        let folder = match path.parent() {
            Some(p) if !p.as_os_str().is_empty() => p.to_owned(),
            _ => PathBuf::from("."),
        };
        Self::parse(&bytes, Some(folder))
    }

    /// Reads a document from memory. Files beside it cannot be referred to.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, GltfError> {
        Self::parse(bytes, None)
    }

    /// A document made of a JSON object and at most one buffer.
    pub(super) fn from_parts(json: Map<String, Value>, bytes: Vec<u8>) -> Self {
        let buffers = if bytes.is_empty() {
            Vec::new()
        } else {
            vec![Buffer {
                bytes,
                home: BufferHome::Chunk,
                grown: true,
            }]
        };
        Self {
            json: Value::Object(json),
            buffers,
            other_chunks: Vec::new(),
            folder: None,
        }
    }

    /// The document's JSON.
    pub fn json(&self) -> &Value {
        &self.json
    }

    /// The bytes of a buffer, by its index in the JSON.
    pub fn buffer(&self, index: usize) -> Option<&[u8]> {
        self.buffers.get(index).map(|b| b.bytes.as_slice())
    }

    fn parse(bytes: &[u8], folder: Option<PathBuf>) -> Result<Self, GltfError> {
        let (text, chunk, other_chunks) = if bytes.starts_with(MAGIC) {
            split_glb(bytes)?
        } else {
            (bytes, None, Vec::new())
        };
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text); // a byte order mark
        if !text.iter().any(|b| !b.is_ascii_whitespace()) {
            return Err(not_gltf("it is empty"));
        }
        let json: Value = serde_json::from_slice(text).map_err(|error| {
            let looks_like_json = text.iter().find(|b| !b.is_ascii_whitespace()) == Some(&b'{');
            if looks_like_json {
                GltfError::Json(error)
            } else {
                not_gltf("it starts with neither 'glTF' nor '{'")
            }
        })?;
        if !json.is_object() {
            return Err(not_gltf("its JSON is not an object"));
        }
        let root = Node::root(&json);
        let version = root.need("asset")?.str_or("version", "");
        if !version.starts_with("2.") {
            return Err(not_gltf(&format!("its version is '{version}'")));
        }
        let mut document = Self {
            buffers: Vec::new(),
            json: Value::Null,
            other_chunks,
            folder,
        };
        document.buffers = document.load_buffers(&root, chunk)?;
        document.json = json;
        Ok(document)
    }

    fn load_buffers(&self, root: &Node<'_>, chunk: Option<&[u8]>) -> Result<Vec<Buffer>, GltfError> {
        let mut buffers = Vec::new();
        for (i, buffer) in root.items("buffers")?.into_iter().enumerate() {
            let claimed = buffer.need("byteLength")?.as_index()?;
            let is_placeholder = ["EXT_meshopt_compression", "KHR_meshopt_compression"]
                .iter()
                .any(|name| {
                    buffer
                        .get("extensions")
                        .and_then(|e| e.get(name))
                        .is_some_and(|e| e.bool_or("fallback", false))
                });
            let (bytes, home) = match buffer.get("uri") {
                Some(uri) => {
                    let text = uri.value.as_str().ok_or_else(|| uri.fail("is not a text"))?;
                    if text.starts_with("data:") {
                        (decode_data_uri(text, &uri.location)?, BufferHome::Inline)
                    } else {
                        let path = self.resolve(text, &uri.location)?;
                        let bytes = std::fs::read(&path).map_err(|source| GltfError::Io { path, source })?;
                        (bytes, BufferHome::File)
                    }
                }
                None if i == 0 && chunk.is_some() && !is_placeholder => {
                    (chunk.unwrap_or_default().to_vec(), BufferHome::Chunk)
                }
                None if is_placeholder => (Vec::new(), BufferHome::Placeholder),
                None => return Err(buffer.fail("has neither a uri nor the file's binary chunk")),
            };
            if home != BufferHome::Placeholder && bytes.len() < claimed {
                return Err(buffer.fail(format!(
                    "claims {claimed} bytes, but only {} are there: the file was cut off",
                    bytes.len()
                )));
            }
            buffers.push(Buffer {
                bytes,
                home,
                grown: false,
            });
        }
        Ok(buffers)
    }

    /// The file behind a relative reference, never one outside the model's folder.
    pub(super) fn resolve(&self, uri: &str, location: &str) -> Result<PathBuf, GltfError> {
        let outside = || GltfError::OutsideFolder {
            location: location.to_owned(),
            uri: uri.to_owned(),
        };
        let folder = self.folder.as_ref().ok_or_else(outside)?;
        let decoded = percent_encoding::percent_decode_str(uri)
            .decode_utf8()
            .map_err(|_| outside())?;
        let relative = Path::new(decoded.as_ref());
        let stays = relative
            .components()
            .all(|c| matches!(c, Component::Normal(_) | Component::CurDir))
            && !decoded.contains(['\\', '\0', ':']);
        if !stays || decoded.is_empty() {
            return Err(outside());
        }
        let path = folder.join(relative);
        // A symbolic link may lead out of the folder as well.
        if let (Ok(real), Ok(home)) = (path.canonicalize(), folder.canonicalize())
            && !real.starts_with(&home)
        {
            return Err(outside());
        }
        Ok(path)
    }

    /// The document as one GLB. Buffers and images that lie in files beside the source
    /// are taken in, so that the result stands alone.
    pub fn to_glb(&self) -> Result<Vec<u8>, GltfError> {
        let mut whole = self.clone();
        whole.take_in_images()?;
        let mut chunk: &[u8] = &[];
        let mut json = whole.json.clone();
        for (i, buffer) in whole.buffers.iter().enumerate() {
            match (&buffer.home, i) {
                (BufferHome::Chunk | BufferHome::File, 0) => {
                    chunk = &buffer.bytes;
                    set_buffer_uri(&mut json, i, None);
                }
                (BufferHome::Chunk | BufferHome::File | BufferHome::Inline, _) => {
                    set_buffer_uri(&mut json, i, Some(encode_data_uri(&buffer.bytes)));
                }
                (BufferHome::Placeholder, _) => {}
            }
            set_buffer_length(&mut json, i, buffer);
        }
        let mut text = serde_json::to_vec(&json).map_err(GltfError::Json)?;
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut out = Vec::with_capacity(12 + 8 + text.len() + 8 + chunk.len() + 4);
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&2u32.to_le_bytes());
        out.extend_from_slice(&0u32.to_le_bytes());
        push_chunk(&mut out, JSON_CHUNK, &text, b' ');
        if !chunk.is_empty() {
            push_chunk(&mut out, BIN_CHUNK, chunk, 0);
        }
        for (kind, bytes) in &whole.other_chunks {
            push_chunk(&mut out, *kind, bytes, 0);
        }
        let total = u32::try_from(out.len()).map_err(|_| {
            GltfError::malformed("/", "the result is larger than the 4 GiB that a GLB can hold")
        })?;
        out[8..12].copy_from_slice(&total.to_le_bytes());
        Ok(out)
    }

    /// Writes the document: a `.gltf` with its buffers in files beside it where the
    /// source had them so, else a single GLB. The target is replaced in one step.
    pub fn save(&self, path: &Path) -> Result<(), SaveError> {
        let as_text = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gltf"));
        if !as_text {
            return Ok(write_file(path, &self.to_glb()?)?);
        }
        let stem = path
            .file_stem()
            .map_or_else(|| "model".into(), |s| s.to_string_lossy());
        let mut json = self.json.clone();
        let folder = path.parent().unwrap_or(Path::new(""));
        for (i, buffer) in self.buffers.iter().enumerate() {
            match buffer.home {
                BufferHome::Placeholder => {}
                BufferHome::Inline => set_buffer_uri(&mut json, i, Some(encode_data_uri(&buffer.bytes))),
                BufferHome::Chunk | BufferHome::File => {
                    // Named after its content: an older .gltf of the same name keeps the
                    // buffer that it belongs to until it is replaced itself.
                    let name = format!("{stem}.{:016x}.bin", fnv1a(&buffer.bytes));
                    write_file(&folder.join(&name), &buffer.bytes)?;
                    let uri = percent_encoding::utf8_percent_encode(&name, URI_UNSAFE).to_string();
                    set_buffer_uri(&mut json, i, Some(uri));
                }
            }
            set_buffer_length(&mut json, i, buffer);
        }
        self.bring_images(folder)?;
        let text = serde_json::to_vec_pretty(&json).map_err(GltfError::Json)?;
        Ok(write_file(path, &text)?)
    }

    /// Images that the JSON refers to by a relative file name: index and uri.
    fn image_files(&self) -> Result<Vec<(usize, String)>, GltfError> {
        let mut files = Vec::new();
        for (i, image) in Node::root(&self.json).items("images")?.into_iter().enumerate() {
            let uri = image.str_or("uri", "");
            if !uri.is_empty() && !uri.starts_with("data:") {
                files.push((i, uri.to_owned()));
            }
        }
        Ok(files)
    }

    /// Copies images that lie beside the source to the target's folder. One that is not
    /// there is left out, as it was before.
    fn bring_images(&self, folder: &Path) -> Result<(), SaveError> {
        for (i, uri) in self.image_files()? {
            let Ok(from) = self.resolve(&uri, &format!("/images/{i}/uri")) else {
                continue;
            };
            let Ok(bytes) = std::fs::read(&from) else { continue };
            let relative = percent_encoding::percent_decode_str(&uri).decode_utf8_lossy();
            let to = folder.join(relative.as_ref());
            match std::fs::read(&to) {
                Ok(present) if present == bytes => {}
                Ok(_) => return Err(SaveError::ImageInTheWay { path: to }),
                Err(_) => {
                    if let Some(parent) = to.parent() {
                        std::fs::create_dir_all(parent).map_err(|source| WriteError::Io {
                            path: to.clone(),
                            source,
                        })?;
                    }
                    write_file(&to, &bytes)?;
                }
            }
        }
        Ok(())
    }

    /// Moves images from files beside the source into the first buffer.
    fn take_in_images(&mut self) -> Result<(), GltfError> {
        for (i, uri) in self.image_files()? {
            let Ok(path) = self.resolve(&uri, &format!("/images/{i}/uri")) else {
                continue;
            };
            let Ok(bytes) = std::fs::read(&path) else { continue };
            let Some(mime) = image_type(&bytes) else {
                continue; // a kind that only an extension knows stays where it is
            };
            let view = self.append_view(&bytes, None);
            if let Some(Value::Object(image)) = self.json.pointer_mut(&format!("/images/{i}")) {
                image.shift_remove("uri");
                image.insert("bufferView".to_owned(), view.into());
                image.insert("mimeType".to_owned(), mime.into());
            }
        }
        Ok(())
    }
}

/// Why a document could not be saved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The document cannot be put together.
    #[error(transparent)]
    Gltf(#[from] GltfError),
    /// The system refused to write.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A texture would overwrite another file.
    #[error("a texture of the model would overwrite a different file; choose another folder, or write a .glb: {}", path.display())]
    ImageInTheWay {
        /// The file that is in the way.
        path: PathBuf,
    },
}

/// The type of a picture that glTF knows.
pub(super) fn image_type(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"\x89PNG") {
        Some("image/png")
    } else if bytes.starts_with(b"\xFF\xD8") {
        Some("image/jpeg")
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some("image/webp")
    } else {
        None
    }
}

fn not_gltf(problem: &str) -> GltfError {
    GltfError::NotGltf {
        problem: problem.to_owned(),
    }
}

/// The JSON chunk, the binary chunk, and the chunks nobody knows.
type Chunks<'a> = (&'a [u8], Option<&'a [u8]>, Vec<(u32, Vec<u8>)>);

fn split_glb(bytes: &[u8]) -> Result<Chunks<'_>, GltfError> {
    let word = |at: usize| -> Option<u32> {
        let four = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    };
    let cut = || not_gltf("its header is cut off");
    let version = word(4).ok_or_else(cut)?;
    if version != 2 {
        return Err(not_gltf(&format!("its container version is {version}")));
    }
    let total = word(8).ok_or_else(cut)? as usize;
    if total > bytes.len() {
        return Err(not_gltf(&format!(
            "it claims {total} bytes, but only {} are there: the file was cut off",
            bytes.len()
        )));
    }
    let (mut text, mut chunk, mut others) = (None, None, Vec::new());
    let mut at = 12;
    while at + 8 <= total {
        let length = word(at).ok_or_else(cut)? as usize;
        let kind = word(at + 4).ok_or_else(cut)?;
        let end = (at + 8).checked_add(length).filter(|&end| end <= total);
        let Some(end) = end else {
            return Err(not_gltf(&format!(
                "the chunk at byte {at} is longer than the file"
            )));
        };
        let content = &bytes[at + 8..end];
        match kind {
            JSON_CHUNK if text.is_none() => text = Some(content),
            BIN_CHUNK if chunk.is_none() => chunk = Some(content),
            _ => others.push((kind, content.to_vec())),
        }
        at = end;
    }
    let text = text.ok_or_else(|| not_gltf("it has no JSON chunk"))?;
    Ok((text, chunk, others))
}

fn push_chunk(out: &mut Vec<u8>, kind: u32, bytes: &[u8], filler: u8) {
    let padded = bytes.len().next_multiple_of(4);
    out.extend_from_slice(&(padded as u32).to_le_bytes());
    out.extend_from_slice(&kind.to_le_bytes());
    out.extend_from_slice(bytes);
    out.resize(out.len() + padded - bytes.len(), filler);
}

fn set_buffer_uri(json: &mut Value, index: usize, uri: Option<String>) {
    if let Some(Value::Object(buffer)) = json.pointer_mut(&format!("/buffers/{index}")) {
        match uri {
            Some(uri) => buffer.insert("uri".to_owned(), uri.into()),
            None => buffer.shift_remove("uri"),
        };
    }
}

fn set_buffer_length(json: &mut Value, index: usize, buffer: &Buffer) {
    if let Some(Value::Object(object)) = json.pointer_mut(&format!("/buffers/{index}"))
        && buffer.grown
    {
        object.insert("byteLength".to_owned(), buffer.bytes.len().into());
    }
}

pub(super) fn decode_data_uri(uri: &str, location: &str) -> Result<Vec<u8>, GltfError> {
    let bad = |problem: &str| GltfError::malformed(location, problem);
    let (head, body) = uri
        .split_once(',')
        .ok_or_else(|| bad("is a data uri without data"))?;
    if !head.ends_with(";base64") {
        return Err(bad("is a data uri that is not base64"));
    }
    BASE64
        .decode(body.trim())
        .map_err(|e| bad(&format!("is not valid base64 ({e})")))
}

fn encode_data_uri(bytes: &[u8]) -> String {
    format!("data:application/octet-stream;base64,{}", BASE64.encode(bytes))
}

/// What must be escaped in a relative reference.
const URI_UNSAFE: &percent_encoding::AsciiSet = &percent_encoding::CONTROLS
    .add(b' ')
    .add(b'%')
    .add(b'#')
    .add(b'?')
    .add(b'"')
    .add(b'<')
    .add(b'>')
    .add(b'\\');

/// A 64-bit content hash (Fowler, Noll and Vo), enough to keep versions of a buffer apart.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
