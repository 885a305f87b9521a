//! Ligament binds skin to bone.
//!
//! Give it a character (a mesh, however broken, and a skeleton) and it returns
//! skinning weights: for every vertex at most *k* joints with weights that sum to one.
//!
//! # Own arrays
//!
//! ```
//! use ligament::{Mesh, Skeleton};
//!
//! let positions = [[0.0, 0.0, 0.1], [0.1, 0.0, -0.1], [-0.1, 0.0, -0.1], [0.0, 1.0, 0.0]];
//! let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
//! let joints = [("lower", None, [0.0, 0.0, 0.0]), ("upper", Some(0), [0.0, 0.5, 0.0])];
//!
//! let skeleton = Skeleton::from_positions(&joints)?; // in any order
//! let result = ligament::bind(&Mesh::new(positions, triangles), &skeleton)?;
//! let (joints, weights) = result.weights.to_arrays::<4>(); // Vec<[u16; 4]>, Vec<[f32; 4]>
//!
//! assert_eq!(joints[3][0], 1); // the tip follows the upper joint
//! assert_eq!(weights[0].iter().sum::<f32>(), 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A method and its options
//!
//! A [`Character`] is a mesh, a skeleton, and what a source knows besides; [`sample`] makes
//! some by code. A [`bind::Method`] is plain data with its own options, [`bind::BindOptions`]
//! are those that all methods share, a [`task::Task`] watches and stops.
//!
//! ```
//! use ligament::bind::{BindOptions, Method};
//! use ligament::skin::Skin;
//! use ligament::task::{CancelToken, Task};
//!
//! let skin = Skin::new(ligament::sample::make("hand@1000")?)?;
//! let options = BindOptions { influences: 8, ..BindOptions::default() };
//! let (cancel, watcher) = (CancelToken::new(), |_stage: &'static str, _share: f32| {});
//! let result = Method::named("heat")?.bind(&skin, &options, &Task::new(cancel, &watcher))?;
//! assert!(result.weights.max_influences() <= 8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Prepared once, evaluated at slider speed
//!
//! ```
//! use ligament::bind::{BindOptions, Method, VoxelOptions};
//! use ligament::skin::Skin;
//! use ligament::task::Task;
//!
//! let (options, task) = (BindOptions::default(), Task::unattended());
//! let skin = Skin::new(ligament::sample::make("tube")?)?;
//! let mut prepared = Method::Voxel(VoxelOptions::default()).prepare(&skin, &options, &task)?;
//! prepared.set_falloff(Some(0.2))?;
//! let soft = prepared.evaluate(&options, &task)?.weights;
//! prepared.set_falloff(Some(0.9))?;
//! let sharp = prepared.evaluate(&options, &task)?.weights;
//! assert!(sharp.influences().len() < soft.influences().len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Edited, while weights follow
//!
//! ```
//! use ligament::edit::{Command, Session, SessionOptions};
//! use ligament::task::Task;
//!
//! let (hound, task) = (ligament::sample::make("hound@1000")?, Task::unattended());
//! let mut session = Session::new(hound, &SessionOptions::default(), &task)?;
//! let command = Command::Magnitude { joint: "head".into(), value: 2.0 };
//! let done = session.apply(&command, &task)?;
//! assert!(!done.changed_vertices.is_empty());
//! session.undo();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A field for every level of detail
//!
//! ```
//! use ligament::bind::{BindOptions, FitOptions, Method, Prepared};
//! use ligament::skin::Skin;
//! use ligament::task::Task;
//!
//! let (options, task) = (BindOptions::default(), Task::unattended());
//! // A real fit takes thousands of steps: leave the defaults alone.
//! let short = FitOptions { guided_steps: 10, steps: 10, ..FitOptions::default() };
//! let coarse = Skin::new(ligament::sample::make("hound@800")?)?;
//! let fitted = Method::Cells(short).prepare(&coarse, &options, &task)?;
//! let field = fitted.field().ok_or("cells give a field")?.clone();
//!
//! let fine = Skin::new(ligament::sample::make("hound@2000")?)?;
//! let result = Prepared::with_field(field, &fine).evaluate(&options, &task)?;
//! assert_eq!(result.weights.vertex_count(), fine.character().mesh.positions.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Measured
//!
//! ```
//! use ligament::measure::{MeasureOptions, Verdict, measure};
//! use ligament::task::Task;
//!
//! let tube = ligament::sample::make("tube")?;
//! let weights = ligament::bind(&tube.mesh, &tube.skeleton)?.weights;
//! let report = measure(&tube, &weights, None, &MeasureOptions::default(), &Task::unattended())?;
//! assert_eq!(report.verdict, Verdict::Sound);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same as whole programs: `examples/` of this crate.
//!
//! # The rooms
//!
//! - [`character`]: the nouns: mesh, skeleton, bones, weights, pose, clip.
//! - [`mod@bind`]: the verbs that give weights, each method in a file of its own.
//! - [`deform`]: moving the skin: linear blend, dual quaternion, delta mush.
//! - [`edit`]: a rig edited while its weights follow.
//! - [`geometry`]: surfaces: what is connected, inside, near, alike.
//! - [`inspect`]: what is wrong with a mesh, a skeleton or weights, counted.
//! - [`measure`]: how good a bind is, measured and judged.
//! - [`motion`]: poses: clips, joint limits, range of motion; motions carried to other skeletons.
//! - [`mod@repair`]: weights that are broken, put right where there is a safe way.
//! - [`rig`]: skeletons: bringing one to a mesh, or finding one in it.
//! - [`sample`]: characters made by code.
//! - [`skin`]: the welded surface that bends.
//! - [`solid`]: what is inside a broken mesh: votes, winding numbers, sparse voxels, distances.
//! - [`task`]: progress and cancelling for anything that takes time.
//! - [`transfer`]: weights from one mesh to another.
//! - [`weights`]: operations on plain weights.
//!
//! This crate reads no files, prints nothing and starts no threads of its own: parallel
//! work runs on the caller's rayon pool, and gives the same bytes at any thread count.

pub mod bind;
pub mod character;
pub mod deform;
pub mod edit;
pub mod geometry;
pub mod inspect;
#[cfg(not(feature = "research"))]
mod linear;
#[cfg(feature = "research")]
pub mod linear;
pub mod measure;
pub mod motion;
pub mod repair;
pub mod rig;
pub mod sample;
pub mod skin;
pub mod solid;
pub mod task;
pub mod transfer;
pub mod weights;

pub use glam;

pub use character::{Character, Clip, JointIndex, Mesh, Part, Pose, Skeleton, Weights};

/// Binds a mesh to a skeleton: the default method with its default options, all joints but
/// those that look like controls, at most four influences for each vertex.
///
/// For other methods and options, progress and cancelling, see [`mod@bind`].
pub fn bind(mesh: &Mesh, skeleton: &Skeleton) -> Result<bind::BindResult, bind::BindError> {
    let character = Character {
        mesh: mesh.clone(),
        skeleton: skeleton.clone(),
        ..Character::default()
    };
    let skin = skin::Skin::new(character)?;
    bind::Method::default().bind(&skin, &bind::BindOptions::default(), &task::Task::unattended())
}
