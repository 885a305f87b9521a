//! Which way a skin looks, and what lies inside it.

use glam::DVec3;

use crate::bind::BindError;
use crate::geometry::WeldedMesh;
use crate::geometry::normals;
use crate::skin::{Extent, Skin};
use crate::solid::{Outward, Solid, SolidOptions};
use crate::task::Task;

/// Voxels along the longest side; the study that chose the form used as many.
const SOLID_RESOLUTION: u32 = 96;

/// Normals and a solid. They do not depend on the bones.
#[derive(Debug)]
pub(crate) struct Inside {
    /// For each position the way out; zero on a sheet with faces on either side.
    pub normals: Vec<DVec3>,
    /// The body, where one was asked for.
    solid: Option<Solid>,
}

impl Inside {
    /// Winds faces and shells the right way, and finds the solid if `with_solid`.
    pub fn of(skin: &Skin, with_solid: bool, task: &Task<'_>) -> Result<Self, BindError> {
        let wound = skin.body();
        let body = WeldedMesh {
            faces: Outward::of(wound, task)?.faces,
            ..wound.clone()
        };
        let outward_face = |(&[a, b, c], &index): (&[u32; 3], &u32)| {
            let flipped = body.faces[index as usize] != wound.faces[index as usize];
            if flipped { [a, c, b] } else { [a, b, c] }
        };
        let faces: Vec<[u32; 3]> = skin
            .faces()
            .iter()
            .zip(skin.mesh_faces())
            .map(outward_face)
            .collect();
        let options = SolidOptions {
            resolution: SOLID_RESOLUTION,
            flip_inside_out: false,
            ..SolidOptions::default()
        };
        let solid = match with_solid {
            true => {
                // Strays are the same whichever way faces are wound.
                let strays = match skin.is_body_without_strays() {
                    true => None,
                    false => Extent::of(&body, &skin.character().skeleton),
                };
                let counts = strays.as_ref().map_or(&body, |strays| &strays.surface);
                Some(Solid::of(counts, &options, task)?)
            }
            false => None,
        };
        Ok(Self {
            normals: normals(skin.points(), &faces),
            solid,
        })
    }

    /// Whether a point is in the body; everything is where there is none.
    pub fn contains(&self, point: DVec3) -> bool {
        self.solid.as_ref().is_none_or(|s| s.contains(point))
    }

    /// How far apart points on a way are asked.
    pub fn step(&self) -> f64 {
        self.solid.as_ref().map_or(f64::INFINITY, |s| s.grid.size / 2.0)
    }
}
