//! Distances through the body by the voxels of the solid that the skin encloses.
//!
//! The solid of Dionne and de Lasa 2013 and 2014 ([`crate::solid`]), with steps into the
//! boundary counted at their length: this is about how far a bone is, not about which ways
//! weights should take. Ways from voxel to voxel are up to a tenth longer than they should
//! be. Parts closer to each other than a voxel (1/128 or 1/256 of the longest side, as
//! [`resolution_for`] finds) are taken for one, so that bleeding between them is not seen;
//! pieces with no way to a bone are unknown.

use super::MeasureError;
use super::bleed::BodyDistance;
use super::measured_skin::MeasuredSkin;
use crate::character::{Character, JointIndex, LEAF_STUB, bones_of};
use crate::solid::distance::{Distances, Sources, all_distances};
use crate::solid::{Blend, Leaves, Solid, SolidOptions, resolution_for};
use crate::task::Task;

/// How far the skin is from every joint's bones inside the solid that it encloses.
pub struct SolidDistance {
    /// The length of a voxel in units of bind space.
    voxel: f64,
    distances: Distances,
    /// For each joint its bones in `distances`, as a range.
    bones_of_joint: Vec<std::ops::Range<usize>>,
    /// For each vertex of the mesh the leaves around it; `None` where there is no skin.
    blends: Vec<Option<Blend>>,
}

impl SolidDistance {
    /// Finds the solid and the distances to the bones of all joints of the skin; `task` is
    /// asked many times a second.
    pub fn of(character: &Character, task: &Task) -> Result<Self, MeasureError> {
        let Character { mesh, skeleton, .. } = character;
        mesh.check()?;
        skeleton.check()?;
        let skin = MeasuredSkin::of(mesh);
        if skin.welded.faces.is_empty() {
            return Err(MeasureError::NoSkin);
        }
        let options = SolidOptions {
            resolution: resolution_for(&skin.welded),
            ..SolidOptions::default()
        };
        let solid = Solid::of(&skin.welded, &options, task)?;
        let in_skin: Vec<bool> = skeleton.joints.iter().map(|j| j.in_skin).collect();
        let mut bones = bones_of(skeleton, &in_skin, LEAF_STUB);
        bones.sort_by_key(|b| b.joint);
        let bones_of_joint = skeleton
            .indices()
            .map(|j| bones.partition_point(|b| b.joint < j)..bones.partition_point(|b| b.joint <= j))
            .collect();
        let shapes: Vec<_> = bones.into_iter().map(|b| b.shape).collect();
        let sources = Sources::of(&solid, &shapes);
        let leaves = Leaves::of(&solid, &sources.voxels(solid.grid.counts), true, true);
        let distances = all_distances(&leaves, &sources, 1.0, task)?;
        let blends = skin
            .point_of_vertex
            .iter()
            .map(|&p| {
                let at = skin.welded.points.get(p as usize)?;
                Blend::at(&leaves, *at)
            })
            .collect();
        Ok(Self {
            voxel: solid.grid.size,
            distances,
            bones_of_joint,
            blends,
        })
    }

    fn distance(&self, joint: JointIndex, vertex: u32) -> f64 {
        let blend = self.blends.get(vertex as usize).and_then(Option::as_ref);
        let bones = self.bones_of_joint.get(joint.at());
        let (Some(blend), Some(bones)) = (blend, bones) else {
            return f64::INFINITY;
        };
        let to_bone = |bone: usize| {
            let distance_in = |&(leaf, fraction): &(u32, f32)| {
                f64::from(fraction) * self.distances.voxels(leaf as usize, bone)
            };
            blend.leaves().iter().map(distance_in).sum::<f64>()
        };
        self.voxel * bones.clone().map(to_bone).fold(f64::INFINITY, f64::min)
    }
}

impl BodyDistance for SolidDistance {
    fn distances(&self, joint: JointIndex, vertices: &[u32]) -> Vec<f64> {
        vertices.iter().map(|&v| self.distance(joint, v)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Along a straight tube the way inside is the straight one, within a tenth and the
    /// blend of a voxel or two.
    #[test]
    fn in_a_tube_the_way_inside_is_straight() {
        let tube = crate::sample::make("tube@2000").unwrap();
        let inside = SolidDistance::of(&tube, &Task::unattended()).unwrap();
        let bones = bones_of(&tube.skeleton, &vec![true; tube.skeleton.joints.len()], LEAF_STUB);
        let vertices: Vec<u32> = (0..tube.mesh.positions.len() as u32).collect();
        let mut furthest = 0.0f64;
        for joint in tube.skeleton.indices() {
            for (&v, through) in vertices.iter().zip(inside.distances(joint, &vertices)) {
                let at = tube.mesh.positions[v as usize].as_dvec3();
                let own = bones.iter().filter(|b| b.joint == joint);
                let straight = own.map(|b| b.shape.distance(at)).fold(f64::INFINITY, f64::min);
                let slack = 2.0 * inside.voxel;
                assert!(
                    through >= 0.97 * straight - slack && through <= 1.12 * straight + slack,
                    "vertex {v} to {joint:?}: {through} inside, {straight} straight"
                );
                furthest = furthest.max(through);
            }
        }
        assert!(furthest > 0.3 * f64::from(tube.mesh.diagonal()));
    }

    /// From one hand to the other the straight way is short in front of the body and the way
    /// inside leads through both arms.
    #[test]
    fn between_the_legs_the_way_inside_is_a_detour() {
        let athlete = crate::sample::make("athlete@6000").unwrap();
        let inside = SolidDistance::of(&athlete, &Task::unattended()).unwrap();
        let skeleton = &athlete.skeleton;
        let joint = |name: &str| skeleton.find(name).unwrap();
        let ankle = skeleton.bind_position(joint("left_foot"));
        let (mut nearest, mut best) = (0, f64::INFINITY);
        for (v, p) in athlete.mesh.positions.iter().enumerate() {
            let d = p.as_dvec3().distance(ankle);
            if d < best {
                (nearest, best) = (v as u32, d);
            }
        }
        let own = inside.distance(joint("left_foot"), nearest);
        let other = inside.distance(joint("right_foot"), nearest);
        let straight = ankle.distance(skeleton.bind_position(joint("right_foot")));
        assert!(own < 0.1 * f64::from(athlete.mesh.diagonal()), "{own}");
        assert!(other > 3.0 * straight, "{other} inside, {straight} straight");
    }

    #[test]
    fn a_vertex_that_does_not_exist_is_unknown() {
        let tube = crate::sample::make("tube@400").unwrap();
        let inside = SolidDistance::of(&tube, &Task::unattended()).unwrap();
        assert_eq!(inside.distances(JointIndex(0), &[u32::MAX]), [f64::INFINITY]);
        assert_eq!(inside.distances(JointIndex(999), &[0]), [f64::INFINITY]);
    }
}
