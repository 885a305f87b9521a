//! Voxel binding: weights from distances through the solid that a mesh encloses.
//!
//! Seeds 000 to 002 (Dionne and de Lasa 2013 and 2014). The mesh, however broken, becomes a
//! solid of voxels ([`crate::solid`]); distances from every bone run through it, so that an
//! arm beside the body is far from the chest; weights fall with distance. The slow half is
//! kept as a [`VoxelBinding`]: other falloffs, other regions and other meshes in the same
//! volume only evaluate it again; a [`LiveBinding`] does so at once.
//!
//! The default is better than the papers' falloff (DESIGN: 0.86 against 1.07 of the best
//! peer). Per position and bone segment:
//! 1. the distance through the solid, continuous across voxels ([`crate::solid::Blend`]), or the
//!    straight line where it is nearly that long;
//! 2. more past the ends of a segment than beside it;
//! 3. less for segments in thick limbs than in thin ones ([`thickness`](self));
//! 4. the least over a joint's segments, to the power −λ;
//! 5. smoothing along the surface by a share of the distance ([`crate::geometry::Diffusion`]).
//!
//! Presets `2014` and `2013` are the papers' own.
//!
//! Promised: every position gets weights, whatever the mesh; the same bytes at any number
//! of threads; symmetric weights for symmetric characters. Not promised: weights of parts
//! that touch another part's volume without hanging on it are those of that volume.

pub(super) mod binding;
mod explain;
mod falloff;
mod live;
mod moving;
mod reach;
#[cfg(test)]
mod tests;
mod thickness;

use std::time::Instant;

use super::{BindError, BindOptions, BindWarning, Bound, Job, Method, Stage};
use crate::character::{Bone, Character};
use crate::geometry::Welded;
use crate::solid::{Paint, Resolution, Views};
use crate::task::Task;

pub use binding::{VoxelBinding, VoxelBindingParts};
pub use explain::{ExplainedBone, Explanation};
pub use falloff::{Form, lambda};
pub use live::LiveBinding;
pub(crate) use moving::MovingBinding;
pub use reach::Reach;

/// How voxel binding works. The defaults need no change.
#[derive(Debug, Clone, PartialEq)]
pub struct VoxelOptions {
    /// Voxels along the longest side; more separates what is close together and takes
    /// longer.
    pub resolution: Resolution,
    /// How fast weights fall, from 0 (smooth) to 1 (sharp); the preset's own if none.
    pub falloff: Option<f64>,
    /// What a step into a voxel of the surface costs, relative to one inside; the preset's
    /// own if none. Larger keeps ways away from the skin.
    pub penalty: Option<f64>,
    /// Whether winding numbers decide where the votes do not agree; the preset's own if none.
    pub winding_numbers: Option<bool>,
    /// Which of the six views vote: down +x, −x, +y, −y, +z, −z.
    pub views: Views,
    /// Places that the user puts inside or outside.
    pub paint: Vec<Paint>,
    /// Whether shells wound inside out are turned over to find the inside.
    pub turn_inside_out: bool,
    /// Whether voxels are coarse within; the preset's own if none.
    pub sparse: Option<bool>,
    /// Whether ways run across edges and corners of voxels too; the preset's own if none.
    pub diagonal: Option<bool>,
    /// Whether weights are smoothed along the surface; the preset's own if none.
    pub smoothing: Option<bool>,
    /// Points, balls and boxes that attract skin besides the skeleton's bones.
    pub influences: Vec<Bone>,
}

impl Default for VoxelOptions {
    fn default() -> Self {
        Self {
            resolution: Resolution::Auto,
            falloff: None,
            penalty: None,
            winding_numbers: None,
            views: [true; 6],
            paint: Vec::new(),
            turn_inside_out: true,
            sparse: None,
            diagonal: None,
            smoothing: None,
            influences: Vec::new(),
        }
    }
}

/// The method `voxel`.
pub struct Voxel;

impl Method for Voxel {
    fn name(&self) -> &'static str {
        "voxel"
    }

    fn summary(&self) -> &'static str {
        "distances through the solid that the mesh encloses; for any mesh (presets 2014, 2013)"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        Ok(VoxelBinding::made_with_weights(character, options, task)?.1)
    }
}

impl VoxelBinding {
    /// A new binding, and the weights that come of it.
    pub fn made_with_weights(
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Bound), BindError> {
        let job = Job::new(character, options)?;
        Prepared::of(job, character, options, task)?.bound(character, options, task)
    }

    /// The slow half for a character: the binding, what was guessed, and where the time
    /// went.
    pub fn new(
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(Self, Vec<BindWarning>, Vec<Stage>), BindError> {
        let mut job = Job::new(character, options)?;
        let (binding, _, _, stages) = Self::prepare(&mut job, character, options, task)?;
        Ok((binding, std::mem::take(&mut job.warnings), stages))
    }

    /// Weights for a character in the volume that this binding was made for: the same one
    /// with other settings, another level of detail, an injured version.
    pub fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        let start = Instant::now();
        let live = LiveBinding::new(self, character, options, task)?;
        let ready = Stage {
            name: "reach",
            time: start.elapsed(),
        };
        let mut bound = live.weights(options, task)?;
        bound.stages.insert(0, ready);
        Ok(bound)
    }
}

/// A binding with all that weights for its own character need.
pub(super) struct Prepared<'a> {
    /// The bind under way.
    pub job: Job<'a>,
    binding: VoxelBinding,
    surface: Welded,
    reach: Reach,
    stages: Vec<Stage>,
    /// What was guessed about solid and bones.
    warnings: Vec<BindWarning>,
}

impl<'a> Prepared<'a> {
    /// The slow half. The job was made with the same options.
    pub fn of(
        mut job: Job<'a>,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        let known = job.warnings.len();
        let (binding, surface, reach, stages) = VoxelBinding::prepare(&mut job, character, options, task)?;
        Ok(Self {
            warnings: job.warnings.split_off(known),
            job,
            binding,
            surface,
            reach,
            stages,
        })
    }

    /// The weights, and the binding that they came of.
    pub fn bound(
        mut self,
        character: &'a Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(VoxelBinding, Bound), BindError> {
        let start = Instant::now();
        let live = LiveBinding::with_reach(&self.binding, character, self.job, self.surface, self.reach);
        self.stages.push(Stage {
            name: "surface",
            time: start.elapsed(),
        });
        let mut bound = live.weights(options, task)?;
        bound.warnings.append(&mut self.warnings);
        self.stages.append(&mut bound.stages);
        bound.stages = self.stages;
        Ok((self.binding, bound))
    }
}
