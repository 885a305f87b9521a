//! What is wrong with a mesh, a skeleton or weights, counted.
//!
//! [`inspect`] looks at a whole character. Each measure is also a function of its own that
//! says which edges, faces, shells, joints or vertices are at fault, so that they can be
//! shown: [`edge_faults`](crate::geometry::edge_faults), [`degenerate_faces`], [`duplicate_faces`], [`Shells::of`](crate::geometry::Shells::of),
//! [`self_intersecting_faces`](crate::geometry::self_intersecting_faces), [`inside_out_shells`](crate::geometry::inside_out_shells), [`outside`], [`mirror_symmetry`](crate::geometry::mirror_symmetry),
//! [`zero_length_bones`], [`rest_is_bind`], [`torn_vertices`].
//!
//! Topology is that of the **welded** mesh ([`WeldedMesh`](crate::geometry::WeldedMesh)): a seam between vertices at one
//! position is no hole. All tolerances are relative to the bounding box, so a character in
//! millimetres gets the same report as in metres. Nothing is repaired.
//!
//! ```
//! use glam::Vec3;
//! use ligament::inspect::{InspectOptions, inspect};
//! use ligament::{Character, Mesh, task::Task};
//!
//! let triangle = Mesh::single_part("flag", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
//! let character = Character { mesh: triangle, ..Character::default() };
//! let found = inspect(&character, &InspectOptions::default(), &Task::unattended())?;
//! assert_eq!(found.mesh.open_edges, 3);
//! assert!(found.skeleton.is_none());
//! # Ok::<(), ligament::inspect::InspectError>(())
//! ```

mod clip_facts;
mod faces;
mod mesh_facts;
mod outside;
mod skeleton_facts;
mod weight_facts;

pub use clip_facts::{ClipFacts, clip_facts};
pub use faces::{FLAT_FACE, degenerate_faces, duplicate_faces};
pub use mesh_facts::{InspectedMesh, MeshFacts, PartFacts, ShellFacts, mesh_facts, part_facts};
pub use outside::outside;
pub use skeleton_facts::{
    SAME_POSE, SkeletonFacts, ZERO_LENGTH, depth, rest_is_bind, skeleton_facts, skin_joints,
    zero_length_bones,
};
pub use weight_facts::{WeightFacts, torn_vertices, weight_facts};

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::character::{Character, MeshError, SkeletonError};
use crate::geometry::Weld;
use crate::task::{Cancelled, Task};

/// From where on a difference counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct InspectOptions {
    /// Mirror partners may be this fraction of the diagonal apart, in `0.0..1.0`. Raising it
    /// finds more of them.
    pub mirror_tolerance: f64,
    /// Weld whose weights differ by more (half the sum of differences, in `0.0..=1.0`)
    /// are torn. Raising it finds fewer.
    pub torn_weights: f64,
    /// Weights below this are tiny, in `0.0..=1.0`. Raising it finds more.
    pub tiny_weight: f32,
}

impl Default for InspectOptions {
    fn default() -> Self {
        Self {
            mirror_tolerance: 1e-3,
            torn_weights: 1e-3,
            tiny_weight: 0.01,
        }
    }
}

/// All that was found in a character.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Inspection {
    /// The mesh as a whole.
    pub mesh: MeshFacts,
    /// Its parts.
    pub parts: Vec<PartFacts>,
    /// The skeleton; `None` where there is no joint of a skin.
    pub skeleton: Option<SkeletonFacts>,
    /// The weights the source came with.
    pub weights: Option<WeightFacts>,
    /// The motions the source came with.
    pub clips: Vec<ClipFacts>,
}

/// Why a character cannot be looked at.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InspectError {
    /// The mesh cannot be worked on.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The skeleton cannot be worked on.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Weights and mesh do not belong together.
    #[error("there are weights for {found} vertices, but the mesh has {vertices}")]
    WeightsLength {
        /// How many vertices have weights.
        found: usize,
        /// How many vertices there are.
        vertices: usize,
    },
    /// Weights or a motion name a joint that is not there.
    #[error("{what} refers to joint {joint}, but the skeleton has only {joints}")]
    UnknownJoint {
        /// What names it.
        what: String,
        /// The index that is too large.
        joint: usize,
        /// How many joints there are.
        joints: usize,
    },
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Looks at everything in a character. Takes well under a second for a mesh of 50,000
/// faces; `task` is asked between measures and within the long ones.
pub fn inspect(
    character: &Character,
    options: &InspectOptions,
    task: &Task,
) -> Result<Inspection, InspectError> {
    let Character {
        mesh,
        skeleton,
        weights,
        clips,
        ..
    } = character;
    mesh.check()?;
    check_joints(character)?;

    task.step("finding weld", 0.0)?;
    let weld = Weld::of(mesh);
    let InspectedMesh {
        facts,
        welded,
        shells,
        inside_out,
    } = mesh_facts(mesh, &weld, options, task)?;

    let joints = skin_joints(skeleton);
    let skeleton_facts = if joints.is_empty() {
        None
    } else {
        let positions: Vec<DVec3> = joints.iter().map(|&j| skeleton.bind_position(j)).collect();
        let outside = outside(&welded, &shells, &inside_out, &positions, task)?;
        let (low, high) = mesh.bounds();
        Some(skeleton_facts(
            skeleton,
            low.as_dvec3(),
            high.as_dvec3(),
            &outside,
        ))
    };
    task.step("counting weights", 0.0)?;
    Ok(Inspection {
        parts: part_facts(mesh, skeleton, &shells),
        mesh: facts,
        skeleton: skeleton_facts,
        weights: weights
            .as_ref()
            .map(|w| weight_facts(mesh, &weld, skeleton, w, options)),
        clips: clips.iter().map(|clip| clip_facts(clip, skeleton)).collect(),
    })
}

/// Checks that the skeleton is sound and that weights and motions fit mesh and skeleton.
fn check_joints(character: &Character) -> Result<(), InspectError> {
    match character.skeleton.check() {
        Err(SkeletonError::NoJoints) | Ok(()) => {}
        Err(error) => return Err(error.into()),
    }
    let joints = character.skeleton.joints.len();
    let unknown = |what: String, joint: usize| InspectError::UnknownJoint { what, joint, joints };
    if let Some(weights) = &character.weights {
        let vertices = character.mesh.positions.len();
        if weights.vertex_count() != vertices {
            return Err(InspectError::WeightsLength {
                found: weights.vertex_count(),
                vertices,
            });
        }
        for (vertex, influences) in weights.iter().enumerate() {
            if let Some(i) = influences.iter().find(|i| i.joint.at() >= joints) {
                return Err(unknown(format!("vertex {vertex}"), i.joint.at()));
            }
        }
    }
    for clip in &character.clips {
        if let Some(t) = clip.tracks.iter().find(|t| t.joint.at() >= joints) {
            return Err(unknown(format!("motion '{}'", clip.name), t.joint.at()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Clip, Joint, JointIndex, Skeleton, Transform, Weights};
    use crate::geometry::shapes::{cube, flipped, joined, scaled};
    use crate::task::CancelToken;
    use glam::{DAffine3, Vec3};
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A box with a bone in it and another beside it, both bound rigidly.
    fn character(scale: f32) -> Character {
        let mesh = joined(&[
            cube(Vec3::splat(-1.0), 2.0),
            cube(Vec3::new(0.5, 0.4, 0.3), 1.0),
            flipped(cube(Vec3::new(-4.0, 0.0, 0.0), 1.0)),
        ]);
        let joint = |name: &str, parent: Option<u16>, at: DVec3, above: DVec3| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            rest: Transform::from_translation((at - above) * f64::from(scale)),
            bind_from_joint: DAffine3::from_translation(at * f64::from(scale)),
            in_skin: true,
        };
        let (in_box, in_flipped, beside) = (
            DVec3::new(0.1, 0.2, 0.3),
            DVec3::new(-3.4, 0.3, 0.6),
            DVec3::new(5.1, 0.2, 0.3),
        );
        Character {
            name: "boxes".to_owned(),
            weights: Some(Weights::rigid(vec![JointIndex(0); mesh.positions.len()])),
            mesh: scaled(mesh, scale),
            skeleton: Skeleton {
                joints: vec![
                    joint("hips", None, in_box, DVec3::ZERO),
                    joint("hand", Some(0), in_flipped, in_box),
                    joint("sword", Some(1), beside, in_flipped),
                ],
            },
            clips: vec![Clip::default()],
        }
    }

    fn look(character: &Character) -> Inspection {
        inspect(character, &InspectOptions::default(), &Task::unattended()).unwrap()
    }

    #[test]
    fn a_character_is_described_the_same_at_any_scale() {
        let at_one = look(&character(1.0));
        assert_eq!((at_one.mesh.vertices, at_one.mesh.triangles), (24, 36));
        assert_eq!((at_one.mesh.shells, at_one.mesh.parts), (3, 3));
        assert!(at_one.mesh.self_intersecting_faces > 0);
        let wrong = &at_one.mesh.inside_out_shells;
        assert_eq!((wrong.len(), wrong[0].shell, wrong[0].faces), (1, 2, 12));
        let skeleton = at_one.skeleton.as_ref().unwrap();
        assert_eq!(skeleton.outside_mesh, ["sword"]);
        assert!(skeleton.rest_is_bind);
        let weights = at_one.weights.as_ref().unwrap();
        assert_eq!(weights.unused_joints, ["hand", "sword"]);
        assert_eq!(weights.rigid_share, 1.0);

        for scale in [1e-3, 1e3] {
            let mut other = look(&character(scale));
            // Lengths scale; everything else is the same.
            (other.mesh.low, other.mesh.high) = (at_one.mesh.low, at_one.mesh.high);
            other.mesh.diagonal = at_one.mesh.diagonal;
            other.mesh.mirror.plane_x = at_one.mesh.mirror.plane_x;
            assert_eq!(other, at_one);
        }
    }

    #[test]
    fn each_misfit_is_named() {
        let report = |change: fn(&mut Character)| {
            let mut c = character(1.0);
            change(&mut c);
            inspect(&c, &InspectOptions::default(), &Task::unattended())
        };
        assert!(matches!(
            report(|c| c.mesh.positions[0].x = f32::NAN),
            Err(InspectError::Mesh(MeshError::NotFinite { .. }))
        ));
        assert!(matches!(
            report(|c| c.skeleton.joints[0].parent = Some(JointIndex(1))),
            Err(InspectError::Skeleton(SkeletonError::ParentNotFirst { .. }))
        ));
        assert!(matches!(
            report(|c| c.weights = Some(Weights::rigid([JointIndex(0)]))),
            Err(InspectError::WeightsLength { found: 1, .. })
        ));
        assert!(matches!(
            report(|c| c.weights = Some(Weights::rigid(vec![JointIndex(7); 24]))),
            Err(InspectError::UnknownJoint { joint: 7, .. })
        ));
        let bare = report(|c| {
            c.skeleton = Skeleton::default();
            c.weights = None;
        });
        assert!(bare.unwrap().skeleton.is_none());
    }

    #[test]
    fn cancelling_at_every_step_stops_it() {
        let c = character(1.0);
        let run = |stop_at: usize| {
            let (token, steps) = (CancelToken::new(), AtomicUsize::new(0));
            let watch = |_: &'static str, _: f32| {
                if steps.fetch_add(1, Ordering::Relaxed) + 1 >= stop_at {
                    token.cancel();
                }
            };
            let result = inspect(&c, &InspectOptions::default(), &Task::new(token.clone(), &watch));
            (result, steps.into_inner())
        };
        let (whole, steps) = run(usize::MAX);
        assert!(whole.is_ok() && steps > 5);
        for stop_at in 1..steps {
            assert_eq!(run(stop_at).0, Err(InspectError::Cancelled(Cancelled)));
        }
    }
}
