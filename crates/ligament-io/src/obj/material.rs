//! A material library (`.mtl`): the base colour, its opacity, its picture and its bumps, no more.

use std::collections::HashMap;

use glam::{DMat2, DVec2};
use ligament::character::{Alpha, Material, NormalMap, Texture, Wrap};

use crate::assemble::warning;
use crate::import::ImportWarning;
use crate::laying::from_lower_edge;
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
                b"map_Kd" | b"norm" => {
                    let (laid, file) = options(line.after_first_word());
                    let name = name_of(file).replace('\\', "/");
                    let picture = match self.picture(&name, folder, companion) {
                        Ok(picture) => Some(laid.applied_to(picture)),
                        Err(problem) => {
                            textures.push(format!("{name} ({problem})"));
                            None
                        }
                    };
                    if word == b"map_Kd" {
                        mapped = true;
                        material.texture = picture;
                    } else {
                        let strength = laid.strength;
                        material.normal_map = picture.map(|texture| NormalMap { texture, strength });
                    }
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

/// How a map is laid on, as its options say: coordinates are scaled, then moved, and count from the lower edge.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Laid {
    scale: DVec2,
    offset: DVec2,
    clamp: bool,
    strength: f32,
}

impl Laid {
    fn applied_to(&self, picture: Texture) -> Texture {
        let is_plain = self.scale == DVec2::ONE && self.offset == DVec2::ZERO;
        Texture {
            transform: if is_plain {
                picture.transform
            } else {
                from_lower_edge(DMat2::from_diagonal(self.scale), self.offset)
            },
            wrap: if self.clamp {
                [Wrap::Clamp; 2]
            } else {
                picture.wrap
            },
            ..picture
        }
    }
}

/// A map's options, and behind them the file's name, which may hold blanks.
fn options(text: &[u8]) -> (Laid, &[u8]) {
    let mut laid = Laid {
        scale: DVec2::ONE,
        offset: DVec2::ZERO,
        clamp: false,
        strength: 1.0,
    };
    let mut rest = text.trim_ascii();
    loop {
        let (option, after) = first_word(rest);
        let (least, most) = match option {
            b"-s" | b"-o" | b"-t" => (1, 3),
            b"-mm" => (2, 2),
            b"-blendu" | b"-blendv" | b"-boost" | b"-bm" | b"-cc" | b"-clamp" | b"-imfchan" | b"-texres"
            | b"-type" => (1, 1),
            _ => return (laid, rest),
        };
        rest = after;
        let mut values: Vec<&[u8]> = Vec::new();
        for taken in 0..most {
            let (word, after) = first_word(rest);
            // A name may look like a number only if nothing comes after it.
            if taken >= least && (f32_of(word).is_none() || after.is_empty()) {
                break;
            }
            values.push(word);
            rest = after;
        }
        let number = |k: usize| values.get(k).and_then(|w| f32_of(w)).filter(|n| n.is_finite());
        match option {
            // One number alone is for the horizontal; the others stay as they are.
            b"-s" => laid.scale = pair(number(0), number(1), 1.0),
            b"-o" => laid.offset = pair(number(0), number(1), 0.0),
            b"-clamp" => laid.clamp = values.first() == Some(&b"on".as_slice()),
            b"-bm" => laid.strength = number(0).unwrap_or(1.0),
            _ => {}
        }
    }
}

fn pair(u: Option<f32>, v: Option<f32>, default: f64) -> DVec2 {
    let or = |n: Option<f32>| n.map_or(default, f64::from);
    DVec2::new(or(u), or(v))
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
    use glam::Vec2;
    use ligament::character::UvTransform;

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
            assert_eq!(options(text.as_bytes()).1, name.as_bytes(), "{text}");
        }
    }

    /// Coordinates count from the lower edge in these files and from the upper one inside.
    #[test]
    fn options_say_how_a_picture_is_laid_on() {
        let png: Vec<u8> = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut materials = Materials::default();
        let mut warnings = Vec::new();
        let library = b"newmtl a\nmap_Kd -s 2 4 1 -o 0.25 0.5 -clamp on skin.png\nnorm -bm 0.5 bumps.png\nnewmtl b\nmap_Kd -clamp off skin.png\n";
        materials.take_library(library, "x.mtl", &|_| Some(png.clone()), &mut warnings);
        assert!(warnings.is_empty(), "{warnings:?}");
        let a = materials.get("a");
        let texture = a.texture.unwrap();
        assert_eq!(texture.wrap, [Wrap::Clamp; 2]);
        for (u, v) in [(0.0f32, 0.0f32), (1.0, 0.0), (0.3, 0.7)] {
            let theirs = Vec2::new(2.0 * u + 0.25, 4.0 * v + 0.5);
            let here = texture.transform.apply(Vec2::new(u, 1.0 - v));
            assert!(
                here.distance(Vec2::new(theirs.x, 1.0 - theirs.y)) < 1e-5,
                "{here} {theirs}"
            );
        }
        let bumps = a.normal_map.unwrap();
        assert_eq!((bumps.texture.name.as_str(), bumps.strength), ("bumps.png", 0.5));
        let plain = materials.get("b").texture.unwrap();
        assert_eq!(
            (plain.wrap, plain.transform),
            ([Wrap::Repeat; 2], UvTransform::IDENTITY)
        );
    }
}
