//! What Maya's two weight files share: a block of points for each joint.

use ligament::character::{Skeleton, Weights};

use super::gather::Gathered;
use super::labels::Labels;
use crate::import::ImportError;

/// One `weights` entry: a joint's weight at some vertices, and at all others.
#[derive(Debug, Default)]
pub(super) struct Block {
    pub deformer: String,
    pub shape: String,
    pub joint: String,
    pub default_value: f32,
    pub points: Vec<(usize, f32)>,
    /// Where it stands, for messages.
    pub location: String,
}

/// Puts the blocks of one deformer on one shape together.
pub(super) fn weights_of(
    blocks: &[Block],
    skeleton: &Skeleton,
    vertices: usize,
) -> Result<Weights, ImportError> {
    let labels = Labels::new(skeleton);
    let mut gathered = Gathered::new(vertices);
    let mut seen = vec![false; skeleton.joints.len()];
    for block in blocks {
        let fail = |problem: String| ImportError::malformed(block.location.clone(), problem);
        let first = &blocks[0];
        if (&first.deformer, &first.shape) != (&block.deformer, &block.shape) {
            return Err(ImportError::Unsupported {
                what: format!(
                    "a file with weights of '{}' on '{}' and of '{}' on '{}'",
                    first.deformer, first.shape, block.deformer, block.shape
                ),
                way_out: "export one deformer of one shape".to_owned(),
            });
        }
        let is_idle = block.default_value == 0.0 && block.points.iter().all(|&(_, w)| w == 0.0);
        if is_idle {
            continue; // an influence that moves nothing need not be a joint
        }
        let joint = labels
            .find(&block.joint)
            .ok_or_else(|| fail(format!("there is no joint '{}'", block.joint)))?;
        if std::mem::replace(&mut seen[joint.at()], true) {
            return Err(fail(format!("joint '{}' has two blocks", block.joint)));
        }
        for &(vertex, weight) in &block.points {
            gathered.add(vertex, joint, weight).map_err(fail)?;
        }
        if block.default_value != 0.0 {
            let mut listed = vec![false; vertices];
            for &(vertex, _) in &block.points {
                listed[vertex] = true;
            }
            for vertex in (0..vertices).filter(|&v| !listed[v]) {
                gathered.add(vertex, joint, block.default_value).map_err(fail)?;
            }
        }
    }
    gathered.finish()
}

/// The other way: for each joint of the skin its label and its points, by vertex.
pub(super) fn blocks_of(weights: &Weights, skeleton: &Skeleton) -> Vec<Block> {
    let labels = Labels::new(skeleton);
    let mut points: Vec<Vec<(usize, f32)>> = vec![Vec::new(); skeleton.joints.len()];
    for (vertex, influences) in weights.iter().enumerate() {
        for influence in influences {
            if let Some(points) = points.get_mut(influence.joint.at()) {
                points.push((vertex, influence.weight));
            }
        }
    }
    skeleton
        .indices()
        .zip(points)
        .filter(|(joint, points)| skeleton.joint(*joint).in_skin || !points.is_empty())
        .map(|(joint, points)| Block {
            deformer: DEFORMER.to_owned(),
            shape: SHAPE.to_owned(),
            joint: labels.of(joint).to_owned(),
            points,
            ..Block::default()
        })
        .collect()
}

/// Names for what Ligament does not know; Maya goes by joints when told to ignore names.
const DEFORMER: &str = "skinCluster1";
const SHAPE: &str = "meshShape";
