//! USD: characters as UsdSkel, written as text (`.usda`) or binary (`.usdc`), read
//! from both and from packages (`.usdz`).

mod bytes;
mod crate_file;
mod crate_numbers;
mod crate_values;
mod layer;
mod lexer;
mod names;
mod package;
mod packed;
mod parse_crate;
mod parse_text;
mod print_crate;
mod print_crate_values;
mod print_text;
mod read;
mod read_blend_shapes;
mod read_clips;
mod read_material;
mod read_mesh;
mod read_skeleton;
mod read_uvs;
mod read_weights;
mod save;
mod stage;
mod write;
mod write_blend_shapes;
mod write_clips;
mod write_mesh;
mod write_rig;
mod write_textures;

use std::path::Path;
use std::sync::Arc;

use ligament::Character;

use crate::companion;
use crate::export::check;
use crate::import::{ImportError, Imported, read_file};

use read_material::Pictures;

pub use crate::export::WriteError;
pub(crate) use crate_numbers::half;
pub use save::{SaveError, save};

/// Reads the character in a `.usda`, `.usdc`, `.usd` or `.usdz` file; what kind it is
/// shows in its first bytes. Textures are looked for beside it. See [`read_bytes`].
pub fn read(path: &Path) -> Result<Imported, ImportError> {
    let name = path.file_stem().map(|s| s.to_string_lossy().into_owned());
    read_beside(
        &read_file(path)?,
        &name.unwrap_or_default(),
        &companion::beside(path),
    )
}

/// Reads the character in a file's bytes: all skeletons, all meshes, their bindings and
/// all `SkelAnimation`s, turned to metres and +Y up.
///
/// One layer is read, not what it refers to: references, payloads, sublayers and variants
/// are left out with a warning, and so are textures that are neither PNG nor JPEG, or not in
/// the package (no other files are looked into here). Left out without one: pictures that
/// give anything but the colour, cameras, lights, the motion of anything but joints.
pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    read_beside(bytes, name, &companion::none)
}

/// Reads the bytes of a file that names pictures which `beside` finds.
pub(crate) fn read_beside(
    bytes: &[u8],
    name: &str,
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Imported, ImportError> {
    if bytes.starts_with(b"PK\x03\x04") {
        let package = package::Package::open(bytes)?;
        let load = |name: &str| package.file(name).map(<[u8]>::to_vec);
        // Files of a package may overlap only in one that was made to do harm.
        let mut pictures = Pictures::new(&load, bytes.len());
        return read_one(package.layer, name, &mut pictures);
    }
    read_one(bytes, name, &mut Pictures::new(beside, usize::MAX))
}

fn read_one(layer: &[u8], name: &str, pictures: &mut Pictures<'_>) -> Result<Imported, ImportError> {
    let layer = if layer.starts_with(b"PXR-USDC") {
        parse_crate::parse_crate(layer)?
    } else if layer.starts_with(b"#usda") || layer.starts_with(b"\xEF\xBB\xBF#usda") {
        parse_text::parse_text(layer.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(layer))?
    } else {
        return Err(ImportError::malformed(
            "byte 0",
            "this is no USD file: it begins neither with '#usda' nor with 'PXR-USDC', and is no package",
        ));
    };
    read::read_layer(&layer, name, pictures)
}

/// The character as text: a `SkelRoot` with a `Skeleton`, a `Mesh` for each part, its
/// materials and clips. Metres, +Y up. The same character gives the same bytes.
///
/// Pictures are not in it: it refers to the files that [`textures`] gives, relative to its
/// own folder.
///
/// Kept: geometry, texture coordinates, normals, colours, blend shapes, all influences, joint names (as `jointNames`), rest
/// and bind poses, all clips of joints and of blend shapes. Not kept: the limit that [`ligament::Part::joints`] sets,
/// the even scale of a joint at rest (its frame is unscaled instead and moves the skin the
/// same way), the exact value of animated scales (USD has half precision for them), plain
/// nodes above all joints (folded into the joints).
pub fn write(character: &Character) -> Result<String, WriteError> {
    check(character)?;
    Ok(print_text::print_text(&write::write_layer(
        character,
        &textures(character),
    )))
}

/// The same as [`write()`] gives, in the binary form (`.usdc`): smaller, and faster to read.
pub fn write_binary(character: &Character) -> Result<Vec<u8>, WriteError> {
    check(character)?;
    Ok(print_crate::print_crate(&write::write_layer(
        character,
        &textures(character),
    )))
}

/// The pictures that a written layer refers to: names relative to its folder, and bytes.
/// Each picture is there once; the same character gives the same names.
pub fn textures(character: &Character) -> Vec<(String, Arc<[u8]>)> {
    write_textures::textures(character)
}
