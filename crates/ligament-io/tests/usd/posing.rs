//! Where our own code puts the skin.

use glam::Vec3;
use ligament::deform::{DeformMethod, deform};
use ligament::{Character, Pose};

/// A few moments of a few clips: clip and seconds.
pub fn moments(character: &Character) -> Vec<(usize, f32)> {
    let clips = character.clips.len();
    let chosen = (0..clips).step_by(clips.div_ceil(4).max(1));
    let times = |clip: usize| {
        let (start, end) = character.clips[clip].span_secs();
        [0.0, 0.37, 0.81].map(|share| (clip, start + share * (end - start)))
    };
    chosen.flat_map(times).collect()
}

/// Where our own code puts the skin.
pub fn posed(character: &Character, clip: usize, seconds: f32) -> Vec<Vec3> {
    let pose = match character.clips.get(clip) {
        Some(clip) => clip.pose_at(&character.skeleton, seconds),
        None => Pose::rest(&character.skeleton),
    };
    let weights = character.weights.as_ref().expect("it has weights");
    deform(character, weights, &pose, DeformMethod::LinearBlend)
        .unwrap()
        .positions
}

/// The order of vertices in the file: by mesh, where parts that share vertices are one.
pub fn file_order(character: &Character) -> Vec<usize> {
    let mut seen = Vec::new();
    let mut order = Vec::new();
    for part in &character.mesh.parts {
        if !seen.contains(&part.vertices) {
            seen.push(part.vertices.clone());
            order.extend(part.vertices.clone());
        }
    }
    order
}
