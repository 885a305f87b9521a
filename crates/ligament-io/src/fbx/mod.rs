//! FBX, binary and text, through the `ufbx` library.
//!
//! What a file holds becomes one character in the one convention inside: `ufbx` turns the
//! axes to right-handed, +Y up, and the unit to metres by changing geometry and
//! translations (not by a scale on the root), so a file in centimetres gives joints
//! without a scale of 0.01. All skinned meshes share one bind space, the world in which
//! the file says that skin and bones were brought together.
//!
//! Vertices are FBX control points: one for each position of a mesh, never split for seams or
//! hard edges, which is what binding wants. Their normals are the mean of their corners', which
//! are kept beside them where an edge is hard,
//! their colours the first corner's; colours are taken as linear.
//! Polygons become triangles. A node's materials become parts that share its vertices.
//!
//! Corners keep the first set of texture coordinates, and materials the picture of their
//! base colour: from inside the file, or from the model's folder.
//!
//! Left behind: further sets of texture coordinates, other textures than the base
//! colour's, their layers, pictures that are neither PNG nor JPEG,
//! tangents, what blend shapes go through between none and all, vertex
//! caches, NURBS, lights, cameras, constraints, dual-quaternion blend weights, and curve
//! tangents (clips are sampled at the file's frame rate).
//!
//! ```no_run
//! let imported = ligament_io::fbx::open("knight.fbx".as_ref())?;
//! for warning in &imported.warnings {
//!     // `warning.code` is for programs, `warning.message` for people.
//! }
//! # Ok::<(), ligament_io::import::ImportError>(())
//! ```

mod blend_shapes;
mod clips;
mod convert;
mod geometry;
mod load;
mod material;
mod mesh;
mod placing;
mod skeleton;
mod texture;
mod tree;
mod weights;
mod write;

use std::path::Path;

use ligament::Character;

pub use crate::export::WriteError;
pub use write::write;

use crate::companion;
use crate::import::{ImportError, ImportWarning, Imported, read_file};

/// Reads a file, and pictures from its folder and the folders below.
pub fn open(path: &Path) -> Result<Imported, ImportError> {
    let name = path
        .file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default();
    read_beside(&read_file(path)?, &name, &companion::beside(path))
}

/// Reads the bytes of a file; the character gets the given name.
///
/// A file without meshes (a clip) gives a skeleton and clips; one without bones gives a
/// mesh. Memory is limited in relation to the size of the file. Pictures that the file
/// does not hold itself are left out; [`open`] looks for them.
pub fn read(bytes: &[u8], name: &str) -> Result<Imported, ImportError> {
    read_beside(bytes, name, &companion::none)
}

/// Reads the bytes of a file that names pictures which `beside` finds.
pub(crate) fn read_beside(
    bytes: &[u8],
    name: &str,
    beside: texture::Beside,
) -> Result<Imported, ImportError> {
    let mut warnings = Vec::new();
    let scene = load::load(bytes, &mut warnings)?;
    let tree = tree::Tree::new(&scene);
    let rig = skeleton::build_rig(&scene, &tree, &mut warnings)?;
    let mut gathered = mesh::gather(
        &scene,
        &tree,
        &rig,
        load::item_limit(bytes),
        beside,
        &mut warnings,
    );
    let mut moving = clips::MovingShapes {
        channels: &gathered.channels,
        shapes: &mut gathered.mesh.blend_shapes,
    };
    let clips = clips::read_clips(&scene, &rig, bytes, &mut moving, &mut warnings);
    left_out(&scene, &mut warnings);
    Ok(Imported {
        character: Character {
            name: name.to_owned(),
            mesh: gathered.mesh,
            skeleton: rig.skeleton,
            weights: gathered.weights,
            clips,
        },
        warnings,
    })
}

/// Says what the file has that a character has no place for.
fn left_out(scene: &ufbx::Scene, warnings: &mut Vec<ImportWarning>) {
    let surfaces = scene.nurbs_surfaces.len() + scene.nurbs_trim_surfaces.len();
    let kinds = [
        (scene.cache_deformers.len(), "left_out_caches", "vertex cache(s)"),
        (
            surfaces,
            "left_out_surfaces",
            "NURBS surface(s): convert them to polygons",
        ),
    ];
    for (count, code, what) in kinds.into_iter().filter(|k| k.0 > 0) {
        warnings.push(ImportWarning {
            code,
            message: format!("left out {count} {what}"),
        });
    }
}
