//! Heat: every bone warms the skin near it, and the skin conducts.
//!
//! The weights w of a joint are the temperature of the skin when that joint's bones are at
//! 1 and all others at 0 (Baran and Popović 2007, section 4; seed 003, section 3.1.4,
//! equation 1):
//!
//! ```text
//! (M·H − C) w = M·H·p
//! ```
//!
//! C is the cotangent Laplacian ([`crate::geometry::Laplacian`]), M the area around each
//! position, so that neither scale nor the size of triangles matters (the papers leave M
//! out); p is 1 where the joint is the source and 0 elsewhere, H how strong that source
//! is: [`HeatForm`] says which forms there are. One factorisation serves all joints.
//!
//! Promises: every position gets an answer, weights are within 0 and 1 and sum to one
//! before the largest are chosen (but for smoothness over 0, which may overshoot and is cut
//! off), and a finer mesh of the same shape gets the same weights. An island that sees no bone
//! is reported; in the default form it is bound to the bone that is nearest around the
//! outside, in the other forms it follows the skin that it hangs on.
//!
//! Not promised: that heat crosses a gap. Pieces that only touch are bound one by one.

mod binding;
mod form;
mod groups;
mod inside;
mod skin;
mod sources;
mod surface;
#[cfg(test)]
mod tests;

use std::time::Instant;

use super::{BindError, BindOptions, BindWarning, Bound, Job, Method, Stage};
use crate::character::{Character, Mesh};
use crate::task::Task;

pub use binding::{HeatBinding, HeatHandle};
pub use form::{Barrier, HeatForm};
pub use skin::HeatSkin;
pub use sources::Sources;

pub(crate) use binding::{FAINTEST, LEAST_AREA_OF_BILAPLACIAN, LEAST_EDGE, SMOOTHING_LENGTH};
pub(crate) use sources::Found;
pub(crate) use surface::{Extent, HeatSurface};

/// The method `heat`.
pub struct Heat;

impl Method for Heat {
    fn name(&self) -> &'static str {
        "heat"
    }

    fn summary(&self) -> &'static str {
        "heat from the bones spreads over the skin; smooth, binds broken meshes too (presets 2007, blender)"
    }

    fn bind(
        &self,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<Bound, BindError> {
        Ok(Self::bind_job(Job::new(character, options)?, character, options, task)?.1)
    }
}

impl Heat {
    /// Binds the character of a job that was made with the same options, and gives what it
    /// made of it too.
    pub(super) fn bind_job(
        mut job: Job<'_>,
        character: &Character,
        options: &BindOptions,
        task: &Task<'_>,
    ) -> Result<(HeatBinding, Bound), BindError> {
        let form = HeatForm::of_preset(options.preset.as_deref())?;
        let start = Instant::now();
        let skin = HeatSkin::of(&job, character);
        let handles = options.heat_handles(&character.skeleton)?;
        let binding = HeatBinding::prepare(skin, &form, &handles, task)?;
        let prepared = start.elapsed();

        let start = Instant::now();
        let per_position = options.floored(binding.weights(options.influences, task)?);
        let solved = start.elapsed();

        let start = Instant::now();
        let weights = job.scatter(&per_position)?;
        let mut warnings = std::mem::take(&mut job.warnings);
        warnings.extend(unseen(&binding, &job, &character.mesh));
        let stage = |name, time| Stage { name, time };
        let bound = Bound {
            weights,
            warnings,
            stages: vec![
                stage("prepare", prepared),
                stage("solve", solved),
                stage("scatter", start.elapsed()),
            ],
        };
        Ok((binding, bound))
    }
}

/// What is worth telling about islands that see no bone: once for each part.
fn unseen(binding: &HeatBinding, job: &Job<'_>, mesh: &Mesh) -> Vec<BindWarning> {
    if binding.no_bone_seen() {
        return vec![BindWarning::NoBoneSeen];
    }
    let seen = &binding.sources().seen;
    let mut found: Vec<(&str, usize, usize)> = Vec::new();
    for island in crate::geometry::islands(binding.laplacian()) {
        // A position without faces is nothing that can be seen.
        if island.len() < 3 || island.iter().any(|&p| seen[p as usize]) {
            continue;
        }
        let vertex = job.first_vertex(island[0] as usize);
        let part = mesh.part_of_vertex(vertex).map_or("", |p| &p.name);
        match found.iter_mut().find(|f| f.0 == part) {
            Some(entry) => {
                entry.1 += 1;
                entry.2 += island.len();
            }
            None => found.push((part, 1, island.len())),
        }
    }
    let warning = |&(part, islands, positions): &(&str, usize, usize)| BindWarning::IslandsSeeNoBone {
        part: part.to_owned(),
        islands,
        positions,
    };
    found.iter().map(warning).collect()
}
