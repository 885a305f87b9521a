//! A material library (`.mtl`): the base colour, its opacity and its picture, no more.

use std::collections::HashMap;

use ligament::character::{Alpha, Material, Texture};

use crate::assemble::warning;
use crate::import::ImportWarning;
use crate::text::{Line, f32_of, lines, name_of};

/// Materials by name.
#[derive(Default)]
pub(super) struct Materials {
    by_name: HashMap<String, Material>,
    /// By the name in the library; each is loaded once.
    pictures: HashMap<String, Result<Texture, &'static str>>,
}

impl Materials {
    /// Adds what a library holds. What cannot be understood stays as it is by default: a
    /// wrong colour is no reason to refuse a mesh.
    ///
    /// `path` is the library's own name, whose folder pictures are looked for in first.
    pub fn take_library(
        &mut self,
        bytes: &[u8],
        path: &str,
        companion: &dyn Fn(&str) -> Option<Vec<u8>>,
        warnings: &mut Vec<ImportWarning>,
    ) {
        let path = path.replace('\\', "/");
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        let mut current: Option<Material> = None;
        let mut mapped = false;
        let mut textures: Vec<String> = Vec::new();
        for line in lines(bytes) {
            let Some(word) = line.words().next() else { continue };
            if word == b"newmtl" {
                self.keep(current.take(), mapped);
                mapped = false;
                current = Some(Material {
                    name: name_of(line.after_first_word()),
                    ..Material::default()
                });
                continue;
            }
            let Some(material) = &mut current else { continue };
            match word {
                b"Kd" => {
                    if let [Some(r), Some(g), Some(b)] = numbers(line) {
                        material.base_color[..3].copy_from_slice(&[r, g, b]);
                    }
                }
                b"d" => {
                    // `d -halo 0.5` also exists.
                    if let Some(opacity) = line.words().last().and_then(f32_of) {
                        material.base_color[3] = opacity.clamp(0.0, 1.0);
                    }
                }
                b"Tr" => {
                    if let [Some(transparency), ..] = numbers(line) {
                        material.base_color[3] = 1.0 - transparency.clamp(0.0, 1.0);
                    }
                }
                b"map_Kd" => {
                    let name = name_of(file_name(line.after_first_word())).replace('\\', "/");
                    mapped = true;
                    material.texture = match self.picture(&name, folder, companion) {
                        Ok(texture) => Some(texture),
                        Err(problem) => {
                            textures.push(format!("{name} ({problem})"));
                            None
                        }
                    };
                }
                _ => {}
            }
        }
        self.keep(current, mapped);
        textures.sort();
        textures.dedup();
        if !textures.is_empty() {
            warnings.push(warning(
                "left_out_textures",
                format!("textures were left out: {}", textures.join(", ")),
            ));
        }
    }

    /// The picture of that name, or why there is none.
    fn picture(
        &mut self,
        name: &str,
        folder: &str,
        companion: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Texture, &'static str> {
        let key = format!("{folder}{name}");
        if let Some(known) = self.pictures.get(&key) {
            return known.clone();
        }
        // Libraries often name where a picture was on its maker's disk.
        let last = name.rsplit('/').next().unwrap_or(name);
        let loaded = companion(&key)
            .or_else(|| companion(name).filter(|_| name != key))
            .or_else(|| companion(last).filter(|_| last != name));
        let picture = match loaded {
            None => Err("not beside the file"),
            Some(bytes) if is_png_or_jpeg(&bytes) => Ok(Texture::new(last, bytes)),
            Some(_) => Err("neither PNG nor JPEG"),
        };
        self.pictures.insert(key, picture.clone());
        picture
    }

    /// Under a picture, black means that the program wrote no colour.
    fn keep(&mut self, material: Option<Material>, mapped: bool) {
        if let Some(mut material) = material {
            if mapped && material.base_color[..3] == [0.0; 3] {
                material.base_color[..3].fill(1.0);
            }
            if material.base_color[3] < 1.0 {
                material.alpha = Alpha::Blend;
            }
            self.by_name.insert(material.name.clone(), material);
        }
    }

    /// The material of that name, or a white one.
    pub fn get(&self, name: &str) -> Material {
        self.by_name.get(name).cloned().unwrap_or_else(|| Material {
            name: name.to_owned(),
            ..Material::default()
        })
    }
}

fn is_png_or_jpeg(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x89PNG\r\n\x1a\n") || bytes.starts_with(b"\xFF\xD8\xFF")
}

/// The file's name, which may hold blanks, behind a map's options.
fn file_name(text: &[u8]) -> &[u8] {
    let mut rest = text.trim_ascii();
    loop {
        let (option, after) = first_word(rest);
        let (least, most) = match option {
            b"-s" | b"-o" | b"-t" => (1, 3),
            b"-mm" => (2, 2),
            b"-blendu" | b"-blendv" | b"-boost" | b"-bm" | b"-cc" | b"-clamp" | b"-imfchan" | b"-texres"
            | b"-type" => (1, 1),
            _ => return rest,
        };
        rest = after;
        for taken in 0..most {
            let (word, after) = first_word(rest);
            // A name may look like a number only if nothing comes after it.
            if taken >= least && (f32_of(word).is_none() || after.is_empty()) {
                break;
            }
            rest = after;
        }
    }
}

fn first_word(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

fn numbers(line: Line) -> [Option<f32>; 3] {
    let mut words = line.words().skip(1);
    std::array::from_fn(|_| words.next().and_then(f32_of))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_opacity_and_texture_names_are_read() {
        let mut materials = Materials::default();
        let mut warnings = Vec::new();
        let library =
            b"Kd 9 9 9\nnewmtl red skin\nKd 1 0.5 0\nd -halo 0.25\nmap_Kd a b.png\nnewmtl glass\nTr 0.75\nKd x\n";
        materials.take_library(library, "x.mtl", &|_| None, &mut warnings);
        assert_eq!(materials.get("red skin").base_color, [1.0, 0.5, 0.0, 0.25]);
        assert_eq!(materials.get("glass").base_color, [1.0, 1.0, 1.0, 0.25]);
        assert_eq!(materials.get("other").name, "other");
        assert!(warnings[0].message.contains("a b.png"));
    }

    #[test]
    fn options_before_a_name_are_read_over() {
        for (text, name) in [
            ("a.png", "a.png"),
            ("-s 1 1 1 -o 0.5 0 my skin.png", "my skin.png"),
            ("-clamp on  -s 2 a.png", "a.png"),
            ("-mm 0 1 -bm 1 2 b.png", "2 b.png"),
            ("-o 1 2", "2"),
            ("-s", ""),
            ("-odd.png", "-odd.png"),
        ] {
            assert_eq!(file_name(text.as_bytes()), name.as_bytes(), "{text}");
        }
    }
}
