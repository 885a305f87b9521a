//! A material library (`.mtl`): the base colour and its opacity, no more.

use std::collections::HashMap;

use ligament::character::Material;

use crate::assemble::warning;
use crate::import::ImportWarning;
use crate::text::{Line, f32_of, lines, name_of};

/// Materials by name.
#[derive(Default)]
pub(super) struct Materials {
    by_name: HashMap<String, Material>,
}

impl Materials {
    /// Adds what a library holds. What cannot be understood stays as it is by default: a
    /// wrong colour is no reason to refuse a mesh.
    pub fn take_library(&mut self, bytes: &[u8], warnings: &mut Vec<ImportWarning>) {
        let mut current: Option<Material> = None;
        let mut textures: Vec<String> = Vec::new();
        for line in lines(bytes) {
            let Some(word) = line.words().next() else { continue };
            if word == b"newmtl" {
                self.keep(current.take());
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
                b"map_Kd" => textures.push(name_of(line.after_first_word())),
                _ => {}
            }
        }
        self.keep(current);
        textures.sort();
        textures.dedup();
        if !textures.is_empty() {
            warnings.push(warning(
                "left_out_textures",
                format!("textures were left out: {}", textures.join(", ")),
            ));
        }
    }

    fn keep(&mut self, material: Option<Material>) {
        if let Some(material) = material {
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
        materials.take_library(library, &mut warnings);
        assert_eq!(materials.get("red skin").base_color, [1.0, 0.5, 0.0, 0.25]);
        assert_eq!(materials.get("glass").base_color, [1.0, 1.0, 1.0, 0.25]);
        assert_eq!(materials.get("other").name, "other");
        assert!(warnings[0].message.contains("a b.png"));
    }
}
