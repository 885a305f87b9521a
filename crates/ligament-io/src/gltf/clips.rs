//! Animations of the skeleton's nodes.

use ligament::character::{Channel, Clip, Interpolation, Track};

use super::error::{GltfError, GltfWarning};
use super::json::Node;
use super::nodes::Scene;
use super::reader::Reader;
use super::skeleton::Rig;

/// What an animation is called.
pub(super) fn clip_name(animation: &Node<'_>, index: usize) -> String {
    match animation.str_or("name", "") {
        "" => format!("clip{index}"),
        name => name.to_owned(),
    }
}

/// How a sampler goes from key to key.
pub(super) fn interpolation_of(sampler: &Node<'_>) -> Result<Interpolation, GltfError> {
    Ok(match sampler.str_or("interpolation", "LINEAR") {
        "STEP" => Interpolation::Step,
        "LINEAR" => Interpolation::Linear,
        "CUBICSPLINE" => Interpolation::CubicSpline,
        other => return Err(sampler.fail(format!("interpolation '{other}' does not exist"))),
    })
}

/// Reads all clips, each with the number of its animation. Channels that drive something else (cameras) are left
/// out, and so are those of morph targets, which [`super::shape_motion`] reads; tracks that cannot be played are left out with a warning.
pub(super) fn read_clips(
    reader: &Reader<'_>,
    scene: &Scene,
    rig: &Rig,
    warnings: &mut Vec<GltfWarning>,
) -> Result<Vec<(usize, Clip)>, GltfError> {
    let mut clips = Vec::new();
    for (i, animation) in Node::root(reader.json())
        .items("animations")?
        .into_iter()
        .enumerate()
    {
        let name = clip_name(&animation, i);
        let samplers = animation.items("samplers")?;
        let mut tracks = Vec::new();
        for node in animation.items("channels")? {
            let target = node.need("target")?;
            let channel = match target.str_or("path", "") {
                "translation" => Channel::Translation,
                "rotation" => Channel::Rotation,
                "scale" => Channel::Scale,
                _ => continue,
            };
            let Some(driven) = target.get("node") else {
                continue;
            };
            let driven = driven.as_index_under(scene.nodes.len(), "node")?;
            let Some(joint) = rig.joint_of_node[driven] else {
                continue;
            };
            let sampler = &samplers[node.need("sampler")?.as_index_under(samplers.len(), "sampler")?];
            let interpolation = interpolation_of(sampler)?;
            let times = reader.elements(sampler.need("input")?.as_index()?)?.to_f32();
            let values = reader.elements(sampler.need("output")?.as_index()?)?.to_f32();
            let track = Track {
                joint,
                channel,
                interpolation,
                times,
                values,
            };
            match track.check() {
                Ok(()) => tracks.push(track),
                Err(problem) => warnings.push(GltfWarning::BadTrack {
                    clip: name.clone(),
                    node: scene.nodes[driven].name.clone(),
                    problem: problem.to_string(),
                }),
            }
        }
        if !tracks.is_empty() {
            clips.push((i, Clip { name, tracks }));
        }
    }
    Ok(clips)
}
