//! What a user says about finding the inside of a mesh.

use serde::{Deserialize, Serialize};

use super::{Paint, Resolution, SolidOptions, Views};
use crate::geometry::WeldedMesh;

/// How the solid is found. The defaults need no change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SolidSettings {
    /// Voxels along the longest side; more separates what is close together and takes longer.
    pub resolution: Resolution,
    /// Whether winding numbers decide where the votes do not agree; the method's own choice if none.
    pub winding_numbers: Option<bool>,
    /// Which of the six views vote: down +x, −x, +y, −y, +z, −z.
    pub views: Views,
    /// Volumes that the user puts inside or outside, later ones over earlier ones.
    pub paint: Vec<Paint>,
    /// Whether the winding of shells that are inside out is flipped to find the inside.
    pub flip_inside_out: bool,
}

impl Default for SolidSettings {
    fn default() -> Self {
        Self {
            resolution: Resolution::Auto,
            winding_numbers: None,
            views: [true; 6],
            paint: Vec::new(),
            flip_inside_out: true,
        }
    }
}

impl SolidSettings {
    /// What these settings mean for a surface, by a method with these habits.
    pub fn resolve(
        &self,
        surface: &WeldedMesh,
        usual_resolution: Option<u32>,
        winding_numbers: bool,
    ) -> SolidOptions {
        SolidOptions {
            resolution: self.resolution.resolve(surface, usual_resolution),
            views: self.views,
            winding_numbers: self.winding_numbers.unwrap_or(winding_numbers),
            flip_inside_out: self.flip_inside_out,
            paint: self.paint.clone(),
        }
    }
}
