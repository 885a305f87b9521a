//! What a user says about finding the inside of a mesh.

use serde::{Deserialize, Serialize};

use super::{Grid, Outward, Paint, Resolution, STAGE, Solid, SolidOptions, Views};
use crate::geometry::WeldedMesh;
use crate::task::{Cancelled, Task};

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
    /// Finds the inside of a surface as these settings say, for a method with these habits. The resolution is chosen by a
    /// surface whose winding has been put right: between faces that look the wrong way there is no gap, but a limb.
    pub(crate) fn solid(
        &self,
        surface: &WeldedMesh,
        usual_resolution: Option<u32>,
        winding_numbers: bool,
        task: &Task<'_>,
    ) -> Result<Solid, Cancelled> {
        task.step(STAGE, 0.0)?;
        let outward = match self.flip_inside_out {
            true => Outward::of(surface, task)?,
            false => Outward::as_given(surface),
        };
        let resolution = if outward.is_as_given() {
            self.resolution.resolve(surface, usual_resolution)
        } else {
            let wound = WeldedMesh {
                points: surface.points.clone(),
                faces: outward.faces.clone(),
                diagonal: surface.diagonal,
            };
            self.resolution.resolve(&wound, usual_resolution)
        };
        let options = SolidOptions {
            resolution,
            views: self.views,
            winding_numbers: self.winding_numbers.unwrap_or(winding_numbers),
            flip_inside_out: self.flip_inside_out,
            paint: self.paint.clone(),
        };
        let grid = Grid::around(&surface.points, resolution);
        Solid::of_outward(surface, outward, grid, &options, task)
    }
}
