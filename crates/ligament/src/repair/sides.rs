//! Left and right of a symmetric character made alike where they differ.

use crate::character::{Influence, JointIndex, Weights, WeightsBuilder};
use crate::geometry::mirror_symmetry;
use crate::skin::{Axis, MirrorPlane, Skin, mirror_joints};
use crate::weights::weight_distance;

/// How far an image may be from a point, as a fraction of the diagonal; the same as the measure of symmetry has.
const COINCIDENT: f64 = 1e-3;
/// How far a joint may be from its partner's image.
const SAME_JOINT: f64 = 1e-2;

/// Which point and which joint answers to which on the other side.
pub struct Sides {
    points: Vec<Option<u32>>,
    joints: Vec<JointIndex>,
}

impl Sides {
    /// As the measure of symmetry pairs them.
    pub fn of(skin: &Skin, weights: &Weights) -> Self {
        let skeleton = &skin.character().skeleton;
        let at = mirror_symmetry(skin.surface(), COINCIDENT).plane_x;
        let plane = MirrorPlane { axis: Axis::X, at };
        let mut used = vec![false; skeleton.joints.len()];
        for i in weights.influences() {
            used[i.joint.at()] = true;
        }
        let partners = mirror_joints(skeleton, &used, at, SAME_JOINT * skin.diagonal());
        let joints = skeleton.indices().map(|j| partners[j.at()].unwrap_or(j));
        Self {
            points: plane.pairs_by_position(skin.points(), COINCIDENT * skin.diagonal()),
            joints: joints.collect(),
        }
    }

    /// At some points the row of the point or that of its image, whichever is more like `own`.
    pub fn more_like(&self, own: &Weights, weights: &Weights, points: &[bool]) -> Weights {
        let mut builder = WeightsBuilder::with_capacity(points.len(), 4);
        for (point, &is_treated) in points.iter().enumerate() {
            let row = weights.of_vertex(point);
            let partner = self.points[point].filter(|_| is_treated).map(|p| p as usize);
            let unlike = |p: usize| weight_distance(weights.of_vertex(p), own.of_vertex(p));
            match partner {
                Some(other) if unlike(other) < unlike(point) => {
                    let carried: Vec<Influence> = weights
                        .of_vertex(other)
                        .iter()
                        .map(|i| Influence {
                            joint: self.joints[i.joint.at()],
                            ..*i
                        })
                        .collect();
                    if builder.push(&carried).is_err() {
                        builder.push_valid(row);
                    }
                }
                _ => builder.push_valid(row),
            }
        }
        builder.finish()
    }
}
