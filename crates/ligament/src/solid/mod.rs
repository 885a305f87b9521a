//! What is inside a mesh, however broken: a solid made of voxels.
//!
//! A voxel that a triangle touches is *boundary*; of the others those are *interior* that
//! the votes of six views or, where they do not agree, the winding number put inside. The
//! solid is then held as leaves of an octree, fine at the surface and coarse within, and
//! distances run through those.
//!
//! - [`Grid`]: where the voxels are; [`Bits`]: one bit for each.
//! - [`boundary`]: which voxels a triangle or a segment touches.
//! - [`votes`](mod@votes): the six views; [`WindingTree`]: winding numbers of many points.
//! - [`Solid`]: all of it together; [`Paint`]: what a user knows better.
//! - [`Leaves`]: the sparse voxels and their neighbours.
//! - [`VolumeLaplacian`]: how a quantity spreads through the leaves.
//! - [`distance`]: how far every leaf is from every bone, through the solid; [`Blend`]: how
//!   far any point is.

mod bits;
mod blend;
pub mod boundary;
pub mod distance;
mod grid;
mod laplacian;
mod leaves;
mod resolution;
mod settings;
#[cfg(test)]
mod tests;
pub mod votes;

use glam::{DVec3, UVec3};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::character::BoneShape;
use crate::geometry::{
    HAS_VOLUME, Shells, WeldedMesh, WindingTree, edge_faults, faces_to_flip, inside_out_shells, shell_solids,
};
use crate::task::{Cancelled, Task};

pub use bits::Bits;
pub(crate) use bits::SharedBits;
pub use blend::Blend;
pub use grid::Grid;
pub use laplacian::VolumeLaplacian;
pub use leaves::{Leaves, Neighbour};
pub use resolution::{Resolution, resolution_for};
pub use settings::SolidSettings;
pub use votes::Views;

/// Ambiguous voxels away from the surface are decided in cells of at most this level.
const DECIDED_LEVEL: usize = 3;

/// What finding the inside is called while it goes on.
const STAGE: &str = "voxels";

/// How to find the inside.
#[derive(Debug, Clone, PartialEq)]
pub struct SolidOptions {
    /// Voxels along the longest side of the mesh, 32 to 1024.
    pub resolution: u32,
    /// Which of the six views vote: down +x, −x, +y, −y, +z, −z.
    pub views: Views,
    /// Whether winding numbers decide where only one axis votes interior; else such voxels
    /// are outside.
    pub winding_numbers: bool,
    /// Whether shells that are wound inside out are flipped first.
    pub flip_inside_out: bool,
    /// Voxels that the user puts in or out, later ones over earlier ones.
    pub paint: Vec<Paint>,
}

impl Default for SolidOptions {
    fn default() -> Self {
        Self {
            resolution: 128,
            views: [true; 6],
            winding_numbers: true,
            flip_inside_out: true,
            paint: Vec::new(),
        }
    }
}

/// A region that the user declares inside or outside. Voxels that a triangle touches stay
/// boundary.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Paint {
    /// The voxels whose centres lie in this shape; segments and points paint nothing.
    pub shape: BoneShape,
    /// Whether they are inside.
    pub inside: bool,
}

/// What a voxel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VoxelKind {
    /// Outside the solid.
    Exterior,
    /// Inside, and touched by no triangle.
    Interior,
    /// Touched by a triangle.
    Boundary,
}

/// The inside of a mesh as voxels.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    /// Where the voxels are.
    pub grid: Grid,
    /// Voxels that a triangle touches.
    pub boundary: Bits,
    /// Voxels inside that no triangle touches.
    pub interior: Bits,
    /// Voxels that no triangle touches and that only one axis voted inside.
    pub ambiguous: Bits,
    /// How many winding numbers were asked for.
    pub winding_numbers_asked: usize,
    /// The shells whose winding was flipped, as indices into the mesh's shells.
    pub flipped_shells: Vec<u32>,
    /// How many faces were wound against their neighbours and flipped.
    pub flipped_faces: usize,
}

impl Solid {
    /// Finds the inside of a surface.
    pub fn of(surface: &WeldedMesh, options: &SolidOptions, task: &Task<'_>) -> Result<Self, Cancelled> {
        let grid = Grid::around(&surface.points, options.resolution);
        Self::within(surface, grid, options, task)
    }

    /// The same in voxels that are laid otherwise; they must hold the whole surface.
    pub fn within(
        surface: &WeldedMesh,
        grid: Grid,
        options: &SolidOptions,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        task.step(STAGE, 0.0)?;
        let outward = match options.flip_inside_out {
            true => Outward::of(surface, task)?,
            false => Outward::as_given(surface),
        };
        Self::of_outward(surface, outward, grid, options, task)
    }

    /// The same for faces whose winding has been put right.
    fn of_outward(
        surface: &WeldedMesh,
        outward: Outward,
        grid: Grid,
        options: &SolidOptions,
        task: &Task<'_>,
    ) -> Result<Self, Cancelled> {
        let Outward {
            faces,
            flipped_shells,
            flipped_faces,
        } = outward;
        let points: Vec<DVec3> = surface.points.iter().map(|&p| grid.grid_from_bind(p)).collect();

        task.step(STAGE, 0.1)?;
        let touched = SharedBits::new(grid.counts);
        faces.par_iter().with_min_len(256).for_each(|face| {
            let corners = face.map(|p| points[p as usize]);
            boundary::triangle_voxels(corners, |x, y, z| touched.set(x, y, z));
        });
        let boundary = touched.into_bits();

        task.step(STAGE, 0.4)?;
        let votes::Votes {
            mut interior,
            mut ambiguous,
        } = votes::votes(&points, &faces, grid.counts, options.views);
        interior.combine(&boundary, |i, b| i & !b);
        ambiguous.combine(&boundary, |a, b| a & !b);

        task.step(STAGE, 0.7)?;
        let mut winding_numbers_asked = 0;
        if options.winding_numbers && ambiguous.count() > 0 {
            let corners: Vec<[DVec3; 3]> = faces.iter().map(|f| f.map(|p| points[p as usize])).collect();
            winding_numbers_asked = decide(
                &ambiguous,
                &boundary,
                &WindingTree::new(&corners),
                &mut interior,
                task,
            )?;
        }
        for paint in &options.paint {
            apply(paint, &grid, &boundary, &mut interior);
        }
        task.step(STAGE, 1.0)?;
        Ok(Self {
            grid,
            boundary,
            interior,
            ambiguous,
            winding_numbers_asked,
            flipped_shells,
            flipped_faces,
        })
    }

    /// What a voxel is.
    pub fn kind(&self, voxel: UVec3) -> VoxelKind {
        if self.boundary.get(voxel) {
            VoxelKind::Boundary
        } else if self.interior.get(voxel) {
            VoxelKind::Interior
        } else {
            VoxelKind::Exterior
        }
    }

    /// Whether a point lies in a voxel of the solid; false beyond the grid.
    pub fn contains(&self, point: DVec3) -> bool {
        let at = self.grid.grid_from_bind(point);
        // Cut off and not rounded down, which on plain processors is a call each.
        let voxel = at.as_ivec3();
        at.min_element() >= 0.0
            && (self.boundary.get_or_false(voxel.x, voxel.y, voxel.z)
                || self.interior.get_or_false(voxel.x, voxel.y, voxel.z))
    }

    /// All voxels that are not exterior.
    pub fn voxels(&self) -> Bits {
        self.boundary.combined(&self.interior, |b, i| b | i)
    }
}

/// The faces of a surface with their winding put right.
pub(crate) struct Outward {
    /// The faces.
    pub faces: Vec<[u32; 3]>,
    /// The shells that were inside out and are flipped.
    pub flipped_shells: Vec<u32>,
    /// How many faces were wound against their neighbours and are flipped.
    pub flipped_faces: usize,
}

impl Outward {
    /// The faces as they are.
    fn as_given(surface: &WeldedMesh) -> Self {
        Self {
            faces: surface.faces.clone(),
            flipped_shells: Vec::new(),
            flipped_faces: 0,
        }
    }

    /// Whether nothing was flipped.
    fn is_as_given(&self) -> bool {
        self.flipped_faces == 0 && self.flipped_shells.is_empty()
    }

    /// Winds faces like their neighbours, then shells that are inside out the other way.
    pub fn of(surface: &WeldedMesh, task: &Task<'_>) -> Result<Self, Cancelled> {
        let Some(disagreement) = faces_to_flip(surface) else {
            let mut outward = Self::as_given(surface);
            outward.flipped_shells = flip_shells(&mut outward.faces, surface, false, task)?;
            return Ok(outward);
        };
        let mut faces = surface.faces.clone();
        let flips = &disagreement.flips;
        for (face, _) in faces.iter_mut().zip(flips).filter(|(_, flip)| **flip) {
            face.swap(1, 2);
        }
        let alike = WeldedMesh {
            points: surface.points.clone(),
            faces: faces.clone(),
            diagonal: surface.diagonal,
        };
        Ok(Self {
            flipped_shells: flip_shells(&mut faces, &alike, disagreement.is_divided, task)?,
            faces,
            flipped_faces: flips.iter().filter(|&&flip| flip).count(),
        })
    }
}

/// Flips the faces of shells that are wound inside out, and names these shells. If nothing about the winding can be
/// trusted, sheets are flipped too that bulge the wrong way.
fn flip_shells(
    faces: &mut [[u32; 3]],
    surface: &WeldedMesh,
    distrust: bool,
    task: &Task<'_>,
) -> Result<Vec<u32>, Cancelled> {
    let shells = Shells::of(surface);
    // Most shells are well wound, and their volume about their own middle says so; only
    // doubt is worth closing their openings for.
    let bulge = |faces: &Vec<u32>| {
        let corners = || faces.iter().map(|&f| surface.corners(f as usize));
        let middle = corners().map(|[a, b, c]| a + b + c).sum::<DVec3>() / (3 * faces.len().max(1)) as f64;
        let volume = |[a, b, c]: [DVec3; 3]| (a - middle).dot((b - middle).cross(c - middle)) / 6.0;
        corners().map(volume).sum::<f64>()
    };
    let mut bulges: Vec<f64> = shells.faces.par_iter().map(bulge).collect();
    if bulges.iter().all(|&bulge| bulge >= 0.0) {
        return Ok(Vec::new());
    }
    let mut solids = shell_solids(surface, &shells, &edge_faults(surface));
    // Where most faces that can be judged look inwards, a mirror or an exporter flipped all of them: also those of sheets,
    // which cannot be judged, and of cavities.
    let looks = |inwards: bool| -> usize {
        let counts = |s: &usize| solids[*s].is_judged() && (solids[*s].volume < 0.0) == inwards;
        let of_shells = (0..shells.count()).filter(counts);
        of_shells.map(|s| shells.faces[s].len()).sum()
    };
    let mirrored = looks(true) > looks(false);
    let found = if mirrored {
        let mut other = surface.clone();
        other.faces.iter_mut().for_each(|face| face.swap(1, 2));
        solids.iter_mut().for_each(|solid| solid.volume = -solid.volume);
        bulges.iter_mut().for_each(|bulge| *bulge = -*bulge);
        inside_out_shells(&other, &shells, &solids, task)?
    } else {
        inside_out_shells(surface, &shells, &solids, task)?
    };
    let is_inside_out = |shell: u32| {
        let (solid, bulge) = (&solids[shell as usize], bulges[shell as usize]);
        let bulges = bulge.abs() >= HAS_VOLUME * solid.area * solid.area.sqrt();
        bulge < 0.0 && (found.binary_search(&shell).is_ok() || distrust && !solid.is_judged() && bulges)
    };
    let flipped: Vec<u32> = (0..shells.count() as u32)
        .filter(|&shell| mirrored != is_inside_out(shell))
        .collect();
    for &shell in &flipped {
        for &face in &shells.faces[shell as usize] {
            faces[face as usize].swap(1, 2);
        }
    }
    Ok(flipped)
}

/// Puts ambiguous voxels inside whose winding number is over one half (Dionne and de Lasa
/// 2014, section 3.2). Next to the surface every voxel is asked; further away, where the
/// winding number hardly changes, the centre of the largest cell without surface stands for
/// all of it, so that the number of questions grows with the area and not with the volume.
fn decide(
    ambiguous: &Bits,
    boundary: &Bits,
    tree: &WindingTree,
    interior: &mut Bits,
    task: &Task<'_>,
) -> Result<usize, Cancelled> {
    let mut asked = 0;
    // What is still open and where the surface is, in cells of the level at hand.
    let (mut open, mut touched) = (ambiguous.clone(), boundary.clone());
    for level in 0..=DECIDED_LEVEL {
        let fraction = |done: usize| 0.7 + 0.3 * done as f32 / (DECIDED_LEVEL + 1) as f32;
        let mut asking = open.clone();
        if level < DECIDED_LEVEL {
            asking.combine(&touched.coarser().finer(open.counts()), |o, near| o & near);
        }
        let cells: Vec<UVec3> = asking.ones().collect();
        asked += cells.len();
        let size = f64::from(1u32 << level);
        let inside: Vec<bool> = cells
            .par_iter()
            .with_min_len(64)
            .map(|cell| {
                task.step("voxels", fraction(level))?;
                Ok(tree.around((cell.as_dvec3() + 0.5) * size) > 0.5)
            })
            .collect::<Result<_, Cancelled>>()?;
        for (cell, _) in cells.iter().zip(inside).filter(|(_, inside)| *inside) {
            let low = *cell << level as u32;
            let high = (low + (1 << level)).min(interior.counts());
            for z in low.z..high.z {
                for y in low.y..high.y {
                    for x in low.x..high.x {
                        let voxel = UVec3::new(x, y, z);
                        if ambiguous.get(voxel) {
                            interior.set(voxel, true);
                        }
                    }
                }
            }
        }
        open.combine(&asking, |o, a| o & !a);
        (open, touched) = (open.coarser(), touched.coarser());
    }
    Ok(asked)
}

/// Paints voxels in or out.
fn apply(paint: &Paint, grid: &Grid, boundary: &Bits, interior: &mut Bits) {
    let (low, high) = match &paint.shape {
        BoneShape::Sphere { centre, radius } => (*centre - *radius, *centre + *radius),
        BoneShape::Box {
            bind_from_box,
            half_extent,
        } => {
            let reach = bind_from_box.matrix3.x_axis.abs() * half_extent.x
                + bind_from_box.matrix3.y_axis.abs() * half_extent.y
                + bind_from_box.matrix3.z_axis.abs() * half_extent.z;
            (
                bind_from_box.translation - reach,
                bind_from_box.translation + reach,
            )
        }
        BoneShape::Segment { .. } | BoneShape::Point(_) => return,
    };
    let (low, high) = (grid.voxel_at(low.as_vec3()), grid.voxel_at(high.as_vec3()));
    for z in low.z..=high.z {
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                let voxel = UVec3::new(x, y, z);
                if !boundary.get(voxel) && paint.shape.distance(grid.centre(voxel)) == 0.0 {
                    interior.set(voxel, paint.inside);
                }
            }
        }
    }
}
