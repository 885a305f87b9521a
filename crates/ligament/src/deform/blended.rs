//! The map that moves each vertex, for what is more than a position: splats, frames, curves.

use glam::DAffine3;
use rayon::prelude::*;

use super::dual_quaternion::Palette;
use super::skinned_mesh::CHUNK;
use super::{DeformError, DeformMethod};
use crate::character::{Skeleton, Weights};

/// The affine map of each vertex from bind space into a pose: Σ wᵢ Mᵢ for linear blend, the blended stretch and motion for
/// dual quaternions. Delta mush moves vertices by their neighbours and has no such map.
pub fn blended_transforms(
    weights: &Weights,
    skeleton: &Skeleton,
    world_from_bind: &[DAffine3],
    method: DeformMethod,
) -> Result<Vec<DAffine3>, DeformError> {
    let joints = world_from_bind.len().min(skeleton.joints.len());
    let largest = weights.influences().iter().map(|i| i.joint.at()).max();
    if let Some(joint) = largest.filter(|&j| j >= joints) {
        return Err(DeformError::TooFewJoints { joint, joints });
    }
    let mut out = vec![DAffine3::IDENTITY; weights.vertex_count()];
    let mut fill = |of_vertex: &(dyn Fn(usize) -> DAffine3 + Sync)| {
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            for (i, to) in out.iter_mut().enumerate() {
                *to = of_vertex(chunk * CHUNK + i);
            }
        });
    };
    match method {
        DeformMethod::LinearBlend => fill(&|v| linear_blend(weights, world_from_bind, v)),
        DeformMethod::DualQuaternion => {
            let palette = Palette::new(skeleton, world_from_bind);
            let influences = |v: usize| weights.of_vertex(v).iter().map(|i| (i.joint.at(), i.weight));
            fill(&|v| palette.blended(influences(v)));
        }
        DeformMethod::DeltaMush => return Err(DeformError::NeedsFaces),
    }
    Ok(out)
}

fn linear_blend(weights: &Weights, world_from_bind: &[DAffine3], vertex: usize) -> DAffine3 {
    let influences = weights.of_vertex(vertex);
    if let [only] = influences {
        return world_from_bind[only.joint.at()];
    }
    let sum: f64 = influences.iter().map(|i| f64::from(i.weight)).sum();
    let mut blended = DAffine3::ZERO;
    for influence in influences {
        let m = &world_from_bind[influence.joint.at()];
        let weight = f64::from(influence.weight) / sum; // single precision sums to one but for its last digit
        blended.matrix3 += m.matrix3 * weight;
        blended.translation += m.translation * weight;
    }
    blended
}
