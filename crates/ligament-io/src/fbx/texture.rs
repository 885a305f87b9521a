//! The pictures that colour materials, each loaded once.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DMat2, DVec2};
use ligament::character::{Texture, UvTransform, Wrap};

use crate::import::ImportWarning;
use crate::laying::from_lower_edge;

/// Finds a file beside the model.
pub(super) type Beside<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

/// Pictures that were asked for before. Two textures of one picture share its bytes, so
/// that a file cannot ask for more memory than its pictures take.
pub(super) struct Pictures<'a> {
    beside: Beside<'a>,
    /// By the texture's index in the scene.
    textures: HashMap<u32, Option<Texture>>,
    /// By where the content lies in the scene.
    embedded: HashMap<(usize, usize), Arc<[u8]>>,
    /// By name.
    files: HashMap<String, Option<Arc<[u8]>>>,
}

impl<'a> Pictures<'a> {
    pub fn new(beside: Beside<'a>) -> Self {
        Self {
            beside,
            textures: HashMap::new(),
            embedded: HashMap::new(),
            files: HashMap::new(),
        }
    }

    /// The picture of a material's map, or a warning the first time there is none.
    pub fn get(&mut self, map: &ufbx::Texture, warnings: &mut Vec<ImportWarning>) -> Option<Texture> {
        // Layers and shaders are made of files; the first is the base.
        let source = map.file_textures.into_iter().next().unwrap_or(map);
        let key = source.element.typed_id;
        if let Some(known) = self.textures.get(&key) {
            return known.clone();
        }
        let name = name_of(source);
        let found = match self.bytes(source) {
            Some(bytes) if is_picture(&bytes) => Ok(bytes),
            Some(_) => Err("it is neither PNG nor JPEG"),
            None => Err("the picture is neither in the file nor beside it"),
        };
        let texture = match found {
            Ok(bytes) => Some(Texture {
                wrap: [source.wrap_u, source.wrap_v].map(wrap),
                transform: transform(source),
                ..Texture::new(name, bytes)
            }),
            Err(problem) => {
                warnings.push(ImportWarning {
                    code: "texture_left_out",
                    message: format!("left out texture '{name}': {problem}"),
                });
                None
            }
        };
        self.textures.insert(key, texture.clone());
        texture
    }

    fn bytes(&mut self, texture: &ufbx::Texture) -> Option<Arc<[u8]>> {
        let content: &[u8] = &texture.content;
        if !content.is_empty() {
            let key = (content.as_ptr() as usize, content.len());
            let known = self.embedded.entry(key);
            return Some(known.or_insert_with(|| Arc::from(content)).clone());
        }
        let stated = [
            &*texture.relative_filename,
            &*texture.filename,
            &*texture.absolute_filename,
        ];
        let whole = stated.map(plain);
        let bare = stated.map(|name| plain(last(name)));
        whole.into_iter().chain(bare).find_map(|name| self.file(name))
    }

    fn file(&mut self, name: String) -> Option<Arc<[u8]>> {
        if name.is_empty() {
            return None;
        }
        if let Some(known) = self.files.get(&name) {
            return known.clone();
        }
        let found: Option<Arc<[u8]>> = (self.beside)(&name).map(Arc::from);
        self.files.insert(name, found.clone());
        found
    }
}

fn wrap(mode: ufbx::WrapMode) -> Wrap {
    match mode {
        ufbx::WrapMode::Clamp => Wrap::Clamp,
        _ => Wrap::Repeat,
    }
}

/// How the picture is moved, turned and scaled on the surface.
fn transform(texture: &ufbx::Texture) -> UvTransform {
    if !texture.has_uv_transform {
        return UvTransform::IDENTITY;
    }
    let m = &texture.uv_to_texture;
    let linear = DMat2::from_cols(DVec2::new(m.m00, m.m10), DVec2::new(m.m01, m.m11));
    from_lower_edge(linear, DVec2::new(m.m03, m.m13))
}

/// A path with slashes and without steps that lead nowhere: one spelling for one file.
fn plain(path: &str) -> String {
    let path = path.replace('\\', "/");
    let steps: Vec<&str> = path.split('/').filter(|s| !s.is_empty() && *s != ".").collect();
    steps.join("/")
}

/// The bare file name of a path.
fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn name_of(texture: &ufbx::Texture) -> String {
    let names = [&*texture.element.name, last(&texture.filename)];
    names
        .into_iter()
        .find(|n| !n.is_empty())
        .unwrap_or_default()
        .to_owned()
}

fn is_picture(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") || bytes.starts_with(b"\xff\xd8\xff")
}
