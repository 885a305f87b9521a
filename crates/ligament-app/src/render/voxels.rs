//! The solid that a mesh encloses, as cubes, whole or cut open.
//!
//! Cubes of neighbouring leaves differ a little in brightness, so that a cut shows how
//! coarse voxels are within.

use std::str::FromStr;

use glam::{IVec3, UVec3, Vec3};
use ligament::Character;
use ligament::bind::{BindError, DeformChoice};
use ligament::character::{BoneShape, LEAF_STUB, Mesh, bones_of};
use ligament::geometry::WeldedMesh;
use ligament::skin::Skin;
use ligament::solid::distance::Sources;
use ligament::solid::{Bits, Leaves, Resolution, Solid, SolidOptions};
use ligament::task::Task;
use serde::{Deserialize, Serialize};

use crate::AppError;

/// A plane across an axis, as a share of the box around the mesh: `x=0.5`. The side towards
/// the viewer goes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slice {
    axis: usize,
    fraction: f64,
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('=').and_then(|(axis, fraction)| {
            Some(Self {
                axis: ["x", "y", "z"].iter().position(|a| *a == axis)?,
                fraction: fraction.parse().ok().filter(|s| (0.0..=1.0).contains(s))?,
            })
        });
        parsed
            .ok_or_else(|| "use x=FRACTION, y=FRACTION or z=FRACTION with a fraction from 0 to 1".to_owned())
    }
}

impl TryFrom<String> for Slice {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Slice> for String {
    fn from(slice: Slice) -> Self {
        format!("{}={}", ["x", "y", "z"][slice.axis], slice.fraction)
    }
}

/// What a cube stands for, from what hides others to what is common.
#[derive(Clone, Copy)]
enum Kind {
    /// A bone starts here.
    Bone,
    /// A triangle touches it.
    Boundary,
    /// The views did not agree on it, and the winding number put it inside.
    Ambiguous,
    /// Inside.
    Interior,
}

impl Kind {
    /// Linear colour.
    fn color(self) -> [f32; 3] {
        match self {
            Self::Bone => [0.85, 0.18, 0.03],
            Self::Boundary => [0.42, 0.44, 0.48],
            Self::Ambiguous => [0.55, 0.12, 0.55],
            Self::Interior => [0.16, 0.42, 0.78],
        }
    }
}

/// Cubes as a mesh with a colour for each vertex.
pub struct VoxelPicture {
    /// The sides of cubes that can be seen.
    pub mesh: Mesh,
    /// A linear colour for each of its vertices.
    pub colors: Vec<[f32; 3]>,
    /// How many voxels of which kind there are, in words.
    pub legend: String,
}

/// Finds the solid and the cubes that are seen by a camera that looks `forward`; a slice
/// takes away the side towards it.
pub fn voxel_picture(
    character: &Character,
    resolution: Resolution,
    slice: Option<Slice>,
    forward: Vec3,
    task: &Task<'_>,
) -> Result<VoxelPicture, AppError> {
    let voxels = Voxels::of(character, resolution, task)?;
    let mut cubes = Cubes::default();
    let hidden = |voxel: UVec3| slice.is_some_and(|s| s.hides(voxel, voxels.solid.grid.counts, forward));
    for voxel in voxels.solid.voxels().ones().filter(|&v| !hidden(v)) {
        let at = voxel.as_ivec3();
        let color = voxels.color(voxel);
        for axis in 0..3 {
            for side in [0, 1] {
                let mut neighbour = at;
                neighbour[axis] += 2 * side - 1;
                let covered = voxels.is_inside(neighbour) && !hidden(neighbour.as_uvec3());
                if !covered {
                    cubes.add_side(&voxels.solid, at, axis, side, color);
                }
            }
        }
    }
    if cubes.triangles.is_empty() {
        return Err(AppError::EmptySlice);
    }
    Ok(VoxelPicture {
        mesh: Mesh::single_part(&character.name, cubes.positions, cubes.triangles),
        colors: cubes.colors,
        legend: voxels.legend(),
    })
}

impl Slice {
    /// Whether a voxel is on the side that is taken away.
    fn hides(self, voxel: UVec3, counts: UVec3, forward: Vec3) -> bool {
        let at = (f64::from(voxel[self.axis]) + 0.5) / f64::from(counts[self.axis]);
        if forward[self.axis] < 0.0 {
            at > self.fraction
        } else {
            at < self.fraction
        }
    }
}

/// The solid of a character, as binding sees it.
struct Voxels {
    solid: Solid,
    /// Voxels in which bones start.
    sources: Bits,
    leaves: Leaves,
}

impl Voxels {
    fn of(character: &Character, resolution: Resolution, task: &Task<'_>) -> Result<Self, AppError> {
        let (surface, bones) = if character.skeleton.joints.iter().any(|j| j.in_skin) {
            let skin = Skin::new(character.clone()).map_err(BindError::from)?;
            let joints = DeformChoice::Guess.resolve(&skin)?;
            let bones = bones_of(&character.skeleton, &joints, LEAF_STUB);
            (skin.surface().clone(), bones)
        } else {
            (WeldedMesh::of(&character.mesh), Vec::new())
        };
        let options = SolidOptions {
            resolution: resolution.resolve(&surface, None),
            ..SolidOptions::default()
        };
        let solid = Solid::of(&surface, &options, task)?;
        let shapes: Vec<BoneShape> = bones.into_iter().map(|b| b.shape).collect();
        let sources = Sources::of(&solid, &shapes).voxels(solid.grid.counts);
        let leaves = Leaves::of(&solid, &sources, true, true);
        Ok(Self {
            solid,
            sources,
            leaves,
        })
    }

    fn is_inside(&self, at: IVec3) -> bool {
        let of = |bits: &Bits| bits.get_or_false(at.x, at.y, at.z);
        of(&self.solid.boundary) || of(&self.solid.interior)
    }

    fn color(&self, voxel: UVec3) -> [f32; 3] {
        let kind = if self.sources.get(voxel) {
            Kind::Bone
        } else if self.solid.boundary.get(voxel) {
            Kind::Boundary
        } else if self.solid.ambiguous.get(voxel) {
            Kind::Ambiguous
        } else {
            Kind::Interior
        };
        let at = voxel.as_ivec3();
        let shade = match self.leaves.leaf_of_voxel(at.x, at.y, at.z) {
            Some(leaf) if self.leaves.cell(leaf).element_sum() % 2 == 1 => 0.86,
            _ => 1.0,
        };
        kind.color().map(|c| c * shade)
    }

    fn legend(&self) -> String {
        let solid = &self.solid;
        let counts = solid.grid.counts;
        let ambiguous = solid.ambiguous.combined(&solid.interior, |a, i| a & i).count();
        format!(
            "{} × {} × {} voxels in {} leaves: {} boundary (grey), {} interior (blue), {ambiguous} of them by \
             winding numbers (violet), {} of bones (orange)",
            counts.x,
            counts.y,
            counts.z,
            self.leaves.len(),
            solid.boundary.count(),
            solid.interior.count(),
            self.sources.count()
        )
    }
}

/// Sides of cubes as they are found.
#[derive(Default)]
struct Cubes {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    colors: Vec<[f32; 3]>,
}

impl Cubes {
    /// Adds the lower (0) or upper (1) side of a voxel along an axis.
    fn add_side(&mut self, solid: &Solid, at: IVec3, axis: usize, side: i32, color: [f32; 3]) {
        let first = self.positions.len() as u32;
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (a, b) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
            let mut corner = at;
            corner[axis] += side;
            corner[u] += a;
            corner[v] += b;
            self.positions
                .push(solid.grid.bind_from_grid(corner.as_dvec3()).as_vec3());
            self.colors.push(color);
        }
        let corner = |k: u32| first + if side == 1 { k } else { (4 - k) % 4 };
        self.triangles.push([corner(0), corner(1), corner(2)]);
        self.triangles.push([corner(0), corner(2), corner(3)]);
    }
}
