//! Outputs: a whole character, or its weights or skeleton alone, by the name's ending.

use std::path::{Path, PathBuf};

use ligament::character::PartAttachment;
use ligament::{Character, JointIndex, Skeleton, Weights};
use ligament_io::atomic::write_file;
pub use ligament_io::gltf::WeightFormat;
use ligament_io::open::write_weights;
pub use ligament_io::registry::JsonHolds;
use ligament_io::registry::{Written, written_as};
use ligament_io::{fbx, rignet, skeleton_json, usd};

use crate::AppError;
use crate::asset::Asset;

/// What a file of this name would hold; to be asked before work begins, not after it.
pub fn wanted(path: &Path, json: JsonHolds) -> Result<Written, AppError> {
    written_as(path, json).map_err(|source| AppError::UnknownEnding {
        path: path.to_owned(),
        source,
    })
}

/// The output that was asked for, or one beside the input. Fails if it cannot be written by
/// its name, or if it is the input itself.
pub fn output_of(
    asset: &Asset,
    asked: Option<&PathBuf>,
    suffix: &str,
    json: JsonHolds,
) -> Result<PathBuf, AppError> {
    let output = asked.cloned().unwrap_or_else(|| asset.default_output(suffix));
    wanted(&output, json)?;
    asset.refuse_as_output(&output)?;
    Ok(output)
}

/// Writes what the name asks for. Weights alone are in the number and order of the source's
/// vertices.
pub fn save(
    asset: &Asset,
    weights: Option<&Weights>,
    format: WeightFormat,
    path: &Path,
    json: JsonHolds,
) -> Result<(), AppError> {
    let gltf = asset.gltf();
    let character = gltf.character();
    let whole = || {
        let mut whole = Character {
            weights: weights.cloned(),
            ..character.as_ref().clone()
        };
        whole.mesh.blend_shapes = gltf.blend_shapes();
        whole
    };
    let bytes = match wanted(path, json)? {
        Written::Gltf => {
            match weights {
                Some(weights) => gltf.with_weights(weights, format)?.save(path)?,
                None => gltf.document().save(path)?,
            }
            return Ok(());
        }
        Written::Usd => {
            usd::save(&whole(), path)?;
            return Ok(());
        }
        // The source's own vertices: those that were split for texture seams are joined again.
        Written::Fbx => fbx::write(&asset.with_source_vertices(whole()))?,
        Written::Rignet => {
            let weights = weights.map(|w| asset.in_source_order(w));
            rignet::write(&Character { weights, ..whole() }).into_bytes()
        }
        Written::Skeleton => skeleton_json::write(&character.skeleton).into_bytes(),
        Written::Weights(_) => {
            let weights = weights.ok_or_else(|| AppError::NothingToWrite {
                path: path.to_owned(),
            })?;
            write_weights(path, &asset.in_source_order(weights), &character.skeleton).map_err(|source| {
                AppError::UnknownEnding {
                    path: path.to_owned(),
                    source,
                }
            })?
        }
    };
    Ok(write_file(path, &bytes)?)
}

/// Writes a character with weights on `skeleton`: its own joints, and perhaps more after them.
pub fn save_with_joints(
    asset: Asset,
    skeleton: &Skeleton,
    weights: &Weights,
    format: WeightFormat,
    output: &Path,
) -> Result<(), AppError> {
    let (asset, weights) = with_joints(asset, skeleton, weights)?;
    save(&asset, Some(&weights), format, output, JsonHolds::Weights)
}

/// A character that holds weights on `skeleton`. Joints that it did not have, and joints that the skins of its parts do not
/// list, are put in. The weights come back as its document numbers joints.
pub fn with_joints(
    asset: Asset,
    skeleton: &Skeleton,
    weights: &Weights,
) -> Result<(Asset, Weights), AppError> {
    let character = asset.character().as_ref();
    let mut parts = character.mesh.parts.clone();
    let mut lists_grow = false;
    for part in parts.iter_mut().filter(|p| p.attachment == PartAttachment::Skin) {
        let Some(listed) = &mut part.joints else {
            continue;
        };
        let mut is_listed = vec![false; skeleton.joints.len()];
        for joint in listed.iter() {
            is_listed[joint.at()] = true;
        }
        for vertex in part.vertices.clone() {
            for i in weights.of_vertex(vertex) {
                if !std::mem::replace(&mut is_listed[i.joint.at()], true) {
                    listed.push(i.joint);
                    lists_grow = true;
                }
            }
        }
    }
    let before = character.skeleton.joints.len();
    if skeleton.joints.len() == before && !lists_grow {
        return Ok((asset, weights.clone()));
    }
    let mut edited = Character {
        skeleton: skeleton.clone(),
        weights: Some(weights.clone()),
        ..character.clone()
    };
    edited.mesh.parts = parts;
    let own = |j: JointIndex| (j.at() < before).then_some(j);
    let origins: Vec<Option<JointIndex>> = skeleton.indices().map(own).collect();
    let (gltf, weights) = asset.gltf().with_edited_rig(&edited, &origins)?;
    Ok((asset.with_gltf(gltf), weights))
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};
    use ligament::character::{BlendShape, Interpolation, ShapeMotion};
    use ligament::task::Task;

    use super::*;
    use crate::asset::AssetRequest;

    /// How far a position moves.
    fn offset(p: Vec3) -> Vec3 {
        0.1 * Vec3::new(1.0 + p.y, p.x, (3.0 * p.y).sin())
    }

    /// Also where texture coordinates split vertices, which FBX joins again.
    #[test]
    fn blend_shapes_are_saved_with_the_character() {
        let mut tube = ligament::sample::make("tube@400").unwrap();
        let mesh = &mut tube.mesh;
        let corner = |t: usize, k: usize| Vec2::new((t % 3) as f32, k as f32) / 4.0;
        let uvs = (0..mesh.triangles.len()).map(|t| [0, 1, 2].map(|k| corner(t, k)));
        mesh.corner_uvs = Some(uvs.collect());
        mesh.blend_shapes = vec![BlendShape {
            name: "swell".to_owned(),
            part_vertices: mesh.parts[0].vertices.clone(),
            weight: 0.5,
            vertices: (0..mesh.positions.len() as u32).collect(),
            offsets: mesh.positions.iter().map(|&p| offset(p)).collect(),
            normal_offsets: None,
            motions: vec![ShapeMotion {
                clip: "breath".to_owned(),
                interpolation: Interpolation::Linear,
                times: vec![0.0, 0.5, 2.0],
                values: vec![0.5, 1.0, 0.5],
            }],
        }];
        let vertices = mesh.positions.len();
        let folder = tempfile::tempdir().unwrap();
        let mut asset = Asset::from_character(tube, "tube").unwrap();
        assert!(asset.character().mesh.positions.len() > vertices);
        for file in ["tube.fbx", "again.usdc", "packed.usdz", "again.fbx", "last.glb"] {
            let path = folder.path().join(file);
            save(&asset, None, WeightFormat::Keep, &path, JsonHolds::Weights).unwrap();
            let request = AssetRequest::of(path.to_str().unwrap());
            asset = Asset::open(&request, &Task::unattended()).unwrap();
            let [shape] = &asset.gltf().blend_shapes()[..] else {
                panic!("{file}")
            };
            assert_eq!((shape.name.as_str(), shape.weight), ("swell", 0.5), "{file}");
            let [motion] = &shape.motions[..] else {
                panic!("{file}: {:?}", shape.motions)
            };
            assert_eq!(motion.clip, "breath", "{file}");
            for (t, wanted) in [(0.25, 0.75), (0.5, 1.0), (1.25, 0.75)] {
                let found = motion.sample(t);
                assert!(
                    (found - wanted).abs() < 1e-6,
                    "{file}: {found} at {t}, not {wanted}"
                );
            }
            let positions = &asset.character().mesh.positions;
            assert_eq!(shape.vertices.len(), positions.len(), "{file}");
            for (&v, moved) in shape.vertices.iter().zip(&shape.offsets) {
                let wanted = offset(positions[v as usize]);
                assert!(moved.distance(wanted) < 1e-5, "{file}: {moved}, not {wanted}");
            }
        }
        let fbx = fbx::open(&folder.path().join("tube.fbx")).unwrap();
        assert_eq!(fbx.character.mesh.blend_shapes[0].vertices.len(), vertices);
    }
}
