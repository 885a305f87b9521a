//! Characters as binary FBX 7.5.

mod blend_shapes;
mod clips;
mod material;
mod mesh;
mod node;
mod rig;
mod scene;

use ligament::Character;

use crate::export::{WriteError, check, check_rig};

/// The character as a binary file of version 7.5: centimetres, +Y up, facing +Z, pictures
/// inside. The same character gives the same bytes.
///
/// Kept: meshes with normals, texture coordinates, colours, blend shapes and materials with their pictures,
/// the tree of joints with its names, rest and bind poses, all influences, all clips of joints and of blend shapes. A character
/// without a mesh gives a file of joints and motion. Not kept: the limit that
/// [`ligament::Part::joints`] sets, whether a material is seen from both sides, the even scale
/// of a joint at rest (its frame is unscaled instead and moves the skin the same way), nodes
/// at the ends of the tree that carry nothing. Turns are Euler angles in FBX: keys are added
/// until no rotation is off by more than 5e-5 radians between them.
pub fn write(character: &Character) -> Result<Vec<u8>, WriteError> {
    let mesh = &character.mesh;
    if mesh.parts.is_empty() && mesh.positions.is_empty() {
        check_rig(character)?;
    } else {
        check(character)?;
    }
    let mut scene = scene::Scene::new();
    let carriers = mesh::carriers(character);
    let mut rig = rig::write_rig(&mut scene, character, &carriers);
    let materials = material::write_materials(&mut scene, character);
    let meshes = mesh::write_meshes(&mut scene, character, &mut rig, &carriers, &materials);
    scene
        .objects
        .extend(rig.waiting.drain(..).map(|(_, record)| record));
    rig::write_bind_pose(&mut scene, &rig, &meshes.placed);
    let span = clips::write_clips(&mut scene, character, &rig, &meshes.channels);
    Ok(node::print(&scene.records(span)))
}
