//! Heat: every bone warms the skin near it, and the skin conducts.
//!
//! The weights w of a joint are the temperature of the skin when that joint's bones are at
//! 1 and all others at 0 (Baran and Popović 2007, section 4):
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
mod domain;
mod form;
mod groups;
mod inside;
mod options;
mod sources;
mod surface;
#[cfg(test)]
mod tests;

use super::BindWarning;
use crate::geometry::islands;
use crate::skin::{PointIndex, Skin};

pub use binding::{HeatBinding, HeatHandle};
pub use domain::HeatDomain;
pub use form::{Barrier, HeatForm};
pub use options::{HeatOptions, HeatPreset};
pub use sources::Sources;

pub(crate) use binding::{LEAST_AREA_OF_BILAPLACIAN, LEAST_EDGE, NEGLIGIBLE, SMOOTHING_LENGTH};
pub(crate) use sources::HeatSource;
pub(crate) use surface::{Extent, HeatSurface};

/// What is worth telling about islands that see no bone: once for each part.
fn unseen(binding: &HeatBinding, skin: &Skin) -> Vec<BindWarning> {
    if binding.no_bone_seen() {
        return vec![BindWarning::NoBoneSeen];
    }
    let seen = &binding.sources().seen;
    let mut found: Vec<(&str, usize, usize)> = Vec::new();
    for island in islands(skin.laplacian()) {
        // A position without faces is nothing that can be seen.
        if island.len() < 3 || island.iter().any(|&p| seen[p as usize]) {
            continue;
        }
        let vertex = skin.first_vertex(PointIndex(island[0]));
        let part = skin
            .character()
            .mesh
            .part_of_vertex(vertex)
            .map_or("", |p| &p.name);
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
